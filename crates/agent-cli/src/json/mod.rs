//! The JSON that the command writes: stable, versioned, with types of its own.
//!
//! Paths are as given on the command line, joined with the rest by `/`. Lines and columns start
//! at 1, columns count characters, spans count bytes.

mod diagnostic;

mod check;
mod convert;
mod diff;
mod explain;
mod list;
mod parse;
mod reference;
mod show;
mod skills;
mod team;
#[cfg(feature = "watch")]
mod watch;

use agent_discovery::StopKind;
use serde::Serialize;

pub(crate) use check::{Checked, CheckedFile, CheckedFinding, Summary};
pub(crate) use convert::Converted;
pub(crate) use diagnostic::Diagnostic;
pub(crate) use diff::Differences;
pub(crate) use explain::{Explained, ExplainedFile, FileStory, Story};
pub(crate) use list::{Agent, Listing, Listings, Shared};
pub(crate) use parse::ParsedFile;
pub(crate) use reference::{DialectInfo, RuleInfo, Rules};
pub(crate) use show::{Shown, ShownByDialect};
pub(crate) use skills::{SkillAnswer, SkillList};
pub(crate) use team::TeamInfo;
#[cfg(feature = "watch")]
pub(crate) use watch::WatchLine;

/// The version of everything in this module.
const SCHEMA: u32 = 1;

/// An answer with the version of its form.
#[derive(Serialize)]
pub(crate) struct Versioned<T> {
    schema: u32,
    #[serde(flatten)]
    answer: T,
}

impl<T> Versioned<T> {
    pub(crate) fn new(answer: T) -> Self {
        Versioned {
            schema: SCHEMA,
            answer,
        }
    }
}

/// An answer about every dialect that was asked for.
#[derive(Serialize)]
pub(crate) struct ByDialect<T> {
    pub(crate) dialects: Vec<T>,
}

/// The stable code of how a harness stops, as the conformance cases write it.
fn stop_code(kind: StopKind) -> &'static str {
    match kind {
        StopKind::Raises => "raises",
        StopKind::Refuses => "rejected",
        StopKind::Hangs => "hang",
    }
}
