//! What becomes of each finding: whether it counts, is only shown, or is hidden, and by what.

use std::collections::BTreeSet;

use agent_discovery::dialects_at;
use agent_schema::suppression::{Suppression, suppressions};
use agent_schema::{Definition, Dialect, LineIndex, Severity};

use crate::commands::check::baseline::Baseline;
use crate::commands::check::gather::{Checked, Files, Noted};
use crate::commands::check::selection::Selection;
use crate::request::Request;
use crate::settings::Settings;

/// What becomes of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is shown and decides how the command ends.
    Counts,
    /// It is shown.
    Shown,
    /// It matters less than what is shown.
    Quiet,
    /// Its rule is off.
    Off,
    /// A comment in the file says that it is known.
    Suppressed,
    /// The baseline knows it.
    Known,
}

impl Standing {
    pub(super) fn is_shown(self) -> bool {
        matches!(self, Standing::Counts | Standing::Shown)
    }
}

/// Everything that says what becomes of findings.
pub(super) struct Sieve<'a> {
    pub(super) request: &'a Request,
    pub(super) settings: &'a Settings,
    pub(super) selection: &'a Selection,
    pub(super) baseline: Option<&'a Baseline>,
    /// Whether all is checked that there is. A part does not tell that a comment is superfluous.
    pub(super) is_whole: bool,
}

impl Sieve<'_> {
    /// Decides about all findings.
    pub(super) fn sift(&self, files: &mut Files) {
        for checked in files.files.values_mut() {
            let off = self.settings.off_for(self.request, &checked.path);
            self.comments(checked);
            for noted in &mut checked.findings {
                let code = noted.diagnostic.code();
                let severity = self.selection.severity(&noted.diagnostic);
                noted.standing = match severity {
                    None => Standing::Off,
                    Some(_) if noted.standing == Standing::Suppressed => Standing::Suppressed,
                    Some(_) if off.iter().any(|off| off.selects(code)) => Standing::Off,
                    Some(severity) => {
                        noted.diagnostic.severity = severity;
                        self.standing(severity)
                    }
                };
            }
        }
        if let Some(baseline) = self.baseline {
            baseline.hide(self.request, files);
        }
    }

    fn standing(&self, severity: Severity) -> Standing {
        if severity >= self.selection.counted {
            Standing::Counts
        } else if severity >= self.selection.shown {
            Standing::Shown
        } else {
            Standing::Quiet
        }
    }

    /// Marks what the comments of a file cover, and adds what is wrong with the comments.
    fn comments(&self, checked: &mut Checked) {
        let Some(bytes) = checked.bytes.clone() else {
            return;
        };
        let name = checked.path.file_name().unwrap_or_default();
        let definitions = checked.readings.iter();
        let definitions: Vec<&Definition> = definitions
            .filter_map(|reading| reading.definition.as_deref())
            .collect();
        let found = suppressions(&name.to_string_lossy(), &bytes, &definitions);
        if found.is_empty() {
            return;
        }
        let index = LineIndex::new(&bytes);
        let line = |noted: &Noted| {
            let span = noted.diagnostic.span?;
            Some(index.line(span.start))
        };
        let mut used = BTreeSet::new();
        cover(&found, &mut checked.findings, &mut used, &line);
        let readers: Vec<&'static Dialect> = checked.dialects();
        let is_whole = self.is_whole && self.reads_all(checked);
        for (number, suppression) in found.iter().enumerate() {
            let is_used = |code: usize| !is_whole || used.contains(&(number, code));
            for diagnostic in suppression.faults(is_used) {
                let noted = Noted {
                    diagnostic,
                    dialects: readers.clone(),
                    standing: Standing::Counts,
                };
                checked.findings.push(noted);
            }
        }
        // Such a comment can itself be about comments.
        cover(&found, &mut checked.findings, &mut used, &line);
    }

    /// Returns whether all harnesses were asked that read the file.
    fn reads_all(&self, checked: &Checked) -> bool {
        let readers = checked.dialects();
        let asked = |dialect: &Dialect| readers.iter().any(|reader| reader.id == dialect.id);
        let mut told = dialects_at(&self.request.full(&checked.path)).into_iter();
        self.request.common.dialect.is_none() || told.all(asked)
    }
}

impl Checked {
    /// The dialects that read it.
    fn dialects(&self) -> Vec<&'static Dialect> {
        let mut dialects: Vec<&'static Dialect> = Vec::new();
        for reading in &self.readings {
            if !dialects.iter().any(|known| known.id == reading.dialect.id) {
                dialects.push(reading.dialect);
            }
        }
        dialects
    }
}

fn cover(
    found: &[Suppression],
    findings: &mut [Noted],
    used: &mut BTreeSet<(usize, usize)>,
    line: &impl Fn(&Noted) -> Option<u32>,
) {
    for noted in findings {
        let at = line(noted);
        let code = noted.diagnostic.code();
        for (number, suppression) in found.iter().enumerate() {
            if let Some(covering) = suppression.covering(code, at) {
                used.insert((number, covering));
                noted.standing = Standing::Suppressed;
            }
        }
    }
}
