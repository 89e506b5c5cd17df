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
    /// Which files and variables that settings refer to are looked at.
    pub references: References,
}

/// What is looked at that settings refer to and whose text they take in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum References {
    /// Files below the folder of the settings, and the variables that are among the inputs; any
    /// other variable may or may not be set.
    #[default]
    BelowSettings,
    /// All files, as the harness does; a variable that is not among the inputs is not set.
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

    /// Lets all files be read that settings refer to, wherever they lie; the variables are all
    /// that there are.
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
