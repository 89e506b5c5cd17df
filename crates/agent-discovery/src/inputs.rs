//! What a search starts from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use agent_schema::{Limits, ParseInputs, Severity};

use crate::told_apart::SearchStart;

/// What a search starts from: the folders and variables that a harness would find by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inputs {
    /// The project folder as given; a relative path stays relative in what is reported.
    pub project: Option<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The folder that holds the layers of a roster, where it is given.
    pub layers: Option<PathBuf>,
    /// The folder of a single layer, whose roster is looked at without any other layer.
    pub only_layer: Option<PathBuf>,
    /// The variables of the environment that a dialect may ask for.
    pub variables: BTreeMap<String, String>,
    /// The workspace, if a program names it.
    pub workspace: Option<PathBuf>,
    /// The user on whose behalf the agents run.
    pub user: Option<String>,
    /// The session in which they run.
    pub session: Option<String>,
    /// Another search than the usual one, by its name in the dialect.
    pub search: Option<String>,
    /// The names of the agents that a program brings, for searches that leave them alone.
    pub taken: Vec<String>,
    /// The folders of packages that are switched on, in the order in which they are given.
    pub packages: Vec<PathBuf>,
    /// Whether the user trusts the project; unset if nobody was asked.
    pub trusted: Option<bool>,
    /// Whether trust is only supposed, to find what waits for it: the words of the project lead no
    /// further than without it.
    pub(crate) only_supposed: bool,
    /// Whether the project is searched.
    pub include_project: bool,
    /// Whether the home is searched.
    pub include_user: bool,
    /// Which files and variables that settings refer to are looked at.
    pub references: References,
    /// The folder of whoever manages the machine.
    pub managed: Option<PathBuf>,
    /// Folders that are added to the project, in the order in which they are given.
    pub added: Vec<PathBuf>,
    /// Folders of plugins, in the order in which they are given.
    pub plugins: Vec<PathBuf>,
    /// Definitions that are given on the command line.
    pub definitions: Option<String>,
    /// The switches of the harness that are on, by their names in its rules.
    pub switches: BTreeSet<String>,
    /// Whether skills are searched at all, or only taken from [`Inputs::skill_paths`].
    pub search_skills: bool,
    /// Files and folders with skills that the command line names, as written; relative ones are
    /// relative to the project.
    pub skill_paths: Vec<String>,
    /// Whether findings shall come with fixes, which costs time for each of them.
    pub with_fixes: bool,
    /// The least severity of findings that come with fixes, if any do.
    pub fixes_from: Severity,
    /// Whether the search remembers the files that it reads, so that
    /// [`Discovery::refresh`](crate::Discovery::refresh) and
    /// [`Skills::refresh`](crate::Skills::refresh) need not read them again. It costs a look at the
    /// metadata of each of them.
    pub remembering: bool,
    /// How much of everything is read, at most.
    pub limits: Limits,
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
            layers: None,
            only_layer: None,
            variables: BTreeMap::new(),
            workspace: None,
            user: None,
            session: None,
            search: None,
            taken: Vec::new(),
            packages: Vec::new(),
            trusted: None,
            only_supposed: false,
            include_project: true,
            include_user: true,
            references: References::default(),
            managed: None,
            added: Vec::new(),
            plugins: Vec::new(),
            definitions: None,
            switches: BTreeSet::new(),
            search_skills: true,
            skill_paths: Vec::new(),
            with_fixes: false,
            fixes_from: Severity::Info,
            remembering: false,
            limits: Limits::default(),
        }
    }
}

impl Inputs {
    /// Makes inputs without any folder; all levels are searched once they have one.
    #[must_use]
    pub fn new() -> Self {
        Inputs::default()
    }

    /// Returns what the parse of a file is told by these inputs alone.
    pub(crate) fn parse_inputs(&self) -> ParseInputs {
        let mut inputs = ParseInputs::new();
        inputs.with_fixes = self.with_fixes;
        inputs.fixes_from = self.fixes_from;
        inputs.limits(self.limits)
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

    /// Sets the folder that holds the layers of a roster.
    #[must_use]
    pub fn layers(mut self, folder: impl Into<PathBuf>) -> Self {
        self.layers = Some(folder.into());
        self
    }

    /// Lets the search begin elsewhere.
    #[must_use]
    pub fn starting_at(mut self, start: SearchStart) -> Self {
        match start {
            SearchStart::Project(folder) => {
                self.project = Some(folder);
                self.include_project = true;
            }
            SearchStart::Home(folder) => {
                self.home = Some(folder);
                self.include_user = true;
            }
            SearchStart::Plugin(folder) => self.plugins = vec![folder],
            SearchStart::Layers(folder) => self.layers = Some(folder),
            SearchStart::Layer(folder) => self.only_layer = Some(folder),
        }
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

    /// Sets the workspace.
    #[must_use]
    pub fn workspace(mut self, folder: impl Into<PathBuf>) -> Self {
        self.workspace = Some(folder.into());
        self
    }

    /// Sets the user.
    #[must_use]
    pub fn user(mut self, id: impl Into<String>) -> Self {
        self.user = Some(id.into());
        self
    }

    /// Sets the session.
    #[must_use]
    pub fn session(mut self, id: impl Into<String>) -> Self {
        self.session = Some(id.into());
        self
    }

    /// Asks for another search than the usual one. An unknown name means the usual one.
    #[must_use]
    pub fn search(mut self, name: impl Into<String>) -> Self {
        self.search = Some(name.into());
        self
    }

    /// Adds the name of an agent that a program brings.
    #[must_use]
    pub fn taken(mut self, name: impl Into<String>) -> Self {
        self.taken.push(name.into());
        self
    }

    /// Takes skills only from the paths that are named.
    #[must_use]
    pub fn without_skill_search(mut self) -> Self {
        self.search_skills = false;
        self
    }

    /// Adds a file or folder with skills.
    #[must_use]
    pub fn skill_path(mut self, path: impl Into<String>) -> Self {
        self.skill_paths.push(path.into());
        self
    }

    /// Switches the folder of a package on.
    #[must_use]
    pub fn package(mut self, folder: impl Into<PathBuf>) -> Self {
        self.packages.push(folder.into());
        self
    }

    /// Says whether the user trusts the project.
    #[must_use]
    pub fn trusted(mut self, trusted: bool) -> Self {
        self.trusted = Some(trusted);
        self
    }

    /// Supposes that the user trusts the project, to find what waits for that.
    pub(crate) fn supposing_trust(mut self) -> Self {
        self.only_supposed = self.trusted != Some(true);
        self.trusted(true)
    }

    /// Leaves the project out.
    #[must_use]
    pub fn without_project(mut self) -> Self {
        self.include_project = false;
        self
    }

    /// Takes every level in again.
    #[must_use]
    pub(crate) fn with_all_levels(mut self) -> Self {
        self.include_project = true;
        self.include_user = true;
        self
    }

    /// Leaves the home out.
    #[must_use]
    pub fn without_user(mut self) -> Self {
        self.include_user = false;
        self
    }

    /// Sets the folder of whoever manages the machine.
    #[must_use]
    pub fn managed(mut self, folder: impl Into<PathBuf>) -> Self {
        self.managed = Some(folder.into());
        self
    }

    /// Adds a folder to the project.
    #[must_use]
    pub fn added(mut self, folder: impl Into<PathBuf>) -> Self {
        self.added.push(folder.into());
        self
    }

    /// Adds the folder of a plugin.
    #[must_use]
    pub fn plugin(mut self, folder: impl Into<PathBuf>) -> Self {
        self.plugins.push(folder.into());
        self
    }

    /// Sets the definitions that are given on the command line.
    #[must_use]
    pub fn definitions(mut self, text: impl Into<String>) -> Self {
        self.definitions = Some(text.into());
        self
    }

    /// Lets the search remember the files that it reads, for a refresh.
    #[must_use]
    pub fn remembering(mut self) -> Self {
        self.remembering = true;
        self
    }

    /// Sets how much of everything is read, at most.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Turns a switch of the harness on.
    #[must_use]
    pub fn switch(mut self, name: impl Into<String>) -> Self {
        self.switches.insert(name.into());
        self
    }
}
