//! The folders of skills that a map in settings switches on or off.

use std::path::PathBuf;

use agent_schema::Value;
use agent_schema::dialect::{Base, SearchPlace};
use agent_schema::json;
use agent_schema::parse::LARGEST_FILE;
use agent_schema::skill_rules::{FolderMap, SkillSource};
use agent_schema::text::MappedText;
use agent_schema::value::Node;
use indexmap::IndexMap;

use crate::fence::Fence;
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::places;

/// What settings say of folders, by the paths as they are written, in the order of the settings.
pub(crate) type Switched = IndexMap<String, bool>;

/// Reads the map from all files that count.
pub(crate) fn read(tree: &dyn FileTree, map: &FolderMap, inputs: &Inputs) -> Switched {
    let mut switched = Switched::new();
    for group in map.files {
        let mut files = group.iter();
        let root = files.find_map(|file| read_file(tree, file, inputs));
        let value = root.as_ref().and_then(|root| root.as_map()?.get(map.key));
        let entries = value.and_then(|entry| entry.value.as_map());
        for entry in entries.into_iter().flat_map(|map| &map.entries) {
            let path = entry.key.as_text().unwrap_or_default().trim();
            if let Some(on) = as_flag(&entry.value).filter(|_| !path.is_empty()) {
                switched.insert(path.to_owned(), on);
            }
        }
    }
    switched
}

fn read_file(tree: &dyn FileTree, file: &SearchPlace, inputs: &Inputs) -> Option<Node> {
    if !places::is_included(file.level, inputs) {
        return None;
    }
    let base = places::base_folder(tree, file.base, inputs)?;
    let bytes = tree.read(&base.join(file.folder), LARGEST_FILE).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    json::read(&MappedText::plain(text), json::WITH_COMMENTS).ok()
}

/// Takes `true` and `false`, also as texts.
fn as_flag(node: &Node) -> Option<bool> {
    match node.get() {
        Value::Bool(flag) => Some(*flag),
        Value::Text(text) => match text.trim().to_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Returns how the settings write the path of a place.
fn written(place: &SearchPlace) -> String {
    match place.base {
        Base::Home => format!("~/{}", place.folder),
        _ => place.folder.to_owned(),
    }
}

/// Returns whether the settings switch off a place of the table.
pub(crate) fn is_off(switched: &Switched, place: &SearchPlace) -> bool {
    switched.get(&written(place)) == Some(&false)
}

/// Returns the folders that the settings switch on and that begin where a place does. Those that
/// are sources of their own do not count.
pub(crate) fn folders(
    tree: &dyn FileTree,
    switched: &Switched,
    place: &SearchPlace,
    sources: &[SkillSource],
    inputs: &Inputs,
    refused: &mut Vec<PathBuf>,
) -> Vec<PathBuf> {
    let Some(base) = places::base_folder(tree, place.base, inputs) else {
        return Vec::new();
    };
    let is_source = |path: &str| {
        let mut places = sources.iter().filter_map(|source| match source {
            SkillSource::Folder(folder) => Some(&folder.place),
            _ => None,
        });
        places.any(|place| written(place) == path)
    };
    let on = switched
        .iter()
        .filter(|(path, on)| **on && !is_source(path));
    let paths = on.filter_map(|(path, _)| match (place.base, path.strip_prefix("~/")) {
        (Base::Home, Some(rest)) => Some(rest),
        (Base::Home, None) | (_, Some(_)) => None,
        (_, None) => Some(path.as_str()),
    });
    let paths = paths.filter(|path| !path.starts_with(['/', '\\', '~']));
    let paths = paths.filter(|path| !path.contains(['*', '?', '[', ']', '{', '}']));
    let paths = paths.map(|path| crate::skill_settings::normal(&base.join(path)));
    Fence::around(tree, place.base, inputs).kept(tree, paths, refused)
}
