//! Converts every file below a folder from its dialect to every other one, and counts how.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use agent_factory::{
    Agent, Conversion, ConvertOptions, Reader, RefusalCode, Rights, Verdict, View, convert, open,
};
use agent_schema::writing::FileForm;
use agent_schema::{File, dialects};
use agentry_tests::judge::{Judged, goes_further};

use crate::corpus::files_below;

/// The folders of a corpus and the dialects that their files are written in.
const KINDS: &[(&str, &str)] = &[
    ("openhands", "openhands"),
    ("claude", "claude-code"),
    ("opencode", "opencode"),
    ("agentscope", "agentscope"),
    ("pi", "pi"),
    ("skill", "agent-skills"),
];

/// What is told of each pair beside how many agents arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing.
    Counts,
    /// The codes of losses and refusals, and how many agents have each.
    Codes,
    /// What is said about them.
    Messages,
}

impl Told {
    pub(crate) fn of(messages: bool, codes: bool) -> Self {
        match (messages, codes) {
            (true, _) => Told::Messages,
            (false, true) => Told::Codes,
            (false, false) => Told::Counts,
        }
    }
}

/// How the agents of one kind arrive in a dialect.
#[derive(Default)]
struct Arrival {
    verdicts: BTreeMap<Verdict, usize>,
    /// The codes, and how many agents have each of them.
    codes: BTreeMap<String, usize>,
    messages: BTreeMap<String, usize>,
}

/// Prints how the agents of a corpus arrive. Succeeds if every text that was written is read
/// again, and nothing goes further than it was meant.
pub(crate) fn run(
    dir: &Path,
    told: Told,
    models: &[String],
) -> Result<bool, Box<dyn std::error::Error>> {
    let models = models.iter().filter_map(|pair| pair.split_once('='));
    let models: Vec<(String, String)> = models
        .map(|(from, to)| (from.to_owned(), to.to_owned()))
        .collect();
    let how = ConvertOptions::default().models(&models);
    let mut sound = true;
    let targets = targets();
    println!("{:<14} {:<26} lossless  lossy  refused", "from", "to");
    for (folder, id) in KINDS {
        let folder = dir.join(folder);
        if !folder.is_dir() {
            continue;
        }
        let dialect = dialects::find(id).ok_or_else(|| crate::unknown_dialect(id))?;
        let from = Reader::newest(dialect);
        let mut arrivals: Vec<Arrival> = targets.iter().map(|_| Arrival::default()).collect();
        for path in files_below(&folder)? {
            let bytes = fs::read(&path)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let file = File {
                name: &name,
                bytes: &bytes,
            };
            let agents = open(file, None, from, &|_| None).unwrap_or_default();
            let loaded = agents
                .iter()
                .filter(|agent| agent.parsed.outcome.definition().is_some());
            for agent in loaded {
                for (to, arrival) in targets.iter().zip(&mut arrivals) {
                    let made = convert(agent, *to, how);
                    if let Some(fault) = fault(agent, *to, &made) {
                        let (dialect, profile) = (to.dialect.id, to.profile.id);
                        println!("{}: to {dialect} {profile}: {fault}", path.display());
                        sound = false;
                    }
                    arrival.add(&made);
                }
            }
        }
        for (to, arrival) in targets.iter().zip(arrivals) {
            arrival.print(id, *to, told);
        }
    }
    Ok(sound)
}

impl Arrival {
    fn add(&mut self, made: &Conversion) {
        *self.verdicts.entry(made.verdict).or_default() += 1;
        let refused = made
            .refusal
            .iter()
            .map(|refusal| format!("refused: {}", refusal.message));
        let lost = made
            .losses
            .iter()
            .map(|loss| format!("lost: {}", loss.message));
        for message in refused.chain(lost) {
            *self.messages.entry(without_words(&message)).or_default() += 1;
        }
        for code in codes(made) {
            *self.codes.entry(code).or_default() += 1;
        }
    }

    fn print(self, from: &str, to: Reader, told: Told) {
        const MOST_LINES: usize = 14;
        let count = |verdict| self.verdicts.get(&verdict).copied().unwrap_or_default();
        println!(
            "{from:<14} {:<26} {:>8} {:>6} {:>8}",
            format!("{} {}", to.dialect.id, to.profile.id),
            count(Verdict::Lossless),
            count(Verdict::Lossy),
            count(Verdict::Refused)
        );
        let lines = match told {
            Told::Counts => return,
            Told::Codes => self.codes,
            Told::Messages => self.messages,
        };
        let mut lines: Vec<_> = lines.into_iter().collect();
        lines.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (text, count) in lines.iter().take(MOST_LINES) {
            println!("    {count:>6} {text}");
        }
    }
}

/// Returns the codes of a conversion, each once. What would go further is named by its tools, so
/// that it shows which of them matter. The losses of what is refused do not count.
fn codes(made: &Conversion) -> BTreeSet<String> {
    match &made.refusal {
        None => {
            let codes = made.losses.iter().map(|loss| loss.code.as_str());
            codes.map(|code| format!("lost: {code}")).collect()
        }
        Some(refusal) => {
            let words = match refusal.code {
                RefusalCode::GoesFurther => words_of(&refusal.message),
                _ => String::new(),
            };
            BTreeSet::from([format!("refused: {} {words}", refusal.code.as_str())])
        }
    }
}

/// Returns what stands in backticks in a message.
fn words_of(message: &str) -> String {
    let words = message.split('`').skip(1).step_by(2);
    words.collect::<Vec<_>>().join(" ")
}

/// The default profiles of all dialects, and all profiles of those that are loaders of their own.
fn targets() -> Vec<Reader> {
    let mut targets: Vec<Reader> = Vec::new();
    for dialect in dialects::ALL {
        for profile in dialect.profiles {
            let written =
                |other: &Reader| std::ptr::eq(other.profile.rules.writing, profile.rules.writing);
            if !targets.iter().any(written) {
                targets.push(Reader { dialect, profile });
            }
        }
    }
    targets
}

/// Takes what stands in backticks out of a message.
fn without_words(message: &str) -> String {
    let parts = message.split('`').enumerate();
    parts
        .map(|(index, part)| if index % 2 == 0 { part } else { "…" })
        .collect::<Vec<_>>()
        .join("`")
}

/// Returns what is wrong with a conversion, judged from its text alone.
fn fault(agent: &Agent<'_>, to: Reader, made: &Conversion) -> Option<String> {
    let first = made.files.first()?;
    let name = first.path.rsplit('/').next()?;
    let file = File {
        name,
        bytes: first.text.as_bytes(),
    };
    let beside = |path: &str| {
        let found = made.files.iter().find(|file| file.path.ends_with(path));
        found.map(|file| file.text.clone())
    };
    let read = match open(file, None, to, &beside) {
        Ok(read) => read,
        Err(error) => return Some(error.to_string()),
    };
    let Some(there) = read
        .first()
        .and_then(|agent| agent.parsed.outcome.definition())
    else {
        return Some("what was written is not read again".to_owned());
    };
    let definition = agent.parsed.outcome.definition()?;
    let (from_rules, to_rules) = (
        &agent.from.profile.rules.writing.access,
        &to.profile.rules.writing.access,
    );
    let same = std::ptr::eq(from_rules, to_rules);
    let view = if same { View::Meant } else { View::Effective };
    let meant = Rights::of(definition, from_rules, View::Meant);
    let beyond = Rights::of(there, to_rules, view).beyond(&meant, to_rules, from_rules.vocabulary);
    if !beyond.is_empty() {
        return Some(format!("goes further: {beyond:?}"));
    }
    let source = Judged {
        reader: agent.from,
        definition,
    };
    let converted = Judged {
        reader: to,
        definition: there,
    };
    let further = goes_further(source, converted);
    if !same && !further.is_empty() {
        return Some(format!("does more: {}", further.join("; ")));
    }
    let is_roster = matches!(to.profile.rules.writing.form, FileForm::RosterEntry { .. });
    (is_roster && made.files.len() != 2).then(|| "the prompt is missing".to_owned())
}
