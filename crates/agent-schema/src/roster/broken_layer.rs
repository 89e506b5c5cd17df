//! Layers that YAML cannot read: what mends a header mends them too.
//!
//! A layer is read as if it were the header of an agent that takes any key, so that each slip is
//! looked for, and each fix is tried, in the same way.

use super::{Layer, LayeredRosterRules, Says, read_layer};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::dialect::{Dialect, ReadingRules};
use crate::fix;
use crate::inputs::ParseInputs;
use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::parse::{File, parse_accepted};
use crate::rules;
use crate::source::Span;

/// The line around a header.
const FENCE: &str = "---\n";

/// Adds a fix to the finding that a layer cannot be read. It is safe only if every agent of the
/// mended layer can be used.
pub fn add_layer_fix(
    finding: &mut Diagnostic,
    file: File<'_>,
    is_first: bool,
    dialect: &Dialect,
    reading: &ReadingRules,
    roster: &LayeredRosterRules,
    limits: &Limits,
) {
    let Some(mut fix) = fix_as_header(file, dialect, roster, limits) else {
        return;
    };
    let Some(mended) = fix::apply(file.bytes, &fix.edits) else {
        return;
    };
    let mended = File {
        name: file.name,
        bytes: &mended,
    };
    let Ok(layer) = read_layer(mended, is_first, dialect, reading, roster, limits) else {
        return;
    };
    if !is_usable(&layer) {
        fix.applicability = fix.applicability.max(Applicability::Unsafe);
    }
    finding.fix = Some(Box::new(fix));
}

/// Returns what mends a layer where it is the header of a file.
fn fix_as_header(
    file: File<'_>,
    dialect: &Dialect,
    roster: &LayeredRosterRules,
    limits: &Limits,
) -> Option<Fix> {
    let text = std::str::from_utf8(file.bytes).ok()?;
    // Such a line would end the header.
    if text.starts_with('\u{feff}') || text.lines().any(|line| line.starts_with("---")) {
        return None;
    }
    let wrapped = format!("{FENCE}{text}\n{FENCE}");
    let inputs = ParseInputs::new().limits(*limits).with_fixes();
    let wrapped = File {
        name: file.name,
        bytes: wrapped.as_bytes(),
    };
    let parsed = parse_accepted(wrapped, file.name, dialect, roster.as_header, &inputs);
    let mut findings = parsed.diagnostics.into_iter();
    let broken = findings.find(|it| it.rule == &rules::YAML_SYNTAX)?;
    let fix = *broken.fix?;
    let edits = fix
        .edits
        .into_iter()
        .map(|edit| unwrapped(edit, text.len()));
    Some(Fix {
        edits: edits.collect::<Option<Vec<Edit>>>()?,
        ..fix
    })
}

/// Returns an edit of a header as one of the text inside it; nothing if it reaches beyond.
fn unwrapped(edit: Edit, length: usize) -> Option<Edit> {
    let before = u32::try_from(FENCE.len()).ok()?;
    let start = edit.span.start.checked_sub(before)?;
    let end = edit.span.end.checked_sub(before)?;
    (end as usize <= length).then(|| Edit {
        span: Span::new(start, end),
        ..edit
    })
}

/// Returns whether a layer says something usable about each of its agents.
fn is_usable(layer: &Layer) -> bool {
    let is_loaded = |says: &Says| match says {
        Says::Fields { parsed, .. } => matches!(parsed.outcome, Outcome::Loaded(_)),
        Says::Removed | Says::Nothing(_) => false,
    };
    layer.agents.iter().all(|agent| is_loaded(&agent.says))
}
