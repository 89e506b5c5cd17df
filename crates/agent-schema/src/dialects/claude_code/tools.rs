//! Claude Code's tools, and what its model words stand for.
//!
//! Observed in 2.1.332 on the main thread under `-p` (cases `parse/tl-*`, `parse/dt-*`,
//! `parse/me-*` and `parse/md-*`; the README beside them lists the default set). The names that a
//! main agent never gets are from the documentation.

use super::fields::MEMORY;
use crate::tool_rules::{AddedTools, ModelWords, Retired, ToolRules};

pub(super) static TOOLS: ToolRules = ToolRules {
    // `Task` is what the program calls the tool `Agent` in its output.
    default: &[
        "Task",
        "Bash",
        "CronCreate",
        "CronDelete",
        "CronList",
        "Edit",
        "EnterWorktree",
        "ExitWorktree",
        "ListAgents",
        "Monitor",
        "NotebookEdit",
        "Read",
        "ReportFindings",
        "ScheduleWakeup",
        "SendMessage",
        "Skill",
        "TaskStop",
        "ToolSearch",
        "WebFetch",
        "WebSearch",
        "Workflow",
        "Write",
    ],
    further: &["Grep", "Glob"],
    not_for_main: &[
        "AskUserQuestion",
        "EndConversation",
        "EnterPlanMode",
        "ExitPlanMode",
        "LSP",
        "ListMcpResourcesTool",
        "PowerShell",
        "PushNotification",
        "ReadMcpResourceTool",
        "RemoteTrigger",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskOutput",
        "TaskUpdate",
        "TeamCreate",
        "TeamDelete",
        "WaitForMcpServers",
    ],
    aliases: &[("Agent", "Task"), ("KillShell", "TaskStop")],
    // `TaskOutput` does the work of `BashOutput`, but no agent that another one calls has it.
    retired: &[
        retired("LS", Some("Glob")),
        retired("MultiEdit", Some("Edit")),
        retired("NotebookRead", Some("Read")),
        retired("BashOutput", None),
        retired("TodoWrite", Some("TaskCreate")),
        retired("KillBash", Some("TaskStop")),
    ],
    left_out_beside: &[("Bash", "Grep"), ("Bash", "Glob")],
    denied_along: &[("Bash", "Monitor")],
    adding: Some(AddedTools {
        field: MEMORY,
        tools: &["Write", "Edit", "Read"],
    }),
};

const fn retired(name: &'static str, now: Option<&'static str>) -> Retired {
    Retired { name, now }
}

pub(super) static MODELS: ModelWords = ModelWords {
    session: "claude-opus-5-5",
    words: &[
        ("inherit", "claude-opus-5-5"),
        ("opus", "claude-opus-5-5"),
        ("best", "claude-opus-5-5"),
        ("opusplan", "claude-sonnet-5-5"),
        ("sonnet", "claude-sonnet-5-5"),
        ("haiku", "claude-haiku-5-5"),
    ],
    suffixes: &["[1m]"],
};
