//! Definitions that are values inside a file of settings, and what follows from all sources.

use super::Reading;
use super::keys::is_known;
use crate::coerce::pydantic;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, ReadingRules, UnknownKeys};
use crate::finish::Resolve;
use crate::header::Consequence;
use crate::inputs::ParseInputs;
use crate::outcome::Parsed;
use crate::rules;
use crate::source::Span;
use crate::value::{Mapping, Node};

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
    let mut reading = Reading::new(bytes, dialect, rules, inputs);
    // What is said of the definition as a whole stands where it begins.
    let start = node.span.start;
    let brace = bytes.get(start as usize) == Some(&b'{');
    reading.opening = Some(Span::new(start, start + u32::from(brace)));
    // What a file says beside its agents has no key.
    reading.is_entry = !key.is_empty();
    match node.as_map() {
        Some(map) => {
            reading.choose_form(map);
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
    /// Goes over to the rules of another form if a key says that the definition is written in it.
    pub(super) fn choose_form(&mut self, map: &Mapping) {
        let form = form_of(self.rules, map);
        self.other_form = (!std::ptr::eq(form, self.rules)).then_some(self.rules);
        self.rules = form;
    }

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

/// Returns the rules of the form in which a definition is written.
pub(crate) fn form_of<'r>(rules: &'r ReadingRules, map: &Mapping) -> &'r ReadingRules {
    let UnknownKeys::OtherForm(form) = rules.keys.unknown else {
        return rules;
    };
    let mut keys = map.entries.iter().filter_map(|entry| entry.key.as_text());
    match keys.all(|key| is_known(rules, key)) {
        true => rules,
        false => form.0,
    }
}
