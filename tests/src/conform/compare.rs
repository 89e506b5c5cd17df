//! Comparing what came out with what a case expects, member by member.

use std::fmt;

use serde_json::Value;

/// A place where the two disagree.
#[derive(Debug)]
pub struct Difference {
    /// What was compared, as a dotted path.
    pub at: String,
    /// What the harness did.
    pub expected: String,
    /// What we did.
    pub actual: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: the harness gives {}, we give {}",
            self.at, self.expected, self.actual
        )
    }
}

/// Notes a difference if the two values are not the same. Numbers are compared by value.
pub(super) fn values(at: &str, expected: &Value, actual: &Value, out: &mut Vec<Difference>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            let keys = expected
                .keys()
                .chain(actual.keys().filter(|key| !expected.contains_key(*key)));
            for key in keys {
                let missing = Value::String("(absent)".to_owned());
                values(
                    &format!("{at}.{key}"),
                    expected.get(key).unwrap_or(&missing),
                    actual.get(key).unwrap_or(&missing),
                    out,
                );
            }
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            for (index, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                values(&format!("{at}.{index}"), expected, actual, out);
            }
        }
        (Value::Number(expected_number), Value::Number(actual_number))
            if expected_number.as_f64() == actual_number.as_f64() => {}
        _ if expected == actual => {}
        _ => out.push(Difference {
            at: at.to_owned(),
            expected: short(expected),
            actual: short(actual),
        }),
    }
}

fn short(value: &Value) -> String {
    const MOST: usize = 200;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
