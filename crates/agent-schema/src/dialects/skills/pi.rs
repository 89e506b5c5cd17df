//! Pi: skills as its own loader reads and finds them.
//!
//! Source of every rule: `pi-coding-agent` 1.6.0 and 0.82.1, run on the cases of `agent-skills`,
//! and their `dist/core/skills.js`, `dist/core/package-manager.js` and `dist/utils/frontmatter.js`.

use crate::coerce::{Coerced, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldName, FieldValue, FloatWords, Located};
use crate::dialect::{
    Absent, AliasUse, Base, Basis, Case, Dialect, Field, KeyRules, Level, NotTextKeys, Profile,
    ReadingRules, SearchPlace, SkillRules, UnknownKeys, Walk, WalkEnd, WalkStop,
};
use crate::finish::{self, Finish};
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap, Trim,
    Unclosed,
};
use crate::known_words::KnownWords;
use crate::rules;
use crate::skill_rules::{
    FoundBy, Hidden, InsideSkill, Loose, LooseFaults, NamedBy, Order, Reported, SameName,
    SettingsFile, SkillFolder, SkillListing, SkillScan, SkillSearch, SkillSource, TrustSign,
};
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::value::{Node, Value};
use crate::yaml;

use super::checks::{LONGEST_DESCRIPTION, LONGEST_NAME, Text, refuse};
use super::{DISABLE_MODEL_INVOCATION, as_written, skills_only};

/// Pi as far as it loads skills.
pub static PI_SKILLS: Dialect = Dialect {
    id: "pi",
    title: "Pi",
    profiles: &[
        Profile {
            id: "1.6.0",
            program: "pi-coding-agent",
            harness: "pi-coding-agent 1.6.0",
            recorded_as: None,
            basis: Basis::Ran,
            rules: skills_only(READING, RULES),
        },
        Profile {
            id: "0.82.1",
            program: "pi-coding-agent",
            harness: "pi-coding-agent 0.82.1",
            recorded_as: None,
            basis: Basis::Ran,
            rules: skills_only(READING_0_82, RULES_0_82),
        },
        Profile {
            id: "1.6.0-loadSkills",
            program: "pi-coding-agent",
            harness: "pi-coding-agent 1.6.0 loadSkills",
            recorded_as: None,
            basis: Basis::Ran,
            rules: skills_only(READING, RULES_OF_HELPER),
        },
    ],
    foreign_keys: &[],
};

/// The rules of the latest version, for the dialect of the harness.
pub const RULES: SkillRules = SkillRules::searched(&SEARCH, SkillListing::Indented);

/// The rules of version 0.82.1.
pub const RULES_0_82: SkillRules = SkillRules::searched(&SEARCH_0_82, SkillListing::Indented);

/// The rules of the function `loadSkills` that 1.6.0 exports, with its defaults. It disagrees with
/// what Pi itself loads.
pub const RULES_OF_HELPER: SkillRules = SkillRules::searched(&HELPER, SkillListing::Indented);

/// The folder of Pi's own in the home.
pub(super) const AGENT_FOLDER: Base = Base::Variable {
    name: "PI_CODING_AGENT_DIR",
    or_home: ".pi/agent",
};

static SEARCH: SkillSearch = SkillSearch {
    reading: &READING,
    sources: SOURCES,
    ..COMMON
};

/// Loose files are told about, and those in groups of `.agents/skills` are not found yet.
static SEARCH_0_82: SkillSearch = SkillSearch {
    reading: &READING_0_82,
    sources: SOURCES_0_82,
    loose_faults: LooseFaults::Told,
    ..COMMON
};

static HELPER: SkillSearch = SkillSearch {
    sources: &[
        SkillSource::Folder(SkillFolder {
            found_by: FoundBy::Settings,
            ..SkillFolder::new(USER_PLACE, &SCAN)
        }),
        SkillSource::Folder(SkillFolder {
            found_by: FoundBy::Settings,
            ..SkillFolder::new(PROJECT_PLACE, &SCAN)
        }),
        SkillSource::CommandLine(&SCAN),
    ],
    ..COMMON
};

const COMMON: SkillSearch = SkillSearch {
    reading: &READING,
    sources: &[],
    named_by: NamedBy::Header,
    same_name: SameName::FirstWins,
    loose_faults: LooseFaults::Silent,
    trusted_levels: &[Level::Project],
    trust_signs: TRUST_SIGNS,
    lookup: Case::Exact,
    cut_at: None,
    unlisted: &[],
};

const PROJECT_PLACE: SearchPlace = SearchPlace::at(Level::Project, Base::Project, ".pi/skills");
const USER_PLACE: SearchPlace = SearchPlace::at(Level::User, AGENT_FOLDER, "skills");

/// `resourcePrecedenceRank` in `package-manager.js`: settings before what is found, project before
/// user, packages last; then what the command line names (case `discover/cli-path-dir`).
const SOURCES: &[SkillSource] = &[
    SkillSource::Settings(PROJECT_SETTINGS),
    PROJECT_FOLDER,
    project_agents_folder(&AGENTS_SCAN),
    SkillSource::Settings(USER_SETTINGS),
    USER_FOLDER,
    user_agents_folder(&AGENTS_SCAN),
    SkillSource::Packages(PROJECT_SETTINGS),
    SkillSource::Packages(USER_SETTINGS),
    SkillSource::CommandLine(&SCAN),
];

const SOURCES_0_82: &[SkillSource] = &[
    SkillSource::Settings(PROJECT_SETTINGS),
    PROJECT_FOLDER,
    project_agents_folder(&AGENTS_SCAN_0_82),
    SkillSource::Settings(USER_SETTINGS),
    USER_FOLDER,
    user_agents_folder(&AGENTS_SCAN_0_82),
    SkillSource::Packages(PROJECT_SETTINGS),
    SkillSource::Packages(USER_SETTINGS),
    SkillSource::CommandLine(&SCAN),
];

const PROJECT_FOLDER: SkillSource = SkillSource::Folder(SkillFolder {
    switched_by: Some(&PROJECT_SETTINGS),
    ..SkillFolder::new(PROJECT_PLACE, &SCAN)
});

const USER_FOLDER: SkillSource = SkillSource::Folder(SkillFolder {
    switched_by: Some(&USER_SETTINGS),
    ..SkillFolder::new(USER_PLACE, &SCAN)
});

/// The walk ends at the root of the repository, or else at that of the file system.
const fn project_agents_folder(scan: &'static SkillScan) -> SkillSource {
    SkillSource::Folder(SkillFolder {
        skips_home: true,
        switched_by: Some(&PROJECT_SETTINGS),
        ..SkillFolder::new(
            SearchPlace::at(Level::Project, Base::Project, ".agents/skills").walking(Walk::Up {
                until: &[WalkStop::Repository],
                first: WalkEnd::Nearest,
            }),
            scan,
        )
    })
}

const fn user_agents_folder(scan: &'static SkillScan) -> SkillSource {
    SkillSource::Folder(SkillFolder {
        switched_by: Some(&USER_SETTINGS),
        ..SkillFolder::new(
            SearchPlace::at(Level::User, Base::Home, ".agents/skills"),
            scan,
        )
    })
}

const PROJECT_SETTINGS: SettingsFile = SettingsFile {
    place: SearchPlace::at(Level::Project, Base::Project, ".pi"),
    name: "settings.json",
    scan: &SCAN,
    patterns: true,
    package_folder: Some("skills"),
};

const USER_SETTINGS: SettingsFile = SettingsFile {
    place: SearchPlace::at(Level::User, AGENT_FOLDER, ""),
    ..PROJECT_SETTINGS
};

/// `collectSkillEntries` with the mode `pi`.
pub(super) const SCAN: SkillScan = SkillScan {
    shallowest: 0,
    deepest: usize::MAX,
    inside: InsideSkill::Skipped,
    hidden: Hidden::Skipped,
    skipped_folders: &["node_modules"],
    loose: Loose::Top,
    suffix_case: Case::Exact,
    file_links: true,
    folder_links: true,
    ignore_files: &[".gitignore", ".ignore", ".fdignore"],
    reported: Reported::AsFound,
    order: Order::Ascending,
};

/// The same with the mode `agents`.
const AGENTS_SCAN: SkillScan = SkillScan {
    loose: Loose::Below,
    ..SCAN
};

const AGENTS_SCAN_0_82: SkillScan = SkillScan {
    loose: Loose::None,
    ..SCAN
};

/// Cases `pi/trust.json`. `.agents/skills` counts in any folder above, whatever the repository.
const TRUST_SIGNS: &[TrustSign] = &[
    sign(".pi/settings.json"),
    sign(".pi/mcp.json"),
    sign(".pi/extensions"),
    sign(".pi/skills"),
    sign(".pi/prompts"),
    sign(".pi/themes"),
    sign(".pi/SYSTEM.md"),
    sign(".pi/APPEND_SYSTEM.md"),
    TrustSign {
        place: SearchPlace::at(Level::Project, Base::Project, ".agents/skills").walking(Walk::Up {
            until: &[],
            first: WalkEnd::Nearest,
        }),
        skips_home: true,
    },
];

const fn sign(path: &'static str) -> TrustSign {
    TrustSign {
        place: SearchPlace::at(Level::Project, Base::Project, path),
        skips_home: false,
    }
}

const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        invalid: InvalidBytes::Replaced,
        byte_order_mark: ByteOrderMark::Dropped,
        line_ends: LineEnds::Universal,
    },
    header: HeaderRules {
        trim_file: Trim::Nothing,
        // The text between starts one character after the opening dashes, whatever it is.
        forms: &[HeaderForm {
            language: Language::Yaml,
            opening: Fence::Characters("---"),
            closing: Fence::Characters("\n---"),
        }],
        trim_header: Trim::FirstCharacter,
        trim_body: Trim::JavaScript,
        absent: Consequence::LoadsWithoutFields,
        unclosed: Unclosed::Treated(Consequence::LoadsWithoutFields),
        repair: None,
        broken: Broken {
            consequence: Consequence::Rejected,
            prompt: BrokenPrompt::Body,
            harness_says: true,
        },
        not_a_map: |_| NotAMap::Treated(Consequence::LoadsWithoutFields),
        empty_map: None,
    },
    yaml: yaml::CORE,
    keys: KeyRules {
        unknown: UnknownKeys::Dropped,
        reserved: &[],
        not_text: NotTextKeys::PassedOver,
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: &[],
    },
    // In the order in which Pi looks at them.
    fields: &[DESCRIPTION, NAME, DISABLED],
    shown: &[
        FieldName::NAME,
        FieldName::DESCRIPTION,
        FieldName::PROMPT,
        DISABLE_MODEL_INVOCATION,
    ],
    refused: Consequence::Rejected,
    finish: check,
    resolve: finish::as_read,
    float_words: FloatWords::Java,
    known_words: &KnownWords::NONE,
};

const READING_0_82: ReadingRules = ReadingRules {
    encoding: Encoding {
        byte_order_mark: ByteOrderMark::Kept,
        ..READING.encoding
    },
    fields: &[
        Field {
            read: truthy,
            ..DESCRIPTION
        },
        Field {
            read: truthy,
            ..NAME
        },
        DISABLED,
    ],
    finish: check_0_82,
    ..READING
};

const NAME: Field = Field {
    key: "name",
    aliases: &[],
    target: FieldName::NAME,
    read: name,
    absent: Absent::FolderName,
    accepts: "lower-case letters, digits and hyphens",
};

const DESCRIPTION: Field = Field {
    key: "description",
    aliases: &[],
    target: FieldName::DESCRIPTION,
    read: as_written,
    absent: Absent::Unset,
    accepts: "a text of at most 1024 characters",
};

const DISABLED: Field = Field {
    key: "disable-model-invocation",
    aliases: &[],
    target: DISABLE_MODEL_INVOCATION,
    read: only_true,
    absent: Absent::Flag(false),
    accepts: "`true` or `false`",
};

/// Takes a name that is a text; without one the folder names the skill.
fn name(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.as_text() {
        Some("") => Ok(None),
        Some(text) => Ok(Some(FieldValue::text(text.to_owned()))),
        None if node.is_null() => Ok(None),
        None => Err(Problem::leaves_unset(
            node.span,
            format!(
                "is {}, not a text: the folder names the skill",
                pydantic::article(node)
            ),
        )),
    }
}

/// Only the value `true` counts; the text does nothing.
fn only_true(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Bool(flag) => Ok(Some(FieldValue::Flag(*flag))),
        Value::Null => Ok(None),
        _ => Err(Problem::leaves_unset(
            node.span,
            format!("is {}, which does nothing", pydantic::article(node)),
        )),
    }
}

/// Keeps what JavaScript takes for something.
fn truthy(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match javascript::is_truthy(node) {
        true => as_written(node, remarks),
        false => Ok(None),
    }
}

fn check(finish: &mut Finish<'_>) {
    if !finish.is_lost {
        check_description(finish);
        check_name(finish);
    }
}

/// Version 0.82.1 asks values that are no texts for what only texts can do.
fn check_0_82(finish: &mut Finish<'_>) {
    const WHY: &str = "Pi calls it like a text, and its own code fails on this file";
    if finish.is_lost {
        return;
    }
    for field in [FieldName::DESCRIPTION, FieldName::NAME] {
        let value = finish.definition.field(field).map(|field| &field.value);
        if matches!(value, Some(FieldValue::Config(_))) {
            let message = format!("`{field}` must be a text");
            refuse(
                finish,
                field,
                &rules::SKILL_INTERNAL_TYPE_ERROR,
                message,
                WHY,
            );
            return;
        }
        match field {
            FieldName::NAME => check_name(finish),
            _ => check_description(finish),
        }
    }
}

fn check_description(finish: &mut Finish<'_>) {
    let field = FieldName::DESCRIPTION;
    let Some(text) = finish
        .definition
        .text(field)
        .filter(|text| !text.trim_matches(javascript::is_space).is_empty())
    else {
        let message = "there is no usable `description`".to_owned();
        let why = "Pi drops a skill without a description";
        refuse(
            finish,
            field,
            &rules::SKILL_DESCRIPTION_MISSING,
            message,
            why,
        );
        return;
    };
    let length = (javascript::length(text), LONGEST_DESCRIPTION);
    let text = Text {
        field,
        text,
        span: finish.definition.place(field).map(|place| place.value),
    };
    let rule = (&rules::SKILL_DESCRIPTION_LENGTH, WHY);
    text.check_length("description", length, rule, &mut finish.findings);
}

fn check_name(finish: &mut Finish<'_>) {
    let field = FieldName::NAME;
    let Some(Located {
        value: FieldValue::Text(name),
        place,
    }) = finish.definition.field(field)
    else {
        return;
    };
    let text = Text {
        field,
        text: name,
        span: place.map(|place| place.value),
    };
    let findings = &mut finish.findings;
    let length = (javascript::length(name), LONGEST_NAME);
    text.check_length("name", length, (&rules::SKILL_NAME_LENGTH, WHY), findings);
    let is_allowed = |b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-');
    if !name.bytes().all(is_allowed) {
        let message = "the name has characters that it may not have";
        findings.push(
            text.finding(&rules::SKILL_NAME_CHARS, message)
                .because(WHY)
                .help("use `a` to `z`, digits and hyphens"),
        );
    }
    text.check_hyphens(WHY, findings);
}

const WHY: &str = "Pi warns of what the specification does not allow, and loads the skill";
