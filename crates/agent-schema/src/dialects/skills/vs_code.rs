//! VS Code: skills as its chat finds them.
//!
//! Source of every rule: `promptsServiceImpl.ts` of microsoft/vscode at 00eacc9, the `config.ts`
//! beside it and the page on agent skills, read and not run. The order of the three folders of a
//! workspace among themselves is that of its settings. A workspace is one folder here, and of
//! profiles only the default one counts.

use crate::dialect::{Base, Basis, Dialect, Level, Profile, SearchPlace, SkillRules};
use crate::skill_rules::{
    FolderMap, ManifestSkills, MappedFolders, NamedBy, PluginNames, PluginSkills, SameName,
    SkillFolder, SkillListing, SkillScan, SkillSearch, SkillSource,
};
use crate::surroundings::PackageSource;

use super::{lenient, skills_only};

/// VS Code as far as it loads skills.
pub static VS_CODE_SKILLS: Dialect = Dialect {
    id: "vs-code",
    title: "VS Code",
    profiles: &[Profile {
        id: "00eacc9",
        program: "vscode",
        harness: "vscode 00eacc9",
        recorded_as: None,
        basis: Basis::Read,
        rules: skills_only(lenient::READING, RULES),
    }],
    foreign_keys: &[],
};

/// The rules, for the dialect of the harness.
pub const RULES: SkillRules = SkillRules::searched(&SEARCH, SkillListing::Unknown);

static SEARCH: SkillSearch = SkillSearch {
    // `getPriority`: workspace, personal, plugins, extensions.
    sources: &[
        place(Level::Project, Base::Project, ".github/skills"),
        place(Level::Project, Base::Project, ".claude/skills"),
        place(Level::Project, Base::Project, ".agents/skills"),
        mapped(Level::Project, Base::Project),
        place(Level::User, Base::Home, ".copilot/skills"),
        place(Level::User, Base::Home, ".claude/skills"),
        place(Level::User, Base::Home, ".agents/skills"),
        mapped(Level::User, Base::Home),
        SkillSource::Plugins(PLUGINS),
        SkillSource::Manifests(EXTENSIONS),
    ],
    // A name in the header that differs from the folder's is replaced by it.
    named_by: NamedBy::Place,
    same_name: SameName::FirstWins,
    unlisted: &[
        "Extensions may add skills while VS Code runs. They are not known here; skills of plugins \
         come before them, those that a `package.json` names after them.",
    ],
    ..lenient::SEARCH
};

const fn place(level: Level, base: Base, folder: &'static str) -> SkillSource {
    SkillSource::Folder(SkillFolder {
        mapped: Some(&LOCATIONS),
        ..SkillFolder::new(SearchPlace::at(level, base, folder), &SCAN)
    })
}

const fn mapped(level: Level, base: Base) -> SkillSource {
    SkillSource::Mapped(MappedFolders {
        map: &LOCATIONS,
        place: SearchPlace::at(level, base, ""),
        scan: &SCAN,
    })
}

/// `promptSourceFolders`: the folders that are searched by themselves stay unless they are
/// switched off.
static LOCATIONS: FolderMap = FolderMap {
    files: &[
        // The user's settings on Linux, macOS and Windows.
        &[
            SearchPlace::at(
                Level::User,
                Base::Variable {
                    name: "XDG_CONFIG_HOME",
                    or_home: ".config",
                },
                "Code/User/settings.json",
            ),
            SearchPlace::at(
                Level::User,
                Base::Home,
                "Library/Application Support/Code/User/settings.json",
            ),
            SearchPlace::at(
                Level::User,
                Base::Variable {
                    name: "APPDATA",
                    or_home: "AppData/Roaming",
                },
                "Code/User/settings.json",
            ),
        ],
        &[SearchPlace::at(
            Level::Project,
            Base::Project,
            ".vscode/settings.json",
        )],
    ],
    key: "chat.agentSkillsLocations",
};

/// Those that are given. Their skills have no prefix. Which manifest counts of several was not
/// found out.
const PLUGINS: PluginSkills = PluginSkills {
    place: SearchPlace::at(Level::Plugin, Base::Plugins, ""),
    manifests: &[
        ".plugin/plugin.json",
        "plugin.json",
        ".github/plugin/plugin.json",
        ".claude-plugin/plugin.json",
    ],
    checked: None,
    folder: "skills",
    scan: &SCAN,
    more: Some("skills"),
    names: PluginNames::Plain,
    named_by: None,
    own_file: None,
};

/// The extensions that are given. The documentation has paths of folders, and of `SKILL.md`.
const EXTENSIONS: ManifestSkills = ManifestSkills {
    within: Level::Package,
    packages: &[PackageSource::SwitchedOn],
    manifest: "package.json",
    keys: &["contributes", "chatSkills"],
    path_key: Some("path"),
    scan: &SkillScan {
        shallowest: 0,
        deepest: 0,
        ..SCAN
    },
};

/// The folders directly inside the searched one.
const SCAN: SkillScan = SkillScan {
    shallowest: 1,
    deepest: 1,
    ..lenient::SCAN
};
