//! The prompts of a roster: found by file name alone, the strongest layer first.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use agent_schema::dialect::SkipRule;
use agent_schema::roster::base_name;
use agent_schema::text::MappedText;
use agent_schema::{
    Definition, Diagnostic, FieldName, FieldValue, Level, Limit, Located, Span, rules,
};

use super::PromptFile;
use super::load::{self, Loading, Unread};
use crate::entry::{Entry, Source, State};
use crate::file_tree::Kind;
use crate::merge::Layer;
use crate::places::PlaceState;
use crate::precedence::Deciding;
use crate::reported::reported;

/// Gives each agent its prompt, and finds the rules for ending a run.
pub(super) fn attach(loading: &mut Loading<'_>) -> Option<PromptFile> {
    for (name, agent) in loading.members() {
        attach_one(loading, &name, agent);
    }
    let exit_rules = exit_rules(loading);
    if loading.is_meant {
        note_unused(loading);
    }
    exit_rules
}

/// Lists the files beside the prompts that nobody uses. They are not read.
fn note_unused(loading: &mut Loading<'_>) {
    let rule = match loading.is_readable {
        true => SkipRule::UnusedPrompt,
        false => SkipRule::NoRoster,
    };
    let entries = loading.found.entries.iter();
    let used: HashSet<PathBuf> = entries.filter_map(|it| it.source.path.clone()).collect();
    let places: Vec<(usize, Level, PathBuf)> = loading
        .found
        .places
        .iter()
        .enumerate()
        .filter(|(_, place)| matches!(place.state, PlaceState::Listed { .. }))
        .map(|(index, place)| {
            (
                index,
                place.level,
                place.path.join(loading.rules.prompts.folder),
            )
        })
        .collect();
    let wanted = wanted_files(loading);
    for (place, level, folder) in places {
        let mut items = loading.tree.list(&folder).unwrap_or_default();
        items.sort();
        for item in items.into_iter().filter(|item| item.kind != Kind::Folder) {
            let path = folder.join(&item.name);
            if used.contains(&path) {
                continue;
            }
            let source = Source {
                level,
                reported: reported(&path),
                path: Some(path),
                inside: None,
                place: Some(place),
                scan_index: 0,
            };
            let file_name = item.name.to_string_lossy().into_owned();
            let meant = wanted
                .iter()
                .find(|it| it.to_lowercase() == file_name.to_lowercase());
            let finding = meant.map(|meant| spelled_otherwise(loading, &file_name, meant));
            loading.add(Entry {
                state: State::Ignored(rule),
                diagnostics: finding.into_iter().collect(),
                ..Entry::named(file_name, source)
            });
        }
    }
}

/// The names of the files that are looked for among the prompts.
fn wanted_files(loading: &Loading<'_>) -> HashSet<String> {
    let rules = &loading.rules.prompts;
    let members = loading.members().into_iter();
    let own = members.filter_map(|(_, index)| {
        let written = loading.found.entries[index]
            .definition()?
            .text(rules.field)?;
        Some(base_name(written).to_owned())
    });
    own.collect()
}

/// Tells of a file that would be a prompt if it were spelled as it is looked for.
fn spelled_otherwise(loading: &Loading<'_>, file_name: &str, meant: &str) -> Diagnostic {
    let finding = Diagnostic::new(
        &rules::SKIPPED_FILE,
        format!("`{file_name}` is passed over, because it is not called `{meant}`"),
    )
    .because(format!(
        "{} tells capitals from small letters, and says nothing about it",
        loading.dialect.title
    ))
    .help(format!("call it `{meant}`"))
    .at(Span::default());
    Diagnostic {
        severity: agent_schema::Severity::Warning,
        ..finding
    }
}

/// Looks through the layers for the prompt of one agent. Weaker files stay as entries that lost.
fn attach_one(loading: &mut Loading<'_>, name: &str, agent: usize) {
    let rules = &loading.rules.prompts;
    let entry = &loading.found.entries[agent];
    let written = entry
        .definition()
        .and_then(|definition| definition.text(rules.field));
    let path = match written {
        Some(path) => path.to_owned(),
        None => {
            let path = (rules.otherwise)(name);
            if let Some(merged) = &mut loading.found.entries[agent].merged {
                let value = FieldValue::text(path.clone());
                merged
                    .definition_mut()
                    .set(rules.field, Located::implied(value));
            }
            path
        }
    };
    let mut winner = None;
    for candidate in candidates(loading, base_name(&path)) {
        let state = match (winner, &candidate.text) {
            (_, Err(_)) => State::Rejected,
            (None, Ok(_)) => State::Merged { into: agent },
            (Some(by), Ok(_)) => State::Shadowed {
                by,
                rule: Deciding::StrongerLevel,
            },
        };
        let index = loading.add(candidate.entry(name, state, loading));
        if winner.is_none() && state != State::Rejected {
            winner = Some(index);
            take_over(loading, agent, index);
        }
    }
}

/// Puts the prompt of an entry into an agent.
fn take_over(loading: &mut Loading<'_>, agent: usize, from: usize) {
    let given = loading.found.entries[from].definition();
    let prompt = given.and_then(|definition| definition.field(FieldName::PROMPT).cloned());
    if let (Some(prompt), Some(merged)) = (prompt, &mut loading.found.entries[agent].merged) {
        let mut own = Definition::default();
        own.set(FieldName::PROMPT, prompt);
        merged.lay(Layer::Entry(from), &own, &[]);
    }
}

fn exit_rules(loading: &mut Loading<'_>) -> Option<PromptFile> {
    let rules = &loading.rules.prompts;
    let setting = loading.settings.get(rules.exit_rules);
    let path = setting
        .and_then(|setting| setting.value.value.as_text())
        .unwrap_or(rules.exit_rules_otherwise);
    let path = path.to_owned();
    let mut found: Option<PromptFile> = None;
    let mut winner = None;
    for candidate in candidates(loading, base_name(&path)) {
        let state = match (winner, &candidate.text) {
            (_, Err(_)) => State::Rejected,
            (None, Ok(_)) => State::Ignored(SkipRule::SharedPrompt),
            (Some(by), Ok(_)) => State::Shadowed {
                by,
                rule: Deciding::StrongerLevel,
            },
        };
        let file = PromptFile::of(&candidate);
        let mut entry = candidate.entry(base_name(&path), state, loading);
        // It is no agent's, so it has no definition of its own.
        entry.parsed = None;
        let index = loading.add(entry);
        match (&mut found, file) {
            (None, Some(file)) => {
                found = Some(file);
                winner = Some(index);
            }
            (Some(found), Some(file)) => found.shadowed.push(file.reported),
            (_, None) => {}
        }
    }
    found
}

impl PromptFile {
    fn of(candidate: &Candidate) -> Option<Self> {
        Some(PromptFile {
            reported: candidate.source.reported.clone(),
            text: candidate.text.as_ref().ok()?.clone(),
            bytes: candidate.bytes.clone()?,
            shadowed: Vec::new(),
        })
    }
}

/// A file that could be a prompt.
struct Candidate {
    source: Source,
    file_name: String,
    bytes: Option<Arc<[u8]>>,
    text: Result<String, Box<Diagnostic>>,
}

/// Returns the files of a name in all layers, the strongest layer first.
fn candidates(loading: &mut Loading<'_>, name: &str) -> Vec<Candidate> {
    // A name that leads somewhere else is no name of a file.
    if matches!(name, "" | "." | "..") {
        return Vec::new();
    }
    let mut left = loading.prompt_bytes_left;
    let places = loading.found.places.iter().enumerate().rev();
    let switched_on = places.filter(|(_, place)| place.state != PlaceState::SwitchedOff);
    let found = switched_on.filter_map(|(index, place)| {
        let path = place.path.join(loading.rules.prompts.folder).join(name);
        let title = loading.dialect.title;
        let most = loading.limits.of(Limit::FileBytes);
        let (bytes, text) = match load::read(loading.tree, &path, left, most) {
            Err(Unread::Absent) => return None,
            Err(unread) => (None, Err(Box::new(unread.told(title, &path)))),
            Ok(bytes) => {
                left = left.saturating_sub(bytes.len());
                let text = decode(loading, &bytes);
                (Some(bytes), text)
            }
        };
        Some(Candidate {
            source: Source {
                level: place.level,
                reported: reported(&path),
                path: Some(path),
                inside: None,
                place: Some(index),
                scan_index: 0,
            },
            file_name: name.to_owned(),
            bytes,
            text,
        })
    });
    let found = found.collect();
    loading.prompt_bytes_left = left;
    found
}

fn decode(loading: &Loading<'_>, bytes: &[u8]) -> Result<String, Box<Diagnostic>> {
    let encoding = loading.found.profile.rules.reading.encoding;
    let decoded = MappedText::decode(bytes, encoding).map_err(|offset| {
        let finding = Diagnostic::new(&rules::INVALID_ENCODING, "the prompt is not UTF-8")
            .at(Span::new(offset, offset + 1))
            .because(format!(
                "{} cannot use it and goes on without it",
                loading.dialect.title
            ))
            .help("save the file as UTF-8");
        Box::new(finding)
    })?;
    Ok(decoded.as_str().to_owned())
}

impl Candidate {
    fn entry(self, agent: &str, state: State, loading: &Loading<'_>) -> Entry {
        let shown = loading.found.profile.rules.reading.shown;
        let length = self.bytes.as_ref().map_or(0, |bytes| bytes.len());
        let whole = Span::new(0, u32::try_from(length).unwrap_or(u32::MAX));
        let (parsed, diagnostics) = match self.text {
            Ok(text) => {
                let parsed = load::prompt_alone(agent, text, whole, shown);
                (
                    Some(parsed),
                    shadowed(loading, &self.file_name, state, self.source.level),
                )
            }
            Err(finding) => (None, vec![(*finding).said_by_harness()]),
        };
        Entry {
            parsed,
            diagnostics,
            state,
            bytes: self.bytes,
            ..Entry::named(self.file_name, self.source)
        }
    }
}

/// Tells of a prompt that a stronger layer's takes the place of.
fn shadowed(loading: &Loading<'_>, file_name: &str, state: State, level: Level) -> Vec<Diagnostic> {
    let State::Shadowed { by, .. } = state else {
        return Vec::new();
    };
    let winning = &loading.found.entries[by];
    let winner = &winning.source;
    let finding = Diagnostic {
        severity: agent_schema::Severity::Info,
        ..Diagnostic::new(
            &rules::SHADOWED_NAME,
            format!("the prompt `{file_name}` never loads from this file"),
        )
    };
    vec![
        finding
            .because(format!(
                "{} takes a prompt by its file name from layer `{}` before `{level}`",
                loading.dialect.title, winner.level
            ))
            .and_in(
                winner.reported.clone(),
                winning.name_place(),
                "this file is the prompt",
            ),
    ]
}
