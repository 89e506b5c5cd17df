//! How much of everything is read, at most.

/// What is limited. No harness has these limits: they keep files that somebody else wrote from
/// filling the memory, the stack or the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The bytes of a file. A larger one is not read.
    FileBytes,
    /// How deep lists and maps of a header stand in each other, aliases followed. A deeper header
    /// is not read.
    Nesting,
    /// The entries that merge keys look at in one header. With more it is not read.
    MergedEntries,
    /// The findings of one rule that are told of an agent; the rest is counted in one more.
    Findings,
    /// The agents of a file that holds several. With more it is not read.
    Agents,
    /// The folders inside one place that are searched.
    Folders,
    /// How deep these stand in each other, the place itself included.
    FolderDepth,
    /// The texts that tokens of one kind put into a file of settings. With more it is not read.
    Tokens,
    /// The bytes that these have together.
    TokenBytes,
}

impl Limit {
    /// All limits.
    pub const ALL: [Limit; 9] = [
        Limit::FileBytes,
        Limit::Nesting,
        Limit::MergedEntries,
        Limit::Findings,
        Limit::Agents,
        Limit::Folders,
        Limit::FolderDepth,
        Limit::Tokens,
        Limit::TokenBytes,
    ];

    /// Returns what counts if nobody says otherwise.
    #[must_use]
    pub const fn usual(self) -> usize {
        match self {
            Limit::FileBytes | Limit::TokenBytes => 64 << 20,
            Limit::Nesting => 1_024,
            Limit::MergedEntries => 100_000,
            Limit::Findings => 100,
            Limit::Agents | Limit::Folders | Limit::Tokens => 10_000,
            Limit::FolderDepth => 100,
        }
    }

    /// Returns the highest value that it can be given: offsets into a file have 32 bits, and
    /// recursion has to fit the stack of any thread.
    #[must_use]
    pub const fn highest(self) -> usize {
        match self {
            Limit::FileBytes | Limit::TokenBytes => 1 << 30,
            Limit::MergedEntries => 10_000_000,
            Limit::Findings => 10_000,
            Limit::Agents | Limit::Folders | Limit::Tokens => 1_000_000,
            Limit::Nesting | Limit::FolderDepth => self.usual(),
        }
    }
}

/// How much of everything is read, at most.
///
/// ```
/// use agent_schema::{Limit, Limits};
///
/// let limits = Limits::default().at_most(Limit::FileBytes, 1 << 20);
/// assert_eq!(limits.of(Limit::FileBytes), 1 << 20);
/// let higher = limits.at_most(Limit::Findings, usize::MAX);
/// assert_eq!(higher.of(Limit::Findings), Limit::Findings.highest());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits([usize; Limit::ALL.len()]);

impl Default for Limits {
    fn default() -> Self {
        Limits(Limit::ALL.map(Limit::usual))
    }
}

impl Limits {
    /// Sets a limit, below its usual value or above it. What is above the highest one counts as
    /// that. Whoever raises a limit lets a file cost so much more.
    #[must_use]
    pub fn at_most(mut self, limit: Limit, most: usize) -> Self {
        self.0[limit as usize] = most.min(limit.highest());
        self
    }

    /// Returns a limit.
    #[must_use]
    pub fn of(&self, limit: Limit) -> usize {
        self.0[limit as usize]
    }
}
