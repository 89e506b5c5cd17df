//! Which characters stand in an everyday text.

/// Returns whether a text has nothing but characters that mean the same to every reader.
///
/// Left out are tabs and other control characters, CR that no LF follows, byte order marks, what is
/// no character, and the line ends that YAML 1.1 alone knows.
pub(super) fn are_everyday(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut is_plain = true;
    let mut has_return = false;
    let mut is_ascii = true;
    for byte in bytes {
        is_plain &= matches!(byte, b' '..=b'~' | b'\n' | b'\r' | 0x80..);
        has_return |= *byte == b'\r';
        is_ascii &= byte.is_ascii();
    }
    is_plain
        && (!has_return || has_only_pairs(bytes))
        && (is_ascii || text.chars().all(is_everyday))
}

fn has_only_pairs(bytes: &[u8]) -> bool {
    let pairs = bytes.windows(2).filter(|pair| *pair == b"\r\n").count();
    let returns = bytes.iter().filter(|byte| **byte == b'\r').count();
    pairs == returns
}

fn is_everyday(c: char) -> bool {
    c.is_ascii()
        || !matches!(
            c,
            '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
}
