//! What a delegating model is told about the tools of an agent.

use agent_schema::tool_rules::ToolRules;
use agent_schema::{Definition, FieldName, ToolAccess};

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

fn texts(definition: &Definition, field: FieldName) -> Vec<&str> {
    let names = definition.names(field).iter();
    names.map(|name| name.text.as_str()).collect()
}
