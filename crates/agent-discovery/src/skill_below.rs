//! Folders of skills in the folders below another one.

use std::path::{Path, PathBuf};

use agent_schema::dialect::NameOrder;
use agent_schema::skill_rules::SkillsBelow;

use crate::file_tree::{FileTree, Kind};
use crate::ignore_rules::IgnoreRules;
use crate::places::{self, Survey};

/// How deep a tree is walked. Links are not followed, so this bounds odd mounts only.
const DEEPEST: usize = 64;

/// How many folders are looked into.
const MOST_FOLDERS: usize = 20_000;

/// A folder of skills below another folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Below {
    /// The folder of skills.
    pub(crate) path: PathBuf,
    /// The folder that holds it, by its path below the searched one, with `/`.
    pub(crate) around: String,
}

/// Finds the folders of skills below a folder, those further up first.
pub(crate) fn folders(tree: &dyn FileTree, rules: &SkillsBelow, base: &Path) -> Vec<Below> {
    let mut walk = Walk {
        tree,
        rules,
        ignored: IgnoreRules::default(),
        folders_left: MOST_FOLDERS,
        found: Vec::new(),
    };
    walk.visit(base, "", 0);
    walk.found
}

struct Walk<'a> {
    tree: &'a dyn FileTree,
    rules: &'a SkillsBelow,
    ignored: IgnoreRules,
    folders_left: usize,
    found: Vec<Below>,
}

impl Walk<'_> {
    /// Looks into a folder. `below` is its path below the searched one, with a slash at its end.
    fn visit(&mut self, folder: &Path, below: &str, depth: usize) {
        if depth > DEEPEST || self.folders_left == 0 {
            return;
        }
        self.folders_left -= 1;
        let Survey::Items(items) = places::survey(self.tree, folder, NameOrder::CodePoint) else {
            return;
        };
        let files = self.rules.ignore_files;
        self.ignored.read(self.tree, folder, below, files);
        let path = folder.join(self.rules.place.folder);
        if depth > 0 && self.tree.kind(&path) == Ok(Kind::Folder) {
            self.found.push(Below {
                path,
                around: below.trim_end_matches('/').to_owned(),
            });
        }
        for item in items {
            let name = item.name.to_string_lossy();
            let inside = format!("{below}{name}/");
            let is_skipped = self.rules.skipped_folders.contains(&&*name);
            if item.kind == Kind::Folder && !is_skipped && !self.ignored.ignore(&inside) {
                self.visit(&folder.join(&item.name), &inside, depth + 1);
            }
        }
    }
}
