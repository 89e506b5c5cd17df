//! The tree as a search for skills sees it: it remembers what each file held, for the search that
//! follows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_schema::{Dialect, Parsed, Profile, Span};

use crate::file_tree::{FileError, FileId, FileTree, Item, Kind, Stamp};
use crate::inputs::Inputs;
use crate::remembered::{Memory, Question, Remembered};
use crate::skill_file::{SkillFile, SkillText};

/// Which search found some skills, and what it remembers. It says nothing about the skills
/// themselves, and so each one equals every other one.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchedBy {
    /// Unset where no search found them.
    pub(crate) rules: Option<(&'static Dialect, &'static Profile)>,
    pub(crate) remembered: Option<Arc<RememberedSkills>>,
}

impl PartialEq for SearchedBy {
    fn eq(&self, _: &SearchedBy) -> bool {
        true
    }
}

/// What a search for skills remembers of the files that it read.
#[derive(Debug)]
pub(crate) struct RememberedSkills {
    texts: Remembered<TextQuestion, ReadText>,
    parsed: Remembered<Question, ReadParsed>,
    /// The bytes of all files that are no skills.
    others: Remembered<(), Vec<u8>>,
}

/// What is asked of a skill file where levels are searched.
#[derive(Debug, PartialEq)]
pub(crate) struct TextQuestion {
    pub(crate) file: SkillFile,
    /// The name that its place gives it.
    pub(crate) derived: String,
    /// How many bytes are read, at most.
    pub(crate) most: usize,
}

/// What it holds.
#[derive(Debug, Clone)]
pub(crate) struct ReadText {
    pub(crate) text: SkillText,
    /// What stands for the whole file.
    pub(crate) head: Span,
}

/// What a skill file holds where sources are searched.
#[derive(Debug, Clone)]
pub(crate) struct ReadParsed {
    pub(crate) parsed: Parsed,
    /// What stands for the whole file.
    pub(crate) head: Span,
}

/// The tree of a search for skills under way, with its memory.
pub(crate) struct SkillMemory<'a> {
    tree: &'a dyn FileTree,
    texts: Memory<'a, TextQuestion, ReadText>,
    parsed: Memory<'a, Question, ReadParsed>,
    others: Memory<'a, (), Vec<u8>>,
}

impl<'a> SkillMemory<'a> {
    /// Makes the memory of a search that follows no other one.
    pub(crate) fn new(tree: &'a dyn FileTree, inputs: &Inputs) -> Self {
        SkillMemory {
            tree,
            texts: Memory::new(inputs),
            parsed: Memory::new(inputs),
            others: Memory::new(inputs),
        }
    }

    /// Makes the memory of a search that follows another one.
    pub(crate) fn after(tree: &'a dyn FileTree, earlier: Option<&'a RememberedSkills>) -> Self {
        SkillMemory {
            tree,
            texts: Memory::after(earlier.map(|it| &it.texts)),
            parsed: Memory::after(earlier.map(|it| &it.parsed)),
            others: Memory::after(earlier.map(|it| &it.others)),
        }
    }

    /// Returns what a skill file holds where levels are searched.
    pub(crate) fn text(
        &self,
        path: &Path,
        question: TextQuestion,
        read: impl FnOnce(&TextQuestion, &[u8]) -> ReadText,
    ) -> Result<ReadText, FileError> {
        self.texts.answer(self.tree, path, question, |question| {
            let bytes = self.tree.read(path, question.most)?;
            Ok(read(question, &bytes))
        })
    }

    /// Returns what a skill file of at most so many bytes holds where sources are searched.
    pub(crate) fn parsed(
        &self,
        path: &Path,
        question: Question,
        most: usize,
        read: impl FnOnce(&Question, &[u8]) -> ReadParsed,
    ) -> Result<ReadParsed, FileError> {
        self.parsed.answer(self.tree, path, question, |question| {
            let bytes = self.tree.read(path, most)?;
            Ok(read(question, &bytes))
        })
    }

    /// Ends the search.
    pub(crate) fn remembered(self) -> Option<RememberedSkills> {
        Some(RememberedSkills {
            texts: self.texts.remembered()?,
            parsed: self.parsed.remembered()?,
            others: self.others.remembered()?,
        })
    }
}

/// Everything but the skill files is read as from any other tree: settings, manifests, and files
/// that tell what to ignore.
impl FileTree for SkillMemory<'_> {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        self.tree.list(folder)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.kind(path)
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.own_kind(path)
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        let read = |(): &()| self.tree.read(path, most);
        let bytes = self.others.answer(self.tree, path, (), read)?;
        if bytes.len() > most {
            // It was read when more of it was asked for.
            let (bytes, most) = (bytes.len() as u64, most as u64);
            return Err(FileError::TooLarge { bytes, most });
        }
        Ok(bytes)
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.tree.real_path(path)
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        self.tree.identity(path)
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        self.tree.stamp(path)
    }
}
