//! Values as JSON.
//!
//! What JSON cannot hold is written as text: dates, infinities and NaN (`inf`, `-inf`, `nan`),
//! integers beyond 2^53, bytes as base64, keys that are no text. Sets are sorted lists, pairs are
//! lists of two. A value that would grow beyond [`MOST_NODES`] nodes through its aliases is cut,
//! because a header of 428 bytes can stand for gigabytes.

use std::cell::Cell;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::value::{Int, Node, Value};

/// The most nodes that one value is written out to.
pub const MOST_NODES: u32 = 100_000;

/// What stands for the rest of a value that is too large to write out.
pub const CUT: &str = "… (cut: too many nodes)";

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
pub(crate) fn number<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
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

/// Returns a key as text: a text as it is, anything else as Python prints it.
#[must_use]
pub fn key_text(node: &Node) -> String {
    crate::coerce::python::text(node).unwrap_or_else(|_| CUT.to_owned())
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk
            .iter()
            .fold(0u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            if digit <= chunk.len() {
                out.push(DIGITS[(word >> (18 - 6 * digit) & 63) as usize] as char);
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_become_base64() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"a"), "YQ==");
        assert_eq!(base64(b"ab"), "YWI=");
        assert_eq!(base64(b"abc"), "YWJj");
    }
}
