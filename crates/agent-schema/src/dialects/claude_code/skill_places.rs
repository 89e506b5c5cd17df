//! Where Claude Code finds skills.
//!
//! Source of the places and of who wins: the pages on skills of its documentation of 2026-08-22,
//! read and not run. That the folder names a skill and that only one level of folders is read was
//! seen by running it: cases `parse/skill-dirname` and `parse/skill-nested`. Skills of plugins,
//! bundled ones and those of nested projects are not searched.

use crate::dialect::{Base, Level, ReadingRules, SearchPlace, WalkEnd};
use crate::dialects::skills::lenient;
use crate::skill_rules::{NamedBy, SameName, SkillFolder, SkillScan, SkillSearch, SkillSource};

use super::{CONFIG_FOLDER, OLD_SKILL, SKILL, walk_up};

pub(super) static SEARCH: SkillSearch = search(&SKILL);
pub(super) static OLD_SEARCH: SkillSearch = search(&OLD_SKILL);

const fn search(reading: &'static ReadingRules) -> SkillSearch {
    SkillSearch {
        reading,
        sources: SOURCES,
        named_by: NamedBy::Place,
        // Skills load whether or not the project is trusted. Personal skills beat those of the project, other than with agents.
        same_name: SameName::FirstWins,
        ..lenient::SEARCH
    }
}

/// Strongest first.
const SOURCES: &[SkillSource] = &[
    folder(SearchPlace::at(
        Level::Managed,
        Base::Managed,
        ".claude/skills",
    )),
    folder(SearchPlace::at(Level::User, CONFIG_FOLDER, "skills")),
    folder(
        SearchPlace::at(Level::Project, Base::RealProject, ".claude/skills")
            .walking(walk_up(WalkEnd::Nearest)),
    ),
];

const fn folder(place: SearchPlace) -> SkillSource {
    SkillSource::Folder(SkillFolder::new(place, &SCAN))
}

/// The folders directly inside the searched one.
const SCAN: SkillScan = SkillScan {
    shallowest: 1,
    deepest: 1,
    ..lenient::SCAN
};
