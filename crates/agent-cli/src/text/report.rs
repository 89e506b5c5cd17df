//! Findings with an excerpt of their file, in the manner of rustc.

use std::fmt::Write as _;

use agent_schema::{Applicability, Edit, Fix, Severity, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer};

use crate::finding::{FileView, Finding, RelatedPlace};
use crate::text::excerpt::{Excerpt, Labelled, arrange};
use crate::text::paths::Paths;
use crate::text::printable::untrusted;
use crate::text::wrap::wrap;

/// What stands beside the text of an excerpt or note, as a rule.
const GUTTER: usize = "123 = : ".len();

/// The least width of a note, however narrow the terminal is.
const LEAST_NOTE: usize = 20;

/// Renders a finding, with styles.
pub(crate) fn render(finding: &Finding<'_>, paths: &Paths, width: usize) -> String {
    let layout = Layout::new(finding, paths, width);
    let mut report = vec![layout.finding()];
    report.extend(layout.fix());
    let mut text = Renderer::styled().term_width(width).render(&report);
    text.push('\n');
    text
}

/// Renders the lines of a span alone, with styles.
pub(crate) fn excerpt(file: FileView<'_>, span: Span, path: &str, width: usize) -> Option<String> {
    let excerpt = Excerpt::around(file, span, std::iter::empty())?;
    let mark = AnnotationKind::Primary.span(excerpt.range(span));
    let group = Group::with_level(Level::ERROR).element(excerpt.snippet(path).annotation(mark));
    Some(Renderer::styled().term_width(width).render(&[group]))
}

/// Everything that is shown of a finding.
struct Layout<'a> {
    finding: &'a Finding<'a>,
    path: String,
    /// The lines of the finding, if it has a place in a file that was read.
    main: Option<Main<'a>>,
    elsewhere: Vec<Elsewhere<'a>>,
    /// What is told without an excerpt: the kind of note, and its text.
    notes: Vec<(&'static str, String)>,
    fix: Option<(&'a Fix, Excerpt<'a>)>,
}

/// The lines of the finding itself.
struct Main<'a> {
    span: Span,
    excerpt: Excerpt<'a>,
    beside: Vec<Labelled<'a>>,
}

/// Lines of another file.
struct Elsewhere<'a> {
    path: String,
    excerpt: Excerpt<'a>,
    label: Labelled<'a>,
}

impl<'a> Layout<'a> {
    fn new(finding: &'a Finding<'a>, paths: &Paths, width: usize) -> Self {
        let diagnostic = finding.diagnostic;
        let mut layout = Layout {
            finding,
            path: paths.show_file(finding.file),
            main: None,
            elsewhere: Vec::new(),
            notes: Vec::new(),
            fix: None,
        };
        layout.note("why", diagnostic.why.as_deref(), width);
        let (own, others): (Vec<_>, Vec<_>) = finding.related().partition(|it| it.same_file);
        if let Some(span) = diagnostic.span {
            layout.place_main(span, &own, width);
        }
        for place in others {
            layout.place_elsewhere(&place, paths, width);
        }
        let fix = diagnostic.fix.as_deref();
        let fix = fix.filter(|_| finding.file.bytes.is_some());
        // The title of the fix need not be said twice.
        let is_said = |help: &&str| fix.is_some_and(|fix| fix.title == **help);
        let help = diagnostic.help.as_deref().filter(|help| !is_said(help));
        layout.note("help", help, width);
        layout.fix = fix.and_then(|fix| {
            let mut spans = shown(fix).iter().map(|edit| edit.span);
            Some((fix, Excerpt::around(finding.file, spans.next()?, spans)?))
        });
        layout
    }

    /// Adds a note, broken into lines that fit beside the gutter.
    fn note(&mut self, kind: &'static str, text: Option<&str>, width: usize) {
        if let Some(text) = text {
            let room = width.saturating_sub(GUTTER + kind.len()).max(LEAST_NOTE);
            let lines = wrap(&untrusted(text), room);
            self.notes.push((kind, lines.join("\n")));
        }
    }

    fn place_main(&mut self, span: Span, own: &[RelatedPlace<'a>], width: usize) {
        let file = self.finding.file;
        let Some(bytes) = file.bytes else { return };
        let labelled = own.iter().filter_map(|it| Some((it.span?, it.message)));
        let room = width.saturating_sub(GUTTER);
        let (beside, apart) = arrange(bytes, span, labelled, room);
        let excerpt = Excerpt::around(file, span, beside.iter().map(|(span, _)| *span));
        self.main = excerpt.map(|excerpt| Main {
            span,
            excerpt,
            beside,
        });
        for (span, label) in apart {
            let position = file.position(span).map(|at| format!(":{at}"));
            let note = format!("{label}: {}{}", self.path, position.unwrap_or_default());
            self.note("note", Some(&note), width);
        }
    }

    fn place_elsewhere(&mut self, place: &RelatedPlace<'a>, paths: &Paths, width: usize) {
        let path = paths.show_file(place.file);
        let excerpt = place.span.and_then(|span| {
            let excerpt = Excerpt::around(place.file, span, std::iter::empty())?;
            Some((span, excerpt))
        });
        match excerpt {
            Some((span, excerpt)) => self.elsewhere.push(Elsewhere {
                path,
                excerpt,
                label: (span, place.message),
            }),
            None => self.note("note", Some(&format!("{}: {path}", place.message)), width),
        }
    }

    /// The finding with its excerpts and notes.
    fn finding(&self) -> Group<'_> {
        let diagnostic = self.finding.diagnostic;
        let title = level(diagnostic.severity)
            .primary_title(untrusted(&diagnostic.message))
            .id(diagnostic.code());
        let group = match &self.main {
            None => title.element(Origin::path(self.path.as_str())),
            Some(main) => {
                let primary = AnnotationKind::Primary.span(main.excerpt.range(main.span));
                let beside = main.beside.iter().map(|place| main.excerpt.label(*place));
                let snippet = main.excerpt.snippet(&self.path);
                title.element(snippet.annotation(primary).annotations(beside))
            }
        };
        let elsewhere = self.elsewhere.iter().map(|other| {
            let snippet = other.excerpt.snippet(&other.path);
            snippet.annotation(other.excerpt.label(other.label))
        });
        let notes = self.notes.iter().map(|(kind, text)| {
            let level = match *kind {
                "help" => Level::HELP,
                _ => Level::NOTE,
            };
            level.with_name(*kind).message(text.as_str())
        });
        group.elements(elsewhere).elements(notes)
    }

    /// The fix as a change to the file.
    fn fix(&self) -> Option<Group<'_>> {
        let (fix, excerpt) = self.fix.as_ref()?;
        let patches = shown(fix).iter();
        let patches =
            patches.map(|edit| Patch::new(excerpt.range(edit.span), untrusted(&edit.text)));
        let (shown, all) = (shown(fix).len(), fix.edits.len());
        let mut title = format!("{} ({})", fix.title, applicability(fix.applicability));
        if shown < all {
            let _ = write!(title, "; {shown} of {all} places are shown");
        }
        let title = Level::HELP.secondary_title(untrusted(&title));
        Some(title.element(excerpt.snippet(&self.path).patches(patches)))
    }
}

/// The most places of one fix that are shown; `--diff` shows them all.
const MOST_SHOWN: usize = 20;

/// The places of a fix that are shown.
fn shown(fix: &Fix) -> &[Edit] {
    &fix.edits[..fix.edits.len().min(MOST_SHOWN)]
}

/// Who may make a fix.
fn applicability(applicability: Applicability) -> &'static str {
    match applicability {
        Applicability::Safe => "`check --fix` does it",
        Applicability::Unsafe => "unsafe: `check --fix --unsafe-fixes` does it",
        Applicability::ShowOnly => "an example to complete by hand",
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    }
}

#[cfg(test)]
mod tests {
    use agent_schema::{Diagnostic, LineIndex, rules};

    use super::*;
    use crate::finding::Nowhere;
    use crate::text::excerpt::clamped;

    fn rendered(bytes: &[u8], diagnostic: &Diagnostic, width: usize) -> String {
        let file = FileView::new("f.md", None, Some(bytes));
        let finding = Finding {
            diagnostic,
            file,
            elsewhere: &Nowhere,
        };
        let text = render(&finding, &Paths::new(None, None), width);
        anstream::adapter::strip_str(&text).to_string()
    }

    /// Whatever the bytes and the span, the place that is printed is the one that JSON tells.
    #[test]
    fn every_span_is_shown_at_its_place() {
        let samples: [&[u8]; 12] = [
            b"",
            b"a",
            b"\n",
            b"a\r\nb\r\n",
            b"a\rb\r",
            b"a\n\nb",
            "\u{feff}---\n".as_bytes(),
            "é😀\t漢字\n".as_bytes(),
            b"caf\xe9\n\xff\xfe",
            b"\xe6\xbc\n",
            b"\ta: \tb",
            b"\x1b[31m\x00\n",
        ];
        for bytes in samples {
            let lines = LineIndex::new(bytes);
            let length = u32::try_from(bytes.len()).expect("it is short");
            // Nothing can begin between CR and LF or inside a character.
            let text = std::str::from_utf8(bytes);
            let possible = |at: &u32| {
                let at = (*at as usize).min(bytes.len());
                let inside = text.is_ok_and(|text| !text.is_char_boundary(at));
                !inside && clamped(bytes, u32::try_from(at).unwrap_or(0)) == at
            };
            for start in (0..=length + 1).filter(possible) {
                for end in start..=length + 1 {
                    let diagnostic =
                        Diagnostic::new(&rules::YAML_SYNTAX, "wrong").at(Span::new(start, end));
                    let text = rendered(bytes, &diagnostic, 80);
                    let expected = format!("--> f.md:{}\n", lines.line_column(bytes, start));
                    assert!(text.contains(&expected), "{bytes:?} {start}..{end}\n{text}");
                }
            }
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let line = format!("{}wrong{}", "a ".repeat(200), " b".repeat(200));
        let diagnostic = Diagnostic::new(&rules::YAML_SYNTAX, "wrong")
            .at(Span::new(400, 405))
            .and_at(Span::new(0, 800), "the value")
            .and_at(Span::new(10, 11), "far away");
        let text = rendered(line.as_bytes(), &diagnostic, 60);
        assert!(text.contains("a wrong b"), "{text}");
        assert!(text.contains("^^^^^"), "{text}");
        assert!(text.contains("= note: far away: f.md:1:11"), "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 70),
            "{text}"
        );
    }

    #[test]
    fn a_fix_is_shown_as_a_change() {
        let mut diagnostic = Diagnostic::new(&rules::YAML_SYNTAX, "wrong").at(Span::new(0, 1));
        diagnostic.fix = Some(Box::new(Fix {
            title: "put the value in quotes".to_owned(),
            applicability: agent_schema::Applicability::Safe,
            edits: vec![agent_schema::Edit {
                span: Span::new(3, 4),
                text: "\"b\"".to_owned(),
            }],
        }));
        let text = rendered(b"a: b\n", &diagnostic, 80);
        assert!(text.contains("help: put the value in quotes"), "{text}");
        assert!(text.contains("a: \"b\""), "{text}");
    }
}
