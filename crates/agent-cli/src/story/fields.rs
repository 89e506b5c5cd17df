//! The fields of an agent as they count, each with what gave it.

use std::path::PathBuf;

use agent_discovery::{Layer, prompt_file_of};
use agent_registry::{Contender, Registry};
use agent_schema::value::{Node, Style};
use agent_schema::{Definition, FieldName, FieldValue, LineColumn};
use serde_json::Value;

use crate::finding::FileView;
use crate::text::printable::{beginning, printable};
use crate::text::words;

/// How much of a value is shown.
const MOST_SHOWN: usize = 60;

/// The fields that are told first, and also where nothing sets them.
const FIRST: [FieldName; 8] = [
    FieldName::NAME,
    FieldName::KEY,
    FieldName::DESCRIPTION,
    FieldName::MODEL,
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::PERMISSION,
    FieldName::PERMISSION_MODE,
];

/// A field of an agent as it counts.
pub(crate) struct EffectiveField<'a> {
    pub(crate) field: FieldName,
    /// Unset for a field that nothing sets, and for one that is lost.
    pub(crate) value: Option<&'a FieldValue>,
    /// The keys that the agent keeps without a meaning, for [`FieldName::METADATA`].
    pub(crate) keys: Vec<&'a str>,
    pub(crate) given: Given<'a>,
}

/// What gave a field.
pub(crate) enum Given<'a> {
    /// It is written.
    Written {
        by: &'a Contender,
        at: Option<LineColumn>,
    },
    /// The name of its file.
    FileName,
    /// The harness itself has it in a built-in agent of the name.
    Harness,
    /// The harness takes it where nothing is written.
    Default,
    /// It is the text of a file that the definition names.
    PromptFile(PathBuf),
    /// Nothing.
    Nobody,
    /// It is written and lost.
    Lost {
        at: Option<LineColumn>,
        why: &'a str,
    },
}

impl Given<'_> {
    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Given::Written { .. } => "written",
            Given::FileName => "file-name",
            Given::Harness => "harness",
            Given::Default => "default",
            Given::PromptFile(_) => "prompt-file",
            Given::Nobody => "not-set",
            Given::Lost { .. } => "lost",
        }
    }
}

impl EffectiveField<'_> {
    /// Returns whether the field is worth a line of its own.
    pub(crate) fn is_telling(&self) -> bool {
        FIRST.contains(&self.field) || !matches!(self.given, Given::Default | Given::Nobody)
    }

    /// The value for people, on one line.
    pub(crate) fn shown(&self) -> String {
        if let Given::Lost { why, .. } = self.given {
            return format!("lost: {}", printable(why));
        }
        if self.field == FieldName::METADATA {
            return beginning(&self.keys.join(", "), MOST_SHOWN);
        }
        match self.value {
            None if matches!(self.given, Given::PromptFile(_)) => "the text of a file".to_owned(),
            None => "not set".to_owned(),
            Some(FieldValue::Text(text)) if self.field == FieldName::PROMPT => {
                words::count(text.lines().count(), "line")
            }
            Some(value) => shown(self.field, value),
        }
    }

    /// The value for programs. Of structured values only rights are given, for others can hold
    /// secrets.
    pub(crate) fn json(&self) -> Value {
        match self.value {
            Some(FieldValue::Config(_)) if self.field != FieldName::PERMISSION => Value::Null,
            Some(FieldValue::Everything) => Value::from("all"),
            Some(FieldValue::Inherited) => Value::from("inherited"),
            Some(value) => serde_json::to_value(value).unwrap_or_default(),
            None => Value::Null,
        }
    }

    /// The keys of a structured value that is not given whole.
    pub(crate) fn keys(&self) -> Vec<&str> {
        match self.value {
            Some(FieldValue::Config(node)) if self.field != FieldName::PERMISSION => keys(node),
            _ => self.keys.clone(),
        }
    }
}

fn keys(node: &Node) -> Vec<&str> {
    let entries = node.as_map().into_iter().flat_map(|map| &map.entries);
    let written = entries.filter(|entry| entry.value.style != Style::Default);
    written.filter_map(|entry| entry.key.as_text()).collect()
}

fn shown(field: FieldName, value: &FieldValue) -> String {
    match value {
        FieldValue::Text(text) if text.is_empty() => "empty".to_owned(),
        FieldValue::Text(text) => beginning(text, MOST_SHOWN),
        FieldValue::Names(names) if names.is_empty() => "none".to_owned(),
        FieldValue::Names(names) => {
            let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
            beginning(&names.join(", "), MOST_SHOWN)
        }
        FieldValue::Everything => "all".to_owned(),
        FieldValue::Inherited => "the parent's".to_owned(),
        FieldValue::Flag(flag) => flag.to_string(),
        FieldValue::Config(node) if field == FieldName::PERMISSION => {
            beginning(&serde_json::to_string(node).unwrap_or_default(), MOST_SHOWN)
        }
        // Structured values can hold secrets.
        FieldValue::Config(node) => match (node.as_list(), keys(node).as_slice()) {
            (Some(list), _) => words::count(list.len(), "item"),
            (None, []) => "empty".to_owned(),
            (None, keys) => beginning(&keys.join(", "), MOST_SHOWN),
        },
        value => serde_json::to_string(value).unwrap_or_default(),
    }
}

/// Lists the fields of an agent as they count: the usual ones first, the prompt last, and what is
/// lost of each behind it.
pub(crate) fn effective_fields<'a>(
    registry: &'a Registry,
    contender: &'a Contender,
) -> Vec<EffectiveField<'a>> {
    let Some(definition) = contender.definition.as_deref() else {
        return Vec::new();
    };
    let shown = registry.profile().rules.reading.shown;
    let set = definition.fields().map(|(field, _)| field);
    let usual = FIRST.into_iter().filter(|field| shown.contains(field));
    let mut order: Vec<FieldName> = Vec::new();
    let last = [FieldName::METADATA, FieldName::PROMPT];
    for field in usual.chain(set).chain(shown.iter().copied()) {
        if !order.contains(&field) && !last.contains(&field) {
            order.push(field);
        }
    }
    order.extend(last);
    order.extend(
        contender
            .lost
            .iter()
            .filter(|it| !order.contains(it))
            .copied()
            .collect::<Vec<_>>(),
    );
    let mut fields = Vec::new();
    for field in order {
        let is_lost = contender.lost.contains(&field);
        if is_lost {
            fields.push(lost(contender, field));
        }
        if field == FieldName::METADATA {
            fields.extend(metadata(contender, definition));
        } else if let Some(field) = one(registry, contender, definition, field) {
            let is_set = field.value.is_some();
            let is_name_again = field.field == FieldName::KEY
                && definition.text(FieldName::KEY) == definition.text(FieldName::NAME);
            if (!is_lost || is_set) && !is_name_again {
                fields.push(field);
            }
        }
    }
    fields
}

fn one<'a>(
    registry: &'a Registry,
    contender: &'a Contender,
    definition: &'a Definition,
    field: FieldName,
) -> Option<EffectiveField<'a>> {
    let located = definition.field(field);
    let merged = contender.merged.as_deref();
    let layer = merged.and_then(|it| it.layers.get(it.given_by.of(field)?));
    let given = match (located.map(|located| located.place), layer) {
        (None, _) if field == FieldName::PROMPT => {
            Given::PromptFile(prompt_file_of(registry.profile(), definition)?)
        }
        (None, _) => Given::Nobody,
        (Some(_), Some(Layer::Builtin)) => Given::Harness,
        (Some(Some(place)), _) => {
            let by = registry.giver(contender, field);
            Given::Written {
                by,
                at: FileView::of(by).position(place.value),
            }
        }
        (Some(None), _) if matches!(field, FieldName::NAME | FieldName::KEY) => {
            match contender.source.inside {
                Some(_) => Given::Written {
                    by: contender,
                    at: super::name_position(registry, contender),
                },
                None => Given::FileName,
            }
        }
        (Some(None), _) => Given::Default,
    };
    Some(EffectiveField {
        field,
        value: located.map(|located| &located.value),
        keys: Vec::new(),
        given,
    })
}

/// A field that is written, and of which the agent has nothing.
fn lost(contender: &Contender, field: FieldName) -> EffectiveField<'_> {
    let mut diagnostics = contender.diagnostics.iter();
    let cause = diagnostics.find(|it| it.field == Some(field));
    let at = cause.and_then(|it| FileView::of(contender).position(it.span?));
    EffectiveField {
        field,
        value: None,
        keys: Vec::new(),
        given: Given::Lost {
            at,
            why: cause.map_or("the harness does not take it", |it| &*it.message),
        },
    }
}

/// The keys that the agent keeps without a meaning.
fn metadata<'a>(
    contender: &'a Contender,
    definition: &'a Definition,
) -> Option<EffectiveField<'a>> {
    let (_, first) = definition.metadata.first()?;
    let at = first
        .place
        .and_then(|place| FileView::of(contender).position(place.key));
    Some(EffectiveField {
        field: FieldName::METADATA,
        value: None,
        keys: definition.metadata.keys().map(String::as_str).collect(),
        given: Given::Written { by: contender, at },
    })
}
