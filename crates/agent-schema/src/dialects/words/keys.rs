//! Keys of harnesses whose definitions are not read here, and of nobody, that say plainly what they
//! are for.
//!
//! Source: the documentation of each harness, as of November 2026, and definitions that people
//! publish.

use crate::definition::FieldName;

/// A key that limits what an agent may do.
#[derive(Debug)]
pub struct LimitKey {
    /// The key; other spellings of it differ in case, hyphens and underscores alone.
    pub key: &'static str,
    /// The harness that has it, if one does.
    pub whose: Option<&'static str>,
    /// The field that would be meant here.
    pub field: FieldName,
}

const fn limit(key: &'static str, whose: Option<&'static str>, field: FieldName) -> LimitKey {
    LimitKey { key, whose, field }
}

/// The keys that limit what an agent may do.
pub static LIMIT_KEYS: &[LimitKey] = &[
    limit("readonly", Some("Cursor"), FieldName::TOOLS),
    limit("sandbox_mode", Some("Codex"), FieldName::PERMISSION_MODE),
    limit(
        "approvalMode",
        Some("Qwen Code"),
        FieldName::PERMISSION_MODE,
    ),
    limit(
        "disabled_tools",
        Some("Auggie"),
        FieldName::DISALLOWED_TOOLS,
    ),
    limit("excluded_tools", None, FieldName::DISALLOWED_TOOLS),
    limit("exclude_tools", None, FieldName::DISALLOWED_TOOLS),
    limit("denied_tools", None, FieldName::DISALLOWED_TOOLS),
    limit("deny_tools", None, FieldName::DISALLOWED_TOOLS),
    limit("blocked_tools", None, FieldName::DISALLOWED_TOOLS),
    limit("forbidden_tools", None, FieldName::DISALLOWED_TOOLS),
    limit("disallow_tools", None, FieldName::DISALLOWED_TOOLS),
];

/// The keys that hold the prompt where it is no body.
pub static PROMPT_KEYS: &[&str] = &[
    "prompt",
    "system_prompt",
    "instructions",
    "developer_instructions",
    "system",
];

/// Words of modes that forbid something, of harnesses of which it is not worked out here what each
/// mode lets an agent do.
pub static LIMITING_MODES: &[&str] = &["read-only", "workspace-write"];
