//! Names of agents and skills that break the rules for names.

use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::rules;
use crate::suggest::is_spelling;
use crate::value::Node;

use super::tree::{Tree, replace};
use super::write::scalar_like;
use super::{Patient, Proposal, keys};

/// Writes a name in small letters with single hyphens between its words.
pub(super) fn slug(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let name = Written::find(patient, finding)?;
    let written = name.node()?.as_text()?;
    let place = patient.place_name().filter(|place| is_slug(place));
    // Other files refer to a name; what it becomes is sure where the place has that name too.
    let (mended, at_best) = match place {
        Some(place) if is_spelling(place, written) => (place.to_owned(), Applicability::Safe),
        Some(place) if must_be_of_place(patient) => (place.to_owned(), Applicability::Unsafe),
        _ => (slug_of(written), Applicability::Unsafe),
    };
    name.become_name(patient, finding, &mended, at_best)
}

/// Returns whether the name has to be that of the folder, and is not.
fn must_be_of_place(patient: &Patient<'_>) -> bool {
    let mut told = patient.parsed.diagnostics.iter();
    told.any(|it| it.rule == &rules::SKILL_NAME_DIR_MISMATCH)
}

fn is_slug(name: &str) -> bool {
    slug_of(name) == name
}

fn slug_of(name: &str) -> String {
    let lower = name.to_lowercase();
    let is_part = |c: char| c.is_alphanumeric();
    let words = lower.split(|c| !is_part(c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Removes a name without effect that is the one of the file too. Other harnesses may read it.
pub(super) fn remove_same(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let name = Written::find(patient, finding)?;
    let is_same = name.node()?.as_text() == patient.place_name();
    is_same.then(|| keys::remove_inert(patient, finding))?
}

/// Gives an agent or skill the name of its file or folder, if a skill may be called so.
pub(super) fn take_place_name(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let name = Written::find(patient, finding)?;
    let may_be = |place: &&str| finding.rule == &rules::OTHER_STEM || is_slug(place);
    let place = patient.place_name().filter(may_be)?.to_owned();
    name.become_name(patient, finding, &place, Applicability::Unsafe)
}

/// Writes hyphens for the colons of a name.
pub(super) fn without_colon(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let name = Written::find(patient, finding)?;
    let text = name.node()?.as_text()?;
    let parts = text.split([':', '\u{ff1a}', '\u{fe55}']).map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mended = parts.join("-");
    name.become_name(patient, finding, &mended, Applicability::Unsafe)
}

/// Takes the hyphens off the beginning of a name.
pub(super) fn without_hyphen(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let name = Written::find(patient, finding)?;
    let mended = name.node()?.as_text()?.trim_start_matches('-').to_owned();
    name.become_name(patient, finding, &mended, Applicability::Unsafe)
}

/// A name as it stands in a header.
struct Written<'a> {
    tree: Tree<'a>,
    finding: &'a Diagnostic,
}

impl<'a> Written<'a> {
    fn find(patient: &Patient<'a>, finding: &'a Diagnostic) -> Option<Self> {
        let tree = patient.tree()?;
        let (entry, _) = tree.value_at(finding.span)?;
        let is_name = tree
            .fields_of(entry.key.as_text()?)
            .contains(&FieldName::NAME);
        is_name.then_some(Written { tree, finding })
    }

    fn node(&self) -> Option<&Node> {
        let (_, node) = self.tree.value_at(self.finding.span)?;
        Some(node)
    }

    fn become_name(
        &self,
        patient: &Patient<'_>,
        finding: &Diagnostic,
        name: &str,
        at_best: Applicability,
    ) -> Option<Proposal> {
        let node = self.node()?;
        let written = scalar_like(&self.tree, node, name).filter(|_| !name.is_empty())?;
        let proposal = Proposal {
            title: format!("call it `{name}`"),
            edits: vec![replace(node.span, written)],
            at_best,
            changes: vec![
                (FieldName::NAME, Some(FieldValue::text(name.to_owned()))),
                (FieldName::KEY, None),
            ],
        };
        patient.worth(finding, proposal)
    }
}
