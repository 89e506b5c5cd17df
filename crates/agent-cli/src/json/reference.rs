//! The answers of `dialects` and `rule`.

use agent_schema::dialect::{Base, Basis, Holds, SearchPlace};
use agent_schema::{Dialect, Level, Profile, Rule, Severity};
use serde::Serialize;

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
    fn new(place: &SearchPlace) -> Self {
        let folder = place.folder;
        let (path, otherwise) = match place.base {
            _ if place.holds == Holds::Definitions => ("<command-line>".to_owned(), None),
            Base::Plugins => ("<plugin>".to_owned(), None),
            Base::Project | Base::RealProject => (format!("<project>/{folder}"), None),
            Base::RepositoryRoot => (format!("<repository>/{folder}"), None),
            Base::MainRepository => (format!("<main-repository>/{folder}"), None),
            Base::Added => (format!("<added>/{folder}"), None),
            Base::Managed => (format!("<managed>/{folder}"), None),
            Base::Home => (format!("~/{folder}"), None),
            Base::Variable { name, or_home } => {
                let otherwise = format!("~/{or_home}/{folder}");
                (format!("${name}/{folder}"), Some(otherwise))
            }
        };
        PlaceInfo {
            level: place.level,
            path,
            otherwise,
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
    summary: &'static str,
}

impl RuleInfo {
    pub(crate) fn new(rule: &'static Rule) -> Self {
        RuleInfo {
            code: rule.code,
            severity: rule.severity,
            summary: rule.summary(),
        }
    }
}
