//! The words of harnesses whose definitions are not read here.
//!
//! Source: the documentation, the code or a run of each harness, as of November 2026. Names that a
//! harness takes in its definitions stand here, not those that only its model sees. A word that is
//! marked as read is another spelling that the harness takes too, or brings more than the one tool.

use crate::foreign_words::HarnessWords;
use crate::vocabulary::{ServerWords, Tool, ToolWord, Vocabulary};

/// A harness of which only the words for tools and models are known.
const fn words(
    title: &'static str,
    tools: &'static Vocabulary,
    models: &'static [&'static str],
) -> HarnessWords {
    HarnessWords {
        title,
        tools,
        models,
        modes: &[],
        mode_words: &[],
        agents: &[],
    }
}

/// Tools of servers that are called `server/tool`.
const WITH_SLASH: Option<ServerWords> = Some(ServerWords {
    prefix: "",
    between: "/",
    all: &["*"],
    single_is_told: true,
});

/// Tools of servers that are called `mcp__server__tool`.
const WITH_UNDERSCORES: Option<ServerWords> = Some(ServerWords {
    prefix: "mcp__",
    between: "__",
    all: &["*"],
    single_is_told: true,
});

pub(super) const GEMINI_CLI: HarnessWords = HarnessWords {
    mode_words: &["default", "auto_edit", "plan", "yolo"],
    ..words(
        "Gemini CLI",
        &Vocabulary {
            words: &[
                ToolWord::new("read_file", &[Tool::READ_FILE]),
                ToolWord::new("read_many_files", &[Tool::READ_FILE]),
                ToolWord::new("write_file", &[Tool::WRITE_FILE]),
                ToolWord::new("replace", &[Tool::EDIT_FILE]),
                ToolWord::new("run_shell_command", &[Tool::SHELL]),
                ToolWord::new("grep_search", &[Tool::GREP]),
                ToolWord::new("search_file_content", &[Tool::GREP]),
                ToolWord::new("glob", &[Tool::GLOB]),
                ToolWord::new("list_directory", &[Tool::LIST_DIR]),
                ToolWord::new("web_fetch", &[Tool::WEB_FETCH]),
                ToolWord::new("google_web_search", &[Tool::WEB_SEARCH]),
                ToolWord::new("write_todos", &[Tool::TODO]),
                ToolWord::read("tracker_create_task", &[Tool::TODO]),
                ToolWord::read("tracker_update_task", &[Tool::TODO]),
                ToolWord::read("tracker_get_task", &[Tool::TODO]),
                ToolWord::read("tracker_list_tasks", &[Tool::TODO]),
                ToolWord::new("invoke_agent", &[Tool::DELEGATE]),
                ToolWord::new("ask_user", &[Tool::ASK_USER]),
                ToolWord::new("activate_skill", &[Tool::SKILL]),
                ToolWord::new("enter_plan_mode", &[Tool::PLAN_MODE]),
                ToolWord::new("exit_plan_mode", &[Tool::PLAN_MODE]),
            ],
            own: &[],
            servers: Some(ServerWords {
                prefix: "mcp_",
                between: "_",
                all: &["*"],
                single_is_told: true,
            }),
        },
        &["inherit", "auto", "flash", "pro", "flash-lite"],
    )
};

pub(super) const QWEN_CODE: HarnessWords = HarnessWords {
    mode_words: &["plan", "default", "auto-edit", "yolo"],
    ..words(
        "Qwen Code",
        &Vocabulary {
            words: &[
                ToolWord::new("read_file", &[Tool::READ_FILE]),
                ToolWord::new("ReadFile", &[Tool::READ_FILE]),
                ToolWord::new("write_file", &[Tool::WRITE_FILE]),
                ToolWord::new("WriteFile", &[Tool::WRITE_FILE]),
                ToolWord::new("edit", &[Tool::EDIT_FILE]),
                ToolWord::read("Edit", &[Tool::EDIT_FILE]),
                ToolWord::read("replace", &[Tool::EDIT_FILE]),
                ToolWord::new("run_shell_command", &[Tool::SHELL]),
                ToolWord::new("Shell", &[Tool::SHELL]),
                ToolWord::new("grep_search", &[Tool::GREP]),
                ToolWord::new("SearchFiles", &[Tool::GREP]),
                ToolWord::read("Grep", &[Tool::GREP]),
                ToolWord::new("glob", &[Tool::GLOB]),
                ToolWord::new("FindFiles", &[Tool::GLOB]),
                ToolWord::read("Glob", &[Tool::GLOB]),
                ToolWord::new("list_directory", &[Tool::LIST_DIR]),
                ToolWord::new("ListFiles", &[Tool::LIST_DIR]),
                ToolWord::new("ReadFolder", &[Tool::LIST_DIR]),
                ToolWord::new("web_fetch", &[Tool::WEB_FETCH]),
                ToolWord::read("WebFetch", &[Tool::WEB_FETCH]),
                ToolWord::new("web_search", &[Tool::WEB_SEARCH]),
                ToolWord::read("WebSearch", &[Tool::WEB_SEARCH]),
                ToolWord::new("todo_write", &[Tool::TODO]),
                ToolWord::new("TodoList", &[Tool::TODO]),
                ToolWord::read("TodoWrite", &[Tool::TODO]),
                ToolWord::new("agent", &[Tool::DELEGATE]),
                ToolWord::read("Agent", &[Tool::DELEGATE]),
                ToolWord::read("Task", &[Tool::DELEGATE]),
                ToolWord::read("task", &[Tool::DELEGATE]),
                ToolWord::new("notebook_edit", &[Tool::NOTEBOOK_EDIT]),
                ToolWord::new("ask_user_question", &[Tool::ASK_USER]),
                ToolWord::read("AskUserQuestion", &[Tool::ASK_USER]),
                ToolWord::new("skill", &[Tool::SKILL]),
                ToolWord::read("Skill", &[Tool::SKILL]),
                ToolWord::new("enter_plan_mode", &[Tool::PLAN_MODE]),
                ToolWord::new("exit_plan_mode", &[Tool::PLAN_MODE]),
            ],
            own: &[],
            servers: WITH_UNDERSCORES,
        },
        &["inherit", "fast"],
    )
};

pub(super) const GITHUB_COPILOT: HarnessWords = words(
    "GitHub Copilot",
    &Vocabulary {
        words: &[
            ToolWord::new("view", &[Tool::READ_FILE, Tool::LIST_DIR]),
            ToolWord::read("read", &[Tool::READ_FILE]),
            ToolWord::read("Read", &[Tool::READ_FILE]),
            ToolWord::new("create", &[Tool::WRITE_FILE]),
            ToolWord::new("edit", &[Tool::EDIT_FILE, Tool::WRITE_FILE]),
            ToolWord::read("Edit", &[Tool::EDIT_FILE, Tool::WRITE_FILE]),
            ToolWord::read("Write", &[Tool::WRITE_FILE, Tool::EDIT_FILE]),
            ToolWord::new("bash", &[Tool::SHELL]),
            ToolWord::new("powershell", &[Tool::SHELL]),
            ToolWord::new("shell", &[Tool::SHELL]),
            ToolWord::new("execute", &[Tool::SHELL]),
            ToolWord::read("Bash", &[Tool::SHELL]),
            ToolWord::new("grep", &[Tool::GREP]),
            ToolWord::new("search", &[Tool::GREP, Tool::GLOB]),
            ToolWord::read("Grep", &[Tool::GREP]),
            ToolWord::new("glob", &[Tool::GLOB]),
            ToolWord::read("Glob", &[Tool::GLOB]),
            ToolWord::new("web_fetch", &[Tool::WEB_FETCH]),
            ToolWord::new("web", &[Tool::WEB_FETCH, Tool::WEB_SEARCH]),
            ToolWord::read("WebFetch", &[Tool::WEB_FETCH]),
            ToolWord::read("WebSearch", &[Tool::WEB_SEARCH]),
            ToolWord::new("update_todo", &[Tool::TODO]),
            ToolWord::new("todo", &[Tool::TODO]),
            ToolWord::read("TodoWrite", &[Tool::TODO]),
            ToolWord::new("task", &[Tool::DELEGATE]),
            ToolWord::new("agent", &[Tool::DELEGATE]),
            ToolWord::read("custom-agent", &[Tool::DELEGATE]),
            ToolWord::read("Task", &[Tool::DELEGATE]),
            ToolWord::read("NotebookEdit", &[Tool::NOTEBOOK_EDIT]),
            ToolWord::new("skill", &[Tool::SKILL]),
        ],
        own: &[],
        servers: WITH_SLASH,
    },
    &["auto"],
);

pub(super) const VS_CODE: HarnessWords = words(
    "VS Code",
    &Vocabulary {
        words: &[
            ToolWord::new("readFile", &[Tool::READ_FILE]),
            ToolWord::new("read/readFile", &[Tool::READ_FILE]),
            ToolWord::new("createFile", &[Tool::WRITE_FILE]),
            ToolWord::new("edit/createFile", &[Tool::WRITE_FILE]),
            ToolWord::new("editFiles", &[Tool::EDIT_FILE]),
            ToolWord::new("edit/editFiles", &[Tool::EDIT_FILE]),
            ToolWord::new("runCommands", &[Tool::SHELL]),
            ToolWord::new("runInTerminal", &[Tool::SHELL]),
            ToolWord::new("execute/runInTerminal", &[Tool::SHELL]),
            ToolWord::new("search", &[Tool::GREP, Tool::GLOB]),
            ToolWord::new("codebase", &[Tool::GREP]),
            ToolWord::new("search/codebase", &[Tool::GREP]),
            ToolWord::new("textSearch", &[Tool::GREP]),
            ToolWord::new("search/textSearch", &[Tool::GREP]),
            ToolWord::new("fileSearch", &[Tool::GLOB]),
            ToolWord::new("search/fileSearch", &[Tool::GLOB]),
            ToolWord::new("listDirectory", &[Tool::LIST_DIR]),
            ToolWord::new("search/listDirectory", &[Tool::LIST_DIR]),
            ToolWord::new("fetch", &[Tool::WEB_FETCH]),
            ToolWord::new("web/fetch", &[Tool::WEB_FETCH]),
            ToolWord::read("web", &[Tool::WEB_FETCH]),
            ToolWord::new("todos", &[Tool::TODO]),
            ToolWord::new("todo", &[Tool::TODO]),
            ToolWord::new("runSubagent", &[Tool::DELEGATE]),
            ToolWord::new("agent/runSubagent", &[Tool::DELEGATE]),
            ToolWord::read("agent", &[Tool::DELEGATE]),
            ToolWord::new("edit/editNotebook", &[Tool::NOTEBOOK_EDIT]),
            ToolWord::new("browser", &[Tool::BROWSER]),
            ToolWord::new("vscode/askQuestions", &[Tool::ASK_USER]),
        ],
        own: &[
            "edit",
            "execute",
            "githubRepo",
            "findTestFiles",
            "problems",
            "read",
            "searchResults",
            "runTests",
            "changes",
            "usages",
        ],
        servers: WITH_SLASH,
    },
    &[],
);

pub(super) const FACTORY_DROID: HarnessWords = words(
    "Factory Droid",
    &Vocabulary {
        words: &[
            ToolWord::new("Read", &[Tool::READ_FILE]),
            ToolWord::new("Create", &[Tool::WRITE_FILE]),
            ToolWord::new("Edit", &[Tool::EDIT_FILE]),
            ToolWord::new("ApplyPatch", &[Tool::EDIT_FILE]),
            ToolWord::new("Execute", &[Tool::SHELL]),
            ToolWord::new("Grep", &[Tool::GREP]),
            ToolWord::new("Glob", &[Tool::GLOB]),
            ToolWord::new("LS", &[Tool::LIST_DIR]),
            ToolWord::new("FetchUrl", &[Tool::WEB_FETCH]),
            ToolWord::new("WebSearch", &[Tool::WEB_SEARCH]),
            ToolWord::new("TodoWrite", &[Tool::TODO]),
            ToolWord::new("Task", &[Tool::DELEGATE]),
            ToolWord::new("AskUser", &[Tool::ASK_USER]),
            ToolWord::new("Skill", &[Tool::SKILL]),
            ToolWord::new("ExitSpecMode", &[Tool::PLAN_MODE]),
        ],
        own: &[],
        servers: None,
    },
    &["inherit"],
);

pub(super) const KIMI_CODE: HarnessWords = words(
    "Kimi Code",
    &Vocabulary {
        words: &[
            ToolWord::new("Read", &[Tool::READ_FILE]),
            ToolWord::new("Write", &[Tool::WRITE_FILE]),
            ToolWord::new("Edit", &[Tool::EDIT_FILE]),
            ToolWord::new("Bash", &[Tool::SHELL]),
            ToolWord::new("Grep", &[Tool::GREP]),
            ToolWord::new("Glob", &[Tool::GLOB]),
            ToolWord::new("FetchURL", &[Tool::WEB_FETCH]),
            ToolWord::new("SearchWeb", &[Tool::WEB_SEARCH]),
            ToolWord::new("TodoList", &[Tool::TODO]),
            ToolWord::new("Agent", &[Tool::DELEGATE]),
            ToolWord::new("AgentSwarm", &[Tool::DELEGATE]),
            ToolWord::new("AskUserQuestion", &[Tool::ASK_USER]),
            ToolWord::new("Skill", &[Tool::SKILL]),
            ToolWord::new("EnterPlanMode", &[Tool::PLAN_MODE]),
            ToolWord::new("ExitPlanMode", &[Tool::PLAN_MODE]),
        ],
        own: &[],
        servers: WITH_UNDERSCORES,
    },
    &[],
);

pub(super) const CLINE: HarnessWords = words(
    "Cline",
    &Vocabulary {
        words: &[
            ToolWord::new("read_file", &[Tool::READ_FILE]),
            ToolWord::new("write_to_file", &[Tool::WRITE_FILE]),
            ToolWord::new("replace_in_file", &[Tool::EDIT_FILE]),
            ToolWord::read("apply_patch", &[Tool::EDIT_FILE]),
            ToolWord::new("execute_command", &[Tool::SHELL]),
            ToolWord::new("search_files", &[Tool::GREP]),
            ToolWord::new("list_files", &[Tool::LIST_DIR]),
            ToolWord::new("web_fetch", &[Tool::WEB_FETCH]),
            ToolWord::new("web_search", &[Tool::WEB_SEARCH]),
            ToolWord::new("focus_chain", &[Tool::TODO]),
            ToolWord::new("use_subagents", &[Tool::DELEGATE]),
            ToolWord::new("new_task", &[Tool::DELEGATE]),
            ToolWord::new("browser_action", &[Tool::BROWSER]),
            ToolWord::new("ask_followup_question", &[Tool::ASK_USER]),
            ToolWord::new("use_skill", &[Tool::SKILL]),
        ],
        own: &[],
        servers: None,
    },
    &[],
);

pub(super) const MISTRAL_VIBE: HarnessWords = words(
    "Mistral Vibe",
    &Vocabulary {
        words: &[
            ToolWord::new("read", &[Tool::READ_FILE]),
            ToolWord::new("write_file", &[Tool::WRITE_FILE]),
            ToolWord::new("edit", &[Tool::EDIT_FILE]),
            ToolWord::new("bash", &[Tool::SHELL]),
            ToolWord::new("grep", &[Tool::GREP]),
            ToolWord::new("webfetch", &[Tool::WEB_FETCH]),
            ToolWord::new("websearch", &[Tool::WEB_SEARCH]),
            ToolWord::new("todo", &[Tool::TODO]),
            ToolWord::new("task", &[Tool::DELEGATE]),
            ToolWord::new("ask_user_question", &[Tool::ASK_USER]),
            ToolWord::new("skill", &[Tool::SKILL]),
            ToolWord::new("exit_plan_mode", &[Tool::PLAN_MODE]),
        ],
        own: &[],
        servers: None,
    },
    &[],
);

pub(super) const ANTIGRAVITY: HarnessWords = words(
    "Antigravity",
    &Vocabulary {
        words: &[
            ToolWord::new("view_file", &[Tool::READ_FILE]),
            ToolWord::new("write_to_file", &[Tool::WRITE_FILE]),
            ToolWord::new("replace_file_content", &[Tool::EDIT_FILE]),
            ToolWord::new("run_command", &[Tool::SHELL]),
            ToolWord::new("grep_search", &[Tool::GREP]),
            ToolWord::new("find_by_name", &[Tool::GLOB]),
            ToolWord::new("list_dir", &[Tool::LIST_DIR]),
        ],
        own: &[],
        servers: None,
    },
    &["inherit", "pro", "flash"],
);

/// Its definitions name no tools.
pub(super) const CODEX: HarnessWords = HarnessWords {
    mode_words: &[
        "untrusted",
        "on-failure",
        "on-request",
        "never",
        "read-only",
        "workspace-write",
        "danger-full-access",
    ],
    ..words(
        "Codex",
        &Vocabulary {
            words: &[],
            own: &[],
            servers: None,
        },
        &[],
    )
};

/// Its modes grant groups of tools.
pub(super) const ROO_CODE: HarnessWords = words(
    "Roo Code",
    &Vocabulary {
        words: &[
            ToolWord::read("read", &[Tool::READ_FILE, Tool::GREP, Tool::LIST_DIR]),
            ToolWord::read("edit", &[Tool::WRITE_FILE, Tool::EDIT_FILE]),
            ToolWord::new("command", &[Tool::SHELL]),
            ToolWord::new("modes", &[Tool::DELEGATE]),
        ],
        own: &[],
        servers: None,
    },
    &[],
);
