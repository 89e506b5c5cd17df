//! Headers with a slip in them: no safe fix makes text of a line that may be a setting.

use agent_schema::dialect::{Dialect, Profile};
use agent_schema::fix::{self, Mended};
use agent_schema::value::{Node, Value};
use agent_schema::{Definition, FieldValue, File, ParseInputs, dialects};
use proptest::prelude::*;

/// A header without a fault, for one profile.
struct Sample {
    dialect: &'static str,
    profile: Option<&'static str>,
    file: &'static str,
    header: &'static [&'static str],
}

const SAMPLES: &[Sample] = &[
    Sample {
        dialect: "openhands",
        profile: None,
        file: "scout.md",
        header: &[
            "name: scout",
            "description: Looks at code and changes nothing",
            "tools: [grep, terminal]",
            "permission_mode: always_confirm",
            "max_iteration_per_run: 5",
        ],
    },
    Sample {
        dialect: "claude-code",
        profile: None,
        file: "scout.md",
        header: &[
            "name: scout",
            "description: Looks at code and changes nothing",
            "tools: Read, Grep",
            "disallowedTools: Bash",
            "maxTurns: 5",
            "permissionMode: plan",
        ],
    },
    Sample {
        dialect: "opencode",
        profile: None,
        file: "scout.md",
        header: &[
            "description: Looks at code and changes nothing",
            "mode: subagent",
            "permission:",
            "  edit: deny",
            "  bash:",
            "    \"*\": deny",
            "    \"git log*\": allow",
            "steps: 5",
        ],
    },
    Sample {
        dialect: "agentscope",
        profile: None,
        file: "scout.md",
        header: &[
            "description: Looks at code and changes nothing",
            "tools: [my_read, my_list]",
            "steps: 5",
            "skills:",
            "  - planning",
        ],
    },
    Sample {
        dialect: "pi",
        profile: None,
        file: "scout.md",
        header: &[
            "name: scout",
            "description: Looks at code and changes nothing",
            "tools: read, grep",
            "model: anthropic/claude-haiku-4-5",
        ],
    },
    Sample {
        dialect: "pi",
        profile: Some("pi-subagents-0.67.0"),
        file: "scout.md",
        header: &[
            "name: scout",
            "description: Looks at code and changes nothing",
            "tools: read, grep",
            "excludeTools: edit",
            "permissions:",
            "  write: deny",
        ],
    },
    Sample {
        dialect: "pi",
        profile: Some("tintinweb-0.18.0"),
        file: "scout.md",
        header: &[
            "name: scout",
            "description: Looks at code and changes nothing",
            "tools: read, grep",
            "max_turns: 5",
            "disallowed_tools: bash",
        ],
    },
    Sample {
        dialect: "pi",
        profile: Some("recommended"),
        file: "scout.md",
        header: &[
            "name: scout",
            "description: Looks at code and changes nothing",
            "permissions:",
            "  tools:",
            "    read: allow",
            "    write: deny",
        ],
    },
    Sample {
        dialect: "agent-skills",
        profile: None,
        file: "SKILL.md",
        header: &[
            "name: scout",
            "description: Looks at code and changes nothing",
            "license: MIT",
            "allowed-tools: Read Grep",
            "metadata:",
            "  owner: docs",
        ],
    },
];

/// A slip in one line; gives the lines that stand there then.
type Slip = fn(&str) -> Vec<String>;

fn key_and_value(line: &str) -> (&str, &str) {
    line.split_once(": ")
        .unwrap_or((line.trim_end_matches(':'), ""))
}

fn with_sign(line: &str, sign: &str) -> Vec<String> {
    let (key, value) = key_and_value(line);
    vec![format!("{key}{sign}{value}").trim_end().to_owned()]
}

const SLIPS: &[Slip] = &[
    |line| vec![format!(" {line}")],
    |line| vec![format!("  {line}")],
    |line| vec![format!("\t{line}")],
    |line| vec![line.strip_prefix(' ').unwrap_or(line).to_owned()],
    |line| vec![line.strip_prefix("  ").unwrap_or(line).to_owned()],
    |line| with_sign(line, " "),
    |line| with_sign(line, ":"),
    |line| with_sign(line, ":\t"),
    |line| with_sign(line, " = "),
    |line| with_sign(line, "： "),
    |line| with_sign(line, "："),
    |line| with_sign(line, ":\u{a0}"),
    |line| with_sign(line, " -> "),
    |line| with_sign(line, ": @"),
    |line| with_sign(line, ": *"),
    |line| with_sign(line, ": \""),
    |line| with_sign(line, ": ["),
    |line| with_sign(line, ": {"),
    |line| vec![format!("{line}]")],
    |line| vec![format!("{line}: more")],
    |line| vec![format!("{line} # note")],
    |line| vec![format!("- {line}")],
    |line| vec![format!("**{line}**")],
    |line| vec![format!("// {line}")],
    |line| {
        let (key, value) = key_and_value(line);
        vec![format!("{key}: |"), value.to_owned()]
    },
    |line| {
        let (key, value) = key_and_value(line);
        vec![format!("{key}: |"), format!("  {value}")]
    },
    |line| {
        let (key, value) = key_and_value(line);
        vec![format!("{key}:"), value.to_owned()]
    },
    |line| {
        let (key, value) = key_and_value(line);
        let at = value.find(' ').unwrap_or(value.len());
        let (first, rest) = value.split_at(at);
        vec![format!("{key}: {first}"), format!(" {}", rest.trim())]
    },
    |line| vec![line.to_owned(), line.to_owned()],
    |line| vec![line.to_owned(), "some words here".to_owned()],
    |line| vec![line.to_owned(), String::new()],
    |line| vec!["---".to_owned(), line.to_owned()],
    |line| {
        let (key, value) = key_and_value(line);
        let key = &key[..key.len() - 1];
        vec![format!("{key}: {value}")]
    },
    |line| {
        let (key, value) = key_and_value(line);
        vec![format!("{} {value}", &key[..key.len() - 1])]
    },
    |line| {
        let (key, value) = key_and_value(line);
        vec![format!("{} {value}", key.to_uppercase())]
    },
    |_| Vec::new(),
];

/// A sample in which some lines have slips.
#[derive(Debug, Clone)]
struct Faulty {
    sample: usize,
    slips: Vec<(usize, usize)>,
    /// Whether the description is written as a block of text.
    is_block: bool,
    is_closed: bool,
}

impl Faulty {
    fn lines(&self) -> Vec<String> {
        let header = SAMPLES[self.sample].header;
        let lines = header.iter().enumerate().flat_map(|(at, line)| {
            let slip = self.slips.iter().find(|(line, _)| *line == at);
            match (slip, line.strip_prefix("description: ")) {
                (Some((_, slip)), _) => SLIPS[*slip](line),
                (None, Some(text)) if self.is_block => {
                    vec!["description: |".to_owned(), format!("  {text}")]
                }
                _ => vec![(*line).to_owned()],
            }
        });
        lines.collect()
    }

    fn text(&self) -> String {
        let end = if self.is_closed { "---\n" } else { "" };
        format!(
            "---\n{}\n{end}\nYou look around.\n",
            self.lines().join("\n")
        )
    }

    /// Returns the lines that begin with a key of the sample, in whatever spelling or indentation,
    /// and those that allow or deny something.
    fn settings(&self) -> Vec<String> {
        let header = SAMPLES[self.sample].header.iter();
        let top = header.filter(|line| !line.starts_with(' '));
        let keys: Vec<String> = top
            .map(|line| key_and_value(line).0.to_lowercase())
            .collect();
        let is_setting = |line: &String| {
            let word = line.trim_start_matches(|c: char| !c.is_alphanumeric());
            let end = word.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
            let (word, rest) = word.split_at(end.unwrap_or(word.len()));
            let is_key = keys.contains(&word.trim_end_matches('-').to_lowercase());
            let is_rule = [": deny", ": allow"].iter().any(|end| line.ends_with(end));
            is_rule || (is_key && !rest.is_empty())
        };
        // What stands below a fence is the prompt already.
        let lines = self.lines().into_iter().take_while(|line| line != "---");
        let lines = lines.filter(is_setting);
        lines.map(|line| one_line(&line)).collect()
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn of(sample: &Sample) -> (&'static Dialect, &'static Profile) {
    let dialect = dialects::find(sample.dialect).expect("the dialect is there");
    let profile = match sample.profile {
        Some(id) => dialect.profiles.iter().find(|profile| profile.id == id),
        None => Some(dialect.default_profile()),
    };
    (dialect, profile.expect("the profile is there"))
}

fn mend(sample: &Sample, text: &str) -> (Option<Definition>, Mended) {
    let (dialect, profile) = of(sample);
    let file = File {
        name: sample.file,
        bytes: text.as_bytes(),
    };
    let inputs = ParseInputs::new().folder("scout");
    let reading = &profile.rules.reading;
    let before = agent_schema::parse_with(file, dialect, profile, &inputs).outcome;
    let mended = fix::mend(file, "scout", dialect, reading, &inputs, false);
    let before = before.into_read().map(|read| (*read).clone());
    (before, mended)
}

/// Gathers all texts of a definition, each on one line.
fn texts(definition: &Definition) -> Vec<String> {
    let mut found = Vec::new();
    for (_, located) in definition.fields() {
        match &located.value {
            FieldValue::Text(text) => found.push(one_line(text)),
            FieldValue::Names(names) => found.extend(names.iter().map(|it| one_line(&it.text))),
            FieldValue::Config(node) => texts_in(node, &mut found),
            _ => {}
        }
    }
    for located in definition.metadata.values() {
        texts_in(&located.value, &mut found);
    }
    found
}

fn texts_in(node: &Node, found: &mut Vec<String>) {
    match node.get() {
        Value::Text(text) => found.push(one_line(text)),
        Value::List(items) => items.iter().for_each(|item| texts_in(item, found)),
        Value::Map(map) => {
            let entries = map.entries.iter();
            entries.for_each(|entry| texts_in(&entry.value, found));
        }
        _ => {}
    }
}

/// Returns the line that safe fixes make part of a text, if they do.
fn swallowed(faulty: &Faulty) -> Option<String> {
    let text = faulty.text();
    let (before, mended) = mend(&SAMPLES[faulty.sample], &text);
    // What is told as lost is not hidden.
    let now = mended.parsed.outcome.definition();
    let now = now.filter(|_| mended.parsed.lost.is_empty());
    let now = texts(now.filter(|_| mended.bytes != text.as_bytes())?);
    let before = before.as_ref().map(texts).unwrap_or_default();
    let holds = |texts: &[String], line: &str| texts.iter().any(|text| text.contains(line));
    let mut settings = faulty.settings().into_iter();
    let line = settings.find(|line| holds(&now, line) && !holds(&before, line))?;
    let mended = String::from_utf8_lossy(&mended.bytes).into_owned();
    Some(format!(
        "`{line}` of {}:\n{text}\nbecomes\n{mended}",
        SAMPLES[faulty.sample].dialect
    ))
}

#[test]
fn no_safe_fix_makes_text_of_a_setting() {
    let mut wrong = Vec::new();
    for (sample, it) in SAMPLES.iter().enumerate() {
        for line in 0..it.header.len() {
            for slip in 0..SLIPS.len() {
                for is_block in [false, true] {
                    let faulty = Faulty {
                        sample,
                        slips: vec![(line, slip)],
                        is_block,
                        is_closed: true,
                    };
                    wrong.extend(swallowed(&faulty));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} times: {}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

fn faulty() -> impl Strategy<Value = Faulty> {
    let slip = (any::<prop::sample::Index>(), 0..SLIPS.len());
    let slips = prop::collection::vec(slip, 1..4);
    let parts = (0..SAMPLES.len(), slips, any::<bool>(), any::<bool>());
    parts.prop_map(|(sample, slips, is_block, is_closed)| {
        let lines = SAMPLES[sample].header.len();
        let slips = slips
            .into_iter()
            .map(|(line, slip)| (line.index(lines), slip));
        Faulty {
            sample,
            slips: slips.collect(),
            is_block,
            is_closed,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nor_where_several_lines_have_slips(faulty in faulty()) {
        prop_assert_eq!(swallowed(&faulty), None);
    }
}
