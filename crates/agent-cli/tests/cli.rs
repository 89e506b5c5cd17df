//! Runs the command over small trees and compares everything that it says.
//!
//! A file in `testdata/cli` is a session: lines `$ agentry …` with what each prints, lines
//! `# tree NAME` that choose a tree of `testdata/trees`, and lines `# repository PATH`, `# mkfifo
//! PATH`, `# link PATH TARGET`, `# move FROM TO` and `# env NAME VALUE` that add what cannot be
//! kept in git. `BLESS=1 cargo test -p agent-cli` writes the sessions anew; read the difference.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What stands in a session for the folder in which it runs.
const ROOT: &str = "[ROOT]";

/// The place in which a session runs.
struct Scene {
    folder: TempDir,
    env: Vec<(String, String)>,
}

#[test]
fn sessions() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut sessions: Vec<PathBuf> = fs::read_dir(testdata.join("cli"))
        .expect("sessions are there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    sessions.sort();
    assert!(!sessions.is_empty());
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for session in sessions {
        let expected = fs::read_to_string(&session).expect("a session is a text");
        let actual = play(&testdata, &expected);
        if actual != expected && bless {
            fs::write(&session, actual).expect("it can be written");
        } else if actual != expected {
            wrong.push(format!(
                "{}\n{}",
                session.display(),
                difference(&expected, &actual)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n(BLESS=1 accepts this)",
        wrong.join("\n")
    );
}

/// Runs the commands of a session and writes what they print.
fn play(testdata: &Path, session: &str) -> String {
    let mut scene = Scene::new();
    let mut out = String::new();
    for line in session.lines() {
        if let Some(command) = line.strip_prefix("$ agentry") {
            if !out.is_empty() && !out.ends_with("\n\n") {
                out.push('\n');
            }
            out.push_str(&format!("{line}\n{}", scene.run(command)));
        } else if let Some(step) = line.strip_prefix("# ") {
            if out
                .lines()
                .last()
                .is_some_and(|last| !last.starts_with('#'))
            {
                out.push('\n');
            }
            out.push_str(&format!("{line}\n"));
            scene.prepare(testdata, &words(step));
        }
    }
    out
}

impl Scene {
    fn new() -> Self {
        Scene {
            folder: TempDir::new().expect("a folder can be made"),
            env: Vec::new(),
        }
    }

    fn prepare(&mut self, testdata: &Path, step: &[String]) {
        let root = self.folder.path().to_owned();
        match step
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            ["tree", name] => {
                *self = Scene::new();
                copy(&testdata.join("trees").join(name), self.folder.path());
            }
            // As little as a repository needs for each harness to take it for one.
            ["repository", path] => {
                let git = root.join(path).join(".git");
                for folder in ["objects", "refs"] {
                    fs::create_dir_all(git.join(folder)).expect("a folder can be made");
                }
                fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("it can be written");
            }
            ["mkfifo", path] => {
                let made = Command::new("mkfifo").arg(root.join(path)).status();
                assert!(made.expect("mkfifo is there").success());
            }
            #[cfg(unix)]
            ["link", path, target] => {
                let folder = root.join(path).parent().map(fs::create_dir_all);
                folder
                    .expect("it lies in a folder")
                    .expect("it can be made");
                std::os::unix::fs::symlink(target, root.join(path)).expect("a link can be made");
            }
            ["move", from, to] => {
                fs::rename(root.join(from), root.join(to)).expect("it can be moved");
            }
            ["env", name, value] => self.env.push(((*name).to_owned(), (*value).to_owned())),
            // Anything else is a remark.
            _ => {}
        }
    }

    fn run(&self, command: &str) -> String {
        let (command, stdin) = match command.split_once(" < ") {
            Some((command, file)) => (command, Some(self.folder.path().join(file))),
            None => (command, None),
        };
        let root = self.folder.path().canonicalize().expect("it is there");
        let output = Command::new(env!("CARGO_BIN_EXE_agentry"))
            .args(words(command))
            .current_dir(&root)
            .env_clear()
            .env("HOME", root.join("home"))
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(match stdin {
                Some(path) => File::open(path).expect("the file is there").into(),
                None => Stdio::null(),
            })
            .output()
            .expect("the command runs");
        let mut out = shown(&output.stdout, &root);
        let stderr = shown(&output.stderr, &root);
        if !stderr.trim().is_empty() {
            out.push_str(&format!("--- stderr\n{}", stderr.trim_start_matches('\n')));
        }
        match output.status.code() {
            Some(0) => {}
            code => out.push_str(&format!("--- exit code {}\n", code.unwrap_or(-1))),
        }
        out
    }
}

/// Makes output independent of where and when it was made.
fn shown(output: &[u8], root: &Path) -> String {
    let text = String::from_utf8_lossy(output);
    assert!(!text.contains('\u{1b}'), "no styles outside a terminal");
    text.replace(root.to_str().expect("the root is UTF-8"), ROOT)
        .replace(env!("CARGO_PKG_VERSION"), "[VERSION]")
}

/// Splits a line into words; quotes hold a word together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the tree is there") {
        let entry = entry.expect("it can be listed");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("it has a kind").is_dir() {
            fs::create_dir_all(&target).expect("a folder can be made");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("it can be copied");
        }
    }
}

/// The first lines in which two texts differ, with what stands around them.
fn difference(expected: &str, actual: &str) -> String {
    let same = expected
        .lines()
        .zip(actual.lines())
        .take_while(|(a, b)| a == b)
        .count();
    let excerpt = |text: &str| {
        let lines = text.lines().skip(same.saturating_sub(3)).take(12);
        lines.map(|line| format!("  {line}\n")).collect::<String>()
    };
    format!(
        "line {}: expected\n{}got\n{}",
        same + 1,
        excerpt(expected),
        excerpt(actual)
    )
}
