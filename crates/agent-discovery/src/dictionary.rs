//! The order of an English dictionary, as JavaScript's `localeCompare` has it.
//!
//! The names are compared letter by letter without accents and case, then by their accents, then
//! small letters before capitals. Letters beyond those of Western Europe stand behind all others
//! by their code points; the full rules are a table of many thousand lines.
//!
//! Source: `localeCompare` of Node 20 for each character below U+0180.

/// What two names are compared by, from the most important part to the least.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    letters: Vec<u32>,
    accents: Vec<u8>,
    capitals: Vec<bool>,
}

/// The characters of ASCII that can be seen, in their order; digits and letters follow.
const PUNCTUATION: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Letters with an accent: the letter, and what it looks like with accents, weakest first.
const ACCENTED: [(char, &str); 11] = [
    ('a', "\u{e1}\u{e0}\u{e2}\u{e5}\u{e4}\u{e3}"),
    ('c', "\u{e7}"),
    ('e', "\u{e9}\u{e8}\u{ea}\u{eb}"),
    ('i', "\u{ed}\u{ec}\u{ee}\u{ef}"),
    ('n', "\u{f1}"),
    ('o', "\u{f3}\u{f2}\u{f4}\u{f6}\u{f5}\u{f8}"),
    ('s', "\u{161}"),
    ('u', "\u{fa}\u{f9}\u{fb}\u{fc}"),
    ('y', "\u{fd}\u{ff}"),
    ('z', "\u{17e}"),
    ('d', "\u{10f}"),
];

/// Returns what a name is compared by.
pub(crate) fn key(name: &str) -> Key {
    let mut key = Key {
        letters: Vec::with_capacity(name.len()),
        accents: Vec::with_capacity(name.len()),
        capitals: Vec::with_capacity(name.len()),
    };
    for c in name.chars() {
        let small = c.to_lowercase().next().unwrap_or(c);
        let (letter, accent) = without_accent(small);
        key.letters.push(place_of(letter));
        key.accents.push(accent);
        key.capitals.push(small != c);
    }
    key
}

fn without_accent(c: char) -> (char, u8) {
    for (letter, accented) in ACCENTED {
        if let Some(at) = accented.chars().position(|other| other == c) {
            return (letter, u8::try_from(at + 1).unwrap_or(u8::MAX));
        }
    }
    (c, 0)
}

/// Returns the place of a letter in the dictionary.
fn place_of(c: char) -> u32 {
    const DIGITS: u32 = 100;
    const LETTERS: u32 = 200;
    const OTHERS: u32 = 300;
    if c.is_ascii_digit() {
        return DIGITS + u32::from(c);
    }
    if c.is_ascii_lowercase() {
        return LETTERS + u32::from(c);
    }
    match PUNCTUATION.chars().position(|other| other == c) {
        Some(at) => u32::try_from(at).unwrap_or(DIGITS),
        None => OTHERS + u32::from(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_as_node_sorts_them() {
        let sorted = [
            "_x.md",
            "-x.md",
            ".x.md",
            "1.md",
            "10.md",
            "2.md",
            "a b.md",
            "a_b.md",
            "a-b.md",
            "a.md",
            "A.md",
            "\u{e1}.md",
            "aa.md",
            "ab.md",
            "aB.md",
            "Ab.md",
            "abc.md",
            "B.md",
            "resume.md",
            "r\u{e9}sum\u{e9}.md",
            "\u{65e5}.md",
        ];
        let mut names = sorted;
        names.reverse();
        names.sort_by_cached_key(|name| key(name));
        assert_eq!(names, sorted);
    }
}
