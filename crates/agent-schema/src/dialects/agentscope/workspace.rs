//! The `workspace` of an AgentScope declaration: where the agent works, and where its prompt is.

use super::fields::trimmed;
use crate::coerce::object::default_entry;
use crate::coerce::{Coerced, Problem, Remarks, java, pydantic, shorten};
use crate::definition::{Definition, FieldName, FieldValue};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules;
use crate::source::Span;
use crate::value::{Entry, Mapping, Node, Style, Value};

const ISOLATED: &str = "ISOLATED";
const SHARED: &str = "SHARED";

/// The workspace of a declaration that does not speak of it.
pub(super) fn default() -> FieldValue {
    let span = Span::default();
    let mode = default_entry("mode", Value::Text(ISOLATED.into()), span);
    made(mode, default_entry("path", Value::Null, span), span)
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
        return no_mapping(node, remarks);
    };
    let mode = match map.get("mode") {
        Some(entry) => as_written(entry, Value::Text(mode(&entry.value, remarks)?.into())),
        None => default_entry("mode", Value::Text(ISOLATED.into()), node.span),
    };
    let path = match map.get("path") {
        Some(entry) => {
            let path = folder(&entry.value, remarks)?;
            as_written(
                entry,
                path.map_or(Value::Null, |path| Value::Text(path.into())),
            )
        }
        None => default_entry("path", Value::Null, node.span),
    };
    note_others(map, remarks);
    Ok(Some(made(mode, path, node.span)))
}

/// Puts what a value is read as in its place.
fn as_written(entry: &Entry, value: Value) -> Entry {
    Entry {
        key: entry.key.clone(),
        value: Node::new(value, entry.value.span, entry.value.style),
    }
}

/// A value that is no mapping is passed over, which makes no difference where it says what holds
/// anyway (case `parse/workspace-scalar`).
fn no_mapping(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let complaint = format!("is {}, not a mapping", pydantic::article(node));
    let text = node.as_text().map(java::trim).unwrap_or_default();
    let is_mode = |mode: &str| java::equals_ignoring_case(text, mode);
    if is_mode(ISOLATED) {
        let finding = Diagnostic::new(&rules::IGNORED_VALUE, format!("`workspace` {complaint}"));
        remarks.list.push(Diagnostic {
            severity: Severity::Info,
            ..finding
                .at(node.span)
                .because("AgentScope passes it over, and an agent works isolated unless told else")
                .help("remove the key, or write `mode: isolated` below it")
        });
        return Ok(None);
    }
    let help = match text {
        _ if is_mode(SHARED) => {
            "write `mode: shared` on a line of its own below the key".to_owned()
        }
        "" => "write a mapping with `mode` and `path`".to_owned(),
        _ => "write the folder as `path:` on a line of its own below the key".to_owned(),
    };
    Err(Problem::leaves_unset(node.span, complaint).help(help))
}

fn made(mode: Entry, path: Entry, span: Span) -> FieldValue {
    let map = Mapping {
        entries: vec![mode, path],
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
    remarks.lost(
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
