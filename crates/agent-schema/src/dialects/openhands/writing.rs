//! How OpenHands's definitions are written, and its words for tools.
//!
//! The names of the tools are those of their classes in the SDK (`openhands-tools` 1.58.2).

use crate::definition::FieldName;
use crate::vocabulary::{Tool, ToolWord, Vocabulary};
use crate::writing::{
    AccessRules, Effect, FileForm, HookWords, KeptKeys, ListRules, ModeWord, ModelForm, ModelWord,
    NameForm, NameStands, NoTools, ServerForm, Shape, WritingRules, WrittenField,
};

pub(super) static WRITING: WritingRules = WritingRules {
    form: FileForm::YamlHeader {
        folder: ".openhands/agents",
    },
    names: NameForm {
        stands: NameStands::Key,
        allows: |name| !name.is_empty(),
        allowed: "any text",
        lower_case: false,
    },
    fields: &[
        WrittenField::new(FieldName::NAME, "name"),
        WrittenField::new(FieldName::DESCRIPTION, "description"),
        WrittenField::new(FieldName::MODEL, "model"),
        WrittenField::new(FieldName::SKILLS, "skills").shaped(Shape::List),
        WrittenField::new(FieldName::COLOR, "color"),
        WrittenField::new(FieldName::MAX_TURNS, "max_iteration_per_run"),
        WrittenField::new(FieldName::MAX_BUDGET_USD, "max_budget_per_run"),
        WrittenField::new(FieldName::PROFILE_STORE_DIR, "profile_store_dir"),
        WrittenField::new(FieldName::MCP_SERVERS, "mcp_config").shaped(Shape::Servers),
        WrittenField::new(FieldName::HOOKS, "hooks").shaped(Shape::Hooks),
        WrittenField::new(FieldName::CONDENSER, "condenser"),
    ],
    derived: &[FieldName::EXAMPLES],
    unknown: KeptKeys::Notes,
    models: ModelForm {
        inherit: Some("inherit"),
        names: ModelWord::Stored,
        families: &[],
        variant: None,
    },
    access: AccessRules {
        vocabulary: &VOCABULARY,
        lists: Some(ListRules {
            allow: ("tools", Shape::List),
            deny: None,
            unset: Effect::Deny,
            none: NoTools::EmptyList,
            all: None,
            beside: None,
            with_rules: false,
            further: None,
        }),
        effects: None,
        modes: MODES,
        mode: Some((FieldName::PERMISSION_MODE, "permission_mode")),
        delegates: None,
        always: &[],
        never: &[],
        adding: None,
        fields: &[FieldName::TOOLS, FieldName::PERMISSION_MODE],
    },
    hooks: Some(HookWords {
        guarding: &["pre_tool_use"],
    }),
    servers: Some(ServerForm {
        list: false,
        keys: &[
            ("transport", "transport"),
            ("command", "command"),
            ("args", "args"),
            ("env", "env"),
            ("url", "url"),
            ("headers", "headers"),
            ("cwd", "cwd"),
            ("timeout", "timeout"),
        ],
        transports: &[("stdio", "stdio"), ("http", "http"), ("sse", "sse")],
    }),
};

pub(in crate::dialects) const MODES: &[ModeWord] = &[
    ModeWord {
        word: "always_confirm",
        tools: &[],
        others: Effect::Ask,
    },
    ModeWord {
        word: "confirm_risky",
        tools: HARMLESS,
        others: Effect::AskIfRisky,
    },
    ModeWord {
        word: "never_confirm",
        tools: &[],
        others: Effect::NeverAsk,
    },
];

/// What only reads is of low risk to the harness, and never asked about in this mode.
const HARMLESS: &[(Tool, Effect)] = &[
    (Tool::READ_FILE, Effect::Allow),
    (Tool::GREP, Effect::Allow),
    (Tool::GLOB, Effect::Allow),
    (Tool::LIST_DIR, Effect::Allow),
    (Tool::TODO, Effect::Allow),
    (Tool::SKILL, Effect::Allow),
];

/// `file_editor` stands first, because it is the one tool that the others of its kind are parts of.
pub(in crate::dialects) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        ToolWord::new("terminal", &[Tool::SHELL]),
        ToolWord::new(
            "file_editor",
            &[Tool::READ_FILE, Tool::WRITE_FILE, Tool::EDIT_FILE],
        ),
        ToolWord::new("read_file", &[Tool::READ_FILE]),
        ToolWord::new("write_file", &[Tool::WRITE_FILE]),
        ToolWord::new("edit", &[Tool::EDIT_FILE]),
        ToolWord::new("list_directory", &[Tool::LIST_DIR]),
        ToolWord::new("grep", &[Tool::GREP]),
        ToolWord::new("glob", &[Tool::GLOB]),
        ToolWord::new("task_tracker", &[Tool::TODO]),
        ToolWord::new("task_tool_set", &[Tool::DELEGATE]),
        ToolWord::new("browser_tool_set", &[Tool::BROWSER]),
        ToolWord::new("invoke_skill", &[Tool::SKILL]),
        ToolWord::read("task", &[Tool::DELEGATE]),
        ToolWord::read("delegate", &[Tool::DELEGATE]),
        ToolWord::read("apply_patch", &[Tool::WRITE_FILE, Tool::EDIT_FILE]),
        ToolWord::read("planning_file_editor", &[Tool::READ_FILE, Tool::EDIT_FILE]),
    ],
    own: &["finish", "think"],
    servers: None,
};
