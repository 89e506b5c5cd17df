//! The trial of a fix: the mended file is read and compared with what it was.

use std::collections::BTreeMap;

use super::{Patient, Proposal, REMEDIES, apply};
use crate::coerce::shorten;
use crate::definition::{Definition, FieldName, FieldValue, Place, ToolAccess};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity};
use crate::outcome::{Fate, Outcome, Parsed};
use crate::parse::File;
use crate::rules::{self, Rule};
use crate::source::Span;

/// A fix after its trial.
pub(super) struct Tried {
    pub(super) fix: Fix,
    /// The fields that may become others by it.
    changes: Vec<(FieldName, Option<FieldValue>)>,
    /// Whether it is as safe as it can be only if it is made together with others.
    pub(super) is_hoped: bool,
}

impl Patient<'_> {
    /// Returns the first fix of a finding that proves itself, or else the first that may be shown.
    pub(super) fn try_all(&self, finding: &Diagnostic) -> Option<Tried> {
        let mut proposals = self
            .remedies(finding)
            .filter_map(|proposal| self.tried(proposal, finding));
        let mut best: Option<Tried> = None;
        for tried in &mut proposals {
            if tried.fix.applicability == Applicability::Safe {
                return Some(tried);
            }
            best = best.or(Some(tried));
        }
        best
    }

    /// Returns what might mend a finding, in the order in which it is tried.
    pub(super) fn remedies(&self, finding: &Diagnostic) -> impl Iterator<Item = Proposal> {
        let remedies = REMEDIES.iter().filter(|(rule, _)| *rule == finding.rule);
        remedies.filter_map(|(_, remedy)| remedy(self, finding))
    }

    /// Turns a proposal into a fix that is as applicable as its trial allows; nothing if its edits
    /// cannot be made together, or if the file would be worse off with them.
    fn tried(&self, proposal: Proposal, finding: &Diagnostic) -> Option<Tried> {
        let mut proposal = Proposal {
            edits: in_order(proposal.edits)?,
            ..proposal
        };
        let mut is_hoped = proposal.at_best == Applicability::Safe
            && !self.proves(&proposal, &[finding.rule])
            && !self.complete(&mut proposal, finding);
        proposal.edits = in_order(proposal.edits)?;
        if proposal.at_best != Applicability::ShowOnly
            && let Some(line) = self.hidden_by(&proposal)
        {
            // It may have been meant as a setting of its own, and a lost limit must not stay lost.
            proposal.title = format!("{}, `{}` too", proposal.title, shorten(&line));
            proposal.at_best = Applicability::Unsafe;
            is_hoped = false;
        }
        if is_hoped {
            proposal.at_best = Applicability::Unsafe;
        }
        // Only what is lost as a whole may need several fixes.
        let is_hoped_for = is_hoped && self.parsed.fate >= Fate::Ignored;
        let is_tried = proposal.at_best != Applicability::Unsafe || is_hoped_for;
        if !is_tried && (self.worsens(&proposal) || self.is_vain(&proposal, finding)) {
            return None;
        }
        Some(Tried {
            fix: Fix {
                title: proposal.title,
                applicability: proposal.at_best,
                edits: proposal.edits,
            },
            changes: proposal.changes,
            is_hoped,
        })
    }

    /// Returns whether the harness would treat the file worse than now.
    fn worsens(&self, proposal: &Proposal) -> bool {
        let after = self.after(&proposal.edits);
        after.is_some_and(|after| after.fate > self.parsed.fate)
    }

    /// Returns whether another finding about the same field would take the place of this one, in a
    /// file that loads as it is.
    fn is_vain(&self, proposal: &Proposal, finding: &Diagnostic) -> bool {
        let Some(after) = self.after(&proposal.edits) else {
            return false;
        };
        let (Some(_), Some(now)) = (self.parsed.outcome.definition(), after.outcome.definition())
        else {
            return false;
        };
        let light = brought_to_light(now, proposal, &[finding.rule]);
        let is_in_light = |span: Span| light.iter().any(|value| value.cover(span) == *value);
        let rules = |parsed: &Parsed| {
            let findings = parsed.diagnostics.iter();
            let about = findings.filter(|it| {
                let matters = it.severity > Severity::Info;
                matters && it.field == finding.field && !it.span.is_some_and(is_in_light)
            });
            about.map(|it| it.code()).collect::<Vec<_>>()
        };
        let (before, after) = (rules(self.parsed), rules(&after));
        let is_new = |code: &&str| !before.contains(code);
        finding.field.is_some() && after.iter().any(is_new) && after.len() >= before.len()
    }

    /// Tries the fixes together that do not prove themselves alone. A file that is lost for
    /// several values loads only when all of them are mended.
    pub(super) fn prove_together(&self, tried: &[Option<Tried>]) -> bool {
        let mut rules = Vec::new();
        let mut together = Proposal {
            title: String::new(),
            edits: Vec::new(),
            at_best: Applicability::Safe,
            changes: Vec::new(),
        };
        let findings = self.parsed.diagnostics.iter().zip(tried);
        for (finding, tried) in findings {
            let Some(tried) = tried
                .as_ref()
                .filter(|tried| tried.is_hoped || tried.fix.applicability == Applicability::Safe)
            else {
                continue;
            };
            rules.extend(tried.is_hoped.then_some(finding.rule));
            together.edits.extend(tried.fix.edits.iter().cloned());
            together.changes.extend(tried.changes.iter().cloned());
        }
        together
            .edits
            .sort_by_key(|edit| (edit.span.start, edit.span.end));
        together.edits.dedup();
        self.parsed.fate >= Fate::Ignored && !rules.is_empty() && self.proves(&together, &rules)
    }

    /// Adds to a proposal the fix of what it brings to light and what keeps the file from being
    /// loaded with all its limits. Returns whether both together prove themselves.
    fn complete(&self, proposal: &mut Proposal, finding: &Diagnostic) -> bool {
        let further = self.with_further(proposal, |rest| {
            if rest.parsed.outcome.definition().is_some() && !rest.parsed.rights_widened {
                return None;
            }
            // What was there before has a fix of its own.
            let findings = rest.parsed.diagnostics.iter();
            let new = findings.filter(|finding| count(self.parsed, finding.rule) == 0);
            let further = new
                .filter_map(|finding| rest.proven(finding))
                .find(|further| {
                    let after = rest.after(&further.edits);
                    after.is_some_and(|after| self.parsed.rights_widened || !after.rights_widened)
                })?;
            let title = format!("{} and {}", proposal.title, further.title);
            Some(Proposal { title, ..further })
        });
        let Some(both) = further.filter(|both| self.proves(both, &[finding.rule])) else {
            return false;
        };
        *proposal = both;
        true
    }

    /// Joins a proposal with another one for the file that it makes.
    pub(super) fn with_further(
        &self,
        proposal: &Proposal,
        remedy: impl FnOnce(&Patient<'_>) -> Option<Proposal>,
    ) -> Option<Proposal> {
        let mended = apply(self.file.bytes, &proposal.edits)?;
        let parsed = self.read(&mended)?;
        let rest = Patient {
            file: File {
                bytes: &mended,
                ..self.file
            },
            parsed: &parsed,
            ..*self
        };
        let mut further = remedy(&rest)?;
        let whole = apply(&mended, &in_order(further.edits)?)?;
        let mut changes = proposal.changes.clone();
        changes.retain(|(field, _)| further.changes.iter().all(|(other, _)| other != field));
        changes.append(&mut further.changes);
        Some(Proposal {
            title: further.title,
            edits: differences(self.file.bytes, &whole)?,
            at_best: proposal.at_best,
            changes,
        })
    }

    /// Returns the first proposal for a finding that proves itself.
    fn proven(&self, finding: &Diagnostic) -> Option<Proposal> {
        self.remedies(finding).find(|proposal| {
            proposal.at_best == Applicability::Safe && self.proves(proposal, &[finding.rule])
        })
    }

    /// Reads the mended file and compares it with what is there now. Each of the rules must have
    /// one finding less for every time that it is given.
    fn proves(&self, proposal: &Proposal, rules: &[&Rule]) -> bool {
        let Some(mended) = apply(self.file.bytes, &proposal.edits) else {
            return false;
        };
        let Some(after) = self.read(&mended) else {
            return false;
        };
        let Some(now) = after.outcome.definition() else {
            return false;
        };
        // What a finding hid may come to light, but the finding itself must go.
        let fewer = rules.iter().all(|rule| {
            let mended = rules.iter().filter(|other| *other == rule).count();
            count(&after, rule) + mended <= count(self.parsed, rule)
        });
        fewer
            && after.fate <= self.parsed.fate
            && (self.parsed.fate >= Fate::Ignored
                || !has_new_trouble(self.parsed, &after, &brought_to_light(now, proposal, rules)))
            && (self.parsed.rights_widened || !after.rights_widened)
            && !self.loses(&after, &proposal.changes)
            && self.keeps_fields(now, &proposal.changes)
            && self.keeps_unknown_keys(now, proposal, rules)
            && !self.loosens_rights(now)
    }

    /// Returns whether the file, with edits, gives fields from what is written in it.
    pub(super) fn sets(&self, edits: &[Edit], fields: &[FieldName]) -> bool {
        let Some(mended) = apply(self.file.bytes, edits) else {
            return false;
        };
        let Some(after) = self.read(&mended) else {
            return false;
        };
        let Some(now) = after.outcome.definition() else {
            return false;
        };
        let is_set = |field: &FieldName| now.place(*field).is_some();
        fields.iter().all(is_set) && !fields.iter().any(|field| after.lost.contains(field))
    }

    /// Returns whether every field that could be read is unchanged, but for those that may change.
    fn keeps_fields(&self, now: &Definition, changes: &[(FieldName, Option<FieldValue>)]) -> bool {
        let change = |field: FieldName| changes.iter().find(|(changed, _)| *changed == field);
        let meant = changes.iter().all(|(field, meant)| {
            let meant = meant.as_ref();
            let value = now.field(*field).map(|located| &located.value);
            meant.is_none_or(|meant| value.is_some_and(|value| value.same_content(meant)))
        });
        let before = match &self.parsed.outcome {
            Outcome::Loaded(before) | Outcome::Rejected(before) => before,
            Outcome::Ignored(_) => return meant,
        };
        let is_lossy = self.parsed.fate >= Fate::Degraded;
        let kept = before.fields().all(|(field, located)| {
            let now = now.field(field);
            // What is not written gives way to what is, and follows from the fields that may
            // change; of a file that loses what is written, nothing else is known.
            let follows = is_lossy || (field != FieldName::NAME && !changes.is_empty());
            let gives_way =
                located.place.is_none() && (follows || now.is_some_and(|now| now.place.is_some()));
            gives_way
                || change(field).is_some()
                || now.is_some_and(|now| now.value.same_content(&located.value))
        });
        meant && kept
    }

    /// Returns whether every key that the harness keeps without knowing it is unchanged, but for
    /// those that the edits touch.
    fn keeps_unknown_keys(&self, now: &Definition, proposal: &Proposal, mended: &[&Rule]) -> bool {
        let (Outcome::Loaded(before) | Outcome::Rejected(before)) = &self.parsed.outcome else {
            return true;
        };
        // Of a header that is no map, only splinters were kept.
        if mended.contains(&&rules::HEADER_NOT_A_MAP) {
            return true;
        }
        let is_touched = |place: Option<Place>| {
            let mut edits = proposal.edits.iter();
            place.is_some_and(|place| {
                edits.any(|edit| {
                    edit.span.start <= place.value.end && place.key.start <= edit.span.end
                })
            })
        };
        before.metadata.iter().all(|(key, located)| {
            let now = now.metadata.get(key);
            now.is_some_and(|now| now.value.same_content(&located.value))
                || is_touched(located.place)
        })
    }

    /// Returns whether a field that is mended is lost now.
    pub(super) fn loses(
        &self,
        after: &Parsed,
        changes: &[(FieldName, Option<FieldValue>)],
    ) -> bool {
        let is_new =
            |field: &FieldName| after.lost.contains(field) && !self.parsed.lost.contains(field);
        changes.iter().any(|(field, _)| is_new(field))
    }

    /// Returns whether an agent that loads has more rights than before.
    fn loosens_rights(&self, now: &Definition) -> bool {
        let Some(before) = self.parsed.outcome.definition() else {
            return false;
        };
        let is_limited = |tools| matches!(tools, ToolAccess::Listed(_));
        (is_limited(before.tools()) && !is_limited(now.tools())) || self.denies_fewer(before, now)
    }
}

/// Returns the edits that make a text of another: one for each line that differs, if both have as
/// many, or else a single one from the first byte to the last one that differs.
fn differences(before: &[u8], after: &[u8]) -> Option<Vec<Edit>> {
    let whole = difference(before, after)?;
    let replaced = before.get(whole.span.start as usize..whole.span.end as usize)?;
    let (old, new) = (lines(replaced), lines(whole.text.as_bytes()));
    if old.len() != new.len() {
        return Some(vec![whole]);
    }
    let mut edits = Vec::new();
    let mut start = whole.span.start;
    for (old, new) in old.into_iter().zip(new) {
        if old != new {
            let edit = difference(old, new)?;
            let span = Span::new(start + edit.span.start, start + edit.span.end);
            edits.push(Edit { span, ..edit });
        }
        start += u32::try_from(old.len()).ok()?;
    }
    Some(edits)
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Returns the one edit that makes a text of another: from the first byte to the last one that
/// differs.
fn difference(before: &[u8], after: &[u8]) -> Option<Edit> {
    let starts_character = |bytes: &[u8], at: usize| {
        let byte = bytes.get(at);
        byte.is_none_or(|byte| byte & 0b1100_0000 != 0b1000_0000)
    };
    let pairs = before.iter().zip(after);
    let mut start = pairs.take_while(|(one, other)| one == other).count();
    while !starts_character(before, start) || !starts_character(after, start) {
        start = start.checked_sub(1)?;
    }
    let rest = before.len().min(after.len()) - start;
    let pairs = before.iter().rev().zip(after.iter().rev());
    let mut same = pairs
        .take(rest)
        .take_while(|(one, other)| one == other)
        .count();
    while !starts_character(before, before.len() - same)
        || !starts_character(after, after.len() - same)
    {
        same = same.checked_sub(1)?;
    }
    let text = after.get(start..after.len() - same)?;
    Some(Edit {
        span: Span::new(
            u32::try_from(start).ok()?,
            u32::try_from(before.len() - same).ok()?,
        ),
        text: std::str::from_utf8(text).ok()?.to_owned(),
    })
}

pub(super) fn count(parsed: &Parsed, rule: &Rule) -> usize {
    let findings = parsed.diagnostics.iter();
    findings.filter(|finding| finding.rule == rule).count()
}

/// Returns the values of the fields that a fix may change, as they are written in the mended file,
/// where nobody looked into them before: what is wrong inside them was there all along.
pub(super) fn brought_to_light(
    now: &Definition,
    proposal: &Proposal,
    mended: &[&Rule],
) -> Vec<Span> {
    const HIDING: [&Rule; 2] = [&rules::MISSPELLED_KEY, &rules::LIST_IN_ONE_NAME];
    let hides = |rule: &&Rule, value: &FieldValue| {
        let is_list = matches!(value, FieldValue::Names(_));
        HIDING.contains(rule) || (is_list && **rule == rules::IGNORED_VALUE)
    };
    let changed = proposal.changes.iter();
    let changed = changed.filter_map(|(field, _)| now.field(*field));
    let hidden = changed.filter(|it| mended.iter().all(|rule| hides(rule, &it.value)));
    hidden.filter_map(|it| Some(it.place?.value)).collect()
}

/// Returns whether a rule has more findings than before that matter, but for those inside values
/// that the fix brings to light.
pub(super) fn has_new_trouble(before: &Parsed, after: &Parsed, light: &[Span]) -> bool {
    let counts = |parsed: &Parsed, light: &[Span]| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let is_inside = |finding: &Diagnostic| {
            let span = finding.span;
            span.is_some_and(|span| light.iter().any(|value| value.cover(span) == *value))
        };
        let findings = parsed.diagnostics.iter();
        for finding in findings.filter(|it| it.severity > Severity::Info && !is_inside(it)) {
            *counts.entry(finding.code()).or_default() += 1;
        }
        counts
    };
    let before = counts(before, &[]);
    let mut after = counts(after, light).into_iter();
    after.any(|(code, count)| count > before.get(code).copied().unwrap_or_default())
}

/// Sorts edits by their places; nothing if two of them want the same bytes.
fn in_order(mut edits: Vec<Edit>) -> Option<Vec<Edit>> {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits.dedup();
    let mut pairs = edits.windows(2);
    let fit = pairs.all(|pair| pair[0].span.end <= pair[1].span.start);
    fit.then_some(edits)
}
