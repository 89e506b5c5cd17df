//! The stored model profiles of OpenHands.
//!
//! A profile is a JSON file that the SDK loads as its model class. Everything in it is checked,
//! although an agent's configuration shows no more than the model and the usage id: a profile
//! with one bad value cannot be used at all (case `factory/model-profile-corrupt`).

use crate::coerce::object::{
    self, Absent, Object, Shape, Unknown, expect_map, member, optional, required,
};
use crate::coerce::{Problem, Remarks};
use crate::dialect::ModelProfileRules;
use crate::value::{Int, Mapping, Node, Value};

/// Source of rule: the cases `factory/model-*`, and `LLMProfileStore` of 1.58.2, run on the values
/// of the tests below. Two checks that need more than the file are left out: that a provider
/// connection which the profile names exists, and that a subscription is logged in.
pub(super) const RULES: ModelProfileRules = ModelProfileRules {
    suffix: ".json",
    allows: is_allowed,
    allowed: "1 to 64 ASCII letters, digits, `.`, `_` and `-`, the first one a letter or digit",
    read,
    made_inside: &[".profiles.lock"],
    made_beside: &["provider-connections"],
};

/// The newest version of the format that the SDK reads.
const NEWEST_VERSION: i64 = 1;

/// `^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`; in Python the `$` also fits before a final line end.
pub(super) fn is_allowed(name: &str) -> bool {
    let name = name.strip_suffix('\n').unwrap_or(name);
    (1..=64).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

const fn left_out(key: &'static str, shape: Shape) -> object::Member {
    member(key, shape, Absent::LeftOut)
}

const COUNT: Shape = Shape::IntFrom(0);
const POSITIVE: Shape = Shape::IntFrom(1);

static PROFILE: Object = Object {
    name: "model profile",
    members: &[
        required("model", Shape::FilledText),
        member("usage_id", Shape::Text, Absent::Text("default")),
        optional("api_key", &Shape::Text),
        optional("provider_connection_id", &Shape::Text),
        left_out("auth_type", Shape::OneOf(&["api_key", "subscription"])),
        optional("subscription_vendor", &Shape::OneOf(&["openai"])),
        optional("base_url", &Shape::Text),
        optional("api_version", &Shape::Text),
        optional("aws_access_key_id", &Shape::Text),
        optional("aws_secret_access_key", &Shape::Text),
        optional("aws_session_token", &Shape::Text),
        optional("aws_region_name", &Shape::Text),
        optional("aws_profile_name", &Shape::Text),
        optional("aws_role_name", &Shape::Text),
        optional("aws_session_name", &Shape::Text),
        optional("aws_bedrock_runtime_endpoint", &Shape::Text),
        left_out("openrouter_site_url", Shape::Text),
        left_out("openrouter_app_name", Shape::Text),
        left_out("num_retries", COUNT),
        left_out("retry_multiplier", Shape::Float),
        left_out("retry_min_wait", COUNT),
        left_out("retry_max_wait", COUNT),
        optional("timeout", &COUNT),
        optional("stream_idle_timeout", &Shape::Float),
        left_out("max_message_chars", POSITIVE),
        optional("temperature", &Shape::Float),
        optional("top_p", &Shape::Float),
        optional("top_k", &Shape::Float),
        optional("max_input_tokens", &POSITIVE),
        optional("max_output_tokens", &POSITIVE),
        optional("model_canonical_name", &Shape::Text),
        left_out("api_mode", Shape::OneOf(&["auto", "chat", "responses"])),
        left_out("capability_overrides", Shape::AnyMap),
        optional("extra_headers", &Shape::TextMap),
        optional("input_cost_per_token", &Shape::Float),
        optional("output_cost_per_token", &Shape::Float),
        optional("ollama_base_url", &Shape::Text),
        left_out("stream", Shape::Flag),
        left_out("drop_params", Shape::Flag),
        optional("disable_vision", &Shape::Flag),
        optional("disable_stop_word", &Shape::Flag),
        left_out("caching_prompt", Shape::Flag),
        left_out("log_completions", Shape::Flag),
        left_out("log_completions_folder", Shape::Text),
        optional("custom_tokenizer", &Shape::Text),
        left_out("native_tool_calling", Shape::Flag),
        optional("force_string_serializer", &Shape::Flag),
        optional("inline_image_urls", &Shape::Flag),
        optional("reasoning_effort", &Shape::Text),
        optional(
            "reasoning_summary",
            &Shape::OneOf(&["auto", "concise", "detailed"]),
        ),
        left_out("enable_encrypted_reasoning", Shape::Flag),
        optional("prompt_cache_retention", &Shape::Text),
        optional("extended_thinking_budget", &Shape::Int),
        optional("seed", &Shape::Int),
        left_out("litellm_extra_body", Shape::AnyMap),
        optional("fallback_strategy", &Shape::Object(&FALLBACK)),
    ],
    unknown: Unknown::Dropped,
    check: check_ranges,
};

static FALLBACK: Object = Object {
    name: "fallback strategy",
    members: &[
        required("fallback_llms", Shape::List(&Shape::Text)),
        optional("profile_store_dir", &Shape::Text),
    ],
    unknown: Unknown::Dropped,
    check: object::no_check,
};

/// Numbers that may not be negative; of `top_p` no more than 1.
fn check_ranges(profile: &Mapping) -> Result<(), String> {
    const NOT_NEGATIVE: [&str; 7] = [
        "retry_multiplier",
        "stream_idle_timeout",
        "temperature",
        "top_p",
        "top_k",
        "input_cost_per_token",
        "output_cost_per_token",
    ];
    for key in NOT_NEGATIVE {
        let Some(Value::Float(number)) = profile.get(key).map(|entry| entry.value.get()) else {
            continue;
        };
        // NaN fails both comparisons and is refused too.
        let fits = *number >= 0.0 && (key != "top_p" || *number <= 1.0);
        if !fits {
            return Err(format!("has a `{key}` that is out of range"));
        }
    }
    Ok(())
}

/// Checks a profile: first the version of its format, then every member.
fn read(node: &Node, remarks: &mut Remarks<'_>) -> Result<Node, Problem> {
    if let Some(version) = expect_map(node)?.get("schema_version") {
        check_version(&version.value)?;
    }
    object::read(node, &Shape::Object(&PROFILE), remarks)
}

/// `payload.get("schema_version", 0) or 0`, which must then be an integer and no boolean.
fn check_version(version: &Node) -> Result<(), Problem> {
    let complaint = match version.get() {
        Value::Null | Value::Bool(false) => return Ok(()),
        Value::Int(Int::Small(number)) if *number <= NEWEST_VERSION => return Ok(()),
        Value::Int(number) if !number.is_positive() => return Ok(()),
        Value::Int(number) => {
            format!("has the `schema_version` {number}; the newest known one is {NEWEST_VERSION}")
        }
        Value::Float(number) if *number == 0.0 => return Ok(()),
        Value::Text(text) if text.is_empty() => return Ok(()),
        Value::List(items) if items.is_empty() => return Ok(()),
        Value::Map(map) if map.entries.is_empty() => return Ok(()),
        _ => "has a `schema_version` that is no integer".to_owned(),
    };
    Err(Problem::rejects(version.span, complaint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::text::MappedText;

    fn check(text: &str) -> Result<Node, String> {
        let node = json::read(&MappedText::plain(text), json::PYTHON).expect("it is JSON");
        read(&node, &mut Remarks::default()).map_err(|problem| problem.complaint)
    }

    #[test]
    fn a_profile_needs_a_model_and_fitting_values() {
        let usage_id = |text| {
            let node = check(text).expect("it is a profile");
            let map = node.as_map().expect("it is a map");
            map.get("usage_id")
                .and_then(|entry| entry.value.as_text().map(str::to_owned))
        };
        assert_eq!(
            usage_id(r#"{"model": "m", "unknown": 1}"#).as_deref(),
            Some("default")
        );
        for bad in [
            "[]",
            "{}",
            r#"{"model": ""}"#,
            r#"{"model": null}"#,
            r#"{"model": 5}"#,
            r#"{"model": "m", "usage_id": null}"#,
            r#"{"model": "m", "top_p": 1.5}"#,
            r#"{"model": "m", "temperature": NaN}"#,
            r#"{"model": "m", "num_retries": -1}"#,
            r#"{"model": "m", "schema_version": 2}"#,
            r#"{"model": "m", "schema_version": true}"#,
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
        for good in [
            r#"{"model": "m", "timeout": null, "temperature": "0.5"}"#,
            r#"{"model": "m", "schema_version": null}"#,
            r#"{"model": "m", "schema_version": -3}"#,
        ] {
            assert!(check(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn names_are_short_ascii_and_not_hidden() {
        for good in ["a", "0-._", "fast\n", &"x".repeat(64)] {
            assert!(is_allowed(good), "{good:?}");
        }
        for bad in ["", ".hid", "a/b", "a b", "é", "\n", &"x".repeat(65)] {
            assert!(!is_allowed(bad), "{bad:?}");
        }
    }
}
