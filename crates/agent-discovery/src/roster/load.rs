//! From the layers of a roster to its agents: field by field, the stronger layer replaces.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use agent_schema::dialect::{Absent, SkipRule};
use agent_schema::roster::{self, Layer, LayerAgent, LayeredRosterRules, Says};
use agent_schema::{
    Definition, Diagnostic, Dialect, Fate, FieldName, FieldValue, File, Limit, Limits, Located,
    Outcome, Parsed, Profile, Severity, Span, rules,
};
use indexmap::IndexMap;

use super::{Roster, Setting, lint, prompts};
use crate::discover::Discovery;
use crate::entry::{Entry, Source, State};
use crate::file_tree::{FileError, FileTree, Kind};
use crate::inputs::Inputs;
use crate::merge::{Layer as Giver, Merged};
use crate::places::{self, Extent, Located as LocatedPlace, PlaceState, Searched};
use crate::reported::reported;
use crate::trouble;

/// Most bytes of all prompts together, each counted as often as it is used. No harness has this
/// limit; it keeps many agents that share one large prompt from filling the memory.
pub(super) const MOST_PROMPT_BYTES: usize = 64 << 20;

/// Reads a roster.
pub(crate) fn load(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    rules: &LayeredRosterRules,
    inputs: &Inputs,
) -> Roster {
    let mut loading = Loading {
        tree,
        dialect,
        profile,
        rules,
        found: Discovery::empty(dialect, profile, &profile.rules.agents),
        members: HashMap::new(),
        limits: inputs.limits,
        prompt_bytes_left: MOST_PROMPT_BYTES,
        settings: IndexMap::new(),
        is_readable: true,
        is_meant: false,
        with_fixes: inputs.with_fixes,
    };
    let agents = &profile.rules.agents;
    let places = places::locate(tree, agents.places, agents.switches, inputs);
    loading.is_meant = is_meant(tree, rules, &places);
    for place in places {
        loading.take_layer(place);
    }
    if !loading.is_readable {
        loading.forget_agents();
    }
    loading.complete();
    loading.note_refused();
    let members = loading.members().into_iter();
    loading.found.roster = members.map(|(_, index)| index).collect();
    let exit_rules = prompts::attach(&mut loading);
    let mut roster = Roster {
        found: loading.found,
        settings: loading.settings,
        exit_rules,
        is_readable: loading.is_readable,
        findings: Vec::new(),
    };
    lint::check(tree, rules, inputs, &mut roster);
    roster
}

/// Returns whether anything of a roster is there. Without it, it is no fault that there is none.
fn is_meant(tree: &dyn FileTree, rules: &LayeredRosterRules, places: &[LocatedPlace]) -> bool {
    let has = |place: &LocatedPlace, item| tree.own_kind(&place.path.join(item)).is_ok();
    let first = places.first();
    let is_named_so =
        |place| has(place, rules.file) || !misnamed(tree, rules, &place.path).is_empty();
    places.iter().any(is_named_so) || first.is_some_and(|first| has(first, rules.prompts.folder))
}

/// Lists the files of a folder that are nearly called as a layer is: with another suffix of YAML, with
/// capitals, or with other signs between the words.
fn misnamed(tree: &dyn FileTree, rules: &LayeredRosterRules, folder: &Path) -> Vec<String> {
    let plain = |name: &str| {
        let small = name.to_lowercase();
        let (stem, suffix) = small.rsplit_once('.')?;
        let is_yaml = matches!(suffix, "yaml" | "yml" | "json");
        is_yaml.then(|| stem.replace(['-', '_', ' '], ""))
    };
    let wanted = plain(rules.file);
    let items = tree.list(folder).unwrap_or_default();
    let names = items.iter().filter(|item| item.kind != Kind::Folder);
    let names = names.filter_map(|item| item.name.to_str());
    let names = names.filter(|name| *name != rules.file && plain(name) == wanted);
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names
}

/// Tells that a fixed list of names takes the place of a roster.
pub(super) fn fallback(dialect: &Dialect, names: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &rules::FALLBACK_ROSTER,
        format!(
            "the roster cannot be read; the names `{}` count instead",
            names.join("`, `")
        ),
    )
    .because(format!(
        "{} goes on without its roster rather than fail",
        dialect.title
    ))
    .help("mend the weakest layer of the roster")
    .said_by_harness()
}

/// A roster while it is read.
pub(super) struct Loading<'a> {
    pub(super) tree: &'a dyn FileTree,
    pub(super) dialect: &'static Dialect,
    profile: &'static Profile,
    pub(super) rules: &'a LayeredRosterRules,
    pub(super) found: Discovery,
    /// The agents that are on the roster so far, each with the place of its first entry.
    members: HashMap<String, usize>,
    /// How much of a file is read.
    pub(super) limits: Limits,
    /// How many bytes of prompts may still be read.
    pub(super) prompt_bytes_left: usize,
    pub(super) settings: IndexMap<String, Setting>,
    pub(super) is_readable: bool,
    /// Whether anything of a roster is there.
    pub(super) is_meant: bool,
    with_fixes: bool,
}

impl Loading<'_> {
    fn take_layer(&mut self, place: LocatedPlace) {
        let index = self.found.places.len();
        let first = self.found.entries.len();
        let mut state = match self.tree.kind(&place.path) {
            _ if !place.switched_on => PlaceState::SwitchedOff,
            Ok(Kind::Folder) => PlaceState::Listed { entries: 0 },
            Err(FileError::Missing) => PlaceState::Missing,
            _ => PlaceState::NotAFolder,
        };
        if place.switched_on {
            self.take_file(&place, index);
            self.note_misnamed(&place, index);
        } else {
            self.is_readable &= index > 0;
        }
        if let PlaceState::Listed { entries } = &mut state {
            *entries = self.found.entries.len() - first;
        }
        self.found.places.push(Searched {
            level: place.level,
            path: place.path,
            state,
            unit: index,
            above: None,
            extent: Extent::Folder,
        });
    }

    fn take_file(&mut self, place: &LocatedPlace, index: usize) {
        let path = place.path.join(self.rules.file);
        let source = self.source(place, index, &path);
        let is_first = index == 0;
        let limits = &self.limits;
        let most_bytes = limits.of(Limit::FileBytes);
        let bytes = match read(self.tree, &path, most_bytes, most_bytes) {
            Ok(bytes) => bytes,
            Err(Unread::Absent) if !is_first => return,
            Err(Unread::Absent) if !self.is_meant => {
                self.is_readable = false;
                return;
            }
            Err(unread) => {
                let fault = unread.told(self.dialect.title, &path);
                let finding = roster::unreadable(self.dialect, fault);
                self.lose_layer(source, None, finding, is_first);
                return;
            }
        };
        let file = File {
            name: self.rules.file,
            bytes: &bytes,
        };
        let reading = &self.profile.rules.reading;
        match roster::read_layer(file, is_first, self.dialect, reading, self.rules, limits) {
            Ok(mut layer) => {
                if self.with_fixes {
                    let (dialect, rules) = (self.dialect, self.rules);
                    roster::add_fixes(&mut layer, file, is_first, dialect, reading, rules, limits);
                }
                self.merge_layer(layer, &source, &bytes, index);
            }
            Err(mut finding) => {
                if self.with_fixes {
                    let (dialect, rules) = (self.dialect, self.rules);
                    roster::add_layer_fix(
                        &mut finding,
                        file,
                        is_first,
                        dialect,
                        reading,
                        rules,
                        limits,
                    );
                }
                self.lose_layer(source, Some(bytes), *finding, is_first);
            }
        }
    }

    /// Notes files that are nearly called as a layer is, and that nobody reads.
    fn note_misnamed(&mut self, place: &LocatedPlace, index: usize) {
        let suffix = Path::new(self.rules.file).extension();
        for name in misnamed(self.tree, self.rules, &place.path) {
            let finding = Diagnostic::new(
                &rules::SKIPPED_FILE,
                format!(
                    "`{name}` is passed over, because it is not called `{}`",
                    self.rules.file
                ),
            )
            .because(format!("{} says nothing about it", self.dialect.title))
            .help(format!("call it `{}`", self.rules.file))
            .at(Span::default());
            let source = self.source(place, index, &place.path.join(&name));
            self.add(Entry {
                state: State::Ignored(match Path::new(&name).extension() == suffix {
                    true => SkipRule::SkippedName,
                    false => SkipRule::Suffix,
                }),
                diagnostics: vec![Diagnostic {
                    severity: Severity::Warning,
                    ..finding
                }],
                ..Entry::named(name, source)
            });
        }
    }

    fn source(&self, place: &LocatedPlace, index: usize, path: &Path) -> Source {
        Source {
            level: place.level,
            path: Some(path.to_owned()),
            inside: None,
            place: Some(index),
            scan_index: 0,
            reported: reported(path),
        }
    }

    fn lose_layer(
        &mut self,
        source: Source,
        bytes: Option<Arc<[u8]>>,
        finding: Diagnostic,
        is_first: bool,
    ) {
        self.is_readable &= !is_first;
        self.add(Entry {
            diagnostics: vec![finding],
            bytes,
            ..Entry::named(self.rules.file.to_owned(), source)
        });
    }

    /// Adds an entry and gives its number.
    pub(super) fn add(&mut self, mut entry: Entry) -> usize {
        let index = self.found.entries.len();
        entry.source.scan_index = u32::try_from(index).unwrap_or(u32::MAX);
        self.found.entries.push(entry);
        index
    }

    fn merge_layer(&mut self, layer: Layer, source: &Source, bytes: &Arc<[u8]>, place: usize) {
        if !layer.findings.is_empty() {
            self.add(Entry {
                state: State::Ignored(SkipRule::WholeRoster),
                diagnostics: layer.findings,
                bytes: Some(bytes.clone()),
                ..Entry::named(self.rules.file.to_owned(), source.clone())
            });
        }
        for agent in layer.agents {
            let source = Source {
                inside: Some(format!("{}.{}", self.rules.agents, agent.name)),
                ..source.clone()
            };
            let entry = Entry {
                bytes: Some(bytes.clone()),
                ..Entry::named(self.rules.file.to_owned(), source)
            };
            self.take_agent(agent, entry);
        }
        for (key, value) in layer.settings {
            if value.value.is_null() {
                self.settings.shift_remove(&key);
            } else {
                self.settings.insert(key, Setting { value, place });
            }
        }
    }

    fn take_agent(&mut self, agent: LayerAgent, mut entry: Entry) {
        match agent.says {
            Says::Removed => {
                entry.state = State::Ignored(SkipRule::Removed);
                self.add(entry);
                self.remove(&agent.name);
            }
            Says::Nothing(finding) => {
                entry.diagnostics.push(*finding);
                self.add(entry);
            }
            Says::Fields { parsed, cleared } => {
                let mut parsed = *parsed;
                entry.diagnostics.append(&mut parsed.diagnostics);
                let name = named(&agent.name, agent.key);
                let own = match &mut parsed.outcome {
                    Outcome::Loaded(definition) => {
                        let definition = Arc::make_mut(definition);
                        definition.set(FieldName::NAME, name);
                        Some(written(definition))
                    }
                    Outcome::Rejected(definition) => {
                        Arc::make_mut(definition).set(FieldName::NAME, name);
                        None
                    }
                    Outcome::Ignored(_) => None,
                };
                entry.parsed = Some(parsed);
                let index = self.add(entry);
                if let Some(own) = own {
                    self.merge_agent(agent.name, index, own, &cleared);
                }
            }
        }
    }

    /// Lays what a layer says about an agent over what weaker ones say.
    fn merge_agent(
        &mut self,
        name: String,
        index: usize,
        mut own: Definition,
        cleared: &[FieldName],
    ) {
        let first = *self.members.entry(name).or_insert(index);
        let shown = self.profile.rules.reading.shown;
        let agent = &mut self.found.entries[first];
        let merged = agent
            .merged
            .get_or_insert_with(|| Box::new(Merged::new(shown)));
        if index != first {
            // The key that names the agent is the first one.
            own.unset(FieldName::NAME);
        }
        merged.take_over(Giver::Entry(index), &own, cleared);
        self.found.entries[index].state = match index == first {
            true => State::Active,
            false => State::Merged { into: first },
        };
    }

    /// Takes an agent off the roster, with all that weaker layers say about it.
    fn remove(&mut self, name: &str) {
        let first = self.members.remove(name);
        let merged = first.and_then(|first| self.found.entries[first].merged.as_ref());
        let layers = merged.map_or_else(Vec::new, |merged| merged.layers.clone());
        for layer in layers {
            if let Giver::Entry(index) = layer {
                self.found.entries[index].state = State::Ignored(SkipRule::Removed);
            }
        }
    }

    /// Without the layer that all others build on, nothing that they say counts.
    fn forget_agents(&mut self) {
        self.members.clear();
        for entry in &mut self.found.entries {
            if matches!(entry.state, State::Active | State::Merged { .. }) {
                entry.state = State::Ignored(SkipRule::NoRoster);
            }
        }
    }

    /// Gives the agents what no layer says.
    fn complete(&mut self) {
        let fields = self.profile.rules.reading.fields;
        for &index in self.members.values() {
            let Some(merged) = &mut self.found.entries[index].merged else {
                continue;
            };
            let definition = merged.definition_mut();
            for field in fields {
                let is_list = matches!(field.absent, Absent::NoNames);
                if is_list && definition.field(field.target).is_none() {
                    let none = Located::implied(FieldValue::Names(Vec::new()));
                    definition.set(field.target, none);
                }
            }
        }
    }

    /// Notes at each agent what it loses because what a layer says about it is refused.
    fn note_refused(&mut self) {
        let refused = self.found.entries.iter().filter_map(|entry| {
            let parsed = entry.parsed.as_ref()?;
            let Outcome::Rejected(definition) = &parsed.outcome else {
                return None;
            };
            let first = *self.members.get(definition.name())?;
            let written = definition.fields();
            let written =
                written.filter(|(field, value)| value.place.is_some() && *field != FieldName::NAME);
            let written = written.map(|(field, _)| field);
            let found = entry.diagnostics.iter().filter_map(|finding| finding.field);
            Some((first, written.chain(found).collect::<Vec<FieldName>>()))
        });
        let refused: Vec<_> = refused.collect();
        for (first, lost) in refused {
            if let Some(parsed) = &mut self.found.entries[first].parsed {
                parsed.lose(&lost);
            }
        }
    }

    /// The agents with the places of their first entries, in the order of the roster.
    pub(super) fn members(&self) -> Vec<(String, usize)> {
        let members = self.members.iter();
        let mut members: Vec<(String, usize)> = members
            .map(|(name, index)| (name.clone(), *index))
            .collect();
        members.sort_by_key(|(_, index)| *index);
        members
    }
}

/// A definition without what is only implied.
fn written(definition: &Definition) -> Definition {
    let mut out = definition.clone();
    for (field, value) in definition.fields() {
        if value.place.is_none() {
            out.unset(field);
        }
    }
    out
}

fn named(name: &str, key: Span) -> Located<FieldValue> {
    Located::written(FieldValue::text(name.to_owned()), key, key)
}

/// Makes what stands for a definition that holds nothing but a prompt.
pub(super) fn prompt_alone(
    agent: &str,
    text: String,
    span: Span,
    shown: &'static [FieldName],
) -> Parsed {
    let mut definition = Definition::new(shown);
    let name = FieldValue::text(agent.to_owned());
    definition.set(FieldName::NAME, Located::implied(name));
    let prompt = Located::written(FieldValue::text(text), span, span);
    definition.set(FieldName::PROMPT, prompt);
    Parsed {
        outcome: Outcome::Loaded(Arc::new(definition)),
        fate: Fate::Loaded,
        lost: Vec::new(),
        rights_widened: false,
        diagnostics: Vec::new(),
    }
}

/// Why a file of a roster gives no bytes.
pub(super) enum Unread {
    /// Nothing is there.
    Absent,
    /// Something is there that cannot be read.
    Fault(FileError, Kind),
    /// The prompts of the roster are too large together.
    OverLimit,
}

/// Reads a file that need not be there, of at most so many bytes, and so many if there is no
/// other limit.
pub(super) fn read(
    tree: &dyn FileTree,
    path: &Path,
    left: usize,
    most: usize,
) -> Result<Arc<[u8]>, Unread> {
    match tree.read(path, most.min(left)) {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) => match (tree.own_kind(path), error) {
            (Err(_), FileError::Missing | FileError::NotAFolder) => Err(Unread::Absent),
            (_, FileError::TooLarge { .. }) if left < most => Err(Unread::OverLimit),
            (own, error) => Err(Unread::Fault(error, own.unwrap_or(Kind::File))),
        },
    }
}

impl Unread {
    pub(super) fn told(&self, title: &str, path: &Path) -> Diagnostic {
        match self {
            Unread::Absent => Diagnostic::new(&rules::UNREADABLE_FILE, "nothing is there")
                .help(format!("write the file `{}`", reported(path))),
            Unread::Fault(FileError::NotAFile(kind), _) => trouble::not_a_file(title, *kind),
            Unread::OverLimit => Diagnostic::new(
                &rules::LIMIT_EXCEEDED,
                format!("the prompts of the roster have more than {MOST_PROMPT_BYTES} bytes"),
            )
            .because("a limit of agentry, so that no roster can fill the memory"),
            Unread::Fault(error, own) => trouble::unreadable(title, error, *own),
        }
    }
}
