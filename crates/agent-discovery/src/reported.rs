//! Paths as a harness reports them.

use std::path::{Component, Path};

/// Returns a path as it is reported: parts joined with `/`, without `.` parts, and a backslash in
/// a name turned into `/` (case `backslash-file-name`). Bytes that are not UTF-8 become U+FFFD.
pub(crate) fn reported(path: &Path) -> String {
    let mut text = String::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::RootDir => text.push('/'),
            Component::Prefix(prefix) => text.push_str(&prefix.as_os_str().to_string_lossy()),
            Component::ParentDir | Component::Normal(_) => {
                if !text.is_empty() && !text.ends_with('/') {
                    text.push('/');
                }
                text.push_str(&part.as_os_str().to_string_lossy());
            }
        }
    }
    if text.is_empty() {
        text.push('.');
    }
    text.replace('\\', "/")
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
        #[cfg(unix)]
        assert_eq!(reported(Path::new("/p/a\\b.md")), "/p/a/b.md");
    }
}
