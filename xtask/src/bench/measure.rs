//! What is measured, each in a process of its own: time, processor time, peak memory.

use std::fs;
use std::path::Path;
use std::time::Instant;

use agent_discovery::{DiskTree, Inputs, discover};
use agent_registry::{Registration, admit_all};
use agent_schema::{File, dialects, parse};

/// What a process needed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) wall_ms: f64,
    /// In all threads.
    pub(super) cpu_ms: f64,
    pub(super) peak_kb: u64,
    /// How many files it looked at, to show that it did.
    pub(super) files: usize,
    /// The bytes of what it holds at the end: files, or definitions.
    pub(super) bytes: u64,
}

/// Does a piece of work in this process and prints what it cost.
pub(super) fn run(
    work: &str,
    project: &Path,
    dialect: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let before = cpu_ms();
    let started = Instant::now();
    let (files, bytes) = match work {
        "read" => read(project)?,
        "parse" => parse_all(project, dialect)?,
        "chain" => chain(project, dialect)?,
        other => return Err(format!("no work `{other}`").into()),
    };
    let wall_ms = started.elapsed().as_secs_f64() * 1_000.0;
    let cpu = cpu_ms() - before;
    println!("{wall_ms} {cpu} {} {files} {bytes}", peak_kb());
    Ok(())
}

/// Reads what [`run`] printed.
pub(super) fn cost(printed: &str) -> Option<Cost> {
    let mut parts = printed.split_whitespace();
    Some(Cost {
        wall_ms: parts.next()?.parse().ok()?,
        cpu_ms: parts.next()?.parse().ok()?,
        peak_kb: parts.next()?.parse().ok()?,
        files: parts.next()?.parse().ok()?,
        bytes: parts.next()?.parse().ok()?,
    })
}

/// The limit: lists the folders and reads every file, one after another, and keeps nothing.
pub(super) fn read(folder: &Path) -> std::io::Result<(usize, u64)> {
    let (mut files, mut bytes) = (0, 0);
    for item in fs::read_dir(folder)? {
        let item = item?;
        if item.file_type()?.is_dir() {
            let (more_files, more_bytes) = read(&item.path())?;
            files += more_files;
            bytes += more_bytes;
        } else {
            bytes += fs::read(item.path())?.len() as u64;
            files += 1;
        }
    }
    Ok((files, bytes))
}

/// Reads and parses every file, without a search and without a registry, in one thread.
fn parse_all(folder: &Path, dialect: &str) -> Result<(usize, u64), Box<dyn std::error::Error>> {
    let rules = dialects::find(dialect).ok_or("no such dialect")?;
    let (mut files, mut loaded) = (0, 0);
    for item in fs::read_dir(folder)? {
        let item = item?;
        if item.file_type()?.is_dir() {
            let (more, some) = parse_all(&item.path(), dialect)?;
            files += more;
            loaded += some;
            continue;
        }
        let bytes = fs::read(item.path())?;
        let name = item.file_name();
        let file = File {
            name: &name.to_string_lossy(),
            bytes: &bytes,
        };
        let parsed = parse(file, rules, rules.default_profile());
        loaded += u64::from(parsed.outcome.definition().is_some());
        files += 1;
    }
    Ok((files, loaded))
}

/// The whole chain: finds, parses, and registers.
fn chain(project: &Path, dialect: &str) -> Result<(usize, u64), Box<dyn std::error::Error>> {
    let dialect = dialects::find(dialect).ok_or("no such dialect")?;
    let profile = dialect.default_profile();
    let mut inputs = Inputs::new().project(project);
    inputs.trusted = Some(true);
    let mut registration = Registration::new(dialect, profile);
    registration.register_files(discover(&DiskTree, dialect, profile, &inputs), admit_all)?;
    let registry = registration.without_builtins();
    let contenders = registry.contenders().iter();
    let kept = contenders
        .filter_map(|it| it.bytes.as_ref())
        .map(|bytes| bytes.len() as u64);
    let from_files = registry.active().filter(|(_, it)| it.bytes.is_some());
    Ok((from_files.count(), kept.sum()))
}

/// The processor time of this process so far, in milliseconds.
fn cpu_ms() -> f64 {
    // User and system time are the fields 14 and 15, counted from behind the name in parentheses,
    // in ticks of a hundredth of a second.
    const MS_PER_TICK: f64 = 10.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        * MS_PER_TICK
}

/// The most memory that this process ever held, in KiB.
fn peak_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}
