//! What an agent takes from the one that starts it: rules that deny, and which tools it chooses from.

use agent_schema::dialect::{Inheritance, InheritedDenials, InheritedTools};

use crate::effects::{ANY, EffectRule};
use crate::provenance::{Provenance, Sourced};
use crate::start::{Role, Start};

/// The word for what is denied.
pub(crate) const DENY: &str = "deny";

/// Returns the rules that an agent is given by being started, behind its own, weakest first.
pub(crate) fn given(
    inheritance: &Inheritance,
    own: &[Sourced<EffectRule>],
    start: &Start<'_>,
) -> Vec<Sourced<EffectRule>> {
    let parent = start.parent;
    if start.role == Role::Main {
        return Vec::new();
    }
    let of_parent = |rule: &EffectRule| Sourced::new(rule.clone(), Provenance::Parent);
    match inheritance.denials {
        InheritedDenials::Nothing => Vec::new(),
        InheritedDenials::Denials => {
            let rules = parent.rules.iter().chain(&parent.given);
            rules.filter(|rule| denies(rule)).map(of_parent).collect()
        }
        InheritedDenials::Appended {
            of_definition,
            whole,
            unless_named,
        } => {
            let has = |action: &str| own.iter().any(|rule| rule.value.action == action);
            let own_denial = |rule: &EffectRule| own.iter().any(|own| own.value == *rule);
            let of_definition = parent.rules.iter().filter(|rule| {
                let counts = of_definition.contains(&rule.action.as_str());
                counts && denies(rule) && !own_denial(rule)
            });
            let of_session = parent
                .given
                .iter()
                .filter(|rule| denies(rule) || whole.contains(&rule.action.as_str()));
            let never = unless_named.iter().filter(|action| !has(action));
            let never = never.map(|action| Sourced::new(denial(action), Provenance::Default));
            let inherited = of_definition.chain(of_session).map(of_parent);
            inherited.chain(never).collect()
        }
    }
}

/// Returns whether an agent that is started may choose a tool, as far as the tools of its parent
/// are known.
pub(crate) fn parent_has(inheritance: &Inheritance, tool: &str, start: &Start<'_>) -> bool {
    let parents = match inheritance.tools {
        InheritedTools::Parents if start.role == Role::Subagent => start.parent.tools.as_ref(),
        _ => None,
    };
    parents.is_none_or(|tools| tools.iter().any(|known| known == tool))
}

/// Returns whether a rule takes a tool away, whatever is done with it.
pub(crate) fn denies_all_of(rule: &EffectRule, tool: &str) -> bool {
    denies(rule) && rule.pattern == ANY && rule.action == tool
}

fn denies(rule: &EffectRule) -> bool {
    rule.effect == DENY
}

fn denial(action: &str) -> EffectRule {
    EffectRule {
        action: action.to_owned(),
        pattern: ANY.to_owned(),
        effect: DENY.to_owned(),
    }
}
