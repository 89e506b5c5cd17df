//! One command in one hostile project: what it answers, and what it costs.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Error;
use super::scenes::Scene;

/// A command that takes longer is ended; nothing may.
const LONGEST: Duration = Duration::from_secs(300);

/// How often the memory of a running command is looked at.
const PAUSE: Duration = Duration::from_millis(2);

/// A project in a temporary folder, which is gone with it.
pub(super) struct Project<'a> {
    scene: &'a Scene,
    folder: tempfile::TempDir,
    asked_in: PathBuf,
}

impl<'a> Project<'a> {
    /// Makes a hostile project.
    pub(super) fn make(scene: &'a Scene, size: usize) -> Result<Self, Error> {
        let folder = tempfile::Builder::new()
            .prefix("agentry-hostile-")
            .tempdir()?;
        for name in ["project", "home"] {
            fs::create_dir_all(folder.path().join(name))?;
        }
        let project = folder.path().join("project");
        (scene.make)(&project, size)?;
        Ok(Project {
            scene,
            folder,
            asked_in: project.join((scene.asked_in)(size)),
        })
    }

    /// Runs the command in it.
    pub(super) fn ask(&self, binary: &Path) -> Result<Seen, Error> {
        let spent_before = spent_by_children();
        let started = Instant::now();
        let mut child = Command::new(binary)
            .args(self.scene.command)
            .args(["--project", ".", "--home"])
            .arg(self.folder.path().join("home"))
            .current_dir(&self.asked_in)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or("no output")?;
        let errors = child.stderr.take().ok_or("no output")?;
        let output = thread::spawn(move || text_of(output));
        let errors = thread::spawn(move || text_of(errors));
        let (status, kibibytes) = watched(&mut child, started)?;
        let time = started.elapsed();
        let spent = match (spent_before, spent_by_children()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => time,
        };
        let output = output.join().map_err(|_| "the output cannot be read")?;
        let errors = errors.join().map_err(|_| "the output cannot be read")?;
        let code = status.and_then(|status| status.code());
        Ok(Seen {
            is_good: code.is_some_and(|code| code < 100),
            result: result(status, &errors),
            codes: codes(&output, self.scene.about),
            time,
            spent,
            kibibytes,
        })
    }
}

/// What a command did.
pub(super) struct Seen {
    /// Whether it came to an end of its own, without a panic.
    pub(super) is_good: bool,
    pub(super) result: String,
    codes: BTreeSet<String>,
    pub(super) time: Duration,
    /// The processor time in all threads, or the time where the system does not tell. Other programs
    /// make it longer by far less than the time.
    pub(super) spent: Duration,
    pub(super) kibibytes: u64,
}

impl Seen {
    /// Takes what cost less at another run of the same.
    pub(super) fn lower_to(&mut self, other: &Seen) {
        self.time = self.time.min(other.time);
        self.spent = self.spent.min(other.spent);
        self.kibibytes = self.kibibytes.min(other.kibibytes);
    }

    /// Returns the codes of the findings about the hostile file.
    pub(super) fn findings(&self) -> String {
        match self.codes.is_empty() {
            true => "none".to_owned(),
            false => Vec::from_iter(self.codes.iter().cloned()).join(", "),
        }
    }
}

/// Waits for the end of a command, and looks at its memory meanwhile.
fn watched(child: &mut Child, started: Instant) -> Result<(Option<ExitStatus>, u64), Error> {
    let mut kibibytes = 0;
    loop {
        kibibytes = peak_of(child.id()).unwrap_or(kibibytes).max(kibibytes);
        if let Some(status) = child.try_wait()? {
            return Ok((Some(status), kibibytes));
        }
        if started.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            return Ok((None, kibibytes));
        }
        thread::sleep(PAUSE);
    }
}

/// The processor time of all commands that were waited for so far.
fn spent_by_children() -> Option<Duration> {
    /// Linux counts in these steps for everybody, whatever it counts in for itself.
    const STEPS_PER_SECOND: u64 = 100;
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program ends with the last bracket; behind it, the 14th and 15th part are meant.
    let (_, parts) = status.rsplit_once(')')?;
    let mut parts = parts.split_whitespace().skip(13);
    let user: u64 = parts.next()?.parse().ok()?;
    let system: u64 = parts.next()?.parse().ok()?;
    Some(Duration::from_millis(
        (user + system) * 1_000 / STEPS_PER_SECOND,
    ))
}

fn text_of(mut from: impl Read) -> String {
    let mut bytes = Vec::new();
    // What was said before an error still counts.
    let _ = from.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The most memory that a process had at once, as far as it can be told.
fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn result(status: Option<ExitStatus>, errors: &str) -> String {
    match status.map(|status| status.code()) {
        None => format!("**ended after {LONGEST:?}**"),
        Some(None) => "**ended by a signal**".to_owned(),
        Some(Some(code)) if code < 100 => format!("exit {code}"),
        Some(Some(code)) => {
            let first = errors.lines().next().unwrap_or_default();
            format!("**exit {code}**: {first}")
        }
    }
}

/// The codes of the findings about a file, in lines of `--format concise`
/// (`path:line:column: severity[code] message`) or of text (`severity[code]: message`).
fn codes(output: &str, about: &str) -> BTreeSet<String> {
    let lines = output.lines().filter(|line| line.contains(about));
    let codes = lines.filter_map(|line| {
        // A path may hold brackets too.
        let severities = [": error[", ": warning[", ": info["];
        let concise = severities.iter().find_map(|it| line.split_once(it));
        let of_text = || {
            let severities = ["error[", "warning[", "info["];
            severities.iter().find_map(|it| line.strip_prefix(it))
        };
        let rest = concise.map(|(_, rest)| rest).or_else(of_text)?;
        let (code, _) = rest.split_once(']')?;
        Some(format!("`{code}`"))
    });
    codes.collect()
}
