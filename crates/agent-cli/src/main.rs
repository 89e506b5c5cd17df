//! The command `agentry`: which agents are there, where did each come from, why did this
//! definition win, and why is mine missing?
//!
//! The command is thin: it turns arguments into a question, asks the libraries, and renders the
//! answer as text or JSON. Every command gives an `Answer` or a `Failure`; only those two print, but
//! for the line of progress of a long check.

mod answer;
mod environment;
mod options;

mod failure;
mod finding;
mod request;
mod settings;
mod shared;
mod skill_survey;
mod survey;
mod unsearched;
mod verdict;
mod write;

mod formats;
mod json;
mod story;
mod text;

mod commands;

use std::process::ExitCode;

use clap::Parser;

use crate::environment::Environment;
use crate::options::Arguments;
use crate::request::Request;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    arguments.common.color.apply();
    let request = Request::new(arguments.common, Environment::read());
    match commands::run(&request, arguments.command) {
        Ok(answer) => answer.print(),
        Err(failure) => failure.print(),
    }
}
