//! `agentry dialects`: whose rules are known, and where each one searches.

use agent_schema::dialect::SearchPlace;
use agent_schema::{Dialect, Profile, dialects};

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::json::{ByDialect, DialectInfo};
use crate::request::Request;
use crate::text::table::{Cell, Column, Table};
use crate::text::{Page, paint, words};

pub(crate) fn run(request: &Request) -> Result<Answer, Failure> {
    let asked = match request.common.dialect {
        Some(dialect) => vec![dialect],
        None => dialects::ALL.to_vec(),
    };
    if request.wants_json() {
        let dialects = asked.into_iter().map(DialectInfo::new).collect();
        return Answer::json(ByDialect { dialects }, Finish::Clean);
    }
    let mut page = Page::default();
    for dialect in asked {
        page.gap();
        describe(dialect, request.table_width(), &mut page);
    }
    Ok(Answer::text(page.into_text(), Finish::Clean))
}

fn describe(dialect: &'static Dialect, width: Option<usize>, page: &mut Page) {
    let id = paint::painted(paint::NAME, dialect.id);
    page.line(format!("{id}  {}", dialect.title));
    page.section("Profiles:");
    let mut profiles = Table::new(
        2,
        [
            Column::new(""),
            Column::new(""),
            Column::new("").may_lose_end(1),
        ],
    );
    for (index, profile) in dialect.profiles.iter().enumerate() {
        let basis = words::basis(profile.basis);
        let note = if index == 0 { ", the default" } else { "" };
        profiles.row([
            profile.id.into(),
            format!("{basis}{note}").into(),
            Cell::styled(profile.harness, paint::QUIET),
        ]);
    }
    page.block(&profiles.render(width));

    // Profiles that search the same places are named together.
    let mut described: Vec<(Vec<&str>, String)> = Vec::new();
    for profile in dialect.profiles {
        let table = places_table(profile);
        match described.iter_mut().find(|(_, known)| *known == table) {
            Some((ids, _)) => ids.push(profile.id),
            None => described.push((vec![profile.id], table)),
        }
    }
    for (ids, table) in &described {
        match described.as_slice() {
            [_] if table.is_empty() => page.section("Searches no place for agents."),
            [_] => page.section("Searches, in order:"),
            _ if ids.len() == 1 => page.section(format!("{} searches, in order:", ids[0])),
            _ => page.section(format!("{} search, in order:", ids.join(" and "))),
        }
        page.block(table);
    }
}

fn places(profile: &'static Profile) -> impl Iterator<Item = &'static SearchPlace> {
    profile.rules.agents.places.iter()
}

fn places_table(profile: &'static Profile) -> String {
    let mut table = Table::new(2, [Column::new(""), Column::new("")]);
    for place in places(profile) {
        table.row([place.level.as_str().into(), words::place_path(place).into()]);
    }
    table.render(None)
}
