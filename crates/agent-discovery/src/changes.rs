//! What is different between two looks at the same agents, by what it means for them.

use agent_schema::dialect::SkipRule;
use agent_schema::{Definition, FieldName, Level};

use crate::discover::Discovery;
use crate::entry::{Entry, Source, State};
use crate::precedence::Deciding;
use crate::spots;

/// What became of an agent or a skill at its place, between two looks. One that has another name
/// now is gone under the old name and new under the other one.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The name; that of the file where nothing names what is in it.
    pub name: String,
    /// Where it stands, or stood.
    pub source: Source,
    /// What it was; unset for one that is new.
    pub before: Option<Standing>,
    /// What it is; unset for one that is gone.
    pub now: Option<Standing>,
    /// The fields that say something else than before, of one that loads now as then.
    pub fields: Vec<FieldName>,
}

/// What became of an entry or a skill, in terms that do not depend on what else was found: where a
/// [`State`] or [`SkillState`](crate::SkillState) has the number of another one, this has the path
/// of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// It answers to its name.
    Active,
    /// It lost its name.
    Shadowed {
        /// To this one.
        by: String,
        /// What decided; unset for skills.
        rule: Option<Deciding>,
    },
    /// It or another one is the active one: the harness leaves open which.
    Undefined,
    /// It gives fields to another one, which stands for the agent.
    Merged {
        /// That one.
        into: String,
    },
    /// It is the same file as another one, which counts instead.
    SameFile {
        /// The other one.
        first: String,
    },
    /// It waits until the project is trusted.
    HeldBack,
    /// A setting switches it off.
    SwitchedOff,
    /// The harness could not use it.
    Rejected,
    /// The harness passed it over without a word, by this rule; unset for skills.
    Ignored(Option<SkipRule>),
}

impl Standing {
    /// Returns the stable code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Standing::Active => "active",
            Standing::Shadowed { .. } => "shadowed",
            Standing::Undefined => "undefined",
            Standing::Merged { .. } => "merged",
            Standing::SameFile { .. } => "same-file",
            Standing::HeldBack => "held-back",
            Standing::SwitchedOff => "switched-off",
            Standing::Rejected => "rejected",
            Standing::Ignored(_) => "ignored",
        }
    }

    /// Returns the path of the other entry that it speaks of.
    #[must_use]
    pub fn other(&self) -> Option<&str> {
        match self {
            Standing::Shadowed { by: other, .. }
            | Standing::Merged { into: other }
            | Standing::SameFile { first: other } => Some(other),
            _ => None,
        }
    }
}

/// Lists everything that was found, as new.
#[must_use]
pub fn all_new(found: &Discovery) -> Vec<Change> {
    let nothing = Discovery::empty(found.dialect, found.profile, found.search);
    changes(&nothing, found)
}

/// Lists what is different between two discoveries of the same search: first what is there now,
/// in the order in which it was found, then what is gone. That an agent only stands on other lines
/// than before is no difference.
#[must_use]
pub fn changes(before: &Discovery, now: &Discovery) -> Vec<Change> {
    let paired = spots::pair(spots(before), spots(now));
    let mut changes = Vec::new();
    for (entry, earlier) in now.entries.iter().zip(paired.earlier) {
        let new = Look { entry, among: now };
        match earlier {
            Some(index) => compare(Look::at(before, index), new, &mut changes),
            None => changes.extend(new.appeared()),
        }
    }
    let gone = paired.gone.into_iter();
    changes.extend(gone.filter_map(|index| Look::at(before, index).vanished()));
    changes
}

/// What makes two entries of different looks the same one: the path, what leads to it inside the
/// file, and the level.
fn spots(found: &Discovery) -> impl Iterator<Item = (&str, Option<&str>, Level)> {
    let sources = found.entries.iter().map(|entry| &entry.source);
    sources.map(|it| (it.reported.as_str(), it.inside.as_deref(), it.level))
}

/// An entry among all that were found with it.
#[derive(Clone, Copy)]
struct Look<'a> {
    entry: &'a Entry,
    among: &'a Discovery,
}

impl<'a> Look<'a> {
    fn at(among: &'a Discovery, index: usize) -> Self {
        Look {
            entry: &among.entries[index],
            among,
        }
    }

    /// Returns the name of the agent that the entry is; of one that does not load, the name that
    /// is written in it.
    fn name(self) -> Option<&'a str> {
        let loaded = self.entry.definition();
        let partial = self.entry.partial_definition();
        let partial = partial.filter(|it| it.place(FieldName::NAME).is_some());
        named(loaded.or(partial))
    }

    fn definition(self) -> Option<&'a Definition> {
        let loaded = self.entry.definition();
        loaded.or_else(|| self.entry.partial_definition())
    }

    /// Returns whether the entry has anything to do with agents.
    fn counts(self) -> bool {
        self.name().is_some() || !matches!(self.entry.state, State::Ignored(_))
    }

    fn standing(self) -> Standing {
        let place_of = |index: usize| {
            let other = self.among.entries.get(index);
            other.map(|other| place(&other.source)).unwrap_or_default()
        };
        match self.entry.state {
            State::Active => Standing::Active,
            State::Shadowed { by, rule } => Standing::Shadowed {
                by: place_of(by),
                rule: Some(rule),
            },
            State::Undefined { .. } => Standing::Undefined,
            State::Merged { into } => Standing::Merged {
                into: place_of(into),
            },
            State::SameFile { first } => Standing::SameFile {
                first: place_of(first),
            },
            State::HeldBack => Standing::HeldBack,
            State::SwitchedOff => Standing::SwitchedOff,
            State::Rejected => Standing::Rejected,
            State::Ignored(rule) => Standing::Ignored(Some(rule)),
        }
    }

    fn change(self, name: &str) -> Change {
        Change {
            name: name.to_owned(),
            source: self.entry.source.clone(),
            before: None,
            now: None,
            fields: Vec::new(),
        }
    }

    /// Returns the name, if need be the one that the file gives.
    fn own_name(self) -> &'a str {
        named(self.definition()).unwrap_or(&self.entry.file_name)
    }

    fn appeared(self) -> Option<Change> {
        self.counts().then(|| Change {
            now: Some(self.standing()),
            ..self.change(self.own_name())
        })
    }

    fn vanished(self) -> Option<Change> {
        self.counts().then(|| Change {
            before: Some(self.standing()),
            ..self.change(self.own_name())
        })
    }
}

fn named(definition: Option<&Definition>) -> Option<&str> {
    let name = definition.map(Definition::name);
    name.filter(|name| !name.is_empty())
}

/// Compares an entry with what it was before.
fn compare(before: Look<'_>, now: Look<'_>, changes: &mut Vec<Change>) {
    let (old_name, new_name) = (before.name(), now.name());
    if old_name.is_some() && new_name.is_some() && old_name != new_name {
        changes.extend(before.vanished());
        changes.extend(now.appeared());
        return;
    }
    if !before.counts() && !now.counts() {
        return;
    }
    let fields = match (before.entry.definition(), now.entry.definition()) {
        (Some(before), Some(now)) => now.differing_fields(before),
        _ => Vec::new(),
    };
    let (was, is) = (before.standing(), now.standing());
    if was != is || !fields.is_empty() {
        let name = new_name.or(old_name).unwrap_or(now.own_name());
        changes.push(Change {
            before: Some(was),
            now: Some(is),
            fields,
            ..now.change(name)
        });
    }
}

/// Returns the path of an entry, with the keys that lead to it inside the file.
fn place(source: &Source) -> String {
    match &source.inside {
        Some(inside) => format!("{}#{inside}", source.reported),
        None => source.reported.clone(),
    }
}
