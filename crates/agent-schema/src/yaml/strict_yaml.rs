//! StrictYAML: a part of YAML in which every scalar is a text.
//!
//! Source of every rule: strictyaml 1.7.3 with the ruamel.yaml that it brings along, and runs of
//! `skills-ref` 0.1.1 on it.

use crate::value::Value;

use super::flavor::{
    Aliases, Anchors, Brackets, DuplicateKeys, Flavor, MergeKeys, MergeLists, Tag, Tags,
};
use super::pyyaml::PYYAML;

/// StrictYAML 1.7.3. Its scanner is PyYAML's, whose grammar libyaml shares; brackets, anchors, tags
/// and repeated keys are errors.
pub const STRICT_YAML: Flavor = Flavor {
    name: "StrictYAML 1.7.3",
    brackets: Brackets::Refused,
    anchors: Anchors::Refused,
    aliases: Aliases::Refused,
    tags: Tags::Refused,
    resolve: |text| match text {
        "<<" => Tag::Merge,
        _ => Tag::Text,
    },
    construct: |_, text| Ok(Value::Text(text.into())),
    key_identity: |key| match key {
        Value::Text(text) => Some(text.to_string()),
        _ => None,
    },
    merge_keys: MergeKeys::Merged(MergeLists::EarlierWins),
    duplicate_keys: DuplicateKeys::Refused,
    ..PYYAML
};
