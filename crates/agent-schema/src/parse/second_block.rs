//! Settings that stand below the header, at the head of the prompt.

use std::ops::Range;

use super::Reading;
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::text::{MappedText, lines_with_ends};

const FENCE: &str = "---";

/// How many keys of the harness make a block of settings: a single one may begin a sentence, unless
/// dashes stand above and below.
const LEAST_KEYS: usize = 2;

impl Reading<'_> {
    /// Notes lines of settings with which the prompt begins: a header was meant, or a part of one.
    pub(super) fn note_second_block(&mut self, text: &MappedText<'_>, body: &Range<usize>) {
        let source = &text.as_str()[body.clone()];
        let block = block(source);
        let keys = self.keys_set_in(&source[block.clone()]);
        let least = match is_fenced(source, &block) {
            true => 1,
            false => LEAST_KEYS,
        };
        if keys.len() < least {
            return;
        }
        let names: Vec<String> = keys.iter().map(|(key, _)| format!("`{key}`")).collect();
        let have = if keys.len() == 1 { "has" } else { "have" };
        let place = text.span(body.start + block.start..body.start + block.end);
        let finding = Diagnostic::new(
            &rules::SETTINGS_IN_PROMPT,
            format!(
                "the prompt begins with settings: {} below the header {have} no effect",
                names.join(", ")
            ),
        )
        .at(place)
        .because(format!(
            "{} reads the settings of the header alone; what follows is the prompt",
            self.dialect.title
        ))
        .help("move them into the header, or delete them");
        self.diagnostics.push(finding);
        // What the header has already is not lost.
        let below = keys.into_iter().map(|(_, field)| field);
        let lost = below.filter(|field| self.definition.place(*field).is_none());
        self.lost.extend(lost.collect::<Vec<_>>());
    }
}

/// Returns the lines of `key: value` with which a text begins, fences around them left out.
fn block(text: &str) -> Range<usize> {
    let mut at = 0;
    let mut found: Option<Range<usize>> = None;
    for line in lines_with_ends(text) {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        let is_before = found.is_none() && (content.is_empty() || content == FENCE);
        if is_before {
            continue;
        }
        if !is_setting(content) {
            break;
        }
        let begin = found.map_or(start, |found| found.start);
        found = Some(begin..start + content.len());
    }
    found.unwrap_or_default()
}

/// Returns whether lines of dashes stand right above and below a block.
fn is_fenced(text: &str, block: &Range<usize>) -> bool {
    let above = text[..block.start].lines().next_back();
    let below = text[block.end..].lines().nth(1);
    let is_fence = |line: Option<&str>| line.is_some_and(|line| line.trim_end() == FENCE);
    is_fence(above) && is_fence(below)
}

/// Returns whether a line begins with a word of the kind of which keys are, and a colon.
fn is_setting(line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else {
        return false;
    };
    let is_key_char = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_key = key.starts_with(|c: char| c.is_ascii_lowercase()) && key.chars().all(is_key_char);
    is_key && (value.is_empty() || value.starts_with(' '))
}
