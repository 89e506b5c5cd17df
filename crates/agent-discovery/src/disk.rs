//! The files of the disk. The only room that opens them.
#![expect(
    clippy::disallowed_methods,
    reason = "everything else goes through FileTree, which this implements"
)]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::file_tree::{FileError, FileId, FileTree, Item, Kind, ListedFile, Stamp};

/// The files of the disk.
///
/// Nothing is opened that was not seen to be a regular file, so that neither a pipe nor a device
/// can hold up a search; a file that is replaced in between is opened without waiting, and noticed
/// before it is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskTree;

/// How long ago a file must have been changed for its metadata to tell the next change. Disks count
/// time in steps, the coarsest one in two seconds: what is changed twice within one step may look
/// the same before and after the second change.
const SETTLED: Duration = Duration::from_secs(2);

impl FileTree for DiskTree {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        let mut items = Vec::new();
        for item in fs::read_dir(or_here(folder))? {
            let item = item?;
            let kind = match item.file_type() {
                Ok(of) if of.is_file() => Kind::File,
                Ok(of) if of.is_dir() => Kind::Folder,
                Ok(of) if of.is_symlink() => Kind::Link,
                Ok(_) => self.own_kind(&item.path()).unwrap_or(Kind::Device),
                // It vanished in between; whoever reads it will notice.
                Err(_) => Kind::File,
            };
            items.push(Item {
                name: item.file_name(),
                kind,
            });
        }
        Ok(items)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        Ok(kind_of(&fs::metadata(or_here(path))?))
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        Ok(kind_of(&fs::symlink_metadata(or_here(path))?))
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        match self.kind(path)? {
            Kind::File => {}
            Kind::NullDevice => return Ok(Vec::new()),
            other => return Err(FileError::NotAFile(other)),
        }
        let (bytes, _) = read_regular(path, most)?;
        Ok(bytes)
    }

    fn read_listed(&self, path: &Path, most: usize) -> Result<ListedFile, FileError> {
        let (bytes, metadata) = read_regular(path, most)?;
        Ok(ListedFile {
            bytes,
            identity: identity_of(&metadata, path),
        })
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        let path = or_here(path);
        match real_path_of_handle(path) {
            Ok(Some(real)) => Ok(real),
            Ok(None) => Ok(fs::canonicalize(path)?),
            Err(error) => Err(error.into()),
        }
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        let metadata = fs::symlink_metadata(path).ok()?;
        metadata.is_file().then(|| identity_of(&metadata, path))?
    }

    /// There is no stamp for a file that was changed less than two seconds ago, or in the future:
    /// its next change might not show.
    fn stamp(&self, path: &Path) -> Option<Stamp> {
        let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
        let modified = metadata.modified().ok()?;
        let changed = changed_of(&metadata);
        is_settled(modified, changed).then(|| Stamp::Metadata {
            bytes: metadata.len(),
            modified,
            changed,
            identity: identity_of(&metadata, path),
        })
    }
}

/// Returns whether a file has been left alone for so long that its next change will show.
fn is_settled(modified: SystemTime, changed: Option<(i64, i64)>) -> bool {
    let now = SystemTime::now();
    let is_past = |then: SystemTime| now.duration_since(then).is_ok_and(|age| age > SETTLED);
    let changed = changed.map(|(seconds, _)| match u64::try_from(seconds) {
        // The part of a second that is left out makes it look older by that much.
        Ok(seconds) => SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.saturating_add(1)),
        Err(_) => SystemTime::UNIX_EPOCH,
    });
    is_past(modified) && changed.is_none_or(is_past)
}

#[cfg(unix)]
fn changed_of(metadata: &Metadata) -> Option<(i64, i64)> {
    use std::os::unix::fs::MetadataExt;

    Some((metadata.ctime(), metadata.ctime_nsec()))
}

#[cfg(not(unix))]
fn changed_of(_: &Metadata) -> Option<(i64, i64)> {
    None
}

#[cfg(unix)]
fn identity_of(metadata: &Metadata, _: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;

    // Some network and virtual drives number no files.
    (metadata.ino() != 0).then(|| FileId::Numbers(metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity_of(_: &Metadata, path: &Path) -> Option<FileId> {
    fs::canonicalize(path).ok().map(FileId::Path)
}

/// Opens and reads what was seen to be a regular file.
fn read_regular(path: &Path, most: usize) -> Result<(Vec<u8>, Metadata), FileError> {
    let mut file = open_without_waiting(path)?;
    let metadata = file.metadata()?;
    let kind = kind_of(&metadata);
    if kind != Kind::File {
        return Err(FileError::NotAFile(kind));
    }
    let bytes = metadata.len();
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    if bytes > most {
        return Err(FileError::TooLarge { bytes, most });
    }
    let mut content = vec![0; usize::try_from(bytes).unwrap_or_default() + 1];
    let read = read_once(&mut file, &mut content)?;
    content.truncate(read);
    // Of one byte more than the file has, it gives all but that one, and so tells its end. It may
    // grow while it is read, and the files of `/proc` tell no size.
    if read as u64 != bytes {
        let rest = most.saturating_add(1).saturating_sub(read as u64);
        file.take(rest).read_to_end(&mut content)?;
    }
    let bytes = content.len() as u64;
    if bytes > most {
        return Err(FileError::TooLarge { bytes, most });
    }
    Ok((content, metadata))
}

/// Reads once, and again only if something interrupts it.
fn read_once(file: &mut File, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Asks the system where a path leads; nothing where it does not tell.
///
/// What the standard library does instead asks about each folder on the way, and each of these
/// questions walks the way up to there: for all folders of a deep way that is cubic in its depth.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn real_path_of_handle(path: &Path) -> io::Result<Option<PathBuf>> {
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::OpenOptionsExt;

    // It names the file and opens it for nothing, so that this neither waits nor needs any right.
    let named = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_PATH)
        .open(path);
    let handle = match named {
        Ok(handle) => handle,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(error),
        Err(_) => return Ok(None),
    };
    let told = fs::read_link(format!("/proc/self/fd/{}", handle.as_raw_fd()));
    // The system marks what is gone by now, and what has no path says what it is.
    let is_path = |told: &PathBuf| {
        told.is_absolute() && !told.as_os_str().as_bytes().ends_with(b" (deleted)")
    };
    Ok(told.ok().filter(is_path))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn real_path_of_handle(_: &Path) -> io::Result<Option<PathBuf>> {
    Ok(None)
}

/// An empty path is what stands above the first part of a relative one: the working folder.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

fn open_without_waiting(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    options.open(path)
}

fn kind_of(metadata: &Metadata) -> Kind {
    let of = metadata.file_type();
    if of.is_file() {
        Kind::File
    } else if of.is_dir() {
        Kind::Folder
    } else if of.is_symlink() {
        Kind::Link
    } else {
        special_kind(metadata)
    }
}

#[cfg(unix)]
fn special_kind(metadata: &Metadata) -> Kind {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    let of = metadata.file_type();
    if of.is_fifo() {
        Kind::Pipe
    } else if of.is_socket() {
        Kind::Socket
    } else if of.is_char_device()
        && fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev())
    {
        Kind::NullDevice
    } else {
        Kind::Device
    }
}

#[cfg(not(unix))]
fn special_kind(_: &Metadata) -> Kind {
    Kind::Device
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        #[cfg(unix)]
        if error.raw_os_error() == Some(libc::ELOOP) {
            return FileError::Circle;
        }
        match error.kind() {
            // No file can have the name that the system refuses to look for.
            io::ErrorKind::NotFound | io::ErrorKind::InvalidInput => FileError::Missing,
            io::ErrorKind::NotADirectory => FileError::NotAFolder,
            io::ErrorKind::PermissionDenied => FileError::Denied,
            _ => FileError::Other(error.to_string()),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn special_files_are_named_and_never_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").expect("writes");
        symlink("file", at("link")).expect("links");
        symlink("/dev/null", at("null")).expect("links");
        symlink("/dev/zero", at("zero")).expect("links");
        symlink("circle", at("circle")).expect("links");
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).expect("binds");
        let made = std::process::Command::new("mkfifo")
            .arg(at("pipe"))
            .status();
        assert!(made.expect("mkfifo is there").success());

        assert_eq!(DiskTree.own_kind(&at("link")), Ok(Kind::Link));
        assert_eq!(DiskTree.kind(&at("link")), Ok(Kind::File));
        assert_eq!(DiskTree.read(&at("link"), 4), Ok(b"text".to_vec()));
        assert_eq!(
            DiskTree.read(&at("file"), 3),
            Err(FileError::TooLarge { bytes: 4, most: 3 })
        );
        assert_eq!(DiskTree.read(&at("null"), 4), Ok(Vec::new()));
        for (name, kind) in [
            ("zero", Kind::Device),
            ("pipe", Kind::Pipe),
            ("socket", Kind::Socket),
        ] {
            assert_eq!(DiskTree.kind(&at(name)), Ok(kind));
            assert_eq!(DiskTree.read(&at(name), 4), Err(FileError::NotAFile(kind)));
        }
        assert_eq!(DiskTree.read(&at("circle"), 4), Err(FileError::Circle));
        assert_eq!(DiskTree.read(&at("absent"), 4), Err(FileError::Missing));
        assert_eq!(DiskTree.kind(&at("file/x")), Err(FileError::NotAFolder));
        let listed = DiskTree.list(folder.path()).expect("lists");
        assert!(listed.contains(&Item {
            name: "pipe".into(),
            kind: Kind::Pipe
        }));
        assert_eq!(listed.len(), 7);
    }

    #[test]
    fn a_real_path_is_the_one_of_the_standard_library() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("deep/er (deleted)")).expect("makes");
        fs::write(at("deep/file"), "text").expect("writes");
        for (target, name) in [
            ("deep", "link"),
            ("link/er (deleted)", "far"),
            ("nowhere", "broken"),
            ("circle", "circle"),
            ("/dev/null", "null"),
        ] {
            symlink(target, at(name)).expect("links");
        }
        for name in [
            "",
            ".",
            "deep/..",
            "deep/file",
            "deep/file/.",
            "deep/file/below",
            "link",
            "link/file",
            "link/..",
            "far",
            "far/..",
            "broken",
            "circle",
            "absent/below",
            "null",
        ] {
            let expected = fs::canonicalize(at(name)).map_err(FileError::from);
            assert_eq!(DiskTree.real_path(&at(name)), expected, "`{name}`");
        }
        for path in ["", ".", "..", "/", "/proc/self/exe", "/dev/stdin"] {
            let path = Path::new(path);
            let expected = fs::canonicalize(or_here(path)).map_err(FileError::from);
            assert_eq!(DiskTree.real_path(path), expected, "{path:?}");
        }
    }

    #[test]
    fn a_file_that_tells_no_size_is_read_to_the_limit() {
        let path = Path::new("/proc/self/cmdline");
        if !path.exists() {
            return;
        }
        let whole = DiskTree.read(path, 1 << 20).expect("reads");
        assert!(!whole.is_empty());
        assert_eq!(
            DiskTree.read(path, 1),
            Err(FileError::TooLarge { bytes: 2, most: 1 })
        );
    }
}
