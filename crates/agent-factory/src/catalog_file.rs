//! Catalogs that stand in a file: the tools, the models or the MCP servers of a harness, as YAML or
//! JSON.
//!
//! Tools are a list of names, or a map whose keys are the names. Models are a map from the names
//! that agents write to the names that the provider knows:
//!
//! ```yaml
//! fast: vendor/small-2
//! careful: vendor/large-7
//! ```
//!
//! Servers are a list of names, or a map from names to settings, which may stand below one of the
//! keys that harnesses use for it: `mcpServers`, `mcp` or `servers`.

use std::path::{Path, PathBuf};

use agent_discovery::{FileError, FileTree};
use agent_schema::text::MappedText;
use agent_schema::{Diagnostic, LineColumn, LineIndex, Node, Span, yaml};

use crate::catalog::{McpSet, ModelSet, ToolSet};
use crate::config::LanguageModel;

/// The largest catalog that is read, in bytes.
pub const LARGEST_CATALOG: usize = 1 << 20;

/// Why a catalog cannot be used. Fits behind "failed to …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read the catalog `{}`{}: {reason}", .path.display(), .at.map(|at| format!(" at {at}")).unwrap_or_default())]
pub struct CatalogError {
    path: PathBuf,
    at: Option<LineColumn>,
    reason: String,
}

impl CatalogError {
    /// Returns the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the line and column of what is wrong, if it has a place in the file.
    #[must_use]
    pub fn at(&self) -> Option<LineColumn> {
        self.at
    }
}

impl ToolSet {
    /// Reads the tools of a harness from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is neither a list of texts nor a map with texts as keys.
    pub fn from_file(tree: &dyn FileTree, path: &Path) -> Result<Self, CatalogError> {
        let file = CatalogFile::read(tree, path)?;
        let names: Vec<&Node> = match (file.root.as_list(), file.root.as_map()) {
            (Some(items), _) => items.iter().collect(),
            (None, Some(map)) => map.entries.iter().map(|entry| &entry.key).collect(),
            (None, None) => {
                return Err(file.error(file.root.span, "this must be a list of tools, or a map"));
            }
        };
        names
            .into_iter()
            .map(|name| file.text(name, "the name of a tool must be a text"))
            .collect()
    }
}

impl ModelSet {
    /// Reads the models of a harness from a file. The name that agents write is also the one under
    /// which the costs are counted.
    ///
    /// # Errors
    /// If the file cannot be read, or is no map from texts to texts.
    pub fn from_file(tree: &dyn FileTree, path: &Path) -> Result<Self, CatalogError> {
        let file = CatalogFile::read(tree, path)?;
        let Some(map) = file.root.as_map() else {
            return Err(file.error(file.root.span, "this must be a map from names to models"));
        };
        let mut models = ModelSet::new();
        for entry in &map.entries {
            let name = file.text(&entry.key, "the name of a model must be a text")?;
            let model = file.text(&entry.value, "the model must be a text: `vendor/name`")?;
            let usage_id = name.clone();
            models.add(name, LanguageModel { model, usage_id });
        }
        Ok(models)
    }
}

/// The keys below which harnesses keep servers.
const SERVER_KEYS: [&str; 3] = ["mcpServers", "mcp", "servers"];

impl McpSet {
    /// Reads the MCP servers of a harness from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is neither a list of texts nor a map from texts to servers.
    pub fn from_file(tree: &dyn FileTree, path: &Path) -> Result<Self, CatalogError> {
        let file = CatalogFile::read(tree, path)?;
        let below = file.root.as_map().and_then(|map| {
            let mut keys = SERVER_KEYS.iter();
            keys.find_map(|key| map.get(key))
        });
        let servers = below.map_or(&file.root, |entry| &entry.value);
        let no_name = "the name of a server must be a text";
        let mut set = McpSet::new();
        match (servers.as_list(), servers.as_map()) {
            (Some(names), _) => {
                for name in names {
                    set.add(file.text(name, no_name)?);
                }
            }
            (None, Some(map)) => {
                for entry in &map.entries {
                    let name = file.text(&entry.key, no_name)?;
                    match entry.value.as_map() {
                        Some(_) => set.configure(name, entry.value.clone()),
                        None => set.add(name),
                    }
                }
            }
            (None, None) => {
                let reason = "this must be a list of servers, or a map";
                return Err(file.error(servers.span, reason));
            }
        }
        Ok(set)
    }
}

/// A file that was read.
struct CatalogFile<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
    root: Node,
}

impl<'a> CatalogFile<'a> {
    fn read(tree: &dyn FileTree, path: &'a Path) -> Result<Self, CatalogError> {
        let error = |reason: String| CatalogError {
            path: path.to_owned(),
            at: None,
            reason,
        };
        let bytes = tree
            .read(path, LARGEST_CATALOG)
            .map_err(|trouble: FileError| error(trouble.to_string()))?;
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| error("it is not UTF-8".to_owned()))?
            .to_owned();
        let empty = Node::default_at(agent_schema::Value::Null, Span::default());
        let mut file = CatalogFile {
            path,
            bytes,
            root: empty,
        };
        match yaml::read(&MappedText::plain(&text), &yaml::NPM_YAML) {
            Ok(root) => {
                if let Some(root) = root {
                    file.root = root;
                }
                Ok(file)
            }
            Err(trouble) => {
                let finding = Diagnostic::from(trouble);
                Err(file.error(finding.span.unwrap_or_default(), &finding.message))
            }
        }
    }

    fn text(&self, node: &Node, reason: &str) -> Result<String, CatalogError> {
        let text = node.as_text().map(str::to_owned);
        text.ok_or_else(|| self.error(node.span, reason))
    }

    fn error(&self, span: Span, reason: &str) -> CatalogError {
        let lines = LineIndex::new(&self.bytes);
        CatalogError {
            path: self.path.to_owned(),
            at: Some(lines.line_column(&self.bytes, span.start)),
            reason: reason.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use agent_discovery::MemoryTree;

    use super::*;
    use crate::catalog::{McpCatalog, ModelCatalog, ToolCatalog};

    fn tree(text: &str) -> MemoryTree {
        let mut tree = MemoryTree::new();
        tree.write("/c.yaml", text);
        tree
    }

    fn tools(text: &str) -> Result<Vec<String>, String> {
        let set = ToolSet::from_file(&tree(text), Path::new("/c.yaml"));
        let set = set.map_err(|error| error.to_string())?;
        Ok(set.names().into_iter().map(str::to_owned).collect())
    }

    #[test]
    fn tools_are_a_list_or_keys() {
        let expected = Ok(vec!["read".to_owned(), "write".to_owned()]);
        assert_eq!(tools("- read\n- write\n"), expected);
        assert_eq!(tools("[\"read\", \"write\"]"), expected);
        assert_eq!(tools("read: {}\nwrite: {}\n"), expected);
        let error = "read the catalog `/c.yaml` at 2:3: the name of a tool must be a text";
        assert_eq!(tools("- read\n- 7\n"), Err(error.to_owned()));
        assert!(tools("{").is_err_and(|error| error.starts_with("read the catalog `/c.yaml` at")));
        assert!(tools("").is_err());
    }

    #[test]
    fn servers_are_a_list_or_stand_below_a_key() {
        let servers = |text: &str| McpSet::from_file(&tree(text), Path::new("/c.yaml"));
        let secret = r#"{"mcpServers": {"docs": {"env": {"TOKEN": "hunter2"}}, "shop": null}}"#;
        let set = servers(secret).expect("it is a map");
        assert_eq!(set.names(), ["docs", "shop"]);
        assert!(set.get("docs").is_some() && set.get("shop").is_none());
        assert_eq!(format!("{set:?}"), r#"{"docs", "shop"}"#);
        let set = servers("- docs\n- shop\n").expect("it is a list");
        assert_eq!(set.names(), ["docs", "shop"]);
        assert!(servers("7").is_err_and(|error| error.at().is_some()));
    }

    #[test]
    fn models_are_a_map() {
        let set = ModelSet::from_file(&tree("fast: vendor/small"), Path::new("/c.yaml"));
        let found = set.expect("it is a map").look_up("fast", None).found;
        assert_eq!(found.expect("it is there").model.model, "vendor/small");
        let none = ModelSet::from_file(&tree("x"), Path::new("/none.yaml"));
        assert!(none.expect_err("no file").at().is_none());
    }
}
