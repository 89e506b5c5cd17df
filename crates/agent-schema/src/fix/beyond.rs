//! What else is wrong in a file whose settings cannot be read: it is told with the fault that hides
//! it, if that has a fix, so that nobody has to mend a file twice.

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::outcome::Parsed;
use crate::rules::{self, Rule};
use crate::source::Span;

use super::{Patient, apply};

/// The faults that keep settings from being read.
const HIDING: [&Rule; 9] = [
    &rules::INVALID_ENCODING,
    &rules::NO_HEADER,
    &rules::BROKEN_FENCE,
    &rules::HIDDEN_HEADER,
    &rules::UNCLOSED_HEADER,
    &rules::HEADER_ENDS_EARLY,
    &rules::HEADER_NOT_A_MAP,
    &rules::YAML_SYNTAX,
    &rules::YAML_VALUE,
];

fn hides(finding: &Diagnostic) -> bool {
    HIDING.contains(&finding.rule)
}

/// Returns the findings in a file as its fixes make it readable, at their places in the file as it
/// is; none if something keeps hiding them. Where a fix is a guess, only what it does not touch is
/// told. `fixes` are those of the first findings, in their order.
pub(super) fn findings(patient: &Patient<'_>, fixes: &[Option<Fix>]) -> Vec<Diagnostic> {
    let parsed = patient.parsed;
    let Some((edits, is_sure)) = mending(parsed, fixes) else {
        return Vec::new();
    };
    let after =
        apply(patient.file.bytes, &edits).and_then(|mended| patient.read_with_fixes(&mended));
    let Some(after) = after.filter(|after| !after.diagnostics.iter().any(hides)) else {
        return Vec::new();
    };
    let unmended = Unmended {
        bytes: patient.file.bytes,
        edits: &edits,
    };
    let found = after.diagnostics.into_iter().map(|it| unmended.finding(it));
    let is_apart = |it: &Diagnostic| it.span.is_some_and(|span| unmended.leaves(span));
    let found = found.filter(|it| !is_told(parsed, it) && (is_sure || is_apart(it)));
    found.collect()
}

/// Returns the edits of all faults that hide something, if all of them have a fix, and whether all
/// of those are safe.
fn mending(parsed: &Parsed, fixes: &[Option<Fix>]) -> Option<(Vec<Edit>, bool)> {
    let findings = parsed.diagnostics.iter().enumerate();
    let hiding = findings.filter(|(_, it)| hides(it));
    let fixes = hiding.map(|(number, it)| it.fix.as_deref().or(fixes.get(number)?.as_ref()));
    let fixes: Vec<&Fix> = fixes.collect::<Option<_>>()?;
    let is = |applicability| move |fix: &&Fix| fix.applicability == applicability;
    if fixes.is_empty() || fixes.iter().any(is(Applicability::ShowOnly)) {
        return None;
    }
    let is_sure = fixes.iter().all(is(Applicability::Safe));
    let mut edits: Vec<Edit> = fixes.iter().flat_map(|fix| fix.edits.clone()).collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits.dedup();
    Some((edits, is_sure))
}

/// Returns whether a finding is there already, in the same or in other words.
fn is_told(parsed: &Parsed, found: &Diagnostic) -> bool {
    let mut told = parsed.diagnostics.iter();
    told.any(|it| it.rule == found.rule && (it.span == found.span || it.message == found.message))
}

/// Finds places in a file before edits were made in it.
struct Unmended<'a> {
    /// Before the edits.
    bytes: &'a [u8],
    /// In order.
    edits: &'a [Edit],
}

impl Unmended<'_> {
    fn finding(&self, finding: Diagnostic) -> Diagnostic {
        let related = finding.related.into_iter().map(|mut related| {
            if related.file.is_none() {
                related.span = related.span.map(|span| self.span(span));
            }
            related
        });
        Diagnostic {
            span: finding.span.map(|span| self.span(span)),
            related: related.collect(),
            fix: finding.fix.and_then(|fix| self.fix(*fix)).map(Box::new),
            harness_says: false,
            ..finding
        }
    }

    /// Returns a fix that touches nothing of what is mended.
    fn fix(&self, fix: Fix) -> Option<Fix> {
        let edits = fix.edits.into_iter().map(|edit| {
            let span = self.span(edit.span);
            let is_whole = span.len() == edit.span.len();
            (is_whole && self.leaves(span)).then_some(Edit { span, ..edit })
        });
        Some(Fix {
            edits: edits.collect::<Option<_>>()?,
            ..fix
        })
    }

    /// Returns whether no edit touches a place of the file.
    fn leaves(&self, span: Span) -> bool {
        let mut edits = self.edits.iter().map(|edit| edit.span);
        edits.all(|edit| {
            let is_on_next_line = edit.end == span.start && self.ends_line(edit);
            is_on_next_line || span.end < edit.start || edit.end < span.start
        })
    }

    /// Returns whether a place ends with a line.
    fn ends_line(&self, span: Span) -> bool {
        let last = span.end.checked_sub(1).filter(|last| *last >= span.start);
        last.is_some_and(|last| self.bytes.get(last as usize) == Some(&b'\n'))
    }

    fn span(&self, span: Span) -> Span {
        let start = self.place(span.start, |replaced| replaced.start);
        let end = self.place(span.end, |replaced| replaced.end);
        Span::new(start, end.max(start))
    }

    /// Returns where a byte of the mended file stood; `inside` gives the place for one that an edit
    /// has put in.
    fn place(&self, at: u32, inside: impl Fn(Span) -> u32) -> u32 {
        let mut shift = 0i64;
        for edit in self.edits {
            let written = edit.text.len() as i64;
            let start = i64::from(edit.span.start) + shift;
            if i64::from(at) < start {
                break;
            }
            if i64::from(at) < start + written {
                return inside(edit.span);
            }
            shift += written - i64::from(edit.span.len());
        }
        u32::try_from(i64::from(at) - shift).unwrap_or(at)
    }
}
