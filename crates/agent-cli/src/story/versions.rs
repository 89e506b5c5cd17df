//! What changes under the other profiles of a harness.

use agent_registry::{Change, Contender, Explanation, Verdict, same_place, same_verdict};
use agent_schema::{Fate, FieldName, FieldValue, LineColumn};

use super::near::shown;
use super::verdicts::{name_position, reason};
use crate::request::{Reading, Request};
use crate::survey::Survey;
use crate::text::printable::{beginning, printable};
use crate::text::words;
use crate::verdict;

/// How much of a value is shown.
const MOST_SHOWN: usize = 24;

/// The most fields that are told with their values.
const MOST_FIELDS: usize = 3;

/// What a name or a file gives under another profile.
pub(crate) struct OtherProfile {
    pub(crate) profile: &'static str,
    /// Whether nothing changes.
    pub(crate) same: bool,
    /// What becomes of the name, or of the file.
    pub(crate) verdict: &'static str,
    pub(crate) fate: Option<Fate>,
    /// The name that the agent has there.
    pub(crate) name: Option<String>,
    /// Where the agent comes from, that is active there.
    pub(crate) winner: Option<String>,
    pub(crate) at: Option<LineColumn>,
    pub(crate) fields: Vec<FieldName>,
    /// The change in words, empty if there is none.
    pub(crate) words: String,
}

/// The other profiles of the dialect of a survey, in the order of its table.
fn others(survey: &Survey) -> impl Iterator<Item = Reading> {
    let Reading { dialect, profile } = survey.reading;
    let profiles = dialect.profiles.iter();
    profiles
        .filter(move |other| other.id != profile.id)
        .map(move |profile| Reading { dialect, profile })
}

/// Tells what becomes of a name under the other profiles of a dialect.
pub(crate) fn other_profiles(
    request: &Request,
    survey: &Survey,
    here: &Explanation<'_>,
) -> Vec<OtherProfile> {
    others(survey)
        .map(|reading| {
            let there = Survey::of(request, reading);
            name_there(request, &there, here)
        })
        .collect()
}

fn name_there(request: &Request, survey: &Survey, here: &Explanation<'_>) -> OtherProfile {
    let there = survey.registry.explain(&here.asked);
    let comparison = here.compared_with(&there);
    let place = |contender: &Contender| shown(request, survey, contender);
    let words = match (comparison.change, there.winner) {
        (Change::Winner, Some(winner)) if here.winner.is_some() => {
            format!("{} wins", place(winner))
        }
        (Change::Winner, Some(winner)) => format!("active: {}", place(winner)),
        (Change::Fate, Some(winner)) => {
            let fate = fate_in_words(winner.fate);
            let fields = fields_in_words(here.winner, winner, &comparison.fields);
            [fate.to_owned(), fields]
                .into_iter()
                .filter(|it| !it.is_empty())
                .collect::<Vec<_>>()
                .join(", ")
        }
        (Change::None, Some(winner)) => fields_in_words(here.winner, winner, &comparison.fields),
        (Change::None, None) => String::new(),
        _ => nobody_in_words(request, survey, here, &there),
    };
    let open = there.contenders.iter();
    let open = open.filter(|it| matches!(it.verdict, Verdict::Undefined { .. }));
    let verdict = match (there.winner, there.contenders.first()) {
        (Some(winner), _) => verdict::code(winner.verdict),
        (None, _) if open.clone().next().is_some() => "undefined",
        (None, Some(first)) => verdict::code(first.verdict),
        (None, None) => "unknown",
    };
    let told = there.winner.or(there.contenders.first().copied());
    OtherProfile {
        profile: survey.reading.profile.id,
        same: comparison.is_same(),
        verdict,
        fate: told.map(|it| it.fate),
        name: there.winner.map(|it| it.name.clone()),
        winner: there.winner.map(|it| it.source.reported.clone()),
        at: there
            .winner
            .and_then(|it| name_position(&survey.registry, it)),
        fields: comparison.fields,
        words,
    }
}

/// Tells why nobody has a name: what became of the file that has it here, or else of the first
/// one that wanted it.
fn nobody_in_words(
    request: &Request,
    survey: &Survey,
    here: &Explanation<'_>,
    there: &Explanation<'_>,
) -> String {
    let place = |contender: &Contender| shown(request, survey, contender);
    let open = there.contenders.iter();
    let open = open.filter(|it| matches!(it.verdict, Verdict::Undefined { .. }));
    let open: Vec<String> = open.map(|it| place(it)).collect();
    let mut contenders = there.contenders.iter();
    let winner = here.winner;
    let had_it = contenders.find(|it| winner.is_some_and(|winner| same_place(it, winner)));
    match (open.as_slice(), had_it.or(there.contenders.first())) {
        ([_, ..], _) => format!("left open: {}", open.join(" or ")),
        ([], Some(first)) => {
            let (at, why) = reason(survey, first, there.contenders.len(), &place);
            let at = at.map(|at| format!(", at {at}")).unwrap_or_default();
            let code = verdict::code(first.verdict).replace('-', " ");
            format!(
                "no agent; {} is {code}: {}{at}",
                place(first),
                printable(&why)
            )
        }
        ([], None) => "no agent".to_owned(),
    }
}

/// Tells what becomes of a file under the other profiles of a dialect.
pub(crate) fn file_elsewhere(
    request: &Request,
    survey: &Survey,
    here: &Contender,
) -> Vec<OtherProfile> {
    others(survey)
        .map(|reading| {
            let there = Survey::of(request, reading);
            file_there(request, &there, here)
        })
        .collect()
}

fn file_there(request: &Request, survey: &Survey, here: &Contender) -> OtherProfile {
    let profile = survey.reading.profile.id;
    let mut contenders = survey.registry.contenders().iter();
    let Some(there) = contenders.find(|it| same_place(it, here)) else {
        return OtherProfile {
            profile,
            same: false,
            verdict: "not-searched",
            fate: None,
            name: None,
            winner: None,
            at: None,
            fields: Vec::new(),
            words: "not searched".to_owned(),
        };
    };
    let fields = match (&here.definition, &there.definition) {
        (Some(mine), Some(theirs)) if there.is_loaded() => mine.differing_fields(theirs),
        _ => Vec::new(),
    };
    let same_verdict = same_verdict(here.verdict, there.verdict);
    let same = same_verdict && here.fate == there.fate && fields.is_empty();
    let mut told = Vec::new();
    if !same_verdict {
        let place = |contender: &Contender| shown(request, survey, contender);
        let (at, why) = reason(survey, there, 1, &place);
        let at = at.map(|at| format!(", at {at}")).unwrap_or_default();
        let code = verdict::code(there.verdict).replace('-', " ");
        told.push(match there.verdict {
            Verdict::Active => code,
            _ => format!("{code}: {}{at}", printable(&why)),
        });
    } else if here.fate != there.fate {
        told.push(fate_in_words(there.fate).to_owned());
    }
    told.push(fields_in_words(Some(here), there, &fields));
    told.retain(|it| !it.is_empty());
    OtherProfile {
        profile,
        same,
        verdict: verdict::code(there.verdict),
        fate: Some(there.fate),
        name: there.is_loaded().then(|| there.name.clone()),
        winner: (there.verdict == Verdict::Active).then(|| there.source.reported.clone()),
        at: name_position(&survey.registry, there),
        fields,
        words: told.join("; "),
    }
}

fn fate_in_words(fate: Fate) -> &'static str {
    match fate {
        Fate::Loaded => "loads as it is written",
        Fate::Repaired => "loads because its header is repaired",
        Fate::Degraded => "loads, but not as it is written",
        Fate::Ignored => "ignored",
        Fate::Rejected => "rejected",
        Fate::Fatal => "stops the harness",
    }
}

/// Tells which fields of an agent say something else, the first ones with their values.
fn fields_in_words(here: Option<&Contender>, there: &Contender, fields: &[FieldName]) -> String {
    let value = |contender: &Contender, field: FieldName| {
        let definition = contender.definition.as_deref()?;
        match &definition.field(field)?.value {
            FieldValue::Text(text) => Some(format!("`{}`", beginning(text, MOST_SHOWN))),
            FieldValue::Names(names) if names.is_empty() => Some("none".to_owned()),
            FieldValue::Names(names) => {
                let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                Some(format!("`{}`", beginning(&names.join(", "), MOST_SHOWN)))
            }
            FieldValue::Everything => Some("all".to_owned()),
            FieldValue::Inherited => Some("the parent's".to_owned()),
            FieldValue::Config(_) => None,
            other => serde_json::to_string(other).ok(),
        }
    };
    let is_set = |contender: &Contender, field: FieldName| {
        let definition = contender.definition.as_deref();
        definition.is_some_and(|it| it.field(field).is_some())
    };
    let one = |field: &FieldName| {
        if *field == FieldName::METADATA || *field == FieldName::PROMPT {
            return format!("{field} differs");
        }
        match (value(there, *field), is_set(there, *field)) {
            (Some(value), _) => format!("{field}: {value}"),
            (None, false) => match here.and_then(|here| value(here, *field)) {
                Some(here) => format!("{field}: not set, instead of {here}"),
                None => format!("{field}: not set"),
            },
            (None, true) => format!("{field} differs"),
        }
    };
    let mut told: Vec<String> = fields.iter().take(MOST_FIELDS).map(one).collect();
    if fields.len() > MOST_FIELDS {
        let more = words::count(fields.len() - MOST_FIELDS, "more field");
        told.push(more);
    }
    told.join("; ")
}
