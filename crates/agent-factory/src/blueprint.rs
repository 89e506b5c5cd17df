//! The two steps from a definition to an agent.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use agent_discovery::Skill;
use agent_schema::dialect::{DelegatedMcp, ModelNames, RepeatedSkill, UnknownSkill, UnsetTools};
use agent_schema::{
    Definition, Diagnostic, Dialect, FieldName, Name, Place, Profile, Severity, Span, ToolAccess,
    rules,
};

use crate::catalog::{ModelCatalog, SkillCatalog, ToolCatalog};
use crate::condenser::Condenser;
use crate::config::{AgentConfig, Context, Limits, Model, Parent, PermissionPolicy, Toolset};
use crate::error::FactoryError;
use crate::mcp::{ExpandedServers, McpServers};
use crate::provenance::{Provenance, Sourced};

/// A definition whose skills are resolved: what a harness keeps when it registers an agent.
///
/// The skills stay as they were at that moment. The model and the tools are looked up whenever
/// an agent is made, so that a tool may be registered later than the agent.
#[derive(Clone)]
pub struct Blueprint {
    definition: Definition,
    skills: Vec<Sourced<Skill>>,
    /// Skills that are left out because they do not exist.
    left_out: Vec<Diagnostic>,
    dialect: &'static Dialect,
    profile: &'static Profile,
}

impl Blueprint {
    /// Resolves the skills of a definition, in the order in which it lists them.
    ///
    /// # Errors
    /// The first skill that does not exist, unless agents of this harness go without it. That a skill is listed twice shows only when an agent
    /// is made.
    pub fn new(
        definition: &Definition,
        skills: &dyn SkillCatalog,
        dialect: &'static Dialect,
        profile: &'static Profile,
    ) -> Result<Self, FactoryError> {
        let rules = &profile.rules.factory;
        let mut resolved: Vec<Sourced<Skill>> = Vec::with_capacity(definition.skills().len());
        let mut left_out = Vec::new();
        for name in definition.skills() {
            let from = item_provenance(definition, FieldName::SKILLS, name);
            match skills.get(&name.text) {
                Some(skill) => resolved.push(Sourced::new(skill.clone(), from)),
                None => {
                    let place = item_place(definition, FieldName::SKILLS, name);
                    let error =
                        FactoryError::unknown_skill(definition, dialect, name, skills, place);
                    if rules.unknown_skill != UnknownSkill::LeftOut {
                        return Err(error);
                    }
                    left_out.push(Diagnostic {
                        severity: Severity::Warning,
                        why: Some(format!("{} leaves it out without a word", dialect.title)),
                        ..error.diagnostic()
                    });
                }
            }
        }
        if rules.repeated_skill == RepeatedSkill::Once {
            let mut names = HashSet::new();
            resolved.retain(|skill| names.insert(skill.value.name.clone()));
        }
        Ok(Blueprint {
            definition: definition.clone(),
            skills: resolved,
            left_out,
            dialect,
            profile,
        })
    }

    /// Returns the definition.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns which actions of the agent will need consent; the harness knows this without
    /// making the agent.
    #[must_use]
    pub fn permission(&self) -> Sourced<PermissionPolicy> {
        let field = FieldName::PERMISSION_MODE;
        let policy = self.definition.text(field).map(|word| {
            let words = self.profile.rules.factory.permissions.iter();
            let meaning = words.clone().find(|(known, _)| *known == word);
            meaning.map_or(PermissionPolicy::Inherit, |(_, permission)| {
                PermissionPolicy::Own(*permission)
            })
        });
        Sourced::new(
            policy.unwrap_or(PermissionPolicy::Inherit),
            Provenance::of(&self.definition, field, Provenance::Parent),
        )
    }

    /// Makes an agent: looks up its model, puts the context together, looks up the tools in the
    /// order in which they are listed, and makes the condenser.
    ///
    /// # Errors
    /// The first thing on this way that does not exist or cannot be used.
    pub fn instantiate(
        &self,
        parent: &Parent,
        tools: &dyn ToolCatalog,
        models: &dyn ModelCatalog,
    ) -> Result<AgentConfig, FactoryError> {
        let definition = &self.definition;
        let (model, harness_would_create) = self.model(models)?;
        let after_model = |error: FactoryError| error.creating(&harness_would_create);
        let context = self.context().map_err(after_model)?;
        let tools = self.tools(tools).map_err(after_model)?;
        let (language_model, model_from) = match &model.value {
            Model::Parent => (parent.model.as_ref(), Provenance::Parent),
            Model::Named(_) => (None, model.from.clone()),
            Model::Profile(profile) => (
                Some(&profile.model),
                Provenance::ModelProfile {
                    name: profile.name.clone(),
                    path: profile.path.clone(),
                },
            ),
        };
        let condensers = &self.profile.rules.factory.condensers;
        let condenser = Condenser::of(definition, condensers, language_model, &model_from);

        let from = |field| Provenance::of(definition, field, Provenance::Default);
        let mcp_servers = definition.config(FieldName::MCP_SERVERS).cloned();
        let mcp_servers = Sourced::new(McpServers::new(mcp_servers), from(FieldName::MCP_SERVERS));
        Ok(AgentConfig {
            name: Sourced::new(definition.name().to_owned(), from(FieldName::NAME)),
            description: Sourced::new(
                definition.description().to_owned(),
                from(FieldName::DESCRIPTION),
            ),
            model,
            tools,
            context,
            condenser,
            remarks: self
                .left_out
                .iter()
                .cloned()
                .chain(self.mcp_remark(&mcp_servers))
                .collect(),
            mcp_servers,
            permission: self.permission(),
            limits: Limits {
                max_turns: Sourced::new(
                    definition.integer(FieldName::MAX_TURNS).cloned(),
                    from(FieldName::MAX_TURNS),
                ),
                max_budget_usd: Sourced::new(
                    definition.number(FieldName::MAX_BUDGET_USD),
                    from(FieldName::MAX_BUDGET_USD),
                ),
            },
            hooks: Sourced::new(
                definition.config(FieldName::HOOKS).cloned(),
                from(FieldName::HOOKS),
            ),
            harness_would_create,
        })
    }

    /// Fills in the variables of the MCP servers, as the harness does when a conversation starts.
    ///
    /// `variables` gives the value of a variable; the process environment is not read.
    ///
    /// # Errors
    /// If the harness refuses the servers with their variables filled in.
    pub fn expand_mcp_servers(
        &self,
        variables: &dyn Fn(&str) -> Option<String>,
    ) -> Result<ExpandedServers, FactoryError> {
        let servers = self.definition.config(FieldName::MCP_SERVERS).cloned();
        McpServers::new(servers).expand(&self.definition, self.dialect, self.profile, variables)
    }

    /// Looks up the model; also tells what the harness creates on the disk while it looks.
    fn model(
        &self,
        models: &dyn ModelCatalog,
    ) -> Result<(Sourced<Model>, Vec<PathBuf>), FactoryError> {
        let definition = &self.definition;
        let from = Provenance::of(definition, FieldName::MODEL, Provenance::Default);
        let inherits = self.profile.rules.factory.inherit_words;
        let word = match definition.model() {
            Some(word) if !inherits.contains(&word) => word,
            _ => return Ok((Sourced::new(Model::Parent, from), Vec::new())),
        };
        if self.profile.rules.factory.model_names == ModelNames::Models {
            return Ok((
                Sourced::new(Model::Named(word.to_owned()), from),
                Vec::new(),
            ));
        }
        let answer = models.look_up(word, definition.text(FieldName::PROFILE_STORE_DIR));
        match answer.found {
            Ok(profile) => Ok((
                Sourced::new(Model::Profile(profile), from),
                answer.harness_would_create,
            )),
            Err(trouble) => Err(
                FactoryError::model(definition, self.dialect, trouble, inherits)
                    .creating(&answer.harness_would_create),
            ),
        }
    }

    /// Puts the context together; it is there as soon as there is a prompt or a skill.
    fn context(&self) -> Result<Option<Context>, FactoryError> {
        let mut seen: HashMap<&str, Option<Span>> = HashMap::new();
        for skill in &self.skills {
            let place = skill.from.place();
            let span = place.map(|place| place.value);
            if let Some(first) = seen.insert(&skill.value.name, span) {
                return Err(FactoryError::duplicate_skill(
                    &self.definition,
                    self.dialect,
                    &skill.value.name,
                    place,
                    first,
                ));
            }
        }
        let prompt = self.definition.prompt().filter(|prompt| !prompt.is_empty());
        if prompt.is_none() && self.skills.is_empty() {
            return Ok(None);
        }
        let from = Provenance::of(&self.definition, FieldName::PROMPT, Provenance::Default);
        Ok(Some(Context {
            prompt_suffix: prompt.map(|prompt| Sourced::new(prompt.to_owned(), from)),
            skills: self.skills.clone(),
        }))
    }

    /// Looks up the tools that are listed; what is denied is left out.
    fn tools(&self, tools: &dyn ToolCatalog) -> Result<Sourced<Toolset>, FactoryError> {
        let definition = &self.definition;
        let field = FieldName::TOOLS;
        let from = Provenance::of(definition, field, Provenance::Default);
        let denied = definition.names(FieldName::DISALLOWED_TOOLS);
        let everything = || Toolset::Everything {
            without: denied
                .iter()
                .map(|name| {
                    let from = item_provenance(definition, FieldName::DISALLOWED_TOOLS, name);
                    Sourced::new(name.text.clone(), from)
                })
                .collect(),
        };
        let toolset = match (definition.tools(), self.profile.rules.factory.unset_tools) {
            (ToolAccess::All, _) | (ToolAccess::Unset, UnsetTools::Everything) => everything(),
            (ToolAccess::Unset, UnsetTools::Nothing) => Toolset::Listed(Vec::new()),
            (ToolAccess::Listed(names), _) => {
                let mut granted = Vec::with_capacity(names.len());
                for name in names {
                    if !tools.has(&name.text) {
                        let place = item_place(definition, field, name);
                        return Err(FactoryError::unknown_tool(
                            definition,
                            self.dialect,
                            name,
                            tools,
                            place,
                        ));
                    }
                    if denied.iter().all(|denied| denied.text != name.text) {
                        let from = item_provenance(definition, field, name);
                        granted.push(Sourced::new(name.text.clone(), from));
                    }
                }
                Toolset::Listed(granted)
            }
        };
        Ok(Sourced::new(toolset, from))
    }

    /// Tells that another agent's MCP servers will take the place of the agent's own.
    fn mcp_remark(&self, servers: &Sourced<McpServers>) -> Option<Diagnostic> {
        let drops = self.profile.rules.factory.delegated_mcp == DelegatedMcp::Parents;
        if !drops || servers.value.is_empty() {
            return None;
        }
        let title = self.dialect.title;
        let mut diagnostic = Diagnostic::new(
            &rules::MCP_OF_PARENT,
            "the agent's own MCP servers have no effect when another agent calls it",
        )
        .because(format!(
            "{title} gives a called agent exactly the MCP servers of the agent that calls it"
        ))
        .help("configure the servers where the calling agent is configured")
        .said_by_harness();
        diagnostic.span = servers.from.place().map(|place| place.key);
        Some(diagnostic)
    }
}

/// Shows the agent's name alone: a definition may hold secrets.
impl std::fmt::Debug for Blueprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blueprint")
            .field("name", &self.definition.name())
            .field("dialect", &self.dialect.id)
            .finish_non_exhaustive()
    }
}

/// Tells where an item of a list is written.
fn item_place(definition: &Definition, field: FieldName, item: &Name) -> Option<Place> {
    let place = definition.place(field)?;
    Some(Place {
        value: item.span.unwrap_or(place.value),
        ..place
    })
}

fn item_provenance(definition: &Definition, field: FieldName, item: &Name) -> Provenance {
    match item_place(definition, field, item) {
        Some(place) => Provenance::Definition { field, place },
        None => Provenance::Default,
    }
}
