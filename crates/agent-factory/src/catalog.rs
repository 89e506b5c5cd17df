//! What exists: the tools, skills and models that an agent may name.
//!
//! Each catalog is a trait, because harnesses and editors keep theirs in different places; the
//! sets here hold them in memory.

use std::path::PathBuf;

use agent_discovery::{Skill, Skills};
use agent_schema::{Node, Span};
use indexmap::{IndexMap, IndexSet};

use crate::config::LanguageModel;

/// The tools that are registered.
pub trait ToolCatalog {
    /// Returns all names, in the order in which they were registered.
    fn names(&self) -> Vec<&str>;

    /// Returns whether the names are all that there are; if not, any name may be a tool's.
    fn is_complete(&self) -> bool {
        true
    }

    /// Returns whether a tool has exactly this name.
    fn has(&self, name: &str) -> bool {
        self.names().contains(&name)
    }
}

/// The MCP servers that are configured, of which agents may name some.
pub trait McpCatalog {
    /// Returns all names, in their order.
    fn names(&self) -> Vec<&str>;

    /// Returns whether the names are all that there are.
    fn is_complete(&self) -> bool {
        true
    }

    /// Returns whether a server has exactly this name.
    fn has(&self, name: &str) -> bool {
        self.names().contains(&name)
    }

    /// Returns how a server is started, with its secrets, if that is known.
    fn get(&self, _name: &str) -> Option<&Node> {
        None
    }
}

/// The skills that agents may name.
pub trait SkillCatalog {
    /// Returns the skill that answers to a name.
    fn get(&self, name: &str) -> Option<&Skill>;

    /// Returns all names.
    fn names(&self) -> Vec<&str>;

    /// Returns where the skill of a name is kept from models, if its file says so.
    fn hidden(&self, _name: &str) -> Option<HiddenSkill> {
        None
    }

    /// Returns the skills that would have answered to a name, had they been usable.
    fn near_misses(&self, _name: &str) -> Vec<NearMiss> {
        Vec::new()
    }
}

/// Where the file of a skill says that no model may use it by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenSkill {
    /// The file, as the harness reports it.
    pub file: String,
    /// Where it says so, if that is known.
    pub span: Option<Span>,
}

/// A file that would have had the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The file.
    pub path: PathBuf,
    /// Why it does not have it.
    pub reason: String,
}

/// The models that agents may name.
pub trait ModelCatalog {
    /// Looks for a model by its name as written, in the store that the definition names as
    /// written, or else in the harness's own.
    fn look_up(&self, name: &str, store: Option<&str>) -> ModelAnswer;
}

/// What a catalog of models answers.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct ModelAnswer {
    /// The profile, or why there is none.
    pub found: Result<ModelProfile, ModelTrouble>,
    /// Folders and files that are not there and that the harness creates by looking, outer
    /// folders first.
    pub harness_would_create: Vec<PathBuf>,
}

/// A model with a name that agents can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelProfile {
    /// Its name, without the suffix of its file.
    pub name: String,
    /// The model.
    pub model: LanguageModel,
    /// Its file, if it has one.
    pub path: Option<PathBuf>,
}

/// Why there is no such model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelTrouble {
    /// Nothing has the name.
    Unknown {
        /// The name as written.
        name: String,
        /// The names that there are.
        available: Vec<String>,
    },
    /// Something has the name, but the harness does not allow it.
    NameNotAllowed {
        /// The name without the suffix of its file.
        name: String,
        /// What is allowed, for people.
        allowed: &'static str,
    },
    /// The profile cannot be used.
    Broken {
        /// The name without the suffix of its file.
        name: String,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The store cannot be used.
    UnusableStore {
        /// The name as written.
        name: String,
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// A set of tools in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolSet(IndexSet<String>);

impl ToolSet {
    /// Makes a set without tools.
    #[must_use]
    pub fn new() -> Self {
        ToolSet::default()
    }

    /// Registers a tool.
    pub fn add(&mut self, name: impl Into<String>) {
        self.0.insert(name.into());
    }
}

impl<T: Into<String>> FromIterator<T> for ToolSet {
    fn from_iter<I: IntoIterator<Item = T>>(names: I) -> Self {
        ToolSet(names.into_iter().map(Into::into).collect())
    }
}

impl ToolCatalog for ToolSet {
    fn names(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// A set of MCP servers in memory. Debug output shows their names alone.
#[derive(Clone, Default, PartialEq)]
pub struct McpSet(IndexMap<String, Option<Node>>);

impl McpSet {
    /// Makes a set without servers.
    #[must_use]
    pub fn new() -> Self {
        McpSet::default()
    }

    /// Adds a server of which nothing but its name is known, unless it is there already.
    pub fn add(&mut self, name: impl Into<String>) {
        self.0.entry(name.into()).or_default();
    }

    /// Adds a server with the way it is started, in place of an earlier one.
    pub fn configure(&mut self, name: impl Into<String>, server: Node) {
        self.0.insert(name.into(), Some(server));
    }
}

impl McpCatalog for McpSet {
    fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn get(&self, name: &str) -> Option<&Node> {
        self.0.get(name)?.as_ref()
    }
}

impl<T: Into<String>> FromIterator<T> for McpSet {
    fn from_iter<I: IntoIterator<Item = T>>(names: I) -> Self {
        McpSet(names.into_iter().map(|name| (name.into(), None)).collect())
    }
}

/// Servers hold secrets.
impl std::fmt::Debug for McpSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A set of skills in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillSet(IndexMap<String, Skill>);

impl SkillSet {
    /// Makes a set without skills.
    #[must_use]
    pub fn new() -> Self {
        SkillSet::default()
    }

    /// Adds a skill under its name, in place of an earlier one.
    pub fn add(&mut self, skill: Skill) {
        self.0.insert(skill.name.clone(), skill);
    }
}

impl SkillCatalog for SkillSet {
    fn get(&self, name: &str) -> Option<&Skill> {
        self.0.get(name)
    }

    fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}

impl SkillCatalog for Skills {
    fn get(&self, name: &str) -> Option<&Skill> {
        Skills::get(self, name).map(|found| &found.skill)
    }

    fn names(&self) -> Vec<&str> {
        self.active()
            .map(|found| found.skill.name.as_str())
            .collect()
    }

    fn hidden(&self, name: &str) -> Option<HiddenSkill> {
        let found = Skills::get(self, name).filter(|found| !found.model_visible)?;
        Some(HiddenSkill {
            file: found.skill.reported.clone(),
            span: found.hidden_at,
        })
    }

    fn near_misses(&self, name: &str) -> Vec<NearMiss> {
        self.would_have_been(name)
            .map(|found| NearMiss {
                path: found.skill.path.clone(),
                reason: found
                    .diagnostics
                    .first()
                    .map(|diagnostic| diagnostic.message.to_string())
                    .unwrap_or_default(),
            })
            .collect()
    }
}

/// A set of models in memory, the same for every store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelSet(IndexMap<String, LanguageModel>);

impl ModelSet {
    /// Makes a set without models.
    #[must_use]
    pub fn new() -> Self {
        ModelSet::default()
    }

    /// Adds a model under a name, in place of an earlier one.
    pub fn add(&mut self, name: impl Into<String>, model: LanguageModel) {
        self.0.insert(name.into(), model);
    }
}

impl Extend<(String, LanguageModel)> for ModelSet {
    fn extend<I: IntoIterator<Item = (String, LanguageModel)>>(&mut self, models: I) {
        self.0.extend(models);
    }
}

impl ModelCatalog for ModelSet {
    fn look_up(&self, name: &str, _store: Option<&str>) -> ModelAnswer {
        let found = match self.0.get(name) {
            Some(model) => Ok(ModelProfile {
                name: name.to_owned(),
                model: model.clone(),
                path: None,
            }),
            None => Err(ModelTrouble::Unknown {
                name: name.to_owned(),
                available: self.0.keys().cloned().collect(),
            }),
        };
        ModelAnswer {
            found,
            harness_would_create: Vec::new(),
        }
    }
}
