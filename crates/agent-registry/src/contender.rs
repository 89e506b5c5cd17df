//! A definition that was offered for a name, and the verdict on it.

use std::sync::Arc;

use agent_discovery::{Deciding, Entry, Merged, Source, State};
use agent_schema::dialect::{Rules, SkipRule};
use agent_schema::parse::written_name;
use agent_schema::{Definition, Diagnostic, Fate, FieldName, Level, Span, rules};

/// The number of a contender, in the order in which they were offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContenderId(pub(crate) usize);

/// Something that was offered as an agent: a definition, or a file that is none after all.
#[derive(Debug, Clone, PartialEq)]
pub struct Contender {
    /// The name that it was offered for. Of a file that does not load the name that it would
    /// have had, as far as that can be told.
    pub name: String,
    /// The definition; of a file that does not load what could be read of it.
    pub definition: Option<Arc<Definition>>,
    /// Where it comes from.
    pub source: Source,
    /// The name of its file, if it has one.
    pub file_name: Option<String>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// Its bytes as read, for excerpts.
    pub bytes: Option<Arc<[u8]>>,
    /// What was decided.
    pub verdict: Verdict,
    /// What became of its file; a definition that a program brings is as it was written.
    pub fate: Fate,
    /// Fields that its file writes and that are lost.
    pub lost: Vec<FieldName>,
    /// Whether the loss gives it more rights than its author wrote.
    pub rights_widened: bool,
    /// The sources that it is made of, and which of them gives each field, where the harness
    /// merges them; their numbers are those of contenders.
    pub merged: Option<Arc<Merged>>,
}

impl Contender {
    /// Returns the fields that have no effect until the project is trusted.
    #[must_use]
    pub fn held_back_fields(&self) -> Vec<FieldName> {
        let findings = self.diagnostics.iter();
        let held_back = findings.filter(|finding| finding.rule == &rules::HELD_BACK);
        held_back.filter_map(|finding| finding.field).collect()
    }
}

/// What was decided about a contender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It answers to its name.
    Active,
    /// Another one has the name.
    Shadowed {
        /// The one that has it.
        by: ContenderId,
        /// What decided.
        rule: Decision,
    },
    /// It or another one answers to its name: the harness leaves open which.
    Undefined {
        /// The first of them; it stands for all of them.
        first: ContenderId,
    },
    /// It gives fields to another one, which stands for the agent.
    Merged {
        /// That other one.
        into: ContenderId,
    },
    /// It is the same file as another contender, which counts instead.
    SameFile {
        /// The other one.
        first: ContenderId,
    },
    /// Its file does not load; the diagnostics tell why.
    Rejected,
    /// It loads, but no agent can be made of it; the diagnostics tell why.
    Refused,
    /// Registration ended before it, because of another one.
    NotReached {
        /// The one that ended it.
        because_of: ContenderId,
    },
    /// It waits until the user trusts the project.
    HeldBack,
    /// A setting switches it off.
    SwitchedOff,
    /// The harness passes it over without a word.
    Ignored(SkipRule),
}

/// What decided between two contenders for one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The other one was registered first.
    FirstRegistration,
    /// The search already decided.
    Search(Deciding),
}

impl Decision {
    /// Returns the stable code of the rule.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Decision::FirstRegistration => "first-registration",
            Decision::Search(deciding) => deciding.code(),
        }
    }
}

impl Verdict {
    /// Returns what a search decided whose first entry has this number.
    fn of_search(state: State, first: usize) -> Self {
        let id = |index: usize| ContenderId(first + index);
        match state {
            State::Shadowed { by, rule } => Verdict::Shadowed {
                by: id(by),
                rule: Decision::Search(rule),
            },
            State::Undefined { first } => Verdict::Undefined { first: id(first) },
            State::Merged { into } => Verdict::Merged { into: id(into) },
            State::SameFile { first } => Verdict::SameFile { first: id(first) },
            State::Ignored(rule) => Verdict::Ignored(rule),
            State::Rejected => Verdict::Rejected,
            State::HeldBack => Verdict::HeldBack,
            State::SwitchedOff => Verdict::SwitchedOff,
            _ => Verdict::Active,
        }
    }
}

impl Contender {
    /// Makes a contender that a program offers.
    pub(crate) fn programmatic(name: &str, definition: Definition, index: usize) -> Self {
        Contender {
            name: name.to_owned(),
            definition: Some(Arc::new(definition)),
            source: Source {
                level: Level::Programmatic,
                path: None,
                inside: None,
                place: None,
                scan_index: u32::try_from(index).unwrap_or(u32::MAX),
                reported: String::new(),
            },
            file_name: None,
            diagnostics: Vec::new(),
            bytes: None,
            verdict: Verdict::Active,
            fate: Fate::Loaded,
            lost: Vec::new(),
            rights_widened: false,
            merged: None,
        }
    }

    /// Makes a contender of what a search found; its verdict is the search's. `first` is the number
    /// of the search's first entry.
    pub(crate) fn found(entry: Entry, rules: &Rules, first: usize) -> Self {
        let verdict = Verdict::of_search(entry.state, first);
        let is_ignored = matches!(entry.state, State::Ignored(_));
        let fate = entry.fate().unwrap_or(match is_ignored {
            true => Fate::Ignored,
            false => Fate::Rejected,
        });
        let (lost, rights_widened) = match &entry.parsed {
            Some(parsed) => (parsed.lost.clone(), parsed.rights_widened),
            None => (Vec::new(), false),
        };
        let merged = entry
            .merged
            .map(|merged| Arc::new(merged.renumbered(first)));
        let read = entry.parsed.and_then(|parsed| parsed.outcome.into_read());
        let definition: Option<Arc<Definition>> = match &merged {
            Some(merged) => Some(Arc::clone(&merged.definition)),
            None => read,
        };
        let inside = entry.source.inside.as_deref();
        let name = match &definition {
            Some(definition) => definition.name(),
            None => inside
                .and_then(last_key)
                .or_else(|| name_by_file(&entry.file_name, rules))
                .unwrap_or_default(),
        };
        let name = match (name, entry.bytes.as_deref()) {
            // The harness has no use for the name, but a person knows the file by it.
            ("", Some(bytes)) if inside.is_none() && verdict == Verdict::Rejected => {
                written_name(bytes, &rules.reading).map_or_else(String::new, |name| name.text)
            }
            (name, _) => name.to_owned(),
        };
        Contender {
            name,
            definition,
            source: entry.source,
            file_name: Some(entry.file_name),
            diagnostics: entry.diagnostics,
            bytes: entry.bytes,
            verdict,
            fate,
            lost,
            rights_widened,
            merged,
        }
    }

    /// Returns whether the contender could answer to its name if nobody else had it.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::Active
                | Verdict::Shadowed { .. }
                | Verdict::Undefined { .. }
                | Verdict::Merged { .. }
                | Verdict::Refused
                | Verdict::NotReached { .. }
        )
    }

    /// Returns where its name is written, or else the beginning of its file.
    pub(crate) fn name_place(&self) -> Option<Span> {
        let written = self.definition.as_ref()?.place(FieldName::NAME);
        let head = || self.bytes.as_deref().map(Span::head_of);
        written.map(|place| place.value).or_else(head)
    }

    /// Returns where it comes from, in words.
    #[must_use]
    pub fn place(&self) -> String {
        match (&self.source.path, self.source.level) {
            (None, Level::Programmatic) => "registered by a program".to_owned(),
            (None, level) => format!(
                "{level}:{}",
                self.file_name.as_deref().unwrap_or(&self.name)
            ),
            (Some(_), _) => self.source.reported.clone(),
        }
    }
}

/// The name that a file would have by what it is called; nothing for a file that holds settings or
/// many agents.
pub(crate) fn name_by_file<'a>(file_name: &'a str, rules: &Rules) -> Option<&'a str> {
    let files = &rules.agents.files;
    let is_roster = rules
        .roster
        .as_ref()
        .is_some_and(|roster| roster.file == file_name);
    (files.accept(file_name) != Err(SkipRule::Suffix) && !is_roster).then(|| files.stem(file_name))
}

/// The key of an agent among the keys that lead to it inside a file.
pub(crate) fn last_key(inside: &str) -> Option<&str> {
    inside.split_once('.').map(|(_, key)| key)
}
