//! Text for people: a page that is filled line by line, and the parts that it is made of.

pub(crate) mod excerpt;
pub(crate) mod paint;
pub(crate) mod paths;
pub(crate) mod printable;
pub(crate) mod report;
pub(crate) mod rule_page;
pub(crate) mod table;
pub(crate) mod words;
pub(crate) mod wrap;

use std::fmt::{Display, Write};

use crate::text::paint::painted;

/// The least width of prose, however narrow the terminal is.
const LEAST_PROSE: usize = 20;

/// A page of text with styles.
#[derive(Debug, Default)]
pub(crate) struct Page {
    text: String,
}

impl Page {
    /// Adds a line.
    pub(crate) fn line(&mut self, line: impl Display) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// Adds an empty line, unless the page is empty or ends with one.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Begins a section.
    pub(crate) fn section(&mut self, title: impl Display) {
        self.gap();
        self.line(painted(paint::TITLE, title));
    }

    /// Adds a block of lines that is made already.
    pub(crate) fn block(&mut self, block: &str) {
        self.text.push_str(block);
        if !block.is_empty() && !block.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Adds prose, wrapped to a width.
    pub(crate) fn prose(&mut self, prose: &str, width: usize) {
        self.indented_prose(0, prose, width);
    }

    /// Adds indented prose, wrapped to a width.
    pub(crate) fn indented_prose(&mut self, indent: usize, prose: &str, width: usize) {
        let room = width.saturating_sub(indent).max(LEAST_PROSE);
        for line in wrap::wrap(prose, room) {
            self.line(format!("{}{line}", " ".repeat(indent)));
        }
    }

    /// Returns the text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }
}
