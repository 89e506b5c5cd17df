//! The words of OpenCode for tools, permissions and models.
//!
//! Source: its documentation of agents and permissions, and cases `parse/permission-*` and
//! `parse/tools-*`. Any name is accepted, because servers and plugins bring tools.

use std::collections::{HashMap, HashSet};

use crate::coerce::shorten;
use crate::definition::{Definition, FieldName, Name};
use crate::diagnostic::Severity;
use crate::dialects::claude_code::FAMILIES;
use crate::foreign_words::{all_meanings, maker_of_name};
use crate::known_words::{
    KnownModels, KnownTools, KnownWords, NamedTool, WrongModel, is_limit, named_by_keys,
};
use crate::source::Span;
use crate::suggest::{is_spelling, nearest};
use crate::value::Node;
use crate::vocabulary::Vocabulary;

use super::fields::PERMISSION_RULES;
use super::permission;

pub(super) static WORDS: KnownWords = KnownWords {
    tools: Some(&TOOLS),
    ..BOTH
};

/// The second line calls two of its tools otherwise.
pub(super) static SECOND_LINE: KnownWords = KnownWords {
    tools: Some(&SECOND_TOOLS),
    ..BOTH
};

const BOTH: KnownWords = KnownWords {
    tools: None,
    models: Some(&MODELS),
    joins_backslash_n: false,
    empty_prompt: Some(
        "OpenCode takes the body for the prompt, even an empty one, and sends the usual prompt of the \
         model",
    ),
};

static TOOLS: KnownTools = OF_FIRST;

static SECOND_TOOLS: KnownTools = KnownTools {
    vocabulary: &super::SECOND_VOCABULARY,
    brought: |entry| brought(entry, &super::SECOND_VOCABULARY),
    named: named_in_rules,
    ..OF_FIRST
};

const OF_FIRST: KnownTools = KnownTools {
    vocabulary: &super::FIRST_VOCABULARY,
    tool: |entry| entry,
    closed: false,
    of_application: false,
    brought: |entry| brought(entry, &super::FIRST_VOCABULARY),
    unknown: "OpenCode takes any name here, and one that no tool has changes nothing; case counts",
    named,
    star_is_a_name: None,
    empty_means: Some("OpenCode changes nothing by an empty mapping: the agent has every tool"),
    allowed_means: Some(
        "OpenCode allows these tools as it does all others, and takes away only what is `false`",
    ),
    unset_means: "without that key the agent has every tool",
    unset_grants: true,
    adding: None,
    in_mode: &[],
};

/// The names of what is asked for that have an underscore in them.
const OF_SEVERAL_WORDS: [&str; 5] = [
    "external_directory",
    "doom_loop",
    "plan_enter",
    "plan_exit",
    "apply_patch",
];

/// Patterns, and the tools of servers, which have the name of the server and an underscore in front.
/// Claude Code writes those of servers otherwise, a slip is none, and neither is the name that
/// another harness has for a tool of its own.
fn brought(entry: &str, own: &Vocabulary) -> bool {
    if entry.starts_with("mcp__") || entry.contains(NO_SIGNS_OF_NAMES) {
        return false;
    }
    let is_of_server = entry.contains('_')
        && nearest(entry, OF_SEVERAL_WORDS).is_none()
        && !own.names().any(|name| is_spelling(entry, name))
        && all_meanings(entry).is_empty();
    is_of_server || entry.contains(['*', '?'])
}

/// Signs that no name of a tool has in it.
const NO_SIGNS_OF_NAMES: [char; 4] = ['(', ')', ':', ' '];

fn named(definition: &Definition) -> Vec<NamedTool> {
    named_by_keys(definition, &[FieldName::TOOLS, FieldName::PERMISSION])
}

/// In the second line all permissions are a list of rules by then, of which several may be about one
/// tool.
fn named_in_rules(definition: &Definition) -> Vec<NamedTool> {
    let mut named = named(definition);
    let told: HashSet<Option<Span>> = named.iter().map(|known| known.name.span).collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let rules = definition.config(PERMISSION_RULES).and_then(Node::as_list);
    for [action, _, effect] in rules.into_iter().flatten().filter_map(permission::parts_of) {
        let text = action.as_text();
        let Some(text) = text.filter(|_| !told.contains(&Some(action.span))) else {
            continue;
        };
        match places.get(text) {
            Some(place) => named[*place].is_limited |= is_limit(effect),
            None => {
                places.insert(text, named.len());
                named.push(NamedTool {
                    name: Name {
                        text: text.to_owned(),
                        span: Some(action.span),
                    },
                    field: PERMISSION_RULES,
                    is_limited: is_limit(effect),
                });
            }
        }
    }
    named
}

static MODELS: KnownModels = KnownModels {
    words: &[],
    wrong: wrong_model,
    unknown: "OpenCode looks no model up when it loads the agent, and fails when it is used",
};

fn wrong_model(text: &str) -> Option<WrongModel> {
    let (_, model) = text.split_once('/')?;
    if let Some((model, variant)) = text.split_once('#').filter(|(_, it)| !it.is_empty()) {
        return Some(WrongModel {
            complaint: format!(
                "holds `#{}`, which is a part of the name here: only the second line of OpenCode reads \
                 a variant there",
                shorten(variant)
            ),
            help: format!(
                "write `{}`, and `variant: {}`",
                shorten(model),
                shorten(variant)
            ),
            severity: Severity::Warning,
        });
    }
    let is_word = FAMILIES.contains(&model) || model == "inherit";
    is_word.then(|| WrongModel {
        complaint: format!("ends in `{model}`, which is a word of Claude Code and no model"),
        help: match model {
            "inherit" => "leave `model` out for the model of the caller".to_owned(),
            _ => "write the full name of the model behind the slash".to_owned(),
        },
        severity: Severity::Warning,
    })
}

/// Returns what a model without a provider may have been meant as.
pub(super) fn help_without_provider(text: &str) -> String {
    let word = text.to_lowercase();
    if word == "inherit" {
        return "leave `model` out: a subagent then has the model of its caller".to_owned();
    }
    if FAMILIES.contains(&word.as_str()) {
        return format!(
            "`{word}` is a word of Claude Code; write the provider and the full name of a model, as \
             in `anthropic/…`"
        );
    }
    match maker_of_name(text) {
        Some(provider) => format!("write `{provider}/{text}`"),
        None => "write `provider/model`".to_owned(),
    }
}
