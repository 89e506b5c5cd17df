//! Whose word a name is that a harness does not know.
//!
//! People copy definitions from one harness to another. A name that is wrong here is often right
//! elsewhere, and then it is plain what was meant.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::dialects::words::{HARNESSES, MAKERS, Maker, NO_NAMES};
use crate::vocabulary::{Subject, Tool, ToolWord, Vocabulary, WordUse};
use crate::writing::ModeWord;

/// The words of a harness.
#[derive(Debug)]
pub struct HarnessWords {
    /// Its name in sentences. A harness with several vocabularies has several rows.
    pub title: &'static str,
    /// Its words for tools.
    pub tools: &'static Vocabulary,
    /// Its words for models that are no names of models, in small letters.
    pub models: &'static [&'static str],
    /// Its words for how far a person is asked.
    pub modes: &'static [ModeWord],
    /// Further such words, of which it is not worked out here what each lets an agent do.
    pub mode_words: &'static [&'static str],
    /// The agents that it brings itself.
    pub agents: &'static [&'static str],
}

/// What kind of thing a word names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WordKind {
    /// A tool.
    Tool,
    /// A model.
    Model,
    /// How far a person is asked.
    Mode,
    /// An agent that a harness brings.
    Agent,
}

/// How many harnesses are named at most.
const MOST_NAMED: usize = 3;

impl WordKind {
    /// Returns whether a harness has the word, in exactly these letters.
    fn is_word_of(self, word: &str, harness: &HarnessWords) -> bool {
        match self {
            WordKind::Tool => harness.tools.knows(word),
            WordKind::Model => harness.models.contains(&word),
            WordKind::Mode => {
                harness.modes.iter().any(|mode| mode.word == word)
                    || harness.mode_words.contains(&word)
            }
            WordKind::Agent => harness.agents.contains(&word),
        }
    }
}

/// Returns the harnesses that have a word, by their names in sentences; none if the harness `title`
/// is one of them.
#[must_use]
pub fn owners(kind: WordKind, word: &str, title: &str) -> Vec<&'static str> {
    let mut owners = Vec::new();
    for harness in HARNESSES {
        if kind.is_word_of(word, harness) {
            add(&mut owners, harness.title);
        }
    }
    match owners.contains(&title) {
        true => Vec::new(),
        false => owners,
    }
}

/// Says whose word a name is, if anybody but the harness `title` has it: "`fast` is a word of Qwen
/// Code".
#[must_use]
pub fn whose(kind: WordKind, word: &str, title: &str) -> Option<String> {
    let owners = owners(kind, word, title);
    let first = &owners[..owners.len().min(MOST_NAMED)];
    (!first.is_empty()).then(|| format!("`{word}` is a word of {}", and_list(first)))
}

/// Signs with which people join names where a harness does not part them.
const JOINING: [char; 4] = ['/', '|', '+', '&'];

/// Says whose word a tool's name is, and which words the harness `title` has for that tool.
#[must_use]
pub fn foreign_tool(name: &str, title: &str, own: &Vocabulary) -> Option<String> {
    if own.knows(name) {
        return None;
    }
    let joined: Vec<&str> = name.split(JOINING).map(str::trim).collect();
    if joined.len() > 1 && joined.iter().all(|part| own.knows(part)) {
        return Some(format!("write {} one by one", in_backticks(&joined)));
    }
    match meaning(name) {
        Some(Meaning { tool, users, verb }) => {
            let named = &users[..users.len().min(MOST_NAMED)];
            let mut said = format!("`{name}` {verb} a word of {}; {title} ", and_list(named));
            let words = own.words_for(tool);
            let kept = own.words.iter();
            let kept = kept.filter(|it| it.usage == WordUse::Read && it.does.contains(&tool));
            let kept: Vec<&str> = kept.map(|it| it.word).collect();
            said.push_str(&match (words.is_empty(), kept.is_empty()) {
                (false, _) => format!("has {}", in_backticks(&words)),
                (true, false) => format!(
                    "has {}, and keeps it from agents of files",
                    in_backticks(&kept)
                ),
                (true, true) => "has no tool for that".to_owned(),
            });
            Some(said)
        }
        None => own_tool_of_another(name, title).or_else(|| foreign_server(name, title, own)),
    }
}

fn in_backticks(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|it| format!("`{it}`")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    and_list(&words)
}

/// Returns the word of a harness to write in place of one that others have; of several the one that
/// does the least besides. `None` for a word that the harness has itself.
#[must_use]
pub fn own_word(name: &str, own: &Vocabulary) -> Option<(Tool, &'static str)> {
    if own.knows(name) {
        return None;
    }
    let tool = meaning(name)?.tool;
    let words = own.words_for(tool).into_iter();
    let least = words.min_by_key(|word| own.word(word).map_or(0, |word| word.does.len()))?;
    Some((tool, least))
}

/// Returns every tool that some harness means by a name.
pub(crate) fn all_meanings(name: &str) -> Vec<Tool> {
    let does = |tool: &Tool| words_called(name).any(|word| word.does.contains(tool));
    Tool::ALL.into_iter().filter(does).collect()
}

/// Returns whether a word of a harness does nothing that the harnesses with another word do not
/// do by that one; not for a word that none has.
pub(crate) fn does_no_more(own: &ToolWord, foreign: &str) -> bool {
    let mut known = words_called(foreign).peekable();
    let is_word = known.peek().is_some();
    let is_part = |word: &ToolWord| own.does.iter().all(|tool| word.does.contains(tool));
    is_word && known.all(is_part)
}

/// A word for tools, and the harness that has or had it.
type HeldWord = (&'static HarnessWords, &'static ToolWord);

/// The words of all harnesses by their letters, each in the order of the harnesses: a list of names
/// that nobody knows asks for every one of them, again for each trial of a fix.
static WORDS: LazyLock<HashMap<&str, Vec<HeldWord>>> = LazyLock::new(|| {
    let mut words: HashMap<&str, Vec<HeldWord>> = HashMap::new();
    for harness in HARNESSES {
        for word in harness.tools.words {
            let held = words.entry(word.word).or_default();
            // Of a word that a harness has twice the first row counts.
            if held
                .last()
                .is_none_or(|(last, _)| !std::ptr::eq(*last, harness))
            {
                held.push((harness, word));
            }
        }
    }
    words
});

/// Returns what the harnesses say of a name that have or had it.
fn held_words(name: &str) -> &'static [HeldWord] {
    WORDS.get(name).map_or(&[], Vec::as_slice)
}

/// Returns the same without the harnesses.
fn words_called(name: &str) -> impl Iterator<Item = &'static ToolWord> {
    held_words(name).iter().map(|(_, word)| *word)
}

/// What a name means to those who have it.
struct Meaning {
    tool: Tool,
    /// The harnesses to which it means this.
    users: Vec<&'static str>,
    /// Whether they have it now: "is" or "was".
    verb: &'static str,
}

/// Returns what a name means to the most harnesses.
fn meaning(name: &str) -> Option<Meaning> {
    let held = held_words(name);
    if held.is_empty() {
        return None;
    }
    let find = |uses: &[WordUse], verb| {
        let all = Tool::ALL.iter();
        let meanings = all.filter_map(|tool| users(*tool, held, uses));
        let meanings = meanings.map(|(tool, users)| Meaning { tool, users, verb });
        meanings.reduce(|best, other| match other.users.len() > best.users.len() {
            true => other,
            false => best,
        })
    };
    let now = find(&[WordUse::Written, WordUse::Read, WordUse::Beside], "is");
    now.or_else(|| find(&[WordUse::Former], "was"))
}

/// Returns the harnesses that mean a tool by a word, ordered by what becomes of the word.
fn users(tool: Tool, held: &[HeldWord], uses: &[WordUse]) -> Option<(Tool, Vec<&'static str>)> {
    let mut users = Vec::new();
    for usage in uses {
        for (harness, word) in held {
            if word.usage == *usage && word.does.contains(&tool) {
                add(&mut users, harness.title);
            }
        }
    }
    (!users.is_empty()).then_some((tool, users))
}

/// A tool that only one harness has.
fn own_tool_of_another(name: &str, title: &str) -> Option<String> {
    let mut harnesses = HARNESSES.iter();
    let owner = harnesses.find(|harness| harness.tools.own.contains(&name))?;
    Some(format!(
        "`{name}` is a word of {}; {title} has no tool for that",
        owner.title
    ))
}

/// A tool of a server, under a name in the form of another harness.
fn foreign_server(name: &str, title: &str, own: &Vocabulary) -> Option<String> {
    let told = HARNESSES.iter().filter_map(|harness| {
        let words = harness.tools.servers.filter(|it| it.single_is_told)?;
        match words.read(name)? {
            Subject::Server { server, tool } => Some((harness, server, tool)),
            _ => None,
        }
    });
    // What stands before the slash may be a set of a harness's own tools.
    let is_set = |(harness, server, tool): &(&HarnessWords, String, Option<String>)| {
        let is_own = |word: &String| harness.tools.knows(word);
        is_own(server) && tool.as_ref().is_some_and(is_own)
    };
    if let Some((harness, server, _)) = told.clone().find(is_set) {
        let user = harness.title;
        return Some(format!(
            "`{name}` is a tool of the set `{server}` of {user}; {title} knows no such sets"
        ));
    }
    let (harness, server, tool) = told.into_iter().next()?;
    let user = harness.title;
    let is_own = own.servers.is_some_and(|own| own.read(name).is_some());
    // A path or a text with blanks is no name of a tool.
    if is_own || name.contains(char::is_whitespace) || name.matches('/').count() > 1 {
        return None;
    }
    let mut said = format!("`{name}` names a tool of a server as {user} does");
    if let Some(own) = own
        .servers
        .and_then(|own| own.write(&server, tool.as_deref()))
    {
        let _ = write!(said, "; {title} calls it `{own}`");
    }
    Some(said)
}

fn add(titles: &mut Vec<&'static str>, title: &'static str) {
    if !titles.contains(&title) {
        titles.push(title);
    }
}

/// Returns who makes the model of a name, as far as its beginning tells.
#[must_use]
pub fn maker(model: &str) -> Option<&'static str> {
    Some(maker_of(model)?.provider)
}

/// Returns who makes the model of a name, if it has the form of the maker's names.
pub(crate) fn maker_of_name(model: &str) -> Option<&'static str> {
    let small = model.to_lowercase();
    let is_name = !NO_NAMES.iter().any(|start| small.starts_with(start));
    maker(model).filter(|_| is_name)
}

/// Returns whom the model of a name is had from, where its maker alone sells it so.
#[must_use]
pub fn seller(model: &str) -> Option<&'static str> {
    maker_of(model).filter(|it| it.sells).map(|it| it.provider)
}

fn maker_of(model: &str) -> Option<&'static Maker> {
    let model = model.to_lowercase();
    MAKERS.iter().find(|maker| model.starts_with(maker.start))
}

/// Joins words as in a sentence.
#[must_use]
pub fn and_list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects;

    /// The vocabularies of all dialects are rows of the table, so that everybody asks the same.
    #[test]
    fn every_dialect_has_its_row() {
        for dialect in dialects::ALL {
            for profile in dialect.profiles {
                let writing = profile.rules.writing;
                let vocabulary = writing.access.vocabulary;
                let mut rows = HARNESSES.iter().filter(|row| row.title == dialect.title);
                let is_row = rows.any(|row| row.tools.is_same(vocabulary));
                let has_words = !vocabulary.words.is_empty();
                assert_eq!(is_row, has_words, "{} {}", dialect.title, profile.id);
            }
        }
    }

    /// No other table of a dialect may name a tool that its vocabulary does not know.
    #[test]
    fn every_table_names_tools_of_the_vocabulary() {
        for profile in dialects::ALL.iter().flat_map(|dialect| dialect.profiles) {
            let vocabulary = profile.rules.writing.access.vocabulary;
            if vocabulary.words.is_empty() {
                continue;
            }
            for name in named_by_tables(&profile.rules.factory) {
                let is_former = vocabulary.word(name).is_some_and(|word| !word.is_known());
                assert!(
                    vocabulary.knows(name) || is_former,
                    "{name}: {}",
                    profile.id
                );
            }
        }
    }

    fn named_by_tables(factory: &crate::dialect::FactoryRules) -> Vec<&'static str> {
        use crate::dialect::{SpawnRight, ToolDecision};
        let mut names = Vec::new();
        if let Some(tools) = factory.tools {
            names.extend(tools.names());
            names.extend(tools.retired.iter().map(|retired| retired.name));
        }
        match &factory.start.tools {
            ToolDecision::Lists(lists) => {
                names.extend(lists.always);
                names.extend(lists.never.iter().map(|never| never.tool));
            }
            ToolDecision::Effects(effects) => {
                names.extend(
                    effects
                        .actions
                        .iter()
                        .flat_map(|(one, other)| [*one, *other]),
                );
                let actions = effects.defaults.iter().map(|(action, ..)| *action);
                names.extend(actions.filter(|action| *action != "*"));
            }
        }
        if let SpawnRight::Tool(tools) = factory.start.spawning.by {
            names.extend(tools);
        }
        names
    }

    #[test]
    fn words_of_others_are_told() {
        let own = dialects::CLAUDE_CODE.default_profile().rules.writing;
        let tool = |name| foreign_tool(name, "Claude Code", own.access.vocabulary);
        let said = "`terminal` is a word of OpenHands; Claude Code has `Bash`";
        assert_eq!(tool("terminal").as_deref(), Some(said));
        let said = "`docs/find` names a tool of a server as GitHub Copilot does; Claude Code calls \
                    it `mcp__docs__find`";
        assert_eq!(tool("docs/find").as_deref(), Some(said));
        let own = dialects::OPENHANDS.default_profile().rules.writing;
        let words = own.access.vocabulary;
        let said = foreign_tool("Edit", "OpenHands", words).expect("it is known");
        assert!(
            said.starts_with("`Edit` is a word of Claude Code"),
            "{said}"
        );
        assert!(
            said.ends_with("OpenHands has `file_editor` and `edit`"),
            "{said}"
        );
        let least = |name| own_word(name, words).map(|(_, word)| word);
        assert_eq!(least("Edit"), Some("edit"));
        assert_eq!(least("Bash"), Some("terminal"));
        assert_eq!(least("WebFetch"), None);
        assert_eq!(least("edit"), None);
        assert_eq!(tool("Read"), None);
        assert_eq!(tool("nobody_has_this"), None);
        let said = "`sonnet` is a word of Claude Code";
        assert_eq!(
            whose(WordKind::Model, "sonnet", "OpenHands").as_deref(),
            Some(said)
        );
        assert_eq!(whose(WordKind::Model, "sonnet", "Claude Code"), None);
        assert_eq!(
            owners(WordKind::Mode, "acceptEdits", "OpenHands"),
            ["Claude Code"]
        );
        assert_eq!(owners(WordKind::Mode, "ask", "Claude Code"), ["OpenCode"]);
        assert_eq!(
            owners(WordKind::Mode, "yolo", "Claude Code"),
            ["Gemini CLI", "Qwen Code"]
        );
        assert_eq!(
            owners(WordKind::Agent, "Explore", "OpenCode"),
            ["Claude Code"]
        );
    }
}
