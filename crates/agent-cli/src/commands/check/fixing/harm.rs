//! What a change takes from anybody, or gives to an agent that nobody gave it.

use std::collections::BTreeMap;

use agent_discovery::FileTree;
use agent_schema::effects;
use agent_schema::{Applicability, Dialect, Fate};

use super::{Checked, Planned};
use crate::commands::check::gather::{ActiveAgent, FileReading, Files};

impl FileReading {
    /// Tells what became worse. The harness that wants a fix has tried what it does to the fields.
    fn harm(&self, now: &FileReading, wants: bool, is_safe: bool) -> Option<String> {
        if now.fate > self.fate {
            return Some(format!(
                "would have it as {}, not as {}",
                now.fate.as_str(),
                self.fate.as_str()
            ));
        }
        // Of a file that does not load, everything is lost.
        let loads = self.fate < Fate::Ignored;
        let lost = || now.lost.iter().find(|field| !self.lost.contains(field));
        if let Some(field) = lost().filter(|_| loads) {
            return Some(format!("would lose `{}`", field.as_str()));
        }
        if now.rights_widened && !self.rights_widened {
            return Some("would give the agent more rights".to_owned());
        }
        if wants || self.outcome() != "loaded" {
            return None;
        }
        if is_safe && self.skill != now.skill {
            return Some("would read the skill otherwise".to_owned());
        }
        let was = self.definition.as_ref()?;
        let Some(is) = &now.definition else {
            return Some("would lose the definition".to_owned());
        };
        was.fields().find_map(|(field, located)| {
            let field_now = is.field(field);
            match field_now {
                None => Some(format!("would lose `{}`", field.as_str())),
                Some(value) if is_safe && !value.value.same_content(&located.value) => {
                    Some(format!("would read `{}` otherwise", field.as_str()))
                }
                Some(_) => None,
            }
        })
    }
}

/// Tells what a change takes from anybody who reads the file; nothing if it harms nobody.
pub(super) fn harm(
    before: &[(&str, &Checked)],
    after: &Files,
    fixes: &[Planned],
) -> Option<String> {
    let first = fixes.first()?;
    let wants = |dialect: &Dialect| first.dialects.iter().any(|it| it.id == dialect.id);
    let mut safe = fixes.iter().map(|it| it.fix.applicability);
    let all_safe = safe.all(|applicability| applicability == Applicability::Safe);
    for (reported, checked) in before {
        let now = after.files.get(*reported);
        let mut met: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
        for reading in &checked.readings {
            let key = (reading.dialect.id, reading.inside.as_deref());
            let number = met.entry(key).or_default();
            let same = |it: &&FileReading| (it.dialect.id, it.inside.as_deref()) == key;
            let readings = now.map_or(&[][..], |it| &it.readings);
            let now = readings.iter().filter(same).nth(*number);
            *number += 1;
            // A file of several definitions is told as a whole only for what is wrong with it.
            let holds_others = |it: &FileReading| it.dialect.id == key.0 && it.inside.is_some();
            if now.is_none() && reading.definition.is_none() && readings.iter().any(holds_others) {
                continue;
            }
            let title = reading.dialect.title;
            // So is a file that is no agent, once nothing is wrong with it any more.
            let gives_nothing = reading.definition.is_none() && reading.skill.is_none();
            if now.is_none() && gives_nothing && wants(reading.dialect) {
                continue;
            }
            let Some(now) = now else {
                return Some(format!("{title} would not find it any more"));
            };
            if let Some(harm) = reading.harm(now, wants(reading.dialect), all_safe) {
                return Some(format!("{title} {harm}"));
            }
        }
    }
    None
}

/// Tells whether fixes that are not sure gain nothing: a finding goes, another one comes.
pub(super) fn vain(
    before: &[(&str, &Checked)],
    after: &Files,
    fixes: &[Planned],
) -> Option<String> {
    let mut applicabilities = fixes.iter().map(|it| it.fix.applicability);
    if applicabilities.all(|applicability| applicability == Applicability::Safe) {
        return None;
    }
    let shown = |checked: &Checked| {
        let findings = checked.findings.iter();
        findings.filter(|noted| noted.standing.is_shown()).count()
    };
    let was = before.iter().map(|(_, checked)| *checked);
    let now = before.iter().filter_map(|(name, _)| after.files.get(*name));
    let is_better =
        now.clone().filter_map(Checked::fate).max() < was.clone().filter_map(Checked::fate).max();
    let is_less = now.map(shown).sum::<usize>() < was.map(shown).sum();
    (!is_better && !is_less).then(|| "another finding would take the place of this one".to_owned())
}

/// Tells which agent may do more than before, with all its sources and settings together. `names`
/// are those of the file that is changed.
pub(super) fn gained(
    tree: &dyn FileTree,
    names: &[(&str, &Checked)],
    before: &Files,
    after: &Files,
) -> Option<String> {
    let (_, changed) = names.first()?;
    let real = tree.real_path(&changed.path).ok()?;
    let is_changed = |agent: &ActiveAgent| {
        let mut sources = agent.sources.iter();
        sources.any(|source| {
            let mut names = names.iter();
            names.any(|(_, checked)| source.file_name() == checked.path.file_name())
                && tree.real_path(source).is_ok_and(|path| path == real)
        })
    };
    let mut agents = after.agents.iter().filter(|(_, agent)| is_changed(agent));
    let ((_, name, _), _) = agents.find(|(key, now)| {
        before.agents.get(*key).is_some_and(|known| {
            let profile = now.reading.profile;
            effects::may_do_more(&now.definition, &known.definition, profile)
        })
    })?;
    Some(format!(
        "`{name}` may do more then, as the settings have it"
    ))
}

#[cfg(test)]
mod tests {
    use agent_schema::{File, dialects, parse};

    use super::*;

    fn read(text: &str) -> FileReading {
        let dialect = dialects::find("claude-code").expect("it is known");
        let file = File {
            name: "a.md",
            bytes: text.as_bytes(),
        };
        let parsed = parse(file, dialect, dialect.default_profile());
        FileReading {
            dialect,
            inside: None,
            fate: parsed.fate,
            verdict: None,
            lost: parsed.lost,
            rights_widened: parsed.rights_widened,
            definition: parsed.outcome.into_read(),
            skill: None,
        }
    }

    #[test]
    fn a_fix_that_takes_something_from_another_reader_is_told() {
        let text = |rest: &str| format!("---\nname: a\ndescription: d\n{rest}---\nWork.\n");
        let before = read(&text("maxTurns: 15\n"));
        let harm = |rest: &str, wants, is_safe| before.harm(&read(&text(rest)), wants, is_safe);
        assert_eq!(harm("maxTurns: 15\ncolor: red\n", false, true), None);
        let lost = Some("would lose `max_turns`".to_owned());
        assert_eq!(harm("", false, true), lost);
        assert_eq!(harm("", false, false), lost);
        // Whoever wants the fix has tried it.
        assert_eq!(harm("", true, true), None);
        let otherwise = Some("would read `max_turns` otherwise".to_owned());
        assert_eq!(harm("maxTurns: 16\n", false, true), otherwise);
        assert_eq!(harm("maxTurns: 16\n", false, false), None);

        let gone = read("---\nname: a\n---\nWork.\n");
        assert_eq!(gone.fate, Fate::Rejected);
        let worse = before.harm(&gone, true, false);
        assert_eq!(
            worse.as_deref(),
            Some("would have it as rejected, not as loaded")
        );
    }
}
