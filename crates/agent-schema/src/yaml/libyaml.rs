//! Where libyaml is stricter than the specification, and so than the parser used here.
//!
//! Source of every rule: libyaml's `scanner.c` and `parser.c`, and runs of PyYAML 6.0.4 over
//! generated texts.

use std::ops::Range;

use crate::text::MappedText;

use super::error::{YamlError, YamlErrorKind};
use super::tokens;

/// Checks the lines before the document: instructions (`%`) and an end without a start.
pub(super) fn check_prologue(text: &MappedText<'_>) -> Result<(), YamlError> {
    let source = text.as_str();
    let mut at = if source.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    while at < source.len() {
        let range = tokens::line_of(source, at);
        let line = &source[at..range.end];
        if line.starts_with('%') {
            check_directive(line).map_err(|fault| {
                YamlError::new(
                    YamlErrorKind::Directive,
                    fault,
                    text.span(at..at + line.trim_end().len()),
                )
                .with_hint("remove the line, or put the text in quotes")
            })?;
        } else if is_document_end(line) {
            return Err(YamlError::new(
                YamlErrorKind::Syntax,
                "`...` ends a document, but none has started",
                text.span(at..at + "...".len()),
            )
            .with_hint("remove the line"));
        } else if !matches!(
            line.trim_start_matches(' ').chars().next(),
            None | Some('#')
        ) {
            return Ok(());
        }
        at = range.end + 1;
    }
    Ok(())
}

/// Checks a line that starts with `%`: libyaml fails on instructions that it does not know.
fn check_directive(line: &str) -> Result<(), &'static str> {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    match (words.next(), words.next()) {
        (Some("%YAML"), Some("1.1" | "1.2")) | (Some("%TAG"), _) => Ok(()),
        (Some("%YAML"), _) => Err("only YAML 1.1 and 1.2 can be asked for"),
        _ => Err(
            "a line that starts with `%` is an instruction to the YAML reader, and this one \
                  is unknown",
        ),
    }
}

fn is_document_end(line: &str) -> bool {
    line.strip_prefix("...")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Returns whether libyaml takes a text for the name of an anchor, with what follows it.
pub(super) fn is_anchor_name(name: &str, rest: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && rest.chars().next().is_none_or(|next| {
            matches!(
                next,
                ' ' | '\t' | '\n' | '\r' | '?' | ':' | ',' | ']' | '}' | '%' | '@' | '`'
            )
        })
}

/// Returns the first tab in the indentation of a block text, where libyaml takes only spaces.
///
/// `header` is the place of the signs before the text. `indent` is the column of the text, unless
/// it has no line with content.
pub(super) fn block_text_tab(
    source: &str,
    header: Range<usize>,
    indent: Option<usize>,
) -> Option<usize> {
    let is_given = source[header.clone()].contains(|c: char| c.is_ascii_digit());
    let mut known = indent.filter(|_| is_given);
    let mut at = tokens::next_line(source, header.end);
    while at < source.len() {
        let line = &source[at..tokens::line_of(source, at).end];
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let left_of_text = known.is_none_or(|column| spaces < column);
        match line[spaces..].chars().next() {
            Some('\t') if left_of_text => return Some(at + spaces),
            None => {}
            Some(_) => {
                known = known.or(indent);
                if known.is_none_or(|column| spaces < column) {
                    return None;
                }
            }
        }
        at = tokens::next_line(source, at);
    }
    None
}

/// Returns the first tab that indents a continuation of a value without quotes and stands left of
/// the column that such a line needs.
pub(super) fn plain_text_tab(source: &str, scalar: Range<usize>, column: usize) -> Option<usize> {
    let text = source.get(scalar.clone())?;
    if !text.contains('\t') || !text.contains(['\n', '\r']) {
        return None;
    }
    let mut at = tokens::next_line(source, scalar.start);
    while at < scalar.end {
        let line = &source[at..scalar.end];
        let spaces = line.len() - line.trim_start_matches(' ').len();
        if line[spaces..].starts_with('\t') && spaces < column {
            return Some(at + spaces);
        }
        at = tokens::next_line(source, at);
    }
    None
}

/// Returns the colon of a plain scalar in brackets that libyaml cannot read: one at its start, or
/// one with a sign of brackets right behind it.
pub(super) fn unreadable_colon(source: &str, scalar: Range<usize>) -> Option<usize> {
    if source[scalar.start..].starts_with(':') {
        return Some(scalar.start);
    }
    let end = tokens::next_char(source, tokens::next_char(source, scalar.end));
    let text = source.get(scalar.start..end)?;
    text.match_indices(':')
        .map(|(at, _)| at)
        .find(|at| text[at + 1..].starts_with([',', '?', '[', ']', '{', '}']))
        .map(|at| scalar.start + at)
}

/// Returns whether a scalar and the colon behind it, if one follows, stand on one line.
pub(super) fn is_on_line_with_colon(source: &str, scalar: Range<usize>) -> bool {
    let mut at = scalar.end;
    loop {
        let rest = source[at..].trim_start_matches([' ', '\t', '\n', '\r']);
        at = source.len() - rest.len();
        if !rest.starts_with('#') {
            break;
        }
        at = tokens::line_of(source, at).end;
    }
    !source[at..].starts_with(':') || !source[scalar.start..at].contains(['\n', '\r'])
}

/// Something that the parser refuses and a reader does not.
pub(super) enum Objection {
    /// A tab that indents a line; the offset is on that line.
    IndentingTab(usize),
    /// A tab that indents a line inside brackets; the offset is behind it.
    TabInBrackets(usize),
    /// A `#` right behind a value in quotes or brackets.
    CommentWithoutSpace(usize),
}

impl Objection {
    /// Returns a text that means the same to the reader and that the parser accepts here.
    ///
    /// Only white space and comments change, and nothing moves.
    pub(super) fn overcome(&self, source: &str) -> String {
        match self {
            Objection::IndentingTab(at) | Objection::TabInBrackets(at) => {
                without_indenting_tabs(source, *at)
            }
            Objection::CommentWithoutSpace(at) => {
                let end = tokens::line_of(source, *at).end;
                let blank = " ".repeat(end - at);
                [&source[..*at], &blank, &source[end..]].concat()
            }
        }
    }
}

/// Returns a text in which the tabs that indent the line at `at`, and all lines that start with a
/// tab, are spaces.
///
/// Inside brackets libyaml takes tabs for white space like any other, and the parser does not.
/// Nothing moves, and no value changes: such white space is never part of one.
fn without_indenting_tabs(source: &str, at: usize) -> String {
    let stubborn = tokens::line_of(source, at).start;
    let mut start = 0;
    let mut text = String::with_capacity(source.len());
    while start < source.len() {
        let next = tokens::next_line(source, start);
        let line = &source[start..next];
        let content = line.trim_start_matches([' ', '\t']);
        if line.starts_with('\t') || start == stubborn {
            text.extend(std::iter::repeat_n(' ', line.len() - content.len()));
            text.push_str(content);
        } else {
            text.push_str(line);
        }
        start = next;
    }
    text
}
