//! Converts every file below a folder from its dialect to every other one, and counts how.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agent_factory::{Agent, ConvertOptions, Reader, Rights, Verdict, View, convert, open};
use agent_schema::writing::FileForm;
use agent_schema::{File, dialects};

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

/// Prints how the agents of a corpus arrive. Succeeds if every text that was written is read
/// again, and nothing goes further than it was meant.
pub(crate) fn run(dir: &Path, details: bool) -> Result<bool, Box<dyn std::error::Error>> {
    let mut sound = true;
    println!("from           to                         lossless  lossy  refused");
    for (folder, dialect) in KINDS {
        let folder = dir.join(folder);
        if !folder.is_dir() {
            continue;
        }
        let from = dialects::find(dialect).ok_or_else(|| crate::unknown_dialect(dialect))?;
        let mut files = Vec::new();
        for path in files_below(&folder)? {
            files.push((path.clone(), fs::read(&path)?));
        }
        for to in targets() {
            let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
            let mut why: BTreeMap<String, usize> = BTreeMap::new();
            for (path, bytes) in &files {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let file = File { name: &name, bytes };
                let from = Reader::newest(from);
                for agent in open(file, None, from, &|_| None).unwrap_or_default() {
                    if agent.parsed.outcome.definition().is_none() {
                        continue;
                    }
                    let made = convert(&agent, to, ConvertOptions::default());
                    *counts.entry(made.verdict).or_default() += 1;
                    for text in made.losses.iter().map(|loss| &loss.message) {
                        *why.entry(without_words(text)).or_default() += 1;
                    }
                    if let Some(refusal) = &made.refusal {
                        *why.entry(without_words(&format!("REFUSED {}", refusal.message)))
                            .or_default() += 1;
                    }
                    if let Some(fault) = fault(&agent, to, &made) {
                        println!("{}: to {}: {fault}", path.display(), to.profile.id);
                        sound = false;
                    }
                }
            }
            let count = |verdict| counts.get(&verdict).copied().unwrap_or_default();
            println!(
                "{dialect:<14} {:<26} {:>8} {:>6} {:>8}",
                format!("{} {}", to.dialect.id, to.profile.id),
                count(Verdict::Lossless),
                count(Verdict::Lossy),
                count(Verdict::Refused)
            );
            if details {
                let mut why: Vec<_> = why.into_iter().collect();
                why.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
                for (text, count) in why.iter().take(14) {
                    println!("    {count:>6} {text}");
                }
            }
        }
    }
    Ok(sound)
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
fn fault(agent: &Agent<'_>, to: Reader, made: &agent_factory::Conversion) -> Option<String> {
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
    let beyond =
        Rights::of(there, to_rules, view).beyond(&meant, to_rules, from_rules.vocabulary.own);
    if !beyond.is_empty() {
        return Some(format!("goes further: {beyond:?}"));
    }
    let is_roster = matches!(to.profile.rules.writing.form, FileForm::RosterEntry { .. });
    (is_roster && made.files.len() != 2).then(|| "the prompt is missing".to_owned())
}
