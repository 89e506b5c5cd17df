//! The answer of `check`.

use serde::Serialize;

use crate::json::Diagnostic;

/// Everything that is wrong.
#[derive(Serialize)]
pub(crate) struct Checked<'a> {
    pub(crate) diagnostics: Vec<Diagnostic<'a>>,
    pub(crate) summary: Summary,
}

/// How much of it there is.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) infos: usize,
    pub(crate) files: usize,
}
