//! The files below the places of skills that a harness takes for none, and why.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use agent_discovery::{
    DiskTree, FileTree, FoundSkill, Kind, MOST_ITEMS, MissedSkill, PASSED_OVER, PlaceState,
};
use agent_schema::parse::{LARGEST_FILE, written_name};

use crate::skill_survey::SkillSurvey;
use crate::text::printable::printable;

/// The file of a skill that has a folder of its own.
const OWN_FILE: &str = "SKILL.md";

/// A file that a harness does not take for a skill.
pub(crate) struct NoSkill {
    pub(crate) path: PathBuf,
    pub(crate) why: String,
}

/// Lists the files below the places of skills that a name fits, by their header or their place, and
/// that the harness does not take for skills. Links are not followed.
pub(crate) fn no_skills(survey: &SkillSurvey, name: &str) -> Vec<NoSkill> {
    let known = Known::of(survey);
    let fitting = text_files(survey).into_iter();
    let fitting = fitting.filter(|path| fits(survey, path, name));
    let files = fitting.filter_map(|path| {
        let real = real(&path);
        (!known.found.contains(&real)).then(|| NoSkill {
            why: known.why(&path, &real),
            path,
        })
    });
    files.collect()
}

/// What a harness knows of files.
struct Known<'a> {
    title: &'static str,
    /// Where the files of its skills really lie.
    found: HashSet<PathBuf>,
    /// The files that it passes over although they look like skills, by where they really lie.
    missed: HashMap<PathBuf, &'a MissedSkill>,
    /// The folders that are a skill, with the number of the skill.
    folders: HashMap<&'a Path, (usize, &'a FoundSkill)>,
}

impl<'a> Known<'a> {
    fn of(survey: &'a SkillSurvey) -> Self {
        let skills = &survey.skills;
        let found = skills.found.iter();
        let found = found.map(|it| real(&it.skill.path)).collect();
        // Of several the first one counts, so that it comes last here.
        let missed = skills.missed.iter().rev();
        let missed = missed.map(|it| (real(&it.path), it)).collect();
        let own = skills.found.iter().enumerate().rev();
        let own = own.filter(|(_, it)| is_own_file(&it.skill.path));
        let folders = own.filter_map(|(number, it)| Some((it.skill.path.parent()?, (number, it))));
        Known {
            title: survey.reading.dialect.title,
            found,
            missed,
            folders: folders.collect(),
        }
    }

    /// Tells why a file is no skill.
    fn why(&self, path: &Path, real: &Path) -> String {
        let title = self.title;
        if let Some(missed) = self.missed.get(real) {
            let told = &missed.diagnostic;
            return told.why.as_ref().unwrap_or(&told.message).to_string();
        }
        if !is_own_file(path) {
            return format!("{title} takes no file of this name in this folder for a skill");
        }
        // The folder of a skill holds what belongs to it.
        let around = path.ancestors().skip(2);
        let around = around.filter_map(|folder| self.folders.get(folder));
        match around.min_by_key(|(number, _)| *number) {
            Some((_, around)) => format!(
                "it lies in the folder of the skill `{}`, where {title} looks for no other",
                printable(&around.skill.name)
            ),
            None => format!(
                "{title} leaves it out of its search: by a file such as `.gitignore`, by the name of \
                 a folder, or because it lies too deep"
            ),
        }
    }
}

/// The Markdown files below the places of skills, each folder in the order of its names.
fn text_files(survey: &SkillSurvey) -> Vec<PathBuf> {
    let places = survey.skills.places.iter();
    let listed = places.filter(|place| matches!(place.state, PlaceState::Listed { .. }));
    let mut folders: VecDeque<PathBuf> = listed.map(|place| place.path.clone()).collect();
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    let mut left = MOST_ITEMS;
    while let Some(folder) = folders.pop_front() {
        let mut items = DiskTree.list(&folder).unwrap_or_default();
        items.sort();
        for item in items {
            left = match left.checked_sub(1) {
                Some(left) => left,
                None => return files,
            };
            let name = item.name.to_string_lossy();
            let path = folder.join(&item.name);
            match item.kind {
                Kind::Folder if !PASSED_OVER.contains(&&*name) => folders.push_back(path),
                Kind::File if is_text(&path) && seen.insert(path.clone()) => files.push(path),
                _ => {}
            }
        }
    }
    files
}

fn is_text(path: &Path) -> bool {
    let suffix = path.extension().unwrap_or_default();
    suffix.eq_ignore_ascii_case("md")
}

fn is_own_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.eq_ignore_ascii_case(OWN_FILE)
}

/// Returns where a path leads, or itself if that is not known.
fn real(path: &Path) -> PathBuf {
    DiskTree.real_path(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns whether a skill of the file would have a name: by its header, its folder, or, if it is
/// called like no skill, by what it is called.
fn fits(survey: &SkillSurvey, path: &Path, name: &str) -> bool {
    let place = match is_own_file(path) {
        true => path.parent().and_then(Path::file_name),
        false => path.file_stem(),
    };
    let written = || {
        let bytes = DiskTree.read(path, LARGEST_FILE).ok()?;
        Some(written_name(&bytes, super::skills::rules(survey.reading))?.text)
    };
    place.is_some_and(|place| place == name) || written().as_deref() == Some(name)
}
