//! The skills of plugins.

use std::path::{Path, PathBuf};

use agent_schema::dialect::{Base, NameOrder};
use agent_schema::skill_rules::PluginSkills;
use agent_schema::value::Node;
use agent_schema::{Diagnostic, FieldName};

use crate::file_tree::{FileTree, Kind};
use crate::places::{self, Located, Survey};
use crate::plugin::{self, LostPlugin};
use crate::skill_scan::{self, Scanned};
use crate::skill_settings::{self, file_at};

/// A plugin, and the files of it that are skills.
#[derive(Debug)]
pub(crate) struct PluginFound {
    /// What it is called.
    pub(crate) name: String,
    /// Its skills, each with the field that names it if its folder does not.
    pub(crate) skills: Vec<(Scanned, Option<FieldName>)>,
}

/// A plugin that is lost, and why.
pub(crate) struct PluginLost {
    pub(crate) manifest: PathBuf,
    pub(crate) why: Box<Diagnostic>,
}

/// Finds the plugins at a place.
pub(crate) fn at_place(
    tree: &dyn FileTree,
    rules: &PluginSkills,
    place: &Located,
    title: &str,
) -> Vec<Result<PluginFound, PluginLost>> {
    let inside = plugins_in(tree, rules, &place.path);
    let plugins = match inside.is_empty() && rules.place.base == Base::Plugins {
        true => vec![place.path.clone()],
        false => inside,
    };
    let plugins = plugins.iter();
    plugins.map(|root| read(tree, rules, root, title)).collect()
}

/// Lists the folders in a folder that say of themselves that they are plugins.
fn plugins_in(tree: &dyn FileTree, rules: &PluginSkills, folder: &Path) -> Vec<PathBuf> {
    let is_plugin = |folder: &Path| manifest_of(tree, rules, folder).is_some();
    match places::survey(tree, folder, NameOrder::CodePoint) {
        Survey::Items(items) if !is_plugin(folder) => {
            let paths = items.iter().map(|item| folder.join(&item.name));
            paths.filter(|path| is_plugin(path)).collect()
        }
        _ => Vec::new(),
    }
}

fn manifest_of(tree: &dyn FileTree, rules: &PluginSkills, root: &Path) -> Option<PathBuf> {
    let mut manifests = rules.manifests.iter().map(|file| root.join(file));
    manifests.find(|path| tree.kind(path) == Ok(Kind::File))
}

fn read(
    tree: &dyn FileTree,
    rules: &PluginSkills,
    root: &Path,
    title: &str,
) -> Result<PluginFound, PluginLost> {
    let checked = match rules.checked {
        Some(rules) => plugin::read_manifest(tree, root, rules, title),
        None => Ok(None),
    };
    let named = checked.map_err(|lost| {
        let LostPlugin { path, why, .. } = *lost;
        PluginLost {
            manifest: path,
            why: Box::new(why.said_by_harness()),
        }
    })?;
    let folder_name = || {
        let name = root.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let more = more_paths(tree, rules, root);
    let folder = root.join(rules.folder);
    let has_folder = tree.kind(&folder) == Ok(Kind::Folder);
    let mut files = skill_scan::scan(tree, &folder, rules.scan);
    for path in &more {
        files.extend(files_at(tree, rules, path));
    }
    let mut skills: Vec<_> = files
        .into_iter()
        .map(|file| {
            // A plugin's own file has no folder that could name it.
            let is_own = file.path.parent() == Some(root);
            (
                file,
                if is_own {
                    rules.own_file
                } else {
                    rules.named_by
                },
            )
        })
        .collect();
    let own = file_at(&root.join("SKILL.md"));
    let has_own = rules.own_file.is_some() && tree.kind(&own.path) == Ok(Kind::File);
    if has_own && !has_folder && more.is_empty() {
        skills.push((own, rules.own_file));
    }
    Ok(PluginFound {
        name: named.map_or_else(folder_name, |manifest| manifest.name),
        skills,
    })
}

/// Returns the skills at a path that a manifest names.
fn files_at(tree: &dyn FileTree, rules: &PluginSkills, path: &Path) -> Vec<Scanned> {
    let own = path.join("SKILL.md");
    match tree.kind(path) {
        Ok(Kind::File) => vec![file_at(path)],
        Ok(Kind::Folder) if tree.kind(&own) == Ok(Kind::File) => vec![file_at(&own)],
        Ok(Kind::Folder) => skill_scan::scan(tree, path, rules.scan),
        _ => Vec::new(),
    }
}

/// Returns the paths that the manifest names beside the folder of the plugin. None of them leads
/// out of it.
fn more_paths(tree: &dyn FileTree, rules: &PluginSkills, root: &Path) -> Vec<PathBuf> {
    let manifest = manifest_of(tree, rules, root);
    let manifest = manifest.and_then(|path| skill_settings::read_json(tree, &path));
    let value = rules.more.and_then(|key| {
        let map = manifest.as_ref()?.as_map()?;
        Some(&map.get(key)?.value)
    });
    let Some(value) = value else {
        return Vec::new();
    };
    let written = value
        .as_list()
        .unwrap_or_else(|| std::slice::from_ref(value));
    let written = written.iter().filter_map(Node::as_text);
    let paths = written.map(|path| skill_settings::normal(&root.join(path)));
    let root = skill_settings::normal(root);
    paths.filter(|path| path.starts_with(&root)).collect()
}
