//! The answers of `skills` and of `explain --skill`.

use agent_discovery::{FoundSkill, Resolution};
use agent_schema::Level;
use serde::Serialize;

use crate::finding::{FileView, Nowhere};
use crate::json::Diagnostic;
use crate::skill_survey::{SkillSurvey, state_code};

/// The skills of one harness.
#[derive(Serialize)]
pub(crate) struct SkillList<'a> {
    dialect: &'static str,
    profile: &'static str,
    needs_trust: bool,
    /// Every skill file, in the order in which the harness reads them.
    skills: Vec<SkillInfo<'a>>,
    warnings: Vec<Warning<'a>>,
    /// What the harness has beside the places that are searched, a sentence on each.
    unlisted: &'static [&'static str],
}

/// What a harness does when a skill is asked for by name.
#[derive(Serialize)]
pub(crate) struct SkillAnswer<'a> {
    dialect: &'static str,
    profile: &'static str,
    /// `one`, `copies`, `not-fixed` or `unknown`.
    resolution: &'static str,
    /// Those that may be meant, the one that answers first; of an unknown name those that were
    /// dropped.
    skills: Vec<SkillInfo<'a>>,
}

#[derive(Serialize)]
struct SkillInfo<'a> {
    name: &'a str,
    state: &'static str,
    from: &'a str,
    level: Level,
    description: Option<&'a str>,
    model_visible: bool,
    /// The skill that has the name, or that was read from the file before.
    by: Option<&'a str>,
    diagnostics: Vec<Diagnostic<'a>>,
}

#[derive(Serialize)]
struct Warning<'a> {
    path: String,
    diagnostic: Diagnostic<'a>,
}

impl<'a> SkillList<'a> {
    pub(crate) fn new(survey: &'a SkillSurvey) -> Self {
        let found = survey.skills.found.iter();
        let warnings = survey.warnings().map(|(path, finding)| Warning {
            path,
            diagnostic: Diagnostic::new(finding),
        });
        SkillList {
            dialect: survey.reading.dialect.id,
            profile: survey.reading.profile.id,
            needs_trust: survey.skills.needs_trust,
            skills: found.map(|it| SkillInfo::new(survey, it)).collect(),
            warnings: warnings.collect(),
            unlisted: survey.unlisted(),
        }
    }
}

impl<'a> SkillAnswer<'a> {
    pub(crate) fn new(survey: &'a SkillSurvey, resolution: &Resolution<'a>) -> Self {
        let (code, skills) = parts(resolution);
        let skills = skills.into_iter();
        SkillAnswer {
            dialect: survey.reading.dialect.id,
            profile: survey.reading.profile.id,
            resolution: code,
            skills: skills.map(|it| SkillInfo::new(survey, it)).collect(),
        }
    }
}

fn parts<'a>(resolution: &Resolution<'a>) -> (&'static str, Vec<&'a FoundSkill>) {
    match resolution {
        Resolution::One(skill) => ("one", vec![*skill]),
        Resolution::Copies(skills) => ("copies", skills.clone()),
        Resolution::NotFixed(skills) => ("not-fixed", skills.clone()),
        Resolution::Unknown(skills) => ("unknown", skills.clone()),
        _ => ("other", Vec::new()),
    }
}

impl<'a> SkillInfo<'a> {
    fn new(survey: &'a SkillSurvey, found: &'a FoundSkill) -> Self {
        let skill = &found.skill;
        let file = FileView {
            reported: &skill.reported,
            path: Some(&skill.path),
            bytes: None,
        };
        let findings = file.findings(&found.diagnostics, &Nowhere);
        SkillInfo {
            name: &skill.name,
            state: state_code(found.state),
            from: &skill.reported,
            level: found.level,
            description: skill.description.as_deref(),
            model_visible: found.model_visible,
            by: survey.rival(found).map(|it| it.skill.reported.as_str()),
            diagnostics: findings.map(Diagnostic::new).collect(),
        }
    }
}
