//! Files of agents, by every set of rules that there is.

use std::sync::OnceLock;

use agent_schema::dialect::ReadingRules;
use agent_schema::parse::parse_accepted;
use agent_schema::{Dialect, File, ParseInputs, Parsed, Severity, dialects, fix};

use super::spans::check_parsed;
use super::{Fault, Trace, chosen};

/// How a file is read.
struct Reading {
    dialect: &'static Dialect,
    rules: &'static ReadingRules,
    inputs: ParseInputs,
}

/// All ways in which files are read: by each version of each dialect, for files of the project, of a
/// plugin and of a skill.
fn readings() -> &'static [Reading] {
    static READINGS: OnceLock<Vec<Reading>> = OnceLock::new();
    READINGS.get_or_init(|| {
        let mut readings = Vec::new();
        for dialect in dialects::ALL {
            for profile in dialect.profiles {
                let rules = &profile.rules;
                let inputs = ParseInputs::new().folder("folder");
                let mut add = |rules: &'static ReadingRules, inputs: ParseInputs| {
                    readings.push(Reading {
                        dialect,
                        rules,
                        inputs,
                    });
                };
                add(&rules.reading, inputs.clone());
                if let Some(plugin) = rules.plugins.reading {
                    let folders = ["folder".to_owned()];
                    let inputs = inputs.clone().plugin("kit").plugin_folders(folders);
                    add(plugin, inputs);
                }
                if let Some(skill) = rules.skills.reading {
                    add(skill.rules, inputs);
                }
            }
        }
        readings
    })
}

pub(super) fn choices() -> usize {
    readings().len()
}

const STEM: &str = "worker";

fn file(bytes: &[u8]) -> File<'_> {
    File {
        name: "worker.md",
        bytes,
    }
}

fn read(reading: &Reading, bytes: &[u8]) -> Parsed {
    parse_accepted(
        file(bytes),
        STEM,
        reading.dialect,
        reading.rules,
        &reading.inputs,
    )
}

pub(super) fn outcome(input: &[u8]) -> Result<Trace, Fault> {
    let (choice, bytes) = chosen(input, choices());
    let reading = &readings()[choice];
    let parsed = read(reading, bytes);
    check_parsed(&parsed, bytes)?;
    if read(reading, bytes) != parsed {
        return Err("the same bytes are read in two ways".to_owned());
    }
    Ok(trace(reading, &parsed))
}

pub(super) fn mend(input: &[u8]) -> Result<Trace, Fault> {
    let (choice, bytes) = chosen(input, choices());
    let reading = &readings()[choice];
    let before = read(reading, bytes);
    let mut seen = trace(reading, &before);
    for unsafe_too in [false, true] {
        let mend = |bytes: &[u8]| {
            fix::mend(
                file(bytes),
                STEM,
                reading.dialect,
                reading.rules,
                &reading.inputs,
                unsafe_too,
            )
        };
        let mended = mend(bytes);
        check_parsed(&mended.parsed, &mended.bytes)?;
        if std::str::from_utf8(bytes).is_ok() && std::str::from_utf8(&mended.bytes).is_err() {
            return Err("what was text is none after its fixes".to_owned());
        }
        if mended.fixes.is_empty() != (mended.bytes == bytes) {
            return Err("the fixes that were made and the bytes do not fit".to_owned());
        }
        let again = mend(&mended.bytes);
        if again.bytes != mended.bytes {
            return Err(format!(
                "a second run changes the file again: {:?}",
                again.fixes
            ));
        }
        if !unsafe_too && mended.parsed.fate > before.fate {
            return Err(format!(
                "safe fixes make {:?} of {:?}",
                mended.parsed.fate, before.fate
            ));
        }
        seen.extend(mended.fixes.iter().map(|title| words(title)));
    }
    Ok(seen)
}

/// What a parse led to, without the words of the file.
fn trace(reading: &Reading, parsed: &Parsed) -> Trace {
    let mut trace = Trace::new();
    let id = reading.dialect.id;
    trace.insert(format!("{id} {:?}", parsed.fate));
    for finding in &parsed.diagnostics {
        let loud = finding.severity > Severity::Info;
        trace.insert(format!("{id} {} {loud}", words(&finding.message)));
    }
    for field in &parsed.lost {
        trace.insert(format!("{id} lost {field:?}"));
    }
    if let Some(definition) = parsed.outcome.definition() {
        for (field, located) in definition.fields() {
            let written = located.place.is_some();
            trace.insert(format!("{id} {field:?} {written}"));
        }
    }
    trace
}

/// A message without what is quoted in it.
pub(super) fn words(message: &str) -> String {
    let parts = message.split('`').step_by(2);
    let parts: Vec<&str> = parts.collect();
    let kept = parts.join("``");
    kept.chars()
        .filter(|c| !c.is_ascii_digit())
        .take(60)
        .collect()
}
