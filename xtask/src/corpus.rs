//! Parses every file below a folder, counts what becomes of them, and how many can be mended.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agent_schema::dialect::{Dialect, Profile};
use agent_schema::{Fate, File, ParseInputs, Parsed, Severity, dialects, fix, parse_with, rules};

/// What is printed beside the counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// The files that no safe fix mends.
    pub(crate) list: bool,
    /// The lines that safe fixes change.
    pub(crate) diffs: bool,
}

/// Prints the fates and rules by count, and the share of the faulty files that safe fixes mend.
/// Succeeds if every file got a fate.
pub(crate) fn run(
    dialect: &str,
    dir: &Path,
    shown: Shown,
) -> Result<bool, Box<dyn std::error::Error>> {
    let dialect = dialects::find(dialect).ok_or_else(|| crate::unknown_dialect(dialect))?;
    let profile = dialect.default_profile();
    let mut tally = Tally::default();
    let files = files_below(dir)?;
    for path in &files {
        let bytes = fs::read(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = File {
            name: &name,
            bytes: &bytes,
        };
        let folder = path.parent().and_then(Path::file_name);
        let folder = folder.unwrap_or_default().to_string_lossy();
        let inputs = ParseInputs::new().folder(folder);
        let parsed = parse_with(file, dialect, profile, &inputs);
        let is_read = profile.rules.agents.files.accept(&name).is_ok();
        let mended =
            (is_read && parsed.fate != Fate::Loaded).then(|| mend(file, dialect, profile, &inputs));
        if let Some(mended) = &mended {
            if shown.list && !is_whole(&mended.parsed) {
                println!("{}: {}", path.display(), kind(&mended.parsed));
            }
            if shown.diffs && !mended.fixes.is_empty() {
                println!("{}: {}", path.display(), mended.fixes.join("; "));
                print_diff(&bytes, &mended.bytes);
            }
        }
        tally.count(&parsed, mended.as_ref().map(|mended| &mended.parsed));
    }
    println!(
        "{} files, read as {} {}",
        files.len(),
        dialect.title,
        profile.id
    );
    tally.print();
    Ok(tally.fates.values().sum::<usize>() == files.len())
}

fn mend(file: File<'_>, dialect: &Dialect, profile: &Profile, inputs: &ParseInputs) -> fix::Mended {
    let stem = profile.rules.agents.files.stem(file.name);
    fix::mend(file, stem, dialect, &profile.rules.reading, inputs, false)
}

/// Prints the lines between the first and the last one that differ, before and after.
fn print_diff(before: &[u8], after: &[u8]) {
    let lines = |bytes| {
        let text = String::from_utf8_lossy(bytes);
        text.split('\n').map(str::to_owned).collect::<Vec<_>>()
    };
    let (before, after) = (lines(before), lines(after));
    let pairs = before.iter().zip(&after);
    let start = pairs.take_while(|(one, other)| one == other).count();
    let rest = before.len().min(after.len()) - start;
    let pairs = before.iter().rev().zip(after.iter().rev()).take(rest);
    let end = pairs.take_while(|(one, other)| one == other).count();
    for (sign, lines) in [('-', &before), ('+', &after)] {
        for line in &lines[start..lines.len() - end] {
            println!("{sign} {line}");
        }
    }
}

/// Returns whether a file loads as it is written.
fn is_whole(parsed: &Parsed) -> bool {
    parsed.fate == Fate::Loaded && parsed.lost.is_empty()
}

/// Returns what keeps a file from loading as it is written: the first finding that counts, without
/// the words that differ from file to file.
fn kind(parsed: &Parsed) -> String {
    let mut findings = parsed.diagnostics.iter();
    let worst = |severity| move |finding: &&agent_schema::Diagnostic| finding.severity == severity;
    let finding = findings
        .clone()
        .find(worst(Severity::Error))
        .or_else(|| findings.find(worst(Severity::Warning)));
    let Some(finding) = finding else {
        return "no finding".to_owned();
    };
    let parts = finding.message.split('`').enumerate();
    let kept = parts.map(|(index, part)| if index % 2 == 0 { part } else { "`…`" });
    format!("{}: {}", finding.code(), kept.collect::<String>())
}

/// What was counted.
#[derive(Default)]
struct Tally {
    fates: BTreeMap<Fate, usize>,
    findings: BTreeMap<(Severity, &'static str), usize>,
    /// By the fate before.
    mends: BTreeMap<Fate, Mends>,
    /// By what is left.
    left: BTreeMap<String, usize>,
}

/// Files of one fate.
#[derive(Default)]
struct Mends {
    /// Those whose author wrote a header.
    with_header: usize,
    /// Those of them that load as they are written once the safe fixes are made.
    whole: usize,
    /// Those without a header that load as they are written once the safe fixes are made.
    whole_without_header: usize,
}

impl Tally {
    fn count(&mut self, parsed: &Parsed, mended: Option<&Parsed>) {
        *self.fates.entry(parsed.fate).or_default() += 1;
        for finding in &parsed.diagnostics {
            let key = (finding.severity, finding.code());
            *self.findings.entry(key).or_default() += 1;
        }
        let Some(mended) = mended else { return };
        let mends = self.mends.entry(parsed.fate).or_default();
        let mut findings = parsed.diagnostics.iter();
        let has_header = !findings.any(|finding| *finding.rule == rules::NO_HEADER);
        mends.with_header += usize::from(has_header);
        if is_whole(mended) {
            match has_header {
                true => mends.whole += 1,
                false => mends.whole_without_header += 1,
            }
        } else if has_header {
            *self.left.entry(kind(mended)).or_default() += 1;
        }
    }

    fn print(&self) {
        for (fate, count) in &self.fates {
            println!("  {count:>6} {}", fate.as_str());
        }
        println!("findings");
        for ((severity, code), count) in self.findings.iter().rev() {
            println!("  {count:>6} {severity}[{code}]");
        }
        println!("mended by safe fixes, of the files whose author wrote a header");
        for (fate, mends) in &self.mends {
            print_share(fate.as_str(), mends.whole, mends.with_header);
            if mends.whole_without_header > 0 {
                let more = mends.whole_without_header;
                println!("         and {more} {} without a header", fate.as_str());
            }
        }
        let both = [Fate::Rejected, Fate::Degraded];
        let both = || both.iter().filter_map(|fate| self.mends.get(fate));
        print_share(
            "rejected and degraded",
            both().map(|mends| mends.whole).sum(),
            both().map(|mends| mends.with_header).sum(),
        );
        println!("left");
        let mut left: Vec<_> = self.left.iter().collect();
        left.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (kind, count) in left {
            println!("  {count:>6} {kind}");
        }
    }
}

fn print_share(what: &str, part: usize, whole: usize) {
    if let Some(tenths) = (part * 1000 + whole / 2).checked_div(whole) {
        let (percent, tenth) = (tenths / 10, tenths % 10);
        println!("  {part:>6} of {whole:>5} {what}: {percent}.{tenth} %");
    }
}

/// Lists the files below a folder, sorted; links are not followed.
pub(crate) fn files_below(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder)? {
            let item = item?;
            match item.file_type()? {
                kind if kind.is_dir() => folders.push(item.path()),
                kind if kind.is_file() => files.push(item.path()),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}
