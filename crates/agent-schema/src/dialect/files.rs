//! Which entries of a folder are agents, and why the others are none.

/// Which entries of a folder are agents.
#[derive(Debug)]
pub struct FileRules {
    /// The suffix, with its dot.
    pub suffix: &'static str,
    /// Whether its case counts.
    pub suffix_case: Case,
    /// How a suffix is told from the rest of a name.
    pub split: fn(&str) -> (&str, &str),
    /// Names that are passed over.
    pub skipped: &'static [&'static str],
    /// Whether the case of such a name counts.
    pub skipped_case: Case,
    /// What gives an agent its name that has none in its file.
    pub named_by: NamedBy,
    /// What a name is that is all suffix.
    pub all_suffix: AllSuffix,
    /// What a folder with a fitting name means.
    pub folders: Folders,
    /// Where links may lead.
    pub links: Links,
    /// The order in which the items of a folder are visited.
    pub order: NameOrder,
    /// What the harness says of a file that cannot be read.
    pub unreadable: Unreadable,
}

/// The order in which the items of a folder are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameOrder {
    /// By code point of their names.
    CodePoint,
    /// As a dictionary of English has them: punctuation, digits, letters, and a capital behind
    /// its small letter. It is what JavaScript's `localeCompare` does.
    Dictionary,
}

/// What a harness says of a file that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It names the file in its log.
    Told,
    /// Nothing.
    Silent,
}

/// What gives an agent its name that has none in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The name of the file without its suffix.
    FileName,
    /// The path of the file below the place, with `/` and without the suffix.
    Path,
}

/// What a file gives its agent for a name whose own name is all suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllSuffix {
    /// The suffix.
    IsTheName,
    /// Nothing.
    NamesNothing,
}

/// Whether case counts in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// It counts.
    Exact,
    /// Upper and lower case are the same.
    Ignored,
}

/// What a folder means whose name fits a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folders {
    /// It is passed over without a word.
    PassedOver,
    /// The harness tries to read it as a file and warns.
    TriedAsFiles,
    /// Every folder is searched in its turn, whatever its name, hidden or not. A folder that
    /// links lead back to from inside itself is passed over.
    Searched,
    /// As [`Folders::Searched`], but not those that fit these rules, and none twice.
    SearchedBut(&'static Pruned),
}

impl Folders {
    /// Returns whether folders are searched in their turn.
    #[must_use]
    pub fn are_searched(self) -> bool {
        matches!(self, Folders::Searched | Folders::SearchedBut(_))
    }
}

/// Which folders inside a place are not searched.
#[derive(Debug, PartialEq, Eq)]
pub struct Pruned {
    /// Those with such a name.
    pub named: &'static [&'static str],
    /// Those that hold something of such a name.
    pub holding: &'static [&'static str],
    /// Those that hold a folder of such a name.
    pub holding_folders: &'static [&'static str],
    /// Those with the second name inside one with the first, the place itself included. Case is
    /// ignored.
    pub inside: &'static [(&'static str, &'static str)],
}

/// Where links may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Anywhere.
    Anywhere,
    /// Anywhere; one that leads nowhere is passed over without a word.
    Existing,
    /// Not out of the root of what contains the folder; other links are refused with a warning.
    InsideRoot,
    /// Nowhere: links are passed over without a word.
    NotFollowed,
}

/// Why an entry of a searched folder is no agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipRule {
    /// Its suffix is another one.
    Suffix,
    /// Its name is on the list of names that are passed over.
    SkippedName,
    /// It is a folder.
    Folder,
    /// It has no header.
    NoHeader,
    /// Its header holds nothing that counts.
    EmptyHeader,
    /// Its header is no map.
    HeaderNotAMap,
    /// Its header is broken, and so is what the harness's repair makes of it.
    BrokenHeader,
    /// It has no name.
    NoName,
    /// It has no description.
    NoDescription,
    /// It is a link, and links are not followed.
    Link,
    /// It is a link that leads back to a folder around it.
    LinkLoop,
    /// It holds many agents and is no agent itself.
    WholeRoster,
    /// A stronger layer takes it off the roster.
    Removed,
    /// It builds on a roster that cannot be read.
    NoRoster,
    /// It is put into every prompt, and is no agent's own.
    SharedPrompt,
    /// It lies where prompts are, and no agent has it for its prompt.
    UnusedPrompt,
    /// It is a link that leads nowhere.
    DeadLink,
    /// A value in it is refused.
    RefusedValue,
    /// It says itself that it is no agent for now.
    Disabled,
    /// Its plugin names its agents, and not this one.
    Unlisted,
    /// Its plugin is refused.
    LostPlugin,
    /// It is a file of settings, of which there is something to tell.
    Settings,
    /// Its name is not allowed.
    InvalidName,
    /// It is given together with something that cannot be used.
    DroppedTogether,
    /// It cannot be read, or is no text.
    Unreadable,
    /// A file at the same path of a stronger folder is read instead.
    Covered,
    /// Its name is taken already, by what a program brings.
    NameTaken,
    /// It is a folder that is left out of the search.
    Pruned,
}

impl SkipRule {
    /// Returns the stable code of the rule.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            SkipRule::Suffix => "other-suffix",
            SkipRule::SkippedName => "skipped-name",
            SkipRule::Folder => "folder",
            SkipRule::NoHeader => "no-header",
            SkipRule::EmptyHeader => "empty-header",
            SkipRule::HeaderNotAMap => "header-not-a-map",
            SkipRule::BrokenHeader => "broken-header",
            SkipRule::NoName => "no-name",
            SkipRule::NoDescription => "no-description",
            SkipRule::Link => "link",
            SkipRule::LinkLoop => "link-loop",
            SkipRule::WholeRoster => "whole-roster",
            SkipRule::Removed => "removed",
            SkipRule::NoRoster => "no-roster",
            SkipRule::SharedPrompt => "shared-prompt",
            SkipRule::UnusedPrompt => "unused-prompt",
            SkipRule::DeadLink => "dead-link",
            SkipRule::RefusedValue => "refused-value",
            SkipRule::Unlisted => "unlisted",
            SkipRule::LostPlugin => "lost-plugin",
            SkipRule::Disabled => "disabled",
            SkipRule::Settings => "settings",
            SkipRule::InvalidName => "invalid-name",
            SkipRule::DroppedTogether => "dropped-together",
            SkipRule::Unreadable => "unreadable",
            SkipRule::Covered => "covered",
            SkipRule::NameTaken => "name-taken",
            SkipRule::Pruned => "pruned",
        }
    }
}

impl FileRules {
    /// Decides by the name of a file whether it is an agent.
    ///
    /// # Errors
    /// The rule that it is none.
    pub fn accept(&self, file_name: &str) -> Result<(), SkipRule> {
        let (_, suffix) = (self.split)(file_name);
        if !self.suffix_case.same(suffix, self.suffix) {
            return Err(SkipRule::Suffix);
        }
        let skipped = |name: &&str| self.skipped_case.same(file_name, name);
        if self.skipped.iter().any(skipped) {
            return Err(SkipRule::SkippedName);
        }
        Ok(())
    }

    /// Returns the name of a file without its suffix.
    #[must_use]
    pub fn stem<'a>(&self, file_name: &'a str) -> &'a str {
        match ((self.split)(file_name).0, self.all_suffix) {
            ("", AllSuffix::IsTheName) => file_name,
            (stem, _) => stem,
        }
    }
}

impl Case {
    /// Compares two texts.
    #[must_use]
    pub fn same(self, one: &str, other: &str) -> bool {
        match self {
            Case::Exact => one == other,
            Case::Ignored => one.to_lowercase() == other.to_lowercase(),
        }
    }
}
