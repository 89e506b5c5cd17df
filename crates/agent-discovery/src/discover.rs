//! The search for agents: places in, entries with their states out.

use std::path::{Path, PathBuf};

use agent_schema::dialect::{
    FileRules, Folders, Holds, Part, ReadingRules, SettingsRules, SkipRule,
};
use agent_schema::merge::lay_over;
use agent_schema::text::MappedText;
use agent_schema::{
    Definition, Diagnostic, Dialect, Fate, FieldName, FieldValue, Level, Located, ParseInputs,
    Profile, json,
};
use indexmap::IndexMap;

use crate::entry::{Entry, Source, State};
use crate::file_tree::{FileError, FileTree, Item};
use crate::inputs::Inputs;
use crate::places::{self, Located as LocatedPlace, PlaceState, Searched, Survey};
use crate::read::{Reader, Walls};
use crate::reported::reported;
use crate::settings_file::{Origin, SettingsReader, first_error};
use crate::trail::{self, Step, Trail};
use crate::{merge, precedence, reach};

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
    /// Where the harness itself would not have come back; the states are worked out as if it
    /// had gone on.
    pub stop: Option<Stop>,
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
    let agents = &profile.rules.agents;
    let files = Files {
        rules: &agents.files,
        reading: &profile.rules.reading,
        inputs: ParseInputs::new(),
        root: None,
    };
    let mut search = Search::new(tree, dialect, profile, files);
    for place in places::locate(tree, agents.places, inputs) {
        match place.parts {
            [] => search.visit(place.level, place.path, place.switched_on),
            parts => parts
                .iter()
                .for_each(|part| search.visit_part(&place, part, inputs)),
        }
    }
    search.take_permissions(inputs);
    search.finish()
}

impl Discovery {
    /// Returns the active entries, in the harness's order.
    pub fn active(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| entry.state == State::Active)
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

/// Returns how a harness stops at an entry with which it loses everything else.
fn fatal(entry: &Entry) -> Option<(StopKind, Diagnostic)> {
    let is_fatal = entry.fate() == Some(Fate::Fatal);
    let diagnostic = is_fatal.then(|| first_error(entry)).flatten()?;
    Some((StopKind::Refuses, diagnostic))
}

/// Which items of a folder are agents, and how they are read.
pub(crate) struct Files<'a> {
    pub(crate) rules: &'static FileRules,
    pub(crate) reading: &'static ReadingRules,
    /// What is known about the files beside their bytes.
    pub(crate) inputs: ParseInputs,
    /// What the files must not leave where links may not lead anywhere.
    pub(crate) root: Option<&'a Path>,
}

/// The place whose items are read.
#[derive(Debug, Clone, Copy)]
struct Place<'p> {
    level: Level,
    /// Its number.
    index: usize,
    path: &'p Path,
}

impl Place<'_> {
    fn source(self, folder: &Path, item: &Item) -> Source {
        self.source_of(&folder.join(&item.name))
    }

    /// Makes the source of an item; its number is not known yet.
    fn source_of(self, path: &Path) -> Source {
        Source {
            level: self.level,
            reported: reported(path),
            path: Some(path.to_owned()),
            inside: None,
            place: Some(self.index),
            scan_index: 0,
        }
    }
}

/// A search under way.
pub(crate) struct Search<'a> {
    tree: &'a dyn FileTree,
    files: Files<'a>,
    /// The real paths of the folders that were listed, with the number of the place.
    listed: Vec<(PathBuf, usize)>,
    found: Discovery,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        tree: &'a dyn FileTree,
        dialect: &'static Dialect,
        profile: &'static Profile,
        files: Files<'a>,
    ) -> Self {
        Search {
            tree,
            files,
            listed: Vec::new(),
            found: Discovery {
                dialect,
                profile,
                places: Vec::new(),
                entries: Vec::new(),
                general: Definition::default(),
                stop: None,
            },
        }
    }

    /// Looks into a part of a place: all its paths count as one place.
    fn visit_part(&mut self, place: &LocatedPlace, part: &Part, inputs: &Inputs) {
        let unit = self.found.places.len();
        for path in part.paths {
            let path = places::below(place.path.clone(), path);
            match part.holds {
                Holds::Agents { files, reading } => {
                    self.files = Files {
                        rules: files,
                        reading,
                        inputs: ParseInputs::new().part(),
                        root: None,
                    };
                    self.visit(place.level, path, place.switched_on);
                }
                Holds::Settings(rules) => self.visit_settings(place, path, rules, inputs),
            }
        }
        for searched in &mut self.found.places[unit..] {
            searched.unit = unit;
        }
    }

    /// Reads a file of settings.
    fn visit_settings(
        &mut self,
        place: &LocatedPlace,
        path: PathBuf,
        rules: &'static SettingsRules,
        inputs: &Inputs,
    ) {
        let unit = self.found.places.len();
        let origin = match &place.text {
            Some(text) => Origin::Text(text.clone()),
            None => Origin::File(path.clone()),
        };
        let source = Source {
            level: place.level,
            reported: reported(&path),
            path: place.text.is_none().then(|| path.clone()),
            inside: None,
            place: Some(unit),
            scan_index: 0,
        };
        let reader = SettingsReader {
            tree: self.tree,
            dialect: self.found.dialect,
            rules,
            inputs,
        };
        let read = place.switched_on.then(|| reader.read(&origin, &source));
        let state = match &read {
            None => PlaceState::SwitchedOff,
            Some(None) => PlaceState::Missing,
            Some(Some(read)) => PlaceState::Listed {
                entries: read.entries.len(),
            },
        };
        self.found.places.push(Searched {
            level: place.level,
            path,
            state,
            unit,
        });
        let Some(read) = read.flatten() else { return };
        if let Some((at, diagnostic)) = read.fatal {
            let entry = self.found.entries.len() + at;
            self.stop(StopAt::Entry(entry), StopKind::Refuses, diagnostic);
        }
        if let Some(general) = &read.general {
            lay_over(&mut self.found.general, general, &[]);
        }
        for entry in read.entries {
            self.add(entry);
        }
    }

    /// Lays what a variable says over the permissions for all agents.
    fn take_permissions(&mut self, inputs: &Inputs) {
        let merging = &self.found.profile.rules.merging;
        let text = merging
            .permission_variable
            .and_then(|name| inputs.variables.get(name));
        let Some(text) = text else { return };
        // The harness ends with an error if this is no JSON; the files are not to blame.
        let Ok(node) = json::read(&MappedText::plain(text), json::JAVASCRIPT) else {
            return;
        };
        let mut said = Definition::default();
        let permission = Located::implied(FieldValue::Config(node));
        said.set(FieldName::PERMISSION, permission);
        lay_over(&mut self.found.general, &said, &[]);
    }

    /// Looks into the next place.
    pub(crate) fn visit(&mut self, level: Level, path: PathBuf, switched_on: bool) {
        let index = self.found.places.len();
        let first = self.found.entries.len();
        let (mut state, items) = if switched_on {
            self.survey(&path, index)
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
        };
        self.read_items(place, &path, &items, &mut Trail::new(self.tree, &path));
        if let PlaceState::Listed { entries } = &mut state {
            *entries = self.found.entries.len() - first;
        }
        self.found.places.push(Searched {
            level,
            path,
            state,
            unit: index,
        });
    }

    fn survey(&mut self, path: &Path, index: usize) -> (PlaceState, Vec<Item>) {
        let items = match places::survey(self.tree, path) {
            Survey::Items(items) => items,
            Survey::Nothing(state) => return (state, Vec::new()),
            Survey::Unreadable(error) => {
                let diagnostic = places::unreadable_folder(path, &error).because(format!(
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
        if let Some((_, first)) = self.listed.iter().find(|(listed, _)| *listed == real) {
            return (PlaceState::SameAs(*first), Vec::new());
        }
        self.listed.push((real, index));
        let entries = items.len();
        (PlaceState::Listed { entries }, items)
    }

    fn read_items(&mut self, place: Place<'_>, folder: &Path, items: &[Item], trail: &mut Trail) {
        let reader = Reader {
            tree: self.tree,
            dialect: self.found.dialect,
            files: &self.files,
            folder,
            place: place.path,
            walls: Walls::new(self.tree, &self.files, folder),
        };
        // Before its first item the harness may stop at the folder as such.
        let mut stop = reader
            .stop_at_closed_folder(items)
            .map(|(kind, diagnostic)| (self.found.entries.len(), kind, diagnostic));
        let mut read = Vec::with_capacity(items.len());
        let searched = self.files.rules.folders == Folders::Searched;
        for item in items {
            let is_file = !(searched && reader.is_folder(item));
            read.push(is_file.then(|| reader.read(item, place.source(folder, item))));
        }
        for (item, reading) in items.iter().zip(read) {
            let Some(reading) = reading else {
                self.read_folder(place, &folder.join(&item.name), item, trail);
                continue;
            };
            let index = self.found.entries.len();
            let at_item = |(kind, diagnostic)| (index, kind, diagnostic);
            stop = stop
                .or(reading.stop.map(at_item))
                .or_else(|| fatal(&reading.entry).map(at_item));
            self.add(reading.entry);
        }
        if let Some((entry, kind, diagnostic)) = stop {
            self.stop(StopAt::Entry(entry), kind, diagnostic);
        }
    }

    /// Reads the items of a folder inside a place. A folder that cannot be searched is an entry
    /// itself.
    fn read_folder(&mut self, place: Place<'_>, path: &Path, item: &Item, trail: &mut Trail) {
        let mut entry = Entry::unread(item, place.source_of(path));
        match trail.enter(self.tree, path) {
            Step::Loop => entry.state = State::Ignored(SkipRule::LinkLoop),
            Step::TooMany => entry.diagnostics.push(trail::too_many_folders()),
            Step::Entered => {
                match places::survey(self.tree, path) {
                    Survey::Items(items) => {
                        self.read_items(place, path, &items, trail);
                        trail.leave();
                        return;
                    }
                    Survey::Unreadable(error) => entry
                        .diagnostics
                        .push(places::unreadable_folder(path, &error)),
                    Survey::Nothing(_) => {
                        let vanished = places::unreadable_folder(path, &FileError::Missing);
                        entry.diagnostics.push(vanished);
                    }
                }
                trail.leave();
            }
        }
        self.add(entry);
    }

    fn add(&mut self, mut entry: Entry) {
        entry.source.scan_index = u32::try_from(self.found.entries.len()).unwrap_or(u32::MAX);
        self.found.entries.push(entry);
    }

    /// Notes what stops the harness; it never comes to a second one.
    fn stop(&mut self, at: StopAt, kind: StopKind, diagnostic: Diagnostic) {
        self.found.stop.get_or_insert(Stop {
            at,
            kind,
            diagnostic,
        });
    }

    /// Decides who wins, and gives what was found.
    pub(crate) fn finish(mut self) -> Discovery {
        let title = self.found.dialect.title;
        let rules = &self.found.profile.rules;
        precedence::settle(title, rules.agents.precedence, &mut self.found.entries);
        if rules.agents.precedence.merges() {
            merge::settle(&mut self.found);
        }
        reach::note_unreachable(title, &rules.lookup, &mut self.found.entries);
        self.found
    }
}
