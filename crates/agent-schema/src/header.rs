//! Splitting a file into its header and its body, by rules that are data.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::coerce::{java, javascript, python};
use crate::dialect::{Case, SkipRule};
use crate::json;
use crate::text::{MappedText, Replacement};
use crate::value::{Mapping, Node};

/// How a harness finds the header of a file, and what becomes of a file without a usable one.
#[derive(Debug)]
pub struct HeaderRules {
    /// What is taken off both ends of the file before the header is looked for.
    pub trim_file: Trim,
    /// The forms of a header; the first one whose opening fits is tried.
    pub forms: &'static [HeaderForm],
    /// What is taken off both ends of the header.
    pub trim_header: Trim,
    /// What is taken off both ends of the body.
    pub trim_body: Trim,
    /// What a file without a header is.
    pub absent: Consequence,
    /// What happens when an opening is never closed.
    pub unclosed: Unclosed,
    /// How the harness tries to mend a header that cannot be parsed. It needs both fences, and no
    /// name of a language on the first one.
    pub repair: Option<RepairRules>,
    /// What a file is whose header cannot be parsed, not even mended.
    pub broken: Broken,
    /// What a header is that holds something else than a map; `None` stands for an empty one.
    pub not_a_map: fn(Option<&Node>) -> NotAMap,
    /// What a header is that is a map without entries; unset if it is read like any other.
    pub empty_map: Option<Consequence>,
}

/// What a fault makes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// It loads, without any field of the header.
    LoadsWithoutFields,
    /// It is left out without a word.
    Ignored(SkipRule),
    /// It is left out with a word somewhere.
    Rejected,
    /// It is left out with a word, and everything else that the harness would load with it.
    Fatal,
}

impl Consequence {
    /// Returns the worse one of two.
    #[must_use]
    pub fn worst(self, other: Consequence) -> Consequence {
        let weight = |consequence| match consequence {
            Consequence::LoadsWithoutFields => 0,
            Consequence::Ignored(_) => 1,
            Consequence::Rejected => 2,
            Consequence::Fatal => 3,
        };
        if weight(other) > weight(self) {
            other
        } else {
            self
        }
    }
}

/// What a file is whose header cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// What becomes of the file.
    pub consequence: Consequence,
    /// What its prompt is, if it loads.
    pub prompt: BrokenPrompt,
    /// Whether the harness says so, if only in a log, when the file loads.
    pub harness_says: bool,
}

/// The prompt of a file whose header cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokenPrompt {
    /// The body.
    Body,
    /// The whole file, header and fences included.
    WholeFile,
}

/// How a harness tries to mend a header that cannot be parsed.
#[derive(Debug, Clone, Copy)]
pub struct RepairRules {
    /// Returns the edits, in order, as ranges of the header; none if there is nothing to change.
    pub edits: fn(&str) -> Vec<Replacement>,
    /// What the harness does, for people: `puts values with special characters in quotes`.
    pub described: &'static str,
    /// What a file is whose header cannot be parsed after it was changed.
    pub still_broken: Broken,
}

/// One form of a header.
#[derive(Debug)]
pub struct HeaderForm {
    /// The language of the header.
    pub language: Language,
    /// What begins it.
    pub opening: Fence,
    /// What ends it.
    pub closing: Fence,
}

/// The language of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// YAML, read with the dialect's flavor.
    Yaml,
    /// JSON. Fences that are braces belong to it.
    Json(json::Flavor),
    /// `key: value` lines, read one by one: all values are texts. It is no YAML.
    Lines,
    /// A program. The harness runs it; agentry never does.
    Program,
    /// A language that the harness has no reader for.
    Unknown,
}

/// The word behind an opening fence that names the language of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LanguageName {
    /// No word, or one of these.
    NoneOr(&'static [&'static str], Case),
    /// One of these.
    OneOf(&'static [&'static str], Case),
    /// Any word.
    Any,
}

/// A line that begins or ends a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fence {
    /// A line in column 0 of at least so many of a character, then nothing but white space.
    ///
    /// White space is what Python's `\s` means and may run over line ends.
    Run {
        /// The character.
        of: char,
        /// The least number of it.
        least: usize,
    },
    /// A line that is exactly this.
    Line(&'static str),
    /// This text at the start of a line, then white space with a line end in it: all of it up to
    /// the last line end that nothing but white space comes before. White space is what
    /// JavaScript's `\s` means.
    ThenLineEnd(&'static str),
    /// This text wherever it stands first, even inside a word or a quoted value, and all white
    /// space behind it, again JavaScript's.
    Anywhere(&'static str),
    /// A line that begins with this, whatever follows on it. The line end before it does not
    /// belong to the header that it closes.
    Start(&'static str),
    /// A line that begins with `marks`, but not with one more of their last character; what
    /// follows on the line names the language of the header.
    Named {
        /// The beginning.
        marks: &'static str,
        /// The name.
        name: LanguageName,
    },
    /// These characters wherever they stand, inside a line or a value too, and nothing behind
    /// them. As an opening they begin the file.
    Characters(&'static str),
    /// A line that is this once white space is taken off its ends.
    Padded(&'static str),
    /// A line that begins with this; the next character belongs to the fence, whatever it is.
    StartAndOne(&'static str),
}

/// What is taken off the ends of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trim {
    /// Nothing.
    Nothing,
    /// What Python's `str.strip()` removes. A byte order mark is not among it.
    Python,
    /// What JavaScript's `trim()` removes, also a byte order mark.
    JavaScript,
    /// What Java's `String.trim()` removes: everything up to the blank.
    Java,
    /// The first character, whatever it is, and nothing at the end.
    FirstCharacter,
}

/// What happens when an opening fence is never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unclosed {
    /// The file has no header then, or is lost.
    Treated(Consequence),
    /// The rest of the file is the header.
    RestIsHeader,
}

/// What a header is that holds something else than a map.
#[derive(Debug, Clone, PartialEq)]
pub enum NotAMap {
    /// The file is treated so.
    Treated(Consequence),
    /// The header is read as this map all the same.
    ReadAs(Mapping),
    /// The header is taken apart into these entries, which its author cannot have meant.
    TakenApart(Mapping),
}

/// Where the parts of a file lie, as ranges of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The header, if there is one.
    pub header: Option<HeaderPart>,
    /// The body.
    pub body: Range<usize>,
    /// What a reader should know about a file without a header.
    pub missing: Option<MissingHeader>,
}

/// The header of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderPart {
    /// Its language.
    pub language: Language,
    /// Its text, without the fences; with its braces for JSON.
    pub text: Range<usize>,
    /// The fence that opens it.
    pub opening: Range<usize>,
    /// The fence that closes it; empty if there is none.
    pub closing: Range<usize>,
    /// Whether a repair may be tried.
    pub mendable: bool,
}

impl HeaderPart {
    /// Returns where the closing fence is seen: a line end that it begins with is not looked at.
    pub(crate) fn closing_start(&self, text: &str) -> usize {
        let fence = &text[self.closing.clone()];
        self.closing.end - fence.trim_start_matches(['\r', '\n']).len()
    }

    /// Returns what the closing fence shares its line with.
    #[must_use]
    pub fn closing_line(&self, text: &str) -> ClosingLine {
        let start = self.closing_start(text);
        let before = text[..start].rsplit('\n').next();
        let before = before.unwrap_or_default();
        let fence = text[start..self.closing.end].trim_end_matches(javascript::is_space);
        let behind = text[start + fence.len()..].split('\n').next();
        let is_blank = |text: &str| text.chars().all(javascript::is_space);
        match (is_blank(before), is_blank(behind.unwrap_or_default())) {
            (true, true) if before.is_empty() => ClosingLine::Alone,
            (true, true) => ClosingLine::Indented,
            _ => ClosingLine::Shared,
        }
    }
}

/// What a closing fence shares its line with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosingLine {
    /// Nothing: it was surely meant.
    Alone,
    /// White space before it.
    Indented,
    /// Other text.
    Shared,
}

/// Why a file has no header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingHeader {
    /// Nothing in it looks like one.
    Absent,
    /// An opening fence is never closed.
    Unclosed {
        /// The opening fence.
        opening: Range<usize>,
    },
    /// Something stands before what looks like the opening fence.
    Hidden {
        /// What stands before it.
        before: Range<usize>,
        /// The fence.
        opening: Range<usize>,
    },
}

impl HeaderRules {
    /// Splits a text.
    #[must_use]
    pub fn split(&self, text: &MappedText<'_>) -> Parts {
        let text = text.as_str();
        let file = self.trim_file.range(text, 0..text.len());
        for form in self.forms {
            let Some(opening) = form.opening.at(text, file.start, file.end) else {
                continue;
            };
            let closing = match (
                form.closing.next(text, opening.end, file.end),
                self.unclosed,
            ) {
                (Some(closing), _) => closing,
                (None, Unclosed::RestIsHeader) => file.end..file.end,
                (None, Unclosed::Treated(_)) => {
                    return Parts {
                        header: None,
                        body: self.trim_body.range(text, file),
                        missing: Some(MissingHeader::Unclosed { opening }),
                    };
                }
            };
            let inside = match form.language {
                Language::Json(_) if text[opening.clone()].starts_with('{') => {
                    opening.start..closing.end
                }
                _ => {
                    let end = form.closing.header_end(text, opening.end..closing.start);
                    self.trim_header.range(text, opening.end..end)
                }
            };
            return Parts {
                body: self.trim_body.range(text, closing.end..file.end),
                header: Some(HeaderPart {
                    mendable: !closing.is_empty() && !form.opening.names_language(opening.len()),
                    language: form.language,
                    text: inside,
                    opening,
                    closing,
                }),
                missing: None,
            };
        }
        Parts {
            header: None,
            body: self.trim_body.range(text, file.clone()),
            missing: Some(self.why_missing(text, file)),
        }
    }

    /// Looks for a fence further down that its author may have meant as the opening.
    fn why_missing(&self, text: &str, file: Range<usize>) -> MissingHeader {
        const LINES_THAT_COUNT_AS_THE_TOP: usize = 10;
        let top_end = text[file.clone()]
            .match_indices('\n')
            .nth(LINES_THAT_COUNT_AS_THE_TOP)
            .map_or(file.end, |(at, _)| file.start + at);
        for form in self
            .forms
            .iter()
            .filter(|form| matches!(form.language, Language::Yaml | Language::Lines))
        {
            // A byte order mark keeps the fence from standing at the start of its line.
            let behind_mark = text[file.clone()]
                .strip_prefix('\u{feff}')
                .and_then(|rest| {
                    form.opening
                        .matches_at(text, file.end - rest.len(), file.end)
                });
            let hidden = behind_mark.or_else(|| form.opening.next_line(text, file.start, top_end));
            if let Some(opening) = hidden
                && begins_with_setting(&text[opening.end..file.end])
                && form.closing.next(text, opening.end, file.end).is_some()
            {
                return MissingHeader::Hidden {
                    before: file.start..opening.start,
                    opening,
                };
            }
        }
        MissingHeader::Absent
    }
}

/// Returns whether the first line that says something has the form `key: value`: dashes in the middle
/// of a text are mostly a rule.
fn begins_with_setting(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    let key = first.and_then(|line| line.split_once(':'));
    key.is_some_and(|(key, _)| {
        let is_sign = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '"' | '\'');
        !key.is_empty() && key.trim_end().chars().all(is_sign)
    })
}

impl Fence {
    /// Finds the fence exactly at an offset that must begin a line.
    fn at(self, text: &str, at: usize, end: usize) -> Option<Range<usize>> {
        let begins_line = at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
        // A file whose ends were trimmed begins at its first remaining character.
        let begins_file = text[..at].chars().all(python::is_space);
        (begins_line || begins_file)
            .then(|| self.matches_at(text, at, end))
            .flatten()
    }

    /// Finds the first fence at or after an offset.
    fn next(self, text: &str, from: usize, end: usize) -> Option<Range<usize>> {
        match self {
            Fence::Anywhere(text_of_fence) | Fence::Characters(text_of_fence) => {
                let part = text.get(from..end)?.as_bytes();
                let at = from + memmem::find(part, text_of_fence.as_bytes())?;
                self.matches_at(text, at, end)
            }
            _ => self.next_line(text, from, end),
        }
    }

    /// Finds the first fence that begins a line at or after an offset.
    fn next_line(self, text: &str, from: usize, end: usize) -> Option<Range<usize>> {
        let mut line = from;
        if from > 0 && text.as_bytes().get(from - 1) != Some(&b'\n') {
            line = from + memchr(b'\n', text.get(from..end)?.as_bytes())? + 1;
        }
        loop {
            if let Some(found) = self.matches_at(text, line, end) {
                return Some(found);
            }
            line += memchr(b'\n', text.get(line..end)?.as_bytes())? + 1;
        }
    }

    /// Returns where a header ends that lies in a range before this fence. A line end before a
    /// [`Fence::Start`] belongs to the fence.
    fn header_end(self, text: &str, header: Range<usize>) -> usize {
        match self {
            Fence::Start(_) if text[header.clone()].ends_with('\n') => header.end - 1,
            _ => header.end,
        }
    }

    /// Returns whether a fence of this length names a language.
    fn names_language(self, length: usize) -> bool {
        matches!(self, Fence::Named { marks, .. } if length > marks.len())
    }

    fn matches_at(self, text: &str, at: usize, end: usize) -> Option<Range<usize>> {
        let rest = text.get(at..end)?;
        match self {
            Fence::Start(start) => rest.starts_with(start).then(|| at..at + start.len()),
            Fence::Named { marks, name } => {
                let after = rest.strip_prefix(marks)?;
                if after.chars().next() == marks.chars().next_back() {
                    return None;
                }
                let line = rest_of_line(after);
                let word = javascript::trim(line);
                let named = if word.is_empty() { 0 } else { line.len() };
                name.fits(word).then(|| at..at + marks.len() + named)
            }
            Fence::Characters(characters) => rest
                .starts_with(characters)
                .then(|| at..at + characters.len()),
            Fence::Padded(wanted) => {
                let line = rest.split('\n').next().unwrap_or_default();
                (line.trim() == wanted).then(|| at..at + line.len())
            }
            Fence::StartAndOne(start) => {
                let after = rest.strip_prefix(start)?;
                let one = after.chars().next().map_or(0, char::len_utf8);
                Some(at..at + start.len() + one)
            }
            Fence::Line(line) => {
                let after = rest.strip_prefix(line)?;
                (after.is_empty() || after.starts_with('\n')).then(|| at..at + line.len())
            }
            Fence::ThenLineEnd(dashes) => {
                let after = rest.strip_prefix(dashes)?;
                let blank = after.len() - after.trim_start_matches(javascript::is_space).len();
                let line_end = after[..blank].rfind('\n')?;
                Some(at..at + dashes.len() + line_end + 1)
            }
            Fence::Anywhere(dashes) => {
                let after = rest.strip_prefix(dashes)?;
                let blank = after.len() - after.trim_start_matches(javascript::is_space).len();
                Some(at..at + dashes.len() + blank)
            }
            Fence::Run { of, least } => {
                let after = rest.trim_start_matches(of);
                let run = rest.len() - after.len();
                if run < least * of.len_utf8() {
                    return None;
                }
                let blank = after.len() - after.trim_start_matches(python::is_space).len();
                // The white space is as long as it can be while a line end or the end follows.
                let stop = if blank == after.len() {
                    blank
                } else {
                    after[..blank].rfind('\n')?
                };
                Some(at..at + run + stop)
            }
        }
    }
}

/// Returns the rest of a line. gray-matter, whose rule this is, takes all but the last character
/// where no line end follows.
fn rest_of_line(text: &str) -> &str {
    match text.split_once('\n') {
        Some((line, _)) => line.strip_suffix('\r').unwrap_or(line),
        None => {
            let last = text.char_indices().next_back();
            last.map_or("", |(at, _)| &text[..at])
        }
    }
}

impl LanguageName {
    fn fits(self, word: &str) -> bool {
        let among = |words: &[&str], case: Case| words.iter().any(|known| case.same(word, known));
        match self {
            LanguageName::NoneOr(words, case) => word.is_empty() || among(words, case),
            LanguageName::OneOf(words, case) => among(words, case),
            LanguageName::Any => true,
        }
    }
}

impl Trim {
    /// Returns the range without what is taken off its ends.
    #[must_use]
    pub fn range(self, text: &str, range: Range<usize>) -> Range<usize> {
        match self {
            Trim::Nothing => range,
            Trim::Python => trimmed(text, range, python::is_space),
            Trim::JavaScript => trimmed(text, range, javascript::is_space),
            Trim::Java => trimmed(text, range, java::is_trimmed),
            Trim::FirstCharacter => {
                let first = text[range.clone()].chars().next();
                range.start + first.map_or(0, char::len_utf8)..range.end
            }
        }
    }
}

fn trimmed(text: &str, range: Range<usize>, is_space: fn(char) -> bool) -> Range<usize> {
    let part = &text[range.clone()];
    let from_start = part.trim_start_matches(is_space);
    let start = range.start + (part.len() - from_start.len());
    start..start + from_start.trim_end_matches(is_space).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: HeaderRules = HeaderRules {
        trim_file: Trim::Python,
        forms: &[
            HeaderForm {
                language: Language::Yaml,
                opening: Fence::Run { of: '-', least: 3 },
                closing: Fence::Run { of: '-', least: 3 },
            },
            HeaderForm {
                language: Language::Json(json::PYTHON),
                opening: Fence::Line("{"),
                closing: Fence::Line("}"),
            },
        ],
        trim_body: Trim::Python,
        trim_header: Trim::Nothing,
        absent: Consequence::LoadsWithoutFields,
        unclosed: Unclosed::Treated(Consequence::LoadsWithoutFields),
        repair: None,
        broken: Broken {
            consequence: Consequence::Rejected,
            prompt: BrokenPrompt::Body,
            harness_says: false,
        },
        not_a_map: |_| NotAMap::Treated(Consequence::LoadsWithoutFields),
        empty_map: None,
    };

    fn split(text: &str) -> (Option<&str>, &str) {
        let parts = RULES.split(&MappedText::plain(text));
        (
            parts.header.map(|header| &text[header.text]),
            &text[parts.body],
        )
    }

    #[test]
    fn fences_split_as_the_expression_does() {
        for (text, header, body) in [
            ("---\na: 1\n---\nb\n", Some("\na: 1\n"), "b"),
            ("\n\u{a0}---- \na: 1\n------\n\nb", Some("\na: 1\n"), "b"),
            ("---\n\n\na: 1\n---", Some("\na: 1\n"), ""),
            ("  ---\na: 1\n---\nb", Some("\na: 1\n"), "b"),
            ("---\na: 1\n ---\nb", None, "---\na: 1\n ---\nb"),
            ("---\n---\nb", Some("\n"), "b"),
            ("--- x\na: 1\n---\nb", None, "--- x\na: 1\n---\nb"),
            ("{\n\"a\": 1\n}\nb", Some("{\n\"a\": 1\n}"), "b"),
            ("{\"a\": 1}\nb", None, "{\"a\": 1}\nb"),
            ("", None, ""),
        ] {
            assert_eq!(split(text), (header, body), "{text:?}");
        }
    }

    #[test]
    fn a_hidden_header_is_noticed() {
        for (text, before) in [
            ("\u{feff}---\na: 1\n---\nb", "\u{feff}"),
            ("<!-- note -->\n---\na: 1\n---\nb", "<!-- note -->\n"),
        ] {
            match RULES.split(&MappedText::plain(text)).missing {
                Some(MissingHeader::Hidden { before: range, .. }) => {
                    assert_eq!(&text[range], before);
                }
                other => panic!("{other:?} for {text:?}"),
            }
        }
    }
}
