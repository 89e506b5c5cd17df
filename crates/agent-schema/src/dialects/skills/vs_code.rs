//! VS Code: skills as its chat finds them.
//!
//! Source of every rule: `promptsServiceImpl.ts` of microsoft/vscode at 00eacc9 and its page on
//! agent skills, read and not run. The order of the three folders of a workspace among themselves
//! is that of its settings. Places of the setting `chat.agentSkillsLocations`, plugins and
//! extensions are not searched.

use crate::dialect::{Base, Basis, Dialect, Level, Profile, SearchPlace, SkillRules};
use crate::skill_rules::{
    NamedBy, SameName, SkillFolder, SkillListing, SkillScan, SkillSearch, SkillSource,
};

use super::{lenient, skills_only};

/// VS Code as far as it loads skills.
pub static VS_CODE_SKILLS: Dialect = Dialect {
    id: "vs-code",
    title: "VS Code",
    profiles: &[Profile {
        id: "00eacc9",
        harness: "vscode 00eacc9",
        basis: Basis::Read,
        rules: skills_only(lenient::READING, RULES),
    }],
    foreign_keys: &[],
};

/// The rules, for the dialect of the harness.
pub const RULES: SkillRules = SkillRules::searched(&SEARCH, SkillListing::Unknown);

static SEARCH: SkillSearch = SkillSearch {
    sources: &[
        place(Level::Project, Base::Project, ".github/skills"),
        place(Level::Project, Base::Project, ".claude/skills"),
        place(Level::Project, Base::Project, ".agents/skills"),
        place(Level::User, Base::Home, ".copilot/skills"),
        place(Level::User, Base::Home, ".claude/skills"),
        place(Level::User, Base::Home, ".agents/skills"),
    ],
    // A name in the header that differs from the folder's is replaced by it.
    named_by: NamedBy::Place,
    same_name: SameName::FirstWins,
    ..lenient::SEARCH
};

const fn place(level: Level, base: Base, folder: &'static str) -> SkillSource {
    SkillSource::Folder(SkillFolder::new(
        SearchPlace::at(level, base, folder),
        &SCAN,
    ))
}

/// The folders directly inside the searched one.
const SCAN: SkillScan = SkillScan {
    shallowest: 1,
    deepest: 1,
    ..lenient::SCAN
};
