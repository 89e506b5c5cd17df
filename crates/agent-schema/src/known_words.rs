//! The types in which a harness's words for tools and models are written down, and what a name
//! that it does not know may have been meant as.

use crate::definition::{Definition, FieldName, FieldValue, Name};
use crate::diagnostic::Severity;
use crate::foreign_words::{all_meanings, foreign_tool, own_word};
use crate::suggest::nearest;
use crate::tool_rules::AddedTools;
use crate::value::{Node, Value};
use crate::vocabulary::Vocabulary;

/// The words that the definitions of a harness use.
#[derive(Debug)]
pub struct KnownWords {
    /// Its words for tools, where it has tools of its own.
    pub tools: Option<&'static KnownTools>,
    /// Its words for models.
    pub models: Option<&'static KnownModels>,
    /// Whether two signs `\n` in a text become a line end.
    pub joins_backslash_n: bool,
    /// What the harness does with an agent whose prompt is empty.
    pub empty_prompt: Option<&'static str>,
}

impl KnownWords {
    /// Nothing is known.
    pub const NONE: KnownWords = KnownWords {
        tools: None,
        models: None,
        joins_backslash_n: false,
        empty_prompt: None,
    };
}

/// The words for tools.
#[derive(Debug)]
pub struct KnownTools {
    /// The harness's own tools, as they are written in its definitions.
    pub vocabulary: &'static Vocabulary,
    /// Returns the tool that an entry means, whatever stands around its name.
    pub tool: fn(&str) -> &str,
    /// Whether nobody but the harness brings tools whose names have no form of their own.
    pub closed: bool,
    /// Whether the program that the harness is built into brings tools under any names.
    pub of_application: bool,
    /// Whether the form of a name shows that a server or an extension brings the tool.
    pub brought: fn(&str) -> bool,
    /// What the harness does with a name that stands for nothing.
    pub unknown: &'static str,
    /// Where a definition names tools.
    pub named: fn(&Definition) -> Vec<NamedTool>,
    /// Whether a star alone is a name like any other, with the harness's rule for it.
    pub star_is_a_name: Option<&'static str>,
    /// What a list of tools means in which nothing is named, if that is not what it says: no tool.
    pub empty_means: Option<&'static str>,
    /// What a mapping of tools means in which each is allowed, if it takes none away.
    pub allowed_means: Option<&'static str>,
    /// What an agent without a list of tools has.
    pub unset_means: &'static str,
    /// Whether an agent without a list of tools has any, so that whoever loses the list has more.
    pub unset_grants: bool,
    /// A field that adds tools to the list.
    pub adding: Option<AddedTools>,
    /// Tools that an agent of a file gets in one mode alone: (tool, mode).
    pub in_mode: &'static [(&'static str, &'static str)],
}

/// A tool that a definition names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTool {
    /// The name with its place.
    pub name: Name,
    /// The field that names it.
    pub field: FieldName,
    /// Whether it is named to take it away, or to ask before it is used.
    pub is_limited: bool,
}

/// The words for models.
#[derive(Debug)]
pub struct KnownModels {
    /// The words that are no names of models.
    pub words: &'static [&'static str],
    /// Returns what is wrong with a text that is none of the words, if that is known.
    pub wrong: fn(&str) -> Option<WrongModel>,
    /// What the harness does with a model that does not exist.
    pub unknown: &'static str,
}

/// What is wrong with the text of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongModel {
    /// What it is, to follow the text: `is a word of Claude Code`.
    pub complaint: String,
    /// What to write instead.
    pub help: String,
    /// How much it matters.
    pub severity: Severity,
}

/// Returns the tools that the two lists of a definition name.
#[must_use]
pub fn named_in_lists(definition: &Definition) -> Vec<NamedTool> {
    let lists = [FieldName::TOOLS, FieldName::DISALLOWED_TOOLS];
    let named = lists.into_iter().flat_map(|field| {
        let names = definition.names(field).iter().cloned();
        names.map(move |name| NamedTool {
            name,
            field,
            is_limited: field == FieldName::DISALLOWED_TOOLS,
        })
    });
    named.collect()
}

/// Returns whether the value of a tool, or a part of it, is something else than leave to use it.
pub(crate) fn is_limit(value: &Node) -> bool {
    match &value.value {
        Value::Bool(is_allowed) => !is_allowed,
        Value::Text(word) => **word != *"allow",
        Value::Map(patterns) => patterns.entries.iter().any(|it| is_limit(&it.value)),
        _ => false,
    }
}

/// Returns the tools that are the keys of mappings.
#[must_use]
pub fn named_by_keys(definition: &Definition, fields: &[FieldName]) -> Vec<NamedTool> {
    let mut named: Vec<NamedTool> = Vec::new();
    for field in fields {
        let Some(FieldValue::Config(node)) = definition.field(*field).map(|it| &it.value) else {
            continue;
        };
        for entry in node.as_map().iter().flat_map(|map| &map.entries) {
            let span = Some(entry.key.span);
            let Some(text) = entry.key.as_text() else {
                continue;
            };
            // One mapping may have been put together from another.
            if named.iter().all(|known| known.name.span != span) {
                named.push(NamedTool {
                    name: Name {
                        text: text.to_owned(),
                        span,
                    },
                    field: *field,
                    is_limited: is_limit(&entry.value),
                });
            }
        }
    }
    named
}

impl KnownTools {
    /// Returns what a name was probably meant as, if the harness has no such tool and it is
    /// plain that none is meant that somebody else brings.
    #[must_use]
    pub fn mistaken(&self, entry: &str, title: &str) -> Option<String> {
        // Half of a pair of parentheses comes from a text that was torn, which is told of elsewhere.
        let is_torn = entry.contains('(') != entry.contains(')');
        if is_torn || self.is_known(entry) {
            return None;
        }
        let name = (self.tool)(entry);
        foreign_tool(name, title, self.vocabulary)
            .or_else(|| {
                let meant = nearest(name, self.vocabulary.names())?;
                Some(format!("write `{meant}`"))
            })
            .or_else(|| rule_in_parentheses(name, title, self.vocabulary))
    }

    /// Returns whether an entry means a tool of the harness, or has the form of one that others
    /// bring.
    #[must_use]
    pub fn is_known(&self, entry: &str) -> bool {
        self.vocabulary.knows((self.tool)(entry)) || (self.brought)(entry)
    }
}

/// Tells of a rule of Claude Code, `Tool(pattern)`, where a harness knows no such form.
fn rule_in_parentheses(entry: &str, title: &str, own: &Vocabulary) -> Option<String> {
    let (tool, rest) = entry.split_once('(')?;
    let is_rule = rest.ends_with(')') && !all_meanings(tool).is_empty();
    is_rule.then(|| {
        let name = own_word(tool, own).map_or(tool, |(_, name)| name);
        format!(
            "`{entry}` is a rule in the form of Claude Code; {title} takes the bare name, `{name}`"
        )
    })
}
