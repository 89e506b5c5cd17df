//! The configuration as JSON, for `agentry show`.

use serde_json::json;

use crate::workshop::Workshop;

#[test]
fn every_part_says_where_it_comes_from() {
    let workshop = Workshop::new("tools: [terminal]\nmodel: fast\nskills: one", "Work.").with_file(
        "/home/.openhands/profiles/fast.json",
        r#"{"model": "v/fast", "api_key": "k"}"#,
    );
    let config = workshop.agent().expect("it is made");
    let shown = serde_json::to_value(&config).expect("it is JSON");
    assert_eq!(
        shown["tools"],
        json!({
            "value": [{
                "value": "terminal",
                "from": {
                    "kind": "definition",
                    "field": "tools",
                    "key": {"start": 16, "end": 21},
                    "span": {"start": 24, "end": 32},
                },
            }],
            "from": {
                "kind": "definition",
                "field": "tools",
                "key": {"start": 16, "end": 21},
                "span": {"start": 23, "end": 33},
            },
        })
    );
    assert_eq!(
        shown["model"]["value"],
        json!({
            "profile": "fast",
            "model": "v/fast",
            "usage_id": "default",
            "file": "/home/.openhands/profiles/fast.json",
        })
    );
    assert_eq!(shown["prompt_suffix"]["value"], "Work.");
    assert_eq!(shown["skills"][0]["content"], "text of one");
    assert_eq!(
        shown["condenser"]["value"]["model_from"],
        json!({
            "kind": "model-profile",
            "name": "fast",
            "file": "/home/.openhands/profiles/fast.json",
        })
    );
    assert_eq!(
        shown["permission"],
        json!({"value": "inherit", "from": {"kind": "parent"}})
    );
    assert_eq!(
        shown["limits"]["max_turns"],
        json!({"value": null, "from": {"kind": "default"}})
    );
    assert_eq!(shown["mcp_servers"]["value"], json!({}));
    assert_eq!(
        shown["harness_would_create"],
        json!([
            "/home/.openhands/profiles/.profiles.lock",
            "/home/.openhands/provider-connections",
        ])
    );
    assert!(!shown.to_string().contains("\"k\""));
}

#[test]
fn numbers_that_json_does_not_have_are_words() {
    let workshop = Workshop::new("max_budget_per_run: .inf", "");
    let config = workshop.agent().expect("it is made");
    let shown = serde_json::to_value(&config).expect("it is JSON");
    assert_eq!(shown["limits"]["max_budget_usd"]["value"], "inf");
    assert_eq!(shown["model"]["value"], "parent");
}
