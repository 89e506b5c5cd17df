//! Text as a harness sees it, with the way back to the bytes of the file.
//!
//! Harnesses change a text before they parse it: they drop a byte order mark, unify line ends,
//! replace bad bytes, or quote a value and try again. [`MappedText`] holds the changed text and
//! answers for each offset which byte of the file it came from, so that every diagnostic points
//! at what the author wrote.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use crate::source::Span;

/// How the bytes of a file become text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    /// What happens to bytes that are not UTF-8.
    pub invalid: InvalidBytes,
    /// What happens to a byte order mark at the start.
    pub byte_order_mark: ByteOrderMark,
    /// What happens to line ends before anything else looks at the text.
    pub line_ends: LineEnds,
}

/// What a harness does with bytes that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidBytes {
    /// The file is refused.
    Refused,
    /// Each bad sequence becomes U+FFFD.
    Replaced,
}

/// What a harness does with a byte order mark at the start of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrderMark {
    /// It stays and is the first character.
    Kept,
    /// The first one is dropped.
    Dropped,
}

/// What a harness does with line ends while it reads a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    /// CRLF and a lone CR stay as they are.
    Kept,
    /// CRLF becomes LF; a lone CR stays.
    CrLf,
    /// CRLF and a lone CR become LF.
    Universal,
}

/// A range of a text and what takes its place.
pub type Replacement = (Range<usize>, String);

/// A text that was made from a file, with a map from its offsets to the file's bytes.
#[derive(Debug, Clone)]
pub struct MappedText<'a> {
    text: Cow<'a, str>,
    /// Ascending by `at`. A piece holds until the next one begins; an empty list is one piece
    /// that starts at `base`.
    pieces: Vec<Piece>,
    base: u32,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Offset in the text where the piece begins.
    at: u32,
    /// Byte of the file at that offset.
    source: u32,
    /// Whether the piece was put in, so that all of it stands for one place of the file.
    inserted: bool,
}

impl<'a> MappedText<'a> {
    /// Wraps a text that is the file itself.
    #[must_use]
    pub fn plain(text: &'a str) -> Self {
        MappedText {
            text: Cow::Borrowed(text),
            pieces: Vec::new(),
            base: 0,
        }
    }

    /// Decodes the bytes of a file. The error is the offset of the first bad byte.
    ///
    /// # Errors
    /// If a byte is not UTF-8 and the encoding refuses that.
    pub fn decode(bytes: &'a [u8], encoding: Encoding) -> Result<Self, u32> {
        match (std::str::from_utf8(bytes), encoding.invalid) {
            (Ok(text), _) => Ok(MappedText::of_text(text, encoding)),
            (Err(error), InvalidBytes::Refused) => {
                Err(u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX))
            }
            (Err(_), InvalidBytes::Replaced) => {
                Ok(MappedText::replace_invalid(bytes).cleaned(encoding))
            }
        }
    }

    /// Reads a file that is text already as [`MappedText::decode`] reads its bytes.
    pub(crate) fn of_text(text: &'a str, encoding: Encoding) -> Self {
        MappedText::plain(text).cleaned(encoding)
    }

    /// Drops the byte order mark and unifies line ends, where the harness does.
    fn cleaned(self, encoding: Encoding) -> Self {
        let mut mapped = self;
        if encoding.byte_order_mark == ByteOrderMark::Dropped && mapped.text.starts_with('\u{feff}')
        {
            let whole = mapped.text.len();
            mapped = mapped.into_slice('\u{feff}'.len_utf8()..whole);
        }
        let has_returns = || memchr(b'\r', mapped.text.as_bytes()).is_some();
        if encoding.line_ends != LineEnds::Kept && has_returns() {
            mapped = mapped.unify_line_ends(encoding.line_ends);
        }
        mapped
    }

    fn replace_invalid(bytes: &[u8]) -> MappedText<'static> {
        let mut text = String::with_capacity(bytes.len());
        let mut pieces = Vec::new();
        let mut source = 0u32;
        for chunk in bytes.utf8_chunks() {
            if !chunk.valid().is_empty() {
                pieces.push(Piece {
                    at: offset(text.len()),
                    source,
                    inserted: false,
                });
            }
            text.push_str(chunk.valid());
            source += offset(chunk.valid().len());
            if !chunk.invalid().is_empty() {
                pieces.push(Piece {
                    at: offset(text.len()),
                    source,
                    inserted: true,
                });
                text.push('\u{fffd}');
                source += offset(chunk.invalid().len());
            }
        }
        // The end of the text has a place of its own.
        pieces.push(Piece {
            at: offset(text.len()),
            source,
            inserted: false,
        });
        MappedText {
            text: Cow::Owned(text),
            pieces,
            base: 0,
        }
    }

    fn unify_line_ends(&self, line_ends: LineEnds) -> MappedText<'a> {
        let mut edits = Vec::new();
        for (at, _) in self.text.match_indices('\r') {
            if self.text[at + 1..].starts_with('\n') {
                edits.push((at..at + 1, String::new()));
            } else if line_ends == LineEnds::Universal {
                edits.push((at..at + 1, "\n".to_owned()));
            }
        }
        self.edited(&edits)
    }

    /// Returns whether it reads as its bytes stand in the file.
    pub(crate) fn is_as_written(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the byte of the file that stands behind an offset of the text.
    #[must_use]
    pub fn source_offset(&self, at: usize) -> u32 {
        let at = offset(at);
        let index = self.pieces.partition_point(|piece| piece.at <= at);
        match index.checked_sub(1).map(|index| self.pieces[index]) {
            None => self.base + at,
            Some(piece) if piece.inserted => piece.source,
            Some(piece) => piece.source + (at - piece.at),
        }
    }

    /// Returns the first offset of the text behind which a byte of the file stands, or a later one
    /// if that byte is not in the text.
    #[must_use]
    pub(crate) fn offset_of(&self, source: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.text.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.source_offset(middle) < source {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let mut ends = low..=self.text.len();
        ends.find(|at| self.text.is_char_boundary(*at))
    }

    /// Returns the bytes of the file behind a range of the text.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = self.source_offset(range.start);
        if range.end <= range.start {
            return Span::new(start, start);
        }
        // The end is one past the last character, not the place where the next one came from:
        // between the two may lie bytes that were dropped.
        let last = self.text[..range.end]
            .char_indices()
            .next_back()
            .map_or(0, |(at, _)| at);
        // A character that stands in the file for none, or for others, ends where the next begins.
        let end_of_last = match self.inserted_at(last) {
            true => self.source_offset(range.end),
            false => self.source_offset(last) + offset(range.end - last),
        };
        Span::new(start, end_of_last.min(self.source_end()).max(start))
    }

    /// Returns one past the last byte of the file that this text stands for.
    fn source_end(&self) -> u32 {
        self.source_offset(self.text.len())
            .max(self.source_offset(self.text.len().saturating_sub(1)))
    }

    /// Returns a part of the text that still knows where it came from.
    ///
    /// # Panics
    /// If the range does not lie on character boundaries, as slicing a `str` does.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> MappedText<'_> {
        MappedText {
            text: Cow::Borrowed(&self.text[range.clone()]),
            pieces: self.pieces_within(&range),
            base: self.source_offset(range.start),
        }
    }

    fn into_slice(self, range: Range<usize>) -> MappedText<'a> {
        let pieces = self.pieces_within(&range);
        let base = self.source_offset(range.start);
        let text = match self.text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
            Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
        };
        MappedText { text, pieces, base }
    }

    fn pieces_within(&self, range: &Range<usize>) -> Vec<Piece> {
        let (start, end) = (offset(range.start), offset(range.end));
        let from = self
            .pieces
            .partition_point(|piece| piece.at <= start)
            .saturating_sub(1);
        self.pieces[from.min(self.pieces.len())..]
            .iter()
            .take_while(|piece| piece.at <= end)
            .map(|piece| {
                if piece.at >= start {
                    Piece {
                        at: piece.at - start,
                        ..*piece
                    }
                } else {
                    Piece {
                        at: 0,
                        source: self.source_offset(range.start),
                        inserted: piece.inserted,
                    }
                }
            })
            .collect()
    }

    /// Returns the text with ranges replaced; the edits must be in order and must not overlap.
    #[must_use]
    pub fn edited(&self, edits: &[Replacement]) -> MappedText<'a> {
        let mut text = String::with_capacity(self.text.len());
        let mut pieces = Vec::new();
        let mut done = 0;
        for (range, replacement) in edits {
            self.copy_into(&mut text, &mut pieces, done..range.start);
            if !replacement.is_empty() {
                pieces.push(Piece {
                    at: offset(text.len()),
                    source: self.source_offset(range.start),
                    inserted: true,
                });
                text.push_str(replacement);
            }
            done = range.end;
        }
        self.copy_into(&mut text, &mut pieces, done..self.text.len());
        // The end of the text has a place of its own.
        pieces.push(Piece {
            at: offset(text.len()),
            source: self.source_offset(self.text.len()),
            inserted: false,
        });
        MappedText {
            text: Cow::Owned(text),
            pieces,
            base: self.base,
        }
    }

    fn copy_into(&self, text: &mut String, pieces: &mut Vec<Piece>, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let at = offset(text.len());
        pieces.push(Piece {
            at,
            source: self.source_offset(range.start),
            inserted: self.inserted_at(range.start),
        });
        let start = offset(range.start);
        let end = offset(range.end);
        let first = self.pieces.partition_point(|piece| piece.at <= start);
        let within = self.pieces[first..].iter();
        for piece in within.take_while(|piece| piece.at < end) {
            pieces.push(Piece {
                at: at + (piece.at - start),
                ..*piece
            });
        }
        text.push_str(&self.text[range]);
    }

    fn inserted_at(&self, at: usize) -> bool {
        let at = offset(at);
        let index = self.pieces.partition_point(|piece| piece.at <= at);
        index
            .checked_sub(1)
            .is_some_and(|index| self.pieces[index].inserted)
    }
}

/// Returns the lines of a text with their ends, as `split_inclusive('\n')` does, and faster.
pub(crate) fn lines_with_ends(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
        let (line, below) = rest.split_at(end);
        rest = below;
        (!line.is_empty()).then_some(line)
    })
}

/// Offsets are 32 bits because larger files are refused before they are decoded.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIVERSAL: Encoding = Encoding {
        invalid: InvalidBytes::Replaced,
        byte_order_mark: ByteOrderMark::Dropped,
        line_ends: LineEnds::Universal,
    };

    #[test]
    fn offsets_lead_back_through_every_change() {
        let bytes = b"\xef\xbb\xbfa\r\nb\rc\xff!d";
        let text = MappedText::decode(bytes, UNIVERSAL).expect("bad bytes are replaced");
        assert_eq!(text.as_str(), "a\nb\nc\u{fffd}!d");
        assert_eq!(text.span(0..1), Span::new(3, 4));
        assert_eq!(text.span(2..3), Span::new(6, 7));
        assert_eq!(text.span(4..5), Span::new(8, 9));
        assert_eq!(text.span(8..9), Span::new(10, 11));
        let part = text.slice(2..9);
        assert_eq!(part.as_str(), "b\nc\u{fffd}!");
        assert_eq!(part.span(0..1), Span::new(6, 7));
        assert_eq!(part.span(6..7), Span::new(10, 11));
        let repaired = part.edited(&[(0..0, "\"".to_owned()), (1..1, "\"".to_owned())]);
        assert_eq!(repaired.as_str(), "\"b\"\nc\u{fffd}!");
        assert_eq!(repaired.span(1..2), Span::new(6, 7));
        assert_eq!(repaired.span(8..9), Span::new(10, 11));
        assert_eq!(repaired.span(0..3), Span::new(6, 7));
        assert_eq!(text.offset_of(6), Some(2), "behind the mark and a CR");
        assert_eq!(text.offset_of(99), Some(text.as_str().len()));
    }

    #[test]
    fn lines_keep_their_ends() {
        for text in ["", "\n", "a", "a\n", "\n\na", "a\r\nb\n\n", "naïve\nb"] {
            let lines: Vec<&str> = lines_with_ends(text).collect();
            let expected: Vec<&str> = text.split_inclusive('\n').collect();
            assert_eq!(lines, expected);
        }
    }

    #[test]
    fn refused_bytes_are_located() {
        let strict = Encoding {
            invalid: InvalidBytes::Refused,
            ..UNIVERSAL
        };
        assert_eq!(
            MappedText::decode(b"ok\xff", strict).err(),
            Some(2),
            "the offset of the first bad byte"
        );
    }
}
