//! How findings are mended: edits that are offered only once the mended file has been read.
//!
//! A remedy looks at one finding and proposes edits, together with what they are meant to change.
//! The proposal is tried: the edited bytes are read by the same rules, and everything that was
//! readable before must still be there unchanged, the meant fields must hold what their author
//! wrote, the finding must be gone, and nothing new may be wrong. Only then may a fix be
//! [`Applicability::Safe`]. Remedies are listed in a table, by the rule whose findings they mend.

mod keys;
mod lists;
mod missing;
mod names;
mod quotes;
mod rights;
mod tree;
mod values;
mod write;

use std::collections::BTreeMap;

use crate::definition::{Definition, FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity};
use crate::dialect::{Dialect, ReadingRules};
use crate::inputs::ParseInputs;
use crate::outcome::{Fate, Outcome, Parsed};
use crate::parse::{File, parse_accepted};
use crate::rules::{self, Rule};
use crate::text::MappedText;

/// The largest file that fixes are looked for in, in bytes.
const LARGEST_PATIENT: usize = 1 << 20;

/// The most findings of a file for which fixes are looked for.
const MOST_FIXES: usize = 64;

/// The most rounds in which a file is mended. A fix may bring to light what it hid.
const MOST_ROUNDS: usize = 16;

/// What mends the findings of each rule; of several remedies the first that proves itself counts.
static REMEDIES: &[(&Rule, Remedy)] = &[
    (&rules::YAML_SYNTAX, quotes::quote_values),
    (&rules::REPAIRED_HEADER, quotes::quote_values),
    // Keys.
    (&rules::MISSPELLED_KEY, keys::rename),
    (&rules::DUPLICATE_KEY, keys::remove_double),
    (&rules::YAML_VALUE, keys::remove_refused_double),
    (&rules::KEY_BESIDE_ALIAS, keys::remove_beside_alias),
    (&rules::KEY_NOT_TEXT, keys::quote),
    (&rules::RESERVED_KEY, keys::show_renamed),
    (&rules::INERT_KEY, keys::remove_inert),
    (&rules::FIELD_OF_PLUGIN, keys::remove_inert),
    (&rules::NAME_HIDES_PATH, keys::remove_inert),
    (&rules::UNKNOWN_KEY, keys::show_without),
    // Values.
    (&rules::INVALID_VALUE, values::unquote),
    (&rules::INVALID_VALUE, values::switch),
    (&rules::INVALID_VALUE, values::quote_color),
    (&rules::INVALID_VALUE, values::quote),
    (&rules::INVALID_VALUE, values::write_whole),
    (&rules::INVALID_VALUE, values::spell),
    (&rules::INVALID_VALUE, names::slug),
    (&rules::INVALID_VALUE, values::take_only_item),
    (&rules::INVALID_VALUE, lists::list_switched_on),
    (&rules::INVALID_VALUE, lists::wrap),
    (&rules::INVALID_VALUE, lists::switch_on),
    (&rules::IGNORED_VALUE, names::remove_same),
    (&rules::IGNORED_VALUE, values::unquote),
    (&rules::IGNORED_VALUE, values::switch),
    (&rules::IGNORED_VALUE, values::quote_color),
    (&rules::IGNORED_VALUE, values::quote),
    (&rules::IGNORED_VALUE, values::write_whole),
    (&rules::IGNORED_VALUE, values::spell),
    (&rules::IGNORED_VALUE, values::take_only_item),
    (&rules::IGNORED_VALUE, lists::list_switched_on),
    (&rules::IGNORED_VALUE, lists::wrap),
    (&rules::VALUE_BECOMES_TEXT, values::quote),
    (&rules::VALUE_BECOMES_TEXT, values::take_only_item),
    (&rules::VALUE_BECOMES_TEXT, lists::list_switched_on),
    (&rules::UNREACHABLE_NAME, values::quote),
    (&rules::UNREACHABLE_NAME, values::take_only_item),
    (&rules::DROPPED_SETTING, values::quote),
    (&rules::CHANGED_NUMBER, values::write_whole),
    (&rules::MODEL_WITHOUT_PROVIDER, values::show_provider),
    (&rules::SKILL_COMPATIBILITY_TYPE, values::join_items),
    // Lists.
    (&rules::LIST_IN_ONE_NAME, lists::split_text),
    (&rules::TORN_NAME, lists::split_item),
    (&rules::TORN_NAME, lists::list_switched_on),
    (&rules::DAMAGED_NAME, lists::clean),
    (&rules::NO_TOOLS, lists::list_switched_on),
    (&rules::NO_TOOLS, lists::write_none),
    (&rules::STAR_CANCELS_LIST, lists::allow_none),
    (&rules::UNKNOWN_TOOL, lists::spell_tool),
    (&rules::UNKNOWN_TOOL, lists::drop_name),
    (&rules::INERT_TOOL, lists::remove_star),
    (&rules::INERT_TOOL, lists::drop_name),
    (&rules::DUPLICATE_SKILL, lists::drop_repeated),
    (&rules::TOOL_RULE_IGNORED, lists::show_without_rule),
    // Names.
    (&rules::NAME_HAS_COLON, names::without_colon),
    (&rules::NAME_STARTS_WITH_HYPHEN, names::without_hyphen),
    (&rules::OTHER_STEM, names::take_place_name),
    (&rules::SKILL_NAME_DIR_MISMATCH, names::take_place_name),
    (&rules::SKILL_NAME_CASE, names::slug),
    (&rules::SKILL_NAME_CHARS, names::slug),
    (&rules::SKILL_NAME_EDGE_HYPHEN, names::slug),
    (&rules::SKILL_NAME_DOUBLE_HYPHEN, names::slug),
    // What is missing.
    (&rules::MISSING_FIELD, missing::write_name),
    (&rules::MISSING_FIELD, missing::show_field),
    (&rules::SKILL_NAME_MISSING, missing::write_name),
    (&rules::SKILL_NAME_EMPTY, missing::write_name),
    (&rules::SKILL_DESCRIPTION_MISSING, missing::show_field),
    (&rules::SKILL_DESCRIPTION_EMPTY, missing::show_field),
];

/// Proposes edits that mend a finding, if it knows any.
type Remedy = fn(&Patient<'_>, &Diagnostic) -> Option<Proposal>;

/// A file with findings, and the rules by which it is read.
struct Patient<'a> {
    file: File<'a>,
    stem: &'a str,
    dialect: &'a Dialect,
    rules: &'a ReadingRules,
    inputs: &'a ParseInputs,
    /// What the file is now.
    parsed: &'a Parsed,
}

/// Edits that have not been tried yet.
struct Proposal {
    /// What the change does, as a command: `put the value in quotes`.
    title: String,
    /// In order and without overlap.
    edits: Vec<Edit>,
    /// How sure it is that this is what the author meant, if the trial succeeds.
    at_best: Applicability,
    /// The fields that may become others by it, with what each must hold afterwards if that is
    /// known. All other fields that could be read must stay as they are.
    changes: Vec<(FieldName, Option<FieldValue>)>,
}

/// Adds fixes to the findings of a file.
pub(crate) fn propose(
    parsed: &mut Parsed,
    file: File<'_>,
    stem: &str,
    dialect: &Dialect,
    rules: &ReadingRules,
    inputs: &ParseInputs,
) {
    if file.bytes.len() > LARGEST_PATIENT {
        return;
    }
    let inputs = ParseInputs {
        with_fixes: false,
        ..inputs.clone()
    };
    let patient = Patient {
        file,
        stem,
        dialect,
        rules,
        inputs: &inputs,
        parsed,
    };
    let findings = patient.parsed.diagnostics.iter().take(MOST_FIXES);
    let mut tried: Vec<Option<Tried>> = findings.map(|finding| patient.try_all(finding)).collect();
    if patient.prove_together(&tried) {
        for tried in tried.iter_mut().flatten().filter(|tried| tried.is_hoped) {
            tried.fix.applicability = Applicability::Safe;
        }
    }
    for (finding, tried) in parsed.diagnostics.iter_mut().zip(tried) {
        let fix = tried.map(|tried| tried.fix);
        finding.fix = finding.fix.take().or(fix);
    }
}

/// A fix after its trial.
struct Tried {
    fix: Fix,
    /// The fields that may become others by it.
    changes: Vec<(FieldName, Option<FieldValue>)>,
    /// Whether it is as safe as it can be only if it is made together with others.
    is_hoped: bool,
}

impl Patient<'_> {
    /// Returns the first fix of a finding that proves itself, or else the first that may be shown.
    fn try_all(&self, finding: &Diagnostic) -> Option<Tried> {
        let remedies = REMEDIES.iter().filter(|(rule, _)| *rule == finding.rule);
        let mut proposals = remedies
            .filter_map(|(_, remedy)| remedy(self, finding))
            .map(|proposal| self.tried(proposal, finding));
        let mut best: Option<Tried> = None;
        for tried in &mut proposals {
            if tried.fix.applicability == Applicability::Safe {
                return Some(tried);
            }
            best = best.or(Some(tried));
        }
        best
    }

    /// Turns a proposal into a fix that is as applicable as its trial allows.
    fn tried(&self, proposal: Proposal, finding: &Diagnostic) -> Tried {
        let is_hoped =
            proposal.at_best == Applicability::Safe && !self.proves(&proposal, &[finding.rule]);
        Tried {
            fix: Fix {
                title: proposal.title,
                applicability: match is_hoped {
                    true => Applicability::Unsafe,
                    false => proposal.at_best,
                },
                edits: proposal.edits,
            },
            changes: proposal.changes,
            is_hoped,
        }
    }

    /// Tries the fixes together that do not prove themselves alone. A file that is lost for
    /// several values loads only when all of them are mended.
    fn prove_together(&self, tried: &[Option<Tried>]) -> bool {
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

    /// Reads the mended file and compares it with what is there now. Each of the rules must have
    /// one finding less for every time that it is given.
    fn proves(&self, proposal: &Proposal, rules: &[&Rule]) -> bool {
        let Some(mended) = apply(self.file.bytes, &proposal.edits) else {
            return false;
        };
        let after = self.read(&mended);
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
            && (self.parsed.fate >= Fate::Ignored || !has_new_trouble(self.parsed, &after))
            && self.keeps_fields(now, &proposal.changes)
    }

    /// Returns the text of the file as the harness sees it.
    fn text(&self) -> Option<MappedText<'_>> {
        MappedText::decode(self.file.bytes, self.rules.encoding).ok()
    }

    /// Returns the field that a key gives.
    fn field_of(&self, key: &str) -> Option<FieldName> {
        let mut fields = self.rules.fields.iter();
        let field = fields.find(|field| field.key == key || field.aliases.contains(&key));
        field.map(|field| field.target)
    }

    /// Reads other bytes as if they stood in the file.
    fn read(&self, bytes: &[u8]) -> Parsed {
        let file = File {
            name: self.file.name,
            bytes,
        };
        parse_accepted(file, self.stem, self.dialect, self.rules, self.inputs)
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
        let kept = before.fields().all(|(field, located)| {
            let now = now.field(field);
            // What is not written follows from the fields that may change.
            let follows =
                located.place.is_none() && field != FieldName::NAME && !changes.is_empty();
            follows
                || change(field).is_some()
                || now.is_some_and(|now| now.value.same_content(&located.value))
        });
        meant && kept
    }
}

/// Returns bytes with ranges replaced; nothing if the edits are not in order or lie outside.
#[must_use]
pub fn apply(bytes: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut mended = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for edit in edits {
        mended.extend_from_slice(bytes.get(done..edit.span.start as usize)?);
        mended.extend_from_slice(edit.text.as_bytes());
        done = edit.span.end as usize;
    }
    mended.extend_from_slice(bytes.get(done..)?);
    Some(mended)
}

/// A file after its fixes.
#[derive(Debug, Clone, PartialEq)]
pub struct Mended {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The titles of the fixes that were made, in order.
    pub fixes: Vec<String>,
    /// What the file is now, with the fixes that are left.
    pub parsed: Parsed,
}

/// Makes all fixes of at least the given applicability, round by round until none is left.
///
/// [`Applicability::ShowOnly`] fixes are never made.
#[must_use]
pub fn mend(
    file: File<'_>,
    stem: &str,
    dialect: &Dialect,
    rules: &ReadingRules,
    inputs: &ParseInputs,
    unsafe_too: bool,
) -> Mended {
    let inputs = inputs.clone().with_fixes();
    let mut bytes = file.bytes.to_vec();
    let mut fixes = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let file = File {
            name: file.name,
            bytes: &bytes,
        };
        let parsed = parse_accepted(file, stem, dialect, rules, &inputs);
        let round = compatible(&parsed.diagnostics, unsafe_too);
        let edits: Vec<Edit> = round.iter().flat_map(|fix| fix.edits.clone()).collect();
        let mended = apply(&bytes, &edits).filter(|mended| *mended != bytes);
        let Some(mended) = mended else {
            return Mended {
                bytes,
                fixes,
                parsed,
            };
        };
        fixes.extend(round.iter().map(|fix| fix.title.clone()));
        bytes = mended;
    }
    let file = File {
        name: file.name,
        bytes: &bytes,
    };
    Mended {
        parsed: parse_accepted(file, stem, dialect, rules, &inputs),
        bytes,
        fixes,
    }
}

/// Returns the fixes of one round, in the order of the file: those that overlap wait for the next.
#[must_use]
pub fn compatible(findings: &[Diagnostic], unsafe_too: bool) -> Vec<&Fix> {
    let wanted = |fix: &&Fix| match fix.applicability {
        Applicability::Safe => true,
        Applicability::Unsafe => unsafe_too,
        Applicability::ShowOnly => false,
    };
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let mut fixes: Vec<&Fix> = fixes.filter(wanted).collect();
    let start = |fix: &Fix| fix.edits.first().map_or(0, |edit| edit.span.start);
    fixes.sort_by_key(|fix| start(fix));
    let mut end = 0;
    let mut is_first = true;
    fixes.retain(|fix| {
        let fits = is_first || start(fix) > end;
        if fits {
            end = fix.edits.last().map_or(end, |edit| edit.span.end.max(end));
            is_first = false;
        }
        fits
    });
    fixes
}

fn count(parsed: &Parsed, rule: &Rule) -> usize {
    let findings = parsed.diagnostics.iter();
    findings.filter(|finding| finding.rule == rule).count()
}

/// Returns whether a rule has more findings than before that matter.
fn has_new_trouble(before: &Parsed, after: &Parsed) -> bool {
    let counts = |parsed: &Parsed| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let findings = parsed.diagnostics.iter();
        for finding in findings.filter(|finding| finding.severity > Severity::Info) {
            *counts.entry(finding.code()).or_default() += 1;
        }
        counts
    };
    let before = counts(before);
    let mut after = counts(after).into_iter();
    after.any(|(code, count)| count > before.get(code).copied().unwrap_or_default())
}
