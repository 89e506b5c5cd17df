//! Everything that one harness makes of the skills that it finds.

use std::path::{self, Path};

use agent_discovery::{DiskTree, FoundSkill, SkillState, Skills, discover_skills};
use agent_schema::{Dialect, dialects};

use crate::failure::Failure;
use crate::finding::{FileView, Finding, Nowhere};
use crate::request::{Reading, Request};
use crate::verdict::SHADOWED;

/// The skills that one harness finds.
pub(crate) struct SkillSurvey {
    pub(crate) reading: Reading,
    pub(crate) skills: Skills,
}

/// Which skills are searched for.
#[derive(Default)]
pub(crate) struct SkillScope<'a> {
    /// The loader that was asked for.
    pub(crate) loader: Option<&'static Dialect>,
    /// Files and folders that the harness is told of.
    pub(crate) paths: &'a [String],
    /// Whether only those count.
    pub(crate) only_paths: bool,
}

impl SkillSurvey {
    /// Makes a survey for what was asked for, or for each harness that finds any skill.
    pub(crate) fn all(request: &Request, scope: &SkillScope<'_>) -> Result<Vec<Self>, Failure> {
        let mut inputs = request.inputs();
        inputs.skill_paths = scope.paths.to_vec();
        inputs.search_skills = !scope.only_paths;
        let of_loader = |dialect: &'static Dialect| Reading {
            dialect,
            profile: dialect.default_profile(),
        };
        let readings = match (scope.loader, request.common.dialect) {
            (Some(loader), _) => vec![of_loader(loader)],
            (None, Some(_)) => request.readings()?,
            (None, None) => {
                let along = dialects::skills::HARNESSES.iter();
                let along = along.map(|loader| of_loader(loader));
                request.readings()?.into_iter().chain(along).collect()
            }
        };
        let asked = readings.len() == 1;
        let surveys = readings.into_iter().map(|reading| SkillSurvey {
            reading,
            skills: discover_skills(&DiskTree, reading.dialect, reading.profile, &inputs),
        });
        let is_present =
            |it: &SkillSurvey| !it.skills.found.is_empty() || !it.skills.warnings.is_empty();
        Ok(surveys.filter(|it| asked || is_present(it)).collect())
    }

    /// What the harness has beside the places that are searched, a sentence on each.
    pub(crate) fn unlisted(&self) -> &'static [&'static str] {
        let search = self.reading.profile.rules.skills.search;
        search.map_or(&[], |search| search.unlisted)
    }

    /// Makes a survey for each harness that finds any skill and has no survey yet.
    pub(crate) fn of_others(request: &Request, known: &[SkillSurvey]) -> Vec<Self> {
        let along = dialects::skills::HARNESSES.iter().map(|loader| Reading {
            dialect: loader,
            profile: loader.default_profile(),
        });
        let all = request.all_readings().into_iter().chain(along);
        let is_new = |it: &Reading| {
            let id = it.dialect.id;
            known.iter().all(|known| known.reading.dialect.id != id)
        };
        all.filter(is_new)
            .map(|reading| SkillSurvey::of(request, reading))
            .filter(|it| !it.skills.found.is_empty())
            .collect()
    }

    /// Makes a survey for one version of a harness.
    pub(crate) fn of(request: &Request, reading: Reading) -> Self {
        let Reading { dialect, profile } = reading;
        let skills = discover_skills(&DiskTree, dialect, profile, &request.inputs());
        SkillSurvey { reading, skills }
    }

    /// What is wrong with skills and the folders that hold them.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = (String, Finding<'_>)> {
        self.skills.warnings.iter().map(|warning| {
            let finding = Finding {
                diagnostic: &warning.diagnostic,
                file: FileView::new("", Some(&warning.path), None),
                elsewhere: &Nowhere,
            };
            (warning.path.display().to_string(), finding)
        })
    }

    /// The skill that took a name from another one, or that was read from its file before.
    pub(crate) fn rival(&self, skill: &FoundSkill) -> Option<&FoundSkill> {
        match skill.state {
            SkillState::Shadowed { by } => self.skills.found.get(by),
            SkillState::SameFile { first } => self.skills.found.get(first),
            _ => None,
        }
    }

    /// The skill files that are not active, but for those that were come across before by the
    /// very same path.
    pub(crate) fn not_active(&self) -> impl Iterator<Item = &FoundSkill> {
        self.skills.found.iter().filter(|found| {
            let rival = self.rival(found);
            let again = rival.is_some_and(|it| same_path(&it.skill.path, &found.skill.path));
            found.state != SkillState::Active && !again
        })
    }
}

/// Returns whether two paths are written for the same place.
fn same_path(one: &Path, other: &Path) -> bool {
    let absolute = |path: &Path| path::absolute(path).ok();
    absolute(one) == absolute(other)
}

/// The stable code of what became of a skill.
pub(crate) fn state_code(state: SkillState) -> &'static str {
    match state {
        SkillState::Active => "active",
        SkillState::Shadowed { .. } => SHADOWED,
        SkillState::Undefined { .. } => "undefined",
        SkillState::SameFile { .. } => "same-file",
        SkillState::SwitchedOff => "switched-off",
        SkillState::HeldBack => "held-back",
        SkillState::Ignored => "ignored",
        SkillState::Rejected => "rejected",
    }
}
