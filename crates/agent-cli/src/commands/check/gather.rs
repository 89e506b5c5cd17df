//! What there is to check: every file that is seen, with what each harness makes of it.

mod named;

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_discovery::{
    FileError, FileTree, FoundSkill, Kind, Layer, MissedSkill, PlaceState, Reader, Skill,
    SkillState, body_of, body_of_skill, broken_links, read_lone_skill, readers_at, skipped_name,
    unreadable,
};
use agent_factory::{FactoryError, FactoryErrorKind};
use agent_registry::{Contender, Verdict};
use agent_schema::dialect::{FileRules, SkipRule};
use agent_schema::parse::{LARGEST_FILE, MOST_OF_A_RULE, parse_accepted};
use agent_schema::{
    Applicability, Definition, Diagnostic, Dialect, Fate, FieldName, FieldValue, File, Level,
    ParseInputs, Parsed, Rule, Severity, Span, rules,
};

use crate::commands::check::progress::Progress;
use crate::commands::check::sift::Standing;
use crate::failure::Failure;
use crate::finding::{Elsewhere, FileView, Lines};
use crate::request::{Reading, Request};
use crate::settings::Settings;
use crate::skill_survey::state_code;
use crate::survey::{Stopped, Survey, Wanted};
use crate::verdict;
use crate::verdict::gives_no_agent;

/// Everything that was seen, by the path as the harness reports it.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) files: BTreeMap<String, Checked>,
    /// How many files the settings leave out.
    pub(super) excluded: usize,
    /// The agents that answer to their names, by their harness, name and file.
    pub(super) agents: BTreeMap<AgentKey, ActiveAgent>,
    /// Files that were not asked for. Findings of the others may name them.
    beside: BTreeMap<String, Checked>,
    /// How files are called that harnesses report under another path.
    named: HashMap<String, String>,
}

/// What an agent is known by: two projects may have agents of one name.
type AgentKey = (&'static str, String, Option<PathBuf>);

/// An agent that answers to its name, as all its sources together make it.
#[derive(Debug)]
pub(super) struct ActiveAgent {
    pub(super) reading: Reading,
    pub(super) definition: Arc<Definition>,
    /// The files that it is made of.
    pub(super) sources: Vec<PathBuf>,
}

/// A file that was checked.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) path: PathBuf,
    pub(super) bytes: Option<Arc<[u8]>>,
    /// Its level, if a search came across it.
    pub(super) level: Option<Level>,
    /// What each harness makes of it; nothing for a folder.
    pub(super) readings: Vec<FileReading>,
    pub(super) findings: Vec<Noted>,
    /// Where the findings of a rule about a place are in the list, while it is gathered.
    places: HashMap<(&'static str, Option<Span>), Vec<usize>>,
    /// The lines of the bytes. No place is told before all is gathered.
    lines: Lines,
}

/// What a harness makes of a file, or of one definition inside it.
#[derive(Debug)]
pub(super) struct FileReading {
    pub(super) dialect: &'static Dialect,
    /// The keys that lead to the definition inside the file, if the file holds several.
    pub(super) inside: Option<String>,
    pub(super) fate: Fate,
    /// The code of the verdict on it among all that were found; nothing for what was read alone.
    pub(super) verdict: Option<&'static str>,
    pub(super) lost: Vec<FieldName>,
    pub(super) rights_widened: bool,
    pub(super) definition: Option<Arc<Definition>>,
    /// The skill, if it is one.
    pub(super) skill: Option<Skill>,
}

/// A finding with those who make it.
#[derive(Debug, Clone)]
pub(super) struct Noted {
    pub(super) diagnostic: Diagnostic,
    pub(super) dialects: Vec<&'static Dialect>,
    /// Whether it is shown and counts; decided once everything is gathered.
    pub(super) standing: Standing,
}

impl Elsewhere for Files {
    fn file(&self, reported: &str) -> Option<FileView<'_>> {
        let name = self.named.get(reported).map_or(reported, String::as_str);
        let asked_for = self.files.get_key_value(name);
        let (name, checked) = asked_for.or_else(|| self.beside.get_key_value(name))?;
        Some(checked.view(name))
    }
}

impl Checked {
    pub(super) fn view<'a>(&'a self, reported: &'a str) -> FileView<'a> {
        FileView::new(reported, Some(&self.path), self.bytes.as_deref()).with_lines(&self.lines)
    }

    /// Returns the fate under which it is counted: the worst that any harness has for it. That a
    /// harness passes it over counts only if all do.
    pub(super) fn fate(&self) -> Option<Fate> {
        let fates = || self.readings.iter().map(|reading| reading.fate);
        let read = fates().filter(|fate| *fate != Fate::Ignored);
        read.max().or_else(|| fates().next())
    }

    /// Returns whether it loads wherever it is read, and another one has its name everywhere.
    pub(super) fn is_shadowed(&self) -> bool {
        let mut read = self.readings.iter().filter(|it| loads(it.fate)).peekable();
        read.peek().is_some() && read.all(|it| it.verdict == Some(verdict::SHADOWED))
    }

    fn note(&mut self, dialect: &'static Dialect, diagnostic: Diagnostic) {
        let same = |noted: &Noted| {
            noted.diagnostic == diagnostic || noted.is_said_again(dialect, &diagnostic)
        };
        let place = (diagnostic.code(), diagnostic.span);
        let here = self.places.entry(place).or_default();
        let known = here.iter().copied().find(|at| same(&self.findings[*at]));
        match known.map(|at| &mut self.findings[at]) {
            Some(noted) => {
                if !noted.dialects.iter().any(|it| it.id == dialect.id) {
                    noted.dialects.push(dialect);
                }
                let known = &mut noted.diagnostic.fix;
                *known = known.take().or(diagnostic.fix);
            }
            None => {
                here.push(self.findings.len());
                self.findings.push(Noted {
                    diagnostic,
                    dialects: vec![dialect],
                    standing: Standing::Counts,
                });
            }
        }
    }
}

impl Noted {
    /// Returns whether the same harness says the same, and knows a fix once only: agents and skills
    /// of a plugin are searched one after the other.
    fn is_said_again(&self, dialect: &Dialect, diagnostic: &Diagnostic) -> bool {
        let known = &self.diagnostic;
        let is_own = matches!(self.dialects.as_slice(), [own] if own.id == dialect.id);
        is_own
            && known.fix.is_some() != diagnostic.fix.is_some()
            && (known.rule, known.span) == (diagnostic.rule, diagnostic.span)
            && known.message == diagnostic.message
            && known.why == diagnostic.why
    }
}

/// What is looked at, and how.
pub(super) struct Gatherer<'a> {
    pub(super) request: &'a Request,
    pub(super) settings: &'a Settings,
    /// The files and folders that were named; all of the project and the home if none were.
    pub(super) paths: &'a [PathBuf],
    /// Whether the files that were named lie on the disk, among others.
    pub(super) on_disk: bool,
    /// Whether findings shall come with fixes.
    pub(super) with_fixes: bool,
    /// The least severity of findings that come with fixes, if any do.
    pub(super) fixes_from: Severity,
    pub(super) progress: &'a Progress,
}

/// One round of gathering.
struct Round<'a> {
    gatherer: &'a Gatherer<'a>,
    tree: &'a dyn FileTree,
    files: Files,
    seen: Cell<usize>,
}

impl Gatherer<'_> {
    /// Gathers everything from a tree.
    pub(super) fn gather(&self, tree: &dyn FileTree) -> Result<Files, Failure> {
        let mut round = Round::new(self, tree);
        match self.paths {
            [] => round.survey()?,
            _ => round.named()?,
        }
        let mut files = round.files;
        files.sort();
        self.progress.clear();
        Ok(files)
    }

    /// Returns who reads a file that is named, each with its rules for the folder of the file.
    fn readers_of(&self, path: &Path) -> Result<Vec<(Reading, &'static FileRules)>, Failure> {
        let readings = self.request.readings_of(path)?;
        let told = self.told(path, &readings);
        let readings = readings.into_iter();
        Ok(readings
            .map(|reading| (reading, rules_among(&told, reading)))
            .collect())
    }

    /// Returns who would read a file where it lies, by the rules that are asked for.
    fn told(&self, path: &Path, readings: &[Reading]) -> Vec<Reader> {
        readers_at(&self.request.full(path), &|dialect| {
            let mut asked = readings.iter();
            let asked = asked.find(|reading| reading.dialect.id == dialect.id);
            asked.map_or_else(|| dialect.default_profile(), |reading| reading.profile)
        })
    }

    /// Finds the links of a body that lead nowhere.
    fn broken_links(
        &self,
        tree: &dyn FileTree,
        path: &Path,
        bytes: &[u8],
        body: Option<Span>,
    ) -> Vec<Diagnostic> {
        let Some(body) = body else {
            return Vec::new();
        };
        let project = self.request.full(&self.request.common.project);
        let path = self.request.full(path);
        broken_links(tree, &project, &path, bytes, body)
    }

    fn parse(
        &self,
        path: &Path,
        bytes: &[u8],
        reading: Reading,
        rules: &'static FileRules,
    ) -> Parsed {
        let Reading { dialect, profile } = reading;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Err(rule) = rules.accept(&name) {
            let mut parsed = Parsed::ignored(rule);
            let told = skipped_name(dialect, rules, &name).filter(|_| rule == SkipRule::Suffix);
            parsed.diagnostics.extend(told);
            return parsed;
        }
        let file = File { name: &name, bytes };
        let mut inputs = ParseInputs::new();
        inputs.with_fixes = self.with_fixes;
        inputs.fixes_from = self.fixes_from;
        let full = self.request.full(path);
        if let Some(folder) = full.parent().and_then(Path::file_name) {
            inputs = inputs.folder(folder.to_string_lossy());
        }
        let by_path = self.request.stem_at(path, profile);
        let stem = by_path.as_deref().unwrap_or_else(|| rules.stem(&name));
        if !self.request.may_be_skill(path, reading) {
            let mut parsed = parse_accepted(file, stem, dialect, &profile.rules.reading, &inputs);
            if self.told(path, &[reading]).is_empty() {
                spare_plugins(&mut parsed, file, stem, reading);
            }
            return parsed;
        }
        let mut parsed = read_lone_skill(dialect, profile, bytes, &inputs);
        // What kind of file it is was only guessed by its name.
        let fixes = parsed
            .diagnostics
            .iter_mut()
            .filter_map(|it| it.fix.as_mut());
        for fix in fixes {
            fix.applicability = fix.applicability.max(Applicability::Unsafe);
        }
        parsed
    }
}

impl Files {
    fn sort(&mut self) {
        for checked in self.files.values_mut() {
            let place = |noted: &Noted| noted.diagnostic.span.map(|span| (span.start, span.end));
            checked.findings.sort_by_key(place);
        }
    }

    fn note_active(&mut self, survey: &Survey, contender: &Contender) {
        let Some(definition) = contender
            .definition
            .as_ref()
            .filter(|_| contender.verdict == Verdict::Active)
        else {
            return;
        };
        let layers = contender.merged.iter().flat_map(|merged| &merged.layers);
        let sources = layers.filter_map(|layer| match layer {
            Layer::Builtin => None,
            Layer::Entry(number) => survey.registry.contenders().get(*number),
        });
        let sources = sources.chain([contender]);
        let path = contender.source.path.clone();
        let key = (survey.reading.dialect.id, contender.name.clone(), path);
        let agent = ActiveAgent {
            reading: survey.reading,
            definition: Arc::clone(definition),
            sources: sources
                .filter_map(|source| source.source.path.clone())
                .collect(),
        };
        self.agents.insert(key, agent);
    }

    fn entry(&mut self, reported: String, path: &Path) -> &mut Checked {
        let checked = self.files.entry(reported).or_default();
        path.clone_into(&mut checked.path);
        checked
    }

    fn add(
        &mut self,
        reported: String,
        path: &Path,
        reading: Reading,
        parsed: Parsed,
        bytes: Arc<[u8]>,
    ) {
        let dialect = reading.dialect;
        let checked = self.entry(reported, path);
        checked.bytes = Some(bytes);
        let definition = parsed.outcome.into_read();
        checked.readings.push(FileReading {
            dialect,
            inside: None,
            fate: parsed.fate,
            verdict: None,
            lost: parsed.lost,
            rights_widened: parsed.rights_widened,
            definition,
            skill: None,
        });
        for diagnostic in parsed.diagnostics {
            checked.note(dialect, diagnostic);
        }
    }
}

impl<'a> Round<'a> {
    fn new(gatherer: &'a Gatherer<'a>, tree: &'a dyn FileTree) -> Self {
        Round {
            gatherer,
            tree,
            files: Files::default(),
            seen: Cell::new(0),
        }
    }

    /// Adds what the searches find: agents, the places themselves, and skills.
    fn survey(&mut self) -> Result<(), Failure> {
        let request = self.gatherer.request;
        let mut inputs = request.inputs();
        inputs.with_fixes = self.gatherer.with_fixes;
        inputs.fixes_from = self.gatherer.fixes_from;
        let progress = self.gatherer.progress;
        let begins =
            |reading: Reading| progress.tell(|| format!("asking {}", reading.dialect.title));
        for survey in Survey::all_in(self.tree, request, &inputs, begins)? {
            self.take(&survey);
        }
        Ok(())
    }

    /// Adds what one search finds.
    fn take(&mut self, survey: &Survey) {
        let dialect = survey.reading.dialect;
        self.contenders(survey);
        if let Some(stopped) = &survey.stopped {
            self.stop(dialect, stopped);
        }
        for place in survey.registry.places() {
            if let PlaceState::Unreadable(diagnostic) | PlaceState::Outside(diagnostic) =
                &place.state
            {
                self.note(dialect, &place.path, diagnostic);
            }
        }
        for skill in &survey.skills.found {
            self.skill(survey.reading, skill);
        }
        for missed in &survey.skills.missed {
            self.missed(dialect, missed);
        }
        for warning in survey.skills.other_warnings() {
            self.note(dialect, &warning.path, &warning.diagnostic);
        }
    }

    fn contenders(&mut self, survey: &Survey) {
        let request = self.gatherer.request;
        let dialect = survey.reading.dialect;
        for contender in survey.registry.contenders() {
            let Some(path) = &contender.source.path else {
                self.text(survey, contender);
                continue;
            };
            let is_folder = contender.verdict == Verdict::Ignored(SkipRule::Folder);
            if is_folder {
                // A folder is no file that could be left out.
                if !self.gatherer.settings.excludes(request, path) {
                    for finding in &contender.diagnostics {
                        self.note(dialect, path, finding);
                    }
                }
                continue;
            }
            if self.is_excluded(path) {
                continue;
            }
            self.files.note_active(survey, contender);
            let checked = self.files.entry(contender.source.reported.clone(), path);
            checked.bytes = contender.bytes.clone().or(checked.bytes.take());
            checked.level = checked.level.or(Some(contender.source.level));
            checked.readings.push(FileReading::of(survey, contender));
            for diagnostic in &contender.diagnostics {
                checked.note(dialect, diagnostic.clone());
            }
            let definition = contender.definition.as_deref();
            if let (true, Some(definition), Some(bytes)) =
                (loads(contender.fate), definition, &contender.bytes)
            {
                let body = body_of(definition, bytes);
                for diagnostic in self.gatherer.broken_links(self.tree, path, bytes, body) {
                    checked.note(dialect, diagnostic);
                }
            }
            if let (Verdict::Active | Verdict::Refused, Some(definition)) =
                (contender.verdict, definition)
            {
                let making = making(survey, request, contender, definition).into_iter();
                for finding in making.filter(|it| !is_told(contender, it)) {
                    checked.note(dialect, finding);
                }
            }
        }
    }

    /// Adds a definition that stands in no file: what is wrong with it is told, but nobody can mend
    /// it there.
    fn text(&mut self, survey: &Survey, contender: &Contender) {
        if contender.diagnostics.is_empty() {
            return;
        }
        let reported = &contender.source.reported;
        let checked = self.files.entry(reported.clone(), Path::new(reported));
        checked.bytes = contender.bytes.clone().or(checked.bytes.take());
        checked.readings.push(FileReading::of(survey, contender));
        let dialect = survey.reading.dialect;
        for diagnostic in &contender.diagnostics {
            let fix = None;
            checked.note(
                dialect,
                Diagnostic {
                    fix,
                    ..diagnostic.clone()
                },
            );
        }
    }

    /// Adds what keeps the harness from loading anything, unless the file that is at fault said so.
    fn stop(&mut self, dialect: &'static Dialect, stopped: &Stopped) {
        let told = |checked: &Checked| {
            let mut findings = checked.findings.iter();
            findings.any(|noted| {
                let finding = &noted.diagnostic;
                (finding.rule, finding.span) == (stopped.diagnostic.rule, stopped.diagnostic.span)
            })
        };
        let at = stopped.reported.as_str();
        let files = self.files.files.values();
        if self.files.files.get(at).is_some_and(told)
            || files
                .clone()
                .any(|checked| checked.path == stopped.path && told(checked))
        {
            return;
        }
        let checked = self.files.entry(at.to_owned(), &stopped.path);
        checked.note(dialect, stopped.diagnostic.clone());
    }

    fn skill(&mut self, reading: Reading, found: &FoundSkill) {
        let dialect = reading.dialect;
        let path = &found.skill.path;
        if self.is_excluded(path) {
            return;
        }
        let bytes = self.tree.read(path, LARGEST_FILE).ok();
        let checked = self.files.entry(found.skill.reported.clone(), path);
        if let Some(bytes) = bytes {
            checked.bytes.get_or_insert_with(|| bytes.into());
        }
        checked.level = checked.level.or(Some(found.level));
        checked.readings.push(FileReading {
            dialect,
            inside: None,
            fate: match found.state {
                SkillState::Rejected => Fate::Rejected,
                SkillState::Ignored => Fate::Ignored,
                _ if found.is_degraded => Fate::Degraded,
                _ => Fate::Loaded,
            },
            verdict: Some(state_code(found.state)),
            lost: found.lost.clone(),
            rights_widened: false,
            definition: None,
            skill: Some(found.skill.clone()),
        });
        let is_lost = matches!(found.state, SkillState::Rejected | SkillState::Ignored);
        if let (false, Some(bytes)) = (is_lost, &checked.bytes) {
            let body = body_of_skill(reading.profile, bytes);
            for diagnostic in self.gatherer.broken_links(self.tree, path, bytes, body) {
                checked.note(dialect, diagnostic);
            }
        }
        for diagnostic in &found.diagnostics {
            checked.note(dialect, diagnostic.clone());
        }
    }

    /// Adds a file that looks like a skill and is passed over.
    fn missed(&mut self, dialect: &'static Dialect, missed: &MissedSkill) {
        let path = &missed.path;
        if self.is_excluded(path) {
            return;
        }
        let bytes = self.tree.read(path, LARGEST_FILE).ok();
        let checked = self.files.entry(missed.reported.clone(), path);
        if let Some(bytes) = bytes {
            checked.bytes.get_or_insert_with(|| bytes.into());
        }
        checked.readings.push(FileReading {
            dialect,
            inside: None,
            fate: Fate::Ignored,
            verdict: None,
            lost: Vec::new(),
            rights_widened: false,
            definition: None,
            skill: None,
        });
        checked.note(dialect, missed.diagnostic.clone());
    }

    fn note(&mut self, dialect: &'static Dialect, path: &Path, diagnostic: &Diagnostic) {
        if self.is_excluded(path) {
            return;
        }
        let reported = path.to_string_lossy().into_owned();
        let checked = self.files.entry(reported, path);
        checked.note(dialect, diagnostic.clone());
    }

    fn is_excluded(&mut self, path: &Path) -> bool {
        let excluded = self.gatherer.settings.excludes(self.gatherer.request, path);
        self.files.excluded += usize::from(excluded);
        excluded
    }

    /// Adds a file that was found below a folder.
    fn found(&mut self, path: &Path, readers: Vec<(Reading, &'static FileRules)>) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let wanted = readers.iter().any(|(_, rules)| rules.accept(&name).is_ok());
        // What nobody takes for an agent need not be read.
        let bytes = match wanted {
            true => self.tree.read(path, LARGEST_FILE),
            false => Ok(Vec::new()),
        };
        self.read(path, readers, bytes);
    }

    fn read(
        &mut self,
        path: &Path,
        readers: Vec<(Reading, &'static FileRules)>,
        bytes: Result<Vec<u8>, FileError>,
    ) {
        let count = self.seen.get() + 1;
        self.seen.set(count);
        let gatherer = self.gatherer;
        gatherer.progress.tell(|| format!("checking {count} files"));
        let reported = path.to_string_lossy().into_owned();
        let bytes: Result<Arc<[u8]>, FileError> = bytes.map(Arc::from);
        for (reading, rules) in readers {
            match &bytes {
                Ok(bytes) => {
                    let mut parsed = gatherer.parse(path, bytes, reading, rules);
                    if let Some(definition) = parsed.outcome.definition() {
                        let body = body_of(definition, bytes);
                        let mut broken = gatherer.broken_links(self.tree, path, bytes, body);
                        parsed.diagnostics.append(&mut broken);
                    }
                    self.files
                        .add(reported.clone(), path, reading, parsed, Arc::clone(bytes));
                }
                Err(error) => {
                    let own = self.tree.own_kind(path).unwrap_or(Kind::File);
                    let dialect = reading.dialect;
                    let checked = self.files.entry(reported.clone(), path);
                    checked.readings.push(FileReading {
                        dialect,
                        inside: None,
                        fate: Fate::Rejected,
                        verdict: None,
                        lost: Vec::new(),
                        rights_widened: false,
                        definition: None,
                        skill: None,
                    });
                    checked.note(dialect, unreadable(dialect.title, error, own));
                }
            }
        }
    }
}

/// Returns the rules for a folder that a dialect is told by, or else those that it has anywhere.
fn rules_among(told: &[Reader], reading: Reading) -> &'static FileRules {
    let told = told.iter();
    let own = |reader: &&Reader| reader.dialect.id == reading.dialect.id;
    let files = told.clone().find(own).map(|reader| reader.files);
    files.unwrap_or(&reading.profile.rules.agents.files)
}

/// Says of what is missing in a file of which nobody knows where it will lie whether it is missing
/// in a project alone: a plugin may give it.
fn spare_plugins(parsed: &mut Parsed, file: File<'_>, stem: &str, reading: Reading) {
    let Reading { dialect, profile } = reading;
    let is_missing = |finding: &&mut Diagnostic| *finding.rule == rules::MISSING_FIELD;
    let mut missing = parsed.diagnostics.iter_mut().filter(is_missing).peekable();
    let (Some(_), Some(rules)) = (missing.peek(), profile.rules.plugins.reading) else {
        return;
    };
    let in_plugin = parse_accepted(
        file,
        stem,
        dialect,
        rules,
        &ParseInputs::new().plugin("any"),
    );
    if in_plugin.outcome.definition().is_none() {
        return;
    }
    for finding in missing {
        let why = finding.why.take().unwrap_or_default();
        finding.why = Some(format!("{why}, unless it is the agent of a plugin").into());
        finding.severity = Severity::Warning;
    }
}

/// Makes an agent, and returns what there is to say about it. A harness that cannot make one stops
/// at the first fault; here what is wrong is left out, so that the others are found too.
fn making(
    survey: &Survey,
    request: &Request,
    contender: &Contender,
    definition: &Definition,
) -> Vec<Diagnostic> {
    let mut definition = definition.clone();
    let mut faults = Vec::new();
    while faults.len() < MOST_OF_A_RULE {
        match survey.assemble(request, contender, &definition, &Wanted::default()) {
            Ok(config) if faults.is_empty() => return config.remarks,
            Ok(_) => break,
            Err(error) => {
                faults.push(error.diagnostic());
                if !leave_out(&mut definition, &error) {
                    break;
                }
            }
        }
    }
    faults
}

/// Leaves out what keeps an agent from being made. Returns whether there was such a thing.
fn leave_out(definition: &mut Definition, error: &FactoryError) -> bool {
    let field = match error.kind() {
        FactoryErrorKind::UnknownSkill | FactoryErrorKind::DuplicateSkill => FieldName::SKILLS,
        FactoryErrorKind::UnknownTool => FieldName::TOOLS,
        FactoryErrorKind::InvalidExpansion => FieldName::MCP_SERVERS,
        FactoryErrorKind::NoToolLeft => return false,
        _ => FieldName::MODEL,
    };
    let Some(mut located) = definition.field(field).cloned() else {
        return false;
    };
    let (FieldValue::Names(names), Some(place)) = (&mut located.value, error.place()) else {
        definition.unset(field);
        return true;
    };
    let before = names.len();
    names.retain(|name| name.span != Some(place.value));
    let is_shorter = names.len() < before;
    definition.set(field, located);
    is_shorter
}

/// Returns whether a finding is told already: when the agent was registered, or by the rules of a
/// roster.
fn is_told(contender: &Contender, finding: &Diagnostic) -> bool {
    let same = |rule: &'static Rule| {
        let of_roster = finding.rule == &rules::UNKNOWN_SKILL && rule == &rules::C5_UNKNOWN_SKILL;
        rule == finding.rule || of_roster
    };
    // Of a value that is none it is enough to say what it counts as.
    let is_cause = |told: &Diagnostic| {
        finding.rule == &rules::UNKNOWN_MODEL
            && told.rule == &rules::VALUE_BECOMES_TEXT
            && told.field == Some(FieldName::MODEL)
            && finding.span.is_some_and(|span| span.is_empty())
    };
    let mut told = contender.diagnostics.iter();
    told.any(|told| is_cause(told) || told.span == finding.span && same(told.rule))
}

/// Returns whether a file of this fate is an agent.
fn loads(fate: Fate) -> bool {
    matches!(fate, Fate::Loaded | Fate::Repaired | Fate::Degraded)
}

/// What becomes of a contender. What is listed as rejected or ignored is no agent, however well its
/// file reads.
fn fate(survey: &Survey, contender: &Contender) -> Fate {
    let ends_registration = |name: &str| name == contender.name;
    let least = match (contender.verdict, &survey.aborted) {
        (Verdict::Refused, Some(aborted)) if ends_registration(&aborted.name) => Fate::Fatal,
        _ if gives_no_agent(contender) => Fate::Rejected,
        (Verdict::Ignored(_) | Verdict::SameFile { .. }, _) => Fate::Ignored,
        _ => Fate::Loaded,
    };
    contender.fate.max(least)
}

impl FileReading {
    fn of(survey: &Survey, contender: &Contender) -> Self {
        FileReading {
            dialect: survey.reading.dialect,
            inside: contender.source.inside.clone(),
            fate: fate(survey, contender),
            verdict: Some(verdict::code(contender.verdict)),
            lost: contender.lost.clone(),
            rights_widened: contender.rights_widened,
            definition: contender.definition.clone(),
            skill: None,
        }
    }

    /// Returns the word for what becomes of it.
    pub(super) fn outcome(&self) -> &'static str {
        match self.fate {
            Fate::Loaded | Fate::Repaired | Fate::Degraded => "loaded",
            Fate::Ignored => "ignored",
            Fate::Rejected | Fate::Fatal => "rejected",
        }
    }
}
