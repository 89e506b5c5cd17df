//! Jackson's YAML reader: tokens straight from the events of SnakeYAML, without its composer.
//!
//! So nothing resolves aliases or merges maps, keys are texts whatever they look like, and tags
//! count on single values only. What the scalars mean is SnakeYAML's resolver (YAML 1.1), then
//! Jackson's own decoding of numbers, which knows no base 60 and fails on infinities.
//!
//! Source of every rule: the sources of jackson-dataformat-yaml and SnakeYAML, and the recorded
//! cases of AgentScope, which ran 2.22.1 on 2.6.

use crate::value::{Int, Value};

use super::flavor::{
    Aliases, Anchors, BlockTextEnd, Brackets, Characters, Comments, Documents, DuplicateKeys,
    Flavor, Grammar, Indentation, Keys, Limits, LineBreaks, MergeKeys, NestedMaps, PlainTabs,
    SurrogateEscapes, Tabs, Tag, Tags, Unreadable,
};
use super::{base64, numbers};

/// jackson-dataformat-yaml 2.22 with SnakeYAML 2.6.
pub const JACKSON: Flavor = Flavor {
    name: "SnakeYAML 2.6",
    characters: Characters::Printable,
    line_breaks: LineBreaks::Yaml11,
    indentation: Indentation::Lenient,
    tabs: Tabs::ByGrammar,
    block_text_end: BlockTextEnd::AsWritten,
    grammar: Grammar::SnakeYaml,
    plain_tabs: PlainTabs::Allowed,
    comments: Comments::BehindValues,
    nested_maps: NestedMaps::AnyColumn,
    surrogate_escapes: SurrogateEscapes::Paired,
    brackets: Brackets::Allowed,
    anchors: Anchors::Redefinable,
    aliases: Aliases::Name,
    tags: Tags::OfScalars,
    keys: Keys::AsWritten,
    documents: Documents::FirstOnly,
    resolve,
    construct,
    key_identity,
    merge_keys: MergeKeys::Ordinary,
    duplicate_keys: DuplicateKeys::LastWins,
    limits: Limits {
        characters: 3_145_728,
        block_nesting: MOST_NESTING,
        nesting: MOST_NESTING,
        depth: MOST_NESTING,
        simple_key: 1024,
        merged_entries: 0,
    },
};

/// Jackson's own limit of objects and arrays inside each other.
const MOST_NESTING: usize = 1000;

/// The longest number that Jackson reads, in characters without underscores.
const LONGEST_NUMBER: usize = 1000;

/// SnakeYAML's implicit resolvers, as far as Jackson looks at them: dates stay texts.
fn resolve(text: &str) -> Tag {
    match text.as_bytes().first() {
        None => Tag::Null,
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => {
            if is_int(text) {
                Tag::Int
            } else if is_float(text) {
                Tag::Float
            } else {
                Tag::Text
            }
        }
        _ => match text {
            "~" | "null" | "Null" | "NULL" => Tag::Null,
            "yes" | "Yes" | "YES" | "no" | "No" | "NO" | "true" | "True" | "TRUE" | "false"
            | "False" | "FALSE" | "on" | "On" | "ON" | "off" | "Off" | "OFF" => Tag::Bool,
            _ => Tag::Text,
        },
    }
}

/// SnakeYAML's pattern of integers, which takes underscores before the first digit of a base.
/// Numbers of base 60 are left out: Jackson takes them for texts.
fn is_int(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let of = |digits: &str, base: u32| {
        let digits = digits.trim_start_matches('_');
        !digits.is_empty() && digits.chars().all(|c| c == '_' || c.is_digit(base))
    };
    match unsigned.strip_prefix('0') {
        Some("") => true,
        Some(rest) => match (rest.strip_prefix('b'), rest.strip_prefix('x')) {
            (Some(digits), _) => of(digits, 2),
            (_, Some(digits)) => of(digits, 16),
            _ => of(rest, 8),
        },
        None => unsigned.starts_with(|c: char| c.is_ascii_digit()) && of(unsigned, 10),
    }
}

/// SnakeYAML's pattern of floats, base 60 included: Jackson takes such a value for a float and
/// fails on it.
fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(text, ".nan" | ".NaN" | ".NAN") || matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    let digits = |text: &str| text.len() - text.trim_start_matches(is_digit_or_underscore).len();
    if let Some(fraction) = unsigned.strip_prefix('.') {
        let end = digits(fraction);
        return end > 0 && is_exponent_or_empty(&fraction[end..]);
    }
    if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let rest = &unsigned[digits(unsigned)..];
    match rest.strip_prefix('.') {
        Some(fraction) => is_exponent_or_empty(&fraction[digits(fraction)..]),
        None if rest.starts_with(':') => numbers::after_sexagesimal(rest)
            .and_then(|rest| rest.strip_prefix('.'))
            .is_some_and(|fraction| digits(fraction) == fraction.len()),
        None => !rest.is_empty() && is_exponent_or_empty(rest),
    }
}

fn is_digit_or_underscore(c: char) -> bool {
    c.is_ascii_digit() || c == '_'
}

fn is_exponent_or_empty(text: &str) -> bool {
    let Some(exponent) = text.strip_prefix(['e', 'E']) else {
        return text.is_empty();
    };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Jackson's decoding of a scalar.
fn construct(tag: Tag, text: &str) -> Result<Value, Unreadable> {
    match tag {
        // With a tag and without a text there is nothing to decode.
        Tag::Int | Tag::Float if text.is_empty() => Ok(Value::Text("".into())),
        Tag::Null => Ok(Value::Null),
        Tag::Bool => Ok(bool(text)),
        Tag::Int => int(text),
        Tag::Float => float(text),
        Tag::Binary => base64::decode(text.trim()).map(Value::Binary),
        _ => Ok(Value::Text(text.into())),
    }
}

/// With the tag `!!bool` single letters count too; what is no boolean stays a text.
fn bool(text: &str) -> Value {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" | "y" => Value::Bool(true),
        "no" | "false" | "off" | "n" => Value::Bool(false),
        _ => Value::Text(text.into()),
    }
}

fn int(text: &str) -> Result<Value, Unreadable> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (base, digits) = match unsigned.strip_prefix('0') {
        None => (10, unsigned),
        Some("") => return Ok(Value::Int(Int::Small(0))),
        Some(rest) => match rest.as_bytes()[0] {
            b'b' | b'B' => (2, &rest[1..]),
            b'x' | b'X' => (16, &rest[1..]),
            b'0'..=b'9' | b'_' => (8, rest),
            _ => return Ok(Value::Text(text.into())),
        },
    };
    if base == 10 && !digits.chars().all(is_digit_or_underscore) || digits.is_empty() {
        return Ok(Value::Text(text.into()));
    }
    let digits = digits.replace('_', "");
    if digits.len() > LONGEST_NUMBER {
        return Err(Unreadable::new(format!(
            "has more than {LONGEST_NUMBER} digits"
        )));
    }
    match numbers::parse(&digits, base) {
        Some(magnitude) if negative => Ok(Value::Int(numbers::negate(magnitude))),
        Some(magnitude) => Ok(Value::Int(magnitude)),
        None => Err(
            Unreadable::new("looks like an integer, but its digits cannot be read")
                .with_hint("put it in quotes if it is a text"),
        ),
    }
}

fn float(text: &str) -> Result<Value, Unreadable> {
    let digits = text.replace('_', "");
    if digits.len() > LONGEST_NUMBER {
        return Err(Unreadable::new(format!(
            "has more than {LONGEST_NUMBER} digits"
        )));
    }
    match crate::coerce::java::parse_double(&digits) {
        Some(value) => Ok(Value::Float(value)),
        None => Err(Unreadable::new(
            "looks like a float, but Jackson cannot read it, and the header is lost",
        )
        .with_hint("put it in quotes if it is a text, or write an ordinary number")),
    }
}

/// Keys are texts, so that only their letters count.
fn key_identity(key: &Value) -> Option<String> {
    match key {
        Value::Text(text) => Some(text.to_string()),
        _ => None,
    }
}
