//! The types in which a harness's rules are written down.
//!
//! A dialect is one file of data under `dialects/`. Nothing outside these files asks which
//! dialect it is: the parser, the search and the registry read the tables.

mod factory;
mod files;
mod merging;
mod place;
mod reading;
mod search;
mod settings;
mod start;

use crate::roster::LayeredRosterRules;
use crate::writing::WritingRules;

pub use crate::skill_rules::{SkillReading, SkillRules};
pub use factory::{
    CondenserRules, DelegatedMcp, FactoryRules, LookupRules, ModelNames, ModelProfileRules,
    Permission, ProfileStore, PromptFile, RepeatedSkill, UnknownSkill, UnsetTools,
};
pub use files::{
    AllSuffix, Case, FileRules, Folders, Links, NameOrder, NamedBy, Pruned, SkipRule, Unreadable,
};
pub use merging::{BuiltinAgent, BuiltinValue, ChosenAgent, Listing, MergeRules};
pub use place::{Base, Holds, Level, Part, SearchPlace, Walk, WalkEnd, WalkStop, WorkspaceRule};
pub use reading::{
    Absent, AliasUse, Field, KeyRules, NotTextKeys, OtherForm, ReadingRules, ReservedKey,
    UnknownKeys,
};
pub use search::{
    DefinitionFault, DefinitionRules, HeldBack, HeldPart, Levels, ManifestRules, Pass, PluginRules,
    Precedence, RosterRules, SameFile, SearchRules, Switch,
};
pub use settings::{AgentMap, SettingsRules, Tokens, Turn};
pub use start::{
    EffectRules, InheritInVariable, Inheritance, InheritedDenials, InheritedTools, ListRules,
    ModeRules, ModelFrom, NeverTool, PromptUse, ServerEntries, SkillUse, SpawnRight, SpawnRules,
    StartRules, ToolDecision, UnknownTool,
};

/// A harness, with its rules by version.
#[derive(Debug)]
pub struct Dialect {
    /// Its name on the command line and in JSON.
    pub id: &'static str,
    /// Its name in sentences.
    pub title: &'static str,
    /// Its profiles; the first one is the default.
    pub profiles: &'static [Profile],
    /// Its own words for the fields of other harnesses, for hints: (foreign key, our key).
    pub foreign_keys: &'static [(&'static str, &'static str)],
}

/// The rules of one version of a harness.
#[derive(Debug)]
pub struct Profile {
    /// Its name for `--harness-version`.
    pub id: &'static str,
    /// The program whose version it is; profiles of one dialect may be of several programs that
    /// read the same files.
    pub program: &'static str,
    /// The harness and version that was observed, for people.
    pub harness: &'static str,
    /// How the conformance cases name it, where that is not `harness`.
    pub recorded_as: Option<&'static str>,
    /// How the rules are known.
    pub basis: Basis,
    /// The rules.
    pub rules: Rules,
}

/// How rules are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The harness was run.
    Ran,
    /// Its documentation or source was read.
    Read,
    /// A recommendation of ours.
    Recommended,
}

/// All rules of one version of a harness.
///
/// A version that differs in little is written as the base with the differences:
/// `Rules { plugins: …, ..LATEST }`.
#[derive(Debug)]
pub struct Rules {
    /// How the file of an agent is read.
    pub reading: ReadingRules,
    /// Which files are agents, and where they lie.
    pub agents: SearchRules,
    /// How the layers of one file give all agents, where a harness keeps them so. The places of
    /// `agents` are the folders of the layers then, the weakest first.
    pub roster: Option<LayeredRosterRules>,
    /// What several sources make together, where the harness merges them.
    pub merging: MergeRules,
    /// Other ways in which a program may let the harness search, by name.
    pub searches: &'static [(&'static str, SearchRules)],
    /// Which files of a plugin are agents.
    pub plugins: PluginRules,
    /// Which skills an agent may name.
    pub skills: SkillRules,
    /// How a registered agent is found by name.
    pub lookup: LookupRules,
    /// How names become a runnable agent.
    pub factory: FactoryRules,
    /// How a definition is written down.
    pub writing: &'static WritingRules,
}

impl Rules {
    /// Returns the rules of a search: of the usual one without a name, or of another one.
    #[must_use]
    pub fn search(&self, name: Option<&str>) -> Option<&SearchRules> {
        match name {
            None => Some(&self.agents),
            Some(name) => {
                let mut searches = self.searches.iter();
                searches
                    .find(|(known, _)| *known == name)
                    .map(|(_, rules)| rules)
            }
        }
    }
}

impl Dialect {
    /// Returns the default profile.
    #[must_use]
    pub fn default_profile(&'static self) -> &'static Profile {
        &self.profiles[0]
    }

    /// Returns whether its profiles are different programs that read the same files, and not
    /// versions of one program.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        let mut programs = self.profiles.iter().map(|profile| profile.program);
        let first = programs.next();
        programs.any(|program| Some(program) != first)
    }

    /// Finds a profile by its name.
    #[must_use]
    pub fn profile(&'static self, id: &str) -> Option<&'static Profile> {
        self.profiles.iter().find(|profile| profile.id == id)
    }

    /// Finds the profile that describes a harness, as it is shown or as the conformance cases name it.
    #[must_use]
    pub fn profile_of_harness(&'static self, harness: &str) -> Option<&'static Profile> {
        self.profiles
            .iter()
            .find(|profile| [profile.recorded_as(), profile.harness].contains(&harness))
    }
}

impl Profile {
    /// Returns how the conformance cases name the harness with its version.
    #[must_use]
    pub fn recorded_as(&self) -> &'static str {
        self.recorded_as.unwrap_or(self.harness)
    }
}
