//! The whole story of a name: who wanted it, who got it, and who nearly did.

use std::ffi::OsStr;
use std::path::Path;

use agent_discovery::{Searched, Stop};
use agent_schema::dialect::SkipRule;
use agent_schema::parse::written_name;
use agent_schema::suggest::similar;

use crate::contender::{Contender, Verdict, last_key, name_by_file};
use crate::registry::{Registry, successor};

/// The whole story of a name.
#[derive(Debug, Clone)]
#[must_use]
pub struct Explanation<'a> {
    /// The name that was asked for.
    pub asked: String,
    /// The name that it stands for, if it is an old one. The rest of the story is about it.
    pub stands_for: Option<&'static str>,
    /// The name of the agent that answers, where nobody has the name that was asked for and this
    /// one is called so, too: by an alias, a part of its name, or in another case. The rest of the
    /// story is about it.
    pub also_called: Option<&'a str>,
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
    /// An agent in whose file the name is written, but which the harness calls otherwise.
    Written(&'a Contender),
    /// A file that is called so, or has the name written in it, but is passed over.
    PassedOver(&'a Contender),
    /// An agent that the name calls, too, as it calls others, so that none of them answers.
    SharedWord(&'a Contender),
    /// An agent with exactly this name, which the look-up never reaches, because the name stands
    /// for another one.
    Unreachable(&'a Contender),
    /// Something whose name is the same but for the case of its letters.
    OtherCase(&'a Contender),
    /// An agent with a similar name.
    Similar(&'a Contender),
}

/// The most similar names that are told.
const MOST_SIMILAR: usize = 3;

impl Explanation<'_> {
    /// Returns the name that the story is about.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.also_called.or(self.stands_for);
        name.unwrap_or(&self.asked)
    }

    /// Returns whether a file of the name is passed over.
    #[must_use]
    pub fn has_passed_over(&self) -> bool {
        let passed_over = |near_miss: &NearMiss<'_>| matches!(near_miss, NearMiss::PassedOver(_));
        self.near_misses.iter().any(passed_over)
    }
}

impl Registry {
    /// Tells the whole story of a name, also of one that nobody answers to.
    pub fn explain(&self, name: &str) -> Explanation<'_> {
        let stands_for = successor(self.profile(), name).map(|(_, new)| new);
        let also_called = self.also_called_by(stands_for.unwrap_or(name));
        let wanted = also_called.or(stands_for).unwrap_or(name);
        let ignored = |contender: &Contender| matches!(contender.verdict, Verdict::Ignored(_));
        let contenders: Vec<&Contender> = self
            .contenders()
            .iter()
            .filter(|contender| !ignored(contender) && self.wants(contender, wanted))
            .collect();
        let mut near_misses = Vec::new();
        for contender in self.contenders() {
            let stem = self.stem(contender);
            if stands_for.is_some() && contender.is_loaded() && contender.name == name {
                near_misses.push(NearMiss::Unreachable(contender));
            } else if ignored(contender) {
                let is_lost = contender.verdict == Verdict::Ignored(SkipRule::LostPlugin);
                let last = wanted.rsplit(':').next().filter(|_| is_lost);
                if stem == Some(wanted)
                    || without_suffix(contender) == Some(wanted)
                    || stem == last && is_lost
                    || self.written_name(contender).as_deref() == Some(wanted)
                {
                    near_misses.push(NearMiss::PassedOver(contender));
                }
            } else if !self.wants(contender, wanted) {
                let is_called_so = stem == Some(wanted) || self.lies_at(contender, wanted);
                if contender.definition.is_some() && is_called_so {
                    near_misses.push(NearMiss::FileName(contender));
                } else if self.is_written_in(contender, wanted) {
                    near_misses.push(NearMiss::Written(contender));
                } else if contender.name.to_lowercase() == wanted.to_lowercase() {
                    near_misses.push(NearMiss::OtherCase(contender));
                }
            }
        }
        let callees = self.callees(wanted).into_iter();
        let callees = callees.filter(|_| contenders.is_empty());
        near_misses.extend(callees.map(|id| NearMiss::SharedWord(self.contender(id))));
        let answering = self.contenders().iter().filter(|contender| {
            matches!(
                contender.verdict,
                Verdict::Active | Verdict::Undefined { .. }
            )
        });
        let in_other_case = |name: &&str| name.to_lowercase() == wanted.to_lowercase();
        let names = answering.clone().map(|contender| contender.name.as_str());
        let names = similar(wanted, names.filter(|name| !in_other_case(name)));
        for name in names.into_iter().take(MOST_SIMILAR) {
            let mut answering = answering.clone();
            near_misses.extend(answering.find(|it| it.name == name).map(NearMiss::Similar));
        }
        Explanation {
            asked: name.to_owned(),
            stands_for,
            also_called,
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

    /// Returns the name of the agent that answers to a name which it has not.
    fn also_called_by(&self, wanted: &str) -> Option<&str> {
        let name = self.contender(self.answering(wanted)?).name.as_str();
        (name != wanted).then_some(name)
    }

    /// Tells whether a contender wanted a name: a definition by its name, a file that does not
    /// load also by its stem.
    fn wants(&self, contender: &Contender, name: &str) -> bool {
        let is_unread = match contender.verdict {
            Verdict::Rejected => true,
            Verdict::HeldBack | Verdict::SwitchedOff => contender.definition.is_none(),
            _ => false,
        };
        contender.name == name || (is_unread && self.name_by_place(contender) == Some(name))
    }

    /// Returns whether a name is written in the file of an agent.
    fn is_written_in(&self, contender: &Contender, name: &str) -> bool {
        let is_file = contender.source.path.is_some() && contender.source.inside.is_none();
        is_file && self.written_name(contender).as_deref() == Some(name)
    }

    /// The name that stands in a file of which no definition came.
    fn written_name(&self, contender: &Contender) -> Option<String> {
        let bytes = contender.bytes.as_deref()?;
        Some(written_name(bytes, &self.profile().rules.reading)?.text)
    }

    /// Returns whether a name is the path of a file below its place, without the suffix.
    fn lies_at(&self, contender: &Contender, name: &str) -> bool {
        let source = &contender.source;
        let place = source.place.and_then(|index| self.places().get(index));
        let below = |place: &Searched| source.path.as_deref()?.strip_prefix(&place.path).ok();
        let file = place.and_then(below).and_then(Path::file_name);
        let Some((below, file)) = place.and_then(below).zip(file.and_then(OsStr::to_str)) else {
            return false;
        };
        let stem = self.profile().rules.agents.files.stem(file);
        source.inside.is_none() && below.with_file_name(stem) == Path::new(name)
    }

    /// The name that a contender would have by its place; nothing for a file that is no agent.
    fn name_by_place<'a>(&self, contender: &'a Contender) -> Option<&'a str> {
        if let Some(inside) = &contender.source.inside {
            return last_key(inside);
        }
        name_by_file(contender.file_name.as_deref()?, &self.profile().rules)
    }

    /// The name that a contender gets from its place alone, whatever it is.
    fn stem<'a>(&self, contender: &'a Contender) -> Option<&'a str> {
        if let Some(inside) = &contender.source.inside {
            return last_key(inside);
        }
        let files = &self.profile().rules.agents.files;
        Some(files.stem(contender.file_name.as_deref()?))
    }
}

/// The name of a file without its suffix, whichever that is.
fn without_suffix(contender: &Contender) -> Option<&str> {
    let is_file = contender.source.inside.is_none();
    let file_name = contender.file_name.as_deref().filter(|_| is_file)?;
    Path::new(file_name).file_stem()?.to_str()
}
