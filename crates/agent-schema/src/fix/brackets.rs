//! Lists and maps in brackets: those that are broken, and those of readers that take none.

use std::ops::Range;

use super::quotes::quoted;
use super::settings::{Mend, NamesForm, Setting};
use crate::text::{MappedText, Replacement};
use crate::value::{Node, Style, Value};
use crate::yaml::{self, Brackets, Flavor, Indentation};

/// Reads what other readers take, brackets that are closed at the left edge too.
const PERMISSIVE: Flavor = Flavor {
    indentation: Indentation::Lenient,
    ..yaml::CORE
};

/// The deepest nesting of brackets that is written as a block.
const DEEPEST: usize = 16;

/// Returns whether each bracket of a text has its partner.
pub(super) fn are_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '[' | '{' | '(' => open.push(c),
            ']' | '}' | ')' => {
                let partner = match c {
                    ']' => '[',
                    '}' => '{',
                    _ => '(',
                };
                if open.pop() != Some(partner) {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}

/// Splits a text at its commas, but not inside brackets, parentheses and quotes.
fn items(text: &str) -> Vec<Range<usize>> {
    split(text, &['[', '{', '('], &[']', '}', ')'])
}

/// Splits a text at its commas, but not inside quotes and the given brackets.
fn split(text: &str, opening: &[char], closing: &[char]) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    let mut quote = None;
    let mut before = ',';
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) if matches!(before, ',' | '(' | '[' | '{' | ':') => quote = Some(c),
            (c, None) if opening.contains(&c) => depth += 1,
            (c, None) if closing.contains(&c) => depth = depth.saturating_sub(1),
            (',', None) if depth == 0 => {
                items.push(trimmed(text, start..at));
                start = at + 1;
            }
            _ => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    items.push(trimmed(text, start..text.len()));
    items
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

/// Mends a list in brackets: closes it, and puts items in quotes that cannot stand without.
pub(super) fn mend_list(setting: &Setting<'_>) -> Option<Mend> {
    if setting.patient.rules.yaml.brackets == Brackets::Refused || !setting.takes_list() {
        return None;
    }
    let range = setting.chunk.value.start..setting.chunk.range.end;
    let value = without_remark(setting.text[range.clone()].trim_end());
    let inner = value.strip_prefix('[')?;
    let (inner, is_closed) = match inner.strip_suffix(']') {
        Some(inner) => (inner, true),
        None => (inner, false),
    };
    let has_comment = inner.contains(" #") || inner.contains("\t#");
    if has_comment || (inner.contains(']') && !is_closed) {
        return None;
    }
    let start = range.start + 1;
    let all = items(inner);
    let mut edits: Vec<Replacement> = Vec::new();
    for (index, item) in all.iter().enumerate() {
        let text = &inner[item.clone()];
        let place = start + item.start..start + item.end;
        if text.is_empty() {
            let is_last = index + 1 == all.len();
            // The comma before the end may stay, any other one without an item goes.
            if let Some(comma) = inner[item.end..].find(',').filter(|_| !is_last) {
                let end = match index {
                    0 => all[1].start,
                    _ => item.end + comma + 1,
                };
                edits.push((place.start..start + end, String::new()));
            }
        } else if item_text(setting, text).is_none() {
            edits.push((place, quoted(text)));
        }
    }
    let mut title = match edits.iter().any(|(_, text)| !text.is_empty()) {
        true => "put the items in quotes",
        false => "remove the comma",
    };
    if !is_closed {
        title = "close the bracket";
        let end = range.start + value.len();
        edits.push((end..end, "]".to_owned()));
    }
    let are_names = all.iter().all(|item| !inner[item.clone()].contains(": "));
    let is_sure = (is_closed || are_names) && are_balanced(inner);
    setting.proven(Mend::new(title, edits).sure_if(is_sure))
}

/// Returns a value of one line without the remark behind it.
fn without_remark(value: &str) -> &str {
    let is_one_line = !value.contains(['\n', '\r']);
    match comment(value).filter(|_| is_one_line) {
        Some(at) => value[..at].trim_end(),
        None => value,
    }
}

/// Returns whether a value holds names that stand apart, in quotes or brackets of their own, where
/// the harness takes several.
pub(super) fn has_names_apart(setting: &Setting<'_>) -> bool {
    let value = setting.value();
    let is_apart = value.starts_with(['"', '\'', '[']) || value.ends_with(['"', '\'', ']']);
    is_apart && setting.names_form().is_some()
}

/// Makes one value of names that stand apart: in quotes without brackets, in several brackets, or
/// with a bracket too few or too many.
pub(super) fn gather(setting: &Setting<'_>) -> Option<Mend> {
    if !has_names_apart(setting) {
        return None;
    }
    let value = setting.value();
    let items = split(value, &['('], &[')']);
    let names = items.iter().map(|item| {
        let opened = value[item.clone()].trim_start_matches(['[', ' ']);
        opened.trim_end_matches([']', ' '])
    });
    let names: Vec<&str> = names.collect();
    let are_names = names.iter().all(|name| {
        let is_whole = are_balanced(name) && !name.contains(['[', '#']);
        is_whole && !name.is_empty() && item_text(setting, name).is_some()
    });
    let is_one_list =
        value.starts_with('[') && are_balanced(value) && self::items(value).len() == 1;
    if !are_names || names.len() < 2 || is_one_list {
        return None;
    }
    let (title, written) = match setting.names_form()? {
        NamesForm::List => {
            let title = match value.starts_with('[') && !value.contains(']') {
                true => "close the bracket",
                false => "put the list in brackets",
            };
            (title, format!("[{}]", names.join(", ")))
        }
        form => {
            let names: Option<Vec<String>> =
                names.iter().map(|it| item_text(setting, it)).collect();
            let names = names.filter(|names| !names.iter().any(|it| has_break(it)))?;
            let (title, between) = match form {
                NamesForm::Blanks => (WITH_BLANKS, " "),
                _ => ("write the names with commas between them", ", "),
            };
            (title, as_text(setting, &names.join(between)))
        }
    };
    let mend = Mend::new(title, vec![(setting.chunk.value.clone(), written)]);
    setting.proven(mend)
}

/// Returns the text that an item is as it stands in brackets, if it can stand there.
fn item_text(setting: &Setting<'_>, text: &str) -> Option<String> {
    let flavor = &setting.patient.rules.yaml;
    let flavor = match flavor.brackets {
        Brackets::Refused => &PERMISSIVE,
        _ => flavor,
    };
    let list = format!("[{text}]");
    let list = yaml::read(&MappedText::plain(&list), flavor).ok()??;
    match list.as_list()? {
        [item] => item.as_text().map(str::to_owned),
        _ => None,
    }
}

/// Returns whether a word has a blank or a comma outside of parentheses.
fn has_break(word: &str) -> bool {
    let mut depth = 0usize;
    word.chars().any(|c| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0 && (c.is_whitespace() || c == ',')
    })
}

/// Writes a text as a value, in quotes if it needs them.
fn as_text(setting: &Setting<'_>, text: &str) -> String {
    match is_plain(setting, text) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

const WITH_BLANKS: &str = "write the names with blanks between them";

/// Writes lists and maps in brackets as blocks, for a reader that takes no brackets.
pub(super) fn as_block(setting: &Setting<'_>) -> Option<Mend> {
    if setting.patient.rules.yaml.brackets != Brackets::Refused {
        return None;
    }
    let range = setting.chunk.range.clone();
    let text = &setting.text[range.clone()];
    let root = yaml::read(&MappedText::plain(text), &PERMISSIVE).ok()??;
    let map = root.as_map()?;
    let [entry] = map.entries.as_slice() else {
        return None;
    };
    if let Some(words) = as_words(setting, &entry.value, text) {
        return Some(words);
    }
    let mut writer = Writer {
        text,
        line_end: setting.line_end,
        is_sure: true,
    };
    let mut edits = Vec::new();
    writer.rewrite(&entry.value, &mut edits, 0)?;
    let edits = edits
        .into_iter()
        .map(|(at, text): Replacement| (range.start + at.start..range.start + at.end, text));
    let mend = Mend::new("write it without brackets", edits.collect());
    setting.proven(mend.sure_if(writer.is_sure))
}

/// Writes a list of tools as one text with blanks, where the harness knows no list of them.
fn as_words(setting: &Setting<'_>, node: &Node, text: &str) -> Option<Mend> {
    let items = node.as_list()?;
    if setting.names_form() != Some(NamesForm::Blanks)
        || items.is_empty()
        || node.style != Style::Flow
    {
        return None;
    }
    let words: Option<Vec<&str>> = items.iter().map(Node::as_text).collect();
    let words = words?;
    let are_words = !words.iter().any(|word| has_break(word));
    let joined = words.join(" ");
    let span = node.span.start as usize..node.span.end as usize;
    let has_comment = text[span.clone()].contains('#');
    let start = setting.chunk.range.start;
    let written = as_text(setting, &joined);
    let edit = (start + span.start..start + span.end, written);
    let mend = Mend::new(WITH_BLANKS, vec![edit]);
    setting.proven(mend.meant(joined).sure_if(are_words && !has_comment))
}

/// Returns whether a text can be a value without quotes.
fn is_plain(setting: &Setting<'_>, text: &str) -> bool {
    let line = format!("a: {text}");
    let read = yaml::read(&MappedText::plain(&line), &setting.patient.rules.yaml);
    let read = read.ok().flatten();
    let value = read.as_ref().and_then(Node::as_map);
    let value = value.and_then(|map| map.get("a"));
    value.is_some_and(|entry| entry.value.as_text() == Some(text))
}

struct Writer<'t> {
    /// The setting.
    text: &'t str,
    line_end: &'static str,
    /// Whether every value stays what it is.
    is_sure: bool,
}

impl Writer<'_> {
    /// Finds the outermost brackets of a value that is written as a block.
    fn rewrite(&mut self, node: &Node, edits: &mut Vec<Replacement>, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        let is_flow = node.style == Style::Flow;
        match &node.value {
            Value::List(_) | Value::Map(_) if is_flow => {
                let span = node.span.start as usize..node.span.end as usize;
                self.is_sure &= comment(&self.text[span.clone()]).is_none();
                let line = self.text[..span.start].rfind('\n').map_or(0, |end| end + 1);
                let before = &self.text[line..span.start];
                let content = before.trim_start_matches([' ', '-']);
                let column = before.len() - content.len();
                let follows_key = !content.trim().is_empty();
                let indentation = match follows_key {
                    true => column + 2,
                    false => before.len(),
                };
                let mut block = String::new();
                self.write(node, indentation, depth, &mut block)?;
                let is_scalar = !block.starts_with(['\n', '\r']);
                let block = match (follows_key, is_scalar) {
                    (true, _) | (_, true) => block,
                    (false, false) => block.trim_start().to_owned(),
                };
                let blanks = self.text[..span.start].len()
                    - self.text[..span.start].trim_end_matches(' ').len();
                let start = match follows_key && (!is_scalar || block.is_empty()) {
                    true => span.start - blanks,
                    false => span.start,
                };
                edits.push((start..span.end, block));
            }
            Value::List(items) => {
                for item in items {
                    self.rewrite(item, edits, depth + 1)?;
                }
            }
            Value::Map(map) => {
                for entry in &map.entries {
                    self.rewrite(&entry.value, edits, depth + 1)?;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Writes a value behind its key or dash, with the line end before a block.
    fn write(
        &mut self,
        node: &Node,
        indentation: usize,
        depth: usize,
        out: &mut String,
    ) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        let indent = " ".repeat(indentation);
        match &node.value {
            // A reader without brackets has no empty list; a value that is left out comes next.
            Value::List(items) if items.is_empty() => self.is_sure = false,
            Value::Map(map) if map.entries.is_empty() => self.is_sure = false,
            Value::List(items) => {
                for item in items {
                    out.push_str(self.line_end);
                    out.push_str(&indent);
                    out.push('-');
                    let mut written = String::new();
                    self.write(item, indentation + 2, depth + 1, &mut written)?;
                    // The first line of a block in a list stands behind its dash.
                    match written.starts_with(['\n', '\r']) {
                        true => out.push_str(&format!(" {}", written.trim_start())),
                        false => out.push_str(&format!(" {written}")),
                    }
                }
            }
            Value::Map(map) => {
                for entry in &map.entries {
                    out.push_str(self.line_end);
                    out.push_str(&indent);
                    out.push_str(&self.scalar(&entry.key)?);
                    out.push(':');
                    let mut written = String::new();
                    self.write(&entry.value, indentation + 2, depth + 1, &mut written)?;
                    if !written.is_empty() && !written.starts_with(['\n', '\r']) {
                        out.push(' ');
                    }
                    out.push_str(&written);
                }
            }
            _ => out.push_str(&self.scalar(node)?),
        }
        Some(())
    }

    /// Returns a scalar as it is written.
    fn scalar(&self, node: &Node) -> Option<String> {
        let raw = self
            .text
            .get(node.span.start as usize..node.span.end as usize)?;
        match node.style {
            Style::Plain if !raw.contains('\n') => Some(raw.to_owned()),
            Style::DoubleQuoted | Style::SingleQuoted if !raw.contains('\n') => {
                Some(raw.to_owned())
            }
            _ => node.as_text().map(quoted),
        }
    }
}

/// Returns the first `#` in a text that may begin a comment.
fn comment(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            ('#', None) if before.is_whitespace() => return Some(at),
            _ => {}
        }
        before = c;
    }
    None
}
