//! Whether a list denies a tool. The list is looked through once, so that a long one costs no more
//! than its length.

use std::collections::HashSet;

use agent_schema::Name;
use agent_schema::dialect::ServerEntries;
use agent_schema::tool_rules::ToolRules;

/// What a list denies.
pub(super) struct Denied<'a> {
    known: Option<&'static ToolRules>,
    /// The tools, as they are called now.
    tools: HashSet<&'a str>,
    /// The servers whose tools are all denied.
    servers: HashSet<&'a str>,
    /// Whether the tools of any server are.
    all_servers: bool,
    entries: Option<ServerEntries>,
}

impl<'a> Denied<'a> {
    pub(super) fn new(
        names: &'a [Name],
        known: Option<&'static ToolRules>,
        entries: Option<ServerEntries>,
    ) -> Self {
        let mut denied = Denied {
            known,
            tools: HashSet::new(),
            servers: HashSet::new(),
            all_servers: false,
            entries,
        };
        for name in names {
            denied.add(&name.text);
        }
        denied
    }

    fn add(&mut self, entry: &'a str) {
        let Some(known) = self.known else {
            self.tools.insert(entry);
            return;
        };
        let present = known.present_name(entry);
        let along = known.denied_along.iter();
        let along = along.filter(|(other, _)| *other == present);
        self.tools.insert(present);
        self.tools.extend(along.map(|(_, tool)| *tool));
        let Some((entries, rest)) = self
            .entries
            .and_then(|entries| Some((entries, entry.strip_prefix(entries.prefix)?)))
        else {
            return;
        };
        let server = rest.strip_suffix('*').unwrap_or(rest);
        match server.strip_suffix(entries.separator).unwrap_or(server) {
            "" => self.all_servers |= rest == "*",
            server => {
                self.servers.insert(server);
            }
        }
    }

    /// Returns whether the list denies a tool, by its name, by that of another one, or by its
    /// server.
    pub(super) fn has(&self, tool: &str) -> bool {
        let present = self.known.map_or(tool, |known| known.present_name(tool));
        self.tools.contains(present) || self.has_server_of(tool)
    }

    fn has_server_of(&self, tool: &str) -> bool {
        let Some((entries, rest)) = self
            .entries
            .and_then(|entries| Some((entries, tool.strip_prefix(entries.prefix)?)))
        else {
            return false;
        };
        let mut ends = rest.char_indices().map(|(at, _)| rest.split_at(at));
        self.all_servers
            || ends.any(|(server, behind)| {
                behind.starts_with(entries.separator) && self.servers.contains(server)
            })
    }
}

#[cfg(test)]
mod tests {
    use agent_schema::dialect::ToolDecision;
    use agent_schema::dialects;

    use super::*;

    fn denies(list: &[&str], tool: &str) -> bool {
        let rules = &dialects::CLAUDE_CODE.default_profile().rules.factory;
        let ToolDecision::Lists(lists) = rules.start.tools else {
            panic!("it has lists");
        };
        let name = |text: &&str| Name {
            text: (*text).to_owned(),
            span: None,
        };
        let names: Vec<Name> = list.iter().map(name).collect();
        Denied::new(&names, rules.tools, lists.servers).has(tool)
    }

    #[test]
    fn a_server_is_denied_with_all_its_tools() {
        for entry in ["mcp__a", "mcp__a__", "mcp__a__*", "mcp__*"] {
            assert!(denies(&[entry], "mcp__a__b"), "{entry}");
            assert!(!denies(&[entry], "Bash"), "{entry}");
        }
        assert!(denies(&["mcp__a_"], "mcp__a___b"));
        assert!(denies(&["mcp__a"], "mcp__a___b"));
        assert!(!denies(&["mcp__a"], "mcp__ab__c"));
        assert!(!denies(&["mcp__"], "mcp__a__b"));
    }

    #[test]
    fn a_tool_is_denied_by_any_of_its_names() {
        assert!(denies(&["Bash(rm *)"], "Bash"));
        assert!(denies(&["Task"], "Agent"));
        assert!(!denies(&["Read"], "Bash"));
    }
}
