//! Properties that hold for every input, over generated files and trees.

use std::collections::BTreeMap;

use agent_discovery::{Discovery, Inputs, Kind, MemoryTree, State, discover};
use agent_registry::{Registration, Verdict, admit_all};
use agent_schema::parse::parse_accepted;
use agent_schema::{
    Definition, Dialect, FieldName, FieldValue, File, Located, Outcome, ParseInputs, Parsed,
    dialects, parse, render,
};
use proptest::prelude::*;

fn dialect() -> &'static Dialect {
    dialects::find("openhands").expect("it is known")
}

/// Bytes of any kind, often with the look of an agent file.
fn file_bytes() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just("---".to_owned()),
        Just("name: worker".to_owned()),
        Just("description: Use when: now".to_owned()),
        Just("tools: [a, b".to_owned()),
        Just("hooks: {stop: [{hooks: [{command: x}]}]}".to_owned()),
        Just("mcp_config: {a: {command: x, env: {T: '1'}}}".to_owned()),
        Just("condenser: {kind: NoOpCondenser}".to_owned()),
        Just("? [a]\r\n: {b: *c}".to_owned()),
        Just("x: &c {<<: *c}".to_owned()),
        Just("on: 0o17".to_owned()),
        Just("max_budget_per_run: 1_0.5".to_owned()),
        Just("\t- tab".to_owned()),
        Just("description: \"a --- b ----- c\"".to_owned()),
        Just("tools: Read, Bash(git, x), Edit".to_owned()),
        Just("maxTurns: 7 turns".to_owned()),
        Just("...".to_owned()),
        Just("disallowedTools: [Write, Edit] # --- no".to_owned()),
        Just("description: C:\\new: \"x\"".to_owned()),
        "[a-z_]{1,12}: [ -~é🦀]{0,30}",
        "[ \t]{0,4}- [ -~]{0,20}",
        ".{0,30}",
    ];
    let lines = prop::collection::vec(line, 0..14).prop_map(|lines| lines.join("\n").into_bytes());
    prop_oneof![
        4 => lines.clone(),
        2 => (any::<bool>(), lines).prop_map(|(named, mut lines)| {
            let mut bytes = b"---\n".to_vec();
            if named {
                bytes.extend_from_slice(b"name: worker\ndescription: Works.\n");
            }
            bytes.append(&mut lines);
            bytes.extend_from_slice(b"\n---\nBody.\n");
            bytes
        }),
        1 => prop::collection::vec(any::<u8>(), 0..200),
    ]
}

/// Reads bytes by every set of rules that there is: of each dialect and version, for files of
/// the project, of a plugin and of a skill.
fn parse_by_all(bytes: &[u8]) -> Vec<Parsed> {
    let file = File {
        name: "worker.md",
        bytes,
    };
    let inputs = ParseInputs::new().plugin("kit").folder("folder");
    let profiles = dialects::ALL.iter().flat_map(|dialect| {
        dialect
            .profiles
            .iter()
            .map(move |profile| (dialect, profile))
    });
    let mut all = Vec::new();
    for (dialect, profile) in profiles {
        let rules = &profile.rules;
        let skill = rules.skills.reading.map(|skill| skill.rules);
        let readings = [Some(&rules.reading), rules.plugins.reading, skill];
        for reading in readings.into_iter().flatten() {
            all.push(parse_accepted(file, "worker", dialect, reading, &inputs));
        }
    }
    all
}

fn definition_of(parsed: &Parsed) -> Option<&Definition> {
    match &parsed.outcome {
        Outcome::Loaded(definition) | Outcome::Rejected(definition) => Some(definition),
        Outcome::Ignored(_) => None,
    }
}

proptest! {
    #[test]
    fn parsing_always_answers_with_spans_in_bounds(bytes in file_bytes()) {
        let all = parse_by_all(&bytes);
        let end = u32::try_from(bytes.len()).expect("small");
        for finding in all.iter().flat_map(|parsed| &parsed.diagnostics) {
            let related = finding.related.iter().filter_map(|related| related.span);
            for span in finding.span.into_iter().chain(related) {
                prop_assert!(span.start <= span.end && span.end <= end, "{finding:?}");
            }
        }
        let definitions = all.iter().filter_map(definition_of);
        for (_, field) in definitions.flat_map(Definition::fields) {
            if let Some(place) = field.place {
                prop_assert!(place.key.end <= end && place.value.end <= end);
                prop_assert!(place.key.start <= place.key.end);
                prop_assert!(place.value.start <= place.value.end);
            }
        }
        prop_assert_eq!(all, parse_by_all(&bytes));
    }

    #[test]
    fn a_rejected_file_says_why_with_a_word(bytes in file_bytes()) {
        for parsed in parse_by_all(&bytes) {
            let rejected = matches!(parsed.outcome, Outcome::Rejected(_));
            let ignored = matches!(parsed.outcome, Outcome::Ignored(_));
            prop_assert!(!rejected || parsed.harness_warns());
            prop_assert!(!ignored || !parsed.harness_warns());
            prop_assert!(parsed.diagnostics.iter().all(|finding| !finding.message.is_empty()));
        }
    }

    #[test]
    fn our_own_rendering_gives_the_same_definition(bytes in file_bytes()) {
        for id in ["openhands", "claude-code"] {
            let dialect = dialects::find(id).expect("it is known");
            let profile = dialect.default_profile();
            let read = |bytes: &[u8]| parse(File { name: "worker.md", bytes }, dialect, profile);
            let parsed = read(&bytes);
            if let Some(definition) = parsed.outcome.definition()
                && let Ok(text) = render(definition, profile)
            {
                let again = read(text.as_bytes());
                let same = again.outcome.definition();
                let same = same.is_some_and(|other| other.same_content(definition));
                prop_assert!(same, "{id}: rendered as\n{text}\nread as {again:?}\nfrom {definition:?}");
            }
        }
    }

    #[test]
    fn every_item_has_one_verdict(tree in trees(), seed in any::<u64>()) {
        let found = search(&tree, Some(seed));
        let items: usize = tree.len();
        prop_assert_eq!(found.entries.len(), items);
        for entry in found.entries.iter().filter(|entry| entry.bytes.is_some()) {
            prop_assert!(entry.diagnostics.iter().all(|finding| finding.span.is_some()));
        }

        let mut registration = Registration::new(dialect(), dialect().default_profile());
        registration.register_files(found, admit_all).expect("all are admitted");
        let registry = registration.without_builtins();
        prop_assert_eq!(registry.counts().iter().sum::<usize>(), items);
        for contender in registry.contenders() {
            if let Verdict::Shadowed { by, .. } = contender.verdict {
                let winner = registry.contender(by);
                prop_assert_eq!(&winner.name, &contender.name);
            }
        }
    }

    #[test]
    fn the_order_of_a_listing_does_not_matter(tree in trees(), one in any::<u64>(), two in any::<u64>()) {
        let one = search(&tree, Some(one));
        let two = search(&tree, Some(two));
        prop_assert_eq!(one.entries, two.entries);
        prop_assert_eq!(one.places, two.places);
    }

    #[test]
    fn the_winner_comes_from_the_strongest_place(tree in trees()) {
        let found = search(&tree, None);
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, entry) in found.entries.iter().enumerate() {
            if let Some(name) = entry.name() {
                let winner = *first.entry(name).or_insert(index);
                prop_assert_eq!(entry.state == State::Active, winner == index);
            }
        }
        // Entries come in the order of the places, and those from strong to weak.
        let places: Vec<_> = found.entries.iter().map(|entry| entry.source.place).collect();
        prop_assert!(places.is_sorted());
    }

    #[test]
    fn the_first_registration_wins(offers in prop::collection::vec((any::<bool>(), "[ab]{1,2}"), 0..12)) {
        let mut registration = Registration::new(dialect(), dialect().default_profile());
        let mut holders: BTreeMap<String, usize> = BTreeMap::new();
        for (index, (strict, name)) in offers.iter().enumerate() {
            let mut definition = Definition::new(&[]);
            let text = FieldValue::text(index.to_string());
            definition.set(FieldName::DESCRIPTION, Located::implied(text));
            let taken = holders.contains_key(name);
            let registered = if *strict {
                registration.register(name, definition).is_ok()
            } else {
                registration.register_if_absent(name, definition)
            };
            prop_assert_eq!(registered, !taken);
            holders.entry(name.clone()).or_insert(index);
        }
        let registry = registration.without_builtins();
        prop_assert_eq!(registry.contenders().len(), offers.len());
        for (name, index) in holders {
            let found = registry.get(Some(&name)).expect("it was registered");
            prop_assert_eq!(found.definition().description(), index.to_string());
        }
    }
}

/// What can lie in a search place.
#[derive(Debug, Clone)]
enum Item {
    Agent(String),
    Broken,
    Plain,
    Folder,
    Pipe,
    DeadLink,
    Locked,
    Vanishing,
}

const PLACES: [&str; 4] = [
    "/p/.agents/agents",
    "/p/.openhands/agents",
    "/h/.agents/agents",
    "/h/.openhands/agents",
];

/// Trees as a map from paths to what is there.
fn trees() -> impl Strategy<Value = BTreeMap<String, Item>> {
    let item = prop_oneof![
        6 => "[abc]".prop_map(Item::Agent),
        1 => Just(Item::Broken),
        1 => Just(Item::Plain),
        1 => Just(Item::Folder),
        1 => Just(Item::Pipe),
        1 => Just(Item::DeadLink),
        1 => Just(Item::Locked),
        1 => Just(Item::Vanishing),
    ];
    let name = prop_oneof![
        "[a-d]\\.md",
        "[A-D]\\.MD",
        Just("README.md".to_owned()),
        "[ab]\\.txt",
        Just(".md".to_owned()),
    ];
    let path =
        (0..PLACES.len(), name).prop_map(|(place, name)| format!("{}/{name}", PLACES[place]));
    prop::collection::btree_map(path, item, 0..14)
}

fn search(items: &BTreeMap<String, Item>, seed: Option<u64>) -> Discovery {
    let mut tree = MemoryTree::new();
    for (path, item) in items {
        match item {
            Item::Agent(name) => tree.write(path, format!("---\nname: {name}\n---\n{path}\n")),
            Item::Broken => tree.write(path, "---\nname: a: b\n---\n"),
            Item::Plain => tree.write(path, "Only a body.\n"),
            Item::Folder => tree.folder(path),
            Item::Pipe => tree.special(path, Kind::Pipe),
            Item::DeadLink => tree.link(path, "nowhere.md"),
            Item::Locked => {
                tree.write(path, "---\nname: a\n---\n");
                tree.lock(path);
            }
            Item::Vanishing => tree.vanishing(path),
        }
    }
    if let Some(seed) = seed {
        tree = tree.shuffled(seed);
    }
    let inputs = Inputs::new().project("/p").home("/h");
    discover(&tree, dialect(), dialect().default_profile(), &inputs)
}

#[test]
fn a_registry_is_read_from_many_threads() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.agents/agents/one.md", "One.\n");
    let inputs = Inputs::new().project("/p");
    let found = discover(&tree, dialect(), dialect().default_profile(), &inputs);
    let mut registration = Registration::new(dialect(), dialect().default_profile());
    registration
        .register_files(found, admit_all)
        .expect("all are admitted");
    let registry = registration.without_builtins();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    registry
                        .get(Some("one"))
                        .map(|found| found.definition().prompt().map(str::len))
                })
            })
            .collect();
        for reader in readers {
            let length = reader
                .join()
                .expect("no reader panics")
                .expect("it is there");
            assert_eq!(length, Some("One.".len()));
        }
    });
}
