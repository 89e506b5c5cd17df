//! The words for tools: what each harness calls the tools that several of them have.
//!
//! A [`Tool`] is something that an agent can do, by a neutral name. Each dialect has a
//! [`Vocabulary`] that says, word by word, which tools a name of its own stands for; a new harness
//! brings its own vocabulary and touches no other.

/// Something that an agent can do, by its neutral name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tool(&'static str);

impl Tool {
    /// Read a file.
    pub const READ_FILE: Tool = Tool("read_file");
    /// Make a file or write it anew.
    pub const WRITE_FILE: Tool = Tool("write_file");
    /// Change parts of a file.
    pub const EDIT_FILE: Tool = Tool("edit_file");
    /// Run commands of a shell.
    pub const SHELL: Tool = Tool("shell");
    /// Search in files.
    pub const GREP: Tool = Tool("grep");
    /// Search for files by patterns of their names.
    pub const GLOB: Tool = Tool("glob");
    /// List a folder.
    pub const LIST_DIR: Tool = Tool("list_dir");
    /// Fetch a page of the web.
    pub const WEB_FETCH: Tool = Tool("web_fetch");
    /// Search the web.
    pub const WEB_SEARCH: Tool = Tool("web_search");
    /// Keep a list of what is to be done.
    pub const TODO: Tool = Tool("todo");
    /// Give work to another agent.
    pub const DELEGATE: Tool = Tool("delegate");
    /// Change a notebook.
    pub const NOTEBOOK_EDIT: Tool = Tool("notebook_edit");
    /// Use a browser.
    pub const BROWSER: Tool = Tool("browser");
    /// Ask the user a question.
    pub const ASK_USER: Tool = Tool("ask_user");
    /// Load a skill.
    pub const SKILL: Tool = Tool("skill");
    /// Begin or end a phase of planning.
    pub const PLAN_MODE: Tool = Tool("plan_mode");

    /// All tools, in the order in which they are listed.
    pub const ALL: [Tool; 16] = [
        Tool::READ_FILE,
        Tool::WRITE_FILE,
        Tool::EDIT_FILE,
        Tool::SHELL,
        Tool::GREP,
        Tool::GLOB,
        Tool::LIST_DIR,
        Tool::WEB_FETCH,
        Tool::WEB_SEARCH,
        Tool::TODO,
        Tool::DELEGATE,
        Tool::NOTEBOOK_EDIT,
        Tool::BROWSER,
        Tool::ASK_USER,
        Tool::SKILL,
        Tool::PLAN_MODE,
    ];

    /// Returns whether it touches nothing but the conversation itself, so that nobody gains a right
    /// by it: a list of what is to be done, a question to the person, a phase of planning.
    #[must_use]
    pub fn stays_in_conversation(self) -> bool {
        matches!(self, Tool::TODO | Tool::ASK_USER | Tool::PLAN_MODE)
    }

    /// Returns the neutral name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl std::fmt::Display for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// One word of a harness for tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolWord {
    /// The word, as the harness compares it.
    pub word: &'static str,
    /// What an agent can do with it; empty if no other harness has such a tool.
    pub does: &'static [Tool],
    /// What becomes of it.
    pub usage: WordUse,
}

/// What becomes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WordUse {
    /// It is read and written.
    Written,
    /// It is only read: another spelling, or the name of what no agent of a file ever gets.
    Read,
    /// It is read, and is a tool of its own beside the one that is written: whoever takes that one
    /// away must take this one away too.
    Beside,
    /// The harness had such a tool once: what was meant is known, and the word leads to nothing.
    Former,
}

impl ToolWord {
    /// A word that is read and written.
    #[must_use]
    pub const fn new(word: &'static str, does: &'static [Tool]) -> Self {
        ToolWord {
            word,
            does,
            usage: WordUse::Written,
        }
    }

    /// A word that is only read.
    #[must_use]
    pub const fn read(word: &'static str, does: &'static [Tool]) -> Self {
        ToolWord {
            word,
            does,
            usage: WordUse::Read,
        }
    }

    /// A word for a tool beside the one that is written.
    #[must_use]
    pub const fn beside(word: &'static str, does: &'static [Tool]) -> Self {
        ToolWord {
            word,
            does,
            usage: WordUse::Beside,
        }
    }

    /// A word of former times.
    #[must_use]
    pub const fn former(word: &'static str, does: &'static [Tool]) -> Self {
        ToolWord {
            word,
            does,
            usage: WordUse::Former,
        }
    }

    /// Returns whether it is written.
    #[must_use]
    pub fn written(&self) -> bool {
        self.usage == WordUse::Written
    }

    /// Returns whether it is written where tools are taken away.
    #[must_use]
    pub fn is_denied_by_name(&self) -> bool {
        matches!(self.usage, WordUse::Written | WordUse::Beside)
    }

    /// Returns whether the harness has such a tool now.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.usage != WordUse::Former
    }
}

/// The words of a harness for tools.
#[derive(Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// The words. Of several that could be written for a tool the first one is.
    pub words: &'static [ToolWord],
    /// Further names of the harness's own tools, which no other harness has.
    pub own: &'static [&'static str],
    /// How tools of MCP servers are called, where that is known.
    pub servers: Option<ServerWords>,
}

/// How tools of MCP servers are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerWords {
    /// What the name begins with.
    pub prefix: &'static str,
    /// What stands between the server and its tool.
    pub between: &'static str,
    /// What stands in place of a tool for all of them; the first one is written.
    pub all: &'static [&'static str],
    /// Whether the name of a single tool can be told from any other name.
    pub single_is_told: bool,
}

/// What a name in a list stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// A tool that several harnesses have.
    Tool(Tool),
    /// A tool of an MCP server, or all of them.
    Server {
        /// The server.
        server: String,
        /// Its tool; unset for all of them.
        tool: Option<String>,
    },
    /// Something that this harness alone knows, or nobody.
    Other(String),
}

impl Vocabulary {
    /// Returns the entry of a word.
    #[must_use]
    pub fn word(&self, word: &str) -> Option<&'static ToolWord> {
        self.words.iter().find(|known| known.word == word)
    }

    /// Returns what a name stands for; several tools where one word of the harness does several
    /// things.
    #[must_use]
    pub fn subjects(&self, name: &str) -> Vec<Subject> {
        if let Some(word) = self.word(name).filter(|word| !word.does.is_empty()) {
            return word.does.iter().map(|tool| Subject::Tool(*tool)).collect();
        }
        let server = self.servers.and_then(|words| words.read(name));
        vec![server.unwrap_or_else(|| Subject::Other(name.to_owned()))]
    }

    /// Returns whether the harness has a tool of this name, in exactly these letters.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// Returns the names of the tools that the harness has.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let words = self.words.iter().filter(|word| word.is_known());
        words.map(|word| word.word).chain(self.own.iter().copied())
    }

    /// Returns whether a name is one that definitions are written with.
    pub(crate) fn is_written(&self, name: &str) -> bool {
        self.own.contains(&name) || self.word(name).is_some_and(|word| word.written())
    }

    /// Returns whether a name was that of a tool once, and leads to nothing now.
    #[must_use]
    pub fn is_former(&self, name: &str) -> bool {
        self.word(name).is_some_and(|word| !word.is_known())
    }

    /// Returns whether a name means something to this harness alone.
    #[must_use]
    pub fn is_own(&self, name: &str) -> bool {
        self.own.contains(&name) || self.word(name).is_some_and(|word| word.does.is_empty())
    }

    /// Returns the words that are written for a tool.
    #[must_use]
    pub fn words_for(&self, tool: Tool) -> Vec<&'static str> {
        let words = self.words.iter();
        let words = words.filter(|word| word.written() && word.does.contains(&tool));
        words.map(|word| word.word).collect()
    }

    /// Returns whether the harness has a word that does this.
    #[must_use]
    pub fn has(&self, tool: Tool) -> bool {
        let mut words = self.words.iter();
        words.any(|word| word.written() && word.does.contains(&tool))
    }

    /// Returns whether both are the words of one harness.
    #[must_use]
    pub fn is_same(&self, other: &Vocabulary) -> bool {
        std::ptr::eq(self, other) || self == other
    }
}

impl ServerWords {
    /// Reads a name.
    #[must_use]
    pub fn read(&self, name: &str) -> Option<Subject> {
        let rest = name.strip_prefix(self.prefix)?;
        let (server, tool) = match rest.split_once(self.between) {
            Some((server, tool)) => (server, tool),
            None => (rest, ""),
        };
        let is_all = self.all.contains(&tool);
        let fits = !server.is_empty() && (is_all || (self.single_is_told && !tool.is_empty()));
        let tool = (!is_all).then(|| tool.to_owned());
        fits.then(|| Subject::Server {
            server: server.to_owned(),
            tool,
        })
    }

    /// Writes the name of a tool, or of all tools of a server.
    #[must_use]
    pub fn write(&self, server: &str, tool: Option<&str>) -> Option<String> {
        let tool = tool.or(self.all.first().copied())?;
        Some(match tool {
            "" => format!("{}{server}", self.prefix),
            tool => format!("{}{server}{}{tool}", self.prefix, self.between),
        })
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Subject::Tool(tool) => f.write_str(tool.as_str()),
            Subject::Server { server, tool } => match tool {
                Some(tool) => write!(f, "{server}/{tool}"),
                None => write!(f, "{server}/*"),
            },
            Subject::Other(name) => f.write_str(name),
        }
    }
}
