//! `agentry rule`: what a code is about.

use agent_schema::rules::Room;
use agent_schema::{Rule, Severity, rules, suggest};

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::json::{RuleInfo, Rules};
use crate::options;
use crate::request::Request;
use crate::text::paint;
use crate::text::table::{Cell, Column, Table};
use crate::text::{Page, rule_page};

pub(crate) fn run(request: &Request, options: &options::Rule) -> Result<Answer, Failure> {
    let asked = match &options.code {
        Some(code) => vec![find(code)?],
        None => rules::ALL.to_vec(),
    };
    if request.wants_json() {
        let rules = asked.into_iter().map(RuleInfo::new).collect();
        return Answer::json(Rules { rules }, Finish::Clean);
    }
    let text = match asked.as_slice() {
        [rule] => rule_page::render(rule, request.width()),
        rules => index(request, rules),
    };
    Ok(Answer::text(text, Finish::Clean))
}

/// Lists rules, those of one room together.
fn index(request: &Request, rules: &[&Rule]) -> String {
    let mut page = Page::default();
    for room in rules.chunk_by(|one, other| one.room == other.room) {
        let columns = [
            Column::new("").styled(paint::NAME),
            Column::new(""),
            Column::new("").may_lose_end(1),
        ];
        let mut table = Table::new(2, columns);
        for rule in room {
            table.row([
                rule.code.into(),
                severity(rule.severity),
                rule.summary().into(),
            ]);
        }
        if let [first, ..] = room {
            page.section(sentence(first.room));
        }
        page.block(&table.render(request.table_width()));
    }
    page.gap();
    page.line("`agentry rule CODE` shows the page of a rule.");
    page.into_text()
}

/// Begins with a capital letter.
fn sentence(room: Room) -> String {
    let text = room.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

fn find(code: &str) -> Result<&'static Rule, Failure> {
    rules::find(code).ok_or_else(|| {
        let codes = rules::ALL.iter().map(|rule| rule.code);
        let failure = Failure::new(format!("there is no rule `{code}`"));
        match suggest::nearest(code, codes) {
            Some(similar) => failure.help(format!("a similar one is `{similar}`")),
            None => failure.help("`agentry rule` lists all of them"),
        }
    })
}

fn severity(severity: Severity) -> Cell {
    let style = match severity {
        Severity::Error => paint::BAD,
        Severity::Warning => paint::WARN,
        Severity::Info => paint::PLAIN,
    };
    Cell::styled(severity.to_string(), style)
}
