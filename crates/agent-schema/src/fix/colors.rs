//! Colours that the harness does not take: as values, or as the nearest of its words.

use crate::definition::FieldName;
use crate::diagnostic::{Applicability, Diagnostic};

use super::color_words::{Rgb, nearest};
use super::values::{Wrong, accepted_words};
use super::write::scalar_like;
use super::{Patient, Proposal};

/// Writes a colour as the value that it has, where the harness takes values.
pub(super) fn write_value(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    write(patient, finding, |color, _| {
        let value = color.hex();
        let title = format!("write the colour as `{value}`");
        Some((value, title))
    })
}

/// Writes the nearest of the colours that the harness knows.
pub(super) fn write_nearest(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    write(patient, finding, |color, words| {
        let word = nearest(color, words)?;
        Some((
            word.to_owned(),
            format!("write `{word}`, the nearest colour"),
        ))
    })
}

fn write(
    patient: &Patient<'_>,
    finding: &Diagnostic,
    choose: impl Fn(Rgb, &[&str]) -> Option<(String, String)>,
) -> Option<Proposal> {
    if finding.field != Some(FieldName::COLOR) {
        return None;
    }
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let color = Rgb::read(wrong.node.as_text()?)?;
    let words = accepted_words(&wrong, finding);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (value, title) = choose(color, &words)?;
    let written = scalar_like(&tree, wrong.node, &value)?;
    let proposal = wrong.become_text(patient, title, written, Applicability::Safe);
    patient.worth(finding, proposal)
}
