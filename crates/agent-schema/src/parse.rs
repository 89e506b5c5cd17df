//! From the bytes of a file to its outcome, by the tables of a profile.
//!
//! The road is the same for every dialect: the file's name, its bytes, its header and body, the
//! keys, the fields, the body as prompt, and a last step of the dialect's own. A problem never
//! stops the road early where more could be said: a file that is rejected for one value still
//! tells of its other faults.

mod consequences;
mod damage;
mod early_end;
mod entry;
pub(crate) mod fences;
mod fields;
mod header;
mod kept_signs;
mod keys;
mod limits;
mod lost_text;
mod meaning;
pub(crate) mod misread_fences;
mod missing_header;
mod notes;
mod odd_header;
mod running_quote;
mod second_agent;
mod second_block;
mod several_faults;
mod written_name;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::damage::{Damage, KeptRemark};
use crate::coerce::python;
use crate::definition::{Definition, FieldName, FieldValue, Located, ToolAccess};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Absent, Dialect, Field, Profile, ReadingRules};
use crate::finish::Finish;
use crate::fix;
use crate::header::{Consequence, Language};
use crate::inputs::ParseInputs;
use crate::limits::Limit;
use crate::outcome::{Fate, Outcome, Parsed};
use crate::rules::{self, Rule};
use crate::shared_text::SharedText;
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Int, Mapping, Node};
use crate::yaml;

pub(crate) use damage::{damages, mended_fields};
pub(crate) use entry::form_of;
pub use entry::parse_entry;
pub(crate) use fields::{TOKENS, holds_token, is_misspelled};
pub(crate) use keys::{
    LIMITS, Likeness, duplicate, duplicates, duplicates_below, is_known, is_prose, meant_key,
};
pub(crate) use limits::RESTRICTING_MODES;
pub use written_name::{written_key, written_name};

/// The largest file that is read, in bytes, unless the caller says otherwise. No harness has a
/// limit of its own; a larger file is refused with a diagnostic instead of filling the memory.
pub const LARGEST_FILE: usize = Limit::FileBytes.usual();

/// The most findings of one rule that are reported for a file, unless the caller says otherwise;
/// the rest is counted in one more.
pub const MOST_OF_A_RULE: usize = Limit::Findings.usual();

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
    parse_file(file, None, stem, dialect, rules, inputs)
}

/// Parses a file as [`parse_accepted`], of which the whole text is kept by somebody: its definition
/// shares what reads as it stands there, as with [`Parsed::share`].
pub fn parse_kept(
    (name, text): (&str, &Arc<str>),
    stem: &str,
    dialect: &Dialect,
    rules: &ReadingRules,
    inputs: &ParseInputs,
) -> Parsed {
    let bytes = text.as_bytes();
    let file = File { name, bytes };
    let mut parsed = parse_file(file, Some(text), stem, dialect, rules, inputs);
    parsed.share(text);
    parsed
}

fn parse_file(
    file: File<'_>,
    kept: Option<&Arc<str>>,
    stem: &str,
    dialect: &Dialect,
    rules: &ReadingRules,
    inputs: &ParseInputs,
) -> Parsed {
    let mut reading = Reading::new(file.bytes, dialect, rules, inputs);
    reading.kept = kept;
    reading.read(file);
    let mut parsed = reading.finish(file.name, stem);
    if inputs.with_fixes && !parsed.diagnostics.is_empty() {
        fix::propose(&mut parsed, file, stem, dialect, rules, inputs);
    }
    lost_text::point_at_comments(&mut parsed.diagnostics, file.bytes);
    parsed
}

/// The state of one parse.
struct Reading<'a> {
    dialect: &'a Dialect,
    rules: &'a ReadingRules,
    /// The rules of the other form in which a definition may be written, if a key decided against it.
    other_form: Option<&'a ReadingRules>,
    inputs: &'a ParseInputs,
    bytes: &'a [u8],
    /// The same as a text that somebody keeps.
    kept: Option<&'a Arc<str>>,
    definition: Definition,
    diagnostics: Vec<Diagnostic>,
    /// What becomes of the file as far as it is read; the worst that was met.
    consequence: Consequence,
    repaired: bool,
    degraded: bool,
    lost: Vec<FieldName>,
    /// Fields that have a value although part of what was written for them is lost.
    lost_parts: Vec<FieldName>,
    /// Fields that are lost and would have taken no right away.
    limited_nothing: Vec<FieldName>,
    /// Whether a value that is kept lets the agent do more than its author wrote.
    frees: bool,
    /// The fence that opens the header, if the file has one.
    opening: Option<Span>,
    /// Whether what stands below the header is the prompt, whatever a key says.
    body_is_prompt: bool,
    /// Whether the body is the prompt, and there is none.
    has_empty_body: bool,
    /// Whether it is one agent among others in a file.
    is_entry: bool,
    /// Fields whose keys are written and give no value: (field, key, value).
    without_value: Vec<(FieldName, Span, Span)>,
    /// Where the header was probably meant to end, if it ends before that.
    meant_end: Option<usize>,
    /// Fields of which no key is written in a header that could be read.
    unwritten: Vec<FieldName>,
    /// Values that became others because the header was mended.
    damages: Vec<Damage>,
    /// Remarks that become a part of a text in the same way.
    kept_remarks: Vec<KeptRemark>,
    /// Where such values stand.
    damaged: Vec<Span>,
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
            other_form: None,
            inputs,
            bytes,
            kept: None,
            definition: Definition::new(rules.shown).float_words(rules.float_words),
            diagnostics: Vec::new(),
            consequence: Consequence::LoadsWithoutFields,
            repaired: false,
            degraded: false,
            lost: Vec::new(),
            lost_parts: Vec::new(),
            limited_nothing: Vec::new(),
            frees: false,
            opening: None,
            body_is_prompt: false,
            has_empty_body: false,
            is_entry: false,
            without_value: Vec::new(),
            meant_end: None,
            unwritten: Vec::new(),
            damages: Vec::new(),
            kept_remarks: Vec::new(),
            damaged: Vec::new(),
        }
    }

    fn read(&mut self, file: File<'_>) {
        let most = self.inputs.limits.of(Limit::FileBytes);
        if file.bytes.len() > most {
            self.reject(
                Diagnostic::new(
                    &rules::FILE_TOO_LARGE,
                    format!(
                        "the file has {} bytes; at most {most} are read",
                        file.bytes.len()
                    ),
                )
                .because("a limit of agentry, so that no file can fill the memory"),
            );
            return;
        }
        let decoded = match self.kept {
            Some(text) => Ok(MappedText::of_text(text, self.rules.encoding)),
            None => MappedText::decode(file.bytes, self.rules.encoding),
        };
        let text = match decoded {
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
        self.note_replaced_bytes(&text);
        self.body_is_prompt = true;
        let parts = self.rules.header.split(&text);
        if let Some(missing) = &parts.missing {
            match self.rules.header.forms {
                // Where no file has a header, none is missing.
                [] => self.worsen(self.rules.header.absent),
                _ => self.note_missing_header(&text, missing, file.name),
            }
        }
        let language = parts.header.as_ref().map(|it| it.language);
        let is_yaml = language == Some(Language::Yaml);
        let header = match &parts.header {
            Some(header) => {
                self.opening = Some(trim_end(&text, header.opening.clone()));
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
        self.has_empty_body = text.as_str()[body.clone()].trim().is_empty();
        if let Header::Map(map) = header {
            if self.rules.yaml.aliases == yaml::Aliases::Name {
                self.note_aliases(&map);
            }
            self.choose_form(&map);
            self.read_keys(&map);
            match language {
                Some(Language::Yaml) => {
                    self.note_swallowed(&map);
                    self.note_running_quotes(&map);
                }
                Some(Language::Lines) => self.note_kept_signs(&map),
                _ => {}
            }
            self.read_fields(&map);
            if is_yaml {
                self.note_emptied(&map);
            }
            self.note_damages();
            if self.meant_end.is_none() {
                self.note_second_block(&text, &body);
                self.note_second_agent(&text, &body);
            }
            let fields = self.rules.fields.iter();
            let is_unwritten = |field: &&Field| field_keys(field).all(|key| map.get(key).is_none());
            self.unwritten = fields.filter(is_unwritten).map(|it| it.target).collect();
        }
        if let Some(header) = parts.header.as_ref().filter(|_| is_yaml) {
            self.note_odd_characters(&text.slice(header.text.clone()));
        }
        let span = text.span(body.clone());
        let mut valueless = self.without_value.iter();
        if body.is_empty() && valueless.any(|(field, ..)| *field == FieldName::PROMPT) {
            self.lost.push(FieldName::PROMPT);
        }
        let kept = self.kept.filter(|_| text.is_as_written());
        let kept = kept.and_then(|kept| SharedText::part(kept, span.start, span.end));
        let prompt = kept.unwrap_or_else(|| text.as_str()[body].into());
        let prompt = FieldValue::text(prompt);
        let prompt = Located::written(prompt, span, span);
        self.definition.set(FieldName::PROMPT, prompt);
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
            Consequence::Rejected if self.inputs.is_of_layer => {
                format!("{title} passes over all that this layer says about the agent")
            }
            Consequence::Rejected if self.is_entry => format!("{title} refuses this agent"),
            Consequence::Rejected => format!("{title} refuses the whole file"),
            Consequence::Fatal => format!(
                "{title} fails at this file, and no agent can be used, whatever file it is in"
            ),
        }
    }

    /// Fills in what is not written, and decides what becomes of the file.
    fn finish(mut self, file_name: &str, stem: &str) -> Parsed {
        let loads = self.consequence == Consequence::LoadsWithoutFields;
        for field in self.rules.fields {
            if self.definition.field(field.target).is_some() {
                continue;
            }
            let value = match field.absent {
                Absent::Unset => continue,
                Absent::Text(text) => FieldValue::text(text.to_owned()),
                Absent::NoNames => FieldValue::Names(Vec::new()),
                Absent::FileStem => FieldValue::text(stem.to_owned()),
                Absent::FolderName => match &self.inputs.folder {
                    Some(folder) => FieldValue::text(folder.clone()),
                    None => continue,
                },
                Absent::Flag(flag) => FieldValue::Flag(flag),
                Absent::Integer(value) => FieldValue::Integer(Int::Small(value)),
                Absent::Inherited => FieldValue::Inherited,
                Absent::Made(make) => make(),
                Absent::Loses(consequence) => {
                    if loads {
                        self.note_missing(field, consequence);
                    } else {
                        self.note_also_missing(field, consequence);
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
            opening: self.opening,
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
        // A description that could not be read is told of already.
        findings.retain(|finding| {
            let mut told = self.diagnostics.iter();
            finding.rule != &rules::BLANK_DESCRIPTION || !told.any(|it| it.field == finding.field)
        });
        findings.retain(|finding| !self.is_consequence(finding));
        self.diagnostics.append(&mut findings);
        self.lost.append(&mut self.lost_parts);
        self.lost.append(&mut lost);
        if let Some(consequence) = consequence {
            self.worsen(consequence);
        }
        if loads && self.consequence == Consequence::LoadsWithoutFields {
            self.note_meaning();
        } else {
            self.note_names();
        }
        if !self.inputs.is_part {
            self.resolve();
        }
        self.parsed()
    }

    fn parsed(mut self) -> Parsed {
        for diagnostic in &mut self.diagnostics {
            diagnostic.span = diagnostic.span.map(|span| trimmed(span, self.bytes));
        }
        self.diagnostics
            .sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
        let most = self.inputs.limits.of(Limit::Findings);
        cap_findings(&mut self.diagnostics, most);
        let head = self.opening.unwrap_or_else(|| Span::head_of(self.bytes));
        for diagnostic in &mut self.diagnostics {
            diagnostic.span.get_or_insert(head);
        }
        self.definition.shrink();
        let is_listed = matches!(self.definition.tools(), ToolAccess::Listed(_));
        let definition = Arc::new(self.definition);
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
        let mut seen = Vec::new();
        self.lost.retain(|field| {
            let is_new = !seen.contains(field);
            seen.push(*field);
            is_new
        });
        // A list of tools takes them away if nobody has any without it, or if what is left of it
        // still counts as a list.
        let tools = self.rules.known_words.tools;
        let takes = |field: FieldName| {
            field == FieldName::TOOLS
                && (is_listed || tools.is_some_and(|tools| !tools.unset_grants))
        };
        let mut lost = self.lost.iter();
        let frees = self.frees;
        let limits = frees
            || lost.any(|field| {
                let limited_nothing = self.limited_nothing.contains(field);
                LIMITS.contains(field) && !limited_nothing && !takes(*field)
            });
        Parsed {
            rights_widened: fate == Fate::Degraded && limits,
            outcome,
            fate,
            lost: self.lost,
            diagnostics: self.diagnostics,
        }
    }
}

/// Keeps the first findings of each rule and counts the rest, so that a file of nothing but
/// mistakes can still be read about.
fn cap_findings(findings: &mut Vec<Diagnostic>, most: usize) {
    if findings.len() <= most {
        return;
    }
    let mut counts: BTreeMap<&str, (usize, &'static Rule)> = BTreeMap::new();
    findings.retain(|finding| {
        let (count, _) = counts.entry(finding.code()).or_insert((0, finding.rule));
        *count += 1;
        *count <= most
    });
    for (count, rule) in counts.into_values() {
        if let Some(rest) = count.checked_sub(most).filter(|rest| *rest > 0) {
            findings.push(Diagnostic::more(rule, rest));
        }
    }
}

/// The keys of a field, the one that counts first.
pub(crate) fn field_keys(field: &Field) -> impl Iterator<Item = &'static str> {
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

/// Takes the white space off both ends of a place, unless there is nothing else in it.
fn trimmed(span: Span, bytes: &[u8]) -> Span {
    let text = bytes.get(span.start as usize..span.end as usize);
    let text = text.unwrap_or_default();
    let inside = text.trim_ascii();
    let before = text.len() - text.trim_ascii_start().len();
    match (inside.len() < text.len(), inside.is_empty()) {
        (true, false) => {
            let start = span.start + u32::try_from(before).unwrap_or_default();
            Span::new(
                start,
                start + u32::try_from(inside.len()).unwrap_or_default(),
            )
        }
        _ => span,
    }
}

fn invalid_encoding_message(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        "the file is UTF-16, not UTF-8"
    } else {
        "the file is not UTF-8: this byte does not belong there"
    }
}
