//! Which of the tools that exist an agent gets when it is started.
//!
//! "Nothing said", "none" and "all" stay three different things, and what a list asks for in vain
//! is told with the reason.

mod denied;

use std::collections::HashSet;

use agent_schema::dialect::{
    EffectRules, Inheritance, ListRules, ServerEntries, ToolDecision, UnknownTool, UnsetTools,
};
use agent_schema::tool_rules::{ToolRules, without_rule};
use agent_schema::vocabulary::Vocabulary;
use agent_schema::writing::Beside;
use agent_schema::{Definition, Dialect, FieldName, FieldValue, Name, Profile, ToolAccess};

use crate::blueprint::{first_of, item_provenance};
use crate::catalog::ToolCatalog;
use crate::config::Toolset;
use crate::effects::{EffectRule, Effects};
use crate::error::FactoryError;
use crate::grant::denied::Denied;
use crate::inherit;
use crate::left_out::{LeftOut, Reason};
use crate::provenance::{Provenance, Sourced};
use crate::start::{Role, Start};

/// The tools of an agent, with what it asks for in vain.
pub(crate) struct Granted {
    pub(crate) tools: Sourced<Toolset>,
    /// The rules that it is given by being started.
    pub(crate) given: Vec<Sourced<EffectRule>>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// Decides about the tools of a definition.
///
/// # Errors
/// If a tool is unknown and the harness refuses that, or nothing of a list is left where it wants
/// something to be.
pub(crate) fn grant(
    definition: &Definition,
    dialect: &Dialect,
    profile: &Profile,
    start: &Start<'_>,
    mode: Option<&str>,
) -> Result<Granted, FactoryError> {
    let factory = &profile.rules.factory;
    match factory.start.tools {
        ToolDecision::Effects(rules) => {
            let inherits = &factory.start.inherits;
            Ok(by_effects(definition, &rules, inherits, start))
        }
        ToolDecision::Lists(rules) => Lists {
            inherits: &factory.start.inherits,
            given: inherit::given(&factory.start.inherits, &[], start),
            denied: Denied::new(
                definition.names(FieldName::DISALLOWED_TOOLS),
                factory.tools,
                rules.servers,
            ),
            start,
            definition,
            dialect,
            rules,
            unset: factory.unset_tools,
            known: factory.tools,
            catalog: start.tools,
            words: profile.rules.writing.access.vocabulary,
            mode,
        }
        .grant(),
    }
}

/// Takes away the tools that rules deny as a whole: the definition's own, and those that come with
/// being started.
fn by_effects(
    definition: &Definition,
    rules: &EffectRules,
    inherits: &Inheritance,
    start: &Start<'_>,
) -> Granted {
    let own = Effects::of(definition, rules);
    let given = inherit::given(inherits, own.rules(), start);
    let mut effects = Effects::of(definition, rules);
    effects.append(&given);
    let from = first_of(definition, rules.fields, Provenance::Default);
    let mut left_out = Vec::new();
    let value = match start.tools.is_complete() {
        true => {
            let mut kept = Vec::new();
            for tool in start.tools.names() {
                if !effects.takes_away(tool) {
                    kept.push(Sourced::new(tool.to_owned(), effects.giver_of(tool)));
                } else if !own.takes_away(tool) {
                    let from = effects.giver_of(tool);
                    left_out.push(LeftOut {
                        field: FieldName::PERMISSION,
                        what: tool.to_owned(),
                        why: match from {
                            Provenance::Parent => Reason::DeniedByParent,
                            _ => Reason::OnlyIfNamed,
                        },
                        from,
                    });
                }
            }
            Toolset::Listed(kept)
        }
        false => Toolset::Everything {
            without: effects.denied_as_a_whole(),
        },
    };
    Granted {
        tools: Sourced::new(value, from),
        given,
        left_out,
    }
}

/// The lists of a definition, and what exists.
struct Lists<'a> {
    definition: &'a Definition,
    dialect: &'a Dialect,
    rules: ListRules,
    unset: UnsetTools,
    known: Option<&'static ToolRules>,
    catalog: &'a dyn ToolCatalog,
    /// The harness's own words for tools.
    words: &'static Vocabulary,
    /// What the definition denies.
    denied: Denied<'a>,
    inherits: &'a Inheritance,
    /// The rules that come with being started.
    given: Vec<Sourced<EffectRule>>,
    start: &'a Start<'a>,
    mode: Option<&'a str>,
}

/// What an entry of a list means.
enum Meaning {
    /// These tools.
    Tools(Vec<String>),
    /// Nothing.
    Nothing(Reason),
}

/// Which of the two lists an entry stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Allowed,
    Denied,
}

impl Lists<'_> {
    fn grant(&self) -> Result<Granted, FactoryError> {
        let definition = self.definition;
        if let Some(field) = self.rules.no_tools
            && definition.flag(field) == Some(true)
        {
            let from = Provenance::of(definition, field, Provenance::Default);
            return Ok(Granted {
                tools: Sourced::new(Toolset::Listed(Vec::new()), from),
                given: self.given.clone(),
                left_out: Vec::new(),
            });
        }
        let from = Provenance::of(definition, FieldName::TOOLS, Provenance::Default);
        let mut left_out = Vec::new();
        let value = match (definition.tools(), self.unset) {
            (ToolAccess::All, _) | (ToolAccess::Unset, UnsetTools::Everything) => {
                Toolset::Everything {
                    without: self.all_without(),
                }
            }
            (ToolAccess::Unset, UnsetTools::Nothing) => Toolset::Listed(Vec::new()),
            (ToolAccess::Listed(names), _) => Toolset::Listed(self.listed(names, &mut left_out)?),
        };
        Ok(Granted {
            tools: Sourced::new(value, from),
            given: self.given.clone(),
            left_out,
        })
    }

    /// What is taken away from all tools: what is denied, and what no subagent gets.
    fn all_without(&self) -> Vec<Sourced<String>> {
        let denied = self.definition.names(FieldName::DISALLOWED_TOOLS).iter();
        let mut without: Vec<Sourced<String>> = Vec::new();
        for name in denied {
            let tools = match self.meaning(&name.text, List::Denied) {
                Meaning::Tools(tools) if self.known.is_some() => tools,
                _ => vec![name.text.clone()],
            };
            let from = item_provenance(self.definition, FieldName::DISALLOWED_TOOLS, name);
            let along = self.known.into_iter().flat_map(|known| {
                let present = known.present_name(&name.text);
                let along = known.denied_along.iter();
                along.filter(move |(other, _)| *other == present)
            });
            let along = along.map(|(_, tool)| (*tool).to_owned());
            without.extend(
                tools
                    .into_iter()
                    .chain(along)
                    .map(|tool| Sourced::new(tool, from.clone())),
            );
        }
        let never = self.rules.never.iter();
        without.extend(
            never
                .filter(|never| self.never_gets(never.tool))
                .map(|never| Sourced::new(never.tool.to_owned(), Provenance::Default)),
        );
        without.extend(self.given.iter().filter_map(|rule| {
            let tool = &rule.value.action;
            let is_whole = inherit::denies_all_of(&rule.value, tool);
            is_whole.then(|| Sourced::new(tool.clone(), rule.from.clone()))
        }));
        without.extend(self.lacked_by_parent());
        without
    }

    /// The tools that there are and that the parent does not have, where it must.
    fn lacked_by_parent(&self) -> impl Iterator<Item = Sourced<String>> {
        let names = self.catalog.names().into_iter();
        let lacked = names.filter(|tool| !self.parent_has(tool));
        lacked.map(|tool| Sourced::new(tool.to_owned(), Provenance::Parent))
    }

    /// Returns whether an agent may choose a tool; those that every agent has it need not choose.
    fn parent_has(&self, tool: &str) -> bool {
        self.rules.always.contains(&tool) || inherit::parent_has(self.inherits, tool, self.start)
    }

    /// Returns the tools that are none of the harness's own, unless the definition leaves them out.
    fn brought_by_others(&self, beside: Beside) -> Vec<Sourced<String>> {
        let fields = std::iter::once(&beside.field).chain(beside.also);
        let mut written = fields.filter_map(|field| self.definition.field(*field));
        let keeps = FieldValue::Flag(!beside.switch);
        if written.any(|field| field.place.is_some() && field.value != keeps) {
            return Vec::new();
        }
        let others = self.catalog.names().into_iter();
        let others = others.filter(|tool| !self.words.knows(tool) && !self.denied.has(tool));
        others
            .map(|tool| Sourced::new(tool.to_owned(), Provenance::Default))
            .collect()
    }

    fn parent_denies(&self, tool: &str) -> bool {
        let mut rules = self.given.iter();
        rules.any(|rule| inherit::denies_all_of(&rule.value, tool))
    }

    fn listed(
        &self,
        names: &[Name],
        left_out: &mut Vec<LeftOut>,
    ) -> Result<Vec<Sourced<String>>, FactoryError> {
        let mut granted: Vec<Sourced<String>> = Vec::new();
        let mut once: HashSet<String> = HashSet::new();
        for name in names {
            let from = item_provenance(self.definition, FieldName::TOOLS, name);
            let leave_out = |what: &str, why| LeftOut {
                field: FieldName::TOOLS,
                what: what.to_owned(),
                why,
                from: from.clone(),
            };
            let tools = match self.meaning(&name.text, List::Allowed) {
                Meaning::Tools(tools) => tools,
                Meaning::Nothing(_) if self.rules.unknown == UnknownTool::Refused => {
                    return Err(self.unknown(name));
                }
                Meaning::Nothing(why) => {
                    left_out.push(leave_out(&name.text, why));
                    continue;
                }
            };
            for tool in tools {
                if self.never_gets(&tool) {
                    left_out.push(leave_out(&tool, Reason::NotForSubagents));
                } else if self.denied.has(&tool) {
                    left_out.push(leave_out(&tool, Reason::Denied));
                } else if !self.parent_has(&tool) {
                    left_out.push(leave_out(&tool, Reason::NotOfParent));
                } else if self.parent_denies(&tool) {
                    left_out.push(leave_out(&tool, Reason::DeniedByParent));
                } else if self.known.is_none() || once.insert(tool.clone()) {
                    granted.push(Sourced::new(tool, from.clone()));
                }
            }
        }
        self.add_tools(&mut granted, left_out);
        self.leave_out_beside(&mut granted, left_out);
        let in_vain = left_out.iter().any(|it| it.why != Reason::Denied);
        if self.rules.unknown == UnknownTool::LeftOutUnlessNothingIsLeft
            && self.start.role == Role::Subagent
            && granted.is_empty()
            && in_vain
        {
            return Err(FactoryError::no_tool_left(
                self.definition,
                self.dialect,
                left_out,
                self.catalog,
            ));
        }
        Ok(granted)
    }

    /// Adds what another field brings, and what every agent has beside its list.
    fn add_tools(&self, granted: &mut Vec<Sourced<String>>, left_out: &mut Vec<LeftOut>) {
        let adding = self.known.and_then(|known| known.adding);
        if let Some(adding) = adding
            && self.definition.field(adding.field).is_some()
        {
            let from = Provenance::of(self.definition, adding.field, Provenance::Default);
            for tool in adding.tools {
                if granted.iter().all(|it| it.value != *tool) && !self.denied.has(tool) {
                    granted.push(Sourced::new((*tool).to_owned(), from.clone()));
                }
            }
        }
        if let Some(beside) = self.rules.beside {
            granted.extend(self.brought_by_others(beside));
        }
        for tool in self.rules.always {
            let exists = !self.catalog.is_complete() || self.catalog.has(tool);
            if !exists || granted.iter().any(|it| it.value == *tool) {
                continue;
            }
            match self.parent_denies(tool) {
                true => left_out.push(LeftOut {
                    field: FieldName::TOOLS,
                    what: (*tool).to_owned(),
                    why: Reason::DeniedByParent,
                    from: Provenance::Parent,
                }),
                false => granted.push(Sourced::new((*tool).to_owned(), Provenance::Default)),
            }
        }
    }

    fn leave_out_beside(&self, granted: &mut Vec<Sourced<String>>, left_out: &mut Vec<LeftOut>) {
        let Some(known) = self.known else {
            return;
        };
        let asked: HashSet<String> = granted.iter().map(|tool| tool.value.clone()).collect();
        granted.retain(|tool| {
            let mut pairs = known.left_out_beside.iter();
            let beside = pairs.any(|(other, left)| *left == tool.value && asked.contains(*other));
            if beside {
                left_out.push(LeftOut {
                    field: FieldName::TOOLS,
                    what: tool.value.clone(),
                    why: Reason::BesideAnother,
                    from: tool.from.clone(),
                });
            }
            !beside
        });
    }

    /// Returns what an entry means.
    fn meaning(&self, entry: &str, list: List) -> Meaning {
        if let Some(servers) = self.rules.servers
            && let Some(rest) = entry.strip_prefix(servers.prefix)
        {
            return self.of_server(entry, rest, servers, list);
        }
        let Some(known) = self.known else {
            return match self.catalog.has(entry) {
                true => Meaning::Tools(vec![entry.to_owned()]),
                false => Meaning::Nothing(Reason::Unknown),
            };
        };
        let name = known.present_name(entry);
        if known.is_retired(name) {
            return Meaning::Nothing(Reason::Retired);
        }
        if !self.catalog.is_complete() {
            return Meaning::Tools(vec![without_rule(entry).to_owned()]);
        }
        let aliases = known.aliases.iter();
        let aliases = aliases.filter(|(_, present)| *present == name);
        let mut spellings = std::iter::once(name).chain(aliases.map(|(other, _)| *other));
        match spellings.find(|spelling| self.catalog.has(spelling)) {
            Some(tool) => Meaning::Tools(vec![tool.to_owned()]),
            None => Meaning::Nothing(Reason::Unknown),
        }
    }

    /// Returns the tools of servers that an entry means: all of them, those of one, or one tool.
    fn of_server(&self, entry: &str, rest: &str, rules: ServerEntries, list: List) -> Meaning {
        if rest == "*" && list == List::Allowed && !rules.all_may_be_allowed {
            return Meaning::Nothing(Reason::Unknown);
        }
        if !self.catalog.is_complete() {
            return Meaning::Tools(vec![entry.to_owned()]);
        }
        let (server, tool) = match rest.split_once(rules.separator) {
            Some((server, tool)) => (server, tool),
            None => (rest, "*"),
        };
        let start = match server {
            "*" => rules.prefix.to_owned(),
            server => format!("{}{server}{}", rules.prefix, rules.separator),
        };
        let names = self.catalog.names().into_iter();
        let tools: Vec<String> = names
            .filter(|name| match tool {
                "*" => name.starts_with(&start),
                _ => *name == entry,
            })
            .map(str::to_owned)
            .collect();
        match tools.is_empty() {
            true => Meaning::Nothing(Reason::NoSuchServer),
            false => Meaning::Tools(tools),
        }
    }

    fn never_gets(&self, tool: &str) -> bool {
        let present = |tool| self.known.map_or(tool, |known| known.present_name(tool));
        let mut never = self.rules.never.iter();
        self.start.role == Role::Subagent
            && never.any(|never| {
                let exempt = never.unless_mode.is_some() && never.unless_mode == self.mode;
                present(never.tool) == present(tool) && !exempt
            })
    }

    fn unknown(&self, name: &Name) -> FactoryError {
        let place = crate::blueprint::item_place(self.definition, FieldName::TOOLS, name);
        FactoryError::unknown_tool(self.definition, self.dialect, name, self.catalog, place)
    }
}
