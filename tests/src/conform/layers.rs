//! Cases of searches of layers, over a workspace, a working directory and the folder of a user.
//!
//! Such a case names the search that is called. Where it tells what an agent id starts (`spawn`),
//! the agents of a program (`builder`) and the built-in ones take part. The order in which files
//! fail or are passed over is not compared: the harness does not tell it.

use std::collections::BTreeSet;

use agent_builtins::{Browser, builtins};
use agent_discovery::{Discovery, Inputs, State, discover};
use agent_registry::{Contender, Registration, Registry, Verdict, admit_all};
use agent_schema::dialect::SkipRule;
use agent_schema::{Definition, Dialect, FieldName, FieldValue, Level, Located};
use serde_json::{Map, Value, json};

use super::tree::CaseTree;
use super::{Expectation, compare};

/// The word of such cases for the usual search.
const USUAL: &str = "default";

pub(super) fn check(
    dialect: &'static Dialect,
    tree: &CaseTree,
    expectation: &Expectation<'_>,
) -> Vec<compare::Difference> {
    let mut out = Vec::new();
    let inputs = inputs(tree, expectation);
    let found = discover(tree.tree(), dialect, expectation.profile, &inputs);
    let view = View { tree, expectation };
    view.compare("warns", json!(warns(&found)), &mut out);
    view.compare_files("failed", view.failed(&found), &mut out);
    view.check_ignored(&found, &mut out);
    if expectation.get("spawn").is_none() {
        view.compare("agents", view.listed(&found), &mut out);
        view.compare("shadowed", view.shadowed_files(&found), &mut out);
        return out;
    }
    let registry = view.register(found, dialect);
    view.compare("agents", view.agents(&registry), &mut out);
    view.compare("spawn", view.spawn(&registry), &mut out);
    view.compare("llm_listed", told(&registry), &mut out);
    view.compare("shadowed", view.shadowed(&registry), &mut out);
    out
}

fn inputs(tree: &CaseTree, expectation: &Expectation<'_>) -> Inputs {
    let mut inputs = Inputs::new();
    if let Some(project) = expectation.text("cwd") {
        inputs = inputs.project(tree.path(project));
    }
    if let Some(workspace) = expectation.text("workspace") {
        inputs = inputs.workspace(tree.path(workspace));
    }
    if let Some(user) = expectation.text("user") {
        inputs = inputs.user(user);
    }
    if let Some(session) = expectation.text("session") {
        inputs = inputs.session(session);
    }
    if let Some(search) = expectation.text("call").filter(|call| *call != USUAL) {
        inputs = inputs.search(search);
    }
    let shipped = expectation.profile.rules.agents.builtins.iter();
    let shipped = shipped.map(|builtin| builtin.name);
    for name in builder(expectation).chain(shipped) {
        inputs = inputs.taken(name);
    }
    inputs
}

/// The names of the agents that a program brings.
fn builder<'a>(expectation: &'a Expectation<'_>) -> impl Iterator<Item = &'a str> {
    let names = expectation.get("builder").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

fn warns(found: &Discovery) -> bool {
    let mut findings = found.entries.iter().flat_map(|entry| &entry.diagnostics);
    findings.any(|finding| finding.harness_says)
}

fn told(registry: &Registry) -> Value {
    let roster = registry.roster();
    let told = roster.iter().filter(|row| row.told);
    told.map(|row| json!(row.name)).collect()
}

struct View<'a> {
    tree: &'a CaseTree,
    expectation: &'a Expectation<'a>,
}

impl View<'_> {
    fn compare(&self, member: &str, actual: Value, out: &mut Vec<compare::Difference>) {
        if let Some(expected) = self.expectation.get(member) {
            compare::values(member, expected, &actual, out);
        }
    }

    fn compare_files(
        &self,
        member: &str,
        actual: BTreeSet<String>,
        out: &mut Vec<compare::Difference>,
    ) {
        let expected = self.files(member);
        compare::values(member, &json!(expected), &json!(actual), out);
    }

    /// The files that a member of the case lists.
    fn files(&self, member: &str) -> BTreeSet<String> {
        let files = self.expectation.get(member).and_then(Value::as_array);
        let files = files.into_iter().flatten().filter_map(Value::as_str);
        files.map(str::to_owned).collect()
    }

    fn failed(&self, found: &Discovery) -> BTreeSet<String> {
        let failed = found.entries.iter();
        let failed = failed.filter(|entry| entry.state == State::Rejected);
        failed
            .map(|entry| self.tree.relative(&entry.source.reported))
            .collect()
    }

    /// Every file that the harness passes over is passed over here, or lies where nothing is
    /// searched; and no other file is passed over here.
    fn check_ignored(&self, found: &Discovery, out: &mut Vec<compare::Difference>) {
        let expected = self.files("ignored");
        for entry in &found.entries {
            let path = self.tree.relative(&entry.source.reported);
            let is_folder = is_ignored_as(entry.state, SkipRule::Folder);
            // Who has the name is compared with those that lost theirs.
            let is_taken = is_ignored_as(entry.state, SkipRule::NameTaken);
            let is_ignored = matches!(entry.state, State::Ignored(_));
            if is_ignored != expected.contains(&path) && !is_folder && !is_taken {
                let state = format!("{:?}", entry.state);
                let at = format!("ignored.{path}");
                let told = json!(expected.contains(&path));
                compare::values(&at, &told, &json!(state), out);
            }
        }
    }

    fn listed(&self, found: &Discovery) -> Value {
        let rows = found.listed().map(|entry| {
            json!({
                "name": entry.name(),
                "from": self.tree.relative(&entry.source.reported),
                "level": entry.source.level.as_str(),
            })
        });
        rows.collect()
    }

    fn shadowed_files(&self, found: &Discovery) -> Value {
        let rows = found.entries.iter().filter_map(|entry| match entry.state {
            State::Shadowed { by, .. } => Some(json!({
                "name": entry.name(),
                "from": self.tree.relative(&entry.source.reported),
                "by": self.tree.relative(&found.entries[by].source.reported),
            })),
            _ => None,
        });
        rows.collect()
    }

    /// Registers the strongest source first: the files, then the agents of the program.
    fn register(&self, found: Discovery, dialect: &'static Dialect) -> Registry {
        let profile = self.expectation.profile;
        let mut registration = Registration::new(dialect, profile);
        // Everything is admitted, so that registration cannot end early.
        let _ = registration.register_files(found, admit_all);
        for name in builder(self.expectation) {
            let mut definition = Definition::new(profile.rules.reading.shown);
            let text = FieldValue::text(name.to_owned());
            definition.set(FieldName::NAME, Located::implied(text));
            registration.register_if_absent(name, definition);
        }
        registration.with_builtins(builtins(dialect, profile, Browser::Available))
    }

    fn agents(&self, registry: &Registry) -> Value {
        let roster = registry.roster();
        let rows = roster.iter().map(|row| {
            let file = &row.contender.source.path;
            let from = file.as_ref().map(|_| self.from(row.contender));
            json!({
                "name": row.name,
                "from": from,
                "level": level(row.contender.source.level),
            })
        });
        rows.collect()
    }

    fn spawn(&self, registry: &Registry) -> Value {
        let rows = registry.active();
        let rows = rows.map(|(name, contender)| (name.to_owned(), json!(self.from(contender))));
        Value::Object(rows.collect::<Map<_, _>>())
    }

    fn shadowed(&self, registry: &Registry) -> Value {
        let rows = registry.contenders().iter().filter_map(|contender| {
            let Verdict::Shadowed { by, .. } = contender.verdict else {
                return None;
            };
            Some(json!({
                "name": contender.name,
                "from": self.from(contender),
                "by": self.from(registry.contender(by)),
                "still_listed": registry.is_still_listed(contender),
            }))
        });
        rows.collect()
    }

    /// Names a source as the cases do.
    fn from(&self, contender: &Contender) -> String {
        match contender.source.path {
            Some(_) => self.tree.relative(&contender.source.reported),
            None => level(contender.source.level).to_owned(),
        }
    }
}

/// The cases call what a program brings a builder's.
fn level(level: Level) -> &'static str {
    match level {
        Level::Programmatic => "builder",
        level => level.as_str(),
    }
}

fn is_ignored_as(state: State, rule: SkipRule) -> bool {
    state == State::Ignored(rule)
}
