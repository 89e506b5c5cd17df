//! The last step of reading a file: what follows from several fields together.

use crate::definition::Definition;
use crate::diagnostic::Diagnostic;
use crate::header::Consequence;
use crate::inputs::ParseInputs;

/// A definition whose fields are all read, for the dialect's own last step.
#[derive(Debug)]
pub struct Finish<'a> {
    /// The definition.
    pub definition: &'a mut Definition,
    /// The name of the file.
    pub file_name: &'a str,
    /// What else is known about the file.
    pub inputs: &'a ParseInputs,
    /// Findings, in any order.
    pub findings: Vec<Diagnostic>,
    /// What becomes of the file, if this step decides it.
    pub consequence: Option<Consequence>,
}

/// The last step of a dialect that has none.
pub fn nothing(_: &mut Finish<'_>) {}
