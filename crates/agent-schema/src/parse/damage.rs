//! Values that could be read, and become others because the harness mends the header around them.

use std::ops::Range;

use super::{Reading, field_keys};
use crate::coerce::{Remarks, pydantic, shorten};
use crate::definition::{FieldName, FieldValue, Name};
use crate::diagnostic::{Diagnostic, Related, Severity};
use crate::dialect::ReadingRules;
use crate::foreign_words::and_list;
use crate::rules::{self, Rule};
use crate::source::Span;
use crate::text::{MappedText, Replacement};
use crate::value::{Entry, Mapping, Node};
use crate::yaml;

/// A setting that says something else once its header is mended.
#[derive(Debug, Clone)]
pub(crate) struct Damage {
    /// The field that it gives.
    pub(crate) field: FieldName,
    key: String,
    /// What it says by itself.
    meant: Node,
    /// What it says in the mended header.
    becomes: Node,
}

/// Finds the settings of a field each that say something else once the header is mended by edits.
/// What a description gains is what its author wrote.
pub(crate) fn damages(
    header: &MappedText<'_>,
    edits: &[Replacement],
    rules: &ReadingRules,
) -> Vec<Damage> {
    let mended = mended_settings(header, edits, rules);
    let damages = mended.filter_map(|setting| {
        let meant = setting.meant?;
        let is_damaged = setting.field != FieldName::DESCRIPTION
            && !meant.value.same_content(&setting.becomes.value);
        is_damaged.then(|| Damage {
            field: setting.field,
            key: setting.becomes.key.as_text().unwrap_or_default().to_owned(),
            meant: meant.value,
            becomes: setting.becomes.value,
        })
    });
    damages.collect()
}

/// Returns the fields whose settings are changed by edits.
pub(crate) fn mended_fields(
    header: &MappedText<'_>,
    edits: &[Replacement],
    rules: &ReadingRules,
) -> Vec<FieldName> {
    let mended = mended_settings(header, edits, rules);
    mended.map(|setting| setting.field).collect()
}

/// A remark behind a value that could not be read by itself, or behind a description: it becomes a
/// part of the text.
#[derive(Debug, Clone)]
pub(crate) struct KeptRemark {
    field: FieldName,
    key: String,
    remark: String,
    span: Span,
}

/// Finds the remarks that become a part of a text once the header is mended by edits, but for those
/// of damaged settings.
pub(crate) fn kept_remarks(
    header: &MappedText<'_>,
    edits: &[Replacement],
    rules: &ReadingRules,
) -> Vec<KeptRemark> {
    let mended = mended_settings(header, edits, rules);
    let remarks = mended.filter_map(|setting| {
        if setting.meant.is_some() && setting.field != FieldName::DESCRIPTION {
            return None;
        }
        let line = header.as_str()[setting.range.clone()].lines().next()?;
        let at = line.find(REMARK)? + 1;
        let remark = line[at..].trim_end();
        let becomes = setting.becomes.value.as_text()?;
        let start = setting.range.start + at;
        becomes.contains(remark).then(|| KeptRemark {
            field: setting.field,
            key: setting.becomes.key.as_text().unwrap_or_default().to_owned(),
            remark: remark.to_owned(),
            span: header.span(start..start + remark.len()),
        })
    });
    remarks.collect()
}

/// What begins a remark, and is rare in prose.
const REMARK: &str = " # ";

/// A setting of a field that the harness mends.
struct MendedSetting {
    field: FieldName,
    /// Where it stands in the header.
    range: Range<usize>,
    /// What it is by itself, if it can be read so.
    meant: Option<Entry>,
    /// What it is once it is mended.
    becomes: Entry,
}

/// Lists the settings of a field each that edits change; `edits` are in order.
fn mended_settings<'a>(
    header: &'a MappedText<'_>,
    edits: &'a [Replacement],
    rules: &'a ReadingRules,
) -> impl Iterator<Item = MendedSetting> + 'a {
    let starts: Vec<usize> = starts_of_settings(header.as_str()).collect();
    let ends = starts.iter().copied().skip(1);
    let ends: Vec<usize> = ends.chain([header.as_str().len()]).collect();
    let ranges = starts.into_iter().zip(ends);
    ranges.filter_map(move |(start, end)| {
        let first = edits.partition_point(|(at, _)| at.start < start);
        let own = edits[first..].iter().take_while(|(at, _)| at.end <= end);
        let own: Vec<Replacement> = own
            .map(|(at, text)| (at.start - start..at.end - start, text.clone()))
            .collect();
        if own.is_empty() {
            return None;
        }
        let part = header.slice(start..end);
        let becomes = only_entry(&part.edited(&own), rules)?;
        let key = becomes.key.as_text()?;
        let mut fields = rules.fields.iter();
        let field = fields.find(|it| field_keys(it).any(|it| it == key))?;
        Some(MendedSetting {
            field: field.target,
            range: start..end,
            meant: only_entry(&part, rules),
            becomes,
        })
    })
}

/// Returns where the lines begin that stand at the left edge.
fn starts_of_settings(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let is_below = line.starts_with([' ', '\t', '#', '-', '\r', '\n']);
        (!is_below).then_some(start)
    })
}

/// Reads a setting by itself.
fn only_entry(part: &MappedText<'_>, rules: &ReadingRules) -> Option<Entry> {
    let root = yaml::read(part, &rules.yaml).ok()??;
    let map: &Mapping = root.as_map()?;
    match map.entries.as_slice() {
        [entry] if map.overwritten.is_empty() => Some(entry.clone()),
        _ => None,
    }
}

/// What a value does otherwise than its author wrote, once a comment is a part of it or its
/// brackets are no list.
#[derive(Debug)]
struct Weight {
    /// Whether something that was written has no effect, or something else has one.
    loses: bool,
    /// Whether all that was meant has its effect.
    keeps_all: bool,
    /// The tools that it gives to the agent beside those that were meant.
    granted: Vec<String>,
    /// The tools that it takes away beside those that were meant.
    denied: Vec<String>,
}

impl Reading<'_> {
    /// Notes the values that are damaged, unless what became of them is told already.
    pub(super) fn note_damages(&mut self) {
        let mut broken = self.diagnostics.iter();
        let broken = broken.find(|finding| finding.rule == &rules::REPAIRED_HEADER);
        let broken = broken.and_then(|finding| finding.span);
        for damage in std::mem::take(&mut self.damages) {
            self.note_damage(&damage, broken);
        }
        for remark in std::mem::take(&mut self.kept_remarks) {
            let weight = self.weight_of_words(remark.field, |name| remark.holds(name));
            self.diagnostics.retain(|it| !remark.explains(it));
            self.diagnostics
                .push(remark.told(self.dialect.title, &weight));
            if weight.loses {
                self.lose(remark.field, &weight);
            }
        }
    }

    fn note_damage(&mut self, damage: &Damage, broken: Option<Span>) {
        let (field, at) = (damage.field, damage.becomes.span);
        let comment = self.comment_in(damage);
        let weight = self.weight(damage);
        let is_inside = |finding: &Diagnostic, place: Span| {
            let is_inside = |span: Span| place.cover(span) == place;
            finding.field == Some(field) && finding.span.is_some_and(is_inside)
        };
        // Words of a comment are no names that somebody misspelled.
        self.diagnostics
            .retain(|it| it.rule != &rules::UNKNOWN_TOOL || !is_inside(it, at));
        if let Some(comment) = comment {
            self.diagnostics.retain(|it| !is_inside(it, comment));
        }
        self.damaged.push(at);
        let title = self.dialect.title;
        let comment = comment.map(|place| self.text_at(place).to_owned());
        let mut told = self.diagnostics.iter_mut();
        match told.find(|it| comment.is_none() && weight.is_plain() && is_inside(it, at)) {
            Some(told) => damage.explain(told, title, broken),
            None => {
                let finding = damage.told(comment.as_deref(), &weight, title, broken);
                self.diagnostics.push(finding);
            }
        }
        // What was read of the mended value is not what its author lost.
        self.lost.retain(|lost| *lost != field);
        if weight.loses {
            self.lose(field, &weight);
        }
    }

    /// Returns where the comment stands that a damaged value takes in.
    fn comment_in(&self, damage: &Damage) -> Option<Span> {
        let (start, end) = (damage.meant.span.end, damage.becomes.span.end);
        let behind = Span::new(start, end.max(start));
        let text = self.text_at(behind);
        let blank = text.len() - text.trim_start().len();
        let start = start + u32::try_from(blank).ok()?;
        text.trim_start()
            .starts_with('#')
            .then(|| Span::new(start, end))
    }

    /// Compares what a value does with what its author wrote. Names that no tool has do nothing.
    fn weight(&self, damage: &Damage) -> Weight {
        let mut fields = self.rules.fields.iter();
        let mut remarks = Remarks::new(self.inputs);
        let meant = fields
            .find(|field| field.target == damage.field)
            .and_then(|field| (field.read)(&damage.meant, &mut remarks).ok()?);
        let becomes = self.definition.field(damage.field);
        let becomes = becomes.map(|located| &located.value);
        let (Some(FieldValue::Names(meant)), Some(becomes)) = (meant, becomes) else {
            return Weight::LOST;
        };
        let FieldValue::Names(names) = becomes else {
            return Weight {
                granted: vec!["every tool".to_owned()],
                ..Weight::LOST
            };
        };
        let holds = |list: &[Name], name: &Name| list.iter().any(|it| it.text == name.text);
        let weight = self.weight_of_words(damage.field, |name| !holds(&meant, name));
        let keeps_all = !remarks.loses_part && meant.iter().all(|name| holds(names, name));
        Weight {
            loses: weight.loses || !keeps_all,
            keeps_all,
            ..weight
        }
    }

    /// Finds out what those words of a list do that its author did not mean as names.
    fn weight_of_words(&self, field: FieldName, is_word: impl Fn(&Name) -> bool) -> Weight {
        let tools = self.rules.known_words.tools;
        let is_tool = |name: &Name| tools.is_some_and(|tools| tools.is_known(&name.text));
        let names = self.definition.names(field).iter();
        let names = names.filter(|name| is_word(name) && is_tool(name));
        let mut words: Vec<String> = names.map(|name| format!("`{}`", name.text)).collect();
        words.dedup();
        let (denied, granted) = match field == FieldName::DISALLOWED_TOOLS {
            true => (words, Vec::new()),
            false => (Vec::new(), words),
        };
        Weight {
            loses: !denied.is_empty() || !granted.is_empty(),
            keeps_all: true,
            granted,
            denied,
        }
    }

    fn lose(&mut self, field: FieldName, weight: &Weight) {
        self.lost.push(field);
        self.frees |= !weight.granted.is_empty();
        if weight.keeps_all && weight.granted.is_empty() {
            self.limited_nothing.push(field);
        }
    }
}

impl Weight {
    /// The value is another one.
    const LOST: Weight = Weight {
        loses: true,
        keeps_all: false,
        granted: Vec::new(),
        denied: Vec::new(),
    };

    fn is_plain(&self) -> bool {
        self.granted.is_empty() && self.denied.is_empty()
    }

    /// Says what it does, to follow what it is.
    fn consequence(&self) -> String {
        let list =
            |words: &[String]| and_list(&words.iter().map(String::as_str).collect::<Vec<_>>());
        match (self.granted.as_slice(), self.denied.as_slice()) {
            ([], []) => String::new(),
            ([], denied) => format!(": it takes {} away", list(denied)),
            (granted, _) => format!(": the agent gets {}", list(granted)),
        }
    }

    /// How much it matters: an agent that has rights which nobody wrote is the worst.
    fn severity(&self, usual: Severity) -> Severity {
        match self.granted.is_empty() {
            true => usual,
            false => Severity::Error,
        }
    }
}

/// What is said of words that are no names.
const NO_NAMES: [&Rule; 2] = [&rules::UNKNOWN_TOOL, &rules::DAMAGED_NAME];

fn no_comment(comment: &str, key: &str) -> String {
    let comment = shorten(comment);
    format!("`{comment}` is no comment here, but a part of `{key}`")
}

impl KeptRemark {
    /// Returns whether a name is a word of the remark.
    fn holds(&self, name: &Name) -> bool {
        name.span
            .is_some_and(|span| self.span.cover(span) == self.span)
    }

    /// Returns whether a finding is about a word of the remark, as if it were a name.
    fn explains(&self, finding: &Diagnostic) -> bool {
        let is_inside = |span: Span| self.span.cover(span) == self.span;
        NO_NAMES.contains(&finding.rule)
            && finding.field == Some(self.field)
            && finding.span.is_some_and(is_inside)
    }

    fn told(&self, title: &str, weight: &Weight) -> Diagnostic {
        let message = no_comment(&self.remark, &self.key) + &weight.consequence();
        let mut finding = Diagnostic::new(&rules::REPAIRED_HEADER, message)
            .at(self.span)
            .about(self.field)
            .because(format!(
                "{title} mends a header that is no YAML line by line, and takes all of this line \
                 for a text"
            ))
            .help("put the value in quotes, and leave the remark behind them");
        if self.field == FieldName::DESCRIPTION {
            finding.severity = Severity::Info;
        }
        finding.severity = weight.severity(finding.severity);
        finding
    }
}

impl Damage {
    fn told(
        &self,
        comment: Option<&str>,
        weight: &Weight,
        title: &str,
        broken: Option<Span>,
    ) -> Diagnostic {
        let key = &self.key;
        let becomes = || shorten(self.becomes.as_text().unwrap_or_default());
        let message = match (comment, self.meant.as_text()) {
            (Some(comment), _) => no_comment(comment, key),
            (None, Some(meant)) => {
                format!(
                    "`{key}` is not the text `{}`, but `{}`",
                    shorten(meant),
                    becomes()
                )
            }
            (None, None) => format!(
                "`{key}` is {} no longer, but the text `{}`",
                pydantic::article(&self.meant),
                becomes()
            ),
        };
        let message = message + &weight.consequence();
        let mut finding = Diagnostic::new(&rules::REPAIRED_HEADER, message)
            .at(self.becomes.span)
            .about(self.field);
        finding.severity = weight.severity(finding.severity);
        self.explain(&mut finding, title, broken);
        finding
    }

    /// Says in a finding about the value why it is not what is written. Names that are damaged say
    /// so themselves.
    fn explain(&self, finding: &mut Diagnostic, title: &str, broken: Option<Span>) {
        if finding.rule == &rules::DAMAGED_NAME {
            return;
        }
        let how = format!(
            "{title} mends a header that is no YAML line by line, and takes all of this line for a \
             text"
        );
        finding.why = Some(match finding.why.take() {
            Some(why) => format!("{how}; {why}").into(),
            None => how.into(),
        });
        finding.help = Some("mend the line that keeps the header from being read".into());
        finding.related.extend(broken.map(|span| Related {
            file: None,
            span: Some(span),
            message: "the header cannot be read for this".to_owned(),
        }));
    }
}
