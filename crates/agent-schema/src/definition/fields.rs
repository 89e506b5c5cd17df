//! The fields of a definition: few, so that a list of them is smaller and faster than a table.

use super::{FieldName, FieldValue, Located};
use crate::shared_text::SharedText;
use crate::source::Span;

/// Fields in the order in which they were set, each at most once.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields(Vec<(FieldName, Located<FieldValue>)>);

impl Fields {
    pub(super) fn get(&self, name: FieldName) -> Option<&Located<FieldValue>> {
        self.iter()
            .find(|(field, _)| *field == name)
            .map(|(_, value)| value)
    }

    /// Sets a field, in its old place if it was set.
    pub(super) fn set(&mut self, name: FieldName, value: Located<FieldValue>) {
        match self.0.iter_mut().find(|(field, _)| *field == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }

    pub(super) fn unset(&mut self, name: FieldName) {
        self.0.retain(|(field, _)| *field != name);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (FieldName, &Located<FieldValue>)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// Returns the texts that are written, with their bytes.
    pub(super) fn written_texts(&mut self) -> impl Iterator<Item = (&mut SharedText, Span)> {
        self.0.iter_mut().filter_map(|(_, field)| {
            let place = field.place?;
            match &mut field.value {
                FieldValue::Text(text) => Some((text, place.value)),
                _ => None,
            }
        })
    }

    /// Gives back the room that no field takes.
    pub(super) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}

/// The order in which fields were set says nothing about an agent.
impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self
                .iter()
                .all(|(name, value)| other.get(name) == Some(value))
    }
}
