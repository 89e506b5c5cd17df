//! One item of a searched folder, and what became of it.

use std::path::PathBuf;
use std::sync::Arc;

use agent_schema::dialect::{SkipRule, Turn};
use agent_schema::{Definition, Diagnostic, Fate, FieldName, Level, Outcome, Parsed, Span};

use crate::file_tree::{FileId, Item};
use crate::merge::{Layer, Merged};
use crate::precedence::Deciding;

/// One item of a searched folder, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it lies.
    pub source: Source,
    /// Its name in the folder; bytes that are not UTF-8 are shown as U+FFFD.
    pub file_name: String,
    /// What was read of it; unset for what is ignored or could not be read.
    ///
    /// Its diagnostics are in [`Entry::diagnostics`], not here.
    pub parsed: Option<Parsed>,
    /// What is wrong with it: what reading found, then what the search found.
    pub diagnostics: Vec<Diagnostic>,
    /// What became of it.
    pub state: State,
    /// Its bytes as read, for excerpts.
    pub bytes: Option<Arc<[u8]>>,
    /// The key under which it stands, if its file holds several.
    pub(crate) key: Option<Span>,
    /// Whether the harness ends at it, or loses everything else with it, although nothing was read.
    pub stops: bool,
    /// What the tree knows its file by, if it told so when the file was read.
    pub(crate) identity: Option<FileId>,
    /// When it is merged, where entries are merged.
    pub turn: Turn,
    /// The agent that it makes together with weaker entries, where entries are merged.
    pub merged: Option<Box<Merged>>,
}

/// Where an entry comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The level.
    pub level: Level,
    /// The file; unset for what a program registers, or what stands in a variable.
    pub path: Option<PathBuf>,
    /// The keys that lead to it inside the file, if the file holds other things too.
    pub inside: Option<String>,
    /// Which of the searched places holds it.
    pub place: Option<usize>,
    /// Its number in the order in which the harness comes across it.
    pub scan_index: u32,
    /// The path as the harness reports it, with `/`.
    pub reported: String,
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// It answers to its name.
    Active,
    /// It lost its name to another entry.
    Shadowed {
        /// The winner's place among the entries.
        by: usize,
        /// What decided.
        rule: Deciding,
    },
    /// It or another entry of the same name and place is the active one: the harness leaves
    /// open which.
    Undefined {
        /// The first of these entries; it stands for all of them.
        first: usize,
    },
    /// It gives fields to another entry, which stands for the agent.
    Merged {
        /// That entry.
        into: usize,
    },
    /// It is the same file as another entry, which counts instead.
    SameFile {
        /// The other entry.
        first: usize,
    },
    /// It lies in a project that the user does not trust, and waits for that.
    HeldBack,
    /// A setting switches it off, and with it everything that lost its name to it.
    SwitchedOff,
    /// The harness could not use it; the diagnostics tell why.
    Rejected,
    /// The harness passed it over without a word.
    Ignored(SkipRule),
}

impl Entry {
    /// Makes an entry of which nothing is read yet.
    pub(crate) fn unread(item: &Item, source: Source) -> Self {
        Entry::named(item.name.to_string_lossy().into_owned(), source)
    }

    /// Makes an entry of a file with this name, of which nothing is read yet.
    pub(crate) fn named(file_name: String, source: Source) -> Self {
        Entry {
            source,
            file_name,
            parsed: None,
            diagnostics: Vec::new(),
            state: State::Rejected,
            bytes: None,
            key: None,
            stops: false,
            identity: None,
            turn: Turn::InOrder,
            merged: None,
        }
    }

    /// Returns what becomes of it as a file.
    #[must_use]
    pub fn fate(&self) -> Option<Fate> {
        let read = self.parsed.as_ref().map(|parsed| parsed.fate);
        read.or(self.stops.then_some(Fate::Fatal))
    }

    /// Returns the definition of an entry that loads, whether it is active or shadowed; of the
    /// strongest one of several that are merged, what they make together.
    #[must_use]
    pub fn definition(&self) -> Option<&Definition> {
        self.shared_definition().map(Arc::as_ref)
    }

    /// Returns the same, to be held by others too.
    pub(crate) fn shared_definition(&self) -> Option<&Arc<Definition>> {
        if let Some(merged) = &self.merged {
            return Some(&merged.definition);
        }
        match &self.parsed.as_ref()?.outcome {
            Outcome::Loaded(definition) => Some(definition),
            _ => None,
        }
    }

    /// Returns the entry, by its number, that gives a field of a merged agent; `None` where
    /// nothing is merged, or the harness itself gives it.
    #[must_use]
    pub fn giver(&self, field: FieldName) -> Option<usize> {
        let merged = self.merged.as_ref()?;
        match merged.layers.get(merged.given_by.of(field)?)? {
            Layer::Entry(index) => Some(*index),
            Layer::Builtin => None,
        }
    }

    /// Returns what could be read of the definition, also of a rejected entry.
    #[must_use]
    pub fn partial_definition(&self) -> Option<&Definition> {
        match &self.parsed.as_ref()?.outcome {
            Outcome::Loaded(definition) | Outcome::Rejected(definition) => Some(definition),
            Outcome::Ignored(_) => None,
        }
    }

    /// Returns the place of its name: the key of an entry that has one, else what is written in the
    /// file, or the place that stands for the whole file if no name is; nothing if the file was not
    /// read.
    #[must_use]
    pub fn name_place(&self) -> Option<Span> {
        let own = self.parsed.as_ref().and_then(|it| it.outcome.definition());
        let written = own.and_then(|definition| definition.place(FieldName::NAME));
        let written = self.key.or(written.map(|place| place.value));
        written.or_else(|| self.head())
    }

    /// Returns the place that stands for all of it.
    fn head(&self) -> Option<Span> {
        let head = || self.bytes.as_deref().map(Span::head_of);
        self.key.or_else(head)
    }

    /// Takes over what reading found, in as much memory as it needs.
    pub(crate) fn note_all(&mut self, mut findings: Vec<Diagnostic>) {
        if self.diagnostics.is_empty() {
            findings.shrink_to_fit();
            self.diagnostics = findings;
        } else {
            self.diagnostics.append(&mut findings);
        }
    }

    /// Gives a place to what is said of the file as a whole.
    pub(crate) fn place_findings(&mut self) {
        let Some(head) = self.head() else { return };
        for finding in &mut self.diagnostics {
            finding.span.get_or_insert(head);
        }
    }

    /// Returns the name of an entry that loads.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.definition().map(Definition::name)
    }
}
