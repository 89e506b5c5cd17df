//! Where things stand in a file: byte spans, lines and columns.

use std::fmt;

/// A half-open range of bytes in a file as it was read, byte order mark included.
///
/// Files larger than 4 GiB are refused before parsing, so 32 bits are enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Makes a span; an end before the start is moved to the start.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Self {
        Span {
            start,
            end: end.max(start),
        }
    }

    /// Returns the place that stands for a whole file: the dashes that open its header, or the
    /// empty place where they would stand.
    #[must_use]
    pub fn head_of(bytes: &[u8]) -> Self {
        let mark = "\u{feff}".as_bytes();
        let text = bytes.strip_prefix(mark).unwrap_or(bytes);
        let dashes = text.iter().take_while(|byte| **byte == b'-').count();
        let dashes = if dashes < 3 { 0 } else { dashes };
        let start = u32::try_from(bytes.len() - text.len()).unwrap_or_default();
        Span::new(start, start + u32::try_from(dashes).unwrap_or_default())
    }

    /// Returns the smallest span that covers both.
    #[must_use]
    pub fn cover(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether no byte is covered.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A position for people: both counts start at 1, the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LineColumn {
    /// The line, from 1. LF, CRLF and a lone CR each end a line.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The start of every line of a file, for turning byte offsets into lines and columns.
///
/// Made only when something is printed: parsing itself counts in bytes.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Indexes the lines of `bytes` in one pass.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let mut starts = vec![0];
        let mut at = 0;
        while at < bytes.len() {
            let next = match bytes[at] {
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => at + 2,
                b'\r' | b'\n' => at + 1,
                _ => {
                    at += 1;
                    continue;
                }
            };
            starts.push(u32::try_from(next).unwrap_or(u32::MAX));
            at = next;
        }
        LineIndex { starts }
    }

    /// Returns the line of a byte offset, from 1. Unlike a column it costs no look at the line.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        let line = self.starts.partition_point(|start| *start <= offset);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// Returns the line and column of a byte offset into the same bytes.
    ///
    /// An offset past the end gives the end. Bytes that are not UTF-8 count as one character
    /// for each replacement character that a lossy decoding would show.
    #[must_use]
    pub fn line_column(&self, bytes: &[u8], offset: u32) -> LineColumn {
        let offset = offset.min(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        let line = self.line(offset);
        let start = self.starts[line as usize - 1];
        LineColumn {
            line,
            column: characters(bytes, start, offset).saturating_add(1),
        }
    }

    /// As [`LineIndex::line_column`], but looks at no byte before a place that is known, if that is
    /// an earlier one of the same line. Who asks for many places of a long line in their order looks
    /// at it once.
    #[must_use]
    pub fn line_column_after(
        &self,
        bytes: &[u8],
        known: (u32, LineColumn),
        offset: u32,
    ) -> LineColumn {
        let offset = offset.min(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        let (at, LineColumn { line, column }) = known;
        let is_inside = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
        let splits = bytes.get(at as usize).is_some_and(is_inside);
        if splits || at > offset || self.line(offset) != line || self.line(at) != line {
            return self.line_column(bytes, offset);
        }
        let between = characters(bytes, at, offset);
        let column = column.saturating_add(between);
        LineColumn { line, column }
    }
}

/// Counts the characters between two offsets.
fn characters(bytes: &[u8], start: u32, end: u32) -> u32 {
    let text = String::from_utf8_lossy(&bytes[start as usize..end as usize]);
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_place_that_stands_for_it() {
        let head = |text: &str| Span::head_of(text.as_bytes());
        assert_eq!(head(""), Span::new(0, 0));
        assert_eq!(head("-- no header"), Span::new(0, 0));
        assert_eq!(head("---\nname: a\n---\n"), Span::new(0, 3));
        assert_eq!(head("\u{feff}----\n"), Span::new(3, 7));
        assert_eq!(head("\u{feff}text"), Span::new(3, 3));
    }

    #[test]
    fn lines_end_at_lf_crlf_and_lone_cr() {
        let bytes = "a\r\nbé\rc\nd".as_bytes();
        let lines = LineIndex::new(bytes);
        let at = |offset| lines.line_column(bytes, offset).to_string();
        assert_eq!(at(0), "1:1");
        assert_eq!(at(3), "2:1");
        assert_eq!(at(6), "2:3");
        assert_eq!(at(7), "3:1");
        assert_eq!(at(9), "4:1");
        assert_eq!(at(99), "4:2");
    }

    #[test]
    fn a_place_is_the_same_from_whatever_place_it_is_counted() {
        for bytes in [
            "a\r\nbé\rc\nd".as_bytes(),
            b"\xe2\x82a\xff\x80\x80b\n\xf0\x9f\x98\x80\xf0\x9f\x98",
            "naïve — 日本\n日".as_bytes(),
        ] {
            let lines = LineIndex::new(bytes);
            let end = u32::try_from(bytes.len()).expect("it is short");
            for from in 0..=end {
                let known = (from, lines.line_column(bytes, from));
                for to in 0..=end + 1 {
                    let expected = lines.line_column(bytes, to);
                    assert_eq!(lines.line_column_after(bytes, known, to), expected);
                }
            }
        }
    }
}
