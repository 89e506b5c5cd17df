//! The story of the name of a skill.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use agent_discovery::{
    DiskTree, ElsewhereFile, FileTree, FoundSkill, Resolution, SkillFile, SkillNearMiss,
    SkillState, Trigger,
};
use agent_schema::LineColumn;
use agent_schema::dialect::ReadingRules;
use agent_schema::parse::{LARGEST_FILE, written_key, written_name};
use agent_schema::skill_rules::SameName;

use crate::finding::FileView;
use crate::request::{Reading, Request};
use crate::skill_survey::{SkillSurvey, state_code};
use crate::story::skills_below::{NoSkill, no_skills};
use crate::text::printable::printable;

/// The story of the name of a skill for one harness.
pub(crate) struct SkillTold<'a> {
    pub(crate) survey: &'a SkillSurvey,
    pub(crate) resolution: Resolution<'a>,
    /// Everything that wanted the name, in the order of the harness.
    pub(crate) candidates: Vec<Candidate<'a>>,
    pub(crate) near: Vec<SkillNear<'a>>,
    pub(crate) others: Vec<SkillProfile>,
}

/// A skill that wanted the name.
pub(crate) struct Candidate<'a> {
    pub(crate) found: &'a FoundSkill,
    /// Where its name stands.
    pub(crate) at: Option<LineColumn>,
    bytes: Option<Vec<u8>>,
    rules: &'static ReadingRules,
}

/// Something that comes close to the name of a skill.
pub(crate) struct SkillNear<'a> {
    pub(crate) kind: &'static str,
    pub(crate) name: &'a str,
    /// The harness that it belongs to, if that is another one, with its title.
    pub(crate) dialect: Option<(&'static str, &'static str)>,
    pub(crate) from: Cow<'a, str>,
    pub(crate) at: Option<LineColumn>,
    /// Why it is no skill, if the harness takes it for none.
    pub(crate) why: Option<String>,
}

/// A field of a skill as it counts.
pub(crate) struct SkillField {
    pub(crate) field: &'static str,
    pub(crate) value: Option<String>,
    /// What gave it, where it is not written.
    pub(crate) given: &'static str,
    pub(crate) at: Option<LineColumn>,
}

/// What another profile of the dialect makes of the name.
pub(crate) struct SkillProfile {
    pub(crate) profile: &'static str,
    pub(crate) same: bool,
    pub(crate) resolution: &'static str,
    /// The files that may be meant, or that would have had the name.
    pub(crate) files: Vec<(PathBuf, String, &'static str)>,
    pub(crate) differing_fields: Vec<&'static str>,
}

impl<'a> SkillTold<'a> {
    pub(crate) fn new(
        request: &Request,
        survey: &'a SkillSurvey,
        all: &[&'a SkillSurvey],
        name: &str,
        elsewhere: &'a [ElsewhereFile],
    ) -> Self {
        let rules = rules(survey.reading);
        // One file that is come across twice by one path is told once.
        let again = |it: &&&FoundSkill| {
            survey.rival(it).is_some_and(|rival| {
                matches!(it.state, SkillState::SameFile { .. }) && rival.skill.path == it.skill.path
            })
        };
        let contenders = survey.skills.contenders(name);
        let candidates: Vec<Candidate<'a>> = contenders
            .iter()
            .filter(|it| !again(it))
            .map(|found| Candidate::new(found, rules))
            .collect();
        let resolution = survey.skills.resolve(name);
        let mut near: Vec<SkillNear<'a>> = survey
            .skills
            .near_misses(name)
            .into_iter()
            .filter_map(|near_miss| SkillNear::own(near_miss, rules))
            .collect();
        let answers =
            |it: &Resolution<'_>| matches!(it, Resolution::One(_) | Resolution::Copies(_));
        if !answers(&resolution) {
            for other in all.iter().filter(|other| !std::ptr::eq(**other, survey)) {
                if let Some(found) = other.skills.get(name) {
                    let theirs = other.reading.dialect;
                    near.push(SkillNear {
                        dialect: Some((theirs.id, theirs.title)),
                        ..SkillNear::of("other-dialect", found, self::rules(other.reading))
                    });
                }
            }
        }
        near.extend(elsewhere.iter().map(|file| SkillNear {
            kind: "not-searched",
            name: file.looks_like.as_deref().unwrap_or_default(),
            dialect: None,
            from: Cow::Borrowed(&file.reported),
            at: None,
            why: None,
        }));
        // One of them is at hand; what else bears the name is of no use then.
        if !answers(&resolution) {
            let no_skills = no_skills(survey, name).into_iter();
            near.extend(no_skills.map(|it| SkillNear::passed_over(&it)));
        }
        let others = match candidates.is_empty() {
            true => Vec::new(),
            false => others(request, survey, name, &resolution),
        };
        SkillTold {
            survey,
            resolution,
            candidates,
            near,
            others,
        }
    }

    /// Returns whether there is more to tell than that the harness has no such skill.
    pub(crate) fn has_story(&self) -> bool {
        let own = |near: &SkillNear<'_>| !matches!(near.kind, "other-dialect" | "not-searched");
        !self.candidates.is_empty() || self.near.iter().any(own)
    }

    /// Returns the skill that answers to the name.
    pub(crate) fn winner(&self) -> Option<&Candidate<'a>> {
        let winner = match &self.resolution {
            Resolution::One(skill) => *skill,
            Resolution::Copies(skills) => *skills.first()?,
            _ => return None,
        };
        let mut candidates = self.candidates.iter();
        candidates.find(|candidate| std::ptr::eq(candidate.found, winner))
    }

    /// Tells why a candidate has its state, with the place that is at fault, if there is one.
    pub(crate) fn reason(
        &self,
        candidate: &Candidate<'_>,
        show: &dyn Fn(&FoundSkill) -> String,
    ) -> (Option<LineColumn>, String) {
        let found = candidate.found;
        let same_name = self
            .survey
            .reading
            .profile
            .rules
            .skills
            .search
            .map(|it| it.same_name);
        let why = match (found.state, self.survey.rival(found)) {
            (SkillState::Active, _) if self.candidates.len() == 1 => {
                "nobody else wants the name".to_owned()
            }
            (SkillState::Active, _) => match same_name {
                Some(SameName::FirstWins) => "the first one that loads".to_owned(),
                Some(SameName::LastWins) => "the last one that loads".to_owned(),
                Some(SameName::AllKept) => "all of the name are listed".to_owned(),
                Some(SameName::NotFixed) => "the only one that loads".to_owned(),
                None => "the first one of the strongest level".to_owned(),
            },
            (SkillState::Shadowed { .. }, Some(by)) => {
                let why = match same_name {
                    Some(SameName::LastWins) => {
                        "it is found earlier, and the last one wins".to_owned()
                    }
                    Some(_) => "it is found later, and the first one wins".to_owned(),
                    None if by.level == found.level => {
                        format!("both have level {}, where the first one wins", by.level)
                    }
                    None => format!("level {} is stronger than level {}", by.level, found.level),
                };
                format!("lost to {}: {why}", show(by))
            }
            (SkillState::SameFile { .. }, Some(first)) => {
                format!("the same file as {}", show(first))
            }
            (SkillState::Undefined { .. }, _) => {
                "it or another of these; the harness leaves it open".to_owned()
            }
            (SkillState::HeldBack, _) => "it waits until the project is trusted".to_owned(),
            (SkillState::SwitchedOff, _) => "settings switch it off".to_owned(),
            (state, _) => {
                let worst = found.diagnostics.iter().rev().max_by_key(|it| it.severity);
                let at = worst.and_then(|it| candidate.file().position(it.span?));
                let why =
                    worst.map_or_else(|| state_code(state).to_owned(), |it| it.message.to_string());
                return (at, why);
            }
        };
        (None, why)
    }
}

/// The rules by which the files of skills are read.
pub(super) fn rules(reading: Reading) -> &'static ReadingRules {
    let rules = &reading.profile.rules;
    rules.skills.file_reading().unwrap_or(&rules.reading)
}

impl<'a> Candidate<'a> {
    fn new(found: &'a FoundSkill, rules: &'static ReadingRules) -> Self {
        let bytes = DiskTree.read(&found.skill.path, LARGEST_FILE).ok();
        let mut candidate = Candidate {
            found,
            at: None,
            bytes,
            rules,
        };
        candidate.at = match found.file {
            SkillFile::Instructions => None,
            _ => candidate.name_at(),
        };
        candidate
    }

    /// Where the name of the skill is written.
    fn name_at(&self) -> Option<LineColumn> {
        let name = written_name(self.bytes.as_deref()?, self.rules)?;
        // Another name may stand there, which does not count.
        (name.text == self.found.skill.name).then(|| self.file().position(name.span?))?
    }

    /// The file with its bytes.
    pub(crate) fn file(&self) -> FileView<'_> {
        FileView::new(
            &self.found.skill.reported,
            Some(&self.found.skill.path),
            self.bytes.as_deref(),
        )
    }

    /// The fields of the skill as they count.
    pub(crate) fn fields(&self) -> Vec<SkillField> {
        let skill = &self.found.skill;
        let key_at = |key: &str| {
            let span = written_key(self.bytes.as_deref()?, self.rules, key)?;
            self.file().position(span)
        };
        let field = |field, value: Option<String>, given, at| SkillField {
            field,
            value,
            given,
            at,
        };
        let description_at = key_at("description");
        let mut fields = vec![
            field("name", Some(skill.name.clone()), "its place", self.at),
            field(
                "description",
                skill.description.clone(),
                if skill.description.is_some() {
                    "default"
                } else {
                    ""
                },
                description_at,
            ),
        ];
        let (trigger, key) = match &skill.trigger {
            Trigger::Keywords(words) => (Some(words), "triggers"),
            Trigger::Task(words) => (Some(words), "triggers"),
            Trigger::Paths(patterns) => (Some(patterns), "paths"),
            _ => (None, ""),
        };
        if let Some(words) = trigger {
            fields.push(field(
                "trigger",
                Some(words.join(", ")),
                "its file",
                key_at(key),
            ));
        }
        let visible = match self.found.model_visible {
            true => "the model is told of it",
            false => "only when it is asked for by name",
        };
        fields.push(field("use", Some(visible.to_owned()), "its file", None));
        let lines = skill.content.lines().count();
        fields.push(field(
            "text",
            Some(crate::text::words::count(lines, "line")),
            "",
            None,
        ));
        fields
    }
}

impl<'a> SkillNear<'a> {
    fn of(kind: &'static str, found: &'a FoundSkill, rules: &'static ReadingRules) -> Self {
        SkillNear {
            kind,
            name: &found.skill.name,
            dialect: None,
            from: Cow::Borrowed(&found.skill.reported),
            at: Candidate::new(found, rules).at,
            why: None,
        }
    }

    fn passed_over(file: &NoSkill) -> Self {
        SkillNear {
            kind: "passed-over",
            name: "",
            dialect: None,
            from: Cow::Owned(file.path.to_string_lossy().replace('\\', "/")),
            at: None,
            why: Some(file.why.clone()),
        }
    }

    fn own(near_miss: SkillNearMiss<'a>, rules: &'static ReadingRules) -> Option<Self> {
        match near_miss {
            SkillNearMiss::Place(found) => Some(SkillNear::of("place", found, rules)),
            SkillNearMiss::OtherCase(found) => Some(SkillNear::of("other-case", found, rules)),
            SkillNearMiss::Similar(found) => Some(SkillNear::of("similar", found, rules)),
            _ => None,
        }
    }

    /// The same in words; `place` is where it lies.
    pub(crate) fn in_words(&self, place: &str) -> String {
        let name = printable(self.name);
        match (self.kind, self.dialect) {
            ("place", _) => {
                format!("{place} lies in a folder of this name, but its `name` is `{name}`")
            }
            ("other-case", _) => {
                format!("there is `{name}`, whose letters differ in case: {place}")
            }
            (_, Some((_, title))) => format!("{title} has a skill of this name: {place}"),
            ("passed-over", _) => {
                let why = self.why.as_deref().map(printable).unwrap_or_default();
                format!("{place} is passed over: {why}")
            }
            ("not-searched", _) => format!("{place} lies in no place that is searched for skills"),
            _ => format!("there is a skill `{name}`: {place}"),
        }
    }
}

/// Returns the code of a resolution with the skills that are meant.
pub(crate) fn parts<'a>(resolution: &Resolution<'a>) -> (&'static str, Vec<&'a FoundSkill>) {
    match resolution {
        Resolution::One(skill) => ("one", vec![*skill]),
        Resolution::Copies(skills) => ("copies", skills.clone()),
        Resolution::NotFixed(skills) => ("not-fixed", skills.clone()),
        Resolution::Unknown(skills) => ("unknown", skills.clone()),
        _ => ("other", Vec::new()),
    }
}

/// Tells what becomes of a name under the other profiles of a dialect.
fn others(
    request: &Request,
    survey: &SkillSurvey,
    name: &str,
    here: &Resolution<'_>,
) -> Vec<SkillProfile> {
    let Reading { dialect, profile } = survey.reading;
    let (code, skills) = parts(here);
    let profiles = dialect
        .profiles
        .iter()
        .filter(|other| other.id != profile.id);
    profiles
        .map(|profile| {
            let there = SkillSurvey::of(request, Reading { dialect, profile });
            let resolution = there.skills.resolve(name);
            let (code_there, found) = parts(&resolution);
            let places = |skills: &[&FoundSkill]| -> Vec<(String, SkillState)> {
                let place = |it: &&FoundSkill| (it.skill.reported.clone(), plain(it.state));
                skills.iter().map(place).collect()
            };
            let differing_fields = match (skills.first(), found.first()) {
                (Some(mine), Some(theirs)) if mine.skill.path == theirs.skill.path => {
                    differing(mine, theirs)
                }
                _ => Vec::new(),
            };
            SkillProfile {
                profile: profile.id,
                same: code == code_there
                    && places(&skills) == places(&found)
                    && differing_fields.is_empty(),
                resolution: code_there,
                files: found
                    .iter()
                    .map(|it| {
                        (
                            it.skill.path.clone(),
                            it.skill.reported.clone(),
                            state_code(it.state),
                        )
                    })
                    .collect(),
                differing_fields,
            }
        })
        .collect()
}

/// A state without the number of another skill, which is another one in another search.
fn plain(state: SkillState) -> SkillState {
    match state {
        SkillState::Shadowed { .. } => SkillState::Shadowed { by: 0 },
        SkillState::Undefined { .. } => SkillState::Undefined { first: 0 },
        SkillState::SameFile { .. } => SkillState::SameFile { first: 0 },
        state => state,
    }
}

fn differing(one: &FoundSkill, other: &FoundSkill) -> Vec<&'static str> {
    let (mine, theirs) = (&one.skill, &other.skill);
    let pairs = [
        ("name", mine.name == theirs.name),
        ("description", mine.description == theirs.description),
        ("trigger", mine.trigger == theirs.trigger),
        ("use", one.model_visible == other.model_visible),
        ("text", mine.content == theirs.content),
    ];
    let pairs = pairs.into_iter().filter(|(_, same)| !same);
    pairs.map(|(field, _)| field).collect()
}

impl SkillProfile {
    /// The change in words.
    pub(crate) fn in_words(&self, show: &dyn Fn(&Path) -> String) -> String {
        if self.same {
            return "the same".to_owned();
        }
        let files = self.files.iter().map(|(path, _, state)| match *state {
            "active" | "undefined" => show(path),
            state => format!("{} ({})", show(path), state.replace('-', " ")),
        });
        let files: Vec<String> = files.collect();
        match (self.resolution, files.as_slice()) {
            ("unknown", []) => "no skill".to_owned(),
            ("unknown", files) => format!("no skill; {} would have the name", files.join(", ")),
            ("one", files) if !self.differing_fields.is_empty() => {
                let fields = self.differing_fields.join(" and ");
                format!("{}, with another {fields}", files.join(", "))
            }
            ("one", files) => files.join(", "),
            ("copies", files) => format!("listed more than once: {}", files.join(", ")),
            (_, files) => format!("left open: {}", files.join(" or ")),
        }
    }
}
