//! A tree that counts.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use agent_discovery::{FileError, FileId, FileTree, Item, Kind, Stamp};

/// A tree that knows which files were read.
pub(crate) struct Counting<T> {
    pub(crate) tree: T,
    read: Mutex<Vec<PathBuf>>,
}

impl<T> Counting<T> {
    pub(crate) fn new(tree: T) -> Self {
        let read = Mutex::default();
        Counting { tree, read }
    }

    /// The paths of the files that were read since the last call, in any order.
    pub(crate) fn read_paths(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.read.lock().expect("no panic before"))
    }

    /// Their names, sorted.
    pub(crate) fn read(&self) -> Vec<String> {
        let read = self.read_paths();
        let name = |path: &PathBuf| path.file_name().map(|it| it.to_string_lossy().into_owned());
        let mut names: Vec<String> = read.iter().filter_map(name).collect();
        names.sort();
        names
    }
}

impl<T: FileTree> FileTree for Counting<T> {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        self.tree.list(folder)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.kind(path)
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.own_kind(path)
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        let bytes = self.tree.read(path, most)?;
        let mut read = self.read.lock().expect("no panic before");
        read.push(path.to_owned());
        Ok(bytes)
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.tree.real_path(path)
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        self.tree.identity(path)
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        self.tree.stamp(path)
    }
}
