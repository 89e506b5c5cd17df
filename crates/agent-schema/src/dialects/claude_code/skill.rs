//! How a `SKILL.md` is read: nothing drops it, and its folder names it.
//!
//! Source of every rule: cases `parse/skill-*`, both versions.

use super::plugin;
use crate::coerce::{Coerced, Remarks, javascript, shorten};
use crate::definition::{Definition, FieldName, FieldValue, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Absent, Field};
use crate::finish::Finish;
use crate::rules;
use crate::source::Span;
use crate::value::{Node, Value};

pub(super) const DISPLAY_NAME: FieldName = FieldName::of_dialect("display_name");
const WHEN_TO_USE: FieldName = FieldName::of_dialect("when_to_use");
const NOT_FOR_MODEL: FieldName = FieldName::of_dialect("disable_model_invocation");
const FOR_USER: FieldName = FieldName::of_dialect("user_invocable");
/// The text that offers the skill to the model; unset if it is not offered.
const MODEL_ROSTER: FieldName = FieldName::of_dialect("model_roster");
/// Whether the user can call the skill.
const SLASH_COMMAND: FieldName = FieldName::of_dialect("slash_command");
/// Whether the first message of a session lists the skill.
const IN_INIT_SKILLS: FieldName = FieldName::of_dialect("in_init_skills");

pub(super) const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    DISPLAY_NAME,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    WHEN_TO_USE,
    NOT_FOR_MODEL,
    FOR_USER,
    MODEL_ROSTER,
    SLASH_COMMAND,
    IN_INIT_SKILLS,
];

/// The fields of 2.1.332, which also takes `yes` and `on` for true.
pub(super) static FIELDS: &[Field] = &[
    NAME,
    DESCRIPTION,
    WHEN,
    flag("disable-model-invocation", NOT_FOR_MODEL, false, any_flag),
    flag("user-invocable", FOR_USER, true, any_flag),
];

/// The fields of 2.1.197.
pub(super) static OLD_FIELDS: &[Field] = &[
    NAME,
    DESCRIPTION,
    WHEN,
    flag("disable-model-invocation", NOT_FOR_MODEL, false, old_flag),
    flag("user-invocable", FOR_USER, true, old_flag),
];

const NAME: Field = Field {
    target: DISPLAY_NAME,
    read: |node, _| Ok(shown_name(node)),
    absent: Absent::Unset,
    accepts: "a text that is shown instead of the name of the folder",
    ..plugin::NAME
};

const DESCRIPTION: Field = Field {
    accepts: "a text that says when to use the skill",
    ..plugin::DESCRIPTION
};

const WHEN: Field = Field {
    key: "when_to_use",
    target: WHEN_TO_USE,
    accepts: "a text that is added to the description",
    ..plugin::DESCRIPTION
};

const fn flag(
    key: &'static str,
    target: FieldName,
    absent: bool,
    read: fn(&Node, &mut Remarks<'_>) -> Coerced,
) -> Field {
    Field {
        key,
        aliases: &[],
        target,
        read,
        absent: Absent::Flag(absent),
        accepts: "`true` or `false`",
    }
}

fn shown_name(node: &Node) -> Option<FieldValue> {
    javascript::is_truthy(node).then(|| FieldValue::text(javascript::text(node)))
}

fn any_flag(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    Ok(match javascript::text(node).to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(FieldValue::Flag(true)),
        "false" | "no" | "off" | "0" => Some(FieldValue::Flag(false)),
        _ => None,
    })
}

fn old_flag(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    Ok(match node.get() {
        Value::Bool(value) => Some(FieldValue::Flag(*value)),
        Value::Text(text) if &**text == "true" => Some(FieldValue::Flag(true)),
        Value::Text(text) if &**text == "false" => Some(FieldValue::Flag(false)),
        _ => None,
    })
}

/// Names the skill after its folder, finds a description in the text where none is written, and
/// works out who is offered it.
pub(super) fn finish(finish: &mut Finish<'_>) {
    let definition = &mut *finish.definition;
    let folder = finish.inputs.folder.clone().unwrap_or_default();
    if definition.field(DISPLAY_NAME).is_none() {
        imply(definition, DISPLAY_NAME, FieldValue::text(folder.clone()));
    }
    imply(definition, FieldName::NAME, FieldValue::text(folder));
    let described = definition.field(FieldName::DESCRIPTION).is_some();
    if !described {
        let text = first_line(definition.prompt().unwrap_or_default());
        imply(definition, FieldName::DESCRIPTION, FieldValue::text(text));
    }
    let for_user = definition.flag(FOR_USER) != Some(false);
    if definition.flag(NOT_FOR_MODEL) != Some(true) {
        let (text, cut) = roster_text(definition);
        imply(definition, MODEL_ROSTER, FieldValue::text(text));
        finish.findings.extend(cut.map(too_long));
    }
    imply(definition, SLASH_COMMAND, FieldValue::Flag(for_user));
    let listed = FieldValue::Flag(for_user && described);
    imply(definition, IN_INIT_SKILLS, listed);
    finish.findings.extend(other_name(definition));
}

/// The folder names the skill (case `parse/skill-dirname`); the name in the header is shown.
fn other_name(definition: &Definition) -> Option<Diagnostic> {
    let place = definition.place(DISPLAY_NAME)?;
    let (shown, folder) = (definition.text(DISPLAY_NAME)?, definition.name());
    if shown == folder || folder.is_empty() {
        return None;
    }
    let finding = Diagnostic::new(
        &rules::SKILL_NAME_DIR_MISMATCH,
        format!(
            "the skill is called `{}`, after its folder",
            shorten(folder)
        ),
    )
    .at(place.value)
    .because("Claude Code only shows the name in the header; agents and people name the folder")
    .help("give the folder and the skill one name");
    Some(Diagnostic {
        severity: Severity::Info,
        ..finding
    })
}

fn too_long(at: Span) -> Diagnostic {
    Diagnostic::new(
        &rules::SKILL_DESCRIPTION_LENGTH,
        format!("the description is cut to {MOST} characters, and the model does not see the rest"),
    )
    .at(at)
    .because("Claude Code cuts what it tells the model about each skill")
    .help("shorten the description; details belong into the text of the skill")
}

/// The most of a skill's description that the model is told, in JavaScript's units of 16 bits.
const MOST: usize = 1536;

fn imply(definition: &mut Definition, field: FieldName, value: FieldValue) {
    definition.set(field, Located::implied(value));
}

/// Returns the first line that is not blank, without the mark of a heading.
fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(javascript::trim);
    let line = lines.find(|line| !line.is_empty()).unwrap_or("Skill");
    let heading = line.trim_start_matches('#');
    let text = javascript::trim(heading);
    let is_heading = heading.len() < line.len() && heading.starts_with(javascript::is_space);
    match is_heading && !text.is_empty() {
        true => text.to_owned(),
        false => line.to_owned(),
    }
}

/// Returns the text that offers the skill, cut where the program cuts it, and what is cut off as
/// far as its place is known.
fn roster_text(definition: &Definition) -> (String, Option<Span>) {
    let description = definition.description();
    let text = match definition.text(WHEN_TO_USE) {
        Some(when) => format!("{description} - {when}"),
        None => description.to_owned(),
    };
    let units = |text: &str| text.encode_utf16().count();
    if units(&text) <= MOST {
        return (text, None);
    }
    let mut room = MOST - 1;
    let kept = text.chars().take_while(|c| {
        let fits = c.len_utf16() <= room;
        room = room.saturating_sub(c.len_utf16());
        fits
    });
    let kept: String = kept.collect();
    let place = definition.place(FieldName::DESCRIPTION).map(|place| {
        let at = place.value;
        // Only a text that is written as it is read has each character in its place.
        let is_plain = at.len() as usize == description.len();
        match u32::try_from(kept.len()) {
            Ok(kept) if is_plain && kept < at.len() => Span::new(at.start + kept, at.end),
            _ => at,
        }
    });
    (kept + "…", place)
}
