//! Where the short road reads a YAML text, it gives what the full reader gives: values, places and
//! styles, for every flavor.

use std::fs;
use std::path::Path;

use agent_schema::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds, MappedText};
use agent_schema::yaml::Brackets;
use agentry_tests::fuzz::Randomness;
use agentry_tests::readers::{compare, flavors};
use proptest::prelude::*;

/// Compares both readers for all flavors; returns how many flavors took the short road.
fn short_roads(text: &str) -> usize {
    let text = MappedText::plain(text);
    let taken = flavors().iter().filter(|flavor| {
        let is_short = compare(&text, flavor);
        is_short.unwrap_or_else(|difference| panic!("{difference}"))
    });
    taken.count()
}

/// What stands in a line behind a key, a dash or spaces.
const VALUES: &[&str] = &[
    "",
    "word",
    "two words",
    "12",
    "-0.5",
    "0o17",
    "0x1F",
    "1_000",
    "1:30",
    "1e3",
    ".inf",
    ".nan",
    "yes",
    "Off",
    "true",
    "~",
    "null",
    "2026-03-09",
    "2026-13-41",
    "2026-03-09 12:30:00",
    "=",
    "<<",
    "it's",
    "a:b",
    "a: b",
    "a:",
    "a #b",
    "a#b",
    "# all comment",
    "#b",
    "http://x/#y",
    "-x",
    "- x",
    "--",
    "---",
    "-",
    "? x",
    "?x",
    "*",
    "*x",
    "&x y",
    "!x y",
    "!!str 1",
    "%x",
    "@x",
    "`x`",
    "x, y",
    "x]",
    "{}",
    "{a: 1}",
    "[]",
    "[ ]",
    "[a]",
    "[a, b c, 1]",
    "[a,b]",
    "[a, ]",
    "[a",
    "[a:b]",
    "[a: b]",
    "[-1, +1]",
    "[é, x]",
    "[\"a\", 'b']",
    "[\"a\"b]",
    "[a #b, c]",
    "[x(y z), w]",
    "[x] # c",
    "[x]# c",
    "[x]: y",
    "[[a]]",
    "[a b ]",
    "[~, yes]",
    "[*]",
    "\"\"",
    "''",
    "\"a b\"",
    "\"a\" # c",
    "\"a\"#c",
    "\"a\" b",
    "\"a\\nb\"",
    "\"a\\\\\"",
    "\"a\\\"b\"",
    "\"\\/\\t\"",
    "\"\\x41\"",
    "\"\\u00e9\"",
    "\"\\ud83e\\udd80\"",
    "\"\\q\"",
    "\"a",
    "\"a\\",
    "'a",
    "'it''s'",
    "'a\\'",
    "'''x'''",
    "\"a\": b",
    "'a':b",
    "'a' : b",
    "x : y",
    "x  ",
    "x  # c",
    "\u{3000}x",
    "né → 🦀",
    "x\u{a0}",
    "\u{feff}x",
    "x\u{85}y",
    "x\u{2028}y",
    "x\ty",
    "\tx",
    "x\u{7}",
    "|",
    "|-",
    "|+",
    ">",
    ">-",
    ">+",
    "|2",
    "|-2",
    "| # c",
    "|x",
    ">  ",
    "...",
    "x...",
    "... x",
    "--- x",
    "a, b: c",
    "Use when: \"x\"",
    "$x",
    "$",
    "/path",
    "(x)",
    "<x>",
    "^x",
    "~x",
    "+1",
    "+",
    ".",
    " .5",
    "0",
    "00",
    "007",
    "08",
    "0b1",
    "1.",
    "1__0",
    "y",
    "n",
    "on",
    "NULL",
    "Null",
];

/// What a line begins with, behind its spaces.
const STARTS: &[&str] = &[
    "a: ",
    "b: ",
    "c: ",
    "a-b: ",
    "a b: ",
    "_x: ",
    "A1: ",
    "1: ",
    "yes: ",
    "\"a\": ",
    "'b': ",
    "\"<<\": ",
    "<<: ",
    "a:",
    "b:",
    "a : ",
    "é: ",
    "?",
    "- ",
    "- - ",
    "- a: ",
    "- b:",
    "- \"a\": ",
    "-",
    "-  ",
    "-a: ",
    "",
    "",
    "  ",
    "# ",
    "#",
    "\"a: b\": ",
    "a#b: ",
    "a #b: ",
    "a.b/c: ",
    ".: ",
    "&x a: ",
    "!x a: ",
    "~: ",
];

/// Starts that fit in with each other; `@` is the number of the line.
const FITTING: &[&str] = &[
    "a@: ",
    "b@: ",
    "c-@: ",
    "e @: ",
    "_g@: ",
    "\"h @\": ",
    "'j@': ",
    "k@:",
    "l@:",
    "- ",
    "- ",
    "- m@: ",
    "- n@:",
];

/// Values that stand in one line.
const FITTING_VALUES: &[&str] = &[
    "",
    "word",
    "two words",
    "12",
    "0.5",
    "yes",
    "~",
    "2026-03-09",
    "it's",
    "http://x/#y",
    "[a, b c, 1]",
    "[\"a\", 'b']",
    "\"a b\" # c",
    "\"a\\nb\"",
    "'it''s'",
    "x  # c",
    "né → 🦀",
    "-x",
    "x, y",
    "|",
    ">-",
];

/// Puts lines together from the tables, many of which fit together.
fn lines(random: &mut Randomness) -> String {
    const ENDS: [&str; 12] = [
        "\n", "\n", "\n", "\n", "\n", "\n", "\n\n", "\r\n", "\n", "\n  \n", "\n", "\r",
    ];
    let pick = |random: &mut Randomness, words: &[&'static str]| words[random.below(words.len())];
    let oddness = [1, 4, 40][random.below(3)];
    let mut text = String::new();
    let ends = match random.below(6) {
        0 => &ENDS[..],
        1 => &ENDS[7..8],
        _ => &ENDS[..7],
    };
    let mut column = 0;
    let mut is_open = false;
    for line in 0..1 + random.below(7) {
        let is_odd = random.below(oddness) == 0;
        column = match random.below(4) {
            _ if is_odd => random.below(5),
            _ if is_open => column + 2,
            0 => column.saturating_sub(2),
            1 => 0,
            _ => column,
        };
        let start = pick(random, if is_odd { STARTS } else { FITTING });
        let is_odd = random.below(oddness) == 0;
        let value = pick(random, if is_odd { VALUES } else { FITTING_VALUES });
        is_open = start.ends_with(':') || value.starts_with(['|', '>']);
        text.push_str(&" ".repeat(column));
        text.push_str(&start.replace('@', &line.to_string()));
        // Behind a bare colon mostly a list or a map follows in the next line.
        if !start.ends_with(':') || is_odd {
            text.push_str(value);
        }
        text.push_str(pick(random, ends));
    }
    match random.below(8) {
        0 => text.trim_end().to_owned(),
        _ => text,
    }
}

#[test]
fn lines_of_all_kinds_are_read_alike() {
    let mut random = Randomness::new(3);
    let taken: usize = (0..6_000).map(|_| short_roads(&lines(&mut random))).sum();
    assert!(taken > 8_000, "the short road is hardly taken: {taken}");
}

/// A header as people write it: `depth` levels of lists and maps.
fn header() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        3 => prop::sample::select(VALUES).prop_map(str::to_owned),
        2 => "[ -~é🦀]{0,40}",
        1 => "[a-z ]{1,8}( [a-z]{1,9}){100,250}",
        1 => "\"[ -!#-\\[\\]-~é]{0,30}\"",
        1 => "'[ -&(-~é]{0,30}'",
    ];
    let line = "[ -~é🦀]{0,30}";
    let block = (
        prop::sample::select(vec!["|", "|-", ">", ">-", "|+", ">2"]),
        prop::collection::vec((0usize..4, line, 0usize..3), 1..6),
    );
    let block = block.prop_map(|(sign, lines)| {
        let mut text = sign.to_owned();
        for (further, line, blank) in lines {
            text.push('\n');
            text.push_str(&" ".repeat(if line.is_empty() { 0 } else { 2 + further / 3 }));
            text.push_str(&line);
            text.push_str(&"\n".repeat(blank / 2));
        }
        text
    });
    let leaf = prop_oneof![3 => value, 1 => block];
    let tree = leaf.prop_recursive(3, 24, 5, |inner| {
        let key = "[a-z]{1,6}|[a-zA-Z_][a-zA-Z0-9_ -]{0,8}|\"[a-z*. ]{1,5}\"";
        prop_oneof![
            prop::collection::vec((key, inner.clone()), 1..5).prop_map(|entries| {
                let lines = entries.into_iter().map(|(key, value)| {
                    let below = value.starts_with(['\n', '-']);
                    format!("\n{key}:{}{value}", if below { "" } else { " " })
                });
                lines.collect::<String>()
            }),
            prop::collection::vec(inner, 1..5).prop_map(|items| {
                let lines = items.into_iter().map(|item| {
                    let inside = item.trim_start_matches('\n').replace('\n', "\n  ");
                    format!("\n- {inside}")
                });
                lines.collect::<String>()
            }),
        ]
        .prop_map(|text| text.replace('\n', "\n  "))
    });
    let entries = prop::collection::vec(("[a-z]{1,9}", tree), 1..6);
    entries.prop_map(|entries| {
        let lines = entries.into_iter();
        lines
            .map(|(key, value)| format!("{key}: {value}\n"))
            .collect()
    })
}

/// Changes a few places of a text.
fn changed(text: &str, seed: u64) -> String {
    const SIGNS: &[&str] = &[
        "", "", " ", "  ", "\n", "\n\n", "\n  ", ":", ": ", "-", "- ", "#", " #", "\"", "'", "\\",
        "|", ">", "[", "]", "{", "}", ",", "&a ", "*a", "!x ", "? ", "%", "\t", "\r\n", "\r", "a",
        "1", "é", "---\n", "...\n",
    ];
    let mut random = Randomness::new(seed);
    let mut signs: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(signs.len() + 1);
        let end = (at + random.below(3)).min(signs.len());
        let new = SIGNS[random.below(SIGNS.len())];
        signs.splice(at..end, new.chars());
    }
    signs.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn headers_are_read_alike(text in header(), seed in any::<u64>()) {
        short_roads(&text);
        short_roads(&text.replace('\n', "\r\n"));
        for step in 0..4 {
            short_roads(&changed(&text, seed.wrapping_add(step)));
        }
    }
}

/// All texts of a few signs behind a key.
#[test]
fn short_texts_are_read_alike() {
    const SIGNS: [&str; 15] = [
        "a", " ", "\n", ": ", ":", "- ", "#", "'", "\"", "[", "]", ",", "|\n ", ">\n ", "\n ",
    ];
    let mut texts = vec![String::new()];
    let mut taken = 0;
    for _ in 0..3 {
        let longer = texts.iter().flat_map(|text| {
            let signs = SIGNS.iter();
            signs.map(move |sign| format!("{text}{sign}"))
        });
        texts = longer.collect();
        for text in &texts {
            taken += short_roads(&format!("a:{text}"));
            taken += short_roads(&format!("a:\n- {text}"));
        }
    }
    assert!(
        taken > texts.len(),
        "the short road is hardly taken: {taken}"
    );
}

/// The places are those of the file, also where its text was changed before it was read.
#[test]
fn places_lead_back_to_the_file() {
    let bytes = b"\xef\xbb\xbfa: x\xff y\r\nb:\r\n- \"c\"\r\nd: |\r\n  one\r\n  two\r\n";
    for line_ends in [LineEnds::Kept, LineEnds::CrLf, LineEnds::Universal] {
        let encoding = Encoding {
            invalid: InvalidBytes::Replaced,
            byte_order_mark: ByteOrderMark::Dropped,
            line_ends,
        };
        let text = MappedText::decode(bytes, encoding).expect("bad bytes are replaced");
        for flavor in flavors() {
            let is_short = compare(&text, flavor);
            assert_eq!(is_short, Ok(true), "{}", flavor.name);
        }
    }
}

/// What the short road is for.
#[test]
fn everyday_headers_take_the_short_road() {
    let text = "# an agent\nname: reviewer\ndescription: >-\n  Reads a change,\n  line by line.\n\n\
                tools: [Read, \"Grep\"]\nskills:\n- one\n- 'two'\nhooks:\n  stop:\n    - run: x # y\n      \
                in: .\nempty:\nturns: 12\n";
    let flavors = flavors().iter();
    let know_brackets = flavors.filter(|flavor| flavor.brackets == Brackets::Allowed);
    assert_eq!(short_roads(text), know_brackets.count());
}

/// The headers of all recorded cases.
#[test]
fn recorded_headers_are_read_alike() {
    let (mut texts, mut taken) = (0, 0);
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(&folder).expect("it can be listed") {
            let path = item.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            for part in text.split("---").take(3).filter(|part| part.len() < 16_384) {
                for part in [part, part.trim_start(), part.trim()] {
                    texts += 1;
                    taken += usize::from(short_roads(part) > 0);
                }
            }
        }
    }
    assert!(taken * 8 > texts, "{taken} of {texts}");
}
