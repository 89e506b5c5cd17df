//! Waits for changes of what searches found, and makes the searches again.
//!
//! What is watched is what a search asked for: every folder that it listed, and the folder around
//! every other path, up to the root. So a folder is noticed that does not exist yet, and one that
//! goes away. Folders are watched one by one, never with all that is below them.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::asked::{Asked, AskedTree};
use crate::changes::{Change, changes};
use crate::discover::Discovery;
use crate::disk::DiskTree;
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::skill_changes::skill_changes;
use crate::skills::Skills;

/// For how long nothing more must happen before the searches are made again.
const QUIET: Duration = Duration::from_millis(100);

/// After how long they are made even if it never becomes quiet.
const MOST_PATIENCE: Duration = Duration::from_secs(2);

/// How often searches are made again because new folders came under watch meanwhile.
const MOST_ROUNDS: usize = 16;

/// Watches what searches of the disk found: agents, and skills.
///
/// It has no thread of its own; the one in which the system's events arrive ends when this is
/// dropped.
pub struct Watch {
    found: Found,
    inputs: Inputs,
    watcher: RecommendedWatcher,
    /// The folders under watch, by their real paths.
    folders: BTreeSet<PathBuf>,
    events: Arc<Events>,
    /// What the first look found to be different, until somebody asks.
    waiting: Vec<Noticed>,
}

/// What is different in one of several searches.
#[derive(Debug, Clone, PartialEq)]
pub struct Noticed {
    /// The search.
    pub search: Watched,
    /// What is different.
    pub changes: Vec<Change>,
}

/// A search that is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watched {
    /// The search for agents with this number.
    Agents(usize),
    /// The search for skills with this number.
    Skills(usize),
}

/// What all searches found.
struct Found {
    agents: Vec<Discovery>,
    skills: Vec<Skills>,
}

/// Why something cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("cannot watch {at}: {reason}")]
pub struct WatchError {
    at: String,
    reason: String,
}

impl Watch {
    /// Watches what searches for agents with the same inputs found. What has changed since then is
    /// told by the first [`Watch::next`].
    ///
    /// # Errors
    /// If the system does not tell of changes, or of no more folders than it does.
    pub fn new(agents: Vec<Discovery>, inputs: Inputs) -> Result<Self, WatchError> {
        let events = Arc::new(Events::default());
        let receiver = Arc::clone(&events);
        let watcher = notify::recommended_watcher(move |event| receiver.take(event))
            .map_err(|error| WatchError::new("for changes".to_owned(), &error))?;
        let mut watch = Watch {
            found: Found {
                agents,
                skills: Vec::new(),
            },
            inputs,
            watcher,
            folders: BTreeSet::new(),
            events,
            waiting: Vec::new(),
        };
        watch.waiting = watch.look()?;
        Ok(watch)
    }

    /// Watches what searches for skills with the same inputs found, too.
    ///
    /// Some harnesses look for skills in all folders of a project; then all of these are watched.
    ///
    /// # Errors
    /// If the system tells of no more folders than it does. Agents alone are watched then.
    pub fn watch_skills(&mut self, skills: Vec<Skills>) -> Result<(), WatchError> {
        self.found.skills = skills;
        match self.look() {
            Ok(noticed) => {
                self.waiting.extend(noticed);
                Ok(())
            }
            Err(error) => {
                self.forget_skills()?;
                Err(error)
            }
        }
    }

    /// Watches agents alone from now on.
    ///
    /// # Errors
    /// As [`Watch::new`].
    pub fn forget_skills(&mut self) -> Result<(), WatchError> {
        self.found.skills.clear();
        let is_of_agents = |it: &Noticed| matches!(it.search, Watched::Agents(_));
        self.waiting.retain(is_of_agents);
        let noticed = self.look()?;
        self.waiting.extend(noticed);
        Ok(())
    }

    /// Returns what the searches for agents find now.
    #[must_use]
    pub fn found(&self) -> &[Discovery] {
        &self.found.agents
    }

    /// Returns what the searches for skills find now; nothing if none are watched.
    #[must_use]
    pub fn skills(&self) -> &[Skills] {
        &self.found.skills
    }

    /// Waits until an agent or a skill has changed, and tells what is different; nothing if none
    /// has within this time. Changes that follow each other closely are told together.
    ///
    /// # Errors
    /// If a new folder cannot be watched. It may be one of skills ([`Watch::forget_skills`]).
    pub fn next(&mut self, most: Duration) -> Result<Vec<Noticed>, WatchError> {
        let end = Instant::now() + most;
        loop {
            let noticed = std::mem::take(&mut self.waiting);
            if !noticed.is_empty() {
                return Ok(noticed);
            }
            let Some(moved) = self.events.wait(end) else {
                return Ok(Vec::new());
            };
            self.forget(&moved);
            self.waiting = self.look()?;
        }
    }

    /// Makes the searches again until all that they ask for is under watch: a file may come into
    /// a folder after a search looked there and before the watch does.
    fn look(&mut self) -> Result<Vec<Noticed>, WatchError> {
        let (mut now, mut asked) = self.found.again(&self.inputs);
        let mut rounds = 1;
        while self.aim(&asked)? {
            if rounds == MOST_ROUNDS {
                self.events.look_again();
                break;
            }
            (now, asked) = now.again(&self.inputs);
            rounds += 1;
        }
        let before = std::mem::replace(&mut self.found, now);
        Ok(self.found.since(&before))
    }

    /// Watches what was asked for and nothing else. Returns whether anything was new to it.
    fn aim(&mut self, asked: &Asked) -> Result<bool, WatchError> {
        let aim = Aim::of(asked);
        let folders = self.events.aim_at(aim, &self.folders);
        let gone: Vec<PathBuf> = self.folders.difference(&folders).cloned().collect();
        for folder in gone {
            self.unwatch(&folder);
        }
        let new: Vec<PathBuf> = folders.difference(&self.folders).cloned().collect();
        let mut is_new = false;
        for folder in new {
            is_new |= self.watch(folder)?;
        }
        Ok(is_new)
    }

    /// Watches a folder. Returns whether another look is needed: not at a folder that may not be
    /// read, of which nothing can be told.
    fn watch(&mut self, folder: PathBuf) -> Result<bool, WatchError> {
        match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.folders.insert(folder);
                Ok(true)
            }
            Err(error) => match trouble(&error) {
                // It went away in between.
                Trouble::Gone => Ok(true),
                Trouble::Closed => Ok(false),
                Trouble::Other => {
                    let at = format!("`{}`", folder.display());
                    Err(WatchError::new(at, &error))
                }
            },
        }
    }

    /// Forgets folders that are gone or have another path; they are looked for anew.
    fn forget(&mut self, moved: &BTreeSet<PathBuf>) {
        let is_moved = |folder: &&PathBuf| folder.ancestors().any(|path| moved.contains(path));
        let gone: Vec<PathBuf> = self.folders.iter().filter(is_moved).cloned().collect();
        for folder in gone {
            self.unwatch(&folder);
        }
    }

    fn unwatch(&mut self, folder: &Path) {
        // The system ends the watch of a folder that is gone by itself.
        let _ = self.watcher.unwatch(folder);
        self.folders.remove(folder);
    }
}

impl Found {
    /// Makes the searches again. Returns what they find, and what they ask for.
    fn again(&self, inputs: &Inputs) -> (Found, Asked) {
        let tree = AskedTree::new(&DiskTree);
        let agents = self.agents.iter().map(|it| it.again(&tree, inputs));
        let skills = self.skills.iter().map(|it| it.again(&tree, inputs));
        let found = Found {
            agents: agents.collect(),
            skills: skills.collect(),
        };
        (found, tree.into_asked())
    }

    /// Tells what is different from before.
    fn since(&self, before: &Found) -> Vec<Noticed> {
        let agents = before.agents.iter().zip(&self.agents).enumerate();
        let agents = agents.map(|(number, (before, now))| Noticed {
            search: Watched::Agents(number),
            changes: changes(before, now),
        });
        let skills = before.skills.iter().zip(&self.skills).enumerate();
        let skills = skills.map(|(number, (before, now))| Noticed {
            search: Watched::Skills(number),
            changes: skill_changes(before, now),
        });
        let noticed = agents.chain(skills);
        noticed.filter(|it| !it.changes.is_empty()).collect()
    }
}

/// Why a folder is not watched.
enum Trouble {
    Gone,
    Closed,
    Other,
}

fn trouble(error: &notify::Error) -> Trouble {
    use std::io::ErrorKind;

    match &error.kind {
        notify::ErrorKind::PathNotFound => Trouble::Gone,
        notify::ErrorKind::Io(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Trouble::Gone,
            ErrorKind::PermissionDenied => Trouble::Closed,
            _ => Trouble::Other,
        },
        _ => Trouble::Other,
    }
}

impl WatchError {
    fn new(at: String, error: &notify::Error) -> Self {
        let reason = match &error.kind {
            notify::ErrorKind::MaxFilesWatch => {
                "the system watches no more folders; raise its limit".to_owned()
            }
            notify::ErrorKind::Io(error) => error.to_string(),
            _ => error.to_string(),
        };
        WatchError { at, reason }
    }
}

/// Which events count, by real folders with the names in them.
#[derive(Debug, Default)]
struct Aim {
    /// The paths that count.
    single: BTreeSet<PathBuf>,
    /// The folders all of whose items count.
    listed: BTreeSet<PathBuf>,
    /// The folders that have to be watched for that.
    folders: BTreeSet<PathBuf>,
    /// The paths that were followed already.
    followed: BTreeSet<PathBuf>,
}

impl Aim {
    fn of(asked: &Asked) -> Self {
        let mut aim = Aim::default();
        for path in asked.single.iter().chain(&asked.listed) {
            aim.follow(path);
        }
        for folder in &asked.listed {
            if let Ok(real) = DiskTree.real_path(folder) {
                aim.follow(&real);
                aim.folders.insert(real.clone());
                aim.listed.insert(real);
            }
        }
        for link in &asked.links {
            if let Ok(real) = DiskTree.real_path(link) {
                aim.follow(&real);
            }
        }
        aim
    }

    /// Takes in a path and all folders on the way to it. Of a path that does not exist it is the
    /// first part that is missing which will be noticed.
    fn follow(&mut self, path: &Path) {
        let Ok(path) = std::path::absolute(path) else {
            return;
        };
        for way in path.ancestors() {
            let (Some(folder), Some(name)) = (way.parent(), way.file_name()) else {
                continue;
            };
            if !self.followed.insert(way.to_owned()) {
                return;
            }
            let Ok(real) = DiskTree.real_path(folder) else {
                continue;
            };
            self.single.insert(real.join(name));
            if real != folder {
                self.follow(&real);
            }
            self.folders.insert(real);
        }
    }

    /// Returns whether a folder that has to be watched is at a path, or below it.
    fn leads_through(&self, path: &Path) -> bool {
        // Whatever lies below a path comes right behind it.
        let from_there = (Bound::Included(path), Bound::Unbounded);
        let mut folders = self.folders.range::<Path, _>(from_there);
        folders.next().is_some_and(|it| it.starts_with(path))
    }

    fn counts(&self, path: &Path) -> bool {
        let is_listed = |folder| self.listed.contains(folder);
        self.single.contains(path) || path.parent().is_some_and(is_listed)
    }
}

/// The events since the last look.
#[derive(Default)]
struct Events {
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    aim: Aim,
    /// How many events counted.
    count: usize,
    /// Watched folders, or folders around them, that are not what they were.
    moved: BTreeSet<PathBuf>,
}

impl Events {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets other events count from now on. Returns the folders that have to be watched.
    fn aim_at(&self, aim: Aim, watched: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
        let folders = aim.folders.clone();
        let mut state = self.state();
        state.aim = aim;
        state.aim.folders.extend(watched.iter().cloned());
        folders
    }

    fn look_again(&self) {
        self.state().count += 1;
    }

    /// Takes in an event; a trouble of the watch may hide anything.
    fn take(&self, event: notify::Result<Event>) {
        let mut state = self.state();
        let counts = match &event {
            Err(_) => true,
            Ok(event) if event.need_rescan() => true,
            Ok(event) => changes_anything(&event.kind) && state.take(event),
        };
        if counts {
            state.count += 1;
            self.woken.notify_all();
        }
    }

    /// Waits until something counts and then until it is quiet. Returns the folders that are not
    /// what they were; nothing if the time is over before anything counts.
    fn wait(&self, end: Instant) -> Option<BTreeSet<PathBuf>> {
        let mut state = self.state();
        while state.count == 0 {
            let left = end.checked_duration_since(Instant::now())?;
            state = self.wait_for(state, left);
        }
        let patience = Instant::now() + MOST_PATIENCE;
        loop {
            let before = state.count;
            state = self.wait_quietly(state);
            if state.count == before || Instant::now() >= patience {
                break;
            }
        }
        state.count = 0;
        Some(std::mem::take(&mut state.moved))
    }

    fn wait_for<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        most: Duration,
    ) -> MutexGuard<'a, State> {
        let woken = self.woken.wait_timeout(state, most);
        woken.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits for as long as nothing must happen, whatever happens.
    fn wait_quietly<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let end = Instant::now() + QUIET;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            state = self.wait_for(state, left);
        }
        state
    }
}

impl State {
    /// Takes in an event, and returns whether it counts.
    fn take(&mut self, event: &Event) -> bool {
        let mut counts = false;
        for path in event.paths.iter().filter(|path| self.aim.counts(path)) {
            counts = true;
            if self.aim.leads_through(path) && moves(&event.kind) {
                self.moved.insert(path.clone());
            }
        }
        counts
    }
}

/// Returns whether an event changes anything. Opening a file, as every search does, does not.
fn changes_anything(kind: &EventKind) -> bool {
    match kind {
        EventKind::Access(access) => *access == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

/// Returns whether what is at the path may be another file or folder than before.
fn moves(kind: &EventKind) -> bool {
    match kind {
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Any | EventKind::Other => true,
        EventKind::Modify(how) => matches!(how, ModifyKind::Name(_) | ModifyKind::Any),
        EventKind::Access(_) => false,
    }
}
