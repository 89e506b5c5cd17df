//! PyYAML's `CSafeLoader`: YAML 1.1 on libyaml.
//!
//! Source of every rule: PyYAML's `resolver.py` and `constructor.py`, and runs of the packages
//! named by the constants.

use crate::limits::Limit;
use crate::value::{Int, Value};

use super::flavor::{
    Aliases, Anchors, BlockTextEnd, Brackets, Characters, Comments, Documents, DuplicateKeys,
    Flavor, Grammar, Indentation, Keys, Limits, LineBreaks, MergeKeys, MergeLists, NestedMaps,
    PlainTabs, SurrogateEscapes, Tabs, Tag, Tags, Unreadable,
};
use super::timestamp::Timestamp;
use super::{base64, numbers};

/// PyYAML 6.0.4 with libyaml 0.2.6.
pub const PYYAML: Flavor = Flavor {
    name: "PyYAML 6.0.4",
    characters: Characters::Printable,
    line_breaks: LineBreaks::Yaml11,
    indentation: Indentation::Lenient,
    tabs: Tabs::ByGrammar,
    block_text_end: BlockTextEnd::AsWritten,
    documents: Documents::Refused,
    grammar: Grammar::Libyaml,
    plain_tabs: PlainTabs::Allowed,
    comments: Comments::BehindValues,
    nested_maps: NestedMaps::AnyColumn,
    surrogate_escapes: SurrogateEscapes::Refused,
    brackets: Brackets::Allowed,
    anchors: Anchors::Unique,
    aliases: Aliases::Shared,
    tags: Tags::Constructed,
    keys: Keys::Values,
    resolve,
    construct,
    key_identity,
    merge_keys: MergeKeys::Merged(MergeLists::LaterWins),
    duplicate_keys: DuplicateKeys::LastWins,
    limits: Limits {
        characters: usize::MAX,
        block_nesting: 999,
        nesting: 1000,
        depth: DEPTH,
        simple_key: 1024,
        merged_entries: Limit::MergedEntries.usual(),
    },
};

/// PyYAML 6.0.2 with libyaml 0.2.5.
///
/// This release has no limit of nesting: it reads 20,000 levels, and 100,000 end its process. The
/// limit here is ours; see [`Limits::depth`].
pub const PYYAML_6_0_2: Flavor = Flavor {
    name: "PyYAML 6.0.2",
    merge_keys: MergeKeys::Merged(MergeLists::EarlierWins),
    limits: Limits {
        block_nesting: DEPTH - 1,
        nesting: DEPTH - 1,
        ..PYYAML.limits
    },
    ..PYYAML
};

/// A little more than the nesting that 6.0.4 accepts. It cannot be much more: an unoptimised build
/// that copies a value by recursion needs nearly 2 KiB of stack for each level, and threads have
/// 2 MiB.
const DEPTH: usize = 1024;

/// Longest decimal number that CPython reads.
const MOST_DECIMAL_DIGITS: usize = 4300;

/// PyYAML's implicit resolvers.
fn resolve(text: &str) -> Tag {
    // PyYAML looks at the first character before it tries a pattern. Here that is only for speed:
    // no pattern matches behind another first character.
    match text.as_bytes().first() {
        None => Tag::Null,
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => {
            if numbers::is_float(text) {
                Tag::Float
            } else if numbers::is_int(text) {
                Tag::Int
            } else if Timestamp::is_implicit(text) {
                Tag::Timestamp
            } else {
                Tag::Text
            }
        }
        Some(b'~' | b'<' | b'=' | b'!' | b'&' | b'*' | b'a'..=b'z' | b'A'..=b'Z') => match text {
            "~" | "null" | "Null" | "NULL" => Tag::Null,
            "yes" | "Yes" | "YES" | "no" | "No" | "NO" | "true" | "True" | "TRUE" | "false"
            | "False" | "FALSE" | "on" | "On" | "ON" | "off" | "Off" | "OFF" => Tag::Bool,
            "<<" => Tag::Merge,
            "=" => Tag::Default,
            // Possible only in quotes behind the tag `!`.
            "!" | "&" | "*" => Tag::Unknown,
            _ => Tag::Text,
        },
        Some(_) => Tag::Text,
    }
}

/// PyYAML's constructors of scalars.
fn construct(tag: Tag, text: &str) -> Result<Value, Unreadable> {
    match tag {
        Tag::Null => Ok(Value::Null),
        Tag::Bool => bool(text),
        Tag::Int => int(text),
        Tag::Float => float(text),
        Tag::Timestamp => timestamp(text),
        Tag::Binary => base64::decode(text).map(Value::Binary),
        _ => Ok(Value::Text(text.into())),
    }
}

fn bool(text: &str) -> Result<Value, Unreadable> {
    match text.to_lowercase().as_str() {
        "yes" | "true" | "on" => Ok(Value::Bool(true)),
        "no" | "false" | "off" => Ok(Value::Bool(false)),
        _ => Err(Unreadable::new("is not a boolean").with_hint("write `true` or `false`")),
    }
}

fn int(text: &str) -> Result<Value, Unreadable> {
    let digits = text.replace('_', "");
    let (negative, digits) = split_sign(&digits);
    let magnitude = if digits == "0" {
        Some(Int::Small(0))
    } else if let Some(digits) = digits.strip_prefix("0b") {
        numbers::parse(digits, 2)
    } else if let Some(digits) = digits.strip_prefix("0x") {
        numbers::parse(digits, 16)
    } else if digits.starts_with('0') {
        numbers::parse(digits.strip_prefix("0o").unwrap_or(digits), 8)
    } else if digits.contains(':') {
        numbers::parse_sexagesimal(digits)
    } else if digits.len() > MOST_DECIMAL_DIGITS {
        None
    } else {
        numbers::parse(digits.trim(), 10)
    };
    match magnitude {
        Some(magnitude) if negative => Ok(Value::Int(numbers::negate(magnitude))),
        Some(magnitude) => Ok(Value::Int(magnitude)),
        None => Err(
            Unreadable::new("looks like an integer, but its digits cannot be read")
                .with_hint("put it in quotes if it is a text"),
        ),
    }
}

fn float(text: &str) -> Result<Value, Unreadable> {
    let digits = text.replace('_', "").to_lowercase();
    let (negative, digits) = split_sign(&digits);
    let magnitude = match digits {
        ".inf" => Some(f64::INFINITY),
        // PyYAML has one NaN and gives it no sign.
        ".nan" => return Ok(Value::Float(f64::NAN)),
        _ if digits.contains(':') => numbers::parse_sexagesimal_float(digits),
        _ => digits.trim().parse().ok(),
    };
    match magnitude {
        Some(magnitude) if negative => Ok(Value::Float(-magnitude)),
        Some(magnitude) => Ok(Value::Float(magnitude)),
        None => Err(Unreadable::new("is not a number")),
    }
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn timestamp(text: &str) -> Result<Value, Unreadable> {
    let Some(timestamp) = Timestamp::parse(text) else {
        return Err(Unreadable::new("is not a date"));
    };
    match timestamp.fault() {
        Some(fault) => Err(Unreadable::new(format!("looks like a date, but {fault}"))
            .with_hint("put it in quotes if it is a text")),
        None if timestamp.is_date() => Ok(Value::Date(timestamp.to_string().into())),
        None => Ok(Value::Timestamp(timestamp.to_string().into())),
    }
}

/// Says which keys are one key in a Python dictionary: numbers and booleans by their value, times
/// with a zone by the moment they name.
fn key_identity(key: &Value) -> Option<String> {
    match key {
        Value::Null => Some("null".to_owned()),
        Value::Bool(value) => Some(format!("number {}", u8::from(*value))),
        Value::Int(value) => Some(format!("number {value}")),
        // A float without a fraction equals the integer, however large.
        Value::Float(value) if value.fract() == 0.0 => Some(format!(
            "number {:.0}",
            if *value == 0.0 { 0.0 } else { *value }
        )),
        // PyYAML has only one NaN object, and Python compares objects before values.
        Value::Float(value) => Some(format!("number {value:?}")),
        Value::Text(text) => Some(format!("text {text}")),
        Value::Date(date) => Some(format!("date {date}")),
        Value::Timestamp(text) => match Timestamp::parse(text).and_then(|time| time.instant()) {
            Some(instant) => Some(format!("instant {instant}")),
            None => Some(format!("timestamp {text}")),
        },
        Value::Binary(bytes) => Some(format!("bytes {bytes:?}")),
        _ => None,
    }
}
