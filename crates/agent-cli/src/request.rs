//! What was asked, made ready for the libraries.

use std::path::{Path, PathBuf};

use agent_discovery::{
    DiskTree, FileError, FileTree, Inputs, dialects_at, readers_at, search_start,
};
use agent_schema::dialect::SkillRules;
use agent_schema::parse::LARGEST_FILE;
use agent_schema::{Dialect, Profile, dialects};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{Common, Format};
use crate::text::paths::Paths;

/// The width for text that is not printed to a terminal.
const WIDTH_ELSEWHERE: usize = 100;

/// The common options together with the environment.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) common: Common,
    pub(crate) environment: Environment,
    /// How paths are shown to people.
    pub(crate) paths: Paths,
}

/// A dialect with the version of its rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) dialect: &'static Dialect,
    pub(crate) profile: &'static Profile,
}

impl Request {
    pub(crate) fn new(common: Common, environment: Environment) -> Self {
        let paths = Paths::new(environment.here.as_deref(), environment.home.as_deref());
        Request {
            common,
            environment,
            paths,
        }
    }

    /// Returns whether a program reads the answer.
    pub(crate) fn wants_json(&self) -> bool {
        self.common.format == Format::Json
    }

    /// Takes a dialect for the one that was asked for, unless one was.
    pub(crate) fn or_dialect(mut self, dialect: Option<&'static Dialect>) -> Self {
        self.common.dialect = self.common.dialect.or(dialect);
        self
    }

    /// Returns a path of the command line from the root on.
    pub(crate) fn full(&self, path: &Path) -> PathBuf {
        match &self.environment.here {
            Some(here) => here.join(path),
            None => path.to_owned(),
        }
    }

    /// Returns the name that the path of a file gives to its agent, where that is more than its
    /// last part.
    pub(crate) fn stem_at(&self, path: &Path, profile: &'static Profile) -> Option<String> {
        agent_discovery::stem_at(path, &self.full(path), profile)
    }

    /// Returns the width for prose and excerpts.
    pub(crate) fn width(&self) -> usize {
        self.environment.terminal_width.unwrap_or(WIDTH_ELSEWHERE)
    }

    /// Returns the width that tables must fit. Outside a terminal nothing is cut.
    pub(crate) fn table_width(&self) -> Option<usize> {
        self.environment.terminal_width
    }

    /// Returns the folders and variables that a search starts from.
    pub(crate) fn inputs(&self) -> Inputs {
        let home = self.common.home.as_ref().or(self.environment.home.as_ref());
        let mut inputs = Inputs::new().project(&self.common.project);
        inputs.home = home.cloned();
        inputs.variables = self.environment.variables.clone();
        if self.common.read_references {
            inputs.variables.extend(Environment::all_variables());
            inputs = inputs.all_references();
        }
        inputs.include_project = !self.common.no_project;
        inputs.include_user = !self.common.no_user;
        inputs.added.clone_from(&self.common.add_dir);
        inputs.managed.clone_from(&self.common.managed);
        inputs.plugins.clone_from(&self.common.plugin);
        inputs.definitions.clone_from(&self.common.agents);
        inputs.switches.extend(self.common.switch.iter().cloned());
        inputs.trusted = match (self.common.trust, self.common.untrusted) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        inputs.packages.clone_from(&self.common.package);
        inputs.layers.clone_from(&self.common.layers);
        inputs.workspace.clone_from(&self.common.workspace);
        inputs.user.clone_from(&self.common.user);
        inputs.session.clone_from(&self.common.session);
        inputs.search.clone_from(&self.common.search);
        inputs.taken.clone_from(&self.common.taken);
        inputs
    }

    /// Reads a file that was named on the command line.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, Failure> {
        DiskTree
            .read(path, LARGEST_FILE)
            .map_err(|error| self.cannot_read(path, &error))
    }

    /// Returns the name of the folder that holds a file of the command line.
    pub(crate) fn folder_name(&self, path: &Path) -> Option<String> {
        let here = self.environment.here.as_deref();
        let folder = match path.parent()? {
            folder if folder.as_os_str().is_empty() => here?,
            folder => folder,
        };
        Some(folder.file_name()?.to_string_lossy().into_owned())
    }

    /// Says that a path of the command line cannot be read.
    pub(crate) fn cannot_read(&self, path: &Path, error: &FileError) -> Failure {
        Failure::new(format!("cannot read `{}`: {error}", self.paths.show(path)))
    }

    /// Returns the dialects that were asked for; without a dialect, all that have the version that
    /// was asked for.
    ///
    /// # Errors
    /// If no dialect has a profile of that version.
    pub(crate) fn readings(&self) -> Result<Vec<Reading>, Failure> {
        let version = self.common.harness_version.as_deref();
        let read = |dialect: &'static Dialect| {
            profile(dialect, version).map(|profile| Reading { dialect, profile })
        };
        if let Some(dialect) = self.common.dialect {
            return Ok(vec![read(dialect)?]);
        }
        let readings: Vec<Reading> = dialects::ALL
            .iter()
            .filter_map(|dialect| read(dialect).ok())
            .collect();
        match (readings.is_empty(), version) {
            (true, Some(version)) => Err(Failure::new(format!(
                "no harness has a profile `{version}`"
            ))
            .help("`agentry dialects` lists the profiles")),
            _ => Ok(readings),
        }
    }

    /// Returns all dialects, whichever was asked for, each with its default version.
    pub(crate) fn all_readings(&self) -> Vec<Reading> {
        let all = dialects::ALL.iter();
        all.map(|dialect| Reading {
            dialect,
            profile: dialect.default_profile(),
        })
        .collect()
    }

    /// Returns the dialects whose rules a file that is named on the command line is read by: the
    /// one that was asked for, or those that are told by the folders that lead to it.
    ///
    /// # Errors
    /// If nothing tells a dialect, or as for [`Request::readings`].
    pub(crate) fn readings_of(&self, path: &Path) -> Result<Vec<Reading>, Failure> {
        if self.common.dialect.is_some() {
            return self.readings();
        }
        let told = dialects_at(&self.full(path));
        if told.is_empty() {
            let ids: Vec<&str> = dialects::ALL.iter().map(|dialect| dialect.id).collect();
            let message = format!(
                "no harness searches the folder of `{}`",
                self.paths.show(path)
            );
            return Err(Failure::new(message)
                .help(format!("say `--dialect` with one of: {}", ids.join(", "))));
        }
        let version = self.common.harness_version.as_deref();
        let reading = |dialect| {
            Ok(Reading {
                dialect,
                profile: profile(dialect, version)?,
            })
        };
        told.into_iter().map(reading).collect()
    }

    /// Returns whether a file has the name of a skill, where its folders do not tell that the
    /// harness takes it for an agent.
    pub(crate) fn may_be_skill(&self, path: &Path, reading: Reading) -> bool {
        let Reading { dialect, profile } = reading;
        let has_skills = profile.rules.skills.folders().next().is_some();
        let is_told = || {
            let told = readers_at(&self.full(path), &|other| match other.id == dialect.id {
                true => profile,
                false => other.default_profile(),
            });
            told.iter().any(|it| it.dialect.id == dialect.id)
        };
        path.file_name()
            .is_some_and(|name| name == SkillRules::FILE)
            && has_skills
            && !is_told()
    }

    /// Returns the one dialect that takes agents from a file that is none itself, such as a file of
    /// settings.
    pub(crate) fn reading_of_carrier(&self, path: &Path) -> Option<Reading> {
        let carries = |reading: &Reading| search_start(path, reading.profile).is_some();
        let mut readings = self.all_readings().into_iter().filter(carries);
        let first = readings.next()?;
        readings.next().is_none().then_some(first)
    }

    /// Returns the one dialect that a single file is read by.
    ///
    /// # Errors
    /// If several could be meant, or as for [`Request::readings_of`].
    pub(crate) fn reading_of(&self, path: &Path) -> Result<Reading, Failure> {
        match self.readings_of(path)?.as_slice() {
            [reading] => Ok(*reading),
            several => {
                let ids: Vec<&str> = several.iter().map(|reading| reading.dialect.id).collect();
                Err(
                    Failure::new("more than one harness reads the folder of this file")
                        .help(format!("say `--dialect` with one of: {}", ids.join(", "))),
                )
            }
        }
    }
}

fn profile(dialect: &'static Dialect, version: Option<&str>) -> Result<&'static Profile, Failure> {
    let Some(version) = version else {
        return Ok(dialect.default_profile());
    };
    dialect
        .profile(version)
        .or_else(|| dialect.profile_of_harness(version))
        .ok_or_else(|| {
            let known: Vec<&str> = dialect.profiles.iter().map(|profile| profile.id).collect();
            Failure::new(format!("{} has no profile `{version}`", dialect.title))
                .help(format!("one of: {}", known.join(", ")))
        })
}
