//! The files below the places of skills that a harness takes for none, and why.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use agent_discovery::{DiskTree, FileTree, Kind, MOST_ITEMS, PASSED_OVER, PlaceState};
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
    let found = survey.skills.found.iter();
    let known: HashSet<PathBuf> = found.map(|it| real(&it.skill.path)).collect();
    let mut files = Vec::new();
    for path in text_files(survey) {
        if fits(survey, &path, name) && !known.contains(&real(&path)) {
            let why = why(survey, &path);
            files.push(NoSkill { path, why });
        }
    }
    files
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

/// Tells why a file is no skill of the harness.
fn why(survey: &SkillSurvey, path: &Path) -> String {
    let title = survey.reading.dialect.title;
    let own = real(path);
    let mut missed = survey.skills.missed.iter();
    if let Some(missed) = missed.find(|missed| missed.path == path || real(&missed.path) == own) {
        let told = &missed.diagnostic;
        return told.why.as_ref().unwrap_or(&told.message).to_string();
    }
    if !is_own_file(path) {
        return format!("{title} takes no file of this name in this folder for a skill");
    }
    // The folder of a skill holds what belongs to it.
    let folders = || path.ancestors().skip(2);
    let mut found = survey.skills.found.iter();
    let around = found.find(|it| {
        let own = it.skill.path.parent();
        is_own_file(&it.skill.path) && own.is_some_and(|own| folders().any(|it| it == own))
    });
    match around {
        Some(around) => format!(
            "it lies in the folder of the skill `{}`, where {title} looks for no other",
            printable(&around.skill.name)
        ),
        None => format!(
            "{title} leaves it out of its search: by a file such as `.gitignore`, by the name of a \
             folder, or because it lies too deep"
        ),
    }
}
