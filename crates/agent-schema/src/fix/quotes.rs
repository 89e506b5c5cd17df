//! Values without quotes that YAML cannot read as they stand.

use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic, Edit};
use crate::header::Language;
use crate::text::{MappedText, Replacement};
use crate::yaml;

use super::{Patient, Proposal};

/// Puts the values of all lines in quotes that keep the header from being read, one after another.
pub(super) fn quote_values(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let header = patient.rules.header.split(&text).header?;
    if header.language != Language::Yaml {
        return None;
    }
    let part = text.slice(header.text);
    let mut edits: Vec<Replacement> = Vec::new();
    let mut changes = Vec::new();
    loop {
        let error = match yaml::read(&part.edited(&edits), &patient.rules.yaml) {
            Ok(_) => break,
            Err(error) => error,
        };
        let line = key_line(&part, error.span.start)?;
        if edits.iter().any(|(range, _)| *range == line.value) {
            return None;
        }
        let value = &part.as_str()[line.value.clone()];
        changes.extend(patient.field_of(line.key).map(|field| (field, value)));
        edits.push((line.value, quoted(value)));
        edits.sort_by_key(|(range, _)| range.start);
    }
    let title = match edits.as_slice() {
        [] => return None,
        [_] => "put the value in quotes",
        _ => "put the values in quotes",
    };
    let meant = |(field, value): (FieldName, &str)| (field, Some(FieldValue::Text(value.into())));
    Some(Proposal {
        title: title.to_owned(),
        changes: changes.into_iter().map(meant).collect(),
        edits: edits
            .into_iter()
            .map(|(range, replacement)| Edit {
                span: part.span(range),
                text: replacement,
            })
            .collect(),
        at_best: Applicability::Safe,
    })
}

/// A line `key: value` at the left edge of a header.
struct KeyLine<'a> {
    key: &'a str,
    /// Without the white space around it.
    value: std::ops::Range<usize>,
}

/// Finds the last key line at or above a byte of the file that has a value without quotes.
fn key_line<'a>(part: &'a MappedText<'_>, source: u32) -> Option<KeyLine<'a>> {
    let text = part.as_str();
    let mut at = 0;
    let mut found = None;
    for line in text.split_inclusive('\n') {
        if part.source_offset(at) > source {
            break;
        }
        if let Some((key, rest)) = line.split_once(':')
            && rest.starts_with([' ', '\t'])
            && !key.is_empty()
            && !key.starts_with([' ', '\t', '#', '-', '"', '\''])
        {
            let value = rest.trim();
            let start = at + line.len() - rest.trim_start().len();
            let plain = !value.is_empty() && !value.starts_with(['"', '\'', '|', '>']);
            found = plain.then_some(KeyLine {
                key,
                value: start..start + value.len(),
            });
        }
        at += line.len();
    }
    found
}

/// Writes a text as a scalar in double quotes, whose escapes all flavors of YAML share.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
