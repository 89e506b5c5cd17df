//! Where SnakeYAML is stricter or freer than libyaml.
//!
//! Source of every rule: SnakeYAML's scanner, and runs of it over generated texts.

use std::ops::Range;

use crate::text::MappedText;

use super::error::{YamlError, YamlErrorKind};
use super::tokens;

/// Returns whether SnakeYAML takes a text for the name of an anchor.
pub(super) fn is_anchor_name(name: &str) -> bool {
    !name.is_empty() && !name.contains([':', '/', '.', '*', '&'])
}

/// Checks the first line of a block text, behind its signs: blanks and a comment are all that may
/// follow, and a blank has to stand before the comment.
pub(super) fn check_block_header(
    text: &MappedText<'_>,
    header: Range<usize>,
) -> Result<(), YamlError> {
    let source = text.as_str();
    let line = tokens::line_of(source, header.start);
    let rest = &source[header.end.min(line.end)..line.end];
    let behind_blanks = rest.trim_start_matches(' ');
    let is_comment = behind_blanks.starts_with('#') && behind_blanks.len() < rest.len();
    if behind_blanks.is_empty() || is_comment {
        return Ok(());
    }
    Err(YamlError::new(
        YamlErrorKind::Syntax,
        "only blanks and a comment behind a blank may follow here",
        text.span(header.end..line.end),
    )
    .with_hint("start the text on the next line"))
}
