//! What the verdict on a contender means to those who ask.

use agent_registry::{Contender, Verdict};
use agent_schema::dialect::SkipRule;
use agent_schema::{Diagnostic, Level, LineColumn, rules};

use crate::finding::FileView;
use crate::survey::Survey;

/// The code of what loses its name to another one.
pub(crate) const SHADOWED: &str = "shadowed";

/// The stable code of a verdict.
pub(crate) fn code(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Active => "active",
        Verdict::Shadowed { .. } => SHADOWED,
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

/// An agent that the harness brings itself and that another one replaces or adds to.
pub(crate) struct LostBuiltin<'a> {
    pub(crate) name: &'static str,
    /// How its source is written: `builtin:NAME`.
    pub(crate) source: String,
    /// The one that answers to the name.
    pub(crate) winner: &'a Contender,
}

/// Returns the agents that the harness brings itself and that others replace, or, where it merges
/// definitions, that others add to.
pub(crate) fn lost_builtins(survey: &Survey) -> Vec<LostBuiltin<'_>> {
    // Those that are registered are contenders themselves.
    let is_contender = |name: &str| {
        let mut contenders = survey.registry.contenders().iter();
        contenders.any(|it| it.source.level == Level::Builtin && it.name == name)
    };
    let builtins = survey.reading.profile.rules.agents.builtins.iter();
    let names = builtins.map(|builtin| builtin.name);
    let lost = names.filter(|name| !is_contender(name)).filter_map(|name| {
        let mut active = survey.registry.active();
        let (_, winner) = active.find(|(active, _)| *active == name)?;
        Some(LostBuiltin {
            name,
            source: format!("{}:{name}", Level::Builtin.as_str()),
            winner,
        })
    });
    lost.collect()
}

/// Returns the names of the agents that the harness brings itself, and whose definitions are not read
/// here, as far as nothing takes their place or switches them off.
pub(crate) fn brought(survey: &Survey) -> Vec<&'static str> {
    let contenders = survey.registry.contenders();
    let takes = |contender: &Contender| match contender.verdict {
        Verdict::Rejected | Verdict::HeldBack => false,
        Verdict::Ignored(rule) => rule == SkipRule::Disabled,
        _ => true,
    };
    let builtins = survey.reading.profile.rules.agents.builtins.iter();
    let is_free = |name: &&str| !contenders.iter().any(|it| it.name == **name && takes(it));
    builtins
        .map(|builtin| builtin.name)
        .filter(is_free)
        .collect()
}

/// Returns whether the harness merges definitions, so that a built-in agent is a part of the one
/// that has its name.
pub(crate) fn merges(survey: &Survey) -> bool {
    survey.reading.profile.rules.agents.precedence.merges()
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
    // Of several that are equally bad the first one counts; of an agent that is switched off, what
    // tells of the switch.
    let is_switch = |diagnostic: &Diagnostic| {
        contender.verdict == Verdict::SwitchedOff && diagnostic.rule == &rules::SWITCHED_OFF
    };
    let diagnostics = contender.diagnostics.iter().rev();
    match diagnostics.max_by_key(|diagnostic| (is_switch(diagnostic), diagnostic.severity)) {
        Some(diagnostic) => {
            let file = FileView::of(contender);
            let at = diagnostic.span.and_then(|span| file.position(span));
            (at, diagnostic.message.to_string())
        }
        None => (None, String::new()),
    }
}
