//! Cases of whole trees, with what each of several harnesses lists.

use std::path::Path;

use agent_discovery::{Inputs, Resolution, SkillState, Skills, discover_skills};
use agent_schema::dialects;
use serde_json::{Map, Value, json};

use super::super::tree::CaseTree;
use super::super::{CaseError, Check, Report, compare, file_stem, list, read_json};
use super::discover::{in_state, shadowed};
use super::{setup, sorted, text, unknown_harness};

pub(super) fn run(dir: &Path, report: &mut Report) -> Result<(), CaseError> {
    for case_dir in list(dir)? {
        let case = read_json(&case_dir.join("expect.json"))?;
        let tree = CaseTree::lay_out(Some(&case_dir), &setup(&case))?;
        for (folder, answers) in members(case.get("by_cwd")) {
            let name = format!("{} in {folder}", file_stem(&case_dir));
            for (harness, answer) in members(Some(answers)) {
                report
                    .checks
                    .push(check(&name, folder, harness, answer, &tree));
            }
        }
    }
    Ok(())
}

fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::iter)
}

fn check(name: &str, folder: &str, harness: &str, answer: &Value, tree: &CaseTree) -> Check {
    let Some((dialect, profile)) = dialects::skills::loader(harness) else {
        return unknown_harness("resolve", name, harness);
    };
    let inputs = Inputs::new()
        .home(tree.path("home"))
        .project(tree.path(folder))
        .trusted(true);
    let skills = discover_skills(tree.tree(), dialect, profile, &inputs);
    let mut differences = Vec::new();
    let mut compare = |member: &str, actual: Value| {
        if let Some(expected) = answer.get(member) {
            let (expected, actual) = (sorted(expected), sorted(&actual));
            compare::values(member, &expected, &actual, &mut differences);
        }
    };
    compare("skills", listed(tree, &skills));
    compare("failed", in_state(tree, &skills, SkillState::Rejected));
    let losers = shadowed(tree, &skills);
    let losers = losers.as_array().into_iter().flatten();
    compare(
        "shadowed",
        losers.map(|loser| json!(text(loser, "from"))).collect(),
    );
    if let Some(unstable) = answer.get("unstable") {
        check_unstable(unstable, tree, &skills, &mut differences);
    }
    Check {
        kind: "resolve",
        case: name.to_owned(),
        profile: profile.recorded_as(),
        differences,
    }
}

fn listed(tree: &CaseTree, skills: &Skills) -> Value {
    let rows = skills.active().map(|found| {
        json!({
            "name": found.skill.name,
            "from": tree.relative(&found.skill.reported),
        })
    });
    rows.collect()
}

/// Every winner that was seen must be among those that are left open.
fn check_unstable(
    unstable: &Value,
    tree: &CaseTree,
    skills: &Skills,
    out: &mut Vec<compare::Difference>,
) {
    let open = match skills.resolve(text(unstable, "name")) {
        Resolution::NotFixed(contenders) => contenders,
        _ => Vec::new(),
    };
    let open: Vec<Value> = open
        .iter()
        .map(|found| json!(tree.relative(&found.skill.reported)))
        .collect();
    for (key, winners) in members(Some(unstable)).filter(|(key, _)| key.starts_with("winners")) {
        let winners = winners.as_array().into_iter().flatten();
        for missing in winners.filter(|winner| !open.contains(winner)) {
            compare::values(&format!("unstable.{key}"), missing, &json!(open), out);
        }
    }
}
