//! Fields that must be there and are not.

use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Severity};
use crate::outcome::Fate;
use crate::parse::is_misspelled;
use crate::source::Span;
use crate::value::Style;

use super::tree::{Tree, replace};
use super::trial::has_new_trouble;
use super::{Patient, Proposal};

impl Patient<'_> {
    /// Returns the name that the place of the file gives: that of its folder where every file of a
    /// folder is called the same, or else its own without the suffix.
    pub(super) fn place_name(&self) -> Option<&str> {
        let folder = self.inputs.folder.as_deref();
        let has_own_name = self.stem != self.file.name && !self.stem.is_empty();
        match has_own_name {
            true => Some(self.stem),
            false => folder.filter(|folder| !folder.is_empty()),
        }
    }
}

/// Writes the name that the file or its folder has, in small letters if the harness wants that.
pub(super) fn write_name(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    if finding.field != Some(FieldName::NAME) || is_written_otherwise(patient, FieldName::NAME) {
        return None;
    }
    let place = patient.place_name()?;
    let in_small_letters = place.to_lowercase();
    let mut names = vec![place];
    if in_small_letters != place {
        names.push(&in_small_letters);
    }
    let mut named = names.into_iter();
    named.find_map(|name| patient.worth(finding, called(patient, place, name)?))
}

/// Returns whether a field is there under a key that the harness does not know: what mends the key
/// gives the field, and a second value for it would be one too many.
fn is_written_otherwise(patient: &Patient<'_>, field: FieldName) -> bool {
    let mut findings = patient.parsed.diagnostics.iter();
    findings.any(|finding| is_misspelled(finding, field))
}

/// Proposes to write a name into a file whose place has that name, or one with other capitals.
fn called(patient: &Patient<'_>, place: &str, name: &str) -> Option<Proposal> {
    let tree = patient.tree()?;
    let edits = vec![set_key(
        patient,
        &tree,
        FieldName::NAME,
        &patient.scalar(name)?,
    )?];
    // A name such as `README` was given to a file and not to an agent.
    let is_shouted = !place.contains(|c: char| c.is_ascii_lowercase());
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
    // A file in which more is wrong may have been written for another harness, also if it has
    // capitals where the name cannot.
    let after = patient.after(&edits)?;
    let reads_well = match patient.parsed.fate {
        Fate::Ignored => after
            .diagnostics
            .iter()
            .all(|it| it.severity <= Severity::Info),
        _ => !has_new_trouble(patient.parsed, &after, &[]),
    };
    Some(Proposal {
        title: format!("call it `{name}`, as its place"),
        edits,
        at_best: match name.chars().all(is_letter) && !is_shouted && reads_well {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        },
        changes: vec![(FieldName::NAME, Some(FieldValue::text(name.to_owned())))],
    })
}

/// Shows where a field belongs that only a person can write.
pub(super) fn show_field(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let field = finding.field.filter(|field| *field != FieldName::NAME)?;
    if is_written_otherwise(patient, field) {
        return None;
    }
    let tree = patient.tree()?;
    let table = tree
        .rules
        .fields
        .iter()
        .find(|known| known.target == field)?;
    Some(Proposal {
        title: format!("add `{}`: {}", table.key, table.accepts),
        edits: vec![set_key(patient, &tree, field, "")?],
        at_best: Applicability::ShowOnly,
        changes: Vec::new(),
    })
}

/// Makes the edit that writes a field: in the place of its empty value if the key is there, or
/// else as the first line of the header, or below the name.
fn set_key(patient: &Patient<'_>, tree: &Tree<'_>, field: FieldName, value: &str) -> Option<Edit> {
    let table = tree
        .rules
        .fields
        .iter()
        .find(|known| known.target == field)?;
    let mut entries = tree.map.entries.iter();
    let written = entries.find(|entry| {
        let key = entry.key.as_text().unwrap_or_default();
        tree.fields_of(key).contains(&field)
    });
    if let Some(entry) = written {
        let is_empty = entry.value.is_null()
            || entry
                .value
                .as_text()
                .is_some_and(|text| text.trim().is_empty());
        let is_bare = entry.value.span.is_empty();
        let edit = match (is_empty, is_bare) {
            (true, true) => {
                let at = entry.key.span.end;
                let behind = patient.written(Span::new(at, at + 1));
                (behind == ":").then(|| replace(Span::new(at + 1, at + 1), format!(" {value}")))
            }
            (true, false)
                if entry.value.style != Style::Literal && entry.value.style != Style::Folded =>
            {
                Some(replace(entry.value.span, value))
            }
            _ => None,
        };
        return edit;
    }
    let name = tree.map.entries.iter().find(|entry| {
        let key = entry.key.as_text().unwrap_or_default();
        field != FieldName::NAME && tree.fields_of(key).contains(&FieldName::NAME)
    });
    let anchor = name.or(tree.map.entries.first())?;
    let (start, _) = patient.line_around(anchor.key.span.start);
    let indent = patient.written(Span::new(start, anchor.key.span.start));
    if tree.style != Style::Block || !indent.chars().all(|c| c == ' ') {
        return None;
    }
    let line = format!("{indent}{}: {value}", table.key);
    let line_end = patient.line_end();
    match name {
        Some(name) => {
            let (_, end) = patient.line_around(name.value.span.end.max(name.key.span.end));
            Some(replace(Span::new(end, end), format!("{line_end}{line}")))
        }
        None => Some(replace(
            Span::new(start, start),
            format!("{line}{line_end}"),
        )),
    }
}
