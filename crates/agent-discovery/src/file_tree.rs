//! What the search asks of the outside world.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// A tree of files, on the disk or made up.
///
/// Paths may be relative; the disk takes them from the working folder. No answer may block: a
/// pipe, socket or device is named by its kind and never opened.
pub trait FileTree: Send + Sync {
    /// Lists a folder, in any order. A link to a folder is followed.
    ///
    /// # Errors
    /// If there is no folder at the path, or it cannot be listed.
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError>;

    /// Tells what is at a path, links followed to their end. Never gives [`Kind::Link`].
    ///
    /// # Errors
    /// If nothing is there, a link leads nowhere, or the folders on the way may not be entered.
    fn kind(&self, path: &Path) -> Result<Kind, FileError>;

    /// Tells what is at a path itself, a link not followed.
    ///
    /// # Errors
    /// As [`FileTree::kind`].
    fn own_kind(&self, path: &Path) -> Result<Kind, FileError>;

    /// Reads a regular file, links followed, of at most so many bytes.
    ///
    /// A device that holds nothing reads as an empty file, without being opened.
    ///
    /// # Errors
    /// If there is no regular file, it is larger, or it cannot be read.
    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError>;

    /// Reads a file that its folder lists as a regular one, as [`FileTree::read`] does, and tells
    /// its [`FileTree::identity`].
    ///
    /// What it is need not be asked once more before it is opened, only after that.
    ///
    /// # Errors
    /// As [`FileTree::read`].
    fn read_listed(&self, path: &Path, most: usize) -> Result<ListedFile, FileError> {
        Ok(ListedFile {
            bytes: self.read(path, most)?,
            identity: self.identity(path),
        })
    }

    /// Returns the one absolute path without links that leads to the same place.
    ///
    /// # Errors
    /// As [`FileTree::kind`].
    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError>;

    /// Returns what the tree knows a regular file by, the same for all its names. Nothing for a
    /// link, whatever it leads to, and nothing where the tree cannot tell.
    fn identity(&self, path: &Path) -> Option<FileId>;

    /// Returns what tells the content of a regular file, links followed, from every other content
    /// that it has later: as long as the stamp stays the same, so does what a read gives.
    ///
    /// Nothing where the tree cannot promise that, which is the answer of a tree that does not
    /// know better: such a file is read at every look.
    fn stamp(&self, path: &Path) -> Option<Stamp> {
        let _ = path;
        None
    }
}

/// What tells the content of a file from every other content that it has later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stamp {
    /// The bytes themselves, where they are at hand.
    Bytes(Arc<[u8]>),
    /// What stands about the file in the folders of a disk.
    Metadata {
        /// Its size.
        bytes: u64,
        /// When its content was last written, as programs may set it.
        modified: SystemTime,
        /// When anything about it was last changed, in seconds and nanoseconds, where the system
        /// notes that; no program can set it.
        changed: Option<(i64, i64)>,
        /// What the tree knows the file by, if it knows.
        identity: Option<FileId>,
    },
}

/// What a tree knows a file by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileId {
    /// The number of the device, and that of the file on it.
    Numbers(u64, u64),
    /// Its one path.
    Path(PathBuf),
}

/// The content of a file, and what the tree knows it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the tree knows it by, if it knows.
    pub identity: Option<FileId>,
}

/// One item of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// Its name, which need not be UTF-8.
    pub name: OsString,
    /// What it is itself, a link not followed.
    pub kind: Kind,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link to another path.
    Link,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// The device that holds nothing, `/dev/null`.
    NullDevice,
}

impl Kind {
    /// Returns the kind with its article.
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Kind::File => "a file",
            Kind::Folder => "a folder",
            Kind::Link => "a link",
            Kind::Pipe => "a named pipe",
            Kind::Socket => "a socket",
            Kind::Device | Kind::NullDevice => "a device",
        }
    }
}

/// Why the outside world gave no answer. Fits behind "cannot read …: ".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Nothing is there.
    #[error("nothing is there")]
    Missing,
    /// A part of the path that must be a folder is none.
    #[error("a part of the path is no folder")]
    NotAFolder,
    /// Links lead in a circle.
    #[error("links lead in a circle")]
    Circle,
    /// The permissions forbid it.
    #[error("permission denied")]
    Denied,
    /// What is there is no regular file.
    #[error("it is {}", .0.described())]
    NotAFile(Kind),
    /// The file is larger than asked for.
    #[error("it has {bytes} bytes")]
    TooLarge {
        /// Its size, or for a file without a size of its own the bytes seen so far.
        bytes: u64,
        /// How many were asked for at most.
        most: u64,
    },
    /// Something else, in the words of the system.
    #[error("{0}")]
    Other(String),
}
