//! Rosters with faults, and what takes away.

use agent_schema::dialect::SkipRule;
use agent_schema::{FieldName, dialects};

use super::*;
use crate::{MemoryTree, State};

const AGENTS: &str = "agents:\n  a: {role: Does A, tools: [x]}\n  b: {role: Does B}\n";

fn load(files: &[(&str, &str)]) -> Roster {
    let mut tree = MemoryTree::new();
    tree.folder("/t/project");
    for (path, text) in files {
        tree.write(format!("/t/{path}"), text);
    }
    let dialect = dialects::find("nebuko").expect("it is known");
    let inputs = Inputs::new().project("/t/project");
    discover_roster(&tree, dialect, dialect.default_profile(), &inputs).expect("it is a roster")
}

fn names(roster: &Roster) -> Vec<&str> {
    roster.agents().filter_map(Entry::name).collect()
}

fn codes(roster: &Roster) -> Vec<(&str, Option<&str>)> {
    let findings = roster.findings.iter();
    findings
        .map(|finding| (finding.diagnostic.code(), finding.agent.as_deref()))
        .collect()
}

#[test]
fn a_project_without_a_roster_is_no_fault() {
    let roster = load(&[("project/README.md", "Hello.")]);
    assert!(!roster.is_readable);
    assert_eq!(roster.found.entries, []);
    assert_eq!(roster.agent_names().from, NamesFrom::Fallback);
}

#[test]
fn without_the_weakest_layer_nothing_counts() {
    let roster = load(&[("deployment/agent-config.yaml", AGENTS)]);
    assert!(!roster.is_readable);
    assert_eq!(names(&roster), [""; 0]);
    assert_eq!(codes(&roster), [("C1-unreadable-layer", None)]);
    let states: Vec<State> = roster
        .found
        .entries
        .iter()
        .map(|entry| entry.state)
        .collect();
    let unused = State::Ignored(SkipRule::NoRoster);
    assert_eq!(states, [State::Rejected, unused, unused]);
    let names = roster.agent_names();
    assert_eq!(names.names, ["architect", "context"]);
    let said: Vec<&str> = names.log.iter().map(|finding| finding.code()).collect();
    assert_eq!(said, ["fallback-roster"]);
    let tasks = roster.task_prompts();
    assert_eq!(tasks.prompts["context"], "context.md");
}

#[test]
fn a_stronger_layer_that_is_broken_is_left_out() {
    let roster = load(&[
        ("defaults/agent-config.yaml", AGENTS),
        ("defaults/prompts/a.md", "A."),
        ("defaults/prompts/b.md", "B."),
        ("deployment/agent-config.yaml", "agents: {a: [}\n"),
    ]);
    assert!(roster.is_readable);
    assert_eq!(names(&roster), ["a", "b"]);
    assert_eq!(codes(&roster), [("C1-unreadable-layer", None)]);
}

#[test]
fn null_takes_a_field_or_an_agent_away() {
    let roster = load(&[
        ("defaults/agent-config.yaml", AGENTS),
        (
            "deployment/agent-config.yaml",
            "agents:\n  a: {role: null}\n  b: ~\n",
        ),
        ("project/agent-config.yaml", "agents:\n  b: {model: m}\n"),
        ("project/prompts/a.md", "A."),
        ("project/prompts/b.md", "B."),
    ]);
    assert_eq!(names(&roster), ["a", "b"]);
    let entries: Vec<&Entry> = roster.agents().collect();
    let a = entries[0].definition().expect("it is active");
    assert_eq!(a.field(FieldName::DESCRIPTION), None);
    assert_eq!(a.names(FieldName::TOOLS).len(), 1);
    // What came back is a new agent, without what was said before.
    assert_eq!(entries[1].source.place, Some(2));
    let b = entries[1].definition().expect("it is active");
    assert_eq!(b.field(FieldName::DESCRIPTION), None);
    assert_eq!(b.model(), Some("m"));
    let missing = "C8-missing-role";
    assert_eq!(codes(&roster), [(missing, Some("a")), (missing, Some("b"))]);
}

#[test]
fn a_prompt_is_found_by_its_last_part_alone() {
    let config = "exit_rules: x/end.md\nagents:\n  a: {role: A, prompt_file: ../../etc/p.md}\n";
    let roster = load(&[
        ("defaults/agent-config.yaml", config),
        ("defaults/prompts/p.md", "Weak."),
        ("defaults/prompts/end.md", "Stop."),
        ("project/prompts/p.md", "Strong."),
        ("project/prompts/end.md", "Stop now."),
        ("etc/p.md", "Elsewhere."),
    ]);
    let agent = roster.agents().next().and_then(Entry::definition);
    let agent = agent.expect("it is there");
    assert_eq!(agent.prompt(), Some("Strong."));
    let rules = roster.exit_rules.as_ref().expect("they are there");
    assert_eq!(rules.text, "Stop now.");
    assert_eq!(rules.shadowed, ["/t/defaults/prompts/end.md"]);
    assert_eq!(roster.task_prompts().prompts["a"], "p.md");
    let told = [("ignored-value", None), ("ignored-value", Some("a"))];
    assert_eq!(codes(&roster), told);
}

#[test]
fn all_checks_run_at_once() {
    let config =
        "exit_rules: none.md\nagents:\n  genius: {skills: [s]}\n  Big One: {role: R}\n  1: {}\n";
    let roster = load(&[
        ("defaults/agent-config.yaml", config),
        (
            "defaults/prompts/genius.md",
            "---\nname: x\n---\nHi.\n\nYour team\n===\nWe.\n\n# Exit-rules\n",
        ),
    ]);
    assert_eq!(
        codes(&roster),
        [
            ("C2-bad-agent-name", Some("1")),
            ("C3-missing-prompt", None),
            ("C7-legacy-name", Some("genius")),
            ("C4-frontmatter-in-prompt", Some("genius")),
            ("C6-duplicate-section", Some("genius")),
            ("C6-duplicate-section", Some("genius")),
            ("C5-unknown-skill", Some("genius")),
            ("C8-missing-role", Some("genius")),
            ("C2-bad-agent-name", Some("Big One")),
            ("C3-missing-prompt", Some("Big One")),
        ]
    );
    // Each finding stands in the file that its bytes are of.
    for finding in &roster.findings {
        if let Some(entry) = finding.entry {
            let diagnostics = &roster.found.entries[entry].diagnostics;
            assert!(diagnostics.contains(&finding.diagnostic));
        }
    }
}

#[test]
fn prose_about_tools_is_told_with_the_list_that_counts() {
    let prompt = "---\ntools: [y]\n---\nWork.\n\nTools: x, y\n";
    let roster = load(&[
        ("defaults/agent-config.yaml", AGENTS),
        ("defaults/prompts/a.md", prompt),
        ("defaults/prompts/b.md", "You may only use the tool `x`."),
    ]);
    let told: Vec<&RosterFinding> = roster
        .findings
        .iter()
        .filter(|finding| finding.diagnostic.code() == "restated-tools")
        .collect();
    let [of_a, of_b] = told[..] else {
        panic!("{told:?}");
    };
    let span = of_a.diagnostic.span.expect("it has a place");
    assert_eq!(
        &prompt[span.start as usize..span.end as usize],
        "Tools: x, y"
    );
    let related = &of_a.diagnostic.related[0];
    assert!(
        related
            .file
            .as_deref()
            .is_some_and(|it| it.ends_with("defaults/agent-config.yaml"))
    );
    let list = related.span.expect("the list has a place");
    assert_eq!(&AGENTS[list.start as usize..list.end as usize], "[x]");
    assert_eq!(of_b.agent.as_deref(), Some("b"));
    assert_eq!(*of_b.diagnostic.related, []);
}
