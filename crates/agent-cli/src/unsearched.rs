//! The files of the project that lie in no place that a harness searches.

use std::collections::HashSet;
use std::path::Path;

use agent_discovery::{DiskTree, Elsewhere, Looked, elsewhere};

use crate::request::Request;
use crate::survey::Survey;

/// Lists, for each survey, the files of the project that its harness never looks at. The project
/// is walked once for all of them. If only one name is `wanted`, other files look like nothing.
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
    let mut all = elsewhere(&DiskTree, &looked, &request.common.project, wanted);
    for (found, survey) in all.iter_mut().zip(surveys) {
        // A file that something else names need not lie in a place that is searched.
        let contenders = survey.registry.contenders().iter();
        let known: HashSet<&Path> = contenders
            .filter_map(|contender| contender.source.path.as_deref())
            .collect();
        found.files.retain(|file| !known.contains(&*file.path));
    }
    all
}
