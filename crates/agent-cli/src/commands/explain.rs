//! `agentry explain`: the whole story of a name.

use agent_discovery::{PlaceState, Searched};
use agent_registry::{Contender, Explanation, NearMiss, Verdict};
use agent_schema::{Diagnostic, Fate, Level, Severity, rules};

use crate::answer::{Answer, Finish};
use crate::commands::skills;
use crate::failure::Failure;
use crate::finding::Finding;
use crate::json::{Explained, Story};
use crate::options::Explain;
use crate::request::Request;
use crate::survey::Survey;
use crate::text::paint::{self, painted};
use crate::text::printable::printable;
use crate::text::table::{Cell, Column, Table};
use crate::text::{Page, report, words};
use crate::verdict::{self, first_reason};

pub(crate) fn run(request: &Request, options: &Explain) -> Result<Answer, Failure> {
    if let Some(name) = &options.skill {
        return skills::explain(request, name);
    }
    let name = options.name.as_deref().unwrap_or_default();
    let surveys = Survey::all(request)?;
    let stories: Vec<(&Survey, Explanation<'_>)> = surveys
        .iter()
        .map(|survey| (survey, survey.registry.explain(name)))
        .collect();
    let answers = |(survey, story): &(&Survey, Explanation<'_>)| {
        story.winner.is_some() && survey.stopped.is_none()
    };
    let finish = Finish::of(stories.iter().any(answers));
    if request.wants_json() {
        let dialects = stories
            .iter()
            .map(|(survey, story)| Story::new(survey, story));
        let answer = Explained {
            asked: name,
            dialects: dialects.collect(),
        };
        return Answer::json(answer, finish);
    }
    let mut page = Page::default();
    let (known, unknown): (Vec<_>, Vec<_>) = stories
        .iter()
        .partition(|(survey, story)| has_story(request, survey, story));
    let told = if known.is_empty() { &unknown } else { &known };
    for (survey, story) in told {
        page.gap();
        tell(request, survey, story, &mut page);
    }
    if !known.is_empty() && !unknown.is_empty() {
        let titles = unknown
            .iter()
            .map(|(survey, _)| survey.reading.dialect.title);
        let titles: Vec<&str> = titles.collect();
        page.gap();
        page.prose(
            &format!("Nothing of this name for {}.", titles.join(", ")),
            request.width(),
        );
    }
    Ok(Answer::text(page.into_text(), finish))
}

/// Returns whether there is more to tell than that nothing has the name.
fn has_story(request: &Request, survey: &Survey, story: &Explanation<'_>) -> bool {
    survey.stopped.is_some()
        || !story.contenders.is_empty()
        || !story.near_misses.is_empty()
        || !unsearched(request, survey, story).is_empty()
}

fn tell(request: &Request, survey: &Survey, story: &Explanation<'_>, page: &mut Page) {
    let width = request.width();
    let title = survey.reading.dialect.title;
    if let Some(stopped) = &survey.stopped {
        page.block(&report::render(&stopped.finding(), &request.paths, width));
        page.gap();
        page.prose(
            &format!("{title} itself has no agent at all here. What follows leaves that aside."),
            width,
        );
        page.gap();
    }
    if let Some(new) = story.stands_for {
        let old = printable(&story.asked);
        page.line(format!(
            "`{old}` is an old name of {title}; it stands for `{new}`"
        ));
    }
    match story.winner {
        Some(winner) => {
            let headline = words::headline(title, winner);
            let place = painted(paint::GOOD, request.paths.show_contender(winner));
            page.prose(&format!("{headline}: {place}"), width);
        }
        None => page.line(words::nobody(
            title,
            story.stands_for.unwrap_or(&story.asked),
        )),
    }
    if let Some(consequence) = consequence(story) {
        page.prose(&consequence, width);
    }
    if let Some(winner) = story.winner {
        if let Some(loss) = loss_in_words(title, winner) {
            page.prose(&painted(paint::BAD, loss).to_string(), width);
        }
        if let Some(warnings) = warnings(winner) {
            page.prose(&warnings, width);
        }
    }
    if !story.contenders.is_empty() {
        page.section("Wanted the name, in this order:");
        page.block(&contenders(request, survey, story).render(Some(width)));
    }
    let near_misses = story
        .near_misses
        .iter()
        .map(|near_miss| near_miss_in_words(request, survey, story, near_miss))
        .chain(unsearched(request, survey, story));
    let near_misses: Vec<String> = near_misses.collect();
    if !near_misses.is_empty() {
        page.section("Comes close:");
        for near_miss in &near_misses {
            page.indented_prose(2, near_miss, width);
        }
    }
    for finding in causes(survey, story) {
        page.gap();
        page.block(&report::render(&finding, &request.paths, width));
    }
    page.section("Searched, in order:");
    page.block(&places(request, story).render(request.table_width()));
    let off = |place: &&Searched| place.state == PlaceState::SwitchedOff;
    let off = story.places.iter().filter(off).count();
    if off > 0 {
        let off = format!("  and {} not in use", words::count(off, "place"));
        page.line(painted(paint::QUIET, off));
    }
    let mut contenders = survey.registry.contenders().iter();
    if contenders.any(|contender| contender.source.level == Level::Builtin) {
        page.line(painted(
            paint::QUIET,
            "  then built-in agents, for names that are still free",
        ));
    }
}

/// Tells that an agent is not what its author wrote, though it loads.
fn loss_in_words(title: &str, winner: &Contender) -> Option<String> {
    let lost: Vec<String> = winner
        .lost
        .iter()
        .map(|field| format!("`{field}`"))
        .collect();
    match winner.fate {
        Fate::Repaired => Some(format!(
            "It loads only because {title} repairs its header; other harnesses lose it."
        )),
        Fate::Degraded if winner.rights_widened => Some(format!(
            "It is not what its author wrote: {} lost, so it may do more than it was meant to.",
            are(&lost)
        )),
        Fate::Degraded if !lost.is_empty() => Some(format!(
            "It is not what its author wrote: {} lost.",
            are(&lost)
        )),
        Fate::Degraded => {
            Some("It is not what its author wrote: its settings are lost.".to_owned())
        }
        _ => None,
    }
}

fn are(names: &[String]) -> String {
    match names {
        [name] => format!("{name} is"),
        [first, .., last] if names.len() > 6 => {
            format!(
                "{first} and {} more fields, to {last}, are",
                names.len() - 2
            )
        }
        names => format!("{} are", names.join(", ")),
    }
}

/// What kept contenders from the name, or took from the winner what its author wrote.
fn causes<'a>(survey: &'a Survey, story: &Explanation<'a>) -> Vec<Finding<'a>> {
    let mut broken: Vec<&Contender> = Vec::new();
    for contender in &story.contenders {
        let cause = match contender.verdict {
            Verdict::Rejected | Verdict::Refused => contender,
            Verdict::Active | Verdict::Undefined { .. } if contender.fate > Fate::Loaded => {
                contender
            }
            Verdict::NotReached { because_of } => survey.registry.contender(because_of),
            _ => continue,
        };
        if !broken.iter().any(|known| std::ptr::eq(*known, cause)) {
            broken.push(cause);
        }
    }
    let findings = broken.into_iter();
    findings
        .flat_map(|contender| Finding::of(contender, &survey.registry))
        .filter(|finding| {
            let diagnostic = finding.diagnostic;
            diagnostic.severity == Severity::Error || takes_away(diagnostic)
        })
        .collect()
}

/// Returns whether a finding tells of something that is lost although the file loads.
fn takes_away(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Warning && diagnostic.rule != &rules::SHADOWED_NAME
}

/// What the verdicts mean taken together, in a sentence.
fn consequence(story: &Explanation<'_>) -> Option<String> {
    let whose = |contender: &Contender| match contender.source.level {
        Level::Builtin => "the built-in agent".to_owned(),
        level => format!("the file of level {level}"),
    };
    let fails = |contender: &Contender| match contender.verdict {
        Verdict::Rejected => Some("does not load"),
        Verdict::Refused => Some("gives no agent"),
        _ => None,
    };
    let mut contenders = story.contenders.iter().enumerate();
    let broken = contenders.find_map(|(index, it)| Some((index, *it, fails(it)?)));
    let Some((index, first, fails)) = broken else {
        let unseen = story.contenders.is_empty() && story.near_misses.is_empty();
        return unseen
            .then(|| "No file of this name was seen, whether it loads or not.".to_owned());
    };
    let came_first = story.contenders[..index]
        .iter()
        .all(|contender| contender.verdict != Verdict::Active);
    let sentence = match story.winner {
        Some(winner) if came_first => format!(
            "{} {fails}, so the name goes to {}.",
            capitalised(&whose(first)),
            whose(winner)
        ),
        Some(_) => return None,
        None if story.contenders.len() == 1 => format!("There is a file for it, but it {fails}."),
        None if first.verdict == Verdict::Refused => {
            "The file that wins gives no agent, and those that lost to it stay out.".to_owned()
        }
        None => "There are files for it, but none gives an agent.".to_owned(),
    };
    Some(sentence)
}

/// Tells that the winner is not without faults.
fn warnings(winner: &Contender) -> Option<String> {
    let faults = winner.diagnostics.iter();
    let faults = faults.filter(|diagnostic| diagnostic.severity > Severity::Info);
    match faults.count() {
        0 => None,
        count => Some(format!(
            "It is not without faults; `agentry check` shows {}.",
            words::count(count, "warning")
        )),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

fn places(request: &Request, story: &Explanation<'_>) -> Table {
    let columns = [
        Column::new("").styled(paint::QUIET),
        Column::new("").may_lose_start(2),
        Column::new(""),
        Column::new("").styled(paint::QUIET),
    ];
    let mut table = Table::new(2, columns);
    let searched = |place: &&Searched| place.state != PlaceState::SwitchedOff;
    for (index, place) in story.places.iter().filter(searched).enumerate() {
        table.row([
            format!("{}.", index + 1).into(),
            request.paths.show(&place.path).into(),
            place.level.as_str().into(),
            words::place(&place.state).into(),
        ]);
    }
    table
}

/// What became of each contender, and why.
fn contenders(request: &Request, survey: &Survey, story: &Explanation<'_>) -> Table {
    let columns = [Column::new(""), Column::new(""), Column::new("").may_fold()];
    let mut table = Table::new(2, columns);
    for contender in &story.contenders {
        let style = match contender.verdict {
            Verdict::Active | Verdict::Merged { .. } => paint::GOOD,
            Verdict::Shadowed { .. } | Verdict::Undefined { .. } => paint::WARN,
            _ => paint::BAD,
        };
        let (at, why) = match contender.verdict {
            Verdict::Active if contender.merged.is_some() && story.contenders.len() > 1 => {
                (None, "the others are merged into it".to_owned())
            }
            Verdict::Merged { into } => (None, words::gives(&survey.registry, into, contender)),
            Verdict::Active if story.contenders.len() == 1 => {
                (None, "nobody else wants the name".to_owned())
            }
            Verdict::Active => {
                let agents = &survey.reading.profile.rules.agents;
                (None, words::wins(agents.precedence).to_owned())
            }
            Verdict::Shadowed { by, rule } => {
                let winner = survey.registry.contender(by);
                let why = words::decision(rule, winner, contender);
                (
                    None,
                    format!("lost to {}: {why}", request.paths.show_contender(winner)),
                )
            }
            Verdict::Undefined { .. } => (
                None,
                "it or another of these; the harness leaves it open".to_owned(),
            ),
            Verdict::NotReached { because_of } => {
                let ended_by = request
                    .paths
                    .show_contender(survey.registry.contender(because_of));
                (None, format!("registration ended before it, at {ended_by}"))
            }
            _ => first_reason(contender),
        };
        let at = at.map(|at| format!(":{at}")).unwrap_or_default();
        let level = contender.source.level;
        table.row([
            Cell::styled(verdict::code(contender.verdict).replace('-', " "), style),
            format!("{}{at} ({level})", request.paths.show_contender(contender)).into(),
            printable(&why).into(),
        ]);
    }
    table
}

/// Files of the project that would be agents of this name if the harness looked there.
fn unsearched(request: &Request, survey: &Survey, story: &Explanation<'_>) -> Vec<String> {
    let title = survey.reading.dialect.title;
    let files = survey.elsewhere(request).files.into_iter();
    files
        .filter(|file| file.looks_like.as_deref() == Some(&story.asked))
        .map(|file| {
            let path = request.paths.show(&file.path);
            format!("{path} lies in no place that {title} searches")
        })
        .collect()
}

fn near_miss_in_words(
    request: &Request,
    survey: &Survey,
    story: &Explanation<'_>,
    near_miss: &NearMiss<'_>,
) -> String {
    let title = survey.reading.dialect.title;
    match near_miss {
        NearMiss::FileName(contender) => format!(
            "{} is called so, but its `name` is `{}`",
            request.paths.show_contender(contender),
            printable(&contender.name)
        ),
        NearMiss::PassedOver(contender) => {
            let files = &survey.reading.profile.rules.agents.files;
            let why = match contender.verdict {
                Verdict::Ignored(rule) => words::skip(rule, files),
                _ => String::new(),
            };
            format!(
                "{} is passed over: {why}",
                request.paths.show_contender(contender)
            )
        }
        NearMiss::Unreachable(contender) => format!(
            "{} has the name `{}`, but {title} never gets to it: give it another name",
            request.paths.show_contender(contender),
            printable(&story.asked)
        ),
        NearMiss::Similar(name) => format!("there is an agent `{}`", printable(name)),
        _ => String::new(),
    }
}
