//! `agentry rule`: what a code is about.

use agent_schema::{Rule, Severity, rules, suggest};

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::json::{RuleInfo, Rules};
use crate::options;
use crate::request::Request;
use crate::text::Page;
use crate::text::paint::{self, painted};
use crate::text::table::{Cell, Column, Table};

pub(crate) fn run(request: &Request, options: &options::Rule) -> Result<Answer, Failure> {
    let asked = match &options.code {
        Some(code) => vec![find(code)?],
        None => rules::ALL.to_vec(),
    };
    if request.wants_json() {
        let rules = asked.into_iter().map(RuleInfo::new).collect();
        return Answer::json(Rules { rules }, Finish::Clean);
    }
    if let [rule] = asked.as_slice() {
        let mut page = Page::default();
        let code = painted(paint::NAME, rule.code);
        page.line(format!("{code} ({})", rule.severity));
        page.prose(rule.summary(), request.width());
        return Ok(Answer::text(page.into_text(), Finish::Clean));
    }
    let columns = [
        Column::new("CODE").styled(paint::NAME),
        Column::new("SEVERITY"),
        Column::new("ABOUT").may_lose_end(1),
    ];
    let mut table = Table::new(0, columns);
    for rule in asked {
        table.row([
            rule.code.into(),
            severity(rule.severity),
            rule.summary().into(),
        ]);
    }
    Ok(Answer::text(
        table.render(request.table_width()),
        Finish::Clean,
    ))
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
