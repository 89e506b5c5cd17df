//! What Claude Code makes of a definition when it starts the agent as a subagent.
//!
//! Source: its documentation on subagents, errors and model configuration, and its changelog, read
//! and not run; what lists of tools mean was seen by running it (cases `parse/tl-*`, `parse/dt-*`).
//! How deep subagents may start others is not published.

use crate::dialect::{
    InheritInVariable, ListRules, ModeRules, ModelFrom, NeverTool, ServerEntries, SpawnRight,
    SpawnRules, StartRules, ToolDecision, UnknownTool,
};

pub(super) const CURRENT: StartRules = StartRules {
    tools: ToolDecision::Lists(LISTS),
    model_from: MODEL_FROM,
    // The variable of a family says which of its versions is meant.
    word_variables: &[
        ("opus", "ANTHROPIC_DEFAULT_OPUS_MODEL"),
        ("sonnet", "ANTHROPIC_DEFAULT_SONNET_MODEL"),
        ("haiku", "ANTHROPIC_DEFAULT_HAIKU_MODEL"),
        ("fable", "ANTHROPIC_DEFAULT_FABLE_MODEL"),
    ],
    modes: Some(ModeRules {
        parent_wins: PARENT_WINS,
        may_be_forbidden: &["bypassPermissions"],
        aliases: &[("manual", "default")],
    }),
    spawning: SpawnRules {
        by: SpawnRight::Tool(&["Agent", "Task"]),
        only_in_parentheses: true,
        ..SpawnRules::UNKNOWN
    },
    ..StartRules::PLAIN
};

/// As it was in 2.1.197: a list of which nothing is left started an agent without tools (changed in
/// 2.1.208), `manual` was no mode (2.1.200), and nobody could forbid one (2.1.223).
pub(super) const OLD: StartRules = StartRules {
    tools: ToolDecision::Lists(ListRules {
        unknown: UnknownTool::LeftOut,
        ..LISTS
    }),
    modes: Some(ModeRules {
        parent_wins: PARENT_WINS,
        may_be_forbidden: &[],
        aliases: &[],
    }),
    ..CURRENT
};

/// As it was before 2.1.196: `inherit` in the variable gave every agent the model of the session.
pub(super) const OLDEST: StartRules = StartRules {
    model_from: &[
        ModelFrom::Variable {
            name: MODEL_VARIABLE,
            inherit: InheritInVariable::Forces,
        },
        ModelFrom::Call,
        ModelFrom::Definition,
    ],
    ..OLD
};

const LISTS: ListRules = ListRules {
    unknown: UnknownTool::LeftOutUnlessNothingIsLeft,
    servers: Some(ServerEntries {
        prefix: "mcp__",
        separator: "__",
        all_may_be_allowed: false,
    }),
    never: NEVER,
    ..ListRules::PLAIN
};

/// The tools that no subagent gets, whatever its list says.
const NEVER: &[NeverTool] = &[
    never("AskUserQuestion"),
    never("EndConversation"),
    never("EnterPlanMode"),
    NeverTool {
        unless_mode: Some("plan"),
        ..never("ExitPlanMode")
    },
    never("ScheduleWakeup"),
    never("TaskOutput"),
    never("WaitForMcpServers"),
    never("Workflow"),
];

const fn never(tool: &'static str) -> NeverTool {
    NeverTool {
        tool,
        unless_mode: None,
    }
}

const MODEL_VARIABLE: &str = "CLAUDE_CODE_SUBAGENT_MODEL";

const MODEL_FROM: &[ModelFrom] = &[
    ModelFrom::Variable {
        name: MODEL_VARIABLE,
        inherit: InheritInVariable::Unset,
    },
    ModelFrom::Call,
    ModelFrom::Definition,
];

const PARENT_WINS: &[&str] = &["bypassPermissions", "acceptEdits", "auto"];
