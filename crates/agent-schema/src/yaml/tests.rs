//! Tables of texts with what a reader makes of them.
//!
//! Every expectation for PyYAML was compared with PyYAML 6.0.4 or 6.0.2.

use proptest::prelude::*;

use super::*;
use crate::source::Span;
use crate::value::{Style, Value};

/// Writes a value in one line, with types where the notation of YAML is ambiguous.
fn shown(node: &Node) -> String {
    let all = |nodes: &[Node]| nodes.iter().map(shown).collect::<Vec<_>>().join(", ");
    match node.get() {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => format!("{text:?}"),
        Value::Date(text) => format!("date {text}"),
        Value::Timestamp(text) => format!("time {text}"),
        Value::Binary(bytes) => format!("bytes {bytes:?}"),
        Value::List(items) => format!("[{}]", all(items)),
        Value::Set(items) => format!("set [{}]", all(items)),
        Value::Map(map) => {
            let entries = map.entries.iter();
            let entries =
                entries.map(|entry| format!("{}: {}", shown(&entry.key), shown(&entry.value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Pairs(pairs) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(key, value)| format!("({}, {})", shown(key), shown(value)));
            format!("pairs [{}]", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Recursive(anchor) => format!("endless {anchor}"),
        other => format!("{other:?}"),
    }
}

/// Writes the value of a text, or the error: kind, the text at its place, and the message.
fn outcome(text: &str, flavor: &Flavor) -> String {
    match read(&MappedText::plain(text), flavor) {
        Ok(Some(node)) => shown(&node),
        Ok(None) => "nothing".to_owned(),
        Err(error) => {
            let place = &text[error.span.start as usize..error.span.end as usize];
            format!("{:?} at {place:?}", error.kind)
        }
    }
}

fn check(flavor: &Flavor, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(outcome(text, flavor), *expected, "{text:?}");
    }
}

#[test]
fn plain_scalars_have_the_types_of_yaml_1_1() {
    check(
        &PYYAML,
        &[
            ("yes", "true"),
            ("Off", "false"),
            ("yEs", "\"yEs\""),
            ("y", "\"y\""),
            ("~", "null"),
            ("NULL", "null"),
            ("nULL", "\"nULL\""),
            ("0755", "493"),
            ("0789", "\"0789\""),
            ("0o17", "\"0o17\""),
            ("0x_1F", "31"),
            ("-0b1_01", "-5"),
            ("+1_000_", "1000"),
            ("0_", "0"),
            ("0x_", "Value at \"0x_\""),
            ("_1", "\"_1\""),
            ("12:30:45", "45045"),
            ("-1:30", "-90"),
            ("60:99", "\"60:99\""),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
            ("-0xffffffffffffffffff", "-4722366482869645213695"),
            ("1.5", "1.5"),
            ("7.", "7.0"),
            (".5", "0.5"),
            ("-.5", "\"-.5\""),
            ("._5", "\"._5\""),
            ("1e3", "\"1e3\""),
            ("1.0e3", "\"1.0e3\""),
            ("1.0e+3", "1000.0"),
            ("1:30.5", "90.5"),
            ("685_230.15", "685230.15"),
            ("-.INF", "-inf"),
            (".NaN", "NaN"),
            ("+.nan", "\"+.nan\""),
            ("2026-03-09", "date 2026-03-09"),
            ("2026-3-9", "\"2026-3-9\""),
            (
                "2026-3-9 1:02:03.5 +1",
                "time 2026-03-09 01:02:03.500000+01:00",
            ),
            ("2026-02-30", "Value at \"2026-02-30\""),
            ("a: =", "Value at \"=\""),
            ("a: <<", "Value at \"<<\""),
            ("=: 1", "{\"=\": 1}"),
        ],
    );
}

#[test]
fn tags_choose_the_type() {
    check(
        &PYYAML,
        &[
            ("!!str 5", "\"5\""),
            ("!!s%74r 5", "\"5\""),
            ("!<tag:yaml.org,2002:int> '5'", "5"),
            ("! 5", "5"),
            ("! '5'", "5"),
            ("a: !", "{\"a\": \"\"}"),
            ("!!int ' 12 '", "12"),
            ("!!int 0o7", "7"),
            ("!!float 1", "1.0"),
            ("!!float infinity", "inf"),
            ("!!bool Yes", "true"),
            ("!!bool maybe", "Value at \"maybe\""),
            ("!!null x", "null"),
            ("!!binary aGk=", "bytes [104, 105]"),
            ("!!timestamp 2026-3-9", "date 2026-03-09"),
            ("!!set {a, b, a}", "set [\"a\", \"b\"]"),
            ("!!omap [a: 1, b: 2]", "pairs [(\"a\", 1), (\"b\", 2)]"),
            ("!!pairs [{a: 1}]", "pairs [(\"a\", 1)]"),
            ("!!omap [{a: 1, b: 2}]", "Value at \"{a: 1, b: 2}\""),
            ("!!set [a]", "Value at \"[a]\""),
            ("!!seq {}", "Value at \"{}\""),
            ("!!str {=: a}", "\"a\""),
            ("&a !!str {=: *a}", "Value at \"{=: *a}\""),
            ("a: !vault b", "Tag at \"!vault\""),
            (
                "a: !!python/name:os.system ''",
                "Tag at \"!!python/name:os.system\"",
            ),
        ],
    );
}

#[test]
fn maps_merge_and_repeat_keys_as_python_does() {
    check(
        &PYYAML,
        &[
            ("{b: 1, a: 2, b: 3}", "{\"b\": 3, \"a\": 2}"),
            ("{1: a, true: b, 1.0: c}", "{1: \"c\"}"),
            ("{.nan: a, .nan: b}", "{NaN: \"b\"}"),
            (
                "{2026-03-09 01:00:00Z: 1, 2026-03-09 02:00:00+1: 2}",
                "{time 2026-03-09 01:00:00+00:00: 2}",
            ),
            ("? [a]\n: b", "Key at \"[a]\""),
            ("<<: {a: 1, b: 2}\na: 3", "{\"a\": 3, \"b\": 2}"),
            ("'<<': {a: 1}", "{\"<<\": {\"a\": 1}}"),
            ("!!merge x: {a: 1}", "{\"a\": 1}"),
            ("<<: !unknown {a: 1}", "{\"a\": 1}"),
            ("<<: [{aa: 1}, {aa: 2}]", "{\"aa\": 2}"),
            ("<<: [{a: 1}, {a: 2}]", "{\"a\": 1}"),
            ("<<: [a]", "Merge at \"a\""),
            ("<<: 1", "Merge at \"1\""),
            (
                "- &x {aa: 1}\n- &y {aa: 2}\n- <<: [*x, *y, *x]",
                "[{\"aa\": 1}, {\"aa\": 2}, {\"aa\": 2}]",
            ),
        ],
    );
    check(
        &PYYAML_6_0_2,
        &[
            ("<<: [{aa: 1}, {aa: 2}]", "{\"aa\": 1}"),
            ("<<: {a: 1, a: 2}", "{\"a\": 2}"),
        ],
    );
}

#[test]
fn replaced_entries_are_kept_unless_they_were_merged() {
    let text = MappedText::plain("<<: {a: 1}\na: 2\na: 3");
    let node = read(&text, &PYYAML).expect("valid").expect("a document");
    let map = node.as_map().expect("a map");
    let before: Vec<_> = map
        .overwritten
        .iter()
        .map(|entry| shown(&entry.value))
        .collect();
    assert_eq!(before, ["2"]);
    assert_eq!(map.entries[0].key.span, Span::new(16, 17));
}

#[test]
fn aliases_share_and_may_be_endless() {
    check(
        &PYYAML,
        &[
            ("- &a [1]\n- *a", "[[1], [1]]"),
            ("&a [1, *a]", "[1, endless a]"),
            ("&a {b: {<<: *a}}", "{\"b\": {\"b\": endless a}}"),
            ("- &a 1\n- &a 2", "Anchor at \"&a\""),
            ("- *a", "Alias at \"*a\""),
            ("- *a b", "Alias at \"*a\""),
        ],
    );
    // 12 levels of 10 aliases: a tree of 10^12 leaves.
    let mut bomb = "- &a0 x\n".to_owned();
    for level in 1..=12 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("- &a{level} [{aliases}]\n"));
    }
    assert!(matches!(
        read(&MappedText::plain(&bomb), &PYYAML),
        Ok(Some(_))
    ));
}

#[test]
fn documents_are_read_as_libyaml_reads_them() {
    check(
        &PYYAML,
        &[
            ("", "nothing"),
            ("# only a comment", "nothing"),
            ("---", "null"),
            ("a: 1\n...\n# c", "{\"a\": 1}"),
            ("a: 1\n--- b", "SecondDocument at \"--- b\""),
            ("...", "Syntax at \"...\""),
            ("%YAML 1.2\n--- a", "\"a\""),
            ("%YAML 1.3\n--- a", "Directive at \"%YAML 1.3\""),
            ("%FOO\n--- a", "Directive at \"%FOO\""),
            ("\u{feff}a: \u{feff}b", "{\"a\": \"\\u{feff}b\"}"),
            (
                "a: 1\u{85}b: 2\u{2028}c: 3",
                "{\"a\": 1, \"b\": 2, \"c\": 3}",
            ),
            ("a: \u{7f}", "Character at \"\\u{7f}\""),
            ("a: \"\\ud83e\\udd80\"", "Escape at \"\\\\ud83e\""),
            ("a: |\n  x", "{\"a\": \"x\"}"),
            ("a: |+\n  x\n\n", "{\"a\": \"x\\n\\n\"}"),
            ("a:\tb", "{\"a\": \"b\"}"),
            ("-\tb", "TabIndentation at \"\\t\""),
            ("a: b\n\t\nc: d", "TabIndentation at \"\\t\""),
            ("a: >-\n  x\t\nb: c", "{\"a\": \"x\\t\", \"b\": \"c\"}"),
            ("a: |\n  x\n \t\nb: c", "TabIndentation at \"\\t\""),
            (
                "a: {\n\t\"b\": [\n\t\t\"c\"\n\t]\n}",
                "{\"a\": {\"b\": [\"c\"]}}",
            ),
            ("a: [\n\tb\n\t]", "TabIndentation at \"\\t\""),
            ("a: [b]# c", "{\"a\": [\"b\"]}"),
            ("[a:]", "ColonInValue at \":\""),
            ("{a\n: b}", "Key at \"a\""),
            (": a", "Key at \":\""),
            ("a: &b/c d", "Anchor at \"&b/c\""),
        ],
    );
}

#[test]
fn limits_end_where_libyaml_ends() {
    let brackets = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let dashes = |levels: usize| "- ".repeat(levels) + "x";
    let key = |length: usize| "k".repeat(length) + ": v";
    let accepted = |text: String| read(&MappedText::plain(&text), &PYYAML).is_ok();
    assert!(accepted(brackets(1000)));
    assert!(!accepted(brackets(1001)));
    assert!(accepted(dashes(999)));
    assert!(!accepted(dashes(1000)));
    assert!(accepted(format!("a: {}", brackets(999))));
    assert!(!accepted(format!("a: {}", brackets(1000))));
    assert!(accepted(key(1024)));
    assert!(!accepted(key(1025)));
}

#[test]
fn chains_of_aliases_and_merges_stay_within_limits() {
    let mut aliases = "- &a0 [x]\n".to_owned();
    let mut merges = "- &a0 {aa: 1, bb: 2}\n".to_owned();
    for level in 1..5000 {
        aliases.push_str(&format!("- &a{level} {{k: *a{}}}\n", level - 1));
        merges.push_str(&format!(
            "- &a{level} {{<<: [*a{0}, *a{0}], k{level}: 1}}\n",
            level - 1
        ));
    }
    let many = format!("- &a {{k: 1}}\n- <<: [{}]", "*a, ".repeat(200_000));
    for text in [aliases, merges, many] {
        let error = read(&MappedText::plain(&text), &PYYAML_6_0_2).expect_err("too much");
        assert_eq!(error.kind, YamlErrorKind::LimitExceeded);
    }
}

#[test]
fn the_deepest_values_fit_a_small_stack() {
    let lists = "[".repeat(1000) + &"]".repeat(1000);
    let maps = "{a: ".repeat(1000) + &"}".repeat(1000);
    let merges = "{<<: ".repeat(999) + "{}" + &"}".repeat(999);
    for text in [lists, maps, merges] {
        let node = read(&MappedText::plain(&text), &PYYAML).expect("just deep enough");
        assert_eq!(node.clone(), node);
    }
}

#[test]
fn nodes_have_tight_places() {
    let text = "\
name: 'a b'   # comment
text: |-  # comment
  one

  two

list:
- x  # comment
- - y
  - z
flow: [ a, {b: c} ]
two: one
  two
empty:
";
    let node = read(&MappedText::plain(text), &PYYAML)
        .expect("valid")
        .expect("a document");
    let map = node.as_map().expect("a map");
    let place = |node: &Node| &text[node.span.start as usize..node.span.end as usize];
    let places: Vec<_> = map
        .entries
        .iter()
        .map(|entry| (place(&entry.key), place(&entry.value)))
        .collect();
    assert_eq!(
        places,
        [
            ("name", "'a b'"),
            ("text", "|-  # comment\n  one\n\n  two"),
            ("list", "- x  # comment\n- - y\n  - z"),
            ("flow", "[ a, {b: c} ]"),
            ("two", "one\n  two"),
            ("empty", ""),
        ]
    );
    assert_eq!(place(&node), text.trim_end());
    assert_eq!(map.entries[1].value.style, Style::Literal);
    let empty = map.entries[5].value.span;
    assert_eq!(&text[..empty.start as usize], text.trim_end());
}

#[test]
fn spans_are_places_in_the_file() {
    let file = MappedText::plain("---\na: b\n---\n");
    let header = file.slice(4..9);
    let node = read(&header, &PYYAML).expect("valid").expect("a document");
    assert_eq!(node.span, Span::new(4, 8));
}

#[test]
fn mistakes_are_found_where_they_are() {
    check(
        &PYYAML,
        &[
            ("a: Use when: x", "ColonInValue at \":\""),
            ("a: one\n  two: three", "ColonInValue at \":\""),
            ("a: b\n\tc: d", "TabIndentation at \"\\t\""),
            ("a:\n\t- b", "TabIndentation at \"\\t\""),
            ("a: @b", "ReservedStart at \"@\""),
            ("a: `b`", "ReservedStart at \"`\""),
            ("a: %b", "ReservedStart at \"%\""),
            ("a: *", "ReservedStart at \"*\""),
            ("a: , b", "ReservedStart at \",\""),
            ("a: - b", "ReservedStart at \"- b\""),
            ("a: | b", "ReservedStart at \"| b\""),
            ("a: *b* c", "Alias at \"*b*\""),
            ("a: 'it's'", "TextAfterValue at \"s'\""),
            ("a: \"b\" c", "TextAfterValue at \"c\""),
            ("a: [b] c", "TextAfterValue at \"c\""),
            ("a: 'b", "UnclosedQuote at \"'\""),
            ("a: [b\nc: d", "UnclosedBracket at \"[\""),
            ("a: [b", "UnclosedBracket at \"[\""),
            ("a: [b,, c]", "MissingItem at \",\""),
            ("a: [, b]", "MissingItem at \",\""),
            ("a: {b: \"[,\" , , c: d}", "MissingItem at \",\""),
            ("a: b]\nc: [d e] f]", "TextAfterValue at \"f]\""),
            ("a: \"\\q\"", "Escape at \"\\\\q\""),
            ("  a: b\n c: d", "Indentation at \"c: d\""),
            ("a:\n  b: c\n d: e", "Indentation at \"d: e\""),
            ("a: b\nfoo", "MissingColon at \"foo\""),
            ("name test\nb: c", "MissingColon at \"name test\""),
        ],
    );
    let text = "a: Use when: x";
    let error = read(&MappedText::plain(text), &PYYAML).expect_err("a colon in a value");
    assert_eq!(
        error.related,
        Some((Span::new(3, 14), "the value".to_owned()))
    );
    assert_eq!(error.hint.as_deref(), Some("put the value in quotes"));
}

/// Compared with jackson-dataformat-yaml 2.8.11 on SnakeYAML 1.33, integers apart: that release
/// reads no other base than 10.
#[test]
fn jackson_reads_events_not_documents() {
    check(
        &JACKSON,
        &[
            (
                "{on: on, 1: 0x_1F, ~: 1:30}",
                "{\"on\": true, \"1\": 31, \"~\": \"1:30\"}",
            ),
            (
                "[017, 0o17, 0b_11, 1_0, -0, 1e3, +.5]",
                "[15, \"0o17\", 3, 10, 0, 1000.0, 0.5]",
            ),
            (
                "[y, tRuE, 2026-01-01, =, null, '']",
                "[\"y\", \"tRuE\", \"2026-01-01\", \"=\", null, \"\"]",
            ),
            ("a: &b c\nd: *b", "{\"a\": \"c\", \"d\": \"b\"}"),
            ("a: *b", "{\"a\": \"b\"}"),
            ("*a : b", "Key at \"*a\""),
            ("? [a]\n: b", "Key at \"[a]\""),
            ("<<: {a: b}", "{\"<<\": {\"a\": \"b\"}}"),
            ("a: 1\nb: 2\na: 3", "{\"a\": 3, \"b\": 2}"),
            (
                "[!!int '7', !!str 7, !x 7, !!bool y, ! ]",
                "[7, \"7\", \"7\", true, null]",
            ),
            ("!!set {a, b}", "{\"a\": null, \"b\": null}"),
            ("a: .inf", "Value at \".inf\""),
            ("a: 1:30.5", "Value at \"1:30.5\""),
            ("a: b\n...\n] @", "{\"a\": \"b\"}"),
            ("{a: b}\n- c", "{\"a\": \"b\"}"),
            ("a:\tb", "TabIndentation at \"\\t\""),
            ("a: b \t# c\n", "{\"a\": \"b\"}"),
            ("a: |#\n b", "Syntax at \"#\""),
            ("a: &b/c d", "Anchor at \"&b/c\""),
            ("a: \u{7}", "Character at \"\\u{7}\""),
        ],
    );
}

#[test]
fn jackson_has_limits() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&MappedText::plain(&nested(1000)), &JACKSON).is_ok());
    let limit = |text: &str| read(&MappedText::plain(text), &JACKSON).map_err(|error| error.kind);
    assert_eq!(limit(&nested(1001)), Err(YamlErrorKind::LimitExceeded));
    let long = |characters: usize| format!("a: {}", "é".repeat(characters - 3));
    assert!(limit(&long(3_145_728)).is_ok());
    assert_eq!(limit(&long(3_145_729)), Err(YamlErrorKind::LimitExceeded));
}

/// A reader that no harness uses: all that PyYAML does not do.
const OTHER: Flavor = Flavor {
    name: "a test",
    characters: Characters::Any,
    line_breaks: LineBreaks::Yaml12,
    indentation: Indentation::Strict,
    grammar: Grammar::Specification,
    plain_tabs: PlainTabs::Allowed,
    comments: Comments::BehindSpace,
    nested_maps: NestedMaps::AnyColumn,
    surrogate_escapes: SurrogateEscapes::Paired,
    anchors: Anchors::Redefinable,
    aliases: Aliases::Name,
    tags: Tags::Ignored,
    resolve: |_| Tag::Text,
    merge_keys: MergeKeys::Ordinary,
    duplicate_keys: DuplicateKeys::Refused,
    ..PYYAML
};

#[test]
fn flavors_differ_by_data_alone() {
    check(
        &OTHER,
        &[
            ("[1, yes, ~, ]", "[\"1\", \"yes\", \"~\"]"),
            ("a: *b", "{\"a\": \"b\"}"),
            ("- &a 1\n- &a 2\n- *a", "[\"1\", \"2\", \"a\"]"),
            ("a: !b 1", "{\"a\": \"1\"}"),
            ("<<: {a: b}", "{\"<<\": {\"a\": \"b\"}}"),
            ("\"\\ud83e\\udd80\"", "\"🦀\""),
            ("{a: 1, a: 2}", "DuplicateKey at \"a\""),
            ("-\tb", "[\"b\"]"),
            ("a: b\u{85}c", "{\"a\": \"b\\u{85}c\"}"),
        ],
    );
    let strict = Flavor {
        brackets: Brackets::Refused,
        anchors: Anchors::Refused,
        aliases: Aliases::Refused,
        tags: Tags::Refused,
        ..OTHER
    };
    check(
        &strict,
        &[
            ("a: [b]", "Brackets at \"[\""),
            ("a: &b c", "Anchor at \"&b\""),
            ("a: *b", "Alias at \"*b\""),
            ("a: !!str b", "Tag at \"!!str\""),
        ],
    );
}

fn check_spans(node: &Node, text: &str) {
    assert!(
        text.get(node.span.start as usize..node.span.end as usize)
            .is_some()
    );
    match &node.value {
        Value::List(items) | Value::Set(items) => {
            items.iter().for_each(|item| check_spans(item, text));
        }
        Value::Map(map) => {
            for entry in map.entries.iter().chain(&map.overwritten) {
                check_spans(&entry.key, text);
                check_spans(&entry.value, text);
            }
        }
        Value::Pairs(pairs) => {
            for (key, value) in pairs {
                check_spans(key, text);
                check_spans(value, text);
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_panics_and_all_places_exist(
        text in prop_oneof![
            any::<String>(),
            "[-a:?,\\[\\]{}#&*!|>'\"%@`<=\\\\~1. \t\n\r\u{85}\u{2028}\u{feff}é🦀]{0,40}",
        ]
    ) {
        for flavor in [&PYYAML, &PYYAML_6_0_2, &OTHER] {
            match read(&MappedText::plain(&text), flavor) {
                Ok(Some(node)) => check_spans(&node, &text),
                Ok(None) => {}
                Err(error) => {
                    for span in [Some(error.span), error.related.map(|(span, _)| span)].into_iter().flatten() {
                        prop_assert!(text.get(span.start as usize..span.end as usize).is_some());
                    }
                    prop_assert!(!error.message.is_empty());
                }
            }
        }
    }
}
