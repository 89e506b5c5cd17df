//! Names that no call can reach.

use agent_schema::dialect::LookupRules;
use agent_schema::{Diagnostic, FieldName, rules};

use crate::entry::Entry;

/// Notes the agents that load but can never be called.
pub(crate) fn note_unreachable(title: &str, lookup: &LookupRules, entries: &mut [Entry]) {
    for entry in entries {
        if let Some(diagnostic) = unreachable(title, lookup, entry) {
            entry.diagnostics.push(diagnostic);
        }
    }
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
