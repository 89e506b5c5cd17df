//! How the agent files of Pi's extensions are written, and Pi's words for tools.

use super::pi_subagents as subagents;
use super::{mjakl, recommended, tintinweb};
use crate::definition::{Definition, FieldName};
use crate::value::Node;
use crate::vocabulary::{Tool, ToolWord, Vocabulary};
use crate::writing::{
    AccessRules, Beside, Effect, EffectForm, EffectRule, EffectRules, FileForm, KeptKeys,
    ListRules, ModelForm, ModelWord, NameForm, NameStands, NoTools, Shape, VariantForm,
    WritingRules, WrittenField, meanings, rules_of_map,
};

const FORM: FileForm = FileForm::YamlHeader {
    folder: ".pi/agents",
};

/// A name is a text in the header.
const ANY_NAME: NameForm = NameForm {
    stands: NameStands::Key,
    allows: |name| !name.is_empty() && name == name.trim(),
    allowed: "a text without blanks around it",
    lower_case: false,
};

const NAME: WrittenField = WrittenField::new(FieldName::NAME, "name");
const DESCRIPTION: WrittenField = WrittenField::new(FieldName::DESCRIPTION, "description");
const MODEL: WrittenField = WrittenField::new(FieldName::MODEL, "model");

/// `model:high`: how hard the model thinks, as Pi's command line splits it.
const THINKING_LEVEL: VariantForm = VariantForm {
    open: ":",
    close: "",
    words: &["off", "minimal", "low", "medium", "high", "xhigh"],
};

/// Pi takes the name of a model with or without its provider.
const MODELS: ModelForm = ModelForm {
    inherit: None,
    names: ModelWord::AnyName,
    families: &[],
    variant: Some(THINKING_LEVEL),
};

/// A list is handed to Pi as all the tools that there are.
const LISTS: ListRules = ListRules {
    allow: ("tools", Shape::CommaText),
    deny: None,
    unset: Effect::Allow,
    none: NoTools::CannotBeSaid,
    all: None,
    beside: None,
    with_rules: false,
    further: None,
};

const ACCESS: AccessRules = AccessRules {
    vocabulary: &VOCABULARY,
    lists: Some(LISTS),
    effects: None,
    modes: &[],
    mode: None,
    delegates: None,
    always: &[],
    never: &[],
    adding: None,
    fields: &[FieldName::TOOLS],
};

/// The example that is shipped with Pi.
pub(super) static EXAMPLE: WritingRules = WritingRules {
    form: FORM,
    names: ANY_NAME,
    fields: &[NAME, DESCRIPTION, MODEL],
    derived: &[],
    unknown: KeptKeys::Nothing,
    models: MODELS,
    access: ACCESS,
    hooks: None,
    servers: None,
};

/// The recommended schema.
pub(super) static RECOMMENDED: WritingRules = WritingRules {
    names: NameForm {
        stands: NameStands::Key,
        allows: |name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        },
        allowed: "small letters, digits and hyphens",
        lower_case: true,
    },
    form: FORM,
    fields: &[
        NAME,
        DESCRIPTION,
        MODEL,
        WrittenField::new(recommended::CONTEXT, "context"),
        WrittenField::new(FieldName::HIDDEN, "hidden"),
        WrittenField::new(FieldName::COLOR, "color"),
    ],
    derived: &[],
    unknown: KeptKeys::Nothing,
    models: ModelForm {
        inherit: Some("inherit"),
        ..MODELS
    },
    access: AccessRules {
        vocabulary: &VOCABULARY,
        lists: None,
        effects: Some(EffectRules {
            read: recommended_permissions,
            keys: &["permissions", "tools"],
            form: EffectForm::Map,
            patterns: false,
            untouchable: &[],
            // The recommendation knows no word for all tools.
            star: false,
        }),
        modes: &[],
        mode: None,
        delegates: None,
        always: &[],
        never: &[],
        adding: None,
        fields: &[recommended::PERMISSIONS],
    },
    hooks: None,
    servers: None,
};

/// `mjakl/pi-subagent`.
pub(super) static MJAKL: WritingRules = WritingRules {
    form: FORM,
    names: ANY_NAME,
    fields: &[
        NAME,
        DESCRIPTION,
        MODEL,
        WrittenField::new(mjakl::THINKING, "thinking")
            .meaning(meanings::EFFORT)
            .words(LEVELS)
            .only(),
        WrittenField::new(mjakl::INACTIVITY_TIMEOUT, "inactivityTimeout"),
        WrittenField::new(mjakl::SESSION_PREFERENCE, "sessionPreference"),
        WrittenField::new(mjakl::SESSION_HINT, "sessionHint"),
    ],
    derived: &[],
    unknown: KeptKeys::Nothing,
    models: MODELS,
    access: AccessRules {
        lists: Some(ListRules {
            none: NoTools::Switch(mjakl::NO_TOOLS, "noTools"),
            ..LISTS
        }),
        fields: &[FieldName::TOOLS, mjakl::NO_TOOLS],
        ..ACCESS
    },
    hooks: None,
    servers: None,
};

/// `@tintinweb/pi-subagents`.
pub(super) static TINTINWEB: WritingRules = WritingRules {
    form: FORM,
    names: NameForm {
        allows: |name| !name.is_empty() && name == name.trim() && !name.contains(':'),
        allowed: "a text without `:`",
        ..ANY_NAME
    },
    fields: TINTINWEB_FIELDS,
    derived: &[],
    unknown: KeptKeys::Nothing,
    models: ModelForm {
        variant: None,
        ..MODELS
    },
    access: TINTINWEB_ACCESS,
    hooks: None,
    servers: None,
};

/// Version 0.14.1, where the file names the agent and there is no colour.
pub(super) static OLD_TINTINWEB: WritingRules = WritingRules {
    form: FORM,
    names: NameForm {
        stands: NameStands::Path,
        allows: |name| {
            !name.is_empty()
                && name == name.trim()
                && !name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|'])
                && !name.chars().any(char::is_control)
        },
        allowed: "what can be the name of a file",
        lower_case: false,
    },
    fields: OLD_TINTINWEB_FIELDS,
    derived: &[],
    unknown: KeptKeys::Nothing,
    models: ModelForm {
        variant: None,
        ..MODELS
    },
    access: TINTINWEB_ACCESS,
    hooks: None,
    servers: None,
};

const TINTINWEB_FIELDS: &[WrittenField] = &[
    NAME,
    WrittenField::new(tintinweb::DISPLAY_NAME, "display_name"),
    DESCRIPTION,
    WrittenField::new(FieldName::COLOR, "color"),
    MODEL,
    WrittenField::new(FieldName::SKILLS, "skills").shaped(Shape::CommaText),
    WrittenField::new(tintinweb::EXTENSIONS, "extensions").shaped(Shape::CommaText),
    WrittenField::new(tintinweb::EXCLUDE_EXTENSIONS, "exclude_extensions").shaped(Shape::CommaText),
    WrittenField::new(tintinweb::THINKING, "thinking")
        .meaning(meanings::EFFORT)
        .words(LEVELS)
        .only(),
    WrittenField::new(FieldName::MAX_TURNS, "max_turns"),
    WrittenField::new(tintinweb::PROMPT_MODE, "prompt_mode"),
    WrittenField::new(tintinweb::INHERIT_CONTEXT, "inherit_context"),
    WrittenField::new(tintinweb::RUN_IN_BACKGROUND, "run_in_background")
        .meaning(meanings::BACKGROUND),
    WrittenField::new(tintinweb::ISOLATED, "isolated"),
    WrittenField::new(tintinweb::MEMORY, "memory"),
    WrittenField::new(tintinweb::ISOLATION, "isolation"),
    WrittenField::new(tintinweb::PERSIST_SESSION, "persist_session"),
    WrittenField::new(tintinweb::SESSION_DIR, "session_dir"),
    WrittenField::new(tintinweb::OUTPUT_TRANSCRIPT, "output_transcript"),
    WrittenField::new(tintinweb::ALLOWED_SUBAGENTS, "allowed_subagents").shaped(Shape::CommaText),
    WrittenField::new(tintinweb::ENABLED, "enabled"),
];

const OLD_TINTINWEB_FIELDS: &[WrittenField] = &[
    TINTINWEB_FIELDS[1],
    TINTINWEB_FIELDS[2],
    TINTINWEB_FIELDS[4],
    TINTINWEB_FIELDS[5],
    TINTINWEB_FIELDS[6],
    TINTINWEB_FIELDS[7],
    TINTINWEB_FIELDS[8],
    TINTINWEB_FIELDS[9],
    TINTINWEB_FIELDS[10],
    TINTINWEB_FIELDS[11],
    TINTINWEB_FIELDS[12],
    TINTINWEB_FIELDS[13],
    TINTINWEB_FIELDS[14],
    TINTINWEB_FIELDS[15],
    TINTINWEB_FIELDS[16],
    TINTINWEB_FIELDS[17],
    TINTINWEB_FIELDS[20],
];

/// `tools` chooses among Pi's own tools; those of extensions stay unless they are switched off.
/// The tools of extensions are there unless this says otherwise.
pub(super) const BROUGHT: Beside = Beside {
    field: tintinweb::EXTENSIONS,
    key: "extensions",
    switch: false,
    also: &[tintinweb::EXCLUDE_EXTENSIONS],
};

const TINTINWEB_ACCESS: AccessRules = AccessRules {
    lists: Some(ListRules {
        deny: Some(("disallowed_tools", Shape::CommaText)),
        none: NoTools::Word("none"),
        all: Some("all"),
        beside: Some(BROUGHT),
        further: Some((tintinweb::EXT_SELECTORS, "")),
        ..LISTS
    }),
    fields: &[
        FieldName::TOOLS,
        FieldName::DISALLOWED_TOOLS,
        tintinweb::EXT_SELECTORS,
    ],
    delegates: Some(tintinweb::ALLOWED_SUBAGENTS),
    ..ACCESS
};

/// `pi-subagents`.
pub(super) static PI_SUBAGENTS: WritingRules = WritingRules {
    form: FileForm::LineHeader {
        folder: ".pi/agents",
    },
    names: NameForm {
        allows: |name| !name.is_empty() && name == name.trim() && !name.contains('\n'),
        allowed: "a text of one line without blanks around it",
        ..ANY_NAME
    },
    fields: &[
        WrittenField::new(FieldName::NAME, "name"),
        DESCRIPTION,
        MODEL,
        WrittenField::new(subagents::PACKAGE, "package"),
        WrittenField::new(subagents::ALIASES, "aliases").shaped(Shape::CommaText),
        WrittenField::new(subagents::ADVERTISE, "advertise"),
        WrittenField::new(subagents::NESTED, "allowNestedSubagents"),
        WrittenField::new(subagents::FALLBACK_MODELS, "fallbackModels").shaped(Shape::CommaText),
        WrittenField::new(subagents::FAST, "fast"),
        WrittenField::new(subagents::THINKING, "thinking")
            .meaning(meanings::EFFORT)
            .words(LEVELS)
            .only(),
        WrittenField::new(subagents::PROMPT_MODE, "systemPromptMode"),
        WrittenField::new(subagents::PROJECT_CONTEXT, "inheritProjectContext"),
        WrittenField::new(subagents::GLOBAL_CONTEXT, "inheritGlobalContext"),
        WrittenField::new(subagents::INHERIT_SKILLS, "inheritSkills"),
        WrittenField::new(subagents::CONTEXT, "defaultContext"),
        WrittenField::new(subagents::ASYNC, "async").meaning(meanings::BACKGROUND),
        WrittenField::new(subagents::TIMEOUT, "timeoutMs"),
        WrittenField::new(subagents::TOOL_TIMEOUT, "toolTimeoutMs"),
        WrittenField::new(subagents::ACCEPTANCE_ROLE, "acceptanceRole"),
        WrittenField::new(FieldName::SKILLS, "skill").shaped(Shape::CommaText),
        WrittenField::new(subagents::SKILL_PATH, "skillPath").shaped(Shape::CommaText),
        WrittenField::new(subagents::EXTENSIONS, "extensions").shaped(Shape::CommaText),
        WrittenField::new(subagents::OWN_EXTENSIONS, "subagentOnlyExtensions")
            .shaped(Shape::CommaText),
        WrittenField::new(subagents::MUTATION_TOOLS, "mutationTools").shaped(Shape::CommaText),
        WrittenField::new(subagents::OUTPUT, "output"),
        WrittenField::new(subagents::OUTPUT_MODE, "outputMode"),
        WrittenField::new(subagents::READS, "defaultReads").shaped(Shape::CommaText),
        WrittenField::new(subagents::PROGRESS, "defaultProgress"),
        WrittenField::new(subagents::INTERACTIVE, "interactive"),
        WrittenField::new(subagents::DEPTH, "maxSubagentDepth"),
        WrittenField::new(subagents::GUARD, "completionGuard"),
    ],
    derived: &[subagents::LOCAL_NAME],
    unknown: KeptKeys::Notes,
    models: ModelForm {
        inherit: Some("inherit"),
        ..MODELS
    },
    access: AccessRules {
        lists: Some(ListRules {
            deny: Some(("excludeTools", Shape::CommaText)),
            none: NoTools::EmptyList,
            further: Some((subagents::MCP_TOOLS, "mcp:")),
            ..LISTS
        }),
        effects: Some(EffectRules {
            read: subagent_permissions,
            keys: &["permissions"],
            form: EffectForm::TextOfMap,
            patterns: false,
            untouchable: &["bash"],
            star: false,
        }),
        fields: &[
            FieldName::TOOLS,
            FieldName::DISALLOWED_TOOLS,
            subagents::MCP_TOOLS,
            subagents::PERMISSIONS,
        ],
        delegates: Some(subagents::NESTED),
        ..ACCESS
    },
    hooks: None,
    servers: None,
};

/// The recommendation keeps the rules below a key of their own.
pub(super) fn recommended_permissions(definition: &Definition) -> Vec<EffectRule> {
    let permissions = definition.config(recommended::PERMISSIONS);
    let tools = permissions
        .and_then(Node::as_map)
        .and_then(|map| map.get("tools"));
    tools
        .map(|tools| rules_of_map(&tools.value))
        .unwrap_or_default()
}

pub(super) fn subagent_permissions(definition: &Definition) -> Vec<EffectRule> {
    let permissions = definition.config(subagents::PERMISSIONS);
    permissions.map(rules_of_map).unwrap_or_default()
}

/// Pi's levels of thinking that others have too.
const LEVELS: &[(&str, &str)] = &[
    ("minimal", "minimal"),
    ("low", "low"),
    ("medium", "medium"),
    ("high", "high"),
    ("xhigh", "xhigh"),
];

pub(in crate::dialects) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        ToolWord::new("read", &[Tool::READ_FILE]),
        ToolWord::new("write", &[Tool::WRITE_FILE]),
        ToolWord::new("edit", &[Tool::EDIT_FILE]),
        ToolWord::new("bash", &[Tool::SHELL]),
        ToolWord::new("grep", &[Tool::GREP]),
        ToolWord::new("find", &[Tool::GLOB]),
        ToolWord::new("ls", &[Tool::LIST_DIR]),
    ],
    own: &[],
    servers: None,
};
