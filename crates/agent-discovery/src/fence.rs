//! How far the words of a project reach: its settings and manifests may name folders, but none of
//! them makes us look at the rest of the machine.
//!
//! A harness goes wherever such a path leads. What is looked at here is printed, maybe where others
//! can read it, so that paths which somebody else wrote end at the project, the home and the folders
//! that the caller gives, unless the caller trusts the project or asks for all references.

use std::path::{Path, PathBuf};

use agent_schema::dialect::Base;
use agent_schema::{Diagnostic, rules};

use crate::file_tree::FileTree;
use crate::inputs::{Inputs, References};
use crate::places;
use crate::reported::reported;

/// How far the paths in one file reach.
#[derive(Debug, Default)]
pub(crate) struct Fence {
    /// The real paths of the folders in which they stay; unset if they may lead anywhere.
    inside: Option<Vec<PathBuf>>,
}

impl Fence {
    /// Makes the fence for a file in a place with this base.
    pub(crate) fn around(tree: &dyn FileTree, base: Base, inputs: &Inputs) -> Fence {
        if may_lead_anywhere(inputs) || !is_of_project(base) {
            return Fence::default();
        }
        let base = places::base_folder(tree, base, inputs);
        let repository = inputs
            .project
            .as_deref()
            .and_then(|project| places::repository_root(tree, project));
        let given = [
            &inputs.project,
            &inputs.home,
            &inputs.managed,
            &inputs.layers,
            &inputs.workspace,
        ];
        let given = given.into_iter().filter_map(Option::as_ref);
        let lists = [&inputs.added, &inputs.plugins, &inputs.packages];
        let folders = given
            .chain(lists.into_iter().flatten())
            .chain(&base)
            .chain(&repository);
        let real = folders.filter_map(|folder| tree.real_path(folder).ok());
        Fence {
            inside: Some(real.collect()),
        }
    }

    /// Makes the fence for what a plugin says of itself: it stays in its folder.
    pub(crate) fn of_plugin(tree: &dyn FileTree, root: &Path) -> Fence {
        Fence {
            inside: Some(tree.real_path(root).into_iter().collect()),
        }
    }

    /// Returns whether a path may be looked at. What is not there may: it shows nothing.
    pub(crate) fn lets(&self, tree: &dyn FileTree, path: &Path) -> bool {
        self.inside.as_ref().is_none_or(|inside| {
            tree.real_path(path)
                .map_or(true, |real| inside.iter().any(|it| real.starts_with(it)))
        })
    }

    /// Returns the paths that may be looked at; the others are added to a list.
    pub(crate) fn kept(
        &self,
        tree: &dyn FileTree,
        paths: impl IntoIterator<Item = PathBuf>,
        refused: &mut Vec<PathBuf>,
    ) -> Vec<PathBuf> {
        let (kept, mut outside) = paths
            .into_iter()
            .partition(|path: &PathBuf| self.lets(tree, path));
        refused.append(&mut outside);
        kept
    }
}

/// Returns whether nothing is fenced in.
pub(crate) fn may_lead_anywhere(inputs: &Inputs) -> bool {
    let is_trusted = inputs.trusted == Some(true) && !inputs.only_supposed;
    is_trusted || inputs.references == References::All
}

/// Returns whether whoever writes the project writes what lies there.
fn is_of_project(base: Base) -> bool {
    matches!(
        base,
        Base::Project
            | Base::RealProject
            | Base::RepositoryRoot
            | Base::MainRepository
            | Base::MainCheckout
            | Base::Nearest(_)
            | Base::Workspace(_)
            | Base::SharedWorkspace(_)
            | Base::Namespace(_)
    )
}

/// Tells of a folder that the project names and that is not looked at.
pub(crate) fn refused(path: &Path, title: &str) -> Diagnostic {
    Diagnostic::new(
        &rules::REFERENCE_NOT_READ,
        format!(
            "`{}` is not looked at, because it lies outside the project",
            reported(path)
        ),
    )
    .because(format!(
        "{title} goes wherever the settings of the project lead; agentry stays in the project, the \
         home and the folders that it is given, because what it looks at it may print"
    ))
    .help("say that you trust the project, or ask for all references to be read")
}
