//! Settings over several lines that YAML cannot read.

use std::ops::Range;

use super::brackets;
use super::chunks::{KeyLine, Line, is_dialogue, is_word, key_line};
use super::lookalikes::Start;
use super::one_line::{self, glued_setting, value_edit};
use super::quotes::{encloses, inside_double_quotes, quoted};
use super::settings::{Mend, QUOTE, Setting};
use crate::text::{MappedText, Replacement};
use crate::yaml;

/// Mends a setting that stands on several lines.
pub(super) fn mend(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    match value.chars().next() {
        None | Some('#') => nested(setting).or_else(|| text_below(setting)),
        Some('|' | '>') if is_block_header(value) => {
            settings_below(setting).or_else(|| block(setting))
        }
        Some('"' | '\'') => quoted_text(setting).or_else(|| continued(setting)),
        Some('-') if value.starts_with("- ") && setting.takes_list() => list(setting),
        Some('[') if setting.takes_list() => brackets::mend_list(setting),
        Some('[' | '{') => None,
        Some(_) => key_below(setting)
            .or_else(|| settings_below(setting))
            .or_else(|| first_line_only(setting))
            .or_else(|| continued(setting)),
    }
}

/// Returns whether a value is the head of a text in the lines below.
fn is_block_header(value: &str) -> bool {
    let marks =
        value[1..].trim_start_matches(|c: char| matches!(c, '+' | '-') || c.is_ascii_digit());
    marks.is_empty() || (marks.starts_with([' ', '\t']) && marks.trim_start().starts_with('#'))
}

fn content_lines<'a>(setting: &'a Setting<'_>) -> impl Iterator<Item = &'a Line> {
    let lines = setting.chunk.below.iter();
    lines.filter(|line| !line.is_blank(setting.text))
}

/// Indents the lines of a block text that stand too far left.
fn block(setting: &Setting<'_>) -> Option<Mend> {
    let text = setting.text;
    let column = key_column(setting);
    let mut indented = content_lines(setting).map(|line| line.indentation(text));
    let base = indented.find(|at| *at > column);
    let base = base.unwrap_or(column + 2);
    let edits = content_lines(setting).filter_map(|line| {
        let at = line.indentation(text);
        let start = line.range.start;
        (at < base).then(|| (start..start + at, " ".repeat(base)))
    });
    let mend = Mend::new("indent the lines of the text alike", edits.collect());
    // The sign says that lines follow, whatever the key is.
    let mend = mend.sure_if(!ends_in_prose(setting));
    setting.proven(as_text(setting, mend, content_lines(setting).count())?)
}

/// Returns a mend that makes one text of some lines: as sure as that they all belong to it, and
/// none at all for a field that holds a word, such as a name, and never lines.
fn as_text(setting: &Setting<'_>, mend: Mend, lines: usize) -> Option<Mend> {
    let holds_word = setting.field.is_some() && !one_line::is_prose(setting);
    (lines < 2 || !holds_word).then(|| mend.sure_if(!hides_other(setting)))
}

/// Returns whether a line below a value is more probably something of its own: a key that stands
/// one blank too far right or lacks the one behind its colon, or an instruction to the reader.
fn hides_other(setting: &Setting<'_>) -> bool {
    let text = setting.text;
    let edge = key_column(setting);
    let mut before = edge;
    content_lines(setting).any(|line| {
        let at = line.indentation(text);
        let content = line.text(text);
        let is_wrapped = std::mem::replace(&mut before, at) == at && at > edge;
        let is_slip = |parts: &KeyLine<'_>| match parts.is_spaced {
            true => at == edge + 1 && !is_wrapped,
            false => at <= edge + 1 && !content[parts.colon..].starts_with("//"),
        };
        let parts = key_line(content);
        let parts = parts.filter(|parts| is_word(parts.key) && !is_dialogue(parts.key));
        let is_instruction = at == 0 && content.starts_with('%');
        is_instruction || parts.as_ref().is_some_and(is_slip)
    })
}

fn key_column(setting: &Setting<'_>) -> usize {
    let start = setting.chunk.range.start;
    let line = &setting.text[start..];
    line.len() - line.trim_start_matches(' ').len()
}

/// Turns lines below a key without a value into a block text, unless they are a mapping.
fn text_below(setting: &Setting<'_>) -> Option<Mend> {
    let is_entry = |line: &Line| {
        let parts = key_line(line.text(setting.text));
        parts.is_some_and(|parts| parts.is_spaced && is_key(parts.key))
    };
    let is_map = !one_line::is_prose(setting) && content_lines(setting).all(is_entry);
    if is_map || setting.takes_list() || !setting.value().is_empty() {
        return None;
    }
    let at = setting.chunk.colon;
    // Blank lines above a text belong to nothing.
    let lines = setting.chunk.below.as_slice();
    let blank = lines.iter().take_while(|line| line.is_blank(setting.text));
    let (blank, lines) = lines.split_at(blank.count());
    let (below, text) = indented(setting, lines);
    let mut edits = vec![(at..at, " |-".to_owned())];
    let removed = blank
        .iter()
        .map(|line| (line.range.start..line.next, String::new()));
    edits.extend(removed);
    edits.extend(below);
    let mend = Mend::new("write the value as a block of text", edits).meant(text);
    let mend = mend.sure_if(!ends_in_prose(setting));
    setting.proven(as_text(setting, mend, content_lines(setting).count())?)
}

/// Turns a value without quotes, with the lines that continue it, into a block text. Lines that
/// are wrapped become one, as the reader would have made of them; others stay as they are.
fn continued(setting: &Setting<'_>) -> Option<Mend> {
    if may_be_body(setting) {
        return None;
    }
    let value = setting.chunk.value.clone();
    let (mut edits, below) = indented(setting, setting.chunk.below.as_slice());
    let is_wrapped = is_wrapped(setting);
    let indent = " ".repeat(key_column(setting) + 2);
    let sign = if is_wrapped { ">-" } else { "|-" };
    let head = format!("{sign}{}{indent}", setting.line_end);
    edits.insert(0, (value.start..value.start, head));
    let text = match is_wrapped {
        true => {
            edits.extend(trailing_blanks(setting));
            edits.sort_by_key(|(range, _)| range.start);
            let lines = below.lines().map(str::trim);
            let lines = std::iter::once(setting.value()).chain(lines);
            lines.collect::<Vec<_>>().join(" ")
        }
        false => format!(
            "{}\n{below}",
            &setting.text[value.start..first_line_end(setting)]
        ),
    };
    let has_comment = has_comment_below(setting) || setting.value().contains(" # ");
    let mend = Mend::new("write the value as a block of text", edits).meant(text);
    let mut below = setting.chunk.below.iter();
    let hides_setting = below.any(|line| glued_setting(line.text(setting.text)).is_some());
    let is_known = setting.field.is_some();
    let mend = mend.sure_if(is_known && !has_comment && !hides_setting && !ends_in_prose(setting));
    setting.proven(as_text(setting, mend, 1 + content_lines(setting).count())?)
}

/// Returns whether a line below a value may be a comment. One that stands between blank lines and
/// is indented as the text is a heading in it.
fn has_comment_below(setting: &Setting<'_>) -> bool {
    let text = setting.text;
    let lines = &setting.chunk.below;
    let is_blank = |at: Option<usize>| {
        at.and_then(|at| lines.get(at))
            .is_some_and(|line| line.is_blank(text))
    };
    let mut numbered = lines.iter().enumerate();
    numbered.any(|(at, line)| {
        let is_heading = is_blank(at.checked_sub(1))
            && is_blank(at.checked_add(1))
            && line.indentation(text) > key_column(setting);
        line.text(text).trim_start().starts_with("# ") && !is_heading
    })
}

/// Returns where the line of the key ends, with the blanks at its end.
fn first_line_end(setting: &Setting<'_>) -> usize {
    let rest = &setting.text[setting.chunk.value.start..];
    let line = rest.split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    setting.chunk.value.start + line.len()
}

/// Returns the edits that take blanks off the ends of lines, where a folded text would keep them.
fn trailing_blanks(setting: &Setting<'_>) -> Vec<Replacement> {
    let first = setting.chunk.value.end..first_line_end(setting);
    let below = setting.chunk.below.iter().map(|line| {
        let text = line.text(setting.text);
        line.range.start + text.trim_end().len()..line.range.end
    });
    std::iter::once(first)
        .chain(below)
        .filter(|range| !range.is_empty())
        .map(|range| (range, String::new()))
        .collect()
}

/// Returns the edits that put lines into a block, and the text that they are then. What all have in
/// common of their indentation goes.
fn indented(setting: &Setting<'_>, lines: &[Line]) -> (Vec<Replacement>, String) {
    let text = setting.text;
    let indent = " ".repeat(key_column(setting) + 2);
    let content = || lines.iter().filter(|line| !line.is_blank(text));
    let common = content().map(|line| line.indentation(text)).min();
    let common = common.unwrap_or_default();
    let mut edits = Vec::new();
    let mut written = Vec::new();
    for line in lines {
        let start = line.range.start;
        match line.is_blank(text) {
            true if line.range.is_empty() => {}
            true => edits.push((line.range.clone(), String::new())),
            false if text[start..start + common] == indent => {}
            false => edits.push((start..start + common, indent.clone())),
        }
        written.push(match line.is_blank(text) {
            true => "",
            false => &text[start + common..line.range.end],
        });
    }
    (edits, written.join("\n"))
}

/// Returns whether the lines below a value are wrapped prose: all indented alike, without a blank
/// line and without a sign that begins an item, a tag or the words of a speaker.
fn is_wrapped(setting: &Setting<'_>) -> bool {
    let text = setting.text;
    let mut columns = setting
        .chunk
        .below
        .iter()
        .map(|line| line.indentation(text));
    let first = columns.next();
    let is_alike = first > Some(key_column(setting)) && columns.all(|at| Some(at) == first);
    let is_prose = |line: &Line| {
        let line = line.text(text).trim_start();
        let is_item = line.starts_with(['<', '-', '*', '#', '|', '>', '+', '"', '\'', '`']);
        let is_number = line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(". ");
        let speaks = key_line(line).is_some_and(|parts| is_word(parts.key));
        !line.is_empty() && !is_item && !is_number && !speaks
    };
    is_alike && !setting.chunk.has_loose_lines && setting.chunk.below.iter().all(is_prose)
}

/// Returns whether what looks like the body of the file stands in the last lines: a heading below
/// a blank line, or prose below the value of a short setting.
fn ends_in_prose(setting: &Setting<'_>) -> bool {
    if !setting.chunk.has_loose_lines {
        return false;
    }
    let text = setting.text;
    let mut after_blank = false;
    for line in &setting.chunk.below {
        if line.is_blank(text) {
            after_blank = true;
            continue;
        }
        let is_loose = line.indentation(text) == 0;
        let content = line.text(text);
        let is_heading =
            content.starts_with('#') && content.trim_start_matches('#').starts_with(' ');
        if is_loose && (is_heading || (after_blank && !one_line::is_prose(setting))) {
            return true;
        }
        after_blank = false;
    }
    false
}

/// Returns whether the lines below the last value of a header are more probably the body of the
/// file, and the dashes below them a rule inside it: blank lines stand before and behind prose that
/// is not indented.
fn may_be_body(setting: &Setting<'_>) -> bool {
    let text = setting.text;
    let is_last = text[setting.chunk.range.end..].trim().is_empty();
    let ends_blank = text
        .lines()
        .next_back()
        .is_some_and(|line| line.trim().is_empty());
    let mut below = setting.chunk.below.iter();
    let begins_blank = below.next().is_some_and(|line| line.is_blank(text));
    let is_loose = |line: &Line| line.is_blank(text) || line.indentation(text) == 0;
    is_last && ends_blank && begins_blank && below.all(is_loose)
}

/// Mends a text in quotes that runs over several lines.
fn quoted_text(setting: &Setting<'_>) -> Option<Mend> {
    let text = setting.text;
    let quote = setting.value().chars().next()?;
    let start = setting.chunk.value.start;
    let end = start + text[start..setting.chunk.range.end].trim_end().len();
    let whole = &text[start..end];
    let mut edits = Vec::new();
    let mut is_sure = true;
    let is_closed = encloses(whole, quote);
    if is_closed {
        let inner = &whole[1..whole.len() - 1];
        let start = start + 1;
        match quote {
            '"' => {
                let inside = inside_double_quotes(inner);
                is_sure = !inside.doubtful;
                edits = inside.edits(inner, start);
            }
            _ if inner.contains("''") => {}
            _ => {
                let places = inner.match_indices('\'').map(|(at, _)| start + at);
                edits.extend(places.map(|at| (at..at, "'".to_owned())));
            }
        }
    } else if quote == '"' && !whole[1..].contains('"') {
        edits.push((end..end, quote.to_string()));
        is_sure = false;
    } else {
        return None;
    }
    let indent = " ".repeat(key_column(setting) + 2);
    for line in content_lines(setting) {
        if line.indentation(text) <= key_column(setting) {
            let at = line.range.start..line.range.start + line.indentation(text);
            edits.push((at, indent.clone()));
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let title = match edits.iter().all(|(_, text)| text.trim().is_empty()) {
        true => "indent the lines that belong to the value",
        false if is_closed => "write quotes and backslashes inside the quotes with a backslash",
        false => "close the quote",
    };
    let mend = Mend::new(title, edits).sure_if(is_sure && !ends_in_prose(setting));
    setting.proven(mend)
}

/// Starts a list on a line of its own whose first item stands on the line of its key.
fn list(setting: &Setting<'_>) -> Option<Mend> {
    let text = setting.text;
    let mut lines = content_lines(setting);
    let items = lines.all(|line| line.text(text).trim_start().starts_with("- "));
    let first = content_lines(setting).next()?;
    let indent = " ".repeat(first.indentation(text));
    let edit = (
        setting.chunk.colon..setting.chunk.value.start,
        format!("{}{indent}", setting.line_end),
    );
    let mend = items.then(|| Mend::new("start the list on the next line", vec![edit]))?;
    setting.proven(mend)
}

/// Takes the indentation off settings that stand below a value as if they belonged to it.
fn key_below(setting: &Setting<'_>) -> Option<Mend> {
    let text = setting.text;
    let column = key_column(setting);
    let mut lines = content_lines(setting);
    if !lines.all(|line| is_field(setting, line)) {
        return None;
    }
    let edits: Vec<Replacement> = content_lines(setting)
        .map(|line| {
            let start = line.range.start + column;
            (
                start..line.range.start + line.indentation(text),
                String::new(),
            )
        })
        .collect();
    let map = setting.read_all(&edits)?;
    let is_whole = map.entries.len() == edits.len() + 1;
    // Prose may mention a key.
    let mend = Mend::new("start all keys in the same column", edits);
    is_whole.then(|| mend.sure_if(!one_line::is_prose(setting)))
}

/// Writes the last lines below a text as settings of their own, if they begin with keys that the
/// harness knows but are not written as settings. Prose may begin so, too.
fn settings_below(setting: &Setting<'_>) -> Option<Mend> {
    let text = setting.text;
    let lookout = setting.patient.lookout();
    let indent = " ".repeat(key_column(setting));
    let key_of = |line: &Line| {
        let start = Start::of(line.text(text))?;
        let key = lookout
            .key(&start)
            .filter(|key| setting.patient.is_field(key))?;
        Some((key, start.rest))
    };
    let lines = content_lines(setting).skip_while(|line| key_of(line).is_none());
    let mut base = 0;
    let mut settings = 0;
    let edits = lines.map(|line| {
        let at = line.indentation(text);
        match key_of(line) {
            Some((key, value)) if settings == 0 || at <= base => {
                settings += 1;
                base = at;
                let written = format!("{indent}{key}: {value}");
                Some((line.range.clone(), written.trim_end().to_owned()))
            }
            _ if at > base => Some((line.range.start..line.range.start + base, indent.clone())),
            _ => None,
        }
    });
    let edits: Vec<Replacement> = edits.collect::<Option<_>>()?;
    let map = setting.read_all(&edits)?;
    let is_whole = map.entries.len() == settings + 1;
    let mend = Mend::new("write the lines below as settings of their own", edits);
    is_whole.then(|| mend.sure_if(false))
}

/// Returns whether a line is a key that the harness knows, with its value.
fn is_field(setting: &Setting<'_>, line: &Line) -> bool {
    let parts = key_line(line.text(setting.text));
    parts.is_some_and(|parts| parts.is_spaced && setting.patient.is_field(parts.key))
}

/// Mends the first line alone, if the rest stands on its own.
fn first_line_only(setting: &Setting<'_>) -> Option<Mend> {
    let is_rest_of_list = content_lines(setting).all(|line| {
        let line = line.text(setting.text);
        line.trim_start().starts_with('#')
    });
    is_rest_of_list.then(|| one_line::mend(setting)).flatten()
}

/// Puts values of nested lines in quotes that cannot be read, and lines up items of lists.
fn nested(setting: &Setting<'_>) -> Option<Mend> {
    if setting.chunk.has_loose_lines {
        return None;
    }
    lined_up(setting)
        .or_else(|| keys_lined_up(setting))
        .or_else(|| quoted_lines(setting))
}

/// Puts all items of a list in the column of the first one.
fn lined_up(setting: &Setting<'_>) -> Option<Mend> {
    let text = setting.text;
    let mut lines = content_lines(setting);
    if !lines.all(|line| line.text(text).trim_start().starts_with("- ")) {
        return None;
    }
    let column = content_lines(setting).next()?.indentation(text);
    let edits: Vec<Replacement> = content_lines(setting)
        .filter(|line| line.indentation(text) != column)
        .map(|line| {
            let start = line.range.start;
            (start..start + line.indentation(text), " ".repeat(column))
        })
        .collect();
    let mend = (!edits.is_empty()).then(|| Mend::new("indent all items alike", edits))?;
    setting.proven(mend)
}

/// A column of keys: where they stand, and where they belong.
#[derive(Clone, Copy)]
struct Column {
    found: usize,
    meant: usize,
}

/// Puts the keys of a nested map in the column of its first one: those that stand further left and
/// still below the setting, and those that stand further right though the key above has a value.
fn keys_lined_up(setting: &Setting<'_>) -> Option<Mend> {
    let text = setting.text;
    let edge = key_column(setting);
    let mut columns = vec![Column {
        found: edge,
        meant: edge,
    }];
    let mut has_value = false;
    let mut edits: Vec<Replacement> = Vec::new();
    for line in content_lines(setting) {
        let content = line.text(text);
        let parts = key_line(content).filter(|parts| parts.is_spaced && is_key(parts.key))?;
        if content.trim_start().starts_with("- ") {
            return None;
        }
        let at = line.indentation(text);
        let meant = meant_column(&mut columns, at, has_value)?;
        has_value = !content[parts.colon..].trim().is_empty();
        if meant != at {
            let start = line.range.start;
            edits.push((start..start + at, " ".repeat(meant)));
        }
    }
    let mend = (!edits.is_empty()).then(|| Mend::new("indent all keys alike", edits))?;
    setting.proven(mend)
}

/// Returns the column in which a key belongs that stands at a place, below one with or without a
/// value.
fn meant_column(columns: &mut Vec<Column>, at: usize, has_value: bool) -> Option<usize> {
    let last = *columns.last()?;
    if has_value && at > last.found {
        return Some(last.meant);
    }
    let mut left = None;
    while columns.len() > 1 && columns.last()?.found > at {
        left = columns.pop();
    }
    let last = *columns.last()?;
    if last.found == at && columns.len() > 1 {
        return Some(last.meant);
    }
    let meant = match left {
        Some(left) => left.meant,
        None => last.meant + at.checked_sub(last.found)?,
    };
    columns.push(Column { found: at, meant });
    Some(meant)
}

fn quoted_lines(setting: &Setting<'_>) -> Option<Mend> {
    let text = setting.text;
    let mut edits = Vec::new();
    let mut is_sure = true;
    let mut has_values = false;
    for line in content_lines(setting) {
        if let Some(key) = pattern_key(setting, line) {
            edits.push((key.clone(), quoted(&text[key])));
            // Nobody refers to an anchor where there is none.
            is_sure &= !text.contains('&');
        }
        let Some(value) = scalar_of(text, line) else {
            continue;
        };
        let written = &text[value.clone()];
        let is_head = written.starts_with(['|', '>']) && is_block_header(written);
        if is_head || reads_as_value(setting, written) {
            continue;
        }
        let (edit, sure) = value_edit(setting, value)?;
        edits.push(edit);
        is_sure &= sure;
        has_values = true;
    }
    let title = match has_values {
        true => QUOTE,
        false => "put the key in quotes",
    };
    let mend = (!edits.is_empty()).then(|| Mend::new(title, edits))?;
    setting.proven(mend.sure_if(is_sure))
}

/// Returns the key of a line in a nested setting if it is a pattern that begins with a star, which
/// is no key without quotes.
fn pattern_key(setting: &Setting<'_>, line: &Line) -> Option<Range<usize>> {
    let start = line.range.start + line.indentation(setting.text);
    let rest = &setting.text[start..line.range.end];
    let parts = key_line(rest).filter(|parts| parts.is_spaced && parts.key.starts_with('*'))?;
    is_key(parts.key).then(|| start..start + parts.key.len())
}

/// Returns the value of a line in a nested setting: what stands behind its dashes and its key.
fn scalar_of(text: &str, line: &Line) -> Option<Range<usize>> {
    let mut start = line.range.start + line.indentation(text);
    while let Some(rest) = text[start..line.range.end].strip_prefix("- ") {
        start = line.range.end - rest.trim_start().len();
    }
    let rest = &text[start..line.range.end];
    if rest.starts_with('#') {
        return None;
    }
    if let Some(parts) = key_line(rest).filter(|parts| parts.is_spaced && is_key(parts.key)) {
        let value = &rest[parts.colon..];
        start = line.range.end - value.trim_start().len();
    }
    let value = text[start..line.range.end].trim_end();
    (!value.is_empty()).then(|| start..start + value.len())
}

/// A nested key may be a pattern; a sentence is none.
fn is_key(key: &str) -> bool {
    !key.is_empty() && !key.contains(['[', '{', '#', '`'])
}

fn reads_as_value(setting: &Setting<'_>, value: &str) -> bool {
    let line = format!("a: {value}");
    let read = yaml::read(&MappedText::plain(&line), &setting.patient.rules.yaml);
    read.is_ok()
}
