//! The agents of a plugin.

use std::path::Path;

use agent_schema::{Dialect, Level, ParseInputs, Profile};

use crate::discover::{Discovery, Files, Search};
use crate::file_tree::FileTree;

/// Searches a plugin for agents; `root` is the folder of the plugin.
///
/// Source of rule: cases `registry/plugin-*`.
#[must_use]
pub fn discover_plugin(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    root: &Path,
) -> Discovery {
    let plugins = &profile.rules.plugins;
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let files = Files {
        rules: &plugins.files,
        reading: plugins.reading.unwrap_or(&profile.rules.reading),
        inputs: ParseInputs::new().plugin(name),
        root: Some(root),
    };
    let mut search = Search::new(tree, dialect, profile, files);
    search.visit(Level::Plugin, root.join(plugins.folder), true);
    search.finish()
}
