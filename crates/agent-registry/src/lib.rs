//! Decides which definition of a subagent answers to its name, and explains why.
//!
//! Registration comes first: a [`Registration`] takes definitions from programs, plugins and
//! files, and the first one of a name keeps it. Closing it, with the built-in agents as the
//! last source, gives a [`Registry`], which never changes and can be read from many threads.
//! Nobody is dropped on the way: every contender stays, with the verdict on it.
//!
//! ```
//! use agent_discovery::{Inputs, MemoryTree, discover};
//! use agent_registry::{Registration, admit_all};
//! use agent_schema::dialects;
//!
//! let mut tree = MemoryTree::new();
//! tree.write("/p/.agents/agents/reviewer.md", "You review.\n");
//! tree.write("/h/.agents/agents/reviewer.md", "You review at home.\n");
//! let dialect = dialects::find("openhands").expect("it is known");
//! let profile = dialect.default_profile();
//! let found = discover(&tree, dialect, profile, &Inputs::new().project("/p").home("/h"));
//!
//! let mut registration = Registration::new(dialect, profile);
//! registration.register_files(found, admit_all)?;
//! let registry = registration.without_builtins();
//! assert_eq!(registry.get(Some("reviewer"))?.definition().prompt(), Some("You review."));
//! assert_eq!(registry.explain("reviewer").contenders.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contender;
mod registration;

mod registry;

mod compare;
mod explain;
mod roster;

pub use compare::{Change, Comparison, same_place, same_verdict};
pub use contender::{Contender, ContenderId, Decision, Verdict};
pub use explain::{Explanation, NearMiss};
pub use registration::{Aborted, Builtins, DuplicateAgent, Registration, Sources, admit_all};
pub use registry::{Found, Provenance, Registry, UnknownAgent};
pub use roster::RosterRow;
