//! Which error comes, when, and what it tells.

use agent_discovery::{Inputs, MemoryTree, discover_skills};
use agent_factory::{Blueprint, FactoryErrorKind, ToolSet};
use agent_schema::{File, parse};

use crate::workshop::{Workshop, dialect, no_models, profile, skill};

#[test]
fn the_skill_comes_first_then_the_model_then_the_context_then_the_tool() {
    let mut workshop = Workshop::new(
        "model: turbo\ntools: [no_such_tool]\nskills: [one, missing, one]",
        "Work.",
    );
    let error = workshop.blueprint().expect_err("a skill is unknown");
    assert_eq!(error.kind(), FactoryErrorKind::UnknownSkill);
    assert_eq!((error.agent(), error.name()), ("agent", "missing"));

    workshop.skills.add(skill("missing"));
    let error = workshop.agent().expect_err("a model is unknown");
    assert_eq!(error.kind(), FactoryErrorKind::UnknownProfile);
    assert_eq!(error.name(), "turbo");

    let workshop = workshop.with_file("/home/.openhands/profiles/turbo.json", r#"{"model": "m"}"#);
    let error = workshop.agent().expect_err("a skill is listed twice");
    assert_eq!(error.kind(), FactoryErrorKind::DuplicateSkill);
    assert_eq!(error.name(), "one");
    let spans = (error.place(), error.diagnostic().related[0].span);
    let (Some(second), Some(first)) = spans else {
        panic!("both places are known: {spans:?}");
    };
    assert_eq!(workshop.at(second.value), "one");
    assert!(first.end < second.value.start);

    let mut workshop = Workshop::new("tools: [terminal, a, b]", "");
    assert_eq!(workshop.agent().expect_err("a tool is unknown").name(), "a");
    workshop.tools.add("a");
    assert_eq!(workshop.agent().expect_err("a tool is unknown").name(), "b");
    workshop.tools.add("b");
    let config = workshop.agent().expect("all tools are known");
    assert_eq!(config.tool_names(), ["terminal", "a", "b"]);
}

#[test]
fn skills_in_one_text_have_places_of_their_own() {
    let workshop = Workshop::new("skills: one, one", "");
    let error = workshop.agent().expect_err("it is listed twice");
    let second = error.place().expect("it is written").value;
    let first = error.diagnostic().related[0].span.expect("it is written");
    assert_eq!((workshop.at(first), workshop.at(second)), ("one", "one"));
    assert!(first.end < second.start);
}

#[test]
fn a_tool_of_another_harness_says_whose_it_is() {
    let workshop = Workshop::new("tools: [WebFetch]", "");
    let error = workshop.agent().expect_err("OpenHands has no such tool");
    let help = error.diagnostic().help.expect("it is known whose it is");
    assert!(
        help.starts_with("`WebFetch` is a word of Claude Code"),
        "{help}"
    );
    assert!(help.contains("OpenHands"), "{help}");
}

#[test]
fn an_unknown_tool_says_what_there_is() {
    let workshop = Workshop::new("tools: [Terminal]", "");
    let error = workshop.agent().expect_err("the case counts");
    assert_eq!(error.available(), ["file_editor", "terminal"]);
    assert_eq!(error.nearest(), Some("terminal"));
    let place = error.place().expect("it is written");
    assert_eq!(workshop.at(place.key), "tools");
    assert_eq!(workshop.at(place.value), "Terminal");
    let diagnostic = error.diagnostic();
    assert_eq!(diagnostic.code(), "unknown-tool");
    assert_eq!(diagnostic.message, "no tool is called `Terminal`");
    assert_eq!(
        diagnostic.help.as_deref(),
        Some("write `terminal` if you mean that")
    );
    assert_eq!(
        error.to_string(),
        "make the agent `agent`: no tool is called `Terminal`"
    );
}

#[test]
fn a_list_in_one_name_is_recognised() {
    let workshop = Workshop::new("tools: terminal, file_editor", "");
    let error = workshop.agent().expect_err("it is one name");
    assert_eq!(error.name(), "terminal, file_editor");
    assert_eq!(
        error.diagnostic().help.as_deref(),
        Some("write a list: `[terminal, file_editor]`")
    );
}

#[test]
fn without_a_near_name_all_are_listed() {
    let mut workshop = Workshop::new("tools: ['*']", "");
    let error = workshop.agent().expect_err("there are no patterns");
    assert_eq!(
        error.diagnostic().help.as_deref(),
        Some("there are `file_editor`, `terminal`")
    );
    workshop.tools = (0..15).map(|number| format!("tool_{number:02}")).collect();
    let help = workshop.agent().expect_err("still none").diagnostic().help;
    assert!(help.is_some_and(|help| help.ends_with("`tool_11` and 3 more")));
    workshop.tools = ToolSet::new();
    let error = workshop.agent().expect_err("still none");
    assert_eq!(error.diagnostic().help, None);
}

#[test]
fn a_rejected_skill_file_is_a_near_miss() {
    let mut tree = MemoryTree::new();
    tree.write(
        "/p/.agents/skills/wrong-dir/SKILL.md",
        "---\nname: right-name\ndescription: d\n---\ntext\n",
    );
    let inputs = Inputs::new().project("/p");
    let profile = profile("1.43.1");
    let skills = discover_skills(&tree, dialect(), profile, &inputs);
    assert!(skills.near_misses("other").is_empty());

    let bytes = b"---\nskills: [right-name]\n---\n";
    let file = File {
        name: "agent.md",
        bytes,
    };
    let parsed = parse(file, dialect(), profile);
    let definition = parsed.outcome.definition().expect("it loads");
    let error = Blueprint::new(definition, &skills, dialect(), profile).expect_err("it is dropped");
    assert_eq!(error.kind().as_str(), "unknown-skill");
    let related = error.diagnostic().related;
    assert_eq!(
        related[0].file.as_deref(),
        Some("/p/.agents/skills/wrong-dir/SKILL.md")
    );
    assert!(related[0].message.starts_with("would be this skill"));
}

#[test]
fn a_word_that_means_no_model_leads_to_the_parents() {
    let near = Workshop::new("model: Inherit", "");
    let error = near.agent_with(&no_models()).expect_err("the case counts");
    assert_eq!(error.nearest(), Some("inherit"));
    let null = Workshop::new("model:", "");
    let error = null.agent_with(&no_models()).expect_err("it is a word");
    assert_eq!(error.name(), "None");
    assert_eq!(
        error.diagnostic().help.as_deref(),
        Some("write `inherit` for the parent's model")
    );
}
