//! `agentry explain --skill`: the whole story of the name of a skill.

use std::path::Path;

use agent_discovery::{ElsewhereFile, FoundSkill, Resolution, SkillState};

use crate::answer::{Answer, Finish};
use crate::commands::explain::{hanging, places};
use crate::failure::Failure;
use crate::finding::Nowhere;
use crate::json::{ByDialect, SkillAnswer};
use crate::request::Request;
use crate::skill_survey::{SkillScope, SkillSurvey, state_code};
use crate::story::{Candidate, SkillNear, SkillProfile, SkillTold};
use crate::text::paint::{self, painted};
use crate::text::printable::{beginning, printable};
use crate::text::table::{Cell, Column, Table};
use crate::text::{Page, report, words};
use crate::unsearched::skill_files_elsewhere;

/// How much of a value is shown.
const MOST_SHOWN: usize = 60;

/// Tells which skill an agent gets that names one, and why.
pub(super) fn explain(request: &Request, name: &str) -> Result<Answer, Failure> {
    let surveys = SkillSurvey::all(request, &SkillScope::default())?;
    let answers = |survey: &SkillSurvey| survey.skills.get(name).is_some();
    let others = match surveys.iter().all(answers) {
        true => Vec::new(),
        false => SkillSurvey::of_others(request, &surveys),
    };
    let all: Vec<&SkillSurvey> = surveys.iter().chain(&others).collect();
    let elsewhere = skill_files_elsewhere(request, &all, name);
    let told: Vec<SkillTold<'_>> = surveys
        .iter()
        .map(|survey| SkillTold::new(request, survey, &all, name, &elsewhere))
        .collect();
    let is_known = |told: &SkillTold<'_>| {
        matches!(told.resolution, Resolution::One(_) | Resolution::Copies(_))
    };
    let finish = Finish::of(told.iter().any(is_known));
    if request.wants_json() {
        let dialects = told.iter().map(SkillAnswer::new).collect();
        return Answer::json(ByDialect { dialects }, finish);
    }
    let mut page = Page::default();
    let alone = told.len() == 1;
    let (known, unknown): (Vec<_>, Vec<_>) =
        told.iter().partition(|told| told.has_story() || alone);
    for told in &known {
        page.gap();
        tell(request, told, name, known.len() == 1, &mut page);
    }
    if known.len() > 1 {
        page.gap();
        let hint = "--dialect tells what counts for one of them, or where it searches";
        page.line(painted(paint::QUIET, hint));
    }
    if !unknown.is_empty() {
        page.gap();
        let titles = unknown.iter().map(|told| told.survey.reading.dialect.title);
        let titles: Vec<&str> = titles.collect();
        let prose = format!("No skill `{}` for {}.", printable(name), titles.join(", "));
        page.prose(&prose, request.width());
    }
    if !elsewhere.is_empty() {
        page.gap();
    }
    for file in &elsewhere {
        page.prose(&lies_elsewhere(request, &surveys, file), request.width());
    }
    if surveys.is_empty() {
        page.line("no harness finds a skill here");
    }
    Ok(Answer::text(page.into_text(), finish))
}

fn lies_elsewhere(request: &Request, surveys: &[SkillSurvey], file: &ElsewhereFile) -> String {
    let path = request.paths.show(&file.path);
    match surveys {
        [survey] => {
            let title = survey.reading.dialect.title;
            format!("{path} lies in no place that {title} searches for skills")
        }
        _ => format!("{path} lies in no place that any of them searches for skills"),
    }
}

/// Tells the story for one harness; if it is `alone`, with what counts, or else where it searches.
fn tell(request: &Request, told: &SkillTold<'_>, name: &str, alone: bool, page: &mut Page) {
    let survey = told.survey;
    let title = survey.reading.dialect.title;
    let shown = printable(name);
    let width = request.width();
    let headline = match told.resolution {
        Resolution::One(_) => format!("{title}: `{shown}` is this skill"),
        Resolution::Copies(_) => {
            format!("{title}: `{shown}` is listed more than once; the first one answers")
        }
        Resolution::NotFixed(_) => {
            format!("{title}: `{shown}` is one of these, and which one is not fixed")
        }
        _ if told.candidates.is_empty() => {
            format!("{title}: nothing answers to the skill name `{shown}`")
        }
        _ => format!(
            "{title}: nothing answers to the skill name `{shown}`, but these would have it:"
        ),
    };
    page.prose(&headline, width);
    if !told.candidates.is_empty() {
        let columns = [Column::new(""), Column::new(""), Column::new("").may_fold()];
        let mut table = Table::new(2, columns);
        for candidate in &told.candidates {
            table.row(row(request, told, candidate));
        }
        page.block(&table.render(Some(width)));
    }
    // What nobody comes across is told once for all of them, and what others have beside them.
    let near = told.near.iter().filter(|near| match near.kind {
        "not-searched" => false,
        "other-dialect" => alone,
        _ => true,
    });
    let near: Vec<&SkillNear<'_>> = near.collect();
    if !near.is_empty() {
        page.section("Comes close:");
        for near in near {
            page.indented_prose(2, &near_in_words(request, near), width);
        }
    }
    if let Some(winner) = told.winner().filter(|_| alone) {
        page.section("What counts:");
        fields(request, winner, page);
    }
    if alone || told.others.iter().any(|other| !other.same) {
        versions(request, told, page);
    }
    for candidate in &told.candidates {
        let findings = candidate
            .file()
            .findings(&candidate.found.diagnostics, &Nowhere);
        for finding in findings {
            page.gap();
            page.block(&report::render(&finding, &request.paths, width));
        }
    }
    if alone && told.winner().is_none() {
        page.section("Searched, in order:");
        places(request, &survey.skills.places, page);
    }
}

fn row(request: &Request, told: &SkillTold<'_>, candidate: &Candidate<'_>) -> [Cell; 3] {
    let style = match candidate.found.state {
        SkillState::Active => paint::GOOD,
        SkillState::Shadowed { .. }
        | SkillState::Undefined { .. }
        | SkillState::SameFile { .. } => paint::WARN,
        _ => paint::BAD,
    };
    let show = |it: &FoundSkill| show(request, told, it);
    let (at, why) = told.reason(candidate, &show);
    let at = at.map(|at| format!(", at {at}")).unwrap_or_default();
    [
        Cell::styled(state_code(candidate.found.state).replace('-', " "), style),
        format!("{} ({})", show(candidate.found), candidate.found.level).into(),
        format!("{}{at}", printable(&why)).into(),
    ]
}

/// Shows where a skill comes from, with the place of its name.
fn show(request: &Request, told: &SkillTold<'_>, found: &FoundSkill) -> String {
    let mut candidates = told.candidates.iter();
    let known = candidates.find(|it| std::ptr::eq(it.found, found));
    let at = known.and_then(|it| it.at).map(|at| format!(":{at}"));
    format!(
        "{}{}",
        request.paths.show(&found.skill.path),
        at.unwrap_or_default()
    )
}

fn near_in_words(request: &Request, near: &SkillNear<'_>) -> String {
    let at = near.at.map(|at| format!(":{at}")).unwrap_or_default();
    let path = request.paths.show(Path::new(&*near.from));
    near.in_words(&format!("{path}{at}"))
}

fn fields(request: &Request, winner: &Candidate<'_>, page: &mut Page) {
    let columns = [
        Column::new("").styled(paint::NAME),
        Column::new("").may_lose_end(2),
        Column::new("").styled(paint::QUIET).may_lose_start(1),
    ];
    let path = request.paths.show(&winner.found.skill.path);
    let mut table = Table::new(2, columns);
    for field in winner.fields() {
        let from = match (field.at, field.given) {
            (Some(at), _) => format!("{path}:{at}"),
            (None, given) => given.to_owned(),
        };
        let value = field.value.as_deref().unwrap_or("not set");
        table.row([
            field.field.into(),
            beginning(value, MOST_SHOWN).into(),
            from.into(),
        ]);
    }
    page.block(&table.render(request.table_width()));
}

fn versions(request: &Request, told: &SkillTold<'_>, page: &mut Page) {
    if told.others.is_empty() {
        return;
    }
    let dialect = told.survey.reading.dialect;
    match words::settled(
        dialect,
        told.others.len(),
        told.others.iter().all(|it| it.same),
    ) {
        Ok(sentence) => {
            page.gap();
            page.prose(&sentence, request.width());
        }
        Err(title) => {
            page.section(title);
            let words = |other: &SkillProfile| other.in_words(&|path| request.paths.show(path));
            let rows = told
                .others
                .iter()
                .map(|other| (other.profile, words(other)));
            hanging(request, &rows.collect::<Vec<_>>(), page);
        }
    }
}
