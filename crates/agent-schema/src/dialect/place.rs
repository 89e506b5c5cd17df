//! The places in which agents are searched, and where their paths begin.

use crate::surroundings::{FolderList, NearestRule};

use super::{FileRules, Pass, ReadingRules, SettingsRules};

/// A kind of place that definitions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Level {
    /// Set down by whoever manages the machine.
    Managed,
    /// Given on the command line.
    #[cfg_attr(feature = "serde", serde(rename = "cli"))]
    CommandLine,
    /// Registered by a program.
    Programmatic,
    /// Named on the command line.
    Explicit,
    /// A plugin.
    Plugin,
    /// The folder of one user or session in the workspace.
    UserNamespace,
    /// The workspace: a folder that the harness keeps for its agents.
    Workspace,
    /// The project.
    Project,
    /// The user's home.
    User,
    /// The layer of a roster that one deployment of a harness adds.
    Deployment,
    /// The layer of a roster that all others build on.
    Defaults,
    /// The user's folder for configuration.
    Global,
    /// A folder of the user's home that stands beside the one for configuration.
    Home,
    /// A folder that a variable of the environment names.
    ConfigDir,
    /// A file that a variable of the environment names.
    ConfigFile,
    /// The text of a variable or an option.
    Inline,
    /// A package of the harness, installed or named in its settings.
    Package,
    /// Shipped with the harness.
    Builtin,
}

impl Level {
    /// Returns the word for the level.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Managed => "managed",
            Level::CommandLine => "cli",
            Level::Programmatic => "programmatic",
            Level::Explicit => "explicit",
            Level::Plugin => "plugin",
            Level::UserNamespace => "user-namespace",
            Level::Workspace => "workspace",
            Level::Package => "package",
            Level::Project => "project",
            Level::User => "user",
            Level::Deployment => "deployment",
            Level::Defaults => "defaults",
            Level::Global => "global",
            Level::Home => "home",
            Level::ConfigDir => "config-dir",
            Level::ConfigFile => "config-file",
            Level::Inline => "inline",
            Level::Builtin => "builtin",
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// A folder that is searched.
#[derive(Debug, Clone, Copy)]
pub struct SearchPlace {
    /// The level of what is found there.
    pub level: Level,
    /// Where the folder's path begins.
    pub base: Base,
    /// The rest of its path, with `/`.
    pub folder: &'static str,
    /// Whether the folders above the base are searched too.
    pub walk: Walk,
    /// What is searched inside the folder, in order.
    pub parts: &'static [Part],
    /// Whether what lies there is held back until the user trusts the project.
    pub needs_trust: bool,
    /// How it is looked through where the last find wins.
    pub pass: Pass,
}

/// Something that is searched inside the folder of a place.
#[derive(Debug)]
pub struct Part {
    /// Its paths below the folder. Several of them count as one place; an empty one means the
    /// folder itself.
    pub paths: &'static [&'static str],
    /// What is there.
    pub holds: Holds,
}

/// What a part of a place holds.
#[derive(Debug, Clone, Copy)]
pub enum Holds {
    /// Files of agents.
    Agents,
    /// Files of agents of another kind.
    AgentsOfKind {
        /// Which files are agents.
        files: &'static FileRules,
        /// How they are read.
        reading: &'static ReadingRules,
    },
    /// A file of settings with agents in it.
    Settings(&'static SettingsRules),
    /// Folders of plugins. A base that is a plugin itself is taken as one.
    Plugins,
    /// No files: the definitions that are given on the command line.
    Definitions,
}

impl Part {
    const AGENTS: &'static [Part] = &[Part::itself(Holds::Agents)];
    const PLUGINS: &'static [Part] = &[Part::itself(Holds::Plugins)];
    const DEFINITIONS: &'static [Part] = &[Part::itself(Holds::Definitions)];

    /// Makes a part that is the folder of the place itself.
    #[must_use]
    pub const fn itself(holds: Holds) -> Self {
        Part {
            paths: &[""],
            holds,
        }
    }
}

impl SearchPlace {
    /// Makes a place whose base alone counts.
    #[must_use]
    pub const fn at(level: Level, base: Base, folder: &'static str) -> Self {
        SearchPlace {
            level,
            base,
            folder,
            walk: Walk::Stays,
            parts: Part::AGENTS,
            needs_trust: false,
            pass: Pass::Flat,
        }
    }

    /// Makes the place of definitions that are given on the command line.
    #[must_use]
    pub const fn definitions(level: Level) -> Self {
        SearchPlace::at(level, Base::Project, "").with(Part::DEFINITIONS)
    }

    /// Lets the folder hold plugins instead of agents.
    #[must_use]
    pub const fn of_plugins(self) -> Self {
        self.with(Part::PLUGINS)
    }

    /// Says what is searched inside the folder.
    #[must_use]
    pub const fn with(self, parts: &'static [Part]) -> Self {
        SearchPlace { parts, ..self }
    }

    /// Leaves the place out in a project that is not trusted.
    #[must_use]
    pub const fn if_trusted(self) -> Self {
        SearchPlace {
            needs_trust: true,
            ..self
        }
    }

    /// Returns the rest of the path for people: `subagents/**` where the folders in it count too.
    #[must_use]
    pub fn shown_folder(&self) -> String {
        match self.pass {
            Pass::Flat => self.folder.to_owned(),
            Pass::Deep { .. } => format!("{}/**", self.folder),
        }
    }

    /// Sets how it is looked through where the last find wins.
    #[must_use]
    pub const fn passed(self, pass: Pass) -> Self {
        SearchPlace { pass, ..self }
    }

    /// Lets the folders above the base count too.
    #[must_use]
    pub const fn walking(self, walk: Walk) -> Self {
        SearchPlace { walk, ..self }
    }
}

/// Whether the folders above a base are searched too, each one as a place of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// The base alone is searched.
    Stays,
    /// The folders above it are searched too, up to the root of the file system unless
    /// something stops the walk before.
    Up {
        /// What stops it.
        until: &'static [WalkStop],
        /// Which of the folders comes first.
        first: WalkEnd,
    },
}

/// What stops a walk upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkStop {
    /// A folder that holds a `.git`, folder or file; it is the last one that is searched.
    Repository,
    /// The root of a repository that git accepts; it is the last folder that is searched.
    AcceptedRepository,
    /// A folder that holds a `.git`; where there is none, the base alone is searched.
    RepositoryOrBase,
    /// The user's home; it is not searched itself.
    BelowHome,
}

/// One end of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkEnd {
    /// The folder where it starts.
    Nearest,
    /// The folder where it stops.
    Farthest,
}

/// Where the path of a search place begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// The project folder as given.
    Project,
    /// The project folder under its one path without links.
    RealProject,
    /// The root of the repository that encloses the project.
    RepositoryRoot,
    /// The main folder of the repository of which the project is another worktree, unless the
    /// worktree holds the place itself.
    MainRepository,
    /// The root of the repository that encloses the project; of a worktree it is that of the main
    /// folder of its repository. A home is no such root.
    MainCheckout,
    /// Each folder that is added to the project, the last one first.
    Added,
    /// The folder of whoever manages the machine, if it is given.
    Managed,
    /// The folder of whoever manages the machine: the one that is given, or else this.
    ManagedOr(&'static str),
    /// Each folder of a plugin that is given.
    Plugins,
    /// The user's home.
    Home,
    /// The workspace: the folder that a program names, or the first of some variables, or else a
    /// folder of the project.
    Workspace(WorkspaceRule),
    /// The workspace, while neither a user nor a session is named.
    SharedWorkspace(WorkspaceRule),
    /// The folder of the workspace that has the name of the user, or of the session if there is
    /// no user.
    Namespace(WorkspaceRule),
    /// The nearest folder, from the project upwards, that fits a rule.
    Nearest(&'static NearestRule),
    /// Each folder of a list that is written somewhere.
    Listed(&'static FolderList),
    /// The folder that a variable of the environment names, or else a folder of the home.
    Variable {
        /// The variable.
        name: &'static str,
        /// The folder of the home that counts while it is not set.
        or_home: &'static str,
    },
    /// The folder that holds the layers of a roster: the one that is given, or else the nearest of
    /// the project folder and the folder around it that holds one of these.
    Layers(&'static [&'static str]),
    /// The path that a variable of the environment names, or else this one.
    VariableOr {
        /// The variable.
        name: &'static str,
        /// The path that counts while it is not set.
        or: &'static str,
    },
    /// The path that a variable of the environment names; nothing while it is not set.
    VariableAlone {
        /// The variable.
        name: &'static str,
    },
    /// The text of a variable of the environment, as if it were a file; nothing while it is not
    /// set.
    VariableText {
        /// The variable.
        name: &'static str,
    },
}

/// Where the workspace of a harness is, if a program does not say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceRule {
    /// The variables that may name it; the first one that is set counts.
    pub variables: &'static [&'static str],
    /// The folder of the project that counts while none is set.
    pub or_project: &'static str,
}
