//! The last step of reading a file: what follows from several fields together.

use crate::definition::{Definition, FieldName};
use crate::diagnostic::Diagnostic;
use crate::dialect::SkipRule;
use crate::header::Consequence;
use crate::inputs::ParseInputs;
use crate::source::Span;
use crate::value::Node;

/// A definition whose fields are all read, for the dialect's own last step.
#[derive(Debug)]
pub struct Finish<'a> {
    /// The definition.
    pub definition: &'a mut Definition,
    /// The name of the file.
    pub file_name: &'a str,
    /// The name that the agent has if the definition does not give it one.
    pub stem: &'a str,
    /// What else is known about the file.
    pub inputs: &'a ParseInputs,
    /// The fence that opens the header, if the file has one.
    pub opening: Option<Span>,
    /// Whether the file is lost already, so that what is missing in it needs no complaint.
    pub is_lost: bool,
    /// Findings, in any order.
    pub findings: Vec<Diagnostic>,
    /// Fields that were written and are lost.
    pub lost: Vec<FieldName>,
    /// What becomes of the file, if this step decides it.
    pub consequence: Option<Consequence>,
}

/// A definition to which no source can add anything more.
#[derive(Debug)]
pub struct Resolve<'a> {
    /// The definition.
    pub definition: &'a mut Definition,
    /// Whether the harness brings the agent itself.
    pub is_builtin: bool,
    /// What the configuration says for all agents, if the dialect has such settings.
    pub for_all: Option<&'a Node>,
    /// Findings, in any order.
    pub findings: Vec<Diagnostic>,
    /// Why it is no agent after all, if it is none.
    pub skip: Option<SkipRule>,
}

/// The last step of a dialect that has none.
pub fn nothing(_: &mut Finish<'_>) {}

/// The resolution of a dialect in which nothing follows from the fields as they are read.
pub fn as_read(_: &mut Resolve<'_>) {}
