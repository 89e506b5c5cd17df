//! The skills that an agent may name, with where each one comes from.

use std::path::PathBuf;

use agent_schema::{Diagnostic, Dialect, Level, Profile};
use indexmap::IndexMap;

use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::places::Searched;
use crate::skill_file::{Skill, SkillFile};
use crate::skill_search;

/// All skills for one working folder. One scan serves every definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Skills {
    /// Every skill file, in the order in which the harness reads them.
    pub found: Vec<FoundSkill>,
    /// What the harness warns about, in its order.
    pub warnings: Vec<SkillWarning>,
    /// The places, in the harness's order.
    pub places: Vec<Searched>,
    /// The skills that have a name, in the order in which the harness lists them.
    pub(crate) listed: IndexMap<String, usize>,
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
    /// What became of it.
    pub state: SkillState,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
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
    /// It was dropped; the diagnostics tell why.
    Rejected,
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
    skill_search::search(tree, dialect, profile, inputs)
}

impl Skills {
    /// Returns the skill that answers to a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FoundSkill> {
        self.listed.get(name).map(|index| &self.found[*index])
    }

    /// Returns the skills that answer to their names, in the order in which the harness lists
    /// them.
    pub fn active(&self) -> impl Iterator<Item = &FoundSkill> {
        self.listed.values().map(|index| &self.found[*index])
    }

    /// Returns the rejected skills that would have had a name: by their header, or by their
    /// place.
    pub fn would_have_been(&self, name: &str) -> impl Iterator<Item = &FoundSkill> {
        self.found.iter().filter(move |found| {
            found.state == SkillState::Rejected
                && (found.skill.name == name || found.derived_name == name)
        })
    }
}
