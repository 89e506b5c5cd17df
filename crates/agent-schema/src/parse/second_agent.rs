//! A second agent in a file that gives one.

use std::ops::Range;

use super::Reading;
use super::early_end::{fence_lines, is_settings};
use crate::definition::FieldName;
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::text::MappedText;

/// How many lines of dashes are looked at in a prompt.
const MOST_FENCES: usize = 64;

const FENCE: &str = "---";

/// What begins and ends an example in a prompt.
const EXAMPLE: &str = "```";

impl Reading<'_> {
    /// Notes a whole header in the midst of the prompt, with a name and a description between two
    /// fences: another agent, which nobody reads as one.
    pub(super) fn note_second_agent(&mut self, text: &MappedText<'_>, body: &Range<usize>) {
        let mut told = self.diagnostics.iter();
        if told.any(|it| it.rule == &rules::SETTINGS_IN_PROMPT) {
            return;
        }
        let source = &text.as_str()[body.clone()];
        let fences: Vec<usize> = fence_lines(source).take(MOST_FENCES).collect();
        let pairs = fences.iter().zip(fences.iter().skip(1));
        let header = pairs
            .map(|(start, end)| *start..*end)
            .find(|range| self.is_header_of_agent(source, range));
        let Some(header) = header else { return };
        let place = text.span(body.start + header.start..body.start + header.end + FENCE.len());
        self.degraded = true;
        self.diagnostics.push(
            Diagnostic::new(
                &rules::SETTINGS_IN_PROMPT,
                "a second agent begins here, and all of it is part of the prompt of the first",
            )
            .at(place)
            .because(format!(
                "{} takes one agent from a file: what follows its header is the prompt",
                self.dialect.title
            ))
            .help("move it into a file of its own"),
        );
    }

    fn is_header_of_agent(&self, source: &str, range: &Range<usize>) -> bool {
        let lines = &source[range.clone()];
        let Some((fence, settings)) = lines.split_once('\n') else {
            return false;
        };
        let fields = self.fields_set_in(settings);
        let is_agent = [FieldName::NAME, FieldName::DESCRIPTION]
            .iter()
            .all(|field| fields.contains(field));
        let is_example = source[..range.start].matches(EXAMPLE).count() % 2 == 1;
        fence.trim_end() == FENCE && is_agent && is_settings(settings) && !is_example
    }
}
