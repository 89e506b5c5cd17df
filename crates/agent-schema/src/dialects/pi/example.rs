//! The subagent example that is shipped with Pi (`examples/extensions/subagent/agents.ts`).
//!
//! It reads four keys. A header that is no YAML makes its whole search throw, so that no agent
//! of any folder loads (case `discover/one-broken-yaml`).

use crate::coerce::{Coerced, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldName, FieldValue, FloatWords};
use crate::dialect::{Absent, Field, MergeRules, ReadingRules, Rules, SearchRules, SkipRule};
use crate::dialects::skills;
use crate::finish;
use crate::header::{Broken, Consequence, HeaderRules};
use crate::surroundings::TrustRules;
use crate::text::{ByteOrderMark, Encoding};
use crate::value::{Node, Value};
use crate::yaml::NPM_YAML;

use super::{
    APPENDING, ENCODING, EXACT_NAMES, FILES, HEADER, KEYS, LAST_REPLACES, NEAREST_AND_USER,
    NO_PLUGINS, TRUST, known_words, text, tool_names,
};

pub(super) const LATEST: Rules = Rules {
    reading: READING,
    agents: SearchRules {
        trust: Some(&TRUST),
        ..SearchRules::of(NEAREST_AND_USER, FILES, LAST_REPLACES)
    },
    searches: &[],
    roster: None,
    merging: MergeRules::NONE,
    plugins: NO_PLUGINS,
    skills: skills::pi::RULES,
    lookup: EXACT_NAMES,
    factory: APPENDING,
    writing: &super::writing::EXAMPLE,
};

const READING: ReadingRules = ReadingRules {
    float_words: FloatWords::Java,
    known_words: &known_words::PLAIN,
    encoding: ENCODING,
    header: HeaderRules {
        broken: Broken {
            consequence: Consequence::Fatal,
            ..HEADER.broken
        },
        ..HEADER
    },
    yaml: NPM_YAML,
    keys: KEYS,
    fields: &[
        Field {
            key: "name",
            aliases: &[],
            target: FieldName::NAME,
            read: text,
            absent: NO_NAME,
            accepts: "a text",
        },
        Field {
            key: "description",
            aliases: &[],
            target: FieldName::DESCRIPTION,
            read: text,
            absent: NO_DESCRIPTION,
            accepts: "a text",
        },
        Field {
            key: "tools",
            aliases: &[],
            target: FieldName::TOOLS,
            read: tool_names,
            absent: Absent::Unset,
            accepts: "names separated by commas, or a list of names",
        },
        Field {
            key: "model",
            aliases: &[],
            target: FieldName::MODEL,
            read: text,
            absent: Absent::Unset,
            accepts: "the name of a model",
        },
    ],
    shown: &[
        FieldName::NAME,
        FieldName::DESCRIPTION,
        FieldName::PROMPT,
        FieldName::MODEL,
        FieldName::TOOLS,
    ],
    refused: Consequence::Rejected,
    finish: finish::nothing,
    resolve: finish::as_read,
};

/// Pi 0.82.1: a byte order mark hides the header, values of any type are names and models, and
/// `tools` that are no text make the whole search throw.
pub(super) const OLD: Rules = Rules {
    reading: ReadingRules {
        encoding: Encoding {
            byte_order_mark: ByteOrderMark::Kept,
            ..ENCODING
        },
        fields: &[
            Field {
                key: "name",
                aliases: &[],
                target: FieldName::NAME,
                read: anything,
                absent: NO_NAME,
                accepts: "a text",
            },
            Field {
                key: "description",
                aliases: &[],
                target: FieldName::DESCRIPTION,
                read: anything,
                absent: NO_DESCRIPTION,
                accepts: "a text",
            },
            Field {
                key: "tools",
                aliases: &[],
                target: FieldName::TOOLS,
                read: names_in_a_text,
                absent: Absent::Unset,
                accepts: "names separated by commas",
            },
            Field {
                key: "model",
                aliases: &[],
                target: FieldName::MODEL,
                read: anything_even_empty,
                absent: Absent::Unset,
                accepts: "the name of a model",
            },
        ],
        ..READING
    },
    agents: SearchRules {
        trust: Some(&OLD_TRUST),
        ..LATEST.agents
    },
    skills: skills::pi::RULES_0_82,
    ..LATEST
};

/// Cases `dot-pi-mcp` and `saved-no-nothing-to-gate` of `trust.json`.
const OLD_TRUST: TrustRules = TrustRules {
    gated: &[
        ".pi/settings.json",
        ".pi/extensions",
        ".pi/skills",
        ".pi/prompts",
        ".pi/themes",
        ".pi/SYSTEM.md",
        ".pi/APPEND_SYSTEM.md",
    ],
    saved_counts_always: false,
    ..TRUST
};

const NO_NAME: Absent = Absent::Loses(Consequence::Ignored(SkipRule::NoName));
const NO_DESCRIPTION: Absent = Absent::Loses(Consequence::Ignored(SkipRule::NoDescription));

/// Takes every value that JavaScript takes for true.
fn anything(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match javascript::is_truthy(node) {
        true => anything_even_empty(node, remarks),
        false => Ok(None),
    }
}

fn anything_even_empty(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    Ok(match node.get() {
        Value::Null => None,
        Value::Text(text) => Some(FieldValue::text(text.to_string())),
        Value::Bool(value) => Some(FieldValue::Flag(*value)),
        Value::Int(value) => Some(FieldValue::Integer(value.clone())),
        Value::Float(value) => Some(FieldValue::Number(*value)),
        _ => Some(FieldValue::config(node.clone())),
    })
}

fn names_in_a_text(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null | Value::Text(_) => tool_names(node, remarks),
        _ => Err(Problem::fatal(
            node.span,
            format!("must be a text, not {}", pydantic::article(node)),
        )),
    }
}
