//! The `yaml` package of npm with its defaults: YAML 1.2 with the core schema.
//!
//! Source of every rule: version 2.9 of the package, run on the headers of thousands of published
//! agent files and on generated ones.

use crate::coerce::javascript;
use crate::value::{Entry, Node, Value};

use super::core::CORE;
use super::flavor::{Flavor, Indentation, Keys, Tag, Unreadable};

/// `yaml` 2.9.
pub const NPM_YAML: Flavor = Flavor {
    name: "yaml 2.9",
    indentation: Indentation::StrictButForClosing,
    keys: Keys::AnyTexts(key_text),
    construct,
    ..CORE
};

/// JavaScript has one kind of number, which loses the last digits of large integers.
fn construct(tag: Tag, text: &str) -> Result<Value, Unreadable> {
    const MOST_EXACT: f64 = 9_007_199_254_740_992.0;
    let value = (CORE.construct)(tag, text)?;
    Ok(match (&value, javascript::number(&value)) {
        (Value::Int(_), Some(number)) if number.abs() >= MOST_EXACT => Value::Float(number),
        _ => value,
    })
}

/// The keys of an object are texts: of a list or map the text that would write it.
fn key_text(key: &Node) -> String {
    match key.get() {
        Value::Null => String::new(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(key_text).collect();
            format!("[ {} ]", items.join(", "))
        }
        Value::Map(map) => {
            let entries: Vec<String> = map.entries.iter().map(entry_text).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        _ => javascript::text(key),
    }
}

fn entry_text(entry: &Entry) -> String {
    match entry.value.is_null() {
        true => key_text(&entry.key),
        false => format!("{}: {}", key_text(&entry.key), key_text(&entry.value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::MappedText;
    use crate::yaml;

    fn reads(text: &str) -> bool {
        yaml::read(&MappedText::plain(text), &NPM_YAML).is_ok()
    }

    #[test]
    fn values_of_several_lines_are_indented_further_than_their_key() {
        for text in [
            "a: [\n  x,\n]\nb: 1",
            "a: {\n  x: 1\n}",
            "a: [\n  x,\n# note\n  y\n]",
            "a: \"x\n y\"",
            "[\na\n]",
        ] {
            assert!(reads(text), "{text}");
        }
        for text in [
            "a: [\nx,\n]",
            "a:\n  b: [\n    c\n ]",
            "a: {\n  x: [\n    1\n]\n}",
            "a: \"x\ny\"",
        ] {
            assert!(!reads(text), "{text}");
        }
    }

    #[test]
    fn keys_are_texts() {
        let text = MappedText::plain("{{x}}: 1\n[a, 2]: 1\n~: 1\n12: 1");
        let root = yaml::read(&text, &NPM_YAML).expect("anything is a key");
        let map = root.as_ref().and_then(Node::as_map).expect("it is a map");
        let keys: Vec<_> = map
            .entries
            .iter()
            .filter_map(|entry| entry.key.as_text())
            .collect();
        assert_eq!(keys, ["{ { x } }", "[ a, 2 ]", "", "12"]);
    }
}
