//! What Java's own `toString()`, `trim()`, `isBlank()`, `equalsIgnoreCase()`, `intValue()` and
//! `Double.parseDouble()` make of a value.
//!
//! Source: the Java class library, version 21, seen through the cases of the harnesses that are
//! written in it.

use super::python::{LONGEST_TEXT, TooLong};
use crate::value::{Int, Node, Value};

/// Returns `String.valueOf(value)`: a list is `[a, b]` and a map `{key=value}`, without quotes.
///
/// # Errors
/// If the text would be longer than [`LONGEST_TEXT`].
pub fn text(node: &Node) -> Result<String, TooLong> {
    let mut out = String::new();
    write(node, &mut out)?;
    Ok(out)
}

fn write(node: &Node, out: &mut String) -> Result<(), TooLong> {
    if out.len() > LONGEST_TEXT {
        return Err(TooLong);
    }
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Float(value) => out.push_str(&double_text(*value)),
        Value::Text(text) | Value::Date(text) | Value::Timestamp(text) => out.push_str(text),
        // An array of bytes prints as its identity, which differs from run to run.
        Value::Binary(_) => out.push_str("[B@0"),
        Value::List(items) | Value::Set(items) => write_items(items, out)?,
        Value::Pairs(pairs) => {
            let pairs = pairs.iter().map(|(key, value)| (key, value));
            write_map(pairs, out)?;
        }
        Value::Map(map) => {
            let entries = map.entries.iter();
            write_map(entries.map(|entry| (&entry.key, &entry.value)), out)?;
        }
        Value::Shared(target) => write(target, out)?,
        Value::Recursive(_) => out.push_str("(this Map)"),
    }
    Ok(())
}

fn write_items(items: &[Node], out: &mut String) -> Result<(), TooLong> {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(item, out)?;
    }
    out.push(']');
    Ok(())
}

fn write_map<'a>(
    entries: impl Iterator<Item = (&'a Node, &'a Node)>,
    out: &mut String,
) -> Result<(), TooLong> {
    out.push('{');
    for (index, (key, value)) in entries.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(key, out)?;
        out.push('=');
        write(value, out)?;
    }
    out.push('}');
    Ok(())
}

/// Returns `Double.toString(value)`: the shortest digits that give the number back, with an
/// exponent from 10,000,000 upwards and below 0.001.
#[must_use]
pub fn double_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let with_fraction = |text: String| match text.contains('.') {
        true => text,
        false => text + ".0",
    };
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-3..1e7).contains(&magnitude) {
        return with_fraction(format!("{value}"));
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    format!("{}E{exponent}", with_fraction(digits.to_owned()))
}

/// Returns `text.trim()`, which takes off everything up to the blank and no other white space.
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_trimmed)
}

/// Returns whether `trim()` takes off a character.
#[must_use]
pub fn is_trimmed(c: char) -> bool {
    c <= ' '
}

/// Returns `text.isBlank()`. A no-break space is not blank, other spaces of Unicode are.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_white_space)
}

/// Returns `Character.isWhitespace(c)`.
#[must_use]
pub fn is_white_space(c: char) -> bool {
    matches!(c, '\u{9}'..='\u{d}' | '\u{1c}'..='\u{20}' | '\u{1680}' | '\u{2000}'..='\u{2006}'
        | '\u{2008}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{205f}' | '\u{3000}')
}

/// Returns `one.equalsIgnoreCase(other)`, which compares letter by letter in upper and then in
/// lower case: a long s is an s, and both Turkish i are an i.
#[must_use]
pub fn equals_ignoring_case(one: &str, other: &str) -> bool {
    let mut others = other.chars();
    let same = one.chars().all(|mine| {
        others
            .next()
            .is_some_and(|theirs| folded(mine) == folded(theirs))
    });
    same && others.next().is_none()
}

/// Returns the letter that Java compares where case does not count:
/// `toLowerCase(toUpperCase(c))`, each giving one letter.
#[must_use]
pub fn folded(c: char) -> char {
    let mut upper = c.to_uppercase();
    let upper = match (upper.next(), upper.next()) {
        (Some(upper), None) => upper,
        _ => c,
    };
    upper.to_lowercase().next().unwrap_or(upper)
}

/// Returns `Boolean.parseBoolean(text)`: only the word `true`, in any case, is true.
#[must_use]
pub fn parse_boolean(text: &str) -> bool {
    equals_ignoring_case(text, "true")
}

/// Returns `number.intValue()`; `None` for what is no number. An integer keeps its lowest 32
/// bits; a float is cut to an integer and stops at the ends of the range.
#[must_use]
pub fn int_value(value: &Value) -> Option<i32> {
    match value {
        // Cutting to 32 bits is what is asked for, and Rust's `as` does the same as Java for both.
        #[expect(clippy::cast_possible_truncation, reason = "Java cuts here too")]
        Value::Int(Int::Small(value)) => Some(*value as i32),
        Value::Int(Int::Big(digits)) => Some(lowest_bits(digits)),
        #[expect(clippy::cast_possible_truncation, reason = "Java cuts here too")]
        Value::Float(value) => Some(*value as i32),
        _ => None,
    }
}

/// Returns the lowest 32 bits of a decimal number in two's complement.
fn lowest_bits(decimal: &str) -> i32 {
    let digits = decimal.bytes().filter(u8::is_ascii_digit);
    let magnitude = digits.fold(0i32, |value, digit| {
        value.wrapping_mul(10).wrapping_add(i32::from(digit - b'0'))
    });
    match decimal.starts_with('-') {
        true => magnitude.wrapping_neg(),
        false => magnitude,
    }
}

/// Returns `Double.parseDouble(text)`: blanks around it, a type letter behind it, hexadecimal
/// floats, `NaN` and `Infinity` are fine; `None` if Java throws.
#[must_use]
pub fn parse_double(text: &str) -> Option<f64> {
    let text = trim(text);
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match unsigned {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        _ => {
            let digits = unsigned
                .strip_suffix(['f', 'F', 'd', 'D'])
                .unwrap_or(unsigned);
            match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
                // Behind the exponent, which must be there, the letter is no digit.
                Some(hexadecimal) => parse_hexadecimal(hexadecimal)?,
                None => parse_decimal(digits)?,
            }
        }
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn parse_decimal(digits: &str) -> Option<f64> {
    let is_plain = digits
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    let begins = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    // Between these, Rust reads the same forms.
    (is_plain && begins).then(|| digits.parse().ok()).flatten()
}

/// Reads `1.8p3`, which needs its exponent, rounded once.
fn parse_hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let places = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_number = !places.is_empty() && places.bytes().all(|b| b.is_ascii_digit());
    if !is_number || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // An exponent that does not fit is far out of the range of a double either way.
    let far = match exponent.starts_with('-') {
        true => i64::MIN / 8,
        false => i64::MAX / 8,
    };
    let mut exponent = exponent
        .parse::<i64>()
        .unwrap_or(far)
        .clamp(i64::MIN / 8, i64::MAX / 8);
    // 60 bits hold the digits that count; what is cut off leaves a bit behind, for rounding.
    let mut bits = 0u64;
    let whole = whole.chars().map(|digit| (digit, false));
    let fraction = fraction.chars().map(|digit| (digit, true));
    for (digit, is_fraction) in whole.chain(fraction) {
        let digit = u64::from(digit.to_digit(16)?);
        match bits >> 56 == 0 {
            true => bits = bits << 4 | digit,
            false => {
                bits |= u64::from(digit != 0);
                exponent = exponent.saturating_add(4);
            }
        }
        if is_fraction {
            exponent = exponent.saturating_sub(4);
        }
    }
    Some(scale(bits, exponent))
}

/// Returns `bits * 2^exponent`, rounded once to the nearest double.
fn scale(mut bits: u64, mut exponent: i64) -> f64 {
    const MANTISSA: i64 = 53;
    const LEAST_EXPONENT: i64 = -1074;
    if bits == 0 || exponent < -3000 {
        return 0.0;
    }
    let width = i64::from(64 - bits.leading_zeros());
    let surplus = (width - MANTISSA).max(LEAST_EXPONENT - exponent);
    if surplus > 0 {
        let surplus = u32::try_from(surplus).unwrap_or(u32::MAX);
        exponent += i64::from(surplus);
        bits = match surplus {
            ..64 => round_to_even(bits, surplus),
            _ => 0,
        };
    }
    // Both factors are exact powers, so that nothing is rounded again.
    let steps = i32::try_from(exponent.min(3000)).unwrap_or(3000);
    let half = steps / 2;
    // At most 53 bits are left, which a double holds exactly.
    #[expect(clippy::cast_precision_loss, reason = "at most 53 bits are left")]
    let mantissa = bits as f64;
    mantissa * 2f64.powi(half) * 2f64.powi(steps - half)
}

fn round_to_even(bits: u64, surplus: u32) -> u64 {
    let kept = bits >> surplus;
    let rest = bits & ((1u64 << surplus) - 1);
    let half = 1u64 << (surplus - 1);
    kept + u64::from(rest > half || rest == half && kept & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_in_java() {
        for (value, expected) in [
            (1.5, "1.5"),
            (1000.0, "1000.0"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (0.001, "0.001"),
            (0.000_99, "9.9E-4"),
            (-0.0, "-0.0"),
            (1.25e300, "1.25E300"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(double_text(value), expected);
        }
    }

    #[test]
    fn doubles_read_as_in_java() {
        for (text, expected) in [
            (" 0.35 ", 0.35),
            ("1d", 1.0),
            ("-.5F", -0.5),
            ("1.", 1.0),
            ("+1e3", 1000.0),
            ("0x1.8p1", 3.0),
            ("0X.4P2d", 1.0),
            ("0x1p-1074", 5e-324),
            ("0x1.fffffffffffff8p1023", f64::INFINITY),
            ("0x1.00000000000008p0", 1.0),
            ("0x1.000000000000081p0", 1.000_000_000_000_000_2),
            ("0x0p99999999999999999999", 0.0),
            ("-Infinity", f64::NEG_INFINITY),
        ] {
            assert_eq!(parse_double(text), Some(expected), "{text}");
        }
        assert!(parse_double("NaN").is_some_and(f64::is_nan));
        for bad in [
            "",
            "warm",
            "1_0",
            "nan",
            "inf",
            "0x1",
            "0xp1",
            "1ee3",
            "1e",
            ".",
            "d",
            "1dd",
            "--1",
            "0x1p",
            "0x1p+",
            "Infinityd",
        ] {
            assert_eq!(parse_double(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbers_are_cut_as_in_java() {
        let int = |text: &str| Value::Int(Int::Big(text.into()));
        for (value, expected) in [
            (Value::Int(Int::Small(9_999_999_999)), 1_410_065_407),
            (int("99999999999999999999"), 1_661_992_959),
            (int("-99999999999999999999"), -1_661_992_959),
            (Value::Float(7.9), 7),
            (Value::Float(-1e99), i32::MIN),
        ] {
            assert_eq!(int_value(&value), Some(expected));
        }
        assert_eq!(int_value(&Value::Bool(true)), None);
    }

    #[test]
    fn letters_are_compared_as_in_java() {
        assert!(equals_ignoring_case("\u{17f}HAred", "shared"));
        assert!(equals_ignoring_case("\u{131}solated", "ISOLATED"));
        assert!(equals_ignoring_case("\u{130}solated", "isolated"));
        assert!(!equals_ignoring_case("share", "shared"));
        assert!(!equals_ignoring_case("sharedd", "shared"));
    }

    #[test]
    fn white_space_is_that_of_java() {
        assert!(is_blank("\u{2003}\u{3000}\t"));
        assert!(!is_blank("\u{a0}"));
        assert!(!is_blank("\u{feff}"));
        assert_eq!(trim("\u{0} \u{a0}a\u{a0}\r\n"), "\u{a0}a\u{a0}");
    }
}
