//! Names that no call can reach.

use std::collections::HashMap;

use agent_schema::dialect::LookupRules;
use agent_schema::{Diagnostic, FieldName, Related, Span, rules};
use indexmap::IndexMap;

use crate::entry::{Entry, State};

/// Notes the agents that load but can never be called, and the words by which they cannot.
pub(crate) fn note_unreachable(title: &str, lookup: &LookupRules, entries: &mut [Entry]) {
    for (index, diagnostic) in shared_words(title, lookup, entries) {
        entries[index].diagnostics.push(diagnostic);
    }
    for entry in entries {
        if let Some(diagnostic) = unreachable(title, lookup, entry) {
            entry.diagnostics.push(diagnostic);
        }
    }
}

/// Finds the words beside its name by which an agent was meant to be called, and which call another
/// one or nobody, because another one has them too.
fn shared_words(title: &str, lookup: &LookupRules, entries: &[Entry]) -> Vec<(usize, Diagnostic)> {
    let active = || {
        let numbered = entries.iter().enumerate();
        let active = numbered.filter(|(_, entry)| entry.state == State::Active);
        active.filter_map(|(index, entry)| Some((index, entry.definition()?)))
    };
    let mut found = Vec::new();
    // Whom a word calls that has been looked at before: by the name first.
    let mut calls: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, definition) in active() {
        calls.entry(definition.name()).or_default().push(index);
    }
    for field in lookup.also_called {
        let mut words: IndexMap<&str, Vec<(usize, Option<Span>)>> = IndexMap::new();
        for (index, definition) in active() {
            let word = definition.text(*field).map(|word| (word, None));
            let names = definition.names(*field).iter();
            let listed = names.map(|name| (name.text.as_str(), name.span));
            for (word, span) in word.into_iter().chain(listed) {
                words.entry(word).or_default().push((index, span));
            }
        }
        for (word, users) in words {
            let is_taken = calls.contains_key(word);
            let callees = calls.entry(word).or_default();
            if !is_taken {
                callees.extend(users.iter().map(|(index, _)| *index));
            }
            let called = match callees.as_slice() {
                [only] => Some(*only),
                _ => None,
            };
            // A word that nobody wrote for this purpose, such as a part of the name, is not missed.
            for (index, span) in users {
                let is_written = span.is_some() && called != Some(index);
                let other = callees.iter().find(|callee| **callee != index);
                if let Some(other) = other.filter(|_| is_written) {
                    let other = &entries[*other];
                    found.push((
                        index,
                        shared_word(title, word, span, called.is_some(), other),
                    ));
                }
            }
        }
    }
    found
}

fn shared_word(
    title: &str,
    word: &str,
    span: Option<Span>,
    calls_other: bool,
    other: &Entry,
) -> Diagnostic {
    let name = other.name().unwrap_or_default();
    let (message, why) = match calls_other {
        true => (
            format!("`{word}` calls the agent `{name}`, and not this one"),
            format!("{title} looks for a name first, and for other words where nobody has it"),
        ),
        false => (
            format!("`{word}` calls nobody, because `{name}` has this word too"),
            format!("{title} refuses a word that several agents have"),
        ),
    };
    let mut diagnostic = Diagnostic::new(&rules::UNREACHABLE_NAME, message)
        .because(why)
        .help("take the word away from one of them");
    diagnostic.span = span;
    diagnostic.related = std::iter::once(Related {
        file: Some(other.source.reported.clone()),
        span: other.name_place(),
        message: format!("this file has the name `{name}`"),
    })
    .collect();
    diagnostic
}

fn unreachable(title: &str, lookup: &LookupRules, entry: &Entry) -> Option<Diagnostic> {
    let definition = entry.definition()?;
    let name = definition.name();
    let place = definition.place(FieldName::NAME);
    let replaced = lookup.deprecated.iter().find(|(old, _)| *old == name);
    let (message, why) = match (replaced, lookup.default) {
        (Some((_, new)), _) => (
            format!("agent `{name}` can never be called"),
            format!("{title} takes `{name}` for the old name of `{new}` and asks for that agent"),
        ),
        (None, Some(default)) if name.is_empty() => (
            "an agent with an empty name can never be called".to_owned(),
            format!("{title} asks for `{default}` when no name is given"),
        ),
        _ if place.is_none() && entry.file_name.contains('\u{fffd}') => (
            format!("agent `{name}` can hardly be called"),
            format!("{title} names it after the file, whose name is not UTF-8"),
        ),
        _ => return None,
    };
    let mut diagnostic = Diagnostic::new(&rules::UNREACHABLE_NAME, message)
        .because(why)
        .help("give it another `name`");
    diagnostic.span = place.map(|place| place.value);
    Some(diagnostic)
}
