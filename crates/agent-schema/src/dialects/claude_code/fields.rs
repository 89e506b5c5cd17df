//! The keys of an agent's header, in a project or the home, by version.
//!
//! Source of every rule: the cases under `conformance/claude-code/parse` that the rules name.

use super::{hooks, plugin, tool_list};
use crate::coerce::{self, Coerced, Places, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Absent, Field, SkipRule};
use crate::header::Consequence;
use crate::rules;
use crate::source::Span;
use crate::value::{Int, Node, Value};

pub(super) const MEMORY: FieldName = FieldName::of_dialect("memory");
pub(super) const BACKGROUND: FieldName = FieldName::of_dialect("background");
pub(super) const EFFORT: FieldName = FieldName::of_dialect("effort");
pub(super) const ISOLATION: FieldName = FieldName::of_dialect("isolation");
pub(super) const INITIAL_PROMPT: FieldName = FieldName::of_dialect("initialPrompt");
pub(super) const OMIT_CLAUDE_MD: FieldName = FieldName::of_dialect("omitClaudeMd");

pub(super) const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::PERMISSION_MODE,
    FieldName::MAX_TURNS,
    FieldName::SKILLS,
    FieldName::MCP_SERVERS,
    FieldName::HOOKS,
    MEMORY,
    BACKGROUND,
    EFFORT,
    ISOLATION,
    FieldName::COLOR,
    INITIAL_PROMPT,
    OMIT_CLAUDE_MD,
];

/// The fields of 2.1.332.
pub(super) static CURRENT: &[Field] = &[
    NAME,
    DESCRIPTION,
    TOOLS,
    DISALLOWED_TOOLS,
    MODEL_FIELD,
    PERMISSION_MODE_FIELD,
    MAX_TURNS,
    SKILLS,
    MCP_SERVERS,
    HOOKS,
    MEMORY_FIELD,
    BACKGROUND_FIELD,
    EFFORT_FIELD,
    ISOLATION_FIELD,
    COLOR,
    INITIAL_PROMPT_FIELD,
    OMIT_CLAUDE_MD_FIELD,
];

/// The fields of 2.1.197.
pub(super) static OLD: &[Field] = &[
    Field {
        read: old_name,
        ..NAME
    },
    DESCRIPTION,
    TOOLS,
    DISALLOWED_TOOLS,
    OLD_MODEL_FIELD,
    OLD_PERMISSION_MODE_FIELD,
    MAX_TURNS,
    SKILLS,
    MCP_SERVERS,
    Field {
        read: hooks::old_read,
        ..HOOKS
    },
    MEMORY_FIELD,
    BACKGROUND_FIELD,
    EFFORT_FIELD,
    ISOLATION_FIELD,
    COLOR,
    INITIAL_PROMPT_FIELD,
    OMIT_CLAUDE_MD_FIELD,
];

/// The fields of a plugin's agent in 2.1.332.
pub(super) static IN_PLUGIN: &[Field] = &[
    plugin::NAME,
    plugin::DESCRIPTION,
    TOOLS,
    DISALLOWED_TOOLS,
    MODEL_FIELD,
    plugin::without_effect(PERMISSION_MODE_FIELD),
    MAX_TURNS,
    SKILLS,
    plugin::without_effect(MCP_SERVERS),
    plugin::without_effect(HOOKS),
    MEMORY_FIELD,
    BACKGROUND_FIELD,
    EFFORT_FIELD,
    ISOLATION_FIELD,
    COLOR,
    plugin::without_effect(INITIAL_PROMPT_FIELD),
    OMIT_CLAUDE_MD_FIELD,
];

/// The fields of a plugin's agent in 2.1.197.
pub(super) static OLD_IN_PLUGIN: &[Field] = &[
    plugin::OLD_NAME,
    plugin::DESCRIPTION,
    TOOLS,
    DISALLOWED_TOOLS,
    OLD_MODEL_FIELD,
    plugin::without_effect(OLD_PERMISSION_MODE_FIELD),
    MAX_TURNS,
    SKILLS,
    plugin::without_effect(MCP_SERVERS),
    plugin::without_effect(HOOKS),
    MEMORY_FIELD,
    BACKGROUND_FIELD,
    EFFORT_FIELD,
    ISOLATION_FIELD,
    COLOR,
    plugin::without_effect(INITIAL_PROMPT_FIELD),
    OMIT_CLAUDE_MD_FIELD,
];

const fn field(
    key: &'static str,
    target: FieldName,
    read: fn(&Node, &mut Remarks<'_>) -> Coerced,
    accepts: &'static str,
) -> Field {
    Field {
        key,
        aliases: &[],
        target,
        read,
        absent: Absent::Unset,
        accepts,
    }
}

const NAME: Field = Field {
    absent: Absent::Loses(Consequence::Ignored(SkipRule::NoName)),
    ..field(
        "name",
        FieldName::NAME,
        name,
        "a text of at most 256 characters that has no colon and does not start with a hyphen",
    )
};

const DESCRIPTION: Field = Field {
    absent: Absent::Loses(Consequence::Rejected),
    ..field(
        "description",
        FieldName::DESCRIPTION,
        description,
        "a text that says when to use the agent",
    )
};

const TOOLS: Field = field(
    "tools",
    FieldName::TOOLS,
    tool_list::allowed,
    "names of tools separated by commas or blanks, or a list of names; a star means all",
);

const DISALLOWED_TOOLS: Field = field(
    "disallowedTools",
    FieldName::DISALLOWED_TOOLS,
    tool_list::denied,
    "names of tools separated by commas or blanks, or a list of names",
);

const MODEL_FIELD: Field = field(
    "model",
    FieldName::MODEL,
    model,
    "`inherit`, an alias such as `haiku`, or the name of a model",
);

/// Case `parse/model-inherit`: the word is not told from an unset model.
const OLD_MODEL_FIELD: Field = Field {
    read: |node, remarks| Ok(model(node, remarks)?.filter(|model| *model != inherit())),
    ..MODEL_FIELD
};

const PERMISSION_MODE_FIELD: Field = field(
    "permissionMode",
    FieldName::PERMISSION_MODE,
    |node, _| permission_mode(node),
    "`default`, `acceptEdits`, `auto`, `dontAsk`, `bypassPermissions`, `plan` or `manual`",
);

/// Case `parse/mode-manual-alias`.
const OLD_PERMISSION_MODE_FIELD: Field = Field {
    read: |node, _| match node.as_text() {
        Some("manual") => Err(invalid(node)),
        _ => permission_mode(node),
    },
    ..PERMISSION_MODE_FIELD
};

const MAX_TURNS: Field = field(
    "maxTurns",
    FieldName::MAX_TURNS,
    max_turns,
    "an integer greater than 0",
);

const SKILLS: Field = field(
    "skills",
    FieldName::SKILLS,
    tool_list::skills,
    "a list of names of skills",
);

const MCP_SERVERS: Field = field(
    "mcpServers",
    FieldName::MCP_SERVERS,
    mcp_servers,
    "a list of server names, and of maps from a name to a server",
);

const HOOKS: Field = field(
    "hooks",
    FieldName::HOOKS,
    hooks::read,
    "a map from events to lists of matchers",
);

const MEMORY_FIELD: Field = field(
    "memory",
    MEMORY,
    |node, _| one_of(node, &["user", "project", "local"]),
    "`user`, `project` or `local`",
);

const BACKGROUND_FIELD: Field = field(
    "background",
    BACKGROUND,
    |node, _| background(node),
    "`true` or `false`",
);

const EFFORT_FIELD: Field = field(
    "effort",
    EFFORT,
    effort,
    "`low`, `medium`, `high`, `xhigh`, `max`, or an integer",
);

const ISOLATION_FIELD: Field = field(
    "isolation",
    ISOLATION,
    |node, _| one_of(node, &["worktree", "remote"]),
    "`worktree` or `remote`",
);

const COLOR: Field = field(
    "color",
    FieldName::COLOR,
    |node, _| color(node),
    "`red`, `blue`, `green`, `yellow`, `purple`, `orange`, `pink` or `cyan`",
);

const INITIAL_PROMPT_FIELD: Field = field(
    "initialPrompt",
    INITIAL_PROMPT,
    |node, _| initial_prompt(node),
    "a text",
);

const OMIT_CLAUDE_MD_FIELD: Field = field(
    "omitClaudeMd",
    OMIT_CLAUDE_MD,
    |node, _| omit_claude_md(node),
    "`true` or `false`",
);

/// Cases `parse/nm-*`. The name is not trimmed.
fn name(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let Some(name) = any_name(node)? else {
        return Ok(None);
    };
    let colon = name.find([':', '\u{ff1a}', '\u{fe55}']);
    if colon.is_some() {
        return Err(
            refused_name(node, "holds a colon, which only plugins may use")
                .rule(&rules::NAME_HAS_COLON)
                .help("write a hyphen instead of the colon"),
        );
    }
    if is_too_long(&name) {
        return Err(refused_name(node, "is longer than 256 characters").rule(&rules::NAME_TOO_LONG));
    }
    without_hyphen(node, name)
}

/// Cases `parse/name-contains-colon` and `parse/nm-257`: neither is checked.
fn old_name(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match any_name(node)? {
        Some(name) => without_hyphen(node, name),
        None => Ok(None),
    }
}

/// A value that JavaScript takes for false is no name at all, and the file is passed over.
fn any_name(node: &Node) -> Result<Option<String>, Problem> {
    if !javascript::is_truthy(node) {
        return Ok(None);
    }
    match node.as_text() {
        Some(name) => Ok(Some(name.to_owned())),
        None => Err(refused_name(
            node,
            &format!("must be a text, not {}", pydantic::article(node)),
        )
        .help("put the name in quotes")),
    }
}

fn without_hyphen(node: &Node, name: String) -> Coerced {
    if name.starts_with('-') {
        return Err(
            refused_name(node, "starts with a hyphen").rule(&rules::NAME_STARTS_WITH_HYPHEN)
        );
    }
    Ok(Some(FieldValue::text(name)))
}

fn refused_name(node: &Node, complaint: &str) -> Problem {
    Problem::rejects(node.span, complaint)
}

/// The length is counted in JavaScript's units of 16 bits.
pub(super) fn is_too_long(name: &str) -> bool {
    const MOST: usize = 256;
    name.encode_utf16().count() > MOST
}

/// Cases `parse/ds-*`; the two signs `\n` become a line end (case `parse/rp-plain-bslash-n`).
fn description(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match node.as_text() {
        Some("") => Ok(None),
        Some(text) if !text.contains('\\') => Ok(Some(FieldValue::text(text.to_owned()))),
        Some(text) => {
            let read = text.replace("\\n", "\n");
            if let Some(path) = damaged_path(text) {
                let at = Places::of(node, remarks).next(path);
                remarks.list.push(
                    Diagnostic::new(
                        &rules::VALUE_BECOMES_TEXT,
                        "a backslash and `n` become a line end here, also inside a path",
                    )
                    .at(at)
                    .because("Claude Code replaces the two signs in every description")
                    .help("write the path with slashes"),
                );
            }
            Ok(Some(FieldValue::text(read)))
        }
        None if node.is_null() => Ok(None),
        None => Err(Problem::rejects(
            node.span,
            format!("must be a text, not {}", pydantic::article(node)),
        )),
    }
}

/// Returns the word in which a `\n` stands inside a path: behind a drive, as in `C:\new`, or beside
/// a backslash that begins no line end and no quote, as in `D:\projects\notes`.
fn damaged_path(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    words.find(|word| {
        let mut signs = word.match_indices("\\n");
        let is_sign = |c: char| c.is_ascii_alphanumeric() && !matches!(c, 'n' | 'r' | 't');
        let mut backslashes = word.match_indices('\\');
        let is_path = backslashes.any(|(at, _)| word[at + 1..].starts_with(is_sign));
        signs.any(|(at, _)| {
            let before = &word[..at];
            let drive = before.strip_suffix(':').unwrap_or_default();
            let drive = drive.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
            let is_behind_drive = drive.len() == 1;
            let goes_on = word[at + 2..].starts_with(|c: char| c.is_ascii_lowercase());
            goes_on && (is_behind_drive || is_path && !before.is_empty())
        })
    })
}

fn inherit() -> FieldValue {
    FieldValue::text("inherit".to_owned())
}

/// Cases `parse/md-*`: trimmed; `inherit` in any letter case; not a text or blank is unset.
pub(super) fn model(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let text = match node.get() {
        Value::Text(text) => javascript::trim(text),
        Value::Null => "",
        _ => {
            let complaint = "is no text, so the session's model is used";
            return Err(Problem::leaves_unset(node.span, complaint));
        }
    };
    match text {
        "" => {
            remarks.list.push(blank_model(node));
            Ok(None)
        }
        word if word.to_lowercase() == "inherit" => Ok(Some(inherit())),
        word => Ok(Some(FieldValue::text(word.to_owned()))),
    }
}

fn blank_model(node: &Node) -> Diagnostic {
    let message = "`model` is blank, so the session's model is used";
    let finding = Diagnostic::new(&rules::IGNORED_VALUE, message)
        .at(node.span)
        .because("Claude Code takes a blank model for one that is not written, without a word")
        .help("write `inherit` if that is meant, or name a model");
    Diagnostic {
        severity: Severity::Info,
        ..finding
    }
}

pub(super) fn unset_unless_null(node: &Node, complaint: &str) -> Coerced {
    match node.is_null() {
        true => Ok(None),
        false => Err(Problem::leaves_unset(node.span, complaint)),
    }
}

/// What is wrong with a value outside the allowed ones; the log names it.
fn invalid(node: &Node) -> Problem {
    let written = coerce::shorten(&javascript::text(node));
    Problem::leaves_unset(node.span, format!("cannot be `{written}`")).said_by_harness()
}

pub(super) fn one_of(node: &Node, words: &[&str]) -> Coerced {
    match node.as_text().filter(|word| words.contains(word)) {
        Some(word) => Ok(Some(FieldValue::text(word.to_owned()))),
        None if node.is_null() => Ok(None),
        None => Err(invalid(node)),
    }
}

/// `manual` is another word for `default` (case `parse/mode-manual-alias`).
pub(super) fn permission_mode(node: &Node) -> Coerced {
    const MODES: [&str; 6] = [
        "default",
        "acceptEdits",
        "auto",
        "dontAsk",
        "bypassPermissions",
        "plan",
    ];
    match node.as_text() {
        Some("manual") => Ok(Some(FieldValue::text("default".to_owned()))),
        _ if !javascript::is_truthy(node) => Ok(None),
        _ => one_of(node, &MODES),
    }
}

/// A number without a fraction, or the digits at the start of a text, so that `7 turns` is 7.
fn max_turns(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let turns = match javascript::number(node.get()) {
        Some(_) => javascript::integer(node.get()),
        None => javascript::parse_int(&javascript::text(node)),
    };
    match turns.filter(|turns| *turns > 0) {
        Some(turns) => {
            note_digits(node, turns, remarks);
            Ok(Some(FieldValue::Integer(Int::Small(turns))))
        }
        None if node.is_null() => Ok(None),
        None => Err(invalid(node)),
    }
}

/// Notes a text of which only the digits at its start count.
fn note_digits(node: &Node, read: i64, remarks: &mut Remarks<'_>) {
    let Some(text) = node.as_text() else { return };
    let written = javascript::trim(text);
    if written.parse() == Ok(read) {
        return;
    }
    let message = format!("`{}` is read as {read}", coerce::shorten(written));
    remarks.list.push(
        Diagnostic::new(&rules::CHANGED_NUMBER, message)
            .at(node.span)
            .because(
                "Claude Code reads the digits at the start of a text here and passes over the \
                 rest, without a word",
            )
            .help(format!("write `{read}`, or the number that you mean")),
    );
}

/// A text that is no list leaves no trace (case `parse/ms-str`); bad items are dropped one by one
/// (case `parse/ms-bad`).
fn mcp_servers(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let Some(items) = node.as_list() else {
        return unset_unless_null(node, "is no list, so there are no servers");
    };
    let (kept, bad): (Vec<&Node>, Vec<&Node>) = items.iter().partition(|item| is_server(item));
    for fault in bad.into_iter().filter_map(server_fault) {
        remarks.loses_part = true;
        let finding = Diagnostic::new(&rules::DROPPED_SETTING, fault.message)
            .at(fault.span)
            .because("Claude Code drops the item and names it in its log")
            .help(fault.help);
        remarks.list.push(finding.said_by_harness());
    }
    let kept = kept.into_iter().cloned().collect();
    Ok(Some(FieldValue::config(Node::new(
        Value::List(kept),
        node.span,
        node.style,
    ))))
}

/// Why an item of the list of servers is none.
struct ServerFault {
    span: Span,
    message: String,
    help: &'static str,
}

pub(super) fn is_server(item: &Node) -> bool {
    server_fault(item).is_none()
}

fn server_fault(item: &Node) -> Option<ServerFault> {
    match item.get() {
        Value::Text(_) => None,
        Value::Map(servers) => {
            let mut entries = servers.entries.iter();
            entries.find_map(|entry| {
                let name = coerce::shorten(&javascript::text(&entry.key));
                let (said, help) = config_fault(&entry.value)?;
                Some(ServerFault {
                    span: item.span,
                    message: format!("the server `{name}` {said}"),
                    help,
                })
            })
        }
        _ => Some(ServerFault {
            span: item.span,
            message: "this is neither the name of a server nor a map from a name to a server"
                .to_owned(),
            help: "write the name of a server, or `name:` with its settings indented below",
        }),
    }
}

/// Says what a server lacks, and what to write.
fn config_fault(node: &Node) -> Option<(String, &'static str)> {
    const COMMAND: &str = "write `command` with the program to start, or `type` and `url`";
    const TYPES: &str =
        "write `type: stdio` with a `command`, or `http`, `sse` or `ws` with a `url`";
    let Some(config) = node.as_map() else {
        return Some(("has no settings".to_owned(), COMMAND));
    };
    let text = |key: &str| config.get(key).map(|entry| entry.value.as_text());
    let lacks = |key: &str| {
        let is_there =
            matches!(text(key), Some(Some(value)) if key != "command" || !value.is_empty());
        (!is_there).then(|| format!("has no usable `{key}`"))
    };
    match text("type") {
        None if config.get("url").is_some() && lacks("command").is_some() => {
            Some(("has a `url` and no `type`".to_owned(), TYPES))
        }
        None | Some(Some("stdio")) => lacks("command").map(|it| (it, COMMAND)),
        Some(Some("http" | "sse" | "ws")) => {
            lacks("url").map(|it| (it, "write the address of the server behind `url`"))
        }
        Some(Some("sdk")) => lacks("name").map(|it| (it, "write a name behind `name`")),
        Some(kind) => {
            let kind = coerce::shorten(kind.unwrap_or_default());
            Some((format!("cannot be of the type `{kind}`"), TYPES))
        }
    }
}

/// Only the two words count, as booleans or as texts (case `parse/bg-yes`).
fn background(node: &Node) -> Coerced {
    match node.get() {
        Value::Bool(value) => Ok(Some(FieldValue::Flag(*value))),
        Value::Text(text) if &**text == "true" => Ok(Some(FieldValue::Flag(true))),
        Value::Text(text) if &**text == "false" => Ok(Some(FieldValue::Flag(false))),
        Value::Null => Ok(None),
        _ => Err(invalid(node)),
    }
}

/// A word in any letter case, `med`, or an integer, also as text.
pub(super) fn effort(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if let Some(value) = javascript::integer(node.get()) {
        return Ok(Some(FieldValue::Integer(Int::Small(value))));
    }
    let word = javascript::text(node).to_lowercase();
    match word.as_str() {
        "low" | "medium" | "high" | "xhigh" | "max" => Ok(Some(FieldValue::text(word))),
        "med" => Ok(Some(FieldValue::text("medium".to_owned()))),
        digits => match javascript::parse_int(digits) {
            Some(value) => {
                note_digits(node, value, remarks);
                Ok(Some(FieldValue::Integer(Int::Small(value))))
            }
            None if node.is_null() => Ok(None),
            None => Err(invalid(node)),
        },
    }
}

/// A colour outside the set is dropped without a word (case `parse/color-outside-set`).
fn color(node: &Node) -> Coerced {
    const COLORS: [&str; 8] = [
        "red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan",
    ];
    match node.as_text().filter(|word| COLORS.contains(word)) {
        Some(word) => Ok(Some(FieldValue::text(word.to_owned()))),
        None => unset_unless_null(node, "is none of the colours"),
    }
}

/// Cases `parse/ip-*`.
fn initial_prompt(node: &Node) -> Coerced {
    match node.as_text() {
        Some(text) if javascript::trim(text).is_empty() => Ok(None),
        Some(text) => Ok(Some(FieldValue::text(text.to_owned()))),
        None => unset_unless_null(node, "is no text, so there is no first prompt"),
    }
}

fn omit_claude_md(node: &Node) -> Coerced {
    match node.get() {
        Value::Bool(value) => Ok(Some(FieldValue::Flag(*value))),
        Value::Text(text) if &**text == "true" => Ok(Some(FieldValue::Flag(true))),
        _ => unset_unless_null(node, "is no boolean"),
    }
}
