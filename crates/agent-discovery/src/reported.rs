//! Paths as a harness reports them.

use std::ffi::OsStr;
use std::path::{Component, Path};

/// Returns a path as it is reported: parts joined with `/`, without `.` parts, and a backslash in
/// a name turned into `/` (case `backslash-file-name`). Bytes that are not UTF-8 become U+FFFD.
pub(crate) fn reported(path: &Path) -> String {
    let mut text = joined(path);
    if text.is_empty() {
        text.push('.');
    }
    with_slashes(text)
}

/// What the reported paths of the items of a folder begin with: worked out once for all of them.
pub(crate) struct ReportedFolder(String);

impl ReportedFolder {
    pub(crate) fn of(folder: &Path) -> Self {
        let mut text = joined(folder);
        part_from_next(&mut text);
        ReportedFolder(with_slashes(text))
    }

    /// Returns the path of an item as it is reported.
    pub(crate) fn item(&self, name: &OsStr) -> String {
        let name = name.to_string_lossy();
        let mut text = String::with_capacity(self.0.len() + name.len());
        text.push_str(&self.0);
        text.push_str(&name);
        with_slashes(text)
    }
}

/// Puts a slash behind a path that goes on, unless it has one.
fn part_from_next(text: &mut String) {
    if !text.is_empty() && !text.ends_with('/') {
        text.push('/');
    }
}

fn with_slashes(text: String) -> String {
    match text.contains('\\') {
        true => text.replace('\\', "/"),
        false => text,
    }
}

/// Joins the parts of a path.
fn joined(path: &Path) -> String {
    let mut text = String::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::RootDir => text.push('/'),
            Component::Prefix(prefix) => text.push_str(&prefix.as_os_str().to_string_lossy()),
            Component::ParentDir | Component::Normal(_) => {
                part_from_next(&mut text);
                text.push_str(&part.as_os_str().to_string_lossy());
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_as_pathlib_does() {
        for (path, expected) in [
            ("./project//.agents/./a.md", "project/.agents/a.md"),
            ("./.agents", ".agents"),
            ("../up/a.md", "../up/a.md"),
            ("/a/b/", "/a/b"),
            ("", "."),
        ] {
            assert_eq!(reported(Path::new(path)), expected);
        }
        for (folder, name) in [
            ("./project//.agents/.", "a.md"),
            ("", "a.md"),
            (".", "a.md"),
            ("/", "a.md"),
            ("../up\\", "a\\b.md"),
        ] {
            let whole = reported(&Path::new(folder).join(name));
            let by_folder = ReportedFolder::of(Path::new(folder));
            assert_eq!(by_folder.item(OsStr::new(name)), whole);
        }
        #[cfg(unix)]
        assert_eq!(reported(Path::new("/p/a\\b.md")), "/p/a/b.md");
    }
}
