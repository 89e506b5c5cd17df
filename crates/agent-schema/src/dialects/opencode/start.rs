//! What OpenCode makes of an agent when it starts it.
//!
//! Source: its `agent.ts`, `permission/index.ts`, `session/prompt.ts` and, for what a subagent takes
//! from its caller, `subagent-permissions.ts`, read; the default rules
//! were seen by running 1.18.34. Those rules also allow the harness's own folders outside the
//! project, which are left out here: they depend on the machine and concern no tool as a whole.

use crate::dialect::{
    EffectRules, Inheritance, InheritedDenials, InheritedTools, PromptUse, SpawnRight, SpawnRules,
    StartRules, ToolDecision,
};

use super::fields::PERMISSION_RULES;
use super::writing::read_rules;
use crate::definition::FieldName;

/// (action, pattern, effect), the weakest first.
pub(super) const DEFAULTS: &[(&str, &str, &str)] = &[
    ("*", "*", "allow"),
    ("doom_loop", "*", "ask"),
    ("external_directory", "*", "ask"),
    ("question", "*", "deny"),
    ("plan_enter", "*", "deny"),
    ("plan_exit", "*", "deny"),
    ("read", "*", "allow"),
    ("read", "*.env", "ask"),
    ("read", "*.env.*", "ask"),
    ("read", "*.env.example", "allow"),
];

const RULES: EffectRules = EffectRules {
    fields: &[FieldName::PERMISSION, FieldName::TOOLS, PERMISSION_RULES],
    complete: Some(PERMISSION_RULES),
    read: read_rules,
    defaults: DEFAULTS,
    actions: &[
        ("write", "edit"),
        ("patch", "edit"),
        ("apply_patch", "edit"),
        ("multiedit", "edit"),
    ],
    deny: "deny",
};

pub(super) const FIRST_LINE: StartRules = StartRules {
    tools: ToolDecision::Effects(RULES),
    inherits: inherits(&["todowrite", "task"]),
    spawning: SpawnRules {
        by: SpawnRight::Tool(&["task"]),
        ..SpawnRules::UNKNOWN
    },
    prompt: PromptUse::Replaces,
    ..StartRules::PLAIN
};

/// The second line calls two of the tools otherwise.
pub(super) const SECOND_LINE: StartRules = StartRules {
    tools: ToolDecision::Effects(EffectRules {
        actions: &[
            ("write", "edit"),
            ("patch", "edit"),
            ("apply_patch", "edit"),
            ("multiedit", "edit"),
            ("bash", "shell"),
            ("task", "subagent"),
        ],
        ..RULES
    }),
    inherits: inherits(&["todowrite", "subagent"]),
    spawning: SpawnRules {
        by: SpawnRight::Tool(&["subagent"]),
        ..SpawnRules::UNKNOWN
    },
    ..FIRST_LINE
};

/// The session of a subagent has rules of its own, behind those of the agent: edits that the
/// caller's definition denies (its plan mode is such a denial), all that its session denies, and
/// two tools that a subagent has only if its definition speaks of them.
const fn inherits(unless_named: &'static [&'static str]) -> Inheritance {
    Inheritance {
        denials: InheritedDenials::Appended {
            of_definition: &["edit"],
            whole: &["external_directory"],
            unless_named,
        },
        tools: InheritedTools::Own,
    }
}
