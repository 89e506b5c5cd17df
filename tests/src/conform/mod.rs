//! The cases of one harness, run against the crates.
//!
//! A folder of cases holds `parse/`, `discover/`, `registry/` and `factory/`, each in the format
//! that its README describes. Every case is checked under every profile that it speaks about.
//! Cases about skills name the harnesses that they speak about; `skills` has their format.

mod claude_code;
mod compare;
mod discover;
mod factory;
mod layers;
mod merged;
mod ops;
mod parse;
mod pi;
mod roster;
mod skills;
mod tree;
mod versions;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use agent_schema::Dialect;
use serde_json::Value;

pub use compare::Difference;
use versions::{Expectation, expectations};

/// What came out of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// Every check, in order.
    pub checks: Vec<Check>,
}

/// One case under one profile.
#[derive(Debug)]
pub struct Check {
    /// The kind of case: the name of its folder.
    pub kind: &'static str,
    /// The name of the case.
    pub case: String,
    /// The profile.
    pub profile: &'static str,
    /// Where the two disagree; empty if they agree.
    pub differences: Vec<Difference>,
}

/// Why a folder of cases cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// A file or folder cannot be read.
    #[error("read `{}`", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
    /// An expectation is no JSON.
    #[error("parse `{}`", path.display())]
    Json {
        /// The path.
        path: PathBuf,
        /// The reason.
        #[source]
        source: serde_json::Error,
    },
}

/// Runs all cases of a folder.
///
/// # Errors
/// If a case cannot be read. A case that disagrees is no error.
pub fn run(dialect: &'static Dialect, cases: &Path) -> Result<Report, CaseError> {
    let mut report = Report::default();
    if skills::are_in(cases) {
        skills::run(cases, &mut report)?;
        return Ok(report);
    }
    parse::run(dialect, &cases.join("parse"), &mut report)?;
    discover::run(dialect, &cases.join("discover"), &mut report)?;
    pi::run_trust(dialect, &cases.join("trust.json"), &mut report)?;
    for kind in ["registry", "factory"] {
        ops::run(dialect, kind, &cases.join(kind), &mut report)?;
    }
    Ok(report)
}

impl Report {
    /// Returns how many checks agree.
    #[must_use]
    pub fn agreed(&self) -> usize {
        let agreed = |check: &&Check| check.differences.is_empty();
        self.checks.iter().filter(agreed).count()
    }

    /// Returns the checks that disagree.
    pub fn disagreeing(&self) -> impl Iterator<Item = &Check> {
        self.checks
            .iter()
            .filter(|check| !check.differences.is_empty())
    }
}

/// Prints each difference, then a line for each kind and profile.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for check in self.disagreeing() {
            writeln!(f, "{}/{} ({})", check.kind, check.case, check.profile)?;
            for difference in &check.differences {
                writeln!(f, "    {difference}")?;
            }
        }
        let mut totals: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
        for check in &self.checks {
            let total = totals.entry((check.kind, check.profile)).or_default();
            total.0 += usize::from(check.differences.is_empty());
            total.1 += 1;
        }
        for ((kind, profile), (agreed, all)) in totals {
            writeln!(f, "{kind:<9} {profile:<14} {agreed:>4} of {all} agree")?;
        }
        write!(f, "{} of {} checks agree", self.agreed(), self.checks.len())
    }
}

/// Lists the entries of a folder by name; a folder that is not there is empty.
fn list(dir: &Path) -> Result<Vec<PathBuf>, CaseError> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let failed = |source| CaseError::Read {
        path: dir.to_owned(),
        source,
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<Vec<u8>, CaseError> {
    std::fs::read(path).map_err(|source| CaseError::Read {
        path: path.to_owned(),
        source,
    })
}

fn read_json(path: &Path) -> Result<Value, CaseError> {
    serde_json::from_slice(&read(path)?).map_err(|source| CaseError::Json {
        path: path.to_owned(),
        source,
    })
}

/// Returns the name of a case: of a folder its name, of a file the name without its suffix.
fn file_stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}
