//! The sessions of the READMEs are true: every `$ agentry …` in them is run, and its output compared.
//!
//! With `BLESS=1` the output takes the place of what stands there; read the difference.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a command line in the workspace and returns what a person would see.
fn run(workspace: &Path, arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(arguments.split_whitespace())
        .current_dir(workspace)
        .env("HOME", workspace)
        .output()
        .expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn sessions_are_true() {
    assert!(compare("README.md") >= 4, "the README shows sessions");
}

#[test]
fn sessions_of_the_package_are_true() {
    assert_eq!(compare("crates/agent-cli/README.md"), 1);
}

/// Runs the sessions of a document of the workspace, and returns how many there are.
fn compare(document: &str) -> usize {
    const OPENING: &str = "```console\n";
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = workspace.join(document);
    let text = std::fs::read_to_string(&readme).expect("there is a README");
    let mut sessions = 0;
    let mut blocks = text.split(OPENING);
    let mut actual = blocks.next().unwrap_or_default().to_owned();
    for block in blocks {
        actual.push_str(OPENING);
        let (session, rest) = block.split_once("```").expect("a block has an end");
        let arguments = session
            .lines()
            .next()
            .and_then(|command| command.strip_prefix("$ agentry "));
        match arguments {
            Some(arguments) => {
                let output = run(&workspace, arguments);
                actual.push_str(&format!("$ agentry {arguments}\n{}\n", output.trim_end()));
                sessions += 1;
            }
            None => actual.push_str(session),
        }
        actual.push_str("```");
        actual.push_str(rest);
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&readme, &actual).expect("the README can be written");
    } else {
        assert_eq!(actual, text, "run with BLESS=1 and read the difference");
    }
    sessions
}
