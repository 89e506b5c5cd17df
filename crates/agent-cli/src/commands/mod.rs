//! One room per command: each turns a request into an answer.

mod check;
mod completions;
pub(crate) mod convert;
mod dialects;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod explain_file;
mod explain_skill;
mod list;
mod man;
pub(crate) mod parse;
mod rule;
pub(crate) mod show;
mod skills;
mod team;
#[cfg(feature = "watch")]
mod watch;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::options::{Command, Format};
use crate::request::Request;

/// Answers a command.
pub(crate) fn run(request: &Request, command: Command) -> Result<Answer, Failure> {
    if let Some(format) = only_for_check(request.common.format)
        && !matches!(command, Command::Check(_))
        && !is_watched(&command)
    {
        return Err(
            Failure::new(format!("only `check` has the format `{format}`"))
                .help("say `--format text` or `--format json`"),
        );
    }
    match command {
        #[cfg(feature = "watch")]
        Command::List(options) if options.watch => watch::run(request, &options),
        Command::List(options) => list::run(request, &options),
        Command::Explain(options) => explain::run(request, &options),
        Command::Show(options) => show::run(request, &options),
        Command::Parse(options) => parse::run(request, &options),
        Command::Check(options) => check::run(request, &options),
        Command::Convert(options) => convert::run(request, &options),
        Command::Diff(options) => diff::run(request, &options),
        Command::Skills(options) => skills::run(request, &options),
        Command::Team(options) => team::run(request, &options),
        Command::Dialects => dialects::run(request),
        Command::Rule(options) => rule::run(request, &options),
        Command::Completions(options) => Ok(completions::run(&options)),
        Command::Man(options) => man::run(&options),
    }
}

/// Returns whether a command goes on; it has formats of its own.
fn is_watched(command: &Command) -> bool {
    #[cfg(feature = "watch")]
    let is_watched = matches!(command, Command::List(options) if options.watch);
    #[cfg(not(feature = "watch"))]
    let is_watched = {
        let _ = command;
        false
    };
    is_watched
}

/// Returns the name of a format that tells nothing but findings.
fn only_for_check(format: Format) -> Option<&'static str> {
    match format {
        Format::Text | Format::Json => None,
        Format::Concise => Some("concise"),
        Format::JsonLines => Some("json-lines"),
        Format::Sarif => Some("sarif"),
        Format::Github => Some("github"),
    }
}
