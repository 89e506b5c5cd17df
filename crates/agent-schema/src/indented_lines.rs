//! A long text that a file holds line by line, indented: put together when somebody asks for it.

use std::sync::{Arc, OnceLock};

use memchr::memchr;

/// Lines of a file that read as a text without their indentation.
pub(crate) struct IndentedLines {
    file: Arc<str>,
    start: u32,
    /// The length of the text.
    length: u32,
    /// How many spaces are no part of a line; an empty line may have fewer.
    indentation: u32,
    together: OnceLock<Box<str>>,
}

impl IndentedLines {
    /// Finds a text in the lines behind the one with the place `before`; `None` if they read
    /// otherwise.
    pub(crate) fn of(text: &str, file: &Arc<str>, before: u32) -> Option<Self> {
        let rest = file.get(before as usize..)?;
        let line_end = memchr(b'\n', rest.as_bytes())?;
        let more = spaces_at_start(&rest[line_end + 1..]).checked_sub(spaces_at_start(text))?;
        let found = IndentedLines {
            file: Arc::clone(file),
            start: before + u32::try_from(line_end).ok()? + 1,
            length: u32::try_from(text.len()).ok()?,
            indentation: u32::try_from(more).ok()?,
            together: OnceLock::new(),
        };
        let mut left = Some(text);
        for piece in found.pieces() {
            left = left?.strip_prefix(piece);
        }
        (left == Some("")).then_some(found)
    }

    /// Returns the parts of the file that make up the text.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &str> {
        let mut left = self.length as usize;
        let mut rest = &self.file[self.start as usize..];
        std::iter::from_fn(move || {
            if left == 0 || rest.is_empty() {
                return None;
            }
            let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
            let (line, next) = rest.split_at(end);
            rest = next;
            let indentation = spaces_at_start(line).min(self.indentation as usize);
            let piece = &line[indentation..];
            let piece = piece.get(..left).unwrap_or(piece);
            left = left.saturating_sub(piece.len());
            Some(piece)
        })
    }

    /// Returns the text.
    pub(crate) fn together(&self) -> &str {
        self.together.get_or_init(|| {
            let mut text = String::with_capacity(self.length as usize);
            text.extend(self.pieces());
            text.into()
        })
    }

    /// Returns whether the text has been asked for.
    #[cfg(test)]
    pub(crate) fn is_together(&self) -> bool {
        self.together.get().is_some()
    }
}

/// Counts the spaces with which a text begins.
pub(crate) fn spaces_at_start(text: &str) -> usize {
    let bytes = text.as_bytes().iter();
    bytes.take_while(|byte| **byte == b' ').count()
}
