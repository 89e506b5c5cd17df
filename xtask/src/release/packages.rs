//! What is published: manifests, what the packages hold, and whether they build alone.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;

use super::steps::{cargo, output};
use super::{Context, Finding};

/// What a manifest must say.
const FIELDS: [&str; 6] = [
    "description",
    "license",
    "readme",
    "keywords",
    "categories",
    "rust_version",
];

/// The files that each package must hold.
const NEEDED: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// The files that cargo adds.
const ADDED: [&str; 3] = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"];

/// The crate whose weight its README tells.
const LIGHT: &str = "agent-schema";

/// Each manifest says all that a registry wants to know, and names no folder without a version.
pub(super) fn manifests(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let mut faults = Vec::new();
    let mut names = Vec::new();
    for package in context.metadata.published() {
        let name = &package.name;
        names.push(name.as_str());
        for field in FIELDS.iter().filter(|field| !package.says(field)) {
            faults.push(format!("the manifest of `{name}` says no `{field}`"));
        }
        for dependency in &package.dependencies {
            if dependency.beside && dependency.versions == "*" && !dependency.for_tests {
                let other = &dependency.name;
                faults.push(format!("`{name}` names `{other}` by its folder alone"));
            }
        }
    }
    Ok(Finding::of(&faults, names.join(", ")))
}

/// The README of the lowest crate tells how many packages it brings; none runs code when it is
/// built.
pub(super) fn weight(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let tree = output(
        context.root,
        &[
            "tree", "-p", LIGHT, "-e", "normal", "--prefix", "none", "--locked",
        ],
    )?;
    let names: BTreeSet<&str> = tree
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != LIGHT)
        .collect();
    let mut faults = Vec::new();
    for package in &context.metadata.packages {
        if names.contains(package.name.as_str()) && package.runs_when_built {
            let name = &package.name;
            faults.push(format!("`{name}` runs code when `{LIGHT}` is built"));
        }
    }
    let readme = fs::read_to_string(context.root.join("crates").join(LIGHT).join("README.md"))?;
    let said = format!("brings {} packages", names.len());
    if !readme.contains(&said) {
        faults.push(format!("the README of `{LIGHT}` must say `{said}`"));
    }
    Ok(Finding::of(&faults, format!("{said}, as its README says")))
}

/// Each package holds its README, its licences and its sources, and nothing else.
pub(super) fn content(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let mut faults = Vec::new();
    let mut counts = Vec::new();
    for package in context.metadata.published() {
        let name = &package.name;
        let list = output(
            context.root,
            &["package", "--list", "--allow-dirty", "--locked", "-p", name],
        )?;
        let files: BTreeSet<&str> = list.lines().collect();
        for needed in NEEDED.iter().filter(|needed| !files.contains(*needed)) {
            faults.push(format!("the package of `{name}` holds no `{needed}`"));
        }
        for file in &files {
            let known = NEEDED.contains(file) || ADDED.contains(file);
            if !known && !file.starts_with("src/") {
                faults.push(format!("the package of `{name}` holds `{file}`"));
            }
        }
        counts.push(format!("{name} {}", files.len()));
    }
    Ok(Finding::of(
        &faults,
        format!("files: {}", counts.join(", ")),
    ))
}

/// Each package builds from what it holds, with the others as they would be published.
pub(super) fn build(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let mut arguments = vec!["package", "--quiet", "--allow-dirty", "--locked"];
    for package in context.metadata.published() {
        arguments.extend(["-p", &package.name]);
    }
    if !cargo(context.root, &arguments, &[])? {
        return Ok(Finding::bad("`cargo package` fails, see above"));
    }
    let mut sizes = Vec::new();
    for package in context.metadata.published() {
        let file = format!("{}-{}.crate", package.name, package.version);
        let size = fs::metadata(context.metadata.packages_folder().join(file))?.len();
        sizes.push(format!("{} {} KiB", package.name, size.div_ceil(1024)));
    }
    Ok(Finding::good(sizes.join(", ")))
}
