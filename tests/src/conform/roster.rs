//! Cases of rosters: trees in which layers of one file give all agents.
//!
//! Beside who is there they tell, for each agent, the fields and where they come from, what the
//! checks of the roster find, what the team section of a prompt says, whom a message calls, and
//! how often a section is in a built prompt.

use agent_discovery::{
    Entry, Inputs, NamesFrom, Roster, RosterFinding, State, discover, discover_roster,
};
use agent_factory::{Author, Mention, NO_ROLE, Team, build_prompt};
use agent_registry::{Registration, Registry, admit_all};
use agent_schema::sections::{EXIT_RULES, YOUR_TEAM, sections};
use agent_schema::{Dialect, FieldName, ToolAccess};
use serde_json::{Map, Value, json};

use super::tree::CaseTree;
use super::{Expectation, compare};

/// Returns whether a case is about a roster.
pub(super) fn is_roster(case: &Expectation<'_>) -> bool {
    case.get("layers").is_some()
}

pub(super) fn check(
    dialect: &'static Dialect,
    tree: &CaseTree,
    expectation: &Expectation<'_>,
) -> Vec<compare::Difference> {
    let project = tree.path(expectation.text("cwd").unwrap_or("project"));
    let inputs = Inputs::new().project(project);
    let profile = expectation.profile;
    let mut out = Vec::new();
    let Some(roster) = discover_roster(tree.tree(), dialect, profile, &inputs) else {
        let (yes, no) = (json!("a roster"), json!("none"));
        compare::values("dialect", &yes, &no, &mut out);
        return out;
    };
    let mut registration = Registration::new(dialect, profile);
    let found = discover(tree.tree(), dialect, profile, &inputs);
    // Every definition is admitted, so registration cannot end early.
    let _ = registration.register_files(found, admit_all);
    let registry = registration.without_builtins();
    let case = Case {
        tree,
        expectation,
        roster: &roster,
        team: Team::of(&registry),
        registry: &registry,
    };
    case.compare(&mut out);
    out
}

struct Case<'a> {
    tree: &'a CaseTree,
    expectation: &'a Expectation<'a>,
    roster: &'a Roster,
    team: Option<Team>,
    registry: &'a Registry,
}

impl Case<'_> {
    fn compare(&self, out: &mut Vec<compare::Difference>) {
        for (member, actual) in [
            ("agents", self.agents()),
            ("shadowed", self.shadowed()),
            ("failed", self.failed()),
            ("fallback_roster", json!(!self.roster.is_readable)),
            ("task_to_prompt", self.task_to_prompt()),
        ] {
            if let Some(expected) = self.expectation.get(member) {
                compare::values(member, expected, &actual, out);
            }
        }
        self.compare_lint(out);
        self.compare_rows("team_sections", out, |row| self.team_section(row));
        self.compare_rows("triggers", out, |row| self.trigger(row));
        self.compare_rows("assembly", out, |row| self.assembly(row));
    }

    /// Compares what a case says row by row, member by member: a row need not say everything.
    fn compare_rows(
        &self,
        member: &str,
        out: &mut Vec<compare::Difference>,
        actual: impl Fn(&Value) -> Value,
    ) {
        let rows = self.expectation.get(member).and_then(Value::as_array);
        for (index, row) in rows.into_iter().flatten().enumerate() {
            let actual = actual(row);
            for (key, expected) in row.as_object().into_iter().flatten() {
                let actual = actual.get(key).cloned();
                let actual = actual.unwrap_or_else(|| json!("(not looked at)"));
                compare::values(&format!("{member}.{index}.{key}"), expected, &actual, out);
            }
        }
    }

    fn relative(&self, reported: &str) -> String {
        self.tree.relative(reported)
    }

    fn giver<'e>(&'e self, agent: &'e Entry, field: FieldName) -> &'e Entry {
        let by = agent.giver(field);
        by.map_or(agent, |by| &self.roster.found.entries[by])
    }

    fn agents(&self) -> Value {
        let expected = self.expectation.get("agents").and_then(Value::as_array);
        let agents = self.roster.agents().enumerate().map(|(index, entry)| {
            let row = expected.and_then(|rows| rows.get(index));
            self.agent(entry, row.unwrap_or(&Value::Null))
        });
        agents.collect()
    }

    fn agent(&self, entry: &Entry, expected: &Value) -> Value {
        let Some(definition) = entry.definition() else {
            return Value::Null;
        };
        let prompt = entry.giver(FieldName::PROMPT);
        let prompt = prompt.map(|by| self.relative(&self.roster.found.entries[by].source.reported));
        let tools = match definition.tools() {
            ToolAccess::Listed(tools) => json!(texts(tools)),
            _ => Value::Null,
        };
        let mut row = json!({
            "name": definition.name(),
            "from": self.relative(&entry.source.reported),
            "level": entry.source.level.as_str(),
            "role": definition.text(FieldName::DESCRIPTION),
            "prompt_file": definition.text(FieldName::of_dialect("prompt_file")),
            "prompt_from": prompt,
            "tools": tools,
            "skills": texts(definition.skills()),
        });
        // Further members are compared where a case has them.
        if let Some(row) = row.as_object_mut() {
            if expected.get("model").is_some() {
                row.insert("model".to_owned(), json!(definition.model()));
            }
            let from = self.fields_from(entry);
            if expected.get("fields_from").is_some() || !from.is_empty() {
                row.insert("fields_from".to_owned(), Value::Object(from));
            }
        }
        row
    }

    /// The files of the fields that another layer gives than the agent's own.
    fn fields_from(&self, agent: &Entry) -> Map<String, Value> {
        let merged = agent.merged.iter();
        let fields = merged.flat_map(|merged| merged.given_by.fields());
        let fields = fields.filter(|field| {
            !matches!(*field, FieldName::PROMPT | FieldName::METADATA)
                && !std::ptr::eq(self.giver(agent, *field), agent)
        });
        let rows = fields.map(|field| {
            let key = match field {
                FieldName::DESCRIPTION => "role",
                field => field.as_str(),
            };
            let file = &self.giver(agent, field).source.reported;
            (key.to_owned(), json!(self.relative(file)))
        });
        rows.collect()
    }

    fn shadowed(&self) -> Value {
        let entries = &self.roster.found.entries;
        let rows = entries.iter().filter_map(|entry| match entry.state {
            State::Shadowed { by, .. } => Some(json!({
                "name": entry.name(),
                "from": self.relative(&entry.source.reported),
                "by": self.relative(&entries[by].source.reported),
            })),
            _ => None,
        });
        rows.collect()
    }

    fn failed(&self) -> Value {
        let entries = self.roster.found.entries.iter();
        let rejected = entries.filter(|entry| entry.state == State::Rejected);
        rejected
            .map(|entry| json!(self.relative(&entry.source.reported)))
            .collect()
    }

    fn task_to_prompt(&self) -> Value {
        let tasks = self.roster.task_prompts();
        json!({
            "source": match tasks.from {
                NamesFrom::Roster => "roster",
                NamesFrom::Fallback => "static fallback",
            },
            "logged": !tasks.log.is_empty(),
        })
    }

    /// The order of findings says nothing. A code counts where the harness is known to have it;
    /// the others are compared as what we propose.
    fn compare_lint(&self, out: &mut Vec<compare::Difference>) {
        let Some(expected) = self.expectation.get("lint").and_then(Value::as_array) else {
            return;
        };
        let expected = expected.iter().map(|row| {
            let code = row.get("code").filter(|code| !code.is_null());
            let code = code.or(row.get("proposed"));
            json!({ "code": code, "severity": row["severity"], "agent": row["agent"] })
        });
        let actual = self.roster.findings.iter().map(|finding| {
            let RosterFinding {
                agent, diagnostic, ..
            } = finding;
            json!({ "code": diagnostic.code(), "severity": diagnostic.severity, "agent": agent })
        });
        compare::values("lint", &sorted(expected), &sorted(actual), out);
    }

    fn section(&self, row: &Value) -> Option<String> {
        let caller = row.get("caller").and_then(Value::as_str);
        self.team.as_ref()?.section(text(row, "for"), caller)
    }

    /// Builds the prompt of the agent that a row is about.
    fn prompt(&self, row: &Value) -> String {
        let entry = self.registry.get(Some(text(row, "for"))).ok();
        let prompt = entry.as_ref().and_then(|found| found.definition().prompt());
        let rules = self.roster.exit_rules.as_ref();
        let rules = rules.map(|rules| rules.text.as_str());
        let section = self.section(row);
        build_prompt(prompt.unwrap_or_default(), rules, section.as_deref()).text
    }

    fn team_section(&self, row: &Value) -> Value {
        let section = self.section(row).unwrap_or_default();
        let own = self
            .team
            .as_ref()
            .and_then(|team| team.get(text(row, "for")));
        let own_line = section.lines().find(|line| line.starts_with("You are"));
        let caller = row.get("caller").and_then(Value::as_str);
        json!({
            "for": row["for"],
            "caller": row["caller"],
            "sections": sections(&self.prompt(row), YOUR_TEAM).len(),
            "own_role": own.and_then(|own| own.role.as_deref()),
            "own_placeholder": own_line.is_some_and(|line| line.ends_with(NO_ROLE)),
            "teammates": self.teammates(&section),
            "facts": row["facts"].as_array().map(|facts| facts
                .iter()
                .filter(|fact| states(&section, fact.as_str().unwrap_or_default()))
                .collect::<Vec<_>>()),
            "caller_named": caller.is_some_and(|caller| {
                section.contains(&format!("This run was started by `{caller}`."))
            }),
            "must_not_contain": row["must_not_contain"].as_array().map(|words| words
                .iter()
                .filter(|word| !section.contains(word.as_str().unwrap_or_default()))
                .collect::<Vec<_>>()),
        })
    }

    /// Reads the teammates back out of the text.
    fn teammates(&self, section: &str) -> Value {
        let rows = section.lines().filter_map(|line| {
            let (name, role) = line.strip_prefix("- `")?.split_once("`: ")?;
            let is_placeholder = role == NO_ROLE;
            Some(json!({
                "name": name,
                "role": (!is_placeholder).then_some(role),
                "placeholder": is_placeholder,
            }))
        });
        rows.collect()
    }

    fn trigger(&self, row: &Value) -> Value {
        let author = match text(row, "author") {
            "human" => Author::Human,
            _ => Author::Bot,
        };
        let message = text(row, "text");
        let (mentions, routes): (Vec<Mention>, Vec<String>) = match &self.team {
            Some(team) => (team.mentions(author, message), team.routes(author, message)),
            None => Default::default(),
        };
        json!({
            "author": row["author"],
            "text": row["text"],
            "routes": routes,
            "alias_used": mentions.iter().find_map(|mention| mention.alias),
        })
    }

    fn assembly(&self, row: &Value) -> Value {
        let prompt = self.prompt(row);
        json!({
            "for": row["for"],
            "caller": row["caller"],
            "exit_rules_sections": sections(&prompt, EXIT_RULES).len(),
            "team_sections": sections(&prompt, YOUR_TEAM).len(),
        })
    }
}

/// Whether a section states a fact, under the names that the cases use.
fn states(section: &str, fact: &str) -> bool {
    match fact {
        "delegate_with_call_agent" => section.contains("call `call_agent`"),
        "no_at_at_mentions" => section.contains("Do not write @@ mentions"),
        "call_back_reminder" => section.contains("reporting back"),
        _ => false,
    }
}

fn texts(names: &[agent_schema::Name]) -> Vec<&str> {
    names.iter().map(|name| name.text.as_str()).collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn sorted(rows: impl Iterator<Item = Value>) -> Value {
    let mut rows: Vec<Value> = rows.collect();
    rows.sort_by_key(Value::to_string);
    Value::Array(rows)
}
