//! The lists of names in an AgentScope header.
//!
//! The loader makes a Java text of the value, whatever it is, takes brackets off both ends and
//! splits the rest at commas (cases `parse/tools-*` and `parse/skills-*`).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::fields::trimmed;
use crate::coerce::{self, Coerced, Remarks, java, shorten};
use crate::definition::{FieldValue, Name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::foreign_words::foreign_tool;
use crate::rules;
use crate::source::Span;
use crate::value::{Node, Value};

/// Tools that every child has, whatever its list says.
pub(super) const BUILT_IN_TOOLS: &[&str] = &[
    "read_file",
    "write_file",
    "edit_file",
    "multi_edit",
    "list_files",
    "grep_files",
    "glob_files",
    "execute",
];

/// What people write who mean every tool.
const ALL_WORDS: &[&str] = &["*", "all"];

/// Reads `tools`.
pub(super) fn tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let names = split("tools", node, remarks)?;
    for name in &names {
        if let Some(span) = name.span {
            note_tool(&name.text, span, remarks);
        }
    }
    Ok(as_value(names))
}

/// Reads `skills`.
pub(super) fn skills(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let names = split("skills", node, remarks)?;
    let mut seen: HashMap<&str, Option<Span>> = HashMap::new();
    for name in &names {
        let first = match seen.entry(name.text.as_str()) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(place) => {
                place.insert(name.span);
                continue;
            }
        };
        if let (Some(span), Some(first)) = (name.span, first) {
            remarks.list.push(
                Diagnostic::new(
                    &rules::DUPLICATE_SKILL,
                    format!("the agent asks for skill `{}` twice", shorten(&name.text)),
                )
                .at(span)
                .and_at(first, "the first one")
                .because("AgentScope loads the file, but fails when it makes an agent of it")
                .help("keep one of them"),
            );
        }
    }
    Ok(as_value(names))
}

/// A list without names is the same as none: the agent has what its parent has.
fn as_value(names: Vec<Name>) -> Option<FieldValue> {
    (!names.is_empty()).then_some(FieldValue::Names(names))
}

fn split(key: &str, node: &Node, remarks: &mut Remarks<'_>) -> Result<Vec<Name>, coerce::Problem> {
    match node.get() {
        Value::Null => Ok(Vec::new()),
        // The brackets of its text are those that are taken off, and its commas those between
        // the items, so that each item can be split by itself.
        Value::List(items) => {
            let mut names = Vec::new();
            for item in items {
                names.append(&mut split_item(key, item, remarks)?);
            }
            Ok(names)
        }
        Value::Text(text) => {
            let inside = without_brackets(java::trim(text));
            let names = coerce::split_at_commas(node, inside, java::trim, remarks);
            note_torn_rules(key, &names, remarks);
            remarks.joined(key, &names);
            Ok(names)
        }
        _ => {
            let text = trimmed(node)?;
            remarks.becomes_text(key, node, &text);
            // What is written in a mapping names nothing that there is.
            remarks.loses_part |= node.as_map().is_some_and(|map| !map.entries.is_empty());
            let names = coerce::split_at_commas(node, without_brackets(&text), java::trim, remarks);
            if names.len() > 1 {
                note_torn(key, node.span, remarks);
            }
            Ok(names)
        }
    }
}

fn split_item(
    key: &str,
    item: &Node,
    remarks: &mut Remarks<'_>,
) -> Result<Vec<Name>, coerce::Problem> {
    let text = trimmed(item)?;
    if item.as_text().is_none() {
        remarks.becomes_text(key, item, &text);
    }
    let names = coerce::split_at_commas(item, &text, java::trim, remarks);
    match text.contains(',') {
        true => note_torn(key, item.span, remarks),
        false => remarks.joined_in_item(key, &names),
    }
    Ok(names)
}

fn without_brackets(text: &str) -> &str {
    let text = text.trim_start_matches(java::is_white_space);
    let inside = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    inside.unwrap_or(text)
}

fn note_torn(key: &str, span: Span, remarks: &mut Remarks<'_>) {
    remarks.list.push(
        torn(key, span)
            .because("AgentScope makes a text of the list and splits it at every comma")
            .help("write one name without a comma for each item"),
    );
}

fn torn(key: &str, span: Span) -> Diagnostic {
    let message = format!("this value of `{key}` is torn into several names");
    Diagnostic::new(&rules::TORN_NAME, message).at(span)
}

/// Notes rules behind names that the commas inside their parentheses tear.
fn note_torn_rules(key: &str, names: &[Name], remarks: &mut Remarks<'_>) {
    let has = |name: &Name, one, other| name.text.contains(one) && !name.text.contains(other);
    let mut opened: Option<Span> = None;
    for name in names {
        let Some(span) = name.span else { continue };
        if has(name, '(', ')') {
            opened = Some(span);
        } else if let Some(start) = opened.filter(|_| has(name, ')', '(')) {
            let finding = torn(key, start.cover(span));
            remarks.list.push(
                finding
                    .because("AgentScope splits the text at every comma, inside parentheses too")
                    .help("leave the parentheses out: AgentScope knows no rules behind names"),
            );
            opened = None;
        }
    }
}

/// Returns the name before a rule in parentheses, as other harnesses write one.
pub(super) fn before_rule(entry: &str) -> &str {
    match entry.split_once('(') {
        Some((name, rule)) if rule.ends_with(')') => name.trim_end(),
        _ => entry,
    }
}

/// Returns why no tool can have a name, whatever tools the application brings.
fn no_name(name: &str) -> Option<&'static str> {
    match name {
        "*" => None,
        _ if before_rule(name) != name => Some("knows no rules in parentheses"),
        _ if name.contains('*') => Some("knows no wildcard"),
        _ => None,
    }
}

fn note_tool(name: &str, span: Span, remarks: &mut Remarks<'_>) {
    let finding = if ALL_WORDS.contains(&name) {
        Diagnostic::new(
            &rules::INERT_TOOL,
            format!("`{name}` stands for no tool, so that every tool of the parent is gone"),
        )
        .because("AgentScope compares tool names letter by letter and has no word for all of them")
        .help("leave `tools` out, so that the agent has all tools of its parent")
    } else if let Some(why) = no_name(name) {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::new(
                &rules::UNKNOWN_TOOL,
                format!("no tool can be called `{}`", shorten(name)),
            )
        }
        .because(format!(
            "AgentScope {why}: it compares the names letter by letter with the tools that the \
             application gave to the parent, and one that none of them has only takes these away"
        ))
        .help(instead_of(name))
    } else if BUILT_IN_TOOLS.contains(&name) {
        Diagnostic::new(
            &rules::INERT_TOOL,
            format!("`{name}` is there whether it is listed or not"),
        )
        .because(
            "AgentScope gives its own tools to every child; the list only filters those that the \
             application put on the parent, and drops each of them that it does not name",
        )
    } else {
        return;
    };
    remarks.list.push(finding.at(span));
}

/// Returns what to write instead of a name that no tool can have.
fn instead_of(name: &str) -> String {
    let tool = before_rule(name);
    match foreign_tool(tool, "AgentScope", &super::VOCABULARY) {
        Some(said) => said,
        None if tool == name => "name each tool".to_owned(),
        None => format!("write `{}` alone", shorten(tool)),
    }
}
