//! What js-yaml 3 reads and the specification refuses: a further key on the line of a complete value,
//! and nothing between two commas in brackets.
//!
//! Source: `readBlockMapping` of js-yaml 3.14, which compares indentations and not lines before the
//! next key, `readFlowCollection`, and runs of 3.15.2. js-yaml 4 refuses such a line.

use crate::text::{MappedText, Replacement};

use super::brackets::{end_of_brackets, end_of_quotes};
use super::error::{YamlError, YamlErrorKind};
use super::tokens;

/// Returns a text that means what js-yaml 3 makes of a text, and that keeps to the specification
/// where a reader failed on that one; `None` if js-yaml fails there, too.
pub(super) fn spelled_out<'a>(text: &MappedText<'a>, error: &YamlError) -> Option<MappedText<'a>> {
    let at = text.offset_of(error.span.start)?;
    let edit = match error.kind {
        YamlErrorKind::MissingItem => (at..at, "null".to_owned()),
        _ => key_on_own_line(text.as_str(), at)?,
    };
    Some(text.edited(&[edit]))
}

/// Gives the key behind a complete value a line of its own; `None` if none follows on this line.
fn key_on_own_line(source: &str, at: usize) -> Option<Replacement> {
    let line = tokens::line_of(source, at);
    let content = &source[line.clone()];
    let column = content.len() - content.trim_start_matches(' ').len();
    let value = column + value_after_key(&content[column..])?;
    let end = value + end_of_value(&content[value..])?;
    let key = content[end..].trim_start_matches([' ', '\t']);
    if value_after_key(key).is_none() && !asks_for_key(key) {
        return None;
    }
    let gap = line.start + end..line.end - key.len();
    Some((gap, format!("\n{}", " ".repeat(column))))
}

/// Returns whether a text begins with the sign before a key.
fn asks_for_key(text: &str) -> bool {
    let behind = text.strip_prefix('?');
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with([' ', '\t']))
}

/// Returns where the value begins that follows a key on its line, or where it would; `None` if the
/// text does not begin with a key.
fn value_after_key(text: &str) -> Option<usize> {
    let in_quotes = end_of_quotes(text);
    let searched = in_quotes.unwrap_or(0);
    let colon = searched + text[searched..].find(':')?;
    let is_key = match in_quotes {
        Some(end) => text[end..colon].trim().is_empty(),
        None => colon > 0 && !text.starts_with(['#', '[', '{', '&', '*', '!']),
    };
    let behind = &text[colon + 1..];
    let value = behind.trim_start_matches([' ', '\t']);
    let is_apart = behind.is_empty() || value.len() < behind.len();
    (is_key && is_apart).then(|| text.len() - value.len())
}

/// Returns where a value ends that is complete on its line: one in quotes or brackets, an alias, or
/// none before the sign of a key.
fn end_of_value(text: &str) -> Option<usize> {
    let bare = without_properties(text);
    let before = text.len() - bare.len();
    let length = match bare.chars().next()? {
        '"' | '\'' => end_of_quotes(bare)?,
        '[' | '{' => end_of_brackets(bare)?,
        '*' => bare.find([' ', '\t'])?,
        '?' if asks_for_key(bare) => 0,
        _ => return None,
    };
    Some(before + length)
}

/// Returns a value without the anchor and the tag before it.
fn without_properties(text: &str) -> &str {
    let mut bare = text;
    while bare.starts_with(['&', '!'])
        && let Some((_, behind)) = bare.split_once([' ', '\t'])
    {
        bare = behind.trim_start_matches([' ', '\t']);
    }
    bare
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use crate::text::MappedText;
    use crate::yaml::{CORE, JS_YAML_3, read};

    /// What js-yaml 3.15 makes of each text, as JSON; `None` if it fails.
    #[test]
    fn what_js_yaml_takes_is_read() {
        for (text, expected) in [
            ("a: \"A\" b: c\n", Some(r#"{"a":"A","b":"c"}"#)),
            ("a: \"A\"b: c", Some(r#"{"a":"A","b":"c"}"#)),
            (
                "a: \"A\"  b: 'it''s' c d: e\nf: 1\n",
                Some(r#"{"a":"A","b":"it's","c d":"e","f":1}"#),
            ),
            ("a: [x, \"]\"]\tb: c", Some(r#"{"a":["x","]"],"b":"c"}"#)),
            ("a: {x: 1} b: 2", Some(r#"{"a":{"x":1},"b":2}"#)),
            (
                "a: &x \"q\" b: *x c: d",
                Some(r#"{"a":"q","b":"q","c":"d"}"#),
            ),
            (
                "m:\n  a: \"A\" b: c\n  d: 1",
                Some(r#"{"m":{"a":"A","b":"c","d":1}}"#),
            ),
            ("a: \"A\" b:\n  - x\n", Some(r#"{"a":"A","b":["x"]}"#)),
            ("a: \"A\" \"B\": c", Some(r#"{"a":"A","B":"c"}"#)),
            ("a: ? x y\nb: c", Some(r#"{"a":null,"x y":null,"b":"c"}"#)),
            ("a: \"A\" ? b", Some(r#"{"a":"A","b":null}"#)),
            ("a: [R, , G]", Some(r#"{"a":["R",null,"G"]}"#)),
            ("a: [,R,,]", Some(r#"{"a":[null,"R",null]}"#)),
            (
                "a: {x: 1,, y: 2}",
                Some(r#"{"a":{"x":1,"null":null,"y":2}}"#),
            ),
            ("a: [ # c\n , x]", Some(r#"{"a":[null,"x"]}"#)),
            ("a: \"A\" and more", None),
            ("a: \"A\": b", None),
            ("a: \"A\" : c", None),
            ("a: \"A\" a: c", None),
            ("a: \"A\" - b", None),
            ("a: A b: c", None),
            ("a: : x", None),
            ("a: b\n: c\n", None),
            ("- \"A\" b: c", None),
            ("\"a\" \"b\": c", None),
            ("a: \"two\n  lines\" b: c\n", None),
        ] {
            let value = read(&MappedText::plain(text), &JS_YAML_3).ok().flatten();
            let value = value.map(|value| serde_json::to_string(&value).expect("it is JSON"));
            assert_eq!(value.as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn the_places_are_those_of_the_file() {
        let text = "a: \"A\" b: c\n";
        let root = read(&MappedText::plain(text), &JS_YAML_3);
        let root = root.expect("it is read").expect("it is no empty text");
        let map = root.as_map().expect("it is a map");
        let entry = &map.entries[1];
        let places = [entry.key.span, entry.value.span];
        let written = places.map(|span| &text[span.start as usize..span.end as usize]);
        assert_eq!(written, ["b", "c"]);
    }

    #[test]
    fn other_readers_refuse_it() {
        assert!(read(&MappedText::plain("a: \"A\" b: c"), &CORE).is_err());
    }
}
