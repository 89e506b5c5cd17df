//! The header of a patient as the tree that its rules read, and trials of edits to it.

use std::rc::Rc;

use crate::definition::{Definition, FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic, Edit};
use crate::dialect::ReadingRules;
use crate::header::Language;
use crate::header_lines;
use crate::outcome::{Outcome, Parsed};
use crate::parse::form_of;
use crate::source::Span;
use crate::value::{Entry, Mapping, Node, Style, Value};
use crate::yaml;

use super::trial::{brought_to_light, count, has_new_trouble};
use super::{Holder, Patient, Proposal, apply};

/// A header whose rules can read it as it stands.
pub(super) struct Tree<'a> {
    /// Its keys and values.
    pub(super) map: Mapping,
    /// The rules of the form in which it is written.
    pub(super) rules: &'a ReadingRules,
    /// Its language.
    pub(super) language: Language,
    /// How its map is written.
    pub(super) style: Style,
}

impl Tree<'_> {
    /// Finds the entry whose key stands at some bytes.
    pub(super) fn entry_at(&self, key: Option<Span>) -> Option<&Entry> {
        let key = key?;
        let mut entries = self.map.entries.iter().chain(&self.map.overwritten);
        entries.find(|entry| entry.key.span == key)
    }

    /// Finds the value that stands at some bytes, with the entry of the header that holds it.
    pub(super) fn value_at(&self, span: Option<Span>) -> Option<(&Entry, &Node)> {
        let span = span?;
        let mut entries = self.map.entries.iter();
        entries.find_map(|entry| Some((entry, node_at(&entry.value, span)?)))
    }

    /// Finds the entry, at any depth, whose value is a node of this tree.
    pub(super) fn holder_of(&self, node: &Node) -> Option<&Entry> {
        holder_of(&self.map, node)
    }

    /// Returns the fields that a key gives.
    pub(super) fn fields_of(&self, key: &str) -> Vec<FieldName> {
        let fields = self.rules.fields.iter();
        let gives = |aliases: &[&str], own: &str| own == key || aliases.contains(&key);
        fields
            .filter(|field| gives(field.aliases, field.key))
            .map(|field| field.target)
            .collect()
    }

    /// Returns the fields that an entry gives, as ones that may become anything.
    pub(super) fn may_change(&self, entry: &Entry) -> Vec<(FieldName, Option<FieldValue>)> {
        let fields = self.fields_of(entry.key.as_text().unwrap_or_default());
        fields.into_iter().map(|field| (field, None)).collect()
    }

    /// Returns whether a key, under any of its spellings, gives one of some fields.
    pub(super) fn has_any(&self, fields: &[FieldName]) -> bool {
        let given = |entry: &Entry| {
            let key = entry.key.as_text().unwrap_or_default();
            self.fields_of(key)
                .iter()
                .any(|field| fields.contains(field))
        };
        self.map.entries.iter().any(given)
    }
}

fn holder_of<'t>(map: &'t Mapping, node: &Node) -> Option<&'t Entry> {
    map.entries.iter().find_map(|entry| {
        let below = || holder_of(entry.value.as_map()?, node);
        match std::ptr::eq(&entry.value, node) {
            true => Some(entry),
            false => below(),
        }
    })
}

fn node_at(node: &Node, span: Span) -> Option<&Node> {
    if node.span == span || inside_quotes(node) == span {
        return Some(node);
    }
    match &node.value {
        Value::List(items) | Value::Set(items) => items.iter().find_map(|item| node_at(item, span)),
        Value::Map(map) => {
            let mut entries = map.entries.iter();
            entries.find_map(|entry| node_at(&entry.value, span))
        }
        _ => None,
    }
}

impl<'a> Patient<'a> {
    /// Reads the header; nothing if it has none, or if it must be mended before it can be read.
    pub(super) fn tree(&self) -> Option<Tree<'a>> {
        self.tree_by(&self.rules.yaml)
    }

    /// Reads the header by another reader of YAML.
    pub(super) fn tree_by(&self, flavor: &yaml::Flavor) -> Option<Tree<'a>> {
        if let Some(holder) = self.holder {
            self.charge(self.file.bytes)?;
            let (node, _) = holder.read(self.file.bytes)?;
            return self.tree_of(node, holder.language());
        }
        let text = self.text()?;
        let header = self.rules.header.split(&text).header?;
        let part = text.slice(header.text.clone());
        let root = match header.language {
            Language::Yaml => yaml::read(&part, flavor).ok()??,
            Language::Lines => header_lines::read(&part),
            _ => return None,
        };
        self.tree_of(root, header.language)
    }

    fn tree_of(&self, root: Node, language: Language) -> Option<Tree<'a>> {
        let style = root.style;
        let Value::Map(map) = root.value else {
            return None;
        };
        Some(Tree {
            rules: form_of(self.rules, &map),
            map,
            language,
            style,
        })
    }

    /// Returns whether the definition is written in JSON.
    pub(super) fn is_json(&self) -> bool {
        let language = self.holder.map(Holder::language);
        matches!(language, Some(Language::Json(_)))
    }

    /// Returns what stands at some bytes.
    pub(super) fn written(&self, span: Span) -> &'a str {
        let bytes = self.file.bytes.get(span.start as usize..span.end as usize);
        std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    }

    /// Returns where the line of a byte begins, and where it ends before its line end.
    pub(super) fn line_around(&self, at: u32) -> (u32, u32) {
        let at = at as usize;
        let (before, behind) = self.file.bytes.split_at(at.min(self.file.bytes.len()));
        let start = before.iter().rposition(|byte| *byte == b'\n');
        let start = start.map_or(0, |end| end + 1);
        let rest = behind.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let end = at + rest.unwrap_or(behind.len());
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        (offset(start), offset(end))
    }

    /// Returns the line end that the file uses.
    pub(super) fn line_end(&self) -> &'static str {
        match self.file.bytes.windows(2).any(|pair| pair == b"\r\n") {
            true => "\r\n",
            false => "\n",
        }
    }

    /// Reads the file as it is after some edits.
    pub(super) fn after(&self, edits: &[Edit]) -> Option<Rc<Parsed>> {
        self.read(&apply(self.file.bytes, edits)?)
    }

    /// Returns the values of the fields that a proposal may change and that could not be read
    /// before: what is wrong inside them was there all along.
    fn now_readable(&self, now: &Definition, proposal: &Proposal) -> Vec<Span> {
        let before = readable(self.parsed);
        let fields = proposal.changes.iter().map(|(field, _)| *field);
        let lost = fields.filter(|field| before.is_none_or(|it| it.place(*field).is_none()));
        lost.filter_map(|field| Some(now.place(field)?.value))
            .collect()
    }

    /// Returns a proposal if it mends the finding and makes nothing worse. One that gives rights is
    /// not safe.
    pub(super) fn worth(&self, finding: &Diagnostic, mut proposal: Proposal) -> Option<Proposal> {
        let after = self.after(&proposal.edits)?;
        let fewer = count(&after, finding.rule) < count(self.parsed, finding.rule);
        if !fewer || after.fate > self.parsed.fate || self.loses(&after, &proposal.changes) {
            return None;
        }
        let light = readable(&after).map(|now| {
            let mut light = brought_to_light(now, &proposal, &[finding.rule]);
            light.extend(self.now_readable(now, &proposal));
            light
        });
        let light = light.unwrap_or_default();
        if has_new_trouble(self.parsed, &after, &light) && after.outcome.definition().is_none() {
            return None;
        }
        if proposal.at_best == Applicability::Safe && self.widens_rights(&after) {
            proposal.at_best = Applicability::Unsafe;
        }
        Some(proposal)
    }
}

/// Returns what could be read of a file, whether it loads or not.
pub(super) fn readable(parsed: &Parsed) -> Option<&Definition> {
    match &parsed.outcome {
        Outcome::Loaded(definition) | Outcome::Rejected(definition) => Some(definition),
        Outcome::Ignored(_) => None,
    }
}

/// Makes the edit that replaces some bytes.
pub(super) fn replace(span: Span, text: impl Into<String>) -> Edit {
    Edit {
        span,
        text: text.into(),
    }
}

/// Returns the place inside the quotes of a scalar, or all of it if it has none.
pub(super) fn inside_quotes(node: &Node) -> Span {
    match node.style {
        Style::SingleQuoted | Style::DoubleQuoted if node.span.end >= node.span.start + 2 => {
            Span::new(node.span.start + 1, node.span.end - 1)
        }
        _ => node.span,
    }
}
