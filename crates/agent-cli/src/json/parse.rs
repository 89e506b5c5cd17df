//! The answer of `parse`.

use agent_schema::{Definition, Fate, Outcome, Parsed};
use serde::Serialize;

use crate::finding::{FileView, Nowhere};
use crate::json::Diagnostic;
use crate::request::Reading;

/// What becomes of one file.
#[derive(Serialize)]
pub(crate) struct ParsedFile<'a> {
    dialect: &'static str,
    profile: &'static str,
    file: &'a str,
    outcome: &'static str,
    fate: &'static str,
    lost: Vec<&'static str>,
    /// Only of a file that loses something.
    #[serde(skip_serializing_if = "Option::is_none")]
    rights_widened: Option<bool>,
    /// Only of an ignored file.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    definition: Option<&'a Definition>,
    diagnostics: Vec<Diagnostic<'a>>,
}

impl<'a> ParsedFile<'a> {
    pub(crate) fn new(reading: Reading, parsed: &'a Parsed, file: FileView<'a>) -> Self {
        ParsedFile {
            dialect: reading.dialect.id,
            profile: reading.profile.id,
            file: file.reported,
            outcome: parsed.outcome.as_str(),
            fate: parsed.fate.as_str(),
            lost: parsed.lost.iter().map(|field| field.as_str()).collect(),
            rights_widened: (parsed.fate == Fate::Degraded).then_some(parsed.rights_widened),
            rule: match parsed.outcome {
                Outcome::Ignored(rule) => Some(rule.code()),
                _ => None,
            },
            definition: parsed.outcome.definition(),
            diagnostics: file
                .findings(&parsed.diagnostics, &Nowhere)
                .map(Diagnostic::new)
                .collect(),
        }
    }
}
