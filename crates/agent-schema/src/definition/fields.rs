//! The fields of a definition: few, so that a list of them is smaller and faster than a table.

use std::sync::Arc;

use super::{Definition, FieldName, FieldValue, Located};
use crate::shared_text::SharedText;
use crate::source::Span;

/// Fields in the order in which they were set, each at most once.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields {
    /// A definition whose fields count where none of the own ones has their names, so that what is
    /// laid over a single source holds nothing twice.
    below: Option<Arc<Definition>>,
    own: Vec<(FieldName, Located<FieldValue>)>,
}

impl Fields {
    /// Takes the fields of a definition, without copies of them unless that does so itself.
    pub(super) fn of(below: &Arc<Definition>) -> Self {
        if below.fields.below.is_some() {
            return below.fields.clone();
        }
        Fields {
            below: Some(Arc::clone(below)),
            own: Vec::new(),
        }
    }

    pub(super) fn get(&self, name: FieldName) -> Option<&Located<FieldValue>> {
        let below = || self.below.as_ref()?.field(name);
        self.own(name).or_else(below)
    }

    fn own(&self, name: FieldName) -> Option<&Located<FieldValue>> {
        let mut own = self.own.iter();
        own.find(|(field, _)| *field == name)
            .map(|(_, value)| value)
    }

    /// Sets a field, in its old place if it was set.
    pub(super) fn set(&mut self, name: FieldName, value: Located<FieldValue>) {
        match self.own.iter_mut().find(|(field, _)| *field == name) {
            Some((_, known)) => *known = value,
            None => self.own.push((name, value)),
        }
    }

    pub(super) fn unset(&mut self, name: FieldName) {
        self.own_all().retain(|(field, _)| *field != name);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (FieldName, &Located<FieldValue>)> {
        let is_below = |name| {
            let below = self.below.as_ref();
            below.is_some_and(|below| below.field(name).is_some())
        };
        let below = self.below.iter().flat_map(|below| below.fields.own.iter());
        let below = below.map(|(name, value)| (*name, self.own(*name).unwrap_or(value)));
        let own = self.own.iter().map(|(name, value)| (*name, value));
        below.chain(own.filter(move |(name, _)| !is_below(*name)))
    }

    /// Returns all fields to change them, none of them shared any more.
    fn own_all(&mut self) -> &mut Vec<(FieldName, Located<FieldValue>)> {
        if self.below.is_some() {
            self.own = self.iter().map(|(name, it)| (name, it.clone())).collect();
            self.below = None;
        }
        &mut self.own
    }

    /// Returns the texts that are written, with their bytes.
    pub(super) fn written_texts(&mut self) -> impl Iterator<Item = (&mut SharedText, Span)> {
        self.own_all().iter_mut().filter_map(|(_, field)| {
            let place = field.place?;
            match &mut field.value {
                FieldValue::Text(text) => Some((text, place.value)),
                _ => None,
            }
        })
    }

    /// Gives back the room that no field takes.
    pub(super) fn shrink(&mut self) {
        self.own.shrink_to_fit();
    }
}

/// The order in which fields were set says nothing about an agent.
impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        self.iter().count() == other.iter().count()
            && self
                .iter()
                .all(|(name, value)| other.get(name) == Some(value))
    }
}
