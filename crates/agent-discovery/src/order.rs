//! The order in which names are visited, whatever the disk says.

use std::cmp::Ordering;
use std::ffi::OsStr;
use std::path::Path;

use agent_schema::dialect::NameOrder;

use crate::dictionary;
use crate::file_tree::Item;

/// Sorts the items of a folder.
pub(crate) fn sort(items: &mut [Item], order: NameOrder) {
    items.sort_by(|one, other| by_code_point(&one.name, &other.name));
    if order == NameOrder::Dictionary {
        // Names that a dictionary takes for equal stay in the order of the disk listing.
        let text = |item: &Item| item.name.to_string_lossy().into_owned();
        items.sort_by_cached_key(|item| dictionary::key(&text(item)));
    }
}

/// Compares two names by code point. A byte that is not UTF-8 counts as Python's `U+DC80` and up,
/// which stand between other characters.
pub(crate) fn by_code_point(one: &OsStr, other: &OsStr) -> Ordering {
    match (one.to_str(), other.to_str()) {
        // The bytes of UTF-8 sort as the code points do.
        (Some(one), Some(other)) => one.cmp(other),
        _ => code_points(one).cmp(code_points(other)),
    }
}

/// Compares two paths part by part.
pub(crate) fn by_parts(one: &Path, other: &Path) -> Ordering {
    let mut others = other.components();
    for part in one.components() {
        let Some(other) = others.next() else {
            return Ordering::Greater;
        };
        let order = by_code_point(part.as_os_str(), other.as_os_str());
        if order != Ordering::Equal {
            return order;
        }
    }
    others.next().map_or(Ordering::Equal, |_| Ordering::Less)
}

fn code_points(name: &OsStr) -> impl Iterator<Item = u32> {
    name.as_encoded_bytes().utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(u32::from);
        let invalid = chunk.invalid().iter().map(|byte| 0xdc00 + u32::from(*byte));
        valid.chain(invalid)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_sort_as_in_python() {
        use std::os::unix::ffi::OsStrExt;

        let mut names: Vec<&OsStr> = [
            b"\xff" as &[u8],
            "\u{1f980}".as_bytes(),
            "\u{ffee}".as_bytes(),
            "\u{65e5}".as_bytes(),
            b"a",
            b"B",
        ]
        .map(OsStr::from_bytes)
        .to_vec();
        names.sort_by(|one, other| by_code_point(one, other));
        let shown: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
        assert_eq!(
            shown,
            ["B", "a", "\u{65e5}", "\u{fffd}", "\u{ffee}", "\u{1f980}"]
        );
    }

    #[test]
    fn a_folder_sorts_before_longer_names() {
        let order = by_parts(Path::new("deep/er/b.md"), Path::new("deep.md"));
        assert_eq!(order, Ordering::Less);
        let order = by_parts(Path::new("a/b"), Path::new("a"));
        assert_eq!(order, Ordering::Greater);
    }
}
