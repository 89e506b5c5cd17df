//! The command line: commands, options, and their help.

use std::collections::BTreeSet;
use std::path::PathBuf;

use agent_schema::{Dialect, Severity, dialects};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

use crate::request::Reading;

const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  there are findings, or what was asked for is missing or broken
  2  wrong usage, or a file cannot be read";

/// Tells which agents there are, where each came from, why this definition won, and why yours is
/// missing
#[derive(Debug, Parser)]
#[command(name = "agentry", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What can be asked.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the active agents with level, model, tools and source
    #[command(after_help = "\
Examples:
  agentry list                     the agents of this project and of your home
  agentry list --all               also what is shadowed, rejected or ignored
  agentry list --format json       for programs
  agentry list --watch             and what changes from now on, in skills too")]
    List(List),
    /// Tell the whole story of a name: who wanted it, who got it, and why
    #[command(after_help = "\
Examples:
  agentry explain reviewer         why does this `reviewer` win?
  agentry explain migrator         why is mine missing?
  agentry explain --skill review   which skill does an agent get that names `review`?

Ends with exit code 1 if nobody answers to the name.")]
    Explain(Explain),
    /// Show the agent that a name gives, ready to run, with the source of every field
    #[command(after_help = "\
Examples:
  agentry show reviewer
  agentry show reviewer --prompt                 the whole prompt
  agentry show reviewer --as-prompt              nothing but the final prompt
  agentry show reviewer --tools terminal,grep    are these tools enough?

Ends with exit code 1 if nobody answers to the name, or no agent can be made of it.")]
    Show(Show),
    /// Read one file: what becomes of it, and the definition in it
    #[command(after_help = "\
Examples:
  agentry parse .agents/agents/reviewer.md
  git show HEAD:.agents/agents/reviewer.md | agentry parse - --file-name reviewer.md

Ends with exit code 1 if the file does not load.")]
    Parse(Parse),
    /// Check agent files and report everything that is wrong with them
    #[command(after_help = "\
Examples:
  agentry check                                everything in this project and your home
  agentry check .agents/agents/reviewer.md     one file
  agentry check ../other-project               all agent files below a folder
  agentry check --diff                         what `--fix` would change
  agentry check --format sarif > out.sarif     for code scanning

Exit codes:
  0  nothing is wrong, or nothing that counts
  1  there are findings; with `--diff`: there is something to fix
  2  wrong usage or settings, or a file cannot be read or written")]
    Check(Check),
    /// Write agents for another harness, and list all that does not arrive
    #[command(after_help = "\
Examples:
  agentry convert .claude/agents/reviewer.md --to opencode
  agentry convert .claude/agents/*.md --to openhands --out .
  agentry convert opencode.json --from opencode --name docs --to claude-code
  agentry convert reviewer.md --from claude-code --to pi:tintinweb-0.18.0 --format json

The text goes to stdout, and what is said about it to stderr; with --out the text goes to a file.
An agent that would go further there than its author let it is refused.

Exit codes:
  0  everything arrives
  1  something is lost, and listed
  2  wrong usage, or a file cannot be read or written
  3  at least one agent is refused")]
    Convert(Convert),
    /// Compare two definitions by what they mean, field by field
    #[command(after_help = "\
Examples:
  agentry diff .claude/agents/reviewer.md .opencode/agent/reviewer.md
  agentry diff old.md@claude-code new.md@claude-code
  agentry diff a.md@claude-code:2.1.197 a.md@claude-code       one file, two versions
  agentry diff reviewer auditor --dialect claude-code          two agents by name

Ends with exit code 1 if they differ.")]
    Diff(Diff),
    /// List the skills that agents may name: what each harness finds, and what became of the rest
    #[command(after_help = "\
Examples:
  agentry skills
  agentry skills --loader codex              a harness that is known for its skills alone
  agentry skills --dialect pi --block        what the model is told")]
    Skills(Skills),
    /// Tell who is on the team, and what an agent is told about it
    #[command(after_help = "\
Examples:
  agentry team                                   names and roles
  agentry team --for builder                     what `builder` is told about its team
  agentry team --for builder --caller planner    the same in a run that `planner` started
  agentry team --for builder --prompt            its whole prompt

Ends with exit code 1 if there is no team, or nobody has the name.")]
    Team(Team),
    /// List the supported dialects, with their profiles and the places that they search
    Dialects,
    /// Explain the code of a diagnostic
    #[command(after_help = "\
Examples:
  agentry rule yaml-syntax
  agentry rule                     all rules")]
    Rule(Rule),
    /// Write a completion script for a shell
    #[command(after_help = "\
Example:
  agentry completions bash > ~/.local/share/bash-completion/completions/agentry")]
    Completions(Completions),
    /// Write the page of the manual about agentry or one of its commands
    #[command(
        hide = true,
        after_help = "\
Examples:
  agentry man > ~/.local/share/man/man1/agentry.1
  agentry man check | man -l -"
    )]
    Man(Man),
}

/// Options that all commands have.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// The project folder
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) project: PathBuf,
    /// The user's home (default: yours)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) home: Option<PathBuf>,
    /// A plugin, for its agents and skills; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) plugin: Vec<PathBuf>,
    /// The folder of a package or extension that is switched on; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) package: Vec<PathBuf>,
    /// The folder that holds the layers of a roster (default: the project or the one around it)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) layers: Option<PathBuf>,
    /// A folder that is added to the project; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) add_dir: Vec<PathBuf>,
    /// The folder of whoever manages the machine (default: /etc/codex for Codex, else none)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) managed: Option<PathBuf>,
    /// Definitions that are given to the harness on its command line, as one JSON object
    #[arg(long, value_name = "JSON")]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) agents: Option<String>,
    /// The workspace of the harness, where it has one (default: where it finds it by itself)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) workspace: Option<PathBuf>,
    /// The user on whose behalf the agents run, where users have folders of their own
    #[arg(long, value_name = "ID")]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) user: Option<String>,
    /// The session in which the agents run, where sessions have folders of their own
    #[arg(long, value_name = "ID")]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) session: Option<String>,
    /// Another search of the harness than its usual one
    #[arg(long, value_name = "NAME")]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) search: Option<String>,
    /// The name of an agent that a program brings; may be repeated
    #[arg(long, value_name = "NAME")]
    #[arg(global = true, help_heading = "Where to look")]
    pub(crate) taken: Vec<String>,
    /// Do not search the project
    #[arg(long, global = true, help_heading = "Where to look")]
    pub(crate) no_project: bool,
    /// Do not search the user's home
    #[arg(long, global = true, help_heading = "Where to look")]
    pub(crate) no_user: bool,
    /// Put in all files and variables that settings refer to, whatever they hold
    #[arg(long, global = true, help_heading = "Where to look")]
    pub(crate) read_references: bool,
    /// Leave out built-in agents that need a browser tool
    #[arg(long, global = true, help_heading = "Where to look")]
    pub(crate) no_browser: bool,

    /// The harness whose rules count (default: all)
    #[arg(long, value_name = "NAME", value_parser = dialect())]
    #[arg(global = true, help_heading = "Whose rules")]
    pub(crate) dialect: Option<&'static Dialect>,
    /// The version of the harness, as `agentry dialects` lists it (default: the newest)
    #[arg(long, value_name = "PROFILE")]
    #[arg(global = true, help_heading = "Whose rules")]
    pub(crate) harness_version: Option<String>,

    /// A switch that the harness is started with; may be repeated
    #[arg(long, value_name = "NAME", value_parser = switch())]
    #[arg(global = true, help_heading = "Whose rules")]
    pub(crate) switch: Vec<String>,
    /// Take the project as one that the user trusts
    #[arg(long, global = true, help_heading = "Whose rules")]
    pub(crate) trust: bool,
    /// Take the project as one that the user does not trust, whatever was saved
    #[arg(
        long,
        global = true,
        conflicts_with = "trust",
        help_heading = "Whose rules"
    )]
    pub(crate) untrusted: bool,

    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    #[arg(global = true, help_heading = "Output")]
    pub(crate) format: Format,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    #[arg(global = true, help_heading = "Output")]
    pub(crate) color: Color,
}

fn dialect() -> impl TypedValueParser<Value = &'static Dialect> {
    PossibleValuesParser::new(dialects::ALL.iter().map(|dialect| dialect.id))
        .try_map(|id| dialects::find(&id).ok_or("no such dialect"))
}

/// Reads `HARNESS` or `HARNESS:VERSION`.
pub(crate) fn reading(text: &str) -> Result<Reading, String> {
    let (id, version) = match text.split_once(':') {
        Some((id, version)) => (id, Some(version)),
        None => (text, None),
    };
    let Some(dialect) = dialects::find(id) else {
        let ids: Vec<&str> = dialects::ALL.iter().map(|dialect| dialect.id).collect();
        return Err(format!("no harness `{id}`; one of: {}", ids.join(", ")));
    };
    let profile = match version {
        None => dialect.default_profile(),
        Some(version) => dialect.profile(version).ok_or_else(|| {
            let known: Vec<&str> = dialect.profiles.iter().map(|profile| profile.id).collect();
            format!(
                "{} has no version `{version}`; one of: {}",
                dialect.title,
                known.join(", ")
            )
        })?,
    };
    Ok(Reading { dialect, profile })
}

/// The loaders of skills without a dialect of their own.
fn loader() -> impl TypedValueParser<Value = &'static Dialect> {
    let loaders = || dialects::skills::LOADERS.iter().copied();
    let own = |id: &str| dialects::find(id).is_none();
    PossibleValuesParser::new(loaders().map(|loader| loader.id).filter(|id| own(id)))
        .try_map(move |id| loaders().find(|it| it.id == id).ok_or("no such loader"))
}

/// The switches that some harness has.
fn switch() -> PossibleValuesParser {
    let profiles = dialects::ALL.iter().flat_map(|dialect| dialect.profiles);
    let switches = profiles.flat_map(|profile| profile.rules.agents.switches);
    let names: BTreeSet<&str> = switches.map(|switch| switch.name).collect();
    PossibleValuesParser::new(names)
}

/// The form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs; stable and versioned
    Json,
    /// One line for each finding (only `check`)
    Concise,
    /// One JSON object a line (only `check` and `list --watch`)
    JsonLines,
    /// SARIF 2.1.0, for code scanning (only `check`)
    Sarif,
    /// Annotations of GitHub Actions (only `check`)
    Github,
}

/// Whether to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// In a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Makes the choice hold for everything that is printed.
    pub(crate) fn apply(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Options of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Also list what is shadowed, rejected or ignored
    #[arg(long)]
    pub(crate) all: bool,
    /// Go on, and tell what changes, in skills too, until you stop it
    #[cfg(feature = "watch")]
    #[arg(long, conflicts_with = "all")]
    pub(crate) watch: bool,
}

/// Options of `explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The name of the agent, or the path of a file
    #[arg(value_name = "NAME|PATH", required_unless_present = "skill")]
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) name: Option<String>,
    /// The name of a skill instead
    #[arg(long, value_name = "NAME", conflicts_with = "name")]
    pub(crate) skill: Option<String>,
}

/// Options of `skills`.
#[derive(Debug, Args)]
pub(crate) struct Skills {
    /// A harness that is known for its skills alone
    #[arg(long, value_name = "NAME", value_parser = loader(), conflicts_with = "dialect")]
    pub(crate) loader: Option<&'static Dialect>,
    /// A file or folder with skills that the harness is told of; may be repeated
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<String>,
    /// Take only the skills of `--path`
    #[arg(long, requires = "path")]
    pub(crate) only: bool,
    /// Show the list that the model is told, where the harness writes one
    #[arg(long)]
    pub(crate) block: bool,
}

/// Options of `team`.
#[derive(Debug, Args)]
pub(crate) struct Team {
    /// Show what this agent is told
    #[arg(long = "for", value_name = "NAME")]
    pub(crate) member: Option<String>,
    /// The agent that started the run
    #[arg(long, value_name = "NAME", requires = "member")]
    pub(crate) caller: Option<String>,
    /// Show the whole prompt
    #[arg(long, requires = "member")]
    pub(crate) prompt: bool,
}

/// Options of `show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The name of the agent
    pub(crate) name: String,
    /// Show the whole prompt
    #[arg(long)]
    pub(crate) prompt: bool,
    /// Print nothing but the final prompt, with skills and team
    #[arg(long, conflicts_with = "prompt")]
    pub(crate) as_prompt: bool,
    /// The tools that the harness has, to verify the agent's; separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) tools: Option<Vec<String>>,
    /// The MCP servers that are configured, to verify the agent's: a file with a list of names or a
    /// map of servers
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) servers: Option<PathBuf>,
    /// As the agent that a person talks to, instead of one that another agent calls
    #[arg(long)]
    pub(crate) as_main: bool,
    /// The model that the call asks for
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// The mode of the agent that calls it, in the harness's own word
    #[arg(long, value_name = "MODE", conflicts_with = "as_main")]
    pub(crate) parent_mode: Option<String>,
    /// The agent that calls it, by its name: what that one is denied is denied to it too, where the
    /// harness has it so
    #[arg(long, value_name = "NAME", conflicts_with = "as_main")]
    pub(crate) parent: Option<String>,
}

/// Options of `parse`.
#[derive(Debug, Args)]
pub(crate) struct Parse {
    /// The file, or `-` for stdin
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Take this as the name of the file
    #[arg(long, value_name = "NAME")]
    pub(crate) file_name: Option<String>,
    /// The main workspace, for harnesses that resolve paths against it
    #[arg(long, value_name = "PATH")]
    pub(crate) main_workspace: Option<String>,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Files, folders or projects, or `-` for stdin (default: all that `list --all` shows)
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<PathBuf>,
    /// The name and folders of the file that stdin holds; they tell whose rules count
    #[arg(long, value_name = "PATH")]
    pub(crate) file_name: Option<PathBuf>,

    /// Mend what has a safe fix, and report the rest. Without PATH only files of the project are
    /// written
    #[arg(long, help_heading = "Fixing")]
    pub(crate) fix: bool,
    /// Show what `--fix` would change, and write nothing, beside `--fix` too
    #[arg(long, help_heading = "Fixing")]
    pub(crate) diff: bool,
    /// Also make fixes that are only probably right
    #[arg(long, help_heading = "Fixing")]
    pub(crate) unsafe_fixes: bool,

    /// Only findings with these codes; `skill-` means all that begin so. Sets `select` and
    /// `ignore` of the settings aside
    #[arg(
        long,
        value_name = "CODES",
        value_delimiter = ',',
        help_heading = "What counts"
    )]
    pub(crate) select: Vec<String>,
    /// No findings with these codes
    #[arg(
        long,
        value_name = "CODES",
        value_delimiter = ',',
        help_heading = "What counts"
    )]
    pub(crate) ignore: Vec<String>,
    /// The least severity that is shown and counts (default: warning)
    #[arg(long, value_name = "LEVEL", value_enum, help_heading = "What counts")]
    pub(crate) severity: Option<Least>,
    /// Also show what is only worth knowing
    #[arg(long, conflicts_with = "severity", help_heading = "What counts")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsFile,
    /// Hide the findings that this file knows
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "What counts")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings to a file, as known ones
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["baseline", "fix", "diff"], help_heading = "What counts")]
    pub(crate) write_baseline: Option<PathBuf>,
}

/// Which settings count.
#[derive(Debug, Args)]
#[command(next_help_heading = "What counts")]
pub(crate) struct SettingsFile {
    /// The settings (default: `agentry.toml` of the project, or above it in its repository)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Read no settings
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,
}

/// The least severity that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Least {
    /// All findings
    Info,
    /// Warnings and errors
    Warning,
    /// Errors alone
    Error,
}

impl Least {
    /// Returns the severity.
    pub(crate) fn severity(self) -> Severity {
        match self {
            Least::Info => Severity::Info,
            Least::Warning => Severity::Warning,
            Least::Error => Severity::Error,
        }
    }
}

/// Options of `convert`.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// The files: of an agent, or of several; `-` is stdin
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// The harness to write for, and its version behind a colon
    #[arg(long, value_name = "HARNESS[:VERSION]", value_parser = reading)]
    pub(crate) to: Reading,
    /// The harness that the files are written for (default: told by their folders)
    #[arg(long, value_name = "HARNESS[:VERSION]", value_parser = reading)]
    pub(crate) from: Option<Reading>,
    /// Write the files below this folder instead of to stdout
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,
    /// Write over files that are there
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Convert this agent alone, where a file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Take this as the name of the file
    #[arg(long, value_name = "NAME")]
    pub(crate) file_name: Option<String>,
    /// Convert what the file says by itself, where the harness merges it with other files into one
    /// agent
    #[arg(long)]
    pub(crate) alone: bool,
    /// Write an agent even if it goes further there than its author let it
    #[arg(long)]
    pub(crate) allow_widening: bool,
    /// What a model is called there: the word of the file, and the word of the other harness
    /// (`inherit`: the parent's)
    #[arg(long = "model", value_name = "FROM=TO", value_parser = model_pair)]
    pub(crate) models: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) settings: SettingsFile,
}

/// Reads what a model is called.
fn model_pair(text: &str) -> Result<(String, String), String> {
    let pair = text
        .split_once('=')
        .map(|(from, to)| (from.trim(), to.trim()));
    match pair {
        Some((from, to)) if !from.is_empty() && !to.is_empty() => {
            Ok((from.to_owned(), to.to_owned()))
        }
        _ => Err("write both words, as in `sonnet=anthropic/claude-sonnet-4-5`".to_owned()),
    }
}

/// Options of `diff`.
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// A file, `FILE@HARNESS[:VERSION]`, or the name of an agent
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) left: String,
    /// The other one
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) right: String,
}

/// Options of `rule`.
#[derive(Debug, Args)]
pub(crate) struct Rule {
    /// The code, as it stands in brackets behind `error` or `warning` (default: list all)
    pub(crate) code: Option<String>,
}

/// Options of `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Options of `man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The command that the page is about (default: agentry itself)
    pub(crate) command: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}
