//! The prompt of an agent, put together from its parts, each with where it comes from.

use agent_discovery::Skill;
use agent_schema::dialect::{PromptUse, SkillUse};

use crate::config::AgentConfig;
use crate::team::build_prompt;

/// The most bytes of a prompt unless the caller says otherwise.
pub const MOST_PROMPT: usize = 4 << 20;

/// What a prompt is put together from beside what the agent itself brings.
#[derive(Debug, Clone, Copy)]
pub struct PromptInputs<'a> {
    /// The prompt that is there without the agent: the harness's own, or the parent's.
    pub base: Option<&'a str>,
    /// What a document of the workspace says to all agents, such as its `AGENTS.md`.
    pub workspace: Option<&'a str>,
    /// The rules for ending a run.
    pub exit_rules: Option<&'a str>,
    /// What the agent is told about its team.
    pub team: Option<&'a str>,
    /// The most bytes of the whole; what is longer is cut at its end.
    pub most: usize,
}

impl Default for PromptInputs<'_> {
    fn default() -> Self {
        PromptInputs {
            base: None,
            workspace: None,
            exit_rules: None,
            team: None,
            most: MOST_PROMPT,
        }
    }
}

/// A whole prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullPrompt {
    /// Its parts, in order; none of them is empty.
    pub parts: Vec<PromptPart>,
    /// How many bytes were cut off at the end.
    pub cut: usize,
}

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptPart {
    /// What it is.
    pub kind: PromptKind,
    /// Its text.
    pub text: String,
}

/// What a part of a prompt is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PromptKind {
    /// The prompt that is there without the agent.
    Base,
    /// The agent's own prompt, with the sections for ending a run and about its team.
    Own,
    /// What the workspace says to all agents.
    Workspace,
    /// The whole text of a skill.
    Skill {
        /// Its name.
        name: String,
    },
    /// The names and descriptions of skills, whose texts are read when they are needed.
    SkillList,
}

impl FullPrompt {
    /// Returns the whole text, the parts separated by an empty line.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.parts.iter().map(|part| part.text.as_str()).collect();
        texts.join("\n\n")
    }
}

impl AgentConfig {
    /// Puts the whole prompt together, in the order of the harness.
    #[must_use]
    pub fn full_prompt(&self, inputs: &PromptInputs<'_>) -> FullPrompt {
        let mut parts = Vec::new();
        let mut add = |kind, text: &str| {
            let text = text.trim_end_matches('\n');
            if !text.trim().is_empty() {
                parts.push(PromptPart {
                    kind,
                    text: text.to_owned(),
                });
            }
        };
        let base = inputs.base.unwrap_or_default();
        let prompt_use = self.prompt_use.value;
        let own = self.prompt_suffix().unwrap_or_default();
        let keeps_base = prompt_use != PromptUse::Replaces || own.is_empty();
        let own = match (inputs.exit_rules, inputs.team) {
            (None, None) => own.to_owned(),
            (exit_rules, team) => build_prompt(own, exit_rules, team).text,
        };
        if keeps_base && prompt_use != PromptUse::PrecedesBase {
            add(PromptKind::Base, base);
        }
        add(PromptKind::Own, &own);
        if prompt_use == PromptUse::PrecedesBase {
            add(PromptKind::Base, base);
        }
        match self.skill_use {
            SkillUse::Whole => {
                for skill in self.skills() {
                    let name = skill.name.clone();
                    add(PromptKind::Skill { name }, &skill.content);
                }
            }
            SkillUse::MetadataFirst => add(PromptKind::SkillList, &skill_list(self.skills())),
        }
        add(PromptKind::Workspace, inputs.workspace.unwrap_or_default());
        let mut prompt = FullPrompt { parts, cut: 0 };
        prompt.cut_to(inputs.most);
        prompt
    }
}

impl FullPrompt {
    /// Cuts the end off, at a character.
    fn cut_to(&mut self, most: usize) {
        let mut length = self.text().len();
        while length > most
            && let Some(last) = self.parts.last_mut()
        {
            let mut keep = last.text.len().saturating_sub(length - most);
            while !last.text.is_char_boundary(keep) {
                keep -= 1;
            }
            self.cut += last.text.len() - keep;
            last.text.truncate(keep);
            if last.text.is_empty() {
                self.parts.pop();
            }
            length = self.text().len();
        }
    }
}

/// The names and descriptions of skills, a line each.
fn skill_list<'a>(skills: impl Iterator<Item = &'a Skill>) -> String {
    let lines = skills.map(|skill| match &skill.description {
        Some(description) => format!("- {}: {}\n", skill.name, one_line(description)),
        None => format!("- {}\n", skill.name),
    });
    let lines: String = lines.collect();
    match lines.is_empty() {
        true => lines,
        false => format!("Skills, whose texts are read when they are needed:\n{lines}"),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the stable word for what a prompt does.
pub(crate) fn word(prompt_use: PromptUse) -> &'static str {
    match prompt_use {
        PromptUse::Replaces => "replaces",
        PromptUse::FollowsParents => "follows-parents",
        PromptUse::FollowsBase => "follows-base",
        PromptUse::PrecedesBase => "precedes-base",
        PromptUse::AsFieldSays { .. } => "as-field-says",
    }
}
