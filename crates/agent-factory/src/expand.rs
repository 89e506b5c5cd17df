//! Variables in texts: `${VAR}` and `${VAR:-default}`.
//!
//! A name is a letter or underscore, then letters, digits and underscores, all ASCII. What has
//! another form stays as it is: `$VAR`, `${UNCLOSED`, `${1}`, `${VAR-default}`. The values come
//! from the caller; the process environment is never read.

use agent_schema::Span;

/// A text with its variables filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Expansion {
    /// The text; a reference to a variable that has neither a value nor a default stays in it.
    pub text: String,
    /// The names of these variables, in order.
    pub missing: Vec<String>,
}

/// A variable that has neither a value nor a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingVariable {
    /// Its name.
    pub name: String,
    /// The bytes of the text that refers to it.
    pub span: Span,
}

/// Fills in the variables of a text.
///
/// Any value counts, also an empty one: unlike in a shell the default stands in only for a
/// variable that has none. What is filled in is not expanded again.
pub fn expand(text: &str, variables: &dyn Fn(&str) -> Option<String>) -> Expansion {
    let mut expansion = Expansion {
        text: String::with_capacity(text.len()),
        missing: Vec::new(),
    };
    for segment in segments(text) {
        match segment {
            Segment::Literal(literal) => expansion.text.push_str(literal),
            Segment::Reference(reference) => match (variables(reference.name), reference.default) {
                (Some(value), _) => expansion.text.push_str(&value),
                (None, Some(default)) => expansion.text.push_str(default),
                (None, None) => {
                    expansion.text.push_str(reference.written);
                    expansion.missing.push(reference.name.to_owned());
                }
            },
        }
    }
    expansion
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Segment<'a> {
    /// Text that stays; never empty.
    Literal(&'a str),
    /// A reference to a variable.
    Reference(Reference<'a>),
}

/// A reference to a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    /// All of it, as written.
    pub(crate) written: &'a str,
    /// The name of the variable.
    pub(crate) name: &'a str,
    /// What stands in for the variable.
    pub(crate) default: Option<&'a str>,
}

/// Takes a text apart; the parts together are the text again.
pub(crate) fn segments(text: &str) -> impl Iterator<Item = Segment<'_>> {
    // Past the last brace nothing can be a reference; looking there would cost time by the square
    // of the length.
    let (mut open, mut rest) = text.split_at(text.rfind('}').map_or(0, |last| last + 1));
    std::iter::from_fn(move || {
        if open.is_empty() {
            return match std::mem::take(&mut rest) {
                "" => None,
                literal => Some(Segment::Literal(literal)),
            };
        }
        let next = open
            .match_indices("${")
            .find_map(|(at, _)| Some((at, reference(&open[at..])?)));
        let (segment, length) = match next {
            Some((0, reference)) => (Segment::Reference(reference), reference.written.len()),
            Some((at, _)) => (Segment::Literal(&open[..at]), at),
            None => (Segment::Literal(open), open.len()),
        };
        open = &open[length..];
        Some(segment)
    })
}

/// Reads the reference at the start of a text: `\$\{([a-zA-Z_][a-zA-Z0-9_]*)(?::-([^}]*))?\}`.
fn reference(text: &str) -> Option<Reference<'_>> {
    let inner = text.strip_prefix("${")?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (name, tail) = inner.split_at(inner.find(|c| !is_part(c))?);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (default, tail) = match tail.strip_prefix(":-") {
        Some(tail) => {
            let (default, tail) = tail.split_at(tail.find('}')?);
            (Some(default), tail)
        }
        None => (None, tail),
    };
    let tail = tail.strip_prefix('}')?;
    Some(Reference {
        written: &text[..text.len() - tail.len()],
        name,
        default,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn variables(name: &str) -> Option<String> {
        match name {
            "TOKEN" => Some("t0k".to_owned()),
            "EMPTY" => Some(String::new()),
            "NESTED" => Some("${TOKEN}".to_owned()),
            _ => None,
        }
    }

    fn expanded(text: &str) -> String {
        expand(text, &variables).text
    }

    #[test]
    fn references_are_filled_in() {
        assert_eq!(expanded("Bearer ${TOKEN}!"), "Bearer t0k!");
        assert_eq!(expanded("${TOKEN}${TOKEN:-x}"), "t0kt0k");
        assert_eq!(
            expanded("${NONE:-http://h:1/${TOKEN}}"),
            "http://h:1/${TOKEN}"
        );
        assert_eq!(expanded("${NONE:-}|${NONE:-a\nb}"), "|a\nb");
    }

    #[test]
    fn a_set_but_empty_variable_is_set() {
        assert_eq!(expanded("[${EMPTY:-default}]"), "[]");
    }

    #[test]
    fn values_are_not_expanded_again() {
        assert_eq!(expanded("${NESTED}"), "${TOKEN}");
    }

    #[test]
    fn other_forms_stay() {
        for text in [
            "$TOKEN",
            "${TOKEN",
            "${}",
            "${1}",
            "${TOKEN-x}",
            "${TOKEN:x}",
            "${NONE:-x",
            "${TOKEN }",
            "${TÖKEN}",
            "$${",
            "$",
        ] {
            assert_eq!(expanded(text), text);
        }
        assert_eq!(expanded("${${TOKEN}}"), "${t0k}");
        assert_eq!(expanded("$${TOKEN}"), "$t0k");
    }

    #[test]
    fn missing_variables_stay_and_are_named() {
        let expansion = expand("${A}-${TOKEN}-${B:-b}-${C}-${A}", &variables);
        assert_eq!(expansion.text, "${A}-t0k-b-${C}-${A}");
        assert_eq!(expansion.missing, ["A", "C", "A"]);
    }

    proptest! {
        #[test]
        fn the_parts_are_the_text(text in "(?s)([$]|[{]|[}]|:-|[A-Z_1]|.){0,40}") {
            let parts: String = segments(&text)
                .map(|segment| match segment {
                    Segment::Literal(literal) => literal,
                    Segment::Reference(reference) => reference.written,
                })
                .collect();
            prop_assert_eq!(&parts, &text);
            let expansion = expand(&text, &|_| None);
            let stays = expansion.text.contains("${");
            prop_assert!(stays || expansion.missing.is_empty());
        }

        #[test]
        fn a_text_without_references_is_unchanged(text in any::<String>()) {
            prop_assume!(!text.contains("${"));
            let expansion = expand(&text, &|_| Some("value".to_owned()));
            prop_assert_eq!(expansion.text, text);
            prop_assert!(expansion.missing.is_empty());
        }
    }
}
