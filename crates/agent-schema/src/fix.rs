//! How findings are mended: edits that are offered only once the mended file has been read.
//!
//! A remedy looks at one finding and proposes edits, together with what they are meant to change.
//! The proposal is tried: the edited bytes are read by the same rules, and everything that was
//! readable before must still be there unchanged, the meant fields must hold what their author
//! wrote, the finding must be gone, and nothing new may be wrong. Only then may a fix be
//! [`Applicability::Safe`]. Remedies are listed in a table, by the rule whose findings they mend.

mod beyond;
mod brackets;
mod chunks;
mod color_words;
mod colors;
mod dashes;
mod encoding;
mod fences;
mod holder;
mod kept_signs;
mod keys;
mod lists;
mod lookalikes;
mod missing;
mod modes;
mod names;
mod one_line;
mod quotes;
mod rights;
mod rule_order;
mod settings;
mod several_lines;
mod tree;
mod trial;
mod unseen;
mod values;
mod write;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::definition::{FieldName, FieldValue};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::dialect::{Dialect, ReadingRules};
use crate::inputs::ParseInputs;
use crate::outcome::Parsed;
use crate::parse::{File, parse_accepted};
use crate::rules::{self, Rule};
use crate::text::{MappedText, Replacement};
pub(crate) use holder::{Holder, is_kept};
use trial::Tried;

/// The largest file that fixes are looked for in, in bytes.
const LARGEST_PATIENT: usize = 1 << 20;

/// The most findings of a file for which fixes are looked for.
const MOST_FIXES: usize = 64;

/// The most bytes that the trials of one file may read together, so that a file of nothing but
/// mistakes ends in time. What cannot be tried any more is not safe.
const MOST_READ: usize = 32 << 20;

/// What a trial counts at least, in bytes, however short the file is.
const LEAST_READ: usize = 4 << 10;

/// What a trial counts for each definition in the file beside its bytes: all are read and compared.
const READ_PER_AGENT: usize = 256;

/// The most rounds in which a file is mended. A fix may bring to light what it hid.
const MOST_ROUNDS: usize = 16;

/// What mends the findings of each rule; of several remedies the first that proves itself counts.
static REMEDIES: &[(&Rule, Remedy)] = &[
    // The header as a whole.
    (&rules::INVALID_ENCODING, encoding::from_utf_16),
    (&rules::INVALID_ENCODING, encoding::from_windows),
    (&rules::NO_HEADER, encoding::from_utf_16),
    (&rules::NO_HEADER, fences::open),
    (&rules::BROKEN_FENCE, fences::open),
    (&rules::HIDDEN_HEADER, fences::uncover),
    (&rules::UNCLOSED_HEADER, fences::close),
    (&rules::HEADER_ENDS_EARLY, dashes::escape_dashes),
    (&rules::HEADER_ENDS_EARLY, dashes::replace_dashes),
    (&rules::FENCE_INSIDE_LINE, fences::part_line),
    (&rules::FENCE_INSIDE_LINE, dashes::escape_dashes),
    (&rules::FENCE_INSIDE_LINE, dashes::replace_dashes),
    (&rules::YAML_SYNTAX, fences::free_header),
    (&rules::JSON_SYNTAX, fences::free_header),
    (&rules::YAML_SYNTAX, settings::mend),
    (&rules::YAML_SYNTAX, settings::align_first),
    (&rules::YAML_SYNTAX, fences::close),
    (&rules::LIMIT_EXCEEDED, settings::mend),
    (&rules::HEADER_NOT_A_MAP, settings::mend),
    (&rules::REPAIRED_HEADER, settings::mend),
    (&rules::REPAIRED_HEADER, settings::as_repaired),
    // Keys.
    (&rules::MISSPELLED_KEY, keys::rename),
    (&rules::ODD_CHARACTER, keys::without_odd_signs),
    (&rules::DUPLICATE_KEY, keys::remove_double),
    (&rules::YAML_VALUE, keys::remove_refused_double),
    (&rules::YAML_VALUE, settings::mend),
    (&rules::KEY_BESIDE_ALIAS, keys::remove_beside_alias),
    (&rules::KEY_NOT_TEXT, keys::quote),
    (&rules::RESERVED_KEY, keys::write_known),
    (&rules::RESERVED_KEY, keys::show_renamed),
    (&rules::INERT_KEY, keys::remove_inert),
    (&rules::FIELD_OF_PLUGIN, keys::remove_inert),
    (&rules::NAME_HIDES_PATH, keys::remove_inert),
    (&rules::UNKNOWN_KEY, keys::show_without),
    // Values.
    (&rules::INVALID_VALUE, keys::remove_undefined),
    (&rules::INVALID_VALUE, values::unquote),
    (&rules::INVALID_VALUE, values::switch),
    (&rules::INVALID_VALUE, values::quote_color),
    (&rules::INVALID_VALUE, values::switch_off),
    (&rules::INVALID_VALUE, values::quote),
    (&rules::INVALID_VALUE, values::write_whole),
    (&rules::INVALID_VALUE, modes::write_own_word),
    (&rules::INVALID_VALUE, colors::write_value),
    (&rules::INVALID_VALUE, colors::write_nearest),
    (&rules::INVALID_VALUE, values::spell),
    (&rules::INVALID_VALUE, names::slug),
    (&rules::INVALID_VALUE, values::take_only_item),
    (&rules::INVALID_VALUE, rule_order::take_only_rule),
    (&rules::INVALID_VALUE, lists::list_switched_on),
    (&rules::INVALID_VALUE, lists::wrap),
    (&rules::INVALID_VALUE, lists::switch_on),
    (&rules::IGNORED_VALUE, names::remove_same),
    (&rules::IGNORED_VALUE, keys::remove_undefined),
    (&rules::IGNORED_VALUE, values::unquote),
    (&rules::IGNORED_VALUE, values::switch),
    (&rules::IGNORED_VALUE, values::quote_color),
    (&rules::IGNORED_VALUE, values::switch_off),
    (&rules::IGNORED_VALUE, values::quote),
    (&rules::IGNORED_VALUE, values::write_whole),
    (&rules::IGNORED_VALUE, modes::write_own_word),
    (&rules::IGNORED_VALUE, colors::write_value),
    (&rules::IGNORED_VALUE, colors::write_nearest),
    (&rules::IGNORED_VALUE, values::spell),
    (&rules::IGNORED_VALUE, values::take_only_item),
    (&rules::IGNORED_VALUE, lists::list_switched_on),
    (&rules::IGNORED_VALUE, lists::wrap),
    (&rules::VALUE_BECOMES_TEXT, kept_signs::lift_comment),
    (&rules::VALUE_BECOMES_TEXT, kept_signs::drop_open_quote),
    (&rules::VALUE_BECOMES_TEXT, values::quote),
    (&rules::VALUE_BECOMES_TEXT, values::take_only_item),
    (&rules::VALUE_BECOMES_TEXT, lists::list_switched_on),
    (&rules::UNREACHABLE_NAME, values::quote),
    (&rules::UNREACHABLE_NAME, values::take_only_item),
    (&rules::DROPPED_SETTING, values::unquote),
    (&rules::DROPPED_SETTING, values::switch),
    (&rules::DROPPED_SETTING, values::quote),
    (&rules::CHANGED_NUMBER, values::write_whole),
    (&rules::MODEL_WITHOUT_PROVIDER, values::show_provider),
    (&rules::SKILL_COMPATIBILITY_TYPE, values::join_items),
    // Rules of which the last one counts.
    (&rules::OVERRULED_RULE, rule_order::put_first),
    // Lists.
    (&rules::LIST_IN_ONE_NAME, lists::split_text),
    (&rules::LIST_IN_ONE_NAME, lists::split_block),
    (&rules::LIST_IN_ONE_NAME, lists::split_item),
    (&rules::TORN_NAME, lists::split_item),
    (&rules::TORN_NAME, lists::list_switched_on),
    (&rules::DAMAGED_NAME, lists::clean),
    (&rules::NO_TOOLS, lists::list_switched_on),
    (&rules::NO_TOOLS, lists::write_none),
    (&rules::STAR_CANCELS_LIST, lists::allow_none),
    (&rules::UNKNOWN_TOOL, lists::spell_tool),
    (&rules::UNKNOWN_TOOL, lists::spell_tool_key),
    (&rules::UNKNOWN_TOOL, lists::drop_name),
    (&rules::INERT_TOOL, lists::name_asked_for),
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
    /// The file that holds the definition among others; unset for a file of its own.
    holder: Option<&'a dyn Holder>,
    /// What the trials have read so far, in bytes.
    read_so_far: &'a Cell<usize>,
    /// What the last trial read. A remedy looks at what its edits make, and so does its trial.
    last_read: &'a RefCell<Option<LastRead>>,
}

/// Bytes that were read in place of a file, and what they hold.
struct LastRead {
    bytes: Vec<u8>,
    parsed: Rc<Parsed>,
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
        holder: None,
        read_so_far: &Cell::new(0),
        last_read: &RefCell::default(),
    };
    let fixes = patient.fixes();
    let hidden = beyond::findings(&patient, &fixes);
    give(parsed, fixes);
    if !hidden.is_empty() {
        parsed.diagnostics.extend(hidden);
        let start = |finding: &Diagnostic| finding.span.map_or(0, |span| span.start);
        parsed.diagnostics.sort_by_key(start);
    }
}

/// A definition that is a value inside a file of several.
pub(crate) struct Inside<'a> {
    /// The file.
    pub(crate) file: File<'a>,
    /// The name that the file gives to it.
    pub(crate) key: &'a str,
    pub(crate) dialect: &'a Dialect,
    pub(crate) rules: &'a ReadingRules,
    pub(crate) inputs: &'a ParseInputs,
    pub(crate) holder: &'a dyn Holder,
    /// What the trials of all fixes in the file have read so far, in bytes.
    pub(crate) read_so_far: &'a Cell<usize>,
}

impl Inside<'_> {
    /// Adds fixes to what was found about the definition.
    pub(crate) fn propose(&self, parsed: &mut Parsed) {
        let fixes = Patient {
            file: self.file,
            stem: self.key,
            dialect: self.dialect,
            rules: self.rules,
            inputs: self.inputs,
            parsed,
            holder: Some(self.holder),
            read_so_far: self.read_so_far,
            last_read: &RefCell::default(),
        }
        .fixes();
        give(parsed, fixes);
    }
}

/// Gives fixes to the findings that have none yet.
fn give(parsed: &mut Parsed, fixes: Vec<Option<Fix>>) {
    for (finding, fix) in parsed.diagnostics.iter_mut().zip(fixes) {
        finding.fix = finding.fix.take().or(fix.map(Box::new));
    }
}

impl Patient<'_> {
    /// Returns the fixes of its first findings, in their order.
    fn fixes(&self) -> Vec<Option<Fix>> {
        if self.file.bytes.len() > LARGEST_PATIENT || self.cost_of(self.file.bytes).is_none() {
            return Vec::new();
        }
        let findings = self.parsed.diagnostics.iter().take(MOST_FIXES);
        let tried = findings.map(|finding| {
            let is_wanted = finding.severity >= self.inputs.fixes_from;
            is_wanted.then(|| self.try_all(finding))?
        });
        let mut tried: Vec<Option<Tried>> = tried.collect();
        if self.prove_together(&tried) {
            for tried in tried.iter_mut().flatten().filter(|tried| tried.is_hoped) {
                tried.fix.applicability = Applicability::Safe;
            }
        }
        let fixes = tried.into_iter().map(|tried| Some(tried?.fix));
        fixes.collect()
    }
}

impl Patient<'_> {
    /// Returns the text of a file of its own as the harness sees it.
    fn text(&self) -> Option<MappedText<'_>> {
        if self.holder.is_some() {
            return None;
        }
        MappedText::decode(self.file.bytes, self.rules.encoding).ok()
    }

    /// Returns the field that a key gives.
    fn field_of(&self, key: &str) -> Option<FieldName> {
        let mut fields = self.rules.fields.iter();
        let field = fields.find(|field| field.key == key || field.aliases.contains(&key));
        field.map(|field| field.target)
    }

    /// Returns whether a key means something to the harness, by this or another of its names.
    fn is_known(&self, key: &str) -> bool {
        let mut foreign = self.dialect.foreign_keys.iter();
        self.field_of(key).is_some() || foreign.any(|(word, _)| *word == key)
    }

    /// Returns whether a key gives a field.
    fn is_field(&self, key: &str) -> bool {
        self.field_of(key).is_some()
    }

    /// Returns a text with the line ends of the file.
    fn as_in_file(&self, text: &str) -> String {
        match self.line_end() {
            "\n" => text.to_owned(),
            end => text.replace("\r\n", "\n").replace('\n', end),
        }
    }

    /// Turns edits of a text into edits of the file.
    fn edits(&self, text: &MappedText<'_>, edits: &[Replacement]) -> Vec<Edit> {
        let edits = edits.iter().map(|(range, text_of_edit)| Edit {
            span: text.span(range.clone()),
            text: text_of_edit.clone(),
        });
        edits.collect()
    }

    /// Returns how much the trials will have read together with some bytes; nothing if that is
    /// more than [`MOST_READ`].
    fn cost_of(&self, bytes: &[u8]) -> Option<usize> {
        let agents = self.holder.map_or(0, |holder| holder.agents());
        let cost = bytes.len() + LEAST_READ + agents * READ_PER_AGENT;
        let so_far = self.read_so_far.get() + cost;
        (so_far <= MOST_READ).then_some(so_far)
    }

    /// Counts that some bytes are read; nothing once the trials have read [`MOST_READ`].
    fn charge(&self, bytes: &[u8]) -> Option<()> {
        self.read_so_far.set(self.cost_of(bytes)?);
        Some(())
    }

    /// Reads other bytes as [`Patient::read`], with fixes for what is found in them.
    fn read_with_fixes(&self, bytes: &[u8]) -> Option<Parsed> {
        let mut parsed = Rc::unwrap_or_clone(self.read(bytes)?);
        let file = File {
            name: self.file.name,
            bytes,
        };
        let fixes = Patient {
            file,
            parsed: &parsed,
            ..*self
        }
        .fixes();
        give(&mut parsed, fixes);
        Some(parsed)
    }

    /// Reads other bytes as if they stood in the file; nothing once the trials have read
    /// [`MOST_READ`].
    fn read(&self, bytes: &[u8]) -> Option<Rc<Parsed>> {
        self.charge(bytes)?;
        let mut last = self.last_read.borrow_mut();
        if let Some(last) = last.as_ref().filter(|last| last.bytes == bytes) {
            return Some(Rc::clone(&last.parsed));
        }
        let parsed = Rc::new(self.read_anew(bytes)?);
        *last = Some(LastRead {
            bytes: bytes.to_vec(),
            parsed: Rc::clone(&parsed),
        });
        Some(parsed)
    }

    fn read_anew(&self, bytes: &[u8]) -> Option<Parsed> {
        if let Some(holder) = self.holder {
            return holder.read(bytes).map(|(_, parsed)| parsed);
        }
        let file = File {
            name: self.file.name,
            bytes,
        };
        let parsed = parse_accepted(file, self.stem, self.dialect, self.rules, self.inputs);
        Some(parsed)
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

/// Makes all fixes of at least the given applicability, round by round until none is left. A file
/// whose fixes do not come to an end stays as it is.
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
    Mended {
        parsed: parse_accepted(file, stem, dialect, rules, &inputs),
        bytes: file.bytes.to_vec(),
        fixes: Vec::new(),
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
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_deref());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_tried_any_more_is_not_safe() {
        let file = File {
            name: "a.md",
            bytes: b"---\nname: a\ndescription: Use when: it rains\n---\nHi\n",
        };
        let dialect = &crate::dialects::OPENHANDS;
        let rules = &dialect.default_profile().rules.reading;
        let inputs = ParseInputs::new();
        let parsed = parse_accepted(file, "a", dialect, rules, &inputs);
        let applicability = |read_so_far: usize| {
            let patient = Patient {
                file,
                stem: "a",
                dialect,
                rules,
                inputs: &inputs,
                parsed: &parsed,
                holder: None,
                read_so_far: &Cell::new(read_so_far),
                last_read: &RefCell::default(),
            };
            let tried = patient.try_all(&parsed.diagnostics[0]);
            tried.map(|tried| tried.fix.applicability)
        };
        assert_eq!(applicability(0), Some(Applicability::Safe));
        assert_ne!(applicability(MOST_READ), Some(Applicability::Safe));
    }
}
