//! `agentry explain`: the whole story of a name. An argument that is the path of a file is explained
//! as that file.

use agent_discovery::{PlaceState, Searched};
use agent_registry::{Contender, Explanation, Verdict};
use agent_schema::{Diagnostic, Fate, Level, Severity, rules};

use crate::answer::{Answer, Finish};
use crate::commands::{explain_file, explain_skill};
use crate::failure::Failure;
use crate::finding::Finding;
use crate::json::{Explained, Story};
use crate::options::Explain;
use crate::request::Request;
use crate::story::{
    Around, EffectiveField, Given, Near, OtherProfile, effective_fields, is_switched_off,
    name_position, near_misses, other_profiles, reason,
};
use crate::survey::Survey;
use crate::text::paint::{self, painted};
use crate::text::printable::printable;
use crate::text::table::{Cell, Column, Table};
use crate::text::wrap::wrap;
use crate::text::{Page, report, words};
use crate::verdict;

/// The most places that are all shown.
const MOST_PLACES: usize = 12;

/// The least width of prose beside the name of a profile.
const LEAST_PROSE: usize = 30;

pub(crate) fn run(request: &Request, options: &Explain) -> Result<Answer, Failure> {
    if let Some(name) = &options.skill {
        return explain_skill::explain(request, name);
    }
    let name = options.name.as_deref().unwrap_or_default();
    let surveys = Survey::all(request)?;
    if let Some(file) = explain_file::as_file(request, &surveys, name) {
        return explain_file::explain(request, surveys, name, &file);
    }
    let around = Around::new(request, &surveys, name);
    let stories = surveys.iter().enumerate();
    let stories: Vec<Told<'_>> = stories
        .map(|(number, survey)| Told::new(request, &surveys, number, survey, name, &around))
        .collect();
    let answers = |told: &Told<'_>| {
        let is_known = told.story.winner.is_some() || told.is_open() || told.is_brought();
        is_known && told.survey.stopped.is_none()
    };
    let finish = Finish::of(stories.iter().any(answers));
    if request.wants_json() {
        let dialects = stories.iter().map(Story::new);
        let answer = Explained {
            asked: name,
            dialects: dialects.collect(),
        };
        return Answer::json(answer, finish);
    }
    let mut page = Page::default();
    let (known, unknown): (Vec<_>, Vec<_>) = stories.iter().partition(|told| told.has_story());
    let told = if known.is_empty() { &unknown } else { &known };
    for told in told {
        page.gap();
        tell(request, told, &mut page);
    }
    if !known.is_empty() && !unknown.is_empty() {
        let titles = unknown.iter().map(|told| told.survey.reading.dialect.title);
        let titles: Vec<&str> = titles.collect();
        page.gap();
        page.prose(
            &format!("Nothing of this name for {}.", titles.join(", ")),
            request.width(),
        );
    }
    Ok(Answer::text(page.into_text(), finish))
}

/// The story of a name in one dialect, with what stands around it.
pub(crate) struct Told<'a> {
    pub(crate) survey: &'a Survey,
    pub(crate) story: Explanation<'a>,
    pub(crate) near: Vec<Near<'a>>,
    /// The fields of the winner.
    pub(crate) fields: Vec<EffectiveField<'a>>,
    /// What other profiles make of the name, where it says anything.
    pub(crate) others: Vec<OtherProfile>,
}

impl<'a> Told<'a> {
    fn new(
        request: &Request,
        surveys: &'a [Survey],
        number: usize,
        survey: &'a Survey,
        name: &str,
        around: &'a Around,
    ) -> Self {
        let story = survey.registry.explain(name);
        let fields = story
            .winner
            .map(|winner| effective_fields(&survey.registry, winner));
        // A name that nothing of the dialect has need not be looked for in its other profiles.
        let others = match story.contenders.is_empty() && !story.has_passed_over() {
            true => Vec::new(),
            false => other_profiles(request, survey, &story),
        };
        Told {
            near: near_misses(request, surveys, number, &story, around),
            survey,
            story,
            fields: fields.unwrap_or_default(),
            others,
        }
    }

    /// Returns whether the harness takes one of several files and leaves open which.
    fn is_open(&self) -> bool {
        let mut contenders = self.story.contenders.iter();
        contenders.any(|it| matches!(it.verdict, Verdict::Undefined { .. }))
    }

    /// Returns whether the name is that of an agent which the harness brings itself, and which
    /// nothing here takes the place of or switches off.
    pub(crate) fn is_brought(&self) -> bool {
        let name = self.story.name();
        let mut builtins = self.survey.reading.profile.rules.agents.builtins.iter();
        let gives_nothing = |contender: &&Contender| {
            matches!(contender.verdict, Verdict::Rejected | Verdict::HeldBack)
        };
        let any_case = self.survey.reading.profile.rules.lookup.any_case;
        let is_name = |builtin: &str| match any_case {
            true => builtin.to_lowercase() == name.to_lowercase(),
            false => builtin == name,
        };
        builtins.any(|builtin| is_name(builtin.name))
            && self.story.contenders.iter().all(gives_nothing)
            && !self.story.has_passed_over()
    }

    /// Returns whether there is more to tell than that nothing has the name.
    fn has_story(&self) -> bool {
        let elsewhere = |near: &Near<'_>| near.kind == "other-dialect";
        self.survey.stopped.is_some()
            || self.is_brought()
            || !self.story.contenders.is_empty()
            || !self.near.iter().all(elsewhere)
    }
}

fn tell(request: &Request, told: &Told<'_>, page: &mut Page) {
    let Told { survey, story, .. } = told;
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
    if let Some(name) = story.also_called {
        page.line(words::also_called(&story.asked, name));
    }
    match story.winner {
        Some(winner) => {
            let headline = words::headline(title, winner);
            let place = painted(paint::GOOD, show(request, survey, winner));
            page.prose(&format!("{headline}: {place}"), width);
        }
        None if told.is_open() => {
            let name = painted(paint::NAME, format!("`{}`", printable(&story.asked)));
            let mut contenders = story.contenders.iter();
            let headline = match contenders.any(|it| is_switched_off(survey, it)) {
                true => format!("{title} leaves open whether {name} is an agent"),
                false => format!("{title} has an agent {name}, and leaves open which file it is"),
            };
            page.prose(&headline, width);
        }
        None if told.is_brought() => {
            let name = painted(paint::NAME, format!("`{}`", printable(&story.asked)));
            let headline = format!(
                "{name} is an agent that {title} brings itself; its definition is not read here"
            );
            page.prose(&headline, width);
        }
        None => page.line(words::nobody(title, story.name())),
    }
    if let Some(consequence) = consequence(told) {
        page.prose(&consequence, width);
    }
    if let Some(winner) = story.winner {
        if let Some(loss) = loss_in_words(title, winner) {
            page.prose(&painted(paint::BAD, loss).to_string(), width);
        }
        if let Some(sentence) = builtins_first(survey, story) {
            page.prose(&format!("{}.", capitalised(sentence)), width);
        }
        if has_faults(winner) {
            page.prose(
                "It is not without faults; `agentry check` shows them.",
                width,
            );
        }
    }
    if !story.contenders.is_empty() {
        page.section("Wanted the name, in this order:");
        page.block(&contenders(request, survey, story).render(Some(width)));
    }
    if !told.near.is_empty() {
        page.section("Comes close:");
        for near in &told.near {
            page.indented_prose(2, &near.words, width);
        }
    }
    if !told.fields.is_empty() {
        page.section("What counts, and where it is written:");
        fields(request, &told.fields, page);
    }
    versions(request, survey, &told.others, page);
    for finding in causes(survey, story) {
        page.gap();
        page.block(&report::render(&finding, &request.paths, width));
    }
    page.section("Searched, in order:");
    places(request, story.places, page);
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
            Verdict::Active | Verdict::Undefined { .. }
                if contender.fate > Fate::Loaded || is_taken_for_another(contender) =>
            {
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

/// Returns whether somebody who asks for it may get another agent.
fn is_taken_for_another(contender: &Contender) -> bool {
    let mut findings = contender.diagnostics.iter();
    findings.any(|finding| finding.rule == &rules::NAMES_DIFFER_IN_CASE)
}

/// Returns whether a finding tells of something that is lost although the file loads.
fn takes_away(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Warning && diagnostic.rule != &rules::SHADOWED_NAME
}

/// What the verdicts mean taken together, in a sentence.
fn consequence(told: &Told<'_>) -> Option<String> {
    let story = &told.story;
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
        let unseen = story.contenders.is_empty() && told.near.is_empty() && !told.is_brought();
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
        None if told.is_brought() => format!(
            "{} {fails}, so the name stays with the agent of {}.",
            capitalised(&whose(first)),
            told.survey.reading.dialect.title
        ),
        None if story.contenders.len() == 1 => format!("There is a file for it, but it {fails}."),
        None if first.verdict == Verdict::Refused => {
            "The file that wins gives no agent, and those that lost to it stay out.".to_owned()
        }
        None => "There are files for it, but none gives an agent.".to_owned(),
    };
    Some(sentence)
}

/// Tells where an agent that the harness brings itself would have kept its name.
fn builtins_first(survey: &Survey, story: &Explanation<'_>) -> Option<&'static str> {
    let is_lost = |contender: &&Contender| {
        let is_builtin = contender.source.level == Level::Builtin;
        is_builtin && matches!(contender.verdict, Verdict::Shadowed { .. })
    };
    let sentence = survey.reading.profile.rules.lookup.builtins_first?;
    story.contenders.iter().any(is_lost).then_some(sentence)
}

/// Returns whether something is wrong with the winner. How much it is, only `check` knows, which also
/// makes the agent.
fn has_faults(winner: &Contender) -> bool {
    let mut faults = winner.diagnostics.iter();
    faults.any(|diagnostic| diagnostic.severity > Severity::Info)
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

/// The places that were searched. Of many those that are not there are only counted.
pub(super) fn places(request: &Request, places: &[Searched], page: &mut Page) {
    let columns = [
        Column::new("").styled(paint::QUIET),
        Column::new("").may_lose_start(2),
        Column::new(""),
        Column::new("").styled(paint::QUIET),
    ];
    let mut table = Table::new(2, columns);
    let searched = places
        .iter()
        .filter(|place| place.state != PlaceState::SwitchedOff);
    let is_missing = |place: &Searched| place.state == PlaceState::Missing;
    let too_many = searched.clone().count() > MOST_PLACES;
    let mut missing = 0;
    for (index, place) in searched.enumerate() {
        if too_many && is_missing(place) {
            missing += 1;
            continue;
        }
        table.row([
            format!("{}.", index + 1).into(),
            request.paths.show(&place.path).into(),
            place.level.as_str().into(),
            words::place(&place.state).into(),
        ]);
    }
    page.block(&table.render(request.table_width()));
    let off = places
        .iter()
        .filter(|place| place.state == PlaceState::SwitchedOff)
        .count();
    let counted = [(missing, "not there"), (off, "not in use")];
    for (count, how) in counted.into_iter().filter(|(count, _)| *count > 0) {
        let line = format!("  and {} {how}", words::count(count, "place"));
        page.line(painted(paint::QUIET, line));
    }
}

/// What became of each contender, and why.
fn contenders(request: &Request, survey: &Survey, story: &Explanation<'_>) -> Table {
    let columns = [Column::new(""), Column::new(""), Column::new("").may_fold()];
    let mut table = Table::new(2, columns);
    for contender in &story.contenders {
        table.row(verdict_row(
            request,
            survey,
            contender,
            story.contenders.len(),
        ));
    }
    table
}

/// The verdict on a contender, its place, and why; of so many that want the name.
pub(super) fn verdict_row(
    request: &Request,
    survey: &Survey,
    contender: &Contender,
    wanted_by: usize,
) -> [Cell; 3] {
    let style = match contender.verdict {
        Verdict::Active | Verdict::Merged { .. } => paint::GOOD,
        Verdict::Shadowed { .. } | Verdict::Undefined { .. } | Verdict::SameFile { .. } => {
            paint::WARN
        }
        _ => paint::BAD,
    };
    let place = |other: &Contender| show(request, survey, other);
    let (at, why) = reason(survey, contender, wanted_by, &place);
    let at = at.map(|at| format!(", at {at}")).unwrap_or_default();
    let level = contender.source.level;
    [
        Cell::styled(verdict::code(contender.verdict).replace('-', " "), style),
        format!("{} ({level})", place(contender)).into(),
        format!("{}{at}", printable(&why)).into(),
    ]
}

/// Shows where a contender comes from, with the place of its name.
pub(super) fn show(request: &Request, survey: &Survey, contender: &Contender) -> String {
    let at = name_position(&survey.registry, contender);
    let at = at.map(|at| format!(":{at}")).unwrap_or_default();
    format!("{}{at}", request.paths.show_contender(contender))
}

/// The fields of an agent with what gave them; what is left as it is without being written is
/// told in a line of its own.
pub(super) fn fields(request: &Request, fields: &[EffectiveField<'_>], page: &mut Page) {
    let columns = [
        Column::new("").styled(paint::NAME),
        Column::new("").may_lose_end(2),
        Column::new("").styled(paint::QUIET).may_lose_start(1),
    ];
    let mut table = Table::new(2, columns);
    let (telling, others): (Vec<_>, Vec<_>) = fields.iter().partition(|field| field.is_telling());
    for field in telling {
        let style = match field.given {
            Given::Lost { .. } => paint::BAD,
            _ => paint::PLAIN,
        };
        table.row([
            field.field.as_str().into(),
            Cell::styled(field.shown(), style),
            given_in_words(request, &field.given).into(),
        ]);
    }
    page.block(&table.render(request.table_width()));
    let names: Vec<&str> = others.iter().map(|field| field.field.as_str()).collect();
    if !names.is_empty() {
        let text = format!("not written: {}", names.join(", "));
        page.indented_prose(2, &painted(paint::QUIET, text).to_string(), request.width());
    }
}

fn given_in_words(request: &Request, given: &Given<'_>) -> String {
    match given {
        Given::Written { by, at } => {
            let at = at.map(|at| format!(":{at}")).unwrap_or_default();
            format!("{}{at}", request.paths.show_contender(by))
        }
        Given::FileName => "the name of the file".to_owned(),
        Given::Harness => "the harness itself".to_owned(),
        Given::Default => "default".to_owned(),
        Given::PromptFile(path) => request.paths.show(path),
        Given::Nobody => String::new(),
        Given::Lost { at, .. } => at.map(|at| format!("at {at}")).unwrap_or_default(),
    }
}

/// What changes under the other profiles of the dialect.
pub(super) fn versions(
    request: &Request,
    survey: &Survey,
    others: &[OtherProfile],
    page: &mut Page,
) {
    if others.is_empty() {
        return;
    }
    let all_same = others.iter().all(|other| other.same);
    let title = match words::settled(survey.reading.dialect, others.len(), all_same) {
        Ok(sentence) => {
            page.gap();
            return page.prose(&sentence, request.width());
        }
        Err(title) => title,
    };
    page.section(title);
    let rows = others.iter().map(|other| match other.same {
        true => (other.profile, "the same".to_owned()),
        false => (other.profile, other.words.clone()),
    });
    hanging(request, &rows.collect::<Vec<_>>(), page);
}

/// Prose beside short titles.
pub(super) fn hanging(request: &Request, rows: &[(&str, String)], page: &mut Page) {
    let widest = rows.iter().map(|(title, _)| title.len()).max();
    let beside = widest.unwrap_or_default() + 2;
    let room = request.width().saturating_sub(2 + beside);
    for (title, words) in rows {
        for (index, line) in wrap(words, room.max(LEAST_PROSE)).iter().enumerate() {
            let title = if index == 0 { *title } else { "" };
            page.line(format!("  {title:beside$}{line}"));
        }
    }
}
