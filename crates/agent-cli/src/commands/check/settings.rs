//! The settings of a project, `agentry.toml`: what counts, and how much.
//!
//! Settings name rules, paths and one file of known findings. Nothing in them is ever run.

use std::path::{Path, PathBuf};

use agent_discovery::{DiskTree, FileError, FileTree, IgnoreRules, Kind, repository_root};
use agent_schema::suggest::nearest;
use agent_schema::{Dialect, LineIndex, Selector, Severity, Span, dialects};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;
use crate::finding::FileView;
use crate::options::Check;
use crate::request::Request;
use crate::text::report;

/// The name of the file.
const FILE: &str = "agentry.toml";

/// The most bytes of it that are read.
const MOST_BYTES: usize = 1 << 20;

/// What the settings say.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The folder of the file, without links; paths in it begin there.
    folder: PathBuf,
    pub(super) select: Option<Vec<Selector>>,
    pub(super) ignore: Vec<Selector>,
    pub(super) severity: Option<Severity>,
    /// For rules, how much they matter; nothing for a rule that is off.
    pub(super) rules: Vec<(Selector, Option<Severity>)>,
    per_file: Vec<(IgnoreRules, Vec<Selector>)>,
    exclude: Option<IgnoreRules>,
    pub(super) dialect: Option<&'static Dialect>,
    pub(super) baseline: Option<PathBuf>,
}

/// Reads the value of a key into the settings.
type Key = fn(&mut Settings, &Spanned<DeValue<'_>>) -> Result<(), Fault>;

/// The keys, by their names.
const KEYS: [(&str, Key); 8] = [
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
    pub(super) fn read(request: &Request, options: &Check) -> Result<Self, Failure> {
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
                let names = KEYS.map(|(name, _)| name);
                let message = format!("`{}` is no setting", key.get_ref());
                return Err(Fault::new(message, key.span()).suggesting(key.get_ref(), &names));
            };
            read(&mut settings, value)?;
        }
        Ok(settings)
    }

    /// Returns whether a file is left out.
    pub(super) fn excludes(&self, request: &Request, path: &Path) -> bool {
        let Some(rules) = &self.exclude else {
            return false;
        };
        let below = below(&self.folder, request, path);
        below.is_some_and(|path| rules.ignore(&path))
    }

    /// Returns the rules that are off for one file.
    pub(super) fn off_for(&self, request: &Request, path: &Path) -> Vec<&Selector> {
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
pub(super) fn below(folder: &Path, request: &Request, path: &Path) -> Option<String> {
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

impl Fault {
    fn new(message: impl Into<String>, span: std::ops::Range<usize>) -> Self {
        Fault {
            message: message.into(),
            help: None,
            span: to_span(&span),
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
    let entries = entries.into_iter().map(|(key, value)| {
        let key = Text {
            value: key.get_ref(),
            span: to_span(&key.span()),
        };
        (key, value)
    });
    Ok(entries.collect())
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
