//! Rules of (action, pattern, effect), of which the last one that fits counts.

use agent_schema::dialect::EffectRules;
use agent_schema::writing::effect_word;
use agent_schema::{Definition, Place, Span};
use serde::Serialize;

use crate::provenance::{Provenance, Sourced};

/// What stands for every action, and for every pattern.
pub(crate) const ANY: &str = "*";

/// A rule about an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EffectRule {
    /// The action; stars and question marks stand for anything.
    pub action: String,
    /// What the action is done with; likewise.
    pub pattern: String,
    /// What happens then, in the harness's own word.
    pub effect: String,
}

/// The rules of an agent, weakest first.
pub(crate) struct Effects<'a> {
    data: &'a EffectRules,
    rules: Vec<Sourced<EffectRule>>,
}

impl<'a> Effects<'a> {
    /// Takes the rules of a definition behind the harness's own.
    pub(crate) fn of(definition: &Definition, data: &'a EffectRules) -> Self {
        let own = data.defaults.iter().map(|(action, pattern, effect)| {
            let rule = EffectRule {
                action: (*action).to_owned(),
                pattern: (*pattern).to_owned(),
                effect: (*effect).to_owned(),
            };
            Sourced::new(rule, Provenance::Default)
        });
        let written = (data.read)(definition).into_iter().map(|rule| {
            let from = place_of(definition, data, rule.at);
            let rule = EffectRule {
                action: rule.name,
                pattern: rule.pattern,
                effect: effect_word(rule.effect).to_owned(),
            };
            Sourced::new(rule, from)
        });
        Effects {
            data,
            rules: own.chain(written).collect(),
        }
    }

    /// Adds rules that count before all others.
    pub(crate) fn append(&mut self, rules: &[Sourced<EffectRule>]) {
        self.rules.extend_from_slice(rules);
    }

    /// Returns the rules, weakest first.
    pub(crate) fn rules(&self) -> &[Sourced<EffectRule>] {
        &self.rules
    }

    /// Returns the rules, weakest first.
    pub(crate) fn into_rules(self) -> Vec<Sourced<EffectRule>> {
        self.rules
    }

    /// Returns whether a tool is taken away: the last rule about its action denies every pattern.
    pub(crate) fn takes_away(&self, tool: &str) -> bool {
        self.last_of(tool)
            .is_some_and(|rule| rule.value.pattern == ANY && rule.value.effect == self.data.deny)
    }

    /// Returns where it is written that an agent may have a tool.
    pub(crate) fn giver_of(&self, tool: &str) -> Provenance {
        let last = self.last_of(tool);
        last.map_or(Provenance::Default, |rule| rule.from.clone())
    }

    /// Returns the actions that rules with a whole denial name, and that no later rule gives back.
    pub(crate) fn denied_as_a_whole(&self) -> Vec<Sourced<String>> {
        let mut denied: Vec<Sourced<String>> = Vec::new();
        for rule in &self.rules {
            let action = &rule.value.action;
            if self.takes_away(action) && denied.iter().all(|it| it.value != *action) {
                denied.push(Sourced::new(action.clone(), self.giver_of(action)));
            }
        }
        denied
    }

    fn last_of(&self, tool: &str) -> Option<&Sourced<EffectRule>> {
        let actions = self.data.actions.iter();
        let action = actions.clone().find(|(other, _)| *other == tool);
        let action = action.map_or(tool, |(_, action)| action);
        let mut rules = self.rules.iter().rev();
        rules.find(|rule| fits(&rule.value.action, action))
    }
}

/// Tells where a rule is written; one of another source, or one that counts for all agents, stands
/// in another file.
fn place_of(definition: &Definition, data: &EffectRules, at: Span) -> Provenance {
    let mut places = data.fields.iter().filter_map(|field| {
        let place = definition.place(*field)?;
        (place.value.cover(at) == place.value).then_some((*field, place))
    });
    match (places.next(), data.fields) {
        (Some((field, place)), _) => Provenance::Definition {
            field,
            place: Place { value: at, ..place },
        },
        (None, [field, ..]) if !at.is_empty() => Provenance::Elsewhere {
            field: *field,
            span: at,
        },
        (None, _) => Provenance::Default,
    }
}

/// Returns whether a pattern with stars and question marks fits the whole of a text.
pub(crate) fn fits(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut in_text) = (0, 0);
    // Where the last star stands, and what it has swallowed so far.
    let mut star: Option<(usize, usize)> = None;
    while in_text < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_text));
                at += 1;
            }
            Some(sign) if *sign == '?' || *sign == text[in_text] => {
                at += 1;
                in_text += 1;
            }
            _ => match star {
                Some((star_at, swallowed)) => {
                    star = Some((star_at, swallowed + 1));
                    at = star_at + 1;
                    in_text = swallowed + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|sign| *sign == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_whole_texts() {
        for (pattern, text, expected) in [
            ("*", "bash", true),
            ("*", "", true),
            ("mcp_*", "mcp_docs_find", true),
            ("mcp_*", "mcp", false),
            ("*_find", "mcp_docs_find", true),
            ("b?sh", "bash", true),
            ("b?sh", "bsh", false),
            ("bash", "bash2", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b", "xxbxxa", false),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }
}
