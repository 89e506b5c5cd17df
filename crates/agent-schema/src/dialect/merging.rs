//! What several sources make together, where a harness merges them.

use crate::definition::{Definition, FieldName};
use crate::diagnostic::Severity;
use crate::value::Node;

/// What several sources make together.
#[derive(Debug)]
pub struct MergeRules {
    /// In which order the harness lists its agents.
    pub listing: Listing,
    /// Fields whose lists are appended to the lower ones instead of replacing them.
    pub appended: &'static [FieldName],
    /// The switch with which a source says that the agent is none.
    pub switch: Option<FieldName>,
    /// A switch that takes away all weaker sources, so that stronger ones begin afresh.
    pub clears: Option<FieldName>,
    /// A variable of the environment whose JSON is laid over the permissions for all agents.
    pub permission_variable: Option<&'static str>,
    /// Makes the permissions for all agents of what the settings say beside the agents.
    pub permissions_for_all: fn(&Definition) -> Option<Node>,
    /// The setting that chooses the agent which people talk to first.
    pub chosen: Option<ChosenAgent>,
}

impl MergeRules {
    /// Nothing is merged.
    pub const NONE: MergeRules = MergeRules {
        listing: Listing::AsFound,
        appended: &[],
        switch: None,
        clears: None,
        permission_variable: None,
        permissions_for_all: |_| None,
        chosen: None,
    };
}

/// A setting that chooses the agent which people talk to first.
#[derive(Debug, Clone, Copy)]
pub struct ChosenAgent {
    /// The field of the settings that names it.
    pub field: FieldName,
    /// Returns what an agent is that cannot be chosen, such as `a subagent`.
    pub unfit: fn(&Definition) -> Option<&'static str>,
    /// What the harness does where it cannot take the agent.
    pub otherwise: &'static str,
    /// How much that costs.
    pub severity: Severity,
}

/// An agent that a harness brings along. Every other agent of its name replaces it, or is merged
/// with it where definitions are merged. Its texts are the harness's own and are not repeated here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BuiltinAgent {
    /// Its name.
    pub name: &'static str,
    /// Whether it is offered to a delegating model.
    pub offered: bool,
    /// What it is set to, where files add to it field by field.
    pub fields: &'static [(FieldName, BuiltinValue)],
}

/// What a field of a built-in agent is set to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BuiltinValue {
    /// A text of the harness, which is not repeated here.
    OwnText,
    /// This word.
    Word(&'static str),
    /// A switch.
    Flag(bool),
    /// A number.
    Number(f64),
}

/// In which order a harness lists its agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// In the order in which they are found.
    AsFound,
    /// By the UTF-16 units of their shown names, but this one first, or the one that the settings
    /// choose.
    ByName {
        /// The one that is first.
        first: &'static str,
    },
}
