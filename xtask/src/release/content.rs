//! What the crates hold beside code: built-in agents, pages of rules, and their agreement with the
//! harnesses.

use std::error::Error;

use agent_schema::rules::{self, SECTIONS};
use agent_schema::{File, dialects, parse};
use agentry_tests::conform;

use super::{Context, Finding};
use crate::codegen;

/// Every built-in agent loads without a finding wherever it is registered.
pub(super) fn builtins(_: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let mut faults = Vec::new();
    let mut loaded = 0;
    for dialect in dialects::ALL {
        let profiles = dialect.profiles.iter();
        for profile in profiles.filter(|profile| profile.rules.agents.takes_fallbacks) {
            for (name, text) in agent_builtins::FILES {
                let bytes = text.as_bytes();
                let parsed = parse(File { name, bytes }, dialect, profile);
                if parsed.outcome.definition().is_some() && parsed.diagnostics.is_empty() {
                    loaded += 1;
                } else {
                    let whose = format!("{} {}", dialect.title, profile.id);
                    faults.push(format!("`{name}` has findings under {whose}"));
                }
            }
        }
    }
    if loaded == 0 && faults.is_empty() {
        return Ok(Finding::bad("no profile takes built-in agents"));
    }
    let count = agent_builtins::FILES.len();
    Ok(Finding::of(
        &faults,
        format!("{count} files, read {loaded} times without a finding"),
    ))
}

/// Every rule has a page with all sections, and the index is fresh.
pub(super) fn rule_pages(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let mut faults = Vec::new();
    for rule in rules::ALL {
        for section in SECTIONS.iter().filter(|it| rule.section(it).is_empty()) {
            let code = rule.code;
            faults.push(format!("the page of `{code}` has no section `{section}`"));
        }
    }
    if !codegen::run(context.root, true)? {
        faults.push("the index is stale; `cargo xtask codegen` writes it anew".to_owned());
    }
    let count = rules::ALL.len();
    Ok(Finding::of(
        &faults,
        format!("{count} pages and their index"),
    ))
}

/// Every dialect agrees with all its cases.
pub(super) fn conformance(context: &Context<'_>) -> Result<Finding, Box<dyn Error>> {
    let mut faults = Vec::new();
    let mut agreed = Vec::new();
    for dialect in dialects::ALL {
        let cases = context.root.join("tests/conformance").join(dialect.id);
        let report = conform::run(dialect, &cases)?;
        let (good, all) = (report.agreed(), report.checks.len());
        if good != all || all == 0 {
            println!("{report}");
            faults.push(format!("{}: {good} of {all} checks agree", dialect.id));
        }
        agreed.push(format!("{} {good}", dialect.id));
    }
    Ok(Finding::of(&faults, agreed.join(", ")))
}
