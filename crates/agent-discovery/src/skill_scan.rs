//! Which files of a folder are skills, for harnesses that search source by source.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use agent_schema::Limits;
use agent_schema::dialect::NameOrder;
use agent_schema::skill_rules::{Hidden, InsideSkill, Loose, Order, Reported, SkillScan};

use crate::file_tree::{FileTree, Item, Kind};
use crate::ignore_rules::IgnoreRules;
use crate::places::{self, Survey};
use crate::reported::reported;
use crate::skill_file::SkillFile;
use crate::trail::{Step, Trail};

/// A file that is a skill by its name and place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scanned {
    pub(crate) path: PathBuf,
    pub(crate) file: SkillFile,
    /// Why it is none after all, although it looks like one.
    pub(crate) missed: Option<Missed>,
}

/// Why a harness passes a file over that looks like a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missed {
    /// Its name is `SKILL.md` in other letters.
    Misnamed,
    /// It lies in a folder that is not searched any more.
    TooDeep,
}

/// Finds the files of a folder that are skills, in the order in which the harness meets them.
pub(crate) fn scan(tree: &dyn FileTree, folder: &Path, rules: &SkillScan) -> Vec<Scanned> {
    let root = match rules.reported {
        Reported::AsFound => folder.to_owned(),
        Reported::Real => tree.real_path(folder).unwrap_or_else(|_| folder.to_owned()),
    };
    let mut scan = Scan {
        tree,
        rules,
        trail: Trail::new(tree, &root, Limits::default()),
        ignored: IgnoreRules::default(),
        later: VecDeque::new(),
        found: Vec::new(),
    };
    scan.visit(Folder {
        path: root,
        below: String::new(),
        depth: 0,
    });
    while let Some(folder) = scan.later.pop_front() {
        scan.visit(folder);
    }
    scan.found
}

struct Scan<'a> {
    tree: &'a dyn FileTree,
    rules: &'a SkillScan,
    trail: Trail,
    ignored: IgnoreRules,
    /// Folders that are visited once all others of their depth were.
    later: VecDeque<Folder>,
    found: Vec<Scanned>,
}

/// A folder that is searched.
struct Folder {
    path: PathBuf,
    /// Its path below the searched one, with a slash at its end.
    below: String,
    depth: usize,
}

impl Scan<'_> {
    fn visit(&mut self, folder: Folder) {
        let names = self.rules.ignore_files;
        self.ignored
            .read(self.tree, &folder.path, &folder.below, names);
        let Survey::Items(mut items) =
            places::survey(self.tree, &folder.path, NameOrder::CodePoint)
        else {
            return;
        };
        let is_skill = self.take_own_file(&folder, &items);
        if !is_skill {
            self.note_misnamed(&folder, &items);
        }
        if is_skill && self.rules.inside == InsideSkill::Skipped {
            return;
        }
        if self.rules.order == Order::Descending {
            items.reverse();
        }
        if self.rules.loose == Loose::TopFirst && folder.depth == 0 {
            // They come before everything else of the folder.
            for item in &items {
                self.take_loose(&folder, item);
            }
        }
        for item in &items {
            self.take_item(&folder, item);
        }
    }

    /// Takes the `SKILL.md` of a folder, if it has one.
    fn take_own_file(&mut self, folder: &Folder, items: &[Item]) -> bool {
        let Some(item) = items.iter().find(|item| item.name == OWN_FILE) else {
            return false;
        };
        let path = folder.path.join(OWN_FILE);
        let is_skill = folder.depth >= self.rules.shallowest
            && self.followed(item, &path) == Some(Kind::File)
            && !self.ignored.ignore(&format!("{}{OWN_FILE}", folder.below));
        if is_skill {
            self.found.push(Scanned {
                path,
                file: SkillFile::Folder,
                missed: None,
            });
        }
        is_skill
    }

    /// Notes a file that would be the skill of a folder if its name were written in other letters.
    fn note_misnamed(&mut self, folder: &Folder, items: &[Item]) {
        let is_alike = |item: &&Item| item.name.eq_ignore_ascii_case(OWN_FILE);
        let mut alike = items.iter().filter(is_alike);
        if let Some(item) = alike.find(|item| item.name != OWN_FILE)
            && folder.depth >= self.rules.shallowest
            && item.kind == Kind::File
            && !self.is_loose(folder, &item.name.to_string_lossy())
        {
            self.miss(folder.path.join(&item.name), Missed::Misnamed);
        }
    }

    fn miss(&mut self, path: PathBuf, missed: Missed) {
        self.found.push(Scanned {
            path,
            file: SkillFile::Folder,
            missed: Some(missed),
        });
    }

    fn take_item(&mut self, folder: &Folder, item: &Item) {
        let name = item.name.to_string_lossy();
        let is_hidden = name.starts_with('.') && self.rules.hidden == Hidden::Skipped;
        if is_hidden || self.rules.skipped_folders.contains(&&*name) {
            return;
        }
        let path = folder.path.join(&item.name);
        if self.followed(item, &path) == Some(Kind::Folder) {
            self.enter(folder, path, &name);
        } else if self.rules.loose != Loose::TopFirst {
            self.take_loose(folder, item);
        }
    }

    fn enter(&mut self, folder: &Folder, path: PathBuf, name: &str) {
        let below = format!("{}{name}/", folder.below);
        if self.ignored.ignore(&below) {
            return;
        }
        if folder.depth >= self.rules.deepest {
            let own = path.join(OWN_FILE);
            if self.tree.kind(&own) == Ok(Kind::File) {
                self.miss(own, Missed::TooDeep);
            }
            return;
        }
        let inside = Folder {
            path: match self.rules.reported {
                Reported::AsFound => path,
                Reported::Real => self.tree.real_path(&path).unwrap_or(path),
            },
            below,
            depth: folder.depth + 1,
        };
        if self.trail.enter(self.tree, &inside.path) != Step::Entered {
            return;
        }
        if self.rules.order == Order::BreadthFirst {
            self.later.push_back(inside);
        } else {
            self.visit(inside);
        }
        self.trail.leave();
    }

    /// Returns whether a file of a folder is a skill without a folder of its own, by its name.
    fn is_loose(&self, folder: &Folder, name: &str) -> bool {
        let is_here = match self.rules.loose {
            Loose::None => false,
            Loose::Top | Loose::TopFirst => folder.depth == 0,
            Loose::Below => folder.depth > 0,
        };
        let (_, suffix) = name
            .split_at_checked(name.len().saturating_sub(3))
            .unwrap_or_default();
        is_here && name != OWN_FILE && self.rules.suffix_case.same(suffix, ".md")
    }

    fn take_loose(&mut self, folder: &Folder, item: &Item) {
        let name = item.name.to_string_lossy();
        if !self.is_loose(folder, &name) {
            return;
        }
        let path = folder.path.join(&item.name);
        let is_ignored = self.ignored.ignore(&format!("{}{name}", folder.below));
        if self.followed(item, &path) == Some(Kind::File) && !is_ignored {
            self.found.push(Scanned {
                path,
                file: SkillFile::Loose,
                missed: None,
            });
        }
    }

    /// Returns the kind of an item, a link followed; nothing if it is broken or not followed.
    fn followed(&self, item: &Item, path: &Path) -> Option<Kind> {
        if item.kind != Kind::Link {
            return Some(item.kind);
        }
        let kind = self.tree.kind(path).ok()?;
        let is_followed = match kind {
            Kind::Folder => self.rules.folder_links,
            _ => self.rules.file_links,
        };
        is_followed.then_some(kind)
    }
}

/// The name of the file of a skill that has a folder of its own.
const OWN_FILE: &str = "SKILL.md";

/// Returns the name that the place of a file gives its skill: that of its folder, or for a loose
/// file its own without the suffix.
pub(crate) fn name_by_place(scanned: &Scanned) -> String {
    match scanned.file {
        SkillFile::Folder => folder_name(&scanned.path),
        _ => {
            let stem = scanned.path.file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        }
    }
}

/// Returns the name of the folder that holds a file.
pub(crate) fn folder_name(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name);
    folder.unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the path of a file below a folder, with `/`; the whole path if it lies elsewhere.
pub(crate) fn below(path: &Path, folder: &Path) -> String {
    reported(path.strip_prefix(folder).unwrap_or(path))
}
