//! How an agent is found by its name, and how names become a runnable agent.

use crate::coerce::{Problem, Remarks};
use crate::definition::{Definition, FieldName};
use crate::source::Span;
use crate::tool_rules::{ModelWords, ToolRules};
use crate::value::{Node, Value};

use super::{Base, StartRules};

/// How a registered agent is found by name.
#[derive(Debug)]
pub struct LookupRules {
    /// The agent that answers when no name, or an empty one, is given.
    pub default: Option<&'static str>,
    /// Returns whether an agent that answers to its name is left out of what the delegating model
    /// is told.
    pub untold: fn(&Definition) -> bool,
    /// Old names: (old, new). They are replaced before the registry is asked, so that an agent
    /// with an old name can never be reached.
    pub deprecated: &'static [(&'static str, &'static str)],
    /// A sign at which a name may be cut: where nobody has a name as it is asked for, the first
    /// agent that was registered answers to any part of its name behind this sign.
    pub cut_at: Option<char>,
    /// Further fields whose words an agent answers to, where nobody has the name that is asked for.
    /// All agents are asked by one field before the next; where several have the word, none answers.
    pub also_called: &'static [FieldName],
    /// Whether, where nobody has a name as it is asked for, the first agent answers that has it in
    /// another case.
    pub any_case: bool,
    /// Why names that differ only in their spelling are confused, where the harness itself takes
    /// other spellings of a name; without it a name must be asked for as it is written.
    pub spelled_freely: Option<&'static str>,
    /// How many tokens the descriptions of all agents may take before the harness complains.
    pub description_budget: Option<usize>,
    /// Where the agents that the harness brings itself take their names first, so that no file
    /// replaces them: half a sentence.
    pub builtins_first: Option<&'static str>,
}

/// How names become a runnable agent.
#[derive(Debug)]
pub struct FactoryRules {
    /// Model words that mean the parent's model.
    pub inherit_words: &'static [&'static str],
    /// What an unknown skill does to a definition and to the registration that meets it.
    pub unknown_skill: UnknownSkill,
    /// Why a skill that its file keeps from models is left out of an agent that lists it; unset
    /// where it is attached like any other.
    pub hidden_skill: Option<&'static str>,
    /// What a skill that is listed twice does when an agent is made.
    pub repeated_skill: RepeatedSkill,
    /// Which tools an agent gets whose definition says nothing about them.
    pub unset_tools: UnsetTools,
    /// What the model of a definition names.
    pub model_names: ModelNames,
    /// Where model profiles are stored when the definition does not say so.
    pub profile_store: ProfileStore,
    /// What a model profile is.
    pub model_profiles: ModelProfileRules,
    /// Which condenser an agent gets.
    pub condensers: CondenserRules,
    /// What the words of the permission mode mean; without one the parent's policy counts.
    pub permissions: &'static [(&'static str, Permission)],
    /// Whose MCP servers an agent has when another one delegates to it.
    pub delegated_mcp: DelegatedMcp,
    /// The harness's own tools, where definitions allow and deny them by name.
    pub tools: Option<&'static ToolRules>,
    /// What the model words mean that need no stored profile.
    pub model_words: Option<&'static ModelWords>,
    /// The file that holds the prompt of an agent whose definition names a folder for it.
    pub prompt_file: Option<PromptFile>,
    /// What the harness makes of a definition when it starts the agent.
    pub start: StartRules,
}

/// A prompt that stands in a file of its own.
#[derive(Debug, Clone, Copy)]
pub struct PromptFile {
    /// Returns the folder that a definition names.
    pub folder: fn(&Definition) -> Option<&str>,
    /// Returns where the folder is written.
    pub folder_place: fn(&Definition) -> Option<Span>,
    /// The name of the file in it.
    pub file: &'static str,
}

impl FactoryRules {
    /// Nothing special: every name means itself, and there are neither profiles nor condensers.
    pub const PLAIN: FactoryRules = FactoryRules {
        inherit_words: &[],
        unknown_skill: UnknownSkill::LeftOut,
        hidden_skill: None,
        repeated_skill: RepeatedSkill::Once,
        unset_tools: UnsetTools::Everything,
        model_names: ModelNames::Models,
        profile_store: ProfileStore {
            base: Base::Project,
            folder: "",
        },
        model_profiles: ModelProfileRules {
            suffix: "",
            allows: |_| false,
            allowed: "none",
            read: |node, _| Err(Problem::rejects(node.span, "is no model profile")),
            made_inside: &[],
            made_beside: &[],
        },
        condensers: CondenserRules {
            default: |_| Node::default_at(Value::Null, Span { start: 0, end: 0 }),
            with_model: "",
            usage_id: "",
        },
        permissions: &[],
        delegated_mcp: DelegatedMcp::Own,
        tools: None,
        model_words: None,
        prompt_file: None,
        start: StartRules::PLAIN,
    };
}

/// What the text of a model names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelNames {
    /// A stored profile, which says the rest.
    Profiles,
    /// A model, or a word for one, as the harness and its providers know it.
    Models,
}

/// What a stored model profile is.
#[derive(Debug)]
pub struct ModelProfileRules {
    /// The suffix of its file, which a definition may write or leave out.
    pub suffix: &'static str,
    /// Whether a name, without the suffix, is allowed.
    pub allows: fn(&str) -> bool,
    /// What [`ModelProfileRules::allows`] allows, for people.
    pub allowed: &'static str,
    /// Checks the value in its file; what it returns has the texts `model` and `usage_id`.
    pub read: fn(&Node, &mut Remarks<'_>) -> Result<Node, Problem>,
    /// What the harness makes inside a store when it looks into it.
    pub made_inside: &'static [&'static str],
    /// What it makes beside the store.
    pub made_beside: &'static [&'static str],
}

/// Which condenser an agent gets.
#[derive(Debug)]
pub struct CondenserRules {
    /// Makes the condenser of an agent that asks for none, for a model, if it is known.
    pub default: fn(Option<&str>) -> Node,
    /// The kind of condenser that has a model with a usage id.
    pub with_model: &'static str,
    /// The usage id that replaces one which is the agent's own: the costs of both would be
    /// counted as one.
    pub usage_id: &'static str,
}

/// Which actions need a person's consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// All of them.
    AlwaysConfirm,
    /// Those above a threshold of risk.
    ConfirmRisky,
    /// None.
    NeverConfirm,
}

impl Permission {
    /// Returns the word for the permission.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Permission::AlwaysConfirm => "always-confirm",
            Permission::ConfirmRisky => "confirm-risky",
            Permission::NeverConfirm => "never-confirm",
        }
    }
}

/// Whose MCP servers an agent has when another one delegates to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelegatedMcp {
    /// Its own.
    Own,
    /// Exactly those of the other agent; its own are dropped with a warning in the log.
    Parents,
}

/// What a definition with an unknown skill does to the registration that meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownSkill {
    /// The registration ends with an error; what came before stays, what comes after is lost.
    AbortsRegistration,
    /// The definition is left out with a warning.
    SkipsDefinition,
    /// The skill is left out; the agent is there without it.
    LeftOut,
}

/// What a skill that is listed twice does when an agent is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatedSkill {
    /// No agent is made.
    Refused,
    /// It counts once.
    Once,
}

/// Which tools an agent gets whose definition says nothing about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsetTools {
    /// None.
    Nothing,
    /// All that the harness gives to such agents.
    Everything,
}

/// Where model profiles are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfileStore {
    /// Where the path begins.
    pub base: Base,
    /// The rest of it.
    pub folder: &'static str,
}
