//! Converts the files of `crates/agent-factory/testdata/convert` and compares everything that comes of it.
//!
//! A case is a folder with the file of the source and `case.txt`. Its first lines tell what is
//! done (`from: claude-code`, `to: pi:mjakl-3.0.1`, `insist: yes`, `model: sonnet=inherit`); what follows a line of equal
//! signs is what came of it. `BLESS=1 cargo test -p agentry-tests --test convert_cases` writes that
//! part anew; read the difference.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use agent_factory::{Conversion, ConvertOptions, Reader, convert, open};
use agent_schema::{File, LineIndex, Span, dialects};

const LINE: &str = "\n====\n";

#[test]
fn cases() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/agent-factory/testdata/convert");
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .expect("cases are there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    cases.sort();
    assert!(cases.len() > 10);
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for case in cases {
        let path = case.join("case.txt");
        let text = fs::read_to_string(&path).expect("a case says what is done");
        let (question, expected) = text.split_once(LINE).unwrap_or((text.trim_end(), ""));
        let actual = answer(question, &case);
        if actual == expected {
            continue;
        }
        match bless {
            true => {
                fs::write(&path, format!("{question}{LINE}{actual}")).expect("it can be written")
            }
            false => wrong.push(format!("{}\n{actual}", case.display())),
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n(BLESS=1 accepts this)",
        wrong.join("\n")
    );
}

/// The value of a line `key: value`.
fn said<'q>(question: &'q str, key: &str) -> Option<&'q str> {
    all_said(question, key).next()
}

/// The values of all such lines.
fn all_said<'q>(question: &'q str, key: &str) -> impl Iterator<Item = &'q str> {
    let lines = question.lines();
    lines.filter_map(move |line| line.strip_prefix(key)?.strip_prefix(": "))
}

fn reader(text: &str) -> Reader {
    let (dialect, version) = text.split_once(':').unwrap_or((text, ""));
    let dialect = dialects::find(dialect).expect("it is known");
    match version {
        "" => Reader::newest(dialect),
        version => Reader {
            dialect,
            profile: dialect.profile(version).expect("it is known"),
        },
    }
}

fn answer(question: &str, case: &Path) -> String {
    let from = reader(said(question, "from").expect("it says from where"));
    let to = reader(said(question, "to").expect("it says where to"));
    let insist = said(question, "insist") == Some("yes");
    let models: Vec<(String, String)> = all_said(question, "model")
        .filter_map(|pair| pair.split_once('='))
        .map(|(from, to)| (from.to_owned(), to.to_owned()))
        .collect();
    let mut files: Vec<PathBuf> = fs::read_dir(case)
        .expect("it can be listed")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.is_file() && !path.ends_with("case.txt"))
        .collect();
    files.sort();
    let mut out = String::new();
    for path in files {
        let bytes = fs::read(&path).expect("it can be read");
        let name = path.file_name().expect("it has a name").to_string_lossy();
        let file = File {
            name: &name,
            bytes: &bytes,
        };
        let beside = |inside: &str| fs::read_to_string(case.join(inside)).ok();
        let agents = open(file, None, from, &beside).expect("it can be opened");
        for agent in &agents {
            let how = ConvertOptions::default()
                .allow_widening(insist)
                .models(&models);
            tell(&convert(agent, to, how), &bytes, &mut out);
        }
    }
    out
}

/// Writes down everything that a conversion gave.
fn tell(made: &Conversion, bytes: &[u8], out: &mut String) {
    let lines = LineIndex::new(bytes);
    let at = |span: Option<Span>| match span {
        Some(span) => format!("{}", lines.line_column(bytes, span.start)),
        None => "-".to_owned(),
    };
    let mut line = |text: String| writeln!(out, "{text}").expect("a text takes all");
    line(format!("{}: {}", made.name, made.verdict.as_str()));
    if let Some(refusal) = &made.refusal {
        line(format!(
            "refused at {}: {}",
            at(refusal.span),
            refusal.message
        ));
    }
    for loss in &made.losses {
        let widens = if loss.widens { " WIDER" } else { "" };
        line(format!(
            "lost {} {} {}{widens}: {}",
            at(loss.span),
            loss.field,
            loss.severity,
            loss.message
        ));
    }
    for change in &made.changes {
        line(format!(
            "changed {} {}: {}",
            at(change.span),
            change.field,
            change.message
        ));
    }
    for file in &made.files {
        line(format!("--> {}\n{}", file.path, file.text));
    }
}
