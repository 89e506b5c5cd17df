//! Diagnostics.

use agent_registry::{Contender, Registry};
use agent_schema::{Fix, Severity, Span};
use serde::Serialize;

use crate::finding::{Finding, RelatedPlace};

/// A diagnostic.
#[derive(Serialize)]
pub(crate) struct Diagnostic<'a> {
    code: &'static str,
    severity: Severity,
    message: &'a str,
    why: Option<&'a str>,
    file: &'a str,
    span: Option<Span>,
    line: Option<u32>,
    column: Option<u32>,
    help: Option<&'a str>,
    related: Vec<Related<'a>>,
    fix: Option<&'a Fix>,
}

/// A second place of a diagnostic.
#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    file: &'a str,
    span: Option<Span>,
    line: Option<u32>,
    column: Option<u32>,
}

impl<'a> Diagnostic<'a> {
    pub(crate) fn new(finding: Finding<'a>) -> Self {
        let Finding {
            diagnostic, file, ..
        } = finding;
        let at = finding.position();
        Diagnostic {
            code: diagnostic.code(),
            severity: diagnostic.severity,
            message: &diagnostic.message,
            why: diagnostic.why.as_deref(),
            file: file.reported,
            span: diagnostic.span,
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            help: diagnostic.help.as_deref(),
            related: finding.related().map(Related::new).collect(),
            fix: diagnostic.fix.as_deref(),
        }
    }

    /// The diagnostics of a contender.
    pub(crate) fn of(contender: &'a Contender, registry: &'a Registry) -> Vec<Self> {
        Finding::of(contender, registry)
            .map(Diagnostic::new)
            .collect()
    }
}

impl<'a> Related<'a> {
    fn new(place: RelatedPlace<'a>) -> Self {
        let at = place.position();
        Related {
            message: place.message,
            file: place.file.reported,
            span: place.span,
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
        }
    }
}
