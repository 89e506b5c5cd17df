//! The words of Pi for tools and models, as its subagent extensions pass them on.
//!
//! Source: the tools of `pi-coding-agent`, and what the cases `parse/tools-*` show of each
//! extension. Extensions bring tools of any name.

use crate::definition::{Definition, FieldName, Name};
use crate::diagnostic::Severity;
use crate::known_words::{
    KnownModels, KnownTools, KnownWords, NamedTool, WrongModel, is_limit, named_by_keys,
    named_in_lists,
};

/// The example and `mjakl/pi-subagent`, which hand the model on as it is.
pub(super) static PLAIN: KnownWords = KnownWords {
    tools: Some(&TOOLS),
    models: Some(&MODELS),
    joins_backslash_n: false,
    empty_prompt: Some("Pi starts such an agent with its usual system prompt alone"),
};

/// `pi-subagents`, for which an empty list is an empty list, and which names tools in its
/// permissions, too.
pub(super) static PI_SUBAGENTS: KnownWords = KnownWords {
    tools: Some(&KnownTools {
        empty_means: None,
        named: |definition| {
            let mut named = named_in_lists(definition);
            let ruled = named_by_keys(definition, &[FieldName::of_dialect("permissions")]);
            named.extend(ruled.into_iter().filter(|tool| tool.name.text != "*"));
            named
        },
        ..HERE
    }),
    models: None,
    joins_backslash_n: false,
    empty_prompt: Some("Pi starts such an agent with its usual system prompt alone"),
};

/// `@tintinweb/pi-subagents`, which has words for all tools and for none.
pub(super) static TINTINWEB: KnownWords = KnownWords {
    tools: Some(&KnownTools {
        star_is_a_name: None,
        brought: |entry| is_brought(entry) || entry == "*" || entry.eq_ignore_ascii_case("all"),
        ..HERE
    }),
    models: None,
    joins_backslash_n: false,
    empty_prompt: Some("Pi starts such an agent with its usual system prompt alone"),
};

/// The recommended schema, which names tools in its permissions.
pub(super) static RECOMMENDED: KnownWords = KnownWords {
    tools: Some(&KnownTools {
        empty_means: None,
        star_is_a_name: None,
        named: named_in_permissions,
        ..HERE
    }),
    models: None,
    joins_backslash_n: false,
    empty_prompt: Some("Pi starts such an agent with its usual system prompt alone"),
};

static TOOLS: KnownTools = HERE;

const HERE: KnownTools = KnownTools {
    vocabulary: &super::VOCABULARY,
    tool: |entry| entry,
    closed: false,
    of_application: false,
    brought: is_brought,
    unknown: "Pi has a tool of this name only if an extension brings one; case counts",
    named: named_in_lists,
    star_is_a_name: Some("the extension hands each name on to Pi, which knows no wildcard here"),
    empty_means: Some(
        "the extension takes a list without names for no list: the agent has every tool",
    ),
    allowed_means: None,
    unset_means: "without that key the agent has every tool",
    unset_grants: true,
    adding: None,
    in_mode: &[],
};

/// Tools of servers and of extensions have a word in front; `subagent` and others are brought by
/// the extensions that read these files. Signs of YAML in a name are told of elsewhere.
fn is_brought(entry: &str) -> bool {
    entry.contains([':', '[', ']', '_', ' ']) || matches!(entry, "subagent" | "todo" | "web")
}

fn named_in_permissions(definition: &Definition) -> Vec<NamedTool> {
    let permissions = FieldName::of_dialect("permissions");
    let permissions = definition.config(permissions).and_then(crate::Node::as_map);
    let tools = permissions.and_then(|map| map.get("tools"));
    let tools = tools.and_then(|entry| entry.value.as_map());
    let entries = tools.iter().flat_map(|tools| &tools.entries);
    let named = entries.filter_map(|entry| {
        Some(NamedTool {
            name: Name {
                text: entry.key.as_text()?.to_owned(),
                span: Some(entry.key.span),
            },
            field: FieldName::of_dialect("permissions"),
            is_limited: is_limit(&entry.value),
        })
    });
    named.collect()
}

static MODELS: KnownModels = KnownModels {
    words: &[],
    wrong: |text| {
        text.trim()
            .eq_ignore_ascii_case("inherit")
            .then(|| WrongModel {
                complaint: "is handed on as the name of a model".to_owned(),
                help: "leave `model` out for the model of the parent".to_owned(),
                severity: Severity::Warning,
            })
    },
    unknown: "the extension knows no words for models",
};
