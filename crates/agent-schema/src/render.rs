//! Writing a definition as a file of a dialect.
//!
//! The YAML is the part that every flavor reads the same way: texts are in double quotes unless
//! they cannot be mistaken for anything else, several lines become a literal block, lists and
//! maps are in block form. Three dashes are never written inside the header, because some
//! harnesses end it there. Reading the result gives the same definition.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::definition::{Definition, FieldName, FieldValue};
use crate::dialect::Profile;
use crate::source::Span;
use crate::value::{Node, Value};
use crate::value_output::MOST_NODES;

/// A definition that cannot be written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// A value contains itself.
    Endless(String),
    /// A value is too large to be written out without aliases.
    TooLarge(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::Endless(key) => write!(f, "write `{key}`: the value contains itself"),
            RenderError::TooLarge(key) => {
                write!(
                    f,
                    "write `{key}`: the value has more than {MOST_NODES} parts"
                )
            }
        }
    }
}

impl std::error::Error for RenderError {}

/// Writes a definition as Markdown with a YAML header, by the field table of a profile.
///
/// Fields that are only implied (defaults, a name taken from the file) are left out.
///
/// # Errors
/// If a value has no finite form.
pub fn render(definition: &Definition, profile: &Profile) -> Result<String, RenderError> {
    let mut writer = Writer {
        out: String::from("---\n"),
        left: MOST_NODES,
        around: Comments::new(),
    };
    for field in profile.rules.reading.fields {
        let Some(located) = definition.field(field.target) else {
            continue;
        };
        if located.place.is_some() {
            writer
                .field(field.key, &located.value)
                .map_err(|stop| stop.error(field.key))?;
        }
    }
    for (key, located) in &definition.metadata {
        writer.key(key, 0);
        writer
            .node(&located.value, 0)
            .map_err(|stop| stop.error(key))?;
    }
    writer.out.push_str("---\n\n");
    if let Some(prompt) = definition.text(FieldName::PROMPT) {
        writer.out.push_str(prompt);
        writer.out.push('\n');
    }
    Ok(writer.out)
}

/// Comments around the keys and items of a value, by the offset at which each begins in its file.
pub type Comments = BTreeMap<u32, CommentsAround>;

/// Comments around a key or an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommentsAround {
    /// Those above it, with their `#`.
    pub above: Vec<String>,
    /// Those below it, with their `#`.
    pub below: Vec<String>,
}

/// Writes the entries of a map as YAML, one below the other, each with the comments above it.
///
/// The comments around what is nested are taken from `around` as they are written, and those of
/// which nothing is written stay there.
///
/// # Errors
/// If a value has no finite form.
pub fn render_entries<'e>(
    entries: impl IntoIterator<Item = (&'e str, &'e Node, &'e [String])>,
    indent: usize,
    around: &mut Comments,
) -> Result<String, RenderError> {
    let mut writer = Writer {
        out: String::new(),
        left: MOST_NODES,
        around: std::mem::take(around),
    };
    for (key, node, comments) in entries {
        writer.comments(comments, indent);
        writer.key(key, indent);
        writer.node(node, indent).map_err(|stop| stop.error(key))?;
    }
    *around = writer.around;
    Ok(writer.out)
}

/// Why a value has no finite form.
enum Stop {
    Endless,
    TooLarge,
}

impl Stop {
    fn error(self, key: &str) -> RenderError {
        match self {
            Stop::Endless => RenderError::Endless(key.to_owned()),
            Stop::TooLarge => RenderError::TooLarge(key.to_owned()),
        }
    }
}

struct Writer {
    out: String,
    left: u32,
    around: Comments,
}

impl Writer {
    fn comments(&mut self, comments: &[String], indent: usize) {
        for comment in comments {
            self.indent(indent);
            self.out.push_str(comment);
            self.out.push('\n');
        }
    }

    /// Writes the comments above a key or item, and returns those that stand below it. What was
    /// made anew stands nowhere.
    fn comments_above(&mut self, at: &Node, indent: usize) -> Vec<String> {
        let is_written = at.span != Span::default();
        let around = is_written.then(|| self.around.remove(&at.span.start));
        let CommentsAround { above, below } = around.flatten().unwrap_or_default();
        self.comments(&above, indent);
        below
    }

    fn key(&mut self, key: &str, indent: usize) {
        self.indent(indent);
        self.out.push_str(&inline_text(key));
        self.out.push(':');
    }

    fn indent(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn field(&mut self, key: &str, value: &FieldValue) -> Result<(), Stop> {
        self.key(key, 0);
        match value {
            FieldValue::Text(text) => self.text(text, 0),
            FieldValue::Integer(value) => self.word(&value.to_string()),
            FieldValue::Number(value) => self.word(&float(*value)),
            FieldValue::Flag(value) => self.word(if *value { "true" } else { "false" }),
            FieldValue::Inherited => self.word("[]"),
            FieldValue::Names(names) if names.is_empty() => self.word("[]"),
            FieldValue::Names(names) => {
                self.out.push('\n');
                for name in names {
                    self.out.push_str("  -");
                    self.text(&name.text, 2);
                }
            }
            FieldValue::Everything => self.word("\"*\""),
            FieldValue::Config(node) => self.node(node, 0)?,
        }
        Ok(())
    }

    /// Writes a value behind a key or dash and ends its line.
    fn node(&mut self, node: &Node, indent: usize) -> Result<(), Stop> {
        self.left = self.left.checked_sub(1).ok_or(Stop::TooLarge)?;
        match &node.value {
            Value::Null => self.word("null"),
            Value::Bool(value) => self.word(if *value { "true" } else { "false" }),
            Value::Int(value) => self.word(&value.to_string()),
            Value::Float(value) => self.word(&float(*value)),
            Value::Text(text) => self.text(text, indent),
            Value::Date(text) | Value::Timestamp(text) => self.word(text),
            Value::Binary(bytes) => {
                let text = crate::value_output::base64(bytes);
                self.word(&format!("!!binary \"{text}\""));
            }
            Value::List(items) if items.is_empty() => self.word("[]"),
            Value::List(items) => {
                self.out.push('\n');
                for item in items {
                    let below = self.comments_above(item, indent + 2);
                    self.indent(indent + 2);
                    self.out.push('-');
                    self.item(item, indent + 2)?;
                    self.comments(&below, indent + 2);
                }
            }
            Value::Map(map) if map.entries.is_empty() => self.word("{}"),
            Value::Map(map) => {
                self.out.push('\n');
                for entry in &map.entries {
                    self.entry(&entry.key, &entry.value, indent + 2)?;
                }
            }
            Value::Set(items) if items.is_empty() => self.word("!!set {}"),
            Value::Set(items) => {
                self.out.push_str(" !!set\n");
                for item in items {
                    self.indent(indent + 2);
                    self.out.push('?');
                    self.node(item, indent + 2)?;
                }
            }
            Value::Pairs(pairs) if pairs.is_empty() => self.word("!!pairs []"),
            Value::Pairs(pairs) => {
                self.out.push_str(" !!pairs\n");
                for (key, value) in pairs {
                    self.indent(indent + 2);
                    self.out.push_str("-\n");
                    self.entry(key, value, indent + 4)?;
                }
            }
            Value::Shared(target) => self.node(target, indent)?,
            Value::Recursive(_) => return Err(Stop::Endless),
        }
        Ok(())
    }

    /// Writes an item behind its dash; a map begins on the line of the dash.
    fn item(&mut self, item: &Node, indent: usize) -> Result<(), Stop> {
        let map = match &item.value {
            Value::Map(map) if !map.entries.is_empty() => map,
            _ => return self.node(item, indent),
        };
        self.left = self.left.checked_sub(1).ok_or(Stop::TooLarge)?;
        let start = self.out.len();
        for entry in &map.entries {
            self.entry(&entry.key, &entry.value, indent + 2)?;
        }
        // The blanks before the first key become the one behind the dash.
        self.out.replace_range(start..start + indent + 2, " ");
        Ok(())
    }

    /// Writes one entry of a map; a key that is not simple is written with a question mark.
    fn entry(&mut self, key: &Node, value: &Node, indent: usize) -> Result<(), Stop> {
        /// The longest simple key of YAML is 1024 characters, quotes and escapes included.
        const LONGEST_SIMPLE_KEY: usize = 500;
        let below = self.comments_above(key, indent);
        match key.as_text() {
            Some(text) if text.len() <= LONGEST_SIMPLE_KEY => self.key(text, indent),
            _ => {
                self.indent(indent);
                self.out.push('?');
                self.node(key, indent)?;
                self.indent(indent);
                self.out.push(':');
            }
        }
        self.node(value, indent)?;
        self.comments(&below, indent);
        Ok(())
    }

    fn word(&mut self, word: &str) {
        self.out.push(' ');
        self.out.push_str(word);
        self.out.push('\n');
    }

    fn text(&mut self, text: &str, indent: usize) {
        match literal_block(text) {
            Some((header, lines)) => {
                self.word(header);
                for line in lines.split('\n') {
                    if !line.is_empty() {
                        self.indent(indent + 2);
                        self.out.push_str(line);
                    }
                    self.out.push('\n');
                }
            }
            None => self.word(&inline_text(text)),
        }
    }
}

/// What ends a header, for some harnesses wherever it stands.
const FENCE: &str = "---";

/// Returns the header and the lines of a literal block, if the text survives in one.
fn literal_block(text: &str) -> Option<(&'static str, &str)> {
    let (header, lines) = match text.strip_suffix('\n') {
        Some(lines) => ("|", lines),
        None => ("|-", text),
    };
    let fits = text.contains('\n')
        && !lines.is_empty()
        && !lines.starts_with([' ', '\n'])
        && !lines.ends_with('\n')
        && !lines.contains(FENCE)
        && lines.chars().all(|c| c == '\n' || is_plain_character(c));
    fits.then_some((header, lines))
}

/// Characters that mean themselves to every reader, wherever they stand.
fn is_plain_character(c: char) -> bool {
    !c.is_control()
        && !matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
}

/// Writes a text on one line: bare where nothing can mistake it, else in double quotes.
fn inline_text(text: &str) -> String {
    if is_bare(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut dashes = 0;
    for c in text.chars() {
        dashes = if c == '-' { dashes + 1 } else { 0 };
        if dashes == FENCE.len() {
            dashes = 0;
            out.push_str("\\x2d");
            continue;
        }
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_plain_character(c) => out.push(c),
            c => {
                let code = u32::from(c);
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push('"');
    out
}

/// A text that no reader takes for anything but itself: words of letters, digits and a few
/// signs, beginning with a letter, and no word that some flavor reads as a value.
fn is_bare(text: &str) -> bool {
    const VALUES: [&str; 11] = [
        "true", "false", "yes", "no", "on", "off", "null", "none", "y", "n", "nan",
    ];
    let word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/'))
    };
    // A comma may stand behind a word, between it and the next one.
    let (most, last) = text.rsplit_once(' ').unwrap_or(("", text));
    let between = most.split(' ').filter(|_| !most.is_empty());
    let mut words = between
        .map(|word| word.strip_suffix(',').unwrap_or(word))
        .chain([last]);
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.len() <= 80
        && !text.contains(FENCE)
        && words.all(word)
        && !VALUES.iter().any(|value| text.eq_ignore_ascii_case(value))
}

/// Writes a number so that it is read as a float: with a dot, and a sign on the exponent.
fn float(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let text = crate::coerce::python::float_repr(value);
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}
