//! Skills that settings name: paths, patterns that choose among them, and packages.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use agent_schema::dialect::NameOrder;
use agent_schema::json;
use agent_schema::parse::LARGEST_FILE;
use agent_schema::skill_rules::{SettingsFile, SkillScan};
use agent_schema::text::MappedText;
use agent_schema::value::Node;

use crate::fence::Fence;
use crate::file_tree::{FileTree, Kind};
use crate::glob::Wildcards;
use crate::inputs::Inputs;
use crate::places;
use crate::reported::reported;
use crate::skill_file::SkillFile;
use crate::skill_scan::{self, Scanned, below};

/// What a file of settings says about skills.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// The folder that its paths are relative to.
    base: PathBuf,
    /// The entries of its list: paths, and patterns that choose among what the paths bring.
    entries: Vec<String>,
    packages: Vec<Package>,
    /// How far its paths may lead.
    fence: Fence,
}

/// A package that settings name.
#[derive(Debug)]
struct Package {
    source: String,
    /// The patterns that choose among its skills; unset if all of them count.
    filter: Option<Vec<String>>,
    /// Whether what the filter does not name counts.
    autoload: bool,
    /// When the folder for skills counts in the place of the manifest.
    folder: FolderCounts,
}

/// When the folder of a package counts in the place of its manifest: it depends on how the
/// settings name the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FolderCounts {
    /// While the manifest lists nothing at all.
    NoManifest,
    /// While the manifest has no list of skills.
    NoList,
    /// While the manifest has no list of skills, or an empty one.
    Unlisted,
}

/// A skill that settings bring, and whether they switch it on.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) scanned: Scanned,
    pub(crate) switched_on: bool,
}

/// Reads a file of settings. One that is not there, or is no map, says nothing.
pub(crate) fn read(tree: &dyn FileTree, rules: &SettingsFile, inputs: &Inputs) -> Settings {
    let Some(base) = places::base_folder(tree, rules.place.base, inputs) else {
        return Settings::default();
    };
    let base = base.join(rules.place.folder);
    let root = read_json(tree, &base.join(rules.name));
    let map = root.as_ref().and_then(Node::as_map);
    let list = |key| {
        let value = map.and_then(|map| map.get(key)).map(|entry| &entry.value);
        value.and_then(Node::as_list).unwrap_or_default()
    };
    Settings {
        entries: texts(list("skills")),
        packages: list("packages").iter().filter_map(package).collect(),
        fence: Fence::around(tree, rules.place.base, inputs),
        base,
    }
}

/// Reads a file of JSON; nothing if it is not there or is none.
pub(crate) fn read_json(tree: &dyn FileTree, path: &Path) -> Option<Node> {
    let bytes = tree.read(path, LARGEST_FILE).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    json::read(&MappedText::plain(text), json::JAVASCRIPT).ok()
}

fn texts(list: &[Node]) -> Vec<String> {
    let texts = list.iter().filter_map(Node::as_text);
    texts.map(str::to_owned).collect()
}

fn package(node: &Node) -> Option<Package> {
    if let Some(source) = node.as_text() {
        return Some(Package {
            source: source.to_owned(),
            filter: None,
            autoload: true,
            folder: FolderCounts::NoManifest,
        });
    }
    let map = node.as_map()?;
    let filter = map.get("skills").and_then(|entry| entry.value.as_list());
    let autoload = map.get("autoload").map(|entry| entry.value.get());
    Some(Package {
        source: map.get("source")?.value.as_text()?.to_owned(),
        filter: filter.map(texts),
        autoload: autoload != Some(&agent_schema::Value::Bool(false)),
        folder: match filter {
            Some(_) => FolderCounts::Unlisted,
            None => FolderCounts::NoList,
        },
    })
}

impl Settings {
    /// Returns the skills of the paths that the settings list. Paths that lead too far are added to
    /// a list.
    pub(crate) fn listed(
        &self,
        tree: &dyn FileTree,
        rules: &SettingsFile,
        inputs: &Inputs,
        refused: &mut Vec<PathBuf>,
    ) -> Vec<Named> {
        let is_pattern = |entry: &&String| {
            rules.patterns && (entry.starts_with(['!', '+', '-']) || has_wildcard(entry))
        };
        let (patterns, paths): (Vec<&String>, Vec<&String>) =
            self.entries.iter().partition(is_pattern);
        let paths = paths
            .into_iter()
            .map(|path| resolve(path, &self.base, inputs));
        let paths = self.fence.kept(tree, paths, refused);
        let files: Vec<Scanned> = paths
            .into_iter()
            .flat_map(|path| files_at(tree, &path, rules.scan))
            .collect();
        chosen(files, patterns, &self.base)
    }

    /// Returns whether the patterns switch off a skill that the harness found by itself. Their
    /// paths are relative to the folder around the one that was searched.
    pub(crate) fn switch_off(&self, path: &Path, searched: &Path) -> bool {
        let base = searched.parent().unwrap_or(searched);
        let mut switched_on = true;
        for (sign, fits) in [
            ('!', fits_pattern as fn(&Path, &str, &Path) -> bool),
            ('+', fits_exactly),
            ('-', fits_exactly),
        ] {
            let mut signed = self
                .entries
                .iter()
                .filter_map(|entry| entry.strip_prefix(sign));
            if signed.any(|pattern| fits(path, pattern, base)) {
                switched_on = sign == '+';
            }
        }
        !switched_on
    }

    /// Returns the skills of the packages that the settings name. Paths that lead too far are added
    /// to a list.
    pub(crate) fn packaged(
        &self,
        tree: &dyn FileTree,
        rules: &SettingsFile,
        inputs: &Inputs,
        refused: &mut Vec<PathBuf>,
    ) -> Vec<Named> {
        let mut named = Vec::new();
        for package in &self.packages {
            named.extend(self.of_package(tree, rules, inputs, package, refused));
        }
        named
    }

    fn of_package(
        &self,
        tree: &dyn FileTree,
        rules: &SettingsFile,
        inputs: &Inputs,
        package: &Package,
        refused: &mut Vec<PathBuf>,
    ) -> Vec<Named> {
        let root = self.package_root(&package.source, inputs);
        let Some(root) = self.fence.kept(tree, root, refused).pop() else {
            return Vec::new();
        };
        if tree.kind(&root) != Ok(Kind::Folder) {
            return Vec::new();
        }
        let all = self.package_files(tree, rules, package.folder, &root, refused);
        match &package.filter {
            None if package.autoload => all,
            None => Vec::new(),
            Some(patterns) if package.autoload => {
                let files: Vec<Scanned> = all
                    .into_iter()
                    .filter(|named| named.switched_on)
                    .map(|named| named.scanned)
                    .collect();
                // An empty list switches everything off.
                match patterns.is_empty() {
                    true => files.into_iter().map(|file| file.named(false)).collect(),
                    false => chosen(files, patterns.iter().collect(), &root),
                }
            }
            Some(patterns) => named_alone(all, patterns, &root),
        }
    }

    /// Returns the folder of a package. What is not on the disk yet is not fetched.
    fn package_root(&self, source: &str, inputs: &Inputs) -> Option<PathBuf> {
        let source = source.trim();
        if let Some(spec) = source.strip_prefix("npm:") {
            let spec = spec.trim();
            // The first `@` may belong to the name.
            let version = spec.char_indices().skip(1).find(|(_, c)| *c == '@');
            let name = &spec[..version.map_or(spec.len(), |(at, _)| at)];
            return Some(self.base.join("npm/node_modules").join(name));
        }
        if let Some(repository) = source.strip_prefix("git:") {
            let repository = repository
                .trim()
                .split(['@', '#'])
                .next()
                .unwrap_or_default();
            let repository = repository.strip_suffix(".git").unwrap_or(repository);
            return Some(self.base.join("git").join(repository));
        }
        let is_elsewhere = ["github:", "http:", "https:", "ssh:", "builtin:"];
        match is_elsewhere.iter().any(|prefix| source.starts_with(prefix)) {
            true => None,
            false => Some(resolve(source, &self.base, inputs)),
        }
    }

    /// Returns all skills of a package: those that its manifest lists, or those of its folder.
    fn package_files(
        &self,
        tree: &dyn FileTree,
        rules: &SettingsFile,
        folder_counts: FolderCounts,
        root: &Path,
        refused: &mut Vec<PathBuf>,
    ) -> Vec<Named> {
        let manifest = read_json(tree, &root.join("package.json"));
        let pi = manifest
            .as_ref()
            .and_then(Node::as_map)
            .and_then(|map| map.get("pi"))
            .and_then(|entry| entry.value.as_map());
        let resources = |key: &str| {
            let list = pi?.get(key)?.value.as_list()?;
            let entries = texts(list);
            (entries.len() == list.len()).then_some(entries)
        };
        let listed = resources("skills")
            .filter(|entries| folder_counts != FolderCounts::Unlisted || !entries.is_empty());
        let Some(entries) = listed else {
            let lists_others = ["extensions", "prompts", "themes"]
                .iter()
                .any(|key| resources(key).is_some());
            // A manifest that lists other things has no skills, unless the settings choose among them.
            let has_none = lists_others && folder_counts == FolderCounts::NoManifest;
            let folder = rules.package_folder.filter(|_| !has_none);
            let files = folder.map(|folder| files_at(tree, &root.join(folder), rules.scan));
            let files = files.unwrap_or_default().into_iter();
            return files.map(|file| file.named(true)).collect();
        };
        let is_choice = |entry: &&String| rules.patterns && entry.starts_with(['!', '+', '-']);
        let (choices, paths): (Vec<&String>, Vec<&String>) = entries.iter().partition(is_choice);
        let mut files = Vec::new();
        for path in paths {
            if rules.patterns && has_wildcard(path) {
                for found in expand(tree, root, path) {
                    files.extend(files_at(tree, &found, rules.scan));
                }
            } else {
                let path = normal(&root.join(path));
                for path in self.fence.kept(tree, [path], refused) {
                    files.extend(files_at(tree, &path, rules.scan));
                }
            }
        }
        let chosen = chosen(files, choices, root).into_iter();
        chosen.filter(|named| named.switched_on).collect()
    }
}

impl Scanned {
    fn named(self, switched_on: bool) -> Named {
        Named {
            scanned: self,
            switched_on,
        }
    }
}

/// Returns the paths below a folder that fit a pattern, sorted; hidden ones do not count.
fn expand(tree: &dyn FileTree, root: &Path, pattern: &str) -> Vec<PathBuf> {
    const DEEPEST: usize = 32;
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let mut found = Vec::new();
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let places::Survey::Items(items) = places::survey(tree, &folder, NameOrder::CodePoint)
        else {
            continue;
        };
        for item in items {
            if item.name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = folder.join(&item.name);
            if Wildcards::Minimatch.fit(pattern, &below(&path, root)) {
                found.push(path.clone());
            }
            if item.kind == Kind::Folder && depth < DEEPEST {
                folders.push((path, depth + 1));
            }
        }
    }
    found.sort();
    found
}

/// Returns the skills at a path: the file itself, or those of the folder.
pub(crate) fn files_at(tree: &dyn FileTree, path: &Path, scan: &SkillScan) -> Vec<Scanned> {
    match tree.kind(path) {
        Ok(Kind::File) => vec![file_at(path)],
        Ok(Kind::Folder) => skill_scan::scan(tree, path, scan),
        _ => Vec::new(),
    }
}

/// A file that is named by its own path.
pub(crate) fn file_at(path: &Path) -> Scanned {
    let is_own = path.file_name().is_some_and(|name| name == "SKILL.md");
    Scanned {
        path: path.to_owned(),
        file: match is_own {
            true => SkillFile::Folder,
            false => SkillFile::Loose,
        },
        missed: None,
    }
}

/// Chooses among files: patterns without a sign bring in, `!` takes away, `+` puts back, `-` takes
/// away for good.
fn chosen(files: Vec<Scanned>, patterns: Vec<&String>, base: &Path) -> Vec<Named> {
    let signed = |sign: char| {
        let patterns = patterns.iter();
        patterns.filter_map(move |pattern| pattern.strip_prefix(sign))
    };
    let plain = |pattern: &&&String| !pattern.starts_with(['!', '+', '-']);
    let brought: Vec<&&String> = patterns.iter().filter(plain).collect();
    let is_on = |path: &Path| {
        let mut on = brought.is_empty()
            || brought
                .iter()
                .any(|pattern| fits_pattern(path, pattern, base));
        on &= !signed('!').any(|pattern| fits_pattern(path, pattern, base));
        on |= signed('+').any(|pattern| fits_exactly(path, pattern, base));
        on && !signed('-').any(|pattern| fits_exactly(path, pattern, base))
    };
    let files = files.into_iter();
    files
        .map(|file| {
            let switched_on = is_on(&file.path);
            file.named(switched_on)
        })
        .collect()
}

/// Chooses only what patterns name, one after the other.
fn named_alone(files: Vec<Named>, patterns: &[String], base: &Path) -> Vec<Named> {
    let mut seen = HashSet::new();
    let mut named = Vec::new();
    for file in files.into_iter().filter(|file| file.switched_on) {
        let path = &file.scanned.path;
        let decide = |pattern: &String| {
            let sign = pattern
                .chars()
                .next()
                .filter(|c| matches!(c, '!' | '+' | '-'));
            let rest = &pattern[sign.map_or(0, char::len_utf8)..];
            let fits = match sign {
                Some('+' | '-') => fits_exactly(path, rest, base),
                _ => fits_pattern(path, rest, base),
            };
            fits.then_some(!matches!(sign, Some('!' | '-')))
        };
        let last = patterns.iter().rev().find_map(decide);
        if let Some(switched_on) = last
            && seen.insert(path.clone())
        {
            named.push(file.scanned.named(switched_on));
        }
    }
    named
}

fn has_wildcard(entry: &str) -> bool {
    entry.contains(['*', '?'])
}

/// Returns whether a pattern fits a skill: by its path below the base, its name or its whole path,
/// and if it is a `SKILL.md` also by those of its folder.
fn fits_pattern(path: &Path, pattern: &str, base: &Path) -> bool {
    targets(path, base, true)
        .iter()
        .any(|target| Wildcards::Minimatch.fit(pattern, target))
}

fn fits_exactly(path: &Path, pattern: &str, base: &Path) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    targets(path, base, false)
        .iter()
        .any(|target| target == pattern)
}

/// The texts that stand for a skill in patterns.
fn targets(path: &Path, base: &Path, with_names: bool) -> Vec<String> {
    let of = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = with_names.then(|| name.into_owned());
        [Some(below(path, base)), Some(reported(path)), name]
    };
    let is_own = path.file_name().is_some_and(|name| name == "SKILL.md");
    let folder = path.parent().filter(|_| is_own);
    let paths = std::iter::once(path).chain(folder);
    paths.flat_map(of).flatten().collect()
}

/// Returns the path that a setting means.
pub(crate) fn resolve(written: &str, base: &Path, inputs: &Inputs) -> PathBuf {
    let written = written.trim();
    let written = written.strip_prefix("file://").unwrap_or(written);
    let path = match (written.strip_prefix('~'), &inputs.home) {
        (Some(""), Some(home)) => home.clone(),
        (Some(rest), Some(home)) if rest.starts_with('/') => home.join(&rest[1..]),
        _ => base.join(written),
    };
    normal(&path)
}

/// Returns a path without `.` and `..` parts, whatever links are on the way.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}
