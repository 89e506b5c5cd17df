//! What is wrong, where, why, and how to mend it: data that the edges render.

use std::borrow::Cow;
use std::fmt;

use crate::definition::FieldName;
use crate::json::JsonError;
use crate::rules::{self, Rule};
use crate::seldom::Seldom;
use crate::source::Span;
use crate::yaml::{YamlError, YamlErrorKind};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Worth knowing; the definition means what it says.
    #[default]
    Info,
    /// The definition loads, but not as its author probably meant it.
    Warning,
    /// The definition does not load, or cannot be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One finding about one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// How much it matters; the rule's own severity unless the harness treats this case otherwise.
    pub severity: Severity,
    /// What is wrong, in one line: lower case, no full stop, literals in backticks.
    pub message: Cow<'static, str>,
    /// The bytes that are meant; unset when the file as a whole is meant.
    pub span: Option<Span>,
    /// Why it is so: the harness and its rule.
    pub why: Option<Cow<'static, str>>,
    /// What to do.
    pub help: Option<Cow<'static, str>>,
    /// Further places that belong to the finding.
    pub related: Seldom<Related>,
    /// A change that mends it.
    pub fix: Option<Box<Fix>>,
    /// The keys that lead to the setting that is meant, outermost first; empty if none is.
    pub setting: Seldom<String>,
    /// Whether the harness itself says anything about it, if only in a log.
    pub harness_says: bool,
    /// The field that it is about, if it is about one.
    pub field: Option<FieldName>,
    /// How many findings it stands for: itself, or those that are only counted.
    pub stands_for: usize,
}

/// A second place of a finding.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Related {
    /// The file, if it is another one than the finding's.
    pub file: Option<String>,
    /// The bytes, if the place is smaller than the file.
    pub span: Option<Span>,
    /// What is there.
    pub message: String,
}

/// A change to the file that mends a finding.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fix {
    /// What the change does, as a command: `put the value in quotes`.
    pub title: String,
    /// Whether it may be made without asking.
    pub applicability: Applicability,
    /// The edits, in order and without overlap.
    pub edits: Vec<Edit>,
}

/// Whether a fix may be made without asking; what is surer stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Applicability {
    /// Afterwards the harness's own rules load the file with the meaning that its author wrote.
    Safe,
    /// Probably right; a person should look.
    Unsafe,
    /// An example that must be completed by hand.
    ShowOnly,
}

/// A replacement of some bytes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Edit {
    /// The bytes to replace.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Diagnostic {
    /// Makes a finding of a rule, without a place yet.
    #[must_use]
    pub fn new(rule: &'static Rule, message: impl Into<Cow<'static, str>>) -> Self {
        Diagnostic {
            rule,
            severity: rule.severity,
            message: message.into(),
            span: None,
            why: None,
            help: None,
            related: Seldom::new(),
            fix: None,
            setting: Seldom::new(),
            harness_says: false,
            field: None,
            stands_for: 1,
        }
    }

    /// Makes the finding that stands for further ones of a rule, which are not told one by one.
    #[must_use]
    pub fn more(rule: &'static Rule, number: usize) -> Self {
        let are = if number == 1 { "is" } else { "are" };
        Diagnostic {
            stands_for: number,
            ..Diagnostic::new(rule, format!("there {are} {number} more of these"))
        }
    }

    /// Sets the field that it is about.
    #[must_use]
    pub fn about(mut self, field: FieldName) -> Self {
        self.field = Some(field);
        self
    }

    /// Notes that the harness itself says something about it.
    #[must_use]
    pub fn said_by_harness(mut self) -> Self {
        self.harness_says = true;
        self
    }

    /// Sets the keys that lead to the setting that is meant.
    #[must_use]
    pub fn in_setting<'k>(mut self, keys: impl IntoIterator<Item = &'k str>) -> Self {
        self.setting = keys.into_iter().map(str::to_owned).collect();
        self
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Sets the reason.
    #[must_use]
    pub fn because(mut self, why: impl Into<Cow<'static, str>>) -> Self {
        self.why = Some(why.into());
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a second place in the same file.
    #[must_use]
    pub fn and_at(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related {
            file: None,
            span: Some(span),
            message: message.into(),
        });
        self
    }

    /// Adds another file.
    #[must_use]
    pub fn and_file(mut self, file: impl Into<String>, message: impl Into<String>) -> Self {
        self.related.push(Related {
            file: Some(file.into()),
            span: None,
            message: message.into(),
        });
        self
    }

    /// Adds a place in another file; without a span the file as a whole.
    #[must_use]
    pub fn and_in(
        mut self,
        file: impl Into<String>,
        span: Option<Span>,
        message: impl Into<String>,
    ) -> Self {
        self.related.push(Related {
            file: Some(file.into()),
            span,
            message: message.into(),
        });
        self
    }

    /// Returns the stable code of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.rule.code
    }
}

impl From<YamlError> for Diagnostic {
    fn from(error: YamlError) -> Self {
        let rule = match error.kind {
            YamlErrorKind::LimitExceeded => &rules::LIMIT_EXCEEDED,
            YamlErrorKind::Value
            | YamlErrorKind::Tag
            | YamlErrorKind::Key
            | YamlErrorKind::DuplicateKey
            | YamlErrorKind::Merge => &rules::YAML_VALUE,
            _ => &rules::YAML_SYNTAX,
        };
        let mut finding = Diagnostic::new(rule, error.message).at(error.span);
        finding.help = error.hint.map(Cow::from);
        match error.related {
            Some((span, message)) => finding.and_at(span, message),
            None => finding,
        }
    }
}

impl From<JsonError> for Diagnostic {
    fn from(error: JsonError) -> Self {
        let rule = match error.limit {
            true => &rules::LIMIT_EXCEEDED,
            false => &rules::JSON_SYNTAX,
        };
        Diagnostic::new(rule, error.message).at(error.span)
    }
}
