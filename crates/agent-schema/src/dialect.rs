//! The types in which a harness's rules are written down.
//!
//! A dialect is one file of data under `dialects/`. Nothing outside these files asks which
//! dialect it is: the parser, the search and the registry read the tables.

mod merging;
mod settings;

use crate::coerce::{Coerced, Problem, Remarks};
use crate::definition::{Definition, FieldName, FieldValue, FloatWords};
use crate::finish::{Finish, Resolve};
use crate::header::{Consequence, HeaderRules};
use crate::roster::LayeredRosterRules;
use crate::source::Span;
use crate::surroundings::{AgentSwitches, FolderList, NearestRule, TrustRules};
use crate::text::Encoding;
use crate::tool_rules::{ModelWords, ToolRules};
use crate::value::{Node, Value};
use crate::yaml::Flavor;

pub use crate::skill_rules::{SkillReading, SkillRules};
pub use merging::{BuiltinAgent, BuiltinValue, Listing, MergeRules};
pub use settings::{AgentMap, SettingsRules, Tokens, Turn};

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
    /// The harness and version that was observed, as the conformance cases name it.
    pub harness: &'static str,
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
}

/// How a file is read. A harness may read the files of a plugin by other rules than its own.
#[derive(Debug)]
pub struct ReadingRules {
    /// How bytes become text.
    pub encoding: Encoding,
    /// How the header is found, and what becomes of a file whose header cannot be read.
    pub header: HeaderRules,
    /// How its YAML is read.
    pub yaml: Flavor,
    /// Which keys it has.
    pub keys: KeyRules,
    /// The fields of a definition.
    pub fields: &'static [Field],
    /// The fields that a definition prints, in order.
    pub shown: &'static [FieldName],
    /// What a value that the harness does not take makes of the file.
    pub refused: Consequence,
    /// How numbers are printed for which JSON has no form.
    pub float_words: FloatWords,
    /// What is worked out and checked once all fields are read.
    pub finish: fn(&mut Finish<'_>),
    /// What is worked out once all sources of a definition are merged; where a harness merges
    /// nothing, right after `finish`.
    pub resolve: fn(&mut Resolve<'_>),
}

/// Which keys a header may have.
#[derive(Debug)]
pub struct KeyRules {
    /// What happens to keys that no field has.
    pub unknown: UnknownKeys,
    /// Text keys that break the harness's own code and lose the file, each with the reason.
    pub reserved: &'static [(&'static str, &'static str)],
    /// What happens to keys that are no text.
    pub not_text: NotTextKeys,
    /// Keys that mean something in the harness's own code and nothing in a file, each with the
    /// reason.
    pub inert: &'static [(&'static str, &'static str)],
    /// When another spelling of a key is read.
    pub aliases: AliasUse,
}

/// When another spelling of a key is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AliasUse {
    /// When the key itself is absent.
    WhenAbsent,
    /// When the key itself gives no value, written or not.
    WhenUnset,
}

/// What happens to keys that are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTextKeys {
    /// They lose the file.
    RejectFile {
        /// Why.
        why: &'static str,
    },
    /// They are no keys of the harness and are passed over like unknown ones.
    PassedOver,
}

/// What happens to keys that no field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownKeys {
    /// They are kept as metadata.
    Metadata,
    /// They are kept as metadata, which is sent to the model's provider as options.
    ModelOptions,
    /// They are dropped.
    Dropped,
    /// They are dropped, and the harness names them in its log.
    Named,
    /// They belong to other parts of the harness and are no concern of agents.
    NotOurs,
    /// One of them shows that the whole definition is written in another form.
    OtherForm(OtherForm),
}

/// Another form of a definition: its rules count instead.
#[derive(Debug, Clone, Copy)]
pub struct OtherForm(pub &'static ReadingRules);

/// Two forms are the same if they are one table.
impl PartialEq for OtherForm {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for OtherForm {}

/// How one key of a header becomes a field.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// Keys that are read instead when the key itself is absent.
    pub aliases: &'static [&'static str],
    /// The field that it gives.
    pub target: FieldName,
    /// How its value is read.
    pub read: fn(&Node, &mut Remarks<'_>) -> Coerced,
    /// What the field is when no key is written.
    pub absent: Absent,
    /// What may be written, for people.
    pub accepts: &'static str,
}

/// What a field is when its key is absent.
#[derive(Debug, Clone, Copy)]
pub enum Absent {
    /// It is unset.
    Unset,
    /// It is this text.
    Text(&'static str),
    /// It is a list without names.
    NoNames,
    /// It is the name of the file without its suffix.
    FileStem,
    /// It is the name of the folder that holds the file; unset if that is not known.
    FolderName,
    /// It is a switch.
    Flag(bool),
    /// It is an integer.
    Integer(i64),
    /// It is what the parent has.
    Inherited,
    /// It is a structured value.
    Made(fn() -> FieldValue),
    /// The file is no agent then.
    Loses(Consequence),
}

/// A kind of place that definitions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Level {
    /// Set down by whoever manages the machine.
    Managed,
    /// Given on the command line.
    #[serde(rename = "cli")]
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
}

impl SearchRules {
    /// Makes rules without switches, definitions on the command line, trust and built-in agents.
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
            held_back: &[],
            roster: RosterRules::Registered,
            levels: Levels::Chosen,
            trusted_only: &[],
            trust: None,
            agent_switches: None,
        }
    }
}

/// A field of a project's agents that has no effect while the user does not trust the project.
#[derive(Debug, Clone, Copy)]
pub struct HeldBack {
    /// The field.
    pub field: FieldName,
    /// Whether a value of it is held back.
    pub applies: fn(&FieldValue) -> bool,
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
    /// Whether it is searched only in a project that the user trusts.
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
    /// Each folder that is added to the project, the last one first.
    Added,
    /// The folder of whoever manages the machine.
    Managed,
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

/// Which entries of a folder are agents.
#[derive(Debug)]
pub struct FileRules {
    /// The suffix, with its dot.
    pub suffix: &'static str,
    /// Whether its case counts.
    pub suffix_case: Case,
    /// How a suffix is told from the rest of a name.
    pub split: fn(&str) -> (&str, &str),
    /// Names that are passed over.
    pub skipped: &'static [&'static str],
    /// Whether the case of such a name counts.
    pub skipped_case: Case,
    /// What gives an agent its name that has none in its file.
    pub named_by: NamedBy,
    /// What a name is that is all suffix.
    pub all_suffix: AllSuffix,
    /// What a folder with a fitting name means.
    pub folders: Folders,
    /// Where links may lead.
    pub links: Links,
    /// The order in which the items of a folder are visited.
    pub order: NameOrder,
    /// What the harness says of a file that cannot be read.
    pub unreadable: Unreadable,
}

/// The order in which the items of a folder are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameOrder {
    /// By code point of their names.
    CodePoint,
    /// As a dictionary of English has them: punctuation, digits, letters, and a capital behind
    /// its small letter. It is what JavaScript's `localeCompare` does.
    Dictionary,
}

/// What a harness says of a file that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It names the file in its log.
    Told,
    /// Nothing.
    Silent,
}

/// What gives an agent its name that has none in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The name of the file without its suffix.
    FileName,
    /// The path of the file below the place, with `/` and without the suffix.
    Path,
}

/// What a file gives its agent for a name whose own name is all suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllSuffix {
    /// The suffix.
    IsTheName,
    /// Nothing.
    NamesNothing,
}

/// Whether case counts in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// It counts.
    Exact,
    /// Upper and lower case are the same.
    Ignored,
}

/// What a folder means whose name fits a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folders {
    /// It is passed over without a word.
    PassedOver,
    /// The harness tries to read it as a file and warns.
    TriedAsFiles,
    /// Every folder is searched in its turn, whatever its name, hidden or not. A folder that
    /// links lead back to from inside itself is passed over.
    Searched,
    /// As [`Folders::Searched`], but not those that fit these rules, and none twice.
    SearchedBut(&'static Pruned),
}

impl Folders {
    /// Returns whether folders are searched in their turn.
    #[must_use]
    pub fn are_searched(self) -> bool {
        matches!(self, Folders::Searched | Folders::SearchedBut(_))
    }
}

/// Which folders inside a place are not searched.
#[derive(Debug, PartialEq, Eq)]
pub struct Pruned {
    /// Those with such a name.
    pub named: &'static [&'static str],
    /// Those that hold something of such a name.
    pub holding: &'static [&'static str],
    /// Those that hold a folder of such a name.
    pub holding_folders: &'static [&'static str],
    /// Those with the second name inside one with the first, the place itself included. Case is
    /// ignored.
    pub inside: &'static [(&'static str, &'static str)],
}

/// Where links may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Anywhere.
    Anywhere,
    /// Anywhere; one that leads nowhere is passed over without a word.
    Existing,
    /// Not out of the root of what contains the folder; other links are refused with a warning.
    InsideRoot,
    /// Nowhere: links are passed over without a word.
    NotFollowed,
}

/// Why an entry of a searched folder is no agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipRule {
    /// Its suffix is another one.
    Suffix,
    /// Its name is on the list of names that are passed over.
    SkippedName,
    /// It is a folder.
    Folder,
    /// It has no header.
    NoHeader,
    /// Its header holds nothing that counts.
    EmptyHeader,
    /// Its header is no map.
    HeaderNotAMap,
    /// Its header is broken, and so is what the harness's repair makes of it.
    BrokenHeader,
    /// It has no name.
    NoName,
    /// It has no description.
    NoDescription,
    /// It is a link, and links are not followed.
    Link,
    /// It is a link that leads back to a folder around it.
    LinkLoop,
    /// It holds many agents and is no agent itself.
    WholeRoster,
    /// A stronger layer takes it off the roster.
    Removed,
    /// It builds on a roster that cannot be read.
    NoRoster,
    /// It is put into every prompt, and is no agent's own.
    SharedPrompt,
    /// It is a link that leads nowhere.
    DeadLink,
    /// A value in it is refused.
    RefusedValue,
    /// It says itself that it is no agent for now.
    Disabled,
    /// It is a file of settings, of which there is something to tell.
    Settings,
    /// Its name is not allowed.
    InvalidName,
    /// It is given together with something that cannot be used.
    DroppedTogether,
    /// It cannot be read, or is no text.
    Unreadable,
    /// A file at the same path of a stronger folder is read instead.
    Covered,
    /// Its name is taken already, by what a program brings.
    NameTaken,
    /// It is a folder that is left out of the search.
    Pruned,
}

impl SkipRule {
    /// Returns the stable code of the rule.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            SkipRule::Suffix => "other-suffix",
            SkipRule::SkippedName => "skipped-name",
            SkipRule::Folder => "folder",
            SkipRule::NoHeader => "no-header",
            SkipRule::EmptyHeader => "empty-header",
            SkipRule::HeaderNotAMap => "header-not-a-map",
            SkipRule::BrokenHeader => "broken-header",
            SkipRule::NoName => "no-name",
            SkipRule::NoDescription => "no-description",
            SkipRule::Link => "link",
            SkipRule::LinkLoop => "link-loop",
            SkipRule::WholeRoster => "whole-roster",
            SkipRule::Removed => "removed",
            SkipRule::NoRoster => "no-roster",
            SkipRule::SharedPrompt => "shared-prompt",
            SkipRule::DeadLink => "dead-link",
            SkipRule::RefusedValue => "refused-value",
            SkipRule::Disabled => "disabled",
            SkipRule::Settings => "settings",
            SkipRule::InvalidName => "invalid-name",
            SkipRule::DroppedTogether => "dropped-together",
            SkipRule::Unreadable => "unreadable",
            SkipRule::Covered => "covered",
            SkipRule::NameTaken => "name-taken",
            SkipRule::Pruned => "pruned",
        }
    }
}

impl FileRules {
    /// Decides by the name of a file whether it is an agent.
    ///
    /// # Errors
    /// The rule that it is none.
    pub fn accept(&self, file_name: &str) -> Result<(), SkipRule> {
        let (_, suffix) = (self.split)(file_name);
        if !self.suffix_case.same(suffix, self.suffix) {
            return Err(SkipRule::Suffix);
        }
        let skipped = |name: &&str| self.skipped_case.same(file_name, name);
        if self.skipped.iter().any(skipped) {
            return Err(SkipRule::SkippedName);
        }
        Ok(())
    }

    /// Returns the name of a file without its suffix.
    #[must_use]
    pub fn stem<'a>(&self, file_name: &'a str) -> &'a str {
        match ((self.split)(file_name).0, self.all_suffix) {
            ("", AllSuffix::IsTheName) => file_name,
            (stem, _) => stem,
        }
    }
}

impl Case {
    /// Compares two texts.
    #[must_use]
    pub fn same(self, one: &str, other: &str) -> bool {
        match self {
            Case::Exact => one == other,
            Case::Ignored => one.to_lowercase() == other.to_lowercase(),
        }
    }
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

/// How a registered agent is found by name.
#[derive(Debug)]
pub struct LookupRules {
    /// The agent that answers when no name, or an empty one, is given.
    pub default: Option<&'static str>,
    /// Returns whether an agent that answers to its name is left out of what the delegating model
    /// is told.
    pub untold: fn(&Definition) -> bool,
    /// Old names: (old, new). They are replaced before the registry is asked, so that an agent
    /// with an old name can never be reached.
    pub deprecated: &'static [(&'static str, &'static str)],
    /// A sign at which a name may be cut: where nobody has a name as it is asked for, the first
    /// agent that was registered answers to any part of its name behind this sign.
    pub cut_at: Option<char>,
}

/// How names become a runnable agent.
#[derive(Debug)]
pub struct FactoryRules {
    /// Model words that mean the parent's model.
    pub inherit_words: &'static [&'static str],
    /// What an unknown skill does to a definition and to the registration that meets it.
    pub unknown_skill: UnknownSkill,
    /// What a skill that is listed twice does when an agent is made.
    pub repeated_skill: RepeatedSkill,
    /// Which tools an agent gets whose definition says nothing about them.
    pub unset_tools: UnsetTools,
    /// What the model of a definition names.
    pub model_names: ModelNames,
    /// Where model profiles are stored when the definition does not say so.
    pub profile_store: ProfileStore,
    /// What a model profile is.
    pub model_profiles: ModelProfileRules,
    /// Which condenser an agent gets.
    pub condensers: CondenserRules,
    /// What the words of the permission mode mean; without one the parent's policy counts.
    pub permissions: &'static [(&'static str, Permission)],
    /// Whose MCP servers an agent has when another one delegates to it.
    pub delegated_mcp: DelegatedMcp,
    /// The harness's own tools, where definitions allow and deny them by name.
    pub tools: Option<&'static ToolRules>,
    /// What the model words mean that need no stored profile.
    pub model_words: Option<&'static ModelWords>,
    /// The file that holds the prompt of an agent whose definition names a folder for it.
    pub prompt_file: Option<PromptFile>,
}

/// A prompt that stands in a file of its own.
#[derive(Debug, Clone, Copy)]
pub struct PromptFile {
    /// Returns the folder that a definition names.
    pub folder: fn(&Definition) -> Option<&str>,
    /// The name of the file in it.
    pub file: &'static str,
}

impl FactoryRules {
    /// Nothing special: every name means itself, and there are neither profiles nor condensers.
    pub const PLAIN: FactoryRules = FactoryRules {
        inherit_words: &[],
        unknown_skill: UnknownSkill::LeftOut,
        repeated_skill: RepeatedSkill::Once,
        unset_tools: UnsetTools::Everything,
        model_names: ModelNames::Models,
        profile_store: ProfileStore {
            base: Base::Project,
            folder: "",
        },
        model_profiles: ModelProfileRules {
            suffix: "",
            allows: |_| false,
            allowed: "none",
            read: |node, _| Err(Problem::rejects(node.span, "is no model profile")),
            made_inside: &[],
            made_beside: &[],
        },
        condensers: CondenserRules {
            default: |_| Node::default_at(Value::Null, Span { start: 0, end: 0 }),
            with_model: "",
            usage_id: "",
        },
        permissions: &[],
        delegated_mcp: DelegatedMcp::Own,
        tools: None,
        model_words: None,
        prompt_file: None,
    };
}

/// What the text of a model names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelNames {
    /// A stored profile, which says the rest.
    Profiles,
    /// A model, or a word for one, as the harness and its providers know it.
    Models,
}

/// What a stored model profile is.
#[derive(Debug)]
pub struct ModelProfileRules {
    /// The suffix of its file, which a definition may write or leave out.
    pub suffix: &'static str,
    /// Whether a name, without the suffix, is allowed.
    pub allows: fn(&str) -> bool,
    /// What [`ModelProfileRules::allows`] allows, for people.
    pub allowed: &'static str,
    /// Checks the value in its file; what it returns has the texts `model` and `usage_id`.
    pub read: fn(&Node, &mut Remarks<'_>) -> Result<Node, Problem>,
    /// What the harness makes inside a store when it looks into it.
    pub made_inside: &'static [&'static str],
    /// What it makes beside the store.
    pub made_beside: &'static [&'static str],
}

/// Which condenser an agent gets.
#[derive(Debug)]
pub struct CondenserRules {
    /// Makes the condenser of an agent that asks for none, for a model, if it is known.
    pub default: fn(Option<&str>) -> Node,
    /// The kind of condenser that has a model with a usage id.
    pub with_model: &'static str,
    /// The usage id that replaces one which is the agent's own: the costs of both would be
    /// counted as one.
    pub usage_id: &'static str,
}

/// Which actions need a person's consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// All of them.
    AlwaysConfirm,
    /// Those above a threshold of risk.
    ConfirmRisky,
    /// None.
    NeverConfirm,
}

impl Permission {
    /// Returns the word for the permission.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Permission::AlwaysConfirm => "always-confirm",
            Permission::ConfirmRisky => "confirm-risky",
            Permission::NeverConfirm => "never-confirm",
        }
    }
}

/// Whose MCP servers an agent has when another one delegates to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelegatedMcp {
    /// Its own.
    Own,
    /// Exactly those of the other agent; its own are dropped with a warning in the log.
    Parents,
}

/// What a definition with an unknown skill does to the registration that meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownSkill {
    /// The registration ends with an error; what came before stays, what comes after is lost.
    AbortsRegistration,
    /// The definition is left out with a warning.
    SkipsDefinition,
    /// The skill is left out; the agent is there without it.
    LeftOut,
}

/// What a skill that is listed twice does when an agent is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatedSkill {
    /// No agent is made.
    Refused,
    /// It counts once.
    Once,
}

/// Which tools an agent gets whose definition says nothing about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsetTools {
    /// None.
    Nothing,
    /// All that the harness gives to such agents.
    Everything,
}

/// Where model profiles are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfileStore {
    /// Where the path begins.
    pub base: Base,
    /// The rest of it.
    pub folder: &'static str,
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

    /// Finds a profile by its name.
    #[must_use]
    pub fn profile(&'static self, id: &str) -> Option<&'static Profile> {
        self.profiles.iter().find(|profile| profile.id == id)
    }

    /// Finds the profile that describes a harness as the conformance cases name it.
    #[must_use]
    pub fn profile_of_harness(&'static self, harness: &str) -> Option<&'static Profile> {
        self.profiles
            .iter()
            .find(|profile| profile.harness == harness)
    }
}
