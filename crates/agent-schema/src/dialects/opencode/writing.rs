//! How OpenCode's definitions are written, and its words for tools.

use super::fields::{MODEL_RESOLVED, PERMISSION_RULES, VARIANT};
use crate::definition::{Definition, FieldName};
use crate::value::Node;
use crate::vocabulary::{ServerWords, Tool, ToolWord, Vocabulary};
use crate::writing::{
    AccessRules, EffectForm, EffectRule, EffectRules, FileForm, KeptKeys, ModelForm, ModelWord,
    NameForm, NameStands, WritingRules, WrittenField, effect_of,
};

pub(super) static WRITING: WritingRules = WritingRules {
    form: FILE,
    names: NAMES,
    fields: &[
        WrittenField::new(FieldName::DESCRIPTION, "description"),
        WrittenField::new(FieldName::MODE, "mode")
            .words(MODES)
            .only(),
        WrittenField::new(FieldName::MODEL, "model"),
        WrittenField::new(VARIANT, "variant"),
        WrittenField::new(FieldName::TEMPERATURE, "temperature"),
        WrittenField::new(FieldName::TOP_P, "top_p"),
        WrittenField::new(FieldName::MAX_TURNS, "steps"),
        WrittenField::new(FieldName::HIDDEN, "hidden"),
        WrittenField::new(FieldName::COLOR, "color").words(COLORS),
    ],
    derived: DERIVED,
    unknown: KeptKeys::Settings,
    models: MODELS,
    access: AccessRules {
        vocabulary: &FIRST_VOCABULARY,
        lists: None,
        effects: Some(EffectRules {
            read: read_rules,
            keys: &["permission"],
            form: EffectForm::Map,
            patterns: true,
            untouchable: &[],
            star: true,
        }),
        modes: &[],
        mode: None,
        delegates: None,
        always: &[],
        never: &[],
        adding: None,
        fields: &[FieldName::TOOLS, FieldName::PERMISSION, PERMISSION_RULES],
    },
    hooks: None,
    servers: None,
};

/// The second line: its own form has neither temperatures nor options of the first one.
pub(super) static SECOND_LINE: WritingRules = WritingRules {
    form: FILE,
    names: NAMES,
    fields: &[
        WrittenField::new(FieldName::DESCRIPTION, "description"),
        WrittenField::new(FieldName::MODE, "mode")
            .words(MODES)
            .only(),
        WrittenField::new(FieldName::MODEL, "model"),
        WrittenField::new(VARIANT, "variant"),
        WrittenField::new(FieldName::MAX_TURNS, "steps"),
        WrittenField::new(FieldName::HIDDEN, "hidden"),
        WrittenField::new(FieldName::COLOR, "color").words(COLORS),
    ],
    derived: DERIVED,
    unknown: KeptKeys::Settings,
    models: MODELS,
    access: AccessRules {
        vocabulary: &SECOND_VOCABULARY,
        lists: None,
        effects: Some(EffectRules {
            read: read_rules,
            keys: &["permissions"],
            form: EffectForm::List,
            patterns: true,
            untouchable: &[],
            star: true,
        }),
        modes: &[],
        mode: None,
        delegates: None,
        always: &[],
        never: &[],
        adding: None,
        fields: &[FieldName::TOOLS, FieldName::PERMISSION, PERMISSION_RULES],
    },
    hooks: None,
    servers: None,
};

/// The path of the file below the folder is the name.
const FILE: FileForm = FileForm::YamlHeader {
    folder: ".opencode/agent",
};

const NAMES: NameForm = NameForm {
    stands: NameStands::Path,
    allows: |name| {
        !name.is_empty()
            && !name.starts_with('.')
            && !name.contains(['\\', ':', '*', '?', '"', '<', '>', '|', '\0'])
            && !name.chars().any(char::is_control)
            && name
                .split('/')
                .all(|part| !part.is_empty() && !part.starts_with('.'))
    },
    allowed: "what can be the path of a file",
    lower_case: false,
};

const DERIVED: &[FieldName] = &[MODEL_RESOLVED, FieldName::KEY];

const MODELS: ModelForm = ModelForm {
    inherit: None,
    names: ModelWord::ProviderAndName,
    families: &[],
    // What stands behind a `#` is read as a field of its own.
    variant: None,
};

const MODES: &[(&str, &str)] = &[
    ("subagent", "subagent"),
    ("primary", "primary"),
    ("all", "all"),
];

/// Colours that others know by name, with the values that style sheets give to them.
const COLORS: &[(&str, &str)] = &[
    ("red", "#ff0000"),
    ("blue", "#0000ff"),
    ("green", "#008000"),
    ("yellow", "#ffff00"),
    ("purple", "#800080"),
    ("orange", "#ffa500"),
    ("pink", "#ffc0cb"),
    ("cyan", "#00ffff"),
];

/// Reads the rules that follow from all that a definition says.
pub(super) fn read_rules(definition: &Definition) -> Vec<EffectRule> {
    let rules = definition.config(PERMISSION_RULES).and_then(Node::as_list);
    rules
        .unwrap_or_default()
        .iter()
        .filter_map(read_rule)
        .collect()
}

fn read_rule(rule: &Node) -> Option<EffectRule> {
    let [name, pattern, effect] = rule.as_list()? else {
        return None;
    };
    Some(EffectRule {
        name: name.as_text()?.to_owned(),
        pattern: pattern.as_text()?.to_owned(),
        effect: effect_of(effect.as_text()?)?,
        at: effect.span,
    })
}

/// `edit` rules over every tool that changes files; the others of its kind are former words.
const VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        ToolWord::new("read", &[Tool::READ_FILE]),
        ToolWord::new("edit", &[Tool::WRITE_FILE, Tool::EDIT_FILE]),
        ToolWord::new("bash", &[Tool::SHELL]),
        ToolWord::new("grep", &[Tool::GREP]),
        ToolWord::new("glob", &[Tool::GLOB]),
        ToolWord::new("list", &[Tool::LIST_DIR]),
        ToolWord::new("webfetch", &[Tool::WEB_FETCH]),
        ToolWord::new("websearch", &[Tool::WEB_SEARCH]),
        ToolWord::new("todowrite", &[Tool::TODO]),
        ToolWord::new("task", &[Tool::DELEGATE]),
        ToolWord::new("question", &[Tool::ASK_USER]),
        ToolWord::new("skill", &[Tool::SKILL]),
        ToolWord::read("todoread", &[Tool::TODO]),
        ToolWord::read("write", &[Tool::WRITE_FILE]),
        ToolWord::read("patch", &[Tool::EDIT_FILE]),
        ToolWord::read("multiedit", &[Tool::EDIT_FILE]),
        ToolWord::read("apply_patch", &[Tool::WRITE_FILE, Tool::EDIT_FILE]),
        ToolWord::read("plan_enter", &[Tool::PLAN_MODE]),
        ToolWord::read("plan_exit", &[Tool::PLAN_MODE]),
    ],
    own: &[
        "codesearch",
        "doom_loop",
        "external_directory",
        "lsp",
        "batch",
    ],
    servers: Some(ServerWords {
        prefix: "",
        between: "_",
        all: &["*"],
        single_is_told: false,
    }),
};

pub(in crate::dialects) static FIRST_VOCABULARY: Vocabulary = VOCABULARY;

/// The second line calls two of them otherwise, and reads the names of the first one too.
pub(in crate::dialects) static SECOND_VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        ToolWord::new("read", &[Tool::READ_FILE]),
        ToolWord::new("edit", &[Tool::WRITE_FILE, Tool::EDIT_FILE]),
        ToolWord::new("shell", &[Tool::SHELL]),
        ToolWord::new("grep", &[Tool::GREP]),
        ToolWord::new("glob", &[Tool::GLOB]),
        ToolWord::new("list", &[Tool::LIST_DIR]),
        ToolWord::new("webfetch", &[Tool::WEB_FETCH]),
        ToolWord::new("websearch", &[Tool::WEB_SEARCH]),
        ToolWord::new("todowrite", &[Tool::TODO]),
        ToolWord::new("subagent", &[Tool::DELEGATE]),
        ToolWord::new("question", &[Tool::ASK_USER]),
        ToolWord::new("skill", &[Tool::SKILL]),
        ToolWord::read("bash", &[Tool::SHELL]),
        ToolWord::read("task", &[Tool::DELEGATE]),
        ToolWord::read("todoread", &[Tool::TODO]),
        ToolWord::read("write", &[Tool::WRITE_FILE]),
        ToolWord::read("patch", &[Tool::EDIT_FILE]),
        ToolWord::read("multiedit", &[Tool::EDIT_FILE]),
        ToolWord::read("apply_patch", &[Tool::WRITE_FILE, Tool::EDIT_FILE]),
        ToolWord::read("plan_enter", &[Tool::PLAN_MODE]),
        ToolWord::read("plan_exit", &[Tool::PLAN_MODE]),
    ],
    ..VOCABULARY
};
