//! Signs that begin a block text and stand below their key, in its column. The specification wants
//! them further right; libyaml and the readers that follow it do not.

use crate::text::{MappedText, Replacement};

use super::tokens;

/// Returns the text with such signs behind their keys; `None` if there are none.
///
/// A block text may hold lines that look the same, so that this is only for texts that cannot be
/// read as they are.
pub(super) fn behind_keys<'a>(text: &MappedText<'a>) -> Option<MappedText<'a>> {
    let source = text.as_str();
    let mut edits: Vec<Replacement> = Vec::new();
    // Where the value of the last key may begin, and its indentation.
    let mut open: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < source.len() {
        let line = tokens::line_of(source, at);
        let content = &source[line.clone()];
        let bare = content.trim_start_matches(' ');
        let indentation = content.len() - bare.len();
        let says_nothing = bare.trim().is_empty() || bare.starts_with('#');
        if let Some((value, _)) = open.filter(|(_, of_key)| *of_key == indentation)
            && is_sign(bare)
        {
            edits.push((value..line.start + indentation, " ".to_owned()));
        }
        if !says_nothing {
            let key = without_comment(content);
            let is_open = key.ends_with(':');
            open = is_open.then_some((line.start + key.len(), indentation));
        }
        at = tokens::next_line(source, at);
    }
    (!edits.is_empty()).then(|| text.edited(&edits))
}

/// Returns whether a line is nothing but the signs that begin a block text.
fn is_sign(line: &str) -> bool {
    let signs = without_comment(line).strip_prefix(['|', '>']);
    signs.is_some_and(|signs| {
        signs.len() <= 2 && signs.chars().all(|c| matches!(c, '+' | '-' | '1'..='9'))
    })
}

fn without_comment(line: &str) -> &str {
    let comment = line.find(" #");
    line[..comment.unwrap_or(line.len())].trim_end()
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use crate::text::MappedText;
    use crate::yaml::{CORE, PYYAML, read};

    /// What PyYAML makes of signs in the column of their key, as JSON; `None` if it fails.
    #[test]
    fn signs_may_stand_in_the_column_of_their_key() {
        for (text, expected) in [
            (
                "d:\n|\n  some text\nb: 1",
                Some(r#"{"d":"some text\n","b":1}"#),
            ),
            (
                "d:\n\n# c\n>-\n  x\n  y\nb: 1",
                Some(r#"{"d":"x y","b":1}"#),
            ),
            (
                "a:\n  b:\n  |\n    t\n  c: 1",
                Some(r#"{"a":{"b":"t\n","c":1}}"#),
            ),
            ("d: # c\n|\n  x\n", Some(r#"{"d":"x\n"}"#)),
            ("d:\n|\nx: 1", Some(r#"{"d":"","x":1}"#)),
            ("a:\n  b:\n |\n    t\n", None),
            ("d:\n  x: |\n    y\n|\n z", None),
            ("d: |\n  x:\n  |\n  y\n", Some(r#"{"d":"x:\n|\ny\n"}"#)),
        ] {
            let value = read(&MappedText::plain(text), &PYYAML).ok().flatten();
            let value = value.map(|value| serde_json::to_string(&value).expect("it is JSON"));
            assert_eq!(value.as_deref(), expected, "{text:?}");
        }
        assert!(read(&MappedText::plain("d:\n|\n  x"), &CORE).is_err());
    }
}
