//! How the file of an agent is read: its keys and its fields.

use crate::coerce::{Coerced, Remarks};
use crate::definition::{FieldName, FieldValue, FloatWords};
use crate::finish::{Finish, Resolve};
use crate::header::{Consequence, HeaderRules};
use crate::known_words::KnownWords;
use crate::text::Encoding;
use crate::value::Node;
use crate::yaml::Flavor;

/// How a file is read. A harness may read the files of a plugin by other rules than its own.
#[derive(Debug)]
pub struct ReadingRules {
    /// How bytes become text.
    pub encoding: Encoding,
    /// How the header is found, and what becomes of a file whose header cannot be read.
    pub header: HeaderRules,
    /// How its YAML is read.
    pub yaml: Flavor,
    /// Which keys it has.
    pub keys: KeyRules,
    /// The fields of a definition.
    pub fields: &'static [Field],
    /// The fields that a definition prints, in order.
    pub shown: &'static [FieldName],
    /// What a value that the harness does not take makes of the file.
    pub refused: Consequence,
    /// How numbers are printed for which JSON has no form.
    pub float_words: FloatWords,
    /// Which words for tools and models are known.
    pub known_words: &'static KnownWords,
    /// What is worked out and checked once all fields are read.
    pub finish: fn(&mut Finish<'_>),
    /// What is worked out once all sources of a definition are merged; where a harness merges
    /// nothing, right after `finish`.
    pub resolve: fn(&mut Resolve<'_>),
}

/// Which keys a header may have.
#[derive(Debug)]
pub struct KeyRules {
    /// What happens to keys that no field has.
    pub unknown: UnknownKeys,
    /// Text keys that lose the file, whatever their value is.
    pub reserved: &'static [ReservedKey],
    /// What happens to keys that are no text.
    pub not_text: NotTextKeys,
    /// Keys that mean something in the harness's own code and nothing in a file, each with the
    /// reason.
    pub inert: &'static [(&'static str, &'static str)],
    /// When another spelling of a key is read.
    pub aliases: AliasUse,
    /// Further keys that have an effect in the harness, but none that is told here.
    pub effective: &'static [&'static str],
}

/// A key that loses the file, whatever its value is.
#[derive(Debug)]
pub struct ReservedKey {
    /// The key.
    pub key: &'static str,
    /// Why the harness cannot take it.
    pub why: &'static str,
    /// What it makes of the file.
    pub refused: Consequence,
    /// The key by which the harness knows what is meant, if there is one.
    pub instead: Option<&'static str>,
    /// What to do.
    pub help: &'static str,
}

impl KeyRules {
    /// Returns what is known of a key that loses the file.
    #[must_use]
    pub fn reserved(&self, key: &str) -> Option<&'static ReservedKey> {
        self.reserved.iter().find(|reserved| reserved.key == key)
    }
}

/// When another spelling of a key is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AliasUse {
    /// When the key itself is absent.
    WhenAbsent,
    /// When the key itself gives no value, written or not.
    WhenUnset,
}

/// What happens to keys that are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTextKeys {
    /// They lose the file.
    RejectFile {
        /// Why.
        why: &'static str,
    },
    /// They are no keys of the harness and are passed over like unknown ones.
    PassedOver,
}

/// What happens to keys that no field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownKeys {
    /// They are kept as metadata.
    Metadata,
    /// They are kept as metadata, which is sent to the model's provider as options.
    ModelOptions,
    /// They are dropped.
    Dropped,
    /// They are dropped, and the harness names them in its log.
    Named,
    /// They are dropped, and a file that has one is not valid.
    Invalid,
    /// They belong to other parts of the harness and are no concern of agents.
    NotOurs,
    /// One of them shows that the whole definition is written in another form.
    OtherForm(OtherForm),
}

impl UnknownKeys {
    /// Returns whether the harness says so somewhere.
    #[must_use]
    pub fn is_told(self) -> bool {
        matches!(self, UnknownKeys::Named | UnknownKeys::Invalid)
    }
}

/// Another form of a definition: its rules count instead.
#[derive(Debug, Clone, Copy)]
pub struct OtherForm(pub &'static ReadingRules);

/// Two forms are the same if they are one table.
impl PartialEq for OtherForm {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for OtherForm {}

/// How one key of a header becomes a field.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// Keys that are read instead when the key itself is absent.
    pub aliases: &'static [&'static str],
    /// The field that it gives.
    pub target: FieldName,
    /// How its value is read.
    pub read: fn(&Node, &mut Remarks<'_>) -> Coerced,
    /// What the field is when no key is written.
    pub absent: Absent,
    /// What may be written, for people.
    pub accepts: &'static str,
}

/// What a field is when its key is absent.
#[derive(Debug, Clone, Copy)]
pub enum Absent {
    /// It is unset.
    Unset,
    /// It is this text.
    Text(&'static str),
    /// It is a list without names.
    NoNames,
    /// It is the name of the file without its suffix.
    FileStem,
    /// It is the name of the folder that holds the file; unset if that is not known.
    FolderName,
    /// It is a switch.
    Flag(bool),
    /// It is an integer.
    Integer(i64),
    /// It is what the parent has.
    Inherited,
    /// It is a structured value.
    Made(fn() -> FieldValue),
    /// The file is no agent then.
    Loses(Consequence),
}
