//! Who has which name. The names are those of the contenders, so that none is held twice.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::contender::{Contender, ContenderId};

/// The contenders that have the names for which they were offered. Whoever asks brings the list of
/// all contenders.
#[derive(Debug, Clone, Default)]
pub(crate) struct Holders {
    by_name: HashTable<ContenderId>,
    hasher: RandomState,
    /// In the order in which they got their names.
    in_order: Vec<ContenderId>,
}

impl Holders {
    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, more: usize, contenders: &[Contender]) {
        let hasher = &self.hasher;
        let hash = |id: &ContenderId| hasher.hash_one(name_of(*id, contenders));
        self.by_name.reserve(more, hash);
        self.in_order.reserve(more);
    }

    /// Returns who has a name.
    pub(crate) fn get(&self, name: &str, contenders: &[Contender]) -> Option<ContenderId> {
        let is_named = |id: &ContenderId| name_of(*id, contenders) == name;
        let hash = self.hasher.hash_one(name);
        self.by_name.find(hash, is_named).copied()
    }

    /// Gives a contender its name. Returns who has it, if it is taken.
    pub(crate) fn give(
        &mut self,
        id: ContenderId,
        contenders: &[Contender],
    ) -> Result<(), ContenderId> {
        let name = name_of(id, contenders);
        let hasher = &self.hasher;
        let hash = |id: &ContenderId| hasher.hash_one(name_of(*id, contenders));
        let is_named = |id: &ContenderId| name_of(*id, contenders) == name;
        match self.by_name.entry(hash(&id), is_named, hash) {
            Entry::Occupied(holder) => Err(*holder.get()),
            Entry::Vacant(free) => {
                free.insert(id);
                self.in_order.push(id);
                Ok(())
            }
        }
    }

    /// Returns all of them, in the order in which they got their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ContenderId> {
        self.in_order.iter().copied()
    }
}

fn name_of(id: ContenderId, contenders: &[Contender]) -> &str {
    &contenders[id.0].name
}
