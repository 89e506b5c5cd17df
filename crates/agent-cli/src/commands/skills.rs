//! `agentry skills` and `agentry explain --skill`: the skills that agents may name.

use agent_discovery::{FoundSkill, SkillState};
use agent_schema::skill_rules::FoundBy;

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::json::{ByDialect, SkillList};
use crate::options;
use crate::request::Request;
use crate::skill_survey::{SkillScope, SkillSurvey, state_code};
use crate::text::paint;
use crate::text::printable::printable;
use crate::text::table::{Column, Table};
use crate::text::{Page, report};

pub(crate) fn run(request: &Request, options: &options::Skills) -> Result<Answer, Failure> {
    let scope = SkillScope {
        loader: options.loader,
        paths: &options.path,
        only_paths: options.only,
    };
    let surveys = SkillSurvey::all(request, &scope)?;
    if request.wants_json() {
        let dialects = surveys.iter().map(SkillList::new).collect();
        return Answer::json(ByDialect { dialects }, Finish::Clean);
    }
    let mut page = Page::default();
    for survey in &surveys {
        if surveys.len() > 1 {
            page.section(survey.reading.dialect.title);
        }
        match options.block {
            true => block(survey, &mut page),
            false => describe(request, survey, &mut page),
        }
    }
    if surveys.is_empty() {
        page.line("no harness finds a skill here");
    }
    Ok(Answer::text(page.into_text(), Finish::Clean))
}

/// The list that the model is told.
fn block(survey: &SkillSurvey, page: &mut Page) {
    let skills = survey.skills.active().filter(|found| found.model_visible);
    let told = skills.map(|found| {
        let skill = &found.skill;
        let description = skill.description.as_deref().unwrap_or_default();
        (skill.name.as_str(), description, skill.reported.as_str())
    });
    match survey.reading.profile.rules.skills.listing.write(told) {
        Some(text) => {
            for line in text.lines() {
                page.line(printable(line));
            }
        }
        None => page.line(format!(
            "how {} tells its model of skills is not known",
            survey.reading.dialect.title
        )),
    }
}

fn describe(request: &Request, survey: &SkillSurvey, page: &mut Page) {
    let columns = [
        Column::new("NAME").styled(paint::NAME),
        Column::new("LEVEL"),
        Column::new("SOURCE").may_lose_start(1),
        Column::new("DESCRIPTION").may_lose_end(2),
    ];
    let mut active = Table::new(0, columns);
    for found in survey.skills.active() {
        let description = found.skill.description.as_deref().unwrap_or_default();
        active.row([
            printable(&found.skill.name).into(),
            found.level.as_str().into(),
            request.paths.show(&found.skill.path).into(),
            printable(description).into(),
        ]);
    }
    match active.is_empty() {
        true => page.line(format!(
            "{} finds no skill to use here",
            survey.reading.dialect.title
        )),
        false => page.block(&active.render(request.table_width())),
    }
    let columns = [
        Column::new("NAME").styled(paint::NAME),
        Column::new("SOURCE"),
        Column::new("WHY").may_fold(),
    ];
    let mut others = Table::new(2, columns);
    for found in survey.not_active() {
        others.row([
            printable(&found.skill.name).into(),
            request.paths.show(&found.skill.path).into(),
            printable(&reason(request, survey, found)).into(),
        ]);
    }
    if !others.is_empty() {
        page.section("Not active:");
        page.block(&others.render(request.table_width()));
    }
    for (_, finding) in survey.warnings() {
        page.gap();
        page.block(&report::render(&finding, &request.paths, request.width()));
    }
    tell_rest(request, survey, page);
    if survey.skills.needs_trust && !request.common.trust {
        page.gap();
        page.prose(
            "Skills of this project count only once the user trusts it (--trust shows them).",
            request.width(),
        );
    }
}

/// Tells what the table does not show.
fn tell_rest(request: &Request, survey: &SkillSurvey, page: &mut Page) {
    let mut active = survey.skills.active();
    if active.any(|found| found.found_by == FoundBy::Below) {
        let prose = format!(
            "Of these, {} finds those in folders below the project once it works on a file there.",
            survey.reading.dialect.title
        );
        page.gap();
        page.prose(&prose, request.width());
    }
    for sentence in survey.unlisted() {
        page.gap();
        page.prose(sentence, request.width());
    }
}

/// Tells why a skill is not active.
pub(super) fn reason(request: &Request, survey: &SkillSurvey, found: &FoundSkill) -> String {
    let rival = survey
        .rival(found)
        .map(|it| request.paths.show(&it.skill.path));
    match (found.state, rival) {
        (SkillState::Shadowed { .. }, Some(by)) => format!("shadowed: lost its name to {by}"),
        (SkillState::SameFile { .. }, Some(by)) => format!("the same file as {by}"),
        (SkillState::Undefined { .. }, _) => {
            "several have the name, and the harness leaves open which".to_owned()
        }
        (SkillState::HeldBack, _) => "it waits until the project is trusted".to_owned(),
        (SkillState::SwitchedOff, _) => "switched off by settings".to_owned(),
        (state, _) => {
            let worst = found.diagnostics.iter().rev().max_by_key(|it| it.severity);
            worst.map_or_else(|| state_code(state).to_owned(), |it| it.message.to_string())
        }
    }
}
