//! Properties of conversions, over generated files of all dialects.

use agent_factory::{
    Agent, Compared, ConvertOptions, LossCode, Reader, RefusalCode, Rights, Verdict, View, convert,
    differences, open,
};
use agent_schema::{Fate, File, dialects};
use agentry_tests::judge::{Judged, goes_further};
use proptest::prelude::*;

/// All profiles whose agents can be files of their own.
fn readers() -> Vec<Reader> {
    let all = dialects::ALL.iter().flat_map(|dialect| {
        dialect
            .profiles
            .iter()
            .map(move |profile| Reader { dialect, profile })
    });
    let one_file = |it: &Reader| {
        it.profile.rules.roster.is_none() && !it.profile.rules.writing.form.is_skill()
    };
    all.filter(one_file).collect()
}

/// All profiles that agents can be written for.
fn targets() -> Vec<Reader> {
    let rosters = dialects::ALL
        .iter()
        .filter(|dialect| dialect.default_profile().rules.roster.is_some());
    readers()
        .into_iter()
        .chain(rosters.map(|dialect| Reader::newest(dialect)))
        .collect()
}

/// A value of a header: its kind, and what chooses among the words of the dialect.
type Choice = (u8, Vec<u8>);

/// A header: for each field perhaps a value, and keys that nobody knows.
#[derive(Debug, Clone)]
struct Wish {
    values: Vec<Option<Choice>>,
    unknown: bool,
    comment: bool,
    prompt: String,
}

fn wish() -> impl Strategy<Value = Wish> {
    let value = (0u8..24, prop::collection::vec(any::<u8>(), 0..5));
    (
        prop::collection::vec(prop::option::weighted(0.4, value), 48),
        any::<bool>(),
        any::<bool>(),
        "[A-Z][a-z `#*-]{0,40}",
    )
        .prop_map(|(values, unknown, comment, prompt)| Wish {
            values,
            unknown,
            comment,
            prompt,
        })
}

/// Writes the header that was wished for in a dialect: every key of it gets values of all kinds.
fn written(wish: &Wish, from: Reader) -> String {
    let rules = &from.profile.rules;
    let access = &rules.writing.access;
    let words: Vec<&str> = access
        .vocabulary
        .words
        .iter()
        .map(|word| word.word)
        .collect();
    let own = access.vocabulary.own.iter().copied();
    let names: Vec<&str> = words
        .into_iter()
        .chain(own)
        .chain([
            "nobody_knows",
            "mcp__shop__sell",
            "mcp__shop",
            "shop_*",
            "*",
        ])
        .collect();
    let pick = |choice: &[u8], at: usize| {
        let byte = choice.get(at).copied().unwrap_or_default();
        names[usize::from(byte) % names.len()]
    };
    let mut out = String::from("---\n");
    if wish.comment {
        out.push_str("# a comment\n");
    }
    let mut keys: Vec<&str> = Vec::new();
    for (field, wished) in rules.reading.fields.iter().zip(&wish.values) {
        let is_needed = matches!(field.key, "name" | "description");
        if keys.contains(&field.key) {
            continue;
        }
        keys.push(field.key);
        if is_needed {
            out.push_str(&format!("{}: worker\n", field.key));
            continue;
        }
        let Some((kind, choice)) = wished else {
            continue;
        };
        let listed: Vec<&str> = (0..choice.len()).map(|at| pick(choice, at)).collect();
        let is_limit = access.fields.contains(&field.target);
        let mode = access
            .modes
            .get(usize::from(*kind) % access.modes.len().max(1));
        let effect = ["allow", "ask", "deny"][usize::from(*kind) % 3];
        let value = match (is_limit, kind % 12) {
            (true, 0) => "[]".to_owned(),
            (true, 1) => "\"*\"".to_owned(),
            (true, 2) if !listed.is_empty() => format!("{}(git:*)", pick(choice, 0)),
            (true, 3) => format!("{{\"*\": deny, {}: {effect}}}", quoted(pick(choice, 0))),
            (true, 4) => format!(
                "{{{}: {{\"*\": {effect}, \"git *\": allow}}, {}: deny}}",
                quoted(pick(choice, 0)),
                quoted(pick(choice, 1))
            ),
            (true, 5) => format!("{{tools: {{{}: {effect}}}}}", quoted(pick(choice, 0))),
            (true, 6) => format!(
                "{{{}: true, {}: false}}",
                quoted(pick(choice, 0)),
                quoted("edit")
            ),
            (true, 7 | 8) => listed.join(", "),
            (true, _) => {
                let listed: Vec<String> = listed.iter().map(|name| quoted(name)).collect();
                format!("[{}]", listed.join(", "))
            }
            (false, 0) => mode.map_or("plan", |mode| mode.word).to_owned(),
            (false, 1) => "true".to_owned(),
            (false, 2) => "false".to_owned(),
            (false, 3) => "7".to_owned(),
            (false, 4) => "0.5".to_owned(),
            (false, 5) => "red".to_owned(),
            (false, 6) => "anthropic/claude-x".to_owned(),
            (false, 7) => "claude-x".to_owned(),
            (false, 8) => "[one, two]".to_owned(),
            (false, 9) => "{PreToolUse: [], pre_tool_use: []}".to_owned(),
            (false, 10) => "subagent".to_owned(),
            (false, _) => "project".to_owned(),
        };
        out.push_str(&format!("{}: {value}\n", field.key));
    }
    if wish.unknown {
        out.push_str("nobodys_key: {a: [1, x]}\n");
    }
    format!("{out}---\n{}\n", wish.prompt)
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

fn opened(text: &str, reader: Reader) -> Vec<Agent<'_>> {
    let roster = reader.profile.rules.roster.as_ref();
    let file = File {
        name: roster.map_or("worker.md", |roster| roster.file),
        bytes: text.as_bytes(),
    };
    open(file, None, reader, &|_| Some("Prompt.".to_owned())).unwrap_or_default()
}

/// Each kind of loss and of refusal is listed in the documents, and nothing else is.
#[test]
fn every_code_of_a_loss_is_listed() {
    let page = include_str!("../../docs/losses.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let losses = LossCode::ALL.iter().map(|code| code.as_str());
    let refusals = RefusalCode::ALL.iter().map(|code| code.as_str());
    assert_eq!(listed, losses.chain(refusals).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever is written loads without a loss there, and gives no right that its author did not.
    #[test]
    fn no_conversion_widens(wish in wish(), from in 0usize..64, to in 0usize..64) {
        let (sources, targets) = (readers(), targets());
        let (from, to) = (sources[from % sources.len()], targets[to % targets.len()]);
        let text = written(&wish, from);
        for agent in opened(&text, from) {
            let made = convert(&agent, to, ConvertOptions::default());
            prop_assert_eq!(made.refusal.is_some(), made.files.is_empty());
            prop_assert_eq!(made.verdict == Verdict::Refused, made.files.is_empty());
            prop_assert!(made.losses.iter().all(|loss| !loss.widens));
            let (Some(first), Some(definition)) =
                (made.files.first(), agent.parsed.outcome.definition())
            else {
                continue;
            };
            let read = opened(&first.text, to);
            let read = read.first().map(|agent| &agent.parsed);
            let there = read.and_then(|parsed| parsed.outcome.definition());
            prop_assert!(there.is_some(), "not read again:\n{text}\n{}", first.text);
            let same = std::ptr::eq(from.profile.rules.writing, to.profile.rules.writing);
            if let (Some(there), false) = (there, same) {
                prop_assert_eq!(read.map(|parsed| parsed.fate), Some(Fate::Loaded));
                let rules = (&from.profile.rules.writing.access, &to.profile.rules.writing.access);
                let meant = Rights::of(definition, rules.0, View::Meant);
                let given = Rights::of(there, rules.1, View::Effective);
                let beyond = given.beyond(&meant, rules.1, rules.0.vocabulary);
                prop_assert!(beyond.is_empty(), "{beyond:?}\n{text}\n{}", first.text);
                let further = goes_further(
                    Judged { reader: from, definition },
                    Judged { reader: to, definition: there },
                );
                prop_assert!(
                    further.is_empty(),
                    "{} to {}: {further:#?}\n{text}\n{}",
                    from.profile.id,
                    to.profile.id,
                    first.text
                );
            }
        }
    }

    /// What is called lossless says the same in both harnesses.
    #[test]
    fn what_is_lossless_means_the_same(wish in wish(), from in 0usize..64, to in 0usize..64) {
        let (sources, targets) = (readers(), targets());
        let (from, to) = (sources[from % sources.len()], targets[to % targets.len()]);
        let text = written(&wish, from);
        for agent in opened(&text, from) {
            let made = convert(&agent, to, ConvertOptions::default());
            let (Verdict::Lossless, Some(definition), Some(first)) =
                (made.verdict, agent.parsed.outcome.definition(), made.files.first())
            else {
                continue;
            };
            let read = opened(&first.text, to);
            let there = read.first().and_then(|agent| agent.parsed.outcome.definition());
            let there = there.expect("it is read again");
            let compared = |reader, definition, prompt| Compared {
                reader,
                definition,
                name: "worker",
                prompt,
            };
            let prompt = agent.parsed.outcome.definition().and_then(|it| it.prompt());
            let found = differences(
                compared(from, definition, prompt),
                compared(to, there, to.profile.rules.roster.as_ref().and(prompt)),
            );
            prop_assert!(found.is_empty(), "{found:#?}\n{text}\n{}", first.text);
        }
    }
}
