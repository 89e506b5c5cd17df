//! What a search starts from.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a search starts from: the folders and variables that a harness would find by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inputs {
    /// The project folder as given; a relative path stays relative in what is reported.
    pub project: Option<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The variables of the environment that a dialect may ask for.
    pub variables: BTreeMap<String, String>,
    /// Whether the project is searched.
    pub include_project: bool,
    /// Whether the home is searched.
    pub include_user: bool,
    /// Which files that settings refer to are read.
    pub references: References,
}

/// Which files are read that settings refer to and whose text they take in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum References {
    /// Those below the folder of the settings.
    #[default]
    BelowSettings,
    /// All of them, as the harness does.
    All,
}

impl Default for Inputs {
    fn default() -> Self {
        Inputs {
            project: None,
            home: None,
            variables: BTreeMap::new(),
            include_project: true,
            include_user: true,
            references: References::default(),
        }
    }
}

impl Inputs {
    /// Makes inputs without any folder; all levels are searched once they have one.
    #[must_use]
    pub fn new() -> Self {
        Inputs::default()
    }

    /// Sets the project folder.
    #[must_use]
    pub fn project(mut self, folder: impl Into<PathBuf>) -> Self {
        self.project = Some(folder.into());
        self
    }

    /// Sets the home.
    #[must_use]
    pub fn home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.home = Some(folder.into());
        self
    }

    /// Sets a variable of the environment.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Lets all files be read that settings refer to, wherever they lie.
    #[must_use]
    pub fn all_references(mut self) -> Self {
        self.references = References::All;
        self
    }

    /// Leaves the project out.
    #[must_use]
    pub fn without_project(mut self) -> Self {
        self.include_project = false;
        self
    }

    /// Leaves the home out.
    #[must_use]
    pub fn without_user(mut self) -> Self {
        self.include_user = false;
        self
    }
}
