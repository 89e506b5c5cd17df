//! Prose that says which tools an agent has, in a prompt that cannot set them.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::outline::{Block, BlockKind, blocks};
use crate::roster::ToolProse;

impl ToolProse {
    /// Returns the places in a Markdown text that say which tools an agent has, in order.
    ///
    /// `known` are names of tools; any other word counts as one only if it is written as code.
    #[must_use]
    pub fn restated(&self, text: &str, known: &BTreeSet<&str>) -> Vec<Range<usize>> {
        let outline = blocks(text);
        let mut found = Vec::new();
        for (index, block) in outline.iter().enumerate() {
            let prose = &text[block.range.clone()];
            let at = block.range.start;
            if let BlockKind::Heading(rank) = block.kind {
                let is_meant = self.labels.contains(&plain(prose).as_str())
                    && lists_tools(text, rank, &outline[index + 1..], known);
                found.extend(is_meant.then(|| block.range.clone()));
                continue;
            }
            let lines = lines(prose);
            let labelled = lines.filter(|line| self.is_labelled_list(&prose[line.clone()], known));
            let labelled = labelled.map(|line| at + line.start..at + line.end);
            let said = self.said(prose, known);
            let said = said.into_iter().map(|it| at + it.start..at + it.end);
            found.extend(labelled.chain(said));
        }
        found.sort_by_key(|range| range.start);
        found
    }

    /// Reads `Tools: a, b`.
    fn is_labelled_list(&self, line: &str, known: &BTreeSet<&str>) -> bool {
        let Some((label, names)) = line.split_once(':') else {
            return false;
        };
        let names = names.trim().trim_matches(['*', '[', ']', '.', ' ']);
        let mut named = 0;
        let mut sure = false;
        for name in names.split(',') {
            let name = name.trim();
            let name = name.strip_prefix("and ").unwrap_or(name).trim();
            if !is_one_word(bare(name)) {
                return false;
            }
            named += 1;
            sure |= is_named(name, known);
        }
        self.labels.contains(&plain(label).as_str()) && (sure || named > 1)
    }

    /// Finds sentences such as `You may only use the tools …`.
    fn said(&self, prose: &str, known: &BTreeSet<&str>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for sentence in sentences(prose) {
            let words = words(prose, sentence);
            let behind = |phrases: &[&str]| {
                phrases.iter().find_map(|phrase| {
                    let phrase: Vec<&str> = phrase.split(' ').collect();
                    let mut windows = words.windows(phrase.len());
                    let from = windows.position(|window| {
                        let mut pairs = window.iter().zip(&phrase);
                        pairs.all(|(word, wanted)| word.plain == *wanted)
                    })?;
                    Some((from, &words[from + phrase.len()..]))
                })
            };
            let (from, rest, names_needed) = match (behind(self.limits), behind(self.advice)) {
                (Some((from, rest)), _) => (from, rest, false),
                (None, Some((from, rest))) => (from, rest, true),
                (None, None) => continue,
            };
            let tools = rest
                .iter()
                .position(|word| matches!(word.plain.as_str(), "tool" | "tools"));
            let Some(tools) = tools else { continue };
            let next = rest.get(tools + 1).map(|word| word.plain.as_str());
            if next.is_some_and(|next| self.conditions.contains(&next)) {
                continue;
            }
            let is_code = |word: &&Word<'_>| is_named(word.written, known);
            if names_needed && !rest.iter().any(|word| is_code(&word)) {
                continue;
            }
            let (Some(first), Some(last)) = (words.get(from), words.last()) else {
                continue;
            };
            found.push(first.range.start..last.range.end);
        }
        found
    }
}

/// A word of a sentence.
struct Word<'a> {
    written: &'a str,
    /// In lower case, without the signs around it.
    plain: String,
    range: Range<usize>,
}

fn words(prose: &str, sentence: Range<usize>) -> Vec<Word<'_>> {
    let text = &prose[sentence.clone()];
    let found = text.split_whitespace().map(|written| {
        // The part lies in the text, so its place is the distance between the two.
        let start = sentence.start + (written.as_ptr() as usize - text.as_ptr() as usize);
        let inside = written.trim_matches(|c: char| !c.is_alphanumeric());
        Word {
            written,
            plain: inside.to_lowercase().replace('’', "'"),
            range: start..start + written.len(),
        }
    });
    found.collect()
}

/// Returns the sentences of a piece of prose, without what stands between them.
fn sentences(prose: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, sign) in prose.char_indices() {
        let end = at + sign.len_utf8();
        let rest = &prose[end..];
        if matches!(sign, '.' | '!' | '?' | ';')
            && (rest.is_empty() || rest.starts_with(char::is_whitespace))
        {
            found.push(start..end);
            start = end;
        }
    }
    found.push(start..prose.len());
    found
}

fn lines(prose: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    prose.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end().len()
    })
}

/// Returns whether what follows a heading, as far as the next one of its rank, is a list of which
/// every point begins with a tool.
fn lists_tools(text: &str, rank: u8, after: &[Block], known: &BTreeSet<&str>) -> bool {
    let is_next = |block: &&Block| matches!(block.kind, BlockKind::Heading(it) if it <= rank);
    let end = after.iter().position(|block| is_next(&block));
    let section = &after[..end.unwrap_or(after.len())];
    let mut points = section
        .iter()
        .filter(|block| block.kind == BlockKind::Point)
        .peekable();
    points.peek().is_some()
        && points.all(|point| {
            let point = text[point.range.clone()].trim_start_matches('*');
            let name = point.split([' ', ':', ',', '\n', '*']).next();
            name.is_some_and(|name| is_named(name, known))
        })
}

/// Returns whether a word is a tool: a known one, or a word that is written as code.
fn is_named(written: &str, known: &BTreeSet<&str>) -> bool {
    let written = written.trim_matches(['*', '.', ',', ';', ':', '(', ')', '"']);
    let name = bare(written);
    known.contains(name)
        || (written.len() > name.len() && written.starts_with('`') && is_one_word(name))
}

fn bare(written: &str) -> &str {
    written.trim_matches(['`', '\'', '"', '*'])
}

fn is_one_word(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    !name.is_empty() && name.chars().all(fits)
}

/// Returns the letters and digits of a text, in lower case, as words.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects;

    fn seen(text: &str) -> Vec<&str> {
        let dialect = dialects::find("nebuko").expect("it is known");
        let roster = dialect.default_profile().rules.roster.as_ref();
        let prose = &roster.expect("it has a roster").prompts.tool_prose;
        let known = BTreeSet::from(["read_file", "grep", "call_agent"]);
        let found = prose.restated(text, &known);
        found.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn limits_in_prose_are_found_where_they_stand() {
        for (text, expected) in [
            (
                "Be kind. You may only use the read-only\ntools. Stop.",
                vec!["You may only use the read-only\ntools."],
            ),
            ("Tools: grep, hammer", vec!["Tools: grep, hammer"]),
            (
                "x\r\n\r\n- **Allowed tools**: `a_b`\r\n- y",
                vec!["**Allowed tools**: `a_b`"],
            ),
            ("Work.\nTools: [read_file]\n", vec!["Tools: [read_file]"]),
            (
                "## Tools\n\n- `x`: reads\n- **grep** finds\n",
                vec!["Tools"],
            ),
            ("Only use the grep tool!", vec!["Only use the grep tool!"]),
            (
                "> Don’t use the `bash` tool.",
                vec!["Don’t use the `bash` tool."],
            ),
            (
                "You may not use any tools that write; ask instead.",
                vec!["You may not use any tools that write;"],
            ),
        ] {
            assert_eq!(seen(text), expected, "{text:?}");
        }
    }

    #[test]
    fn ordinary_prose_is_left_alone() {
        for text in [
            "Use the tools that the task needs. Read with grep first.",
            "Only use tools when you must. Do not use tools before you have read the plan.",
            "Use only verified facts. The tools of the trade: patience and care.",
            "Tools: choose the right one for each step, and say why",
            "## Tools\n\nHow to choose one.\n\n- Think first.\n- Then `grep`.\n",
            "## Tools\n\n## Next\n\n- `grep`\n",
            "Do not use the `git` tool to push.",
            "```\nTools: grep, read_file\nYou may only use the grep tool.\n```\n",
            "    Tools: grep\n",
            "Search with `grep`; you may only use what you find. Tools help.",
            "",
        ] {
            assert_eq!(seen(text), [""; 0], "{text:?}");
        }
    }
}
