//! What comes close to a name, in the harness itself and around it.

use std::path::Path;

use agent_discovery::{DiskTree, Elsewhere, ElsewhereFile, FileTree};
use agent_registry::{Contender, Explanation, NearMiss, Verdict};
use agent_schema::LineColumn;
use agent_schema::parse::{LARGEST_FILE, written_name};

use super::verdicts::{name_position, reason};
use crate::request::Request;
use crate::survey::Survey;
use crate::text::printable::printable;
use crate::unsearched::unsearched;

/// What there is beside the searches of one harness.
pub(crate) struct Around {
    /// What the other harnesses make of the same trees.
    others: Vec<Survey>,
    /// For each survey that was asked for, the files that its harness never looks at.
    unsearched: Vec<Elsewhere>,
}

/// Something that comes close to a name.
pub(crate) struct Near<'a> {
    /// The stable code.
    pub(crate) kind: &'static str,
    pub(crate) name: &'a str,
    /// The harness to which it belongs, if it is another one.
    pub(crate) dialect: Option<&'static str>,
    pub(crate) from: Option<&'a str>,
    pub(crate) at: Option<LineColumn>,
    /// The same in words.
    pub(crate) words: String,
}

impl Around {
    /// Looks at the files that lie in no place that is searched, and if only some harnesses were
    /// asked for, at what the others have.
    pub(crate) fn new(request: &Request, surveys: &[Survey], name: &str) -> Self {
        let asked: Vec<&Survey> = surveys.iter().collect();
        let answered = |survey: &Survey| survey.registry.explain(name).winner.is_some();
        let others = match request.common.dialect.is_some() && !surveys.iter().all(answered) {
            true => Survey::of_others(request, surveys),
            false => Vec::new(),
        };
        Around {
            others,
            unsearched: unsearched(request, &asked, Some(name)),
        }
    }

    /// The files that look like an agent of a name to a survey's harness, by its number.
    fn unsearched(&self, survey: usize, name: &str) -> impl Iterator<Item = &ElsewhereFile> {
        let files = self.unsearched.get(survey).into_iter();
        let files = files.flat_map(|found| &found.files);
        files.filter(move |file| file.looks_like.as_deref() == Some(name))
    }
}

/// Lists what comes close to a name for one of the surveys, by its number.
pub(crate) fn near_misses<'a>(
    request: &Request,
    surveys: &'a [Survey],
    number: usize,
    story: &Explanation<'a>,
    around: &'a Around,
) -> Vec<Near<'a>> {
    let survey = &surveys[number];
    let title = survey.reading.dialect.title;
    let own = story.near_misses.iter();
    let mut near: Vec<Near<'a>> = own
        .filter_map(|near_miss| own_near_miss(request, survey, story, near_miss))
        .collect();
    if story.winner.is_none() {
        let others = surveys.iter().chain(&around.others);
        for other in others.filter(|other| other.reading.dialect.id != survey.reading.dialect.id) {
            let found = other.registry.explain(&story.asked).winner;
            if let Some(found) = found.filter(|it| it.source.path.is_some()) {
                let theirs = other.reading.dialect;
                near.push(Near {
                    dialect: Some(theirs.id),
                    words: format!(
                        "`{}` is an agent of {} here, not of {title}: {}",
                        printable(&story.asked),
                        theirs.title,
                        shown(request, other, found),
                    ),
                    ..Near::of("other-dialect", other, found)
                });
            }
        }
    }
    let is_unseen = story.winner.is_none() && story.contenders.is_empty() && near.is_empty();
    if is_unseen {
        let named = survey.registry.contenders().iter();
        let named = named.filter(|contender| has_written(survey, contender, &story.asked));
        near.extend(
            named.map(|contender| passed_over(request, survey, contender, "holds the name")),
        );
    }
    for file in around.unsearched(number, &story.asked) {
        near.push(Near {
            kind: "not-searched",
            name: file.looks_like.as_deref().unwrap_or_default(),
            dialect: None,
            from: Some(&file.reported),
            at: None,
            words: unsearched_in_words(request, &file.path, title),
        });
    }
    near
}

/// Returns whether a file is passed over and has a name written in it.
fn has_written(survey: &Survey, contender: &Contender, name: &str) -> bool {
    let is_passed_over = matches!(contender.verdict, Verdict::Ignored(_));
    let path = contender.source.path.as_deref();
    let Some(path) = path.filter(|_| is_passed_over && contender.source.inside.is_none()) else {
        return false;
    };
    let reading = &survey.reading.profile.rules.reading;
    let bytes = DiskTree.read(path, LARGEST_FILE);
    let written = bytes.ok().and_then(|bytes| written_name(&bytes, reading));
    written.is_some_and(|written| written.text == name)
}

/// Tells of a file that is passed over, and what else it does.
fn passed_over<'a>(
    request: &Request,
    survey: &'a Survey,
    contender: &'a Contender,
    does: &str,
) -> Near<'a> {
    let show = |other: &Contender| shown(request, survey, other);
    let (at, why) = reason(survey, contender, 1, &show);
    let at = at.map(|at| format!(", at {at}")).unwrap_or_default();
    let place = show(contender);
    Near {
        words: format!("{place} {does}: {}{at}", printable(&why)),
        ..Near::of("passed-over", survey, contender)
    }
}

/// Tells that a file lies where a harness does not look.
fn unsearched_in_words(request: &Request, path: &Path, title: &str) -> String {
    let path = request.paths.show(path);
    format!("{path} lies in no place that {title} searches")
}

impl<'a> Near<'a> {
    fn of(kind: &'static str, survey: &'a Survey, contender: &'a Contender) -> Self {
        Near {
            kind,
            name: &contender.name,
            dialect: None,
            from: Some(&contender.source.reported),
            at: name_position(&survey.registry, contender),
            words: String::new(),
        }
    }
}

fn own_near_miss<'a>(
    request: &Request,
    survey: &'a Survey,
    story: &Explanation<'a>,
    near_miss: &NearMiss<'a>,
) -> Option<Near<'a>> {
    let title = survey.reading.dialect.title;
    let (kind, contender) = match near_miss {
        NearMiss::FileName(contender) => ("file-name", *contender),
        NearMiss::Written(contender) => ("written", *contender),
        NearMiss::PassedOver(contender) => ("passed-over", *contender),
        NearMiss::Unreachable(contender) => ("unreachable", *contender),
        NearMiss::SharedWord(contender) => ("shared-word", *contender),
        NearMiss::OtherCase(contender) => ("other-case", *contender),
        NearMiss::Similar(contender) => ("similar", *contender),
        _ => return None,
    };
    let place = shown(request, survey, contender);
    let name = printable(&contender.name);
    let words = match near_miss {
        NearMiss::PassedOver(_) => {
            return Some(passed_over(request, survey, contender, "is passed over"));
        }
        NearMiss::FileName(_) if is_called_by(survey, &story.asked, contender) => {
            format!(
                "{place} is the agent `{name}`, and {title} also finds it by the end of its name"
            )
        }
        NearMiss::FileName(_) => format!("{place} is called so, but its `name` is `{name}`"),
        NearMiss::Written(_) => {
            let asked = printable(&story.asked);
            format!("{place} writes the name `{asked}`, but {title} calls the agent `{name}`")
        }
        NearMiss::Unreachable(_) => {
            let asked = printable(&story.asked);
            format!(
                "{place} has the name `{asked}`, but {title} never gets to it: give it another name"
            )
        }
        NearMiss::SharedWord(_) => {
            format!("`{name}` is called so, too, and so are others: {place}")
        }
        NearMiss::OtherCase(_) => {
            let what = match contender.verdict {
                Verdict::Active => "there is an agent",
                Verdict::Undefined { .. } => "there may be an agent",
                _ => "there is a file for",
            };
            format!("{what} `{name}`, and {title} tells capitals from small letters: {place}")
        }
        _ => format!("there is an agent `{name}`: {place}"),
    };
    Some(Near {
        words,
        ..Near::of(kind, survey, contender)
    })
}

/// Returns whether a call by a name gets to a contender that has a longer one.
fn is_called_by(survey: &Survey, asked: &str, contender: &Contender) -> bool {
    let found = survey.registry.get(Some(asked)).ok();
    found.is_some_and(|found| std::ptr::eq(found.contender, contender))
}

/// Shows where a contender comes from, with the place of its name.
pub(super) fn shown(request: &Request, survey: &Survey, contender: &Contender) -> String {
    let at = name_position(&survey.registry, contender);
    let at = at.map(|at| format!(":{at}")).unwrap_or_default();
    format!("{}{at}", request.paths.show_contender(contender))
}
