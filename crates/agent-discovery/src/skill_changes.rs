//! What is different between two looks at the same skills.

use agent_schema::dialects::skills::DISABLE_MODEL_INVOCATION;
use agent_schema::{FieldName, Level};

use crate::changes::{Change, Standing};
use crate::entry::Source;
use crate::skills::{FoundSkill, SkillState, Skills};
use crate::spots;

/// When the harness adds the text of a skill by itself.
const TRIGGER: FieldName = FieldName::of_dialect("trigger");

/// Lists what is different between two searches for the same skills, as [`changes`](crate::changes())
/// does for agents. Beside nothing ([`Skills::default`]) everything is new.
#[must_use]
pub fn skill_changes(before: &Skills, now: &Skills) -> Vec<Change> {
    let paired = spots::pair(spots(before), spots(now));
    let mut changes = Vec::new();
    for (index, earlier) in paired.earlier.into_iter().enumerate() {
        let new = Look::at(now, index);
        match earlier {
            Some(index) => compare(Look::at(before, index), new, &mut changes),
            None => changes.push(new.appeared()),
        }
    }
    let gone = paired.gone.into_iter();
    changes.extend(gone.map(|index| Look::at(before, index).vanished()));
    changes
}

/// What makes two skills of different looks the same one: the path and the level.
fn spots(skills: &Skills) -> impl Iterator<Item = (&str, Level)> {
    let found = skills.found.iter();
    found.map(|it| (it.skill.reported.as_str(), it.level))
}

/// A skill among all that were found with it.
#[derive(Clone, Copy)]
struct Look<'a> {
    among: &'a Skills,
    index: usize,
}

impl<'a> Look<'a> {
    fn at(among: &'a Skills, index: usize) -> Self {
        Look { among, index }
    }

    fn found(self) -> &'a FoundSkill {
        &self.among.found[self.index]
    }

    fn standing(self) -> Standing {
        let path_of = |index: usize| self.among.found[index].skill.reported.clone();
        match self.found().state {
            SkillState::Active => Standing::Active,
            SkillState::Shadowed { by } => Standing::Shadowed {
                by: path_of(by),
                rule: None,
            },
            SkillState::Undefined { .. } => Standing::Undefined,
            SkillState::SameFile { first } => Standing::SameFile {
                first: path_of(first),
            },
            SkillState::SwitchedOff => Standing::SwitchedOff,
            SkillState::HeldBack => Standing::HeldBack,
            SkillState::Ignored => Standing::Ignored(None),
            SkillState::Rejected => Standing::Rejected,
        }
    }

    fn change(self) -> Change {
        let found = self.found();
        Change {
            name: found.skill.name.clone(),
            source: Source {
                level: found.level,
                path: Some(found.skill.path.clone()),
                inside: None,
                place: found.place,
                scan_index: u32::try_from(self.index).unwrap_or(u32::MAX),
                reported: found.skill.reported.clone(),
            },
            before: None,
            now: None,
            fields: Vec::new(),
        }
    }

    fn appeared(self) -> Change {
        Change {
            now: Some(self.standing()),
            ..self.change()
        }
    }

    fn vanished(self) -> Change {
        Change {
            before: Some(self.standing()),
            ..self.change()
        }
    }
}

/// Compares a skill with what it was before.
fn compare(before: Look<'_>, now: Look<'_>, changes: &mut Vec<Change>) {
    if before.found().skill.name != now.found().skill.name {
        changes.extend([before.vanished(), now.appeared()]);
        return;
    }
    let (was, is) = (before.standing(), now.standing());
    let fields = match loads(&was) && loads(&is) {
        true => differing_fields(before.found(), now.found()),
        false => Vec::new(),
    };
    if was != is || !fields.is_empty() {
        changes.push(Change {
            before: Some(was),
            now: Some(is),
            fields,
            ..now.change()
        });
    }
}

fn loads(standing: &Standing) -> bool {
    !matches!(standing, Standing::Rejected | Standing::Ignored(_))
}

/// Returns the fields that say something else than before.
fn differing_fields(before: &FoundSkill, now: &FoundSkill) -> Vec<FieldName> {
    let differs = [
        (
            FieldName::DESCRIPTION,
            before.skill.description != now.skill.description,
        ),
        (FieldName::PROMPT, before.skill.content != now.skill.content),
        (TRIGGER, before.skill.trigger != now.skill.trigger),
        (
            DISABLE_MODEL_INVOCATION,
            before.model_visible != now.model_visible,
        ),
    ];
    let differing = differs.into_iter().filter(|(_, differs)| *differs);
    differing.map(|(field, _)| field).collect()
}
