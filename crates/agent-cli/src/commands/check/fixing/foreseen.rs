//! What mending would leave out, found out without mending: only fixes that are made unasked and
//! that may do something to others are tried, all at once as far as that tells.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use agent_discovery::{FileTree, OverlayTree};
use agent_schema::dialect::ToolDecision;
use agent_schema::{Applicability, Fate, FieldName};

use super::{Memory, Mender, lay, mark};
use crate::commands::check::gather::{Checked, Files, Noted};
use crate::failure::Failure;

/// The most rounds. More are needed only where one file has many fixes that harm together.
const MOST_FORESEEN: usize = 16;

/// The fields by which an agent may do more or less.
const OF_RIGHTS: [FieldName; 4] = [
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::PERMISSION,
    FieldName::PERMISSION_MODE,
];

impl Mender<'_> {
    /// Marks the fixes that mending would leave out, so that they are told as what they are.
    pub(in crate::commands::check) fn foresee<'t>(
        &self,
        tree: &OverlayTree<'t>,
        files: &mut Files,
        gather: impl Fn(&OverlayTree<'t>) -> Result<Files, Failure>,
    ) -> Result<(), Failure> {
        let mut memory = Memory::default();
        let others = Others::of(files);
        let is_doubtful = |checked: &_, noted: &_| others.may_mind(self.base, checked, noted);
        for _ in 0..MOST_FORESEEN {
            let plan = self.plan(files, &mut memory, is_doubtful);
            if plan.is_empty() {
                break;
            }
            let mut next = tree.clone();
            let mut tried = lay(plan, &mut next, &mut memory);
            let after = gather(&next)?;
            self.refuse(files, &mut tried, &next, &after, &mut memory);
            for (real, round) in tried {
                // Nobody minds them, so that they need not be tried again.
                memory.ban_all(&real, &round.fixes);
            }
        }
        mark(files, &memory.left_out);
        Ok(())
    }
}

/// Whom a fix may concern beside those whose finding it mends.
struct Others<'f> {
    /// All files, by their names without folders.
    files: HashMap<&'f OsStr, Vec<&'f Checked>>,
    /// The names of files of agents whose rights follow from rules of several sources.
    limited: HashSet<&'f OsStr>,
}

impl<'f> Others<'f> {
    fn of(files: &'f Files) -> Self {
        let mut by_name: HashMap<&OsStr, Vec<&Checked>> = HashMap::new();
        for checked in files.files.values() {
            let name = checked.path.file_name().unwrap_or_default();
            by_name.entry(name).or_default().push(checked);
        }
        let limited = files.agents.values().filter(|agent| {
            let decision = agent.reading.profile.rules.factory.start.tools;
            matches!(decision, ToolDecision::Effects(_))
        });
        let sources = limited.flat_map(|agent| &agent.sources);
        Others {
            files: by_name,
            limited: sources.filter_map(|source| source.file_name()).collect(),
        }
    }

    /// Returns whether a fix that is made unasked may be left out because of what it does to
    /// others, or to an agent as a whole.
    fn may_mind(&self, tree: &dyn FileTree, checked: &Checked, noted: &Noted) -> bool {
        let fix = noted.diagnostic.fix.as_ref();
        let is_safe = fix.is_some_and(|fix| fix.applicability == Applicability::Safe);
        is_safe && (self.may_gain(checked, noted) || self.is_shared(tree, checked, noted))
    }

    fn may_gain(&self, checked: &Checked, noted: &Noted) -> bool {
        let field = noted.diagnostic.field;
        let name = checked.path.file_name().unwrap_or_default();
        self.limited.contains(name) && field.is_none_or(|field| OF_RIGHTS.contains(&field))
    }

    /// Returns whether somebody reads the file, by whatever path, who does not want the fix.
    fn is_shared(&self, tree: &dyn FileTree, checked: &Checked, noted: &Noted) -> bool {
        let name = checked.path.file_name().unwrap_or_default();
        let mut namesakes = self.files.get(name).into_iter().flatten();
        namesakes.any(|other| {
            let mut readings = other.readings.iter();
            readings.any(|reading| {
                let mut wanting = noted.dialects.iter();
                reading.fate != Fate::Ignored && wanting.all(|it| it.id != reading.dialect.id)
            }) && (other.path == checked.path || is_same(tree, &other.path, &checked.path))
        })
    }
}

fn is_same(tree: &dyn FileTree, one: &Path, other: &Path) -> bool {
    let other = tree.real_path(other);
    tree.real_path(one).is_ok_and(|one| other == Ok(one))
}
