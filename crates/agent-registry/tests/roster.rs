//! The list of the agents of all sources, where files are stronger than what a program brings.

use agent_discovery::{Inputs, MemoryTree, discover};
use agent_registry::{Builtins, Decision, Registration, Registry, Verdict, admit_all};
use agent_schema::dialect::Profile;
use agent_schema::{Definition, FieldName, FieldValue, Located, dialects};

/// Makes a registry of files, an agent `code` of a program, and the built-in agent `shipped`.
fn registry(files: &[&str], search: Option<&str>) -> Registry {
    let mut tree = MemoryTree::new();
    for path in files {
        tree.write(path, "---\ndescription: d\n---\n");
    }
    let dialect = dialects::find("agentscope").expect("it is known");
    let profile = dialect.default_profile();
    let mut inputs = Inputs::new().project("/p").workspace("/w");
    inputs = inputs.taken("code").taken("shipped");
    if let Some(search) = search {
        inputs = inputs.search(search);
    }
    let found = discover(&tree, dialect, profile, &inputs);
    let mut registration = Registration::new(dialect, profile);
    registration
        .register_files(found, admit_all)
        .expect("all are admitted");
    registration.register_if_absent("code", named("code", profile));
    let shipped = ("shipped".to_owned(), named("shipped", profile));
    registration.with_builtins(Builtins::new(vec![shipped]))
}

fn named(name: &str, profile: &Profile) -> Definition {
    let mut definition = Definition::new(profile.rules.reading.shown);
    let text = FieldValue::text(name.to_owned());
    definition.set(FieldName::NAME, Located::implied(text));
    definition
}

/// The places of the list, with a star where a row is only listed.
fn rows(registry: &Registry) -> Vec<String> {
    let rows = registry.roster();
    let rows = rows.iter().map(|row| {
        let star = if row.answers { "" } else { "*" };
        format!("{star}{}", row.contender.place())
    });
    rows.collect()
}

#[test]
fn a_file_takes_the_position_of_the_agent_that_it_replaces() {
    let files = [
        "/w/subagents/a.md",
        "/w/subagents/in/code.md",
        "/p/subagents/shipped.md",
    ];
    assert_eq!(
        rows(&registry(&files, None)),
        [
            "/p/subagents/shipped.md",
            "/w/subagents/in/code.md",
            "/w/subagents/a.md"
        ]
    );
}

#[test]
fn without_reloading_losers_stay_in_the_list() {
    let files = ["/w/subagents/code.md", "/w/subagents/in/shipped.md"];
    let registry = registry(&files, Some("static"));
    assert_eq!(
        rows(&registry),
        [
            "builtin:shipped",
            "*registered by a program",
            "/w/subagents/code.md"
        ]
    );
    let of_program = registry
        .contenders()
        .iter()
        .find(|one| one.source.path.is_none());
    assert!(registry.is_still_listed(of_program.expect("it is there")));
    let mut taken = registry.contenders().iter();
    let taken = taken.find(|one| one.source.reported == "/w/subagents/in/shipped.md");
    let taken = taken.expect("it is there");
    let Verdict::Shadowed { by, rule } = taken.verdict else {
        panic!("its name is taken");
    };
    assert_eq!(registry.contender(by).place(), "builtin:shipped");
    assert_eq!(rule.code(), "name-taken");
    assert_ne!(rule, Decision::FirstRegistration);
}
