//! The sections of a Markdown text, found by their headings.
//!
//! A section reaches from its heading to the next heading of the same or a higher rank. Headings
//! are told as CommonMark does (`## Title`, or a line that is underlined), outside of fenced code.

use std::ops::Range;

/// The title of the section that tells an agent about its team.
pub const YOUR_TEAM: &str = "Your Team";

/// The title of the section with the rules for ending a run.
pub const EXIT_RULES: &str = "Exit rules";

/// Returns the sections whose heading has a title, in order; a section inside another one of the
/// same title is part of it.
///
/// Titles are compared by their letters and digits alone: `## **Your team:**` is `Your Team`.
#[must_use]
pub fn sections(text: &str, title: &str) -> Vec<Range<usize>> {
    let headings = headings(text);
    let wanted = plain_words(title);
    let mut found: Vec<Range<usize>> = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        let inside = found.last().is_some_and(|last| heading.line < last.end);
        if inside || plain_words(&text[heading.title.clone()]) != wanted {
            continue;
        }
        let mut later = headings[index + 1..].iter();
        let next = later.find(|next| next.rank <= heading.rank);
        found.push(heading.line..next.map_or(text.len(), |next| next.line));
    }
    found
}

/// Returns a text without the sections of a title.
///
/// What stood around a section stays apart by an empty line.
#[must_use]
pub fn without_sections(text: &str, title: &str) -> String {
    let mut kept = text.to_owned();
    // Taking a section away could make a heading of what stands around it.
    loop {
        let found = sections(&kept, title);
        if found.is_empty() {
            return kept;
        }
        let mut out = String::with_capacity(kept.len());
        let mut from = 0;
        for section in found {
            add_apart(&mut out, &kept[from..section.start]);
            from = section.end;
        }
        add_apart(&mut out, &kept[from..]);
        kept = out;
    }
}

/// Adds a part of a text behind an empty line.
fn add_apart(out: &mut String, part: &str) {
    if out.is_empty() {
        out.push_str(part);
        return;
    }
    let part = part.trim_start_matches(['\n', '\r']);
    out.truncate(out.trim_end().len());
    out.push_str(if part.is_empty() { "\n" } else { "\n\n" });
    out.push_str(part);
}

/// Returns the line that closes the fenced code which a text leaves open at its end.
#[must_use]
pub fn missing_fence(text: &str) -> Option<String> {
    let mut open: Option<Fence> = None;
    for line in text.lines() {
        step(&mut open, line);
    }
    open.map(|fence| fence.of.to_string().repeat(fence.length))
}

struct Heading {
    /// Where its line begins.
    line: usize,
    title: Range<usize>,
    rank: usize,
}

/// An open fence of code.
#[derive(Debug, Clone, Copy)]
struct Fence {
    of: char,
    length: usize,
}

fn headings(text: &str) -> Vec<Heading> {
    let mut out = Vec::new();
    let mut open = None;
    let mut at = 0;
    let mut above: Option<Range<usize>> = None;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end();
        if step(&mut open, line) {
            above = None;
            continue;
        }
        if let Some((rank, title)) = marked(line) {
            let title = start + title.start..start + title.end;
            out.push(Heading {
                line: start,
                title,
                rank,
            });
            above = None;
        } else if let (Some(rank), Some(title)) = (underline(line), above.take()) {
            out.push(Heading {
                line: title.start,
                title,
                rank,
            });
        } else if !line.trim().is_empty() {
            above = Some(start..start + line.len());
        }
    }
    out
}

/// Takes a line into account for fences. Returns whether it is a fence, or code inside one.
fn step(open: &mut Option<Fence>, line: &str) -> bool {
    let Some(text) = unindented(line) else {
        return open.is_some();
    };
    let of = if text.starts_with('~') { '~' } else { '`' };
    let rest = text.trim_start_matches(of);
    let length = text.len() - rest.len();
    match *open {
        Some(fence) => {
            if fence.of == of && length >= fence.length && rest.trim().is_empty() {
                *open = None;
            }
            true
        }
        // Backticks behind backticks are code inside a line.
        None if length >= 3 && !(of == '`' && rest.contains('`')) => {
            *open = Some(Fence { of, length });
            true
        }
        None => false,
    }
}

/// Returns a line without its indentation, unless that makes it code.
fn unindented(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= 3 && !text.starts_with('\t')).then_some(text)
}

/// Reads `## Title`.
fn marked(line: &str) -> Option<(usize, Range<usize>)> {
    let text = unindented(line)?;
    let rest = text.trim_start_matches('#');
    let rank = text.len() - rest.len();
    let is_heading = (1..=6).contains(&rank) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading.then(|| (rank, line.len() - rest.len()..line.len()))
}

/// Reads a line that makes a heading of the one above it.
fn underline(line: &str) -> Option<usize> {
    let text = unindented(line)?.trim_end();
    match text.as_bytes().first()? {
        b'=' if text.bytes().all(|byte| byte == b'=') => Some(1),
        b'-' if text.bytes().all(|byte| byte == b'-') => Some(2),
        _ => None,
    }
}

/// Returns the letters and digits of a text, in lower case, as words.
fn plain_words(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_told_as_commonmark_does() {
        for (text, count) in [
            ("## Your Team\n", 1),
            ("# Your team\ntext\n## Your Team\n", 1),
            ("## Your Team\n## Your Team ##\n", 2),
            ("   ###### **Your Team:**", 1),
            ("Your Team\n===\n", 1),
            ("Your Team\n\n---\n", 0),
            ("    ## Your Team\n", 0),
            ("```\n## Your Team\n```\n", 0),
            ("~~~~ md\n~~~\n## Your Team\n", 0),
            ("``` a`\n## Your Team\n", 1),
            ("##Your Team\n", 0),
            ("> ## Your Team\n", 0),
            ("## Your Teammates\n", 0),
            ("", 0),
        ] {
            assert_eq!(sections(text, "Your Team").len(), count, "{text:?}");
        }
    }

    #[test]
    fn what_stands_around_a_section_stays() {
        let text = "a\n## Your Team\nx\n### y\nz\n## Next\nb\n";
        assert_eq!(without_sections(text, "Your Team"), "a\n\n## Next\nb\n");
        assert_eq!(without_sections("## Your Team\nx", "Your Team"), "");
    }

    #[test]
    fn an_open_fence_is_noticed() {
        assert_eq!(missing_fence("a\n````md\n```\n"), Some("````".to_owned()));
        assert_eq!(missing_fence("```\na\n```\n"), None);
    }
}
