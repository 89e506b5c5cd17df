//! Files of settings that hold agents among other things.
//!
//! Such a file gives several definitions, each under a key, and a few settings that count for all
//! agents. What is put into the text before it is read (`{env:NAME}`) is the caller's work: it
//! needs the outside world.

use crate::coerce::shorten;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, SettingsRules, Turn};
use crate::inputs::ParseInputs;
use crate::json;
use crate::outcome::Parsed;
use crate::parse::parse_entry;
use crate::rules;
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Entry, Mapping, Node, Value};

/// A file of settings, read.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedSettings {
    /// What it says beside the agents, as if that were a definition.
    pub general: Parsed,
    /// The agents in it, in the order in which they are merged.
    pub entries: Vec<SettingsEntry>,
}

/// An agent in a file of settings.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsEntry {
    /// The keys that lead to it.
    pub way: [String; 2],
    /// The bytes of its own key.
    pub key_span: Span,
    /// When it is merged.
    pub turn: Turn,
    /// What was read of it.
    pub parsed: Parsed,
}

/// Reads the text of a file of settings; `bytes` are those of the file.
///
/// # Errors
/// If it is no JSON.
pub fn parse_settings(
    text: &MappedText<'_>,
    bytes: &[u8],
    dialect: &Dialect,
    rules: &SettingsRules,
) -> Result<ParsedSettings, Box<Diagnostic>> {
    let root = match text.as_str() {
        "" => Node::default_at(Value::Map(Mapping::default()), Span::default()),
        _ => json::read(text, rules.json).map_err(|error| Box::new(Diagnostic::from(error)))?,
    };
    let inputs = ParseInputs::new().part();
    let mut general = parse_entry(&root, "", bytes, dialect, &rules.general, &inputs);
    let mut entries = Vec::new();
    let map_of = |key: &str| root.as_map()?.get(key)?.value.as_map();
    for map in rules.agents {
        let stronger = map.yields_to.and_then(map_of);
        for entry in map_of(map.key).iter().flat_map(|found| &found.entries) {
            let key = entry.key.as_text().unwrap_or_default();
            if let Some(stronger) = stronger.and_then(|stronger| stronger.get(key)) {
                let finding = beside_stronger(dialect, map.key, entry, stronger);
                general.diagnostics.push(finding);
                continue;
            }
            // What is no map is a fault of the whole file and told there.
            if entry.value.as_map().is_none() {
                continue;
            }
            let mut parsed = parse_entry(&entry.value, key, bytes, dialect, &map.reading, &inputs);
            let way = [map.key.to_owned(), key.to_owned()];
            let about_settings = |diagnostic: &&mut Diagnostic| !diagnostic.setting.is_empty();
            for diagnostic in parsed.diagnostics.iter_mut().filter(about_settings) {
                diagnostic.setting.splice(0..0, way.iter().cloned());
            }
            entries.push(SettingsEntry {
                way,
                key_span: entry.key.span,
                turn: map.turn,
                parsed,
            });
        }
    }
    Ok(ParsedSettings { general, entries })
}

/// Tells of an entry that yields to one of the same name in a stronger map of the file.
fn beside_stronger(dialect: &Dialect, map: &str, entry: &Entry, stronger: &Entry) -> Diagnostic {
    let name = shorten(entry.key.as_text().unwrap_or_default());
    Diagnostic::new(
        &rules::SHADOWED_NAME,
        format!("`{map}.{name}` never loads, because the agent is written twice"),
    )
    .at(entry.key.span)
    .and_at(stronger.key.span, "this one counts")
    .because(format!(
        "{} takes the other map of agents first, and says so in its log",
        dialect.title
    ))
    .help("keep one of the two")
    .said_by_harness()
}
