//! Whether an agent may start others, which ones, and how deep.

use agent_schema::dialect::{SpawnRight, SpawnRules};
use agent_schema::value::Int;
use agent_schema::{Definition, FieldName, Profile};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::blueprint::item_provenance;
use crate::config::{PermissionPolicy, Toolset};
use crate::effects::{ANY, EffectRule, fits};
use crate::inherit::DENY;
use crate::provenance::{Provenance, Sourced};
use crate::start::{Role, Start};

/// Whether an agent may start others.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Spawning {
    /// The harness decides, and what it decides is not known.
    LeftToHarness,
    /// It may start none.
    Forbidden,
    /// It may start these agents.
    Only(Vec<Sourced<String>>),
    /// It may start any agent.
    Anyone,
    /// It may start those that these rules allow, by their names; the last one that fits counts.
    ByRules(Vec<Sourced<EffectRule>>),
}

impl Spawning {
    /// Returns whether it may start an agent of this name; nothing if the harness decides.
    #[must_use]
    pub fn may_start(&self, agent: &str) -> Option<bool> {
        match self {
            Spawning::LeftToHarness => None,
            Spawning::Forbidden => Some(false),
            Spawning::Only(names) => Some(names.iter().any(|name| name.value == agent)),
            Spawning::Anyone => Some(true),
            Spawning::ByRules(rules) => {
                let mut rules = rules.iter().rev();
                let last = rules.find(|rule| fits(&rule.value.pattern, agent));
                Some(last.is_none_or(|rule| rule.value.effect != DENY))
            }
        }
    }
}

/// Decides about it; `tools` are those that the agent gets, and `permission` is what counts for them.
pub(crate) fn spawning(
    definition: &Definition,
    profile: &Profile,
    start: &Start<'_>,
    tools: &Sourced<Toolset>,
    permission: &PermissionPolicy,
) -> Sourced<Spawning> {
    let rules = &profile.rules.factory.start.spawning;
    let own_depth = rules.depth_field.and_then(|field| {
        let depth = match definition.integer(field)? {
            Int::Small(depth) => u32::try_from(*depth).ok()?,
            Int::Big(_) => return None,
        };
        Some((
            depth,
            Provenance::of(definition, field, Provenance::Default),
        ))
    });
    let depth = own_depth.or(rules.most_depth.map(|depth| (depth, Provenance::Default)));
    if let Some((most, from)) = depth
        && start.parent.depth + 1 >= most
    {
        return Sourced::new(Spawning::Forbidden, from);
    }
    let (right, from) = match rules.by {
        SpawnRight::Unknown => (None, Provenance::Default),
        SpawnRight::Nobody => (Some(false), Provenance::Default),
        SpawnRight::Field(field) => (
            definition.flag(field),
            Provenance::of(definition, field, Provenance::Default),
        ),
        SpawnRight::Tool(names) => match &tools.value {
            Toolset::Listed(listed) => {
                let tool = listed
                    .iter()
                    .find(|tool| names.contains(&tool.value.as_str()));
                let from = tool.map_or(&tools.from, |tool| &tool.from);
                (Some(tool.is_some()), from.clone())
            }
            Toolset::Everything { without } => {
                let denied = without
                    .iter()
                    .find(|tool| names.contains(&tool.value.as_str()));
                let from = denied.map_or(&tools.from, |tool| &tool.from);
                (Some(denied.is_none()), from.clone())
            }
        },
    };
    let only = only(definition, profile, start).or_else(|| by_rules(rules, permission, tools));
    match (right, only) {
        (Some(false), _) => Sourced::new(Spawning::Forbidden, from),
        (_, Some(only)) => only,
        (Some(true), None) => Sourced::new(Spawning::Anyone, from),
        (None, None) => Sourced::new(Spawning::LeftToHarness, from),
    }
}

/// Returns the rules about the tool that starts agents, if some of them speak of single agents.
fn by_rules(
    rules: &SpawnRules,
    permission: &PermissionPolicy,
    tools: &Sourced<Toolset>,
) -> Option<Sourced<Spawning>> {
    let (PermissionPolicy::Rules(all), SpawnRight::Tool(names)) = (permission, rules.by) else {
        return None;
    };
    let about = all.iter().filter(|rule| {
        let mut names = names.iter();
        names.any(|name| fits(&rule.value.action, name))
    });
    let mut about: Vec<Sourced<EffectRule>> = about.cloned().collect();
    // What stands before a rule about all of them counts no more.
    if let Some(last) = about.iter().rposition(|rule| rule.value.pattern == ANY) {
        about.drain(..last);
    }
    let of_single = about.iter().any(|rule| rule.value.pattern != ANY);
    of_single.then(|| Sourced::new(Spawning::ByRules(about), tools.from.clone()))
}

/// Returns the agents that a field, or the entry of the tool that starts them, lists.
fn only(
    definition: &Definition,
    profile: &Profile,
    start: &Start<'_>,
) -> Option<Sourced<Spawning>> {
    let rules = &profile.rules.factory.start.spawning;
    let from = |field| Provenance::of(definition, field, Provenance::Default);
    if let Some(field) = rules.only
        && definition.field(field).is_some()
    {
        let names = definition.names(field).iter();
        let names = names
            .map(|name| Sourced::new(name.text.clone(), item_provenance(definition, field, name)));
        return Some(Sourced::new(Spawning::Only(names.collect()), from(field)));
    }
    if !rules.only_in_parentheses || start.role != Role::Main {
        return None;
    }
    let SpawnRight::Tool(tools) = rules.by else {
        return None;
    };
    let field = FieldName::TOOLS;
    let mut entries = definition.names(field).iter().filter_map(|name| {
        let (tool, inside) = name.text.strip_suffix(')')?.split_once('(')?;
        tools.contains(&tool).then_some((name, inside))
    });
    let first = entries.next()?;
    let entries = std::iter::once(first).chain(entries);
    let names = entries.flat_map(|(name, inside)| {
        let from = item_provenance(definition, field, name);
        let agents = inside
            .split(',')
            .map(str::trim)
            .filter(|agent| !agent.is_empty());
        agents.map(move |agent| Sourced::new(agent.to_owned(), from.clone()))
    });
    let names: Vec<Sourced<String>> = names.collect();
    Some(Sourced::new(Spawning::Only(names), from(field)))
}

impl Serialize for Spawning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Spawning::LeftToHarness => serializer.serialize_none(),
            Spawning::Forbidden => serializer.serialize_bool(false),
            Spawning::Anyone => serializer.serialize_bool(true),
            Spawning::ByRules(rules) => {
                let mut out = serializer.serialize_struct("Spawning", 1)?;
                out.serialize_field("rules", rules)?;
                out.end()
            }
            Spawning::Only(names) => {
                let mut out = serializer.serialize_struct("Spawning", 1)?;
                out.serialize_field("only", names)?;
                out.end()
            }
        }
    }
}
