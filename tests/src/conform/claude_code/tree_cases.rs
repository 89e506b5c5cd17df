//! What the tree cases of Claude Code say: how the program is started, and what it lists.

use std::collections::BTreeSet;

use agent_discovery::{Discovery, Entry, Inputs, State, StopKind, discover};
use agent_schema::Dialect;
use serde_json::{Value, json};

use super::super::compare::{self, Difference};
use super::super::tree::CaseTree;
use super::super::versions::Expectation;

/// Returns whether a case has this format: it says in words that built-in agents are left out.
pub(in crate::conform) fn fits(case: &Value) -> bool {
    case.get("builtins").is_some_and(Value::is_string)
}

/// Returns what has to be laid out before the tree is searched.
pub(in crate::conform) fn setup(case: &Value) -> Vec<Value> {
    let mut steps = Vec::new();
    for root in texts(case.get("git_roots")) {
        steps.push(json!({ "op": "mkdir", "path": format!("{root}/.git") }));
    }
    for root in texts(case.get("git_files")) {
        steps.push(json!({ "op": "write", "path": format!("{root}/.git"), "text": "" }));
    }
    let files = case.get("write_files").and_then(Value::as_object);
    for (path, text) in files.into_iter().flatten() {
        steps.push(json!({ "op": "write", "path": path, "text": text }));
    }
    steps
}

/// Searches the tree as the case starts the program, and compares all that it says.
pub(in crate::conform) fn check_tree(
    dialect: &'static Dialect,
    tree: &CaseTree,
    expectation: &Expectation<'_>,
) -> Vec<Difference> {
    let inputs = inputs(tree, expectation);
    let found = discover(tree.tree(), dialect, expectation.profile, &inputs);
    let mut out = Vec::new();
    let starts = found
        .stop
        .as_ref()
        .is_none_or(|stop| stop.kind != StopKind::Raises);
    let outcome = if starts {
        Value::Null
    } else {
        json!("startup-error")
    };
    let expected = expectation.get("outcome").unwrap_or(&Value::Null);
    compare::values("outcome", expected, &outcome, &mut out);
    if !starts {
        return out;
    }
    compare_agents(tree, &found, expectation, &mut out);
    let members = [
        ("shadowed", shadowed(tree, &found)),
        (
            "failed",
            paths(tree, &found, |state| state == State::Rejected),
        ),
        ("roster", roster(tree, &found)),
    ];
    for (member, actual) in members {
        if let Some(expected) = expectation.get(member) {
            compare_sets(member, expected, actual, &mut out);
        }
    }
    let ignored = paths(tree, &found, |state| matches!(state, State::Ignored(_)));
    for path in texts(expectation.get("skipped")) {
        if !ignored.contains(&json!(path)) {
            compare::values("skipped", &json!(path), &Value::Null, &mut out);
        }
    }
    // What is held back the harness does not read; we do, to tell what would come of it.
    let read = paths(tree, &found, |state| {
        !matches!(state, State::Ignored(_) | State::HeldBack)
    });
    for path in texts(expectation.get("not_read")) {
        if read.contains(&json!(path)) {
            compare::values("not_read", &json!(path), &json!("read"), &mut out);
        }
    }
    out
}

/// Compares the agents as a set, and where the harness leaves the winner open all the sets that
/// may come out.
fn compare_agents(
    tree: &CaseTree,
    found: &Discovery,
    expectation: &Expectation<'_>,
    out: &mut Vec<Difference>,
) {
    let Some(expected) = expectation.get("agents").and_then(Value::as_array) else {
        return;
    };
    let active: Vec<Value> = found.active().map(|entry| agent(tree, entry)).collect();
    // Some cases know nothing but the names.
    if expected.iter().any(Value::is_string) {
        let names = found.active().map(|entry| json!(entry.name())).collect();
        return compare_sets("agents", &json!(expected), names, out);
    }
    let Some(alternatives) = expectation.get("one_of").and_then(Value::as_array) else {
        compare_sets("agents", &json!(expected), active, out);
        return compare_sets("undefined", &json!([]), open_ends(tree, found), out);
    };
    let whole = |alternative: &Value| {
        let more = alternative.as_array().into_iter().flatten();
        sorted(expected.iter().chain(more).cloned().collect())
    };
    let alternatives: Vec<Value> = alternatives.iter().map(|it| json!(whole(it))).collect();
    let ours = choices(tree, found, &active);
    compare_sets("one_of", &json!(alternatives), ours, out);
}

/// Returns every set of agents that may come out.
fn choices(tree: &CaseTree, found: &Discovery, active: &[Value]) -> Vec<Value> {
    let mut sets = vec![active.to_vec()];
    for group in found.undefined() {
        let mut longer = Vec::new();
        for set in &sets {
            for entry in &group {
                let mut set = set.clone();
                set.push(agent(tree, entry));
                longer.push(set);
            }
        }
        sets = longer;
    }
    sets.into_iter().map(|set| json!(sorted(set))).collect()
}

fn open_ends(tree: &CaseTree, found: &Discovery) -> Vec<Value> {
    let groups = found.undefined().into_iter().flatten();
    groups.map(|entry| agent(tree, entry)).collect()
}

fn agent(tree: &CaseTree, entry: &Entry) -> Value {
    json!({
        "name": entry.name(),
        "from": tree.relative(&entry.source.reported),
        "level": entry.source.level.as_str(),
    })
}

fn shadowed(tree: &CaseTree, found: &Discovery) -> Vec<Value> {
    let lost = found.entries.iter().filter_map(|entry| match entry.state {
        State::Shadowed { by, .. } => Some(json!({
            "name": entry.name(),
            "from": tree.relative(&entry.source.reported),
            "by": tree.relative(&found.entries[by].source.reported),
        })),
        _ => None,
    });
    let replaced = found.replaced_builtins().map(|(builtin, entry)| {
        json!({
            "name": builtin.name,
            "from": format!("builtin:{}", builtin.name),
            "by": tree.relative(&entry.source.reported),
        })
    });
    lost.chain(replaced).collect()
}

fn paths(tree: &CaseTree, found: &Discovery, of: impl Fn(State) -> bool) -> Vec<Value> {
    let entries = found.entries.iter().filter(|entry| of(entry.state));
    entries
        .map(|entry| json!(tree.relative(&entry.source.reported)))
        .collect()
}

/// Returns the names that are offered, by the deny rules in the settings of the home.
fn roster(tree: &CaseTree, found: &Discovery) -> Vec<Value> {
    let settings = std::fs::read(tree.path("home/.claude/settings.json")).unwrap_or_default();
    let settings: Value = serde_json::from_slice(&settings).unwrap_or_default();
    let denied: Vec<&str> = texts(settings.pointer("/permissions/deny"))
        .filter_map(|rule| rule.strip_prefix("Agent(")?.strip_suffix(')'))
        .collect();
    let roster = found.roster(&denied);
    roster.into_iter().map(|name| json!(name)).collect()
}

fn inputs(tree: &CaseTree, expectation: &Expectation<'_>) -> Inputs {
    let cwd = expectation.text("cwd").unwrap_or("project");
    let mut inputs = Inputs::new()
        .project(tree.path(cwd))
        .home(tree.path("home"));
    if tree.path("managed").exists() {
        inputs = inputs.managed(tree.path("managed"));
    }
    let plugins = expectation.get("plugins").and_then(Value::as_array);
    for plugin in plugins.into_iter().flatten() {
        let root = plugin.get("root").and_then(Value::as_str);
        inputs = inputs.plugin(tree.path(root.unwrap_or_default()));
    }
    let variables = expectation.get("env").and_then(Value::as_object);
    for (name, value) in variables.into_iter().flatten() {
        let path = tree.path(value.as_str().unwrap_or_default());
        inputs = inputs.variable(name, path.to_string_lossy());
    }
    let settings = expectation.get("managed_settings");
    let plugin_only = settings.and_then(|it| it.get("strictPluginOnlyCustomization"));
    let about_agents =
        plugin_only == Some(&Value::Bool(true)) || texts(plugin_only).any(|it| it == "agents");
    if about_agents {
        inputs = inputs.switch("plugin-only");
    }
    with_arguments(tree, expectation, inputs)
}

fn with_arguments(tree: &CaseTree, expectation: &Expectation<'_>, mut inputs: Inputs) -> Inputs {
    let mut arguments = texts(expectation.get("args"));
    while let Some(argument) = arguments.next() {
        inputs = match argument {
            "--bare" | "--safe-mode" => inputs.switch(argument.trim_start_matches('-')),
            "--agents" => {
                let given = arguments.next().unwrap_or_default();
                let path = tree.path(given);
                match path.is_file() {
                    true => inputs.definitions(path.to_string_lossy()),
                    false => inputs.definitions(given),
                }
            }
            "--add-dir" => inputs.added(tree.path(arguments.next().unwrap_or_default())),
            "--plugin-dir" => inputs.plugin(tree.path(arguments.next().unwrap_or_default())),
            "--setting-sources" => {
                let sources: Vec<&str> = arguments.next().unwrap_or_default().split(',').collect();
                if !sources.contains(&"user") {
                    inputs = inputs.without_user();
                }
                match sources.contains(&"project") {
                    true => inputs,
                    false => inputs.without_project(),
                }
            }
            _ => inputs,
        };
    }
    inputs
}

fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let values = value.and_then(Value::as_array).into_iter().flatten();
    values.filter_map(Value::as_str)
}

fn sorted(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by_key(ToString::to_string);
    values
}

/// Compares two lists whose order says nothing.
fn compare_sets(at: &str, expected: &Value, actual: Vec<Value>, out: &mut Vec<Difference>) {
    let key = |value: &Value| sorted_members(value).to_string();
    let texts = |values: &[Value]| values.iter().map(key).collect::<BTreeSet<_>>();
    let wanted = expected.as_array().cloned().unwrap_or_default();
    let (wanted, got) = (texts(&wanted), texts(&actual));
    for missing in wanted.difference(&got) {
        compare::values(at, &json!(missing), &Value::Null, out);
    }
    for extra in got.difference(&wanted) {
        compare::values(at, &Value::Null, &json!(extra), out);
    }
}

/// Returns a value whose objects have their members in the order of their names.
fn sorted_members(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let sorted: std::collections::BTreeMap<_, _> = members.iter().collect();
            json!(sorted)
        }
        Value::Array(items) => items.iter().map(sorted_members).collect(),
        other => other.clone(),
    }
}
