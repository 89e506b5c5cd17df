//! The `tools` and `permission` of OpenCode, and the rules that follow from them.
//!
//! Source: OpenCode's `config/agent.ts`, `config/permission.ts` and `permission/index.ts`, and
//! the cases `parse/permission-*` and `parse/tools-*`.

use crate::coerce::{Coerced, Problem, Remarks, pydantic, shorten};
use crate::definition::{Definition, FieldName, FieldValue, Located};
use crate::diagnostic::Diagnostic;
use crate::merge::merged_nodes;
use crate::rules;
use crate::source::Span;
use crate::suggest::nearest;
use crate::value::{Entry, Mapping, Node, Style, Value};

/// What may be done with an action.
const EFFECTS: [&str; 3] = ["ask", "allow", "deny"];

/// Permissions that take one effect for everything and no patterns.
const WITHOUT_PATTERNS: [&str; 5] = [
    "todowrite",
    "question",
    "webfetch",
    "websearch",
    "doom_loop",
];

/// The old names of tools that count as editing.
const EDITING: [&str; 3] = ["write", "edit", "patch"];

/// What stands for every permission, and for every pattern.
const ANY: &str = "*";

/// Reads `tools`: a map from tool names to switches.
pub(super) fn read_tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let map = expect_map(node)?;
    let mut problems = Vec::new();
    for entry in &map.entries {
        if !matches!(entry.value.get(), Value::Bool(_)) {
            problems.push(
                Problem::rejects(
                    entry.value.span,
                    format!(
                        "must be `true` or `false`, not {}",
                        pydantic::article(&entry.value)
                    ),
                )
                .within(key_of(entry)),
            );
        }
    }
    all_or(problems, remarks)?;
    note_overruled(map, remarks);
    Ok(Some(FieldValue::Config(node.resolved().clone())))
}

/// Reads `permission`: one effect for everything, or a map.
pub(super) fn read(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if let Some(effect) = node.as_text() {
        if !EFFECTS.contains(&effect) {
            return Err(wrong_effect(node));
        }
        let all = Entry {
            key: Node::default_at(Value::Text(ANY.into()), node.span),
            value: node.clone(),
        };
        return Ok(Some(FieldValue::Config(map_node(vec![all], node.span))));
    }
    let map = expect_map(node)?;
    let mut problems = Vec::new();
    for entry in &map.entries {
        check_permission(entry, &mut problems);
    }
    all_or(problems, remarks)?;
    note_overruled(map, remarks);
    for patterns in map.entries.iter().filter_map(|entry| entry.value.as_map()) {
        note_overruled(patterns, remarks);
    }
    Ok(Some(FieldValue::Config(node.resolved().clone())))
}

/// Notes rules before one that fits everything: of the rules that fit, the last one counts.
fn note_overruled(map: &Mapping, remarks: &mut Remarks<'_>) {
    let mut entries = map.entries.iter();
    let Some(all) = entries.rposition(|entry| key_of(entry) == ANY) else {
        return;
    };
    let counts = &map.entries[all];
    let before = map.entries[..all].iter();
    for entry in before.filter(|entry| !entry.value.same_content(&counts.value)) {
        remarks.list.push(
            Diagnostic::new(
                &rules::OVERRULED_RULE,
                format!("what `{}` says has no effect", shorten(key_of(entry))),
            )
            .at(entry.key.span)
            .and_at(counts.key.span, "this fits everything, and comes later")
            .because("OpenCode takes the last rule that fits")
            .help("write `\"*\"` first and the exceptions below it"),
        );
    }
}

fn check_permission(entry: &Entry, problems: &mut Vec<Problem>) {
    let name = key_of(entry);
    let patterns = match entry.value.get() {
        Value::Map(patterns) if !WITHOUT_PATTERNS.contains(&name) => patterns,
        Value::Text(effect) if EFFECTS.contains(&&**effect) => return,
        _ => {
            problems.push(wrong_effect(&entry.value).within(name));
            return;
        }
    };
    for pattern in &patterns.entries {
        let effect = pattern.value.as_text();
        if !effect.is_some_and(|effect| EFFECTS.contains(&effect)) {
            let problem = wrong_effect(&pattern.value);
            problems.push(problem.within(key_of(pattern)).within(name));
        }
    }
}

/// Returns the first problem; the others become remarks.
fn all_or(problems: Vec<Problem>, remarks: &mut Remarks<'_>) -> Result<(), Problem> {
    let mut problems = problems.into_iter();
    let first = problems.next();
    remarks.further.extend(problems);
    first.map_or(Ok(()), Err)
}

/// Returns whether a word is something that may be done with an action.
pub(super) fn is_effect(word: &str) -> bool {
    EFFECTS.contains(&word)
}

pub(super) fn wrong_effect(node: &Node) -> Problem {
    let complaint = match node.as_text() {
        Some(text) => format!("cannot be `{}`", crate::coerce::shorten(text)),
        None => format!("cannot be {}", pydantic::article(node)),
    };
    let meant = node.as_text().and_then(|text| nearest(text, EFFECTS));
    Problem::rejects(node.span, complaint).help(match meant {
        Some(meant) => format!("write `{meant}`"),
        None => "write `ask`, `allow` or `deny`".to_owned(),
    })
}

fn expect_map(node: &Node) -> Result<&Mapping, Problem> {
    node.as_map().ok_or_else(|| {
        Problem::rejects(
            node.span,
            format!("must be a mapping, not {}", pydantic::article(node)),
        )
    })
}

fn key_of(entry: &Entry) -> &str {
    entry.key.as_text().unwrap_or_default()
}

fn map_node(entries: Vec<Entry>, span: Span) -> Node {
    let map = Mapping {
        entries,
        overwritten: Vec::new(),
    };
    Node::new(Value::Map(map), span, Style::Default)
}

/// Puts what `tools` says below what `permission` says: a permission of the same name takes the
/// place of the one from `tools`, and the others follow.
pub(super) fn join_tools(definition: &mut Definition) {
    let mut entries: Vec<Entry> = Vec::new();
    let mut set = |entry: Entry| {
        let known = entries
            .iter_mut()
            .find(|known| known.key.same_content(&entry.key));
        match known {
            Some(known) => known.value = entry.value,
            None => entries.push(entry),
        }
    };
    let tools = definition.config(FieldName::TOOLS).and_then(Node::as_map);
    for tool in tools.iter().flat_map(|tools| &tools.entries) {
        set(permission_of(tool));
    }
    let written = definition.config(FieldName::PERMISSION);
    let written = written.and_then(Node::as_map);
    for permission in written.iter().flat_map(|map| &map.entries) {
        set(permission.clone());
    }
    let place = definition
        .place(FieldName::PERMISSION)
        .or_else(|| definition.place(FieldName::TOOLS));
    if let Some(place) = place {
        let node = map_node(entries, place.value);
        let value = FieldValue::Config(node);
        definition.set(
            FieldName::PERMISSION,
            Located::written(value, place.key, place.value),
        );
    }
}

/// Makes the permissions for all agents of the settings: the old `tools` lie below `permission`.
pub(super) fn for_all(general: &Definition) -> Option<Node> {
    let tools = general.config(FieldName::TOOLS);
    let permission = general.config(FieldName::PERMISSION);
    let Some(switches) = tools.and_then(Node::as_map) else {
        return permission.cloned();
    };
    let mut below: Vec<Entry> = Vec::new();
    for entry in switches.entries.iter().map(permission_of) {
        match below
            .iter_mut()
            .find(|known| known.key.same_content(&entry.key))
        {
            Some(known) => known.value = entry.value,
            None => below.push(entry),
        }
    }
    let below = map_node(below, tools.map(|tools| tools.span).unwrap_or_default());
    Some(match permission {
        Some(permission) => merged_nodes(&below, permission),
        None => below,
    })
}

/// Makes the permission that a switch of `tools` stands for.
fn permission_of(tool: &Entry) -> Entry {
    let name = key_of(tool);
    let name = if EDITING.contains(&name) {
        "edit"
    } else {
        name
    };
    let effect = match tool.value.get() {
        Value::Bool(true) => "allow",
        _ => "deny",
    };
    Entry {
        key: Node::new(Value::Text(name.into()), tool.key.span, tool.key.style),
        value: Node::new(
            Value::Text(effect.into()),
            tool.value.span,
            tool.value.style,
        ),
    }
}

/// Lists the rules of a map of permissions as (permission, pattern, effect), in order: the last
/// one that fits counts.
pub(super) fn rules(permissions: &Node) -> Vec<Node> {
    let mut rules = Vec::new();
    let map = permissions.as_map();
    for entry in map.iter().flat_map(|map| &map.entries) {
        match entry.value.get() {
            Value::Map(patterns) => {
                rules.extend(patterns.entries.iter().map(|pattern| {
                    rule(key_of(entry), &expand_home(key_of(pattern)), &pattern.value)
                }))
            }
            _ => rules.push(rule(key_of(entry), ANY, &entry.value)),
        }
    }
    rules
}

fn rule(permission: &str, pattern: &str, effect: &Node) -> Node {
    let text = |text: &str| Node::default_at(Value::Text(text.into()), effect.span);
    let items = vec![text(permission), text(pattern), effect.clone()];
    Node::default_at(Value::List(items), effect.span)
}

/// Writes the home in a pattern in one way, `$HOME`, as the harness puts the folder there.
fn expand_home(pattern: &str) -> String {
    match pattern.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("$HOME{rest}"),
        _ => pattern.to_owned(),
    }
}
