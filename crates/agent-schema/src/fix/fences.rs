//! Headers that are not where the harness looks for them: hidden, never closed, or without dashes.

use std::ops::Range;

use super::chunks::{Line, is_word, key_line, lines};
use super::{Patient, Proposal, dashes};
use crate::definition::FieldName;
use crate::diagnostic::{Applicability, Diagnostic};
use crate::header::{Language, MissingHeader};
use crate::parse::fences::is_meant_fence;
use crate::parse::misread_fences::{FenceFault, fence_fault};
use crate::text::{MappedText, Replacement};
use crate::yaml;

const FENCE: &str = "---";

/// The most lines of comment or code fence that may stand before a header.
const MOST_LINES_BEFORE: usize = 10;

/// Takes away what stands before a header, or puts it behind the header.
pub(super) fn uncover(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let source = text.as_str();
    let missing = patient.rules.header.split(&text).missing?;
    let MissingHeader::Hidden { before, opening } = missing else {
        return None;
    };
    let hidden = &source[before.clone()];
    let bare = hidden.trim_start_matches('\u{feff}');
    let is_mark = |c: char| c == '\u{feff}' || c.is_whitespace();
    if hidden.chars().all(is_mark) {
        let title = match bare.is_empty() {
            true => "remove the byte order mark",
            false => "remove the white space",
        };
        return proposal(patient, &text, title, vec![(before, String::new())], true);
    }
    let closing = closing_line(source, opening.end)?;
    if is_code_fence(bare.trim()) {
        let end = lines(source, closing.next..source.len());
        let end = end.into_iter().find(|line| !line.is_blank(source))?;
        if !end.text(source).trim().starts_with("```") {
            return None;
        }
        let edits = vec![
            (before, String::new()),
            (end.range.start..end.next, String::new()),
        ];
        let title = "remove the code fence around the header";
        return proposal(patient, &text, title, edits, true);
    }
    let is_comment = bare.trim_start().starts_with("<!--")
        && bare.trim_end().ends_with("-->")
        && bare.matches("-->").count() == 1;
    let is_short = bare.lines().count() <= MOST_LINES_BEFORE;
    if !is_short || bare.contains("```") {
        return None;
    }
    let moved = patient.as_in_file(bare);
    let moved = match closing.next > closing.range.end {
        true => moved,
        false => format!("{}{moved}", patient.line_end()),
    };
    let edits = vec![(before, String::new()), (closing.next..closing.next, moved)];
    proposal(
        patient,
        &text,
        "move it behind the header",
        edits,
        is_comment,
    )
}

/// Deletes what follows the opening dashes on their line, or indents braces that end JSON.
pub(super) fn free_header(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let header = patient.rules.header.split(&text).header?;
    match fence_fault(&text, &header, &patient.rules.yaml)? {
        FenceFault::Signs(signs) => {
            let is_word = |c: char| c.is_alphanumeric();
            let is_sure = !text.as_str()[signs.clone()].contains(is_word);
            let edits = vec![(signs, String::new())];
            let title = "leave three dashes alone on their line";
            proposal(patient, &text, title, edits, is_sure)
        }
        FenceFault::Braces(braces) => {
            let braces = braces.into_iter();
            let edits = braces.map(|at| (at..at, "  ".to_owned())).collect();
            proposal(patient, &text, "indent the brace", edits, true)
        }
    }
}

/// Closes a header where its settings end.
pub(super) fn close(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let source = text.as_str();
    let parts = patient.rules.header.split(&text);
    let (start, end) = match (&parts.header, &parts.missing) {
        (_, Some(MissingHeader::Unclosed { opening })) => (opening.end, source.len()),
        (Some(header), _) if header.language == Language::Yaml => (header.text.start, source.len()),
        _ => return None,
    };
    let all = lines(source, start..end);
    // The fence itself may end in the middle of its line.
    let skip = usize::from(source[..start].ends_with(FENCE));
    let whole = whole_map(patient, &text, start..source.len());
    let found = whole.or_else(|| settings(patient, source, &all[skip.min(all.len())..]))?;
    let closed = parts.header.filter(|header| !header.closing.is_empty());
    let is_closed = closed.is_some();
    if let Some(header) = closed
        && !is_body(
            patient,
            source.get(found.end..header.closing.start)?,
            &found,
        )
    {
        return None;
    }
    let meant = all.iter().find(|line| line.range.start >= found.end);
    let meant = meant.filter(|line| is_meant_fence(line.text(source).trim()));
    if let Some(line) = meant {
        let is_sure = found.fields > 0 && !begins_with_setting(patient, &source[line.next..]);
        let edits = vec![(line.range.clone(), FENCE.to_owned())];
        let title = "end the header with a line of three dashes";
        return proposal(patient, &text, title, edits, is_sure);
    }
    let fence = format!("{FENCE}{}", patient.line_end());
    let fence = match source[..found.end].ends_with('\n') {
        true => fence,
        false => format!("{}{fence}", patient.line_end()),
    };
    let may_go_on =
        is_closed && found.end_in_description() && !begins_with_heading(&source[found.end..]);
    let is_sure = found.fields > 0
        && found.rest != Rest::Text
        && !may_go_on
        && !begins_with_setting(patient, &source[found.end..]);
    let edits = vec![(found.end..found.end, fence)];
    proposal(patient, &text, "close the header", edits, is_sure)
}

/// Returns the settings of a file that holds nothing else.
fn whole_map(
    patient: &Patient<'_>,
    text: &MappedText<'_>,
    range: Range<usize>,
) -> Option<Settings> {
    let end = range.end;
    let root = yaml::read(&text.slice(range), &patient.rules.yaml).ok()??;
    let keys = root
        .as_map()?
        .entries
        .iter()
        .map(|entry| entry.key.as_text());
    let keys: Vec<&str> = keys.collect::<Option<_>>()?;
    let fields: Vec<FieldName> = keys
        .iter()
        .filter_map(|key| patient.field_of(key))
        .collect();
    keys.into_iter().all(is_word).then_some(Settings {
        end,
        fields: fields.len(),
        keys: fields,
        rest: Rest::Nothing,
    })
}

/// Returns whether the first lines of a body, up to a blank one, may be settings.
fn begins_with_setting(patient: &Patient<'_>, body: &str) -> bool {
    let lines = body.lines().map(str::trim);
    let lines = lines.skip_while(|line| line.is_empty());
    let mut lines = lines.take_while(|line| !line.is_empty());
    let lookout = patient.lookout();
    lines.any(|line| lookout.is_setting(line))
}

fn begins_with_heading(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| line.starts_with('#'))
}

/// Returns whether what stands between settings and the dashes that end a header is the beginning
/// of the body: a text in which the harness finds no setting, and that is no description. A blank
/// line above the dashes makes them a rule below a text.
fn is_body(patient: &Patient<'_>, text: &str, found: &Settings) -> bool {
    let is_setting = |line: &str| key_line(line).is_some_and(|parts| patient.is_field(parts.key));
    let is_heading = begins_with_heading(text);
    let ends_blank = text
        .lines()
        .next_back()
        .is_some_and(|line| line.trim().is_empty());
    found.rest == Rest::Body
        && !text.lines().any(is_setting)
        && (is_heading || ends_blank || !found.end_in_description())
}

/// Writes the dashes around settings at the top of a file, where they are missing or other signs
/// stand for them.
pub(super) fn open(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let source = text.as_str();
    let all = lines(source, 0..source.len());
    let first = all.iter().position(|line| !line.is_blank(source))?;
    let line = &all[first];
    let content = line.text(source).trim_start_matches('\u{feff}').trim();
    let line_end = patient.line_end();
    let is_dashes = is_meant_fence(content) && !content.starts_with(['.', '`']);
    if is_code_fence(content) {
        let closing = all[first + 1..].iter().find(|line| {
            let content = line.text(source).trim();
            content.len() > 2 && content.chars().all(|c| c == '`')
        })?;
        let inside = lines(source, line.next..closing.range.start);
        let found = settings(patient, source, &inside)?;
        let edits = vec![
            (0..line.range.end, FENCE.to_owned()),
            (closing.range.clone(), FENCE.to_owned()),
        ];
        let is_sure = found.rest == Rest::Nothing && found.fields > 1;
        let title = "write dashes instead of the code fence";
        return proposal(patient, &text, title, edits, is_sure);
    }
    let from = first + usize::from(is_dashes);
    let found = settings(patient, source, &all[from..])?;
    let mut edits = match is_dashes {
        true => vec![(0..line.range.end, FENCE.to_owned())],
        false => vec![(0..line.range.start, format!("{FENCE}{line_end}"))],
    };
    let closing = all
        .iter()
        .find(|line| line.range.start >= found.end && !line.is_blank(source));
    let is_closed = closing.is_some_and(|line| {
        let content = line.text(source).trim_end();
        content.len() > 2 && content.chars().all(|c| c == '-')
    });
    // Dashes that are too many leave the rest of them in the prompt.
    if let Some(line) = closing.filter(|line| is_closed && line.text(source).trim_end() != FENCE) {
        edits.push((line.range.clone(), FENCE.to_owned()));
    }
    if !is_closed {
        let fence = match source[..found.end].ends_with('\n') {
            true => format!("{FENCE}{line_end}"),
            false => format!("{line_end}{FENCE}{line_end}"),
        };
        edits.push((found.end..found.end, fence));
    }
    let title = match (is_dashes, is_closed) {
        (true, true) => "begin the header with three dashes",
        (false, true) => "open the header",
        _ => "write dashes around the settings",
    };
    // Where text follows at once, the last value is not whole.
    if !is_closed && found.rest == Rest::Text {
        return None;
    }
    let names_it =
        found.keys.contains(&FieldName::NAME) || found.keys.contains(&FieldName::DESCRIPTION);
    proposal(
        patient,
        &text,
        title,
        edits,
        is_closed && names_it && found.fields > 1,
    )
}

/// Returns a change of the header's place. The prompt changes with it.
fn proposal(
    patient: &Patient<'_>,
    text: &MappedText<'_>,
    title: &str,
    edits: Vec<Replacement>,
    is_sure: bool,
) -> Option<Proposal> {
    Some(Proposal {
        title: title.to_owned(),
        edits: patient.edits(text, &edits),
        at_best: match is_sure {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        },
        changes: vec![(FieldName::PROMPT, None)],
    })
}

fn is_code_fence(line: &str) -> bool {
    let word = line.strip_prefix("```");
    word.is_some_and(|word| matches!(word.trim(), "" | "yaml" | "yml" | "markdown" | "md"))
}

/// Finds the next line of three dashes and nothing else.
fn closing_line(text: &str, from: usize) -> Option<Line> {
    let mut all = lines(text, from..text.len()).into_iter();
    all.find(|line| line.range.start > from && line.text(text).trim_end() == FENCE)
        .or_else(|| {
            let mut all = lines(text, from..text.len()).into_iter();
            all.find(|line| line.text(text).trim_end() == FENCE)
        })
}

/// Settings at the top of a text.
struct Settings {
    /// Where they end: the start of a line, or the end of the text.
    end: usize,
    /// How many of them the harness has.
    fields: usize,
    keys: Vec<FieldName>,
    rest: Rest,
}

/// What follows on settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// Nothing.
    Nothing,
    /// A blank line or a heading: the settings surely end there.
    Body,
    /// Text on the very next line, which may belong to the last value.
    Text,
}

impl Settings {
    /// Returns whether the last one is the description, to which prose may belong.
    fn end_in_description(&self) -> bool {
        self.keys.last() == Some(&FieldName::DESCRIPTION)
    }
}

/// Finds the settings that begin a text: keys, what is indented below them, comments between them.
fn settings(patient: &Patient<'_>, text: &str, all: &[Line]) -> Option<Settings> {
    let mut end = None;
    let mut keys = Vec::new();
    let mut after_blank = false;
    let mut after_comment = false;
    let mut is_list = false;
    let mut rest = Rest::Nothing;
    for line in all {
        let content = line.text(text);
        if content.trim().is_empty() {
            after_blank = true;
            continue;
        }
        let is_indented = line.indentation(text) > 0;
        if end.is_some() && is_meant_fence(content.trim()) && !goes_on(text, all, line) {
            rest = Rest::Text;
            break;
        }
        let is_comment = content.starts_with('#');
        if is_comment {
            let is_heading = content.trim_start_matches('#').starts_with(' ') && after_blank;
            if is_heading {
                rest = Rest::Body;
                // A comment between settings has one below it.
                if !followed_by_setting(patient, text, all, line) {
                    break;
                }
            }
            after_comment = true;
            continue;
        }
        let key = key_line(content).filter(|parts| !is_indented && parts.is_spaced);
        let key = key.filter(|parts| is_word(parts.key));
        let known = key.as_ref().and_then(|parts| patient.field_of(parts.key));
        let is_setting = match &key {
            Some(parts) => {
                let is_lower = parts.key.starts_with(|c: char| c.is_ascii_lowercase());
                known.is_some() || (is_lower && !after_blank)
            }
            None if end.is_none() => false,
            // A blank line may stand inside a text that is indented.
            None if is_indented => true,
            None => is_list && content.starts_with("- "),
        };
        if !is_setting {
            // What looks like a key may be one that is not known.
            rest = match (after_blank || after_comment) && key.is_none() {
                true => Rest::Body,
                false => Rest::Text,
            };
            break;
        }
        if let Some(parts) = &key {
            is_list = content[parts.colon..].trim().is_empty();
            keys.extend(known);
        }
        rest = Rest::Nothing;
        after_blank = false;
        after_comment = false;
        end = Some(line.next);
    }
    let end = end?;
    Some(Settings {
        end,
        fields: keys.len(),
        keys,
        rest,
    })
}

/// Returns whether the lines below one are indented, as those of a text are.
fn goes_on(text: &str, all: &[Line], above: &Line) -> bool {
    let mut below = all
        .iter()
        .filter(|line| line.range.start > above.range.start);
    let next = below.find(|line| !line.is_blank(text));
    next.is_some_and(|line| line.indentation(text) > 0)
}

/// Returns whether the next line below a comment that says something is a setting that is known.
fn followed_by_setting(patient: &Patient<'_>, text: &str, all: &[Line], comment: &Line) -> bool {
    let mut below = all
        .iter()
        .filter(|line| line.range.start > comment.range.start);
    let next = below.find(|line| !line.is_blank(text) && !line.text(text).starts_with('#'));
    let key = next.and_then(|line| key_line(line.text(text)));
    key.is_some_and(|parts| parts.is_spaced && patient.is_field(parts.key))
}

/// Puts a closing line of dashes where the harness finds them inside another line.
pub(super) fn part_line(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let text = patient.text()?;
    let source = text.as_str();
    let header = patient.rules.header.split(&text).header?;
    let start = header.closing_start(source);
    let line_start = source[..start].rfind('\n').map_or(0, |end| end + 1);
    let line_stop = start + source[start..].find('\n').unwrap_or(source.len() - start);
    let before = &source[line_start..start];
    let count = source[start..].len() - source[start..].trim_start_matches('-').len();
    let behind = &source[start + count..line_stop];
    if dashes::next_end(source, header.closing.end).is_some_and(|end| {
        let below = lines(source, header.closing.end..end);
        settings(patient, source, below.get(1..).unwrap_or_default())
            .is_some_and(|found| found.rest == Rest::Nothing)
    }) {
        return None;
    }
    let line_end = patient.line_end().to_owned();
    let mut edits: Vec<Replacement> = Vec::new();
    if !before.trim().is_empty() {
        // Dashes at the end of a line end the header there; between words they are text.
        if !behind.trim().is_empty() || count != FENCE.len() || before.ends_with([' ', '"', '\'']) {
            return None;
        }
        edits.push((start..start, line_end.clone()));
    }
    let stop: Range<usize> = start + FENCE.len()..start + count;
    if !behind.trim().is_empty() {
        let blank = behind.len() - behind.trim_start().len();
        edits.push((stop.start..stop.end + blank, line_end));
    } else if !stop.is_empty() {
        edits.push((stop, String::new()));
    }
    let title = "end the header with a line of three dashes";
    let is_sure = !begins_with_setting(patient, behind);
    proposal(patient, &text, title, edits, is_sure)
}
