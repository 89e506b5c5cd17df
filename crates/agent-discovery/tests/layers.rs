//! Searches of layers on trees in memory: one test per fact.

use agent_discovery::{Deciding, Discovery, Entry, Inputs, MemoryTree, State, discover, prompt_of};
use agent_schema::dialect::{Dialect, SkipRule};
use agent_schema::dialects;
use proptest::prelude::*;

fn agentscope() -> &'static Dialect {
    dialects::find("agentscope").expect("it is known")
}

fn search(tree: &MemoryTree, inputs: &Inputs) -> Discovery {
    discover(tree, agentscope(), agentscope().default_profile(), inputs)
}

fn inputs() -> Inputs {
    Inputs::new().project("/p").workspace("/w")
}

/// Makes a tree of declarations whose descriptions are their paths.
fn tree(paths: &[&str]) -> MemoryTree {
    let mut tree = MemoryTree::new();
    for path in paths {
        tree.write(path, format!("---\ndescription: {path}\n---\n"));
    }
    tree
}

/// The names of the listed agents with the texts that they have.
fn listed(found: &Discovery) -> Vec<(&str, &str)> {
    let text = |entry: &'_ Entry| -> Option<(String, String)> {
        let definition = entry.definition()?;
        Some((definition.name().into(), definition.description().into()))
    };
    assert!(found.listed().all(|entry| text(entry).is_some()));
    let definitions = found.listed().filter_map(|entry| entry.definition());
    definitions
        .map(|definition| (definition.name(), definition.description()))
        .collect()
}

fn state(found: &Discovery, reported: &str) -> State {
    let mut entries = found.entries.iter();
    let entry = entries.find(|entry| entry.source.reported == reported);
    entry
        .unwrap_or_else(|| panic!("{reported} is an entry"))
        .state
}

#[test]
fn the_folder_of_a_user_hides_nested_files_of_the_workspace() {
    let tree = tree(&[
        "/w/subagents/in/a.md",
        "/w/subagents/b.md",
        "/w/u/subagents/c.md",
    ]);
    let names = |inputs: &Inputs| -> Vec<String> {
        let found = search(&tree, inputs);
        listed(&found)
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect()
    };
    assert_eq!(names(&inputs()), ["b", "a"]);
    assert_eq!(names(&inputs().user("u")), ["b", "c"]);
    assert_eq!(names(&inputs().session("u")), ["b", "c"]);
    assert_eq!(names(&inputs().user("other").session("u")), ["b"]);
    assert_eq!(names(&inputs().user(" ")), ["b", "a"]);
}

#[test]
fn a_path_of_the_project_is_read_from_the_workspace_if_it_is_there() {
    let tree = tree(&[
        "/w/subagents/in/a.md",
        "/p/subagents/in/a.md",
        "/p/subagents/b.md",
    ]);
    let found = search(&tree, &inputs().user("u"));
    assert_eq!(
        listed(&found),
        [("b", "/p/subagents/b.md"), ("a", "/w/subagents/in/a.md")]
    );
    let State::Shadowed { by, rule } = state(&found, "/p/subagents/in/a.md") else {
        panic!("it is shadowed");
    };
    assert_eq!(rule, Deciding::Covered);
    assert_eq!(found.entries[by].source.reported, "/w/subagents/in/a.md");
}

#[test]
fn a_project_that_is_its_own_workspace_hides_nothing() {
    let tree = tree(&["/p/subagents/a.md", "/p/subagents/in/b.md"]);
    let found = search(&tree, &Inputs::new().project("/p").workspace("/p"));
    let expected = [("a", "/p/subagents/a.md"), ("b", "/p/subagents/in/b.md")];
    assert_eq!(listed(&found), expected);
    assert_eq!(state(&found, "/p/subagents/a.md"), State::Active);
}

#[test]
fn a_broken_file_hides_the_same_path_below_it_but_no_other_file() {
    let mut tree = tree(&["/p/subagents/a.md", "/p/subagents/in/b.md"]);
    tree.write("/w/subagents/a.md", "---\nmodel: m\n---\n");
    tree.write("/w/subagents/b.md", "---\nmodel: m\n---\n");
    let found = search(&tree, &inputs());
    assert_eq!(listed(&found), [("b", "/p/subagents/in/b.md")]);
    let covered = State::Ignored(SkipRule::Covered);
    assert_eq!(state(&found, "/p/subagents/a.md"), covered);
}

#[test]
fn paths_are_sorted_as_wholes() {
    let files = [
        "/w/subagents/b-c.md",
        "/w/subagents/b/c.md",
        "/w/subagents/b.d.md",
        "/w/subagents/B/z.md",
        "/w/subagents/.hidden/y.md",
    ];
    let found = search(&tree(&files), &inputs().search("filesystem"));
    let names: Vec<&str> = listed(&found).iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["y", "b-c", "b.d", "c", "z"]);
}

#[test]
fn links_to_files_count_and_links_to_folders_do_not() {
    let mut tree = tree(&["/far/a.md", "/far/in/b.md"]);
    tree.link("/w/subagents/a.md", "/far/a.md");
    tree.link("/w/subagents/in", "/far/in");
    tree.link("/w/subagents/gone.md", "/far/gone.md");
    let found = search(&tree, &inputs().search("filesystem"));
    assert_eq!(listed(&found), [("a", "/far/a.md")]);
    let unreadable = State::Ignored(SkipRule::Unreadable);
    assert_eq!(state(&found, "/w/subagents/gone.md"), unreadable);

    let mut linked = MemoryTree::new();
    linked.write("/far/a.md", "---\ndescription: a\n---\n");
    linked.link("/w/subagents", "/far");
    let count = |search_name: &str| {
        let found = search(&linked, &inputs().search(search_name));
        found.listed().count()
    };
    assert_eq!(count("directory"), 1);
    assert_eq!(count("filesystem"), 0);
}

#[test]
fn a_folder_that_cannot_be_listed_is_told() {
    let mut tree = tree(&["/w/subagents/in/a.md", "/w/subagents/b.md"]);
    tree.lock("/w/subagents/in");
    let found = search(&tree, &inputs());
    assert_eq!(listed(&found), [("b", "/w/subagents/b.md")]);
    let unreadable = State::Ignored(SkipRule::Unreadable);
    assert_eq!(state(&found, "/w/subagents/in"), unreadable);
}

#[test]
fn the_static_search_adds_what_is_missing_and_lists_it_twice() {
    let files = [
        "/w/subagents/a.md",
        "/w/subagents/in/a.md",
        "/w/subagents/in/b.md",
        "/w/subagents/other/b.md",
        "/w/subagents/in/taken.md",
    ];
    let inputs = inputs().search("static").taken("taken");
    let found = search(&tree(&files), &inputs);
    assert_eq!(
        listed(&found),
        [
            ("a", "/w/subagents/a.md"),
            ("b", "/w/subagents/in/b.md"),
            ("b", "/w/subagents/other/b.md"),
        ]
    );
    let active: Vec<_> = found.active().map(|entry| &entry.source.reported).collect();
    assert_eq!(active, ["/w/subagents/a.md", "/w/subagents/other/b.md"]);
    let taken = State::Ignored(SkipRule::NameTaken);
    assert_eq!(state(&found, "/w/subagents/in/taken.md"), taken);
    assert!(matches!(
        state(&found, "/w/subagents/in/a.md"),
        State::Shadowed {
            rule: Deciding::FirstPlace,
            ..
        }
    ));
}

#[test]
fn the_workspace_is_named_by_a_program_a_variable_or_the_project() {
    let files = [
        "/w/subagents/a.md",
        "/p/v/subagents/b.md",
        "/p/.agentscope/workspace/subagents/c.md",
    ];
    let tree = tree(&files);
    let name = |inputs: Inputs| {
        let found = search(&tree, &inputs.search("directory"));
        listed(&found).first().map(|(name, _)| (*name).to_owned())
    };
    let project = || Inputs::new().project("/p");
    assert_eq!(name(project().workspace("/w")).as_deref(), Some("a"));
    let variable = || project().variable("AGENTSCOPE_WORKSPACE", "v");
    assert_eq!(name(variable()).as_deref(), Some("b"));
    let property = variable().variable("agentscope.workspace", "/w");
    assert_eq!(name(property).as_deref(), Some("a"));
    assert_eq!(name(project()).as_deref(), Some("c"));
}

#[test]
fn a_definition_may_name_the_folder_of_its_prompt() {
    let mut tree = MemoryTree::new();
    tree.write(
        "/w/subagents/a.md",
        "---\ndescription: d\nworkspace: {path: defs/a}\n---\n",
    );
    let prompt = |tree: &MemoryTree| {
        let found = search(tree, &inputs());
        let definition = found.entries[0].definition().expect("it loads").clone();
        prompt_of(tree, found.profile, &definition)
    };
    assert_eq!(prompt(&tree), Ok(Some(String::new())));
    tree.write("/w/defs/a/AGENTS.md", "You read.\n");
    assert_eq!(prompt(&tree), Ok(Some("You read.\n".to_owned())));
}

proptest! {
    /// Whatever lies where, every file is one entry, every loser names a winner that loads, and
    /// nobody has a name twice.
    #[test]
    fn entries_are_accounted_for(
        files in prop::collection::btree_map(
            "(/p|/w|/w/u)/subagents/((in|In)/)?[ab]\\.md",
            prop_oneof![Just("---\ndescription: d\n---\n"), Just("---\nx: y\n---\n"), Just("")],
            0..9,
        ),
        user in any::<bool>(),
        name in prop_oneof![Just(None), Just(Some("static")), Just(Some("filesystem"))],
    ) {
        let mut tree = MemoryTree::new();
        for (path, text) in &files {
            tree.write(path, text);
        }
        let mut inputs = inputs();
        if user {
            inputs = inputs.user("u");
        }
        if let Some(name) = name {
            inputs = inputs.search(name);
        }
        let found = search(&tree, &inputs);
        let mut paths: Vec<_> = found.entries.iter().map(|entry| &entry.source.path).collect();
        let count = paths.len();
        paths.sort();
        paths.dedup();
        prop_assert_eq!(paths.len(), count);
        for entry in &found.entries {
            if let State::Shadowed { by, .. } = entry.state {
                prop_assert_eq!(found.entries[by].state, State::Active);
                prop_assert_eq!(found.entries[by].name(), entry.name());
            }
        }
        if name != Some("filesystem") {
            let mut names: Vec<_> = found.active().map(Entry::name).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            prop_assert_eq!(names.len(), count);
        }
    }
}

#[test]
fn many_files_are_found_in_the_order_of_their_paths() {
    let mut many = MemoryTree::new();
    let paths: Vec<String> = (100..400)
        .map(|n| format!("/w/subagents/f{n}.md"))
        .collect();
    for path in &paths {
        many.write(path, format!("---\ndescription: {path}\n---\n"));
    }
    let reported = |tree: &MemoryTree| -> Vec<String> {
        let found = search(tree, &inputs());
        let entries = found.entries.iter();
        entries.map(|it| it.source.reported.clone()).collect()
    };
    assert_eq!(reported(&many), paths);
    assert_eq!(reported(&many.clone().shuffled(7)), paths);
}
