//! What is told about trees: each case below `told_trees/<dialect>` is a list of files and lies
//! beside a list of what becomes of them. `BLESS=1` writes the lists; read the diff.
//!
//! A line `== PATH WORDS` begins a file, in the project or, below `home/`, in the home. The words
//! are `crlf`, `cr`, `mark` (a byte order mark before the text), `no-newline`, and `link TARGET`.
//! Lines before the first file say what the search is given: `plugin PATH`, `managed PATH`,
//! `trusted`, and `definitions JSON`. A folder may name a profile behind an at sign: `claude-code@2.1.197`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use agent_discovery::{Inputs, MemoryTree, PlaceState, discover, discover_skills};
use agent_schema::{Diagnostic, Dialect, Profile, dialects};
use agentry_tests::told;

#[test]
fn trees_are_told_as_they_are_written_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("told_trees");
    let mut wrong = Vec::new();
    let mut count = 0;
    for folder in sorted(&root) {
        let name = name_of(&folder);
        let (dialect, profile) = name.split_once('@').unwrap_or((&name, ""));
        let dialect = dialects::find(dialect).expect("the folder is named after a dialect");
        let profile = match profile {
            "" => dialect.default_profile(),
            id => dialect.profile(id).expect("the folder names a profile"),
        };
        for path in sorted(&folder) {
            if path.extension().is_some_and(|ending| ending == "tree") {
                count += 1;
                wrong.extend(compare(&path, dialect, profile));
            }
        }
    }
    assert!(count > 20, "there are {count} trees only");
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "{wrong}\n(BLESS=1 accepts this)");
}

fn compare(path: &Path, dialect: &'static Dialect, profile: &'static Profile) -> Option<String> {
    let case = fs::read_to_string(path).expect("the case can be read");
    let found = tell(&case, dialect, profile);
    let list = path.with_extension("txt");
    let expected = fs::read_to_string(&list).unwrap_or_default();
    if found == expected {
        return None;
    }
    if env::var_os("BLESS").is_some() {
        fs::write(&list, found).expect("the list can be written");
        return None;
    }
    let path = path.display();
    Some(format!("{path}\nexpected\n{expected}got\n{found}"))
}

/// Makes the tree of a case, and what a search of it is given.
fn plant(case: &str) -> (MemoryTree, Inputs) {
    let mut tree = MemoryTree::new();
    tree.folder("/p");
    tree.folder("/h");
    let mut inputs = Inputs::new().project("/p").home("/h");
    let (head, files) = case.split_once("== ").unwrap_or((case, ""));
    for line in head.lines().filter(|line| !line.is_empty()) {
        inputs = match line.split_once(' ') {
            Some(("plugin", path)) => inputs.plugin(Path::new("/p").join(path)),
            Some(("managed", path)) => inputs.managed(Path::new("/p").join(path)),
            Some(("definitions", text)) => inputs.definitions(text),
            _ if line == "trusted" => inputs.trusted(true),
            _ => panic!("`{line}` means nothing"),
        };
    }
    for file in files.split("\n== ").filter(|_| !files.is_empty()) {
        let (line, text) = file.split_once('\n').unwrap_or((file, ""));
        let mut words = line.split(' ');
        let path = words.next().unwrap_or_default();
        let path = match path.strip_prefix("home/") {
            Some(path) => Path::new("/h").join(path),
            None => Path::new("/p").join(path),
        };
        let mut text = format!("{}\n", text.trim_end_matches('\n'));
        while let Some(word) = words.next() {
            text = match word {
                "crlf" => text.replace('\n', "\r\n"),
                "cr" => text.replace('\n', "\r"),
                "mark" => format!("\u{feff}{text}"),
                "no-newline" => text.trim_end().to_owned(),
                "link" => {
                    tree.link(&path, words.next().expect("a link has a target"));
                    continue;
                }
                word => panic!("`{word}` means nothing"),
            };
        }
        if !line.contains(" link ") {
            tree.write(&path, text);
        }
    }
    (tree, inputs)
}

fn tell(case: &str, dialect: &'static Dialect, profile: &'static Profile) -> String {
    let (tree, inputs) = plant(case);
    let found = discover(&tree, dialect, profile, &inputs);
    let mut told = String::new();
    for entry in &found.entries {
        let state = format!("{:?}", entry.state);
        let state = state.split([' ', '(']).next().unwrap_or_default();
        let fate = entry.fate().map_or("", agent_schema::Fate::as_str);
        let inside = entry.source.inside.as_deref().unwrap_or_default();
        let file = &entry.source.reported;
        let _ = writeln!(told, "{file} {inside}: {state} {fate}");
        if entry.bytes.is_some() {
            assert_placed(&entry.diagnostics, file);
        }
        told += &told::list(&entry.diagnostics, entry.bytes.as_deref());
    }
    for place in &found.places {
        if let PlaceState::Unreadable(finding) | PlaceState::Outside(finding) = &place.state {
            told += &told::list([&**finding], None);
        }
    }
    let skills = discover_skills(&tree, dialect, profile, &inputs);
    for found in &skills.found {
        let state = format!("{:?}", found.state);
        let state = state.split(' ').next().unwrap_or_default();
        let _ = writeln!(told, "skill {}: {state}", found.skill.reported);
        assert_placed(&found.diagnostics, &found.skill.reported);
        let bytes = read(&tree, &found.skill.path);
        told += &told::list(&found.diagnostics, bytes.as_deref());
    }
    for missed in &skills.missed {
        let _ = writeln!(told, "skill {}: missed", missed.reported);
        let bytes = read(&tree, &missed.path);
        told += &told::list([&missed.diagnostic], bytes.as_deref());
    }
    told
}

fn read(tree: &MemoryTree, path: &Path) -> Option<Vec<u8>> {
    agent_discovery::FileTree::read(tree, path, 1 << 20).ok()
}

/// Whatever is said of a file that was read has a place in it.
fn assert_placed(findings: &[Diagnostic], file: &str) {
    for finding in findings {
        assert!(finding.span.is_some(), "{file}: {}", finding.message);
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let items = fs::read_dir(folder).expect("the folder can be listed");
    let mut items: Vec<PathBuf> = items.filter_map(|item| Some(item.ok()?.path())).collect();
    items.sort();
    items
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
