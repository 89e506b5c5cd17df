//! Nested settings as tables: which members an object has, their shapes and defaults.
//!
//! Hooks, MCP servers and condensers are objects inside a header. A harness checks them with a
//! schema of its own; here that schema is an [`Object`] table, and [`read`] applies it: it
//! checks every member, fills in the defaults, and reports what is dropped or refused with the
//! bytes that are meant.

use super::{Problem, Remarks, pydantic};
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::source::Span;
use crate::value::{Entry, Int, Mapping, Node, Style, Value};

/// The schema of an object.
#[derive(Debug)]
pub struct Object {
    /// What it is, for messages: `hook`, `MCP server`.
    pub name: &'static str,
    /// Its members, in the order in which they are written out.
    pub members: &'static [Member],
    /// What happens to other keys.
    pub unknown: Unknown,
    /// Rules over several members; gets the checked object with its defaults.
    pub check: fn(&Mapping) -> Result<(), String>,
}

/// One member of an object.
#[derive(Debug)]
pub struct Member {
    /// Its key.
    pub key: &'static str,
    /// Other keys that mean the same.
    pub aliases: &'static [&'static str],
    /// What its value must be.
    pub shape: Shape,
    /// What it is when it is not written.
    pub absent: Absent,
}

/// What a member is when it is not written.
#[derive(Debug)]
pub enum Absent {
    /// The object is refused.
    Refused,
    /// It does not appear.
    LeftOut,
    /// It is null.
    Null,
    /// It is a text.
    Text(&'static str),
    /// It is an integer.
    Int(i64),
    /// It is a number.
    Float(f64),
    /// It is a switch.
    Flag(bool),
    /// It is a switch that does not appear while it has this value, written or not.
    HiddenFlag(bool),
    /// It is an empty list.
    EmptyList,
}

/// What happens to a key that an object does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It is dropped without a word.
    Dropped,
    /// As [`Unknown::Dropped`], and these are often written.
    DroppedOf(&'static [OtherKey]),
    /// The object is refused.
    Refused,
    /// It is kept as it is.
    Kept,
}

/// A key of other harnesses that an object does not have.
#[derive(Debug, PartialEq, Eq)]
pub struct OtherKey {
    /// The key.
    pub key: &'static str,
    /// What comes of its being dropped, to follow it: `has no effect: the server stays on`.
    pub effect: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

/// What a value must be.
#[derive(Debug)]
pub enum Shape {
    /// A text.
    Text,
    /// A text with at least one character.
    FilledText,
    /// One of some texts.
    OneOf(&'static [&'static str]),
    /// An integer.
    Int,
    /// An integer of at least this size.
    IntFrom(i64),
    /// A number.
    Float,
    /// A number between two others, neither included.
    FloatBetween(f64, f64),
    /// A switch.
    Flag,
    /// A list.
    List(&'static Shape),
    /// A map from texts to texts.
    TextMap,
    /// A map from texts to texts that are secret: blank ones and the mask disappear.
    SecretMap,
    /// A map of any content.
    AnyMap,
    /// Null, or another shape.
    Optional(&'static Shape),
    /// An object.
    Object(&'static Object),
    /// An object whose schema depends on one of its members.
    Tagged {
        /// The member that decides.
        tag: &'static str,
        /// What the choice is called in messages.
        name: &'static str,
        /// The schemas by the member's text.
        choices: &'static [(&'static str, &'static Object)],
    },
}

/// A member that must be written.
#[must_use]
pub const fn required(key: &'static str, shape: Shape) -> Member {
    member(key, shape, Absent::Refused)
}

/// A member that may be left out or null.
#[must_use]
pub const fn optional(key: &'static str, shape: &'static Shape) -> Member {
    member(key, Shape::Optional(shape), Absent::LeftOut)
}

/// A member with a default.
#[must_use]
pub const fn member(key: &'static str, shape: Shape, absent: Absent) -> Member {
    Member {
        key,
        aliases: &[],
        shape,
        absent,
    }
}

/// The rule of an object without rules over several members.
///
/// # Errors
/// Never.
pub fn no_check(_: &Mapping) -> Result<(), String> {
    Ok(())
}

/// The most faults of one list or map that are told.
const MOST_FAULTS: usize = 16;

/// The faults of the parts of a value: the first one is what loses it, the others are told too.
#[derive(Default)]
pub(crate) struct Faults {
    first: Option<Problem>,
    further: usize,
}

impl Faults {
    /// Notes a part that cannot be read, and gives one that can.
    pub(crate) fn take<T>(
        &mut self,
        read: Result<T, Problem>,
        remarks: &mut Remarks<'_>,
    ) -> Option<T> {
        match read {
            Ok(value) => return Some(value),
            Err(problem) if self.first.is_none() => self.first = Some(problem),
            Err(problem) if self.further < MOST_FAULTS => {
                self.further += 1;
                remarks.further.push(problem);
            }
            Err(_) => {}
        }
        None
    }

    /// Returns the first fault, if there was any.
    pub(crate) fn settle(self) -> Result<(), Problem> {
        self.first.map_or(Ok(()), Err)
    }
}

/// Reads a part of a value; all of its problems are told as `named` makes them.
pub(crate) fn within<T>(
    remarks: &mut Remarks<'_>,
    named: impl Fn(Problem) -> Problem,
    read: impl FnOnce(&mut Remarks<'_>) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let known = remarks.further.len();
    let result = read(remarks);
    let further: Vec<Problem> = remarks.further.drain(known..).collect();
    remarks.further.extend(further.into_iter().map(&named));
    result.map_err(named)
}

/// Reads a value of a shape; the result has its defaults filled in.
///
/// # Errors
/// The first problem: such a value loses the whole file in the harnesses that use these tables.
/// Those of other parts are among the further ones of the remarks.
pub fn read(node: &Node, shape: &Shape, remarks: &mut Remarks<'_>) -> Result<Node, Problem> {
    let node = node.resolved();
    let refuse = |complaint: String| Problem::rejects(node.span, complaint);
    let keep = |value: Value| Node::new(value, node.span, node.style);
    match shape {
        Shape::Text => {
            pydantic::text(node).map_err(refuse)?;
            Ok(node.clone())
        }
        Shape::FilledText => {
            if pydantic::text(node).map_err(refuse)?.is_empty() {
                return Err(refuse("must not be empty".to_owned()));
            }
            Ok(node.clone())
        }
        Shape::OneOf(words) => match node.as_text() {
            Some(text) if words.contains(&text) => Ok(node.clone()),
            _ => Err(refuse(format!("must be one of {}", quoted_list(words)))),
        },
        Shape::Int => Ok(keep(Value::Int(pydantic::int(node).map_err(refuse)?))),
        Shape::IntFrom(least) => {
            let value = pydantic::int(node).map_err(refuse)?;
            if matches!(&value, Int::Small(value) if value < least)
                || matches!(&value, Int::Big(_) if !value.is_positive())
            {
                return Err(refuse(format!("must be at least {least}")));
            }
            Ok(keep(Value::Int(value)))
        }
        Shape::Float => Ok(keep(Value::Float(pydantic::float(node).map_err(refuse)?))),
        Shape::FloatBetween(low, high) => {
            let value = pydantic::float(node).map_err(refuse)?;
            if !(value > *low && value < *high) {
                return Err(refuse(format!("must lie between {low} and {high}")));
            }
            Ok(keep(Value::Float(value)))
        }
        Shape::Flag => Ok(keep(Value::Bool(pydantic::flag(node).map_err(refuse)?))),
        Shape::List(item) => {
            let items = match &node.value {
                Value::List(items) | Value::Set(items) => items,
                _ => {
                    return Err(refuse(format!(
                        "must be a list, not {}",
                        pydantic::article(node)
                    )));
                }
            };
            let mut faults = Faults::default();
            let mut kept = Vec::with_capacity(items.len());
            for node in items {
                let value = within(remarks, of_item, |remarks| read(node, item, remarks));
                kept.extend(faults.take(value, remarks));
            }
            faults.settle()?;
            Ok(keep(Value::List(kept)))
        }
        Shape::TextMap | Shape::SecretMap => {
            let map = expect_map(node)?;
            let mut kept = Mapping::default();
            let mut faults = Faults::default();
            for entry in &map.entries {
                let read = text_of_entry(entry);
                let Some((key, value)) = faults.take(read, remarks) else {
                    continue;
                };
                if matches!(shape, Shape::SecretMap) && is_no_secret(value) {
                    remarks.dropped(
                        entry.value.span,
                        format!("`{key}` is dropped, because its value is blank or a mask"),
                    );
                } else {
                    kept.entries.push(entry.clone());
                }
            }
            faults.settle()?;
            Ok(keep(Value::Map(kept)))
        }
        Shape::AnyMap => {
            expect_map(node)?;
            Ok(node.clone())
        }
        Shape::Optional(inner) => match node.value {
            Value::Null => Ok(node.clone()),
            _ => read(node, inner, remarks),
        },
        Shape::Object(object) => read_object(node, object, remarks),
        Shape::Tagged { tag, name, choices } => {
            let map = expect_map(node)?;
            let chosen = map
                .get(tag)
                .and_then(|entry| entry.value.as_text())
                .and_then(|text| choices.iter().find(|(word, _)| *word == text));
            let Some((_, object)) = chosen else {
                let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
                let span = map.get(tag).map_or(node.span, |entry| entry.value.span);
                return Err(Problem::rejects(
                    span,
                    format!(
                        "needs a `{tag}` that names a {name}: {}",
                        quoted_list(&words)
                    ),
                ));
            };
            read_object(node, object, remarks)
        }
    }
}

fn read_object(node: &Node, object: &Object, remarks: &mut Remarks<'_>) -> Result<Node, Problem> {
    let map = expect_map(node)?;
    let mut out = Mapping::default();
    let mut faults = Faults::default();
    for member in object.members {
        let written = std::iter::once(&member.key)
            .chain(member.aliases)
            .find_map(|key| map.get(key));
        match written {
            Some(entry) => {
                let named = |problem| name_member(problem, member.key);
                let value = within(remarks, named, |remarks| {
                    read(&entry.value, &member.shape, remarks)
                });
                let Some(value) = faults.take(value, remarks) else {
                    continue;
                };
                let hidden = match (&member.absent, &value.value) {
                    (Absent::HiddenFlag(default), Value::Bool(value)) => default == value,
                    (Absent::LeftOut, Value::Null) => true,
                    _ => false,
                };
                if !hidden {
                    out.entries.push(Entry {
                        key: Node::new(
                            Value::Text(member.key.into()),
                            entry.key.span,
                            entry.key.style,
                        ),
                        value,
                    });
                }
            }
            None => {
                if let Some(value) = default_value(&member.absent) {
                    out.entries
                        .push(default_entry(member.key, value, node.span));
                } else if matches!(member.absent, Absent::Refused) {
                    let complaint =
                        format!("has no `{}`, which the {} needs", member.key, object.name);
                    faults.take::<()>(Err(Problem::rejects(node.span, complaint)), remarks);
                }
            }
        }
    }
    for entry in &map.entries {
        let Some(key) = entry.key.as_text() else {
            faults.take::<()>(Err(not_text_key(&entry.key)), remarks);
            continue;
        };
        let known = object
            .members
            .iter()
            .any(|member| member.key == key || member.aliases.contains(&key));
        if known {
            continue;
        }
        match object.unknown {
            Unknown::Kept => out.entries.push(entry.clone()),
            Unknown::Dropped => remarks.dropped(entry.key.span, has_no_member(object, key)),
            Unknown::DroppedOf(others) => {
                let span = entry.key.span;
                match others.iter().find(|other| other.key == key) {
                    Some(other) => {
                        let message = format!("`{key}` {}", other.effect);
                        let finding = Diagnostic::new(&rules::DROPPED_SETTING, message);
                        remarks.lost(finding.at(span).help(other.help));
                    }
                    None => remarks.dropped(span, has_no_member(object, key)),
                }
            }
            Unknown::Refused => {
                let complaint =
                    format!("has the key `{key}`, which a {} does not have", object.name);
                faults.take::<()>(Err(Problem::rejects(entry.key.span, complaint)), remarks);
            }
        }
    }
    faults.settle()?;
    (object.check)(&out).map_err(|complaint| Problem::rejects(node.span, complaint))?;
    Ok(Node::new(Value::Map(out), node.span, node.style))
}

/// Returns the key and the value of an entry of which both are texts.
fn text_of_entry(entry: &Entry) -> Result<(&str, &str), Problem> {
    let key = entry.key.as_text();
    let key = key.ok_or_else(|| not_text_key(&entry.key))?;
    let value = pydantic::text(&entry.value);
    let value =
        value.map_err(|why| Problem::rejects(entry.value.span, format!("`{key}` {why}")))?;
    Ok((key, value))
}

fn default_value(absent: &Absent) -> Option<Value> {
    Some(match absent {
        Absent::Refused | Absent::LeftOut | Absent::HiddenFlag(_) => return None,
        Absent::Null => Value::Null,
        Absent::Text(text) => Value::Text((*text).into()),
        Absent::Int(value) => Value::Int(Int::Small(*value)),
        Absent::Float(value) => Value::Float(*value),
        Absent::Flag(value) => Value::Bool(*value),
        Absent::EmptyList => Value::List(Vec::new()),
    })
}

/// Makes an entry that is not written.
#[must_use]
pub fn default_entry(key: &str, value: Value, span: Span) -> Entry {
    Entry {
        key: Node::new(Value::Text(key.into()), span, Style::Default),
        value: Node::default_at(value, span),
    }
}

/// Returns the map, or the problem that it is none.
///
/// # Errors
/// If the node is no map.
pub fn expect_map(node: &Node) -> Result<&Mapping, Problem> {
    node.as_map().ok_or_else(|| {
        Problem::rejects(
            node.span,
            format!("must be a mapping, not {}", pydantic::article(node)),
        )
    })
}

/// Makes the problem of a key that is no text.
#[must_use]
pub fn not_text_key(key: &Node) -> Problem {
    Problem::rejects(
        key.span,
        format!("has a key that is {}", pydantic::article(key)),
    )
    .help("put the key in quotes")
}

fn has_no_member(object: &Object, key: &str) -> String {
    format!(
        "`{}` has no effect: the {} has no such member",
        super::shorten(key),
        object.name
    )
}

/// Puts the name of a member before a complaint that does not begin with one.
fn name_member(mut problem: Problem, key: &str) -> Problem {
    if !problem.complaint.starts_with('`') {
        problem.complaint = format!("`{key}` {}", problem.complaint);
    }
    problem
}

/// Says of a complaint that it is about an item of a list, unless it names a member of it.
fn of_item(mut problem: Problem) -> Problem {
    if !problem.complaint.starts_with('`') {
        problem.complaint = format!("has an item that {}", problem.complaint);
    }
    problem
}

/// A value that the harness takes for a secret that was blanked out.
fn is_no_secret(value: &str) -> bool {
    const MASK: &str = "**********";
    super::python::strip(value).is_empty() || value == MASK
}

/// Lists words for a message.
#[must_use]
pub fn quoted_list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
