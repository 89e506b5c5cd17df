//! Texts in quotes over several lines as js-yaml 3 reads them: it keeps the blanks at the end of a
//! line, which the specification takes off, before the blank or the line end that joins the lines.
//!
//! Source: `readSingleQuotedScalar`, `readDoubleQuotedScalar` and `writeFoldedLines` of js-yaml 3.14,
//! and runs of 3.15.2.

/// Returns the text of a scalar that is written in quotes, if a blank stands at the end of one of
/// its lines and so makes a difference; `None` also where characters are written by their numbers.
pub(super) fn text_with_blanks(written: &str) -> Option<String> {
    let quote = written.chars().next()?;
    let body = written.get(1..written.len().checked_sub(1)?)?;
    let makes_difference = body.contains(" \n") || body.contains("\t\n");
    let has_numbers = quote == '"' && ["\\x", "\\u", "\\U"].iter().any(|it| body.contains(it));
    if !makes_difference || has_numbers {
        return None;
    }
    let mut text = String::with_capacity(body.len());
    let mut lines = body.split('\n');
    let mut is_joined = append(&mut text, lines.next()?, quote);
    let mut breaks = 0;
    let mut rest = lines.peekable();
    while let Some(line) = rest.next() {
        breaks += 1;
        let content = line.trim_start_matches([' ', '\t']);
        if content.is_empty() && rest.peek().is_some() {
            continue;
        }
        match breaks {
            _ if is_joined => {}
            1 => text.push(' '),
            _ => text.extend(std::iter::repeat_n('\n', breaks - 1)),
        }
        breaks = 0;
        is_joined = append(&mut text, content, quote);
    }
    Some(text)
}

/// Appends a line without its escapes. Returns whether the end of the line is escaped, so that the
/// next one follows at once.
fn append(text: &mut String, line: &str, quote: char) -> bool {
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match (quote, sign) {
            ('\'', '\'') => {
                signs.next();
                text.push('\'');
            }
            ('"', '\\') => match signs.next() {
                None => return true,
                Some(sign) => text.push(escaped(sign)),
            },
            _ => text.push(sign),
        }
    }
    false
}

/// Returns what a sign behind a backslash stands for.
fn escaped(sign: char) -> char {
    match sign {
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' => '\t',
        'n' => '\n',
        'v' => '\x0b',
        'f' => '\x0c',
        'r' => '\r',
        'e' => '\x1b',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => sign,
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use crate::text::MappedText;
    use crate::yaml::{CORE, JS_YAML_3, read};

    fn value(text: &str, flavor: &crate::yaml::Flavor) -> String {
        let root = read(&MappedText::plain(text), flavor).expect("it is read");
        serde_json::to_string(&root).expect("it is JSON")
    }

    /// What js-yaml 3.15 makes of blanks at the ends of lines, as JSON.
    #[test]
    fn blanks_at_the_ends_of_lines_are_kept() {
        for (text, expected) in [
            ("a: \"x \n  y\"", r#"{"a":"x  y"}"#),
            ("a: \"x\n  y\"", r#"{"a":"x y"}"#),
            ("a: 'x \n\n  y'", r#"{"a":"x \ny"}"#),
            ("a: 'it''s \n \n\n  y '", r#"{"a":"it's \n\ny "}"#),
            ("a: \"x\t\n  y\"", r#"{"a":"x\t y"}"#),
            ("a: \"x \\\n  y\\tz \n  w\"", r#"{"a":"x y\tz  w"}"#),
            ("a: \"x \n  \"", r#"{"a":"x  "}"#),
        ] {
            assert_eq!(value(text, &JS_YAML_3), expected, "{text:?}");
        }
    }

    #[test]
    fn other_readers_take_them_off() {
        assert_eq!(value("a: \"x \n  y\"", &CORE), r#"{"a":"x y"}"#);
    }
}
