//! The comments of a header, kept around the keys and items that are kept.

use std::ops::Range;

use agent_schema::header::Language;
use agent_schema::render::Comments;
use agent_schema::text::MappedText;
use agent_schema::writing::{FileForm, KeptKeys};
use agent_schema::{FieldName, MOST_NODES, Node, Severity, Span, Value, rules, yaml};

use super::fields::{Draft, DraftEntry};
use super::{Agent, LossCode, Notes, Reader};

/// A comment of a header.
pub(crate) struct Comment {
    text: String,
    span: Span,
    at: Option<Anchor>,
}

/// What a comment belongs to.
#[derive(Clone, Copy)]
struct Anchor {
    /// Where the key or item begins.
    start: u32,
    /// How deep it stands; the keys of the header stand at 0.
    depth: u32,
    /// Whether the comment stands below it.
    is_below: bool,
}

/// How the note ends that a key is kept as a comment.
const KEPT: &str = "it is kept as a comment";

/// Why a comment is lost.
const NO_KEY: &str = "the comment stands at no key that is kept";

/// The most lines that are kept of a key that nobody reads.
const MOST_LINES: usize = 24;

/// Takes the comments of the source along, and keys that its harness does not read. Returns the
/// comments inside of values, of which it only shows later whether they have a place.
pub(crate) fn take(
    agent: &Agent<'_>,
    draft: &mut Draft,
    to: Reader,
    notes: &mut Notes,
) -> Vec<Comment> {
    let kept_lines = keep_unread(agent, draft, to, notes);
    let own = agent.alone.as_deref().unwrap_or(agent);
    let mut nested = Vec::new();
    for comment in comments(own) {
        if kept_lines
            .iter()
            .any(|lines| lines.contains(&comment.span.start))
        {
            continue;
        }
        if matches!(to.writing().form, FileForm::LineHeader { .. }) {
            lose(&comment, format!("{} knows no comments", to.title()), notes);
            continue;
        }
        // Three dashes would end the header.
        let anchor = comment.at.filter(|_| !comment.text.contains("---"));
        match anchor {
            Some(anchor) if anchor.depth == 0 && !anchor.is_below => {
                let mut entries = draft.entries.iter_mut();
                let line = line_start(own.bytes, anchor.start as usize);
                let begins = |entry: &&mut DraftEntry| {
                    let span = entry.span.filter(|_| is_of(own, entry));
                    span.is_some_and(|span| line_start(own.bytes, span.start as usize) == line)
                };
                match entries.find(begins) {
                    Some(entry) => entry.comments.push(comment.text),
                    None => lose(&comment, NO_KEY, notes),
                }
            }
            Some(anchor) => {
                let around = draft.around.entry(anchor.start).or_default();
                match anchor.is_below {
                    true => around.below.push(comment.text.clone()),
                    false => around.above.push(comment.text.clone()),
                }
                nested.push(comment);
            }
            None => lose(&comment, NO_KEY, notes),
        }
    }
    nested
}

/// Lists the comments inside of values that have no place in what was written.
pub(crate) fn lose_left(nested: Vec<Comment>, left: &Comments, notes: &mut Notes) {
    for comment in nested {
        let start = comment.at.map(|anchor| anchor.start);
        if start.is_some_and(|start| left.contains_key(&start)) {
            lose(&comment, NO_KEY, notes);
        }
    }
}

fn lose(comment: &Comment, message: impl Into<String>, notes: &mut Notes) {
    let field = FieldName::METADATA.as_str();
    let span = Some(comment.span);
    notes.lose(LossCode::Comment, field, Severity::Info, span, message);
}

/// Returns whether what is written comes from the file whose comments are looked at, and not from
/// another source of the same agent.
fn is_of(own: &Agent<'_>, entry: &DraftEntry) -> bool {
    let definition = own.parsed.outcome.definition();
    let at = definition.zip(entry.span);
    at.is_some_and(|(definition, span)| definition.has_at(span))
}

/// Keeps what the harness of the source takes no notice of: as comments it has no effect there
/// either, and people still read it. Returns the bytes that are kept so.
fn keep_unread(
    agent: &Agent<'_>,
    draft: &mut Draft,
    to: Reader,
    notes: &mut Notes,
) -> Vec<Range<u32>> {
    let mut kept = Vec::new();
    let form = to.writing().form;
    // Where unknown keys are kept they are no comments.
    let keeps = agent.from.writing().unknown != KeptKeys::Nothing;
    if !agent.has_header || keeps || matches!(form, FileForm::LineHeader { .. }) {
        return kept;
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
            return kept;
        };
        let comments = &mut draft.entries[entry].comments;
        comments.extend(lines.iter().map(|line| format!("# {line}")));
        notes.in_comments.push(span);
        let length: usize = lines.iter().map(|line| line.len() + 1).sum();
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        kept.push(span.start..span.start.saturating_add(length));
        let key = lines[0].split(':').next().unwrap_or_default().trim();
        let message = format!("`{key}` has no effect in {}; {KEPT}", agent.from.title());
        notes.change(FieldName::METADATA.as_str(), Some(span), message);
    }
    kept
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
    any |= !draft.around.is_empty();
    draft.around.clear();
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

/// Finds the comments of the header: lines of their own, and what stands behind a value.
fn comments(agent: &Agent<'_>) -> Vec<Comment> {
    let Some(layout) = Layout::of(agent) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut at = 0;
    let mut fences = 0;
    for line in agent.bytes.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        if line.trim_ascii().starts_with(b"---") {
            fences += 1;
        }
        if fences > 1 {
            break;
        }
        let Ok(line) = std::str::from_utf8(line) else {
            continue;
        };
        let Some(hash) = layout.hash_in(line, start) else {
            continue;
        };
        let text = line[hash..].trim_end();
        let (from, to) = (start + hash, start + hash + text.len());
        let (Ok(from), Ok(to)) = (u32::try_from(from), u32::try_from(to)) else {
            continue;
        };
        let is_alone = line[..hash].trim().is_empty();
        found.push(Comment {
            text: text.to_owned(),
            span: Span::new(from, to),
            at: match is_alone {
                true => layout.around_line(from, hash),
                false => layout.on_line(start, from),
            },
        });
    }
    found
}

/// Where things stand in a header.
struct Layout {
    /// The keys and items, in the order of the file.
    stands: Vec<Stand>,
    /// The bytes of what is no map and no list; nothing in them is a comment.
    leaves: Vec<Span>,
}

/// A key of a map, or an item of a list.
#[derive(Clone, Copy)]
struct Stand {
    start: u32,
    depth: u32,
    /// The blanks before its line's first sign.
    column: usize,
}

impl Layout {
    fn of(agent: &Agent<'_>) -> Option<Self> {
        if !agent.has_header || agent.from.writing().form.is_lines() {
            return None;
        }
        let reading = &agent.from.profile.rules.reading;
        let text = MappedText::decode(agent.bytes, reading.encoding).ok()?;
        let header = reading.header.split(&text).header?;
        let yaml = text.slice(header.text.clone());
        let root = match header.language {
            Language::Yaml => yaml::read(&yaml, &reading.yaml).ok()??,
            _ => return None,
        };
        let mut left = MOST_NODES;
        let mut layout = Layout {
            stands: Vec::new(),
            leaves: Vec::new(),
        };
        layout.add(&root, 0, agent.bytes, &mut left);
        layout
            .stands
            .sort_by_key(|stand| (stand.start, stand.depth));
        // What begins with an item is the item.
        layout.stands.dedup_by_key(|stand| stand.start);
        Some(layout)
    }

    fn add(&mut self, node: &Node, depth: u32, bytes: &[u8], left: &mut u32) {
        let Some(fewer) = left.checked_sub(1) else {
            return;
        };
        *left = fewer;
        match &node.value {
            Value::Map(map) => {
                for entry in map.entries.iter().chain(&map.overwritten) {
                    self.stand(entry.key.span, depth, bytes);
                    self.leaves.push(entry.key.span);
                    self.add(&entry.value, depth + 1, bytes, left);
                }
            }
            Value::List(items) => {
                for item in items {
                    self.stand(item.span, depth, bytes);
                    self.add(item, depth + 1, bytes, left);
                }
            }
            // What an alias repeats stands elsewhere.
            Value::Shared(_) | Value::Recursive(_) => {}
            _ => self.leaves.push(node.span),
        }
    }

    fn stand(&mut self, span: Span, depth: u32, bytes: &[u8]) {
        let start = span.start as usize;
        let line = bytes.get(line_start(bytes, start)..start);
        let line = line.unwrap_or_default();
        self.stands.push(Stand {
            start: span.start,
            depth,
            column: line.iter().take_while(|byte| **byte == b' ').count(),
        });
    }

    /// Returns where a comment begins in a line: behind a blank or at its start, and inside of no
    /// value.
    fn hash_in(&self, line: &str, start: usize) -> Option<usize> {
        let mut hashes = line.match_indices('#').map(|(at, _)| at);
        hashes.find(|at| {
            let before = &line[..*at];
            let inside =
                |leaf: &Span| (leaf.start as usize..leaf.end as usize).contains(&(start + at));
            (before.is_empty() || before.ends_with([' ', '\t'])) && !self.leaves.iter().any(inside)
        })
    }

    /// Returns what a comment on a line of its own belongs to: what follows, unless that stands
    /// farther to the left; then the comment ends what stands before it.
    fn around_line(&self, at: u32, column: usize) -> Option<Anchor> {
        let next = self.stands.iter().find(|stand| stand.start > at);
        if let Some(next) = next.filter(|next| next.column >= column) {
            return Some(next.anchor(false));
        }
        let mut before = self.stands.iter().rev().filter(|stand| stand.start < at);
        let last = before.find(|stand| stand.column <= column);
        let below = last.filter(|stand| stand.depth > 0 && stand.column == column);
        below
            .map(|stand| stand.anchor(true))
            .or_else(|| next.map(|next| next.anchor(false)))
    }

    /// Returns what a comment behind a value belongs to: the outermost that begins on its line.
    fn on_line(&self, line: usize, at: u32) -> Option<Anchor> {
        let on_line = |stand: &&Stand| (line..at as usize).contains(&(stand.start as usize));
        let first = self.stands.iter().find(on_line);
        first.map(|stand| stand.anchor(false))
    }
}

impl Stand {
    fn anchor(self, is_below: bool) -> Anchor {
        Anchor {
            start: self.start,
            depth: self.depth,
            is_below,
        }
    }
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    let before = bytes.get(..at).unwrap_or_default();
    before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1)
}
