//! Measures how fast agents are found, parsed and registered, beside the bare reading of the same
//! files in the same run. Ratios count, not times: machines differ and are noisy.

mod generate;
mod measure;
mod peers;
mod shape;

use std::path::{Path, PathBuf};
use std::process::Command;

use generate::Long;
use measure::Cost;
use shape::SHAPES;

/// How often each measurement is made; the fastest one counts.
const ROUNDS: usize = 5;

/// Does one piece of work in this process and prints what it cost.
pub(crate) fn one(
    work: &str,
    project: &Path,
    dialect: &str,
) -> Result<bool, Box<dyn std::error::Error>> {
    measure::run(work, project, dialect)?;
    Ok(true)
}

/// Writes the files of a dialect that are measured.
pub(crate) fn files(
    dialect: &str,
    count: usize,
    folder: &Path,
) -> Result<bool, Box<dyn std::error::Error>> {
    let mut shapes = SHAPES.iter();
    let shape = shapes.find(|shape| shape.dialect == dialect);
    let shape = shape.ok_or_else(|| format!("no files of `{dialect}` are measured"))?;
    generate::write(folder, shape, count)?;
    Ok(true)
}

/// What a piece of work gives; of a whole command whether all is well.
type Done<T = bool> = Result<T, Box<dyn std::error::Error>>;

/// The programs that are measured, as they are released.
struct Built {
    /// This one, for single pieces of work.
    program: PathBuf,
    /// The command `agentry`.
    command: PathBuf,
    /// The folder of everything that is built.
    target: PathBuf,
}

/// Measures other loaders, and a linter, beside agentry.
pub(crate) fn peers(root: &Path, counts: &[usize]) -> Done {
    let built = build(root)?;
    println!("{} cores; the fastest of {ROUNDS} runs\n", cores());
    let most = counts.iter().max().copied().unwrap_or_default();
    peers::run(root, &built, most)
}

fn build(root: &Path) -> Done<Built> {
    let built = Command::new(env!("CARGO"))
        .current_dir(root)
        .args([
            "build",
            "--release",
            "--quiet",
            "-p",
            "xtask",
            "-p",
            "agent-cli",
        ])
        .status()?;
    if !built.success() {
        return Err("the release build failed".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target: PathBuf = target.map_or_else(|| root.join("target"), Into::into);
    Ok(Built {
        program: target.join("release/xtask"),
        command: target.join("release/agentry"),
        target,
    })
}

/// Generates files of every shape, measures, and prints a table.
pub(crate) fn run(root: &Path, counts: &[usize]) -> Done {
    let Built {
        program, command, ..
    } = build(root)?;
    println!(
        "{} cores; the fastest of {ROUNDS} runs; ratios are to the bare reading\n",
        cores()
    );
    println!(
        "| dialect | files | read | parse | chain | ratio | CPU ratio | CPU µs/file | peak MB | held MB |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for shape in &SHAPES {
        for count in counts {
            let folder = tempfile::tempdir()?;
            generate::write(folder.path(), shape, *count)?;
            let cost = |work| cheapest_of(ROUNDS, &program, work, folder.path(), shape.dialect);
            let (read, parse, chain) = (cost("read")?, cost("parse")?, cost("chain")?);
            if chain.files != *count || read.files != *count {
                return Err(
                    format!("{}: {} of {count} agents load", shape.dialect, chain.files).into(),
                );
            }
            println!(
                "| {} | {count} | {:.1} ms | {:.1} ms | {:.1} ms | {:.2} | {:.1} | {:.1} | {:.1} | {:.1} |",
                shape.dialect,
                read.wall_ms,
                parse.wall_ms,
                chain.wall_ms,
                chain.wall_ms / read.wall_ms,
                chain.cpu_ms / read.cpu_ms,
                chain.cpu_ms * 1_000.0 / *count as f64,
                chain.peak_kb as f64 / 1_024.0,
                chain.bytes as f64 / 1e6,
            );
        }
    }
    again(&program)?;
    whole_process(&command)
}

/// Measures how long it takes to parse one long file again.
fn again(program: &Path) -> Result<(), Box<dyn std::error::Error>> {
    const BYTES: usize = 64 << 10;
    println!("\n| 64 KB parsed again | long header | middle | long body | middle |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for shape in &SHAPES {
        print!("| {} |", shape.dialect);
        for long in [Long::Header, Long::Body] {
            let folder = tempfile::tempdir()?;
            let path = folder.path().join("long.md");
            std::fs::write(&path, generate::long_text(shape, long, BYTES))?;
            let output = Command::new(program)
                .args(["bench-one", "reparse", shape.dialect])
                .arg(&path)
                .output()?;
            let printed = String::from_utf8_lossy(&output.stdout);
            let times = printed.split_whitespace().map(str::parse::<f64>);
            let times: Vec<f64> = times.collect::<Result<_, _>>()?;
            let [fastest, middle] = times[..] else {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            };
            print!(" {fastest:.2} ms | {middle:.2} ms |");
        }
        println!();
    }
    Ok(())
}

/// Measures the command as a person starts it: a project of twenty agents, and a check of many.
fn whole_process(command: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    println!("\n| command | files | time | ratio to the bare reading |");
    println!("| --- | ---: | ---: | ---: |");
    for (count, arguments) in [
        (20, ["list", "--dialect", "claude-code"].as_slice()),
        (20, ["list"].as_slice()),
        (10_000, ["list", "--dialect", "claude-code"].as_slice()),
        (10_000, ["check", "--dialect", "claude-code"].as_slice()),
    ] {
        let folder = tempfile::tempdir()?;
        generate::write(folder.path(), &SHAPES[0], count)?;
        let home = folder.path().join("home");
        let mut best = f64::MAX;
        let mut bare = f64::MAX;
        for _ in 0..ROUNDS {
            let started = std::time::Instant::now();
            let output = Command::new(command)
                .args(arguments)
                .arg("--project")
                .arg(folder.path())
                .arg("--home")
                .arg(&home)
                .output()?;
            best = best.min(started.elapsed().as_secs_f64() * 1_000.0);
            if output.status.code() == Some(2) {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
            let started = std::time::Instant::now();
            measure::read(folder.path())?;
            bare = bare.min(started.elapsed().as_secs_f64() * 1_000.0);
        }
        println!(
            "| `agentry {}` | {count} | {best:.1} ms | {:.1} |",
            arguments.join(" "),
            best / bare
        );
    }
    Ok(true)
}

/// Runs a piece of work several times, each in a process of its own, and returns the fastest.
fn cheapest_of(
    rounds: usize,
    program: &Path,
    work: &str,
    project: &Path,
    dialect: &str,
) -> Result<Cost, Box<dyn std::error::Error>> {
    let mut best: Option<Cost> = None;
    for _ in 0..rounds {
        let output = Command::new(program)
            .args(["bench-one", work, dialect])
            .arg(project)
            .output()?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let cost = measure::cost(&printed)
            .ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        if best.is_none_or(|best| cost.wall_ms < best.wall_ms) {
            best = Some(cost);
        }
    }
    best.ok_or_else(|| "nothing was measured".into())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}
