//! Files and folders that are named: what the searches say that come across them, and what the
//! harnesses would make of those that no search comes across.
//!
//! A person who names a file of a project asks what is wrong with it there, so that the search of
//! the project speaks first. For a file elsewhere a search begins in the project or plugin that the
//! file lies in, and only what is in neither is read by itself.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use agent_discovery::{
    FileError, FileTree, Kind, PASSED_OVER, SearchStart, agent_folders, is_beside_agents,
    plugin_around, project_around, search_start,
};
use agent_schema::dialect::{Base, FileRules, SearchPlace};
use agent_schema::parse::LARGEST_FILE;
use agent_schema::rules::Rule;
use agent_schema::{Fate, rules};

use super::{Checked, FileReading, Files, Round, rules_among};
use crate::failure::Failure;
use crate::request::{Reading, Request};
use crate::survey::Survey;

/// What cannot be asked of a layer that has nothing beside it.
const OF_A_LONE_LAYER: &[&Rule] = &[
    &rules::C3_MISSING_PROMPT,
    &rules::C5_UNKNOWN_SKILL,
    &rules::UNKNOWN_SKILL,
];

/// A path that was named.
enum Top<'a> {
    File(&'a Path),
    Folder {
        path: &'a Path,
        /// The files below it that no setting leaves out.
        files: Vec<PathBuf>,
        /// Those that a setting leaves out.
        excluded: Vec<PathBuf>,
    },
}

/// The files and folders that a search may speak of, with the names that they were given.
struct Wanted<'a> {
    request: &'a Request,
    tree: &'a dyn FileTree,
    /// The files by their full paths.
    files: HashMap<PathBuf, &'a Path>,
    /// The same by their paths without links.
    real: HashMap<PathBuf, &'a Path>,
    /// The folders by their full paths.
    folders: Vec<PathBuf>,
}

/// What is asked of one search that begins elsewhere than the usual one.
#[derive(Default)]
struct Asked<'a> {
    files: Vec<&'a Path>,
    /// Those from which a harness takes agents and that are none themselves: settings, manifests
    /// of plugins, layers of rosters.
    carriers: Vec<&'a Path>,
}

impl Round<'_> {
    /// Adds the files that are named, and those below the folders that are.
    pub(super) fn named(&mut self) -> Result<(), Failure> {
        let paths = self.gatherer.paths.iter();
        let tops: Vec<Top<'_>> = paths.map(|path| self.top(path)).collect::<Result<_, _>>()?;
        self.search_as_asked(&tops)?;
        for top in &tops {
            match top {
                Top::File(path) => self.file(path)?,
                Top::Folder {
                    path,
                    files,
                    excluded,
                } => self.folder(path, files, excluded)?,
            }
        }
        Ok(())
    }

    fn top<'p>(&self, path: &'p Path) -> Result<Top<'p>, Failure> {
        let request = self.gatherer.request;
        let kind = self.tree.kind(path);
        if kind.map_err(|error| request.cannot_read(path, &error))? != Kind::Folder {
            return Ok(Top::File(path));
        }
        let is_excluded = |file: &PathBuf| self.gatherer.settings.excludes(request, file);
        let (excluded, files) = self.files_below(path)?.into_iter().partition(is_excluded);
        Ok(Top::Folder {
            path,
            files,
            excluded,
        })
    }

    /// Adds what the search of the project, the home and the plugins says of what is named. It also
    /// tells which agents there are, so that no fix gives one of them more than the settings allow.
    fn search_as_asked(&mut self, tops: &[Top<'_>]) -> Result<(), Failure> {
        let gatherer = self.gatherer;
        let mut wanted = Wanted::new(gatherer.request, self.tree);
        for top in tops.iter().filter(|_| gatherer.on_disk) {
            match top {
                Top::File(path) => wanted.file(path),
                Top::Folder { path, files, .. } => {
                    wanted.folder(path);
                    files.iter().for_each(|file| wanted.file(file));
                }
            }
        }
        let mut inputs = gatherer.request.inputs();
        inputs.with_fixes = gatherer.with_fixes;
        inputs.fixes_from = gatherer.fixes_from;
        for survey in Survey::all_in(self.tree, gatherer.request, &inputs, |_| {})? {
            self.take_named(&survey, &wanted, &[]);
        }
        Ok(())
    }

    /// Adds what a search says of what is wanted.
    fn take_named(&mut self, survey: &Survey, wanted: &Wanted<'_>, unfair: &[&Rule]) {
        let mut round = Round::new(self.gatherer, self.tree);
        round.take(survey);
        let Files {
            files: found,
            agents,
            ..
        } = round.files;
        let mut met = HashSet::new();
        for (reported, mut checked) in found {
            let is_fair = |rule: &Rule| unfair.iter().all(|other| *other != rule);
            checked
                .findings
                .retain(|noted| is_fair(noted.diagnostic.rule));
            let name = wanted.name_of(&reported, &checked);
            // A file that is reached in two ways is told under the first one.
            match name.filter(|name| met.insert(name.clone())) {
                Some(name) => self.files.merge(name, reported, checked),
                None => drop(self.files.beside.insert(reported, checked)),
            }
        }
        self.files.agents.extend(agents);
    }

    /// Lets each harness search from where it comes across some files of which it has said nothing
    /// yet, each search made once.
    fn search_from_files(&mut self, files: &[PathBuf]) -> Result<(), Failure> {
        let request = self.gatherer.request;
        for reading in request.readings()? {
            let mut searches: BTreeMap<SearchStart, Asked<'_>> = BTreeMap::new();
            let mut plugins = HashMap::new();
            for path in files.iter().filter(|path| !self.has_read(path, reading)) {
                let carries = search_start(path, reading.profile);
                let is_carrier = carries.is_some();
                let start = carries.or_else(|| self.start_around(path, reading, &mut plugins));
                if let Some(start) = start {
                    let asked = searches.entry(start).or_default();
                    asked.files.push(path);
                    asked.carriers.extend(is_carrier.then_some(path.as_path()));
                }
            }
            for (start, asked) in searches {
                self.search_from(start, reading, &asked);
            }
        }
        Ok(())
    }

    fn search_from(&mut self, start: SearchStart, reading: Reading, asked: &Asked<'_>) {
        let Round { gatherer, tree, .. } = *self;
        let request = gatherer.request;
        let mut wanted = Wanted::new(request, tree);
        asked.files.iter().for_each(|file| wanted.file(file));
        let unfair = unanswerable(tree, reading, &start);
        let mut inputs = request.inputs().starting_at(start);
        inputs.with_fixes = gatherer.with_fixes;
        inputs.fixes_from = gatherer.fixes_from;
        let survey = Survey::in_tree(tree, request, reading, &inputs);
        self.take_named(&survey, &wanted, unfair);
        for path in &asked.carriers {
            if !self.has_read(path, reading) {
                let bytes = tree.read(path, LARGEST_FILE).ok();
                self.files.note_read(path, reading, bytes);
            }
        }
    }

    /// Returns the project or the plugin that a file lies in. What is only in memory lies in none.
    fn start_around(
        &self,
        path: &Path,
        reading: Reading,
        plugins: &mut HashMap<PathBuf, Option<PathBuf>>,
    ) -> Option<SearchStart> {
        if !self.gatherer.on_disk {
            return None;
        }
        if let Some(project) = project_around(path, reading.profile) {
            return Some(SearchStart::Project(project));
        }
        let folder = path.parent()?;
        let plugin = plugins.entry(folder.to_owned()).or_insert_with(|| {
            let around = |path: &Path| plugin_around(self.tree, path, reading.profile);
            around(path).or_else(|| around(&self.gatherer.request.full(path)))
        });
        plugin.clone().map(SearchStart::Plugin)
    }

    /// Returns whether a harness has said already what it makes of a file.
    fn has_read(&self, path: &Path, reading: Reading) -> bool {
        let checked = self.files.files.get(&*path.to_string_lossy());
        let mut readings = checked.iter().flat_map(|checked| &checked.readings);
        readings.any(|known| known.dialect.id == reading.dialect.id)
    }

    /// Adds a file.
    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        if self.is_excluded(path) {
            return Ok(());
        }
        self.search_from_files(&[path.to_owned()])?;
        let request = self.gatherer.request;
        let is_told = self.files.files.contains_key(&*path.to_string_lossy());
        let readers = match self.gatherer.readers_of(path) {
            Err(_) if is_told => return Ok(()),
            readers => readers?,
        };
        let readers = self.yet_to_read(path, readers);
        if readers.is_empty() {
            return Ok(());
        }
        let bytes = self.tree.read(path, LARGEST_FILE);
        let bytes = bytes.map_err(|error: FileError| request.cannot_read(path, &error))?;
        self.read(path, readers, Ok(bytes));
        Ok(())
    }

    /// Returns those who have said nothing of a file yet.
    fn yet_to_read(
        &self,
        path: &Path,
        mut readers: Vec<(Reading, &'static FileRules)>,
    ) -> Vec<(Reading, &'static FileRules)> {
        readers.retain(|(reading, _)| !self.has_read(path, *reading));
        readers
    }

    /// Adds the files below a folder that a harness would read where they lie. Where one dialect is
    /// asked for and the folder is no project, all files count that do not lie beside the agents of
    /// that harness: they may be collected from anywhere.
    fn folder(
        &mut self,
        top: &Path,
        files: &[PathBuf],
        excluded: &[PathBuf],
    ) -> Result<(), Failure> {
        let gatherer = self.gatherer;
        let request = gatherer.request;
        let readings = request.readings()?;
        let top_full = request.full(top);
        let is_project = self.is_project(top, &readings);
        if is_project && top_full != request.full(&request.common.project) {
            self.search_project(top, files)?;
        }
        self.search_from_files(files)?;
        let is_collection = request.common.dialect.is_some() && !is_project;
        let readers_of = |file: &Path| -> Vec<(Reading, &'static FileRules)> {
            let told = gatherer.told(file, &readings);
            let full = request.full(file);
            let asked = readings.iter().copied().filter(|reading| {
                let mut told = told.iter();
                let is_collected =
                    is_collection && !is_beside_agents(&full, &top_full, reading.profile);
                is_collected || told.any(|reader| reader.dialect.id == reading.dialect.id)
            });
            asked
                .map(|reading| (reading, rules_among(&told, reading)))
                .collect()
        };
        let left_out = excluded.iter().filter(|file| {
            let mut profiles = readings.iter().map(|reading| reading.profile);
            !readers_of(file).is_empty() || profiles.any(|it| search_start(file, it).is_some())
        });
        let left_out = left_out.count();
        self.files.excluded += left_out;
        let mut is_told = left_out > 0;
        for file in files {
            let readers = self.yet_to_read(file, readers_of(file));
            is_told |= !readers.is_empty();
            is_told |= self.files.files.contains_key(&*file.to_string_lossy());
            if !readers.is_empty() {
                self.found(file, readers);
            }
        }
        if !is_told {
            // Says what to do where no dialect is told.
            self.gatherer.readers_of(&top.join("any"))?;
        }
        Ok(())
    }

    /// Adds what the search of a project says that is named instead of being searched.
    fn search_project(&mut self, top: &Path, files: &[PathBuf]) -> Result<(), Failure> {
        let Round { gatherer, tree, .. } = *self;
        let request = gatherer.request;
        let mut wanted = Wanted::new(request, tree);
        wanted.folder(top);
        files.iter().for_each(|file| wanted.file(file));
        let start = SearchStart::Project(top.to_owned());
        let mut inputs = request.inputs().starting_at(start);
        inputs.with_fixes = gatherer.with_fixes;
        inputs.fixes_from = gatherer.fixes_from;
        for survey in Survey::all_in(tree, request, &inputs, |_| {})? {
            let known = |file: &&PathBuf| self.has_read(file, survey.reading);
            let known: Vec<&PathBuf> = files.iter().filter(known).collect();
            known.into_iter().for_each(|file| wanted.forget(file));
            self.take_named(&survey, &wanted, &[]);
        }
        Ok(())
    }

    /// Returns whether a folder is the root of a repository, or has a place of its own for agents
    /// or skills.
    fn is_project(&self, top: &Path, readings: &[Reading]) -> bool {
        let is_own = |place: &&SearchPlace| matches!(place.base, Base::Project | Base::RealProject);
        let is_there =
            |below: &str| !below.is_empty() && self.tree.kind(&top.join(below)) == Ok(Kind::Folder);
        let is_place = |reading: &Reading| {
            let rules = &reading.profile.rules;
            let agents = &rules.agents;
            let places = agents.places.iter().filter(is_own);
            let mut folders = places.flat_map(|place| agent_folders(place, &agents.files));
            let mut skills = rules.skills.folders().filter(is_own);
            folders.any(|(below, _)| is_there(&below)) || skills.any(|it| is_there(it.folder))
        };
        self.tree.kind(&top.join(".git")).is_ok() || readings.iter().any(is_place)
    }

    /// Lists the files below a folder, sorted. Links to folders are not followed.
    fn files_below(&self, top: &Path) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        let mut folders = vec![top.to_owned()];
        while let Some(folder) = folders.pop() {
            let items = self.tree.list(&folder);
            let items =
                items.map_err(|error| self.gatherer.request.cannot_read(&folder, &error))?;
            for item in items {
                let path = folder.join(&item.name);
                match item.kind {
                    Kind::Folder if PASSED_OVER.iter().any(|name| item.name == *name) => {}
                    Kind::Folder => folders.push(path),
                    Kind::Link if self.tree.kind(&path) == Ok(Kind::Folder) => {}
                    _ => files.push(path),
                }
            }
        }
        files.sort();
        Ok(files)
    }
}

impl<'a> Wanted<'a> {
    fn new(request: &'a Request, tree: &'a dyn FileTree) -> Self {
        Wanted {
            request,
            tree,
            files: HashMap::new(),
            real: HashMap::new(),
            folders: Vec::new(),
        }
    }

    fn file(&mut self, path: &'a Path) {
        self.files.insert(self.request.full(path), path);
        if let Ok(real) = self.tree.real_path(path) {
            self.real.entry(real).or_insert(path);
        }
    }

    fn folder(&mut self, path: &Path) {
        self.folders.push(self.request.full(path));
    }

    fn forget(&mut self, path: &Path) {
        self.files.remove(&self.request.full(path));
        self.real.retain(|_, known| *known != path);
    }

    /// Returns the name of a file that a search found, or of a folder inside one that is wanted.
    fn name_of(&self, reported: &str, checked: &Checked) -> Option<String> {
        let full = self.request.full(&checked.path);
        let by_link = || self.real.get(&self.tree.real_path(&checked.path).ok()?);
        if let Some(name) = self.files.get(&full).or_else(by_link) {
            return Some(name.to_string_lossy().into_owned());
        }
        let is_folder = checked.readings.is_empty() && self.tree.kind(&full) == Ok(Kind::Folder);
        let mut folders = self.folders.iter();
        (is_folder && folders.any(|folder| full.starts_with(folder))).then(|| reported.to_owned())
    }
}

/// Returns the rules that have no answer: a layer of a roster that was taken out of its place has
/// neither prompts nor skills beside it.
fn unanswerable(
    tree: &dyn FileTree,
    reading: Reading,
    start: &SearchStart,
) -> &'static [&'static Rule] {
    let (Some(roster), SearchStart::Layer(folder)) = (&reading.profile.rules.roster, start) else {
        return &[];
    };
    match tree.kind(&folder.join(roster.prompts.folder)) {
        Ok(Kind::Folder) => &[],
        _ => OF_A_LONE_LAYER,
    }
}

impl Files {
    /// Adds what a search says of a file, under the name that it was given.
    fn merge(&mut self, name: String, reported: String, mut other: Checked) {
        let checked = self.files.entry(name.clone()).or_default();
        checked.path = PathBuf::from(&name);
        checked.bytes = checked.bytes.take().or(other.bytes);
        checked.level = checked.level.or(other.level);
        checked.readings.append(&mut other.readings);
        for noted in other.findings {
            for dialect in noted.dialects {
                checked.note(dialect, noted.diagnostic.clone());
            }
        }
        self.named.insert(reported, name);
    }

    /// Notes that a harness reads a file of which there is nothing else to say.
    fn note_read(&mut self, path: &Path, reading: Reading, bytes: Option<Vec<u8>>) {
        let checked = self.entry(path.to_string_lossy().into_owned(), path);
        checked.bytes = bytes.map(Into::into);
        checked.readings.push(FileReading {
            dialect: reading.dialect,
            inside: None,
            fate: Fate::Loaded,
            verdict: None,
            lost: Vec::new(),
            rights_widened: false,
            definition: None,
            skill: None,
        });
    }
}
