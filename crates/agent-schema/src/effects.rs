//! Rules of (action, pattern, effect), of which the last one that fits counts: whether some of them
//! let an agent go further than others do.
//!
//! The answer errs on one side: rules may be said to go further that do not, never the other way.

use std::borrow::Cow;

use crate::definition::{Definition, FieldName};
use crate::dialect::{Profile, ToolDecision};
use crate::value::{Node, Value};
use crate::writing::{Effect, effect_of};

/// The most rules on either side that are compared.
const MOST_RULES: usize = 128;

/// The longest pattern that is compared sign by sign, in bytes.
const LONGEST: usize = 128;

/// What stands for any text in a pattern, and for any sign.
const ANY: char = '*';
const ANY_SIGN: char = '?';

/// A rule about an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule<'a> {
    /// The action; stars and question marks stand for anything.
    pub action: Cow<'a, str>,
    /// What the action is done with; likewise.
    pub pattern: Cow<'a, str>,
    /// What happens then.
    pub effect: Effect,
}

/// Returns whether an agent may do more by one definition than by another, where the profile has
/// such rules. Both must be complete: nothing can be added to them any more. Of an agent that the
/// harness brings itself not all rules are known; whatever is allowed there may be more.
#[must_use]
pub fn may_do_more(after: &Definition, before: &Definition, profile: &Profile) -> bool {
    let ToolDecision::Effects(rules) = profile.rules.factory.start.tools else {
        return false;
    };
    let permission = |definition: &Definition| definition.config(FieldName::PERMISSION).cloned();
    let is_known = |definition: &Definition| {
        let complete = rules.complete;
        complete.is_none_or(|field| definition.field(field).is_some())
    };
    match (rules_of(after, profile), rules_of(before, profile)) {
        (Some(after_all), Some(before_all)) if is_known(after) && is_known(before) => {
            go_further(&after_all, &before_all)
        }
        _ => permission(after).is_some_and(|now| {
            let is_same = permission(before).is_some_and(|known| known.same_content(&now));
            !is_same && allows(&now)
        }),
    }
}

/// Returns whether permissions allow anything.
pub(crate) fn allows(permissions: &Node) -> bool {
    match permissions.get() {
        Value::Map(map) => map.entries.iter().any(|entry| allows(&entry.value)),
        Value::List(items) => items.iter().any(allows),
        Value::Bool(allowed) => *allowed,
        Value::Text(word) => effect_of(word).is_some_and(|effect| effect > Effect::Ask),
        _ => false,
    }
}

/// Returns all rules that count for an agent, weakest first: those of the harness, of the settings
/// for all agents, and its own. Nothing where the profile has no such rules.
#[must_use]
pub fn rules_of(definition: &Definition, profile: &Profile) -> Option<Vec<Rule<'static>>> {
    let ToolDecision::Effects(rules) = profile.rules.factory.start.tools else {
        return None;
    };
    let defaults = rules.defaults.iter().map(|(action, pattern, effect)| {
        Some(Rule {
            action: Cow::Borrowed(*action),
            pattern: Cow::Borrowed(*pattern),
            effect: effect_of(effect)?,
        })
    });
    // Nobody asks about a tool that is asked for by another name.
    let is_asked = |name: &str| rules.actions.iter().all(|(tool, _)| *tool != name);
    let own = (rules.read)(definition).into_iter();
    let own = own.filter(|rule| is_asked(&rule.name)).map(|rule| {
        Some(Rule {
            action: Cow::Owned(rule.name),
            pattern: Cow::Owned(rule.pattern),
            effect: rule.effect,
        })
    });
    defaults.chain(own).collect()
}

/// Returns whether some rules may let something happen that others do not.
#[must_use]
pub fn go_further(these: &[Rule<'_>], others: &[Rule<'_>]) -> bool {
    if these == others {
        return false;
    }
    if these.len() > MOST_RULES || others.len() > MOST_RULES {
        return true;
    }
    // Where no rule fits, a person is asked.
    let otherwise = Rule {
        action: Cow::Borrowed("*"),
        pattern: Cow::Borrowed("*"),
        effect: Effect::Ask,
    };
    let these: Vec<&Rule<'_>> = std::iter::once(&otherwise).chain(these).collect();
    let others: Vec<&Rule<'_>> = std::iter::once(&otherwise).chain(others).collect();
    // By another rule: the last of these that takes in all that it is about.
    let taken_in: Vec<Option<usize>> = others
        .iter()
        .map(|other| these.iter().rposition(|rule| rule.takes_in(other)))
        .collect();
    these.iter().enumerate().any(|(index, rule)| {
        for (other, taken_in) in others.iter().zip(&taken_in).rev() {
            let counts_later = taken_in.is_some_and(|later| later > index);
            if other.effect < rule.effect && !counts_later && rule.may_meet(other) {
                return true;
            }
            if other.takes_in(rule) {
                return false;
            }
        }
        false
    })
}

impl Rule<'_> {
    /// Returns whether there may be something that both rules are about.
    fn may_meet(&self, other: &Rule<'_>) -> bool {
        let meet = |one: &str, other: &str| {
            let mut forms = forms(one);
            forms.any(|one| self::forms(other).any(|other| may_meet(one, other)))
        };
        meet(&self.action, &other.action) && meet(&self.pattern, &other.pattern)
    }

    /// Returns whether a rule is surely about everything that another one is about.
    fn takes_in(&self, other: &Rule<'_>) -> bool {
        takes_in_all(&self.action, &other.action) && takes_in_all(&self.pattern, &other.pattern)
    }
}

/// Returns whether every text that fits the second pattern surely fits the first, in all forms that
/// they have.
pub(crate) fn takes_in_all(one: &str, other: &str) -> bool {
    forms(other).all(|other| forms(one).any(|one| takes_in(one, other)))
}

/// Returns what a pattern stands for: one with a blank and a star at its end also stands for what
/// is before them.
fn forms(pattern: &str) -> impl Iterator<Item = &str> {
    std::iter::once(pattern).chain(pattern.strip_suffix(" *"))
}

/// Returns whether a text may fit two patterns.
fn may_meet(one: &str, other: &str) -> bool {
    if one.len() > LONGEST || other.len() > LONGEST {
        return true;
    }
    let stands_for_any = |sign: char| sign == ANY;
    meets(one, other, stands_for_any, |one, other| {
        one == other || one == ANY_SIGN || other == ANY_SIGN
    })
}

/// Returns whether every text that fits the second pattern surely fits the first.
fn takes_in(one: &str, other: &str) -> bool {
    if one == other || one.chars().all(|sign| sign == ANY) && !one.is_empty() {
        return true;
    }
    if one.len() > LONGEST || other.len() > LONGEST {
        return false;
    }
    // A star of the second pattern is like a sign that only a star of the first one takes in.
    meets(
        one,
        other,
        |_| false,
        |one, other| one == other || (one == ANY_SIGN && other != ANY),
    )
}

/// Returns whether two patterns can be read along each other. A star of the first one passes over
/// any signs of the second; one of the second does likewise if it `passes`.
fn meets(
    one: &str,
    other: &str,
    passes: impl Fn(char) -> bool,
    fits: impl Fn(char, char) -> bool,
) -> bool {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    // Row by row: whether the rest of the first pattern can be read along the rest of the second.
    let mut below = vec![false; other.len() + 1];
    for at in (0..=one.len()).rev() {
        let mut row = vec![false; other.len() + 1];
        for there in (0..=other.len()).rev() {
            let sign = one.get(at).copied();
            let opposite = other.get(there).copied();
            row[there] = match (sign, opposite) {
                (None, None) => true,
                (Some(ANY), None) => below[there],
                (Some(ANY), Some(_)) => below[there] || row[there + 1],
                (None, Some(opposite)) => passes(opposite) && row[there + 1],
                (Some(_), None) => false,
                (Some(_), Some(opposite)) if passes(opposite) => row[there + 1] || below[there],
                (Some(sign), Some(opposite)) => fits(sign, opposite) && below[there + 1],
            };
        }
        below = row;
    }
    below[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules<'a>(text: &'a str) -> Vec<Rule<'a>> {
        let rules = text.split(", ").filter(|rule| !rule.is_empty());
        let rules = rules.map(|rule| {
            let mut parts = rule.split('|');
            let mut part = || Cow::Borrowed(parts.next().expect("a rule has three parts"));
            Rule {
                action: part(),
                pattern: part(),
                effect: effect_of(&part()).expect("it is an effect"),
            }
        });
        rules.collect()
    }

    #[test]
    fn what_goes_further_is_seen() {
        let before = "*|*|allow, read|*.env|ask, plan|*|deny";
        for (more_before, more, expected) in [
            ("", "", false),
            ("", "bash|*|deny", false),
            ("", "bash|*|allow", false),
            ("", "bash|rm *|ask, bash|sudo *|deny", false),
            ("", "bash|*|deny, bash|git *|allow", false),
            ("", "read|*.env|allow", true),
            ("", "read|*|allow", true),
            ("", "read|*.md|allow", false),
            ("", "read|secret*|allow", true),
            ("", "plan|*|ask", true),
            ("", "plan|*|deny", false),
            ("", "*|*|allow", true),
            ("", "*|*|deny", false),
            ("", "pl*|*|allow", true),
            ("bash|*|deny", "", true),
            ("bash|*|deny", "bash|*|deny", false),
            ("bash|*|deny", "bash|sudo *|deny", true),
            ("bash|*|deny", "*|*|deny", false),
            ("bash|*|ask", "bash|*|deny, bash|git *|ask", false),
            ("bash|*|ask", "bash|*|deny, bash|git *|allow", true),
            ("bash|git *|ask", "bash|git|allow", true),
            ("bash|git *|ask", "bash|git *|ask", false),
            ("bash|git push *|deny", "bash|git *|deny", false),
        ] {
            let with = |more: &'static str| {
                let mut all = rules(before);
                all.extend(rules(more));
                all
            };
            let goes_further = go_further(&with(more), &with(more_before));
            assert_eq!(goes_further, expected, "{more_before} -> {more}");
        }
    }

    #[test]
    fn more_rules_than_are_compared_go_further() {
        let many: Vec<Rule<'_>> = (0..=MOST_RULES)
            .map(|number| Rule {
                action: Cow::Owned(number.to_string()),
                pattern: Cow::Borrowed("*"),
                effect: Effect::Deny,
            })
            .collect();
        assert!(go_further(&many, &rules("*|*|allow")));
        assert!(!go_further(&many, &many));
    }
}
