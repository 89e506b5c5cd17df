//! Cases of whole trees, with all that one harness says about them.

use std::path::Path;

use agent_discovery::{FoundSkill, Inputs, SkillState, Skills, discover_skills};
use agent_schema::skill_rules::FoundBy;
use serde_json::{Value, json};

use super::super::tree::CaseTree;
use super::super::{CaseError, Check, Report, compare, file_stem, list, read_json};
use super::{Expected, code, expected, setup, sorted, text, unknown_harness};

pub(super) fn run(dir: &Path, report: &mut Report) -> Result<(), CaseError> {
    for case_dir in list(dir)? {
        let case = read_json(&case_dir.join("expect.json"))?;
        let name = file_stem(&case_dir);
        for expected in expected(&case) {
            let tree = CaseTree::lay_out(Some(&case_dir), &setup(&case))?;
            report.checks.push(match expected {
                Ok(expected) => Check {
                    kind: "discover",
                    case: name.clone(),
                    profile: expected.profile.recorded_as(),
                    differences: check(&case, &tree, &expected),
                },
                Err(harness) => unknown_harness("discover", &name, &harness),
            });
        }
    }
    Ok(())
}

fn check(case: &Value, tree: &CaseTree, expected: &Expected<'_>) -> Vec<compare::Difference> {
    let inputs = inputs(case, tree);
    let skills = discover_skills(tree.tree(), expected.dialect, expected.profile, &inputs);
    let mut out = Vec::new();
    for (member, actual) in [
        (
            "skills",
            skills.active().map(|found| shown(tree, found)).collect(),
        ),
        ("shadowed", shadowed(tree, &skills)),
        (
            "failed",
            sorted(&in_state(tree, &skills, SkillState::Rejected)),
        ),
        (
            "ignored",
            sorted(&in_state(tree, &skills, SkillState::Ignored)),
        ),
        ("warnings", warnings(tree, &skills)),
        ("requires_trust", json!(skills.needs_trust)),
    ] {
        if let Some(wanted) = expected.answer.get(member) {
            compare::values(member, wanted, &actual, &mut out);
        }
    }
    out
}

fn inputs(case: &Value, tree: &CaseTree) -> Inputs {
    let mut inputs = Inputs::new()
        .home(tree.path("home"))
        .project(tree.path(text(case, "cwd")));
    if case.get("trusted") != Some(&Value::Bool(false)) {
        inputs = inputs.trusted(true);
    }
    if case.get("no_discovery") == Some(&Value::Bool(true)) {
        inputs = inputs.without_skill_search();
    }
    let paths = case.get("skill_paths").and_then(Value::as_array);
    for path in paths.into_iter().flatten().filter_map(Value::as_str) {
        inputs = inputs.skill_path(path);
    }
    inputs
}

fn shown(tree: &CaseTree, found: &FoundSkill) -> Value {
    json!({
        "name": found.skill.name,
        "from": tree.relative(&found.skill.reported),
        "level": found.level.as_str(),
        "source": match found.found_by {
            FoundBy::Search | FoundBy::Below => "auto",
            FoundBy::Package => "package",
            FoundBy::Settings | FoundBy::CommandLine => "settings-or-path",
        },
        "model_visible": found.model_visible,
    })
}

pub(super) fn shadowed(tree: &CaseTree, skills: &Skills) -> Value {
    let lost = skills.found.iter().filter_map(|found| match found.state {
        SkillState::Shadowed { by } => Some((found, &skills.found[by])),
        _ => None,
    });
    let rows = lost.map(|(found, by)| {
        json!({
            "name": found.skill.name,
            "from": tree.relative(&found.skill.reported),
            "by": tree.relative(&by.skill.reported),
        })
    });
    rows.collect()
}

pub(super) fn in_state(tree: &CaseTree, skills: &Skills, state: SkillState) -> Value {
    let found = skills.found.iter().filter(|found| found.state == state);
    found
        .map(|found| json!(tree.relative(&found.skill.reported)))
        .collect()
}

fn warnings(tree: &CaseTree, skills: &Skills) -> Value {
    let rows = skills.warnings.iter().map(|warning| {
        json!({
            "path": tree.relative(&warning.path.to_string_lossy()),
            "code": code(&warning.diagnostic),
        })
    });
    rows.collect()
}
