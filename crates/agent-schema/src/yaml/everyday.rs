//! A short road for everyday texts, which most headers are: it makes the nodes from the lines,
//! without the events of a parser, a graph and two walks over it.
//!
//! It knows a part of YAML alone, and in that part it gives what the full reader gives, byte for
//! byte: the same values, places and styles. At the first doubt it gives nothing, and the full
//! reader takes the whole text; so every error comes from there. What it knows:
//!
//! - block maps whose keys are texts in one line, each given once; a key without quotes begins with
//!   a letter, a digit or `_`,
//! - block lists of values and of such maps,
//! - values in one line: without quotes, in single quotes, in double quotes with the escapes
//!   `\n`, `\t`, `\"`, `\\` and `\/`, or missing behind a key,
//! - lists in brackets in one line, whose items without quotes have no signs of YAML in them,
//! - block texts, literal or folded, with or without `-`,
//! - comments and blank lines, also with CRLF as line end.
//!
//! What a value without quotes means is asked of the flavor, as always. No tab, byte order mark or
//! control character stands in such a text, nor a line end that YAML 1.1 alone knows.
//!
//! That both readers agree is shown by the tests in `tests/tests/two_readers.rs` and the fuzz target
//! `readers`.

mod block_text;
mod characters;
mod inline;

use memchr::memchr;

use crate::indented_lines::spaces_at_start;
use crate::text::MappedText;
use crate::value::{Entry, Mapping, Node, Style, Value};

use super::flavor::{Flavor, Keys, NestedMaps, Tag};

/// The deepest nesting that is read here.
const DEEPEST: usize = 12;

/// The longest key that is read here, in bytes.
const LONGEST_KEY: usize = 128;

/// Reads an everyday text. `None` only says that the full reader has to do it.
pub(super) fn read(text: &MappedText<'_>, flavor: &Flavor) -> Option<Node> {
    let source = text.as_str();
    if !fits(&flavor.limits, source.len()) || !characters::are_everyday(source) {
        return None;
    }
    let mut reader = Reader {
        text,
        source,
        flavor,
        at: 0,
        depth: 0,
    };
    if reader.next_line_column() != Some(0) {
        return None;
    }
    let root = reader.map(0)?;
    reader.is_at_end().then_some(root.node)
}

/// Returns whether nothing that is read here can come near a limit of the flavor.
fn fits(limits: &super::flavor::Limits, length: usize) -> bool {
    let nesting = limits.block_nesting.min(limits.nesting).min(limits.depth);
    DEEPEST < nesting && LONGEST_KEY < limits.simple_key && length <= limits.characters
}

struct Reader<'t, 'm, 'f> {
    text: &'t MappedText<'m>,
    source: &'t str,
    flavor: &'f Flavor,
    at: usize,
    /// How many maps and lists are open.
    depth: usize,
}

/// A node with its end in the text.
struct Placed {
    node: Node,
    end: usize,
}

impl<'t> Reader<'t, '_, '_> {
    /// Reads the map whose first key stands here, in a column.
    fn map(&mut self, column: usize) -> Option<Placed> {
        self.enter()?;
        let start = self.at;
        let mut end;
        let mut entries = Vec::new();
        loop {
            let key = self.key()?;
            let value = self.value_of_key(column)?;
            end = value.end;
            entries.push(Entry {
                key,
                value: value.node,
            });
            if !self.goes_on(column)? {
                break;
            }
            self.at += column;
        }
        if has_repeated_key(&entries) || self.compares_columns(&entries) {
            return None;
        }
        self.depth -= 1;
        let map = Value::Map(Mapping {
            entries,
            ..Mapping::default()
        });
        Some(self.placed(map, Style::Block, start, end))
    }

    /// Returns whether the flavor wants the maps among values in one column, and there are several.
    fn compares_columns(&self, entries: &[Entry]) -> bool {
        let mut maps = entries.iter().filter(|it| it.value.as_map().is_some());
        self.flavor.nested_maps == NestedMaps::OneColumn && maps.nth(1).is_some()
    }

    /// Reads the list whose first dash stands here, in a column.
    fn list(&mut self, column: usize) -> Option<Placed> {
        self.enter()?;
        let start = self.at;
        let mut end;
        let mut items = Vec::new();
        loop {
            let item = self.item(column)?;
            end = item.end;
            items.push(item.node);
            if !self.goes_on(column)? || !self.is_dash_in(column) {
                break;
            }
            self.at += column;
        }
        self.depth -= 1;
        Some(self.placed(Value::List(items), Style::Block, start, end))
    }

    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= DEEPEST).then_some(())
    }

    /// Reads a key and the colon behind it.
    fn key(&mut self) -> Option<Node> {
        let start = self.at;
        let (text, style) = match self.byte()? {
            b'"' | b'\'' => self.quoted()?,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => (self.plain()?, Style::Plain),
            _ => return None,
        };
        let end = self.at;
        if self.byte() != Some(b':') || end - start > LONGEST_KEY {
            return None;
        }
        self.at += 1;
        if !matches!(self.byte(), None | Some(b' ' | b'\n' | b'\r')) {
            return None;
        }
        let tag = match (style, self.flavor.keys) {
            (Style::Plain, Keys::AsWritten) => Tag::Text,
            (Style::Plain, _) => (self.flavor.resolve)(&text),
            _ => Tag::Text,
        };
        match (self.flavor.construct)(tag, &text) {
            Ok(value @ Value::Text(_)) if tag == Tag::Text => {
                Some(self.placed(value, style, start, end).node)
            }
            _ => None,
        }
    }

    /// Reads what stands behind a key of a map in a column, with the lines below that belong to it.
    fn value_of_key(&mut self, column: usize) -> Option<Placed> {
        let behind_colon = self.at;
        self.skip_spaces();
        if !self.is_at_line_end() && self.byte() != Some(b'#') {
            return self.value(column);
        }
        self.skip_line();
        match self.next_line_column() {
            Some(next) if next >= column && self.is_dash_in(next) => {
                self.at += next;
                self.list(next)
            }
            Some(next) if next > column => {
                self.at += next;
                self.map(next)
            }
            _ => {
                let value = self.construct((self.flavor.resolve)(""), "")?;
                Some(self.placed(value, Style::Plain, behind_colon, behind_colon))
            }
        }
    }

    /// Reads an item of a list whose dashes stand in a column.
    fn item(&mut self, column: usize) -> Option<Placed> {
        let dash = self.at;
        self.at += 1;
        self.skip_spaces();
        let start = self.at;
        let is_map = self.key().is_some();
        self.at = start;
        match is_map {
            true => self.map(column + (start - dash)),
            false => self.value(column),
        }
    }

    /// Goes to the next line with content and tells whether the content stands in a column;
    /// otherwise what stands there is at its end. There is doubt if it stands further right.
    fn goes_on(&mut self, column: usize) -> Option<bool> {
        match self.next_line_column() {
            Some(next) if next > column => None,
            next => Some(next == Some(column)),
        }
    }

    /// Goes to the start of the next line with content, from the start of a line; returns the
    /// column of the content, or `None` at the end.
    fn next_line_column(&mut self) -> Option<usize> {
        loop {
            let rest = self.rest();
            let spaces = spaces_at_start(rest);
            match rest.as_bytes().get(spaces) {
                None => return None,
                Some(b'\n' | b'\r' | b'#') => self.skip_line(),
                Some(_) => return Some(spaces),
            }
        }
    }

    /// Ends a line: nothing but blanks and a comment may follow.
    fn end_line(&mut self) -> Option<()> {
        let blanks = self.skip_spaces();
        if self.is_at_line_end() {
            self.skip_line_end();
            return Some(());
        }
        if blanks == 0 || self.byte() != Some(b'#') {
            return None;
        }
        self.skip_line();
        Some(())
    }

    fn is_at_end(&self) -> bool {
        self.at == self.source.len() || self.rest().bytes().all(|byte| byte == b' ')
    }

    fn is_at_line_end(&self) -> bool {
        matches!(self.byte(), None | Some(b'\n' | b'\r'))
    }

    /// Returns whether a dash with something behind it on its line stands so many bytes further.
    fn is_dash_in(&self, bytes: usize) -> bool {
        self.source.as_bytes()[self.at + bytes..].starts_with(b"- ")
    }

    fn byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t str {
        &self.source[self.at..]
    }

    /// Returns the rest of the line, without its end.
    fn rest_of_line(&self) -> &'t str {
        let rest = self.rest();
        let line = memchr(b'\n', rest.as_bytes()).map_or(rest, |end| &rest[..end]);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// Skips the end of a line, from right before it.
    fn skip_line_end(&mut self) {
        let rest = self.rest().as_bytes();
        self.at += match rest {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
    }

    /// Skips spaces and returns how many there are.
    fn skip_spaces(&mut self) -> usize {
        let spaces = spaces_at_start(self.rest());
        self.at += spaces;
        spaces
    }

    fn placed(&self, value: Value, style: Style, start: usize, end: usize) -> Placed {
        let node = Node::new(value, self.text.span(start..end), style);
        Placed { node, end }
    }

    /// Makes the value of a scalar. What has no plain value of its own is left to the full reader.
    fn construct(&self, tag: Tag, text: &str) -> Option<Value> {
        match tag {
            Tag::Merge | Tag::Default | Tag::Unknown => None,
            _ if tag.is_collection() => None,
            _ => (self.flavor.construct)(tag, text).ok(),
        }
    }
}

/// Returns whether two keys are the same text. All keys are texts here, and a flavor takes two of
/// them for one exactly if they are the same.
fn has_repeated_key(entries: &[Entry]) -> bool {
    let mut keys: Vec<&str> = entries.iter().filter_map(|it| it.key.as_text()).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
