//! The `tools` and `permission` of OpenCode, and the rules that follow from them.
//!
//! Source: OpenCode's `config/agent.ts`, `config/permission.ts` and `permission/index.ts`, and
//! the cases `parse/permission-*` and `parse/tools-*`.

use std::collections::HashMap;

use crate::coerce::{Coerced, Problem, Remarks, pydantic, shorten};
use crate::definition::{Definition, FieldName, FieldValue, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::effects::takes_in_all;
use crate::finish::Finish;
use crate::foreign_words::and_list;
use crate::merge::merged_nodes;
use crate::rules;
use crate::source::Span;
use crate::suggest::nearest;
use crate::value::{Entry, Mapping, Node, Style, Value};
use crate::writing::effect_of;

use super::start::DEFAULTS;

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

/// The permission for every change of a file.
const EDIT: &str = "edit";

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
    note_overruled(map, permission_named, remarks);
    Ok(Some(FieldValue::config(node.resolved().clone())))
}

/// Tools that the first line never asks for: it asks for what their edits need.
pub(super) const ASKED_AS_EDIT: &[&str] = &["write", "patch", "apply_patch", "multiedit"];

/// The same in the second line, which takes `write` and `patch` for `edit` where it reads a file of
/// the first one.
pub(super) const ASKED_AS_EDIT_LATER: &[&str] = &["apply_patch", "multiedit"];

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
        return Ok(Some(FieldValue::config(map_node(vec![all], node.span))));
    }
    let map = expect_map(node)?;
    let mut problems = Vec::new();
    for entry in &map.entries {
        check_permission(entry, &mut problems);
    }
    all_or(problems, remarks)?;
    note_overruled(map, as_written, remarks);
    for patterns in map.entries.iter().filter_map(|entry| entry.value.as_map()) {
        note_overruled(patterns, as_written, remarks);
    }
    Ok(Some(FieldValue::config(node.resolved().clone())))
}

/// The most entries of a map that are compared with each other.
const MOST_COMPARED: usize = 64;

/// What all entries of a map say about one name.
struct Said<'a> {
    name: &'a str,
    /// The last of the entries: its value counts. The place is that of the first.
    counts: &'a Entry,
}

/// Notes entries that have no effect: another one of the same name comes later, or of the rules
/// that fit the last one says something else. `name_of` says what a key stands for.
fn note_overruled(map: &Mapping, name_of: fn(&str) -> &str, remarks: &mut Remarks<'_>) {
    if map.entries.len() < 2 {
        return;
    }
    let mut said: Vec<Said<'_>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for entry in &map.entries {
        let name = name_of(key_of(entry));
        let place = *places.entry(name).or_insert(said.len());
        match said.get_mut(place) {
            Some(known) => known.counts = entry,
            None => said.push(Said {
                name,
                counts: entry,
            }),
        }
    }
    for entry in &map.entries {
        let name = name_of(key_of(entry));
        let place = places[name];
        let counts = said[place].counts;
        let finding = match counts.value.same_content(&entry.value) {
            true => overruling(&said, place).map(|by| by_later_rule(entry, by)),
            false => Some(by_same_name(entry, counts, name)),
        };
        remarks.list.extend(finding);
    }
}

/// Returns the last entry that fits all that another one is about.
fn overruling<'a>(said: &[Said<'a>], place: usize) -> Option<&'a Entry> {
    let own = &said[place];
    let fits = |later: &&Said<'_>| match said.len() > MOST_COMPARED {
        true => later.name == ANY,
        false => later.name != own.name && takes_in_all(later.name, own.name),
    };
    // Patterns leave to others what fits none of them.
    let is_for_all = |later: &&Said<'_>| {
        let patterns = later.counts.value.as_map();
        patterns.is_none_or(|patterns| patterns.get(ANY).is_some())
    };
    let mut later = said[place + 1..].iter().rev().filter(is_for_all);
    let by = later.find(fits)?.counts;
    (!by.value.same_content(&own.counts.value)).then_some(by)
}

fn has_no_effect(entry: &Entry) -> Diagnostic {
    let said = format!("what `{}` says has no effect", shorten(key_of(entry)));
    Diagnostic::new(&rules::OVERRULED_RULE, said).at(entry.key.span)
}

/// `help` says what to do with a rule for everything that comes too late.
fn overruled_by_later(
    finding: Diagnostic,
    by: Span,
    fits_all: bool,
    help: &'static str,
) -> Diagnostic {
    let (fits, help) = match fits_all {
        true => ("this fits everything, and comes later", help),
        false => (
            "this fits all of that too, and comes later",
            "write the rule for more first and its exceptions below it",
        ),
    };
    finding
        .and_at(by, fits)
        .because("OpenCode takes the last rule that fits")
        .help(help)
}

fn by_later_rule(entry: &Entry, by: &Entry) -> Diagnostic {
    let help = "write `\"*\"` first and the exceptions below it";
    overruled_by_later(has_no_effect(entry), by.key.span, key_of(by) == ANY, help)
}

/// Notes rules of a list (action, pattern, effect) that have no effect, because of those that fit
/// the last one says something else.
pub(super) fn note_overruled_rules(rules: &[Node], remarks: &mut Remarks<'_>) {
    for (index, rule) in rules.iter().enumerate() {
        let Some([action, pattern, effect]) = parts_of(rule) else {
            continue;
        };
        let fits = |later: &[&Node; 3]| match rules.len() > MOST_COMPARED {
            true => later[..2].iter().all(|part| part.as_text() == Some(ANY)),
            false => fits_all_of(later[0], action) && fits_all_of(later[1], pattern),
        };
        let mut later = rules[index + 1..].iter().rev().filter_map(parts_of);
        let Some(by) = later.find(fits).filter(|by| !by[2].same_content(effect)) else {
            continue;
        };
        let about = shorten(pattern.as_text().unwrap_or_default());
        let said = format!("what the rule for `{about}` says has no effect");
        let finding = Diagnostic::new(&rules::OVERRULED_RULE, said).at(pattern.span);
        let fits_all = by[1].as_text() == Some(ANY);
        let help = "write the rule for everything first and its exceptions below it";
        let finding = overruled_by_later(finding, by[1].span, fits_all, help);
        remarks.list.push(finding);
    }
}

/// Returns the action, the pattern and the effect of a rule.
pub(super) fn parts_of(rule: &Node) -> Option<[&Node; 3]> {
    match rule.as_list()? {
        [action, pattern, effect] => Some([action, pattern, effect]),
        _ => None,
    }
}

fn fits_all_of(one: &Node, other: &Node) -> bool {
    let texts = one.as_text().zip(other.as_text());
    texts.is_some_and(|(one, other)| takes_in_all(one, other))
}

/// `name` is what both entries stand for.
fn by_same_name(entry: &Entry, by: &Entry, name: &str) -> Diagnostic {
    has_no_effect(entry)
        .and_at(
            by.key.span,
            format!("this is about `{name}` too, and comes later"),
        )
        .because(
            "OpenCode takes `write`, `edit` and `patch` for one permission, `edit`, of which the \
             last value counts",
        )
        .help("write one of them")
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
        ..Mapping::default()
    };
    Node::new(Value::Map(map), span, Style::Default)
}

/// Notes switches of `tools` whose permission `permission` sets too, in another way: it takes their
/// place (case `parse/tools-plus-permission`).
pub(super) fn note_replaced(finish: &mut Finish<'_>) {
    let definition = &*finish.definition;
    let map_of = |field| definition.config(field).and_then(Node::as_map);
    let (Some(tools), Some(permissions)) =
        (map_of(FieldName::TOOLS), map_of(FieldName::PERMISSION))
    else {
        return;
    };
    for tool in &tools.entries {
        let permission = permission_of(tool);
        let Some(by) = permissions.get(key_of(&permission)) else {
            continue;
        };
        // Whoever has a tool may still be told what it is for, by patterns.
        let is_allowed = permission.value.as_text() == Some("allow");
        let is_said = match by.value.as_map().map(|patterns| patterns.get(ANY)) {
            None => by.value.same_content(&permission.value),
            Some(all) => {
                is_allowed || all.is_some_and(|it| it.value.same_content(&permission.value))
            }
        };
        if !is_said {
            let finding = has_no_effect(tool)
                .and_at(by.key.span, "this takes its place")
                .because(
                    "OpenCode makes permissions of the old `tools`, and takes those of \
                     `permission` in their place where both are about the same",
                )
                .help("say it in `permission` alone");
            finish.findings.push(finding);
        }
    }
}

/// Notes rules about tools for which nobody asks. What they forbid beyond the rule for `edit` is
/// lost.
pub(super) fn note_never_asked(finish: &mut Finish<'_>, as_edit: &[&str]) {
    let permissions = finish.definition.config(FieldName::PERMISSION);
    let Some(map) = permissions.and_then(Node::as_map) else {
        return;
    };
    let edit = map.get(EDIT).map(|edit| &edit.value);
    let never = map.entries.iter();
    for entry in never.filter(|entry| as_edit.contains(&key_of(entry))) {
        let is_said = edit.is_some_and(|edit| edit.same_content(&entry.value) || denies_all(edit));
        let limits = !is_said && entry.value.as_text() != Some("allow");
        let help = match edit {
            Some(_) => "say it in the rule for `edit`, and remove this one",
            None => "write `edit`",
        };
        let said = format!("the rule for `{}` has no effect", key_of(entry));
        let mut finding = Diagnostic::new(&rules::INERT_TOOL, said)
            .at(entry.key.span)
            .about(FieldName::PERMISSION)
            .because(
                "OpenCode asks for `edit` before one of its tools for files changes one, and never for \
                 the name of that tool",
            )
            .help(help);
        match limits {
            true => finish.lost.push(FieldName::PERMISSION),
            false => finding.severity = Severity::Info,
        }
        finish.findings.push(finding);
    }
}

/// Returns whether a rule denies whatever it is asked about.
fn denies_all(rule: &Node) -> bool {
    let denies = |node: &Node| node.as_text() == Some("deny");
    match rule.as_map() {
        Some(patterns) => {
            let mut all = patterns.entries.iter().map(|pattern| &pattern.value);
            patterns.get(ANY).is_some() && all.all(denies)
        }
        None => denies(rule),
    }
}

/// Notes rules for all of a tool that come behind a stricter rule of the harness's own for a part of
/// it, and so cancel that one: `read: allow` and the question before `*.env`.
pub(super) fn note_cancelled(finish: &mut Finish<'_>) {
    let permissions = finish.definition.config(FieldName::PERMISSION);
    let Some(map) = permissions.and_then(Node::as_map) else {
        return;
    };
    for entry in &map.entries {
        let patterns = entry.value.as_map();
        let all = match patterns {
            Some(patterns) => patterns.get(ANY).map(|all| &all.value),
            None => Some(&entry.value),
        };
        let Some(effect) = all.and_then(Node::as_text).and_then(effect_of) else {
            continue;
        };
        let name = key_of(entry);
        let said_again = |pattern: &str| patterns.is_some_and(|own| own.get(pattern).is_some());
        let cancelled = DEFAULTS.iter().filter(|(of, pattern, default)| {
            let is_stricter = effect_of(default).is_some_and(|default| default < effect);
            *of == name && *pattern != ANY && is_stricter && !said_again(pattern)
        });
        let cancelled: Vec<String> = cancelled
            .map(|(_, pattern, default)| format!("`{pattern}: {default}`"))
            .collect();
        if cancelled.is_empty() {
            continue;
        }
        let cancelled: Vec<&str> = cancelled.iter().map(String::as_str).collect();
        let said = format!(
            "`{name}` cancels what OpenCode itself says of it, {}",
            and_list(&cancelled)
        );
        let mut finding = Diagnostic::new(&rules::OVERRULED_RULE, said)
            .at(entry.key.span)
            .because("OpenCode takes the last rule that fits, and its own rules come first")
            .help(format!(
                "leave `{name}` out, or give it patterns in `permission`: `\"*\"` first, and {} below",
                and_list(&cancelled)
            ));
        finding.severity = Severity::Info;
        finish.findings.push(finding);
    }
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
        entries.shrink_to_fit();
        let node = map_node(entries, place.value);
        let value = FieldValue::config(node);
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

fn as_written(name: &str) -> &str {
    name
}

/// Returns the permission that a tool stands for.
fn permission_named(tool: &str) -> &str {
    match EDITING.contains(&tool) {
        true => EDIT,
        false => tool,
    }
}

/// Makes the permission that a switch of `tools` stands for.
fn permission_of(tool: &Entry) -> Entry {
    let name = permission_named(key_of(tool));
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
            Value::Map(patterns) => rules.extend(patterns.entries.iter().map(|pattern| {
                let text = Value::Text(expand_home(key_of(pattern)).into());
                let key = Node::default_at(text, pattern.key.span);
                rule(&entry.key, key, &pattern.value)
            })),
            _ => {
                let all = Node::default_at(Value::Text(ANY.into()), entry.value.span);
                rules.push(rule(&entry.key, all, &entry.value));
            }
        }
    }
    rules
}

/// The action and the pattern keep the places at which they are written.
fn rule(permission: &Node, pattern: Node, effect: &Node) -> Node {
    let action = Value::Text(permission.as_text().unwrap_or_default().into());
    let action = Node::default_at(action, permission.span);
    Node::default_at(
        Value::List(vec![action, pattern, effect.clone()]),
        effect.span,
    )
}

/// Writes the home in a pattern in one way, `$HOME`, as the harness puts the folder there.
fn expand_home(pattern: &str) -> String {
    match pattern.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("$HOME{rest}"),
        _ => pattern.to_owned(),
    }
}
