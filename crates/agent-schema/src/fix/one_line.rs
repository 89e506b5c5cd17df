//! Settings on one line whose value YAML cannot read.

use std::ops::Range;

use super::brackets;
use super::chunks::{is_dialogue, key_line};
use super::lookalikes::PROSE;
use super::quotes::{encloses, inside_double_quotes, quoted};
use super::settings::{Mend, QUOTE, Setting};
use super::unseen::without_controls;
use crate::text::Replacement;

/// Mends a setting that stands on one line.
pub(super) fn mend(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    if let Some(mend) = without_comma(setting) {
        return Some(mend);
    }
    let names = brackets::gather(setting);
    if names.is_some() {
        return names;
    }
    let by_start = match value.chars().next()? {
        '"' => double_quoted(setting),
        '\'' => single_quoted(setting),
        '[' => brackets::mend_list(setting),
        '|' | '>' => block_text(setting),
        '-' if setting.takes_list() => list_item(setting),
        _ => None,
    };
    by_start
        .or_else(|| split_in_two(setting))
        .or_else(|| plain(setting))
}

/// What takes the comma away with which somebody ended a setting, as in JSON.
pub(super) const COMMA: &str = "take the comma off the end of the line";

/// Takes the comma off a value that is complete without it.
fn without_comma(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    value.starts_with(['"', '\'', '[', '{']).then_some(())?;
    setting.proven(Mend::new(COMMA, vec![comma_edit(setting)?]))
}

/// Returns the edit that takes the comma off the end of a setting on one line.
pub(super) fn comma_edit(setting: &Setting<'_>) -> Option<Replacement> {
    let value = setting.value();
    let before = value.strip_suffix(',')?.trim_end();
    let start = setting.chunk.value.start;
    let is_one_line = !value.contains('\n') && !before.is_empty();
    is_one_line.then(|| (start + before.len()..start + value.len(), String::new()))
}

/// Puts a setting on a line of its own that lost its line end to the sentence before it.
fn split_in_two(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    let at = glued_setting(value)?;
    let key = key_line(&value[at..])?.key;
    let text = value[..at].trim_end();
    let start = setting.chunk.value.start;
    let split = (start + at..start + at, setting.line_end.to_owned());
    let quote = (start..start + text.len(), quoted(text));
    let title = "start the key on a line of its own";
    let edits = [vec![split.clone()], vec![quote, split]];
    let edits = edits.into_iter().find(|edits| {
        let map = setting.read_all(edits);
        map.is_some_and(|map| {
            let written = map.get(&setting.chunk.key);
            let holds = written.is_some_and(|entry| entry.value.as_text() == Some(text));
            holds && map.entries.len() == 2 && map.get(key).is_some()
        })
    });
    let mend = Mend::new(title, edits?).meant(text);
    Some(mend.sure_if(setting.patient.is_field(key)))
}

/// Finds a setting behind the end of a sentence, without a blank between: a word that nobody says,
/// a colon, and one word as its value.
pub(super) fn glued_setting(value: &str) -> Option<usize> {
    let colon = value.rfind(": ")?;
    let is_sign = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | '-');
    let at = value[..colon].trim_end_matches(is_sign).len();
    let (word, rest) = (&value[at..colon], value[colon + 1..].trim());
    let ends_sentence = value[..at].ends_with(['.', '!', '?', '。', '！', '？']);
    let is_one_word = !rest.is_empty() && !rest.contains(char::is_whitespace);
    (ends_sentence && is_one_word && !word.is_empty() && !is_dialogue(word)).then_some(at)
}

/// Puts a value in quotes as it stands.
fn plain(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    let starts_bracket = value.starts_with(['[', '{']) && !value.starts_with("{{");
    let is_sure = match starts_bracket {
        true => brackets::are_balanced(value) && !setting.takes_list(),
        // An anchor, a tag or an alias may be meant as one, and several names are no text.
        false => !is_property(value) && !brackets::has_names_apart(setting),
    };
    let (range, is_sure) = match comment(value) {
        None => (0..value.len(), is_sure),
        Some(Comment::Text) => (0..value.len(), is_sure),
        Some(Comment::Sure(at)) => (0..at, is_sure),
        Some(Comment::Doubtful(at)) => (0..at, false),
    };
    quote(setting, range).map(|mend| mend.sure_if(is_sure))
}

/// Puts a part of a value in quotes.
fn quote(setting: &Setting<'_>, range: Range<usize>) -> Option<Mend> {
    let text = setting.value()[range.clone()].trim_end();
    let start = setting.chunk.value.start + range.start;
    let seen = without_controls(text);
    let edit = (start..start + text.len(), quoted(&seen));
    setting.proven(Mend::new(QUOTE, vec![edit]).meant(seen))
}

/// What a `#` behind a blank is in a value that YAML cannot read.
enum Comment {
    /// It belongs to the text, as in `issue #12`.
    Text,
    /// It begins a comment, set off from the value.
    Sure(usize),
    /// It may be either.
    Doubtful(usize),
}

fn comment(value: &str) -> Option<Comment> {
    let mut found = None;
    for (at, _) in value.match_indices('#') {
        let before = &value[..at];
        if !before.ends_with([' ', '\t']) {
            continue;
        }
        let is_set_off = before.ends_with("  ") || before.ends_with('\t');
        let has_blank = value[at + 1..].starts_with([' ', '\t']);
        match (is_set_off, has_blank) {
            (true, true) => return Some(Comment::Sure(at)),
            (false, false) => found = Some(Comment::Text),
            _ => return Some(Comment::Doubtful(at)),
        }
    }
    found
}

/// Returns whether a value begins with what YAML takes for an anchor, a tag or an alias, and
/// something behind it.
fn is_property(value: &str) -> bool {
    let Some(rest) = value.strip_prefix(['&', '!', '*']) else {
        return false;
    };
    let word = rest.split([' ', '\t']).next().unwrap_or_default();
    let is_name = !word.is_empty()
        && word
            .trim_start_matches('!')
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    is_name && (value.starts_with("!!") || word.len() < rest.len())
}

fn double_quoted(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    let start = setting.chunk.value.start;
    if value.len() > 1 && encloses(value, '"') {
        let inner = &value[1..value.len() - 1];
        let inside = inside_double_quotes(inner);
        let edits = inside.edits(inner, start + 1);
        let title = "write a backslash before each quote and backslash inside the quotes";
        let mend = Mend::new(title, edits).sure_if(!inside.doubtful);
        return setting.proven(mend);
    }
    if !value[1..].contains('"') && comment(value).is_none() {
        let inside = inside_double_quotes(&value[1..]);
        let mut edits = inside.edits(&value[1..], start + 1);
        let end = setting.chunk.value.end;
        edits.push((end..end, "\"".to_owned()));
        let mend = Mend::new("close the quote", edits).sure_if(!inside.doubtful);
        return setting.proven(mend);
    }
    None
}

fn single_quoted(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    let start = setting.chunk.value.start;
    if value.len() > 1 && encloses(value, '\'') {
        let inner = &value[1..value.len() - 1];
        let is_plain = !inner.contains("''");
        let text = match is_plain {
            true => without_controls(inner),
            false => without_controls(&inner.replace("''", "'")),
        };
        let range = setting.chunk.value.clone();
        let edit = (range, quoted(&text));
        let title = "put the text in quotes that do not stand inside it";
        let mend = Mend::new(title, vec![edit]).meant(text);
        return setting.proven(mend.sure_if(is_plain));
    }
    if !value[1..].contains('\'') && comment(value).is_none() {
        let range = start..setting.chunk.value.end;
        let text = without_controls(value[1..].trim_end());
        let mend = Mend::new("close the quote", vec![(range, quoted(&text))]).meant(text);
        return setting.proven(mend.sure_if(false));
    }
    None
}

/// Starts the text of a `|` or `>` on a line of its own.
fn block_text(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    let sign = &value[..1];
    let marks = value[1..].len() - value[1..].trim_start_matches(['+', '-']).len();
    let rest = &value[1 + marks..];
    let text = rest.trim_start();
    if text.len() == rest.len() || text.is_empty() || text.starts_with('#') || text.contains(sign) {
        return None;
    }
    let start = setting.chunk.value.start + 1 + marks;
    let blank = start..start + rest.len() - text.len();
    let edit = (blank, format!("{}  ", setting.line_end));
    setting.proven(Mend::new("start the text on the next line", vec![edit]))
}

/// Starts a list on a line of its own.
fn list_item(setting: &Setting<'_>) -> Option<Mend> {
    let value = setting.value();
    if !value.starts_with("- ") || value[2..].contains(" - ") {
        return None;
    }
    let edit = (
        setting.chunk.colon..setting.chunk.value.start,
        format!("{}  ", setting.line_end),
    );
    setting.proven(Mend::new("start the list on the next line", vec![edit]))
}

/// Mends the value of a line inside a setting: what stands behind its dashes and its key.
pub(super) fn value_edit(
    setting: &Setting<'_>,
    value: Range<usize>,
) -> Option<(Replacement, bool)> {
    let text = &setting.text[value.clone()];
    let (text, is_sure) = match comment(text) {
        None | Some(Comment::Text) => (text, true),
        Some(Comment::Sure(at)) => (text[..at].trim_end(), true),
        Some(Comment::Doubtful(at)) => (text[..at].trim_end(), false),
    };
    let starts_bracket = text.starts_with(['[', '{']) && !text.starts_with("{{");
    let is_sure =
        is_sure && !is_property(text) && !starts_bracket && !text.starts_with(['"', '\'']);
    let range = value.start..value.start + text.len();
    Some(((range, quoted(&without_controls(text))), is_sure))
}

/// Returns whether sentences are meant, as in the description, where other fields hold words.
pub(super) fn is_prose(setting: &Setting<'_>) -> bool {
    setting.field.is_some_and(|field| PROSE.contains(&field))
}
