//! The answer of `check`.

use agent_schema::Fate;
use serde::Serialize;

use crate::formats::Told;
use crate::json::Diagnostic;

/// Everything that is wrong, and what becomes of each file.
#[derive(Serialize)]
pub(crate) struct Checked<'a> {
    diagnostics: Vec<CheckedFinding<'a>>,
    files: Vec<CheckedFile<'a>>,
    summary: Summary,
}

/// A finding with those who make it.
#[derive(Serialize)]
pub(crate) struct CheckedFinding<'a> {
    #[serde(flatten)]
    diagnostic: Diagnostic<'a>,
    dialects: Vec<&'static str>,
    fingerprint: &'a str,
}

/// What a harness makes of a file, or of one definition inside it.
#[derive(Serialize)]
pub(crate) struct CheckedFile<'a> {
    pub(crate) file: &'a str,
    /// The keys that lead to the definition, if the file holds several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inside: Option<&'a str>,
    pub(crate) dialect: &'static str,
    pub(crate) outcome: &'static str,
    pub(crate) fate: Fate,
    /// What was decided about it among all that were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<&'static str>,
    pub(crate) lost: Vec<&'a str>,
    pub(crate) rights_widened: bool,
}

/// How much of it there is.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) infos: usize,
    /// Findings below the least severity that was asked for.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) quiet: usize,
    /// Findings that comments suppress.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) suppressed: usize,
    /// Findings that the baseline knows.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) known: usize,
    /// Findings that the baseline knows and that are not there any more.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) vanished: usize,
    /// Findings that `--fix` mends.
    pub(crate) fixable: usize,
    /// Further findings that `--unsafe-fixes` mends.
    pub(crate) fixable_unsafe: usize,
    /// Findings that are mended only where their files, outside of the project, are named.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) fixable_if_named: usize,
    pub(crate) files: usize,
    /// Files that the settings leave out.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) excluded: usize,
    pub(crate) fates: Fates,
    /// Files that load, and whose names others have.
    pub(crate) shadowed: usize,
}

/// How many files have each fate; of several readers of a file the one counts that makes the
/// least of it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Fates {
    loaded: usize,
    repaired: usize,
    degraded: usize,
    ignored: usize,
    rejected: usize,
    fatal: usize,
}

impl<'a> Checked<'a> {
    pub(crate) fn new(told: &'a [Told<'a>], files: Vec<CheckedFile<'a>>, summary: Summary) -> Self {
        Checked {
            diagnostics: told.iter().map(CheckedFinding::new).collect(),
            files,
            summary,
        }
    }
}

impl<'a> CheckedFinding<'a> {
    pub(crate) fn new(told: &'a Told<'a>) -> Self {
        CheckedFinding {
            diagnostic: Diagnostic::new(told.finding),
            dialects: told.dialects.clone(),
            fingerprint: &told.fingerprint,
        }
    }
}

impl Fates {
    /// Returns the number of files with a fate.
    pub(crate) fn of(&mut self, fate: Fate) -> &mut usize {
        match fate {
            Fate::Loaded => &mut self.loaded,
            Fate::Repaired => &mut self.repaired,
            Fate::Degraded => &mut self.degraded,
            Fate::Ignored => &mut self.ignored,
            Fate::Rejected => &mut self.rejected,
            Fate::Fatal => &mut self.fatal,
        }
    }

    /// Returns all numbers, the best fate first.
    pub(crate) fn all(&self) -> [(Fate, usize); 6] {
        [
            (Fate::Loaded, self.loaded),
            (Fate::Repaired, self.repaired),
            (Fate::Degraded, self.degraded),
            (Fate::Ignored, self.ignored),
            (Fate::Rejected, self.rejected),
            (Fate::Fatal, self.fatal),
        ]
    }
}

/// Numbers of what nobody asked for are left out while there is nothing to count.
fn is_none(number: &usize) -> bool {
    *number == 0
}
