#![doc = include_str!("../README.md")]

mod indented_lines;
mod seldom;
#[cfg(feature = "serde")]
mod serialize;
mod shared_text;
pub mod source;
pub mod text;
pub mod value;
mod value_output;
mod written_at;

pub mod json;
pub mod yaml;

pub mod diagnostic;
pub mod rules;
pub mod selector;
pub mod suggest;
pub mod suppression;

pub mod coerce;
pub mod definition;
pub mod dialect;
pub mod dialects;
pub mod effects;
pub mod finish;
pub mod fix;
pub mod foreign_words;
pub mod header;
pub mod header_lines;
pub mod inputs;
pub mod known_words;
mod limits;
pub mod merge;
pub mod outcome;
#[cfg(feature = "outline")]
pub mod outline;
pub mod parse;
pub mod render;
pub mod roster;
pub mod sections;
pub mod settings;
mod several_agents;
pub mod skill_rules;
pub mod surroundings;
#[cfg(feature = "outline")]
mod tool_prose;
pub mod tool_rules;
pub mod vocabulary;
pub mod writing;

pub use definition::{
    Definition, FieldName, FieldValue, FloatWords, Located, Name, Place, ToolAccess,
};
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, Related, Severity};
pub use dialect::{Dialect, Level, Profile, Rules};
pub use inputs::ParseInputs;
pub use limits::{Limit, Limits};
pub use outcome::{Fate, Outcome, Parsed};
pub use parse::{File, parse, parse_with};
pub use render::{RenderError, render};
pub use rules::Rule;
pub use seldom::Seldom;
pub use selector::{Selector, UnknownCode};
pub use shared_text::SharedText;
pub use source::{LineColumn, LineIndex, Span};
pub use value::{Node, Value};
pub use value_output::{CUT, MOST_NODES, key_text};
