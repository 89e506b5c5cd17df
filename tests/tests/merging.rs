//! Agents that several sources make together, in the two lines of OpenCode.

use agent_discovery::{Discovery, Inputs, Layer, Listed, MemoryTree, State, StopKind, discover};
use agent_schema::dialect::SkipRule;
use agent_schema::{FieldName, dialects};

/// Searches `/p` with the home `/h` by the rules of a profile.
fn search(files: &[(&str, &str)], profile: &str) -> Discovery {
    let mut tree = MemoryTree::new();
    tree.folder("/p");
    for (path, text) in files {
        tree.write(path, *text);
    }
    let dialect = dialects::find("opencode").expect("it is known");
    let profile = dialect.profile(profile).expect("it is known");
    let inputs = Inputs::new().project("/p/pkg").home("/h");
    discover(&tree, dialect, profile, &inputs)
}

fn source<'a>(found: &'a Discovery, name: &str, field: FieldName) -> &'a str {
    let entry = found.get(name).expect("it is active");
    let merged = entry.merged.as_ref().expect("it is merged");
    let giver = merged.given_by.of(field).expect("it is given");
    match merged.layers[giver] {
        Layer::Builtin => "builtin",
        Layer::Entry(index) => &found.entries[index].source.reported,
    }
}

fn rules(found: &Discovery, name: &str) -> String {
    let definition = found.get(name).and_then(|entry| entry.definition());
    let definition = serde_json::to_value(definition).expect("it is JSON");
    definition["permission_rules"].to_string()
}

const NESTED: [(&str, &str); 2] = [
    (
        "/p/.opencode/agents/x.md",
        "---\ndescription: far\n---\nFar.",
    ),
    (
        "/p/pkg/.opencode/agents/x.md",
        "---\ndescription: near\n---\nNear.",
    ),
];

#[test]
fn the_lines_disagree_about_nested_folders() {
    let description = |profile| {
        let found = search(&NESTED, profile);
        let entry = found.get("x").expect("it is active");
        entry
            .definition()
            .expect("it loads")
            .description()
            .to_owned()
    };
    assert_eq!(description("1.18"), "far");
    assert_eq!(description("2.0"), "near");
    let warned = |profile| {
        let found = search(&NESTED, profile);
        let mut findings = found.entries.iter().flat_map(|entry| &entry.diagnostics);
        findings.any(|finding| finding.code() == "farther-wins")
    };
    assert!(warned("1.18") && !warned("2.0"));
}

#[test]
fn every_field_knows_its_source() {
    let found = search(
        &[
            (
                "/h/.config/opencode/agents/plan.md",
                "---\nmodel: a/b\n---\nPlan.",
            ),
            (
                "/p/opencode.json",
                r##"{"agent": {"plan": {"color": "#112233"}}}"##,
            ),
        ],
        "1.18",
    );
    assert_eq!(source(&found, "plan", FieldName::MODE), "builtin");
    assert_eq!(source(&found, "plan", FieldName::COLOR), "/p/opencode.json");
    let global = "/h/.config/opencode/agents/plan.md";
    assert_eq!(source(&found, "plan", FieldName::PROMPT), global);
    let states: Vec<State> = found.entries.iter().map(|entry| entry.state).collect();
    assert_eq!(states, [State::Merged { into: 1 }, State::Active]);
}

#[test]
fn a_refused_value_stops_everything_in_one_line_and_nothing_in_the_other() {
    let files = [
        ("/p/.opencode/agents/bad.md", "---\ncolor: teal\n---\nB."),
        ("/p/.opencode/agents/good.md", "G."),
    ];
    let first = search(&files, "1.18");
    assert_eq!(
        first.stop.as_ref().map(|stop| stop.kind),
        Some(StopKind::Refuses)
    );
    assert!(
        first.get("good").is_some(),
        "its state is told all the same"
    );
    let second = search(&files, "2.0");
    assert_eq!(second.stop, None);
    assert_eq!(
        second.entries[0].state,
        State::Ignored(SkipRule::RefusedValue)
    );
}

#[test]
fn a_file_of_a_mode_folder_is_left_out_alone() {
    let found = search(
        &[("/p/.opencode/mode/bad.md", "---\nsteps: many\n---\nB.")],
        "1.18",
    );
    assert_eq!(found.stop, None);
    assert_eq!(
        found.entries[0].state,
        State::Ignored(SkipRule::RefusedValue)
    );
}

#[test]
fn an_empty_body_is_told_when_it_blanks_a_prompt() {
    let found = search(
        &[
            ("/h/.config/opencode/agents/x.md", "Global."),
            ("/p/.opencode/agents/x.md", "---\nmodel: a/b\n---\n"),
        ],
        "1.18",
    );
    let codes = |index: usize| -> Vec<&str> {
        let findings = found.entries[index].diagnostics.iter();
        findings.map(|finding| finding.code()).collect()
    };
    assert!(codes(1).contains(&"blanked-field"), "{:?}", codes(1));
}

#[test]
fn two_files_of_one_place_stay_undefined_and_the_list_names_them_once() {
    let found = search(
        &[
            ("/p/.opencode/agent/x.md", "One."),
            ("/p/.opencode/agents/x.md", "Two."),
        ],
        "1.18",
    );
    assert_eq!(found.undefined().len(), 1);
    assert_eq!(found.undefined()[0].len(), 2);
    let names: Vec<&str> = found.listing().iter().map(Listed::shown_name).collect();
    assert_eq!(names.iter().filter(|name| **name == "x").count(), 1);
}

#[test]
fn a_key_of_the_first_line_changes_what_a_file_of_the_second_means() {
    let native = "---\npermissions:\n  - {action: shell, resource: '*', effect: deny}\n---\nN.";
    let mixed = "---\nname: other\nmodel: sonnet\npermission: {bash: deny}\n---\nM.";
    let found = search(
        &[
            ("/p/.opencode/agents/native.md", native),
            ("/p/.opencode/agents/mixed.md", mixed),
            ("/p/.opencode/agents/lost.md", "---\nmodel: sonnet\n---\nL."),
        ],
        "2.0",
    );
    let denied = r#"[["shell","*","deny"]]"#;
    assert_eq!(rules(&found, "native"), denied);
    assert_eq!(rules(&found, "mixed"), denied);
    assert_eq!(
        found
            .get("mixed")
            .and_then(|entry| entry.definition()?.model()),
        None
    );
    assert!(found.get("lost").is_none(), "its model has no provider");
}

#[test]
fn the_second_line_appends_rules_and_begins_afresh_behind_a_disabled_source() {
    let found = search(
        &[
            (
                "/h/.config/opencode/opencode.json",
                r#"{"agents": {"x": {"description": "old", "disabled": true}}}"#,
            ),
            (
                "/p/.opencode/agents/x.md",
                "---\npermission: {bash: ask}\n---\nX.",
            ),
            (
                "/p/pkg/.opencode/agents/x.md",
                "---\npermission: {bash: deny}\n---\nX.",
            ),
        ],
        "2.0",
    );
    assert_eq!(
        rules(&found, "x"),
        r#"[["shell","*","ask"],["shell","*","deny"]]"#
    );
    let entry = found.get("x").expect("it is active");
    assert_eq!(entry.definition().map(|it| it.description()), Some(""));
}

#[test]
fn a_home_that_the_walk_passes_is_merged_once() {
    let settings = r#"{"agent": {"x": {"permission": {"bash": "deny"}}}}"#;
    let mut tree = MemoryTree::new();
    tree.write("/h/.opencode/opencode.json", settings);
    tree.write("/h/work/a.txt", "");
    let dialect = dialects::find("opencode").expect("it is known");
    let inputs = Inputs::new().project("/h/work").home("/h");
    let found = discover(&tree, dialect, dialect.default_profile(), &inputs);
    let merged = found.entries[0].merged.as_ref().expect("it is merged");
    assert_eq!(found.entries.len(), 1);
    assert_eq!(merged.layers, [Layer::Entry(0)]);
}
