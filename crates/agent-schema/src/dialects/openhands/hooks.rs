//! The `hooks` of OpenHands: commands and prompts that run at events.

use crate::coerce::object::{
    self, Absent, Faults, Member, Object, Shape, Unknown, expect_map, member, no_check,
    not_text_key, quoted_list,
};
use crate::coerce::{Coerced, Problem, Remarks};
use crate::definition::FieldValue;
use crate::diagnostic::{Diagnostic, Severity};
use crate::foreign_words::all_meanings;
use crate::rules;
use crate::value::{Entry, Mapping, Node, Style, Value};

use super::VOCABULARY;

const EVENTS: [&str; 6] = [
    "pre_tool_use",
    "post_tool_use",
    "user_prompt_submit",
    "session_start",
    "session_end",
    "stop",
];

/// The events of which a matcher chooses tools.
const TOOL_EVENTS: [&str; 2] = ["pre_tool_use", "post_tool_use"];

static MATCHERS: Shape = Shape::List(&Shape::Object(&MATCHER));

static MATCHER: Object = Object {
    name: "matcher",
    members: &[
        member("matcher", Shape::Text, Absent::Text("*")),
        member(
            "hooks",
            Shape::List(&Shape::Object(&HOOK)),
            Absent::EmptyList,
        ),
    ],
    unknown: Unknown::Dropped,
    check: no_check,
};

static HOOK: Object = Object {
    name: "hook",
    members: &[
        member(
            "type",
            Shape::OneOf(&["command", "prompt", "agent"]),
            Absent::Text("command"),
        ),
        member("name", Shape::Optional(&Shape::Text), Absent::Null),
        member("command", Shape::Text, Absent::Text("")),
        member("prompt", Shape::Optional(&Shape::Text), Absent::Null),
        member("system_prompt", Shape::Optional(&Shape::Text), Absent::Null),
        member("tools", Shape::List(&Shape::Text), Absent::EmptyList),
        member("timeout", Shape::Int, Absent::Int(60)),
        member("max_iterations", Shape::Int, Absent::Int(3)),
        Member {
            key: "async",
            aliases: &["async_"],
            shape: Shape::Flag,
            absent: Absent::Flag(false),
        },
    ],
    unknown: Unknown::Dropped,
    check: check_hook,
};

/// What each type needs and forbids.
fn check_hook(hook: &Mapping) -> Result<(), String> {
    let text = |key| {
        hook.get(key)
            .and_then(|entry| entry.value.as_text())
            .unwrap_or_default()
    };
    let runs_beside = hook
        .get("async")
        .is_some_and(|entry| entry.value.value == Value::Bool(true));
    let kind = text("type");
    if kind == "command" {
        if text("command").is_empty() {
            return Err("is a command hook without a `command`".to_owned());
        }
        return Ok(());
    }
    if !text("command").is_empty() {
        return Err(format!("is a {kind} hook, which must not have a `command`"));
    }
    if kind == "prompt" && text("prompt").is_empty() {
        return Err("is a prompt hook without a `prompt`".to_owned());
    }
    if runs_beside {
        return Err(format!("is a {kind} hook, which cannot be `async`"));
    }
    Ok(())
}

/// Reads the field. A value that is no map is passed over; a map must fit in every detail.
pub(super) fn read(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let Value::Map(map) = node.get() else {
        return match node.get() {
            Value::Null => Ok(None),
            _ => Err(Problem::leaves_unset(
                node.span,
                format!("is a {}, so no hook is set", node.get().kind()),
            )),
        };
    };
    let events = unwrap_events(map, remarks)?;
    let mut out: Vec<Entry> = Vec::with_capacity(EVENTS.len());
    let mut faults = Faults::default();
    for entry in &events.entries {
        let event = event(entry, &out, remarks);
        out.extend(faults.take(event, remarks));
    }
    faults.settle()?;
    let mut all = Mapping::default();
    for event in EVENTS {
        let written = out
            .iter()
            .position(|entry| entry.key.as_text() == Some(event));
        all.entries.push(match written {
            Some(at) => out.swap_remove(at),
            None => object::default_entry(event, Value::List(Vec::new()), node.span),
        });
    }
    Ok(Some(FieldValue::config(Node::new(
        Value::Map(all),
        node.span,
        Style::Block,
    ))))
}

/// Reads the hooks of an event that is none of those that are `done`.
fn event(entry: &Entry, done: &[Entry], remarks: &mut Remarks<'_>) -> Result<Entry, Problem> {
    let key = entry.key.as_text();
    let key = key.ok_or_else(|| not_text_key(&entry.key))?;
    let mut known = EVENTS.into_iter();
    let event = known
        .find(|event| *event == to_snake_case(key))
        .ok_or_else(|| {
            Problem::rejects(entry.key.span, format!("has the unknown event `{key}`"))
                .help(format!("the events are {}", quoted_list(&EVENTS)))
        })?;
    if TOOL_EVENTS.contains(&event) {
        note_idle_matchers(&entry.value, remarks);
    }
    if done.iter().any(|done| done.key.as_text() == Some(event)) {
        return Err(Problem::rejects(
            entry.key.span,
            format!("has the event `{event}` in two spellings"),
        ));
    }
    Ok(Entry {
        key: Node::new(Value::Text(event.into()), entry.key.span, entry.key.style),
        value: object::within(
            remarks,
            |problem| problem.within(event),
            |remarks| object::read(&entry.value, &MATCHERS, remarks),
        )?,
    })
}

/// Notes matchers that are nothing but words of other harnesses for tools. Programs may register
/// tools, so a name that nobody has is not told of.
fn note_idle_matchers(groups: &Node, remarks: &mut Remarks<'_>) {
    let groups = groups.as_list().unwrap_or_default().iter();
    let matchers = groups.filter_map(|group| group.as_map()?.get("matcher"));
    for matcher in matchers {
        let node = &matcher.value;
        let words = node.as_text().map(|text| text.split('|'));
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let is_foreign = |word: &&str| !VOCABULARY.knows(word) && !all_meanings(word).is_empty();
        if words.is_empty() || !words.iter().all(is_foreign) {
            continue;
        }
        let meant = words.iter().flat_map(|word| all_meanings(word));
        let mut own: Vec<&str> = meant.flat_map(|tool| VOCABULARY.words_for(tool)).collect();
        own.sort_unstable();
        own.dedup();
        let finding = Diagnostic::new(
            &rules::UNKNOWN_TOOL,
            format!(
                "no tool fits `{}`, so that these hooks never run",
                words.join("|")
            ),
        );
        let finding = finding.at(node.span).because(
            "OpenHands compares a matcher with the whole name of a tool, letter by letter or as a \
             regular expression",
        );
        let finding = match own.is_empty() {
            true => finding.help("write the names of tools as OpenHands has them"),
            false => finding.help(format!("OpenHands has {}", quoted_list(&own))),
        };
        remarks.list.push(Diagnostic {
            severity: Severity::Warning,
            ..finding
        });
    }
}

/// Takes the events out of a `hooks` wrapper; what stands beside the wrapper is dropped.
fn unwrap_events<'a>(map: &'a Mapping, remarks: &mut Remarks<'_>) -> Result<&'a Mapping, Problem> {
    let Some(wrapper) = map.get("hooks") else {
        return Ok(map);
    };
    for beside in map
        .entries
        .iter()
        .filter(|entry| !std::ptr::eq(*entry, wrapper))
    {
        // The only file among hundreds that loads and makes the SDK say something.
        remarks.list.push(
            Diagnostic::new(
                &rules::DROPPED_SETTING,
                "this has no effect beside the inner `hooks` key",
            )
            .at(beside.key.span)
            .said_by_harness(),
        );
    }
    expect_map(&wrapper.value)
}

/// `PreToolUse` and `preToolUse` become `pre_tool_use`.
fn to_snake_case(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 4);
    for c in key.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
