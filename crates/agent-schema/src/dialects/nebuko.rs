//! Nebuko: all agents of a team in one layered `agent-config.yaml`.
//!
//! No source of the harness could be had. What is known is the text of its decision record
//! ADR-0010 (accepted 2026-10-09): the file alone says who is on the roster, the key of its map is
//! the name, prompt files hold text and nothing else, and awareness of the team is generated.
//! Everything that the record leaves open is marked "ours" and is to change when the code shows
//! up: the layers and how they merge, the form of names, the types of values, the fallback.

use crate::coerce::{self, Coerced, Problem, Remarks, pydantic, python};
use crate::definition::{FieldName, FieldValue, FloatWords};
use crate::diagnostic::Diagnostic;
use crate::dialect::{
    Absent, AliasUse, AllSuffix, Base, Basis, Case, Dialect, FactoryRules, Field, FileRules,
    Folders, KeyRules, Level, Links, LookupRules, MergeRules, NameOrder, NamedBy, NotTextKeys,
    PluginRules, Precedence, Profile, ReadingRules, Rules, SearchPlace, SearchRules, SkillRules,
    SkillUse, SkipRule, SpawnRight, SpawnRules, StartRules, UnknownKeys, Unreadable,
};
use crate::dialects::skills::lenient;
use crate::finish;
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap, Trim,
    Unclosed,
};
use crate::known_words::KnownWords;
use crate::roster::{LayeredRosterRules, NameRules, PromptRules, ToolProse};
use crate::rules;
use crate::skill_rules::{
    self, SameName, SkillFolder, SkillListing, SkillScan, SkillSearch, SkillSource,
};
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::value::{Node, Value};
use crate::vocabulary::{Tool, ToolWord, Vocabulary};
use crate::writing::{
    AccessRules, Effect, FileForm, KeptKeys, ListRules, ModelForm, ModelWord, NameForm, NameStands,
    NoTools, Shape, WritingRules, WrittenField,
};
use crate::yaml;

/// The dialect.
pub static NEBUKO: Dialect = Dialect {
    id: "nebuko",
    title: "Nebuko",
    profiles: &[Profile {
        id: "adr-0010",
        program: "nebuko",
        harness: "nebuko ADR-0010 (no code available)",
        recorded_as: None,
        basis: Basis::Read,
        rules: ADR_0010,
    }],
    foreign_keys: &[
        ("description", "role"),
        ("prompt", "prompt_file"),
        ("allowed-tools", "tools"),
        ("allowed_tools", "tools"),
        ("skill", "skills"),
    ],
};

const ADR_0010: Rules = Rules {
    reading: READING,
    agents: SearchRules::of(
        // Ours: the record says that the file is layered, not which layers there are.
        &[
            SearchPlace::at(Level::Defaults, LAYERS, "defaults"),
            SearchPlace::at(Level::Deployment, LAYERS, "deployment"),
            SearchPlace::at(Level::Project, LAYERS, "project"),
        ],
        CONFIG_FILES,
        Precedence::FirstFound,
    ),
    searches: &[],
    roster: Some(ROSTER),
    // The layers are merged as a roster.
    merging: MergeRules::NONE,
    plugins: PluginRules {
        folder: "",
        files: CONFIG_FILES,
        reading: None,
        manifest: None,
        folders_in_names: false,
        nested: false,
    },
    skills: SkillRules::searched(&SKILLS, SkillListing::Unknown),
    // An old name is good for a mention alone (D5.2), so none is good for a look-up.
    lookup: LookupRules {
        default: None,
        untold: |_| false,
        deprecated: &[],
        cut_at: None,
        also_called: &[],
        any_case: false,
        spelled_freely: None,
        description_budget: None,
        builtins_first: None,
    },
    // An unknown skill is left out: the checks of a roster never keep an agent from running.
    factory: FactoryRules {
        inherit_words: &["", "inherit"],
        // Skills follow progressive disclosure (D2.5); agents call each other with a tool (D4.2).
        start: StartRules {
            spawning: SpawnRules {
                by: SpawnRight::Tool(&["call_agent"]),
                ..SpawnRules::UNKNOWN
            },
            skills: SkillUse::MetadataFirst,
            ..StartRules::PLAIN
        },
        ..FactoryRules::PLAIN
    },
    writing: &WRITING,
};

/// Ours: the folder names a skill, a layer takes it over from the one below, and a header that can
/// be read describes it.
static SKILLS: SkillSearch = SkillSearch {
    sources: &[
        skills_of(Level::Defaults, "defaults/skills"),
        skills_of(Level::Deployment, "deployment/skills"),
        skills_of(Level::Project, "project/skills"),
    ],
    named_by: skill_rules::NamedBy::Place,
    same_name: SameName::LastWins,
    ..lenient::SEARCH
};

const fn skills_of(level: Level, folder: &'static str) -> SkillSource {
    SkillSource::Folder(SkillFolder::new(
        SearchPlace::at(level, LAYERS, folder),
        &SKILL_FILES,
    ))
}

/// The folders directly inside the searched one.
const SKILL_FILES: SkillScan = SkillScan {
    shallowest: 1,
    deepest: 1,
    ..lenient::SCAN
};

const LAYERS: Base = Base::Layers(&["defaults", "deployment", "project"]);

const ROSTER: LayeredRosterRules = LayeredRosterRules {
    file: "agent-config.yaml",
    agents: "agents",
    names: NameRules {
        allows: is_good_name,
        allowed: "a small letter and then small letters, digits, `_` and `-`",
    },
    prompts: PromptRules {
        folder: "prompts",
        field: PROMPT_FILE,
        // The shipped form of the value (K5).
        otherwise: |name| format!("defaults/prompts/{name}.md"),
        exit_rules: "exit_rules",
        exit_rules_otherwise: "exit-rules.md",
        tool_prose: TOOL_PROSE,
    },
    legacy_names: &[("genius", "architect"), ("ctx", "context")],
    as_header: &LAYER_AS_HEADER,
    // Ours: the only two agents that the record names.
    fallback: &["architect", "context"],
};

/// Prose about tools is removed from prompts (D2.4); the patterns are ours.
const TOOL_PROSE: ToolProse = ToolProse {
    labels: &[
        "tools",
        "allowed tools",
        "available tools",
        "your tools",
        "permitted tools",
        "tool whitelist",
        "tool allowlist",
        "forbidden tools",
        "disallowed tools",
    ],
    limits: &[
        "you may only use",
        "you can only use",
        "you must only use",
        "you are only allowed to use",
        "you are allowed to use only",
        "you only have access to",
        "you may not use",
        "you are not allowed to use",
    ],
    advice: &[
        "only use",
        "use only",
        "do not use",
        "don't use",
        "never use",
    ],
    conditions: &[
        "after", "as", "before", "for", "if", "once", "or", "to", "unless", "until", "when",
        "where", "while", "without",
    ],
};

/// The file of the prompt; only its last part counts at run time (K5).
const PROMPT_FILE: FieldName = FieldName::of_dialect("prompt_file");

const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        invalid: InvalidBytes::Refused,
        byte_order_mark: ByteOrderMark::Dropped,
        line_ends: LineEnds::Universal,
    },
    header: NO_HEADER,
    // Ours: the names of its modules are Python's.
    yaml: yaml::PYYAML,
    float_words: FloatWords::Python,
    known_words: &KnownWords::NONE,
    keys: KeyRules {
        unknown: UnknownKeys::Metadata,
        reserved: &[],
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: &[],
        not_text: NotTextKeys::PassedOver,
    },
    fields: FIELDS,
    shown: &[
        FieldName::NAME,
        FieldName::DESCRIPTION,
        FieldName::PROMPT,
        PROMPT_FILE,
        FieldName::MODEL,
        FieldName::TOOLS,
        FieldName::SKILLS,
        FieldName::METADATA,
    ],
    refused: Consequence::Rejected,
    finish: |_| {},
    resolve: finish::as_read,
};

/// A layer between two lines of dashes, of which any key may be one.
static LAYER_AS_HEADER: ReadingRules = ReadingRules {
    header: HeaderRules {
        forms: &[HeaderForm {
            language: Language::Yaml,
            opening: Fence::Run { of: '-', least: 3 },
            closing: Fence::Run { of: '-', least: 3 },
        }],
        ..NO_HEADER
    },
    fields: &[],
    shown: &[FieldName::METADATA],
    ..READING
};

/// No file is one agent; the file of a layer holds them all.
const NO_HEADER: HeaderRules = HeaderRules {
    trim_file: Trim::Nothing,
    forms: &[],
    trim_header: Trim::Nothing,
    trim_body: Trim::Nothing,
    absent: Consequence::Ignored(SkipRule::WholeRoster),
    unclosed: Unclosed::RestIsHeader,
    repair: None,
    broken: Broken {
        consequence: Consequence::Rejected,
        prompt: BrokenPrompt::Body,
        harness_says: false,
    },
    empty_map: None,
    not_a_map: |_| NotAMap::Treated(Consequence::Rejected),
};

const CONFIG_FILES: FileRules = FileRules {
    suffix: ".yaml",
    suffix_case: Case::Exact,
    split: python::split_suffix,
    all_suffix: AllSuffix::IsTheName,
    skipped: &[],
    skipped_case: Case::Exact,
    named_by: NamedBy::FileName,
    folders: Folders::PassedOver,
    links: Links::Anywhere,
    order: NameOrder::CodePoint,
    unreadable: Unreadable::Told,
};

static FIELDS: &[Field] = &[
    // What other harnesses call the description (F4).
    Field {
        key: "role",
        aliases: &[],
        target: FieldName::DESCRIPTION,
        read: role,
        absent: Absent::Unset,
        accepts: "one line of text",
    },
    Field {
        key: "prompt_file",
        aliases: &[],
        target: PROMPT_FILE,
        read: text,
        absent: Absent::Unset,
        accepts: "the name of a file in a folder `prompts`",
    },
    Field {
        key: "model",
        aliases: &[],
        target: FieldName::MODEL,
        read: text,
        absent: Absent::Unset,
        accepts: "a text",
    },
    Field {
        key: "tools",
        aliases: &[],
        target: FieldName::TOOLS,
        read: tools,
        absent: Absent::Unset,
        accepts: "a list of tool names",
    },
    Field {
        key: "skills",
        aliases: &[],
        target: FieldName::SKILLS,
        read: skills,
        absent: Absent::NoNames,
        accepts: "a list of skill names",
    },
];

fn is_good_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'))
}

fn text(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null => Ok(None),
        Value::Text(text) => Ok(Some(FieldValue::text(text.to_string()))),
        _ => Err(Problem::leaves_unset(
            node.span,
            format!("is {}, not a text", pydantic::article(node)),
        )),
    }
}

/// A role is one line (F4), so that each teammate stays one line of the roster. A blank one says
/// as little as none.
fn role(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let Some(FieldValue::Text(text)) = text(node, remarks)? else {
        return Ok(None);
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.trim().contains('\n') {
        let message = format!(
            "`role` has several lines and is read as the one line `{}`",
            coerce::shorten(&line)
        );
        remarks.list.push(
            Diagnostic::new(&rules::VALUE_BECOMES_TEXT, message)
                .at(node.span)
                .because(
                    "in Nebuko a role is one line, so that each teammate is one line of a prompt",
                )
                .help("write the role on one line, and what else there is to say into the prompt"),
        );
    }
    Ok((!line.is_empty()).then_some(FieldValue::text(line)))
}

/// The list is what limits an agent (D2.4). Without a usable one the agent would have every tool,
/// so it is not on the roster then.
fn tools(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    names(node).map_err(|(span, complaint)| Problem::rejects(span, complaint))
}

fn skills(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    names(node).map_err(|(span, complaint)| Problem::leaves_unset(span, complaint))
}

fn names(node: &Node) -> Result<Option<FieldValue>, (crate::Span, String)> {
    if node.is_null() {
        return Ok(None);
    }
    let items = node.as_list().ok_or_else(|| {
        let complaint = format!("is {}, not a list", pydantic::article(node));
        (node.span, complaint)
    })?;
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let text = item.as_text().ok_or_else(|| {
            let complaint = format!("has {} in its list, not a text", pydantic::article(item));
            (item.span, complaint)
        })?;
        texts.push((text.to_owned(), item.span));
    }
    Ok(Some(coerce::names(texts)))
}

static WRITING: WritingRules = WritingRules {
    form: FileForm::RosterEntry {
        file: "project/agent-config.yaml",
        agents: ROSTER.agents,
        prompts: "project/prompts",
        prompt_key: "prompt_file",
    },
    names: NameForm {
        stands: NameStands::Path,
        allows: is_good_name,
        allowed: ROSTER.names.allowed,
        lower_case: true,
    },
    fields: &[
        WrittenField::new(FieldName::DESCRIPTION, "role"),
        WrittenField::new(FieldName::MODEL, "model"),
        WrittenField::new(FieldName::SKILLS, "skills").shaped(Shape::List),
    ],
    derived: &[PROMPT_FILE],
    unknown: KeptKeys::Notes,
    models: ModelForm {
        inherit: Some("inherit"),
        names: ModelWord::AnyName,
        families: &[],
        variant: None,
    },
    access: AccessRules {
        vocabulary: &VOCABULARY,
        lists: Some(ListRules {
            allow: ("tools", Shape::List),
            deny: None,
            unset: Effect::Allow,
            none: NoTools::EmptyList,
            all: None,
            beside: None,
            with_rules: false,
            further: None,
        }),
        effects: None,
        modes: &[],
        mode: None,
        delegates: None,
        always: &[],
        never: &[],
        adding: None,
        fields: &[FieldName::TOOLS],
    },
    hooks: None,
    servers: None,
};

/// Ours: the record names no tool but `call_agent` (D4.2), so that the neutral names stand for the
/// others.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        ToolWord::new("read_file", &[Tool::READ_FILE]),
        ToolWord::new("write_file", &[Tool::WRITE_FILE]),
        ToolWord::new("edit_file", &[Tool::EDIT_FILE]),
        ToolWord::new("shell", &[Tool::SHELL]),
        ToolWord::new("grep", &[Tool::GREP]),
        ToolWord::new("glob", &[Tool::GLOB]),
        ToolWord::new("list_dir", &[Tool::LIST_DIR]),
        ToolWord::new("web_fetch", &[Tool::WEB_FETCH]),
        ToolWord::new("web_search", &[Tool::WEB_SEARCH]),
        ToolWord::new("todo", &[Tool::TODO]),
        ToolWord::new("call_agent", &[Tool::DELEGATE]),
        ToolWord::read("delegate", &[Tool::DELEGATE]),
        ToolWord::new("ask_user", &[Tool::ASK_USER]),
        ToolWord::new("skill", &[Tool::SKILL]),
    ],
    own: &[],
    servers: None,
};
