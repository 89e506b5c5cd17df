//! How Claude Code mends a header that is no YAML: it puts values in quotes, line by line.
//!
//! Source of every rule: cases `parse/rp-*`, both versions.

use crate::coerce::javascript;
use crate::text::{MappedText, Replacement};
use crate::value::Value;
use crate::yaml;

/// Signs that have a meaning in YAML; a colon has one before a blank.
const SPECIAL: &[char] = &[
    '{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`',
];

/// Returns the edits that put values with special signs in quotes.
pub(super) fn edits(header: &str) -> Vec<Replacement> {
    let mut edits = Vec::new();
    let mut at = 0;
    for line in header.split('\n') {
        if let Some((before, value)) = key_and_value(line)
            && needs_quotes(value)
        {
            quote(at + before.start..at + before.end, value, &mut edits);
        }
        at += line.len() + 1;
    }
    edits
}

/// Splits a line into the white space behind its colon and its value. The expression is
/// `^[a-zA-Z_-]+:\s+(.+)$`, so a line that ends in CR has no value: nothing matches a CR.
fn key_and_value(line: &str) -> Option<(std::ops::Range<usize>, &str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key_sign = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    if key.is_empty() || !key.chars().all(is_key_sign) {
        return None;
    }
    let value = rest.trim_start_matches(javascript::is_space);
    let blank = rest.len() - value.len();
    let ends_line = |c: char| matches!(c, '\r' | '\u{2028}' | '\u{2029}');
    // A value of white space alone holds nothing that is special.
    if blank == 0 || value.is_empty() || value.contains(ends_line) {
        return None;
    }
    let start = key.len() + 1;
    Some((start..start + blank, value))
}

fn needs_quotes(value: &str) -> bool {
    let quoted = |quote: char| value.starts_with(quote) && value.ends_with(quote);
    let is_special = value.contains(SPECIAL) || value.contains(": ");
    is_special && !quoted('"') && !quoted('\'') && !is_complete_list(value)
}

/// A list in brackets that can be read by itself stays as it is; a blank or a comment behind it
/// is enough to spoil that (cases `parse/rp-flow-*`).
fn is_complete_list(value: &str) -> bool {
    value.starts_with('[')
        && value.ends_with(']')
        && yaml::read(&MappedText::plain(value), &super::YAML)
            .is_ok_and(|list| list.is_some_and(|list| matches!(list.get(), Value::List(_))))
}

fn quote(blank: std::ops::Range<usize>, value: &str, edits: &mut Vec<Replacement>) {
    let start = blank.end;
    // Two edits, so that the value stands where it is written, and not on the blank before it.
    edits.push((blank, " ".to_owned()));
    edits.push((start..start, "\"".to_owned()));
    for (at, _) in value.match_indices(['\\', '"']) {
        edits.push((start + at..start + at, "\\".to_owned()));
    }
    let end = start + value.len();
    edits.push((end..end, "\"".to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(header: &str) -> String {
        let text = MappedText::plain(header);
        text.edited(&edits(header)).as_str().to_owned()
    }

    #[test]
    fn only_whole_lines_with_special_signs_change() {
        for (header, expected) in [
            ("a: b: c\nd: e", "a: \"b: c\"\nd: e"),
            ("a: C:\\n: \"x\" y", "a: \"C:\\\\n: \\\"x\\\" y\""),
            ("a: b: c\r\nd: [e]  ", "a: b: c\r\nd: \"[e]  \""),
            ("a: [b, c]\nd: [*]\n e: *f", "a: [b, c]\nd: \"[*]\"\n e: *f"),
            ("a1: b: c\na : b: c", "a1: b: c\na : b: c"),
            ("a: \"b\": \"c\"\nd:", "a: \"b\": \"c\"\nd:"),
        ] {
            assert_eq!(mended(header), expected);
        }
    }
}
