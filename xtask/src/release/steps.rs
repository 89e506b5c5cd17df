//! Checks that other programs make.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Context, Finding};
use crate::tidy;

/// Runs cargo, its output shown. Returns whether it ended well.
pub(super) fn cargo(
    root: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> std::io::Result<bool> {
    let mut command = Command::new("cargo");
    command.args(arguments).envs(variables.iter().copied());
    Ok(command.current_dir(root).status()?.success())
}

/// Runs cargo and returns what it prints.
pub(super) fn output(root: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new("cargo")
        .args(arguments)
        .current_dir(root)
        .output()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(format!("`cargo {}` fails: {why}", arguments.join(" ")).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Returns whether a program is there and answers.
fn answers(program: &str, arguments: &[&str]) -> bool {
    answers_in(Path::new("."), program, arguments)
}

/// Returns whether a program, started in a folder, is there and ends well.
fn answers_in(folder: &Path, program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Dependencies between our crates point down.
pub(super) fn arrows(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let mut faults = Vec::new();
    tidy::check_arrows(context.root, &mut faults)?;
    Ok(Finding::of(&faults, tidy::CRATES.join(" < ")))
}

/// `cargo deny` agrees about licences, sources and forbidden packages. It needs no network.
pub(super) fn deny(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    if !has_deny() {
        return Ok(Finding::skipped("`cargo deny` is not installed"));
    }
    const PARTS: &str = "bans licenses sources";
    let mut arguments = vec!["deny", "--offline", "--log-level", "error", "check"];
    arguments.extend(PARTS.split(' '));
    let agrees = cargo(context.root, &arguments, &[])?;
    Ok(if agrees {
        Finding::good(format!("`cargo deny check {PARTS}` agrees"))
    } else {
        Finding::bad(format!(
            "`cargo deny check {PARTS}` finds faults, see above"
        ))
    })
}

/// No dependency has a known weakness.
pub(super) fn advisories(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    if !has_deny() {
        return Ok(Finding::skipped(
            "`cargo deny` is not installed, and nothing here holds the advisories",
        ));
    }
    // Without a network, those that were fetched before may be there; they may be none.
    let is_fresh = answers_in(context.root, "cargo", &["deny", "fetch", "db"]);
    if !is_fresh && !has_advisories() {
        return Ok(Finding::skipped(
            "the advisories cannot be fetched, and none were fetched before",
        ));
    }
    let age = if is_fresh { "" } else { ", as fetched before" };
    let arguments = ["deny", "--offline", "check", "advisories"];
    Ok(if cargo(context.root, &arguments, &[])? {
        Finding::good(format!("`cargo deny check advisories` finds none{age}"))
    } else {
        Finding::bad("`cargo deny check advisories` finds some, see above")
    })
}

fn has_deny() -> bool {
    answers("cargo", &["deny", "--version"])
}

/// Returns whether `cargo deny` has fetched advisories once.
fn has_advisories() -> bool {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let Some(Ok(items)) = home.map(|home| fs::read_dir(home.join("advisory-dbs"))) else {
        return false;
    };
    items.flatten().any(|item| item.path().is_dir())
}

/// The oldest Rust that we promise compiles the published crates.
pub(super) fn oldest_rust(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let oldest = context
        .metadata
        .published()
        .find_map(|it| it.rust_version.as_ref());
    let Some(oldest) = oldest else {
        return Ok(Finding::bad("our crates do not say which Rust they need"));
    };
    if !answers("rustup", &["run", oldest, "cargo", "--version"]) {
        return Ok(Finding::skipped(format!(
            "the toolchain {oldest} is not installed"
        )));
    }
    let mut command = Command::new("rustup");
    command.args(["run", oldest, "cargo", "check", "--quiet", "--locked"]);
    for package in context.metadata.published() {
        command.args(["-p", &package.name]);
    }
    // Its own folder, so that the pages and the packages of the usual toolchain stay.
    let target = context.metadata.target_folder(&format!("rust-{oldest}"));
    let status = command
        .env("CARGO_TARGET_DIR", target)
        .current_dir(context.root)
        .status()?;
    Ok(if status.success() {
        Finding::good(format!("Rust {oldest} compiles all published crates"))
    } else {
        Finding::bad(format!("Rust {oldest} does not compile them, see above"))
    })
}

/// The documentation is built without a warning.
pub(super) fn documentation(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let built = cargo(
        context.root,
        &["doc", "--workspace", "--no-deps", "--quiet"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    Ok(if built {
        Finding::good("built without a warning")
    } else {
        Finding::bad("`cargo doc` warns, see above")
    })
}

/// What the READMEs show is what the command prints, and their examples run.
pub(super) fn readmes(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let sessions = ["test", "--quiet", "-p", "agent-cli", "--test", "readme"];
    if !cargo(context.root, &sessions, &[])? {
        return Ok(Finding::bad("a session is not true, see above"));
    }
    let mut examples = vec!["test", "--quiet", "--doc"];
    let mut count = 0;
    for package in context.metadata.libraries() {
        examples.extend(["-p", &package.name]);
        count += 1;
    }
    Ok(if cargo(context.root, &examples, &[])? {
        Finding::good(format!("sessions are true; examples of {count} crates run"))
    } else {
        Finding::bad("an example does not run, see above")
    })
}
