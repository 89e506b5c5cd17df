//! OpenCode: skills as it finds them.
//!
//! Source of every rule: `opencode` 1.18.33, run on the cases of `agent-skills/resolve`.

use crate::coerce::{Coerced, Problem, Remarks, pydantic};
use crate::definition::FieldValue;
use crate::dialect::{
    Absent, Base, Basis, Dialect, Field, Level, Profile, ReadingRules, SearchPlace, SkillRules,
    SkipRule, Switch, Walk, WalkEnd, WalkStop,
};
use crate::header::Consequence;
use crate::skill_rules::{SameName, SkillFolder, SkillListing, SkillSearch, SkillSource};
use crate::text::{Encoding, LineEnds};
use crate::value::Node;
use crate::yaml;

use super::super::opencode::HEADER;
use super::{lenient, skills_only};

/// OpenCode as far as it loads skills.
pub static OPENCODE_SKILLS: Dialect = Dialect {
    id: "opencode",
    title: "OpenCode",
    profiles: &[Profile {
        id: "1.18.33",
        program: "opencode",
        harness: "opencode 1.18.33",
        recorded_as: None,
        basis: Basis::Ran,
        rules: skills_only(READING, RULES),
    }],
    foreign_keys: &[],
};

/// The rules, for the dialect of the harness.
pub const RULES: SkillRules = SkillRules::searched(&SEARCH, SkillListing::Unknown);

static SEARCH: SkillSearch = SkillSearch {
    reading: &READING,
    sources: &[
        SkillSource::Folder(user_folder(".claude/skills", NO_CLAUDE_CODE)),
        SkillSource::Folder(user_folder(".agents/skills", NO_EXTERNAL)),
        project(".claude/skills", Some(NO_CLAUDE_CODE)),
        project(".agents/skills", Some(NO_EXTERNAL)),
        user(CONFIG_HOME, "opencode/skill"),
        user(CONFIG_HOME, "opencode/skills"),
        project(".opencode/skill", None),
        project(".opencode/skills", None),
        user(Base::Home, ".opencode/skill"),
        user(Base::Home, ".opencode/skills"),
    ],
    // Files are read side by side, and the last one to be done has the name.
    same_name: SameName::NotFixed,
    ..lenient::SEARCH
};

const CONFIG_HOME: Base = Base::Variable {
    name: "XDG_CONFIG_HOME",
    or_home: ".config",
};

/// What switches off the folders of other harnesses.
const NO_CLAUDE_CODE: &Switch = &Switch {
    name: "no-claude-code-skills",
    meaning: "`OPENCODE_DISABLE_CLAUDE_CODE_SKILLS` in the environment",
    variable: Some("OPENCODE_DISABLE_CLAUDE_CODE_SKILLS"),
    leaves_out: &[],
};
const NO_EXTERNAL: &Switch = &Switch {
    name: "no-external-skills",
    meaning: "`OPENCODE_DISABLE_EXTERNAL_SKILLS` in the environment",
    variable: Some("OPENCODE_DISABLE_EXTERNAL_SKILLS"),
    leaves_out: &[],
};

const fn user(base: Base, folder: &'static str) -> SkillSource {
    let place = SearchPlace::at(Level::User, base, folder);
    SkillSource::Folder(SkillFolder::new(place, &lenient::SCAN))
}

const fn user_folder(folder: &'static str, unless: &'static Switch) -> SkillFolder {
    let place = SearchPlace::at(Level::User, Base::Home, folder);
    SkillFolder {
        unless: Some(unless),
        ..SkillFolder::new(place, &lenient::SCAN)
    }
}

const fn project(folder: &'static str, unless: Option<&'static Switch>) -> SkillSource {
    let place = SearchPlace::at(Level::Project, Base::Project, folder).walking(Walk::Up {
        until: &[WalkStop::AcceptedRepository],
        first: WalkEnd::Nearest,
    });
    SkillSource::Folder(SkillFolder {
        skips_home: true,
        unless,
        ..SkillFolder::new(place, &lenient::SCAN)
    })
}

/// A schema wants a name and takes a description; what does not fit it is dropped without a word.
const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        line_ends: LineEnds::Kept,
        ..lenient::READING.encoding
    },
    header: HEADER,
    yaml: yaml::JS_YAML_3,
    fields: &[
        Field {
            read: text,
            absent: Absent::Loses(Consequence::Ignored(SkipRule::NoName)),
            ..lenient::NAME
        },
        Field {
            read: text,
            ..lenient::DESCRIPTION
        },
    ],
    refused: Consequence::Ignored(SkipRule::RefusedValue),
    ..lenient::READING
};

fn text(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.as_text() {
        Some(text) => Ok(Some(FieldValue::text(text.to_owned()))),
        None => Err(Problem::rejects(
            node.span,
            format!("must be a text, not {}", pydantic::article(node)),
        )),
    }
}
