//! Turning header values into field values, by the habits of each family of harnesses.
//!
//! A coercion is a function from a node to a field value, or to nothing, or to a [`Problem`].
//! Dialects put them into their field tables; those that only one dialect needs stand in that
//! dialect's file.

pub mod java;
pub mod javascript;
pub mod object;
mod places;
pub mod pydantic;
pub mod python;

pub use places::Places;

use std::borrow::Cow;

use crate::definition::{FieldValue, Name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::inputs::ParseInputs;
use crate::rules::{self, Rule};
use crate::source::Span;
use crate::value::{Node, Value};

/// What a coercion gives: a value, nothing (the field stays unset), or a problem.
pub type Coerced = Result<Option<FieldValue>, Problem>;

/// A value that a harness does not take.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What the harness does about it.
    pub effect: Effect,
    /// What is wrong with the value, to follow the name of its key: `must be greater than 0`.
    pub complaint: String,
    /// The bytes that are wrong.
    pub span: Span,
    /// The way from the field to the setting inside it that is wrong; empty for the field itself.
    pub within: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// Whether the harness says so, if only in a log.
    pub harness_says: bool,
    /// The rule of the finding, if it is a more special one than that of the effect.
    pub rule: Option<&'static Rule>,
    /// Whether the key is what is wrong, whatever its value.
    pub is_of_key: bool,
}

/// What a harness does about a value that it does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The harness fails, and everything else that it would load is lost with the file.
    Fatal,
    /// The file is refused.
    RejectsFile,
    /// The field stays unset.
    LeavesUnset,
}

impl Problem {
    /// Says that the key is what is wrong, whatever its value.
    #[must_use]
    pub fn of_key(mut self) -> Self {
        self.is_of_key = true;
        self
    }

    /// Makes a problem that loses the file.
    #[must_use]
    pub fn rejects(span: Span, complaint: impl Into<String>) -> Self {
        Problem {
            effect: Effect::RejectsFile,
            complaint: complaint.into(),
            span,
            within: Vec::new(),
            help: None,
            harness_says: false,
            rule: None,
            is_of_key: false,
        }
    }

    /// Makes a problem that loses the field.
    #[must_use]
    pub fn leaves_unset(span: Span, complaint: impl Into<String>) -> Self {
        Problem {
            effect: Effect::LeavesUnset,
            ..Problem::rejects(span, complaint)
        }
    }

    /// Makes a problem that ends the harness's whole search.
    #[must_use]
    pub fn fatal(span: Span, complaint: impl Into<String>) -> Self {
        Problem {
            effect: Effect::Fatal,
            ..Problem::rejects(span, complaint)
        }
    }

    /// Notes that the harness itself says something about it.
    #[must_use]
    pub fn said_by_harness(mut self) -> Self {
        self.harness_says = true;
        self
    }

    /// Sets a more special rule than that of the effect.
    #[must_use]
    pub fn rule(mut self, rule: &'static Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Says that the wrong setting stands under a key inside the field.
    #[must_use]
    pub fn within(mut self, key: impl Into<String>) -> Self {
        self.within.insert(0, key.into());
        self
    }

    /// Sets what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Findings of a coercion that do not stop it, and what it may ask about the file.
#[derive(Debug, Default)]
pub struct Remarks<'a> {
    /// The findings, in the order in which they were made.
    pub list: Vec<Diagnostic>,
    /// Whether the value is kept although part of what it says is lost.
    pub loses_part: bool,
    /// Whether the agent may do more than its author wrote, because that part is lost.
    pub frees: bool,
    /// Problems beside the one that the coercion returns.
    pub further: Vec<Problem>,
    inputs: Option<&'a ParseInputs>,
    bytes: Option<&'a [u8]>,
}

impl<'a> Remarks<'a> {
    /// Makes an empty list for a file that is read with some inputs.
    #[must_use]
    pub fn new(inputs: &'a ParseInputs) -> Self {
        Remarks {
            list: Vec::new(),
            loses_part: false,
            frees: false,
            further: Vec::new(),
            inputs: Some(inputs),
            bytes: None,
        }
    }

    /// Tells the bytes of the file, so that the parts of a value can be found in it.
    #[must_use]
    pub fn in_file(mut self, bytes: &'a [u8]) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Returns what stands in the file at the place of a value.
    #[must_use]
    pub fn written(&self, span: Span) -> Option<&'a str> {
        let bytes = self.bytes?.get(span.start as usize..span.end as usize)?;
        std::str::from_utf8(bytes).ok()
    }

    /// Notes a number that does not look like what it is read as: `1:30`, `010`, `true`.
    pub fn changes_number(&mut self, node: &Node, read: &str, why: &'static str) {
        let Some(written) = self.written(node.span).map(str::trim) else {
            return;
        };
        let is_plain = |c: char| c.is_ascii_digit() || matches!(c, '+' | '_' | '.' | 'e' | 'E');
        let is_octal = written.len() > 1 && written.starts_with('0') && !written.contains('.');
        if node.as_text().is_some() || written.chars().all(is_plain) && !is_octal {
            return;
        }
        self.list.push(
            Diagnostic::new(
                &rules::CHANGED_NUMBER,
                format!("`{}` is read as {read}", shorten(written)),
            )
            .at(node.span)
            .because(why)
            .help("write the number with decimal digits"),
        );
    }

    /// Returns what is known about the file beside its bytes; nothing for a value that is read
    /// on its own.
    #[must_use]
    pub fn inputs(&self) -> Option<&'a ParseInputs> {
        self.inputs
    }

    /// Notes that a value which is no text is read as one.
    pub fn becomes_text(&mut self, key: &str, node: &Node, text: &str) {
        let written = match node.get() {
            Value::Null => "nothing".to_owned(),
            _ => pydantic::article(node),
        };
        let mut finding = Diagnostic::new(
            &rules::VALUE_BECOMES_TEXT,
            format!(
                "`{key}` holds {written} and is read as the text `{}`",
                shorten(text)
            ),
        )
        .at(node.span)
        .help(match node.is_null() {
            true => "write a value, or remove the key",
            false => "put the value in quotes if you mean a text",
        });
        let place = node.span.start as usize..node.span.end as usize;
        let bytes = self.bytes.and_then(|bytes| bytes.get(place));
        // What is written is what is read.
        if bytes == Some(text.as_bytes()) && !node.is_null() {
            finding.severity = Severity::Info;
        }
        self.list.push(finding);
    }

    /// Notes that a setting inside a value has no effect, and so is lost.
    pub fn dropped(&mut self, span: Span, message: impl Into<Cow<'static, str>>) {
        self.lost(Diagnostic::new(&rules::DROPPED_SETTING, message).at(span));
    }

    /// Notes that a part of a value is lost.
    pub fn lost(&mut self, finding: Diagnostic) {
        self.loses_part = true;
        self.list.push(finding);
    }

    /// Notes names that look like several ones, where only commas part them.
    pub fn joined(&mut self, key: &str, names: &[Name]) {
        self.note_joined(key, names, &format!("write a list: `{key}: [one, two]`"));
    }

    /// Notes names in an item of a list that look like several ones.
    pub fn joined_in_item(&mut self, key: &str, names: &[Name]) {
        self.note_joined(key, names, "write each name as an item of its own");
    }

    fn note_joined(&mut self, key: &str, names: &[Name], help: &str) {
        // What stands in parentheses is a rule, and may hold anything; remarks are told as such.
        let parts = |name: &Name| name.text.contains(|c: char| c.is_whitespace() || c == ';');
        let is_joined = |name: &&Name| parts(name) && !name.text.contains(['(', ')', '#']);
        for name in names.iter().filter(is_joined) {
            let Some(span) = name.span else { continue };
            self.loses_part = true;
            let message = format!("`{key}` holds one name, `{}`", shorten(&name.text));
            self.list.push(
                Diagnostic::new(&rules::LIST_IN_ONE_NAME, message)
                    .at(span)
                    .because("names are split at commas, not at blanks, semicolons or line ends")
                    .help(help.to_owned()),
            );
        }
    }
}

/// Returns a text for a message, cut to a readable length.
#[must_use]
pub fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    let flat = text.replace('\n', " ");
    match flat.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &flat[..end]),
        None => flat,
    }
}

/// Splits a text of a node at commas into names that know their own bytes; blank ones are left
/// out.
#[must_use]
pub fn split_at_commas(
    node: &Node,
    text: &str,
    trim: fn(&str) -> &str,
    remarks: &Remarks<'_>,
) -> Vec<Name> {
    let mut places = Places::of(node, remarks);
    let names = text.split(',').map(trim).filter(|name| !name.is_empty());
    let names = names.map(|name| Name {
        text: name.to_owned(),
        span: Some(places.next(name)),
    });
    names.collect()
}

/// Makes a list of names from the texts of nodes.
#[must_use]
pub fn names(texts: impl IntoIterator<Item = (String, Span)>) -> FieldValue {
    FieldValue::Names(
        texts
            .into_iter()
            .map(|(text, span)| Name {
                text,
                span: Some(span),
            })
            .collect(),
    )
}
