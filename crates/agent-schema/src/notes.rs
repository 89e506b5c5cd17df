//! Findings about texts that a harness reads without complaint and otherwise than they look.

use crate::diagnostic::{Diagnostic, Severity};
use crate::header::HeaderPart;
use crate::rules;
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Mapping, Node, Style, Value};

/// A header that ends inside a line.
pub(crate) struct EndInLine {
    pub(crate) finding: Diagnostic,
    /// Whether part of a setting is cut off.
    pub(crate) cuts: bool,
}

/// Tells of a header whose last line goes on, before or behind the dashes. A file whose header is
/// all on one line was meant so.
pub(crate) fn end_in_line(
    text: &MappedText<'_>,
    header: &HeaderPart,
    title: &str,
) -> Option<EndInLine> {
    let source = text.as_str();
    let closing = header.closing.clone();
    let line = source[..closing.start].rfind('\n')? + 1;
    if header.closing_is_line(source) || line <= header.opening.start {
        return None;
    }
    let fence = source[closing.clone()].trim_end().len();
    let behind = source[closing.start + fence..].lines().next();
    let cuts = !source[line..closing.start].trim().is_empty();
    if !cuts && behind.unwrap_or_default().trim().is_empty() {
        return None;
    }
    let message = match cuts {
        true => "the header ends inside this line, and what follows becomes part of the prompt",
        false => "what follows these dashes on their line becomes part of the prompt",
    };
    let finding = Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::new(&rules::HEADER_ENDS_EARLY, message)
    };
    let finding = finding
        .at(text.span(closing.start..closing.start + fence))
        .because(format!(
            "{title} ends a header at the first three dashes, wherever they stand"
        ))
        .help(match cuts {
            true => "write the dashes in another way, such as `—`",
            false => "end the header with a line of exactly three dashes",
        });
    Some(EndInLine { finding, cuts })
}

/// Tells of the aliases of a header that became the texts of their names.
pub(crate) fn aliases(map: &Mapping, bytes: &[u8], title: &str) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut waiting: Vec<&Node> = map.entries.iter().map(|entry| &entry.value).collect();
    while let Some(node) = waiting.pop() {
        match &node.value {
            Value::List(items) => waiting.extend(items),
            Value::Map(map) => waiting.extend(map.entries.iter().map(|entry| &entry.value)),
            // No other text without quotes begins with this sign.
            Value::Text(name) if node.style == Style::Plain && begins_with(bytes, node.span) => {
                findings.push(alias(name, node.span, title));
            }
            _ => {}
        }
    }
    findings
}

fn begins_with(bytes: &[u8], span: Span) -> bool {
    bytes.get(span.start as usize) == Some(&b'*')
}

fn alias(name: &str, span: Span, title: &str) -> Diagnostic {
    Diagnostic::new(
        &rules::VALUE_BECOMES_TEXT,
        format!("`*{name}` is read as the text `{name}`"),
    )
    .at(span)
    .because(format!("{title} follows no aliases"))
    .help("write the value itself")
}
