//! The order in which a harness lists its agents.

use std::sync::Arc;

use agent_schema::dialect::{BuiltinAgent, Listing};
use agent_schema::{Definition, FieldName};

use crate::discover::Discovery;
use crate::entry::{Entry, State};
use crate::merge;

/// An agent in the list of a harness.
#[derive(Debug, Clone, Copy)]
pub enum Listed<'a> {
    /// One that an entry gives, alone or as the strongest of several.
    Entry(&'a Entry),
    /// One that the harness brings and nobody changes.
    Builtin(&'static BuiltinAgent),
}

impl<'a> Listed<'a> {
    /// Returns the name that is shown.
    #[must_use]
    pub fn shown_name(&self) -> &'a str {
        match self {
            Listed::Entry(entry) => entry
                .definition()
                .and_then(|definition| definition.text(FieldName::NAME))
                .or_else(|| entry.name())
                .unwrap_or_default(),
            Listed::Builtin(builtin) => builtin.name,
        }
    }

    /// Returns the name that it answers to.
    pub(crate) fn name(&self) -> &'a str {
        match self {
            Listed::Entry(entry) => entry.name().unwrap_or_default(),
            Listed::Builtin(builtin) => builtin.name,
        }
    }

    /// Returns its definition, as far as it is known.
    pub(crate) fn definition(&self, found: &Discovery) -> Definition {
        match self {
            Listed::Entry(entry) => entry.definition().cloned().unwrap_or_default(),
            Listed::Builtin(builtin) => found.builtin_definition(builtin),
        }
    }
}

impl Discovery {
    /// Lists the agents as the harness lists them, the built-in ones among them where files add
    /// to those. Of entries among which the harness leaves the choice open the first one stands
    /// for all.
    #[must_use]
    pub fn listing(&self) -> Vec<Listed<'_>> {
        let mut listed: Vec<Listed<'_>> = self.untouched_builtins().map(Listed::Builtin).collect();
        let stands_for_agent = |(index, entry): &(usize, &Entry)| match entry.state {
            State::Active => true,
            State::Undefined { first } => first == *index && !self.is_below(entry),
            _ => false,
        };
        let entries = self.entries.iter().enumerate().filter(stands_for_agent);
        listed.extend(entries.map(|(_, entry)| Listed::Entry(entry)));
        let merging = &self.profile.rules.merging;
        if let Listing::ByName { first } = merging.listing {
            let chosen = merging.chosen;
            let chosen = chosen.and_then(|chosen| self.general.text(chosen.field));
            let first = chosen.unwrap_or(first);
            listed.sort_by_cached_key(|agent| {
                let name = agent.shown_name();
                (name != first, name.encode_utf16().collect::<Vec<u16>>())
            });
        }
        listed
    }

    /// Returns the definition of a built-in agent to which no entry adds anything.
    #[must_use]
    pub fn builtin_definition(&self, builtin: &BuiltinAgent) -> Definition {
        let (merged, _) = merge::merge(self, builtin.name, &[]);
        Arc::unwrap_or_clone(merged.definition)
    }

    /// Returns whether an entry is only a weaker source of another one.
    fn is_below(&self, entry: &Entry) -> bool {
        self.profile.rules.agents.precedence.merges() && entry.merged.is_none()
    }

    /// Returns the built-in agents to which no entry adds anything.
    fn untouched_builtins(&self) -> impl Iterator<Item = &'static BuiltinAgent> {
        let builtins = self.profile.rules.agents.builtins.iter();
        builtins.filter(|builtin| {
            let of_name = |entry: &&Entry| entry.merged_name() == Some(builtin.name);
            self.entries.iter().find(of_name).is_none()
        })
    }
}

impl Entry {
    /// Returns the name of a merged agent, whatever became of it.
    pub(crate) fn merged_name(&self) -> Option<&str> {
        self.merged
            .as_deref()
            .map(|merged| merged.definition.name())
    }
}
