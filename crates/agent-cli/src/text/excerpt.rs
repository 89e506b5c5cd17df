//! The lines of a file around a span, as text that can be printed.

use std::ops::Range;

use agent_schema::Span;
use annotate_snippets::{Annotation, AnnotationKind, Snippet};

use crate::finding::FileView;
use crate::text::printable::untrusted;
use unicode_width::UnicodeWidthStr;

/// The lines of a file that hold some spans.
pub(crate) struct Excerpt<'a> {
    /// The bytes of these lines.
    source: &'a [u8],
    /// Where they begin in the file.
    begin: usize,
    first_line: usize,
    text: String,
    /// Whether the bytes are UTF-8.
    is_text: bool,
}

/// A second place with what is there.
pub(crate) type Labelled<'a> = (Span, &'a str);

impl<'a> Excerpt<'a> {
    /// Takes the lines that hold a span and some others, if the file was read.
    pub(crate) fn around(
        file: FileView<'a>,
        span: Span,
        others: impl Iterator<Item = Span>,
    ) -> Option<Self> {
        let bytes = file.bytes?;
        let Range { start: begin, end } = lines(bytes, others.fold(span, Span::cover));
        let source = &bytes[begin..end];
        Some(Excerpt {
            source,
            begin,
            first_line: file.line_column(to_u32(begin))?.line as usize,
            text: printed(source),
            is_text: std::str::from_utf8(source).is_ok(),
        })
    }

    /// Begins a snippet with the lines.
    pub(crate) fn snippet<'s, T: Clone>(&'s self, path: &'s str) -> Snippet<'s, T> {
        Snippet::source(self.text.as_str())
            .path(path)
            .line_start(self.first_line)
    }

    /// Marks a second place.
    pub(crate) fn label(&self, (span, label): Labelled<'_>) -> Annotation<'static> {
        AnnotationKind::Context
            .span(self.range(span))
            .label(untrusted(label))
    }

    /// Turns bytes of the file into bytes of the text.
    pub(crate) fn range(&self, span: Span) -> Range<usize> {
        self.position(span.start)..self.position(span.end)
    }

    fn position(&self, offset: u32) -> usize {
        let before = clamped(self.source, offset.saturating_sub(to_u32(self.begin)));
        // What is printed in the place of bytes that are no text may be longer than they are.
        let mut at = match self.is_text {
            true => before,
            false => String::from_utf8_lossy(&self.source[..before]).len(),
        };
        at = at.min(self.text.len());
        // An offset inside a character stands for its start.
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// Returns the lines that hold a span.
pub(crate) fn lines(bytes: &[u8], span: Span) -> Range<usize> {
    line_start(bytes, clamped(bytes, span.start))..line_end(bytes, clamped(bytes, span.end))
}

/// Tells the places that can be marked beside a span from those that lie too far to the side.
///
/// A place that holds the span and does not fit is in neither list: by itself it says little.
pub(crate) fn arrange<'d>(
    bytes: &[u8],
    span: Span,
    places: impl Iterator<Item = Labelled<'d>>,
    room: usize,
) -> (Vec<Labelled<'d>>, Vec<Labelled<'d>>) {
    let (left, right) = columns(bytes, span);
    let (beside, apart): (Vec<_>, Vec<_>) = places.partition(|(other, label)| {
        let (other_left, other_right) = columns(bytes, *other);
        let right = right.max(other_right);
        // A line that fits is printed from its start, a longer one from the first span.
        let left = if right > room {
            left.min(other_left)
        } else {
            0
        };
        right + 1 + label.width() - left <= room
    });
    let holds = |other: Span| other.start <= span.start && span.end <= other.end;
    let apart = apart.into_iter().filter(|(other, _)| !holds(*other));
    (beside, apart.collect())
}

/// The columns, in bytes, in which a span begins and ends.
fn columns(bytes: &[u8], span: Span) -> (usize, usize) {
    let column = |offset| {
        let at = clamped(bytes, offset);
        at - line_start(bytes, at)
    };
    (column(span.start), column(span.end))
}

/// Returns an offset inside the bytes; between CR and LF nothing can stand.
pub(crate) fn clamped(bytes: &[u8], offset: u32) -> usize {
    let offset = (offset as usize).min(bytes.len());
    let splits = bytes[..offset].ends_with(b"\r") && bytes[offset..].starts_with(b"\n");
    if splits { offset - 1 } else { offset }
}

fn is_line_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    let end = bytes[..at].iter().rposition(is_line_end);
    end.map_or(0, |end| end + 1)
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let end = bytes[at..].iter().position(is_line_end);
    end.map_or(bytes.len(), |end| at + end)
}

/// Decodes bytes for printing. A lone CR ends a line here as it does in the line numbers.
fn printed(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_lone = c == '\r' && chars.peek() != Some(&'\n');
        // What is printed in the place of a character has as many bytes.
        out.push(match c {
            _ if is_lone => '\n',
            '\u{80}'..='\u{9f}' | '\u{ad}' => '\u{b7}',
            '\u{200b}' | '\u{2028}' | '\u{2029}' => '\u{fffd}',
            c => c,
        });
    }
    out
}

fn to_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
