//! `agentry list --watch`: which agents there are, and what changes until somebody stops it, in
//! them and in the skills that they may name.

use std::path::Path;
use std::time::Duration;

use agent_discovery::{
    Change, Discovery, DiskTree, Noticed, Skills, Standing, Watch, WatchError, Watched, all_new,
    discover, discover_skills, skill_changes,
};

use crate::answer::{Answer, Finish};
use crate::commands::list;
use crate::failure::Failure;
use crate::json::{Versioned, WatchLine};
use crate::options::{Format, List};
use crate::request::{Reading, Request};
use crate::survey::plugins_beside;
use crate::text::paint::{self, painted};
use crate::text::printable::{escaped_in_json, printable};

/// For how long a single wait lasts; then the next one begins.
const ONE_WAIT: Duration = Duration::from_secs(3_600);

pub(crate) fn run(request: &Request, options: &List) -> Result<Answer, Failure> {
    let is_json = match request.common.format {
        Format::Text => false,
        Format::JsonLines => true,
        _ => {
            return Err(Failure::new("`--watch` goes on, and has no such format")
                .help("say `--format text` or `--format json-lines`"));
        }
    };
    let inputs = request.inputs().remembering();
    let mut agents: Vec<(Reading, Discovery)> = Vec::new();
    let mut skills: Vec<(Reading, Skills)> = Vec::new();
    for reading in request.readings()? {
        let Reading { dialect, profile } = reading;
        let mut found = plugins_beside(&DiskTree, reading, &inputs);
        found.push(discover(&DiskTree, dialect, profile, &inputs));
        agents.extend(found.into_iter().map(|found| (reading, found)));
        let found = discover_skills(&DiskTree, dialect, profile, &inputs);
        skills.push((reading, found));
    }
    let (of_agents, agents) = agents.into_iter().unzip();
    let (of_skills, skills) = skills.into_iter().unzip();
    let mut watch = Watch::new(agents, inputs).map_err(failed)?;
    let without_skills = watch.watch_skills(skills).err();
    let told = Told {
        request,
        of_agents,
        of_skills,
        is_json,
    };
    let mut goes_on = told.beginning(options, &watch)?;
    if let Some(error) = without_skills {
        goes_on &= without(&error).print_part()?;
    }
    while goes_on {
        let noticed = match watch.next(ONE_WAIT) {
            Err(error) if !watch.skills().is_empty() => {
                watch.forget_skills().map_err(failed)?;
                goes_on &= without(&error).print_part()?;
                continue;
            }
            noticed => noticed.map_err(failed)?,
        };
        for noticed in noticed {
            goes_on &= told.changes(&noticed)?.print_part()?;
        }
    }
    Ok(Answer::text("", Finish::Clean))
}

/// Says that the system does not watch all folders in which a harness looks for skills; these may be
/// all folders of the project. Agents go on to be watched.
fn without(error: &WatchError) -> Answer {
    let warning = painted(paint::WARN, "skills are not watched");
    let talk = format!("{warning}: {}\n", printable(&error.to_string()));
    Answer::text("", Finish::Clean).with_talk(talk)
}

fn failed(error: WatchError) -> Failure {
    Failure::new(error.to_string())
}

/// How changes are told.
struct Told<'a> {
    request: &'a Request,
    /// Whose rules each search for agents follows.
    of_agents: Vec<Reading>,
    /// The same for skills.
    of_skills: Vec<Reading>,
    is_json: bool,
}

impl Told<'_> {
    /// Prints what there is. Returns whether anybody reads it.
    fn beginning(&self, options: &List, watch: &Watch) -> Result<bool, Failure> {
        if !self.is_json {
            let talk = painted(paint::QUIET, "watching; end it with Ctrl-C");
            let talk = Answer::text("", Finish::Clean).with_talk(format!("{talk}\n"));
            return Ok(list::run(self.request, options)?.print_part()? && talk.print_part()?);
        }
        let mut text = String::new();
        for (reading, found) in self.of_agents.iter().zip(watch.found()) {
            for change in all_new(found) {
                text.push_str(&line(&WatchLine::agent(*reading, &change))?);
            }
        }
        for (reading, found) in self.of_skills.iter().zip(watch.skills()) {
            for change in skill_changes(&Skills::default(), found) {
                text.push_str(&line(&WatchLine::skill(*reading, &change))?);
            }
        }
        text.push_str(&line(&WatchLine::Watching)?);
        Answer::exact(text, Finish::Clean).print_part()
    }

    fn changes(&self, noticed: &Noticed) -> Result<Answer, Failure> {
        let lines = noticed.changes.iter().map(|change| {
            if !self.is_json {
                return Ok(self.sentence(noticed.search, change));
            }
            line(&match noticed.search {
                Watched::Agents(number) => WatchLine::agent(self.of_agents[number], change),
                Watched::Skills(number) => WatchLine::skill(self.of_skills[number], change),
            })
        });
        let text = lines.collect::<Result<String, Failure>>()?;
        Ok(match self.is_json {
            true => Answer::exact(text, Finish::Clean),
            false => Answer::text(text, Finish::Clean),
        })
    }

    /// Tells a change to people. The harness is named where several are watched.
    fn sentence(&self, search: Watched, change: &Change) -> String {
        let (reading, kind) = match search {
            Watched::Agents(number) => (self.of_agents[number], ""),
            Watched::Skills(number) => (self.of_skills[number], "skill "),
        };
        let path = change.source.path.as_deref();
        let path = path.map_or_else(
            || printable(&change.source.reported),
            |path| self.request.paths.show(path),
        );
        let (sign, what) = match (&change.before, &change.now) {
            (None, Some(now)) => (painted(paint::GOOD, "+"), self.standing(now)),
            (Some(before), None) => {
                let what = format!("gone, was {}", self.standing(before));
                (painted(paint::BAD, "-"), what)
            }
            (before, now) => {
                let fields: Vec<&str> = change.fields.iter().map(|it| it.as_str()).collect();
                let mut parts = Vec::new();
                if let (Some(before), Some(now)) = (before, now)
                    && before != now
                {
                    let (before, now) = (self.standing(before), self.standing(now));
                    parts.push(format!("{now}, was {before}"));
                }
                if !fields.is_empty() {
                    parts.push(format!("other {}", fields.join(", ")));
                }
                (painted(paint::WARN, "~"), parts.join("; "))
            }
        };
        let name = painted(paint::NAME, printable(&change.name));
        let title = match self.request.common.dialect {
            Some(_) => String::new(),
            None => format!("{}: ", reading.dialect.title),
        };
        format!("{sign} {kind}{name}  {title}{what}  {path}\n")
    }

    fn standing(&self, standing: &Standing) -> String {
        let code = standing.code().replace('-', " ");
        let Some(other) = standing.other() else {
            return code;
        };
        let other = self.request.paths.show(Path::new(other));
        match standing {
            Standing::Merged { .. } => format!("{code} into {other}"),
            Standing::SameFile { .. } => format!("the {code} as {other}"),
            _ => format!("{code} by {other}"),
        }
    }
}

fn line(line: &WatchLine<'_>) -> Result<String, Failure> {
    let text = serde_json::to_string(&Versioned::new(line))
        .map_err(|error| Failure::new(format!("cannot write JSON: {error}")))?;
    Ok(escaped_in_json(&text) + "\n")
}
