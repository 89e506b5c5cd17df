//! `{env:NAME}` and `{file:PATH}` in a file of settings, put into its text before it is read.
//!
//! Source of rule: OpenCode's `config/variable.ts`, and its cases `env-token-in-json` and
//! `file-token-*`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use agent_schema::parse::MOST_OF_A_RULE;
use agent_schema::text::{MappedText, Replacement};
use agent_schema::{Diagnostic, Limit, Limits, rules};

use crate::file_tree::{FileError, FileTree};
use crate::inputs::{Inputs, References};

/// The most bytes that a file puts into a text.
const MOST_BYTES: usize = 1 << 20;

const VARIABLE: &str = "{env:";
const FILE: &str = "{file:";

/// A text with its tokens replaced.
pub(crate) struct Replaced<'a> {
    pub(crate) text: MappedText<'a>,
    /// What is wrong with a token that the harness can do nothing with.
    pub(crate) fault: Option<Diagnostic>,
    /// What is told about the others.
    pub(crate) findings: Vec<Diagnostic>,
}

/// Replaces the tokens of a text. Relative paths begin in `folder`.
pub(crate) fn replace<'a>(
    tree: &dyn FileTree,
    text: &MappedText<'a>,
    folder: &Path,
    inputs: &Inputs,
) -> Replaced<'a> {
    let mut findings = Vec::new();
    let mut edits = Edits::within(inputs.limits);
    let text = with_variables(text, inputs, &mut edits, &mut findings);
    let mut out = Replaced {
        fault: edits.too_many(),
        findings,
        text: text.edited(&[]),
    };
    let mut edits = Edits::within(inputs.limits);
    let mut line = 0;
    for token in tokens(text.as_str(), FILE) {
        let before = &text.as_str()[line..token.start];
        line += before.rfind('\n').map_or(0, |end| end + 1);
        if text.as_str()[line..].trim_start().starts_with("//") {
            continue;
        }
        if edits.are_enough() {
            out.fault = out.fault.or(edits.too_many());
            break;
        }
        let name = &text.as_str()[token.start + FILE.len()..token.end - 1];
        let path = resolve(name, folder, inputs);
        if !may_be_read(tree, &path, folder, inputs) {
            edits.leave(text.as_str(), token.clone());
            if out.findings.len() < MOST_OF_A_RULE {
                out.findings.push(not_read(name).at(text.span(token)));
            }
            continue;
        }
        match tree.read(&path, MOST_BYTES) {
            Ok(bytes) => edits.add(token, escaped(&bytes)),
            Err(error) => {
                let fault = unreadable(name, &error).at(text.span(token));
                match out.fault {
                    None => out.fault = Some(fault),
                    Some(_) if out.findings.len() < MOST_OF_A_RULE => out.findings.push(fault),
                    Some(_) => {}
                }
            }
        }
    }
    out.text = text.edited(&edits.list);
    out
}

/// What is put into a text.
struct Edits {
    limits: Limits,
    list: Vec<Replacement>,
    tokens: usize,
    bytes: usize,
}

impl Edits {
    fn within(limits: Limits) -> Self {
        Edits {
            limits,
            list: Vec::new(),
            tokens: 0,
            bytes: 0,
        }
    }

    fn add(&mut self, token: Range<usize>, text: String) {
        self.tokens += 1;
        self.bytes += text.len();
        self.list.push((token, text));
    }

    /// Leaves a token as it is; outside of quotes it would be no JSON, so that it gets some.
    fn leave(&mut self, text: &str, token: Range<usize>) {
        self.tokens += 1;
        if !is_in_quotes(text, token.start) {
            let quoted = format!("\"{}\"", &text[token.clone()]);
            self.list.push((token, quoted));
        }
    }

    fn are_enough(&self) -> bool {
        let limits = &self.limits;
        self.tokens >= limits.of(Limit::Tokens) || self.bytes > limits.of(Limit::TokenBytes)
    }

    fn too_many(&self) -> Option<Diagnostic> {
        let (texts, bytes) = (
            self.limits.of(Limit::Tokens),
            self.limits.of(Limit::TokenBytes),
        );
        self.are_enough().then(|| {
            Diagnostic::new(
                &rules::LIMIT_EXCEEDED,
                format!(
                    "the file is not read: its tokens put more than {texts} texts or \
                     {bytes} bytes into it"
                ),
            )
            .because("a limit of agentry, so that no file can fill the memory")
            .help("use fewer tokens")
        })
    }
}

/// Puts variables into the text as they are, quotes and all. One that is not set is empty; but if
/// not all variables are known, nobody can tell.
fn with_variables<'a>(
    text: &MappedText<'a>,
    inputs: &Inputs,
    edits: &mut Edits,
    findings: &mut Vec<Diagnostic>,
) -> MappedText<'a> {
    let source = text.as_str();
    for token in tokens(source, VARIABLE) {
        if edits.are_enough() {
            break;
        }
        let name = &source[token.start + VARIABLE.len()..token.end - 1];
        match (inputs.variables.get(name), inputs.references) {
            (Some(value), _) => edits.add(token, value.clone()),
            (None, References::All) => edits.add(token, String::new()),
            (None, References::BelowSettings) => {
                edits.leave(source, token.clone());
                if findings.len() < MOST_OF_A_RULE {
                    findings.push(not_read(name).at(text.span(token)));
                }
            }
        }
    }
    text.edited(&edits.list)
}

/// Finds the tokens that begin so: up to the next closing brace, with something in between.
fn tokens<'t>(text: &'t str, opening: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(opening)?;
            let name = start + opening.len();
            let end = name + text[name..].find('}')? + 1;
            at = name;
            if end > name + 1 {
                at = end;
                return Some(start..end);
            }
        }
    })
}

/// Returns whether a text of JSON is open at a place. Of its line only so much is looked at as settings
/// need; further on, a token stands in quotes as nearly all do.
fn is_in_quotes(text: &str, at: usize) -> bool {
    const FURTHEST: usize = 4096;
    let start = at.saturating_sub(FURTHEST);
    let before = &text.as_bytes()[start..at];
    let line = match before.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => &before[end + 1..],
        None if start == 0 => before,
        None => return true,
    };
    let mut is_open = false;
    let mut is_escaped = false;
    for byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_open,
            b'"' => is_open = !is_open,
            _ => {}
        }
    }
    is_open
}

fn resolve(name: &str, folder: &Path, inputs: &Inputs) -> PathBuf {
    match (name.strip_prefix("~/"), &inputs.home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => folder.join(name),
    }
}

/// Returns whether a file may be looked at. Its text ends up in what is printed, so that a file
/// of settings could show the secrets of whoever looks at it.
fn may_be_read(tree: &dyn FileTree, path: &Path, folder: &Path, inputs: &Inputs) -> bool {
    if inputs.references == References::All {
        return true;
    }
    match (tree.real_path(path), tree.real_path(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        // What is not there shows nothing; but only inside the folder is it told.
        (Err(_), _) => path.starts_with(folder) && !path.components().any(is_upwards),
        _ => false,
    }
}

fn is_upwards(part: std::path::Component<'_>) -> bool {
    part == std::path::Component::ParentDir
}

/// Writes a text as it stands between the quotes of JSON, without white space at its ends.
fn escaped(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_matches(agent_schema::coerce::javascript::is_space);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

fn unreadable(name: &str, error: &FileError) -> Diagnostic {
    Diagnostic::new(
        &rules::BROKEN_REFERENCE,
        format!("the file `{name}` cannot be put in here: {error}"),
    )
    .help("write a path that exists; a relative one begins in the folder of this file")
}

fn not_read(name: &str) -> Diagnostic {
    Diagnostic::new(
        &rules::REFERENCE_NOT_READ,
        format!("what `{name}` holds is not looked at, and the token stays as it is"),
    )
    .because(
        "the harness puts it in; agentry looks at no variables and only at files below the folder \
         of the settings unless it is asked to, because what it looks at it may print",
    )
    .help("ask for all references to be read if you trust the file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryTree;

    fn replaced(text: &str, references: References) -> (String, bool, usize) {
        let mut tree = MemoryTree::new();
        tree.write("/p/a.txt", " say \"hi\"\n");
        tree.write("/secret.txt", "key");
        let mut inputs = Inputs::new().home("/h").variable("WORD", "x");
        inputs.references = references;
        let out = replace(&tree, &MappedText::plain(text), Path::new("/p"), &inputs);
        let text = out.text.as_str().to_owned();
        (text, out.fault.is_some(), out.findings.len())
    }

    #[test]
    fn tokens_are_replaced_and_secrets_are_not_shown() {
        let near = References::BelowSettings;
        for (text, references, expected) in [
            (
                "\"{env:WORD}{env:NONE}\"",
                near,
                ("\"x{env:NONE}\"", false, 1),
            ),
            (
                "{\"a\": {env:NONE}}",
                near,
                ("{\"a\": \"{env:NONE}\"}", false, 1),
            ),
            ("{env:NONE}{env:}", References::All, ("{env:}", false, 0)),
            ("{file:a.txt}", near, ("say \\\"hi\\\"", false, 0)),
            (
                "\"{file:../secret.txt}\"",
                near,
                ("\"{file:../secret.txt}\"", false, 1),
            ),
            ("{file:/secret.txt}", References::All, ("key", false, 0)),
            ("{file:b.txt}", near, ("{file:b.txt}", true, 0)),
            (" // {file:b.txt}", near, (" // {file:b.txt}", false, 0)),
        ] {
            let (text, fault, findings) = replaced(text, references);
            assert_eq!((text.as_str(), fault, findings), expected);
        }
    }
}
