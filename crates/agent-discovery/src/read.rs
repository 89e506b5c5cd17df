//! From an item of a folder to an entry: its kind, its bytes, its definition.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_schema::dialect::{Folders, Links, NamedBy, SkipRule, Unreadable};
use agent_schema::parse::{parse_accepted, parse_kept};
use agent_schema::{Diagnostic, Dialect, File, Limit, Outcome, rules};

use crate::discover::{Files, StopKind};
use crate::entry::{Entry, Source, State};
use crate::file_tree::{FileError, FileId, FileTree, Item, Kind};
use crate::remembered::{Answer, Memory, Question};
use crate::reported::reported;
use crate::skipped::skipped_name;
use crate::trouble;

/// Turns the items of one folder into entries.
pub(crate) struct Reader<'a> {
    pub(crate) tree: &'a dyn FileTree,
    pub(crate) memory: &'a Memory<'a>,
    pub(crate) dialect: &'static Dialect,
    /// Which items are agents, and how they are read.
    pub(crate) files: &'a Files<'a>,
    /// The folder.
    pub(crate) folder: &'a Path,
    /// The place that the folder belongs to: itself, or one around it.
    pub(crate) place: &'a Path,
    /// Where its files may really lie.
    pub(crate) walls: Walls,
}

/// Where the files of a folder may really lie.
pub(crate) enum Walls {
    /// Anywhere.
    None,
    /// Only inside a root; both paths are real ones.
    Root { root: PathBuf, folder: PathBuf },
    /// The root or the folder has no real path, so that nothing is known to be inside.
    Unknown,
}

/// An entry, and what would have stopped the harness at it.
pub(crate) struct Reading {
    pub(crate) entry: Entry,
    pub(crate) stop: Option<Box<(StopKind, Diagnostic)>>,
}

impl Reader<'_> {
    /// Reads an item.
    pub(crate) fn read(&self, item: &Item, source: Source) -> Reading {
        let path = self.folder.join(&item.name);
        let mut reading = Reading {
            entry: Entry::unread(item, source),
            stop: None,
        };
        if item.kind == Kind::Link && self.files.rules.links == Links::NotFollowed {
            reading.entry.state = State::Ignored(SkipRule::Link);
            return reading;
        }
        let kind = match item.kind {
            Kind::Link => self.tree.kind(&path),
            kind => Ok(kind),
        };
        let leads_nowhere = matches!(
            kind,
            Err(FileError::Missing | FileError::NotAFolder | FileError::Circle)
        );
        if item.kind == Kind::Link && leads_nowhere && self.files.rules.links == Links::Existing {
            reading.entry.state = State::Ignored(SkipRule::DeadLink);
            let error = kind.err().unwrap_or(FileError::Missing);
            let finding = trouble::unreadable(self.dialect.title, &error, item.kind);
            reading.entry.diagnostics.push(finding);
            return reading;
        }
        if let Err(error @ (FileError::Denied | FileError::Other(_))) = &kind {
            reading.stop = self.stops_at_kind(error, item.kind).map(Box::new);
        }
        match (kind, self.files.rules.accept(&reading.entry.file_name)) {
            (Ok(Kind::Folder), accepted) => self.pass_folder(&mut reading.entry, &path, accepted),
            (_, Err(rule)) => self.pass_over(&mut reading.entry, rule),
            (kind, Ok(())) => {
                if let Err(diagnostic) = self.read_accepted(&mut reading, item, &path, kind) {
                    self.note_unreadable(&mut reading, item, *diagnostic);
                }
            }
        }
        reading
    }

    /// Returns whether an item is a folder, or a link to one that may be followed.
    pub(crate) fn is_folder(&self, item: &Item) -> bool {
        match item.kind {
            Kind::Link => {
                self.files.rules.links != Links::NotFollowed
                    && self.tree.kind(&self.folder.join(&item.name)) == Ok(Kind::Folder)
            }
            kind => kind == Kind::Folder,
        }
    }

    /// A folder that can be listed but not entered gives names, and an error for each of them.
    pub(crate) fn stop_at_closed_folder(&self, items: &[Item]) -> Option<(StopKind, Diagnostic)> {
        let first = items.first()?;
        match self.tree.own_kind(&self.folder.join(&first.name)) {
            Err(error @ FileError::Denied) => self.stops_at_kind(&error, first.kind),
            _ => None,
        }
    }

    /// Tells how a harness stops that asks what an item is before it guards itself.
    fn stops_at_kind(&self, error: &FileError, own: Kind) -> Option<(StopKind, Diagnostic)> {
        let title = self.dialect.title;
        let rules = self.files.rules;
        let asks = rules.folders == Folders::PassedOver && rules.unreadable == Unreadable::Told;
        asks.then(|| {
            let diagnostic = trouble::unreadable(title, error, own).because(format!(
                "{title} is not prepared for this, and its whole search ends with an error"
            ));
            (StopKind::Raises, diagnostic)
        })
    }

    /// Notes a file that cannot be read. A harness that is silent about it asks first what it is,
    /// and opens no pipe.
    fn note_unreadable(&self, reading: &mut Reading, item: &Item, diagnostic: Diagnostic) {
        let diagnostic = match self.files.rules.unreadable {
            Unreadable::Told => diagnostic.said_by_harness(),
            Unreadable::Silent => {
                reading.entry.state = State::Ignored(SkipRule::Unreadable);
                if item.kind != Kind::Link {
                    reading.stop = None;
                }
                diagnostic
            }
        };
        reading.entry.diagnostics.push(diagnostic);
    }

    /// Reads a file whose name is an agent's; the entry stays rejected if there is an error.
    fn read_accepted(
        &self,
        reading: &mut Reading,
        item: &Item,
        path: &Path,
        kind: Result<Kind, FileError>,
    ) -> Result<(), Box<Diagnostic>> {
        let title = self.dialect.title;
        self.check_walls(item, path)?;
        let unreadable = |error: FileError| Box::new(trouble::unreadable(title, &error, item.kind));
        let kind = kind.map_err(unreadable)?;
        if !matches!(kind, Kind::File | Kind::NullDevice) {
            let diagnostic = trouble::not_a_file(title, kind);
            if trouble::may_block(kind) {
                reading.stop = Some(Box::new((StopKind::Hangs, diagnostic.clone())));
            }
            return Err(Box::new(diagnostic));
        }
        let entry = &mut reading.entry;
        let mut inputs = self.files.inputs.clone();
        let folder = self.folder.file_name();
        inputs.folder = folder.map(|name| name.to_string_lossy().into_owned());
        let question = Question {
            stem: self
                .name_by_place(self.files.rules.stem(&entry.file_name))
                .into_owned(),
            rules: self.files.reading,
            inputs,
        };
        let mut identity = None;
        let answer = self.memory.answer(self.tree, path, question, |question| {
            let (answer, found) = self.ask(path, item.kind, &entry.file_name, question)?;
            identity = Some(found);
            Ok(answer)
        });
        let Answer { mut parsed, bytes } = answer.map_err(unreadable)?;
        entry.note_all(std::mem::take(&mut parsed.diagnostics));
        entry.state = match parsed.outcome {
            Outcome::Loaded(_) => State::Active,
            Outcome::Ignored(rule) => State::Ignored(rule),
            Outcome::Rejected(_) => State::Rejected,
        };
        entry.parsed = Some(parsed);
        entry.bytes = Some(bytes);
        // The same content as before may be another file by now, or a link to one.
        entry.identity = identity.unwrap_or_else(|| self.tree.identity(path));
        Ok(())
    }

    /// Reads and parses a file, and tells what the tree knows it by.
    fn ask(
        &self,
        path: &Path,
        listed_as: Kind,
        name: &str,
        question: &Question,
    ) -> Result<(Answer, Option<FileId>), FileError> {
        let most = question.inputs.limits.of(Limit::FileBytes);
        let (bytes, identity) = match listed_as {
            Kind::File => {
                let file = self.tree.read_listed(path, most)?;
                (file.bytes, file.identity)
            }
            _ => (self.tree.read(path, most)?, None),
        };
        let Question {
            stem,
            rules,
            inputs,
        } = question;
        let (parsed, bytes) = match String::from_utf8(bytes) {
            Ok(text) => {
                let text: Arc<str> = text.into();
                let mut parsed = parse_kept((name, &text), stem, self.dialect, rules, inputs);
                if inputs.is_part {
                    parsed.let_copies_share();
                }
                (parsed, text.into())
            }
            Err(no_text) => {
                let bytes: Arc<[u8]> = no_text.into_bytes().into();
                let file = File {
                    name,
                    bytes: &bytes,
                };
                let parsed = parse_accepted(file, stem, self.dialect, rules, inputs);
                (parsed, bytes)
            }
        };
        Ok((Answer { parsed, bytes }, identity))
    }

    /// Returns the name that a file gives to its agent.
    fn name_by_place<'n>(&self, stem: &'n str) -> Cow<'n, str> {
        let inside = self
            .folder
            .strip_prefix(self.place)
            .unwrap_or(Path::new(""));
        if self.files.rules.named_by == NamedBy::FileName || inside.as_os_str().is_empty() {
            return Cow::Borrowed(stem);
        }
        Cow::Owned(format!("{}/{stem}", reported(inside)))
    }

    fn check_walls(&self, item: &Item, path: &Path) -> Result<(), Box<Diagnostic>> {
        let title = self.dialect.title;
        let inside = match &self.walls {
            Walls::None => true,
            Walls::Unknown => false,
            Walls::Root { root, .. } if item.kind == Kind::Link => self
                .tree
                .real_path(path)
                .map_err(|error| Box::new(trouble::unreadable(title, &error, item.kind)))?
                .starts_with(root),
            Walls::Root { root, folder } => folder.starts_with(root),
        };
        if inside {
            return Ok(());
        }
        let diagnostic = Diagnostic::new(
            &rules::OUTSIDE_ROOT,
            "the file really lies outside the folder that it must stay in",
        )
        .because(format!(
            "{title} refuses files that links lead out of a plugin"
        ))
        .help("put a copy of the file in the place of the link");
        Err(Box::new(diagnostic))
    }

    fn pass_over(&self, entry: &mut Entry, rule: SkipRule) {
        entry.state = State::Ignored(rule);
        if rule == SkipRule::Suffix {
            let finding = skipped_name(self.dialect, self.files.rules, &entry.file_name);
            entry.diagnostics.extend(finding);
        }
    }

    fn pass_folder(&self, entry: &mut Entry, path: &Path, accepted: Result<(), SkipRule>) {
        if self.files.rules.folders == Folders::TriedAsFiles && accepted.is_ok() {
            let title = self.dialect.title;
            let trouble = trouble::not_a_file(title, Kind::Folder);
            entry.diagnostics.push(trouble.said_by_harness());
            return;
        }
        entry.state = State::Ignored(SkipRule::Folder);
        let Ok(items) = self.tree.list(path) else {
            return;
        };
        let agents = items.iter().filter(|item| {
            item.kind == Kind::File
                && self
                    .files
                    .rules
                    .accept(&item.name.to_string_lossy())
                    .is_ok()
        });
        let count = agents.count();
        if count > 0 {
            let (files, advice) = match count {
                1 => ("1 file".to_owned(), "move it up if it should load"),
                _ => (format!("{count} files"), "move them up if they should load"),
            };
            entry.diagnostics.push(
                Diagnostic::new(
                    &rules::SKIPPED_FILE,
                    format!(
                        "the folder `{}` is not searched, and holds {files} that could be an agent",
                        entry.file_name
                    ),
                )
                .because(format!(
                    "{} reads the files of this folder alone, not those of folders in it",
                    self.dialect.title
                ))
                .help(advice),
            );
        }
    }
}

impl Walls {
    /// Finds out where the files of a folder may lie.
    pub(crate) fn new(tree: &dyn FileTree, files: &Files<'_>, folder: &Path) -> Walls {
        match (files.rules.links, files.root) {
            (Links::InsideRoot, Some(root)) => {
                match (tree.real_path(root), tree.real_path(folder)) {
                    (Ok(root), Ok(folder)) => Walls::Root { root, folder },
                    _ => Walls::Unknown,
                }
            }
            _ => Walls::None,
        }
    }
}
