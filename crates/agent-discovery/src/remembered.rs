//! What a search remembers of the files that it read, for the search that follows it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agent_schema::dialect::ReadingRules;
use agent_schema::{ParseInputs, Parsed};

use crate::file_tree::{FileId, FileTree, Stamp};
use crate::inputs::Inputs;

/// The files that a search read, by their paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remembered(HashMap<PathBuf, Arc<Reading>>);

/// A file that was read.
#[derive(Debug)]
struct Reading {
    /// What the file was known by before it was read.
    stamp: Stamp,
    question: Question,
    answer: Answer,
}

/// What the answer depends on, beside the path and the bytes of a file.
#[derive(Debug)]
pub(crate) struct Question {
    /// The name that the place gives to the agent.
    pub(crate) stem: String,
    pub(crate) rules: &'static ReadingRules,
    pub(crate) inputs: ParseInputs,
}

/// What a file holds.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) parsed: Parsed,
    pub(crate) bytes: Arc<[u8]>,
    /// What the tree knows the file by, if it told so.
    pub(crate) identity: Option<FileId>,
}

/// The memory of a search under way: that of an earlier one, and its own.
pub(crate) struct Memory<'a> {
    earlier: Option<&'a Remembered>,
    /// Unset for a search that nothing follows.
    own: Option<Mutex<Remembered>>,
}

impl<'a> Memory<'a> {
    /// Makes the memory of a search that follows no other one.
    pub(crate) fn new(inputs: &Inputs) -> Self {
        Memory {
            earlier: None,
            own: inputs.remembering.then(Mutex::default),
        }
    }

    /// Makes the memory of a search that follows another one.
    pub(crate) fn after(earlier: Option<&'a Remembered>) -> Self {
        Memory {
            earlier,
            own: Some(Mutex::default()),
        }
    }

    /// Returns what a file holds: what it held at the earlier look, if nothing has changed since,
    /// or else what `read` finds.
    pub(crate) fn answer<E>(
        &self,
        tree: &dyn FileTree,
        path: &Path,
        question: Question,
        read: impl FnOnce(&Question) -> Result<Answer, E>,
    ) -> Result<Answer, E> {
        let Some(own) = &self.own else {
            return read(&question);
        };
        // Of a file that changes while it is read, the stamp from before counts.
        let Some(stamp) = tree.stamp(path) else {
            return read(&question);
        };
        let earlier = self.earlier.and_then(|earlier| earlier.0.get(path));
        let same = earlier.filter(|it| it.stamp == stamp && it.question.is(&question));
        let (reading, identity) = match same {
            // The same content may be another file by now, or a link to one.
            Some(reading) => (reading.clone(), tree.identity(path)),
            None => {
                let answer = read(&question)?;
                let identity = answer.identity.clone();
                let reading = Reading {
                    answer,
                    stamp,
                    question,
                };
                (Arc::new(reading), identity)
            }
        };
        let answer = Answer {
            identity,
            ..reading.answer.clone()
        };
        let mut own = own.lock().unwrap_or_else(PoisonError::into_inner);
        own.0.insert(path.to_owned(), reading);
        Ok(answer)
    }

    /// Ends the search.
    pub(crate) fn remembered(self) -> Option<Remembered> {
        let own = self.own?.into_inner();
        Some(own.unwrap_or_else(PoisonError::into_inner))
    }
}

impl Question {
    fn is(&self, other: &Question) -> bool {
        std::ptr::eq(self.rules, other.rules)
            && self.stem == other.stem
            && self.inputs == other.inputs
    }
}
