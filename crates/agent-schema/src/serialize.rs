//! Definitions and values as JSON, with the feature `serde`.
//!
//! What JSON cannot hold is written as text: dates, infinities and NaN (`inf`, `-inf`, `nan`),
//! integers beyond 2^53, bytes as base64, keys that are no text. Sets are sorted lists, pairs are
//! lists of two. A value that would grow beyond [`MOST_NODES`] nodes through its aliases is cut,
//! because a header of 428 bytes can stand for gigabytes.

use std::cell::Cell;

use indexmap::IndexMap;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::coerce::java;
use crate::definition::{Definition, FieldName, FieldValue, FloatWords, Located};
use crate::value::{Int, Node, Value};
use crate::value_output::{CUT, MOST_NODES, base64, key_text};

/// The largest integer that every JSON reader keeps exact.
const EXACT_IN_JSON: i64 = 1 << 53;

impl Serialize for Int {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Int::Small(value) if (-EXACT_IN_JSON..=EXACT_IN_JSON).contains(value) => {
                serializer.serialize_i64(*value)
            }
            other => serializer.collect_str(other),
        }
    }
}

/// Writes a number, or the word for one that JSON does not have.
fn number<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_f64(value)
    } else if value.is_nan() {
        serializer.serialize_str("nan")
    } else {
        serializer.serialize_str(if value > 0.0 { "inf" } else { "-inf" })
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let left = Cell::new(MOST_NODES);
        Bounded {
            node: self,
            left: &left,
        }
        .serialize(serializer)
    }
}

/// A node together with what may still be written.
#[derive(Clone, Copy)]
struct Bounded<'a> {
    node: &'a Node,
    left: &'a Cell<u32>,
}

impl<'a> Bounded<'a> {
    fn child(self, node: &'a Node) -> Bounded<'a> {
        Bounded { node, ..self }
    }
}

impl Serialize for Bounded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(left) = self.left.get().checked_sub(1) else {
            return serializer.serialize_str(CUT);
        };
        self.left.set(left);
        match &self.node.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => value.serialize(serializer),
            Value::Float(value) => number(*value, serializer),
            Value::Text(text) | Value::Date(text) | Value::Timestamp(text) => {
                serializer.serialize_str(text)
            }
            Value::Binary(bytes) => serializer.serialize_str(&base64(bytes)),
            Value::List(items) => self.list(items.iter(), serializer),
            Value::Set(items) => {
                let mut items: Vec<&Node> = items.iter().collect();
                items.sort_by_cached_key(|item| key_text(item));
                self.list(items.into_iter(), serializer)
            }
            Value::Pairs(pairs) => {
                let mut list = serializer.serialize_seq(Some(pairs.len()))?;
                for (key, value) in pairs {
                    list.serialize_element(&[self.child(key), self.child(value)])?;
                }
                list.end()
            }
            Value::Map(map) => {
                let mut out = serializer.serialize_map(Some(map.entries.len()))?;
                for entry in &map.entries {
                    out.serialize_entry(&key_text(&entry.key), &self.child(&entry.value))?;
                }
                out.end()
            }
            Value::Shared(node) => self.child(node).serialize(serializer),
            Value::Recursive(anchor) => serializer.collect_str(&format_args!("*{anchor}")),
        }
    }
}

impl Bounded<'_> {
    fn list<'n, S: Serializer>(
        self,
        items: impl ExactSizeIterator<Item = &'n Node>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(items.len()))?;
        for node in items {
            list.serialize_element(&Bounded {
                node,
                left: self.left,
            })?;
        }
        list.end()
    }
}

/// Prints the fields of the dialect in its order, `null` where unset, the unknown keys last.
impl Serialize for Definition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for name in self.shown {
            if *name == FieldName::METADATA {
                map.serialize_entry(name.as_str(), &Metadata(&self.metadata))?;
            } else {
                map.serialize_entry(name.as_str(), &self.printed(*name))?;
            }
        }
        map.end()
    }
}

impl Definition {
    fn printed(&self, field: FieldName) -> Option<Printed<'_>> {
        let value = &self.field(field)?.value;
        let words = self.float_words;
        Some(Printed { value, words })
    }
}

/// A value with the words for its special numbers.
struct Printed<'a> {
    value: &'a FieldValue,
    words: FloatWords,
}

impl Serialize for Printed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.value, self.words) {
            (FieldValue::Number(number), FloatWords::Java) if !number.is_finite() => {
                serializer.serialize_str(&java::double_text(*number))
            }
            (value, _) => value.serialize(serializer),
        }
    }
}

struct Metadata<'a>(&'a IndexMap<String, Located<Node>>);

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, node)| (key, &node.value)))
    }
}

impl Serialize for FieldValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            FieldValue::Text(text) => serializer.serialize_str(text),
            FieldValue::Integer(int) => int.serialize(serializer),
            FieldValue::Number(value) => number(*value, serializer),
            FieldValue::Flag(flag) => serializer.serialize_bool(*flag),
            FieldValue::Names(names) => serializer.collect_seq(names.iter().map(|name| &name.text)),
            // No list is what stands for everything in the cases of every harness.
            FieldValue::Everything => serializer.serialize_none(),
            FieldValue::Inherited => serializer.collect_seq(std::iter::empty::<&str>()),
            FieldValue::Config(node) => node.serialize(serializer),
        }
    }
}
