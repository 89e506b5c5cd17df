//! The lists of names in an AgentScope header.
//!
//! The loader makes a Java text of the value, whatever it is, takes brackets off both ends and
//! splits the rest at commas (cases `parse/tools-*` and `parse/skills-*`).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::fields::trimmed;
use crate::coerce::{self, Coerced, Remarks, java, shorten};
use crate::definition::{FieldValue, Name};
use crate::diagnostic::Diagnostic;
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
    if text.contains(',') {
        note_torn(key, item.span, remarks);
    }
    let names = coerce::split_at_commas(item, &text, java::trim, remarks);
    remarks.joined(key, &names);
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
        Diagnostic::new(
            &rules::TORN_NAME,
            format!("this value of `{key}` is torn into several names"),
        )
        .at(span)
        .because("AgentScope makes a text of the list and splits it at every comma")
        .help("write one name without a comma for each item"),
    );
}

fn note_tool(name: &str, span: Span, remarks: &mut Remarks<'_>) {
    let finding = if name == "*" {
        Diagnostic::new(
            &rules::INERT_TOOL,
            "`*` stands for no tool, so that every tool of the parent is gone",
        )
        .because("AgentScope compares tool names letter by letter and knows no wildcard")
        .help("leave `tools` out, so that the agent has all tools of its parent")
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
