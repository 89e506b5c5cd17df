#![doc = include_str!("../README.md")]

mod contender;
mod heirs;
mod holders;
mod registration;

mod registry;

mod compare;
mod explain;
mod roster;

pub use compare::{Change, Comparison, same_place, same_verdict};
pub use contender::{Contender, ContenderId, Decision, Verdict};
pub use explain::{Explanation, NearMiss};
pub use registration::{Aborted, Builtins, DuplicateAgent, Registration, Sources, admit_all};
pub use registry::{Found, MOST_STANDING, Provenance, Registry, UnknownAgent};
pub use roster::RosterRow;
