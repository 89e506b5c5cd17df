//! The page of a rule, for a terminal.

use agent_schema::Rule;
use agent_schema::rules::Part;

use crate::text::Page;
use crate::text::paint::{self, painted};

/// What is left free before the lines of a section.
const INSIDE: usize = 2;
/// What is left free before the lines of a file.
const CODE: usize = 6;

/// Renders the page of a rule, wrapped to a width. The lines of files are not wrapped, so that
/// they can be copied.
pub(crate) fn render(rule: &Rule, width: usize) -> String {
    let mut page = Page::default();
    let code = painted(paint::NAME, rule.code);
    page.line(format!("{code} ({}, {})", rule.severity, rule.room));
    page.gap();
    page.prose(rule.summary(), width);
    let mut in_list = false;
    for part in &rule.parts() {
        if !(in_list && matches!(part, Part::Item(_))) {
            page.gap();
        }
        in_list = matches!(part, Part::Item(_));
        match part {
            Part::Heading(title) => page.line(painted(paint::TITLE, title)),
            Part::Prose(text) => page.indented_prose(INSIDE, text, width),
            Part::Item(text) => item(&mut page, text, width),
            Part::Code { info, text } => code_block(&mut page, info, text),
        }
    }
    page.into_text()
}

fn item(page: &mut Page, text: &str, width: usize) {
    let mut lines = Page::default();
    lines.indented_prose(INSIDE + 2, text, width);
    let lines = lines.into_text();
    let dash = format!("{}- ", " ".repeat(INSIDE));
    page.block(&format!("{dash}{}", lines.trim_start()));
}

fn code_block(page: &mut Page, info: &str, text: &str) {
    let caption = caption(info);
    if !caption.is_empty() {
        let caption = painted(paint::QUIET, caption);
        page.line(format!("{}{caption}", " ".repeat(INSIDE + 2)));
    }
    for line in text.lines() {
        let line = format!("{}{line}", " ".repeat(CODE));
        page.line(line.trim_end());
    }
}

/// Says what a block is, from what stands behind its fence.
fn caption(info: &str) -> String {
    let mut words = info.split(' ');
    let kind = words.next().unwrap_or_default();
    let Some(path) = words.next() else {
        return String::new();
    };
    let what = match kind {
        "link" => "a link to",
        "pipe" => "a pipe",
        "folder" => "a folder",
        "gone" => "removed",
        "bytes" => "`\\xff` is a byte",
        "test" => "tests",
        _ => "",
    };
    let attributes = words.map(|word| match word.split_once('=') {
        Some(("size", size)) => format!("filled up to {size} bytes"),
        Some((name, value)) => format!("{name} {value}"),
        None if word == "repeat" => "`{word*3}` stands for three words".to_owned(),
        None => word.replace('-', " "),
    });
    let said = (!what.is_empty()).then(|| what.to_owned());
    let said: Vec<String> = said.into_iter().chain(attributes).collect();
    match said.is_empty() {
        true => path.to_owned(),
        false => format!("{path} ({})", said.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use agent_schema::rules;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn prose_fits_and_files_are_whole() {
        for rule in rules::ALL {
            let text = render(rule, 60);
            let text = anstream::adapter::strip_str(&text).to_string();
            let is_file = |line: &&str| line.starts_with(&" ".repeat(INSIDE + 2));
            for line in text.lines().filter(|line| !is_file(line)) {
                // A word that is longer stands alone.
                let words = line
                    .trim_start()
                    .trim_start_matches("- ")
                    .split(' ')
                    .count();
                assert!(line.width() <= 60 || words == 1, "{}: {line}", rule.code);
            }
            for part in rule.parts() {
                if let Part::Code { text: file, .. } = part {
                    let mut lines = file.lines();
                    assert!(lines.all(|line| text.contains(line)), "{}", rule.code);
                }
            }
        }
    }

    #[test]
    fn a_block_says_what_it_is() {
        assert_eq!(caption("md a.md"), "a.md");
        assert_eq!(caption("gone a.md"), "a.md (removed)");
        assert_eq!(
            caption("md a.md size=9 no-newline"),
            "a.md (filled up to 9 bytes, no newline)"
        );
        assert_eq!(caption("md"), "");
    }
}
