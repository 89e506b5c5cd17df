//! The Pi extensions that load skills in their own way: pi-subagents and `@tintinweb/pi-subagents`.
//!
//! Source of every rule: `pi-subagents` 0.67.0, run on the cases of `agent-skills/resolve`, and its
//! `skills.ts`; `@tintinweb/pi-subagents` 0.14.1 and its `skill-loader.ts`.

use crate::dialect::{
    Base, Basis, Case, Dialect, Level, Profile, ReadingRules, SearchPlace, SkillRules,
};
use crate::header::{HeaderRules, Trim};
use crate::skill_rules::{
    Loose, ManifestSkills, NamedBy, Order, SettingsFile, SkillFolder, SkillListing, SkillScan,
    SkillSearch, SkillSource,
};
use crate::surroundings::{self, PackageSource};

use super::pi::AGENT_FOLDER;
use super::{lenient, pi, skills_only};

/// pi-subagents as far as it loads skills.
pub static PI_SUBAGENTS_SKILLS: Dialect = Dialect {
    id: "pi-subagents",
    title: "pi-subagents",
    profiles: &[Profile {
        id: "0.67.0",
        program: "pi-subagents",
        harness: "pi-subagents 0.67.0",
        recorded_as: None,
        basis: Basis::Ran,
        rules: skills_only(lenient::READING, RULES),
    }],
    foreign_keys: &[],
};

/// `@tintinweb/pi-subagents` as far as it loads skills.
pub static TINTINWEB_SKILLS: Dialect = Dialect {
    id: "tintinweb",
    title: "@tintinweb/pi-subagents",
    profiles: &[Profile {
        id: "0.14.1",
        program: "@tintinweb/pi-subagents",
        harness: "@tintinweb/pi-subagents 0.14.1",
        recorded_as: None,
        basis: Basis::Ran,
        rules: skills_only(WHOLE_FILE, TINTINWEB_RULES),
    }],
    foreign_keys: &[],
};

/// The rules of pi-subagents, for its dialect.
pub const RULES: SkillRules = SkillRules::searched(&SEARCH, SkillListing::Indented);

/// The rules of `@tintinweb/pi-subagents`, for its dialect.
pub const TINTINWEB_RULES: SkillRules =
    SkillRules::searched(&TINTINWEB_SEARCH, SkillListing::Unknown);

/// `SOURCE_PRIORITY`, the strongest first. The header counts for nothing but the description.
/// Packages are `collectInstalledPackageSkillPaths`, `collectSettingsPackageSkillPaths` and the
/// working folder itself, in this order.
static SEARCH: SkillSearch = SkillSearch {
    sources: &[
        folder(Level::Project, Base::Project, ".pi/skills", &SCAN),
        folder(Level::Project, Base::Project, ".agents/skills", &SCAN),
        SkillSource::Settings(PROJECT_SETTINGS),
        SkillSource::Manifests(PROJECT_PACKAGES),
        folder(Level::User, AGENT_FOLDER, "skills", &SCAN),
        folder(Level::User, Base::Home, ".agents/skills", &SCAN),
        SkillSource::Settings(USER_SETTINGS),
        SkillSource::Manifests(USER_PACKAGES),
    ],
    named_by: NamedBy::Place,
    unlisted: &[
        "pi-subagents also asks `npm root -g` for packages of the whole machine. It is not run here; \
         their skills are the weakest.",
    ],
    ..lenient::SEARCH
};

const PROJECT_PACKAGES: ManifestSkills = ManifestSkills {
    within: Level::Project,
    packages: &[
        PackageSource::FoldersIn {
            base: Base::Project,
            path: ".pi/npm/node_modules",
        },
        PackageSource::Settings {
            file: surroundings::SettingsFile {
                base: Base::Project,
                path: ".pi/settings.json",
            },
            keys: &["packages"],
        },
        PackageSource::Folder(Base::Project),
    ],
    manifest: "package.json",
    keys: &["pi", "skills"],
    path_key: None,
    scan: &SCAN,
};

const USER_PACKAGES: ManifestSkills = ManifestSkills {
    within: Level::User,
    packages: &[
        PackageSource::FoldersIn {
            base: AGENT_FOLDER,
            path: "npm/node_modules",
        },
        PackageSource::Settings {
            file: surroundings::SettingsFile {
                base: AGENT_FOLDER,
                path: "settings.json",
            },
            keys: &["packages"],
        },
    ],
    ..PROJECT_PACKAGES
};

const fn folder(
    level: Level,
    base: Base,
    path: &'static str,
    scan: &'static SkillScan,
) -> SkillSource {
    SkillSource::Folder(SkillFolder::new(SearchPlace::at(level, base, path), scan))
}

const PROJECT_SETTINGS: SettingsFile = SettingsFile {
    place: SearchPlace::at(Level::Project, Base::Project, ".pi"),
    name: "settings.json",
    scan: &SCAN,
    patterns: false,
    package_folder: None,
};

const USER_SETTINGS: SettingsFile = SettingsFile {
    place: SearchPlace::at(Level::User, AGENT_FOLDER, ""),
    ..PROJECT_SETTINGS
};

const SCAN: SkillScan = SkillScan {
    suffix_case: Case::Ignored,
    ignore_files: &[],
    ..pi::SCAN
};

/// In each root first `<name>.md`, then a folder `<name>` at any depth, the shallower one first.
static TINTINWEB_SEARCH: SkillSearch = SkillSearch {
    reading: &WHOLE_FILE,
    sources: &[
        folder(Level::Project, Base::Project, ".pi/skills", &TINTINWEB_SCAN),
        folder(
            Level::Project,
            Base::Project,
            ".agents/skills",
            &TINTINWEB_SCAN,
        ),
        folder(Level::User, AGENT_FOLDER, "skills", &TINTINWEB_SCAN),
        folder(Level::User, Base::Home, ".agents/skills", &TINTINWEB_SCAN),
        folder(Level::User, Base::Home, ".pi/skills", &TINTINWEB_SCAN),
    ],
    named_by: NamedBy::Place,
    ..lenient::SEARCH
};

/// Links are refused, for safety as its source says.
const TINTINWEB_SCAN: SkillScan = SkillScan {
    shallowest: 1,
    loose: Loose::TopFirst,
    file_links: false,
    folder_links: false,
    ignore_files: &[],
    order: Order::BreadthFirst,
    ..pi::SCAN
};

/// The text of the skill is the whole file, header and all.
const WHOLE_FILE: ReadingRules = ReadingRules {
    header: HeaderRules {
        forms: &[],
        trim_body: Trim::JavaScript,
        ..lenient::HEADER
    },
    ..lenient::READING
};
