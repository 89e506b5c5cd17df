//! The text of a draft, written and read again until the other harness takes it as it is.

use std::sync::Arc;

use agent_schema::parse::{File, parse_accepted};
use agent_schema::roster::{Says, read_layer};
use agent_schema::writing::FileForm;
use agent_schema::{
    Definition, Fate, FieldName, Limits, Outcome, ParseInputs, Parsed, Severity, Value,
    render::{Comments, render_entries},
};

use super::fields::{Draft, DraftEntry};
use super::meaning::{map_node, text_node};
use super::names::named;
use super::{
    Agent, ConvertOptions, LossCode, Notes, Reader, Refusal, RefusalCode, WrittenFile, comments,
    models, same_rules,
};

/// Writes the files of a draft and returns them with what the harness reads.
///
/// What the harness complains of is left out and listed.
///
/// # Errors
/// If the harness does not take what is left.
pub(crate) fn settle(
    agent: &Agent<'_>,
    mut draft: Draft,
    to: Reader,
    notes: &mut Notes,
) -> Result<(Draft, Definition), Refusal> {
    let nested = comments::take(agent, &mut draft, to, notes);
    loop {
        let left;
        (draft.files, left) = files(&draft, to)?;
        let parsed = read(&draft, to)?;
        let is_sound = matches!(parsed.outcome, Outcome::Loaded(_))
            && parsed.fate == Fate::Loaded
            && parsed.lost.is_empty();
        if is_sound && let Outcome::Loaded(definition) = parsed.outcome {
            comments::lose_left(nested, &left, notes);
            return Ok((draft, Arc::unwrap_or_clone(definition)));
        }
        let complaint = parsed
            .diagnostics
            .iter()
            .filter(|finding| finding.severity >= Severity::Warning)
            .max_by_key(|finding| finding.severity);
        let said = complaint.map_or_else(
            || format!("{} does not take it", to.title()),
            |finding| format!("{}: {}", to.title(), finding.message),
        );
        let offender = parsed.diagnostics.iter().find_map(|finding| {
            let field = finding.field?;
            let bad = finding.severity >= Severity::Warning;
            let mut entries = draft.entries.iter();
            entries
                .position(|entry| bad && entry.droppable && entry.target == field)
                .map(|at| (at, finding.message.clone()))
        });
        match offender {
            Some((at, message)) => {
                let entry = draft.entries.remove(at);
                let message = format!("{} does not take the value: {message}", to.title());
                notes.lose(
                    LossCode::ValueRefused,
                    entry.source.as_str(),
                    Severity::Warning,
                    entry.span,
                    message,
                );
            }
            None if comments::drop_all(&mut draft, notes) => {}
            None => return Err(not_taken(said)),
        }
    }
}

fn not_taken(message: impl Into<String>) -> Refusal {
    Refusal::new(RefusalCode::NotTaken, message)
}

/// Returns the file as it is, if it stays with its harness and means the same there, but for what
/// its model is called.
pub(crate) fn as_it_is(
    agent: &Agent<'_>,
    to: Reader,
    options: ConvertOptions<'_>,
    notes: &mut Notes,
) -> Option<WrittenFile> {
    if !same_rules(agent.from, to) || !agent.has_header {
        return None;
    }
    let definition = agent.parsed.outcome.definition()?;
    let mut told = Notes::default();
    let place = definition.place(FieldName::NAME).map(|place| place.value);
    let named = named(agent, place, to, &mut told);
    let mut text = String::from_utf8(agent.bytes.to_vec()).ok()?;
    let model = models::put_in(definition, options.models, to, &mut text, &mut told)?;
    let written = WrittenFile {
        path: named.path.clone(),
        text,
    };
    let draft = Draft {
        named,
        entries: Vec::new(),
        around: Comments::new(),
        prompt: String::new(),
        files: vec![written],
    };
    let read = read(&draft, to).ok()?;
    let read = read.outcome.definition()?;
    let is_wanted =
        |field| field == FieldName::MODEL && model.is_some() && read.text(field) == model;
    let same = read.differing_fields(definition).into_iter().all(is_wanted);
    notes.changes.append(&mut told.changes);
    same.then(|| draft.files.into_iter().next()).flatten()
}

/// Writes the files of a draft. Returns the comments that have no place in them, too.
fn files(draft: &Draft, to: Reader) -> Result<(Vec<WrittenFile>, Comments), Refusal> {
    let mut around = draft.around.clone();
    let writing = to.writing();
    let path = draft.named.path.clone();
    let file = |path: String, text: String| WrittenFile { path, text };
    let files = match writing.form {
        FileForm::YamlHeader { .. } | FileForm::NamedFolder { .. } => {
            let header = yaml(&draft.entries, &mut around)?;
            vec![file(path, with_header(&header, &draft.prompt))]
        }
        FileForm::LineHeader { .. } => {
            let mut header = String::new();
            for entry in &draft.entries {
                line(entry, &mut header);
            }
            vec![file(path, with_header(&header, &draft.prompt))]
        }
        FileForm::RosterEntry {
            agents,
            prompts,
            prompt_key,
            ..
        } => {
            let prompt = format!("{}.md", draft.named.name);
            let mut entries = draft.entries.clone();
            entries.retain(|entry| entry.key != prompt_key);
            let mut inner: Vec<_> = entries
                .iter()
                .map(|entry| (entry.key.as_str(), &entry.node, entry.comments.as_slice()))
                .collect();
            let named = text_node(&format!("prompts/{prompt}"), agent_schema::Span::default());
            inner.push((prompt_key, &named, &[]));
            let body = render_entries(inner, 4, &mut around)
                .map_err(|error| not_taken(error.to_string()))?;
            let name = render_entries(
                [(
                    draft.named.name.as_str(),
                    &map_node(Vec::new(), agent_schema::Span::default()),
                    &[][..],
                )],
                2,
                &mut Comments::new(),
            )
            .map_err(|error| not_taken(error.to_string()))?;
            let name = name.trim_end().trim_end_matches("{}").trim_end();
            let text = format!("{agents}:\n{name}\n{body}");
            let prompt_text = format!("{}\n", draft.prompt.trim_end());
            vec![
                file(path, text),
                file(format!("{prompts}/{prompt}"), prompt_text),
            ]
        }
    };
    Ok((files, around))
}

fn yaml(entries: &[DraftEntry], around: &mut Comments) -> Result<String, Refusal> {
    let entries = entries
        .iter()
        .map(|entry| (entry.key.as_str(), &entry.node, entry.comments.as_slice()));
    render_entries(entries, 0, around).map_err(|error| not_taken(error.to_string()))
}

fn with_header(header: &str, prompt: &str) -> String {
    match prompt {
        "" => format!("---\n{header}---\n"),
        prompt => format!("---\n{header}---\n\n{prompt}\n"),
    }
}

/// Writes a line `key: value`, or a block of indented lines for a text of several.
fn line(entry: &DraftEntry, out: &mut String) {
    for comment in &entry.comments {
        out.push_str(comment);
        out.push('\n');
    }
    let value = match entry.node.get() {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => text.to_string(),
        _ => String::new(),
    };
    out.push_str(&entry.key);
    if value.contains('\n') {
        out.push_str(": |\n");
        for line in value.trim_end_matches('\n').split('\n') {
            if !line.is_empty() {
                out.push_str("  ");
                out.push_str(line);
            }
            out.push('\n');
        }
        return;
    }
    let is_odd = value.starts_with(['"', '\'', '|', '>', ' ']) || value.ends_with(' ');
    match (value.as_str(), is_odd) {
        ("", _) => out.push(':'),
        (value, true) => {
            out.push_str(": \"");
            out.push_str(value);
            out.push('"');
        }
        (value, false) => {
            out.push_str(": ");
            out.push_str(value);
        }
    }
    out.push('\n');
}

/// Reads the written files again, by the rules of the harness.
fn read(draft: &Draft, to: Reader) -> Result<Parsed, Refusal> {
    let rules = &to.profile.rules;
    let Some(first) = draft.files.first() else {
        return Err(not_taken("nothing was written"));
    };
    let name = first.path.rsplit('/').next().unwrap_or_default();
    let file = File {
        name,
        bytes: first.text.as_bytes(),
    };
    if let Some(roster) = &rules.roster {
        let layer = read_layer(
            file,
            false,
            to.dialect,
            &rules.reading,
            roster,
            &Limits::default(),
        )
        .map_err(|finding| not_taken(finding.message.clone()))?;
        let says = layer.agents.into_iter().next().map(|agent| agent.says);
        return match says {
            Some(Says::Fields { parsed, .. }) => Ok(*parsed),
            _ => Err(not_taken(format!("{} reads no agent", to.title()))),
        };
    }
    if rules.agents.files.accept(name).is_err() {
        return Err(not_taken(format!(
            "{} takes no file that is called `{name}` for an agent",
            to.title()
        ))
        .help("rename the agent"));
    }
    let mut inputs = ParseInputs::new();
    if to.writing().form.is_skill() {
        inputs = inputs.folder(draft.named.name.clone());
    }
    let stem = draft.named.stem.as_str();
    Ok(parse_accepted(
        file,
        stem,
        to.dialect,
        &rules.reading,
        &inputs,
    ))
}

/// Joins files of one path: the agents of several conversions in one file of a roster.
///
/// Each text begins with the line of the key that holds the agents, which is kept once.
#[must_use]
pub fn join(first: &str, second: &str) -> String {
    let head = second.find('\n').map_or(second.len(), |end| end + 1);
    format!("{first}{}", &second[head..])
}
