//! Files of settings that hold agents among other things.

use crate::json::Flavor;
use crate::text::Encoding;

use super::ReadingRules;

/// A file of settings that holds agents among other things.
#[derive(Debug)]
pub struct SettingsRules {
    /// How its bytes become text.
    pub encoding: Encoding,
    /// How its JSON is read.
    pub json: Flavor,
    /// What `{env:NAME}` and `{file:PATH}` mean in it.
    pub tokens: Tokens,
    /// How what it says beside the agents is read.
    pub general: ReadingRules,
    /// The maps of agents in it.
    pub agents: &'static [AgentMap],
}

/// What `{env:NAME}` and `{file:PATH}` mean in a file of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokens {
    /// Nothing.
    Text,
    /// The value of a variable, and the content of a file, put into the text before it is read.
    Replaced,
}

/// A map of agents in a file of settings.
#[derive(Debug)]
pub struct AgentMap {
    /// The key of the map.
    pub key: &'static str,
    /// How its values are read.
    pub reading: ReadingRules,
    /// A map of the same file whose entries count instead of those of the same name here.
    pub yields_to: Option<&'static str>,
    /// When its entries are merged.
    pub turn: Turn,
}

/// When entries are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// When their file has its turn.
    InOrder,
    /// After everything else.
    Last,
}
