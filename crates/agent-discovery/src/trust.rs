//! Fields that have no effect while a project is not trusted.

use agent_schema::dialect::{Field, HeldBack};
use agent_schema::{Diagnostic, Level, Rules, rules};

use crate::entry::Entry;

/// Notes the fields of a project's agents that a harness holds back.
pub(crate) fn note_held_back(title: &str, rules: &Rules, entries: &mut [Entry]) {
    let project = entries
        .iter_mut()
        .filter(|entry| entry.source.level == Level::Project);
    for entry in project {
        let held_back = rules.agents.held_back.iter();
        let mut findings: Vec<Diagnostic> = held_back
            .filter_map(|held_back| finding(title, *held_back, rules.reading.fields, entry))
            .collect();
        entry.diagnostics.append(&mut findings);
    }
}

fn finding(
    title: &str,
    held_back: HeldBack,
    fields: &[Field],
    entry: &Entry,
) -> Option<Diagnostic> {
    let field = held_back.field;
    let located = entry.definition()?.field(field)?;
    if !(held_back.applies)(&located.value) {
        return None;
    }
    let mut keys = fields.iter().filter(|known| known.target == field);
    let key = keys.next().map_or(field.as_str(), |known| known.key);
    let mut finding = Diagnostic::new(
        &rules::HELD_BACK,
        format!("`{key}` has no effect while the project is not trusted"),
    )
    .because(format!(
        "{title} starts no command of a project that nobody vouches for"
    ))
    .help("trust the project in the harness if you know its files")
    .about(field)
    .said_by_harness();
    finding.span = located.place.map(|place| place.value);
    Some(finding)
}
