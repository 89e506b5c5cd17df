//! Parses every file below a folder, counts what becomes of them, and how many can be mended.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agent_schema::dialect::{Dialect, Profile};
use agent_schema::{
    Applicability, Diagnostic, Fate, FieldName, File, ParseInputs, Parsed, Rule, Severity,
    dialects, fix, parse_with, rules,
};

/// What is printed beside the counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// The files that no safe fix mends.
    pub(crate) list: bool,
    /// The lines that safe fixes change.
    pub(crate) diffs: bool,
}

/// Prints for each folder, read by its dialect, the fates and rules by count, and the share of the
/// faulty files that safe fixes mend; behind several folders the sum of all. Succeeds if every file
/// got a fate.
pub(crate) fn run(pairs: &[String], shown: Shown) -> Result<bool, Box<dyn std::error::Error>> {
    let mut all = Tally::default();
    let mut files = 0;
    let (pairs, rest) = pairs.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("each dialect needs a folder".into());
    }
    for [dialect, dir] in pairs {
        let (count, tally) = read(dialect, Path::new(dir), shown)?;
        files += count;
        all.join(tally);
    }
    if pairs.len() > 1 {
        println!("{files} readings of files in all");
        all.print_fates();
        all.print_mends();
    }
    Ok(all.fates.values().sum::<usize>() == files)
}

/// Reads a folder and prints what became of its files. Returns how many there are, too.
fn read(
    dialect: &str,
    dir: &Path,
    shown: Shown,
) -> Result<(usize, Tally), Box<dyn std::error::Error>> {
    let (dialect, asked) = reading_of(dialect)?;
    let mut tally = Tally::default();
    let files = files_below(dir)?;
    let mut readers: BTreeSet<&str> = BTreeSet::new();
    for path in &files {
        let profile = asked.unwrap_or_else(|| written_for(dialect, path));
        readers.insert(profile.id);
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
        let faulty = is_read && parsed.fate != Fate::Loaded;
        let mended = faulty.then(|| mend(file, dialect, profile, &inputs, false));
        if let Some(mended) = &mended {
            if shown.list && !is_whole(&mended.parsed) {
                println!("{}: {}", path.display(), kind(&mended.parsed));
            }
            if shown.diffs && !mended.fixes.is_empty() {
                println!("{}: {}", path.display(), mended.fixes.join("; "));
                print_diff(&bytes, &mended.bytes);
            }
        }
        let result = mended.map(|mended| {
            Mending::of(&mended.parsed, || {
                mend(file, dialect, profile, &inputs, true).parsed
            })
        });
        tally.count(&parsed, result);
    }
    println!(
        "{} files, read as {} {}",
        files.len(),
        dialect.title,
        readers.into_iter().collect::<Vec<_>>().join(", ")
    );
    tally.print();
    Ok((files.len(), tally))
}

/// Folders of a corpus whose files are written for another profile than the default one of their
/// dialect: (folder, dialect, profile). They are named after the repositories that bring the loaders.
const WRITTEN_FOR: &[(&str, &str, &str)] = &[
    ("badlogic__pi-mono", "pi", "example-1.6.0"),
    ("mjakl__pi-subagent", "pi", "mjakl-3.0.1"),
    ("nicobailon__pi-subagents", "pi", "pi-subagents-0.67.0"),
    ("tintinweb__pi-subagents", "pi", "tintinweb-0.18.0"),
];

/// Returns the profile for which a file of a corpus is written, by its folders.
fn written_for(dialect: &'static Dialect, path: &Path) -> &'static Profile {
    let mut known = WRITTEN_FOR.iter();
    let known = known.find(|(folder, of, _)| {
        *of == dialect.id && path.components().any(|part| part.as_os_str() == *folder)
    });
    let profile = known.and_then(|(.., profile)| dialect.profile(profile));
    profile.unwrap_or_else(|| dialect.default_profile())
}

/// Reads `DIALECT` or `DIALECT@PROFILE`.
fn reading_of(
    name: &str,
) -> Result<(&'static Dialect, Option<&'static Profile>), Box<dyn std::error::Error>> {
    let (name, profile) = match name.split_once('@') {
        Some((name, profile)) => (name, Some(profile)),
        None => (name, None),
    };
    let dialect = dialects::find(name).ok_or_else(|| crate::unknown_dialect(name))?;
    let profile = profile.map(|id| {
        let profile = dialect.profile(id);
        profile.ok_or_else(|| format!("{} has no profile `{id}`", dialect.title))
    });
    Ok((dialect, profile.transpose()?))
}

fn mend(
    file: File<'_>,
    dialect: &Dialect,
    profile: &Profile,
    inputs: &ParseInputs,
    unsafe_too: bool,
) -> fix::Mended {
    let stem = profile.rules.agents.files.stem(file.name);
    let reading = &profile.rules.reading;
    fix::mend(file, stem, dialect, reading, inputs, unsafe_too)
}

/// Findings of which no file can be rid that keeps what its author meant: (rule, field, the fixes
/// for which that holds). No harness that has them knows a way to write it.
const UNSAYABLE: &[(&Rule, Option<FieldName>)] = &[
    // A rule in parentheses that is not heeded; settings are the place for it.
    (&rules::TOOL_RULE_IGNORED, None),
    // A grey among bright colours, and words that are no colour.
    (&rules::IGNORED_VALUE, Some(FieldName::COLOR)),
];

/// Findings that only the author can mend, by writing what is missing.
const UNWRITTEN: &[&Rule] = &[
    &rules::MISSING_FIELD,
    &rules::SKILL_DESCRIPTION_MISSING,
    &rules::SKILL_DESCRIPTION_EMPTY,
];

/// What safe fixes make of a faulty file.
enum Mending {
    /// It loads as it is written.
    Whole,
    /// It does not, and unsafe fixes would help.
    Unsafe(String),
    /// It does not, because the harness has no way to say what is meant.
    Unsayable,
    /// It does not, because something was never written.
    Unwritten,
    /// It does not.
    Left(String),
}

impl Mending {
    /// `all_fixes` makes those fixes too that are not safe.
    fn of(mended: &Parsed, all_fixes: impl FnOnce() -> Parsed) -> Mending {
        let weighs = |finding: &&Diagnostic| finding.severity > Severity::Info;
        let unsayable = |finding: &Diagnostic| {
            UNSAYABLE.iter().any(|(rule, field)| {
                finding.rule == *rule && (field.is_none() || *field == finding.field)
            })
        };
        let unwritten = |finding: &Diagnostic| {
            let shows = |fix: &agent_schema::Fix| fix.applicability == Applicability::ShowOnly;
            UNWRITTEN.contains(&finding.rule) && finding.fix.as_deref().is_some_and(shows)
        };
        let mut findings = mended.diagnostics.iter().filter(weighs);
        let loads = mended.fate <= Fate::Degraded;
        let is_unsayable = |field: &FieldName| {
            let mut findings = mended.diagnostics.iter();
            findings
                .any(|finding| unsayable(finding) && finding.field.is_none_or(|it| it == *field))
        };
        if is_whole(mended) {
            Mending::Whole
        } else if loads && mended.lost.iter().any(is_unsayable) {
            Mending::Unsayable
        } else if findings.any(unwritten) {
            Mending::Unwritten
        } else if is_whole(&all_fixes()) {
            Mending::Unsafe(kind(mended))
        } else {
            Mending::Left(kind(mended))
        }
    }
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

/// Files of one fate whose author wrote a header.
#[derive(Debug, Default, Clone, Copy)]
struct Mends {
    all: usize,
    /// Those that load as they are written once the safe fixes are made.
    whole: usize,
    /// Those that no file of the harness can say.
    unsayable: usize,
    /// Those in which something was never written.
    unwritten: usize,
    /// Those that load as they are written once all fixes are made.
    whole_unsafely: usize,
    /// Those without a header that load as they are written once the safe fixes are made.
    whole_without_header: usize,
}

impl Mends {
    fn join(self, other: Mends) -> Mends {
        Mends {
            all: self.all + other.all,
            whole: self.whole + other.whole,
            unsayable: self.unsayable + other.unsayable,
            unwritten: self.unwritten + other.unwritten,
            whole_unsafely: self.whole_unsafely + other.whole_unsafely,
            whole_without_header: self.whole_without_header + other.whole_without_header,
        }
    }
}

impl Tally {
    fn count(&mut self, parsed: &Parsed, mending: Option<Mending>) {
        *self.fates.entry(parsed.fate).or_default() += 1;
        for finding in &parsed.diagnostics {
            let key = (finding.severity, finding.code());
            *self.findings.entry(key).or_default() += 1;
        }
        let Some(mending) = mending else { return };
        let mends = self.mends.entry(parsed.fate).or_default();
        // Where a file without a header is refused for what is missing, there is no header either.
        let mut findings = parsed.diagnostics.iter();
        let has_header = !findings.any(|finding| *finding.rule == rules::NO_HEADER);
        if !has_header {
            mends.whole_without_header += usize::from(matches!(mending, Mending::Whole));
            return;
        }
        mends.all += 1;
        match mending {
            Mending::Whole => mends.whole += 1,
            Mending::Unsayable => mends.unsayable += 1,
            Mending::Unwritten => mends.unwritten += 1,
            Mending::Unsafe(kind) => {
                mends.whole_unsafely += 1;
                *self
                    .left
                    .entry(format!("{kind} (unsafe fixes mend it)"))
                    .or_default() += 1;
            }
            Mending::Left(kind) => *self.left.entry(kind).or_default() += 1,
        }
    }

    /// Adds what was counted elsewhere.
    fn join(&mut self, other: Tally) {
        for (fate, count) in other.fates {
            *self.fates.entry(fate).or_default() += count;
        }
        for (fate, mends) in other.mends {
            let own = self.mends.entry(fate).or_default();
            *own = own.join(mends);
        }
    }

    fn print(&self) {
        self.print_fates();
        println!("findings");
        for ((severity, code), count) in self.findings.iter().rev() {
            println!("  {count:>6} {severity}[{code}]");
        }
        self.print_mends();
        println!("left of the others");
        let mut left: Vec<_> = self.left.iter().collect();
        left.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (kind, count) in left {
            println!("  {count:>6} {kind}");
        }
    }

    fn print_fates(&self) {
        for (fate, count) in &self.fates {
            println!("  {count:>6} {}", fate.as_str());
        }
    }

    fn print_mends(&self) {
        println!("mended by safe fixes, of the files whose author wrote a header");
        for (fate, mends) in &self.mends {
            print_share(fate.as_str(), mends.whole, mends.all);
            if mends.whole_without_header > 0 {
                let more = mends.whole_without_header;
                println!("         and {more} {} without a header", fate.as_str());
            }
        }
        let both = [Fate::Fatal, Fate::Rejected, Fate::Degraded];
        let both = both.iter().filter_map(|fate| self.mends.get(fate));
        let both = both.fold(Mends::default(), |sum, mends| sum.join(*mends));
        print_share("fatal, rejected and degraded", both.whole, both.all);
        println!("  {:>6} no file of this harness can say", both.unsayable);
        println!("  {:>6} only their author can complete", both.unwritten);
        let mendable = both.all - both.unsayable - both.unwritten;
        print_share("the others", both.whole, mendable);
        let all_fixes = both.whole + both.whole_unsafely;
        print_share("the others, with unsafe fixes too", all_fixes, mendable);
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
