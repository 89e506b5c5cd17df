//! Whether a project is trusted, and what waits for that.
//!
//! Source of rule: Pi's `trust-manager.ts` and `project-trust.ts` in 1.6.0 and 0.82.1 (cases of
//! `trust.json`).

use std::path::{Path, PathBuf};

use agent_schema::dialect::{Field, HeldBack, HeldPart, SearchRules};
use agent_schema::surroundings::TrustRules;
use agent_schema::value::Value;
use agent_schema::{Diagnostic, Dialect, Level, Profile, Rules, Severity, rules};

use crate::entry::{Entry, State};
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::surroundings;

/// A harness's decision about a project, nobody being asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustDecision {
    /// Whether it trusts the project.
    pub trusted: bool,
    /// What decided.
    pub because: TrustReason,
    /// What in the project, or above it, needs a decision; empty if nothing does.
    pub gated: Vec<PathBuf>,
}

/// What decided whether a project is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustReason {
    /// The caller said so.
    Told,
    /// It was saved for this folder, the project or one above it.
    Saved(PathBuf),
    /// Nothing needs a decision.
    NothingGated,
    /// A setting of the user decides wherever nothing is saved.
    Setting,
    /// The user would be asked, and without an answer it is no.
    Unanswered,
}

/// Decides as the harness does whether it trusts a project; `inputs.trusted` is what its switches
/// say. `None` if it has no such rules, or no project is given.
#[must_use]
pub fn decide_trust(
    tree: &dyn FileTree,
    rules: &SearchRules,
    inputs: &Inputs,
) -> Option<TrustDecision> {
    let rules = rules.trust?;
    let project = real(tree, inputs.project.as_deref()?);
    let gated = gated(tree, rules, &project, inputs);
    let decision = |trusted, because| TrustDecision {
        trusted,
        because,
        gated: gated.clone(),
    };
    if let Some(trusted) = inputs.trusted {
        return Some(decision(trusted, TrustReason::Told));
    }
    let saved = saved(tree, rules, &project, inputs)
        .filter(|_| rules.saved_counts_always || !gated.is_empty());
    if let Some((folder, trusted)) = saved {
        return Some(decision(trusted, TrustReason::Saved(folder)));
    }
    if gated.is_empty() {
        return Some(decision(true, TrustReason::NothingGated));
    }
    let setting = surroundings::read(tree, &rules.fallback, inputs);
    let word = setting
        .as_ref()
        .and_then(|root| surroundings::value_at(root, &[rules.fallback_key])?.as_text());
    Some(match word {
        Some("always") => decision(true, TrustReason::Setting),
        Some("never") => decision(false, TrustReason::Setting),
        _ => decision(false, TrustReason::Unanswered),
    })
}

fn real(tree: &dyn FileTree, folder: &Path) -> PathBuf {
    tree.real_path(folder).unwrap_or_else(|_| folder.to_owned())
}

/// Lists what needs a decision.
fn gated(tree: &dyn FileTree, rules: &TrustRules, project: &Path, inputs: &Inputs) -> Vec<PathBuf> {
    let home = inputs.home.as_deref().map(|home| real(tree, home));
    let own = rules.gated.iter().map(|path| project.join(path));
    let above = project
        .ancestors()
        .filter(|folder| Some(*folder) != home.as_deref());
    let above = above.flat_map(|folder| rules.gated_upwards.iter().map(|path| folder.join(path)));
    own.chain(above)
        .filter(|path| tree.kind(path).is_ok())
        .collect()
}

/// Finds the decision that is saved for the nearest folder.
fn saved(
    tree: &dyn FileTree,
    rules: &TrustRules,
    project: &Path,
    inputs: &Inputs,
) -> Option<(PathBuf, bool)> {
    let root = surroundings::read(tree, &rules.saved, inputs)?;
    let decisions = root.as_map()?;
    project.ancestors().find_map(|folder| {
        let entry = decisions.get(folder.to_str()?)?;
        match entry.value.get() {
            Value::Bool(trusted) => Some((folder.to_owned(), *trusted)),
            _ => None,
        }
    })
}

/// Returns whether a search reads what it holds back otherwise: only if the user said so, now or
/// before. That nothing needed a decision is no such word.
pub(crate) fn is_trusted(tree: &dyn FileTree, rules: &SearchRules, inputs: &Inputs) -> bool {
    rules.trusted_only.is_empty()
        || inputs.trusted.unwrap_or_else(|| {
            let decision = decide_trust(tree, rules, inputs);
            decision.is_some_and(|decision| {
                decision.trusted && matches!(decision.because, TrustReason::Saved(_))
            })
        })
}

/// Returns whether the user said that a project is not trusted, now or before.
pub(crate) fn is_distrusted(tree: &dyn FileTree, rules: &SearchRules, inputs: &Inputs) -> bool {
    let said_before = || {
        let decision = decide_trust(tree, rules, inputs);
        decision.is_some_and(|decision| {
            !decision.trusted && matches!(decision.because, TrustReason::Saved(_))
        })
    };
    inputs.trusted.map_or_else(said_before, |trusted| !trusted)
}

/// Who holds entries back, and whether somebody said that the project is not trusted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Distrust<'a> {
    pub(crate) dialect: &'a Dialect,
    pub(crate) profile: &'a Profile,
    pub(crate) is_said: bool,
}

impl Distrust<'_> {
    /// Returns who reads the files: of several programs the one whose rules count.
    fn reader(&self) -> String {
        let title = self.dialect.title;
        match self.dialect.has_programs() {
            true => format!("{title} ({})", self.profile.program),
            false => title.to_owned(),
        }
    }
}

/// Holds entries back that would load, or would be refused. Of those that would be refused nothing
/// more is told.
pub(crate) fn hold_back<'a>(by: Distrust<'_>, entries: impl IntoIterator<Item = &'a mut Entry>) {
    for entry in entries {
        if !matches!(entry.state, State::Active | State::Rejected) {
            continue;
        }
        let would_load = entry.state == State::Active;
        entry.state = State::HeldBack;
        // Nobody has read the file yet who could have said anything.
        for diagnostic in &mut entry.diagnostics {
            diagnostic.harness_says = false;
        }
        if !would_load {
            continue;
        }
        let mut finding = Diagnostic::new(
            &rules::HELD_BACK,
            "the file waits until the project is trusted",
        )
        .because(format!(
            "{} reads the agents of a project only if the user trusts it",
            by.reader()
        ))
        .help("trust the project if you know who wrote its files");
        if !by.is_said {
            finding.severity = Severity::Info;
        }
        entry.diagnostics.push(finding);
    }
}

/// Notes the fields of a project's agents that a harness holds back.
pub(crate) fn note_held_back(title: &str, rules: &Rules, entries: &mut [Entry]) {
    let project = entries
        .iter_mut()
        .filter(|entry| entry.source.level == Level::Project);
    for entry in project {
        let held_back = rules.agents.held_back.iter();
        let mut findings: Vec<Diagnostic> = held_back
            .filter_map(|held_back| finding(title, *held_back, rules.reading.fields, entry))
            .collect();
        entry.diagnostics.append(&mut findings);
    }
}

fn finding(
    title: &str,
    held_back: HeldBack,
    fields: &[Field],
    entry: &Entry,
) -> Option<Diagnostic> {
    let field = held_back.field;
    let located = entry.definition()?.field(field)?;
    let whole = located.place.map(|place| place.value);
    let (what, first, others) = match (held_back.part)(&located.value) {
        HeldPart::Whole => ("", whole, Vec::new()),
        HeldPart::At(parts) => {
            let (first, others) = parts.split_first()?;
            ("this part of ", Some(*first), others.to_vec())
        }
    };
    let mut keys = fields.iter().filter(|known| known.target == field);
    let key = keys.next().map_or(field.as_str(), |known| known.key);
    let mut finding = Diagnostic::new(
        &rules::HELD_BACK,
        format!("{what}`{key}` has no effect while the project is not trusted"),
    )
    .because(format!(
        "{title} starts no command of a project that nobody vouches for"
    ))
    .help("trust the project in the harness if you know its files")
    .about(field)
    .said_by_harness();
    finding.span = first;
    for other in others {
        finding = finding.and_at(other, "nor has this");
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use agent_schema::dialects;

    use crate::{Inputs, MemoryTree, discover};

    fn held_back(servers: &str) -> Vec<(String, String, usize)> {
        let text = format!("---\nname: a\ndescription: Reads.\nmcpServers:\n{servers}---\nRead.\n");
        let mut tree = MemoryTree::new();
        tree.write("/p/.claude/agents/a.md", &text);
        let dialect = dialects::find("claude-code").expect("it is known");
        let inputs = Inputs {
            trusted: Some(false),
            ..Inputs::new().project("/p")
        };
        let found = discover(&tree, dialect, dialect.default_profile(), &inputs);
        let findings = found.entries[0].diagnostics.iter();
        let held_back = findings.filter(|it| it.code() == "held-back");
        held_back
            .map(|it| {
                let span = it.span.expect("it has a place");
                let at = &text[span.start as usize..span.end as usize];
                (
                    it.message.to_string(),
                    at.trim().to_owned(),
                    it.related.len(),
                )
            })
            .collect()
    }

    #[test]
    fn only_servers_that_are_written_out_wait() {
        assert_eq!(held_back("  - github\n"), []);
        let [(message, at, others)] =
            &held_back("  - github\n  - own: {command: x}\n  - b: {command: y}\n")[..]
        else {
            panic!("one finding is expected");
        };
        assert!(message.starts_with("this part of `mcpServers`"));
        assert_eq!((at.as_str(), *others), ("own: {command: x}", 1));
        let [(message, at, 0)] = &held_back("  - own: {command: x}\n")[..] else {
            panic!("one finding is expected");
        };
        assert!(message.starts_with("`mcpServers`") && at.ends_with("own: {command: x}"));
    }
}
