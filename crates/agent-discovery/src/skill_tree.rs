//! Which files of a folder are skills, and which files of a project are instructions.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use agent_schema::coerce::python;
use agent_schema::dialect::NameOrder;

use crate::file_tree::{FileError, FileTree, Item, Kind};
use crate::order;
use crate::places::{self, Survey};
use crate::reported::reported;

/// How deep a tree is walked. Links are never followed downwards, so this bounds odd mounts only.
const DEEPEST: usize = 64;

/// How many folders of a project are looked into for nested instruction files.
const MOST_FOLDERS: usize = 20_000;

/// The skill files of a folder, each list in the order in which they are read.
#[derive(Debug)]
pub(crate) struct SkillFiles {
    /// `SKILL.md`, in any case, of the folders directly inside.
    pub(crate) own: Vec<PathBuf>,
    /// Other Markdown files at any depth, but none that lies beside or below a `SKILL.md`.
    pub(crate) loose: Vec<PathBuf>,
    /// `SKILL.md` where the harness does not look for one.
    pub(crate) misplaced: Vec<PathBuf>,
}

/// Finds the skill files of a folder.
///
/// # Errors
/// The folder inside that cannot be listed; the harness then loses all skills of the folder.
pub(crate) fn skill_files(
    tree: &dyn FileTree,
    folder: &Path,
    items: &[Item],
) -> Result<SkillFiles, (PathBuf, FileError)> {
    let mut own = Vec::new();
    let mut owned = HashSet::new();
    for item in items {
        let inside = folder.join(&item.name);
        if followed(tree, item, &inside) != Some(Kind::Folder) {
            continue;
        }
        let items = match places::survey(tree, &inside, NameOrder::CodePoint) {
            Survey::Items(items) => items,
            Survey::Nothing(_) => continue,
            Survey::Unreadable(error) => return Err((inside, error)),
        };
        let skill_md = items.iter().find(|item| {
            let path = inside.join(&item.name);
            is_skill_md(item) && followed(tree, item, &path) == Some(Kind::File)
        });
        if let Some(item) = skill_md {
            own.push(inside.join(&item.name));
            owned.insert(inside);
        }
    }
    let mut rest = Rest {
        tree,
        owned,
        loose: Vec::new(),
        misplaced: Vec::new(),
    };
    rest.visit(folder, items, 0);
    rest.loose.sort_by(|one, other| order::by_parts(one, other));
    Ok(SkillFiles {
        own,
        loose: rest.loose,
        misplaced: rest.misplaced,
    })
}

/// The files of a skills folder that do not belong to a skill with a folder of its own.
struct Rest<'a> {
    tree: &'a dyn FileTree,
    /// The folders of those skills.
    owned: HashSet<PathBuf>,
    loose: Vec<PathBuf>,
    misplaced: Vec<PathBuf>,
}

impl Rest<'_> {
    fn visit(&mut self, folder: &Path, items: &[Item], depth: usize) {
        for item in items {
            let path = folder.join(&item.name);
            if self.owned.contains(&path) {
                continue;
            }
            if item.kind == Kind::Folder
                && depth < DEEPEST
                && let Survey::Items(items) = places::survey(self.tree, &path, NameOrder::CodePoint)
            {
                self.visit(&path, &items, depth + 1);
            }
            let name = item.name.to_string_lossy();
            if is_skill_md(item) {
                self.misplaced.push(path);
            } else if name.ends_with(".md") && name != "README.md" {
                self.loose.push(path);
            }
        }
    }
}

fn is_skill_md(item: &Item) -> bool {
    item.name.to_string_lossy().to_lowercase() == "skill.md"
}

/// Returns the kind of an item, a link followed; nothing if the link is broken.
fn followed(tree: &dyn FileTree, item: &Item, path: &Path) -> Option<Kind> {
    match item.kind {
        Kind::Link => tree.kind(path).ok(),
        kind => Some(kind),
    }
}

/// Returns the name that a loose file has by its place below the skills folder.
pub(crate) fn name_by_place(folder: &Path, path: &Path) -> String {
    let relative = reported(path.strip_prefix(folder).unwrap_or(path));
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let (_, suffix) = python::split_suffix(&file_name);
    relative
        .strip_suffix(suffix)
        .unwrap_or(&relative)
        .to_owned()
}

/// An instruction file below a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Nested {
    pub(crate) path: PathBuf,
    /// The folder that holds it, below the project, with `/`.
    pub(crate) folder: String,
    /// The name that such a file has at the root of a project.
    pub(crate) name: &'static str,
}

/// Finds the instruction files below a project, in the order in which they are read. `known`
/// holds their names in lower case, and what each is called as a skill.
pub(crate) fn nested_instructions(
    tree: &dyn FileTree,
    project: &Path,
    known: &'static [(&'static str, &'static str)],
) -> Vec<Nested> {
    let mut walk = Walk {
        tree,
        project,
        known,
        in_repository: places::repository_root(tree, project).is_some(),
        folders_left: MOST_FOLDERS,
        read: HashSet::new(),
        found: Vec::new(),
    };
    walk.visit(project, 0);
    walk.found
        .sort_by(|one, other| one.folder.cmp(&other.folder));
    walk.found
}

struct Walk<'a> {
    tree: &'a dyn FileTree,
    project: &'a Path,
    known: &'static [(&'static str, &'static str)],
    in_repository: bool,
    folders_left: usize,
    /// The real paths of what was found; a second link to one of them does not count.
    read: HashSet<PathBuf>,
    found: Vec<Nested>,
}

impl Walk<'_> {
    fn visit(&mut self, folder: &Path, depth: usize) {
        if depth > DEEPEST || self.folders_left == 0 {
            return;
        }
        self.folders_left -= 1;
        let Survey::Items(items) = places::survey(self.tree, folder, NameOrder::CodePoint) else {
            return;
        };
        // A repository inside a repository is not its business.
        if depth > 0 && self.in_repository && items.iter().any(|item| item.name == ".git") {
            return;
        }
        for item in &items {
            let path = folder.join(&item.name);
            if item.kind == Kind::Folder {
                if !item.name.as_encoded_bytes().starts_with(b".") && item.name != "node_modules" {
                    self.visit(&path, depth + 1);
                }
            } else if depth > 0 {
                self.take(folder, path, item);
            }
        }
    }

    fn take(&mut self, folder: &Path, path: PathBuf, item: &Item) {
        let lower = item.name.to_string_lossy().to_lowercase();
        let Some((_, name)) = self.known.iter().find(|(file, _)| *file == lower) else {
            return;
        };
        if followed(self.tree, item, &path) != Some(Kind::File) {
            return;
        }
        let real = self.tree.real_path(&path).unwrap_or_else(|_| path.clone());
        if !self.read.insert(real) {
            return;
        }
        self.found.push(Nested {
            folder: reported(folder.strip_prefix(self.project).unwrap_or(folder)),
            path,
            name,
        });
    }
}
