//! Names and values of files, made safe to print: no file can move the cursor or turn the text.

use annotate_snippets::normalize_untrusted_str;

/// Returns a text on one line in which every invisible control is shown as an escape.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_never_printed(c) => {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns a text for a report. The renderer shows most characters that are never printed by
/// pictures; those that it lets through are written as escapes.
pub(crate) fn untrusted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_invisible(c) || ('\u{80}'..='\u{9f}').contains(&c) => {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    normalize_untrusted_str(&out)
}

/// Writes what is never printed as escapes of JSON: between its quotes they mean the same.
pub(crate) fn escaped_in_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        // Line ends and tabs stand between values; inside of them they are escaped already.
        if matches!(c, '\n' | '\t' | '\r') || !is_never_printed(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
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

fn is_never_printed(c: char) -> bool {
    c.is_control() || is_direction(c) || is_invisible(c)
}

/// Characters that turn the direction of the text around them.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters that break lines or show nothing, and so hide what stands there. Those that join other
/// characters stay: emoji and many scripts need them.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}'
            | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown() {
        assert_eq!(printable("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
        assert_eq!(printable("é 漢 👩‍💻"), "é 漢 👩‍💻");
        assert_eq!(printable("\u{202e}x"), "\\u{202e}x");
        assert_eq!(printable("a\u{9b}2J\u{85}"), "a\\u{9b}2J\\u{85}");
        assert_eq!(printable("a\u{2028}b\u{200b}"), "a\\u{2028}b\\u{200b}");
        assert_eq!(printable("\u{e0041}"), "\\u{e0041}");
    }

    #[test]
    fn the_beginning_is_one_line() {
        assert_eq!(beginning(" one\n  two three ", 8), "one two…");
        assert_eq!(beginning("one twothree", 7), "one two…");
        assert_eq!(beginning("short", 8), "short");
    }

    #[test]
    fn json_means_the_same_after_it_is_escaped() {
        let text = "a\u{9b}\u{202e}\u{e0041}\u{7f} é 🦀\n";
        let json = serde_json::to_string_pretty(&[text]).expect("it can be written");
        let escaped = escaped_in_json(&json);
        assert!(!escaped.contains(['\u{9b}', '\u{202e}', '\u{e0041}', '\u{7f}']));
        let read: Vec<String> = serde_json::from_str(&escaped).expect("it is JSON");
        assert_eq!(read, [text]);
    }
}
