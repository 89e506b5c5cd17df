//! The search for agents on trees in memory: one test per fact, and what holds for every tree.

use std::collections::BTreeMap;
use std::path::Path;

use agent_discovery::{
    Deciding, Discovery, Entry, FileTree, Inputs, Kind, MemoryTree, PlaceState, State, StopAt,
    StopKind, discover, discover_plugin,
};
use agent_schema::dialect::{Dialect, Profile, SkipRule};
use agent_schema::{FieldName, FieldValue, Level, dialects};
use proptest::prelude::*;

fn openhands() -> &'static Dialect {
    dialects::find("openhands").expect("it is known")
}

fn profile(id: &str) -> &'static Profile {
    openhands().profile(id).expect("it is known")
}

fn search(tree: &dyn FileTree) -> Discovery {
    let inputs = Inputs::new().project("/p").home("/h");
    discover(tree, openhands(), openhands().default_profile(), &inputs)
}

fn at<'a>(found: &'a Discovery, reported: &str) -> &'a Entry {
    let mut entries = found.entries.iter();
    entries
        .find(|entry| entry.source.reported == reported)
        .unwrap_or_else(|| panic!("{reported} is an entry"))
}

fn codes(entry: &Entry) -> Vec<&'static str> {
    let diagnostics = entry.diagnostics.iter();
    diagnostics
        .map(|diagnostic| diagnostic.code())
        .filter(|code| *code != "no-header")
        .collect()
}

#[test]
fn a_prompt_is_a_part_of_the_file_that_is_kept() {
    let mut tree = MemoryTree::new();
    let header = "---\nname: n\ndescription: d\n---\n";
    tree.write("/p/.agents/agents/a.md", format!("{header}Look\naround.\n"));
    tree.write(
        "/p/.agents/agents/b.md",
        format!("{header}Look\r\naround.\n"),
    );
    let found = search(&tree);
    for (file, is_shared) in [("a.md", true), ("b.md", false)] {
        let entry = at(&found, &format!("/p/.agents/agents/{file}"));
        let definition = entry.partial_definition().expect("it was read");
        let prompt = definition.field(FieldName::PROMPT).map(|it| &it.value);
        let Some(FieldValue::Text(prompt)) = prompt else {
            panic!("a prompt is a text");
        };
        assert_eq!(prompt.as_str(), "Look\naround.", "{file}");
        assert_eq!(prompt.is_shared(), is_shared, "{file}");
    }
}

#[test]
fn places_are_searched_in_order_and_all_are_told() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.openhands/agents/b.md", "b");
    tree.write("/h/.agents/agents", "a file");
    let found = search(&tree);
    let states: Vec<_> = found
        .places
        .iter()
        .map(|place| (place.level, place.path.to_str(), place.state.clone()))
        .collect();
    assert_eq!(
        states,
        [
            (
                Level::Project,
                Some("/p/.agents/agents"),
                PlaceState::Missing
            ),
            (
                Level::Project,
                Some("/p/.openhands/agents"),
                PlaceState::Listed { entries: 1 }
            ),
            (
                Level::User,
                Some("/h/.agents/agents"),
                PlaceState::NotAFolder
            ),
            (
                Level::User,
                Some("/h/.openhands/agents"),
                PlaceState::Missing
            ),
        ]
    );
}

#[test]
fn the_first_one_found_wins_and_the_rule_is_told() {
    let mut tree = MemoryTree::new();
    for path in [
        "/p/.agents/agents/1.md",
        "/p/.agents/agents/2.md",
        "/p/.openhands/agents/x.md",
        "/h/.agents/agents/x.md",
    ] {
        tree.write(path, "---\nname: same\n---\n");
    }
    let found = search(&tree);
    let states: Vec<_> = found.entries.iter().map(|entry| entry.state).collect();
    let lost = |rule| State::Shadowed { by: 0, rule };
    assert_eq!(
        states,
        [
            State::Active,
            lost(Deciding::SameFolder),
            lost(Deciding::EarlierFolder),
            lost(Deciding::StrongerLevel),
        ]
    );
    let loser = &found.entries[3].diagnostics[0];
    assert_eq!(loser.code(), "shadowed-name");
    assert_eq!(
        loser.related[0].file.as_deref(),
        Some("/p/.agents/agents/1.md")
    );
    assert_eq!(found.get("same"), Some(&found.entries[0]));
}

#[test]
fn a_broken_file_hands_its_name_on_and_is_remembered() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.agents/agents/a.md", "---\nname: reviewer\n1: x\n---\n");
    tree.write("/h/.agents/agents/b.md", "---\nname: reviewer\n---\n");
    let found = search(&tree);
    assert_eq!(found.entries[0].state, State::Rejected);
    assert_eq!(found.get("reviewer"), Some(&found.entries[1]));
    assert_eq!(found.would_have_been("reviewer"), [&found.entries[0]]);
    assert_eq!(found.would_have_been("a"), [&found.entries[0]]);
    assert!(found.would_have_been("b").is_empty());
}

#[test]
fn names_decide_which_files_are_agents() {
    let mut tree = MemoryTree::new();
    for name in [
        ".md",
        "README.md",
        "Readme.md",
        "a.MD",
        "b.markdown",
        "c.txt",
    ] {
        tree.write(format!("/p/.agents/agents/{name}"), "text");
    }
    tree.write("/p/.agents/agents/team/inner.md", "text");
    tree.folder("/p/.agents/agents/x.md");
    let found = search(&tree);
    let states: BTreeMap<_, _> = found
        .entries
        .iter()
        .map(|entry| (entry.file_name.as_str(), (entry.state, codes(entry))))
        .collect();
    let ignored = |rule, code: &[&'static str]| (State::Ignored(rule), code.to_vec());
    let skipped: &[&'static str] = &["skipped-file"];
    assert_eq!(
        states,
        BTreeMap::from([
            (".md", ignored(SkipRule::Suffix, skipped)),
            ("README.md", ignored(SkipRule::SkippedName, &[])),
            ("Readme.md", (State::Active, vec![])),
            ("a.MD", (State::Active, vec![])),
            ("b.markdown", ignored(SkipRule::Suffix, skipped)),
            ("c.txt", ignored(SkipRule::Suffix, &[])),
            ("team", ignored(SkipRule::Folder, skipped)),
            ("x.md", ignored(SkipRule::Folder, &[])),
        ])
    );
}

#[test]
fn what_cannot_be_read_is_rejected_with_a_reason() {
    let mut tree = MemoryTree::new();
    let folder = Path::new("/p/.agents/agents");
    tree.write(folder.join("good.md"), "text");
    tree.write(folder.join("locked.md"), "text");
    tree.lock(folder.join("locked.md"));
    tree.vanishing(folder.join("gone.md"));
    tree.link(folder.join("broken.md"), "nowhere");
    tree.link(folder.join("circle.md"), "circle.md");
    tree.special(folder.join("socket.md"), Kind::Socket);
    tree.special("/dev/null", Kind::NullDevice);
    tree.link(folder.join("void.md"), "/dev/null");
    let found = search(&tree);
    assert_eq!(found.stop, None);
    let rejected: Vec<_> = found
        .entries
        .iter()
        .filter(|entry| entry.state == State::Rejected)
        .map(|entry| (entry.file_name.as_str(), codes(entry)))
        .collect();
    assert_eq!(
        rejected,
        [
            ("broken.md", vec!["broken-link"]),
            ("circle.md", vec!["broken-link"]),
            ("gone.md", vec!["unreadable-file"]),
            ("locked.md", vec!["unreadable-file"]),
            ("socket.md", vec!["not-a-file"]),
        ]
    );
    assert_eq!(found.active().count(), 2);
    assert_eq!(
        found.get("void").map(|entry| entry.state),
        Some(State::Active)
    );
}

#[test]
fn what_stops_the_harness_stops_only_the_harness() {
    let mut tree = MemoryTree::new();
    tree.special("/p/.agents/agents/pipe.md", Kind::Pipe);
    tree.write("/p/.openhands/agents/x.md", "text");
    tree.lock("/p/.openhands/agents");
    tree.write("/h/.agents/agents/a.md", "text");
    let found = search(&tree);
    let stop = found.stop.as_ref().expect("a pipe stops it");
    assert_eq!((stop.at, stop.kind), (StopAt::Entry(0), StopKind::Hangs));
    assert!(matches!(found.places[1].state, PlaceState::Unreadable(_)));
    assert!(found.get("a").is_some());

    let mut tree = MemoryTree::new();
    tree.write("/p/.agents/agents/x.md", "text");
    tree.lock("/p/.agents/agents");
    let stop = search(&tree).stop.expect("a closed folder stops it");
    assert_eq!((stop.at, stop.kind), (StopAt::Place(0), StopKind::Raises));

    tree.lock_entry("/p/.agents/agents");
    let stop = search(&tree).stop.expect("so does one without entry");
    assert_eq!((stop.at, stop.kind), (StopAt::Entry(0), StopKind::Raises));
}

#[test]
fn levels_can_be_switched_off_or_coincide() {
    let mut tree = MemoryTree::new();
    tree.write("/h/.agents/agents/a.md", "text");
    let of = |inputs: &Inputs| discover(&tree, openhands(), profile("1.58.2"), inputs);

    let off = of(&Inputs::new().project("/h").home("/h").without_user());
    assert_eq!(off.places[2].state, PlaceState::SwitchedOff);
    assert_eq!(
        of(&Inputs::new().project("/h")).places[2].state,
        PlaceState::SwitchedOff
    );

    let found = of(&Inputs::new().project("h").home("/h"));
    assert_eq!(found.places[2].state, PlaceState::SameAs(0));
    assert_eq!(found.entries.len(), 1);
    assert_eq!(found.entries[0].source.reported, "h/.agents/agents/a.md");
    assert_eq!(found.entries[0].source.level, Level::Project);
    let again: Vec<_> = found.seen_again().collect();
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].reported, "/h/.agents/agents/a.md");
}

#[test]
fn a_variable_moves_the_home_in_the_version_that_has_it() {
    let mut tree = MemoryTree::new();
    tree.write("/v/agents/new.md", "text");
    tree.write("/h/.openhands/agents/old.md", "text");
    let inputs = Inputs::new()
        .home("/h")
        .variable("OH_PERSISTENCE_DIR", "/v");
    for (id, name) in [("1.58.2", "new"), ("1.43.1", "old")] {
        let found = discover(&tree, openhands(), profile(id), &inputs);
        assert!(found.get(name).is_some(), "{id}");
        assert_eq!(found.active().count(), 1);
    }
}

#[test]
fn names_that_no_call_reaches_are_told() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.agents/agents/bash.md", "text");
    tree.write("/p/.agents/agents/empty.md", "---\nname: ''\n---\n");
    tree.write("/p/.agents/agents/fine.md", "text");
    let found = search(&tree);
    let unreachable = |name: &str| {
        let path = format!("/p/.agents/agents/{name}.md");
        codes(at(&found, &path)).contains(&"unreachable-name")
    };
    assert!(unreachable("bash") && unreachable("empty") && !unreachable("fine"));
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_survive_and_stay_apart() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let mut tree = MemoryTree::new();
    let folder = Path::new("/p/.agents/agents");
    for name in [b"a\xff.md" as &[u8], b"a\xfe.md", b"a\\b.md"] {
        tree.write(folder.join(OsStr::from_bytes(name)), "text");
    }
    let found = search(&tree);
    assert_eq!(found.active().count(), 3);
    assert_eq!(found.entries[0].source.reported, "/p/.agents/agents/a/b.md");
    assert_eq!(found.entries[1].file_name, "a\u{fffd}.md");
    let path = found.entries[1].source.path.as_deref();
    assert_eq!(
        path,
        Some(folder.join(OsStr::from_bytes(b"a\xfe.md")).as_path())
    );
}

#[test]
fn a_plugin_has_its_own_rules() {
    let mut tree = MemoryTree::new();
    tree.write("/plugin/agents/in.md", "text");
    tree.write("/plugin/agents/Readme.md", "text");
    tree.folder("/plugin/agents/folder.md");
    tree.write("/plugin/inside.md", "text");
    tree.write("/outside.md", "text");
    tree.link("/plugin/agents/link.md", "../inside.md");
    tree.link("/plugin/agents/out.md", "../../outside.md");
    let of = |id: &str| {
        let found = discover_plugin(
            &tree,
            openhands(),
            profile(id),
            Path::new("/plugin"),
            &Inputs::new(),
        );
        let names = |state: State| -> Vec<String> {
            let entries = found.entries.iter();
            let entries = entries.filter(|entry| entry.state == state);
            entries.map(|entry| entry.file_name.clone()).collect()
        };
        (names(State::Active), names(State::Rejected))
    };
    let texts = |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.into()).collect() };
    assert_eq!(
        of("1.58.2"),
        (
            texts(&["Readme.md", "in.md", "link.md"]),
            texts(&["out.md"])
        )
    );
    assert_eq!(
        of("1.43.1"),
        (
            texts(&["in.md", "link.md", "out.md"]),
            texts(&["folder.md"])
        )
    );
    let found = discover_plugin(
        &tree,
        openhands(),
        profile("1.58.2"),
        Path::new("/plugin"),
        &Inputs::new(),
    );
    assert_eq!(codes(at(&found, "/plugin/agents/out.md")), ["outside-root"]);
}

/// One item that a generated tree may hold.
#[derive(Debug, Clone)]
enum Thing {
    File(&'static str),
    Folder,
    Link(&'static str),
    Special(Kind),
    Locked,
    Vanishing,
}

fn things() -> impl Strategy<Value = Thing> {
    prop_oneof![
        4 => prop_oneof![
            Just("text"),
            Just("---\nname: one\n---\n"),
            Just("---\nname: two\n---\n"),
            Just("---\nname: [\n---\n"),
        ].prop_map(Thing::File),
        1 => Just(Thing::Folder),
        2 => prop_oneof![Just("a.md"), Just("nowhere"), Just("/dev/null"), Just("."), Just("/p")]
            .prop_map(Thing::Link),
        1 => prop_oneof![Just(Kind::Pipe), Just(Kind::Socket), Just(Kind::Device)]
            .prop_map(Thing::Special),
        1 => Just(Thing::Locked),
        1 => Just(Thing::Vanishing),
    ]
}

fn trees() -> impl Strategy<Value = MemoryTree> {
    let folders = prop_oneof![
        Just("/p/.agents/agents"),
        Just("/p/.openhands/agents"),
        Just("/h/.agents/agents"),
        Just("/h/.openhands/agents"),
    ];
    let names = prop_oneof![
        Just("a.md"),
        Just("b.md"),
        Just("B.MD"),
        Just("README.md"),
        Just("notes.txt"),
        Just("é.md"),
        Just("back\\slash.md"),
    ];
    prop::collection::vec((folders, names, things()), 0..24).prop_map(|items| {
        let mut tree = MemoryTree::new();
        tree.special("/dev/null", Kind::NullDevice);
        for (folder, name, thing) in items {
            let path = Path::new(folder).join(name);
            match thing {
                Thing::File(text) => tree.write(&path, text),
                Thing::Folder => tree.folder(&path),
                Thing::Link(target) => tree.link(&path, target),
                Thing::Special(kind) => tree.special(&path, kind),
                Thing::Vanishing => tree.vanishing(&path),
                Thing::Locked => {
                    tree.write(&path, "text");
                    tree.lock(&path);
                }
            }
        }
        tree
    })
}

proptest! {
    #[test]
    fn every_item_is_exactly_one_entry(tree in trees()) {
        let found = search(&tree);
        let mut listed = 0;
        for place in &found.places {
            if let PlaceState::Listed { entries } = place.state {
                listed += entries;
                prop_assert_eq!(tree.list(&place.path).map(|items| items.len()), Ok(entries));
            }
        }
        prop_assert_eq!(found.entries.len(), listed);
        for (index, entry) in found.entries.iter().enumerate() {
            prop_assert_eq!(entry.source.scan_index as usize, index);
            let loads = entry.definition().is_some();
            match entry.state {
                State::Active => prop_assert!(loads),
                State::Shadowed { by, .. } => {
                    prop_assert!(loads && by < index);
                    prop_assert_eq!(found.entries[by].state, State::Active);
                    prop_assert_eq!(found.entries[by].name(), entry.name());
                }
                State::Rejected => prop_assert!(!loads && !entry.diagnostics.is_empty()),
                _ => prop_assert!(!loads),
            }
        }
        let mut names: Vec<_> = found.active().map(Entry::name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), all);
    }

    #[test]
    fn the_order_of_the_disk_changes_nothing(tree in trees(), seed in any::<u64>()) {
        let (plain, shuffled) = (search(&tree), search(&tree.clone().shuffled(seed)));
        prop_assert_eq!(plain.entries, shuffled.entries);
        prop_assert_eq!(plain.places, shuffled.places);
        prop_assert_eq!(plain.stop, shuffled.stop);
    }
}
