//! Who gets the name of a file that does not load.

use agent_discovery::{Inputs, MemoryTree, discover};
use agent_registry::{Builtins, Registration, Registry, admit_all};
use agent_schema::{Definition, Diagnostic, FieldName, FieldValue, Located, Severity, dialects};

const BROKEN: &str =
    "---\nname: scout\ndescription: Looks: around.\ntools: [terminal]\n---\nLook.\n";

fn registry(files: &[(&str, &str)], builtins: Vec<(String, Definition)>) -> Registry {
    let mut tree = MemoryTree::new();
    for (path, text) in files {
        tree.write(path, *text);
    }
    let dialect = dialects::find("openhands").expect("it is known");
    let profile = dialect.default_profile();
    let inputs = Inputs::new().project("/p").home("/h");
    let found = discover(&tree, dialect, profile, &inputs);
    let mut registration = Registration::new(dialect, profile);
    let registered = registration.register_files(found, admit_all);
    registered.expect("all are admitted");
    registration.with_builtins(Builtins::new(builtins))
}

fn findings_of<'r>(registry: &'r Registry, path: &str) -> &'r [Diagnostic] {
    let mut contenders = registry.contenders().iter();
    let contender = contenders.find(|it| it.source.reported == path);
    &contender.expect("it was seen").diagnostics
}

#[test]
fn a_broken_file_tells_who_has_its_name_now_and_what_that_one_may_use() {
    let heir =
        "---\nname: scout\ndescription: Looks.\ntools: [terminal, file_editor]\n---\nLook.\n";
    let files = [
        ("/p/.agents/agents/scout.md", BROKEN),
        ("/h/.agents/agents/scout.md", heir),
    ];
    let registry = registry(&files, Vec::new());
    let finding = &findings_of(&registry, "/p/.agents/agents/scout.md")[0];
    let there = finding.related.last().expect("the heir is named");
    assert_eq!(there.file.as_deref(), Some("/h/.agents/agents/scout.md"));
    let place = there.span.expect("the name has a place");
    assert_eq!(&heir[place.start as usize..place.end as usize], "scout");
    assert_eq!(
        there.message,
        "the name `scout` goes to this file, which has the tools `terminal`, `file_editor`"
    );
}

#[test]
fn a_broken_file_that_would_have_lost_takes_nothing_with_it() {
    let winner = "---\nname: scout\ndescription: Looks.\n---\nLook.\n";
    let files = [
        ("/p/.agents/agents/scout.md", winner),
        ("/h/.agents/agents/scout.md", BROKEN),
    ];
    let registry = registry(&files, Vec::new());
    let findings = findings_of(&registry, "/h/.agents/agents/scout.md");
    assert!(!findings.is_empty());
    let related = findings.iter().flat_map(|finding| finding.related.iter());
    assert!(related.into_iter().all(|it| it.file.is_none()));
}

#[test]
fn a_built_in_agent_that_gets_a_name_is_told_without_a_file() {
    let mut builtin = Definition::new(&[]);
    let name = FieldValue::text("scout".to_owned());
    builtin.set(FieldName::NAME, Located::implied(name));
    let files = [("/p/.agents/agents/scout.md", BROKEN)];
    let registry = registry(&files, vec![("scout.md".to_owned(), builtin)]);
    let finding = &findings_of(&registry, "/p/.agents/agents/scout.md")[0];
    let why = finding.why.as_deref().expect("a reason is told");
    let told = "; the name `scout` goes to the built-in agent";
    assert!(why.ends_with(told), "{why}");
}

#[test]
fn a_file_with_the_name_of_a_built_in_agent_tells_that_it_does_not_always_answer() {
    let mut builtin = Definition::new(&[]);
    let name = FieldValue::text("scout".to_owned());
    builtin.set(FieldName::NAME, Located::implied(name));
    let own = "---\nname: scout\ndescription: Looks.\n---\nLook.\n";
    let files = [("/p/.agents/agents/scout.md", own)];
    let registry = registry(&files, vec![("scout.md".to_owned(), builtin)]);
    let findings = findings_of(&registry, "/p/.agents/agents/scout.md");
    let told = findings.iter().find(|it| it.code() == "shadowed-name");
    let told = told.expect("it is told");
    assert_eq!(told.severity, Severity::Info);
    assert_eq!(told.message, "`scout` is the name of a built-in agent, too");
}
