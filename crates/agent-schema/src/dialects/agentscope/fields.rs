//! The single values of an AgentScope header, each read as its loader reads it.

use crate::coerce::{Coerced, Problem, Remarks, java, shorten};
use crate::definition::FieldValue;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules;
use crate::value::{Int, Node, Value};

/// Returns the Java text of a value, without the blanks around it.
pub(super) fn trimmed(node: &Node) -> Result<String, Problem> {
    match java::text(node) {
        Ok(text) => Ok(java::trim(&text).to_owned()),
        Err(error) => Err(Problem::rejects(node.span, error.to_string())),
    }
}

/// What `name` says, until the name of the file takes its place.
pub(super) fn written_name(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let text = trimmed(node).ok().filter(|_| !node.is_null());
    Ok(text.map(|text| FieldValue::Text(text.into())))
}

/// Any value as a text; null is unset, a blank text is not (case `parse/model-blank`).
pub(super) fn text(key: &str, node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let text = trimmed(node)?;
    if node.as_text().is_none() {
        remarks.becomes_text(key, node, &text);
    }
    Ok(Some(FieldValue::text(text)))
}

/// Stored, and used nowhere.
pub(super) fn variant(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let value = text("variant", node, remarks)?;
    if value.is_some() {
        let finding = Diagnostic::new(&rules::INERT_KEY, "`variant` has no effect")
            .at(node.span)
            .because("AgentScope keeps the text and does nothing with it");
        remarks.list.push(Diagnostic {
            severity: Severity::Info,
            ..finding
        });
    }
    Ok(value)
}

/// Cases `parse/description-*`.
pub(super) fn description(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let value = text("description", node, remarks)?;
    match &value {
        Some(FieldValue::Text(text)) if java::is_blank(text) => {
            Err(Problem::rejects(node.span, "is blank"))
        }
        _ => Ok(value),
    }
}

/// Only a number counts (cases `parse/steps-*`); it is cut to 32 bits.
pub(super) fn steps(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let Some(steps) = java::int_value(node.get()) else {
        let kind = node.get().kind();
        let complaint = format!("is a {kind}, and only a number counts");
        return Err(Problem::leaves_unset(node.span, complaint).help(number_meant(node, remarks)));
    };
    let written = trimmed(node)?;
    if written != steps.to_string() {
        remarks.list.push(
            Diagnostic::new(
                &rules::CHANGED_NUMBER,
                format!("`{}` becomes {steps}", shorten(&written)),
            )
            .at(node.span)
            .because("AgentScope cuts the number to a whole one of 32 bits without a word")
            .help("write a whole number that fits"),
        );
    } else if steps < 1 {
        remarks.list.push(
            Diagnostic::new(
                &rules::CHANGED_NUMBER,
                format!("the agent may take {steps} steps"),
            )
            .at(node.span)
            .because("AgentScope takes every number here, also one that allows no step")
            .help("write a number greater than 0"),
        );
    }
    Ok(Some(FieldValue::Integer(Int::from(i64::from(steps)))))
}

/// Returns how to write the number that a value was meant as.
fn number_meant(node: &Node, remarks: &Remarks<'_>) -> String {
    let number = node
        .as_text()
        .and_then(|text| text.trim().parse::<i32>().ok());
    let written = remarks.written(node.span).unwrap_or_default();
    match number {
        Some(_) if written.starts_with(['"', '\'']) => "write the number without quotes".to_owned(),
        Some(number) => format!("write `{number}`"),
        None => "write a whole number, such as `10`".to_owned(),
    }
}

/// A number, or a text that Java reads as one (cases `parse/temperature-*`).
pub(super) fn number(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let value = match node.get() {
        Value::Float(value) => Some(*value),
        Value::Int(value) => value.to_string().parse().ok(),
        Value::Null => return Ok(None),
        _ => {
            let text = trimmed(node)?;
            if text.is_empty() {
                return Ok(None);
            }
            java::parse_double(&text)
        }
    };
    match value {
        Some(value) => Ok(Some(FieldValue::Number(value))),
        None => Err(Problem::leaves_unset(node.span, "is no number").said_by_harness()),
    }
}

/// Cases `parse/mode-*`.
pub(super) fn mode(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let text = match node.is_null() {
        true => return Ok(None),
        false => trimmed(node)?,
    };
    let mode = match text.to_lowercase().as_str() {
        "primary" => "PRIMARY",
        "subagent" => "SUBAGENT",
        "all" => "ALL",
        _ if java::is_blank(&text) => return Ok(None),
        _ => {
            return Err(Problem::leaves_unset(
                node.span,
                format!("cannot be `{}` and counts as `all`", shorten(&text)),
            )
            .said_by_harness());
        }
    };
    Ok(Some(FieldValue::text(mode.to_owned())))
}

/// A boolean, or the text `true`; any other text is false (cases `parse/hidden-*`, `expose-*`).
pub(super) fn flag(key: &str, node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if let Value::Bool(value) = node.get() {
        return Ok(Some(FieldValue::Flag(*value)));
    }
    let text = match node.is_null() {
        true => return Ok(None),
        false => trimmed(node)?,
    };
    if text.is_empty() {
        return Ok(None);
    }
    let value = java::parse_boolean(&text);
    if !value && !java::equals_ignoring_case(&text, "false") {
        remarks.list.push(
            Diagnostic::new(
                &rules::IGNORED_VALUE,
                format!("`{key}` holds `{}`, which counts as false", shorten(&text)),
            )
            .at(node.span)
            .because("AgentScope takes only a YAML boolean or the word `true` for true")
            .help("write `true` or `false`"),
        );
    }
    Ok(Some(FieldValue::Flag(value)))
}
