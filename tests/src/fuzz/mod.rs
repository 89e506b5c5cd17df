//! What must hold for every input, as one function for each kind of input.
//!
//! The same bodies serve the tests over the small corpora in `fuzz/corpus`, `cargo xtask fuzz`, which
//! needs no other compiler, and the targets in `fuzz/fuzz_targets`, which are for `cargo fuzz`.

mod file;
mod mutate;
mod shared;
mod spans;
mod trees;
mod watched;
mod yaml;

use std::collections::BTreeSet;

pub use mutate::{Mutator, Randomness};
pub use watched::WatchedTree;

/// What an input did that no input may do.
pub type Fault = String;

/// What an input led to, so that a search can tell whether an input is of a new kind.
pub type Trace = BTreeSet<String>;

/// One kind of input, and what must hold for it.
#[derive(Debug)]
pub struct Target {
    /// The name of the target and of the folder of its corpus.
    pub name: &'static str,
    /// What its inputs are.
    pub about: &'static str,
    /// How many sets of rules the first byte of an input chooses among.
    pub choices: fn() -> usize,
    /// Runs an input.
    pub run: fn(&[u8]) -> Result<Trace, Fault>,
}

/// All targets.
pub static TARGETS: &[Target] = &[
    Target {
        name: "outcome",
        about: "a file of an agent, read by the rules that the first byte chooses",
        choices: file::choices,
        run: file::outcome,
    },
    Target {
        name: "mend",
        about: "the same with fixes, which are made until none is left",
        choices: file::choices,
        run: file::mend,
    },
    Target {
        name: "mend-shared",
        about: "a file of several agents, settings or a layer of a roster, with its fixes",
        choices: shared::choices,
        run: shared::mend,
    },
    Target {
        name: "skill",
        about: "a `SKILL.md` in every place where the chosen harness looks for it",
        choices: trees::skill_choices,
        run: trees::skill,
    },
    Target {
        name: "roster",
        about: "up to three layers of `agent-config.yaml`, with lines `=====` between them",
        choices: trees::roster_choices,
        run: trees::roster,
    },
    Target {
        name: "settings",
        about: "every file of settings and every manifest that a project may bring",
        choices: trees::settings_choices,
        run: trees::settings,
    },
    Target {
        name: "tree",
        about: "several files of a project, each behind a line `===== path`",
        choices: trees::settings_choices,
        run: trees::tree,
    },
    Target {
        name: "readers",
        about: "a text in YAML, read on the short road and in full",
        choices: yaml::choices,
        run: yaml::readers,
    },
];

/// Finds a target by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Takes the first byte off as a choice among so many.
fn chosen(input: &[u8], choices: usize) -> (usize, &[u8]) {
    match input.split_first() {
        Some((first, rest)) => (usize::from(*first) % choices.max(1), rest),
        None => (0, input),
    }
}
