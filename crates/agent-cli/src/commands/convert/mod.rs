//! `agentry convert`: a definition, written for another harness.

mod sources;

use std::path::{Component, Path, PathBuf};

use agent_discovery::{DiskTree, FileTree, SearchStart, project_around, search_start};
use agent_factory::{
    Agent, Conversion, ConvertOptions, LossCode, OpenError, Reader, Refusal, RefusalCode, Verdict,
    WrittenFile, convert, join, open,
};
use agent_schema::dialect::Precedence;
use agent_schema::parse::LARGEST_FILE;
use agent_schema::suggest::nearest;
use agent_schema::{FieldName, File, Span};

use crate::answer::{Answer, Finish};
use crate::commands::convert::sources::{Sources, is_same_file};
use crate::commands::parse::read_stdin;
use crate::failure::Failure;
use crate::finding::FileView;
use crate::json::Converted;
use crate::options::Convert;
use crate::request::{Reading, Request};
use crate::settings::Settings;
use crate::survey::Survey;
use crate::text::Page;
use crate::text::paint::{self, painted};
use crate::text::printable::printable;
use crate::text::table::{Column, Table};
use crate::write::write_anew;

/// A conversion with the file that it is made of.
pub(crate) struct Done {
    /// The file as it was named.
    pub(crate) reported: String,
    path: Option<PathBuf>,
    bytes: Vec<u8>,
    pub(crate) from: Reader,
    pub(crate) to: Reader,
    pub(crate) made: Conversion,
    /// The model that the file asks for.
    model: Option<String>,
    /// What else the agent is made of, if it is converted as its harness merges it.
    sources: Option<Sources>,
}

impl Done {
    pub(crate) fn view(&self) -> FileView<'_> {
        FileView::new(&self.reported, self.path.as_deref(), Some(&self.bytes))
    }

    /// Returns whether both are one agent, as its harness merges it.
    fn is_same_agent(&self, other: &Done) -> bool {
        let merged = self.sources.is_some() && other.sources.is_some();
        let is_same = std::ptr::eq(self.from.profile, other.from.profile);
        merged && is_same && self.made.name == other.made.name
    }

    /// Returns the file in which something stands; nothing if several sources of the agent have
    /// something at these bytes. Comments are looked at in the file that is named alone.
    pub(crate) fn view_at(&self, code: Option<LossCode>, span: Span) -> Option<FileView<'_>> {
        let sources = self.sources.as_ref();
        match sources.filter(|_| code != Some(LossCode::Comment)) {
            Some(sources) => sources.view_at(self.view(), span),
            None => Some(self.view()),
        }
    }
}

pub(crate) fn run(request: &Request, options: &Convert) -> Result<Answer, Failure> {
    let to = reader(options.to);
    // What the command line says counts before what the settings say.
    let mut models = options.models.clone();
    models.extend(Settings::read(request, &options.settings)?.models_in(to.dialect));
    let how = ConvertOptions::default()
        .allow_widening(options.allow_widening)
        .models(&models);
    let mut done = Vec::new();
    for path in &options.files {
        for one in convert_file(request, options, path, to, how)? {
            // Another source of the same agent gives the same agent.
            if !done.iter().any(|known: &Done| known.is_same_agent(&one)) {
                done.push(one);
            }
        }
    }
    if let Some(name) = &options.name
        && done.is_empty()
    {
        return Err(Failure::new(format!(
            "no agent is called `{}`",
            printable(name)
        )));
    }
    check_models(&done, &options.models)?;
    let files = joined(&done)?;
    if let Some(folder) = &options.out {
        write(request, folder, &files, options.force)?;
    }
    let finish = finish(&done);
    if request.wants_json() {
        return Answer::json(Converted::new(&done), finish);
    }
    let report = report(request, &done, options.out.as_deref());
    if options.out.is_some() {
        return Ok(Answer::text(report, finish));
    }
    Ok(Answer::exact(texts(&files), finish).with_talk(report))
}

/// Tells of a model that somebody names and that no agent asks for.
fn check_models(done: &[Done], named: &[(String, String)]) -> Result<(), Failure> {
    let asked: Vec<&str> = done.iter().filter_map(|one| one.model.as_deref()).collect();
    let is_asked = |word: &str| {
        asked
            .iter()
            .any(|model| model.trim().eq_ignore_ascii_case(word))
    };
    let Some((unasked, _)) = named.iter().find(|(from, _)| !is_asked(from)) else {
        return Ok(());
    };
    let message = format!("no agent asks for the model `{}`", printable(unasked));
    let failure = Failure::new(message);
    Err(match nearest(unasked, asked.iter().copied()) {
        Some(near) => failure.help(format!("one asks for `{}`", printable(near))),
        None => failure,
    })
}

fn reader(reading: Reading) -> Reader {
    let Reading { dialect, profile } = reading;
    Reader { dialect, profile }
}

/// Converts the agents of one file.
fn convert_file(
    request: &Request,
    options: &Convert,
    path: &Path,
    to: Reader,
    how: ConvertOptions<'_>,
) -> Result<Vec<Done>, Failure> {
    let from_stdin = path.as_os_str() == "-";
    let from = reader(match options.from {
        Some(reading) => reading,
        None => match request.reading_of(path) {
            Ok(reading) => reading,
            Err(failure) => request.reading_of_carrier(path).ok_or(failure)?,
        },
    });
    let bytes = match from_stdin {
        true => read_stdin()?,
        false => request.read(path)?,
    };
    let name = match (&options.file_name, path.file_name()) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) if !from_stdin => name.to_string_lossy().into_owned(),
        _ => {
            return Err(
                Failure::new("stdin has no file name, which some rules look at")
                    .help("say `--file-name NAME`"),
            );
        }
    };
    let reported = match from_stdin {
        true => name.clone(),
        false => path.to_string_lossy().into_owned(),
    };
    let file = File {
        name: &name,
        bytes: &bytes,
    };
    let stem = request.stem_at(path, from.profile);
    let beside = |inside: &str| read_beside(path, inside).filter(|_| !from_stdin);
    let agents = open(file, stem.as_deref(), from, &beside);
    let done = |made: Conversion| Done {
        reported: reported.clone(),
        path: (!from_stdin).then(|| path.to_owned()),
        bytes: bytes.clone(),
        from,
        to,
        made,
        model: None,
        sources: None,
    };
    let agents = match agents {
        Ok(agents) => agents,
        Err(error @ OpenError::NoAgent { .. }) => {
            let made = Conversion::refused(RefusalCode::NoAgent, &name, error.to_string());
            return Ok(vec![done(made)]);
        }
        Err(error) => {
            let shown = request.paths.show(path);
            return Err(Failure::new(format!("cannot read `{shown}`: {error}")));
        }
    };
    let asked = |agent: &&Agent<'_>| options.name.as_ref().is_none_or(|name| *name == agent.name);
    // Where sources are merged, the search tells which other ones take part.
    let is_merged = matches!(
        from.profile.rules.agents.precedence,
        Precedence::Merged | Precedence::MergedInOrder
    );
    let surveys = match is_merged && !from_stdin {
        true => surveys(request, path, from),
        false => Vec::new(),
    };
    let made = agents.iter().filter(asked).map(|agent| {
        let mut surveys = surveys.iter();
        let sources = surveys.find_map(|survey| Sources::of(request, survey, path, agent));
        let whole = sources.as_ref().filter(|_| !options.alone);
        let whole = whole.map(|sources| sources.merge(agent));
        let agent = whole.as_ref().unwrap_or(agent);
        let mut made = convert(agent, to, how);
        match &sources {
            Some(sources) if options.alone => {
                made = sources.missing_in(agent, made, options.allow_widening);
            }
            Some(sources) => sources.note(&mut made, from),
            None => {}
        }
        let definition = agent.parsed.outcome.definition();
        let model = definition.and_then(|definition| definition.text(FieldName::MODEL));
        Done {
            model: model.map(str::to_owned),
            sources: sources.filter(|_| !options.alone),
            ..done(with_other_versions(made, agent, to, how))
        }
    });
    Ok(made.collect())
}

/// Searches the project that is asked for, and the one in which a file lies if that is another one.
fn surveys(request: &Request, path: &Path, from: Reader) -> Vec<Survey> {
    let Reader { dialect, profile } = from;
    let reading = Reading { dialect, profile };
    let asked = Survey::of(request, reading);
    let full = request.full(path);
    let known = asked.registry.contenders().iter();
    let mut sources = known.filter_map(|contender| contender.source.path.as_deref());
    if sources.any(|source| is_same_file(source, &full)) {
        return vec![asked];
    }
    let project = || project_around(&full, profile).map(SearchStart::Project);
    let start = search_start(&full, profile).or_else(project);
    let own = start.map(|start| {
        let inputs = request.inputs().starting_at(start);
        Survey::in_tree(&DiskTree, request, reading, &inputs)
    });
    own.into_iter().collect()
}

/// Names the versions of a harness that can do what the one that was asked for cannot.
fn with_other_versions(
    mut made: Conversion,
    agent: &Agent<'_>,
    to: Reader,
    how: ConvertOptions<'_>,
) -> Conversion {
    let Some(refusal) = &mut made.refusal else {
        return made;
    };
    let dialect = to.dialect;
    let others = dialect.profiles.iter().filter(|profile| {
        !std::ptr::eq(profile.rules.writing, to.profile.rules.writing)
            && convert(agent, Reader { dialect, profile }, how)
                .refusal
                .is_none()
    });
    let others: Vec<String> = others
        .map(|profile| format!("`--to {}:{}`", dialect.id, profile.id))
        .collect();
    if !others.is_empty() {
        refusal.help = Some(format!("this can be said with {}", others.join(", ")));
    }
    made
}

/// Reads a file that a definition names; one outside the folder of the definition is left alone.
pub(crate) fn read_beside(path: &Path, inside: &str) -> Option<String> {
    let inside = Path::new(inside);
    let stays = inside
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let folder = path.parent().filter(|_| stays)?;
    let bytes = DiskTree.read(&folder.join(inside), LARGEST_FILE).ok()?;
    String::from_utf8(bytes).ok()
}

/// Puts the agents of one roster together, and tells of files that two agents would have.
fn joined(done: &[Done]) -> Result<Vec<WrittenFile>, Failure> {
    let mut files: Vec<WrittenFile> = Vec::new();
    for one in done {
        for (index, file) in one.made.files.iter().enumerate() {
            let known = files.iter_mut().find(|known| known.path == file.path);
            match known {
                // The file of a roster is the one with another file beside it.
                Some(known) if index == 0 && one.made.files.len() > 1 => {
                    known.text = join(&known.text, &file.text);
                }
                Some(_) => {
                    return Err(Failure::new(format!(
                        "two agents would be written to `{}`",
                        printable(&file.path)
                    ))
                    .help("convert them one by one, or rename one"));
                }
                None => files.push(file.clone()),
            }
        }
    }
    Ok(files)
}

/// Writes all files, or none if one is there already.
fn write(
    request: &Request,
    folder: &Path,
    files: &[WrittenFile],
    force: bool,
) -> Result<(), Failure> {
    let at = |file: &WrittenFile| folder.join(&file.path);
    if !force && let Some(there) = files.iter().map(at).find(|path| is_there(path)) {
        return Err(
            Failure::new(format!("`{}` is there already", request.paths.show(&there)))
                .help("`--force` writes over it"),
        );
    }
    for file in files {
        let path = at(file);
        let made = match path.parent() {
            Some(parent) => std::fs::create_dir_all(parent).map_err(|error| error.to_string()),
            None => Ok(()),
        };
        made.and_then(|()| write_anew(&path, file.text.as_bytes()))
            .map_err(|error| {
                let shown = request.paths.show(&path);
                Failure::new(format!("cannot write `{shown}`: {error}"))
            })?;
    }
    Ok(())
}

/// Whatever stands there, a link to nothing included.
fn is_there(path: &Path) -> bool {
    DiskTree.own_kind(path).is_ok()
}

/// The worst end counts.
fn finish(done: &[Done]) -> Finish {
    match done.iter().map(|one| one.made.verdict).max() {
        Some(Verdict::Refused) => Finish::Refused,
        Some(Verdict::Lossy) => Finish::Findings,
        _ => Finish::Clean,
    }
}

/// The texts, each below its path if there are several.
fn texts(files: &[WrittenFile]) -> String {
    match files {
        [only] => only.text.clone(),
        files => {
            let texts = files
                .iter()
                .map(|file| format!("==> {} <==\n{}", file.path, file.text));
            texts.collect::<Vec<_>>().join("\n")
        }
    }
}

fn report(request: &Request, done: &[Done], out: Option<&Path>) -> String {
    let mut page = Page::default();
    for one in done {
        page.gap();
        let file = request.paths.show_file(one.view());
        let name = painted(paint::NAME, format!("`{}`", printable(&one.made.name)));
        let title = one.to.dialect.title;
        match &one.made.refusal {
            Some(refusal) => refused(request, &mut page, one, &format!("{file}: {name}"), refusal),
            None => {
                let how = match one.made.verdict {
                    Verdict::Lossless => painted(paint::GOOD, "without a loss"),
                    _ => painted(paint::WARN, "with losses"),
                };
                page.line(format!("{file}: {name} becomes {} {how}", agent_of(title)));
                for file in &one.made.files {
                    let path = match out {
                        Some(folder) => request.paths.show(&folder.join(&file.path)),
                        None => printable(&file.path),
                    };
                    page.line(format!(" --> {path}"));
                }
            }
        }
        page.block(&table(request, one).render(request.table_width()));
    }
    let losses = done.iter().flat_map(|one| &one.made.losses);
    if losses
        .into_iter()
        .any(|loss| loss.code == LossCode::NoModel)
    {
        let hint = painted(paint::HINT, "help:");
        page.line(format!(
            "{hint} `--model FROM=TO` says what a model is called there"
        ));
    }
    page.into_text()
}

fn agent_of(title: &str) -> String {
    format!("{} agent", crate::text::words::article(title))
}

fn refused(request: &Request, page: &mut Page, one: &Done, head: &str, refusal: &Refusal) {
    let title = one.to.dialect.title;
    let not = painted(paint::BAD, "is not converted");
    page.line(format!(
        "{head} {not} for {title}: {}",
        printable(&refusal.message)
    ));
    let view = refusal.span.and_then(|span| one.view_at(None, span));
    let at = view.zip(refusal.span);
    if let Some(at) = at.and_then(|(view, span)| position(request, one, view, span)) {
        page.line(format!(" --> {at}"));
    }
    if let Some(help) = &refusal.help {
        page.line(format!(
            "{} {}",
            painted(paint::HINT, "help:"),
            printable(help)
        ));
    }
}

/// Shows where something stands; a file other than the one that is named is named itself.
fn position(request: &Request, one: &Done, view: FileView<'_>, span: Span) -> Option<String> {
    let at = view.position(span)?;
    Some(match view.reported == one.reported {
        true => at.to_string(),
        false => format!("{}:{at}", request.paths.show_file(view)),
    })
}

/// What is lost and what has another name, in the order of the source.
fn table(request: &Request, one: &Done) -> Table {
    let columns = [
        Column::new(""),
        Column::new("").styled(paint::QUIET),
        Column::new("").styled(paint::NAME),
        Column::new("").may_fold(),
    ];
    let mut table = Table::new(2, columns);
    let at = |code: Option<LossCode>, span: Option<Span>| {
        let view = span.and_then(|span| one.view_at(code, span));
        let at = view
            .zip(span)
            .and_then(|(view, span)| position(request, one, view, span));
        at.unwrap_or_default()
    };
    for loss in &one.made.losses {
        let word = match loss.widens {
            true => "WIDER",
            false => "lost",
        };
        table.row([
            word.into(),
            at(Some(loss.code), loss.span).into(),
            loss.field.as_str().into(),
            printable(&loss.message).into(),
        ]);
    }
    for change in &one.made.changes {
        table.row([
            "changed".into(),
            at(None, change.span).into(),
            change.field.as_str().into(),
            printable(&change.message).into(),
        ]);
    }
    table
}
