//! OpenCode: the agents of the terminal program `opencode`, first line (V1).
//!
//! Observed in the published program 1.18.34 (cases under `conformance/opencode`). Headers are
//! split by gray-matter 4, their YAML is read by js-yaml 3, and a schema refuses every value of a
//! wrong type, together with the whole configuration.

mod builtins;
mod fields;
mod known_words;
mod permission;
mod repair;
mod second_line;
mod settings;
mod start;
mod stays_text;
mod unfit_patterns;
mod writing;

pub(super) use writing::{FIRST_VOCABULARY, SECOND_VOCABULARY};

use indexmap::IndexMap;

use crate::coerce::object::default_entry;
use crate::coerce::{javascript, shorten};
use crate::definition::{FieldName, FieldValue, FloatWords, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{
    AliasUse, AllSuffix, Base, Basis, Case, Dialect, FactoryRules, FileRules, Folders, Holds,
    KeyRules, Level, Links, Listing, LookupRules, MergeRules, NameOrder, NamedBy, NotTextKeys,
    Part, PluginRules, Precedence, Profile, ReadingRules, Rules, SearchPlace, SearchRules,
    SkipRule, Switch, UnknownKeys, Unreadable, Walk, WalkEnd, WalkStop,
};
use crate::finish::{Finish, Resolve};
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, LanguageName,
    NotAMap, RepairRules, Trim, Unclosed,
};
use crate::json;
use crate::rules;
use crate::source::Span;
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::value::{Entry, Mapping, Node, Style, Value};
use crate::yaml;

use super::skills;

use fields::{DISABLE, MAX_STEPS, MODEL_RESOLVED, OPTIONS, PERMISSION_RULES, VARIANT};

/// The dialect.
pub static OPENCODE: Dialect = Dialect {
    id: "opencode",
    title: "OpenCode",
    profiles: &[
        Profile {
            id: "1.18",
            program: "opencode",
            harness: "opencode 1.18.34",
            recorded_as: None,
            basis: Basis::Ran,
            rules: V1,
        },
        Profile {
            id: "2.0",
            program: "opencode",
            harness: "opencode 2.0",
            recorded_as: None,
            basis: Basis::Read,
            rules: second_line::RULES,
        },
    ],
    foreign_keys: FOREIGN_KEYS,
};

const V1: Rules = Rules {
    reading: AGENT_READING,
    agents: SearchRules {
        switches: SWITCHES,
        builtins: builtins::AGENTS,
        ..SearchRules::of(PLACES, MARKDOWN_FILES, Precedence::Merged)
    },
    searches: &[],
    roster: None,
    merging: MergeRules {
        listing: Listing::ByName { first: "build" },
        appended: &[],
        switch: Some(DISABLE),
        clears: None,
        permission_variable: Some("OPENCODE_PERMISSION"),
        permissions_for_all: permission::for_all,
        chosen: Some(settings::CHOSEN),
    },
    plugins: PluginRules {
        folder: "agents",
        files: MARKDOWN_FILES,
        reading: None,
        manifest: None,
        folders_in_names: false,
        nested: false,
    },
    skills: skills::opencode::RULES,
    lookup: LookupRules {
        default: Some("build"),
        cut_at: None,
        also_called: &[],
        any_case: false,
        spelled_freely: None,
        description_budget: None,
        builtins_first: None,
        untold: |_| false,
        deprecated: &[],
    },
    factory: FactoryRules {
        inherit_words: &[""],
        start: start::FIRST_LINE,
        ..FactoryRules::PLAIN
    },
    writing: &writing::WRITING,
};

/// The sources in the order in which they are merged, later ones over earlier ones: the numbers
/// are those of OpenCode's own loading steps.
///
/// Left out, because they are not files or not ours to ask: the settings of an organisation that
/// are fetched from its host (1, 7), the preferences of macOS (9), and plugins (12).
const PLACES: &[SearchPlace] = &[
    // 2
    SearchPlace::at(Level::Global, CONFIG_HOME, "opencode").with(&[
        settings_file(&["config.json"]),
        settings_file(&["opencode.json"]),
        settings_file(&["opencode.jsonc"]),
    ]),
    // 3
    SearchPlace::at(
        Level::ConfigFile,
        Base::VariableAlone {
            name: "OPENCODE_CONFIG",
        },
        "",
    )
    .with(&[settings_file(&[""])]),
    // 4
    SearchPlace::at(Level::Project, Base::Project, "")
        .walking(Walk::Up {
            until: &[WalkStop::AcceptedRepository],
            first: WalkEnd::Farthest,
        })
        .with(&[
            settings_file(&["opencode.json"]),
            settings_file(&["opencode.jsonc"]),
        ]),
    // 5a
    SearchPlace::at(Level::Global, CONFIG_HOME, "opencode").with(&[AGENT_FOLDERS, MODE_FOLDERS]),
    // 5b: the farthest folder wins, the reverse of the files above (case `nested-dirs-root-wins`)
    SearchPlace::at(Level::Project, Base::Project, ".opencode")
        .walking(Walk::Up {
            until: &[WalkStop::AcceptedRepository],
            first: WalkEnd::Nearest,
        })
        .with(CONFIG_FOLDER),
    // 5c
    SearchPlace::at(Level::Home, Base::Home, ".opencode").with(CONFIG_FOLDER),
    // 5d
    SearchPlace::at(
        Level::ConfigDir,
        Base::VariableAlone {
            name: "OPENCODE_CONFIG_DIR",
        },
        "",
    )
    .with(CONFIG_FOLDER),
    // 6
    SearchPlace::at(
        Level::Inline,
        Base::VariableText {
            name: "OPENCODE_CONFIG_CONTENT",
        },
        "",
    )
    .with(&[settings_file(&[""])]),
    // 8
    SearchPlace::at(
        Level::Managed,
        Base::VariableOr {
            name: "OPENCODE_TEST_MANAGED_CONFIG_DIR",
            or: "/etc/opencode",
        },
        "",
    )
    .with(&[
        settings_file(&["opencode.json"]),
        settings_file(&["opencode.jsonc"]),
    ]),
];

const CONFIG_HOME: Base = Base::Variable {
    name: "XDG_CONFIG_HOME",
    or_home: ".config",
};

/// Case `disable-project-config-env`.
const SWITCHES: &[Switch] = &[Switch {
    name: "no-project",
    meaning: "`OPENCODE_DISABLE_PROJECT_CONFIG` in the environment",
    variable: Some("OPENCODE_DISABLE_PROJECT_CONFIG"),
    leaves_out: &[Level::Project],
}];

/// What is read in a folder for configuration.
const CONFIG_FOLDER: &[Part] = &[
    settings_file(&["opencode.json"]),
    settings_file(&["opencode.jsonc"]),
    AGENT_FOLDERS,
    MODE_FOLDERS,
];

const AGENT_FOLDERS: Part = Part {
    paths: &["agent", "agents"],
    holds: Holds::Agents,
};

/// The old form of agents that people talk to (cases `mode-folder-*`).
const MODE_FOLDERS: Part = Part {
    paths: &["mode", "modes"],
    holds: Holds::AgentsOfKind {
        files: &MODE_FILES,
        reading: &MODE_READING,
    },
};

const fn settings_file(paths: &'static [&'static str]) -> Part {
    Part {
        paths,
        holds: Holds::Settings(&settings::RULES),
    }
}

/// A broken file of a mode folder is left out alone and without a word, and the mode of the
/// others is fixed.
static MODE_READING: ReadingRules = ReadingRules {
    refused: Consequence::Ignored(SkipRule::RefusedValue),
    finish: |finish| {
        normalize_file(finish);
        make_primary(finish);
    },
    ..AGENT_READING
};

const AGENT_READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        invalid: InvalidBytes::Replaced,
        byte_order_mark: ByteOrderMark::Dropped,
        line_ends: LineEnds::Kept,
    },
    header: HEADER,
    yaml: yaml::JS_YAML_3,
    keys: KeyRules {
        unknown: UnknownKeys::ModelOptions,
        reserved: &[],
        not_text: NotTextKeys::PassedOver,
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: &[],
    },
    fields: fields::MARKDOWN,
    shown: SHOWN,
    float_words: FloatWords::Java,
    known_words: &known_words::WORDS,
    refused: Consequence::Fatal,
    finish: normalize_file,
    resolve,
};

/// gray-matter: the file begins with `---`, and the header ends before the next line that begins
/// with `---`, whatever follows on it. A word behind the first dashes names the language.
pub(super) const HEADER: HeaderRules = HeaderRules {
    trim_file: Trim::Nothing,
    forms: &[
        form(
            Language::Yaml,
            LanguageName::NoneOr(&["yaml", "yml"], Case::Ignored),
        ),
        form(
            Language::Json(json::JAVASCRIPT),
            LanguageName::OneOf(&["json"], Case::Exact),
        ),
        form(
            Language::Program,
            LanguageName::OneOf(&["js", "javascript"], Case::Ignored),
        ),
        form(Language::Unknown, LanguageName::Any),
    ],
    trim_header: Trim::Nothing,
    trim_body: Trim::JavaScript,
    absent: Consequence::LoadsWithoutFields,
    unclosed: Unclosed::RestIsHeader,
    // Cases `parse/colon-*`.
    repair: Some(RepairRules {
        edits: repair::edits,
        described: "writes values with a colon as block texts",
        still_broken: Broken {
            consequence: Consequence::Ignored(SkipRule::BrokenHeader),
            prompt: BrokenPrompt::Body,
            harness_says: false,
        },
    }),
    // gray-matter answers the second time from its cache, with the result of the failed first
    // time (cases `parse/bad-yaml-*`).
    broken: Broken {
        consequence: Consequence::LoadsWithoutFields,
        prompt: BrokenPrompt::WholeFile,
        harness_says: false,
    },
    not_a_map: take_apart,
    empty_map: None,
};

const fn form(language: Language, name: LanguageName) -> HeaderForm {
    HeaderForm {
        language,
        opening: Fence::Named { marks: "---", name },
        closing: Fence::Start("---"),
    }
}

/// JavaScript's `{...value}`: a text gives its letters, a list its items, anything else nothing
/// (case `parse/scalar-frontmatter`).
fn take_apart(root: Option<&Node>) -> NotAMap {
    let Some(root) = root else {
        return NotAMap::ReadAs(Mapping::default());
    };
    let parts: Vec<Node> = match root.get() {
        Value::Text(text) => {
            let units: Vec<u16> = text.encode_utf16().collect();
            let letters = units.iter().map(|unit| String::from_utf16_lossy(&[*unit]));
            letters
                .map(|letter| Node::default_at(Value::Text(letter.into()), root.span))
                .collect()
        }
        Value::List(items) => items.clone(),
        _ => return NotAMap::ReadAs(Mapping::default()),
    };
    let entries = parts.into_iter().enumerate().map(|(index, value)| Entry {
        key: Node::default_at(Value::Text(index.to_string().into()), root.span),
        value,
    });
    NotAMap::TakenApart(Mapping {
        entries: entries.collect(),
        ..Mapping::default()
    })
}

/// Case `mode-folder-legacy`.
static MODE_FILES: FileRules = FileRules {
    folders: Folders::PassedOver,
    ..MARKDOWN_FILES
};

/// Cases `parse/file-*`.
const MARKDOWN_FILES: FileRules = FileRules {
    suffix: ".md",
    suffix_case: Case::Exact,
    split: split_suffix,
    skipped: &[],
    skipped_case: Case::Exact,
    named_by: NamedBy::Path,
    all_suffix: AllSuffix::IsTheName,
    folders: Folders::Searched,
    links: Links::Existing,
    order: NameOrder::CodePoint,
    unreadable: Unreadable::Told,
};

/// Splits a name at its last dot. The pattern `*.md` also takes a file that is called `.md`,
/// whose name has no suffix to Node.js's `path.extname`.
fn split_suffix(file_name: &str) -> (&str, &str) {
    match file_name.rfind('.') {
        Some(dot) => file_name.split_at(dot),
        None => (file_name, ""),
    }
}

/// Words of other harnesses, and old ones of its own, for what OpenCode can do too.
const FOREIGN_KEYS: &[(&str, &str)] = &[
    ("disabled", "disable"),
    ("permissions", "permission"),
    ("permissionMode", "permission"),
    ("permission_mode", "permission"),
    ("allowed-tools", "permission"),
    ("allowedTools", "permission"),
    ("allowed_tools", "permission"),
    ("disallowedTools", "permission"),
    ("disallowed_tools", "permission"),
    ("maxSteps", "steps"),
    ("maxTurns", "steps"),
    ("max_turns", "steps"),
    ("maxIters", "steps"),
    ("max_iteration_per_run", "steps"),
    ("topP", "top_p"),
    ("system", "prompt"),
];

const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODE,
    FieldName::MODEL,
    VARIANT,
    FieldName::TEMPERATURE,
    FieldName::TOP_P,
    FieldName::MAX_TURNS,
    FieldName::HIDDEN,
    FieldName::COLOR,
    DISABLE,
    FieldName::TOOLS,
    PERMISSION_RULES,
    FieldName::METADATA,
    MODEL_RESOLVED,
];

/// What OpenCode does with each Markdown file by itself.
fn normalize_file(finish: &mut Finish<'_>) {
    normalize(finish);
    permission::note_never_asked(finish, permission::ASKED_AS_EDIT);
    stays_text::note(finish);
    note_hidden_path(finish);
}

/// What OpenCode does with each source by itself: old forms become new ones.
fn normalize(finish: &mut Finish<'_>) {
    permission::note_replaced(finish);
    permission::join_tools(finish.definition);
    permission::note_cancelled(finish);
    unfit_patterns::note(finish);
    take_old_steps(finish);
    join_options(finish);
    key_of_name(finish);
}

/// Takes `maxSteps` where `steps` is absent.
fn take_old_steps(finish: &mut Finish<'_>) {
    let definition = &mut *finish.definition;
    let Some(old) = definition.field(MAX_STEPS).cloned() else {
        return;
    };
    definition.unset(MAX_STEPS);
    let Some(counts) = definition.field(FieldName::MAX_TURNS) else {
        definition.set(FieldName::MAX_TURNS, old);
        return;
    };
    if let (Some(old), Some(counts)) = (old.place, counts.place) {
        let finding = Diagnostic::new(
            &rules::KEY_BESIDE_ALIAS,
            "`maxSteps` is passed over, because `steps` is there too",
        )
        .at(old.key)
        .and_at(counts.key, "this key counts")
        .because("OpenCode takes the old `maxSteps` where `steps` is not written")
        .help("keep `steps`, with the number that you mean");
        finish.findings.push(finding);
    }
}

/// Puts the unknown keys above what `options` says.
fn join_options(finish: &mut Finish<'_>) {
    let definition = &mut *finish.definition;
    let Some(place) = definition.place(OPTIONS) else {
        return;
    };
    let mut joined = IndexMap::new();
    let options = definition.config(OPTIONS).and_then(Node::as_map);
    for entry in options.iter().flat_map(|options| &options.entries) {
        let key = entry.key.as_text().unwrap_or_default().to_owned();
        joined.insert(
            key,
            Located::written(entry.value.clone(), place.key, entry.value.span),
        );
    }
    joined.extend(std::mem::take(&mut definition.metadata));
    definition.metadata = joined;
    definition.unset(OPTIONS);
}

/// Tells of a name in the file that takes the place of its path, of which the documentation says
/// that it names the agent (case `parse/name-field-overrides-file`).
fn note_hidden_path(finish: &mut Finish<'_>) {
    let Some(place) = finish.definition.place(FieldName::NAME) else {
        return;
    };
    let name = finish.definition.name();
    if name == finish.stem {
        return;
    }
    let mut finding = Diagnostic::new(
        &rules::NAME_HIDES_PATH,
        format!(
            "the agent is called `{}` and not `{}` as its file",
            shorten(name),
            shorten(finish.stem)
        ),
    )
    .at(place.value)
    .because(
        "OpenCode lets `name` take the place of the path, although its documentation says \
              that the path names the agent",
    )
    .help("rename the file, or remove `name`");
    if builtins::AGENTS.iter().any(|builtin| builtin.name == name) {
        finding.severity = Severity::Warning;
        let message = format!("this changes `{name}`, an agent that OpenCode brings itself");
        finding.message = message.into();
        finding = finding.help("remove `name`, unless that agent shall be changed");
    }
    finish.findings.push(finding);
}

/// A name that is no text is kept as it is; its text is what the agent is registered under.
fn key_of_name(finish: &mut Finish<'_>) {
    let key = finish
        .definition
        .config(FieldName::NAME)
        .map(javascript::text);
    if let Some(key) = key {
        let key = Located::implied(FieldValue::text(key));
        finish.definition.set(FieldName::KEY, key);
    }
}

/// Says that people talk to the agent, whatever its source says.
fn make_primary(finish: &mut Finish<'_>) {
    let definition = &mut *finish.definition;
    let written = definition
        .text(FieldName::MODE)
        .zip(definition.place(FieldName::MODE));
    if let Some((mode, place)) = written.filter(|(mode, _)| *mode != "primary") {
        let said = format!("`mode: {}` has no effect here", shorten(mode));
        let finding = Diagnostic::new(&rules::DROPPED_SETTING, said)
            .at(place.value)
            .about(FieldName::MODE)
            .because("OpenCode makes a primary agent of everything in its old place for modes")
            .help("write the agent where agents are, below `agent` or in a folder `agents`");
        finish.findings.push(finding);
        finish.lost.push(FieldName::MODE);
    }
    let primary = FieldValue::text("primary".to_owned());
    definition.set(FieldName::MODE, Located::implied(primary));
}

/// What follows once all sources are merged.
fn resolve(last: &mut Resolve<'_>) {
    if last.definition.flag(DISABLE) == Some(true) {
        last.skip = Some(SkipRule::Disabled);
    }
    let definition = &mut *last.definition;
    // An agent whose name is no text never gets as far as a mode (case `parse/name-field-number`).
    if definition.field(FieldName::MODE).is_none() && definition.config(FieldName::NAME).is_none() {
        let all = FieldValue::text("all".to_owned());
        definition.set(FieldName::MODE, Located::implied(all));
    }
    if let Some(split) = definition.model().and_then(split_model) {
        definition.set(MODEL_RESOLVED, Located::implied(FieldValue::config(split)));
    }
    if let (None, Some(key)) = (
        definition.field(FieldName::NAME),
        definition.field(FieldName::KEY).cloned(),
    ) {
        definition.set(FieldName::NAME, key);
    }
    // The rules of a built-in agent begin with its own, which are not repeated here.
    if last.is_builtin {
        return;
    }
    let own = definition.config(FieldName::PERMISSION);
    let rules = [last.for_all, own].into_iter().flatten();
    let rules: Vec<Node> = rules.flat_map(permission::rules).collect();
    let rules = Node::default_at(Value::List(rules), Span::default());
    definition.set(
        PERMISSION_RULES,
        Located::implied(FieldValue::config(rules)),
    );
}

/// Splits a model at its first slash. Without one, all of it is the provider; an empty text is no
/// model.
fn split_model(model: &str) -> Option<Node> {
    if model.is_empty() {
        return None;
    }
    let (provider, name) = model.split_once('/').unwrap_or((model, ""));
    let entry = |key, text: &str| default_entry(key, Value::Text(text.into()), Span::default());
    Some(Node::new(
        Value::Map(Mapping {
            entries: vec![entry("provider", provider), entry("model", name)],
            ..Mapping::default()
        }),
        Span::default(),
        Style::Default,
    ))
}
