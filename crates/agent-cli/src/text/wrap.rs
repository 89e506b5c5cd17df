//! Prose, broken between words.

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthStr;

/// Breaks prose into lines that are at most so wide; styles take no room. A longer word stands
/// on a line of its own.
pub(crate) fn wrap(prose: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in prose.split('\n') {
        let mut line = String::new();
        let mut used = 0;
        for word in paragraph.split_whitespace() {
            let needed = shown_width(word);
            if used > 0 && used + 1 + needed > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += needed;
        }
        lines.push(line);
    }
    lines
}

/// The room that a text takes in a terminal.
pub(crate) fn shown_width(text: &str) -> usize {
    strip_str(text).map(UnicodeWidthStr::width).sum()
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("a-very-long-word b", 4), ["a-very-long-word", "b"]);
        assert_eq!(wrap("one\ntwo", 80), ["one", "two"]);
        assert_eq!(wrap("漢字 漢字", 5), ["漢字", "漢字"]);
        assert_eq!(
            wrap("\u{1b}[1mone\u{1b}[0m two", 7),
            ["\u{1b}[1mone\u{1b}[0m two"]
        );
    }
}
