//! The settings of a project, `agentry.toml`: what counts, and how much.
//!
//! Settings name rules, paths and one file of known findings. Nothing in them is ever run.

use std::path::{Path, PathBuf};

use agent_discovery::{DiskTree, FileError, FileTree, IgnoreRules, Kind, repository_root};
use agent_schema::suggest::nearest;
use agent_schema::{Dialect, LineIndex, Selector, Severity, Span, dialects};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::failure::Failure;
use crate::finding::FileView;
use crate::options::SettingsFile;
use crate::request::Request;
use crate::text::report;

/// The name of the file.
const FILE: &str = "agentry.toml";

/// The most bytes of it that are read.
const MOST_BYTES: usize = 1 << 20;

/// What the settings say.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// The folder of the file, without links; paths in it begin there.
    folder: PathBuf,
    pub(crate) select: Option<Vec<Selector>>,
    pub(crate) ignore: Vec<Selector>,
    pub(crate) severity: Option<Severity>,
    /// For rules, how much they matter; nothing for a rule that is off.
    pub(crate) rules: Vec<(Selector, Option<Severity>)>,
    per_file: Vec<(IgnoreRules, Vec<Selector>)>,
    exclude: Option<IgnoreRules>,
    pub(crate) dialect: Option<&'static Dialect>,
    pub(crate) baseline: Option<PathBuf>,
    /// What models are called in a harness: (the word elsewhere, the word there).
    models: Vec<(&'static Dialect, (String, String))>,
}

/// Reads the value of a key into the settings.
type Key = fn(&mut Settings, &Spanned<DeValue<'_>>) -> Result<(), Fault>;

/// The keys, by their names.
const KEYS: [(&str, Key); 9] = [
    ("select", |settings, value| {
        settings.select = Some(selectors(value)?);
        Ok(())
    }),
    ("ignore", |settings, value| {
        settings.ignore = selectors(value)?;
        Ok(())
    }),
    ("severity", |settings, value| {
        let words = SEVERITIES.iter().filter(|(word, _)| *word != "off");
        settings.severity = one_of(value, words.copied())?;
        Ok(())
    }),
    ("rules", |settings, value| {
        for (code, value) in entries(value)? {
            let severity = one_of(value, SEVERITIES)?;
            settings.rules.push((selector(code)?, severity));
        }
        Ok(())
    }),
    ("per-file-ignores", |settings, value| {
        for (pattern, value) in entries(value)? {
            let files = IgnoreRules::of([pattern.value]);
            settings.per_file.push((files, selectors(value)?));
        }
        Ok(())
    }),
    ("exclude", |settings, value| {
        let patterns = texts(value)?;
        let patterns = patterns.iter().map(|pattern| pattern.value);
        settings.exclude = Some(IgnoreRules::of(patterns));
        Ok(())
    }),
    ("dialect", |settings, value| {
        let known = dialects::ALL.iter().map(|dialect| (dialect.id, *dialect));
        settings.dialect = Some(one_of(value, known)?);
        Ok(())
    }),
    ("baseline", |settings, value| {
        settings.baseline = Some(settings.folder.join(text(value)?.value));
        Ok(())
    }),
    ("convert", |settings, value| {
        for (key, value) in entries(value)? {
            if key.value != "models" {
                return Err(no_setting(&key, &["models"]));
            }
            for (harness, value) in entries(value)? {
                settings.read_models(&harness, value)?;
            }
        }
        Ok(())
    }),
];

/// The words for how much a rule matters.
const SEVERITIES: [(&str, Option<Severity>); 4] = [
    ("error", Some(Severity::Error)),
    ("warning", Some(Severity::Warning)),
    ("info", Some(Severity::Info)),
    ("off", None),
];

/// What is wrong with the file, and where.
struct Fault {
    message: String,
    help: Option<String>,
    span: Span,
}

/// A text with its place.
struct Text<'a> {
    value: &'a str,
    span: Span,
}

impl Settings {
    /// Reads the file that was named, or the one of the project: it is looked for from the project
    /// folder up to the root of its repository.
    pub(crate) fn read(request: &Request, options: &SettingsFile) -> Result<Self, Failure> {
        if options.no_config {
            return Ok(Settings::default());
        }
        let file = match &options.config {
            Some(file) => Some(file.clone()),
            None => find(&request.common.project),
        };
        let Some(file) = file else {
            return Ok(Settings::default());
        };
        let cannot_read = |error: FileError| request.cannot_read(&file, &error);
        let bytes = DiskTree.read(&file, MOST_BYTES).map_err(cannot_read)?;
        let real = DiskTree.real_path(&file).map_err(cannot_read)?;
        let folder = real.parent().map(Path::to_owned).unwrap_or_default();
        Settings::parse(&bytes, folder).map_err(|fault| fault.failure(request, &file, &bytes))
    }

    fn parse(bytes: &[u8], folder: PathBuf) -> Result<Self, Fault> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            Fault::new("the file is not UTF-8", at..at)
        })?;
        let table = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            Fault::new(error.message().replace('\n', "; "), span)
        })?;
        let mut settings = Settings {
            folder,
            ..Settings::default()
        };
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let known = KEYS.iter().find(|(name, _)| *name == key.get_ref());
            let Some((_, read)) = known else {
                return Err(no_setting(&Text::of(key), &KEYS.map(|(name, _)| name)));
            };
            read(&mut settings, value)?;
        }
        Ok(settings)
    }

    /// Reads what models are called in one harness.
    fn read_models(
        &mut self,
        harness: &Text<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Fault> {
        let Some(dialect) = dialects::find(harness.value) else {
            let ids: Vec<&str> = dialects::ALL.iter().map(|dialect| dialect.id).collect();
            let message = format!("`{}` is no harness", harness.value);
            return Err(Fault::at(message, harness.span).suggesting(harness.value, &ids));
        };
        for (from, to) in entries(value)? {
            let called = (from.value.to_owned(), text(to)?.value.to_owned());
            self.models.push((dialect, called));
        }
        Ok(())
    }

    /// Returns what models are called in a harness: (the word elsewhere, the word there).
    pub(crate) fn models_in(&self, dialect: &Dialect) -> Vec<(String, String)> {
        let models = self.models.iter();
        let there = models.filter(|(other, _)| other.id == dialect.id);
        there.map(|(_, called)| called.clone()).collect()
    }

    /// Returns whether a file is left out.
    pub(crate) fn excludes(&self, request: &Request, path: &Path) -> bool {
        let Some(rules) = &self.exclude else {
            return false;
        };
        let below = below(&self.folder, request, path);
        below.is_some_and(|path| rules.ignore(&path))
    }

    /// Returns the rules that are off for one file.
    pub(crate) fn off_for(&self, request: &Request, path: &Path) -> Vec<&Selector> {
        if self.per_file.is_empty() {
            return Vec::new();
        }
        let Some(path) = below(&self.folder, request, path) else {
            return Vec::new();
        };
        let fitting = self
            .per_file
            .iter()
            .filter(|(files, _)| files.ignore(&path));
        fitting.flat_map(|(_, selectors)| selectors).collect()
    }
}

/// Returns the path of a file below a folder, with `/`; nothing for a file elsewhere. The folder
/// is without links, the last part of the path may be one.
pub(crate) fn below(folder: &Path, request: &Request, path: &Path) -> Option<String> {
    let full = request.full(path);
    let name = full.file_name()?;
    let parent = full.parent()?;
    // What stdin holds need not lie anywhere.
    let real = DiskTree.real_path(parent);
    let real = real.unwrap_or_else(|_| parent.to_owned()).join(name);
    let below = real.strip_prefix(folder).ok()?;
    let parts = below.iter().map(|part| part.to_string_lossy());
    Some(parts.collect::<Vec<_>>().join("/"))
}

fn find(project: &Path) -> Option<PathBuf> {
    let real = DiskTree.real_path(project).ok()?;
    let root = repository_root(&DiskTree, project).unwrap_or_else(|| real.clone());
    let above = real
        .ancestors()
        .take_while(|folder| folder.starts_with(&root));
    let mut files = above.map(|folder| folder.join(FILE));
    files.find(|file| DiskTree.kind(file) == Ok(Kind::File))
}

/// What is said of a key that is none.
fn no_setting(key: &Text<'_>, known: &[&str]) -> Fault {
    let message = format!("`{}` is no setting", key.value);
    Fault::at(message, key.span).suggesting(key.value, known)
}

impl<'a> Text<'a> {
    fn of(key: &'a Spanned<DeString<'_>>) -> Self {
        Text {
            value: key.get_ref(),
            span: to_span(&key.span()),
        }
    }
}

impl Fault {
    fn new(message: impl Into<String>, span: std::ops::Range<usize>) -> Self {
        Fault::at(message, to_span(&span))
    }

    fn at(message: impl Into<String>, span: Span) -> Self {
        Fault {
            message: message.into(),
            help: None,
            span,
        }
    }

    /// Says what was probably meant, or all that is possible.
    fn suggesting(mut self, word: &str, known: &[&str]) -> Self {
        self.help = Some(match nearest(word, known.iter().copied()) {
            Some(near) => format!("write `{near}`"),
            None => format!("one of: {}", known.join(", ")),
        });
        self
    }

    fn failure(self, request: &Request, file: &Path, bytes: &[u8]) -> Failure {
        let index = LineIndex::new(bytes);
        let start = index.line_column(bytes, self.span.start);
        let end = index.line_column(bytes, self.span.end);
        let shown = request.paths.show(file);
        let view = FileView::new(&shown, Some(file), Some(bytes));
        let excerpt = report::excerpt(view, self.span, &shown, request.width());
        let failure = Failure::new(format!("{} ({shown}:{start}-{end})", self.message));
        let failure = failure.excerpt(excerpt.unwrap_or_default());
        match self.help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}

fn to_span(range: &std::ops::Range<usize>) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(range.start), offset(range.end))
}

fn text<'a>(value: &'a Spanned<DeValue<'_>>) -> Result<Text<'a>, Fault> {
    match value.get_ref().as_str() {
        Some(text) => Ok(Text {
            value: text,
            span: to_span(&value.span()),
        }),
        None => Err(Fault::new("this must be a text", value.span())),
    }
}

/// A list of texts; one text stands for a list of one.
fn texts<'a>(value: &'a Spanned<DeValue<'_>>) -> Result<Vec<Text<'a>>, Fault> {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().map(text).collect(),
        DeValue::String(_) => Ok(vec![text(value)?]),
        _ => Err(Fault::new("this must be a list of texts", value.span())),
    }
}

/// The entries of a table, in the order of the file.
fn entries<'a, 'i>(
    value: &'a Spanned<DeValue<'i>>,
) -> Result<Vec<(Text<'a>, &'a Spanned<DeValue<'i>>)>, Fault> {
    let Some(table) = value.get_ref().as_table() else {
        return Err(Fault::new("this must be a table", value.span()));
    };
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let entries = entries.into_iter();
    Ok(entries.map(|(key, value)| (Text::of(key), value)).collect())
}

fn one_of<T>(
    value: &Spanned<DeValue<'_>>,
    known: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<T, Fault> {
    let word = text(value)?;
    let mut words = Vec::new();
    for (name, meaning) in known {
        if name == word.value {
            return Ok(meaning);
        }
        words.push(name);
    }
    let message = format!("`{}` is not known here", word.value);
    Err(Fault::new(message, value.span()).suggesting(word.value, &words))
}

fn selector(text: Text<'_>) -> Result<Selector, Fault> {
    Selector::new(text.value).map_err(|unknown| Fault {
        message: unknown.to_string(),
        help: Some(match unknown.nearest {
            Some(near) => format!("write `{near}`"),
            None => "`agentry rule` lists all codes".to_owned(),
        }),
        span: text.span,
    })
}

fn selectors(value: &Spanned<DeValue<'_>>) -> Result<Vec<Selector>, Fault> {
    texts(value)?.into_iter().map(selector).collect()
}
