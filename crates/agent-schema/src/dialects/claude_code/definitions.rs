//! How definitions are read that are given on the command line (`--agents`): strictly, because
//! one wrong value loses them all.
//!
//! Source of every rule: cases `discover/n13-*` up to `discover/n15-*`, and the documentation of
//! the option.

use super::fields::{
    self, BACKGROUND, EFFORT, INITIAL_PROMPT, ISOLATION, MEMORY, OMIT_CLAUDE_MD, is_server,
};
use super::{hooks, tool_list};
use crate::coerce::{Coerced, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldName, FieldValue, Located};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Absent, Field, SkipRule};
use crate::finish::Finish;
use crate::header::Consequence;
use crate::rules;
use crate::value::{Int, Node, Value};

pub(super) static FIELDS: &[Field] = &[
    required("description", FieldName::DESCRIPTION),
    required("prompt", FieldName::PROMPT),
    field("tools", FieldName::TOOLS, tools, TEXTS),
    field(
        "disallowedTools",
        FieldName::DISALLOWED_TOOLS,
        denied_tools,
        TEXTS,
    ),
    field("model", FieldName::MODEL, model, A_TEXT),
    field(
        "permissionMode",
        FieldName::PERMISSION_MODE,
        |node, _| strictly(node, fields::permission_mode),
        "one of the permission modes",
    ),
    field(
        "maxTurns",
        FieldName::MAX_TURNS,
        |node, _| max_turns(node),
        "an integer greater than 0",
    ),
    field("skills", FieldName::SKILLS, skills, TEXTS),
    field(
        "mcpServers",
        FieldName::MCP_SERVERS,
        |node, _| mcp_servers(node),
        "a list of server names, and of maps from a name to a server",
    ),
    field(
        "hooks",
        FieldName::HOOKS,
        |node, remarks| strictly(node, |node| hooks::read(node, remarks)),
        "a map from events to lists of matchers",
    ),
    field(
        "memory",
        MEMORY,
        |node, _| {
            strictly(node, |node| {
                fields::one_of(node, &["user", "project", "local"])
            })
        },
        "`user`, `project` or `local`",
    ),
    field("background", BACKGROUND, |node, _| flag(node), "a boolean"),
    field(
        "effort",
        EFFORT,
        effort,
        "one of the words of effort, or an integer",
    ),
    field(
        "isolation",
        ISOLATION,
        |node, _| strictly(node, |node| fields::one_of(node, &["worktree", "remote"])),
        "`worktree`",
    ),
    field(
        "initialPrompt",
        INITIAL_PROMPT,
        |node, _| text(node),
        A_TEXT,
    ),
    field(
        "omitClaudeMd",
        OMIT_CLAUDE_MD,
        |node, _| flag(node),
        "a boolean",
    ),
];

const A_TEXT: &str = "a text";
const TEXTS: &str = "a list of texts";

const fn field(
    key: &'static str,
    target: FieldName,
    read: fn(&Node, &mut Remarks<'_>) -> Coerced,
    accepts: &'static str,
) -> Field {
    Field {
        key,
        aliases: &[],
        target,
        read,
        absent: Absent::Unset,
        accepts,
    }
}

const fn required(key: &'static str, target: FieldName) -> Field {
    Field {
        absent: Absent::Loses(Consequence::Rejected),
        ..field(key, target, |node, _| required_text(node), A_TEXT)
    }
}

fn wrong_type(node: &Node, wanted: &str) -> Problem {
    let found = pydantic::article(node);
    Problem::rejects(node.span, format!("must be {wanted}, not {found}")).said_by_harness()
}

/// Reads a value as in a file, but what a file would lose loses the definition, null included.
fn strictly(node: &Node, read: impl FnOnce(&Node) -> Coerced) -> Coerced {
    match read(node) {
        Ok(Some(value)) => Ok(Some(value)),
        Ok(None) => Err(wrong_type(node, "one of the allowed values")),
        Err(problem) => Err(Problem::rejects(problem.span, problem.complaint).said_by_harness()),
    }
}

fn text(node: &Node) -> Coerced {
    match node.as_text() {
        Some(text) => Ok(Some(FieldValue::text(text.to_owned()))),
        None => Err(wrong_type(node, A_TEXT)),
    }
}

fn required_text(node: &Node) -> Coerced {
    match node.as_text() {
        Some("") => Err(Problem::rejects(node.span, "must not be empty").said_by_harness()),
        _ => text(node),
    }
}

fn model(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.as_text() {
        Some(_) => fields::model(node, remarks),
        None => Err(wrong_type(node, A_TEXT)),
    }
}

fn check_texts(node: &Node) -> Result<(), Problem> {
    let items = node.as_list().ok_or_else(|| wrong_type(node, TEXTS))?;
    match items.iter().find(|item| item.as_text().is_none()) {
        Some(item) => Err(wrong_type(item, A_TEXT)),
        None => Ok(()),
    }
}

fn tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    check_texts(node)?;
    tool_list::allowed(node, remarks)
}

fn denied_tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    check_texts(node)?;
    tool_list::denied(node, remarks)
}

fn skills(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    check_texts(node)?;
    tool_list::skills(node, remarks)
}

fn max_turns(node: &Node) -> Coerced {
    match javascript::integer(node.get()).filter(|turns| *turns > 0) {
        Some(turns) => Ok(Some(FieldValue::Integer(Int::Small(turns)))),
        None => Err(wrong_type(node, "an integer greater than 0")),
    }
}

fn mcp_servers(node: &Node) -> Coerced {
    let items = node.as_list().ok_or_else(|| wrong_type(node, "a list"))?;
    match items.iter().find(|item| !is_server(item)) {
        Some(item) => Err(wrong_type(item, "the name of a server or a map to one")),
        None => Ok(Some(FieldValue::config(node.clone()))),
    }
}

fn flag(node: &Node) -> Coerced {
    match node.get() {
        Value::Bool(value) => Ok(Some(FieldValue::Flag(*value))),
        _ => Err(wrong_type(node, "a boolean")),
    }
}

fn effort(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match (javascript::integer(node.get()), node.as_text()) {
        (Some(_), _) | (_, Some("low" | "medium" | "high" | "xhigh" | "max")) => {
            fields::effort(node, remarks)
        }
        _ => Err(wrong_type(node, "a word of effort or an integer")),
    }
}

/// The key is the name. One that starts with a hyphen loses all definitions.
pub(super) fn finish(finish: &mut Finish<'_>) {
    take_key(finish, Consequence::Rejected);
}

/// The key is the name. One that starts with a hyphen loses this definition alone.
pub(super) fn old_finish(finish: &mut Finish<'_>) {
    take_key(finish, Consequence::Ignored(SkipRule::InvalidName));
}

fn take_key(finish: &mut Finish<'_>, consequence: Consequence) {
    let key = FieldValue::text(finish.stem.to_owned());
    finish
        .definition
        .set(FieldName::NAME, Located::implied(key));
    if finish.definition.name().starts_with('-') {
        finish.consequence = Some(consequence);
        finish.findings.push(
            Diagnostic::new(
                &rules::NAME_STARTS_WITH_HYPHEN,
                "the name starts with a hyphen",
            )
            .because("Claude Code takes such a word for an option")
            .help("give the agent another name")
            .about(FieldName::NAME)
            .said_by_harness(),
        );
    }
}
