//! `agentry explain PATH`: what each harness makes of one file, and why.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use agent_discovery::{DiskTree, FileId, FileTree, FoundSkill, Kind, dialects_at};
use agent_registry::{Contender, Verdict};
use agent_schema::dialect::SkipRule;
use agent_schema::parse::{LARGEST_FILE, parse_with};
use agent_schema::{File, ParseInputs};

use crate::answer::{Answer, Finish};
use crate::commands::explain::{fields, verdict_row, versions};
use crate::failure::Failure;
use crate::finding::Finding;
use crate::json::{ExplainedFile, FileStory};
use crate::request::{Reading, Request};
use crate::story::{EffectiveField, OtherProfile, effective_fields, file_elsewhere};
use crate::survey::Survey;
use crate::text::paint::{self, painted};
use crate::text::printable::printable;
use crate::text::table::{Column, Table};
use crate::text::{Page, report, words};

/// What one harness makes of a file.
pub(crate) struct FileTold<'a> {
    pub(crate) survey: &'a Survey,
    /// What the file holds for the harness; nothing if it does not come across the file.
    pub(crate) parts: Vec<Part<'a>>,
    /// The skill that the file holds for the harness.
    pub(crate) skill: Option<&'a FoundSkill>,
    /// For a file that the harness does not come across, what it would be.
    pub(crate) would_be: Option<WouldBe>,
}

/// One agent of a file, or the file that gives none.
pub(crate) struct Part<'a> {
    pub(crate) contender: &'a Contender,
    pub(crate) wanted_by: usize,
    pub(crate) fields: Vec<EffectiveField<'a>>,
    pub(crate) others: Vec<OtherProfile>,
}

/// What a file would be if it lay where a harness looks.
pub(crate) struct WouldBe {
    /// `loaded`, `rejected` or `ignored`.
    pub(crate) outcome: &'static str,
    pub(crate) name: Option<String>,
    pub(crate) why: Option<String>,
}

/// Returns the file that an argument is the path of, unless something has the argument for a name.
pub(super) fn as_file(request: &Request, surveys: &[Survey], asked: &str) -> Option<PathBuf> {
    let path = Path::new(asked);
    let is_seen = |survey: &Survey| {
        let sought = Sought::at(path);
        let contenders = survey.registry.contenders().iter();
        let mut folders = contenders.filter(|it| it.verdict == Verdict::Ignored(SkipRule::Folder));
        folders.any(|it| sought.is(it))
    };
    let is_file = |path: &Path| match DiskTree.kind(path) {
        Ok(Kind::File | Kind::NullDevice) => true,
        // A folder that is called like a file.
        Ok(Kind::Folder) => surveys.iter().any(is_seen),
        _ => false,
    };
    let has_name = |survey: &Survey| !survey.registry.explain(asked).contenders.is_empty();
    if asked.is_empty() || !is_file(path) || surveys.iter().any(has_name) {
        return None;
    }
    let here = request.environment.here.as_deref();
    Some(here.map_or_else(|| path.to_owned(), |here| here.join(path)))
}

pub(super) fn explain(
    request: &Request,
    mut surveys: Vec<Survey>,
    asked: &str,
    file: &Path,
) -> Result<Answer, Failure> {
    // Whose folder it lies in says more than what else there is.
    let others = request.readings()?.into_iter().filter(|reading| {
        let is_told = dialects_at(file)
            .iter()
            .any(|told| told.id == reading.dialect.id);
        let id = reading.dialect.id;
        is_told && surveys.iter().all(|known| known.reading.dialect.id != id)
    });
    let others: Vec<Survey> = others.map(|it| Survey::of(request, it)).collect();
    surveys.extend(others);
    let bytes = match DiskTree.kind(file) {
        Ok(Kind::Folder) => Vec::new(),
        _ => DiskTree
            .read(file, LARGEST_FILE)
            .map_err(|error| request.cannot_read(Path::new(asked), &error))?,
    };
    let told: Vec<FileTold<'_>> = surveys
        .iter()
        .map(|survey| FileTold::new(request, survey, file, &bytes))
        .collect();
    let is_active = |part: &Part<'_>| {
        matches!(
            part.contender.verdict,
            Verdict::Active | Verdict::Merged { .. }
        )
    };
    let finish = Finish::of(told.iter().any(|told| told.parts.iter().any(is_active)));
    if request.wants_json() {
        let dialects = told.iter().map(FileStory::new).collect();
        return Answer::json(ExplainedFile { asked, dialects }, finish);
    }
    let mut page = Page::default();
    let shown = request.paths.show(Path::new(asked));
    let (reads, passes): (Vec<_>, Vec<_>) = told.iter().partition(|told| told.is_read());
    for told in &reads {
        page.gap();
        tell(request, told, &shown, &mut page);
    }
    if reads.is_empty() {
        let titles: Vec<&str> = passes
            .iter()
            .map(|it| it.survey.reading.dialect.title)
            .collect();
        let no = painted(paint::BAD, "no");
        let whose = titles.join(" or ");
        page.prose(
            &format!("{shown} lies in {no} place that {whose} searches"),
            request.width(),
        );
        for sentence in what_it_would_be(&passes) {
            page.prose(&sentence, request.width());
        }
        advise(request, file, &mut page);
    }
    Ok(Answer::text(page.into_text(), finish))
}

/// Tells what a file would be where harnesses look, those of one mind together.
fn what_it_would_be(told: &[&FileTold<'_>]) -> Vec<String> {
    let mut sentences: Vec<(String, Vec<&str>)> = Vec::new();
    for told in told {
        let Some(would_be) = &told.would_be else {
            continue;
        };
        let (words, title) = (would_be.in_words(), told.survey.reading.dialect.title);
        match sentences.iter_mut().find(|(known, _)| *known == words) {
            Some((_, titles)) => titles.push(title),
            None => sentences.push((words, vec![title])),
        }
    }
    let sentences = sentences.into_iter();
    sentences
        .map(|(words, titles)| format!("where {} looks, {words}", titles.join(" or ")))
        .collect()
}

impl WouldBe {
    fn new(reading: Reading, file: &Path, bytes: &[u8]) -> Option<Self> {
        let name = file.file_name()?.to_string_lossy();
        let file = File { name: &name, bytes };
        let parsed = parse_with(file, reading.dialect, reading.profile, &ParseInputs::new());
        let rules = &reading.profile.rules.agents.files;
        let worst = parsed.diagnostics.iter().rev().max_by_key(|it| it.severity);
        let why = worst.map(|diagnostic| diagnostic.message.clone());
        let name = |definition: &agent_schema::Definition| {
            Some(definition.name().to_owned()).filter(|name| !name.is_empty())
        };
        let (name, why) = match &parsed.outcome {
            agent_schema::Outcome::Loaded(definition) => (name(definition), None),
            agent_schema::Outcome::Rejected(definition) => (name(definition), why),
            // What is not even called like an agent is no near miss.
            agent_schema::Outcome::Ignored(SkipRule::Suffix) => return None,
            agent_schema::Outcome::Ignored(rule) => {
                (None, why.or_else(|| Some(words::skip(*rule, rules).into())))
            }
        };
        Some(WouldBe {
            outcome: parsed.outcome.as_str(),
            name,
            why: why.map(Cow::into_owned),
        })
    }

    /// The same in words.
    fn in_words(&self) -> String {
        let name = self.name.as_deref().map(printable);
        let why = self.why.as_deref().map(printable).unwrap_or_default();
        match (self.outcome, name) {
            ("loaded", Some(name)) => format!("it would be the agent `{name}`"),
            ("loaded", None) => "it would be an agent without a name".to_owned(),
            ("ignored", _) => format!("it would be passed over: {why}"),
            (_, Some(name)) => {
                format!("it would be rejected, and not be the agent `{name}`: {why}")
            }
            (_, None) => format!("it would be rejected: {why}"),
        }
    }
}

/// A file or folder that is looked for, however its path is written.
struct Sought<'a> {
    path: &'a Path,
    real: Option<PathBuf>,
    identity: Option<FileId>,
}

impl<'a> Sought<'a> {
    fn at(path: &'a Path) -> Self {
        Sought {
            path,
            real: DiskTree.real_path(path).ok(),
            identity: DiskTree.identity(path),
        }
    }

    /// Returns whether a contender is it.
    fn is(&self, contender: &Contender) -> bool {
        let path = contender.source.path.as_deref();
        path.is_some_and(|path| {
            // Two names of one file are told apart: each has its own fate.
            path == self.path || (self.is_at(path) && DiskTree.identity(path) == self.identity)
        })
    }

    /// Returns whether a path leads to it.
    fn is_at(&self, path: &Path) -> bool {
        DiskTree.real_path(path).ok() == self.real
    }
}

impl<'a> FileTold<'a> {
    /// Returns whether the harness comes across the file.
    pub(crate) fn is_read(&self) -> bool {
        !self.parts.is_empty() || self.skill.is_some()
    }

    fn new(request: &Request, survey: &'a Survey, file: &Path, bytes: &[u8]) -> Self {
        let sought = Sought::at(file);
        let contenders = survey.registry.contenders().iter();
        let contenders: Vec<&Contender> = contenders.filter(|it| sought.is(it)).collect();
        let part = |contender: &'a Contender| {
            let rivals = survey.registry.explain(&contender.name).contenders.len();
            let fields = match contender.is_loaded() {
                true => effective_fields(&survey.registry, contender),
                false => Vec::new(),
            };
            Part {
                contender,
                wanted_by: rivals,
                fields,
                others: Vec::new(),
            }
        };
        let mut parts: Vec<Part<'a>> = contenders.into_iter().map(part).collect();
        // Each profile is one search more, so that only a file of one agent is looked up in them.
        if let [only] = parts.as_mut_slice() {
            only.others = file_elsewhere(request, survey, only.contender);
        }
        let mut skills = survey.skills.found.iter();
        let skill = skills.find(|it| sought.is_at(&it.skill.path));
        let would_be = match parts.is_empty() && skill.is_none() {
            true => WouldBe::new(survey.reading, file, bytes),
            false => None,
        };
        FileTold {
            survey,
            parts,
            skill,
            would_be,
        }
    }
}

fn tell(request: &Request, told: &FileTold<'_>, shown: &str, page: &mut Page) {
    let survey = told.survey;
    let title = survey.reading.dialect.title;
    let width = request.width();
    if let Some(skill) = told.skill {
        let name = printable(&skill.skill.name);
        let sentence = format!(
            "{title}: {shown} holds the skill `{name}`; `agentry explain --skill {name}` tells of it"
        );
        page.prose(&sentence, width);
    }
    for part in &told.parts {
        let contender = part.contender;
        page.gap();
        page.prose(
            &format!("{title}: {shown} {}", what_it_is(contender)),
            width,
        );
        let columns = [Column::new(""), Column::new(""), Column::new("").may_fold()];
        let mut table = Table::new(2, columns);
        table.row(verdict_row(request, survey, contender, part.wanted_by));
        page.block(&table.render(Some(width)));
        if !part.fields.is_empty() {
            page.section("What counts, and where it is written:");
            fields(request, &part.fields, page);
        }
        versions(request, survey, &part.others, page);
        for finding in Finding::of(contender, &survey.registry) {
            page.gap();
            page.block(&report::render(&finding, &request.paths, width));
        }
    }
}

/// Tells which name a file has, or would have.
fn what_it_is(contender: &Contender) -> String {
    let name = printable(&contender.name);
    match contender.verdict {
        Verdict::Active => format!("is the agent `{name}`"),
        Verdict::Merged { .. } => format!("is a part of the agent `{name}`"),
        Verdict::Undefined { .. } => format!("may be the agent `{name}`"),
        Verdict::Ignored(_) if contender.source.inside.is_some() => {
            format!("does not give the agent `{name}`")
        }
        Verdict::Ignored(_) => "is no agent".to_owned(),
        _ if name.is_empty() => "is no agent, and has no name that can be read".to_owned(),
        Verdict::Rejected | Verdict::Refused => {
            format!("is no agent; it would be `{name}`")
        }
        _ => format!("is not active; its name is `{name}`"),
    }
}

/// Says where a file belongs that lies in another project.
fn advise(request: &Request, file: &Path, page: &mut Page) {
    let told = dialects_at(file);
    if told.is_empty() {
        return;
    }
    let titles: Vec<&str> = told.iter().map(|dialect| dialect.title).collect();
    let sentence = format!(
        "its folder is one of {}, but not of the project {}: --project chooses another project",
        titles.join(" and "),
        request.paths.show(&request.common.project),
    );
    page.prose(&sentence, request.width());
}
