//! The answers of `skills` and of `explain --skill`.

use agent_discovery::FoundSkill;
use agent_schema::Level;
use serde::Serialize;

use crate::finding::{FileView, Nowhere};
use crate::json::Diagnostic;
use crate::json::explain::Place;
use crate::skill_survey::{SkillSurvey, state_code};
use crate::story::{Candidate, SkillField, SkillNear, SkillTold, parts};

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
    /// Everything that wanted the name, in the order of the harness.
    contenders: Vec<SkillWanted<'a>>,
    near_misses: Vec<SkillClose<'a>>,
    /// The fields of the skill that answers.
    fields: Vec<Field>,
    other_profiles: Vec<SkillOther<'a>>,
    places: Vec<Place>,
}

/// A skill that wanted the name, and why it has it or lost it.
#[derive(Serialize)]
struct SkillWanted<'a> {
    #[serde(flatten)]
    skill: SkillInfo<'a>,
    /// Where its name stands.
    line: Option<u32>,
    column: Option<u32>,
    why: String,
}

/// Something that comes close to the name.
#[derive(Serialize)]
struct SkillClose<'a> {
    kind: &'static str,
    name: &'a str,
    /// The harness that it belongs to, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<&'static str>,
    from: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    /// Why it is no skill, if the harness takes it for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

/// A field as it counts.
#[derive(Serialize)]
struct Field {
    field: &'static str,
    value: Option<String>,
    given: &'static str,
    line: Option<u32>,
    column: Option<u32>,
}

/// What another profile of the dialect makes of the name.
#[derive(Serialize)]
struct SkillOther<'a> {
    profile: &'static str,
    same: bool,
    resolution: &'static str,
    skills: Vec<SkillThere<'a>>,
    differing_fields: &'a [&'static str],
}

/// A skill as another profile has it.
#[derive(Serialize)]
struct SkillThere<'a> {
    from: &'a str,
    state: &'static str,
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
    pub(crate) fn new(told: &'a SkillTold<'a>) -> Self {
        let survey = told.survey;
        let (code, skills) = parts(&told.resolution);
        let others = told.others.iter().map(|other| SkillOther {
            profile: other.profile,
            same: other.same,
            resolution: other.resolution,
            skills: other
                .files
                .iter()
                .map(|(_, from, state)| SkillThere { from, state })
                .collect(),
            differing_fields: &other.differing_fields,
        });
        SkillAnswer {
            dialect: survey.reading.dialect.id,
            profile: survey.reading.profile.id,
            resolution: code,
            skills: skills
                .into_iter()
                .map(|it| SkillInfo::new(survey, it))
                .collect(),
            contenders: told
                .candidates
                .iter()
                .map(|it| SkillWanted::new(told, it))
                .collect(),
            near_misses: told.near.iter().map(SkillClose::new).collect(),
            fields: told
                .winner()
                .into_iter()
                .flat_map(Candidate::fields)
                .map(Field::from)
                .collect(),
            other_profiles: others.collect(),
            places: survey.skills.places.iter().map(Place::new).collect(),
        }
    }
}

impl<'a> SkillWanted<'a> {
    fn new(told: &'a SkillTold<'a>, candidate: &'a Candidate<'a>) -> Self {
        let show = |it: &FoundSkill| it.skill.reported.clone();
        let findings = candidate
            .file()
            .findings(&candidate.found.diagnostics, &Nowhere);
        SkillWanted {
            skill: SkillInfo {
                diagnostics: findings.map(Diagnostic::new).collect(),
                ..SkillInfo::new(told.survey, candidate.found)
            },
            line: candidate.at.map(|at| at.line),
            column: candidate.at.map(|at| at.column),
            why: told.reason(candidate, &show).1,
        }
    }
}

impl<'a> SkillClose<'a> {
    fn new(near: &'a SkillNear<'a>) -> Self {
        SkillClose {
            kind: near.kind,
            name: near.name,
            dialect: near.dialect.map(|(id, _)| id),
            from: &near.from,
            line: near.at.map(|at| at.line),
            column: near.at.map(|at| at.column),
            why: near.why.as_deref(),
        }
    }
}

impl From<SkillField> for Field {
    fn from(field: SkillField) -> Self {
        Field {
            field: field.field,
            value: field.value,
            given: if field.at.is_some() {
                "written"
            } else {
                field.given
            },
            line: field.at.map(|at| at.line),
            column: field.at.map(|at| at.column),
        }
    }
}

impl<'a> SkillInfo<'a> {
    fn new(survey: &'a SkillSurvey, found: &'a FoundSkill) -> Self {
        let skill = &found.skill;
        let file = FileView::new(&skill.reported, Some(&skill.path), None);
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
