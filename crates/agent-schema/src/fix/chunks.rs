//! The settings of a header that may be broken: each key with the lines that belong to it.
//!
//! A reader of YAML stops at the first mistake. Here each line at the left edge is asked whether
//! it starts a setting or is text that its author forgot to indent.

use std::ops::Range;

use super::Patient;
use crate::definition::FieldName;

/// Words that begin the lines of examples in descriptions and are no settings there.
const DIALOGUE: &[&str] = &[
    "user",
    "assistant",
    "human",
    "context",
    "commentary",
    "example",
    "examples",
    "note",
];

/// Returns whether a word begins the lines of examples.
pub(super) fn is_dialogue(word: &str) -> bool {
    DIALOGUE.contains(&word.to_lowercase().as_str())
}

/// A line of a header, without its line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// Where the next one begins.
    pub(super) next: usize,
}

impl Line {
    pub(super) fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.range.clone()]
    }

    /// Returns how many bytes of blanks and tabs it begins with.
    pub(super) fn indentation(&self, text: &str) -> usize {
        let line = self.text(text);
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    pub(super) fn is_blank(&self, text: &str) -> bool {
        self.text(text).trim().is_empty()
    }
}

/// Returns the lines of a range of a text.
pub(super) fn lines(text: &str, range: Range<usize>) -> Vec<Line> {
    let mut at = range.start;
    let split = text[range].split_inclusive('\n');
    split
        .map(|line| {
            let start = at;
            at += line.len();
            let content = line.strip_suffix('\n').unwrap_or(line);
            let content = content.strip_suffix('\r').unwrap_or(content);
            Line {
                range: start..start + content.len(),
                next: at,
            }
        })
        .collect()
}

/// A key with all lines that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The key, without quotes.
    pub(super) key: String,
    /// From the start of its line to the end of its last one.
    pub(super) range: Range<usize>,
    /// What stands behind its colon on its line, without the white space around it.
    pub(super) value: Range<usize>,
    /// One past its colon.
    pub(super) colon: usize,
    /// The lines below its own.
    pub(super) below: Vec<Line>,
    /// Whether lines of text stand in the column of the key.
    pub(super) has_loose_lines: bool,
    /// Whether such a line may be a setting after all.
    pub(super) is_doubtful: bool,
}

/// A header, taken apart.
pub(super) struct Chunks {
    /// In order.
    pub(super) list: Vec<Chunk>,
    /// Whether something stands before the first key that is neither blank nor a comment.
    pub(super) has_more: bool,
}

/// A line `key: value`, as offsets of the line.
pub(super) struct KeyLine<'t> {
    pub(super) key: &'t str,
    pub(super) colon: usize,
    /// Whether white space or the end of the line follows the colon.
    pub(super) is_spaced: bool,
}

/// Takes a line apart that may be a setting.
pub(super) fn key_line(line: &str) -> Option<KeyLine<'_>> {
    let trimmed = line.trim_start_matches([' ', '\t']);
    let indentation = line.len() - trimmed.len();
    let (key, after) = match trimmed.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = trimmed[1..].find(quote)? + 1;
            (&trimmed[1..end], end + 1)
        }
        _ => {
            let end = trimmed.find(':')?;
            (trimmed[..end].trim_end(), end)
        }
    };
    let blanks = trimmed[after..].len() - trimmed[after..].trim_start().len();
    let rest = trimmed[after + blanks..].strip_prefix(':')?;
    Some(KeyLine {
        key,
        colon: indentation + after + blanks + 1,
        is_spaced: rest.is_empty() || rest.starts_with([' ', '\t']),
    })
}

/// Returns whether a text has the form of a key: a word of letters, digits, `_`, `-` and `.`.
pub(super) fn is_word(key: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && key.chars().all(is_sign)
}

/// Takes a header apart.
pub(super) fn split(patient: &Patient<'_>, text: &str) -> Chunks {
    let lines = lines(text, 0..text.len());
    let is_content =
        |line: &&Line| !line.is_blank(text) && !line.text(text).trim_start().starts_with('#');
    let column = lines.iter().filter(is_content);
    let column = column.map(|line| line.indentation(text)).min();
    let mut splitter = Splitter {
        patient,
        text,
        column: column.unwrap_or_default(),
        chunks: Chunks {
            list: Vec::new(),
            has_more: false,
        },
        waiting: Vec::new(),
    };
    for line in lines {
        splitter.take(line);
    }
    splitter.chunks
}

struct Splitter<'a, 't> {
    patient: &'a Patient<'a>,
    text: &'t str,
    /// The column of the keys.
    column: usize,
    chunks: Chunks,
    /// Blank lines and comments that belong to a value only if more of it follows.
    waiting: Vec<Line>,
}

impl Splitter<'_, '_> {
    fn take(&mut self, line: Line) {
        let content = line.text(self.text);
        let trimmed = content.trim_start();
        let at_edge = line.indentation(self.text) <= self.column;
        if trimmed.is_empty() || (trimmed.starts_with('#') && at_edge) {
            self.waiting.push(line);
            return;
        }
        let is_item = trimmed == "-" || trimmed.starts_with("- ");
        let closes = trimmed.starts_with([']', '}']);
        if let Some(parts) = key_line(content).filter(|_| at_edge)
            && !is_item
            && let Some(is_doubtful) = self.starts_setting(&parts, content)
        {
            if is_doubtful && let Some(last) = self.chunks.list.last_mut() {
                last.is_doubtful = true;
            } else {
                self.open(&parts, &line);
                return;
            }
        }
        let is_loose = at_edge && !is_item && !closes;
        let is_empty_list = is_item && at_edge && self.last_has_value();
        let waiting = std::mem::take(&mut self.waiting);
        let Some(last) = self.chunks.list.last_mut() else {
            self.chunks.has_more = true;
            return;
        };
        last.has_loose_lines |= is_loose || is_empty_list;
        last.range.end = line.range.end;
        last.below.extend(waiting);
        last.below.push(line);
    }

    fn last_has_value(&self) -> bool {
        let last = self.chunks.list.last();
        last.is_some_and(|last| !last.value.is_empty() || last.has_loose_lines)
    }

    /// Returns whether a line at the edge starts a setting: `None` if not, and else whether it may
    /// be text of the value above all the same.
    fn starts_setting(&self, parts: &KeyLine<'_>, line: &str) -> Option<bool> {
        let is_known = self.patient.is_known(parts.key);
        let last = self.chunks.list.last();
        if !parts.is_spaced {
            let is_address = line[parts.colon..].starts_with("//");
            return (is_known && !is_address).then_some(false);
        }
        let is_loose = last.is_some_and(|last| last.has_loose_lines);
        if is_known {
            // In the middle of a text, a setting that is there already is probably part of it.
            let mut chunks = self.chunks.list.iter();
            return Some(is_loose && chunks.any(|chunk| chunk.key == parts.key));
        }
        let is_text = last.is_some_and(|last| {
            self.patient.field_of(&last.key) == Some(FieldName::DESCRIPTION)
                && is_dialogue(parts.key)
        });
        match is_word(parts.key) {
            false => None,
            true if is_text => None,
            true if !is_loose => Some(false),
            true if parts.key.starts_with(|c: char| c.is_ascii_uppercase()) => None,
            // A word and a colon below text that is not indented: it may be either.
            true => Some(true),
        }
    }

    fn open(&mut self, parts: &KeyLine<'_>, line: &Line) {
        self.waiting.clear();
        let colon = line.range.start + parts.colon;
        let rest = &self.text[colon..line.range.end];
        let start = colon + rest.len() - rest.trim_start().len();
        let value = rest.trim();
        self.chunks.list.push(Chunk {
            key: parts.key.to_owned(),
            range: line.range.clone(),
            value: start..start + value.len(),
            colon,
            below: Vec::new(),
            has_loose_lines: false,
            is_doubtful: false,
        });
    }
}
