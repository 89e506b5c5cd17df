//! Manifests that lose their plugin, and what their fixes make of them.

use std::path::Path;

use agent_discovery::{Discovery, Inputs, MemoryTree, State, discover_plugin};
use agent_schema::dialects::CLAUDE_CODE;
use agent_schema::fix::apply;
use agent_schema::{Applicability, Fix};

const AGENT: &str = "---\nname: reviewer\ndescription: Looks at changes.\n---\nLook.\n";

fn plugin(manifest: &str) -> MemoryTree {
    let mut tree = MemoryTree::new();
    tree.write("/kit/.claude-plugin/plugin.json", manifest);
    tree.write("/kit/agents/reviewer.md", AGENT);
    tree.write(
        "/kit/agents/deep/tester.md",
        AGENT.replace("reviewer", "tester"),
    );
    tree.write("/kit/more/writer.md", AGENT.replace("reviewer", "writer"));
    tree.write("/elsewhere/stranger.md", AGENT);
    tree
}

fn search(tree: &MemoryTree) -> Discovery {
    let profile = CLAUDE_CODE.default_profile();
    let mut inputs = Inputs::new();
    inputs.with_fixes = true;
    discover_plugin(tree, &CLAUDE_CODE, profile, Path::new("/kit"), &inputs)
}

fn fix_of(manifest: &str) -> Option<Box<Fix>> {
    let found = search(&plugin(manifest));
    let mut findings = found.entries.iter().flat_map(|entry| &entry.diagnostics);
    findings.find_map(|finding| finding.fix.clone())
}

/// Checks what the fix of a manifest makes of it, and which agents there are then.
fn check(manifest: &str, expected: &str, agents: &[&str]) {
    let fix = fix_of(manifest).expect("there is a fix");
    let mended = apply(manifest.as_bytes(), &fix.edits).expect("the edits are in order");
    let mended = String::from_utf8(mended).expect("it is a text");
    assert_eq!(mended, expected, "{manifest}");
    let found = search(&plugin(&mended));
    let mut names: Vec<&str> = found
        .entries
        .iter()
        .filter(|entry| entry.state == State::Active)
        .map(|entry| entry.definition().expect("it loads").name())
        .collect();
    names.sort_unstable();
    assert_eq!(names, agents, "{manifest}");
    assert_eq!(fix_of(&mended), None, "a second run changes nothing");
}

#[test]
fn paths_begin_as_the_harness_wants_them() {
    check(
        "{\n  \"name\": \"kit\",\n  \"agents\": \"agents/reviewer.md\"\n}\n",
        "{\n  \"name\": \"kit\",\n  \"agents\": \"./agents/reviewer.md\"\n}\n",
        &["kit:reviewer"],
    );
    check(
        "{\"agents\": [\"./more/writer.md\", \"agents/deep/tester.md\"], \"name\": \"kit\"}",
        "{\"agents\": [\"./more/writer.md\", \"./agents/deep/tester.md\"], \"name\": \"kit\"}",
        &["kit:tester", "kit:writer"],
    );
}

#[test]
fn a_folder_becomes_its_files_or_what_is_searched_anyway() {
    check(
        "{\n  \"name\": \"kit\",\n  \"agents\": [\"./agents/\"]\n}\n",
        "{\n  \"name\": \"kit\"\n}\n",
        &["kit:deep:tester", "kit:reviewer"],
    );
    check(
        "{\"agents\": \"agents\", \"name\": \"kit\"}",
        "{\"name\": \"kit\"}",
        &["kit:deep:tester", "kit:reviewer"],
    );
    check(
        "{\"name\": \"kit\", \"agents\": \"./more\"}",
        "{\"name\": \"kit\", \"agents\": \"./more/writer.md\"}",
        &["kit:writer"],
    );
    check(
        "{\"name\": \"kit\", \"agents\": [\"./more\", \"./agents\"]}",
        "{\"name\": \"kit\", \"agents\": [\"./more/writer.md\", \"./agents/deep/tester.md\", \
         \"./agents/reviewer.md\"]}",
        &["kit:reviewer", "kit:tester", "kit:writer"],
    );
}

#[test]
fn a_missing_name_is_only_probably_that_of_the_folder() {
    let manifest = "{\"version\": \"1\"}";
    let fix = fix_of(manifest).expect("there is a fix");
    assert_eq!(fix.applicability, Applicability::Unsafe);
    check(
        manifest,
        "{ \"name\": \"kit\",\"version\": \"1\"}",
        &["kit:deep:tester", "kit:reviewer"],
    );
}

#[test]
fn what_is_not_there_or_leads_out_has_no_fix() {
    for path in [
        "agents/gone.md",
        "../elsewhere/stranger.md",
        "/elsewhere/stranger.md",
        "agents/reviewer.txt",
        "",
    ] {
        let manifest = format!("{{\"name\": \"kit\", \"agents\": \"{path}\"}}");
        let fix = fix_of(&manifest).filter(|fix| fix.applicability == Applicability::Safe);
        assert_eq!(fix, None, "{path}");
    }
    assert_eq!(fix_of("{\"name\": \"kit\", \"agents\": [3]}"), None);
    assert_eq!(fix_of("{"), None);
}
