//! Where each part of a configuration comes from.

use std::path::PathBuf;

use agent_schema::{Definition, FieldName, Place, Span};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A value together with where it comes from.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub from: Provenance,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provenance {
    /// It is written in the definition.
    Definition {
        /// The field.
        field: FieldName,
        /// The bytes of its key and of its value; of an item of a list the bytes of the item.
        place: Place,
    },
    /// It is written in another source of the same agent, or for all agents at once.
    Elsewhere {
        /// The field.
        field: FieldName,
        /// The bytes that say it, in whichever file.
        span: Span,
    },
    /// The definition does not say it, and this is what the harness takes then.
    Default,
    /// The agent that delegates has it.
    Parent,
    /// A variable of the environment says it.
    Variable {
        /// Its name.
        name: String,
    },
    /// The call that starts the agent says it.
    Call,
    /// It is the text of a file that the definition names.
    PromptFile {
        /// The file.
        path: PathBuf,
    },
    /// A stored model profile says it.
    ModelProfile {
        /// The name of the profile.
        name: String,
        /// Its file, if it has one.
        path: Option<PathBuf>,
    },
}

impl<T> Sourced<T> {
    /// Makes a value of a known provenance.
    #[must_use]
    pub fn new(value: T, from: Provenance) -> Self {
        Sourced { value, from }
    }
}

impl Provenance {
    /// Tells where a field of a definition is written; a field that is not written comes from
    /// `unwritten`.
    #[must_use]
    pub fn of(definition: &Definition, field: FieldName, unwritten: Provenance) -> Self {
        match definition.place(field) {
            Some(place) => Provenance::Definition { field, place },
            None => unwritten,
        }
    }

    /// Returns the stable word for the kind of provenance.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Provenance::Definition { .. } => "definition",
            Provenance::Elsewhere { .. } => "elsewhere",
            Provenance::Default => "default",
            Provenance::Parent => "parent",
            Provenance::Variable { .. } => "variable",
            Provenance::Call => "call",
            Provenance::PromptFile { .. } => "prompt-file",
            Provenance::ModelProfile { .. } => "model-profile",
        }
    }

    /// Returns where it is written in the definition's file.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        match self {
            Provenance::Definition { place, .. } => Some(*place),
            _ => None,
        }
    }
}

impl Serialize for Provenance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.as_str())?;
        match self {
            Provenance::Definition { field, place } => {
                map.serialize_entry("field", field.as_str())?;
                map.serialize_entry("key", &place.key)?;
                map.serialize_entry("span", &place.value)?;
            }
            Provenance::Elsewhere { field, span } => {
                map.serialize_entry("field", field.as_str())?;
                map.serialize_entry("span", span)?;
            }
            Provenance::ModelProfile { name, path } => {
                map.serialize_entry("name", name)?;
                map.serialize_entry("file", &path.as_ref().map(|path| path.to_string_lossy()))?;
            }
            Provenance::PromptFile { path } => {
                map.serialize_entry("file", &path.to_string_lossy())?;
            }
            Provenance::Variable { name } => map.serialize_entry("name", name)?,
            Provenance::Default | Provenance::Parent | Provenance::Call => {}
        }
        map.end()
    }
}
