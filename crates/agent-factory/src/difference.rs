//! Two definitions, compared by what they mean: whatever harness each was written for.

use agent_schema::vocabulary::{Subject, Tool};
use agent_schema::writing::{Effect, WritingRules, effect_word};
use agent_schema::{Definition, FieldName, Node, Span, Value, key_text};
use similar::{ChangeTag, TextDiff};

use crate::convert::{Meaning, Meant, Model, Reader, meanings};
use crate::rights::{ANYTHING_ELSE, Right, Rights, Said, View, is_called};

/// A definition that is compared.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'d> {
    /// Whose rules it was read by.
    pub reader: Reader,
    /// The definition.
    pub definition: &'d Definition,
    /// Its name, where that is not the definition's own.
    pub name: &'d str,
    /// Its prompt, where that stands in another file.
    pub prompt: Option<&'d str>,
}

/// What two definitions say differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The field; of a single tool `tools.` and its neutral name.
    pub field: String,
    /// What the first one says.
    pub left: Option<Side>,
    /// What the second one says.
    pub right: Option<Side>,
}

/// What one of two definitions says.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// What it says, in one line.
    pub text: String,
    /// The bytes that say it.
    pub span: Option<Span>,
}

/// Compares two definitions field by field. What is left out because it is so anyway is no
/// difference.
#[must_use]
pub fn differences(left: Compared<'_>, right: Compared<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    compare_names(left, right, &mut found);
    compare_fields(left, right, &mut found);
    compare_rights(left, right, &mut found);
    compare_unknown(left, right, &mut found);
    compare_prompts(left, right, &mut found);
    found
}

fn compare_names(left: Compared<'_>, right: Compared<'_>, found: &mut Vec<Difference>) {
    if left.name == right.name {
        return;
    }
    let side = |it: Compared<'_>| {
        let place = it.definition.place(FieldName::NAME);
        Some(Side {
            text: it.name.to_owned(),
            span: place.map(|place| place.value),
        })
    };
    found.push(Difference {
        field: FieldName::NAME.to_string(),
        left: side(left),
        right: side(right),
    });
}

fn meant(it: Compared<'_>) -> Vec<Meant<'_>> {
    let rules = &it.reader.profile.rules;
    meanings(it.definition, rules.writing, rules.factory.inherit_words)
}

fn compare_fields(left: Compared<'_>, right: Compared<'_>, found: &mut Vec<Difference>) {
    let (mine, theirs) = (meant(left), meant(right));
    for one in &mine {
        let other = theirs.iter().find(|other| other.known_as == one.known_as);
        let same = match other {
            Some(other) => other.meaning == one.meaning,
            None => says_nothing(&one.meaning),
        };
        if !same {
            found.push(Difference {
                field: one.known_as.to_string(),
                left: Some(side(one)),
                right: other.map(side),
            });
        }
    }
    for other in &theirs {
        let is_new = mine.iter().all(|one| one.known_as != other.known_as);
        if is_new && !says_nothing(&other.meaning) {
            found.push(Difference {
                field: other.known_as.to_string(),
                left: None,
                right: Some(side(other)),
            });
        }
    }
}

/// Returns whether a value says what is so without it.
fn says_nothing(meaning: &Meaning) -> bool {
    match meaning {
        Meaning::Flag(flag) => !flag,
        Meaning::Names(names) => names.is_empty(),
        Meaning::Text(text) => text.trim().is_empty(),
        Meaning::Model(model) => *model == Model::Inherited,
        Meaning::Number(_) | Meaning::Nested(_) => false,
    }
}

fn side(meant: &Meant<'_>) -> Side {
    let text = match &meant.meaning {
        Meaning::Text(text) => text.clone(),
        Meaning::Number(number) => number.to_string(),
        Meaning::Flag(flag) => flag.to_string(),
        Meaning::Names(names) if names.is_empty() => "none".to_owned(),
        Meaning::Names(names) => names.join(", "),
        Meaning::Model(model) => model.to_string(),
        Meaning::Nested(node) => nested(node),
    };
    Side {
        text,
        span: meant.value.place.map(|place| place.value),
    }
}

/// Shows the keys of something nested alone: it may hold secrets.
fn nested(node: &Node) -> String {
    match node.get() {
        Value::Map(map) => {
            let keys: Vec<String> = map
                .entries
                .iter()
                .map(|entry| key_text(&entry.key))
                .collect();
            format!("{{ {} }}", keys.join(", "))
        }
        Value::List(items) => format!("a list of {}", items.len()),
        _ => key_text(node),
    }
}

/// Compares what two definitions let an agent do.
pub(crate) fn differences_in_rights(left: Compared<'_>, right: Compared<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    compare_rights(left, right, &mut found);
    found
}

fn rights(it: Compared<'_>) -> (Rights, &'static WritingRules) {
    let writing = it.reader.profile.rules.writing;
    let rights = Rights::of(it.definition, &writing.access, View::Meant);
    (rights, writing)
}

fn compare_rights(left: Compared<'_>, right: Compared<'_>, found: &mut Vec<Difference>) {
    let ((mine, my_rules), (theirs, their_rules)) = (rights(left), rights(right));
    let mut subjects: Vec<Subject> = Vec::new();
    for tool in Tool::ALL {
        // What only one of the harnesses can do is told apart by no file.
        let both = my_rules.access.vocabulary.has(tool) && their_rules.access.vocabulary.has(tool);
        let named = |rights: &Rights| {
            let right = rights.named.get(&Subject::Tool(tool));
            right.is_some_and(|right| right.at.is_some())
        };
        if both || named(&mine) || named(&theirs) {
            subjects.push(Subject::Tool(tool));
        }
    }
    // A tool of a server may have a name there that could be any other's.
    let known = |subject: &Subject, others: &Rights, rules: &WritingRules| {
        let mut servers = others.named.keys();
        servers.any(|server| is_called(server, subject, &rules.access))
    };
    let my_others = mine.named.keys().filter(|it| !known(it, &theirs, my_rules));
    let their_others = theirs
        .named
        .keys()
        .filter(|it| !known(it, &mine, their_rules));
    for subject in my_others.chain(their_others) {
        // What is said of tools counts above.
        if !matches!(subject, Subject::Tool(_)) && !subjects.contains(subject) {
            subjects.push(subject.clone());
        }
    }
    // Only where both harnesses have words for it is never asking more than being allowed.
    let have_modes = !my_rules.access.modes.is_empty() && !their_rules.access.modes.is_empty();
    let same = |one: Effect, other: Effect| match have_modes {
        true => one == other,
        false => effect_word(one) == effect_word(other),
    };
    let mut field = |name: String, one: Side, other: Side| {
        found.push(Difference {
            field: name,
            left: Some(one),
            right: Some(other),
        });
    };
    if mine.said != theirs.said && (mine.rest != theirs.rest || mine.said == Said::None) {
        let side = |rights: &Rights, it: Compared<'_>, rules: &WritingRules| Side {
            text: said(rights),
            span: crate::convert::limit_span(it.definition, &rules.access),
        };
        field(
            FieldName::TOOLS.to_string(),
            side(&mine, left, my_rules),
            side(&theirs, right, their_rules),
        );
    }
    for subject in subjects {
        let one = mine.right_in(&subject, &my_rules.access);
        let other = theirs.right_in(&subject, &their_rules.access);
        if !same(one.effect, other.effect) || one.patterns != other.patterns {
            field(format!("tools.{subject}"), side_of(&one), side_of(&other));
        }
    }
    if !same(mine.rest, theirs.rest) {
        let side = |rights: &Rights| Side {
            text: word(rights.rest).to_owned(),
            span: rights.mode_at,
        };
        field(format!("tools.{ANYTHING_ELSE}"), side(&mine), side(&theirs));
    }
}

fn said(rights: &Rights) -> String {
    match rights.said {
        Said::Unset => "nothing is said".to_owned(),
        Said::None => "none".to_owned(),
        Said::All => "all".to_owned(),
        Said::Some => "some".to_owned(),
    }
}

fn side_of(right: &Right) -> Side {
    let mut text = word(right.effect).to_owned();
    for (pattern, effect) in &right.patterns {
        text.push_str(&format!(", `{pattern}` {}", word(*effect)));
    }
    Side {
        text,
        span: right.at,
    }
}

fn word(effect: Effect) -> &'static str {
    match effect {
        Effect::Deny => "no",
        Effect::Ask => "ask first",
        Effect::AskIfRisky => "ask if risky",
        Effect::Allow => "yes",
        Effect::NeverAsk => "yes, never ask",
    }
}

fn compare_unknown(left: Compared<'_>, right: Compared<'_>, found: &mut Vec<Difference>) {
    let (mine, theirs) = (&left.definition.metadata, &right.definition.metadata);
    let side = |value: &agent_schema::Located<Node>| Side {
        text: nested(&value.value),
        span: value.place.map(|place| place.value),
    };
    for key in mine
        .keys()
        .chain(theirs.keys().filter(|key| !mine.contains_key(*key)))
    {
        let (one, other) = (mine.get(key), theirs.get(key));
        let same = one
            .zip(other)
            .is_some_and(|(one, other)| one.value.same_content(&other.value));
        if !same {
            found.push(Difference {
                field: format!("metadata.{key}"),
                left: one.map(side),
                right: other.map(side),
            });
        }
    }
}

fn compare_prompts(left: Compared<'_>, right: Compared<'_>, found: &mut Vec<Difference>) {
    let text = |it: Compared<'_>| -> String {
        let prompt = it.prompt.or(it.definition.prompt()).unwrap_or_default();
        prompt
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .trim()
            .to_owned()
    };
    let (mine, theirs) = (text(left), text(right));
    if mine == theirs {
        return;
    }
    let diff = TextDiff::from_lines(&mine, &theirs);
    let count = |tag: ChangeTag| {
        diff.iter_all_changes()
            .filter(|change| change.tag() == tag)
            .count()
    };
    let first = |tag: ChangeTag| {
        let mut changes = diff.iter_all_changes();
        let change = changes.find(|change| change.tag() == tag);
        change.map(|change| change.value().trim().to_owned())
    };
    let side = |it: Compared<'_>, tag: ChangeTag, text: &str| {
        let only = match (count(tag), first(tag)) {
            (0, _) => "nothing but what both have".to_owned(),
            (1, Some(line)) => format!("1 line of its own: {line}"),
            (count, Some(line)) => format!("{count} lines of its own, the first: {line}"),
            (count, None) => format!("{count} lines of its own"),
        };
        Some(Side {
            text: match text {
                "" => "no prompt".to_owned(),
                _ => only,
            },
            span: it
                .definition
                .place(FieldName::PROMPT)
                .map(|place| place.value),
        })
    };
    found.push(Difference {
        field: FieldName::PROMPT.to_string(),
        left: side(left, ChangeTag::Delete, &mine),
        right: side(right, ChangeTag::Insert, &theirs),
    });
}
