//! What a command answers, and how it leaves the process.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::failure::Failure;
use crate::json::Versioned;
use crate::text::printable::escaped_in_json;

/// What a command answers.
#[must_use]
pub(crate) struct Answer {
    data: Data,
    /// Hints and counts beside the data; they go to stderr.
    talk: String,
    result: Finish,
}

enum Data {
    /// Text with styles, which are taken out where nobody can see them.
    Text(String),
    /// Bytes that must arrive as they are.
    Exact(Vec<u8>),
}

/// How a command ended, apart from failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// All is well.
    Clean,
    /// There are findings, or what was asked for is missing or broken.
    Findings,
    /// Something could not be read or written.
    Trouble,
    /// What was asked for was refused, with the reason.
    Refused,
}

impl Finish {
    /// The end of a command that was asked for one thing.
    pub(crate) fn of(found: bool) -> Self {
        if found {
            Finish::Clean
        } else {
            Finish::Findings
        }
    }
}

impl Answer {
    /// An answer for people.
    pub(crate) fn text(text: impl Into<String>, result: Finish) -> Self {
        Answer {
            data: Data::Text(text.into()),
            talk: String::new(),
            result,
        }
    }

    /// An answer for programs.
    pub(crate) fn json(answer: impl Serialize, result: Finish) -> Result<Self, Failure> {
        let mut text = serde_json::to_string_pretty(&Versioned::new(answer))
            .map_err(|error| Failure::new(format!("cannot write JSON: {error}")))?;
        text.push('\n');
        Ok(Answer::exact(escaped_in_json(&text), result))
    }

    /// An answer that must arrive as it is.
    pub(crate) fn exact(text: impl Into<Vec<u8>>, result: Finish) -> Self {
        Answer {
            data: Data::Exact(text.into()),
            talk: String::new(),
            result,
        }
    }

    /// Adds hints and counts that are no data.
    pub(crate) fn with_talk(mut self, talk: impl Into<String>) -> Self {
        self.talk = talk.into();
        self
    }

    /// Tells first what went before the answer.
    pub(crate) fn after_talk(mut self, talk: &str) -> Self {
        self.talk.insert_str(0, talk);
        self
    }

    /// Ends with trouble, whatever was found.
    pub(crate) fn with_trouble(mut self) -> Self {
        self.result = Finish::Trouble;
        self
    }

    /// Prints a part of an answer that goes on. Returns whether its reader is still there.
    pub(crate) fn print_part(&self) -> Result<bool, Failure> {
        let written = match &self.data {
            Data::Text(text) => write_to(anstream::stdout().lock(), text.as_bytes()),
            Data::Exact(text) => write_to(io::stdout().lock(), text),
        };
        let is_read = match written {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => false,
            Err(error) => return Err(Failure::new(format!("cannot write to stdout: {error}"))),
        };
        // Nobody can be told that stderr is closed.
        let _ = write_to(anstream::stderr().lock(), self.talk.as_bytes());
        Ok(is_read)
    }

    /// Prints the answer. A reader that went away ends the printing without a word.
    pub(crate) fn print(self) -> ExitCode {
        if let Err(failure) = self.print_part() {
            return failure.print();
        }
        match self.result {
            Finish::Clean => ExitCode::SUCCESS,
            Finish::Findings => ExitCode::from(1),
            Finish::Trouble => ExitCode::from(2),
            Finish::Refused => ExitCode::from(3),
        }
    }
}

fn write_to(mut stream: impl Write, text: &[u8]) -> io::Result<()> {
    stream.write_all(text)?;
    stream.flush()
}
