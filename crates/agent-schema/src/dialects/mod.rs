//! The harnesses that are known, each with its rules in a file of its own.

mod agentscope;
mod claude_code;
mod nebuko;
mod opencode;
mod openhands;
mod pi;
pub mod skills;
pub mod words;

use crate::dialect::Dialect;

pub use agentscope::AGENTSCOPE;
pub use claude_code::CLAUDE_CODE;
pub use nebuko::NEBUKO;
pub use opencode::OPENCODE;
pub use openhands::OPENHANDS;
pub use pi::PI;
pub use skills::AGENT_SKILLS;

/// All dialects, in the order in which they are listed.
pub static ALL: &[&Dialect] = &[
    &OPENHANDS,
    &CLAUDE_CODE,
    &OPENCODE,
    &AGENTSCOPE,
    &PI,
    &AGENT_SKILLS,
    &NEBUKO,
];

/// Finds a dialect by its name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Dialect> {
    ALL.iter().copied().find(|dialect| dialect.id == id)
}
