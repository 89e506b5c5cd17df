//! Broken files and what their fixes make of them: `testdata/fixes/<dialect>/<case>.md` of
//! agent-schema, beside
//! `<case>.txt`, which `BLESS=1` rewrites.
//!
//! The expectation shows the fixes that are offered, what becomes of the file, and its text after
//! all of them, with the signs escaped that would not be seen.

use std::fs;
use std::path::{Path, PathBuf};

use agent_schema::dialect::Dialect;
use agent_schema::fix::{self, Mended};
use agent_schema::{Applicability, Fate, File, ParseInputs, dialects};

#[test]
fn every_file_is_mended_as_expected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/agent-schema/testdata/fixes");
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    let mut count = 0;
    for dialect in dialects::ALL {
        for case in cases(&root.join(dialect.id)) {
            let bytes = fs::read(&case).expect("a case can be read");
            let found = told(dialect, &bytes);
            let expectation = case.with_extension("txt");
            count += 1;
            if bless {
                fs::write(&expectation, &found).expect("an expectation can be written");
            } else if fs::read_to_string(&expectation).unwrap_or_default() != found {
                wrong.push(format!("{}:\n{found}", case.display()));
            }
        }
    }
    assert!(count >= 50, "only {count} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lists the files of a dialect's cases.
fn cases(dir: &Path) -> Vec<PathBuf> {
    let Ok(items) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let paths = items.map(|item| item.expect("a folder can be listed").path());
    let is_case = |path: &PathBuf| path.extension().is_some_and(|suffix| suffix == "md");
    let mut cases: Vec<PathBuf> = paths.filter(is_case).collect();
    cases.sort();
    cases
}

/// Tells what the fixes make of a file, and checks what holds for all of them.
fn told(dialect: &'static Dialect, bytes: &[u8]) -> String {
    let before = fixed(dialect, bytes, None);
    let safely = fixed(dialect, bytes, Some(false));
    let mended = fixed(dialect, bytes, Some(true));
    let again = fixed(dialect, &mended.bytes, Some(true));
    assert_eq!(again.bytes, mended.bytes, "a second run changes nothing");
    let offered = before.parsed.diagnostics.iter();
    let offered = offered.filter_map(|finding| Some((finding.code(), finding.fix.as_ref()?)));
    let lines: Vec<String> = offered
        .map(|(code, fix)| {
            let applicability = match fix.applicability {
                Applicability::Safe => "safe",
                Applicability::Unsafe => "unsafe",
                Applicability::ShowOnly => "show-only",
            };
            format!("{applicability} [{code}]: {}\n", fix.title)
        })
        .collect();
    if safely.bytes != bytes {
        assert!(safely.parsed.fate <= Fate::Degraded, "a safe fix loads");
    }
    let fate = |mended: &Mended| mended.parsed.fate.as_str();
    format!(
        "{} -> {} (safely: {})\n{}\n{}",
        fate(&before),
        fate(&mended),
        fate(&safely),
        lines.concat(),
        visible(&mended.bytes)
    )
}

/// Parses a file, after its fixes if any are asked for.
fn fixed(dialect: &'static Dialect, bytes: &[u8], unsafe_too: Option<bool>) -> Mended {
    let rules = &dialect.default_profile().rules;
    let name = match rules.agents.files.accept("scout.md") {
        Ok(()) => "scout.md",
        Err(_) => "SKILL.md",
    };
    let stem = rules.agents.files.stem(name);
    let file = File { name, bytes };
    let inputs = ParseInputs::new().folder("case").with_fixes();
    match unsafe_too {
        Some(unsafe_too) => fix::mend(file, stem, dialect, &rules.reading, &inputs, unsafe_too),
        None => Mended {
            bytes: bytes.to_vec(),
            fixes: Vec::new(),
            parsed: agent_schema::parse_with(file, dialect, dialect.default_profile(), &inputs),
        },
    }
}

/// Returns a text in which every sign can be seen.
fn visible(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let signs = text.chars().map(|c| match c {
        '\n' => "\n".to_owned(),
        '\r' => "␍".to_owned(),
        '\t' => "␉".to_owned(),
        c if c.is_control() || matches!(c, '\u{feff}' | '\u{fffd}') => {
            c.escape_unicode().to_string()
        }
        c => c.to_string(),
    });
    signs.collect()
}
