//! Quotes that close too late and take the settings below into their text.

use super::Reading;
use crate::definition::FieldName;
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::source::Span;
use crate::value::{Entry, Mapping, Style};

impl Reading<'_> {
    /// Notes texts in quotes that hold lines which would be settings of the header: a text that is
    /// meant to go on is indented, and the next quote was meant to open something else.
    pub(super) fn note_running_quotes(&mut self, map: &Mapping) {
        for entry in &map.entries {
            let swallowed = self.settings_inside(entry);
            let Some((first, _)) = swallowed.first() else {
                continue;
            };
            let names: Vec<String> = swallowed
                .iter()
                .map(|(_, key)| format!("`{key}`"))
                .collect();
            let start = entry.value.span.start;
            let finding = Diagnostic::new(
                &rules::SWALLOWED_TEXT,
                format!(
                    "the text goes on over {}, which count for nothing",
                    names.join(", ")
                ),
            )
            .at(Span::new(start, start + 1))
            .and_at(*first, "this line is a part of the text")
            .because("a text ends at the next quote of its kind, wherever that stands")
            .help("close the quote on its line");
            self.diagnostics.push(finding);
            let keys = swallowed.iter().map(|(_, key)| key.as_str());
            let fields: Vec<FieldName> = keys
                .filter_map(|key| self.field_of_key(key))
                .map(|field| field.target)
                .collect();
            self.lost.extend(fields);
        }
    }

    /// Returns the lines in a quoted text that begin at the edge with a key of the harness, the
    /// first with each key.
    fn settings_inside(&self, entry: &Entry) -> Vec<(Span, String)> {
        let is_quoted = matches!(entry.value.style, Style::SingleQuoted | Style::DoubleQuoted);
        let value = entry.value.span;
        let bytes = self.bytes.get(value.start as usize..value.end as usize);
        let written = bytes.filter(|_| is_quoted).unwrap_or_default();
        let mut at = value.start as usize;
        let lines = written.split_inclusive(|byte| *byte == b'\n').map(|line| {
            let start = at;
            at += line.len();
            (start, line.trim_ascii_end())
        });
        let mut seen: Vec<&str> = Vec::new();
        let settings = lines.skip(1).filter_map(|(start, line)| {
            let (key, rest) = std::str::from_utf8(line).ok()?.split_once(':')?;
            let is_spaced = rest.is_empty() || rest.starts_with(' ');
            self.field_of_key(key).filter(|_| is_spaced)?;
            if seen.contains(&key) {
                return None;
            }
            seen.push(key);
            let end = u32::try_from(start + line.len()).ok()?;
            Some((Span::new(u32::try_from(start).ok()?, end), key.to_owned()))
        });
        settings.collect()
    }
}
