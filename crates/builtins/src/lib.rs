#![doc = include_str!("../README.md")]

use agent_registry::Builtins;
use agent_schema::dialect::RosterRules;
use agent_schema::{
    Definition, Dialect, FieldName, FieldValue, File, Located, Profile, ToolAccess, parse,
};

/// The embedded files, in the order in which they are registered.
pub const FILES: [(&str, &str); 4] = [
    ("bash_runner.md", include_str!("agents/bash_runner.md")),
    ("code_explorer.md", include_str!("agents/code_explorer.md")),
    ("default.md", include_str!("agents/default.md")),
    (
        "web_researcher.md",
        include_str!("agents/web_researcher.md"),
    ),
];

/// The tool without which a researcher of the web makes no sense.
const BROWSER: &str = "browser_tool_set";

/// Whether the harness has a browser tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    /// It has one.
    Available,
    /// It has none: agents that ask for it are left out.
    Missing,
}

/// Returns the built-in agents for a profile of a dialect.
///
/// A harness with other names for tools has none of ours. Where its harness lists the agents of all
/// sources together, those that it brings along are here, by name alone.
#[must_use]
pub fn builtins(dialect: &Dialect, profile: &Profile, browser: Browser) -> Builtins {
    if !profile.rules.agents.takes_fallbacks {
        return Builtins::new(shipped(profile));
    }
    Builtins::new(
        definitions(dialect, profile)
            .filter(|(_, definition)| browser == Browser::Available || !needs_browser(definition))
            .collect(),
    )
}

fn shipped(profile: &Profile) -> Vec<(String, Definition)> {
    let agents = &profile.rules.agents;
    if agents.roster == RosterRules::Registered {
        return Vec::new();
    }
    let definition = |name: &str| {
        let mut definition = Definition::new(profile.rules.reading.shown);
        let text = FieldValue::text(name.to_owned());
        definition.set(FieldName::NAME, Located::implied(text));
        definition
    };
    let names = agents.builtins.iter().map(|builtin| builtin.name);
    names
        .map(|name| (name.to_owned(), definition(name)))
        .collect()
}

fn definitions<'a>(
    dialect: &'a Dialect,
    profile: &'a Profile,
) -> impl Iterator<Item = (String, Definition)> + 'a {
    FILES.iter().filter_map(move |(name, text)| {
        let file = File {
            name,
            bytes: text.as_bytes(),
        };
        let definition = parse(file, dialect, profile).outcome.definition()?.clone();
        Some(((*name).to_owned(), definition))
    })
}

fn needs_browser(definition: &Definition) -> bool {
    match definition.tools() {
        ToolAccess::Listed(tools) => tools.iter().any(|tool| tool.text == BROWSER),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_schema::dialects;

    #[test]
    fn every_file_loads_without_a_finding() {
        let dialect = dialects::find("openhands").expect("it is known");
        for profile in dialect.profiles {
            for (name, text) in FILES {
                let file = File {
                    name,
                    bytes: text.as_bytes(),
                };
                let parsed = parse(file, dialect, profile);
                assert_eq!(parsed.diagnostics, [], "{name}");
                let definition = parsed.outcome.definition().expect("it loads");
                assert!(!definition.description().is_empty(), "{name}");
                assert!(definition.prompt().is_some_and(|prompt| prompt.len() > 200));
                assert!(
                    !definition
                        .names(agent_schema::FieldName::EXAMPLES)
                        .is_empty()
                );
            }
        }
    }

    #[test]
    fn the_researcher_needs_a_browser() {
        let dialect = dialects::find("openhands").expect("it is known");
        let names = |browser| -> Vec<String> {
            builtins(dialect, dialect.default_profile(), browser)
                .definitions()
                .map(|(_, definition)| definition.name().to_owned())
                .collect()
        };
        let without = ["bash-runner", "code-explorer", "general-purpose"];
        assert_eq!(names(Browser::Missing), without);
        assert_eq!(names(Browser::Available)[..3], without);
        assert_eq!(names(Browser::Available)[3], "web-researcher");
    }
}
