//! A skill file that is about to be read, as a source gives it.

use agent_schema::skill_rules::FoundBy;
use agent_schema::{FieldName, Level};

use crate::reported::reported;
use crate::skill_file::{Skill, Trigger};
use crate::skill_scan::{self, Scanned};
use crate::skills::{FoundSkill, SkillState};

/// A skill file that is about to be read.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) scanned: Scanned,
    pub(crate) level: Level,
    pub(crate) place: Option<usize>,
    pub(crate) found_by: FoundBy,
    /// What stands before the name.
    pub(crate) plugin: Option<String>,
    /// The field that names the skill, if it has it.
    pub(crate) named_by: Option<FieldName>,
    pub(crate) switched_off: bool,
}

/// Puts a plugin before a name.
pub(crate) fn qualified(plugin: Option<&str>, name: &str) -> String {
    match plugin {
        Some(plugin) => format!("{plugin}:{name}"),
        None => name.to_owned(),
    }
}

impl Candidate {
    /// Makes a candidate that no place of the table holds and that is called as its place says.
    pub(crate) fn new(scanned: Scanned, level: Level, found_by: FoundBy) -> Candidate {
        Candidate {
            scanned,
            level,
            place: None,
            found_by,
            plugin: None,
            named_by: None,
            switched_off: false,
        }
    }

    pub(crate) fn all(
        scanned: impl IntoIterator<Item = Scanned>,
        level: Level,
        found_by: FoundBy,
    ) -> Vec<Candidate> {
        let scanned = scanned.into_iter();
        let candidates = scanned.map(|scanned| Candidate::new(scanned, level, found_by));
        candidates.collect()
    }

    /// Makes a skill of which nothing is known yet but its place.
    pub(crate) fn into_found(self) -> FoundSkill {
        let name = skill_scan::name_by_place(&self.scanned);
        let derived_name = qualified(self.plugin.as_deref(), &name);
        FoundSkill {
            skill: Skill {
                name: derived_name.clone(),
                description: None,
                content: String::new(),
                trigger: Trigger::None,
                reported: reported(&self.scanned.path),
                path: self.scanned.path,
            },
            derived_name,
            file: self.scanned.file,
            level: self.level,
            place: self.place,
            name_place: None,
            found_by: self.found_by,
            model_visible: true,
            hidden_at: None,
            state: SkillState::Rejected,
            is_degraded: false,
            lost: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}
