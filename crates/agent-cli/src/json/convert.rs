//! The answer of `convert`.

use agent_factory::{LossCode, Reader, Verdict, WrittenFile};
use agent_schema::{Severity, Span};
use serde::Serialize;

use crate::commands::convert::Done;
use crate::finding::FileView;

/// What became of each agent.
#[derive(Serialize)]
pub(crate) struct Converted<'a> {
    conversions: Vec<One<'a>>,
}

/// What became of one agent.
#[derive(Serialize)]
struct One<'a> {
    file: &'a str,
    name: &'a str,
    from: Profile,
    to: Profile,
    verdict: Verdict,
    path: Option<&'a str>,
    text: Option<&'a str>,
    /// Files that belong to it, such as one with its prompt.
    beside: &'a [WrittenFile],
    losses: Vec<Note<'a>>,
    changes: Vec<Note<'a>>,
    refusal: Option<Note<'a>>,
}

/// A dialect with a version.
#[derive(Serialize)]
struct Profile {
    dialect: &'static str,
    profile: &'static str,
}

/// Something that is said about a place of the source.
#[derive(Serialize)]
struct Note<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    field: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<Severity>,
    /// Whether the agent goes further there than its author let it.
    #[serde(skip_serializing_if = "Option::is_none")]
    widens: Option<bool>,
    message: &'a str,
    /// The file, if it is another source of the same agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    span: Option<Span>,
    line: Option<u32>,
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl<'a> Converted<'a> {
    pub(crate) fn new(done: &'a [Done]) -> Self {
        Converted {
            conversions: done.iter().map(One::new).collect(),
        }
    }
}

impl<'a> One<'a> {
    fn new(done: &'a Done) -> Self {
        let made = &done.made;
        let first = made.files.first();
        let note = |code: Option<LossCode>,
                    field: Option<&'a str>,
                    span: Option<Span>,
                    message: &'a str| {
            let view = span.and_then(|span| done.view_at(code, span));
            let at = view.zip(span).and_then(|(view, span)| view.position(span));
            let is_other = |view: &FileView<'_>| view.reported != done.reported;
            Note {
                file: view.filter(is_other).map(|view| view.reported),
                code: code.map(LossCode::as_str),
                field,
                severity: None,
                widens: None,
                message,
                span,
                line: at.map(|at| at.line),
                column: at.map(|at| at.column),
                help: None,
            }
        };
        One {
            file: &done.reported,
            name: &made.name,
            from: Profile::new(done.from),
            to: Profile::new(done.to),
            verdict: made.verdict,
            path: first.map(|file| file.path.as_str()),
            text: first.map(|file| file.text.as_str()),
            beside: made.files.get(1..).unwrap_or_default(),
            losses: made
                .losses
                .iter()
                .map(|loss| Note {
                    severity: Some(loss.severity),
                    widens: Some(loss.widens),
                    ..note(Some(loss.code), Some(&loss.field), loss.span, &loss.message)
                })
                .collect(),
            changes: made
                .changes
                .iter()
                .map(|change| note(None, Some(&change.field), change.span, &change.message))
                .collect(),
            refusal: made.refusal.as_ref().map(|refusal| Note {
                code: Some(refusal.code.as_str()),
                help: refusal.help.as_deref(),
                ..note(
                    None,
                    refusal.field.as_deref(),
                    refusal.span,
                    &refusal.message,
                )
            }),
        }
    }
}

impl Profile {
    fn new(reader: Reader) -> Self {
        Profile {
            dialect: reader.dialect.id,
            profile: reader.profile.id,
        }
    }
}
