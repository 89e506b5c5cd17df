//! The name that stands in a file which gives no agent.
//!
//! A person knows a file by the name in it, also where the harness never came to read that name.
//! It is looked for line by line, so that a header that cannot be parsed has one too.

use std::ops::Range;

use crate::definition::{FieldName, Name};
use crate::dialect::{Case, ReadingRules};
use crate::source::Span;
use crate::text::MappedText;

/// The most text that is looked through where a file has no header.
const MOST_WITHOUT_HEADER: usize = 4096;

/// Returns the name that is written in a file, with its bytes, whatever the harness makes of the
/// file: in its header, or where there is none at its beginning. `None` too if the harness does not
/// read names from files.
#[must_use]
pub fn written_name(bytes: &[u8], rules: &ReadingRules) -> Option<Name> {
    let mut fields = rules.fields.iter();
    let field = fields.find(|field| field.target == FieldName::NAME)?;
    let text = MappedText::decode(bytes, rules.encoding).ok()?;
    let whole = text.as_str();
    let range = match rules.header.split(&text).header {
        Some(header) => header.text,
        None => {
            let mut ends = (0..=whole.len().min(MOST_WITHOUT_HEADER)).rev();
            0..ends.find(|end| whole.is_char_boundary(*end))?
        }
    };
    let keys = || [field.key].into_iter().chain(field.aliases.iter().copied());
    let looked_through = &whole[range.clone()];
    let mut lines = keys().filter_map(|key| name_line(looked_through, key));
    let line = lines.next().or_else(|| {
        // The letters of the key may be what the harness does not take.
        let mut lines = keys().filter_map(|key| line_of(looked_through, key, Case::Ignored));
        lines.next()
    })?;
    let value = range.start + line.value.start..range.start + line.value.end;
    Some(Name {
        text: whole[value.clone()].to_owned(),
        span: Some(text.span(value)),
    })
}

/// Returns the bytes of a key that begins a line of the header of a file.
#[must_use]
pub fn written_key(bytes: &[u8], rules: &ReadingRules, key: &str) -> Option<Span> {
    let text = MappedText::decode(bytes, rules.encoding).ok()?;
    let header = rules.header.split(&text).header?.text;
    let mut at = header.start;
    for line in text.as_str()[header].split_inclusive('\n') {
        if line
            .strip_prefix(key)
            .is_some_and(|rest| rest.starts_with(':'))
        {
            return Some(text.span(at..at + key.len()));
        }
        at += line.len();
    }
    None
}

/// Where a line sets a name, as ranges of the text.
pub(super) struct NameLine {
    pub(super) key: Range<usize>,
    /// The value without quotes, white space and comment; never empty.
    pub(super) value: Range<usize>,
}

/// Finds the first line that begins with a key, and its value.
pub(super) fn name_line(text: &str, key: &str) -> Option<NameLine> {
    line_of(text, key, Case::Exact)
}

/// The same, told whether the case of the key counts.
fn line_of(text: &str, key: &str, case: Case) -> Option<NameLine> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let value = line
            .split_at_checked(key.len())
            .filter(|(start, _)| case.same(start, key))
            .and_then(|(_, rest)| rest.strip_prefix(':'));
        if let Some(value) = value {
            let value = value.split(" #").next().unwrap_or_default().trim();
            let value = value.trim_matches(['"', '\'']);
            let start = at + key.len() + 1;
            let start = start + text[start..].find(value)?;
            return (!value.is_empty()).then(|| NameLine {
                key: at..at + key.len(),
                value: start..start + value.len(),
            });
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects;

    fn name(text: &str, id: &str) -> Option<(String, u32)> {
        let dialect = dialects::find(id).expect("it is known");
        let reading = &dialect.default_profile().rules.reading;
        let name = written_name(text.as_bytes(), reading)?;
        Some((name.text, name.span?.start))
    }

    #[test]
    fn a_name_is_found_where_nothing_can_be_parsed() {
        let broken = "---\ndescription: a: b\nname: 'scout' # ours\n---\nGo.\n";
        for id in ["openhands", "claude-code", "pi"] {
            assert_eq!(name(broken, id), Some(("scout".to_owned(), 29)), "{id}");
        }
        assert_eq!(
            name("name: name\ndescription: No fences.\n", "claude-code"),
            Some(("name".to_owned(), 6))
        );
        assert_eq!(
            name("---\nName: scout\n---\n", "openhands"),
            Some(("scout".to_owned(), 10))
        );
        assert_eq!(name("---\nname:\n---\n", "openhands"), None);
        assert_eq!(name("No header, no name.", "openhands"), None);
    }
}
