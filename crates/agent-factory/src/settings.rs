//! What a definition sets beside the parts that every agent has: effort, memory, time limits and
//! whatever else its harness knows.

use agent_schema::dialect::{PromptUse, SpawnRight, ToolDecision};
use agent_schema::value::Style;
use agent_schema::{Definition, FieldName, FieldValue, Profile};
use serde::ser::{Serialize, Serializer};

use crate::provenance::{Provenance, Sourced};

/// A further setting of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The field.
    pub field: FieldName,
    /// Its value.
    pub value: Sourced<SettingValue>,
}

/// The value of a further setting.
///
/// As JSON a structured value shows its keys alone: nobody knows which of its values are secrets.
#[derive(Clone, PartialEq)]
pub struct SettingValue(pub FieldValue);

/// The fields that are parts of every configuration.
const PARTS: [FieldName; 17] = [
    FieldName::NAME,
    FieldName::KEY,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::SKILLS,
    FieldName::MCP_SERVERS,
    FieldName::HOOKS,
    FieldName::PERMISSION,
    FieldName::PERMISSION_MODE,
    FieldName::MAX_TURNS,
    FieldName::MAX_BUDGET_USD,
    FieldName::CONDENSER,
    FieldName::PROFILE_STORE_DIR,
    FieldName::METADATA,
];

/// Returns the fields that are written and no part of every configuration, in the order of the
/// definition.
pub(crate) fn further(definition: &Definition, profile: &Profile) -> Vec<Setting> {
    let start = &profile.rules.factory.start;
    let is_part = |field: &FieldName| {
        PARTS.contains(field)
            || start.sampling.contains(field)
            || start.spawning.only == Some(*field)
            || start.spawning.depth_field == Some(*field)
            || start.spawning.by == SpawnRight::Field(*field)
            || matches!(start.tools, ToolDecision::Effects(rules) if rules.fields.contains(field))
            || start
                .permissions
                .is_some_and(|rules| rules.fields.contains(field))
            || matches!(start.prompt, PromptUse::AsFieldSays { field: says, .. } if says == *field)
    };
    let written = definition
        .fields()
        .filter(|(field, located)| located.place.is_some() && !is_part(field));
    let settings = written.map(|(field, located)| Setting {
        field,
        value: Sourced::new(
            SettingValue(located.value.clone()),
            Provenance::of(definition, field, Provenance::Default),
        ),
    });
    settings.collect()
}

impl SettingValue {
    /// Returns the keys of a structured value that are written, without their values.
    #[must_use]
    pub fn keys(&self) -> Option<Vec<&str>> {
        let FieldValue::Config(node) = &self.0 else {
            return None;
        };
        let entries = node.as_map().into_iter().flat_map(|map| &map.entries);
        let written = entries.filter(|entry| entry.value.style != Style::Default);
        Some(written.filter_map(|entry| entry.key.as_text()).collect())
    }
}

/// Shows no values that may be secrets.
impl std::fmt::Debug for SettingValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.keys() {
            Some(keys) => f.debug_set().entries(keys).finish(),
            None => self.0.fmt(f),
        }
    }
}

impl Serialize for SettingValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.keys() {
            Some(keys) => keys.serialize(serializer),
            None => self.0.serialize(serializer),
        }
    }
}
