//! Which of many items have the same key: nearly always none, so that no table of all keys is made.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash, RandomState};

use indexmap::IndexMap;

/// Returns the numbers of the items whose key another one has too: a list for each such key, in
/// the order of their first items. An item without a key is like no other one.
pub(crate) fn of_same_key<'t, T, K: Hash + Eq>(
    items: &'t [T],
    key: impl Fn(&'t T) -> Option<K>,
) -> Vec<Vec<usize>> {
    let hasher = RandomState::new();
    let keyed = items.iter().enumerate();
    let keyed = keyed.filter_map(|(index, item)| Some((hasher.hash_one(key(item)?), index)));
    // All at once: a list that grows leaves its smaller forms behind.
    let mut hashed: Vec<(u64, usize)> = Vec::with_capacity(items.len());
    hashed.extend(keyed);
    hashed.sort_unstable();
    let mut groups = BTreeMap::new();
    for alike in hashed.chunk_by(|(one, _), (other, _)| one == other) {
        if alike.len() < 2 {
            continue;
        }
        let mut by_key: IndexMap<Option<K>, Vec<usize>> = IndexMap::new();
        for &(_, index) in alike {
            by_key.entry(key(&items[index])).or_default().push(index);
        }
        let several = by_key.into_values().filter(|group| group.len() > 1);
        groups.extend(several.map(|group| (group[0], group)));
    }
    groups.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_of_several_items_make_a_list() {
        let words = ["b", "a", "", "b", "c", "a", "", "b"];
        let groups = of_same_key(&words, |word| (!word.is_empty()).then_some(*word));
        assert_eq!(groups, [vec![0, 3, 7], vec![1, 5]]);
        assert!(of_same_key(&["a", "b"], |word| Some(*word)).is_empty());
    }

    #[test]
    fn keys_that_only_hash_alike_are_told_apart() {
        #[derive(PartialEq, Eq)]
        struct Same(u8);
        impl Hash for Same {
            fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
        }
        let groups = of_same_key(&[1, 2, 1, 3, 2], |number| Some(Same(*number)));
        assert_eq!(groups, [vec![0, 2], vec![1, 4]]);
    }
}
