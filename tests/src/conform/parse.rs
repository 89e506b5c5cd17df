//! Cases of single files.

use std::path::Path;

use agent_schema::{Dialect, File};
use serde_json::{Map, Value, json};

use super::{CaseError, Check, Expectation, Report, claude_code, compare, expectations, file_stem};

pub(super) fn run(
    dialect: &'static Dialect,
    dir: &Path,
    report: &mut Report,
) -> Result<(), CaseError> {
    for path in super::list(dir)? {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case = super::read_json(&path)?;
        let bytes = match case.get("generate") {
            Some(recipe) => generate(recipe),
            None => super::read(&path.with_extension("md"))?,
        };
        for expectation in expectations(dialect, &case) {
            report.checks.push(Check {
                kind: "parse",
                case: file_stem(&path),
                profile: expectation.profile.id,
                differences: check(dialect, &bytes, &expectation),
            });
        }
    }
    Ok(())
}

/// Makes the content of a case that is too large to store.
fn generate(recipe: &Value) -> Vec<u8> {
    let text = |key: &str| recipe.get(key).and_then(Value::as_str).unwrap_or_default();
    let times = recipe.get("times").and_then(Value::as_u64).unwrap_or(1);
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    [
        text("prefix"),
        &text("repeat").repeat(times),
        text("suffix"),
    ]
    .concat()
    .into_bytes()
}

fn check(
    dialect: &'static Dialect,
    bytes: &[u8],
    expectation: &Expectation<'_>,
) -> Vec<compare::Difference> {
    let file = File {
        name: expectation.text("file_name").unwrap_or_default(),
        bytes,
    };
    let scope = expectation.text("scope");
    let parsed = match expectation.text("kind") {
        Some("skill") => claude_code::parse_skill(file, dialect, expectation.profile),
        _ => claude_code::parse_in_scope(file, dialect, expectation.profile, scope),
    };
    let mut out = Vec::new();
    let text = |text: &str| Value::String(text.to_owned());
    compare::values(
        "outcome",
        expectation.get("outcome").unwrap_or(&Value::Null),
        &text(parsed.outcome.as_str()),
        &mut out,
    );
    if let Some(warns) = expectation.get("warns") {
        compare::values("warns", warns, &json!(parsed.harness_warns()), &mut out);
    }
    claude_code::compare_log(expectation, &parsed, &mut out);
    claude_code::compare_skill(expectation, &parsed, &mut out);
    claude_code::compare_resolved(expectation, &parsed, &mut out);
    let expected = expectation.get("definition").and_then(Value::as_object);
    if let (Some(expected), Some(definition)) = (expected, parsed.outcome.definition()) {
        let actual = serde_json::to_value(definition).unwrap_or(Value::Null);
        // A member that the case does not name is not asserted.
        let asserted: Map<String, Value> = expected
            .keys()
            .map(|key| (key.clone(), actual.get(key).cloned().unwrap_or_default()))
            .collect();
        compare::values(
            "definition",
            &Value::Object(expected.clone()),
            &Value::Object(asserted),
            &mut out,
        );
    }
    out
}
