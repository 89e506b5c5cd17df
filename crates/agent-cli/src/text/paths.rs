//! Paths as people like to read them.

use std::path::{Path, PathBuf};

use agent_registry::Contender;
use agent_schema::Level;

use crate::finding::FileView;
use crate::text::printable::printable;

/// Shows paths: relative below the working folder, with `~` below the home, else as given.
#[derive(Debug, Clone)]
pub(crate) struct Paths {
    here: Option<PathBuf>,
    home: Option<PathBuf>,
}

impl Paths {
    pub(crate) fn new(here: Option<&Path>, home: Option<&Path>) -> Self {
        // Nothing becomes clearer relative to the root.
        let folder = |path: Option<&Path>| Some(path?.to_owned()).filter(|path| !is_root(path));
        Paths {
            here: folder(here),
            home: folder(home),
        }
    }

    /// Shows a path.
    pub(crate) fn show(&self, path: &Path) -> String {
        let below = |folder: &Option<PathBuf>| {
            let rest = path.strip_prefix(folder.as_deref()?).ok()?;
            (!rest.as_os_str().is_empty()).then(|| rest.to_string_lossy().into_owned())
        };
        let shown = below(&self.here)
            .or_else(|| below(&self.home).map(|rest| format!("~/{rest}")))
            .unwrap_or_else(|| path.to_string_lossy().into_owned());
        let shown = shown.strip_prefix("./").unwrap_or(&shown);
        printable(shown)
    }

    /// Shows the path of a file, or the word for what is no file.
    pub(crate) fn show_file(&self, file: FileView<'_>) -> String {
        match file.path {
            Some(path) => self.show(path),
            None => printable(file.reported),
        }
    }

    /// Shows where a contender comes from.
    pub(crate) fn show_contender(&self, contender: &Contender) -> String {
        match contender.source.level {
            Level::Programmatic => printable(&contender.place()),
            _ => self.show_file(FileView::of(contender)),
        }
    }
}

fn is_root(path: &Path) -> bool {
    path.parent().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_true_path_is_shown() {
        let paths = Paths::new(
            Some(Path::new("/home/me/project")),
            Some(Path::new("/home/me")),
        );
        for (path, shown) in [
            ("/home/me/project/a.md", "a.md"),
            ("/home/me/a.md", "~/a.md"),
            ("/home/me/projects/a.md", "~/projects/a.md"),
            ("/home/me", "/home/me"),
            ("./.agents/a.md", ".agents/a.md"),
            ("../a.md", "../a.md"),
            ("/etc/a.md", "/etc/a.md"),
        ] {
            assert_eq!(paths.show(Path::new(path)), shown);
        }
        let at_root = Paths::new(Some(Path::new("/")), None);
        assert_eq!(at_root.show(Path::new("/a.md")), "/a.md");
    }
}
