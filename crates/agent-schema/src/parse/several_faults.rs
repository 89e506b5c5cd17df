//! The faults of a header behind the first one: a reader of YAML stops at the first, its author has
//! to mend them all.

use std::ops::Range;

use super::Reading;
use crate::diagnostic::Diagnostic;
use crate::header::Broken;
use crate::text::MappedText;
use crate::yaml;

/// How many further faults are looked for.
const MOST_FURTHER: usize = 10;

/// What stands for the value of a line that is set aside.
const ANY_VALUE: &str = "x";

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
            let is_below = next.span.is_some_and(|span| span.start >= line_end);
            // Prose that is no YAML line by line is one fault.
            let is_prose = is_structural(&next) && is_structural(&fault);
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
fn is_structural(fault: &Diagnostic) -> bool {
    fault.related.is_empty()
}

/// Returns the part of a header that has to go so that the reader comes past a fault: the value
/// that it is in, or what stands behind a complete one, up to the end of the line.
fn faulty_part(header: &MappedText<'_>, fault: &Diagnostic) -> Option<Range<usize>> {
    let fault_at = header.offset_of(fault.span?.start)?;
    let values = fault.related.iter().filter_map(|related| related.span);
    let values = values.filter_map(|span| header.offset_of(span.start));
    let start = values.filter(|start| *start < fault_at).max();
    let line = header.as_str().get(fault_at..)?;
    let end = fault_at + line.find(['\r', '\n']).unwrap_or(line.len());
    Some(start.unwrap_or(fault_at)..end)
}
