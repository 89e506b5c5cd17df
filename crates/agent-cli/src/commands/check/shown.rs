//! Which findings are told one by one. A file may hold thousands of agents, each with the same
//! mistake, or be one long line that would be printed for each of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use agent_schema::Diagnostic;
use agent_schema::parse::MOST_OF_A_RULE;

use crate::commands::check::gather::{Checked, Files, Noted};

/// A finding that is told, with its file.
pub(super) struct Shown<'a> {
    pub(super) reported: &'a str,
    pub(super) checked: &'a Checked,
    pub(super) noted: Cow<'a, Noted>,
}

/// What of a file is told of one rule by one harness.
#[derive(Default)]
struct OfARule {
    /// How many findings are told one by one.
    told: usize,
    /// What stands for the others.
    rest: Option<Noted>,
}

/// Returns the findings that are told, in the order of files and lines. Behind those of a file
/// stands how many more there are of a rule.
pub(super) fn shown(files: &Files) -> Vec<Shown<'_>> {
    let mut shown = Vec::new();
    for (reported, checked) in &files.files {
        let mut show = |noted| {
            shown.push(Shown {
                reported,
                checked,
                noted,
            });
        };
        let mut rules: BTreeMap<_, OfARule> = BTreeMap::new();
        for noted in checked.findings.iter().filter(|it| it.standing.is_shown()) {
            let reader = noted.dialects.first().map(|dialect| dialect.id);
            let of_rule = rules.entry((noted.diagnostic.code(), reader)).or_default();
            if noted.diagnostic.stands_for > 1 || of_rule.told == MOST_OF_A_RULE {
                of_rule.leave_out(noted);
            } else {
                of_rule.told += 1;
                show(Cow::Borrowed(noted));
            }
        }
        let rests = rules.into_values().filter_map(|of_rule| of_rule.rest);
        rests.map(Cow::Owned).for_each(&mut show);
    }
    shown
}

impl OfARule {
    fn leave_out(&mut self, noted: &Noted) {
        let known = self.rest.take();
        let before = known.as_ref().map_or(0, |rest| rest.diagnostic.stands_for);
        let rest = known.unwrap_or_else(|| noted.clone());
        let number = before + noted.diagnostic.stands_for;
        let severity = rest.diagnostic.severity.max(noted.diagnostic.severity);
        self.rest = Some(Noted {
            diagnostic: Diagnostic {
                severity,
                span: rest.diagnostic.span,
                ..Diagnostic::more(noted.diagnostic.rule, number)
            },
            ..rest
        });
    }
}
