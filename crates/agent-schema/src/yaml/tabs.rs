//! Tabs at the start of lines, for readers that do not count them as indentation.

use std::ops::Range;

use crate::text::{MappedText, Replacement};

use super::flavor::{Flavor, Tabs};
use super::tokens;

/// Returns the text without the tabs between the start of a line and its content; `None` if there
/// is nothing to change. Lines of block texts keep them: there they are content.
pub(super) fn without_indenting<'a>(
    text: &MappedText<'a>,
    flavor: &Flavor,
) -> Option<MappedText<'a>> {
    let source = text.as_str();
    if flavor.tabs != Tabs::Uncounted || !source.contains('\t') {
        return None;
    }
    let mut edits: Vec<Replacement> = Vec::new();
    // The indentation of the line that opened the block text around the current line.
    let mut block_text: Option<usize> = None;
    let mut at = 0;
    while at < source.len() {
        let line = tokens::line_of(source, at);
        let content = &source[line.clone()];
        let spaces = content.len() - content.trim_start_matches(' ').len();
        let is_blank = content.trim().is_empty();
        if block_text.is_some_and(|opener| !is_blank && spaces <= opener) {
            block_text = None;
        }
        if block_text.is_none() {
            edits.extend(tabs_after(source, line.start + spaces).map(|tabs| (tabs, String::new())));
            if opens_block_text(content) {
                block_text = Some(spaces);
            }
        }
        at = tokens::next_line(source, at);
    }
    (!edits.is_empty()).then(|| text.edited(&edits))
}

/// Returns the white space at an offset if it begins with a tab.
fn tabs_after(source: &str, at: usize) -> Option<Range<usize>> {
    let rest = &source[at..];
    let length = rest.len() - rest.trim_start_matches(['\t', ' ']).len();
    rest.starts_with('\t').then_some(at..at + length)
}

/// Returns whether a line ends in the signs that begin a block text, such as `key: |-`.
fn opens_block_text(line: &str) -> bool {
    let line = match line.find(" #") {
        Some(comment) => &line[..comment],
        None => line,
    };
    let line = line.trim_end();
    let before =
        line.trim_end_matches(['+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    before
        .strip_suffix(['|', '>'])
        .is_some_and(|before| before.ends_with([' ', '\t']))
}
