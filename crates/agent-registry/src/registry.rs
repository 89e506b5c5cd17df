//! The closed registry: who answers to which name.

use std::collections::{HashMap, HashSet};

use agent_discovery::{Layer, Searched, Stop};
use agent_schema::dialect::{RosterRules, SkipRule};
use agent_schema::suggest::nearest;
use agent_schema::value::Node;
use agent_schema::{Definition, Dialect, FieldName, Level, Profile, Span, ToolAccess};

use crate::contender::{Contender, ContenderId, Verdict};
use crate::holders::Holders;
use crate::registration::Registration;

/// How many of those that may have one name are named together with the first of them. All of them are
/// in [`Registry::undefined`].
pub const MOST_STANDING: usize = 8;

/// All contenders, each with its verdict. Never changes, so it can be shared between threads.
#[derive(Debug, Clone)]
pub struct Registry {
    dialect: &'static Dialect,
    profile: &'static Profile,
    contenders: Vec<Contender>,
    pub(crate) holders: Holders,
    /// Those that may have a name which the harness leaves open, by the first of them.
    open: HashMap<ContenderId, Vec<ContenderId>>,
    places: Vec<Searched>,
    stop: Option<Stop>,
    pub(crate) listed: Vec<ContenderId>,
    pub(crate) roster: RosterRules,
}

/// The answer to a look-up.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// The contender that answers to the name.
    pub contender: &'a Contender,
    /// The old name that was asked for, if it was one.
    pub deprecated: Option<&'static str>,
}

/// Where a merged agent comes from, as reported by the harness; the harness itself is `builtin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance<'a> {
    /// The sources, the weakest first; each once.
    pub sources: Vec<&'a str>,
    /// The source of each field.
    pub fields: Vec<(FieldName, &'a str)>,
}

/// A name that nobody answers to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("find agent `{asked}`: there is no agent of this name")]
pub struct UnknownAgent {
    /// The name that was asked for.
    pub asked: String,
    /// The name that it stands for, if it is an old one: this one was looked for.
    pub stands_for: Option<&'static str>,
    /// The names that are registered, sorted by code point.
    pub available: Vec<String>,
    /// The registered name that is most like it.
    pub nearest: Option<String>,
}

impl Found<'_> {
    /// Returns the definition.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        self.contender
            .definition
            .as_ref()
            .expect("a contender that holds a name was loaded")
    }
}

impl Registry {
    pub(crate) fn close(registration: Registration) -> Self {
        let mut open: HashMap<ContenderId, Vec<ContenderId>> = HashMap::new();
        for (index, contender) in registration.contenders.iter().enumerate() {
            if let Verdict::Undefined { first } = contender.verdict {
                open.entry(first).or_default().push(ContenderId(index));
            }
        }
        Registry {
            dialect: registration.dialect,
            profile: registration.profile,
            contenders: registration.contenders,
            holders: registration.holders,
            open,
            places: registration.places,
            stop: registration.stop,
            listed: registration.listed,
            roster: registration.roster,
        }
    }

    /// Returns the dialect.
    #[must_use]
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// Returns the version of the dialect's rules.
    #[must_use]
    pub fn profile(&self) -> &'static Profile {
        self.profile
    }

    /// Returns the number of the contender that answers to a name, by exactly that name.
    #[must_use]
    pub fn holder(&self, name: &str) -> Option<ContenderId> {
        self.holders.get(name, &self.contenders)
    }

    /// Returns every contender, in the order in which they were offered.
    #[must_use]
    pub fn contenders(&self) -> &[Contender] {
        &self.contenders
    }

    /// Returns a contender by its number.
    #[must_use]
    pub fn contender(&self, id: ContenderId) -> &Contender {
        &self.contenders[id.0]
    }

    /// Returns where a merged agent and its fields come from; `None` of one that is not merged.
    #[must_use]
    pub fn provenance<'a>(&'a self, contender: &'a Contender) -> Option<Provenance<'a>> {
        let merged = contender.merged.as_deref()?;
        let reported = |layer: &Layer| match layer {
            Layer::Builtin => Level::Builtin.as_str(),
            Layer::Entry(index) => self.contenders[*index].source.reported.as_str(),
        };
        let mut sources: Vec<&str> = merged.layers.iter().map(reported).collect();
        sources.dedup();
        let fields = merged.given_by.iter();
        let fields = fields.filter_map(|(field, layer)| {
            let layer = merged.layers.get(layer)?;
            Some((field, reported(layer)))
        });
        Some(Provenance {
            sources,
            fields: fields.collect(),
        })
    }

    /// Returns the contender in whose file a field of another one is written: that one itself,
    /// unless the field is merged into it.
    #[must_use]
    pub fn giver<'a>(&'a self, of: &'a Contender, field: FieldName) -> &'a Contender {
        let merged = of.merged.as_deref();
        let layer = merged.and_then(|merged| merged.layers.get(merged.given_by.of(field)?));
        match layer {
            Some(Layer::Entry(index)) => &self.contenders[*index],
            _ => of,
        }
    }

    /// Returns the fields that one contender gives to the agent into which it is merged: what stands
    /// in the agent, and its part of what all sources give together.
    pub fn given<'a>(
        &'a self,
        into: &'a Contender,
        giver: &'a Contender,
    ) -> impl Iterator<Item = FieldName> + 'a {
        let merged = into.merged.as_deref();
        let standing = merged
            .into_iter()
            .flat_map(|merged| merged.given_by.fields());
        let together = self.profile().rules.merging.appended;
        let gives_part = move |field| {
            let definitions = giver.definition.as_deref().zip(into.definition.as_deref());
            definitions.is_some_and(
                |(own, whole)| match (own.config(field), whole.config(field)) {
                    (Some(own), Some(whole)) => is_part(own, whole),
                    _ => together.contains(&field) && own.field(field).is_some(),
                },
            )
        };
        let gives = move |field: &FieldName| {
            std::ptr::eq(self.giver(into, *field), giver) || gives_part(*field)
        };
        standing.filter(gives)
    }

    /// Returns the fields that one contender takes back from the agent into which it is merged,
    /// without giving them a value.
    pub fn taken_back<'a>(
        &'a self,
        into: &'a Contender,
        by: &'a Contender,
    ) -> impl Iterator<Item = FieldName> + 'a {
        let merged = into.merged.as_deref().into_iter();
        let taken_back = merged.flat_map(move |merged| {
            let is_by = |number: usize| match merged.layers.get(number) {
                Some(Layer::Entry(index)) => std::ptr::eq(&self.contenders[*index], by),
                _ => false,
            };
            let fields = merged.taken_back.iter();
            fields.filter(move |(_, number)| is_by(*number))
        });
        taken_back.map(|(field, _)| *field)
    }

    /// Returns the contender in whose file something of a merged agent is written that is not in
    /// the file of the one that stands for the agent; nothing if that is not known, as of what
    /// counts for all agents.
    #[must_use]
    pub fn other_writer<'a>(&'a self, of: &'a Contender, span: Span) -> Option<&'a Contender> {
        let layers = of.merged.iter().flat_map(|merged| &merged.layers);
        let others = layers.filter_map(|layer| match layer {
            Layer::Entry(index) => Some(&self.contenders[*index]),
            Layer::Builtin => None,
        });
        // The one that stands for the agent has the merged definition.
        let mut there = others.filter(|other| {
            let definition = other.definition.as_ref();
            !std::ptr::eq(*other, of) && definition.is_some_and(|it| it.has_at(span))
        });
        let first = there.next()?;
        there.next().is_none().then_some(first)
    }

    /// Returns the places that were searched, in order.
    #[must_use]
    pub fn places(&self) -> &[Searched] {
        &self.places
    }

    /// Returns where the harness itself would not have come back.
    #[must_use]
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Returns the agents that answer to their names, with those names, in the order of the
    /// harness: mostly that in which they were registered. Names of which the harness leaves open
    /// who answers are in [`Registry::undefined`].
    pub fn active(&self) -> impl Iterator<Item = (&str, &Contender)> {
        let roster = self.roster().into_iter();
        let active = roster.filter(|row| {
            let is_open = matches!(row.contender.verdict, Verdict::Undefined { .. });
            row.answers && !is_open
        });
        active.map(|row| (row.name, row.contender))
    }

    /// Returns the names of which the harness leaves open who answers, each with those that may.
    pub fn undefined(&self) -> impl Iterator<Item = (&str, Vec<&Contender>)> {
        let holders = self.holders.iter();
        holders.filter_map(|id| {
            let same = self.open_with(id)?.iter();
            let same = same.map(|id| self.contender(*id));
            Some((self.contender(id).name.as_str(), same.collect()))
        })
    }

    /// Returns a contender with those that may have its name in its place, where the harness leaves
    /// that open; in the order in which they were offered, and no more than [`MOST_STANDING`].
    pub fn standing_with(&self, id: ContenderId) -> impl Iterator<Item = &Contender> {
        let open = self.open_with(id).unwrap_or_default();
        let own = open.is_empty().then_some(id);
        let all = own.into_iter().chain(open.iter().copied());
        all.map(|id| self.contender(id)).take(MOST_STANDING)
    }

    fn open_with(&self, id: ContenderId) -> Option<&[ContenderId]> {
        match self.contender(id).verdict {
            Verdict::Undefined { first } => self.open.get(&first).map(Vec::as_slice),
            _ => None,
        }
    }

    /// Looks an agent up as the harness does: no name or an empty one gives the default, an old
    /// name gives its successor, everything else must match exactly, or as the rules for look-up say.
    ///
    /// # Errors
    /// If nobody answers to the name.
    pub fn get(&self, name: Option<&str>) -> Result<Found<'_>, UnknownAgent> {
        let lookup = &self.profile.rules.lookup;
        let asked = name.filter(|name| !name.is_empty() || lookup.default.is_none());
        let successor = asked.and_then(|asked| successor(self.profile, asked));
        let wanted = successor
            .map(|(_, new)| new)
            .or(asked)
            .or(lookup.default)
            .unwrap_or_default();
        match self.answering(wanted) {
            Some(id) => Ok(Found {
                contender: self.contender(id),
                deprecated: successor.map(|(old, _)| old),
            }),
            None => {
                let holders = self.holders.iter();
                let mut available: Vec<String> =
                    holders.map(|id| self.contender(id).name.clone()).collect();
                available.sort();
                let nearest = nearest(wanted, available.iter().map(String::as_str));
                Err(UnknownAgent {
                    asked: name.unwrap_or("None").to_owned(),
                    stands_for: successor.map(|(_, new)| new),
                    nearest: nearest.map(str::to_owned),
                    available,
                })
            }
        }
    }

    /// Returns who answers to a name, by exactly that name or by whatever else the harness takes.
    pub(crate) fn answering(&self, wanted: &str) -> Option<ContenderId> {
        self.holder(wanted)
            .or_else(|| self.also_called(wanted))
            .or_else(|| self.in_any_case(wanted))
            .or_else(|| self.cut(wanted))
    }

    /// Finds the only agent that a word calls, too.
    fn also_called(&self, wanted: &str) -> Option<ContenderId> {
        match self.callees(wanted).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Returns the agents that have a word in the first of the fields by which agents are called,
    /// too, in which any has it.
    pub(crate) fn callees(&self, wanted: &str) -> Vec<ContenderId> {
        let fields = self.profile.rules.lookup.also_called.iter();
        let mut called = fields.map(|field| {
            let has_word = |id: &ContenderId| {
                let definition = self.contender(*id).definition.as_deref();
                definition.is_some_and(|definition| has_word(definition, *field, wanted))
            };
            self.holders.iter().filter(has_word)
        });
        let first = called.find_map(|called| {
            let called: Vec<ContenderId> = called.collect();
            (!called.is_empty()).then_some(called)
        });
        first.unwrap_or_default()
    }

    /// Finds the first agent that has a name in another case.
    fn in_any_case(&self, wanted: &str) -> Option<ContenderId> {
        if !self.profile.rules.lookup.any_case {
            return None;
        }
        let wanted = wanted.to_lowercase();
        let mut holders = self.holders.iter();
        holders.find(|id| self.contender(*id).name.to_lowercase() == wanted)
    }

    /// Finds the first agent whose name ends in a name behind the sign at which names may be cut.
    fn cut(&self, wanted: &str) -> Option<ContenderId> {
        let sign = self.profile.rules.lookup.cut_at?;
        let ends_so = |name: &str| {
            let rest = name.strip_suffix(wanted);
            !wanted.is_empty() && rest.is_some_and(|rest| rest.ends_with(sign))
        };
        let mut holders = self.holders.iter();
        holders.find(|id| ends_so(&self.contender(*id).name))
    }

    /// Returns the text that tells a delegating model which agents there are: a line for each,
    /// sorted by name. Empty if there is none.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut agents: Vec<(&str, &Contender)> = self.active().collect();
        agents.sort_by_key(|(name, _)| *name);
        let lines = agents.into_iter().filter_map(|(name, contender)| {
            let definition = contender.definition.as_ref()?;
            let tools = match definition.tools() {
                ToolAccess::Listed(tools) if !tools.is_empty() => {
                    let tools: Vec<&str> = tools.iter().map(|tool| tool.text.as_str()).collect();
                    format!(" (tools: {})", tools.join(", "))
                }
                _ => String::new(),
            };
            Some(format!("- **{name}**: {}{tools}", definition.description()))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the contenders that are passed over, in the order in which they were found. What a file
    /// says beside its agents is none of them: the file itself is not passed over.
    pub fn passed_over(&self) -> impl Iterator<Item = &Contender> {
        let beside = self.beside_agents();
        let contenders = self.contenders.iter().enumerate();
        let is_passed_over = |contender: &Contender| {
            matches!(
                contender.verdict,
                Verdict::Ignored(_) | Verdict::SameFile { .. }
            )
        };
        contenders
            .filter(move |(index, contender)| is_passed_over(contender) && !beside.contains(index))
            .map(|(_, contender)| contender)
    }

    /// Returns the contenders that stand for what a file says beside the agents that it gives.
    fn beside_agents(&self) -> HashSet<usize> {
        let of_settings = Verdict::Ignored(SkipRule::Settings);
        let inside = self
            .contenders
            .iter()
            .filter(|it| it.source.inside.is_some() && !matches!(it.verdict, Verdict::Ignored(_)));
        let files: HashSet<&str> = inside.map(|it| &*it.source.reported).collect();
        let contenders = self.contenders.iter().enumerate();
        let beside = contenders.filter(|(_, it)| {
            let is_whole = it.verdict == of_settings && it.source.inside.is_none();
            is_whole && files.contains(&*it.source.reported)
        });
        beside.map(|(index, _)| index).collect()
    }

    /// Counts the contenders by what became of them: active, shadowed, rejected, ignored, merged
    /// into another one. Those among which the harness leaves the choice open count as active;
    /// refused, unreached, held back and switched off ones as rejected, and one file that is found
    /// twice once as ignored. What a file says beside its agents counts as nothing.
    #[must_use]
    pub fn counts(&self) -> [usize; 5] {
        let mut counts = [0; 5];
        counts[3] = self.passed_over().count();
        for contender in &self.contenders {
            let column = match contender.verdict {
                Verdict::Active | Verdict::Undefined { .. } => 0,
                Verdict::Shadowed { .. } => 1,
                Verdict::Rejected
                | Verdict::Refused
                | Verdict::NotReached { .. }
                | Verdict::HeldBack
                | Verdict::SwitchedOff => 2,
                Verdict::Ignored(_) | Verdict::SameFile { .. } => continue,
                Verdict::Merged { .. } => 4,
            };
            counts[column] += 1;
        }
        counts
    }
}

/// Returns whether a field of a definition is a word or lists it.
fn has_word(definition: &Definition, field: FieldName, word: &str) -> bool {
    let mut names = definition.names(field).iter();
    definition.text(field) == Some(word) || names.any(|name| name.text == word)
}

/// Returns the old and new name, if a name is an old one.
pub(crate) fn successor(
    profile: &'static Profile,
    name: &str,
) -> Option<(&'static str, &'static str)> {
    let deprecated = profile.rules.lookup.deprecated.iter();
    deprecated.copied().find(|(old, _)| *old == name)
}

/// Returns whether something of a mapping still stands in the one that it was merged into.
fn is_part(own: &Node, whole: &Node) -> bool {
    match (own.as_map(), whole.as_map()) {
        (Some(own), Some(whole)) => own.entries.iter().any(|entry| {
            let there = entry.key.as_text().and_then(|key| whole.get(key));
            there.is_some_and(|there| is_part(&entry.value, &there.value))
        }),
        _ => own.same_content(whole),
    }
}
