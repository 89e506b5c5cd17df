//! Codex: skills as its command line program finds them.
//!
//! Source of every rule: `codex-cli` 0.171.0, run on the cases of `agent-skills/resolve`; what they
//! leave open is taken from its source of summer 2026 (`core-skills/src/loader.rs`): the levels of
//! the system and of whoever manages the machine, and the order of all of them. The program puts
//! its own skills into the folder of the system when it starts.

use crate::coerce::{Coerced, Problem, Remarks, pydantic};
use crate::definition::{FieldName, FieldValue, Located};
use crate::dialect::{
    Absent, Base, Basis, Dialect, Field, Level, Profile, ReadingRules, SearchPlace, SkillRules,
    Walk, WalkEnd, WalkStop,
};
use crate::finish::Finish;
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap,
    RepairRules, Trim, Unclosed,
};
use crate::rules;
use crate::skill_rules::{
    Hidden, Reported, SameName, SkillFolder, SkillListing, SkillScan, SkillSearch, SkillSource,
};
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds, Replacement};
use crate::value::{Node, Value};
use crate::yaml::{self, Anchors, DuplicateKeys, Flavor, MergeKeys, Tag, Tags};

use super::checks::{LONGEST_NAME, refuse};
use super::{lenient, skills_only};

/// Codex as far as it loads skills.
pub static CODEX_SKILLS: Dialect = Dialect {
    id: "codex",
    title: "Codex",
    profiles: &[Profile {
        id: "0.171.0",
        program: "codex-cli",
        harness: "codex-cli 0.171.0",
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
        project(".codex/skills"),
        project(".agents/skills"),
        SkillSource::Folder(SkillFolder::new(
            SearchPlace::at(Level::User, Base::Home, ".agents/skills"),
            &SCAN,
        )),
        SkillSource::Folder(SkillFolder::new(
            SearchPlace::at(Level::User, CODEX_HOME, "skills"),
            &SCAN,
        )),
        SkillSource::Folder(SkillFolder::new(
            SearchPlace::at(Level::Builtin, CODEX_HOME, "skills/.system"),
            &SYSTEM_SCAN,
        )),
        SkillSource::Folder(SkillFolder::new(
            SearchPlace::at(Level::Managed, Base::ManagedOr("/etc/codex"), "skills"),
            &SCAN,
        )),
    ],
    // `load_skills_from_roots` sorts by level, name and path, and keeps all.
    same_name: SameName::AllKept,
    ..lenient::SEARCH
};

const CODEX_HOME: Base = Base::Variable {
    name: "CODEX_HOME",
    or_home: ".codex",
};

/// All folders from the root of the project down to the working folder; without a root the working
/// folder alone.
const fn project(folder: &'static str) -> SkillSource {
    SkillSource::Folder(SkillFolder {
        skips_home: true,
        ..SkillFolder::new(
            SearchPlace::at(Level::Project, Base::Project, folder).walking(Walk::Up {
                until: &[WalkStop::RepositoryOrBase],
                first: WalkEnd::Farthest,
            }),
            &SCAN,
        )
    })
}

/// `MAX_SCAN_DEPTH` is 6; a link to a file is passed over, one to a folder is followed.
const SCAN: SkillScan = SkillScan {
    deepest: 6,
    hidden: Hidden::Skipped,
    file_links: false,
    reported: Reported::Real,
    ..lenient::SCAN
};

/// In the folder of the system no link is followed.
const SYSTEM_SCAN: SkillScan = SkillScan {
    folder_links: false,
    ..SCAN
};

const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        invalid: InvalidBytes::Refused,
        byte_order_mark: ByteOrderMark::Kept,
        line_ends: LineEnds::Universal,
    },
    header: HeaderRules {
        forms: &[HeaderForm {
            language: Language::Yaml,
            opening: Fence::Padded("---"),
            closing: Fence::Padded("---"),
        }],
        trim_header: Trim::Nothing,
        absent: Consequence::Rejected,
        unclosed: Unclosed::Treated(Consequence::Rejected),
        repair: Some(RepairRules {
            edits,
            described: "puts values with a colon in quotes",
            still_broken: REFUSED,
        }),
        broken: REFUSED,
        not_a_map: |_| NotAMap::Treated(Consequence::Rejected),
        ..lenient::HEADER
    },
    yaml: SERDE_YAML,
    fields: &[
        Field {
            read: optional_text,
            absent: Absent::FolderName,
            ..lenient::NAME
        },
        Field {
            read: optional_text,
            ..lenient::DESCRIPTION
        },
    ],
    finish: check,
    ..lenient::READING
};

const REFUSED: Broken = Broken {
    consequence: Consequence::Rejected,
    prompt: BrokenPrompt::Body,
    harness_says: true,
};

/// serde_yaml 0.9 on libyaml, for a struct whose fields are texts: a number is taken as the text
/// that stands there.
const SERDE_YAML: Flavor = Flavor {
    name: "serde_yaml 0.9",
    anchors: Anchors::Redefinable,
    tags: Tags::Ignored,
    resolve: |text| match text {
        "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
        _ => Tag::Text,
    },
    construct: |tag, text| match tag {
        Tag::Null => Ok(Value::Null),
        _ => Ok(Value::Text(text.into())),
    },
    merge_keys: MergeKeys::Ordinary,
    duplicate_keys: DuplicateKeys::Refused,
    ..yaml::PYYAML
};

/// Takes a text and puts it on one line; nothing is left of an empty one.
fn optional_text(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.as_text() {
        Some(text) => {
            let words: Vec<&str> = text.split_whitespace().collect();
            Ok((!words.is_empty()).then(|| FieldValue::text(words.join(" "))))
        }
        None if node.is_null() => Ok(None),
        None => Err(Problem::rejects(
            node.span,
            format!("must be a text, not {}", pydantic::article(node)),
        )),
    }
}

fn check(finish: &mut Finish<'_>) {
    const WHY: &str = "Codex reports the file and drops it";
    if finish.is_lost {
        return;
    }
    let name = finish.definition.text(FieldName::NAME).unwrap_or_default();
    let length = name.chars().count();
    if length > LONGEST_NAME {
        let message = format!("the name has {length} characters; {LONGEST_NAME} are allowed");
        refuse(
            finish,
            FieldName::NAME,
            &rules::SKILL_NAME_LENGTH,
            message,
            WHY,
        );
    } else if length == 0 {
        // `default_skill_name` without a folder.
        let value = FieldValue::text("skill".to_owned());
        finish
            .definition
            .set(FieldName::NAME, Located::implied(value));
    }
    if finish.definition.description().is_empty() {
        let message = "there is no usable `description`".to_owned();
        let rule = &rules::SKILL_DESCRIPTION_MISSING;
        refuse(finish, FieldName::DESCRIPTION, rule, message, WHY);
    }
}

/// Puts plain values with a colon and a blank in single quotes, and such as begin with a sign
/// that no plain value may begin with; block texts and comments stay as they are.
fn edits(header: &str) -> Vec<Replacement> {
    let mut edits = Vec::new();
    let mut block_text: Option<usize> = None;
    let mut at = 0;
    for line in header.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        let indent = line.len() - line.trim_start_matches(' ').len();
        if let Some(outer) = block_text {
            if line.trim().is_empty() || indent > outer {
                continue;
            }
            block_text = None;
        }
        let Some((key, rest)) = line.split_once(':') else {
            continue;
        };
        if key.trim().is_empty() || !rest.chars().next().is_none_or(char::is_whitespace) {
            continue;
        }
        let value = without_comment(rest.trim_start()).trim_end();
        match value.chars().next() {
            None | Some('\'' | '"') => {}
            Some('|' | '>') => block_text = Some(indent),
            Some(_) if needs_quotes(value) => {
                let from = start + line.len() - rest.trim_start().len();
                let quoted = format!("'{}'", value.replace('\'', "''"));
                edits.push((from..from + value.len(), quoted));
            }
            Some(_) => {}
        }
    }
    edits
}

fn without_comment(value: &str) -> &str {
    let comment = value.char_indices().find(|(at, c)| {
        *c == '#'
            && value[..*at]
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace)
    });
    comment.map_or(value, |(at, _)| &value[..at])
}

fn needs_quotes(value: &str) -> bool {
    let mut colons = value.match_indices(':');
    let splits = colons.any(|(at, _)| value[at + 1..].starts_with(char::is_whitespace));
    let bracket = value.starts_with(['[', '{', '@', '`']);
    let text = crate::text::MappedText::plain(value);
    splits || (bracket && yaml::read(&text, &SERDE_YAML).is_err())
}
