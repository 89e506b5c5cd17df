//! Why a YAML text has no value.

use std::fmt;

use crate::source::Span;

use super::characters::Signs;

/// An error in a YAML text, in words for the person who wrote the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    /// The kind of mistake.
    pub kind: YamlErrorKind,
    /// What is wrong: lower case, no full stop, literals in backticks.
    pub message: String,
    /// The bytes of the file that are wrong.
    pub span: Span,
    /// A second place that belongs to the mistake, and what it is.
    pub related: Option<(Span, String)>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for YamlError {}

/// The kinds of mistakes in a YAML text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum YamlErrorKind {
    /// A character that may not stand in YAML.
    Character,
    /// A colon and a space in a value without quotes.
    ColonInValue,
    /// A line that stands where a key has to be and is none.
    MissingColon,
    /// A tab where only spaces may indent.
    TabIndentation,
    /// A line that is indented too far or not far enough.
    Indentation,
    /// A value without quotes that starts with a character that means something in YAML.
    ReservedStart,
    /// A quote without its partner.
    UnclosedQuote,
    /// A bracket without its partner.
    UnclosedBracket,
    /// A comma in brackets without an item before it.
    MissingItem,
    /// Text after a value that is complete.
    TextAfterValue,
    /// A backslash that starts nothing known.
    Escape,
    /// Any other mistake of form.
    Syntax,
    /// A `%` line that the reader does not accept.
    Directive,
    /// A second document.
    SecondDocument,
    /// An anchor that is given twice, or at all.
    Anchor,
    /// An alias without its anchor, or at all.
    Alias,
    /// A tag that the reader does not know, or at all.
    Tag,
    /// A value that does not fit its tag, or a scalar that looks like a type but is none.
    Value,
    /// A key that cannot be one.
    Key,
    /// A repeated key.
    DuplicateKey,
    /// A `<<` with something else than maps.
    Merge,
    /// A list or map in brackets where the reader knows only blocks.
    Brackets,
    /// A document that is too deep or too large.
    LimitExceeded,
}

impl YamlError {
    /// Makes an error without a second place and without advice.
    #[must_use]
    pub fn new(kind: YamlErrorKind, message: impl Into<String>, span: Span) -> Self {
        YamlError {
            kind,
            message: message.into(),
            span,
            related: None,
            hint: None,
        }
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    /// Says the same of the text as it is written.
    pub(super) fn without_stand_ins(self) -> Self {
        let restored = |text: String| Signs::StandIns.restored(text.into()).into_owned();
        YamlError {
            message: restored(self.message),
            related: self.related.map(|(span, label)| (span, restored(label))),
            hint: self.hint.map(restored),
            ..self
        }
    }

    /// Adds what to do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Shortens a text for a message, to one line of moderate length.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.lines().next().unwrap_or("");
    if line.len() == text.len() && line.chars().count() <= MOST {
        return line.to_owned();
    }
    line.chars().take(MOST).chain(['…']).collect()
}
