//! `agentry man`: a page of the manual, as `man` reads it.

use std::io;

use agent_schema::suggest;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::options::{self, Arguments};

/// The program and its version, for the foot of a page.
const SOURCE: &str = concat!("agentry ", env!("CARGO_PKG_VERSION"));

pub(crate) fn run(options: &options::Man) -> Result<Answer, Failure> {
    let mut command = Arguments::command();
    // The parts learn their whole names and the options that all have.
    command.build();
    let subject = match &options.command {
        None => &command,
        Some(name) => command
            .find_subcommand(name)
            .ok_or_else(|| unknown(name, &command))?,
    };
    let page =
        page(subject).map_err(|error| Failure::new(format!("cannot write the page: {error}")))?;
    Ok(Answer::exact(page, Finish::Clean))
}

fn page(subject: &clap::Command) -> io::Result<Vec<u8>> {
    let man = Man::new(subject.clone()).source(SOURCE);
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if subject.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    if let Some(notes) = subject.get_after_help() {
        out.extend(as_written("EXAMPLES AND EXIT CODES", &notes.to_string()).bytes());
    }
    Ok(out)
}

/// A section whose lines stay as they are.
fn as_written(title: &str, text: &str) -> String {
    let mut out = format!(".SH \"{title}\"\n.nf\n");
    for line in text.lines() {
        // A line that begins with a point or an apostrophe would be a request.
        if line.starts_with(['.', '\'']) {
            out.push_str("\\&");
        }
        out.push_str(&line.replace('\\', "\\e").replace('-', "\\-"));
        out.push('\n');
    }
    out + ".fi\n"
}

fn unknown(asked: &str, command: &clap::Command) -> Failure {
    let failure = Failure::new(format!("there is no command `{asked}`"));
    let names = command.get_subcommands().map(clap::Command::get_name);
    match suggest::nearest(asked, names) {
        Some(similar) => failure.help(format!("a similar one is `{similar}`")),
        None => failure.help("`agentry help` lists all of them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_examples() {
        let mut command = Arguments::command();
        command.build();
        for subject in command.get_subcommands() {
            let page = page(subject).expect("a vector takes everything");
            let page = String::from_utf8(page).expect("it is a text");
            let name = subject.get_name().replace('-', "\\-");
            assert!(page.contains(&format!("agentry\\-{name} \\- ")), "{page}");
            let notes = subject.get_after_help().is_some();
            assert_eq!(page.contains("\n.nf\n"), notes, "{page}");
        }
    }

    #[test]
    fn lines_are_no_requests() {
        let section = as_written("T", ".a\n  b-c\\d");
        assert_eq!(section, ".SH \"T\"\n.nf\n\\&.a\n  b\\-c\\ed\n.fi\n");
    }
}
