//! js-yaml 3's `safeLoad`: YAML 1.1 with the scalars of 1.2, as the `gray-matter` package reads
//! a header.
//!
//! Source of every rule: js-yaml 3.14 (`loader.js` and the files of `type/`), and the cases of
//! OpenCode.

use crate::coerce::javascript;
use crate::limits::Limit;
use crate::value::{Int, Value};

use super::flavor::{
    Aliases, Anchors, BlockTextEnd, Brackets, Characters, Comments, Documents, DuplicateKeys,
    Flavor, Grammar, Indentation, Keys, Limits, LineBreaks, MergeKeys, MergeLists, NestedMaps,
    PlainTabs, SurrogateEscapes, Tabs, Tag, Tags, Unreadable,
};
use super::timestamp::Timestamp;
use super::{base64, numbers};

/// js-yaml 3.14.
pub const JS_YAML_3: Flavor = Flavor {
    name: "js-yaml 3.14",
    characters: Characters::Printable,
    line_breaks: LineBreaks::Yaml12,
    indentation: Indentation::Lenient,
    tabs: Tabs::Uncounted,
    block_text_end: BlockTextEnd::LineFeed,
    documents: Documents::Refused,
    grammar: Grammar::JsYaml3,
    plain_tabs: PlainTabs::Allowed,
    comments: Comments::BehindValues,
    nested_maps: NestedMaps::AnyColumn,
    surrogate_escapes: SurrogateEscapes::Paired,
    brackets: Brackets::Allowed,
    anchors: Anchors::Redefinable,
    aliases: Aliases::Shared,
    tags: Tags::Constructed,
    resolve,
    construct,
    keys: Keys::AnyTexts(javascript::text),
    key_identity,
    merge_keys: MergeKeys::Merged(MergeLists::EarlierWins),
    duplicate_keys: DuplicateKeys::Refused,
    // js-yaml itself has no limits and ends with an overflow of its stack; these are ours.
    limits: Limits {
        characters: usize::MAX,
        block_nesting: 1000,
        nesting: 1000,
        depth: 1024,
        simple_key: usize::MAX,
        merged_entries: Limit::MergedEntries.usual(),
    },
};

/// The implicit types of the safe schema, in js-yaml's order.
fn resolve(text: &str) -> Tag {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Tag::Bool,
        "<<" => Tag::Merge,
        _ if is_int(text) => Tag::Int,
        _ if is_float(text) => Tag::Float,
        _ if Timestamp::is_implicit(text) => Tag::Timestamp,
        _ => Tag::Text,
    }
}

/// `resolveYamlInteger`: as YAML 1.1, but no number may end in `_`, and `0` alone may be followed
/// by digits of base 8 only.
fn is_int(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.ends_with('_') {
        return false;
    }
    let based = |digits: &str, allowed: fn(char) -> bool| {
        digits.contains(allowed) && digits.chars().all(|c| c == '_' || allowed(c))
    };
    let Some(rest) = unsigned.strip_prefix('0') else {
        return numbers::is_int(text);
    };
    if let Some(digits) = rest.strip_prefix('b') {
        based(digits, |c| matches!(c, '0' | '1'))
    } else if let Some(digits) = rest.strip_prefix('x') {
        based(digits, |c| c.is_ascii_hexdigit())
    } else {
        rest.is_empty() || based(rest, |c| matches!(c, '0'..='7'))
    }
}

/// `YAML_FLOAT_PATTERN`.
fn is_float(text: &str) -> bool {
    // Most texts are told from a number by their first sign.
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
    if !text.starts_with(begins) || text.ends_with('_') {
        return false;
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    is_base_60(unsigned) || is_decimal(unsigned) || (text.starts_with('.') && is_fraction(text))
}

/// `[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*`
fn is_base_60(text: &str) -> bool {
    text.split_once('.').is_some_and(|(places, fraction)| {
        places.contains(':')
            && !places.starts_with('0')
            && numbers::is_int(places)
            && fraction.bytes().all(is_digit)
    })
}

/// `(0|[1-9][0-9_]*)(\.[0-9_]*)?([eE][-+]?[0-9]+)?`
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = split_exponent(text);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole_fits = whole == "0"
        || (whole.starts_with(|c: char| matches!(c, '1'..='9')) && whole.bytes().all(is_digit));
    whole_fits && fraction.bytes().all(is_digit) && exponent
}

/// `\.[0-9_]+([eE][-+]?[0-9]+)?`
fn is_fraction(text: &str) -> bool {
    let (mantissa, exponent) = split_exponent(text);
    mantissa.len() > 1 && mantissa[1..].bytes().all(is_digit) && exponent
}

/// Splits an exponent off; also returns whether it is well formed.
fn split_exponent(text: &str) -> (&str, bool) {
    match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let fits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            (mantissa, fits)
        }
        None => (text, true),
    }
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'_'
}

/// The constructors of the safe schema. A tag that is written must fit the text.
fn construct(tag: Tag, text: &str) -> Result<Value, Unreadable> {
    match tag {
        Tag::Null if resolve(text) == Tag::Null => Ok(Value::Null),
        Tag::Bool if resolve(text) == Tag::Bool => {
            Ok(Value::Bool(text.eq_ignore_ascii_case("true")))
        }
        Tag::Int if is_int(text) => int(text),
        Tag::Float if is_float(text) || is_int(text) => float(text),
        Tag::Timestamp => timestamp(text),
        Tag::Binary => base64::decode(text).map(Value::Binary),
        Tag::Null | Tag::Bool | Tag::Int | Tag::Float => {
            Err(Unreadable::new("is not what its tag says").with_hint("remove the tag"))
        }
        _ => Ok(Value::Text(text.into())),
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
        numbers::parse(digits, 8)
    } else if digits.contains(':') {
        numbers::parse_sexagesimal(digits)
    } else {
        numbers::parse(digits, 10)
    };
    match magnitude {
        Some(magnitude) if negative => Ok(javascript::number_of(numbers::negate(magnitude))),
        Some(magnitude) => Ok(javascript::number_of(magnitude)),
        None => Err(Unreadable::new("has too many digits")),
    }
}

fn float(text: &str) -> Result<Value, Unreadable> {
    let digits = text.replace('_', "").to_lowercase();
    let (negative, digits) = split_sign(&digits);
    let magnitude = match digits {
        ".inf" => Some(f64::INFINITY),
        ".nan" => Some(f64::NAN),
        _ if digits.contains(':') => numbers::parse_sexagesimal_float(digits),
        _ => digits.parse().ok(),
    };
    let sign = if negative { -1.0 } else { 1.0 };
    magnitude
        .map(|magnitude| Value::Float(sign * magnitude))
        .ok_or_else(|| Unreadable::new("is not a number"))
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// A date object, shown as `toISOString` does. There is no wrong date: February 30 is in March.
fn timestamp(text: &str) -> Result<Value, Unreadable> {
    Timestamp::parse(text)
        .map(|timestamp| Value::Timestamp(timestamp.to_javascript().into()))
        .ok_or_else(|| Unreadable::new("is not a date"))
}

/// Every key of a JavaScript object is a text, so `1` and `"1"` are one key.
fn key_identity(key: &Value) -> Option<String> {
    javascript::scalar_text(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Value {
        construct(resolve(text), text).expect("an implicit type fits its text")
    }

    #[test]
    fn plain_scalars_are_read_as_js_yaml_reads_them() {
        let int = |value| Value::Int(Int::Small(value));
        let cases = [
            ("yes", Value::Text("yes".into())),
            ("off", Value::Text("off".into())),
            ("010", int(8)),
            ("09", Value::Text("09".into())),
            ("0x10", int(16)),
            ("0o10", Value::Text("0o10".into())),
            ("1_000", int(1000)),
            ("1_", Value::Text("1_".into())),
            ("1:30", int(90)),
            ("1.", Value::Float(1.0)),
            ("1e3", Value::Float(1000.0)),
            (".5", Value::Float(0.5)),
            ("+.5", Value::Text("+.5".into())),
            ("01.5", Value::Text("01.5".into())),
            ("=", Value::Text("=".into())),
            ("-.inf", Value::Float(f64::NEG_INFINITY)),
            (
                "2026-02-30",
                Value::Timestamp("2026-03-02T00:00:00.000Z".into()),
            ),
            (
                "2026-03-04 1:02:03.4567 -01:30",
                Value::Timestamp("2026-03-04T02:32:03.456Z".into()),
            ),
            ("2026-3-4", Value::Text("2026-3-4".into())),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
