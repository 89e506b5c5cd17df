//! What changes for a name under another version of a harness.

use agent_schema::FieldName;

use crate::contender::{Contender, Verdict};
use crate::explain::Explanation;

/// What a name gives under other rules, compared with what it gives under these.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Comparison {
    /// What becomes of the name.
    pub change: Change,
    /// The fields of the winner that say something else, if the same file wins.
    pub fields: Vec<FieldName>,
}

/// What becomes of a name under other rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Nothing changes, but for the fields.
    None,
    /// The same file wins, and the harness makes something else of it: it repairs it, or loses
    /// what was written.
    Fate,
    /// Another file wins, or a file where nobody won.
    Winner,
    /// Nobody wins any more.
    Lost,
    /// Nobody wins under either, for other reasons.
    Reasons,
}

impl Explanation<'_> {
    /// Compares what a name gives here with what it gives under the rules of another version;
    /// `other` is the explanation of the same name there.
    pub fn compared_with(&self, other: &Explanation<'_>) -> Comparison {
        let mut fields = Vec::new();
        let change = match (self.winner, other.winner) {
            (Some(here), Some(there)) if same_place(here, there) => {
                if let (Some(mine), Some(theirs)) = (&here.definition, &there.definition) {
                    fields = mine.differing_fields(theirs);
                }
                match here.fate == there.fate {
                    true => Change::None,
                    false => Change::Fate,
                }
            }
            (_, Some(_)) => Change::Winner,
            (Some(_), None) => Change::Lost,
            (None, None) => {
                let mut pairs = self.contenders.iter().zip(&other.contenders);
                let same = self.contenders.len() == other.contenders.len()
                    && pairs.all(|(here, there)| {
                        same_place(here, there) && same_verdict(here.verdict, there.verdict)
                    });
                match same {
                    true => Change::None,
                    false => Change::Reasons,
                }
            }
        };
        Comparison { change, fields }
    }
}

impl Comparison {
    /// Returns whether nothing changes.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.change == Change::None && self.fields.is_empty()
    }
}

/// Returns whether two contenders stand in the same place of the same file.
#[must_use]
pub fn same_place(one: &Contender, other: &Contender) -> bool {
    let place = |it: &Contender| (it.source.reported.clone(), it.source.inside.clone());
    place(one) == place(other)
}

/// Returns whether two verdicts are the same, whoever won.
#[must_use]
pub fn same_verdict(one: Verdict, other: Verdict) -> bool {
    match (one, other) {
        (Verdict::Ignored(one), Verdict::Ignored(other)) => one == other,
        _ => std::mem::discriminant(&one) == std::mem::discriminant(&other),
    }
}
