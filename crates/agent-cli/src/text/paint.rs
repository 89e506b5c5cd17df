//! The few styles of the text output. They are taken out where nobody can see them.

use std::fmt::{self, Display};

use anstyle::{AnsiColor, Style};

/// No style.
pub(crate) const PLAIN: Style = Style::new();
/// Titles and heads of columns.
pub(crate) const TITLE: Style = Style::new().bold();
/// Names of agents, keys and codes.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
/// What works.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What does not, though it could.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
/// What is broken.
pub(crate) const BAD: Style = AnsiColor::BrightRed.on_default().bold();
/// What to do.
pub(crate) const HINT: Style = AnsiColor::BrightCyan.on_default().bold();
/// What matters less.
pub(crate) const QUIET: Style = Style::new().dimmed();

/// Gives a text a style.
pub(crate) fn painted<T: Display>(style: Style, text: T) -> Painted<T> {
    Painted { style, text }
}

/// A text with a style.
pub(crate) struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Painted { style, text } = self;
        write!(f, "{style}{text}{style:#}")
    }
}
