//! Pi: the agent files of its subagent extensions.
//!
//! Pi itself has no subagents and no agent files. Files under `.pi/agents` belong to extensions,
//! and the extensions read them differently, so that each of them is a profile of its own. The
//! default profile is nobody's behaviour but the schema that was recommended for such files.
//!
//! Observed in Pi 1.6.0 and 0.82.1 (the example extension that is shipped with it),
//! `pi-subagents` 0.67.0, `@tintinweb/pi-subagents` 0.18.0 and 0.14.1, and `mjakl/pi-subagent`
//! 3.0.1 (cases under `conformance/pi`).

mod acceptance;
mod example;
mod known_words;
mod mjakl;
mod pi_subagents;
mod pi_subagents_values;
mod recommended;
mod tintinweb;
mod writing;

pub(super) use writing::VOCABULARY;

use crate::coerce::{self, Coerced, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldValue, Name};
use crate::diagnostic::Diagnostic;
use crate::dialect::{
    AliasUse, AllSuffix, Base, Basis, BuiltinAgent, Case, Dialect, FactoryRules, FileRules,
    Folders, KeyRules, Level, Links, LookupRules, NameOrder, NamedBy, NotTextKeys, PluginRules,
    Precedence, Profile, PromptUse, SearchPlace, StartRules, UnknownKeys, Unreadable,
};
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap, Trim,
    Unclosed,
};
use crate::rules;
use crate::surroundings::{NearestRule, SettingsFile, TrustRules};
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::value::{Node, Value};

/// The dialect.
pub static PI: Dialect = Dialect {
    id: "pi",
    title: "Pi",
    profiles: &[
        Profile {
            id: "recommended",
            program: "recommended schema",
            harness: "recommended Pi subagent schema",
            recorded_as: Some("recommended Pi subagent schema (seed 003)"),
            basis: Basis::Recommended,
            rules: recommended::RULES,
        },
        Profile {
            id: "example-1.6.0",
            program: "pi subagent example",
            harness: "pi subagent example (pi-coding-agent 1.6.0)",
            recorded_as: None,
            basis: Basis::Ran,
            rules: example::LATEST,
        },
        Profile {
            id: "example-0.82.1",
            program: "pi subagent example",
            harness: "pi subagent example (pi-coding-agent 0.82.1)",
            recorded_as: None,
            basis: Basis::Ran,
            rules: example::OLD,
        },
        Profile {
            id: "pi-subagents-0.67.0",
            program: "pi-subagents",
            harness: "pi-subagents 0.67.0",
            recorded_as: None,
            basis: Basis::Ran,
            rules: pi_subagents::RULES,
        },
        Profile {
            id: "tintinweb-0.18.0",
            program: "@tintinweb/pi-subagents",
            harness: "@tintinweb/pi-subagents 0.18.0 (3f9d35c)",
            recorded_as: None,
            basis: Basis::Ran,
            rules: tintinweb::LATEST,
        },
        Profile {
            id: "tintinweb-0.14.1",
            program: "@tintinweb/pi-subagents",
            harness: "@tintinweb/pi-subagents 0.14.1",
            recorded_as: None,
            basis: Basis::Ran,
            rules: tintinweb::OLD,
        },
        Profile {
            id: "mjakl-3.0.1",
            program: "mjakl/pi-subagent",
            harness: "mjakl/pi-subagent 3.0.1 (0d13273)",
            recorded_as: None,
            basis: Basis::Ran,
            rules: mjakl::RULES,
        },
    ],
    foreign_keys: FOREIGN_KEYS,
};

/// Words of other harnesses for keys that several of the extensions have.
const FOREIGN_KEYS: &[(&str, &str)] = &[
    // The extensions that deny tools call the list differently.
    ("excludeTools", "disallowed_tools"),
    ("exclude_tools", "disallowed_tools"),
    ("disabledTools", "disallowed_tools"),
    ("disabled_tools", "disallowed_tools"),
    ("deniedTools", "disallowed_tools"),
    ("denied_tools", "disallowed_tools"),
    ("disallowedTools", "disallowed_tools"),
    ("disallowed-tools", "disallowed_tools"),
    ("disallowedTools", "excludeTools"),
    ("disallowed_tools", "excludeTools"),
    ("disallowed-tools", "excludeTools"),
    ("disabledTools", "excludeTools"),
    ("disabled_tools", "excludeTools"),
    ("deniedTools", "excludeTools"),
    ("denied_tools", "excludeTools"),
    ("allowed-tools", "tools"),
    ("allowedTools", "tools"),
    ("allowed_tools", "tools"),
    ("tool", "tools"),
];

/// The folder of the user's agents, settings and decisions (case `discover/agent-dir-env`).
const AGENT_FOLDER: Base = Base::Variable {
    name: "PI_CODING_AGENT_DIR",
    or_home: ".pi/agent",
};

/// The agent runs in a process of its own, whose prompt its own prompt follows (the shipped
/// example and the extension that is made after it, read).
const APPENDING: FactoryRules = FactoryRules {
    start: StartRules {
        prompt: PromptUse::FollowsBase,
        ..StartRules::PLAIN
    },
    ..FactoryRules::PLAIN
};

/// Pi's `parseFrontmatter`, which all extensions but one use.
const ENCODING: Encoding = Encoding {
    invalid: InvalidBytes::Replaced,
    byte_order_mark: ByteOrderMark::Dropped,
    line_ends: LineEnds::Universal,
};

/// The header begins with three dashes and one more character, whatever it is, and ends before
/// the first line that begins with three dashes (cases `parse/fence-with-spaces`,
/// `parse/closing-fence-long` and `parse/dashes-inside-literal`).
const HEADER: HeaderRules = HeaderRules {
    trim_file: Trim::Nothing,
    forms: &[HeaderForm {
        language: Language::Yaml,
        opening: Fence::StartAndOne("---"),
        closing: Fence::Start("---"),
    }],
    trim_header: Trim::Nothing,
    trim_body: Trim::JavaScript,
    absent: Consequence::LoadsWithoutFields,
    unclosed: Unclosed::Treated(Consequence::LoadsWithoutFields),
    repair: None,
    broken: Broken {
        consequence: Consequence::Rejected,
        prompt: BrokenPrompt::Body,
        harness_says: true,
    },
    not_a_map: |_| NotAMap::Treated(Consequence::LoadsWithoutFields),
    empty_map: None,
};

const KEYS: KeyRules = KeyRules {
    unknown: UnknownKeys::Dropped,
    reserved: &[],
    not_text: NotTextKeys::PassedOver,
    inert: &[],
    aliases: AliasUse::WhenUnset,
    effective: &[],
};

/// Only a lower-case `.md` counts (case `parse/upper-extension`); a hidden file is one too.
const FILES: FileRules = FileRules {
    suffix: ".md",
    suffix_case: Case::Exact,
    split: |name| match name.strip_suffix(".md") {
        Some(stem) => (stem, ".md"),
        None => (name, ""),
    },
    skipped: &[],
    skipped_case: Case::Exact,
    named_by: NamedBy::FileName,
    all_suffix: AllSuffix::NamesNothing,
    folders: Folders::PassedOver,
    links: Links::Anywhere,
    order: NameOrder::CodePoint,
    unreadable: Unreadable::Silent,
};

/// An agent that an extension brings along.
const fn builtin(name: &'static str) -> BuiltinAgent {
    BuiltinAgent {
        name,
        offered: true,
        fields: &[],
    }
}

/// Where the example and `mjakl/pi-subagent` look: the user's folder, and the one nearest folder
/// of the project (cases `discover/nearest-project-dir` and `discover/home-above-project`).
const NEAREST_AND_USER: &[SearchPlace] = &[
    SearchPlace::at(Level::User, AGENT_FOLDER, "agents"),
    SearchPlace::at(
        Level::Project,
        Base::Nearest(&NearestRule {
            holding: &[".pi/agents"],
            git_root: None,
        }),
        ".pi/agents",
    ),
];

/// What is read later takes the place of what was read before.
const LAST_REPLACES: Precedence = Precedence::LastReplaces {
    but_first_within: &[],
};

/// Pi's own trust in a project. It does not cover `.pi/agents` (case `dot-pi-agents-only` of
/// `trust.json`).
const TRUST: TrustRules = TrustRules {
    gated: &[
        ".pi/settings.json",
        ".pi/mcp.json",
        ".pi/extensions",
        ".pi/skills",
        ".pi/prompts",
        ".pi/themes",
        ".pi/SYSTEM.md",
        ".pi/APPEND_SYSTEM.md",
    ],
    gated_upwards: &[".agents/skills"],
    saved: SettingsFile {
        base: AGENT_FOLDER,
        path: "trust.json",
    },
    saved_counts_always: true,
    fallback: USER_SETTINGS,
    fallback_key: "defaultProjectTrust",
};

const USER_SETTINGS: SettingsFile = SettingsFile {
    base: AGENT_FOLDER,
    path: "settings.json",
};

const NO_PLUGINS: PluginRules = PluginRules {
    folder: "agents",
    files: FILES,
    reading: None,
    manifest: None,
    folders_in_names: false,
    nested: false,
};

const EXACT_NAMES: LookupRules = LookupRules {
    default: None,
    deprecated: &[],
    cut_at: None,
    also_called: &[],
    any_case: false,
    spelled_freely: None,
    description_budget: None,
    builtins_first: None,
    untold: |_| false,
};

/// Reads a text; anything else leaves the field unset.
fn text(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null => Ok(None),
        Value::Text(text) => Ok(Some(FieldValue::text(text.to_string()))),
        _ => Err(not_a_text(node)),
    }
}

/// As [`text`], without white space around it; nothing but white space is nothing.
fn trimmed_text(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match text(node, remarks)? {
        Some(FieldValue::Text(text)) => {
            let text = javascript::trim(&text);
            Ok((!text.is_empty()).then(|| FieldValue::text(text.to_owned())))
        }
        other => Ok(other),
    }
}

/// The levels of thinking that Pi has; `max` since 0.80.6 (read).
const THINKING_LEVELS: [&str; 7] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

/// What a field for one of [`THINKING_LEVELS`] takes.
const A_LEVEL: &str = "`off`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`";

/// Reads a level of thinking. The extensions keep any text, and hand it on to Pi.
fn thinking_level(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if let Value::Bool(_) = node.get() {
        let complaint = format!("must be a level, not {}", pydantic::article(node));
        let problem = Problem::leaves_unset(node.span, complaint);
        return Err(problem.help(format!("write one of {A_LEVEL}; `off` means no thinking")));
    }
    let level = text(node, remarks)?;
    if let Some(word) = node.as_text()
        && !word.is_empty()
        && !THINKING_LEVELS.contains(&word)
    {
        let message = format!("`thinking` cannot be `{}`", coerce::shorten(word));
        let finding = Diagnostic::new(&rules::IGNORED_VALUE, message)
            .at(node.span)
            .because("the extension hands the word on to Pi, which has no such level")
            .help(format!("`thinking` takes {A_LEVEL}"));
        remarks.lost(finding);
    }
    Ok(level)
}

fn not_a_text(node: &Node) -> Problem {
    Problem::leaves_unset(
        node.span,
        format!("must be a text, not {}", pydantic::article(node)),
    )
    .help("put the value in quotes")
}

/// Reads names of tools, which hold no blanks.
fn tool_names(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let names = names(node, remarks)?;
    if let Some(FieldValue::Names(names)) = &names {
        remarks.joined("tools", names);
    }
    Ok(names)
}

/// Reads names from a text with commas or from a list; items that are no texts are dropped, and
/// no name at all leaves the field unset.
fn names(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let names: Vec<Name> = match node.get() {
        Value::Null => return Ok(None),
        Value::Text(text) => coerce::split_at_commas(node, text, javascript::trim, remarks),
        Value::List(items) => {
            for item in items.iter().filter(|item| item.as_text().is_none()) {
                let message = format!("{} in the list is passed over", pydantic::article(item));
                remarks.dropped(item.span, message);
            }
            let texts = items
                .iter()
                .filter_map(|item| Some((item, item.as_text()?)));
            let names = texts.map(|(item, text)| Name {
                text: javascript::trim(text).to_owned(),
                span: Some(item.span),
            });
            names.filter(|name| !name.text.is_empty()).collect()
        }
        _ => {
            let complaint = format!("is {}, which counts as no list", pydantic::article(node));
            return Err(Problem::leaves_unset(node.span, complaint));
        }
    };
    Ok((!names.is_empty()).then_some(FieldValue::Names(names)))
}
