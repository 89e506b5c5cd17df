//! Properties of rosters and of what is generated from them, over generated layers and texts.

use std::collections::BTreeMap;

use agent_discovery::{Inputs, MemoryTree, Roster, State, discover_roster};
use agent_factory::{Author, Member, Team, build_prompt};
use agent_registry::{Registration, admit_all};
use agent_schema::dialect::SkipRule;
use agent_schema::sections::{EXIT_RULES, YOUR_TEAM, sections, without_sections};
use agent_schema::{Dialect, FieldName, FieldValue, dialects};
use proptest::prelude::*;

fn dialect() -> &'static Dialect {
    dialects::find("nebuko").expect("it is known")
}

const LAYERS: [&str; 3] = ["defaults", "deployment", "project"];

fn load(tree: &MemoryTree) -> Roster {
    let inputs = Inputs::new().project("/t/project");
    let dialect = dialect();
    discover_roster(tree, dialect, dialect.default_profile(), &inputs).expect("it is a roster")
}

/// A text that has all sorts of headings and code, and the two sections in many spellings.
fn prompt_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("## Your Team".to_owned()),
        Just("# Exit rules".to_owned()),
        Just("Your Team".to_owned()),
        Just("   **EXIT-RULES**   ".to_owned()),
        Just("====".to_owned()),
        Just("---".to_owned()),
        Just("```".to_owned()),
        Just("~~~~ your team".to_owned()),
        Just("> ## Your Team".to_owned()),
        Just("\t## Your Team".to_owned()),
        Just(String::new()),
        "#{1,7} ?(Your Team|Exit rules|Next)[ #:]{0,3}",
        "[ ]{0,4}.{0,20}",
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    (prop::collection::vec(line, 0..16), end).prop_map(|(lines, end)| lines.join(end))
}

/// What one layer says about one agent: nothing, that it goes, or some fields.
#[derive(Debug, Clone)]
enum Saying {
    Nothing,
    Removed,
    Fields {
        role: Option<Option<u8>>,
        tools: Option<Vec<u8>>,
    },
}

fn saying() -> impl Strategy<Value = Saying> {
    let fields = (
        prop::option::of(prop::option::of(0u8..9)),
        prop::option::of(prop::collection::vec(0u8..5, 0..3)),
    );
    prop_oneof![
        2 => Just(Saying::Nothing),
        1 => Just(Saying::Removed),
        6 => fields.prop_map(|(role, tools)| Saying::Fields { role, tools }),
    ]
}

const NAMES: [&str; 4] = ["architect", "builder", "context", "Odd Name"];

fn write_layer(sayings: &[Saying]) -> String {
    let mut out = String::from("agents:\n  anchor: {role: always here}\n");
    for (name, saying) in NAMES.iter().zip(sayings) {
        let fields = match saying {
            Saying::Nothing => continue,
            Saying::Removed => "null".to_owned(),
            Saying::Fields { role, tools } => {
                let role = role.map(|role| match role {
                    Some(role) => format!("role: role {role}"),
                    None => "role: null".to_owned(),
                });
                let tools = tools.as_ref().map(|tools| {
                    let tools: Vec<String> = tools.iter().map(|tool| format!("t{tool}")).collect();
                    format!("tools: [{}]", tools.join(", "))
                });
                let fields: Vec<String> = role.into_iter().chain(tools).collect();
                format!("{{{}}}", fields.join(", "))
            }
        };
        out.push_str(&format!("  {name}: {fields}\n"));
    }
    out
}

/// What should come out: for each agent its role and tools with the layers that give them.
type Merged = BTreeMap<String, [Option<(String, usize)>; 2]>;

fn merged_by_hand(layers: &[Vec<Saying>]) -> Merged {
    let mut merged = Merged::new();
    for (layer, sayings) in layers.iter().enumerate() {
        for (name, saying) in NAMES.iter().zip(sayings) {
            match saying {
                Saying::Nothing => {}
                Saying::Removed => {
                    merged.remove(*name);
                }
                Saying::Fields { role, tools } => {
                    let agent = merged.entry((*name).to_owned()).or_default();
                    if let Some(role) = role {
                        agent[0] = role.map(|role| (format!("role {role}"), layer));
                    }
                    if let Some(tools) = tools {
                        let tools: Vec<String> =
                            tools.iter().map(|tool| format!("t{tool}")).collect();
                        agent[1] = Some((tools.join(","), layer));
                    }
                }
            }
        }
    }
    merged
}

fn merged_by_roster(roster: &Roster) -> Merged {
    let agents = roster
        .agents()
        .filter(|agent| agent.name() != Some("anchor"));
    let rows = agents.map(|agent| {
        let definition = agent.definition().expect("it is active");
        let field = |name| {
            let value = match &definition.field(name)?.value {
                FieldValue::Text(text) => text.clone().into_string(),
                FieldValue::Names(names) => {
                    let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                    names.join(",")
                }
                other => panic!("{other:?}"),
            };
            let giver = agent.giver(name);
            let giver = giver.map_or(agent, |giver| &roster.found.entries[giver]);
            Some((value, giver.source.place?))
        };
        let row = [field(FieldName::DESCRIPTION), field(FieldName::TOOLS)];
        (definition.name().to_owned(), row)
    });
    rows.collect()
}

proptest! {
    #[test]
    fn a_built_prompt_has_each_section_once(
        text in prompt_text(),
        rules in prop::option::of(prompt_text()),
        roles in prop::collection::vec(prompt_text(), 1..4),
        caller in prop::option::of(prompt_text()),
        has_team: bool,
    ) {
        let members = roles.iter().enumerate();
        let members = members.map(|(index, role)| Member::new(&format!("a{index}"), Some(role)));
        let team = Team::new(members.collect());
        let section = team.section("a0", caller.as_deref()).filter(|_| has_team);
        let had_rules = !sections(&text, EXIT_RULES).is_empty();
        let built = build_prompt(&text, rules.as_deref(), section.as_deref());
        let count = |title| sections(&built.text, title).len();
        prop_assert_eq!(count(YOUR_TEAM), usize::from(has_team), "{}", built.text);
        let wanted = usize::from(rules.is_some() || had_rules);
        prop_assert_eq!(count(EXIT_RULES), wanted, "{}", built.text);
    }

    #[test]
    fn a_text_without_the_sections_stays_as_it_is(text in prompt_text(), rules in prompt_text()) {
        let text = build_prompt(&text, None, None).text;
        let text = without_sections(&text, EXIT_RULES);
        let built = build_prompt(&text, Some(&rules), None);
        prop_assert!(built.text.starts_with(text.trim_end()));
        prop_assert!(built.removed.is_empty());
    }

    #[test]
    fn layers_merge_field_by_field(
        layers in prop::collection::vec(prop::collection::vec(saying(), 4), 3),
        seed: u64,
    ) {
        let mut tree = MemoryTree::new().shuffled(seed);
        for (layer, sayings) in LAYERS.iter().zip(&layers) {
            tree.write(format!("/t/{layer}/agent-config.yaml"), write_layer(sayings));
        }
        let roster = load(&tree);
        prop_assert_eq!(merged_by_roster(&roster), merged_by_hand(&layers));
        // Whatever the order of a listing, the same comes out.
        let again = load(&tree.clone().shuffled(seed.wrapping_add(1)));
        prop_assert_eq!(&again.found.entries, &roster.found.entries);
        prop_assert_eq!(&again.findings, &roster.findings);
        // Every key of every layer is one entry with one state.
        let said = layers.iter().flatten().filter(|saying| !matches!(saying, Saying::Nothing));
        prop_assert_eq!(roster.found.entries.len(), said.count() + LAYERS.len());
        for entry in &roster.found.entries {
            let fits = match entry.state {
                State::Active => true,
                State::Merged { into } => roster.found.entries[into].state == State::Active,
                state => state == State::Ignored(SkipRule::Removed),
            };
            prop_assert!(fits, "{:?}", entry);
        }
    }

    #[test]
    fn any_bytes_give_a_roster(
        layers in prop::collection::vec(
            prop_oneof![
                "agents:\n(  [a-z]{1,4}: ([\\[{]?[a-z: ,]{0,9}[\\]}]?)\n){0,4}".prop_map(String::into_bytes),
                prop::collection::vec(any::<u8>(), 0..80),
            ],
            3,
        ),
        message in "(@@|@|genius|CTX|architect|[ -~é]){0,12}",
    ) {
        let mut tree = MemoryTree::new();
        for (layer, bytes) in LAYERS.iter().zip(&layers) {
            tree.write(format!("/t/{layer}/agent-config.yaml"), bytes);
        }
        let roster = load(&tree);
        prop_assert!(!roster.is_readable || roster.agent_names().log.is_empty());
        for entry in &roster.found.entries {
            let length = entry.bytes.as_ref().map_or(0, |bytes| bytes.len());
            for span in entry.diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
                prop_assert!(span.end as usize <= length);
            }
        }
        let mut registration = Registration::new(dialect(), dialect().default_profile());
        registration.register_files(roster.found.clone(), admit_all).expect("all are admitted");
        let registry = registration.without_builtins();
        prop_assert_eq!(registry.counts().iter().sum::<usize>(), roster.found.entries.len());
        let Some(team) = Team::of(&registry) else {
            prop_assert_eq!(roster.agents().count(), 0);
            return Ok(());
        };
        for mention in team.mentions(Author::Human, &message) {
            prop_assert!(message.get(mention.span.clone()).is_some());
        }
        for name in team.routes(Author::Human, &message) {
            prop_assert!(team.get(&name).is_some());
        }
        prop_assert!(team.routes(Author::Bot, &message).is_empty());
    }
}
