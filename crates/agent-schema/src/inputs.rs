//! What a file means may depend on where it lies: what a parse is told beside the bytes.

use crate::diagnostic::Severity;
use crate::limits::Limits;

/// What is known about a file beside its name and bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseInputs {
    /// The plugin that the file belongs to, if it belongs to one.
    pub plugin: Option<String>,
    /// The folders between the agents of the plugin and the file, where they are part of the name.
    pub plugin_folders: Vec<String>,
    /// The main workspace, as a path text, for harnesses that resolve paths against it.
    pub main_workspace: Option<String>,
    /// Whether the file is only one of several sources of a definition, which are merged before
    /// anything is concluded from them.
    pub is_part: bool,
    /// Whether the definition is what one layer of a roster says about an agent.
    pub is_of_layer: bool,
    /// The name of the folder that holds the file.
    pub folder: Option<String>,
    /// Whether findings shall come with fixes. Each fix costs at least one more parse.
    pub with_fixes: bool,
    /// The least severity of findings that come with fixes, if any do.
    pub fixes_from: Severity,
    /// How much of the file is read, at most.
    pub limits: Limits,
    /// Whether tokens that are left in the values (`{env:NAME}`, `{file:PATH}`) stand for something
    /// that was not looked at.
    pub has_tokens: bool,
}

impl ParseInputs {
    /// Makes inputs that tell nothing.
    #[must_use]
    pub fn new() -> Self {
        ParseInputs::default()
    }

    /// Sets the plugin that the file belongs to.
    #[must_use]
    pub fn plugin(mut self, name: impl Into<String>) -> Self {
        self.plugin = Some(name.into());
        self
    }

    /// Sets the folders between the agents of the plugin and the file.
    #[must_use]
    pub fn plugin_folders(mut self, folders: impl IntoIterator<Item = String>) -> Self {
        self.plugin_folders = folders.into_iter().collect();
        self
    }

    /// Sets the name of the folder that holds the file.
    #[must_use]
    pub fn folder(mut self, name: impl Into<String>) -> Self {
        self.folder = Some(name.into());
        self
    }

    /// Asks for fixes.
    #[must_use]
    pub fn with_fixes(mut self) -> Self {
        self.with_fixes = true;
        self
    }

    /// Sets how much of the file is read, at most.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Says that it is what one layer of a roster says about an agent.
    #[must_use]
    pub fn of_layer(mut self) -> Self {
        self.is_of_layer = true;
        self
    }

    /// Says that other sources may add to the definition.
    #[must_use]
    pub fn part(mut self) -> Self {
        self.is_part = true;
        self
    }

    /// Says whether tokens that are left in the values stand for something unknown.
    #[must_use]
    pub fn tokens(mut self, are_unknown: bool) -> Self {
        self.has_tokens = are_unknown;
        self
    }

    /// Sets the main workspace.
    #[must_use]
    pub fn main_workspace(mut self, path: impl Into<String>) -> Self {
        self.main_workspace = Some(path.into());
        self
    }
}
