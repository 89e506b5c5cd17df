//! Settings that a search depends on, and the folders that they name.

use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use agent_schema::json;
use agent_schema::skill_rules::ManifestSkills;
use agent_schema::surroundings::{
    FolderList, NearestRule, PackageRules, PackageSource, SettingsFile, WordSetting,
};
use agent_schema::text::MappedText;
use agent_schema::value::Node;

use indexmap::{IndexMap, IndexSet};

use crate::fence::Fence;
use crate::file_tree::{FileTree, Kind};
use crate::inputs::Inputs;
use crate::places;

/// The most bytes of a file of settings that are read.
pub(crate) const MOST_BYTES: usize = 4 << 20;

/// The most folders that a list of folders may name.
const MOST_FOLDERS: usize = 10_000;

/// Reads a file of settings; `None` if it is not there or no JSON.
pub(crate) fn read(tree: &dyn FileTree, file: &SettingsFile, inputs: &Inputs) -> Option<Node> {
    read_path(tree, &path_of(tree, file, inputs)?)
}

pub(crate) fn path_of(
    tree: &dyn FileTree,
    file: &SettingsFile,
    inputs: &Inputs,
) -> Option<PathBuf> {
    Some(places::base_folder(tree, file.base, inputs)?.join(file.path))
}

pub(crate) fn read_path(tree: &dyn FileTree, path: &Path) -> Option<Node> {
    let bytes = tree.read(path, MOST_BYTES).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    json::read(
        &MappedText::plain(text.trim_start_matches('\u{feff}')),
        json::JAVASCRIPT,
    )
    .ok()
}

/// Follows keys into a value.
pub(crate) fn value_at<'a>(root: &'a Node, keys: &[&str]) -> Option<&'a Node> {
    keys.iter()
        .try_fold(root, |node, key| Some(&node.as_map()?.get(key)?.value))
}

/// Returns the texts of a list that say something.
fn texts_at<'a>(root: &'a Node, keys: &[&str]) -> Vec<&'a str> {
    let list = value_at(root, keys)
        .and_then(Node::as_list)
        .unwrap_or_default();
    let texts = list.iter().filter_map(Node::as_text);
    texts.filter(|text| !text.trim().is_empty()).collect()
}

/// Finds the nearest folder that fits a rule.
pub(crate) fn nearest(tree: &dyn FileTree, rule: &NearestRule, inputs: &Inputs) -> Option<PathBuf> {
    let project = inputs.project.as_deref()?;
    let is_folder = |path: &Path| tree.kind(path) == Ok(Kind::Folder);
    let fits = |folder: &&Path| {
        rule.holding
            .iter()
            .any(|held| is_folder(&folder.join(held)))
    };
    let candidates: Vec<&Path> = project.ancestors().filter(fits).collect();
    let nearest = *candidates.first()?;
    let setting = rule.git_root;
    let root = setting.and_then(|setting| git_root(tree, setting, &candidates, project));
    Some(root.unwrap_or(nearest).to_path_buf())
}

/// Finds the root of the repository, if a setting asks for it. The nearest candidate that says
/// anything decides; the root counts if it is a candidate as far up as that one, or further.
fn git_root<'a>(
    tree: &dyn FileTree,
    setting: &WordSetting,
    candidates: &[&'a Path],
    project: &Path,
) -> Option<&'a Path> {
    let said = |candidate: &Path| {
        let root = read_path(tree, &candidate.join(setting.file))?;
        let word = value_at(&root, setting.keys)?.as_text()?;
        (word == setting.word || word == setting.opposite).then(|| word == setting.word)
    };
    let (index, asked) = candidates
        .iter()
        .enumerate()
        .find_map(|(index, candidate)| Some((index, said(candidate)?)))?;
    let from = candidates.get(index..).filter(|_| asked)?;
    let root = places::repository_root(tree, project);
    let above = from
        .iter()
        .find(|candidate| root.as_deref() == Some(**candidate));
    let own = from
        .first()
        .filter(|own| places::is_repository_root(tree, own));
    above.or(own).copied()
}

/// Folders that are named somewhere.
#[derive(Debug, Default)]
pub(crate) struct ListedFolders {
    /// Those that are looked at, in order.
    pub(crate) kept: Vec<PathBuf>,
    /// Those to which the project leads, but not us.
    pub(crate) refused: Vec<PathBuf>,
}

/// Lists the folders that are named somewhere.
pub(crate) fn listed_folders(
    tree: &dyn FileTree,
    list: &FolderList,
    inputs: &Inputs,
) -> ListedFolders {
    let mut refused = Vec::new();
    let mut folders = match list {
        FolderList::SwitchedOn => inputs.packages.clone(),
        FolderList::Variable(name) => {
            let value = inputs.variables.get(*name).map(String::as_str);
            let parts = value.unwrap_or_default().split(':').map(str::trim);
            parts
                .filter(|part| !part.is_empty())
                .map(PathBuf::from)
                .collect()
        }
        FolderList::Settings { file, keys } => {
            let fence = Fence::around(tree, file.base, inputs);
            let root = read(tree, file, inputs);
            let texts = root.iter().flat_map(|root| texts_at(root, keys));
            let mut folders = Vec::new();
            for text in texts.take(MOST_FOLDERS) {
                folders.extend(expanded(tree, text.trim(), &fence, inputs, &mut refused));
            }
            folders
        }
        FolderList::Packages(rules) => package_folders(tree, rules, inputs, &mut refused),
    };
    folders.truncate(MOST_FOLDERS);
    ListedFolders {
        kept: without_repeats(folders),
        refused: without_repeats(refused),
    }
}

fn without_repeats(folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let folders: IndexSet<PathBuf> = folders.into_iter().collect();
    folders.into_iter().collect()
}

/// Lists the folders that a text names which are there. One part may be `*`.
fn expanded(
    tree: &dyn FileTree,
    text: &str,
    fence: &Fence,
    inputs: &Inputs,
    refused: &mut Vec<PathBuf>,
) -> Vec<PathBuf> {
    let path = from_project(places::expand_home(text, inputs), inputs);
    let parts: Vec<Component<'_>> = path.components().collect();
    let is_star = |part: &Component<'_>| part.as_os_str() == "*";
    let stars = text.matches('*').count();
    let folders = match (stars, parts.iter().position(is_star)) {
        (0, _) => vec![path],
        (1, Some(star)) => {
            let base: PathBuf = parts[..star].iter().collect();
            let rest: PathBuf = parts[star + 1..].iter().collect();
            if !fence.lets(tree, &base) {
                refused.push(path);
                return Vec::new();
            }
            let folders = folders_in(tree, &base).into_iter();
            folders
                .map(|folder| {
                    if rest.as_os_str().is_empty() {
                        folder
                    } else {
                        folder.join(&rest)
                    }
                })
                .collect()
        }
        _ => Vec::new(),
    };
    let is_there = |folder: &PathBuf| tree.kind(folder).is_ok();
    let folders = folders.into_iter().filter(is_there);
    fence.kept(tree, folders, refused)
}

/// A path that begins nowhere begins at the project, where the harness runs.
fn from_project(path: PathBuf, inputs: &Inputs) -> PathBuf {
    match &inputs.project {
        Some(project) if path.is_relative() => project.join(path),
        _ => path,
    }
}

/// Lists the folders in a folder, by name.
fn folders_in(tree: &dyn FileTree, folder: &Path) -> Vec<PathBuf> {
    let mut items = tree.list(folder).unwrap_or_default();
    items.sort();
    let folders = items.iter().filter(|item| item.kind == Kind::Folder);
    folders.map(|item| folder.join(&item.name)).collect()
}

fn package_folders(
    tree: &dyn FileTree,
    rules: &PackageRules,
    inputs: &Inputs,
    refused: &mut Vec<PathBuf>,
) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for (root, fence) in packages(tree, rules.sources, inputs, refused) {
        let Some(manifest) = read_path(tree, &root.join(rules.manifest)) else {
            continue;
        };
        for keys in rules.keys {
            let texts = texts_at(&manifest, keys).into_iter();
            let named = texts.map(|text| normal(&root.join(text)));
            folders.extend(fence.kept(tree, named, refused));
        }
    }
    folders
}

/// Lists the paths that the manifests of packages name under some keys. An entry that is a map has
/// its path under a key of its own.
pub(crate) fn manifest_paths(
    tree: &dyn FileTree,
    rules: &ManifestSkills,
    inputs: &Inputs,
) -> ListedFolders {
    let mut found = ListedFolders::default();
    for (root, fence) in packages(tree, rules.packages, inputs, &mut found.refused) {
        let manifest = read_path(tree, &root.join(rules.manifest));
        let list = manifest.as_ref().and_then(|it| value_at(it, rules.keys));
        let entries = list.and_then(Node::as_list).unwrap_or_default().iter();
        let written = entries.filter_map(|entry| match rules.path_key {
            Some(key) => value_at(entry, &[key])?.as_text(),
            None => entry.as_text(),
        });
        let named = written.map(|path| normal(&root.join(path)));
        let kept = fence.kept(tree, named, &mut found.refused);
        found.kept.extend(kept);
    }
    found
}

/// Lists the folders of packages, none twice, each with how far its manifest may lead.
fn packages(
    tree: &dyn FileTree,
    sources: &[PackageSource],
    inputs: &Inputs,
    refused: &mut Vec<PathBuf>,
) -> Vec<(PathBuf, Rc<Fence>)> {
    let mut packages: IndexMap<PathBuf, Rc<Fence>> = IndexMap::new();
    for source in sources {
        let fence = Rc::new(match source {
            PackageSource::SwitchedOn => Fence::default(),
            PackageSource::Folder(base) | PackageSource::FoldersIn { base, .. } => {
                Fence::around(tree, *base, inputs)
            }
            PackageSource::Settings { file, .. } => Fence::around(tree, file.base, inputs),
        });
        let roots = package_roots(tree, source, inputs);
        for root in fence.kept(tree, roots, refused) {
            packages.entry(root).or_insert_with(|| Rc::clone(&fence));
        }
    }
    packages.into_iter().collect()
}

fn package_roots(tree: &dyn FileTree, source: &PackageSource, inputs: &Inputs) -> Vec<PathBuf> {
    match source {
        PackageSource::SwitchedOn => inputs.packages.clone(),
        // Where nothing marks the project, the working folder itself is taken for it.
        PackageSource::Folder(base) => places::base_folder(tree, *base, inputs)
            .or_else(|| inputs.project.clone())
            .into_iter()
            .collect(),
        PackageSource::FoldersIn { base, path } => {
            let Some(folder) = places::base_folder(tree, *base, inputs) else {
                return Vec::new();
            };
            installed(tree, &folder.join(path))
        }
        PackageSource::Settings { file, keys } => {
            let (Some(root), Some(path)) = (read(tree, file, inputs), path_of(tree, file, inputs))
            else {
                return Vec::new();
            };
            let base = path.parent().unwrap_or(&path);
            let list = value_at(&root, keys)
                .and_then(Node::as_list)
                .unwrap_or_default();
            let named = |entry: &Node| {
                let source = entry
                    .as_text()
                    .or_else(|| value_at(entry, &["source"])?.as_text())?;
                named_package(source.trim(), base, inputs)
            };
            list.iter().filter_map(named).collect()
        }
    }
}

/// Lists the packages in a folder of packages; those of a scope lie one folder deeper.
fn installed(tree: &dyn FileTree, folder: &Path) -> Vec<PathBuf> {
    let visible = |folder: &Path| {
        let mut items = tree.list(folder).unwrap_or_default();
        items.sort();
        items.retain(|item| {
            let hidden = item.name.to_string_lossy().starts_with('.');
            !hidden && matches!(item.kind, Kind::Folder | Kind::Link)
        });
        items
    };
    let mut packages = Vec::new();
    for item in visible(folder) {
        let path = folder.join(&item.name);
        if item.name.to_string_lossy().starts_with('@') {
            packages.extend(
                visible(&path)
                    .into_iter()
                    .map(|inner| path.join(inner.name)),
            );
        } else {
            packages.push(path);
        }
    }
    packages
}

/// Finds the folder of a package that settings name.
fn named_package(source: &str, base: &Path, inputs: &Inputs) -> Option<PathBuf> {
    if let Some(spec) = source.strip_prefix("npm:") {
        let at = spec
            .get(1..)
            .and_then(|rest| rest.find('@'))
            .map(|at| at + 1);
        let name = &spec[..at.unwrap_or(spec.len())];
        let is_safe = !name.is_empty() && name.split('/').all(is_plain_part);
        return is_safe.then(|| base.join("npm/node_modules").join(name));
    }
    if let Some(spec) = source.strip_prefix("git:") {
        return git_package(spec).map(|path| base.join("git").join(path));
    }
    let path = source.strip_prefix("file:").unwrap_or(source);
    if path == "~" || path.starts_with("~/") || path.starts_with('/') {
        return Some(places::expand_home(path, inputs));
    }
    if matches!(path, "." | "..") || path.starts_with("./") || path.starts_with("../") {
        return Some(normal(&base.join(path)));
    }
    let is_web = source.starts_with("https://") || source.starts_with("http://");
    let path = git_package(source).filter(|_| is_web)?;
    Some(base.join("git").join(path))
}

fn is_plain_part(part: &str) -> bool {
    !part.is_empty() && part != "." && part != ".."
}

/// Returns `host/path` of a repository.
fn git_package(spec: &str) -> Option<PathBuf> {
    let spec = spec.trim();
    let (host, path) = match (spec.strip_prefix("git@"), spec.split_once("://")) {
        (Some(rest), _) => rest.split_once(':')?,
        (None, Some((_, rest))) => {
            let rest = rest.rsplit_once('@').map_or(rest, |(user, _)| {
                rest.get(user.len() + 1..)
                    .filter(|_| !user.contains('/'))
                    .unwrap_or(rest)
            });
            rest.split_once('/')?
        }
        (None, None) => spec.split_once('/')?,
    };
    let path = path.split(['@', '#']).next()?.trim_end_matches(".git");
    let path = path.trim_start_matches('/');
    let is_safe = is_plain_part(host) && path.split('/').all(is_plain_part);
    (is_safe && path.contains('/')).then(|| Path::new(host).join(path))
}

/// Resolves `.` and `..` in a path without looking at the disk.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}
