//! The lines of `list --watch`.

use agent_discovery::{Change, Deciding, Standing};
use agent_schema::Level;
use agent_schema::dialect::SkipRule;
use serde::Serialize;

use crate::request::Reading;

/// One line, with what it is about.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum WatchLine<'a> {
    /// An agent that is there, or what is different about one. All lines before `watching` tell
    /// what there is.
    Change(Box<ChangeLine<'a>>),
    /// The same for a skill.
    Skill(Box<ChangeLine<'a>>),
    /// From now on changes are told.
    Watching,
}

/// What became of an agent or a skill at its place.
#[derive(Serialize)]
pub(crate) struct ChangeLine<'a> {
    dialect: &'static str,
    profile: &'static str,
    name: &'a str,
    from: &'a str,
    /// The keys that lead to it, if the file holds other things too.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<&'a str>,
    level: Level,
    /// Nothing for one that is new.
    before: Option<State<'a>>,
    /// Nothing for one that is gone.
    now: Option<State<'a>>,
    /// The fields that say something else than before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<&'static str>,
}

#[derive(Serialize)]
struct State<'a> {
    state: &'static str,
    /// The entry that it lost to, or adds to.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

impl<'a> WatchLine<'a> {
    pub(crate) fn agent(reading: Reading, change: &'a Change) -> Self {
        WatchLine::Change(Box::new(ChangeLine::new(reading, change)))
    }

    pub(crate) fn skill(reading: Reading, change: &'a Change) -> Self {
        WatchLine::Skill(Box::new(ChangeLine::new(reading, change)))
    }
}

impl<'a> ChangeLine<'a> {
    fn new(reading: Reading, change: &'a Change) -> Self {
        ChangeLine {
            dialect: reading.dialect.id,
            profile: reading.profile.id,
            name: &change.name,
            from: &change.source.reported,
            inside: change.source.inside.as_deref(),
            level: change.source.level,
            before: change.before.as_ref().map(State::new),
            now: change.now.as_ref().map(State::new),
            fields: change.fields.iter().map(|field| field.as_str()).collect(),
        }
    }
}

impl<'a> State<'a> {
    fn new(standing: &'a Standing) -> Self {
        State {
            state: standing.code(),
            other: standing.other(),
            rule: match standing {
                Standing::Shadowed { rule, .. } => rule.map(Deciding::code),
                Standing::Ignored(rule) => rule.map(SkipRule::code),
                _ => None,
            },
        }
    }
}
