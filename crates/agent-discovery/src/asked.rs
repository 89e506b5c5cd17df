//! Which paths a search asks for: what its answer depends on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::file_tree::{FileError, FileId, FileTree, Item, Kind, Stamp};

/// The paths that a search asks for.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Folders all of whose items count.
    pub(crate) listed: BTreeSet<PathBuf>,
    /// Paths outside of these folders.
    pub(crate) single: BTreeSet<PathBuf>,
    /// Links that were listed. What they lead to counts too.
    pub(crate) links: BTreeSet<PathBuf>,
}

/// A tree that notes what it is asked for.
pub(crate) struct AskedTree<'a> {
    tree: &'a dyn FileTree,
    asked: Mutex<Asked>,
}

impl<'a> AskedTree<'a> {
    pub(crate) fn new(tree: &'a dyn FileTree) -> Self {
        AskedTree {
            tree,
            asked: Mutex::default(),
        }
    }

    /// Returns everything that was asked for.
    pub(crate) fn into_asked(self) -> Asked {
        let asked = self.asked.into_inner();
        asked.unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, path: &Path) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_listed = path.parent().is_some_and(|it| asked.listed.contains(it));
        if !is_listed {
            asked.single.insert(path.to_owned());
        }
    }
}

impl FileTree for AskedTree<'_> {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        self.note(folder);
        let items = self.tree.list(folder)?;
        let links = items.iter().filter(|item| item.kind == Kind::Link);
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.listed.insert(folder.to_owned());
        let links = links.map(|item| folder.join(&item.name));
        asked.links.extend(links);
        Ok(items)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.note(path);
        self.tree.kind(path)
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.note(path);
        self.tree.own_kind(path)
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        self.note(path);
        self.tree.read(path, most)
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.note(path);
        self.tree.real_path(path)
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        self.note(path);
        self.tree.identity(path)
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        self.note(path);
        self.tree.stamp(path)
    }
}
