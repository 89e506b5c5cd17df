//! Words of other harnesses for how far a person is asked.

use crate::definition::{FieldName, ToolAccess};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::dialects;
use crate::foreign_words::all_meanings;
use crate::vocabulary::Tool;
use crate::writing::{Effect, ModeWord};

use super::tree::readable;
use super::values::Wrong;
use super::write::scalar_like;
use super::{Patient, Proposal};

/// Words that people use for modes which some harness calls otherwise.
const EVERYDAY: [ModeWord; 2] = [everyday("ask"), everyday("confirm")];

/// Tools that change nothing.
const READING: [Tool; 7] = [
    Tool::READ_FILE,
    Tool::GREP,
    Tool::GLOB,
    Tool::LIST_DIR,
    Tool::TODO,
    Tool::DELEGATE,
    Tool::SKILL,
];

const fn everyday(word: &'static str) -> ModeWord {
    ModeWord {
        word,
        tools: &[],
        others: Effect::Ask,
    }
}

/// Writes the harness's own word for a mode of another harness; of several that do the same with
/// whatever changes something, the one that goes least far. It is what the author meant where the
/// agent has no tool with which the other mode lets it go further or less far.
pub(super) fn write_own_word(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    if finding.field != Some(FieldName::PERMISSION_MODE) {
        return None;
    }
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let foreign = modes_called(wrong.node.as_text()?)?;
    let meant = foreign.first()?.others;
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
    let mode = alike().find(goes_no_further)?;
    let tools = patient.tools_of_agent();
    // Whether somebody is asked before a file is read is not what modes are chosen for.
    let matters = |tool: &Tool| tools.contains(tool) && !READING.contains(tool);
    let is_same = foreign.iter().all(|other| {
        let mut named = other.tools.iter().filter(|(tool, _)| matters(tool));
        named.all(|(tool, effect)| mode.effect(*tool) == *effect)
    });
    let (title, at_best) = match is_same {
        true => ("which lets these tools do no more", Applicability::Safe),
        false => ("the word that is nearest to it", Applicability::Unsafe),
    };
    let written = scalar_like(&tree, wrong.node, mode.word)?;
    let title = format!("write `{}`, {title}", mode.word);
    let proposal = wrong.become_text(patient, title, written, at_best);
    patient.worth(finding, proposal)
}

impl Patient<'_> {
    /// Returns what the agent can do with the tools that it names, whoever has those words; all
    /// where it has every tool.
    fn tools_of_agent(&self) -> Vec<Tool> {
        match readable(self.parsed).map(|definition| definition.tools()) {
            Some(ToolAccess::Listed(names)) => {
                let names = names.iter().flat_map(|name| name.text.split(','));
                names.flat_map(|name| all_meanings(name.trim())).collect()
            }
            _ => Tool::ALL.to_vec(),
        }
    }
}

/// Returns the modes of all harnesses that have a word; nothing for one that two of them use
/// otherwise with what changes something.
fn modes_called(word: &str) -> Option<Vec<&'static ModeWord>> {
    let profiles = dialects::ALL.iter().flat_map(|dialect| dialect.profiles);
    let modes = profiles.flat_map(|profile| profile.rules.writing.access.modes);
    let of_word = |mode: &&ModeWord| mode.word == word;
    let mut known: Vec<&ModeWord> = modes.filter(of_word).collect();
    if known.is_empty() {
        known.extend(EVERYDAY.iter().filter(of_word));
    }
    let first = known.first()?.others;
    known
        .iter()
        .all(|mode| mode.others == first)
        .then_some(known)
}
