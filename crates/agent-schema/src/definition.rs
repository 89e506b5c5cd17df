//! One agent as written, in terms that are the same for every dialect.
//!
//! A definition is a map from field names to values with their places. The names are neutral:
//! `max_turns` holds what one harness calls `max_iteration_per_run` and another `steps`. Generic
//! work (merging layers field by field, printing, comparing two dialects) walks the map; the
//! getters give the common fields their types.

mod fields;

use std::sync::Arc;

use indexmap::IndexMap;

use fields::Fields;

use crate::shared_text::SharedText;
use crate::source::Span;
use crate::value::{Int, Node};

/// The neutral name of a field.
///
/// The set is open: a dialect whose harness has a field of its own names it in its own file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldName(&'static str);

impl FieldName {
    /// The identity of the agent.
    pub const NAME: FieldName = FieldName("name");
    /// When to use the agent, for the delegating model.
    pub const DESCRIPTION: FieldName = FieldName("description");
    /// The system prompt.
    pub const PROMPT: FieldName = FieldName("prompt");
    /// The model, as written.
    pub const MODEL: FieldName = FieldName("model");
    /// The tools that the agent may use.
    pub const TOOLS: FieldName = FieldName("tools");
    /// The tools that are taken away from it.
    pub const DISALLOWED_TOOLS: FieldName = FieldName("disallowed_tools");
    /// The skills that are attached.
    pub const SKILLS: FieldName = FieldName("skills");
    /// The colour in lists.
    pub const COLOR: FieldName = FieldName("color");
    /// Whether the agent is a main agent, a subagent or both.
    pub const MODE: FieldName = FieldName("mode");
    /// Whether it is left out of lists.
    pub const HIDDEN: FieldName = FieldName("hidden");
    /// The most steps of one run.
    pub const MAX_TURNS: FieldName = FieldName("max_turns");
    /// The most money that one run may cost, in US dollars.
    pub const MAX_BUDGET_USD: FieldName = FieldName("max_budget_usd");
    /// Sampling temperature.
    pub const TEMPERATURE: FieldName = FieldName("temperature");
    /// Nucleus sampling.
    pub const TOP_P: FieldName = FieldName("top_p");
    /// What the agent is registered under, where that is not its name.
    pub const KEY: FieldName = FieldName("key");
    /// Which actions are allowed, asked about or denied.
    pub const PERMISSION: FieldName = FieldName("permission");
    /// Which actions need a person's consent.
    pub const PERMISSION_MODE: FieldName = FieldName("permission_mode");
    /// MCP servers of the agent.
    pub const MCP_SERVERS: FieldName = FieldName("mcp_servers");
    /// Commands that the harness runs at events.
    pub const HOOKS: FieldName = FieldName("hooks");
    /// Examples that were taken out of the description.
    pub const EXAMPLES: FieldName = FieldName("examples");
    /// The workspace of the agent.
    pub const WORKSPACE: FieldName = FieldName("workspace");
    /// How a long history is shortened.
    pub const CONDENSER: FieldName = FieldName("condenser");
    /// Where model profiles are stored.
    pub const PROFILE_STORE_DIR: FieldName = FieldName("profile_store_dir");
    /// Keys that the harness does not know.
    pub const METADATA: FieldName = FieldName("metadata");

    /// Names a field that only one dialect has.
    #[must_use]
    pub const fn of_dialect(name: &'static str) -> FieldName {
        FieldName(name)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl std::fmt::Display for FieldName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it was written; unset for a default or a value that comes from the file's name.
    pub place: Option<Place>,
}

/// Where a field was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Place {
    /// The bytes of the key; for the body of a file the same as the value's.
    pub key: Span,
    /// The bytes of the value.
    pub value: Span,
}

impl<T> Located<T> {
    /// Makes a value that is not written anywhere.
    #[must_use]
    pub fn implied(value: T) -> Self {
        Located { value, place: None }
    }

    /// Makes a value that was written.
    #[must_use]
    pub fn written(value: T, key: Span, at: Span) -> Self {
        Located {
            value,
            place: Some(Place { key, value: at }),
        }
    }
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FieldValue {
    /// A text.
    Text(SharedText),
    /// An integer of any size.
    Integer(Int),
    /// A number.
    Number(f64),
    /// A switch.
    Flag(bool),
    /// A list of names, in order, duplicates kept.
    Names(Vec<Name>),
    /// Everything that there is: the opposite of an empty list.
    Everything,
    /// The names that the parent has. Written as an empty list, which is what the harnesses hold
    /// that know no other list without names.
    Inherited,
    /// A structured value, checked and with its defaults filled in.
    Config(Box<Node>),
}

/// An item of a list of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name, exactly as the harness compares it.
    pub text: String,
    /// Its bytes, if it stands in the file.
    pub span: Option<Span>,
}

/// Which tools a definition asks for. Unset, none and all are three different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolAccess<'a> {
    /// Nothing was said: the harness decides.
    Unset,
    /// All tools, said so.
    All,
    /// Just these; an empty list means no tool at all.
    Listed(&'a [Name]),
}

/// One agent as written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Definition {
    fields: Fields,
    /// Keys that the harness keeps without knowing them, in order.
    pub metadata: IndexMap<String, Located<Node>>,
    pub(crate) shown: &'static [FieldName],
    pub(crate) float_words: FloatWords,
}

/// The words for numbers for which JSON has no form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FloatWords {
    /// `inf`, `-inf` and `nan`, as in Python.
    #[default]
    Python,
    /// `Infinity`, `-Infinity` and `NaN`, as in Java and JavaScript.
    Java,
}

impl Definition {
    /// Makes an empty definition that prints the given fields, set or not, in this order.
    #[must_use]
    pub fn new(shown: &'static [FieldName]) -> Self {
        Definition {
            shown,
            ..Definition::default()
        }
    }

    /// Sets the words for numbers for which JSON has no form.
    #[must_use]
    pub fn float_words(mut self, words: FloatWords) -> Self {
        self.float_words = words;
        self
    }

    /// Sets a field.
    pub fn set(&mut self, field: FieldName, value: Located<FieldValue>) {
        self.fields.set(field, value);
    }

    /// Takes a field away.
    pub fn unset(&mut self, field: FieldName) {
        self.fields.unset(field);
    }

    /// Takes over all fields and unknown keys of a definition, instead of its own. The fields are
    /// shared, not copied.
    pub(crate) fn take_over(&mut self, from: &Arc<Definition>) {
        self.fields = Fields::of(from);
        self.metadata = from.metadata.clone();
    }

    /// Lets the texts that stand in the file as they are read be parts of it.
    pub(crate) fn share(&mut self, file: &Arc<str>) {
        for (text, span) in self.fields.written_texts() {
            text.share(file, span);
        }
    }

    /// Lets copies of the definition share its long texts.
    pub(crate) fn let_copies_share(&mut self) {
        for (text, _) in self.fields.written_texts() {
            text.let_copies_share();
        }
    }

    /// Gives back the memory that nothing in it takes.
    pub fn shrink(&mut self) {
        self.fields.shrink();
        self.metadata.shrink_to_fit();
    }

    /// Returns a field with its place.
    #[must_use]
    pub fn field(&self, field: FieldName) -> Option<&Located<FieldValue>> {
        self.fields.get(field)
    }

    /// Returns the fields that are set, in the order in which they were set.
    pub fn fields(&self) -> impl Iterator<Item = (FieldName, &Located<FieldValue>)> {
        self.fields.iter()
    }

    /// Returns where a field was written.
    #[must_use]
    pub fn place(&self, field: FieldName) -> Option<Place> {
        self.field(field).and_then(|value| value.place)
    }

    /// Returns the name that the agent is registered under; empty only where the harness allows
    /// an empty name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.text(FieldName::KEY)
            .or_else(|| self.text(FieldName::NAME))
            .unwrap_or_default()
    }

    /// Returns the description; empty if there is none.
    #[must_use]
    pub fn description(&self) -> &str {
        self.text(FieldName::DESCRIPTION).unwrap_or_default()
    }

    /// Returns the system prompt.
    #[must_use]
    pub fn prompt(&self) -> Option<&str> {
        self.text(FieldName::PROMPT)
    }

    /// Returns the model as written.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.text(FieldName::MODEL)
    }

    /// Returns the tools that it asks for.
    #[must_use]
    pub fn tools(&self) -> ToolAccess<'_> {
        match self.field(FieldName::TOOLS).map(|field| &field.value) {
            Some(FieldValue::Names(names)) => ToolAccess::Listed(names),
            Some(FieldValue::Everything) => ToolAccess::All,
            _ => ToolAccess::Unset,
        }
    }

    /// Returns the attached skills.
    #[must_use]
    pub fn skills(&self) -> &[Name] {
        self.names(FieldName::SKILLS)
    }

    /// Returns a field that is a text.
    #[must_use]
    pub fn text(&self, field: FieldName) -> Option<&str> {
        match &self.field(field)?.value {
            FieldValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a field that is a list of names; empty if unset.
    #[must_use]
    pub fn names(&self, field: FieldName) -> &[Name] {
        match self.field(field).map(|field| &field.value) {
            Some(FieldValue::Names(names)) => names,
            _ => &[],
        }
    }

    /// Returns a field that is an integer.
    #[must_use]
    pub fn integer(&self, field: FieldName) -> Option<&Int> {
        match &self.field(field)?.value {
            FieldValue::Integer(value) => Some(value),
            _ => None,
        }
    }

    /// Returns a field that is a number.
    #[must_use]
    pub fn number(&self, field: FieldName) -> Option<f64> {
        match &self.field(field)?.value {
            FieldValue::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns a field that is a switch.
    #[must_use]
    pub fn flag(&self, field: FieldName) -> Option<bool> {
        match &self.field(field)?.value {
            FieldValue::Flag(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns a field that is a structured value.
    #[must_use]
    pub fn config(&self, field: FieldName) -> Option<&Node> {
        match &self.field(field)?.value {
            FieldValue::Config(node) => Some(node),
            _ => None,
        }
    }

    /// Returns whether both say the same, wherever and however it was written.
    #[must_use]
    pub fn same_content(&self, other: &Definition) -> bool {
        self.differing_fields(other).is_empty()
    }

    /// Returns the fields that say something else in another definition, or are set in only one of
    /// the two; unknown keys as [`FieldName::METADATA`]. Those of this one come first.
    #[must_use]
    pub fn differing_fields(&self, other: &Definition) -> Vec<FieldName> {
        let differs = |name: &FieldName| match (self.field(*name), other.field(*name)) {
            (Some(mine), Some(theirs)) => !mine.value.same_content(&theirs.value),
            (mine, theirs) => mine.is_some() != theirs.is_some(),
        };
        let added = other.fields().map(|(name, _)| name);
        let added = added.filter(|name| self.field(*name).is_none());
        let names = self.fields().map(|(name, _)| name).chain(added);
        let mut differing: Vec<FieldName> = names.filter(differs).collect();
        let same_metadata = self.metadata.len() == other.metadata.len()
            && self.metadata.iter().zip(&other.metadata).all(
                |((my_key, mine), (their_key, theirs))| {
                    my_key == their_key && mine.value.same_content(&theirs.value)
                },
            );
        if !same_metadata {
            differing.push(FieldName::METADATA);
        }
        differing
    }
}

impl FieldValue {
    /// Makes a text.
    #[must_use]
    pub fn text(text: impl Into<SharedText>) -> Self {
        FieldValue::Text(text.into())
    }

    /// Makes a structured value.
    #[must_use]
    pub fn config(node: Node) -> Self {
        FieldValue::Config(Box::new(node))
    }

    /// Returns whether both say the same, wherever and however it was written.
    #[must_use]
    pub fn same_content(&self, other: &FieldValue) -> bool {
        match (self, other) {
            (FieldValue::Names(mine), FieldValue::Names(theirs)) => mine
                .iter()
                .map(|name| &name.text)
                .eq(theirs.iter().map(|name| &name.text)),
            (FieldValue::Config(mine), FieldValue::Config(theirs)) => mine.same_content(theirs),
            (FieldValue::Number(mine), FieldValue::Number(theirs)) => {
                mine == theirs || (mine.is_nan() && theirs.is_nan())
            }
            (mine, theirs) => mine == theirs,
        }
    }
}
