//! The `workspace` of an AgentScope declaration: where the agent works, and where its prompt is.

use super::fields::trimmed;
use crate::coerce::object::default_entry;
use crate::coerce::{Coerced, Problem, Remarks, java, pydantic, shorten};
use crate::definition::{Definition, FieldName, FieldValue};
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::source::Span;
use crate::value::{Mapping, Node, Style, Value};

const ISOLATED: &str = "ISOLATED";
const SHARED: &str = "SHARED";

/// The workspace of a declaration that does not speak of it.
pub(super) fn default() -> FieldValue {
    made(ISOLATED, None, Span::default(), Span::default())
}

/// Returns the folder of a definition's workspace.
pub(super) fn path(definition: &Definition) -> Option<&str> {
    let workspace = definition.config(FieldName::WORKSPACE)?.as_map()?;
    workspace.get("path")?.value.as_text()
}

/// Returns where the folder of a definition's workspace is written.
pub(super) fn path_place(definition: &Definition) -> Option<Span> {
    let workspace = definition.config(FieldName::WORKSPACE)?.as_map()?;
    Some(workspace.get("path")?.value.span)
}

/// Reads a workspace (cases `parse/workspace-*`).
pub(super) fn read(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let Some(map) = node.as_map() else {
        return Err(Problem::leaves_unset(
            node.span,
            format!("is {}, not a mapping", pydantic::article(node)),
        ));
    };
    let mode = match map.get("mode") {
        Some(entry) => mode(&entry.value, remarks)?,
        None => ISOLATED,
    };
    let (path, path_at) = match map.get("path") {
        Some(entry) => (folder(&entry.value, remarks)?, entry.value.span),
        None => (None, node.span),
    };
    note_others(map, remarks);
    Ok(Some(made(mode, path, path_at, node.span)))
}

fn made(mode: &str, path: Option<String>, path_at: Span, span: Span) -> FieldValue {
    let path = match path {
        Some(path) => Value::Text(path.into()),
        None => Value::Null,
    };
    let map = Mapping {
        entries: vec![
            default_entry("mode", Value::Text(mode.into()), span),
            default_entry("path", path, path_at),
        ],
        ..Mapping::default()
    };
    FieldValue::config(Node::new(Value::Map(map), span, Style::Default))
}

fn mode(node: &Node, remarks: &mut Remarks<'_>) -> Result<&'static str, Problem> {
    if node.is_null() {
        return Ok(ISOLATED);
    }
    let text = trimmed(node)?;
    for mode in [SHARED, ISOLATED] {
        if java::equals_ignoring_case(&text, mode) {
            return Ok(mode);
        }
    }
    remarks.list.push(
        Diagnostic::new(
            &rules::IGNORED_VALUE,
            format!("`workspace.mode` cannot be `{}`", shorten(&text)),
        )
        .at(node.span)
        .because("AgentScope warns in its log and takes it for `isolated`")
        .help("write `isolated` or `shared`")
        .said_by_harness(),
    );
    Ok(ISOLATED)
}

fn folder(node: &Node, remarks: &mut Remarks<'_>) -> Result<Option<String>, Problem> {
    if node.is_null() {
        return Ok(None);
    }
    let text = trimmed(node)?;
    if java::is_blank(&text) {
        return Ok(None);
    }
    if text.contains('\0') {
        return Err(Problem::rejects(
            node.span,
            "has a `path` with a zero character, which no path can have",
        ));
    }
    let path = java_path(&text);
    let main = remarks
        .inputs()
        .and_then(|inputs| inputs.main_workspace.as_deref());
    if path.starts_with('/') {
        return Ok(Some(path));
    }
    let Some(main) = main else {
        // Wherever the workspace is, the first name of such a path leads out of it.
        let below = normalized(&path);
        if !is_inside(&below, "") {
            note_outside(node, &below, remarks);
        }
        return Ok(Some(path));
    };
    let main = java_path(main);
    let resolved = normalized(&format!("{main}/{path}"));
    if !is_inside(&resolved, &normalized(&main)) {
        note_outside(node, &resolved, remarks);
    }
    Ok(Some(resolved))
}

fn note_outside(node: &Node, path: &str, remarks: &mut Remarks<'_>) {
    let message = format!(
        "the path leads out of the workspace, to `{}`",
        shorten(path)
    );
    remarks.list.push(
        Diagnostic::new(&rules::OUTSIDE_WORKSPACE, message)
            .at(node.span)
            .because("AgentScope follows `..` wherever it leads, without a word")
            .help("keep the folder inside the workspace, or write an absolute path"),
    );
}

/// Returns a path as Java's `Path` prints it: one slash between names and none at the end.
fn java_path(text: &str) -> String {
    let mut path = String::with_capacity(text.len());
    for name in text.split('/').filter(|name| !name.is_empty()) {
        if !path.is_empty() || text.starts_with('/') {
            path.push('/');
        }
        path.push_str(name);
    }
    match path.is_empty() && text.starts_with('/') {
        true => "/".to_owned(),
        false => path,
    }
}

/// Returns Java's `Path.normalize()`: `.` goes, and `..` takes the name before it along.
fn normalized(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => {
                names.pop();
            }
            ".." if is_absolute => {}
            name => names.push(name),
        }
    }
    let root = if is_absolute { "/" } else { "" };
    root.to_owned() + &names.join("/")
}

fn is_inside(path: &str, folder: &str) -> bool {
    match path.strip_prefix(folder) {
        Some(rest) => rest.is_empty() || rest.starts_with('/') || folder.ends_with('/'),
        None => folder.is_empty() && !path.starts_with(".."),
    }
}

fn note_others(map: &Mapping, remarks: &mut Remarks<'_>) {
    for entry in &map.entries {
        let key = entry.key.as_text().unwrap_or_default();
        if !["mode", "path"].contains(&key) {
            remarks.dropped(
                entry.key.span,
                format!("`{}` has no effect in `workspace`", shorten(key)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_java() {
        for (path, printed, normal) in [
            ("/a//b/", "/a/b", "/a/b"),
            ("./a/../b", "./a/../b", "b"),
            ("../../a", "../../a", "../../a"),
            ("/../a/./b/..", "/../a/./b/..", "/a"),
            ("//", "/", "/"),
            ("a/..", "a/..", ""),
        ] {
            assert_eq!(java_path(path), printed);
            assert_eq!(normalized(path), normal);
        }
    }

    #[test]
    fn a_longer_name_is_no_folder_inside() {
        assert!(is_inside("/a/b/c", "/a/b"));
        assert!(is_inside("/a", "/"));
        assert!(!is_inside("/a/bc", "/a/b"));
        assert!(!is_inside("../x", ""));
    }
}
