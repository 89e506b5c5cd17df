//! The `condenser` of OpenHands: how a long history is shortened.

use crate::coerce::object::{
    self, Absent, Object, Shape, Unknown, default_entry, member, no_check, required,
};
use crate::coerce::{Coerced, Problem, Remarks, pydantic, python};
use crate::definition::FieldValue;
use crate::dialect::CondenserRules;
use crate::source::Span;
use crate::value::{Entry, Int, Mapping, Node, Value};

/// The condenser that shortens nothing.
const NONE: &str = "NoOpCondenser";

/// The condenser that lets a model write a summary.
const SUMMARIZES: &str = "LLMSummarizingCondenser";

/// Cases `factory/condenser-*`.
pub(super) const RULES: CondenserRules = CondenserRules {
    default: default_for,
    with_model: SUMMARIZES,
    usage_id: "condenser",
};

static CONDENSER: Shape = Shape::Tagged {
    tag: "kind",
    name: "condenser",
    choices: &[
        (NONE, &DOES_NOTHING),
        ("PipelineCondenser", &PIPELINE),
        (SUMMARIZES, &SUMMARIZING),
    ],
};

static DOES_NOTHING: Object = Object {
    name: "condenser",
    members: &[required("kind", Shape::Text)],
    unknown: Unknown::Dropped,
    check: no_check,
};

static PIPELINE: Object = Object {
    name: "pipeline condenser",
    members: &[
        required("kind", Shape::Text),
        required("condensers", Shape::List(&CONDENSER)),
    ],
    unknown: Unknown::Dropped,
    check: no_check,
};

static SUMMARIZING: Object = Object {
    name: "summarizing condenser",
    members: &[
        required("kind", Shape::Text),
        required("llm", Shape::Object(&MODEL)),
        member("max_size", Shape::IntFrom(1), Absent::Int(240)),
        member("max_tokens", Shape::Optional(&Shape::Int), Absent::Null),
        member("keep_first", Shape::IntFrom(0), Absent::Int(2)),
        member(
            "minimum_progress",
            Shape::FloatBetween(0.0, 1.0),
            Absent::Float(MINIMUM_PROGRESS),
        ),
        member(
            "hard_context_reset_max_retries",
            Shape::IntFrom(1),
            Absent::Int(MAX_RETRIES),
        ),
        member(
            "hard_context_reset_context_scaling",
            Shape::FloatBetween(0.0, 1.0),
            Absent::Float(CONTEXT_SCALING),
        ),
    ],
    unknown: Unknown::Dropped,
    check: check_sizes,
};

const MINIMUM_PROGRESS: f64 = 0.1;
const MAX_RETRIES: i64 = 5;
const CONTEXT_SCALING: f64 = 0.8;

static MODEL: Object = Object {
    name: "model setting",
    members: &[
        required("model", Shape::Text),
        member("usage_id", Shape::Text, Absent::Text("default")),
    ],
    unknown: Unknown::Dropped,
    check: no_check,
};

/// Half of the size must leave room for something after the first kept events.
fn check_sizes(condenser: &Mapping) -> Result<(), String> {
    let number = |key| match condenser.get(key).map(|entry| entry.value.get()) {
        Some(Value::Int(Int::Small(value))) => *value,
        _ => i64::MAX,
    };
    let (size, first) = (number("max_size"), number("keep_first"));
    if (size / 2).saturating_sub(first).saturating_sub(1) <= 0 {
        return Err(format!(
            "has a `max_size` of {size} that is too small to keep the first {first} events"
        ));
    }
    Ok(())
}

/// Reads the field. Unset means that the default condenser is made when the agent starts.
pub(super) fn read(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null | Value::Bool(true) => Ok(None),
        Value::Bool(false) => Ok(Some(nothing(node))),
        Value::Text(text) => match python::strip(text).to_lowercase().as_str() {
            "" | "default" | "inherit" => Ok(None),
            "none" | "off" | "false" | "no" | "disable" | "disabled" => Ok(Some(nothing(node))),
            word => Err(Problem::rejects(node.span, format!("cannot be `{word}`"))),
        },
        Value::Map(_) => object::read(node, &CONDENSER, remarks)
            .map(|condenser| Some(FieldValue::config(condenser))),
        _ => Err(Problem::rejects(
            node.span,
            format!("cannot be {}", pydantic::article(node)),
        )),
    }
}

fn nothing(node: &Node) -> FieldValue {
    let kind: Entry = default_entry("kind", Value::Text(NONE.into()), node.span);
    FieldValue::config(Node::default_at(implied_map(vec![kind]), node.span))
}

/// The condenser of an agent that asks for none: sizes of its own, and the agent's model under
/// another usage id.
fn default_for(model: Option<&str>) -> Node {
    let nowhere = Span::default();
    let entry = |key, value| default_entry(key, value, nowhere);
    let text = |text: &str| Value::Text(text.into());
    let model = implied_map(vec![
        entry("model", model.map_or(Value::Null, text)),
        entry("usage_id", text(RULES.usage_id)),
    ]);
    Node::default_at(
        implied_map(vec![
            entry("kind", text(SUMMARIZES)),
            entry("llm", model),
            entry("max_size", Value::Int(80.into())),
            entry("max_tokens", Value::Null),
            entry("keep_first", Value::Int(4.into())),
            entry("minimum_progress", Value::Float(MINIMUM_PROGRESS)),
            entry(
                "hard_context_reset_max_retries",
                Value::Int(MAX_RETRIES.into()),
            ),
            entry(
                "hard_context_reset_context_scaling",
                Value::Float(CONTEXT_SCALING),
            ),
        ]),
        nowhere,
    )
}

fn implied_map(entries: Vec<Entry>) -> Value {
    Value::Map(Mapping {
        entries,
        ..Mapping::default()
    })
}
