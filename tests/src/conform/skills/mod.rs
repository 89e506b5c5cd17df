//! Cases about skills, each of which names the harnesses that it speaks about.

mod discover;
mod parse;
mod resolve;

use std::path::Path;

use agent_schema::{Diagnostic, Dialect, Profile, dialects};
use serde_json::{Value, json};

use super::{CaseError, Check, Report, compare};

/// Returns whether a folder holds cases about skills: they alone have the kind `resolve`.
pub(super) fn are_in(cases: &Path) -> bool {
    cases.join("resolve").is_dir()
}

pub(super) fn run(cases: &Path, report: &mut Report) -> Result<(), CaseError> {
    parse::run(&cases.join("parse"), report)?;
    discover::run(&cases.join("discover"), report)?;
    resolve::run(&cases.join("resolve"), report)
}

/// What a case expects of one harness.
struct Expected<'a> {
    dialect: &'static Dialect,
    profile: &'static Profile,
    answer: &'a Value,
}

/// Returns what a case expects of each harness that it names. A harness that nobody describes is
/// a difference of its own.
fn expected(case: &Value) -> Vec<Result<Expected<'_>, String>> {
    let also = case.get("also").and_then(Value::as_array);
    let answers = std::iter::once(case).chain(also.into_iter().flatten());
    let expected = answers.map(|answer| {
        // What a harness exports may answer otherwise than the harness itself.
        let harness = match (text(answer, "harness"), text(case, "entry")) {
            (harness, entry @ "loadSkills") => format!("{harness} {entry}"),
            (harness, _) => harness.to_owned(),
        };
        let (dialect, profile) = dialects::skills::loader(&harness).ok_or(harness)?;
        Ok(Expected {
            dialect,
            profile,
            answer,
        })
    });
    expected.collect()
}

/// Returns the setup of a case as the steps that a tree is laid out with.
fn setup(case: &Value) -> Vec<Value> {
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let setup = case.get("setup");
    let member = |key| list(setup.and_then(|setup| setup.get(key))).into_iter();
    let folders = member("mkdir").map(|path| json!({"op": "mkdir", "path": path}));
    let files = member("write").map(
        |file| json!({"op": "write", "path": text(&file, "path"), "text": text(&file, "content")}),
    );
    let links = list(case.get("symlinks")).into_iter().map(|link| {
        json!({"op": "symlink", "path": text(&link, "path"), "target": text(&link, "target")})
    });
    folders.chain(files).chain(links).collect()
}

/// Notes a case of a harness that nobody describes.
fn unknown_harness(kind: &'static str, case: &str, harness: &str) -> Check {
    let mut differences = Vec::new();
    let expected = Value::String(harness.to_owned());
    compare::values("harness", &expected, &Value::Null, &mut differences);
    Check {
        kind,
        case: case.to_owned(),
        profile: "unknown",
        differences,
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the word that the cases have for a finding. Those about fields of a skill are called
/// as the cases call them.
fn code(diagnostic: &Diagnostic) -> &'static str {
    let code = diagnostic.code();
    match code {
        "yaml-syntax" | "yaml-value" | "limit-exceeded" => "yaml",
        "no-header" | "hidden-header" => "no-frontmatter",
        "unclosed-header" => "unclosed",
        "header-not-a-map" => "not-a-mapping",
        "invalid-encoding" => "crash:UnicodeDecodeError",
        "unknown-key" | "misspelled-key" => "unknown-fields",
        _ => code.strip_prefix("skill-").unwrap_or(code),
    }
}

/// Returns the words for what the harness itself says, each one once.
fn codes(diagnostics: &[Diagnostic]) -> Value {
    let said = diagnostics.iter().filter(|finding| finding.harness_says);
    let mut codes: Vec<&str> = said.map(code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
        .into_iter()
        .map(|code| Value::String(code.to_owned()))
        .collect()
}

/// Sorts a list that a case gives in no particular order.
fn sorted(list: &Value) -> Value {
    let mut items = list.as_array().cloned().unwrap_or_default();
    items.sort_by_key(Value::to_string);
    Value::Array(items)
}
