//! A tree with some of its files replaced in memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::file_tree::{FileError, FileId, FileTree, Item, Kind, Stamp};

/// A tree with some of its files replaced in memory: what the disk would hold after a change, or
/// what an editor has not saved yet.
///
/// A file is replaced under all its paths, since links are followed before it is looked up.
#[derive(Clone)]
pub struct OverlayTree<'a> {
    base: &'a dyn FileTree,
    /// By their paths without links.
    files: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl<'a> OverlayTree<'a> {
    /// Makes a tree in which nothing is replaced yet.
    #[must_use]
    pub fn new(base: &'a dyn FileTree) -> Self {
        OverlayTree {
            base,
            files: BTreeMap::new(),
        }
    }

    /// Replaces a regular file, links followed.
    ///
    /// # Errors
    /// If there is none.
    pub fn replace(&mut self, path: &Path, bytes: impl Into<Arc<[u8]>>) -> Result<(), FileError> {
        match self.base.kind(path)? {
            Kind::File => {
                let real = self.base.real_path(path)?;
                self.files.insert(real, bytes.into());
                Ok(())
            }
            other => Err(FileError::NotAFile(other)),
        }
    }

    /// Gives a file its own bytes back.
    pub fn restore(&mut self, path: &Path) {
        if let Ok(real) = self.base.real_path(path) {
            self.files.remove(&real);
        }
    }

    /// Lists the files that are replaced, by their paths without links.
    pub fn replaced(&self) -> impl Iterator<Item = (&Path, &Arc<[u8]>)> {
        self.files.iter().map(|(path, bytes)| (&**path, bytes))
    }

    fn replacement(&self, path: &Path) -> Option<&Arc<[u8]>> {
        if self.files.is_empty() {
            return None;
        }
        self.files.get(&self.base.real_path(path).ok()?)
    }
}

impl FileTree for OverlayTree<'_> {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        self.base.list(folder)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.base.kind(path)
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.base.own_kind(path)
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        match self.replacement(path) {
            None => self.base.read(path, most),
            Some(bytes) if bytes.len() > most => Err(FileError::TooLarge {
                bytes: bytes.len() as u64,
                most: most as u64,
            }),
            Some(bytes) => Ok(bytes.to_vec()),
        }
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.base.real_path(path)
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        self.base.identity(path)
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        match self.replacement(path) {
            None => self.base.stamp(path),
            Some(bytes) => Some(Stamp::Bytes(bytes.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryTree;

    #[test]
    fn a_file_is_replaced_under_all_its_paths() {
        let mut disk = MemoryTree::new();
        disk.write("/p/a.md", "old");
        disk.write("/p/b.md", "other");
        disk.link("/p/link.md", "a.md");
        disk.link("/q", "p");
        let mut tree = OverlayTree::new(&disk);
        tree.replace(Path::new("/q/link.md"), *b"newer")
            .expect("it is there");
        for path in ["/p/a.md", "/p/link.md", "/q/a.md"] {
            assert_eq!(tree.read(Path::new(path), 9), Ok(b"newer".to_vec()));
        }
        assert_eq!(tree.read(Path::new("/p/b.md"), 9), Ok(b"other".to_vec()));
        assert_eq!(
            tree.read(Path::new("/p/a.md"), 4),
            Err(FileError::TooLarge { bytes: 5, most: 4 })
        );
        let replaced: Vec<&Path> = tree.replaced().map(|(path, _)| path).collect();
        assert_eq!(replaced, [Path::new("/p/a.md")]);
        tree.restore(Path::new("/p/a.md"));
        assert_eq!(tree.read(Path::new("/p/link.md"), 9), Ok(b"old".to_vec()));
        assert_eq!(
            tree.replace(Path::new("/p"), *b""),
            Err(FileError::NotAFile(Kind::Folder))
        );
        assert_eq!(
            tree.replace(Path::new("/p/c.md"), *b""),
            Err(FileError::Missing)
        );
    }
}
