//! The answer of `explain`.

use agent_discovery::{PlaceState, Searched};
use agent_registry::{Contender, Explanation, NearMiss, Verdict};
use agent_schema::Level;
use serde::Serialize;

use crate::json::{Agent, Diagnostic, stop_code};
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
    stands_for: Option<&'static str>,
    /// Set only where the harness would not come back from its search.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    winner: Option<Agent<'a>>,
    contenders: Vec<Wanted<'a>>,
    near_misses: Vec<Close<'a>>,
    places: Vec<Place>,
}

/// Something that wanted the name, and what became of it.
#[derive(Serialize)]
struct Wanted<'a> {
    name: &'a str,
    from: &'a str,
    level: Level,
    verdict: &'static str,
    by: Option<&'a str>,
    rule: Option<&'static str>,
    diagnostics: Vec<Diagnostic<'a>>,
}

/// Something that comes close to the name.
#[derive(Serialize)]
struct Close<'a> {
    kind: &'static str,
    name: &'a str,
    from: Option<&'a str>,
}

/// A place that was searched.
#[derive(Serialize)]
struct Place {
    level: Level,
    path: String,
    state: &'static str,
    entries: Option<usize>,
}

impl Place {
    fn new(searched: &Searched) -> Self {
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
    pub(crate) fn new(survey: &'a Survey, story: &Explanation<'a>) -> Self {
        Story {
            dialect: survey.reading.dialect.id,
            profile: survey.reading.profile.id,
            stands_for: story.stands_for,
            outcome: survey.stopped.as_ref().map(|it| stop_code(it.kind)),
            winner: story
                .winner
                .map(|it| Agent::new(&survey.registry, &it.name, it)),
            contenders: story
                .contenders
                .iter()
                .map(|contender| Wanted::new(survey, contender))
                .collect(),
            near_misses: story.near_misses.iter().map(Close::new).collect(),
            places: story.places.iter().map(Place::new).collect(),
        }
    }
}

impl<'a> Wanted<'a> {
    fn new(survey: &'a Survey, contender: &'a Contender) -> Self {
        let reported = |id| survey.registry.contender(id).source.reported.as_str();
        let (by, rule) = match contender.verdict {
            Verdict::Shadowed { by, rule } => (Some(reported(by)), Some(rule.code())),
            Verdict::NotReached { because_of } => (Some(reported(because_of)), None),
            Verdict::Ignored(rule) => (None, Some(rule.code())),
            _ => (None, None),
        };
        Wanted {
            name: &contender.name,
            from: &contender.source.reported,
            level: contender.source.level,
            verdict: verdict::code(contender.verdict),
            by,
            rule,
            diagnostics: Diagnostic::of(contender, &survey.registry),
        }
    }
}

impl<'a> Close<'a> {
    fn new(near_miss: &NearMiss<'a>) -> Self {
        let (kind, contender) = match near_miss {
            NearMiss::FileName(contender) => ("file-name", contender),
            NearMiss::PassedOver(contender) => ("passed-over", contender),
            NearMiss::Unreachable(contender) => ("unreachable", contender),
            NearMiss::Similar(name) => {
                return Close {
                    kind: "similar",
                    name,
                    from: None,
                };
            }
            _ => {
                return Close {
                    kind: "other",
                    name: "",
                    from: None,
                };
            }
        };
        Close {
            kind,
            name: &contender.name,
            from: Some(&contender.source.reported),
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
        PlaceState::SwitchedOff => "switched-off",
        PlaceState::SameAs(_) => "same-as-earlier",
        _ => "other",
    }
}
