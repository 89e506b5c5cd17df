//! How the agents of a plugin are read: nothing loses the file, but some fields have no effect.
//!
//! Source of every rule: cases `parse/plugin-*` and `discover/n21-plugin-name-rules`.

use super::fields::is_too_long;
use crate::coerce::{Coerced, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldName, FieldValue, Located};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Absent, Field};
use crate::finish::Finish;
use crate::rules;
use crate::source::Span;
use crate::value::{Node, Value};

/// Whatever is written becomes a text; the file names an agent that has no name.
pub(super) const NAME: Field = Field {
    key: "name",
    aliases: &[],
    target: FieldName::NAME,
    read: name,
    absent: Absent::FileStem,
    accepts: "a text of at most 256 characters",
};

pub(super) const OLD_NAME: Field = Field {
    read: |node, remarks| Ok(any_name(node, remarks)),
    ..NAME
};

pub(super) const DESCRIPTION: Field = Field {
    key: "description",
    aliases: &[],
    target: FieldName::DESCRIPTION,
    read: description,
    absent: Absent::Unset,
    accepts: "a text that says when to use the agent",
};

/// Makes a field that has no effect in a plugin; the log names it.
pub(super) const fn without_effect(field: Field) -> Field {
    Field {
        read: |node, _| {
            Err(
                Problem::leaves_unset(node.span, "has no effect in a plugin")
                    .of_key()
                    .rule(&rules::FIELD_OF_PLUGIN)
                    .said_by_harness()
                    .help("put the agent into the project or the home if it needs the field"),
            )
        },
        absent: Absent::Unset,
        ..field
    }
}

fn any_name(node: &Node, remarks: &mut Remarks<'_>) -> Option<FieldValue> {
    javascript::is_truthy(node).then(|| as_text("name", node, remarks))
}

/// Makes a text of any value, and tells if it was none.
fn as_text(key: &str, node: &Node, remarks: &mut Remarks<'_>) -> FieldValue {
    let text = javascript::text(node);
    if node.as_text().is_none() {
        remarks.becomes_text(key, node, &text);
    }
    FieldValue::text(text)
}

fn name(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if is_too_long(&javascript::text(node)) {
        return Err(Problem::leaves_unset(
            node.span,
            "is longer than 256 characters, so the name of the file is used",
        )
        .rule(&rules::NAME_TOO_LONG)
        .said_by_harness());
    }
    Ok(any_name(node, remarks))
}

fn description(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Text(text) => {
            let text = javascript::trim(text);
            Ok((!text.is_empty()).then(|| FieldValue::text(text.to_owned())))
        }
        Value::Null => Ok(None),
        Value::List(_) | Value::Map(_) => Err(Problem::leaves_unset(
            node.span,
            format!("must be a text, not {}", pydantic::article(node)),
        )),
        _ => Ok(Some(as_text("description", node, remarks))),
    }
}

fn no_description(shown: &str, opening: Option<Span>) -> Diagnostic {
    let message = format!("the agent has no description, and is offered as `{shown}`");
    let finding = Diagnostic::new(&rules::BLANK_DESCRIPTION, message)
        .because(
            "the description is all that Claude Code tells the delegating model about the agent; \
             in a plugin it makes one up where there is none",
        )
        .help("say in the description what the agent does and when to use it")
        .about(FieldName::DESCRIPTION);
    Diagnostic {
        span: opening,
        ..finding
    }
}

/// Puts the plugin and the folders before the name, and says something where no description is.
pub(super) fn finish(finish: &mut Finish<'_>) {
    let Some(plugin) = &finish.inputs.plugin else {
        return;
    };
    let definition = &mut *finish.definition;
    if definition.field(FieldName::DESCRIPTION).is_none() {
        let text = format!("Agent from {plugin} plugin");
        // Where no header was read, that says it all.
        let is_of_header = definition
            .fields()
            .any(|(field, it)| field != FieldName::PROMPT && it.place.is_some());
        if is_of_header && !finish.is_lost {
            finish.findings.push(no_description(&text, finish.opening));
        }
        let text = FieldValue::text(text);
        definition.set(FieldName::DESCRIPTION, Located::implied(text));
    }
    let place = definition.place(FieldName::NAME);
    let folders = finish.inputs.plugin_folders.iter().map(String::as_str);
    let parts: Vec<&str> = std::iter::once(plugin.as_str())
        .chain(folders)
        .chain([definition.name()])
        .collect();
    let value = FieldValue::text(parts.join(":"));
    definition.set(FieldName::NAME, Located { value, place });
}
