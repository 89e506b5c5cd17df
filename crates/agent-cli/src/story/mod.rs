//! The story of a name or a file, as data: what the text and the JSON of `explain` are made of.

mod fields;
mod near;
mod skills;
mod skills_below;
mod verdicts;
mod versions;

pub(crate) use fields::{EffectiveField, Given, effective_fields};
pub(crate) use near::{Around, Near, near_misses};
pub(crate) use skills::{Candidate, SkillField, SkillNear, SkillProfile, SkillTold, parts};
pub(crate) use verdicts::{is_switched_off, name_position, passed_over, reason};
pub(crate) use versions::{OtherProfile, file_elsewhere, other_profiles};
