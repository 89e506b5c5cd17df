//! Files that hold several agents: what their fixes make of them.

use std::sync::OnceLock;

use agent_schema::dialect::{Holds, ReadingRules, SettingsRules};
use agent_schema::roster::{self, LayeredRosterRules, Says, read_layer};
use agent_schema::settings::{self, parse_settings};
use agent_schema::text::MappedText;
use agent_schema::{Diagnostic, Dialect, Edit, Fate, File, Limits, dialects, fix};

use super::file::words;
use super::spans::{check_findings, check_parsed};
use super::{Fault, Trace, chosen};

/// The most rounds in which a file is mended.
const MOST_ROUNDS: usize = 16;

/// How a file is read.
#[derive(Clone, Copy)]
enum Reading {
    Settings(&'static Dialect, &'static SettingsRules),
    Layer {
        dialect: &'static Dialect,
        reading: &'static ReadingRules,
        roster: &'static LayeredRosterRules,
        is_first: bool,
    },
}

/// What is found in a file: each agent with its fate, and all findings.
struct Found {
    agents: Vec<(String, Fate)>,
    findings: Vec<Diagnostic>,
}

fn readings() -> &'static [Reading] {
    static READINGS: OnceLock<Vec<Reading>> = OnceLock::new();
    READINGS.get_or_init(|| {
        let mut readings = Vec::new();
        for dialect in dialects::ALL {
            for profile in dialect.profiles {
                let rules = &profile.rules;
                let places = rules.agents.places.iter();
                for part in places.flat_map(|place| place.parts) {
                    let Holds::Settings(settings) = part.holds else {
                        continue;
                    };
                    let is_known = |known: &Reading| matches!(known, Reading::Settings(_, it) if std::ptr::eq(*it, settings));
                    if !readings.iter().any(is_known) {
                        readings.push(Reading::Settings(dialect, settings));
                    }
                }
                let layers = rules.roster.iter().flat_map(|roster| {
                    [true, false].map(|is_first| Reading::Layer {
                        dialect,
                        reading: &rules.reading,
                        roster,
                        is_first,
                    })
                });
                readings.extend(layers);
            }
        }
        readings
    })
}

pub(super) fn choices() -> usize {
    readings().len()
}

impl Reading {
    /// Reads a file; nothing if none of it can be used.
    fn read(self, bytes: &[u8], with_fixes: bool) -> Result<Option<Found>, Fault> {
        let limits = &Limits::default();
        match self {
            Reading::Settings(dialect, rules) => {
                let Ok(text) = MappedText::decode(bytes, rules.encoding) else {
                    return Ok(None);
                };
                let Ok(mut parsed) = parse_settings(&text, bytes, dialect, rules, limits) else {
                    return Ok(None);
                };
                if with_fixes {
                    settings::add_fixes(&mut parsed, bytes, dialect, rules, limits);
                }
                let mut found = Found {
                    agents: vec![(String::new(), parsed.general.fate)],
                    findings: parsed.general.diagnostics,
                };
                for entry in parsed.entries {
                    check_parsed(&entry.parsed, bytes)?;
                    found.agents.push((entry.way.join("."), entry.parsed.fate));
                    found.findings.extend(entry.parsed.diagnostics);
                }
                Ok(Some(found))
            }
            Reading::Layer {
                dialect,
                reading,
                roster,
                is_first,
            } => {
                let file = File {
                    name: roster.file,
                    bytes,
                };
                let Ok(mut layer) = read_layer(file, is_first, dialect, reading, roster, limits)
                else {
                    return Ok(None);
                };
                if with_fixes {
                    roster::add_fixes(&mut layer, file, is_first, dialect, reading, roster, limits);
                }
                let mut found = Found {
                    agents: Vec::new(),
                    findings: Vec::new(),
                };
                for agent in layer.agents {
                    let fate = match agent.says {
                        Says::Fields { parsed, .. } => {
                            check_parsed(&parsed, bytes)?;
                            let fate = parsed.fate;
                            found.findings.extend(parsed.diagnostics);
                            fate
                        }
                        _ => Fate::Ignored,
                    };
                    found.agents.push((agent.name, fate));
                }
                Ok(Some(found))
            }
        }
    }

    /// Makes all fixes, round by round, and tells which.
    fn mend(self, bytes: &[u8], unsafe_too: bool) -> Result<(Vec<u8>, Vec<String>), Fault> {
        let mut bytes = bytes.to_vec();
        let mut titles = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let Some(found) = self.read(&bytes, true)? else {
                break;
            };
            check_findings(&found.findings, &bytes)?;
            let round = fix::compatible(&found.findings, unsafe_too);
            let edits: Vec<Edit> = round.iter().flat_map(|fix| fix.edits.clone()).collect();
            let Some(mended) = fix::apply(&bytes, &edits).filter(|mended| *mended != bytes) else {
                break;
            };
            titles.extend(round.iter().map(|fix| fix.title.clone()));
            bytes = mended;
        }
        Ok((bytes, titles))
    }
}

pub(super) fn mend(input: &[u8]) -> Result<Trace, Fault> {
    let (choice, bytes) = chosen(input, choices());
    let reading = readings()[choice];
    let Some(before) = reading.read(bytes, false)? else {
        return Ok(Trace::new());
    };
    let mut seen: Trace = before
        .findings
        .iter()
        .map(|finding| words(&finding.message))
        .collect();
    for unsafe_too in [false, true] {
        let (mended, titles) = reading.mend(bytes, unsafe_too)?;
        let Some(after) = reading.read(&mended, false)? else {
            return Err("a file of which nothing can be read is left".to_owned());
        };
        let names = |found: &Found| -> Vec<String> {
            found.agents.iter().map(|(name, _)| name.clone()).collect()
        };
        if names(&before) != names(&after) {
            return Err("the agents are others than before".to_owned());
        }
        let mut pairs = before.agents.iter().zip(&after.agents);
        if let Some(((name, was), (_, is))) = pairs.find(|((_, was), (_, is))| is > was) {
            return Err(format!("`{name}` was {was:?} and is {is:?}"));
        }
        if reading.mend(&mended, unsafe_too)?.0 != mended {
            return Err("a second run changes the file again".to_owned());
        }
        seen.extend(titles.iter().map(|title| words(title)));
    }
    Ok(seen)
}
