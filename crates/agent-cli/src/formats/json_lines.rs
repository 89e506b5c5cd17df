//! The same as JSON, one object a line: findings, files, and the summary at the end.

use serde::Serialize;

use crate::failure::Failure;
use crate::formats::Told;
use crate::json::{CheckedFile, CheckedFinding, Summary, Versioned};
use crate::text::printable::escaped_in_json;

/// One line, with what it is about.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line<'a> {
    Diagnostic(CheckedFinding<'a>),
    File(CheckedFile<'a>),
    Summary(Summary),
}

/// Writes the lines.
pub(crate) fn json_lines(
    told: &[Told<'_>],
    files: Vec<CheckedFile<'_>>,
    summary: Summary,
) -> Result<String, Failure> {
    let findings = told
        .iter()
        .map(|told| Line::Diagnostic(CheckedFinding::new(told)));
    let lines = findings
        .chain(files.into_iter().map(Line::File))
        .chain([Line::Summary(summary)]);
    let mut text = String::new();
    for line in lines {
        let line = serde_json::to_string(&Versioned::new(line))
            .map_err(|error| Failure::new(format!("cannot write JSON: {error}")))?;
        text.push_str(&escaped_in_json(&line));
        text.push('\n');
    }
    Ok(text)
}
