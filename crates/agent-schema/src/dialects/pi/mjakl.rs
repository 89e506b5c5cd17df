//! `mjakl/pi-subagent` 3.0.1 (`agents.ts`).
//!
//! It names a wrong value in its log and goes on without it.

use crate::coerce::{Coerced, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldName, FieldValue, FloatWords};
use crate::diagnostic::Diagnostic;
use crate::dialect::{
    Absent, FactoryRules, Field, FileRules, Level, ListRules, MergeRules, NameOrder, ReadingRules,
    Rules, SearchRules, SkillRules, SkipRule, StartRules, ToolDecision,
};
use crate::finish::{self, Finish};
use crate::header::Consequence;
use crate::rules;
use crate::value::{Int, Node, Value};
use crate::yaml::NPM_YAML;

use super::{
    A_LEVEL, APPENDING, ENCODING, EXACT_NAMES, FILES, HEADER, KEYS, LAST_REPLACES,
    NEAREST_AND_USER, NO_PLUGINS, TRUST, known_words, text, thinking_level, tool_names,
    trimmed_text,
};

pub(super) const RULES: Rules = Rules {
    reading: ReadingRules {
        float_words: FloatWords::Java,
        known_words: &known_words::PLAIN,
        encoding: ENCODING,
        header: HEADER,
        yaml: NPM_YAML,
        keys: KEYS,
        fields: FIELDS,
        shown: SHOWN,
        refused: Consequence::Rejected,
        finish: note_tools_without_effect,
        resolve: finish::as_read,
    },
    agents: SearchRules {
        // Case `discover/untrusted-project`.
        trusted_only: &[Level::Project],
        trust: Some(&TRUST),
        ..SearchRules::of(NEAREST_AND_USER, AGENT_FILES, LAST_REPLACES)
    },
    searches: &[],
    roster: None,
    merging: MergeRules::NONE,
    plugins: NO_PLUGINS,
    skills: SkillRules::NONE,
    lookup: EXACT_NAMES,
    factory: FactoryRules {
        start: StartRules {
            tools: ToolDecision::Lists(ListRules {
                no_tools: Some(NO_TOOLS),
                ..ListRules::PLAIN
            }),
            ..APPENDING.start
        },
        ..APPENDING
    },
    writing: &super::writing::MJAKL,
};

const AGENT_FILES: FileRules = FileRules {
    order: NameOrder::Dictionary,
    ..FILES
};

pub(super) const NO_TOOLS: FieldName = FieldName::of_dialect("no_tools");
pub(super) const THINKING: FieldName = FieldName::of_dialect("thinking");
pub(super) const INACTIVITY_TIMEOUT: FieldName = FieldName::of_dialect("inactivity_timeout");
pub(super) const SESSION_PREFERENCE: FieldName = FieldName::of_dialect("session_preference");
pub(super) const SESSION_HINT: FieldName = FieldName::of_dialect("session_hint");

const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    FieldName::TOOLS,
    NO_TOOLS,
    THINKING,
    INACTIVITY_TIMEOUT,
    SESSION_PREFERENCE,
    SESSION_HINT,
];

static FIELDS: &[Field] = &[
    Field {
        key: "name",
        aliases: &[],
        target: FieldName::NAME,
        read: trimmed_text,
        absent: Absent::Loses(Consequence::Ignored(SkipRule::NoName)),
        accepts: "a text",
    },
    Field {
        key: "description",
        aliases: &[],
        target: FieldName::DESCRIPTION,
        read: trimmed_text,
        absent: Absent::Loses(Consequence::Ignored(SkipRule::NoDescription)),
        accepts: "a text",
    },
    Field {
        key: "tools",
        aliases: &[],
        target: FieldName::TOOLS,
        read: tools,
        absent: Absent::Unset,
        accepts: "names separated by commas, or a list of names",
    },
    Field {
        key: "noTools",
        aliases: &[],
        target: NO_TOOLS,
        read: flag,
        absent: Absent::Unset,
        accepts: "`true` or `false`",
    },
    Field {
        key: "model",
        aliases: &[],
        target: FieldName::MODEL,
        read: text,
        absent: Absent::Unset,
        accepts: "the name of a model",
    },
    Field {
        key: "thinking",
        aliases: &[],
        target: THINKING,
        read: thinking_level,
        absent: Absent::Unset,
        accepts: A_LEVEL,
    },
    Field {
        key: "inactivityTimeout",
        aliases: &[],
        target: INACTIVITY_TIMEOUT,
        read: seconds,
        absent: Absent::Unset,
        accepts: "a whole number of seconds between 1 and 2147483",
    },
    Field {
        key: "sessionPreference",
        aliases: &[],
        target: SESSION_PREFERENCE,
        read: session_preference,
        absent: Absent::Unset,
        accepts: "`ephemeral`, `persistent` or `either`",
    },
    Field {
        key: "sessionHint",
        aliases: &[],
        target: SESSION_HINT,
        read: session_hint,
        absent: Absent::Unset,
        accepts: "a text",
    },
];

/// A value that is written but not taken, null included.
fn refused(node: &Node, wanted: &str) -> Problem {
    let complaint = format!("must be {wanted}, not {}", pydantic::article(node));
    Problem::leaves_unset(node.span, complaint).said_by_harness()
}

fn tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Text(_) | Value::List(_) => tool_names(node, remarks),
        _ => Err(refused(node, "a text or a list")),
    }
}

fn flag(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Bool(value) => Ok(Some(FieldValue::Flag(*value))),
        _ => Err(refused(node, "true or false")),
    }
}

fn seconds(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    const MOST: i64 = 2_147_483;
    match javascript::integer(node.get()) {
        Some(value) if (1..=MOST).contains(&value) => {
            Ok(Some(FieldValue::Integer(Int::Small(value))))
        }
        Some(_) => {
            let complaint = format!("must be between 1 and {MOST}");
            Err(Problem::leaves_unset(node.span, complaint).said_by_harness())
        }
        None => Err(refused(node, "a whole number")),
    }
}

fn session_preference(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let text = node.as_text().ok_or_else(|| refused(node, "a text"))?;
    let word = javascript::trim(text).to_lowercase();
    if ["ephemeral", "persistent", "either"].contains(&word.as_str()) {
        return Ok(Some(FieldValue::text(word)));
    }
    let complaint = format!("cannot be `{}`", crate::coerce::shorten(&word));
    Err(Problem::leaves_unset(node.span, complaint).said_by_harness())
}

fn session_hint(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Text(_) => trimmed_text(node, remarks),
        _ => Err(refused(node, "a text")),
    }
}

fn note_tools_without_effect(finish: &mut Finish<'_>) {
    let definition = &*finish.definition;
    let no_tools = definition.flag(NO_TOOLS) == Some(true);
    let Some(place) = definition.place(FieldName::TOOLS) else {
        return;
    };
    if no_tools {
        finish.findings.push(
            Diagnostic::new(
                &rules::DROPPED_SETTING,
                "`tools` has no effect beside `noTools: true`",
            )
            .at(place.key)
            .because("mjakl/pi-subagent lets `noTools` win and says so in its log")
            .help("remove one of the two keys")
            .said_by_harness(),
        );
    }
}
