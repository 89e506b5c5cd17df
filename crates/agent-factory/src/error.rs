//! Why no agent can be made.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use agent_schema::coerce::{Problem, shorten};
use agent_schema::foreign_words::{WordKind, foreign_tool, whose};
use agent_schema::suggest::nearest;
use agent_schema::vocabulary::Vocabulary;
use agent_schema::{
    Definition, Diagnostic, Dialect, FieldName, Name, Place, Rule, Severity, Span, rules,
};

use crate::catalog::{ModelTrouble, NearMiss, SkillCatalog, ToolCatalog};
use crate::left_out::{LeftOut, Reason};
use crate::wanted;

/// Why no agent can be made of a definition. Fits behind "failed to …".
#[derive(Debug, Clone, thiserror::Error)]
#[error("make the agent `{agent}`: {complaint}", agent = shorten(&.0.agent), complaint = self.complaint())]
pub struct FactoryError(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    agent: String,
    harness: &'static str,
    words: &'static Vocabulary,
    cause: Cause,
    place: Option<Place>,
    harness_would_create: Vec<PathBuf>,
}

#[derive(Debug, Clone)]
enum Cause {
    UnknownSkill {
        name: String,
        available: Vec<String>,
        near_misses: Vec<NearMiss>,
    },
    DuplicateSkill {
        name: String,
        first: Option<Span>,
    },
    UnknownTool {
        name: String,
        available: Vec<String>,
    },
    UnknownProfile {
        name: String,
        available: Vec<String>,
        inherit: Option<&'static str>,
    },
    InvalidProfileName {
        name: String,
        allowed: &'static str,
    },
    BrokenProfile {
        name: String,
        path: PathBuf,
        reason: String,
    },
    UnusableStore {
        name: String,
        path: PathBuf,
        reason: String,
    },
    InvalidExpansion {
        complaint: String,
    },
    NoToolLeft {
        entries: Vec<(String, Reason)>,
        available: Vec<String>,
    },
}

/// What kind of thing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FactoryErrorKind {
    /// A skill does not exist.
    UnknownSkill,
    /// A skill is listed twice.
    DuplicateSkill,
    /// A tool does not exist.
    UnknownTool,
    /// A model profile does not exist.
    UnknownProfile,
    /// A model profile exists under a name that none may have.
    InvalidProfileName,
    /// A model profile cannot be used.
    BrokenProfile,
    /// The folder with the model profiles cannot be used.
    UnusableStore,
    /// The MCP servers are refused with their variables filled in.
    InvalidExpansion,
    /// Nothing of the list of tools leads to a tool.
    NoToolLeft,
}

impl FactoryErrorKind {
    /// Returns the word for the kind, as in the conformance cases.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            FactoryErrorKind::UnknownSkill => "unknown-skill",
            FactoryErrorKind::DuplicateSkill => "duplicate-skill",
            FactoryErrorKind::UnknownTool => "unknown-tool",
            FactoryErrorKind::UnknownProfile => "unknown-profile",
            FactoryErrorKind::InvalidProfileName => "invalid-profile-name",
            FactoryErrorKind::BrokenProfile => "broken-profile",
            FactoryErrorKind::UnusableStore => "unusable-store",
            FactoryErrorKind::InvalidExpansion => "invalid-expansion",
            FactoryErrorKind::NoToolLeft => "no-tool-left",
        }
    }

    fn rule(self) -> &'static Rule {
        match self {
            FactoryErrorKind::UnknownSkill => &rules::UNKNOWN_SKILL,
            FactoryErrorKind::DuplicateSkill => &rules::DUPLICATE_SKILL,
            FactoryErrorKind::UnknownTool => &rules::UNKNOWN_TOOL,
            FactoryErrorKind::UnknownProfile => &rules::UNKNOWN_MODEL,
            FactoryErrorKind::InvalidProfileName => &rules::INVALID_MODEL_NAME,
            FactoryErrorKind::BrokenProfile => &rules::BROKEN_MODEL_PROFILE,
            FactoryErrorKind::UnusableStore => &rules::UNUSABLE_PROFILE_STORE,
            FactoryErrorKind::InvalidExpansion => &rules::INVALID_EXPANSION,
            FactoryErrorKind::NoToolLeft => &rules::NO_TOOLS,
        }
    }
}

impl FactoryError {
    /// Returns what kind of thing is wrong.
    #[must_use]
    pub fn kind(&self) -> FactoryErrorKind {
        match self.0.cause {
            Cause::UnknownSkill { .. } => FactoryErrorKind::UnknownSkill,
            Cause::DuplicateSkill { .. } => FactoryErrorKind::DuplicateSkill,
            Cause::UnknownTool { .. } => FactoryErrorKind::UnknownTool,
            Cause::UnknownProfile { .. } => FactoryErrorKind::UnknownProfile,
            Cause::InvalidProfileName { .. } => FactoryErrorKind::InvalidProfileName,
            Cause::BrokenProfile { .. } => FactoryErrorKind::BrokenProfile,
            Cause::UnusableStore { .. } => FactoryErrorKind::UnusableStore,
            Cause::InvalidExpansion { .. } => FactoryErrorKind::InvalidExpansion,
            Cause::NoToolLeft { .. } => FactoryErrorKind::NoToolLeft,
        }
    }

    /// Returns the name of the agent.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.0.agent
    }

    /// Returns the name of the skill, tool or model that is wrong, as the harness reports it;
    /// empty if no single name is wrong.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.0.cause {
            Cause::UnknownSkill { name, .. }
            | Cause::DuplicateSkill { name, .. }
            | Cause::UnknownTool { name, .. }
            | Cause::UnknownProfile { name, .. }
            | Cause::InvalidProfileName { name, .. }
            | Cause::BrokenProfile { name, .. }
            | Cause::UnusableStore { name, .. } => name,
            Cause::InvalidExpansion { .. } | Cause::NoToolLeft { .. } => "",
        }
    }

    /// Returns the names that there are, sorted; empty where that is not the question.
    #[must_use]
    pub fn available(&self) -> &[String] {
        match &self.0.cause {
            Cause::UnknownSkill { available, .. }
            | Cause::UnknownTool { available, .. }
            | Cause::UnknownProfile { available, .. }
            | Cause::NoToolLeft { available, .. } => available,
            _ => &[],
        }
    }

    /// Returns the name that is most like the wrong one, if one is close enough to be meant.
    #[must_use]
    pub fn nearest(&self) -> Option<&str> {
        let inherit = match &self.0.cause {
            Cause::UnknownProfile { inherit, .. } => *inherit,
            _ => None,
        };
        let available = self.available().iter().map(String::as_str);
        nearest(self.name(), available.chain(inherit))
    }

    /// Returns where the wrong name is written in the definition.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }

    /// Returns the model profile or the folder of profiles that cannot be used.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.0.cause {
            Cause::BrokenProfile { path, .. } | Cause::UnusableStore { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Returns the folders and files that are not there and that the harness creates before it
    /// fails, outer folders first.
    #[must_use]
    pub fn harness_would_create(&self) -> &[PathBuf] {
        &self.0.harness_would_create
    }

    /// Returns the error as a finding about the definition.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(self.kind().rule(), self.complaint())
            .because(self.reason())
            .said_by_harness();
        diagnostic.severity = Severity::Error;
        diagnostic.span = self.place().map(|place| place.value);
        diagnostic.help = self.help().map(Cow::from);
        match &self.0.cause {
            Cause::UnknownSkill { near_misses, .. } => {
                for miss in near_misses {
                    diagnostic = diagnostic.and_file(
                        miss.path.to_string_lossy(),
                        format!("would be this skill, but is dropped: {}", miss.reason),
                    );
                }
            }
            Cause::DuplicateSkill {
                first: Some(first), ..
            } if Some(*first) != diagnostic.span => {
                diagnostic = diagnostic.and_at(*first, "listed here first");
            }
            Cause::BrokenProfile { path, reason, .. } => {
                diagnostic = diagnostic.and_file(path.to_string_lossy(), reason);
            }
            _ => {}
        }
        diagnostic
    }

    /// Says what is wrong.
    fn complaint(&self) -> String {
        let name = shorten(self.name());
        match &self.0.cause {
            Cause::UnknownSkill { .. } => format!("no skill is called `{name}`"),
            Cause::DuplicateSkill { .. } => format!("the skill `{name}` is listed twice"),
            Cause::UnknownTool { .. } => format!("no tool is called `{name}`"),
            Cause::UnknownProfile { .. } => format!("no model profile is called `{name}`"),
            Cause::InvalidProfileName { .. } => {
                format!("a model profile must not be called `{name}`")
            }
            Cause::BrokenProfile { path, .. } => format!(
                "the model profile `{name}` in `{}` cannot be used",
                path.display()
            ),
            Cause::UnusableStore { path, reason, .. } => format!(
                "the folder `{}` of model profiles cannot be used: {reason}",
                path.display()
            ),
            Cause::InvalidExpansion { complaint } => {
                format!("with its variables filled in, the MCP configuration {complaint}")
            }
            Cause::NoToolLeft { entries, .. } => {
                let entries = entries.iter();
                let entries = entries
                    .map(|(entry, why)| format!("`{}` ({})", shorten(entry), why.in_words()));
                let entries: Vec<String> = entries.collect();
                format!("nothing of its tool list is left: {}", entries.join(", "))
            }
        }
    }

    /// Says why: the harness and its rule.
    fn reason(&self) -> String {
        let harness = self.0.harness;
        match &self.0.cause {
            Cause::UnknownSkill { .. } => format!(
                "{harness} looks skills up by their exact names when it registers an agent, and \
                 does not register an agent with an unknown one"
            ),
            Cause::DuplicateSkill { .. } => format!(
                "{harness} registers an agent that lists a skill twice, but refuses to start it"
            ),
            Cause::UnknownTool { .. } => format!(
                "{harness} looks tools up by their exact names when it starts an agent, and \
                 refuses to start one with an unknown tool"
            ),
            Cause::UnknownProfile { .. } => format!(
                "{harness} takes a model other than the parent's only from its stored profiles"
            ),
            Cause::InvalidProfileName { allowed, .. } => {
                format!("{harness} allows in the name of a profile {allowed}")
            }
            Cause::BrokenProfile { .. } => format!(
                "{harness} checks the whole profile when it starts an agent, and refuses to start \
                 one without its model"
            ),
            Cause::UnusableStore { .. } => {
                format!("{harness} creates this folder or lists it before it looks for a profile")
            }
            Cause::InvalidExpansion { .. } => format!(
                "{harness} fills in variables when a conversation starts, and then checks the \
                 servers once more"
            ),
            Cause::NoToolLeft { .. } => format!(
                "{harness} passes over entries that lead to no tool, but refuses to start an agent \
                 whose list leads to none at all"
            ),
        }
    }

    /// Says what to do.
    fn help(&self) -> Option<String> {
        let help = match &self.0.cause {
            Cause::DuplicateSkill { .. } => "list it once".to_owned(),
            Cause::InvalidProfileName { .. } => "rename the profile".to_owned(),
            Cause::BrokenProfile { .. } => "mend the profile, or name another one".to_owned(),
            Cause::UnusableStore { .. } => "name the folder that holds the profiles".to_owned(),
            Cause::InvalidExpansion { .. } => "check the values of the variables".to_owned(),
            Cause::UnknownSkill { .. } | Cause::UnknownTool { .. } => self.help_with_name()?,
            Cause::NoToolLeft { .. } => "name tools that exist, or none at all".to_owned(),
            Cause::UnknownProfile { inherit, .. } => match (self.help_with_name(), inherit) {
                (Some(help), _) => help,
                (None, Some(word)) => {
                    let write = format!("write `{word}` for the parent's model");
                    match whose(WordKind::Model, self.name(), self.0.harness) {
                        Some(whose) => format!("{whose}; {write}"),
                        None => write,
                    }
                }
                (None, None) => return None,
            },
        };
        Some(help)
    }

    /// Says which name to write instead.
    fn help_with_name(&self) -> Option<String> {
        if let Some(parts) = self.as_list() {
            return Some(format!("write a list: `[{}]`", parts.join(", ")));
        }
        if let Some(name) = self.nearest() {
            return Some(format!("write `{name}` if you mean that"));
        }
        match &self.0.cause {
            // That says already what the harness has for it.
            Cause::UnknownTool { name, .. } => {
                let whose = foreign_tool(name, self.0.harness, self.0.words);
                whose.or_else(|| wanted::listed(self.available()))
            }
            Cause::UnknownProfile { name, .. } => {
                let whose = whose(WordKind::Model, name, self.0.harness);
                wanted::help(name, self.available(), whose)
            }
            _ => wanted::listed(self.available()),
        }
    }

    /// Takes one name apart that is several names with commas between them.
    fn as_list(&self) -> Option<Vec<&str>> {
        let parts: Vec<&str> = self.name().split(',').map(str::trim).collect();
        let is_known = |part: &&str| self.available().iter().any(|name| name == part);
        (parts.len() > 1 && parts.iter().all(is_known)).then_some(parts)
    }

    fn new(definition: &Definition, dialect: &Dialect, cause: Cause, place: Option<Place>) -> Self {
        FactoryError(Box::new(Inner {
            agent: definition.name().to_owned(),
            harness: dialect.title,
            words: dialect.profiles[0].rules.writing.access.vocabulary,
            cause,
            place,
            harness_would_create: Vec::new(),
        }))
    }

    pub(crate) fn unknown_skill(
        definition: &Definition,
        dialect: &Dialect,
        name: &Name,
        skills: &dyn SkillCatalog,
        place: Option<Place>,
    ) -> Self {
        let cause = Cause::UnknownSkill {
            name: name.text.clone(),
            available: sorted(skills.names()),
            near_misses: skills.near_misses(&name.text),
        };
        FactoryError::new(definition, dialect, cause, place)
    }

    pub(crate) fn duplicate_skill(
        definition: &Definition,
        dialect: &Dialect,
        name: &str,
        place: Option<Place>,
        first: Option<Span>,
    ) -> Self {
        let name = name.to_owned();
        let cause = Cause::DuplicateSkill { name, first };
        FactoryError::new(definition, dialect, cause, place)
    }

    pub(crate) fn unknown_tool(
        definition: &Definition,
        dialect: &Dialect,
        name: &Name,
        tools: &dyn ToolCatalog,
        place: Option<Place>,
    ) -> Self {
        let cause = Cause::UnknownTool {
            name: name.text.clone(),
            available: sorted(tools.names()),
        };
        FactoryError::new(definition, dialect, cause, place)
    }

    pub(crate) fn no_tool_left(
        definition: &Definition,
        dialect: &Dialect,
        left_out: &[LeftOut],
        tools: &dyn ToolCatalog,
    ) -> Self {
        let entries = left_out.iter().filter(|it| it.field == FieldName::TOOLS);
        let cause = Cause::NoToolLeft {
            entries: entries.map(|it| (it.what.clone(), it.why)).collect(),
            available: sorted(tools.names()),
        };
        FactoryError::new(
            definition,
            dialect,
            cause,
            definition.place(FieldName::TOOLS),
        )
    }

    pub(crate) fn model(
        definition: &Definition,
        dialect: &Dialect,
        trouble: ModelTrouble,
        inherit_words: &[&'static str],
    ) -> Self {
        let mut field = FieldName::MODEL;
        let cause = match trouble {
            ModelTrouble::Unknown {
                name,
                mut available,
            } => {
                available.sort();
                Cause::UnknownProfile {
                    name,
                    available,
                    inherit: inherit_words.iter().copied().find(|word| !word.is_empty()),
                }
            }
            ModelTrouble::NameNotAllowed { name, allowed } => {
                Cause::InvalidProfileName { name, allowed }
            }
            ModelTrouble::Broken { name, path, reason } => {
                Cause::BrokenProfile { name, path, reason }
            }
            ModelTrouble::UnusableStore { name, path, reason } => {
                if definition.place(FieldName::PROFILE_STORE_DIR).is_some() {
                    field = FieldName::PROFILE_STORE_DIR;
                }
                Cause::UnusableStore { name, path, reason }
            }
        };
        FactoryError::new(definition, dialect, cause, definition.place(field))
    }

    pub(crate) fn expansion(definition: &Definition, dialect: &Dialect, problem: Problem) -> Self {
        let place = definition.place(FieldName::MCP_SERVERS);
        let place = place.map(|place| Place {
            value: problem.span,
            ..place
        });
        let complaint = problem.complaint;
        FactoryError::new(
            definition,
            dialect,
            Cause::InvalidExpansion { complaint },
            place,
        )
    }

    /// Notes what the harness has created on the disk by now.
    pub(crate) fn creating(mut self, paths: &[PathBuf]) -> Self {
        self.0.harness_would_create.extend_from_slice(paths);
        self
    }
}

fn sorted(names: Vec<&str>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    names.sort();
    names
}
