//! What OpenCode makes of an agent when it starts it.
//!
//! Source: its `agent.ts`, `permission/index.ts` and `session/prompt.ts`, read; the default rules
//! were seen by running 1.18.34. Those rules also allow the harness's own folders outside the
//! project, which are left out here: they depend on the machine and concern no tool as a whole.

use crate::dialect::{EffectRules, PromptUse, SpawnRight, SpawnRules, StartRules, ToolDecision};

use super::fields::PERMISSION_RULES;

pub(super) const FIRST_LINE: StartRules = StartRules {
    tools: ToolDecision::Effects(EffectRules {
        field: PERMISSION_RULES,
        defaults: &[
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
        ],
        actions: &[
            ("write", "edit"),
            ("patch", "edit"),
            ("apply_patch", "edit"),
            ("multiedit", "edit"),
        ],
        deny: "deny",
    }),
    spawning: SpawnRules {
        by: SpawnRight::Tool(&["task"]),
        ..SpawnRules::UNKNOWN
    },
    prompt: PromptUse::Replaces,
    ..StartRules::PLAIN
};

/// The second line calls two of the tools otherwise.
pub(super) const SECOND_LINE: StartRules = StartRules {
    spawning: SpawnRules {
        by: SpawnRight::Tool(&["subagent"]),
        ..SpawnRules::UNKNOWN
    },
    ..FIRST_LINE
};
