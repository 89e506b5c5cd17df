//! How JavaScript turns values into texts, numbers and truth.
//!
//! Source: ECMA-262, and the cases of harnesses written in JavaScript or TypeScript.

use crate::value::{Int, Node, Value};

/// Returns whether `\s` and `trim()` mean the character: white space or a line end.
#[must_use]
pub fn is_space(c: char) -> bool {
    matches!(c, '\u{9}'..='\u{d}' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// Returns `text.trim()`.
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Returns `text.length`: the number of UTF-16 units.
#[must_use]
pub fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns whether a condition takes the value for true.
#[must_use]
pub fn is_truthy(node: &Node) -> bool {
    match node.get() {
        Value::Null | Value::Bool(false) | Value::Int(Int::Small(0)) => false,
        Value::Float(value) => !value.is_nan() && *value != 0.0,
        Value::Text(text) => !text.is_empty(),
        _ => true,
    }
}

/// Returns `String(value)` of a value that is neither a list nor a map.
#[must_use]
pub fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("null".to_owned()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Int(_) | Value::Float(_) => number(value).map(number_text),
        Value::Text(text) | Value::Date(text) | Value::Timestamp(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns `String(value)`: the items of a list joined by commas, a fixed text for a map.
#[must_use]
pub fn text(node: &Node) -> String {
    match node.get() {
        Value::List(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| match item.get() {
                    Value::Null => String::new(),
                    _ => text(item),
                })
                .collect();
            items.join(",")
        }
        value => scalar_text(value).unwrap_or_else(|| "[object Object]".to_owned()),
    }
}

/// Returns a number as the one kind of number that JavaScript has.
#[must_use]
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => value.to_string().parse().ok(),
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

/// Returns an integer that a number of JavaScript holds, if it has no fraction.
#[must_use]
pub fn integer(value: &Value) -> Option<i64> {
    let number = number(value)?;
    let fits = number.fract() == 0.0 && number.abs() < 9e18;
    // The range was just checked.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the range was just checked"
    )]
    fits.then_some(number as i64)
}

/// Makes the value for an integer. A large one loses its last digits, because JavaScript has only
/// floating point numbers.
#[must_use]
pub fn number_of(int: Int) -> Value {
    const MOST_EXACT: i64 = 1 << 53;
    match int {
        Int::Small(value) if (-MOST_EXACT..=MOST_EXACT).contains(&value) => {
            Value::Int(Int::Small(value))
        }
        other => Value::Float(other.to_string().parse().unwrap_or(f64::INFINITY)),
    }
}

/// Returns `parseInt(text, 10)`: the digits at the start, behind white space and a sign.
#[must_use]
pub fn parse_int(text: &str) -> Option<i64> {
    let text = text.trim_start_matches(is_space);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let magnitude: i64 = match &digits[..end] {
        "" => return None,
        digits => digits.parse().unwrap_or(i64::MAX),
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// Returns a number as `String` writes it: without exponent from 1e-6 up to 1e21.
fn number_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-6..21).contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_javascript() {
        for (value, text) in [
            (12.0, "12"),
            (-0.0, "0"),
            (2.5, "2.5"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1.5e-7, "1.5e-7"),
            (0.000_001, "0.000001"),
        ] {
            assert_eq!(number_text(value), text);
        }
    }

    #[test]
    fn integers_are_read_from_the_start() {
        assert_eq!(parse_int(" 7 turns"), Some(7));
        assert_eq!(parse_int("-3.9"), Some(-3));
        assert_eq!(parse_int("many"), None);
    }
}
