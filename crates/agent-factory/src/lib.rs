//! Turns a definition into the configuration of a runnable agent, as the harness would.
//!
//! A definition names tools, skills and a model; the catalogs say which of them exist. As in the
//! harness this happens in two steps, so that every error comes at the same moment: a
//! [`Blueprint`] resolves the skills when the agent is registered, and
//! [`Blueprint::instantiate`] resolves the model and the tools each time the agent is started.
//! Nothing is written: what the harness would create on the disk is told as data.
//!
//! ```
//! use agent_factory::{Blueprint, ModelSet, Parent, SkillSet, ToolSet};
//! use agent_schema::{File, dialects, parse};
//!
//! let file = File { name: "reviewer.md", bytes: b"{\n\"tools\": [\"terminal\"]\n}\nYou review.\n" };
//! let dialect = dialects::find("openhands").expect("it is known");
//! let profile = dialect.default_profile();
//! let parsed = parse(file, dialect, profile);
//! let definition = parsed.outcome.definition().expect("it loads");
//!
//! let blueprint = Blueprint::new(definition, &SkillSet::new(), dialect, profile)?;
//! let parent = Parent::new("vendor/large", "main");
//! let models = ModelSet::new();
//! let error = blueprint.instantiate(&parent, &ToolSet::from_iter(["Terminal"]), &models);
//! assert_eq!(error.expect_err("the case counts").nearest(), Some("Terminal"));
//!
//! let config = blueprint.instantiate(&parent, &ToolSet::from_iter(["terminal"]), &models)?;
//! assert_eq!(config.tool_names(), ["terminal"]);
//! assert_eq!(config.prompt_suffix(), Some("You review."));
//! # Ok::<(), agent_factory::FactoryError>(())
//! ```

mod catalog;
mod catalog_file;
mod profile_store;

mod provenance;

mod condenser;
mod config;
mod mcp;

mod blueprint;
mod effects;
mod error;
mod grant;
mod left_out;
mod model;
mod spawning;
mod start;

mod prompt;
mod settings;

mod expand;
mod rewrite;
mod roster_tools;

mod convert;
mod difference;
mod mention;
mod rights;
mod team;

pub use catalog::{
    ModelAnswer, ModelCatalog, ModelProfile, ModelSet, ModelTrouble, NearMiss, SkillCatalog,
    SkillSet, ToolCatalog, ToolSet,
};
pub use catalog_file::{CatalogError, LARGEST_CATALOG};
pub use profile_store::{LARGEST_PROFILE, ProfileStores};

pub use provenance::{Provenance, Sourced};

pub use condenser::Condenser;
pub use config::{
    AgentConfig, Context, LanguageModel, Limits, Model, Parent, PermissionPolicy, Toolset,
};
pub use mcp::{ExpandedServers, MASK, McpServers};

pub use blueprint::Blueprint;
pub use effects::EffectRule;
pub use error::{FactoryError, FactoryErrorKind};
pub use left_out::{LeftOut, Reason};
pub use prompt::{FullPrompt, MOST_PROMPT, PromptInputs, PromptKind, PromptPart};
pub use roster_tools::roster_tools;
pub use settings::{Setting, SettingValue};
pub use spawning::Spawning;
pub use start::{Role, Start};

pub use expand::{Expansion, MissingVariable, expand};

pub use convert::{
    Agent, Change, Conversion, ConvertOptions, Loss, OpenError, Reader, Refusal, Verdict,
    WrittenFile, convert, join, open,
};
pub use difference::{Compared, Difference, Side, differences};
pub use mention::{Author, Calls, Mention};
pub use rights::{ANYTHING_ELSE, Right, Rights, Said, View};
pub use team::{BuiltPrompt, Member, NO_ROLE, Team, build_prompt};
