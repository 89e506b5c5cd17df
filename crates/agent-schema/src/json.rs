//! JSON with spans.
//!
//! What differs between readers is data in a [`Flavor`]. All of them take repeated keys, of which
//! the last value counts (cases `fm-json*` of OpenHands).

use std::collections::HashMap;
use std::fmt;

use crate::coerce::javascript;
use crate::limits::{Limit, Limits};
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Entry, Int, Mapping, Node, Style, Value};

/// How deep lists and maps may be nested. Python gives up near a thousand calls.
const DEEPEST: usize = 990;

/// One JSON reader's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flavor {
    /// Whether the words `NaN`, `Infinity` and `-Infinity` are numbers.
    pub number_words: bool,
    /// Whether integers have any size; otherwise they are floating point numbers as all others.
    pub large_integers: bool,
    /// Whether `//` and `/* */` begin comments, and a comma may stand before a closing bracket.
    pub comments: bool,
    /// How deep lists and maps may be nested.
    pub depth: usize,
}

impl Flavor {
    /// Returns the same rules with limits that may be lower.
    #[must_use]
    pub fn within(self, limits: &Limits) -> Self {
        Flavor {
            depth: self.depth.min(limits.of(Limit::Nesting)),
            ..self
        }
    }
}

/// Python's `json.loads`.
pub const PYTHON: Flavor = Flavor {
    number_words: true,
    large_integers: true,
    comments: false,
    depth: DEEPEST,
};

/// JavaScript's `JSON.parse`.
pub const JAVASCRIPT: Flavor = Flavor {
    number_words: false,
    large_integers: false,
    comments: false,
    depth: DEEPEST,
};

/// JSON with comments, as the `jsonc-parser` package reads it with trailing commas allowed.
pub const WITH_COMMENTS: Flavor = Flavor {
    comments: true,
    ..JAVASCRIPT
};

/// Why a text is no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// Whether a limit was met; otherwise the form is wrong.
    pub limit: bool,
    /// What is wrong.
    pub message: String,
    /// The bytes of the file that are wrong.
    pub span: Span,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for JsonError {}

/// Reads a text that is one JSON value.
///
/// # Errors
/// The first thing that is no JSON.
pub fn read(text: &MappedText<'_>, flavor: Flavor) -> Result<Node, JsonError> {
    let mut reader = Reader {
        source: text,
        flavor,
        text: text.as_str(),
        at: 0,
        depth: 0,
    };
    reader.skip_blanks();
    let node = reader.value()?;
    reader.skip_blanks();
    if reader.at < reader.text.len() {
        return Err(reader.unexpected("nothing may follow the value"));
    }
    Ok(node)
}

struct Reader<'a> {
    source: &'a MappedText<'a>,
    flavor: Flavor,
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Node, JsonError> {
        let start = self.at;
        let (value, style) = match self.peek() {
            Some('{') => (self.nested(Reader::map)?, Style::Flow),
            Some('[') => (self.nested(Reader::list)?, Style::Flow),
            Some('"') => (Value::Text(self.string()?.into()), Style::DoubleQuoted),
            Some(_) => (self.word()?, Style::Plain),
            None => return Err(self.unexpected("a value is missing")),
        };
        Ok(self.node(value, start, style))
    }

    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<Value, JsonError>,
    ) -> Result<Value, JsonError> {
        self.depth += 1;
        let most = self.flavor.depth;
        if self.depth > most {
            return Err(JsonError {
                limit: true,
                ..self.unexpected(&format!("lists and maps are nested more than {most} deep"))
            });
        }
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn map(&mut self) -> Result<Value, JsonError> {
        let mut map = Mapping::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        self.skip_blanks();
        if self.eat('}') {
            return Ok(Value::Map(map));
        }
        loop {
            self.skip_blanks();
            if self.flavor.comments && !map.entries.is_empty() && self.eat('}') {
                return Ok(Value::Map(map));
            }
            let start = self.at;
            if self.peek() != Some('"') {
                return Err(self.unexpected("a key in double quotes is expected"));
            }
            let text = self.string()?;
            let key = self.node(
                Value::Text(text.as_str().into()),
                start,
                Style::DoubleQuoted,
            );
            self.skip_blanks();
            if !self.eat(':') {
                return Err(self.unexpected("a `:` is expected after the key"));
            }
            self.skip_blanks();
            let entry = Entry {
                key,
                value: self.value()?,
            };
            match places.get(&text) {
                Some(&at) => {
                    let earlier = std::mem::replace(&mut map.entries[at], entry);
                    map.overwritten.push(earlier);
                }
                None => {
                    places.insert(text, map.entries.len());
                    map.entries.push(entry);
                }
            }
            self.skip_blanks();
            if self.eat('}') {
                return Ok(Value::Map(map));
            }
            if !self.eat(',') {
                return Err(self.unexpected("a `,` or `}` is expected"));
            }
        }
    }

    fn list(&mut self) -> Result<Value, JsonError> {
        let mut items = Vec::new();
        self.skip_blanks();
        if self.eat(']') {
            return Ok(Value::List(items));
        }
        loop {
            self.skip_blanks();
            if self.flavor.comments && !items.is_empty() && self.eat(']') {
                return Ok(Value::List(items));
            }
            items.push(self.value()?);
            self.skip_blanks();
            if self.eat(']') {
                return Ok(Value::List(items));
            }
            if !self.eat(',') {
                return Err(self.unexpected("a `,` or `]` is expected"));
            }
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let opening = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else {
                self.at = opening;
                return Err(self.unexpected("the text in quotes is never closed"));
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => out.push(self.escape()?),
                '\0'..='\x1f' => {
                    return Err(self.unexpected("a control character must be written as an escape"));
                }
                c => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let c = self.text[self.at + 1..].chars().next();
        let simple = match c {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode_escape(),
            _ => return Err(self.unexpected("there is no such escape")),
        };
        self.at += 2;
        Ok(simple)
    }

    /// Reads `\uXXXX`, or two of them that make one character. Half a pair, which Python keeps,
    /// cannot stand in a text here and becomes U+FFFD.
    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let first = self.hex4(self.at)?;
        self.at += 6;
        if (0xd800..0xdc00).contains(&first)
            && self.text[self.at..].starts_with("\\u")
            && let Ok(second) = self.hex4(self.at)
            && (0xdc00..0xe000).contains(&second)
        {
            self.at += 6;
            let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&self, at: usize) -> Result<u32, JsonError> {
        self.text
            .get(at + 2..at + 6)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| self.unexpected("`\\u` needs four hexadecimal digits"))
    }

    fn word(&mut self) -> Result<Value, JsonError> {
        let rest = &self.text[self.at..];
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.')))
            .unwrap_or(rest.len());
        let word = &rest[..length];
        let value = match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "NaN" if self.flavor.number_words => Value::Float(f64::NAN),
            "Infinity" if self.flavor.number_words => Value::Float(f64::INFINITY),
            "-Infinity" if self.flavor.number_words => Value::Float(f64::NEG_INFINITY),
            word => match number(word) {
                Some(Value::Int(int)) if !self.flavor.large_integers => javascript::number_of(int),
                Some(value) => value,
                None => return Err(self.unexpected("this is no JSON value")),
            },
        };
        self.at += length;
        Ok(value)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Skips white space, and comments where there are any.
    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
            match self.comment() {
                Some(length) if self.flavor.comments => self.at += length,
                _ => return,
            }
        }
    }

    /// Returns the length of a comment that stands here. One that is never closed is none.
    fn comment(&self) -> Option<usize> {
        let rest = &self.text[self.at..];
        if rest.starts_with("//") {
            return Some(rest.find(['\n', '\r']).unwrap_or(rest.len()));
        }
        let inside = rest.strip_prefix("/*")?;
        Some(inside.find("*/")? + "/**/".len())
    }

    fn node(&self, value: Value, start: usize, style: Style) -> Node {
        Node::new(value, self.source.span(start..self.at), style)
    }

    fn unexpected(&self, message: &str) -> JsonError {
        let width = self.peek().map_or(0, char::len_utf8);
        JsonError {
            limit: false,
            message: format!("the JSON cannot be parsed: {message}"),
            span: self.source.span(self.at..self.at + width),
        }
    }
}

/// Reads a JSON number: no leading zeros, no plus sign, digits around the dot.
fn number(word: &str) -> Option<Value> {
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (
            mantissa,
            Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        ),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let well_formed = digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits);
    if !well_formed {
        return None;
    }
    if fraction.is_some() || exponent.is_some() {
        return word.parse().ok().map(Value::Float);
    }
    Some(Value::Int(match word.parse() {
        Ok(small) => Int::Small(small),
        Err(_) => Int::Big(word.into()),
    }))
}
