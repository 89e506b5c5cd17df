//! What the value of a field means, apart from how a dialect writes it.

use agent_schema::value::{Entry, Int, Mapping, Style};
use agent_schema::writing::{ServerForm, Shape, WritingRules, WrittenField};
use agent_schema::{Definition, FieldName, FieldValue, Located, Node, Span, Value};

use super::models::{Model, model};

/// A value in neutral terms.
#[derive(Debug, Clone)]
pub(crate) enum Meaning {
    /// A text or word.
    Text(String),
    /// A number.
    Number(f64),
    /// A switch.
    Flag(bool),
    /// Names.
    Names(Vec<String>),
    /// A model.
    Model(Model),
    /// Something nested.
    Nested(Node),
}

impl PartialEq for Meaning {
    fn eq(&self, other: &Meaning) -> bool {
        match (self, other) {
            (Meaning::Text(one), Meaning::Text(other)) => same_text(one, other),
            (Meaning::Number(one), Meaning::Number(other)) => {
                one == other || (one.is_nan() && other.is_nan())
            }
            (Meaning::Flag(one), Meaning::Flag(other)) => one == other,
            (Meaning::Names(one), Meaning::Names(other)) => one == other,
            (Meaning::Model(one), Meaning::Model(other)) => one.is_same(other),
            (Meaning::Nested(one), Meaning::Nested(other)) => {
                written_part(one).same_content(&written_part(other))
            }
            _ => false,
        }
    }
}

/// Blanks around a text and the kind of its line ends mean nothing.
fn same_text(one: &str, other: &str) -> bool {
    let lines = |text: &str| {
        text.replace("\r\n", "\n")
            .replace('\r', "\n")
            .trim()
            .to_owned()
    };
    one == other || lines(one) == lines(other)
}

/// A field with its meaning.
#[derive(Debug, Clone)]
pub(crate) struct Meant<'d> {
    /// The field as the dialect has it.
    pub(crate) field: FieldName,
    /// The field as others know it.
    pub(crate) known_as: FieldName,
    /// The value as it was read.
    pub(crate) value: &'d Located<FieldValue>,
    /// What it means.
    pub(crate) meaning: Meaning,
    /// The word that people want for it.
    pub(crate) called: Option<String>,
}

/// Returns the written fields of a definition with their meanings, but for those that limit the
/// agent, those that follow from others, its name and its prompt.
pub(crate) fn meanings<'d>(
    definition: &'d Definition,
    rules: &WritingRules,
    inherit_words: &[&str],
) -> Vec<Meant<'d>> {
    let skipped = |field: &FieldName| {
        rules.derived.contains(field)
            || rules.access.fields.contains(field)
            || rules.access.mode.is_some_and(|(mode, _)| mode == *field)
            || matches!(*field, FieldName::NAME | FieldName::PROMPT | FieldName::KEY)
    };
    definition
        .fields()
        .filter(|(field, value)| value.place.is_some() && !skipped(field))
        .map(|(field, value)| {
            let written = rules.fields.iter().find(|written| written.field == field);
            Meant {
                field,
                known_as: written.map_or(field, |written| written.meaning),
                value,
                meaning: meaning(field, &value.value, written, rules, inherit_words),
                called: None,
            }
        })
        .collect()
}

fn meaning(
    field: FieldName,
    value: &FieldValue,
    written: Option<&WrittenField>,
    rules: &WritingRules,
    inherit_words: &[&str],
) -> Meaning {
    match value {
        FieldValue::Text(text) if field == FieldName::MODEL => {
            Meaning::Model(model(text, &rules.models, inherit_words))
        }
        FieldValue::Text(text) => {
            let words = written.map_or(&[][..], |written| written.words);
            let word = words.iter().find(|(_, own)| own.eq_ignore_ascii_case(text));
            let word = word.map_or(text.as_str(), |(neutral, _)| neutral);
            Meaning::Text(word.to_owned())
        }
        FieldValue::Integer(int) => Meaning::Number(number(int)),
        FieldValue::Number(number) => Meaning::Number(*number),
        FieldValue::Flag(flag) => Meaning::Flag(*flag),
        FieldValue::Names(names) => {
            Meaning::Names(names.iter().map(|name| name.text.clone()).collect())
        }
        FieldValue::Config(node) => {
            let shape = written.map(|written| written.shape);
            match (shape, &rules.servers) {
                (Some(Shape::Servers), Some(form)) => Meaning::Nested(servers(node, form)),
                _ => Meaning::Nested(Node::clone(node)),
            }
        }
        _ => Meaning::Names(Vec::new()),
    }
}

fn number(int: &Int) -> f64 {
    int.to_string().parse().unwrap_or(f64::INFINITY)
}

/// Makes a map from names to servers with neutral keys; a server that is only named is a text.
fn servers(node: &Node, form: &ServerForm) -> Node {
    let mut entries: Vec<Entry> = Vec::new();
    let mut add = |entry: &Entry| {
        entries.push(Entry {
            key: entry.key.clone(),
            value: server(&entry.value, form),
        });
    };
    match node.get() {
        Value::Map(map) => map.entries.iter().for_each(&mut add),
        Value::List(items) => {
            for item in items {
                match item.get() {
                    Value::Map(map) => map.entries.iter().for_each(&mut add),
                    _ => add(&Entry {
                        key: item.clone(),
                        value: item.clone(),
                    }),
                }
            }
        }
        _ => {}
    }
    map_node(entries, node.span)
}

fn server(node: &Node, form: &ServerForm) -> Node {
    let Some(map) = node.as_map() else {
        return node.clone();
    };
    let written = map
        .entries
        .iter()
        .filter(|entry| entry.value.style != Style::Default);
    let entries = written.map(|entry| {
        let key = entry.key.as_text().unwrap_or_default();
        let neutral = form.keys.iter().find(|(_, own)| *own == key);
        let Some((neutral, _)) = neutral else {
            return entry.clone();
        };
        let mut value = entry.value.resolved().clone();
        if *neutral == "transport"
            && let Some((word, _)) = form
                .transports
                .iter()
                .find(|(_, own)| value.as_text() == Some(own))
        {
            value.value = Value::Text((*word).into());
        }
        Entry {
            key: text_node(neutral, entry.key.span),
            value,
        }
    });
    map_node(entries.collect(), node.span)
}

/// Writes neutral servers in the form of a dialect. Returns the keys that have no place in it, with
/// their bytes.
pub(crate) fn write_servers(node: &Node, form: &ServerForm) -> (Node, Vec<(String, Span)>) {
    let mut lost = Vec::new();
    let mut written = Vec::new();
    for entry in node
        .as_map()
        .map(|map| map.entries.as_slice())
        .unwrap_or_default()
    {
        let name = entry.key.as_text().unwrap_or_default();
        let Some(map) = entry.value.as_map() else {
            match form.list {
                true => written.push(entry.value.clone()),
                false => lost.push((name.to_owned(), entry.key.span)),
            }
            continue;
        };
        let mut entries = Vec::new();
        for setting in &map.entries {
            let key = setting.key.as_text().unwrap_or_default();
            let own = form.keys.iter().find(|(neutral, _)| *neutral == key);
            let Some((_, own)) = own else {
                lost.push((format!("{name}.{key}"), setting.key.span));
                continue;
            };
            let mut value = setting.value.clone();
            if key == "transport" {
                let word = value.as_text().unwrap_or_default();
                match form.transports.iter().find(|(neutral, _)| *neutral == word) {
                    Some((_, own)) => value.value = Value::Text((*own).into()),
                    None => {
                        lost.push((format!("{name}.{key}"), setting.key.span));
                        continue;
                    }
                }
            }
            entries.push(Entry {
                key: text_node(own, setting.key.span),
                value,
            });
        }
        let server = Entry {
            key: entry.key.clone(),
            value: map_node(entries, entry.value.span),
        };
        written.push(map_node(vec![server], entry.key.span));
    }
    let node = match form.list {
        true => Node::new(Value::List(written), node.span, Style::Block),
        false => {
            let entries = written.iter().filter_map(Node::as_map);
            let entries = entries
                .flat_map(|map| map.entries.iter().cloned())
                .collect();
            map_node(entries, node.span)
        }
    };
    (node, lost)
}

/// Leaves out what is not written but a default. What is too large to be written out stays as it
/// is.
pub(crate) fn written_part(node: &Node) -> Node {
    let mut left = agent_schema::MOST_NODES;
    without_defaults(node, &mut left).unwrap_or_else(|| node.clone())
}

fn without_defaults(node: &Node, left: &mut u32) -> Option<Node> {
    *left = left.checked_sub(1)?;
    let value = match node.get() {
        Value::Map(map) => {
            let mut entries = Vec::new();
            for entry in &map.entries {
                if entry.value.style != Style::Default {
                    entries.push(Entry {
                        key: entry.key.clone(),
                        value: without_defaults(&entry.value, left)?,
                    });
                }
            }
            Value::Map(Mapping {
                entries,
                ..Mapping::default()
            })
        }
        Value::List(items) => {
            let items = items.iter().map(|item| without_defaults(item, left));
            Value::List(items.collect::<Option<_>>()?)
        }
        value => value.clone(),
    };
    Some(Node::new(value, node.span, node.style))
}

pub(crate) fn map_node(entries: Vec<Entry>, span: Span) -> Node {
    let map = Mapping {
        entries,
        ..Mapping::default()
    };
    Node::new(Value::Map(map), span, Style::Block)
}

pub(crate) fn text_node(text: &str, span: Span) -> Node {
    Node::new(Value::Text(text.into()), span, Style::Plain)
}
