//! What an agent is told about its team: generated from the roster, never written by hand.
//!
//! Pure text over names and roles, for the agents of every dialect: a role is what other harnesses
//! call the description.
//!
//! ```
//! use agent_factory::{Author, Member, Team, build_prompt};
//!
//! let team = Team::new(vec![
//!     Member::new("planner", Some("Splits the work")),
//!     Member::new("builder", None),
//! ]);
//! let section = team.section("builder", Some("planner")).expect("it is a member");
//! assert!(section.contains("- `planner`: Splits the work"));
//! let prompt = build_prompt("You build.", Some("Stop when done."), Some(&section));
//! assert!(prompt.text.contains("## Exit rules"));
//! assert_eq!(team.routes(Author::Human, "@@Planner, please"), ["planner"]);
//! ```
//!
//! Source of the rules: ADR-0010 of Nebuko, D2 to D4 and its consequences; the wording is ours.

use std::fmt::Write;

use agent_registry::Registry;
use agent_schema::sections::{EXIT_RULES, YOUR_TEAM, missing_fence, sections, without_sections};

/// What stands where a role is missing.
pub const NO_ROLE: &str = "(no role given)";

/// The agents of a team, in the order of the roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    members: Vec<Member>,
    /// Names that only a mention may still use: (old, new).
    legacy_names: &'static [(&'static str, &'static str)],
}

/// One agent of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// What it is for, in one line.
    pub role: Option<String>,
    /// Whether its teammates are told of it.
    pub told: bool,
}

/// A prompt that is ready to be used, with what was taken out of the text it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltPrompt {
    /// The whole prompt.
    pub text: String,
    /// The titles of the sections that the text had itself and that were taken out.
    pub removed: Vec<&'static str>,
}

impl Member {
    /// Makes a member; a role that says nothing counts as none, and one of several paragraphs is
    /// cut to the first.
    #[must_use]
    pub fn new(name: &str, role: Option<&str>) -> Self {
        let role = role.map(first_paragraph).filter(|role| !role.is_empty());
        Member {
            name: name.to_owned(),
            role,
            told: true,
        }
    }

    /// Returns the role, or what stands where it is missing.
    #[must_use]
    pub fn role_or_placeholder(&self) -> &str {
        self.role.as_deref().unwrap_or(NO_ROLE)
    }
}

impl Team {
    /// Makes a team.
    #[must_use]
    pub fn new(members: Vec<Member>) -> Self {
        Team {
            members,
            legacy_names: &[],
        }
    }

    /// Returns the team of a registry: all agents that answer to their names; those that
    /// the harness hides from others are no one's teammates. A registry without
    /// any, as one whose roster cannot be read, gives no team.
    #[must_use]
    pub fn of(registry: &Registry) -> Option<Self> {
        let members: Vec<Member> = registry
            .roster()
            .into_iter()
            .filter(|row| row.answers)
            .map(|row| {
                let definition = row.contender.definition.as_ref();
                Member {
                    told: row.told,
                    ..Member::new(row.name, definition.map(|it| it.description()))
                }
            })
            .collect();
        let roster = registry.profile().rules.roster.as_ref();
        (!members.is_empty()).then(|| Team {
            members,
            legacy_names: roster.map_or(&[], |roster| roster.legacy_names),
        })
    }

    /// Returns the members, in the order of the roster.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the names that only a mention may still use: (old, new).
    pub(crate) fn legacy_names(&self) -> &'static [(&'static str, &'static str)] {
        self.legacy_names
    }

    /// Returns a member by its exact name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }

    /// Writes the section that tells a member about its team; `None` if there is no such member.
    ///
    /// `caller` is the agent that started the run, if an agent did. A name that only a mention may
    /// still use is not written down.
    #[must_use]
    pub fn section(&self, own_name: &str, caller: Option<&str>) -> Option<String> {
        let own = self.get(own_name)?;
        let mut out = format!(
            "## {YOUR_TEAM}\n\nYou are {}. Your role: {}\n",
            name_in_text(&own.name),
            own.role_or_placeholder(),
        );
        self.write_teammates(own, &mut out);
        out.push_str(
            "\nWhen an agent calls you, it waits for your answer: finish by reporting back to it \
             what you did, or why you could not.\n",
        );
        let caller = caller.filter(|caller| !self.is_legacy(caller));
        if let Some(caller) = caller {
            let caller = name_in_text(caller);
            let _ = writeln!(
                out,
                "\nThis run was started by {caller}. Report back to {caller}."
            );
        }
        Some(out)
    }

    fn write_teammates(&self, own: &Member, out: &mut String) {
        let is_other = |member: &&Member| member.told && member.name != own.name;
        let mut others = self.members.iter().filter(is_other);
        let Some(first) = others.next() else {
            out.push_str("\nYou have no teammates.\n");
            return;
        };
        out.push_str("\nYour teammates:\n\n");
        for member in std::iter::once(first).chain(others) {
            let name = name_in_text(&member.name);
            let _ = writeln!(out, "- {name}: {}", member.role_or_placeholder());
        }
        out.push_str(
            "\nTo hand work to a teammate, make the function call `call_agent` with its name and \
             the task. Do not write @@ mentions: they are for people, and one of yours reaches \
             nobody.\n",
        );
    }

    fn is_legacy(&self, name: &str) -> bool {
        let mut legacy = self.legacy_names.iter();
        legacy.any(|(old, _)| *old == name) && self.get(name).is_none()
    }
}

/// Builds the prompt of an agent: its text, then the rules for ending a run, then its team.
///
/// Each of the two sections is there exactly once, whatever the text already has: sections of the
/// same titles are taken out of it. Without a team there is none about it. Without rules of the
/// roster the first section that the text has itself stays.
#[must_use]
pub fn build_prompt(text: &str, exit_rules: Option<&str>, team: Option<&str>) -> BuiltPrompt {
    let mut removed = Vec::new();
    let own_rules = sections(text, EXIT_RULES)
        .first()
        .map(|section| text[section.clone()].to_owned());
    let mut kept = text.to_owned();
    for title in [EXIT_RULES, YOUR_TEAM] {
        let without = without_sections(&kept, title);
        if without != kept {
            removed.push(title);
            kept = without;
        }
    }
    if exit_rules.is_none() && sections(text, EXIT_RULES).len() == 1 {
        removed.retain(|title| *title != EXIT_RULES);
    }
    let rules = exit_rules
        .map(|rules| rules.to_owned())
        .or(own_rules)
        .map(|rules| exit_section(&rules));
    let mut out = String::new();
    append(&mut out, &kept);
    if let Some(rules) = rules {
        append(&mut out, &rules);
    }
    if let Some(team) = team {
        append(&mut out, team);
    }
    BuiltPrompt { text: out, removed }
}

/// Makes one section of the rules for ending a run, with or without a heading of their own.
fn exit_section(rules: &str) -> String {
    let bodies = sections(rules, EXIT_RULES);
    let body = match bodies.first() {
        Some(section) => {
            let rest = &rules[section.clone()];
            let (_, rest) = rest.split_once('\n').unwrap_or_default();
            format!("{}{rest}", &rules[..section.start])
        }
        None => rules.to_owned(),
    };
    let body = without_sections(&without_sections(&body, EXIT_RULES), YOUR_TEAM);
    // Blanks before the first word stay: they may be what makes it code.
    let body = body.trim_end().trim_start_matches(['\n', '\r']);
    format!("## {EXIT_RULES}\n\n{body}\n")
}

/// Adds a part behind an empty line, outside of code that the text before it leaves open.
fn append(out: &mut String, part: &str) {
    let part = part.trim_end();
    if part.is_empty() {
        return;
    }
    if !out.is_empty() {
        if let Some(fence) = missing_fence(out) {
            out.push_str(&fence);
            out.push('\n');
        }
        out.push('\n');
    }
    out.push_str(part);
    out.push('\n');
}

/// Writes a name as code, on one line.
fn name_in_text(name: &str) -> String {
    format!("`{}`", one_line(&name.replace('`', "'")))
}

fn first_paragraph(text: &str) -> String {
    let text = text.trim();
    let mut lines = text.lines().take_while(|line| !line.trim().is_empty());
    let first = lines.by_ref().collect::<Vec<_>>().join(" ");
    one_line(&first)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team() -> Team {
        Team {
            members: vec![
                Member::new("architect", Some("Plans\n\n## Your Team")),
                Member::new("builder", Some("  ")),
            ],
            legacy_names: &[("genius", "architect")],
        }
    }

    #[test]
    fn a_role_is_one_line_or_a_placeholder() {
        let section = team().section("builder", None).expect("it is a member");
        assert!(
            section.contains("Your role: (no role given)\n"),
            "{section}"
        );
        assert!(section.contains("\n- `architect`: Plans\n"), "{section}");
        assert!(!section.contains("- `builder`"), "{section}");
    }

    #[test]
    fn a_caller_is_named_unless_only_mentions_know_the_name() {
        let named = |caller| {
            let section = team().section("builder", caller).expect("it is a member");
            section.contains("This run was started by")
        };
        assert!(named(Some("architect")));
        assert!(!named(Some("genius")));
        assert!(!named(None));
        assert_eq!(team().section("genius", None), None);
    }

    #[test]
    fn one_agent_alone_has_a_section_without_teammates() {
        let team = Team::new(vec![Member::new("solo", Some("Does it all"))]);
        let section = team.section("solo", None).expect("it is a member");
        assert!(section.contains("You have no teammates."));
        assert!(!section.contains("call_agent"));
    }

    #[test]
    fn sections_of_a_text_give_way_to_the_generated_ones() {
        let text = "Hello.\n\n## Exit rules\n\nOld.\n\n# Tone\n\n```\ncode";
        let built = build_prompt(text, Some("# Exit Rules\n\nStop when done."), None);
        assert_eq!(
            built.text,
            "Hello.\n\n# Tone\n\n```\ncode\n```\n\n## Exit rules\n\nStop when done.\n"
        );
        assert_eq!(built.removed, [EXIT_RULES]);
    }

    #[test]
    fn without_rules_of_the_roster_the_first_of_the_text_stay() {
        let built = build_prompt("## Exit rules\nA\n## Exit rules\nB\n", None, None);
        assert_eq!(built.text, "## Exit rules\n\nA\n");
    }
}
