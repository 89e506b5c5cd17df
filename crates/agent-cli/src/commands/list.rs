//! `agentry list`: which agents there are, and what became of everything else.

use std::collections::HashMap;
use std::path::Path;

use agent_discovery::{Elsewhere, ElsewhereFile};
use agent_registry::{Contender, Verdict};
use agent_schema::{Definition, Fate};

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::json::{Listing, Listings, Shared};
use crate::options::List;
use crate::request::Request;
use crate::shared::shared_files;
use crate::story::passed_over;
use crate::survey::Survey;
use crate::text::paint::{self, painted};
use crate::text::printable::printable;
use crate::text::table::{Column, Table};
use crate::text::{Page, report, words};
use crate::unsearched::unsearched;
use crate::verdict::{self, first_reason, gives_no_agent, lost_builtins};

pub(crate) fn run(request: &Request, options: &List) -> Result<Answer, Failure> {
    let surveys = Survey::all(request)?;
    if request.wants_json() {
        let mut unseen = options
            .all
            .then(|| all_unsearched(request, &surveys).into_iter());
        let listings = surveys.iter().map(|it| {
            let elsewhere = unseen.as_mut().and_then(Iterator::next);
            Listing::new(it, elsewhere)
        });
        let answer = Listings {
            dialects: listings.collect(),
            shared: shared_files(&surveys).iter().map(Shared::new).collect(),
        };
        return Answer::json(answer, Finish::Clean);
    }
    let mut page = Page::default();
    let mut talk = Page::default();
    for survey in &surveys {
        if surveys.len() > 1 {
            page.section(survey.reading.dialect.title);
        }
        describe(request, survey, options.all, &mut page);
        talk.gap();
        if surveys.len() > 1 {
            talk.line(painted(paint::TITLE, survey.reading.dialect.title));
        }
        summarise(request, survey, options.all, &mut talk);
    }
    if options.all {
        let unseen = match surveys.as_slice() {
            [survey] => format!(
                "In no place that {} searches:",
                survey.reading.dialect.title
            ),
            _ => "In no place that any of them searches:".to_owned(),
        };
        let table = not_searched(request, &surveys);
        if !table.is_empty() {
            page.section(unseen);
            page.block(&table.render(request.table_width()));
        }
    }
    let shared = shared(request, &surveys);
    if !shared.is_empty() {
        page.section("Read by more than one harness:");
        page.block(&shared.render(request.table_width()));
    }
    let talk = format!("\n{}", talk.into_text());
    Ok(Answer::text(page.into_text(), Finish::Clean).with_talk(talk))
}

fn describe(request: &Request, survey: &Survey, all: bool, page: &mut Page) {
    if let Some(stopped) = &survey.stopped {
        page.block(&report::render(
            &stopped.finding(),
            &request.paths,
            request.width(),
        ));
        page.section("Without that, these agents would be active:");
    }
    let table = active(request, survey);
    if !table.is_empty() {
        page.block(&table.render(request.table_width()));
    }
    let left_open = left_open(request, survey);
    if !left_open.is_empty() {
        page.section("One of each name, the harness leaves open which:");
        page.block(&left_open.render(request.table_width()));
    }
    if all {
        let sections = [
            ("Shadowed:", shadowed(request, survey)),
            ("Rejected:", rejected(request, survey)),
            ("Ignored:", ignored(request, survey)),
            ("Merged into others:", merged(request, survey)),
        ];
        for (title, table) in sections {
            if !table.is_empty() {
                page.section(title);
                page.block(&table.render(request.table_width()));
            }
        }
        let brought = verdict::brought(survey);
        if !brought.is_empty() {
            let title = survey.reading.dialect.title;
            page.section(format!("Brought by {title} itself, and not read here:"));
            page.indented_prose(2, &brought.join(", "), request.width());
        }
    }
}

fn left_open(request: &Request, survey: &Survey) -> Table {
    let columns = [
        Column::new("NAME").styled(paint::NAME),
        Column::new("LEVEL"),
        Column::new("SOURCE").may_lose_start(1),
    ];
    let mut table = Table::new(0, columns);
    for (name, contenders) in survey.registry.undefined() {
        for contender in contenders {
            table.row([
                printable(name).into(),
                contender.source.level.as_str().into(),
                request.paths.show_contender(contender).into(),
            ]);
        }
    }
    table
}

fn active(request: &Request, survey: &Survey) -> Table {
    let columns = [
        Column::new("NAME").styled(paint::NAME),
        Column::new("LEVEL"),
        Column::new("MODEL"),
        Column::new("TOOLS").may_lose_end(1),
        Column::new("SOURCE").may_lose_start(2),
    ];
    let mut table = Table::new(0, columns);
    let start = &survey.reading.profile.rules.factory.start;
    for (name, contender) in survey.registry.active() {
        let definition = contender.definition.as_deref();
        let model = definition.and_then(Definition::model).unwrap_or("not set");
        let tools = definition.map(|it| words::tools(start.asked_tools(it)));
        table.row([
            printable(name).into(),
            contender.source.level.as_str().into(),
            printable(model).into(),
            printable(&tools.unwrap_or_default()).into(),
            request.paths.show_contender(contender).into(),
        ]);
    }
    table
}

fn shadowed(request: &Request, survey: &Survey) -> Table {
    let columns = [
        Column::new("NAME").styled(paint::NAME),
        Column::new("SOURCE"),
        Column::new("WHY").may_fold(),
    ];
    let mut table = Table::new(2, columns);
    for contender in survey.registry.contenders() {
        if let Verdict::Shadowed { by, rule } = contender.verdict {
            let winner = survey.registry.contender(by);
            let why = words::decision(rule, winner, contender);
            let winners = survey.registry.standing_with(by);
            let winners = words::one_of(winners.map(|it| request.paths.show_contender(it)));
            table.row([
                printable(&contender.name).into(),
                request.paths.show_contender(contender).into(),
                format!("lost to {winners}: {why}").into(),
            ]);
        }
    }
    if !verdict::merges(survey) {
        for lost in lost_builtins(survey) {
            let winner = request.paths.show_contender(lost.winner);
            let why = "the harness brings it itself, and any file of its name counts instead";
            table.row([
                lost.name.into(),
                lost.source.into(),
                format!("lost to {winner}: {why}").into(),
            ]);
        }
    }
    table
}

fn rejected(request: &Request, survey: &Survey) -> Table {
    let columns = [
        Column::new("NAME").styled(paint::NAME),
        Column::new("SOURCE"),
        Column::new("WHY").may_fold(),
    ];
    let mut table = Table::new(2, columns);
    let contenders = survey.registry.contenders().iter();
    for contender in contenders.filter(|contender| gives_no_agent(contender)) {
        let (at, why) = first_reason(contender);
        let at = at.map(|at| format!(":{at}")).unwrap_or_default();
        table.row([
            printable(&contender.name).into(),
            format!("{}{at}", request.paths.show_contender(contender)).into(),
            printable(&why).into(),
        ]);
    }
    table
}

fn ignored(request: &Request, survey: &Survey) -> Table {
    let columns = [
        Column::new("SOURCE").may_lose_start(1),
        Column::new("WHY").may_lose_end(2),
    ];
    let show = |other: &Contender| request.paths.show_contender(other);
    let mut table = Table::new(2, columns);
    for contender in survey.registry.passed_over() {
        let why = match contender.verdict {
            Verdict::Ignored(rule) => passed_over(survey, contender, rule, &show),
            Verdict::SameFile { first } => {
                let first = survey.registry.contender(first);
                format!("the same file as {}", request.paths.show_contender(first))
            }
            _ => continue,
        };
        table.row([request.paths.show_contender(contender).into(), why.into()]);
    }
    table
}

/// What adds to an agent of another file, and what it gives.
fn merged(request: &Request, survey: &Survey) -> Table {
    let columns = [
        Column::new("NAME").styled(paint::NAME),
        Column::new("SOURCE").may_lose_start(1),
        Column::new("WHAT").may_fold(),
    ];
    let mut table = Table::new(2, columns);
    for contender in survey.registry.contenders() {
        if let Verdict::Merged { into } = contender.verdict {
            table.row([
                printable(&contender.name).into(),
                request.paths.show_contender(contender).into(),
                words::gives(&survey.registry, into, contender).into(),
            ]);
        }
    }
    if verdict::merges(survey) {
        for lost in lost_builtins(survey) {
            let what = "gives what no file sets".into();
            table.row([lost.name.into(), lost.source.into(), what]);
        }
    }
    table
}

fn all_unsearched(request: &Request, surveys: &[Survey]) -> Vec<Elsewhere> {
    let surveys: Vec<&Survey> = surveys.iter().collect();
    unsearched(request, &surveys, None)
}

/// The files of the project that nobody searches, by folder, and what they look like.
fn not_searched(request: &Request, surveys: &[Survey]) -> Table {
    let columns = [
        Column::new("FOLDER").may_lose_start(1),
        Column::new("FILES"),
        Column::new("LOOK LIKE AGENTS").may_fold(),
    ];
    let mut table = Table::new(2, columns);
    let mut unseen = all_unsearched(request, surveys).into_iter();
    let mut elsewhere = unseen.next().unwrap_or_default();
    for other in unseen {
        // What another harness searches is seen after all; what it looks like one of them tells.
        let others: HashMap<&Path, &ElsewhereFile> = other
            .files
            .iter()
            .map(|file| (file.path.as_path(), file))
            .collect();
        elsewhere.files.retain_mut(|file| {
            let same = others.get(file.path.as_path());
            if let Some(same) = same {
                file.looks_like = file.looks_like.take().or_else(|| same.looks_like.clone());
            }
            same.is_some()
        });
    }
    let folder = |file: &ElsewhereFile| file.path.parent().map(Path::to_owned);
    for files in elsewhere
        .files
        .chunk_by(|one, other| folder(one) == folder(other))
    {
        let names = files.iter().filter_map(|file| file.looks_like.as_deref());
        let names: Vec<String> = names.map(printable).collect();
        let folder = files.first().and_then(folder).unwrap_or_default();
        table.row([
            request.paths.show(&folder).into(),
            files.len().to_string().into(),
            names.join(", ").into(),
        ]);
    }
    if elsewhere.cut {
        table.row(["… (cut: too many files)".into(), "".into(), "".into()]);
    }
    table
}

/// Files that more than one harness reads, with what each makes of it.
fn shared(request: &Request, surveys: &[Survey]) -> Table {
    let columns = [
        Column::new("SOURCE").may_lose_start(1),
        Column::new("HARNESS"),
        Column::new("MAKES OF IT").may_fold(),
    ];
    let mut table = Table::new(2, columns);
    for file in shared_files(surveys) {
        for (index, (survey, contender)) in file.readers.iter().enumerate() {
            let source = match index {
                0 => request.paths.show_contender(contender),
                _ => String::new(),
            };
            let fate = verdict::code(contender.verdict).replace('-', " ");
            let fate = match contender.is_loaded() {
                true => format!("{fate}: {}", printable(&contender.name)),
                false => fate,
            };
            table.row([
                source.into(),
                survey.reading.dialect.title.into(),
                fate.into(),
            ]);
        }
    }
    table
}

/// Counts by what became of everything, and says what to ask next.
fn summarise(request: &Request, survey: &Survey, all: bool, talk: &mut Page) {
    let [active, mut shadowed, rejected, ignored, mut merged] = survey.registry.counts();
    let builtins = lost_builtins(survey).len();
    match verdict::merges(survey) {
        true => merged += builtins,
        false => shadowed += builtins,
    }
    // Of each name that is left open one counts, nobody knows which.
    let open = survey.registry.undefined();
    let (names, files) = open.fold((0, 0), |(names, files), (_, of_name)| {
        (names + 1, files + of_name.len())
    });
    let mut counts = format!("{} active, ", active - files);
    if names > 0 {
        counts.push_str(&format!("{names} left open, "));
    }
    counts.push_str(&format!(
        "{shadowed} shadowed, {rejected} rejected, {ignored} ignored"
    ));
    if merged > 0 {
        counts.push_str(&format!(", {merged} merged into others"));
    }
    let hidden = shadowed + rejected + ignored > 0 && !all;
    let more = if hidden { " (--all shows them)" } else { "" };
    talk.line(painted(paint::QUIET, format!("{counts}{more}")));
    if let Some(aborted) = &survey.aborted {
        let name = printable(&aborted.name);
        let warning = painted(paint::BAD, format!("registration ends at `{name}`"));
        talk.line(format!("{warning}: agentry explain {name}"));
    }
    let degraded = survey
        .registry
        .active()
        .filter(|(_, contender)| contender.fate == Fate::Degraded);
    let degraded: Vec<String> = degraded.map(|(name, _)| printable(name)).collect();
    if !degraded.is_empty() {
        let warning = match degraded.len() {
            1 => "1 agent is not what its author wrote".to_owned(),
            count => format!("{count} agents are not what their authors wrote"),
        };
        let warning = painted(paint::WARN, warning);
        let hint = format!("{warning} (agentry explain NAME): {}", degraded.join(", "));
        talk.prose(&hint, request.width());
    }
    if rejected > 0 {
        let mut names: Vec<String> = Vec::new();
        let mut has_nameless = false;
        for contender in survey.registry.contenders() {
            let name = printable(&contender.name);
            if !gives_no_agent(contender) {
                continue;
            }
            has_nameless |= name.is_empty();
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        let verb = if rejected == 1 { "gives" } else { "give" };
        let warning = format!("{} {verb} no agent", words::count(rejected, "file"));
        let warning = painted(paint::WARN, warning);
        let hint = match names.is_empty() {
            true => format!("{warning} (--all shows them)"),
            false => {
                let others = match has_nameless {
                    true => ", and others (--all shows them)",
                    false => "",
                };
                let names = names.join(", ");
                format!("{warning} (agentry explain NAME): {names}{others}")
            }
        };
        talk.prose(&hint, request.width());
    }
}
