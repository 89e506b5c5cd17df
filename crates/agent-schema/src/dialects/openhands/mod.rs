//! OpenHands: the subagent files of the OpenHands software agent SDK.
//!
//! Observed in `openhands-sdk` 1.43.1 and 1.58.2 (cases under `conformance/openhands`); parsing
//! is the same in both. Headers are split by the `python-frontmatter` library, their YAML is
//! read by PyYAML, and nearly every value goes through Python's `str()`.

mod condenser;
mod hooks;
mod known_words;
mod mcp;
mod model_profile;
mod writing;

pub(super) use writing::{MODES, VOCABULARY};

use crate::coerce::{self, Coerced, Problem, Remarks, pydantic, python};
use crate::definition::{Definition, FieldName, FieldValue, FloatWords, Located, Name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{
    Absent, AliasUse, AllSuffix, Base, Basis, Case, DelegatedMcp, Dialect, FactoryRules, Field,
    FileRules, Folders, KeyRules, Level, Links, ListRules, LookupRules, MergeRules, ModelNames,
    NameOrder, NamedBy, NotTextKeys, Permission, PluginRules, Precedence, Profile, ProfileStore,
    PromptUse, ReadingRules, RepeatedSkill, ReservedKey, Rules, SearchPlace, SearchRules,
    SkillRules, SpawnRight, SpawnRules, StartRules, ToolDecision, UnknownKeys, UnknownSkill,
    UnknownTool, Unreadable, UnsetTools,
};
use crate::finish;
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap, Trim,
    Unclosed,
};
use crate::json;
use crate::rules;
use crate::skill_rules::{InstalledSkills, SkillListing};
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::value::{Int, Node, Value};
use crate::yaml;

/// The dialect.
pub static OPENHANDS: Dialect = Dialect {
    id: "openhands",
    title: "OpenHands",
    profiles: &[
        Profile {
            id: "1.58.2",
            program: "openhands-sdk",
            harness: "openhands-sdk 1.58.2",
            recorded_as: None,
            basis: Basis::Ran,
            rules: LATEST,
        },
        Profile {
            id: "1.43.1",
            program: "openhands-sdk",
            harness: "openhands-sdk 1.43.1",
            recorded_as: None,
            basis: Basis::Ran,
            rules: EARLIER,
        },
    ],
    foreign_keys: FOREIGN_KEYS,
};

const LATEST: Rules = Rules {
    reading: READING,
    agents: SearchRules {
        takes_fallbacks: true,
        ..SearchRules::of(
            &[
                SearchPlace::at(Level::Project, Base::Project, ".agents/agents"),
                SearchPlace::at(Level::Project, Base::Project, ".openhands/agents"),
                SearchPlace::at(Level::User, Base::Home, ".agents/agents"),
                SearchPlace::at(Level::User, OPENHANDS_HOME, "agents"),
            ],
            AGENT_FILES,
            Precedence::FirstFound,
        )
    },
    roster: None,
    merging: MergeRules::NONE,
    searches: &[],
    plugins: PluginRules {
        folder: "agents",
        files: FileRules {
            links: Links::InsideRoot,
            ..AGENT_FILES
        },
        reading: None,
        manifest: None,
        folders_in_names: false,
        nested: false,
    },
    skills: SkillRules {
        places: &[
            SearchPlace::at(Level::User, Base::Home, ".agents/skills"),
            SearchPlace::at(Level::User, OPENHANDS_HOME, "skills"),
            SearchPlace::at(Level::User, OPENHANDS_HOME, "microagents"),
            INSTALLED.place,
            SearchPlace::at(Level::Project, Base::Project, ".agents/skills"),
            SearchPlace::at(Level::Project, Base::Project, ".openhands/skills"),
            SearchPlace::at(Level::Project, Base::Project, ".openhands/microagents"),
            SearchPlace::at(Level::Project, Base::RepositoryRoot, ".agents/skills"),
            SearchPlace::at(Level::Project, Base::RepositoryRoot, ".openhands/skills"),
            SearchPlace::at(
                Level::Project,
                Base::RepositoryRoot,
                ".openhands/microagents",
            ),
        ],
        installed: Some(INSTALLED),
        instruction_files: &[
            ("agents.md", "agents"),
            ("agent.md", "agents"),
            ("claude.md", "claude"),
            ("gemini.md", "gemini"),
            (".cursorrules", "cursorrules"),
        ],
        unforeseen_fault_loses_folder: false,
        reading: None,
        search: None,
        listing: SkillListing::Unknown,
        unseen: |_| None,
    },
    lookup: LookupRules {
        default: Some("general-purpose"),
        untold: |_| false,
        deprecated: &[
            ("default", "general-purpose"),
            ("default cli mode", "general-purpose"),
            ("explore", "code-explorer"),
            ("bash", "bash-runner"),
        ],
        cut_at: None,
        also_called: &[],
        any_case: false,
        spelled_freely: None,
        description_budget: None,
        // Case `registry/builtins-first-like-server`.
        builtins_first: Some(
            "on the agent-server of OpenHands its own agents are registered first, before any file: there \
             the built-in one answers",
        ),
    },
    factory: FactoryRules {
        inherit_words: &["", "inherit"],
        unknown_skill: UnknownSkill::SkipsDefinition,
        hidden_skill: None,
        repeated_skill: RepeatedSkill::Refused,
        unset_tools: UnsetTools::Nothing,
        model_names: ModelNames::Profiles,
        profile_store: ProfileStore {
            base: OPENHANDS_HOME,
            folder: "profiles",
        },
        model_profiles: model_profile::RULES,
        condensers: condenser::RULES,
        permissions: &[
            ("always_confirm", Permission::AlwaysConfirm),
            ("confirm_risky", Permission::ConfirmRisky),
            ("never_confirm", Permission::NeverConfirm),
        ],
        // The task tool replaces them; the factory itself still passes the agent's own on (case
        // `factory/mcp-passed-through`).
        delegated_mcp: DelegatedMcp::Parents,
        tools: None,
        model_words: None,
        prompt_file: None,
        start: StartRules {
            tools: ToolDecision::Lists(ListRules {
                unknown: UnknownTool::Refused,
                ..ListRules::PLAIN
            }),
            spawning: SpawnRules {
                by: SpawnRight::Tool(&["task_tool_set", "task", "delegate"]),
                ..SpawnRules::UNKNOWN
            },
            prompt: PromptUse::FollowsParents,
            ..StartRules::PLAIN
        },
    },
    writing: &writing::WRITING,
};

const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        invalid: InvalidBytes::Refused,
        byte_order_mark: ByteOrderMark::Kept,
        line_ends: LineEnds::Universal,
    },
    header: HEADER,
    yaml: yaml::PYYAML,
    keys: KeyRules {
        unknown: UnknownKeys::Metadata,
        reserved: RESERVED_KEYS,
        not_text: NotTextKeys::RejectFile {
            why: "OpenHands passes the keys on as argument names of Python, which must be texts, \
                   and refuses the whole file (YAML 1.1 reads a bare `on`, `off`, `yes` or `no` as \
                   a boolean)",
        },
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: &[],
    },
    fields: FIELDS,
    shown: SHOWN,
    refused: Consequence::Rejected,
    resolve: finish::as_read,
    float_words: FloatWords::Python,
    known_words: &known_words::WORDS,
    finish: |finish| extract_examples(finish.definition),
};

/// Release 1.43.1, which the upstream description of the loader belongs to.
const EARLIER: Rules = Rules {
    agents: SearchRules {
        takes_fallbacks: true,
        ..SearchRules::of(
            &[
                SearchPlace::at(Level::Project, Base::Project, ".agents/agents"),
                SearchPlace::at(Level::Project, Base::Project, ".openhands/agents"),
                SearchPlace::at(Level::User, Base::Home, ".agents/agents"),
                SearchPlace::at(Level::User, Base::Home, ".openhands/agents"),
            ],
            AGENT_FILES,
            Precedence::FirstFound,
        )
    },
    // Cases `registry/plugin-file-rules` and `registry/plugin-symlink-escape`.
    plugins: PluginRules {
        folder: "agents",
        files: FileRules {
            suffix_case: Case::Exact,
            skipped: &["readme.md"],
            skipped_case: Case::Ignored,
            folders: Folders::TriedAsFiles,
            ..AGENT_FILES
        },
        reading: None,
        manifest: None,
        folders_in_names: false,
        nested: false,
    },
    skills: SkillRules {
        places: &[
            SearchPlace::at(Level::User, Base::Home, ".agents/skills"),
            SearchPlace::at(Level::User, Base::Home, ".openhands/skills"),
            SearchPlace::at(Level::User, Base::Home, ".openhands/microagents"),
            OLD_INSTALLED.place,
            SearchPlace::at(Level::Project, Base::Project, ".agents/skills"),
            SearchPlace::at(Level::Project, Base::Project, ".openhands/skills"),
            SearchPlace::at(Level::Project, Base::Project, ".openhands/microagents"),
            SearchPlace::at(Level::Project, Base::RepositoryRoot, ".agents/skills"),
            SearchPlace::at(Level::Project, Base::RepositoryRoot, ".openhands/skills"),
            SearchPlace::at(
                Level::Project,
                Base::RepositoryRoot,
                ".openhands/microagents",
            ),
        ],
        installed: Some(OLD_INSTALLED),
        // Case `factory/skill-broken-neighbour-type`.
        unforeseen_fault_loses_folder: true,
        search: None,
        listing: SkillListing::Unknown,
        ..LATEST.skills
    },
    // Case `registry/bad-skill-aborts-files`.
    factory: FactoryRules {
        unknown_skill: UnknownSkill::AbortsRegistration,
        profile_store: ProfileStore {
            base: Base::Home,
            folder: ".openhands/profiles",
        },
        delegated_mcp: DelegatedMcp::Own,
        ..LATEST.factory
    },
    ..LATEST
};

/// Read in `installed.py` of the SDK and not run: `load_installed_skills`.
const INSTALLED: InstalledSkills = InstalledSkills {
    place: SearchPlace::at(Level::User, OPENHANDS_HOME, "skills/installed"),
    record: ".installed.json",
    names: "skills",
    enabled: "enabled",
};

const OLD_INSTALLED: InstalledSkills = InstalledSkills {
    place: SearchPlace::at(Level::User, Base::Home, ".openhands/skills/installed"),
    ..INSTALLED
};

/// Case `discover/persistence-dir-moves-home-openhands`.
const OPENHANDS_HOME: Base = Base::Variable {
    name: "OH_PERSISTENCE_DIR",
    or_home: ".openhands",
};

/// `python-frontmatter`: `^-{3,}\s*$` for YAML, a brace alone on its line for JSON. TOML between
/// `+++` lines counts only where the separate `toml` package happens to be installed; a plain
/// install of the SDK does not bring it (case `parse/fm-toml`).
const HEADER: HeaderRules = HeaderRules {
    trim_file: Trim::Python,
    forms: &[
        HeaderForm {
            language: Language::Yaml,
            opening: Fence::Run { of: '-', least: 3 },
            closing: Fence::Run { of: '-', least: 3 },
        },
        HeaderForm {
            language: Language::Json(json::PYTHON),
            opening: Fence::Line("{"),
            closing: Fence::Line("}"),
        },
    ],
    trim_header: Trim::Nothing,
    trim_body: Trim::Python,
    absent: Consequence::LoadsWithoutFields,
    unclosed: Unclosed::Treated(Consequence::LoadsWithoutFields),
    repair: None,
    broken: Broken {
        consequence: Consequence::Rejected,
        prompt: BrokenPrompt::Body,
        harness_says: false,
    },
    // A list or a text between the fences is dropped without a word.
    not_a_map: |_| NotAMap::Treated(Consequence::LoadsWithoutFields),
    empty_map: None,
};

/// Cases `discover/suffix-variants` and `discover/readme-variants`.
const AGENT_FILES: FileRules = FileRules {
    suffix: ".md",
    suffix_case: Case::Ignored,
    split: python::split_suffix,
    skipped: &["README.md", "readme.md"],
    skipped_case: Case::Exact,
    named_by: NamedBy::FileName,
    all_suffix: AllSuffix::IsTheName,
    folders: Folders::PassedOver,
    links: Links::Anywhere,
    order: NameOrder::CodePoint,
    unreadable: Unreadable::Told,
};

/// Cases `parse/meta-key-content` and `parse/meta-key-handler`.
const RESERVED_KEYS: &[ReservedKey] = &[
    parameter("content"),
    parameter("handler"),
    parameter("self"),
];

const fn parameter(key: &'static str) -> ReservedKey {
    ReservedKey {
        key,
        why: "OpenHands passes the keys on as arguments of a Python function that has a parameter \
              of this name, and refuses the whole file",
        refused: Consequence::Rejected,
        instead: None,
        help: "rename the key",
    }
}

/// Words of other harnesses for what OpenHands can do too.
const FOREIGN_KEYS: &[(&str, &str)] = &[
    ("maxTurns", "max_iteration_per_run"),
    ("max_turns", "max_iteration_per_run"),
    ("steps", "max_iteration_per_run"),
    ("maxSteps", "max_iteration_per_run"),
    ("maxIters", "max_iteration_per_run"),
    ("max_iterations", "max_iteration_per_run"),
    ("max_budget", "max_budget_per_run"),
    ("maxBudget", "max_budget_per_run"),
    ("permissionMode", "permission_mode"),
    ("permission", "permission_mode"),
    ("approvalMode", "permission_mode"),
    ("mcpServers", "mcp_config"),
    ("mcp", "mcp_config"),
    ("allowed-tools", "tools"),
    ("allowedTools", "tools"),
    ("allowed_tools", "tools"),
    ("tool", "tools"),
    ("skill", "skills"),
];

const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    FieldName::TOOLS,
    FieldName::SKILLS,
    FieldName::COLOR,
    FieldName::MAX_TURNS,
    FieldName::MAX_BUDGET_USD,
    FieldName::PERMISSION_MODE,
    FieldName::MCP_SERVERS,
    FieldName::HOOKS,
    FieldName::EXAMPLES,
    FieldName::CONDENSER,
    FieldName::PROFILE_STORE_DIR,
    FieldName::METADATA,
];

static FIELDS: &[Field] = &[
    Field {
        key: "name",
        aliases: &[],
        target: FieldName::NAME,
        read: |node, remarks| text_of_anything("name", node, remarks),
        absent: Absent::FileStem,
        accepts: "a text",
    },
    Field {
        key: "description",
        aliases: &[],
        target: FieldName::DESCRIPTION,
        read: |node, remarks| text_of_anything("description", node, remarks),
        absent: Absent::Text(""),
        accepts: "a text",
    },
    Field {
        key: "model",
        aliases: &[],
        target: FieldName::MODEL,
        read: |node, remarks| text_of_anything("model", node, remarks),
        absent: Absent::Text("inherit"),
        accepts: "`inherit` or the name of a stored model profile",
    },
    Field {
        key: "color",
        aliases: &[],
        target: FieldName::COLOR,
        read: color,
        absent: Absent::Unset,
        accepts: "a text; a value that begins with `#` needs quotes",
    },
    Field {
        key: "tools",
        aliases: &[],
        target: FieldName::TOOLS,
        read: tools,
        absent: Absent::NoNames,
        accepts: "one tool name, or a list of them",
    },
    Field {
        key: "skills",
        aliases: &[],
        target: FieldName::SKILLS,
        read: skills,
        absent: Absent::NoNames,
        accepts: "names separated by commas, or a list of names",
    },
    Field {
        key: "max_iteration_per_run",
        aliases: &[],
        target: FieldName::MAX_TURNS,
        read: max_iterations,
        absent: Absent::Unset,
        accepts: "an integer greater than 0",
    },
    Field {
        key: "max_budget_per_run",
        aliases: &[],
        target: FieldName::MAX_BUDGET_USD,
        read: max_budget,
        absent: Absent::Unset,
        accepts: "a number greater than 0, in US dollars",
    },
    Field {
        key: "permission_mode",
        aliases: &[],
        target: FieldName::PERMISSION_MODE,
        read: permission_mode,
        absent: Absent::Unset,
        accepts: "`always_confirm`, `confirm_risky` or `never_confirm`",
    },
    Field {
        key: "profile_store_dir",
        aliases: &[],
        target: FieldName::PROFILE_STORE_DIR,
        read: profile_store_dir,
        absent: Absent::Unset,
        accepts: "the path of a folder, as a text",
    },
    Field {
        key: "mcp_config",
        aliases: &["mcp_servers"],
        target: FieldName::MCP_SERVERS,
        read: mcp::read,
        absent: Absent::Unset,
        accepts: "a mapping from server names to servers",
    },
    Field {
        key: "hooks",
        aliases: &[],
        target: FieldName::HOOKS,
        read: hooks::read,
        absent: Absent::Unset,
        accepts: "a mapping from events to lists of matchers",
    },
    Field {
        key: "condenser",
        aliases: &[],
        target: FieldName::CONDENSER,
        read: condenser::read,
        absent: Absent::Unset,
        accepts: "`default`, `none`, or a mapping with a `kind`",
    },
];

/// `str(value)`, whatever the value is; null becomes the word `None`.
fn text_of_anything(key: &str, node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let text = python_text(node)?;
    if node.as_text().is_none() {
        remarks.becomes_text(key, node, &text);
    }
    Ok(Some(FieldValue::text(text)))
}

fn python_text(node: &Node) -> Result<String, Problem> {
    python::text(node).map_err(|error| Problem::rejects(node.span, error.to_string()))
}

fn color(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        // An unquoted `#ff8800` is a comment and leaves the value empty; an empty span tells.
        if node.span.is_empty() {
            return Err(Problem::leaves_unset(node.span, "has no value")
                .help("put a colour that begins with `#` in quotes"));
        }
        return Ok(None);
    }
    text_of_anything("color", node, remarks)
}

/// A text is one name, commas or not; other scalars and maps are passed over.
fn tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Text(text) => {
            if text.trim().contains([',', ' ', '\n', '\t', ';']) && !text.ends_with(')') {
                note_joined(text, node, remarks);
            }
            note_blanks(text, node, remarks);
            Ok(Some(coerce::names([(text.to_string(), node.span)])))
        }
        Value::List(items) => {
            for item in items {
                let text = item.as_text().unwrap_or_default();
                // A dash that is indented further than the item above it is no item of its own.
                let is_joined = text.contains([',', ';', '\n']) || text.contains(" - ");
                if is_joined && !text.ends_with(')') {
                    note_joined(text, item, remarks);
                }
                note_blanks(item.as_text().unwrap_or("-"), item, remarks);
            }
            names_of_items("tools", items, remarks).map(Some)
        }
        Value::Null => Ok(None),
        _ => Err(no_list(node)),
    }
}

/// Notes the name of a tool that looks like several names.
fn note_joined(name: &str, node: &Node, remarks: &mut Remarks<'_>) {
    remarks.list.push(
        Diagnostic::new(
            &rules::LIST_IN_ONE_NAME,
            format!(
                "`tools` asks for one tool called `{}`",
                coerce::shorten(name)
            ),
        )
        .at(node.span)
        .because(
            "OpenHands does not split a text here, and refuses to start an agent with an unknown tool",
        )
        .help("write the tools as a list: `tools: [one, two]`"),
    );
}

/// Notes the name of a tool that is blank, or has blanks around it.
fn note_blanks(name: &str, node: &Node, remarks: &mut Remarks<'_>) {
    let bare = name.trim();
    if bare == name && !bare.is_empty() || bare.contains([',', ' ', ';', '\n', '\t']) {
        return;
    }
    let finding = Diagnostic::new(
        &rules::UNKNOWN_TOOL,
        format!("there is no tool `{}`", coerce::shorten(name)),
    )
    .at(node.span)
    .because(
        "OpenHands looks tools up by their exact names, blanks included, and refuses to start an \
         agent with an unknown tool",
    )
    .help(match bare {
        "" => "remove it".to_owned(),
        bare => format!("write `{}`", coerce::shorten(bare)),
    });
    remarks.list.push(Diagnostic {
        severity: Severity::Warning,
        ..finding
    });
}

/// A text is split at commas; the items of a list are not.
fn skills(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Text(text) => {
            let names = coerce::split_at_commas(node, text, python::strip, remarks);
            Ok(Some(FieldValue::Names(names)))
        }
        Value::List(items) => names_of_items("skills", items, remarks).map(Some),
        Value::Null => Ok(None),
        _ => Err(no_list(node)),
    }
}

fn names_of_items(
    key: &str,
    items: &[Node],
    remarks: &mut Remarks<'_>,
) -> Result<FieldValue, Problem> {
    let mut names = Vec::with_capacity(items.len());
    for item in items {
        let text = python_text(item)?;
        if item.as_text().is_none() {
            remarks.becomes_text(key, item, &text);
        }
        names.push((text, item.span));
    }
    Ok(coerce::names(names))
}

fn no_list(node: &Node) -> Problem {
    Problem::leaves_unset(
        node.span,
        format!(
            "is {}, which counts as an empty list",
            pydantic::article(node)
        ),
    )
}

/// Why a number may be another one than it looks like.
const YAML_1_1_NUMBERS: &str = "PyYAML 6.0.4 reads numbers with a colon to the base of 60, and such \
                                with a zero before them to the base of 8; Python takes `true` for 1";

fn max_iterations(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let value = match node.get() {
        Value::Null => return Ok(None),
        Value::Int(value) => value.clone(),
        Value::Bool(value) => Int::Small(i64::from(*value)),
        Value::Text(text) => python::int(text).map_err(|error| {
            Problem::rejects(
                node.span,
                match error {
                    python::NotANumber::Form => "is a text that is no integer",
                    python::NotANumber::TooManyDigits => "has more digits than Python reads",
                },
            )
        })?,
        Value::Float(_) => {
            return Err(Problem::leaves_unset(
                node.span,
                "is a float, so no limit is set",
            ));
        }
        _ => {
            return Err(Problem::leaves_unset(
                node.span,
                format!("is {}, so no limit is set", pydantic::article(node)),
            ));
        }
    };
    if value.is_positive() {
        remarks.changes_number(node, &value.to_string(), YAML_1_1_NUMBERS);
        Ok(Some(FieldValue::Integer(value)))
    } else {
        Err(Problem::rejects(node.span, "must be greater than 0"))
    }
}

fn max_budget(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let value = match node.get() {
        Value::Null => return Ok(None),
        Value::Float(value) => *value,
        Value::Int(value) => value.to_string().parse().unwrap_or(f64::INFINITY),
        Value::Text(text) => python::float(text)
            .map_err(|_| Problem::rejects(node.span, "is a text that is no number"))?,
        _ => {
            return Err(Problem::leaves_unset(
                node.span,
                format!("is {}, so no limit is set", pydantic::article(node)),
            ));
        }
    };
    if value.is_infinite() && matches!(node.get(), Value::Int(_)) {
        return Err(Problem::rejects(node.span, "is too large for a number"));
    }
    if value > 0.0 {
        if value.is_finite() {
            remarks.changes_number(node, &value.to_string(), YAML_1_1_NUMBERS);
        }
        Ok(Some(FieldValue::Number(value)))
    } else {
        Err(Problem::rejects(node.span, "must be greater than 0"))
    }
}

fn permission_mode(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let word = python::strip(&python_text(node)?).to_lowercase();
    if ["always_confirm", "confirm_risky", "never_confirm"].contains(&word.as_str()) {
        return Ok(Some(FieldValue::text(word)));
    }
    Err(Problem::rejects(
        node.span,
        format!("cannot be `{}`", coerce::shorten(&word)),
    ))
}

fn profile_store_dir(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let text = pydantic::text(node).map_err(|complaint| Problem::rejects(node.span, complaint))?;
    if text == "~" || text.starts_with("~/") {
        let finding = Diagnostic::new(
            &rules::UNUSABLE_PROFILE_STORE,
            format!("`{}` leads to a folder called `~`", coerce::shorten(text)),
        )
        .at(node.span)
        .because(
            "OpenHands does not take `~` for the home; it makes a folder of that name in the \
             working folder and finds no profile in it",
        )
        .help("write the whole path");
        remarks.list.push(Diagnostic {
            severity: Severity::Warning,
            ..finding
        });
    }
    Ok(Some(FieldValue::text(text.to_owned())))
}

/// Takes every `<example>…</example>` out of the description, which keeps them.
///
/// The expression is `<example>(.*?)</example>`, case ignored, over line ends. Python's way of
/// ignoring case also takes a long s and a Kelvin sign, but neither stands for a letter here.
fn extract_examples(definition: &mut Definition) {
    const OPEN: &str = "<example>";
    const CLOSE: &str = "</example>";
    let text = definition.description();
    let mut examples = Vec::new();
    let mut from = 0;
    while let Some(open) = find_tag(text, OPEN, from) {
        let Some(close) = find_tag(text, CLOSE, open + OPEN.len()) else {
            break;
        };
        let example = python::strip(&text[open + OPEN.len()..close]);
        if !example.is_empty() {
            examples.push(Name {
                text: example.to_owned(),
                span: None,
            });
        }
        from = close + CLOSE.len();
    }
    definition.set(
        FieldName::EXAMPLES,
        Located::implied(FieldValue::Names(examples)),
    );
}

fn find_tag(text: &str, tag: &str, from: usize) -> Option<usize> {
    let is_tag = |at: &usize| {
        let start = text.as_bytes().get(*at..*at + tag.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
    };
    let signs = text[from..].match_indices('<');
    signs.map(|(at, _)| from + at).find(is_tag)
}
