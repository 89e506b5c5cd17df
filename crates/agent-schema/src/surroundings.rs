//! What a harness takes from its settings and from the folders around a project, as data.
//!
//! A place of a table may be named by a file of settings, and a setting may switch an agent off.

use crate::definition::FieldName;
use crate::dialect::{Base, Level};

/// Which folder, from the project upwards, counts as the nearest.
#[derive(Debug, PartialEq, Eq)]
pub struct NearestRule {
    /// It holds one of these folders, given with `/`.
    pub holding: &'static [&'static str],
    /// A setting that lets the root of the repository count instead.
    pub git_root: Option<&'static WordSetting>,
}

/// A setting that holds if a value is a certain word.
#[derive(Debug, PartialEq, Eq)]
pub struct WordSetting {
    /// The file of settings below a candidate.
    pub file: &'static str,
    /// The keys that lead to the value.
    pub keys: &'static [&'static str],
    /// The word that asks for it.
    pub word: &'static str,
    /// The word that asks for the opposite, whatever a file further up says.
    pub opposite: &'static str,
}

/// A file of settings in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingsFile {
    /// Where its path begins.
    pub base: Base,
    /// The rest of it.
    pub path: &'static str,
}

/// Files of settings that count together, at one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingsLevel {
    /// The level.
    pub level: Level,
    /// The file.
    pub file: SettingsFile,
    /// The folder beside it whose JSON files are laid over it, in the order of their names.
    pub drop_ins: Option<&'static str>,
}

/// A list of folders that is written somewhere.
#[derive(Debug, PartialEq, Eq)]
pub enum FolderList {
    /// The parts of a variable of the environment, between colons.
    Variable(&'static str),
    /// The texts of a list in a file of settings. `~` is the home, and one part may be `*` for
    /// every folder that is there.
    Settings {
        /// The file.
        file: SettingsFile,
        /// The keys that lead to the list.
        keys: &'static [&'static str],
    },
    /// The folders that packages name in their manifests.
    Packages(&'static PackageRules),
    /// The folders of packages that the caller switches on.
    SwitchedOn,
}

impl FolderList {
    /// Returns where the list is written, for people.
    #[must_use]
    pub fn described(&self) -> String {
        match self {
            FolderList::Variable(name) => format!("<each folder of ${name}>"),
            FolderList::Settings { file, keys } => {
                format!("<each folder of `{}` in `{}`>", keys.join("."), file.path)
            }
            FolderList::Packages(rules) => {
                format!(
                    "<each folder that the `{}` of a package names>",
                    rules.manifest
                )
            }
            FolderList::SwitchedOn => "<each package that is switched on>".to_owned(),
        }
    }
}

/// Which packages there are, and which folders of theirs hold agents.
#[derive(Debug, PartialEq, Eq)]
pub struct PackageRules {
    /// Where packages come from, the first one that names a folder counts.
    pub sources: &'static [PackageSource],
    /// The file of a package that names its folders.
    pub manifest: &'static str,
    /// The keys that lead to lists of folders in it.
    pub keys: &'static [&'static [&'static str]],
}

/// Where packages come from.
#[derive(Debug, PartialEq, Eq)]
pub enum PackageSource {
    /// A folder is a package itself.
    Folder(Base),
    /// The caller switches them on.
    SwitchedOn,
    /// Every folder in a folder is one, those in folders with an `@` too.
    FoldersIn {
        /// Where the path begins.
        base: Base,
        /// The rest of it.
        path: &'static str,
    },
    /// A list in a file of settings names them: `npm:name`, `git:host/path`, or a path.
    Settings {
        /// The file.
        file: SettingsFile,
        /// The keys that lead to the list.
        keys: &'static [&'static str],
    },
}

/// Settings that switch agents off by name, and that say what counts instead of their files.
#[derive(Debug, PartialEq, Eq)]
pub struct AgentSwitches {
    /// The files, the strongest first; the first one that says anything counts.
    pub files: &'static [SettingsLevel],
    /// The keys that lead to the map from names of agents.
    pub keys: &'static [&'static str],
    /// The key in the map of an agent that switches it off.
    pub off: &'static str,
    /// The other keys in that map, which take the place of what the file of the agent says.
    pub overrides: &'static [Override],
}

/// A key of settings that takes the place of a field of an agent.
#[derive(Debug, PartialEq, Eq)]
pub struct Override {
    /// The key.
    pub key: &'static str,
    /// The field.
    pub target: FieldName,
    /// Which values it takes.
    pub takes: OverrideValue,
}

/// Which values an override takes. What it does not take loses the whole file of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverrideValue {
    /// A text.
    Text,
    /// A text, or `false` for none.
    TextOrNone,
    /// `true` or `false`.
    Flag,
    /// A list of names, or `false` for no list.
    NamesOrNone,
    /// A list of tools, or `false` for an empty one.
    Tools {
        /// The word for the tools of the one that starts the agent.
        inherit: &'static str,
        /// What the names of tools of servers begin with, and the field that holds those.
        of_servers: (&'static str, FieldName),
    },
    /// A mapping, or `false` for none.
    MapOrNone,
}

/// Rules in settings that keep agents from being called by others.
#[derive(Debug, PartialEq, Eq)]
pub struct AgentDenials {
    /// The files; what any of them denies is denied.
    pub files: &'static [SettingsLevel],
    /// The keys that lead to the list of rules.
    pub keys: &'static [&'static str],
    /// The tools that call agents: a rule is one of them with the name of an agent in parentheses.
    pub tools: &'static [&'static str],
    /// What the rule does to an agent, and what it leaves.
    pub why: &'static str,
}

/// A setting that names the agent as which the main thread runs.
#[derive(Debug, PartialEq, Eq)]
pub struct MainAgentSetting {
    /// The files, the strongest first; the first one that names an agent counts.
    pub files: &'static [SettingsLevel],
    /// The keys that lead to the name.
    pub keys: &'static [&'static str],
    /// The keys that lead to a map of installed plugins: while one of them is switched on there,
    /// agents that no search finds may have the name.
    pub plugins: &'static [&'static str],
    /// How the name is looked up.
    pub why: &'static str,
}

/// How a harness decides whether it trusts a project.
#[derive(Debug, PartialEq, Eq)]
pub struct TrustRules {
    /// What needs a decision if it is there, below the project.
    pub gated: &'static [&'static str],
    /// What needs one in any folder from the project upwards, but not in the home.
    pub gated_upwards: &'static [&'static str],
    /// The file that keeps decisions: a map from folders to `true` or `false`. The one of the
    /// nearest folder counts.
    pub saved: SettingsFile,
    /// Whether a saved decision counts although nothing needs one.
    pub saved_counts_always: bool,
    /// The file with the setting that decides where nothing is saved.
    pub fallback: SettingsFile,
    /// The key of that setting: `always`, `never`, or anything else to ask the user.
    pub fallback_key: &'static str,
}
