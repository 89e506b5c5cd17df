//! Everything that one dialect makes of the trees that were asked for.

use std::path::PathBuf;
use std::sync::Arc;

use agent_builtins::{Browser, builtins};
use agent_discovery::{
    Discovery, DiskTree, FileTree, Inputs, Skills, State, StopAt, StopKind, discover,
    discover_plugin, discover_skills, may_show_prompt_file, prompt_file_of, prompt_of,
};
use agent_factory::{
    AgentConfig, Blueprint, FactoryError, McpCatalog, McpSet, Parent, ProfileStores, Role,
    Spawning, Start, ToolCatalog, ToolSet,
};
use agent_registry::{Aborted, Contender, Registration, Registry};
use agent_schema::dialect::Base;
use agent_schema::dialects::words::HARNESSES;
use agent_schema::{Definition, Diagnostic, Level};

use crate::failure::Failure;
use crate::finding::{FileView, Finding, Nowhere};
use crate::request::{Reading, Request};

/// Everything that one dialect makes of the trees that were asked for.
pub(crate) struct Survey {
    pub(crate) reading: Reading,
    /// What it started from.
    inputs: Inputs,
    pub(crate) registry: Registry,
    pub(crate) skills: Skills,
    /// Where the harness itself would not have come back.
    pub(crate) stopped: Option<Stopped>,
    /// Where registration ended early, as in some versions of the harness.
    pub(crate) aborted: Option<Aborted>,
    /// Files that the harness comes across once more, in its order.
    pub(crate) seen_again: Vec<SeenAgain>,
}

/// A file that the harness comes across once more, because two places are the same folder.
pub(crate) struct SeenAgain {
    /// The path under which it comes across it.
    pub(crate) reported: String,
    /// The path under which it came across it first.
    pub(crate) first: String,
    /// The name and the path of the definition that has it, if the file loads.
    pub(crate) lost: Option<(String, String)>,
}

/// Where the harness itself would not have come back from its search.
pub(crate) struct Stopped {
    pub(crate) kind: StopKind,
    pub(crate) diagnostic: Diagnostic,
    pub(crate) reported: String,
    pub(crate) path: PathBuf,
    /// The bytes of the file at which it ends, if it is a file.
    bytes: Option<Arc<[u8]>>,
}

/// How an agent is to be started.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted<'a> {
    /// The tools that exist; without a list every name may be one.
    pub(crate) tools: Option<&'a [String]>,
    /// The MCP servers that are configured, if that is known.
    pub(crate) servers: Option<&'a McpSet>,
    pub(crate) role: Role,
    /// The model that the call asks for.
    pub(crate) model: Option<&'a str>,
    pub(crate) parent_mode: Option<&'a str>,
    /// The name of the agent that calls it.
    pub(crate) parent: Option<&'a str>,
}

/// Tools of which nothing is known: every name is taken as it is written.
struct AsWritten;

impl Survey {
    /// Makes a survey for the dialect that was asked for, or for each dialect of which there is
    /// any agent; if there is none of any, for the first one.
    pub(crate) fn all(request: &Request) -> Result<Vec<Self>, Failure> {
        let readings = request.readings()?.into_iter();
        let surveys = readings.map(|reading| Survey::of(request, reading));
        Ok(those_that(Survey::is_present, surveys.collect()))
    }

    /// Makes the same surveys of a tree, also for each dialect of which there is any skill, and
    /// tells of each harness before it begins.
    pub(crate) fn all_in(
        tree: &dyn FileTree,
        request: &Request,
        inputs: &Inputs,
        begins: impl Fn(Reading),
    ) -> Result<Vec<Self>, Failure> {
        let readings = request.readings()?.into_iter();
        let surveys = readings.map(|reading| {
            begins(reading);
            Survey::in_tree(tree, request, reading, inputs)
        });
        let has_any = |survey: &Survey| survey.is_present() || survey.has_skills();
        Ok(those_that(has_any, surveys.collect()))
    }

    /// Makes a survey for each dialect of which there is anything and no survey yet.
    pub(crate) fn of_others(request: &Request, known: &[Survey]) -> Vec<Self> {
        let is_new = |it: &Reading| {
            !known
                .iter()
                .any(|known| known.reading.dialect.id == it.dialect.id)
        };
        let others = request.all_readings().into_iter().filter(is_new);
        let others = others.map(|it| Survey::of(request, it));
        others.filter(Survey::is_present).collect()
    }

    /// Returns whether anything of the dialect is there: an item of a place, or a place that the
    /// harness cannot get past.
    fn is_present(&self) -> bool {
        let found = |contender: &Contender| contender.source.level != Level::Builtin;
        self.stopped.is_some() || self.registry.contenders().iter().any(found)
    }

    /// Returns whether the harness finds skills, or says something of files that may be some.
    fn has_skills(&self) -> bool {
        let skills = &self.skills;
        !skills.found.is_empty() || !skills.missed.is_empty() || !skills.warnings.is_empty()
    }

    /// Makes a survey for one version of a harness.
    pub(crate) fn of(request: &Request, reading: Reading) -> Self {
        Survey::in_tree(&DiskTree, request, reading, &request.inputs())
    }

    /// Searches plugins, project and home, and registers what is found.
    pub(crate) fn in_tree(
        tree: &dyn FileTree,
        request: &Request,
        reading: Reading,
        inputs: &Inputs,
    ) -> Self {
        let Reading { dialect, profile } = reading;
        let plugins = plugins_beside(tree, reading, inputs);
        let files = discover(tree, dialect, profile, inputs);
        let skills = discover_skills(tree, dialect, profile, inputs);
        let stopped = plugins.iter().chain([&files]).find_map(Stopped::of);
        let seen_again = SeenAgain::all(&files);

        let admit = |definition: &Definition| {
            Blueprint::new(definition, &skills, dialect, profile)
                .map(drop)
                .map_err(|error| Box::new(error.diagnostic()))
        };
        let mut registration = Registration::new(dialect, profile);
        let mut aborted = None;
        for plugin in plugins {
            aborted = aborted.or(registration.register_plugin(plugin, admit).err());
        }
        aborted = aborted.or(registration.register_files(files, admit).err());
        let browser = match request.common.no_browser {
            true => Browser::Missing,
            false => Browser::Available,
        };
        Survey {
            reading,
            inputs: inputs.clone(),
            registry: registration.with_builtins(builtins(dialect, profile, browser)),
            skills,
            stopped,
            aborted,
            seen_again,
        }
    }

    /// Makes the runnable agent of a definition that was offered by a contender.
    pub(crate) fn assemble(
        &self,
        request: &Request,
        contender: &Contender,
        definition: &Definition,
        wanted: &Wanted<'_>,
    ) -> Result<AgentConfig, FactoryError> {
        let Reading { dialect, profile } = self.reading;
        let inputs = &self.inputs;
        let project = inputs.project.as_ref().unwrap_or(&request.common.project);
        let models = ProfileStores::new(&DiskTree, profile, inputs).working_folder(project);
        let mut blueprint = Blueprint::new(definition, &self.skills, dialect, profile)?;
        if let Some(path) = prompt_file_of(profile, definition)
            && may_show_prompt_file(&DiskTree, inputs, &path)
            && let Ok(Some(text)) = prompt_of(&DiskTree, profile, definition)
        {
            blueprint = blueprint.prompt_file(path, text);
        }
        let listed = wanted.tools.map(ToolSet::from_iter);
        let tools: &dyn ToolCatalog = match &listed {
            Some(tools) => tools,
            None => &AsWritten,
        };
        let mut parent = self.parent(request, wanted);
        if let Some(mode) = wanted.parent_mode {
            parent.mode = Some(mode.to_owned());
        }
        let variables = |name: &str| inputs.variables.get(name).cloned();
        let held_back = contender.held_back_fields();
        let mut start = Start::new(&parent, tools, &models)
            .variables(&variables)
            .held_back(&held_back);
        start.role = wanted.role;
        start.servers = wanted.servers.map(|it| it as &dyn McpCatalog);
        start.model_of_call = wanted.model;
        let config = blueprint.start(&start)?;
        // Few definitions name others; for those alone all names are gathered.
        if !matches!(config.spawning.value, Spawning::Only(_)) {
            return Ok(config);
        }
        let agents = self.agents();
        start.agents = Some(&agents);
        blueprint.start(&start)
    }
}

/// Returns the surveys that have something, or else the first one.
fn those_that(have_any: impl Fn(&Survey) -> bool, mut surveys: Vec<Survey>) -> Vec<Survey> {
    match surveys.iter().any(&have_any) {
        true => surveys.retain(have_any),
        false => surveys.truncate(1),
    }
    surveys
}

impl Survey {
    /// Returns the names that answer, and those of the agents that the harness brings itself.
    fn agents(&self) -> Vec<&str> {
        let found = self.registry.active().map(|(name, _)| name);
        let title = self.reading.dialect.title;
        let known = HARNESSES.iter().filter(|it| it.title == title);
        let mut own: Vec<&str> = known.flat_map(|it| it.agents.iter().copied()).collect();
        if own.is_empty() {
            // Those of one program among several that read the same files.
            let builtins = self.reading.profile.rules.agents.builtins.iter();
            own.extend(builtins.map(|builtin| builtin.name));
        }
        found.chain(own).collect()
    }

    /// Returns what the agent hands on that calls another one, started as the main agent; nothing
    /// is known where nobody has its name.
    fn parent(&self, request: &Request, wanted: &Wanted<'_>) -> Parent {
        let found = wanted
            .parent
            .and_then(|name| self.registry.get(Some(name)).ok());
        let as_main = Wanted {
            role: Role::Main,
            model: None,
            parent: None,
            ..*wanted
        };
        let config = found
            .map(|found| self.assemble(request, found.contender, found.definition(), &as_main));
        match config {
            Some(Ok(config)) => Parent::unknown().running(&config),
            _ => Parent::unknown(),
        }
    }
}

/// Searches the plugins that were asked for. Where a harness searches plugins like any other place,
/// the search takes them along.
pub(crate) fn plugins_beside(
    tree: &dyn FileTree,
    reading: Reading,
    inputs: &Inputs,
) -> Vec<Discovery> {
    let Reading { dialect, profile } = reading;
    let mut places = profile.rules.agents.places.iter();
    let searched = places.any(|place| place.base == Base::Plugins);
    let roots = inputs.plugins.iter().filter(|_| !searched);
    let found = roots.map(|root| discover_plugin(tree, dialect, profile, root, inputs));
    found.collect()
}

impl ToolCatalog for AsWritten {
    fn names(&self) -> Vec<&str> {
        Vec::new()
    }

    fn is_complete(&self) -> bool {
        false
    }

    fn has(&self, _name: &str) -> bool {
        true
    }
}

impl SeenAgain {
    fn all(found: &Discovery) -> Vec<Self> {
        let again = found.seen_again().filter_map(|again| {
            let entry = again.entry;
            let holder = match entry.state {
                State::Active => Some(entry),
                State::Shadowed { by, .. } => found.entries.get(by),
                State::Rejected => None,
                _ => return None,
            };
            let holder = holder.map(|holder| holder.source.reported.clone());
            Some(SeenAgain {
                reported: again.reported,
                first: entry.source.reported.clone(),
                lost: entry.name().map(str::to_owned).zip(holder),
            })
        });
        again.collect()
    }
}

impl Stopped {
    fn of(found: &Discovery) -> Option<Self> {
        let stop = found.stop.as_ref()?;
        let (reported, path, bytes) = match stop.at {
            StopAt::Place(place) => {
                let path = found.places.get(place)?.path.clone();
                (path.to_string_lossy().into_owned(), path, None)
            }
            StopAt::Entry(entry) => {
                let entry = found.entries.get(entry)?;
                let source = &entry.source;
                (
                    source.reported.clone(),
                    source.path.clone()?,
                    entry.bytes.clone(),
                )
            }
        };
        Some(Stopped {
            kind: stop.kind,
            diagnostic: stop.diagnostic.clone(),
            reported,
            path,
            bytes,
        })
    }

    /// The same as a finding.
    pub(crate) fn finding(&self) -> Finding<'_> {
        Finding {
            diagnostic: &self.diagnostic,
            file: FileView::new(&self.reported, Some(&self.path), self.bytes.as_deref()),
            elsewhere: &Nowhere,
        }
    }
}
