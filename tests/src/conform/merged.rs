//! Cases of whole trees in which a harness merges sources field by field.
//!
//! Beyond the common members such a case names the sources of each agent, the source of each
//! field, the built-in agents that are left and the complete list.

use agent_discovery::{Discovery, Entry, Inputs, Layer, Listed, State, StopKind, discover};
use agent_schema::dialect::SkipRule;
use agent_schema::{Dialect, Fate, FieldName, rules};
use serde_json::{Map, Value, json};

use super::parse::{failing_paths, failing_settings, sorted};
use super::tree::CaseTree;
use super::{Expectation, compare};

/// Returns whether a case has this format.
pub(super) fn fits(case: &Value) -> bool {
    let is_list = |key| case.get(key).is_some_and(Value::is_array);
    is_list("builtins") && is_list("order")
}

pub(super) fn check(
    dialect: &'static Dialect,
    tree: &CaseTree,
    expectation: &Expectation<'_>,
) -> Vec<compare::Difference> {
    let inputs = inputs(tree, expectation);
    let found = discover(tree.tree(), dialect, expectation.profile, &inputs);
    let view = View {
        tree,
        found: &found,
    };
    let mut out = Vec::new();
    let mut compare = |member: &str, actual: Value| {
        if let Some(expected) = expectation.get(member) {
            compare::values(member, expected, &actual, &mut out);
        }
    };
    compare("outcome", json!(view.outcome()));
    compare("builtins", view.builtins());
    compare("order", view.order());
    compare("failed", view.failed());
    if let Some(expected) = expectation.get("disabled") {
        let actual = sorted(&view.disabled());
        compare::values("disabled", &sorted(expected), &actual, &mut out);
    }
    view.check_error(expectation, &mut out);
    view.check_agents(expectation, &mut out);
    view.check_undefined(expectation, &mut out);
    view.check_unread(expectation, &mut out);
    out
}

fn inputs(tree: &CaseTree, expectation: &Expectation<'_>) -> Inputs {
    let folder = |key| tree.path(expectation.text(key).unwrap_or(key));
    let project = tree.path(expectation.text("cwd").unwrap_or("project"));
    let mut inputs = Inputs::new()
        .home(folder("home"))
        .project(project)
        .all_references();
    let root = tree.path("").to_string_lossy().into_owned();
    let variables = expectation.get("env").and_then(Value::as_object);
    for (name, value) in variables.into_iter().flatten() {
        let value = value.as_str().unwrap_or_default();
        inputs = inputs.variable(name, value.replace("$ROOT/", &root));
    }
    inputs
}

/// What was found, in the words of the cases.
struct View<'a> {
    tree: &'a CaseTree,
    found: &'a Discovery,
}

impl View<'_> {
    fn outcome(&self) -> &'static str {
        match self.found.stop.as_ref().map(|stop| stop.kind) {
            None => "loaded",
            Some(StopKind::Refuses) => "rejected",
            Some(StopKind::Raises) => "raises",
            Some(StopKind::Hangs) => "hang",
        }
    }

    fn came_back(&self) -> bool {
        self.found.stop.is_none()
    }

    /// The built-in agents that are listed, changed or not.
    fn builtins(&self) -> Value {
        let builtins = self.found.profile.rules.agents.builtins;
        let listing = self.found.listing();
        let mut names: Vec<&str> = builtins
            .iter()
            .map(|builtin| builtin.name)
            .filter(|name| {
                listing.iter().any(|agent| match agent {
                    Listed::Builtin(builtin) => builtin.name == *name,
                    Listed::Entry(entry) => entry.name() == Some(name),
                })
            })
            .collect();
        names.sort_unstable();
        if self.came_back() {
            json!(names)
        } else {
            json!([])
        }
    }

    fn order(&self) -> Value {
        let names: Vec<&str> = self
            .found
            .listing()
            .iter()
            .map(Listed::shown_name)
            .collect();
        if self.came_back() {
            json!(names)
        } else {
            json!([])
        }
    }

    /// The files of which something could not be read.
    fn failed(&self) -> Value {
        let mut files: Vec<String> = Vec::new();
        for entry in &self.found.entries {
            let broken = State::Ignored(SkipRule::BrokenHeader);
            let file = self.tree.relative(&entry.source.reported);
            // Of a file that holds several entries one can be left out alone.
            let alone = entry.source.inside.is_some() && entry.fate() != Some(Fate::Fatal);
            let unread = entry.state == State::Rejected && !alone || entry.state == broken;
            if unread && !files.contains(&file) {
                files.push(file);
            }
        }
        json!(files)
    }

    fn disabled(&self) -> Value {
        let disabled = State::Ignored(SkipRule::Disabled);
        let entries = self.found.entries.iter();
        entries
            .filter(|entry| entry.state == disabled)
            .map(|entry| json!(entry.name()))
            .collect()
    }

    fn check_error(&self, expectation: &Expectation<'_>, out: &mut Vec<compare::Difference>) {
        let (Some(error), Some(stop)) = (expectation.get("error"), &self.found.stop) else {
            return;
        };
        let kind = match *stop.diagnostic.rule == rules::JSON_SYNTAX {
            true => "ConfigJsonError",
            false => "ConfigInvalidError",
        };
        if let Some(expected) = error.get("kind") {
            compare::values("error.kind", expected, &json!(kind), out);
        }
        if let Some(fields) = failing_paths(expectation) {
            let said = self.found.entries.iter();
            let said: Vec<_> = said.flat_map(|entry| entry.diagnostics.clone()).collect();
            let actual = sorted(&failing_settings(&said));
            compare::values("error.fields", &sorted(fields), &actual, out);
        }
    }

    /// Compares the agents that come from the case. Where the harness leaves the winner open, the
    /// case records the one that was seen, and ours must be among those in question.
    fn check_agents(&self, expectation: &Expectation<'_>, out: &mut Vec<compare::Difference>) {
        let expected = expectation.get("agents").and_then(Value::as_array);
        let expected = expected.map_or(&[][..], Vec::as_slice);
        let listed: Vec<&Entry> = self
            .found
            .listing()
            .into_iter()
            .filter_map(|agent| match agent {
                Listed::Entry(entry) if self.came_back() => Some(entry),
                _ => None,
            })
            .collect();
        let names = |entries: &[&Entry]| -> Value {
            let names = entries
                .iter()
                .map(|entry| json!(Listed::Entry(entry).shown_name()));
            names.collect()
        };
        let expected_names: Value = expected.iter().map(|agent| agent["name"].clone()).collect();
        compare::values("agents", &expected_names, &names(&listed), out);
        for (agent, entry) in expected.iter().zip(&listed) {
            let from = agent["from"].as_str().unwrap_or_default();
            let name = entry.name();
            let entry = self
                .contenders(name.unwrap_or_default())
                .find(|entry| self.tree.relative(&entry.source.reported) == from)
                .unwrap_or(entry);
            let at = format!("agents.{}", agent["name"].as_str().unwrap_or_default());
            compare::values(&at, agent, &self.agent(agent, entry), out);
        }
    }

    /// The entries that answer to a name, or may do so.
    fn contenders(&self, name: &str) -> impl Iterator<Item = &Entry> {
        let entries = self.found.entries.iter();
        entries.filter(move |entry| {
            entry.name() == Some(name)
                && matches!(entry.state, State::Active | State::Undefined { .. })
        })
    }

    /// Writes an agent with the members that the case names.
    fn agent(&self, expected: &Value, entry: &Entry) -> Value {
        let mut agent = Map::new();
        for (member, expected) in expected.as_object().into_iter().flatten() {
            let actual = match member.as_str() {
                "name" => json!(Listed::Entry(entry).shown_name()),
                "key" => json!(entry.name()),
                "from" => json!(self.tree.relative(&entry.source.reported)),
                "level" => json!(entry.source.level.as_str()),
                "sources" => self.sources(entry),
                "field_from" => self.field_sources(expected, entry),
                "definition" => serde_json::to_value(entry.definition()).unwrap_or_default(),
                _ => Value::Null,
            };
            agent.insert(member.clone(), actual);
        }
        Value::Object(agent)
    }

    fn source(&self, layer: Layer) -> String {
        match layer {
            Layer::Builtin => "builtin".to_owned(),
            Layer::Entry(index) => self
                .tree
                .relative(&self.found.entries[index].source.reported),
        }
    }

    /// The files of an agent; one that gives several entries counts once.
    fn sources(&self, entry: &Entry) -> Value {
        let layers = entry.merged.iter().flat_map(|merged| &merged.layers);
        let mut sources: Vec<String> = layers.map(|layer| self.source(*layer)).collect();
        sources.dedup();
        json!(sources)
    }

    /// The sources of the fields that the case names, and of those that it would name: fields
    /// with one value each.
    fn field_sources(&self, expected: &Value, entry: &Entry) -> Value {
        const NAMED: [&str; 7] = [
            "description",
            "prompt",
            "model",
            "variant",
            "temperature",
            "top_p",
            "color",
        ];
        let mut sources = Map::new();
        let Some(merged) = &entry.merged else {
            return Value::Null;
        };
        for (field, layer) in merged.given_by.iter() {
            let field = field.as_str();
            if NAMED.contains(&field) || expected.get(field).is_some() {
                sources.insert(field.to_owned(), json!(self.source(merged.layers[layer])));
            }
        }
        Value::Object(sources)
    }

    /// Compares the names whose winner the harness leaves open, and who could be it.
    fn check_undefined(&self, expectation: &Expectation<'_>, out: &mut Vec<compare::Difference>) {
        let groups = self.found.undefined();
        let names: Value = groups.iter().map(|group| json!(name_of(group))).collect();
        let none = json!([]);
        let expected = expectation.get("order_dependent").unwrap_or(&none);
        compare::values("order_dependent", &sorted(expected), &sorted(&names), out);
        let rows = expectation.get("shadowed").and_then(Value::as_array);
        for row in rows.into_iter().flatten() {
            let among = |file: &Value| {
                groups
                    .iter()
                    .filter(|group| name_of(group) == row["name"].as_str())
                    .any(|group| {
                        let mut files = group.iter().map(|entry| &entry.source.reported);
                        files.any(|reported| json!(self.tree.relative(reported)) == *file)
                    })
            };
            let both = among(&row["from"]) && among(&row["by"]);
            compare::values("shadowed", &json!(true), &json!(both), out);
        }
    }

    /// Checks that nothing comes from the files that the harness does not read.
    fn check_unread(&self, expectation: &Expectation<'_>, out: &mut Vec<compare::Difference>) {
        let unread = expectation.get("ignored").and_then(Value::as_array);
        for file in unread.into_iter().flatten().filter_map(Value::as_str) {
            let loads = self.found.entries.iter().any(|entry| {
                self.tree.relative(&entry.source.reported) == file
                    && entry
                        .definition()
                        .is_some_and(|it| it.field(FieldName::NAME).is_some())
                    && !matches!(entry.state, State::Ignored(_) | State::Rejected)
            });
            compare::values(
                &format!("ignored.{file}"),
                &json!(false),
                &json!(loads),
                out,
            );
        }
    }
}

/// Returns the name that some entries want.
fn name_of<'e>(group: &[&'e Entry]) -> Option<&'e str> {
    group.first()?.name()
}
