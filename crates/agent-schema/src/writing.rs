//! How a dialect writes a definition down: the counterpart of the field table.
//!
//! The types in which a dialect says how its files are called, which key holds which field and in
//! which shape, what its words for values and models are, and how it limits an agent.

use crate::definition::{Definition, FieldName};
use crate::value::Node;
use crate::vocabulary::{Tool, Vocabulary};

/// How the definitions of a profile are written.
#[derive(Debug)]
pub struct WritingRules {
    /// What is written for an agent.
    pub form: FileForm,
    /// Which names the harness takes.
    pub names: NameForm,
    /// The fields that have a key, in the order in which they are written.
    pub fields: &'static [WrittenField],
    /// Fields that follow from others when the file is read again.
    pub derived: &'static [FieldName],
    /// Which fields it keeps without knowing their keys.
    pub unknown: KeptKeys,
    /// What its word for a model is.
    pub models: ModelForm,
    /// How it limits an agent.
    pub access: AccessRules,
    /// The events at which it runs commands.
    pub hooks: Option<HookWords>,
    /// How MCP servers are written.
    pub servers: Option<ServerForm>,
}

/// What is written for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileForm {
    /// A Markdown file with a YAML header.
    YamlHeader {
        /// The folder, from the project.
        folder: &'static str,
    },
    /// A Markdown file whose header is lines of `key: value`.
    LineHeader {
        /// The folder, from the project.
        folder: &'static str,
    },
    /// Instructions, not an agent: a Markdown file with a YAML header in a folder of its own, which
    /// has the name.
    NamedFolder {
        /// The folder, from the project.
        folder: &'static str,
        /// The name of the file.
        file: &'static str,
    },
    /// An entry in a file of several agents, and a file with the prompt beside it.
    RosterEntry {
        /// The file, from the folder of the layers.
        file: &'static str,
        /// The key that holds the agents.
        agents: &'static str,
        /// The folder of the prompts.
        prompts: &'static str,
        /// The key that names the prompt.
        prompt_key: &'static str,
    },
}

/// Which names the harness takes.
#[derive(Debug, Clone, Copy)]
pub struct NameForm {
    /// Where the name stands.
    pub stands: NameStands,
    /// Returns whether a name can be used.
    pub allows: fn(&str) -> bool,
    /// Which names can be used, for people.
    pub allowed: &'static str,
    /// Whether it is written in small letters.
    pub lower_case: bool,
}

/// Where the name of an agent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameStands {
    /// In a field with a key.
    Key,
    /// In the path of the file alone.
    Path,
}

/// Which keys a harness keeps without knowing them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptKeys {
    /// None.
    Nothing,
    /// All, as notes that mean nothing to it.
    Notes,
    /// All, and each of them means something to somebody else.
    Settings,
}

/// A field that has a key.
#[derive(Debug, Clone, Copy)]
pub struct WrittenField {
    /// The field.
    pub field: FieldName,
    /// The field under which other harnesses know the same thing.
    pub meaning: FieldName,
    /// The key.
    pub key: &'static str,
    /// The form of its value.
    pub shape: Shape,
    /// Its words for values: (neutral word, the word as it is written).
    pub words: &'static [(&'static str, &'static str)],
    /// Whether the words are all that can be written.
    pub only_words: bool,
}

/// The form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// As it is: a text, a number, a switch or something nested.
    Plain,
    /// Names in one text, with commas between them.
    CommaText,
    /// A list of names.
    List,
    /// MCP servers, in the form of [`WritingRules::servers`].
    Servers,
    /// Hooks, which only the harness understands that they were written for.
    Hooks,
}

impl FileForm {
    /// Returns whether what is written is instructions for any agent and no agent.
    #[must_use]
    pub fn is_skill(self) -> bool {
        matches!(self, FileForm::NamedFolder { .. })
    }
}

impl FileForm {
    /// Returns whether each key and value stand on a line and nothing can be nested.
    #[must_use]
    pub fn is_lines(self) -> bool {
        matches!(self, FileForm::LineHeader { .. })
    }
}

impl WrittenField {
    /// A field with a plain value, which others know by the same name.
    #[must_use]
    pub const fn new(field: FieldName, key: &'static str) -> Self {
        WrittenField {
            field,
            meaning: field,
            key,
            shape: Shape::Plain,
            words: &[],
            only_words: false,
        }
    }

    /// Sets the form of its value.
    #[must_use]
    pub const fn shaped(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// Sets the field under which others know it.
    #[must_use]
    pub const fn meaning(mut self, meaning: FieldName) -> Self {
        self.meaning = meaning;
        self
    }

    /// Sets its words for values.
    #[must_use]
    pub const fn words(mut self, words: &'static [(&'static str, &'static str)]) -> Self {
        self.words = words;
        self
    }

    /// Says that nothing but its words can be written.
    #[must_use]
    pub const fn only(mut self) -> Self {
        self.only_words = true;
        self
    }
}

/// Fields that have no name of their own in [`FieldName`], by what they mean to several harnesses.
pub mod meanings {
    use crate::definition::FieldName;

    /// How hard the model thinks.
    pub const EFFORT: FieldName = FieldName::of_dialect("effort");
    /// Whether the agent runs beside its parent.
    pub const BACKGROUND: FieldName = FieldName::of_dialect("background");
    /// Where the agent keeps what it learns.
    pub const MEMORY: FieldName = FieldName::of_dialect("memory");
    /// In which copy of the project it works.
    pub const ISOLATION: FieldName = FieldName::of_dialect("isolation");
}

/// What the harness's word for a model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelForm {
    /// The word for the parent's model, if there is one; else the key is left out.
    pub inherit: Option<&'static str>,
    /// Which other words there are.
    pub names: ModelWord,
    /// Words for families of models, which no other harness has.
    pub families: &'static [&'static str],
    /// What may stand behind the name of a model.
    pub variant: Option<VariantForm>,
}

/// What stands behind the name of a model and says which variant of it is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantForm {
    /// What stands before the variant.
    pub open: &'static str,
    /// What stands behind it.
    pub close: &'static str,
    /// The variants; any text if there are none.
    pub words: &'static [&'static str],
}

impl VariantForm {
    /// Splits the variant from the name of a model.
    #[must_use]
    pub fn split<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (name, variant) = text.strip_suffix(self.close)?.rsplit_once(self.open)?;
        let is_known = match self.words {
            [] => !variant.is_empty(),
            words => words.contains(&variant.to_lowercase().as_str()),
        };
        (is_known && !name.is_empty()).then_some((name, variant))
    }

    /// Writes the variant behind the name of a model.
    #[must_use]
    pub fn join(&self, name: &str, variant: &str) -> String {
        format!("{name}{}{variant}{}", self.open, self.close)
    }
}

/// Which words for a single model there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelWord {
    /// Names of models of one provider, all of which begin alike.
    OfProvider {
        /// The provider, as others call it.
        provider: &'static str,
        /// What the names of its models begin with.
        prefix: &'static str,
    },
    /// The provider, a slash and the name of the model.
    ProviderAndName,
    /// The name of the model, with or without its provider.
    AnyName,
    /// Names that somebody gave to settings of a model.
    Stored,
}

/// How far an agent may go with a tool; what is less stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Effect {
    /// It does not have it.
    Deny,
    /// The user is asked each time.
    Ask,
    /// The user is asked where it looks risky.
    AskIfRisky,
    /// It may use it as the session has it.
    Allow,
    /// It may use it and nobody is asked, said so.
    NeverAsk,
}

/// How a harness limits an agent.
#[derive(Debug)]
pub struct AccessRules {
    /// Its words for tools.
    pub vocabulary: &'static Vocabulary,
    /// Lists of names, where it has such.
    pub lists: Option<ListRules>,
    /// What may be done with each tool, where it can be said.
    pub effects: Option<EffectRules>,
    /// The words for how far a person is asked.
    pub modes: &'static [ModeWord],
    /// The field and the key of such a word.
    pub mode: Option<(FieldName, &'static str)>,
    /// Tools that every agent has, whatever a list says.
    pub always: &'static [Tool],
    /// A field that gives tools beside every list, unless they are denied by name.
    pub adding: Option<(FieldName, &'static [Tool])>,
    /// Tools that no agent has, whatever a list says.
    pub never: &'static [Tool],
    /// The field that says which agents it may give work to, by their names or by a switch.
    pub delegates: Option<FieldName>,
    /// The fields that all of this is read from.
    pub fields: &'static [FieldName],
}

/// Lists of names of tools.
#[derive(Debug, Clone, Copy)]
pub struct ListRules {
    /// The key and form of the list of what is allowed.
    pub allow: (&'static str, Shape),
    /// The key and form of the list of what is denied, if there is one.
    pub deny: Option<(&'static str, Shape)>,
    /// What an agent has for which nothing is said.
    pub unset: Effect,
    /// How it is said that an agent has no tool at all.
    pub none: NoTools,
    /// The word for all tools.
    pub all: Option<&'static str>,
    /// What else must be written so that the list is all that an agent has.
    pub beside: Option<Beside>,
    /// Whether a name can have a rule in parentheses behind it. The harness takes no notice of it.
    pub with_rules: bool,
    /// A further field with names that are allowed, each of which begins with a text there.
    pub further: Option<(FieldName, &'static str)>,
}

/// How it is said that an agent has no tool at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTools {
    /// By an empty list.
    EmptyList,
    /// By a word.
    Word(&'static str),
    /// By a switch of its own.
    Switch(FieldName, &'static str),
    /// By nothing.
    CannotBeSaid,
}

/// What else must be written so that a list is all that an agent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    /// The field.
    pub field: FieldName,
    /// Its key.
    pub key: &'static str,
    /// The value of the switch that says so.
    pub switch: bool,
    /// Further fields that leave some of the others out.
    pub also: &'static [FieldName],
}

/// What may be done with each tool, one by one.
#[derive(Debug, Clone, Copy)]
pub struct EffectRules {
    /// Returns the rules of a definition, in order; the last one that fits counts.
    pub read: fn(&Definition) -> Vec<EffectRule>,
    /// The keys that lead to them.
    pub keys: &'static [&'static str],
    /// How they are written.
    pub form: EffectForm,
    /// Whether a rule can have patterns.
    pub patterns: bool,
    /// Names that no rule can have.
    pub untouchable: &'static [&'static str],
    /// Whether all other tools can be named by a star.
    pub star: bool,
}

/// How rules are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectForm {
    /// As a map from names to words, or to maps from patterns to words.
    Map,
    /// As a list of maps with an action, a resource and an effect.
    List,
    /// As a map in the text of one line.
    TextOfMap,
}

/// One rule.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectRule {
    /// The name of the tool, or a star.
    pub name: String,
    /// The pattern of what is done with it; a star for everything.
    pub pattern: String,
    /// What counts.
    pub effect: Effect,
    /// The node that says so.
    pub at: crate::source::Span,
}

/// A word for how far a person is asked.
#[derive(Debug, Clone, Copy)]
pub struct ModeWord {
    /// The word.
    pub word: &'static str,
    /// How far the agent may go with some tools.
    pub tools: &'static [(Tool, Effect)],
    /// How far it may go with all others.
    pub others: Effect,
}

impl ModeWord {
    /// Returns how far an agent may go with a tool in this mode.
    #[must_use]
    pub fn effect(&self, tool: Tool) -> Effect {
        let found = self.tools.iter().find(|(known, _)| *known == tool);
        found.map_or(self.others, |(_, effect)| *effect)
    }
}

/// The events at which a harness runs commands.
///
/// A hook gets its event as JSON in the form of its harness and answers in it, so that it means
/// nothing to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookWords {
    /// The events whose hooks can keep an agent from using a tool.
    pub guarding: &'static [&'static str],
}

/// How MCP servers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerForm {
    /// Whether they are a list, in which a name alone means a server that is known already;
    /// else they are a map.
    pub list: bool,
    /// The keys of a server: (neutral key, the harness's own).
    pub keys: &'static [(&'static str, &'static str)],
    /// The words for its transport: (neutral word, the harness's own).
    pub transports: &'static [(&'static str, &'static str)],
}

/// The fields that limit an agent in every dialect.
pub const GUARDED: [FieldName; 4] = [
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::PERMISSION,
    FieldName::PERMISSION_MODE,
];

/// Reads rules from a node: a map from names to words, or to maps from patterns to words.
#[must_use]
pub fn rules_of_map(node: &Node) -> Vec<EffectRule> {
    let mut rules = Vec::new();
    let entries = node.as_map().map(|map| map.entries.as_slice());
    for entry in entries.unwrap_or_default() {
        let name = crate::value_output::key_text(&entry.key);
        let mut add = |pattern: &str, node: &Node| {
            if let Some(effect) = node.as_text().and_then(effect_of) {
                rules.push(EffectRule {
                    name: name.clone(),
                    pattern: pattern.to_owned(),
                    effect,
                    at: node.span,
                });
            }
        };
        match entry.value.as_map() {
            Some(patterns) => {
                for pattern in &patterns.entries {
                    add(&crate::value_output::key_text(&pattern.key), &pattern.value);
                }
            }
            None => add("*", &entry.value),
        }
    }
    rules
}

/// Reads the word of a rule.
#[must_use]
pub fn effect_of(word: &str) -> Option<Effect> {
    match word {
        "allow" => Some(Effect::Allow),
        "ask" => Some(Effect::Ask),
        "deny" => Some(Effect::Deny),
        _ => None,
    }
}

/// Returns the word of a rule.
#[must_use]
pub fn effect_word(effect: Effect) -> &'static str {
    match effect {
        Effect::Deny => "deny",
        Effect::Ask | Effect::AskIfRisky => "ask",
        Effect::Allow | Effect::NeverAsk => "allow",
    }
}
