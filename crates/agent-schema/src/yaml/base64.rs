//! Base64 as Python's `base64.decodebytes` reads it: other characters are skipped.

use super::flavor::Unreadable;

/// Decodes a text.
///
/// Source of rule: CPython's `binascii.a2b_base64` in its lenient mode.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Unreadable> {
    if !text.is_ascii() {
        return Err(Unreadable::new(
            "is not base64: it has letters outside ASCII",
        ));
    }
    let mut bytes = Vec::new();
    let mut place = 0;
    let mut pads = 0;
    let mut left = 0u8;
    for byte in text.bytes() {
        if byte == b'=' {
            if place >= 2 {
                pads += 1;
                if place + pads >= 4 {
                    return Ok(bytes);
                }
            }
            continue;
        }
        let Some(digit) = digit(byte) else {
            continue;
        };
        pads = 0;
        match place {
            0 => left = digit,
            1 => {
                bytes.push(left << 2 | digit >> 4);
                left = digit & 0x0f;
            }
            2 => {
                bytes.push(left << 4 | digit >> 2);
                left = digit & 0x03;
            }
            _ => bytes.push(left << 6 | digit),
        }
        place = (place + 1) % 4;
    }
    if place == 0 {
        return Ok(bytes);
    }
    Err(Unreadable::new("is not base64: it ends too early"))
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_is_lenient_as_in_python() {
        let cases: [(&str, Option<&[u8]>); 8] = [
            ("aGk=", Some(b"hi")),
            ("aG k=\n", Some(b"hi")),
            ("aGVsbG8h", Some(b"hello!")),
            ("aA==ignored", Some(b"h")),
            ("=aA==", Some(b"h")),
            ("", Some(b"")),
            ("a", None),
            ("aGk", None),
        ];
        for (text, expected) in cases {
            assert_eq!(decode(text).ok().as_deref(), expected, "{text}");
        }
    }
}
