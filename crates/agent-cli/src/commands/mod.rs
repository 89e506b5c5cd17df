//! One room per command: each turns a request into an answer.

mod check;
mod completions;
mod dialects;
mod explain;
mod list;
mod parse;
mod rule;
pub(crate) mod show;
mod skills;
mod team;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::options::Command;
use crate::request::Request;

/// Answers a command.
pub(crate) fn run(request: &Request, command: Command) -> Result<Answer, Failure> {
    match command {
        Command::List(options) => list::run(request, &options),
        Command::Explain(options) => explain::run(request, &options),
        Command::Show(options) => show::run(request, &options),
        Command::Parse(options) => parse::run(request, &options),
        Command::Check(options) => check::run(request, &options),
        Command::Skills(options) => skills::run(request, &options),
        Command::Team(options) => team::run(request, &options),
        Command::Dialects => dialects::run(request),
        Command::Rule(options) => rule::run(request, &options),
        Command::Completions(options) => Ok(completions::run(&options)),
    }
}
