//! How AgentScope's declarations are written, and its words for tools.

use super::{ENABLE_PENDING_TOOL_RECOVERY, EXPOSE_TO_USER, VARIANT};
use crate::definition::FieldName;
use crate::vocabulary::{Tool, ToolWord, Vocabulary};
use crate::writing::{
    AccessRules, Effect, FileForm, KeptKeys, ListRules, ModelForm, ModelWord, NameForm, NameStands,
    NoTools, Shape, WritingRules, WrittenField,
};

pub(super) static WRITING: WritingRules = WritingRules {
    form: FORM,
    names: NameForm {
        stands: NameStands::Path,
        allows: is_good_name,
        allowed: ALLOWED,
        lower_case: false,
    },
    fields: FIELDS,
    derived: &[FieldName::NAME],
    unknown: KeptKeys::Nothing,
    models: MODELS,
    access: ACCESS,
    hooks: None,
    servers: None,
};

/// The first generation, whose header names the agent.
pub(super) static NAMED_BY_HEADER: WritingRules = WritingRules {
    form: FORM,
    names: NameForm {
        stands: NameStands::Key,
        allows: is_good_name,
        allowed: ALLOWED,
        lower_case: false,
    },
    fields: &with_name(),
    derived: &[],
    unknown: KeptKeys::Nothing,
    models: MODELS,
    access: ACCESS,
    hooks: None,
    servers: None,
};

const FORM: FileForm = FileForm::YamlHeader {
    folder: ".agentscope/workspace/subagents",
};

/// The name is a part of the paths of what the agent leaves behind.
fn is_good_name(name: &str) -> bool {
    !name.trim().is_empty()
        && name == name.trim()
        && !name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|'])
        && !name.chars().any(char::is_control)
        && !name.starts_with('.')
}

const ALLOWED: &str = "what can be the name of a file";

const FIELDS: &[WrittenField] = &[
    WrittenField::new(FieldName::DESCRIPTION, "description"),
    WrittenField::new(FieldName::MODEL, "model"),
    WrittenField::new(VARIANT, "variant"),
    WrittenField::new(FieldName::SKILLS, "skills").shaped(Shape::List),
    WrittenField::new(FieldName::MODE, "mode")
        .words(MODES)
        .only(),
    WrittenField::new(FieldName::HIDDEN, "hidden"),
    WrittenField::new(FieldName::MAX_TURNS, "steps"),
    WrittenField::new(FieldName::TEMPERATURE, "temperature"),
    WrittenField::new(FieldName::TOP_P, "top_p"),
    WrittenField::new(EXPOSE_TO_USER, "expose_to_user"),
    WrittenField::new(ENABLE_PENDING_TOOL_RECOVERY, "enable_pending_tool_recovery"),
    WrittenField::new(FieldName::WORKSPACE, "workspace"),
];

const fn with_name() -> [WrittenField; FIELDS.len() + 1] {
    let mut all = [WrittenField::new(FieldName::NAME, "name"); FIELDS.len() + 1];
    let mut index = 0;
    while index < FIELDS.len() {
        all[index + 1] = FIELDS[index];
        index += 1;
    }
    all
}

/// The words are held in capital letters once they are read.
const MODES: &[(&str, &str)] = &[
    ("subagent", "subagent"),
    ("primary", "primary"),
    ("all", "all"),
];

/// Without a model, or with one that the registry does not have, the parent's counts.
const MODELS: ModelForm = ModelForm {
    inherit: None,
    names: ModelWord::Stored,
    families: &[],
    variant: None,
};

const ACCESS: AccessRules = AccessRules {
    vocabulary: &VOCABULARY,
    lists: Some(ListRules {
        allow: ("tools", Shape::List),
        deny: None,
        unset: Effect::Allow,
        none: NoTools::CannotBeSaid,
        all: None,
        beside: None,
        with_rules: false,
        further: None,
    }),
    effects: None,
    modes: &[],
    mode: None,
    // A list chooses among the tools of the application; these are registered on every child
    // afterwards.
    delegates: None,
    always: &[
        Tool::READ_FILE,
        Tool::WRITE_FILE,
        Tool::EDIT_FILE,
        Tool::LIST_DIR,
        Tool::GREP,
        Tool::GLOB,
        Tool::SHELL,
        Tool::WEB_FETCH,
        Tool::TODO,
    ],
    // A child is a leaf, without the tools that start others.
    never: &[Tool::DELEGATE],
    adding: None,
    fields: &[FieldName::TOOLS],
};

pub(in crate::dialects) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        ToolWord::new("read_file", &[Tool::READ_FILE]),
        ToolWord::new("write_file", &[Tool::WRITE_FILE]),
        ToolWord::new("edit_file", &[Tool::EDIT_FILE]),
        ToolWord::new("execute", &[Tool::SHELL]),
        ToolWord::new("grep_files", &[Tool::GREP]),
        ToolWord::new("glob_files", &[Tool::GLOB]),
        ToolWord::new("list_files", &[Tool::LIST_DIR]),
        ToolWord::new("fetch_url", &[Tool::WEB_FETCH]),
        ToolWord::new("todo_write", &[Tool::TODO]),
        ToolWord::read("agent_spawn", &[Tool::DELEGATE]),
        ToolWord::read("multi_edit", &[Tool::EDIT_FILE]),
        ToolWord::read("view_text_file", &[Tool::READ_FILE]),
        ToolWord::read("write_text_file", &[Tool::WRITE_FILE]),
        ToolWord::read("insert_text_file", &[Tool::EDIT_FILE]),
    ],
    own: &[],
    servers: None,
};
