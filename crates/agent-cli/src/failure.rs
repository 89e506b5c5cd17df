//! Why a command could not answer: wrong usage, or trouble with files.

use std::io::Write;
use std::process::ExitCode;

use crate::text::paint::{self, painted};

/// Why a command could not answer. Ends the process with exit code 2.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    /// The lines that are meant, with styles.
    excerpt: Option<String>,
    help: Option<String>,
}

impl Failure {
    /// Makes a failure: one line, lower case, no full stop.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure {
            message: message.into(),
            excerpt: None,
            help: None,
        }
    }

    /// Adds the lines that are meant.
    pub(crate) fn excerpt(mut self, excerpt: String) -> Self {
        self.excerpt = Some(excerpt);
        self
    }

    /// Adds what to do.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Prints the failure.
    pub(crate) fn print(&self) -> ExitCode {
        let mut stderr = anstream::stderr().lock();
        // Nobody can be told that stderr is closed.
        let _ = writeln!(stderr, "{} {}", painted(paint::BAD, "error:"), self.message);
        if let Some(excerpt) = &self.excerpt {
            let _ = writeln!(stderr, "{excerpt}");
        }
        if let Some(help) = &self.help {
            let _ = writeln!(stderr, "{} {help}", painted(paint::HINT, "help:"));
        }
        ExitCode::from(2)
    }
}
