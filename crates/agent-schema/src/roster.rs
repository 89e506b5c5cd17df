//! Many agents in one file, in layers: the rules for such a roster, and reading one layer of it.
//!
//! A layer is a file with a map from names to agents. A stronger layer adds agents and replaces
//! single fields of those that a weaker one has; what a layer says is merged by whoever reads
//! the files.

mod broken_layer;

use std::cell::Cell;

use indexmap::IndexMap;

use crate::coerce::{pydantic, python, shorten};
use crate::definition::{FieldName, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Dialect, Field, ReadingRules};
use crate::fix::{Holder, Inside, is_kept};
use crate::header::Language;
use crate::inputs::ParseInputs;
use crate::limits::{Limit, Limits};
use crate::outcome::Parsed;
use crate::parse::{File, duplicate, parse_entry};
use crate::rules;
use crate::several_agents::{Budget, too_many_agents};
use crate::source::Span;
use crate::suggest::nearest;
use crate::text::MappedText;
use crate::value::{Entry, Mapping, Node, Value};
use crate::yaml;
pub use broken_layer::add_layer_fix;

/// How the layers of one file give all agents of a harness.
///
/// The folders of the layers are the places of its agents, the weakest first.
#[derive(Debug)]
pub struct LayeredRosterRules {
    /// The file of a layer. The weakest layer must have it; a stronger one may leave it out.
    pub file: &'static str,
    /// Its key that holds the map from names to agents.
    pub agents: &'static str,
    /// Which names are good.
    pub names: NameRules,
    /// Where prompts are.
    pub prompts: PromptRules,
    /// Names that agents had once: (old, new). Only a mention may still use them.
    pub legacy_names: &'static [(&'static str, &'static str)],
    /// How a layer is read as a header, to find what mends it.
    pub as_header: &'static ReadingRules,
    /// The agents that are known without the file, while it cannot be read.
    pub fallback: &'static [&'static str],
}

/// Which names a roster may give.
#[derive(Debug)]
pub struct NameRules {
    /// Whether a name is good.
    pub allows: fn(&str) -> bool,
    /// What [`NameRules::allows`] allows, for people.
    pub allowed: &'static str,
}

/// Where the prompts of a roster are.
#[derive(Debug)]
pub struct PromptRules {
    /// The folder inside each layer that holds them.
    pub folder: &'static str,
    /// The field that names the prompt of an agent; its last part alone counts.
    pub field: FieldName,
    /// What that field is, for an agent without it.
    pub otherwise: fn(&str) -> String,
    /// The key of the file that names the rules for ending a run, which every prompt gets; again
    /// the last part alone counts.
    pub exit_rules: &'static str,
    /// What that key is where no layer has it.
    pub exit_rules_otherwise: &'static str,
    /// How prompts say in vain which tools an agent has.
    pub tool_prose: ToolProse,
}

/// How people say in prose which tools an agent has. All words are in lower case.
#[derive(Debug)]
pub struct ToolProse {
    /// What stands before a colon and names of tools, or as the heading of a list of them.
    pub labels: &'static [&'static str],
    /// Words that limit the agent; with the word `tools` behind them they are meant.
    pub limits: &'static [&'static str],
    /// Words that may as well be advice; a tool must be named behind them, too.
    pub advice: &'static [&'static str],
    /// Words behind `tools` that make it advice about when to use them.
    pub conditions: &'static [&'static str],
}

/// What one layer says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layer {
    /// Its agents, in the order of the file.
    pub agents: Vec<LayerAgent>,
    /// Its other keys, in order.
    pub settings: IndexMap<String, Located<Node>>,
    /// What is wrong with it beside its agents.
    pub findings: Vec<Diagnostic>,
}

/// What a layer says about one agent.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerAgent {
    /// The name: the key, or what a key that is no text looks like.
    pub name: String,
    /// The bytes of the key.
    pub key: Span,
    /// What it says.
    pub says: Says,
}

/// What a layer says about one agent.
#[derive(Debug, Clone, PartialEq)]
pub enum Says {
    /// The agent is not on the roster.
    Removed,
    /// It has these fields.
    Fields {
        /// The fields.
        parsed: Box<Parsed>,
        /// The fields that lose the value which a weaker layer gave them.
        cleared: Vec<FieldName>,
    },
    /// Nothing that can be used: its key is no text.
    Nothing(Box<Diagnostic>),
}

/// Returns the part of a path that counts where folders do not.
#[must_use]
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Reads a layer. `is_first` tells whether it is the one that must have agents.
///
/// # Errors
/// If nothing of the layer can be used: its bytes, its YAML or its map of agents are broken, or
/// over a limit.
pub fn read_layer(
    file: File<'_>,
    is_first: bool,
    dialect: &Dialect,
    reading: &ReadingRules,
    roster: &LayeredRosterRules,
    limits: &Limits,
) -> Result<Layer, Box<Diagnostic>> {
    let root = read_root(file.bytes, reading, limits)
        .map_err(|finding| Box::new(unreadable(dialect, *finding)))?
        .unwrap_or_else(|| Node::default_at(Value::Null, Span::default()));
    let Some(map) = root.as_map() else {
        if root.is_null() && !is_first {
            return Ok(Layer::default());
        }
        let what = format!("it holds {}, not a map", pydantic::article(&root));
        return Err(Box::new(unusable(dialect, root.span, what)));
    };
    let agents = match map.get(roster.agents) {
        Some(entry) => match entry.value.as_map() {
            Some(agents) => Some(agents),
            None if entry.value.is_null() && !is_first => None,
            None => {
                let what = format!(
                    "`{}` is {}, not a map",
                    roster.agents,
                    pydantic::article(&entry.value)
                );
                return Err(Box::new(unusable(dialect, entry.value.span, what)));
            }
        },
        None if is_first => {
            let what = format!("it has no `{}`", roster.agents);
            let fault = unusable(dialect, root.span, what);
            return Err(Box::new(match meant_agents(map, roster) {
                Some(meant) => fault
                    .and_at(meant.key.span, "this key was probably meant")
                    .help(format!("call that key `{}`", roster.agents)),
                None => fault,
            }));
        }
        None => None,
    };
    if let Some(finding) = too_many_agents(agents, limits) {
        return Err(Box::new(unreadable(dialect, finding)));
    }
    let mut budget = Budget::new(limits);
    let read = |entry: &Entry| {
        let limits = budget.limits();
        let agent = LayerAgent::read(entry, file, dialect, reading, limits);
        if let Says::Fields { parsed, .. } = &agent.says {
            budget.count(parsed);
        }
        agent
    };
    let mut layer = Layer {
        agents: agents.map_or_else(Vec::new, |agents| agents.entries.iter().map(read).collect()),
        settings: settings(map, roster),
        findings: Vec::new(),
    };
    let meant = meant_agents(map, roster).filter(|_| agents.is_none());
    layer
        .findings
        .extend(meant.map(|entry| misspelled_agents(entry, dialect, roster)));
    for map in std::iter::once(map).chain(agents) {
        for entry in map.overwritten.iter().take(limits.of(Limit::Findings)) {
            layer.note(&entry.key, duplicate(dialect.title, map, entry));
        }
    }
    for entry in agents.map_or(&[][..], |agents| &agents.overwritten) {
        layer.lose_overwritten(entry, reading);
    }
    Ok(layer)
}

impl Layer {
    /// Notes what an agent loses because a later entry of its name takes the place of this one.
    fn lose_overwritten(&mut self, entry: &Entry, reading: &ReadingRules) {
        let name = entry.key.as_text().unwrap_or_default();
        let agent = self.agents.iter_mut().find(|agent| agent.name == name);
        let (Some(Says::Fields { parsed, .. }), Some(map)) =
            (agent.map(|agent| &mut agent.says), entry.value.as_map())
        else {
            return;
        };
        let Some(definition) = parsed.outcome.definition() else {
            return;
        };
        let is_written = |field: &&Field| map.get(field.key).is_some_and(|it| !it.value.is_null());
        let is_gone = |field: &FieldName| definition.place(*field).is_none();
        let written = reading.fields.iter().filter(is_written);
        let lost: Vec<FieldName> = written.map(|it| it.target).filter(is_gone).collect();
        parsed.lose(&lost);
    }

    /// Notes a finding about a key: at the agent of that name, or else at the first one.
    fn note(&mut self, key: &Node, finding: Diagnostic) {
        let name = python::text(key).unwrap_or_default();
        let mut agents = self.agents.iter();
        let index = agents.position(|agent| agent.name == name);
        let agent = self.agents.get_mut(index.unwrap_or_default());
        if let Some(Says::Fields { parsed, .. }) = agent.map(|agent| &mut agent.says) {
            parsed.diagnostics.push(finding);
        }
    }
}

/// Adds fixes to what was found about the agents of a layer.
pub fn add_fixes(
    layer: &mut Layer,
    file: File<'_>,
    is_first: bool,
    dialect: &Dialect,
    reading: &ReadingRules,
    roster: &LayeredRosterRules,
    limits: &Limits,
) {
    let before = layer.clone();
    let read_so_far = Cell::new(0);
    let inputs = ParseInputs::new().limits(*limits).of_layer();
    for (at, agent) in layer.agents.iter_mut().enumerate() {
        let Says::Fields { parsed, .. } = &mut agent.says else {
            continue;
        };
        let holder = OneLayer {
            name: file.name,
            is_first,
            dialect,
            reading,
            roster,
            limits,
            at,
            before: &before,
        };
        let inside = Inside {
            file,
            key: &agent.name,
            dialect,
            rules: reading,
            inputs: &inputs,
            holder: &holder,
            read_so_far: &read_so_far,
        };
        if !parsed.diagnostics.is_empty() {
            inside.propose(parsed);
        }
    }
}

/// A layer of which one agent is mended.
struct OneLayer<'a> {
    name: &'a str,
    is_first: bool,
    dialect: &'a Dialect,
    reading: &'a ReadingRules,
    roster: &'a LayeredRosterRules,
    limits: &'a Limits,
    /// The agent, by its number in the file.
    at: usize,
    /// The layer as it is.
    before: &'a Layer,
}

impl OneLayer<'_> {
    /// Returns whether everything else in the layer is as it was.
    fn keeps_others(&self, now: &Layer) -> bool {
        let mut settings = self.before.settings.iter().zip(&now.settings);
        let mut agents = self.before.agents.iter().zip(&now.agents).enumerate();
        self.before.agents.len() == now.agents.len()
            && self.before.settings.len() == now.settings.len()
            && settings.all(|((key, known), (now_key, now))| {
                key == now_key && known.value.same_content(&now.value)
            })
            && agents.all(|(at, (known, now))| {
                known.name == now.name && (at == self.at || known.says.is_kept(&now.says))
            })
    }
}

impl Holder for OneLayer<'_> {
    fn language(&self) -> Language {
        Language::Yaml
    }

    fn agents(&self) -> usize {
        self.before.agents.len()
    }

    fn read(&self, bytes: &[u8]) -> Option<(Node, Parsed)> {
        let file = File {
            name: self.name,
            bytes,
        };
        let layer = read_layer(
            file,
            self.is_first,
            self.dialect,
            self.reading,
            self.roster,
            self.limits,
        )
        .ok()?;
        if !self.keeps_others(&layer) {
            return None;
        }
        let root = read_root(bytes, self.reading, self.limits).ok()??;
        let agents = &root.as_map()?.get(self.roster.agents)?.value;
        let node = agents.as_map()?.entries.get(self.at)?.value.clone();
        match layer.agents.into_iter().nth(self.at)?.says {
            Says::Fields { parsed, .. } => Some((node, *parsed)),
            _ => None,
        }
    }
}

impl Says {
    fn is_kept(&self, now: &Says) -> bool {
        match (self, now) {
            (
                Says::Fields { parsed, cleared },
                Says::Fields {
                    parsed: now,
                    cleared: now_cleared,
                },
            ) => cleared == now_cleared && is_kept(parsed, now),
            (Says::Removed, Says::Removed) | (Says::Nothing(_), Says::Nothing(_)) => true,
            _ => false,
        }
    }
}

fn read_root(
    bytes: &[u8],
    reading: &ReadingRules,
    limits: &Limits,
) -> Result<Option<Node>, Box<Diagnostic>> {
    let text = MappedText::decode(bytes, reading.encoding).map_err(|offset| {
        let finding = Diagnostic::new(&rules::INVALID_ENCODING, "it is not UTF-8")
            .at(Span::new(offset, offset + 1))
            .help("save the file as UTF-8");
        Box::new(finding)
    })?;
    yaml::read(&text, &reading.yaml.within(limits)).map_err(|error| Box::new(error.into()))
}

/// Returns the map of a layer that is probably meant as that of its agents.
fn meant_agents<'m>(map: &'m Mapping, roster: &LayeredRosterRules) -> Option<&'m Entry> {
    let is_agents = |value: &Node| {
        let agents = value.as_map().map(|agents| &agents.entries);
        let mut agents = agents.into_iter().flatten().peekable();
        agents.peek().is_some() && agents.all(|it| it.value.as_map().is_some())
    };
    map.entries.iter().find(|entry| {
        let key = entry.key.as_text().unwrap_or_default();
        is_agents(&entry.value) && nearest(key, [roster.agents]).is_some()
    })
}

fn misspelled_agents(entry: &Entry, dialect: &Dialect, roster: &LayeredRosterRules) -> Diagnostic {
    let (key, agents) = (entry.key.as_text().unwrap_or_default(), roster.agents);
    let title = dialect.title;
    Diagnostic::new(
        &rules::MISSPELLED_KEY,
        format!("`{key}` adds no agent; {title} takes agents from `{agents}`"),
    )
    .at(entry.key.span)
    .because(format!(
        "to {title} it is a key of some other part of the file"
    ))
    .help(format!("write `{agents}`"))
}

/// Turns a fault of a file into the finding that its layer is lost.
#[must_use]
pub fn unreadable(dialect: &Dialect, fault: Diagnostic) -> Diagnostic {
    Diagnostic {
        rule: &rules::C1_UNREADABLE_LAYER,
        severity: Severity::Error,
        message: format!("the layer cannot be read: {}", fault.message).into(),
        ..fault
    }
    .because(format!(
        "{} goes on without the layer, and so without all that it says and limits",
        dialect.title
    ))
    .said_by_harness()
}

fn unusable(dialect: &Dialect, span: Span, what: String) -> Diagnostic {
    let fault = Diagnostic::new(&rules::C1_UNREADABLE_LAYER, what)
        .at(span)
        .help("write a map from the names of the agents to their settings");
    unreadable(dialect, fault)
}

/// The keys of a layer beside its agents; a key that is no text means nothing to anyone.
fn settings(map: &Mapping, roster: &LayeredRosterRules) -> IndexMap<String, Located<Node>> {
    let others = map.entries.iter().filter_map(|entry| {
        let key = entry.key.as_text().filter(|key| *key != roster.agents)?;
        let value = Located::written(entry.value.clone(), entry.key.span, entry.value.span);
        Some((key.to_owned(), value))
    });
    others.collect()
}

impl LayerAgent {
    fn read(
        entry: &Entry,
        file: File<'_>,
        dialect: &Dialect,
        reading: &ReadingRules,
        limits: Limits,
    ) -> Self {
        let written = || {
            let key = entry.key.span;
            let written = file.bytes.get(key.start as usize..key.end as usize);
            shorten(&String::from_utf8_lossy(written.unwrap_or_default()))
        };
        let name = entry.key.as_text().map_or_else(written, str::to_owned);
        let says = match entry.value.get() {
            _ if entry.key.as_text().is_none() => {
                Says::Nothing(Box::new(no_name(entry, &name, dialect)))
            }
            Value::Null => Says::Removed,
            value => {
                let inputs = ParseInputs::new().limits(limits).of_layer();
                let parsed =
                    parse_entry(&entry.value, &name, file.bytes, dialect, reading, &inputs);
                Says::Fields {
                    parsed: Box::new(parsed),
                    cleared: match value {
                        Value::Map(map) => cleared(map, reading),
                        _ => Vec::new(),
                    },
                }
            }
        };
        LayerAgent {
            name,
            key: entry.key.span,
            says,
        }
    }
}

/// The fields whose keys are written with nothing behind them.
fn cleared(map: &Mapping, reading: &ReadingRules) -> Vec<FieldName> {
    let fields = reading.fields.iter();
    let is_null = |key: &str| map.get(key).is_some_and(|entry| entry.value.is_null());
    fields
        .filter(|field| is_null(field.key))
        .map(|field| field.target)
        .collect()
}

/// Tells of a key that cannot be the name of an agent. The agent may be on the roster all the same.
#[must_use]
pub fn bad_name(
    name: &str,
    key: Span,
    dialect: &Dialect,
    roster: &LayeredRosterRules,
    is_on_roster: bool,
) -> Diagnostic {
    let all_the_same = match is_on_roster {
        true => "; the agent is on the roster, and no mention calls it",
        false => "",
    };
    let finding = not_a_name(name, key).because(format!(
        "in {} a name is {}, so that people can mention it{all_the_same}",
        dialect.title, roster.names.allowed
    ));
    finding.help("rename the key")
}

/// Tells of a key that is no text, and so gives no agent.
fn no_name(entry: &Entry, written: &str, dialect: &Dialect) -> Diagnostic {
    let what = pydantic::article(&entry.key);
    let title = dialect.title;
    not_a_name(written, entry.key.span)
        .because(format!(
            "the key is {what} and no text, so that {title} has no agent by it"
        ))
        .help("rename the key, and begin it with a letter")
}

fn not_a_name(name: &str, key: Span) -> Diagnostic {
    let message = format!("`{name}` cannot be the name of an agent");
    Diagnostic::new(&rules::C2_BAD_AGENT_NAME, message).at(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::NEBUKO;

    fn read(text: &str, is_first: bool) -> Result<Layer, Box<Diagnostic>> {
        let file = File {
            name: "agent-config.yaml",
            bytes: text.as_bytes(),
        };
        let rules = &NEBUKO.default_profile().rules;
        let roster = rules.roster.as_ref().expect("it has a roster");
        read_layer(
            file,
            is_first,
            &NEBUKO,
            &rules.reading,
            roster,
            &Limits::default(),
        )
    }

    #[test]
    fn a_layer_without_agents_is_read_unless_it_is_the_first() {
        for text in ["", "# nothing\n", "limits: 3\n", "agents:\n"] {
            assert!(read(text, true).is_err(), "{text:?}");
            assert_eq!(read(text, false).map(|layer| layer.agents.len()), Ok(0));
        }
        for text in ["agents: [a]\n", "- a\n", "agents: {a: [}\n", "a"] {
            assert!(read(text, false).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_key_that_is_nearly_that_of_the_agents_is_told() {
        let fault = read("agent:\n  a: {role: x}\n", true).expect_err("it has no agents");
        assert_eq!(fault.help.as_deref(), Some("call that key `agents`"));
        let layer = read("agent:\n  a: {role: x}\n", false).expect("it may have none");
        let codes: Vec<&str> = layer.findings.iter().map(Diagnostic::code).collect();
        assert_eq!(codes, ["misspelled-key"]);
        for text in [
            "agent: 3\n",
            "agent: {a: 3}\n",
            "limits: {a: {}}\n",
            "agents:\n",
        ] {
            let layer = read(text, false).expect("it may have none");
            assert_eq!(layer.findings, [], "{text:?}");
        }
    }

    #[test]
    fn nothing_behind_a_name_or_a_key_takes_away() {
        let layer = read("agents:\n  a:\n  b: {role: null, model: x}\n  c: 3\n", true);
        let agents = layer.expect("it is good").agents;
        assert_eq!(agents[0].says, Says::Removed);
        match &agents[1].says {
            Says::Fields { parsed, cleared } => {
                assert_eq!(cleared, &[FieldName::DESCRIPTION]);
                let definition = parsed.outcome.definition().expect("it loads");
                assert_eq!(definition.model(), Some("x"));
            }
            other => panic!("{other:?}"),
        }
        match &agents[2].says {
            Says::Fields { parsed, .. } => assert_eq!(parsed.outcome.as_str(), "rejected"),
            other => panic!("{other:?}"),
        }
    }
}
