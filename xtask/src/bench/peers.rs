//! Other loaders of the same files, and a linter, measured in the same run. They are built on
//! demand; what cannot be built or installed is left out with a word.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use super::shape::{SHAPES, Shape};
use super::{Built, Done, ROUNDS, cheapest_of, generate};

/// A loader beside agentry.
struct Peer {
    name: &'static str,
    version: &'static str,
    /// Whose files it loads.
    dialect: &'static str,
    made: Made,
    /// How many times fewer files it gets.
    fewer: usize,
}

/// How a loader comes to be.
enum Made {
    /// As a package of the workspace `bench/peers`.
    Package(&'static str),
    /// As a script of that folder, run by a Python that has the package of its name.
    Script(&'static str),
}

const PEERS: [Peer; 5] = [
    Peer {
        name: "openhands-sdk",
        version: "1.58.2",
        dialect: "openhands",
        made: Made::Script("load_with_openhands.py"),
        fewer: 5,
    },
    Peer {
        name: "gray_matter",
        version: "0.3.2",
        dialect: "claude-code",
        made: Made::Package("peer-gray-matter"),
        fewer: 1,
    },
    Peer {
        name: "serde_yaml",
        version: "0.9.34",
        dialect: "claude-code",
        made: Made::Package("peer-serde-yaml"),
        fewer: 1,
    },
    Peer {
        name: "vtcode-config",
        version: "0.169.2",
        dialect: "claude-code",
        made: Made::Package("peer-vtcode"),
        fewer: 1,
    },
    Peer {
        name: "claude-agent",
        version: "0.2.25",
        dialect: "claude-code",
        made: Made::Package("peer-claude-agent"),
        fewer: 1,
    },
];

/// The package of the linter on crates.io, and its command.
const LINTER: (&str, &str, &str) = ("agnix-cli", "0.60.3", "agnix");

/// Measures all peers, and prints a table for loading and one for checking.
pub(super) fn run(root: &Path, built: &Built, count: usize) -> Done {
    let place = Place {
        sources: root.join("bench/peers"),
        built: built.target.join("peers"),
    };
    println!("| loader | files | its time | µs/file | agentry | ratio | in one thread | ratio |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for peer in &PEERS {
        let command = place.command(peer).map_err(Into::into);
        if let Err(why) = command.and_then(|it| measure(peer, &it, built, count)) {
            println!("| `{}` {} | skipped: {why} |", peer.name, peer.version);
        }
    }
    println!("\n| linter | files | its time | `agentry check` | ratio |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    // It takes minutes for as many files as the loaders get.
    let linter = place.linter().map_err(Into::into);
    if let Err(why) = linter.and_then(|it| measure_linter(&it, built, count / 10)) {
        println!("| `{}` {} | skipped: {why} |", LINTER.0, LINTER.1);
    }
    Ok(true)
}

/// Where the peers come from, and where they are put.
struct Place {
    sources: PathBuf,
    built: PathBuf,
}

impl Place {
    /// Builds a peer, and returns the command line that a project is added to.
    fn command(&self, peer: &Peer) -> Result<Vec<PathBuf>, String> {
        match peer.made {
            Made::Package(package) => {
                let mut cargo = Command::new(env!("CARGO"));
                cargo
                    .args(["build", "--release", "--quiet", "--package", package])
                    .current_dir(&self.sources)
                    .env("CARGO_TARGET_DIR", &self.built);
                succeed(&mut cargo)?;
                Ok(vec![self.built.join("release").join(package)])
            }
            Made::Script(script) => {
                let python = self.python(&format!("{}=={}", peer.name, peer.version))?;
                Ok(vec![python, self.sources.join(script)])
            }
        }
    }

    /// Returns a Python that has a package.
    fn python(&self, package: &str) -> Result<PathBuf, String> {
        let home = self.built.join("python");
        let python = home.join("bin/python");
        if !python.exists() {
            succeed(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
        }
        let mut install = Command::new(&python);
        succeed(install.args(["-m", "pip", "install", "--quiet", package]))?;
        Ok(python)
    }

    fn linter(&self) -> Result<PathBuf, String> {
        let (package, version, command) = LINTER;
        let program = self.built.join("bin").join(command);
        if program.exists() {
            return Ok(program);
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["install", "--quiet", "--locked", package])
            .args(["--version", version, "--root"])
            .arg(&self.built)
            .env("CARGO_TARGET_DIR", &self.built);
        succeed(&mut cargo)?;
        Ok(program)
    }
}

/// Runs a command, and gives the last line that it says if it fails.
fn succeed(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().last().unwrap_or("it fails").to_owned())
}

fn measure(peer: &Peer, command: &[PathBuf], built: &Built, count: usize) -> Done<()> {
    let count = count / peer.fewer;
    let project = tempfile::tempdir()?;
    let project = project.path();
    generate::write(project, &flat(peer.dialect)?, count)?;
    let (mut theirs, mut whole, mut single) = (f64::MAX, f64::MAX, f64::MAX);
    // In turn, so that what else the machine does hits all of them.
    for _ in 0..ROUNDS {
        theirs = theirs.min(loaded(command, project, count)?);
        let ours = |work| cheapest_of(1, &built.program, work, project, peer.dialect);
        whole = whole.min(ours("chain")?.wall_ms);
        single = single.min(ours("parse")?.wall_ms);
    }
    println!(
        "| `{}` {} | {count} | {theirs:.1} ms | {:.1} | {whole:.1} ms | {:.1} | {single:.1} ms | {:.1} |",
        peer.name,
        peer.version,
        theirs * 1_000.0 / count as f64,
        theirs / whole,
        theirs / single,
    );
    Ok(())
}

/// Returns the shape of a dialect with all files in one folder: some loaders search no others.
fn flat(dialect: &str) -> Result<Shape, String> {
    let shape = SHAPES.iter().find(|shape| shape.dialect == dialect);
    let shape = shape.ok_or_else(|| format!("no shape `{dialect}`"))?;
    Ok(shape.flat())
}

/// Runs a peer, and returns the milliseconds that it prints.
fn loaded(command: &[PathBuf], project: &Path, count: usize) -> Result<f64, String> {
    let [program, arguments @ ..] = command else {
        return Err("no command".to_owned());
    };
    let mut run = Command::new(program);
    // What the SDK would fetch and print when it is imported.
    run.env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        .env("OPENHANDS_SUPPRESS_BANNER", "1")
        .args(arguments)
        .arg(project);
    let output = succeed(&mut run)?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let parts: Vec<&str> = printed.split_whitespace().collect();
    match parts.as_slice() {
        [ms, files] if *files == count.to_string() => ms.parse().map_err(|_| printed.to_string()),
        _ => Err(format!(
            "`{}` does not load {count} files: {printed}",
            program.display()
        )),
    }
}

/// Measures whole processes: the linter, and `agentry check`.
fn measure_linter(linter: &Path, built: &Built, count: usize) -> Done<()> {
    let project = tempfile::tempdir()?;
    generate::write(project.path(), &flat("claude-code")?, count)?;
    let (mut theirs, mut ours) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        let mut check = Command::new(linter);
        check.args(["--target", "claude-code"]).arg(project.path());
        theirs = theirs.min(ended(&mut check)?);
        let mut check = Command::new(&built.command);
        check
            .args([
                "check",
                "--dialect",
                "claude-code",
                "--no-user",
                "--project",
            ])
            .arg(project.path());
        ours = ours.min(ended(&mut check)?);
    }
    println!(
        "| `{}` {} | {count} | {theirs:.1} ms | {ours:.1} ms | {:.1} |",
        LINTER.0,
        LINTER.1,
        theirs / ours
    );
    Ok(())
}

/// Runs a command to its end, and returns the milliseconds. Findings are no failure.
fn ended(command: &mut Command) -> Done<f64> {
    let started = Instant::now();
    let output = command.output()?;
    let took = started.elapsed().as_secs_f64() * 1_000.0;
    match output.status.code() {
        Some(0 | 1) => Ok(took),
        _ => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}
