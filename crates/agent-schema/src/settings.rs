//! Files of settings that hold agents among other things.
//!
//! Such a file gives several definitions, each under a key, and a few settings that count for all
//! agents. What is put into the text before it is read (`{env:NAME}`) is the caller's work: it
//! needs the outside world.

use std::cell::Cell;
use std::collections::HashMap;

use crate::coerce::{Remarks, shorten};
use crate::definition::FieldName;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Dialect, ReadingRules, SettingsRules, Tokens, Turn};
use crate::fix::{Holder, Inside, is_kept};
use crate::header::Language;
use crate::inputs::ParseInputs;
use crate::json;
use crate::limits::{Limit, Limits};
use crate::outcome::{Fate, Parsed};
use crate::parse::{
    File, LIMITS, duplicates, duplicates_below, holds_token, is_known, parse_entry,
};
use crate::rules;
use crate::several_agents::{Budget, too_many_agents};
use crate::source::Span;
use crate::suggest::nearest;
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
/// If it is no JSON, or over a limit.
pub fn parse_settings(
    text: &MappedText<'_>,
    bytes: &[u8],
    dialect: &Dialect,
    rules: &SettingsRules,
    limits: &Limits,
) -> Result<ParsedSettings, Box<Diagnostic>> {
    let root = read_root(text, rules, limits)?;
    Ok(interpret(&root, text, bytes, dialect, rules, limits))
}

fn read_root(
    text: &MappedText<'_>,
    rules: &SettingsRules,
    limits: &Limits,
) -> Result<Node, Box<Diagnostic>> {
    let root = match text.as_str() {
        "" => Node::default_at(Value::Map(Mapping::default()), Span::default()),
        _ => json::read(text, rules.json.within(limits))
            .map_err(|error| Box::new(Diagnostic::from(error)))?,
    };
    let maps = rules.agents.iter();
    let maps = maps.filter_map(|map| root.as_map()?.get(map.key)?.value.as_map());
    match too_many_agents(maps, limits) {
        Some(finding) => Err(Box::new(finding)),
        None => Ok(root),
    }
}

fn interpret(
    root: &Node,
    text: &MappedText<'_>,
    bytes: &[u8],
    dialect: &Dialect,
    rules: &SettingsRules,
    limits: &Limits,
) -> ParsedSettings {
    let has_tokens = rules.tokens == Tokens::Replaced && holds_token(text.as_str());
    let inputs = ParseInputs::new().part().limits(*limits);
    let inputs = inputs.tokens(has_tokens);
    let mut budget = Budget::new(limits);
    let mut general = parse_entry(root, "", bytes, dialect, &rules.general, &inputs);
    let mut entries = Vec::new();
    let map_of = |key: &str| root.as_map()?.get(key)?.value.as_map();
    general
        .diagnostics
        .extend(written_twice(root, dialect, rules).take(inputs.limits.of(Limit::Findings)));
    general
        .diagnostics
        .extend(misspelled_keys(root, dialect, rules, &inputs));
    for map in rules.agents {
        let stronger = map.yields_to.and_then(map_of);
        for entry in map_of(map.key).iter().flat_map(|found| &found.entries) {
            // What is no map is a fault of the whole file and told there.
            let is_map = entry.value.as_map().is_some();
            let key = entry.key.as_text().unwrap_or_default();
            let inputs = inputs.clone().limits(budget.limits());
            let parse = || parse_entry(&entry.value, key, bytes, dialect, &map.reading, &inputs);
            if let Some(stronger) = stronger.and_then(|stronger| stronger.get(key)) {
                let finding = beside_stronger(dialect, map.key, entry, stronger);
                general.diagnostics.push(finding);
                if is_map {
                    take_fatal(&mut general, parse());
                }
                continue;
            }
            if !is_map {
                continue;
            }
            let mut parsed = parse();
            budget.count(&parsed);
            let way = [map.key.to_owned(), key.to_owned()];
            let about_settings = |diagnostic: &&mut Diagnostic| !diagnostic.setting.is_empty();
            for diagnostic in parsed.diagnostics.iter_mut().filter(about_settings) {
                let below = std::mem::take(&mut diagnostic.setting);
                diagnostic.setting = way.iter().cloned().chain(below).collect();
            }
            entries.push(SettingsEntry {
                way,
                key_span: entry.key.span,
                turn: map.turn,
                parsed,
            });
        }
    }
    ParsedSettings { general, entries }
}

/// Returns the entries of a map; none of anything else.
fn entries_of(node: &Node) -> impl Iterator<Item = &Entry> {
    node.as_map().into_iter().flat_map(|map| &map.entries)
}

/// Tells of agents that stand more than once in a map of agents, and of keys that do so in what the
/// file says beside them.
fn written_twice<'a>(
    root: &'a Node,
    dialect: &'a Dialect,
    rules: &'a SettingsRules,
) -> impl Iterator<Item = Diagnostic> + 'a {
    entries_of(root).flat_map(|entry| {
        let key = entry.key.as_text().unwrap_or_default();
        let holds_agents = rules.agents.iter().any(|map| map.key == key);
        match entry.value.as_map() {
            Some(agents) if holds_agents => duplicates(dialect.title, agents).collect(),
            _ if is_known(&rules.general, key) => duplicates_below(dialect.title, &entry.value),
            _ => Vec::new(),
        }
    })
}

/// Tells of keys that are none of those which are read here, but nearly are, and hold what the meant
/// one would hold.
fn misspelled_keys<'a>(
    root: &'a Node,
    dialect: &'a Dialect,
    rules: &'a SettingsRules,
    inputs: &'a ParseInputs,
) -> impl Iterator<Item = Diagnostic> + 'a {
    entries_of(root).filter_map(move |entry| {
        let meant = meant_in_settings(entry, rules, inputs)?;
        let key = entry.key.as_text()?;
        let title = dialect.title;
        let is_there = root.as_map()?.get(meant.key).is_some();
        let reads = match meant.field {
            Some(_) => format!("{title} calls it `{}`", meant.key),
            None => format!("{title} reads agents from `{}`", meant.key),
        };
        let finding = Diagnostic::new(
            &rules::MISSPELLED_KEY,
            format!("`{key}` has no effect; {reads}"),
        );
        let mut finding = finding
            .at(entry.key.span)
            .because(format!(
                "{title} passes over keys that it does not know, without a word"
            ))
            .help(match is_there {
                true => format!("put everything into `{}`, and remove `{key}`", meant.key),
                false => format!("write `{}`", meant.key),
            });
        finding.field = meant.field;
        // Without a word every agent has the rights that were meant to be taken away.
        if meant.field.is_some_and(|field| LIMITS.contains(&field)) {
            finding.severity = Severity::Error;
        }
        Some(finding)
    })
}

/// A key of settings that was probably meant by another one.
struct MeantKey {
    key: &'static str,
    /// The field that it sets; unset for a map of agents.
    field: Option<FieldName>,
}

/// Returns the key that was probably meant by one that is read by nobody.
fn meant_in_settings(
    entry: &Entry,
    rules: &SettingsRules,
    inputs: &ParseInputs,
) -> Option<MeantKey> {
    let key = entry.key.as_text()?;
    let keys = &rules.general.keys;
    let maps = rules.agents.iter();
    let is_map = |key: &str| maps.clone().any(|map| map.key == key);
    if is_map(key)
        || is_known(&rules.general, key)
        || keys.effective.contains(&key)
        || keys.reserved(key).is_some()
    {
        return None;
    }
    let fields = rules.general.fields.iter();
    let of_maps = maps.clone().map(|map| map.key);
    let others = fields.clone().map(|field| field.key);
    let others = others
        .filter(|key| !is_map(key))
        .chain(keys.effective.iter().copied());
    let meant = nearest(key, of_maps.chain(others))?;
    if let Some(map) = maps.clone().find(|map| map.key == meant) {
        return holds_agents(&entry.value, &map.reading).then_some(MeantKey {
            key: map.key,
            field: None,
        });
    }
    let field = fields.clone().find(|field| field.key == meant)?;
    let read = (field.read)(&entry.value, &mut Remarks::new(inputs));
    read.is_ok().then_some(MeantKey {
        key: field.key,
        field: Some(field.target),
    })
}

/// Returns whether a value looks like a map of agents: all that its members set are fields of one.
fn holds_agents(value: &Node, reading: &ReadingRules) -> bool {
    let is_agent = |agent: &Entry| {
        let fields = agent.value.as_map().map(|fields| &fields.entries);
        fields.is_some_and(|fields| {
            let mut keys = fields.iter().filter_map(|field| field.key.as_text());
            keys.all(|key| is_known(reading, key))
        })
    };
    let agents = value.as_map().map(|agents| &agents.entries);
    agents.is_some_and(|agents| !agents.is_empty() && agents.iter().all(is_agent))
}

/// Takes over from an entry that never loads what loses the whole file even so.
fn take_fatal(general: &mut Parsed, mut entry: Parsed) {
    if entry.fate == Fate::Fatal {
        general.fate = Fate::Fatal;
        general.diagnostics.append(&mut entry.diagnostics);
    }
}

/// Adds fixes to what was found in a file of settings. A fix is tried on the text of the file as it
/// is written, so that there is none for what is only found once something is put into that text.
pub fn add_fixes(
    found: &mut ParsedSettings,
    bytes: &[u8],
    dialect: &Dialect,
    rules: &SettingsRules,
    limits: &Limits,
) {
    let Some((_, written)) = read_whole(bytes, dialect, rules, limits) else {
        return;
    };
    let read_so_far = Cell::new(0);
    let inputs = ParseInputs::new().part().limits(*limits);
    let propose = |way: Option<&[String; 2]>, reading: &ReadingRules, parsed: &Parsed| {
        let holder = Settings {
            dialect,
            rules,
            limits,
            way,
            before: &written,
        };
        let inside = Inside {
            file: File { name: "", bytes },
            key: way.map_or("", |[_, key]| key),
            dialect,
            rules: reading,
            inputs: &inputs,
            holder: &holder,
            read_so_far: &read_so_far,
        };
        let mut parsed = parsed.clone();
        inside.propose(&mut parsed);
        parsed.diagnostics
    };
    let general = propose(None, &rules.general, &written.general);
    give(&mut found.general.diagnostics, general);
    let entries = written.entries.iter();
    let by_way: HashMap<&[String; 2], &SettingsEntry> =
        entries.map(|known| (&known.way, known)).collect();
    for entry in &mut found.entries {
        let mut maps = rules.agents.iter();
        let map = maps.find(|map| map.key == entry.way[0]);
        let known = by_way.get(&entry.way);
        let is_faulty = !entry.parsed.diagnostics.is_empty();
        if let (Some(map), Some(known), true) = (map, known, is_faulty) {
            let fixed = propose(Some(&known.way), &map.reading, &known.parsed);
            give(&mut entry.parsed.diagnostics, fixed);
        }
    }
}

/// Gives the fixes of findings to those that are the same.
fn give(found: &mut [Diagnostic], fixed: Vec<Diagnostic>) {
    for fixed in fixed {
        let is_same = |finding: &&mut Diagnostic| {
            (finding.rule, finding.span, &finding.message)
                == (fixed.rule, fixed.span, &fixed.message)
        };
        if let Some(finding) = found.iter_mut().find(is_same) {
            finding.fix = fixed.fix;
        }
    }
}

/// Reads the bytes of a file of settings with nothing put into its text.
fn read_whole(
    bytes: &[u8],
    dialect: &Dialect,
    rules: &SettingsRules,
    limits: &Limits,
) -> Option<(Node, ParsedSettings)> {
    let text = MappedText::decode(bytes, rules.encoding).ok()?;
    let root = read_root(&text, rules, limits).ok()?;
    let parsed = interpret(&root, &text, bytes, dialect, rules, limits);
    Some((root, parsed))
}

/// A file of settings of which one agent is mended, or what it says beside them.
struct Settings<'a> {
    dialect: &'a Dialect,
    rules: &'a SettingsRules,
    limits: &'a Limits,
    /// The keys that lead to the agent.
    way: Option<&'a [String; 2]>,
    /// The file as it is.
    before: &'a ParsedSettings,
}

impl Settings<'_> {
    /// Returns whether everything else in the file is as it was.
    fn keeps_others(&self, now: &ParsedSettings) -> bool {
        let mut pairs = self.before.entries.iter().zip(&now.entries);
        let is_own = |entry: &SettingsEntry| Some(&entry.way) == self.way;
        self.before.entries.len() == now.entries.len()
            && (self.way.is_none() || is_kept(&self.before.general, &now.general))
            && pairs.all(|(known, now)| {
                known.way == now.way && (is_own(known) || is_kept(&known.parsed, &now.parsed))
            })
    }
}

impl Holder for Settings<'_> {
    fn language(&self) -> Language {
        Language::Json(self.rules.json)
    }

    fn agents(&self) -> usize {
        self.before.entries.len()
    }

    fn read(&self, bytes: &[u8]) -> Option<(Node, Parsed)> {
        let (root, now) = read_whole(bytes, self.dialect, self.rules, self.limits)?;
        if !self.keeps_others(&now) {
            return None;
        }
        let Some([map, key]) = self.way else {
            return Some((root, now.general));
        };
        let entry = now
            .entries
            .into_iter()
            .find(|entry| Some(&entry.way) == self.way)?;
        let agents = &root.as_map()?.get(map)?.value;
        Some((agents.as_map()?.get(key)?.value.clone(), entry.parsed))
    }
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
