//! The example runs, and prints what it is said to print.

use std::path::Path;
use std::process::Command;

#[test]
fn the_example_runs_as_it_is_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_example-harness"))
        .arg(folder.join("project"))
        .output()
        .expect("it runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let expected = std::fs::read_to_string(folder.join("expected.txt")).expect("it is there");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn the_example_stays_short() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs");
    let source = std::fs::read_to_string(source).expect("it is there");
    assert!(source.lines().count() < 200);
}
