//! Versions: the same everywhere, told in the changelog, and new where the public API is.

use std::error::Error;
use std::fs;

use super::{Context, Extent, Finding};
use crate::api::{Difference, Listing};

/// All published crates have one version, and ask for it of each other.
pub(super) fn versions(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let published: Vec<_> = context.metadata.published().collect();
    let [first, ..] = published.as_slice() else {
        return Ok(Finding::bad("no crate is published"));
    };
    let mut faults = Vec::new();
    for package in &published {
        if package.version != first.version {
            let (name, version) = (&package.name, &package.version);
            faults.push(format!(
                "`{name}` has {version}, but `{}` has {}",
                first.name, first.version
            ));
        }
        for dependency in &package.dependencies {
            let other = published.iter().find(|other| other.name == dependency.name);
            let wanted = other.map(|other| format!("^{}", other.version));
            if wanted.is_some_and(|wanted| wanted != dependency.versions) {
                faults.push(format!(
                    "`{}` asks for `{}` {}",
                    package.name, dependency.name, dependency.versions
                ));
            }
        }
    }
    let count = published.len();
    Ok(Finding::of(
        &faults,
        format!("{count} crates, all {}", first.version),
    ))
}

/// The changelog has a section for the version, or for what is not released yet.
pub(super) fn changelog(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let text = fs::read_to_string(context.root.join("CHANGELOG.md"))?;
    let version = context.metadata.published().next().map(|it| &it.version);
    let version = version.map_or("", String::as_str);
    Ok(
        match (
            has_section(&text, version),
            has_section(&text, "Unreleased"),
        ) {
            (true, _) => Finding::good(format!("has a section for {version}")),
            (false, true) => Finding::good(format!("has `Unreleased`, to become {version}")),
            (false, false) => Finding::bad(format!(
                "`CHANGELOG.md` has no section for {version} and none for `Unreleased`"
            )),
        },
    )
}

/// Returns whether a changelog has a section with something in it.
fn has_section(changelog: &str, title: &str) -> bool {
    changelog.split("\n## ").skip(1).any(|section| {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        let head = head.split_whitespace().next().unwrap_or_default();
        head.trim_matches(['[', ']']) == title && !body.trim().is_empty()
    })
}

/// The public items are those of the listings, or the version says that they are not.
pub(super) fn public_api(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let changelog = fs::read_to_string(context.root.join("CHANGELOG.md"))?;
    let mut faults = Vec::new();
    let mut notes = Vec::new();
    let mut items = 0;
    for package in context.metadata.libraries() {
        let name = &package.name;
        let Some(kept) = Listing::kept(package) else {
            faults.push(format!(
                "`{name}` has no listing; `cargo xtask api` makes it"
            ));
            continue;
        };
        let Some(now) = Listing::of_pages(&context.metadata.doc(), package)? else {
            return Ok(Finding::skipped(format!(
                "there are no pages of `{name}`; `cargo doc --workspace --no-deps` makes them"
            )));
        };
        if kept.rustdoc != now.rustdoc {
            return Ok(Finding::skipped(format!(
                "the listings are by rustdoc {}, and this is {}",
                kept.rustdoc, now.rustdoc
            )));
        }
        items += now.items.len();
        let released = has_section(&changelog, &kept.version);
        match judge(&kept, &now, released) {
            Judgement::Fine => {}
            Judgement::Grown(what) if context.extent == Extent::Quick => {
                notes.push(format!("{name}: {what}"));
            }
            Judgement::Grown(what) => faults.push(format!(
                "`{name}`: {what} since the listing; `cargo xtask api` writes it anew"
            )),
            Judgement::Wrong(what) => faults.push(format!("`{name}`: {what}")),
        }
    }
    let detail = if notes.is_empty() {
        format!("{items} lines, as listed")
    } else {
        format!("not released yet, so it may change: {}", notes.join("; "))
    };
    Ok(Finding::of(&faults, detail))
}

/// What is to be said about a difference.
#[derive(Debug, PartialEq, Eq)]
enum Judgement {
    Fine,
    /// It may be so, but the listing must be made anew before a release.
    Grown(String),
    /// The version must rise first.
    Wrong(String),
}

/// Judges the items of today by those of the listing.
fn judge(kept: &Listing, now: &Listing, released: bool) -> Judgement {
    let what = match kept.difference(now) {
        Difference::None => return Judgement::Fine,
        Difference::Added(added) => format!("{added} lines are new"),
        Difference::Broken { gone, added } => {
            format!("{gone} lines are gone or changed, {added} are new")
        }
    };
    let breaks = matches!(kept.difference(now), Difference::Broken { .. });
    if !released {
        Judgement::Grown(what)
    } else if kept.version == now.version {
        Judgement::Wrong(format!("{what}, but the version is still {}", now.version))
    } else if breaks && compatible(&kept.version) == compatible(&now.version) {
        Judgement::Wrong(format!(
            "{what}, which {} must not do to users of {}",
            now.version, kept.version
        ))
    } else {
        Judgement::Grown(what)
    }
}

/// The part of a version that stays the same as long as nothing breaks.
fn compatible(version: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = version.split('.').collect();
    let zeros = parts.iter().take_while(|part| **part == "0").count();
    parts.truncate(zeros + 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(version: &str, items: &[&str]) -> Listing {
        Listing {
            version: version.to_owned(),
            rustdoc: "1".to_owned(),
            items: items.iter().map(|item| (*item).to_owned()).collect(),
        }
    }

    #[test]
    fn a_released_item_goes_only_with_a_version_that_says_so() {
        let kept = listing("0.1.0", &["a", "b"]);
        let wrong = |now: &Listing| matches!(judge(&kept, now, true), Judgement::Wrong(_));
        assert!(wrong(&listing("0.1.0", &["a", "b", "c"])));
        assert!(wrong(&listing("0.1.1", &["a"])));
        assert!(!wrong(&listing("0.1.1", &["a", "b", "c"])));
        assert!(!wrong(&listing("0.2.0", &["a"])));
        let same = judge(&kept, &listing("0.1.0", &["a", "b"]), true);
        assert_eq!(same, Judgement::Fine);
        let unreleased = judge(&kept, &listing("0.1.0", &["a"]), false);
        assert!(matches!(unreleased, Judgement::Grown(_)));
    }

    #[test]
    fn the_compatible_part_ends_with_the_first_number_that_counts() {
        assert_eq!(compatible("0.1.2"), ["0", "1"]);
        assert_eq!(compatible("1.4.2"), ["1"]);
        assert_eq!(compatible("0.0.3"), ["0", "0", "3"]);
    }

    #[test]
    fn a_section_must_say_something() {
        let text = "# Changelog\n\n## Unreleased\n\n## [0.1.0] - 2026-01-01\n\n- A.\n";
        assert!(!has_section(text, "Unreleased"));
        assert!(has_section(text, "0.1.0"));
        assert!(!has_section(text, "0.1"));
    }
}
