//! The search of layers: places that are read one after the other, in which a file may be found
//! more than once and every find counts.
//!
//! A file is one entry, however often it is found. What decides about names is the row of finds.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use agent_schema::coerce::java;
use agent_schema::dialect::{
    Base, Case, NameOrder, Pass, Precedence, SearchPlace, SearchRules, SkipRule,
};
use agent_schema::{Diagnostic, Dialect, FieldName, Level, Profile, rules};
use indexmap::IndexMap;

use crate::discover::{Discovery, Files, READ_AT_ONCE};
use crate::entry::{Entry, Source, State};
use crate::file_tree::{FileTree, Item, Kind};
use crate::in_order::in_order;
use crate::inputs::Inputs;
use crate::places::{self, Extent, Located, PlaceState, Searched, Survey};
use crate::precedence::{self, Deciding};
use crate::prompt_file;
use crate::read::{Reader, Walls};
use crate::remembered::Memory;
use crate::reported::ReportedFolder;
use crate::same_key::of_same_key;
use crate::trail::{self, Step, Trail};
use crate::trouble;

/// Searches by the rules of a search of layers.
pub(crate) fn discover(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    search: &'static SearchRules,
    inputs: &Inputs,
    memory: &Memory<'_>,
) -> Discovery {
    let workspace = places::main_workspace(search.places, inputs);
    let parse_inputs = match &workspace {
        Some(workspace) => inputs
            .parse_inputs()
            .main_workspace(workspace.to_string_lossy()),
        None => inputs.parse_inputs(),
    };
    let mut layers = Layers {
        tree,
        memory,
        inputs,
        files: Files {
            rules: &search.files,
            reading: &profile.rules.reading,
            inputs: parse_inputs,
            root: None,
            folders_in_names: false,
        },
        folders: IndexMap::new(),
        finds: Vec::new(),
        covered: Vec::new(),
        found: Discovery::empty(dialect, profile, search),
    };
    let located = places::locate(tree, search.places, search.switches, inputs);
    for (index, place) in located.iter().enumerate() {
        layers.visit(place, &located[index + 1..]);
    }
    layers.settle();
    layers.note_unmeant(search);
    let title = dialect.title;
    prompt_file::note_missing(tree, title, profile, &mut layers.found.entries);
    layers.found
}

struct Layers<'a> {
    tree: &'a dyn FileTree,
    memory: &'a Memory<'a>,
    inputs: &'a Inputs,
    files: Files<'a>,
    /// The folders that hold what was listed, by their paths.
    folders: IndexMap<PathBuf, Folder>,
    /// What was found, in order: the place and the entry.
    finds: Vec<(usize, usize)>,
    /// Entries that are never read, each with the entry that is read in its place.
    covered: Vec<(usize, usize)>,
    found: Discovery,
}

/// The number of a folder among those that were listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct FolderId(usize);

/// A folder that holds what was listed.
struct Folder {
    path: PathBuf,
    reported: ReportedFolder,
    /// The entries of the files in it that were found, by their names.
    known: HashMap<OsString, usize>,
}

impl Folder {
    fn new(path: &Path) -> Self {
        Folder {
            path: path.to_owned(),
            reported: ReportedFolder::of(path),
            known: HashMap::new(),
        }
    }
}

/// Returns whether a header that loads has keys that nobody knows and, of its harness's own, none but
/// those that say what the file is.
fn looks_unmeant(entry: &Entry) -> bool {
    const TELLING: [FieldName; 3] = [FieldName::NAME, FieldName::DESCRIPTION, FieldName::PROMPT];
    let Some(definition) = entry.definition() else {
        return false;
    };
    let mut findings = entry.diagnostics.iter();
    let mut fields = definition.fields();
    findings.any(|finding| finding.rule == &rules::UNKNOWN_KEY)
        && fields.all(|(field, value)| value.place.is_none() || TELLING.contains(&field))
}

/// Where a file was found.
#[derive(Debug, Clone, Copy)]
struct Spot {
    level: Level,
    place: usize,
    /// Whether the harness says nothing of a file that it cannot read.
    silent: bool,
}

impl Spot {
    /// Makes the source of an entry; its number is not known yet.
    fn source(self, folder: &Folder, item: &Item) -> Source {
        Source {
            level: self.level,
            reported: folder.reported.item(&item.name),
            path: Some(folder.path.join(&item.name)),
            inside: None,
            place: Some(self.place),
            scan_index: 0,
        }
    }
}

impl Layers<'_> {
    fn visit(&mut self, place: &Located, later: &[Located]) {
        let first = self.found.entries.len();
        let spot = Spot {
            level: place.level,
            place: self.found.places.len(),
            silent: matches!(place.pass, Pass::Deep { .. }),
        };
        let mut state = match place.switched_on && !place.held_back {
            false => PlaceState::SwitchedOff,
            true => match self.survey(place) {
                Survey::Items(items) => {
                    match place.pass {
                        Pass::Flat => self.read_flat(place, spot, items, later),
                        Pass::Deep { order, under } => self.read_deep(place, spot, order, under),
                    }
                    PlaceState::Listed { entries: 0 }
                }
                Survey::Nothing(state) => state,
                Survey::Unreadable(error) => {
                    let diagnostic =
                        places::unreadable_folder(self.found.dialect.title, &place.path, &error);
                    PlaceState::Unreadable(Box::new(diagnostic))
                }
            },
        };
        if let PlaceState::Listed { entries } = &mut state {
            *entries = self.found.entries.len() - first;
        }
        self.found.places.push(Searched {
            level: place.level,
            path: place.path.clone(),
            extent: match place.pass {
                Pass::Flat => Extent::Folder,
                Pass::Deep { .. } => Extent::WithFolders,
            },
            state,
            unit: spot.place,
            above: place.above,
        });
    }

    /// Looks into a place. A deep pass does not follow a link to its place either.
    fn survey(&self, place: &Located) -> Survey {
        let is_link = self.tree.own_kind(&place.path) == Ok(Kind::Link);
        match place.pass {
            Pass::Deep { .. } if is_link => Survey::Nothing(PlaceState::NotAFolder),
            _ => places::survey(self.tree, &place.path, NameOrder::CodePoint),
        }
    }

    fn read_flat(&mut self, place: &Located, spot: Spot, items: Vec<Item>, later: &[Located]) {
        let searched_later = later.iter().any(|later| {
            let is_deep = matches!(later.pass, Pass::Deep { .. });
            is_deep && later.switched_on && later.path == place.path
        });
        let left_to_later = |item: &Item| item.kind == Kind::Folder && searched_later;
        let folder = self.folder_id(&place.path);
        let mut files = Vec::with_capacity(items.len());
        let items = items.into_iter().filter(|item| !left_to_later(item));
        files.extend(items.map(|item| Listed {
            below: item.name.to_string_lossy().into_owned(),
            folder,
            item,
        }));
        self.read_all(&files, spot, |layers, file, read| {
            layers.find(file, read, spot);
        });
    }

    /// Reads those of many files that no place has had before, several at once, and notes what is
    /// found.
    fn read_all(
        &mut self,
        files: &[Listed],
        spot: Spot,
        note: impl Fn(&mut Self, &Listed, Option<Entry>),
    ) {
        let new = files.iter().filter(|file| self.known(file).is_none());
        let new = new.count();
        self.found.entries.reserve_exact(new);
        self.finds.reserve(files.len());
        for some in files.chunks(READ_AT_ONCE) {
            let searched: &Self = self;
            let read = in_order(some, |file| {
                let is_new = searched.known(file).is_none();
                is_new.then(|| searched.read(file, spot))
            });
            for (file, read) in some.iter().zip(read) {
                note(self, file, read);
            }
        }
    }

    /// Returns the number of a folder.
    fn folder_id(&mut self, folder: &Path) -> FolderId {
        FolderId(match self.folders.get_index_of(folder) {
            Some(known) => known,
            None => {
                let (id, _) = self
                    .folders
                    .insert_full(folder.to_owned(), Folder::new(folder));
                id
            }
        })
    }

    /// Returns the entry of a file that was found before.
    fn known(&self, file: &Listed) -> Option<usize> {
        let folder = self.folder_of(file);
        folder.known.get(&file.item.name).copied()
    }

    fn folder_of(&self, file: &Listed) -> &Folder {
        &self.folders[file.folder.0]
    }

    fn path_of(&self, file: &Listed) -> PathBuf {
        self.folder_of(file).path.join(&file.item.name)
    }

    fn read_deep(
        &mut self,
        place: &Located,
        spot: Spot,
        order: Case,
        under: Option<&'static SearchPlace>,
    ) {
        let mut listing = Listing {
            trail: Trail::new(self.tree, &place.path, self.inputs.limits),
            files: Vec::new(),
            closed: Vec::new(),
        };
        self.collect(&place.path, "", &mut listing);
        let Listing {
            mut files, closed, ..
        } = listing;
        // Java sorts by UTF-16 units, and the order without case keeps that of equal paths.
        files.sort_by(|one, other| one.below.encode_utf16().cmp(other.below.encode_utf16()));
        if order == Case::Ignored {
            files.sort_by_cached_key(|file| units_without_case(&file.below));
        }
        let over = under.and_then(|over| {
            let base = places::base_folder(self.tree, over.base, self.inputs)?;
            Some((over.level, base.join(over.folder)))
        });
        self.read_all(&files, spot, |layers, file, read| match &over {
            Some((level, over)) if layers.accepts(&file.item) => {
                layers.find_under(file, read, spot, *level, over);
            }
            _ => {
                layers.find(file, read, spot);
            }
        });
        for (folder, finding) in closed {
            self.add_closed(&folder, finding, spot);
        }
    }

    /// Lists the files of a folder and of all folders in it. Links are not followed.
    fn collect(&mut self, folder: &Path, below: &str, listing: &mut Listing) {
        let Survey::Items(items) = places::survey(self.tree, folder, NameOrder::CodePoint) else {
            return;
        };
        let folder = self.folder_id(folder);
        listing.files.reserve(items.len());
        for item in items {
            let below = format!("{below}{}", item.name.to_string_lossy());
            let listed = Listed {
                below,
                folder,
                item,
            };
            if listed.item.kind == Kind::Folder {
                self.collect_inside(listed, listing);
            } else {
                listing.files.push(listed);
            }
        }
    }

    /// Goes on in a folder, unless it cannot be listed or there are too many.
    fn collect_inside(&mut self, folder: Listed, listing: &mut Listing) {
        let path = self.path_of(&folder);
        if let Survey::Unreadable(error) = places::survey(self.tree, &path, NameOrder::CodePoint) {
            let finding = places::unreadable_folder(self.found.dialect.title, &path, &error);
            listing.closed.push((folder, finding));
        } else if listing.trail.enter(self.tree, &path) == Step::Entered {
            self.collect(&path, &(folder.below + "/"), listing);
            listing.trail.leave();
        } else {
            listing
                .closed
                .push((folder, trail::too_many_folders(&self.inputs.limits)));
        }
    }

    /// Accounts for a folder that is not searched.
    fn add_closed(&mut self, folder: &Listed, finding: Diagnostic, spot: Spot) {
        let source = spot.source(self.folder_of(folder), &folder.item);
        let mut entry = Entry::unread(&folder.item, source);
        entry.state = State::Ignored(SkipRule::Unreadable);
        entry.diagnostics.push(finding);
        self.add(entry, folder);
    }

    /// Notes files that become agents by chance: where anybody may keep files, with a header that only
    /// says what the file is, and keys of another program.
    fn note_unmeant(&mut self, search: &SearchRules) {
        let title = self.found.dialect.title;
        let places = search.places.iter();
        let open = places.filter(|it| it.base == Base::Project && !it.folder.starts_with('.'));
        let open: Vec<&SearchPlace> = open.collect();
        for entry in &mut self.found.entries {
            let place = open.iter().find(|it| it.level == entry.source.level);
            let (Some(place), true) = (place, looks_unmeant(entry)) else {
                continue;
            };
            let name = entry.name().unwrap_or_default();
            let message = format!("`{name}` becomes an agent, by its `description` alone");
            let finding = Diagnostic::new(&rules::UNMEANT_AGENT, message)
                .because(format!(
                    "{title} takes every file below `{}` of the project whose header has one, \
                     whatever it is for",
                    place.folder
                ))
                .help("keep the file elsewhere if no agent is meant");
            let definition = entry.definition();
            let place = definition.and_then(|it| it.place(FieldName::DESCRIPTION));
            entry.diagnostics.push(Diagnostic {
                span: place.map(|place| place.key),
                ..finding
            });
        }
    }

    fn accepts(&self, item: &Item) -> bool {
        let name = item.name.to_string_lossy();
        self.files.rules.accept(&name).is_ok()
    }

    /// Notes a find; a file that is found for the first time is read, if it is not yet.
    fn find(&mut self, file: &Listed, read: Option<Entry>, spot: Spot) -> usize {
        let index = match self.known(file) {
            Some(known) => known,
            None => {
                let entry = read.unwrap_or_else(|| self.read(file, spot));
                self.add(entry, file)
            }
        };
        self.finds.push((spot.place, index));
        index
    }

    /// Notes the find of a file below a place that another one lies over.
    fn find_under(
        &mut self,
        file: &Listed,
        read: Option<Entry>,
        spot: Spot,
        level: Level,
        over: &Path,
    ) {
        let path = over.join(&file.below);
        let kind = self.tree.own_kind(&path);
        // A place may lie over itself, where the project is the workspace too.
        let Some(kind) = kind.ok().filter(|_| path != self.path_of(file)) else {
            self.find(file, read, spot);
            return;
        };
        let entry = read.unwrap_or_else(|| self.read(file, spot));
        let covered = self.add(entry, file);
        let cover = Listed {
            below: file.below.clone(),
            folder: self.folder_id(path.parent().unwrap_or(over)),
            item: Item {
                name: file.item.name.clone(),
                kind,
            },
        };
        let cover = self.find(&cover, None, Spot { level, ..spot });
        self.covered.push((covered, cover));
    }

    fn add(&mut self, mut entry: Entry, file: &Listed) -> usize {
        let index = self.found.entries.len();
        entry.source.scan_index = u32::try_from(index).unwrap_or(u32::MAX);
        self.found.entries.push(entry);
        let folder = &mut self.folders[file.folder.0];
        folder.known.insert(file.item.name.clone(), index);
        index
    }

    fn read(&self, file: &Listed, spot: Spot) -> Entry {
        let (folder, item) = (self.folder_of(file), &file.item);
        let source = spot.source(folder, item);
        let title = self.found.dialect.title;
        let kind = match item.kind {
            Kind::Link => self.tree.kind(&self.path_of(file)),
            kind => Ok(kind),
        };
        // What is no regular file is not even tried.
        let trouble = match kind {
            Ok(Kind::File | Kind::Folder) => None,
            Ok(kind) => Some(trouble::not_a_file(title, kind)),
            Err(error) => Some(trouble::unreadable(title, &error, item.kind)),
        };
        if let (Some(trouble), true) = (trouble, self.accepts(item)) {
            let mut entry = Entry::unread(item, source);
            entry.state = State::Ignored(SkipRule::Unreadable);
            entry.diagnostics.push(trouble);
            return entry;
        }
        let reader = Reader {
            tree: self.tree,
            memory: self.memory,
            dialect: self.found.dialect,
            files: &self.files,
            folder: &folder.path,
            place: &folder.path,
            walls: Walls::None,
        };
        let mut entry = reader.read(item, source).entry;
        if spot.silent && cannot_be_read(&entry) {
            entry.state = State::Ignored(SkipRule::Unreadable);
            hush(&mut entry);
        }
        entry
    }

    /// Decides about names, by the row of finds.
    fn settle(&mut self) {
        let names = Names::of(&self.found.entries);
        let finds = std::mem::take(&mut self.finds);
        let loads = finds.iter().filter_map(|&(place, index)| {
            let name = names.of_entry[index]?;
            Some(Load { place, index, name })
        });
        let winners = match self.found.search.precedence {
            Precedence::Additions => self.keep_first_place(loads),
            Precedence::LastFound => self.keep_last(loads),
            _ => self.keep_all(loads),
        };
        self.settle_covered(&names, &winners);
    }

    fn keep_all(&mut self, loads: impl Iterator<Item = Load> + Clone) -> Winners {
        let mut winners = Winners::of(&self.found.entries);
        self.found
            .roster
            .reserve(loads.size_hint().1.unwrap_or_default());
        for load in loads {
            winners.set(load.name, load.index);
            self.found.roster.push(load.index);
        }
        winners
    }

    fn keep_last(&mut self, loads: impl Iterator<Item = Load> + Clone) -> Winners {
        let mut winners = Winners::of(&self.found.entries);
        for load in loads.clone() {
            winners.set(load.name, load.index);
        }
        for load in loads.clone() {
            if let Some(winner) = winners.get(load.name) {
                self.lose(load.index, winner, Deciding::FoundLast);
            }
        }
        // Each name stands where it was found first.
        let mut is_listed = vec![false; self.found.entries.len()];
        let new = loads.filter(|load| !std::mem::replace(&mut is_listed[load.name.0], true));
        self.found.roster = new.filter_map(|load| winners.get(load.name)).collect();
        winners
    }

    /// Keeps what the first place holds; names that are missing there are added, every time that
    /// they are found, and the last one answers.
    fn keep_first_place(&mut self, loads: impl Iterator<Item = Load> + Clone) -> Winners {
        let of_first_place = self.keep_all(loads.clone().filter(|load| load.place == 0));
        let mut winners = of_first_place.clone();
        for load in loads.clone().filter(|load| load.place > 0) {
            let name = self.found.entries[load.index].name();
            let is_taken = name.is_some_and(|name| self.inputs.taken.iter().any(|it| it == name));
            if let Some(first) = of_first_place.get(load.name) {
                self.lose(load.index, first, Deciding::FirstPlace);
            } else if is_taken {
                self.found.entries[load.index].state = State::Ignored(SkipRule::NameTaken);
            } else {
                winners.set(load.name, load.index);
                self.found.roster.push(load.index);
            }
        }
        for load in loads {
            if let Some(winner) = winners.get(load.name) {
                self.lose(load.index, winner, Deciding::FoundLast);
            }
        }
        winners
    }

    /// Marks an entry that lost its name, unless it has it or lost it before.
    fn lose(&mut self, loser: usize, by: usize, rule: Deciding) {
        let title = self.found.dialect.title;
        if loser != by && self.found.entries[loser].state == State::Active {
            precedence::shadow(title, &mut self.found.entries, loser, by, rule);
        }
    }

    /// A file that is never read loses to whoever has the name of the file read in its place. If
    /// that one does not load, nobody has it.
    fn settle_covered(&mut self, names: &Names, winners: &Winners) {
        let title = self.found.dialect.title;
        for (covered, cover) in std::mem::take(&mut self.covered) {
            hush(&mut self.found.entries[covered]);
            let by = names.of_entry[cover].and_then(|name| winners.get(name));
            match by {
                Some(by) if names.of_entry[covered].is_some() => {
                    let entries = &mut self.found.entries;
                    precedence::shadow(title, entries, covered, by, Deciding::Covered);
                }
                _ => self.lose_to_broken(covered, cover),
            }
        }
    }

    /// A file that would load is passed over for one that does not.
    fn lose_to_broken(&mut self, covered: usize, cover: usize) {
        let entries = &mut self.found.entries;
        let (title, by) = (self.found.dialect.title, entries[cover].source.clone());
        let own = &mut entries[covered];
        own.state = State::Ignored(SkipRule::Covered);
        if let Some(name) = own.name().map(str::to_owned) {
            let finding = Diagnostic::new(
                &rules::SHADOWED_NAME,
                format!("agent `{name}` never loads from this file"),
            )
            .because(format!(
                "{title} reads the same path of level `{}` in the place of this file, although \
                 that one gives no agent",
                by.level
            ))
            .help("mend the other file, or delete it")
            .and_in(by.reported, None, "this file is read instead");
            let place = own.name_place();
            own.diagnostics.push(Diagnostic {
                span: place,
                ..finding
            });
        }
    }
}

/// What a deep pass comes across.
struct Listing {
    trail: Trail,
    files: Vec<Listed>,
    /// Folders that are not searched, with the reasons.
    closed: Vec<(Listed, Diagnostic)>,
}

/// Something that a place lists.
struct Listed {
    /// Its path below the place, with `/`.
    below: String,
    folder: FolderId,
    item: Item,
}

/// A name, by the number of the first entry that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NameId(usize);

/// The names of the entries that load.
struct Names {
    /// By the numbers of the entries.
    of_entry: Vec<Option<NameId>>,
}

impl Names {
    fn of(entries: &[Entry]) -> Self {
        let own = entries.iter().enumerate();
        let own = own.map(|(index, entry)| entry.name().map(|_| NameId(index)));
        let mut of_entry: Vec<Option<NameId>> = own.collect();
        for same in of_same_key(entries, Entry::name) {
            for index in &same {
                of_entry[*index] = Some(NameId(same[0]));
            }
        }
        Names { of_entry }
    }
}

/// Who has which name, by the numbers of the names.
#[derive(Clone)]
struct Winners(Vec<Option<usize>>);

impl Winners {
    fn of(entries: &[Entry]) -> Self {
        Winners(vec![None; entries.len()])
    }

    fn get(&self, name: NameId) -> Option<usize> {
        self.0[name.0]
    }

    fn set(&mut self, name: NameId, winner: usize) {
        self.0[name.0] = Some(winner);
    }
}

/// A find that loads.
#[derive(Debug, Clone, Copy)]
struct Load {
    place: usize,
    /// The number of the entry.
    index: usize,
    name: NameId,
}

/// Returns what Java compares of a path where case does not count.
fn units_without_case(path: &str) -> Vec<u16> {
    let folded: String = path.chars().map(java::folded).collect();
    folded.encode_utf16().collect()
}

/// Returns whether the bytes of a file could not be had, or are no text.
fn cannot_be_read(entry: &Entry) -> bool {
    let is_no_text = |entry: &Entry| {
        let mut findings = entry.diagnostics.iter();
        findings.any(|finding| finding.rule == &rules::INVALID_ENCODING)
    };
    entry.state == State::Rejected && (entry.parsed.is_none() || is_no_text(entry))
}

/// Takes back that the harness says something.
fn hush(entry: &mut Entry) {
    for finding in &mut entry.diagnostics {
        finding.harness_says = false;
    }
}
