//! What a person might forget, as checks over the source text.

use std::fs;
use std::path::{Path, PathBuf};

use agent_schema::{dialects, rules};

/// The crates from the lowest to the highest. Each may depend only on those before it.
pub(crate) const CRATES: [&str; 6] = [
    "agent-schema",
    "agent-discovery",
    "agent-registry",
    "agent-builtins",
    "agent-factory",
    "agent-cli",
];

/// Crates that must not depend on each other although one stands before the other.
const SIBLINGS: [(&str, &str); 1] = [("agent-factory", "agent-builtins")];

/// What the lowest crate must not touch: it is pure.
const IMPURE: [&str; 6] = [
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "std::time",
];

/// What only the edges may do.
const PRINTING: [&str; 4] = ["println!", "eprintln!", "print!(", "eprint!("];

/// How the doc of a crate opens that is its README.
const README_AS_DOC: &str = "#![doc = include_str!(\"../README.md\")]";

/// The one library file that may open files.
const DISK: &str = "agent-discovery/src/disk.rs";

/// Runs all checks and prints what they find.
pub(crate) fn run(root: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    let mut faults = Vec::new();
    check_arrows(root, &mut faults)?;
    let sources = sources_below(&root.join("crates"))?;
    let mut everything = String::new();
    for path in &sources {
        let text = fs::read_to_string(path)?;
        check_source(root, path, &text, &mut faults);
        everything.push_str(&text);
    }
    for rule in rules::ALL {
        let constant = rule.code.to_uppercase().replace('-', "_");
        if !everything.contains(&format!("rules::{constant}")) {
            faults.push(format!("the rule `{}` is never used", rule.code));
        }
    }
    for dialect in dialects::ALL {
        let cases = root.join("tests/conformance").join(dialect.id);
        if !["parse", "discover"]
            .iter()
            .any(|kind| cases.join(kind).is_dir())
        {
            faults.push(format!("the dialect `{}` has no cases", dialect.id));
        }
    }
    for name in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
    ] {
        if !root.join(name).is_file() {
            faults.push(format!("`{name}` is missing"));
        }
    }
    for fault in &faults {
        println!("{fault}");
    }
    println!(
        "tidy: {} source files, {} faults",
        sources.len(),
        faults.len()
    );
    Ok(faults.is_empty())
}

/// Checks that dependencies between our crates point down.
pub(crate) fn check_arrows(root: &Path, faults: &mut Vec<String>) -> std::io::Result<()> {
    for (rank, name) in CRATES.iter().enumerate() {
        let folder = name
            .strip_prefix("agent-builtins")
            .map_or(*name, |_| "builtins");
        let manifest = fs::read_to_string(root.join("crates").join(folder).join("Cargo.toml"))?;
        let section = manifest
            .split("\n[")
            .find(|section| section.starts_with("dependencies]"))
            .unwrap_or_default();
        for line in section.lines() {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let Some(other) = CRATES.iter().position(|known| *known == dependency) else {
                continue;
            };
            if other >= rank || SIBLINGS.contains(&(name, dependency)) {
                faults.push(format!("`{name}` must not depend on `{dependency}`"));
            }
        }
    }
    Ok(())
}

fn check_source(root: &Path, path: &Path, text: &str, faults: &mut Vec<String>) {
    let shown = path
        .strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string();
    let mut fault = |what: &str| faults.push(format!("{shown}: {what}"));
    if !text.starts_with("//!") && !text.starts_with(README_AS_DOC) {
        fault("does not open with a module doc");
    }
    // Tests may do what the code must not.
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let is_edge = shown.contains("agent-cli/");
    if shown.contains("agent-schema/src") {
        for name in IMPURE.iter().filter(|name| code.contains(**name)) {
            fault(&format!("uses `{name}`, but agent-schema is pure"));
        }
    }
    if !is_edge {
        if code.contains("std::fs") && !shown.ends_with(DISK) {
            fault("opens files, which only the disk tree of agent-discovery may do");
        }
        for name in PRINTING.iter().filter(|name| code.contains(**name)) {
            fault(&format!("uses `{name}`, but only the command prints"));
        }
    }
}

/// Lists the source files of the crates, their tests left out.
fn sources_below(crates: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for item in fs::read_dir(crates)? {
        folders.push(item?.path().join("src"));
    }
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for item in fs::read_dir(folder)? {
            let path = item?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
