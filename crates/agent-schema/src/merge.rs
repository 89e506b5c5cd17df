//! Laying one definition over another, field by field.

use std::sync::Arc;

use crate::definition::{Definition, FieldName, FieldValue, Located};
use crate::value::{Mapping, Node, Value};

/// Lays a definition over another one: a field that it sets replaces the lower one, except that
/// maps are merged key by key, at every depth. A key keeps the place that it has below; new keys
/// follow.
///
/// The lists of the fields in `appended` follow the lower ones. Returns the fields that it sets,
/// the unknown keys as [`FieldName::METADATA`].
pub fn lay_over(
    lower: &mut Definition,
    upper: &Definition,
    appended: &[FieldName],
) -> Vec<FieldName> {
    let mut set = Vec::new();
    for (name, value) in upper.fields() {
        let merged = match (lower.config(name), &value.value) {
            (Some(below), FieldValue::Config(above)) if appended.contains(&name) => {
                FieldValue::config(joined_lists(below, above))
            }
            (Some(below), FieldValue::Config(above)) => {
                FieldValue::config(merged_nodes(below, above))
            }
            _ => value.value.clone(),
        };
        let place = value.place;
        lower.set(
            name,
            Located {
                value: merged,
                place,
            },
        );
        set.push(name);
    }
    for (key, value) in &upper.metadata {
        let merged = match lower.metadata.get(key) {
            Some(below) => merged_nodes(&below.value, &value.value),
            None => value.value.clone(),
        };
        let place = value.place;
        lower.metadata.insert(
            key.clone(),
            Located {
                value: merged,
                place,
            },
        );
    }
    if !upper.metadata.is_empty() {
        set.push(FieldName::METADATA);
    }
    set
}

/// Lays a definition over nothing, as [`lay_over`] does, but shares its fields instead of copying
/// them.
pub fn lay_first(lower: &mut Definition, first: &Arc<Definition>) -> Vec<FieldName> {
    lower.take_over(first);
    let unknown = (!first.metadata.is_empty()).then_some(FieldName::METADATA);
    let fields = first.fields().map(|(name, _)| name);
    fields.chain(unknown).collect()
}

/// Puts one list behind another; anything else is replaced.
fn joined_lists(below: &Node, above: &Node) -> Node {
    let (Some(lower), Some(upper)) = (below.as_list(), above.as_list()) else {
        return above.clone();
    };
    Node::new(
        Value::List([lower, upper].concat()),
        above.span,
        above.style,
    )
}

/// Merges two values: two maps key by key, anything else is replaced.
#[must_use]
pub fn merged_nodes(below: &Node, above: &Node) -> Node {
    let (Some(lower), Some(upper)) = (below.as_map(), above.as_map()) else {
        return above.clone();
    };
    let mut merged = Mapping {
        entries: lower.entries.clone(),
        ..Mapping::default()
    };
    for entry in &upper.entries {
        let known = merged
            .entries
            .iter_mut()
            .find(|known| known.key.same_content(&entry.key));
        match known {
            Some(known) => {
                known.value = merged_nodes(&known.value, &entry.value);
                known.key = entry.key.clone();
            }
            None => merged.entries.push(entry.clone()),
        }
    }
    Node::new(Value::Map(merged), above.span, above.style)
}
