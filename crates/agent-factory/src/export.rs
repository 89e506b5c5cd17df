//! A definition as a portable file: one agent, one file, for harnesses that keep agents so.
//!
//! ADR-0010 of Nebuko leaves room for such an export beside its roster (D1). What the other
//! harness does not read as it was meant is told: the text is read back by the rules of the other
//! harness and compared. Where a limit of the tools would be lost, nothing is written.

use agent_schema::{
    Definition, Dialect, FieldName, FieldValue, File, Located, ParseInputs, Profile, RenderError,
    Span, ToolAccess, parse::parse_accepted, render,
};

/// A definition as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The name of the file.
    pub file_name: String,
    /// The text of the file.
    pub text: String,
    /// Whether the other harness loads it.
    pub loads: bool,
    /// The fields that the other harness does not read as they were meant.
    pub losses: Vec<FieldName>,
}

/// Why a definition is not written for another harness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A value has no finite form.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The agent would have tools there that it must not have.
    #[error("export agent `{agent}`: {harness} would give it tools that it must not have")]
    WidensRights {
        /// The agent.
        agent: String,
        /// The other harness.
        harness: &'static str,
    },
}

/// The fields that make sense to every harness.
const PORTABLE: [FieldName; 6] = [
    FieldName::NAME,
    FieldName::DESCRIPTION,
    FieldName::MODEL,
    FieldName::TOOLS,
    FieldName::SKILLS,
    FieldName::PROMPT,
];

/// Writes a definition as a file of a dialect that has one file for each agent.
///
/// The name, the description, the model, the tools, the skills and the prompt are written; what
/// belongs to one harness alone stays behind.
///
/// # Errors
/// If a value has no finite form, or if the agent would have more tools there than it may have.
pub fn export(
    definition: &Definition,
    to: &'static Dialect,
    profile: &'static Profile,
) -> Result<Export, ExportError> {
    let portable = portable(definition);
    let text = render(&portable, profile)?;
    let files = &profile.rules.agents.files;
    let file_name = format!("{}{}", file_stem(definition.name()), files.suffix);
    let file = File {
        name: &file_name,
        bytes: text.as_bytes(),
    };
    let reading = &profile.rules.reading;
    let inputs = ParseInputs::new();
    let back = parse_accepted(file, files.stem(&file_name), to, reading, &inputs);
    let read = back.outcome.definition();
    if read.is_some_and(|read| is_wider(read.tools(), portable.tools())) {
        return Err(ExportError::WidensRights {
            agent: definition.name().to_owned(),
            harness: to.title,
        });
    }
    let losses = losses(&portable, read);
    Ok(Export {
        loads: read.is_some(),
        losses,
        file_name,
        text,
    })
}

/// Makes a definition whose portable fields all count as written.
fn portable(definition: &Definition) -> Definition {
    let mut out = Definition::default();
    for name in PORTABLE {
        let Some(field) = definition.field(name) else {
            continue;
        };
        let value = match &field.value {
            FieldValue::Text(text) if name == FieldName::PROMPT => {
                FieldValue::Text(text.trim().to_owned())
            }
            FieldValue::Names(names) if names.is_empty() && name != FieldName::TOOLS => continue,
            value => value.clone(),
        };
        out.set(
            name,
            Located::written(value, Span::default(), Span::default()),
        );
    }
    out
}

/// A name as part of a file name; what could lead elsewhere is replaced.
fn file_stem(name: &str) -> String {
    let stem: String = name
        .chars()
        .map(|c| match c {
            c if c.is_alphanumeric() || matches!(c, '-' | '_') => c,
            _ => '-',
        })
        .collect();
    if stem.is_empty() {
        "agent".to_owned()
    } else {
        stem
    }
}

/// The fields that do not arrive as they were meant. Tools may be lost by saying nothing of them.
fn losses(meant: &Definition, read: Option<&Definition>) -> Vec<FieldName> {
    let is_lost = |field: &FieldName| match *field {
        FieldName::TOOLS => read.is_none_or(|read| !same_tools(meant.tools(), read.tools())),
        field => meant.field(field).is_some_and(|meant| {
            let read = read.and_then(|read| read.field(field));
            read.is_none_or(|read| !same(&meant.value, &read.value))
        }),
    };
    PORTABLE.into_iter().filter(is_lost).collect()
}

fn same(meant: &FieldValue, read: &FieldValue) -> bool {
    match (meant, read) {
        (FieldValue::Names(meant), FieldValue::Names(read)) => {
            let texts = |names: &[agent_schema::Name]| -> Vec<String> {
                names.iter().map(|name| name.text.clone()).collect()
            };
            texts(meant) == texts(read)
        }
        (meant, read) => meant == read,
    }
}

fn same_tools(meant: ToolAccess<'_>, read: ToolAccess<'_>) -> bool {
    !is_wider(meant, read) && !is_wider(read, meant)
}

/// Returns whether one access allows a tool that the other does not. No word about tools counts
/// as all of them, which is the most that it can mean.
fn is_wider(one: ToolAccess<'_>, other: ToolAccess<'_>) -> bool {
    match (one, other) {
        (_, ToolAccess::Unset | ToolAccess::All) => false,
        (ToolAccess::Unset | ToolAccess::All, ToolAccess::Listed(_)) => true,
        (ToolAccess::Listed(one), ToolAccess::Listed(other)) => one
            .iter()
            .any(|tool| !other.iter().any(|known| known.text == tool.text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_schema::dialects;

    fn definition(tools: Option<&[&str]>) -> Definition {
        let mut definition = Definition::default();
        let mut set = |field, value| definition.set(field, Located::implied(value));
        set(
            FieldName::NAME,
            FieldValue::Text("docs/../writer".to_owned()),
        );
        set(
            FieldName::DESCRIPTION,
            FieldValue::Text("Keeps: the docs".to_owned()),
        );
        set(
            FieldName::PROMPT,
            FieldValue::Text("\nYou write.\n".to_owned()),
        );
        if let Some(tools) = tools {
            let names = tools.iter().map(|text| agent_schema::Name {
                text: (*text).to_owned(),
                span: None,
            });
            set(FieldName::TOOLS, FieldValue::Names(names.collect()));
        }
        definition
    }

    #[test]
    fn no_word_about_tools_counts_as_all_of_them() {
        let none = ToolAccess::Listed(&[]);
        assert!(is_wider(ToolAccess::Unset, none));
        assert!(is_wider(ToolAccess::All, none));
        assert!(!is_wider(none, ToolAccess::Unset));
        assert!(!is_wider(none, none));
    }

    #[test]
    fn what_is_exported_reads_back_the_same() {
        let to = dialects::find("openhands").expect("it is known");
        let export = export(&definition(Some(&["read"])), to, to.default_profile());
        let export = export.expect("it can be written");
        assert_eq!(export.file_name, "docs----writer.md");
        assert_eq!(export.losses, []);
        assert!(
            export.text.ends_with("---\n\nYou write.\n"),
            "{}",
            export.text
        );
    }

    #[test]
    fn a_harness_that_takes_no_word_for_no_tools_is_told_of() {
        let to = dialects::find("openhands").expect("it is known");
        let export = export(&definition(None), to, to.default_profile());
        let losses = export.expect("it can be written").losses;
        assert_eq!(losses, [FieldName::TOOLS]);
    }
}
