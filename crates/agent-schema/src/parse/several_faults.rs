//! The faults of a header behind the first one: a reader of YAML stops at the first, its author has
//! to mend them all.

use std::ops::Range;

use super::Reading;
use crate::diagnostic::{Diagnostic, Related};
use crate::header::Broken;
use crate::text::MappedText;
use crate::yaml;

/// How many further faults are looked for.
const MOST_FURTHER: usize = 10;

/// What stands for the value of a line that is set aside.
const ANY_VALUE: &str = "x";

/// How the message of a fault begins that every further line of the same text has as well.
const CONTINUES: &str = "this line continues the value above it";

impl Reading<'_> {
    /// Notes what else keeps a header from being parsed, each fault with the same words as if it
    /// were alone. The lines with faults are set aside one by one; that ends where the next fault
    /// is not further down.
    pub(super) fn note_further_faults(
        &mut self,
        header: &MappedText<'_>,
        first: &Diagnostic,
        broken: Broken,
    ) {
        let mut rest = header.edited(&[]);
        let mut fault = first.clone();
        for _ in 0..MOST_FURTHER {
            let Some(faulty) = faulty_part(&rest, &fault) else {
                return;
            };
            let before = rest.as_str()[..faulty.start].trim_end_matches([' ', '\t']);
            let value = if before.ends_with(':') { ANY_VALUE } else { "" };
            let line_end = rest.source_offset(faulty.end);
            rest = rest.edited(&[(faulty, value.to_owned())]);
            let Err(error) = yaml::read(&rest, &self.rules.yaml) else {
                return;
            };
            let next = Diagnostic::from(error);
            let is_below = next.span.is_some_and(|span| span.start > line_end);
            // Prose that is no YAML line by line is one fault.
            let is_prose = is_of_lines(&next) && is_of_lines(&fault);
            if !is_below || is_prose || next.rule != fault.rule {
                return;
            }
            let why = self.says_of_broken(broken);
            self.diagnostics.push(next.clone().because(why));
            fault = next;
        }
    }
}

/// Returns whether a fault is about a line as such, and not about what is in its value.
fn is_of_lines(fault: &Diagnostic) -> bool {
    related_values(fault).next().is_none() || fault.message.starts_with(CONTINUES)
}

/// Returns what a fault points at besides its own place, but for the lines above in another column.
fn related_values(fault: &Diagnostic) -> impl Iterator<Item = &Related> {
    let all = fault.related.iter();
    all.filter(|related| related.message != yaml::explain::OTHER_COLUMN)
}

/// Returns the part of a header that has to go so that the reader comes past a fault: the value
/// that it is in, or what stands behind a complete one, up to the end of the line.
fn faulty_part(header: &MappedText<'_>, fault: &Diagnostic) -> Option<Range<usize>> {
    let fault_at = header.offset_of(fault.span?.start)?;
    let values = related_values(fault).filter_map(|related| related.span);
    let values = values.filter_map(|span| header.offset_of(span.start));
    let start = values.filter(|start| *start < fault_at).max();
    // What is in brackets goes as a whole, however many lines it has; half of it makes new faults.
    let text = header.as_str();
    let last = match text[fault_at..].starts_with(['{', '[']) {
        true => closing_bracket(text, fault_at)?,
        false => {
            let key = top_line(&text[..fault_at]);
            let open = text[key..fault_at].find(['{', '[']);
            let closed = open.and_then(|open| closing_bracket(&text[..fault_at], key + open));
            if open.is_some() && closed.is_none() {
                return None;
            }
            fault_at
        }
    };
    let line = header.as_str().get(last..)?;
    let end = last + line.find(['\r', '\n']).unwrap_or(line.len());
    Some(start.unwrap_or(fault_at)..end)
}

/// Returns where the last line begins that is not indented.
fn top_line(text: &str) -> usize {
    let mut starts = text.match_indices('\n').map(|(at, _)| at + 1).rev();
    let is_top = |start: &usize| !text[*start..].starts_with([' ', '\t', '\r', '\n']);
    starts.find(is_top).unwrap_or_default()
}

/// Returns where the bracket stands that closes the one at an offset.
fn closing_bracket(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in text[open..].char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(open + at);
                }
            }
            (None, _) => {}
        }
    }
    None
}
