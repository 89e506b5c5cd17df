//! Hostile inputs, made afresh in a temporary folder, and what the command does with each: the table in
//! `docs/robustness.md`.

mod scenes;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use scenes::{SCENES, Scene};

type Error = Box<dyn std::error::Error>;

/// A command that takes longer is ended; nothing may.
const LONGEST: Duration = Duration::from_secs(300);

/// How often the memory of a running command is looked at.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs all scenes, or those whose name holds a word, and prints the table.
pub(crate) fn run(binary: Option<PathBuf>, only: Option<&str>) -> Result<bool, Error> {
    let binary = match binary {
        Some(binary) => binary,
        None => beside_us()?,
    };
    if !binary.is_file() {
        return Err(format!(
            "`{}` is missing; run `cargo build --release -p agent-cli` first",
            binary.display()
        )
        .into());
    }
    println!("| input | result | findings | time | memory |");
    println!("| --- | --- | --- | --- | --- |");
    let mut good = true;
    for scene in SCENES {
        if only.is_some_and(|word| !scene.name.contains(word)) {
            continue;
        }
        let folder = std::env::temp_dir().join(format!("agentry-hostile-{}", std::process::id()));
        let made = make(scene, &folder).and_then(|()| measure(&binary, scene, &folder));
        fs::remove_dir_all(&folder)?;
        let seen = made?;
        good &= seen.is_good;
        println!(
            "| {} | {} | {} | {} | {} |",
            scene.name,
            seen.result,
            seen.findings,
            rounded_time(seen.time),
            rounded_memory(seen.kibibytes)
        );
    }
    Ok(good)
}

/// The release build beside the build that is running.
fn beside_us() -> Result<PathBuf, Error> {
    let here = std::env::current_exe()?;
    let target = here.parent().and_then(Path::parent);
    let target = target.ok_or("the running program lies in no target folder")?;
    Ok(target.join("release/agentry"))
}

fn make(scene: &Scene, folder: &Path) -> Result<(), Error> {
    for name in ["project", "home"] {
        fs::create_dir_all(folder.join(name))?;
    }
    (scene.make)(&folder.join("project"))?;
    Ok(())
}

/// What a command did.
struct Seen {
    is_good: bool,
    result: String,
    findings: String,
    time: Duration,
    kibibytes: u64,
}

fn measure(binary: &Path, scene: &Scene, folder: &Path) -> Result<Seen, Error> {
    let started = Instant::now();
    let mut child = Command::new(binary)
        .args(scene.command)
        .args(["--project", ".", "--home", "../home"])
        .current_dir(folder.join("project"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().ok_or("no output")?;
    let errors = child.stderr.take().ok_or("no output")?;
    let output = thread::spawn(move || text_of(output));
    let errors = thread::spawn(move || text_of(errors));
    let mut kibibytes = 0;
    let status = loop {
        kibibytes = peak_of(child.id()).unwrap_or(kibibytes).max(kibibytes);
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if started.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(PAUSE);
    };
    let time = started.elapsed();
    let output = output.join().map_err(|_| "the output cannot be read")?;
    let errors = errors.join().map_err(|_| "the output cannot be read")?;
    let codes = codes(&output, scene.about);
    Ok(Seen {
        is_good: status
            .and_then(|status| status.code())
            .is_some_and(|code| code < 100),
        result: result(status, &errors),
        findings: match codes.is_empty() {
            true => "none".to_owned(),
            false => codes.into_iter().collect::<Vec<_>>().join(", "),
        },
        time,
        kibibytes,
    })
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

/// An order of magnitude is all that a busy machine tells.
fn rounded_time(time: Duration) -> String {
    match time.as_millis() {
        0..100 => "< 0.1 s".to_owned(),
        100..1000 => format!("{:.1} s", time.as_secs_f64()),
        _ => format!("{:.0} s", time.as_secs_f64()),
    }
}

fn rounded_memory(kibibytes: u64) -> String {
    match kibibytes / 1024 {
        0..20 => "< 20 MiB".to_owned(),
        mebibytes => format!("{} MiB", mebibytes / 10 * 10),
    }
}
