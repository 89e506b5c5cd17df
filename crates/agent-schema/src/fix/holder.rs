//! Definitions that are values inside a file of several: what is read of the file after an edit.

use crate::definition::{Definition, Located};
use crate::header::Language;
use crate::outcome::Parsed;
use crate::value::Node;

use super::tree::readable;

/// A file that holds several definitions, one of which is mended.
pub(crate) trait Holder {
    /// The language of the file.
    fn language(&self) -> Language;

    /// How many definitions there are.
    fn agents(&self) -> usize;

    /// Reads other bytes as the file: the value that the definition is, and what is read of it.
    /// Nothing if the file cannot be read, or if anything else in it is other than before.
    fn read(&self, bytes: &[u8]) -> Option<(Node, Parsed)>;
}

/// Returns whether what one reading gave is all there in another one, and no worse.
pub(crate) fn is_kept(before: &Parsed, after: &Parsed) -> bool {
    let is_same = match (readable(before), readable(after)) {
        (Some(before), Some(after)) => has_same_content(before, after),
        (before, after) => before.is_none() && after.is_none(),
    };
    is_same && after.fate <= before.fate
}

fn has_same_content(before: &Definition, after: &Definition) -> bool {
    let mut fields = before.fields();
    let mut metadata = before.metadata.iter();
    let is_same_node = |known: &Located<Node>, now: Option<&Located<Node>>| {
        now.is_some_and(|now| now.value.same_content(&known.value))
    };
    before.fields().count() == after.fields().count()
        && before.metadata.len() == after.metadata.len()
        && fields.all(|(field, known)| {
            let now = after.field(field);
            now.is_some_and(|now| now.value.same_content(&known.value))
        })
        && metadata.all(|(key, known)| is_same_node(known, after.metadata.get(key)))
}
