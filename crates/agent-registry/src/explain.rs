//! The whole story of a name: who wanted it, who got it, and who nearly did.

use agent_discovery::{Searched, Stop};
use agent_schema::suggest::nearest;

use crate::contender::{Contender, Verdict, last_key};
use crate::registry::{Registry, successor};

/// The whole story of a name.
#[derive(Debug, Clone)]
#[must_use]
pub struct Explanation<'a> {
    /// The name that was asked for.
    pub asked: String,
    /// The name that it stands for, if it is an old one. The rest of the story is about it.
    pub stands_for: Option<&'static str>,
    /// The one that answers to the name; none if the harness leaves open who does.
    pub winner: Option<&'a Contender>,
    /// Everyone that wanted the name, in the order in which they were offered: the winner, those
    /// that lost, and files that would have had the name but do not load.
    pub contenders: Vec<&'a Contender>,
    /// What comes close, if the name was not meant.
    pub near_misses: Vec<NearMiss<'a>>,
    /// The places that were searched, in order.
    pub places: &'a [Searched],
    /// Where the harness itself would not have come back.
    pub stop: Option<&'a Stop>,
}

/// Something that comes close to a name.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NearMiss<'a> {
    /// An agent whose file is called so, but which has another name.
    FileName(&'a Contender),
    /// A file that is called so, but is passed over.
    PassedOver(&'a Contender),
    /// An agent with exactly this name, which the look-up never reaches, because the name stands
    /// for another one.
    Unreachable(&'a Contender),
    /// An agent with a similar name.
    Similar(&'a str),
}

impl Registry {
    /// Tells the whole story of a name, also of one that nobody answers to.
    pub fn explain(&self, name: &str) -> Explanation<'_> {
        let stands_for = successor(self.profile(), name).map(|(_, new)| new);
        let wanted = stands_for.unwrap_or(name);
        let ignored = |contender: &Contender| matches!(contender.verdict, Verdict::Ignored(_));
        let contenders: Vec<&Contender> = self
            .contenders()
            .iter()
            .filter(|contender| !ignored(contender) && self.wants(contender, wanted))
            .collect();
        let mut near_misses = Vec::new();
        for contender in self.contenders() {
            if stands_for.is_some() && contender.is_loaded() && contender.name == name {
                near_misses.push(NearMiss::Unreachable(contender));
            } else if contender.name == wanted || self.stem(contender) != Some(wanted) {
                if ignored(contender) && self.stem(contender) == Some(wanted) {
                    near_misses.push(NearMiss::PassedOver(contender));
                }
            } else if contender.is_loaded() {
                near_misses.push(NearMiss::FileName(contender));
            }
        }
        let others = self
            .active()
            .map(|(name, _)| name)
            .filter(|other| *other != wanted);
        near_misses.extend(nearest(wanted, others).map(NearMiss::Similar));
        Explanation {
            asked: name.to_owned(),
            stands_for,
            winner: contenders
                .iter()
                .copied()
                .find(|contender| contender.verdict == Verdict::Active),
            contenders,
            near_misses,
            places: self.places(),
            stop: self.stop(),
        }
    }

    /// Tells whether a contender wanted a name: a definition by its name, a file that does not
    /// load also by its stem.
    fn wants(&self, contender: &Contender, name: &str) -> bool {
        contender.name == name
            || (contender.verdict == Verdict::Rejected && self.stem(contender) == Some(name))
    }

    /// The name that a contender gets from its place alone.
    fn stem<'a>(&self, contender: &'a Contender) -> Option<&'a str> {
        if let Some(inside) = &contender.source.inside {
            return last_key(inside);
        }
        let files = &self.profile().rules.agents.files;
        Some(files.stem(contender.file_name.as_deref()?))
    }
}
