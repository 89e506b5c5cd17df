//! What is printed of hostile files can neither steer a terminal nor turn the text around it.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Escape sequences in both forms, directions, line ends that are none, and a tag.
const ODD: &str = "\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{2028}\u{85}\u{200b}\u{e0041}\u{7f}";

/// Whether a character may reach a terminal.
fn is_harmless(c: char) -> bool {
    let is_direction = matches!(
        c,
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    let breaks_lines = matches!(c, '\u{2028}' | '\u{2029}');
    c == '\n' || c == '\t' || !(c.is_control() || is_direction || breaks_lines)
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("it can be made");
    fs::write(path, text).expect("it can be written");
}

/// A project in which names, keys and values of all kinds are odd.
fn project() -> TempDir {
    let folder = TempDir::new().expect("a folder can be made");
    let at = folder.path();
    fs::create_dir(at.join("home")).expect("it can be made");
    let quoted = ODD.replace('\u{1b}', "\\e").replace('\u{7f}', "\\x7f");
    for place in [
        ".claude/agents",
        ".opencode/agents",
        ".agents/agents",
        ".pi/agents",
    ] {
        let agent = format!(
            "---\nname: \"x{quoted}\"\ndescription: \"{quoted}\"\ntools: [\"{quoted}\"]\n\"{quoted}\": 1\n\
             model: \"{quoted}\"\nskills: [\"{quoted}\"]\n---\n{ODD}\n"
        );
        write(at, &format!("{place}/{ODD}.md"), &agent);
        write(at, &format!("{place}/same.md"), &agent);
        write(
            at,
            &format!("{place}/raw.md"),
            &format!("---\nname: {ODD}\n{ODD}: {ODD}\n---\n{ODD}\n"),
        );
        write(at, &format!("{place}/{ODD}/in.md"), &agent);
    }
    let skill = format!("---\nname: \"{quoted}\"\ndescription: \"{quoted}\"\n---\n{ODD}\n");
    for place in [
        ".claude/skills",
        ".agents/skills",
        ".opencode/skills",
        ".pi/skills",
    ] {
        write(at, &format!("{place}/{ODD}/SKILL.md"), &skill);
    }
    write(
        at,
        "opencode.json",
        &format!("{{\"agent\": {{\"{ODD}\": {{\"mode\": \"{ODD}\"}}}}}}"),
    );
    write(at, ".pi/settings.json", "{\"skills\": [\"/\\u001b[2J\"]}");
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(arguments)
        .current_dir(folder.path())
        .env_clear()
        .env("HOME", folder.path().join("home"))
        .output()
        .expect("the command runs")
}

#[test]
fn no_answer_steers_a_terminal() {
    let folder = project();
    let quoted = format!(".claude/agents/{ODD}.md");
    let raw = ".claude/agents/raw.md";
    let name = format!("x{ODD}");
    let commands: &[&[&str]] = &[
        &["list"],
        &["list", "--all"],
        &["list", "--format", "json"],
        &["check", "--all"],
        &["check", "--all", "--format", "json"],
        &["check", "--all", "--format", "json-lines"],
        &["check", "--all", "--format", "concise"],
        &["check", "--all", "--format", "github"],
        &["check", "--all", "--format", "sarif"],
        &["parse", &quoted, "--dialect", "claude-code"],
        &[
            "parse",
            &quoted,
            "--dialect",
            "claude-code",
            "--format",
            "json",
        ],
        &["parse", raw, "--dialect", "opencode"],
        &["show", &name, "--dialect", "claude-code"],
        &["show", &name, "--dialect", "opencode"],
        &[
            "show",
            &name,
            "--dialect",
            "claude-code",
            "--format",
            "json",
        ],
        &["explain", &name],
        &["explain", "nobody", "--format", "json"],
        &["explain", ODD],
        &["skills", "--dialect", "claude-code"],
        &["skills", "--dialect", "claude-code", "--format", "json"],
        &["team", "--dialect", "claude-code"],
    ];
    for arguments in commands {
        let output = run(&folder, arguments);
        assert!(
            output.status.code().is_some_and(|code| code < 100),
            "{arguments:?}"
        );
        for bytes in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(bytes);
            let line = text.lines().find(|line| !line.chars().all(is_harmless));
            assert_eq!(line, None, "{arguments:?}");
        }
    }
}
