//! The two steps from a definition to an agent.

use agent_discovery::Skill;
use agent_schema::coerce::shorten;
use agent_schema::dialect::{
    DelegatedMcp, ModeRules, PromptUse, RepeatedSkill, ToolDecision, UnknownSkill,
};
use agent_schema::{
    Definition, Diagnostic, Dialect, FieldName, Name, Place, Profile, Severity, Span, rules,
};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use crate::catalog::{HiddenSkill, ModelCatalog, SkillCatalog, ToolCatalog};
use crate::condenser::Condenser;
use crate::config::{AgentConfig, Context, Limits, Model, Parent, PermissionPolicy};
use crate::effects::{EffectRule, Effects};
use crate::error::FactoryError;
use crate::grant::{self, Granted};
use crate::left_out::{LeftOut, Reason};
use crate::mcp::{ExpandedServers, McpServers};
use crate::model::{self, Chosen};
use crate::provenance::{Provenance, Sourced};
use crate::settings;
use crate::spawning;
use crate::start::Start;
use crate::wanted::Wanted;

/// A definition whose skills are resolved: what a harness keeps when it registers an agent.
///
/// The skills stay as they were at that moment. The model and the tools are looked up whenever
/// an agent is made, so that a tool may be registered later than the agent.
#[derive(Clone)]
pub struct Blueprint {
    definition: Definition,
    skills: Vec<Sourced<Skill>>,
    /// The prompt that stands in a file of its own, which is then the only one.
    prompt: Option<Sourced<String>>,
    /// Skills that are left out, because they do not exist or are kept from models.
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
            let hidden = rules.hidden_skill.and_then(|why| {
                let hidden = skills.hidden(&name.text)?;
                let place = item_place(definition, FieldName::SKILLS, name);
                Some(hidden_skill(name, place, hidden, why))
            });
            match skills.get(&name.text) {
                Some(_) if hidden.is_some() => left_out.extend(hidden),
                Some(skill) => resolved.push(Sourced::new(skill.clone(), from)),
                None => {
                    let place = item_place(definition, FieldName::SKILLS, name);
                    let error =
                        FactoryError::unknown_skill(definition, dialect, name, skills, place);
                    if rules.unknown_skill != UnknownSkill::LeftOut {
                        return Err(error);
                    }
                    let title = dialect.title;
                    let is_searched = profile.rules.skills.folders().next().is_some();
                    let unseen = (profile.rules.skills.unseen)(&name.text);
                    left_out.push(match (is_searched, unseen) {
                        (true, None) => Diagnostic {
                            severity: Severity::Warning,
                            why: Some(format!("{title} starts the agent without it").into()),
                            ..error.diagnostic()
                        },
                        // Nobody can say that it is not there.
                        (_, unseen) => Diagnostic {
                            severity: Severity::Info,
                            message: format!(
                                "whether a skill is called `{}` is not known",
                                name.text
                            )
                            .into(),
                            why: Some(match unseen {
                                Some(why) => why.into(),
                                None => format!("where {title} looks for skills is not known here")
                                    .into(),
                            }),
                            help: None,
                            ..error.diagnostic()
                        },
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
            prompt: None,
            left_out,
            dialect,
            profile,
        })
    }

    /// Gives the agent the text of the file that its definition names for its prompt.
    #[must_use]
    pub fn prompt_file(mut self, path: PathBuf, text: String) -> Self {
        self.prompt = Some(Sourced::new(text, Provenance::PromptFile { path }));
        self
    }

    /// Returns the definition.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns which actions of the agent will need consent, as far as its definition says; the
    /// harness knows this without making the agent.
    #[must_use]
    pub fn permission(&self) -> Sourced<PermissionPolicy> {
        let field = FieldName::PERMISSION_MODE;
        let factory = &self.profile.rules.factory;
        let policy = self.definition.text(field).map(|word| {
            let mut words = factory.permissions.iter();
            match (words.find(|(known, _)| *known == word), factory.start.modes) {
                (Some((_, permission)), _) => PermissionPolicy::Own(*permission),
                (None, Some(modes)) => PermissionPolicy::Mode(present_mode(word, &modes)),
                (None, None) => PermissionPolicy::Inherit,
            }
        });
        Sourced::new(
            policy.unwrap_or(PermissionPolicy::Inherit),
            Provenance::of(&self.definition, field, Provenance::Parent),
        )
    }

    /// Makes an agent that another one calls, of which nothing else is known.
    ///
    /// # Errors
    /// As [`Blueprint::start`].
    pub fn instantiate(
        &self,
        parent: &Parent,
        tools: &dyn ToolCatalog,
        models: &dyn ModelCatalog,
    ) -> Result<AgentConfig, FactoryError> {
        self.start(&Start::new(parent, tools, models))
    }

    /// Makes an agent: chooses its model, puts the context together, decides about the tools in the
    /// order in which they are listed, and makes the condenser.
    ///
    /// # Errors
    /// The first thing on this way that does not exist or cannot be used, where the harness makes
    /// no agent then.
    pub fn start(&self, start: &Start<'_>) -> Result<AgentConfig, FactoryError> {
        let definition = &self.definition;
        let rules = &self.profile.rules.factory;
        let Chosen {
            model,
            mut left_out,
            harness_would_create,
        } = model::choose(definition, self.dialect, self.profile, start)?;
        let after_model = |error: FactoryError| error.creating(&harness_would_create);
        let context = self.context().map_err(after_model)?;
        let permission = self.permission_in(start, &mut left_out);
        let mode = match &permission.value {
            PermissionPolicy::Mode(mode) => Some(mode.as_str()),
            _ => start.parent.mode.as_deref(),
        };
        let Granted {
            tools,
            given,
            left_out: without,
        } = grant::grant(definition, self.dialect, self.profile, start, mode)
            .map_err(after_model)?;
        left_out.extend(without);
        let permission = with_given(permission, &given);
        let (language_model, model_from) = match &model.value {
            Model::Parent => (start.parent.model.as_ref(), Provenance::Parent),
            Model::Named(_) => (None, model.from.clone()),
            Model::Profile(profile) => (
                Some(&profile.model),
                Provenance::ModelProfile {
                    name: profile.name.clone(),
                    path: profile.path.clone(),
                },
            ),
        };
        let condenser = Condenser::of(definition, &rules.condensers, language_model, &model_from);

        let from = |field| Provenance::of(definition, field, Provenance::Default);
        let waits = |field: FieldName, what: String| LeftOut {
            field,
            what,
            why: Reason::WaitsForTrust,
            from: from(field),
        };
        let field = FieldName::HOOKS;
        let mut hooks = Sourced::new(definition.config(field).cloned(), from(field));
        if start.held_back.contains(&field) && hooks.value.take().is_some() {
            left_out.push(waits(field, field.as_str().to_owned()));
        }
        let field = FieldName::MCP_SERVERS;
        let mut servers = McpServers::new(definition.config(field).cloned());
        if start.held_back.contains(&field) {
            let taken = servers.take_written_out().into_iter();
            left_out.extend(taken.map(|server| waits(field, server)));
        }
        let mcp_servers = Sourced::new(servers, from(field));
        let sampling = rules.start.sampling.iter().filter_map(|field| {
            let number = definition.number(*field)?;
            Some((*field, Sourced::new(number, from(*field))))
        });
        let mut config = AgentConfig {
            name: Sourced::new(definition.name().to_owned(), from(FieldName::NAME)),
            description: Sourced::new(
                definition.description().to_owned(),
                from(FieldName::DESCRIPTION),
            ),
            model,
            spawning: spawning::spawning(
                definition,
                self.profile,
                start,
                &tools,
                &permission.value,
            ),
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
            permission,
            given,
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
            hooks,
            prompt_use: self.prompt_use(),
            skill_use: rules.start.skills,
            sampling: sampling.collect(),
            settings: settings::further(definition, self.profile),
            left_out,
            harness_would_create,
        };
        let wanted = Wanted {
            definition,
            dialect: self.dialect,
            profile: self.profile,
            start,
        };
        let unknown = wanted.remarks(&config);
        config.remarks.extend(unknown);
        if let Some(servers) = start.servers {
            config.mcp_servers.value.look_up(servers);
        }
        Ok(config)
    }

    /// Decides what needs consent, by the definition, the parent, and what is forbidden.
    fn permission_in(
        &self,
        start: &Start<'_>,
        left_out: &mut Vec<LeftOut>,
    ) -> Sourced<PermissionPolicy> {
        let factory = &self.profile.rules.factory;
        let rules = match &factory.start.tools {
            ToolDecision::Effects(rules) => Some(rules),
            ToolDecision::Lists(_) => factory.start.permissions.as_ref(),
        };
        if let Some(rules) = rules {
            let effects = Effects::of(&self.definition, rules).into_rules();
            if !effects.is_empty() {
                let from = first_of(&self.definition, rules.fields, Provenance::Default);
                return Sourced::new(PermissionPolicy::Rules(effects), from);
            }
        }
        let own = self.permission();
        let (PermissionPolicy::Mode(mode), Some(rules)) = (&own.value, factory.start.modes) else {
            return own;
        };
        let parents = start.parent.mode.as_deref();
        let why = if parents.is_some_and(|parents| rules.parent_wins.contains(&parents)) {
            Reason::ParentWins
        } else if rules.may_be_forbidden.contains(&mode.as_str())
            && start.forbidden_modes.contains(&mode.as_str())
        {
            Reason::Forbidden
        } else {
            return own;
        };
        left_out.push(LeftOut {
            field: FieldName::PERMISSION_MODE,
            what: mode.clone(),
            why,
            from: own.from,
        });
        Sourced::new(PermissionPolicy::Inherit, Provenance::Parent)
    }

    /// Decides what the prompt does.
    fn prompt_use(&self) -> Sourced<PromptUse> {
        let rule = self.profile.rules.factory.start.prompt;
        let PromptUse::AsFieldSays { field, follows } = rule else {
            return Sourced::new(rule, Provenance::Default);
        };
        let value = match self.definition.text(field) == Some(follows) {
            true => PromptUse::FollowsParents,
            false => PromptUse::Replaces,
        };
        Sourced::new(
            value,
            Provenance::of(&self.definition, field, Provenance::Default),
        )
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

    /// The prompt of the agent; none if it is empty.
    fn prompt(&self) -> Option<Sourced<String>> {
        let written = || {
            let from = Provenance::of(&self.definition, FieldName::PROMPT, Provenance::Default);
            Some(Sourced::new(self.definition.prompt()?.to_owned(), from))
        };
        let prompt = self.prompt.clone().or_else(written);
        prompt.filter(|prompt| !prompt.value.is_empty())
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
        let prompt = self.prompt();
        if prompt.is_none() && self.skills.is_empty() {
            return Ok(None);
        }
        Ok(Some(Context {
            prompt_suffix: prompt,
            skills: self.skills.clone(),
        }))
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

/// Tells that a skill is left out because its file keeps it from models.
fn hidden_skill(
    name: &Name,
    place: Option<Place>,
    hidden: HiddenSkill,
    why: &'static str,
) -> Diagnostic {
    let mut finding = Diagnostic::new(
        &rules::HIDDEN_SKILL,
        format!("the agent goes without the skill `{}`", shorten(&name.text)),
    )
    .about(FieldName::SKILLS)
    .and_in(hidden.file, hidden.span, "its file keeps it from models")
    .because(why)
    .help("let models use the skill, or remove it from the list")
    .said_by_harness();
    finding.span = place.map(|place| place.value);
    finding
}

/// Tells where an item of a list is written.
pub(crate) fn item_place(definition: &Definition, field: FieldName, item: &Name) -> Option<Place> {
    let place = definition.place(field)?;
    Some(Place {
        value: item.span.unwrap_or(place.value),
        ..place
    })
}

pub(crate) fn item_provenance(
    definition: &Definition,
    field: FieldName,
    item: &Name,
) -> Provenance {
    match item_place(definition, field, item) {
        Some(place) => Provenance::Definition { field, place },
        None => Provenance::Default,
    }
}

/// Tells where the first of some fields is written.
pub(crate) fn first_of(
    definition: &Definition,
    fields: &[FieldName],
    unwritten: Provenance,
) -> Provenance {
    let written = fields
        .iter()
        .find(|field| definition.place(**field).is_some());
    match written {
        Some(field) => Provenance::of(definition, *field, unwritten),
        None => unwritten,
    }
}

/// Adds the rules that come with being started to those of the definition.
fn with_given(
    mut permission: Sourced<PermissionPolicy>,
    given: &[Sourced<EffectRule>],
) -> Sourced<PermissionPolicy> {
    match &mut permission.value {
        PermissionPolicy::Rules(rules) => rules.extend_from_slice(given),
        PermissionPolicy::Inherit if !given.is_empty() => {
            let rules = PermissionPolicy::Rules(given.to_vec());
            return Sourced::new(rules, Provenance::Parent);
        }
        _ => {}
    }
    permission
}

/// Returns the present word for a mode.
fn present_mode(word: &str, modes: &ModeRules) -> String {
    let alias = modes.aliases.iter().find(|(other, _)| *other == word);
    alias.map_or(word, |(_, mode)| mode).to_owned()
}
