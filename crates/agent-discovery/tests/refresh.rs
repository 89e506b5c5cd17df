//! A search that is made again: the same answer as a new search, with fewer reads, and a list of
//! what is different.
#![expect(
    clippy::disallowed_methods,
    reason = "the disk is searched as it really is"
)]

mod counting;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use agent_discovery::{
    Change, Discovery, DiskTree, Inputs, MemoryTree, Standing, State, discover, discover_plugin,
};
use agent_schema::{Dialect, Profile, dialects};
use counting::Counting;
use proptest::prelude::*;

fn find(id: &str) -> (&'static Dialect, &'static Profile) {
    let dialect = dialects::find(id).expect("it is known");
    (dialect, dialect.default_profile())
}

/// Everything that a discovery says, to the last byte.
fn told(found: &Discovery) -> String {
    let Discovery {
        places,
        entries,
        general,
        roster,
        stop,
        ..
    } = found;
    format!("{places:#?}\n{entries:#?}\n{general:#?}\n{roster:?}\n{stop:#?}")
}

fn agent(name: &str, prompt: &str) -> String {
    format!("---\nname: {name}\ndescription: Reads the {name} files.\n---\n{prompt}\n")
}

/// What changed, a line each.
fn lines(changes: &[Change]) -> Vec<String> {
    let word = |standing: &Option<Standing>| match standing {
        None => "nothing".to_owned(),
        Some(Standing::Shadowed { by, .. }) => format!("shadowed by {by}"),
        Some(standing) => format!("{standing:?}").to_lowercase(),
    };
    let line = |change: &Change| {
        let (before, now) = (word(&change.before), word(&change.now));
        let fields: Vec<&str> = change.fields.iter().map(|field| field.as_str()).collect();
        let (name, at) = (&change.name, &change.source.reported);
        format!("{name} {at}: {before} -> {now} {}", fields.join(","))
            .trim_end()
            .to_owned()
    };
    changes.iter().map(line).collect()
}

#[test]
fn unchanged_files_are_not_read_and_their_definitions_are_shared() {
    let (dialect, profile) = find("claude-code");
    let mut counting = Counting::new(MemoryTree::new());
    for name in ["a", "b", "c"] {
        let path = format!("/p/.claude/agents/{name}.md");
        counting.tree.write(path, agent(name, "Work."));
    }
    let inputs = Inputs::new().project("/p").remembering();
    let first = discover(&counting, dialect, profile, &inputs);
    assert_eq!(counting.read(), ["a.md", "b.md", "c.md"]);

    let path = "/p/.claude/agents/b.md";
    counting.tree.write(path, agent("b", "Work harder."));
    let second = first.refresh(&counting, &inputs);
    assert_eq!(counting.read(), ["b.md"]);
    assert_eq!(
        lines(&second.changes),
        ["b /p/.claude/agents/b.md: active -> active prompt"]
    );
    let bytes = |found: &Discovery, index: usize| {
        let entry = &found.entries[index];
        entry.bytes.as_ref().map(|bytes| bytes.as_ptr())
    };
    let definition = |found: &Discovery, index: usize| {
        let definition = found.entries[index].definition();
        definition.map(std::ptr::from_ref)
    };
    for (index, shared) in [(0, true), (1, false), (2, true)] {
        let found = &second.found;
        assert_eq!(bytes(&first, index) == bytes(found, index), shared);
        assert_eq!(
            definition(&first, index) == definition(found, index),
            shared
        );
    }
    let third = second.found.refresh(&counting, &inputs);
    assert!(counting.read().is_empty() && third.changes.is_empty());
}

#[test]
fn a_file_that_means_something_else_with_other_inputs_is_parsed_again() {
    let (dialect, profile) = find("agentscope");
    let mut tree = MemoryTree::new();
    let text = "---\ndescription: Reads.\nworkspace:\n  path: deep\n---\nWork.\n";
    tree.write("/w/subagents/a.md", text);
    let inputs = |workspace: &str| {
        let inputs = Inputs::new().project("/p").workspace(workspace);
        inputs.remembering()
    };
    tree.link("/other", "/w");
    let first = discover(&tree, dialect, profile, &inputs("/w"));
    let second = first.refresh(&tree, &inputs("/other"));
    let fresh = discover(&tree, dialect, profile, &inputs("/other"));
    assert_eq!(told(&second.found), told(&fresh));
}

#[test]
fn a_search_that_remembers_nothing_can_be_made_again_too() {
    let (dialect, profile) = find("openhands");
    let mut counting = Counting::new(MemoryTree::new());
    let path = "/p/.agents/agents/a.md";
    counting.tree.write(path, agent("a", "Work."));
    let inputs = Inputs::new().project("/p");
    let first = discover(&counting, dialect, profile, &inputs);
    let second = first.refresh(&counting, &inputs);
    assert_eq!(counting.read(), ["a.md", "a.md"]);
    assert!(second.changes.is_empty());
    let third = second.found.refresh(&counting, &inputs);
    assert!(counting.read().is_empty() && third.changes.is_empty());
}

#[test]
fn a_plugin_is_searched_again_as_a_plugin() {
    let (dialect, profile) = find("claude-code");
    let mut counting = Counting::new(MemoryTree::new());
    let plugin = r#"{"name": "kit"}"#;
    let manifest = "/kit/.claude-plugin/plugin.json";
    counting.tree.write(manifest, plugin);
    counting.tree.write("/kit/agents/a.md", agent("a", "Work."));
    let root = Path::new("/kit");
    let inputs = Inputs::new().remembering();
    let first = discover_plugin(&counting, dialect, profile, root, &inputs);
    counting.read();
    counting.tree.write(manifest, r#"{"name": "set"}"#);
    let second = first.refresh(&counting, &inputs);
    // The name of the plugin is part of the agent's, so the same bytes mean another agent.
    assert_eq!(counting.read(), ["a.md", "plugin.json"]);
    assert_eq!(
        lines(&second.changes),
        [
            "kit:a /kit/agents/a.md: active -> nothing",
            "set:a /kit/agents/a.md: nothing -> active"
        ]
    );
    let fresh = discover_plugin(&counting, dialect, profile, root, &inputs);
    assert_eq!(told(&second.found), told(&fresh));
}

#[test]
fn changes_are_told_by_what_they_mean() {
    let (dialect, profile) = find("openhands");
    let mut tree = MemoryTree::new();
    let own = "/p/.agents/agents/a.md";
    let home = "/h/.agents/agents/a.md";
    tree.write(home, agent("a", "Work."));
    let inputs = Inputs::new().project("/p").home("/h").remembering();
    let mut found = discover(&tree, dialect, profile, &inputs);
    let mut next = |tree: &MemoryTree| {
        let next = found.refresh(tree, &inputs);
        found = next.found;
        lines(&next.changes)
    };

    tree.write(own, agent("a", "Work here."));
    assert_eq!(
        next(&tree),
        [
            format!("a {own}: nothing -> active"),
            format!("a {home}: active -> shadowed by {own}"),
        ],
        "a stronger file takes the name"
    );
    tree.write(own, format!("{}\n", agent("a", "Work here.")));
    assert!(next(&tree).is_empty(), "nothing is said differently");
    tree.write(own, agent("b", "Work here."));
    assert_eq!(
        next(&tree),
        [
            format!("a {own}: active -> nothing"),
            format!("b {own}: nothing -> active"),
            format!("a {home}: shadowed by {own} -> active"),
        ],
        "an agent gets another name"
    );
    tree.write(own, b"---\nname: b\n---\n\xff\n");
    let broken = next(&tree);
    assert!(
        matches!(&broken[..], [line] if line == &format!("b {own}: active -> rejected")),
        "{broken:?}"
    );
    tree.write("/p/.agents/agents/notes.txt", "Not an agent.");
    assert!(next(&tree).is_empty(), "what is no agent is not told");
    tree.remove("/p/.agents");
    let gone = next(&tree);
    assert!(
        matches!(&gone[..], [line] if line.contains("rejected -> nothing")),
        "{gone:?}"
    );
}

/// What happens to a tree.
#[derive(Debug, Clone)]
enum Edit {
    Write(usize, usize),
    Remove(usize),
    Lock(usize),
    Link(usize, usize),
    Folder(usize),
    Vanishing(usize),
}

const PATHS: [&str; 26] = [
    "/p/.claude/agents/a.md",
    "/p/.claude/agents/b.md",
    "/p/.claude/agents/deep/c.md",
    "/h/.claude/agents/a.md",
    "/p/.agents/agents/a.md",
    "/p/.agents/agents/b.md",
    "/h/.agents/agents/a.md",
    "/h/.openhands/agents/b.md",
    "/p/.opencode/agent/a.md",
    "/p/.opencode/agents/deep/b.md",
    "/h/.config/opencode/agent/a.md",
    "/p/opencode.json",
    "/p/.pi/agents/a.md",
    "/p/.pi/agents/deep/b.md",
    "/h/.pi/agent/agents/a.md",
    "/p/.pi/settings.json",
    "/p/.agentscope/workspace/subagents/a.md",
    "/p/.agentscope/workspace/subagents/deep/b.md",
    "/p/.agentscope/workspace/u/subagents/a.md",
    "/p/agents/a.md",
    "/kit/agents/a.md",
    "/kit/agents/b.md",
    "/kit/.claude-plugin/plugin.json",
    "/p/base/agents.yaml",
    "/p/base/prompts/a.md",
    "/p/.git/HEAD",
];

fn contents() -> Vec<String> {
    vec![
        agent("a", "Work."),
        agent("a", "Play."),
        agent("b", "Work."),
        agent("c", "Work."),
        "---\ndescription: Reads.\nmodel: small\n---\nWork.\n".to_owned(),
        "---\nname: [\n---\nWork.\n".to_owned(),
        "no header\n".to_owned(),
        r#"{"name": "kit", "agent": {"a": {"description": "x", "prompt": "y"}}}"#.to_owned(),
        r#"{"name": "set", "agents": ["./agents/b.md"]}"#.to_owned(),
        "agents:\n  a:\n    role: works\n".to_owned(),
        String::new(),
    ]
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let path = || 0..PATHS.len();
    let edit = prop_oneof![
        12 => (path(), 0..contents().len()).prop_map(|(path, text)| Edit::Write(path, text)),
        2 => path().prop_map(Edit::Remove),
        1 => path().prop_map(Edit::Lock),
        1 => (path(), path()).prop_map(|(path, to)| Edit::Link(path, to)),
        1 => path().prop_map(Edit::Folder),
        1 => path().prop_map(Edit::Vanishing),
    ];
    proptest::collection::vec(edit, 1..12)
}

/// Makes an edit, unless there is a file or link where it needs a folder.
fn make(edit: &Edit, tree: &mut MemoryTree) {
    let (Edit::Write(at, _)
    | Edit::Remove(at)
    | Edit::Lock(at)
    | Edit::Link(at, _)
    | Edit::Folder(at)
    | Edit::Vanishing(at)) = edit;
    let path = PATHS[*at];
    match edit {
        Edit::Write(_, text) => {
            tree.remove(path);
            tree.write(path, &contents()[*text]);
        }
        Edit::Remove(_) => tree.remove(path),
        Edit::Lock(_) => tree.lock(path),
        Edit::Link(_, to) => {
            tree.remove(path);
            tree.link(path, PATHS[*to]);
        }
        Edit::Folder(_) => {
            tree.remove(path);
            tree.folder(path);
        }
        Edit::Vanishing(_) => {
            tree.remove(path);
            tree.vanishing(path);
        }
    }
}

fn search_inputs() -> Inputs {
    let inputs = Inputs::new().project("/p").home("/h").plugin("/kit");
    inputs.user("u").trusted(true).remembering()
}

/// The agents that are active, with their places.
fn active(found: &Discovery) -> BTreeSet<(String, String)> {
    let entries = found.entries.iter();
    let active = entries.filter(|entry| entry.state == State::Active);
    let named = active.filter_map(|entry| Some((entry.name()?, entry)));
    named
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, entry)| (name.to_owned(), format!("{:?}", place(&entry.source))))
        .collect()
}

fn place(source: &agent_discovery::Source) -> (&str, Option<&str>, agent_schema::Level) {
    (&source.reported, source.inside.as_deref(), source.level)
}

/// What the changes make of the agents that were active.
fn carried_out(
    mut active: BTreeSet<(String, String)>,
    changes: &[Change],
) -> BTreeSet<(String, String)> {
    let of = |change: &Change| {
        let at = format!("{:?}", place(&change.source));
        (change.name.clone(), at)
    };
    for change in changes {
        if change.before == Some(Standing::Active) {
            active.remove(&of(change));
        }
    }
    for change in changes {
        if change.now == Some(Standing::Active) {
            active.insert(of(change));
        }
    }
    active
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_refresh_gives_what_a_new_search_gives(
        which in 0..dialects::ALL.len() * 8,
        rounds in proptest::collection::vec(edits(), 1..5),
    ) {
        let dialect = dialects::ALL[which % dialects::ALL.len()];
        let profile = &dialect.profiles[which / dialects::ALL.len() % dialect.profiles.len()];
        let inputs = search_inputs();
        let mut tree = MemoryTree::new();
        let mut found = discover(&tree, dialect, profile, &inputs);
        for edits in rounds {
            for edit in &edits {
                make(edit, &mut tree);
            }
            let fresh = discover(&tree, dialect, profile, &inputs);
            let again = found.refresh(&tree, &inputs);
            prop_assert_eq!(told(&again.found), told(&fresh));
            let expected = carried_out(active(&found), &again.changes);
            prop_assert_eq!(active(&fresh), expected, "{:#?}", again.changes);
            found = again.found;
            let calm = Counting::new(tree.clone());
            let idle = found.refresh(&calm, &inputs);
            prop_assert!(idle.changes.is_empty(), "{:#?}", idle.changes);
        }
    }
}

/// Longer than a file must be left alone for its metadata to tell the next change.
const UNTIL_SETTLED: Duration = Duration::from_millis(3_200);

#[test]
fn the_disk_tells_which_files_have_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let agents = folder.path().join(".claude/agents");
    fs::create_dir_all(&agents).expect("makes folders");
    let write = |name: &str, prompt: &str| {
        let path = agents.join(format!("{name}.md"));
        fs::write(path, agent(name, prompt)).expect("writes");
    };
    for name in ["a", "b", "c", "d"] {
        write(name, "Work.");
    }
    let (dialect, profile) = find("claude-code");
    let counting = Counting::new(DiskTree);
    let inputs = Inputs::new().project(folder.path()).remembering();
    let young = discover(&counting, dialect, profile, &inputs);
    counting.read();
    // Their next change might not show, so that they are read once more.
    let young = young.refresh(&counting, &inputs).found;
    assert_eq!(counting.read(), ["a.md", "b.md", "c.md", "d.md"]);

    sleep(UNTIL_SETTLED);
    let mut found = young.refresh(&counting, &inputs).found;
    assert_eq!(counting.read(), ["a.md", "b.md", "c.md", "d.md"]);
    found = found.refresh(&counting, &inputs).found;
    assert!(counting.read().is_empty(), "they are left alone");

    // The same size, and one with the time of its last change set back.
    write("a", "Play.");
    let path = agents.join("b.md");
    let modified = fs::metadata(&path).and_then(|it| it.modified());
    write("b", "Play.");
    let file = fs::File::options().append(true).open(&path);
    let set = file.and_then(|file| file.set_modified(modified.expect("it has a time")));
    set.expect("sets the time");
    fs::rename(agents.join("c.md"), agents.join("e.md")).expect("renames");
    let again = found.refresh(&counting, &inputs);
    let read = counting.read();
    let fresh = discover(&DiskTree, dialect, profile, &inputs);
    if cfg!(unix) {
        assert_eq!(read, ["a.md", "b.md", "e.md"]);
        assert_eq!(told(&again.found), told(&fresh));
    }
    // Twice in a moment, and of the same size.
    for prompt in ["One.", "Two.", "Six.", "Ten."] {
        write("d", prompt);
        found = found.refresh(&counting, &inputs).found;
        let prompt_of = |found: &Discovery| {
            let definition = found.get("d").and_then(|entry| entry.definition());
            definition.and_then(|it| it.prompt()).map(str::to_owned)
        };
        assert_eq!(prompt_of(&found).as_deref(), Some(prompt));
    }
    let fresh = discover(&DiskTree, dialect, profile, &inputs);
    assert_eq!(told(&found), told(&fresh));
}

/// For Claude Code, which asks whether two files are the same, a link is never another's file.
#[test]
fn a_file_that_becomes_a_link_to_its_content_is_no_file_any_more() {
    let (dialect, profile) = find("claude-code");
    let path = "/p/.claude/agents/a.md";
    let mut tree = MemoryTree::new();
    tree.write(path, agent("a", "Work."));
    tree.write("/elsewhere/a.md", agent("a", "Work."));
    let inputs = Inputs::new().project("/p").remembering();
    let first = discover(&tree, dialect, profile, &inputs);

    tree.remove(path);
    tree.link(path, "/elsewhere/a.md");
    let again = first.refresh(&tree, &inputs).found;
    let anew = discover(&tree, dialect, profile, &inputs);
    assert_eq!(again.entries, anew.entries);
}
