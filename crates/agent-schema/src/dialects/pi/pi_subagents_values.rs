//! The values of `pi-subagents`: each one is a text that is read once more.

use std::ops::Range;

use crate::coerce::{self, Coerced, Places, Problem, Remarks, javascript, pydantic, shorten};
use crate::definition::{FieldValue, Name};
use crate::diagnostic::Diagnostic;
use crate::json;
use crate::rules;
use crate::source::Span;
use crate::text::MappedText;
use crate::value::{Entry, Int, Mapping, Node, Style, Value};
use crate::yaml;
use crate::yaml::NPM_YAML;

use super::thinking_level;

fn text_of(node: &Node) -> &str {
    node.as_text().unwrap_or_default()
}

pub(super) fn as_written(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    Ok(Some(FieldValue::text(text_of(node).to_owned())))
}

/// A text that is not empty.
pub(super) fn filled(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match text_of(node) {
        "" => Ok(None),
        _ => as_written(node, remarks),
    }
}

/// As [`filled`]; what is meant as a quoted text with a comment behind it keeps both.
pub(super) fn prose(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let text = text_of(node);
    let is_quoted = |quote: char| {
        let inside = text.strip_prefix(quote);
        let behind = inside.and_then(|inside| inside.split_once(quote));
        behind.is_some_and(|(_, behind)| behind.trim_start().starts_with('#'))
    };
    if node.style == Style::Plain && (is_quoted('"') || is_quoted('\'')) {
        remarks.list.push(
            Diagnostic::new(
                &rules::VALUE_BECOMES_TEXT,
                "the quotes and the comment are a part of the text",
            )
            .at(node.span)
            .because("pi-subagents reads no YAML and takes quotes off only at both ends of a value")
            .help("put the comment on a line of its own above"),
        );
    }
    filled(node, remarks)
}

/// Notes what would be a comment of YAML in a list below its key and is a part of a name. In a list
/// on the line of the key it is told with the line.
fn note_comments(node: &Node, names: &[Name], remarks: &mut Remarks<'_>) {
    let is_below_key = node.style == Style::Block || text_of(node).contains('\n');
    for name in names.iter().filter(|_| is_below_key) {
        let (Some((before, comment)), Some(span)) = (name.text.split_once(" #"), name.span) else {
            continue;
        };
        let is_as_written = usize::try_from(span.len()) == Ok(name.text.len());
        let comment_at = match is_as_written {
            true => below(span, before.len() + 1..name.text.len()),
            false => span,
        };
        remarks.loses_part = true;
        remarks.list.push(
            Diagnostic::new(
                &rules::VALUE_BECOMES_TEXT,
                format!(
                    "`#{}` is no comment here, but a part of the name",
                    shorten(comment)
                ),
            )
            .at(comment_at)
            .because("pi-subagents reads no YAML and knows no comments")
            .help("delete it, or put it on a line of its own above the list"),
        );
    }
}

/// Reads one of some words; any other text loses the file.
fn word(node: &Node, words: &[&str]) -> Coerced {
    let text = text_of(node);
    if words.contains(&text) {
        return Ok(Some(FieldValue::text(text.to_owned())));
    }
    Err(Problem::rejects(
        node.span,
        format!("cannot be `{}`", coerce::shorten(text)),
    ))
}

/// As [`word`], but any other text leaves the field as it is without it.
fn loose_word(node: &Node, words: &[&str]) -> Coerced {
    word(node, words).map_err(|problem| Problem::leaves_unset(problem.span, problem.complaint))
}

pub(super) fn prompt_mode(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    loose_word(node, &["replace", "append"])
}

pub(super) fn context(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    loose_word(node, &["fork", "fresh"])
}

pub(super) fn output_mode(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    word(node, &["inline", "file-only"])
}

pub(super) fn acceptance_role(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    if javascript::trim(text_of(node)).is_empty() {
        return Ok(None);
    }
    word(node, &["read-only", "writer"])
}

fn as_flag(word: Coerced) -> Coerced {
    Ok(word?.map(|value| FieldValue::Flag(value == FieldValue::text("true".to_owned()))))
}

/// A switch; anything else loses the file (case `parse/bad-boolean-async`).
pub(super) fn flag(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    as_flag(word(node, &["true", "false"]))
}

/// A switch; anything else counts as not written.
pub(super) fn loose_flag(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    as_flag(loose_word(node, &["true", "false"]))
}

/// A switch that only the word `true` turns on.
pub(super) fn switch(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    loose_flag(node, remarks)
}

/// As the other extensions read a level, but `false` stands for none. Signs of YAML in the text are
/// told as such.
pub(super) fn thinking(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    match text_of(node) {
        "false" => Ok(Some(FieldValue::Flag(false))),
        text if text.contains(['#', '*', '&', '!', '"', '\'']) => as_written(node, remarks),
        _ => thinking_level(node, remarks),
    }
}

/// Splits lines, takes a `- ` off each, and splits the rest at commas.
fn items(node: &Node, remarks: &Remarks<'_>) -> Vec<Name> {
    let mut places = Places::of(node, remarks);
    let lines = text_of(node).split('\n').map(javascript::trim);
    let values = lines.map(|line| match line.strip_prefix('-') {
        Some(item) if item.starts_with(javascript::is_space) => javascript::trim(item),
        _ => line,
    });
    let parts = values
        .flat_map(|value| value.split(','))
        .map(javascript::trim);
    let names = parts.filter(|part| !part.is_empty()).map(|part| Name {
        text: part.to_owned(),
        span: Some(places.next(part)),
    });
    names.collect()
}

/// Notes brackets, which are part of the first and the last name (case `parse/tools-flow-list`).
fn note_brackets(node: &Node, remarks: &mut Remarks<'_>) {
    if node.style == Style::Plain && text_of(node).starts_with('[') {
        remarks.loses_part = true;
        remarks.list.push(
            crate::Diagnostic::new(
                &crate::rules::LIST_IN_ONE_NAME,
                "the brackets become part of the names",
            )
            .at(node.span)
            .because("pi-subagents reads no YAML and splits the text at its commas")
            .help("write the names without brackets: `one, two`"),
        );
    }
}

/// A list, also one without names.
pub(super) fn list(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    note_brackets(node, remarks);
    let items = items(node, remarks);
    note_comments(node, &items, remarks);
    Ok(Some(FieldValue::Names(items)))
}

/// A list that is unset while it has no names.
pub(super) fn list_unless_empty(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    note_brackets(node, remarks);
    let items = items(node, remarks);
    note_comments(node, &items, remarks);
    Ok((!items.is_empty()).then_some(FieldValue::Names(items)))
}

/// The tools that are no tools of servers.
pub(super) fn tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    note_brackets(node, remarks);
    let tools = items(node, remarks);
    note_comments(node, &tools, remarks);
    let before = remarks.list.len();
    remarks.joined("tools", &tools);
    for finding in &mut remarks.list[before..] {
        // Brackets would become parts of the names.
        finding.help = Some("part the names with commas: `tools: one, two`".into());
    }
    if tools.is_empty() {
        let finding = Diagnostic::new(&rules::NO_TOOLS, "the agent gets no tool at all")
            .at(node.span)
            .because("Pi takes the key without a value for a list without tools")
            .help("remove the key if tools are meant");
        remarks.list.push(finding);
    }
    let tools = tools.into_iter();
    let own = tools.filter(|tool| !tool.text.starts_with(MCP));
    Ok(Some(FieldValue::Names(own.collect())))
}

const MCP: &str = "mcp:";

/// The tools of servers, without their beginning.
pub(super) fn mcp_tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let tools = items(node, remarks).into_iter().filter_map(|tool| {
        let text = tool.text.strip_prefix(MCP)?.to_owned();
        Some(Name { text, ..tool })
    });
    let tools: Vec<Name> = tools.collect();
    Ok((!tools.is_empty()).then_some(FieldValue::Names(tools)))
}

/// What JavaScript's `Number(text)` gives, if it is a whole number.
fn whole_number(text: &str) -> Option<f64> {
    let text = javascript::trim(text);
    let lower = text.to_ascii_lowercase();
    for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return based_number(digits, base);
        }
    }
    if text.is_empty() {
        return Some(0.0);
    }
    let is_decimal = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let number: f64 = text.chars().all(is_decimal).then(|| text.parse().ok())??;
    (number.is_finite() && number.fract() == 0.0).then_some(number)
}

fn based_number(digits: &str, base: u32) -> Option<f64> {
    let mut number = 0.0;
    for c in digits.chars() {
        number = number * f64::from(base) + f64::from(c.to_digit(base)?);
    }
    (!digits.is_empty()).then_some(number)
}

fn integer(number: f64) -> FieldValue {
    let digits = format!("{number:.0}");
    FieldValue::Integer(match digits.parse() {
        Ok(small) => Int::Small(small),
        Err(_) => Int::Big(digits.into()),
    })
}

fn positive(node: &Node, most: f64) -> Coerced {
    match whole_number(text_of(node)) {
        Some(number) if number > 0.0 && number <= most => Ok(Some(integer(number))),
        _ => Err(Problem::rejects(
            node.span,
            "must be a whole number above 0, and not too large",
        )),
    }
}

pub(super) fn milliseconds(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    positive(node, f64::INFINITY)
}

pub(super) fn milliseconds_of_a_tool(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    positive(node, f64::from(i32::MAX))
}

pub(super) fn depth(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match whole_number(text_of(node)) {
        Some(number) if number >= 0.0 => Ok(Some(integer(number))),
        _ => Err(Problem::leaves_unset(node.span, "must be a whole number")),
    }
}

/// Makes the name of a package out of any text: small letters, digits, hyphens and dots.
pub(super) fn normal_package(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let text = text_of(node);
    if text.is_empty() {
        return Ok(None);
    }
    let package = normalized(text);
    let is_identifier = |part: &str| part.starts_with(|c: char| c.is_ascii_alphanumeric());
    if package.split('.').all(is_identifier) {
        return Ok(Some(FieldValue::text(package)));
    }
    Err(Problem::rejects(
        node.span,
        format!("gives no name of a package: `{}`", coerce::shorten(text)),
    ))
}

fn normalized(text: &str) -> String {
    let mut package = String::new();
    let mut in_space = false;
    for c in javascript::trim(text).to_lowercase().chars() {
        let kept = match c {
            c if javascript::is_space(c) => {
                if in_space {
                    continue;
                }
                '-'
            }
            c if c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-') => c,
            _ => {
                in_space = false;
                continue;
            }
        };
        in_space = javascript::is_space(c);
        if matches!(kept, '-' | '.') && package.ends_with(kept) {
            continue;
        }
        package.push(kept);
    }
    package.trim_matches(['-', '.']).to_owned()
}

/// Reads a text as YAML; its places are that of the text.
pub(super) fn yaml_of(node: &Node) -> Result<Option<Node>, Problem> {
    Ok(read_yaml(node)?.map(|root| moved(&root, node)))
}

/// Reads a text as YAML; the places are those in the text.
fn read_yaml(node: &Node) -> Result<Option<Node>, Problem> {
    let text = text_of(node);
    if javascript::trim(text).is_empty() {
        return Ok(None);
    }
    match yaml::read(&MappedText::plain(text), &NPM_YAML) {
        Ok(root) => Ok(Some(root.unwrap_or_else(|| null(text)))),
        Err(error) => Err(Problem::rejects(node.span, format!("is no YAML: {error}"))),
    }
}

fn null(text: &str) -> Node {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    Node::default_at(Value::Null, Span::new(0, end))
}

/// Copies a value, with all places set to that of the text which it was read from.
fn moved(value: &Node, to: &Node) -> Node {
    placed(value, to, &|_| to.span)
}

/// Copies a value that was read from a text; `place` says where in the file each part stands.
fn placed(value: &Node, text: &Node, place: &dyn Fn(Span) -> Span) -> Node {
    let placed = |part: &Node| placed(part, text, place);
    let copy = match value.get() {
        Value::List(items) => Value::List(items.iter().map(placed).collect()),
        Value::Map(map) => {
            let entries = map.entries.iter().map(|entry| Entry {
                key: placed(&entry.key),
                value: placed(&entry.value),
            });
            Value::Map(Mapping {
                entries: entries.collect(),
                ..Mapping::default()
            })
        }
        other => other.clone(),
    };
    Node::new(copy, place(value.span), text.style)
}

fn map_of<'a>(value: &'a Node, what: &str) -> Result<&'a Mapping, Problem> {
    value.as_map().ok_or_else(|| {
        let complaint = format!("must be {what}, not {}", pydantic::article(value));
        Problem::rejects(value.span, complaint)
    })
}

/// A flat map from tools to words (case `parse/permissions-map`).
pub(super) fn permissions(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    const COORDINATION: [&str; 4] = [
        "contact_supervisor",
        "intercom",
        "bg_wait",
        "structured_output",
    ];
    let Some(value) = read_yaml(node)? else {
        return Ok(None);
    };
    let written = remarks.written(node.span).unwrap_or_default();
    let is_as_written = written == text_of(node);
    let value = match is_as_written {
        true => placed(&value, node, &|part| {
            below(node.span, part.start as usize..part.end as usize)
        }),
        false => moved(&value, node),
    };
    let mut map = map_of(&value, "a map from tools to words")?.clone();
    for entry in &mut map.entries {
        let tool = javascript::text(&entry.key);
        let key = key_in(written, &tool).filter(|_| !is_as_written);
        if let Some((key, line)) = key {
            entry.key.span = below(node.span, key);
            entry.value.span = below(node.span, line);
        }
        let is_nested = matches!(entry.value.value, Value::Map(_) | Value::List(_));
        let place = match is_as_written {
            _ if is_nested => entry.key.span,
            true => entry.key.span.cover(entry.value.span),
            false => entry.value.span,
        };
        let refused = |complaint: String| Problem::rejects(place, complaint);
        if javascript::trim(&tool).is_empty() {
            return Err(refused("has a tool without a name".to_owned()));
        }
        if tool == "bash" {
            let help = "remove the rule; `excludeTools: bash` takes the tool away";
            return Err(refused("cannot rule over `bash`".to_owned()).help(help));
        }
        if COORDINATION.contains(&tool.as_str()) {
            let help = "remove the rule: the tool serves the extension itself";
            return Err(refused(format!("cannot rule over `{tool}`")).help(help));
        }
        if !matches!(entry.value.as_text(), Some("allow" | "ask" | "deny")) {
            let complaint = format!("must say `allow`, `ask` or `deny` for `{tool}`");
            return Err(refused(complaint));
        }
    }
    let is_empty = map.entries.is_empty();
    let value = Node::new(Value::Map(map), value.span, value.style);
    Ok((!is_empty).then_some(FieldValue::config(value)))
}

/// Finds the only line of a text that sets a key: the place of the key, and that of the line.
fn key_in(text: &str, key: &str) -> Option<(Range<usize>, Range<usize>)> {
    let mut at = 0;
    let mut found = text.split_inclusive('\n').filter_map(|line| {
        let start = at + line.len() - line.trim_start().len();
        let end = at + line.trim_end().len();
        at += line.len();
        let bare = text.get(start..end)?.trim_start_matches(['"', '\'']);
        let rest = bare.strip_prefix(key)?.trim_start_matches(['"', '\'']);
        let written = end - bare.len();
        rest.trim_start()
            .starts_with(':')
            .then(|| (written..written + key.len(), start..end))
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Returns the place of a part of a text.
fn below(text: Span, part: Range<usize>) -> Span {
    let offset = |at: usize| text.start + u32::try_from(at).unwrap_or(u32::MAX - text.start);
    Span::new(offset(part.start), offset(part.end))
}

pub(super) fn tool_budget(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let text = text_of(node);
    if javascript::trim(text).is_empty() {
        return Ok(None);
    }
    let value = json::read(&MappedText::plain(text), json::JAVASCRIPT)
        .map_err(|error| Problem::rejects(node.span, format!("is no JSON: {error}")))?;
    let value = moved(&value, node);
    map_of(&value, "a JSON object")?;
    Ok(Some(FieldValue::config(value)))
}

/// `{ scope: …, path: … }` or the two on lines of their own; anything else is passed over.
pub(super) fn memory(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let text = text_of(node);
    if text.is_empty() {
        return Ok(None);
    }
    let trimmed = javascript::trim(text);
    let inline = trimmed
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    let parts: Vec<&str> = match inline {
        Some(inside) => inside.split(',').collect(),
        None => text.split('\n').collect(),
    };
    let value_of = |wanted: &str| {
        let mut pairs = parts.iter().rev().filter_map(|part| part.split_once(':'));
        let (_, value) = pairs.find(|(key, _)| javascript::trim(key) == wanted)?;
        Some(unquoted(javascript::trim(value)))
    };
    match (value_of("scope"), value_of("path")) {
        (Some(scope @ ("project" | "user")), Some(path)) if !path.is_empty() => {
            let entry = |key: &str, value: &str| Entry {
                key: Node::new(Value::Text(key.into()), node.span, node.style),
                value: Node::new(Value::Text(value.into()), node.span, node.style),
            };
            let map = Mapping {
                entries: vec![entry("scope", scope), entry("path", path)],
                ..Mapping::default()
            };
            let value = Node::new(Value::Map(map), node.span, node.style);
            Ok(Some(FieldValue::config(value)))
        }
        _ => Err(Problem::leaves_unset(
            node.span,
            "needs a `scope` of `project` or `user`, and a `path`",
        )),
    }
}

fn unquoted(value: &str) -> &str {
    let inside = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(value)
}

pub(super) fn runner(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    let Some(value) = yaml_of(node)? else {
        return Ok(None);
    };
    let map = map_of(&value, "a map")?;
    let text = |key: &str| map.get(key).and_then(|entry| entry.value.as_text());
    let is_filled = |key: &str| text(key).is_some_and(|text| !javascript::trim(text).is_empty());
    let (known, fits): (&[&str], bool) = match text("type") {
        Some("pi") => (&["type"], true),
        Some("external-job") => {
            let options = map.get("options");
            let trimmed = text("provider").is_some_and(|name| javascript::trim(name) == name);
            let fits = options.is_none_or(|options| options.value.as_map().is_some());
            (
                &["type", "provider", "options"],
                is_filled("provider") && trimmed && fits,
            )
        }
        Some("external-cli") => (&EXTERNAL_CLI_KEYS, is_filled("command") && fits_cli(map)),
        _ => {
            let complaint = "must have the type `pi`, `external-cli` or `external-job`";
            return Err(Problem::rejects(node.span, complaint));
        }
    };
    let stray = map.entries.iter().find(|entry| {
        let key = entry.key.as_text().unwrap_or_default();
        !known.contains(&key)
    });
    if let Some(stray) = stray {
        let key = javascript::text(&stray.key);
        return Err(Problem::rejects(node.span, format!("cannot have `{key}`")));
    }
    match fits {
        true => Ok(Some(FieldValue::config(value.clone()))),
        false => Err(Problem::rejects(
            node.span,
            "lacks a value or has a wrong one",
        )),
    }
}

const EXTERNAL_CLI_KEYS: [&str; 6] = [
    "type",
    "adapter",
    "command",
    "args",
    "promptDelivery",
    "capabilities",
];

fn fits_cli(map: &Mapping) -> bool {
    const ADAPTERS: [&str; 6] = [
        "codex-exec",
        "codex-exec-writer",
        "claude-code",
        "claude-code-writer",
        "cursor-agent",
        "cursor-agent-writer",
    ];
    const CAPABILITIES: [&str; 7] = [
        "steer",
        "resume",
        "structuredOutput",
        "toolEvents",
        "supervisor",
        "forkContext",
        "extensionBindings",
    ];
    let value = |key: &str| map.get(key).map(|entry| &entry.value);
    let all_texts = |args: &Node| {
        let items = args.as_list();
        items.is_some_and(|items| items.iter().all(|item| item.as_text().is_some()))
    };
    let is_adapter = |adapter: &Node| adapter.as_text().is_some_and(|id| ADAPTERS.contains(&id));
    let switches_off = |entry: &Entry| {
        let key = entry.key.as_text().unwrap_or_default();
        CAPABILITIES.contains(&key) && *entry.value.get() == Value::Bool(false)
    };
    let narrows = |node: &Node| {
        let map = node.as_map();
        map.is_some_and(|map| map.entries.iter().all(switches_off))
    };
    let has_args = value("args")
        .and_then(Node::as_list)
        .is_some_and(|args| !args.is_empty());
    value("args").is_none_or(all_texts)
        && value("adapter").is_none_or(|adapter| is_adapter(adapter) && !has_args)
        && value("promptDelivery").is_none_or(|how| how.as_text() == Some("stdin"))
        && value("capabilities").is_none_or(narrows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_get_a_normal_name() {
        for (text, name) in [
            ("Code Analysis", "code-analysis"),
            (" A  b--c..d ", "a-b-c.d"),
            ("x (y)", "x-y"),
            ("!?", ""),
        ] {
            assert_eq!(normalized(text), name, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_javascript_reads_them() {
        for (text, number) in [
            ("90000", Some(90_000.0)),
            (" 1e3 ", Some(1000.0)),
            ("0x10", Some(16.0)),
            ("", Some(0.0)),
            ("1.5", None),
            ("1_000", None),
            ("inf", None),
        ] {
            assert_eq!(whole_number(text), number, "{text}");
        }
    }
}
