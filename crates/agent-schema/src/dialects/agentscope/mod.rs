//! AgentScope: the subagent declarations of the harness module of AgentScope for Java.
//!
//! Observed in 2.0.3-SNAPSHOT at commit c2d43f86e (cases under `conformance/agentscope`). The
//! header is what stands between the first two runs of three dashes, Jackson reads it as a plain
//! map, and nearly every value goes through Java's `toString()` and `trim()`.

mod fields;
mod known_words;
mod names;
mod search;
mod workspace;
mod writing;

pub(super) use writing::VOCABULARY;

use crate::coerce::java;
use crate::definition::{Definition, FieldName, FieldValue, FloatWords, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{
    Absent, AliasUse, Basis, Dialect, FactoryRules, Field, Inheritance, InheritedDenials,
    InheritedTools, KeyRules, ListRules, LookupRules, MergeRules, NotTextKeys, PluginRules,
    Profile, PromptFile, PromptUse, ReadingRules, Rules, SkillRules, SkipRule, SpawnRight,
    SpawnRules, StartRules, ToolDecision, UnknownKeys,
};
use crate::finish::{self, Finish};
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap, Trim,
    Unclosed,
};
use crate::rules;
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::yaml;

/// The dialect.
pub static AGENTSCOPE: Dialect = Dialect {
    id: "agentscope",
    title: "AgentScope",
    profiles: &[
        Profile {
            id: "2.0.3",
            program: "agentscope-java",
            harness: "agentscope-java 2.0.3-SNAPSHOT @c2d43f86e",
            recorded_as: None,
            basis: Basis::Ran,
            rules: SNAPSHOT,
        },
        Profile {
            id: "2.0.4",
            program: "agentscope-java",
            harness: "agentscope-java after PR 3017 (2026-09-07)",
            recorded_as: Some("agentscope-java after PR 3017 (2026-09-07), the seed revision"),
            basis: Basis::Read,
            rules: WITH_TOOL_RECOVERY,
        },
        Profile {
            id: "1.1.0-RC1",
            program: "agentscope-java",
            harness: "agentscope-java 1.1.0-RC1",
            recorded_as: None,
            basis: Basis::Read,
            rules: NAMED_BY_HEADER,
        },
    ],
    foreign_keys: FOREIGN_KEYS,
};

const SNAPSHOT: Rules = Rules {
    reading: READING,
    agents: search::DYNAMIC,
    searches: search::OTHERS,
    roster: None,
    merging: MergeRules::NONE,
    plugins: PluginRules {
        folder: search::FOLDER,
        files: search::DECLARATIONS,
        reading: None,
        manifest: None,
        folders_in_names: false,
        nested: false,
    },
    skills: SkillRules::NONE,
    lookup: LookupRules {
        default: None,
        cut_at: None,
        also_called: &[],
        any_case: false,
        spelled_freely: None,
        description_budget: None,
        builtins_first: None,
        untold: |definition| {
            definition.flag(FieldName::HIDDEN) == Some(true)
                || definition.text(FieldName::MODE) == Some("PRIMARY")
        },
        deprecated: &[],
    },
    factory: FactoryRules {
        prompt_file: Some(PromptFile {
            folder: workspace::path,
            folder_place: workspace::path_place,
            file: "AGENTS.md",
        }),
        start: START,
        ..FactoryRules::PLAIN
    },
    writing: &writing::WRITING,
};

/// What it makes of a declaration when it starts the agent (`HarnessAgentBuilderSupport`, read).
/// A list of tools counts only for those that the application gives to the parent: its own ones
/// every child gets (agentscope-ai/agentscope-java#1987). A section of its own follows the prompt.
/// What the parent's permissions deny is denied to the child (`AgentSpawnTool`); that a program can
/// switch this off is nothing that a file says.
const START: StartRules = StartRules {
    tools: ToolDecision::Lists(ListRules {
        always: &[
            "read_file",
            "write_file",
            "edit_file",
            "grep_files",
            "glob_files",
            "list_files",
            "execute",
            "fetch_url",
            "todo_write",
        ],
        ..ListRules::PLAIN
    }),
    inherits: Inheritance {
        denials: InheritedDenials::Denials,
        tools: InheritedTools::Parents,
    },
    spawning: SpawnRules {
        by: SpawnRight::Nobody,
        most_depth: Some(3),
        ..SpawnRules::UNKNOWN
    },
    prompt: PromptUse::PrecedesBase,
    ..StartRules::PLAIN
};

/// The revision of the upstream description: one more switch (agentscope-ai/agentscope-java#3017).
const WITH_TOOL_RECOVERY: Rules = Rules {
    reading: ReadingRules {
        fields: FIELDS_WITH_TOOL_RECOVERY,
        shown: SHOWN_WITH_TOOL_RECOVERY,
        ..READING
    },
    ..SNAPSHOT
};

/// The first generation: the header names the agent, and must.
const NAMED_BY_HEADER: Rules = Rules {
    reading: ReadingRules {
        fields: FIELDS_WITH_NAME,
        finish,
        ..READING
    },
    agents: search::RECURSIVE,
    searches: &[],
    writing: &writing::NAMED_BY_HEADER,
    ..SNAPSHOT
};

const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        invalid: InvalidBytes::Refused,
        byte_order_mark: ByteOrderMark::Kept,
        line_ends: LineEnds::Kept,
    },
    header: HEADER,
    yaml: yaml::JACKSON,
    keys: KeyRules {
        unknown: UnknownKeys::Dropped,
        reserved: &[],
        // Never met: Jackson makes a text of every key.
        not_text: NotTextKeys::PassedOver,
        inert: INERT_KEYS,
        aliases: AliasUse::WhenUnset,
        effective: &[],
    },
    fields: FIELDS,
    shown: SHOWN,
    float_words: FloatWords::Java,
    known_words: &known_words::WORDS,
    refused: Consequence::Rejected,
    finish: |last| {
        name_after_file(last);
        finish(last);
    },
    resolve: finish::as_read,
};

/// Cases `parse/all-on-one-line`, `parse/closer-*`, `parse/dash-run-*` and `parse/frontmatter-*`.
const HEADER: HeaderRules = HeaderRules {
    trim_file: Trim::Nothing,
    forms: &[HeaderForm {
        language: Language::Yaml,
        opening: Fence::Characters("---"),
        closing: Fence::Characters("---"),
    }],
    trim_header: Trim::Java,
    trim_body: Trim::Java,
    absent: Consequence::Ignored(SkipRule::NoHeader),
    unclosed: Unclosed::Treated(Consequence::Rejected),
    repair: None,
    broken: Broken {
        consequence: Consequence::Rejected,
        prompt: BrokenPrompt::Body,
        harness_says: true,
    },
    not_a_map: |root| {
        NotAMap::Treated(match root {
            Some(root) if root.is_null() => EMPTY,
            _ => Consequence::Rejected,
        })
    },
    empty_map: Some(EMPTY),
};

const EMPTY: Consequence = Consequence::Ignored(SkipRule::EmptyHeader);

/// Settings of a declaration for which no key is read.
const INERT_KEYS: &[(&str, &str)] = &[
    ("url", ONLY_IN_CODE),
    ("headers", ONLY_IN_CODE),
    ("persistSession", ONLY_IN_CODE),
    ("inheritParentPermissions", ONLY_IN_CODE),
];

const ONLY_IN_CODE: &str =
    "AgentScope takes this setting from a program's own declaration and reads no key for it";

/// Words of other harnesses for what AgentScope can do too.
const FOREIGN_KEYS: &[(&str, &str)] = &[
    ("maxTurns", "steps"),
    ("max_turns", "steps"),
    ("maxSteps", "steps"),
    ("max_iters", "steps"),
    ("max_iterations", "steps"),
    ("max_iteration_per_run", "steps"),
    ("allowed-tools", "tools"),
    ("allowedTools", "tools"),
    ("allowed_tools", "tools"),
    ("tool", "tools"),
    ("skill", "skills"),
];

const VARIANT: FieldName = FieldName::of_dialect("variant");
const EXPOSE_TO_USER: FieldName = FieldName::of_dialect("expose_to_user");
const ENABLE_PENDING_TOOL_RECOVERY: FieldName =
    FieldName::of_dialect("enable_pending_tool_recovery");

const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    FieldName::TOOLS,
    FieldName::SKILLS,
    FieldName::MODE,
    FieldName::HIDDEN,
    FieldName::MAX_TURNS,
    FieldName::TEMPERATURE,
    FieldName::TOP_P,
    VARIANT,
    EXPOSE_TO_USER,
    FieldName::WORKSPACE,
];

const SHOWN_WITH_TOOL_RECOVERY: &[FieldName] = &with_last(SHOWN, ENABLE_PENDING_TOOL_RECOVERY);

/// Adds a field to those that are shown.
const fn with_last(shown: &[FieldName], last: FieldName) -> [FieldName; SHOWN.len() + 1] {
    let mut all = [last; SHOWN.len() + 1];
    let mut index = 0;
    while index < shown.len() {
        all[index] = shown[index];
        index += 1;
    }
    all
}

/// The name is that of the file, whatever the header says.
const NAME: Field = Field {
    key: "name",
    aliases: &[],
    target: FieldName::NAME,
    read: fields::written_name,
    absent: Absent::FileStem,
    accepts: "nothing: the name is that of the file",
};

const DESCRIPTION: Field = Field {
    key: "description",
    aliases: &[],
    target: FieldName::DESCRIPTION,
    read: fields::description,
    absent: Absent::Loses(Consequence::Rejected),
    accepts: "a text that is not blank",
};

const WORKSPACE: Field = Field {
    key: "workspace",
    aliases: &[],
    target: FieldName::WORKSPACE,
    read: workspace::read,
    absent: Absent::Made(workspace::default),
    accepts: "a mapping with `mode` and `path`",
};

const MODEL: Field = Field {
    key: "model",
    aliases: &[],
    target: FieldName::MODEL,
    read: |node, remarks| fields::text("model", node, remarks),
    absent: Absent::Unset,
    accepts: "the name of a model",
};

const STEPS: Field = Field {
    key: "steps",
    aliases: &["maxIters"],
    target: FieldName::MAX_TURNS,
    read: fields::steps,
    absent: Absent::Integer(10),
    accepts: "a number without quotes",
};

const TEMPERATURE: Field = Field {
    key: "temperature",
    aliases: &[],
    target: FieldName::TEMPERATURE,
    read: fields::number,
    absent: Absent::Unset,
    accepts: "a number",
};

const TOP_P: Field = Field {
    key: "top_p",
    aliases: &["topP"],
    target: FieldName::TOP_P,
    read: fields::number,
    absent: Absent::Unset,
    accepts: "a number",
};

const VARIANT_KEY: Field = Field {
    key: "variant",
    aliases: &[],
    target: VARIANT,
    read: fields::variant,
    absent: Absent::Unset,
    accepts: "a text",
};

const MODE: Field = Field {
    key: "mode",
    aliases: &[],
    target: FieldName::MODE,
    read: fields::mode,
    absent: Absent::Text("ALL"),
    accepts: "`primary`, `subagent` or `all`",
};

const HIDDEN: Field = Field {
    key: "hidden",
    aliases: &[],
    target: FieldName::HIDDEN,
    read: |node, remarks| fields::flag("hidden", node, remarks),
    absent: Absent::Flag(false),
    accepts: "`true` or `false`",
};

const EXPOSE: Field = Field {
    key: "expose_to_user",
    aliases: &["exposeToUser"],
    target: EXPOSE_TO_USER,
    read: |node, remarks| fields::flag("expose_to_user", node, remarks),
    absent: Absent::Unset,
    accepts: "`true` or `false`",
};

const TOOLS: Field = Field {
    key: "tools",
    aliases: &[],
    target: FieldName::TOOLS,
    read: names::tools,
    absent: Absent::Inherited,
    accepts: "a list of names, or names separated by commas",
};

const SKILLS: Field = Field {
    key: "skills",
    aliases: &[],
    target: FieldName::SKILLS,
    read: names::skills,
    absent: Absent::Inherited,
    accepts: "a list of names, or names separated by commas",
};

const TOOL_RECOVERY: Field = Field {
    key: "enable_pending_tool_recovery",
    aliases: &["enablePendingToolRecovery"],
    target: ENABLE_PENDING_TOOL_RECOVERY,
    read: |node, remarks| fields::flag("enable_pending_tool_recovery", node, remarks),
    absent: Absent::Unset,
    accepts: "`true` or `false`",
};

static FIELDS: &[Field] = &[
    NAME,
    DESCRIPTION,
    WORKSPACE,
    MODEL,
    STEPS,
    TEMPERATURE,
    TOP_P,
    VARIANT_KEY,
    MODE,
    HIDDEN,
    EXPOSE,
    TOOLS,
    SKILLS,
];

static FIELDS_WITH_TOOL_RECOVERY: &[Field] = &[
    NAME,
    DESCRIPTION,
    WORKSPACE,
    MODEL,
    STEPS,
    TEMPERATURE,
    TOP_P,
    VARIANT_KEY,
    MODE,
    HIDDEN,
    EXPOSE,
    TOOLS,
    SKILLS,
    TOOL_RECOVERY,
];

static FIELDS_WITH_NAME: &[Field] = &[
    Field {
        read: |node, remarks| fields::text("name", node, remarks),
        absent: Absent::Loses(Consequence::Rejected),
        accepts: "a text",
        ..NAME
    },
    DESCRIPTION,
    WORKSPACE,
    MODEL,
    STEPS,
    TEMPERATURE,
    TOP_P,
    VARIANT_KEY,
    MODE,
    HIDDEN,
    EXPOSE,
    TOOLS,
    SKILLS,
];

/// `name` is not read at all (case `parse/name-field-ignored`); the documentation wants none.
fn name_after_file(finish: &mut Finish<'_>) {
    let Some(place) = finish.definition.place(FieldName::NAME) else {
        return;
    };
    let finding = match finish.definition.name() == finish.stem {
        true => Diagnostic {
            severity: Severity::Info,
            ..Diagnostic::new(
                &rules::IGNORED_VALUE,
                "`name` says again what the file is called",
            )
            .help("remove the key, unless another harness reads it")
        },
        false => Diagnostic::new(&rules::IGNORED_VALUE, "`name` has no effect")
            .help("give the file this name, and remove the key"),
    };
    let why = "AgentScope names an agent after its file, whatever the header says";
    let finding = finding.at(place.value).because(why);
    finish.findings.push(finding.about(FieldName::NAME));
    let stem = FieldValue::Text(finish.stem.into());
    finish
        .definition
        .set(FieldName::NAME, Located::implied(stem));
}

/// Takes the body away where it is no prompt, and refuses a blank name.
fn finish(finish: &mut Finish<'_>) {
    if java::is_blank(finish.definition.name()) {
        let finding = Diagnostic::new(&rules::INVALID_VALUE, "the name of the file names no agent");
        finish.findings.push(
            finding
                .because("AgentScope names an agent after its file and fails on a blank name")
                .help("put a name before `.md`")
                .said_by_harness(),
        );
        finish.consequence = Some(Consequence::Rejected);
    }
    let body = finish.definition.prompt().unwrap_or_default();
    let (is_empty, is_blank) = (body.is_empty(), java::is_blank(body));
    let path = workspace::path(finish.definition).map(str::to_owned);
    if let (Some(path), false) = (&path, is_blank) {
        finish.findings.push(dropped_body(finish, path));
        finish.lost.push(FieldName::PROMPT);
    }
    if is_empty && path.is_none() {
        finish.findings.extend(no_prompt(finish.definition));
    }
    if is_empty || path.is_some() {
        finish.definition.unset(FieldName::PROMPT);
    }
}

/// Tells of an agent that has a prompt neither in its body nor in a file (case `parse/body-absent`).
fn no_prompt(definition: &Definition) -> Option<Diagnostic> {
    let place = definition.place(FieldName::PROMPT)?;
    definition.place(FieldName::DESCRIPTION)?;
    let finding = Diagnostic::new(&rules::EMPTY_PROMPT, "the agent has no prompt")
        .at(place.value)
        .because(known_words::NO_PROMPT)
        .help("write below the header what the agent shall do");
    Some(finding.about(FieldName::PROMPT))
}

/// Case `parse/workspace-path-with-body`.
fn dropped_body(finish: &Finish<'_>, path: &str) -> Diagnostic {
    let mut finding = Diagnostic::new(
        &rules::DROPPED_SETTING,
        "the body is dropped, because `workspace.path` is set",
    )
    .because(format!(
        "AgentScope takes the prompt from `{path}/AGENTS.md` then, and says so in its log"
    ))
    .help("move the text there, or remove `workspace.path`")
    .said_by_harness();
    let place = |field| finish.definition.place(field);
    finding.span = place(FieldName::PROMPT).map(|place| place.value);
    match workspace::path_place(finish.definition) {
        Some(path) => finding.and_at(path, "the path is set here"),
        None => finding,
    }
}
