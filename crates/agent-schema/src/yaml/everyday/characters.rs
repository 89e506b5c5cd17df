//! Which characters stand in an everyday text.

/// Returns whether a text has nothing but characters that mean the same to every reader.
///
/// Left out are tabs and other control characters, CR that no LF follows, byte order marks, what is
/// no character, and the line ends that YAML 1.1 alone knows.
pub(super) fn are_everyday(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().fold(0, |found, byte| found | control(*byte)) == 0
        && has_only_pairs(bytes)
        && (text.is_ascii() || text.chars().all(is_everyday))
}

/// Returns 1 for a control character that is no part of a line end. Without branches, so that the
/// processor can look at many bytes at once.
fn control(byte: u8) -> u8 {
    let is_control = (byte < b' ') & (byte != b'\n') & (byte != b'\r');
    u8::from(is_control) | u8::from(byte == 0x7f)
}

fn has_only_pairs(bytes: &[u8]) -> bool {
    let mut ends = bytes.split(|byte| *byte == b'\r').skip(1);
    !bytes.contains(&b'\r') || ends.all(|rest| rest.starts_with(b"\n"))
}

fn is_everyday(c: char) -> bool {
    c.is_ascii()
        || !matches!(
            c,
            '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
}
