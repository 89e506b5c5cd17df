//! The search of layers: places that are read one after the other, in which a file may be found
//! more than once and every find counts.
//!
//! A file is one entry, however often it is found. What decides about names is the row of finds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use agent_schema::coerce::java;
use agent_schema::dialect::{
    Case, NameOrder, Pass, Precedence, SearchPlace, SearchRules, SkipRule,
};
use agent_schema::{Diagnostic, Dialect, Level, Profile, rules};
use indexmap::IndexMap;

use crate::discover::{Discovery, Files};
use crate::entry::{Entry, Source, State};
use crate::file_tree::{FileTree, Item, Kind};
use crate::in_order::in_order;
use crate::inputs::Inputs;
use crate::places::{self, Extent, Located, PlaceState, Searched, Survey};
use crate::precedence::{self, Deciding};
use crate::prompt_file;
use crate::read::{Reader, Walls};
use crate::remembered::Memory;
use crate::reported::reported;
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
        known: HashMap::new(),
        finds: Vec::new(),
        covered: Vec::new(),
        found: Discovery::empty(dialect, profile, search),
    };
    let located = places::locate(tree, search.places, search.switches, inputs);
    for (index, place) in located.iter().enumerate() {
        layers.visit(place, &located[index + 1..]);
    }
    layers.settle();
    let title = dialect.title;
    prompt_file::note_missing(tree, title, profile, &mut layers.found.entries);
    layers.found
}

struct Layers<'a> {
    tree: &'a dyn FileTree,
    memory: &'a Memory<'a>,
    inputs: &'a Inputs,
    files: Files<'a>,
    /// The entry of every file that was found, by its path.
    known: HashMap<PathBuf, usize>,
    /// What was found, in order: the place and the entry.
    finds: Vec<(usize, usize)>,
    /// Entries that are never read, each with the entry that is read in its place.
    covered: Vec<(usize, usize)>,
    found: Discovery,
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
    fn source(self, path: &Path) -> Source {
        Source {
            level: self.level,
            reported: reported(path),
            path: Some(path.to_owned()),
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
                        Pass::Flat => self.read_flat(place, spot, &items, later),
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

    fn read_flat(&mut self, place: &Located, spot: Spot, items: &[Item], later: &[Located]) {
        let searched_later = later.iter().any(|later| {
            let is_deep = matches!(later.pass, Pass::Deep { .. });
            is_deep && later.switched_on && later.path == place.path
        });
        let left_to_later = |item: &&Item| item.kind == Kind::Folder && searched_later;
        let items = items.iter().filter(|item| !left_to_later(item));
        let files = items.map(|item| Listed {
            below: item.name.to_string_lossy().into_owned(),
            folder: place.path.clone(),
            item: item.clone(),
        });
        let files: Vec<Listed> = files.collect();
        for (file, read) in files.iter().zip(self.read_ahead(&files, spot)) {
            self.find(file, read, spot);
        }
    }

    /// Reads those of many files that no place has had before, several at once.
    fn read_ahead(&self, files: &[Listed], spot: Spot) -> Vec<Option<Entry>> {
        in_order(files, |file| {
            let path = file.path();
            let is_new = !self.known.contains_key(&path);
            is_new.then(|| self.read(file, &path, spot))
        })
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
        files.sort_by_cached_key(|file| units(&file.below, Case::Exact));
        if order == Case::Ignored {
            files.sort_by_cached_key(|file| units(&file.below, Case::Ignored));
        }
        let over = under.and_then(|over| {
            let base = places::base_folder(self.tree, over.base, self.inputs)?;
            Some((over.level, base.join(over.folder)))
        });
        for (file, read) in files.iter().zip(self.read_ahead(&files, spot)) {
            match &over {
                Some((level, over)) if self.accepts(&file.item) => {
                    self.find_under(file, read, spot, *level, over);
                }
                _ => {
                    self.find(file, read, spot);
                }
            }
        }
        for (folder, finding) in closed {
            self.add_closed(&folder, finding, spot);
        }
    }

    /// Lists the files of a folder and of all folders in it. Links are not followed.
    fn collect(&self, folder: &Path, below: &str, listing: &mut Listing) {
        let Survey::Items(items) = places::survey(self.tree, folder, NameOrder::CodePoint) else {
            return;
        };
        for item in items {
            let below = format!("{below}{}", item.name.to_string_lossy());
            let listed = Listed {
                below,
                folder: folder.to_owned(),
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
    fn collect_inside(&self, folder: Listed, listing: &mut Listing) {
        let path = folder.path();
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
        let path = folder.path();
        let mut entry = Entry::unread(&folder.item, spot.source(&path));
        entry.state = State::Ignored(SkipRule::Unreadable);
        entry.diagnostics.push(finding);
        self.add(entry, path);
    }

    fn accepts(&self, item: &Item) -> bool {
        let name = item.name.to_string_lossy();
        self.files.rules.accept(&name).is_ok()
    }

    /// Notes a find; a file that is found for the first time is read, if it is not yet.
    fn find(&mut self, file: &Listed, read: Option<Entry>, spot: Spot) -> usize {
        let path = file.path();
        let index = match self.known.get(&path) {
            Some(known) => *known,
            None => {
                let entry = read.unwrap_or_else(|| self.read(file, &path, spot));
                self.add(entry, path)
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
        let Some(kind) = kind.ok().filter(|_| path != file.path()) else {
            self.find(file, read, spot);
            return;
        };
        let entry = read.unwrap_or_else(|| self.read(file, &file.path(), spot));
        let covered = self.add(entry, file.path());
        let cover = Listed {
            below: file.below.clone(),
            folder: path.parent().unwrap_or(over).to_owned(),
            item: Item {
                name: file.item.name.clone(),
                kind,
            },
        };
        let cover = self.find(&cover, None, Spot { level, ..spot });
        self.covered.push((covered, cover));
    }

    fn add(&mut self, mut entry: Entry, path: PathBuf) -> usize {
        let index = self.found.entries.len();
        entry.source.scan_index = u32::try_from(index).unwrap_or(u32::MAX);
        self.found.entries.push(entry);
        self.known.insert(path, index);
        index
    }

    fn read(&self, file: &Listed, path: &Path, spot: Spot) -> Entry {
        let Listed { folder, item, .. } = file;
        let source = spot.source(path);
        let title = self.found.dialect.title;
        let kind = match item.kind {
            Kind::Link => self.tree.kind(path),
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
            folder,
            place: folder,
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
        let rule = match self.found.search.precedence {
            Precedence::Additions => self.keep_first_place(),
            Precedence::LastFound => self.keep_last(),
            _ => self.keep_all(),
        };
        self.settle_covered(rule);
    }

    /// Returns the finds that load: place, entry and name.
    fn loads(&self) -> Vec<(usize, usize, String)> {
        let finds = self.finds.iter();
        let loads = finds.filter_map(|&(place, index)| {
            let name = self.found.entries[index].name()?;
            Some((place, index, name.to_owned()))
        });
        loads.collect()
    }

    fn keep_all(&mut self) -> HashMap<String, usize> {
        let loads = self.loads();
        self.found.roster = loads.iter().map(|(_, index, _)| *index).collect();
        loads
            .into_iter()
            .map(|(_, index, name)| (name, index))
            .collect()
    }

    fn keep_last(&mut self) -> HashMap<String, usize> {
        let mut winners: IndexMap<String, usize> = IndexMap::new();
        let loads = self.loads();
        for (_, index, name) in &loads {
            winners.insert(name.clone(), *index);
        }
        for (_, index, name) in &loads {
            self.lose(*index, winners[name], Deciding::FoundLast);
        }
        self.found.roster = winners.values().copied().collect();
        winners.into_iter().collect()
    }

    /// Keeps what the first place holds; names that are missing there are added, every time that
    /// they are found, and the last one answers.
    fn keep_first_place(&mut self) -> HashMap<String, usize> {
        let loads = self.loads();
        let mut winners: HashMap<String, usize> = HashMap::new();
        for (_, index, name) in loads.iter().filter(|(place, _, _)| *place == 0) {
            winners.insert(name.clone(), *index);
            self.found.roster.push(*index);
        }
        let of_first_place = winners.clone();
        for (_, index, name) in loads.iter().filter(|(place, _, _)| *place > 0) {
            if let Some(first) = of_first_place.get(name) {
                self.lose(*index, *first, Deciding::FirstPlace);
            } else if self.inputs.taken.contains(name) {
                self.found.entries[*index].state = State::Ignored(SkipRule::NameTaken);
            } else {
                winners.insert(name.clone(), *index);
                self.found.roster.push(*index);
            }
        }
        for (_, index, name) in &loads {
            if let Some(winner) = winners.get(name) {
                self.lose(*index, *winner, Deciding::FoundLast);
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
    fn settle_covered(&mut self, winners: HashMap<String, usize>) {
        let title = self.found.dialect.title;
        for (covered, cover) in std::mem::take(&mut self.covered) {
            hush(&mut self.found.entries[covered]);
            let entries = &self.found.entries;
            let by = entries[cover].name().and_then(|name| winners.get(name));
            match by {
                Some(by) if entries[covered].name().is_some() => {
                    let entries = &mut self.found.entries;
                    precedence::shadow(title, entries, covered, *by, Deciding::Covered);
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
    folder: PathBuf,
    item: Item,
}

impl Listed {
    fn path(&self) -> PathBuf {
        self.folder.join(&self.item.name)
    }
}

/// Returns what Java compares of a path.
fn units(path: &str, case: Case) -> Vec<u16> {
    let chars = path.chars().map(|c| match case {
        Case::Exact => c,
        Case::Ignored => java::folded(c),
    });
    chars.collect::<String>().encode_utf16().collect()
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
