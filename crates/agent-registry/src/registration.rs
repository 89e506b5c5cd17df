//! Registration: the phase in which definitions are offered and the first one wins.
//!
//! Built-in agents are the last source by type: they can only be given to
//! [`Registration::with_builtins`], which ends the registration. The OpenHands server registers
//! its built-in agents when it starts, before any file is read, and so lets them win over the
//! user's own (case `registry/builtins-first-like-server`); that mistake cannot be made here.

use std::sync::Arc;

use agent_discovery::{Deciding, Discovery, Listed, Searched, Source, Stop};
use agent_schema::dialect::{Listing, RosterRules, SkipRule, UnknownSkill};
use agent_schema::{
    Definition, Diagnostic, Dialect, Fate, Level, Profile, Related, Severity, rules,
};

use crate::contender::{Contender, ContenderId, Decision, Verdict};
use crate::holders::Holders;
use crate::registry::Registry;

/// Definitions offered so far, in order.
#[derive(Debug, Clone)]
pub struct Registration {
    pub(crate) dialect: &'static Dialect,
    pub(crate) profile: &'static Profile,
    pub(crate) contenders: Vec<Contender>,
    pub(crate) holders: Holders,
    pub(crate) places: Vec<Searched>,
    pub(crate) stop: Option<Stop>,
    /// What the searches list as agents, in their order.
    pub(crate) listed: Vec<ContenderId>,
    /// How agents of all sources are listed together.
    pub(crate) roster: RosterRules,
}

/// A name that is taken already.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("register agent `{name}`: the name is taken by {holder}")]
pub struct DuplicateAgent {
    /// The name.
    pub name: String,
    /// Where the definition that has it comes from.
    pub holder: String,
}

/// A registration that ended early, as some versions of a harness do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("register agent `{name}`: {}", diagnostic.message)]
pub struct Aborted {
    /// The definition that ended it.
    pub name: String,
    /// Why.
    pub diagnostic: Box<Diagnostic>,
    /// The names that were registered before.
    pub registered: Vec<String>,
}

/// The built-in agents of a harness, as the fallbacks that they are.
#[derive(Debug, Clone, Default)]
pub struct Builtins {
    definitions: Vec<(String, Definition)>,
}

/// Everything that a registry is made of. The order of registration is fixed by the fields, so
/// no caller can get it wrong.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Definitions that a program registers, by name.
    pub programmatic: Vec<(String, Definition)>,
    /// What was found in plugins, in the order of the plugins.
    pub plugins: Vec<Discovery>,
    /// What was found in the project and the home.
    pub files: Option<Discovery>,
    /// The fallbacks.
    pub builtins: Builtins,
}

/// What is registered next of what a search found.
enum Step {
    /// An entry, by its number.
    Entry(usize),
    /// A built-in agent that no entry changes, with its name.
    Builtin(Box<(&'static str, Definition)>),
}

/// Returns the order in which what was found is registered: that in which the harness lists its
/// agents, then what is no agent.
fn steps(found: &Discovery) -> Vec<Step> {
    if found.profile.rules.merging.listing == Listing::AsFound {
        return as_found(found).map(Step::Entry).collect();
    }
    let mut left: Vec<bool> = vec![true; found.entries.len()];
    let mut steps = Vec::with_capacity(left.len());
    for listed in found.listing() {
        steps.push(match listed {
            Listed::Entry(entry) => {
                let index = entry.source.scan_index as usize;
                left[index] = false;
                Step::Entry(index)
            }
            Listed::Builtin(builtin) => {
                let definition = found.builtin_definition(builtin);
                Step::Builtin(Box::new((builtin.name, definition)))
            }
        });
    }
    let rest = left.iter().enumerate().filter(|(_, is_left)| **is_left);
    steps.extend(rest.map(|(index, _)| Step::Entry(index)));
    steps
}

/// Returns the numbers of the entries as they were found, but those that are listed in the order of
/// the list: a winner may have the turn of one that lost to it.
fn as_found(found: &Discovery) -> impl Iterator<Item = usize> {
    let mut is_listed = vec![false; found.entries.len()];
    for index in &found.roster {
        is_listed[*index] = true;
    }
    let mut listed = found.roster.iter().copied();
    let entries = is_listed.into_iter().enumerate();
    entries.map(move |(index, is_listed)| match is_listed {
        true => listed.next().unwrap_or(index),
        false => index,
    })
}

/// Lets every definition be registered.
///
/// # Errors
/// Never.
pub fn admit_all(_: &Definition) -> Result<(), Box<Diagnostic>> {
    Ok(())
}

impl Builtins {
    /// Makes the built-in agents of definitions, each with the name of its embedded file.
    #[must_use]
    pub fn new(definitions: Vec<(String, Definition)>) -> Self {
        Builtins { definitions }
    }

    /// Returns the definitions with the names of their embedded files.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, &Definition)> {
        self.definitions
            .iter()
            .map(|(file, definition)| (file.as_str(), definition))
    }
}

impl Registration {
    /// Begins a registration.
    #[must_use]
    pub fn new(dialect: &'static Dialect, profile: &'static Profile) -> Self {
        Registration {
            dialect,
            profile,
            contenders: Vec::new(),
            holders: Holders::default(),
            places: Vec::new(),
            stop: None,
            listed: Vec::new(),
            roster: profile.rules.agents.roster,
        }
    }

    /// Returns something that was offered, by its number.
    #[must_use]
    pub fn contender(&self, id: ContenderId) -> &Contender {
        &self.contenders[id.0]
    }

    /// Returns what was offered so far, in order.
    #[must_use]
    pub fn contenders(&self) -> &[Contender] {
        &self.contenders
    }

    /// Registers a definition that a program brings.
    ///
    /// # Errors
    /// If the name is taken; the definition stays among the contenders.
    pub fn register(&mut self, name: &str, definition: Definition) -> Result<(), DuplicateAgent> {
        if self.register_if_absent(name, definition) {
            return Ok(());
        }
        let holder = self.holders.get(name, &self.contenders);
        Err(DuplicateAgent {
            name: name.to_owned(),
            holder: holder.map_or_else(String::new, |id| self.contenders[id.0].place()),
        })
    }

    /// Registers a definition that a program brings, unless the name is taken. Returns whether it
    /// was registered.
    pub fn register_if_absent(&mut self, name: &str, definition: Definition) -> bool {
        let contender = Contender::programmatic(name, definition, self.contenders.len());
        let id = self.push(contender);
        self.offer(id)
    }

    /// Registers what was found in a plugin. Returns those that got
    /// their names.
    ///
    /// `admit` tells whether an agent can be made of a definition; it is asked before the name is
    /// looked at, as in the harness.
    ///
    /// # Errors
    /// If a definition is not admitted and this version of the harness ends there.
    pub fn register_plugin(
        &mut self,
        found: Discovery,
        admit: impl Fn(&Definition) -> Result<(), Box<Diagnostic>>,
    ) -> Result<Vec<ContenderId>, Aborted> {
        self.register_found(found, admit)
    }

    /// Registers what was found in the project and the home. Returns those that got
    /// their names.
    ///
    /// # Errors
    /// As for [`Registration::register_plugin`].
    pub fn register_files(
        &mut self,
        found: Discovery,
        admit: impl Fn(&Definition) -> Result<(), Box<Diagnostic>>,
    ) -> Result<Vec<ContenderId>, Aborted> {
        self.register_found(found, admit)
    }

    /// Registers the built-in agents for the names that are still free, and ends the
    /// registration.
    #[must_use]
    pub fn with_builtins(mut self, builtins: Builtins) -> Registry {
        for (file, definition) in builtins.definitions {
            self.register_builtin(file, definition);
        }
        self.without_builtins()
    }

    /// Registers a built-in agent unless its name is taken.
    fn register_builtin(&mut self, file: String, definition: Definition) {
        let scan_index = u32::try_from(self.contenders.len()).unwrap_or(u32::MAX);
        let id = self.push(Contender {
            name: definition.name().to_owned(),
            definition: Some(Arc::new(definition)),
            source: Source {
                level: Level::Builtin,
                path: None,
                inside: None,
                place: None,
                scan_index,
                reported: format!("builtin:{file}"),
            },
            file_name: Some(file),
            diagnostics: Vec::new(),
            bytes: None,
            merged: None,
            verdict: Verdict::Active,
            fate: Fate::Loaded,
            lost: Vec::new(),
            rights_widened: false,
        });
        self.offer(id);
    }

    /// Ends the registration without built-in agents.
    #[must_use]
    pub fn without_builtins(mut self) -> Registry {
        self.settle_taken();
        self.tell_heirs();
        Registry::close(self)
    }

    /// Says who has the names that a search left alone because they were taken. The search itself
    /// cannot know: those sources are offered after it.
    fn settle_taken(&mut self) {
        for index in 0..self.contenders.len() {
            let contender = &self.contenders[index];
            if contender.verdict == Verdict::Ignored(SkipRule::NameTaken)
                && let Some(holder) = self.holders.get(&contender.name, &self.contenders)
            {
                self.contenders[index].verdict = Verdict::Shadowed {
                    by: holder,
                    rule: Decision::Search(Deciding::NameTaken),
                };
            }
        }
    }

    fn register_found(
        &mut self,
        found: Discovery,
        admit: impl Fn(&Definition) -> Result<(), Box<Diagnostic>>,
    ) -> Result<Vec<ContenderId>, Aborted> {
        let first = self.contenders.len();
        let rules = &self.profile.rules;
        let steps = steps(&found);
        let listed = found.roster.iter().map(|index| ContenderId(first + index));
        self.listed.extend(listed);
        self.roster = found.search.roster;
        let places_before = self.places.len();
        let contenders = found.entries.into_iter().map(|entry| {
            let mut contender = Contender::found(entry, rules, first);
            if let Some(place) = &mut contender.source.place {
                *place += places_before;
            }
            contender
        });
        // Collected by itself, the list takes the place of the entries instead of room of its own.
        let mut contenders: Vec<Contender> = contenders.collect();
        match self.contenders.is_empty() {
            true => self.contenders = contenders,
            false => self.contenders.append(&mut contenders),
        }
        let builtins = steps.iter().filter(|it| matches!(it, Step::Builtin(_)));
        let builtins = builtins.count();
        self.contenders.reserve(builtins);
        self.contenders.shrink_to(self.contenders.len() + builtins);
        self.places.extend(found.places);
        self.stop = self.stop.take().or(found.stop);

        self.holders.reserve(steps.len(), &self.contenders);
        let mut registered = Vec::with_capacity(steps.len());
        for step in steps {
            let offset = match step {
                Step::Entry(offset) => offset,
                Step::Builtin(builtin) => {
                    let (name, definition) = *builtin;
                    self.register_builtin(name.to_owned(), definition);
                    continue;
                }
            };
            let id = ContenderId(first + offset);
            let found = self.contenders[id.0].verdict;
            match found {
                // The first one of them stands for all, so its verdict is theirs.
                Verdict::Undefined { first: leader } if leader != id => {
                    self.contenders[id.0].verdict = self.contenders[leader.0].verdict;
                    continue;
                }
                Verdict::Active | Verdict::Undefined { .. } => {}
                _ => continue,
            }
            let admitted = match &self.contenders[id.0].definition {
                Some(definition) => admit(definition),
                None => Ok(()),
            };
            if let Err(diagnostic) = admitted {
                self.contenders[id.0].verdict = Verdict::Refused;
                self.contenders[id.0]
                    .diagnostics
                    .push((*diagnostic).clone());
                match self.profile.rules.factory.unknown_skill {
                    UnknownSkill::SkipsDefinition | UnknownSkill::LeftOut => continue,
                    UnknownSkill::AbortsRegistration => {
                        self.give_up_after(id);
                        return Err(Aborted {
                            name: self.contenders[id.0].name.clone(),
                            diagnostic,
                            registered: registered
                                .iter()
                                .map(|id: &ContenderId| self.contenders[id.0].name.clone())
                                .collect(),
                        });
                    }
                }
            }
            if self.offer(id) {
                registered.push(id);
                self.contenders[id.0].verdict = found;
            }
        }
        Ok(registered)
    }

    /// Marks what comes after a contender that ended the registration.
    fn give_up_after(&mut self, ended_by: ContenderId) {
        for contender in &mut self.contenders[ended_by.0 + 1..] {
            let loads = matches!(
                contender.verdict,
                Verdict::Active | Verdict::Shadowed { .. } | Verdict::Undefined { .. }
            );
            if loads {
                contender.verdict = Verdict::NotReached {
                    because_of: ended_by,
                };
                // That it would have lost its name does not matter any more.
                let matters = |finding: &Diagnostic| finding.rule != &rules::SHADOWED_NAME;
                contender.diagnostics.retain(matters);
            }
        }
    }

    /// Tells of a file that loses its name to what was registered before it. A file that is
    /// registered once more loses nothing.
    fn never_loads(&self, loser: ContenderId, holder: ContenderId) -> Option<Diagnostic> {
        let (loser, holder) = (&self.contenders[loser.0], &self.contenders[holder.0]);
        if loser.source.path.is_none() || loser.source.path == holder.source.path {
            return None;
        }
        let mut finding = Diagnostic::new(
            &rules::SHADOWED_NAME,
            format!("agent `{}` never loads from this file", loser.name),
        )
        .because(format!(
            "{} registers level `{}` before `{}` and keeps the first",
            self.dialect.title, holder.source.level, loser.source.level
        ))
        .help("rename one of the two agents, or remove the one that you do not need");
        finding.span = loser.name_place();
        if holder.source.path.is_some() {
            finding.related.push(Related {
                file: Some(holder.source.reported.clone()),
                span: holder.name_place(),
                message: "this file has the name".to_owned(),
            });
        }
        Some(finding)
    }

    /// Tells of a file that has the name of a built-in agent, where some programs of the harness
    /// answer with that one instead.
    fn is_builtin_elsewhere(&self, loser: ContenderId, holder: ContenderId) -> Option<Diagnostic> {
        let (loser, holder) = (&self.contenders[loser.0], &self.contenders[holder.0]);
        let why = self.profile.rules.lookup.builtins_first?;
        if loser.source.level != Level::Builtin || holder.source.path.is_none() {
            return None;
        }
        let mut finding = Diagnostic::new(
            &rules::SHADOWED_NAME,
            format!("`{}` is the name of a built-in agent, too", loser.name),
        )
        .because(why)
        .help("give the agent another name if it is for both");
        finding.severity = Severity::Info;
        finding.span = holder.name_place();
        Some(finding)
    }

    fn push(&mut self, contender: Contender) -> ContenderId {
        self.contenders.push(contender);
        ContenderId(self.contenders.len() - 1)
    }

    /// Gives a contender its name if it is free. Returns whether it got it.
    fn offer(&mut self, id: ContenderId) -> bool {
        let given = self.holders.give(id, &self.contenders);
        self.contenders[id.0].verdict = match given {
            Ok(()) => Verdict::Active,
            Err(holder) => {
                let finding = self.never_loads(id, holder);
                self.contenders[id.0].diagnostics.extend(finding);
                let finding = self.is_builtin_elsewhere(id, holder);
                self.contenders[holder.0].diagnostics.extend(finding);
                let rule = Decision::FirstRegistration;
                Verdict::Shadowed { by: holder, rule }
            }
        };
        given.is_ok()
    }
}

impl Registry {
    /// Makes a registry of all its sources, strongest first: programs, plugins, files, built-in
    /// agents.
    ///
    /// A second definition that a program registers under one name is a contender like any other.
    ///
    /// # Errors
    /// If a definition is not admitted and this version of the harness ends there.
    pub fn from_sources(
        dialect: &'static Dialect,
        profile: &'static Profile,
        sources: Sources,
        admit: impl Fn(&Definition) -> Result<(), Box<Diagnostic>>,
    ) -> Result<Registry, Aborted> {
        let mut registration = Registration::new(dialect, profile);
        for (name, definition) in sources.programmatic {
            registration.register_if_absent(&name, definition);
        }
        for plugin in sources.plugins {
            registration.register_plugin(plugin, &admit)?;
        }
        if let Some(files) = sources.files {
            registration.register_files(files, &admit)?;
        }
        Ok(registration.with_builtins(sources.builtins))
    }
}
