//! Values that could be read, and become others because the harness mends the header around them.

use std::ops::Range;

use super::{Reading, field_keys};
use crate::coerce::{pydantic, shorten};
use crate::definition::FieldName;
use crate::diagnostic::{Diagnostic, Related, Severity};
use crate::dialect::ReadingRules;
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

impl Reading<'_> {
    /// Notes the values that are damaged, unless what became of them is told already.
    pub(super) fn note_damages(&mut self) {
        let mut broken = self.diagnostics.iter();
        let broken = broken.find(|finding| finding.rule == &rules::REPAIRED_HEADER);
        let broken = broken.and_then(|finding| finding.span);
        for damage in std::mem::take(&mut self.damages) {
            let at = damage.becomes.span;
            let is_inside = |finding: &Diagnostic| {
                let is_inside = |span: Span| at.cover(span) == at;
                finding.field == Some(damage.field) && finding.span.is_some_and(is_inside)
            };
            // Words of a comment are no names that somebody misspelled.
            self.diagnostics
                .retain(|it| it.rule != &rules::UNKNOWN_TOOL || !is_inside(it));
            self.damaged.push(at);
            let title = self.dialect.title;
            match self.diagnostics.iter_mut().find(|it| is_inside(it)) {
                Some(told) => damage.explain(told, title, broken),
                None => self.diagnostics.push(damage.told(title, broken)),
            }
            self.lost.push(damage.field);
        }
        for remark in std::mem::take(&mut self.kept_remarks) {
            self.diagnostics.retain(|it| !remark.explains(it));
            self.diagnostics.push(remark.told(self.dialect.title));
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
    /// Returns whether a finding is about a word of the remark, as if it were a name.
    fn explains(&self, finding: &Diagnostic) -> bool {
        let is_inside = |span: Span| self.span.cover(span) == self.span;
        NO_NAMES.contains(&finding.rule)
            && finding.field == Some(self.field)
            && finding.span.is_some_and(is_inside)
    }

    fn told(self, title: &str) -> Diagnostic {
        let mut finding = Diagnostic::new(
            &rules::REPAIRED_HEADER,
            no_comment(&self.remark, &self.key),
        )
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
        finding
    }
}

impl Damage {
    fn told(&self, title: &str, broken: Option<Span>) -> Diagnostic {
        let key = &self.key;
        let meant = self.meant.as_text();
        let comment = self.becomes.as_text().zip(meant);
        let comment = comment.and_then(|(becomes, meant)| {
            // Quotes around it become a part of it, too.
            let quote = becomes.chars().next().filter(|c| matches!(c, '"' | '\''));
            let quote = quote.map_or(String::new(), String::from);
            becomes
                .strip_prefix(meant)
                .or_else(|| becomes.strip_prefix(&format!("{quote}{meant}{quote}")))
        });
        let becomes = || shorten(self.becomes.as_text().unwrap_or_default());
        let message = match comment.map(str::trim).filter(|it| it.starts_with('#')) {
            Some(comment) => no_comment(comment, key),
            None if meant.is_some() => {
                let meant = shorten(meant.unwrap_or_default());
                format!("`{key}` is not the text `{meant}`, but `{}`", becomes())
            }
            None => format!(
                "`{key}` is {} no longer, but the text `{}`",
                pydantic::article(&self.meant),
                becomes()
            ),
        };
        let mut finding = Diagnostic::new(&rules::REPAIRED_HEADER, message)
            .at(self.becomes.span)
            .about(self.field);
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
