//! The skills that an agent may name, with where each one comes from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_schema::dialect::Case;
use agent_schema::skill_rules::FoundBy;
use agent_schema::suggest::similar;
use agent_schema::{Diagnostic, Dialect, FieldName, Level, Profile, Span, rules};
use indexmap::IndexMap;

use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::places::Searched;
use crate::skill_file::{Skill, SkillFile};
use crate::skill_memory::{SearchedBy, SkillMemory};
use crate::{skill_search, skill_sources};

/// All skills for one working folder. One scan serves every definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Skills {
    /// Every skill file, in the order in which the harness reads them.
    pub found: Vec<FoundSkill>,
    /// What the harness warns about, in its order.
    pub warnings: Vec<SkillWarning>,
    /// Files that look like skills and that the harness does not look at.
    pub missed: Vec<MissedSkill>,
    /// The places, in the harness's order.
    pub places: Vec<Searched>,
    /// Whether something in the project makes the harness ask whether to trust it.
    pub needs_trust: bool,
    /// The skill that answers to each name.
    pub(crate) listed: IndexMap<String, usize>,
    /// The skills that can be used, in the order in which the harness lists them.
    pub(crate) order: Vec<usize>,
    /// Whether the case of a name counts.
    pub(crate) lookup: Case,
    /// The sign before which a name may be cut.
    pub(crate) cut_at: Option<char>,
    /// Which search it was.
    pub(crate) searched_by: SearchedBy,
}

impl Default for Skills {
    fn default() -> Self {
        Skills {
            found: Vec::new(),
            warnings: Vec::new(),
            missed: Vec::new(),
            places: Vec::new(),
            needs_trust: false,
            listed: IndexMap::new(),
            order: Vec::new(),
            lookup: Case::Exact,
            cut_at: None,
            searched_by: SearchedBy::default(),
        }
    }
}

/// A skill file, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSkill {
    /// The skill; of a rejected one, what could be read.
    pub skill: Skill,
    /// The name that the place of the file gives it when its header gives none.
    pub derived_name: String,
    /// The kind of file.
    pub file: SkillFile,
    /// Its level.
    pub level: Level,
    /// Which of the searched places holds it; unset for instruction files.
    pub place: Option<usize>,
    /// Where its name is written, or the place that stands for the whole file if it is not; unset
    /// if the file was not read.
    pub name_place: Option<Span>,
    /// How the harness says that it was found.
    pub found_by: FoundBy,
    /// Whether the model is told of it and may use it by itself, as far as its file says.
    pub model_visible: bool,
    /// Where its file says that no model may use it by itself, if that is known.
    pub hidden_at: Option<Span>,
    /// What became of it.
    pub state: SkillState,
    /// Whether it counts although something that its author wrote is lost.
    pub is_degraded: bool,
    /// The fields that are written in it and do not count.
    pub lost: Vec<FieldName>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

impl FoundSkill {
    /// Returns whether it was dropped and would have had a name: by its header, or by its place.
    fn would_have_been(&self, name: &str) -> bool {
        let is_dropped = matches!(
            self.state,
            SkillState::Rejected
                | SkillState::Ignored
                | SkillState::SwitchedOff
                | SkillState::HeldBack
        );
        is_dropped && (self.skill.name == name || self.derived_name == name)
    }

    /// Notes a finding about its name.
    pub(crate) fn note(&mut self, mut finding: Diagnostic) {
        finding.span = finding.span.or(self.name_place);
        self.diagnostics.push(finding);
    }
}

/// What became of a skill file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillState {
    /// It answers to its name.
    Active,
    /// It lost its name to another skill.
    Shadowed {
        /// The winner's place among the skills.
        by: usize,
    },
    /// It or another skill of the same name is the active one: the harness leaves open which.
    Undefined {
        /// The first of these skills; it stands for all of them.
        first: usize,
    },
    /// Its file was come across before, by another path.
    SameFile {
        /// The skill that was read from it.
        first: usize,
    },
    /// Settings switch it off.
    SwitchedOff,
    /// It waits until the user trusts the project.
    HeldBack,
    /// It was dropped without a word; the diagnostics tell why.
    Ignored,
    /// It was dropped; the diagnostics tell why.
    Rejected,
}

/// What a harness does when a skill is asked for by name.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Resolution<'a> {
    /// It takes this skill.
    One(&'a FoundSkill),
    /// It lists all of these; the first one answers.
    Copies(Vec<&'a FoundSkill>),
    /// It takes one of these, and which one is not fixed.
    NotFixed(Vec<&'a FoundSkill>),
    /// No skill has the name. These would have had it, but were dropped or are switched off.
    Unknown(Vec<&'a FoundSkill>),
}

/// Something that comes close to the name of a skill.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SkillNearMiss<'a> {
    /// A skill whose place has the name, and whose header another one.
    Place(&'a FoundSkill),
    /// A skill whose name is the same but for the case of its letters.
    OtherCase(&'a FoundSkill),
    /// A skill with a similar name.
    Similar(&'a FoundSkill),
}

/// The most similar names that are told.
const MOST_SIMILAR: usize = 3;

/// A file that looks like a skill and that the harness does not look at.
#[derive(Debug, Clone, PartialEq)]
pub struct MissedSkill {
    /// The file.
    pub path: PathBuf,
    /// The path as the harness would report it, with `/`.
    pub reported: String,
    /// Why it is passed over.
    pub diagnostic: Diagnostic,
}

/// A warning about a file or folder.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillWarning {
    /// The file or folder.
    pub path: PathBuf,
    /// What the harness warns about.
    pub diagnostic: Diagnostic,
}

/// Searches for the skills that agents may name, in the project (the working folder of the
/// agents) and the home. Without a project, the home alone is searched.
///
/// Source of rule: cases `factory/skill-*` and `agent-skills/resolve/*`; the order of files
/// inside a folder and the faults that cost more than a file were seen by running
/// `openhands-sdk` 1.58.2 and 1.43.1. Files that git ignores are not told apart: instruction
/// files in hidden folders and in `node_modules` are passed over, as the harness itself does
/// without git.
#[must_use]
pub fn discover_skills(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    inputs: &Inputs,
) -> Skills {
    discover_skills_with(dialect, profile, inputs, SkillMemory::new(tree, inputs))
}

/// Searches with the memory of an earlier search.
pub(crate) fn discover_skills_with(
    dialect: &'static Dialect,
    profile: &'static Profile,
    inputs: &Inputs,
    memory: SkillMemory<'_>,
) -> Skills {
    let mut skills = match profile.rules.skills.search {
        Some(rules) => skill_sources::search(&memory, dialect, rules, inputs),
        None => skill_search::search(&memory, dialect, profile, inputs),
    };
    skills.searched_by = SearchedBy {
        rules: Some((dialect, profile)),
        remembered: memory.remembered().map(Arc::new),
    };
    skills
}

impl Skills {
    /// Returns the warnings about files and folders that no finding of a skill tells of.
    pub fn other_warnings(&self) -> impl Iterator<Item = &SkillWarning> {
        let mut told: HashMap<&Path, Vec<&FoundSkill>> = HashMap::new();
        for found in &self.found {
            told.entry(&found.skill.path).or_default().push(found);
        }
        self.warnings.iter().filter(move |warning| {
            let at = told.get(&*warning.path).into_iter().flatten();
            let mut findings = at.flat_map(|found| &found.diagnostics);
            // A skill that lost its name says so itself.
            warning.diagnostic.rule != &rules::SHADOWED_NAME
                && !findings.any(|finding| *finding == warning.diagnostic)
        })
    }

    /// Returns the skill that answers to a name; of several copies the first one. A name of which
    /// it is not fixed who has it gives none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FoundSkill> {
        let mut names = self.listed.iter();
        let exact = self.listed.get(name);
        let last = |known: &str| {
            let (_, last) = known.rsplit_once(self.cut_at?)?;
            Some(last == name)
        };
        let index = exact.or_else(|| {
            let folded = names.find(|(known, _)| self.lookup.same(known, name));
            folded.map(|(_, index)| index)
        });
        let index = index.or_else(|| {
            let cut = self
                .listed
                .iter()
                .find(|(known, _)| last(known) == Some(true));
            cut.map(|(_, index)| index)
        });
        index.map(|index| &self.found[*index])
    }

    /// Returns what the harness does when a skill is asked for by name.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Resolution<'_> {
        let of_name = |found: &&FoundSkill| self.lookup.same(&found.skill.name, name);
        let copies: Vec<&FoundSkill> = self.active().filter(of_name).collect();
        if let (Some(found), true) = (self.get(name), copies.len() < 2) {
            return Resolution::One(found);
        }
        if !copies.is_empty() {
            return Resolution::Copies(copies);
        }
        let open = |found: &&FoundSkill| matches!(found.state, SkillState::Undefined { .. });
        let contenders: Vec<&FoundSkill> = self.found.iter().filter(open).filter(of_name).collect();
        match contenders.is_empty() {
            true => Resolution::Unknown(self.would_have_been(name).collect()),
            false => Resolution::NotFixed(contenders),
        }
    }

    /// Returns the skills that answer to their names, in the order in which the harness lists
    /// them.
    pub fn active(&self) -> impl Iterator<Item = &FoundSkill> {
        self.order.iter().map(|index| &self.found[*index])
    }

    /// Returns everything that wanted a name, in the order in which the harness reads it: the
    /// skills that have it, those that lost it, and dropped ones that would have had it.
    pub fn contenders(&self, name: &str) -> Vec<&FoundSkill> {
        let found = self.found.iter();
        found.filter(|it| self.is_contender(it, name)).collect()
    }

    fn is_contender(&self, found: &FoundSkill, name: &str) -> bool {
        self.lookup.same(&found.skill.name, name) || found.would_have_been(name)
    }

    /// Returns what comes close to a name: skills whose place has it but whose header has another
    /// one, those whose name differs in the case of its letters, and similar names, the closest
    /// first.
    pub fn near_misses(&self, name: &str) -> Vec<SkillNearMiss<'_>> {
        let is_other = |it: &&FoundSkill| !self.is_contender(it, name);
        let mut near = Vec::new();
        for found in self.found.iter().filter(is_other) {
            if found.derived_name == name {
                near.push(SkillNearMiss::Place(found));
            } else if Case::Ignored.same(&found.skill.name, name) {
                near.push(SkillNearMiss::OtherCase(found));
            }
        }
        let names = self.active().map(|found| found.skill.name.as_str());
        let names = names.filter(|known| !Case::Ignored.same(known, name));
        for name in similar(name, names).into_iter().take(MOST_SIMILAR) {
            let mut active = self.active();
            let found = active.find(|found| found.skill.name == name);
            near.extend(found.map(SkillNearMiss::Similar));
        }
        near
    }

    /// Returns the dropped skills that would have had a name: by their header, or by their place.
    pub fn would_have_been(&self, name: &str) -> impl Iterator<Item = &FoundSkill> {
        let found = self.found.iter();
        found.filter(move |found| found.would_have_been(name))
    }
}
