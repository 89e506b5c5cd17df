//! Mentions: how people call an agent in a message, `@@name`.
//!
//! Source of the rules: ADR-0010 of Nebuko, D4 and D5. Mentions are for people; what an agent
//! writes calls nobody. An old name is good here and nowhere else. The boundaries of a mention and
//! that case does not matter are ours.

use std::ops::Range;

use crate::team::Team;

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// A person.
    Human,
    /// An agent or another program.
    Bot,
}

/// A mention in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Its bytes, with the signs before the name.
    pub span: Range<usize>,
    /// The name as written.
    pub written: String,
    /// The old name that it is, if it is one.
    pub alias: Option<&'static str>,
    /// What it calls.
    pub calls: Calls,
}

/// What a mention calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Calls {
    /// The agent with this name.
    Agent(String),
    /// Nobody: no agent of the team has the name.
    Unknown,
    /// Nobody: it stands for this agent, which is not on the team.
    Missing(&'static str),
    /// Nobody: no person wrote it. It would call this agent.
    NotByHuman(String),
}

impl Team {
    /// Returns the mentions of a message, in order.
    ///
    /// A mention begins at the start or behind a character of no word, and its name is the longest
    /// that fits and does not go on behind it.
    #[must_use]
    pub fn mentions(&self, author: Author, message: &str) -> Vec<Mention> {
        let mut mentions = Vec::new();
        let mut from = 0;
        while let Some(at) = message[from..].find(SIGNS) {
            let start = from + at;
            from = start + 1;
            if message[..start].ends_with(is_word) {
                continue;
            }
            if let Some(mention) = self.mention_at(author, message, start) {
                from = mention.span.end;
                mentions.push(mention);
            }
        }
        mentions
    }

    /// Returns the agents that a message calls, each one once, in the order of the message.
    #[must_use]
    pub fn routes(&self, author: Author, message: &str) -> Vec<String> {
        let mut routes = Vec::new();
        for mention in self.mentions(author, message) {
            if let Calls::Agent(name) = mention.calls
                && !routes.contains(&name)
            {
                routes.push(name);
            }
        }
        routes
    }

    fn mention_at(&self, author: Author, message: &str, start: usize) -> Option<Mention> {
        let rest = &message[start + SIGNS.len()..];
        let alias = longest(rest, self.legacy_names().iter().map(|(old, _)| *old));
        let member = longest(
            rest,
            self.members().iter().map(|member| member.name.as_str()),
        );
        // An old name is looked at first, unless a longer name of the team stands there.
        let (length, alias, calls) = match (alias, member) {
            (Some((old, length)), member) if member.is_none_or(|(_, other)| other <= length) => {
                let legacy = self.legacy_names().iter();
                let (old, new) = legacy.copied().find(|(name, _)| *name == old)?;
                let calls = match self.get(new) {
                    Some(member) => Calls::Agent(member.name.clone()),
                    None => Calls::Missing(new),
                };
                (length, Some(old), calls)
            }
            (_, Some((name, length))) => (length, None, Calls::Agent(name.to_owned())),
            (_, None) => {
                let length = rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
                if length == 0 {
                    return None;
                }
                (length, None, Calls::Unknown)
            }
        };
        let calls = match calls {
            Calls::Agent(name) if author == Author::Bot => Calls::NotByHuman(name),
            calls => calls,
        };
        Some(Mention {
            span: start..start + SIGNS.len() + length,
            written: rest[..length].to_owned(),
            alias,
            calls,
        })
    }
}

/// What begins a mention.
const SIGNS: &str = "@@";

/// Finds the longest name that a text begins with, whatever its case, and how long it is there.
fn longest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Option<(&'a str, usize)> {
    let fitting = names.filter_map(|name| {
        let length = same_start(text, name)?;
        (!text[length..].starts_with(continues_name)).then_some((name, length))
    });
    // Of names that differ only by case the one that is written exactly counts, or else the first.
    fitting.reduce(|best, next| {
        let is_exact = next.1 == best.1 && text.starts_with(next.0) && !text.starts_with(best.0);
        if next.1 > best.1 || is_exact {
            next
        } else {
            best
        }
    })
}

/// Returns how many bytes of a text are a name, whatever the case.
fn same_start(text: &str, name: &str) -> Option<usize> {
    let mut length = 0;
    let mut letters = text.chars();
    for wanted in name.chars() {
        let letter = letters.next()?;
        if letter != wanted && !letter.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
        length += letter.len_utf8();
    }
    (length > 0).then_some(length)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn continues_name(c: char) -> bool {
    is_word(c) || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::team::Member;

    fn routes(message: &str) -> Vec<String> {
        let names = ["builder", "build", "Docs Writer", "plugin:lint"];
        let members = names.iter().map(|name| Member::new(name, None));
        Team::new(members.collect()).routes(Author::Human, message)
    }

    #[test]
    fn a_mention_ends_where_its_name_does() {
        for (message, expected) in [
            ("@@builder", &["builder"][..]),
            ("please, @@BUILDER: go", &["builder"]),
            ("(@@build)@@builder.", &["build", "builder"]),
            ("@@builder and @@builder", &["builder"]),
            ("@@@builder", &["builder"]),
            ("@@docs writer, hello", &["Docs Writer"]),
            ("@@plugin:lint", &["plugin:lint"]),
            ("a@@builder", &[]),
            ("_@@builder", &[]),
            ("@@builders", &[]),
            ("@@builder-x", &[]),
            ("@builder @@ builder @@", &[]),
            ("é@@builder ü @@build", &["build"]),
        ] {
            assert_eq!(routes(message), expected, "{message}");
        }
    }

    #[test]
    fn a_name_that_nobody_has_is_told() {
        let team = Team::new(vec![Member::new("builder", None)]);
        let mentions = team.mentions(Author::Human, "@@nobody and @@builder");
        let calls: Vec<&Calls> = mentions.iter().map(|mention| &mention.calls).collect();
        assert_eq!(
            calls,
            [&Calls::Unknown, &Calls::Agent("builder".to_owned())]
        );
        assert_eq!(mentions[0].written, "nobody");
        assert_eq!(mentions[1].span, 13..22);
    }
}
