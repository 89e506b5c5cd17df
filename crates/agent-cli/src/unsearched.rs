//! The files of the project that lie in no place that a harness searches.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use agent_discovery::{
    DiskTree, Elsewhere, ElsewhereFile, FileTree, Looked, elsewhere, prompt_file_of,
};
use agent_schema::parse::{LARGEST_FILE, written_name};

use crate::request::Request;
use crate::skill_survey::SkillSurvey;
use crate::survey::Survey;

/// Lists, for each survey, the files of the project that its harness never looks at, and that could
/// be agents by their names or look like some. The project is walked once for all of them. If only one name is
/// `wanted`, other files look like nothing.
pub(crate) fn unsearched(
    request: &Request,
    surveys: &[&Survey],
    wanted: Option<&str>,
) -> Vec<Elsewhere> {
    let looked: Vec<Looked<'_>> = surveys
        .iter()
        .map(|survey| Looked {
            dialect: survey.reading.dialect,
            profile: survey.reading.profile,
            places: survey.registry.places(),
            skills: &survey.skills.places,
        })
        .collect();
    let suffixes = surveys.iter().map(|survey| {
        let files = &survey.reading.profile.rules.agents.files;
        files.suffix.to_lowercase()
    });
    let suffixes: Vec<String> = suffixes.collect();
    let is_named_like_agent = |file: &ElsewhereFile| {
        let name = file.path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_lowercase();
        suffixes.iter().any(|suffix| name.ends_with(suffix))
    };
    let mut all = elsewhere(&DiskTree, &looked, &request.common.project, wanted);
    for (found, survey) in all.iter_mut().zip(surveys) {
        // A file that something else names need not lie in a place that is searched.
        let contenders = survey.registry.contenders().iter();
        let known: HashSet<&Path> = contenders
            .clone()
            .filter_map(|contender| contender.source.path.as_deref())
            .collect();
        let definitions = contenders.filter_map(|contender| contender.definition.as_deref());
        let profile = survey.reading.profile;
        let prompts = definitions.filter_map(|it| prompt_file_of(profile, it));
        let prompts: HashSet<PathBuf> = prompts
            .filter_map(|path| DiskTree.real_path(&path).ok())
            .collect();
        let is_prompt = |path: &Path| {
            let real = || DiskTree.real_path(path).ok();
            !prompts.is_empty() && real().is_some_and(|real| prompts.contains(&real))
        };
        found.files.retain(|file| {
            let is_passed = known.contains(&*file.path)
                || may_be_prompt(survey, &file.path)
                || is_prompt(&file.path);
            !is_passed && (file.looks_like.is_some() || is_named_like_agent(file))
        });
    }
    all
}

/// Returns whether a file lies where the harness looks for the prompts of its roster.
fn may_be_prompt(survey: &Survey, path: &Path) -> bool {
    let Some(roster) = &survey.reading.profile.rules.roster else {
        return false;
    };
    let mut places = survey.registry.places().iter();
    places.any(|place| path.parent() == Some(&*place.path.join(roster.prompts.folder)))
}

/// The file of a skill in a folder of its own, by the format that all harnesses share.
const SKILL_FILE: &str = "SKILL.md";

/// Lists the files of skills that no harness comes across, and whose folder or header has a name.
pub(crate) fn skill_files_elsewhere(
    request: &Request,
    surveys: &[&SkillSurvey],
    name: &str,
) -> Vec<ElsewhereFile> {
    let Some(first) = surveys.first() else {
        return Vec::new();
    };
    let skills: Vec<_> = surveys
        .iter()
        .flat_map(|it| it.skills.places.clone())
        .collect();
    let looked = Looked {
        dialect: first.reading.dialect,
        profile: first.reading.profile,
        places: &[],
        skills: &skills,
    };
    let project = &request.common.project;
    let found = elsewhere(&DiskTree, &[looked], project, Some(name));
    let files = found.into_iter().flat_map(|found| found.files);
    let known = |path: &Path| {
        let real = DiskTree.real_path(path).ok();
        let mut skills = surveys.iter().flat_map(|it| &it.skills.found);
        skills.any(|it| DiskTree.real_path(&it.skill.path).ok() == real)
    };
    let has_name = |file: &ElsewhereFile| {
        let folder = file.path.parent().and_then(Path::file_name);
        let written = || {
            let bytes = DiskTree.read(&file.path, LARGEST_FILE).ok()?;
            Some(written_name(&bytes, &first.reading.profile.rules.reading)?.text)
        };
        folder.is_some_and(|folder| folder == name) || written().as_deref() == Some(name)
    };
    files
        .filter(|file| file.path.file_name().is_some_and(|it| it == SKILL_FILE))
        .filter(|file| has_name(file) && !known(&file.path))
        .map(|file| ElsewhereFile {
            looks_like: Some(name.to_owned()),
            ..file
        })
        .collect()
}
