//! What settings say about agents by their names: which are switched off, and which none can call.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use agent_schema::surroundings::{AgentDenials, AgentSwitches, SettingsLevel};
use agent_schema::value::{Node, Value};
use agent_schema::{Diagnostic, Related, Span, rules};
use indexmap::IndexMap;

use crate::entry::{Entry, State};
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::reported::reported;
use crate::surroundings::{path_of, read_path, value_at};

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
            let path = path_of(tree, file, inputs)?;
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

/// Files of settings that are there, the strongest first and none twice.
struct Said {
    files: IndexMap<PathBuf, Node>,
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
                    said.files.entry(path).or_insert(root);
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
    for (path, root) in &said.files {
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
    finding.related = places;
    finding
}
