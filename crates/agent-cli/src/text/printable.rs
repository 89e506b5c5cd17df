//! Names and values of files, made safe to print: no file can move the cursor or turn the text.

/// Returns a text on one line in which every invisible control is shown as an escape.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || is_direction(c) || c == '\u{feff}' => {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns the beginning of a text on one line.
pub(crate) fn beginning(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", printable(line[..end].trim_end())),
        None => printable(&line),
    }
}

/// Characters that turn the direction of the text around them.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown() {
        assert_eq!(printable("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
        assert_eq!(printable("é 漢 👩‍💻"), "é 漢 👩‍💻");
        assert_eq!(printable("\u{202e}x"), "\\u{202e}x");
    }

    #[test]
    fn the_beginning_is_one_line() {
        assert_eq!(beginning(" one\n  two three ", 8), "one two…");
        assert_eq!(beginning("one twothree", 7), "one two…");
        assert_eq!(beginning("short", 8), "short");
    }
}
