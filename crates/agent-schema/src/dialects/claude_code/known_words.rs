//! The words of Claude Code for tools and models.
//!
//! Source: its documentation and cases `parse/tl-*`, `parse/dt-*` and `parse/md-*`. The list of
//! tools stands in `tools`, and `tool_list` tells of names that are not in it.

use super::tools::TOOLS;
use super::writing::{FAMILIES, MAKER};
use crate::diagnostic::Severity;
use crate::foreign_words::maker;
use crate::known_words::{KnownModels, KnownTools, KnownWords, WrongModel, named_in_lists};
use crate::suggest::nearest;
use crate::tool_rules::without_rule;

pub(super) static WORDS: KnownWords = HERE;

/// In a plugin the two signs stay what they are (case `parse/plugin-rp-bslash-n`).
pub(super) static IN_PLUGIN: KnownWords = KnownWords {
    joins_backslash_n: false,
    empty_prompt: Some("Claude Code starts such an agent with its usual system prompt"),
    ..HERE
};

const HERE: KnownWords = KnownWords {
    tools: Some(&KNOWN_TOOLS),
    models: Some(&MODELS),
    joins_backslash_n: true,
    empty_prompt: Some("Claude Code starts such an agent with its usual system prompt"),
};

static KNOWN_TOOLS: KnownTools = KnownTools {
    vocabulary: &super::VOCABULARY,
    tool: |entry| TOOLS.tool(entry).unwrap_or(without_rule(entry)),
    closed: true,
    of_application: false,
    brought: |entry| entry.starts_with("mcp__"),
    unknown: "Claude Code passes over names that it does not know without a word; case counts",
    named: named_in_lists,
    star_is_a_name: None,
    empty_means: None,
    allowed_means: None,
    unset_means: "without that key the agent has every tool",
    unset_grants: true,
    adding: TOOLS.adding,
    in_mode: &[("ExitPlanMode", "plan")],
};

static MODELS: KnownModels = KnownModels {
    words: super::MODEL_WORDS,
    wrong: wrong_model,
    unknown: "Claude Code checks no model when it loads a file, and sends the text as it is: the \
              agent fails when it is started, unless a gateway knows the name",
};

fn wrong_model(text: &str) -> Option<WrongModel> {
    const ALL: &str = "write `sonnet`, `opus`, `haiku`, `fable` or `inherit`, or the full name of \
                       a model such as `claude-haiku-4-5`";
    let word = text.to_lowercase();
    let family = FAMILIES.iter().find(|family| word.contains(**family));
    let wrong = |complaint: &str, help: String| {
        Some(WrongModel {
            complaint: complaint.to_owned(),
            help,
            severity: Severity::Warning,
        })
    };
    let or_family = || family.map_or_else(|| ALL.to_owned(), |word| format!("write `{word}`"));
    if word.starts_with("arn:") || word.contains("[1m]") {
        None
    } else if text.contains(char::is_whitespace) {
        wrong("is no name of a model, but a text for people", or_family())
    } else if word == "default" {
        let help = "leave `model` out, or write `inherit`".to_owned();
        wrong("means something in `/model` alone", help)
    } else if let Some((maker, model)) = text.split_once('/') {
        let help = match model.starts_with("claude") && !model.contains('.') {
            true => format!("write `{model}`"),
            false => or_family(),
        };
        wrong(
            &format!("names a maker, `{maker}`, as OpenCode wants it"),
            help,
        )
    } else if word.starts_with("claude-") && text.contains('.') && !text.contains(':') {
        let help = format!("write `{}`", text.replace('.', "-"));
        wrong("has a dot, which no Claude model has in its name", help)
    } else if word.contains("claude") {
        None
    } else if maker(text).is_some_and(|maker| maker != MAKER) {
        wrong("is a model of another maker", ALL.to_owned())
    } else if let Some(meant) = nearest(&word, MODELS.words.iter().copied()) {
        wrong("is no word of Claude Code", format!("write `{meant}`"))
    } else {
        wrong(
            "is neither a word of Claude Code nor a Claude model",
            ALL.to_owned(),
        )
    }
}
