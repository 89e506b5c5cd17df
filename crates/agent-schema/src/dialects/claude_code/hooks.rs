//! The `hooks` of Claude Code: for each event a list of groups, each with a matcher and its hooks.
//!
//! Nothing inside the map is checked when a file is read (case `parse/hk-badevent`); the shape is
//! that of the settings, and is checked when a hook would run. In the settings an event that nobody
//! knows is ignored with a word since 2.1.101; what becomes of it in a file is not known.

use super::fields::unset_unless_null;
use crate::coerce::{Coerced, Problem, Remarks, pydantic, shorten};
use crate::definition::FieldValue;
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::source::Span;
use crate::suggest::nearest;
use crate::value::{Entry, Node, Value};

/// The events that the page on hooks lists. A search through the program 2.1.296 by others found the
/// same names.
const EVENTS: [&str; 33] = [
    "ConfigChange",
    "CwdChanged",
    "DirectoryAdded",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "MessageDisplay",
    "Notification",
    "PermissionDenied",
    "PermissionRequest",
    "PostCompact",
    "PostModelSwitch",
    "PostToolBatch",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PreModelSwitch",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptExpansion",
    "UserPromptSubmit",
    "WorktreeCreate",
    "WorktreeRemove",
];

/// Cases `parse/hk-*`: what is neither a map nor null loses the file, and the log says nothing
/// but that there was an error.
pub(super) fn read(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null => Ok(None),
        Value::Map(events) => {
            for event in &events.entries {
                note_event(event, remarks);
            }
            Ok(Some(FieldValue::Config(node.resolved().clone())))
        }
        _ => Err(Problem::rejects(
            node.span,
            format!("must be a map, not {}", pydantic::article(node)),
        )),
    }
}

/// What is no map is passed over in 2.1.197.
pub(super) fn old_read(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.as_map() {
        Some(_) => read(node, remarks),
        None => unset_unless_null(node, "is no map, so there are no hooks"),
    }
}

fn note_event(event: &Entry, remarks: &mut Remarks<'_>) {
    let Some(name) = event.key.as_text() else {
        return;
    };
    if !EVENTS.contains(&name) {
        remarks.list.push(unknown_event(name, event.key.span));
    }
    let Some(groups) = event.value.as_list() else {
        let found = found(&event.value);
        let message = format!("`{name}` must be a list of groups of hooks, not {found}");
        remarks.list.push(misshapen(place(event), message));
        return;
    };
    for group in groups {
        note_group(name, group, remarks);
    }
}

fn note_group(event: &str, group: &Node, remarks: &mut Remarks<'_>) {
    let Some(members) = group.as_map() else {
        let found = found(group);
        let message = format!("a group of `{event}` must be a map with `hooks`, not {found}");
        remarks.list.push(misshapen(group.span, message));
        return;
    };
    if let Some(matcher) = members.get("matcher")
        && !matcher.value.is_null()
        && matcher.value.as_text().is_none()
    {
        let found = found(&matcher.value);
        let message = format!("`matcher` of `{event}` must be a text, not {found}");
        let finding = misshapen(place(matcher), message);
        remarks
            .list
            .push(finding.help("write one text, such as `Edit|Write`"));
    }
    match members.get("hooks") {
        None => {
            let message = format!("this group of `{event}` has no `hooks`, so nothing runs");
            remarks.list.push(misshapen(group.span, message));
        }
        Some(hooks) => note_hooks(event, hooks, remarks),
    }
}

fn note_hooks(event: &str, hooks: &Entry, remarks: &mut Remarks<'_>) {
    let Some(list) = hooks.value.as_list() else {
        let found = found(&hooks.value);
        let message = format!("`hooks` of `{event}` must be a list of maps, not {found}");
        remarks.list.push(misshapen(place(hooks), message));
        return;
    };
    for hook in list.iter().filter(|hook| hook.as_map().is_none()) {
        let found = found(hook);
        let message = format!("a hook of `{event}` must be a map, not {found}");
        remarks.list.push(misshapen(hook.span, message));
    }
}

fn unknown_event(name: &str, at: Span) -> Diagnostic {
    let finding = Diagnostic::new(
        &rules::UNKNOWN_EVENT,
        format!("no event is known by the name `{}`", shorten(name)),
    );
    let why = "the documentation of Claude Code lists no such hook event, and nothing that it lists \
               would run these hooks";
    let help = match nearest(name, EVENTS) {
        Some(meant) => format!("write `{meant}`"),
        None => "write an event such as `PreToolUse`, `PostToolUse` or `Stop`".to_owned(),
    };
    finding.at(at).because(why).help(help)
}

/// Returns where an entry is wrong: its value, or its key if nothing is written behind it.
fn place(entry: &Entry) -> Span {
    match entry.value.span.is_empty() {
        true => entry.key.span,
        false => entry.value.span,
    }
}

fn found(node: &Node) -> String {
    match node.is_null() {
        true => "nothing".to_owned(),
        false => pydantic::article(node),
    }
}

fn misshapen(at: Span, message: String) -> Diagnostic {
    Diagnostic::new(&rules::DROPPED_SETTING, message)
        .at(at)
        .because(
            "Claude Code does not check hooks when it reads a file, and takes them in the shape \
             of its settings: for each event a list of groups, each with a list `hooks`",
        )
        .help("write `- hooks:` below the event, and each hook as a map in that list")
}
