//! `pi-subagents` 0.67.0 (`src/agents/agents.ts`).
//!
//! It reads headers line by line instead of as YAML, so that every value is a text first. A bad
//! value of a known key loses the file, and the loss is told in its list of diagnostics.

use crate::definition::{Definition, FieldName, FieldValue, FloatWords, Located};
use crate::diagnostic::Diagnostic;
use crate::dialect::{
    Absent, AliasUse, Base, BuiltinAgent, EffectRules, FactoryRules, Field, FileRules, Folders,
    KeyRules, Level, LookupRules, MergeRules, NameOrder, Precedence, PromptUse, Pruned,
    ReadingRules, Rules, SearchPlace, SearchRules, SkipRule, SpawnRight, SpawnRules, StartRules,
    UnknownKeys,
};
use crate::dialects::skills;
use crate::finish::{self, Finish};
use crate::header::{Consequence, Fence, HeaderForm, HeaderRules, Language};
use crate::rules;
use crate::surroundings::{
    AgentSwitches, FolderList, NearestRule, Override, OverrideValue, PackageRules, PackageSource,
    SettingsFile, SettingsLevel, WordSetting,
};
use crate::text::{ByteOrderMark, Encoding, LineEnds};
use crate::yaml::NPM_YAML;

use super::acceptance::acceptance;
use super::pi_subagents_values::{
    acceptance_role, as_written, context, depth, filled, flag, list, list_unless_empty, loose_flag,
    mcp_tools, memory, milliseconds, milliseconds_of_a_tool, normal_package, output_mode,
    permissions, prompt_mode, prose, runner, switch, thinking, tool_budget, tools,
};
use super::{
    AGENT_FOLDER, ENCODING, EXACT_NAMES, FILES, HEADER, KEYS, NO_PLUGINS, USER_SETTINGS, builtin,
    known_words,
};

pub(super) const RULES: Rules = Rules {
    reading: ReadingRules {
        float_words: FloatWords::Java,
        known_words: &known_words::PI_SUBAGENTS,
        // A byte order mark and lone carriage returns hide the header (cases `parse/utf8-bom`
        // and `parse/cr-only-endings`).
        encoding: Encoding {
            byte_order_mark: ByteOrderMark::Kept,
            line_ends: LineEnds::CrLf,
            ..ENCODING
        },
        header: HeaderRules {
            forms: &[HeaderForm {
                language: Language::Lines,
                opening: Fence::StartAndOne("---"),
                closing: Fence::Start("---"),
            }],
            ..HEADER
        },
        // For the values of `permissions`, `runner` and `acceptance` alone.
        yaml: NPM_YAML,
        keys: KeyRules {
            unknown: UnknownKeys::Metadata,
            aliases: AliasUse::WhenUnset,
            effective: &[],
            ..KEYS
        },
        fields: FIELDS,
        shown: SHOWN,
        refused: Consequence::Rejected,
        finish,
        resolve: finish::as_read,
    },
    agents: SearchRules {
        agent_switches: Some(&SWITCHES),
        builtins: BUILTINS,
        ..SearchRules::of(
            PLACES,
            AGENT_FILES,
            Precedence::LastReplaces {
                but_first_within: &[Level::Package],
            },
        )
    },
    searches: &[],
    roster: None,
    merging: MergeRules::NONE,
    plugins: NO_PLUGINS,
    skills: skills::pi_subagents::RULES,
    // `resolveAgentName` (read).
    lookup: LookupRules {
        also_called: &[LOCAL_NAME, ALIASES],
        ..EXACT_NAMES
    },
    factory: FactoryRules {
        inherit_words: &["inherit"],
        start: StartRules {
            permissions: Some(EffectRules {
                fields: &[PERMISSIONS],
                complete: None,
                read: super::writing::subagent_permissions,
                defaults: &[],
                actions: &[],
                deny: "deny",
            }),
            spawning: SpawnRules {
                by: SpawnRight::Field(NESTED),
                depth_field: Some(DEPTH),
                ..SpawnRules::UNKNOWN
            },
            prompt: PromptUse::AsFieldSays {
                field: PROMPT_MODE,
                follows: "append",
            },
            ..StartRules::PLAIN
        },
        ..FactoryRules::PLAIN
    },
    writing: &super::writing::PI_SUBAGENTS,
};

const PLACES: &[SearchPlace] = &[
    SearchPlace::at(Level::Package, Base::Listed(&PACKAGES), ""),
    SearchPlace::at(Level::User, Base::Listed(&EXTRA_FOLDERS), ""),
    SearchPlace::at(Level::User, Base::Listed(&USER_FOLDERS), ""),
    SearchPlace::at(Level::User, AGENT_FOLDER, "agents"),
    SearchPlace::at(Level::User, Base::Home, ".agents"),
    SearchPlace::at(Level::Project, Base::Listed(&PROJECT_FOLDERS), ""),
    SearchPlace::at(Level::Project, PROJECT_ROOT, ".agents"),
    SearchPlace::at(Level::Project, PROJECT_ROOT, ".pi/agents"),
];

const AGENT_FILES: FileRules = FileRules {
    // Case `parse/chain-suffix`.
    split: |name| match (name.strip_suffix(".chain.md"), name.strip_suffix(".md")) {
        (Some(stem), _) => (stem, ".chain.md"),
        (None, Some(stem)) => (stem, ".md"),
        (None, None) => (name, ""),
    },
    folders: Folders::SearchedBut(&PRUNED),
    order: NameOrder::Dictionary,
    ..FILES
};

/// The nearest folder with `.pi` or `.agents`, even if it holds no agents (case
/// `discover/nearer-dot-pi-without-agents`).
const PROJECT_ROOT: Base = Base::Nearest(&NearestRule {
    holding: &[".pi", ".agents"],
    git_root: Some(&WordSetting {
        file: ".pi/settings.json",
        keys: &["subagents", "projectRootResolution"],
        word: "git-root",
        opposite: "nearest",
    }),
});

const PROJECT_SETTINGS: SettingsFile = SettingsFile {
    base: PROJECT_ROOT,
    path: ".pi/settings.json",
};

const EXTRA_FOLDERS: FolderList = FolderList::Variable("PI_SUBAGENT_EXTRA_AGENT_DIRS");

/// Case `discover/settings-scan-dirs`.
const USER_FOLDERS: FolderList = FolderList::Settings {
    file: USER_SETTINGS,
    keys: &["subagents", "agentScanDirs"],
};

const PROJECT_FOLDERS: FolderList = FolderList::Settings {
    file: PROJECT_SETTINGS,
    keys: &["subagents", "agentScanDirs"],
};

/// Case `discover/package-json-agents`.
const PACKAGES: FolderList = FolderList::Packages(&PackageRules {
    sources: &[
        PackageSource::Folder(PROJECT_ROOT),
        PackageSource::FoldersIn {
            base: PROJECT_ROOT,
            path: ".pi/npm/node_modules",
        },
        PackageSource::Settings {
            file: PROJECT_SETTINGS,
            keys: &["packages"],
        },
        PackageSource::FoldersIn {
            base: AGENT_FOLDER,
            path: "npm/node_modules",
        },
        PackageSource::Settings {
            file: USER_SETTINGS,
            keys: &["packages"],
        },
    ],
    manifest: "package.json",
    keys: &[&["pi-subagents", "agents"], &["pi", "subagents", "agents"]],
});

/// Case `discover/settings-disable-agent`; the other keys were read in `src/agents/agents.ts`. What
/// the project says is laid over what the user says, key by key.
const SWITCHES: AgentSwitches = AgentSwitches {
    files: &[
        settings_of(Level::Project, PROJECT_SETTINGS),
        settings_of(Level::User, USER_SETTINGS),
    ],
    keys: &["subagents", "agentOverrides"],
    off: "disabled",
    overrides: OVERRIDES,
};

const fn settings_of(level: Level, file: SettingsFile) -> SettingsLevel {
    SettingsLevel {
        level,
        file,
        drop_ins: None,
    }
}

const fn replaces(key: &'static str, target: FieldName, takes: OverrideValue) -> Override {
    Override { key, target, takes }
}

const OVERRIDES: &[Override] = &[
    replaces("description", FieldName::DESCRIPTION, OverrideValue::Text),
    replaces("model", FieldName::MODEL, OverrideValue::TextOrNone),
    replaces(
        "fallbackModels",
        FALLBACK_MODELS,
        OverrideValue::NamesOrNone,
    ),
    replaces("fast", FAST, OverrideValue::Flag),
    replaces("thinking", THINKING, OverrideValue::TextOrNone),
    replaces("systemPrompt", FieldName::PROMPT, OverrideValue::Text),
    replaces("systemPromptMode", PROMPT_MODE, OverrideValue::Text),
    replaces(
        "inheritProjectContext",
        PROJECT_CONTEXT,
        OverrideValue::Flag,
    ),
    replaces("inheritGlobalContext", GLOBAL_CONTEXT, OverrideValue::Flag),
    replaces("inheritSkills", INHERIT_SKILLS, OverrideValue::Flag),
    replaces("defaultContext", CONTEXT, OverrideValue::TextOrNone),
    replaces("acceptanceRole", ACCEPTANCE_ROLE, OverrideValue::TextOrNone),
    replaces("skills", FieldName::SKILLS, OverrideValue::NamesOrNone),
    replaces(
        "tools",
        FieldName::TOOLS,
        OverrideValue::Tools {
            inherit: "inherit",
            of_servers: ("mcp:", MCP_TOOLS),
        },
    ),
    replaces(
        "excludeTools",
        FieldName::DISALLOWED_TOOLS,
        OverrideValue::NamesOrNone,
    ),
    replaces("allowNestedSubagents", NESTED, OverrideValue::Flag),
    replaces("extensions", EXTENSIONS, OverrideValue::NamesOrNone),
    replaces(
        "subagentOnlyExtensions",
        OWN_EXTENSIONS,
        OverrideValue::NamesOrNone,
    ),
    replaces("mutationTools", MUTATION_TOOLS, OverrideValue::NamesOrNone),
    replaces("output", OUTPUT, OverrideValue::TextOrNone),
    replaces("outputMode", OUTPUT_MODE, OverrideValue::Text),
    replaces("defaultReads", READS, OverrideValue::NamesOrNone),
    replaces("completionGuard", GUARD, OverrideValue::Flag),
    replaces("toolBudget", TOOL_BUDGET, OverrideValue::MapOrNone),
];

/// Cases `discover/nested-root-pruned` and `discover/dot-agents-direct`.
const PRUNED: Pruned = Pruned {
    named: &[".git", "node_modules", ".pi", "sync-backups"],
    holding: &[".git"],
    holding_folders: &[".pi", ".agents"],
    inside: &[(".agents", "skills")],
};

/// The files of its own folder `agents`.
const BUILTINS: &[BuiltinAgent] = &[
    builtin("claude-code"),
    builtin("claude-code-writer"),
    builtin("codex-exec"),
    builtin("codex-exec-writer"),
    builtin("cursor-agent"),
    builtin("cursor-agent-writer"),
    builtin("delegate"),
    builtin("evidence-auditor"),
    builtin("oracle"),
    builtin("researcher"),
    builtin("reviewer"),
    builtin("scout"),
    builtin("worker"),
];

pub(super) const LOCAL_NAME: FieldName = FieldName::of_dialect("localName");
pub(super) const PACKAGE: FieldName = FieldName::of_dialect("packageName");
pub(super) const ALIASES: FieldName = FieldName::of_dialect("aliases");
pub(super) const ADVERTISE: FieldName = FieldName::of_dialect("advertise");
pub(super) const MCP_TOOLS: FieldName = FieldName::of_dialect("mcpDirectTools");
pub(super) const NESTED: FieldName = FieldName::of_dialect("allowNestedSubagents");
pub(super) const FALLBACK_MODELS: FieldName = FieldName::of_dialect("fallbackModels");
pub(super) const FAST: FieldName = FieldName::of_dialect("fast");
pub(super) const THINKING: FieldName = FieldName::of_dialect("thinking");
pub(super) const PROMPT_MODE: FieldName = FieldName::of_dialect("systemPromptMode");
pub(super) const PROJECT_CONTEXT: FieldName = FieldName::of_dialect("inheritProjectContext");
pub(super) const GLOBAL_CONTEXT: FieldName = FieldName::of_dialect("inheritGlobalContext");
pub(super) const INHERIT_SKILLS: FieldName = FieldName::of_dialect("inheritSkills");
pub(super) const CONTEXT: FieldName = FieldName::of_dialect("defaultContext");
pub(super) const ASYNC: FieldName = FieldName::of_dialect("defaultAsync");
pub(super) const TIMEOUT: FieldName = FieldName::of_dialect("defaultTimeoutMs");
pub(super) const TOOL_TIMEOUT: FieldName = FieldName::of_dialect("defaultToolTimeoutMs");
pub(super) const ACCEPTANCE: FieldName = FieldName::of_dialect("defaultAcceptance");
pub(super) const ACCEPTANCE_ROLE: FieldName = FieldName::of_dialect("acceptanceRole");
pub(super) const SKILL_PATH: FieldName = FieldName::of_dialect("skillPath");
pub(super) const EXTENSIONS: FieldName = FieldName::of_dialect("extensions");
pub(super) const OWN_EXTENSIONS: FieldName = FieldName::of_dialect("subagentOnlyExtensions");
pub(super) const MUTATION_TOOLS: FieldName = FieldName::of_dialect("mutationTools");
pub(super) const OUTPUT: FieldName = FieldName::of_dialect("output");
pub(super) const OUTPUT_MODE: FieldName = FieldName::of_dialect("outputMode");
pub(super) const READS: FieldName = FieldName::of_dialect("defaultReads");
pub(super) const PROGRESS: FieldName = FieldName::of_dialect("defaultProgress");
pub(super) const INTERACTIVE: FieldName = FieldName::of_dialect("interactive");
pub(super) const DEPTH: FieldName = FieldName::of_dialect("maxSubagentDepth");
pub(super) const GUARD: FieldName = FieldName::of_dialect("completionGuard");
pub(super) const TOOL_BUDGET: FieldName = FieldName::of_dialect("toolBudget");
pub(super) const PERMISSIONS: FieldName = FieldName::of_dialect("permissions");
/// The other spelling of [`PERMISSIONS`]; only one of the two may be written.
pub(super) const PERMISSION: FieldName = FieldName::of_dialect("permission");
pub(super) const MEMORY: FieldName = FieldName::of_dialect("memory");
pub(super) const RUNNER: FieldName = FieldName::of_dialect("runner");

const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    LOCAL_NAME,
    PACKAGE,
    ALIASES,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    FALLBACK_MODELS,
    FAST,
    THINKING,
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    MCP_TOOLS,
    NESTED,
    FieldName::SKILLS,
    SKILL_PATH,
    EXTENSIONS,
    OWN_EXTENSIONS,
    MUTATION_TOOLS,
    PERMISSIONS,
    ADVERTISE,
    PROMPT_MODE,
    PROJECT_CONTEXT,
    GLOBAL_CONTEXT,
    INHERIT_SKILLS,
    CONTEXT,
    ASYNC,
    TIMEOUT,
    TOOL_TIMEOUT,
    ACCEPTANCE,
    ACCEPTANCE_ROLE,
    OUTPUT,
    OUTPUT_MODE,
    READS,
    PROGRESS,
    INTERACTIVE,
    DEPTH,
    GUARD,
    TOOL_BUDGET,
    MEMORY,
    RUNNER,
    FieldName::METADATA,
];

type Read = fn(&crate::value::Node, &mut crate::coerce::Remarks<'_>) -> crate::coerce::Coerced;

const fn field(key: &'static str, target: FieldName, read: Read, accepts: &'static str) -> Field {
    Field {
        key,
        aliases: &[],
        target,
        read,
        absent: Absent::Unset,
        accepts,
    }
}

const NAMES: &str = "names separated by commas, or `- name` lines";
const TRUE_OR_FALSE: &str = "`true` or `false`";

static FIELDS: &[Field] = &[
    Field {
        absent: Absent::Loses(Consequence::Ignored(SkipRule::NoName)),
        ..field("name", LOCAL_NAME, filled, "a text")
    },
    Field {
        absent: Absent::Loses(Consequence::Ignored(SkipRule::NoDescription)),
        ..field("description", FieldName::DESCRIPTION, prose, "a text")
    },
    field(
        "package",
        PACKAGE,
        normal_package,
        "a name of small letters, digits and hyphens",
    ),
    Field {
        aliases: &["alias"],
        ..field("aliases", ALIASES, list_unless_empty, NAMES)
    },
    field("advertise", ADVERTISE, flag, TRUE_OR_FALSE),
    field("tools", FieldName::TOOLS, tools, NAMES),
    // The tools of servers stand among the others and are told apart by their beginning.
    field(
        "tools",
        MCP_TOOLS,
        mcp_tools,
        "names that begin with `mcp:`",
    ),
    field("excludeTools", FieldName::DISALLOWED_TOOLS, list, NAMES),
    field("allowNestedSubagents", NESTED, flag, TRUE_OR_FALSE),
    field(
        "model",
        FieldName::MODEL,
        as_written,
        "`inherit` or the name of a model",
    ),
    field("fallbackModels", FALLBACK_MODELS, list_unless_empty, NAMES),
    field("fast", FAST, flag, TRUE_OR_FALSE),
    field(
        "thinking",
        THINKING,
        thinking,
        "`off`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`, or `false`",
    ),
    Field {
        absent: Absent::Text("replace"),
        ..field(
            "systemPromptMode",
            PROMPT_MODE,
            prompt_mode,
            "`replace` or `append`",
        )
    },
    Field {
        absent: Absent::Flag(false),
        ..field(
            "inheritProjectContext",
            PROJECT_CONTEXT,
            loose_flag,
            TRUE_OR_FALSE,
        )
    },
    Field {
        absent: Absent::Flag(false),
        ..field(
            "inheritGlobalContext",
            GLOBAL_CONTEXT,
            switch,
            TRUE_OR_FALSE,
        )
    },
    Field {
        absent: Absent::Flag(false),
        ..field("inheritSkills", INHERIT_SKILLS, loose_flag, TRUE_OR_FALSE)
    },
    field("defaultContext", CONTEXT, context, "`fork` or `fresh`"),
    field("async", ASYNC, flag, TRUE_OR_FALSE),
    field(
        "timeoutMs",
        TIMEOUT,
        milliseconds,
        "a whole number of milliseconds",
    ),
    field(
        "toolTimeoutMs",
        TOOL_TIMEOUT,
        milliseconds_of_a_tool,
        "a whole number of milliseconds up to 2147483647",
    ),
    field(
        "acceptance",
        ACCEPTANCE,
        acceptance,
        "a level, `false`, or a map",
    ),
    field(
        "acceptanceRole",
        ACCEPTANCE_ROLE,
        acceptance_role,
        "`read-only` or `writer`",
    ),
    Field {
        aliases: &["skills"],
        ..field("skill", FieldName::SKILLS, list_unless_empty, NAMES)
    },
    field(
        "skillPath",
        SKILL_PATH,
        list_unless_empty,
        "paths separated by commas",
    ),
    field("extensions", EXTENSIONS, list, NAMES),
    field("subagentOnlyExtensions", OWN_EXTENSIONS, list, NAMES),
    field("mutationTools", MUTATION_TOOLS, list_unless_empty, NAMES),
    field("output", OUTPUT, as_written, "a path"),
    field(
        "outputMode",
        OUTPUT_MODE,
        output_mode,
        "`inline` or `file-only`",
    ),
    field(
        "defaultReads",
        READS,
        list_unless_empty,
        "paths separated by commas",
    ),
    Field {
        absent: Absent::Flag(false),
        ..field("defaultProgress", PROGRESS, switch, TRUE_OR_FALSE)
    },
    Field {
        absent: Absent::Flag(false),
        ..field("interactive", INTERACTIVE, switch, TRUE_OR_FALSE)
    },
    field("maxSubagentDepth", DEPTH, depth, "a whole number"),
    field("completionGuard", GUARD, loose_flag, TRUE_OR_FALSE),
    field("toolBudget", TOOL_BUDGET, tool_budget, "a JSON object"),
    field("permissions", PERMISSIONS, permissions, PERMISSION_LINES),
    field("permission", PERMISSION, permissions, PERMISSION_LINES),
    field(
        "memory",
        MEMORY,
        memory,
        "`scope` (`project` or `user`) and `path`",
    ),
    field("runner", RUNNER, runner, "a map with a `type`"),
];

const PERMISSION_LINES: &str = "lines of `tool: allow`, `tool: ask` or `tool: deny`";

/// An agent of this name has other defaults than any other.
const DELEGATE: &str = "delegate";

fn finish(finish: &mut Finish<'_>) {
    let definition = &mut *finish.definition;
    let local = definition.text(LOCAL_NAME).unwrap_or_default().to_owned();
    if local.is_empty() || definition.description().is_empty() {
        return;
    }
    name_with_package(definition, &local);
    if local == DELEGATE {
        imply(
            definition,
            PROMPT_MODE,
            FieldValue::text("append".to_owned()),
        );
        imply(definition, PROJECT_CONTEXT, FieldValue::Flag(true));
    }
    drop_own_name_from_aliases(definition);
    let refusals = [
        both_permissions(definition),
        reserved_name(definition, &local),
        keys_of_pi_runner(definition),
    ];
    for refusal in refusals.into_iter().flatten() {
        finish.findings.push(refusal.said_by_harness());
        finish.consequence = Some(Consequence::Rejected);
    }
}

/// The name to call is that of the package and the local one (case `parse/package-and-aliases`).
fn name_with_package(definition: &mut Definition, local: &str) {
    let name = match definition.text(PACKAGE) {
        Some(package) => format!("{package}.{local}"),
        None => local.to_owned(),
    };
    let place = definition.place(LOCAL_NAME);
    let value = FieldValue::text(name);
    definition.set(FieldName::NAME, Located { value, place });
}

/// Sets a default that holds unless the file says otherwise.
fn imply(definition: &mut Definition, field: FieldName, value: FieldValue) {
    if definition.place(field).is_none() {
        definition.set(field, Located::implied(value));
    }
}

/// An alias is listed once, and never if it is the name.
fn drop_own_name_from_aliases(definition: &mut Definition) {
    let Some(aliases) = definition.field(ALIASES) else {
        return;
    };
    let place = aliases.place;
    let mut kept: Vec<crate::Name> = Vec::new();
    for alias in definition.names(ALIASES) {
        let known = kept.iter().any(|known| known.text == alias.text);
        if !known && alias.text != definition.name() {
            kept.push(alias.clone());
        }
    }
    match kept.is_empty() {
        true => definition.unset(ALIASES),
        false => {
            let value = FieldValue::Names(kept);
            definition.set(ALIASES, Located { value, place });
        }
    }
}

/// Two spellings of one key are refused; the other spelling alone counts as the first.
fn both_permissions(definition: &mut Definition) -> Option<Diagnostic> {
    let other = definition.field(PERMISSION)?.clone();
    definition.unset(PERMISSION);
    let Some(first) = definition.place(PERMISSIONS) else {
        definition.set(PERMISSIONS, other);
        return None;
    };
    let finding = Diagnostic::new(
        &rules::KEY_BESIDE_ALIAS,
        "`permission` and `permissions` cannot stand in one file",
    );
    let finding = match other.place {
        Some(place) => finding
            .at(place.key)
            .and_at(first.key, "the other spelling"),
        None => finding.at(first.key),
    };
    Some(
        finding
            .because("pi-subagents refuses the whole file")
            .help("keep one of them"),
    )
}

/// Names that promise an adapter which may only read.
const RESERVED_NAMES: [&str; 3] = ["claude-code", "codex-exec", "cursor-agent"];

fn reserved_name(definition: &Definition, local: &str) -> Option<Diagnostic> {
    let adapter = adapter(definition);
    let mut answers_to = vec![definition.name(), local];
    answers_to.extend(
        definition
            .names(ALIASES)
            .iter()
            .map(|alias| alias.text.as_str()),
    );
    let reserved = RESERVED_NAMES.into_iter();
    let taken = reserved
        .filter(|name| answers_to.contains(name))
        .find(|name| adapter != Some(*name))?;
    let mut finding = Diagnostic::new(
        &rules::RESERVED_NAME,
        format!("the name `{taken}` is reserved for the adapter of that name"),
    )
    .because("pi-subagents keeps the name for an adapter that may only read, and refuses the file")
    .help("give the agent another name");
    finding.span = definition.place(LOCAL_NAME).map(|place| place.value);
    Some(finding)
}

fn adapter(definition: &Definition) -> Option<&str> {
    let runner = definition.config(RUNNER)?.as_map()?;
    runner.get("adapter")?.value.as_text()
}

/// What only Pi's own runner understands.
const KEYS_OF_PI_RUNNER: [FieldName; 16] = [
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    NESTED,
    FieldName::MODEL,
    FALLBACK_MODELS,
    THINKING,
    EXTENSIONS,
    OWN_EXTENSIONS,
    MUTATION_TOOLS,
    DEPTH,
    GUARD,
    FieldName::SKILLS,
    SKILL_PATH,
    TOOL_BUDGET,
    PERMISSIONS,
    PERMISSION,
];

fn keys_of_pi_runner(definition: &Definition) -> Option<Diagnostic> {
    let runner = definition.config(RUNNER)?.as_map()?;
    let kind = runner.get("type")?.value.as_text()?;
    if kind == "pi" {
        return None;
    }
    let mut written = KEYS_OF_PI_RUNNER.into_iter();
    let place = written.find_map(|field| definition.place(field))?;
    Some(
        Diagnostic::new(
            &rules::INVALID_VALUE,
            format!("this key does not go with a runner of type `{kind}`"),
        )
        .at(place.key)
        .because("pi-subagents refuses the whole file")
        .help("remove the key, or the `runner`"),
    )
}
