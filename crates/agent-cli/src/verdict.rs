//! What the verdict on a contender means to those who ask.

use agent_registry::{Contender, Verdict};
use agent_schema::LineColumn;

use crate::finding::FileView;

/// The stable code of a verdict.
pub(crate) fn code(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Active => "active",
        Verdict::Shadowed { .. } => "shadowed",
        Verdict::Undefined { .. } => "undefined",
        Verdict::Merged { .. } => "merged",
        Verdict::Rejected => "rejected",
        Verdict::Refused => "refused",
        Verdict::NotReached { .. } => "not-reached",
        Verdict::HeldBack => "held-back",
        Verdict::SwitchedOff => "switched-off",
        Verdict::Ignored(_) => "ignored",
        Verdict::SameFile { .. } => "same-file",
        _ => "other",
    }
}

/// Returns whether a contender is no agent, though it was meant as one.
pub(crate) fn gives_no_agent(contender: &Contender) -> bool {
    matches!(
        contender.verdict,
        Verdict::Rejected
            | Verdict::Refused
            | Verdict::NotReached { .. }
            | Verdict::HeldBack
            | Verdict::SwitchedOff
    )
}

/// The first thing that is wrong with a contender, with its place.
pub(crate) fn first_reason(contender: &Contender) -> (Option<LineColumn>, String) {
    if let Verdict::NotReached { .. } = contender.verdict {
        return (None, "registration ended before it".to_owned());
    }
    if contender.verdict == Verdict::HeldBack {
        return (None, "it waits until the project is trusted".to_owned());
    }
    // Of several that are equally bad the first one counts.
    let diagnostics = contender.diagnostics.iter().rev();
    match diagnostics.max_by_key(|diagnostic| diagnostic.severity) {
        Some(diagnostic) => {
            let file = FileView::of(contender);
            let at = diagnostic.span.and_then(|span| file.position(span));
            (at, diagnostic.message.clone())
        }
        None => (None, String::new()),
    }
}
