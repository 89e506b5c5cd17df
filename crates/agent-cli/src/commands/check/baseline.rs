//! The findings that a project already knows: they are hidden and do not count.
//!
//! A finding is known again by its file, its code, and a fingerprint of what it says and of the
//! bytes that it is about. Lines do not matter, so it may move.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agent_discovery::{DiskTree, FileError, FileTree};
use serde::{Deserialize, Serialize};

use crate::commands::check::gather::{Checked, Files, Noted};
use crate::commands::check::sift::Standing;
use crate::failure::Failure;
use crate::request::Request;
use crate::settings::below;

/// The version of the file.
const SCHEMA: u32 = 1;

/// The most bytes of it that are read.
const MOST_BYTES: usize = 64 << 20;

/// The known findings.
#[derive(Debug)]
pub(super) struct Baseline {
    /// The folder of the file, without links; paths in it begin there.
    folder: PathBuf,
    known: BTreeMap<Key, usize>,
}

/// What a finding is known by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    file: String,
    code: String,
    fingerprint: String,
}

/// The file, as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    schema: u32,
    findings: Vec<WrittenFinding>,
}

#[derive(Serialize, Deserialize)]
struct WrittenFinding {
    file: String,
    code: String,
    fingerprint: String,
    /// What it said when it was written; for people.
    message: String,
    count: usize,
}

impl Baseline {
    /// Reads the file.
    pub(super) fn read(request: &Request, file: &Path) -> Result<Self, Failure> {
        let cannot_read = |error: FileError| request.cannot_read(file, &error);
        let bytes = DiskTree.read(file, MOST_BYTES).map_err(cannot_read)?;
        let is_none = |why: String| {
            let shown = request.paths.show(file);
            Failure::new(format!("`{shown}` is no file of known findings: {why}"))
                .help("write it anew with `--write-baseline`")
        };
        let written: Written =
            serde_json::from_slice(&bytes).map_err(|error| is_none(error.to_string()))?;
        if written.schema != SCHEMA {
            return Err(is_none(format!("it has version {}", written.schema)));
        }
        let mut known = BTreeMap::new();
        for finding in written.findings {
            let key = Key {
                file: finding.file,
                code: finding.code,
                fingerprint: finding.fingerprint,
            };
            *known.entry(key).or_default() += finding.count;
        }
        let folder = folder_of(request, file)?;
        Ok(Baseline { folder, known })
    }

    /// Hides what is known.
    pub(super) fn hide(&self, request: &Request, files: &mut Files) {
        let mut left = self.known.clone();
        for checked in files.files.values_mut() {
            let file = path_in(&self.folder, request, &checked.path);
            let keys: Vec<Key> = checked
                .findings
                .iter()
                .map(|noted| Key::of(&file, checked, noted))
                .collect();
            for (noted, key) in checked.findings.iter_mut().zip(keys) {
                let is_hidden = matches!(noted.standing, Standing::Off | Standing::Suppressed);
                if let Some(count) = left.get_mut(&key).filter(|count| **count > 0)
                    && !is_hidden
                {
                    *count -= 1;
                    noted.standing = Standing::Known;
                }
            }
        }
    }

    /// Counts the known findings that are not there any more, among those of files that were
    /// checked, or of all files if everything was. `is_on` tells whether a rule counts at all.
    pub(super) fn vanished(
        &self,
        request: &Request,
        files: &Files,
        is_whole: bool,
        is_on: impl Fn(&str) -> bool,
    ) -> usize {
        let mut found: BTreeMap<Key, usize> = BTreeMap::new();
        let mut checked_files = Vec::new();
        for checked in files.files.values() {
            let file = path_in(&self.folder, request, &checked.path);
            for noted in &checked.findings {
                *found.entry(Key::of(&file, checked, noted)).or_default() += 1;
            }
            checked_files.push(file);
        }
        checked_files.sort();
        let gone = |(key, count): (&Key, &usize)| {
            let is_meant = is_whole || checked_files.binary_search(&key.file).is_ok();
            let left = found.get(key).copied().unwrap_or_default();
            match is_meant && is_on(&key.code) {
                true => count.saturating_sub(left),
                false => 0,
            }
        };
        self.known.iter().map(gone).sum()
    }
}

/// Writes the findings that are shown as known ones. Returns the text and how many there are.
pub(super) fn written(
    request: &Request,
    file: &Path,
    files: &Files,
) -> Result<(String, usize), Failure> {
    let folder = folder_of(request, file)?;
    let mut known: BTreeMap<Key, (String, usize)> = BTreeMap::new();
    for checked in files.files.values() {
        let path = path_in(&folder, request, &checked.path);
        let shown = checked.findings.iter();
        for noted in shown.filter(|noted| noted.standing.is_shown()) {
            let key = Key::of(&path, checked, noted);
            let message = || (noted.diagnostic.message.to_string(), 0);
            known.entry(key).or_insert_with(message).1 += 1;
        }
    }
    let findings = known
        .into_iter()
        .map(|(key, (message, count))| WrittenFinding {
            file: key.file,
            code: key.code,
            fingerprint: key.fingerprint,
            message,
            count,
        });
    let written = Written {
        schema: SCHEMA,
        findings: findings.collect(),
    };
    let count = written.findings.iter().map(|finding| finding.count).sum();
    let mut text = serde_json::to_string_pretty(&written)
        .map_err(|error| Failure::new(format!("cannot write JSON: {error}")))?;
    text.push('\n');
    Ok((text, count))
}

impl Key {
    fn of(file: &str, checked: &Checked, noted: &Noted) -> Self {
        Key {
            file: file.to_owned(),
            code: noted.diagnostic.code().to_owned(),
            fingerprint: fingerprint(checked.bytes.as_deref(), noted),
        }
    }
}

/// Returns what a finding says and is about, as a number that stays the same wherever it stands.
pub(super) fn fingerprint(bytes: Option<&[u8]>, noted: &Noted) -> String {
    let diagnostic = &noted.diagnostic;
    let about = bytes
        .zip(diagnostic.span)
        .and_then(|(bytes, span)| bytes.get(span.start as usize..span.end as usize));
    let parts = [
        diagnostic.code().as_bytes(),
        diagnostic.message.as_bytes(),
        about.unwrap_or_default().trim_ascii(),
    ];
    // FNV-1a: the same on every machine and in every version.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in parts.join(&0) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The real folder in which a file lies or will lie.
fn folder_of(request: &Request, file: &Path) -> Result<PathBuf, Failure> {
    let full = request.full(file);
    let folder = full.parent().unwrap_or(Path::new("/"));
    let real = DiskTree.real_path(folder);
    real.map_err(|error| request.cannot_read(folder, &error))
}

/// A path as the file has it: below its folder, below the home, or from the root on.
fn path_in(folder: &Path, request: &Request, path: &Path) -> String {
    let home = request.common.home.as_ref();
    let home = home.or(request.environment.home.as_ref());
    let home = home.and_then(|home| DiskTree.real_path(home).ok());
    let below_home = || {
        let below = below(home.as_deref()?, request, path)?;
        Some(format!("~/{below}"))
    };
    below(folder, request, path)
        .or_else(below_home)
        .unwrap_or_else(|| path.to_string_lossy().into_owned())
}
