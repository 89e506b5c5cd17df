//! What differs between YAML readers, as data.
//!
//! Every reader that a harness uses is one [`Flavor`]: a constant in a file of its own. The code
//! that composes and constructs asks the flavor and never knows which reader it stands for.

use crate::limits::{self, Limit};
use crate::value::{Node, Value};

/// One YAML reader's rules.
#[derive(Debug, Clone, Copy)]
pub struct Flavor {
    /// The reader and its version, as messages name it: `PyYAML 6.0.4`.
    pub name: &'static str,
    /// Which characters may stand in a text.
    pub characters: Characters,
    /// Which characters end a line.
    pub line_breaks: LineBreaks,
    /// How exactly continuation lines must be indented.
    pub indentation: Indentation,
    /// What a tab at the start of a line means.
    pub tabs: Tabs,
    /// What the last line of a block text ends with if the text ends without a line end.
    pub block_text_end: BlockTextEnd,
    /// What more than one document is.
    pub documents: Documents,
    /// Whose grammar counts where the readers differ from the specification.
    pub grammar: Grammar,
    /// Whether a tab may stand inside or behind a value without quotes.
    pub plain_tabs: PlainTabs,
    /// Whether a comment needs white space before it.
    pub comments: Comments,
    /// Where the maps may stand that are the values of one map.
    pub nested_maps: NestedMaps,
    /// What a surrogate pair in a double-quoted text means.
    pub surrogate_escapes: SurrogateEscapes,
    /// Whether lists and maps may be written in brackets.
    pub brackets: Brackets,
    /// Whether an anchor may be given twice.
    pub anchors: Anchors,
    /// What an alias stands for.
    pub aliases: Aliases,
    /// What an explicit tag does.
    pub tags: Tags,
    /// What a key is.
    pub keys: Keys,
    /// Returns the type that a scalar without quotes and tag has.
    pub resolve: fn(&str) -> Tag,
    /// Makes a value of a scalar's type from its text, or says why the reader fails.
    pub construct: fn(Tag, &str) -> Result<Value, Unreadable>,
    /// Returns a text that is the same for two keys exactly if the reader takes them for equal;
    /// `None` if the value cannot be a key.
    pub key_identity: fn(&Value) -> Option<String>,
    /// What a `<<` key does.
    pub merge_keys: MergeKeys,
    /// What a repeated key does.
    pub duplicate_keys: DuplicateKeys,
    /// How large and how deep a document may be.
    pub limits: Limits,
}

impl Flavor {
    /// Returns the same rules with other limits, where they are ours and no harness's.
    #[must_use]
    pub fn within(self, limits: &limits::Limits) -> Self {
        let own = self.limits;
        Flavor {
            limits: Limits {
                depth: own.depth.min(limits.of(Limit::Nesting)),
                merged_entries: match own.merged_entries {
                    0 => 0,
                    _ => limits.of(Limit::MergedEntries),
                },
                ..own
            },
            ..self
        }
    }
}

/// Which characters may stand in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Characters {
    /// Those that YAML calls printable; the byte order mark is one of them.
    Printable,
    /// All of them.
    Any,
    /// All but U+0000, which is refused.
    NoZero,
    /// All but U+0000, at which the text ends.
    UpToZero,
}

/// Which characters end a line, beside LF, CRLF and CR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineBreaks {
    /// YAML 1.1: also U+0085, U+2028 and U+2029.
    Yaml11,
    /// YAML 1.2: no others.
    Yaml12,
}

/// How exactly continuation lines must be indented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Indentation {
    /// Lines in brackets and quotes may stand further left than their key, as libyaml allows.
    Lenient,
    /// As the specification asks.
    Strict,
    /// As the specification asks, but the last closing bracket of a value may stand in the column
    /// of its key.
    StrictButForClosing,
}

/// What a tab at the start of a line means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tabs {
    /// What the grammar says, mostly an error.
    ByGrammar,
    /// It indents like a space wherever the grammar refuses it.
    Indent,
    /// It is white space that does not count: the line stands as far left as without it.
    Uncounted,
}

/// What the last line of a block text ends with if the text ends without a line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockTextEnd {
    /// Nothing, as it is written.
    AsWritten,
    /// A line feed, as any other line, unless the text is stripped (`|-`).
    LineFeed,
}

/// What more than one document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Documents {
    /// An error.
    Refused,
    /// A list of them.
    Listed,
    /// The first one; the reader stops where it is complete, whatever follows.
    FirstOnly,
}

/// What a key of a map is.
#[derive(Debug, Clone, Copy)]
pub enum Keys {
    /// A value of any type.
    Values,
    /// The text that a function makes of the value; lists and maps are no keys.
    Texts(fn(&Node) -> String),
    /// The text that is written, whatever it looks like. Anything but a single value is an error,
    /// an alias too.
    AsWritten,
    /// The text that a function makes of the value, also of a list or a map.
    AnyTexts(fn(&Node) -> String),
}

/// Whose grammar counts where the readers differ from the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grammar {
    /// The specification's, as granit-parser reads it.
    Specification,
    /// js-yaml 3's: the specification's, but a key may follow a complete value on its line, nothing may
    /// stand between two commas, and outside brackets a key has to stand before a colon.
    JsYaml3,
    /// libyaml's. It is stricter about tabs, anchors, missing keys and `%` lines, but takes tabs
    /// inside brackets.
    Libyaml,
    /// SnakeYAML's: libyaml's, but tabs separate nothing outside a value, and names of anchors are
    /// freer.
    SnakeYaml,
}

impl Grammar {
    /// Returns whether a colon needs a key before it, inside brackets or outside.
    pub(super) fn needs_key(self, in_brackets: bool) -> bool {
        self.is_like_libyaml() || self == Grammar::JsYaml3 && !in_brackets
    }

    /// Returns whether the rules are libyaml's except for what is said otherwise.
    pub(super) fn is_like_libyaml(self) -> bool {
        matches!(self, Grammar::Libyaml | Grammar::SnakeYaml)
    }
}

/// Whether a tab may stand inside or behind a value without quotes, on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainTabs {
    /// It is white space.
    Allowed,
    /// It is an error.
    Refused,
}

/// Whether a comment needs white space before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comments {
    /// It does.
    BehindSpace,
    /// It may follow a quote or a closing bracket at once.
    BehindValues,
}

/// Where the maps may stand that are the values of one map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NestedMaps {
    /// Each by itself, right of its key.
    AnyColumn,
    /// All in one column.
    OneColumn,
}

/// What a surrogate pair in a double-quoted text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SurrogateEscapes {
    /// An error.
    Refused,
    /// One character, as in JSON.
    Paired,
}

/// Whether lists and maps may be written in brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brackets {
    /// They may.
    Allowed,
    /// It is an error.
    Refused,
}

/// Whether an anchor may be given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchors {
    /// It is an error.
    Unique,
    /// The last one counts for the aliases after it.
    Redefinable,
    /// Any anchor is an error.
    Refused,
}

/// What an alias stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aliases {
    /// The value with the anchor; an unknown one is an error.
    Shared,
    /// The name of the anchor, as text.
    Name,
    /// An error.
    Refused,
}

/// What an explicit tag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tags {
    /// It chooses the type; an unknown one is an error.
    Constructed,
    /// It chooses the type if it is a standard one; any other does nothing.
    KnownOnly,
    /// It chooses the type of a single value; an unknown one makes it a text. On lists and maps it
    /// does nothing.
    OfScalars,
    /// Nothing.
    Ignored,
    /// It is an error.
    Refused,
}

/// What a `<<` key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeKeys {
    /// It is a key like any other.
    Ordinary,
    /// It brings in the entries of a map, below the entries that are written beside it.
    Merged(MergeLists),
}

/// Which map of `<<: [first, second]` gives the value of a key that both have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeLists {
    /// The earlier one.
    EarlierWins,
    /// The later one; but the earlier one for keys whose texts are one object in CPython. Those
    /// are the empty text and single characters up to U+00FF. The same map merged again counts
    /// at its first place.
    LaterWins,
}

/// What a repeated key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuplicateKeys {
    /// The last value counts and stands where the first one stood.
    LastWins,
    /// It is an error.
    Refused,
}

/// How large and how deep a document may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most characters of a text.
    pub characters: usize,
    /// Most block lists and maps inside each other.
    pub block_nesting: usize,
    /// Most lists and maps inside each other, brackets included.
    pub nesting: usize,
    /// Most levels of a value when aliases are followed. No reader has this limit. It is ours, so
    /// that code which walks a value by recursion cannot run out of stack.
    pub depth: usize,
    /// Most characters of a key that has no `?` before it.
    pub simple_key: usize,
    /// Most entries that `<<` looks at in one document. Also ours: a few merges that build on each
    /// other ask for millions of entries.
    pub merged_entries: usize,
}

/// The type of a node in a document: the standard tags of YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// `!!null`
    Null,
    /// `!!bool`
    Bool,
    /// `!!int`
    Int,
    /// `!!float`
    Float,
    /// `!!str`
    Text,
    /// `!!timestamp`
    Timestamp,
    /// `!!binary`
    Binary,
    /// `!!merge`, the type of `<<`
    Merge,
    /// `!!value`, the type of `=`
    Default,
    /// `!!seq`
    List,
    /// `!!map`
    Map,
    /// `!!set`
    Set,
    /// `!!omap`
    OrderedMap,
    /// `!!pairs`
    Pairs,
    /// Any other tag.
    Unknown,
}

impl Tag {
    /// Returns the type that a full tag (`tag:yaml.org,2002:int`) names.
    #[must_use]
    pub fn from_uri(uri: &str) -> Tag {
        match uri.strip_prefix("tag:yaml.org,2002:") {
            Some("null") => Tag::Null,
            Some("bool") => Tag::Bool,
            Some("int") => Tag::Int,
            Some("float") => Tag::Float,
            Some("str") => Tag::Text,
            Some("timestamp") => Tag::Timestamp,
            Some("binary") => Tag::Binary,
            Some("merge") => Tag::Merge,
            Some("value") => Tag::Default,
            Some("seq") => Tag::List,
            Some("map") => Tag::Map,
            Some("set") => Tag::Set,
            Some("omap") => Tag::OrderedMap,
            Some("pairs") => Tag::Pairs,
            _ => Tag::Unknown,
        }
    }

    /// Returns whether nodes of this type hold others.
    #[must_use]
    pub fn is_collection(self) -> bool {
        matches!(
            self,
            Tag::List | Tag::Map | Tag::Set | Tag::OrderedMap | Tag::Pairs
        )
    }
}

/// Why a reader fails on a scalar that has the look of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong, as a fragment that follows the quoted text: ``has no digits``.
    pub what: String,
    /// What the author can do.
    pub hint: Option<String>,
}

impl Unreadable {
    /// Says what is wrong.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Unreadable {
            what: what.into(),
            hint: None,
        }
    }

    /// Adds what the author can do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
