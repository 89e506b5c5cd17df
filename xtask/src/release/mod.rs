//! `cargo xtask release-check`: everything that must hold before a version is published, with a
//! table at its end.
//!
//! A check that cannot run here is skipped with the reason, never passed. With `--quick` what
//! `.ci/run` did just before is left out.

mod content;
mod licences;
mod packages;
mod steps;
mod versions;

use std::fmt;
use std::path::Path;

use crate::metadata::Metadata;

/// How much is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything.
    Full,
    /// What `.ci/run` has not done already.
    Quick,
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    result: Verdict,
    detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    Bad,
    /// It cannot run here.
    Skipped,
    /// It is no part of the quick run.
    LeftOut,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Good => "ok",
            Verdict::Bad => "FAILED",
            Verdict::Skipped => "SKIPPED",
            Verdict::LeftOut => "left out",
        })
    }
}

impl Finding {
    fn good(detail: impl Into<String>) -> Self {
        Finding::new(Verdict::Good, detail)
    }

    fn bad(detail: impl Into<String>) -> Self {
        Finding::new(Verdict::Bad, detail)
    }

    fn skipped(why: impl Into<String>) -> Self {
        Finding::new(Verdict::Skipped, why)
    }

    fn new(result: Verdict, detail: impl Into<String>) -> Self {
        Finding {
            result,
            detail: detail.into(),
        }
    }

    /// Prints the faults, one on a line, and makes them the finding; good if there are none.
    fn of(faults: &[String], otherwise: impl Into<String>) -> Self {
        match faults {
            [] => Finding::good(otherwise),
            [only] => Finding::bad(only),
            [first, rest @ ..] => {
                for fault in faults {
                    println!("  {fault}");
                }
                Finding::bad(format!("{first}; and {} more, above", rest.len()))
            }
        }
    }
}

/// What a check may look at.
struct Context<'a> {
    root: &'a Path,
    metadata: &'a Metadata,
    extent: Extent,
}

type Check = fn(&Context<'_>) -> Result<Finding, Box<dyn std::error::Error>>;

/// When a check runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// `.ci/run` did the same before it asks for the quick run.
    FullOnly,
}

/// All checks, in the order in which they run.
const CHECKS: &[(&str, When, Check)] = &[
    ("versions", When::Always, versions::versions),
    ("changelog", When::Always, versions::changelog),
    ("manifests", When::Always, packages::manifests),
    ("arrows between crates", When::Always, steps::arrows),
    ("licences", When::Always, licences::licences),
    ("cargo deny", When::Always, steps::deny),
    ("advisories", When::Always, steps::advisories),
    (
        "Rust of dependencies",
        When::Always,
        licences::rust_versions,
    ),
    (
        "build with the oldest Rust",
        When::FullOnly,
        steps::oldest_rust,
    ),
    ("weight of agent-schema", When::Always, packages::weight),
    ("built-in agents", When::Always, content::builtins),
    ("rule pages", When::Always, content::rule_pages),
    ("conformance", When::FullOnly, content::conformance),
    ("documentation", When::FullOnly, steps::documentation),
    ("public API", When::Always, versions::public_api),
    ("READMEs", When::FullOnly, steps::readmes),
    ("content of packages", When::Always, packages::content),
    ("packages build alone", When::FullOnly, packages::build),
];

/// Runs all checks and prints the table. Returns whether none failed.
pub(crate) fn run(root: &Path, extent: Extent) -> Result<bool, Box<dyn std::error::Error>> {
    let metadata = Metadata::read(root)?;
    let context = Context {
        root,
        metadata: &metadata,
        extent,
    };
    let mut rows = Vec::new();
    for (name, when, check) in CHECKS {
        if extent == Extent::Quick && *when == When::FullOnly {
            let detail = "only without `--quick`".to_owned();
            rows.push((*name, Finding::new(Verdict::LeftOut, detail)));
            continue;
        }
        println!("== {name}");
        // A check that breaks off is no reason to keep the others from their say.
        let finding = check(&context).unwrap_or_else(|error| Finding::bad(error.to_string()));
        rows.push((*name, finding));
    }
    print!("\n{}", table(&rows));
    Ok(rows
        .iter()
        .all(|(_, finding)| finding.result != Verdict::Bad))
}

fn table(rows: &[(&str, Finding)]) -> String {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut out = format!("{:width$}  {:8}  DETAIL\n", "CHECK", "RESULT");
    for (name, finding) in rows {
        let detail = finding.detail.lines().collect::<Vec<_>>().join(" ");
        out += &format!("{name:width$}  {:8}  {detail}\n", finding.result);
    }
    let count = |result: Verdict| {
        let same = rows.iter().filter(|(_, finding)| finding.result == result);
        same.count()
    };
    let [good, bad, skipped, left_out] = [
        Verdict::Good,
        Verdict::Bad,
        Verdict::Skipped,
        Verdict::LeftOut,
    ]
    .map(count);
    out + &format!("\n{good} ok, {bad} failed, {skipped} skipped, {left_out} left out\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_tells_every_check_and_counts() {
        let rows = [
            ("versions", Finding::good("0.1.0")),
            ("advisories", Finding::skipped("no\ntool")),
        ];
        let expected = "CHECK       RESULT    DETAIL\n\
                        versions    ok        0.1.0\n\
                        advisories  SKIPPED   no tool\n\n\
                        1 ok, 0 failed, 1 skipped, 0 left out\n";
        assert_eq!(table(&rows), expected);
    }

    #[test]
    fn faults_make_a_check_fail() {
        assert_eq!(Finding::of(&[], "all"), Finding::good("all"));
        let faults = ["one".to_owned(), "two".to_owned()];
        assert_eq!(Finding::of(&faults, "all").result, Verdict::Bad);
    }
}
