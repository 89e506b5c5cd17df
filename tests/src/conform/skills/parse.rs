//! Cases of single files.

use std::path::Path;

use agent_schema::dialects::skills;
use agent_schema::{Definition, File, ParseInputs, Profile, parse_with};
use serde_json::{Map, Value, json};

use super::super::{CaseError, Check, Report, compare, file_stem, list, read, read_json};
use super::{Expected, codes, expected, sorted, text, unknown_harness};

pub(super) fn run(dir: &Path, report: &mut Report) -> Result<(), CaseError> {
    for path in list(dir)? {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case = read_json(&path)?;
        let bytes = read(&path.with_extension("md"))?;
        let name = file_stem(&path);
        for expected in expected(&case) {
            report.checks.push(match expected {
                Ok(expected) => Check {
                    kind: "parse",
                    case: name.clone(),
                    profile: expected.profile.recorded_as(),
                    differences: check(&case, &bytes, &expected),
                },
                Err(harness) => unknown_harness("parse", &name, &harness),
            });
        }
    }
    Ok(())
}

fn check(case: &Value, bytes: &[u8], expected: &Expected<'_>) -> Vec<compare::Difference> {
    let file = File {
        name: text(case, "file_name"),
        bytes,
    };
    let inputs = ParseInputs::new().folder(text(case, "dir_name"));
    let parsed = parse_with(file, expected.dialect, expected.profile, &inputs);
    let mut out = Vec::new();
    let mut compare = |member: &str, actual: Value| {
        if let Some(expected) = expected.answer.get(member) {
            compare::values(member, &comparable(member, expected), &actual, &mut out);
        }
    };
    compare("outcome", json!(parsed.outcome.as_str()));
    compare("warns", json!(parsed.harness_warns()));
    let said = codes(&parsed.diagnostics);
    let crashes = said.to_string().contains("crash:");
    compare("validation_errors", said.clone());
    compare("diagnostics", said.clone());
    if let Some(why) = reason(expected.answer) {
        let told = said.as_array().is_some_and(|said| said.contains(why));
        compare("why", if told { why.clone() } else { said.clone() });
    }
    let valid = if crashes {
        Value::Null
    } else {
        json!(!parsed.harness_warns())
    };
    compare("valid", valid);
    if let Some(definition) = parsed.outcome.definition() {
        let wanted = expected.answer.get("definition").and_then(Value::as_object);
        compare("definition", shown(definition, wanted));
        compare("prompt_block", listed(definition, expected.profile));
    }
    out
}

/// Returns why a case says that the file is lost, if it does so by one of the words for findings.
fn reason(answer: &Value) -> Option<&Value> {
    let is_word = |why: &&Value| why.as_str().is_some_and(|why| !why.contains(' '));
    answer.get("why").filter(is_word)
}

/// Brings what a case expects into the form in which it is compared.
fn comparable(member: &str, expected: &Value) -> Value {
    match member {
        "validation_errors" | "diagnostics" => sorted(expected),
        _ => expected.clone(),
    }
}

/// Returns the members of a definition that the case names.
fn shown(definition: &Definition, wanted: Option<&Map<String, Value>>) -> Value {
    let all = serde_json::to_value(definition).unwrap_or_default();
    let member = |key: &String| {
        let ours = match key.as_str() {
            "metadata" => skills::PROPERTIES.as_str(),
            key => key,
        };
        (key.clone(), all.get(ours).cloned().unwrap_or_default())
    };
    wanted.into_iter().flat_map(Map::keys).map(member).collect()
}

/// Returns the list of skills that the model would see, with this skill alone.
fn listed(definition: &Definition, profile: &Profile) -> Value {
    let is_hidden = definition.flag(skills::DISABLE_MODEL_INVOCATION) == Some(true);
    let skill = (definition.name(), definition.description(), "{location}");
    let visible = (!is_hidden).then_some(skill);
    json!(profile.rules.skills.listing.write(visible))
}
