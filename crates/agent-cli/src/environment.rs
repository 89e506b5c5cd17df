//! What the command takes from the outside world besides its arguments.
//!
//! The only room that reads the environment; everything below gets values.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use agent_schema::dialect::{Base, ModelFrom, SearchPlace, StartRules};
use agent_schema::skill_rules::SkillSource;
use agent_schema::{Profile, dialects};

/// What the command takes from the outside world besides its arguments.
#[derive(Debug, Clone)]
pub(crate) struct Environment {
    /// The working folder.
    pub(crate) here: Option<PathBuf>,
    /// The user's home.
    pub(crate) home: Option<PathBuf>,
    /// The variables that some dialect asks for, as far as they are set.
    pub(crate) variables: BTreeMap<String, String>,
    /// The width of the terminal that the answer is printed to, if it is one.
    pub(crate) terminal_width: Option<usize>,
}

impl Environment {
    /// Reads the environment.
    pub(crate) fn read() -> Self {
        let wanted = dialects::ALL
            .iter()
            .chain(dialects::skills::LOADERS)
            .flat_map(|dialect| dialect.profiles)
            .flat_map(asked_variables);
        Environment {
            here: std::env::current_dir().ok(),
            home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
            variables: wanted
                .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
                .collect(),
            terminal_width: terminal_size::terminal_size_of(io::stdout())
                .map(|(width, _)| usize::from(width.0)),
        }
    }
}

impl Environment {
    /// Reads all variables whose names and values are texts.
    pub(crate) fn all_variables() -> impl Iterator<Item = (String, String)> {
        let texts = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        std::env::vars_os().filter_map(texts)
    }
}

/// The variables that a profile asks for.
fn asked_variables(profile: &'static Profile) -> impl Iterator<Item = &'static str> {
    let rules = &profile.rules;
    let places = rules.agents.places.iter().chain(rules.skills.places);
    let sources = rules.skills.search.iter().flat_map(|it| it.sources);
    let sources = sources.flat_map(|source| {
        let files = match source {
            SkillSource::Mapped(folders) => folders.map.files,
            _ => &[],
        };
        source
            .place()
            .into_iter()
            .chain(files.iter().copied().flatten())
    });
    let switches = rules.agents.switches.iter();
    let switches = switches.filter_map(|switch| switch.variable);
    let bases = places
        .chain(sources)
        .map(|SearchPlace { base, .. }| *base)
        .chain([rules.factory.profile_store.base])
        .filter_map(|base| match base {
            Base::Variable { name, .. }
            | Base::VariableOr { name, .. }
            | Base::VariableAlone { name }
            | Base::VariableText { name } => Some(name),
            _ => None,
        });
    bases
        .chain(switches)
        .chain(rules.merging.permission_variable)
        .chain(model_variables(&rules.factory.start))
}

/// The variables that say which model an agent runs with.
fn model_variables(rules: &'static StartRules) -> impl Iterator<Item = &'static str> {
    let chosen = rules.model_from.iter().filter_map(|from| match from {
        ModelFrom::Variable { name, .. } => Some(*name),
        ModelFrom::Call | ModelFrom::Definition => None,
    });
    chosen.chain(rules.word_variables.iter().map(|(_, variable)| *variable))
}
