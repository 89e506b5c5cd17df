//! Rules that are said to go no further than others never do, whatever is done with them.

use std::borrow::Cow;

use agent_schema::effects::{Rule, go_further};
use agent_schema::writing::Effect;
use proptest::prelude::*;

const ACTIONS: [&str; 4] = ["*", "a", "ab", "a?"];
const PATTERNS: [&str; 10] = ["*", "x", "x*", "*y", "x *", "x y", "?", "**", "x?y", "*x*y"];
const EFFECTS: [Effect; 3] = [Effect::Deny, Effect::Ask, Effect::Allow];

/// Returns whether a pattern fits a text, as the harness has it.
fn fits(pattern: &str, text: &str) -> bool {
    let whole = |pattern: &str| {
        let pattern: Vec<char> = pattern.chars().collect();
        let text: Vec<char> = text.chars().collect();
        fits_from(&pattern, &text)
    };
    whole(pattern) || pattern.strip_suffix(" *").is_some_and(whole)
}

fn fits_from(pattern: &[char], text: &[char]) -> bool {
    match (pattern, text) {
        ([], []) => true,
        (['*', rest @ ..], _) => {
            fits_from(rest, text) || (!text.is_empty() && fits_from(pattern, &text[1..]))
        }
        (['?', rest @ ..], [_, behind @ ..]) => fits_from(rest, behind),
        ([sign, rest @ ..], [other, behind @ ..]) => sign == other && fits_from(rest, behind),
        _ => false,
    }
}

fn effect(rules: &[Rule<'_>], action: &str, text: &str) -> Effect {
    let mut last = rules.iter().rev();
    let rule = last.find(|rule| fits(&rule.action, action) && fits(&rule.pattern, text));
    rule.map_or(Effect::Ask, |rule| rule.effect)
}

/// All texts of a few signs.
fn texts() -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut last = texts.clone();
    for _ in 0..4 {
        let longer = last
            .iter()
            .flat_map(|text| ['x', 'y', ' '].map(|sign| format!("{text}{sign}")));
        last = longer.collect();
        texts.extend(last.iter().cloned());
    }
    texts
}

fn rules() -> impl Strategy<Value = Vec<Rule<'static>>> {
    let rule = (0..ACTIONS.len(), 0..PATTERNS.len(), 0..EFFECTS.len());
    let rule = rule.prop_map(|(action, pattern, effect)| Rule {
        action: Cow::Borrowed(ACTIONS[action]),
        pattern: Cow::Borrowed(PATTERNS[pattern]),
        effect: EFFECTS[effect],
    });
    proptest::collection::vec(rule, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_no_further_allows_nothing_more(these in rules(), others in rules()) {
        if go_further(&these, &others) {
            return Ok(());
        }
        for action in ["a", "b", "ab"] {
            for text in texts() {
                let (now, before) = (
                    effect(&these, action, &text),
                    effect(&others, action, &text),
                );
                prop_assert!(now <= before, "{action} {text:?}: {now:?} after {before:?}");
            }
        }
    }
}
