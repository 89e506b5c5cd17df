//! A search that is made again: what has not changed is not read again.

use crate::changes::{Change, changes};
use crate::discover::{Discovery, discover_with};
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::plugin::discover_plugin_with;
use crate::remembered::Memory;
use crate::skill_changes::skill_changes;
use crate::skill_memory::SkillMemory;
use crate::skills::{Skills, discover_skills_with};

/// What a search found that was made again.
#[derive(Debug, Clone)]
pub struct Refreshed {
    /// What there is now. It remembers what it read, for the next refresh.
    pub found: Discovery,
    /// What is different from before.
    pub changes: Vec<Change>,
}

/// What a search for skills found that was made again.
#[derive(Debug, Clone)]
pub struct RefreshedSkills {
    /// What there is now. It remembers what it read, for the next refresh.
    pub found: Skills,
    /// What is different from before.
    pub changes: Vec<Change>,
}

impl Discovery {
    /// Makes the same search again.
    ///
    /// The answer is the one that a new search gives. Agent files whose [`Stamp`](crate::Stamp) is
    /// the one from before are neither read nor parsed: their bytes and definitions are shared
    /// with this discovery. Everything else is done anew: folders are listed, and read are settings
    /// and the agents in them, manifests of plugins, the layers and prompts of a roster, and agent
    /// files without a stamp. Where this discovery remembers nothing
    /// ([`Inputs::remembering`]), all agent files are read, for the last time.
    ///
    /// The inputs may be others than before: a file that means something else with them is parsed
    /// again.
    #[must_use]
    pub fn refresh(&self, tree: &dyn FileTree, inputs: &Inputs) -> Refreshed {
        let found = self.again(tree, inputs);
        Refreshed {
            changes: changes(self, &found),
            found,
        }
    }

    pub(crate) fn again(&self, tree: &dyn FileTree, inputs: &Inputs) -> Discovery {
        let memory = Memory::after(self.remembered.as_ref());
        let Discovery {
            dialect, profile, ..
        } = *self;
        match &self.plugin {
            Some(root) => discover_plugin_with(tree, dialect, profile, root, inputs, memory),
            None => discover_with(tree, dialect, profile, inputs, memory),
        }
    }
}

impl Skills {
    /// Makes the same search again.
    ///
    /// The answer is the one that a new search gives. Folders are listed anew, so that a skill is
    /// found wherever it comes from: added, renamed, behind a link, or in a folder that settings
    /// or a plugin name since then. Of all files that the search reads, also settings, manifests
    /// and what lies beside a `SKILL.md`, only those are read whose [`Stamp`](crate::Stamp) is not
    /// the one from before, and only such skills are parsed. Where these skills remember nothing
    /// ([`Inputs::remembering`]), all files are read, for the last time.
    ///
    /// The inputs may be others than before. Skills that no search found ([`Skills::default`])
    /// stay what they are.
    #[must_use]
    pub fn refresh(&self, tree: &dyn FileTree, inputs: &Inputs) -> RefreshedSkills {
        let found = self.again(tree, inputs);
        RefreshedSkills {
            changes: skill_changes(self, &found),
            found,
        }
    }

    pub(crate) fn again(&self, tree: &dyn FileTree, inputs: &Inputs) -> Skills {
        let Some((dialect, profile)) = self.searched_by.rules else {
            return self.clone();
        };
        let memory = SkillMemory::after(tree, self.searched_by.remembered.as_deref());
        discover_skills_with(dialect, profile, inputs, memory)
    }
}
