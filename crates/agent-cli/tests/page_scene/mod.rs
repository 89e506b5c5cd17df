//! The place in which an example of a page runs: a project and a home, made of the page's blocks.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A project, in which the command runs, and a home beside it.
pub(crate) struct Scene {
    folder: TempDir,
    /// Whether something was forbidden that this user may do all the same.
    above_rights: bool,
}

/// What a block adds to a scene. A path that begins with `home/` leads into the home, any other
/// into the project.
#[derive(Debug)]
pub(crate) struct Step {
    path: PathBuf,
    kind: Kind,
    mode: Option<u32>,
}

#[derive(Debug)]
enum Kind {
    File(Vec<u8>),
    Link(String),
    Pipe,
    Folder,
    Gone,
}

impl Step {
    /// Reads the line behind the fence: a language or kind, a path, attributes. A block without a
    /// path adds nothing.
    pub(crate) fn read(info: &str, text: &str) -> Result<Option<Self>, String> {
        let mut words = info.split(' ').filter(|word| !word.starts_with("mode="));
        let kind = words.next().unwrap_or_default();
        let Some(path) = words.next() else {
            return Ok(None);
        };
        let mut bytes = text.as_bytes().to_vec();
        let kind = match kind {
            "test" => return Ok(None),
            "link" => Kind::Link(repeated(text.trim_end())),
            "pipe" => Kind::Pipe,
            "folder" => Kind::Folder,
            "gone" => Kind::Gone,
            "bytes" => Kind::File(unescaped(text)?),
            _ => {
                for attribute in words.by_ref() {
                    bytes = changed(bytes, attribute)
                        .ok_or_else(|| format!("`{info}` has an unknown attribute"))?;
                }
                Kind::File(bytes)
            }
        };
        if words.next().is_some() {
            return Err(format!("`{info}` has an unknown attribute"));
        }
        let mode = info.split(' ').find_map(|word| word.strip_prefix("mode="));
        let mode = mode.map(|mode| u32::from_str_radix(mode, 8));
        let mode = mode
            .transpose()
            .map_err(|error| format!("`{info}`: {error}"))?;
        let path = PathBuf::from(path);
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if !path.components().all(is_plain) {
            return Err(format!("`{info}` leads out of the example"));
        }
        Ok(Some(Step { path, kind, mode }))
    }
}

/// Changes the bytes of a file as an attribute says: `size=N` fills it up with full stops,
/// `repeat` writes each `{text*N}` as N times the text, `crlf` changes the ends of lines, and
/// `no-newline` takes the last one off.
fn changed(mut bytes: Vec<u8>, attribute: &str) -> Option<Vec<u8>> {
    match attribute.split_once('=') {
        Some(("size", size)) => {
            bytes.resize(size.parse().ok()?, b'.');
            Some(bytes)
        }
        None if attribute == "no-newline" => bytes.pop().map(|_| bytes),
        None if attribute == "crlf" => {
            let text = String::from_utf8(bytes).ok()?;
            Some(text.replace('\n', "\r\n").into_bytes())
        }
        None if attribute == "repeat" => {
            let text = String::from_utf8(bytes).ok()?;
            Some(repeated(&text).into_bytes())
        }
        _ => None,
    }
}

/// Writes each `{text*N}` as N times the text.
fn repeated(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('{').enumerate() {
        let times = part.split_once('}').and_then(|(inside, rest)| {
            let (what, count) = inside.rsplit_once('*')?;
            Some((what.repeat(count.parse().ok()?), rest))
        });
        match times {
            Some((inside, rest)) => out.extend([inside.as_str(), rest]),
            None if index == 0 => out.push_str(part),
            None => out.extend(["{", part]),
        }
    }
    out
}

/// Reads `\xff` as one byte; other text stands for itself.
fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        let byte = u8::from_str_radix(digits, 16);
        bytes.push(byte.map_err(|_| format!("`\\x{part}` is no byte"))?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    Ok(bytes)
}

impl Scene {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a folder can be made");
        for name in ["project", "home"] {
            fs::create_dir(folder.path().join(name)).expect("a folder can be made");
        }
        Scene {
            folder,
            above_rights: false,
        }
    }

    /// Adds what a block says, in place of what was there.
    pub(crate) fn take(&mut self, step: &Step) -> Result<(), String> {
        let root = self.folder.path();
        let path = match step.path.starts_with("home") {
            true => root.join(&step.path),
            false => root.join("project").join(&step.path),
        };
        let done = if matches!(step.kind, Kind::Gone) {
            remove(&path)
        } else {
            // What was there may be of another kind; a folder stays with what is in it.
            let _ = fs::remove_file(&path);
            make(&path, &step.kind)
        };
        let done = done.and_then(|()| match step.mode {
            Some(mode) => self.set_mode(&path, mode),
            None => Ok(()),
        });
        done.map_err(|error| format!("`{}`: {error}", step.path.display()))
    }

    fn set_mode(&mut self, path: &Path, mode: u32) -> std::io::Result<()> {
        fs::set_permissions(path, Permissions::from_mode(mode))?;
        let may_read = match path.is_dir() {
            true => fs::read_dir(path).is_ok(),
            false => fs::read(path).is_ok(),
        };
        self.above_rights |= mode == 0 && may_read;
        Ok(())
    }

    /// Returns whether this user may do what the example wants to be forbidden, as root may.
    pub(crate) fn is_above_rights(&self) -> bool {
        self.above_rights
    }

    /// Runs a command line such as `NAME=value agentry check` and reads the answer.
    pub(crate) fn run(&self, line: &str) -> Result<Value, String> {
        let root = self.folder.path().canonicalize().expect("it is there");
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentry"));
        command
            .current_dir(root.join("project"))
            .env_clear()
            .env("HOME", root.join("home"))
            .stdin(Stdio::null());
        let mut before = true;
        for word in words(line) {
            match word.split_once('=') {
                Some((name, value)) if before => {
                    command.env(name, value);
                }
                _ if before => before = false,
                _ => {
                    command.arg(word);
                }
            }
        }
        let output = command
            .args(["--format", "json"])
            .output()
            .expect("the command runs");
        serde_json::from_slice(&output.stdout).map_err(|_| {
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            format!("`{line}` gives no answer: {stderr}")
        })
    }
}

fn make(path: &Path, kind: &Kind) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match kind {
        Kind::File(bytes) => fs::write(path, bytes),
        Kind::Folder => fs::create_dir_all(path),
        Kind::Link(target) => std::os::unix::fs::symlink(target, path),
        Kind::Pipe => match Command::new("mkfifo").arg(path).status()?.success() {
            true => Ok(()),
            false => Err(std::io::Error::other("no pipe can be made")),
        },
        Kind::Gone => Ok(()),
    }
}

fn remove(path: &Path) -> std::io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

/// Splits a line into words; single quotes hold a word together.
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
