//! Cases of registries and factories: a row of operations, each with its result.
//!
//! The harness has one registry for the whole process and registers its built-in agents whenever
//! it likes. Here built-in agents can only come last; a case that registers them earlier is
//! replayed as what it is in the harness: programmatic registrations of whatever is absent.
//!
//! Two things of the harness are not compared. It forgets the level of everything but built-in
//! agents, and it does not name what its messages leave out; we keep both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agent_builtins::{Browser, builtins};
use agent_discovery::{Discovery, Inputs, Skills, discover, discover_plugin, discover_skills};
use agent_registry::{Aborted, Contender, Found, Registration, Registry, UnknownAgent, admit_all};
use agent_schema::{
    Definition, Diagnostic, Dialect, FieldName, FieldValue, Located, Name, Profile, rules,
};
use serde_json::{Value, json};

use super::factory::Workshop;
use super::tree::CaseTree;
use super::{CaseError, Check, Expectation, Report, compare, expectations, file_stem};

pub(super) fn run(
    dialect: &'static Dialect,
    kind: &'static str,
    dir: &Path,
    report: &mut Report,
) -> Result<(), CaseError> {
    for path in super::list(dir)? {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case = super::read_json(&path)?;
        let stored = case.get("tree").and_then(Value::as_str);
        let stored = stored.map(|name| dir.join(name));
        let setup = case.get("setup").and_then(Value::as_array);
        for expectation in expectations(dialect, &case) {
            let tree = CaseTree::lay_out(stored.as_deref(), setup.map_or(&[], Vec::as_slice))?;
            report.checks.push(Check {
                kind,
                case: file_stem(&path),
                profile: expectation.profile.id,
                differences: check(dialect, &tree, &expectation),
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
    let mut out = Vec::new();
    let mut replay = Replay {
        dialect,
        profile: expectation.profile,
        tree,
        registration: Registration::new(dialect, expectation.profile),
        tags: BTreeMap::new(),
        paths: BTreeMap::new(),
        workshop: Workshop::new(dialect, expectation.profile),
    };
    let empty = Vec::new();
    let rows = |key| expectation.get(key).and_then(Value::as_array);
    let ops = rows("ops").unwrap_or(&empty);
    let expected = rows("expect").unwrap_or(&empty);
    for (index, (op, expected)) in ops.iter().zip(expected).enumerate() {
        let actual = replay.run(op);
        compare_row(
            &format!("{index}:{}", text(op, "op")),
            expected,
            &actual,
            &mut out,
        );
    }
    out
}

/// What an operation gave.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) result: Value,
    /// The facts of an error: its kind and the names in it.
    pub(super) error: Option<Value>,
    /// The files that were warned about.
    pub(super) warnings: Vec<String>,
    pub(super) deprecated: bool,
}

impl Row {
    pub(super) fn ok(result: Value) -> Self {
        Row {
            result,
            ..Row::default()
        }
    }

    pub(super) fn failed(error: Value) -> Self {
        Row {
            error: Some(error),
            ..Row::default()
        }
    }
}

fn compare_row(at: &str, expected: &Value, actual: &Row, out: &mut Vec<compare::Difference>) {
    match (expected.get("error"), &actual.error) {
        (Some(expected), actual) => {
            let actual = actual.clone().unwrap_or_else(|| json!({}));
            for (key, value) in expected.as_object().into_iter().flatten() {
                // The harness's exception types are its own, and a null is a name that its
                // message leaves out.
                if key != "type" && !value.is_null() {
                    let ours = actual.get(key).cloned().unwrap_or_default();
                    compare::values(&format!("{at}.error.{key}"), value, &ours, out);
                }
            }
        }
        (None, Some(error)) => compare::values(&format!("{at}.error"), &Value::Null, error, out),
        (None, None) => {
            let expected = expected.get("result").unwrap_or(&Value::Null);
            let mut ours = actual.result.clone();
            forget_levels(expected, &mut ours);
            compare::values(at, expected, &ours, out);
        }
    }
    let deprecated = expected.get("deprecated_alias") == Some(&Value::Bool(true));
    compare::values(
        &format!("{at}.deprecated_alias"),
        &json!(deprecated),
        &json!(actual.deprecated),
        out,
    );
    let warned = expected.get("warnings").and_then(Value::as_array);
    let warned: Vec<&str> = warned
        .into_iter()
        .flatten()
        .map(|warning| text(warning, "path"))
        .collect();
    // A warning of the harness may name the folder of a plugin where ours names the file in it.
    let same = warned.len() == actual.warnings.len()
        && warned
            .iter()
            .zip(&actual.warnings)
            .all(|(theirs, ours)| Path::new(ours).starts_with(theirs));
    if !same {
        compare::values(
            &format!("{at}.warnings"),
            &json!(warned),
            &json!(actual.warnings),
            out,
        );
    }
}

/// Takes our level out where the harness says null.
fn forget_levels(expected: &Value, ours: &mut Value) {
    match (expected, ours) {
        (Value::Array(expected), Value::Array(ours)) => {
            for (expected, ours) in expected.iter().zip(ours) {
                forget_levels(expected, ours);
            }
        }
        (Value::Object(expected), Value::Object(ours)) => {
            if expected.get("level") == Some(&Value::Null) {
                ours.insert("level".to_owned(), Value::Null);
            }
            // Built-in agents have texts of their own.
            if expected.get("description").and_then(Value::as_str) == Some("(built-in text)") {
                ours.insert("description".to_owned(), json!("(built-in text)"));
            }
        }
        _ => {}
    }
}

/// The state of a case while its operations run.
struct Replay<'a> {
    dialect: &'static Dialect,
    profile: &'static Profile,
    tree: &'a CaseTree,
    registration: Registration,
    /// The tags of programmatic registrations, by the name under which they won.
    tags: BTreeMap<String, String>,
    /// Where built-in agents come from, by name.
    paths: BTreeMap<String, String>,
    workshop: Workshop,
}

impl Replay<'_> {
    fn run(&mut self, op: &Value) -> Row {
        match text(op, "op") {
            "register" => self.register(op),
            "register_if_absent" => {
                let (name, definition) = self.definition(op);
                Row::ok(json!(
                    self.registration.register_if_absent(&name, definition)
                ))
            }
            "register_plugin" => self.register_plugins(op),
            "plugin_load" => self.plugin_load(op),
            "register_files" => {
                let work_dir = self.tree.path(text(op, "work_dir"));
                let inputs = self.inputs().project(&work_dir);
                let found = discover(self.tree.tree(), self.dialect, self.profile, &inputs);
                let skills = self.skills(Some(&work_dir));
                self.register_found(vec![found], &skills)
            }
            "register_builtins" => self.register_builtins(op),
            "discover_builtins" => {
                let builtins = builtins(self.dialect, self.profile, browser(op));
                let rows = builtins.definitions().map(|(file, definition)| {
                    json!({"name": definition.name(), "level": "builtin", "file": file})
                });
                Row::ok(rows.collect())
            }
            "get" => self.get(op),
            "list" => {
                let registry = self.registry();
                let rows = registry
                    .active()
                    .map(|(_, contender)| self.listed(contender));
                Row::ok(rows.collect())
            }
            "info" => {
                let info = self.registry().describe();
                Row::ok(match info.as_str() {
                    "" => json!({"empty": true}),
                    info => json!(info),
                })
            }
            "instantiate" if !self.workshop.has(text(op, "agent")) => {
                self.instantiate_registered(op)
            }
            "skills" => {
                let work_dir = work_dir(op).map(|dir| self.tree.path(dir));
                let skills = self.skills(work_dir.as_deref());
                let rows = skills.active().map(|found| {
                    let from = self.tree.relative(&found.skill.reported);
                    (found.skill.name.clone(), json!(from))
                });
                Row {
                    result: Value::Object(rows.collect()),
                    warnings: self.skill_warnings(&skills),
                    ..Row::default()
                }
            }
            "factory" => {
                let work_dir = work_dir(op).map(|dir| self.tree.path(dir));
                let skills = self.skills(work_dir.as_deref());
                let warnings = self.skill_warnings(&skills);
                let row = self.workshop.factory(text(op, "agent"), &skills);
                Row { warnings, ..row }
            }
            _ => self.workshop.run(op, self.tree),
        }
    }

    fn inputs(&self) -> Inputs {
        Inputs::new().home(self.tree.path("home"))
    }

    fn skills(&self, work_dir: Option<&Path>) -> Skills {
        let inputs = match work_dir {
            Some(work_dir) => self.inputs().project(work_dir),
            None => self.inputs(),
        };
        discover_skills(self.tree.tree(), self.dialect, self.profile, &inputs)
    }

    fn skill_warnings(&self, skills: &Skills) -> Vec<String> {
        let paths = skills.warnings.iter().map(|warning| &warning.path);
        paths
            .map(|path| self.tree.relative(&path.to_string_lossy()))
            .collect()
    }

    fn registry(&self) -> Registry {
        self.registration.clone().without_builtins()
    }

    /// Builds the definition of a programmatic registration, and the name to register it under.
    fn definition(&self, op: &Value) -> (String, Definition) {
        let name = text(op, "name");
        let given = op.get("definition").unwrap_or(op);
        let mut definition = Definition::new(self.profile.rules.reading.shown);
        let mut set = |field, value| definition.set(field, Located::implied(value));
        set(
            FieldName::NAME,
            FieldValue::text(text(given, "name").to_owned()),
        );
        set(
            FieldName::DESCRIPTION,
            FieldValue::text(text(given, "description").to_owned()),
        );
        for (key, field) in [("tools", FieldName::TOOLS), ("skills", FieldName::SKILLS)] {
            let names = given.get(key).and_then(Value::as_array);
            let names = names.into_iter().flatten().filter_map(Value::as_str);
            let names = names.map(|name| Name {
                text: name.to_owned(),
                span: None,
            });
            set(field, FieldValue::Names(names.collect()));
        }
        (name.to_owned(), definition)
    }

    fn register(&mut self, op: &Value) -> Row {
        let (name, definition) = self.definition(op);
        match self.registration.register(&name, definition) {
            Ok(()) => {
                if let Some(tag) = op.get("tag").and_then(Value::as_str) {
                    self.tags.insert(name, tag.to_owned());
                }
                Row::ok(Value::Null)
            }
            Err(error) => Row::failed(json!({"kind": "duplicate-agent", "agent": error.name})),
        }
    }

    fn register_plugins(&mut self, op: &Value) -> Row {
        let work_dir = work_dir(op).map(|dir| self.tree.path(dir));
        let skills = self.skills(work_dir.as_deref());
        let found = self
            .plugin_dirs(op)
            .iter()
            .map(|dir| self.plugin(dir))
            .collect();
        self.register_found(found, &skills)
    }

    fn plugin_dirs(&self, op: &Value) -> Vec<PathBuf> {
        let dirs = op.get("plugin_dirs").and_then(Value::as_array);
        let dirs = dirs.into_iter().flatten().filter_map(Value::as_str);
        dirs.map(|dir| self.tree.path(dir)).collect()
    }

    fn plugin(&self, dir: &Path) -> Discovery {
        discover_plugin(
            self.tree.tree(),
            self.dialect,
            self.profile,
            dir,
            &Inputs::new(),
        )
    }

    fn plugin_load(&self, op: &Value) -> Row {
        let mut registration = Registration::new(self.dialect, self.profile);
        let found = self.plugin(&self.tree.path(text(op, "dir")));
        let rejected = found
            .entries
            .iter()
            .filter(|entry| entry.diagnostics.iter().any(|finding| finding.harness_says));
        let warnings: Vec<String> = rejected
            .map(|entry| self.tree.relative(&entry.source.reported))
            .collect();
        let agents = found.active().map(|entry| {
            json!({
                "name": entry.name(),
                "from": self.tree.relative(&entry.source.reported),
                "level": Value::Null,
            })
        });
        let agents: Value = agents.collect();
        // Loading a plugin registers nothing; registering it must not fail either.
        let _ = registration.register_plugin(found, admit_all);
        Row {
            result: agents,
            warnings,
            ..Row::default()
        }
    }

    fn register_found(&mut self, found: Vec<Discovery>, skills: &Skills) -> Row {
        let known = |definition: &Definition| match missing_skill(definition, skills) {
            None => Ok(()),
            Some(name) => Err(Box::new(Diagnostic::new(
                &rules::UNKNOWN_SKILL,
                name.to_owned(),
            ))),
        };
        let before = self.registration.contenders().len();
        let mut names = Vec::new();
        for discovery in found {
            match self.registration.register_plugin(discovery, known) {
                Ok(added) => names.extend(added.iter().map(|id| {
                    let contender = self.registration.contender(*id);
                    contender.name.clone()
                })),
                Err(error) => return Row::failed(aborted(&error)),
            }
        }
        let refused = self.registration.contenders()[before..]
            .iter()
            .filter(|contender| contender.verdict == agent_registry::Verdict::Refused);
        Row {
            result: json!(names),
            warnings: refused
                .map(|contender| self.tree.relative(&contender.source.reported))
                .collect(),
            ..Row::default()
        }
    }

    fn register_builtins(&mut self, op: &Value) -> Row {
        let builtins = builtins(self.dialect, self.profile, browser(op));
        let mut names = Vec::new();
        for (file, definition) in builtins.definitions() {
            let name = definition.name();
            if self
                .registration
                .register_if_absent(name, definition.clone())
            {
                self.paths
                    .insert(name.to_owned(), format!("builtin:{file}"));
                names.push(name.to_owned());
            }
        }
        Row::ok(json!(names))
    }

    fn get(&self, op: &Value) -> Row {
        let registry = self.registry();
        match registry.get(op.get("name").and_then(Value::as_str)) {
            Ok(found) => {
                let mut result = self.listed(found.contender);
                result["description"] = json!(found.definition().description());
                if op.get("tag").is_some() {
                    result["tag"] = json!(self.tags.get(text(op, "name")));
                }
                Row {
                    result,
                    deprecated: deprecated(&found),
                    ..Row::default()
                }
            }
            Err(error) => unknown(&error),
        }
    }

    fn listed(&self, contender: &Contender) -> Value {
        let name = contender
            .definition
            .as_ref()
            .map(|definition| definition.name());
        let builtin = self.paths.get(&contender.name);
        let from = match builtin {
            Some(path) => json!(path),
            None if contender.source.path.is_none() => Value::Null,
            None => json!(self.tree.relative(&contender.source.reported)),
        };
        let level = match builtin {
            Some(_) => "builtin",
            None => contender.source.level.as_str(),
        };
        json!({"name": name, "from": from, "level": level})
    }

    /// Makes an agent of a registered definition, as a call by name does.
    fn instantiate_registered(&mut self, op: &Value) -> Row {
        let registry = self.registry();
        let name = text(op, "agent");
        let Ok(found) = registry.get(Some(name)) else {
            return Row::ok(Value::Null);
        };
        let skills = self.skills(None);
        self.workshop.define(name, found.definition().clone());
        let created = self.workshop.factory(name, &skills);
        if created.error.is_some() {
            return created;
        }
        self.workshop.run(op, self.tree)
    }
}

fn missing_skill<'a>(definition: &'a Definition, skills: &Skills) -> Option<&'a str> {
    let names = definition.skills().iter().map(|skill| skill.text.as_str());
    names.into_iter().find(|name| skills.get(name).is_none())
}

fn aborted(error: &Aborted) -> Value {
    json!({
        "kind": "unknown-skill",
        "skill": error.diagnostic.message,
        "agent": error.name,
    })
}

fn unknown(error: &UnknownAgent) -> Row {
    Row {
        error: Some(json!({
            "kind": "unknown-agent",
            "agent": error.asked,
            "available": error.available,
        })),
        deprecated: error.stands_for.is_some(),
        ..Row::default()
    }
}

fn deprecated(found: &Found<'_>) -> bool {
    found.deprecated.is_some()
}

fn browser(op: &Value) -> Browser {
    match op.get("enable_browser") {
        Some(Value::Bool(false)) => Browser::Missing,
        _ => Browser::Available,
    }
}

fn work_dir(op: &Value) -> Option<&str> {
    op.get("work_dir").and_then(Value::as_str)
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
