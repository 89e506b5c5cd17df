//! What surrounds an agent when it is started: who starts it, in what role, and what exists.

use agent_schema::FieldName;

use crate::catalog::{McpCatalog, ModelCatalog, ToolCatalog};
use crate::config::Parent;

/// What surrounds an agent when it is started.
///
/// Everything comes from the caller: neither the environment nor the disk is looked at.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The agent that starts it.
    pub parent: &'a Parent,
    /// The tools that exist.
    pub tools: &'a dyn ToolCatalog,
    /// The models that exist.
    pub models: &'a dyn ModelCatalog,
    /// The MCP servers that are configured; unset if nothing is known of them.
    pub servers: Option<&'a dyn McpCatalog>,
    /// The agents that there are, by their names; unset if nothing is known of them.
    pub agents: Option<&'a [&'a str]>,
    /// The values of variables of the environment.
    pub variables: &'a dyn Fn(&str) -> Option<String>,
    /// In which role it is started.
    pub role: Role,
    /// The model that the call asks for.
    pub model_of_call: Option<&'a str>,
    /// The models that may be used; unset if all may.
    pub allowed_models: Option<&'a [&'a str]>,
    /// The modes that whoever manages the machine forbids.
    pub forbidden_modes: &'a [&'a str],
    /// Fields that have no effect until the project is trusted, as the registry tells them.
    pub held_back: &'a [FieldName],
}

/// In which role an agent is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Role {
    /// Another agent calls it.
    #[default]
    Subagent,
    /// A person talks to it.
    Main,
}

impl<'a> Start<'a> {
    /// Makes a start by a parent, with what exists; nothing else is known.
    #[must_use]
    pub fn new(
        parent: &'a Parent,
        tools: &'a dyn ToolCatalog,
        models: &'a dyn ModelCatalog,
    ) -> Self {
        Start {
            parent,
            tools,
            models,
            servers: None,
            agents: None,
            variables: &|_| None,
            role: Role::Subagent,
            model_of_call: None,
            allowed_models: None,
            forbidden_modes: &[],
            held_back: &[],
        }
    }

    /// Sets the MCP servers that are configured.
    #[must_use]
    pub fn servers(mut self, servers: &'a dyn McpCatalog) -> Self {
        self.servers = Some(servers);
        self
    }

    /// Sets the agents that there are.
    #[must_use]
    pub fn agents(mut self, agents: &'a [&'a str]) -> Self {
        self.agents = Some(agents);
        self
    }

    /// Sets where the values of variables come from.
    #[must_use]
    pub fn variables(mut self, variables: &'a dyn Fn(&str) -> Option<String>) -> Self {
        self.variables = variables;
        self
    }

    /// Starts it as the agent that a person talks to.
    #[must_use]
    pub fn as_main(mut self) -> Self {
        self.role = Role::Main;
        self
    }

    /// Sets the model that the call asks for.
    #[must_use]
    pub fn model_of_call(mut self, model: &'a str) -> Self {
        self.model_of_call = Some(model);
        self
    }

    /// Sets the models that may be used.
    #[must_use]
    pub fn allowed_models(mut self, models: &'a [&'a str]) -> Self {
        self.allowed_models = Some(models);
        self
    }

    /// Sets the modes that are forbidden.
    #[must_use]
    pub fn forbidden_modes(mut self, modes: &'a [&'a str]) -> Self {
        self.forbidden_modes = modes;
        self
    }

    /// Sets the fields that wait for trust.
    #[must_use]
    pub fn held_back(mut self, fields: &'a [FieldName]) -> Self {
        self.held_back = fields;
        self
    }
}
