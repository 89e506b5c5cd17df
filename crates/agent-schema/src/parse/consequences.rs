//! Findings that tell of nothing but what follows from another one: one fault is told once.

use super::Reading;
use super::fields::is_misspelled;
use crate::diagnostic::Diagnostic;
use crate::rules::{self, Rule};
use crate::source::Span;

/// The rules whose findings say that a field is not there.
const TELL_OF_ABSENCE: [&Rule; 2] = [
    &rules::SKILL_NAME_MISSING,
    &rules::SKILL_DESCRIPTION_MISSING,
];

/// The rules whose findings say that a line of dashes ends the header.
pub(super) const TELL_OF_CUT: [&Rule; 2] = [&rules::HEADER_ENDS_EARLY, &rules::FENCE_INSIDE_LINE];

impl Reading<'_> {
    /// Returns whether a finding tells of nothing but what follows from another one, which then
    /// says that too.
    pub(super) fn is_consequence(&mut self, finding: &Diagnostic) -> bool {
        let absent = finding
            .field
            .filter(|_| TELL_OF_ABSENCE.contains(&finding.rule));
        let is_below = absent.is_some_and(|field| self.lost.contains(&field));
        let bytes = self.bytes;
        let cuts = |told: &Diagnostic| is_cut_off(bytes, finding.span, told.span);
        let mut told = self.diagnostics.iter_mut();
        let cause = told.find(|told| match TELL_OF_CUT.contains(&told.rule) {
            true => is_below || cuts(told),
            false => absent.is_some_and(|field| is_misspelled(told, field)),
        });
        let Some(cause) = cause else { return false };
        // What is wrong with a piece of a value says nothing about the whole.
        if absent.is_some() {
            cause.severity = cause.severity.max(finding.severity);
            cause.harness_says |= finding.harness_says;
            let whys = [cause.why.take(), finding.why.clone()];
            cause.why = Some(
                whys.into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join("; ")
                    .into(),
            );
        }
        true
    }
}

/// Returns whether a value ends on its line right where dashes begin.
fn is_cut_off(bytes: &[u8], value: Option<Span>, dashes: Option<Span>) -> bool {
    let (Some(value), Some(dashes)) = (value, dashes) else {
        return false;
    };
    let between = bytes.get(value.end as usize..dashes.start as usize);
    !value.is_empty() && between.is_some_and(|it| it.iter().all(|byte| *byte == b' '))
}
