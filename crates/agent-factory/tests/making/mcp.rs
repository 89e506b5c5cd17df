//! MCP servers: secrets and variables.

use agent_factory::{ExpandedServers, FactoryErrorKind};
use serde_json::{Value, json};

use crate::workshop::{Workshop, profile};

fn variables(name: &str) -> Option<String> {
    match name {
        "TOKEN" => Some("t0k".to_owned()),
        "EMPTY" => Some(String::new()),
        _ => None,
    }
}

fn expanded(servers: &str) -> (Workshop, ExpandedServers, Value) {
    let workshop = Workshop::new(&format!("mcp_config: {servers}"), "");
    let blueprint = workshop.blueprint().expect("it is made");
    let expanded = blueprint.expand_mcp_servers(&variables).expect("it fits");
    let clear = json!(expanded.servers.in_the_clear());
    (workshop, expanded, clear)
}

#[test]
fn variables_stay_until_they_are_filled_in() {
    let workshop = Workshop::new("mcp_config: {docs: {command: d, env: {T: '${TOKEN}'}}}", "");
    let config = workshop.agent().expect("it is made");
    assert_eq!(
        json!(config.mcp_servers.value.in_the_clear()),
        json!({"docs": {"command": "d", "env": {"T": "${TOKEN}"}}})
    );
    assert_eq!(
        config.mcp_servers.value.names().collect::<Vec<_>>(),
        ["docs"]
    );
}

#[test]
fn every_text_is_expanded_names_and_keys_too() {
    let (_, expanded, clear) = expanded(
        "{'${TOKEN}': {command: 'run ${DIR:-/opt}', args: ['$TOKEN', '--key=${TOKEN}'], \
         env: {'${TOKEN}': x}}}",
    );
    assert!(expanded.missing.is_empty());
    assert_eq!(
        clear,
        json!({"t0k": {
            "command": "run /opt",
            "args": ["$TOKEN", "--key=t0k"],
            "env": {"t0k": "x"},
        }})
    );
}

#[test]
fn of_keys_that_become_equal_the_last_one_counts() {
    let (_, _, clear) = expanded("{d: {command: c, env: {'${TOKEN}': a, b: b, t0k: c}}}");
    assert_eq!(clear["d"]["env"], json!({"t0k": "c", "b": "b"}));
}

#[test]
fn a_missing_variable_is_told_with_its_place() {
    let (workshop, expanded, clear) =
        expanded("{d: {command: c, args: ['${A}', '${B:-b}'], env: {X: 'x-${A}'}}}");
    assert_eq!(clear["d"]["args"], json!(["${A}", "b"]));
    let missing: Vec<_> = expanded.missing.iter().collect();
    assert_eq!(missing.len(), 2);
    assert_eq!(workshop.at(missing[0].span), "'${A}'");
    assert_eq!(workshop.at(missing[1].span), "'x-${A}'");
    assert!(missing.iter().all(|missing| missing.name == "A"));
}

#[test]
fn servers_are_checked_again_with_their_values() {
    let (_, expanded, clear) = expanded("{d: {command: c, env: {A: '${EMPTY}', B: '${C:-}'}}}");
    assert_eq!(clear, json!({"d": {"command": "c", "env": {}}}));
    assert_eq!(expanded.remarks.len(), 2);

    let workshop = Workshop::new("mcp_config: {d: {command: '${EMPTY}'}}", "");
    let blueprint = workshop.blueprint().expect("it is made");
    let error = blueprint
        .expand_mcp_servers(&variables)
        .expect_err("a command must not be empty");
    assert_eq!(error.kind(), FactoryErrorKind::InvalidExpansion);
    let place = error.place().expect("it is written");
    assert_eq!(workshop.at(place.value), "'${EMPTY}'");
    assert_eq!(error.diagnostic().code(), "invalid-expansion");
}

#[test]
fn secrets_show_only_on_demand() {
    let workshop = Workshop::new(
        "mcp_config:\n\
         \x20 a: {command: c, env: {KEY: hunter2, REF: '${TOKEN}', DEFAULT: '${X:-hunter2}'}}\n\
         \x20 b: {url: 'https://h', headers: {X-Key: hunter2}}\n\
         \x20 c: {url: 'https://h', auth: {strategy: api_key, value: hunter2, header_name: X-Key}}\n\
         \x20 d: {url: 'https://h', auth: {strategy: header, headers: {X-Key: hunter2}}}\n\
         \x20 e: {url: 'https://h', auth: {strategy: oauth2, state: {t: [hunter2, 5]}}}",
        "",
    );
    let config = workshop.agent().expect("it is made");
    let shown = serde_json::to_value(&config).expect("it is JSON");
    let servers = &shown["mcp_servers"]["value"];
    assert_eq!(
        servers["a"]["env"],
        json!({"KEY": "**********", "REF": "${TOKEN}", "DEFAULT": "${X:-**********}"})
    );
    assert_eq!(servers["b"]["url"], "https://h");
    assert_eq!(servers["b"]["headers"]["X-Key"], "**********");
    assert_eq!(servers["c"]["auth"]["header_name"], "X-Key");
    assert_eq!(servers["c"]["auth"]["strategy"], "api_key");
    assert_eq!(
        servers["e"]["auth"]["state"]["t"],
        json!(["**********", "**********"])
    );
    for public in [shown.to_string(), format!("{config:?}")] {
        assert!(!public.contains("hunter2"), "{public}");
    }
    let clear = json!(config.mcp_servers.value.in_the_clear());
    assert_eq!(clear["d"]["auth"]["headers"]["X-Key"], "hunter2");
}

#[test]
fn nested_aliases_cost_no_more_than_they_did() {
    let mut state = "a0: &a0 {t: '${TOKEN}'}".to_owned();
    for level in 1..40 {
        let below = level - 1;
        state.push_str(&format!(", a{level}: &a{level} [*a{below}, *a{below}]"));
    }
    let (_, expanded, _) = expanded(&format!(
        "{{d: {{url: u, auth: {{strategy: oauth2, state: {{{state}}}}}}}}}"
    ));
    assert!(!expanded.servers.is_empty());
}

#[test]
fn a_called_agent_has_its_callers_servers_in_the_newest_release() {
    let mut workshop = Workshop::new("mcp_config: {d: {command: c}}", "");
    assert_eq!(workshop.agent().expect("it is made").remarks, []);
    workshop.profile = profile("1.58.2");
    let config = workshop.agent().expect("it is made");
    assert_eq!(config.remarks[0].code(), "mcp-of-parent");
    assert!(!config.mcp_servers.value.is_empty());
    workshop.text = workshop.text.replace("{d: {command: c}}", "{}");
    assert_eq!(workshop.agent().expect("it is made").remarks, []);
}
