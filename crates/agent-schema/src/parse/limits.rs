//! Limits in the words of other harnesses, and what a value takes away.

use super::fields::{is_mode_that_asks_nothing, is_mode_with_limits};
use super::keys::{LIMITS, RULES};
use super::{Reading, field_keys};
use crate::definition::FieldName;
use crate::dialect::{Field, ReadingRules};
use crate::dialects::words::{LIMIT_KEYS, LimitKey, PROMPT_KEYS};
use crate::known_words::is_limit;
use crate::suggest::is_spelling;
use crate::value::{Entry, Mapping, Node, Value};

/// Words for permission modes that leave an agent no more than it has without them.
pub(crate) const RESTRICTING_MODES: [&str; 4] = ["plan", "default", "always_confirm", "ask"];

/// A limit that another harness would keep, and this one does not.
pub(super) struct ForeignLimit {
    /// The field that it is there.
    pub(super) field: FieldName,
    whose: Option<String>,
    /// The keys by which this harness limits an agent.
    keys: Vec<String>,
}

impl ForeignLimit {
    /// Says what to write instead; `whose` says whose key it is, where another dialect has it.
    pub(super) fn help(self, whose: Option<String>) -> String {
        let instead = match self.keys.as_slice() {
            [before @ .., last] if !before.is_empty() => {
                format!("limit the agent with {} or {last}", before.join(", "))
            }
            keys => format!("limit the agent with {}", keys.concat()),
        };
        match whose.or(self.whose) {
            Some(whose) => format!("{whose}; {instead}"),
            None => instead,
        }
    }
}

impl Reading<'_> {
    /// Returns the fields by which the harness limits an agent.
    pub(super) fn limiting_fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let fields = self.rules.fields.iter();
        fields.filter(|field| LIMITS.contains(&field.target))
    }

    /// Returns the limit that a key is for another harness, if nothing in the header limits the
    /// agent here; `known` is what it is in another dialect. Who writes a limit in the words of
    /// both harnesses loses none.
    pub(super) fn foreign_limit(
        &self,
        key: &str,
        entry: &Entry,
        map: &Mapping,
        known: Option<FieldName>,
    ) -> Option<ForeignLimit> {
        let word = limit_key(key);
        let field = known.or(word.map(|word| word.field))?;
        let is_written = |field: &Field| field_keys(field).any(|key| map.get(key).is_some());
        let mut own = self.limiting_fields().peekable();
        own.peek()?;
        // Who has no tool without a list of them has none to lose.
        let has_tools = self
            .rules
            .known_words
            .tools
            .is_none_or(|it| it.unset_grants);
        let can_lose = has_tools || field == FieldName::PERMISSION_MODE;
        if own.any(is_written) || !can_lose || !limits(field, &entry.value) {
            return None;
        }
        let keys = self.limiting_fields();
        let keys = keys.map(|field| format!("`{}`", field.key)).collect();
        let whose = word.and_then(|word| word.whose);
        Some(ForeignLimit {
            field,
            whose: whose.map(|title| format!("`{key}` is a key of {title}")),
            keys,
        })
    }

    /// Returns whether a key holds the prompt for another harness, and the agent has none here.
    pub(super) fn is_lost_prompt(&self, key: &str, entry: &Entry) -> bool {
        let is_text = entry
            .value
            .as_text()
            .is_some_and(|text| !text.trim().is_empty());
        let is_prompt = PROMPT_KEYS.iter().any(|word| is_spelling(word, key));
        is_text && is_prompt && self.has_empty_body
    }
}

/// Returns the key for what is denied, if a key that is not known says the same in other words.
pub(super) fn meant_denial(rules: &ReadingRules, key: &str) -> Option<&'static str> {
    let word = limit_key(key).filter(|word| word.field == FieldName::DISALLOWED_TOOLS)?;
    let mut fields = rules.fields.iter();
    let field = fields.find(|field| field.target == word.field)?;
    Some(field.key)
}

fn limit_key(key: &str) -> Option<&'static LimitKey> {
    LIMIT_KEYS.iter().find(|word| is_spelling(word.key, key))
}

/// Returns whether a value of a field would have taken something away from the agent.
pub(super) fn limits(field: FieldName, value: &Node) -> bool {
    match value.get() {
        Value::Null | Value::Bool(false) => return false,
        Value::Text(text) if text.trim().is_empty() => return false,
        _ => {}
    }
    match field {
        FieldName::TOOLS => !holds_star(value),
        _ if value.as_text().is_some_and(is_mode_that_asks_nothing) => false,
        FieldName::PERMISSION_MODE => value
            .as_text()
            .is_none_or(|word| RESTRICTING_MODES.contains(&word) || is_mode_with_limits(word)),
        FieldName::DISALLOWED_TOOLS => !is_empty(value),
        field if RULES.contains(&field) => denies(value),
        _ => true,
    }
}

fn holds_star(value: &Node) -> bool {
    let is_star = |node: &Node| matches!(node.as_text(), Some("*" | "all"));
    is_star(value)
        || value
            .as_list()
            .is_some_and(|items| items.iter().any(is_star))
}

fn is_empty(value: &Node) -> bool {
    match value.get() {
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.entries.is_empty(),
        _ => false,
    }
}

/// Returns whether rules forbid something or want a question: by an effect behind a tool, or by
/// what is listed below an effect.
fn denies(rules: &Node) -> bool {
    const LIMITING: [&str; 2] = ["deny", "ask"];
    let listed = rules.as_map().is_some_and(|map| {
        map.entries.iter().any(|entry| {
            let key = entry.key.as_text().unwrap_or_default();
            let holds = !entry.value.is_null() && !is_empty(&entry.value);
            LIMITING.contains(&key) && holds
        })
    });
    let in_items = rules
        .as_list()
        .is_some_and(|items| items.iter().any(denies));
    listed || in_items || is_limit(rules)
}
