//! The configuration of a runnable agent.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agent_discovery::Skill;
use agent_schema::dialect::{Permission, PromptUse, SkillUse};
use agent_schema::value::Int;
use agent_schema::{Diagnostic, FieldName, FieldValue, Node};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::catalog::{ModelProfile, ToolCatalog};
use crate::condenser::Condenser;
use crate::effects::EffectRule;
use crate::left_out::LeftOut;
use crate::mcp::McpServers;
use crate::prompt;
use crate::provenance::{Provenance, Sourced};
use crate::settings::Setting;
use crate::spawning::Spawning;

/// The agent that delegates, as far as the new one takes something from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parent {
    /// Its model; unset when nothing is known of it, as in a listing of what a project defines.
    pub model: Option<LanguageModel>,
    /// The mode that decides what needs consent in its run, in the harness's own word.
    pub mode: Option<String>,
    /// How many agents have been started one by another down to it; the main one is at 0.
    pub depth: u32,
    /// Its tools; unset when they are not known.
    pub tools: Option<Vec<String>>,
    /// The rules that its own definition gives it, weakest first.
    pub rules: Vec<EffectRule>,
    /// The rules that it was given when it was started, behind those of its definition; for a main
    /// agent those of its session.
    pub given: Vec<EffectRule>,
}

impl Parent {
    /// Makes a parent with a model and the usage id of that model.
    #[must_use]
    pub fn new(model: impl Into<String>, usage_id: impl Into<String>) -> Self {
        Parent {
            model: Some(LanguageModel {
                model: model.into(),
                usage_id: usage_id.into(),
            }),
            ..Parent::default()
        }
    }

    /// Sets the mode of its run.
    #[must_use]
    pub fn mode(mut self, mode: impl Into<String>) -> Self {
        self.mode = Some(mode.into());
        self
    }

    /// Sets its depth.
    #[must_use]
    pub fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Sets its tools.
    #[must_use]
    pub fn tools<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.tools = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the rules that its own definition gives it.
    #[must_use]
    pub fn rules(mut self, rules: impl IntoIterator<Item = EffectRule>) -> Self {
        self.rules = rules.into_iter().collect();
        self
    }

    /// Sets the rules that it was given when it was started.
    #[must_use]
    pub fn given(mut self, rules: impl IntoIterator<Item = EffectRule>) -> Self {
        self.given = rules.into_iter().collect();
        self
    }

    /// Takes over what an agent that runs hands on to those that it starts: its tools, if they are
    /// listed, and its rules. Its model and its depth are for the caller to say.
    #[must_use]
    pub fn running(mut self, agent: &AgentConfig) -> Self {
        if let Toolset::Listed(tools) = &agent.tools.value {
            self.tools = Some(tools.iter().map(|tool| tool.value.clone()).collect());
        }
        match &agent.permission.value {
            PermissionPolicy::Mode(mode) => self.mode = Some(mode.clone()),
            PermissionPolicy::Rules(rules) => {
                let own = rules.len().saturating_sub(agent.given.len());
                self.rules = rules[..own].iter().map(|rule| rule.value.clone()).collect();
            }
            _ => {}
        }
        self.given = agent.given.iter().map(|rule| rule.value.clone()).collect();
        self
    }

    /// Makes a parent of which nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Parent::default()
    }
}

/// A language model as a harness addresses it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LanguageModel {
    /// The model: `vendor/name`.
    pub model: String,
    /// Under which name its costs are counted.
    pub usage_id: String,
}

/// The model of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Model {
    /// The parent's own.
    Parent,
    /// That of a stored profile.
    Profile(ModelProfile),
    /// One that the provider or the harness knows by this name.
    Named(String),
}

/// Whether an agent gets the tools that it lists or all that there are.
#[derive(Debug, Clone, PartialEq)]
pub enum Toolset {
    /// Just these, in the order in which the definition lists them, duplicates kept.
    Listed(Vec<Sourced<String>>),
    /// All that the harness gives to such agents, without these.
    Everything {
        /// What the definition denies.
        without: Vec<Sourced<String>>,
    },
}

impl Toolset {
    /// Returns the tools among those that exist, in the order of the list or else of the catalog.
    #[must_use]
    pub fn among<'a>(&'a self, catalog: &'a dyn ToolCatalog) -> Vec<&'a str> {
        match self {
            Toolset::Listed(tools) => tools.iter().map(|tool| tool.value.as_str()).collect(),
            Toolset::Everything { without } => {
                let taken = |name: &&str| without.iter().any(|tool| tool.value == *name);
                catalog
                    .names()
                    .into_iter()
                    .filter(|name| !taken(name))
                    .collect()
            }
        }
    }

    /// Returns the tools that are listed; none if it is everything.
    #[must_use]
    pub fn listed(&self) -> &[Sourced<String>] {
        match self {
            Toolset::Listed(tools) => tools,
            Toolset::Everything { .. } => &[],
        }
    }
}

/// Which actions of an agent need a person's consent.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PermissionPolicy {
    /// Those that the parent's policy names.
    Inherit,
    /// Those of a policy of its own.
    Own(Permission),
    /// Those of a mode of its own, in the harness's word.
    Mode(String),
    /// What these rules say, of which the last one that fits counts.
    Rules(Vec<Sourced<EffectRule>>),
}

impl PermissionPolicy {
    /// Returns the word for the policy.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            PermissionPolicy::Inherit => "inherit",
            PermissionPolicy::Own(permission) => permission.as_str(),
            PermissionPolicy::Mode(mode) => mode,
            PermissionPolicy::Rules(_) => "rules",
        }
    }
}

/// What is added to the parent's system message.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// The agent's prompt; none if it is empty.
    pub prompt_suffix: Option<Sourced<String>>,
    /// The skills, in the order in which the definition lists them.
    pub skills: Vec<Sourced<Skill>>,
}

/// How far a run may go.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// The most steps; none leaves it to the harness.
    pub max_turns: Sourced<Option<Int>>,
    /// The most US dollars; none leaves it to the harness.
    pub max_budget_usd: Sourced<Option<f64>>,
}

/// The configuration of a runnable agent, each part with where it comes from.
///
/// As JSON it holds no secrets: they are masked, see [`McpServers`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AgentConfig {
    /// The agent's name.
    pub name: Sourced<String>,
    /// When to use it.
    pub description: Sourced<String>,
    /// Its model.
    pub model: Sourced<Model>,
    /// Its tools.
    pub tools: Sourced<Toolset>,
    /// What is added to the system message; none if there is neither a prompt nor a skill.
    pub context: Option<Context>,
    /// How a long history is shortened.
    pub condenser: Sourced<Condenser>,
    /// Its MCP servers, variables not filled in.
    pub mcp_servers: Sourced<McpServers>,
    /// Which actions need consent.
    pub permission: Sourced<PermissionPolicy>,
    /// The rules that it is given by being started; the last of those in `permission`.
    pub given: Vec<Sourced<EffectRule>>,
    /// How far a run may go.
    pub limits: Limits,
    /// What the harness runs at events; none if nothing is set.
    pub hooks: Sourced<Option<Node>>,
    /// Whether it may start other agents.
    pub spawning: Sourced<Spawning>,
    /// What its prompt does with the one that is there without it.
    pub prompt_use: Sourced<PromptUse>,
    /// How a skill that it lists reaches it.
    pub skill_use: SkillUse,
    /// How its model writes, beside its name: (field, number).
    pub sampling: Vec<(FieldName, Sourced<f64>)>,
    /// What the definition sets beside all this, in its order.
    pub settings: Vec<Setting>,
    /// What the definition asks for and the agent does not get.
    pub left_out: Vec<LeftOut>,
    /// What will not be as the definition says, though the agent runs.
    pub remarks: Vec<Diagnostic>,
    /// Folders and files that are not there and that the harness creates by making this agent,
    /// outer folders first.
    pub harness_would_create: Vec<PathBuf>,
}

impl AgentConfig {
    /// Returns the names of the tools that are listed; none if the agent gets everything.
    #[must_use]
    pub fn tool_names(&self) -> Vec<&str> {
        let names = self.tools.value.listed().iter();
        names.map(|tool| tool.value.as_str()).collect()
    }

    /// Returns the attached skills.
    pub fn skills(&self) -> impl Iterator<Item = &Skill> {
        let context = self.context.iter();
        context.flat_map(|context| context.skills.iter().map(|skill| &skill.value))
    }

    /// Returns an attached skill by its name, for a harness whose agents read the text of a skill
    /// only when they need it.
    #[must_use]
    pub fn skill(&self, name: &str) -> Option<&Skill> {
        self.skills().find(|skill| skill.name == name)
    }

    /// Returns what is appended to the parent's system message.
    #[must_use]
    pub fn prompt_suffix(&self) -> Option<&str> {
        let prompt = self.context.as_ref()?.prompt_suffix.as_ref()?;
        Some(&prompt.value)
    }
}

impl Serialize for AgentConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AgentConfig", 17)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("description", &self.description)?;
        out.serialize_field("model", &self.model)?;
        out.serialize_field("tools", &self.tools)?;
        let context = self.context.as_ref();
        let prompt = context.and_then(|context| context.prompt_suffix.as_ref());
        out.serialize_field("has_context", &context.is_some())?;
        out.serialize_field("prompt_suffix", &prompt)?;
        let skills = context.map_or(&[][..], |context| &context.skills);
        let skills: Vec<SkillOutput<'_>> = skills.iter().map(SkillOutput::of).collect();
        out.serialize_field("skills", &skills)?;
        out.serialize_field("condenser", &self.condenser)?;
        out.serialize_field("mcp_servers", &self.mcp_servers)?;
        out.serialize_field("permission", &self.permission)?;
        out.serialize_field("limits", &self.limits)?;
        out.serialize_field("hooks", &self.hooks)?;
        out.serialize_field("spawning", &self.spawning)?;
        let prompt_use = Sourced::new(
            prompt::word(self.prompt_use.value),
            self.prompt_use.from.clone(),
        );
        out.serialize_field("prompt_use", &prompt_use)?;
        let sampling = self.sampling.iter();
        let sampling: BTreeMap<_, _> = sampling.map(|(field, it)| (field.as_str(), it)).collect();
        out.serialize_field("sampling", &sampling)?;
        out.serialize_field("settings", &Settings(&self.settings))?;
        out.serialize_field("left_out", &self.left_out)?;
        let created = self.harness_would_create.iter();
        let created: Vec<_> = created.map(|path| path.to_string_lossy()).collect();
        out.serialize_field("harness_would_create", &created)?;
        out.end()
    }
}

/// Settings as a map, in their order.
struct Settings<'a>(&'a [Setting]);

impl Serialize for Settings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|it| (it.field.as_str(), &it.value)))
    }
}

#[derive(serde::Serialize)]
struct SkillOutput<'a> {
    name: &'a str,
    description: Option<&'a str>,
    content: &'a str,
    source: &'a str,
    from: &'a Provenance,
}

impl<'a> SkillOutput<'a> {
    fn of(skill: &'a Sourced<Skill>) -> Self {
        SkillOutput {
            name: &skill.value.name,
            description: skill.value.description.as_deref(),
            content: &skill.value.content,
            source: &skill.value.reported,
            from: &skill.from,
        }
    }
}

/// A list as a list, everything as an object that says so.
impl Serialize for Toolset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Toolset::Listed(tools) => tools.serialize(serializer),
            Toolset::Everything { without } => {
                let mut out = serializer.serialize_struct("Toolset", 2)?;
                out.serialize_field("everything", &true)?;
                out.serialize_field("without", without)?;
                out.end()
            }
        }
    }
}

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Model::Parent => serializer.serialize_str("parent"),
            Model::Named(name) => {
                let mut out = serializer.serialize_struct("Model", 1)?;
                out.serialize_field("model", name)?;
                out.end()
            }
            Model::Profile(profile) => {
                let mut out = serializer.serialize_struct("ModelProfile", 4)?;
                out.serialize_field("profile", &profile.name)?;
                out.serialize_field("model", &profile.model.model)?;
                out.serialize_field("usage_id", &profile.model.usage_id)?;
                let file = profile.path.as_ref().map(|path| path.to_string_lossy());
                out.serialize_field("file", &file)?;
                out.end()
            }
        }
    }
}

/// A word, or the rules as a list.
impl Serialize for PermissionPolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            PermissionPolicy::Rules(rules) => rules.serialize(serializer),
            word => serializer.serialize_str(word.as_str()),
        }
    }
}

impl Serialize for Limits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A budget may be infinite, which only the schema's own output can write.
        let budget = Sourced {
            value: self.max_budget_usd.value.map(FieldValue::Number),
            from: self.max_budget_usd.from.clone(),
        };
        let mut out = serializer.serialize_struct("Limits", 2)?;
        out.serialize_field("max_turns", &self.max_turns)?;
        out.serialize_field("max_budget_usd", &budget)?;
        out.end()
    }
}
