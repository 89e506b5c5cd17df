//! Lists that are nearly always empty.

use std::ops::{Deref, DerefMut};

/// A list that is nearly always empty, and then no larger than a pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Seldom<T>(Option<Box<Items<T>>>);

/// What is there after all.
#[derive(Debug, Clone, PartialEq)]
struct Items<T>(Vec<T>);

impl<T> Seldom<T> {
    /// Makes an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Seldom(None)
    }

    /// Adds an item behind the others.
    pub fn push(&mut self, item: T) {
        let items = self.0.get_or_insert_with(|| Box::new(Items(Vec::new())));
        items.0.push(item);
    }
}

impl<T> Default for Seldom<T> {
    fn default() -> Self {
        Seldom::new()
    }
}

impl<T> From<Vec<T>> for Seldom<T> {
    fn from(items: Vec<T>) -> Self {
        Seldom((!items.is_empty()).then(|| Box::new(Items(items))))
    }
}

impl<T> From<Seldom<T>> for Vec<T> {
    fn from(list: Seldom<T>) -> Self {
        list.0.map_or_else(Vec::new, |items| items.0)
    }
}

impl<T> FromIterator<T> for Seldom<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T> Extend<T> for Seldom<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.push(item);
        }
    }
}

impl<T> Deref for Seldom<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |items| &items.0)
    }
}

impl<T> DerefMut for Seldom<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_mut().map_or(&mut [], |items| &mut items.0)
    }
}

impl<'a, T> IntoIterator for &'a Seldom<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Seldom<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T> IntoIterator for Seldom<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        Vec::from(self).into_iter()
    }
}

#[cfg(feature = "serde")]
impl<T: serde::Serialize> serde::Serialize for Seldom<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list_that_takes_no_room_while_it_is_empty() {
        let mut list: Seldom<u64> = Vec::new().into();
        assert_eq!(list, Seldom::new());
        assert_eq!(size_of_val(&list), size_of::<usize>());
        list.push(1);
        list.extend([2, 3]);
        list[0] += 6;
        assert_eq!(*list, [7, 2, 3]);
        assert_eq!(Vec::from(list.clone()), Vec::from_iter(list));
    }
}
