//! Headers that YAML cannot read: every setting that is broken is written as it was meant.

use std::collections::HashMap;
use std::ops::Range;

use super::chunks::{self, Chunk};
use super::{Patient, Proposal, brackets, one_line, several_lines, unseen};
use crate::coerce::Remarks;
use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::header::{HeaderPart, Language};
use crate::outcome::Fate;
use crate::parse::{damages, mended_fields};
use crate::rules;
use crate::source::Span;
use crate::text::{MappedText, Replacement};
use crate::value::{Mapping, Node, Style, Value};
use crate::yaml::{self, Brackets, YamlErrorKind};

/// How one setting is mended.
pub(super) struct Mend {
    /// In order, as ranges of the header.
    pub(super) edits: Vec<Replacement>,
    /// What the change does, as a command.
    pub(super) title: &'static str,
    /// The text that the setting must hold afterwards; unset if it need not be a text.
    pub(super) meant: Option<String>,
    /// Whether nothing else can have been meant.
    pub(super) is_sure: bool,
}

impl Mend {
    pub(super) fn new(title: &'static str, edits: Vec<Replacement>) -> Self {
        Mend {
            edits,
            title,
            meant: None,
            is_sure: true,
        }
    }

    pub(super) fn meant(mut self, text: impl Into<String>) -> Self {
        self.meant = Some(text.into());
        self
    }

    pub(super) fn sure_if(mut self, is_sure: bool) -> Self {
        self.is_sure &= is_sure;
        self
    }
}

pub(super) const QUOTE: &str = "put the value in quotes";

/// How several names are written as one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamesForm {
    /// As a list.
    List,
    /// As a text with commas between them.
    Commas,
    /// As a text with blanks between them.
    Blanks,
}

/// A setting that is looked at, with what is known about its header.
pub(super) struct Setting<'a> {
    pub(super) patient: &'a Patient<'a>,
    /// The header.
    pub(super) text: &'a str,
    pub(super) chunk: &'a Chunk,
    pub(super) field: Option<FieldName>,
    /// The line end of the file.
    pub(super) line_end: &'static str,
}

impl Setting<'_> {
    /// Returns what stands behind the colon on the line of the key.
    pub(super) fn value(&self) -> &str {
        &self.text[self.chunk.value.clone()]
    }

    /// Reads the setting alone, with edits; `None` unless it is one setting with its key.
    pub(super) fn read(&self, edits: &[Replacement]) -> Option<Node> {
        let map = self.read_all(edits)?;
        let [entry] = map.entries.as_slice() else {
            return None;
        };
        let is_key = entry.key.as_text() == Some(self.chunk.key.as_str());
        is_key.then(|| entry.value.clone())
    }

    /// Reads the lines of the setting alone, with edits that may make several settings of it.
    pub(super) fn read_all(&self, edits: &[Replacement]) -> Option<Mapping> {
        let range = self.chunk.range.clone();
        let own = edits.iter().map(|(at, text)| {
            let at = at.start - range.start..at.end - range.start;
            (at, text.clone())
        });
        let part = MappedText::plain(&self.text[range.clone()]);
        let part = part.edited(&own.collect::<Vec<_>>());
        let root = yaml::read(&part, &self.patient.rules.yaml).ok()??;
        let map = root.as_map()?;
        map.overwritten.is_empty().then(|| map.clone())
    }

    /// Returns whether the harness takes a list of names here.
    pub(super) fn takes_list(&self) -> bool {
        let name = Node::new(Value::Text("a".into()), Span::new(0, 0), Style::Plain);
        let list = Node::new(Value::List(vec![name]), Span::new(0, 0), Style::Flow);
        self.names_in(&list) == 1
    }

    /// Returns how many names the harness would read from a value of this setting.
    fn names_in(&self, value: &Node) -> usize {
        match self.value_of(value) {
            Some(FieldValue::Names(names)) => names.len(),
            _ => 0,
        }
    }

    /// Returns whether the harness takes any text here.
    fn takes_text(&self) -> bool {
        let text = Node::new(
            Value::Text("a".into()),
            Span::new(0, 0),
            Style::DoubleQuoted,
        );
        self.field.is_none() || matches!(self.value_of(&text), Some(FieldValue::Text(_)))
    }

    /// Returns what the harness would make of a value of this setting.
    fn value_of(&self, value: &Node) -> Option<FieldValue> {
        let mut fields = self.patient.rules.fields.iter();
        let field = fields.find(|field| Some(field.target) == self.field)?;
        let read = (field.read)(value, &mut Remarks::new(self.patient.inputs));
        read.ok()?
    }

    /// Returns how several names are written here; nothing where the harness takes none.
    pub(super) fn names_form(&self) -> Option<NamesForm> {
        let text = Node::new(Value::Text("a, b".into()), Span::new(0, 0), Style::Plain);
        let is_tools = || self.field.is_some_and(|it| it.as_str().ends_with("tools"));
        if self.patient.rules.yaml.brackets == Brackets::Refused {
            return (is_tools() && !self.takes_list()).then_some(NamesForm::Blanks);
        }
        match self.takes_list() {
            true => Some(NamesForm::List),
            false => (self.names_in(&text) == 2).then_some(NamesForm::Commas),
        }
    }

    /// Returns whether the value stands for that of an anchor further up.
    fn refers_to_anchor(&self) -> bool {
        let above = &self.text[..self.chunk.range.start];
        let name = self.value().trim().strip_prefix('*');
        let name = name.and_then(|name| name.split_whitespace().next());
        let mut words = above.split_whitespace();
        name.is_some_and(|name| words.any(|word| word.strip_prefix('&') == Some(name)))
    }

    /// Returns the mend if the setting can be read by it, with the text that was meant.
    pub(super) fn proven(&self, mend: Mend) -> Option<Mend> {
        let node = self.read(&mend.edits)?;
        let holds = match &mend.meant {
            Some(meant) => node.as_text() == Some(meant),
            None => true,
        };
        holds.then_some(mend)
    }
}

/// Mends all settings that keep a header from being read.
pub(super) fn mend(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let parts = patient.rules.header.split(&text);
    let header = parts.header?;
    let ends_in_value = cuts_value(text.as_str(), &header);
    if header.language != Language::Yaml || ends_in_value {
        return None;
    }
    let body = text.as_str()[parts.body].to_owned();
    let part = text.slice(header.text);
    let (mends, changed) =
        mend_settings(patient, &part, false).or_else(|| mend_settings(patient, &part, true))?;
    let mut edits: Vec<Replacement> = Vec::new();
    let mut titles: Vec<&str> = Vec::new();
    let quotes = mends.iter().filter(|mend| mend.title == QUOTE).count();
    for mend in &mends {
        let title = match mend.title {
            QUOTE if quotes > 1 => "put the values in quotes",
            title => title,
        };
        if !titles.contains(&title) {
            titles.push(title);
        }
        edits.extend(mend.edits.iter().cloned());
    }
    let damaged = damaged_fields(patient, &part);
    let proposal = Proposal {
        title: titles.join(" and "),
        edits: patient.edits(&part, &edits),
        at_best: Applicability::Safe,
        // What the harness reads by mending the header itself must stay as it is.
        changes: match patient.parsed.fate {
            Fate::Repaired => Vec::new(),
            _ => {
                let prompt = (FieldName::PROMPT, Some(FieldValue::text(body)));
                let changed = changed.iter().chain(&damaged);
                let changed = changed.map(|field| (*field, None));
                changed.chain([prompt]).collect()
            }
        },
    };
    // What an agent loses by the harness's own mending, it may not get without a word.
    let may_widen = |field: &FieldName| WIDENING.contains(field);
    let is_sure = mends.iter().all(|mend| mend.is_sure)
        && !damaged.iter().any(may_widen)
        && patient.sets(&proposal.edits, &changed);
    Some(match is_sure {
        true => proposal,
        false => Proposal {
            at_best: Applicability::Unsafe,
            ..proposal
        },
    })
}

/// The fields of which an agent may have more rights when they say what their author meant.
const WIDENING: [FieldName; 4] = [
    FieldName::TOOLS,
    FieldName::PERMISSION,
    FieldName::PERMISSION_MODE,
    FieldName::MCP_SERVERS,
];

/// Returns the fields whose values the harness damages while it mends the header.
fn damaged_fields(patient: &Patient<'_>, header: &MappedText<'_>) -> Vec<FieldName> {
    let is_mended = patient.parsed.diagnostics.iter();
    let mut is_mended = is_mended.filter(|finding| finding.rule == &rules::REPAIRED_HEADER);
    let repair = patient.rules.header.repair;
    let Some(repair) = repair.filter(|_| is_mended.next().is_some()) else {
        return Vec::new();
    };
    let edits = (repair.edits)(header.as_str());
    let damages = damages(header, &edits, patient.rules).into_iter();
    damages.map(|damage| damage.field).collect()
}

/// Writes the header as the harness itself mends it.
pub(super) fn as_repaired(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let header = patient.rules.header.split(&text).header?;
    let repair = patient.rules.header.repair.filter(|_| header.mendable)?;
    let part = text.slice(header.text);
    let edits = (repair.edits)(part.as_str());
    if !damages(&part, &edits, patient.rules).is_empty() {
        return None;
    }
    // What the harness makes of a value of which nothing is left is not what was meant.
    let mut mended = mended_fields(&part, &edits, patient.rules).into_iter();
    if mended.any(|field| patient.parsed.lost.contains(&field)) {
        return None;
    }
    // What looks like a comment would be part of a text.
    let has_comment = part.as_str().lines().any(|line| line.contains(" # "));
    Some(Proposal {
        title: format!("write the header as {} mends it", patient.dialect.title),
        edits: patient.edits(&part, &edits),
        at_best: match has_comment {
            true => Applicability::Unsafe,
            false => Applicability::Safe,
        },
        changes: Vec::new(),
    })
}

/// Takes the indentation off the first settings of a header, where those below them have none.
pub(super) fn align_first(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let header = patient.rules.header.split(&text).header?;
    let part = text.slice(header.text);
    let source = part.as_str();
    let all = chunks::lines(source, 0..source.len());
    let mut content = all.iter().filter(|line| !line.is_blank(source));
    let column = content.next()?.indentation(source);
    let first = all.iter().take_while(|line| {
        line.is_blank(source) || (column > 0 && line.indentation(source) >= column)
    });
    let first = first.filter(|line| !line.is_blank(source));
    let edits = first.clone().map(|line| {
        let start = line.range.start;
        (start..start + column, String::new())
    });
    let edits: Vec<Replacement> = edits.collect();
    let keys = first.filter(|line| line.indentation(source) == column);
    let are_fields = keys.clone().all(|line| {
        let parts = chunks::key_line(line.text(source));
        parts.is_some_and(|parts| parts.is_spaced && patient.is_field(parts.key))
    });
    let root = yaml::read(&part.edited(&edits), &patient.rules.yaml).ok()??;
    let is_map = root.as_map().is_some() && !edits.is_empty();
    is_map.then(|| Proposal {
        title: "start all keys in the same column".to_owned(),
        edits: patient.edits(&part, &edits),
        at_best: match are_fields {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        },
        changes: Vec::new(),
    })
}

/// Returns whether the dashes that end a header stand behind something on their line.
pub(super) fn cuts_value(text: &str, header: &HeaderPart) -> bool {
    let start = header.closing_start(text);
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    !header.closing.is_empty()
        && !text[line.max(header.opening.end).min(start)..start]
            .trim()
            .is_empty()
}

/// Returns how each broken setting is mended, and the fields that they give; nothing if the header
/// cannot be read even then. Settings that refer to others are broken by themselves; they are left
/// alone unless `aliases_too`.
fn mend_settings(
    patient: &Patient<'_>,
    part: &MappedText<'_>,
    aliases_too: bool,
) -> Option<(Vec<Mend>, Vec<FieldName>)> {
    let text = part.as_str();
    let chunks = chunks::split(patient, text);
    if chunks.has_more {
        return None;
    }
    let mut mends = Vec::new();
    let mut fields = Vec::new();
    let mut commas = Vec::new();
    let mut wanted: Vec<(&str, String)> = Vec::new();
    let line_end = patient.line_end();
    for chunk in &chunks.list {
        let setting = Setting {
            patient,
            text,
            chunk,
            field: patient.field_of(&chunk.key),
            line_end,
        };
        let is_alias = is_alias(&setting);
        let is_left = is_alias && (!aliases_too || setting.refers_to_anchor());
        if is_left || setting.read(&[]).is_some() {
            commas.extend(one_line::comma_edit(&setting).map(|edit| (setting.field, edit)));
            continue;
        }
        // Names and limits are hardly meant to be what is written in place of the anchor's value.
        let stands_for_value = is_alias && setting.value().trim_start().starts_with('*');
        let is_sure = !chunk.is_doubtful && (!stands_for_value || setting.takes_text());
        let mend = mend_setting(&setting)?.sure_if(is_sure);
        wanted.extend(mend.meant.clone().map(|meant| (chunk.key.as_str(), meant)));
        mends.push(mend);
        fields.extend(setting.field);
    }
    // Who ends one setting with a comma as in JSON means none of the others.
    if mends
        .iter()
        .any(|mend: &Mend| mend.title == one_line::COMMA)
    {
        for (field, edit) in commas {
            mends.push(Mend::new(one_line::COMMA, vec![edit]));
            fields.extend(field);
        }
        mends.sort_by_key(|mend| mend.edits.first().map_or(0, |(range, _)| range.start));
    }
    let mut edits: Vec<Replacement> = mends.iter().flat_map(|mend| mend.edits.clone()).collect();
    let root = match yaml::read(&part.edited(&edits), &patient.rules.yaml) {
        Err(error) if error.kind == YamlErrorKind::DuplicateKey => {
            mends.append(&mut without_repeated(text, &chunks.list)?);
            mends.sort_by_key(|mend| mend.edits.first().map_or(0, |(range, _)| range.start));
            edits = mends.iter().flat_map(|mend| mend.edits.clone()).collect();
            yaml::read(&part.edited(&edits), &patient.rules.yaml)
        }
        read => read,
    };
    let root = root.ok()??;
    let map = root.as_map()?;
    let texts = map.entries.iter();
    let texts = texts.filter_map(|entry| Some((entry.key.as_text()?, entry.value.as_text()?)));
    let texts: HashMap<&str, &str> = texts.collect();
    let holds = |key: &str, meant: &str| texts.get(key) == Some(&meant);
    let all_hold = wanted.iter().all(|(key, meant)| holds(key, meant));
    (!mends.is_empty() && all_hold).then_some((mends, fields))
}

fn is_alias(setting: &Setting<'_>) -> bool {
    let part = MappedText::plain(&setting.text[setting.chunk.range.clone()]);
    let read = yaml::read(&part, &setting.patient.rules.yaml);
    read.is_err_and(|error| error.kind == YamlErrorKind::Alias)
}

fn mend_setting(setting: &Setting<'_>) -> Option<Mend> {
    let is_spaced = !setting.text[setting.chunk.colon..].starts_with(|c: char| !c.is_whitespace());
    if !is_spaced {
        let at = setting.chunk.colon;
        let blank = vec![(at..at, " ".to_owned())];
        return setting.proven(Mend::new("put a blank behind the colon", blank));
    }
    unseen::mend(setting)
        .or_else(|| without_tabs(setting))
        .or_else(|| brackets::as_block(setting))
        .or_else(|| match setting.chunk.below.is_empty() {
            true => one_line::mend(setting),
            false => several_lines::mend(setting),
        })
}

/// How many blanks a tab may stand for.
const TAB_WIDTHS: [usize; 3] = [2, 4, 8];

/// Writes blanks for the tabs that indent lines, as few as put each line below what it belongs to.
fn without_tabs(setting: &Setting<'_>) -> Option<Mend> {
    let mut widths = TAB_WIDTHS.into_iter();
    widths.find_map(|width| {
        let edits = blanks_for_tabs(setting, width)?;
        let has_any = !edits.is_empty();
        let mend = has_any.then(|| Mend::new("indent with blanks instead of tabs", edits))?;
        setting.proven(mend)
    })
}

/// Returns the edits that write so many blanks for a tab; nothing if a line with tabs would then
/// stand beside the one above it that ends in a colon, instead of below it.
fn blanks_for_tabs(setting: &Setting<'_>, width: usize) -> Option<Vec<Replacement>> {
    let mut edits = Vec::new();
    let mut opened = None;
    let content = setting.chunk.below.iter();
    for line in content.filter(|line| !line.is_blank(setting.text)) {
        let indentation = line.indentation(setting.text);
        let range = line.range.start..line.range.start + indentation;
        let blanks = setting.text[range.clone()].replace('\t', &" ".repeat(width));
        let column = blanks.len();
        if setting.text[range.clone()].contains('\t') {
            if opened.is_some_and(|above| above >= column) {
                return None;
            }
            edits.push((range, blanks));
        }
        opened = line
            .text(setting.text)
            .trim_end()
            .ends_with(':')
            .then_some(column);
    }
    Some(edits)
}

/// Removes settings whose key stands further up already.
fn without_repeated(text: &str, chunks: &[Chunk]) -> Option<Vec<Mend>> {
    let mut mends = Vec::new();
    let mut firsts: HashMap<&str, &Chunk> = HashMap::new();
    for chunk in chunks {
        let first = *firsts.entry(chunk.key.as_str()).or_insert(chunk);
        if std::ptr::eq(first, chunk) {
            continue;
        }
        let value = |chunk: &Chunk| text[chunk.colon..chunk.range.end].trim().to_owned();
        let removed = whole_lines(text, &chunk.range);
        let mend = Mend::new("remove the repeated key", vec![(removed, String::new())]);
        mends.push(mend.sure_if(value(first) == value(chunk)));
    }
    (!mends.is_empty()).then_some(mends)
}

/// Returns a range with the line end behind it, or with the one before it at the end of the text.
fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let rest = &text[range.end..];
    match rest.find('\n') {
        Some(end) => range.start..range.end + end + 1,
        None => {
            let before = text[..range.start]
                .strip_suffix('\n')
                .unwrap_or(&text[..range.start]);
            before.strip_suffix('\r').unwrap_or(before).len()..range.end
        }
    }
}
