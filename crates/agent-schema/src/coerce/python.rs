//! What Python's own `str()`, `repr()`, `int()`, `float()` and `str.strip()` make of a value.
//!
//! Source: CPython 3.12, seen through the cases of the harnesses that are written in it.

use std::fmt;

use crate::value::{Int, Node, Value};

/// The longest text that is made of one value. A header of 388 bytes can stand for half a
/// gigabyte through nested aliases; the harness then runs for half a minute or is killed.
pub const LONGEST_TEXT: usize = 4 << 20;

/// The value would become a text longer than [`LONGEST_TEXT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = LONGEST_TEXT >> 20;
        write!(f, "would become a text of more than {most} MiB")
    }
}

impl std::error::Error for TooLong {}

/// Returns `str(value)`.
///
/// # Errors
/// If the text would be longer than [`LONGEST_TEXT`].
pub fn text(node: &Node) -> Result<String, TooLong> {
    let mut out = String::new();
    match node.get() {
        Value::Text(text) | Value::Date(text) | Value::Timestamp(text) => out.push_str(text),
        _ => write_repr(node, &mut out)?,
    }
    Ok(out)
}

/// Appends `repr(value)`.
fn write_repr(node: &Node, out: &mut String) -> Result<(), TooLong> {
    if out.len() > LONGEST_TEXT {
        return Err(TooLong);
    }
    match &node.value {
        Value::Null => out.push_str("None"),
        Value::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Float(value) => out.push_str(&float_repr(*value)),
        Value::Text(text) => write_quoted(text, out),
        Value::Date(text) => write_call("datetime.date", text, out),
        Value::Timestamp(text) => write_call("datetime.datetime", text, out),
        Value::Binary(bytes) => write_bytes(bytes, out),
        Value::List(items) => write_items(items, "[", "]", out)?,
        Value::Set(items) if items.is_empty() => out.push_str("set()"),
        Value::Set(items) => write_items(items, "{", "}", out)?,
        Value::Pairs(pairs) => {
            out.push('[');
            for (index, (key, value)) in pairs.iter().enumerate() {
                out.push_str(if index == 0 { "(" } else { ", (" });
                write_repr(key, out)?;
                out.push_str(", ");
                write_repr(value, out)?;
                out.push(')');
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (index, entry) in map.entries.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_repr(&entry.key, out)?;
                out.push_str(": ");
                write_repr(&entry.value, out)?;
            }
            out.push('}');
        }
        Value::Shared(target) => write_repr(target, out)?,
        Value::Recursive(_) => out.push_str("{...}"),
    }
    Ok(())
}

fn write_items(items: &[Node], open: &str, close: &str, out: &mut String) -> Result<(), TooLong> {
    out.push_str(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_repr(item, out)?;
    }
    out.push_str(close);
    Ok(())
}

/// Writes a date or time as the call that makes it: every number of the ISO text is an argument.
fn write_call(function: &str, iso: &str, out: &mut String) {
    let (moment, offset) = split_offset(iso);
    let mut numbers: Vec<i64> = moment
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().unwrap_or(0))
        .collect();
    // Trailing zero seconds and microseconds are left out by `repr`, hours and minutes are not.
    while numbers.len() > 5 && numbers.last() == Some(&0) {
        numbers.pop();
    }
    let arguments: Vec<String> = numbers.iter().map(i64::to_string).collect();
    out.push_str(function);
    out.push('(');
    out.push_str(&arguments.join(", "));
    if let Some(seconds) = offset {
        out.push_str(", tzinfo=");
        if seconds == 0 {
            out.push_str("datetime.timezone.utc");
        } else {
            // A negative offset is a day back and the rest forward, as `timedelta` keeps it.
            let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
            let delta = if days == 0 {
                format!("seconds={rest}")
            } else {
                format!("days={days}, seconds={rest}")
            };
            out.push_str("datetime.timezone(datetime.timedelta(");
            out.push_str(&delta);
            out.push_str("))");
        }
    }
    out.push(')');
}

/// Splits `2026-03-09 12:30:00-01:30` into the moment and the offset in seconds.
fn split_offset(iso: &str) -> (&str, Option<i64>) {
    let Some(at) = iso
        .get(11..)
        .and_then(|time| time.find(['+', '-']))
        .map(|at| at + 11)
    else {
        return (iso, None);
    };
    let sign = if iso.as_bytes()[at] == b'-' { -1 } else { 1 };
    let seconds = iso[at + 1..]
        .split(':')
        .zip([3600, 60, 1])
        .map(|(part, unit)| part.parse::<i64>().unwrap_or(0) * unit)
        .sum::<i64>();
    (&iso[..at], Some(sign * seconds))
}

fn write_bytes(bytes: &[u8], out: &mut String) {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') {
        '"'
    } else {
        '\''
    };
    out.push('b');
    out.push(quote);
    for &byte in bytes {
        match byte {
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\\' => out.push_str("\\\\"),
            byte if char::from(byte) == quote => {
                out.push('\\');
                out.push(quote);
            }
            0x20..0x7f => out.push(char::from(byte)),
            byte => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push(quote);
}

fn write_quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if is_printable(c) => out.push(c),
            c => {
                let code = u32::from(c);
                out.push_str(&match code {
                    0..=0xff => format!("\\x{code:02x}"),
                    0x100..=0xffff => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                });
            }
        }
    }
    out.push(quote);
}

/// Python's `str.isprintable` without its table of unassigned characters: everything but
/// controls, separators other than the blank, format characters and private use.
fn is_printable(c: char) -> bool {
    !(c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(u32::from(c),
            0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890..=0x891 | 0x8e2 | 0x180e
            | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb
            | 0x110bd | 0x110cd | 0x13430..=0x1343f | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a
            | 0xe000..=0xf8ff | 0xfffe..=0xffff | 0xe0001..=0x10ffff))
}

/// Returns `repr` of a float: the shortest digits that give the number back, with an exponent
/// from 1e16 upwards and below 1e-4.
#[must_use]
pub fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value == 0.0 || (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        if plain.contains('.') {
            plain
        } else {
            plain + ".0"
        }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}e{sign}{:02}", exponent.abs())
    }
}

/// Returns whether `str.strip()` removes the character.
#[must_use]
pub fn is_space(c: char) -> bool {
    matches!(c, '\u{9}'..='\u{d}' | '\u{1c}'..='\u{20}' | '\u{85}' | '\u{a0}' | '\u{1680}'
        | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Returns `text.strip()`.
#[must_use]
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Why a text is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotANumber {
    /// It has another form.
    Form,
    /// It has more digits than `int()` accepts.
    TooManyDigits,
}

/// The most digits that `int()` reads from a text.
const MOST_DIGITS: usize = 4300;

/// Returns `int(text)`: blanks around it, a sign, single underscores between digits, and the
/// decimal digits of every script.
///
/// # Errors
/// If Python raises a `ValueError`.
pub fn int(text: &str) -> Result<Int, NotANumber> {
    let text = strip(text);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = plain_digits(digits).ok_or(NotANumber::Form)?;
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NotANumber::Form);
    }
    if digits.len() > MOST_DIGITS {
        return Err(NotANumber::TooManyDigits);
    }
    let digits = digits.trim_start_matches('0');
    let signed = match (negative, digits) {
        (_, "") => "0".to_owned(),
        (true, digits) => format!("-{digits}"),
        (false, digits) => digits.to_owned(),
    };
    Ok(match signed.parse() {
        Ok(small) => Int::Small(small),
        Err(_) => Int::Big(signed.into()),
    })
}

/// Returns `float(text)`.
///
/// # Errors
/// If Python raises a `ValueError`.
pub fn float(text: &str) -> Result<f64, NotANumber> {
    let text = plain_digits(strip(text)).ok_or(NotANumber::Form)?;
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(&text);
    let is_word = ["inf", "infinity", "nan"]
        .iter()
        .any(|word| unsigned.eq_ignore_ascii_case(word));
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if !(is_word || is_number) {
        return Err(NotANumber::Form);
    }
    // Rust reads the same forms as Python once blanks, underscores and other scripts are gone.
    text.parse().map_err(|_| NotANumber::Form)
}

/// Replaces digits of other scripts by ASCII digits and takes out single underscores between
/// digits. Returns nothing if an underscore stands elsewhere or nothing is there.
fn plain_digits(text: &str) -> Option<String> {
    let chars: Vec<char> = text
        .chars()
        .map(|c| digit_value(c).map_or(c, |value| char::from(b'0' + value)))
        .collect();
    if chars.is_empty() {
        return None;
    }
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_some_and(char::is_ascii_digit)
    };
    let mut out = String::with_capacity(chars.len());
    for (at, &c) in chars.iter().enumerate() {
        if c != '_' {
            out.push(c);
        } else if !(is_digit(at.checked_sub(1)) && is_digit(Some(at + 1))) {
            return None;
        }
    }
    Some(out)
}

/// The zero of each row of ten decimal digits in Unicode 15.0, the version of CPython 3.12.
const ZEROS: [u32; 68] = [
    0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6,
    0x0D66, 0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80,
    0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
    0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0,
    0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60,
    0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0,
    0x1E950, 0x1FBF0,
];

fn digit_value(c: char) -> Option<u8> {
    let code = u32::from(c);
    let row = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    u8::try_from(code - ZEROS[row])
        .ok()
        .filter(|value| *value < 10)
}

/// Returns whether the file name has a suffix as `pathlib` sees it, and splits it: the stem, and
/// the suffix with its dot. A name that only begins or only ends with a dot has none.
#[must_use]
pub fn split_suffix(file_name: &str) -> (&str, &str) {
    match file_name.rfind('.') {
        Some(dot) if dot > 0 && dot + 1 < file_name.len() => file_name.split_at(dot),
        _ => (file_name, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use crate::value::{Entry, Mapping, Style};

    fn node(value: Value) -> Node {
        Node::new(value, Span::default(), Style::Plain)
    }

    #[test]
    fn floats_print_as_in_python() {
        for (value, expected) in [
            (1.5, "1.5"),
            (10.0, "10.0"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1e16, "1e+16"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (1e15, "1000000000000000.0"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(float_repr(value), expected);
        }
    }

    #[test]
    fn containers_print_as_in_python() {
        let list = node(Value::List(vec![
            node(Value::Text("a'b".into())),
            node(Value::Text("tab\there é \u{1f980}\u{200b}".into())),
            node(Value::Null),
            node(Value::Date("2026-03-09".into())),
            node(Value::Timestamp("2026-03-09 12:30:00-01:30".into())),
            node(Value::Map(Mapping {
                entries: vec![Entry {
                    key: node(Value::Text("k".into())),
                    value: node(Value::Bool(true)),
                }],
                ..Mapping::default()
            })),
        ]));
        assert_eq!(
            text(&list).as_deref(),
            Ok(concat!(
                "[\"a'b\", 'tab\\there é 🦀\\u200b', None, datetime.date(2026, 3, 9), ",
                "datetime.datetime(2026, 3, 9, 12, 30, tzinfo=datetime.timezone(",
                "datetime.timedelta(days=-1, seconds=81000))), {'k': True}]"
            ))
        );
    }

    #[test]
    fn numbers_read_as_in_python() {
        assert_eq!(int(" 1_0 "), Ok(Int::Small(10)));
        assert_eq!(int("+9"), Ok(Int::Small(9)));
        assert_eq!(int("٣٢"), Ok(Int::Small(32)));
        assert_eq!(int("-0012"), Ok(Int::Small(-12)));
        for bad in ["", "1__0", "_1", "1_", "10.0", "1e3", "0x10", "- 1"] {
            assert_eq!(int(bad), Err(NotANumber::Form), "{bad}");
        }
        assert_eq!(int(&"9".repeat(4301)), Err(NotANumber::TooManyDigits));
        assert_eq!(float("5e-1"), Ok(0.5));
        assert_eq!(float(" 1_0.5 "), Ok(10.5));
        assert_eq!(float("Infinity"), Ok(f64::INFINITY));
        for bad in ["$5", "", "e5", "1e", "infinit", "0x1", "1_.5"] {
            assert!(float(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn suffixes_are_those_of_pathlib() {
        assert_eq!(split_suffix("v1.2.helper.md"), ("v1.2.helper", ".md"));
        assert_eq!(split_suffix(".md"), (".md", ""));
        assert_eq!(split_suffix("..md"), (".", ".md"));
        assert_eq!(split_suffix("a."), ("a.", ""));
    }
}
