//! Names that a definition writes and that nothing has: what there is, and what was meant.

use std::borrow::Cow;

use agent_schema::coerce::shorten;
use agent_schema::foreign_words::{WordKind, whose};
use agent_schema::suggest::nearest;
use agent_schema::vocabulary::Subject;
use agent_schema::{Definition, Diagnostic, Dialect, FieldName, Name, Profile, Severity, rules};

use crate::blueprint::item_place;
use crate::config::AgentConfig;
use crate::mcp::McpServers;
use crate::spawning::Spawning;
use crate::start::Start;

/// How many names are listed at most.
const MOST: usize = 12;

/// Says what to write instead of a name that nothing has: the nearest one, or whose word it is, or
/// what there is.
pub(crate) fn help(name: &str, available: &[String], whose: Option<String>) -> Option<String> {
    let known = available.iter().map(String::as_str);
    if let Some(meant) = nearest(name, known) {
        return Some(format!("write `{meant}` if you mean that"));
    }
    match (whose, listed(available)) {
        (Some(whose), Some(listed)) => Some(format!("{whose}; {listed}")),
        (whose, listed) => whose.or(listed),
    }
}

/// Lists what there is, up to a limit; nothing if there is nothing.
pub(crate) fn listed(available: &[String]) -> Option<String> {
    let names = available.iter().take(MOST);
    let names: Vec<String> = names.map(|name| format!("`{}`", shorten(name))).collect();
    let more = match available.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let verb = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| format!("there {verb} {}{more}", names.join(", ")))
}

/// A definition and what it is started with.
pub(crate) struct Wanted<'a> {
    pub(crate) definition: &'a Definition,
    pub(crate) dialect: &'static Dialect,
    pub(crate) profile: &'static Profile,
    pub(crate) start: &'a Start<'a>,
}

impl Wanted<'_> {
    /// Tells of servers and agents that an agent names and that are not there, as far as the start
    /// says which there are.
    pub(crate) fn remarks(&self, config: &AgentConfig) -> Vec<Diagnostic> {
        let mut remarks = self.servers(&config.mcp_servers.value);
        remarks.extend(self.agents(&config.spawning.value));
        remarks
    }

    fn servers(&self, own: &McpServers) -> Vec<Diagnostic> {
        let Some(catalog) = self.start.servers.filter(|it| it.is_complete()) else {
            return Vec::new();
        };
        let written_out: Vec<&str> = own.written_out().collect();
        let exists = |name: &str| catalog.has(name) || written_out.contains(&name);
        let mut available: Vec<String> = catalog.names().into_iter().map(str::to_owned).collect();
        available.extend(written_out.iter().map(|name| (*name).to_owned()));
        available.sort();
        available.dedup();
        let mut found = Vec::new();
        for (field, server, name) in self.named_servers(own) {
            if !exists(&server) {
                let message = format!("no server is called `{}`", shorten(&server));
                let finding = Diagnostic::new(&rules::UNKNOWN_SERVER, message).because(format!(
                    "{} looks the servers of an agent up among those that are configured, and the \
                     agent runs without the tools of one that is not",
                    self.dialect.title
                ));
                found.push(self.finish(finding, field, &name, &server, &available, None));
            }
        }
        found
    }

    /// The servers that the fields name: one by one, and by their tools.
    fn named_servers(&self, own: &McpServers) -> Vec<(FieldName, String, Name)> {
        let named = own.named_only().map(|name| {
            let server = name.text.clone();
            (FieldName::MCP_SERVERS, server, name)
        });
        let mut all: Vec<_> = named.collect();
        let words = self.profile.rules.writing.access.vocabulary.servers;
        let Some(words) = words.filter(|words| words.single_is_told) else {
            return all;
        };
        for field in [FieldName::TOOLS, FieldName::DISALLOWED_TOOLS] {
            for name in self.definition.names(field) {
                if let Some(Subject::Server { server, .. }) = words.read(&name.text)
                    && !server.contains(['*', '?'])
                {
                    all.push((field, server, name.clone()));
                }
            }
        }
        all
    }

    fn agents(&self, spawning: &Spawning) -> Vec<Diagnostic> {
        let (Some(agents), Spawning::Only(named)) = (self.start.agents, spawning) else {
            return Vec::new();
        };
        let mut available: Vec<String> = agents.iter().map(|name| (*name).to_owned()).collect();
        available.sort();
        let title = self.dialect.title;
        let unknown = named
            .iter()
            .filter(|name| !agents.contains(&name.value.as_str()));
        let told = unknown.map(|name| {
            let message = format!("no agent is called `{}`", shorten(&name.value));
            let mut finding = Diagnostic::new(&rules::UNKNOWN_AGENT, message).because(format!(
                "{title} looks an agent up by its exact name when it is started, and there is none \
                 of this name"
            ));
            let whose = whose(WordKind::Agent, &name.value, title);
            finding.help = help(&name.value, &available, whose).map(Cow::from);
            finding.severity = Severity::Warning;
            finding.span = name.from.place().map(|place| place.value);
            finding
        });
        told.collect()
    }

    fn finish(
        &self,
        mut finding: Diagnostic,
        field: FieldName,
        written: &Name,
        name: &str,
        available: &[String],
        whose: Option<String>,
    ) -> Diagnostic {
        finding.help = help(name, available, whose).map(Cow::from);
        finding.severity = Severity::Warning;
        finding.field = Some(field);
        finding.span = item_place(self.definition, field, written).map(|place| place.value);
        finding
    }
}
