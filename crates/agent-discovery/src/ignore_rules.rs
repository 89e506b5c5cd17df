//! Files such as `.gitignore`, as the npm package `ignore` reads them for a harness.

use std::path::Path;

use agent_schema::parse::LARGEST_FILE;

use crate::file_tree::FileTree;
use crate::glob::Wildcards;

/// The rules of all ignore files that were read so far, the later ones stronger.
#[derive(Debug, Clone, Default)]
pub struct IgnoreRules {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone)]
struct Rule {
    /// Whether the rule takes back what an earlier one ignores.
    negated: bool,
    folders_only: bool,
    /// With `**/` before it if it fits at any depth.
    pattern: String,
}

impl IgnoreRules {
    /// Takes patterns as the lines of an ignore file.
    #[must_use]
    pub fn of<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Self {
        let rules = patterns.into_iter().filter_map(|line| rule(line, ""));
        IgnoreRules {
            rules: rules.collect(),
        }
    }

    /// Adds the ignore files of a folder. `below` is its path below the searched folder, with a
    /// slash at its end; empty for the searched folder itself.
    pub(crate) fn read(&mut self, tree: &dyn FileTree, folder: &Path, below: &str, names: &[&str]) {
        for name in names {
            if let Ok(bytes) = tree.read(&folder.join(name), LARGEST_FILE) {
                self.add(&String::from_utf8_lossy(&bytes), below);
            }
        }
    }

    fn add(&mut self, text: &str, below: &str) {
        let lines = text
            .split('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line));
        self.rules
            .extend(lines.filter_map(|line| rule(line, below)));
    }

    /// Returns whether a path below the searched folder is ignored, itself or with a folder around
    /// it. A folder has a slash at its end.
    #[must_use]
    pub fn ignore(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at + 1);
        let whole = (!path.ends_with('/')).then_some(path.len());
        // A folder that is ignored takes all that it holds with it; nothing brings that back.
        ends.chain(whole)
            .any(|end| self.ignores_itself(&path[..end]))
    }

    fn ignores_itself(&self, path: &str) -> bool {
        let is_folder = path.ends_with('/');
        let path = path.trim_end_matches('/');
        let mut rules = self.rules.iter().rev();
        let last = rules.find(|rule| {
            (is_folder || !rule.folders_only) && Wildcards::Git.fit(&rule.pattern, path)
        });
        last.is_some_and(|rule| !rule.negated)
    }
}

/// Reads a line. Pi drops a slash at the start, so that such a pattern fits at every depth, and
/// puts the folder of the file before the rest.
fn rule(line: &str, below: &str) -> Option<Rule> {
    let trimmed = line.trim();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return None;
    }
    let (negated, pattern) = match line.strip_prefix('!') {
        Some(rest) => (true, rest),
        None if line.starts_with("\\!") => (false, &line[1..]),
        None => (false, line),
    };
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    let pattern = format!("{below}{pattern}");
    let pattern = trim_blanks(&pattern);
    let folders_only = pattern.ends_with('/');
    let pattern = pattern.trim_end_matches('/');
    if pattern.is_empty() {
        return None;
    }
    let anchored = pattern.contains('/');
    Some(Rule {
        negated,
        folders_only,
        pattern: match anchored {
            true => pattern.to_owned(),
            false => format!("**/{pattern}"),
        },
    })
}

/// Takes off the blanks at the end, unless a backslash keeps one.
fn trim_blanks(pattern: &str) -> &str {
    let trimmed = pattern.trim_end();
    let mut behind = pattern
        .char_indices()
        .skip_while(|(at, _)| *at < trimmed.len());
    match behind.next() {
        Some((at, blank)) if trimmed.ends_with('\\') => &pattern[..at + blank.len_utf8()],
        _ => trimmed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rule_decides_but_for_what_lies_in_an_ignored_folder() {
        let mut rules = IgnoreRules::default();
        rules.add("draft-*/\n!draft-b/\n# no rule\n/wip\nlog.md \n", "");
        rules.add("old\n", "team/");
        for (path, ignored) in [
            ("draft-a/", true),
            ("draft-a", false),
            ("draft-b/", false),
            ("draft-a/x/SKILL.md", true),
            ("deep/wip", true),
            ("LOG.md", true),
            ("team/old/SKILL.md", true),
            ("old/", false),
            ("team/x/old/", false),
        ] {
            assert_eq!(rules.ignore(path), ignored, "{path}");
        }
    }

    #[test]
    fn a_backslash_keeps_the_blank_behind_it_however_wide_it_is() {
        for (pattern, kept) in [
            ("a\\  ", "a\\ "),
            ("a\\\u{a0} ", "a\\\u{a0}"),
            ("a\\\u{3000}", "a\\\u{3000}"),
            ("a\u{3000}", "a"),
            ("a\\", "a\\"),
        ] {
            assert_eq!(trim_blanks(pattern), kept);
        }
    }
}
