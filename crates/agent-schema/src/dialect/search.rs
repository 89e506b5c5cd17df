//! How the places are searched, and who wins when a name is found more than once.

use crate::definition::{FieldName, FieldValue};
use crate::source::Span;
use crate::surroundings::{AgentDenials, AgentSwitches, MainAgentSetting, TrustRules};

use super::{BuiltinAgent, Case, FileRules, Level, ReadingRules, SearchPlace};

/// Where agents are searched.
#[derive(Debug)]
pub struct SearchRules {
    /// The places, in the order in which the harness searches them.
    pub places: &'static [SearchPlace],
    /// Which entries of a place are agents.
    pub files: FileRules,
    /// Who wins when a name is found more than once.
    pub precedence: Precedence,
    /// When two entries are one and the same file.
    pub same_file: SameFile,
    /// The harness's switches that leave levels out.
    pub switches: &'static [Switch],
    /// How definitions are read that are given on the command line.
    pub definitions: Option<DefinitionRules>,
    /// The agents that the harness brings along.
    pub builtins: &'static [BuiltinAgent],
    /// Whether our own fallback agents fit: the harness has the tools that they name.
    pub takes_fallbacks: bool,
    /// What has no effect in a project that the user does not trust.
    pub held_back: &'static [HeldBack],
    /// How the agents of all sources are listed together.
    pub roster: RosterRules,
    /// Whether a caller may leave the project or the home out.
    pub levels: Levels,
    /// Which levels are held back until the user trusts the project.
    pub trusted_only: &'static [Level],
    /// How the harness decides whether it trusts a project, if it ever asks.
    pub trust: Option<&'static TrustRules>,
    /// The settings that may switch an agent off.
    pub agent_switches: Option<&'static AgentSwitches>,
    /// The field by which an agent's own file switches it off, if it says `false`. The agent keeps
    /// its name and cannot be called.
    pub own_switch: Option<FieldName>,
    /// The settings that may keep an agent from being called by others.
    pub agent_denials: Option<&'static AgentDenials>,
    /// The setting that names the agent as which the main thread runs.
    pub main_agent: Option<&'static MainAgentSetting>,
}

impl SearchRules {
    /// Makes rules without switches, definitions on the command line, trust, built-in agents and
    /// fallbacks.
    #[must_use]
    pub const fn of(
        places: &'static [SearchPlace],
        files: FileRules,
        precedence: Precedence,
    ) -> Self {
        SearchRules {
            places,
            files,
            precedence,
            same_file: SameFile::ByFolder,
            switches: &[],
            definitions: None,
            builtins: &[],
            takes_fallbacks: false,
            held_back: &[],
            roster: RosterRules::Registered,
            levels: Levels::Chosen,
            trusted_only: &[],
            trust: None,
            agent_switches: None,
            own_switch: None,
            agent_denials: None,
            main_agent: None,
        }
    }
}

/// A field of a project's agents that has no effect while the user does not trust the project.
#[derive(Debug, Clone, Copy)]
pub struct HeldBack {
    /// The field.
    pub field: FieldName,
    /// Returns which part of a value is held back.
    pub part: fn(&FieldValue) -> HeldPart,
}

/// Which part of a value is held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeldPart {
    /// All of it.
    Whole,
    /// Only what is written at these bytes; nothing if there are none.
    At(Vec<Span>),
}

/// When two entries are one and the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameFile {
    /// If two places are the same folder, which is then read once.
    ByFolder,
    /// If the disk says so, as for hard links; what is a link itself is never the same as what it
    /// leads to. The entry of the level that comes first here stays, and of one level the entry
    /// that is found first; other levels are not compared.
    ByIdentity(&'static [Level]),
}

/// A switch of a harness that leaves levels out of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What turns it on, for people.
    pub meaning: &'static str,
    /// A variable of the environment that turns it on while it says `1` or `true`.
    pub variable: Option<&'static str>,
    /// The levels that it leaves out.
    pub leaves_out: &'static [Level],
}

/// How definitions are read that are given on the command line, as one JSON object from names to
/// definitions.
#[derive(Debug)]
pub struct DefinitionRules {
    /// Where they come from, as paths are reported.
    pub reported: &'static str,
    /// How each of them is read.
    pub reading: &'static ReadingRules,
    /// Whether the path of a file may stand in the place of the object.
    pub may_be_path: bool,
    /// What a fault does.
    pub fault: DefinitionFault,
}

/// What a fault in definitions on the command line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionFault {
    /// The harness ends with an error before it loads anything.
    StopsHarness,
    /// All of them are dropped without a word.
    DropsAll,
}

/// How the agents of all sources, those of programs and the built-in ones too, are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RosterRules {
    /// Those that have their names, in the order in which they were registered.
    Registered,
    /// From the weakest source to the strongest; a stronger agent takes the position of the weaker
    /// one that has its name.
    Replacing,
    /// From the weakest source to the strongest, also those that lost their names.
    Everyone,
}

/// Whether a caller may leave the project or the home out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    /// A caller may.
    Chosen,
    /// All of them are always searched.
    All,
}

/// How a place is looked through in a search in which a file may be found more than once; see
/// [`Precedence::is_layered`].
#[derive(Debug, Clone, Copy)]
pub enum Pass {
    /// Its own files, in the order of the bytes of their names. Links are followed.
    Flat,
    /// Its files and those of all folders in it, hidden ones too, in the order of their paths
    /// below it. Links to files are followed, links to folders are not, and what cannot be read
    /// is passed over without a word.
    Deep {
        /// Whether the case of the paths counts in their order.
        order: Case,
        /// The place that lies over this one: where it has something at the same path below it,
        /// that is read instead.
        under: Option<&'static SearchPlace>,
    },
}

/// Who wins when a name is found more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence {
    /// The one that is found first: earlier places before later ones, and inside a folder the
    /// order of the names by code point.
    FirstFound,
    /// The one of the place that is searched first. Inside one place, with all folders in it,
    /// the harness leaves open which one it is.
    FirstPlace,
    /// All of them, merged field by field: later places over earlier ones, and all over the
    /// built-in agents. Inside one place one replaces the other, and the harness leaves open
    /// which one that is.
    Merged,
    /// As [`Precedence::Merged`], but the files of one place are merged too, in the order of
    /// their paths.
    MergedInOrder,
    /// The one that is found last, in the position where its name was found first.
    LastFound,
    /// Nobody: all of them stay.
    AllStay,
    /// The one of the first place. Further places only add names that are not taken: all that
    /// have such a name are listed, and the last one answers.
    Additions,
    /// The one of the place that is searched first. Inside one place, with all folders in it, no
    /// name may stand twice: none of the files loads, nor does one of another place.
    FirstPlaceNoTwins,
    /// The one that is found last, in places and in folders. It takes the first one's turn in
    /// lists.
    LastReplaces {
        /// Levels inside which the one that is found first wins.
        but_first_within: &'static [Level],
    },
}

impl Precedence {
    /// Returns whether entries of one name are merged.
    #[must_use]
    pub fn merges(self) -> bool {
        matches!(self, Precedence::Merged | Precedence::MergedInOrder)
    }

    /// Returns whether a file may be found more than once, and each time counts.
    #[must_use]
    pub fn is_layered(self) -> bool {
        matches!(
            self,
            Precedence::LastFound | Precedence::AllStay | Precedence::Additions
        )
    }
}

/// Which files of a plugin are agents.
#[derive(Debug)]
pub struct PluginRules {
    /// The folder of a plugin that holds agents.
    pub folder: &'static str,
    /// Which of its entries are agents.
    pub files: FileRules,
    /// How their files are read; unset if as any other agent.
    pub reading: Option<&'static ReadingRules>,
    /// The file in which a plugin says what it holds.
    pub manifest: Option<ManifestRules>,
    /// Whether the folders between the agents of a plugin and a file are part of the agent's name.
    pub folders_in_names: bool,
    /// Whether a folder that is no plugin may hold several of them.
    pub nested: bool,
}

/// The file in which a plugin says what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManifestRules {
    /// Its path in the plugin. It is JSON.
    pub file: &'static str,
    /// The key of the plugin's name; without a manifest the plugin is called as its folder.
    pub name_key: &'static str,
    /// The key of the files that are read instead of the folder: one path, or a list of them.
    pub agents_key: &'static str,
    /// What each path must start with; any other path loses the whole plugin.
    pub path_start: &'static str,
}
