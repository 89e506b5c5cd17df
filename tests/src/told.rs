//! How the lists of findings are written that lie beside the files and trees of `told` and
//! `told_trees`.

use std::fmt::Write as _;

use agent_schema::{Diagnostic, Span};

/// Writes findings about a file, each with the text at its place.
#[must_use]
pub fn list<'a>(
    findings: impl IntoIterator<Item = &'a Diagnostic>,
    bytes: Option<&[u8]>,
) -> String {
    let mut text = String::new();
    for finding in findings {
        let _ = writeln!(
            text,
            "{} {} at {}: {}",
            finding.severity,
            finding.code(),
            quoted(finding.span, bytes),
            finding.message
        );
        for related in &finding.related {
            let at = match (&related.file, related.span) {
                (None, span) => quoted(span, bytes),
                (Some(file), None) => file.clone(),
                (Some(file), Some(span)) => format!("{file} {}..{}", span.start, span.end),
            };
            let _ = writeln!(text, "  and at {at}: {}", related.message);
        }
        if let Some(help) = &finding.help {
            let _ = writeln!(text, "  {help}");
        }
    }
    text
}

fn quoted(span: Option<Span>, bytes: Option<&[u8]>) -> String {
    let Some(span) = span else {
        return "no place".to_owned();
    };
    let text = bytes.and_then(|bytes| bytes.get(span.start as usize..span.end as usize));
    match text {
        Some(text) => format!("{} {:?}", span.start, String::from_utf8_lossy(text)),
        None => format!("{}..{}", span.start, span.end),
    }
}
