//! Headers that are no YAML: lines of `key: value`, read one by one.
//!
//! Source of every rule: `frontmatter.ts` of `pi-subagents` 0.67.0, and the cases of Pi. Every
//! value is a text. Brackets, comments, anchors and escapes stay in it as they are written; a
//! value of several lines is one that is indented below its key. A line that is neither a key
//! nor indented below one is passed over.

use std::ops::Range;

use crate::coerce::javascript;
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Entry, Mapping, Node, Style, Value};

/// Reads a header. No text is wrong.
#[must_use]
pub fn read(text: &MappedText<'_>) -> Node {
    let mut reader = Reader {
        text,
        map: Mapping::default(),
        open: None,
    };
    let mut at = 0;
    for line in text.as_str().split('\n') {
        reader.take_line(line, at);
        at += line.len() + 1;
    }
    reader.close();
    let whole = text.span(0..text.as_str().len());
    Node::new(Value::Map(reader.map), whole, Style::Block)
}

/// What a header of lines says in vain.
pub(crate) struct PassedOver {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// The key whose text was meant to stand below this sign, if it is one that begins no text.
    pub(crate) begins_text_of: Option<String>,
}

/// Returns the lines that are passed over although they say something: an indented line below a
/// value that stands on the line of its key already, and a line that is no key. For lines below a
/// sign that begins a text of YAML and none here, that sign stands.
pub(crate) fn passed_over(text: &MappedText<'_>) -> Vec<PassedOver> {
    let mut reader = Reader {
        text,
        map: Mapping::default(),
        open: None,
    };
    let mut at = 0;
    let mut lost = Vec::new();
    // A sign above, until it is told.
    let mut sign = None;
    let mut is_below_sign = false;
    for line in text.as_str().split('\n') {
        let says_nothing = javascript::trim(line).is_empty() || line.starts_with('#');
        let counts = reader.take_line(line, at);
        if counts {
            sign = sign_of_text(line, at);
            is_below_sign = sign.is_some();
        }
        if !counts && !says_nothing {
            match sign.take().filter(|_| indent(line) > 0) {
                Some(sign) => lost.push(sign),
                None if is_below_sign && indent(line) > 0 => {}
                None => lost.push(PassedOver {
                    range: at + indent(line)..at + line.trim_end().len(),
                    begins_text_of: None,
                }),
            }
        }
        at += line.len() + 1;
    }
    lost
}

/// Returns the value of a line that is a sign by which a text begins in YAML, with more signs than
/// are known here.
fn sign_of_text(line: &str, at: usize) -> Option<PassedOver> {
    let parts = split_key(line)?;
    let signs = parts.value.strip_prefix(['|', '>'])?;
    let is_sign = |c: char| matches!(c, '+' | '-' | '1'..='9');
    let is_known = matches!(signs, "" | "-");
    let end = at + javascript::trim(line).len();
    (!is_known && signs.len() < 3 && signs.chars().all(is_sign)).then(|| PassedOver {
        range: end - parts.value.len()..end,
        begins_text_of: Some(parts.key.to_owned()),
    })
}

/// Returns the lines that are a part of a value although they look like settings: they set a key,
/// and are indented less than the first line of the value.
pub(crate) fn settings_inside_values(text: &MappedText<'_>) -> Vec<Range<usize>> {
    let mut reader = Reader {
        text,
        map: Mapping::default(),
        open: None,
    };
    let mut first = None;
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.as_str().split('\n') {
        let is_below = reader.open.is_some() && indent(line) > 0;
        reader.take_line(line, at);
        let bare = javascript::trim(line);
        if !is_below {
            first = None;
        } else if !bare.is_empty() {
            let first = *first.get_or_insert(indent(line));
            if indent(line) < first && split_key(bare).is_some() {
                let start = at + indent(line);
                found.push(start..start + bare.len());
            }
        }
        at += line.len() + 1;
    }
    found
}

struct Reader<'t> {
    text: &'t MappedText<'t>,
    map: Mapping,
    open: Option<OpenBlock<'t>>,
}

/// A key whose value stands in the lines below it.
struct OpenBlock<'t> {
    key: Node,
    /// Where the value would stand on the line of the key.
    value_at: Span,
    style: Style,
    lines: Vec<&'t str>,
    /// The bytes from the first line to the last one that says something.
    place: Option<Range<usize>>,
}

/// A line that sets a key.
struct KeyLine<'t> {
    key: &'t str,
    /// The value without white space around it, quotes included.
    value: &'t str,
}

impl<'t> Reader<'t> {
    /// Takes a line. Returns whether it counts for anything.
    fn take_line(&mut self, line: &'t str, at: usize) -> bool {
        let is_blank = javascript::trim(line).is_empty();
        if let Some(open) = &mut self.open {
            let is_text = matches!(open.style, Style::Folded | Style::Literal);
            if indent(line) > 0 || (is_text && is_blank) {
                open.lines.push(line);
                if !is_blank {
                    let from = open
                        .place
                        .as_ref()
                        .map_or(at + indent(line), |place| place.start);
                    open.place = Some(from..at + line.len());
                }
                return true;
            }
            self.close();
        }
        let parts = split_key(line);
        if let Some(parts) = &parts {
            self.take_key(parts, line, at);
        }
        parts.is_some()
    }

    fn take_key(&mut self, parts: &KeyLine<'t>, line: &str, at: usize) {
        let key_place = self.text.span(at..at + parts.key.len());
        let key = Node::new(Value::Text(parts.key.into()), key_place, Style::Plain);
        // The value is the end of the line, but for white space.
        let end = at + javascript::trim(line).len().max(parts.key.len() + 1);
        let value_at = self.text.span(end - parts.value.len()..end);
        let (value, style) = unquote(parts.value);
        let style = match (style, value) {
            (Style::Plain, ">" | ">-") => Style::Folded,
            (Style::Plain, "|" | "|-") => Style::Literal,
            (_, "") => Style::Block,
            (style, value) => {
                self.set(key, Node::new(Value::Text(value.into()), value_at, style));
                return;
            }
        };
        self.open = Some(OpenBlock {
            key,
            value_at,
            style,
            lines: Vec::new(),
            place: None,
        });
    }

    /// Ends the value of several lines, if there is one.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let stripped = without_common_indent(&open.lines);
        let value = match open.style {
            Style::Folded => fold(&stripped),
            _ => stripped,
        };
        let place = open
            .place
            .map_or(open.value_at, |place| self.text.span(place));
        self.set(
            open.key,
            Node::new(Value::Text(value.into()), place, open.style),
        );
    }

    /// The last value of a key counts, at the first one's place.
    fn set(&mut self, key: Node, value: Node) {
        let mut entries = self.map.entries.iter_mut();
        let entry = Entry { key, value };
        match entries.find(|earlier| earlier.key.same_content(&entry.key)) {
            Some(earlier) => self.map.overwritten.push(std::mem::replace(earlier, entry)),
            None => self.map.entries.push(entry),
        }
    }
}

/// `line.search(/\S|$/)`
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(javascript::is_space).len()
}

/// `/^([\w-]+):\s*(.*)$/`; nothing but a line end ends what `.` matches.
fn split_key(line: &str) -> Option<KeyLine<'_>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let (key, value) = line.split_once(':')?;
    let is_key = !key.is_empty() && key.chars().all(is_word);
    let value = value.trim_start_matches(javascript::is_space);
    let is_one_line = !value.contains(['\r', '\u{2028}', '\u{2029}']);
    (is_key && is_one_line).then(|| KeyLine {
        key,
        value: javascript::trim(value),
    })
}

/// Takes a pair of quotes off; a single quote mark is a pair by itself and leaves nothing.
fn unquote(value: &str) -> (&str, Style) {
    for (quote, style) in [('"', Style::DoubleQuoted), ('\'', Style::SingleQuoted)] {
        if value.starts_with(quote) && value.ends_with(quote) {
            return (value.get(1..value.len() - 1).unwrap_or_default(), style);
        }
    }
    (value, Style::Plain)
}

/// Takes the indentation of the first indented line off every line that begins with it.
fn without_common_indent(lines: &[&str]) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let is_content = |rest: &str| rest.starts_with(|c| !javascript::is_space(c));
    let mut indented = lines.iter().filter(|line| {
        let blanks = blanks(line);
        blanks > 0 && is_content(&line[blanks..])
    });
    let Some(prefix) = indented.next().map(|line| &line[..blanks(line)]) else {
        return lines.join("\n");
    };
    let stripped = lines
        .iter()
        .map(|line| line.strip_prefix(prefix).unwrap_or(line));
    let text = stripped.collect::<Vec<_>>().join("\n");
    text.strip_prefix('\n').map(str::to_owned).unwrap_or(text)
}

/// Joins the lines of a folded text: one line end is a space, several lose one, and lines that
/// are indented further keep theirs.
fn fold(block: &str) -> String {
    let mut folded = String::new();
    let mut last_is_deeper = false;
    let mut blank_lines = 0;
    for line in block.split('\n') {
        let line = line.trim_end_matches(javascript::is_space);
        if line.is_empty() {
            blank_lines += usize::from(!folded.is_empty());
            continue;
        }
        let is_deeper = line.starts_with(javascript::is_space);
        let keeps = is_deeper || last_is_deeper;
        if !folded.is_empty() {
            match blank_lines + usize::from(keeps) {
                0 => folded.push(' '),
                breaks => folded.push_str(&"\n".repeat(breaks)),
            }
        }
        folded.push_str(line);
        last_is_deeper = is_deeper;
        blank_lines = 0;
    }
    javascript::trim(&folded).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(header: &str) -> Vec<(String, String)> {
        let text = MappedText::plain(header);
        let root = read(&text);
        let map = root.as_map().expect("a header of lines is a map");
        let texts = |entry: &Entry| {
            let text = |node: &Node| node.as_text().unwrap_or_default().to_owned();
            (text(&entry.key), text(&entry.value))
        };
        map.entries.iter().map(texts).collect()
    }

    #[test]
    fn values_stay_as_they_are_written() {
        for (line, value) in [
            ("a: [x, y] # z", "[x, y] # z"),
            ("a:b:  c ", "b:  c"),
            ("a: \"x\\n\"", "x\\n"),
            ("a: 'it''s'", "it''s"),
            ("a: \"", ""),
            ("a: \"x'", "\"x'"),
        ] {
            assert_eq!(values(line), [("a".to_owned(), value.to_owned())], "{line}");
        }
        assert_eq!(values("- a: b\n# c: d\n e: f\n\u{e9}: g"), []);
    }

    #[test]
    fn indented_lines_belong_to_the_key_above() {
        for (block, value) in [
            ("a:\n  - x\n  - y", "- x\n- y"),
            ("a:\n    x\n  y", "x\n  y"),
            ("a: |\n  x\n\n  y\n", "x\n\ny\n"),
            ("a: >\n  x\n  y\n\n  z\n    w\n  v", "x y\nz\n  w\nv"),
            ("a: x\n  y", "x"),
            ("a:\nx\n  y", ""),
            ("a:\n\n  x", ""),
        ] {
            assert_eq!(
                values(block),
                [("a".to_owned(), value.to_owned())],
                "{block}"
            );
        }
    }

    #[test]
    fn values_know_their_place() {
        let text = MappedText::plain("a: \"x\" \nb:\n  - y\n\nc:");
        let root = read(&text);
        let map = root.as_map().expect("a header of lines is a map");
        let spans: Vec<_> = map.entries.iter().map(|entry| entry.value.span).collect();
        assert_eq!(
            spans,
            [Span::new(3, 6), Span::new(13, 16), Span::new(20, 20)]
        );
    }
}
