//! What a harness makes of a definition at the moment when it starts the agent.

use crate::definition::{Definition, FieldName, ToolAccess};
use crate::writing::{Beside, EffectRule};

/// What a harness makes of a definition when it starts the agent.
#[derive(Debug)]
pub struct StartRules {
    /// How the tools are decided.
    pub tools: ToolDecision,
    /// Where the model comes from, strongest first; what gives nothing is passed over, and at the
    /// end the parent's model is left.
    pub model_from: &'static [ModelFrom],
    /// Variables that say what a model word stands for: (word, variable).
    pub word_variables: &'static [(&'static str, &'static str)],
    /// What decides about consent, where it is a mode with a word of the harness's own.
    pub modes: Option<ModeRules>,
    /// Rules about what may be done with the tools that lists give; they only narrow.
    pub permissions: Option<EffectRules>,
    /// What the agent takes from the one that starts it, beside the model.
    pub inherits: Inheritance,
    /// Whether the agent may start others.
    pub spawning: SpawnRules,
    /// What the prompt of the agent does.
    pub prompt: PromptUse,
    /// How a skill that an agent lists reaches it.
    pub skills: SkillUse,
    /// Fields that say how the model writes, beside its name: they are handed on as numbers.
    pub sampling: &'static [FieldName],
}

impl StartRules {
    /// Returns the tools that a definition asks for: none where another field of it says so, whatever
    /// its list says.
    pub fn asked_tools<'d>(&self, definition: &'d Definition) -> ToolAccess<'d> {
        let no_tools = match &self.tools {
            ToolDecision::Lists(lists) => lists.no_tools,
            ToolDecision::Effects(_) => None,
        };
        match no_tools.and_then(|field| definition.flag(field)) {
            Some(true) => ToolAccess::Listed(&[]),
            _ => definition.tools(),
        }
    }

    /// Names mean themselves, unknown ones are left out, and nothing else is known.
    pub const PLAIN: StartRules = StartRules {
        tools: ToolDecision::Lists(ListRules::PLAIN),
        model_from: &[ModelFrom::Definition],
        word_variables: &[],
        modes: None,
        permissions: None,
        inherits: Inheritance::NOTHING,
        spawning: SpawnRules::UNKNOWN,
        prompt: PromptUse::Replaces,
        skills: SkillUse::Whole,
        sampling: &[FieldName::TEMPERATURE, FieldName::TOP_P],
    };
}

/// How the tools of an agent are decided.
#[derive(Debug, Clone, Copy)]
pub enum ToolDecision {
    /// By a list of tools that are allowed and one of tools that are denied.
    Lists(ListRules),
    /// By rules of (action, pattern, effect), of which the last one that fits counts.
    Effects(EffectRules),
}

/// What lists of tools mean.
#[derive(Debug, Clone, Copy)]
pub struct ListRules {
    /// What a name does that no tool has.
    pub unknown: UnknownTool,
    /// What entries for the tools of MCP servers look like.
    pub servers: Option<ServerEntries>,
    /// Tools that no subagent gets, whatever is listed.
    pub never: &'static [NeverTool],
    /// Tools that the agent has beside its list, whatever it says.
    pub always: &'static [&'static str],
    /// A switch that takes all tools away, whatever is listed.
    pub no_tools: Option<FieldName>,
    /// What leaves out the tools that are none of the harness's own, which are there beside every
    /// list; unset if a list is all that an agent has.
    pub beside: Option<Beside>,
}

impl ListRules {
    /// Names mean themselves, and unknown ones are left out.
    pub const PLAIN: ListRules = ListRules {
        unknown: UnknownTool::LeftOut,
        servers: None,
        never: &[],
        always: &[],
        no_tools: None,
        beside: None,
    };
}

/// What a name in a list of allowed tools does that no tool has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownTool {
    /// No agent is made.
    Refused,
    /// It is left out.
    LeftOut,
    /// It is left out, but where nothing of the list is left no agent is made.
    LeftOutUnlessNothingIsLeft,
}

/// What entries for the tools of MCP servers look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerEntries {
    /// What a tool of a server begins with: then comes the server, `separator`, and the tool.
    pub prefix: &'static str,
    /// What stands between the server and the tool.
    pub separator: &'static str,
    /// Whether a star for all servers means anything in a list of allowed tools; in one of denied
    /// tools it does.
    pub all_may_be_allowed: bool,
}

/// A tool that no subagent gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeverTool {
    /// The tool.
    pub tool: &'static str,
    /// The mode in which it is given all the same.
    pub unless_mode: Option<&'static str>,
}

/// Rules of (action, pattern, effect), of which the last one that fits counts.
#[derive(Debug, Clone, Copy)]
pub struct EffectRules {
    /// The fields that they are written in, and those that follow from them.
    pub fields: &'static [FieldName],
    /// The one of these that is there as soon as nothing can be added to the rules any more; unset
    /// if that is always so.
    pub complete: Option<FieldName>,
    /// Returns the rules of a definition, weakest first.
    pub read: fn(&Definition) -> Vec<EffectRule>,
    /// The rules before those of the definition, weakest first.
    pub defaults: &'static [(&'static str, &'static str, &'static str)],
    /// The action that a tool counts as, where it is not its name: (tool, action).
    pub actions: &'static [(&'static str, &'static str)],
    /// The effect that takes a tool away if it holds for every pattern.
    pub deny: &'static str,
}

/// What an agent takes from the one that starts it, beside the model. What only narrows it counts
/// whatever its own definition says.
#[derive(Debug, Clone, Copy)]
pub struct Inheritance {
    /// Which rules of the parent hold for it too.
    pub denials: InheritedDenials,
    /// Whether all tools that it may have are those of its parent.
    pub tools: InheritedTools,
}

impl Inheritance {
    /// Nothing is known to be taken over.
    pub const NOTHING: Inheritance = Inheritance {
        denials: InheritedDenials::Nothing,
        tools: InheritedTools::Own,
    };
}

/// Which rules of the parent hold for the agents that it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InheritedDenials {
    /// None.
    Nothing,
    /// Those that deny something; they hold whatever else is allowed.
    Denials,
    /// Some, which follow the rules of the definition, so that they count before them.
    Appended {
        /// Actions of which the denials of the parent's own definition hold too, but for patterns
        /// that the agent's definition denies itself.
        of_definition: &'static [&'static str],
        /// Actions of which all rules hold that the parent was given itself when it was started;
        /// of other actions only what is denied.
        whole: &'static [&'static str],
        /// Actions that are denied to agents that were started, unless a rule of the definition
        /// names them.
        unless_named: &'static [&'static str],
    },
}

/// Which tools an agent that was started chooses from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InheritedTools {
    /// All that there are.
    Own,
    /// Those of its parent, and those that every agent has.
    Parents,
}

/// Where the model of an agent may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelFrom {
    /// A variable of the environment.
    Variable {
        /// Its name.
        name: &'static str,
        /// What the words that mean the parent's model do in it.
        inherit: InheritInVariable,
    },
    /// The call that starts the agent.
    Call,
    /// The definition.
    Definition,
}

/// What a word that means the parent's model does in a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InheritInVariable {
    /// As if the variable were not set.
    Unset,
    /// It gives the parent's model to every agent.
    Forces,
}

/// What decides about consent, where it is a mode with a word of the harness's own.
#[derive(Debug, Clone, Copy)]
pub struct ModeRules {
    /// Modes of the parent that count instead of the agent's own.
    pub parent_wins: &'static [&'static str],
    /// Modes that the one who manages the machine can forbid; the parent's mode counts then.
    pub may_be_forbidden: &'static [&'static str],
    /// Other words for modes: (word, mode).
    pub aliases: &'static [(&'static str, &'static str)],
}

/// Whether an agent may start others.
#[derive(Debug, Clone, Copy)]
pub struct SpawnRules {
    /// What gives it the right.
    pub by: SpawnRight,
    /// The field that lists the agents that it may start; unset if it may start all.
    pub only: Option<FieldName>,
    /// Whether the entry of the tool that starts agents may list them in parentheses, and counts
    /// then for an agent that is run as the main one.
    pub only_in_parentheses: bool,
    /// How deep agents may be started by agents, the main one being at depth 0.
    pub most_depth: Option<u32>,
    /// The field that says so for one agent.
    pub depth_field: Option<FieldName>,
}

impl SpawnRules {
    /// Nothing is known of it.
    pub const UNKNOWN: SpawnRules = SpawnRules {
        by: SpawnRight::Unknown,
        only: None,
        only_in_parentheses: false,
        most_depth: None,
        depth_field: None,
    };
}

/// What gives an agent the right to start others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnRight {
    /// Nobody knows: it is left to the harness.
    Unknown,
    /// Nothing: agents that were started start none.
    Nobody,
    /// One of these tools.
    Tool(&'static [&'static str]),
    /// A switch of the definition.
    Field(FieldName),
}

/// What the prompt of an agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptUse {
    /// It takes the place of the harness's own prompt.
    Replaces,
    /// It follows the parent's prompt.
    FollowsParents,
    /// It follows the harness's own prompt.
    FollowsBase,
    /// It precedes a section of the harness's own.
    PrecedesBase,
    /// A field of the definition says whether it follows, with this word, or replaces.
    AsFieldSays {
        /// The field.
        field: FieldName,
        /// The word.
        follows: &'static str,
    },
}

/// How a skill that an agent lists reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillUse {
    /// Its whole text is part of the first prompt.
    Whole,
    /// Its name and description are; the text is read when it is needed.
    MetadataFirst,
}
