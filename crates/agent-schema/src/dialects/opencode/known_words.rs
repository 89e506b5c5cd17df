//! The words of OpenCode for tools, permissions and models.
//!
//! Source: its documentation of agents and permissions, and cases `parse/permission-*` and
//! `parse/tools-*`. Any name is accepted, because servers and plugins bring tools.

use crate::coerce::shorten;
use crate::definition::{Definition, FieldName};
use crate::diagnostic::Severity;
use crate::dialects::claude_code::FAMILIES;
use crate::foreign_words::maker_of_name;
use crate::known_words::{
    KnownModels, KnownTools, KnownWords, NamedTool, WrongModel, named_by_keys,
};
use crate::suggest::nearest;

pub(super) static WORDS: KnownWords = KnownWords {
    tools: Some(&TOOLS),
    models: Some(&MODELS),
    joins_backslash_n: false,
    empty_prompt: Some(
        "OpenCode takes the body for the prompt, even an empty one, and sends the usual prompt of the \
         model",
    ),
};

static TOOLS: KnownTools = KnownTools {
    vocabulary: &super::FIRST_VOCABULARY,
    tool: |entry| entry,
    closed: false,
    of_application: false,
    brought,
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
/// Claude Code writes those of servers otherwise, and a slip is none.
fn brought(entry: &str) -> bool {
    let is_of_server = entry.contains('_')
        && !entry.starts_with("mcp__")
        && nearest(entry, OF_SEVERAL_WORDS).is_none();
    is_of_server || entry.contains(['*', '?'])
}

fn named(definition: &Definition) -> Vec<NamedTool> {
    named_by_keys(definition, &[FieldName::TOOLS, FieldName::PERMISSION])
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
