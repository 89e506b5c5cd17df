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

/// Writes names as a list in brackets.
pub(super) fn flow_list<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let names: Option<Vec<String>> = names.into_iter().map(scalar).collect();
    Some(format!("[{}]", names?.join(", ")))
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
        _ => flow_list(names.iter().copied()),
    }
}

/// Writes a text in the place of a scalar, in the quotes that it has.
pub(super) fn scalar_like(tree: &Tree<'_>, node: &Node, text: &str) -> Option<String> {
    let has_signs = text.contains(['\'', '"', '\\']) || text.chars().any(char::is_control);
    match (tree.language, node.style) {
        (Language::Lines, _) => (!has_signs).then(|| text.to_owned()),
        (_, Style::SingleQuoted) if !has_signs => Some(format!("'{text}'")),
        (_, Style::DoubleQuoted) if !has_signs => Some(format!("\"{text}\"")),
        _ => scalar(text),
    }
}

/// Returns whether a comment may stand inside a value.
pub(super) fn may_hold_comment(patient: &Patient<'_>, node: &Node) -> bool {
    let is_scalar = matches!(node.value, Value::Text(_)) && node.style != Style::Plain;
    !is_scalar && patient.written(node.span).contains('#')
}

/// Makes the edit that takes an entry with its lines out of a header. It must have them for
/// itself, without a comment.
pub(super) fn removal(patient: &Patient<'_>, tree: &Tree<'_>, entry: &Entry) -> Option<Edit> {
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
    let is_alone = before.is_empty() && matches!(behind, "" | ":");
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
