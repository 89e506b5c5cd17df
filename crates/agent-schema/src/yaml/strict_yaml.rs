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

#[cfg(test)]
mod tests {
    use crate::text::MappedText;
    use crate::yaml::{STRICT_YAML, read};

    /// What strictyaml 1.7.3 reads, and what it fails on.
    #[test]
    fn tabs_and_columns_count() {
        for (text, is_read) in [
            ("a: b\tc\n", false),
            ("a: b\t\n", false),
            ("a:\n- b\t\n", false),
            ("a\t: b\n", false),
            ("a: \"b\tc\"\n", true),
            ("a: |\n  b\tc\n", true),
            ("# b\tc\na: b\n", true),
            ("a:\n  b: c\nd:\n  e: f\n", true),
            ("a:\n   b: c\nd:\n  e: f\n", false),
            ("a:\n  b: c\nd:\n  e:\n     f: g\n", true),
            ("a:\n  - b\nd:\n    e: f\n", true),
        ] {
            let found = read(&MappedText::plain(text), &STRICT_YAML);
            assert_eq!(found.is_ok(), is_read, "{text:?}: {found:?}");
        }
    }
}
