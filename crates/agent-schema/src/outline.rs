//! The outline of a prompt: its headings, paragraphs and points, and where its links lead to.
//!
//! The text is read as CommonMark, so code, escaped brackets and comments hold no links.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, LinkType, Parser, Tag, TagEnd};

/// Where a link or an image of a text leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The destination with its escapes taken away.
    pub target: String,
    /// Its bytes in the text, without the brackets around it.
    pub range: Range<usize>,
    /// What leads there.
    pub by: LeadsBy,
}

/// What leads to a destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadsBy {
    /// A link that a reader may follow.
    Link,
    /// An image.
    Image,
}

/// Returns the destinations of a Markdown text, in the order of its bytes.
///
/// Only links that have a text of their own are meant: `[text](target)`, `![text](target)`, and
/// `[text][label]` and `[label][]` with the line that defines the label, which is the place. A mere
/// `[label]` is more often a word in brackets than a link.
#[must_use]
pub fn destinations(text: &str) -> Vec<Destination> {
    // Every form has one of these in it, and most texts have none.
    if !text.contains("](") && !text.contains("][") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut defined = BTreeSet::new();
    let mut open: Vec<Open> = Vec::new();
    let mut labels = Vec::new();
    let mut events = Parser::new(text).into_offset_iter();
    for (event, range) in events.by_ref() {
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                id,
                ..
            }) => open.push(Open::new(LeadsBy::Link, link_type, &dest_url, &id, &range)),
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                id,
                ..
            }) => open.push(Open::new(LeadsBy::Image, link_type, &dest_url, &id, &range)),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                let Some(ended) = open.pop() else { continue };
                match ended.form {
                    LinkType::Inline => {
                        let at = inline_destination(text, ended.text_ends, range.end);
                        found.extend(at.map(|range| ended.destination(range)));
                    }
                    LinkType::Reference | LinkType::Collapsed => labels.push(ended),
                    _ => {}
                }
                note_end(&mut open, range.end);
            }
            _ => note_end(&mut open, range.end),
        }
    }
    let definitions = events.reference_definitions();
    for used in labels {
        let Some(definition) = definitions.get(&used.label) else {
            continue;
        };
        let at = defined_destination(text, definition.span.clone());
        if let Some(range) = at.filter(|range| defined.insert(range.start)) {
            found.push(used.destination(range));
        }
    }
    found.sort_by_key(|destination| destination.range.start);
    found
}

/// A piece of prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its bytes, with the marks inside it.
    pub range: Range<usize>,
}

/// What a piece of prose is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading of a rank from 1 to 6.
    Heading(u8),
    /// The first piece of a point of a list.
    Point,
    /// Anything else.
    Paragraph,
}

/// Returns the prose of a Markdown text, in order; code and HTML that stand apart are left out.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    // Whether inline text belongs to the block that was found last.
    let mut is_open = false;
    let mut kind = BlockKind::Paragraph;
    let mut is_code = false;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Text(_) if is_code => {}
            Event::Start(Tag::Heading { level, .. }) => {
                (is_open, kind) = (false, BlockKind::Heading(rank(level)));
            }
            Event::Start(Tag::Item) => (is_open, kind) = (false, BlockKind::Point),
            Event::Start(Tag::Paragraph) => is_open = false,
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => {
                (is_open, kind) = (false, BlockKind::Paragraph);
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. })
            | Event::Text(_)
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::SoftBreak
            | Event::HardBreak => match found.last_mut().filter(|_| is_open) {
                Some(block) => block.range.end = block.range.end.max(range.end),
                None => {
                    is_open = true;
                    found.push(Block { kind, range });
                }
            },
            Event::Start(Tag::CodeBlock(_)) => (is_open, is_code) = (false, true),
            Event::End(TagEnd::CodeBlock) => {
                (is_code, kind) = (false, BlockKind::Paragraph);
            }
            Event::Start(_) | Event::Html(_) | Event::Rule => is_open = false,
            _ => {}
        }
    }
    found
}

fn rank(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// A link or image whose text is being read.
struct Open {
    by: LeadsBy,
    form: LinkType,
    target: String,
    label: String,
    /// Where the text ends, as far as it was read.
    text_ends: usize,
}

impl Open {
    fn new(by: LeadsBy, form: LinkType, target: &str, label: &str, at: &Range<usize>) -> Self {
        Open {
            by,
            form,
            target: target.to_owned(),
            label: label.to_owned(),
            text_ends: at.start,
        }
    }

    fn destination(self, range: Range<usize>) -> Destination {
        Destination {
            target: self.target,
            range,
            by: self.by,
        }
    }
}

fn note_end(open: &mut [Open], end: usize) {
    if let Some(outer) = open.last_mut() {
        outer.text_ends = outer.text_ends.max(end);
    }
}

/// Finds `target` in `](target "title")`.
fn inline_destination(text: &str, text_ends: usize, end: usize) -> Option<Range<usize>> {
    let rest = text.get(text_ends..end)?;
    destination_from(text, text_ends + rest.find("](")? + 2, end)
}

/// Finds `target` in `[label]: target "title"`.
fn defined_destination(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let rest = text.get(span.clone())?;
    destination_from(text, span.start + rest.find("]:")? + 2, span.end)
}

/// Reads a destination that begins behind white space, to its end.
fn destination_from(text: &str, from: usize, end: usize) -> Option<Range<usize>> {
    let rest = text.get(from..end)?;
    let inside = rest.trim_start();
    let start = end - inside.len();
    if let Some(bracketed) = inside.strip_prefix('<') {
        let length = ends_at(bracketed, |byte, _| byte == b'>');
        return Some(start + 1..start + 1 + length);
    }
    let length = ends_at(inside, |byte, depth| {
        byte.is_ascii_whitespace() || (byte == b')' && depth == 0)
    });
    (length > 0).then(|| start..start + length)
}

/// Returns how far a text reaches until a byte that is not escaped ends it; the end is told how
/// many round brackets are open there.
fn ends_at(text: &str, ends: impl Fn(u8, usize) -> bool) -> usize {
    let mut depth = 0;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if escaped {
            escaped = false;
            continue;
        }
        if ends(byte, depth) {
            return at;
        }
        match byte {
            b'\\' => escaped = true,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(String, &str)> {
        let found = destinations(text).into_iter();
        found.map(|it| (it.target, &text[it.range])).collect()
    }

    #[test]
    fn places_of_destinations_are_exact() {
        for (text, expected) in [
            ("see [a](b.md)", vec![("b.md", "b.md")]),
            ("[a]( <b c.md> \"t\" )", vec![("b c.md", "b c.md")]),
            ("[a](b\\_c.md 'x](y)')", vec![("b_c.md", "b\\_c.md")]),
            ("[a](b(c).md)", vec![("b(c).md", "b(c).md")]),
            ("[`](x)`](b.md)", vec![("b.md", "b.md")]),
            ("[a\\](x)](b.md)", vec![("b.md", "b.md")]),
            (
                "[![i](i.png)](b.md)",
                vec![("i.png", "i.png"), ("b.md", "b.md")],
            ),
            ("[](b.md)", vec![("b.md", "b.md")]),
            ("[a][x] [x][]\n\n[x]: b.md\n", vec![("b.md", "b.md")]),
            ("- [a\r\nc](b.md)\r\n", vec![("b.md", "b.md")]),
            ("> [é](ü/b.md)", vec![("ü/b.md", "ü/b.md")]),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(target, written)| (target.to_owned(), written))
                .collect();
            assert_eq!(seen(text), expected, "{text:?}");
        }
    }

    #[test]
    fn prose_is_told_from_code() {
        use BlockKind::{Heading, Paragraph, Point};
        let text = "## A *b*\r\n\r\nc `d`\ne\n\n```\nf\n```\n- g **h**: i\n  - j\n\n> k\n\n1. l\n\n   m\n\nn\n===\n";
        let found = blocks(text).into_iter();
        let found: Vec<_> = found.map(|it| (it.kind, &text[it.range])).collect();
        assert_eq!(
            found,
            [
                (Heading(2), "A *b*"),
                (Paragraph, "c `d`\ne"),
                (Point, "g **h**: i"),
                (Point, "j"),
                (Paragraph, "k"),
                (Point, "l"),
                (Paragraph, "m"),
                (Heading(1), "n"),
            ]
        );
    }

    #[test]
    fn what_is_no_link_leads_nowhere() {
        for text in [
            "`[a](b.md)`",
            "```\n[a](b.md)\n```\n",
            "    [a](b.md)\n",
            "<!-- [a](b.md) -->",
            "\\[a](b.md)",
            "[a] (b.md)",
            "[Role]: b.md\n\nThe [Role] is given.",
            "[a]()",
            "<https://a.b/c.md>",
        ] {
            assert_eq!(seen(text), [], "{text:?}");
        }
    }
}
