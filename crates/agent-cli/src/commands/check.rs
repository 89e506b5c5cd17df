//! `agentry check`: everything that is wrong, file by file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agent_discovery::{DiskTree, FileTree, Kind, PlaceState, agent_folders};
use agent_registry::Verdict;
use agent_schema::dialect::{Base, FileRules, Folders, SearchPlace};
use agent_schema::{Diagnostic, File, ParseInputs, Severity, parse_with};

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::finding::{Elsewhere, FileView};
use crate::json::{self, Summary};
use crate::options::Check;
use crate::request::{Reading, Request};
use crate::survey::{Survey, Wanted};
use crate::text::paint::{self, painted};
use crate::text::{Page, report, words};

/// A file that was checked, with what is wrong with it.
#[derive(Debug, Default)]
struct Checked {
    path: PathBuf,
    bytes: Option<Vec<u8>>,
    diagnostics: Vec<Diagnostic>,
}

/// The files that were checked, by the path as the harness reports it.
type Files = BTreeMap<String, Checked>;

impl Elsewhere for Files {
    fn file(&self, reported: &str) -> Option<FileView<'_>> {
        let (reported, checked) = self.get_key_value(reported)?;
        Some(checked.view(reported))
    }
}

pub(crate) fn run(request: &Request, options: &Check) -> Result<Answer, Failure> {
    let mut files = Files::new();
    if options.path.is_empty() {
        for survey in Survey::all(request)? {
            check_everything(request, &survey, &mut files);
        }
    }
    for path in &options.path {
        check_path(request, path, &mut files)?;
    }
    for checked in files.values_mut() {
        let place = |diagnostic: &Diagnostic| diagnostic.span.map(|span| (span.start, span.end));
        checked.diagnostics.sort_by_key(place);
    }
    let summary = summary(&files);
    let finish = Finish::of(summary.errors + summary.warnings == 0);
    if request.wants_json() {
        let findings = files.iter().flat_map(|(reported, checked)| {
            let view = checked.view(reported);
            view.findings(&checked.diagnostics, &files)
        });
        let answer = json::Checked {
            diagnostics: findings.map(json::Diagnostic::new).collect(),
            summary,
        };
        return Answer::json(answer, finish);
    }
    let text = in_text(request, &files, summary, options.all);
    Ok(Answer::text(text, finish))
}

impl Checked {
    fn view<'a>(&'a self, reported: &'a str) -> FileView<'a> {
        FileView {
            reported,
            path: Some(&self.path),
            bytes: self.bytes.as_deref(),
        }
    }
}

/// Checks what a search finds: agents, the places themselves, and skills.
fn check_everything(request: &Request, survey: &Survey, files: &mut Files) {
    for contender in survey.registry.contenders() {
        let passed_over = matches!(contender.verdict, Verdict::Ignored(_));
        let Some(path) = contender.source.path.as_ref().filter(|_| !passed_over) else {
            continue;
        };
        let checked = files.entry(contender.source.reported.clone()).or_default();
        checked.path.clone_from(path);
        checked.bytes = contender.bytes.as_deref().map(<[u8]>::to_vec);
        checked
            .diagnostics
            .extend(contender.diagnostics.iter().cloned());
        let definition = contender.definition.as_deref();
        if let (Verdict::Active, Some(definition)) = (contender.verdict, definition) {
            match survey.assemble(request, contender, definition, &Wanted::default()) {
                Ok(config) => checked.diagnostics.extend(config.remarks),
                Err(error) => checked.diagnostics.push(error.diagnostic()),
            }
        }
    }
    for place in survey.registry.places() {
        if let PlaceState::Unreadable(diagnostic) = &place.state {
            note(files, &place.path, diagnostic);
        }
    }
    for skill in &survey.skills.found {
        for diagnostic in &skill.diagnostics {
            note(files, &skill.skill.path, diagnostic);
        }
    }
    for warning in &survey.skills.warnings {
        note(files, &warning.path, &warning.diagnostic);
    }
}

fn note(files: &mut Files, path: &Path, diagnostic: &Diagnostic) {
    let checked = files
        .entry(path.to_string_lossy().into_owned())
        .or_default();
    checked.path = path.to_owned();
    checked.diagnostics.push(diagnostic.clone());
}

/// Checks a file, the agent files of a folder, or the agents of a project.
fn check_path(request: &Request, path: &Path, files: &mut Files) -> Result<(), Failure> {
    let kind = DiskTree
        .kind(path)
        .map_err(|error| request.cannot_read(path, &error))?;
    if kind != Kind::Folder {
        for reading in request.readings_of(path)? {
            check_file(request, reading, path, files)?;
        }
        return Ok(());
    }
    let mut is_project = false;
    for reading in request.readings()? {
        let agents = &reading.profile.rules.agents;
        let in_project =
            |place: &&SearchPlace| matches!(place.base, Base::Project | Base::RealProject);
        let places = agents.places.iter().filter(in_project);
        for (below, rules) in places.flat_map(|place| agent_folders(place, &agents.files)) {
            let folder = path.join(below);
            if DiskTree.kind(&folder) == Ok(Kind::Folder) {
                is_project = true;
                check_folder(request, reading, rules, &folder, files)?;
            }
        }
    }
    if !is_project {
        for reading in request.readings_of(&path.join("any"))? {
            let rules = &reading.profile.rules.agents.files;
            check_folder(request, reading, rules, path, files)?;
        }
    }
    Ok(())
}

/// Checks the agent files of a folder.
fn check_folder(
    request: &Request,
    reading: Reading,
    rules: &'static FileRules,
    folder: &Path,
    files: &mut Files,
) -> Result<(), Failure> {
    let mut items = DiskTree
        .list(folder)
        .map_err(|error| request.cannot_read(folder, &error))?;
    items.sort();
    for item in items {
        let path = folder.join(&item.name);
        let accepted = rules.accept(&item.name.to_string_lossy()).is_ok();
        match DiskTree.kind(&path) {
            Ok(Kind::File) if accepted => check_file(request, reading, &path, files)?,
            Ok(Kind::Folder) if rules.folders == Folders::Searched && item.kind != Kind::Link => {
                check_folder(request, reading, rules, &path, files)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_file(
    request: &Request,
    reading: Reading,
    path: &Path,
    files: &mut Files,
) -> Result<(), Failure> {
    let bytes = request.read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = File {
        name: &name,
        bytes: &bytes,
    };
    let inputs = ParseInputs::new().with_fixes();
    let parsed = parse_with(file, reading.dialect, reading.profile, &inputs);
    let checked = files
        .entry(path.to_string_lossy().into_owned())
        .or_default();
    checked.path = path.to_owned();
    checked.diagnostics.extend(parsed.diagnostics);
    checked.bytes = Some(bytes);
    Ok(())
}

fn summary(files: &Files) -> Summary {
    let mut summary = Summary {
        files: files.len(),
        ..Summary::default()
    };
    for diagnostic in files.values().flat_map(|checked| &checked.diagnostics) {
        *match diagnostic.severity {
            Severity::Error => &mut summary.errors,
            Severity::Warning => &mut summary.warnings,
            Severity::Info => &mut summary.infos,
        } += 1;
    }
    summary
}

fn in_text(request: &Request, files: &Files, summary: Summary, all: bool) -> String {
    let mut page = Page::default();
    for (reported, checked) in files {
        let view = checked.view(reported);
        for finding in view.findings(&checked.diagnostics, files) {
            if all || finding.diagnostic.severity > Severity::Info {
                page.gap();
                page.block(&report::render(&finding, &request.paths, request.width()));
            }
        }
    }
    page.gap();
    page.line(in_words(summary, all));
    page.into_text()
}

fn in_words(summary: Summary, all: bool) -> String {
    let Summary {
        errors,
        warnings,
        infos,
        files,
    } = summary;
    let mut parts = Vec::new();
    if errors > 0 {
        parts.push(painted(paint::BAD, words::count(errors, "error")).to_string());
    }
    if warnings > 0 {
        parts.push(painted(paint::WARN, words::count(warnings, "warning")).to_string());
    }
    if parts.is_empty() {
        parts.push(painted(paint::GOOD, "nothing wrong").to_string());
    }
    if infos > 0 && all {
        parts.push(format!("{infos} worth knowing"));
    }
    let hidden = match infos {
        0 => String::new(),
        _ if all => String::new(),
        _ => format!(" ({infos} more worth knowing: --all)"),
    };
    let files = words::count(files, "file");
    format!("{} in {files}{hidden}", parts.join(", "))
}
