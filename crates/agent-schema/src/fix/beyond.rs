//! What else is wrong in a file whose settings cannot be read: it is told with the fault that hides
//! it, if that has a fix, so that nobody has to mend a file twice.

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity};
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
    let Some(Mending {
        own,
        edits,
        is_sure,
    }) = mending(patient, fixes)
    else {
        return Vec::new();
    };
    let readable = |edits: Vec<Edit>| {
        let mended = apply(patient.file.bytes, &edits)?;
        let after = patient.read_with_fixes(&mended)?;
        let is_readable = !after.diagnostics.iter().any(hides);
        is_readable.then_some((edits, after))
    };
    let Some((edits, after)) = own.and_then(readable).or_else(|| readable(edits)) else {
        return Vec::new();
    };
    let unmended = Unmended {
        bytes: patient.file.bytes,
        edits: &edits,
    };
    let found = after.diagnostics.into_iter().map(|it| unmended.finding(it));
    let is_apart = |it: &Diagnostic| it.span.is_some_and(|span| unmended.leaves(span));
    // What is only worth knowing says what the harness does with settings that it does not read yet.
    let is_fault = |it: &Diagnostic| it.severity > Severity::Info;
    let found =
        found.filter(|it| is_fault(it) && !is_told(parsed, it) && (is_sure || is_apart(it)));
    found.map(once_mended).collect()
}

/// Says in what a finding tells of the harness when it does so.
fn once_mended(finding: Diagnostic) -> Diagnostic {
    let why = finding.why.as_deref();
    let why = why.map(|why| format!("once the settings can be read: {why}").into());
    Diagnostic { why, ..finding }
}

/// What makes a file readable.
struct Mending {
    /// The edits on the lines of the faults that hide something, if the fixes mend more than those.
    own: Option<Vec<Edit>>,
    /// All edits of their fixes.
    edits: Vec<Edit>,
    /// Whether all the fixes are safe.
    is_sure: bool,
}

/// Returns what mends all faults that hide something, if all of them have a fix.
fn mending(patient: &Patient<'_>, fixes: &[Option<Fix>]) -> Option<Mending> {
    let findings = patient.parsed.diagnostics.iter().enumerate();
    let hiding = findings.filter(|(_, it)| hides(it));
    let fixes =
        hiding.map(|(number, it)| Some((it, it.fix.as_deref().or(fixes.get(number)?.as_ref())?)));
    let fixes: Vec<(&Diagnostic, &Fix)> = fixes.collect::<Option<_>>()?;
    let is = |applicability| move |(_, fix): &(_, &Fix)| fix.applicability == applicability;
    if fixes.is_empty() || fixes.iter().any(is(Applicability::ShowOnly)) {
        return None;
    }
    let in_order = |mut edits: Vec<Edit>| {
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        edits.dedup();
        edits
    };
    let bytes = patient.file.bytes;
    let edits = in_order(
        fixes
            .iter()
            .flat_map(|(_, fix)| fix.edits.clone())
            .collect(),
    );
    let own = fixes.iter().flat_map(|(finding, fix)| {
        let lines = lines_of(finding, bytes);
        let is_own =
            move |edit: &&Edit| edit.span.end >= lines.start && edit.span.start < lines.end;
        fix.edits.iter().filter(is_own).cloned()
    });
    let own = in_order(own.collect());
    Some(Mending {
        own: (own.len() < edits.len()).then_some(own),
        edits,
        is_sure: fixes.iter().all(is(Applicability::Safe)),
    })
}

/// Returns the lines on which a finding lies, with the places that belong to it.
fn lines_of(finding: &Diagnostic, bytes: &[u8]) -> Span {
    let related = finding.related.iter();
    let here = related
        .filter(|it| it.file.is_none())
        .filter_map(|it| it.span);
    let places = here.chain(finding.span);
    let whole = places.reduce(Span::cover).unwrap_or(Span::head_of(bytes));
    let before = &bytes[..(whole.start as usize).min(bytes.len())];
    let behind = &bytes[(whole.end as usize).min(bytes.len())..];
    let is_end = |byte: &u8| *byte == b'\n';
    let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
    let end = behind.iter().position(is_end).unwrap_or(behind.len());
    let end = whole.end as usize + end + 1;
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
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
