//! Tabs at the start of lines, for readers that do not count them as indentation.

use std::ops::Range;

use crate::text::{MappedText, Replacement};

use super::error::{YamlError, YamlErrorKind};
use super::flavor::{Flavor, Tabs};
use super::tokens;

/// Returns the text without the tabs between the start of a line and its content; `None` if there
/// is nothing to change. Lines of block texts keep them: there they are content. Before the first
/// key of the text, before the first item below a key, and before a key that spaces already put
/// below another one, a tab counts as one column: there the reader counts characters.
///
/// # Errors
/// If tabs stand before two items of a list in a row: the list began in the column behind the
/// tabs, and the second item, whose tabs do not count, stands left of it.
pub(super) fn without_indenting<'a>(
    text: &MappedText<'a>,
    flavor: &Flavor,
) -> Result<Option<MappedText<'a>>, YamlError> {
    let source = text.as_str();
    if flavor.tabs != Tabs::Uncounted || !source.contains('\t') {
        return Ok(None);
    }
    let mut after_item = false;
    let mut opener = Opener::Start;
    let mut edits: Vec<Replacement> = Vec::new();
    // The indentation of the line that opened the block text around the current line.
    let mut block_text: Option<usize> = None;
    let mut at = 0;
    while at < source.len() {
        let line = tokens::line_of(source, at);
        let content = &source[line.clone()];
        let spaces = content.len() - content.trim_start_matches(' ').len();
        let is_blank = content.trim().is_empty();
        if block_text.is_some_and(|opener| !is_blank && spaces <= opener) {
            block_text = None;
        }
        if block_text.is_none() {
            let tabs = tabs_after(source, line.start + spaces);
            let is_item = tabs.is_some() && content.trim_start().starts_with("- ");
            if is_item && after_item {
                return Err(second_item(text, line));
            }
            after_item = is_item || after_item && is_blank;
            let counts = match opener {
                Opener::Start => true,
                Opener::Key(column) => is_item || spaces > column,
                Opener::None => false,
            };
            edits.extend(tabs.map(|tabs| {
                let blanks = if counts { tabs.len() } else { 0 };
                (tabs, " ".repeat(blanks))
            }));
            if opens_block_text(content) {
                block_text = Some(spaces);
            }
            let words = without_comment(content).trim();
            opener = match words {
                "" => opener,
                _ if words.ends_with(':') => Opener::Key(spaces),
                _ => Opener::None,
            };
        }
        at = tokens::next_line(source, at);
    }
    Ok((!edits.is_empty()).then(|| text.edited(&edits)))
}

/// What the last line with content opens.
#[derive(Clone, Copy)]
enum Opener {
    /// There was none yet.
    Start,
    /// A value below a key that stands behind as many spaces.
    Key(usize),
    None,
}

fn second_item(text: &MappedText<'_>, line: Range<usize>) -> YamlError {
    YamlError::new(
        YamlErrorKind::Indentation,
        "this item does not belong to the list above, because tabs do not indent it",
        text.span(line),
    )
    .with_hint("indent the items with spaces")
}

/// Returns the white space at an offset if it begins with a tab.
fn tabs_after(source: &str, at: usize) -> Option<Range<usize>> {
    let rest = &source[at..];
    let length = rest.len() - rest.trim_start_matches(['\t', ' ']).len();
    rest.starts_with('\t').then_some(at..at + length)
}

/// Returns whether a line ends in the signs that begin a block text, such as `key: |-`.
fn opens_block_text(line: &str) -> bool {
    let line = without_comment(line).trim_end();
    let before =
        line.trim_end_matches(['+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    before
        .strip_suffix(['|', '>'])
        .is_some_and(|before| before.ends_with([' ', '\t']))
}

fn without_comment(line: &str) -> &str {
    match line.find(" #") {
        _ if line.trim_start().starts_with('#') => "",
        Some(comment) => &line[..comment],
        None => line,
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use crate::text::MappedText;
    use crate::yaml::{JS_YAML_3, read};

    /// What js-yaml 3.15 makes of tabs at the start of lines, as JSON; `None` if it fails.
    #[test]
    fn tabs_indent_nothing() {
        for (text, expected) in [
            ("a:\n\tb: c\n", Some(r#"{"a":null,"b":"c"}"#)),
            ("a:\n\t- x\n", Some(r#"{"a":["x"]}"#)),
            ("a:\n\t- x\n\t- y\n", None),
            ("a: |\n  x\n  \ty\n", Some(r#"{"a":"x\n\ty\n"}"#)),
            ("a: [\n\tx,\n\ty]\n", Some(r#"{"a":["x","y"]}"#)),
            ("\ta: b\n", Some(r#"{"a":"b"}"#)),
            ("\ta: b\nc: d\n", None),
            ("# x\n\ta: b\n c: d\n", Some(r#"{"a":"b","c":"d"}"#)),
            ("a:\n\t  - x\n  - y\n", None),
            (
                "a:\n\t- x\n - y\nb: c\n",
                Some(r#"{"a":["x","y"],"b":"c"}"#),
            ),
            ("a:\n  \tb: c\n  d: e\n", None),
            ("a:\n \tb: c\n  d: e\n", Some(r#"{"a":{"b":"c","d":"e"}}"#)),
        ] {
            let value = read(&MappedText::plain(text), &JS_YAML_3).ok().flatten();
            let value = value.map(|value| serde_json::to_string(&value).expect("it is JSON"));
            assert_eq!(value.as_deref(), expected, "{text:?}");
        }
    }
}
