//! The sources of an agent that its harness merges: a file that is named, and what counts beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_discovery::{DiskTree, FileTree, Layer, stem_at};
use agent_factory::{
    Agent, Change, Conversion, Loss, LossCode, Reader, RefusalCode, beyond_merged, open,
};
use agent_registry::Contender;
use agent_schema::{
    Definition, Fate, FieldName, FieldValue, File, Outcome, Parsed, Severity, Span,
};

use crate::finding::FileView;
use crate::request::Request;
use crate::survey::Survey;

/// The fields that hold the name, which all sources have.
const NAMES: [FieldName; 2] = [FieldName::NAME, FieldName::KEY];

/// What an agent is made of beside the file that is named.
pub(super) struct Sources {
    /// What the file says by itself.
    own: Arc<Definition>,
    /// The other files, the weakest first.
    others: Vec<Other>,
    /// The agent as its harness merges it.
    merged: Parsed,
    /// What the file alone would let the agent do beyond that.
    wider: Vec<String>,
}

/// Another file that gives fields to an agent.
struct Other {
    reported: String,
    path: PathBuf,
    bytes: Option<Arc<[u8]>>,
    definition: Arc<Definition>,
    /// How people see it.
    shown: String,
    /// The fields that it gives, or parts of, for people; empty if others give all of them.
    gives: String,
}

impl Sources {
    /// Finds what counts beside a file; nothing if that is nothing, or if the file has no part in
    /// any agent of the project.
    pub(super) fn of(
        request: &Request,
        survey: &Survey,
        path: &Path,
        agent: &Agent<'_>,
    ) -> Option<Self> {
        let Outcome::Loaded(own) = &agent.parsed.outcome else {
            return None;
        };
        let found = survey.registry.get(Some(&agent.name)).ok()?;
        let merged = found.contender.merged.as_deref()?;
        let numbered = merged.layers.iter().enumerate();
        let entries = numbered.filter_map(|(number, layer)| match layer {
            Layer::Entry(index) => Some((number, &survey.registry.contenders()[*index])),
            Layer::Builtin => None,
        });
        let layers: Vec<(usize, &Contender)> = entries.collect();
        let full = request.full(path);
        let is_own = |(_, layer): &&(usize, &Contender)| {
            let source = layer.source.path.as_deref();
            source.is_some_and(|source| is_same_file(source, &full))
        };
        layers.iter().find(is_own)?;
        let others = layers.iter().filter(|layer| !is_own(layer));
        let others = others.filter_map(|(number, layer)| {
            let gives = |field| merged.given_by.of(field) == Some(*number);
            // The one that stands for the agent has the merged definition.
            let own = match std::ptr::eq(*layer, found.contender) {
                true => read_alone(layer, agent)?,
                false => layer.definition.clone()?,
            };
            Other::of(request, layer, own, &gives)
        });
        let definition = found.contender.definition.clone()?;
        let sources = Sources {
            own: Arc::clone(own),
            others: others.collect(),
            wider: beyond_merged(agent, &definition),
            merged: parsed(definition, layers.iter().map(|(_, layer)| *layer)),
        };
        let counts = merged.layers.len() > 1 || !sources.wider.is_empty();
        counts.then_some(sources)
    }

    /// Returns the agent as its harness merges it.
    pub(super) fn merge<'b>(&self, agent: &Agent<'b>) -> Agent<'b> {
        agent.clone().merged(self.merged.clone())
    }

    /// Tells which other files count.
    pub(super) fn note(&self, made: &mut Conversion, from: Reader) {
        let title = from.dialect.title;
        let told = self.givers().map(|Other { shown, gives, .. }| {
            format!("`{shown}` gives {gives} to this agent in {title}")
        });
        let mut told: Vec<String> = told.collect();
        if self.others.is_empty() && !self.wider.is_empty() {
            told.push(format!(
                "what counts for all agents in {title} limits this one"
            ));
        }
        made.changes.extend(told.into_iter().map(|message| Change {
            field: FieldName::METADATA.to_string(),
            span: None,
            message,
        }));
    }

    /// Makes what was converted from the file alone say what is missing, or refuses it.
    pub(super) fn missing_in(
        &self,
        agent: &Agent<'_>,
        made: Conversion,
        insists: bool,
    ) -> Conversion {
        if made.refusal.is_some() {
            return made;
        }
        let widens = !self.wider.is_empty();
        if widens && !insists {
            return self.refused(agent);
        }
        let mut made = made;
        let title = agent.from.dialect.title;
        for Other { shown, gives, .. } in self.givers() {
            let message =
                format!("`{shown}` gives {gives} to this agent in {title}, and is not read here");
            let metadata = FieldName::METADATA.as_str();
            let loss = Loss::new(LossCode::OtherSource, metadata, Severity::Warning, message);
            made.lose(Loss { widens, ..loss });
        }
        made
    }

    /// Refuses to convert a source whose agent is limited by another one.
    fn refused(&self, agent: &Agent<'_>) -> Conversion {
        let message = format!(
            "another source limits this agent: alone, this one lets it go further with {}",
            self.wider.join(", ")
        );
        let mut made = Conversion::refused(RefusalCode::LimitedElsewhere, &agent.name, message);
        if let Some(refusal) = &mut made.refusal {
            let help = "without `--alone` all sources are converted together; `--allow-widening` \
                        writes this one all the same";
            refusal.help = Some(help.to_owned());
        }
        made
    }

    /// The other files that give something.
    fn givers(&self) -> impl Iterator<Item = &Other> {
        self.others.iter().filter(|other| !other.gives.is_empty())
    }

    /// Returns the file in which something stands; nothing if several have something at the same
    /// bytes, or none has.
    pub(super) fn view_at<'a>(&'a self, own: FileView<'a>, span: Span) -> Option<FileView<'a>> {
        let others = self.others.iter();
        let others = others.map(|other| (&other.definition, other.view()));
        let all = std::iter::once((&self.own, own)).chain(others);
        let mut there = all.filter(|(definition, _)| definition.has_at(span));
        let (_, view) = there.next()?;
        there.next().is_none().then_some(view)
    }
}

impl Other {
    fn of(
        request: &Request,
        layer: &Contender,
        definition: Arc<Definition>,
        gives: &dyn Fn(FieldName) -> bool,
    ) -> Option<Self> {
        let path = layer.source.path.clone()?;
        let given = definition.fields().filter(|(field, value)| {
            let is_written = value.place.is_some() && !NAMES.contains(field);
            // Of a map several sources may give parts.
            let has_part = matches!(value.value, FieldValue::Config(_));
            is_written && (has_part || gives(*field))
        });
        let given: Vec<String> = given.map(|(field, _)| format!("`{field}`")).collect();
        Some(Other {
            reported: layer.source.reported.clone(),
            shown: request.paths.show(&path),
            bytes: layer.bytes.clone(),
            gives: given.join(", "),
            definition,
            path,
        })
    }

    fn view(&self) -> FileView<'_> {
        FileView::new(&self.reported, Some(&self.path), self.bytes.as_deref())
    }
}

/// Reads the file of a source again: what it says by itself.
fn read_alone(layer: &Contender, agent: &Agent<'_>) -> Option<Arc<Definition>> {
    let path = layer.source.path.as_deref()?;
    let name = path.file_name()?.to_string_lossy();
    let file = File {
        name: &name,
        bytes: layer.bytes.as_deref()?,
    };
    let stem = stem_at(path, path, agent.from.profile);
    let agents = open(file, stem.as_deref(), agent.from, &|_| None).ok()?;
    let same = agents.into_iter().find(|other| other.name == agent.name)?;
    same.parsed.outcome.into_read()
}

/// What is known of an agent that several sources make: what one of them has lost is lost.
fn parsed<'c>(
    definition: Arc<Definition>,
    layers: impl Iterator<Item = &'c Contender> + Clone,
) -> Parsed {
    let widened = layers.clone().any(|layer| layer.rights_widened);
    let mut lost: Vec<FieldName> = Vec::new();
    for field in layers.clone().flat_map(|layer| &layer.lost) {
        if !lost.contains(field) {
            lost.push(*field);
        }
    }
    Parsed {
        outcome: Outcome::Loaded(definition),
        fate: match lost.is_empty() && !widened {
            true => Fate::Loaded,
            false => Fate::Degraded,
        },
        lost,
        rights_widened: widened,
        diagnostics: layers
            .flat_map(|layer| layer.diagnostics.iter().cloned())
            .collect(),
    }
}

pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| DiskTree.real_path(path);
    match (real(one), real(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
