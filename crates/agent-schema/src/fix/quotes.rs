//! How a text is written so that every YAML reader gives it back as it is.

use super::unseen::inside_quotes;
use crate::text::Replacement;

/// Writes a text on one line as a scalar in quotes that reads as exactly this text.
///
/// Double quotes are plainer, as their escapes hold in all flavors; single quotes where the text
/// has several signs that would need one and no apostrophe.
pub(super) fn quoted(text: &str) -> String {
    let escaped = text.matches(['"', '\\']).count();
    let plain = !text.contains('\'') && !text.chars().any(needs_escape);
    if escaped > 1 && plain {
        return format!("'{text}'");
    }
    format!("\"{}\"", escaped_text(text))
}

/// Writes a text for the inside of double quotes.
pub(super) fn escaped_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            c if needs_escape(c) => escaped.push_str(&escape(c)),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns whether a character may not stand in a scalar of one line as it is, in some flavor.
pub(super) fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
}

/// Writes a character as an escape that all flavors share.
pub(super) fn escape(c: char) -> String {
    match u32::from(c) {
        code @ ..=0xff => format!("\\x{code:02x}"),
        code @ ..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

/// Returns whether the quote at the start of a text and the one at its end are meant as a pair
/// around all of it, although others stand between them: each of those opens or closes a word, and
/// at no place before the end are all closed.
pub(super) fn encloses(text: &str, quote: char) -> bool {
    let inner = text
        .strip_prefix(quote)
        .and_then(|rest| rest.strip_suffix(quote));
    let Some(inner) = inner else { return false };
    let mut depth = 1usize;
    let mut before = quote;
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' && quote == '"' {
            before = chars.next().unwrap_or(c);
            continue;
        }
        let after = chars.peek().copied();
        if c == quote {
            let opens = opens_word(before) && after.is_some_and(|c| !c.is_whitespace());
            let in_word = !opens_word(before) && after.is_some_and(char::is_alphanumeric);
            match (in_word && quote == '\'', opens) {
                (true, _) => {}
                (_, true) => depth += 1,
                (_, false) => depth -= 1,
            }
            if depth == 0 {
                return false;
            }
        }
        before = c;
    }
    true
}

fn opens_word(before: char) -> bool {
    before.is_whitespace() || matches!(before, '(' | '[' | '{' | ':' | '=' | '/' | '>' | '—' | '-')
}

/// A backslash in double quotes, by what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Backslash {
    /// A sign that stands for itself.
    Sign,
    /// An escape that stands for another character.
    Meant,
    /// Nothing that YAML knows.
    Unknown,
}

fn backslash(after: &str) -> Backslash {
    let digits = |count: usize| {
        let code: String = after.chars().skip(1).take(count).collect();
        let is_code = code.len() == count && u32::from_str_radix(&code, 16).is_ok();
        if is_code {
            Backslash::Meant
        } else {
            Backslash::Unknown
        }
    };
    match after.chars().next() {
        Some('"' | '\\' | '/' | '\n' | '\r') => Backslash::Sign,
        Some('0' | 'a' | 'b' | 't' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | 'N' | '_' | 'L' | 'P') => {
            Backslash::Meant
        }
        Some('x') => digits(2),
        Some('u') => digits(4),
        Some('U') => digits(8),
        _ => Backslash::Unknown,
    }
}

/// What the inside of double quotes must become.
pub(super) struct Inside {
    /// Where a backslash is missing.
    pub(super) insert: Vec<usize>,
    /// Whether it is doubtful which backslashes its author meant as such.
    pub(super) doubtful: bool,
}

impl Inside {
    /// Returns the edits of an inside that begins at a place.
    pub(super) fn edits(&self, inner: &str, start: usize) -> Vec<Replacement> {
        let backslashes = self.insert.iter().map(|at| start + at);
        let mut edits: Vec<Replacement> = backslashes.map(|at| (at..at, "\\".to_owned())).collect();
        edits.extend(inside_quotes(inner, start));
        edits.sort_by_key(|(range, _)| range.start);
        edits
    }
}

/// Finds where backslashes are missing inside double quotes: before quotes that stand bare, and
/// before backslashes that start no escape. Beside such a one, an escape for another character is
/// taken for a backslash too.
pub(super) fn inside_double_quotes(inner: &str) -> Inside {
    let mut quotes = Vec::new();
    let mut unknown = Vec::new();
    let mut meant = Vec::new();
    let mut at = 0;
    while let Some(found) = inner[at..].find(['"', '\\']) {
        let start = at + found;
        if inner[start..].starts_with('"') {
            quotes.push(start);
            at = start + 1;
            continue;
        }
        let after = &inner[start + 1..];
        match backslash(after) {
            Backslash::Sign => {}
            Backslash::Meant => meant.push(start),
            Backslash::Unknown => {
                unknown.push(start);
                at = start + 1;
                continue;
            }
        }
        at = start + 1 + after.chars().next().map_or(0, char::len_utf8);
    }
    let doubtful = !unknown.is_empty() && !meant.is_empty();
    let mut insert = quotes;
    insert.append(&mut unknown);
    if doubtful {
        insert.append(&mut meant);
    }
    insert.sort_unstable();
    Inside { insert, doubtful }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_around_a_text_are_told_from_quotes_in_it() {
        for (text, expected) in [
            ("\"say \"hi\" now\"", true),
            ("\"say \"hi\"\"", true),
            ("\"one\" and \"two\"", false),
            ("\"a\", \"b\"", false),
            ("'it's fine'", true),
            ("'one' or 'two'", false),
        ] {
            let quote = if text.starts_with('"') { '"' } else { '\'' };
            assert_eq!(encloses(text, quote), expected, "{text}");
        }
    }

    #[test]
    fn backslashes_that_start_nothing_are_found() {
        let inside = inside_double_quotes("C:\\path \\\" \"x\"");
        assert_eq!(inside.insert, [2, 11, 13]);
        assert!(!inside.doubtful);
        assert!(inside_double_quotes("C:\\path\\new").doubtful);
    }
}
