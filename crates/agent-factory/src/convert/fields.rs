//! The fields of an agent, each under the key and in the form of the other harness.

use agent_schema::dialect::Absent;
use agent_schema::render::Comments;
use agent_schema::tool_rules::without_rule;
use agent_schema::value::{Int, Style};
use agent_schema::vocabulary::{Subject, Tool};
use agent_schema::writing::{
    Effect, FileForm, KeptKeys, NameStands, Shape, WritingRules, WrittenField,
};
use agent_schema::{Definition, FieldName, FieldValue, Located, Node, Severity, Span, Value};

use super::meaning::{Meaning, Meant, meanings, text_node, write_servers, written_part};
use super::models::{self, Model};
use super::names::{Named, named};
use super::{
    Agent, ConvertOptions, LossCode, Notes, Reader, Refusal, RefusalCode, WrittenFile, access,
};
use crate::rights::{Rights, View};

/// What is to be written.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// The name and the path.
    pub(crate) named: Named,
    /// The keys with their values, in order.
    pub(crate) entries: Vec<DraftEntry>,
    /// The comments around what is nested in the values.
    pub(crate) around: Comments,
    /// The prompt.
    pub(crate) prompt: String,
    /// The files, once they are written.
    pub(crate) files: Vec<WrittenFile>,
}

/// A key with its value.
#[derive(Debug, Clone)]
pub(crate) struct DraftEntry {
    /// The key.
    pub(crate) key: String,
    /// The value.
    pub(crate) node: Node,
    /// The field of the source that it comes from.
    pub(crate) source: FieldName,
    /// The bytes of that field.
    pub(crate) span: Option<Span>,
    /// The field that it is read as.
    pub(crate) target: FieldName,
    /// Whether the agent can be written without it.
    pub(crate) droppable: bool,
    /// The comments above it.
    pub(crate) comments: Vec<String>,
}

/// Makes the keys and values of an agent.
pub(crate) fn draft(
    agent: &Agent<'_>,
    definition: &Definition,
    to: Reader,
    options: ConvertOptions<'_>,
    notes: &mut Notes,
) -> Result<Draft, Refusal> {
    let from = agent.from.writing();
    let writing = to.writing();
    let name_place = definition.place(FieldName::NAME).map(|place| place.value);
    let named = named(agent, name_place, to, notes);
    let mut made: Vec<DraftEntry> = Vec::new();
    for meant in wanted(agent, definition, to, options) {
        if let Some(entry) = entry(&meant, agent, to, options, notes)? {
            made.push(entry);
        }
    }
    if writing.names.stands == NameStands::Key {
        made.push(required(FieldName::NAME, "name", &named.name, name_place));
    }
    describe(definition, &named, to, &mut made, notes);
    note_former(definition, agent, notes);
    if !options.allow_widening {
        leave_out_adding(definition, agent, to, &mut made, notes);
    }
    let mut meant = Rights::of(definition, &from.access, View::Meant);
    if options.allow_widening {
        meant = relaxed(meant);
    }
    let span = access::limit_span(definition, &from.access);
    let limits = match super::same_rules(agent.from, to) {
        true => same_limits(definition, writing, agent),
        false => access::write(
            &meant,
            &from.access,
            to,
            options.allow_widening,
            span,
            notes,
        )?,
    };
    let limits = limits.into_iter().map(|(key, node)| DraftEntry {
        key,
        node,
        source: FieldName::TOOLS,
        span,
        target: FieldName::TOOLS,
        droppable: false,
        comments: Vec::new(),
    });
    let mut entries = Vec::new();
    let mut limits = Some(limits);
    for field in writing.fields {
        if field.field == FieldName::MODEL {
            entries.extend(limits.take().into_iter().flatten());
        }
        let of_field = made.iter().position(|entry| entry.key == field.key);
        if let Some(at) = of_field {
            entries.push(made.remove(at));
        }
    }
    entries.extend(limits.take().into_iter().flatten());
    // What limits the agent counts before a field that happens to have the same key.
    let guarded: Vec<String> = entries
        .iter()
        .filter(|entry| !entry.droppable)
        .map(|entry| entry.key.clone())
        .collect();
    entries.retain(|entry| !entry.droppable || !guarded.contains(&entry.key));
    keep_unknown(agent, definition, to, &mut entries, notes);
    Ok(Draft {
        named,
        entries,
        around: Comments::new(),
        prompt: agent
            .prompt(definition)
            .trim_end_matches(['\r', '\n'])
            .to_owned(),
        files: Vec::new(),
    })
}

/// Returns what the fields of an agent mean, and what people want them to be called there.
fn wanted<'d>(
    agent: &Agent<'_>,
    definition: &'d Definition,
    to: Reader,
    options: ConvertOptions<'_>,
) -> Vec<Meant<'d>> {
    let inherit = agent.from.profile.rules.factory.inherit_words;
    let mut all = meanings(definition, agent.from.writing(), inherit);
    for meant in &mut all {
        models::call(meant, options.models, to);
    }
    all
}

/// Tells of tools that the harness of the source has no longer: its agent does not get them either.
fn note_former(definition: &Definition, agent: &Agent<'_>, notes: &mut Notes) {
    let vocabulary = agent.from.writing().access.vocabulary;
    for name in definition.names(FieldName::TOOLS) {
        if vocabulary.is_former(without_rule(&name.text)) {
            let message = format!(
                "`{}` leads to no tool in {} any more, and is left out",
                name.text,
                agent.from.title()
            );
            notes.change(FieldName::TOOLS.as_str(), name.span, message);
        }
    }
}

/// Leaves out a field with which the harness would give tools that the agent must not have.
fn leave_out_adding(
    definition: &Definition,
    agent: &Agent<'_>,
    to: Reader,
    made: &mut Vec<DraftEntry>,
    notes: &mut Notes,
) {
    let Some((field, tools)) = to.writing().access.adding else {
        return;
    };
    let meant = Rights::of(definition, &agent.from.writing().access, View::Meant);
    let may_not = |tool: &&Tool| meant.effect(&Subject::Tool(**tool)) < Effect::Allow;
    let Some(at) = made.iter().position(|entry| entry.target == field) else {
        return;
    };
    if super::same_rules(agent.from, to) {
        return;
    }
    if let Some(tool) = tools.iter().find(may_not) {
        let entry = made.remove(at);
        let message = format!("{} would give it `{tool}` with `{}`", to.title(), entry.key);
        notes.lose(
            LossCode::GivesMore,
            entry.source.as_str(),
            Severity::Warning,
            entry.span,
            message,
        );
    }
}

/// Makes every limit as wide as it must be for those who insist.
fn relaxed(mut rights: Rights) -> Rights {
    for right in rights.named.values_mut() {
        if right.most() > Effect::Deny {
            right.effect = Effect::Allow;
            right.patterns.clear();
        }
    }
    if rights.rest > Effect::Deny {
        rights.rest = Effect::Allow;
    }
    rights
}

/// The limits of an agent that stays with its harness, as they are written.
fn same_limits(
    definition: &Definition,
    writing: &WritingRules,
    agent: &Agent<'_>,
) -> access::Entries {
    let reading = &agent.from.profile.rules.reading;
    let mut keys: Vec<&str> = Vec::new();
    let mut entries = Vec::new();
    let mode = writing.access.mode.map(|(field, _)| field);
    for target in writing.access.fields.iter().copied().chain(mode) {
        let field = reading.fields.iter().find(|field| field.target == target);
        let Some((field, value)) = field.zip(definition.field(target)) else {
            continue;
        };
        if value.place.is_none() || keys.contains(&field.key) {
            continue;
        }
        keys.push(field.key);
        let node = match &value.value {
            FieldValue::Names(names) => {
                let names: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
                let shape = writing
                    .access
                    .lists
                    .map_or(Shape::List, |lists| lists.allow.1);
                match names.is_empty() {
                    true => Node::new(Value::List(Vec::new()), Span::default(), Style::Flow),
                    false => access::list(&names, shape),
                }
            }
            FieldValue::Everything => text_node("*", Span::default()),
            FieldValue::Text(text) => text_node(text, Span::default()),
            FieldValue::Flag(flag) => Node::new(Value::Bool(*flag), Span::default(), Style::Plain),
            FieldValue::Config(node) => written_part(node),
            _ => continue,
        };
        entries.push((field.key.to_owned(), node));
    }
    entries
}

fn required(field: FieldName, key: &str, text: &str, span: Option<Span>) -> DraftEntry {
    DraftEntry {
        key: key.to_owned(),
        node: text_node(text, Span::default()),
        source: field,
        span,
        target: field,
        droppable: false,
        comments: Vec::new(),
    }
}

/// Gives a description to an agent without one where the harness asks for it.
fn describe(
    definition: &Definition,
    named: &Named,
    to: Reader,
    made: &mut Vec<DraftEntry>,
    notes: &mut Notes,
) {
    let field = FieldName::DESCRIPTION;
    let mut fields = to.profile.rules.reading.fields.iter();
    let needs =
        fields.any(|known| known.target == field && matches!(known.absent, Absent::Loses(_)));
    let written = to
        .writing()
        .fields
        .iter()
        .find(|written| written.field == field);
    if let (true, Some(written)) = (needs, written)
        && definition.description().trim().is_empty()
    {
        made.retain(|entry| entry.key != written.key);
        made.push(required(field, written.key, &named.name, None));
        let message = format!(
            "{} needs a description, and the name is written for it",
            to.title()
        );
        notes.change(field.as_str(), None, message);
    }
}

/// Writes one field; nothing if it is lost or need not be said.
fn entry(
    meant: &Meant<'_>,
    agent: &Agent<'_>,
    to: Reader,
    options: ConvertOptions<'_>,
    notes: &mut Notes,
) -> Result<Option<DraftEntry>, Refusal> {
    let place = meant.value.place;
    let span = place.map(|place| place.key.cover(place.value));
    let key = agent.key_of(meant.field);
    let title = to.title();
    let writing = to.writing();
    guard_hooks(meant, agent, to, options, span, notes)?;
    let target = writing
        .fields
        .iter()
        .find(|field| field.meaning == meant.known_as);
    let Some(target) = target else {
        // A switch that is off says what is so anyway.
        if meant.meaning != Meaning::Flag(false) {
            let message = format!("{title} has no word for `{key}`");
            let (field, weight) = (meant.field.as_str(), weight(meant.known_as));
            notes.lose(LossCode::NoKey, field, weight, span, message);
        }
        return Ok(None);
    };
    let node = match node(meant, target, agent, to, notes) {
        Made::Value(node) => node,
        Made::Nothing => return Ok(None),
        Made::Lost(why) => {
            let code = match meant.meaning {
                Meaning::Model(_) => LossCode::NoModel,
                _ => LossCode::NoValue,
            };
            let (field, weight) = (meant.field.as_str(), weight(meant.known_as));
            notes.lose(code, field, weight, span, why);
            return Ok(None);
        }
    };
    Ok(Some(DraftEntry {
        key: target.key.to_owned(),
        node,
        source: meant.field,
        span,
        target: target.field,
        droppable: meant.known_as != FieldName::DESCRIPTION,
        comments: Vec::new(),
    }))
}

/// How much the loss of a field matters.
fn weight(field: FieldName) -> Severity {
    const LOOKS: [FieldName; 2] = [FieldName::COLOR, FieldName::of_dialect("display_name")];
    match LOOKS.contains(&field) {
        true => Severity::Info,
        false => Severity::Warning,
    }
}

/// A hook may keep an agent from using a tool; without it the agent would go further.
fn guard_hooks(
    meant: &Meant<'_>,
    agent: &Agent<'_>,
    to: Reader,
    options: ConvertOptions<'_>,
    span: Option<Span>,
    notes: &mut Notes,
) -> Result<(), Refusal> {
    let (from, to_hooks) = (agent.from.writing().hooks, to.writing().hooks);
    let (FieldName::HOOKS, Some(from)) = (meant.field, from) else {
        return Ok(());
    };
    let Meaning::Nested(node) = &meant.meaning else {
        return Ok(());
    };
    let node = written_part(node);
    let events = node
        .as_map()
        .map(|map| map.entries.as_slice())
        .unwrap_or_default();
    let guarding = events.iter().filter_map(|event| event.key.as_text());
    let first = guarding
        .into_iter()
        .find(|event| from.guarding.contains(event));
    let Some(event) = first.filter(|_| to_hooks != Some(from)) else {
        return Ok(());
    };
    let message = format!(
        "a hook for `{event}` can keep the agent from using a tool, and {} cannot run it",
        to.title()
    );
    if !options.allow_widening {
        return Err(Refusal::new(RefusalCode::Hook, message)
            .about(meant.field.as_str(), span)
            .help("`--allow-widening` writes the agent without the hook"));
    }
    notes.losses.push(super::Loss {
        code: LossCode::Hook,
        field: meant.field.to_string(),
        severity: Severity::Error,
        span,
        message,
        widens: true,
    });
    Ok(())
}

/// What becomes of a value.
pub(crate) enum Made {
    /// It is written so.
    Value(Node),
    /// It need not be said.
    Nothing,
    /// It is lost, for this reason.
    Lost(String),
}

fn node(
    meant: &Meant<'_>,
    target: &WrittenField,
    agent: &Agent<'_>,
    to: Reader,
    notes: &mut Notes,
) -> Made {
    let title = to.title();
    let place = meant.value.place;
    let span = place.map(|place| place.value);
    let key = agent.key_of(meant.field);
    match &meant.meaning {
        Meaning::Model(model) => models::made(model, meant, agent, to, notes),
        Meaning::Text(text) => {
            let word = target.words.iter().find(|(neutral, _)| neutral == text);
            match word {
                Some((_, own)) => {
                    if own != text
                        && agent.from.writing().fields.iter().all(|field| {
                            field.field != meant.field || !field.words.contains(&(text, own))
                        })
                    {
                        notes.change(
                            meant.field.as_str(),
                            span,
                            format!("`{text}` is written `{own}`"),
                        );
                    }
                    Made::Value(text_node(own, Span::default()))
                }
                None if target.only_words => Made::Lost(format!(
                    "{title} has no such `{}` as `{}`",
                    target.key,
                    shorten(text)
                )),
                None => Made::Value(text_node(text, Span::default())),
            }
        }
        Meaning::Number(number) if !number.is_finite() => {
            Made::Lost(format!("`{key}` holds no number that can be written"))
        }
        Meaning::Number(number) => {
            const WHOLE: f64 = 1e15;
            let value = match &meant.value.value {
                FieldValue::Integer(int) => Value::Int(int.clone()),
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "it is whole and small enough"
                )]
                _ if number.fract() == 0.0 && number.abs() < WHOLE => {
                    Value::Int(Int::Small(*number as i64))
                }
                _ => Value::Float(*number),
            };
            Made::Value(Node::new(value, Span::default(), Style::Plain))
        }
        Meaning::Flag(flag) => {
            Made::Value(Node::new(Value::Bool(*flag), Span::default(), Style::Plain))
        }
        Meaning::Names(names) => {
            if target.shape == Shape::CommaText
                && let Some(name) = names.iter().find(|name| name.contains([',', '\n']))
            {
                return Made::Lost(format!(
                    "`{}` cannot stand in a list with commas",
                    shorten(name)
                ));
            }
            if !matches!(target.shape, Shape::CommaText | Shape::List) {
                return Made::Lost(format!("{title} takes no names for `{}`", target.key));
            }
            match names.is_empty() {
                true => Made::Nothing,
                false => Made::Value(list_of(&meant.value.value, names, target.shape)),
            }
        }
        Meaning::Nested(node) => match target.shape {
            Shape::Servers => {
                let Some(form) = &to.writing().servers else {
                    return Made::Lost(format!("{title} has no servers for one agent"));
                };
                let (node, lost) = write_servers(node, form);
                for (name, span) in lost {
                    let message = format!("{title} has no word for `{name}` of a server");
                    let (field, span) = (meant.field.as_str(), Some(span));
                    notes.lose(
                        LossCode::ServerSetting,
                        field,
                        Severity::Warning,
                        span,
                        message,
                    );
                }
                let is_empty = match node.get() {
                    Value::List(items) => items.is_empty(),
                    Value::Map(map) => map.entries.is_empty(),
                    _ => false,
                };
                match is_empty {
                    true => Made::Nothing,
                    false => Made::Value(written_part(&node)),
                }
            }
            Shape::Hooks if to.writing().hooks != agent.from.writing().hooks => {
                Made::Lost(format!(
                    "{title} cannot run these hooks, which get and give their answers in the form of {}",
                    agent.from.title()
                ))
            }
            _ if to.writing().form.is_lines() => {
                Made::Lost(format!("{title} takes one line for `{}`", target.key))
            }
            _ => Made::Value(written_part(node)),
        },
    }
}

/// Writes names in the form of a list; those that stay as they are keep their places.
fn list_of(value: &FieldValue, names: &[String], shape: Shape) -> Node {
    let mut list = access::list(names, shape);
    if let (FieldValue::Names(written), Value::List(items)) = (value, &mut list.value)
        && written.len() == items.len()
    {
        for (item, name) in items.iter_mut().zip(written) {
            item.span = name.span.unwrap_or_default();
        }
    }
    list
}

pub(crate) fn shorten(text: &str) -> String {
    agent_schema::coerce::shorten(text)
}

/// Keeps the keys that neither harness knows.
fn keep_unknown(
    agent: &Agent<'_>,
    definition: &Definition,
    to: Reader,
    entries: &mut Vec<DraftEntry>,
    notes: &mut Notes,
) {
    let (from, writing) = (agent.from.writing(), to.writing());
    let reading = &to.profile.rules.reading;
    for (key, value) in &definition.metadata {
        let span = value.place.map(|place| place.key.cover(place.value));
        let is_plain = matches!(
            value.value.get(),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_)
        );
        let means_something = reading
            .fields
            .iter()
            .any(|field| field.key == key || field.aliases.contains(&key.as_str()))
            || reading.keys.reserved(key).is_some()
            || reading.keys.inert.iter().any(|(word, _)| word == key);
        let fits = from.unknown == writing.unknown
            && writing.unknown != KeptKeys::Nothing
            && !means_something
            && (is_plain || !writing.form.is_lines());
        if fits {
            entries.push(DraftEntry {
                key: key.clone(),
                node: written_part(&value.value),
                source: FieldName::METADATA,
                span,
                target: FieldName::METADATA,
                droppable: true,
                comments: Vec::new(),
            });
        } else {
            let message = match from.unknown {
                KeptKeys::Settings => format!(
                    "{} hands `{key}` to the model, and {} does not",
                    agent.from.title(),
                    to.title()
                ),
                _ => format!("{} keeps no `{key}`", to.title()),
            };
            notes.lose(
                LossCode::UnknownKey,
                FieldName::METADATA.as_str(),
                Severity::Warning,
                span,
                message,
            );
        }
    }
}

/// Lists the fields that are read otherwise than they were meant.
pub(crate) fn compare(
    agent: &Agent<'_>,
    definition: &Definition,
    read: &Definition,
    to: Reader,
    options: ConvertOptions<'_>,
    notes: &mut Notes,
) {
    let there = meanings(read, to.writing(), to.profile.rules.factory.inherit_words);
    for meant in wanted(agent, definition, to, options) {
        let field = meant.field.as_str();
        let arrived = there.iter().find(|other| other.known_as == meant.known_as);
        let same = match arrived {
            Some(other) => other.meaning == meant.meaning,
            None => {
                matches!(
                    &meant.meaning,
                    Meaning::Flag(false) | Meaning::Model(Model::Inherited)
                ) || matches!(&meant.meaning, Meaning::Names(names) if names.is_empty())
                    || matches!(&meant.meaning, Meaning::Text(text) if text.trim().is_empty())
            }
        };
        if !same && !notes.has_loss_of(field) {
            let span = meant.value.place.map(|place| place.key.cover(place.value));
            let key = agent.key_of(meant.field);
            let message = format!("{} reads `{key}` otherwise than it was meant", to.title());
            let weight = weight(meant.known_as);
            notes.lose(LossCode::ReadOtherwise, field, weight, span, message);
        }
    }
    let one = Meaning::Text(agent.prompt(definition).to_owned());
    let other = Meaning::Text(match to.writing().form {
        FileForm::RosterEntry { .. } => agent.prompt(definition).to_owned(),
        _ => read.prompt().unwrap_or_default().to_owned(),
    });
    if one != other {
        let span = definition.place(FieldName::PROMPT).map(|place| place.value);
        let message = format!("{} reads another prompt than was meant", to.title());
        let field = FieldName::PROMPT.as_str();
        notes.lose(
            LossCode::ReadOtherwise,
            field,
            Severity::Warning,
            span,
            message,
        );
    }
}

/// Returns the bytes of a field.
pub(crate) fn span_of<T>(value: &Located<T>) -> Option<Span> {
    value.place.map(|place| place.key.cover(place.value))
}
