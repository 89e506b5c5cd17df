//! Which folder git takes for the root of a repository.

use std::path::{Path, PathBuf};

use crate::file_tree::{FileTree, Kind};

/// The most bytes that are read of a small file of git's own.
const MOST_BYTES: usize = 1 << 16;

/// Finds the root of the repository around a folder, links on the way followed.
#[must_use]
pub fn repository_root(tree: &dyn FileTree, from: &Path) -> Option<PathBuf> {
    accepted_root(tree, &tree.real_path(from).ok()?)
}

/// Finds the root of the repository around a folder as git does: a `.git` folder that is none is
/// passed over, and a `.git` file that leads nowhere ends the search.
///
/// Source of rule: `is_git_directory` and `read_gitfile` of git's `setup.c`; cases
/// `broken-git-dir-walks-up` and `linked-worktree-git-file-stops-walk` of OpenCode.
pub(crate) fn accepted_root(tree: &dyn FileTree, from: &Path) -> Option<PathBuf> {
    for folder in from.ancestors() {
        let entry = folder.join(".git");
        match tree.kind(&entry) {
            Ok(Kind::Folder) if is_git_folder(tree, &entry) => return Some(folder.to_owned()),
            Ok(Kind::File) => {
                let target = linked_folder(tree, &entry)?;
                return is_git_folder(tree, &target).then(|| folder.to_owned());
            }
            _ => {}
        }
    }
    None
}

/// Returns the folder that a `.git` file names.
fn linked_folder(tree: &dyn FileTree, file: &Path) -> Option<PathBuf> {
    let text = read_text(tree, file)?;
    let target = text.strip_prefix("gitdir:")?.trim();
    Some(file.parent()?.join(target))
}

/// Returns whether a folder has what git wants of its own: a head, objects and references. A
/// linked worktree shares the last two.
fn is_git_folder(tree: &dyn FileTree, folder: &Path) -> bool {
    let head = read_text(tree, &folder.join("HEAD"));
    let head_is_valid = head.is_some_and(|head| {
        let head = head.trim();
        let is_hash = head.len() >= 40 && head.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash
            || head
                .strip_prefix("ref:")
                .is_some_and(|name| name.trim().starts_with("refs/"))
    });
    let shared = match read_text(tree, &folder.join("commondir")) {
        Some(shared) => folder.join(shared.trim()),
        None => folder.to_owned(),
    };
    let is_folder = |name: &str| tree.kind(&shared.join(name)) == Ok(Kind::Folder);
    head_is_valid && is_folder("objects") && is_folder("refs")
}

fn read_text(tree: &dyn FileTree, path: &Path) -> Option<String> {
    String::from_utf8(tree.read(path, MOST_BYTES).ok()?).ok()
}
