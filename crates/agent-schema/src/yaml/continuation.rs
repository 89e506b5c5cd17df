//! Lines in brackets and quotes, for readers that want them indented further than their key.
//!
//! Source of rule: the lexer of the `yaml` package of npm (2.9), and runs of it.

use std::ops::Range;

use super::tokens;

/// Finds the first line of a quoted value that does not stand right of a column.
pub(super) fn stray_line(source: &str, place: Range<usize>, column: usize) -> Option<usize> {
    lines_after_first(source, place).find(|at| tokens::column(source, *at) <= column)
}

/// As [`stray_line`] for a value in brackets. Comments may stand anywhere, and the last closing
/// bracket in the column itself.
pub(super) fn stray_line_in_brackets(
    source: &str,
    place: Range<usize>,
    column: usize,
) -> Option<usize> {
    let last = place.end.saturating_sub(1);
    lines_after_first(source, place).find(|at| {
        let own = tokens::column(source, *at);
        own <= column && !source[*at..].starts_with('#') && (*at != last || own < column)
    })
}

/// Lists where the lines of a value begin that say anything, but for its first one.
fn lines_after_first(source: &str, place: Range<usize>) -> impl Iterator<Item = usize> {
    let mut at = tokens::next_line(source, place.start);
    std::iter::from_fn(move || {
        while at < place.end {
            let line = tokens::line_of(source, at);
            at = tokens::next_line(source, at);
            let content = source[line.clone()].trim_start_matches(' ');
            let start = line.end - content.len();
            if !content.trim().is_empty() && start < place.end {
                return Some(start);
            }
        }
        None
    })
}
