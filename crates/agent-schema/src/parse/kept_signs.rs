//! Signs of YAML that a reader of single lines keeps as parts of a value: comments, anchors,
//! aliases, tags, and a quote mark that nothing closes.

use super::Reading;
use crate::coerce::shorten;
use crate::definition::FieldName;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Field;
use crate::rules;
use crate::source::Span;
use crate::value::{Mapping, Node, Style};

/// A sign that stays in a value.
struct KeptSign {
    /// The bytes of the text that it takes.
    start: usize,
    end: usize,
    message: String,
    why: &'static str,
    help: &'static str,
    severity: Severity,
}

const NO_COMMENTS: &str = "reads no YAML and knows no comments";
const NO_MARKS: &str = "reads no YAML and knows no anchors, aliases and tags";
const PAIRS_OF_QUOTES: &str =
    "reads no YAML and takes quotes off only where they stand at both ends of a value";

impl Reading<'_> {
    /// Notes what would be a sign of YAML and is a part of a value.
    pub(super) fn note_kept_signs(&mut self, map: &Mapping) {
        for entry in &map.entries {
            let Some(field) = entry.key.as_text().and_then(|key| self.field_of_key(key)) else {
                continue;
            };
            let Some(sign) = kept_sign(field, &entry.value) else {
                continue;
            };
            let title = self.dialect.title;
            let at = |offset: usize| {
                let offset = u32::try_from(offset).unwrap_or(u32::MAX);
                entry.value.span.start.saturating_add(offset)
            };
            let finding = Diagnostic::new(&rules::VALUE_BECOMES_TEXT, sign.message)
                .at(Span::new(at(sign.start), at(sign.end)))
                .because(format!("{title} {}", sign.why))
                .help(sign.help)
                .about(field.target);
            // A description is prose, and still says what it says.
            if !is_prose(field) {
                self.lost_parts.push(field.target);
            }
            self.diagnostics.push(Diagnostic {
                severity: sign.severity,
                ..finding
            });
        }
    }
}

fn is_prose(field: &Field) -> bool {
    field.target == FieldName::DESCRIPTION
}

fn kept_sign(field: &Field, value: &Node) -> Option<KeptSign> {
    let text = value.as_text().filter(|text| !text.contains('\n'))?;
    if value.style != Style::Plain {
        return None;
    }
    open_quote(text)
        .or_else(|| mark(text).filter(|_| !is_prose(field)))
        .or_else(|| match is_prose(field) {
            true => comment_in_prose(text),
            false => comment(text),
        })
}

/// A quote mark at the beginning that stands nowhere else in the text.
fn open_quote(text: &str) -> Option<KeptSign> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let is_open = !text[1..].contains(quote);
    is_open.then(|| KeptSign {
        start: 0,
        end: 1,
        message: format!("the quote mark `{quote}` is a part of the text"),
        why: PAIRS_OF_QUOTES,
        help: "close the quote at the end of the line, or take the mark away",
        severity: Severity::Warning,
    })
}

/// An alias that is the whole text, or an anchor or a tag before it.
fn mark(text: &str) -> Option<KeptSign> {
    let (word, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    let is_name = |name: &str| {
        let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        !name.is_empty() && name.chars().all(is_sign)
    };
    let named = |sign: &str| word.strip_prefix(sign).is_some_and(is_name);
    let what = match word.chars().next()? {
        '*' if named("*") && rest.is_empty() => "alias",
        '&' if named("&") => "anchor",
        '!' if named("!") || named("!!") => "tag",
        _ => return None,
    };
    Some(KeptSign {
        start: 0,
        end: word.len(),
        message: format!(
            "`{}` is no {what} here, but a part of the value",
            shorten(word)
        ),
        why: NO_MARKS,
        help: match what {
            "alias" => "write the value that it stands for",
            _ => "delete it",
        },
        severity: Severity::Warning,
    })
}

fn comment(text: &str) -> Option<KeptSign> {
    let start = text.find(" #")? + 1;
    Some(KeptSign {
        start,
        end: text.len(),
        message: format!(
            "`{}` is no comment here, but a part of the value",
            shorten(&text[start..])
        ),
        why: NO_COMMENTS,
        help: "delete it, or put it on a line of its own above",
        severity: Severity::Warning,
    })
}

/// As [`comment`]. In prose a `#` may be one of the words, unless a blank follows; and only behind
/// the end of a sentence, or further away, is it surely a remark.
fn comment_in_prose(text: &str) -> Option<KeptSign> {
    let start = text.find(" # ")?;
    // What stands in quotes before it is told with the quotes.
    if text.starts_with(['"', '\'']) {
        return None;
    }
    let before = &text[..start];
    let is_apart = before.ends_with([' ', '\t', '.', '!', '?']);
    Some(KeptSign {
        severity: match is_apart {
            true => Severity::Warning,
            false => Severity::Info,
        },
        ..comment(text)?
    })
}
