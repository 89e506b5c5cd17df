//! The search for skills: places and instruction files in, skills with their states out.
//!
//! Levels are gathered from the weakest to the strongest; a stronger one takes a name over and
//! leaves it in its place of the list. Inside a level the first folder that has a name keeps it.

use std::path::{Path, PathBuf};

use agent_schema::dialect::Base;
use agent_schema::dialect::NameOrder;
use agent_schema::parse::LARGEST_FILE;
use agent_schema::skill_rules::FoundBy;
use agent_schema::{Diagnostic, Dialect, Level, Limit, Profile, Span, Value, rules};
use indexmap::IndexMap;

use crate::file_tree::{FileTree, Item, Kind};
use crate::in_order::in_order;
use crate::inputs::Inputs;
use crate::places::{self, Extent, Located, PlaceState, Searched, Survey};
use crate::reported::reported;
use crate::skill_file::{self, Loss, Skill, SkillFile, SkillText, Trigger};
use crate::skill_memory::{ReadText, SkillMemory, TextQuestion};
use crate::skill_scan;
use crate::skill_settings;
use crate::skill_tree::{self, Nested};
use crate::skills::{FoundSkill, SkillState, SkillWarning, Skills};
use crate::trouble;

/// Gathers the skills of all levels.
pub(crate) fn search(
    memory: &SkillMemory<'_>,
    dialect: &'static Dialect,
    profile: &'static Profile,
    inputs: &Inputs,
) -> Skills {
    let tree: &dyn FileTree = memory;
    let mut search = Search {
        tree,
        memory,
        dialect,
        profile,
        inputs,
        skills: Skills::default(),
    };
    let places = places::locate(tree, profile.rules.skills.places, &[], inputs);
    for of_level in places.chunk_by(|one, next| one.level == next.level) {
        search.gather_level(of_level[0].level, of_level);
    }
    search.settle();
    search.skills.order = search.skills.listed.values().copied().collect();
    search.skills
}

/// A search under way.
struct Search<'a> {
    tree: &'a dyn FileTree,
    memory: &'a SkillMemory<'a>,
    dialect: &'static Dialect,
    profile: &'static Profile,
    inputs: &'a Inputs,
    skills: Skills,
}

/// The skills that have a name so far, by their number.
type Names = IndexMap<String, usize>;

/// A skill file that is about to be read.
struct Candidate {
    path: PathBuf,
    file: SkillFile,
    level: Level,
    place: Option<usize>,
    derived_name: String,
}

impl Search<'_> {
    fn gather_level(&mut self, level: Level, places: &[Located]) {
        let first = self.skills.found.len();
        let first_place = self.skills.places.len();
        let first_warning = self.skills.warnings.len();
        let mut names = Names::new();
        let mut fatal = None;
        if level == Level::Project && places::is_included(level, self.inputs) {
            fatal = self.gather_instructions(level, places, &mut names);
        }
        for place in places {
            self.gather_place(place, first_place, &mut names);
        }
        match fatal {
            None => self.skills.listed.extend(names),
            Some(warning) => {
                // The harness came no further than this.
                self.lose_from(first, &warning);
                self.skills.warnings.truncate(first_warning);
                self.skills.warnings.push(warning);
            }
        }
    }

    /// Reads the instruction files of a project. Gives the fault that costs the whole level.
    fn gather_instructions(
        &mut self,
        level: Level,
        places: &[Located],
        names: &mut Names,
    ) -> Option<SkillWarning> {
        let known = self.profile.rules.skills.instruction_files;
        let mut fatal = None;
        let mut bases: Vec<Base> = places.iter().map(|place| place.base).collect();
        bases.dedup();
        let mut roots: Vec<PathBuf> = Vec::new();
        for base in bases {
            let root = places::base_folder(self.tree, base, self.inputs);
            if let Some(root) = root.filter(|root| !roots.contains(root)) {
                let fault = self.gather_root_instructions(level, &root, names);
                fatal = fatal.or(fault);
                roots.push(root);
            }
        }
        if let Some(project) = &self.inputs.project {
            for nested in skill_tree::nested_instructions(self.tree, project, known) {
                self.gather_nested_instructions(level, nested, names);
            }
        }
        fatal
    }

    fn gather_root_instructions(
        &mut self,
        level: Level,
        root: &Path,
        names: &mut Names,
    ) -> Option<SkillWarning> {
        let items = match places::survey(self.tree, root, NameOrder::CodePoint) {
            Survey::Items(items) => items,
            Survey::Nothing(_) => return None,
            Survey::Unreadable(error) => {
                return Some(SkillWarning {
                    path: root.to_owned(),
                    diagnostic: places::unreadable_folder(self.dialect.title, root, &error),
                });
            }
        };
        let mut fatal = None;
        let mut read: Vec<ReadInstructions> = Vec::new();
        for item in items {
            let path = root.join(&item.name);
            let lower = item.name.to_string_lossy().to_lowercase();
            let Some(name) = self.instructions_name(&lower) else {
                continue;
            };
            if self.tree.kind(&path) != Ok(Kind::File) {
                continue;
            }
            let candidate = Candidate {
                path: path.clone(),
                file: SkillFile::Instructions,
                level,
                place: None,
                derived_name: name.to_owned(),
            };
            let real = self.tree.real_path(&path).unwrap_or_else(|_| path.clone());
            if let Some(first) = read.iter().find(|first| first.lower == lower) {
                let diagnostic = read_already(&first.path, "has the same name");
                self.warn(&path, diagnostic.clone());
                self.push_rejected(candidate, diagnostic);
            } else if let Some(first) = read.iter().find(|first| first.real == real) {
                self.push_rejected(candidate, read_already(&first.path, "is the same file"));
            } else {
                let text = self.read(&candidate);
                let fault = self.load(candidate, text, names);
                fatal = fatal.or(fault);
                read.push(ReadInstructions { lower, real, path });
            }
        }
        fatal
    }

    fn gather_nested_instructions(&mut self, level: Level, nested: Nested, names: &mut Names) {
        let candidate = Candidate {
            path: nested.path,
            file: SkillFile::Instructions,
            level,
            place: None,
            derived_name: format!("{}:{}", nested.name, nested.folder),
        };
        let text = self.read(&candidate);
        let fault = self.load(candidate, text, names);
        self.skills.warnings.extend(fault);
        if let Some(found) = self.skills.found.last_mut() {
            found.skill.trigger = Trigger::Paths(vec![format!("{}/**", nested.folder)]);
        }
    }

    fn gather_place(&mut self, place: &Located, first_place: usize, names: &mut Names) {
        let survey = if place.switched_on {
            places::survey(self.tree, &place.path, NameOrder::CodePoint)
        } else {
            Survey::Nothing(PlaceState::SwitchedOff)
        };
        let state = match survey {
            Survey::Items(items) => match self.earlier(&place.path, first_place) {
                Some(earlier) => PlaceState::SameAs(earlier),
                None => {
                    self.gather_folder(place, &items, names);
                    let entries = items.len();
                    PlaceState::Listed { entries }
                }
            },
            Survey::Nothing(state) => {
                if self.tree.kind(&place.path).is_ok() && state == PlaceState::NotAFolder {
                    let message = format!("`{}` is no folder", reported(&place.path));
                    let finding = Diagnostic::new(&rules::UNREADABLE_FOLDER, message)
                        .because(format!(
                            "{} looks for skills in it and finds none",
                            self.dialect.title
                        ))
                        .help("make a folder of it, or remove it");
                    self.warn(&place.path, finding);
                }
                state
            }
            Survey::Unreadable(error) => {
                let diagnostic = places::unreadable_folder(self.dialect.title, &place.path, &error);
                self.warn(&place.path, diagnostic.clone());
                PlaceState::Unreadable(Box::new(diagnostic))
            }
        };
        self.skills.places.push(Searched {
            level: place.level,
            path: place.path.clone(),
            extent: Extent::Folder,
            state,
            unit: self.skills.places.len(),
            above: None,
        });
    }

    /// Finds a listed place of the same level that is the same folder.
    fn earlier(&self, path: &Path, first_place: usize) -> Option<usize> {
        let real = self.tree.real_path(path).ok()?;
        let places = self.skills.places.iter().enumerate().skip(first_place);
        places
            .filter(|(_, place)| matches!(place.state, PlaceState::Listed { .. }))
            .find(|(_, place)| self.tree.real_path(&place.path).as_ref() == Ok(&real))
            .map(|(index, _)| index)
    }

    fn gather_folder(&mut self, place: &Located, items: &[Item], names: &mut Names) {
        let folder = &place.path;
        let first = self.skills.found.len();
        let files = match skill_tree::skill_files(self.tree, folder, items) {
            Ok(files) => files,
            Err((inside, error)) => {
                let diagnostic = places::unreadable_folder(self.dialect.title, &inside, &error)
                    .because(format!(
                        "{} loses all skills of `{}` with it",
                        self.dialect.title,
                        reported(folder)
                    ));
                self.warn(folder, diagnostic);
                return;
            }
        };
        // What sets a skill off decides its group; in a group the last file of a name wins.
        let mut groups = [Names::new(), Names::new(), Names::new()];
        let mut fatal = None;
        let installed = self.installed(place);
        let is_off = |path: &Path| {
            let name = skill_scan::folder_name(path);
            installed.as_ref().is_some_and(|off| off.contains(&name))
        };
        let (off, own) = files.own.into_iter().partition(|path| is_off(path));
        let (off, own): (Vec<PathBuf>, Vec<PathBuf>) = (off, own);
        for path in off {
            let mut found = self.own(place, path).into_found(Vec::new());
            found.state = SkillState::SwitchedOff;
            self.skills.found.push(found);
        }
        // Of installed skills only those with a folder are on the record.
        let (loose, misplaced) = match installed {
            Some(_) => (Vec::new(), Vec::new()),
            None => (files.loose, files.misplaced),
        };
        let own = own.into_iter().map(|path| self.own(place, path));
        let loose = loose.into_iter().map(|path| self.loose(place, path));
        let candidates: Vec<Candidate> = own.chain(loose).collect();
        let texts = in_order(&candidates, |candidate| self.read(candidate));
        for (candidate, text) in candidates.into_iter().zip(texts) {
            let mut name = Names::new();
            let index = self.skills.found.len();
            let fault = self.load(candidate, text, &mut name);
            groups[group(&self.skills.found[index])].extend(name);
            if !self.profile.rules.skills.unforeseen_fault_loses_folder {
                self.skills.warnings.extend(fault);
            } else if let (None, Some(warning)) = (&fatal, fault) {
                fatal = Some((warning, self.skills.warnings.len()));
            }
        }
        match fatal {
            None => self.merge_groups(groups, folder, names),
            Some((warning, warned)) => {
                // The harness came no further than this.
                self.lose_from(first, &warning);
                self.skills.warnings.truncate(warned);
                self.warn(folder, warning.diagnostic);
            }
        }
        let elsewhere = self.installed_folder();
        let is_elsewhere =
            |path: &PathBuf| elsewhere.as_ref().is_some_and(|it| path.starts_with(it));
        for path in misplaced.into_iter().filter(|path| !is_elsewhere(path)) {
            let candidate = self.own(place, path);
            let diagnostic = Diagnostic::new(
                &rules::INVALID_SKILL,
                "the skill is passed over, because it lies in the wrong place",
            )
            .because(format!(
                "{} looks for `SKILL.md` only in the folders directly inside `{}`",
                self.dialect.title,
                reported(folder)
            ))
            .help("move its folder up");
            self.push_rejected(candidate, diagnostic);
        }
    }

    /// Returns the folder of skills that were installed.
    fn installed_folder(&self) -> Option<PathBuf> {
        let rules = self.profile.rules.skills.installed?;
        let base = places::base_folder(self.tree, rules.place.base, self.inputs)?;
        Some(base.join(rules.place.folder))
    }

    /// Returns the names of the skills that are switched off in a folder of installed skills;
    /// nothing for any other folder.
    fn installed(&self, place: &Located) -> Option<Vec<String>> {
        let rules = self.profile.rules.skills.installed?;
        self.installed_folder().filter(|it| *it == place.path)?;
        let record = skill_settings::read_json(self.tree, &place.path.join(rules.record));
        let names = record.as_ref().and_then(|it| it.as_map()?.get(rules.names));
        let entries = names.and_then(|entry| entry.value.as_map());
        let entries = entries.map(|map| map.entries.as_slice());
        let off = entries.unwrap_or_default().iter().filter(|entry| {
            let enabled = entry.value.as_map().and_then(|map| map.get(rules.enabled));
            enabled.is_some_and(|it| *it.value.get() == Value::Bool(false))
        });
        let names = off.filter_map(|entry| entry.key.as_text());
        Some(names.map(str::to_owned).collect())
    }

    fn merge_groups(&mut self, groups: [Names; 3], folder: &Path, names: &mut Names) {
        for (name, index) in groups.into_iter().flatten() {
            if let Some(winner) = names.get(&name) {
                let winner = &self.skills.found[*winner].skill.reported;
                let message = format!("skill `{name}` is there already");
                let diagnostic = Diagnostic::new(&rules::SHADOWED_NAME, message)
                    .and_file(winner, "this file has the name");
                self.warn(folder, diagnostic);
            } else {
                names.insert(name, index);
            }
        }
    }

    /// A `SKILL.md`, which is named by its folder.
    fn own(&self, place: &Located, path: PathBuf) -> Candidate {
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        Candidate {
            derived_name: folder.to_string_lossy().into_owned(),
            file: SkillFile::Folder,
            level: place.level,
            place: Some(self.skills.places.len()),
            path,
        }
    }

    /// A loose file; with the name of an instruction file it is read as one.
    fn loose(&self, place: &Located, path: PathBuf) -> Candidate {
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let (file, derived_name) = match self.instructions_name(&file_name.to_lowercase()) {
            Some(name) => (SkillFile::Instructions, name.to_owned()),
            None => (
                SkillFile::Loose,
                skill_tree::name_by_place(&place.path, &path),
            ),
        };
        Candidate {
            derived_name,
            file,
            level: place.level,
            place: Some(self.skills.places.len()),
            path,
        }
    }

    /// Returns what an instruction file is called as a skill, by its name in lower case.
    fn instructions_name(&self, lower: &str) -> Option<&'static str> {
        let mut known = self.profile.rules.skills.instruction_files.iter();
        known
            .find(|(file, _)| *file == lower)
            .map(|(_, name)| *name)
    }

    /// Takes a skill file that was read, and gives it its name unless something has it. A fault
    /// that the harness foresees is warned about here; any other one is given back.
    fn load(
        &mut self,
        candidate: Candidate,
        text: SkillText,
        names: &mut Names,
    ) -> Option<SkillWarning> {
        let index = self.skills.found.len();
        let mut found = candidate.into_found(text.diagnostics);
        found.name_place = text.name_place;
        if let Some(name) = text.name {
            found.skill.name = name;
        }
        let reported = &found.skill.reported;
        found.skill.description = text
            .description
            .map(|text| skill_file::cut_description(text, reported));
        found.skill.content = text.content;
        found.skill.trigger = text.trigger;
        let path = found.skill.path.clone();
        let warning = found.diagnostics.first().cloned();
        let warning = warning.map(|diagnostic| SkillWarning { path, diagnostic });
        let fault = match text.loss {
            None => {
                found.state = SkillState::Active;
                names.entry(found.skill.name.clone()).or_insert(index);
                None
            }
            Some(Loss::File) => {
                self.skills.warnings.extend(warning);
                None
            }
            Some(Loss::Unforeseen) => warning,
        };
        self.skills.found.push(found);
        fault
    }

    /// Reads a skill file.
    fn read(&self, candidate: &Candidate) -> SkillText {
        self.try_read(candidate)
            .unwrap_or_else(|diagnostic| SkillText {
                loss: Some(Loss::File),
                diagnostics: vec![*diagnostic],
                ..SkillText::default()
            })
    }

    fn try_read(&self, candidate: &Candidate) -> Result<SkillText, Box<Diagnostic>> {
        let path = &candidate.path;
        let question = TextQuestion {
            file: candidate.file,
            derived: candidate.derived_name.clone(),
            most: self.inputs.limits.of(Limit::FileBytes),
        };
        let read = self.memory.text(path, question, |question, bytes| {
            self.understand(question, bytes)
        });
        let ReadText { mut text, head } = read.map_err(|error| {
            let own = self.tree.own_kind(path).unwrap_or(Kind::File);
            Box::new(trouble::unreadable(self.dialect.title, &error, own))
        })?;
        if candidate.file == SkillFile::Folder
            && let Some(diagnostic) = self.check_server_file(&path.with_file_name(".mcp.json"))
        {
            text.loss.get_or_insert(Loss::File);
            text.diagnostics.push(diagnostic.at(head));
        }
        Ok(text)
    }

    fn understand(&self, question: &TextQuestion, bytes: &[u8]) -> ReadText {
        let head = Span::head_of(bytes);
        if question.file == SkillFile::Instructions {
            let text = skill_file::read_instructions(self.profile, bytes);
            return ReadText { text, head };
        }
        let TextQuestion { file, derived, .. } = question;
        let mut text = skill_file::read_skill(self.dialect, self.profile, *file, derived, bytes);
        text.name_place.get_or_insert(head);
        for finding in &mut text.diagnostics {
            finding.span.get_or_insert(head);
        }
        ReadText { text, head }
    }

    fn check_server_file(&self, path: &Path) -> Option<Diagnostic> {
        if self.tree.kind(path) != Ok(Kind::File) {
            return None;
        }
        match self.tree.read(path, LARGEST_FILE) {
            Ok(bytes) => skill_file::check_server_file(&self.profile.rules.reading, &bytes),
            Err(error) => Some(Diagnostic::new(
                &rules::INVALID_SKILL,
                format!("the skill is dropped, because its `.mcp.json` cannot be read: {error}"),
            )),
        }
    }

    fn push_rejected(&mut self, candidate: Candidate, diagnostic: Diagnostic) {
        let found = candidate.into_found(vec![diagnostic]);
        self.skills.found.push(found);
    }

    fn warn(&mut self, path: &Path, diagnostic: Diagnostic) {
        self.skills.warnings.push(SkillWarning {
            path: path.to_owned(),
            diagnostic,
        });
    }

    /// Rejects everything that was found from a number on, because of one file.
    fn lose_from(&mut self, first: usize, warning: &SkillWarning) {
        for found in &mut self.skills.found[first..] {
            if found.state != SkillState::Active {
                continue;
            }
            found.state = SkillState::Rejected;
            let diagnostic = Diagnostic::new(
                &rules::INVALID_SKILL,
                format!("skill `{}` is lost because of another file", found.skill.name),
            )
            .because(format!(
                "{} does not foresee what is wrong there, and loses all that it reads along with it",
                self.dialect.title
            ))
            .and_file(reported(&warning.path), warning.diagnostic.message.clone());
            found.note(diagnostic);
        }
    }

    /// Tells the skills that lost their names from those that have them.
    fn settle(&mut self) {
        let title = self.dialect.title;
        for index in 0..self.skills.found.len() {
            let found = &self.skills.found[index];
            let winner = self.skills.listed.get(&found.skill.name);
            let Some(&by) = winner.filter(|winner| **winner != index) else {
                continue;
            };
            if found.state != SkillState::Active {
                continue;
            }
            let winner = &self.skills.found[by];
            let why = if winner.level != found.level {
                let (stronger, weaker) = (winner.level, found.level);
                format!("{title} puts the skills of level `{stronger}` over those of `{weaker}`")
            } else if winner.place != found.place {
                format!("{title} comes across the other file first")
            } else {
                format!("{title} keeps one skill of a name in a folder")
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
    }
}

/// An instruction file that was read.
struct ReadInstructions {
    /// Its name in lower case.
    lower: String,
    real: PathBuf,
    path: PathBuf,
}

impl Candidate {
    /// Makes a skill of which nothing is known yet but its place.
    fn into_found(self, diagnostics: Vec<Diagnostic>) -> FoundSkill {
        FoundSkill {
            skill: Skill {
                name: self.derived_name.clone(),
                description: None,
                content: String::new(),
                trigger: Trigger::None,
                reported: reported(&self.path),
                path: self.path,
            },
            derived_name: self.derived_name,
            file: self.file,
            level: self.level,
            place: self.place,
            name_place: None,
            found_by: FoundBy::Search,
            model_visible: true,
            hidden_at: None,
            state: SkillState::Rejected,
            is_degraded: false,
            lost: Vec::new(),
            diagnostics,
        }
    }
}

/// Returns the group of a skill: loose ones that are always there, those that something sets
/// off, and those with a folder of their own. The groups of a folder are listed in this order.
fn group(found: &FoundSkill) -> usize {
    match (found.file, &found.skill.trigger) {
        (SkillFile::Folder, _) => 2,
        (_, Trigger::None) => 0,
        _ => 1,
    }
}

fn read_already(first: &Path, how: &str) -> Diagnostic {
    let message = format!("the file is passed over, because another one {how}");
    Diagnostic::new(&rules::INVALID_SKILL, message)
        .and_file(reported(first), "this file is read")
        .help("delete one of the two")
}
