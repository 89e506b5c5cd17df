//! Where the name of a contender stands, and why its verdict is as it is.

use agent_registry::{Contender, Registry, Verdict};
use agent_schema::dialect::SkipRule;
use agent_schema::parse::written_name;
use agent_schema::text::MappedText;
use agent_schema::{FieldName, LineColumn, Span, json};

use crate::finding::FileView;
use crate::survey::Survey;
use crate::text::printable::printable;
use crate::text::words;
use crate::verdict::first_reason;

/// Returns where the name of a contender stands in its file; nothing if its file does not write
/// it there.
pub(crate) fn name_position(registry: &Registry, contender: &Contender) -> Option<LineColumn> {
    let file = FileView::of(contender);
    if let Some(inside) = &contender.source.inside
        && let Some(key) = key_inside(file.bytes?, inside, registry)
    {
        return file.position(key);
    }
    let Some(definition) = contender.definition.as_deref() else {
        let rules = &registry.profile().rules.reading;
        return file.position(written_name(contender.bytes.as_deref()?, rules)?.span?);
    };
    let names = [FieldName::KEY, FieldName::NAME];
    let mut places = names.into_iter().filter_map(|field| {
        let place = definition.place(field)?;
        let giver = registry.giver(contender, field);
        std::ptr::eq(giver, contender).then_some(place.value)
    });
    file.position(places.next()?)
}

/// Returns the last of the keys that lead to an agent inside a file of settings; nothing for a
/// file in another language, whose definitions know the places of their names.
fn key_inside(bytes: &[u8], inside: &str, registry: &Registry) -> Option<Span> {
    let reading = &registry.profile().rules.reading;
    let text = MappedText::decode(bytes, reading.encoding).ok()?;
    let root = json::read(&text, json::WITH_COMMENTS).ok()?;
    let (outer, name) = inside.split_once('.')?;
    let agents = &root.as_map()?.get(outer)?.value;
    Some(agents.as_map()?.get(name)?.key.span)
}

/// Tells why a contender is passed over, naming what another file says about it.
pub(crate) fn passed_over(
    survey: &Survey,
    contender: &Contender,
    rule: SkipRule,
    show: &dyn Fn(&Contender) -> String,
) -> String {
    let name = printable(&contender.name);
    let others = || {
        let all = survey.registry.contenders().iter();
        all.filter(|other| !std::ptr::eq(*other, contender))
    };
    match rule {
        SkipRule::Removed if contender.definition.is_none() => {
            format!("it takes `{name}` off the roster")
        }
        SkipRule::Removed => {
            let is_remover = |other: &&Contender| {
                let removes = other.verdict == contender.verdict && other.definition.is_none();
                removes && other.name == contender.name
            };
            match others().find(is_remover) {
                Some(remover) => format!("{} takes `{name}` off the roster", show(remover)),
                None => words::skip(rule, &survey.reading.profile.rules.agents.files),
            }
        }
        SkipRule::Disabled => match switch_giver(survey, contender) {
            Some(giver) => format!("{} switches `{name}` off", show(giver)),
            None if is_builtin(survey, contender) => {
                let title = survey.reading.dialect.title;
                format!("it switches `{name}` off, an agent that {title} brings itself")
            }
            None if contender.source.inside.is_some() => format!("it switches `{name}` off"),
            None => words::skip(rule, &survey.reading.profile.rules.agents.files),
        },
        SkipRule::Settings if contender.source.inside.is_some() => {
            format!("what it says about `{name}` counts for nothing")
        }
        SkipRule::Settings if others().any(|other| other.source.path == contender.source.path) => {
            "it holds settings beside its agents".to_owned()
        }
        SkipRule::Suffix => another_suffix(survey, contender),
        rule => words::skip(rule, &survey.reading.profile.rules.agents.files),
    }
}

/// Tells which suffix a file has that ends like an agent and is none.
fn another_suffix(survey: &Survey, contender: &Contender) -> String {
    let files = &survey.reading.profile.rules.agents.files;
    let name = contender.file_name.as_deref().unwrap_or_default();
    match (files.split)(name) {
        (_, suffix) if suffix != files.suffix && name.ends_with(files.suffix) => {
            format!("its suffix is `{suffix}`, not `{}`", files.suffix)
        }
        _ => words::skip(SkipRule::Suffix, files),
    }
}

/// Returns whether the harness brings an agent of the name itself.
fn is_builtin(survey: &Survey, contender: &Contender) -> bool {
    let mut builtins = survey.reading.profile.rules.agents.builtins.iter();
    builtins.any(|builtin| builtin.name == contender.name)
}

/// Returns whether a merged agent says of itself that it is none.
pub(crate) fn is_switched_off(survey: &Survey, contender: &Contender) -> bool {
    let switch = survey.reading.profile.rules.merging.switch;
    let definition = contender.definition.as_deref();
    switch
        .zip(definition)
        .is_some_and(|(switch, it)| it.flag(switch) == Some(true))
}

/// Returns the other source that switches a merged agent off.
fn switch_giver<'a>(survey: &'a Survey, contender: &'a Contender) -> Option<&'a Contender> {
    let switch = survey.reading.profile.rules.merging.switch?;
    let giver = survey.registry.giver(contender, switch);
    (is_switched_off(survey, contender) && !std::ptr::eq(giver, contender)).then_some(giver)
}

/// Tells in plain words why the verdict on a contender is as it is, with the place in its file
/// that is at fault, if there is one. `show` shows another contender and the place of its name.
pub(crate) fn reason(
    survey: &Survey,
    contender: &Contender,
    wanted_by: usize,
    show: &dyn Fn(&Contender) -> String,
) -> (Option<LineColumn>, String) {
    let registry = &survey.registry;
    let agents = &survey.reading.profile.rules.agents;
    let why = match contender.verdict {
        Verdict::Active if wanted_by <= 1 => match is_builtin(survey, contender) {
            true => format!(
                "it takes the place of the agent that {} brings itself",
                survey.reading.dialect.title
            ),
            false => "nobody else wants the name".to_owned(),
        },
        Verdict::Active if contender.merged.is_some() => "the others are merged into it".to_owned(),
        Verdict::Active => words::wins(agents.precedence).to_owned(),
        Verdict::Merged { into } => words::gives(registry, into, contender),
        Verdict::Shadowed { by, rule } => {
            let winner = registry.contender(by);
            let why = words::decision(rule, winner, contender);
            let winners = words::one_of(registry.standing_with(by).map(show));
            format!("lost to {winners}: {why}")
        }
        Verdict::Undefined { .. } if is_switched_off(survey, contender) => {
            "it or another of these; the harness leaves it open. It would switch the agent off"
                .to_owned()
        }
        Verdict::Undefined { .. } => {
            "it or another of these; the harness leaves it open".to_owned()
        }
        Verdict::SameFile { first } => {
            format!("the same file as {}", show(registry.contender(first)))
        }
        Verdict::NotReached { because_of } => {
            let ended_by = show(registry.contender(because_of));
            format!("registration ended before it, at {ended_by}")
        }
        Verdict::SwitchedOff => {
            let (at, why) = first_reason(contender);
            let off = "a setting switches it off".to_owned();
            return (at, if why.is_empty() { off } else { why });
        }
        Verdict::Ignored(rule) => {
            let (at, found) = first_reason(contender);
            let why = passed_over(survey, contender, rule, show);
            return match found.is_empty() {
                true => (None, why),
                false => (at, found),
            };
        }
        _ => return first_reason(contender),
    };
    (None, why)
}
