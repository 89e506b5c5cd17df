//! Context, permission, limits and hooks, each with where it comes from.

use agent_factory::{Provenance, Sourced};
use agent_schema::FieldName;
use agent_schema::value::Int;

use crate::workshop::Workshop;

/// Returns the bytes that a value comes from; none if it is not written.
fn written<'w, T>(workshop: &'w Workshop, value: &Sourced<T>) -> Option<&'w str> {
    value.from.place().map(|place| workshop.at(place.value))
}

#[test]
fn a_prompt_or_a_skill_makes_a_context() {
    let nothing = Workshop::new("", "\n \n").agent().expect("it is made");
    assert_eq!(nothing.context, None);
    let prompt = Workshop::new("", "\n  Only a prompt.  \n").agent();
    let prompt = prompt.expect("it is made");
    assert_eq!(prompt.prompt_suffix(), Some("Only a prompt."));
    assert_eq!(prompt.skills().count(), 0);
    let workshop = Workshop::new("skills: [one]", "");
    let config = workshop.agent().expect("it is made");
    assert_eq!(config.prompt_suffix(), None);
    let context = config.context.expect("the skill makes one");
    assert_eq!(context.skills[0].value.content, "text of one");
    assert_eq!(written(&workshop, &context.skills[0]), Some("one"));
}

#[test]
fn duplicate_tools_are_kept() {
    let workshop = Workshop::new("tools: [terminal, terminal]", "");
    let config = workshop.agent().expect("it is made");
    assert_eq!(config.tool_names(), ["terminal", "terminal"]);
    let places: Vec<_> = config
        .tools
        .value
        .listed()
        .iter()
        .map(|tool| tool.from.place())
        .collect();
    assert_ne!(places[0], places[1]);
    let none = Workshop::new("", "").agent().expect("it is made");
    assert!(none.tools.value.listed().is_empty());
    assert_eq!(none.tools.from, Provenance::Default);
}

#[test]
fn the_permission_is_the_parents_or_the_agents_own() {
    for (mode, word) in [
        ("always_confirm", "always-confirm"),
        ("' Confirm_Risky '", "confirm-risky"),
        ("never_confirm", "never-confirm"),
    ] {
        let workshop = Workshop::new(&format!("permission_mode: {mode}"), "");
        let blueprint = workshop.blueprint().expect("it is made");
        assert_eq!(blueprint.permission().value.as_str(), word);
        let config = workshop.agent().expect("it is made");
        assert_eq!(config.permission, blueprint.permission());
        assert_eq!(written(&workshop, &config.permission), Some(mode));
    }
    let config = Workshop::new("", "").agent().expect("it is made");
    assert_eq!(config.permission.value.as_str(), "inherit");
    assert_eq!(config.permission.from, Provenance::Parent);
}

#[test]
fn limits_and_hooks_know_their_place() {
    let workshop = Workshop::new(
        "max_iteration_per_run: '7'\nmax_budget_per_run: .inf\nhooks: {stop: []}",
        "",
    );
    let config = workshop.agent().expect("it is made");
    assert_eq!(config.limits.max_turns.value, Some(Int::Small(7)));
    assert_eq!(written(&workshop, &config.limits.max_turns), Some("'7'"));
    assert_eq!(config.limits.max_budget_usd.value, Some(f64::INFINITY));
    assert!(config.hooks.value.is_some());
    assert!(matches!(
        config.hooks.from,
        Provenance::Definition { field, .. } if field == FieldName::HOOKS
    ));
    let config = Workshop::new("", "").agent().expect("it is made");
    assert_eq!(
        config.limits.max_turns,
        Sourced::new(None, Provenance::Default)
    );
    assert_eq!(config.hooks, Sourced::new(None, Provenance::Default));
}
