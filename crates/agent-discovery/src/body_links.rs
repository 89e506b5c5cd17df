//! Links in a prompt that lead to a file which is not there.

use std::path::{Component, Path, PathBuf};

use agent_schema::outline::{Destination, LeadsBy, destinations};
use agent_schema::parse::MOST_OF_A_RULE;
use agent_schema::text::MappedText;
use agent_schema::{Definition, Diagnostic, FieldName, Profile, Span, rules};

use crate::file_tree::{FileError, FileTree};
use crate::skill_settings::normal;

/// What shows that a destination is a pattern, a variable or an address, or is cut short.
const NOT_PLAIN: &[char] = &[
    '*', '?', '{', '}', '[', ']', '<', '>', '$', '%', ':', '|', '\\', '\n', '…',
];

/// Parts of paths, without their ending and in lower case, that stand for something else.
const STAND_INS: &[&str] = &[
    "...",
    "a",
    "article",
    "bar",
    "doc",
    "dest",
    "destination",
    "document",
    "example",
    "examples",
    "file",
    "filename",
    "filepath",
    "folder",
    "foo",
    "image",
    "img",
    "link",
    "name",
    "other",
    "page",
    "path",
    "relative",
    "slug",
    "some",
    "target",
    "test",
    "title",
    "topic",
    "url",
    "x",
    "xxx",
    "yyyy",
];

/// Words at the start or end of a part of a path, behind or before `-` or `_`, that say the same.
const STAND_IN_WORDS: &[&str] = &["example", "name", "path", "your", "some", "xxx", "yyyy"];

/// Endings of the first part of a path that make it the name of a host.
const HOSTS: &[&str] = &["app", "com", "dev", "gov", "io", "net", "org"];

/// Returns a finding for each relative link or image in a body whose file is neither beside the
/// file at `path` nor in the project.
///
/// `body` are the bytes of the body in `bytes`. The tree is only asked for paths inside the project
/// or, for a file outside of it, inside the folder of that file; other links are not judged.
#[must_use]
pub fn broken_links(
    tree: &dyn FileTree,
    project: &Path,
    path: &Path,
    bytes: &[u8],
    body: Span,
) -> Vec<Diagnostic> {
    let text = bytes.get(body.start as usize..body.end as usize);
    let Some(text) = text.and_then(|text| std::str::from_utf8(text).ok()) else {
        return Vec::new();
    };
    let found = destinations(text);
    if found.is_empty() {
        return Vec::new();
    }
    let (project, path) = (normal(project), normal(path));
    let Some(folder) = path.parent() else {
        return Vec::new();
    };
    let is_inside = path.is_absolute() == project.is_absolute() && path.starts_with(&project);
    let root = if is_inside { &project } else { folder };
    let mut findings: Vec<Diagnostic> = found
        .into_iter()
        .filter_map(|destination| {
            let target = relative_path(&destination.target)?;
            let places = [(folder, root), (&project, &project)];
            let is_broken = |(from, inside): (&Path, &Path)| {
                let at = normal(&from.join(&target));
                let stays = at.starts_with(inside) && !climbs(&at);
                stays.then(|| {
                    matches!(
                        tree.kind(&at),
                        Err(FileError::Missing | FileError::NotAFolder)
                    )
                })
            };
            // A link that is not judged from the folder of the file is not judged at all.
            let is_broken = is_broken(places[0])? && is_broken(places[1]).unwrap_or(true);
            is_broken.then(|| broken(&destination, body.start))
        })
        .collect();
    if let Some(rest) = findings.len().checked_sub(MOST_OF_A_RULE + 1) {
        findings.truncate(MOST_OF_A_RULE);
        findings.push(Diagnostic::more(&rules::BROKEN_BODY_LINK, rest + 1));
    }
    findings
}

/// Returns the bytes of the body that is an agent's prompt, if the prompt is the body of its file
/// and these are the bytes of that file.
#[must_use]
pub fn body_of(definition: &Definition, bytes: &[u8]) -> Option<Span> {
    let place = definition.place(FieldName::PROMPT)?;
    let body = bytes.get(place.value.start as usize..place.value.end as usize)?;
    let body = std::str::from_utf8(body).ok()?;
    let prompt = definition.prompt()?;
    let same = body == prompt || body.split_whitespace().eq(prompt.split_whitespace());
    (place.key == place.value && same).then_some(place.value)
}

/// Returns the bytes of what follows the header of a skill.
#[must_use]
pub fn body_of_skill(profile: &Profile, bytes: &[u8]) -> Option<Span> {
    let rules = &profile.rules.reading;
    let text = MappedText::decode(bytes, rules.encoding).ok()?;
    let body = rules.header.split(&text).body;
    Some(text.span(body))
}

fn broken(destination: &Destination, body: u32) -> Diagnostic {
    let what = match destination.by {
        LeadsBy::Link => "link",
        LeadsBy::Image => "image",
    };
    let at = |offset: usize| body + u32::try_from(offset).unwrap_or_default();
    let range = &destination.range;
    let target = &destination.target;
    Diagnostic::new(
        &rules::BROKEN_BODY_LINK,
        format!("the {what} to `{target}` leads nowhere"),
    )
    .at(Span::new(at(range.start), at(range.end)))
    .because(
        "the model gets the prompt as it is written, and nothing is there beside this file, nor in \
         the project",
    )
    .help("point it at the file, or take it out of the prompt")
}

/// Returns whether a path without `.` parts still leads up from where it is taken.
fn climbs(path: &Path) -> bool {
    matches!(path.components().next(), Some(Component::ParentDir))
}

/// Returns the path of a destination, if it is plainly one of a file and relative.
fn relative_path(target: &str) -> Option<PathBuf> {
    let path = target.split('#').next()?;
    let path = decoded(path);
    let path = path.trim();
    if path.is_empty() || path.starts_with(['/', '~', '@']) || path.contains(NOT_PLAIN) {
        return None;
    }
    let parts: Vec<&str> = path.split('/').collect();
    let (first, last) = (parts.first()?, parts.last()?);
    let is_host = parts.len() > 1
        && first
            .rsplit_once('.')
            .is_some_and(|(before, ending)| !before.is_empty() && HOSTS.contains(&ending));
    let is_marked = matches!(*first, "." | "..");
    if is_host || parts.iter().any(|part| stands_in(part)) || !(is_marked || has_ending(last)) {
        return None;
    }
    Some(PathBuf::from(path))
}

/// Returns whether a part of a path stands for something that is to be filled in.
fn stands_in(part: &str) -> bool {
    let part = part.to_lowercase();
    let stem = part.split_once('.').map_or(part.as_str(), |(stem, _)| stem);
    let mut words = stem.split(['-', '_']);
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or_default();
    STAND_INS.contains(&stem)
        || part == "..."
        || STAND_IN_WORDS.contains(&first)
        || STAND_IN_WORDS.contains(&last)
}

fn has_ending(part: &str) -> bool {
    part.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=8).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// Reads `%20` and its like; what is no such escape, or gives no text, stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|it| std::str::from_utf8(it).ok());
        let is_escape =
            byte == b'%' && digits.is_some_and(|it| it.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits
            .filter(|_| is_escape)
            .and_then(|it| u8::from_str_radix(it, 16).ok())
        {
            Some(0) | None => {
                bytes.push(byte);
                rest = behind;
            }
            Some(meant) => {
                bytes.push(meant);
                rest = &behind[2..];
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryTree;

    fn told(path: &str, body: &str) -> Vec<String> {
        let mut tree = MemoryTree::new();
        tree.write("/p/.claude/agents/beside.md", "x");
        tree.write("/p/docs/guide.md", "x");
        tree.write("/p/my file.md", "x");
        tree.write("/secret.md", "x");
        let text = format!("---\n---\n{body}");
        let span = Span::new(8, u32::try_from(text.len()).expect("it is short"));
        let found = broken_links(
            &tree,
            Path::new("/p"),
            Path::new(path),
            text.as_bytes(),
            span,
        );
        let places = found.iter().filter_map(|it| it.span);
        places
            .map(|span| text[span.start as usize..span.end as usize].to_owned())
            .collect()
    }

    const AGENT: &str = "/p/.claude/agents/reviewer.md";

    #[test]
    fn files_that_are_missing_are_told_at_their_place() {
        for body in [
            "[a](gone.md)",
            "![a](./gone)",
            "[a](<../gone one.md> 't')",
            "[a](../../docs/gone.md#part)",
            "[a](docs/guide.md/gone.md)",
            "[a][b]\n\n[b]: gone.md",
        ] {
            assert_eq!(told(AGENT, body).len(), 1, "{body}");
        }
        let text = "[a](beside.md) and [b](gone.md), [c](gone%20too.md)";
        assert_eq!(told(AGENT, text), ["gone.md", "gone%20too.md"]);
    }

    #[test]
    fn files_that_are_there_and_what_is_no_path_are_not() {
        for body in [
            "[a](beside.md) [b](./beside.md#x) [c](../agents/beside.md)",
            "[a](docs/guide.md) [a](docs) [a](./docs/) [a](my%20file.md)",
            "[a](#x) [a](/gone.md) [a](~/gone.md) [a](https://a.b/c.md) [a](mailto:a@b.c)",
            "[a](${DIR}/gone.md) [a]({{dir}}/gone.md) [a](gone/*.md) [a](src/gone.rs:12)",
            "[a](path/to/gone.md) [Title](file.md) [a](owner/repo) [a](url) [a](github.com/a/b.md)",
            "`[a](gone.md)`",
            "[a](../../../secret.md) [a](../../../gone.md)",
        ] {
            assert_eq!(told(AGENT, body), [] as [String; 0], "{body}");
        }
    }

    #[test]
    fn nothing_outside_of_the_folder_is_asked_for_from_outside_the_project() {
        let path = "/h/.claude/agents/reviewer.md";
        assert_eq!(told(path, "[a](../gone.md) [b](gone.md)"), ["gone.md"]);
        assert_eq!(told(path, "[b](docs/guide.md)"), [] as [String; 0]);
    }
}
