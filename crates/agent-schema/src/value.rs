//! Values of a header: a tree in which every node knows its bytes.
//!
//! A node is already resolved by the rules of one YAML flavor: whether `yes` is a boolean or a
//! text is decided before the field table sees it. Variants that only one family of readers
//! makes (dates, sets, pairs) are kept, because the harness shows them differently.

use std::sync::Arc;

use crate::seldom::Seldom;
use crate::source::Span;

/// A value with its place in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The resolved value.
    pub value: Value,
    /// The bytes that wrote it; for a default inside a nested object, the bytes of that object.
    pub span: Span,
    /// How it was written.
    pub style: Style,
}

/// How a node was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// A scalar without quotes.
    Plain,
    /// A scalar in single quotes.
    SingleQuoted,
    /// A scalar in double quotes.
    DoubleQuoted,
    /// A block scalar that keeps its lines (`|`).
    Literal,
    /// A block scalar that folds its lines (`>`).
    Folded,
    /// A list or map over several lines.
    Block,
    /// A list or map in brackets.
    Flow,
    /// Not written: a default.
    Default,
}

/// A resolved value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Nothing: `null`, `~` or an empty value.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A floating point number, infinities and NaN included.
    Float(f64),
    /// A text.
    Text(Box<str>),
    /// A calendar date, as ISO text (`2026-03-09`).
    Date(Box<str>),
    /// A point in time, as the harness prints it (`2026-03-09 12:30:00+01:00`).
    Timestamp(Box<str>),
    /// Bytes, from `!!binary`.
    Binary(Vec<u8>),
    /// A list.
    List(Vec<Node>),
    /// A map, in order.
    Map(Mapping),
    /// A set, from `!!set`, in order.
    Set(Vec<Node>),
    /// A list of pairs, from `!!omap` and `!!pairs`.
    Pairs(Vec<(Node, Node)>),
    /// A use of a value that has an anchor; all uses share one tree, so that nested aliases cost
    /// no memory. Use [`Node::resolved`] to look through it.
    Shared(Arc<Node>),
    /// An alias inside the value that it names: an endless structure in the harness.
    Recursive(Box<str>),
}

/// An integer of any size.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Int {
    /// One that fits 64 bits.
    Small(i64),
    /// A larger one, as decimal digits with an optional minus sign and no leading zeros.
    Big(Box<str>),
}

/// An ordered map.
///
/// Of equal keys the last value counts and stands where the first one stood, as in the harnesses
/// that accept them; the earlier ones are kept in `overwritten`, so that nothing is lost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mapping {
    /// The entries that count, in order.
    pub entries: Vec<Entry>,
    /// Entries that a later equal key replaced, in order.
    pub overwritten: Seldom<Entry>,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key; its span is the place of the key.
    pub key: Node,
    /// The value.
    pub value: Node,
}

impl Node {
    /// Makes a node.
    #[must_use]
    pub fn new(value: Value, span: Span, style: Style) -> Self {
        Node { value, span, style }
    }

    /// Makes a node for a default that is not written, at the place of what contains it.
    #[must_use]
    pub fn default_at(value: Value, span: Span) -> Self {
        Node::new(value, span, Style::Default)
    }

    /// Looks through aliases to the node that holds the value.
    #[must_use]
    pub fn resolved(&self) -> &Node {
        let mut node = self;
        while let Value::Shared(target) = &node.value {
            node = target;
        }
        node
    }

    /// Returns the value behind any aliases.
    #[must_use]
    pub fn get(&self) -> &Value {
        &self.resolved().value
    }

    /// Returns the text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self.get() {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the map, if it is one.
    #[must_use]
    pub fn as_map(&self) -> Option<&Mapping> {
        match self.get() {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the items, if it is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Node]> {
        match self.get() {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns whether both hold the same value, wherever and however it was written.
    ///
    /// Shared values are compared by identity first, so that equal aliases cost nothing.
    #[must_use]
    pub fn same_content(&self, other: &Node) -> bool {
        let (mine, theirs) = (self.resolved(), other.resolved());
        if std::ptr::eq(mine, theirs) {
            return true;
        }
        let same_lists = |mine: &[Node], theirs: &[Node]| {
            mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(a, b)| a.same_content(b))
        };
        match (&mine.value, &theirs.value) {
            (Value::List(mine), Value::List(theirs)) | (Value::Set(mine), Value::Set(theirs)) => {
                same_lists(mine, theirs)
            }
            (Value::Pairs(mine), Value::Pairs(theirs)) => {
                mine.len() == theirs.len()
                    && mine
                        .iter()
                        .zip(theirs)
                        .all(|((k1, v1), (k2, v2))| k1.same_content(k2) && v1.same_content(v2))
            }
            (Value::Map(mine), Value::Map(theirs)) => {
                mine.entries.len() == theirs.entries.len()
                    && mine
                        .entries
                        .iter()
                        .zip(&theirs.entries)
                        .all(|(a, b)| a.key.same_content(&b.key) && a.value.same_content(&b.value))
            }
            (Value::Float(mine), Value::Float(theirs)) => {
                mine == theirs || (mine.is_nan() && theirs.is_nan())
            }
            (mine, theirs) => mine == theirs,
        }
    }

    /// Returns whether the value is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.get(), Value::Null)
    }
}

impl Value {
    /// Returns the word for this kind of value in messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Int(_) => "integer",
            Value::Float(_) => "float",
            Value::Text(_) => "text",
            Value::Date(_) => "date",
            Value::Timestamp(_) => "timestamp",
            Value::Binary(_) => "binary",
            Value::List(_) => "list",
            Value::Map(_) => "mapping",
            Value::Set(_) => "set",
            Value::Pairs(_) => "list of pairs",
            Value::Shared(node) => node.value.kind(),
            Value::Recursive(_) => "endless structure",
        }
    }
}

impl Mapping {
    /// Returns the entry of a text key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.key.as_text() == Some(key))
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Int::Small(value)
    }
}

impl std::fmt::Display for Int {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Int::Small(value) => value.fmt(f),
            Int::Big(digits) => f.write_str(digits),
        }
    }
}

impl Int {
    /// Returns whether the value is greater than zero.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        match self {
            Int::Small(value) => *value > 0,
            Int::Big(digits) => !digits.starts_with('-'),
        }
    }
}
