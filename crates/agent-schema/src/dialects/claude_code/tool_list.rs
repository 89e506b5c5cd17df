//! How Claude Code reads a list of tools: from one text or a list of texts, split at commas and
//! blanks.
//!
//! Source of every rule: cases `parse/tl-*`, `parse/dt-*` and `parse/tools-*`, both versions.

use super::tools::TOOLS;
use crate::coerce::{self, Coerced, Places, Problem, Remarks, javascript, pydantic};
use crate::definition::{FieldValue, Name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::foreign_words::foreign_tool;
use crate::parse::MOST_OF_A_RULE;
use crate::rules;
use crate::suggest::{is_spelling, nearest};
use crate::tool_rules::InPlace;
use crate::value::{Node, Value};

/// Reads the tools that an agent may use. A star anywhere means all of them; whatever is written
/// and names none means that there is none.
pub(super) fn allowed(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let names = names(node, remarks);
    if has_star(&names) {
        return Ok(Some(FieldValue::Everything));
    }
    if is_empty_list(node) {
        remarks.list.push(empty_list(node));
    } else if names.is_empty() {
        remarks.loses_part |= holds_something(node);
        remarks.list.push(
            Diagnostic::new(&rules::NO_TOOLS, "the agent gets no tool at all")
                .at(node.span)
                .because(
                    "Claude Code takes a `tools` key without a usable value for an empty list, \
                     although its own list of agents then says that all tools are there",
                )
                .help("remove the key for all tools, or write `[]` if none is meant"),
        );
    }
    note_names(&names, remarks, Effect::Allows);
    note_left_out(&names, remarks);
    Ok(Some(FieldValue::Names(names)))
}

/// Returns whether a value without names is more than nothing: what is written in it is lost.
fn holds_something(node: &Node) -> bool {
    match node.get() {
        Value::Null => false,
        Value::Text(text) => !javascript::trim(text).is_empty(),
        Value::Map(map) => !map.entries.is_empty(),
        _ => true,
    }
}

fn empty_list(node: &Node) -> Diagnostic {
    Diagnostic::new(
        &rules::HIDDEN_LIMIT,
        "the agent gets no tool, although it is listed with all of them",
    )
    .at(node.span)
    .because(
        "Claude Code takes an empty list as it is written, and writes it in its list of agents \
         as if there were none",
    )
    .help("remove the key if tools are meant")
}

/// Notes tools that are not given beside others of the list.
fn note_left_out(names: &[Name], remarks: &mut Remarks<'_>) {
    let tools = names.iter().map(|name| TOOLS.tool(&name.text));
    let tools: Vec<Option<&str>> = tools.collect();
    let named = |tool: &str| {
        let mut named = names.iter().zip(&tools);
        named
            .find(|(_, means)| **means == Some(tool))
            .map(|(name, _)| name)
    };
    for (beside, out) in TOOLS.left_out_beside {
        let (Some(_), Some(name)) = (named(beside), named(out)) else {
            continue;
        };
        remarks.list.push(inert(
            name,
            format!("`{out}` is not given to a main agent beside `{beside}`"),
            "Claude Code leaves such tools to the shell where the main agent has it",
        ));
    }
}

/// Tools that no agent has while another one calls it. `ExitPlanMode` is one too, but not in the
/// mode `plan`.
const NEVER_BELOW: [&str; 7] = [
    "AskUserQuestion",
    "EndConversation",
    "EnterPlanMode",
    "ScheduleWakeup",
    "TaskOutput",
    "WaitForMcpServers",
    "Workflow",
];

fn never_below(name: &Name) -> Option<Diagnostic> {
    let tool = NEVER_BELOW.iter().find(|tool| **tool == name.text)?;
    Some(inert(
        name,
        format!("`{tool}` is never given to an agent that another one calls"),
        "Claude Code keeps some tools for the main agent, whatever a list says",
    ))
}

fn inert(name: &Name, message: String, why: &'static str) -> Diagnostic {
    let mut finding = Diagnostic::new(&rules::INERT_TOOL, message).because(why);
    finding.severity = Severity::Info;
    finding.span = name.span;
    finding
}

/// Reads the tools that are taken away. A star anywhere takes the whole list back.
pub(super) fn denied(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if !matches!(node.get(), Value::List(_) | Value::Text(_) | Value::Null) {
        let what = pydantic::article(node);
        return Err(Problem::leaves_unset(
            node.span,
            format!("is {what} and names no tool: nothing is denied"),
        )
        .help("name each tool in a list"));
    }
    let names = names(node, remarks);
    if has_star(&names) {
        // Beside other names the star alone is wrong.
        let mut stars = names.iter().filter(|name| name.text == "*");
        let star = stars.next().and_then(|name| name.span);
        let star = star.filter(|_| names.len() > 1);
        return Err(Problem::leaves_unset(
            star.unwrap_or(node.span),
            "holds a star, which takes back the whole list: nothing is denied",
        )
        .rule(&rules::STAR_CANCELS_LIST)
        .help("name each tool, or write `tools: []` if the agent may use none"));
    }
    note_names(&names, remarks, Effect::Denies);
    Ok(Some(FieldValue::Names(names)))
}

/// Reads the names of skills; what is no list of names is an empty one.
pub(super) fn skills(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if !matches!(node.get(), Value::List(_) | Value::Text(_) | Value::Null) {
        let message = format!("`skills` is {} and names no skill", pydantic::article(node));
        let finding = Diagnostic::new(&rules::IGNORED_VALUE, message)
            .at(node.span)
            .because("Claude Code takes it for an empty list, without a word")
            .help("`skills` takes a list of names of skills");
        remarks.list.push(finding);
        remarks.loses_part = true;
    }
    Ok(Some(FieldValue::Names(names(node, remarks))))
}

fn has_star(names: &[Name]) -> bool {
    names.iter().any(|name| name.text == "*")
}

fn is_empty_list(node: &Node) -> bool {
    node.as_list().is_some_and(<[Node]>::is_empty)
}

/// Splits every text of a value into names; all else is left out.
fn names(node: &Node, remarks: &mut Remarks<'_>) -> Vec<Name> {
    let items = match node.get() {
        Value::List(items) => items.as_slice(),
        Value::Text(_) => std::slice::from_ref(node),
        _ => return Vec::new(),
    };
    let mut names = Vec::new();
    for item in items {
        match item.as_text() {
            Some(text) => split(text, &mut Places::of(item, remarks), &mut names),
            None => remarks.dropped(
                item.span,
                format!("{} in the list is left out", pydantic::article(item)),
            ),
        }
    }
    names
}

/// Splits at commas and blanks outside parentheses. The first closing parenthesis closes them
/// all, and one that is never closed keeps the rest together.
fn split(text: &str, places: &mut Places<'_>, names: &mut Vec<Name>) {
    let mut inside = false;
    let mut start = 0;
    let ends = text.char_indices().filter_map(|(at, c)| {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            _ => {}
        }
        (!inside && matches!(c, ',' | ' ')).then_some(at)
    });
    for end in ends.chain([text.len()]) {
        let part = javascript::trim(&text[start..end]);
        if !part.is_empty() {
            names.push(Name {
                text: part.to_owned(),
                span: Some(places.next(part)),
            });
        }
        start = end + 1;
    }
}

/// What a list does with the tools that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Allows,
    Denies,
}

impl Effect {
    /// Says what comes of a name that no tool has, before what is wrong with it.
    fn in_vain(self) -> &'static str {
        match self {
            Effect::Allows => "",
            Effect::Denies => "nothing is taken away, as ",
        }
    }
}

/// Notes what names do not do although their author meant them to. Advice for unknown ones is
/// costly, and of one rule no more findings are told than [`MOST_OF_A_RULE`].
fn note_names(names: &[Name], remarks: &mut Remarks<'_>, effect: Effect) {
    let mut unknown = 0;
    for name in names {
        let list = (unknown < MOST_OF_A_RULE).then_some(names);
        let Some(finding) = about(name, effect, list) else {
            continue;
        };
        unknown += usize::from(finding.rule == &rules::UNKNOWN_TOOL);
        // A tool that is not there takes nothing away from those who are allowed less; one that is
        // no more is denied in vain only while another does its work.
        let loses_part = match effect {
            Effect::Denies => {
                finding.rule != &rules::TOOL_RULE_IGNORED && !is_denied_anyway(&name.text, names)
            }
            Effect::Allows => finding.rule != &rules::UNKNOWN_TOOL,
        };
        let loses_part = loses_part && finding.severity > Severity::Info;
        remarks.loses_part |= loses_part;
        remarks.frees |= loses_part && finding.rule == &rules::TOOL_RULE_IGNORED;
        let span = name.span;
        remarks.list.push(Diagnostic { span, ..finding });
    }
}

/// Returns whether a name is that of a tool that is no more, and nothing does its work that the
/// same list leaves.
fn is_denied_anyway(name: &str, list: &[Name]) -> bool {
    let listed = list.iter().map(|name| name.text.as_str());
    let replaced = TOOLS.in_place_of(name, listed);
    matches!(replaced, Some(InPlace::Listed(_) | InPlace::Nothing))
}

/// Finds what a name does not do; `list` is given where advice is wanted.
fn about(name: &Name, effect: Effect, list: Option<&[Name]>) -> Option<Diagnostic> {
    match name.text.split_once('(') {
        _ if is_damaged(&name.text) => Some(damaged(&name.text, effect)),
        _ if is_empty_pattern(&name.text, effect) => Some(empty_pattern(&name.text, effect)),
        _ if !TOOLS.is_known(&name.text) => Some(unknown(&name.text, effect, list)),
        // A rule that fits everything is the whole tool.
        Some((_, "*)")) => None,
        Some((tool, _)) => whole_tool(tool, effect),
        None if effect == Effect::Allows => never_below(name),
        None => None,
    }
}

/// Returns whether a star stands where it fits nothing: inside the name of a server or of its
/// tool, or for all servers in a list of what is allowed.
fn is_empty_pattern(name: &str, effect: Effect) -> bool {
    const ALL_SERVERS: &str = "mcp__*";
    match name {
        ALL_SERVERS => effect == Effect::Allows,
        _ => {
            let server = name.strip_suffix("__*").unwrap_or(name);
            server.starts_with("mcp__") && server.contains('*')
        }
    }
}

fn empty_pattern(name: &str, effect: Effect) -> Diagnostic {
    let why = match effect {
        Effect::Allows => {
            "Claude Code takes a star for all tools of one server, as in `mcp__server__*`; for all \
             servers it counts in `disallowedTools` alone"
        }
        Effect::Denies => {
            "Claude Code takes a star for all servers or for all tools of one, as in \
             `mcp__server__*`, and nowhere inside a name"
        }
    };
    let mut finding = Diagnostic::new(
        &rules::UNKNOWN_TOOL,
        format!("`{}` fits no tool", coerce::shorten(name)),
    );
    finding.severity = Severity::Warning;
    finding
        .because(why)
        .help("name the server: `mcp__server` or `mcp__server__*`")
}

/// Returns whether YAML signs stick to a name, so that no tool can have it.
fn is_damaged(name: &str) -> bool {
    const SIGNS: [char; 9] = ['[', ']', '{', '}', '#', '"', '\'', ';', '\n'];
    let outside = name.split('(').next().unwrap_or_default();
    outside.contains(SIGNS) || outside.contains('\t') || name.contains('(') && !name.ends_with(')')
}

fn damaged(name: &str, effect: Effect) -> Diagnostic {
    if name.contains('(') && !name.contains(')') {
        return Diagnostic::new(
            &rules::DAMAGED_NAME,
            format!("the parenthesis of `{}` is never closed", coerce::shorten(name)),
        )
        .because(
            "Claude Code takes all that follows an open parenthesis for a part of the name, so that \
             this tool and all behind it are lost",
        )
        .help("close the parenthesis");
    }
    Diagnostic::new(
        &rules::DAMAGED_NAME,
        format!(
            "{}`{}` names no tool",
            effect.in_vain(),
            coerce::shorten(name)
        ),
    )
    .because(
        "Claude Code splits the text at commas and blanks alone, so that every other sign belongs \
         to a name; where another line of the header is no YAML it puts this one in quotes too, \
         its brackets and comments included",
    )
    .help("write one name per line, each behind a dash, and no comment behind it")
}

/// `list` is given where advice is wanted.
fn unknown(name: &str, effect: Effect, list: Option<&[Name]>) -> Diagnostic {
    let written = name.split('(').next().unwrap_or_default();
    let mut finding = Diagnostic::new(
        &rules::UNKNOWN_TOOL,
        format!(
            "{}there is no tool `{}`",
            effect.in_vain(),
            coerce::shorten(written)
        ),
    )
    .because(match TOOLS.is_retired(written) {
        true => "Claude Code no longer has a tool of this name, and passes over it without a word",
        false => "Claude Code passes over names that it does not know without a word; case counts",
    });
    finding.severity = Severity::Warning;
    match list.and_then(|list| advice(written, list)) {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Says what to write in a list instead of a name that no tool has.
fn advice(written: &str, list: &[Name]) -> Option<String> {
    let foreign = || foreign_tool(written, "Claude Code", &super::VOCABULARY);
    let listed = list.iter().map(|name| name.text.as_str());
    let replaced = TOOLS.in_place_of(written, listed).map(|it| match it {
        InPlace::Tool(now) => format!("write `{now}`, which does its work now"),
        InPlace::Listed(now) => {
            format!("remove it: `{now}`, which does its work now, is in the list too")
        }
        InPlace::Nothing => "remove it: nothing that a called agent gets does its work".to_owned(),
    });
    let spelled = TOOLS.names().find(|tool| is_spelling(tool, written));
    let near = || nearest(written, TOOLS.names());
    let write = |meant: &str| format!("write `{meant}`");
    let is_all = written.eq_ignore_ascii_case("all");
    let every = || {
        is_all
            .then(|| "leave `tools` out, or write `*`, if the agent may use every tool".to_owned())
    };
    // A word that is spelled otherwise is the harness's own, whoever else writes it so.
    replaced
        .or_else(|| spelled.map(write))
        .or_else(foreign)
        .or_else(|| near().map(write))
        .or_else(every)
}

/// A rule in parentheses counts for the whole tool. Types of agents are no such rule.
fn whole_tool(tool: &str, effect: Effect) -> Option<Diagnostic> {
    let is_agents = matches!(tool, "Agent" | "Task");
    let done = match effect {
        Effect::Allows if is_agents => {
            let finding = Diagnostic::new(
                &rules::TOOL_RULE_IGNORED,
                "the agents in parentheses are no limit where another agent calls this one",
            )
            .because("Claude Code reads the list only if the agent is the main one");
            return Some(Diagnostic {
                severity: Severity::Info,
                ..finding
            });
        }
        Effect::Allows => "granted",
        Effect::Denies => "taken away",
    };
    let mut finding = Diagnostic::new(
        &rules::TOOL_RULE_IGNORED,
        format!("all of `{tool}` is {done}, not only what stands in parentheses"),
    );
    // Nobody who denies one command wants an agent that can run none.
    if effect == Effect::Denies {
        finding.severity = Severity::Error;
    }
    if is_agents {
        return Some(
            finding
                .because(
                    "Claude Code reads types of agents in `tools` alone, and takes the whole tool \
                     away here",
                )
                .help(
                    "deny the type with `permissions` in the settings: `deny: [\"Agent(type)\"]`",
                ),
        );
    }
    Some(
        finding
        .because(
            "Claude Code reads what stands in parentheses here only for `Agent`, and for other tools \
             only in its settings",
        )
        .help("put the rule into `permissions` of the settings, where it counts for every agent"),
    )
}
