//! Tasks for people who work on agentry; `cargo xtask help` lists them.

mod api;
mod bench;
mod codegen;
mod corpus;
mod fuzz;
mod hostile;
mod matrix;
mod metadata;
mod readers;
mod release;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agent_schema::dialects;
use agentry_tests::conform;
use agentry_tests::fuzz as fuzz_targets;
use clap::Parser;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Tasks for people who work on agentry.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Task {
    /// Runs the conformance cases of a dialect and prints where we disagree with the harness.
    Conform {
        /// The dialect.
        dialect: String,
        /// Another folder of cases in the same format.
        #[arg(long, value_name = "DIR")]
        cases: Option<PathBuf>,
    },
    /// Checks what compilers do not: arrows between crates, I/O, printing, module docs, words.
    Tidy,
    /// Writes the documents that are made from the code: the index of the rules.
    Codegen {
        /// Only say whether they are fresh.
        #[arg(long)]
        check: bool,
    },
    /// Parses every file below a folder by the rules of a dialect and counts the fates, and the
    /// files that safe fixes mend; of several folders their sum, too.
    Corpus {
        /// A dialect and a folder, and further ones in pairs.
        #[arg(required = true, num_args = 2.., value_names = ["DIALECT", "DIR"])]
        pairs: Vec<String>,
        /// Also names the files that no safe fix mends.
        #[arg(long)]
        list: bool,
        /// Also shows what the safe fixes change, in full.
        #[arg(long)]
        diffs: bool,
    },
    /// Reads the header of every file below a folder on the short road for everyday YAML and in full,
    /// and prints where the two differ.
    Readers {
        /// The folder.
        dir: PathBuf,
    },
    /// Checks all that must hold before a version is published, and ends with a table.
    ReleaseCheck {
        /// Leave out what `.ci/run` does itself.
        #[arg(long)]
        quick: bool,
    },
    /// Lists the public items of the crates in `api.txt`, from the pages that `cargo doc` made.
    Api,
    /// Converts every file of a corpus to every other dialect and counts how it arrives.
    Matrix {
        /// The folder that holds one folder for each kind of file.
        dir: PathBuf,
        /// Also count what is lost and why, in words.
        #[arg(long)]
        details: bool,
        /// Also count the agents with each code of a loss or a refusal.
        #[arg(long, conflicts_with = "details")]
        codes: bool,
        /// What a model is called in every other dialect.
        #[arg(long = "model", value_name = "FROM=TO")]
        models: Vec<String>,
    },
    /// Measures how fast agents are found, parsed and registered, beside the bare reading.
    Bench {
        /// How many files are generated for each dialect, one number after the other. They lie in a
        /// temporary folder: 100,000 of them take 400 MB there.
        #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1_000, 10_000])]
        files: Vec<usize>,
        /// Measure other loaders and a linter instead, which are downloaded and built.
        #[arg(long)]
        peers: bool,
    },
    /// One piece of the work of `bench`, in a process of its own.
    #[command(hide = true)]
    BenchOne {
        work: String,
        dialect: String,
        project: PathBuf,
    },
    /// Writes the files that `bench` measures into a folder, so that a profiler can look at them.
    BenchFiles {
        /// The dialect.
        dialect: String,
        /// How many.
        count: usize,
        /// The folder.
        folder: PathBuf,
    },
    /// Makes hostile projects and prints what the command does with each, how long it takes and how
    /// much memory, and which of them break their budgets.
    Hostile {
        /// The command; the release build beside this program if none is given, with `--quick` the one
        /// of the same build.
        #[arg(long)]
        binary: Option<PathBuf>,
        /// Only the inputs in whose name this stands.
        #[arg(long)]
        only: Option<String>,
        /// Small inputs of every kind, each in two sizes, to see how their cost grows.
        #[arg(long)]
        quick: bool,
    },
    /// Tries changed inputs on a fuzz target; faults are kept in its corpus.
    Fuzz {
        /// The target; all of them one after the other if none is named.
        target: Option<String>,
        /// How long each target runs.
        #[arg(long, default_value_t = 1.0)]
        minutes: f64,
        /// What the changes begin with; the same seed makes the same changes.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Runs the target on this file alone, and tells how long it takes.
        #[arg(long, value_name = "FILE", requires = "target")]
        input: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Conform { dialect, cases } => conform(&dialect, cases),
        Task::Tidy => tidy::run(&root()),
        Task::Codegen { check } => codegen::run(&root(), check),
        Task::Corpus { pairs, list, diffs } => corpus::run(&pairs, corpus::Shown { list, diffs }),
        Task::Readers { dir } => readers::run(&dir),
        Task::ReleaseCheck { quick } => release::run(&root(), extent(quick)),
        Task::Api => metadata::Metadata::read(&root()).and_then(|it| api::write(&it)),
        Task::Bench { files, peers } => match peers {
            true => bench::peers(&root(), &files),
            false => bench::run(&root(), &files),
        },
        Task::BenchOne {
            work,
            dialect,
            project,
        } => bench::one(&work, &project, &dialect),
        Task::BenchFiles {
            dialect,
            count,
            folder,
        } => bench::files(&dialect, count, &folder),
        Task::Matrix {
            dir,
            details,
            codes,
            models,
        } => matrix::run(&dir, matrix::Told::of(details, codes), &models),
        Task::Hostile {
            binary,
            only,
            quick,
        } => hostile::run(binary, only.as_deref(), hostile::Extent::of(quick)),
        Task::Fuzz {
            target,
            minutes,
            seed,
            input,
        } => fuzz(target.as_deref(), minutes, seed, input.as_deref()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn extent(quick: bool) -> release::Extent {
    if quick {
        release::Extent::Quick
    } else {
        release::Extent::Full
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn conform(dialect: &str, cases: Option<PathBuf>) -> Result<bool, Box<dyn std::error::Error>> {
    let found = dialects::find(dialect).ok_or_else(|| unknown_dialect(dialect))?;
    let cases = cases.unwrap_or_else(|| root().join("tests/conformance").join(dialect));
    let report = conform::run(found, &cases)?;
    println!("{report}");
    if report.checks.is_empty() {
        return Err(format!("no cases in `{}`", cases.display()).into());
    }
    Ok(report.agreed() == report.checks.len())
}

fn fuzz(
    name: Option<&str>,
    minutes: f64,
    seed: u64,
    input: Option<&Path>,
) -> Result<bool, Box<dyn std::error::Error>> {
    let targets = fuzz_targets::TARGETS.iter();
    let targets: Vec<_> = targets
        .filter(|target| name.is_none_or(|name| name == target.name))
        .collect();
    if targets.is_empty() {
        let known: Vec<&str> = fuzz_targets::TARGETS.iter().map(|it| it.name).collect();
        return Err(format!("there is no such target; there are: {}", known.join(", ")).into());
    }
    let mut good = true;
    for target in targets {
        good &= match input {
            Some(input) => fuzz::run_one(target, input)?,
            None => fuzz::run(&root(), target, minutes, seed)?,
        };
    }
    Ok(good)
}

fn unknown_dialect(asked: &str) -> String {
    let known: Vec<&str> = dialects::ALL.iter().map(|dialect| dialect.id).collect();
    format!("no dialect `{asked}`; there are: {}", known.join(", "))
}
