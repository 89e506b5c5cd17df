//! `@tintinweb/pi-subagents` (`src/custom-agents.ts`).
//!
//! Every file is an agent, whatever stands in it (case `parse/no-frontmatter`). A value of the
//! wrong type counts as not written.

use crate::coerce::{self, Coerced, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldName, FieldValue, FloatWords, Located, Name};
use crate::diagnostic::Diagnostic;
use crate::dialect::{
    Absent, Base, FactoryRules, Field, FileRules, Folders, Level, Levels, ListRules, LookupRules,
    MergeRules, PromptUse, ReadingRules, Rules, SearchPlace, SearchRules, SpawnRules, StartRules,
    ToolDecision, Unreadable,
};
use crate::dialects::skills;
use crate::finish::{self, Finish};
use crate::header::{Broken, Consequence, HeaderRules};
use crate::rules;
use crate::value::{Node, Value};
use crate::yaml::NPM_YAML;

use super::writing::BROUGHT;
use super::{
    A_LEVEL, AGENT_FOLDER, ENCODING, EXACT_NAMES, FILES, HEADER, KEYS, LAST_REPLACES, NO_PLUGINS,
    builtin, known_words, text, thinking_level, trimmed_text,
};

/// Version 0.18.0.
pub(super) const LATEST: Rules = Rules {
    reading: ReadingRules {
        float_words: FloatWords::Java,
        known_words: &known_words::TINTINWEB,
        encoding: ENCODING,
        header: HEADER,
        yaml: NPM_YAML,
        keys: KEYS,
        fields: FIELDS,
        shown: SHOWN,
        refused: Consequence::Rejected,
        finish: describe_by_name,
        resolve: finish::as_read,
    },
    agents: SearchRules {
        // The working folder alone counts, not those above it.
        // Case `discover/scope-user`.
        levels: Levels::All,
        own_switch: Some(ENABLED),
        builtins: &[
            builtin("general-purpose"),
            builtin("Explore"),
            builtin("Plan"),
        ],
        ..SearchRules::of(PLACES, AGENT_FILES, LAST_REPLACES)
    },
    searches: &[],
    roster: None,
    merging: MergeRules::NONE,
    plugins: NO_PLUGINS,
    skills: skills::pi_subagents::TINTINWEB_RULES,
    // `resolveKey` of `src/agent-types.ts` (read).
    lookup: LookupRules {
        any_case: true,
        spelled_freely: Some(
            "the extension asks for a name as it is written, and for the first one in any case where \
             nobody has it: these are two agents",
        ),
        ..EXACT_NAMES
    },
    factory: FactoryRules {
        start: StartRules {
            tools: ToolDecision::Lists(ListRules {
                beside: Some(BROUGHT),
                ..ListRules::PLAIN
            }),
            spawning: SpawnRules {
                only: Some(ALLOWED_SUBAGENTS),
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
    writing: &super::writing::TINTINWEB,
};

const PLACES: &[SearchPlace] = &[
    SearchPlace::at(Level::User, AGENT_FOLDER, "agents"),
    SearchPlace::at(Level::Project, Base::Project, ".agents/agents"),
    SearchPlace::at(Level::Project, Base::Project, ".pi/agents"),
];

const AGENT_FILES: FileRules = FileRules {
    folders: Folders::TriedAsFiles,
    unreadable: Unreadable::Told,
    ..FILES
};

/// Version 0.14.1: the name of the file alone names an agent, three keys do not exist yet, and a
/// header that is no YAML makes the whole search throw (case `discover/one-broken-yaml`).
pub(super) const OLD: Rules = Rules {
    reading: ReadingRules {
        header: HeaderRules {
            broken: Broken {
                consequence: Consequence::Fatal,
                ..HEADER.broken
            },
            ..HEADER
        },
        fields: OLD_FIELDS,
        shown: OLD_SHOWN,
        ..LATEST.reading
    },
    agents: SearchRules {
        files: FILES,
        ..LATEST.agents
    },
    writing: &super::writing::OLD_TINTINWEB,
    ..LATEST
};

pub(super) const DISPLAY_NAME: FieldName = FieldName::of_dialect("display_name");
pub(super) const EXT_SELECTORS: FieldName = FieldName::of_dialect("ext_selectors");
pub(super) const EXTENSIONS: FieldName = FieldName::of_dialect("extensions");
pub(super) const EXCLUDE_EXTENSIONS: FieldName = FieldName::of_dialect("exclude_extensions");
pub(super) const THINKING: FieldName = FieldName::of_dialect("thinking");
pub(super) const PROMPT_MODE: FieldName = FieldName::of_dialect("prompt_mode");
pub(super) const INHERIT_CONTEXT: FieldName = FieldName::of_dialect("inherit_context");
pub(super) const RUN_IN_BACKGROUND: FieldName = FieldName::of_dialect("run_in_background");
pub(super) const ISOLATED: FieldName = FieldName::of_dialect("isolated");
pub(super) const MEMORY: FieldName = FieldName::of_dialect("memory");
pub(super) const ISOLATION: FieldName = FieldName::of_dialect("isolation");
pub(super) const PERSIST_SESSION: FieldName = FieldName::of_dialect("persist_session");
pub(super) const SESSION_DIR: FieldName = FieldName::of_dialect("session_dir");
pub(super) const OUTPUT_TRANSCRIPT: FieldName = FieldName::of_dialect("output_transcript");
pub(super) const ALLOWED_SUBAGENTS: FieldName = FieldName::of_dialect("allowed_subagents");
pub(super) const ENABLED: FieldName = FieldName::of_dialect("enabled");

const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    DISPLAY_NAME,
    FieldName::COLOR,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    FieldName::TOOLS,
    EXT_SELECTORS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::SKILLS,
    EXTENSIONS,
    EXCLUDE_EXTENSIONS,
    THINKING,
    FieldName::MAX_TURNS,
    PROMPT_MODE,
    INHERIT_CONTEXT,
    RUN_IN_BACKGROUND,
    ISOLATED,
    MEMORY,
    ISOLATION,
    PERSIST_SESSION,
    SESSION_DIR,
    OUTPUT_TRANSCRIPT,
    ALLOWED_SUBAGENTS,
    ENABLED,
];

const OLD_SHOWN: &[FieldName] = &[
    FieldName::NAME,
    DISPLAY_NAME,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    FieldName::TOOLS,
    EXT_SELECTORS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::SKILLS,
    EXTENSIONS,
    EXCLUDE_EXTENSIONS,
    THINKING,
    FieldName::MAX_TURNS,
    PROMPT_MODE,
    INHERIT_CONTEXT,
    RUN_IN_BACKGROUND,
    ISOLATED,
    MEMORY,
    ISOLATION,
    PERSIST_SESSION,
    SESSION_DIR,
    ENABLED,
];

static FIELDS: &[Field] = &[
    Field {
        key: "name",
        aliases: &[],
        target: FieldName::NAME,
        read: name,
        absent: Absent::FileStem,
        accepts: "a text without `:`",
    },
    DISPLAY_NAME_FIELD,
    optional_text("color", FieldName::COLOR, "a colour"),
    DESCRIPTION_FIELD,
    MODEL_FIELD,
    TOOLS_FIELD,
    EXT_SELECTORS_FIELD,
    DISALLOWED_TOOLS_FIELD,
    SKILLS_FIELD,
    EXTENSIONS_FIELD,
    EXCLUDE_EXTENSIONS_FIELD,
    THINKING_FIELD,
    MAX_TURNS_FIELD,
    PROMPT_MODE_FIELD,
    INHERIT_CONTEXT_FIELD,
    RUN_IN_BACKGROUND_FIELD,
    ISOLATED_FIELD,
    MEMORY_FIELD,
    ISOLATION_FIELD,
    PERSIST_SESSION_FIELD,
    SESSION_DIR_FIELD,
    Field {
        key: "output_transcript",
        aliases: &[],
        target: OUTPUT_TRANSCRIPT,
        read: unless_false,
        absent: Absent::Unset,
        accepts: "`true` or `false`",
    },
    Field {
        key: "allowed_subagents",
        aliases: &[],
        target: ALLOWED_SUBAGENTS,
        read: allowed_subagents,
        absent: Absent::Unset,
        accepts: "`all`, or names separated by commas",
    },
    ENABLED_FIELD,
];

static OLD_FIELDS: &[Field] = &[
    Field {
        key: "name",
        aliases: &[],
        target: FieldName::NAME,
        read: name_without_effect,
        absent: Absent::FileStem,
        accepts: "nothing; the file names the agent",
    },
    DISPLAY_NAME_FIELD,
    DESCRIPTION_FIELD,
    MODEL_FIELD,
    TOOLS_FIELD,
    EXT_SELECTORS_FIELD,
    DISALLOWED_TOOLS_FIELD,
    SKILLS_FIELD,
    EXTENSIONS_FIELD,
    EXCLUDE_EXTENSIONS_FIELD,
    THINKING_FIELD,
    MAX_TURNS_FIELD,
    PROMPT_MODE_FIELD,
    INHERIT_CONTEXT_FIELD,
    RUN_IN_BACKGROUND_FIELD,
    ISOLATED_FIELD,
    MEMORY_FIELD,
    ISOLATION_FIELD,
    PERSIST_SESSION_FIELD,
    SESSION_DIR_FIELD,
    ENABLED_FIELD,
];

const fn optional_text(key: &'static str, target: FieldName, accepts: &'static str) -> Field {
    Field {
        key,
        aliases: &[],
        target,
        read: text,
        absent: Absent::Unset,
        accepts,
    }
}

/// A switch that is unset while nothing is written.
const fn optional_switch(key: &'static str, target: FieldName) -> Field {
    Field {
        key,
        aliases: &[],
        target,
        read: only_true,
        absent: Absent::Unset,
        accepts: "`true` or `false`",
    }
}

const DISPLAY_NAME_FIELD: Field = optional_text("display_name", DISPLAY_NAME, "a text");
/// Without a description the name describes the agent; see [`describe_by_name`].
const DESCRIPTION_FIELD: Field = optional_text("description", FieldName::DESCRIPTION, "a text");
const MODEL_FIELD: Field = optional_text("model", FieldName::MODEL, "the name of a model");
const THINKING_FIELD: Field = Field {
    read: thinking_level,
    ..optional_text("thinking", THINKING, A_LEVEL)
};
const SESSION_DIR_FIELD: Field = optional_text("session_dir", SESSION_DIR, "the path of a folder");
const INHERIT_CONTEXT_FIELD: Field = optional_switch("inherit_context", INHERIT_CONTEXT);
const RUN_IN_BACKGROUND_FIELD: Field = optional_switch("run_in_background", RUN_IN_BACKGROUND);
const ISOLATED_FIELD: Field = optional_switch("isolated", ISOLATED);
const PERSIST_SESSION_FIELD: Field = optional_switch("persist_session", PERSIST_SESSION);

const TOOLS_FIELD: Field = Field {
    key: "tools",
    aliases: &[],
    target: FieldName::TOOLS,
    read: tools,
    absent: Absent::Made(|| built_in_tools([])),
    accepts: "names separated by commas, a list of names, `none`, or `all`",
};
/// The tools of extensions stand among the others and are told apart by their beginning.
const EXT_SELECTORS_FIELD: Field = Field {
    key: "tools",
    aliases: &[],
    target: EXT_SELECTORS,
    read: ext_selectors,
    absent: Absent::Unset,
    accepts: "names that begin with `ext:`",
};
const DISALLOWED_TOOLS_FIELD: Field = Field {
    key: "disallowed_tools",
    aliases: &[],
    target: FieldName::DISALLOWED_TOOLS,
    read: |node, remarks| list("disallowed_tools", node, remarks),
    absent: Absent::Unset,
    accepts: "names separated by commas, or a list of names",
};
const SKILLS_FIELD: Field = Field {
    key: "skills",
    aliases: &["inherit_skills"],
    target: FieldName::SKILLS,
    read: all_none_or_some,
    absent: Absent::Flag(true),
    accepts: "`true` for all, `false` or `none`, or names separated by commas",
};
const EXTENSIONS_FIELD: Field = Field {
    key: "extensions",
    aliases: &["inherit_extensions"],
    target: EXTENSIONS,
    read: all_none_or_some,
    absent: Absent::Flag(true),
    accepts: "`true` for all, `false` or `none`, or names separated by commas",
};
const EXCLUDE_EXTENSIONS_FIELD: Field = Field {
    key: "exclude_extensions",
    aliases: &[],
    target: EXCLUDE_EXTENSIONS,
    read: |node, remarks| list("exclude_extensions", node, remarks),
    absent: Absent::Unset,
    accepts: "names separated by commas, or a list of names",
};
const MAX_TURNS_FIELD: Field = Field {
    key: "max_turns",
    aliases: &[],
    target: FieldName::MAX_TURNS,
    read: not_negative,
    absent: Absent::Unset,
    accepts: "a number; 0 means no limit",
};
const PROMPT_MODE_FIELD: Field = Field {
    key: "prompt_mode",
    aliases: &[],
    target: PROMPT_MODE,
    read: |node, _| word(node, &["append", "replace"]),
    absent: Absent::Text("replace"),
    accepts: "`append` or `replace`",
};
const MEMORY_FIELD: Field = Field {
    key: "memory",
    aliases: &[],
    target: MEMORY,
    read: |node, _| word(node, &["user", "project", "local"]),
    absent: Absent::Unset,
    accepts: "`user`, `project` or `local`",
};
const ISOLATION_FIELD: Field = Field {
    key: "isolation",
    aliases: &[],
    target: ISOLATION,
    read: |node, _| word(node, &["worktree"]),
    absent: Absent::Unset,
    accepts: "`worktree`",
};
const ENABLED_FIELD: Field = Field {
    key: "enabled",
    aliases: &[],
    target: ENABLED,
    read: unless_false,
    absent: Absent::Flag(true),
    accepts: "`true` or `false`",
};

/// Case `parse/name-with-colon`.
fn name(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let name = trimmed_text(node, remarks)?;
    if let Some(FieldValue::Text(name)) = &name
        && name.contains(':')
    {
        let complaint = "contains `:`, which stands between the parts of a plugin's names";
        return Err(Problem::rejects(node.span, complaint)
            .help("rename the agent, or write the label as `display_name`"));
    }
    Ok(name)
}

fn name_without_effect(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    remarks.list.push(
        Diagnostic::new(&rules::DROPPED_SETTING, "`name` has no effect")
            .at(node.span)
            .because("@tintinweb/pi-subagents up to 0.14.1 names an agent after its file")
            .help("rename the file, or write `display_name` for a label"),
    );
    Ok(None)
}

/// The tools that are built in, and so those of an agent that names none.
const BUILT_IN_TOOLS: [&str; 7] = ["read", "bash", "edit", "write", "grep", "find", "ls"];

/// Lists the built-in tools, and behind them names that are not among them.
fn built_in_tools(more: impl IntoIterator<Item = Name>) -> FieldValue {
    let built_in = BUILT_IN_TOOLS.map(|tool| Name {
        text: tool.to_owned(),
        span: None,
    });
    let mut names = Vec::from(built_in);
    for name in more {
        if names.iter().all(|known| known.text != name.text) {
            names.push(name);
        }
    }
    FieldValue::Names(names)
}

/// Splits `String(value)` at commas; `none` is nothing. Null is not asked about.
fn items(node: &Node, remarks: &Remarks<'_>) -> Vec<Name> {
    let text = javascript::text(node);
    match javascript::trim(&text) {
        "none" => Vec::new(),
        text => coerce::split_at_commas(node, text, javascript::trim, remarks),
    }
}

fn list(key: &str, node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    note_text_of_others(key, node, remarks);
    let items = items(node, remarks);
    note_joined(key, node, &items, remarks);
    Ok((!items.is_empty()).then_some(FieldValue::Names(items)))
}

/// Notes a value that is neither a text nor a list and is read as the name of something.
fn note_text_of_others(key: &str, node: &Node, remarks: &mut Remarks<'_>) {
    if matches!(node.get(), Value::Text(_) | Value::List(_)) {
        return;
    }
    remarks.becomes_text(key, node, &javascript::text(node));
    remarks.loses_part = true;
    if let (Value::Map(_), Some(finding)) = (node.get(), remarks.list.last_mut()) {
        finding.help = Some("write names separated by commas".into());
    }
}

/// Notes names that look like several ones. What JavaScript makes of a map nobody has written.
fn note_joined(key: &str, node: &Node, names: &[Name], remarks: &mut Remarks<'_>) {
    if matches!(node.get(), Value::Text(_) | Value::List(_)) {
        remarks.joined(key, names);
    }
}

/// `all` and `*` stand for every built-in tool.
fn tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    note_text_of_others("tools", node, remarks);
    let is_all = |name: &Name| name.text == "*" || name.text.to_lowercase() == "all";
    let items = items(node, remarks);
    note_joined("tools", node, &items, remarks);
    let has_all = items.iter().any(is_all);
    let plain = items
        .into_iter()
        .filter(|name| !is_all(name) && !is_of_extension(name));
    Ok(Some(match has_all {
        true => built_in_tools(plain),
        false => FieldValue::Names(plain.collect()),
    }))
}

fn ext_selectors(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let selectors: Vec<Name> = items(node, remarks)
        .into_iter()
        .filter(is_of_extension)
        .collect();
    Ok((!selectors.is_empty()).then_some(FieldValue::Names(selectors)))
}

fn is_of_extension(name: &Name) -> bool {
    name.text.starts_with("ext:")
}

/// True stands for all, false for none.
fn all_none_or_some(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null => return Ok(None),
        Value::Bool(all) => return Ok(Some(FieldValue::Flag(*all))),
        _ => {}
    }
    let items = items(node, remarks);
    Ok(Some(match items.is_empty() {
        true => FieldValue::Flag(false),
        false => FieldValue::Names(items),
    }))
}

fn allowed_subagents(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let all = || FieldValue::text("all".to_owned());
    match node.get() {
        Value::Null | Value::Bool(false) => return Ok(None),
        Value::Bool(true) => return Ok(Some(all())),
        _ => {}
    }
    let items = items(node, remarks);
    let is_all = |name: &Name| name.text == "*" || name.text.to_lowercase() == "all";
    Ok(match items.iter().any(is_all) {
        true => Some(all()),
        false => (!items.is_empty()).then_some(FieldValue::Names(items)),
    })
}

fn not_negative(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let number = javascript::number(node.get());
    match (node.get(), number) {
        (Value::Null, _) => Ok(None),
        (Value::Int(value), Some(number)) if number >= 0.0 => {
            Ok(Some(FieldValue::Integer(value.clone())))
        }
        (_, Some(number)) if number >= 0.0 => Ok(Some(FieldValue::Number(number))),
        (_, Some(_)) => Err(Problem::leaves_unset(node.span, "must not be negative")),
        _ => {
            let complaint = format!("must be a number, not {}", pydantic::article(node));
            Err(Problem::leaves_unset(node.span, complaint))
        }
    }
}

/// Every value but true counts as false, texts too.
fn only_true(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    counts_as(node, *node.get() == Value::Bool(true), remarks)
}

/// Every value but false counts as true, texts too.
fn unless_false(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    counts_as(node, *node.get() != Value::Bool(false), remarks)
}

fn counts_as(node: &Node, flag: bool, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null => return Ok(None),
        Value::Bool(_) => {}
        _ => {
            remarks.loses_part |= meant_switch(node) != Some(flag);
            remarks.list.push(text_for_switch(node, flag));
        }
    }
    Ok(Some(FieldValue::Flag(flag)))
}

/// Returns what a text was probably meant as, where a switch is wanted.
fn meant_switch(node: &Node) -> Option<bool> {
    match node.as_text()?.trim() {
        "true" | "True" | "TRUE" | "yes" | "on" => Some(true),
        "false" | "False" | "FALSE" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// Tells of a value that is no switch and counts as one.
fn text_for_switch(node: &Node, flag: bool) -> Diagnostic {
    let meant = meant_switch(node);
    let but = match flag {
        true => "false",
        false => "true",
    };
    let help = match meant {
        Some(meant) => format!("write `{meant}` without quotes"),
        None => "write `true` or `false`".to_owned(),
    };
    Diagnostic::new(
        &rules::DROPPED_SETTING,
        format!("{} counts as `{flag}` here", pydantic::article(node)),
    )
    .at(node.span)
    .because(format!(
        "@tintinweb/pi-subagents takes everything but `{but}` for `{flag}`, without a word"
    ))
    .help(help)
}

fn word(node: &Node, words: &[&str]) -> Coerced {
    match node.get() {
        Value::Null => Ok(None),
        Value::Text(text) if words.contains(&&**text) => {
            Ok(Some(FieldValue::text(text.to_string())))
        }
        Value::Text(text) => {
            let complaint = format!("cannot be `{}`", coerce::shorten(text));
            Err(Problem::leaves_unset(node.span, complaint))
        }
        _ => Err(super::not_a_text(node)),
    }
}

/// An agent without a description is described by its name.
fn describe_by_name(finish: &mut Finish<'_>) {
    if finish.definition.field(FieldName::DESCRIPTION).is_none() {
        let name = finish.definition.name().to_owned();
        let described = Located::implied(FieldValue::text(name));
        finish.definition.set(FieldName::DESCRIPTION, described);
    }
}
