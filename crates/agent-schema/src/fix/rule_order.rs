//! Rules of which the last one that fits counts: their order, and what is lost when one map of them
//! takes the place of another.

use crate::definition::FieldName;
use crate::diagnostic::{Applicability, Diagnostic, Edit};
use crate::dialect::ToolDecision;
use crate::effects;
use crate::outcome::Parsed;
use crate::rules::{self, Rule};
use crate::source::Span;
use crate::value::{Entry, Mapping, Node, Style, Value};
use crate::writing::{Effect, effect_of, effect_word};

use super::quotes::quoted;
use super::tree::{readable, replace};
use super::values::Wrong;
use super::write::{may_hold_comment, may_hold_comment_in, scalar_like};
use super::{Patient, Proposal, Remedy};

/// What stands for every pattern.
const ANY: &str = "*";

/// The most maps in which the order is mended by one fix.
const MOST_MAPS: usize = 16;

/// Puts the rule that fits everything before the others, which have no effect above it.
pub(super) fn put_first(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let star = finding.related.first()?.span?;
    let (entry, map) = tree.map.entries.iter().find_map(|entry| {
        let map = map_with(&entry.value, star)?;
        let mut rules = map.as_map()?.entries.iter();
        let is_star = |rule: &Entry| rule.key.span == star && rule.key.as_text() == Some(ANY);
        rules.any(is_star).then_some((entry, map))
    })?;
    let mut changes = tree.may_change(entry);
    // Whatever key they stand under, it is the permissions that follow from them.
    changes.push((FieldName::PERMISSION, None));
    let proposal = Proposal {
        title: "put the rule for `*` before the others".to_owned(),
        edits: moved_to_top(patient, map, star)?,
        at_best: Applicability::Safe,
        changes,
    };
    patient.worth(finding, proposal)
}

/// Writes one rule for every pattern as the word that it says, where no patterns are taken.
pub(super) fn take_only_rule(patient: &Patient<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let tree = patient.tree()?;
    let wrong = Wrong::find(&tree, finding)?;
    let [rule] = wrong.node.as_map()?.entries.as_slice() else {
        return None;
    };
    let effect = effect_of(rule.value.as_text()?)?;
    if rule.key.as_text() != Some(ANY) || may_hold_comment(patient, wrong.node) {
        return None;
    }
    let word = scalar_like(&tree, &rule.value, effect_word(effect))?;
    let title = "write the only rule as a word".to_owned();
    let proposal = wrong.become_text(patient, title, word, Applicability::Safe);
    patient.worth(finding, proposal)
}

/// What is done with findings inside rules that come to light, and how it is told.
const SETTLING: [(&Rule, Remedy, &str); 2] = [
    (
        &rules::INVALID_VALUE,
        take_only_rule,
        "write single rules as words",
    ),
    (&rules::OVERRULED_RULE, put_first, "put rules for `*` first"),
];

/// Completes the renaming of a key whose rules come to light by it: they are written in the form
/// that the harness takes, a rule for everything before the others unless it then forbids less, and
/// what another key denies stays denied where these rules take the place of its own. A limit that
/// has no effect even so leaves the renaming unsure.
pub(super) fn settled(patient: &Patient<'_>, key: &str, renaming: Proposal) -> Proposal {
    let profile = patient.profile();
    let decision = profile.map(|profile| profile.rules.factory.start.tools);
    if !matches!(decision, Some(ToolDecision::Effects(_))) {
        return renaming;
    }
    let mut settled = renaming;
    for _ in 0..MOST_MAPS {
        let Some(better) = patient.with_further(&settled, |rest| {
            SETTLING.iter().find_map(|(rule, remedy, step)| {
                let findings = inside(rest, key, rule).into_iter();
                let mut proposals = findings.filter_map(|finding| remedy(rest, finding));
                let proposal = proposals.find(|proposal| !forbids_less(rest, proposal))?;
                Some(titled(&settled, proposal, step))
            })
        }) else {
            break;
        };
        settled = better;
    }
    let kept = patient.with_further(&settled, |rest| {
        let further = keep_denied(patient, rest, key)?;
        Some(titled(&settled, further, "keep what is denied"))
    });
    let settled = kept.unwrap_or(settled);
    match (has_dead_limit(patient, key, &settled), settled.at_best) {
        (true, Applicability::Safe) => Proposal {
            at_best: Applicability::Unsafe,
            ..settled
        },
        _ => settled,
    }
}

/// Returns the findings of a rule inside the value of a key.
fn inside<'p>(patient: &Patient<'p>, key: &str, rule: &Rule) -> Vec<&'p Diagnostic> {
    let tree = patient.tree();
    let value = tree.and_then(|tree| Some(tree.map.get(key)?.value.span));
    let is_inside = |finding: &&Diagnostic| {
        let inner = value.zip(finding.span);
        finding.rule == rule && inner.is_some_and(|(value, span)| value.cover(span) == value)
    };
    patient
        .parsed
        .diagnostics
        .iter()
        .filter(is_inside)
        .collect()
}

/// Returns whether the rules that follow from a proposal let something happen that those before do
/// not.
fn forbids_less(patient: &Patient<'_>, proposal: &Proposal) -> bool {
    let rules_of = |parsed: &Parsed| {
        let definition = patient.rules_in_force(readable(parsed)?);
        effects::rules_of(&definition, patient.profile()?)
    };
    let after = patient.after(&proposal.edits);
    match (
        after.as_deref().and_then(rules_of),
        rules_of(patient.parsed),
    ) {
        (Some(after), Some(before)) => effects::go_further(&after, &before),
        // Rules that could not be read forbade nothing.
        (Some(_), None) => false,
        _ => true,
    }
}

/// Returns whether a rule that limits the agent still has no effect after a proposal: one that
/// allows something is only told.
fn has_dead_limit(patient: &Patient<'_>, key: &str, settled: &Proposal) -> bool {
    let mut is_dead = false;
    patient.with_further(settled, |rest| {
        let overruled = inside(rest, key, &rules::OVERRULED_RULE).into_iter();
        // Rules of the harness itself that are overruled are no wish of the author.
        is_dead = overruled
            .filter(|finding| !finding.related.is_empty())
            .map(|finding| put_first(rest, finding))
            .any(|moved| moved.is_none_or(|moved| !forbids_less(rest, &moved)));
        None
    });
    is_dead
}

/// Adds a step to the title of a proposal, once.
fn titled(before: &Proposal, further: Proposal, step: &str) -> Proposal {
    let title = match before.title.contains(step) {
        true => before.title.clone(),
        false => format!("{}, and {step}", before.title),
    };
    Proposal { title, ..further }
}

/// Writes rules that were lost into the maps that took their place: as the first rule, for every
/// pattern.
fn keep_denied(before: &Patient<'_>, after: &Patient<'_>, key: &str) -> Option<Proposal> {
    let known = before.rules_in_force(readable(before.parsed)?);
    let known = effects::rules_of(&known, before.profile()?)?;
    let now = after.rules_in_force(readable(after.parsed)?);
    let now = effects::rules_of(&now, before.profile()?)?;
    if !effects::go_further(&now, &known) {
        return None;
    }
    let tree = after.tree()?;
    let entry = tree.map.get(key)?;
    let mut edits = Vec::new();
    for permission in &entry.value.as_map()?.entries {
        let (Some(action), Some(patterns)) = (permission.key.as_text(), permission.value.as_map())
        else {
            continue;
        };
        let mut lost = known.iter().rev().filter(|rule| {
            rule.action == action && rule.pattern == ANY && rule.effect < Effect::Allow
        });
        let lost = lost.next().filter(|rule| !now.contains(rule));
        if let (Some(rule), None) = (lost, patterns.get(ANY)) {
            edits.push(first_rule(after, &permission.value, patterns, rule.effect)?);
        }
    }
    let has_any = !edits.is_empty();
    has_any.then(|| Proposal {
        title: String::new(),
        edits,
        at_best: Applicability::Safe,
        changes: tree.may_change(entry),
    })
}

/// Makes the edit that writes a rule for every pattern before the others of a map.
fn first_rule(
    patient: &Patient<'_>,
    map: &Node,
    patterns: &Mapping,
    effect: Effect,
) -> Option<Edit> {
    let first = patterns.entries.first()?;
    let at = first.key.span.start;
    let quote = |text: &str| match first.value.style {
        Style::SingleQuoted => format!("'{text}'"),
        Style::DoubleQuoted => quoted(text),
        _ => text.to_owned(),
    };
    let rule = format!("{}: {}", quoted(ANY), quote(effect_word(effect)));
    let text = match map.style {
        Style::Block => {
            let (line, _) = patient.line_around(at);
            let indent = patient.written(Span::new(line, at));
            let is_indented = indent.chars().all(|c| c == ' ');
            is_indented.then(|| format!("{rule}{}{indent}", patient.line_end()))?
        }
        _ => {
            let (line, _) = patient.line_around(at);
            let before = patient.written(Span::new(line, at));
            match before.trim().is_empty() && line > map.span.start {
                true => format!("{rule},{}{before}", patient.line_end()),
                false => format!("{rule}, "),
            }
        }
    };
    Some(replace(Span::new(at, at), text))
}

/// Finds the map, at any depth, that has a key at some bytes.
fn map_with(node: &Node, key: Span) -> Option<&Node> {
    let Value::Map(map) = &node.value else {
        return None;
    };
    if map.entries.iter().any(|entry| entry.key.span == key) {
        return Some(node);
    }
    let mut below = map.entries.iter();
    below.find_map(|entry| map_with(&entry.value, key))
}

/// Makes the edits that put the entry with a key before all others of its map.
fn moved_to_top(patient: &Patient<'_>, map: &Node, key: Span) -> Option<Vec<Edit>> {
    let entries = &map.as_map()?.entries;
    let at = entries.iter().position(|entry| entry.key.span == key)?;
    let (first, moved) = (entries.first()?, &entries[at]);
    match map.style {
        Style::Block => {
            let first = with_comments(patient, line_of(patient, first)?);
            let line = with_comments(patient, line_of(patient, moved)?);
            let start = first.start;
            let text = patient.written(line).to_owned();
            Some(vec![
                replace(Span::new(start, start), text),
                replace(line, ""),
            ])
        }
        _ => {
            let whole = |entry: &Entry| Span::new(entry.key.span.start, entry.value.span.end);
            if let Some(edits) = json_line_to_top(patient, entries, at) {
                return Some(edits);
            }
            if may_hold_comment_in(patient, whole(first).cover(whole(moved))) {
                return None;
            }
            // Each takes the place of the one behind it, and the last the first place.
            let mut edits = vec![replace(whole(first), patient.written(whole(moved)))];
            for pair in entries[..=at].windows(2) {
                edits.push(replace(whole(&pair[1]), patient.written(whole(&pair[0]))));
            }
            Some(edits)
        }
    }
}

/// Makes the edits that move the line of an entry of JSON, if each entry has a line for itself.
fn json_line_to_top(patient: &Patient<'_>, entries: &[Entry], at: usize) -> Option<Vec<Edit>> {
    let lines: Option<Vec<Span>> = entries.iter().map(|it| line_of(patient, it)).collect();
    let lines = lines.filter(|_| patient.is_json())?;
    let (first, moved) = (lines.first()?, *lines.get(at)?);
    let end = entries[at].value.span.end;
    let line = patient.written(moved);
    let (head, tail) = line.split_at_checked((end - moved.start) as usize)?;
    let has_comma = tail.starts_with(',');
    let top = match has_comma {
        true => line.to_owned(),
        false => format!("{head},{tail}"),
    };
    let mut edits = vec![replace(Span::new(first.start, first.start), top)];
    if !has_comma {
        // The one before it is the last one then.
        let comma = entries[at - 1].value.span.end;
        let comma = Span::new(comma, comma + 1);
        edits.push((patient.written(comma) == ",").then(|| replace(comma, ""))?);
    }
    edits.push(replace(moved, ""));
    Some(edits)
}

/// Returns a line with the comments that stand right above it: they say what it is for.
fn with_comments(patient: &Patient<'_>, line: Span) -> Span {
    let mut start = line.start;
    while let Some(before) = start.checked_sub(1) {
        let (above, _) = patient.line_around(before);
        let is_comment = patient.written(Span::new(above, before));
        if !is_comment.trim_start().starts_with('#') {
            break;
        }
        start = above;
    }
    Span::new(start, line.end)
}

/// Returns the line of an entry, with its line end, if it has it for itself.
fn line_of(patient: &Patient<'_>, entry: &Entry) -> Option<Span> {
    let (start, end) = patient.line_around(entry.key.span.start);
    let indent = patient.written(Span::new(start, entry.key.span.start));
    let is_alone = indent.chars().all(|c| c == ' ') && entry.value.span.end <= end;
    let line_end = patient.line_end();
    let width = u32::try_from(line_end.len()).ok()?;
    let has_end = patient.written(Span::new(end, end + width)) == line_end;
    (is_alone && has_end).then(|| Span::new(start, end + width))
}
