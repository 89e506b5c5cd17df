//! The core schema of YAML 1.2, as readers written in JavaScript have it.
//!
//! Source of every rule: the YAML 1.2.2 specification, section 10.3, and the cases of the harnesses
//! whose flavors build on [`CORE`].

use crate::coerce::javascript;
use crate::limits::Limit;
use crate::value::{Int, Value};

use super::base64;
use super::flavor::{
    Aliases, Anchors, BlockTextEnd, Brackets, Characters, Comments, Documents, DuplicateKeys,
    Flavor, Grammar, Indentation, Keys, Limits, LineBreaks, MergeKeys, MergeLists, NestedMaps,
    PlainTabs, SurrogateEscapes, Tabs, Tag, Tags, Unreadable,
};
use super::numbers;

/// A strict reader of YAML 1.2 with the core schema, for the flavors of harnesses to build on.
pub const CORE: Flavor = Flavor {
    name: "the YAML 1.2 reader",
    characters: Characters::Any,
    line_breaks: LineBreaks::Yaml12,
    indentation: Indentation::Strict,
    tabs: Tabs::ByGrammar,
    block_text_end: BlockTextEnd::LineFeed,
    documents: Documents::Refused,
    grammar: Grammar::Specification,
    plain_tabs: PlainTabs::Allowed,
    comments: Comments::BehindSpace,
    nested_maps: NestedMaps::AnyColumn,
    surrogate_escapes: SurrogateEscapes::Paired,
    brackets: Brackets::Allowed,
    anchors: Anchors::Redefinable,
    aliases: Aliases::Shared,
    tags: Tags::KnownOnly,
    keys: Keys::Values,
    resolve,
    construct,
    key_identity,
    merge_keys: MergeKeys::Ordinary,
    duplicate_keys: DuplicateKeys::Refused,
    limits: Limits {
        characters: usize::MAX,
        block_nesting: DEPTH - 1,
        nesting: DEPTH - 1,
        depth: DEPTH,
        simple_key: 1024,
        merged_entries: Limit::MergedEntries.usual(),
    },
};

/// The same flavor with `<<` as merge key, which the core schema does not have.
pub const CORE_WITH_MERGE: Flavor = Flavor {
    resolve: |text| match text {
        "<<" => Tag::Merge,
        _ => resolve(text),
    },
    merge_keys: MergeKeys::Merged(MergeLists::EarlierWins),
    ..CORE
};

/// Ours, so that code which walks a value by recursion cannot run out of stack.
const DEPTH: usize = 1024;

fn resolve(text: &str) -> Tag {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Tag::Bool,
        _ if is_int(text) => Tag::Int,
        _ if is_float(text) => Tag::Float,
        _ => Tag::Text,
    }
}

fn construct(tag: Tag, text: &str) -> Result<Value, Unreadable> {
    match tag {
        Tag::Null => Ok(Value::Null),
        Tag::Bool => match text.to_ascii_lowercase().as_str() {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(Unreadable::new("is not a boolean").with_hint("write `true` or `false`")),
        },
        Tag::Int if is_int(text) => Ok(Value::Int(int(text))),
        Tag::Float | Tag::Int => float(text)
            .map(Value::Float)
            .ok_or_else(|| Unreadable::new("is not a number")),
        Tag::Binary => base64::decode(text).map(Value::Binary),
        _ => Ok(Value::Text(text.into())),
    }
}

/// `[-+]?[0-9]+`, `0o[0-7]+` or `0x[0-9a-fA-F]+`.
fn is_int(text: &str) -> bool {
    let all = |digits: &str, is_digit: fn(&u8) -> bool| {
        !digits.is_empty() && digits.as_bytes().iter().all(is_digit)
    };
    match (text.strip_prefix("0o"), text.strip_prefix("0x")) {
        (Some(digits), _) => all(digits, |byte| matches!(byte, b'0'..=b'7')),
        (_, Some(digits)) => all(digits, u8::is_ascii_hexdigit),
        _ => all(unsigned(text), u8::is_ascii_digit),
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, an infinity, or no number at all.
fn is_float(text: &str) -> bool {
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let text = unsigned(text);
    if matches!(text, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(unsigned(exponent))),
        None => (text, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    let exponent_fits = exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent));
    has_digits && digits(whole) && digits(fraction) && exponent_fits
}

fn int(text: &str) -> Int {
    let magnitude = match (text.strip_prefix("0o"), text.strip_prefix("0x")) {
        (Some(digits), _) => numbers::parse(digits, 8),
        (_, Some(digits)) => numbers::parse(digits, 16),
        _ => numbers::parse(unsigned(text), 10),
    };
    let magnitude = magnitude.unwrap_or(Int::Small(0));
    match text.starts_with('-') {
        true => numbers::negate(magnitude),
        false => magnitude,
    }
}

fn float(text: &str) -> Option<f64> {
    let magnitude = match unsigned(text) {
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" => f64::INFINITY,
        digits => digits.parse().ok()?,
    };
    Some(if text.starts_with('-') {
        -magnitude
    } else {
        magnitude
    })
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// The keys of an object are texts: `1` and `"1"` are one key.
fn key_identity(key: &Value) -> Option<String> {
    javascript::scalar_text(key)
}
