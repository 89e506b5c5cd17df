//! Definitions that are values inside a file of settings, and what follows from all sources.

use super::Reading;
use crate::coerce::pydantic;
use crate::definition::Definition;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, ReadingRules};
use crate::finish::Resolve;
use crate::header::Consequence;
use crate::inputs::ParseInputs;
use crate::outcome::Parsed;
use crate::rules;
use crate::value::Node;

/// Parses a definition that is a value inside a file of settings. `key` is the name that the file
/// gives to it; `bytes` are those of the file.
pub fn parse_entry(
    node: &Node,
    key: &str,
    bytes: &[u8],
    dialect: &Dialect,
    rules: &ReadingRules,
    inputs: &ParseInputs,
) -> Parsed {
    let mut reading = Reading {
        dialect,
        rules,
        inputs,
        bytes,
        definition: Definition::new(rules.shown),
        diagnostics: Vec::new(),
        consequence: Consequence::LoadsWithoutFields,
        repaired: false,
        degraded: false,
        lost: Vec::new(),
    };
    match node.as_map() {
        Some(map) => {
            reading.read_keys(map);
            reading.read_fields(map);
        }
        None => {
            let refused = rules.refused;
            let why = reading.says(refused);
            let finding = Diagnostic::new(
                &rules::INVALID_VALUE,
                format!("this must be a mapping, not {}", pydantic::article(node)),
            );
            reading.conclude(refused, finding.at(node.span).because(why));
        }
    }
    reading.finish(key, key)
}

impl Reading<'_> {
    /// Works out what follows once no other source can add to the definition.
    pub(super) fn resolve(&mut self) {
        let mut last = Resolve {
            definition: &mut self.definition,
            is_builtin: false,
            for_all: None,
            findings: Vec::new(),
            skip: None,
        };
        (self.rules.resolve)(&mut last);
        let Resolve {
            mut findings, skip, ..
        } = last;
        self.diagnostics.append(&mut findings);
        if let Some(rule) = skip {
            self.worsen(Consequence::Ignored(rule));
        }
    }
}
