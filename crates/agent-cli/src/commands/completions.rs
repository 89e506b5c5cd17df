//! `agentry completions`: a completion script for a shell.

use clap::CommandFactory;

use crate::answer::{Answer, Finish};
use crate::options::{Arguments, Completions};

pub(crate) fn run(options: &Completions) -> Answer {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(options.shell, &mut command, "agentry", &mut script);
    Answer::exact(String::from_utf8_lossy(&script).into_owned(), Finish::Clean)
}
