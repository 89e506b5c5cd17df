//! Who wins when a name is found more than once.

use std::ffi::OsStr;

use agent_schema::dialect::Precedence;
use agent_schema::{Diagnostic, FieldName, Level, Related, Seldom, rules};

use crate::entry::{Entry, Source, State};
use crate::places::Searched;
use crate::same_key::of_same_key;

/// What decided between two entries of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deciding {
    /// Both lie in one folder; the first file name wins.
    SameFolder,
    /// Both have the same level; the folder that is searched first wins.
    EarlierFolder,
    /// The stronger level wins.
    StrongerLevel,
    /// The one that is found last wins.
    FoundLast,
    /// The one of the first place wins; the other place only adds what is missing.
    FirstPlace,
    /// What a program brings wins; the search only adds names that are not taken.
    NameTaken,
    /// The file at the same path of a place that lies over this one is read instead.
    Covered,
    /// Both lie in one place; the last one wins.
    LastInPlace,
    /// Both have the same level; the place that is searched last wins.
    LaterPlace,
    /// The level that is searched last wins.
    LaterLevel,
}

impl Deciding {
    /// Returns the stable code of the rule.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Deciding::SameFolder => "same-folder-first-name",
            Deciding::EarlierFolder => "earlier-folder",
            Deciding::StrongerLevel => "stronger-level",
            Deciding::FoundLast => "found-last",
            Deciding::FirstPlace => "first-place",
            Deciding::Covered => "covered",
            Deciding::NameTaken => "name-taken",
            Deciding::LastInPlace => "same-folder-last-name",
            Deciding::LaterPlace => "later-folder",
            Deciding::LaterLevel => "later-level",
        }
    }

    /// Tells the rule in words, for a winner and a loser of these levels.
    fn explained(self, title: &str, winner: Level, loser: Level) -> String {
        match self {
            Deciding::SameFolder => {
                format!("{title} reads a folder by code point of the names and keeps the first")
            }
            Deciding::EarlierFolder => {
                format!("{title} searches the other folder of level `{winner}` first")
            }
            Deciding::StrongerLevel => {
                format!("{title} searches level `{winner}` before `{loser}` and keeps the first")
            }
            Deciding::FoundLast if winner == loser => {
                format!(
                    "{title} reads level `{winner}` by the order of the paths and keeps the last"
                )
            }
            Deciding::FoundLast => {
                format!("{title} reads level `{winner}` after `{loser}` and keeps the last")
            }
            Deciding::FirstPlace => {
                format!("{title} adds only names that no file of level `{winner}` has there before")
            }
            Deciding::NameTaken => {
                format!("{title} adds only names that no program and no built-in agent has")
            }
            Deciding::Covered => {
                format!("{title} reads the same path of level `{winner}` in the place of this file")
            }
            Deciding::LastInPlace => {
                format!("{title} reads a folder by the order of the names and keeps the last")
            }
            Deciding::LaterPlace => {
                format!("{title} searches the other folder of level `{winner}` last")
            }
            Deciding::LaterLevel => {
                format!("{title} searches level `{winner}` after `{loser}` and keeps the last")
            }
        }
    }
}

/// Decides for every entry that loads whether it is active or shadowed, and by whom.
pub(crate) fn settle(title: &str, precedence: Precedence, entries: &mut [Entry]) {
    match precedence {
        Precedence::FirstFound => first_found(title, entries),
        Precedence::FirstPlace => first_place(title, entries, leave_open),
        Precedence::FirstPlaceNoTwins => first_place(title, entries, refuse_twins),
        Precedence::LastReplaces { but_first_within } => {
            last_replaces(title, entries, but_first_within);
        }
        // What several entries make together is worked out by `merge`.
        Precedence::Merged | Precedence::MergedInOrder => {}
        // Their searches know how often each file was found, and decide themselves.
        Precedence::LastFound | Precedence::AllStay | Precedence::Additions => {}
    }
}

/// Decides for the one that is found last; inside some levels for the first.
fn last_replaces(title: &str, entries: &mut [Entry], but_first_within: &[Level]) {
    for of_one_name in of_same_key(entries, Identity::of) {
        let Some(last) = of_one_name.last() else {
            continue;
        };
        let level = entries[*last].source.level;
        let of_level = |index: &&usize| entries[**index].source.level == level;
        let winner = match but_first_within.contains(&level) {
            true => of_one_name.iter().find(of_level).unwrap_or(last),
            false => last,
        };
        for loser in of_one_name.iter().filter(|index| *index != winner) {
            let first_wins = entries[*loser].source.level == level && loser > winner;
            let rule = match first_wins {
                true => deciding(&entries[*winner], &entries[*loser]),
                false => deciding_last(&entries[*winner], &entries[*loser]),
            };
            shadow(title, entries, *loser, *winner, rule);
        }
    }
}

fn deciding_last(winner: &Entry, loser: &Entry) -> Deciding {
    match deciding(winner, loser) {
        Deciding::SameFolder => Deciding::LastInPlace,
        Deciding::EarlierFolder => Deciding::LaterPlace,
        _ => Deciding::LaterLevel,
    }
}

/// Refuses entries of one name in one place.
fn refuse_twins(title: &str, entries: &mut [Entry], contenders: &[usize]) {
    for &index in contenders {
        let mut diagnostic = Diagnostic::new(
            &rules::TWIN_NAMES,
            format!(
                "{} files of one place have the name `{}`, and none of them loads",
                contenders.len(),
                entries[index].name().unwrap_or_default()
            ),
        )
        .because(format!(
            "{title} takes a name that stands twice in one place for a mistake and chooses none"
        ))
        .help("give each agent a name of its own")
        .said_by_harness();
        diagnostic.span = entries[index].name_place();
        diagnostic.related = others_of(entries, contenders, index);
        entries[index].diagnostics.push(diagnostic);
        entries[index].state = State::Rejected;
    }
}

fn others_of(entries: &[Entry], contenders: &[usize], index: usize) -> Seldom<Related> {
    let others = contenders.iter().filter(|other| **other != index);
    let related = others.take(MOST_RELATED).map(|&other| Related {
        file: Some(entries[other].source.reported.clone()),
        span: entries[other].name_place(),
        message: "this file has the same name".to_owned(),
    });
    related.collect()
}

/// As [`first_found`] between places; `settle_twins` decides about several entries of one name in
/// the winning place.
fn first_place(title: &str, entries: &mut [Entry], settle_twins: fn(&str, &mut [Entry], &[usize])) {
    for of_one_name in of_same_key(entries, Identity::of) {
        let Some(&first) = of_one_name.first() else {
            continue;
        };
        let place = entries[first].source.place;
        let (contenders, losers): (Vec<usize>, Vec<usize>) = of_one_name
            .into_iter()
            .partition(|index| entries[*index].source.place == place);
        for loser in losers {
            lose(title, entries, loser, first);
        }
        if contenders.len() > 1 {
            settle_twins(title, entries, &contenders);
        }
    }
}

/// The most other files that one finding names; a folder full of one name has too many.
const MOST_RELATED: usize = 20;

/// Marks entries of which the harness takes one, nobody knows which.
pub(crate) fn leave_open(title: &str, entries: &mut [Entry], contenders: &[usize]) {
    for &index in contenders {
        let mut diagnostic = Diagnostic::new(
            &rules::UNDEFINED_WINNER,
            format!(
                "{} files of one place have the name `{}`, and it is undefined which one loads",
                contenders.len(),
                entries[index].name().unwrap_or_default()
            ),
        )
        .because(format!(
            "{title} keeps one of them, by the order in which the disk lists the folder"
        ))
        .help("give each agent a name of its own");
        diagnostic.span = entries[index].name_place();
        diagnostic.related = others_of(entries, contenders, index);
        entries[index].diagnostics.push(diagnostic);
        entries[index].state = State::Undefined {
            first: contenders[0],
        };
    }
}

fn lose(title: &str, entries: &mut [Entry], loser: usize, by: usize) {
    let rule = deciding(&entries[by], &entries[loser]);
    shadow(title, entries, loser, by, rule);
}

/// Marks an entry that lost its name to another one.
pub(crate) fn shadow(title: &str, entries: &mut [Entry], loser: usize, by: usize, rule: Deciding) {
    let diagnostic = shadowed(title, rule, &entries[by], &entries[loser]);
    entries[loser].state = State::Shadowed { by, rule };
    entries[loser].diagnostics.push(diagnostic);
}

/// The entries are in the order in which they are found, so one pass decides inside a folder,
/// between the folders of a level, and between levels: a name that a level keeps is always the
/// first one found in it.
fn first_found(title: &str, entries: &mut [Entry]) {
    for of_one_name in of_same_key(entries, Identity::of) {
        let Some((winner, losers)) = of_one_name.split_first() else {
            continue;
        };
        for loser in losers {
            lose(title, entries, *loser, *winner);
        }
    }
}

fn deciding(winner: &Entry, loser: &Entry) -> Deciding {
    if winner.source.level != loser.source.level {
        Deciding::StrongerLevel
    } else if winner.source.place != loser.source.place {
        Deciding::EarlierFolder
    } else {
        Deciding::SameFolder
    }
}

fn shadowed(title: &str, rule: Deciding, winner: &Entry, loser: &Entry) -> Diagnostic {
    let name = loser.name().unwrap_or_default();
    let mut diagnostic = Diagnostic::new(
        &rules::SHADOWED_NAME,
        format!("agent `{name}` never loads from this file"),
    )
    .because(rule.explained(title, winner.source.level, loser.source.level))
    .help("rename one of the two agents, or delete the file that you do not need");
    diagnostic.span = loser.name_place();
    diagnostic.related.push(Related {
        file: Some(winner.source.reported.clone()),
        span: winner.name_place(),
        message: "this file has the name".to_owned(),
    });
    diagnostic
}

/// Says of agents that lose to one of this project alone that they do load elsewhere.
pub(crate) fn spare_elsewhere(places: &[Searched], entries: &mut [Entry]) {
    for index in 0..entries.len() {
        let State::Shadowed { by, .. } = entries[index].state else {
            continue;
        };
        if !counts_elsewhere(places, &entries[by].source, &entries[index].source) {
            continue;
        }
        let loser = &mut entries[index];
        let name = loser.name().unwrap_or_default().to_owned();
        let findings = loser.diagnostics.iter_mut();
        for finding in findings.filter(|it| it.rule == &rules::SHADOWED_NAME) {
            finding.message =
                format!("agent `{name}` does not load from this file in this project").into();
            let help = format!(
                "rename one of the two agents, unless this project shall have a `{name}` of its own"
            );
            finding.help = Some(help.into());
        }
    }
}

/// Returns whether a loser has its name where the winner is not: outside of the project, or in a
/// folder around it.
fn counts_elsewhere(places: &[Searched], winner: &Source, loser: &Source) -> bool {
    let above = |source: &Source| places.get(source.place?)?.above;
    match (winner.level, loser.level) {
        (Level::Project, Level::Project) => above(loser) > above(winner),
        (Level::Project, loser) => OF_ALL_PROJECTS.contains(&loser),
        _ => false,
    }
}

/// The levels whose files count in every project.
const OF_ALL_PROJECTS: &[Level] = &[
    Level::Managed,
    Level::Plugin,
    Level::User,
    Level::Global,
    Level::Home,
    Level::ConfigDir,
    Level::Package,
];

/// What makes two definitions the same agent.
#[derive(PartialEq, Eq, Hash)]
struct Identity<'e> {
    name: &'e str,
    /// The file's own name where it names the agent and is no text: two such names can look the
    /// same although they differ.
    bytes: Option<&'e [u8]>,
}

impl<'e> Identity<'e> {
    /// Returns the identity of an entry that loads and may have its name.
    fn of(entry: &'e Entry) -> Option<Self> {
        let definition = entry
            .definition()
            .filter(|_| entry.state == State::Active)?;
        let file_name = entry
            .source
            .path
            .as_deref()
            .and_then(|path| path.file_name());
        let bytes = match definition.place(FieldName::NAME) {
            Some(_) => None,
            None => file_name
                .filter(|name| name.to_str().is_none())
                .map(OsStr::as_encoded_bytes),
        };
        Some(Identity {
            name: definition.name(),
            bytes,
        })
    }
}
