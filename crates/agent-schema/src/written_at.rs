//! Whether a definition has something at some bytes: with several files it tells which one.

use crate::definition::{Definition, FieldValue, Place};
use crate::source::Span;
use crate::value::{Node, Value};
use crate::value_output::MOST_NODES;

impl Definition {
    /// Returns whether a key, a value, a field as a whole, a name, or a part of something nested
    /// stands at exactly these bytes.
    #[must_use]
    pub fn has_at(&self, span: Span) -> bool {
        let is_there = |place: Option<Place>| {
            place.is_some_and(|place| {
                [place.key, place.value, place.key.cover(place.value)].contains(&span)
            })
        };
        self.fields().any(|(_, field)| {
            let inside = match &field.value {
                FieldValue::Names(names) => names.iter().any(|name| name.span == Some(span)),
                FieldValue::Config(node) => node_at(node, span),
                _ => false,
            };
            inside || is_there(field.place)
        }) || self
            .metadata
            .values()
            .any(|value| is_there(value.place) || node_at(&value.value, span))
    }
}

/// Looks for a key, a value or an entry in a tree; what is too large to be written out is not
/// searched to its end.
fn node_at(node: &Node, span: Span) -> bool {
    let mut left = MOST_NODES;
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if node.span == span {
            return true;
        }
        let Some(fewer) = left.checked_sub(1) else {
            return false;
        };
        left = fewer;
        match node.get() {
            Value::Map(map) => {
                for entry in &map.entries {
                    if [entry.key.span, entry.key.span.cover(entry.value.span)].contains(&span) {
                        return true;
                    }
                    open.push(&entry.value);
                }
            }
            Value::List(items) => open.extend(items),
            _ => {}
        }
    }
    false
}
