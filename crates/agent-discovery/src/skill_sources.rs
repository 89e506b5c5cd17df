//! The search for skills source by source: folders, settings, packages and the command line.
//!
//! Every source gives files in the order of the harness. They are read, and then those of one name
//! settle who has it.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use agent_schema::dialect::NameOrder;
use agent_schema::dialects::skills::DISABLE_MODEL_INVOCATION;
use agent_schema::parse::parse_accepted;
use agent_schema::skill_rules::{
    FoundBy, LooseFaults, ManifestSkills, MappedFolders, NamedBy, PluginNames, PluginSkills,
    SameName, SkillFolder, SkillScan, SkillSearch, SkillSource, SkillsBelow,
};
use agent_schema::{
    Definition, Diagnostic, Dialect, Fate, FieldName, File, Level, Limit, Outcome, Span, rules,
};
use indexmap::IndexMap;

use crate::fence;
use crate::file_tree::{FileTree, Kind};
use crate::in_order::in_order;
use crate::inputs::Inputs;
use crate::places::{self, Extent, Located, PlaceState, Searched, Survey, Ways};
use crate::remembered::Question;
use crate::reported::reported;
use crate::skill_below;
use crate::skill_candidate::{Candidate, qualified};
use crate::skill_file::SkillFile;
use crate::skill_mapped;
use crate::skill_memory::{ReadParsed, SkillMemory};
use crate::skill_plugins::{self, PluginFound};
use crate::skill_scan::{self, Missed, Scanned};
use crate::skill_settings::{self, Named, Settings};
use crate::skills::{FoundSkill, MissedSkill, SkillState, SkillWarning, Skills};
use crate::surroundings;
use crate::trouble;

/// The most other skills of the same name that a finding names.
const MOST_COPIES_NAMED: usize = 20;

/// Gathers the skills of all sources.
pub(crate) fn search(
    memory: &SkillMemory<'_>,
    dialect: &'static Dialect,
    rules: &'static SkillSearch,
    inputs: &Inputs,
) -> Skills {
    let tree: &dyn FileTree = memory;
    let mut search = Search {
        tree,
        memory,
        dialect,
        rules,
        inputs,
        skills: Skills {
            lookup: rules.lookup,
            cut_at: rules.cut_at,
            needs_trust: needs_trust(tree, rules, inputs),
            ..Skills::default()
        },
        read: HashMap::new(),
        below: Vec::new(),
    };
    for source in rules.sources {
        search.gather(source);
    }
    search.qualify();
    search.settle();
    let mut skills = search.skills;
    let levels = waiting_levels(rules);
    if inputs.trusted != Some(true) && !levels.is_empty() {
        let trusted = self::search(memory, dialect, rules, &inputs.clone().supposing_trust());
        hold_back(&mut skills, trusted, &levels);
    }
    skills
}

/// Returns the levels of which something waits until the project is trusted.
fn waiting_levels(rules: &SkillSearch) -> Vec<Level> {
    let places = rules.sources.iter().filter_map(SkillSource::place);
    let places = places.filter(|place| place.needs_trust);
    let levels = rules.trusted_levels.iter().copied();
    levels.chain(places.map(|place| place.level)).collect()
}

/// Adds the skills that would be found if the project were trusted. None of them has a name.
fn hold_back(skills: &mut Skills, trusted: Skills, levels: &[Level]) {
    let known = skills.found.iter().map(|it| it.skill.path.clone());
    let mut known: HashSet<PathBuf> = known.collect();
    for mut found in trusted.found {
        if known.contains(&found.skill.path) || !levels.contains(&found.level) {
            continue;
        }
        found.state = SkillState::HeldBack;
        found.place = None;
        known.insert(found.skill.path.clone());
        skills.found.push(found);
    }
}

/// Returns whether something in the project makes the harness ask whether to trust it.
fn needs_trust(tree: &dyn FileTree, rules: &SkillSearch, inputs: &Inputs) -> bool {
    rules.trust_signs.iter().any(|sign| {
        let places = places::locate_one(tree, &sign.place, inputs);
        let mut places = places.iter().filter(|place| {
            !(sign.skips_home && is_in_home(tree, place, sign.place.folder, inputs))
        });
        places.any(|place| place.switched_on && tree.kind(&place.path).is_ok())
    })
}

/// Returns whether a place is the folder of the same path in the home.
fn is_in_home(tree: &dyn FileTree, place: &Located, folder: &str, inputs: &Inputs) -> bool {
    let home = inputs.home.as_deref();
    home.is_some_and(|home| places::same_folder(tree, &place.path, &home.join(folder)))
}

/// A search under way.
struct Search<'a> {
    tree: &'a dyn FileTree,
    memory: &'a SkillMemory<'a>,
    dialect: &'static Dialect,
    rules: &'static SkillSearch,
    inputs: &'a Inputs,
    skills: Skills,
    /// The real paths of the files that were come across, with their numbers.
    read: HashMap<PathBuf, usize>,
    /// The numbers of the skills that lie below the project, with the folders around them.
    below: Vec<(usize, String)>,
}

/// What is known of a skill file before its turn comes.
struct Ahead {
    real: PathBuf,
    /// The skill, if it was worth reading.
    found: Option<FoundSkill>,
}

impl Search<'_> {
    fn gather(&mut self, source: &'static SkillSource) {
        match source {
            SkillSource::CommandLine(scan) => self.gather_command_line(scan),
            _ if !self.inputs.search_skills => {}
            SkillSource::Folder(folder)
                if folder
                    .unless
                    .is_some_and(|switch| places::is_on(switch, self.inputs)) => {}
            SkillSource::Folder(folder) => self.gather_folder(folder),
            SkillSource::Plugins(rules) => self.gather_plugins(rules),
            SkillSource::Below(rules) => self.gather_below(rules),
            SkillSource::Mapped(rules) => self.gather_mapped(rules),
            SkillSource::Manifests(rules) => {
                if self.is_open(rules.within) {
                    self.gather_manifests(rules);
                }
            }
            SkillSource::Settings(file) => {
                if self.is_open(file.place.level) {
                    let settings = skill_settings::read(self.tree, file, self.inputs);
                    let mut refused = Vec::new();
                    let named = settings.listed(self.tree, file, self.inputs, &mut refused);
                    self.note_refused(refused);
                    self.take_named(named, file.place.level, FoundBy::Settings);
                }
            }
            SkillSource::Packages(file) => {
                if self.is_open(file.place.level) {
                    let settings = skill_settings::read(self.tree, file, self.inputs);
                    let mut refused = Vec::new();
                    let named = settings.packaged(self.tree, file, self.inputs, &mut refused);
                    self.note_refused(refused);
                    self.take_named(named, Level::Package, FoundBy::Package);
                }
            }
        }
    }

    /// Notes the folders that are not looked at, because the project leads too far.
    fn note_refused(&mut self, folders: Vec<PathBuf>) {
        for path in folders {
            let diagnostic = fence::refused(&path, self.dialect.title);
            self.skills.warnings.push(SkillWarning { path, diagnostic });
        }
    }

    /// Returns whether a level is searched at all.
    fn is_open(&self, level: Level) -> bool {
        let is_trusted =
            self.inputs.trusted == Some(true) || !self.rules.trusted_levels.contains(&level);
        is_trusted && places::is_included(level, self.inputs)
    }

    fn gather_folder(&mut self, folder: &'static SkillFolder) {
        let settings = folder
            .switched_by
            .filter(|file| self.is_open(file.place.level))
            .map(|file| skill_settings::read(self.tree, file, self.inputs));
        let map = folder.mapped;
        let is_off = map.is_some_and(|map| {
            let switched = skill_mapped::read(self.tree, map, self.inputs);
            skill_mapped::is_off(&switched, &folder.place)
        });
        for place in places::locate_one(self.tree, &folder.place, self.inputs) {
            let skipped = folder.skips_home
                && is_in_home(self.tree, &place, folder.place.folder, self.inputs);
            if !skipped {
                self.gather_place(folder, place, settings.as_ref(), is_off);
            }
        }
    }

    fn gather_place(
        &mut self,
        folder: &'static SkillFolder,
        place: Located,
        settings: Option<&Settings>,
        is_off: bool,
    ) {
        let Some(number) = self.survey(&place, folder.scan) else {
            return;
        };
        let scanned = skill_scan::scan(self.tree, &place.path, folder.scan);
        let is_off = |path: &Path| {
            is_off || settings.is_some_and(|settings| settings.switch_off(path, &place.path))
        };
        let candidates = scanned.into_iter().map(|scanned| Candidate {
            place: Some(number),
            switched_off: is_off(&scanned.path),
            ..Candidate::new(scanned, place.level, folder.found_by)
        });
        self.take_all(candidates.collect());
    }

    /// Notes a place, and gives its number if it can be searched.
    fn survey(&mut self, place: &Located, scan: &SkillScan) -> Option<usize> {
        let survey = match place.switched_on && !place.held_back && self.is_open(place.level) {
            true => places::survey(self.tree, &place.path, NameOrder::CodePoint),
            false => Survey::Nothing(PlaceState::SwitchedOff),
        };
        let number = self.skills.places.len();
        let state = match survey {
            Survey::Items(items) => PlaceState::Listed {
                entries: items.len(),
            },
            Survey::Nothing(state) => state,
            Survey::Unreadable(error) => PlaceState::Unreadable(Box::new(
                places::unreadable_folder(self.dialect.title, &place.path, &error),
            )),
        };
        let is_listed = matches!(state, PlaceState::Listed { .. });
        let is_link = !scan.folder_links && self.tree.own_kind(&place.path) == Ok(Kind::Link);
        self.skills.places.push(Searched {
            level: place.level,
            path: place.path.clone(),
            state,
            unit: number,
            above: None,
            extent: match scan.deepest {
                0 => Extent::Folder,
                _ => Extent::WithFolders,
            },
        });
        (is_listed && !is_link).then_some(number)
    }

    fn gather_mapped(&mut self, rules: &MappedFolders) {
        let level = rules.place.level;
        if !self.is_open(level) {
            return;
        }
        let switched = skill_mapped::read(self.tree, rules.map, self.inputs);
        let sources = self.rules.sources;
        let mut refused = Vec::new();
        let folders = skill_mapped::folders(
            self.tree,
            &switched,
            &rules.place,
            sources,
            self.inputs,
            &mut refused,
        );
        self.note_refused(refused);
        for path in folders {
            let scanned = skill_scan::scan(self.tree, &path, rules.scan);
            self.take_all(Candidate::all(scanned, level, FoundBy::Settings));
        }
    }

    fn gather_manifests(&mut self, rules: &ManifestSkills) {
        let listed = surroundings::manifest_paths(self.tree, rules, self.inputs);
        self.note_refused(listed.refused);
        for path in listed.kept {
            let files = skill_settings::files_at(self.tree, &path, rules.scan);
            let is_skill = |file: &Scanned| {
                let suffix = file.path.extension();
                suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("md"))
            };
            let files = files.into_iter().filter(is_skill);
            self.take_all(Candidate::all(files, Level::Package, FoundBy::Package));
        }
    }

    fn gather_plugins(&mut self, rules: &PluginSkills) {
        for place in places::locate_one(self.tree, &rules.place, self.inputs) {
            let Some(number) = self.survey(&place, rules.scan) else {
                continue;
            };
            let plugins = skill_plugins::at_place(self.tree, rules, &place, self.dialect.title);
            for plugin in plugins {
                match plugin {
                    Ok(plugin) => self.take_plugin(plugin, rules, place.level, number),
                    Err(lost) => self.skills.warnings.push(SkillWarning {
                        path: lost.manifest,
                        diagnostic: *lost.why,
                    }),
                }
            }
        }
    }

    fn take_plugin(
        &mut self,
        plugin: PluginFound,
        rules: &PluginSkills,
        level: Level,
        place: usize,
    ) {
        let prefix = match rules.names {
            PluginNames::Plain => None,
            PluginNames::Qualified => Some(plugin.name),
        };
        let skills = plugin.skills.into_iter();
        let candidates = skills.map(|(scanned, named_by)| Candidate {
            place: Some(place),
            plugin: prefix.clone(),
            named_by,
            ..Candidate::new(scanned, level, FoundBy::Search)
        });
        self.take_all(candidates.collect());
    }

    fn gather_below(&mut self, rules: &SkillsBelow) {
        let level = rules.place.level;
        let base = places::base_folder(self.tree, rules.place.base, self.inputs);
        let Some(base) = base.filter(|_| self.is_open(level)) else {
            return;
        };
        let given = Ways::of(self.tree, self.inputs).as_given(&base);
        for folder in skill_below::folders(self.tree, rules, &base) {
            let path = given.join(folder.path.strip_prefix(&base).unwrap_or(&folder.path));
            let scanned = skill_scan::scan(self.tree, &path, rules.scan);
            let first = self.skills.found.len();
            self.take_all(Candidate::all(scanned, level, FoundBy::Below));
            // Not every file that is scanned is found: some are only passed over.
            let found = first..self.skills.found.len();
            let below = found.map(|number| (number, folder.around.clone()));
            self.below.extend(below);
        }
    }

    /// Puts the folder before the names of skills below the project that another skill has too.
    fn qualify(&mut self) {
        let found = &self.skills.found;
        let is_active = |it: &FoundSkill| it.state == SkillState::Active;
        let mut bearers: HashMap<&str, usize> = HashMap::new();
        for it in found.iter().filter(|it| is_active(it)) {
            *bearers.entry(&it.skill.name).or_default() += 1;
        }
        let is_shared = |index: usize| {
            let it = &found[index];
            let all = bearers.get(it.skill.name.as_str()).copied();
            all.unwrap_or_default() > usize::from(is_active(it))
        };
        let shared = self.below.iter().filter(|(index, _)| is_shared(*index));
        for (index, around) in shared.cloned().collect::<Vec<_>>() {
            let skill = &mut self.skills.found[index].skill;
            skill.name = format!("{around}:{}", skill.name);
        }
    }

    fn take_named(&mut self, named: Vec<Named>, level: Level, found_by: FoundBy) {
        let candidates = named.into_iter().map(|named| Candidate {
            switched_off: !named.switched_on,
            ..Candidate::new(named.scanned, level, found_by)
        });
        self.take_all(candidates.collect());
    }

    fn gather_command_line(&mut self, scan: &SkillScan) {
        let base = self.inputs.project.clone().unwrap_or_default();
        for written in self.inputs.skill_paths.clone() {
            let path = skill_settings::resolve(&written, &base, self.inputs);
            let candidate =
                |scanned| Candidate::new(scanned, Level::Explicit, FoundBy::CommandLine);
            let file = skill_settings::file_at(&path);
            match self.tree.kind(&path) {
                Ok(Kind::Folder) => {
                    let scanned = skill_scan::scan(self.tree, &path, scan);
                    self.take_all(scanned.into_iter().map(candidate).collect());
                }
                Ok(Kind::File) if path.to_string_lossy().ends_with(".md") => {
                    self.take_all(vec![candidate(file)]);
                }
                Ok(_) => {
                    let finding = Diagnostic::new(
                        &rules::SKILL_PATH_NOT_MARKDOWN,
                        "the path does not lead to a Markdown file",
                    )
                    .because(format!(
                        "{} takes files whose name ends in `.md`",
                        self.dialect.title
                    ))
                    .help("name a folder, or a file that ends in `.md`");
                    self.refuse(candidate(file), finding.said_by_harness());
                }
                Err(_) => {
                    let message = "nothing is at this path";
                    let finding = Diagnostic::new(&rules::SKILL_PATH_MISSING, message)
                        .because(format!("{} wants a path, not a name", self.dialect.title))
                        .help("correct the path");
                    self.refuse(candidate(file), finding.said_by_harness());
                }
            }
        }
    }

    /// Takes files in their order; they are read several at once.
    fn take_all(&mut self, candidates: Vec<Candidate>) {
        let ahead = in_order(&candidates, |candidate| self.look_ahead(candidate));
        for (candidate, ahead) in candidates.into_iter().zip(ahead) {
            self.take(candidate, ahead);
        }
    }

    /// Reads a file, unless it was read before or is switched off.
    fn look_ahead(&self, candidate: &Candidate) -> Ahead {
        let path = &candidate.scanned.path;
        let real = self.tree.real_path(path).unwrap_or_else(|_| path.clone());
        let is_read = candidate.scanned.missed.is_none()
            && !candidate.switched_off
            && !self.read.contains_key(&real);
        Ahead {
            found: is_read.then(|| self.load(candidate.clone())),
            real,
        }
    }

    fn take(&mut self, candidate: Candidate, ahead: Ahead) {
        if let Some(missed) = candidate.scanned.missed {
            self.pass_over(candidate, missed);
            return;
        }
        let Ahead { real, found } = ahead;
        let index = self.skills.found.len();
        if let Some(first) = self.read.get(&real) {
            let state = SkillState::SameFile { first: *first };
            let first = self.skills.found[*first].skill.reported.clone();
            let mut found = candidate.into_found();
            found.state = state;
            found.diagnostics.push(
                Diagnostic::new(&rules::SAME_SKILL_FILE, "the file is reached in two ways")
                    .because(format!(
                        "{} counts it once, without a word",
                        self.dialect.title
                    ))
                    // The file was not read by this path, but whatever it is, it begins there.
                    .at(Span::default())
                    .and_file(first, "it is read by this path"),
            );
            self.skills.found.push(found);
            return;
        }
        self.read.insert(real, index);
        let Some(found) = found else {
            let mut found = candidate.into_found();
            found.state = SkillState::SwitchedOff;
            self.skills.found.push(found);
            return;
        };
        self.push(found);
    }

    /// Notes a file that looks like a skill and is none for this harness.
    fn pass_over(&mut self, candidate: Candidate, missed: Missed) {
        let title = self.dialect.title;
        let (message, why, help) = match missed {
            Missed::Misnamed => (
                "the file is passed over, because of its name",
                format!("{title} looks for `SKILL.md`, in these letters"),
                "call the file `SKILL.md`",
            ),
            Missed::TooDeep => (
                "the file is passed over, because it lies too deep",
                format!("{title} looks no further into the folders of skills"),
                "move its folder up",
            ),
        };
        let path = candidate.scanned.path;
        self.skills.missed.push(MissedSkill {
            reported: reported(&path),
            path,
            // The file was not read, but whatever it is, it begins there.
            diagnostic: Diagnostic::new(&rules::INVALID_SKILL, message)
                .at(Span::default())
                .because(why)
                .help(help),
        });
    }

    fn load(&self, candidate: Candidate) -> FoundSkill {
        let path = candidate.scanned.path.clone();
        let is_loose = candidate.scanned.file == SkillFile::Loose;
        let is_silent = is_loose && self.rules.loose_faults == LooseFaults::Silent;
        let (plugin, named_by) = (candidate.plugin.clone(), candidate.named_by);
        let mut found = candidate.into_found();
        let question = Question {
            stem: found.derived_name.clone(),
            rules: self.rules.reading,
            inputs: self
                .inputs
                .parse_inputs()
                .folder(skill_scan::folder_name(&path)),
        };
        let most = self.inputs.limits.of(Limit::FileBytes);
        let read = self
            .memory
            .parsed(&path, question, most, |question, bytes| {
                self.parse(&path, question, bytes)
            });
        let ReadParsed { mut parsed, head } = match read {
            Ok(read) => read,
            Err(error) => {
                let own = self.tree.own_kind(&path).unwrap_or(Kind::File);
                let finding = trouble::unreadable(self.dialect.title, &error, own);
                found.diagnostics.push(finding.said_by_harness());
                return found;
            }
        };
        found.state = match &parsed.outcome {
            Outcome::Loaded(_) => SkillState::Active,
            Outcome::Rejected(_) if !is_silent => SkillState::Rejected,
            Outcome::Rejected(_) | Outcome::Ignored(_) => SkillState::Ignored,
        };
        if found.state == SkillState::Ignored {
            for finding in &mut parsed.diagnostics {
                finding.harness_says = false;
            }
        }
        found.name_place = Some(head);
        if let Outcome::Loaded(definition) | Outcome::Rejected(definition) = &parsed.outcome {
            self.fill_in(&mut found, definition);
            let field = match self.rules.named_by {
                NamedBy::Header => Some(FieldName::NAME),
                _ => named_by,
            };
            if let Some(place) = field.and_then(|field| definition.place(field)) {
                found.name_place = Some(place.value);
            }
            let named = named_by.and_then(|field| definition.text(field));
            if let Some(name) = named.filter(|name| !name.is_empty()) {
                found.skill.name = qualified(plugin.as_deref(), name);
            }
        }
        // The harness speaks in the order in which it looks at the fields.
        let fields = self.rules.reading.fields;
        parsed.diagnostics.sort_by_key(|finding| {
            let mut targets = fields.iter().map(|field| field.target);
            finding
                .field
                .and_then(|about| targets.position(|target| target == about))
        });
        found.is_degraded = parsed.fate == Fate::Degraded;
        found.lost = parsed.lost;
        found.diagnostics = parsed.diagnostics;
        found
    }

    fn parse(&self, path: &Path, question: &Question, bytes: &[u8]) -> ReadParsed {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = File { name: &name, bytes };
        let Question {
            stem,
            rules,
            inputs,
        } = question;
        ReadParsed {
            parsed: parse_accepted(file, stem, self.dialect, rules, inputs),
            head: Span::head_of(bytes),
        }
    }

    fn fill_in(&self, found: &mut FoundSkill, definition: &Definition) {
        let skill = &mut found.skill;
        if self.rules.named_by == NamedBy::Header && !definition.name().is_empty() {
            definition.name().clone_into(&mut skill.name);
        }
        let description = definition.text(FieldName::DESCRIPTION);
        skill.description = description.map(str::to_owned);
        skill.content = definition.prompt().unwrap_or_default().to_owned();
        found.model_visible = definition.flag(DISABLE_MODEL_INVOCATION) != Some(true);
        let place = definition.place(DISABLE_MODEL_INVOCATION);
        let place = place.filter(|_| !found.model_visible);
        found.hidden_at = place.map(|place| place.key.cover(place.value));
    }

    fn refuse(&mut self, candidate: Candidate, finding: Diagnostic) {
        let mut found = candidate.into_found();
        found.diagnostics.push(finding);
        self.push(found);
    }

    /// Keeps a skill, and with the warnings what the harness itself says of it.
    fn push(&mut self, found: FoundSkill) {
        let findings = found.diagnostics.iter();
        let said = findings.filter(|finding| finding.harness_says);
        let warnings = said.map(|finding| SkillWarning {
            path: found.skill.path.clone(),
            diagnostic: finding.clone(),
        });
        self.skills.warnings.extend(warnings);
        self.skills.found.push(found);
    }

    /// Settles who has each name.
    fn settle(&mut self) {
        let mut names: IndexMap<String, Vec<usize>> = IndexMap::new();
        for (index, found) in self.skills.found.iter().enumerate() {
            if found.state == SkillState::Active {
                let of_name = names.entry(found.skill.name.clone()).or_default();
                of_name.push(index);
            }
        }
        for (name, mut indexes) in names {
            let by = match self.rules.same_name {
                SameName::NotFixed if indexes.len() > 1 => {
                    self.leave_open(&indexes);
                    continue;
                }
                SameName::FirstWins | SameName::NotFixed => indexes[0],
                SameName::LastWins => indexes[indexes.len() - 1],
                SameName::AllKept => {
                    indexes.sort_by(|one, other| self.compare(*one, *other));
                    self.skills.listed.insert(name, indexes[0]);
                    self.note_copies(&indexes);
                    self.skills.order.extend(indexes);
                    continue;
                }
            };
            for index in indexes.into_iter().filter(|index| *index != by) {
                self.shadow(index, by);
            }
            self.skills.listed.insert(name, by);
            self.skills.order.push(by);
        }
        if self.rules.same_name == SameName::AllKept {
            let mut order = std::mem::take(&mut self.skills.order);
            order.sort_by(|one, other| self.compare(*one, *other));
            self.skills.order = order;
        }
    }

    /// Compares two skills by the order of the sources' levels, by name and by path.
    fn compare(&self, one: usize, other: usize) -> Ordering {
        let place = |index: usize| {
            let found = &self.skills.found[index];
            let mut sources = self.rules.sources.iter();
            let rank = sources.position(|source| {
                let place = source.place();
                place.is_some_and(|place| place.level == found.level)
            });
            (rank, &found.skill.name, &found.skill.path)
        };
        place(one).cmp(&place(other))
    }

    fn shadow(&mut self, index: usize, by: usize) {
        let title = self.dialect.title;
        let winner = &self.skills.found[by];
        let found = &self.skills.found[index];
        let why = match self.rules.same_name {
            SameName::LastWins => {
                format!("{title} lets the skill that it reads last have the name")
            }
            _ if winner.level != found.level => format!(
                "{title} puts the skills of level `{}` over those of `{}`",
                winner.level, found.level
            ),
            _ => format!("{title} comes across the other file first"),
        };
        let message = format!("skill `{}` is never used from this file", found.skill.name);
        let diagnostic = Diagnostic::new(&rules::SHADOWED_NAME, message)
            .because(why)
            .help("rename one of the two skills, or delete the file that you do not need")
            .and_in(
                &winner.skill.reported,
                winner.name_place,
                "this file has the name",
            );
        let found = &mut self.skills.found[index];
        found.state = SkillState::Shadowed { by };
        found.note(diagnostic);
    }

    /// Notes that it is not fixed which of some skills answers to their name.
    fn leave_open(&mut self, indexes: &[usize]) {
        let message = |name: &str| format!("it is not fixed whether skill `{name}` is this file");
        let why = format!(
            "{} lets the file that it finishes reading last have the name, and that differs from \
             start to start",
            self.dialect.title
        );
        self.note_each(indexes, "this file has the same name", |found| {
            found.state = SkillState::Undefined { first: indexes[0] };
            Diagnostic::new(&rules::UNDEFINED_WINNER, message(&found.skill.name))
                .because(why.clone())
                .help("rename all of these skills but one, or delete them")
        });
    }

    /// Notes that several skills of one name stay side by side.
    fn note_copies(&mut self, indexes: &[usize]) {
        let title = self.dialect.title;
        if indexes.len() < 2 {
            return;
        }
        self.note_each(indexes, "this file has the same name", |found| {
            let message = format!("skill `{}` is listed more than once", found.skill.name);
            Diagnostic::new(&rules::REPEATED_SKILL, message)
                .because(format!("{title} lists every skill of a name"))
                .help("rename all of these skills but one, or delete them")
        });
    }

    fn note_each(
        &mut self,
        indexes: &[usize],
        label: &str,
        mut note: impl FnMut(&mut FoundSkill) -> Diagnostic,
    ) {
        for index in indexes {
            let mut finding = note(&mut self.skills.found[*index]);
            let others = indexes.iter().filter(|other| *other != index);
            for other in others.take(MOST_COPIES_NAMED) {
                let other = &self.skills.found[*other];
                finding = finding.and_in(&other.skill.reported, other.name_place, label);
            }
            self.skills.found[*index].note(finding);
        }
    }
}
