//! Patterns for paths, as the ignore files of git and the settings of harnesses have them.

/// How a pattern is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wildcards {
    /// As git does: the case of letters does not count, and a dot is like any character.
    Git,
    /// As minimatch does: case counts, and no wildcard stands for a dot at the start of a name.
    Minimatch,
}

impl Wildcards {
    /// Returns whether a path fits a pattern, part by part; `**` stands for any number of parts.
    pub(crate) fn fit(self, pattern: &str, path: &str) -> bool {
        let alternatives = match self {
            Wildcards::Git => vec![pattern.to_owned()],
            Wildcards::Minimatch => alternatives(pattern),
        };
        let parts: Vec<&str> = path.split('/').collect();
        alternatives.iter().any(|pattern| {
            let pattern: Vec<&str> = pattern.split('/').collect();
            self.parts_fit(&pattern, &parts)
        })
    }

    /// Decides from the end, so that no pattern takes more than its length times the path's.
    fn parts_fit(self, pattern: &[&str], parts: &[&str]) -> bool {
        // fits[at]: the rest of the pattern fits the path from part `at` on.
        let mut fits = vec![false; parts.len() + 1];
        fits[parts.len()] = true;
        for (index, part) in pattern.iter().enumerate().rev() {
            let mut now = vec![false; parts.len() + 1];
            if *part == "**" {
                let is_last = index + 1 == pattern.len();
                // At the end it stands for at least one part.
                now[parts.len()] = fits[parts.len()] && !is_last;
                for at in (0..parts.len()).rev() {
                    let crosses = self == Wildcards::Git || !parts[at].starts_with('.');
                    let reached = now[at + 1] || fits[at + 1];
                    now[at] = fits[at] && !is_last || crosses && reached;
                }
            } else {
                for at in 0..parts.len() {
                    now[at] = fits[at + 1] && self.part_fits(part, parts[at]);
                }
            }
            fits = now;
        }
        fits[0]
    }

    fn part_fits(self, pattern: &str, name: &str) -> bool {
        let fold = |c: char| match self {
            Wildcards::Git => c.to_lowercase().next().unwrap_or(c),
            Wildcards::Minimatch => c,
        };
        let name: Vec<char> = name.chars().map(fold).collect();
        let tokens = tokens(&pattern.chars().map(fold).collect::<Vec<char>>());
        let hidden = self == Wildcards::Minimatch && name.first() == Some(&'.');
        if hidden && tokens.first() != Some(&Token::Char('.')) {
            return false;
        }
        let mut fits = vec![false; name.len() + 1];
        fits[name.len()] = true;
        for token in tokens.iter().rev() {
            let mut now = vec![false; name.len() + 1];
            for at in (0..=name.len()).rev() {
                let next = name.get(at).copied();
                now[at] = match token {
                    Token::Any => fits[at] || next.is_some() && now[at + 1],
                    token => next.is_some_and(|c| token.takes(c)) && fits[at + 1],
                };
            }
            fits = now;
        }
        fits[0]
    }
}

/// A piece of a pattern for one name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// `*`
    Any,
    /// `?`
    One,
    /// A character that stands for itself.
    Char(char),
    /// `[a-z]`, or with `!` before them all others.
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Token {
    fn takes(&self, c: char) -> bool {
        match self {
            Token::Any => false,
            Token::One => true,
            Token::Char(own) => *own == c,
            Token::Class { negated, ranges } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
            }
        }
    }
}

fn tokens(pattern: &[char]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&c) = pattern.get(at) {
        at += 1;
        match c {
            '*' if tokens.last() == Some(&Token::Any) => {}
            '*' => tokens.push(Token::Any),
            '?' => tokens.push(Token::One),
            '\\' if at < pattern.len() => {
                tokens.push(Token::Char(pattern[at]));
                at += 1;
            }
            '[' => match class(&pattern[at..]) {
                Some((token, length)) => {
                    tokens.push(token);
                    at += length;
                }
                None => tokens.push(Token::Char('[')),
            },
            c => tokens.push(Token::Char(c)),
        }
    }
    tokens
}

/// Reads what follows a `[`; gives its length with the closing bracket.
fn class(rest: &[char]) -> Option<(Token, usize)> {
    let negated = matches!(rest.first(), Some('!' | '^'));
    let start = usize::from(negated);
    // A bracket that comes first stands for itself.
    let end = start + 1 + rest.get(start + 1..)?.iter().position(|c| *c == ']')?;
    let mut ranges = Vec::new();
    let mut at = start;
    while at < end {
        match rest[at..end] {
            [from, '-', to, ..] => {
                ranges.push((from, to));
                at += 3;
            }
            _ => {
                ranges.push((rest[at], rest[at]));
                at += 1;
            }
        }
    }
    Some((Token::Class { negated, ranges }, end + 1))
}

/// The most patterns that braces may stand for.
const MOST_ALTERNATIVES: usize = 1000;

/// Writes out `{a,b}`.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut open = vec![pattern.to_owned()];
    let mut done = Vec::new();
    while let Some(pattern) = open.pop() {
        match braces(&pattern) {
            Some((before, choices, after)) if open.len() + done.len() < MOST_ALTERNATIVES => {
                let written = choices
                    .iter()
                    .map(|choice| format!("{before}{choice}{after}"));
                open.extend(written);
            }
            _ => done.push(pattern),
        }
    }
    done
}

/// Finds the first braces without others inside.
fn braces(pattern: &str) -> Option<(&str, Vec<&str>, &str)> {
    let close = pattern
        .match_indices('}')
        .map(|(at, _)| at)
        .find(|at| pattern[..*at].contains('{'))?;
    let open = pattern[..close].rfind('{')?;
    let inside = &pattern[open + 1..close];
    let choices: Vec<&str> = inside.split(',').collect();
    (choices.len() > 1).then(|| (&pattern[..open], choices, &pattern[close + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_the_two_libraries_say() {
        use Wildcards::{Git, Minimatch};
        for (wildcards, pattern, path, fits) in [
            (Minimatch, "skills/noisy/*", "skills/noisy/a", true),
            (Minimatch, "skills/*", "skills/noisy/a", false),
            (Minimatch, "skills/**", "skills/noisy/a", true),
            (Minimatch, "**/a", "a", true),
            (Minimatch, "**", "x/.y", false),
            (Minimatch, "*", ".a", false),
            (Minimatch, ".*", ".a", true),
            (Minimatch, "{a,b*}/c", "bx/c", true),
            (Minimatch, "[!a]x", "bx", true),
            (Minimatch, "A", "a", false),
            (Git, "A", "a", true),
            (Git, "draft-?", "draft-a", true),
            (Git, "**/x/**", "a/b/x/c", true),
            (Git, "x/**", "x", false),
            (Git, "a\\*", "a*", true),
            (Git, "[a-c]1", "b1", true),
            (Git, "*", ".a", true),
        ] {
            assert_eq!(wildcards.fit(pattern, path), fits, "{pattern} {path}");
        }
    }

    #[test]
    fn stars_do_not_take_for_ever() {
        let pattern = "*a".repeat(200);
        assert!(!Wildcards::Git.fit(&pattern, &"a".repeat(199)));
        let braces = "{a,b}".repeat(100);
        assert!(!Wildcards::Minimatch.fit(&braces, "c"));
    }
}
