//! Agent Skills: how a `SKILL.md` is read, by the specification and by the harnesses that load it.
//!
//! [`AGENT_SKILLS`] is the pure format, as the reference library checks it. Each harness that loads
//! skills has a file of its own here, for its dialect to take the rules from. Those without a
//! dialect of their own stand in [`LOADERS`].

mod checks;
pub mod codex;
pub mod gemini_cli;
pub(super) mod lenient;
pub mod opencode;
pub mod pi;
pub mod pi_subagents;
mod specification;
pub mod vs_code;
mod writing;

use crate::coerce::{Coerced, Remarks};
use crate::definition::{FieldName, FieldValue};
use crate::dialect::{
    AllSuffix, Case, Dialect, FactoryRules, FileRules, Folders, Links, LookupRules, MergeRules,
    NameOrder, NamedBy, PluginRules, Precedence, Profile, ReadingRules, Rules, SearchRules,
    SkillRules, Unreadable,
};
use crate::value::Node;

pub use specification::AGENT_SKILLS;

/// The licence of a skill.
pub const LICENSE: FieldName = FieldName::of_dialect("license");
/// What a skill needs of its surroundings.
pub const COMPATIBILITY: FieldName = FieldName::of_dialect("compatibility");
/// The tools that a skill may use without asking.
pub const ALLOWED_TOOLS: FieldName = FieldName::of_dialect("allowed_tools");
/// The properties that a skill has for some client.
pub const PROPERTIES: FieldName = FieldName::of_dialect("properties");
/// Whether the model may not use the skill by itself.
pub const DISABLE_MODEL_INVOCATION: FieldName = FieldName::of_dialect("disable_model_invocation");

/// The harnesses that load skills, each as a dialect whose files are skills.
pub static LOADERS: &[&Dialect] = &[
    &AGENT_SKILLS,
    &codex::CODEX_SKILLS,
    &gemini_cli::GEMINI_SKILLS,
    &opencode::OPENCODE_SKILLS,
    &pi::PI_SKILLS,
    &pi_subagents::PI_SUBAGENTS_SKILLS,
    &pi_subagents::TINTINWEB_SKILLS,
    &vs_code::VS_CODE_SKILLS,
];

/// The loaders of harnesses that have no dialect; the others are those of a dialect, or extensions
/// of one.
pub static HARNESSES: &[&Dialect] = &[
    &codex::CODEX_SKILLS,
    &gemini_cli::GEMINI_SKILLS,
    &vs_code::VS_CODE_SKILLS,
];

/// Finds the loader that describes a harness as the conformance cases name it.
#[must_use]
pub fn loader(harness: &str) -> Option<(&'static Dialect, &'static Profile)> {
    let mut loaders = LOADERS.iter().chain(super::ALL);
    loaders.find_map(|dialect| Some((*dialect, dialect.profile_of_harness(harness)?)))
}

/// Keeps a value as it is written, for the last step to judge.
fn as_written(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    Ok(Some(match node.as_text() {
        Some(text) => FieldValue::text(text.to_owned()),
        None => FieldValue::config(node.clone()),
    }))
}

/// The rules of a harness of which only its skills are described.
const fn skills_only(reading: ReadingRules, skills: SkillRules) -> Rules {
    Rules {
        reading,
        agents: SearchRules::of(&[], SKILL_FILE, Precedence::FirstFound),
        plugins: PluginRules {
            folder: "",
            files: SKILL_FILE,
            reading: None,
            manifest: None,
            folders_in_names: false,
            nested: false,
        },
        merging: MergeRules::NONE,
        searches: &[],
        roster: None,
        skills,
        lookup: LookupRules {
            default: None,
            deprecated: &[],
            cut_at: None,
            also_called: &[],
            any_case: false,
            spelled_freely: None,
            description_budget: None,
            builtins_first: None,
            untold: |_| false,
        },
        factory: FactoryRules::PLAIN,
        writing: &writing::WRITING,
    }
}

/// Which file is a skill: the one that is called `SKILL.md`.
const SKILL_FILE: FileRules = FileRules {
    suffix: "SKILL.md",
    suffix_case: Case::Exact,
    all_suffix: AllSuffix::IsTheName,
    // The whole name counts, so all of it is the suffix.
    split: |name| ("", name),
    skipped: &[],
    skipped_case: Case::Exact,
    named_by: NamedBy::FileName,
    folders: Folders::PassedOver,
    links: Links::Anywhere,
    order: NameOrder::CodePoint,
    unreadable: Unreadable::Told,
};
