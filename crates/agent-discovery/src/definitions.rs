//! Definitions that are given on the command line.

use std::path::{Path, PathBuf};

use agent_schema::dialect::{DefinitionFault, DefinitionRules, SkipRule};
use agent_schema::parse::parse_entry;
use agent_schema::text::MappedText;
use agent_schema::{Diagnostic, Level, Limit, Outcome, ParseInputs, Span, json, rules};

use crate::discover::{Search, StopAt, StopKind};
use crate::entry::{Entry, Source, State};
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::places::{Extent, PlaceState, Searched};

impl Search<'_> {
    /// Reads the definitions of the command line, as a place of their own.
    pub(crate) fn visit_definitions(&mut self, level: Level, inputs: &Inputs, switched_on: bool) {
        let rules = &self.found.profile.rules.agents.definitions;
        let (Some(rules), Some(given)) = (rules, &inputs.definitions) else {
            return;
        };
        let first = self.found.entries.len();
        let state = if switched_on {
            let text = text_of(self.tree, rules, given, inputs);
            if let Err(fault) = self.read_definitions(level, rules, &text) {
                self.note_fault(rules, first, *fault);
            }
            let entries = self.found.entries.len() - first;
            PlaceState::Listed { entries }
        } else {
            PlaceState::SwitchedOff
        };
        self.found.places.push(Searched {
            level,
            path: PathBuf::from(rules.reported),
            extent: Extent::Folder,
            state,
            unit: self.found.places.len(),
            above: None,
        });
    }

    /// Reads all definitions; the error is the first fault.
    fn read_definitions(
        &mut self,
        level: Level,
        rules: &'static DefinitionRules,
        text: &str,
    ) -> Result<(), Box<Diagnostic>> {
        let dialect = self.found.dialect;
        let place = self.found.places.len();
        let mapped = MappedText::plain(text);
        let root = json::read(&mapped, json::JAVASCRIPT).map_err(|error| Box::new(error.into()))?;
        let Some(definitions) = root.as_map() else {
            return Err(Box::new(no_object(root.span)));
        };
        let mut fault = None;
        for entry in &definitions.entries {
            if entry.value.as_map().is_none() {
                fault = fault.or(Some(no_object(entry.value.span)));
                continue;
            }
            let name = entry.key.as_text().unwrap_or_default();
            let mut parsed = parse_entry(
                &entry.value,
                name,
                text.as_bytes(),
                dialect,
                rules.reading,
                &ParseInputs::new(),
            );
            let mut diagnostics = std::mem::take(&mut parsed.diagnostics);
            for finding in &mut diagnostics {
                // The key is the name.
                if finding.rule == &rules::NAME_STARTS_WITH_HYPHEN {
                    finding.span = Some(entry.key.span);
                }
            }
            let state = match &parsed.outcome {
                Outcome::Loaded(_) => State::Active,
                Outcome::Ignored(rule) => State::Ignored(*rule),
                Outcome::Rejected(_) => {
                    let mut findings = diagnostics.iter();
                    let finding = findings.find(|finding| finding.harness_says).cloned();
                    fault = fault.or(finding);
                    State::Rejected
                }
            };
            let source = Source {
                level,
                path: None,
                inside: Some(name.to_owned()),
                place: Some(place),
                scan_index: 0,
                reported: rules.reported.to_owned(),
            };
            self.add(Entry {
                parsed: Some(parsed),
                diagnostics,
                state,
                bytes: Some(text.as_bytes().into()),
                key: Some(entry.key.span),
                ..Entry::named(name.to_owned(), source)
            });
        }
        fault.map_or(Ok(()), |fault| Err(Box::new(fault)))
    }

    /// Applies what a fault in one definition does to all of them.
    fn note_fault(&mut self, rules: &DefinitionRules, first: usize, fault: Diagnostic) {
        let title = self.found.dialect.title;
        match rules.fault {
            DefinitionFault::StopsHarness => {
                let place = StopAt::Place(self.found.places.len());
                let why = format!("{title} ends with an error before it loads anything");
                self.stop(place, StopKind::Raises, fault.because(why));
            }
            DefinitionFault::DropsAll => {
                let why = format!("{title} drops all definitions of the command line then");
                for entry in &mut self.found.entries[first..] {
                    entry.state = State::Ignored(SkipRule::DroppedTogether);
                    entry.diagnostics.push(fault.clone().because(why.clone()));
                }
            }
        }
    }
}

/// Returns the text of the definitions: what is given, or the file that it names.
fn text_of(tree: &dyn FileTree, rules: &DefinitionRules, given: &str, inputs: &Inputs) -> String {
    if !rules.may_be_path || given.trim_start().starts_with(['{', '[']) {
        return given.to_owned();
    }
    let here = inputs.project.as_deref().unwrap_or_else(|| Path::new(""));
    match tree.read(&here.join(given), inputs.limits.of(Limit::FileBytes)) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => given.to_owned(),
    }
}

fn no_object(span: Span) -> Diagnostic {
    Diagnostic::new(
        &rules::INVALID_DEFINITIONS,
        "the definitions have to be an object from names to objects",
    )
    .at(span)
    .help("write `{\"name\": {\"description\": \"…\", \"prompt\": \"…\"}}`")
}
