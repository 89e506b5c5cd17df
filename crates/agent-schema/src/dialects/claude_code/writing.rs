//! How Claude Code's definitions are written, and its words for tools.

use super::fields::{BACKGROUND, EFFORT, INITIAL_PROMPT, ISOLATION, MEMORY, OMIT_CLAUDE_MD};
use crate::definition::FieldName;
use crate::vocabulary::{ServerWords, Tool, ToolWord, Vocabulary};
use crate::writing::{
    AccessRules, Effect, FileForm, HookWords, KeptKeys, ListRules, ModeWord, ModelForm, ModelWord,
    NameForm, NameStands, NoTools, ServerForm, Shape, VariantForm, WritingRules, WrittenField,
};

pub(super) static WRITING: WritingRules = WritingRules {
    form: FileForm::YamlHeader {
        folder: ".claude/agents",
    },
    names: NameForm {
        stands: NameStands::Key,
        allows: |name| {
            !name.is_empty()
                && !name.contains([':', '\u{ff1a}', '\u{fe55}'])
                && !name.starts_with('-')
                && name.encode_utf16().count() <= 256
        },
        allowed: "at most 256 characters without a colon and without a hyphen at the start",
        lower_case: false,
    },
    fields: &[
        WrittenField::new(FieldName::NAME, "name"),
        WrittenField::new(FieldName::DESCRIPTION, "description"),
        WrittenField::new(FieldName::MODEL, "model"),
        WrittenField::new(FieldName::MAX_TURNS, "maxTurns"),
        WrittenField::new(FieldName::SKILLS, "skills").shaped(Shape::List),
        WrittenField::new(FieldName::MCP_SERVERS, "mcpServers").shaped(Shape::Servers),
        WrittenField::new(FieldName::HOOKS, "hooks").shaped(Shape::Hooks),
        WrittenField::new(MEMORY, "memory"),
        WrittenField::new(BACKGROUND, "background"),
        WrittenField::new(EFFORT, "effort"),
        WrittenField::new(ISOLATION, "isolation"),
        WrittenField::new(FieldName::COLOR, "color")
            .words(COLORS)
            .only(),
        WrittenField::new(INITIAL_PROMPT, "initialPrompt"),
        WrittenField::new(OMIT_CLAUDE_MD, "omitClaudeMd"),
    ],
    derived: &[],
    unknown: KeptKeys::Nothing,
    models: ModelForm {
        inherit: Some("inherit"),
        names: ModelWord::OfProvider {
            provider: MAKER,
            prefix: "claude-",
        },
        families: MODEL_WORDS,
        variant: Some(LONG_CONTEXT),
    },
    access: AccessRules {
        vocabulary: &VOCABULARY,
        lists: Some(ListRules {
            allow: ("tools", Shape::CommaText),
            deny: Some(("disallowedTools", Shape::CommaText)),
            unset: Effect::Allow,
            none: NoTools::EmptyList,
            all: Some("*"),
            beside: None,
            with_rules: true,
            further: None,
        }),
        effects: None,
        modes: MODES,
        mode: Some((FieldName::PERMISSION_MODE, "permissionMode")),
        delegates: None,
        always: &[],
        never: &[],
        adding: Some((
            MEMORY,
            &[Tool::READ_FILE, Tool::WRITE_FILE, Tool::EDIT_FILE],
        )),
        fields: &[
            FieldName::TOOLS,
            FieldName::DISALLOWED_TOOLS,
            FieldName::PERMISSION_MODE,
        ],
    },
    hooks: Some(HookWords {
        guarding: &["PreToolUse", "PermissionRequest"],
    }),
    servers: Some(ServerForm {
        list: true,
        keys: &[
            ("transport", "type"),
            ("command", "command"),
            ("args", "args"),
            ("env", "env"),
            ("url", "url"),
            ("headers", "headers"),
        ],
        transports: &[("stdio", "stdio"), ("http", "http"), ("sse", "sse")],
    }),
};

const COLORS: &[(&str, &str)] = &[
    ("red", "red"),
    ("blue", "blue"),
    ("green", "green"),
    ("yellow", "yellow"),
    ("purple", "purple"),
    ("orange", "orange"),
    ("pink", "pink"),
    ("cyan", "cyan"),
];

/// What the documentation says of each mode: reading is never asked about inside the project.
/// Its words for models, none of which is the name of one. What they stand for is in `tools`.
pub(in crate::dialects) const MODEL_WORDS: &[&str] = &[
    "inherit",
    "sonnet",
    "opus",
    "haiku",
    "fable",
    "best",
    "opusplan",
    "sonnet[1m]",
    "opus[1m]",
    "haiku[1m]",
    "fable[1m]",
];

/// Words for families of models, of which the newest one is meant.
pub(in crate::dialects) const FAMILIES: &[&str] = &["sonnet", "opus", "haiku", "fable"];

/// Who makes all its models.
pub(super) const MAKER: &str = "anthropic";

/// `claude-sonnet-4-5[1m]`: the model with its long context.
const LONG_CONTEXT: VariantForm = VariantForm {
    open: "[",
    close: "]",
    words: &["1m"],
};

pub(in crate::dialects) const MODES: &[ModeWord] = &[
    ModeWord {
        word: "default",
        tools: READING,
        others: Effect::Ask,
    },
    ModeWord {
        word: "acceptEdits",
        tools: &[
            (Tool::READ_FILE, Effect::Allow),
            (Tool::GREP, Effect::Allow),
            (Tool::GLOB, Effect::Allow),
            (Tool::LIST_DIR, Effect::Allow),
            (Tool::TODO, Effect::Allow),
            (Tool::DELEGATE, Effect::Allow),
            (Tool::SKILL, Effect::Allow),
            (Tool::WRITE_FILE, Effect::NeverAsk),
            (Tool::EDIT_FILE, Effect::NeverAsk),
            (Tool::NOTEBOOK_EDIT, Effect::NeverAsk),
        ],
        others: Effect::Ask,
    },
    ModeWord {
        word: "auto",
        tools: READING,
        others: Effect::AskIfRisky,
    },
    ModeWord {
        word: "plan",
        tools: &[
            (Tool::READ_FILE, Effect::Allow),
            (Tool::GREP, Effect::Allow),
            (Tool::GLOB, Effect::Allow),
            (Tool::LIST_DIR, Effect::Allow),
            (Tool::TODO, Effect::Allow),
            (Tool::DELEGATE, Effect::Allow),
            (Tool::SKILL, Effect::Allow),
            (Tool::WRITE_FILE, Effect::Deny),
            (Tool::EDIT_FILE, Effect::Deny),
            (Tool::NOTEBOOK_EDIT, Effect::Deny),
        ],
        others: Effect::Ask,
    },
    ModeWord {
        word: "dontAsk",
        tools: READING,
        others: Effect::Deny,
    },
    ModeWord {
        word: "bypassPermissions",
        tools: &[],
        others: Effect::NeverAsk,
    },
];

const READING: &[(Tool, Effect)] = &[
    (Tool::READ_FILE, Effect::Allow),
    (Tool::GREP, Effect::Allow),
    (Tool::GLOB, Effect::Allow),
    (Tool::LIST_DIR, Effect::Allow),
    (Tool::TODO, Effect::Allow),
    (Tool::DELEGATE, Effect::Allow),
    (Tool::SKILL, Effect::Allow),
];

/// Names that are only read lead to nothing in this version, or never reach a subagent.
pub(in crate::dialects) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        ToolWord::new("Read", &[Tool::READ_FILE]),
        ToolWord::new("Write", &[Tool::WRITE_FILE]),
        ToolWord::new("Edit", &[Tool::EDIT_FILE]),
        ToolWord::new("NotebookEdit", &[Tool::NOTEBOOK_EDIT]),
        ToolWord::new("Bash", &[Tool::SHELL]),
        ToolWord::new("Grep", &[Tool::GREP]),
        ToolWord::new("Glob", &[Tool::GLOB]),
        ToolWord::new("WebFetch", &[Tool::WEB_FETCH]),
        ToolWord::new("WebSearch", &[Tool::WEB_SEARCH]),
        ToolWord::new("TaskCreate", &[Tool::TODO]),
        ToolWord::new("TaskUpdate", &[Tool::TODO]),
        ToolWord::new("TaskList", &[Tool::TODO]),
        ToolWord::new("TaskGet", &[Tool::TODO]),
        ToolWord::new("Agent", &[Tool::DELEGATE]),
        ToolWord::new("Skill", &[Tool::SKILL]),
        ToolWord::read("Task", &[Tool::DELEGATE]),
        ToolWord::beside("PowerShell", &[Tool::SHELL]),
        ToolWord::former("MultiEdit", &[Tool::EDIT_FILE]),
        ToolWord::former("NotebookRead", &[Tool::READ_FILE]),
        ToolWord::former("LS", &[Tool::LIST_DIR]),
        ToolWord::former("TodoWrite", &[Tool::TODO]),
        ToolWord::former("TodoRead", &[Tool::TODO]),
        ToolWord::former("BashOutput", &[]),
        ToolWord::former("KillBash", &[]),
        ToolWord::former("SlashCommand", &[]),
        ToolWord::read("AskUserQuestion", &[Tool::ASK_USER]),
        ToolWord::read("EnterPlanMode", &[Tool::PLAN_MODE]),
        ToolWord::read("ExitPlanMode", &[Tool::PLAN_MODE]),
    ],
    own: &[
        "CronCreate",
        "CronDelete",
        "CronList",
        "EndConversation",
        "EnterWorktree",
        "ExitWorktree",
        "KillShell",
        "LSP",
        "ListAgents",
        "ListMcpResourcesTool",
        "Monitor",
        "PushNotification",
        "ReadMcpResourceTool",
        "RemoteTrigger",
        "ReportFindings",
        "ScheduleWakeup",
        "SendMessage",
        "TaskOutput",
        "TaskStop",
        "TeamCreate",
        "TeamDelete",
        "ToolSearch",
        "WaitForMcpServers",
        "Workflow",
    ],
    servers: Some(ServerWords {
        prefix: "mcp__",
        between: "__",
        all: &["", "*"],
        single_is_told: true,
    }),
};
