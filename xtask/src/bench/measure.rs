//! What is measured, each in a process of its own: time, processor time, peak memory.

use std::fs;
use std::path::Path;
use std::time::Instant;

use agent_discovery::{DiskTree, Inputs, discover};
use agent_registry::{Registration, Registry, admit_all};
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
    let clock = Clock::start();
    let ((files, bytes), (wall_ms, cpu)) = match work {
        "read" => (read(project)?, clock.spent()),
        "parse" => (parse_all(project, dialect)?, clock.spent()),
        "chain" => {
            let registry = chain(project, dialect)?;
            // A harness keeps what it registers: giving the memory back is no part of the road.
            let spent = clock.spent();
            (kept(&registry), spent)
        }
        "reparse" => return reparse(project, dialect),
        other => return Err(format!("no work `{other}`").into()),
    };
    println!("{wall_ms} {cpu} {} {files} {bytes}", peak_kb());
    Ok(())
}

/// What a piece of work takes, from its start on.
struct Clock {
    started: Instant,
    cpu_ms: f64,
}

impl Clock {
    fn start() -> Self {
        Clock {
            cpu_ms: cpu_ms(),
            started: Instant::now(),
        }
    }

    /// Returns the time and the processor time since the start, in milliseconds.
    fn spent(&self) -> (f64, f64) {
        let wall_ms = self.started.elapsed().as_secs_f64() * 1_000.0;
        (wall_ms, cpu_ms() - self.cpu_ms)
    }
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

/// Parses one file again and again, as an editor does, and prints the fastest and the middle time
/// in milliseconds.
fn reparse(path: &Path, dialect: &str) -> Result<(), Box<dyn std::error::Error>> {
    const TIMES: usize = 301;
    let rules = dialects::find(dialect).ok_or("no such dialect")?;
    let bytes = fs::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = File {
        name: &name,
        bytes: &bytes,
    };
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let started = Instant::now();
        let parsed = parse(file, rules, rules.default_profile());
        times.push(started.elapsed().as_secs_f64() * 1_000.0);
        if parsed.outcome.definition().is_none() {
            return Err("the file is no agent".into());
        }
    }
    times.sort_by(f64::total_cmp);
    println!("{} {}", times[0], times[TIMES / 2]);
    Ok(())
}

/// The whole chain: finds, parses, and registers.
fn chain(project: &Path, dialect: &str) -> Result<Registry, Box<dyn std::error::Error>> {
    let dialect = dialects::find(dialect).ok_or("no such dialect")?;
    let profile = dialect.default_profile();
    let mut inputs = Inputs::new().project(project);
    inputs.trusted = Some(true);
    let mut registration = Registration::new(dialect, profile);
    registration.register_files(discover(&DiskTree, dialect, profile, &inputs), admit_all)?;
    Ok(registration.without_builtins())
}

/// Counts the agents of files, and the bytes that are kept of them.
fn kept(registry: &Registry) -> (usize, u64) {
    let contenders = registry.contenders().iter();
    let kept = contenders
        .filter_map(|it| it.bytes.as_ref())
        .map(|bytes| bytes.len() as u64);
    let from_files = registry.active().filter(|(_, it)| it.bytes.is_some());
    (from_files.count(), kept.sum())
}

/// The processor time of this process so far, in all threads, in milliseconds.
#[cfg(unix)]
fn cpu_ms() -> f64 {
    use rustix::time::{ClockId, clock_gettime};

    let spent = clock_gettime(ClockId::ProcessCPUTime);
    spent.tv_sec as f64 * 1e3 + spent.tv_nsec as f64 / 1e6
}

/// Other systems are not asked.
#[cfg(not(unix))]
fn cpu_ms() -> f64 {
    f64::NAN
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
