//! The types in which a harness's tools and model words are written down, for harnesses whose
//! definitions allow and deny tools by name.

use crate::definition::FieldName;

/// The tools of a harness, and what its lists of tools mean.
#[derive(Debug)]
pub struct ToolRules {
    /// The tools of a main agent that restricts nothing.
    pub default: &'static [&'static str],
    /// Further tools that a list can ask for.
    pub further: &'static [&'static str],
    /// Further names that are known, although a main agent never gets such a tool.
    pub not_for_main: &'static [&'static str],
    /// Other names of tools: (other name, name).
    pub aliases: &'static [(&'static str, &'static str)],
    /// Former tools, whose names lead to nothing.
    pub retired: &'static [Retired],
    /// Tools that are left out of a list that asks for another one: (the other one, left out).
    pub left_out_beside: &'static [(&'static str, &'static str)],
    /// Tools that are denied together with another one: (the other one, denied too).
    pub denied_along: &'static [(&'static str, &'static str)],
    /// A field that adds tools to every list of allowed tools.
    pub adding: Option<AddedTools>,
}

/// A tool that a harness once had.
#[derive(Debug, Clone, Copy)]
pub struct Retired {
    /// Its name.
    pub name: &'static str,
    /// The tool that does its work now, if an agent can have one.
    pub now: Option<&'static str>,
}

/// What there is to write in a list in place of a former tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InPlace {
    /// The tool that does its work now.
    Tool(&'static str),
    /// Nothing: this tool of the list does its work.
    Listed(&'static str),
    /// Nothing: no tool does its work.
    Nothing,
}

/// A field that adds tools to every list of allowed tools, also to an empty one.
#[derive(Debug, Clone, Copy)]
pub struct AddedTools {
    /// The field; any value of it adds the tools.
    pub field: FieldName,
    /// The tools, in the order in which those that are missing are added.
    pub tools: &'static [&'static str],
}

/// What the model words of a harness mean for its main agent.
#[derive(Debug)]
pub struct ModelWords {
    /// The model of a session that nobody chose another one for.
    pub session: &'static str,
    /// What the words stand for, in lower case; any other text is the name of a model.
    pub words: &'static [(&'static str, &'static str)],
    /// Suffixes of a word that change nothing about the model that it stands for.
    pub suffixes: &'static [&'static str],
}

impl ToolRules {
    /// Returns the tool that an entry of a list means, if there is one: what stands before a
    /// rule in parentheses, under its present name.
    #[must_use]
    pub fn tool(&self, entry: &str) -> Option<&'static str> {
        let name = self.present_name(entry);
        let mut tools = self.default.iter().chain(self.further);
        tools.find(|tool| **tool == name).copied()
    }

    /// Returns the present name of what an entry of a list means, whether there is such a tool or
    /// not.
    #[must_use]
    pub fn present_name<'e>(&self, entry: &'e str) -> &'e str {
        let written = without_rule(entry);
        let alias = self.aliases.iter().find(|(other, _)| *other == written);
        alias.map_or(written, |(_, name)| *name)
    }

    /// Returns whether an entry of a list means anything: a tool that somebody may get, or tools
    /// of a server.
    #[must_use]
    pub fn is_known(&self, entry: &str) -> bool {
        let written = without_rule(entry);
        self.tool(entry).is_some()
            || self.not_for_main.contains(&written)
            || written.starts_with("mcp__")
    }

    /// Returns whether a name is that of a former tool.
    #[must_use]
    pub fn is_retired(&self, name: &str) -> bool {
        self.retired.iter().any(|retired| retired.name == name)
    }

    /// Returns what there is to write in place of a former tool in a list; `None` for any other
    /// name.
    #[must_use]
    pub fn in_place_of<'e>(
        &self,
        name: &str,
        mut list: impl Iterator<Item = &'e str> + Clone,
    ) -> Option<InPlace> {
        let mut retired = self.retired.iter();
        let Some(now) = retired.find(|retired| retired.name == name)?.now else {
            return Some(InPlace::Nothing);
        };
        let does = |tool: &'static str| {
            let mut list = list.clone();
            list.any(|entry| self.present_name(entry) == tool)
        };
        let mut beside = self.left_out_beside.iter();
        let beside = beside.find(|(beside, out)| *out == now && does(beside));
        Some(match beside {
            Some((beside, _)) => InPlace::Listed(beside),
            None if list.any(|entry| self.present_name(entry) == now) => InPlace::Listed(now),
            None => InPlace::Tool(now),
        })
    }

    /// Returns the names that a list may hold.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let tools = self.default.iter().chain(self.further).copied();
        let others = self.not_for_main.iter().copied();
        tools
            .chain(others)
            .chain(self.aliases.iter().map(|(other, _)| *other))
    }
}

/// Returns an entry without the rule in parentheses behind it; one that is never closed is none.
#[must_use]
pub fn without_rule(entry: &str) -> &str {
    match entry.split_once('(') {
        Some((tool, rule)) if rule.ends_with(')') => tool,
        _ => entry,
    }
}

impl ModelWords {
    /// Returns the model that a text means, as the harness sends it; no text is the session's.
    #[must_use]
    pub fn model<'a>(&'a self, written: Option<&'a str>) -> &'a str {
        let Some(written) = written else {
            return self.session;
        };
        let word = written.trim().to_lowercase();
        let suffix = self.suffixes.iter();
        let bare = suffix
            .filter_map(|suffix| word.strip_suffix(suffix))
            .next()
            .unwrap_or(&word);
        let known = self.words.iter().find(|(known, _)| *known == bare);
        known.map_or(written, |(_, model)| *model)
    }
}
