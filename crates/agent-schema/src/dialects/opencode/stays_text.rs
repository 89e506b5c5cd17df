//! `{env:NAME}` and `{file:PATH}` in Markdown, where they stay what they are.
//!
//! Source: case `parse/env-token-not-substituted`.

use crate::coerce::shorten;
use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::Diagnostic;
use crate::finish::Finish;
use crate::parse::{MOST_OF_A_RULE, TOKENS, holds_token};
use crate::rules;
use crate::source::Span;

/// Tells of what only a file of settings puts something in for.
pub(super) fn note(finish: &mut Finish<'_>) {
    note_in_header(finish);
    note_in_prompt(finish);
}

/// A value with a token in it is not what its author meant, so that it is lost.
fn note_in_header(finish: &mut Finish<'_>) {
    let fields = finish.definition.fields();
    let texts = fields.filter_map(|(field, located)| match &located.value {
        FieldValue::Text(text) if field != FieldName::PROMPT => {
            Some((Some(field), &**text, located.place?.value))
        }
        _ => None,
    });
    let options = finish.definition.metadata.values();
    let options = options.filter_map(|located| {
        let text = located.value.as_text()?;
        Some((None, text, located.place?.value))
    });
    let found: Vec<(Option<FieldName>, Diagnostic)> = texts
        .chain(options)
        .filter_map(|(field, text, place)| {
            let (_, token) = tokens(text).next()?;
            Some((field, stays(token, place)))
        })
        .collect();
    for (field, finding) in found {
        let help = "write the value itself, or write the agent in `opencode.json`";
        finish.lost.extend(field);
        finish.findings.push(Diagnostic {
            field,
            ..finding.help(help)
        });
    }
}

/// In a prompt only prose is meant: what stands between signs of code is an example.
fn note_in_prompt(finish: &mut Finish<'_>) {
    let definition = &finish.definition;
    let (Some(prompt), Some(place)) = (
        definition.prompt().filter(|prompt| holds_token(prompt)),
        definition.place(FieldName::PROMPT),
    ) else {
        return;
    };
    let found = tokens(prompt).find(|(start, _)| !is_code(&prompt[..*start]));
    let Some((start, token)) = found else {
        return;
    };
    let at = within(place.value, prompt, start, token).unwrap_or(place.value);
    let help = "write the text itself, or give the agent its `prompt` in `opencode.json`";
    let finding = stays(token, at).about(FieldName::PROMPT).help(help);
    finish.findings.push(finding);
}

/// Returns whether what follows a text stands between signs of code: in a block that is still open,
/// or behind such a sign on its line.
fn is_code(before: &str) -> bool {
    let fences = before.lines().filter(|line| {
        let line = line.trim_start();
        line.starts_with("```") || line.starts_with("~~~")
    });
    let line = before.rsplit('\n').next().unwrap_or_default();
    fences.count() % 2 == 1 || line.matches('`').count() % 2 == 1
}

fn stays(token: &str, at: Span) -> Diagnostic {
    let message = format!("`{}` stays as it is written", shorten(token));
    Diagnostic::new(&rules::TOKEN_STAYS_TEXT, message)
        .at(at)
        .because(
            "OpenCode puts variables and files into its JSON files alone, and into no Markdown",
        )
}

/// The most bytes of a token that is looked for: paths are shorter.
const LONGEST: usize = 4096;

/// Returns the tokens of a text with their places, as many as are told of at most.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = TOKENS.iter().flat_map(|start| text.match_indices(start));
    let found = starts.filter_map(|(start, _)| {
        let signs = text.as_bytes()[start..].iter().take(LONGEST);
        let mut signs = signs.take_while(|sign| **sign != b'\n');
        let length = signs.position(|sign| *sign == b'}')? + 1;
        Some((start, &text[start..start + length]))
    });
    found.take(MOST_OF_A_RULE)
}

/// Returns the bytes of a part of the prompt, if the text is what stands in the file.
fn within(place: Span, prompt: &str, start: usize, token: &str) -> Option<Span> {
    let is_as_written = (place.end - place.start) as usize == prompt.len();
    let start = place.start + u32::try_from(start).ok()?;
    let end = start + u32::try_from(token.len()).ok()?;
    is_as_written.then(|| Span::new(start, end))
}
