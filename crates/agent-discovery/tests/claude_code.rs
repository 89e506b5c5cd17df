//! How the places of Claude Code are searched, beyond what the recorded trees show.

use agent_discovery::{Discovery, Inputs, MemoryTree, State, discover};
use agent_schema::{Level, dialects};

fn agent(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Helps.\n---\nWork.\n")
}

fn search(tree: &MemoryTree, inputs: &Inputs) -> Discovery {
    let dialect = dialects::find("claude-code").expect("it is known");
    discover(tree, dialect, dialect.default_profile(), inputs)
}

fn active(found: &Discovery) -> Vec<(&str, &str)> {
    found
        .active()
        .map(|entry| {
            let name = entry.name().expect("it loads");
            (name, entry.source.reported.as_str())
        })
        .collect()
}

#[test]
fn a_worktree_borrows_the_agents_of_its_repository_unless_it_has_its_own() {
    let mut tree = MemoryTree::new();
    tree.write("/main/.git/HEAD", "");
    tree.write("/main/.claude/agents/a.md", agent("of-main"));
    tree.write("/tree/.git", "gitdir: /main/.git/worktrees/tree\n");
    tree.write("/tree/src/x.txt", "");
    let inputs = Inputs::new().project("/tree/src");
    assert_eq!(
        active(&search(&tree, &inputs)),
        [("of-main", "/main/.claude/agents/a.md")]
    );
    tree.write("/tree/.claude/agents/b.md", agent("of-tree"));
    assert_eq!(
        active(&search(&tree, &inputs)),
        [("of-tree", "/tree/.claude/agents/b.md")]
    );
}

#[test]
fn a_file_that_is_found_twice_counts_for_the_user() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.git/HEAD", "");
    tree.write("/h/.claude/agents/a.md", agent("same"));
    tree.link("/p/.claude/agents", "/h/.claude/agents");
    let inputs = Inputs::new().project("/p").home("/h");
    let found = search(&tree, &inputs);
    assert_eq!(active(&found), [("same", "/h/.claude/agents/a.md")]);
    assert_eq!(found.entries[0].state, State::SameFile { first: 1 });
    assert_eq!(found.entries[0].diagnostics[0].code(), "same-file");
}

#[test]
fn of_two_added_folders_the_later_one_wins() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.git/HEAD", "");
    tree.write("/one/.claude/agents/a.md", agent("same"));
    tree.write("/two/.claude/agents/a.md", agent("same"));
    let inputs = Inputs::new().project("/p").added("/one").added("/two");
    assert_eq!(
        active(&search(&tree, &inputs)),
        [("same", "/two/.claude/agents/a.md")]
    );
}

#[test]
fn a_project_is_trusted_with_its_plugins_and_hooks_only_if_told_so() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.git/HEAD", "");
    tree.write(
        "/p/.claude/skills/kit/.claude-plugin/plugin.json",
        "{\"name\": \"kit\"}",
    );
    tree.write("/p/.claude/skills/kit/agents/a.md", agent("a"));
    let hooked = "---\nname: b\ndescription: Helps.\nhooks: {Stop: []}\n---\nYou help.\n";
    tree.write("/p/.claude/agents/b.md", hooked);
    let inputs = Inputs::new().project("/p");
    let found = search(&tree, &inputs);
    let kit = found.entries.iter();
    let mut kit = kit.filter(|entry| entry.source.level == Level::Plugin);
    assert!(kit.any(|entry| entry.state == State::HeldBack));
    assert_eq!(active(&found), [("b", "/p/.claude/agents/b.md")]);
    assert_eq!(found.entries[0].diagnostics[0].code(), "held-back");
    let found = search(&tree, &inputs.trusted(true));
    assert_eq!(
        active(&found),
        [
            ("b", "/p/.claude/agents/b.md"),
            ("kit:a", "/p/.claude/skills/kit/agents/a.md")
        ]
    );
    assert!(found.entries[0].diagnostics.is_empty());
}

#[test]
fn links_in_a_circle_end() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.git/HEAD", "");
    tree.write("/p/.claude/agents/deep/a.md", agent("a"));
    tree.link("/p/.claude/agents/deep/up", "/p/.claude/agents");
    tree.link("/p/.claude/agents/other", "/p/.claude/agents/deep");
    let found = search(&tree, &Inputs::new().project("/p"));
    let states: Vec<State> = found.entries.iter().map(|entry| entry.state).collect();
    let same = states
        .iter()
        .filter(|state| matches!(state, State::SameFile { .. }));
    assert_eq!(same.count(), 1, "{states:?}");
    assert_eq!(active(&found), [("a", "/p/.claude/agents/deep/a.md")]);
}

#[test]
fn a_name_that_two_files_of_one_place_have_is_left_open() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.git/HEAD", "");
    tree.write("/p/.claude/agents/a.md", agent("twin"));
    tree.write("/p/.claude/agents/sub/b.md", agent("twin"));
    tree.write("/h/.claude/agents/c.md", agent("twin"));
    let found = search(&tree, &Inputs::new().project("/p").home("/h"));
    assert!(active(&found).is_empty());
    assert_eq!(found.undefined()[0].len(), 2);
    assert!(matches!(
        found.entries[2].state,
        State::Shadowed { by: 0, .. }
    ));
}
