//! The words of OpenHands for tools and models.
//!
//! Source: the tools of `openhands-tools` 1.58.2, whose names are those of their classes. Programs
//! register others, so that a name is only told of if it is plain what was meant.

use crate::diagnostic::Severity;
use crate::known_words::{KnownModels, KnownTools, KnownWords, WrongModel, named_in_lists};
use crate::tool_rules::without_rule;

use super::model_profile;

pub(super) static WORDS: KnownWords = KnownWords {
    tools: Some(&TOOLS),
    models: Some(&MODELS),
    joins_backslash_n: false,
    empty_prompt: Some("OpenHands starts such an agent without instructions of its own"),
};

static TOOLS: KnownTools = KnownTools {
    vocabulary: &super::VOCABULARY,
    tool: without_rule,
    closed: false,
    of_application: false,
    // A whole list in one name is told of elsewhere.
    brought: |entry| entry.contains([',', ' ', '\n']) && !entry.ends_with(')'),
    unknown: "OpenHands looks tools up by their exact names when it starts an agent, and refuses \
              to start one with an unknown tool",
    named: named_in_lists,
    star_is_a_name: Some(
        "OpenHands looks tools up by their exact names when it starts an agent, and knows no \
         wildcard",
    ),
    empty_means: None,
    allowed_means: None,
    unset_means: "without that key the agent has no tool at all",
    unset_grants: false,
    adding: None,
    in_mode: &[],
};

static MODELS: KnownModels = KnownModels {
    words: &[],
    wrong: |text| {
        if text == "inherit" {
            return None;
        }
        if text.trim().eq_ignore_ascii_case("inherit") {
            return Some(WrongModel {
                complaint: "is taken for the name of a stored profile".to_owned(),
                help: "write `inherit` in small letters".to_owned(),
                severity: Severity::Warning,
            });
        }
        // Whatever profiles there are, none of them can have this name.
        (!model_profile::is_allowed(text)).then(|| WrongModel {
            complaint: "cannot be the name of a stored profile".to_owned(),
            help: format!(
                "store a profile of that model, and write its name: {}",
                model_profile::RULES.allowed
            ),
            severity: Severity::Error,
        })
    },
    unknown: "OpenHands takes a model other than the parent's only from its stored profiles, and \
              refuses to start the agent without one of this name",
};
