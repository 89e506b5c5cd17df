//! Signs of YAML that are parts of a value where no YAML is read.

use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::header::Language;
use crate::source::Span;
use crate::value::Entry;

use super::tree::{Tree, replace};
use super::{Patient, Proposal};

/// Puts a comment on a line of its own above the key in whose value it stands.
pub(super) fn lift_comment(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, at) = sign_in(&tree, finding)?;
    let written = patient.written(at);
    let comment = written.trim_end();
    let (line, end) = patient.line_around(at.start);
    let is_last = at.end <= end && patient.written(Span::new(at.end, end)).trim().is_empty();
    if !comment.starts_with('#') || !is_last {
        return None;
    }
    let before = patient.written(Span::new(line, at.start)).trim_end();
    let kept = line.checked_add(u32::try_from(before.len()).ok()?)?;
    let above = patient.line_around(entry.key.span.start).0;
    let lifted = format!("{comment}{}", patient.line_end());
    let proposal = Proposal {
        title: "put the comment on a line of its own".to_owned(),
        edits: vec![
            replace(Span::new(above, above), lifted),
            replace(Span::new(kept, end), ""),
        ],
        // `#12` may be one of the words.
        at_best: match comment.starts_with("# ") {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        },
        changes: may_change(&tree, entry),
    };
    patient.worth(finding, proposal)
}

/// Takes a quote mark away that nothing closes.
pub(super) fn drop_open_quote(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, at) = sign_in(&tree, finding)?;
    let is_quote = at.start == entry.value.span.start && matches!(patient.written(at), "\"" | "'");
    let proposal = (is_quote && !goes_on_below(patient, at)).then(|| Proposal {
        title: "take the quote mark away".to_owned(),
        edits: vec![replace(at, "")],
        at_best: Applicability::Safe,
        changes: may_change(&tree, entry),
    });
    patient.worth(finding, proposal?)
}

/// Returns the fields that an entry gives, and the name, of which one of them may be a part.
fn may_change(tree: &Tree<'_>, entry: &Entry) -> Vec<(FieldName, Option<FieldValue>)> {
    let mut changes = tree.may_change(entry);
    changes.push((FieldName::NAME, None));
    changes
}

/// Returns whether the line below begins with white space or the quote mark, so that a quoted text was
/// meant to end further down.
fn goes_on_below(patient: &Patient<'_>, quote: Span) -> bool {
    let (_, end) = patient.line_around(quote.start);
    let rest = patient.file.bytes.get(end as usize..).unwrap_or_default();
    let below = rest.trim_ascii_start();
    let gap = &rest[..rest.len() - below.len()];
    let is_indented = gap.last().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    is_indented || below.starts_with(patient.written(quote).as_bytes())
}

/// Returns where the sign stands that a finding is about, and the entry in whose value it does.
fn sign_in<'t>(tree: &'t Tree<'_>, finding: &Diagnostic) -> Option<(&'t Entry, Span)> {
    let at = finding.span.filter(|_| tree.language == Language::Lines)?;
    let mut entries = tree.map.entries.iter();
    let holds = |entry: &&Entry| {
        let value = entry.value.span;
        value.start <= at.start && at.end <= value.end && at != value
    };
    Some((entries.find(holds)?, at))
}
