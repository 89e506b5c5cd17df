//! `agentry parse`: what becomes of one file, and the definition in it.

use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};

use agent_discovery::{
    DiskTree, plugin_around, plugin_name, project_around, read_lone_skill, skipped_name,
};
use agent_schema::dialect::SkipRule;
use agent_schema::parse::{LARGEST_FILE, parse_accepted};
use agent_schema::value::Style;
use agent_schema::{
    Definition, Fate, FieldName, FieldValue, File, Located, Outcome, ParseInputs, Parsed, Value,
    key_text,
};

use crate::answer::{Answer, Finish};
use crate::failure::Failure;
use crate::finding::{FileView, Nowhere};
use crate::json::ParsedFile;
use crate::options::Parse;
use crate::request::{Reading, Request};
use crate::text::paint::{self, painted};
use crate::text::printable::{beginning, printable};
use crate::text::table::{Cell, Column, Table};
use crate::text::{Page, report, words};

/// How much of a value is shown.
const MOST_SHOWN: usize = 60;

/// The most unknown keys that are shown as rows.
const MOST_METADATA: usize = 50;

pub(crate) fn run(request: &Request, options: &Parse) -> Result<Answer, Failure> {
    let reading = request.reading_of(&options.file)?;
    let from_stdin = options.file.as_os_str() == "-";
    let bytes = if from_stdin {
        read_stdin()?
    } else {
        request.read(&options.file)?
    };
    let name = match (&options.file_name, options.file.file_name()) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) if !from_stdin => name.to_string_lossy().into_owned(),
        _ => {
            return Err(
                Failure::new("stdin has no file name, which some rules look at")
                    .help("say `--file-name NAME`"),
            );
        }
    };
    let file = File {
        name: &name,
        bytes: &bytes,
    };
    let parsed = parse_as_told(file, reading, request, options);
    let reported = match from_stdin {
        true => name.clone(),
        false => options.file.to_string_lossy().into_owned(),
    };
    let view = FileView::new(
        &reported,
        (!from_stdin).then_some(options.file.as_path()),
        Some(&bytes),
    );
    let finish = Finish::of(parsed.outcome.definition().is_some());
    if request.wants_json() {
        return Answer::json(ParsedFile::new(reading, &parsed, view), finish);
    }
    Ok(Answer::text(
        in_text(request, reading, &parsed, view),
        finish,
    ))
}

/// Parses a file as one of a plugin if it lies among the agents of one or a plugin is named, as a
/// skill if it can be nothing else, or else as any other.
fn parse_as_told(file: File<'_>, reading: Reading, request: &Request, options: &Parse) -> Parsed {
    let Reading { dialect, profile } = reading;
    let mut inputs = ParseInputs::new().with_fixes();
    inputs.main_workspace.clone_from(&options.main_workspace);
    let path = (options.file.as_os_str() != "-").then_some(options.file.as_path());
    inputs.folder = path.and_then(|path| request.folder_name(path));
    if path.is_some_and(|path| request.may_be_skill(path, reading)) {
        return read_lone_skill(dialect, profile, file.bytes, &inputs);
    }
    let plugins = &profile.rules.plugins;
    let plugin = request.common.plugin.first().cloned();
    let plugin = plugin.or_else(|| plugin_with(request, path?, reading));
    let (files, rules) = match plugin {
        Some(plugin) => {
            inputs.plugin = Some(plugin_name(&DiskTree, &plugin, dialect, profile));
            let rules = plugins.reading.unwrap_or(&profile.rules.reading);
            (&plugins.files, rules)
        }
        None => (&profile.rules.agents.files, &profile.rules.reading),
    };
    let by_path = path.and_then(|path| request.stem_at(path, profile));
    let stem = by_path.as_deref();
    let stem = stem.unwrap_or_else(|| files.stem(file.name));
    match files.accept(file.name) {
        Ok(()) => parse_accepted(file, stem, dialect, rules, &inputs),
        Err(rule) => {
            let mut parsed = Parsed::ignored(rule);
            let told = skipped_name(dialect, files, file.name).filter(|_| rule == SkipRule::Suffix);
            parsed.diagnostics.extend(told);
            parsed
        }
    }
}

/// Returns the plugin that has a file among its agents, unless a project has it among its own.
fn plugin_with(request: &Request, path: &Path, reading: Reading) -> Option<PathBuf> {
    let profile = reading.profile;
    let path = &request.full(path);
    if project_around(path, profile).is_some() {
        return None;
    }
    let plugin = plugin_around(&DiskTree, path, profile)?;
    let agents = plugin.join(profile.rules.plugins.folder);
    path.starts_with(agents).then_some(plugin)
}

/// Reads stdin, up to what the parser takes.
pub(crate) fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    // One byte more than the parser takes, so that it can refuse what is too large.
    let most = LARGEST_FILE as u64 + 1;
    std::io::stdin()
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::new(format!("cannot read stdin: {error}")))?;
    Ok(bytes)
}

fn in_text(request: &Request, reading: Reading, parsed: &Parsed, file: FileView<'_>) -> String {
    let mut page = Page::default();
    let path = request.paths.show_file(file);
    let title = reading.dialect.title;
    match &parsed.outcome {
        Outcome::Loaded(definition) => {
            let name = painted(paint::NAME, format!("`{}`", printable(definition.name())));
            page.line(format!("{path}: {title} {}", loads(parsed, &name)));
            page.gap();
            page.block(&fields(definition, file, Shown::All).render(request.table_width()));
        }
        Outcome::Rejected(definition) => {
            let rejected = painted(paint::BAD, "rejects");
            page.line(format!("{path}: {title} {rejected} it"));
            let fields = fields(definition, file, Shown::Written);
            if !fields.is_empty() {
                page.section("What can be read of it all the same:");
                page.block(&fields.render(request.table_width()));
            }
        }
        Outcome::Ignored(rule) => {
            let files = &reading.profile.rules.agents.files;
            let ignores = painted(paint::WARN, "ignores");
            let why = words::skip(*rule, files);
            page.line(format!("{path}: {title} {ignores} it: {why}"));
        }
    }
    if !parsed.lost.is_empty() {
        let lost: Vec<&str> = parsed.lost.iter().map(|field| field.as_str()).collect();
        page.gap();
        page.line(format!(
            "{} {}",
            painted(paint::WARN, "lost:"),
            lost.join(", ")
        ));
    }
    for finding in file.findings(&parsed.diagnostics, &Nowhere) {
        page.gap();
        page.block(&report::render(&finding, &request.paths, request.width()));
    }
    page.into_text()
}

fn loads(parsed: &Parsed, name: &impl Display) -> String {
    let loads = painted(paint::GOOD, "loads");
    let but = match parsed.fate {
        Fate::Repaired => "after a repair of its own",
        Fate::Degraded => "but loses part of what is written",
        _ => return format!("{loads} it as {name}"),
    };
    format!("{loads} it as {name}, {}", painted(paint::WARN, but))
}

/// Which fields are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    All,
    Written,
}

/// The fields of a definition with their places.
fn fields(definition: &Definition, file: FileView<'_>, shown: Shown) -> Table {
    let columns = [
        Column::new("FIELD").styled(paint::NAME),
        Column::new("VALUE").may_lose_end(1),
        Column::new("AT").styled(paint::QUIET),
    ];
    let mut table = Table::new(0, columns);
    let mut fields: Vec<_> = definition.fields().collect();
    fields.sort_by_key(|(_, field)| field.place.map_or(u32::MAX, |place| place.key.start));
    for (name, field) in fields {
        if shown == Shown::All || field.place.is_some() {
            table.row([
                name.as_str().into(),
                value(&field.value).into(),
                at(name, field, file),
            ]);
        }
    }
    for (key, node) in definition.metadata.iter().take(MOST_METADATA) {
        let metadata = FieldValue::config(node.value.clone());
        table.row([
            format!("{}: {}", FieldName::METADATA, printable(key)).into(),
            value(&metadata).into(),
            at(FieldName::METADATA, node, file),
        ]);
    }
    if let Some(rest) = definition.metadata.len().checked_sub(MOST_METADATA + 1) {
        let rest = format!("{} more keys (--format json shows them)", rest + 1);
        table.row([FieldName::METADATA.as_str().into(), rest.into(), "".into()]);
    }
    table
}

fn at<T>(name: FieldName, field: &Located<T>, file: FileView<'_>) -> Cell {
    let position = field.place.and_then(|place| file.position(place.key));
    match position {
        Some(position) => position.to_string().into(),
        None if name == FieldName::NAME => "from the name of the file".into(),
        None if name == FieldName::EXAMPLES => "from the description".into(),
        None => "by default".into(),
    }
}

/// Shows a value on one line. What is nested shows its keys alone: it may hold secrets.
fn value(value: &FieldValue) -> String {
    match value {
        FieldValue::Text(text) if text.is_empty() => "(empty)".to_owned(),
        FieldValue::Text(text) => beginning(text, MOST_SHOWN),
        FieldValue::Integer(number) => number.to_string(),
        FieldValue::Number(number) => number.to_string(),
        FieldValue::Flag(flag) => flag.to_string(),
        FieldValue::Names(names) if names.is_empty() => "none".to_owned(),
        FieldValue::Names(names) => {
            let names: Vec<String> = names
                .iter()
                .map(|name| beginning(&name.text, MOST_SHOWN))
                .collect();
            names.join(", ")
        }
        FieldValue::Everything => "all".to_owned(),
        FieldValue::Config(node) => match node.get() {
            Value::Map(map) => {
                let entries = map.entries.iter();
                let written = entries.filter(|entry| entry.value.style != Style::Default);
                let keys: Vec<String> = written
                    .map(|entry| printable(&key_text(&entry.key)))
                    .collect();
                format!("{{ {} }}", keys.join(", "))
            }
            Value::List(items) => words::count(items.len(), "item"),
            _ => beginning(&key_text(node), MOST_SHOWN),
        },
        _ => String::new(),
    }
}
