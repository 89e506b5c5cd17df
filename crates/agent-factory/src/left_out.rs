//! What a definition asks for and its agent does not get, with the reason.

use agent_schema::FieldName;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::provenance::Provenance;

/// Something that a definition asks for and its agent does not get.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// The field that asks for it.
    pub field: FieldName,
    /// What it is, as written; the name of the field if all of it is meant.
    pub what: String,
    /// Why the agent does not get it.
    pub why: Reason,
    /// Where it is written.
    pub from: Provenance,
}

/// Why an agent does not get something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// Nothing has this name.
    Unknown,
    /// The harness had such a tool once, and the name leads to nothing now.
    Retired,
    /// No server that is connected has such tools.
    NoSuchServer,
    /// The definition itself denies it.
    Denied,
    /// The agent that starts it denies it.
    DeniedByParent,
    /// The agent that starts it does not have it.
    NotOfParent,
    /// Subagents never get it.
    NotForSubagents,
    /// Subagents get it only where a rule of their definition names it.
    OnlyIfNamed,
    /// The harness leaves it out where another tool of the list is there.
    BesideAnother,
    /// Agents that were started cannot start others, or not as deep as this one is.
    TooDeep,
    /// The parent's own counts.
    ParentWins,
    /// Whoever manages the machine forbids it.
    Forbidden,
    /// It has no effect until the project is trusted.
    WaitsForTrust,
    /// The variable or the call asks for something else.
    Overruled,
}

impl Reason {
    /// Returns the stable word for the reason.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Unknown => "unknown",
            Reason::Retired => "retired",
            Reason::NoSuchServer => "no-such-server",
            Reason::Denied => "denied",
            Reason::DeniedByParent => "denied-by-parent",
            Reason::NotOfParent => "not-of-parent",
            Reason::NotForSubagents => "not-for-subagents",
            Reason::OnlyIfNamed => "only-if-named",
            Reason::BesideAnother => "beside-another",
            Reason::TooDeep => "too-deep",
            Reason::ParentWins => "parent-wins",
            Reason::Forbidden => "forbidden",
            Reason::WaitsForTrust => "waits-for-trust",
            Reason::Overruled => "overruled",
        }
    }

    /// Returns the reason in a few words, for people.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Reason::Unknown => "nothing has this name",
            Reason::Retired => "the harness has it no longer",
            Reason::NoSuchServer => "no connected server has such tools",
            Reason::Denied => "the definition denies it",
            Reason::DeniedByParent => "denied by the parent",
            Reason::NotOfParent => "the parent does not have it",
            Reason::NotForSubagents => "subagents never get it",
            Reason::OnlyIfNamed => "subagents get it only if a rule names it",
            Reason::BesideAnother => "left out beside another tool of the list",
            Reason::TooDeep => "agents cannot be started any deeper",
            Reason::ParentWins => "the parent's counts",
            Reason::Forbidden => "it is forbidden on this machine",
            Reason::WaitsForTrust => "it waits until the project is trusted",
            Reason::Overruled => "a variable or the call asks for something else",
        }
    }
}

impl Serialize for LeftOut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("LeftOut", 4)?;
        out.serialize_field("field", self.field.as_str())?;
        out.serialize_field("what", &self.what)?;
        out.serialize_field("why", self.why.as_str())?;
        out.serialize_field("from", &self.from)?;
        out.end()
    }
}
