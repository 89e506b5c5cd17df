//! The header of a file: why there is none, where it ends, and what it gives.

use std::ops::Range;

use super::odd_header::is_blank;
use super::written_name::name_line;
use super::{Header, Reading, field_keys, trim_end};
use crate::coerce::{Remarks, pydantic};
use crate::definition::{FieldName, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::header::{
    Broken, BrokenPrompt, ClosingLine, Consequence, HeaderPart, Language, MissingHeader, NotAMap,
    Unclosed,
};
use crate::header_lines;
use crate::json;
use crate::rules;
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Mapping, Node, Style, Value};
use crate::yaml;

impl Reading<'_> {
    /// Says why a file has no header, where its author meant one.
    pub(super) fn note_missing_header(&mut self, text: &MappedText<'_>, missing: &MissingHeader) {
        let title = self.dialect.title;
        let consequence = match (missing, self.rules.header.unclosed) {
            (MissingHeader::Unclosed { .. }, Unclosed::Treated(consequence)) => consequence,
            _ => self.rules.header.absent,
        };
        let loads = consequence == Consequence::LoadsWithoutFields;
        let effect = match consequence {
            Consequence::LoadsWithoutFields => "it is part of the prompt and sets nothing",
            Consequence::Ignored(_) => "the file is passed over",
            Consequence::Rejected | Consequence::Fatal => "the file is refused",
        };
        let missing = match missing {
            MissingHeader::Hidden { before, opening } if !self.is_header(text, before, opening) => {
                &MissingHeader::Absent
            }
            missing => missing,
        };
        let broken = match missing {
            MissingHeader::Absent => self.broken_opening(text),
            _ => None,
        };
        if let Some(finding) = broken {
            let why = self.says(consequence);
            let severity = match loads {
                true => Severity::Warning,
                false => finding.severity,
            };
            let finding = finding.because(why);
            self.degraded |= loads;
            self.conclude(
                consequence,
                Diagnostic {
                    severity,
                    ..finding
                },
            );
            return;
        }
        let diagnostic = match missing {
            MissingHeader::Absent => {
                let (effect, why) = match loads {
                    true => (
                        "all of it is the prompt",
                        format!(
                            "{title} loads it all the same, named after the file and with default \
                             settings"
                        ),
                    ),
                    false => (effect, self.says(consequence)),
                };
                Diagnostic::new(
                    &rules::NO_HEADER,
                    format!("the file has no header: {effect}"),
                )
                .because(why)
                .help("begin the file with `---`, the settings, and another `---`")
            }
            MissingHeader::Unclosed { opening } => {
                let finding = Diagnostic::new(
                    &rules::UNCLOSED_HEADER,
                    format!("the header is never closed: {effect}"),
                )
                .at(trim_end(text, opening.clone()))
                .because(format!("{title} wants a second line of three dashes"))
                .help("add a line `---` after the settings");
                match self.meant_closing(text, opening.end) {
                    Some(line) => finding.and_at(line, "this line does not end it"),
                    None => finding,
                }
            }
            MissingHeader::Hidden { before, opening } => {
                let what = match &text.as_str()[before.clone()] {
                    "\u{feff}" => "a byte order mark",
                    before if before.chars().all(char::is_whitespace) => "white space",
                    before if before.chars().all(has_no_width) => "a sign without width",
                    _ => "other text",
                };
                Diagnostic::new(
                    &rules::HIDDEN_HEADER,
                    format!("{what} stands before the header: {effect}"),
                )
                .at(text.span(before.clone()))
                .and_at(
                    trim_end(text, opening.clone()),
                    "this looks like the header",
                )
                .because(format!(
                    "{title} wants the header at the very start of the file"
                ))
                .help("remove what stands before it")
            }
        };
        self.degraded |= loads && *missing != MissingHeader::Absent;
        self.conclude(consequence, diagnostic);
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
        let end = fence_line(below).unwrap_or(below.len());
        seen.next().is_none() || !self.fields_set_in(&below[..end]).is_empty()
    }

    /// Notes a header that ends before its author meant it to: settings stand between the fence
    /// that counts and the next one.
    pub(super) fn note_early_end(
        &mut self,
        text: &MappedText<'_>,
        header: &HeaderPart,
        body: &Range<usize>,
    ) {
        let line = header.closing_line(text.as_str());
        if line == ClosingLine::Alone {
            return;
        }
        let from = header.closing.end;
        let rest = &text.as_str()[from..body.end.max(from)];
        let end = fence_line(rest);
        let mut lost = self.fields_set_in(&rest[..end.unwrap_or_default()]);
        let Some(end) = end.filter(|_| !lost.is_empty()) else {
            if line == ClosingLine::Shared {
                self.note_shared_fence(text, header);
            }
            return;
        };
        let names: Vec<String> = lost.iter().map(|field| format!("`{field}`")).collect();
        self.degraded = true;
        self.diagnostics.push(
            Diagnostic::new(
                &rules::HEADER_ENDS_EARLY,
                format!(
                    "the header ends here: {} below it {} part of the prompt",
                    names.join(", "),
                    match names.len() {
                        1 => "is lost and becomes",
                        _ => "are lost and become",
                    }
                ),
            )
            .at(trim_end(text, header.closing.clone()))
            .and_at(
                text.span(from + end..from + end + "---".len()),
                "it was probably meant to end here",
            )
            .because(format!(
                "{} ends a header at the first dashes that fit",
                self.dialect.title
            ))
            .help("write the dashes inside the header in another way, such as `—`"),
        );
        self.lost.append(&mut lost);
    }

    /// Returns the fields that lines would set if they stood in a header.
    pub(super) fn fields_set_in(&self, text: &str) -> Vec<FieldName> {
        let mut set = Vec::new();
        let keys = text.lines().filter_map(|line| line.split_once(':'));
        for (key, _) in keys {
            let mut fields = self.rules.fields.iter();
            if let Some(field) = fields.find(|field| field_keys(field).any(|known| known == key))
                && !set.contains(&field.target)
            {
                set.push(field.target);
            }
        }
        set
    }

    /// Reads the header, mending it where the harness does.
    pub(super) fn read_header(&mut self, text: &MappedText<'_>, header: &HeaderPart) -> Header {
        let part = text.slice(header.text.clone());
        let read = match header.language {
            Language::Yaml => yaml::read(&part, &self.rules.yaml).map_err(Diagnostic::from),
            Language::Lines => Ok(Some(header_lines::read(&part))),
            // Whatever the language, a header without content is not handed to its reader.
            _ if is_blank(part.as_str()) => Ok(None),
            Language::Json(flavor) => json::read(&part, flavor)
                .map(Some)
                .map_err(Diagnostic::from),
            Language::Program => {
                self.note_program(text, header);
                return Header::Nothing;
            }
            Language::Unknown => Err(self.unknown_language(text, header)),
        };
        let root = match read {
            Ok(root) => root,
            Err(finding) => match self.repair(&part, header, &finding) {
                Ok(root) => root,
                Err(broken) => {
                    let line_end = self.line_end_of_broken(&part, header, &finding);
                    if broken.consequence != Consequence::LoadsWithoutFields {
                        self.salvage_name(&part);
                    }
                    return self.give_up_header(&part, finding, broken, line_end);
                }
            },
        };
        let root = match root {
            Some(Node {
                value: Value::Map(map),
                ..
            }) => return self.take_map(map, text.span(header.text.clone())),
            root => root,
        };
        if let Some(map) = root.as_ref().and_then(Node::as_map) {
            return self.take_map(map.clone(), text.span(header.text.clone()));
        }
        match (self.rules.header.not_a_map)(root.as_ref()) {
            NotAMap::ReadAs(map) => Header::Map(map),
            NotAMap::TakenApart(map) => {
                self.take_apart(root.as_ref(), map);
                Header::Nothing
            }
            NotAMap::Treated(consequence) => {
                self.note_not_a_map(root.as_ref(), consequence);
                Header::Nothing
            }
        }
    }

    fn take_map(&mut self, map: Mapping, at: Span) -> Header {
        let Some(consequence) = self
            .rules
            .header
            .empty_map
            .filter(|_| map.entries.is_empty())
        else {
            return Header::Map(map);
        };
        let why = self.says(consequence);
        self.conclude(
            consequence,
            Diagnostic::new(&rules::HEADER_NOT_A_MAP, "the header has no settings")
                .at(at)
                .because(why)
                .help("write the settings as `key: value` lines"),
        );
        Header::Nothing
    }

    /// Mends a header as the harness does and reads it again. The error tells what the file is if
    /// that does not help.
    fn repair(
        &mut self,
        part: &MappedText<'_>,
        header: &HeaderPart,
        finding: &Diagnostic,
    ) -> Result<Option<Node>, Broken> {
        let broken = self.rules.header.broken;
        let repair = self.rules.header.repair.filter(|_| header.mendable);
        let repair = repair.ok_or(broken)?;
        let edits = (repair.edits)(part.as_str());
        if edits.is_empty() {
            return Err(broken);
        }
        let root =
            yaml::read(&part.edited(&edits), &self.rules.yaml).map_err(|_| repair.still_broken)?;
        self.repaired = true;
        self.diagnostics.push(Diagnostic {
            rule: &rules::REPAIRED_HEADER,
            severity: rules::REPAIRED_HEADER.severity,
            why: Some(format!(
                "{} {} and reads the header again; other harnesses lose the file",
                self.dialect.title, repair.described
            )),
            ..finding.clone()
        });
        Ok(root)
    }

    /// Notes a header that cannot be parsed, and what the harness makes of the file.
    fn give_up_header(
        &mut self,
        header: &MappedText<'_>,
        finding: Diagnostic,
        broken: Broken,
        line_end: Option<(Span, &'static str)>,
    ) -> Header {
        let whole_file = broken.prompt == BrokenPrompt::WholeFile;
        let loads = broken.consequence == Consequence::LoadsWithoutFields;
        let why = match loads && whole_file {
            true => format!(
                "{} loads the agent without any of its settings, so with every right, and takes \
                 the whole file as its prompt",
                self.dialect.title
            ),
            false => self.says(broken.consequence),
        };
        if loads {
            self.degraded = true;
            let mut written = self.fields_set_in(header.as_str());
            self.lost.append(&mut written);
        }
        let mut finding = match line_end {
            Some((line_end, described)) => finding
                .because(format!(
                    "{why}; it {described} only on lines that end in LF, and this one ends in CR \
                     and LF"
                ))
                .help("save the file with LF as line end, or put the value in quotes")
                .and_at(line_end, "the line end that keeps it from being mended"),
            None => finding.because(why),
        };
        finding.harness_says = broken.harness_says;
        self.conclude(broken.consequence, finding);
        match whole_file {
            true => Header::WholeFileIsPrompt,
            false => Header::Nothing,
        }
    }

    /// Returns the line end that alone keeps the harness from mending a header, and how it would
    /// mend it.
    fn line_end_of_broken(
        &self,
        part: &MappedText<'_>,
        header: &HeaderPart,
        finding: &Diagnostic,
    ) -> Option<(Span, &'static str)> {
        let repair = self.rules.header.repair.filter(|_| header.mendable)?;
        let text = part.as_str();
        if !text.contains("\r\n") {
            return None;
        }
        let other = text.replace("\r\n", "\n");
        let edits = (repair.edits)(&other);
        yaml::read(&MappedText::plain(&other).edited(&edits), &self.rules.yaml).ok()?;
        let at = finding.span?.start as usize;
        let end = self
            .bytes
            .get(at..)?
            .iter()
            .position(|byte| *byte == b'\r')?;
        let start = u32::try_from(at + end).ok()?;
        Some((Span::new(start, start + 2), repair.described))
    }

    fn note_not_a_map(&mut self, root: Option<&Node>, consequence: Consequence) {
        let loads = consequence == Consequence::LoadsWithoutFields;
        let finding = match root.filter(|root| !root.is_null()) {
            // An empty header says nothing, and nothing of it is lost.
            None if loads => return,
            None => {
                let empty = Diagnostic::new(&rules::HEADER_NOT_A_MAP, "the header is empty");
                Diagnostic {
                    span: root.map(|root| root.span),
                    ..empty
                }
            }
            Some(root) => Diagnostic::new(
                &rules::HEADER_NOT_A_MAP,
                format!(
                    "the header is {}, not a map of settings: all of it is lost",
                    pydantic::article(root)
                ),
            )
            .at(root.span),
        };
        let why = match loads {
            true => format!(
                "{} drops such a header without a word and uses the body alone",
                self.dialect.title
            ),
            false => self.says(consequence),
        };
        self.degraded |= loads;
        self.conclude(
            consequence,
            finding
                .because(why)
                .help("write the settings as `key: value` lines"),
        );
    }

    /// Takes the name out of a header that cannot be parsed, so that the loss can be told by it.
    fn salvage_name(&mut self, header: &MappedText<'_>) {
        if let Some(line) = name_line(header.as_str(), "name") {
            let value = header.as_str()[line.value.clone()].into();
            let span = header.span(line.value);
            self.take_salvaged_name(
                header.span(line.key),
                Node::new(Value::Text(value), span, Style::Plain),
            );
        }
    }

    /// Sets the name from a broken header, if the harness reads names from headers at all.
    fn take_salvaged_name(&mut self, key: Span, name: Node) {
        let mut fields = self.rules.fields.iter();
        let Some(field) = fields.find(|field| field.target == FieldName::NAME) else {
            return;
        };
        if let Ok(Some(value)) =
            (field.read)(&name, &mut Remarks::new(self.inputs).in_file(self.bytes))
        {
            let value = Located::written(value, key, name.span);
            self.definition.set(FieldName::NAME, value);
        }
    }
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

pub(super) fn has_no_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Finds the next line of three or more dashes and nothing else, below the first line.
fn fence_line(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_end();
        if at > 0 && trimmed.len() >= 3 && trimmed.bytes().all(|byte| byte == b'-') {
            return Some(at);
        }
        at += line.len();
    }
    None
}
