//! Which tools an agent gets from the names that its definition allows and denies.

use agent_schema::tool_rules::ToolRules;
use agent_schema::{Definition, FieldName, ToolAccess};

/// The tools of an agent that is run as the main one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MainTools {
    /// All that a main agent has.
    Default,
    /// All of them without these, which are sorted by name.
    DefaultWithout(Vec<&'static str>),
    /// Just these, in the order in which they are asked for; none at all if it is empty.
    Listed(Vec<&'static str>),
}

/// Resolves the tools of an agent that is run as the main one. Servers count as absent, so that
/// their tools lead to nothing.
#[must_use]
pub fn main_tools(definition: &Definition, rules: &ToolRules) -> MainTools {
    let denied = denied(definition, rules);
    let Some(entries) = allowed_entries(definition, rules) else {
        return match denied.is_empty() {
            true => MainTools::Default,
            false => MainTools::DefaultWithout(denied),
        };
    };
    let mut tools: Vec<&'static str> = Vec::new();
    for tool in entries.into_iter().filter_map(|entry| rules.tool(entry)) {
        if !denied.contains(&tool) && !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    let asked = tools.clone();
    tools.retain(|tool| {
        let mut pairs = rules.left_out_beside.iter();
        !pairs.any(|(other, left_out)| left_out == tool && asked.contains(other))
    });
    MainTools::Listed(tools)
}

/// Returns what the harness tells a delegating model about the tools of an agent. An agent that
/// gets none because its list is empty is said to have all of them, as in the harness.
#[must_use]
pub fn roster_tools(definition: &Definition, rules: &ToolRules) -> String {
    let denied: Vec<&str> = texts(definition, FieldName::DISALLOWED_TOOLS);
    let allowed = allowed_entries(definition, rules).unwrap_or_default();
    match (allowed.is_empty(), denied.is_empty()) {
        (true, true) => "All tools".to_owned(),
        (true, false) => format!("All tools except {}", denied.join(", ")),
        (false, _) => {
            let left = allowed.into_iter().filter(|tool| !denied.contains(tool));
            match left.collect::<Vec<_>>().as_slice() {
                [] => "None".to_owned(),
                left => left.join(", "),
            }
        }
    }
}

/// Returns the entries of the list of allowed tools, with what another field adds; nothing if the
/// definition allows all tools.
fn allowed_entries<'d>(definition: &'d Definition, rules: &ToolRules) -> Option<Vec<&'d str>> {
    let ToolAccess::Listed(names) = definition.tools() else {
        return None;
    };
    let mut entries: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    if let Some(adding) = rules.adding
        && definition.field(adding.field).is_some()
    {
        for tool in adding.tools {
            if !entries.contains(tool) {
                entries.push(tool);
            }
        }
    }
    Some(entries)
}

/// Returns the tools that are denied, sorted. A rule in parentheses denies the whole tool.
fn denied(definition: &Definition, rules: &ToolRules) -> Vec<&'static str> {
    let entries = texts(definition, FieldName::DISALLOWED_TOOLS);
    let mut denied: Vec<&'static str> = entries
        .into_iter()
        .filter_map(|entry| rules.tool(entry))
        .collect();
    let along = rules.denied_along.iter();
    let along: Vec<&'static str> = along
        .filter(|(other, _)| denied.contains(other))
        .map(|(_, tool)| *tool)
        .collect();
    denied.extend(along);
    denied.sort_unstable();
    denied.dedup();
    denied
}

fn texts(definition: &Definition, field: FieldName) -> Vec<&str> {
    let names = definition.names(field).iter();
    names.map(|name| name.text.as_str()).collect()
}
