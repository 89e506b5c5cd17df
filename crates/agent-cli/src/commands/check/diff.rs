//! What a fix changes, as a unified diff.

use std::path::Path;

use similar::{ChangeTag, TextDiff};

use crate::request::Request;
use crate::text::paint::{self, painted};
use crate::text::printable::printable;

/// How many lines stand around a change.
const AROUND: usize = 3;

/// Writes a unified diff of a file. Outside a terminal it is what a patch program takes; in a
/// terminal it has colours, and nothing in it can move the cursor. Bytes that are not UTF-8 show
/// as U+FFFD.
pub(super) fn unified(request: &Request, path: &Path, old: &[u8], new: &[u8]) -> String {
    let old = String::from_utf8_lossy(old);
    let new = String::from_utf8_lossy(new);
    let diff = TextDiff::from_lines(&*old, &*new);
    let shown = path.to_string_lossy().replace('\\', "/");
    let shown = shown.strip_prefix("./").unwrap_or(&shown);
    let shown = printable(shown);
    let (from, to) = match shown.starts_with('/') {
        true => (shown.clone(), shown),
        false => (format!("a/{shown}"), format!("b/{shown}")),
    };
    let mut unified = diff.unified_diff();
    unified.context_radius(AROUND).header(&from, &to);
    if request.environment.terminal_width.is_none() {
        return unified.to_string();
    }
    let mut text = format!(
        "{}\n{}\n",
        painted(paint::TITLE, format!("--- {from}")),
        painted(paint::TITLE, format!("+++ {to}"))
    );
    for hunk in unified.iter_hunks() {
        text.push_str(&format!("{}\n", painted(paint::NAME, hunk.header())));
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', paint::BAD),
                ChangeTag::Insert => ('+', paint::GOOD),
                ChangeTag::Equal => (' ', paint::PLAIN),
            };
            let line = change.value().trim_end_matches(['\n', '\r']);
            let line = format!("{sign}{}", printable(line));
            text.push_str(&format!("{}\n", painted(style, line)));
        }
    }
    text
}
