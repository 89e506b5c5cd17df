#![doc = include_str!("../README.md")]

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
mod inherit;
mod left_out;
mod model;
mod spawning;
mod start;
mod wanted;

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
    HiddenSkill, McpCatalog, McpSet, ModelAnswer, ModelCatalog, ModelProfile, ModelSet,
    ModelTrouble, NearMiss, SkillCatalog, SkillSet, ToolCatalog, ToolSet,
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
    Agent, Change, Conversion, ConvertOptions, Loss, LossCode, OpenError, Reader, Refusal,
    RefusalCode, Verdict, WrittenFile, beyond_merged, convert, join, open,
};
pub use difference::{Compared, Difference, Side, differences};
pub use mention::{Author, Calls, Mention};
pub use rights::{ANYTHING_ELSE, Right, Rights, Said, View};
pub use team::{BuiltPrompt, Member, NO_ROLE, Team, build_prompt};
