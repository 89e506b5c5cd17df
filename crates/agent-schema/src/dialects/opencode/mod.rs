//! OpenCode: the agents of the terminal program `opencode`, first line (V1).
//!
//! Observed in the published program 1.18.34 (cases under `conformance/opencode`). Headers are
//! split by gray-matter 4, their YAML is read by js-yaml 3, and a schema refuses every value of a
//! wrong type, together with the whole configuration.

mod fields;
mod permission;
mod repair;

use indexmap::IndexMap;

use crate::coerce::javascript;
use crate::coerce::object::default_entry;
use crate::definition::{FieldName, FieldValue, Located};
use crate::dialect::{
    Base, Basis, Case, Dialect, FactoryRules, FileRules, Folders, KeyRules, Level, Links,
    LookupRules, NotTextKeys, PluginRules, Precedence, Profile, ReadingRules, Rules, SearchPlace,
    SearchRules, SkillRules, SkipRule, UnknownKeys,
};
use crate::finish::{Finish, Resolve};
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, LanguageName,
    NotAMap, RepairRules, Trim, Unclosed,
};
use crate::json;
use crate::source::Span;
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::value::{Entry, Mapping, Node, Style, Value};
use crate::yaml;

use fields::{DISABLE, MAX_STEPS, MODEL_RESOLVED, OPTIONS, PERMISSION_RULES, VARIANT};

/// The dialect.
pub static OPENCODE: Dialect = Dialect {
    id: "opencode",
    title: "OpenCode",
    profiles: &[Profile {
        id: "1.18",
        harness: "opencode 1.18.34",
        basis: Basis::Ran,
        rules: V1,
    }],
    foreign_keys: FOREIGN_KEYS,
};

const V1: Rules = Rules {
    reading: READING,
    agents: SearchRules {
        places: &[SearchPlace::at(
            Level::Project,
            Base::Project,
            ".opencode/agents",
        )],
        files: AGENT_FILES,
        precedence: Precedence::FirstFound,
    },
    plugins: PluginRules {
        folder: "agents",
        files: AGENT_FILES,
        reading: None,
    },
    skills: SkillRules::NONE,
    lookup: LookupRules {
        default: Some("build"),
        deprecated: &[],
    },
    factory: FactoryRules::PLAIN,
};

/// How a Markdown file of an agent folder is read.
const READING: ReadingRules = ReadingRules {
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
    },
    fields: fields::MARKDOWN,
    shown: SHOWN,
    refused: Consequence::Fatal,
    finish: normalize,
    resolve,
};

/// gray-matter: the file begins with `---`, and the header ends before the next line that begins
/// with `---`, whatever follows on it. A word behind the first dashes names the language.
const HEADER: HeaderRules = HeaderRules {
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
        overwritten: Vec::new(),
    })
}

/// Cases `parse/file-*`.
const AGENT_FILES: FileRules = FileRules {
    suffix: ".md",
    suffix_case: Case::Exact,
    split: split_suffix,
    skipped: &[],
    skipped_case: Case::Exact,
    folders: Folders::Searched,
    links: Links::Anywhere,
};

/// Splits a name at its last dot. The pattern `*.md` also takes a file that is called `.md`,
/// whose name has no suffix to Node.js's `path.extname`.
fn split_suffix(file_name: &str) -> (&str, &str) {
    match file_name.rfind('.') {
        Some(dot) => file_name.split_at(dot),
        None => (file_name, ""),
    }
}

/// Words of other harnesses for what OpenCode can do too.
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

/// What OpenCode does with each source by itself: old forms become new ones.
fn normalize(finish: &mut Finish<'_>) {
    let definition = &mut *finish.definition;
    permission::join_tools(definition);
    if let Some(steps) = definition.field(MAX_STEPS).cloned() {
        definition.unset(MAX_STEPS);
        if definition.field(FieldName::MAX_TURNS).is_none() {
            definition.set(FieldName::MAX_TURNS, steps);
        }
    }
    join_options(finish);
    key_of_name(finish);
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

/// A name that is no text is kept as it is; its text is what the agent is registered under.
fn key_of_name(finish: &mut Finish<'_>) {
    let key = finish
        .definition
        .config(FieldName::NAME)
        .map(javascript::text);
    if let Some(key) = key {
        let key = Located::implied(FieldValue::Text(key));
        finish.definition.set(FieldName::KEY, key);
    }
}

/// What follows once all sources are merged.
fn resolve(last: &mut Resolve<'_>) {
    if last.definition.flag(DISABLE) == Some(true) {
        last.skip = Some(SkipRule::Disabled);
    }
    let definition = &mut *last.definition;
    // An agent whose name is no text never gets as far as a mode (case `parse/name-field-number`).
    if definition.field(FieldName::MODE).is_none() && definition.config(FieldName::NAME).is_none() {
        let all = FieldValue::Text("all".to_owned());
        definition.set(FieldName::MODE, Located::implied(all));
    }
    if let Some(split) = definition.model().and_then(split_model) {
        definition.set(MODEL_RESOLVED, Located::implied(FieldValue::Config(split)));
    }
    let own = definition.config(FieldName::PERMISSION);
    let rules = [last.for_all, own].into_iter().flatten();
    let rules: Vec<Node> = rules.flat_map(permission::rules).collect();
    let rules = Node::default_at(Value::List(rules), Span::default());
    definition.set(
        PERMISSION_RULES,
        Located::implied(FieldValue::Config(rules)),
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
            overwritten: Vec::new(),
        }),
        Span::default(),
        Style::Default,
    ))
}
