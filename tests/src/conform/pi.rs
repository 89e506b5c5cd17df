//! What the cases of Pi add: a working folder, trust, settings, and what is lost to one bad file.

use std::path::Path;

use agent_discovery::{Discovery, Entry, Inputs, State, StopAt, decide_trust, discover};
use agent_registry::{Registration, admit_all};
use agent_schema::{Dialect, Profile, rules};
use serde_json::{Value, json};

use super::compare::{self, Difference};
use super::discover::{failed, shadowed};
use super::tree::CaseTree;
use super::versions::Expectation;
use super::{CaseError, Check, Report};

/// Returns whether a case of a tree is written in this format.
pub(super) fn is_format(case: &Value) -> bool {
    case.get("cwd").is_some() && case.get("trusted").is_some()
}

pub(super) fn check(
    dialect: &'static Dialect,
    tree: &CaseTree,
    expectation: &Expectation<'_>,
) -> Vec<Difference> {
    let inputs = inputs(tree, expectation);
    let found = discover(tree.tree(), dialect, expectation.profile, &inputs);
    let threw = found.stop.is_some();
    let nothing = || json!([]);
    let files = |fits: &dyn Fn(&Entry) -> bool| {
        let entries = found.entries.iter().filter(|entry| fits(entry));
        let files = entries.map(|entry| tree.relative(&entry.source.reported));
        files.collect::<Vec<_>>()
    };
    let loads = |entry: &Entry| matches!(entry.state, State::Active | State::Shadowed { .. });
    let silent = |entry: &Entry| entry.parsed.is_some() && matches!(entry.state, State::Ignored(_));
    let mut out = Vec::new();
    for (member, actual) in [
        ("throws", json!(threw)),
        (
            "agents",
            if threw {
                nothing()
            } else {
                registered(tree, &found)
            },
        ),
        (
            "shadowed",
            if threw {
                nothing()
            } else {
                all_shadowed(tree, &found)
            },
        ),
        (
            "failed",
            stopped_at(tree, &found).unwrap_or_else(|| failed(tree, &found)),
        ),
        ("ignored", json!(files(&silent))),
        (
            "lost_to_failure",
            json!(files(&|entry| threw && loads(entry))),
        ),
        ("disabled", disabled(tree, &found)),
        ("skipped", skipped(tree, &found)),
        ("warns", json!(found.entries.iter().any(warns))),
    ] {
        // A case that says nothing of a member was not asked, but for what ends a search.
        let expected = match (member, expectation.get(member)) {
            ("throws", None) => json!(false),
            ("disabled", Some(expected)) => without_unread(expected, &found, tree),
            (_, Some(expected)) => expected.clone(),
            (_, None) => continue,
        };
        // No rule orders the lists of the recommended schema, and no harness lists its losers.
        let ordered = member == "agents" && expectation.get("basis") != Some(&json!("seed"));
        let (expected, actual) = match ordered {
            true => (expected, actual),
            false => (sorted(expected), sorted(actual)),
        };
        compare::values(member, &expected, &actual, &mut out);
    }
    out
}

fn inputs(tree: &CaseTree, expectation: &Expectation<'_>) -> Inputs {
    let mut inputs = Inputs::new().home(tree.path("home")).all_references();
    if let Some(folder) = expectation.text("cwd") {
        inputs = inputs.project(tree.path(folder));
    }
    if let Some(trusted) = expectation.get("trusted").and_then(Value::as_bool) {
        inputs = inputs.trusted(trusted);
    }
    match expectation.text("scope") {
        Some("user") => inputs = inputs.without_project(),
        Some("project") => inputs = inputs.without_user(),
        _ => {}
    }
    let variables = expectation.get("env").and_then(Value::as_object);
    for (name, value) in variables.into_iter().flatten() {
        let root = tree.path("");
        let root = root.to_string_lossy();
        let value = value.as_str().unwrap_or_default();
        inputs = inputs.variable(name, value.replace("$ROOT", root.trim_end_matches('/')));
    }
    let packages = expectation.get("package_sources").and_then(Value::as_array);
    for folder in packages.into_iter().flatten() {
        inputs = inputs.package(tree.path(folder.as_str().unwrap_or_default()));
    }
    inputs
}

/// Lists the agents in the order in which the registry answers with them.
fn registered(tree: &CaseTree, found: &Discovery) -> Value {
    let mut registration = Registration::new(found.dialect, found.profile);
    // Nothing refuses an agent, so that the registration never ends early.
    let _ = registration.register_files(found.clone(), admit_all);
    let registry = registration.without_builtins();
    let agents = registry.active().map(|(name, contender)| {
        json!({
            "name": name,
            "from": tree.relative(&contender.source.reported),
            "level": contender.source.level.as_str(),
        })
    });
    agents.collect()
}

/// Lists the losers, and the bundled agents whose names files have taken.
fn all_shadowed(tree: &CaseTree, found: &Discovery) -> Value {
    let mut rows = shadowed(tree, found)
        .as_array()
        .cloned()
        .unwrap_or_default();
    rows.extend(found.replaced_builtins().map(|(builtin, by)| {
        let name = builtin.name;
        json!({
            "name": name,
            "from": format!("builtin:{name}"),
            "by": tree.relative(&by.source.reported),
        })
    }));
    Value::Array(rows)
}

/// Lists the file that ended the search.
fn stopped_at(tree: &CaseTree, found: &Discovery) -> Option<Value> {
    match found.stop.as_ref()?.at {
        StopAt::Entry(entry) => {
            let source = &found.entries.get(entry)?.source;
            Some(json!([tree.relative(&source.reported)]))
        }
        StopAt::Place(_) => None,
    }
}

fn disabled(tree: &CaseTree, found: &Discovery) -> Value {
    let entries = found.entries.iter();
    let off = entries.filter(|entry| entry.state == State::SwitchedOff);
    let rows = off.map(|entry| {
        let mut findings = entry.diagnostics.iter();
        let finding = findings.find(|finding| finding.rule == &rules::SWITCHED_OFF);
        let settings = finding.and_then(|finding| finding.related.first()?.file.as_deref());
        json!({
            "name": entry.name(),
            "from": tree.relative(&entry.source.reported),
            "by": settings.map(|settings| tree.relative(settings)),
        })
    });
    rows.collect()
}

/// Takes out the files that a case calls disabled by no settings in particular, if the search
/// does not come across them: the recording put down every file that way that did not load.
fn without_unread(expected: &Value, found: &Discovery, tree: &CaseTree) -> Value {
    let is_unread = |row: &&Value| {
        let file = row.get("from").and_then(Value::as_str);
        let mut entries = found.entries.iter();
        row.get("by") == Some(&json!("settings"))
            && !entries.any(|entry| Some(tree.relative(&entry.source.reported).as_str()) == file)
    };
    let rows = expected.as_array().into_iter().flatten();
    rows.filter(|row| !is_unread(row)).cloned().collect()
}

fn skipped(tree: &CaseTree, found: &Discovery) -> Value {
    let entries = found.entries.iter();
    let held_back = entries.filter(|entry| entry.state == State::HeldBack);
    let rows = held_back.map(|entry| {
        json!({
            "from": tree.relative(&entry.source.reported),
            "reason": "project not trusted",
        })
    });
    rows.collect()
}

fn warns(entry: &Entry) -> bool {
    entry.diagnostics.iter().any(|finding| finding.harness_says)
}

fn sorted(mut list: Value) -> Value {
    if let Some(items) = list.as_array_mut() {
        items.sort_by_key(ToString::to_string);
    }
    list
}

/// Runs the cases about trust in a project, if there are any.
pub(super) fn run_trust(
    dialect: &'static Dialect,
    path: &Path,
    report: &mut Report,
) -> Result<(), CaseError> {
    if !path.exists() {
        return Ok(());
    }
    let file = super::read_json(path)?;
    let harness = file
        .get("harness")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let cases = file.get("cases").and_then(Value::as_array);
    for case in cases.into_iter().flatten() {
        for profile in dialect.profiles {
            let Some(expected) = trust_expected(case, harness, profile) else {
                continue;
            };
            report.checks.push(Check {
                kind: "trust",
                case: text(case, "id").to_owned(),
                profile: profile.id,
                differences: check_trust(case, expected, profile)?,
            });
        }
    }
    Ok(())
}

/// Returns what was recorded of the version of Pi that a profile came with.
fn trust_expected<'a>(case: &'a Value, harness: &str, profile: &Profile) -> Option<&'a Value> {
    let is_of = |harness: &str| profile.harness.contains(&format!("({harness})"));
    let also = case.get("also").and_then(Value::as_array);
    let mut others = also.into_iter().flatten();
    let other = others.find(|record| is_of(text(record, "harness")));
    let name = harness.split(' ').next().unwrap_or_default();
    let is_version_of = profile.harness.contains(&format!("({name} "));
    other.or_else(|| (is_of(harness) || is_version_of).then_some(case))
}

fn check_trust(
    case: &Value,
    expected: &Value,
    profile: &Profile,
) -> Result<Vec<Difference>, CaseError> {
    let tree = CaseTree::lay_out(None, &trust_setup(case))?;
    let mut inputs = Inputs::new()
        .home(tree.path("home"))
        .project(tree.path(text(case, "cwd")));
    if let Some(trusted) = case.get("override").and_then(Value::as_bool) {
        inputs = inputs.trusted(trusted);
    }
    let saved = case.get("saved").and_then(Value::as_array);
    let saved: serde_json::Map<String, Value> = saved
        .into_iter()
        .flatten()
        .map(|entry| {
            let folder = tree.path(text(entry, "path"));
            let trusted = entry.get("trusted").cloned().unwrap_or_default();
            (folder.to_string_lossy().into_owned(), trusted)
        })
        .collect();
    tree.write(
        "home/.pi/agent/trust.json",
        &Value::Object(saved).to_string(),
    )?;
    let decision = decide_trust(tree.tree(), &profile.rules.agents, &inputs);
    let mut out = Vec::new();
    let actual = [
        (
            "trusted",
            decision.as_ref().map(|decision| decision.trusted),
        ),
        (
            "requires_decision",
            decision.as_ref().map(|decision| !decision.gated.is_empty()),
        ),
    ];
    for (member, actual) in actual {
        let expected = expected.get(member).unwrap_or(&Value::Null);
        compare::values(member, expected, &json!(actual), &mut out);
    }
    Ok(out)
}

fn trust_setup(case: &Value) -> Vec<Value> {
    let list = |key: &str| {
        case.get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let folders = list("mkdir").map(|path| json!({"op": "mkdir", "path": path}));
    let files = list("files").map(|path| json!({"op": "write", "path": path, "text": "{}"}));
    let word = case
        .get("default_project_trust")
        .filter(|word| !word.is_null());
    let settings = word.map(|word| {
        let text = json!({ "defaultProjectTrust": word }).to_string();
        json!({"op": "write", "path": "home/.pi/agent/settings.json", "text": text})
    });
    let working = json!({"op": "mkdir", "path": text(case, "cwd")});
    folders
        .chain(files)
        .chain(settings)
        .chain([working])
        .collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
