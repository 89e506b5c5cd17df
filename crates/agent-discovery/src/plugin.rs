//! The agents of a plugin.

use std::path::{Path, PathBuf};

use agent_schema::dialect::{ManifestRules, NameOrder};
use agent_schema::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds, MappedText};
use agent_schema::{Diagnostic, Dialect, Level, Node, ParseInputs, Profile, Span, json, rules};

use crate::discover::{Discovery, Files, Place, Search};
use crate::entry::{Entry, State};
use crate::fence::{self, Fence};
use crate::file_tree::{FileTree, Item, Kind};
use crate::inputs::Inputs;
use crate::places::{self, Extent, PlaceState, Searched, Survey};
use crate::read::{Reader, Walls};
use crate::remembered::Memory;

/// The most bytes of a manifest that are read.
const LARGEST_MANIFEST: usize = 1 << 20;

/// How the bytes of a manifest become text: bad ones become U+FFFD.
const ENCODING: Encoding = Encoding {
    invalid: InvalidBytes::Replaced,
    byte_order_mark: ByteOrderMark::Kept,
    line_ends: LineEnds::Kept,
};

const HELP: &str = "give the plugin a name, and name the files of its agents one by one";

/// Searches a plugin for agents; `root` is the folder of the plugin.
///
/// Source of rule: cases `registry/plugin-*` of OpenHands and `discover/n16-*` up to
/// `discover/n24-*` of Claude Code.
#[must_use]
pub fn discover_plugin(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    root: &Path,
    inputs: &Inputs,
) -> Discovery {
    discover_plugin_with(tree, dialect, profile, root, inputs, Memory::new(inputs))
}

/// Searches with the memory of an earlier search.
pub(crate) fn discover_plugin_with(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    root: &Path,
    inputs: &Inputs,
    memory: Memory<'_>,
) -> Discovery {
    let mut search = Search::new(tree, dialect, profile, inputs, &memory);
    search.visit_plugins(Level::Plugin, root, true);
    let mut found = search.finish();
    found.plugin = Some(root.to_owned());
    found.remembered = memory.remembered();
    found
}

/// What a plugin says of itself.
pub(crate) struct Manifest {
    pub(crate) name: String,
    /// The paths of its agents, if it names them.
    agents: Option<Vec<String>>,
}

impl Search<'_> {
    /// Looks into a folder that is a plugin, or holds several.
    pub(crate) fn visit_plugins(&mut self, level: Level, folder: &Path, switched_on: bool) {
        let inside = match switched_on && self.found.profile.rules.plugins.nested {
            true => self.plugins_in(folder),
            false => Vec::new(),
        };
        if inside.is_empty() {
            self.visit_plugin(level, folder, switched_on);
        }
        for plugin in inside {
            self.visit_plugin(level, &plugin, switched_on);
        }
    }

    /// Looks into a folder whose own folders may be plugins, and which is none itself.
    pub(crate) fn visit_plugin_folder(&mut self, level: Level, folder: &Path, switched_on: bool) {
        let inside = match switched_on {
            true => self.plugins_in(folder),
            false => Vec::new(),
        };
        for plugin in inside {
            self.visit_plugin(level, &plugin, switched_on);
        }
    }

    /// Lists the folders in a folder that say of themselves that they are plugins.
    fn plugins_in(&self, folder: &Path) -> Vec<PathBuf> {
        let Some(manifest) = self.found.profile.rules.plugins.manifest else {
            return Vec::new();
        };
        let is_plugin = |folder: &Path| self.tree.kind(&folder.join(manifest.file)).is_ok();
        match places::survey(self.tree, folder, NameOrder::CodePoint) {
            Survey::Items(items) if !is_plugin(folder) => {
                let paths = items.iter().map(|item| folder.join(&item.name));
                paths.filter(|path| is_plugin(path)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn visit_plugin(&mut self, level: Level, root: &Path, switched_on: bool) {
        let plugins = &self.found.profile.rules.plugins;
        let manifest = match plugins.manifest.filter(|_| switched_on) {
            Some(rules) => read_manifest(self.tree, root, rules, self.found.dialect.title),
            None => Ok(None),
        };
        let manifest = match manifest {
            Ok(manifest) => manifest,
            Err(lost) => return self.lose_plugin(level, root, *lost),
        };
        let called = root.file_name().unwrap_or_default().to_string_lossy();
        let (name, listed) = match manifest {
            Some(manifest) => (manifest.name, manifest.agents),
            None => (called.into_owned(), None),
        };
        let files = Files {
            rules: &plugins.files,
            reading: plugins.reading.unwrap_or(&self.found.profile.rules.reading),
            inputs: self.parse_inputs.clone().plugin(name),
            root: Some(root),
            folders_in_names: plugins.folders_in_names,
        };
        match listed {
            Some(paths) => self.read_listed(level, root, &paths, &files),
            None => self.visit_with(level, root.join(plugins.folder), switched_on, &files),
        }
    }

    /// Reads the files that a plugin names, instead of its folder. Their folders name nothing.
    fn read_listed(&mut self, level: Level, root: &Path, paths: &[String], files: &Files<'_>) {
        let index = self.found.places.len();
        let fence = match self.is_open {
            true => Fence::default(),
            false => Fence::of_plugin(self.tree, root),
        };
        for path in paths {
            let path = root.join(path);
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                continue;
            };
            let item = Item {
                name: name.to_owned(),
                kind: self.tree.own_kind(&path).unwrap_or(Kind::File),
            };
            let reader = Reader {
                tree: self.tree,
                memory: self.memory,
                dialect: self.found.dialect,
                files,
                folder,
                place: folder,
                walls: Walls::new(self.tree, files, folder),
            };
            let place = Place {
                level,
                index,
                path: root,
                files,
            };
            let entry = match fence.lets(self.tree, &path) {
                true => reader.read(&item, place.source_of(&path)).entry,
                false => {
                    let mut entry = Entry::unread(&item, place.source_of(&path));
                    let title = self.found.dialect.title;
                    entry.diagnostics.push(fence::refused(&path, title));
                    entry.state = State::HeldBack;
                    entry
                }
            };
            self.add(entry);
        }
        self.found.places.push(Searched {
            level,
            path: root.to_owned(),
            extent: Extent::Folder,
            state: PlaceState::Listed {
                entries: paths.len(),
            },
            unit: index,
        });
    }

    /// Notes a plugin that is lost for what it says of itself.
    fn lose_plugin(&mut self, level: Level, root: &Path, lost: LostPlugin) {
        let files = Files {
            rules: &self.found.profile.rules.plugins.files,
            reading: &self.found.profile.rules.reading,
            inputs: ParseInputs::new(),
            root: None,
            folders_in_names: false,
        };
        let place = Place {
            level,
            index: self.found.places.len(),
            path: root,
            files: &files,
        };
        let item = Item {
            name: lost.path.file_name().unwrap_or_default().to_owned(),
            kind: Kind::File,
        };
        let mut entry = Entry::unread(&item, place.source_of(&lost.path));
        entry.bytes = Some(lost.bytes.into());
        entry.diagnostics.push(lost.why.said_by_harness());
        self.add(entry);
        self.found.places.push(Searched {
            level,
            path: root.to_owned(),
            extent: Extent::Folder,
            state: PlaceState::Listed { entries: 1 },
            unit: self.found.places.len(),
        });
    }
}

/// A plugin that is lost, by its manifest.
pub(crate) struct LostPlugin {
    pub(crate) path: PathBuf,
    bytes: Vec<u8>,
    pub(crate) why: Diagnostic,
}

/// Reads the manifest of a plugin, if it has one.
///
/// # Errors
/// The manifest, if it loses the whole plugin.
pub(crate) fn read_manifest(
    tree: &dyn FileTree,
    root: &Path,
    manifest: ManifestRules,
    title: &str,
) -> Result<Option<Manifest>, Box<LostPlugin>> {
    let path = root.join(manifest.file);
    let Ok(bytes) = tree.read(&path, LARGEST_MANIFEST) else {
        return Ok(None);
    };
    let read = MappedText::decode(&bytes, ENCODING)
        .map_err(|offset| {
            let finding = Diagnostic::new(&rules::INVALID_ENCODING, "the manifest is not UTF-8");
            Box::new(finding.at(Span::new(offset, offset + 1)))
        })
        .and_then(|text| {
            json::read(&text, json::JAVASCRIPT).map_err(|error| Box::new(error.into()))
        });
    match read.and_then(|node| interpret(&node, manifest)) {
        Ok(manifest) => Ok(Some(manifest)),
        Err(why) => Err(Box::new(LostPlugin {
            path,
            bytes,
            why: why.because(format!(
                "{title} refuses the manifest, and with it the whole plugin"
            )),
        })),
    }
}

fn interpret(node: &Node, manifest: ManifestRules) -> Result<Manifest, Box<Diagnostic>> {
    let invalid = |node: &Node, message: String| {
        Box::new(
            Diagnostic::new(&rules::INVALID_PLUGIN, message)
                .at(node.span)
                .help(HELP),
        )
    };
    let member = |key: &str| Some(&node.as_map()?.get(key)?.value);
    let name = member(manifest.name_key).and_then(Node::as_text);
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        let message = format!("the manifest has no usable `{}`", manifest.name_key);
        return Err(invalid(node, message));
    };
    let agents = match member(manifest.agents_key) {
        None => None,
        Some(value) => {
            let paths = value
                .as_list()
                .unwrap_or_else(|| std::slice::from_ref(value));
            let mut agents = Vec::with_capacity(paths.len());
            for path in paths {
                let start = manifest.path_start;
                match path.as_text() {
                    Some(text) if text.starts_with(start) && text.ends_with(".md") => {
                        agents.push(text.to_owned());
                    }
                    _ => {
                        return Err(invalid(
                            path,
                            format!("each agent has to be a path from `{start}` to a `.md` file"),
                        ));
                    }
                }
            }
            Some(agents)
        }
    };
    Ok(Manifest {
        name: name.to_owned(),
        agents,
    })
}
