//! Manifests of plugins that lose their plugin: how they are mended.
//!
//! As any fix, one of these is offered only once the mended manifest was read by the same rules.

use std::path::{Component, Path, PathBuf};

use agent_schema::dialect::{ManifestRules, NameOrder};
use agent_schema::fix::apply;
use agent_schema::text::MappedText;
use agent_schema::value::Entry;
use agent_schema::{Applicability, Edit, Fix, Node, Span, json};

use crate::fence::Fence;
use crate::file_tree::{FileTree, Kind};
use crate::places::{Survey, survey};
use crate::plugin::{ENCODING, interpret};

/// The most files of a folder that are listed instead of it.
const MOST_FILES: usize = 64;

/// A plugin whose manifest is refused.
pub(crate) struct Refused<'a> {
    pub(crate) tree: &'a dyn FileTree,
    /// The folder of the plugin.
    pub(crate) root: &'a Path,
    /// The manifest.
    pub(crate) bytes: &'a [u8],
    pub(crate) rules: ManifestRules,
    /// The folder in which agents are searched if the manifest names none.
    pub(crate) folder: &'static str,
}

/// What a path of a manifest was meant to be.
enum Meant {
    /// What it is.
    AsWritten,
    /// This path.
    Path(String),
    /// The folder that is searched anyway.
    OwnFolder,
    /// These files, all of a folder.
    Files(Vec<String>),
}

impl Refused<'_> {
    /// Returns how the manifest is mended.
    pub(crate) fn fix(&self) -> Option<Fix> {
        let root = self.read(self.bytes)?;
        let fix = self.paths(&root).or_else(|| self.name(&root))?;
        let mended = apply(self.bytes, &fix.edits)?;
        interpret(&self.read(&mended)?, self.rules)
            .is_ok()
            .then_some(fix)
    }

    fn read(&self, bytes: &[u8]) -> Option<Node> {
        let text = MappedText::decode(bytes, ENCODING).ok()?;
        json::read(&text, json::JAVASCRIPT).ok()
    }

    /// Writes the paths of agents as the harness wants them.
    fn paths(&self, root: &Node) -> Option<Fix> {
        let map = root.as_map()?;
        let entry = map.get(self.rules.agents_key)?;
        let listed = entry.value.as_list();
        let nodes = listed.unwrap_or_else(|| std::slice::from_ref(&entry.value));
        let meant: Option<Vec<Meant>> = nodes.iter().map(|node| self.meant(node)).collect();
        let meant = meant.filter(|meant| !meant.is_empty())?;
        let key = self.rules.agents_key;
        if meant.iter().all(|it| matches!(it, Meant::OwnFolder)) {
            return Some(Fix {
                title: format!("remove `{key}`, as the folder is searched anyway"),
                applicability: Applicability::Safe,
                edits: vec![self.removal(&map.entries, entry)?],
            });
        }
        let mut edits = Vec::new();
        for (node, meant) in nodes.iter().zip(&meant) {
            let paths = match meant {
                Meant::AsWritten => continue,
                Meant::Path(path) => vec![path.clone()],
                Meant::Files(paths) => paths.clone(),
                Meant::OwnFolder => self.files_of(Path::new(self.folder))?,
            };
            let quoted: Vec<String> = paths.iter().map(|path| format!("\"{path}\"")).collect();
            let text = match (quoted.as_slice(), listed) {
                ([one], _) => one.clone(),
                (_, Some(_)) => quoted.join(", "),
                (_, None) => format!("[{}]", quoted.join(", ")),
            };
            edits.push(Edit {
                span: node.span,
                text,
            });
        }
        let lists_folder = meant
            .iter()
            .any(|it| matches!(it, Meant::Files(_) | Meant::OwnFolder));
        Some(Fix {
            title: match lists_folder {
                true => "list the files of the folder".to_owned(),
                false => format!("begin the paths with `{}`", self.rules.path_start),
            },
            applicability: Applicability::Safe,
            edits,
        })
    }

    fn meant(&self, node: &Node) -> Option<Meant> {
        let text = node.as_text()?;
        let path = plain(text)?;
        let start = self.rules.path_start;
        let whole = self.root.join(&path);
        if !Fence::of_plugin(self.tree, self.root).lets(self.tree, &whole) {
            return None;
        }
        match self.tree.kind(&whole).ok()? {
            Kind::Folder if path == Path::new(self.folder) => Some(Meant::OwnFolder),
            Kind::Folder => self.files_of(&path).map(Meant::Files),
            Kind::File if !text.ends_with(".md") => None,
            Kind::File if text.starts_with(start) => Some(Meant::AsWritten),
            Kind::File => Some(Meant::Path(written(&path, start)?)),
            _ => None,
        }
    }

    /// Lists the agent files in a folder and the folders below it.
    fn files_of(&self, folder: &Path) -> Option<Vec<String>> {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let Survey::Items(items) =
                survey(self.tree, &self.root.join(&folder), NameOrder::CodePoint)
            else {
                return None;
            };
            for item in items {
                let path = folder.join(&item.name);
                match item.kind {
                    Kind::Folder => folders.push(path),
                    Kind::File if path.extension().is_some_and(|it| it == "md") => {
                        files.push(written(&path, self.rules.path_start)?);
                    }
                    _ => {}
                }
            }
            if files.len() > MOST_FILES || folders.len() > MOST_FILES {
                return None;
            }
        }
        files.sort();
        (!files.is_empty()).then_some(files)
    }

    /// Gives the plugin the name of its folder.
    fn name(&self, root: &Node) -> Option<Fix> {
        let map = root.as_map()?;
        let key = self.rules.name_key;
        let name = self.root.file_name()?.to_str()?;
        let is_simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if !name.chars().all(is_simple) {
            return None;
        }
        let edit = match map.get(key) {
            Some(entry) => Edit {
                span: entry.value.span,
                text: format!("\"{name}\""),
            },
            None => {
                let at = root.span.start + 1;
                let rest = if map.entries.is_empty() { "" } else { "," };
                Edit {
                    span: Span::new(at, at),
                    text: format!(" \"{key}\": \"{name}\"{rest}"),
                }
            }
        };
        Some(Fix {
            title: format!("call the plugin `{name}`, as its folder"),
            applicability: Applicability::Unsafe,
            edits: vec![edit],
        })
    }

    /// Makes the edit that takes an entry out, with the comma that parts it from the others.
    fn removal(&self, entries: &[Entry], entry: &Entry) -> Option<Edit> {
        let at = entries
            .iter()
            .position(|other| std::ptr::eq(other, entry))?;
        let before = at.checked_sub(1).and_then(|before| entries.get(before));
        let span = match (before, entries.get(at + 1)) {
            (Some(before), _) => Span::new(before.value.span.end, entry.value.span.end),
            (None, Some(behind)) => Span::new(entry.key.span.start, behind.key.span.start),
            (None, None) => return None,
        };
        Some(Edit {
            span,
            text: String::new(),
        })
    }
}

/// Returns a path without dots at its beginning; nothing if it leads out of the plugin.
fn plain(text: &str) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in Path::new(text).components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => plain.push(part),
            _ => return None,
        }
    }
    (!plain.as_os_str().is_empty()).then_some(plain)
}

/// Writes a path as the manifest has it; nothing if it would need escapes.
fn written(path: &Path, start: &str) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    let path = parts?.join("/");
    let is_plain = !path.contains(['"', '\\']) && !path.chars().any(char::is_control);
    is_plain.then(|| format!("{start}{path}"))
}
