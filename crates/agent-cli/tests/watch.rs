//! `agentry list --watch`: started, told of changes, and ended.
#![cfg(feature = "watch")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// How long a line may take to come. Nothing waits so long that comes at all.
const LONGEST: Duration = Duration::from_secs(60);

/// The command while it runs; it is ended with the test.
struct Running {
    folder: TempDir,
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("home")).expect("makes a folder");
        fs::create_dir(folder.path().join("project")).expect("makes a folder");
        write(&folder.path().join("home/.claude/agents/own.md"), "own");
        let mut child = Command::new(env!("CARGO_BIN_EXE_agentry"))
            .args(["list", "--watch", "--project", "project", "--home", "home"])
            .args(arguments)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let out = lines(child.stdout.take().expect("it has one"));
        let err = lines(child.stderr.take().expect("it has one"));
        Running {
            folder,
            child,
            out,
            err,
        }
    }

    fn write(&self, path: &str, name: &str) {
        write(&self.folder.path().join(path), name);
    }
}

fn write(path: &Path, name: &str) {
    fs::create_dir_all(path.parent().expect("it has a folder")).expect("makes folders");
    let text = format!("---\nname: {name}\ndescription: Reads.\n---\nRead.\n");
    fs::write(path, text).expect("writes");
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Returns the first line with a text, and drops those before it.
fn wait_for(lines: &Receiver<String>, text: &str) -> String {
    let mut before = Vec::new();
    loop {
        match lines.recv_timeout(LONGEST) {
            Ok(line) if line.contains(text) => return line,
            Ok(line) => before.push(line),
            Err(error) => panic!("no line with `{text}` ({error}), but {before:#?}"),
        }
    }
}

#[test]
fn changes_are_told_to_people() {
    let running = Running::start(&["--dialect", "claude-code"]);
    wait_for(&running.out, "own");
    wait_for(&running.err, "watching");
    running.write("project/.claude/agents/own.md", "own");
    assert_eq!(
        wait_for(&running.out, "+ own"),
        "+ own  active  project/.claude/agents/own.md"
    );
    assert_eq!(
        wait_for(&running.out, "~ own"),
        "~ own  shadowed by project/.claude/agents/own.md, was active  \
         home/.claude/agents/own.md"
    );
    fs::remove_dir_all(running.folder.path().join("project/.claude")).expect("removes");
    assert_eq!(
        wait_for(&running.out, "- own"),
        "- own  gone, was active  project/.claude/agents/own.md"
    );
}

#[test]
fn skills_are_told_beside_agents() {
    let running = Running::start(&["--dialect", "claude-code"]);
    wait_for(&running.err, "watching");
    let path = "project/.claude/skills/review/SKILL.md";
    running.write(path, "review");
    assert_eq!(
        wait_for(&running.out, "+ skill"),
        format!("+ skill review  active  {path}")
    );
    let text = "---\nname: review\ndescription: Reads.\n---\nRead twice.\n";
    fs::write(running.folder.path().join(path), text).expect("writes");
    assert_eq!(
        wait_for(&running.out, "~ skill"),
        format!("~ skill review  other prompt  {path}")
    );
    fs::remove_dir_all(running.folder.path().join("project/.claude")).expect("removes");
    assert_eq!(
        wait_for(&running.out, "- skill"),
        format!("- skill review  gone, was active  {path}")
    );
}

#[test]
fn skills_are_told_to_programs() {
    let running = Running::start(&["--format", "json-lines", "--dialect", "claude-code"]);
    wait_for(&running.out, r#""kind":"watching""#);
    running.write("home/.claude/skills/review/SKILL.md", "review");
    assert_eq!(
        wait_for(&running.out, r#""kind":"skill""#),
        r#"{"schema":1,"kind":"skill","dialect":"claude-code","profile":"2.1.332","name":"review","#
            .to_owned()
            + r#""from":"home/.claude/skills/review/SKILL.md","level":"user","#
            + r#""before":null,"now":{"state":"active"}}"#
    );
}

#[test]
fn changes_are_told_to_programs() {
    let running = Running::start(&["--format", "json-lines"]);
    let first = wait_for(&running.out, r#""dialect":"claude-code""#);
    assert!(first.contains(r#""name":"own""#) && first.contains(r#""before":null"#));
    wait_for(&running.out, r#""kind":"watching""#);
    running.write("project/.agents/agents/a.md", "a");
    assert_eq!(
        wait_for(&running.out, r#""dialect":"openhands""#),
        r#"{"schema":1,"kind":"change","dialect":"openhands","profile":"1.58.2","name":"a","#
            .to_owned()
            + r#""from":"project/.agents/agents/a.md","level":"project","#
            + r#""before":null,"now":{"state":"active"}}"#
    );
    running.write("project/.agents/agents/a.md", "b");
    wait_for(&running.out, r#""now":null"#);
    wait_for(&running.out, r#""name":"b""#);
}

#[test]
fn a_watch_has_no_end_and_so_no_single_document() {
    let out = Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(["list", "--watch", "--format", "json"])
        .output()
        .expect("it starts");
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("--format json-lines"), "{said}");
}
