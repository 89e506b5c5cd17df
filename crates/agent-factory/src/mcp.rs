//! The MCP servers of an agent, their secrets and their variables.

use agent_schema::coerce::Remarks;
use agent_schema::value::{Entry, Mapping, Value};
use agent_schema::{
    Definition, Diagnostic, Dialect, FieldName, FieldValue, Name, Node, Profile, Span,
};
use serde::ser::{Serialize, Serializer};

use crate::catalog::McpCatalog;
use crate::error::FactoryError;
use crate::expand::{MissingVariable, Segment, expand, segments};
use crate::rewrite::{Keys, rewrite};

/// What stands for a secret.
pub const MASK: &str = "**********";

/// Members of a server whose values are secrets.
const SECRET_MEMBERS: [&str; 3] = ["env", "headers", "auth"];

/// Members of a server's `auth` that tell only how it is done.
const PUBLIC_IN_AUTH: [&str; 2] = ["strategy", "header_name"];

/// The MCP servers of an agent.
///
/// As JSON and in debug output the values of `env`, `headers` and `auth` are masked; references
/// to variables are no secrets and stay visible, without their defaults.
#[derive(Clone, Default)]
pub struct McpServers(Option<Node>);

/// MCP servers whose variables are filled in.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct ExpandedServers {
    /// The servers, as the harness starts them.
    pub servers: McpServers,
    /// References that stay because the variable has neither a value nor a default.
    pub missing: Vec<MissingVariable>,
    /// What the harness drops now that the values are known, such as empty secrets.
    pub remarks: Vec<Diagnostic>,
}

impl McpServers {
    /// Wraps checked servers: a map from names to servers, or a list of names and of such maps. A
    /// server that is only named has no settings.
    pub(crate) fn new(servers: Option<Node>) -> Self {
        McpServers(servers.map(|servers| match servers.as_list() {
            Some(items) => as_map(items, servers.span),
            None => servers,
        }))
    }

    /// Takes out the servers that are written out, and returns their names; those that are only
    /// named stay.
    pub(crate) fn take_written_out(&mut self) -> Vec<String> {
        let mut taken = Vec::new();
        if let Some(Node {
            value: Value::Map(map),
            ..
        }) = &mut self.0
        {
            map.entries.retain(|server| {
                let is_named = server.value.is_null();
                if !is_named {
                    taken.extend(server.key.as_text().map(str::to_owned));
                }
                is_named
            });
        }
        taken
    }

    /// Puts the settings of the servers that are configured elsewhere in the place of their names.
    pub(crate) fn look_up(&mut self, catalog: &dyn McpCatalog) {
        if let Some(Node {
            value: Value::Map(map),
            ..
        }) = &mut self.0
        {
            for server in map.entries.iter_mut().filter(|it| it.value.is_null()) {
                let found = server.key.as_text().and_then(|name| catalog.get(name));
                if let Some(settings) = found {
                    server.value = settings.resolved().clone();
                }
            }
        }
    }

    /// Returns the servers that are only named, with the bytes of their names.
    pub(crate) fn named_only(&self) -> impl Iterator<Item = Name> {
        let named = self.entries().filter(|server| server.value.is_null());
        named.filter_map(|server| {
            Some(Name {
                text: server.key.as_text()?.to_owned(),
                span: Some(server.key.span),
            })
        })
    }

    /// Returns the names of the servers that are written out.
    pub fn written_out(&self) -> impl Iterator<Item = &str> {
        let servers = self.entries().filter(|server| !server.value.is_null());
        servers.filter_map(|server| server.key.as_text())
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.map().into_iter().flat_map(|map| &map.entries)
    }

    /// Returns the names of the servers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries().filter_map(|entry| entry.key.as_text())
    }

    /// Returns whether there is no server.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.map().is_none_or(|map| map.entries.is_empty())
    }

    /// Returns the servers with their secrets, for the program that starts them; none if the
    /// definition sets none.
    #[must_use]
    pub fn in_the_clear(&self) -> Option<&Node> {
        self.0.as_ref()
    }

    /// Returns the servers for people: secrets are masked.
    #[must_use]
    pub fn masked(&self) -> Node {
        let mut servers = match &self.0 {
            Some(node) => node.clone(),
            None => Node::default_at(Value::Map(Mapping::default()), Span::default()),
        };
        for (_, server) in members_mut(&mut servers) {
            for (key, value) in members_mut(server) {
                if SECRET_MEMBERS.contains(&key.as_str()) {
                    mask_member(&key, value);
                }
            }
        }
        servers
    }

    /// Fills in the variables of every text, names and keys included, and checks the servers
    /// once more, as the harness does when a conversation starts.
    ///
    /// # Errors
    /// If the servers are refused with their variables filled in.
    pub(crate) fn expand(
        &self,
        definition: &Definition,
        dialect: &Dialect,
        profile: &Profile,
        variables: &dyn Fn(&str) -> Option<String>,
    ) -> Result<ExpandedServers, FactoryError> {
        let mut expanded = ExpandedServers {
            servers: McpServers(None),
            missing: Vec::new(),
            remarks: Vec::new(),
        };
        let Some(servers) = &self.0 else {
            return Ok(expanded);
        };
        let servers = rewrite(servers, Keys::Included, &mut |node| {
            let expansion = expand(node.as_text()?, variables);
            let missing = expansion.missing.into_iter();
            expanded.missing.extend(missing.map(|name| MissingVariable {
                name,
                span: node.span,
            }));
            Some(Value::Text(expansion.text.into()))
        });
        let fields = profile.rules.reading.fields.iter();
        let field = fields.clone().find(|f| f.target == FieldName::MCP_SERVERS);
        expanded.servers = McpServers(match field {
            None => Some(servers),
            Some(field) => {
                let mut remarks = Remarks::default();
                let checked = (field.read)(&servers, &mut remarks)
                    .map_err(|problem| FactoryError::expansion(definition, dialect, problem))?;
                expanded.remarks = remarks.list;
                match checked {
                    Some(FieldValue::Config(node)) => Some(*node),
                    _ => None,
                }
            }
        });
        Ok(expanded)
    }

    fn map(&self) -> Option<&Mapping> {
        self.0.as_ref()?.as_map()
    }
}

impl std::fmt::Debug for McpServers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("McpServers").field(&self.masked()).finish()
    }
}

/// Compares what the servers are, wherever and however they are written.
impl PartialEq for McpServers {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => mine.same_content(theirs),
            _ => self.is_empty() && other.is_empty(),
        }
    }
}

impl Serialize for McpServers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.masked().serialize(serializer)
    }
}

/// Makes a map of a list of names and of maps from names to servers.
fn as_map(items: &[Node], span: Span) -> Node {
    let mut map = Mapping::default();
    for item in items {
        match item.as_map() {
            Some(servers) => map.entries.extend(servers.entries.iter().cloned()),
            None => map.entries.push(Entry {
                key: item.clone(),
                value: Node::default_at(Value::Null, item.span),
            }),
        }
    }
    Node::default_at(Value::Map(map), span)
}

/// Returns the members of an object that was checked, so that it holds no shared values.
fn members_mut(object: &mut Node) -> impl Iterator<Item = (String, &mut Node)> {
    let entries = match &mut object.value {
        Value::Map(map) => map.entries.as_mut_slice(),
        _ => &mut [],
    };
    entries.iter_mut().filter_map(|entry| {
        let key = entry.key.as_text()?.to_owned();
        Some((key, &mut entry.value))
    })
}

fn mask_member(key: &str, value: &mut Node) {
    if key != "auth" {
        *value = mask(value);
        return;
    }
    for (key, value) in members_mut(value) {
        if !PUBLIC_IN_AUTH.contains(&key.as_str()) {
            *value = mask(value);
        }
    }
}

/// Masks every scalar; keys stay.
fn mask(secret: &Node) -> Node {
    rewrite(secret, Keys::Kept, &mut |node| match &node.value {
        Value::Null | Value::Recursive(_) => None,
        Value::Text(text) => Some(Value::Text(mask_text(text).into())),
        _ => Some(Value::Text(MASK.into())),
    })
}

/// Masks all of a text but its references to variables.
fn mask_text(text: &str) -> String {
    let mut out = String::new();
    for segment in segments(text) {
        match segment {
            Segment::Literal(_) => out.push_str(MASK),
            Segment::Reference(reference) => match reference.default {
                None | Some("") => out.push_str(reference.written),
                Some(_) => out.push_str(&format!("${{{}:-{MASK}}}", reference.name)),
            },
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_references_show_in_a_secret() {
        for (secret, shown) in [
            ("", ""),
            ("hunter2", "**********"),
            ("${TOKEN}", "${TOKEN}"),
            ("Bearer ${TOKEN}", "**********${TOKEN}"),
            ("${TOKEN:-hunter2}", "${TOKEN:-**********}"),
            ("${TOKEN:-}", "${TOKEN:-}"),
            ("$TOKEN", "**********"),
        ] {
            assert_eq!(mask_text(secret), shown);
        }
    }
}
