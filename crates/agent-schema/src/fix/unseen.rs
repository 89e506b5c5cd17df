//! Control characters in a header. Nobody sees them, so nobody meant them, and most readers of
//! YAML refuse them.

use std::ops::Range;

use super::quotes::{escape, needs_escape};
use super::settings::{Mend, Setting};
use crate::text::Replacement;

/// Deletes the control characters of a setting, if it can be read then.
pub(super) fn mend(setting: &Setting<'_>) -> Option<Mend> {
    let range = setting.chunk.range.clone();
    let start = range.start;
    let edits: Vec<Replacement> = control_signs(&setting.text[range])
        .map(|(range, text)| (start + range.start..start + range.end, text.to_owned()))
        .collect();
    let title = match edits.len() {
        0 => return None,
        1 => "delete the character that cannot be seen",
        _ => "delete the characters that cannot be seen",
    };
    setting.proven(Mend::new(title, edits))
}

/// Returns a text without its control characters.
pub(super) fn without_controls(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut done = 0;
    for (range, instead) in control_signs(text) {
        seen.push_str(&text[done..range.start]);
        seen.push_str(instead);
        done = range.end;
    }
    seen.push_str(&text[done..]);
    seen
}

/// Returns the edits that make the inside of double quotes one that every reader takes: control
/// characters go, what may be a letter of another encoding is escaped.
pub(super) fn inside_quotes(inner: &str, start: usize) -> Vec<Replacement> {
    let deleted = control_signs(inner).map(|(range, text)| (range, text.to_owned()));
    let is_escaped = |c: char| needs_escape(c) && !is_unseen(c) && !is_space(c);
    let escaped = inner.char_indices().filter(|(_, c)| is_escaped(*c));
    let escaped = escaped.map(|(at, c)| (at..at + c.len_utf8(), escape(c)));
    let mut edits: Vec<Replacement> = deleted.chain(escaped).collect();
    edits.sort_by_key(|(range, _)| range.start);
    let edits = edits.into_iter();
    edits
        .map(|(range, text)| (start + range.start..start + range.end, text))
        .collect()
}

/// Finds control characters, with what stands for them: nothing, or the blank that was meant.
fn control_signs(text: &str) -> impl Iterator<Item = (Range<usize>, &'static str)> {
    let mut done = 0;
    text.char_indices().filter_map(move |(at, c)| {
        if at < done || !is_unseen(c) {
            return None;
        }
        done = at + c.len_utf8() + color_length(&text[at..]);
        Some((
            at..done,
            match c {
                '\u{b}' | '\u{c}' => " ",
                _ => "",
            },
        ))
    })
}

/// Returns how long the rest of an instruction is by which a terminal changes its colours.
fn color_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else {
        return 0;
    };
    let is_number = |c: char| c.is_ascii_digit() || c == ';';
    let end = rest.trim_start_matches(is_number);
    match end.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => "[".len() + rest.len() - end.len() + 1,
        false => 0,
    }
}

fn is_unseen(c: char) -> bool {
    c.is_ascii_control() && !is_space(c)
}

fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{85}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_go_and_what_they_part_stays_apart() {
        for (text, seen) in [
            ("Reads\u{8} maps", "Reads maps"),
            ("Reads\u{c}maps", "Reads maps"),
            ("\u{1b}[1;31mReads\u{1b}[0m maps", "Reads maps"),
            ("Reads\u{1b}[ maps\u{7f}", "Reads[ maps"),
            ("é\u{0}\tü", "é\tü"),
        ] {
            assert_eq!(without_controls(text), seen);
        }
        let edits = inside_quotes("a\u{1}\u{92}b", 3);
        assert_eq!(edits, [(4..5, String::new()), (5..7, "\\x92".to_owned())]);
    }
}
