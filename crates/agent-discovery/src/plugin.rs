//! The agents of a plugin.

use std::path::{Component, Path, PathBuf};

use agent_schema::dialect::{Folders, ManifestRules, NameOrder, SkipRule};
use agent_schema::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds, MappedText};
use agent_schema::{
    Diagnostic, Dialect, Level, Node, ParseInputs, Profile, Severity, Span, json, rules,
};

use crate::discover::{Discovery, Files, Place, Search};
use crate::entry::{Entry, Source, State};
use crate::fence::{self, Fence};
use crate::file_tree::{FileError, FileTree, Item, Kind};
use crate::inputs::Inputs;
use crate::manifest_fixes::Refused;
use crate::places::{self, Extent, PlaceState, Searched, Survey};
use crate::read::{Reader, Walls};
use crate::remembered::Memory;
use crate::reported::reported;

/// The most bytes of a manifest that are read.
const LARGEST_MANIFEST: usize = 1 << 20;

/// How the bytes of a manifest become text: bad ones become U+FFFD.
pub(crate) const ENCODING: Encoding = Encoding {
    invalid: InvalidBytes::Replaced,
    byte_order_mark: ByteOrderMark::Kept,
    line_ends: LineEnds::Kept,
};

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

/// Returns the folder of the plugin that a file lies in: the nearest one around it that has a
/// manifest of the harness.
#[must_use]
pub fn plugin_around(tree: &dyn FileTree, path: &Path, profile: &Profile) -> Option<PathBuf> {
    let manifest = profile.rules.plugins.manifest?.file;
    let is_plugin = |folder: &&Path| tree.kind(&folder.join(manifest)).is_ok();
    let around = path.parent()?.ancestors().find(is_plugin)?;
    Some(match around.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => around.to_owned(),
    })
}

/// Returns what the agents of a plugin call it: the name in its manifest, or that of its folder.
#[must_use]
pub fn plugin_name(
    tree: &dyn FileTree,
    root: &Path,
    dialect: &Dialect,
    profile: &Profile,
) -> String {
    let rules = profile.rules.plugins.manifest;
    let manifest = rules.and_then(|rules| read_manifest(tree, root, rules, dialect.title).ok()?);
    match manifest {
        Some(manifest) => manifest.name,
        None => called(root),
    }
}

fn called(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
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
    let mut found = search.finish().with_places();
    found.plugin = Some(root.to_owned());
    found.remembered = memory.remembered();
    found
}

/// What a plugin says of itself.
pub(crate) struct Manifest {
    pub(crate) name: String,
    /// The file itself.
    path: PathBuf,
    bytes: Vec<u8>,
    /// The paths of its agents, if it names them.
    agents: Option<Vec<ListedAgent>>,
}

/// The path of an agent, as a manifest names it.
pub(crate) struct ListedAgent {
    written: String,
    at: Span,
}

impl Manifest {
    /// Returns the agents that it names, if it names any.
    fn listed<'a>(&'a self, root: &'a Path) -> Option<Listed<'a>> {
        let agents = self.agents.as_deref()?;
        Some(Listed {
            manifest: self,
            root,
            agents,
        })
    }
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
        let name = match &manifest {
            Some(manifest) => manifest.name.clone(),
            None => called(root),
        };
        let files = Files {
            rules: &plugins.files,
            reading: plugins.reading.unwrap_or(&self.found.profile.rules.reading),
            inputs: self.parse_inputs.clone().plugin(name),
            root: Some(root),
            folders_in_names: plugins.folders_in_names,
        };
        let folder = root.join(plugins.folder);
        match manifest.as_ref().and_then(|it| it.listed(root)) {
            Some(listed) => {
                self.read_listed(level, root, &listed, &files);
                self.note_unlisted(level, &folder, &listed, &files);
            }
            None => self.visit_with(level, folder, switched_on, &files),
        }
    }

    /// Reads the files that a plugin names, instead of its folder. Their folders name nothing.
    fn read_listed(&mut self, level: Level, root: &Path, listed: &Listed<'_>, files: &Files<'_>) {
        let index = self.found.places.len();
        let fence = match self.is_open {
            true => Fence::default(),
            false => Fence::of_plugin(self.tree, root),
        };
        for agent in listed.agents {
            let path = root.join(without_dot(&agent.written));
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
                true if self.tree.own_kind(&path) == Err(FileError::Missing) => {
                    listed.absent(agent, place.source_of(&listed.manifest.path))
                }
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
                entries: listed.agents.len(),
            },
            unit: index,
            above: None,
        });
    }

    /// Adds the files that lie where the agents of a plugin usually are, and that its manifest does
    /// not name.
    fn note_unlisted(
        &mut self,
        level: Level,
        folder: &Path,
        listed: &Listed<'_>,
        files: &Files<'_>,
    ) {
        let place = Place {
            level,
            index: self.found.places.len() - 1,
            path: folder,
            files,
        };
        // Compared part by part: `./a` and `a` are one path.
        let parts = |path: &Path| -> Vec<PathBuf> {
            let parts = path.components().filter(|part| *part != Component::CurDir);
            parts.map(|part| PathBuf::from(part.as_os_str())).collect()
        };
        let is_named = |path: &Path| {
            let mut agents = listed.agents.iter();
            agents.any(|agent| parts(&listed.root.join(&agent.written)) == parts(path))
        };
        let is_deep = files.rules.folders == Folders::Searched;
        let mut left_out = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let items = match places::survey(self.tree, &folder, files.rules.order) {
                Survey::Items(items) => items,
                _ => continue,
            };
            for item in items {
                let path = folder.join(&item.name);
                let is_agent = files.rules.accept(&item.name.to_string_lossy()).is_ok();
                match item.kind {
                    Kind::Folder if is_deep => folders.push(path),
                    Kind::File if is_agent && !is_named(&path) => left_out.push((path, item)),
                    _ => {}
                }
            }
        }
        left_out.sort_by(|one, other| one.0.cmp(&other.0));
        for (path, item) in left_out {
            let mut entry = Entry::unread(&item, place.source_of(&path));
            entry.state = State::Ignored(SkipRule::Unlisted);
            entry
                .diagnostics
                .push(listed.left_out(self.found.dialect.title));
            self.add(entry);
        }
    }

    /// Notes a plugin that is lost for what it says of itself, and with it its agents.
    fn lose_plugin(&mut self, level: Level, root: &Path, lost: LostPlugin) {
        let (manifest, at) = (reported(&lost.path), lost.why.span);
        self.note_manifest(level, root, lost);
        let first = self.found.entries.len();
        let plugins = &self.found.profile.rules.plugins;
        let called = root.file_name().unwrap_or_default().to_string_lossy();
        let files = Files {
            rules: &plugins.files,
            reading: plugins.reading.unwrap_or(&self.found.profile.rules.reading),
            inputs: self.parse_inputs.clone().plugin(called),
            root: Some(root),
            folders_in_names: plugins.folders_in_names,
        };
        let stop = self.found.stop.clone();
        self.visit_with(level, root.join(plugins.folder), true, &files);
        // What the harness does not look at cannot stop it.
        self.found.stop = stop;
        let title = self.found.dialect.title;
        for entry in &mut self.found.entries[first..] {
            if matches!(entry.state, State::Ignored(_)) {
                continue;
            }
            // The harness does not read it.
            for finding in &mut entry.diagnostics {
                finding.harness_says = false;
            }
            let mut finding = Diagnostic::new(
                &rules::INVALID_PLUGIN,
                format!("the agent is lost: its plugin is refused for `{manifest}`"),
            )
            .because(format!(
                "{title} refuses the manifest, and with it the whole plugin"
            ))
            .help("mend the manifest")
            .and_in(manifest.as_str(), at, "the plugin is refused for this");
            finding.span = entry.name_place();
            entry.diagnostics.push(finding);
            entry.state = State::Ignored(SkipRule::LostPlugin);
            entry.parsed = None;
        }
    }

    fn note_manifest(&mut self, level: Level, root: &Path, lost: LostPlugin) {
        let lost_rules = self.found.profile.rules.plugins.manifest;
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
        let mut why = lost.why.said_by_harness();
        if let (true, Some(rules)) = (self.parse_inputs.with_fixes, lost_rules) {
            let refused = Refused {
                tree: self.tree,
                root,
                bytes: &lost.bytes,
                rules,
                folder: self.found.profile.rules.plugins.folder,
            };
            why.fix = refused.fix().map(Box::new);
        }
        entry.bytes = Some(lost.bytes.into());
        entry.diagnostics.push(why);
        self.add(entry);
        self.found.places.push(Searched {
            level,
            path: root.to_owned(),
            extent: Extent::Folder,
            state: PlaceState::Listed { entries: 1 },
            unit: self.found.places.len(),
            above: None,
        });
    }
}

/// The agents that a manifest names.
struct Listed<'a> {
    manifest: &'a Manifest,
    root: &'a Path,
    agents: &'a [ListedAgent],
}

impl Listed<'_> {
    /// Makes the entry of an agent whose file is not there: all that there is of it is its path in
    /// the manifest.
    fn absent(&self, agent: &ListedAgent, source: Source) -> Entry {
        let finding = Diagnostic::new(
            &rules::UNREADABLE_FILE,
            format!("there is no file `{}`", agent.written),
        )
        .at(agent.at)
        .because("the manifest names it as an agent")
        .help("write the path of a file in the plugin, or take it off the list");
        let source = Source {
            inside: Some(format!("agents.{}", without_dot(&agent.written))),
            ..source
        };
        Entry {
            diagnostics: vec![finding.said_by_harness()],
            bytes: Some(self.manifest.bytes.clone().into()),
            ..Entry::named(without_dot(&agent.written), source)
        }
    }

    /// Tells of a file that is not read, because the manifest names others.
    fn left_out(&self, title: &str) -> Diagnostic {
        let at = self.agents.first().map(|agent| agent.at);
        let (names, instead) = match at {
            Some(_) => ("other agents", "these are read instead"),
            None => ("no agent", "its list is empty"),
        };
        let finding = Diagnostic::new(
            &rules::SKIPPED_FILE,
            format!("the file is passed over, because the manifest of its plugin names {names}"),
        )
        // The file was not read, but whatever it is, it begins there.
        .at(Span::default())
        .because(format!(
            "{title} reads the files that a manifest names instead of those in the usual folder"
        ))
        .help("name the file in the manifest too, or take the key out")
        .and_in(reported(&self.manifest.path), at, instead);
        Diagnostic {
            severity: Severity::Warning,
            ..finding
        }
    }
}

/// Returns a path without the `./` that manifests put before it.
fn without_dot(written: &str) -> String {
    let path = written.strip_prefix("./").unwrap_or(written);
    path.to_owned()
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
        Ok((name, agents)) => Ok(Some(Manifest {
            name,
            path,
            bytes,
            agents,
        })),
        Err(why) => Err(Box::new(LostPlugin {
            path,
            bytes,
            why: why.because(format!(
                "{title} refuses the manifest, and with it the whole plugin"
            )),
        })),
    }
}

/// The name of a plugin, and the agents that it names.
pub(crate) type Said = (String, Option<Vec<ListedAgent>>);

/// Takes from a manifest what it says.
///
/// # Errors
/// What loses the whole plugin.
pub(crate) fn interpret(node: &Node, manifest: ManifestRules) -> Result<Said, Box<Diagnostic>> {
    let invalid = |node: &Node, message: String, help: &'static str| {
        let finding = Diagnostic::new(&rules::INVALID_PLUGIN, message);
        Box::new(finding.at(node.span).help(help))
    };
    let member = |key: &str| Some(&node.as_map()?.get(key)?.value);
    let name = member(manifest.name_key).and_then(Node::as_text);
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        let message = format!("the manifest has no usable `{}`", manifest.name_key);
        return Err(invalid(node, message, "give the plugin a name"));
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
                        agents.push(ListedAgent {
                            written: text.to_owned(),
                            at: path.span,
                        });
                    }
                    _ => {
                        return Err(invalid(
                            path,
                            format!("each agent has to be a path from `{start}` to a `.md` file"),
                            "name the files of its agents one by one",
                        ));
                    }
                }
            }
            Some(agents)
        }
    };
    Ok((name.to_owned(), agents))
}
