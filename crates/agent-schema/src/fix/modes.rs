//! Words of other harnesses for how far a person is asked.

use crate::definition::FieldName;
use crate::diagnostic::{Applicability, Diagnostic};
use crate::dialects;
use crate::vocabulary::Tool;
use crate::writing::{Effect, ModeWord};

use super::values::Wrong;
use super::write::scalar_like;
use super::{Patient, Proposal};

/// Words that people use for modes which some harness calls otherwise.
const EVERYDAY: [(&str, Effect); 2] = [("ask", Effect::Ask), ("confirm", Effect::Ask)];

/// Writes the harness's own word for a mode of another harness; of several that do the same with
/// whatever changes something, the one that goes least far.
pub(super) fn write_own_word(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    if finding.field != Some(FieldName::PERMISSION_MODE) {
        return None;
    }
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let meant = meaning(wrong.node.as_text()?)?;
    let own = patient.profile()?.rules.writing.access.modes;
    let denies_nothing = |mode: &ModeWord| {
        let mut tools = Tool::ALL.into_iter();
        tools.all(|tool| mode.effect(tool) >= meant)
    };
    let alike = || {
        own.iter()
            .filter(|mode| mode.others == meant && denies_nothing(mode))
    };
    let goes_no_further = |mode: &&ModeWord| {
        alike().all(|other| {
            let mut tools = Tool::ALL.into_iter();
            tools.all(|tool| mode.effect(tool) <= other.effect(tool))
        })
    };
    let word = alike().find(goes_no_further)?.word;
    let written = scalar_like(&tree, wrong.node, word)?;
    let title = format!("write `{word}`, the word for the same mode");
    let proposal = wrong.become_text(patient, title, written, Applicability::Safe);
    patient.worth(finding, proposal)
}

/// Returns how far an agent goes in a mode of any harness with what changes something; nothing for
/// a word that two harnesses use otherwise.
fn meaning(word: &str) -> Option<Effect> {
    let profiles = dialects::ALL.iter().flat_map(|dialect| dialect.profiles);
    let modes = profiles.flat_map(|profile| profile.rules.writing.access.modes);
    let mut known = modes
        .filter(|mode| mode.word == word)
        .map(|mode| mode.others);
    let everyday = EVERYDAY.iter().find(|(known, _)| *known == word);
    let first = known.next().or(everyday.map(|(_, effect)| *effect))?;
    known.all(|other| other == first).then_some(first)
}
