//! Agent files to measure with: the same for the same number, about 3 KB each.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::shape::Shape;

const ROLES: [&str; 8] = [
    "reviewer", "planner", "tester", "writer", "auditor", "mapper", "tuner", "porter",
];
const TOPICS: [&str; 8] = [
    "api", "schema", "release", "cache", "search", "docs", "billing", "upload",
];
const VERBS: [&str; 8] = [
    "checks", "compares", "drafts", "explains", "finds", "measures", "reads", "traces",
];
const THINGS: [&str; 8] = [
    "the changed files",
    "slow queries",
    "public types",
    "error messages",
    "build logs",
    "unused imports",
    "log levels",
    "naïve dates → zones",
];

/// How many files stand in one folder.
const PER_FOLDER: usize = 1_000;

/// A small generator of numbers (splitmix64): no clock, no environment.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or_default() % most
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn sentence(&mut self) -> String {
        let (first, second) = (self.pick(&VERBS), self.pick(&VERBS));
        let (thing, other, topic) = (self.pick(&THINGS), self.pick(&THINGS), self.pick(&TOPICS));
        format!("It {first} {thing} and {second} {other} for the {topic} part.")
    }
}

/// Writes `count` files of a shape below a folder.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write(folder: &Path, shape: &Shape, count: usize) -> std::io::Result<()> {
    let mut numbers = Numbers(7);
    let mut made = usize::MAX;
    for index in 0..count {
        let role = numbers.pick(&ROLES);
        let name = format!("{role}-{}-{index}", numbers.pick(&TOPICS));
        let in_folder = shape.folder_of(index / PER_FOLDER);
        let place = folder.join(&in_folder);
        if made != index / PER_FOLDER {
            fs::create_dir_all(&place)?;
            made = index / PER_FOLDER;
        }
        fs::write(
            place.join(format!("{name}.md")),
            text(shape, &name, &mut numbers),
        )?;
    }
    Ok(())
}

/// Which part of a file is long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Long {
    /// The description in its header.
    Header,
    /// Its body.
    Body,
}

/// Makes the text of one file of at least so many bytes.
pub(super) fn long_text(shape: &Shape, long: Long, bytes: usize) -> String {
    let mut numbers = Numbers(7);
    let mut text = text(shape, "long", &mut numbers);
    let header = "description: |\n";
    let header_end = text.find(header).map_or(0, |at| at + header.len());
    while text.len() < bytes {
        let sentence = numbers.sentence();
        match long {
            Long::Header => text.insert_str(header_end, &format!("  {sentence}\n")),
            Long::Body => {
                let _ = writeln!(text, "- {sentence}");
            }
        }
    }
    text
}

fn text(shape: &Shape, name: &str, numbers: &mut Numbers) -> String {
    let mut out = String::from("---\n");
    if shape.has_name {
        let _ = writeln!(out, "name: {name}");
    }
    out.push_str("description: |\n");
    for _ in 0..2 + numbers.below(3) {
        let _ = writeln!(
            out,
            "  Use this agent when someone asks: {}",
            numbers.sentence()
        );
        let _ = writeln!(
            out,
            "  <example>\n  user: \"{}\"\n  </example>",
            numbers.sentence()
        );
    }
    out.push_str(shape.header);
    out.push_str("---\n");
    for section in 0..3 + numbers.below(3) {
        let _ = writeln!(out, "\n## Part {section}\n");
        for _ in 0..4 + numbers.below(3) {
            let _ = writeln!(out, "- {}", numbers.sentence());
        }
    }
    out
}
