//! What settings say about agents in the place of what their files say.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use agent_schema::coerce::pydantic;
use agent_schema::dialect::SkipRule;
use agent_schema::surroundings::{AgentSwitches, Override, OverrideValue};
use agent_schema::value::{Entry as Key, Node, Value};
use agent_schema::{
    Definition, Diagnostic, Fate, FieldName, FieldValue, Level, Located, Name, Outcome, Parsed,
    rules,
};

use crate::discover::Discovery;
use crate::entry::{Entry, Source, State};
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::merge::{Layer, Merged};
use crate::reported::reported;
use crate::surroundings::{MOST_BYTES, path_of, read_path, value_at};

/// Lays what settings say over the agents that have their names, the weakest file first. What a
/// file says about an agent becomes an entry that is merged into it.
pub(crate) fn apply(
    tree: &dyn FileTree,
    rules: &AgentSwitches,
    inputs: &Inputs,
    found: &mut Discovery,
) {
    let mut active = HashMap::new();
    for (index, entry) in found.entries.iter().enumerate() {
        if let Some(name) = entry.name().filter(|_| entry.state == State::Active) {
            active.entry(name.to_owned()).or_insert(index);
        }
    }
    for file in rules.files.iter().rev() {
        let Some(path) = path_of(tree, &file.file, inputs) else {
            continue;
        };
        let Some(root) = read_path(tree, &path) else {
            continue;
        };
        let bytes = tree.read(&path, MOST_BYTES).ok().map(Arc::from);
        let agents = value_at(&root, rules.keys).and_then(Node::as_map);
        let settings = Settings {
            level: file.level,
            path,
            bytes,
            rules,
        };
        for agent in agents.iter().flat_map(|agents| &agents.entries) {
            settings.lay_over(agent, &active, found);
        }
    }
}

/// A file of settings.
struct Settings<'a> {
    level: Level,
    path: PathBuf,
    bytes: Option<Arc<[u8]>>,
    rules: &'a AgentSwitches,
}

/// What settings say about one agent.
#[derive(Default)]
struct Said {
    definition: Definition,
    /// The fields that lose what the file gave them.
    cleared: Vec<FieldName>,
    refused: Vec<Diagnostic>,
}

impl Settings<'_> {
    /// Lays what stands about one agent over it; `active` are the agents by name.
    fn lay_over(&self, agent: &Key, active: &HashMap<String, usize>, found: &mut Discovery) {
        let Some(name) = agent.key.as_text() else {
            return;
        };
        let mut said = self.read(&agent.value, found.dialect.title);
        let index = active.get(name).copied();
        let says_nothing = said.definition.fields().next().is_none() && said.cleared.is_empty();
        let state = match index {
            Some(into) if !says_nothing => State::Merged { into },
            None if self.switches_off(&agent.value) && is_free_builtin(found, name) => {
                State::Ignored(SkipRule::Disabled)
            }
            _ if said.refused.is_empty() => return,
            _ => State::Ignored(SkipRule::Settings),
        };
        let layer = found.entries.len();
        if let State::Merged { into } = state {
            let agent = &mut found.entries[into];
            let read = agent.definition().cloned();
            let merged = agent.merged.get_or_insert_with(|| {
                let mut merged = Merged::new(found.profile.rules.reading.shown);
                if let Some(read) = &read {
                    merged.lay(Layer::Entry(into), read, &[]);
                }
                Box::new(merged)
            });
            merged.take_over(Layer::Entry(layer), &said.definition, &said.cleared);
        }
        let named = FieldValue::text(name.to_owned());
        let key = agent.key.span;
        said.definition
            .set(FieldName::NAME, Located::written(named, key, key));
        let entry = self.entry(name, state, said, layer);
        found.entries.push(entry);
    }

    /// Returns whether an agent is switched off.
    fn switches_off(&self, agent: &Node) -> bool {
        let switch = value_at(agent, &[self.rules.off]);
        switch.is_some_and(|switch| *switch.get() == Value::Bool(true))
    }

    fn entry(&self, name: &str, state: State, said: Said, number: usize) -> Entry {
        let outer = self.rules.keys.last().copied().unwrap_or_default();
        let file_name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let source = Source {
            level: self.level,
            path: Some(self.path.clone()),
            inside: Some(format!("{outer}.{name}")),
            place: None,
            scan_index: u32::try_from(number).unwrap_or(u32::MAX),
            reported: reported(&self.path),
        };
        Entry {
            parsed: Some(Parsed {
                outcome: Outcome::Loaded(Arc::new(said.definition)),
                fate: Fate::Loaded,
                lost: Vec::new(),
                rights_widened: false,
                diagnostics: Vec::new(),
            }),
            diagnostics: said.refused,
            state,
            bytes: self.bytes.clone(),
            ..Entry::named(file_name.into_owned(), source)
        }
    }

    /// Reads the keys that replace something.
    fn read(&self, agent: &Node, title: &str) -> Said {
        let mut said = Said::default();
        let map = agent.as_map();
        for replacing in self.rules.overrides {
            let Some(key) = map.and_then(|map| map.get(replacing.key)) else {
                continue;
            };
            if said.take(replacing, key).is_none() {
                said.refused.push(refused(replacing, &key.value, title));
            }
        }
        said
    }
}

impl Said {
    /// Takes the value of a key; nothing if the harness refuses it.
    fn take(&mut self, replacing: &Override, key: &Key) -> Option<()> {
        let Override { target, takes, .. } = *replacing;
        let value = match (takes, key.value.get()) {
            (OverrideValue::TextOrNone | OverrideValue::NamesOrNone, Value::Bool(false))
            | (OverrideValue::MapOrNone, Value::Bool(false)) => {
                self.cleared.push(target);
                return Some(());
            }
            (OverrideValue::Text | OverrideValue::TextOrNone, _) => {
                FieldValue::text(key.value.as_text()?.to_owned())
            }
            (OverrideValue::Flag, Value::Bool(flag)) => FieldValue::Flag(*flag),
            (OverrideValue::NamesOrNone, _) => FieldValue::Names(names(&key.value)?),
            (
                OverrideValue::Tools {
                    inherit,
                    of_servers,
                },
                value,
            ) => {
                return self.take_tools(replacing, key, value, inherit, of_servers);
            }
            (OverrideValue::MapOrNone, Value::Map(_)) => {
                // The whole map is another one; nothing of the file's is kept beside it.
                self.cleared.push(target);
                FieldValue::config(key.value.clone())
            }
            _ => return None,
        };
        self.set(target, value, key);
        Some(())
    }

    /// Takes a list of tools, which takes the place of the tools of servers too.
    fn take_tools(
        &mut self,
        replacing: &Override,
        key: &Key,
        value: &Value,
        inherit: &str,
        (beginning, of_servers): (&str, FieldName),
    ) -> Option<()> {
        let inherits = key.value.as_text().map(str::trim) == Some(inherit);
        let all = match value {
            _ if inherits => {
                self.cleared.extend([replacing.target, of_servers]);
                return Some(());
            }
            Value::Bool(false) => Vec::new(),
            _ => names(&key.value)?,
        };
        let is_of_server = |name: &Name| name.text.starts_with(beginning);
        let (mut servers, own): (Vec<Name>, Vec<Name>) = all.into_iter().partition(is_of_server);
        for name in &mut servers {
            name.text.drain(..beginning.len());
        }
        self.set(replacing.target, FieldValue::Names(own), key);
        match servers.is_empty() {
            true => self.cleared.push(of_servers),
            false => self.set(of_servers, FieldValue::Names(servers), key),
        }
        Some(())
    }

    fn set(&mut self, field: FieldName, value: FieldValue, key: &Key) {
        let located = Located::written(value, key.key.span, key.value.span);
        self.definition.set(field, located);
    }
}

/// Returns whether a name is that of an agent which the harness brings itself and no file has.
fn is_free_builtin(found: &Discovery, name: &str) -> bool {
    let mut builtins = found.search.builtins.iter();
    let mut entries = found.entries.iter();
    builtins.any(|agent| agent.name == name) && !entries.any(|entry| entry.name() == Some(name))
}

/// Reads a list of texts; those that say nothing are left out.
fn names(list: &Node) -> Option<Vec<Name>> {
    let mut names = Vec::new();
    for item in list.as_list()? {
        let text = item.as_text()?.trim();
        if !text.is_empty() {
            names.push(Name {
                text: text.to_owned(),
                span: Some(item.span),
            });
        }
    }
    Some(names)
}

fn refused(replacing: &Override, value: &Node, title: &str) -> Diagnostic {
    let accepts = match replacing.takes {
        OverrideValue::Text => "a text",
        OverrideValue::TextOrNone => "a text or `false`",
        OverrideValue::Flag => "`true` or `false`",
        OverrideValue::NamesOrNone => "a list of texts or `false`",
        OverrideValue::Tools { .. } => "a list of texts, `\"inherit\"` or `false`",
        OverrideValue::MapOrNone => "a mapping or `false`",
    };
    Diagnostic::new(
        &rules::INVALID_VALUE,
        format!(
            "`{}` must be {accepts}, not {}",
            replacing.key,
            pydantic::article(value)
        ),
    )
    .at(value.span)
    .about(replacing.target)
    .because(format!(
        "{title} refuses the whole file of settings with an error"
    ))
    .help(format!("`{}` takes {accepts}", replacing.key))
    .said_by_harness()
}
