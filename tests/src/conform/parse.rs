//! Cases of single files.

use std::path::Path;

use agent_schema::{Diagnostic, Dialect, Fate, File, ParseInputs, Severity, rules};
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

/// Returns the settings that a case names as dotted paths. Other formats describe the errors of
/// the harness's own language here.
pub(super) fn failing_paths<'e>(expectation: &'e Expectation<'_>) -> Option<&'e Value> {
    let fields = expectation.get("error")?.get("fields")?;
    let are_paths = fields.as_array()?.iter().all(Value::is_string);
    are_paths.then_some(fields)
}

/// Lists the settings that a harness refuses, as dotted paths.
pub(super) fn failing_settings(diagnostics: &[Diagnostic]) -> Value {
    let failing = diagnostics.iter().filter(|diagnostic| {
        diagnostic.severity == Severity::Error && !diagnostic.setting.is_empty()
    });
    failing
        .map(|diagnostic| Value::String(diagnostic.setting.join(".")))
        .collect()
}

/// Sorts a list of texts: the order in which a harness complains is not compared.
pub(super) fn sorted(list: &Value) -> Value {
    let mut list = list.as_array().cloned().unwrap_or_default();
    list.sort_by_key(Value::to_string);
    Value::Array(list)
}

fn is_program(diagnostics: &[Diagnostic]) -> bool {
    let mut found = diagnostics.iter();
    found.any(|diagnostic| *diagnostic.rule == rules::EXECUTABLE_HEADER)
}

/// What only running a header could give is not asserted; the prompt and the name are.
fn accept_what_the_program_gives(expected: &Map<String, Value>, actual: &mut Value) {
    let known = ["name", "prompt"];
    for (key, value) in expected {
        if !known.contains(&key.as_str()) {
            actual[key] = value.clone();
        }
    }
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
    let parsed = match (expectation.text("kind"), scope) {
        (Some("skill"), _) => claude_code::parse_skill(file, dialect, expectation.profile),
        (_, Some(_)) => claude_code::parse_in_scope(file, dialect, expectation.profile, scope),
        _ => agent_schema::parse_with(file, dialect, expectation.profile, &inputs(expectation)),
    };
    let mut out = Vec::new();
    let text = |text: &str| Value::String(text.to_owned());
    compare::values(
        "outcome",
        expectation.get("outcome").unwrap_or(&Value::Null),
        &text(parsed.outcome.as_str()),
        &mut out,
    );
    // Where the harness threw, nobody listened for a warning.
    if let Some(warns) = expectation.get("warns").filter(|warns| !warns.is_null()) {
        compare::values("warns", warns, &json!(parsed.harness_warns()), &mut out);
    }
    claude_code::compare_log(expectation, &parsed, &mut out);
    claude_code::compare_skill(expectation, &parsed, &mut out);
    claude_code::compare_resolved(expectation, &parsed, &mut out);
    if let Some(fields) = failing_paths(expectation) {
        let actual = failing_settings(&parsed.diagnostics);
        compare::values("error.fields", &sorted(fields), &sorted(&actual), &mut out);
    }
    if let (Some(key), Some(definition)) = (expectation.get("key"), parsed.outcome.definition()) {
        compare::values("key", key, &text(definition.name()), &mut out);
    }
    if let Some(fails) = expectation.get("whole_discovery_fails") {
        let fatal = json!(parsed.fate == Fate::Fatal);
        compare::values("whole_discovery_fails", fails, &fatal, &mut out);
    }
    let expected = expectation.get("definition").and_then(Value::as_object);
    if let (Some(expected), Some(definition)) = (expected, parsed.outcome.definition()) {
        let mut actual = serde_json::to_value(definition).unwrap_or(Value::Null);
        if is_program(&parsed.diagnostics) {
            accept_what_the_program_gives(expected, &mut actual);
        }
        // A member that the case does not name is not asserted.
        let knows = |key: &&String| !expectation.of_other_version || actual.get(*key).is_some();
        let expected: Map<String, Value> = expected
            .iter()
            .filter(|(key, _)| knows(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let asserted: Map<String, Value> = expected
            .keys()
            .map(|key| (key.clone(), actual.get(key).cloned().unwrap_or_default()))
            .map(|(key, value)| match expected.get(&key) {
                // Some cases write no unknown keys as null.
                Some(Value::Null) if value == json!({}) => (key, Value::Null),
                _ => (key, value),
            })
            .collect();
        compare::values(
            "definition",
            &Value::Object(expected),
            &Value::Object(asserted),
            &mut out,
        );
    }
    out
}

/// Tells what a case knows about a file beside its bytes.
fn inputs(expectation: &Expectation<'_>) -> ParseInputs {
    match expectation.text("main_workspace") {
        Some(workspace) => ParseInputs::new().main_workspace(workspace),
        None => ParseInputs::new(),
    }
}
