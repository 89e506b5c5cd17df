//! Headers that end before their author meant them to: a line of dashes inside of them that the
//! harness takes for their end.

use std::ops::Range;

use memchr::memmem;

use super::{Reading, trim_end};
use crate::definition::FieldName;
use crate::diagnostic::Diagnostic;
use crate::header::{ClosingLine, HeaderPart};
use crate::rules;
use crate::text::{MappedText, Replacement};
use crate::value::Node;
use crate::yaml;

/// How many lines of dashes are looked at below a header.
const MOST_FENCES: usize = 8;

const FENCE: &str = "---";

/// What stands at the end of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending<'t> {
    /// A line at the left edge.
    Line,
    /// Lines that are indented below another one.
    Indented,
    /// The block text of a key.
    BlockText(&'t str),
}

/// A header that goes on below the line that ends it.
struct Cut<'t> {
    /// Where it was probably meant to end.
    end: usize,
    /// The keys that stand below the line, and their fields.
    below: Vec<(&'t str, FieldName)>,
    /// The key whose value the line cuts in two.
    inside: Option<&'t str>,
}

impl Reading<'_> {
    /// Notes a header that ends before its author meant it to: settings stand between the fence
    /// that counts and a later one.
    pub(super) fn note_early_end(
        &mut self,
        text: &MappedText<'_>,
        header: &HeaderPart,
        body: &Range<usize>,
    ) {
        if header.closing.is_empty() {
            self.note_open_end(text, header);
            return;
        }
        let source = text.as_str();
        let line = header.closing_line(source);
        let ending = Ending::of(&source[header.text.clone()]);
        let from = match line {
            ClosingLine::Alone => behind_line(source, header.closing.start),
            _ => header.closing.end,
        };
        let rest = &source[from..body.end.max(from)];
        let mut fences = fence_lines(rest).take(MOST_FENCES);
        let end = match line {
            // A fence that stands alone was meant, unless nothing but settings follows it.
            ClosingLine::Alone => fences.find(|end| ending.goes_on(&rest[..*end])),
            _ => fences.next(),
        };
        self.meant_end = end.map(|end| from + end);
        let cut = end.map(|end| {
            // What the header has already is not lost; below it stands an example.
            let above = self.fields_set_in(&source[header.text.clone()]);
            let below = self.keys_set_in(&rest[..end]).into_iter();
            Cut {
                end: from + end,
                below: below.filter(|(_, field)| !above.contains(field)).collect(),
                inside: ending.cut_key().filter(|_| line == ClosingLine::Alone),
            }
        });
        match cut.filter(|cut| !cut.below.is_empty() || cut.inside.is_some()) {
            Some(cut) => self.tell_early_end(text, header, &cut),
            None if line == ClosingLine::Shared => self.note_shared_fence(text, header),
            None => {}
        }
    }

    /// Notes that a line of dashes cuts a header inside of quotes or brackets, if the header could
    /// be read without that line. Returns the number of the finding.
    pub(super) fn note_cut_value(
        &mut self,
        text: &MappedText<'_>,
        header: &HeaderPart,
    ) -> Option<usize> {
        let source = text.as_str();
        let is_alone = !header.closing.is_empty() && self.meant_end.is_none();
        if !is_alone || header.closing_line(source) != ClosingLine::Alone {
            return None;
        }
        let from = behind_line(source, header.closing.start);
        let mut fences = fence_lines(&source[from..]).take(MOST_FENCES);
        let end = fences.find(|end| {
            let whole = text.slice(header.text.start..from + end);
            let edits = without_fences(whole.as_str());
            let root = yaml::read(&whole.edited(&edits), &self.rules.yaml);
            root.is_ok_and(|root| root.as_ref().and_then(Node::as_map).is_some())
        })?;
        let cut = Cut {
            end: from + end,
            below: self.keys_set_in(&source[from..from + end]),
            inside: last_key(&source[header.text.clone()]),
        };
        self.tell_early_end(text, header, &cut);
        self.diagnostics.len().checked_sub(1)
    }

    fn tell_early_end(&mut self, text: &MappedText<'_>, header: &HeaderPart, cut: &Cut<'_>) {
        let names: Vec<String> = cut
            .below
            .iter()
            .map(|(key, _)| format!("`{key}`"))
            .collect();
        let message = match (names.as_slice(), cut.inside) {
            ([], inside) => format!(
                "the header ends here, inside the value of `{}`",
                inside.unwrap_or_default()
            ),
            (names, _) => format!(
                "the header ends here: {} below it {} no part of it",
                names.join(", "),
                match names.len() {
                    1 => "is",
                    _ => "are",
                }
            ),
        };
        self.degraded = true;
        self.diagnostics.push(
            Diagnostic::new(&rules::HEADER_ENDS_EARLY, message)
                .at(trim_end(text, header.closing.clone()))
                .and_at(
                    text.span(cut.end..cut.end + FENCE.len()),
                    "it was probably meant to end here",
                )
                .because(format!(
                    "{} ends a header at the first dashes that fit, and what follows is the prompt",
                    self.dialect.title
                ))
                .help("write the dashes inside the header in another way, such as `—`"),
        );
        let inside = cut.inside.map(|key| format!("{key}:"));
        let inside = inside.iter().flat_map(|line| self.fields_set_in(line));
        let fields = cut.below.iter().map(|(_, field)| *field).chain(inside);
        self.lost.extend(fields.collect::<Vec<_>>());
    }
}

impl<'t> Ending<'t> {
    fn of(header: &'t str) -> Self {
        let mut lines = header.lines().rev().filter(|line| !line.trim().is_empty());
        let Some(last) = lines.next() else {
            return Ending::Line;
        };
        let mut others = std::iter::once(last).chain(lines);
        match (is_indented(last), others.find(|line| !is_indented(line))) {
            (_, Some(key)) if block_key(key).is_some() => {
                Ending::BlockText(block_key(key).unwrap_or_default())
            }
            (true, _) => Ending::Indented,
            (false, _) => Ending::Line,
        }
    }

    /// Returns the key whose value a line behind it cuts in two.
    fn cut_key(self) -> Option<&'t str> {
        match self {
            Ending::BlockText(key) => Some(key),
            Ending::Line | Ending::Indented => None,
        }
    }

    /// Returns whether lines that follow a header are more of it, and nothing else.
    fn goes_on(self, lines: &str) -> bool {
        if is_settings(lines) {
            return true;
        }
        let belongs_above =
            |line: &&str| line.trim().is_empty() || is_indented(line) || is_fence(line);
        let above = lines.split_inclusive('\n').take_while(belongs_above);
        let (count, length) = above.clone().fold((0, 0), |(count, length), line| {
            let is_text = is_indented(line) && !line.trim().is_empty();
            (count + usize::from(is_text), length + line.len())
        });
        let rest = &lines[length..];
        match self {
            Ending::Line => false,
            _ if count == 0 => false,
            Ending::BlockText(_) if rest.is_empty() => true,
            _ => is_settings(rest),
        }
    }
}

/// Returns the key of a line whose value is a block text below it.
fn block_key(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(':')?;
    let value = value.split(" #").next().unwrap_or_default().trim();
    let signs = value.strip_prefix(['|', '>'])?;
    let is_sign = |c: char| matches!(c, '+' | '-' | '1'..='9');
    (value.len() < 4 && signs.chars().all(is_sign)).then_some(key)
}

/// Returns the last key at the left edge.
fn last_key(header: &str) -> Option<&str> {
    let mut lines = header.lines().rev();
    lines.find_map(|line| {
        let (key, _) = line.split_once(':')?;
        let is_key = !key.is_empty() && !key.contains(char::is_whitespace);
        is_key.then_some(key)
    })
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// Returns whether a line is three or more dashes and nothing else.
fn is_fence(line: &str) -> bool {
    let line = line.trim_end();
    line.len() >= FENCE.len() && line.bytes().all(|byte| byte == b'-')
}

/// Returns whether lines are settings and nothing else, as they stand in a header.
pub(super) fn is_settings(lines: &str) -> bool {
    let mut lines = lines.trim_start_matches(['\r', '\n']).lines();
    lines.next().is_some_and(is_key) && lines.all(|line| line.is_empty() || is_setting(line))
}

/// Returns the settings with which a text begins, blank lines between them included.
pub(super) fn leading_settings(text: &str) -> &str {
    let lines = text.split_inclusive('\n');
    let settings = lines.take_while(|line| line.trim().is_empty() || is_setting(line));
    &text[..settings.map(str::len).sum()]
}

fn is_key(line: &str) -> bool {
    let key = line.split_once(':').map(|(key, _)| key);
    key.is_some_and(|key| !key.is_empty() && !key.contains(|c: char| c.is_whitespace()))
}

fn is_setting(line: &str) -> bool {
    let goes_on = line.starts_with([' ', '\t', '#']) || line.starts_with("- ");
    is_key(line) || goes_on
}

/// Finds the lines of three or more dashes and nothing else, below the first line.
pub(super) fn fence_lines(text: &str) -> impl Iterator<Item = usize> {
    let begun = memmem::find_iter(text.as_bytes(), "\n---").map(|end| end + 1);
    begun.filter(|start| {
        let line = text[*start..].split_inclusive('\n').next();
        line.is_some_and(is_fence)
    })
}

/// Makes the edits that turn lines of dashes into other words.
fn without_fences(text: &str) -> Vec<Replacement> {
    let starts = fence_lines(text);
    let word = |start: usize| {
        let length = text[start..]
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end()
            .len();
        (start..start + length, "x".repeat(length))
    };
    starts.map(word).collect()
}

/// Returns where the line behind that of an offset begins.
fn behind_line(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n');
    end.map_or(text.len(), |end| at + end + 1)
}
