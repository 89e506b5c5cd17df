//! What comes along: under which licences, and for which Rust.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::{Context, Finding};

/// The file that lists the licences that are allowed.
const ALLOWED: &str = "deny.toml";

/// Every package may be used under licences of the list alone.
pub(super) fn licences(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let allowed = allowed(context.root)?;
    let mut faults = Vec::new();
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = 0;
    for package in &context.metadata.packages {
        count += 1;
        let name = &package.name;
        let Some(licence) = &package.license else {
            faults.push(format!("`{name}` names no licence"));
            continue;
        };
        match Terms::read(licence).and_then(|terms| terms.choice(&allowed)) {
            Some(chosen) => {
                for one in chosen {
                    *used.entry(one).or_default() += 1;
                }
            }
            None => faults.push(format!("`{name}` has `{licence}`, which is not allowed")),
        }
    }
    let used: Vec<String> = used
        .iter()
        .map(|(licence, count)| format!("{licence} {count}"))
        .collect();
    Ok(Finding::of(
        &faults,
        format!("{count} packages: {}", used.join(", ")),
    ))
}

/// No dependency asks for a newer Rust than we do.
pub(super) fn rust_versions(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let mut ours = context.metadata.published().map(|it| &it.rust_version);
    let Some(Some(ours)) = ours.next() else {
        return Ok(Finding::bad("our crates do not say which Rust they need"));
    };
    let mut faults = Vec::new();
    let mut silent = 0;
    let mut newest = "0";
    for package in context.metadata.others() {
        let Some(theirs) = &package.rust_version else {
            silent += 1;
            continue;
        };
        if numbers(theirs) > numbers(ours) {
            let (name, version) = (&package.name, &package.version);
            faults.push(format!(
                "`{name}` {version} needs Rust {theirs}, we say {ours}"
            ));
        }
        if numbers(theirs) > numbers(newest) {
            newest = theirs;
        }
    }
    Ok(Finding::of(
        &faults,
        format!("we say {ours}, they need at most {newest} ({silent} do not say)"),
    ))
}

/// `1.88` and `1.88.0` are the same.
fn numbers(version: &str) -> [u32; 3] {
    let mut out = [0; 3];
    for (number, part) in out.iter_mut().zip(version.split(['.', '-'])) {
        *number = part.parse().unwrap_or(0);
    }
    out
}

fn allowed(root: &Path) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let text = fs::read_to_string(root.join(ALLOWED))?;
    let table = DeTable::parse(&text)?;
    let licenses = table.get_ref().get("licenses").map(|it| it.get_ref());
    let allow = match licenses {
        Some(DeValue::Table(licenses)) => licenses.get("allow").map(|it| it.get_ref()),
        _ => None,
    };
    let Some(DeValue::Array(allow)) = allow else {
        return Err(format!("`{ALLOWED}` has no list `licenses.allow`").into());
    };
    let names = allow.iter().filter_map(|it| it.get_ref().as_str());
    Ok(names.map(str::to_owned).collect())
}

/// A licence expression, as SPDX writes it.
#[derive(Debug, PartialEq, Eq)]
enum Terms {
    One(String),
    All(Vec<Terms>),
    Any(Vec<Terms>),
}

impl Terms {
    /// Reads an expression; nothing if it is none.
    fn read(text: &str) -> Option<Self> {
        // A slash is how `OR` was written once.
        let text = text.replace('/', " OR ");
        let text = text.replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut rest = words.as_slice();
        let terms = Terms::any(&mut rest)?;
        rest.is_empty().then_some(terms)
    }

    fn any(rest: &mut &[&str]) -> Option<Self> {
        let mut parts = vec![Terms::all(rest)?];
        while let ["OR", behind @ ..] = rest {
            *rest = behind;
            parts.push(Terms::all(rest)?);
        }
        Some(Terms::Any(parts))
    }

    fn all(rest: &mut &[&str]) -> Option<Self> {
        let mut parts = vec![Terms::one(rest)?];
        while let ["AND", behind @ ..] = rest {
            *rest = behind;
            parts.push(Terms::one(rest)?);
        }
        Some(Terms::All(parts))
    }

    fn one(rest: &mut &[&str]) -> Option<Self> {
        let (first, behind) = rest.split_first()?;
        *rest = behind;
        match *first {
            "(" => {
                let terms = Terms::any(rest)?;
                let (")", behind) = rest.split_first().map(|(it, behind)| (*it, behind))? else {
                    return None;
                };
                *rest = behind;
                Some(terms)
            }
            ")" | "AND" | "OR" | "WITH" => None,
            name => {
                let mut name = name.to_owned();
                if let ["WITH", exception, behind @ ..] = rest {
                    name = format!("{name} WITH {exception}");
                    *rest = behind;
                }
                Some(Terms::One(name))
            }
        }
    }

    /// Returns the licences under which it may be used, all of them allowed; nothing if there is
    /// no such choice.
    fn choice(&self, allowed: &BTreeSet<String>) -> Option<Vec<String>> {
        match self {
            Terms::One(name) => allowed.contains(name).then(|| vec![name.clone()]),
            Terms::All(parts) => {
                let chosen: Option<Vec<_>> = parts.iter().map(|it| it.choice(allowed)).collect();
                chosen.map(|chosen| chosen.concat())
            }
            Terms::Any(parts) => parts.iter().find_map(|part| part.choice(allowed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(text: &str) -> Option<Vec<String>> {
        let allowed = ["MIT", "Unicode-3.0"].map(str::to_owned);
        Terms::read(text)?.choice(&BTreeSet::from(allowed))
    }

    #[test]
    fn an_expression_is_allowed_by_its_parts() {
        for good in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/Apache-2.0",
            "(GPL-3.0 OR MIT) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR MIT",
        ] {
            assert!(choice(good).is_some(), "{good}");
        }
        for bad in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "MIT WITH some-exception",
            "GPL-3.0 OR (MIT AND GPL-2.0)",
            "MIT OR",
            "(MIT",
            "",
        ] {
            assert!(choice(bad).is_none(), "{bad}");
        }
        let both = choice("(GPL-3.0 OR MIT) AND Unicode-3.0");
        assert_eq!(both, Some(vec!["MIT".to_owned(), "Unicode-3.0".to_owned()]));
    }

    #[test]
    fn versions_of_rust_compare_by_their_numbers() {
        assert!(numbers("1.100") > numbers("1.88.0"));
        assert_eq!(numbers("1.88"), numbers("1.88.0"));
    }
}
