//! The second line of OpenCode (V2, package `@opencode/cli`), as its documentation tells it.
//!
//! Nobody ran it. Only what is stated plainly is here: the order of the places, names by path, a
//! native form beside that of the first line, faults that stay local, and permission rules that
//! are appended. What is not here is read as in the first line, or not at all.

use crate::coerce::object::expect_map;
use crate::coerce::{Coerced, Problem, Remarks, pydantic};
use crate::definition::{Definition, FieldName, FieldValue, Located};
use crate::dialect::{
    AgentMap, Base, FactoryRules, Field, Holds, KeyRules, Level, MergeRules, OtherForm, Part,
    Precedence, ReadingRules, Rules, SearchPlace, SearchRules, SettingsRules, SkipRule, Tokens,
    Turn, UnknownKeys, Walk, WalkEnd,
};
use crate::finish::{self, Finish, Resolve};
use crate::header::{Broken, BrokenPrompt, Consequence, HeaderRules, RepairRules};
use crate::json;
use crate::value::{Node, Style, Value};

use super::fields::{self, DISABLE, PERMISSION_RULES};
use super::{
    AGENT_READING, CONFIG_HOME, HEADER, MARKDOWN_FILES, V1, known_words, make_primary, normalize,
    permission, settings, start,
};

pub(super) const RULES: Rules = Rules {
    reading: NATIVE,
    agents: SearchRules {
        builtins: V1.agents.builtins,
        ..SearchRules::of(PLACES, MARKDOWN_FILES, Precedence::MergedInOrder)
    },
    merging: MergeRules {
        appended: &[PERMISSION_RULES],
        switch: Some(DISABLE),
        clears: Some(DISABLE),
        permission_variable: None,
        permissions_for_all: |_| None,
        chosen: Some(settings::CHOSEN_OR_BUILD),
        ..V1.merging
    },
    factory: FactoryRules {
        start: start::SECOND_LINE,
        ..V1.factory
    },
    writing: &super::writing::SECOND_LINE,
    ..V1
};

/// The nearest wins, for files of settings and folders alike, and the walk goes up to the root of
/// the file system.
const PLACES: &[SearchPlace] = &[
    SearchPlace::at(Level::Global, CONFIG_HOME, "opencode").with(CONFIG_FOLDER),
    SearchPlace::at(
        Level::ConfigFile,
        Base::VariableAlone {
            name: "OPENCODE_CONFIG",
        },
        "",
    )
    .with(&[settings_file(&[""])]),
    SearchPlace::at(Level::Project, Base::Project, "")
        .walking(UP)
        .with(&[
            settings_file(&["opencode.json"]),
            settings_file(&["opencode.jsonc"]),
        ]),
    SearchPlace::at(Level::Project, Base::Project, ".opencode")
        .walking(UP)
        .with(CONFIG_FOLDER),
    SearchPlace::at(
        Level::Inline,
        Base::VariableText {
            name: "OPENCODE_CONFIG_CONTENT",
        },
        "",
    )
    .with(&[settings_file(&[""])]),
];

const UP: Walk = Walk::Up {
    until: &[],
    first: WalkEnd::Farthest,
};

const CONFIG_FOLDER: &[Part] = &[
    settings_file(&["opencode.json"]),
    settings_file(&["opencode.jsonc"]),
    Part {
        paths: &["agent", "agents"],
        holds: Holds::Agents,
    },
];

const fn settings_file(paths: &'static [&'static str]) -> Part {
    Part {
        paths,
        holds: Holds::Settings(&SETTINGS),
    }
}

static SETTINGS: SettingsRules = SettingsRules {
    encoding: AGENT_READING.encoding,
    json: json::WITH_COMMENTS,
    tokens: Tokens::Replaced,
    general: ReadingRules {
        keys: KeyRules {
            reserved: &[],
            ..settings::GENERAL.keys
        },
        fields: settings::CHOICE_ONLY,
        refused: SILENT,
        finish: finish::nothing,
        ..settings::GENERAL
    },
    agents: &[
        AgentMap {
            key: "agent",
            reading: FIRST_LINE_ENTRY,
            yields_to: None,
            turn: Turn::InOrder,
        },
        AgentMap {
            key: "mode",
            reading: ReadingRules {
                finish: |finish| {
                    finish_first_line(finish);
                    make_primary(finish);
                },
                ..FIRST_LINE_ENTRY
            },
            yields_to: None,
            turn: Turn::InOrder,
        },
        AgentMap {
            key: "agents",
            reading: ReadingRules {
                fields: fields::NATIVE_ENTRY,
                keys: KeyRules {
                    unknown: UnknownKeys::Dropped,
                    ..NATIVE.keys
                },
                refused: Consequence::Rejected,
                ..NATIVE
            },
            yields_to: None,
            turn: Turn::InOrder,
        },
    ],
};

const SILENT: Consequence = Consequence::Ignored(SkipRule::RefusedValue);

/// A file with native keys alone. Any other key makes it one of the first line.
const NATIVE: ReadingRules = ReadingRules {
    header: LOCAL_HEADER,
    keys: KeyRules {
        unknown: UnknownKeys::OtherForm(OtherForm(&FIRST_LINE)),
        ..AGENT_READING.keys
    },
    fields: fields::NATIVE,
    known_words: &known_words::SECOND_LINE,
    refused: SILENT,
    finish: finish_native,
    resolve,
    ..AGENT_READING
};

/// A file in the form of the first line.
static FIRST_LINE: ReadingRules = ReadingRules {
    header: LOCAL_HEADER,
    fields: fields::FIRST_LINE,
    known_words: &known_words::SECOND_LINE,
    refused: SILENT,
    finish: finish_first_line,
    resolve,
    ..AGENT_READING
};

const FIRST_LINE_ENTRY: ReadingRules = ReadingRules {
    fields: fields::FIRST_LINE_ENTRY,
    known_words: &known_words::SECOND_LINE,
    refused: Consequence::Rejected,
    finish: finish_first_line,
    resolve,
    ..AGENT_READING
};

/// A header that cannot be read loses its file, mended or not.
const LOCAL_HEADER: HeaderRules = HeaderRules {
    repair: Some(RepairRules {
        still_broken: DROPPED,
        edits: super::repair::edits,
        described: "writes values with a colon as block texts",
    }),
    broken: DROPPED,
    ..HEADER
};

const DROPPED: Broken = Broken {
    consequence: Consequence::Ignored(SkipRule::BrokenHeader),
    prompt: BrokenPrompt::Body,
    harness_says: false,
};

/// The path alone gives the name.
fn finish_native(finish: &mut Finish<'_>) {
    settings::split_variant(finish);
    normalize(finish);
    let name = FieldValue::text(finish.stem.to_owned());
    finish
        .definition
        .set(FieldName::NAME, Located::implied(name));
}

/// Turns the form of the first line into the native one.
fn finish_first_line(finish: &mut Finish<'_>) {
    normalize(finish);
    permission::note_never_asked(finish, permission::ASKED_AS_EDIT_LATER);
    let definition = &mut *finish.definition;
    sampling_to_options(definition);
    let slashless = definition.model().is_some_and(|model| !model.contains('/'));
    if slashless {
        definition.unset(FieldName::MODEL);
    }
    let Some(place) = definition.place(FieldName::PERMISSION) else {
        return;
    };
    let rules = definition.config(FieldName::PERMISSION);
    let rules = rules.map(permission::rules).unwrap_or_default();
    let rules = rules.into_iter().map(renamed).collect();
    let rules = Node::new(Value::List(rules), place.value, Style::Default);
    definition.unset(FieldName::PERMISSION);
    definition.set(
        PERMISSION_RULES,
        Located::written(FieldValue::config(rules), place.key, place.value),
    );
}

/// The settings for sampling are options like any other.
fn sampling_to_options(definition: &mut Definition) {
    for field in [FieldName::TEMPERATURE, FieldName::TOP_P] {
        let number = definition.number(field).zip(definition.place(field));
        let Some((number, place)) = number else {
            continue;
        };
        let node = Node::new(Value::Float(number), place.value, Style::Plain);
        let value = Located::written(node, place.key, place.value);
        definition.metadata.insert(field.to_string(), value);
        definition.unset(field);
    }
}

/// Gives the permission of a rule its name in the second line.
fn renamed(mut rule: Node) -> Node {
    if let Value::List(items) = &mut rule.value
        && let Some(first) = items.first_mut()
        && let Value::Text(name) = &mut first.value
    {
        *name = match &**name {
            "bash" => "shell".into(),
            "task" => "subagent".into(),
            "write" | "patch" => "edit".into(),
            other => other.into(),
        };
    }
    rule
}

/// Reads `permissions`: a list of rules, each with an action, a resource and an effect.
pub(super) fn read_permissions(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let Some(rules) = node.as_list() else {
        return Err(Problem::rejects(
            node.span,
            format!("must be a list, not {}", pydantic::article(node)),
        ));
    };
    let rules: Result<Vec<Node>, Problem> = rules.iter().map(permission_rule).collect();
    let rules = rules?;
    permission::note_overruled_rules(&rules, remarks);
    let list = Node::new(Value::List(rules), node.span, node.style);
    Ok(Some(FieldValue::config(list)))
}

fn permission_rule(node: &Node) -> Result<Node, Problem> {
    let map = expect_map(node)?;
    let part = |key: &str| {
        let entry = map.get(key).filter(|entry| entry.value.as_text().is_some());
        entry
            .map(|entry| entry.value.resolved().clone())
            .ok_or_else(|| Problem::rejects(node.span, format!("needs the text `{key}`")))
    };
    let effect = part("effect")?;
    if !effect.as_text().is_some_and(permission::is_effect) {
        return Err(permission::wrong_effect(&effect));
    }
    let items = vec![part("action")?, part("resource")?, effect];
    Ok(Node::new(Value::List(items), node.span, Style::Default))
}

/// What follows once all sources are merged; the permission rules are there already.
fn resolve(last: &mut Resolve<'_>) {
    let rules = last.definition.field(PERMISSION_RULES).cloned();
    (V1.reading.resolve)(last);
    match rules {
        Some(rules) => last.definition.set(PERMISSION_RULES, rules),
        None if last.is_builtin => {}
        None => last.definition.set(
            PERMISSION_RULES,
            Located::implied(FieldValue::config(Node::default_at(
                Value::List(Vec::new()),
                crate::source::Span::default(),
            ))),
        ),
    }
}

/// A field of the first line that means nothing here.
pub(super) const fn inert(field: Field) -> Field {
    Field {
        read: |_, _| Ok(None),
        ..field
    }
}
