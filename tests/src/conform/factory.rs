//! The operations that make agents of definitions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agent_discovery::{Inputs, Skills};
use agent_factory::{
    AgentConfig, Blueprint, FactoryError, Model, Parent, PermissionPolicy, ProfileStores, ToolSet,
};
use agent_schema::dialect::Permission;
use agent_schema::{Definition, Dialect, File, Profile, parse};
use serde_json::{Value, json};

use super::ops::{Row, text};
use super::tree::CaseTree;

/// The model of the agent that delegates, and its usage id, as in every case.
const PARENT_MODEL: &str = "vendor/parent-model";
const PARENT_USAGE: &str = "parent";

/// Definitions, blueprints and tools of a case, by the labels that it gives them.
pub(super) struct Workshop {
    dialect: &'static Dialect,
    profile: &'static Profile,
    definitions: BTreeMap<String, Definition>,
    blueprints: BTreeMap<String, Blueprint>,
    tools: ToolSet,
    /// Folders that the harness would have created by now.
    created: Vec<PathBuf>,
}

impl Workshop {
    pub(super) fn new(dialect: &'static Dialect, profile: &'static Profile) -> Self {
        Workshop {
            dialect,
            profile,
            definitions: BTreeMap::new(),
            blueprints: BTreeMap::new(),
            tools: ToolSet::new(),
            created: Vec::new(),
        }
    }

    /// Returns whether a definition has the label.
    pub(super) fn has(&self, label: &str) -> bool {
        self.definitions.contains_key(label)
    }

    pub(super) fn define(&mut self, label: &str, definition: Definition) {
        self.definitions.insert(label.to_owned(), definition);
    }

    /// Makes the blueprint of a definition.
    pub(super) fn factory(&mut self, label: &str, skills: &Skills) -> Row {
        let Some(definition) = self.definitions.get(label) else {
            return Row::failed(json!({"kind": "no such definition"}));
        };
        match Blueprint::new(definition, skills, self.dialect, self.profile) {
            Ok(blueprint) => {
                self.blueprints.insert(label.to_owned(), blueprint);
                Row::ok(json!("created"))
            }
            Err(error) => Row::failed(facts(&error)),
        }
    }

    pub(super) fn run(&mut self, op: &Value, tree: &CaseTree) -> Row {
        match text(op, "op") {
            "load" => self.load(op, tree),
            "register_tool" => {
                self.tools.add(text(op, "name"));
                Row::ok(Value::Null)
            }
            "instantiate" => self.instantiate(op, tree),
            "policy" => match self.blueprints.get(text(op, "agent")) {
                Some(blueprint) => Row::ok(json!(policy(blueprint.permission().value))),
                None => Row::failed(json!({"kind": "no such blueprint"})),
            },
            "exists" => {
                let path = tree.path(text(op, "path"));
                let exists = tree.tree().own_kind(&path).is_ok() || self.created.contains(&path);
                Row::ok(json!(exists))
            }
            other => {
                Row::failed(json!({ "kind": format!("the operation `{other}` is not known") }))
            }
        }
    }

    fn load(&mut self, op: &Value, tree: &CaseTree) -> Row {
        let path = tree.path(text(op, "file"));
        let bytes = match tree.tree().read(&path, agent_schema::parse::LARGEST_FILE) {
            Ok(bytes) => bytes,
            Err(error) => return Row::failed(json!({ "kind": error.to_string() })),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = File {
            name: &name,
            bytes: &bytes,
        };
        let parsed = parse(file, self.dialect, self.profile);
        match parsed.outcome.definition() {
            Some(definition) => {
                self.define(text(op, "as"), definition.clone());
                Row::ok(json!(text(op, "as")))
            }
            None => Row::failed(json!({"kind": "not loaded"})),
        }
    }

    fn instantiate(&mut self, op: &Value, tree: &CaseTree) -> Row {
        let Some(blueprint) = self.blueprints.get(text(op, "agent")) else {
            return Row::ok(Value::Null);
        };
        let inputs = Inputs::new().home(tree.path("home")).all_references();
        // Every case runs with the root of its tree as the working folder.
        let models =
            ProfileStores::new(tree.tree(), self.profile, &inputs).working_folder(tree.path(""));
        let parent = Parent::new(PARENT_MODEL, PARENT_USAGE);
        match blueprint.instantiate(&parent, &self.tools, &models) {
            Ok(config) => {
                self.created.extend(config.harness_would_create.clone());
                Row::ok(seen(&config, tree))
            }
            Err(error) => {
                self.created.extend(error.harness_would_create().to_vec());
                Row::failed(facts(&error))
            }
        }
    }
}

/// Writes an agent as the cases do.
fn seen(config: &AgentConfig, tree: &CaseTree) -> Value {
    let llm = match &config.model.value {
        Model::Parent => json!("parent"),
        Model::Named(name) => json!({ "model": name }),
        Model::Profile(profile) => json!({
            "model": profile.model.model,
            "usage_id": profile.model.usage_id,
        }),
    };
    let skills = config.skills().map(|skill| {
        json!({
            "name": skill.name,
            "content": skill.content,
            "source": tree.relative(&skill.reported),
        })
    });
    let servers = config.mcp_servers.value.in_the_clear();
    json!({
        "llm": llm,
        "tools": config.tool_names(),
        "suffix": config.prompt_suffix(),
        "has_context": config.context.is_some(),
        "skills": skills.collect::<Value>(),
        "condenser": config.condenser.value.settings,
        "mcp_servers": servers.map_or_else(|| json!({}), |servers| json!(servers)),
    })
}

/// Names a policy as the harness's classes do.
fn policy(policy: PermissionPolicy) -> Option<&'static str> {
    match policy {
        PermissionPolicy::Inherit => None,
        PermissionPolicy::Own(Permission::AlwaysConfirm) => Some("AlwaysConfirm"),
        PermissionPolicy::Own(Permission::ConfirmRisky) => Some("ConfirmRisky"),
        PermissionPolicy::Own(Permission::NeverConfirm) => Some("NeverConfirm"),
        _ => None,
    }
}

/// The facts of an error, under the names that the cases use.
fn facts(error: &FactoryError) -> Value {
    let kind = error.kind().as_str();
    let culprit = match kind {
        "unknown-tool" => "tool",
        "unknown-skill" | "duplicate-skill" => "skill",
        _ => "profile",
    };
    json!({
        "kind": kind,
        "agent": error.agent(),
        "available": error.available(),
        culprit: error.name(),
    })
}
