//! The search for agents: places in, entries with their states out.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use agent_schema::dialect::{
    Base, BuiltinAgent, FileRules, Folders, Holds, Levels, NameOrder, Part, ReadingRules, SameFile,
    SearchRules, SkipRule,
};
use agent_schema::{Definition, Diagnostic, Dialect, Fate, Level, ParseInputs, Profile, Span};
use indexmap::{IndexMap, IndexSet};

use crate::entry::{Entry, Source, State};
use crate::file_tree::{FileError, FileTree, Item, Kind};
use crate::in_order::in_order;
use crate::inputs::Inputs;
use crate::places::{self, Extent, Located as LocatedPlace, PlaceState, Searched, Survey};
use crate::read::{Reader, Walls};
use crate::remembered::{Memory, Remembered};
use crate::reported::{ReportedFolder, reported};
use crate::settings_file::first_error;
use crate::trail::{self, Step, Trail};
use crate::{
    agent_overrides, agent_settings, alike_names, description_budget, fence, layers, merge,
    precedence, reach, roster, same_file, trust,
};

/// What a search found.
///
/// Every item of every listed place is exactly one entry.
#[derive(Debug, Clone)]
pub struct Discovery {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// The version of its rules.
    pub profile: &'static Profile,
    /// The places, in the harness's order, also those where nothing is.
    pub places: Vec<Searched>,
    /// Every item of every place, in the harness's order.
    pub entries: Vec<Entry>,
    /// What settings say beside the agents, merged.
    pub general: Definition,
    /// Where settings choose the agent which people talk to first.
    pub(crate) chosen: Option<Choice>,
    /// The rules of the search.
    pub search: &'static SearchRules,
    /// The entries that the harness lists as agents, by number and in its order. Those that lost
    /// their names can be among them, and an entry can stand here twice.
    pub roster: Vec<usize>,
    /// Where the harness itself would not have come back; the states are worked out as if it
    /// had gone on.
    pub stop: Option<Stop>,
    /// The plugin that was searched instead of the places.
    pub(crate) plugin: Option<PathBuf>,
    /// What it remembers for the search that follows it.
    pub(crate) remembered: Option<Remembered>,
}

/// The place in settings where an agent is chosen.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    /// What stands for the settings as a whole.
    pub(crate) file: Entry,
    /// The name in them.
    pub(crate) at: Span,
}

/// Where the harness itself would not have come back.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// What stops it.
    pub at: StopAt,
    /// How.
    pub kind: StopKind,
    /// The same in words.
    pub diagnostic: Diagnostic,
}

/// What stops a harness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopAt {
    /// A place, by its number.
    Place(usize),
    /// An entry, by its number.
    Entry(usize),
}

/// How a harness stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopKind {
    /// The whole search ends with an error.
    Raises,
    /// The harness refuses its whole configuration, and names the file.
    Refuses,
    /// The search never ends.
    Hangs,
}

/// A file that a harness comes across once more, because two places are the same folder.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenAgain<'a> {
    /// The later place.
    pub place: usize,
    /// The entry, as it was found the first time.
    pub entry: &'a Entry,
    /// The path under which the harness comes across it again.
    pub reported: String,
}

/// Searches for the agents of a dialect.
#[must_use]
pub fn discover(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    inputs: &Inputs,
) -> Discovery {
    discover_with(tree, dialect, profile, inputs, Memory::new(inputs))
}

/// Searches with the memory of an earlier search.
pub(crate) fn discover_with(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    inputs: &Inputs,
    memory: Memory<'_>,
) -> Discovery {
    let mut found = search(tree, dialect, profile, inputs, &memory).with_places();
    found.remembered = memory.remembered();
    found
}

fn search(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    inputs: &Inputs,
    memory: &Memory<'_>,
) -> Discovery {
    if let Some(rules) = &profile.rules.roster {
        return roster::load(tree, dialect, profile, rules, inputs).found;
    }
    let named = inputs.search.as_deref();
    let agents = profile.rules.search(named).unwrap_or(&profile.rules.agents);
    if agents.precedence.is_layered() {
        return layers::discover(tree, dialect, profile, agents, inputs, memory);
    }
    let mut search = Search::new(tree, dialect, profile, inputs, memory);
    let inputs = &match agents.levels {
        Levels::Chosen => inputs.clone(),
        Levels::All => inputs.clone().with_all_levels(),
    };
    let mut places = places::locate(tree, agents.places, agents.switches, inputs);
    if agents.precedence.merges() {
        places::drop_repeated(&mut places);
    }
    let distrust = trust::Distrust {
        dialect,
        profile,
        is_said: trust::is_distrusted(tree, agents, inputs),
    };
    for place in places {
        let first = search.found.entries.len();
        let stop = search.found.stop.clone();
        for part in place.parts {
            search.visit_part(&place, part, inputs);
        }
        if place.held_back {
            trust::hold_back(distrust, &mut search.found.entries[first..]);
            // What the harness does not look at cannot stop it.
            search.found.stop = stop;
        }
    }
    search.take_permissions(inputs);
    if !trust::is_trusted(tree, agents, inputs) {
        let entries = search.found.entries.iter_mut();
        let waiting = entries.filter(|entry| agents.trusted_only.contains(&entry.source.level));
        trust::hold_back(distrust, waiting);
    }
    let switched_off = agents
        .agent_switches
        .map(|rules| agent_settings::SwitchedOff::read(tree, rules, inputs));
    let mut found = search.finish();
    if inputs.trusted != Some(true) {
        trust::note_held_back(dialect.title, &profile.rules, &mut found.entries);
    }
    if let Some(switched_off) = switched_off {
        switched_off.apply(dialect.title, &mut found.entries);
    }
    if let Some(switch) = agents.own_switch {
        agent_settings::switch_off_by_field(dialect.title, switch, &mut found.entries);
    }
    if let Some(settings) = agents.agent_switches {
        agent_overrides::apply(tree, settings, inputs, &mut found);
    }
    if let Some(denials) = agents.agent_denials {
        agent_settings::note_denied(tree, denials, inputs, &mut found.entries);
    }
    if let Some(setting) = agents.main_agent {
        agent_settings::note_main_agent(tree, setting, inputs, &mut found);
    }
    if let Some(chosen) = &profile.rules.merging.chosen {
        agent_settings::note_chosen(chosen, &mut found);
    }
    found
}

impl Discovery {
    /// Makes a discovery of which nothing is found yet.
    pub(crate) fn empty(
        dialect: &'static Dialect,
        profile: &'static Profile,
        search: &'static SearchRules,
    ) -> Self {
        Discovery {
            dialect,
            profile,
            places: Vec::new(),
            entries: Vec::new(),
            general: Definition::default(),
            chosen: None,
            search,
            roster: Vec::new(),
            stop: None,
            plugin: None,
            remembered: None,
        }
    }

    /// Gives a place to every finding of a file that was read.
    pub(crate) fn with_places(mut self) -> Self {
        for entry in &mut self.entries {
            entry.place_findings();
        }
        self
    }

    /// Returns the active entries, in the harness's order: each one where its name was first
    /// found, whoever had it then.
    pub fn active(&self) -> impl Iterator<Item = &Entry> {
        let mut seen = HashSet::new();
        let once = self.roster.iter().filter(move |index| seen.insert(**index));
        once.map(|index| &self.entries[*index])
            .filter(|entry| entry.state == State::Active)
    }

    /// Returns the entries that the harness lists as agents, in its order. Unlike
    /// [`Discovery::active`] it has those that are listed although they lost their names, and an
    /// entry as often as the harness lists it.
    pub fn listed(&self) -> impl Iterator<Item = &Entry> {
        self.roster.iter().map(|index| &self.entries[*index])
    }

    /// Returns the active entry with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.active().find(|entry| entry.name() == Some(name))
    }

    /// Returns the entries of which the harness takes one for a name and leaves open which: a
    /// list for each such name.
    #[must_use]
    pub fn undefined(&self) -> Vec<Vec<&Entry>> {
        let mut groups: IndexMap<usize, Vec<&Entry>> = IndexMap::new();
        for entry in &self.entries {
            if let State::Undefined { first } = entry.state {
                groups.entry(first).or_default().push(entry);
            }
        }
        groups.into_values().collect()
    }

    /// Returns the built-in agents of the harness that other agents replace, each with the entry
    /// that does; where the harness leaves open which one does, with the first of them.
    pub fn replaced_builtins(&self) -> impl Iterator<Item = (BuiltinAgent, &Entry)> {
        let builtins = self.profile.rules.agents.builtins.iter();
        builtins.filter_map(|builtin| {
            let mut named = self.answering();
            let entry = named.find(|entry| entry.name() == Some(builtin.name))?;
            Some((*builtin, entry))
        })
    }

    /// Returns the names that a delegating model is offered, without those that are denied:
    /// built-in agents that nothing replaces, then the others in the harness's order.
    #[must_use]
    pub fn roster(&self, denied: &[&str]) -> Vec<&str> {
        let builtins = self.profile.rules.agents.builtins.iter();
        let builtins = builtins
            .filter(|builtin| builtin.offered)
            .map(|builtin| builtin.name);
        let others = self.answering().filter_map(Entry::name);
        let names = builtins.chain(others).filter(|name| !denied.contains(name));
        let names: IndexSet<&str> = names.collect();
        names.into_iter().collect()
    }

    /// Returns the entries that answer to their names, or may do so.
    fn answering(&self) -> impl Iterator<Item = &Entry> {
        let answers =
            |entry: &&Entry| matches!(entry.state, State::Active | State::Undefined { .. });
        self.entries.iter().filter(answers)
    }

    /// Returns the rejected entries that would have had a name: by what could be read of them,
    /// or by the name of the file.
    #[must_use]
    pub fn would_have_been(&self, name: &str) -> Vec<&Entry> {
        let files = &self.profile.rules.agents.files;
        let fits = |entry: &&Entry| {
            let salvaged = entry.partial_definition();
            entry.state == State::Rejected
                && (files.stem(&entry.file_name) == name
                    || salvaged.is_some_and(|definition| definition.name() == name))
        };
        self.entries.iter().filter(fits).collect()
    }

    /// Returns the files that the harness comes across once more, in its order: those of every
    /// place that is [`PlaceState::SameAs`] an earlier one.
    pub fn seen_again(&self) -> impl Iterator<Item = SeenAgain<'_>> {
        let again = self.places.iter().enumerate();
        again.flat_map(move |(place, searched)| {
            let first = match searched.state {
                PlaceState::SameAs(first) => Some(first),
                _ => None,
            };
            let entries = self.entries.iter();
            entries
                .filter(move |entry| first.is_some() && entry.source.place == first)
                .filter_map(move |entry| {
                    let name = entry.source.path.as_deref()?.file_name()?;
                    Some(SeenAgain {
                        place,
                        entry,
                        reported: reported(&searched.path.join(name)),
                    })
                })
        })
    }
}

/// How many items of a folder are read before their entries are taken over: what is read waits
/// beside the entries, and a large folder shall not be there twice. A list of so many is small for
/// the allocator of the command, which has 4 MB for every larger size.
pub(crate) const READ_AT_ONCE: usize = 256;

/// Returns how a harness stops at an entry with which it loses everything else.
fn fatal(entry: &Entry) -> Option<(StopKind, Diagnostic)> {
    let is_fatal = entry.fate() == Some(Fate::Fatal);
    let diagnostic = is_fatal.then(|| first_error(entry)).flatten()?;
    Some((StopKind::Refuses, diagnostic))
}

/// Which items of a folder are agents, and how they are read.
#[derive(Debug, Clone)]
pub(crate) struct Files<'a> {
    pub(crate) rules: &'static FileRules,
    pub(crate) reading: &'static ReadingRules,
    /// What is known about the files beside their bytes.
    pub(crate) inputs: ParseInputs,
    /// What the files must not leave where links may not lead anywhere.
    pub(crate) root: Option<&'a Path>,
    /// Whether the folders between the place and a file are part of an agent's name.
    pub(crate) folders_in_names: bool,
}

/// The place whose items are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'p> {
    pub(crate) level: Level,
    /// Its number.
    pub(crate) index: usize,
    pub(crate) path: &'p Path,
    pub(crate) files: &'p Files<'p>,
}

impl<'p> Place<'p> {
    /// Returns how the files of a folder of the place are read.
    fn files_of(self, folder: &Path) -> Cow<'p, Files<'p>> {
        let inside = folder.strip_prefix(self.path).unwrap_or(folder);
        if !self.files.folders_in_names || inside.as_os_str().is_empty() {
            return Cow::Borrowed(self.files);
        }
        let names = inside.components();
        let names = names.map(|name| name.as_os_str().to_string_lossy().into_owned());
        let inputs = self.files.inputs.clone().plugin_folders(names);
        Cow::Owned(Files {
            inputs,
            ..self.files.clone()
        })
    }

    /// Makes the source of an item; its number is not known yet.
    pub(crate) fn source_of(self, path: &Path) -> Source {
        self.source(path.to_owned(), reported(path))
    }

    fn source(self, path: PathBuf, reported: String) -> Source {
        Source {
            level: self.level,
            reported,
            path: Some(path),
            inside: None,
            place: Some(self.index),
            scan_index: 0,
        }
    }
}

/// A search under way.
pub(crate) struct Search<'a> {
    pub(crate) tree: &'a dyn FileTree,
    pub(crate) memory: &'a Memory<'a>,
    /// The real paths of the folders that were listed, with the number of the place.
    listed: HashMap<PathBuf, usize>,
    pub(crate) found: Discovery,
    /// What the parse of any file is told.
    pub(crate) parse_inputs: ParseInputs,
    /// Whether the words of plugins lead anywhere.
    pub(crate) is_open: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        tree: &'a dyn FileTree,
        dialect: &'static Dialect,
        profile: &'static Profile,
        inputs: &Inputs,
        memory: &'a Memory<'a>,
    ) -> Self {
        Search {
            tree,
            memory,
            parse_inputs: inputs.parse_inputs(),
            is_open: fence::may_lead_anywhere(inputs),
            listed: HashMap::new(),
            found: Discovery::empty(dialect, profile, &profile.rules.agents),
        }
    }

    /// Looks into a part of a place: all its paths count as one place.
    fn visit_part(&mut self, place: &LocatedPlace, part: &Part, inputs: &Inputs) {
        let unit = self.found.places.len();
        let (level, switched_on) = (place.level, place.switched_on);
        if place.refused && switched_on {
            let refused = fence::refused(&place.path, self.found.dialect.title);
            self.found.places.push(Searched {
                level,
                path: place.path.clone(),
                extent: Extent::Folder,
                state: PlaceState::Outside(Box::new(refused)),
                unit,
                above: place.above,
            });
            return;
        }
        for path in part.paths {
            let path = places::below(place.path.clone(), path);
            match part.holds {
                Holds::Agents => {
                    let rules = &self.found.profile.rules;
                    self.visit_agents(place, path, &rules.agents.files, &rules.reading);
                }
                Holds::AgentsOfKind { files, reading } => {
                    self.visit_agents(place, path, files, reading);
                }
                Holds::Settings(rules) => self.visit_settings(place, path, rules, inputs),
                // A folder that is given is a plugin; any other one has plugins in it.
                Holds::Plugins if place.base == Base::Plugins => {
                    self.visit_plugins(level, &path, switched_on);
                }
                Holds::Plugins => self.visit_plugin_folder(level, &path, switched_on),
                Holds::Definitions => self.visit_definitions(level, inputs, switched_on),
            }
        }
        if part.paths.len() > 1 {
            for searched in &mut self.found.places[unit..] {
                searched.unit = unit;
            }
        }
        for searched in &mut self.found.places[unit..] {
            searched.above = place.above;
        }
    }

    /// Looks into a folder of agents.
    fn visit_agents(
        &mut self,
        place: &LocatedPlace,
        path: PathBuf,
        rules: &'static FileRules,
        reading: &'static ReadingRules,
    ) {
        let inputs = self.parse_inputs.clone();
        let files = Files {
            rules,
            reading,
            inputs: match self.found.profile.rules.agents.precedence.merges() {
                true => inputs.part(),
                false => inputs,
            },
            root: None,
            folders_in_names: false,
        };
        self.visit_with(place.level, path, place.switched_on, &files);
    }

    /// Looks into the next place, whose files are read in a way of their own.
    pub(crate) fn visit_with(
        &mut self,
        level: Level,
        path: PathBuf,
        switched_on: bool,
        files: &Files<'_>,
    ) {
        let index = self.found.places.len();
        let first = self.found.entries.len();
        let (mut state, items) = if switched_on {
            self.survey(&path, index, files.rules.order)
        } else {
            (PlaceState::SwitchedOff, Vec::new())
        };
        if let PlaceState::Unreadable(diagnostic) = &state {
            self.stop(
                StopAt::Place(index),
                StopKind::Raises,
                Diagnostic::clone(diagnostic),
            );
        }
        let place = Place {
            level,
            index,
            path: &path,
            files,
        };
        let mut trail = match files.rules.folders {
            Folders::SearchedBut(_) => Trail::once(self.tree, &path, files.inputs.limits),
            _ => Trail::new(self.tree, &path, files.inputs.limits),
        };
        self.read_items(place, &path, &items, &mut trail);
        if let PlaceState::Listed { entries } = &mut state {
            *entries = self.found.entries.len() - first;
        }
        let extent = match files.rules.folders {
            Folders::Searched => Extent::WithFolders,
            _ => Extent::Folder,
        };
        self.found.places.push(Searched {
            level,
            path,
            extent,
            state,
            unit: index,
            above: None,
        });
    }

    fn survey(&mut self, path: &Path, index: usize, order: NameOrder) -> (PlaceState, Vec<Item>) {
        let items = match places::survey(self.tree, path, order) {
            Survey::Items(items) => items,
            Survey::Nothing(state) => return (state, Vec::new()),
            Survey::Unreadable(error) => {
                let diagnostic = places::unreadable_folder(self.found.dialect.title, path, &error)
                    .because(format!(
                        "{} is not prepared for this, and its whole search ends with an error",
                        self.found.dialect.title
                    ));
                return (PlaceState::Unreadable(Box::new(diagnostic)), Vec::new());
            }
        };
        let real = self
            .tree
            .real_path(path)
            .unwrap_or_else(|_| path.to_owned());
        let once = self.found.profile.rules.agents.same_file == SameFile::ByFolder;
        let before = self.listed.get(&real);
        if let Some(first) = before.filter(|_| once) {
            return (PlaceState::SameAs(*first), Vec::new());
        }
        self.listed.entry(real).or_insert(index);
        let entries = items.len();
        (PlaceState::Listed { entries }, items)
    }

    fn read_items(&mut self, place: Place<'_>, folder: &Path, items: &[Item], trail: &mut Trail) {
        let files = place.files_of(folder);
        let reader = Reader {
            tree: self.tree,
            memory: self.memory,
            dialect: self.found.dialect,
            files: &files,
            folder,
            place: place.path,
            walls: Walls::new(self.tree, &files, folder),
        };
        // Before its first item the harness may stop at the folder as such.
        let mut stop = reader
            .stop_at_closed_folder(items)
            .map(|(kind, diagnostic)| (self.found.entries.len(), kind, diagnostic));
        let searched = place.files.rules.folders.are_searched();
        let reported = ReportedFolder::of(folder);
        let read = |item: &Item| {
            let is_file = !(searched && reader.is_folder(item));
            let source = || place.source(folder.join(&item.name), reported.item(&item.name));
            is_file.then(|| reader.read(item, source()))
        };
        self.found.entries.reserve(items.len());
        for some in items.chunks(READ_AT_ONCE) {
            for (item, reading) in some.iter().zip(in_order(some, read)) {
                let Some(mut reading) = reading else {
                    self.read_folder(place, &folder.join(&item.name), item, trail);
                    continue;
                };
                let index = self.found.entries.len();
                let at_item = |(kind, diagnostic)| (index, kind, diagnostic);
                reading.entry.stops = reading.stop.is_some();
                stop = stop
                    .or(reading.stop.map(|stop| at_item(*stop)))
                    .or_else(|| fatal(&reading.entry).map(at_item));
                self.add(reading.entry);
            }
        }
        if let Some((entry, kind, diagnostic)) = stop {
            self.stop(StopAt::Entry(entry), kind, diagnostic);
        }
    }

    /// Reads the items of a folder inside a place. A folder that cannot be searched is an entry
    /// itself.
    fn read_folder(&mut self, place: Place<'_>, path: &Path, item: &Item, trail: &mut Trail) {
        let mut entry = Entry::unread(item, place.source_of(path));
        if self.is_pruned(path, place.files.rules.folders) {
            entry.state = State::Ignored(SkipRule::Pruned);
            self.add(entry);
            return;
        }
        match trail.enter(self.tree, path) {
            Step::Loop => entry.state = State::Ignored(SkipRule::LinkLoop),
            Step::TooMany => entry
                .diagnostics
                .push(trail::too_many_folders(&place.files.inputs.limits)),
            Step::Entered => {
                match places::survey(self.tree, path, place.files.rules.order) {
                    Survey::Items(items) => {
                        self.read_items(place, path, &items, trail);
                        trail.leave();
                        return;
                    }
                    Survey::Unreadable(error) => entry.diagnostics.push(places::unreadable_folder(
                        self.found.dialect.title,
                        path,
                        &error,
                    )),
                    Survey::Nothing(_) => {
                        let vanished = places::unreadable_folder(
                            self.found.dialect.title,
                            path,
                            &FileError::Missing,
                        );
                        entry.diagnostics.push(vanished);
                    }
                }
                trail.leave();
            }
        }
        self.add(entry);
    }

    /// Returns whether a folder inside a place is left out of the search.
    fn is_pruned(&self, path: &Path, folders: Folders) -> bool {
        let Folders::SearchedBut(pruned) = folders else {
            return false;
        };
        let name_of = |path: Option<&Path>| {
            let name = path.and_then(Path::file_name).unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let (name, around) = (name_of(Some(path)), name_of(path.parent()));
        let is_folder = |name: &&str| self.tree.kind(&path.join(name)) == Ok(Kind::Folder);
        pruned.named.contains(&name.as_str())
            || pruned
                .holding
                .iter()
                .any(|name| self.tree.kind(&path.join(name)).is_ok())
            || pruned.holding_folders.iter().any(is_folder)
            || pruned.inside.iter().any(|(outer, inner)| {
                around.eq_ignore_ascii_case(outer) && name.eq_ignore_ascii_case(inner)
            })
    }

    pub(crate) fn add(&mut self, mut entry: Entry) {
        entry.source.scan_index = u32::try_from(self.found.entries.len()).unwrap_or(u32::MAX);
        self.found.entries.push(entry);
    }

    /// Notes what stops the harness; it never comes to a second one.
    pub(crate) fn stop(&mut self, at: StopAt, kind: StopKind, diagnostic: Diagnostic) {
        self.found.stop.get_or_insert(Stop {
            at,
            kind,
            diagnostic,
        });
    }

    /// Decides who wins, and gives what was found.
    pub(crate) fn finish(mut self) -> Discovery {
        self.found.entries.shrink_to_fit();
        let title = self.found.dialect.title;
        let rules = &self.found.profile.rules;
        same_file::settle(
            self.tree,
            title,
            rules.agents.same_file,
            &mut self.found.entries,
        );
        precedence::settle(title, rules.agents.precedence, &mut self.found.entries);
        precedence::spare_elsewhere(&self.found.places, &mut self.found.entries);
        if rules.agents.precedence.merges() {
            merge::settle(&mut self.found);
        }
        reach::note_unreachable(title, &rules.lookup, &mut self.found.entries);
        alike_names::note_alike(title, &rules.lookup, &mut self.found.entries);
        description_budget::note_budget(title, &rules.lookup, &mut self.found.entries);
        self.found.roster = roster(&self.found.entries);
        self.found
    }
}

/// Lists the entries that have a name, each one where its name was first found, whoever had it
/// then.
fn roster(entries: &[Entry]) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..entries.len()).collect();
    for (index, entry) in entries.iter().enumerate() {
        if let State::Shadowed { by, .. } = entry.state
            && let Some(turn) = turns.get_mut(by)
        {
            *turn = index.min(*turn);
        }
    }
    let listed = |entry: &Entry| matches!(entry.state, State::Active | State::Undefined { .. });
    let mut roster: Vec<usize> = (0..entries.len()).collect();
    roster.retain(|index| listed(&entries[*index]));
    roster.sort_by_key(|index| turns[*index]);
    roster
}
