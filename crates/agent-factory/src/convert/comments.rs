//! The comments of a header, kept above the keys that are kept.

use agent_schema::writing::{FileForm, KeptKeys};
use agent_schema::{FieldName, Severity, Span, rules};

use super::fields::{Draft, DraftEntry};
use super::{Agent, LossCode, Notes, Reader};

/// A comment of a header.
struct Comment {
    text: String,
    span: Span,
    /// The offset of the line of the key that it belongs to: the next one, or that of its own line.
    key_line: Option<usize>,
}

/// How the note ends that a key is kept as a comment.
const KEPT: &str = "it is kept as a comment";

/// The most lines that are kept of a key that nobody reads.
const MOST_LINES: usize = 24;

/// Takes the comments of the source along, and keys that its harness does not read.
pub(crate) fn take(agent: &Agent<'_>, draft: &mut Draft, to: Reader, notes: &mut Notes) {
    keep_unread(agent, draft, to, notes);
    let own = agent.alone.as_deref().unwrap_or(agent);
    let comments = comments(own);
    if comments.is_empty() {
        return;
    }
    let keeps = !matches!(to.writing().form, FileForm::LineHeader { .. });
    let title = to.title();
    for comment in comments {
        let entry = draft.entries.iter_mut().find(|entry| {
            let line = entry
                .span
                .filter(|_| is_of(own, entry))
                .map(|span| line_start(agent.bytes, span.start as usize));
            line.is_some() && line == comment.key_line
        });
        match entry {
            Some(entry) if keeps && !comment.text.contains("---") => {
                entry.comments.push(comment.text);
            }
            _ => {
                let message = match keeps {
                    true => "the comment stands at no key that is kept".to_owned(),
                    false => format!("{title} knows no comments"),
                };
                let field = FieldName::METADATA.as_str();
                let span = Some(comment.span);
                notes.lose(LossCode::Comment, field, Severity::Info, span, message);
            }
        }
    }
}

/// Returns whether what is written comes from the file whose comments are looked at, and not from
/// another source of the same agent.
fn is_of(own: &Agent<'_>, entry: &DraftEntry) -> bool {
    let definition = own.parsed.outcome.definition();
    let at = definition.zip(entry.span);
    at.is_some_and(|(definition, span)| definition.has_at(span))
}

/// Keeps what the harness of the source takes no notice of: as comments it has no effect there
/// either, and people still read it.
fn keep_unread(agent: &Agent<'_>, draft: &mut Draft, to: Reader, notes: &mut Notes) {
    let form = to.writing().form;
    // Where unknown keys are kept they are no comments.
    let keeps = agent.from.writing().unknown != KeptKeys::Nothing;
    if !agent.has_header || keeps || matches!(form, FileForm::LineHeader { .. }) {
        return;
    }
    for finding in &agent.parsed.diagnostics {
        let unread = [rules::UNKNOWN_KEY.code, rules::INERT_KEY.code];
        let Some(span) = finding.span.filter(|_| unread.contains(&finding.rule.code)) else {
            continue;
        };
        let lines = lines_of_key(agent.bytes, span);
        if lines.is_empty() || lines.iter().any(|line| line.contains("---")) {
            continue;
        }
        let behind = |entry: &DraftEntry| entry.span.is_some_and(|at| at.start > span.start);
        let at = draft.entries.iter().position(behind);
        let Some(entry) = at.or(draft.entries.len().checked_sub(1)) else {
            return;
        };
        let comments = &mut draft.entries[entry].comments;
        comments.extend(lines.iter().map(|line| format!("# {line}")));
        notes.in_comments.push(span);
        let key = lines[0].split(':').next().unwrap_or_default().trim();
        let message = format!("`{key}` has no effect in {}; {KEPT}", agent.from.title());
        notes.change(FieldName::METADATA.as_str(), Some(span), message);
    }
}

/// Returns the lines of a key at the start of a line, with all that belongs to it; nothing if they
/// cannot be told.
fn lines_of_key(bytes: &[u8], key: Span) -> Vec<&str> {
    let start = line_start(bytes, key.start as usize);
    let rest = bytes
        .get(start..)
        .and_then(|rest| std::str::from_utf8(rest).ok());
    let Some(rest) = rest.filter(|_| start == key.start as usize) else {
        return Vec::new();
    };
    let mut lines = rest.lines();
    let first = lines.next().into_iter();
    let belongs = |line: &&str| line.starts_with([' ', '\t']) || line.starts_with("- ");
    let lines: Vec<&str> = first
        .chain(lines.take_while(belongs))
        .map(str::trim_end)
        .collect();
    match lines.len() <= MOST_LINES {
        true => lines,
        false => Vec::new(),
    }
}

/// Leaves all comments out. Returns whether there was one.
pub(crate) fn drop_all(draft: &mut Draft, notes: &mut Notes) -> bool {
    let mut any = false;
    for entry in &mut draft.entries {
        if !entry.comments.is_empty() {
            entry.comments.clear();
            any = true;
        }
    }
    if any {
        let message = "the comments make the file unreadable there";
        let field = FieldName::METADATA.as_str();
        notes.lose(LossCode::Comment, field, Severity::Info, None, message);
        notes.in_comments.clear();
        notes
            .changes
            .retain(|change| !change.message.ends_with(KEPT));
    }
    any
}

/// Finds the comments of the header: lines of their own, and what stands behind the value of a key.
fn comments(agent: &Agent<'_>) -> Vec<Comment> {
    let Some(definition) = agent
        .parsed
        .outcome
        .definition()
        .filter(|_| agent.has_header)
    else {
        return Vec::new();
    };
    if matches!(agent.from.writing().form, FileForm::LineHeader { .. }) {
        return Vec::new();
    }
    // The values of the header; what is inside of them is no comment.
    let fields = definition
        .fields()
        .filter(|(field, _)| *field != FieldName::PROMPT);
    let places = fields.filter_map(|(_, value)| value.place);
    let metadata = definition.metadata.values().filter_map(|value| value.place);
    let mut places: Vec<_> = places.chain(metadata).collect();
    places.sort_by_key(|place| place.key.start);
    places.dedup();
    let end = definition
        .place(FieldName::PROMPT)
        .map_or(agent.bytes.len(), |place| place.value.start as usize);
    let Some(header) = agent
        .bytes
        .get(..end)
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
    else {
        return Vec::new();
    };
    let inside = |at: usize| {
        places
            .iter()
            .any(|place| (place.value.start as usize..place.value.end as usize).contains(&at))
    };
    let key_lines: Vec<usize> = places
        .iter()
        .map(|place| line_start(agent.bytes, place.key.start as usize))
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    let mut seen_fence = false;
    for line in header.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        if trimmed.starts_with("---") {
            if seen_fence {
                break;
            }
            seen_fence = true;
            continue;
        }
        let own_line = trimmed.starts_with('#');
        let hash = match own_line {
            true => line.find('#'),
            false => behind_value(line, start, &inside),
        };
        let Some(hash) = hash.filter(|hash| !inside(start + hash)) else {
            continue;
        };
        let text = line[hash..].trim_end();
        let (Ok(from), Ok(to)) = (
            u32::try_from(start + hash),
            u32::try_from(start + hash + text.len()),
        ) else {
            continue;
        };
        let key_line = match own_line {
            true => key_lines.iter().copied().find(|line| *line > start),
            false => key_lines.contains(&start).then_some(start),
        };
        found.push(Comment {
            text: text.to_owned(),
            span: Span::new(from, to),
            key_line,
        });
    }
    found
}

/// Returns where a comment behind a value begins.
fn behind_value(line: &str, start: usize, inside: &dyn Fn(usize) -> bool) -> Option<usize> {
    let mut signs = line.match_indices(" #").map(|(at, _)| at + 1);
    signs.find(|at| !inside(start + at))
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    let before = bytes.get(..at).unwrap_or_default();
    before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1)
}
