//! From a file of settings to entries: one for each agent in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_schema::dialect::{SettingsRules, SkipRule, Tokens};
use agent_schema::merge::lay_over;
use agent_schema::settings::{ParsedSettings, SettingsEntry, add_fixes, parse_settings};
use agent_schema::text::MappedText;
use agent_schema::{
    Definition, Diagnostic, Dialect, Fate, FieldName, FieldValue, Limit, Located, Outcome, Span,
    json, rules,
};

use crate::discover::{Choice, Search, StopAt, StopKind};
use crate::entry::{Entry, Source, State};
use crate::file_tree::{FileError, FileTree, Kind};
use crate::inputs::Inputs;
use crate::places::{Extent, Located as LocatedPlace, PlaceState, Searched};
use crate::reported::reported;
use crate::{tokens, trouble};

impl Search<'_> {
    /// Reads a file of settings.
    pub(crate) fn visit_settings(
        &mut self,
        place: &LocatedPlace,
        path: PathBuf,
        rules: &'static SettingsRules,
        inputs: &Inputs,
    ) {
        let unit = self.found.places.len();
        let origin = match &place.text {
            Some(text) => Origin::Text(text.clone()),
            None => Origin::File(path.clone()),
        };
        let source = Source {
            level: place.level,
            reported: reported(&path),
            path: place.text.is_none().then(|| path.clone()),
            inside: None,
            place: Some(unit),
            scan_index: 0,
        };
        let reader = SettingsReader {
            tree: self.tree,
            dialect: self.found.dialect,
            rules,
            inputs,
        };
        let read = place.switched_on.then(|| reader.read(&origin, &source));
        let state = match &read {
            None => PlaceState::SwitchedOff,
            Some(None) => PlaceState::Missing,
            Some(Some(read)) => PlaceState::Listed {
                entries: read.entries.len(),
            },
        };
        self.found.places.push(Searched {
            level: place.level,
            path,
            extent: Extent::Folder,
            state,
            unit,
            above: place.above,
        });
        let Some(read) = read.flatten() else { return };
        if let Some((at, diagnostic)) = read.fatal {
            let entry = self.found.entries.len() + at;
            self.stop(StopAt::Entry(entry), StopKind::Refuses, diagnostic);
        }
        if let Some((general, file)) = read.general {
            let chosen = self.found.profile.rules.merging.chosen;
            let place = chosen.and_then(|chosen| general.place(chosen.field));
            if let Some(place) = place {
                let at = place.value;
                self.found.chosen = Some(Choice { file, at });
            }
            lay_over(&mut self.found.general, &general, &[]);
        }
        for entry in read.entries {
            self.add(entry);
        }
    }

    /// Lays what a variable says over the permissions for all agents.
    pub(crate) fn take_permissions(&mut self, inputs: &Inputs) {
        let merging = &self.found.profile.rules.merging;
        let text = merging
            .permission_variable
            .and_then(|name| inputs.variables.get(name));
        let Some(text) = text else { return };
        // The harness ends with an error if this is no JSON; the files are not to blame.
        let Ok(node) = json::read(&MappedText::plain(text), json::JAVASCRIPT) else {
            return;
        };
        let mut said = Definition::default();
        let permission = Located::implied(FieldValue::config(node));
        said.set(FieldName::PERMISSION, permission);
        lay_over(&mut self.found.general, &said, &[]);
    }
}

/// Where settings come from.
enum Origin {
    /// A file.
    File(PathBuf),
    /// The text of a variable of the environment. Relative paths in it begin in the working
    /// folder.
    Text(String),
}

/// Turns settings into entries.
struct SettingsReader<'a> {
    tree: &'a dyn FileTree,
    dialect: &'static Dialect,
    rules: &'static SettingsRules,
    inputs: &'a Inputs,
}

/// What settings gave.
#[derive(Default)]
struct Read {
    entries: Vec<Entry>,
    /// What they say beside the agents, with the entry that stands for them as a whole.
    general: Option<(Definition, Entry)>,
    /// What loses the whole configuration, with the number of its entry.
    fatal: Option<(usize, Diagnostic)>,
}

impl SettingsReader<'_> {
    /// Reads settings; `None` if there are none. `source` is that of the file.
    fn read(&self, origin: &Origin, source: &Source) -> Option<Read> {
        let bytes = match origin {
            Origin::Text(text) => Ok(text.clone().into_bytes()),
            Origin::File(path) => match self.tree.kind(path) {
                Err(FileError::Missing | FileError::NotAFolder) => return None,
                Err(error) => Err(trouble::unreadable(self.dialect.title, &error, Kind::File)),
                Ok(Kind::File | Kind::NullDevice) => self
                    .tree
                    .read(path, self.inputs.limits.of(Limit::FileBytes))
                    .map_err(|error| trouble::unreadable(self.dialect.title, &error, Kind::File)),
                Ok(kind) => Err(trouble::not_a_file(self.dialect.title, kind)),
            },
        };
        let whole = self.whole(source);
        Some(match bytes {
            Ok(bytes) => self.read_bytes(origin, &bytes, whole),
            Err(diagnostic) => self.lost(whole, diagnostic),
        })
    }

    fn read_bytes(&self, origin: &Origin, bytes: &[u8], mut whole: Entry) -> Read {
        whole.bytes = Some(Arc::from(bytes));
        let text = match MappedText::decode(bytes, self.rules.encoding) {
            Ok(text) => text,
            Err(offset) => {
                let diagnostic = Diagnostic::new(&rules::INVALID_ENCODING, "the file is not UTF-8");
                return self.lost(whole, diagnostic.at(Span::new(offset, offset + 1)));
            }
        };
        let mut replaced = match self.rules.tokens {
            Tokens::Text => tokens::Replaced {
                text,
                fault: None,
                findings: Vec::new(),
            },
            Tokens::Replaced => {
                let folder = self.folder(origin);
                tokens::replace(self.tree, &text, &folder, self.inputs)
            }
        };
        whole.diagnostics.append(&mut replaced.findings);
        if let Some(fault) = replaced.fault {
            let mut others = self.other_faults(&replaced.text, bytes);
            whole.diagnostics.append(&mut others);
            return self.lost(whole, fault);
        }
        let limits = &self.inputs.limits;
        match parse_settings(&replaced.text, bytes, self.dialect, self.rules, limits) {
            Ok(mut parsed) => {
                if self.inputs.with_fixes {
                    add_fixes(&mut parsed, bytes, self.dialect, self.rules, limits);
                }
                self.entries(whole, parsed)
            }
            Err(diagnostic) => self.lost(whole, *diagnostic),
        }
    }

    /// Returns what else is wrong in a file whose tokens cannot all be replaced: the harness does
    /// not come so far, but its author has to mend it too.
    fn other_faults(&self, text: &MappedText<'_>, bytes: &[u8]) -> Vec<Diagnostic> {
        let Ok(parsed) = parse_settings(text, bytes, self.dialect, self.rules, &self.inputs.limits)
        else {
            return Vec::new();
        };
        let agents = parsed.entries.into_iter().map(|entry| entry.parsed);
        let all = std::iter::once(parsed.general).chain(agents);
        let unsaid = |finding| Diagnostic {
            harness_says: false,
            ..finding
        };
        all.flat_map(|parsed| parsed.diagnostics)
            .map(unsaid)
            .collect()
    }

    fn folder(&self, origin: &Origin) -> PathBuf {
        match origin {
            Origin::File(path) => path.parent().map(Path::to_owned).unwrap_or_default(),
            Origin::Text(_) => self.inputs.project.clone().unwrap_or_default(),
        }
    }

    /// Makes the entry that stands for the file as a whole.
    fn whole(&self, source: &Source) -> Entry {
        let name = source.path.as_deref().and_then(Path::file_name);
        let name = name.map(|name| name.to_string_lossy().into_owned());
        Entry::named(name.unwrap_or_default(), source.clone())
    }

    /// Nothing of the settings can be used, nor of anything else.
    fn lost(&self, mut whole: Entry, diagnostic: Diagnostic) -> Read {
        let diagnostic = Diagnostic {
            why: diagnostic.why.clone().or_else(|| {
                let why = format!(
                    "{} refuses the whole file, and with it its whole configuration: no agent \
                     can be used, not even those that are built in",
                    self.dialect.title
                );
                Some(why.into())
            }),
            ..diagnostic.said_by_harness()
        };
        whole.diagnostics.insert(0, diagnostic.clone());
        whole.stops = true;
        Read {
            entries: vec![whole],
            general: None,
            fatal: Some((0, diagnostic)),
        }
    }

    fn entries(&self, mut whole: Entry, parsed: ParsedSettings) -> Read {
        let ParsedSettings {
            mut general,
            entries,
        } = parsed;
        let mut read = Read::default();
        whole.diagnostics.append(&mut general.diagnostics);
        if general.fate == Fate::Fatal {
            whole.stops = true;
            read.fatal = first_error(&whole).map(|diagnostic| (0, diagnostic));
        } else {
            whole.state = State::Ignored(SkipRule::Settings);
        }
        let found: Vec<Entry> = entries
            .into_iter()
            .map(|entry| agent(&whole, entry))
            .collect();
        if !whole.diagnostics.is_empty() {
            read.entries.push(whole.clone());
        }
        for entry in found {
            if read.fatal.is_none() && entry.fate() == Some(Fate::Fatal) {
                let at = read.entries.len();
                read.fatal = first_error(&entry).map(|diagnostic| (at, diagnostic));
            }
            read.entries.push(entry);
        }
        read.general = match general.outcome {
            Outcome::Loaded(definition) => Some((Arc::unwrap_or_clone(definition), whole)),
            _ => None,
        };
        read
    }
}

/// Makes the entry of one agent of a file.
fn agent(whole: &Entry, found: SettingsEntry) -> Entry {
    let SettingsEntry {
        way,
        key_span,
        turn,
        mut parsed,
    } = found;
    let diagnostics = std::mem::take(&mut parsed.diagnostics);
    let source = Source {
        inside: Some(way.join(".")),
        ..whole.source.clone()
    };
    Entry {
        bytes: whole.bytes.clone(),
        key: Some(key_span),
        state: match parsed.outcome {
            Outcome::Loaded(_) => State::Active,
            Outcome::Rejected(_) => State::Rejected,
            Outcome::Ignored(rule) => State::Ignored(rule),
        },
        diagnostics,
        turn,
        parsed: Some(parsed),
        ..Entry::named(whole.file_name.clone(), source)
    }
}

/// Returns the first thing that the harness says about an entry.
pub(crate) fn first_error(entry: &Entry) -> Option<Diagnostic> {
    let mut said = entry.diagnostics.iter();
    said.find(|diagnostic| diagnostic.harness_says).cloned()
}
