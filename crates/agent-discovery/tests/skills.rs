//! The search for skills on trees in memory.

use agent_discovery::{
    Inputs, MemoryTree, PlaceState, SkillFile, SkillState, Skills, Trigger, discover_skills,
};
use agent_schema::skill_rules::FoundBy;
use agent_schema::{Dialect, Level, Profile, Severity, dialects};
use proptest::prelude::*;

fn search(tree: &MemoryTree, version: &str) -> Skills {
    let dialect = dialects::find("openhands").expect("it is known");
    let profile = dialect.profile(version).expect("it is known");
    let inputs = Inputs::new().project("/p").home("/h");
    discover_skills(tree, dialect, profile, &inputs)
}

fn listed(skills: &Skills) -> Vec<(&str, &str)> {
    let active = skills.active();
    active
        .map(|found| (found.skill.name.as_str(), found.skill.reported.as_str()))
        .collect()
}

fn warned(skills: &Skills) -> Vec<&str> {
    let warnings = skills.warnings.iter();
    warnings
        .map(|warning| warning.path.to_str().unwrap_or_default())
        .collect()
}

#[test]
fn skills_are_listed_in_the_order_of_the_harness() {
    let mut tree = MemoryTree::new();
    tree.write("/h/.agents/skills/h/SKILL.md", "text");
    tree.write("/h/.agents/skills/shared/SKILL.md", "home");
    tree.write("/p/.agents/skills/README.md", "doc");
    tree.write("/p/.agents/skills/a/SKILL.md", "text");
    tree.write("/p/.agents/skills/a/reference.md", "belongs to a");
    tree.write("/p/.agents/skills/deep/er/b.md", "text");
    tree.write("/p/.agents/skills/notes.md", "text");
    tree.write("/p/.agents/skills/word.md", "---\ntriggers: [x]\n---\n");
    tree.write("/p/.agents/skills/shared/SKILL.md", "project");
    tree.write("/p/CLAUDE.md", "rules\r\n");
    tree.write("/p/sub/agents.md", "scoped");
    tree.write("/p/.hidden/AGENTS.md", "passed over");
    tree.write("/p/node_modules/x/AGENTS.md", "passed over");
    let skills = search(&tree, "1.58.2");
    assert_eq!(
        listed(&skills),
        [
            ("h", "/h/.agents/skills/h/SKILL.md"),
            ("shared", "/p/.agents/skills/shared/SKILL.md"),
            ("claude", "/p/CLAUDE.md"),
            ("agents:sub", "/p/sub/agents.md"),
            ("deep/er/b", "/p/.agents/skills/deep/er/b.md"),
            ("notes", "/p/.agents/skills/notes.md"),
            ("word", "/p/.agents/skills/word.md"),
            ("a", "/p/.agents/skills/a/SKILL.md"),
        ]
    );
    assert!(warned(&skills).is_empty());
    let shared = skills.get("shared").expect("it is listed");
    assert_eq!(
        (shared.level, shared.file),
        (Level::Project, SkillFile::Folder)
    );
    let claude = skills.get("claude").expect("it is listed");
    assert_eq!(claude.skill.content, "rules\n");
    let scoped = skills.get("agents:sub").expect("it is listed");
    assert_eq!(scoped.skill.trigger, Trigger::Paths(vec!["sub/**".into()]));
    let lost = skills
        .found
        .iter()
        .find(|found| found.skill.content == "home");
    let by = skills
        .found
        .iter()
        .position(|found| found.skill.content == "project");
    let by = by.expect("it is found");
    assert_eq!(
        lost.map(|found| found.state),
        Some(SkillState::Shadowed { by })
    );
}

#[test]
fn a_name_that_does_not_fit_its_folder_is_dropped_and_remembered() {
    let mut tree = MemoryTree::new();
    for (folder, text) in [
        ("wrong-folder", "---\nname: right\n---\n"),
        ("Upper", "text"),
        ("num", "---\nname: 123\n---\n"),
        (".hidden", "text"),
        ("two--hyphens", "text"),
        ("nothing", "---\nname:\n---\n"),
    ] {
        tree.write(format!("/h/.agents/skills/{folder}/SKILL.md"), text);
    }
    let skills = search(&tree, "1.58.2");
    assert!(listed(&skills).is_empty());
    assert_eq!(skills.warnings.len(), 6);
    for name in ["right", "wrong-folder"] {
        let near: Vec<_> = skills.would_have_been(name).collect();
        assert_eq!(near.len(), 1, "{name}");
        assert_eq!(near[0].diagnostics[0].code(), "invalid-skill");
    }
}

#[test]
fn a_fault_costs_a_file_or_a_folder_by_version() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.agents/skills/broken/SKILL.md", "---\n1: x\n---\n");
    tree.write("/p/.agents/skills/fine/SKILL.md", "text");
    let latest = search(&tree, "1.58.2");
    assert_eq!(
        listed(&latest),
        [("fine", "/p/.agents/skills/fine/SKILL.md")]
    );
    assert_eq!(warned(&latest), ["/p/.agents/skills/broken/SKILL.md"]);
    let old = search(&tree, "1.43.1");
    assert!(old.get("fine").is_none());
    assert_eq!(warned(&old), ["/p/.agents/skills"]);
    let lost = old
        .would_have_been("fine")
        .next()
        .expect("it is remembered");
    assert_eq!(
        lost.diagnostics[0].related[0].file.as_deref(),
        Some("/p/.agents/skills/broken/SKILL.md")
    );

    tree.write("/p/.agents/skills/broken/SKILL.md", "---\nname: [\n---\n");
    assert!(search(&tree, "1.43.1").get("fine").is_some());
}

#[test]
fn the_repository_root_stands_behind_the_project() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.git", "gitdir: elsewhere");
    tree.write("/p/AGENTS.md", "root");
    tree.write("/p/.agents/skills/one/SKILL.md", "root");
    tree.write("/p/pkg/.agents/skills/one/SKILL.md", "near");
    let dialect = dialects::find("openhands").expect("it is known");
    let of = |project: &str| {
        let inputs = Inputs::new().project(project);
        discover_skills(&tree, dialect, dialect.default_profile(), &inputs)
    };
    let skills = of("/p/pkg");
    assert_eq!(
        listed(&skills),
        [
            ("agents", "/p/AGENTS.md"),
            ("one", "/p/pkg/.agents/skills/one/SKILL.md")
        ]
    );
    assert_eq!(warned(&skills), ["/p/.agents/skills"]);
    let root = of("/p");
    assert!(
        root.places
            .iter()
            .any(|place| place.state == PlaceState::SameAs(4))
    );
    assert_eq!(listed(&root).len(), 2);
}

#[test]
fn one_instruction_file_that_is_no_text_costs_the_whole_project() {
    let mut tree = MemoryTree::new();
    tree.write("/p/AGENTS.md", b"\xff");
    tree.write("/p/.agents/skills/one/SKILL.md", "text");
    tree.write("/h/.agents/skills/two/SKILL.md", "text");
    let skills = search(&tree, "1.58.2");
    assert_eq!(listed(&skills), [("two", "/h/.agents/skills/two/SKILL.md")]);
    assert_eq!(warned(&skills), ["/p/AGENTS.md"]);
    assert_eq!(skills.would_have_been("one").count(), 1);
}

#[test]
fn the_same_instruction_file_counts_once() {
    let mut tree = MemoryTree::new();
    tree.write("/p/AGENTS.md", "rules");
    tree.write("/p/agents.md", "other");
    tree.link("/p/CLAUDE.md", "AGENTS.md");
    let skills = search(&tree, "1.58.2");
    assert_eq!(listed(&skills), [("agents", "/p/AGENTS.md")]);
    assert_eq!(warned(&skills), ["/p/agents.md"]);
    assert_eq!(skills.found.len(), 3);
}

#[test]
fn links_and_locks_lead_to_no_loop_and_no_panic() {
    let mut tree = MemoryTree::new();
    tree.link("/p/.agents/skills/loop", "..");
    tree.link("/p/loop", "/p");
    tree.link("/p/.agents/skills/gone.md", "nowhere");
    tree.folder("/p/.agents/skills/folder.md");
    tree.write("/h/.agents/skills/closed/x", "text");
    tree.write("/h/.agents/skills/fine/SKILL.md", "text");
    tree.lock("/h/.agents/skills/closed");
    let skills = search(&tree, "1.58.2");
    assert!(listed(&skills).is_empty());
    assert_eq!(
        warned(&skills),
        [
            "/h/.agents/skills",
            "/p/.agents/skills/folder.md",
            "/p/.agents/skills/gone.md"
        ]
    );
}

#[test]
fn a_task_asks_for_its_variables() {
    let mut tree = MemoryTree::new();
    tree.write(
        "/h/.agents/skills/a.md",
        "---\ninputs: []\n---\nDo ${thing}.",
    );
    tree.write("/h/.agents/skills/b.md", "---\ninputs: []\n---\nDo ${1}.");
    let skills = search(&tree, "1.58.2");
    let content = |name| skills.get(name).map(|found| found.skill.content.as_str());
    assert!(content("a").is_some_and(|text| text.ends_with("proceed with the task.")));
    assert_eq!(content("b"), Some("Do ${1}."));
}

proptest! {
    #[test]
    fn the_order_of_the_disk_changes_nothing(
        files in prop::collection::vec((0usize..4, 0usize..7, 0usize..5), 0..16),
        seed in any::<u64>(),
    ) {
        let mut tree = MemoryTree::new();
        for (root, file, text) in files {
            let root = ["/h/.agents", "/h/.openhands", "/p/.agents", "/p/.openhands"][root];
            let file = ["a/SKILL.md", "a/skill.md", "b.md", "c/d.md", "c/SKILL.md", "AGENTS.md",
                "e/f/SKILL.md"][file];
            let text = ["text", "---\nname: a\n---\n", "---\n1: x\n---\n", "---\nname: [\n---\n",
                "---\ntriggers: [a]\n---\n"][text];
            tree.write(format!("{root}/skills/{file}"), text);
        }
        for version in ["1.58.2", "1.43.1"] {
            let plain = search(&tree, version);
            prop_assert_eq!(&plain, &search(&tree.clone().shuffled(seed), version));
            for (index, found) in plain.found.iter().enumerate() {
                match found.state {
                    SkillState::Active => {
                        prop_assert_eq!(plain.get(&found.skill.name), Some(found));
                    }
                    SkillState::Shadowed { by } => {
                        prop_assert!(by != index);
                        prop_assert_eq!(plain.found[by].state, SkillState::Active);
                    }
                    SkillState::Rejected => prop_assert!(!found.diagnostics.is_empty()),
                    other => prop_assert!(false, "OpenHands has no state {other:?}"),
                }
            }
        }
    }
}

/// The skills of a harness for the folder `/p` and the home `/h`: (name, path, description).
fn found_by(
    tree: &MemoryTree,
    dialect: &'static agent_schema::Dialect,
) -> Vec<(String, String, String)> {
    let inputs = Inputs::new().project("/p").home("/h");
    let skills = discover_skills(tree, dialect, dialect.default_profile(), &inputs);
    let active = skills.active().map(|found| {
        let harmless = |finding: &agent_schema::Diagnostic| finding.severity == Severity::Info;
        assert!(
            found.diagnostics.iter().all(harmless),
            "{:?}",
            found.diagnostics
        );
        (
            found.skill.name.clone(),
            found.skill.reported.clone(),
            found.skill.description.clone().unwrap_or_default(),
        )
    });
    active.collect()
}

#[test]
fn claude_code_and_vs_code_disagree_about_a_skill_of_both_levels() {
    let mut tree = MemoryTree::new();
    tree.write(
        "/h/.claude/skills/a/SKILL.md",
        "---\nname: label\ndescription: Mine.\n---\nText\n",
    );
    tree.write(
        "/p/.claude/skills/a/SKILL.md",
        "---\ndescription: Ours.\n---\nText\n",
    );
    tree.write("/p/.claude/skills/group/b/SKILL.md", "too deep");
    tree.write("/p/.claude/skills/loose.md", "no folder");
    let skill = |path: &str, description: &str| {
        vec![("a".to_owned(), path.to_owned(), description.to_owned())]
    };
    let claude_code = dialects::find("claude-code").expect("it is known");
    assert_eq!(
        found_by(&tree, claude_code),
        skill("/h/.claude/skills/a/SKILL.md", "Mine.")
    );
    assert_eq!(
        found_by(&tree, &dialects::skills::vs_code::VS_CODE_SKILLS),
        skill("/p/.claude/skills/a/SKILL.md", "Ours.")
    );
}

#[test]
fn skills_that_wait_for_trust_are_listed_and_answer_to_nothing() {
    let mut tree = MemoryTree::new();
    tree.write(
        "/p/.pi/skills/a/SKILL.md",
        "---\nname: a\ndescription: Ours.\n---\nText\n",
    );
    let dialect = dialects::find("pi").expect("it is known");
    let search = |trusted| {
        let inputs = Inputs::new().project("/p").home("/h").trusted(trusted);
        discover_skills(&tree, dialect, dialect.default_profile(), &inputs)
    };
    let waiting = search(false);
    assert_eq!(waiting.found[0].state, SkillState::HeldBack);
    assert_eq!(waiting.get("a"), None);
    assert_eq!(waiting.would_have_been("a").count(), 1);
    let trusted = search(true);
    assert_eq!(trusted.found.len(), 1);
    assert_eq!(trusted.found[0].state, SkillState::Active);
}

#[test]
fn codex_lists_the_skills_of_the_system_and_of_the_machine_last() {
    let mut tree = MemoryTree::new();
    let text = |name: &str| format!("---\nname: {name}\ndescription: Text.\n---\n");
    tree.write("/etc/codex/skills/a/SKILL.md", text("a"));
    tree.write("/c/skills/.system/a/SKILL.md", text("a"));
    tree.write("/c/skills/z/SKILL.md", text("z"));
    tree.write("/p/.codex/skills/z/SKILL.md", text("z"));
    let dialect = &dialects::skills::codex::CODEX_SKILLS;
    let inputs = Inputs::new().project("/p").home("/h");
    let inputs = inputs.variable("CODEX_HOME", "/c");
    let skills = discover_skills(&tree, dialect, dialect.default_profile(), &inputs);
    assert_eq!(
        listed(&skills),
        [
            ("z", "/p/.codex/skills/z/SKILL.md"),
            ("z", "/c/skills/z/SKILL.md"),
            ("a", "/c/skills/.system/a/SKILL.md"),
            ("a", "/etc/codex/skills/a/SKILL.md"),
        ]
    );
    let a = skills.get("a").map(|found| found.level);
    assert_eq!(a, Some(Level::Builtin));
}

#[test]
fn a_skill_of_nebuko_is_described_by_its_header_if_it_has_one() {
    let mut tree = MemoryTree::new();
    let described = "---\nname: label\ndescription: How to plan.\n---\nText\n";
    tree.write("/p/defaults/skills/plan/SKILL.md", described);
    tree.write("/p/defaults/skills/review/SKILL.md", described);
    tree.write("/p/project/skills/review/SKILL.md", "Ours");
    let dialect = dialects::find("nebuko").expect("it is known");
    let inputs = Inputs::new().project("/p");
    let skills = discover_skills(&tree, dialect, dialect.default_profile(), &inputs);
    assert_eq!(
        listed(&skills),
        [
            ("plan", "/p/defaults/skills/plan/SKILL.md"),
            ("review", "/p/project/skills/review/SKILL.md"),
        ]
    );
    let described = skills.active().map(|it| it.skill.description.as_deref());
    assert_eq!(described.collect::<Vec<_>>(), [Some("How to plan."), None]);
}

fn claude_code(tree: &MemoryTree, version: &str, inputs: Inputs) -> Skills {
    let dialect = dialects::find("claude-code").expect("it is known");
    let profile = dialect.profile(version).expect("it is known");
    discover_skills(tree, dialect, profile, &inputs.project("/p").home("/h"))
}

fn names(skills: &Skills) -> Vec<&str> {
    let active = skills.active();
    active.map(|found| found.skill.name.as_str()).collect()
}

#[test]
fn skills_of_a_plugin_stand_behind_its_name() {
    let mut tree = MemoryTree::new();
    let manifest = ".claude-plugin/plugin.json";
    let named = "---\nname: Label\ndescription: Text.\n---\n";
    tree.write(format!("/x/kit/{manifest}"), r#"{"name": "tools"}"#);
    tree.write("/x/kit/skills/a/SKILL.md", named);
    tree.write("/x/kit/skills/b/SKILL.md", "text");
    let more = r#"{"name": "more", "skills": ["./extra", "./one", "../kit/skills"]}"#;
    tree.write(format!("/x/more/{manifest}"), more);
    tree.write("/x/more/extra/c/SKILL.md", "text");
    tree.write("/x/more/one/SKILL.md", "text");
    tree.write("/x/more/SKILL.md", "other skills are there");
    tree.write(format!("/single/{manifest}"), r#"{"name": "alone"}"#);
    tree.write("/single/SKILL.md", "text");
    tree.write(format!("/bad/{manifest}"), "{");
    tree.write("/bad/skills/a/SKILL.md", named);
    tree.write("/p/.claude/skills/a/SKILL.md", "text");
    let inputs = Inputs::new().plugin("/x").plugin("/single").plugin("/bad");
    let skills = claude_code(&tree, "2.1.332", inputs.clone());
    assert_eq!(
        names(&skills),
        [
            "a",
            "tools:Label",
            "tools:b",
            "more:c",
            "more:one",
            "alone:single"
        ]
    );
    let old = claude_code(&tree, "2.1.197", inputs);
    assert!(old.get("tools:a").is_some());
    assert_eq!(warned(&skills), ["/bad/.claude-plugin/plugin.json"]);
    let bare = skills.get("b").map(|found| found.skill.reported.as_str());
    assert_eq!(bare, Some("/x/kit/skills/b/SKILL.md"));
    let level = skills.get("tools:b").map(|found| found.level);
    assert_eq!(level, Some(Level::Plugin));
}

#[test]
fn a_plugin_among_the_skills_of_a_project_waits_for_trust() {
    let mut tree = MemoryTree::new();
    tree.write(
        "/p/.claude/skills/k/.claude-plugin/plugin.json",
        r#"{"name": "k"}"#,
    );
    tree.write("/p/.claude/skills/k/skills/a/SKILL.md", "text");
    let waiting = claude_code(&tree, "2.1.332", Inputs::new());
    let states: Vec<_> = waiting.found.iter().map(|found| found.state).collect();
    assert_eq!(states, [SkillState::HeldBack]);
    let trusted = claude_code(&tree, "2.1.332", Inputs::new().trusted(true));
    assert_eq!(names(&trusted), ["k:a"]);
}

#[test]
fn skills_below_the_project_stay_beside_others_of_their_names() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.git/HEAD", "");
    tree.write("/p/.gitignore", "ignored\n");
    tree.write("/p/.claude/skills/deploy/SKILL.md", "text");
    tree.write("/p/apps/web/.claude/skills/deploy/SKILL.md", "text");
    tree.write("/p/apps/web/.claude/skills/paint/SKILL.md", "text");
    tree.write("/p/apps/a/.claude/skills/twin/SKILL.md", "text");
    tree.write("/p/apps/b/.claude/skills/twin/SKILL.md", "text");
    tree.write("/p/ignored/.claude/skills/x/SKILL.md", "text");
    tree.write("/p/node_modules/m/.claude/skills/x/SKILL.md", "text");
    let skills = claude_code(&tree, "2.1.332", Inputs::new());
    assert_eq!(
        names(&skills),
        [
            "deploy",
            "apps/a:twin",
            "apps/b:twin",
            "apps/web:deploy",
            "paint"
        ]
    );
    let found_by = skills.get("paint").map(|found| found.found_by);
    assert_eq!(found_by, Some(FoundBy::Below));
}

#[test]
fn a_file_below_the_project_that_is_passed_over_gives_its_folder_to_no_other_skill() {
    let mut tree = MemoryTree::new();
    tree.write("/p/a/.claude/skills/twin/skill.md", "text");
    let alone = claude_code(&tree, "2.1.332", Inputs::new());
    assert_eq!((alone.found.len(), alone.missed.len()), (0, 1));
    tree.write("/p/.claude/skills/twin/SKILL.md", "text");
    tree.write("/p/b/.claude/skills/twin/SKILL.md", "text");
    let skills = claude_code(&tree, "2.1.332", Inputs::new());
    assert_eq!(names(&skills), ["twin", "b:twin"]);
}

#[test]
fn an_older_claude_code_lists_a_skill_of_both_levels_twice() {
    let mut tree = MemoryTree::new();
    tree.write("/h/.claude/skills/a/SKILL.md", "text");
    tree.write("/p/.claude/skills/a/SKILL.md", "text");
    tree.write("/added/.claude/skills/b/SKILL.md", "text");
    let inputs = Inputs::new().added("/added");
    let old = claude_code(&tree, "2.1.197", inputs.clone());
    assert_eq!(names(&old), ["a", "a", "b"]);
    assert_eq!(names(&claude_code(&tree, "2.1.332", inputs)), ["a", "b"]);
}

#[test]
fn settings_of_vs_code_switch_folders_on_and_off() {
    let mut tree = MemoryTree::new();
    let text = "---\ndescription: Text.\n---\n";
    tree.write(
        "/h/.config/Code/User/settings.json",
        r#"{
            // The user's own.
            "chat.agentSkillsLocations": {
                "~/mine": true, "ours": true, "~/.claude/skills": false, "/abs": true, "x/*": true,
            },
        }"#,
    );
    tree.write(
        "/p/.vscode/settings.json",
        r#"{"chat.agentSkillsLocations": {"~/.claude/skills": "true", "tools/skills": true,
            ".github/skills": false, "ours": false}}"#,
    );
    for path in [
        "/h/mine/a/SKILL.md",
        "/h/.claude/skills/a/SKILL.md",
        "/h/.claude/skills/b/SKILL.md",
        "/p/ours/c/SKILL.md",
        "/p/tools/skills/d/SKILL.md",
        "/p/.github/skills/e/SKILL.md",
        "/abs/f/SKILL.md",
        "/plug/skills/b/SKILL.md",
        "/plug/skills/g/SKILL.md",
        "/ext/one/h/SKILL.md",
        "/ext/g/SKILL.md",
    ] {
        tree.write(path, text);
    }
    tree.write(
        "/ext/package.json",
        r#"{"contributes": {"chatSkills": [{"path": "./one/h/SKILL.md"}, {"path": "g"}]}}"#,
    );
    let dialect = &dialects::skills::vs_code::VS_CODE_SKILLS;
    let inputs = Inputs::new().project("/p").home("/h");
    let inputs = inputs.plugin("/plug").package("/ext");
    let search = |it: &Inputs| discover_skills(&tree, dialect, dialect.default_profile(), it);
    let skills = search(&inputs);
    assert_eq!(
        listed(&skills),
        [
            ("d", "/p/tools/skills/d/SKILL.md"),
            ("a", "/h/.claude/skills/a/SKILL.md"),
            ("b", "/h/.claude/skills/b/SKILL.md"),
            ("g", "/plug/skills/g/SKILL.md"),
            ("h", "/ext/one/h/SKILL.md"),
        ]
    );
    let off = skills.would_have_been("e").map(|found| found.state);
    assert_eq!(off.collect::<Vec<_>>(), [SkillState::SwitchedOff]);
    let alone = search(&inputs.clone().without_user());
    assert_eq!(names(&alone), ["d", "b", "g", "h"]);
}

#[test]
fn pi_subagents_finds_the_skills_of_packages() {
    let mut tree = MemoryTree::new();
    let manifest = r#"{"pi": {"skills": ["./skills", "one.md"]}}"#;
    let packages = [
        ("/p", "own"),
        ("/p/.pi/npm/node_modules/local", "local"),
        ("/p/.pi/npm/node_modules/@team/kit", "kit"),
        ("/h/.pi/agent/npm/node_modules/home", "home"),
        ("/h/.pi/agent/named", "named"),
    ];
    for (root, name) in packages {
        tree.write(format!("{root}/package.json"), manifest);
        tree.write(format!("{root}/skills/{name}/SKILL.md"), "text");
        tree.write(format!("{root}/skills/shared/SKILL.md"), "text");
    }
    tree.write("/p/one.md", "text");
    let settings = r#"{"packages": ["./named", {"source": "npm:home"}]}"#;
    tree.write("/h/.pi/agent/settings.json", settings);
    tree.write("/h/.pi/agent/skills/shared/SKILL.md", "text");
    tree.write("/h/.pi/agent/skills/home/SKILL.md", "text");
    let dialect = &dialects::skills::pi_subagents::PI_SUBAGENTS_SKILLS;
    let inputs = Inputs::new().project("/p").home("/h");
    let skills = discover_skills(&tree, dialect, dialect.default_profile(), &inputs);
    assert_eq!(
        listed(&skills),
        [
            (
                "kit",
                "/p/.pi/npm/node_modules/@team/kit/skills/kit/SKILL.md"
            ),
            (
                "shared",
                "/p/.pi/npm/node_modules/@team/kit/skills/shared/SKILL.md"
            ),
            (
                "local",
                "/p/.pi/npm/node_modules/local/skills/local/SKILL.md"
            ),
            ("own", "/p/skills/own/SKILL.md"),
            ("one", "/p/one.md"),
            ("home", "/h/.pi/agent/skills/home/SKILL.md"),
            ("named", "/h/.pi/agent/named/skills/named/SKILL.md"),
        ]
    );
}

#[test]
fn any_other_skill_beats_one_of_a_gemini_extension() {
    let mut tree = MemoryTree::new();
    let text = |name: &str| format!("---\nname: {name}\ndescription: Text.\n---\n");
    let extension = "/h/.gemini/extensions/x";
    tree.write(format!("{extension}/gemini-extension.json"), "{}");
    tree.write(format!("{extension}/skills/a/SKILL.md"), text("a"));
    tree.write(format!("{extension}/skills/b/SKILL.md"), text("b"));
    tree.write("/h/.gemini/extensions/rest/skills/c/SKILL.md", text("c"));
    tree.write("/h/.gemini/skills/a/SKILL.md", text("a"));
    let dialect = &dialects::skills::gemini_cli::GEMINI_SKILLS;
    let inputs = Inputs::new().project("/p").home("/h");
    let skills = discover_skills(&tree, dialect, dialect.default_profile(), &inputs);
    assert_eq!(
        listed(&skills),
        [
            ("b", "/h/.gemini/extensions/x/skills/b/SKILL.md"),
            ("a", "/h/.gemini/skills/a/SKILL.md"),
        ]
    );
}

#[test]
fn installed_skills_count_unless_their_record_switches_them_off() {
    let mut tree = MemoryTree::new();
    let installed = "/h/.openhands/skills/installed";
    tree.write(format!("{installed}/a/SKILL.md"), "text");
    tree.write(format!("{installed}/b/SKILL.md"), "text");
    tree.write(format!("{installed}/c/SKILL.md"), "text");
    tree.write("/h/.openhands/skills/c/SKILL.md", "text");
    tree.write(
        format!("{installed}/.installed.json"),
        r#"{"skills": {"a": {"enabled": true}, "b": {"enabled": false}}}"#,
    );
    for version in ["1.58.2", "1.43.1"] {
        let skills = search(&tree, version);
        assert_eq!(
            listed(&skills),
            [
                ("c", "/h/.openhands/skills/c/SKILL.md"),
                ("a", "/h/.openhands/skills/installed/a/SKILL.md"),
            ]
        );
        let off = skills.would_have_been("b").map(|found| found.state);
        assert_eq!(off.collect::<Vec<_>>(), [SkillState::SwitchedOff]);
        assert_eq!(warned(&skills), [installed]);
    }
}

#[test]
fn many_skills_are_found_in_the_order_of_their_paths() {
    for id in ["openhands", "claude-code", "opencode", "pi"] {
        let dialect = dialects::find(id).expect("it is known");
        let folder = match id {
            "openhands" => ".agents/skills",
            "claude-code" => ".claude/skills",
            "opencode" => ".opencode/skills",
            _ => ".pi/skills",
        };
        let mut tree = MemoryTree::new();
        for number in 100..300 {
            let text = format!("---\nname: s{number}\ndescription: Reads {number}.\n---\nRead.\n");
            tree.write(format!("/p/{folder}/s{number}/SKILL.md"), text);
        }
        let inputs = Inputs::new().project("/p").trusted(true);
        let search =
            |tree: &MemoryTree| discover_skills(tree, dialect, dialect.default_profile(), &inputs);
        let found = search(&tree);
        let names: Vec<String> = found.found.iter().map(|it| it.skill.name.clone()).collect();
        let expected: Vec<String> = (100..300).map(|number| format!("s{number}")).collect();
        assert_eq!(names, expected, "{id}");
        let shuffled = search(&tree.clone().shuffled(7));
        assert_eq!(
            format!("{:#?}", shuffled.found),
            format!("{:#?}", found.found),
            "{id}"
        );
    }
}

/// Every harness that has skills, in all its versions.
fn harnesses() -> impl Iterator<Item = (&'static Dialect, &'static Profile)> {
    let dialects = dialects::ALL.iter().chain(dialects::skills::LOADERS);
    dialects.flat_map(|dialect| {
        let profiles = dialect.profiles.iter();
        profiles.map(move |profile| (*dialect, profile))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn files_that_are_nearly_skills_harm_no_search(
        files in prop::collection::vec((0usize..5, 0usize..6, 0usize..8), 1..8),
        ignored in "[a!/*\\\\# \u{a0}\u{3000}\\[\\]{},-]{0,8}",
    ) {
        let mut tree = MemoryTree::new();
        for (above, root, file) in files {
            let above = ["", "sub/", "sub/deep/", "packages/a/", "other/"][above];
            let root = [".claude", ".agents", ".openhands", ".opencode", ".pi", ".github"][root];
            let file = ["SKILL.md", "skill.md", "a/SKILL.md", "a/skill.md", "a/Skill.MD",
                "a/b/SKILL.md", "a/b/c/SKILL.md", "b.md"][file];
            tree.write(format!("/p/{above}{root}/skills/{file}"), "text");
        }
        tree.write("/p/.gitignore", &ignored);
        tree.write("/p/.pi/skills/.ignore", &ignored);
        for (dialect, profile) in harnesses() {
            for trusted in [true, false] {
                let inputs = Inputs::new().project("/p").home("/h").trusted(trusted);
                let skills = discover_skills(&tree, dialect, profile, &inputs);
                for found in skills.active() {
                    prop_assert!(skills.found.contains(found));
                }
            }
        }
    }
}
