//! Comments in a file that say which findings its author knows about and does not want to hear.
//!
//! In a header `# agentry: ignore[code]` on a line of its own is about the next line that is no
//! such comment, at the end of a line about that line, and `# agentry: ignore-file[code]` about
//! the whole file. In a body `<!-- agentry: ignore-file[code] -->` on a line of its own is about
//! the whole file. Several codes are separated by commas.

use std::ops::Range;

use crate::definition::{Definition, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::rules;
use crate::selector::{Selector, UnknownCode};
use crate::source::Span;

/// What begins every such comment, behind its opening.
const MARK: &str = "agentry:";

/// A comment that names findings nobody wants to hear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The whole comment, with its opening.
    pub span: Span,
    /// What it is about.
    pub reach: Reach,
    /// The codes, as written.
    pub codes: Vec<SuppressedCode>,
    /// The bytes to remove to be rid of it.
    whole: Span,
    /// Its line, counted from 1.
    line: u32,
    /// Whether nothing else stands in its line.
    alone: bool,
    /// Whether the agent is told of it, as part of its prompt.
    in_body: bool,
    /// Whether it follows the form of a suppression.
    is_readable: bool,
}

/// How far a suppression reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The findings that begin in this line, counted from 1.
    Line(u32),
    /// All findings of the file.
    File,
}

/// A code of a suppression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedCode {
    /// Where it stands.
    pub span: Span,
    /// The rules that are meant.
    pub rules: Result<Selector, UnknownCode>,
}

impl Suppression {
    /// Returns which of its codes covers a finding of a rule that begins in a line.
    #[must_use]
    pub fn covering(&self, code: &str, line: Option<u32>) -> Option<usize> {
        let in_reach = match self.reach {
            Reach::File => true,
            Reach::Line(at) => line == Some(at),
        };
        let covers = |it: &SuppressedCode| it.rules.as_ref().is_ok_and(|it| it.selects(code));
        self.codes.iter().position(covers).filter(|_| in_reach)
    }

    /// Tells what is wrong with the comment itself. `is_used` says for the number of a code
    /// whether it covers anything.
    #[must_use]
    pub fn faults(&self, is_used: impl Fn(usize) -> bool) -> Vec<Diagnostic> {
        if !self.is_readable {
            let message = "this comment suppresses nothing: it has another form";
            let finding = Diagnostic::new(&rules::UNUSED_SUPPRESSION, message).at(self.span);
            let help = match self.in_body {
                true => "write `<!-- agentry: ignore-file[code] -->`",
                false => "write `# agentry: ignore[code]` or `# agentry: ignore-file[code]`",
            };
            let why = "agentry knows no other form, and takes it for a comment like any other";
            return vec![finding.because(why).help(help)];
        }
        let used: Vec<bool> = (0..self.codes.len()).map(is_used).collect();
        let mut findings = Vec::new();
        for (index, code) in self.codes.iter().enumerate() {
            let finding = match &code.rules {
                Err(unknown) => {
                    let finding = Diagnostic::new(&rules::UNUSED_SUPPRESSION, unknown.to_string())
                        .because("a comment suppresses only the rules that it names exactly");
                    match unknown.nearest {
                        Some(nearest) => finding.help(format!("write `{nearest}`")),
                        None => finding.help("`agentry rule` lists all codes"),
                    }
                }
                Ok(_) if used[index] => continue,
                Ok(_) => {
                    let message = match self.reach {
                        Reach::Line(_) => "nothing is left to suppress in this line",
                        Reach::File => "nothing is left to suppress in this file",
                    };
                    Diagnostic::new(&rules::UNUSED_SUPPRESSION, message)
                        .because("a forgotten comment would hide the next finding of this kind")
                        .help("remove it")
                }
            };
            let mut finding = finding.at(code.span);
            finding.fix = self.removal(&used, index).map(Box::new);
            findings.push(finding);
        }
        findings
    }

    /// A fix that removes the whole comment if none of its codes is used.
    fn removal(&self, used: &[bool], index: usize) -> Option<Fix> {
        let misspelled = self.codes.iter().any(|code| code.rules.is_err());
        if misspelled || index > 0 || used.contains(&true) {
            return None;
        }
        Some(Fix {
            title: "remove the comment".to_owned(),
            // A comment of the body is part of the prompt.
            applicability: match self.in_body {
                true => Applicability::Unsafe,
                false => Applicability::Safe,
            },
            edits: vec![Edit {
                span: self.whole,
                text: String::new(),
            }],
        })
    }
}

/// Finds the suppressions of a file. What was understood of the file tells texts that look like
/// comments from real ones.
#[must_use]
pub fn suppressions(
    file_name: &str,
    bytes: &[u8],
    definitions: &[&Definition],
) -> Vec<Suppression> {
    // Bad bytes hide no mark, and make none.
    if !String::from_utf8_lossy(bytes).contains(MARK) {
        return Vec::new();
    }
    let lines = lines(bytes);
    let header = header_of(file_name, bytes, &lines);
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let comment = match header.contains(&number) {
            true => in_header(bytes, line.clone(), definitions),
            false => in_body(bytes, line.clone()),
        };
        if let Some(comment) = comment {
            found.push(comment.about(bytes, line.clone(), number));
        }
    }
    // A comment above other comments is about the line below all of them.
    let alone = found.iter().filter(|it| it.alone);
    let alone: Vec<u32> = alone.map(|it| it.line).collect();
    for suppression in &mut found {
        while let Reach::Line(line) = &mut suppression.reach
            && alone.contains(line)
        {
            *line += 1;
        }
    }
    found
}

/// A comment whose text is known.
struct Comment {
    /// The whole comment.
    range: Range<usize>,
    /// What stands behind the mark.
    text: Range<usize>,
    in_body: bool,
}

impl Comment {
    fn about(self, bytes: &[u8], line: Range<usize>, number: usize) -> Suppression {
        let alone = bytes[line.start..self.range.start]
            .iter()
            .all(u8::is_ascii_whitespace);
        let text = &bytes[self.text.clone()];
        let (word, codes) = split(text);
        // The numbers of lines here begin at 0.
        let this = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let reach = match word {
            "ignore" if !self.in_body && alone => Some(Reach::Line(this.saturating_add(1))),
            "ignore" if !self.in_body => Some(Reach::Line(this)),
            "ignore-file" => Some(Reach::File),
            _ => None,
        };
        let codes = codes.map(|range| listed(bytes, self.text.start, range));
        let whole = match alone {
            true => line.start..next_line(bytes, line.end),
            false => {
                let before = &bytes[line.start..self.range.start];
                let kept = before.trim_ascii_end().len();
                line.start + kept..self.range.end
            }
        };
        Suppression {
            span: span(self.range),
            reach: reach.unwrap_or(Reach::File),
            is_readable: reach.is_some() && codes.as_ref().is_some_and(|it| !it.is_empty()),
            codes: codes.unwrap_or_default(),
            whole: span(whole),
            line: this,
            alone,
            in_body: self.in_body,
        }
    }
}

/// Splits `ignore[one, two]` into the word and the range between the brackets.
fn split(text: &[u8]) -> (&str, Option<Range<usize>>) {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let Some(open) = text.find('[') else {
        return (text.trim(), None);
    };
    let close = text.find(']').filter(|close| *close > open);
    let rest_is_free = close.is_none_or(|close| {
        // A reason may follow.
        text[close + 1..].starts_with(|c: char| c.is_whitespace()) || close + 1 == text.len()
    });
    let range = close.filter(|_| rest_is_free).map(|close| open + 1..close);
    (text[..open].trim(), range)
}

/// Reads codes that are separated by commas.
fn listed(bytes: &[u8], offset: usize, range: Range<usize>) -> Vec<SuppressedCode> {
    let mut codes = Vec::new();
    let mut at = offset + range.start;
    let end = offset + range.end;
    for part in bytes[at..end].split(|byte| *byte == b',') {
        let lead = part.len() - part.trim_ascii_start().len();
        let code = part.trim_ascii();
        let start = at + lead;
        if !code.is_empty() {
            codes.push(SuppressedCode {
                span: span(start..start + code.len()),
                rules: Selector::new(&String::from_utf8_lossy(code)),
            });
        }
        at += part.len() + 1;
    }
    codes
}

/// Finds a comment that begins with `#` at the start of the line or behind a blank.
fn in_header(bytes: &[u8], line: Range<usize>, definitions: &[&Definition]) -> Option<Comment> {
    let text = &bytes[line.clone()];
    let mut from = 0;
    while let Some(hash) = text[from..].iter().position(|byte| *byte == b'#') {
        let hash = from + hash;
        from = hash + 1;
        let opens = hash == 0 || text[hash - 1].is_ascii_whitespace();
        let inside = &text[hash + 1..];
        let blank = inside.len() - inside.trim_ascii_start().len();
        if opens
            && inside.trim_ascii_start().starts_with(MARK.as_bytes())
            && !is_text(line.start + hash, definitions)
        {
            let begin = line.start + hash + 1 + blank + MARK.len();
            let end = line.start + text.trim_ascii_end().len();
            let lead = bytes[begin..end].len() - bytes[begin..end].trim_ascii_start().len();
            return Some(Comment {
                range: line.start + hash..end,
                text: begin + lead..end,
                in_body: false,
            });
        }
    }
    None
}

/// Finds a comment of Markdown that fills its line.
fn in_body(bytes: &[u8], line: Range<usize>) -> Option<Comment> {
    let text = &bytes[line.clone()];
    let lead = text.len() - text.trim_ascii_start().len();
    let inside = text.trim_ascii().strip_prefix(b"<!--")?;
    let inside = inside.strip_suffix(b"-->")?;
    let blank = inside.len() - inside.trim_ascii_start().len();
    let rest = inside.trim_ascii().strip_prefix(MARK.as_bytes())?;
    let begin = line.start + lead + "<!--".len() + blank + MARK.len();
    let skipped = rest.len() - rest.trim_ascii_start().len();
    Some(Comment {
        range: line.start + lead..line.start + lead + text.trim_ascii().len(),
        text: begin + skipped..begin + rest.len(),
        in_body: true,
    })
}

/// Returns whether an offset lies inside a text that a field holds.
fn is_text(offset: usize, definitions: &[&Definition]) -> bool {
    let mut fields = definitions
        .iter()
        .flat_map(|definition| definition.fields());
    fields.any(|(_, field)| {
        let is_text = matches!(field.value, FieldValue::Text(_));
        let place = field.place.filter(|_| is_text);
        place.is_some_and(|place| {
            (place.value.start as usize..place.value.end as usize).contains(&offset)
        })
    })
}

/// The lines that are YAML: those between two fences at the start, or all of a file that is YAML
/// as a whole.
fn header_of(file_name: &str, bytes: &[u8], lines: &[Range<usize>]) -> Range<usize> {
    if file_name.ends_with(".yaml") || file_name.ends_with(".yml") {
        return 0..lines.len();
    }
    let is_fence = |line: &Range<usize>| {
        let text = bytes[line.clone()].trim_ascii_end();
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        text.starts_with(b"---") && text.iter().all(|byte| *byte == b'-')
    };
    let blank = |line: &&Range<usize>| bytes[(*line).clone()].trim_ascii().is_empty();
    let first = lines.iter().take_while(blank).count();
    if !lines.get(first).is_some_and(is_fence) {
        return 0..0;
    }
    let rest = lines.iter().skip(first + 1);
    let inside = rest.take_while(|line| !is_fence(line)).count();
    first + 1..first + 1 + inside
}

/// The lines without their ends.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let end = bytes[start..].iter().position(|byte| is_end(*byte));
        let end = end.map_or(bytes.len(), |end| start + end);
        lines.push(start..end);
        start = next_line(bytes, end);
    }
    lines
}

/// Returns where the line behind a line end begins.
fn next_line(bytes: &[u8], end: usize) -> usize {
    match bytes.get(end..) {
        Some([b'\r', b'\n', ..]) => end + 2,
        Some([_, ..]) => end + 1,
        _ => bytes.len(),
    }
}

fn is_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

fn span(range: Range<usize>) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(range.start), offset(range.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, dialects, parse};

    fn found(text: &str) -> Vec<Suppression> {
        let dialect = dialects::find("claude-code").expect("it is known");
        let file = File {
            name: "a.md",
            bytes: text.as_bytes(),
        };
        let parsed = parse(file, dialect, dialect.default_profile());
        let definition: Vec<_> = parsed.outcome.definition().into_iter().collect();
        suppressions("a.md", text.as_bytes(), &definition)
    }

    fn fixed(text: &str) -> String {
        let faults = found(text)[0].faults(|_| false);
        let fix = faults[0].fix.as_ref().expect("it can be removed");
        let mended = crate::fix::apply(text.as_bytes(), &fix.edits).expect("it fits");
        String::from_utf8(mended).expect("it is UTF-8")
    }

    #[test]
    fn comments_reach_their_line_the_next_one_or_the_file() {
        let text = "---\nname: a\n# agentry: ignore[yaml-]\n# agentry: ignore[no-tools]\n\
                    description: d # agentry: ignore[torn-name, inert-key] as agreed\n\
                    # agentry: ignore-file[no-header]\n---\nText\n\
                    <!-- agentry: ignore-file[shadowed-name] -->\n# agentry: ignore[no-tools]\n";
        let found = found(text);
        let reach: Vec<Reach> = found.iter().map(|it| it.reach).collect();
        assert_eq!(
            reach,
            [
                Reach::Line(5),
                Reach::Line(5),
                Reach::Line(5),
                Reach::File,
                Reach::File
            ]
        );
        assert_eq!(found[0].covering("yaml-syntax", Some(5)), Some(0));
        assert_eq!(found[0].covering("yaml-syntax", Some(4)), None);
        assert_eq!(found[2].covering("inert-key", Some(5)), Some(1));
        assert_eq!(found[4].covering("shadowed-name", None), Some(0));
        let code = found[2].codes[1].span;
        assert_eq!(&text[code.start as usize..code.end as usize], "inert-key");
    }

    #[test]
    fn a_text_is_no_comment() {
        let text = "---\nname: a\ndescription: \"say # agentry: ignore[no-tools]\"\n\
                    model: >\n  # agentry: ignore[no-tools]\n---\n\
                    Write <!-- agentry: ignore-file[no-tools] --> there.\n";
        assert_eq!(found(text), []);
    }

    #[test]
    fn an_unused_comment_is_told_and_taken_out_whole() {
        let own_line = "---\r\nname: a\r\n# agentry: ignore[no-tools]\r\ndescription: d\r\n---\r\n";
        assert_eq!(
            fixed(own_line),
            "---\r\nname: a\r\ndescription: d\r\n---\r\n"
        );
        let at_end = "---\nname: a\ndescription: d  # agentry: ignore[no-tools]\n---\n";
        assert_eq!(fixed(at_end), "---\nname: a\ndescription: d\n---\n");
    }

    #[test]
    fn what_names_no_rule_or_has_another_form_is_told() {
        let text = "---\nname: a\n# agentry: ignore[no-tolls]\n# agentry: ignore no-tools\n---\n";
        let found = found(text);
        let faults = found[0].faults(|_| true);
        assert_eq!(faults[0].message, "no rule is called `no-tolls`");
        assert_eq!(faults[0].help.as_deref(), Some("write `no-tools`"));
        assert_eq!(found[1].faults(|_| true).len(), 1);
        assert_eq!(found[1].covering("no-tools", Some(5)), None);
    }
}
