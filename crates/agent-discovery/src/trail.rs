//! The way into nested folders, so that links that lead in a circle end somewhere.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use agent_schema::{Diagnostic, Limit, Limits, rules};

use crate::file_tree::FileTree;

/// The folders around the one that is being read.
pub(crate) struct Trail {
    /// Their real paths, the outermost first.
    around: Vec<PathBuf>,
    entered: usize,
    limits: Limits,
    /// The real paths of all folders that were entered, where none may be entered twice.
    seen: Option<HashSet<PathBuf>>,
}

/// What came of a step into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is the innermost folder now.
    Entered,
    /// It is one of the folders around, or was entered before.
    Loop,
    /// There are too many folders already.
    TooMany,
}

impl Trail {
    pub(crate) fn new(tree: &dyn FileTree, place: &Path, limits: Limits) -> Self {
        Trail {
            around: tree.real_path(place).into_iter().collect(),
            entered: 0,
            limits,
            seen: None,
        }
    }

    /// As [`Trail::new`], but no folder is entered twice, on whatever way.
    pub(crate) fn once(tree: &dyn FileTree, place: &Path, limits: Limits) -> Self {
        Trail {
            seen: Some(tree.real_path(place).into_iter().collect()),
            ..Trail::new(tree, place, limits)
        }
    }

    pub(crate) fn enter(&mut self, tree: &dyn FileTree, folder: &Path) -> Step {
        let real = tree.real_path(folder).unwrap_or_else(|_| folder.to_owned());
        let seen = self.seen.as_ref();
        if self.around.contains(&real) || seen.is_some_and(|seen| seen.contains(&real)) {
            return Step::Loop;
        }
        let are_enough = self.entered >= self.limits.of(Limit::Folders);
        if are_enough || self.around.len() >= self.limits.of(Limit::FolderDepth) {
            return Step::TooMany;
        }
        self.entered += 1;
        if let Some(seen) = &mut self.seen {
            seen.insert(real.clone());
        }
        self.around.push(real);
        Step::Entered
    }

    pub(crate) fn leave(&mut self) {
        self.around.pop();
    }
}

pub(crate) fn too_many_folders(limits: &Limits) -> Diagnostic {
    let (most, deepest) = (limits.of(Limit::Folders), limits.of(Limit::FolderDepth));
    Diagnostic::new(
        &rules::LIMIT_EXCEEDED,
        format!(
            "the folder is not searched: at most {most} folders of one place are, and \
             none that is nested deeper than {deepest}"
        ),
    )
    .because("a limit of agentry, so that links cannot keep it busy without end")
    .help("put fewer folders or links into this place")
}
