//! The README's sessions are true: every `$ agentry …` in it is run, and its output compared.

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
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = workspace.join("README.md");
    let text = std::fs::read_to_string(&readme).expect("there is a README");
    let mut checked = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a block has an end");
        let Some((command, expected)) = block.split_once('\n') else {
            continue;
        };
        if let Some(arguments) = command.strip_prefix("$ agentry ") {
            let actual = run(&workspace, arguments);
            assert_eq!(actual.trim_end(), expected.trim_end(), "{command}");
            checked += 1;
        }
    }
    assert!(checked >= 4, "the README shows sessions");
}
