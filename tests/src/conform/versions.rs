//! What a case expects of each version of a harness.
//!
//! Three ways to write that down are known. In one, `also` is a map of what was recorded for
//! further versions, and a version that is not named gave the same answer. In another, `also` is a
//! list of all that other harnesses did with the same input, and a harness that is not named was
//! not looked at. In the third, `other_versions` holds for each further version an outcome, the
//! members that differ, or a remark that nothing does; a version that is not named was not looked
//! at.

use std::borrow::Cow;

use agent_schema::dialect::Basis;
use agent_schema::{Dialect, Profile};
use serde_json::{Map, Value};

/// A profile with what a case expects of it.
pub(super) struct Expectation<'a> {
    pub(super) profile: &'static Profile,
    /// What the case says of itself, or of this profile where it was written down in parts.
    base: Cow<'a, Value>,
    /// What it says of this profile in particular, member by member.
    special: Option<&'a Value>,
    /// Whether it was recorded for another version, which may know other fields.
    pub(super) of_other_version: bool,
}

impl Expectation<'_> {
    /// Returns a member of the expectation.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        match self.special {
            Some(special) => special.get(key).or_else(|| {
                // What was recorded for a version replaces outcome and definition as a whole.
                let replaced = ["definition", "error", "definition_partial"];
                (!replaced.contains(&key))
                    .then(|| self.base.get(key))
                    .flatten()
            }),
            None => self.base.get(key),
        }
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::as_str)
    }
}

/// Returns what a case expects under each profile that it speaks about.
pub(super) fn expectations<'a>(dialect: &'static Dialect, case: &'a Value) -> Vec<Expectation<'a>> {
    let others = case.get("other_versions").and_then(Value::as_object);
    if others.is_some() || case.get("basis").and_then(Value::as_str) == Some("read") {
        return of_named_versions(dialect, case, others);
    }
    if let Some(harness) = own_harness(case) {
        return of_named_harnesses(dialect, case, harness);
    }
    let also = case.get("also").and_then(Value::as_object);
    let is_named =
        |profile: &Profile| also.is_some_and(|also| also.contains_key(profile.recorded_as()));
    // What was only read of a version says nothing about cases that were run on another one.
    dialect
        .profiles
        .iter()
        .filter(|profile| profile.basis == Basis::Ran || is_named(profile))
        .map(|profile| Expectation {
            profile,
            base: Cow::Borrowed(case),
            special: also.and_then(|also| also.get(profile.recorded_as())),
            of_other_version: false,
        })
        .filter(|expectation| {
            expectation.profile.basis == Basis::Ran || expectation.special.is_some()
        })
        .collect()
}

fn of_named_versions<'a>(
    dialect: &'static Dialect,
    case: &'a Value,
    others: Option<&Map<String, Value>>,
) -> Vec<Expectation<'a>> {
    let harness = case.get("harness").and_then(Value::as_str);
    // What was read of a version without a profile is believed of the present one.
    let own = harness
        .and_then(|harness| dialect.profile_of_harness(harness))
        .unwrap_or(dialect.default_profile());
    let profiles = dialect.profiles.iter().filter_map(|profile| {
        let base = if profile.id == own.id {
            Cow::Borrowed(case)
        } else {
            Cow::Owned(of_other_version(case, others?.get(profile.id)?))
        };
        Some(Expectation {
            profile,
            base,
            special: None,
            of_other_version: false,
        })
    });
    profiles.collect()
}

/// Returns the harness of a case that speaks of different harnesses: what others did is a list
/// there, and a recommendation stands alone.
fn own_harness(case: &Value) -> Option<&str> {
    let own = case.get("harness").and_then(Value::as_str)?;
    let is_list = case.get("also").is_some_and(Value::is_array);
    let is_recommended = case.get("basis").and_then(Value::as_str) == Some("seed");
    (is_list || is_recommended).then_some(own)
}

fn of_named_harnesses<'a>(
    dialect: &'static Dialect,
    case: &'a Value,
    own: &str,
) -> Vec<Expectation<'a>> {
    let also = case.get("also").and_then(Value::as_array);
    let mut records = vec![(own, Cow::Borrowed(case))];
    for record in also.into_iter().flatten() {
        if let Some(harness) = record.get("harness").and_then(Value::as_str) {
            records.push((harness, Cow::Owned(of_other_harness(case, record))));
        }
    }
    let expectation = |profile: &'static Profile| {
        let named = |(harness, _): &&(&str, _)| *harness == profile.recorded_as();
        let related = |(harness, _): &&(&str, _)| family(harness) == family(profile.recorded_as());
        let exact = records.iter().find(named);
        // A version is recorded only where it differs from the newest one.
        let (_, base) = exact.or_else(|| records.iter().find(related))?;
        Some(Expectation {
            profile,
            base: base.clone(),
            special: None,
            of_other_version: exact.is_none(),
        })
    };
    dialect.profiles.iter().filter_map(expectation).collect()
}

/// Returns a case as it is for another harness: what was given is the same, what came out is not.
fn of_other_harness(case: &Value, record: &Value) -> Value {
    const GIVEN: [&str; 8] = [
        "basis",
        "file_name",
        "cwd",
        "scope",
        "trusted",
        "env",
        "setup",
        "package_sources",
    ];
    let mut all = record.as_object().cloned().unwrap_or_default();
    for key in GIVEN {
        if let Some(value) = case.get(key) {
            all.insert(key.to_owned(), value.clone());
        }
    }
    Value::Object(all)
}

/// Returns the name of a harness without its version: the words that have no digit in them.
fn family(harness: &str) -> Vec<&str> {
    let words = harness.split_whitespace();
    let is_name = |word: &&str| !word.contains(|c: char| c.is_ascii_digit());
    words.filter(is_name).collect()
}

/// Returns a case as it is for another version.
///
/// What the log says is compared only where the case says so: versions word it differently, and
/// each one has models of its own.
fn of_other_version(case: &Value, said: &Value) -> Value {
    const OUTCOMES: [&str; 4] = ["loaded", "rejected", "ignored", "startup-error"];
    let mut changed = case.as_object().cloned().unwrap_or_default();
    for member in ["log", "warns", "effective_main_model"] {
        changed.remove(member);
    }
    match said {
        Value::String(word) if OUTCOMES.contains(&word.as_str()) => {
            changed.insert("outcome".to_owned(), said.clone());
            if word != "loaded" {
                changed.insert("definition".to_owned(), Value::Null);
            }
        }
        Value::Object(parts) => {
            for (key, value) in parts {
                change(&mut changed, key, value);
            }
            forget_invalid(&mut changed);
            if !parts.contains_key("outcome") && changed.contains_key("exit_code") {
                changed.remove("outcome");
            }
        }
        // A remark in words: nothing that can be compared differs.
        _ => {}
    }
    Value::Object(changed)
}

/// Changes a member of a case, or of its definition where the member belongs there.
fn change(case: &mut Map<String, Value>, key: &str, value: &Value) {
    const OF_THE_CASE: [&str; 7] = [
        "outcome",
        "log",
        "agents",
        "model_roster",
        "slash_command",
        "in_init_skills",
        "shadowed",
    ];
    if OF_THE_CASE.contains(&key) {
        case.insert(key.to_owned(), value.clone());
        return;
    }
    let definition = case
        .entry("definition")
        .or_insert_with(|| Value::Object(Map::new()));
    if definition.is_null() {
        *definition = Value::Object(Map::new());
    }
    if let Some(definition) = definition.as_object_mut() {
        definition.insert(key.to_owned(), value.clone());
    }
}

/// Takes the fields out of the definition whose values the log of this version refuses.
fn forget_invalid(case: &mut Map<String, Value>) {
    let log = case.get("log").and_then(Value::as_array);
    let words: Vec<String> = log
        .into_iter()
        .flatten()
        .filter_map(|word| Some(word.as_str()?.strip_prefix("invalid-")?.to_owned()))
        .collect();
    if let Some(definition) = case.get_mut("definition").and_then(Value::as_object_mut) {
        definition.retain(|field, _| {
            let field = field.replace('_', "");
            !words.iter().any(|word| word.to_lowercase() == field)
        });
    }
}
