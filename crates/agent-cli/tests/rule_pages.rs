//! The pages of the rules are true: each has its sections, its examples give the finding that the
//! page is about, and what it says to write instead does not.
//!
//! How a page is written stands in `CONTRIBUTING.md`.
#![cfg(unix)]

mod page_scene;

use std::path::{Path, PathBuf};

use agent_schema::rules::{self, EvidenceBasis, LIMITS, Part, SECTIONS};
use agent_schema::{Profile, Rule, dialects};
use page_scene::{Scene, Step};
use serde_json::Value;

#[test]
fn every_page_is_true() {
    let mut faults = Vec::new();
    for rule in rules::ALL {
        let mut own = Vec::new();
        check(rule, &mut own);
        faults.extend(own.iter().map(|fault| format!("{}: {fault}", rule.code)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn check(rule: &Rule, faults: &mut Vec<String>) {
    check_sections(rule, faults);
    check_evidence(rule, faults);
    check_examples(rule, faults);
}

fn check_sections(rule: &Rule, faults: &mut Vec<String>) {
    let parts = rule.parts();
    let headings = parts.iter().filter_map(|part| match part {
        Part::Heading(heading) => Some(*heading),
        _ => None,
    });
    let mut headings: Vec<&str> = headings.collect();
    if headings.last() == Some(&LIMITS) {
        headings.pop();
    }
    if headings != SECTIONS {
        faults.push(format!(
            "the sections are {headings:?} instead of {SECTIONS:?}"
        ));
    }
    for heading in &headings {
        if rule.section(heading).is_empty() {
            faults.push(format!("`{heading}` says nothing"));
        }
    }
    for part in &parts {
        match part {
            Part::Code { info: "", .. } => faults.push("a block without a kind".to_owned()),
            Part::Code { text, .. } if text.lines().count() > 40 => {
                faults.push("a block of more than 40 lines".to_owned());
            }
            _ => {}
        }
    }
}

fn check_evidence(rule: &Rule, faults: &mut Vec<String>) {
    let cases = workspace().join("tests/conformance");
    let evidence = match rule.evidence() {
        Ok(evidence) => evidence,
        Err(point) => return faults.push(format!("`{point}` is not the form of evidence")),
    };
    for point in evidence {
        let nothing_said = match point.basis {
            EvidenceBasis::Ran => point.harnesses.is_empty() || point.cases.is_empty(),
            EvidenceBasis::Read => point.harnesses.is_empty(),
            EvidenceBasis::Ours => point.note.is_empty(),
        };
        if nothing_said {
            faults.push(format!("evidence that says too little: {point:?}"));
        }
        let known: Vec<&Profile> = point
            .harnesses
            .iter()
            .filter_map(|it| profile(it))
            .collect();
        if known.len() < point.harnesses.len() {
            faults.push(format!("one of {:?} is no profile", point.harnesses));
        }
        for case in &point.cases {
            let recorded = recorded(&cases.join(case));
            if recorded.is_empty() {
                faults.push(format!("there is no case `{case}`"));
            }
            let speaks_for = |profile: &&&Profile| {
                recorded.contains(profile.recorded_as())
                    || recorded.contains(&format!("\"{}\"", profile.id))
            };
            if known.iter().find(speaks_for).is_none() {
                faults.push(format!(
                    "`{case}` is a case of none of {:?}",
                    point.harnesses
                ));
            }
        }
    }
}

/// Finds the profile that is called by the title of its dialect, or loader of skills, and its id.
fn profile(name: &str) -> Option<&'static Profile> {
    let loaders = dialects::skills::LOADERS.iter();
    let mut all = dialects::ALL.iter().chain(loaders).flat_map(|dialect| {
        let profiles = dialect.profiles.iter();
        profiles.map(|profile| (format!("{} {}", dialect.title, profile.id), profile))
    });
    all.find_map(|(known, profile)| (known == name).then_some(profile))
}

/// Reads what is recorded for a case: its folder holds it, or files of its name.
fn recorded(case: &Path) -> String {
    let expect = std::fs::read_to_string(case.join("expect.json"));
    let beside = std::fs::read_to_string(format!("{}.json", case.display()));
    expect.or(beside).unwrap_or_default()
}

fn check_examples(rule: &Rule, faults: &mut Vec<String>) {
    let examples = examples(&rule.section("Example"), faults);
    let fixes = examples_of_fix(rule, &examples, faults);
    if examples.is_empty() {
        check_tests(rule, faults);
    }
    if fixes.len() != examples.len() {
        faults.push(format!(
            "`Fix` has {} command lines, `Example` {}",
            fixes.len(),
            examples.len()
        ));
    }
    let mut shown = 0;
    for (index, example) in examples.iter().enumerate() {
        let mut scene = Scene::new();
        let command = &example.command;
        if let Err(fault) = example.steps.iter().try_for_each(|step| scene.take(step)) {
            faults.push(fault);
            continue;
        }
        if scene.is_above_rights() {
            // Nothing is forbidden to this user, so that the example shows nothing.
            continue;
        }
        shown += 1;
        match scene.run(command) {
            Ok(answer) => match findings(&answer, |finding| finding["code"] == rule.code) {
                found if found.is_empty() => {
                    faults.push(format!("`{command}` does not find it: {answer:#}"));
                }
                found if found.iter().any(|finding| !finding["why"].is_string()) => {
                    faults.push(format!("`{command}` does not tell why: {answer:#}"));
                }
                _ => {}
            },
            Err(fault) => faults.push(fault),
        }
        let Some(fix) = fixes.get(index) else {
            continue;
        };
        if let Err(fault) = fix.steps.iter().try_for_each(|step| scene.take(step)) {
            faults.push(fault);
            continue;
        }
        let is_left =
            |finding: &Value| finding["code"] == rule.code || finding["severity"] == "error";
        match scene.run(&fix.command) {
            Ok(answer) => {
                for left in findings(&answer, is_left) {
                    faults.push(format!("`{}` still finds {left:#}", fix.command));
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    if shown == 0 && !examples.is_empty() {
        faults.push("no example can be shown to this user".to_owned());
    }
}

/// A command line with what is there when it runs.
struct Example {
    command: String,
    steps: Vec<Step>,
}

/// Reads the examples of a section: each begins with a paragraph that holds a command line.
fn examples(parts: &[Part], faults: &mut Vec<String>) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for part in parts {
        match part {
            Part::Prose(text) => examples.extend(command_line(text).map(|command| Example {
                command,
                steps: Vec::new(),
            })),
            Part::Code { info, text } => match (Step::read(info, text), examples.last_mut()) {
                (Ok(Some(step)), Some(example)) => example.steps.push(step),
                (Ok(Some(_)), None) => {
                    faults.push(format!("no command line stands before the block `{info}`"));
                }
                (Ok(None), _) => {}
                (Err(fault), _) => faults.push(fault),
            },
            Part::Heading(_) | Part::Item(_) => {}
        }
    }
    examples
}

/// Reads what to write instead. The first fix belongs to the first example and so on; one without
/// a command line of its own is checked with that of its example.
fn examples_of_fix(rule: &Rule, examples: &[Example], faults: &mut Vec<String>) -> Vec<Example> {
    let Some(first) = examples.first() else {
        return Vec::new();
    };
    let mut parts = rule.section("Fix");
    let is_command =
        |part: &Part| matches!(part, Part::Prose(text) if command_line(text).is_some());
    let is_step = |part: &Part| match part {
        Part::Code { info, text } => matches!(Step::read(info, text), Ok(Some(_))),
        _ => false,
    };
    let own = parts.iter().position(is_command);
    let step = parts.iter().position(is_step);
    if own.is_none_or(|own| step.is_some_and(|step| step < own)) {
        parts.insert(0, Part::Prose(format!("`{}`", first.command)));
    }
    let fixes = self::examples(&parts, faults);
    if own.is_none() && step.is_none() {
        faults.push("`Fix` has neither a block nor a command line".to_owned());
    }
    fixes
}

/// Finds a command line in backticks.
fn command_line(text: &str) -> Option<String> {
    let spans = text.split('`').skip(1).step_by(2);
    let mut commands = spans.filter(|span| {
        let mut words = span.split(' ').skip_while(|word| is_assignment(word));
        words.next() == Some("agentry") && words.next().is_some()
    });
    commands.next().map(str::to_owned)
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Checks the tests that an example without a command line names, by a block `test FILE`: each
/// must be there and speak of the rule.
fn check_tests(rule: &Rule, faults: &mut Vec<String>) {
    let mut has_one = false;
    for part in rule.section("Example") {
        let Part::Code { info, text } = part else {
            continue;
        };
        let Some(file) = info.strip_prefix("test ") else {
            continue;
        };
        let code = std::fs::read_to_string(workspace().join(file)).unwrap_or_default();
        for name in text.lines() {
            has_one = true;
            let start = format!("#[test]\nfn {name}() {{\n");
            let body = code
                .split_once(&start)
                .and_then(|(_, rest)| rest.split_once("\n}\n"));
            if !body.is_some_and(|(body, _)| body.contains(&format!("\"{}\"", rule.code))) {
                faults.push(format!("no test `{name}` in `{file}` speaks of the rule"));
            }
        }
    }
    if !has_one {
        faults.push("`Example` has neither a command line nor a test".to_owned());
    }
}

/// Finds the findings in an answer, wherever they stand.
fn findings(answer: &Value, is_wanted: impl Fn(&Value) -> bool + Copy) -> Vec<&Value> {
    let inside: Vec<&Value> = match answer {
        Value::Array(items) => items.iter().collect(),
        Value::Object(entries) => entries.values().collect(),
        _ => Vec::new(),
    };
    let is_finding = answer["code"].is_string() && answer["severity"].is_string();
    let own = (is_finding && is_wanted(answer)).then_some(answer);
    let below = inside.into_iter().flat_map(|it| findings(it, is_wanted));
    own.into_iter().chain(below).collect()
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
