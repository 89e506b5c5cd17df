//! The answer of `diff`.

use agent_factory::{Difference, Side};
use agent_schema::Span;
use serde::Serialize;

use crate::commands::diff::Operand;

/// What two definitions say differently.
#[derive(Serialize)]
pub(crate) struct Differences<'a> {
    same: bool,
    left: One<'a>,
    right: One<'a>,
    differences: Vec<Field<'a>>,
}

/// One of the two.
#[derive(Serialize)]
struct One<'a> {
    file: &'a str,
    dialect: &'static str,
    profile: &'static str,
}

/// What both say about a field.
#[derive(Serialize)]
struct Field<'a> {
    field: &'a str,
    left: Option<Said<'a>>,
    right: Option<Said<'a>>,
}

/// What one of them says.
#[derive(Serialize)]
struct Said<'a> {
    text: &'a str,
    span: Option<Span>,
    line: Option<u32>,
    column: Option<u32>,
}

impl<'a> Differences<'a> {
    pub(crate) fn new(left: &'a Operand, right: &'a Operand, found: &'a [Difference]) -> Self {
        let fields = found.iter().map(|difference| Field {
            field: &difference.field,
            left: difference.left.as_ref().map(|side| Said::new(side, left)),
            right: difference.right.as_ref().map(|side| Said::new(side, right)),
        });
        Differences {
            same: found.is_empty(),
            left: One::new(left),
            right: One::new(right),
            differences: fields.collect(),
        }
    }
}

impl<'a> One<'a> {
    fn new(operand: &'a Operand) -> Self {
        One {
            file: &operand.reported,
            dialect: operand.reader.dialect.id,
            profile: operand.reader.profile.id,
        }
    }
}

impl<'a> Said<'a> {
    fn new(side: &'a Side, operand: &Operand) -> Self {
        let at = side.span.and_then(|span| operand.view().position(span));
        Said {
            text: &side.text,
            span: side.span,
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
        }
    }
}
