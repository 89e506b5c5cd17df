//! The harnesses that are known, each with its rules in a file of its own.

mod agentscope;
mod claude_code;
mod opencode;
mod openhands;
mod pi;

use crate::dialect::Dialect;

pub use agentscope::AGENTSCOPE;
pub use claude_code::CLAUDE_CODE;
pub use opencode::OPENCODE;
pub use openhands::OPENHANDS;
pub use pi::PI;

/// All dialects, in the order in which they are listed.
pub static ALL: &[&Dialect] = &[&OPENHANDS, &CLAUDE_CODE, &OPENCODE, &AGENTSCOPE, &PI];

/// Finds a dialect by its name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Dialect> {
    ALL.iter().copied().find(|dialect| dialect.id == id)
}
