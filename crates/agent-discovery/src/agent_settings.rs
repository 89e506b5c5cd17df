//! What settings say about agents by their names: which are switched off, which none can call, and
//! which one leads.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use agent_schema::coerce::shorten;
use agent_schema::dialect::{ChosenAgent, SkipRule};
use agent_schema::suggest::nearest;
use agent_schema::surroundings::{AgentDenials, AgentSwitches, MainAgentSetting, SettingsLevel};
use agent_schema::value::{Node, Value};
use agent_schema::{Diagnostic, FieldName, Level, Related, Severity, Span, rules};
use indexmap::IndexMap;

use crate::discover::{Choice, Discovery};
use crate::entry::{Entry, Source, State};
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::listing::Listed;
use crate::reported::reported;
use crate::surroundings::{MOST_BYTES, path_of, read_path, value_at};

/// The agents that settings switch off or on, the strongest file first.
pub(crate) struct SwitchedOff {
    files: Vec<(PathBuf, Node)>,
    rules: &'static AgentSwitches,
}

impl SwitchedOff {
    pub(crate) fn read(
        tree: &dyn FileTree,
        rules: &'static AgentSwitches,
        inputs: &Inputs,
    ) -> Self {
        let files = rules.files.iter().filter_map(|file| {
            let path = path_of(tree, &file.file, inputs)?;
            let root = read_path(tree, &path)?;
            Some((path, root))
        });
        SwitchedOff {
            files: files.collect(),
            rules,
        }
    }

    /// Returns the file that switches an agent off, and where it does.
    fn of(&self, name: &str) -> Option<(&Path, Span)> {
        let said = self.files.iter().find_map(|(path, root)| {
            let agents = value_at(root, self.rules.keys)?;
            let switch = value_at(agents, &[name, self.rules.off])?;
            match switch.get() {
                Value::Bool(off) => Some((path, switch.span, *off)),
                _ => None,
            }
        });
        let (path, span, _) = said.filter(|(.., off)| *off)?;
        Some((path, span))
    }

    /// Switches the agents off; what lost its name to one of them stays lost.
    pub(crate) fn apply(&self, title: &str, entries: &mut [Entry]) {
        for entry in entries {
            if entry.state != State::Active {
                continue;
            }
            let Some((file, at)) = entry.name().and_then(|name| self.of(name)) else {
                continue;
            };
            let mut diagnostic = Diagnostic::new(
                &rules::SWITCHED_OFF,
                format!("`{}` is switched off", entry.name().unwrap_or_default()),
            )
            .because(format!("{title} reads the switch from the settings"))
            .help("remove the switch if the agent should load");
            diagnostic.span = entry.name_place();
            diagnostic.related.push(Related {
                file: Some(reported(file)),
                span: Some(at),
                message: "the settings switch it off".to_owned(),
            });
            entry.diagnostics.push(diagnostic);
            entry.state = State::SwitchedOff;
        }
    }
}

/// Switches off the agents whose own files say so; what lost its name to one of them stays lost.
pub(crate) fn switch_off_by_field(title: &str, switch: FieldName, entries: &mut [Entry]) {
    for entry in entries.iter_mut().filter(|it| it.state == State::Active) {
        let Some(definition) = entry.definition() else {
            continue;
        };
        if definition.flag(switch) != Some(false) {
            continue;
        }
        let message = format!("`{}` is switched off in its own file", definition.name());
        let mut diagnostic = Diagnostic::new(&rules::SWITCHED_OFF, message)
            .because(format!(
                "{title} keeps the name for the agent, and nobody can call it"
            ))
            .help(format!("remove `{switch}` if the agent should be called"));
        // Its author has written it there.
        diagnostic.severity = Severity::Info;
        diagnostic.span = definition.place(switch).map(|place| place.value);
        entry.diagnostics.push(diagnostic);
        entry.state = State::SwitchedOff;
    }
}

/// Files of settings that are there, the strongest first and none twice.
struct Said {
    files: IndexMap<PathBuf, (Level, Node)>,
}

impl Said {
    fn read(tree: &dyn FileTree, levels: &[SettingsLevel], inputs: &Inputs) -> Self {
        let mut said = Said {
            files: IndexMap::new(),
        };
        for level in levels {
            let Some(path) = path_of(tree, &level.file, inputs) else {
                continue;
            };
            let beside = path.parent().unwrap_or(&path);
            let drop_ins = level.drop_ins.map(|folder| beside.join(folder));
            let drop_ins = drop_ins.iter().flat_map(|folder| files_in(tree, folder));
            for path in drop_ins.chain([path.clone()]) {
                if let Some(root) = read_path(tree, &path) {
                    said.files.entry(path).or_insert((level.level, root));
                }
            }
        }
        said
    }
}

/// Lists the JSON files in a folder, the last one first: it is laid over the others.
fn files_in(tree: &dyn FileTree, folder: &Path) -> Vec<PathBuf> {
    let mut items = tree.list(folder).unwrap_or_default();
    items.sort();
    let names = items.into_iter().rev().map(|item| item.name);
    let files = names.filter(|name| {
        let name = name.to_string_lossy();
        name.ends_with(".json") && !name.starts_with('.')
    });
    files.map(|name| folder.join(name)).collect()
}

/// Notes agents that rules in settings keep from being called. They stay what they are: a person
/// can still start them.
pub(crate) fn note_denied(
    tree: &dyn FileTree,
    denials: &AgentDenials,
    inputs: &Inputs,
    entries: &mut [Entry],
) {
    let said = Said::read(tree, denials.files, inputs);
    let mut denied: HashMap<&str, Vec<Related>> = HashMap::new();
    for (path, (_, root)) in &said.files {
        let list = value_at(root, denials.keys).and_then(Node::as_list);
        for rule in list.unwrap_or_default() {
            let name = rule.as_text().and_then(|rule| denied_agent(rule, denials));
            if let Some(name) = name {
                denied.entry(name).or_default().push(Related {
                    file: Some(reported(path)),
                    span: Some(rule.span),
                    message: "the rule stands here".to_owned(),
                });
            }
        }
    }
    let answers = |entry: &&mut Entry| entry.state == State::Active;
    for entry in entries.iter_mut().filter(answers) {
        let own = entry.name().and_then(|name| denied.get(name));
        if let Some(own) = own {
            let finding = denied_by(entry, denials, own.clone());
            entry.diagnostics.push(finding);
        }
    }
}

/// Returns the agent that a rule is about: `Agent(reviewer)`.
fn denied_agent<'a>(rule: &'a str, denials: &AgentDenials) -> Option<&'a str> {
    let (tool, name) = rule.strip_suffix(')')?.split_once('(')?;
    denials.tools.contains(&tool).then_some(name)
}

fn denied_by(entry: &Entry, denials: &AgentDenials, places: Vec<Related>) -> Diagnostic {
    let name = entry.name().unwrap_or_default();
    let help = match places.len() {
        1 => "remove the rule if other agents should call this one",
        _ => "remove the rules if other agents should call this one",
    };
    let mut finding = Diagnostic::new(
        &rules::SWITCHED_OFF,
        format!("no agent can call `{name}`: the settings deny it"),
    )
    .because(denials.why)
    .help(help);
    finding.span = entry.name_place();
    finding.related = places.into();
    finding
}

/// Tells of a setting that names nobody as the agent of the main thread: makes an entry of its file.
pub(crate) fn note_main_agent(
    tree: &dyn FileTree,
    setting: &MainAgentSetting,
    inputs: &Inputs,
    found: &mut Discovery,
) {
    let said = Said::read(tree, setting.files, inputs);
    let named = said.files.iter().find_map(|(path, (level, root))| {
        let value = value_at(root, setting.keys)?;
        let name = value.as_text().filter(|name| !name.is_empty())?;
        Some((path, *level, value.span, name))
    });
    let Some((path, level, span, name)) = named else {
        return;
    };
    if answers(found, name) || said.has_plugins(setting) {
        return;
    }
    let builtins = found.search.builtins.iter().map(|agent| agent.name);
    let may_answer =
        |entry: &&Entry| matches!(entry.state, State::Active | State::Undefined { .. });
    let entries = found.entries.iter().filter(may_answer);
    let known = entries.filter_map(Entry::name).chain(builtins);
    let help = known_or_none(name, known);
    let finding = Diagnostic::new(
        &rules::UNKNOWN_AGENT,
        format!(
            "`{}` names `{}`, and no agent is called so",
            setting.keys.join("."),
            shorten(name)
        ),
    );
    let finding = finding.at(span).because(setting.why).help(help);
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let source = Source {
        level,
        reported: reported(path),
        path: Some(path.clone()),
        inside: None,
        place: None,
        scan_index: u32::try_from(found.entries.len()).unwrap_or(u32::MAX),
    };
    let bytes = tree.read(path, MOST_BYTES).ok();
    found.entries.push(Entry {
        state: State::Ignored(SkipRule::Settings),
        diagnostics: vec![finding],
        bytes: bytes.map(Into::into),
        ..Entry::named(file_name.into_owned(), source)
    });
}

/// Says what to write instead of a name that no agent has.
fn known_or_none<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some(meant) => format!("write `{meant}`"),
        None => "write the name of an agent, or remove the setting".to_owned(),
    }
}

/// Tells of settings that choose an agent which there is not, or which people cannot talk to.
pub(crate) fn note_chosen(rules: &ChosenAgent, found: &mut Discovery) {
    let Some(Choice { mut file, at }) = found.chosen.take() else {
        return;
    };
    let name = found.general.text(rules.field);
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return;
    };
    // Why an agent of this name is lost is told where it is written.
    if !found.would_have_been(name).is_empty() {
        return;
    }
    let listed = found.listing();
    let agent = listed.iter().find(|agent| agent.name() == name);
    let is_disabled = |entry: &Entry| {
        entry.merged_name() == Some(name) && entry.state == State::Ignored(SkipRule::Disabled)
    };
    let unfit = match agent {
        Some(agent) => match (rules.unfit)(&agent.definition(found)) {
            Some(kind) => Some(kind),
            None => return,
        },
        None => found.entries.iter().any(is_disabled).then_some("disabled"),
    };
    let (complaint, help) = match unfit {
        Some(kind) => (
            format!("which is {kind}"),
            "choose an agent that people can talk to, or change this one".to_owned(),
        ),
        None => (
            "and no agent is called so".to_owned(),
            known_or_none(name, listed.iter().map(Listed::name)),
        ),
    };
    let mut finding = Diagnostic::new(
        &rules::UNKNOWN_AGENT,
        format!("`{}` names `{}`, {complaint}", rules.field, shorten(name)),
    )
    .at(at)
    .because(rules.otherwise)
    .help(help);
    finding.severity = rules.severity;
    let is_file = |entry: &&mut Entry| {
        let (own, its) = (&file.source, &entry.source);
        its.inside.is_none() && its.place == own.place
    };
    if let Some(known) = found.entries.iter_mut().find(is_file) {
        known.diagnostics.push(finding);
        return;
    }
    file.source.scan_index = u32::try_from(found.entries.len()).unwrap_or(u32::MAX);
    file.diagnostics = vec![finding];
    found.entries.push(file);
}

/// Returns whether an agent answers to a name, or may do so in a plugin that no search finds.
fn answers(found: &Discovery, name: &str) -> bool {
    let cut_at = found.profile.rules.lookup.cut_at;
    let is_cut = |own: &str| {
        let prefix = own.strip_suffix(name);
        prefix.is_some_and(|prefix| cut_at.is_some_and(|cut_at| prefix.ends_with(cut_at)))
    };
    let is_own = |entry: &Entry| {
        let own = entry.name().unwrap_or_default();
        own == name || entry.source.level == Level::Plugin && is_cut(own)
    };
    let mut builtins = found.search.builtins.iter();
    builtins.any(|agent| agent.name == name)
        || cut_at.is_some_and(|cut_at| name.contains(cut_at))
        || found.entries.iter().any(is_own)
}

impl Said {
    /// Returns whether an installed plugin is switched on.
    fn has_plugins(&self, setting: &MainAgentSetting) -> bool {
        self.files.values().any(|(_, root)| {
            let plugins = value_at(root, setting.plugins).and_then(Node::as_map);
            let mut plugins = plugins.iter().flat_map(|map| &map.entries);
            plugins.any(|plugin| *plugin.value.get() != Value::Bool(false))
        })
    }
}
