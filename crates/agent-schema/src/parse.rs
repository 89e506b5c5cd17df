//! From the bytes of a file to its outcome, by the tables of a profile.
//!
//! The road is the same for every dialect: the file's name, its bytes, its header and body, the
//! keys, the fields, the body as prompt, and a last step of the dialect's own. A problem never
//! stops the road early where more could be said: a file that is rejected for one value still
//! tells of its other faults.

mod entry;
mod notes;
mod odd_header;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::coerce::{Effect, Problem, Remarks, pydantic, python, shorten};
use crate::definition::{Definition, FieldName, FieldValue, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{
    Absent, AliasUse, Dialect, Field, NotTextKeys, Profile, ReadingRules, UnknownKeys,
};
use crate::finish::Finish;
use crate::header::{
    Broken, BrokenPrompt, ClosingLine, Consequence, HeaderPart, Language, MissingHeader, NotAMap,
    Unclosed,
};
use crate::header_lines;
use crate::inputs::ParseInputs;
use crate::json;
use crate::outcome::{Fate, Outcome, Parsed};
use crate::rules::{self, Rule};
use crate::source::Span;
use crate::suggest::nearest;
use crate::text::MappedText;
use crate::value::{Entry, Int, Mapping, Node, Style, Value};
use crate::yaml;

pub use entry::parse_entry;
use odd_header::is_blank;

/// The largest file that is read, in bytes. No harness has a limit of its own; a larger file is
/// refused with a diagnostic instead of filling the memory.
pub const LARGEST_FILE: usize = 64 << 20;

/// The most findings of one rule that are reported for a file; the rest is counted in one more.
pub const MOST_OF_A_RULE: usize = 100;

/// A file to parse.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// Its name without folders; it decides whether the file is an agent, and may name it.
    pub name: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// Parses a file by the rules of a profile. Always answers, whatever the bytes.
pub fn parse(file: File<'_>, dialect: &Dialect, profile: &Profile) -> Parsed {
    parse_with(file, dialect, profile, &ParseInputs::new())
}

/// Parses a file by the rules of a profile, with what else is known about it.
pub fn parse_with(
    file: File<'_>,
    dialect: &Dialect,
    profile: &Profile,
    inputs: &ParseInputs,
) -> Parsed {
    let rules = &profile.rules;
    match rules.agents.files.accept(file.name) {
        Err(rule) => Parsed::ignored(rule),
        Ok(()) => {
            let stem = rules.agents.files.stem(file.name);
            parse_accepted(file, stem, dialect, &rules.reading, inputs)
        }
    }
}

/// Parses a file whose name was already accepted, by the given rules and with what else is known
/// about it. `stem` is the name that the file gives to its agent if the header does not.
pub fn parse_accepted(
    file: File<'_>,
    stem: &str,
    dialect: &Dialect,
    rules: &ReadingRules,
    inputs: &ParseInputs,
) -> Parsed {
    let mut reading = Reading::new(file.bytes, dialect, rules, inputs);
    reading.read(file);
    reading.finish(file.name, stem)
}

/// The state of one parse.
struct Reading<'a> {
    dialect: &'a Dialect,
    rules: &'a ReadingRules,
    inputs: &'a ParseInputs,
    bytes: &'a [u8],
    definition: Definition,
    diagnostics: Vec<Diagnostic>,
    /// What becomes of the file as far as it is read; the worst that was met.
    consequence: Consequence,
    repaired: bool,
    degraded: bool,
    lost: Vec<FieldName>,
}

/// What a header gave.
enum Header {
    /// Its keys and values.
    Map(Mapping),
    /// Nothing; the prompt is the body.
    Nothing,
    /// Nothing, and the prompt is the whole file.
    WholeFileIsPrompt,
}

impl<'a> Reading<'a> {
    fn new(
        bytes: &'a [u8],
        dialect: &'a Dialect,
        rules: &'a ReadingRules,
        inputs: &'a ParseInputs,
    ) -> Self {
        Reading {
            dialect,
            rules,
            inputs,
            bytes,
            definition: Definition::new(rules.shown).float_words(rules.float_words),
            diagnostics: Vec::new(),
            consequence: Consequence::LoadsWithoutFields,
            repaired: false,
            degraded: false,
            lost: Vec::new(),
        }
    }

    fn read(&mut self, file: File<'_>) {
        if file.bytes.len() > LARGEST_FILE {
            self.reject(
                Diagnostic::new(
                    &rules::FILE_TOO_LARGE,
                    format!(
                        "the file has {} bytes; at most {LARGEST_FILE} are read",
                        file.bytes.len()
                    ),
                )
                .because("a limit of agentry, so that no file can fill the memory"),
            );
            return;
        }
        let text = match MappedText::decode(file.bytes, self.rules.encoding) {
            Ok(text) => text,
            Err(offset) => {
                let why = self.says(Consequence::Rejected);
                self.reject(
                    Diagnostic::new(
                        &rules::INVALID_ENCODING,
                        invalid_encoding_message(file.bytes),
                    )
                    .at(Span::new(offset, offset + 1))
                    .because(why)
                    .help("save the file as UTF-8"),
                );
                return;
            }
        };
        let parts = self.rules.header.split(&text);
        if let Some(missing) = &parts.missing {
            match self.rules.header.forms {
                // Where no file has a header, none is missing.
                [] => self.worsen(self.rules.header.absent),
                _ => self.note_missing_header(&text, missing),
            }
        }
        let header = match &parts.header {
            Some(header) => {
                self.note_early_end(&text, header, &parts.body);
                self.read_header(&text, header)
            }
            None => Header::Nothing,
        };
        let body = match header {
            Header::WholeFileIsPrompt => {
                let whole = 0..text.as_str().len();
                self.rules.header.trim_body.range(text.as_str(), whole)
            }
            _ => parts.body,
        };
        if let Header::Map(map) = header {
            if self.rules.yaml.aliases == yaml::Aliases::Name {
                self.note_aliases(&map);
            }
            self.choose_form(&map);
            self.read_keys(&map);
            self.read_fields(&map);
        }
        let span = text.span(body.clone());
        let prompt = FieldValue::Text(text.as_str()[body].to_owned());
        let prompt = Located::written(prompt, span, span);
        self.definition.set(FieldName::PROMPT, prompt);
    }

    /// Says why a file has no header, where its author meant one.
    fn note_missing_header(&mut self, text: &MappedText<'_>, missing: &MissingHeader) {
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
            MissingHeader::Unclosed { opening } => Diagnostic::new(
                &rules::UNCLOSED_HEADER,
                format!("the header is never closed: {effect}"),
            )
            .at(trim_end(text, opening.clone()))
            .because(format!("{title} wants a second line of three dashes"))
            .help("add a line `---` after the settings"),
            MissingHeader::Hidden { before, opening } => {
                let what = match &text.as_str()[before.clone()] {
                    "\u{feff}" => "a byte order mark",
                    before if before.chars().all(char::is_whitespace) => "white space",
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

    /// Notes a header that ends before its author meant it to: settings stand between the fence
    /// that counts and the next one.
    fn note_early_end(&mut self, text: &MappedText<'_>, header: &HeaderPart, body: &Range<usize>) {
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
    fn fields_set_in(&self, text: &str) -> Vec<FieldName> {
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
    fn read_header(&mut self, text: &MappedText<'_>, header: &HeaderPart) -> Header {
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
                    if broken.consequence != Consequence::LoadsWithoutFields {
                        self.salvage_name(&part);
                    }
                    return self.give_up_header(&part, finding, broken);
                }
            },
        };
        if let Some(map) = root.as_ref().and_then(Node::as_map) {
            return self.take_map(map, text.span(header.text.clone()));
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

    fn take_map(&mut self, map: &Mapping, at: Span) -> Header {
        let Some(consequence) = self
            .rules
            .header
            .empty_map
            .filter(|_| map.entries.is_empty())
        else {
            return Header::Map(map.clone());
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
        let mut finding = finding.because(why);
        finding.harness_says = broken.harness_says;
        self.conclude(broken.consequence, finding);
        match whole_file {
            true => Header::WholeFileIsPrompt,
            false => Header::Nothing,
        }
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
        let mut at = 0;
        for line in header.as_str().split_inclusive('\n') {
            if let Some(value) = line.strip_prefix("name:") {
                let value = value.split(" #").next().unwrap_or_default().trim();
                let value = value.trim_matches(['"', '\'']);
                if !value.is_empty() {
                    let start = at + line.find(value).unwrap_or_default();
                    let key = header.span(at..at + "name".len());
                    let span = header.span(start..start + value.len());
                    self.take_salvaged_name(
                        key,
                        Node::new(Value::Text(value.into()), span, Style::Plain),
                    );
                }
                return;
            }
            at += line.len();
        }
    }

    /// Sets the name from a broken header, if the harness reads names from headers at all.
    fn take_salvaged_name(&mut self, key: Span, name: Node) {
        let mut fields = self.rules.fields.iter();
        let Some(field) = fields.find(|field| field.target == FieldName::NAME) else {
            return;
        };
        if let Ok(Some(value)) = (field.read)(&name, &mut Remarks::new(self.inputs)) {
            let value = Located::written(value, key, name.span);
            self.definition.set(FieldName::NAME, value);
        }
    }

    /// Checks the keys as such: their types, the ones that break the harness, doubles, unknowns.
    fn read_keys(&mut self, map: &Mapping) {
        for entry in map.overwritten.iter().take(MOST_OF_A_RULE) {
            let again = map
                .entries
                .iter()
                .find(|later| later.key.same_content(&entry.key));
            let mut diagnostic = Diagnostic::new(
                &rules::DUPLICATE_KEY,
                format!("`{}` stands more than once", key_text(&entry.key)),
            )
            .at(entry.key.span)
            .because(format!(
                "{} takes the last value without a word",
                self.dialect.title
            ))
            .help("keep one of them");
            if let Some(again) = again {
                diagnostic = diagnostic.and_at(again.value.span, "this value counts");
            }
            self.diagnostics.push(diagnostic);
        }
        for entry in &map.entries {
            let Some(key) = entry.key.as_text() else {
                self.note_key_not_text(entry);
                continue;
            };
            let reserved = self
                .rules
                .keys
                .reserved
                .iter()
                .find(|(word, _)| *word == key);
            if let Some((_, why)) = reserved {
                self.reject(
                    Diagnostic::new(
                        &rules::RESERVED_KEY,
                        format!("the key `{key}` cannot be used"),
                    )
                    .at(entry.key.span)
                    .because(*why)
                    .help("rename the key"),
                );
            } else if let Some((_, why)) = self.inert(key) {
                self.diagnostics.push(
                    Diagnostic::new(
                        &rules::INERT_KEY,
                        format!("`{key}` has no effect in a file"),
                    )
                    .at(entry.key.span)
                    .because(*why)
                    .help("remove the key"),
                );
            } else if !self.is_known(key) {
                self.note_unknown_key(key, entry);
                self.lose_meant_field(key);
                match self.rules.keys.unknown {
                    UnknownKeys::Dropped
                    | UnknownKeys::Named
                    | UnknownKeys::NotOurs
                    | UnknownKeys::OtherForm(_) => {}
                    UnknownKeys::Metadata | UnknownKeys::ModelOptions => {
                        self.definition.metadata.insert(
                            key.to_owned(),
                            Located::written(entry.value.clone(), entry.key.span, entry.value.span),
                        );
                    }
                }
            }
        }
    }

    fn note_key_not_text(&mut self, entry: &Entry) {
        let finding = Diagnostic::new(
            &rules::KEY_NOT_TEXT,
            format!(
                "the key `{}` is {}, not a text",
                self.written(entry.key.span),
                pydantic::article(&entry.key)
            ),
        )
        .at(entry.key.span)
        .help("put the key in quotes");
        match self.rules.keys.not_text {
            NotTextKeys::RejectFile { why } => self.reject(finding.because(why)),
            NotTextKeys::PassedOver => self.diagnostics.push(Diagnostic {
                severity: Severity::Info,
                harness_says: self.rules.keys.unknown == UnknownKeys::Named,
                ..finding
            }),
        }
    }

    /// Returns what stands in the file, for a message.
    fn written(&self, span: Span) -> String {
        let bytes = self.bytes.get(span.start as usize..span.end as usize);
        shorten(&String::from_utf8_lossy(bytes.unwrap_or_default()))
    }

    fn inert(&self, key: &str) -> Option<&'static (&'static str, &'static str)> {
        let inert = self.rules.keys.inert;
        inert.iter().find(|(word, _)| *word == key)
    }

    fn is_known(&self, key: &str) -> bool {
        let fields = self.rules.fields.iter();
        fields.flat_map(field_keys).any(|known| known == key)
    }

    fn note_unknown_key(&mut self, key: &str, entry: &Entry) {
        let meant = self.meant_key(key);
        let title = self.dialect.title;
        let diagnostic = match meant {
            Some(ours) => Diagnostic::new(
                &rules::MISSPELLED_KEY,
                format!("`{key}` has no effect; {title} calls it `{ours}`"),
            )
            .help(format!("write `{ours}`")),
            None => Diagnostic::new(
                &rules::UNKNOWN_KEY,
                format!("`{key}` is not a key of {title}; it has no effect"),
            ),
        };
        let why = match self.rules.keys.unknown {
            UnknownKeys::Metadata => format!("{title} keeps unknown keys as metadata"),
            UnknownKeys::Dropped => format!("{title} drops unknown keys without a word"),
            UnknownKeys::Named => {
                format!("{title} drops unknown keys and names them in its debug log")
            }
            UnknownKeys::ModelOptions => {
                format!("{title} sends unknown keys to the provider of the model as options")
            }
            UnknownKeys::NotOurs | UnknownKeys::OtherForm(_) => return,
        };
        let mut diagnostic = diagnostic.at(entry.key.span).because(why);
        diagnostic.harness_says = self.rules.keys.unknown == UnknownKeys::Named;
        self.diagnostics.push(diagnostic);
    }

    /// Notes what an unknown key was meant to set, where it is dropped and sets nothing.
    fn lose_meant_field(&mut self, key: &str) {
        let meant = self.meant_key(key);
        let mut fields = self.rules.fields.iter();
        if self.rules.keys.unknown != UnknownKeys::Metadata
            && let Some(field) = fields.find(|field| Some(field.key) == meant)
        {
            self.lost.push(field.target);
        }
    }

    /// Returns the key that was probably meant by one that is not known.
    fn meant_key(&self, key: &str) -> Option<&'static str> {
        if self.rules.keys.unknown == UnknownKeys::NotOurs {
            return None;
        }
        let mut foreign = self.dialect.foreign_keys.iter();
        let foreign = foreign.find(|(word, _)| *word == key);
        foreign.map(|(_, ours)| *ours).or_else(|| {
            let known = self.rules.fields.iter().map(|field| field.key);
            nearest(key, known)
        })
    }

    fn read_fields(&mut self, map: &Mapping) {
        for field in self.rules.fields {
            self.read_written(field, map);
            let loads = self.consequence == Consequence::LoadsWithoutFields;
            if let Absent::Loses(consequence @ Consequence::Ignored(_)) = field.absent
                && loads
                && self.definition.field(field.target).is_none()
            {
                // Nobody looks at the other fields of a file that is passed over.
                self.note_missing(field, consequence);
                return;
            }
        }
    }

    /// Reads a field that is written, under whichever of its keys.
    fn read_written(&mut self, field: &Field, map: &Mapping) {
        let mut written = field_keys(field).filter_map(|key| map.get(key)).peekable();
        while let Some(entry) = written.next() {
            let gave_value = self.read_field(field, entry);
            let is_last = written.peek().is_none();
            if gave_value || is_last || self.rules.keys.aliases == AliasUse::WhenAbsent {
                written.for_each(|other| self.note_beside_alias(entry, other));
                return;
            }
        }
    }

    /// Notes a key that is passed over because another spelling of it counts.
    fn note_beside_alias(&mut self, counts: &Entry, other: &Entry) {
        let (which, counts_how) = match self.rules.keys.aliases {
            AliasUse::WhenAbsent => ("is written", "this key counts, whatever its value"),
            AliasUse::WhenUnset => ("has a usable value", "this key counts"),
        };
        self.diagnostics.push(
            Diagnostic::new(
                &rules::KEY_BESIDE_ALIAS,
                format!(
                    "`{}` is passed over, because `{}` is there too",
                    key_text(&other.key),
                    key_text(&counts.key)
                ),
            )
            .at(other.key.span)
            .and_at(counts.key.span, counts_how)
            .because(format!(
                "{} reads the first of the two that {which}",
                self.dialect.title
            ))
            .help("move what it holds to the key that counts"),
        );
    }

    /// Reads a field from one of its keys. Returns whether that gave a value.
    fn read_field(&mut self, field: &Field, entry: &Entry) -> bool {
        let mut remarks = Remarks::new(self.inputs);
        let read = (field.read)(&entry.value, &mut remarks);
        for problem in std::mem::take(&mut remarks.further) {
            self.note_problem(field, &key_text(&entry.key), problem);
        }
        let gave_value = matches!(read, Ok(Some(_)));
        match read {
            Ok(Some(value)) => {
                let value = Located::written(value, entry.key.span, entry.value.span);
                self.definition.set(field.target, value);
                self.lost.retain(|lost| *lost != field.target);
            }
            Ok(None) => {}
            Err(problem) => self.note_problem(field, &key_text(&entry.key), problem),
        }
        if remarks.loses_part {
            self.lost.push(field.target);
        }
        let found = remarks.list.into_iter();
        self.diagnostics
            .extend(found.map(|finding| finding.about(field.target)));
        gave_value
    }

    fn note_problem(&mut self, field: &Field, key: &str, problem: Problem) {
        let title = self.dialect.title;
        let help = problem
            .help
            .unwrap_or_else(|| format!("`{key}` takes {}", field.accepts));
        let refused = self.rules.refused;
        let (rule, why) = match problem.effect {
            Effect::Fatal => (&rules::INVALID_VALUE, self.says(Consequence::Fatal)),
            Effect::RejectsFile => (&rules::INVALID_VALUE, self.says(refused)),
            Effect::LeavesUnset => {
                let how = match problem.harness_says {
                    true => "and says so in its log",
                    false => "without a word",
                };
                (
                    &rules::IGNORED_VALUE,
                    format!("{title} treats it as if it were not written, {how}"),
                )
            }
        };
        let rule = problem.rule.unwrap_or(rule);
        let mut diagnostic = Diagnostic::new(rule, format!("`{key}` {}", problem.complaint))
            .at(problem.span)
            .in_setting(std::iter::once(key).chain(problem.within.iter().map(String::as_str)))
            .because(why)
            .help(help)
            .about(field.target);
        diagnostic.harness_says = problem.harness_says;
        match problem.effect {
            Effect::Fatal => self.conclude(Consequence::Fatal, diagnostic),
            Effect::RejectsFile => self.conclude(refused, diagnostic),
            Effect::LeavesUnset => {
                self.lost.push(field.target);
                self.diagnostics.push(diagnostic);
            }
        }
    }

    fn note_missing(&mut self, field: &Field, consequence: Consequence) {
        let finding = Diagnostic::new(
            &rules::MISSING_FIELD,
            format!("the header has no usable `{}`", field.key),
        )
        .because(self.says(consequence))
        .help(format!("add `{}`: {}", field.key, field.accepts))
        .about(field.target);
        self.conclude(consequence, finding);
    }

    fn reject(&mut self, diagnostic: Diagnostic) {
        self.conclude(Consequence::Rejected, diagnostic);
    }

    /// Notes a finding together with what it makes of the file; the worst one counts.
    fn conclude(&mut self, consequence: Consequence, mut diagnostic: Diagnostic) {
        diagnostic.harness_says |=
            matches!(consequence, Consequence::Rejected | Consequence::Fatal);
        self.diagnostics.push(diagnostic);
        self.worsen(consequence);
    }

    fn worsen(&mut self, consequence: Consequence) {
        self.consequence = self.consequence.worst(consequence);
    }

    /// Says what the harness does with the file.
    fn says(&self, consequence: Consequence) -> String {
        let title = self.dialect.title;
        match consequence {
            Consequence::LoadsWithoutFields => {
                format!("{title} loads it all the same, with default settings")
            }
            Consequence::Ignored(_) => format!("{title} passes the file over without a word"),
            Consequence::Rejected => format!("{title} refuses the whole file"),
            Consequence::Fatal => format!(
                "{title} fails at this file, and no agent can be used, whatever file it is in"
            ),
        }
    }

    /// Fills in what is not written, and decides what becomes of the file.
    fn finish(mut self, file_name: &str, stem: &str) -> Parsed {
        // A file that is lost already needs no complaint about what is missing in it.
        let loads = self.consequence == Consequence::LoadsWithoutFields;
        for field in self.rules.fields {
            if self.definition.field(field.target).is_some() {
                continue;
            }
            let value = match field.absent {
                Absent::Unset => continue,
                Absent::Text(text) => FieldValue::Text(text.to_owned()),
                Absent::NoNames => FieldValue::Names(Vec::new()),
                Absent::FileStem => FieldValue::Text(stem.to_owned()),
                Absent::FolderName => match &self.inputs.folder {
                    Some(folder) => FieldValue::Text(folder.clone()),
                    None => continue,
                },
                Absent::Flag(flag) => FieldValue::Flag(flag),
                Absent::Integer(value) => FieldValue::Integer(Int::Small(value)),
                Absent::Inherited => FieldValue::Inherited,
                Absent::Made(make) => make(),
                Absent::Loses(consequence) => {
                    if loads {
                        self.note_missing(field, consequence);
                    }
                    continue;
                }
            };
            self.definition.set(field.target, Located::implied(value));
        }
        let mut last = Finish {
            definition: &mut self.definition,
            file_name,
            stem,
            inputs: self.inputs,
            is_lost: !loads,
            findings: Vec::new(),
            lost: Vec::new(),
            consequence: None,
        };
        (self.rules.finish)(&mut last);
        let Finish {
            mut findings,
            mut lost,
            consequence,
            ..
        } = last;
        self.diagnostics.append(&mut findings);
        self.lost.append(&mut lost);
        if let Some(consequence) = consequence {
            self.worsen(consequence);
        }
        if !self.inputs.is_part {
            self.resolve();
        }
        self.parsed()
    }

    fn parsed(mut self) -> Parsed {
        const RIGHTS: [FieldName; 4] = [
            FieldName::TOOLS,
            FieldName::DISALLOWED_TOOLS,
            FieldName::PERMISSION,
            FieldName::PERMISSION_MODE,
        ];
        self.diagnostics
            .sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
        cap_findings(&mut self.diagnostics);
        let definition = Box::new(self.definition);
        let (outcome, fate) = match self.consequence {
            Consequence::Rejected => (Outcome::Rejected(definition), Fate::Rejected),
            Consequence::Fatal => (Outcome::Rejected(definition), Fate::Fatal),
            Consequence::Ignored(rule) => {
                // Without a word, whatever would have been said of a file that loads.
                for diagnostic in &mut self.diagnostics {
                    diagnostic.harness_says = false;
                }
                (Outcome::Ignored(rule), Fate::Ignored)
            }
            Consequence::LoadsWithoutFields => {
                let fate = if self.degraded || !self.lost.is_empty() {
                    Fate::Degraded
                } else if self.repaired {
                    Fate::Repaired
                } else {
                    Fate::Loaded
                };
                (Outcome::Loaded(definition), fate)
            }
        };
        Parsed {
            rights_widened: fate == Fate::Degraded
                && self.lost.iter().any(|field| RIGHTS.contains(field)),
            outcome,
            fate,
            lost: self.lost,
            diagnostics: self.diagnostics,
        }
    }
}

/// Keeps the first findings of each rule and counts the rest, so that a file of nothing but
/// mistakes can still be read about.
fn cap_findings(findings: &mut Vec<Diagnostic>) {
    if findings.len() <= MOST_OF_A_RULE {
        return;
    }
    let mut counts: BTreeMap<&str, (usize, &'static Rule)> = BTreeMap::new();
    findings.retain(|finding| {
        let (count, _) = counts.entry(finding.code()).or_insert((0, finding.rule));
        *count += 1;
        *count <= MOST_OF_A_RULE
    });
    for (count, rule) in counts.into_values() {
        if let Some(rest) = count.checked_sub(MOST_OF_A_RULE).filter(|rest| *rest > 0) {
            findings.push(Diagnostic::new(
                rule,
                format!("there are {rest} more of these"),
            ));
        }
    }
}

/// The keys of a field, the one that counts first.
fn field_keys(field: &Field) -> impl Iterator<Item = &'static str> {
    std::iter::once(field.key).chain(field.aliases.iter().copied())
}

fn key_text(key: &Node) -> String {
    python::text(key).unwrap_or_default()
}

/// A fence may take in line ends; its place for people is the line alone.
fn trim_end(text: &MappedText<'_>, range: std::ops::Range<usize>) -> Span {
    let kept = text.as_str()[range.clone()].trim_end().len();
    text.span(range.start..range.start + kept)
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

fn invalid_encoding_message(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        "the file is UTF-16, not UTF-8"
    } else {
        "the file is not UTF-8: this byte does not belong there"
    }
}
