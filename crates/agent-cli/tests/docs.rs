//! The documents name only what there is: rules, options, settings, hooks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agent_schema::{Selector, dialects};

/// Words in backticks that look like the code of a rule and are something else.
const NO_CODES: [&str; 8] = [
    "agentry-check",
    "agentry-check-installed",
    "claude-code",
    "ignore-file",
    "json-lines",
    "sarif-file",
    "working-directory",
    "per-file-ignores",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the document is there")
}

/// The documents of the folder `docs`.
fn documents() -> Vec<(String, String)> {
    let listed = fs::read_dir(root().join("docs")).expect("the folder is there");
    let paths = listed.map(|item| item.expect("it can be listed").path());
    let texts = paths.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let texts = texts.map(|path| {
        let text = fs::read_to_string(&path).expect("it is a text");
        (path.display().to_string(), text)
    });
    texts.collect()
}

/// What stands in backticks outside blocks.
fn literals(text: &str) -> Vec<String> {
    let mut is_block = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    let parts = prose.split('`').skip(1).step_by(2);
    parts.map(|part| part.replace('\n', " ")).collect()
}

/// The lines of blocks of a language.
fn block_lines(text: &str, language: &str) -> Vec<String> {
    let open = format!("```{language}\n");
    let blocks = text.split(&open).skip(1);
    let insides = blocks.filter_map(|block| block.split("```").next());
    insides
        .flat_map(|block| block.lines().map(str::to_owned))
        .collect()
}

/// Whether a word has the form of a code: parts in small letters and digits, joined by hyphens.
fn looks_like_code(word: &str) -> bool {
    let word = word.strip_prefix('C').unwrap_or(word);
    let mut parts = word.split('-');
    let is_part = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    word.contains('-') && parts.all(is_part)
}

#[test]
fn every_rule_that_is_named_exists() {
    let mut seen = 0;
    for document in ["docs/ci.md", "docs/which-fault.md"] {
        for word in literals(&read(document)) {
            if looks_like_code(&word) && !NO_CODES.contains(&word.as_str()) {
                assert!(Selector::new(&word).is_ok(), "{document} names `{word}`");
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
    for (document, text) in documents() {
        let asked = text.split("agentry rule ").skip(1);
        let ignored = text.split("ignore[").chain(text.split("ignore-file["));
        let ignored = ignored
            .filter_map(|part| part.split_once(']'))
            .map(|it| it.0);
        let asked = asked.filter_map(|part| part.split(['`', ' ', '\n']).next());
        for word in asked.chain(ignored).filter(|word| looks_like_code(word)) {
            assert!(Selector::new(word).is_ok(), "{document} names `{word}`");
        }
    }
}

#[test]
fn every_command_that_is_shown_is_one() {
    let mut seen = 0;
    for document in ["docs/ci.md", "docs/which-fault.md", "README.md"] {
        let text = read(document);
        let lines = block_lines(&text, "sh").into_iter().chain(literals(&text));
        for line in lines.filter(|line| line.starts_with("agentry ")) {
            let words = line.split_whitespace().skip(1);
            // Help is given only where everything before it is known.
            let output = Command::new(env!("CARGO_BIN_EXE_agentry"))
                .args(words.filter(|word| *word != "…"))
                .arg("--help")
                .stdin(Stdio::null())
                .output()
                .expect("the command runs");
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{document}: `{line}`: {told}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn the_settings_that_are_shown_are_understood() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let settings = block_lines(&read("docs/ci.md"), "toml").join("\n");
    let shown = [
        "select",
        "severity",
        "exclude",
        "[rules]",
        "[per-file-ignores]",
    ];
    assert!(shown.iter().all(|key| settings.contains(key)));
    fs::write(folder.path().join("agentry.toml"), settings).expect("it can be written");
    let check = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_agentry"))
            .args(["check", "--no-user"])
            .args(arguments)
            .current_dir(&folder)
            .output()
            .expect("the command runs")
    };
    let written = check(&["--write-baseline", "agentry-baseline.json"]);
    assert!(written.status.success(), "{written:?}");
    let output = check(&[]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn the_comments_that_are_shown_silence() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let agents = folder.path().join(".agents/agents");
    fs::create_dir_all(&agents).expect("a folder can be made");
    let agent = block_lines(&read("docs/ci.md"), "yaml");
    let begin = agent
        .iter()
        .position(|line| line == "---")
        .expect("the header is shown");
    let agent = format!("{}\nRead the change.\n", agent[begin..].join("\n"));
    fs::write(agents.join("reviewer.md"), agent).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_agentry"))
        .args(["check", "--no-user", "--select", "misspelled-key"])
        .current_dir(&folder)
        .output()
        .expect("the command runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("1 suppressed by comments"), "{told}");
}

#[test]
fn the_hooks_and_the_action_call_what_there_is() {
    let hooks = read(".pre-commit-hooks.yaml");
    let action = read("action.yml");
    let guide = read("docs/ci.md");
    for (line, text) in hooks.lines().filter_map(|line| line.split_once("id: ")) {
        assert_eq!(line, "- ");
        assert!(guide.contains(text), "the guide does not tell of `{text}`");
    }
    let inputs = action.split("inputs:").nth(1).expect("it has inputs");
    let inputs = inputs.split("runs:").next().expect("it runs something");
    let names = inputs.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?.strip_suffix(':')?;
        (!name.starts_with(' ')).then_some(name)
    });
    let names: Vec<&str> = names.collect();
    assert_eq!(names.len(), 4);
    for name in names {
        assert!(
            action.contains(&format!("inputs.{name} ")),
            "`{name}` is never used"
        );
        assert!(
            guide.contains(&format!("| `{name}` |")),
            "the guide does not tell of `{name}`"
        );
    }
    assert!(root().join(".ci/pre-commit").is_file());
    for dialect in dialects::ALL {
        assert!(read("README.md").contains(&format!("| `{}` |", dialect.id)));
    }
}
