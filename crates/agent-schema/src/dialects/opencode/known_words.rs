//! The words of OpenCode for tools, permissions and models.
//!
//! Source: its documentation of agents and permissions, and cases `parse/permission-*` and
//! `parse/tools-*`. Any name is accepted, because servers and plugins bring tools.

use crate::definition::{Definition, FieldName};
use crate::diagnostic::Severity;
use crate::dialects::claude_code::FAMILIES;
use crate::foreign_words::maker_of_name;
use crate::known_words::{
    KnownModels, KnownTools, KnownWords, NamedTool, WrongModel, named_by_keys,
};

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
    // Patterns, and the tools of servers, which have the name of the server in front.
    brought: |entry| entry.contains(['*', '?', '_']),
    unknown: "OpenCode takes any name here, and one that no tool has changes nothing; case counts",
    named,
    star_is_a_name: None,
    empty_means: Some("OpenCode changes nothing by an empty mapping: the agent has every tool"),
    unset_means: "without that key the agent has every tool",
    unset_grants: true,
    adding: None,
    in_mode: &[],
};

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
