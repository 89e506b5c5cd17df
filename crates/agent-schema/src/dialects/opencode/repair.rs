//! How OpenCode mends a header that js-yaml cannot parse.
//!
//! Source: `fallbackSanitization` in its `config/markdown.ts`, and the cases `parse/colon-*` and
//! `parse/bad-yaml-*`.

use crate::coerce::javascript::{is_space, trim};
use crate::text::Replacement;

/// Turns every top-level `word: value` whose value holds a colon into a block text, and every
/// CRLF into LF.
///
/// The header is what stands between the dashes, without the line end before the closing ones. If
/// a line end does not follow the first dashes at once, nothing is mended.
pub(super) fn edits(header: &str) -> Vec<Replacement> {
    let Some(start) = line_end(header, 0) else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    let mut at = start;
    loop {
        let end = header[at..].find('\n').map(|end| at + end);
        let stop = end.unwrap_or(header.len());
        let line = &header[at..stop];
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line_stop = at + line.len();
        if let Some(value) = value_with_colon(line) {
            // Only what is around the value is written anew, so that it keeps its place.
            let start = at + value.start;
            edits.push((at + value.key_end..start, ": ".to_owned()));
            edits.push((start..start, "|-\n  ".to_owned()));
            if value.end < line.len() {
                edits.push((at + value.end..line_stop, String::new()));
            }
        }
        // The line end of the last line belongs to the closing dashes.
        let Some(end) = end else { return edits };
        if line_stop < end {
            edits.push((line_stop..end + 1, "\n".to_owned()));
        }
        at = end + 1;
    }
}

/// Returns where the line end at an offset stops.
fn line_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let length = if rest.starts_with("\r\n") { 2 } else { 1 };
    rest.starts_with(['\r', '\n'])
        .then_some(at + length)
        .filter(|stop| text[..*stop].ends_with('\n'))
}

/// Where the value stands in a line that is mended.
struct Colons {
    key_end: usize,
    start: usize,
    end: usize,
}

/// Finds the value of a line that is mended.
fn value_with_colon(line: &str) -> Option<Colons> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let key_end = line.find(|c| !is_word(c)).unwrap_or(line.len());
    if !line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let rest = line[key_end..].trim_start_matches(is_space);
    let rest = rest.strip_prefix(':')?.trim_start_matches(is_space);
    let value = trim(rest);
    let left_alone = matches!(value, "" | ">" | "|") || value.starts_with(['"', '\'']);
    let start = line.len() - rest.len();
    (!left_alone && value.contains(':')).then_some(Colons {
        key_end,
        start,
        end: start + value.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(header: &str) -> String {
        let mut out = header.to_owned();
        for (range, text) in edits(header).into_iter().rev() {
            out.replace_range(range, &text);
        }
        out
    }

    #[test]
    fn only_plain_top_level_values_are_mended() {
        for (header, expected) in [
            ("\na: b: c # d", "\na: |-\n  b: c # d"),
            ("\na : x:y\nb: 1", "\na: |-\n  x:y\nb: 1"),
            ("\na-b: c: d", "\na-b: c: d"),
            ("\n a: b: c", "\n a: b: c"),
            ("\na: \"b: c\"", "\na: \"b: c\""),
            ("\na: [b: c", "\na: |-\n  [b: c"),
            ("\r\na: [b\r\nc: d\r", "\r\na: [b\nc: d\r"),
            (" \na: b: c", " \na: b: c"),
        ] {
            assert_eq!(mended(header), expected, "{header:?}");
        }
    }
}
