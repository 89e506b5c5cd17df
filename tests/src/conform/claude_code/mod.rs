//! What the cases of Claude Code add: where a file lies, the kinds of lines in the log, and how the
//! program is started on a tree.

mod tree_cases;

use agent_factory::{Blueprint, ModelSet, Parent, SkillSet, Start, ToolSet, Toolset, roster_tools};
use agent_schema::dialect::SkipRule;
use agent_schema::dialects;
use agent_schema::tool_rules::ToolRules;
use agent_schema::{
    Definition, Diagnostic, Dialect, FieldName, File, ParseInputs, Parsed, Profile, rules,
};
use serde_json::{Value, json};

use super::compare::{self, Difference};
use super::versions::Expectation;

pub(super) use tree_cases::{check_tree, fits, setup};

/// Parses a file as one of a plugin, if the scope says so.
pub(super) fn parse_in_scope(
    file: File<'_>,
    dialect: &'static Dialect,
    profile: &'static Profile,
    scope: Option<&str>,
) -> Parsed {
    let Some(plugin) = scope.and_then(|scope| scope.strip_prefix("plugin ")) else {
        return agent_schema::parse(file, dialect, profile);
    };
    let plugins = &profile.rules.plugins;
    let reading = plugins.reading.unwrap_or(&profile.rules.reading);
    let inputs = ParseInputs::new().plugin(plugin);
    let stem = plugins.files.stem(file.name);
    agent_schema::parse::parse_accepted(file, stem, dialect, reading, &inputs)
}

/// Parses a file as a skill: it has to lie in a folder of its own, one level deep.
pub(super) fn parse_skill(
    file: File<'_>,
    dialect: &'static Dialect,
    profile: &'static Profile,
) -> Parsed {
    let place = file.name.split_once('/');
    let (Some((folder, name)), Some(skill)) = (place, profile.rules.skills.reading) else {
        return Parsed::ignored(SkipRule::Folder);
    };
    if name != skill.file {
        return Parsed::ignored(SkipRule::SkippedName);
    }
    let inputs = ParseInputs::new().folder(folder);
    let file = File {
        name,
        bytes: file.bytes,
    };
    agent_schema::parse::parse_accepted(file, folder, dialect, skill.rules, &inputs)
}

/// Compares what a case says about the use of a skill with the fields that its reading gives.
pub(super) fn compare_skill(
    expectation: &Expectation<'_>,
    parsed: &Parsed,
    out: &mut Vec<Difference>,
) {
    let Some(definition) = parsed.outcome.definition() else {
        return;
    };
    let fields = serde_json::to_value(definition).unwrap_or(Value::Null);
    for member in ["model_roster", "slash_command", "in_init_skills"] {
        if let (Some(expected), Some(actual)) = (expectation.get(member), fields.get(member)) {
            compare::values(member, expected, actual, out);
        }
    }
}

/// Compares what an agent gets when it runs, where the case says so.
pub(super) fn compare_resolved(
    expectation: &Expectation<'_>,
    parsed: &Parsed,
    out: &mut Vec<Difference>,
) {
    let factory = &expectation.profile.rules.factory;
    let (Some(definition), Some(tools)) = (parsed.outcome.definition(), factory.tools) else {
        return;
    };
    if let Some(expected) = expectation.get("roster_tools") {
        let actual = Value::String(roster_tools(definition, tools));
        compare::values("roster_tools", expected, &actual, out);
    }
    if let Some(expected) = expectation.get("effective_main_tools") {
        let actual = main_tools(expectation, definition, tools);
        compare::values("effective_main_tools", &sorted(expected), &actual, out);
    }
    let model = expectation.get("effective_main_model");
    if let (Some(expected), Some(words)) = (model, factory.model_words) {
        let actual = json!(words.model(definition.model()));
        compare::values("effective_main_model", expected, &actual, out);
    }
}

/// Starts an agent as the main one and returns its tools, as the cases write them.
fn main_tools(expectation: &Expectation<'_>, definition: &Definition, rules: &ToolRules) -> Value {
    let exist = ToolSet::from_iter(rules.default.iter().chain(rules.further).copied());
    let dialect = &dialects::CLAUDE_CODE;
    let blueprint = Blueprint::new(definition, &SkillSet::new(), dialect, expectation.profile);
    let (parent, models) = (Parent::unknown(), ModelSet::new());
    let start = Start::new(&parent, &exist, &models).as_main();
    let config = match blueprint.and_then(|blueprint| blueprint.start(&start)) {
        Ok(config) => config,
        Err(error) => return json!(error.to_string()),
    };
    match &config.tools.value {
        Toolset::Everything { without } => {
            let mut without: Vec<&str> = without.iter().map(|tool| tool.value.as_str()).collect();
            without.retain(|tool| rules.default.contains(tool));
            without.sort_unstable();
            without.dedup();
            match without.is_empty() {
                true => json!("default"),
                false => json!({ "default_minus": without }),
            }
        }
        listed => sorted(&json!(listed.among(&exist))),
    }
}

fn sorted(value: &Value) -> Value {
    let Some(items) = value.as_array() else {
        return value.clone();
    };
    let mut items = items.clone();
    items.sort_by_key(ToString::to_string);
    Value::Array(items)
}

/// Compares the kinds of lines in the log, if the case has them.
pub(super) fn compare_log(
    expectation: &Expectation<'_>,
    parsed: &Parsed,
    out: &mut Vec<Difference>,
) {
    let Some(expected) = expectation.get("log").and_then(Value::as_array) else {
        return;
    };
    let said = parsed
        .diagnostics
        .iter()
        .filter(|finding| finding.harness_says);
    let mut words: Vec<String> = said.map(log_word).collect();
    words.sort();
    words.dedup();
    let mut expected = expected.clone();
    expected.sort_by_key(ToString::to_string);
    let words = words.into_iter().map(Value::String).collect();
    compare::values("log", &Value::Array(expected), &Value::Array(words), out);
}

/// Returns the case's word for a line in the log.
fn log_word(finding: &Diagnostic) -> String {
    let code = finding.code();
    let has = |rule: &agent_schema::rules::Rule| code == rule.code;
    match finding.field {
        _ if has(&rules::UNKNOWN_KEY)
            || has(&rules::MISSPELLED_KEY)
            || has(&rules::KEY_NOT_TEXT) =>
        {
            "unknown-key".to_owned()
        }
        _ if has(&rules::NAME_HAS_COLON) => "name-contains-colon".to_owned(),
        _ if has(&rules::NAME_STARTS_WITH_HYPHEN) => code.to_owned(),
        _ if has(&rules::NAME_TOO_LONG) => code.to_owned(),
        Some(FieldName::NAME) => "name-missing".to_owned(),
        Some(FieldName::DESCRIPTION) => "description-missing".to_owned(),
        Some(field) if has(&rules::FIELD_OF_PLUGIN) => format!("plugin-ignores-{}", key(field)),
        Some(FieldName::HOOKS) => "unknown-error".to_owned(),
        Some(field) => format!("invalid-{}", key(field)),
        None => "yaml-error".to_owned(),
    }
}

/// Returns the key that sets a field.
fn key(field: FieldName) -> &'static str {
    match field {
        FieldName::PERMISSION_MODE => "permissionMode",
        FieldName::MAX_TURNS => "maxTurns",
        FieldName::MCP_SERVERS => "mcpServers",
        other => other.as_str(),
    }
}
