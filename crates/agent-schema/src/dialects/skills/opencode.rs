//! OpenCode: skills as it finds them.
//!
//! Source of every rule: `opencode` 1.18.33, run on the cases of `agent-skills/resolve`.

use crate::coerce::{Coerced, Problem, Remarks, javascript, pydantic};
use crate::definition::FieldValue;
use crate::dialect::{
    Absent, Base, Basis, Dialect, Field, Level, Profile, ReadingRules, SearchPlace, SkillRules,
    SkipRule, Walk, WalkEnd, WalkStop,
};
use crate::header::{Broken, BrokenPrompt, Consequence, HeaderRules, RepairRules};
use crate::skill_rules::{SameName, SkillFolder, SkillListing, SkillSearch, SkillSource};
use crate::text::Replacement;
use crate::value::Node;

use super::{lenient, skills_only};

/// OpenCode as far as it loads skills.
pub static OPENCODE_SKILLS: Dialect = Dialect {
    id: "opencode",
    title: "OpenCode",
    profiles: &[Profile {
        id: "1.18.33",
        harness: "opencode 1.18.33",
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
        user(Base::Home, ".claude/skills"),
        user(Base::Home, ".agents/skills"),
        project(".claude/skills"),
        project(".agents/skills"),
        user(CONFIG_HOME, "opencode/skill"),
        user(CONFIG_HOME, "opencode/skills"),
        project(".opencode/skill"),
        project(".opencode/skills"),
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

const fn user(base: Base, folder: &'static str) -> SkillSource {
    let place = SearchPlace::at(Level::User, base, folder);
    SkillSource::Folder(SkillFolder::new(place, &lenient::SCAN))
}

const fn project(folder: &'static str) -> SkillSource {
    SkillSource::Folder(SkillFolder {
        skips_home: true,
        ..SkillFolder::new(
            SearchPlace::at(Level::Project, Base::Project, folder).walking(Walk::Up {
                until: &[WalkStop::Repository],
                first: WalkEnd::Nearest,
            }),
            &lenient::SCAN,
        )
    })
}

const READING: ReadingRules = ReadingRules {
    header: HeaderRules {
        repair: Some(RepairRules {
            edits,
            described: "turns values with a colon into block texts",
            still_broken: REFUSED,
        }),
        broken: REFUSED,
        ..lenient::HEADER
    },
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
    ..lenient::READING
};

const REFUSED: Broken = Broken {
    consequence: Consequence::Rejected,
    prompt: BrokenPrompt::Body,
    harness_says: true,
};

fn text(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.as_text() {
        Some(text) => Ok(Some(FieldValue::Text(text.to_owned()))),
        None if node.is_null() => Ok(None),
        None => Err(Problem::leaves_unset(
            node.span,
            format!("is {}, not a text", pydantic::article(node)),
        )),
    }
}

/// Turns every top-level `word: value` whose value holds a colon into a block text.
fn edits(header: &str) -> Vec<Replacement> {
    let mut edits = Vec::new();
    let mut at = 0;
    for line in header.split_inclusive('\n') {
        let written = line.trim_end_matches(['\n', '\r']);
        if let Some((key, value)) = value_with_colon(written) {
            edits.push((at..at + written.len(), format!("{key}: |-\n  {value}")));
        }
        at += line.len();
    }
    edits
}

/// Splits a line that is mended into its key and its value.
fn value_with_colon(line: &str) -> Option<(&str, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let key = &line[..line.find(|c| !is_word(c)).unwrap_or(line.len())];
    if !key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let value = line[key.len()..].trim_start_matches(javascript::is_space);
    let value = javascript::trim(value.strip_prefix(':')?);
    let left_alone = matches!(value, "" | ">" | "|") || value.starts_with(['"', '\'']);
    (!left_alone && value.contains(':')).then_some((key, value))
}
