//! Lines and characters of a text, by offset.

use std::ops::Range;

/// Returns the place of a block text, from its `|` or `>` to the end of its last line, and the
/// place of the signs at its start.
///
/// `content` is the parser's place: it starts at the first letter and includes empty lines at the
/// end.
pub(super) fn block_text(
    source: &str,
    start: usize,
    content: Range<usize>,
) -> (Range<usize>, Range<usize>) {
    let header = &source[start + 1..];
    let signs = header
        .find(|c: char| !matches!(c, '+' | '-' | '0'..='9'))
        .unwrap_or(header.len());
    let header_end = start + 1 + signs;
    let text = source.get(content.clone()).unwrap_or("");
    let end = match text.trim_end_matches([' ', '\t', '\n', '\r']).len() {
        0 => header_end,
        length => header_end.max(content.start + length),
    };
    (start..end, start..header_end)
}

/// Returns whether a bracket opens at an offset.
pub(super) fn is_opening_bracket(source: &str, at: usize) -> bool {
    matches!(source.as_bytes().get(at), Some(b'[' | b'{'))
}

/// Returns the offset of the colon that follows on the same line, with nothing but white space
/// before it.
pub(super) fn colon_after(source: &str, at: usize) -> Option<usize> {
    let rest = source.get(at..)?.trim_start_matches([' ', '\t']);
    rest.starts_with(':').then(|| source.len() - rest.len())
}

/// Returns the column of an offset, in characters from 0.
pub(super) fn column(source: &str, at: usize) -> usize {
    let line = line_of(source, at);
    source.get(line.start..at).unwrap_or("").chars().count()
}

/// Returns the line around an offset, without its end.
pub(super) fn line_of(source: &str, at: usize) -> Range<usize> {
    let at = floor(source, at);
    let start = source[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = source[at..]
        .find(['\n', '\r'])
        .map_or(source.len(), |end| at + end);
    start..end
}

/// Returns where the line after the one around an offset starts; the length of the text if there
/// is none.
pub(super) fn next_line(source: &str, at: usize) -> usize {
    let end = line_of(source, at).end;
    let is_pair = source[end..].starts_with("\r\n");
    (end + if is_pair { 2 } else { 1 }).min(source.len())
}

/// Returns the offset after the character at `at`.
pub(super) fn next_char(source: &str, at: usize) -> usize {
    let at = floor(source, at);
    at + source[at..].chars().next().map_or(0, char::len_utf8)
}

/// Returns the start of the character that holds the byte at `at`.
pub(super) fn floor(source: &str, at: usize) -> usize {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the first tab inside of a value without quotes, or behind it on its line.
pub(super) fn tab_in_plain(source: &str, place: Range<usize>) -> Option<usize> {
    let behind = source.get(place.end..)?;
    let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    let text = source.get(place.start..place.end + blanks)?;
    text.find('\t').map(|at| place.start + at)
}
