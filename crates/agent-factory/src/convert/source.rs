//! The agents in a file that is to be converted.

use std::sync::Arc;

use agent_schema::dialect::{Holds, SearchPlace, SettingsRules};
use agent_schema::finish::Resolve;
use agent_schema::parse::{File, parse_accepted};
use agent_schema::roster::{Says, base_name, read_layer};
use agent_schema::settings::parse_settings;
use agent_schema::text::MappedText;
use agent_schema::writing::GUARDED;
use agent_schema::{
    Definition, Diagnostic, FieldName, Limits, Outcome, ParseInputs, Parsed, Severity, Span, rules,
};

use super::{LossCode, Notes, Reader};

/// An agent that is to be converted.
#[derive(Debug, Clone)]
pub struct Agent<'b> {
    /// Its name.
    pub name: String,
    /// Whose rules it was read by.
    pub from: Reader,
    /// The bytes of its file.
    pub bytes: &'b [u8],
    /// What was read.
    pub parsed: Parsed,
    /// Its prompt, if that stands in another file.
    pub prompt: Option<String>,
    /// Whether the header of the file is its own.
    pub(crate) has_header: bool,
    /// Whether its prompt may refer to other texts.
    pub(crate) has_references: bool,
    /// What the file says by itself, if this is what its harness merges it into.
    pub(crate) alone: Option<Box<Agent<'b>>>,
}

impl<'b> Agent<'b> {
    /// Makes the agent of which something was read already.
    pub(crate) fn new(name: String, from: Reader, bytes: &'b [u8], parsed: Parsed) -> Self {
        Agent {
            name,
            from,
            bytes,
            parsed,
            prompt: None,
            has_header: false,
            has_references: false,
            alone: None,
        }
    }

    /// Returns the agent as its harness merges it from this source and others. Places may be those
    /// of any source then.
    #[must_use]
    pub fn merged(self, parsed: Parsed) -> Self {
        Agent {
            alone: Some(Box::new(self.clone())),
            ..Agent::new(self.name, self.from, self.bytes, parsed)
        }
    }
}

impl Agent<'_> {
    /// Returns the prompt.
    pub(crate) fn prompt<'a>(&'a self, definition: &'a Definition) -> &'a str {
        match &self.prompt {
            Some(prompt) => prompt,
            None => definition.prompt().unwrap_or_default(),
        }
    }

    /// Returns the key of a field, as the dialect of the source writes it.
    pub(crate) fn key_of(&self, field: FieldName) -> &'static str {
        let mut fields = self.from.profile.rules.reading.fields.iter();
        let known = fields.find(|known| known.target == field);
        known.map_or(field.as_str(), |known| known.key)
    }
}

/// Why a file has no agents that can be converted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The harness does not take a file of this name for an agent.
    #[error("{harness} takes no file of this name for an agent")]
    NoAgent {
        /// The harness.
        harness: &'static str,
    },
    /// The file of several agents cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

/// Reads the agents of a file: one of its own, or those that a file of settings or a roster holds.
///
/// `stem` is the name that the file gives to its agent, where that is more than its last part.
/// `beside` returns the text of a file that is named by its path from the folder of this one.
///
/// # Errors
/// If the harness takes no such file for an agent, or a file of several agents is broken.
pub fn open<'b>(
    file: File<'b>,
    stem: Option<&str>,
    from: Reader,
    beside: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Agent<'b>>, OpenError> {
    let rules = &from.profile.rules;
    if rules.roster.is_some() {
        return open_roster(file, from, beside);
    }
    let is_json = file.name.ends_with(".json") || file.name.ends_with(".jsonc");
    if let Some(settings) = settings_rules(from).filter(|_| is_json) {
        return open_settings(file, from, settings, beside);
    }
    let files = &rules.agents.files;
    if files.accept(file.name).is_err() {
        return Err(OpenError::NoAgent {
            harness: from.title(),
        });
    }
    let stem = stem.unwrap_or_else(|| files.stem(file.name));
    let inputs = ParseInputs::new();
    let parsed = parse_accepted(file, stem, from.dialect, &rules.reading, &inputs);
    let name = match &parsed.outcome {
        Outcome::Loaded(definition) | Outcome::Rejected(definition) => definition.name().to_owned(),
        Outcome::Ignored(_) => String::new(),
    };
    let name = match name.is_empty() {
        true => stem.to_owned(),
        false => name,
    };
    let prompt = parsed.outcome.definition().and_then(|definition| {
        let prompt_file = rules.factory.prompt_file?;
        let folder = (prompt_file.folder)(definition)?;
        beside(&format!("{folder}/{}", prompt_file.file))
    });
    Ok(vec![Agent {
        prompt,
        has_header: true,
        ..Agent::new(name, from, file.bytes, parsed)
    }])
}

/// The rules of the files of settings that hold agents, if the harness has such.
fn settings_rules(from: Reader) -> Option<&'static SettingsRules> {
    let places: &'static [SearchPlace] = from.profile.rules.agents.places;
    let mut parts = places.iter().flat_map(|place| place.parts);
    parts.find_map(|part| match part.holds {
        Holds::Settings(rules) => Some(rules),
        _ => None,
    })
}

fn open_settings<'b>(
    file: File<'b>,
    from: Reader,
    settings: &SettingsRules,
    beside: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Agent<'b>>, OpenError> {
    let text = MappedText::decode(file.bytes, settings.encoding)
        .map_err(|_| OpenError::Unreadable("it is not UTF-8".to_owned()))?;
    let read = parse_settings(
        &text,
        file.bytes,
        from.dialect,
        settings,
        &Limits::default(),
    )
    .map_err(|finding| OpenError::Unreadable(finding.message.to_string()))?;
    let agents = read.entries.into_iter().map(|entry| {
        let mut parsed = entry.parsed;
        resolve(&mut parsed, from);
        let name = match parsed.outcome.definition() {
            Some(definition) if !definition.name().is_empty() => definition.name().to_owned(),
            _ => entry.way[1].clone(),
        };
        let prompt = parsed.outcome.definition().and_then(Definition::prompt);
        let prompt = prompt.map(|prompt| put_in(prompt, beside));
        Agent {
            prompt,
            has_references: true,
            ..Agent::new(name, from, file.bytes, parsed)
        }
    });
    Ok(agents.collect())
}

/// What a reference to a file begins with, in the text of settings.
const FILE_REFERENCE: &str = "{file:";

/// Puts the texts of files in place of the references to them.
fn put_in(text: &str, beside: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(FILE_REFERENCE) {
        out.push_str(before);
        match behind.split_once('}') {
            Some((path, after)) => {
                match beside(path) {
                    Some(text) => out.push_str(text.trim()),
                    None => out.push_str(&format!("{FILE_REFERENCE}{path}}}")),
                }
                rest = after;
            }
            None => {
                out.push_str(FILE_REFERENCE);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns a reference in a prompt that nothing was put in for.
pub(crate) fn open_reference(agent: &Agent<'_>) -> Option<String> {
    let prompt = agent.prompt.as_deref().filter(|_| agent.has_references)?;
    let starts = [FILE_REFERENCE, "{env:"];
    let at = starts.iter().filter_map(|start| prompt.find(start)).min()?;
    let end = prompt[at..].find('}')?;
    Some(prompt[at..=at + end].to_owned())
}

/// Works out what follows when no other source adds to the definition.
fn resolve(parsed: &mut Parsed, from: Reader) {
    let Outcome::Loaded(definition) = &mut parsed.outcome else {
        return;
    };
    let mut last = Resolve {
        definition: Arc::make_mut(definition),
        is_builtin: false,
        for_all: None,
        findings: Vec::new(),
        skip: None,
    };
    (from.profile.rules.reading.resolve)(&mut last);
    let Resolve { findings, skip, .. } = last;
    parsed.diagnostics.extend(findings);
    if let Some(rule) = skip {
        parsed.outcome = Outcome::Ignored(rule);
    }
}

fn open_roster<'b>(
    file: File<'b>,
    from: Reader,
    beside: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Agent<'b>>, OpenError> {
    let rules = &from.profile.rules;
    let Some(roster) = &rules.roster else {
        return Ok(Vec::new());
    };
    let layer = read_layer(
        file,
        false,
        from.dialect,
        &rules.reading,
        roster,
        &Limits::default(),
    )
    .map_err(|finding| OpenError::Unreadable(finding.message.to_string()))?;
    let agents = layer.agents.into_iter().filter_map(|agent| {
        let Says::Fields { parsed, .. } = agent.says else {
            return None;
        };
        let path = parsed
            .outcome
            .definition()
            .and_then(|definition| definition.text(roster.prompts.field))
            .map_or_else(|| (roster.prompts.otherwise)(&agent.name), str::to_owned);
        let path = format!("{}/{}", roster.prompts.folder, base_name(&path));
        let prompt = beside(&path);
        let mut parsed = *parsed;
        if prompt.is_none() {
            let finding = Diagnostic::new(
                &rules::C3_MISSING_PROMPT,
                format!("the prompt of `{}` is not there: `{path}`", agent.name),
            );
            parsed
                .diagnostics
                .push(finding.at(agent.key).about(FieldName::PROMPT));
        }
        Some(Agent {
            prompt: Some(prompt.unwrap_or_default()),
            has_references: true,
            ..Agent::new(agent.name, from, file.bytes, parsed)
        })
    });
    Ok(agents.collect())
}

/// Lists what the harness of the source does not read itself.
pub(crate) fn note_unread(agent: &Agent<'_>, notes: &mut Notes) {
    let title = agent.from.title();
    for finding in &agent.parsed.diagnostics {
        let unread = [
            &rules::UNKNOWN_KEY,
            &rules::MISSPELLED_KEY,
            &rules::INERT_KEY,
            &rules::KEY_BESIDE_ALIAS,
            &rules::DUPLICATE_KEY,
            &rules::KEY_NOT_TEXT,
            &rules::IGNORED_VALUE,
            &rules::DROPPED_SETTING,
            &rules::C3_MISSING_PROMPT,
        ];
        let counts = unread.iter().any(|rule| rule.code == finding.rule.code);
        let kept = finding
            .span
            .is_some_and(|span| is_kept(agent, span) || notes.in_comments.contains(&span));
        if counts && !kept {
            let field = finding.field.map_or("metadata", FieldName::as_str);
            let (severity, message) = match finding.field {
                Some(FieldName::PROMPT) => (Severity::Warning, finding.message.clone()),
                _ => (
                    Severity::Info,
                    format!("{title} does not read it either: {}", finding.message).into(),
                ),
            };
            notes.lose(
                LossCode::NotReadBefore,
                field,
                severity,
                finding.span,
                message,
            );
        }
    }
    // Limits that were lost are refused, or counted with the rights.
    let others = agent
        .parsed
        .lost
        .iter()
        .filter(|field| !GUARDED.contains(field));
    for field in others {
        if !notes.has_loss_of(field.as_str()) {
            let message = format!("{title} has lost `{field}` already");
            let field = field.as_str();
            notes.lose(
                LossCode::LostBefore,
                field,
                Severity::Warning,
                None,
                message,
            );
        }
    }
}

/// Returns whether a key is one that the harness keeps without knowing it.
fn is_kept(agent: &Agent<'_>, span: Span) -> bool {
    let definition = agent.parsed.outcome.definition();
    let mut kept = definition
        .into_iter()
        .flat_map(|definition| definition.metadata.values());
    kept.any(|value| value.place.is_some_and(|place| place.key == span))
}
