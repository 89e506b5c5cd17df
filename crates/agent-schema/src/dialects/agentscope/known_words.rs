//! The words of AgentScope for tools and models.
//!
//! Source: its file-system tools (`names`), and cases `parse/tools-*` and `parse/model-*`. The
//! application names its own tools, so that a name is only told of if it is plainly another
//! harness's.

use crate::diagnostic::Severity;
use crate::dialects::claude_code::FAMILIES;
use crate::known_words::{KnownModels, KnownTools, KnownWords, WrongModel, named_in_lists};

pub(super) static WORDS: KnownWords = KnownWords {
    tools: Some(&TOOLS),
    models: Some(&MODELS),
    joins_backslash_n: false,
    empty_prompt: Some(NO_PROMPT),
};

/// What becomes of an agent without a prompt (`HarnessAgentBuilderSupport`, read).
pub(super) const NO_PROMPT: &str =
    "AgentScope starts such an agent with nothing but its own section for subagents";

static TOOLS: KnownTools = KnownTools {
    vocabulary: &super::VOCABULARY,
    tool: super::names::before_rule,
    closed: false,
    of_application: true,
    brought: |entry| entry.contains(char::is_whitespace),
    unknown: "AgentScope compares the names letter by letter with the tools that the application \
              gave to the parent; one that none of them has only takes these away, for the tools of \
              AgentScope itself stay",
    named: named_in_lists,
    // `names` tells of it.
    star_is_a_name: None,
    empty_means: Some(
        "AgentScope takes a list without names for no list: the agent has every tool of its parent",
    ),
    allowed_means: None,
    unset_means: "without that key the agent has every tool of its parent",
    unset_grants: true,
    adding: None,
    in_mode: &[],
};

static MODELS: KnownModels = KnownModels {
    words: &[],
    wrong: |text| {
        let word = text.to_lowercase();
        FAMILIES.contains(&word.as_str()).then(|| WrongModel {
            complaint: "is a word of Claude Code".to_owned(),
            help: "write the name under which the application registered the model, or leave \
                   `model` out for the parent's"
                .to_owned(),
            severity: Severity::Warning,
        })
    },
    unknown: "AgentScope looks the name up among the registered models, and takes the parent's \
              where it finds none",
};
