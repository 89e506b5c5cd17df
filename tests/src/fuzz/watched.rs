//! A tree that notes what is looked at.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use agent_discovery::{FileError, FileId, FileTree, Item, Kind};

/// A tree that notes the real paths of what is read and listed.
pub struct WatchedTree<T> {
    tree: T,
    seen: Mutex<Vec<PathBuf>>,
}

impl<T: FileTree> WatchedTree<T> {
    /// Watches a tree.
    pub fn new(tree: T) -> Self {
        WatchedTree {
            tree,
            seen: Mutex::default(),
        }
    }

    /// Returns the real paths of what was read and listed, sorted.
    pub fn seen(&self) -> Vec<PathBuf> {
        let mut seen = match self.seen.lock() {
            Ok(seen) => seen.clone(),
            Err(poisoned) => poisoned.into_inner().clone(),
        };
        seen.sort();
        seen.dedup();
        seen
    }

    fn note(&self, path: &Path) {
        if let (Ok(real), Ok(mut seen)) = (self.tree.real_path(path), self.seen.lock()) {
            seen.push(real);
        }
    }
}

impl<T: FileTree> FileTree for WatchedTree<T> {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        self.note(folder);
        self.tree.list(folder)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.kind(path)
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.own_kind(path)
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        self.note(path);
        self.tree.read(path, most)
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.tree.real_path(path)
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        self.tree.identity(path)
    }
}
