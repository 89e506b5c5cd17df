//! What lenient loaders of skills have in common, for each one to change.

use crate::definition::{FieldName, FloatWords};
use crate::dialect::{
    Absent, AliasUse, Case, Field, KeyRules, NotTextKeys, ReadingRules, UnknownKeys,
};
use crate::finish;
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap, Trim,
    Unclosed,
};
use crate::known_words::KnownWords;
use crate::skill_rules::{
    Hidden, InsideSkill, Loose, LooseFaults, NamedBy, Order, Reported, SameName, SkillScan,
    SkillSearch,
};
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::yaml;

use super::as_written;

/// A reader that takes what it can get: the header between lines of dashes, and from it a
/// description and perhaps a name.
pub(super) const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        invalid: InvalidBytes::Replaced,
        byte_order_mark: ByteOrderMark::Dropped,
        line_ends: LineEnds::Universal,
    },
    header: HEADER,
    yaml: yaml::CORE,
    keys: KeyRules {
        unknown: UnknownKeys::Dropped,
        reserved: &[],
        not_text: NotTextKeys::PassedOver,
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: &[],
    },
    fields: &[
        Field {
            absent: Absent::FolderName,
            ..NAME
        },
        DESCRIPTION,
    ],
    shown: &[FieldName::NAME, FieldName::DESCRIPTION, FieldName::PROMPT],
    refused: Consequence::Rejected,
    finish: finish::nothing,
    resolve: finish::as_read,
    float_words: FloatWords::Java,
    known_words: &KnownWords::NONE,
};

pub(super) const HEADER: HeaderRules = HeaderRules {
    trim_file: Trim::Nothing,
    forms: &[HeaderForm {
        language: Language::Yaml,
        opening: Fence::Line("---"),
        closing: Fence::Characters("\n---"),
    }],
    trim_header: Trim::FirstCharacter,
    trim_body: Trim::JavaScript,
    absent: Consequence::LoadsWithoutFields,
    unclosed: Unclosed::Treated(Consequence::LoadsWithoutFields),
    repair: None,
    broken: Broken {
        consequence: Consequence::LoadsWithoutFields,
        prompt: BrokenPrompt::Body,
        harness_says: false,
    },
    not_a_map: |_| NotAMap::Treated(Consequence::LoadsWithoutFields),
    empty_map: None,
};

pub(super) const NAME: Field = Field {
    key: "name",
    aliases: &[],
    target: FieldName::NAME,
    read: as_written,
    absent: Absent::Unset,
    accepts: "lower-case letters, digits and hyphens",
};

pub(super) const DESCRIPTION: Field = Field {
    key: "description",
    target: FieldName::DESCRIPTION,
    accepts: "a text",
    ..NAME
};

/// A search in which the first skill of a name has it.
pub(in crate::dialects) const SEARCH: SkillSearch = SkillSearch {
    reading: &READING,
    sources: &[],
    named_by: NamedBy::Header,
    same_name: SameName::FirstWins,
    loose_faults: LooseFaults::Silent,
    trusted_levels: &[],
    trust_signs: &[],
    lookup: Case::Exact,
    cut_at: None,
    unlisted: &[],
};

/// All folders at any depth, hidden ones too, with links followed.
pub(in crate::dialects) const SCAN: SkillScan = SkillScan {
    shallowest: 0,
    deepest: usize::MAX,
    inside: InsideSkill::Searched,
    hidden: Hidden::Entered,
    skipped_folders: &[],
    loose: Loose::None,
    suffix_case: Case::Exact,
    file_links: true,
    folder_links: true,
    ignore_files: &[],
    reported: Reported::AsFound,
    order: Order::Ascending,
};
