//! Files that are no UTF-8.

use super::{Patient, Proposal};
use crate::definition::FieldName;
use crate::diagnostic::{Applicability, Diagnostic, Edit};
use crate::source::Span;

/// Writes a file in UTF-16 as UTF-8.
pub(super) fn from_utf_16(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let bytes = patient.file.bytes;
    let edit = Edit {
        span: Span::new(0, u32::try_from(bytes.len()).ok()?),
        text: utf_16(bytes)?,
    };
    Some(proposal(
        "save the file as UTF-8",
        vec![edit],
        Applicability::Safe,
    ))
}

/// Writes the bytes that are no UTF-8 as the characters that they are in Windows-1252.
pub(super) fn from_windows(patient: &Patient<'_>, _finding: &Diagnostic) -> Option<Proposal> {
    let edits = windows_1252(patient.file.bytes)?;
    let title = "save the file as UTF-8, with its bytes read as Windows-1252";
    Some(proposal(title, edits, Applicability::Unsafe))
}

fn proposal(title: &str, edits: Vec<Edit>, at_best: Applicability) -> Proposal {
    Proposal {
        title: title.to_owned(),
        edits,
        at_best,
        changes: vec![(FieldName::PROMPT, None)],
    }
}

/// Reads UTF-16: with a byte order mark, or where every other byte of the first dashes is zero.
fn utf_16(bytes: &[u8]) -> Option<String> {
    let (rest, is_little) = match bytes {
        [0xff, 0xfe, rest @ ..] => (rest, true),
        [0xfe, 0xff, rest @ ..] => (rest, false),
        [b'-', 0, b'-', 0, b'-', 0, ..] => (bytes, true),
        [0, b'-', 0, b'-', 0, b'-', ..] => (bytes, false),
        _ => return None,
    };
    let (pairs, odd) = rest.as_chunks::<2>();
    let unit = |pair: &[u8; 2]| match is_little {
        true => u16::from_le_bytes(*pair),
        false => u16::from_be_bytes(*pair),
    };
    let text: Result<String, _> = char::decode_utf16(pairs.iter().map(unit)).collect();
    text.ok()
        .filter(|text| odd.is_empty() && !text.contains('\0'))
}

/// Returns the edits that write each byte that is no UTF-8 as the character of Windows-1252.
fn windows_1252(bytes: &[u8]) -> Option<Vec<Edit>> {
    /// The characters of the bytes 0x80 to 0x9f; NUL for those that have none.
    const SPECIAL: &str = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";
    let mut edits = Vec::new();
    let mut at = 0u32;
    for chunk in bytes.utf8_chunks() {
        at += u32::try_from(chunk.valid().len()).ok()?;
        for byte in chunk.invalid() {
            let c = match byte {
                0x80..=0x9f => SPECIAL.chars().nth(usize::from(byte - 0x80))?,
                byte => char::from(*byte),
            };
            if c == '\0' {
                return None;
            }
            edits.push(Edit {
                span: Span::new(at, at + 1),
                text: c.to_string(),
            });
            at += 1;
        }
    }
    (!edits.is_empty()).then_some(edits)
}
