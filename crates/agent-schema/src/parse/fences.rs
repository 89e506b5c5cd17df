//! Why a file has no header whose author wrote one: fences that are none, line ends, encodings.

use std::ops::Range;

use super::header::has_no_width;
use super::{Reading, field_keys};
use crate::definition::FieldName;
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::source::Span;
use crate::text::MappedText;

/// Signs that look like a hyphen and are none.
const DASHES: [char; 8] = ['‐', '‑', '‒', '–', '—', '―', '−', '－'];

/// What stands around a header in TOML.
const TOML_FENCE: &str = "+++";

/// How many lines are looked at below what may be a fence.
const MOST_LINES: usize = 40;

/// A language of headers that is none here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OtherLanguage {
    Toml,
    /// JSON on one line.
    Json,
}

impl OtherLanguage {
    /// Returns the language of a header that begins with a line.
    fn of(line: &str, below: &str) -> Option<Self> {
        let is_fence = |line: &str| line.trim_end() == TOML_FENCE;
        match line {
            line if is_fence(line) => below.lines().any(is_fence).then_some(Self::Toml),
            line => (line.starts_with('{') && line.ends_with('}')).then_some(Self::Json),
        }
    }
}

impl Reading<'_> {
    /// Finds what keeps a file from having the header that its author wrote.
    pub(super) fn broken_opening(&self, text: &MappedText<'_>) -> Option<Diagnostic> {
        if let Some(span) = self.utf_16() {
            let finding = Diagnostic::new(
                &rules::INVALID_ENCODING,
                "the file is UTF-16, not UTF-8, so that no header is seen in it",
            );
            return Some(finding.at(span).help("save the file as UTF-8"));
        }
        let source = text.as_str();
        let start = source.len() - source.trim_start_matches(['\u{feff}', '\n', '\r']).len();
        let lone = source.get(start..).unwrap_or_default();
        let seen = lone.trim_start_matches(has_no_width);
        if seen.len() < lone.len() && seen.starts_with("---") && self.holds_fields(&seen[3..]) {
            let finding = Diagnostic::new(
                &rules::HIDDEN_HEADER,
                "a sign without width stands before the header",
            );
            let before = start..start + lone.len() - seen.len();
            return Some(finding.at(text.span(before)).help("remove the sign"));
        }
        if let Some(at) = lone.find('\r').filter(|_| !lone.contains('\n'))
            && is_dashes(lone[..at].trim())
        {
            let finding = Diagnostic::new(
                &rules::BROKEN_FENCE,
                "the lines end in CR alone, so that all of the file is one line",
            );
            let at = text.span(start + at..start + at + 1);
            return Some(finding.at(at).help("save the file with LF as line end"));
        }
        if start > 0 && lone.starts_with("---\n") && source[..start].contains('\u{feff}') {
            let finding = Diagnostic::new(
                &rules::HIDDEN_HEADER,
                "a byte order mark stands before the header",
            );
            let finding = finding.at(text.span(0..start));
            return Some(finding.help("remove what stands before it"));
        }
        let line = lone.lines().next().unwrap_or_default().trim_end();
        let range = start..start + line.len();
        let below = source.get(range.end..).unwrap_or_default();
        if let Some(finding) = self.other_language(line, below) {
            return Some(finding.at(text.span(range)));
        }
        if !self.holds_fields(below) && !self.holds_fields(line) {
            return None;
        }
        self.odd_fence(line, text, &range)
            .or_else(|| self.lost_fence(line, below, text, &range))
    }

    /// Tells of a header in a language that is none here.
    fn other_language(&self, line: &str, below: &str) -> Option<Diagnostic> {
        let message = match OtherLanguage::of(line, below)? {
            OtherLanguage::Toml => "a header in TOML is none here",
            OtherLanguage::Json => "settings in JSON on one line are no header",
        };
        if self.set_in_other_language(line, below).is_empty() {
            return None;
        }
        let finding = Diagnostic::new(&rules::BROKEN_FENCE, message);
        Some(
            finding.help("write the settings as `key: value` lines between lines of three hyphens"),
        )
    }

    /// Returns the fields that a header sets whose language is none here.
    pub(super) fn set_in_other_language(&self, line: &str, below: &str) -> Vec<FieldName> {
        let sets = |key: &str| match OtherLanguage::of(line, below) {
            Some(OtherLanguage::Toml) => {
                let settings = below
                    .lines()
                    .take_while(|line| line.trim_end() != TOML_FENCE);
                let mut keys = settings.filter_map(|line| line.split_once('='));
                keys.any(|(word, _)| word.trim() == key)
            }
            Some(OtherLanguage::Json) => line.contains(&format!("\"{key}\":")),
            None => false,
        };
        let fields = self.rules.fields.iter();
        let set = fields.filter(|field| field_keys(field).any(sets));
        set.map(|field| field.target).collect()
    }

    /// Tells of a first line that is nearly a fence.
    fn odd_fence(
        &self,
        line: &str,
        text: &MappedText<'_>,
        range: &Range<usize>,
    ) -> Option<Diagnostic> {
        let trimmed = line.trim();
        let message = if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            "a block of code is no header".to_owned()
        } else if trimmed.starts_with("+++") {
            "a header in TOML is none here".to_owned()
        } else if is_dashes(trimmed) && trimmed.contains(DASHES) {
            "these dashes are no hyphens, so that they open no header".to_owned()
        } else if is_dashes(trimmed) && line == trimmed {
            format!("{} dashes open no header", trimmed.chars().count())
        } else if is_dashes(trimmed) {
            "a blank stands before the dashes, so that they open no header".to_owned()
        } else if let Some(rest) = trimmed.strip_prefix("---") {
            match rest.starts_with('-') {
                true => return None,
                false => {
                    "more than dashes stands on this line, so that it opens no header".to_owned()
                }
            }
        } else {
            return None;
        };
        // What stands behind the dashes is what is wrong.
        let behind = match trimmed.strip_prefix("---").map(str::trim_start) {
            Some(rest) if !rest.is_empty() && !rest.starts_with('-') && line.starts_with("---") => {
                range.end - rest.len()..range.end
            }
            _ => range.clone(),
        };
        let finding = Diagnostic::new(&rules::BROKEN_FENCE, message);
        let finding = finding.at(text.span(behind));
        Some(finding.help("write three hyphens on a line of their own"))
    }

    /// Tells of settings without an opening fence.
    fn lost_fence(
        &self,
        line: &str,
        below: &str,
        text: &MappedText<'_>,
        range: &Range<usize>,
    ) -> Option<Diagnostic> {
        if !self.holds_fields(line) {
            return None;
        }
        let end = below
            .lines()
            .take(MOST_LINES)
            .position(|line| line.trim_end() == "---")?;
        let mut at = range.end;
        for (index, line) in below.split_inclusive('\n').enumerate() {
            if index == end {
                let finding = Diagnostic::new(
                    &rules::BROKEN_FENCE,
                    "the settings begin without a line of three dashes before them",
                );
                return Some(
                    finding
                        .at(text.span(range.clone()))
                        .and_at(text.span(at..at + "---".len()), "the header ends here")
                        .help("write a line `---` at the very start of the file"),
                );
            }
            at += line.len();
        }
        None
    }

    /// Returns whether one of the first lines looks like a setting of the harness.
    fn holds_fields(&self, text: &str) -> bool {
        let lines = text.lines().map(str::trim_start).take(MOST_LINES);
        let lines = lines.skip_while(|line| line.is_empty());
        let lines: Vec<&str> = lines.take_while(|line| !is_dashes(line.trim())).collect();
        !self.fields_set_in(&lines.join("\n")).is_empty()
    }

    /// Returns where the mark of a file in UTF-16 stands.
    fn utf_16(&self) -> Option<Span> {
        let marked = self.bytes.starts_with(&[0xff, 0xfe]) || self.bytes.starts_with(&[0xfe, 0xff]);
        let bare = self.bytes.starts_with(b"-\0-\0") || self.bytes.starts_with(b"\0-\0-");
        (marked || bare).then_some(Span::new(0, 2))
    }

    /// Notes a byte that is not UTF-8 and is read as something else.
    pub(super) fn note_replaced_bytes(&mut self, text: &MappedText<'_>) {
        if text.is_as_written() {
            return;
        }
        let Err(error) = std::str::from_utf8(self.bytes) else {
            return;
        };
        if self.utf_16().is_some() {
            return;
        }
        let at = u32::try_from(error.valid_up_to()).unwrap_or_default();
        let finding = Diagnostic::new(
            &rules::INVALID_ENCODING,
            "the file is not UTF-8: this byte is read as `\u{fffd}`",
        );
        let finding = finding
            .at(Span::new(at, at + 1))
            .because(format!(
                "{} puts a replacement character for each byte that does not belong there",
                self.dialect.title
            ))
            .help("save the file as UTF-8");
        self.diagnostics.push(Diagnostic {
            severity: crate::Severity::Warning,
            ..finding
        });
    }

    /// Returns the line behind an opening fence that was probably meant to close the header.
    pub(super) fn meant_closing(&self, text: &MappedText<'_>, from: usize) -> Option<Span> {
        let source = text.as_str();
        let rest = source.get(from..)?;
        // The opening may end before the end of its line.
        let opening = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let opening = rest[..opening].find('\n').map_or(0, |end| end + 1);
        let mut at = from + opening;
        let mut set = false;
        for line in rest[opening..].split_inclusive('\n').take(MOST_LINES) {
            let trimmed = line.trim();
            // Behind a gap or a heading the prompt has begun.
            if trimmed.is_empty() || trimmed.starts_with('#') {
                return None;
            }
            if set && (is_meant_fence(trimmed) || trimmed.starts_with("--- ")) {
                return Some(text.span(at..at + line.trim_end().len()));
            }
            set |= !self.fields_set_in(line.trim_end()).is_empty();
            at += line.len();
        }
        None
    }
}

/// Returns whether a line is nothing but signs that people write for the dashes around a header:
/// look-alikes, the mark that ends a YAML document, the lines of other headers and of Markdown.
pub(crate) fn is_meant_fence(line: &str) -> bool {
    let is_row = |sign: char| line.len() > 1 && line.chars().all(|c| c == sign);
    line == "..."
        || line == "```"
        || is_dashes(line)
        || ['+', '=', '_', '*'].into_iter().any(is_row)
}

/// Returns whether a line is nothing but signs that look like hyphens. Editors make a single one of
/// three hyphens.
fn is_dashes(line: &str) -> bool {
    (line.chars().count() > 1 || line == "—")
        && line.chars().all(|c| c == '-' || DASHES.contains(&c))
}
