//! A roster: all agents of a team, from the layers of one file and the prompts beside them.
//!
//! Reading it never fails. A layer that cannot be read is told and left out; without the layer
//! that all others build on, a fixed list of names takes the roster's place and no agent loads.

mod lint;
mod load;
mod prompts;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use agent_schema::roster::base_name;
use agent_schema::{Diagnostic, Dialect, Located, Node, Profile};
use indexmap::IndexMap;

use crate::discover::Discovery;
use crate::entry::Entry;
use crate::file_tree::FileTree;
use crate::inputs::Inputs;

pub(crate) use load::load;

/// All agents of a team, with everything that the layers say.
#[derive(Debug, Clone)]
pub struct Roster {
    /// The agents and what they are made of. The places are the layers, the weakest first. What a
    /// layer says about an agent is an entry, and so is a prompt file; the first entry of an agent
    /// holds the whole of it, the others are merged into that one.
    pub found: Discovery,
    /// The keys of the layers beside the agents; of equal keys the strongest layer's counts.
    pub settings: IndexMap<String, Setting>,
    /// The rules for ending a run, which every prompt gets.
    pub exit_rules: Option<PromptFile>,
    /// Whether the layer that all others build on could be read.
    pub is_readable: bool,
    /// What the checks of the whole roster found. Findings about an entry stand there too.
    pub findings: Vec<RosterFinding>,
}

/// A setting of the file that belongs to no agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Its value.
    pub value: Located<Node>,
    /// The layer that gives it, by its place.
    pub place: usize,
}

/// A prompt that is no agent's own.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptFile {
    /// Its path as reported, with `/`.
    pub reported: String,
    /// Its text.
    pub text: String,
    /// Its bytes as read, for excerpts.
    pub bytes: Arc<[u8]>,
    /// The files of weaker layers that it takes the place of.
    pub shadowed: Vec<String>,
}

/// A finding of the checks of a whole roster.
#[derive(Debug, Clone, PartialEq)]
pub struct RosterFinding {
    /// The agent that it is about, if it is about one.
    pub agent: Option<String>,
    /// The place among the entries of the one in whose file the bytes of the finding lie.
    pub entry: Option<usize>,
    /// The finding.
    pub diagnostic: Diagnostic,
}

/// Where names come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamesFrom {
    /// From the roster.
    Roster,
    /// From the fixed list that counts while the roster cannot be read.
    Fallback,
}

/// The names of a team.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentNames {
    /// The names, in the order of the roster.
    pub names: Vec<String>,
    /// Where they come from.
    pub from: NamesFrom,
    /// What goes into the log.
    pub log: Vec<Diagnostic>,
}

/// Which prompt does the task of which agent.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskPrompts {
    /// The file name of the prompt, by agent.
    pub prompts: IndexMap<String, String>,
    /// Where the names come from.
    pub from: NamesFrom,
    /// What goes into the log.
    pub log: Vec<Diagnostic>,
}

/// Reads the roster of a dialect; `None` if its agents are no roster.
#[must_use]
pub fn discover_roster(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    inputs: &Inputs,
) -> Option<Roster> {
    let rules = profile.rules.roster.as_ref()?;
    Some(load(tree, dialect, profile, rules, inputs))
}

impl Roster {
    /// Returns the agents, in the order in which their names appear first.
    pub fn agents(&self) -> impl Iterator<Item = &Entry> {
        self.found.active()
    }

    /// Returns the names of the team. There always are some to work with: while the roster cannot
    /// be read, a fixed list takes its place, and the log tells so.
    ///
    /// Source of rule: ADR-0010, D1 and D3 (`config.load_agent_names`); the list is ours.
    #[must_use]
    pub fn agent_names(&self) -> AgentNames {
        if self.is_readable {
            let names = self.agents().filter_map(Entry::name);
            return AgentNames {
                names: names.map(str::to_owned).collect(),
                from: NamesFrom::Roster,
                log: Vec::new(),
            };
        }
        let rules = self.found.profile.rules.roster.as_ref();
        let fallback = rules.map_or(&[][..], |rules| rules.fallback);
        AgentNames {
            names: fallback.iter().map(|&name| name.to_owned()).collect(),
            from: NamesFrom::Fallback,
            log: vec![load::fallback(self.found.dialect, fallback)],
        }
    }

    /// Returns which prompt does the task of which agent, by the same names.
    ///
    /// Source of rule: ADR-0010, last consequence (`TASK_TO_PROMPT`).
    #[must_use]
    pub fn task_prompts(&self) -> TaskPrompts {
        let AgentNames { names, from, log } = self.agent_names();
        let prompts = names.into_iter().map(|name| {
            let prompt = self.prompt_name(&name);
            (name, prompt)
        });
        TaskPrompts {
            prompts: prompts.collect(),
            from,
            log,
        }
    }

    fn prompt_name(&self, agent: &str) -> String {
        let Some(rules) = &self.found.profile.rules.roster else {
            return String::new();
        };
        let entry = self.found.get(agent);
        let written = entry
            .and_then(Entry::definition)
            .and_then(|definition| definition.text(rules.prompts.field));
        match written {
            Some(path) => base_name(path).to_owned(),
            None => base_name(&(rules.prompts.otherwise)(agent)).to_owned(),
        }
    }
}
