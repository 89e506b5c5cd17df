//! Block texts: what stands in lines of its own behind `|` or `>`.

use crate::value::Style;

use super::super::flavor::{BlockTextEnd, Tag};
use super::{Placed, Reader, spaces_at_start};

/// A block text as far as it is read.
#[derive(Default)]
struct Lines {
    text: String,
    /// The column of the lines, once one has content.
    column: Option<usize>,
    /// Blank lines since the last one with content.
    blank: usize,
    /// The most spaces that a blank line has.
    widest_blank: usize,
    /// Whether the last line with content stands further right than the column.
    is_indented: bool,
    /// One past the last sign of the last line with content.
    end: usize,
    /// Where that line ends.
    line_end: usize,
}

impl Reader<'_, '_, '_> {
    /// Reads a block text whose sign stands here. Its lines stand right of a column.
    pub(super) fn block_text(&mut self, column: usize) -> Option<Placed> {
        let start = self.at;
        let (style, is_stripped) = match self.rest_of_line().trim_end_matches(' ') {
            "|" => (Style::Literal, false),
            "|-" => (Style::Literal, true),
            ">" => (Style::Folded, false),
            ">-" => (Style::Folded, true),
            _ => return None,
        };
        self.skip_line();
        let mut lines = Lines::default();
        while self.at < self.source.len() {
            let line = self.rest_of_line();
            if !lines.take(line, self.at, column, style)? {
                break;
            }
            self.at += line.len();
            self.skip_line_end();
        }
        // A blank line with more spaces than the text's own has content, or is an error.
        if lines.widest_blank > lines.column? {
            return None;
        }
        let is_ended = lines.line_end < self.source.len()
            || self.flavor.block_text_end == BlockTextEnd::LineFeed;
        if !is_stripped && is_ended {
            lines.text.push('\n');
        }
        let value = self.construct(Tag::Text, &lines.text)?;
        Some(self.placed(value, style, start, lines.end))
    }
}

impl Lines {
    /// Adds a line that stands at an offset; returns whether it belongs to the text.
    fn take(&mut self, line: &str, at: usize, column: usize, style: Style) -> Option<bool> {
        let spaces = spaces_at_start(line);
        if spaces == line.len() {
            self.blank += 1;
            self.widest_blank = self.widest_blank.max(spaces);
            return Some(true);
        }
        if spaces <= column {
            return Some(false);
        }
        let own_column = *self.column.get_or_insert(spaces);
        if spaces < own_column {
            return None;
        }
        self.add(&line[own_column..], style);
        self.end = at + line.trim_end_matches(' ').len();
        self.line_end = at + line.len();
        Some(true)
    }

    fn add(&mut self, content: &str, style: Style) {
        let is_first = self.end == 0;
        let is_indented = content.starts_with(' ');
        let is_folded = style == Style::Folded && !is_indented && !self.is_indented;
        let breaks = match is_first || is_folded {
            true => self.blank,
            false => self.blank + 1,
        };
        if is_folded && breaks == 0 && !is_first {
            self.text.push(' ');
        }
        self.text.extend(std::iter::repeat_n('\n', breaks));
        self.text.push_str(content);
        self.blank = 0;
        self.is_indented = is_indented;
    }
}
