//! Dashes inside a header that a harness takes for its end.

use std::ops::Range;

use super::chunks::{self, Chunk, lines};
use super::quotes::{escape, escaped_text};
use super::{Patient, Proposal};
use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::text::{MappedText, Replacement};
use crate::value::Node;
use crate::yaml;

const FENCE: &str = "---";

/// Writes the dashes inside a header so that they stay what they are and end nothing.
pub(super) fn escape_dashes(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    mend(patient, false)
}

/// Writes other dashes inside a header.
pub(super) fn replace_dashes(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    mend(patient, true)
}

fn mend(patient: &Patient<'_>, replaces: bool) -> Option<Proposal> {
    let text = patient.text()?;
    let source = text.as_str();
    let header = patient.rules.header.split(&text).header?;
    let start = header.opening.end;
    let end = next_end(source, header.closing.end)?;
    let meant = start..end;
    let part = text.slice(meant.clone());
    let found = chunks::split(patient, part.as_str());
    let mut edits: Vec<Replacement> = Vec::new();
    let mut changes = vec![(FieldName::PROMPT, None)];
    let all = lines(part.as_str(), 0..part.as_str().len());
    for line in all
        .iter()
        .filter(|line| line.text(part.as_str()).contains(FENCE))
    {
        if line.text(part.as_str()).trim_start().starts_with('#') {
            edits.extend(runs(part.as_str(), &line.range, '='));
            continue;
        }
        let mut chunks = found.list.iter();
        let chunk = chunks.find(|chunk| {
            chunk.range.start <= line.range.start && line.range.end <= chunk.range.end
        })?;
        if edits
            .iter()
            .any(|(range, _)| range.start >= chunk.range.start)
        {
            continue;
        }
        let edit = match replaces {
            true => {
                let runs = runs(part.as_str(), &chunk.range, '—').into_iter();
                edits.extend(runs.map(|run| indented(part.as_str(), chunk, run)));
                continue;
            }
            false => whole_value(patient, &part, chunk)?,
        };
        let (edit, value) = edit;
        edits.push(edit);
        if let Some(field) = patient.field_of(&chunk.key) {
            let value = FieldValue::text(value);
            changes.retain(|(changed, _)| *changed != field);
            changes.push((field, Some(value)));
        }
    }
    let is_header = looks_like_header(&found.list, patient) && !found.has_more;
    let title = match replaces {
        true => "write other dashes inside the header",
        false => "write the dashes so that they do not end the header",
    };
    Some(Proposal {
        title: title.to_owned(),
        edits: patient.edits(&part, &edits),
        at_best: match !replaces && is_header {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        },
        changes,
    })
}

/// Finds the next line of three or more dashes and nothing else, at or below an offset.
pub(super) fn next_end(text: &str, from: usize) -> Option<usize> {
    let all = lines(text, from..text.len());
    let mut all = all
        .iter()
        .filter(|line| line.range.start == 0 || text[..line.range.start].ends_with('\n'));
    let end = all.find(|line| {
        let content = line.text(text).trim_end();
        content.len() >= FENCE.len() && content.bytes().all(|byte| byte == b'-')
    });
    end.map(|end| end.range.start)
}

/// Returns whether settings that the harness knows make a header of what stands up to the next line
/// of dashes.
fn looks_like_header(chunks: &[Chunk], patient: &Patient<'_>) -> bool {
    let known = chunks.iter().filter(|chunk| patient.is_known(&chunk.key));
    known.count() > 0 && chunks.iter().all(|chunk| !chunk.has_loose_lines)
}

/// Replaces the dashes that may end a header by another sign.
fn runs(text: &str, range: &Range<usize>, sign: char) -> Vec<Replacement> {
    let mut edits = Vec::new();
    let mut at = range.start;
    while let Some(found) = text[at..range.end].find(FENCE) {
        let start = at + found;
        let rest = &text[start..range.end];
        let end = start + rest.len() - rest.trim_start_matches('-').len();
        let written = match sign {
            '—' => sign.to_string(),
            sign => sign.to_string().repeat(end - start),
        };
        edits.push((start..end, written));
        at = end;
    }
    edits
}

/// Indents what is written at the left edge of lines that are indented below a key.
fn indented(text: &str, chunk: &Chunk, (range, written): Replacement) -> Replacement {
    let below = chunk.below.iter().filter(|line| !line.is_blank(text));
    let indentations = below.map(|line| line.indentation(text));
    let indentation = indentations.filter(|indentation| *indentation > 0).min();
    let at_edge = text[..range.start].ends_with('\n');
    match indentation.filter(|_| at_edge && range.start > chunk.colon) {
        Some(indentation) => (range, format!("{}{written}", " ".repeat(indentation))),
        None => (range, written),
    }
}

/// Writes a value in double quotes, with escapes for its dashes. A text of several lines keeps them.
fn whole_value(
    patient: &Patient<'_>,
    part: &MappedText<'_>,
    chunk: &Chunk,
) -> Option<(Replacement, String)> {
    let text = part.as_str();
    let alone = MappedText::plain(&text[chunk.range.clone()]);
    let root = yaml::read(&alone, &patient.rules.yaml).ok().flatten();
    let read = root.as_ref().and_then(Node::as_map);
    let read = read.and_then(|map| map.get(&chunk.key));
    let value = match read {
        Some(entry) => entry.value.as_text()?.to_owned(),
        // What YAML cannot read on one line is a text without the quotes that it needs.
        None if chunk.below.is_empty() => {
            let value = &text[chunk.value.clone()];
            (!value.starts_with(['"', '\'', '[', '{'])).then(|| value.to_owned())?
        }
        None => return None,
    };
    let is_block = !chunk.below.is_empty() && value.trim_end().contains('\n');
    let written = match is_block {
        true => block_in_quotes(patient, &value),
        false => format!("\"{}\"", without_fences(&escaped_text(&value))),
    };
    let end = match read {
        Some(entry) if chunk.below.is_empty() => chunk.range.start + entry.value.span.end as usize,
        _ if chunk.below.is_empty() => chunk.value.end,
        _ => chunk.range.end,
    };
    let start = match chunk.value.is_empty() {
        true => chunk.colon,
        false => chunk.value.start,
    };
    let blank = if chunk.value.is_empty() { " " } else { "" };
    Some(((start..end, format!("{blank}{written}")), value))
}

/// Writes lines in double quotes: each ends with its line end as an escape, and goes on behind a
/// backslash.
fn block_in_quotes(patient: &Patient<'_>, value: &str) -> String {
    let (lines, last) = match value.strip_suffix('\n') {
        Some(lines) => (lines, "\\n"),
        None => (value, ""),
    };
    let lines = lines.split('\n').enumerate().map(|(index, line)| {
        let escaped = without_fences(&escaped_text(line));
        match escaped.starts_with(' ') && index > 0 {
            // Blanks that begin a line would be skipped.
            true => format!("\\{escaped}"),
            false => escaped,
        }
    });
    let between = format!("\\n\\{}  ", patient.line_end());
    let lines: Vec<String> = lines.collect();
    format!("\"{}{last}\"", lines.join(&between))
}

/// Writes every other dash of a run as an escape.
fn without_fences(escaped: &str) -> String {
    let mut written = String::with_capacity(escaped.len());
    let mut run = 0usize;
    let is_long = |at: usize| {
        let before = escaped[..at].len() - escaped[..at].trim_end_matches('-').len();
        let after = escaped[at..].len() - escaped[at..].trim_start_matches('-').len();
        before + after >= FENCE.len()
    };
    for (at, c) in escaped.char_indices() {
        if c != '-' || !is_long(at) {
            run = 0;
            written.push(c);
            continue;
        }
        match run % 2 {
            0 => written.push_str(&escape(c)),
            _ => written.push(c),
        }
        run += 1;
    }
    written
}
