//! Gemini CLI: skills as its core finds them.
//!
//! Source of every rule: `gemini-cli-core` 0.61.0, run on the cases of `agent-skills/resolve`, and
//! its `skillLoader.js` and `skillManager.js`.

use crate::coerce::{Coerced, Remarks, javascript};
use crate::definition::FieldValue;
use crate::dialect::{
    Absent, Base, Basis, Case, Dialect, Field, Level, Profile, ReadingRules, SearchPlace,
    SkillRules, SkipRule,
};
use crate::header::{
    Broken, BrokenPrompt, Consequence, HeaderRules, NotAMap, RepairRules, Unclosed,
};
use crate::skill_rules::{
    Order, PluginNames, PluginSkills, SameName, SkillFolder, SkillListing, SkillScan, SkillSearch,
    SkillSource,
};
use crate::text::{ByteOrderMark, Encoding, Replacement};
use crate::value::{Node, Value};
use crate::yaml::{self, Flavor, Tag};

use super::{lenient, skills_only};

/// Gemini CLI as far as it loads skills.
pub static GEMINI_SKILLS: Dialect = Dialect {
    id: "gemini-cli",
    title: "Gemini CLI",
    profiles: &[Profile {
        id: "0.61.0",
        program: "gemini-cli-core",
        harness: "gemini-cli-core 0.61.0",
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
    // `discoverSkills`, the weakest first.
    sources: &[
        SkillSource::Plugins(EXTENSIONS),
        place(Level::User, Base::Home, ".gemini/skills"),
        place(Level::User, Base::Home, ".agents/skills"),
        place(Level::Project, Base::Project, ".gemini/skills"),
        place(Level::Project, Base::Project, ".agents/skills"),
    ],
    same_name: SameName::LastWins,
    trusted_levels: &[Level::Project],
    lookup: Case::Ignored,
    unlisted: &[
        "Gemini CLI also brings skills of its own. Which they are is not known here; any skill of \
         the same name beats one of them.",
    ],
    ..lenient::SEARCH
};

/// The extensions that are installed, read and not run. Settings that switch an extension off are
/// not looked at, nor are extensions that are only linked.
const EXTENSIONS: PluginSkills = PluginSkills {
    place: SearchPlace::at(Level::Plugin, Base::Home, ".gemini/extensions"),
    manifests: &["gemini-extension.json"],
    checked: None,
    folder: "skills",
    scan: &SCAN,
    more: None,
    names: PluginNames::Plain,
    named_by: None,
    own_file: None,
};

const fn place(level: Level, base: Base, folder: &'static str) -> SkillSource {
    SkillSource::Folder(SkillFolder::new(
        SearchPlace::at(level, base, folder),
        &SCAN,
    ))
}

/// The patterns `SKILL.md` and `*/SKILL.md`; a star stands for no hidden folder. The library gives
/// the files backwards (case `resolve/shapes`, the same in five runs).
const SCAN: SkillScan = SkillScan {
    deepest: 1,
    hidden: crate::skill_rules::Hidden::Skipped,
    skipped_folders: &["node_modules"],
    order: Order::Descending,
    ..lenient::SCAN
};

const IGNORED: Consequence = Consequence::Ignored(SkipRule::NoHeader);

const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        byte_order_mark: ByteOrderMark::Kept,
        ..lenient::READING.encoding
    },
    header: HeaderRules {
        absent: IGNORED,
        unclosed: Unclosed::Treated(IGNORED),
        repair: Some(RepairRules {
            edits,
            described: "reads the name and the description line by line",
            still_broken: BROKEN,
        }),
        broken: BROKEN,
        not_a_map: |_| NotAMap::Treated(Consequence::Ignored(SkipRule::HeaderNotAMap)),
        ..lenient::HEADER
    },
    yaml: TEXTS,
    fields: &[
        Field {
            read: name,
            absent: Absent::Loses(Consequence::Ignored(SkipRule::NoName)),
            ..lenient::NAME
        },
        Field {
            absent: Absent::Loses(Consequence::Ignored(SkipRule::NoDescription)),
            ..lenient::DESCRIPTION
        },
    ],
    ..lenient::READING
};

const BROKEN: Broken = Broken {
    consequence: Consequence::Ignored(SkipRule::BrokenHeader),
    prompt: BrokenPrompt::Body,
    harness_says: false,
};

/// js-yaml, with every scalar as the text that stands there: what is no text for js-yaml is read
/// again line by line, which gives just that.
const TEXTS: Flavor = Flavor {
    name: "js-yaml 4",
    resolve: |_| Tag::Text,
    construct: |_, text| Ok(Value::Text(text.into())),
    ..yaml::CORE
};

/// Replaces what no file may be called by a hyphen.
fn name(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let clean = |text: &str| text.replace([':', '\\', '/', '<', '>', '*', '?', '"', '|'], "-");
    Ok(node.as_text().map(|text| FieldValue::text(clean(text))))
}

/// Keeps of a header that js-yaml cannot read the name and the description.
fn edits(header: &str) -> Vec<Replacement> {
    let mut name = None;
    let mut description = None;
    let mut lines = header.split('\n').peekable();
    while let Some(line) = lines.next() {
        let line = line.trim_start_matches(javascript::is_space);
        if let Some(value) = line.strip_prefix("name:") {
            name = Some(javascript::trim(value).to_owned());
        } else if let Some(value) = line.strip_prefix("description:") {
            let mut parts = vec![javascript::trim(value)];
            let is_more = |line: &&str| {
                line.starts_with([' ', '\t']) && !line.trim_start_matches([' ', '\t']).is_empty()
            };
            while let Some(more) = lines.next_if(is_more) {
                parts.push(javascript::trim(more));
            }
            parts.retain(|part| !part.is_empty());
            description = Some(parts.join(" "));
        }
    }
    let fields = [("name", name), ("description", description)];
    let written = fields.iter().filter_map(|(key, value)| {
        let value = value.as_ref()?.replace('\'', "''");
        Some(format!("{key}: '{value}'\n"))
    });
    vec![(0..header.len(), written.collect())]
}
