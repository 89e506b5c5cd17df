//! A tree of files in memory, for tests and editors.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::file_tree::{FileError, FileId, FileTree, Item, Kind, Stamp};

/// A tree of files in memory.
///
/// Relative paths begin at its root. What is put into the tree must not lie behind a link.
#[derive(Debug, Clone, Default)]
pub struct MemoryTree {
    nodes: BTreeMap<PathBuf, Node>,
    shuffle: Option<u64>,
}

#[derive(Debug, Clone)]
struct Node {
    content: Content,
    lock: Lock,
}

#[derive(Debug, Clone)]
enum Content {
    Folder,
    File(Arc<[u8]>),
    Link(PathBuf),
    Special(Kind),
    /// Listed as a file, but gone when it is read.
    Vanishing,
}

/// What the permissions of a node forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lock {
    Open,
    /// A folder can be listed, but nothing in it can be reached.
    NoEntry,
    /// A folder can neither be listed nor entered, a file not be read.
    Closed,
}

/// How many links are followed before they count as a circle.
const MOST_LINKS: usize = 40;

impl MemoryTree {
    /// Makes a tree with nothing but its root.
    #[must_use]
    pub fn new() -> Self {
        MemoryTree::default()
    }

    /// Lists folders in an order that depends on the seed, as a disk may.
    #[must_use]
    pub fn shuffled(mut self, seed: u64) -> Self {
        self.shuffle = Some(seed);
        self
    }

    /// Puts a file into the tree, with the folders that lead to it.
    pub fn write(&mut self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        self.put(path.as_ref(), Content::File(bytes.as_ref().into()));
    }

    /// Puts a folder into the tree, with those that lead to it.
    pub fn folder(&mut self, path: impl AsRef<Path>) {
        self.put(path.as_ref(), Content::Folder);
    }

    /// Puts a link into the tree. A relative target begins at the folder that holds the link.
    pub fn link(&mut self, path: impl AsRef<Path>, target: impl Into<PathBuf>) {
        self.put(path.as_ref(), Content::Link(target.into()));
    }

    /// Puts a pipe, socket or device into the tree.
    pub fn special(&mut self, path: impl AsRef<Path>, kind: Kind) {
        self.put(path.as_ref(), Content::Special(kind));
    }

    /// Puts a file into the tree that is listed, but gone when it is read.
    pub fn vanishing(&mut self, path: impl AsRef<Path>) {
        self.put(path.as_ref(), Content::Vanishing);
    }

    /// Forbids to read a file, or to list and enter a folder.
    pub fn lock(&mut self, path: impl AsRef<Path>) {
        self.set_lock(path.as_ref(), Lock::Closed);
    }

    /// Forbids to enter a folder, which can still be listed.
    pub fn lock_entry(&mut self, path: impl AsRef<Path>) {
        self.set_lock(path.as_ref(), Lock::NoEntry);
    }

    /// Takes what is at a path out of the tree, and everything below it.
    pub fn remove(&mut self, path: impl AsRef<Path>) {
        let at: PathBuf = parts(path.as_ref()).collect();
        self.nodes.retain(|path, _| !path.starts_with(&at));
    }

    fn put(&mut self, path: &Path, content: Content) {
        let mut at = PathBuf::new();
        let parts: Vec<OsString> = parts(path).collect();
        for part in &parts {
            at.push(part);
            self.nodes.entry(at.clone()).or_insert(Node {
                content: Content::Folder,
                lock: Lock::Open,
            });
        }
        if let Some(node) = self.nodes.get_mut(&at) {
            node.content = content;
        }
    }

    fn set_lock(&mut self, path: &Path, lock: Lock) {
        let at: PathBuf = parts(path).collect();
        if let Some(node) = self.nodes.get_mut(&at) {
            node.lock = lock;
        }
    }

    /// Walks to a node, through the links on the way and, if asked, the last one too.
    fn resolve(&self, path: &Path, last: LastLink) -> Result<PathBuf, FileError> {
        let mut ahead: VecDeque<OsString> = parts(path).collect();
        let mut at = PathBuf::new();
        let mut links = 0;
        while let Some(part) = ahead.pop_front() {
            self.enter(&at)?;
            if part == ".." {
                at.pop();
                continue;
            }
            let next = at.join(&part);
            match &self.nodes.get(&next).ok_or(FileError::Missing)?.content {
                Content::Link(target) if last == LastLink::Followed || !ahead.is_empty() => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(FileError::Circle);
                    }
                    if target.has_root() {
                        at = PathBuf::new();
                    }
                    for part in parts(target).collect::<Vec<_>>().into_iter().rev() {
                        ahead.push_front(part);
                    }
                }
                _ => at = next,
            }
        }
        Ok(at)
    }

    fn enter(&self, folder: &Path) -> Result<(), FileError> {
        match self.nodes.get(folder) {
            None => Ok(()),
            Some(node) if !matches!(node.content, Content::Folder) => Err(FileError::NotAFolder),
            Some(node) if node.lock != Lock::Open => Err(FileError::Denied),
            Some(_) => Ok(()),
        }
    }

    /// Finds a node by its real path; the root has none.
    fn kind_at(&self, real: &Path) -> Kind {
        self.nodes
            .get(real)
            .map_or(Kind::Folder, |node| match &node.content {
                Content::Folder => Kind::Folder,
                Content::File(_) | Content::Vanishing => Kind::File,
                Content::Link(_) => Kind::Link,
                Content::Special(kind) => *kind,
            })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastLink {
    Followed,
    Kept,
}

/// The names of a path; its root, drive and `.` parts say nothing here.
fn parts(path: &Path) -> impl Iterator<Item = OsString> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    })
}

impl FileTree for MemoryTree {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        let real = self.resolve(folder, LastLink::Followed)?;
        if let Some(node) = self.nodes.get(&real) {
            if !matches!(node.content, Content::Folder) {
                return Err(FileError::NotAFolder);
            }
            if node.lock == Lock::Closed {
                return Err(FileError::Denied);
            }
        }
        let below = self.nodes.range(real.clone()..);
        let inside = below
            .take_while(|(path, _)| path.starts_with(&real))
            .filter(|(path, _)| path.parent() == Some(&real));
        let mut items: Vec<Item> = inside
            .filter_map(|(path, _)| {
                Some(Item {
                    name: path.file_name()?.to_owned(),
                    kind: self.kind_at(path),
                })
            })
            .collect();
        if let Some(seed) = self.shuffle {
            items.sort_by_key(|item| {
                let mut hasher = DefaultHasher::new();
                (seed, &item.name).hash(&mut hasher);
                hasher.finish()
            });
        }
        Ok(items)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        Ok(self.kind_at(&self.resolve(path, LastLink::Followed)?))
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        Ok(self.kind_at(&self.resolve(path, LastLink::Kept)?))
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        let real = self.resolve(path, LastLink::Followed)?;
        let Some(node) = self.nodes.get(&real) else {
            return Err(FileError::NotAFile(Kind::Folder));
        };
        match &node.content {
            Content::Vanishing => Err(FileError::Missing),
            Content::Special(Kind::NullDevice) => Ok(Vec::new()),
            Content::File(_) if node.lock == Lock::Closed => Err(FileError::Denied),
            Content::File(bytes) if bytes.len() > most => Err(FileError::TooLarge {
                bytes: bytes.len() as u64,
                most: most as u64,
            }),
            Content::File(bytes) => Ok(bytes.to_vec()),
            _ => Err(FileError::NotAFile(self.kind_at(&real))),
        }
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        let real = self.resolve(path, LastLink::Followed)?;
        Ok(Path::new("/").join(real))
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        let is_file = self.own_kind(path) == Ok(Kind::File);
        let real = self.real_path(path).ok();
        real.filter(|_| is_file).map(FileId::Path)
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        let node = self
            .nodes
            .get(&self.resolve(path, LastLink::Followed).ok()?)?;
        match &node.content {
            Content::File(bytes) if node.lock != Lock::Closed => Some(Stamp::Bytes(bytes.clone())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_on_as_on_a_disk() {
        let mut tree = MemoryTree::new();
        tree.write("/a/b/file", "text");
        tree.link("/a/near", "b/file");
        tree.link("/a/up", "../a/b");
        tree.link("/far", "/a/up/file");
        tree.link("/broken", "nowhere");
        tree.link("/one", "two");
        tree.link("/two", "one");
        for path in ["/a/near", "a/up/file", "/far", "./a/b/../up/file"] {
            assert_eq!(
                tree.read(Path::new(path), 9),
                Ok(b"text".to_vec()),
                "{path}"
            );
            assert_eq!(
                tree.real_path(Path::new(path)),
                Ok(PathBuf::from("/a/b/file"))
            );
        }
        assert_eq!(tree.kind(Path::new("/a/up")), Ok(Kind::Folder));
        assert_eq!(tree.own_kind(Path::new("/a/up")), Ok(Kind::Link));
        assert_eq!(tree.kind(Path::new("/broken")), Err(FileError::Missing));
        assert_eq!(tree.kind(Path::new("/one")), Err(FileError::Circle));
        assert_eq!(tree.kind(Path::new("/far/x")), Err(FileError::NotAFolder));
    }

    #[test]
    fn locks_forbid_as_permissions_do() {
        let mut tree = MemoryTree::new();
        tree.write("/a/file", "text");
        tree.lock_entry("/a");
        assert_eq!(tree.list(Path::new("/a")).map(|items| items.len()), Ok(1));
        assert_eq!(tree.kind(Path::new("/a/file")), Err(FileError::Denied));
        tree.lock("/a");
        assert_eq!(tree.list(Path::new("/a")), Err(FileError::Denied));
        assert_eq!(tree.kind(Path::new("/a")), Ok(Kind::Folder));
    }
}
