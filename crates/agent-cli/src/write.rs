//! Writing files: whole or not at all. The only room that writes any.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::Path;

use agent_discovery::{DiskTree, FileTree};
use agent_schema::parse::LARGEST_FILE;
use tempfile::Builder;

/// Puts new bytes into a file, unless it holds other bytes by now than it did when it was read.
/// The path must be free of links. Permissions stay as they are.
pub(crate) fn replace(path: &Path, read: &[u8], bytes: &[u8]) -> Result<(), String> {
    let metadata = fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is no file any more".to_owned());
    }
    let permissions = metadata.permissions();
    if permissions.readonly() {
        return Err("it is write-protected".to_owned());
    }
    if has_other_names(&metadata) {
        return Err("it has another name (a hard link), which would keep the old text".to_owned());
    }
    let unchanged = || {
        DiskTree
            .read(path, LARGEST_FILE)
            .is_ok_and(|now| now == read)
    };
    write(path, bytes, Some(permissions), unchanged)
}

/// Writes a file, whatever stood there.
pub(crate) fn write_anew(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let permissions = fs::metadata(path).ok().map(|it| it.permissions());
    write(path, bytes, permissions, || true)
}

/// Writes a file beside the one that is meant, and gives it the name in one step.
fn write(
    path: &Path,
    bytes: &[u8],
    permissions: Option<Permissions>,
    may_still: impl Fn() -> bool,
) -> Result<(), String> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let write = || -> io::Result<Option<()>> {
        let mut file = Builder::new().prefix(".agentry-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        match permissions {
            Some(permissions) => file.as_file().set_permissions(permissions)?,
            None => make_readable(file.as_file())?,
        }
        file.as_file().sync_all()?;
        if !may_still() {
            return Ok(None);
        }
        file.persist(path).map_err(|error| error.error)?;
        Ok(Some(()))
    };
    match write() {
        Ok(Some(())) => Ok(()),
        Ok(None) => Err("it was changed while it was being checked".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Temporary files are for their owner alone; files of a project are not.
#[cfg(unix)]
fn make_readable(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    file.set_permissions(Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn has_other_names(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    metadata.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.md");
        fs::write(&path, "old").expect("writes");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("it is ours");
        replace(&path, b"old", b"new").expect("it is replaced");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        let mode = fs::metadata(&path)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o640);

        let changed = replace(&path, b"old", b"newer");
        assert_eq!(
            changed,
            Err("it was changed while it was being checked".to_owned())
        );
        fs::hard_link(&path, folder.path().join("twin.md")).expect("links");
        assert!(replace(&path, b"new", b"newer").is_err());
        fs::remove_file(folder.path().join("twin.md")).expect("it is there");
        fs::set_permissions(&path, Permissions::from_mode(0o440)).expect("it is ours");
        assert!(replace(&path, b"new", b"newer").is_err());
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        // Nothing is left behind.
        let left = fs::read_dir(folder.path()).expect("it can be listed");
        assert_eq!(left.count(), 1);
    }
}
