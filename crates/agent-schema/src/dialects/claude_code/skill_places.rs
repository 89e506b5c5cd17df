//! Where Claude Code finds skills.
//!
//! Source of the places and of who wins: the pages on skills and plugins of its documentation of
//! 2026-08-22, read and not run. That the folder names a skill and that only one level of folders is
//! read was seen by running it: cases `parse/skill-dirname` and `parse/skill-nested`. So was that
//! 2.1.332 lets a skill of the user beat one of the project, and that 2.1.197 lists both.

use crate::definition::FieldName;
use crate::dialect::{Base, Level, ReadingRules, SearchPlace, WalkEnd};
use crate::dialects::skills::lenient;
use crate::skill_rules::{
    NamedBy, PluginNames, PluginSkills, SameName, SkillFolder, SkillScan, SkillSearch, SkillSource,
    SkillsBelow,
};

use super::skill::DISPLAY_NAME;
use super::{CONFIG_FOLDER, MANIFEST, OLD_SKILL, SKILL, walk_up};

pub(super) static SEARCH: SkillSearch = SkillSearch {
    sources: &[
        MANAGED,
        USER,
        PROJECT,
        ADDED,
        plugins(GIVEN, Some(DISPLAY_NAME)),
        plugins(OF_USER, Some(DISPLAY_NAME)),
        plugins(OF_PROJECT, Some(DISPLAY_NAME)),
        BELOW,
    ],
    ..search(&SKILL)
};

/// The name in the header became the last part of a plugin's skill with 2.1.216.
pub(super) static OLD_SEARCH: SkillSearch = SkillSearch {
    sources: &[
        MANAGED,
        USER,
        PROJECT,
        ADDED,
        plugins(GIVEN, None),
        plugins(OF_USER, None),
        plugins(OF_PROJECT, None),
        BELOW,
    ],
    same_name: SameName::AllKept,
    ..search(&OLD_SKILL)
};

const fn search(reading: &'static ReadingRules) -> SkillSearch {
    SkillSearch {
        reading,
        named_by: NamedBy::Place,
        // Skills load whether or not the project is trusted. Personal skills beat those of the project, other than with agents.
        same_name: SameName::FirstWins,
        // An agent may name a skill of a plugin without its plugin.
        cut_at: Some(':'),
        unlisted: &[
            "Claude Code also brings skills of its own. Which they are is not known here; any skill \
             of the same name beats one of them.",
        ],
        ..lenient::SEARCH
    }
}

const MANAGED: SkillSource = folder(SearchPlace::at(
    Level::Managed,
    Base::Managed,
    ".claude/skills",
));
const USER: SkillSource = folder(SearchPlace::at(Level::User, CONFIG_FOLDER, "skills"));
const PROJECT: SkillSource = folder(
    SearchPlace::at(Level::Project, Base::RealProject, ".claude/skills")
        .walking(walk_up(WalkEnd::Nearest)),
);
/// The documentation does not say who wins over whom.
const ADDED: SkillSource = folder(SearchPlace::at(
    Level::Project,
    Base::Added,
    ".claude/skills",
));

const fn folder(place: SearchPlace) -> SkillSource {
    SkillSource::Folder(SkillFolder::new(place, &SCAN))
}

/// The folders directly inside the searched one.
const SCAN: SkillScan = SkillScan {
    shallowest: 1,
    deepest: 1,
    ..lenient::SCAN
};

/// The places of plugins are those of their agents.
const GIVEN: SearchPlace = SearchPlace::at(Level::Plugin, Base::Plugins, "");
const OF_USER: SearchPlace = SearchPlace::at(Level::Plugin, CONFIG_FOLDER, "skills");
const OF_PROJECT: SearchPlace =
    SearchPlace::at(Level::Plugin, Base::RealProject, ".claude/skills").if_trusted();

const fn plugins(place: SearchPlace, named_by: Option<FieldName>) -> SkillSource {
    SkillSource::Plugins(PluginSkills {
        place,
        manifests: &[MANIFEST.file],
        checked: Some(MANIFEST),
        folder: "skills",
        scan: &SCAN,
        more: Some("skills"),
        names: PluginNames::Qualified,
        named_by,
        own_file: Some(DISPLAY_NAME),
    })
}

/// Those below the project count once Claude Code works on a file in their folder. Two of one name
/// stay side by side. That folders which git ignores are left out is in the list of changes.
const BELOW: SkillSource = SkillSource::Below(SkillsBelow {
    place: SearchPlace::at(Level::Project, Base::RealProject, ".claude/skills"),
    skipped_folders: &[".claude", ".git", "node_modules"],
    ignore_files: &[".gitignore"],
    scan: &SCAN,
});

/// Skills that Claude Code brings itself, of which its documentation has no full list.
const BUNDLED: &[&str] = &["batch", "claude-api", "debug", "loop", "simplify"];

/// Says why a skill may be there although no folder holds it. Plugins that were installed are not
/// looked at.
pub(super) fn unseen(name: &str) -> Option<&'static str> {
    if name.contains(':') {
        return Some(
            "skills of plugins are called so, and which plugins are installed is not known",
        );
    }
    let is_bundled = BUNDLED.contains(&name);
    is_bundled.then_some("Claude Code brings a skill of this name itself")
}
