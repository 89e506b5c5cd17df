//! Values in one line: with and without quotes, and in brackets.

use std::borrow::Cow;

use crate::value::{Node, Style, Value};

use super::super::flavor::{Brackets, Tag};
use super::{Placed, Reader};

impl<'t> Reader<'t, '_, '_> {
    /// Reads a value that begins here, and goes to the start of the line behind it.
    ///
    /// `column` is that of the map or list around it, which a block text stands right of.
    pub(super) fn value(&mut self, column: usize) -> Option<Placed> {
        let value = match self.byte()? {
            b'|' | b'>' => return self.block_text(column),
            b'[' => self.bracket_list()?,
            b'"' | b'\'' => self.quoted_value()?,
            _ => {
                let start = self.at;
                let text = self.begins_plain().then(|| self.plain())??;
                self.plain_value(&text, start)?
            }
        };
        self.end_line()?;
        Some(value)
    }

    /// Returns whether a value without quotes begins here, beyond doubt.
    fn begins_plain(&self) -> bool {
        match self.source.as_bytes()[self.at..] {
            [b'-', next, ..] => next.is_ascii_alphanumeric(),
            [first, ..] => !b"-?:,[]{}#&*!|>'\"%@`".contains(&first),
            [] => false,
        }
    }

    /// Takes a text without quotes, up to a colon with a blank behind it or a comment.
    pub(super) fn plain(&mut self) -> Option<Cow<'t, str>> {
        let line = self.rest_of_line();
        let bytes = line.as_bytes();
        let ends = |at: usize| match bytes[at] {
            b':' => matches!(bytes.get(at + 1), None | Some(b' ')),
            b'#' => at > 0 && bytes[at - 1] == b' ',
            _ => false,
        };
        let end = (0..bytes.len()).find(|at| ends(*at)).unwrap_or(bytes.len());
        let text = line[..end].trim_end_matches(' ');
        self.at += text.len();
        (!text.is_empty()).then_some(Cow::Borrowed(text))
    }

    fn plain_value(&self, text: &str, start: usize) -> Option<Placed> {
        let value = self.construct((self.flavor.resolve)(text), text)?;
        Some(self.placed(value, Style::Plain, start, start + text.len()))
    }

    fn quoted_value(&mut self) -> Option<Placed> {
        let start = self.at;
        let (text, style) = self.quoted()?;
        let value = self.construct(Tag::Text, &text)?;
        Some(self.placed(value, style, start, self.at))
    }

    /// Takes a text in quotes.
    pub(super) fn quoted(&mut self) -> Option<(Cow<'t, str>, Style)> {
        let line = self.rest_of_line();
        let is_double = line.starts_with('"');
        let (length, text) = match is_double {
            true => double_quoted(line)?,
            false => single_quoted(line)?,
        };
        self.at += length;
        let style = match is_double {
            true => Style::DoubleQuoted,
            false => Style::SingleQuoted,
        };
        Some((text, style))
    }

    /// Reads a list in brackets that ends on its line.
    fn bracket_list(&mut self) -> Option<Placed> {
        if self.flavor.brackets == Brackets::Refused {
            return None;
        }
        let start = self.at;
        let mut items: Vec<Node> = Vec::new();
        self.at += 1;
        self.skip_spaces();
        if self.byte()? != b']' {
            loop {
                items.push(self.bracket_item()?.node);
                self.skip_spaces();
                match self.byte()? {
                    b',' => self.at += 1,
                    b']' => break,
                    _ => return None,
                }
                self.skip_spaces();
            }
        }
        self.at += 1;
        Some(self.placed(Value::List(items), Style::Flow, start, self.at))
    }

    fn bracket_item(&mut self) -> Option<Placed> {
        let start = self.at;
        if matches!(self.byte()?, b'"' | b'\'') {
            return self.quoted_value();
        }
        let line = self.rest_of_line();
        let end = line.find([',', ']'])?;
        let text = line[..end].trim_end_matches(' ');
        let is_word = text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if !is_word || text.contains([':', '#', '[', '{', '}', '"', '\'', '?']) {
            return None;
        }
        self.at += text.len();
        self.plain_value(text, start)
    }
}

/// Returns how long a text in single quotes is in the line that it begins, and what it says.
fn single_quoted(line: &str) -> Option<(usize, Cow<'_, str>)> {
    let inside = &line[1..];
    let mut at = 0;
    loop {
        at += inside[at..].find('\'')?;
        if inside.as_bytes().get(at + 1) != Some(&b'\'') {
            break;
        }
        at += 2;
    }
    let text = match inside[..at].contains('\'') {
        true => Cow::Owned(inside[..at].replace("''", "'")),
        false => Cow::Borrowed(&inside[..at]),
    };
    Some((at + 2, text))
}

/// The same for double quotes.
fn double_quoted(line: &str) -> Option<(usize, Cow<'_, str>)> {
    let inside = &line[1..];
    let end = inside.find(['"', '\\'])?;
    if inside.as_bytes()[end] == b'"' {
        return Some((end + 2, Cow::Borrowed(&inside[..end])));
    }
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    loop {
        let end = rest.find(['"', '\\'])?;
        text.push_str(&rest[..end]);
        let sign = &rest.as_bytes()[end..];
        if sign[0] == b'"' {
            rest = &rest[end + 1..];
            break;
        }
        text.push(match sign.get(1)? {
            b'n' => '\n',
            b't' => '\t',
            escaped @ (b'"' | b'\\' | b'/') => char::from(*escaped),
            _ => return None,
        });
        rest = &rest[end + 2..];
    }
    Some((line.len() - rest.len(), Cow::Owned(text)))
}
