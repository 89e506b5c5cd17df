//! Documents that are made from the code, so that they cannot go stale.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use agent_schema::{Rule, rules};

/// The index of the rules.
const RULES: &str = "docs/rules.md";

/// Writes all documents, or compares them with what is there. Returns whether nothing differs.
pub(crate) fn run(root: &Path, check: bool) -> Result<bool, Box<dyn std::error::Error>> {
    Ok(document(root, RULES, &rule_index(), check)?)
}

/// Writes a document, or compares it. Returns whether it is as it should be.
fn document(root: &Path, name: &str, text: &str, check: bool) -> std::io::Result<bool> {
    let path = root.join(name);
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        println!("`{name}` is fresh");
        return Ok(true);
    }
    if check {
        println!("`{name}` is stale; `cargo xtask codegen` writes it anew");
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, text)?;
    println!("`{name}` is written");
    Ok(true)
}

/// Lists all rules with their severities and summaries, those of one room in one table.
fn rule_index() -> String {
    let mut out = String::from(
        "# Rules\n\n\
         <!-- Made by `cargo xtask codegen`; change the pages and `rules.rs` instead. -->\n\n\
         What `agentry` can find. `agentry rule CODE` shows the page of a rule; each page has an \
         example that is\nrun by a test, and names the recorded cases that show what the harnesses \
         do.\n",
    );
    for room in rules::ALL.chunk_by(|one, other| one.room == other.room) {
        if let [first, ..] = room {
            // Writing to a text cannot fail.
            let _ = write!(out, "\n## {}\n\n", sentence(&first.room.to_string()));
        }
        out.push_str("| code | severity | about |\n| --- | --- | --- |\n");
        for rule in room {
            let _ = writeln!(out, "{}", row(rule));
        }
    }
    out
}

fn row(rule: &Rule) -> String {
    let code = rule.code;
    let page = format!("../crates/agent-schema/src/rules/{code}.md");
    // A bar would end the cell.
    let summary = rule.summary().replace('|', "\\|");
    format!("| [`{code}`]({page}) | {} | {summary} |", rule.severity)
}

/// Begins with a capital letter.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_lists_each_rule_once() {
        let index = rule_index();
        for rule in rules::ALL {
            assert_eq!(index.matches(&row(rule)).count(), 1, "{}", rule.code);
        }
    }

    #[test]
    fn a_stale_document_is_told_and_written_anew() {
        let root = std::env::temp_dir().join(format!("agentry-codegen-{}", std::process::id()));
        assert!(!run(&root, true).expect("it can be read"));
        assert!(run(&root, false).expect("it can be written"));
        assert!(run(&root, true).expect("it can be read"));
        fs::remove_dir_all(&root).expect("it can be removed");
    }
}
