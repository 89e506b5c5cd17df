//! What becomes of one file.

use std::sync::Arc;

use crate::definition::{Definition, FieldName};
use crate::diagnostic::Diagnostic;
use crate::dialect::SkipRule;

/// What a harness does with a file. Definitions are shared, so that a clone copies none.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub enum Outcome {
    /// It is an agent.
    Loaded(Arc<Definition>),
    /// It is left out with a word somewhere; the diagnostics tell why. What could be read of it
    /// is kept, for near misses.
    Rejected(Arc<Definition>),
    /// It is left out without a word.
    Ignored(SkipRule),
}

/// What becomes of a file, finer than its outcome: the silent middle is what hurts people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Fate {
    /// It loads as it is written.
    Loaded,
    /// It loads because the harness repaired it.
    Repaired,
    /// It loads, but something that its author wrote is lost: a key, a part of a value, or a value
    /// of which nothing is left, as when a list names no tool that there is or is of another type.
    /// What says by itself that it is nothing, such as an empty list or a key without a value, is
    /// not lost.
    Degraded,
    /// It is left out without a word.
    Ignored,
    /// It is left out with a word somewhere.
    Rejected,
    /// The harness refuses to start, hangs, or loses all other agents.
    Fatal,
}

impl Fate {
    /// Returns the word for the fate.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Fate::Loaded => "loaded",
            Fate::Repaired => "repaired",
            Fate::Degraded => "degraded",
            Fate::Ignored => "ignored",
            Fate::Rejected => "rejected",
            Fate::Fatal => "fatal",
        }
    }
}

/// One file, read.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Parsed {
    /// What the harness does with it.
    pub outcome: Outcome,
    /// The same, finer.
    pub fate: Fate,
    /// Fields that were written and are lost.
    pub lost: Vec<FieldName>,
    /// Whether the loss gives the agent more rights than its author wrote.
    pub rights_widened: bool,
    /// What is wrong, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Notes fields that are written and have no effect. Without the list of its tools an agent may
    /// do more than its author wrote.
    pub fn lose(&mut self, fields: &[FieldName]) {
        for field in fields {
            if !self.lost.contains(field) {
                self.lost.push(*field);
            }
        }
        if !fields.is_empty() {
            self.fate = self.fate.max(Fate::Degraded);
            self.rights_widened |= fields.contains(&FieldName::TOOLS);
        }
    }

    /// Makes the result for a file that is passed over before it is read.
    pub fn ignored(rule: SkipRule) -> Self {
        Parsed {
            outcome: Outcome::Ignored(rule),
            fate: Fate::Ignored,
            lost: Vec::new(),
            rights_widened: false,
            diagnostics: Vec::new(),
        }
    }

    /// Lets the definition share the text of the file that it was read from, which is kept anyway:
    /// what it reads as it stands there, such as the prompt, is not held twice. Does nothing to a
    /// definition that somebody else holds too.
    pub fn share(&mut self, file: &Arc<str>) {
        if let Some(definition) = self.own_definition() {
            definition.share(file);
        }
    }

    /// Lets copies of the definition share its long texts: for definitions that are merged, after
    /// [`Parsed::share`].
    pub fn let_copies_share(&mut self) {
        if let Some(definition) = self.own_definition() {
            definition.let_copies_share();
        }
    }

    /// Returns the definition, if nobody else holds it yet.
    fn own_definition(&mut self) -> Option<&mut Definition> {
        match &mut self.outcome {
            Outcome::Loaded(definition) | Outcome::Rejected(definition) => Arc::get_mut(definition),
            Outcome::Ignored(_) => None,
        }
    }

    /// Returns whether the harness itself says anything about the file, if only in a log.
    #[must_use]
    pub fn harness_warns(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.harness_says)
    }
}

impl Outcome {
    /// Returns the definition of a file that loads.
    #[must_use]
    pub fn definition(&self) -> Option<&Definition> {
        match self {
            Outcome::Loaded(definition) => Some(definition),
            _ => None,
        }
    }

    /// Returns what could be read of the definition, whether it loads or not.
    #[must_use]
    pub fn into_read(self) -> Option<Arc<Definition>> {
        match self {
            Outcome::Loaded(definition) | Outcome::Rejected(definition) => Some(definition),
            Outcome::Ignored(_) => None,
        }
    }

    /// Returns the word for the outcome, as in the JSON contract.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Outcome::Loaded(_) => "loaded",
            Outcome::Rejected(_) => "rejected",
            Outcome::Ignored(_) => "ignored",
        }
    }
}
