//! Lines that look like settings: no safe fix makes text of one.
//!
//! A line that has lost its colon, its indentation or a letter is text to a reader of YAML. If a
//! fix made it part of a description, what it was meant to limit would be gone without a word. So
//! after every trial the texts of the mended header are searched for such lines.

use std::collections::BTreeSet;

use super::chunks::{is_dialogue, is_word, key_line};
use super::tree::Tree;
use super::{Patient, Proposal, apply};
use crate::definition::FieldName;
use crate::dialects;
use crate::parse::{File, LIMITS, field_keys};
use crate::suggest::{is_spelling, nearest};
use crate::value::{Node, Value};
use crate::writing::effect_of;

/// Fields beside [`LIMITS`] by which an agent may be limited.
const OTHER_LIMITS: [FieldName; 5] = [
    FieldName::MAX_TURNS,
    FieldName::MAX_BUDGET_USD,
    FieldName::HOOKS,
    FieldName::of_dialect("allowed_tools"),
    FieldName::of_dialect("no_tools"),
];

/// Fields in which people write sentences, where a colon may follow on any word.
pub(super) const PROSE: [FieldName; 5] = [
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::of_dialect("when_to_use"),
    FieldName::of_dialect("compatibility"),
    FieldName::of_dialect("initialPrompt"),
];

/// Signs that stand for the colon of a setting.
const COLONS: [char; 5] = [':', '=', '：', '＝', '﹕'];

/// The most words before such a sign that are taken for a key, such as `Allowed tools:`.
const MOST_WORDS: usize = 3;

/// The keys that lines are compared with.
pub(super) struct Lookout {
    /// All keys of the dialect, those of its rules first.
    own: Vec<&'static str>,
    /// The keys of any dialect that limit an agent.
    limits: Vec<&'static str>,
}

/// How a line begins.
pub(super) struct Start<'t> {
    /// Its first word, without the signs before it.
    pub(super) word: &'t str,
    /// What stands before its first colon, or a sign that may be meant as one.
    phrase: Option<&'t str>,
    /// What follows behind the word and such a sign, or behind the phrase.
    pub(super) rest: &'t str,
    /// Whether such a sign follows right on the word.
    has_colon: bool,
}

impl<'t> Start<'t> {
    /// Takes a line apart; nothing if it has no word.
    pub(super) fn of(line: &'t str) -> Option<Self> {
        let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let is_sign = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let end = line.find(|c| !is_sign(c)).unwrap_or(line.len());
        let word = line[..end].trim_end_matches(['-', '.']);
        let closing = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*' | ')');
        let behind = line[word.len()..].trim_start_matches(closing);
        let rest = behind.trim_start_matches(COLONS);
        let phrase = line.split_once(COLONS).map(|(phrase, _)| phrase);
        (!word.is_empty()).then(|| Start {
            word,
            phrase: phrase.filter(|phrase| phrase.split_whitespace().count() <= MOST_WORDS),
            rest: rest.trim(),
            has_colon: rest.len() < behind.len(),
        })
    }
}

impl Lookout {
    /// Returns whether a line may have been meant as a setting: it begins with a key or what is
    /// nearly one, whatever sign follows, or it says `key: value` with a value that no prose has.
    pub(super) fn is_setting(&self, line: &str) -> bool {
        let Some(start) = Start::of(line).filter(|start| !is_dialogue(start.word)) else {
            return false;
        };
        self.key(&start).is_some() || sets_value(line)
    }

    /// Returns the key that a line begins with, or that it was probably meant to.
    pub(super) fn key(&self, start: &Start<'_>) -> Option<&'static str> {
        let all = || self.own.iter().chain(&self.limits).copied();
        let written = [Some(start.word), start.phrase];
        let mut written = written.into_iter().flatten();
        let same = written.find_map(|word| all().find(|key| is_spelling(word, key)));
        // Without a colon, many words of prose are nearly keys.
        let initial = |word: &str| word.chars().next().map(|c| c.to_ascii_lowercase());
        let limits = self.limits.iter().copied();
        let limits = limits.filter(|key| initial(key) == initial(start.word));
        same.or_else(|| match start.has_colon {
            true => nearest(start.word, all()),
            false => nearest(start.word, limits),
        })
    }
}

/// Returns each word once, in the order in which they come.
fn unique(words: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    words.filter(|word| seen.insert(*word)).collect()
}

/// Returns whether a line is a key with a value.
fn is_entry(line: &str) -> bool {
    let parts = key_line(line);
    parts.is_some_and(|parts| parts.is_spaced && is_word(parts.key))
}

/// Returns whether a line is a key with a value that no prose has: a rule's word, a switch, a
/// number, or something in brackets.
fn sets_value(line: &str) -> bool {
    let Some(parts) = key_line(line).filter(|parts| parts.is_spaced) else {
        return false;
    };
    let value = line[parts.colon..].trim();
    let is_other = || {
        let starts_bracket = value.starts_with(['[', '{']);
        let is_scalar = value.parse::<f64>().is_ok() || matches!(value, "true" | "false");
        is_word(parts.key) && (starts_bracket || is_scalar)
    };
    effect_of(value.trim_matches(['"', '\''])).is_some() || is_other()
}

impl Patient<'_> {
    /// Gathers the keys that lines are compared with.
    pub(super) fn lookout(&self) -> Lookout {
        let own = self.dialect.profiles.iter();
        let own = own.flat_map(|profile| profile.rules.reading.fields);
        let own = self.rules.fields.iter().chain(own).flat_map(field_keys);
        let foreign = self.dialect.foreign_keys.iter().map(|(word, _)| *word);
        let is_limit = |field: &FieldName| LIMITS.contains(field) || OTHER_LIMITS.contains(field);
        let profiles = dialects::ALL.iter().flat_map(|dialect| dialect.profiles);
        let limits = profiles.flat_map(|profile| profile.rules.reading.fields);
        let limits = limits.filter(|field| is_limit(&field.target));
        Lookout {
            own: unique(own.chain(foreign)),
            limits: unique(limits.flat_map(field_keys)),
        }
    }

    /// Returns the first line that a proposal makes part of a text although it looks like a
    /// setting. What could be read as text before is left alone.
    pub(super) fn hidden_by(&self, proposal: &Proposal) -> Option<String> {
        let mended = apply(self.file.bytes, &proposal.edits)?;
        self.charge(&mended)?;
        let after = Patient {
            file: File {
                bytes: &mended,
                ..self.file
            },
            ..*self
        };
        let now = after.lines_in_texts(&after.tree()?);
        if now.is_empty() {
            return None;
        }
        let known = self.tree().map(|tree| self.lines_in_texts(&tree));
        let known = known.unwrap_or_default();
        let lookout = self.lookout();
        let mut new = now.iter().filter(|line| !known.contains(line));
        let hidden = new
            .find(|line| lookout.is_setting(line.text) || (!line.is_prose && is_entry(line.text)));
        hidden.map(|line| line.text.to_owned())
    }

    /// Returns the lines of the texts in a header, but for those that begin with a key or a dash.
    fn lines_in_texts(&self, tree: &Tree<'_>) -> Vec<TextLine<'_>> {
        let mut found = Vec::new();
        for entry in &tree.map.entries {
            let mut texts = Vec::new();
            texts_in(&entry.value, &mut texts);
            let field = entry.key.as_text().and_then(|key| self.field_of(key));
            let is_prose = field.is_some_and(|field| PROSE.contains(&field));
            for text in texts {
                let before = self.file.bytes.get(..text.span.start as usize);
                let mut before = before.unwrap_or_default().iter().rev();
                let last = before.find(|byte| !matches!(byte, b' ' | b'\t'));
                let begun = usize::from(last.is_some_and(|byte| !matches!(byte, b'\n' | b'\r')));
                let lines = self.written(text.span).lines().skip(begun);
                let lines = lines.map(str::trim).filter(|line| !line.is_empty());
                found.extend(lines.map(|text| TextLine { text, is_prose }));
            }
        }
        found
    }
}

/// A line of a text in a header.
#[derive(PartialEq, Eq)]
struct TextLine<'t> {
    text: &'t str,
    /// Whether it stands where people write sentences.
    is_prose: bool,
}

/// Gathers the texts in a value, at any depth.
fn texts_in<'n>(node: &'n Node, found: &mut Vec<&'n Node>) {
    match &node.value {
        Value::Text(_) => found.push(node),
        Value::List(items) | Value::Set(items) => {
            items.iter().for_each(|item| texts_in(item, found));
        }
        Value::Map(map) => {
            let entries = map.entries.iter();
            entries.for_each(|entry| texts_in(&entry.value, found));
        }
        _ => {}
    }
}
