//! The order of Pi's recommendation over all sources: explicit, project, user, package.

use agent_discovery::{Inputs, MemoryTree, discover};
use agent_registry::{Builtins, Registration, Registry, Verdict, admit_all};
use agent_schema::{Definition, FieldName, FieldValue, Located, dialects};

const SOURCES: [&str; 3] = [
    "/p/.pi/agents/scout.md",
    "/h/.pi/agent/agents/scout.md",
    "/k/scout.md",
];

/// Makes a registry of the files of these paths, with or without a definition given at the spawn.
fn registry(files: &[&str], explicit: bool, trusted: Option<bool>) -> Registry {
    let mut tree = MemoryTree::new();
    for path in files {
        tree.write(
            path,
            "---\nname: scout\ndescription: Looks around.\n---\nLook.\n",
        );
    }
    let dialect = dialects::find("pi").expect("it is known");
    let profile = dialect.default_profile();
    let mut inputs = Inputs::new().project("/p").home("/h").package("/k");
    inputs.trusted = trusted;
    let mut registration = Registration::new(dialect, profile);
    if explicit {
        let mut definition = Definition::new(profile.rules.reading.shown);
        let name = FieldValue::text("scout".to_owned());
        definition.set(FieldName::NAME, Located::implied(name));
        let registered = registration.register("scout", definition);
        registered.expect("the name is free");
    }
    let found = discover(&tree, dialect, profile, &inputs);
    let registered = registration.register_files(found, admit_all);
    registered.expect("all are admitted");
    registration.with_builtins(Builtins::new(Vec::new()))
}

fn winner(registry: &Registry) -> String {
    let found = registry.get(Some("scout")).expect("somebody answers");
    found.contender.place()
}

#[test]
fn each_source_gives_way_to_the_stronger_ones() {
    for (index, source) in SOURCES.iter().enumerate() {
        let registry = registry(&SOURCES[index..], false, Some(true));
        assert!(winner(&registry).contains(source), "{}", winner(&registry));
    }
    let explicit = registry(&SOURCES, true, Some(true));
    assert!(!winner(&explicit).contains("scout.md"));
    let shadowed = explicit.contenders().iter();
    let shadowed = shadowed.filter(|it| matches!(it.verdict, Verdict::Shadowed { .. }));
    assert_eq!(shadowed.count(), SOURCES.len());
}

#[test]
fn a_project_without_trust_is_held_back_and_told() {
    let registry = registry(&SOURCES, false, None);
    assert!(winner(&registry).contains(SOURCES[1]));
    let held_back = registry.contenders().iter();
    let held_back: Vec<_> = held_back
        .filter(|it| it.verdict == Verdict::HeldBack)
        .collect();
    assert_eq!(held_back.len(), 1);
    assert!(!held_back[0].diagnostics.is_empty());
}
