//! Cases of whole trees.

use std::path::Path;

use agent_discovery::{Discovery, Entry, Inputs, State, StopKind, discover};
use agent_schema::Dialect;
use serde_json::{Value, json};

use super::tree::{self, CaseTree};
use super::{
    CaseError, Check, Expectation, Report, claude_code, compare, expectations, layers, merged, pi,
    roster,
};

pub(super) fn run(
    dialect: &'static Dialect,
    dir: &Path,
    report: &mut Report,
) -> Result<(), CaseError> {
    for case_dir in super::list(dir)? {
        let case = super::read_json(&case_dir.join("expect.json"))?;
        let mut setup = tree::setup(&case);
        setup.extend(claude_code::setup(&case));
        for expectation in expectations(dialect, &case) {
            let tree = CaseTree::lay_out(Some(&case_dir), &setup)?;
            let differences = if pi::is_format(&case) {
                pi::check(dialect, &tree, &expectation)
            } else if claude_code::fits(&case) {
                claude_code::check_tree(dialect, &tree, &expectation)
            } else if merged::fits(&case) {
                merged::check(dialect, &tree, &expectation)
            } else if expectation.text("call").is_some() {
                // A case whose call is a text is about a search of layers, and names it.
                layers::check(dialect, &tree, &expectation)
            } else {
                check(dialect, &tree, &expectation)
            };
            report.checks.push(Check {
                kind: "discover",
                case: super::file_stem(&case_dir),
                profile: expectation.profile.id,
                differences,
            });
        }
    }
    Ok(())
}

fn check(
    dialect: &'static Dialect,
    tree: &CaseTree,
    expectation: &Expectation<'_>,
) -> Vec<compare::Difference> {
    if roster::is_roster(expectation) {
        return roster::check(dialect, tree, expectation);
    }
    let found = discover(
        tree.tree(),
        dialect,
        expectation.profile,
        &inputs(tree, expectation),
    );
    let mut out = Vec::new();
    let outcome = found.stop.as_ref().map(|stop| match stop.kind {
        StopKind::Raises => "raises",
        StopKind::Refuses => "rejected",
        StopKind::Hangs => "hang",
    });
    compare::values(
        "outcome",
        expectation.get("outcome").unwrap_or(&Value::Null),
        &json!(outcome),
        &mut out,
    );
    // A harness that does not come back gives no agents at all.
    let came_back = found.stop.is_none();
    for (member, actual) in [
        ("agents", agents(tree, &found)),
        ("shadowed", shadowed(tree, &found)),
        ("failed", failed(tree, &found)),
    ] {
        let actual = if came_back { actual } else { json!([]) };
        if let Some(expected) = expectation.get(member) {
            compare::values(member, expected, &actual, &mut out);
        }
    }
    out
}

fn inputs(tree: &CaseTree, expectation: &Expectation<'_>) -> Inputs {
    let call = expectation.get("call").cloned().unwrap_or_default();
    let mut inputs = Inputs::new().home(tree.path("home"));
    if let Some(project) = call.get("project_dir").and_then(Value::as_str) {
        inputs = inputs.project(tree.path(project));
    }
    if call.get("include_project") == Some(&Value::Bool(false)) {
        inputs = inputs.without_project();
    }
    if call.get("include_user") == Some(&Value::Bool(false)) {
        inputs = inputs.without_user();
    }
    let variables = expectation.get("env").and_then(Value::as_object);
    for (name, value) in variables.into_iter().flatten() {
        let path = tree.path(value.as_str().unwrap_or_default());
        inputs = inputs.variable(name, path.to_string_lossy());
    }
    inputs
}

pub(super) fn agents(tree: &CaseTree, found: &Discovery) -> Value {
    let agents = found.active().map(|entry| {
        json!({
            "name": entry.name(),
            "from": tree.relative(&entry.source.reported),
            "level": entry.source.level.as_str(),
        })
    });
    agents.collect()
}

/// Lists the losers; a file that the harness comes across once more has lost to itself.
pub(super) fn shadowed(tree: &CaseTree, found: &Discovery) -> Value {
    let lost = found.entries.iter().filter_map(|entry| match entry.state {
        State::Shadowed { by, .. } => Some((
            entry,
            &entry.source.reported,
            &found.entries[by].source.reported,
        )),
        _ => None,
    });
    let seen_again: Vec<_> = found.seen_again().collect();
    let again = seen_again
        .iter()
        .filter(|again| again.entry.name().is_some());
    let again = again.map(|again| (again.entry, &again.reported, &again.entry.source.reported));
    let rows = lost.chain(again).map(|(entry, from, by)| {
        json!({
            "name": entry.name(),
            "from": tree.relative(from),
            "by": tree.relative(by),
        })
    });
    rows.collect()
}

/// Lists the files that the harness warns about, once for each time that it comes across them.
pub(super) fn failed(tree: &CaseTree, found: &Discovery) -> Value {
    let rejected = |entry: &Entry| entry.state == State::Rejected;
    let entries = found.entries.iter().filter(|entry| rejected(entry));
    let first = entries.map(|entry| entry.source.reported.clone());
    let again = found.seen_again().filter(|again| rejected(again.entry));
    let again = again.map(|again| again.reported);
    first
        .chain(again)
        .map(|reported| json!(tree.relative(&reported)))
        .collect()
}
