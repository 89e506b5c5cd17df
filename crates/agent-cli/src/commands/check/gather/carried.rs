//! Files from which a harness takes agents, and that are none themselves: settings, manifests of
//! plugins, layers of rosters. A search that begins in the right folder tells what becomes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use agent_discovery::{FileTree, Kind, SearchStart, search_start};
use agent_schema::parse::LARGEST_FILE;
use agent_schema::rules::Rule;
use agent_schema::{Fate, rules};

use super::{FileReading, Files, Round};
use crate::failure::Failure;
use crate::request::Reading;
use crate::survey::Survey;

/// What cannot be asked of a layer that has nothing beside it.
const OF_A_LONE_LAYER: &[&Rule] = &[
    &rules::C3_MISSING_PROMPT,
    &rules::C5_UNKNOWN_SKILL,
    &rules::UNKNOWN_SKILL,
];

/// A search that comes across some files of those that are checked.
struct Search<'a> {
    reading: Reading,
    start: SearchStart,
    /// The files that hold agents among other things.
    carriers: Vec<&'a Path>,
}

impl Round<'_> {
    /// Adds those of some files from which a harness takes agents, each search made once. Returns
    /// the others.
    pub(super) fn carried(&mut self, mut paths: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
        let request = self.gatherer.request;
        let mut known = BTreeSet::new();
        for reading in request.readings()? {
            let mut searches: BTreeMap<SearchStart, Vec<&Path>> = BTreeMap::new();
            for path in &paths {
                if let Some(start) = search_start(path, reading.profile) {
                    searches.entry(start).or_default().push(path);
                }
            }
            for (start, carriers) in searches {
                let search = Search {
                    reading,
                    start,
                    carriers,
                };
                let wanted = paths.iter().filter(|path| search.wants(path));
                let files = self.found_by(&search, wanted.map(|it| request.full(it)).collect());
                let found = files.files.values();
                known.extend(found.map(|checked| request.full(&checked.path)));
                self.files.merge(files);
            }
        }
        paths.retain(|path| !known.contains(&request.full(path)));
        Ok(paths)
    }

    /// Makes a search, and returns what it says about some files, which are given by their full
    /// paths.
    fn found_by(&self, search: &Search<'_>, wanted: BTreeSet<PathBuf>) -> Files {
        let Round { gatherer, tree, .. } = *self;
        let request = gatherer.request;
        let mut inputs = request.inputs().starting_at(search.start.clone());
        inputs.with_fixes = gatherer.with_fixes;
        let mut round = Round::new(gatherer, tree);
        round.take(&Survey::in_tree(tree, request, search.reading, &inputs));

        let mut files = round.files;
        let is_wanted = |path: &Path| wanted.contains(&request.full(path));
        files.files.retain(|_, checked| is_wanted(&checked.path));
        let unanswerable = search.unanswerable(tree);
        for checked in files.files.values_mut() {
            let is_fair = |rule: &Rule| unanswerable.iter().all(|other| *other != rule);
            checked
                .findings
                .retain(|noted| is_fair(noted.diagnostic.rule));
        }
        for path in &search.carriers {
            let known = files
                .files
                .values()
                .map(|checked| request.full(&checked.path));
            if known.into_iter().all(|known| known != request.full(path)) {
                let bytes = tree.read(path, LARGEST_FILE).ok();
                files.note_read(path, search.reading, bytes);
            }
        }
        files
    }
}

impl Search<'_> {
    /// Returns whether a file is judged by what this search says of it. Of agents in a plugin
    /// nothing but its manifest tells whose they are.
    fn wants(&self, path: &Path) -> bool {
        let is_carrier = self.carriers.contains(&path);
        is_carrier || matches!(&self.start, SearchStart::Plugin(folder) if path.starts_with(folder))
    }

    /// Returns the rules that have no answer: a layer of a roster that was taken out of its place
    /// has neither prompts nor skills beside it.
    fn unanswerable(&self, tree: &dyn FileTree) -> &'static [&'static Rule] {
        let (Some(roster), SearchStart::Layer(folder)) =
            (&self.reading.profile.rules.roster, &self.start)
        else {
            return &[];
        };
        match tree.kind(&folder.join(roster.prompts.folder)) {
            Ok(Kind::Folder) => &[],
            _ => OF_A_LONE_LAYER,
        }
    }
}

impl Files {
    /// Adds what others found.
    fn merge(&mut self, others: Files) {
        self.excluded += others.excluded;
        self.agents.extend(others.agents);
        for (reported, mut other) in others.files {
            // A manifest may name the same file with more dots than another harness.
            let reported: PathBuf = Path::new(&reported).components().collect();
            let checked = self.entry(reported.to_string_lossy().into_owned(), &other.path);
            checked.bytes = checked.bytes.take().or(other.bytes);
            checked.level = checked.level.or(other.level);
            checked.readings.append(&mut other.readings);
            for noted in other.findings {
                for dialect in noted.dialects {
                    checked.note(dialect, noted.diagnostic.clone());
                }
            }
        }
    }

    /// Notes that a harness reads a file of which there is nothing else to say.
    fn note_read(&mut self, path: &Path, reading: Reading, bytes: Option<Vec<u8>>) {
        let checked = self.entry(path.to_string_lossy().into_owned(), path);
        checked.bytes = bytes.map(Into::into);
        checked.readings.push(FileReading {
            dialect: reading.dialect,
            inside: None,
            fate: Fate::Loaded,
            lost: Vec::new(),
            rights_widened: false,
            definition: None,
            skill: None,
        });
    }
}
