//! Why a file has no header, and what that makes of it.

use std::ops::Range;

use super::early_end::{fence_lines, leading_settings};
use super::header::has_no_width;
use super::keys::LIMITS;
use super::{Reading, trim_end};
use crate::definition::FieldName;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Absent;
use crate::header::{Consequence, MissingHeader, Unclosed};
use crate::rules;
use crate::source::Span;
use crate::text::MappedText;

/// Words at the end of the names of files that explain something and are no agents, in small
/// letters.
const EXPLANATIONS: [&str; 14] = [
    "changelog",
    "contributing",
    "example",
    "examples",
    "guide",
    "guidelines",
    "index",
    "license",
    "notes",
    "overview",
    "readme",
    "schema",
    "template",
    "templates",
];

/// Names of folders that hold such files, in small letters.
const FOLDERS_OF_EXPLANATIONS: [&str; 6] = [
    "docs",
    "examples",
    "references",
    "rules",
    "sections",
    "templates",
];

/// The name in capitals that is no document's but a skill's.
const SKILL: &str = "SKILL";

/// The languages of code in which people show how a header is written.
const HEADER_BLOCKS: [&str; 5] = ["yaml", "yml", "markdown", "md", ""];

impl Reading<'_> {
    /// Says why a file has no header, where its author meant one.
    pub(super) fn note_missing_header(
        &mut self,
        text: &MappedText<'_>,
        missing: &MissingHeader,
        file_name: &str,
    ) {
        let consequence = match (missing, self.rules.header.unclosed) {
            (MissingHeader::Unclosed { .. }, Unclosed::Treated(consequence)) => consequence,
            _ => self.rules.header.absent,
        };
        let consequence = self.without_header(consequence);
        let loads = consequence == Consequence::LoadsWithoutFields;
        let missing = match missing {
            MissingHeader::Hidden { before, opening } if !self.is_header(text, before, opening) => {
                &MissingHeader::Absent
            }
            missing => missing,
        };
        let effect = effect_of(consequence);
        let broken = match missing {
            MissingHeader::Absent => self.broken_opening(text),
            _ => None,
        };
        let mut unread = match loads {
            true => self.unread_settings(text, missing, broken.is_some()),
            false => Vec::new(),
        };
        let widens = unread.iter().any(|field| LIMITS.contains(field));
        let finding = match missing {
            MissingHeader::Absent => match broken {
                Some(broken) => broken.because(self.says(consequence)),
                None => {
                    let mut absent = self.no_header(text, consequence, file_name);
                    if widens {
                        absent.severity = Severity::Error;
                    }
                    self.lost.append(&mut unread);
                    self.conclude(consequence, absent);
                    return;
                }
            },
            MissingHeader::Unclosed { opening } => self.unclosed(text, opening, effect),
            MissingHeader::Hidden { before, opening } => self.hidden(text, before, opening, effect),
        };
        self.degraded |= loads;
        self.lost.append(&mut unread);
        // Here a header was meant, so that a file that is lost is lost against its author's will,
        // and so is a limit.
        let severity = match loads && !widens {
            true => Severity::Warning,
            false => Severity::Error,
        };
        self.conclude(
            consequence,
            Diagnostic {
                severity,
                ..finding
            },
        );
    }

    /// Returns the fields of the settings that are meant as a header and are none: those behind its
    /// first line, or those with which the file begins, if there is no such line.
    fn unread_settings(
        &self,
        text: &MappedText<'_>,
        missing: &MissingHeader,
        is_broken: bool,
    ) -> Vec<FieldName> {
        let source = text.as_str();
        let below = match missing {
            MissingHeader::Unclosed { opening } | MissingHeader::Hidden { opening, .. } => {
                &source[opening.end..]
            }
            MissingHeader::Absent if is_broken => {
                let source = source.trim_start();
                let (line, below) =
                    source.split_at(source.find(['\n', '\r']).unwrap_or(source.len()));
                let other = self.set_in_other_language(line.trim_end(), below);
                if !other.is_empty() {
                    return other;
                }
                below
            }
            MissingHeader::Absent => source,
        };
        let below = below.replace("\r\n", "\n").replace('\r', "\n");
        let fields = self.fields_set_in(leading_settings(&below));
        // One word with a colon may be the beginning of a prompt.
        let is_header = *missing != MissingHeader::Absent
            || is_broken
            || fields.len() > 1
            || fields.iter().any(|field| LIMITS.contains(field));
        match is_header {
            true => fields,
            false => Vec::new(),
        }
    }

    /// Returns what becomes of a file without a header: where the harness goes on, it still lacks
    /// every field that may not be missing.
    pub(super) fn without_header(&self, consequence: Consequence) -> Consequence {
        if consequence != Consequence::LoadsWithoutFields {
            return consequence;
        }
        let fields = self.rules.fields.iter();
        let required = fields.filter_map(|field| match field.absent {
            Absent::Loses(consequence) => Some(consequence),
            _ => None,
        });
        required.fold(consequence, Consequence::worst)
    }

    fn no_header(
        &self,
        text: &MappedText<'_>,
        consequence: Consequence,
        file_name: &str,
    ) -> Diagnostic {
        const BEGIN: &str = "begin the file with `---`, the settings, and another `---`";
        let loads = consequence == Consequence::LoadsWithoutFields;
        let (effect, why) = match consequence {
            Consequence::LoadsWithoutFields => (
                "it is an agent, and all of it is the prompt",
                format!(
                    "{} loads it all the same, named after the file and with default settings",
                    self.dialect.title
                ),
            ),
            _ => (effect_of(consequence), self.says(consequence)),
        };
        let finding = Diagnostic::new(
            &rules::NO_HEADER,
            format!("the file has no header: {effect}"),
        )
        .because(why)
        .help(match loads {
            true => format!("keep it elsewhere if no agent is meant; else {BEGIN}"),
            false => BEGIN.to_owned(),
        });
        let finding = match self.shown_header(text) {
            Some(shown) => finding.and_at(shown, "settings in a block of code count for nothing"),
            None => finding,
        };
        let severity = match consequence {
            // What is lost is as lost as its author wants it to be.
            Consequence::Ignored(_) | Consequence::Rejected if self.explains(file_name) => {
                Severity::Info
            }
            Consequence::LoadsWithoutFields | Consequence::Ignored(_) => finding.severity,
            Consequence::Rejected | Consequence::Fatal => Severity::Error,
        };
        Diagnostic {
            severity,
            ..finding
        }
    }

    /// Returns whether a file, by its name or its folder, explains something to people.
    fn explains(&self, file_name: &str) -> bool {
        let folder = self.inputs.folder.as_deref().unwrap_or_default();
        let is_among = FOLDERS_OF_EXPLANATIONS.contains(&folder.to_lowercase().as_str());
        is_among || folder.starts_with('_') || is_explanation(file_name)
    }

    fn unclosed(&self, text: &MappedText<'_>, opening: &Range<usize>, effect: &str) -> Diagnostic {
        let finding = Diagnostic::new(
            &rules::UNCLOSED_HEADER,
            format!("the header is never closed: {effect}"),
        )
        .at(trim_end(text, opening.clone()))
        .because(format!(
            "{} wants a second line of three dashes",
            self.dialect.title
        ))
        .help("add a line `---` after the settings");
        match self.meant_closing(text, opening.end) {
            Some(line) => finding.and_at(line, "this line does not end it"),
            None => finding,
        }
    }

    fn hidden(
        &self,
        text: &MappedText<'_>,
        place: &Range<usize>,
        opening: &Range<usize>,
        effect: &str,
    ) -> Diagnostic {
        let is_unseen = |c: char| c.is_whitespace() || has_no_width(c);
        let before = &text.as_str()[place.clone()];
        let what = match before {
            "\u{feff}" => "a byte order mark",
            _ if before.trim() == "\u{feff}" => "a byte order mark with white space",
            _ if before.chars().all(char::is_whitespace) => "white space",
            _ if before.chars().all(is_unseen) => "a sign without width",
            _ => "other text",
        };
        Diagnostic::new(
            &rules::HIDDEN_HEADER,
            format!("{what} stands before the header: {effect}"),
        )
        .at(text.span(place.clone()))
        .and_at(
            trim_end(text, opening.clone()),
            "this looks like the header",
        )
        .because(format!(
            "{} wants the header at the very start of the file",
            self.dialect.title
        ))
        .help("remove what stands before it")
    }

    /// Finds the first line of a block of code that holds what a header would.
    fn shown_header(&self, text: &MappedText<'_>) -> Option<Span> {
        let source = text.as_str();
        let mut at = 0;
        let mut lines = source.split_inclusive('\n');
        while let Some(line) = lines.next() {
            at += line.len();
            let language = line.trim().strip_prefix("```");
            if !language.is_some_and(|language| HEADER_BLOCKS.contains(&language)) {
                continue;
            }
            let start = at;
            let block = lines.by_ref().take_while(|line| {
                at += line.len();
                !line.trim_start().starts_with("```")
            });
            let block: String = block.collect();
            let set = self.fields_set_in(&block);
            if set.contains(&FieldName::NAME) && set.contains(&FieldName::DESCRIPTION) {
                let first = block.lines().next().unwrap_or_default();
                return Some(text.span(start..start + first.trim_end().len()));
            }
        }
        None
    }

    /// Returns whether what stands behind other text is a header, and not a rule between parts of
    /// a document.
    fn is_header(
        &self,
        text: &MappedText<'_>,
        before: &Range<usize>,
        opening: &Range<usize>,
    ) -> bool {
        let before = &text.as_str()[before.clone()];
        if is_inside_code(before) {
            return false;
        }
        let mut seen = before
            .chars()
            .filter(|c| !c.is_whitespace() && !has_no_width(*c));
        let below = &text.as_str()[opening.end..];
        let end = fence_lines(below).next().unwrap_or(below.len());
        seen.next().is_none() || !self.fields_set_in(&below[..end]).is_empty()
    }
}

/// Says what becomes of a header that is none, or of its file.
fn effect_of(consequence: Consequence) -> &'static str {
    match consequence {
        Consequence::LoadsWithoutFields => "it is part of the prompt and sets nothing",
        Consequence::Ignored(_) => "the file is passed over",
        Consequence::Rejected | Consequence::Fatal => "the file is refused",
    }
}

/// Returns whether a file, by its name, explains something: `PRD_TEMPLATE.md`, `model-guide.md`. A
/// name in capitals is one of a document.
fn is_explanation(file_name: &str) -> bool {
    let stem = file_name.split('.').next().unwrap_or_default();
    let is_small = |c: char| c.is_lowercase();
    let is_capitals = stem.chars().any(char::is_uppercase) && !stem.contains(is_small);
    let is_document = is_capitals && stem != SKILL;
    let mut words = stem.split(|c: char| !c.is_alphanumeric());
    let begins_in_capitals = words.next() == Some("README");
    let last = words.next_back().unwrap_or(stem).to_lowercase();
    stem.starts_with('_')
        || is_document
        || begins_in_capitals
        || EXPLANATIONS.contains(&last.as_str())
}

/// Returns whether a text ends inside a block of code that begins below other text: what stands
/// there is an example. A block that is all there is was put around a header.
fn is_inside_code(text: &str) -> bool {
    let mut is_open = false;
    let mut is_first = true;
    let mut is_example = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_open = !is_open;
            is_example = is_open && !is_first;
        }
        is_first = false;
    }
    is_open && is_example
}
