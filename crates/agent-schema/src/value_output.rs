//! Values written out as text: how far, and what stands for what has no text of its own.

use crate::value::Node;

/// The most nodes that one value is written out to.
pub const MOST_NODES: u32 = 100_000;

/// What stands for the rest of a value that is too large to write out.
pub const CUT: &str = "… (cut: too many nodes)";

/// Returns a key as text: a text as it is, anything else as Python prints it.
#[must_use]
pub fn key_text(node: &Node) -> String {
    crate::coerce::python::text(node).unwrap_or_else(|_| CUT.to_owned())
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk
            .iter()
            .fold(0u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            if digit <= chunk.len() {
                out.push(DIGITS[(word >> (18 - 6 * digit) & 63) as usize] as char);
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_become_base64() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"a"), "YQ==");
        assert_eq!(base64(b"ab"), "YWI=");
        assert_eq!(base64(b"abc"), "YWJj");
    }
}
