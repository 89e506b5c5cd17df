//! What a search remembers of the files that it read, for the search that follows it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agent_schema::dialect::ReadingRules;
use agent_schema::{ParseInputs, Parsed};

use crate::file_tree::{FileTree, Stamp};
use crate::inputs::Inputs;

/// The files that a search read, by their paths: what was asked of each, and what it held.
#[derive(Debug, Clone)]
pub(crate) struct Remembered<Q = Question, A = Answer>(HashMap<PathBuf, Arc<Reading<Q, A>>>);

/// A file that was read.
#[derive(Debug)]
struct Reading<Q, A> {
    /// What the file was known by before it was read.
    stamp: Stamp,
    question: Q,
    answer: A,
}

/// What is asked of a file that is parsed: what the answer depends on, beside the path and the
/// bytes of the file.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// The name that the place gives to what is in the file.
    pub(crate) stem: String,
    pub(crate) rules: &'static ReadingRules,
    pub(crate) inputs: ParseInputs,
}

/// What an agent file holds.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) parsed: Parsed,
    pub(crate) bytes: Arc<[u8]>,
}

/// The memory of a search under way: that of an earlier one, and its own.
pub(crate) struct Memory<'a, Q = Question, A = Answer> {
    earlier: Option<&'a Remembered<Q, A>>,
    /// Unset for a search that nothing follows.
    own: Option<Mutex<Remembered<Q, A>>>,
}

impl<'a, Q: PartialEq, A: Clone> Memory<'a, Q, A> {
    /// Makes the memory of a search that follows no other one.
    pub(crate) fn new(inputs: &Inputs) -> Self {
        Memory {
            own: inputs.remembering.then(Mutex::default),
            earlier: None,
        }
    }

    /// Makes the memory of a search that follows another one.
    pub(crate) fn after(earlier: Option<&'a Remembered<Q, A>>) -> Self {
        Memory {
            own: Some(Mutex::default()),
            earlier,
        }
    }

    /// Returns what a file holds: what it held when it was read before, in this search or the earlier
    /// one, if nothing has changed since, or else what `read` finds.
    pub(crate) fn answer<E>(
        &self,
        tree: &dyn FileTree,
        path: &Path,
        question: Q,
        read: impl FnOnce(&Q) -> Result<A, E>,
    ) -> Result<A, E> {
        let Some(own) = &self.own else {
            return read(&question);
        };
        // Of a file that changes while it is read, the stamp from before counts.
        let Some(stamp) = tree.stamp(path) else {
            return read(&question);
        };
        let own = || own.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |it: &&Arc<Reading<Q, A>>| it.stamp == stamp && it.question == question;
        // A search may come across a file more than once.
        let known = own().0.get(path).filter(is_same).cloned();
        let known = known.or_else(|| self.earlier?.0.get(path).filter(is_same).cloned());
        let reading = match known {
            Some(reading) => reading,
            None => Arc::new(Reading {
                answer: read(&question)?,
                stamp,
                question,
            }),
        };
        let answer = reading.answer.clone();
        own().0.insert(path.to_owned(), reading);
        Ok(answer)
    }

    /// Ends the search.
    pub(crate) fn remembered(self) -> Option<Remembered<Q, A>> {
        let own = self.own?.into_inner();
        Some(own.unwrap_or_else(PoisonError::into_inner))
    }
}

impl<Q, A> Default for Remembered<Q, A> {
    fn default() -> Self {
        Remembered(HashMap::new())
    }
}

impl PartialEq for Question {
    fn eq(&self, other: &Question) -> bool {
        std::ptr::eq(self.rules, other.rules)
            && self.stem == other.stem
            && self.inputs == other.inputs
    }
}
