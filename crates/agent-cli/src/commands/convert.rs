//! `agentry convert`: a definition, written for another harness.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use agent_discovery::{DiskTree, FileTree, Layer, agent_folders};
use agent_factory::{
    Agent, Conversion, ConvertOptions, Loss, LossCode, OpenError, Reader, Refusal, RefusalCode,
    Verdict, WrittenFile, beyond_merged, convert, join, open,
};
use agent_schema::dialect::{NamedBy, Precedence};
use agent_schema::parse::LARGEST_FILE;
use agent_schema::suggest::nearest;
use agent_schema::{Definition, FieldName, File, Severity, Span};

use crate::answer::{Answer, Finish};
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

/// The fields that say what an agent may do.
const LIMITS: [FieldName; 4] = [
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::PERMISSION,
    FieldName::PERMISSION_MODE,
];

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
}

impl Done {
    pub(crate) fn view(&self) -> FileView<'_> {
        FileView::new(&self.reported, self.path.as_deref(), Some(&self.bytes))
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
        let all = convert_file(request, options, path, to, how)?;
        done.extend(all);
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
        None => request.reading_of(path)?,
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
    let stem = stem_of(path, from);
    let beside = |inside: &str| read_beside(path, inside).filter(|_| !from_stdin);
    let agents = open(file, stem.as_deref(), from, &beside);
    let done = |made: Conversion, model: Option<&str>| Done {
        model: model.map(str::to_owned),
        reported: reported.clone(),
        path: (!from_stdin).then(|| path.to_owned()),
        bytes: bytes.clone(),
        from,
        to,
        made,
    };
    let agents = match agents {
        Ok(agents) => agents,
        Err(error @ OpenError::NoAgent { .. }) => {
            let made = Conversion::refused(RefusalCode::NoAgent, &name, error.to_string());
            return Ok(vec![done(made, None)]);
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
    let survey = (is_merged && !from_stdin).then(|| {
        let Reader { dialect, profile } = from;
        Survey::of(request, Reading { dialect, profile })
    });
    let made = agents.iter().filter(asked).map(|agent| {
        let mut made = convert(agent, to, how);
        if let Some(survey) = &survey
            && made.refusal.is_none()
        {
            let sources = other_sources(request, survey, path, &agent.name);
            let wider = sources.merged.map(|merged| beyond_merged(agent, &merged));
            let wider = wider.filter(|names| !names.is_empty());
            match wider {
                Some(names) if !options.allow_widening => {
                    made = refused_alone(agent, &names);
                }
                wider => note_other_sources(&mut made, from, sources.fields, wider.is_some()),
            }
        }
        let definition = agent.parsed.outcome.definition();
        let model = definition.and_then(|definition| definition.text(FieldName::MODEL));
        done(with_other_versions(made, agent, to, how), model)
    });
    Ok(made.collect())
}

/// The other sources of a merged agent.
#[derive(Default)]
struct OtherSources {
    /// The fields that each gives.
    fields: BTreeMap<String, Vec<FieldName>>,
    /// The agent as it is merged, if one of them says what it may do.
    merged: Option<Arc<Definition>>,
}

/// Finds the other sources that give fields to an agent.
fn other_sources(request: &Request, survey: &Survey, path: &Path, name: &str) -> OtherSources {
    let mut sources = OtherSources::default();
    let Ok(found) = survey.registry.get(Some(name)) else {
        return sources;
    };
    // A weaker source may still give a part of a field, such as a rule.
    let layers = found.contender.merged.iter().flat_map(|it| &it.layers);
    let mut takes_part = false;
    for layer in layers {
        let Layer::Entry(index) = layer else {
            continue;
        };
        let contender = &survey.registry.contenders()[*index];
        let (Some(source), Some(own)) = (&contender.source.path, &contender.definition) else {
            continue;
        };
        if is_same_file(source, path) {
            takes_part = true;
            continue;
        }
        let written = own.fields().filter(|(_, value)| value.place.is_some());
        let shown = request.paths.show(source);
        let fields = sources.fields.entry(shown).or_default();
        fields.extend(written.map(|(field, _)| field));
    }
    // Of an agent that this file has no part in nothing is known.
    if !takes_part {
        return OtherSources::default();
    }
    let mut given = sources.fields.values().flatten();
    if given.any(|field| LIMITS.contains(field)) {
        sources.merged.clone_from(&found.contender.definition);
    }
    sources
}

/// Refuses to convert a source whose agent is limited by another one.
fn refused_alone(agent: &Agent<'_>, names: &[String]) -> Conversion {
    let message = format!(
        "another source limits this agent: alone, this one lets it go further with {}",
        names.join(", ")
    );
    let mut made = Conversion::refused(RefusalCode::LimitedElsewhere, &agent.name, message);
    if let Some(refusal) = &mut made.refusal {
        let help =
            "write all limits into one source first; `--allow-widening` writes it all the same";
        refusal.help = Some(help.to_owned());
    }
    made
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| DiskTree.real_path(path);
    match (real(one), real(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// Lists what the other sources give, which was not read.
fn note_other_sources(
    made: &mut Conversion,
    from: Reader,
    sources: BTreeMap<String, Vec<FieldName>>,
    widens: bool,
) {
    for (source, fields) in sources {
        let derived = from.profile.rules.writing.derived;
        let fields = fields.iter().filter(|field| !derived.contains(field));
        let fields: Vec<String> = fields.map(|field| format!("`{field}`")).collect();
        if fields.is_empty() {
            continue;
        }
        let message = format!(
            "`{source}` gives {} to this agent in {}, and is not read here",
            fields.join(", "),
            from.dialect.title
        );
        let metadata = FieldName::METADATA.as_str();
        let loss = Loss::new(LossCode::OtherSource, metadata, Severity::Warning, message);
        made.losses.push(Loss { widens, ..loss });
        made.verdict = Verdict::Lossy;
    }
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

/// Returns the name that the path of a file gives to its agent, where that is more than its last
/// part.
pub(crate) fn stem_of(path: &Path, from: Reader) -> Option<String> {
    let agents = &from.profile.rules.agents;
    if agents.files.named_by != NamedBy::Path {
        return None;
    }
    let parts: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    let folders = agents
        .places
        .iter()
        .flat_map(|place| agent_folders(place, &agents.files));
    let behind = folders.filter_map(|(folder, _)| {
        let folder: Vec<&str> = folder.split('/').collect();
        let last = parts.len().checked_sub(1)?;
        let mut starts = (0..last).rev();
        let at = starts.find(|at| {
            parts[*at..last].len() >= folder.len()
                && parts[*at..]
                    .iter()
                    .zip(&folder)
                    .all(|(part, name)| part == name)
        })?;
        Some(at + folder.len())
    });
    let start = behind.max()?;
    let mut stem = parts[start..].to_vec();
    let last = stem.pop()?;
    stem.push(agents.files.stem(&last).to_owned());
    Some(stem.join("/"))
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
            Some(refusal) => refused(&mut page, one, &format!("{file}: {name}"), refusal),
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
        page.block(&table(one).render(request.table_width()));
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

fn refused(page: &mut Page, one: &Done, head: &str, refusal: &Refusal) {
    let title = one.to.dialect.title;
    let not = painted(paint::BAD, "is not converted");
    page.line(format!(
        "{head} {not} for {title}: {}",
        printable(&refusal.message)
    ));
    if let Some(at) = refusal.span.and_then(|span| position(one, span)) {
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

fn position(one: &Done, span: Span) -> Option<String> {
    Some(one.view().position(span)?.to_string())
}

/// What is lost and what has another name, in the order of the source.
fn table(one: &Done) -> Table {
    let columns = [
        Column::new(""),
        Column::new("").styled(paint::QUIET),
        Column::new("").styled(paint::NAME),
        Column::new("").may_fold(),
    ];
    let mut table = Table::new(2, columns);
    let at = |span: Option<Span>| {
        span.and_then(|span| position(one, span))
            .unwrap_or_default()
    };
    for loss in &one.made.losses {
        let word = match loss.widens {
            true => "WIDER",
            false => "lost",
        };
        table.row([
            word.into(),
            at(loss.span).into(),
            loss.field.as_str().into(),
            printable(&loss.message).into(),
        ]);
    }
    for change in &one.made.changes {
        table.row([
            "changed".into(),
            at(change.span).into(),
            change.field.as_str().into(),
            printable(&change.message).into(),
        ]);
    }
    table
}
