//! Claude Code: the subagent files of Anthropic's command line program.
//!
//! Observed in the published program, 2.1.332 and 2.1.197, as a closed box (cases under
//! `conformance/claude-code`).

mod definitions;
mod fields;
mod hooks;
mod known_words;
mod plugin;
mod repair;
mod skill;
mod skill_places;
mod start;
mod tool_list;
mod tools;
mod writing;

pub(super) use writing::{FAMILIES, MODEL_WORDS, MODES, VOCABULARY};

use crate::coerce::javascript;
use crate::definition::{FieldName, FieldValue, FloatWords};
use crate::dialect::{
    AliasUse, AllSuffix, Base, Basis, BuiltinAgent, Case, DefinitionFault, DefinitionRules,
    Dialect, FactoryRules, FileRules, Folders, HeldBack, HeldPart, KeyRules, Level, Links,
    LookupRules, ManifestRules, MergeRules, NameOrder, NamedBy, NotTextKeys, PluginRules,
    Precedence, Profile, ReadingRules, Rules, SameFile, SearchPlace, SearchRules, SkillReading,
    SkillRules, SkipRule, Switch, UnknownKeys, Unreadable, Walk, WalkEnd, WalkStop,
};
use crate::finish;
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap,
    RepairRules, Trim, Unclosed,
};
use crate::surroundings::{AgentDenials, MainAgentSetting, SettingsFile, SettingsLevel};
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::yaml::core::CORE_WITH_MERGE;
use crate::yaml::{Characters, Documents, DuplicateKeys, Flavor, Keys, Tabs};

/// The dialect.
pub static CLAUDE_CODE: Dialect = Dialect {
    id: "claude-code",
    title: "Claude Code",
    profiles: &[
        Profile {
            id: "2.1.332",
            program: "claude-code",
            harness: "claude-code 2.1.332",
            recorded_as: None,
            basis: Basis::Ran,
            rules: CURRENT,
        },
        Profile {
            id: "2.1.197",
            program: "claude-code",
            harness: "claude-code 2.1.197",
            recorded_as: None,
            basis: Basis::Ran,
            rules: OLD,
        },
        Profile {
            id: "2.1.168",
            program: "claude-code",
            harness: "claude-code 2.1.168",
            recorded_as: None,
            basis: Basis::Read,
            rules: OUTER_WINS,
        },
    ],
    foreign_keys: FOREIGN_KEYS,
};

const CURRENT: Rules = Rules {
    reading: READING,
    agents: SearchRules {
        same_file: SameFile::ByIdentity(&[Level::Managed, Level::User, Level::Project]),
        switches: SWITCHES,
        definitions: Some(DefinitionRules {
            reported: "args:--agents",
            reading: &DEFINITIONS,
            may_be_path: true,
            fault: DefinitionFault::StopsHarness,
        }),
        builtins: BUILTINS,
        held_back: HELD_BACK,
        agent_denials: Some(&DENIALS),
        main_agent: Some(&MAIN_AGENT),
        ..SearchRules::of(PLACES, AGENT_FILES, Precedence::FirstPlace)
    },
    roster: None,
    merging: MergeRules::NONE,
    searches: &[],
    plugins: PluginRules {
        folder: "agents",
        files: FileRules {
            links: Links::NotFollowed,
            ..AGENT_FILES
        },
        reading: Some(&IN_PLUGIN),
        manifest: Some(MANIFEST),
        folders_in_names: true,
        nested: true,
    },
    skills: SkillRules {
        reading: Some(SkillReading {
            file: "SKILL.md",
            rules: &SKILL,
        }),
        search: Some(&skill_places::SEARCH),
        unseen: skill_places::unseen,
        ..SkillRules::NONE
    },
    lookup: LookupRules {
        default: Some("general-purpose"),
        untold: |_| false,
        deprecated: &[],
        // An agent of a plugin also answers without its plugin.
        cut_at: Some(':'),
        // A name that is written exactly counts first.
        also_called: &[],
        any_case: false,
        spelled_freely: Some(
            "Claude Code takes any spelling of a name from the model since 2.1.140, and one that is \
             neither of the two fits both",
        ),
        description_budget: Some(15_000),
        builtins_first: None,
    },
    factory: FactoryRules {
        inherit_words: &["", "inherit"],
        // Its page on subagents.
        hidden_skill: Some(
            "Claude Code attaches only skills that its models may use, skips any other, and says so \
             in its debug log",
        ),
        tools: Some(&tools::TOOLS),
        model_words: Some(&tools::MODELS),
        start: start::CURRENT,
        ..FactoryRules::PLAIN
    },
    writing: &writing::WRITING,
};

const MANIFEST: ManifestRules = ManifestRules {
    file: ".claude-plugin/plugin.json",
    name_key: "name",
    agents_key: "agents",
    path_start: "./",
};

const OLD: Rules = Rules {
    reading: OLD_READING,
    agents: SearchRules {
        definitions: Some(DefinitionRules {
            reported: "args:--agents",
            reading: &OLD_DEFINITIONS,
            may_be_path: false,
            fault: DefinitionFault::DropsAll,
        }),
        // It started both without trust.
        held_back: &[],
        agent_denials: Some(&OLD_DENIALS),
        main_agent: Some(&OLD_MAIN_AGENT),
        ..CURRENT.agents
    },
    plugins: PluginRules {
        reading: Some(&OLD_IN_PLUGIN),
        nested: false,
        ..CURRENT.plugins
    },
    skills: SkillRules {
        reading: Some(SkillReading {
            file: "SKILL.md",
            rules: &OLD_SKILL,
        }),
        search: Some(&skill_places::OLD_SEARCH),
        ..CURRENT.skills
    },
    factory: FactoryRules {
        start: start::OLD,
        ..CURRENT.factory
    },
    ..CURRENT
};

/// Before 2.1.178 the outer one of two project folders won, as its users reported (case
/// `discover/d04-nested-outer-won-before-2-1-178`); all else is believed to be as in 2.1.197.
const OUTER_WINS: Rules = Rules {
    agents: SearchRules {
        places: &[
            PLACES[0],
            PLACES[1],
            PLACES[2].walking(walk_up(WalkEnd::Farthest)),
            PLACES[3],
            PLACES[4],
            PLACES[5],
            PLACES[6],
            PLACES[7],
            PLACES[8],
        ],
        ..OLD.agents
    },
    factory: FactoryRules {
        start: start::OLDEST,
        ..OLD.factory
    },
    ..OLD
};

const fn walk_up(first: WalkEnd) -> Walk {
    Walk::Up {
        until: &[WalkStop::Repository, WalkStop::BelowHome],
        first,
    }
}

/// Strongest first. Cases `discover/d01-*` up to `discover/n43-skills-dir-plugin`.
const PLACES: &[SearchPlace] = &[
    SearchPlace::at(Level::Managed, Base::Managed, ".claude/agents"),
    SearchPlace::definitions(Level::CommandLine),
    SearchPlace::at(Level::Project, Base::RealProject, ".claude/agents")
        .walking(walk_up(WalkEnd::Nearest)),
    SearchPlace::at(Level::Project, Base::MainRepository, ".claude/agents"),
    SearchPlace::at(Level::Project, Base::Added, ".claude/agents"),
    SearchPlace::at(Level::User, CONFIG_FOLDER, "agents"),
    SearchPlace::at(Level::Plugin, Base::Plugins, "").of_plugins(),
    SearchPlace::at(Level::Plugin, CONFIG_FOLDER, "skills").of_plugins(),
    SearchPlace::at(Level::Plugin, Base::RealProject, ".claude/skills")
        .of_plugins()
        .if_trusted(),
];

/// Cases `discover/n32-safe-mode`, `discover/n33-bare-add-dir` and `discover/d22-plugin-only-policy`.
const SWITCHES: &[Switch] = &[
    Switch {
        name: "bare",
        meaning: "`--bare`, or `CLAUDE_CODE_SIMPLE` in the environment",
        variable: None,
        leaves_out: &[Level::Managed, Level::Project, Level::User, Level::Plugin],
    },
    Switch {
        name: "safe-mode",
        meaning: "`--safe-mode`, or `CLAUDE_CODE_SAFE_MODE` in the environment",
        variable: None,
        leaves_out: &[
            Level::CommandLine,
            Level::Project,
            Level::User,
            Level::Plugin,
        ],
    },
    Switch {
        name: "plugin-only",
        meaning: "`strictPluginOnlyCustomization` in the managed settings",
        variable: None,
        leaves_out: &[Level::Project, Level::User],
    },
];

/// Its page on settings: the name of a built-in or custom agent, in any file. That `--agent` wants
/// the exact name, or the tail of one of a plugin, was measured.
const MAIN_AGENT: MainAgentSetting = MainAgentSetting {
    files: &SETTINGS,
    keys: &["agent"],
    plugins: &["enabledPlugins"],
    why: "Claude Code runs the main thread as the agent that the setting names, looks it up by its \
          exact name, and finds none",
};

/// Before 2.1.211 the file of a person for a project lay where the session started.
const OLD_SETTINGS: &[SettingsLevel] = &[SETTINGS[0], SETTINGS[2], SETTINGS[3], SETTINGS[4]];

const OLD_DENIALS: AgentDenials = AgentDenials {
    files: OLD_SETTINGS,
    ..DENIALS
};

const OLD_MAIN_AGENT: MainAgentSetting = MainAgentSetting {
    files: OLD_SETTINGS,
    ..MAIN_AGENT
};

/// Cases `discover/d18-override-built-in` and `discover/n30-deny-rule`.
const BUILTINS: &[BuiltinAgent] = &[
    builtin("claude", true),
    builtin("Explore", true),
    builtin("general-purpose", true),
    builtin("Plan", false),
    builtin("statusline-setup", true),
];

/// The files of settings, the strongest first: its page on settings. The one of a person for a
/// project lies at the root of the repository since 2.1.211, and one where the session starts is
/// read too.
const SETTINGS: [SettingsLevel; 5] = [
    SettingsLevel {
        drop_ins: Some("managed-settings.d"),
        ..settings(Level::Managed, Base::Managed, "managed-settings.json")
    },
    settings(Level::Project, Base::MainCheckout, LOCAL_SETTINGS),
    settings(Level::Project, Base::Project, LOCAL_SETTINGS),
    settings(Level::Project, Base::Project, ".claude/settings.json"),
    settings(Level::User, CONFIG_FOLDER, "settings.json"),
];

const LOCAL_SETTINGS: &str = ".claude/settings.local.json";

const fn settings(level: Level, base: Base, path: &'static str) -> SettingsLevel {
    SettingsLevel {
        level,
        file: SettingsFile { base, path },
        drop_ins: None,
    }
}

/// Case `discover/n30-deny-rule`; `Task` is the older word for the same tool. Rules of all files
/// count together, and those that deny need no trust: its pages on settings and permissions.
const DENIALS: AgentDenials = AgentDenials {
    files: &SETTINGS,
    keys: &["permissions", "deny"],
    tools: &["Agent", "Task"],
    why: "Claude Code offers no agent to a model that a rule in `permissions.deny` names; \
          `--agent` still starts it",
};

/// Hooks, and servers that are written out; a server that is only named is not held back. Measured
/// on the main thread (notes of `parse/hooks-pretooluse` and `parse/mcp-mixed-list`).
const HELD_BACK: &[HeldBack] = &[
    HeldBack {
        field: FieldName::HOOKS,
        // An empty map holds nothing that could wait.
        part: |value| match value {
            FieldValue::Config(hooks) if hooks.as_map().is_some_and(|it| it.entries.is_empty()) => {
                HeldPart::At(Vec::new())
            }
            _ => HeldPart::Whole,
        },
    },
    HeldBack {
        field: FieldName::MCP_SERVERS,
        part: |value| {
            let servers = match value {
                FieldValue::Config(servers) => servers.as_list().unwrap_or_default(),
                _ => &[],
            };
            let written_out = servers.iter().filter(|server| server.as_map().is_some());
            let spans: Vec<_> = written_out.map(|server| server.span).collect();
            match !spans.is_empty() && spans.len() == servers.len() {
                true => HeldPart::Whole,
                false => HeldPart::At(spans),
            }
        },
    },
];

const fn builtin(name: &'static str, offered: bool) -> BuiltinAgent {
    BuiltinAgent {
        name,
        offered,
        fields: &[],
    }
}

const CONFIG_FOLDER: Base = Base::Variable {
    name: "CLAUDE_CONFIG_DIR",
    or_home: ".claude",
};

/// Cases `discover/n44-other-extensions` and `discover/n08-links-inside`.
const AGENT_FILES: FileRules = FileRules {
    suffix: ".md",
    suffix_case: Case::Exact,
    split: |name| match name.strip_suffix(".md") {
        Some(stem) => (stem, ".md"),
        None => (name, ""),
    },
    skipped: &[],
    skipped_case: Case::Exact,
    named_by: NamedBy::FileName,
    all_suffix: AllSuffix::IsTheName,
    folders: Folders::Searched,
    links: Links::Anywhere,
    order: NameOrder::CodePoint,
    unreadable: Unreadable::Told,
};

const READING: ReadingRules = ReadingRules {
    encoding: ENCODING,
    header: HEADER,
    yaml: YAML,
    keys: KeyRules {
        unknown: UnknownKeys::Named,
        reserved: &[],
        not_text: NotTextKeys::PassedOver,
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: &[],
    },
    fields: fields::CURRENT,
    shown: fields::SHOWN,
    refused: Consequence::Rejected,
    float_words: FloatWords::Java,
    known_words: &known_words::WORDS,
    finish: finish::nothing,
    resolve: finish::as_read,
};

const OLD_READING: ReadingRules = ReadingRules {
    encoding: OLD_ENCODING,
    yaml: OLD_YAML,
    keys: KeyRules {
        unknown: UnknownKeys::Dropped,
        ..READING.keys
    },
    fields: fields::OLD,
    ..READING
};

static IN_PLUGIN: ReadingRules = ReadingRules {
    header: PLUGIN_HEADER,
    fields: fields::IN_PLUGIN,
    known_words: &known_words::IN_PLUGIN,
    finish: plugin::finish,
    ..READING
};

static OLD_IN_PLUGIN: ReadingRules = ReadingRules {
    header: PLUGIN_HEADER,
    fields: fields::OLD_IN_PLUGIN,
    known_words: &known_words::IN_PLUGIN,
    finish: plugin::finish,
    ..OLD_READING
};

static SKILL: ReadingRules = ReadingRules {
    header: PLUGIN_HEADER,
    keys: SKILL_KEYS,
    fields: skill::FIELDS,
    shown: skill::SHOWN,
    finish: skill::finish,
    ..READING
};

static OLD_SKILL: ReadingRules = ReadingRules {
    header: PLUGIN_HEADER,
    keys: SKILL_KEYS,
    fields: skill::OLD_FIELDS,
    shown: skill::SHOWN,
    finish: skill::finish,
    ..OLD_READING
};

static DEFINITIONS: ReadingRules = ReadingRules {
    keys: UNNAMED_KEYS,
    fields: definitions::FIELDS,
    finish: definitions::finish,
    ..READING
};

static OLD_DEFINITIONS: ReadingRules = ReadingRules {
    keys: UNNAMED_KEYS,
    fields: definitions::FIELDS,
    finish: definitions::old_finish,
    ..OLD_READING
};

/// The further keys of skills are from the documentation of skills.
const SKILL_KEYS: KeyRules = KeyRules {
    effective: &[
        "agent",
        "allowed-tools",
        "argument-hint",
        "arguments",
        "context",
        "effort",
        "hooks",
        "model",
        "paths",
        "shell",
    ],
    ..UNNAMED_KEYS
};

/// Cases `discover/n14b-agents-json-odd-ok` and `parse/skill-nouser`.
const UNNAMED_KEYS: KeyRules = KeyRules {
    unknown: UnknownKeys::Dropped,
    ..READING.keys
};

/// Cases `parse/en-*`: bad bytes are replaced, one byte order mark is dropped, and CRLF stays.
const ENCODING: Encoding = Encoding {
    invalid: InvalidBytes::Replaced,
    byte_order_mark: ByteOrderMark::Dropped,
    line_ends: LineEnds::Kept,
};

/// Case `parse/bom-at-start`.
const OLD_ENCODING: Encoding = Encoding {
    byte_order_mark: ByteOrderMark::Kept,
    ..ENCODING
};

/// Cases `parse/he-*`: `^---\s*\n`, then everything up to the first `---`, wherever it stands.
const HEADER: HeaderRules = HeaderRules {
    trim_file: Trim::Nothing,
    forms: &[HeaderForm {
        language: Language::Yaml,
        opening: Fence::ThenLineEnd("---"),
        closing: Fence::Anywhere("---"),
    }],
    trim_header: Trim::Nothing,
    trim_body: Trim::JavaScript,
    absent: Consequence::Ignored(SkipRule::NoHeader),
    unclosed: Unclosed::Treated(Consequence::Ignored(SkipRule::NoHeader)),
    repair: Some(RepairRules {
        edits: repair::edits,
        described: "puts values with special signs in quotes",
        still_broken: REFUSED,
    }),
    broken: REFUSED,
    not_a_map: |root| match root {
        None => NotAMap::Treated(Consequence::Ignored(SkipRule::EmptyHeader)),
        Some(_) => NotAMap::Treated(Consequence::Ignored(SkipRule::HeaderNotAMap)),
    },
    empty_map: None,
};

/// A file of a plugin always loads, if need be without any of its settings.
const PLUGIN_HEADER: HeaderRules = HeaderRules {
    absent: Consequence::LoadsWithoutFields,
    unclosed: Unclosed::Treated(Consequence::LoadsWithoutFields),
    repair: Some(RepairRules {
        edits: repair::edits,
        described: "puts values with special signs in quotes",
        still_broken: LOADS_BROKEN,
    }),
    broken: LOADS_BROKEN,
    not_a_map: |_| NotAMap::Treated(Consequence::LoadsWithoutFields),
    ..HEADER
};

const REFUSED: Broken = Broken {
    consequence: Consequence::Rejected,
    prompt: BrokenPrompt::Body,
    harness_says: true,
};

const LOADS_BROKEN: Broken = Broken {
    consequence: Consequence::LoadsWithoutFields,
    ..REFUSED
};

/// Cases `parse/ym-*` and `parse/en-nul`. The reader itself is not published.
const YAML: Flavor = Flavor {
    name: "Claude Code's YAML reader",
    characters: Characters::NoZero,
    tabs: Tabs::Indent,
    documents: Documents::Listed,
    duplicate_keys: DuplicateKeys::LastWins,
    // A list or map as key, as in `{{ name }}`, becomes a text.
    keys: Keys::AnyTexts(javascript::text),
    ..CORE_WITH_MERGE
};

const OLD_YAML: Flavor = Flavor {
    characters: Characters::UpToZero,
    ..YAML
};

/// Words of other harnesses, and of Claude Code's own skills, for what an agent can do too.
const FOREIGN_KEYS: &[(&str, &str)] = &[
    ("allowed-tools", "tools"),
    ("allowedTools", "tools"),
    ("allowed_tools", "tools"),
    ("tool", "tools"),
    ("Tools", "tools"),
    ("disallowed-tools", "disallowedTools"),
    ("disallowed_tools", "disallowedTools"),
    ("permission_mode", "permissionMode"),
    ("permission-mode", "permissionMode"),
    ("max_turns", "maxTurns"),
    ("max-turns", "maxTurns"),
    ("steps", "maxTurns"),
    ("mcp_servers", "mcpServers"),
    ("mcp-servers", "mcpServers"),
    ("mcp", "mcpServers"),
    ("initial_prompt", "initialPrompt"),
    ("skill", "skills"),
    ("modal", "model"),
];
