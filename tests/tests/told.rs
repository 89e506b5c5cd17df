//! What is told about files: each file below `told/<dialect>` lies beside a list of
//! its findings with the text at their places. `BLESS=1` writes the lists; read the diff.
//!
//! A folder may name a profile behind an at sign: `claude-code@2.1.197`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use agent_schema::{Diagnostic, Dialect, File, Profile, dialects, parse};
use agentry_tests::told;

#[test]
fn findings_are_as_they_are_written_down() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("told");
    for folder in sorted(&root).into_iter().filter(|it| it.is_dir()) {
        let name = name_of(&folder);
        let (dialect, profile) = name.split_once('@').unwrap_or((&name, ""));
        let dialect = dialects::find(dialect).expect("the folder is named after a dialect");
        let profile = match profile {
            "" => dialect.default_profile(),
            id => dialect.profile(id).expect("the folder names a profile"),
        };
        for path in sorted(&folder) {
            if path.extension().is_some_and(|ending| ending == "md") {
                count += 1;
                wrong.extend(compare(&path, dialect, profile));
            }
        }
    }
    assert!(count > 30, "there are {count} files only");
    assert!(
        wrong.is_empty(),
        "{}\n(BLESS=1 accepts this)",
        wrong.join("\n")
    );
}

fn compare(path: &Path, dialect: &'static Dialect, profile: &'static Profile) -> Option<String> {
    let bytes = fs::read(path).expect("the file can be read");
    let name = name_of(path);
    let found = findings(&name, &bytes, dialect, profile);
    let list = path.with_extension("txt");
    let expected = fs::read_to_string(&list).unwrap_or_default();
    if found == expected {
        return None;
    }
    if env::var_os("BLESS").is_some() {
        fs::write(&list, found).expect("the list can be written");
        return None;
    }
    Some(format!(
        "{}\nexpected\n{expected}got\n{found}",
        path.display()
    ))
}

fn findings(name: &str, bytes: &[u8], dialect: &Dialect, profile: &Profile) -> String {
    let parsed = parse(File { name, bytes }, dialect, profile);
    let placed = |finding: &Diagnostic| finding.span.is_some();
    assert!(parsed.diagnostics.iter().all(placed), "{name}");
    let fate = parsed.fate.as_str();
    format!("{fate}\n{}", told::list(&parsed.diagnostics, Some(bytes)))
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
