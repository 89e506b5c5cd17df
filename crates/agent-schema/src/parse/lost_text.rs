//! Text that a reader of YAML takes for something else, so that it is lost without a word, and
//! signs that look like others.

use super::{LIMITS, MOST_OF_A_RULE, Reading, field_keys};
use crate::coerce::Remarks;
use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Field;
use crate::header_lines;
use crate::rules;
use crate::source::Span;
use crate::text::{MappedText, lines_with_ends};
use crate::value::{Entry, Mapping, Style};

/// Signs that look like a blank, and signs that cannot be seen.
const BLANKS: [(char, &str); 14] = [
    ('\u{a0}', "a no-break space"),
    ('\u{2007}', "a no-break space"),
    ('\u{202f}', "a no-break space"),
    ('\u{3000}', "a wide blank"),
    ('\u{85}', "a sign for the next line"),
    ('\u{200b}', "a blank without width"),
    ('\u{200c}', "a sign without width"),
    ('\u{200d}', "a sign without width"),
    ('\u{2060}', "a sign without width"),
    ('\u{ad}', "a soft hyphen"),
    ('\u{200e}', "a sign for the direction of text"),
    ('\u{200f}', "a sign for the direction of text"),
    ('\u{61c}', "a sign for the direction of text"),
    ('\u{feff}', "a byte order mark"),
];

/// Signs that look like a colon.
const COLONS: [(char, &str); 3] = [
    ('：', "a wide colon"),
    ('﹕', "a small colon"),
    ('꞉', "a sign that looks like a colon"),
];

const BECAUSE_OF_MARK: &str =
    "in YAML a value that begins with `&` or `!` begins with an anchor or a tag";

/// A sign at a key that only looks like one of YAML, or cannot be seen.
struct OddCharacter {
    /// Where it stands in its line.
    offset: usize,
    sign: char,
    what: &'static str,
    /// The field whose key it would be without the sign.
    field: FieldName,
}

/// A comment on the line of a value.
struct Comment {
    span: Span,
    /// Whether a word follows on its sign without a blank.
    is_glued: bool,
    /// Whether more than one blank stands before it.
    is_set_off: bool,
}

impl Comment {
    fn finding(&self, severity: Severity) -> Diagnostic {
        let message = "from this sign on the line is a comment and no part of the text";
        let finding = Diagnostic::new(&rules::SWALLOWED_TEXT, message)
            .at(self.span)
            .because(format!("in YAML {BEGINS_COMMENT}"))
            .help("put the value in quotes if the rest belongs to it");
        Diagnostic {
            severity,
            ..finding
        }
    }
}

/// Lets findings about values that a comment empties point at what is written there.
pub(super) fn point_at_comments(findings: &mut [Diagnostic], bytes: &[u8]) {
    for finding in findings {
        let Some(span) = finding.span.filter(|span| span.is_empty()) else {
            continue;
        };
        let rest = bytes.get(span.start as usize..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        let blanks = blanks.count();
        let comment = match &rest[blanks..] {
            [b'#', word, ..] if blanks > 0 && !word.is_ascii_whitespace() => &rest[blanks..],
            _ => continue,
        };
        let end = comment
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r'));
        let comment = &comment[..end.unwrap_or(comment.len())];
        let start = span.start + length(blanks);
        finding.span = Some(Span::new(
            start,
            start + length(comment.trim_ascii_end().len()),
        ));
        let why = finding
            .why
            .take()
            .map(|why| format!("{why}; in YAML {BEGINS_COMMENT}").into());
        finding.why = why.or_else(|| Some(format!("in YAML {BEGINS_COMMENT}").into()));
    }
}

const BEGINS_COMMENT: &str = "`#` behind a blank begins a comment";

/// Returns the key of a line that has it in quotes.
fn quoted_key(line: &str) -> Option<&str> {
    let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (key, rest) = line[1..].split_once(quote)?;
    rest.trim_start().starts_with(':').then_some(key)
}

impl Reading<'_> {
    /// Notes the lines that a reader of single lines passes over.
    pub(super) fn note_lost_lines(&mut self, header: &MappedText<'_>) {
        for line in header_lines::passed_over(header)
            .into_iter()
            .take(MOST_OF_A_RULE)
        {
            let title = self.dialect.title;
            let written = &header.as_str()[line.range.clone()];
            let in_quotes = quoted_key(written);
            let field = line.begins_text_of.as_deref().or(in_quotes);
            let field = field.and_then(|key| self.field_of_key(key));
            let finding = match line.begins_text_of {
                Some(_) => {
                    let sign = written;
                    let message = format!("`{sign}` is the value, and the text below it is lost");
                    Diagnostic::new(&rules::SWALLOWED_TEXT, message)
                        .because(format!(
                            "{title} reads no YAML, and takes text below a key only behind `>`, \
                             `>-`, `|`, `|-` or nothing"
                        ))
                        .help(format!("write `{}` instead", &sign[..1]))
                }
                None if in_quotes.is_some() => Diagnostic::new(
                    &rules::SWALLOWED_TEXT,
                    "the line is passed over, because its key stands in quotes",
                )
                .because(format!("{title} reads no YAML, and knows no key in quotes"))
                .help("take the quotes off the key"),
                None => Diagnostic::new(
                    &rules::SWALLOWED_TEXT,
                    "the line is passed over, and what it says is lost",
                )
                .because(format!(
                    "{title} reads each `key: value` on a line of its own and no YAML; a text goes \
                     on below its key only behind `>`, `|` or nothing"
                ))
                .help("write the text on one line, or begin it with `>` behind its key"),
            };
            let mut finding = finding.at(header.span(line.range));
            finding.field = field.map(|field| field.target);
            self.lost_parts.extend(finding.field);
            self.diagnostics.push(finding);
        }
    }

    /// Notes the settings that a reader of single lines takes for a part of the value above them.
    pub(super) fn note_settings_inside_values(&mut self, header: &MappedText<'_>) {
        let lines = header_lines::settings_inside_values(header).into_iter();
        for line in lines.take(MOST_OF_A_RULE) {
            let text = &header.as_str()[line.clone()];
            let key = text.split_once(':').map_or(text, |(key, _)| key);
            let Some(field) = self.field_of_key(key).map(|field| field.target) else {
                continue;
            };
            let finding = Diagnostic::new(
                &rules::SWALLOWED_TEXT,
                format!("`{key}` sets nothing here: the line is a part of the value above it"),
            )
            .at(header.span(line))
            .because(format!(
                "{} takes every indented line below a key for its value, however far it is indented",
                self.dialect.title
            ))
            .help("write the key at the start of its line")
            .about(field);
            self.diagnostics.push(finding);
            self.lost.push(field);
        }
    }

    /// Notes texts of which a part is a comment, an anchor or a tag.
    pub(super) fn note_swallowed(&mut self, map: &Mapping) {
        for entry in &map.entries {
            let Some(known) = self.known_field(entry) else {
                continue;
            };
            let field = known.target;
            if let Some(finding) = self.swallowed(entry, known) {
                let is_lost = finding.severity > Severity::Info;
                let is_denial = LIMITS.contains(&field) && !entry.value.is_null();
                match is_denial {
                    true => self.lost_parts.extend(is_lost.then_some(field)),
                    false => self.lost.extend(is_lost.then_some(field)),
                }
                self.diagnostics.push(finding.about(field));
            } else if let Some((span, what)) = self.only_mark(entry) {
                let finding = Diagnostic::new(
                    &rules::SWALLOWED_TEXT,
                    format!("the value is {what} of YAML and is lost"),
                );
                let finding = finding.at(span).because(BECAUSE_OF_MARK);
                self.diagnostics.push(
                    finding
                        .help("take the sign away, or put the value in quotes")
                        .about(field),
                );
                self.lost.push(field);
            }
        }
    }

    fn swallowed(&self, entry: &Entry, field: &Field) -> Option<Diagnostic> {
        let is_prose = matches!(field.target, FieldName::NAME | FieldName::DESCRIPTION);
        let is_empty = entry.value.is_null() && is_prose;
        if (entry.value.as_text().is_some() || is_empty)
            && let Some(comment) = self.comment_behind(entry)
            && let Some(severity) = self.cut_by(&comment, entry, field)
        {
            return Some(comment.finding(severity));
        }
        if entry.value.as_text().is_none() || !is_prose {
            return None;
        }
        let (span, what) = self.mark(entry).filter(|(span, _)| {
            // In quotes, in a block or on the next line all of the text is there.
            let rest = self.line_from(span.end).trim_start();
            entry.value.style == Style::Plain && !rest.is_empty() && !rest.starts_with('#')
        })?;
        let finding = Diagnostic::new(
            &rules::SWALLOWED_TEXT,
            format!("the first word of the text is {what} of YAML and is lost"),
        );
        Some(
            finding
                .at(span)
                .because(BECAUSE_OF_MARK)
                .help("put the value in quotes"),
        )
    }

    /// Returns the comment on the line on which a value ends, if nothing closes the value.
    fn comment_behind(&self, entry: &Entry) -> Option<Comment> {
        let value = entry.value.span;
        let is_open = entry.value.style == Style::Plain || value.is_empty();
        let end = if value.is_empty() {
            entry.key.span.end
        } else {
            value.end
        };
        let line = self.line_from(end);
        let rest = line.strip_prefix(':').filter(|_| value.is_empty());
        let rest = rest.unwrap_or(line);
        let comment = rest.trim_start();
        let words = comment.strip_prefix('#').filter(|_| is_open)?;
        let start = end + length(line.len() - comment.len());
        let before = &rest[..rest.len() - comment.len()];
        Some(Comment {
            span: Span::new(start, start + length(comment.trim_end().len())),
            is_glued: words.starts_with(|c: char| !c.is_whitespace()),
            is_set_off: before.len() > 1 || before.contains('\t'),
        })
    }

    /// Returns how much a comment matters that cuts a text; nothing where it is probably meant.
    fn cut_by(&self, comment: &Comment, entry: &Entry, field: &Field) -> Option<Severity> {
        let is_name = field.target == FieldName::NAME;
        let Some(text) = entry.value.as_text() else {
            return Some(Severity::Warning);
        };
        if field.target == FieldName::DESCRIPTION {
            let is_whole = comment.is_set_off || text.ends_with(['.', '!', '?', '。', '！', '？']);
            return Some(match !comment.is_glued && is_whole {
                true => Severity::Info,
                false => Severity::Warning,
            });
        }
        let read = (field.read)(&entry.value, &mut Remarks::new(self.inputs));
        let takes_more = is_name || matches!(read, Ok(Some(FieldValue::Names(_))));
        comment
            .is_glued
            .then_some(match takes_more && !comment.is_set_off {
                true => Severity::Warning,
                // One word is complete, and what stands further away was meant as a remark.
                false => Severity::Info,
            })
    }

    /// Notes values of which nothing is left but a comment, where nobody has told what that does.
    pub(super) fn note_emptied(&mut self, map: &Mapping) {
        for entry in map.entries.iter().filter(|entry| entry.value.is_null()) {
            let Some(field) = self.known_field(entry).map(|field| field.target) else {
                continue;
            };
            let mut told = self.diagnostics.iter();
            let is_told = told.any(|told| told.field == Some(field));
            let Some(comment) = self.comment_behind(entry).filter(|_| !is_told) else {
                continue;
            };
            if comment.is_glued {
                self.lost.push(field);
            }
            let severity = match comment.is_glued {
                true => Severity::Warning,
                false => Severity::Info,
            };
            self.diagnostics
                .push(comment.finding(severity).about(field));
        }
    }

    fn known_field(&self, entry: &Entry) -> Option<&'static Field> {
        self.field_of_key(entry.key.as_text()?)
    }

    pub(super) fn field_of_key(&self, key: &str) -> Option<&'static Field> {
        let mut fields = self.rules.fields.iter();
        fields.find(|field| field_keys(field).any(|known| known == key))
    }

    /// Returns the anchor or tag of a value that is nothing else.
    fn only_mark(&self, entry: &Entry) -> Option<(Span, &'static str)> {
        let is_empty = entry.value.is_null() || entry.value.as_text() == Some("");
        let (span, what) = self.mark(entry).filter(|_| is_empty)?;
        let rest = self.line_from(span.end).trim_start();
        (rest.is_empty() || rest.starts_with('#')).then_some((span, what))
    }

    /// Returns the anchor or tag before a value, if nothing refers to it.
    fn mark(&self, entry: &Entry) -> Option<(Span, &'static str)> {
        let key = entry.key.span;
        let line = self.line_from(key.end);
        let before = line.trim_start_matches(['"', '\'']).strip_prefix(':')?;
        let word = before.trim_start();
        let (what, name) = match word.chars().next() {
            Some('&') => ("an anchor", &word[1..]),
            Some('!') if !word.starts_with("!!") && !word.starts_with("!<") => {
                ("a tag", &word[1..])
            }
            _ => return None,
        };
        let name = name.split_whitespace().next().unwrap_or_default();
        let is_used = format!("*{name}");
        let used = |bytes: &[u8]| {
            bytes
                .windows(is_used.len())
                .any(|it| it == is_used.as_bytes())
        };
        if what == "an anchor" && !name.is_empty() && used(self.bytes) {
            return None;
        }
        let start = key.end + length(line.len() - word.len());
        Some((Span::new(start, start + length(1 + name.len())), what))
    }

    /// Returns the rest of the line of a byte.
    fn line_from(&self, at: u32) -> &str {
        let rest = self.bytes.get(at as usize..).unwrap_or_default();
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let line = &rest[..end.unwrap_or(rest.len())];
        std::str::from_utf8(line).unwrap_or_default()
    }

    /// Notes signs at the key of a setting that only look like those of YAML.
    pub(super) fn note_odd_characters(&mut self, header: &MappedText<'_>) {
        let mut at = 0;
        for line in lines_with_ends(header.as_str()) {
            if let Some(odd) = self.odd_character(line) {
                let start = at + odd.offset;
                let span = header.span(start..start + odd.sign.len_utf8());
                self.note_odd_character(span, &odd);
            }
            at += line.len();
        }
    }

    /// Finds the first odd sign of a line that would be a setting without it.
    fn odd_character(&self, line: &str) -> Option<OddCharacter> {
        let blank = |c: char| BLANKS.iter().find(|(sign, _)| *sign == c);
        let colon = |c: char| COLONS.iter().find(|(sign, _)| *sign == c);
        let is_odd = |c: char| !c.is_ascii() && (blank(c).is_some() || colon(c).is_some());
        if line.is_ascii() || !line.contains(is_odd) {
            return None;
        }
        let plain: String = line
            .chars()
            .filter(|c| blank(*c).is_none())
            .map(|c| if colon(c).is_some() { ':' } else { c })
            .collect();
        let (key, _) = plain.split_once(':')?;
        let mut fields = self.rules.fields.iter();
        let meant = fields.find(|field| field_keys(field).any(|known| known == key.trim()))?;
        let mut colon_seen = false;
        for (offset, c) in line.char_indices() {
            if colon_seen && blank(c).is_none() {
                // Behind a blank the sign is part of the text.
                return None;
            }
            if let Some((sign, what)) = blank(c).or_else(|| colon(c)) {
                return Some(OddCharacter {
                    offset,
                    sign: *sign,
                    what,
                    field: meant.target,
                });
            }
            colon_seen |= c == ':';
        }
        None
    }

    fn note_odd_character(&mut self, span: Span, odd: &OddCharacter) {
        let what = odd.what;
        let message = format!("{what} stands where YAML wants a plain sign");
        let broken = [
            &rules::YAML_SYNTAX,
            &rules::REPAIRED_HEADER,
            &rules::HEADER_NOT_A_MAP,
        ];
        let mut findings = self.diagnostics.iter_mut();
        if let Some(finding) = findings.find(|finding| broken.contains(&finding.rule)) {
            finding.help = Some(format!("write a plain blank or colon instead of {what}").into());
            finding.related.push(crate::Related {
                file: None,
                span: Some(span),
                message,
            });
            return;
        }
        let is_of_key = |finding: &Diagnostic| {
            let unknown = [&rules::UNKNOWN_KEY, &rules::MISSPELLED_KEY];
            unknown.contains(&finding.rule)
                && finding
                    .span
                    .is_some_and(|key| key.start <= span.start && span.start <= key.end)
        };
        self.diagnostics.retain(|finding| !is_of_key(finding));
        self.diagnostics.push(
            Diagnostic::new(&rules::ODD_CHARACTER, message)
                .at(span)
                .because("it looks like a sign of YAML and is part of the key or of the text")
                .help("write a plain blank or colon")
                .about(odd.field),
        );
    }
}

fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
