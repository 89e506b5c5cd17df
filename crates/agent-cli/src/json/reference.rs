//! The answers of `dialects` and `rule`.

use agent_schema::dialect::{Base, Basis, SearchPlace};
use agent_schema::rules::{Evidence, EvidenceBasis};
use agent_schema::{Dialect, Level, Profile, Rule, Severity};
use serde::Serialize;

use crate::text::words;

/// A dialect with its profiles.
#[derive(Serialize)]
pub(crate) struct DialectInfo {
    dialect: &'static str,
    title: &'static str,
    profiles: Vec<&'static str>,
    default_profile: &'static str,
    profile_details: Vec<ProfileInfo>,
}

/// A version of a dialect's rules.
#[derive(Serialize)]
struct ProfileInfo {
    id: &'static str,
    program: &'static str,
    harness: &'static str,
    basis: &'static str,
    places: Vec<PlaceInfo>,
}

/// A place that a profile searches.
#[derive(Serialize)]
struct PlaceInfo {
    level: Level,
    path: String,
    /// What counts while the variable of the path is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    otherwise: Option<String>,
    /// What is searched inside the path, where that is not the path itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inside: Vec<&'static str>,
}

impl DialectInfo {
    pub(crate) fn new(dialect: &'static Dialect) -> Self {
        let profiles = dialect.profiles.iter();
        DialectInfo {
            dialect: dialect.id,
            title: dialect.title,
            profiles: profiles.clone().map(|profile| profile.id).collect(),
            default_profile: dialect.default_profile().id,
            profile_details: profiles
                .map(|profile| ProfileInfo {
                    id: profile.id,
                    program: profile.program,
                    harness: profile.harness,
                    basis: basis(profile.basis),
                    places: places(profile).map(PlaceInfo::new).collect(),
                })
                .collect(),
        }
    }
}

fn places(profile: &'static Profile) -> impl Iterator<Item = &'static SearchPlace> {
    profile.rules.agents.places.iter()
}

impl PlaceInfo {
    fn new(place: &'static SearchPlace) -> Self {
        let below = words::below(&place.shown_folder());
        let (path, otherwise) = match place.base {
            _ if words::is_command_line(place) => ("<command-line>".to_owned(), None),
            Base::Plugins => ("<plugin>".to_owned(), None),
            Base::Project | Base::RealProject => (format!("<project>{below}"), None),
            Base::RepositoryRoot => (format!("<repository>{below}"), None),
            Base::MainRepository | Base::MainCheckout => {
                (format!("<main-repository>{below}"), None)
            }
            Base::Added => (format!("<added>{below}"), None),
            Base::Managed => (format!("<managed>{below}"), None),
            Base::ManagedOr(or) => (format!("<managed>{below}"), Some(format!("{or}{below}"))),
            Base::Nearest(_) => (format!("<nearest>{below}"), None),
            Base::Listed(list) => (list.described(), None),
            Base::Home => (format!("~{below}"), None),
            Base::Workspace(rule) | Base::SharedWorkspace(rule) => {
                let otherwise = format!("<project>/{}{below}", rule.or_project);
                (format!("<workspace>{below}"), Some(otherwise))
            }
            Base::Namespace(rule) => {
                let otherwise = format!("<project>/{}/<user>{below}", rule.or_project);
                (format!("<workspace>/<user>{below}"), Some(otherwise))
            }
            Base::Layers(_) => (format!("<layers>{below}"), None),
            Base::Variable { name, or_home } => {
                let otherwise = format!("~/{or_home}{below}");
                (format!("${name}{below}"), Some(otherwise))
            }
            Base::VariableOr { name, or } => {
                (format!("${name}{below}"), Some(format!("{or}{below}")))
            }
            Base::VariableAlone { name } => (format!("${name}{below}"), None),
            Base::VariableText { name } => (format!("${name}"), None),
        };
        let inside = place.parts.iter().flat_map(|part| part.paths).copied();
        PlaceInfo {
            level: place.level,
            path,
            otherwise,
            inside: inside.filter(|path| !path.is_empty()).collect(),
        }
    }
}

/// The stable code of how the rules of a profile are known.
fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Ran => "ran",
        Basis::Read => "read",
        Basis::Recommended => "recommended",
    }
}

/// Rules.
#[derive(Serialize)]
pub(crate) struct Rules {
    pub(crate) rules: Vec<RuleInfo>,
}

/// A rule.
#[derive(Serialize)]
pub(crate) struct RuleInfo {
    code: &'static str,
    severity: Severity,
    room: String,
    summary: &'static str,
    evidence: Vec<EvidenceInfo>,
    /// The whole page, as Markdown.
    page: &'static str,
}

/// How a rule is known.
#[derive(Serialize)]
struct EvidenceInfo {
    basis: &'static str,
    harnesses: Vec<String>,
    /// The recorded cases, as paths below `tests/conformance`.
    cases: Vec<String>,
    note: String,
}

impl RuleInfo {
    pub(crate) fn new(rule: &'static Rule) -> Self {
        let evidence = rule.evidence().unwrap_or_default().into_iter();
        RuleInfo {
            code: rule.code,
            severity: rule.severity,
            room: rule.room.to_string(),
            summary: rule.summary(),
            evidence: evidence.map(EvidenceInfo::new).collect(),
            page: rule.page,
        }
    }
}

impl EvidenceInfo {
    fn new(evidence: Evidence) -> Self {
        EvidenceInfo {
            basis: match evidence.basis {
                EvidenceBasis::Ran => "ran",
                EvidenceBasis::Read => "read",
                EvidenceBasis::Ours => "ours",
            },
            harnesses: evidence.harnesses,
            cases: evidence.cases,
            note: evidence.note,
        }
    }
}
