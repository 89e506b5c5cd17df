//! Keys that are not the harness's own, stand twice, or are no texts.

use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::parse::{Likeness, is_prose, meant_key};
use crate::rules;
use crate::value::{Entry, Mapping, Node, Style, Value};
use crate::yaml::{DuplicateKeys, Flavor};

use super::rule_order;
use super::tree::{Tree, inside_quotes, readable, replace};
use super::write::removal;
use super::{Patient, Proposal};

/// Gives a key that has no effect the name by which the harness knows it.
pub(super) fn rename(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let entry = tree.entry_at(finding.span)?;
    let (ours, likeness) = meant_key(patient.dialect, tree.rules, entry.key.as_text()?)?;
    let at_best = match likeness {
        Likeness::Foreign | Likeness::Spelling => Applicability::Safe,
        Likeness::Letters => Applicability::Unsafe,
    };
    rename_to(patient, finding, &tree, entry, ours, at_best)
}

/// Takes signs out of a key that cannot be seen, or look like blanks.
pub(super) fn without_odd_signs(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let sign = finding.span?;
    let mut entries = tree.map.entries.iter();
    let entry = entries.find(|entry| entry.key.span.cover(sign) == entry.key.span)?;
    let mut fields = tree.rules.fields.iter();
    let field = fields.find(|field| Some(field.target) == finding.field)?;
    let key: String = entry
        .key
        .as_text()?
        .chars()
        .filter(char::is_ascii)
        .collect();
    let mut names = std::iter::once(field.key).chain(field.aliases.iter().copied());
    let ours = names.find(|known| *known == key.trim())?;
    rename_to(patient, finding, &tree, entry, ours, Applicability::Safe)
}

/// Gives a key that loses the file the name by which the harness knows what is meant.
pub(super) fn write_known(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let entry = tree.entry_at(finding.span)?;
    let ours = tree.rules.keys.reserved(entry.key.as_text()?)?.instead?;
    rename_to(patient, finding, &tree, entry, ours, Applicability::Safe)
}

fn rename_to(
    patient: &Patient<'_>,
    finding: &Diagnostic,
    tree: &Tree<'_>,
    entry: &Entry,
    ours: &'static str,
    at_best: Applicability,
) -> Option<Proposal> {
    let fields = tree.fields_of(ours);
    let is_meant_once = |other: &Entry| {
        let key = other.key.as_text().unwrap_or_default();
        let meant = meant_key(patient.dialect, tree.rules, key);
        std::ptr::eq(other, entry) || meant.is_none_or(|(other, _)| other != ours)
    };
    let is_free = tree.fields_of(entry.key.as_text()?).is_empty() && !tree.has_any(&fields);
    if !is_free || !tree.map.entries.iter().all(is_meant_once) || fields.is_empty() {
        return None;
    }
    let renaming = Proposal {
        title: format!("write the key as `{ours}`"),
        edits: vec![replace(inside_quotes(&entry.key), ours)],
        at_best,
        changes: fields.iter().map(|field| (*field, None)).collect(),
    };
    let renaming = with_own_word(patient, &fields, renaming);
    let mut proposal = rule_order::settled(patient, ours, renaming);
    let after = patient.after(&proposal.edits)?;
    let is_given = fields.iter().any(|field| {
        let place = readable(&after).and_then(|definition| definition.place(*field));
        place.is_some_and(|place| place.key.start == entry.key.span.start)
    });
    let is_sure = is_given && !holds_star(&entry.value);
    if !is_sure && proposal.at_best == Applicability::Safe {
        proposal.at_best = Applicability::Unsafe;
    }
    patient.worth(finding, proposal)
}

/// Completes the renaming of a key whose value is refused under its new name: it is written in the
/// harness's own words too, if that is known to mean the same.
fn with_own_word(patient: &Patient<'_>, fields: &[FieldName], renaming: Proposal) -> Proposal {
    let mut at_best = renaming.at_best;
    let both = patient.with_further(&renaming, |rest| {
        if rest.parsed.fate <= patient.parsed.fate {
            return None;
        }
        let mut findings = rest.parsed.diagnostics.iter();
        let finding = findings.find(|finding| {
            let is_inside = finding.field.is_some_and(|field| fields.contains(&field));
            is_inside && finding.severity == Severity::Error
        })?;
        let further = rest.remedies(finding).next()?;
        at_best = at_best.max(further.at_best);
        let title = format!("{}, and {}", renaming.title, further.title);
        Some(Proposal { title, ..further })
    });
    match both {
        Some(both) => Proposal { at_best, ..both },
        None => renaming,
    }
}

/// Returns whether a list holds a pattern: what fits it under one key may not under another.
fn holds_star(value: &Node) -> bool {
    let is_pattern =
        |text: &str| text.len() > 1 && text.split('(').next().is_some_and(|it| it.contains('*'));
    match value.get() {
        Value::Text(text) => text.split([',', ' ']).any(is_pattern),
        Value::List(items) => items.iter().filter_map(Node::as_text).any(is_pattern),
        _ => false,
    }
}

/// Removes the one of two equal keys that has no effect.
pub(super) fn remove_double(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let entry = tree.entry_at(finding.span)?;
    let mut counting = tree.map.entries.iter();
    let counts = counting.find(|other| other.key.same_content(&entry.key))?;
    remove_passed_over(patient, finding, &tree, entry, counts)
}

/// Removes the second of two equal keys that a reader of YAML refuses, if they say the same.
pub(super) fn remove_refused_double(
    patient: &Patient<'_>,
    finding: &Diagnostic,
) -> Option<Proposal> {
    let flavor = Flavor {
        duplicate_keys: DuplicateKeys::LastWins,
        ..patient.rules.yaml
    };
    let tree = patient.tree_by(&flavor)?;
    let second = tree.entry_at(finding.span)?;
    let Mapping { overwritten, .. } = &tree.map;
    let first = overwritten
        .iter()
        .find(|first| first.key.same_content(&second.key) && first.key.span != second.key.span)?;
    let is_same = first.value.same_content(&second.value);
    let proposal = Proposal {
        title: "remove the key that stands twice with the same value".to_owned(),
        edits: vec![removal(patient, &tree, second)?],
        at_best: Applicability::Safe,
        // Where a harness goes on without the header, the prompt was the whole file.
        changes: vec![(FieldName::PROMPT, None)],
    };
    is_same.then(|| patient.worth(finding, proposal))?
}

/// Removes a key that is passed over because another spelling of it counts.
pub(super) fn remove_beside_alias(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let entry = tree.entry_at(finding.span)?;
    let counts = tree.entry_at(finding.related.first()?.span)?;
    if counts.value.is_null() && !entry.value.is_null() {
        // The empty key is the one too many: without it the other one counts.
        let proposal = Proposal {
            title: "remove the empty key that hides the other one".to_owned(),
            edits: vec![removal(patient, &tree, counts)?],
            at_best: Applicability::Unsafe,
            changes: tree.may_change(entry),
        };
        return patient.worth(finding, proposal);
    }
    remove_passed_over(patient, finding, &tree, entry, counts)
}

fn remove_passed_over(
    patient: &Patient<'_>,
    finding: &Diagnostic,
    tree: &Tree<'_>,
    entry: &Entry,
    counts: &Entry,
) -> Option<Proposal> {
    let is_same = entry.value.same_content(&counts.value);
    let (title, at_best) = match is_same {
        true => (
            "remove the key that says the same again",
            Applicability::Safe,
        ),
        false => ("remove the key that has no effect", Applicability::Unsafe),
    };
    let proposal = Proposal {
        title: title.to_owned(),
        edits: vec![removal(patient, tree, entry)?],
        at_best,
        changes: Vec::new(),
    };
    patient.worth(finding, proposal)
}

/// Removes a key that has no effect here. Others may read it, so that nobody does this unasked.
pub(super) fn remove_inert(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    remove(patient, finding, "remove the key", Applicability::Unsafe)
}

/// Removes a key whose value is how JavaScript prints that there is none: a template filled it in.
pub(super) fn remove_undefined(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let (entry, node) = tree.value_at(finding.span)?;
    let is_undefined = node.style == Style::Plain && node.as_text() == Some("undefined");
    let is_whole = std::ptr::eq(node, &entry.value);
    let title = "remove the key: `undefined` stands for no value";
    (is_undefined && is_whole).then(|| remove(patient, finding, title, Applicability::Safe))?
}

/// Shows the file without a key that the harness does not know, unless what it holds is missed: a
/// limit, a prompt, or a line of one.
pub(super) fn show_without(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let key = tree.entry_at(finding.span)?.key.as_text();
    if finding.field.is_some() || key.is_some_and(is_prose) {
        return None;
    }
    let title = "remove the key, if no other program reads it";
    remove(patient, finding, title, Applicability::ShowOnly)
}

fn remove(
    patient: &Patient<'_>,
    finding: &Diagnostic,
    title: &str,
    at_best: Applicability,
) -> Option<Proposal> {
    let tree = patient.tree()?;
    let by_value = tree.value_at(finding.span).map(|(entry, _)| entry);
    let entry = tree.entry_at(finding.span).or(by_value)?;
    let proposal = Proposal {
        title: title.to_owned(),
        edits: vec![removal(patient, &tree, entry)?],
        at_best,
        changes: tree.may_change(entry),
    };
    patient.worth(finding, proposal)
}

/// Puts a key in quotes that would be no text without them.
pub(super) fn quote(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let key = &tree.entry_at(finding.span)?.key;
    let written = patient.written(key.span);
    let is_scalar = !matches!(
        key.get(),
        Value::List(_) | Value::Map(_) | Value::Set(_) | Value::Pairs(_) | Value::Binary(_)
    );
    let loses_file = finding.severity == rules::KEY_NOT_TEXT.severity;
    if !is_scalar || !loses_file || key.style != Style::Plain || written.is_empty() {
        return None;
    }
    let proposal = Proposal {
        title: "put the key in quotes".to_owned(),
        edits: vec![replace(key.span, patient.quoted(written))],
        at_best: Applicability::Safe,
        changes: Vec::<(FieldName, Option<FieldValue>)>::new(),
    };
    patient.worth(finding, proposal)
}

/// Shows a key that the harness's own code cannot take under another name.
pub(super) fn show_renamed(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let key = &tree.entry_at(finding.span)?.key;
    let renamed = format!("x-{}", key.as_text()?);
    let proposal = Proposal {
        title: "give the key another name".to_owned(),
        edits: vec![replace(inside_quotes(key), renamed)],
        at_best: Applicability::ShowOnly,
        changes: Vec::new(),
    };
    patient.worth(finding, proposal)
}
