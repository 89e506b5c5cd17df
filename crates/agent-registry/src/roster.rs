//! The agents of all sources in one list, as the harness shows them.

use agent_schema::Level;
use agent_schema::dialect::RosterRules;
use indexmap::IndexMap;

use crate::contender::{Contender, ContenderId};
use crate::registry::Registry;

/// One agent in the list.
#[derive(Debug, Clone, Copy)]
pub struct RosterRow<'a> {
    /// The name.
    pub name: &'a str,
    /// The definition.
    pub contender: &'a Contender,
    /// Whether it answers to its name; otherwise it is only listed.
    pub answers: bool,
    /// Whether the delegating model is told of it.
    pub told: bool,
}

impl Registry {
    /// Lists the agents of all sources in the order of the harness. An agent stands here as often
    /// as the harness lists it.
    #[must_use]
    pub fn roster(&self) -> Vec<RosterRow<'_>> {
        let ids = match self.roster {
            RosterRules::Registered => self.holders.iter().collect(),
            RosterRules::Everyone => self.weakest_first(),
            RosterRules::Replacing => {
                let mut by_name: IndexMap<&str, ContenderId> = IndexMap::new();
                for id in self.weakest_first() {
                    by_name.insert(&self.contender(id).name, id);
                }
                by_name.into_values().collect()
            }
        };
        ids.into_iter().map(|id| self.listed(id)).collect()
    }

    /// Returns whether a contender is listed although it lost its name.
    #[must_use]
    pub fn is_still_listed(&self, contender: &Contender) -> bool {
        let roster = self.roster();
        let mut others = roster.iter().filter(|row| !row.answers);
        others.any(|row| std::ptr::eq(row.contender, contender))
    }

    /// The built-in agents, those of programs, then the files: the reverse of the strength that
    /// such harnesses give them.
    fn weakest_first(&self) -> Vec<ContenderId> {
        let numbered = || (0..).map(ContenderId).zip(self.contenders());
        let of_level = |level: Level| {
            numbered()
                .filter(move |(_, contender)| contender.source.level == level)
                .map(|(id, _)| id)
        };
        of_level(Level::Builtin)
            .chain(of_level(Level::Programmatic))
            .chain(self.listed.iter().copied())
            .collect()
    }

    fn listed(&self, id: ContenderId) -> RosterRow<'_> {
        let contender = self.contender(id);
        let untold = self.profile().rules.lookup.untold;
        RosterRow {
            name: &contender.name,
            contender,
            answers: self.holder(&contender.name) == Some(id),
            told: !contender.definition.as_deref().is_some_and(untold),
        }
    }
}
