//! The answer of `explain`.

use std::borrow::Cow;

use agent_discovery::{PlaceState, Searched};
use agent_registry::{Contender, Verdict};
use agent_schema::{Fate, Level};
use serde::Serialize;
use serde_json::Value;

use crate::commands::explain::Told;
use crate::commands::explain_file::{FileTold, Part};
use crate::json::{Agent, Diagnostic, stop_code};
use crate::story::{EffectiveField, Given, Near, OtherProfile, name_position, reason};
use crate::survey::Survey;
use crate::verdict;

/// The story of a name in every dialect that was asked for.
#[derive(Serialize)]
pub(crate) struct Explained<'a> {
    pub(crate) asked: &'a str,
    pub(crate) dialects: Vec<Story<'a>>,
}

/// The story of a name in one dialect.
#[derive(Serialize)]
pub(crate) struct Story<'a> {
    dialect: &'static str,
    profile: &'static str,
    stands_for: Option<&'a str>,
    /// Set only where the harness would not come back from its search.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    winner: Option<Agent<'a>>,
    /// Set only where it is an agent that the harness brings itself and whose definition is not
    /// known here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    brought: bool,
    contenders: Vec<Wanted<'a>>,
    near_misses: Vec<Close<'a>>,
    /// The fields of the winner.
    fields: Vec<Field<'a>>,
    other_profiles: Vec<Other<'a>>,
    places: Vec<Place>,
}

/// The story of a file in every dialect that was asked for.
#[derive(Serialize)]
pub(crate) struct ExplainedFile<'a> {
    pub(crate) asked: &'a str,
    pub(crate) dialects: Vec<FileStory<'a>>,
}

/// The story of a file in one dialect.
#[derive(Serialize)]
pub(crate) struct FileStory<'a> {
    dialect: &'static str,
    profile: &'static str,
    /// Whether the harness comes across the file.
    searched: bool,
    /// The skill that the file holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    skill: Option<&'a str>,
    /// Each agent of the file, or the file that gives none.
    contenders: Vec<PartOfFile<'a>>,
    /// What a file would be that the harness does not come across.
    would_be: Option<WouldBe<'a>>,
}

/// An agent of a file, or the file that gives none.
#[derive(Serialize)]
struct PartOfFile<'a> {
    #[serde(flatten)]
    wanted: Wanted<'a>,
    fields: Vec<Field<'a>>,
    other_profiles: Vec<Other<'a>>,
}

/// What a file would be if the harness came across it.
#[derive(Serialize)]
struct WouldBe<'a> {
    outcome: &'static str,
    name: Option<&'a str>,
    why: Option<&'a str>,
}

/// Something that wanted the name, and what became of it.
#[derive(Serialize)]
struct Wanted<'a> {
    name: &'a str,
    from: &'a str,
    /// Where its name stands.
    line: Option<u32>,
    column: Option<u32>,
    level: Level,
    verdict: &'static str,
    fate: Fate,
    by: Option<&'a str>,
    /// Where the name of the other one stands.
    by_line: Option<u32>,
    by_column: Option<u32>,
    rule: Option<&'static str>,
    /// The deciding rule in words.
    why: String,
    diagnostics: Vec<Diagnostic<'a>>,
}

/// Something that comes close to the name.
#[derive(Serialize)]
struct Close<'a> {
    kind: &'static str,
    name: &'a str,
    /// The harness that it belongs to, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<&'static str>,
    from: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
}

/// A field as it counts.
#[derive(Serialize)]
struct Field<'a> {
    field: &'static str,
    value: Value,
    /// The keys of a structured value that is not given whole, for it may hold secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<&'a str>,
    /// `written`, `file-name`, `harness`, `default`, `prompt-file`, `not-set` or `lost`.
    given: &'static str,
    from: Option<Cow<'a, str>>,
    level: Option<Level>,
    line: Option<u32>,
    column: Option<u32>,
    /// Why it is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

/// What another profile of the dialect makes of it.
#[derive(Serialize)]
struct Other<'a> {
    profile: &'static str,
    same: bool,
    verdict: &'static str,
    fate: Option<Fate>,
    name: Option<&'a str>,
    winner: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    differing_fields: Vec<&'static str>,
    /// The change in words.
    change: Option<&'a str>,
}

/// A place that was searched.
#[derive(Serialize)]
pub(super) struct Place {
    level: Level,
    path: String,
    state: &'static str,
    entries: Option<usize>,
}

impl Place {
    pub(super) fn new(searched: &Searched) -> Self {
        let entries = match searched.state {
            PlaceState::Listed { entries } => Some(entries),
            _ => None,
        };
        Place {
            level: searched.level,
            path: searched.path.to_string_lossy().into_owned(),
            state: place_code(&searched.state),
            entries,
        }
    }
}

impl<'a> Story<'a> {
    pub(crate) fn new(told: &'a Told<'a>) -> Self {
        let Told { survey, story, .. } = told;
        Story {
            dialect: survey.reading.dialect.id,
            profile: survey.reading.profile.id,
            stands_for: story.also_called.or(story.stands_for),
            brought: told.is_brought(),
            outcome: survey.stopped.as_ref().map(|it| stop_code(it.kind)),
            winner: story
                .winner
                .map(|it| Agent::new(&survey.registry, &it.name, it)),
            contenders: story
                .contenders
                .iter()
                .map(|contender| Wanted::new(survey, contender, story.contenders.len()))
                .collect(),
            near_misses: told.near.iter().map(Close::new).collect(),
            fields: Field::all(&told.fields),
            other_profiles: told.others.iter().map(Other::new).collect(),
            places: story.places.iter().map(Place::new).collect(),
        }
    }
}

impl<'a> FileStory<'a> {
    pub(crate) fn new(told: &'a FileTold<'a>) -> Self {
        let survey = told.survey;
        let part = |part: &'a Part<'a>| PartOfFile {
            wanted: Wanted::new(survey, part.contender, part.wanted_by),
            fields: Field::all(&part.fields),
            other_profiles: part.others.iter().map(Other::new).collect(),
        };
        FileStory {
            dialect: survey.reading.dialect.id,
            profile: survey.reading.profile.id,
            searched: told.is_read(),
            skill: told.skill.map(|found| found.skill.name.as_str()),
            contenders: told.parts.iter().map(part).collect(),
            would_be: told.would_be.as_ref().map(|it| WouldBe {
                outcome: it.outcome,
                name: it.name.as_deref(),
                why: it.why.as_deref(),
            }),
        }
    }
}

impl<'a> Wanted<'a> {
    fn new(survey: &'a Survey, contender: &'a Contender, wanted_by: usize) -> Self {
        let registry = &survey.registry;
        let (by, rule) = match contender.verdict {
            Verdict::Shadowed { by, rule } => (Some(by), Some(rule.code())),
            Verdict::NotReached { because_of } => (Some(because_of), None),
            Verdict::Merged { into } => (Some(into), None),
            Verdict::SameFile { first } => (Some(first), None),
            Verdict::Ignored(rule) => (None, Some(rule.code())),
            _ => (None, None),
        };
        let by = by.map(|id| registry.contender(id));
        let at = name_position(registry, contender);
        let by_at = by.and_then(|it| name_position(registry, it));
        let show = |it: &Contender| match name_position(registry, it) {
            Some(at) => format!("{}:{at}", it.place()),
            None => it.place(),
        };
        let (_, why) = reason(survey, contender, wanted_by, &show);
        Wanted {
            name: &contender.name,
            from: &contender.source.reported,
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            level: contender.source.level,
            verdict: verdict::code(contender.verdict),
            fate: contender.fate,
            by: by.map(|it| it.source.reported.as_str()),
            by_line: by_at.map(|at| at.line),
            by_column: by_at.map(|at| at.column),
            rule,
            why,
            diagnostics: Diagnostic::of(contender, registry),
        }
    }
}

impl<'a> Close<'a> {
    fn new(near: &'a Near<'a>) -> Self {
        Close {
            kind: near.kind,
            name: near.name,
            dialect: near.dialect,
            from: near.from,
            line: near.at.map(|at| at.line),
            column: near.at.map(|at| at.column),
        }
    }
}

impl<'a> Field<'a> {
    /// The fields that have a value or lost one, and those that everybody asks for.
    fn all(fields: &'a [EffectiveField<'a>]) -> Vec<Self> {
        let fields = fields.iter();
        fields
            .filter(|field| field.is_telling() || field.value.is_some())
            .map(Field::new)
            .collect()
    }

    fn new(field: &'a EffectiveField<'a>) -> Self {
        let (by, at) = match &field.given {
            Given::Written { by, at } => (Some(&by.source), *at),
            Given::Lost { at, .. } => (None, *at),
            _ => (None, None),
        };
        Field {
            field: field.field.as_str(),
            value: field.json(),
            keys: field.keys(),
            given: field.given.code(),
            from: match &field.given {
                Given::PromptFile(path) => Some(path.to_string_lossy()),
                _ => by.map(|source| Cow::from(source.reported.as_str())),
            },
            level: by.map(|source| source.level),
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            why: match field.given {
                Given::Lost { why, .. } => Some(why),
                _ => None,
            },
        }
    }
}

impl<'a> Other<'a> {
    pub(crate) fn new(other: &'a OtherProfile) -> Self {
        Other {
            profile: other.profile,
            same: other.same,
            verdict: other.verdict,
            fate: other.fate,
            name: other.name.as_deref(),
            winner: other.winner.as_deref(),
            line: other.at.map(|at| at.line),
            column: other.at.map(|at| at.column),
            differing_fields: other.fields.iter().map(|field| field.as_str()).collect(),
            change: Some(other.words.as_str()).filter(|words| !words.is_empty()),
        }
    }
}

/// The stable code of what a searched place turned out to be.
fn place_code(state: &PlaceState) -> &'static str {
    match state {
        PlaceState::Listed { .. } => "listed",
        PlaceState::Missing => "missing",
        PlaceState::NotAFolder => "not-a-folder",
        PlaceState::Unreadable(_) => "unreadable",
        PlaceState::Outside(_) => "outside",
        PlaceState::SwitchedOff => "switched-off",
        PlaceState::SameAs(_) => "same-as-earlier",
        _ => "other",
    }
}
