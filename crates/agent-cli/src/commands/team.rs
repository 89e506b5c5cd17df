//! `agentry team`: who is on the team, and what an agent is told about it.

use agent_discovery::{DiskTree, Roster, discover_roster};
use agent_factory::{Team, build_prompt};

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::json::{ByDialect, TeamInfo};
use crate::options;
use crate::request::Request;
use crate::survey::Survey;
use crate::text::paint;
use crate::text::printable::printable;
use crate::text::table::{Cell, Column, Table};
use crate::text::{Page, words};

/// The team of one dialect, with what was asked of it.
struct Told<'a> {
    survey: &'a Survey,
    team: Option<Team>,
    roster: Option<Roster>,
    section: Option<String>,
    prompt: Option<String>,
}

pub(crate) fn run(request: &Request, options: &options::Team) -> Result<Answer, Failure> {
    let surveys = Survey::all(request)?;
    let all: Vec<Told<'_>> = surveys
        .iter()
        .map(|survey| Told::new(request, survey, options))
        .collect();
    let found = |told: &Told<'_>| match options.member {
        Some(_) => told.section.is_some(),
        None => told.team.is_some(),
    };
    let finish = Finish::of(all.iter().any(found));
    if request.wants_json() {
        let dialects = all.iter().map(Told::info).collect();
        return Answer::json(ByDialect { dialects }, finish);
    }
    let mut page = Page::default();
    for told in &all {
        if surveys.len() > 1 {
            page.section(told.survey.reading.dialect.title);
        }
        told.describe(request, options, &mut page);
    }
    Ok(Answer::text(page.into_text(), finish))
}

impl<'a> Told<'a> {
    fn new(request: &Request, survey: &'a Survey, options: &options::Team) -> Self {
        let registry = &survey.registry;
        let team = Team::of(registry);
        let reading = survey.reading;
        let inputs = request.inputs();
        let roster = discover_roster(&DiskTree, reading.dialect, reading.profile, &inputs);
        let member = options.member.as_deref();
        let caller = options.caller.as_deref();
        let section = member.and_then(|name| team.as_ref()?.section(name, caller));
        let prompt = || {
            let found = registry.get(member).ok()?;
            let exit_rules = roster.as_ref().and_then(|it| it.exit_rules.as_ref());
            let exit_rules = exit_rules.map(|rules| rules.text.as_str());
            let text = found.definition().prompt().unwrap_or_default();
            Some(build_prompt(text, exit_rules, section.as_deref()).text)
        };
        let prompt = (options.prompt && section.is_some()).then(prompt).flatten();
        Told {
            survey,
            team,
            roster,
            section,
            prompt,
        }
    }

    fn info(&self) -> TeamInfo<'_> {
        TeamInfo::new(
            self.survey.reading,
            self.team.as_ref(),
            self.section.as_deref(),
            self.prompt.as_deref(),
        )
    }

    fn describe(&self, request: &Request, options: &options::Team, page: &mut Page) {
        let title = self.survey.reading.dialect.title;
        let Some(team) = &self.team else {
            return self.without_team(title, request, page);
        };
        let Some(name) = options.member.as_deref() else {
            page.block(&members(team).render(request.table_width()));
            return;
        };
        match (&self.prompt, &self.section) {
            (Some(text), _) | (None, Some(text)) => {
                for line in text.lines() {
                    page.line(printable(line));
                }
            }
            _ => page.line(words::nobody(title, name)),
        }
    }

    /// Without a roster there still are names to work with; agents are told nothing of them.
    fn without_team(&self, title: &str, request: &Request, page: &mut Page) {
        page.line(format!("{title} has no team here"));
        let Some(roster) = &self.roster else {
            return;
        };
        let names = roster.agent_names();
        if !names.names.is_empty() {
            let names = names.names.join(", ");
            let prose = format!("Until its roster can be read, these names count: {names}");
            page.prose(&prose, request.width());
        }
    }
}

fn members(team: &Team) -> Table {
    let columns = [
        Column::new("NAME").styled(paint::NAME),
        Column::new("ROLE").may_fold(),
    ];
    let mut table = Table::new(0, columns);
    for member in team.members() {
        let role = match &member.role {
            Some(role) => printable(role).into(),
            None => Cell::styled(member.role_or_placeholder(), paint::QUIET),
        };
        let hidden = if member.told {
            ""
        } else {
            " (not told to others)"
        };
        table.row([format!("{}{hidden}", printable(&member.name)).into(), role]);
    }
    table
}
