//! The header of a file: why there is none, where it ends, and what it gives.

use super::consequences::TELL_OF_CUT;
use super::damage::{damages, kept_remarks};
use super::early_end::is_settings;
use super::keys::LIMITS;
use super::odd_header::is_blank;
use super::written_name::name_line;
use super::{Header, Reading, field_keys, trim_end};
use crate::coerce::{Remarks, pydantic};
use crate::definition::{FieldName, Located};
use crate::diagnostic::{Diagnostic, Related, Severity};
use crate::header::{Broken, BrokenPrompt, Consequence, HeaderPart, Language, NotAMap};
use crate::header_lines;
use crate::json;
use crate::rules::{self, Rule};
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Mapping, Node, Style, Value};
use crate::yaml;

impl Reading<'_> {
    /// Notes a header that nothing ends, where the harness takes the rest of the file for it.
    pub(super) fn note_open_end(&mut self, text: &MappedText<'_>, header: &HeaderPart) {
        let finding = Diagnostic::new(
            &rules::UNCLOSED_HEADER,
            "the header is never closed: all of the file is the header, and the prompt is empty",
        )
        .at(trim_end(text, header.opening.clone()))
        .because(format!(
            "{} reads settings up to the end of the file where no second line of dashes follows",
            self.dialect.title
        ))
        .help("add a line `---` after the settings");
        self.diagnostics.push(finding);
    }

    /// Says nothing of the prompt in what is told of a header that nothing ends, once that header
    /// cannot be parsed: what the prompt is then depends on the harness.
    fn retell_open_end(&mut self) {
        let mut told = self.diagnostics.iter_mut();
        if let Some(told) = told.find(|told| told.rule == &rules::UNCLOSED_HEADER) {
            let message = "the header is never closed: all of the file is taken for it";
            told.message = message.into();
        }
    }

    /// Returns the fields that lines would set if they stood in a header.
    pub(super) fn fields_set_in(&self, text: &str) -> Vec<FieldName> {
        let keys = self.keys_set_in(text).into_iter();
        keys.map(|(_, field)| field).collect()
    }

    /// Returns the fields that a header which cannot be parsed was meant to set: limits, too, whose
    /// key is indented, or has lost its colon or has another sign for it.
    fn fields_meant_in(&self, text: &str) -> Vec<FieldName> {
        let mut set = self.fields_set_in(text);
        for line in text.lines() {
            let start = line.trim_start();
            let end = start.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
            let (word, rest) = start.split_at(end.unwrap_or(start.len()));
            let has_sign = rest.trim_start().starts_with([':', '=', '：']);
            let mut fields = self.rules.fields.iter();
            let field = fields.find(|field| field_keys(field).any(|key| key == word));
            if let Some(field) = field.filter(|field| LIMITS.contains(&field.target))
                && (has_sign || start.len() == line.len())
                && !set.contains(&field.target)
            {
                set.push(field.target);
            }
        }
        set
    }

    /// Returns the same with the keys as they are written there.
    pub(super) fn keys_set_in<'t>(&self, text: &'t str) -> Vec<(&'t str, FieldName)> {
        let mut set: Vec<(&str, FieldName)> = Vec::new();
        let keys = text.lines().filter_map(|line| line.split_once(':'));
        for (key, _) in keys {
            let mut fields = self.rules.fields.iter();
            if let Some(field) = fields.find(|field| field_keys(field).any(|known| known == key))
                && set.iter().all(|(_, known)| *known != field.target)
            {
                set.push((key, field.target));
            }
        }
        set
    }

    /// Returns the rules of the YAML reader, with the limits that count.
    fn yaml(&self) -> yaml::Flavor {
        self.rules.yaml.within(&self.inputs.limits)
    }

    /// Reads the header, mending it where the harness does.
    pub(super) fn read_header(&mut self, text: &MappedText<'_>, header: &HeaderPart) -> Header {
        let part = text.slice(header.text.clone());
        let read = match header.language {
            Language::Yaml => yaml::read(&part, &self.yaml()).map_err(Diagnostic::from),
            Language::Lines => {
                self.note_lost_lines(&part);
                self.note_settings_inside_values(&part);
                Ok(Some(header_lines::read(&part)))
            }
            // Whatever the language, a header without content is not handed to its reader.
            _ if is_blank(part.as_str()) => Ok(None),
            Language::Json(flavor) => json::read(&part, flavor.within(&self.inputs.limits))
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
                    let finding = self.blame_fence(text, header, finding);
                    let line_end = self.line_end_of_broken(&part, header, &finding);
                    if broken.consequence != Consequence::LoadsWithoutFields {
                        self.salvage_name(&part);
                    }
                    let cause = self.cause_of_broken(text, header, &finding);
                    if let Some(cause) = cause.or_else(|| self.note_cut_value(text, header)) {
                        return self.give_up_cut_header(&part, &finding, broken, cause);
                    }
                    if header.language == Language::Yaml {
                        self.note_further_faults(&part, &finding, broken);
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
            yaml::read(&part.edited(&edits), &self.yaml()).map_err(|_| repair.still_broken)?;
        self.repaired = true;
        self.damages = damages(part, &edits, self.rules);
        self.kept_remarks = kept_remarks(part, &edits, self.rules);
        self.diagnostics.push(Diagnostic {
            rule: &rules::REPAIRED_HEADER,
            severity: rules::REPAIRED_HEADER.severity,
            why: Some(
                format!(
                    "{} {} and reads the header again; a harness that mends nothing loses the file",
                    self.dialect.title, repair.described
                )
                .into(),
            ),
            ..finding.clone()
        });
        Ok(root)
    }

    /// Returns which finding explains why a header cannot be parsed, if it is told already: that it
    /// ends inside of something, or that it has no end.
    fn cause_of_broken(
        &self,
        text: &MappedText<'_>,
        header: &HeaderPart,
        finding: &Diagnostic,
    ) -> Option<usize> {
        let told = |rules: &[&'static Rule]| {
            let mut told = self.diagnostics.iter();
            told.position(|told| rules.contains(&told.rule))
        };
        if header.closing.is_empty() {
            let bytes = self.bytes.get(finding.span?.start as usize..)?;
            let line = String::from_utf8_lossy(bytes.split(|byte| *byte == b'\n').next()?);
            let is_prose = !is_settings(&line) && !line.starts_with([' ', '\t', '-', '#']);
            return told(&[&rules::UNCLOSED_HEADER]).filter(|_| is_prose);
        }
        let whole = text.slice(header.text.start..self.meant_end?);
        let root = yaml::read(&whole, &self.rules.yaml).ok()??;
        root.as_map()?;
        told(&[&rules::HEADER_ENDS_EARLY, &rules::FENCE_INSIDE_LINE])
    }

    /// Gives up a header that cannot be parsed because of what another finding tells already.
    fn give_up_cut_header(
        &mut self,
        header: &MappedText<'_>,
        finding: &Diagnostic,
        broken: Broken,
        cause: usize,
    ) -> Header {
        let consequence = self.without_header(broken.consequence);
        let says = self.says_of_broken(broken);
        self.retell_open_end();
        let told = &mut self.diagnostics[cause];
        told.severity = Severity::Error;
        let why = told.why.take().unwrap_or_default();
        told.why = Some(format!("{why}; so the header is no YAML, and {says}").into());
        told.related.extend(finding.span.map(|span| Related {
            file: None,
            span: Some(span),
            message: finding.message.to_string(),
        }));
        told.harness_says |= match consequence {
            Consequence::LoadsWithoutFields => broken.harness_says,
            Consequence::Ignored(_) => false,
            Consequence::Rejected | Consequence::Fatal => true,
        };
        self.worsen(consequence);
        if consequence == Consequence::LoadsWithoutFields {
            self.degraded = true;
            let mut written = self.fields_meant_in(header.as_str());
            self.lost.append(&mut written);
        }
        match broken.prompt {
            BrokenPrompt::WholeFile => Header::WholeFileIsPrompt,
            BrokenPrompt::Body => Header::Nothing,
        }
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
        let consequence = self.without_header(broken.consequence);
        let why = self.says_of_broken(broken);
        self.retell_open_end();
        if consequence == Consequence::LoadsWithoutFields {
            self.degraded = true;
            let mut written = self.fields_meant_in(header.as_str());
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
        self.conclude(consequence, finding);
        match whole_file {
            true => Header::WholeFileIsPrompt,
            false => Header::Nothing,
        }
    }

    /// Says what the harness does with a file whose header cannot be parsed.
    pub(super) fn says_of_broken(&self, broken: Broken) -> String {
        let consequence = self.without_header(broken.consequence);
        let loads = consequence == Consequence::LoadsWithoutFields;
        match loads && broken.prompt == BrokenPrompt::WholeFile {
            true => format!(
                "{} loads the agent without any of its settings, so with every right, and takes \
                 the whole file as its prompt",
                self.dialect.title
            ),
            false => self.says(consequence),
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
        yaml::read(&MappedText::plain(&other).edited(&edits), &self.yaml()).ok()?;
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
        let consequence = self.without_header(consequence);
        let loads = consequence == Consequence::LoadsWithoutFields;
        let finding = match root.filter(|root| !root.is_null()) {
            // An empty header says nothing, and nothing of it is lost.
            None if loads => return,
            None if self.blame_cut("the header is empty", consequence) => return,
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
        let severity = match consequence {
            Consequence::LoadsWithoutFields | Consequence::Ignored(_) => finding.severity,
            Consequence::Rejected | Consequence::Fatal => Severity::Error,
        };
        let finding = finding
            .because(why)
            .help("write the settings as `key: value` lines");
        self.conclude(
            consequence,
            Diagnostic {
                severity,
                ..finding
            },
        );
    }

    /// Lets the finding about dashes that end a header too early say what follows from that.
    /// Returns whether there is one.
    fn blame_cut(&mut self, effect: &str, consequence: Consequence) -> bool {
        let says = self.says(consequence);
        let mut told = self.diagnostics.iter_mut();
        let Some(told) = told.find(|told| TELL_OF_CUT.contains(&told.rule)) else {
            return false;
        };
        told.severity = Severity::Error;
        let why = told.why.take().unwrap_or_default();
        told.why = Some(format!("{why}; so {effect}, and {says}").into());
        told.harness_says |= matches!(consequence, Consequence::Rejected | Consequence::Fatal);
        self.worsen(consequence);
        true
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

pub(super) fn has_no_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}
