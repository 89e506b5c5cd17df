//! The way into nested folders, so that links that lead in a circle end somewhere.

use std::path::{Path, PathBuf};

use agent_schema::{Diagnostic, rules};

use crate::file_tree::FileTree;

/// The most folders that are searched inside one place, and the deepest nesting among them.
const MOST_FOLDERS: usize = 10_000;
const DEEPEST: usize = 100;

/// The folders around the one that is being read.
pub(crate) struct Trail {
    /// Their real paths, the outermost first.
    around: Vec<PathBuf>,
    entered: usize,
}

/// What came of a step into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is the innermost folder now.
    Entered,
    /// It is one of the folders around.
    Loop,
    /// There are too many folders already.
    TooMany,
}

impl Trail {
    pub(crate) fn new(tree: &dyn FileTree, place: &Path) -> Self {
        Trail {
            around: tree.real_path(place).into_iter().collect(),
            entered: 0,
        }
    }

    pub(crate) fn enter(&mut self, tree: &dyn FileTree, folder: &Path) -> Step {
        let real = tree.real_path(folder).unwrap_or_else(|_| folder.to_owned());
        if self.around.contains(&real) {
            return Step::Loop;
        }
        if self.entered == MOST_FOLDERS || self.around.len() == DEEPEST {
            return Step::TooMany;
        }
        self.entered += 1;
        self.around.push(real);
        Step::Entered
    }

    pub(crate) fn leave(&mut self) {
        self.around.pop();
    }
}

pub(crate) fn too_many_folders() -> Diagnostic {
    Diagnostic::new(
        &rules::LIMIT_EXCEEDED,
        format!(
            "the folder is not searched: at most {MOST_FOLDERS} folders of one place are, and \
             none that is nested deeper than {DEEPEST}"
        ),
    )
    .because("a limit of agentry, so that links cannot keep it busy without end")
    .help("put fewer folders or links into this place")
}
