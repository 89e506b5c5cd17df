//! `agentry diff`: two definitions, compared by what they mean.

use std::path::{Path, PathBuf};

use agent_factory::{Agent, Compared, Difference, Reader, Side, differences, open};
use agent_registry::Verdict;
use agent_schema::{Definition, File};

use crate::answer::{Answer, Finish};
use crate::commands::convert::read_beside;
use crate::failure::Failure;
use crate::finding::FileView;
use crate::json::Differences;
use crate::options::{Diff, reading};
use crate::request::{Reading, Request};
use crate::survey::Survey;
use crate::text::Page;
use crate::text::paint::{self, painted};
use crate::text::printable::{beginning, printable};
use crate::text::table::{Cell, Column, Table};
use crate::text::words;

/// How much of a value is shown.
const MOST_SHOWN: usize = 60;

/// One of the two.
pub(crate) struct Operand {
    /// The file, or the name that was asked for.
    pub(crate) reported: String,
    path: Option<PathBuf>,
    bytes: Vec<u8>,
    pub(crate) reader: Reader,
    name: String,
    definition: Definition,
    prompt: Option<String>,
}

impl Operand {
    pub(crate) fn view(&self) -> FileView<'_> {
        FileView::new(&self.reported, self.path.as_deref(), Some(&self.bytes))
    }

    fn compared(&self) -> Compared<'_> {
        Compared {
            reader: self.reader,
            definition: &self.definition,
            name: &self.name,
            prompt: self.prompt.as_deref(),
        }
    }
}

pub(crate) fn run(request: &Request, options: &Diff) -> Result<Answer, Failure> {
    let left = operand(request, &options.left)?;
    let right = operand(request, &options.right)?;
    let found = differences(left.compared(), right.compared());
    let finish = Finish::of(found.is_empty());
    if request.wants_json() {
        return Answer::json(Differences::new(&left, &right, &found), finish);
    }
    Ok(Answer::text(
        in_text(request, &left, &right, &found),
        finish,
    ))
}

/// Finds what is meant: a file, with a harness behind an `@` or not, or the name of an agent.
fn operand(request: &Request, text: &str) -> Result<Operand, Failure> {
    let (path, told) = match text.rsplit_once('@') {
        Some((path, harness)) if !Path::new(text).exists() => {
            let told = reading(harness).map_err(Failure::new)?;
            (PathBuf::from(path), Some(told))
        }
        _ => (PathBuf::from(text), None),
    };
    let looks_like_path = text.contains(['/', '.']) || path.exists();
    if !looks_like_path {
        return named(request, text);
    }
    let reader = match told {
        Some(told) => told,
        None => request.reading_of(&path)?,
    };
    of_file(request, &path, reader)
}

fn of_file(request: &Request, path: &Path, reading: Reading) -> Result<Operand, Failure> {
    let Reading { dialect, profile } = reading;
    let reader = Reader { dialect, profile };
    let bytes = request.read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = File {
        name: &name,
        bytes: &bytes,
    };
    let shown = request.paths.show(path);
    let stem = request.stem_at(path, reader.profile);
    let agents = open(file, stem.as_deref(), reader, &|inside| {
        read_beside(path, inside)
    })
    .map_err(|error| Failure::new(format!("cannot read `{shown}`: {error}")))?;
    let [agent] = <[Agent<'_>; 1]>::try_from(agents).map_err(|agents| {
        Failure::new(format!(
            "`{shown}` holds {}",
            words::count(agents.len(), "agent")
        ))
        .help("compare agents of such a file by their names, with `--dialect`")
    })?;
    let Some(definition) = agent.parsed.outcome.definition().cloned() else {
        return Err(
            Failure::new(format!("{} does not load `{shown}`", dialect.title)).help(format!(
                "the reason: agentry parse {shown} --dialect {}",
                dialect.id
            )),
        );
    };
    Ok(Operand {
        reported: path.to_string_lossy().into_owned(),
        path: Some(path.to_owned()),
        name: agent.name,
        prompt: agent.prompt,
        reader,
        definition,
        bytes: bytes.clone(),
    })
}

/// The agent that answers to a name in the one harness that has it.
fn named(request: &Request, name: &str) -> Result<Operand, Failure> {
    let surveys = Survey::all(request)?;
    let mut found = surveys.iter().filter_map(|survey| {
        let mut contenders = survey.registry.contenders().iter();
        let active = contenders
            .find(|contender| contender.name == name && contender.verdict == Verdict::Active)?;
        Some((survey.reading, active))
    });
    let Some((reading, contender)) = found.next() else {
        return Err(Failure::new(format!(
            "there is no file and no agent `{}`",
            printable(name)
        ))
        .help("`agentry list` lists the agents"));
    };
    let others: Vec<&str> = found.map(|(other, _)| other.dialect.id).collect();
    if !others.is_empty() {
        let message = format!(
            "the name `{}` gives an agent in several harnesses",
            printable(name)
        );
        let help = format!(
            "choose one: --dialect {}, {}",
            reading.dialect.id,
            others.join(", ")
        );
        return Err(Failure::new(message).help(help));
    }
    let definition = contender.definition.as_deref().cloned().unwrap_or_default();
    let Reading { dialect, profile } = reading;
    Ok(Operand {
        reported: contender.source.reported.clone(),
        path: contender.source.path.clone(),
        bytes: contender.bytes.as_deref().unwrap_or_default().to_vec(),
        reader: Reader { dialect, profile },
        name: name.to_owned(),
        definition,
        prompt: None,
    })
}

fn in_text(request: &Request, left: &Operand, right: &Operand, found: &[Difference]) -> String {
    let mut page = Page::default();
    let shown = |it: &Operand| {
        let name = painted(paint::NAME, format!("`{}`", printable(&it.name)));
        let title = it.reader.dialect.title;
        format!(
            "{name} of {} ({title} {})",
            request.paths.show_file(it.view()),
            it.reader.profile.id
        )
    };
    let (one, other) = (shown(left), shown(right));
    if found.is_empty() {
        let same = painted(paint::GOOD, "mean the same");
        page.line(format!("{one}\n{other}\n{same}"));
        return page.into_text();
    }
    let count = words::count(found.len(), "difference");
    page.line(format!("{one}\n{other}\n{}", painted(paint::WARN, count)));
    page.gap();
    let columns = [
        Column::new("FIELD").styled(paint::NAME),
        Column::new("FIRST").may_lose_end(1),
        Column::new("AT").styled(paint::QUIET),
        Column::new("SECOND").may_lose_end(2),
        Column::new("AT").styled(paint::QUIET),
    ];
    let mut table = Table::new(0, columns);
    for difference in found {
        let [first, first_at] = cells(difference.left.as_ref(), left);
        let [second, second_at] = cells(difference.right.as_ref(), right);
        let field = printable(&difference.field);
        table.row([field.into(), first, first_at, second, second_at]);
    }
    page.block(&table.render(request.table_width()));
    page.into_text()
}

fn cells(side: Option<&Side>, operand: &Operand) -> [Cell; 2] {
    match side {
        None => ["-".into(), "".into()],
        Some(side) => {
            let at = side.span.and_then(|span| operand.view().position(span));
            let at = at.map(|at| at.to_string()).unwrap_or_default();
            [beginning(&side.text, MOST_SHOWN).into(), at.into()]
        }
    }
}
