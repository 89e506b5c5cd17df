//! The JSON files of OpenCode: `opencode.json` and its kin.
//!
//! Source: the cases `discover/json-*`, `discover/v2-*` and `discover/mode-key-json`, and
//! OpenCode's `config/v2-compat.ts` for the `agents` map, which is the form of its second line.

use crate::coerce::{Coerced, Problem, Remarks, pydantic};
use crate::definition::{FieldName, FieldValue, Located};
use crate::diagnostic::Severity;
use crate::dialect::{
    Absent, AgentMap, AliasUse, ChosenAgent, Field, KeyRules, NotTextKeys, ReadingRules,
    ReservedKey, SettingsRules, Tokens, Turn, UnknownKeys,
};
use crate::finish::{self, Finish};
use crate::header::Consequence;
use crate::json;
use crate::value::Node;

use super::fields::{self, VARIANT};
use super::{AGENT_READING, make_primary, normalize, permission, unfit_patterns};

/// The agent that people talk to first.
pub(super) const DEFAULT_AGENT: FieldName = FieldName::of_dialect("default_agent");

/// It is looked up when a session begins.
pub(super) const CHOSEN: ChosenAgent = ChosenAgent {
    field: DEFAULT_AGENT,
    unfit: |definition| {
        let is_subagent = definition.text(FieldName::MODE) == Some("subagent");
        let is_hidden = definition.flag(FieldName::HIDDEN) == Some(true);
        is_subagent
            .then_some("a subagent")
            .or(is_hidden.then_some("hidden"))
    },
    otherwise: "OpenCode looks it up when a session begins, and fails there",
    severity: Severity::Error,
};

/// In the second line another agent takes its place.
pub(super) const CHOSEN_OR_BUILD: ChosenAgent = ChosenAgent {
    otherwise: "OpenCode takes `build` where it cannot take the agent that is named",
    severity: Severity::Warning,
    ..CHOSEN
};

/// A map of agents, as far as its form is checked with the rest of the file.
const AGENTS: FieldName = FieldName::of_dialect("agents");

/// What the second line knows and the first one refuses, in the file and in each agent (case
/// `discover/v2-permissions-rejected`).
const OF_SECOND_LINE: &[ReservedKey] = &[PERMISSIONS];

const PERMISSIONS: ReservedKey = ReservedKey {
    key: "permissions",
    why: "only the second line of OpenCode knows it; the first one fails at this file, and no \
          agent can be used, whatever file it is in",
    refused: Consequence::Fatal,
    instead: Some("permission"),
    help: "write `permission`, or run the second line of OpenCode",
};

/// All JSON files are read alike, whatever their name says.
pub(super) static RULES: SettingsRules = SettingsRules {
    encoding: AGENT_READING.encoding,
    json: json::WITH_COMMENTS,
    tokens: Tokens::Replaced,
    general: GENERAL,
    agents: &[
        AgentMap {
            key: "agent",
            reading: ENTRY,
            yields_to: None,
            turn: Turn::InOrder,
        },
        AgentMap {
            key: "agents",
            reading: SECOND_LINE_ENTRY,
            yields_to: Some("agent"),
            turn: Turn::InOrder,
        },
        AgentMap {
            key: "mode",
            reading: MODE_ENTRY,
            yields_to: None,
            turn: Turn::Last,
        },
    ],
};

/// What the file says beside the agents.
pub(super) const GENERAL: ReadingRules = ReadingRules {
    keys: KeyRules {
        unknown: UnknownKeys::NotOurs,
        reserved: OF_SECOND_LINE,
        not_text: NotTextKeys::PassedOver,
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: FOR_OTHERS,
    },
    fields: &[
        Field {
            key: "permission",
            aliases: &[],
            target: FieldName::PERMISSION,
            read: permission::read,
            absent: Absent::Unset,
            accepts: "`ask`, `allow` or `deny`, or a mapping",
        },
        Field {
            key: "tools",
            aliases: &[],
            target: FieldName::TOOLS,
            read: permission::read_tools,
            absent: Absent::Unset,
            accepts: "a mapping from tool names to `true` or `false`",
        },
        DEFAULT_AGENT_FIELD,
        map_of_agents("agent", agents),
        map_of_agents("agents", second_line_agents),
        map_of_agents("mode", agents),
    ],
    shown: &[],
    finish: |finish| {
        permission::note_never_asked(finish, permission::ASKED_AS_EDIT);
        unfit_patterns::note(finish);
    },
    resolve: finish::as_read,
    ..AGENT_READING
};

/// Keys that are there for other parts of the harness: its schema of the settings, and its pages on
/// them.
const FOR_OTHERS: &[&str] = &[
    "$schema",
    "autoshare",
    "autoupdate",
    "command",
    "commands",
    "compaction",
    "disabled_providers",
    "enabled_providers",
    "enterprise",
    "experimental",
    "formatter",
    "instructions",
    "keybinds",
    "layout",
    "logLevel",
    "lsp",
    "mcp",
    "model",
    "plugin",
    "plugins",
    "provider",
    "providers",
    "server",
    "share",
    "skills",
    "small_model",
    "snapshot",
    "theme",
    "tool_output",
    "tui",
    "username",
    "watcher",
];

/// Of all that a file says beside the agents, the choice of the first one.
pub(super) static CHOICE_ONLY: &[Field] = &[DEFAULT_AGENT_FIELD];

const DEFAULT_AGENT_FIELD: Field = Field {
    key: "default_agent",
    aliases: &[],
    target: DEFAULT_AGENT,
    read: default_agent,
    absent: Absent::Unset,
    accepts: "the name of an agent",
};

const fn map_of_agents(key: &'static str, read: fn(&Node, &mut Remarks<'_>) -> Coerced) -> Field {
    Field {
        key,
        aliases: &[],
        target: AGENTS,
        read,
        absent: Absent::Unset,
        accepts: "a mapping from names to agents",
    }
}

/// An entry of `agent`.
const ENTRY: ReadingRules = ReadingRules {
    keys: KeyRules {
        reserved: OF_SECOND_LINE,
        ..AGENT_READING.keys
    },
    fields: fields::ENTRY,
    finish: finish_entry,
    ..AGENT_READING
};

/// An entry of `mode`, the old form of agents that people talk to.
const MODE_ENTRY: ReadingRules = ReadingRules {
    finish: |finish| {
        finish_entry(finish);
        make_primary(finish);
    },
    ..ENTRY
};

/// An entry of `agents`. One that does not fit is left out alone, with a line in the log.
const SECOND_LINE_ENTRY: ReadingRules = ReadingRules {
    keys: KeyRules {
        unknown: UnknownKeys::Dropped,
        // An agent in this map cannot have the permissions of the first line.
        reserved: &[ReservedKey {
            instead: None,
            help: "write the agent below `agent`, with `permission`, or run the second line of \
                   OpenCode",
            ..PERMISSIONS
        }],
        not_text: NotTextKeys::PassedOver,
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: &[],
    },
    fields: fields::SECOND_LINE_ENTRY,
    refused: Consequence::Rejected,
    finish: |finish| {
        split_variant(finish);
        finish_entry(finish);
    },
    ..AGENT_READING
};

/// The key of the map is what the agent is found by; `name` only changes what is shown (case
/// `json-name-differs-from-key`).
fn finish_entry(finish: &mut Finish<'_>) {
    normalize(finish);
    permission::note_never_asked(finish, permission::ASKED_AS_EDIT);
    let key = FieldValue::text(finish.stem.to_owned());
    finish.definition.set(FieldName::KEY, Located::implied(key));
}

/// Takes the variant off `provider/model#variant`.
pub(super) fn split_variant(finish: &mut Finish<'_>) {
    let definition = &mut *finish.definition;
    let model = definition.field(FieldName::MODEL);
    let Some((model, place)) = model.and_then(|model| Some((model, model.place?))) else {
        return;
    };
    let FieldValue::Text(text) = &model.value else {
        return;
    };
    let Some((model, variant)) = text.split_once('#') else {
        return;
    };
    let written =
        |text: &str| Located::written(FieldValue::text(text.to_owned()), place.key, place.value);
    let (model, variant) = (written(model), written(variant));
    definition.set(FieldName::MODEL, model);
    definition.set(VARIANT, variant);
}

fn default_agent(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.as_text() {
        Some(text) => Ok(Some(FieldValue::text(text.to_owned()))),
        None => Err(Problem::rejects(
            node.span,
            format!("must be a text, not {}", pydantic::article(node)),
        )),
    }
}

/// Checks the form of a map of agents.
fn agents(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let Some(map) = node.as_map() else {
        return Err(Problem::rejects(
            node.span,
            format!("must be a mapping, not {}", pydantic::article(node)),
        ));
    };
    for entry in &map.entries {
        if entry.value.as_map().is_none() {
            let key = entry.key.as_text().unwrap_or_default();
            let complaint = format!("must be a mapping, not {}", pydantic::article(&entry.value));
            let problem = Problem::rejects(entry.value.span, complaint);
            remarks.further.push(problem.within(key));
        }
    }
    Ok(None)
}

/// The map of the second line: a form that does not fit is passed over with a line in the log.
fn second_line_agents(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    if node.as_map().is_some() {
        return Ok(None);
    }
    let complaint = format!("is {} and is passed over", pydantic::article(node));
    Err(Problem::leaves_unset(node.span, complaint))
}
