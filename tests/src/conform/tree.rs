//! The trees of cases, laid out afresh for each run.
//!
//! A case is copied to a new folder, so that a run can change it. What a stored tree cannot hold
//! is described in the case's `setup`. Permissions and pipes are laid out in memory instead of
//! on the disk: permissions do not bind every user, and a pipe must not be there to be opened.

use std::fs;
use std::path::{Path, PathBuf};

use agent_discovery::{DiskTree, FileTree, Kind, MemoryTree};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::CaseError;

/// Returns the steps of a case's setup. Some formats list them, others sort them by kind.
pub(super) fn setup(case: &Value) -> Vec<Value> {
    let sorted = match case.get("setup") {
        Some(Value::Array(steps)) => return steps.clone(),
        Some(Value::Object(sorted)) => sorted,
        _ => return Vec::new(),
    };
    let of_kind = |kind: &str| sorted.get(kind).and_then(Value::as_array).cloned();
    let folders = of_kind("mkdir").unwrap_or_default().into_iter();
    let files = of_kind("write").unwrap_or_default().into_iter();
    folders
        .map(|path| json!({ "op": "mkdir", "path": path }))
        .chain(files.map(
            |file| json!({ "op": "write", "path": file.get("path"), "text": file.get("content") }),
        ))
        .collect()
}

/// A tree that a case runs on.
pub(super) struct CaseTree {
    root: PathBuf,
    tree: Box<dyn FileTree>,
    /// Removes the copy when it is dropped.
    _copy: TempDir,
}

impl CaseTree {
    /// Lays a tree out: a copy of a folder, if there is one, with `project` and `home` in it,
    /// and what the setup adds.
    pub(super) fn lay_out(stored: Option<&Path>, setup: &[Value]) -> Result<Self, CaseError> {
        let copy = TempDir::new().map_err(|source| CaseError::Read {
            path: std::env::temp_dir(),
            source,
        })?;
        // The real path, so that a temporary folder behind a link does not matter.
        let root = fs::canonicalize(copy.path()).map_err(failed(copy.path()))?;
        if let Some(stored) = stored {
            let links = stored.to_string_lossy().contains("link");
            copy_tree(stored, &root, links)?;
        }
        for folder in ["project", "home"] {
            if fs::symlink_metadata(root.join(folder)).is_err() {
                fs::create_dir(root.join(folder)).map_err(failed(&root))?;
            }
        }
        let in_memory = |step: &&Value| matches!(text(step, "op"), "chmod" | "mkfifo");
        for step in setup.iter().filter(|step| !in_memory(step)) {
            apply(step, &root)?;
        }
        let rest: Vec<&Value> = setup.iter().filter(in_memory).collect();
        let tree: Box<dyn FileTree> = if rest.is_empty() {
            Box::new(DiskTree)
        } else {
            let mut memory = MemoryTree::new();
            load(&root, &mut memory)?;
            for step in rest {
                let path = root.join(text(step, "path"));
                match text(step, "op") {
                    "mkfifo" => memory.special(path, Kind::Pipe),
                    _ => memory.lock(path),
                }
            }
            Box::new(memory)
        };
        Ok(CaseTree {
            root,
            tree,
            _copy: copy,
        })
    }

    pub(super) fn tree(&self) -> &dyn FileTree {
        self.tree.as_ref()
    }

    /// Returns the path of something in the tree.
    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Adds a file that could not be written before the paths of the tree were known.
    pub(super) fn write(&self, relative: &str, content: &str) -> Result<(), CaseError> {
        let path = self.path(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed(parent))?;
        }
        fs::write(&path, content).map_err(failed(&path))
    }

    /// Returns a path as the case writes it: relative to the tree.
    pub(super) fn relative(&self, path: &str) -> String {
        let root = self.root.to_string_lossy();
        path.strip_prefix(root.as_ref())
            .map_or(path, |rest| rest.trim_start_matches('/'))
            .to_owned()
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> CaseError {
    move |source| CaseError::Read {
        path: path.to_owned(),
        source,
    }
}

fn apply(step: &Value, root: &Path) -> Result<(), CaseError> {
    let path = root.join(text(step, "path"));
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed(parent))?;
    }
    match text(step, "op") {
        "mkdir" => fs::create_dir_all(&path),
        "write" => fs::write(&path, text(step, "text")),
        "symlink" => {
            // The stored tree may hold the link already, as itself or as a file.
            let stored = fs::symlink_metadata(&path).is_ok();
            let cleared = if stored {
                fs::remove_file(&path)
            } else {
                Ok(())
            };
            cleared.and_then(|()| link(Path::new(text(step, "target")), &path))
        }
        other => Err(std::io::Error::other(format!(
            "the setup operation `{other}` is not known"
        ))),
    }
    .map_err(failed(&path))
}

fn copy_tree(from: &Path, to: &Path, restore_links: bool) -> Result<(), CaseError> {
    for path in super::list(from)? {
        let target = to.join(path.file_name().unwrap_or_default());
        let metadata = fs::symlink_metadata(&path).map_err(failed(&path))?;
        if metadata.is_symlink() {
            let leads_to = fs::read_link(&path).map_err(failed(&path))?;
            link(&leads_to, &target).map_err(failed(&path))?;
        } else if metadata.is_dir() {
            fs::create_dir(&target).map_err(failed(&target))?;
            copy_tree(&path, &target, restore_links)?;
        } else {
            let bytes = super::read(&path)?;
            match stored_link(&bytes).filter(|link| restore_links || link.starts_with("../")) {
                Some(leads_to) => link(Path::new(leads_to), &target).map_err(failed(&path))?,
                None => fs::write(&target, bytes).map_err(failed(&target))?,
            }
        }
    }
    Ok(())
}

/// Where links are not supported, git stores one as a file that holds its target. Only cases
/// about links are looked at for such files, unless the target cannot be anything else.
fn stored_link(bytes: &[u8]) -> Option<&str> {
    const LONGEST: usize = 200;
    let text = std::str::from_utf8(bytes).ok()?;
    let path_like = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-');
    (!text.is_empty() && text.len() < LONGEST && text.chars().all(path_like)).then_some(text)
}

#[cfg(unix)]
fn link(leads_to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(leads_to, at)
}

#[cfg(not(unix))]
fn link(_leads_to: &Path, _at: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("links need a Unix system here"))
}

/// Loads a folder into memory, under its own path.
fn load(dir: &Path, memory: &mut MemoryTree) -> Result<(), CaseError> {
    memory.folder(dir);
    for path in super::list(dir)? {
        let metadata = fs::symlink_metadata(&path).map_err(failed(&path))?;
        if metadata.is_symlink() {
            memory.link(&path, fs::read_link(&path).map_err(failed(&path))?);
        } else if metadata.is_dir() {
            load(&path, memory)?;
        } else {
            memory.write(&path, super::read(&path)?);
        }
    }
    Ok(())
}
