//! How pydantic 2 turns a value into a type in its lax mode.
//!
//! Source: pydantic 2.14, seen through the cases of the OpenHands SDK (`hooks-timeout-*`,
//! `mcp-*`). A text is only ever made from a text; numbers and switches are taken from several
//! forms.

use super::python;
use crate::value::{Int, Node, Value};

/// Reads a text.
///
/// # Errors
/// What is wrong, to follow the name of the key.
pub fn text(node: &Node) -> Result<&str, String> {
    node.as_text()
        .ok_or_else(|| format!("must be a text, not {}", article(node)))
}

/// Reads an integer: also from a text, a boolean, or a float without a fraction.
///
/// # Errors
/// What is wrong, to follow the name of the key.
pub fn int(node: &Node) -> Result<Int, String> {
    match node.get() {
        Value::Int(value) => Ok(value.clone()),
        Value::Bool(value) => Ok(Int::Small(i64::from(*value))),
        Value::Float(value) => whole(*value)
            .ok_or_else(|| format!("must be a whole number, not {}", python::float_repr(*value))),
        Value::Text(text) => {
            // A text may also end in a dot and zeros: `30.0` is 30.
            let trimmed = python::strip(text);
            let digits = match trimmed.split_once('.') {
                Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => whole,
                _ => trimmed,
            };
            python::int(digits).map_err(|_| "must be a whole number, not other text".to_owned())
        }
        _ => Err(format!("must be a whole number, not {}", article(node))),
    }
}

/// Reads a number: also from a text or a boolean.
///
/// # Errors
/// What is wrong, to follow the name of the key.
pub fn float(node: &Node) -> Result<f64, String> {
    match node.get() {
        Value::Float(value) => Ok(*value),
        Value::Int(value) => value
            .to_string()
            .parse()
            .map_err(|_| "must be a number".to_owned()),
        Value::Bool(value) => Ok(f64::from(u8::from(*value))),
        Value::Text(text) => {
            python::float(text).map_err(|_| "must be a number, not other text".to_owned())
        }
        _ => Err(format!("must be a number, not {}", article(node))),
    }
}

/// Reads a switch: also from 0 and 1 and a few words in any case.
///
/// # Errors
/// What is wrong, to follow the name of the key.
pub fn flag(node: &Node) -> Result<bool, String> {
    match node.get() {
        Value::Bool(value) => Ok(*value),
        Value::Int(Int::Small(value @ (0 | 1))) => Ok(*value == 1),
        Value::Float(value) if *value == 0.0 || *value == 1.0 => Ok(*value == 1.0),
        Value::Text(text) => match text.to_lowercase().as_str() {
            "1" | "on" | "t" | "true" | "y" | "yes" => Ok(true),
            "0" | "off" | "f" | "false" | "n" | "no" => Ok(false),
            _ => Err("must be true or false, not other text".to_owned()),
        },
        _ => Err(format!("must be true or false, not {}", article(node))),
    }
}

/// Returns the integer that a float is, if it has no fraction and fits 64 bits.
fn whole(value: f64) -> Option<Int> {
    let limit = 9.2e18;
    (value.fract() == 0.0 && value.abs() < limit).then_some(Int::Small(value as i64))
}

/// Names the kind of a value with its article.
#[must_use]
pub fn article(node: &Node) -> String {
    match node.get().kind() {
        "null" => "null".to_owned(),
        kind @ ("integer" | "endless structure") => format!("an {kind}"),
        kind => format!("a {kind}"),
    }
}
