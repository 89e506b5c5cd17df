//! The story of a name: what comes close to it, and what changes under another version.

use agent_discovery::{Inputs, MemoryTree, discover};
use agent_registry::{Builtins, Change, NearMiss, Registration, Registry, Verdict, admit_all};
use agent_schema::dialect::SkipRule;
use agent_schema::{FieldName, dialects};

fn registry(id: &str, version: Option<&str>, files: &[(&str, &str)]) -> Registry {
    let mut tree = MemoryTree::new();
    for (path, text) in files {
        tree.write(path, *text);
    }
    let dialect = dialects::find(id).expect("it is known");
    let profile = match version {
        Some(version) => dialect.profile(version).expect("it is known"),
        None => dialect.default_profile(),
    };
    let mut inputs = Inputs::new().project("/h/p/inner").home("/h");
    inputs.trusted = Some(true);
    let found = discover(&tree, dialect, profile, &inputs);
    let mut registration = Registration::new(dialect, profile);
    let registered = registration.register_files(found, admit_all);
    registered.expect("all are admitted");
    registration.with_builtins(Builtins::new(Vec::new()))
}

fn kinds<'a>(registry: &'a Registry, name: &str) -> Vec<(&'static str, &'a str)> {
    let near_misses = registry.explain(name).near_misses;
    let kind = |near_miss: &NearMiss<'a>| match near_miss {
        NearMiss::FileName(it) => ("file-name", it.name.as_str()),
        NearMiss::PassedOver(it) => ("passed-over", it.name.as_str()),
        NearMiss::Unreachable(it) => ("unreachable", it.name.as_str()),
        NearMiss::OtherCase(it) => ("other-case", it.name.as_str()),
        NearMiss::Similar(it) => ("similar", it.name.as_str()),
        _ => ("other", ""),
    };
    near_misses.iter().map(kind).collect()
}

const SCOUT: &str = "---\nname: scout\ndescription: Looks around.\n---\nLook.\n";

#[test]
fn names_that_come_close_are_told() {
    let files = [
        ("/h/p/inner/.claude/agents/finder.md", SCOUT),
        (
            "/h/p/inner/.claude/agents/other.md",
            "---\nname: Scout\ndescription: Looks too.\n---\nLook.\n",
        ),
        (
            "/h/p/inner/.claude/agents/nobody.md",
            "---\ndescription: Has no name.\n---\nWait.\n",
        ),
    ];
    let registry = registry("claude-code", None, &files);
    assert_eq!(kinds(&registry, "scout"), [("other-case", "Scout")]);
    assert_eq!(
        kinds(&registry, "SCOUT"),
        [("other-case", "scout"), ("other-case", "Scout")]
    );
    assert_eq!(
        kinds(&registry, "scouts"),
        [("similar", "scout"), ("similar", "Scout")]
    );
    assert_eq!(kinds(&registry, "finder"), [("file-name", "scout")]);
    assert_eq!(
        kinds(&registry, "nobody").first().map(|it| it.0),
        Some("passed-over")
    );
    assert!(registry.explain("nobody").has_passed_over());
    assert!(kinds(&registry, "gardener").is_empty());
}

#[test]
fn a_file_that_is_passed_over_is_found_by_the_name_that_is_written_in_it() {
    let file = "---\nname: gardener\n---\nWater the plants.\n";
    let files = [("/h/p/inner/.openhands/agents/plants.txt", file)];
    let openhands = registry("openhands", None, &files);
    // Nothing is read of a file that is not called like an agent.
    assert!(kinds(&openhands, "gardener").is_empty());
    assert_eq!(
        kinds(&openhands, "plants").first().map(|it| it.0),
        Some("passed-over")
    );
    let files = [("/h/.pi/agent/agents/plants.md", file)];
    let pi = registry("pi", Some("example-1.6.0"), &files);
    let ignored = Verdict::Ignored(SkipRule::NoDescription);
    assert_eq!(pi.contenders()[0].verdict, ignored);
    assert_eq!(
        kinds(&pi, "gardener").first().map(|it| it.0),
        Some("passed-over")
    );
}

#[test]
fn another_version_is_compared_by_winner_and_fields() {
    let files = [
        ("/h/p/.claude/agents/scout.md", SCOUT),
        ("/h/p/inner/.claude/agents/scout.md", SCOUT),
    ];
    let new = registry("claude-code", None, &files);
    let old = registry("claude-code", Some("2.1.197"), &files);
    let older = registry("claude-code", Some("2.1.168"), &files);
    let here = new.explain("scout");
    assert!(here.compared_with(&old.explain("scout")).is_same());
    let outer_won = here.compared_with(&older.explain("scout"));
    assert_eq!(outer_won.change, Change::Winner);
    assert!(!outer_won.is_same());
    assert_eq!(
        new.explain("nobody")
            .compared_with(&old.explain("nobody"))
            .change,
        Change::None
    );
}

#[test]
fn another_program_is_compared_field_by_field() {
    let files = [(
        "/h/p/inner/.pi/agents/scout.md",
        "---\nname: scout\ndescription: Looks.\ntools: read\n---\nLook.\n",
    )];
    let recommended = registry("pi", None, &files);
    let example = registry("pi", Some("example-1.6.0"), &files);
    let comparison = recommended
        .explain("scout")
        .compared_with(&example.explain("scout"));
    assert_eq!(comparison.change, Change::Fate);
    assert!(comparison.fields.contains(&FieldName::TOOLS));
    assert!(!comparison.is_same());
}
