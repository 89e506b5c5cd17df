//! Codes as people write them to name rules: one code, or the group of all that begin alike.

use std::fmt;

use crate::rules;
use crate::suggest::nearest;

/// A rule or a group of rules: `yaml-syntax`, or `skill-` for all whose codes begin with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(Box<str>);

/// A text that names no rule. Fits behind the place where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCode {
    /// The text.
    pub text: String,
    /// The code that was probably meant.
    pub nearest: Option<&'static str>,
}

impl Selector {
    /// Reads a code, or the beginning of several up to a hyphen.
    ///
    /// # Errors
    /// If no rule is meant by it.
    pub fn new(text: &str) -> Result<Self, UnknownCode> {
        let selector = Selector(text.into());
        if rules::ALL.iter().any(|rule| selector.selects(rule.code)) {
            return Ok(selector);
        }
        let codes = rules::ALL.iter().map(|rule| rule.code);
        Err(UnknownCode {
            text: text.to_owned(),
            nearest: nearest(text, codes),
        })
    }

    /// Returns whether a code is meant.
    #[must_use]
    pub fn selects(&self, code: &str) -> bool {
        match self.is_group() {
            true => code.starts_with(&*self.0),
            false => code == &*self.0,
        }
    }

    /// Returns how closely it tells what is meant: a code more than a group, and a longer group
    /// more than a shorter one.
    #[must_use]
    pub fn closeness(&self) -> usize {
        match self.is_group() {
            true => self.0.len(),
            false => usize::MAX,
        }
    }

    fn is_group(&self) -> bool {
        self.0.ends_with('-')
    }
}

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no rule is called `{}`", self.text)
    }
}

impl std::error::Error for UnknownCode {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_groups_select() {
        let one = Selector::new("yaml-syntax").expect("it is a code");
        assert!(one.selects("yaml-syntax") && !one.selects("yaml-value"));
        let group = Selector::new("yaml-").expect("it is a group");
        assert!(group.selects("yaml-syntax") && group.selects("yaml-value"));
        assert!(!group.selects("no-header"));
        assert!(one.closeness() > group.closeness());
        let unknown = Selector::new("yaml-sintax").expect_err("it is none");
        assert_eq!(unknown.nearest, Some("yaml-syntax"));
        assert_eq!(unknown.to_string(), "no rule is called `yaml-sintax`");
        for text in ["", "-", "yaml", "yam-"] {
            assert!(Selector::new(text).is_err(), "{text}");
        }
    }
}
