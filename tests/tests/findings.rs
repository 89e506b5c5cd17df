//! How findings are worded, over all recorded cases: each says why, and its first line stands
//! alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agent_schema::parse::parse_accepted;
use agent_schema::{Diagnostic, File, ParseInputs, dialects};

/// Lists the files below a folder that are no expectations.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).expect("it can be listed") {
            let path = item.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.is_file() && path.extension().is_some_and(|it| it == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Reads bytes by every set of rules of every dialect: those for files, for plugins and for skills.
fn findings(bytes: &[u8]) -> Vec<Diagnostic> {
    let file = File {
        name: "worker.md",
        bytes,
    };
    let inputs = ParseInputs::new().plugin("kit").folder("folder");
    let skills = dialects::skills::LOADERS.iter();
    let mut found = Vec::new();
    for dialect in dialects::ALL.iter().chain(skills) {
        for profile in dialect.profiles {
            let rules = &profile.rules;
            let skill = rules.skills.reading.map(|skill| skill.rules);
            let readings = [Some(&rules.reading), rules.plugins.reading, skill];
            for reading in readings.into_iter().flatten() {
                found.extend(parse_accepted(file, "worker", dialect, reading, &inputs).diagnostics);
            }
        }
    }
    found
}

/// What is wrong with the wording of a finding.
fn fault(finding: &Diagnostic) -> Option<&'static str> {
    let message = &finding.message;
    // A name such as `PyYAML` may stand first; it has more capitals.
    let capital = |text: &str| {
        let mut letters = text.split(' ').next().unwrap_or_default().chars();
        let first = letters.next().is_some_and(|c| c.is_ascii_uppercase());
        first && letters.all(|c| c.is_ascii_lowercase())
    };
    let stop = |text: &str| text.ends_with('.') && !text.ends_with("...");
    if finding.why.as_deref().is_none_or(str::is_empty) {
        Some("does not say why")
    } else if finding.span.is_none() {
        Some("has no place")
    } else if message.is_empty() || message.contains('\n') {
        Some("is not one line")
    } else if stop(message) || finding.why.as_deref().is_some_and(stop) {
        Some("ends in a full stop")
    } else if capital(message) {
        Some("begins with a capital letter")
    } else if finding
        .help
        .as_deref()
        .is_some_and(|help| stop(help) || capital(help))
    {
        Some("has advice that is a sentence")
    } else if finding
        .message
        .split(' ')
        .zip(message.split(' ').skip(1))
        .any(needs_an)
    {
        Some("has the wrong article")
    } else {
        None
    }
}

/// Whether `a` stands before a vowel.
fn needs_an((article, word): (&str, &str)) -> bool {
    article == "a" && word.starts_with(['a', 'e', 'i', 'o']) && !word.starts_with("one")
}

#[test]
fn every_finding_of_the_recorded_files_is_worded_well() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let mut faults = BTreeSet::new();
    let mut seen = 0;
    for path in files_below(&cases) {
        let bytes = fs::read(&path).expect("it can be read");
        // The large ones hold nothing that the small ones do not.
        if bytes.len() > 1 << 12 {
            continue;
        }
        for finding in findings(&bytes) {
            seen += 1;
            if let Some(fault) = fault(&finding) {
                let Diagnostic { message, rule, .. } = &finding;
                faults.insert(format!("{fault}: {}: {message}", rule.code));
            }
        }
    }
    assert!(seen > 1000, "the recorded files give findings");
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the help of the finding about a word that a profile refuses.
fn help_about(dialect: &str, profile: Option<&str>, header: &str) -> String {
    let dialect = dialects::find(dialect).expect("the dialect is known");
    let profile = match profile {
        Some(id) => dialect.profile(id).expect("the profile is known"),
        None => dialect.default_profile(),
    };
    let text = format!("---\nname: worker\ndescription: Works.\n{header}\n---\nWork.\n");
    let file = File {
        name: "worker.md",
        bytes: text.as_bytes(),
    };
    let reading = &profile.rules.reading;
    let parsed = parse_accepted(file, "worker", dialect, reading, &ParseInputs::new());
    let mut findings = parsed.diagnostics.into_iter();
    let about = findings.find(|finding| finding.message.contains("cannot be"));
    let help = about.and_then(|finding| finding.help);
    help.unwrap_or_default().into_owned()
}

#[test]
fn a_word_for_asking_says_whose_it_is() {
    let cases = [
        ("claude-code", "permissionMode: ask", "OpenCode"),
        (
            "claude-code",
            "permissionMode: yolo",
            "Gemini CLI and Qwen Code",
        ),
        ("claude-code", "permissionMode: read-only", "Codex"),
        ("openhands", "permission_mode: deny", "OpenCode"),
        ("opencode", "permission: dontAsk", "Claude Code"),
        ("opencode", "permission:\n  bash: dontAsk", "Claude Code"),
    ];
    for (dialect, header, owners) in cases {
        let help = help_about(dialect, None, header);
        let said = help.contains(&format!("` is a word of {owners}; "));
        assert!(said, "{dialect} {header}: {help}");
    }
    let help = help_about("opencode", None, "permission:\n  bash: sometimes");
    assert_eq!(help, "write `ask`, `allow` or `deny`");
    let help = help_about("claude-code", Some("2.1.197"), "permissionMode: manual");
    assert!(
        help.starts_with("`manual` is a word of Claude Code 2.1.332; "),
        "{help}"
    );
}
