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
use crate::value::{Entry, Mapping, Node, Value};

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

/// The types of hooks that the page on hooks lists, each with the field that says what it runs.
const TYPES: [(&str, &str); 5] = [
    ("command", "command"),
    ("prompt", "prompt"),
    ("agent", "prompt"),
    ("http", "url"),
    ("mcp_tool", "tool"),
];

/// The keys of a group of hooks.
const GROUP_KEYS: [&str; 2] = ["matcher", "hooks"];

/// Cases `parse/hk-*`: what is neither a map nor null loses the file, and the log says nothing
/// but that there was an error.
pub(super) fn read(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null => Ok(None),
        Value::Map(events) => {
            for event in &events.entries {
                note_event(event, remarks);
            }
            Ok(Some(FieldValue::config(node.resolved().clone())))
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
    for entry in &members.entries {
        let key = entry.key.as_text().unwrap_or_default();
        let meant = nearest(key, GROUP_KEYS).filter(|meant| members.get(meant).is_none());
        if let Some(meant) = meant.filter(|_| !GROUP_KEYS.contains(&key)) {
            let message = format!("`{}` of `{event}` is no key of a group", shorten(key));
            let finding = misshapen(entry.key.span, message);
            remarks.list.push(finding.help(format!("write `{meant}`")));
        }
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
    for hook in list {
        match hook.as_map() {
            Some(members) => remarks
                .list
                .extend(faults_of_hook(event, hook.span, members)),
            None => {
                let found = found(hook);
                let message = format!("a hook of `{event}` must be a map, not {found}");
                remarks.list.push(misshapen(hook.span, message));
            }
        }
    }
}

/// Returns what keeps a hook from running: its type, or what it is to run.
fn faults_of_hook(event: &str, at: Span, hook: &Mapping) -> Option<Diagnostic> {
    let types = || TYPES.iter().map(|(word, _)| *word);
    let known = types().map(|word| format!("`{word}`")).collect::<Vec<_>>();
    let known = format!("the types are {}", known.join(", "));
    let Some(kind) = hook.get("type") else {
        let message = format!("this hook of `{event}` has no `type`, so it does not run");
        return Some(misshapen(at, message).help(known));
    };
    let word = kind.value.as_text().unwrap_or_default();
    let Some((_, field)) = TYPES.iter().find(|(known, _)| *known == word) else {
        let message = match kind.value.as_text() {
            Some(word) => format!("no hook has the type `{}`", shorten(word)),
            None => format!(
                "`type` of a hook must be a text, not {}",
                found(&kind.value)
            ),
        };
        let help = match nearest(word, types()) {
            Some(meant) => format!("write `{meant}`"),
            None => known,
        };
        return Some(misshapen(place(kind), message).help(help));
    };
    let runs = |entry: &&Entry| {
        entry
            .value
            .as_text()
            .is_some_and(|text| !text.trim().is_empty())
    };
    let given = hook.get(field);
    let message = match given {
        Some(entry) if runs(&entry) => return None,
        Some(entry) if entry.value.as_text().is_none() => {
            let found = found(&entry.value);
            format!("`{field}` of a hook must be a text, not {found}")
        }
        Some(_) => format!("`{field}` of this hook is empty, so there is nothing to run"),
        None => format!("this hook has no `{field}`, so there is nothing to run"),
    };
    let finding = misshapen(given.map_or(at, place), message);
    Some(finding.help(format!(
        "a hook of the type `{word}` wants `{field}`, a text"
    )))
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
             of its settings: for each event a list of groups, each with a list `hooks` of maps",
        )
        .help("write `- hooks:` below the event, and each hook as a map in that list")
}
