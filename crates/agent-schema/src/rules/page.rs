//! The page of a rule: its parts in order, and how what it says is known.

use crate::rules::Rule;

/// The sections that every page has, in this order.
pub const SECTIONS: [&str; 5] = ["What", "Why it matters", "Example", "Fix", "Evidence"];

/// The section that a page has last, if what it says has limits.
pub const LIMITS: &str = "Limits";

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The title of a section; that of the page itself is no part.
    Heading(&'static str),
    /// A paragraph on one line.
    Prose(String),
    /// A point of a list, on one line.
    Item(String),
    /// A fenced block.
    Code {
        /// What stands behind the fence: a language or a kind, a path, and attributes.
        info: &'static str,
        /// The lines of the block, each with its end.
        text: String,
    },
}

/// How a rule is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceBasis {
    /// The harness ran and did so.
    Ran,
    /// Its documentation or source says so.
    Read,
    /// It is a limit or a convention of our own.
    Ours,
}

/// One point of the section `Evidence`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// How it is known.
    pub basis: EvidenceBasis,
    /// The harnesses with their versions, as `TITLE PROFILE`; empty for what is ours.
    pub harnesses: Vec<String>,
    /// The recorded cases that show it, as paths below `tests/conformance`, without an ending.
    pub cases: Vec<String>,
    /// What else is said, maybe nothing.
    pub note: String,
}

impl Rule {
    /// Returns the parts of the page behind its title and summary.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = parts(self.page);
        if !parts.is_empty() {
            parts.remove(0);
        }
        parts
    }

    /// Returns the parts of one section; none if the page has no such section.
    #[must_use]
    pub fn section(&self, title: &str) -> Vec<Part> {
        let is_wanted = |part: &Part| matches!(part, Part::Heading(heading) if *heading == title);
        let parts = self.parts().into_iter();
        let inside = parts.skip_while(|part| !is_wanted(part)).skip(1);
        inside
            .take_while(|part| !matches!(part, Part::Heading(_)))
            .collect()
    }

    /// Returns how the rule is known.
    ///
    /// # Errors
    ///
    /// Returns the first point that does not have the form of evidence.
    pub fn evidence(&self) -> Result<Vec<Evidence>, String> {
        let items = self.section("Evidence").into_iter();
        let items = items.map(|part| match part {
            Part::Item(item) => evidence(&item).ok_or(item),
            Part::Prose(text) => Err(text),
            Part::Heading(text) | Part::Code { info: text, .. } => Err(text.to_owned()),
        });
        items.collect()
    }
}

/// Splits a page into its parts, without the title.
fn parts(page: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = page.lines();
    let mut open = false;
    while let Some(line) = lines.next() {
        let fence = line.len() - line.trim_start_matches('`').len();
        if fence >= 3 {
            let (fence, info) = line.split_at(fence);
            let inside = lines.by_ref().take_while(|line| *line != fence);
            let text = inside.map(|line| format!("{line}\n")).collect();
            parts.push(Part::Code { info, text });
            open = false;
        } else if let Some(heading) = line.strip_prefix("## ") {
            parts.push(Part::Heading(heading));
            open = false;
        } else if line.starts_with("# ") || line.trim().is_empty() {
            open = false;
        } else if let Some(item) = line.strip_prefix("- ") {
            parts.push(Part::Item(item.to_owned()));
            open = true;
        } else if let (true, Some(Part::Prose(text) | Part::Item(text))) = (open, parts.last_mut())
        {
            text.push(' ');
            text.push_str(line.trim());
        } else {
            parts.push(Part::Prose(line.trim().to_owned()));
            open = true;
        }
    }
    parts
}

/// Reads a point such as ``ran: Pi mjakl-3.0.1, case `pi/parse/name-is-number`: a note``.
fn evidence(item: &str) -> Option<Evidence> {
    let (basis, said) = item.split_once(": ")?;
    let basis = match basis {
        "ran" => EvidenceBasis::Ran,
        "read" => EvidenceBasis::Read,
        "ours" => EvidenceBasis::Ours,
        _ => return None,
    };
    if basis == EvidenceBasis::Ours {
        return Some(Evidence {
            basis,
            harnesses: Vec::new(),
            cases: Vec::new(),
            note: said.to_owned(),
        });
    }
    let (said, note) = said.split_once(": ").unwrap_or((said, ""));
    let (who, cases) = match said.split_once(", case") {
        Some((who, cases)) => (who, cases.strip_prefix('s').unwrap_or(cases)),
        None => (said, ""),
    };
    let cases = enumerated(cases).map(|case| {
        let case = case.strip_prefix('`')?.strip_suffix('`')?;
        Some(case.to_owned())
    });
    Some(Evidence {
        basis,
        harnesses: enumerated(who).map(str::to_owned).collect(),
        cases: cases.collect::<Option<_>>()?,
        note: note.to_owned(),
    })
}

/// Splits `a, b and c`.
fn enumerated(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(", ").flat_map(|part| part.split(" and "));
    words.map(str::trim).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_parts() {
        let page = "# code\n\nOne line.\n\n## What\n\nTwo\nlines.\n- a\n  b\n- c\n\n```md x.md\n## Body\n```\n";
        let expected = [
            Part::Prose("One line.".to_owned()),
            Part::Heading("What"),
            Part::Prose("Two lines.".to_owned()),
            Part::Item("a b".to_owned()),
            Part::Item("c".to_owned()),
            Part::Code {
                info: "md x.md",
                text: "## Body\n".to_owned(),
            },
        ];
        assert_eq!(parts(page), expected);
    }

    #[test]
    fn evidence_has_a_form() {
        let read = evidence("ran: Pi mjakl-3.0.1 and Pi recommended, cases `a/b`, `c/d`: so it is");
        let expected = Evidence {
            basis: EvidenceBasis::Ran,
            harnesses: vec!["Pi mjakl-3.0.1".to_owned(), "Pi recommended".to_owned()],
            cases: vec!["a/b".to_owned(), "c/d".to_owned()],
            note: "so it is".to_owned(),
        };
        assert_eq!(read, Some(expected));
        assert_eq!(evidence("guessed: Pi"), None);
        assert_eq!(evidence("ran: Pi recommended, case a/b"), None);
        let ours = evidence("ours: a limit: 3").map(|ours| ours.note);
        assert_eq!(ours.as_deref(), Some("a limit: 3"));
    }
}
