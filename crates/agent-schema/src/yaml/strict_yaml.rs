//! StrictYAML: a part of YAML in which every scalar is a text.
//!
//! Source of every rule: strictyaml 1.7.3 with the ruamel.yaml that it brings along, and runs of
//! `skills-ref` 0.1.1 on it.

use crate::value::Value;

use super::flavor::{
    Aliases, Anchors, Brackets, DuplicateKeys, Flavor, Grammar, LineBreaks, MergeKeys, MergeLists,
    NestedMaps, PlainTabs, SurrogateEscapes, Tag, Tags,
};
use super::pyyaml::PYYAML;

/// StrictYAML 1.7.3. Its scanner is PyYAML's, whose grammar libyaml shares; brackets, anchors, tags
/// and repeated keys are errors.
pub const STRICT_YAML: Flavor = Flavor {
    name: "StrictYAML 1.7.3",
    line_breaks: LineBreaks::Yaml12,
    // Another port of PyYAML's scanner, with the same rules on tabs but for one.
    grammar: Grammar::SnakeYaml,
    plain_tabs: PlainTabs::Refused,
    nested_maps: NestedMaps::OneColumn,
    surrogate_escapes: SurrogateEscapes::Paired,
    brackets: Brackets::Refused,
    anchors: Anchors::Refused,
    aliases: Aliases::Refused,
    tags: Tags::Refused,
    resolve: |text| match text {
        "<<" => Tag::Merge,
        // It has a type of its own, which is no text.
        "=" => Tag::Null,
        _ => Tag::Text,
    },
    construct: |tag, text| match tag {
        Tag::Null => Ok(Value::Null),
        _ => Ok(Value::Text(text.into())),
    },
    key_identity: |key| match key {
        Value::Text(text) => Some(text.to_string()),
        Value::Null => Some("=".to_owned()),
        _ => None,
    },
    merge_keys: MergeKeys::Merged(MergeLists::EarlierWins),
    duplicate_keys: DuplicateKeys::Refused,
    ..PYYAML
};
