//! How a long history of the agent is shortened.

use agent_schema::dialect::CondenserRules;
use agent_schema::value::Value;
use agent_schema::{Definition, FieldName, Node};
use serde::Serialize;

use crate::config::LanguageModel;
use crate::provenance::{Provenance, Sourced};

/// How a long history of the agent is shortened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Condenser {
    /// Its settings, with all defaults.
    pub settings: Node,
    /// Where its model comes from, if the definition does not set the condenser.
    pub model_from: Option<Provenance>,
    /// The usage id that the definition sets, if another one replaces it because it is the
    /// agent's own.
    pub replaced_usage_id: Option<String>,
}

impl Condenser {
    /// Makes the condenser of a definition for an agent with a model.
    pub(crate) fn of(
        definition: &Definition,
        rules: &CondenserRules,
        model: Option<&LanguageModel>,
        model_from: &Provenance,
    ) -> Sourced<Condenser> {
        let condenser = match definition.config(FieldName::CONDENSER) {
            Some(settings) => Condenser::explicit(settings, rules, model),
            None => Condenser {
                settings: (rules.default)(model.map(|model| model.model.as_str())),
                model_from: Some(model_from.clone()),
                replaced_usage_id: None,
            },
        };
        let from = Provenance::of(definition, FieldName::CONDENSER, Provenance::Default);
        Sourced::new(condenser, from)
    }

    /// Keeps the usage ids of condenser and agent apart. Condensers inside a pipeline are not
    /// looked at, and a replacement that is the agent's own again stays.
    fn explicit(settings: &Node, rules: &CondenserRules, agent: Option<&LanguageModel>) -> Self {
        let mut settings = settings.resolved().clone();
        let has_model = settings
            .as_map()
            .and_then(|map| map.get("kind"))
            .is_some_and(|kind| kind.value.as_text() == Some(rules.with_model));
        let mut replaced_usage_id = None;
        if let Some(agent) = agent.filter(|_| has_model)
            && let Some(usage_id) =
                member_mut(&mut settings, "llm").and_then(|llm| member_mut(llm, "usage_id"))
            && usage_id.as_text() == Some(&agent.usage_id)
        {
            usage_id.value = Value::Text(rules.usage_id.into());
            replaced_usage_id = Some(agent.usage_id.clone());
        }
        Condenser {
            settings,
            model_from: None,
            replaced_usage_id,
        }
    }
}

/// Finds a member of an object that was checked, so that it holds no shared values.
fn member_mut<'n>(object: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let Value::Map(map) = &mut object.value else {
        return None;
    };
    map.entries
        .iter_mut()
        .find(|entry| entry.key.as_text() == Some(key))
        .map(|entry| &mut entry.value)
}
