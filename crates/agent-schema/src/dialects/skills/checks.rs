//! What can be wrong with the fields of a skill, each as a finding of its own.

use std::borrow::Cow;

use crate::definition::FieldName;
use crate::diagnostic::Diagnostic;
use crate::finish::Finish;
use crate::header::Consequence;
use crate::rules::{self, Rule};
use crate::source::Span;

/// The most characters of a name.
pub(super) const LONGEST_NAME: usize = 64;
/// The most characters of a description.
pub(super) const LONGEST_DESCRIPTION: usize = 1024;

/// The text of a field, with its place if it is written.
pub(super) struct Text<'a> {
    pub(super) field: FieldName,
    pub(super) text: &'a str,
    pub(super) span: Option<Span>,
}

impl Text<'_> {
    /// Makes a finding about the text that the harness itself tells.
    pub(super) fn finding(
        &self,
        rule: &'static Rule,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        let mut finding = Diagnostic::new(rule, message)
            .about(self.field)
            .said_by_harness();
        finding.span = self.span;
        finding
    }

    /// Checks the hyphens of a name.
    pub(super) fn check_hyphens(&self, why: &'static str, findings: &mut Vec<Diagnostic>) {
        if self.text.starts_with('-') || self.text.ends_with('-') {
            let message = "the name begins or ends with a hyphen";
            findings.push(
                self.finding(&rules::SKILL_NAME_EDGE_HYPHEN, message)
                    .because(why)
                    .help("remove the hyphen, also from the name of the folder"),
            );
        }
        if self.text.contains("--") {
            let message = "the name has two hyphens in a row";
            findings.push(
                self.finding(&rules::SKILL_NAME_DOUBLE_HYPHEN, message)
                    .because(why)
                    .help("write a single hyphen, also in the name of the folder"),
            );
        }
    }

    /// Checks the length of the text, which the harness counts in its own way.
    pub(super) fn check_length(
        &self,
        what: &str,
        (length, most): (usize, usize),
        (rule, why): (&'static Rule, &'static str),
        findings: &mut Vec<Diagnostic>,
    ) {
        if length > most {
            let message = format!("the {what} has {length} characters; {most} are allowed");
            findings.push(
                self.finding(rule, message)
                    .because(why)
                    .help(format!("shorten the {what}")),
            );
        }
    }
}

/// Refuses the file, with a finding about one of its fields.
pub(super) fn refuse(
    finish: &mut Finish<'_>,
    field: FieldName,
    rule: &'static Rule,
    message: String,
    why: &'static str,
) {
    let mut finding = Diagnostic::new(rule, message)
        .because(why)
        .help(format!("write `{field}: …` with a text"))
        .about(field)
        .said_by_harness();
    let place = finish.definition.place(field);
    finding.span = place.map(|place| place.value).or(finish.opening);
    finish.findings.push(finding);
    finish.consequence = Some(Consequence::Rejected);
}
