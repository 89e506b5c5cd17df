//! The `acceptance` of `pi-subagents`: how a result is accepted.
//!
//! Source of every rule: `validateAcceptanceInput` of 0.67.0.

use crate::coerce::{Coerced, Problem, Remarks, javascript};
use crate::definition::FieldValue;
use crate::json;
use crate::text::MappedText;
use crate::value::{Entry, Mapping, Node, Value};

use super::pi_subagents_values::yaml_of;

const KEYS: [&str; 8] = [
    "level",
    "report",
    "criteria",
    "evidence",
    "verify",
    "review",
    "stopRules",
    "reason",
];
const KEYS_OF_CRITERION: [&str; 4] = ["id", "must", "evidence", "severity"];
const KEYS_OF_COMMAND: [&str; 6] = ["id", "command", "timeoutMs", "cwd", "env", "allowFailure"];
const KEYS_OF_REVIEW: [&str; 3] = ["agent", "focus", "required"];

const EVIDENCE: [&str; 9] = [
    "changed-files",
    "tests-added",
    "commands-run",
    "validation-output",
    "residual-risks",
    "no-staged-files",
    "diff-summary",
    "review-findings",
    "manual-notes",
];

/// A level, `false`, or a map that says more.
pub(super) fn acceptance(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let Some(value) = yaml_of(node)? else {
        return Ok(None);
    };
    let refused = || {
        Problem::rejects(
            node.span,
            "must be `auto`, `attested`, `checked`, `false`, or a map that fits",
        )
    };
    let fits = match value.get() {
        Value::Bool(false) => return Ok(Some(FieldValue::Flag(false))),
        Value::Text(text) if javascript::trim(text).starts_with(['{', '[']) => {
            let inside = MappedText::plain(javascript::trim(text));
            let inside = json::read(&inside, json::JAVASCRIPT).map_err(|_| refused())?;
            inside.as_map().is_some_and(fits)
        }
        Value::Text(level) => ["auto", "attested", "checked"].contains(&&**level),
        Value::Map(map) => fits(map),
        _ => false,
    };
    match fits {
        true => Ok(Some(FieldValue::config(value))),
        false => Err(refused()),
    }
}

fn fits(map: &Mapping) -> bool {
    let verify = list(map, "verify");
    let level_fits = match (value(map, "level"), text(map, "level")) {
        (None, _) | (_, Some("auto" | "attested" | "checked")) => true,
        (_, Some("none")) => is_filled(map, "reason"),
        (_, Some("verified")) => verify.is_some_and(|commands| !commands.is_empty()),
        _ => false,
    };
    level_fits
        && has_only(map, &KEYS)
        && is_unset_or(map, "report", |node| {
            matches!(node.as_text(), Some("on" | "off"))
        })
        && is_unset_or(map, "reason", is_text)
        && is_unset_or(map, "criteria", |node| all(node, criterion_fits))
        && is_unset_or(map, "evidence", evidence_fits)
        && is_unset_or(map, "verify", |node| all(node, command_fits))
        && is_unset_or(map, "review", review_fits)
        && is_unset_or(map, "stopRules", |node| all(node, is_text))
        && ids_differ(list(map, "criteria").unwrap_or_default())
}

fn criterion_fits(node: &Node) -> bool {
    let fits = |map: &Mapping| {
        has_only(map, &KEYS_OF_CRITERION)
            && is_filled(map, "id")
            && is_filled(map, "must")
            && is_unset_or(map, "evidence", evidence_fits)
            && is_unset_or(map, "severity", |node| {
                matches!(node.as_text(), Some("required" | "recommended"))
            })
    };
    is_text(node) || node.as_map().is_some_and(fits)
}

fn command_fits(node: &Node) -> bool {
    let is_positive = |node: &Node| javascript::integer(node.get()).is_some_and(|value| value >= 1);
    let fits = |map: &Mapping| {
        has_only(map, &KEYS_OF_COMMAND)
            && is_filled(map, "id")
            && is_filled(map, "command")
            && is_unset_or(map, "timeoutMs", is_positive)
            && is_unset_or(map, "cwd", is_text)
            && is_unset_or(map, "env", |node| {
                let map = node.as_map();
                map.is_some_and(|map| map.entries.iter().all(|entry| is_text(&entry.value)))
            })
            && is_unset_or(map, "allowFailure", is_flag)
    };
    node.as_map().is_some_and(fits)
}

fn review_fits(node: &Node) -> bool {
    let fits = |map: &Mapping| {
        has_only(map, &KEYS_OF_REVIEW)
            && is_unset_or(map, "agent", is_text)
            && is_unset_or(map, "focus", is_text)
            && is_unset_or(map, "required", is_flag)
    };
    *node.get() == Value::Bool(false) || node.as_map().is_some_and(fits)
}

fn evidence_fits(node: &Node) -> bool {
    all(node, |item| {
        item.as_text().is_some_and(|kind| EVIDENCE.contains(&kind))
    })
}

/// Returns whether no two criteria have one id, small differences of spelling aside.
fn ids_differ(criteria: &[Node]) -> bool {
    let ids = criteria
        .iter()
        .filter_map(|item| text(item.as_map()?, "id"));
    let mut known: Vec<String> = Vec::new();
    for id in ids.map(normal_id) {
        if known.contains(&id) {
            return false;
        }
        known.push(id);
    }
    true
}

/// Small letters, with one hyphen for white space and underscores.
fn normal_id(id: &str) -> String {
    let mut normal = String::new();
    for c in javascript::trim(id).to_lowercase().chars() {
        let is_separator = c == '_' || c == '-' || javascript::is_space(c);
        match is_separator {
            true if normal.ends_with('-') => {}
            true => normal.push('-'),
            false => normal.push(c),
        }
    }
    normal
}

fn value<'a>(map: &'a Mapping, key: &str) -> Option<&'a Node> {
    map.get(key).map(|entry| &entry.value)
}

fn text<'a>(map: &'a Mapping, key: &str) -> Option<&'a str> {
    value(map, key)?.as_text()
}

fn list<'a>(map: &'a Mapping, key: &str) -> Option<&'a [Node]> {
    value(map, key)?.as_list()
}

fn is_text(node: &Node) -> bool {
    node.as_text().is_some()
}

fn is_flag(node: &Node) -> bool {
    matches!(node.get(), Value::Bool(_))
}

fn is_filled(map: &Mapping, key: &str) -> bool {
    text(map, key).is_some_and(|text| !javascript::trim(text).is_empty())
}

fn is_unset_or(map: &Mapping, key: &str, fits: impl Fn(&Node) -> bool) -> bool {
    value(map, key).is_none_or(fits)
}

fn all(node: &Node, fits: impl Fn(&Node) -> bool) -> bool {
    node.as_list().is_some_and(|items| items.iter().all(fits))
}

fn has_only(map: &Mapping, keys: &[&str]) -> bool {
    let known = |entry: &Entry| entry.key.as_text().is_some_and(|key| keys.contains(&key));
    map.entries.iter().all(known)
}
