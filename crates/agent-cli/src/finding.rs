//! A diagnostic together with the file that it is about, and the way to other files.

use std::cell::{Cell, OnceCell};
use std::path::Path;

use agent_registry::{Contender, Registry};
use agent_schema::{Diagnostic, Level, LineColumn, LineIndex, Span};

/// A diagnostic together with the file that it is about.
#[derive(Clone, Copy)]
pub(crate) struct Finding<'a> {
    pub(crate) diagnostic: &'a Diagnostic,
    pub(crate) file: FileView<'a>,
    /// Where the other files are that the diagnostic may name.
    pub(crate) elsewhere: &'a dyn Elsewhere,
}

/// A file as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileView<'a> {
    /// The path as the harness reports it, with `/`.
    pub(crate) reported: &'a str,
    /// The path on the disk, if the file has one.
    pub(crate) path: Option<&'a Path>,
    /// Its bytes, if they were read.
    pub(crate) bytes: Option<&'a [u8]>,
    /// Its lines, where many findings ask for them.
    lines: Option<&'a Lines>,
}

/// The lines of a file, found when the first place of it is told.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    index: OnceCell<LineIndex>,
    /// The last place that was told: the next one is often behind it in the same line.
    last: Cell<Option<(u32, LineColumn)>>,
}

/// A second place of a finding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RelatedPlace<'a> {
    pub(crate) file: FileView<'a>,
    /// Whether it lies in the file that the finding is about.
    pub(crate) same_file: bool,
    pub(crate) span: Option<Span>,
    pub(crate) message: &'a str,
}

/// Files that were read, by the paths under which the harness reports them.
pub(crate) trait Elsewhere {
    fn file(&self, reported: &str) -> Option<FileView<'_>>;
}

/// No other file.
pub(crate) struct Nowhere;

impl Elsewhere for Nowhere {
    fn file(&self, _reported: &str) -> Option<FileView<'_>> {
        None
    }
}

impl Elsewhere for Registry {
    fn file(&self, reported: &str) -> Option<FileView<'_>> {
        let mut contenders = self.contenders().iter();
        contenders
            .find(|contender| contender.source.reported == reported)
            .map(FileView::of)
    }
}

impl<'a> FileView<'a> {
    pub(crate) fn new(reported: &'a str, path: Option<&'a Path>, bytes: Option<&'a [u8]>) -> Self {
        FileView {
            reported,
            path,
            bytes,
            lines: None,
        }
    }

    /// Keeps the lines for all who ask for places in the same bytes.
    pub(crate) fn with_lines(self, lines: &'a Lines) -> Self {
        FileView {
            lines: Some(lines),
            ..self
        }
    }

    /// The file of a contender.
    pub(crate) fn of(contender: &'a Contender) -> Self {
        FileView::new(
            &contender.source.reported,
            contender.source.path.as_deref(),
            contender.bytes.as_deref().or_else(|| embedded(contender)),
        )
    }

    /// The file with its diagnostics.
    pub(crate) fn findings(
        self,
        diagnostics: &'a [Diagnostic],
        elsewhere: &'a dyn Elsewhere,
    ) -> impl Iterator<Item = Finding<'a>> {
        diagnostics.iter().map(move |diagnostic| Finding {
            diagnostic,
            file: self,
            elsewhere,
        })
    }

    /// Turns the start of a span into a line and column.
    pub(crate) fn position(self, span: Span) -> Option<LineColumn> {
        self.line_column(span.start)
    }

    /// Turns the offset of a byte into a line and column.
    pub(crate) fn line_column(self, offset: u32) -> Option<LineColumn> {
        let bytes = self.bytes?;
        let Some(lines) = self.lines else {
            return Some(LineIndex::new(bytes).line_column(bytes, offset));
        };
        let index = lines.index.get_or_init(|| LineIndex::new(bytes));
        let place = match lines.last.get() {
            Some(known) => index.line_column_after(bytes, known, offset),
            None => index.line_column(bytes, offset),
        };
        lines.last.set(Some((offset, place)));
        Some(place)
    }
}

/// The bytes of a built-in agent.
fn embedded(contender: &Contender) -> Option<&'static [u8]> {
    let name = match contender.source.level {
        Level::Builtin => contender.file_name.as_deref()?,
        _ => return None,
    };
    let (_, text) = agent_builtins::FILES
        .iter()
        .find(|(file, _)| *file == name)?;
    Some(text.as_bytes())
}

impl<'a> Finding<'a> {
    /// The findings of a contender.
    pub(crate) fn of(
        contender: &'a Contender,
        registry: &'a Registry,
    ) -> impl Iterator<Item = Finding<'a>> {
        FileView::of(contender).findings(&contender.diagnostics, registry)
    }

    /// Returns the line and column of the finding, if it has a place in the file.
    pub(crate) fn position(&self) -> Option<LineColumn> {
        self.file.position(self.diagnostic.span?)
    }

    /// Returns the second places of the finding.
    pub(crate) fn related(self) -> impl Iterator<Item = RelatedPlace<'a>> {
        self.diagnostic.related.iter().map(move |related| {
            let other = related.file.as_deref();
            let unread = |reported| FileView::new(reported, Some(Path::new(reported)), None);
            RelatedPlace {
                file: other.map_or(self.file, |reported| {
                    let known = self.elsewhere.file(reported);
                    known.unwrap_or_else(|| unread(reported))
                }),
                same_file: other.is_none(),
                span: related.span,
                message: &related.message,
            }
        })
    }
}

impl RelatedPlace<'_> {
    /// Returns the line and column of the place, if they are known.
    pub(crate) fn position(&self) -> Option<LineColumn> {
        self.file.position(self.span?)
    }
}
