//! The MCP servers of OpenHands.

use crate::coerce::object::{
    self, Absent, Faults, Member, Object, OtherKey, Shape, Unknown, expect_map, member, no_check,
    not_text_key, optional, required,
};
use crate::coerce::{Coerced, Problem, Remarks};
use crate::definition::FieldValue;
use crate::value::{Entry, Mapping, Node, Style, Value};

static SERVER: Object = Object {
    name: "MCP server",
    members: &[
        optional("url", &Shape::FilledText),
        optional("command", &Shape::FilledText),
        optional("transport", &Shape::OneOf(TRANSPORTS)),
        optional("args", &Shape::List(&Shape::Text)),
        optional("env", &Shape::SecretMap),
        optional("headers", &Shape::SecretMap),
        optional("cwd", &Shape::Text),
        optional("description", &Shape::Text),
        optional("icon", &Shape::Text),
        optional("timeout", &Shape::Float),
        optional("sse_read_timeout", &Shape::Float),
        optional("keep_alive", &Shape::Flag),
        member("enabled", Shape::Flag, Absent::HiddenFlag(true)),
        optional("auth", &AUTH),
    ],
    unknown: Unknown::DroppedOf(&[OtherKey {
        key: "disabled",
        effect: "has no effect: the server stays as it is",
        help: "write `enabled: false` for a server that is switched off",
    }]),
    check: check_server,
};

const TRANSPORTS: &[&str] = &["stdio", "http", "streamable-http", "sse"];

static AUTH: Shape = Shape::Tagged {
    tag: "strategy",
    name: "strategy",
    choices: &[
        ("none", &auth(&[STRATEGY])),
        ("bearer", &auth(&[STRATEGY, required("value", Shape::Text)])),
        (
            "api_key",
            &auth(&[
                STRATEGY,
                required("value", Shape::Text),
                optional("header_name", &Shape::Text),
            ]),
        ),
        (
            "basic",
            &auth(&[
                STRATEGY,
                required("username", Shape::Text),
                optional("password", &Shape::Text),
            ]),
        ),
        (
            "header",
            &auth(&[STRATEGY, required("headers", Shape::SecretMap)]),
        ),
        (
            "oauth2",
            &auth(&[
                STRATEGY,
                optional("authentication", &Shape::Object(&OAUTH)),
                optional("state", &Shape::AnyMap),
            ]),
        ),
    ],
};

/// Every strategy keeps its tag beside its own members.
const STRATEGY: Member = required("strategy", Shape::Text);

const fn auth(members: &'static [Member]) -> Object {
    Object {
        name: "authentication",
        members,
        unknown: Unknown::Dropped,
        check: no_check,
    }
}

static OAUTH: Object = Object {
    name: "OAuth setting",
    members: &[
        required("type", Shape::OneOf(&["oauth"])),
        optional("client_auth_method", &Shape::Text),
        optional("scopes", &Shape::List(&Shape::Text)),
        optional("client_name", &Shape::Text),
        optional("client_metadata_url", &Shape::Text),
        optional("client_id", &Shape::Text),
        optional("client_secret", &Shape::Text),
        optional("additional_client_metadata", &Shape::AnyMap),
    ],
    unknown: Unknown::Refused,
    check: no_check,
};

/// What a transport needs, and what cannot stand together.
fn check_server(server: &Mapping) -> Result<(), String> {
    let transport = server
        .get("transport")
        .and_then(|entry| entry.value.as_text());
    match transport {
        Some("stdio") if server.get("command").is_none() => {
            return Err("has the transport `stdio` but no `command`".to_owned());
        }
        Some(transport) if transport != "stdio" && server.get("url").is_none() => {
            return Err(format!("has the transport `{transport}` but no `url`"));
        }
        _ => {}
    }
    let names_authorization = server
        .get("headers")
        .and_then(|headers| headers.value.as_map())
        .is_some_and(|headers| {
            headers.entries.iter().any(|entry| {
                entry
                    .key
                    .as_text()
                    .is_some_and(|key| key.eq_ignore_ascii_case("authorization"))
            })
        });
    if server.get("auth").is_some() && names_authorization {
        return Err("has both `auth` and an `Authorization` header".to_owned());
    }
    Ok(())
}

/// Reads the field: a map from names to servers, bare or inside an `mcpServers` wrapper. One bad
/// server spoils the whole file.
pub(super) fn read(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let empty = Mapping::default();
    let map = expect_map(node)?;
    let servers = match map.get("mcpServers") {
        None => map,
        Some(wrapper) => {
            for beside in map
                .entries
                .iter()
                .filter(|entry| !std::ptr::eq(*entry, wrapper))
            {
                remarks.dropped(
                    beside.key.span,
                    "this has no effect beside the inner `mcpServers` key",
                );
            }
            match wrapper.value.get() {
                Value::Null => &empty,
                _ => expect_map(&wrapper.value)?,
            }
        }
    };
    let mut out = Mapping::default();
    let mut faults = Faults::default();
    for entry in &servers.entries {
        let server = server(entry, remarks);
        out.entries.extend(faults.take(server, remarks));
    }
    faults.settle()?;
    Ok(Some(FieldValue::config(Node::new(
        Value::Map(out),
        node.span,
        Style::Block,
    ))))
}

fn server(entry: &Entry, remarks: &mut Remarks<'_>) -> Result<Entry, Problem> {
    let name = entry.key.as_text();
    let name = name.ok_or_else(|| not_text_key(&entry.key))?;
    let server = rename_type(&entry.value, name, remarks)?;
    let named = |mut problem: Problem| {
        let whose = match problem.complaint.starts_with('`') {
            true => "its",
            false => "it",
        };
        let complaint = &problem.complaint;
        problem.complaint = format!("has a bad server `{name}`: {whose} {complaint}");
        problem
    };
    let value = object::within(remarks, named, |remarks| {
        object::read(&server, &Shape::Object(&SERVER), remarks)
    })?;
    Ok(Entry {
        key: entry.key.clone(),
        value,
    })
}

/// Before a server is checked, `type` stands in for an absent `transport` and is dropped
/// otherwise, and `shttp` is `http`.
fn rename_type(node: &Node, name: &str, remarks: &mut Remarks<'_>) -> Result<Node, Problem> {
    let Some(map) = node.as_map() else {
        return Ok(node.clone());
    };
    let mut map = map.clone();
    let has_transport = map.get("transport").is_some();
    if let Some(at) = map
        .entries
        .iter()
        .position(|entry| entry.key.as_text() == Some("type"))
    {
        if has_transport {
            let dropped = map.entries.remove(at);
            remarks.dropped(
                dropped.key.span,
                format!("`type` of `{name}` has no effect beside `transport`"),
            );
        } else {
            map.entries[at].key.value = Value::Text("transport".into());
        }
    }
    for entry in &mut map.entries {
        if entry.key.as_text() == Some("transport") && entry.value.as_text() == Some("shttp") {
            entry.value = Node::new(
                Value::Text("http".into()),
                entry.value.span,
                entry.value.style,
            );
        }
    }
    Ok(Node::new(Value::Map(map), node.span, node.style))
}
