//! Texts and lists as they are written into a header, and entries that are taken out of it.

use crate::diagnostic::Edit;
use crate::header::Language;
use crate::source::Span;
use crate::value::{Entry, Node, Style, Value};

use super::Patient;
use super::quotes::quoted;
use super::tree::{Tree, replace};

/// Words that some reader takes for something else than a text.
const TAKEN: [&str; 10] = [
    "true", "false", "yes", "no", "on", "off", "y", "n", "null", "none",
];

/// Writes a text as a scalar that is the same text for every reader, in quotes only where they are
/// needed; nothing if it does not fit on a line.
pub(super) fn scalar(text: &str) -> Option<String> {
    if text.is_empty() || text.chars().any(char::is_control) {
        return None;
    }
    let is_simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(is_simple)
        && !TAKEN.contains(&text.to_ascii_lowercase().as_str());
    Some(match is_plain {
        true => text.to_owned(),
        false => quoted(text),
    })
}

/// Writes a text as JSON.
fn json_text(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 2);
    written.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            c if c.is_control() => written.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => written.push(c),
        }
    }
    written.push('"');
    written
}

impl Patient<'_> {
    /// Writes a text as a scalar; nothing if it does not fit on a line.
    pub(super) fn scalar(&self, text: &str) -> Option<String> {
        match self.is_json() {
            true => Some(json_text(text)),
            false => scalar(text),
        }
    }

    /// Writes a text in quotes.
    pub(super) fn quoted(&self, text: &str) -> String {
        match self.is_json() {
            true => json_text(text),
            false => quoted(text),
        }
    }

    /// Writes names as a list in brackets.
    pub(super) fn flow_list<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
        let names: Option<Vec<String>> = names.into_iter().map(|name| self.scalar(name)).collect();
        Some(format!("[{}]", names?.join(", ")))
    }
}

/// Writes names as a list with a dash before each, the first one where the value begins.
pub(super) fn block_list(patient: &Patient<'_>, at: u32, names: &[&str]) -> Option<String> {
    let (line, _) = patient.line_around(at);
    let indent = patient.written(Span::new(line, at));
    if indent.chars().any(|c| c != ' ') {
        return None;
    }
    let names: Option<Vec<String>> = names.iter().map(|name| scalar(name)).collect();
    let between = format!("{}{indent}- ", patient.line_end());
    Some(format!("- {}", names?.join(&between)))
}

/// Writes names as a list in the shape that a value has.
pub(super) fn list_like(patient: &Patient<'_>, node: &Node, names: &[&str]) -> Option<String> {
    match node.style {
        Style::Block => block_list(patient, node.span.start, names),
        _ => patient.flow_list(names.iter().copied()),
    }
}

/// Writes a text in the place of a scalar, in the quotes that it has.
pub(super) fn scalar_like(tree: &Tree<'_>, node: &Node, text: &str) -> Option<String> {
    let has_signs = text.contains(['\'', '"', '\\']) || text.chars().any(char::is_control);
    match (tree.language, node.style) {
        (Language::Json(_), _) => Some(json_text(text)),
        (Language::Lines, _) => (!has_signs).then(|| text.to_owned()),
        (_, Style::SingleQuoted) if !has_signs => Some(format!("'{text}'")),
        (_, Style::DoubleQuoted) if !has_signs => Some(format!("\"{text}\"")),
        _ => scalar(text),
    }
}

/// Returns whether a comment may stand inside a value.
pub(super) fn may_hold_comment(patient: &Patient<'_>, node: &Node) -> bool {
    let is_scalar = matches!(node.value, Value::Text(_)) && node.style != Style::Plain;
    !is_scalar && may_hold_comment_in(patient, node.span)
}

/// Returns whether a comment may stand between some bytes.
pub(super) fn may_hold_comment_in(patient: &Patient<'_>, span: Span) -> bool {
    let written = patient.written(span);
    match patient.is_json() {
        true => json_holds_comment(written),
        false => written.contains('#'),
    }
}

/// Returns whether a comment begins outside of the texts in JSON.
fn json_holds_comment(written: &str) -> bool {
    let mut is_text = false;
    let mut signs = written.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => is_text = !is_text,
            '\\' if is_text => drop(signs.next()),
            '/' if !is_text && matches!(signs.peek(), Some('/' | '*')) => return true,
            _ => {}
        }
    }
    false
}

/// Makes the edit that takes an entry with its lines out of a header. It must have them for
/// itself, without a comment.
pub(super) fn removal(patient: &Patient<'_>, tree: &Tree<'_>, entry: &Entry) -> Option<Edit> {
    if patient.is_json() {
        return removal_from_json(patient, tree, entry);
    }
    let (start, _) = patient.line_around(entry.key.span.start);
    let end = entry.value.span.end.max(entry.key.span.end);
    let ends_line = end > start && patient.written(Span::new(end - 1, end)) == "\n";
    let end = match ends_line {
        true => end - 1,
        false => end,
    };
    let (_, line_end) = patient.line_around(end);
    let before = patient.written(Span::new(start, entry.key.span.start));
    let behind = patient.written(Span::new(end, line_end)).trim();
    let is_indented = patient.holder.is_some() && before.chars().all(|c| c == ' ');
    let is_alone = (before.is_empty() || is_indented) && matches!(behind, "" | ":");
    if tree.style != Style::Block || !is_alone || may_hold_comment(patient, &entry.value) {
        return None;
    }
    let line_end = line_end as usize;
    let rest = patient.file.bytes.get(line_end..).unwrap_or_default();
    let width = match rest {
        [b'\r', b'\n', ..] => 2,
        [_, ..] => 1,
        [] => 0,
    };
    let end = u32::try_from(line_end + width).ok()?;
    Some(replace(Span::new(start, end), ""))
}

/// As [`removal`], with the comma that parts the entry from the others.
fn removal_from_json(patient: &Patient<'_>, tree: &Tree<'_>, entry: &Entry) -> Option<Edit> {
    let entries = &tree.map.entries;
    let at = entries
        .iter()
        .position(|other| std::ptr::eq(other, entry))?;
    let before = at.checked_sub(1).and_then(|before| entries.get(before));
    let (start, end) = match (before, entries.get(at + 1)) {
        (Some(before), _) => (before.value.span.end, entry.value.span.end),
        (None, Some(behind)) => (entry.key.span.start, behind.key.span.start),
        (None, None) => (entry.key.span.start, entry.value.span.end),
    };
    let value = entry.value.span;
    let around = [
        Span::new(start, entry.key.span.start),
        Span::new(value.end, end.max(value.end)),
    ];
    let is_bare = |part: Span| {
        let part = patient.written(part);
        part.chars().all(|c| c.is_whitespace() || c == ',')
    };
    let is_alone = around.into_iter().all(is_bare) && !may_hold_comment(patient, &entry.value);
    is_alone.then(|| replace(Span::new(start, end), ""))
}
