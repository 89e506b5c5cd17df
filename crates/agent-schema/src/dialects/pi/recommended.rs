//! The schema that was recommended for the agent files of Pi, before any loader was written.
//!
//! No harness behaves so. It is stricter than each of them: what is wrong is refused with a word,
//! and a file never loads with less than its author wrote.

use crate::coerce::{self, Coerced, Problem, Remarks, pydantic};
use crate::definition::{FieldName, FieldValue, FloatWords};
use crate::diagnostic::Diagnostic;
use crate::dialect::{
    Absent, Base, EffectRules, FactoryRules, Field, FileRules, Folders, Level, MergeRules,
    Precedence, ReadingRules, Rules, SearchPlace, SearchRules, StartRules, ToolDecision,
    Unreadable, Walk, WalkEnd, WalkStop,
};
use crate::dialects::skills;
use crate::finish::{self, Finish};
use crate::header::Consequence;
use crate::rules;
use crate::surroundings::FolderList;
use crate::value::{Node, Value};
use crate::writing::effect_of;
use crate::yaml::NPM_YAML;

use super::writing::recommended_permissions;
use super::{
    AGENT_FOLDER, ENCODING, EXACT_NAMES, FILES, HEADER, KEYS, NO_PLUGINS, TRUST, known_words,
};

pub(super) const RULES: Rules = Rules {
    reading: ReadingRules {
        float_words: FloatWords::Java,
        known_words: &known_words::RECOMMENDED,
        encoding: ENCODING,
        header: HEADER,
        yaml: NPM_YAML,
        keys: KEYS,
        fields: FIELDS,
        shown: SHOWN,
        refused: Consequence::Rejected,
        finish: warn_of_other_stem,
        resolve: finish::as_read,
    },
    agents: SearchRules {
        trusted_only: &[Level::Project],
        trust: Some(&TRUST),
        ..SearchRules::of(PLACES, AGENT_FILES, Precedence::FirstPlaceNoTwins)
    },
    searches: &[],
    roster: None,
    merging: MergeRules::NONE,
    plugins: NO_PLUGINS,
    skills: skills::pi::RULES,
    lookup: EXACT_NAMES,
    factory: FactoryRules {
        inherit_words: &["inherit"],
        // What is not named is left open, and so allowed.
        start: StartRules {
            tools: ToolDecision::Effects(EffectRules {
                fields: &[PERMISSIONS],
                complete: None,
                read: recommended_permissions,
                defaults: &[],
                actions: &[],
                deny: "deny",
            }),
            ..StartRules::PLAIN
        },
        ..FactoryRules::PLAIN
    },
    writing: &super::writing::RECOMMENDED,
};

const PLACES: &[SearchPlace] = &[
    SearchPlace::at(Level::Project, Base::Project, ".pi/agents").walking(Walk::Up {
        until: &[WalkStop::Repository, WalkStop::BelowHome],
        first: WalkEnd::Nearest,
    }),
    SearchPlace::at(Level::User, AGENT_FOLDER, "agents"),
    SearchPlace::at(Level::Package, Base::Listed(&FolderList::SwitchedOn), ""),
];

const AGENT_FILES: FileRules = FileRules {
    folders: Folders::TriedAsFiles,
    unreadable: Unreadable::Told,
    ..FILES
};

pub(super) const CONTEXT: FieldName = FieldName::of_dialect("context");
pub(super) const PERMISSIONS: FieldName = FieldName::of_dialect("permissions");

const SHOWN: &[FieldName] = &[
    FieldName::NAME,
    FieldName::DESCRIPTION,
    FieldName::PROMPT,
    FieldName::MODEL,
    CONTEXT,
    PERMISSIONS,
    FieldName::HIDDEN,
    FieldName::COLOR,
];

static FIELDS: &[Field] = &[
    Field {
        key: "name",
        aliases: &[],
        target: FieldName::NAME,
        read: slug,
        absent: Absent::Loses(Consequence::Rejected),
        accepts: "small letters, digits and hyphens",
    },
    Field {
        key: "description",
        aliases: &[],
        target: FieldName::DESCRIPTION,
        read: filled_text,
        absent: Absent::Loses(Consequence::Rejected),
        accepts: "a text that says when to use the agent",
    },
    Field {
        key: "model",
        aliases: &[],
        target: FieldName::MODEL,
        read: filled_text,
        absent: Absent::Unset,
        accepts: "`inherit` or the name of a model",
    },
    Field {
        key: "context",
        aliases: &[],
        target: CONTEXT,
        read: filled_text,
        absent: Absent::Unset,
        accepts: "a text such as `fork`",
    },
    Field {
        key: "permissions",
        aliases: &[],
        target: PERMISSIONS,
        read: permissions,
        absent: Absent::Unset,
        accepts: "a map such as `tools: {read: allow, write: deny}`",
    },
    Field {
        key: "hidden",
        aliases: &[],
        target: FieldName::HIDDEN,
        read: flag,
        absent: Absent::Unset,
        accepts: "`true` or `false`",
    },
    Field {
        key: "color",
        aliases: &[],
        target: FieldName::COLOR,
        read: filled_text,
        absent: Absent::Unset,
        accepts: "a text; a value that begins with `#` needs quotes",
    },
];

fn refused(node: &Node, wanted: &str) -> Problem {
    let complaint = format!("must be {wanted}, not {}", pydantic::article(node));
    Problem::rejects(node.span, complaint)
}

fn slug(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let name = node.as_text().ok_or_else(|| refused(node, "a text"))?;
    let is_slug = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match name {
        "" => Ok(None),
        _ if name.chars().all(is_slug) => Ok(Some(FieldValue::text(name.to_owned()))),
        _ => Err(Problem::rejects(
            node.span,
            format!(
                "must be small letters, digits and hyphens, not `{}`",
                coerce::shorten(name)
            ),
        )),
    }
}

fn filled_text(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null => Ok(None),
        Value::Text(text) if text.trim().is_empty() => Ok(None),
        Value::Text(text) => Ok(Some(FieldValue::text(text.to_string()))),
        _ => Err(refused(node, "a text")),
    }
}

fn flag(node: &Node, _: &mut Remarks<'_>) -> Coerced {
    match node.get() {
        Value::Null => Ok(None),
        Value::Bool(value) => Ok(Some(FieldValue::Flag(*value))),
        _ => Err(refused(node, "true or false")),
    }
}

/// The recommendation shows `tools` with `allow` and `deny` and leaves the rest open.
fn permissions(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if node.is_null() {
        return Ok(None);
    }
    let map = node.as_map().ok_or_else(|| refused(node, "a map"))?;
    let rules = map.entries.iter().filter(|entry| {
        let mut nested = entry
            .value
            .as_map()
            .into_iter()
            .flat_map(|map| &map.entries);
        let is_other = entry.key.as_text() != Some("tools");
        is_word(&entry.value) || (is_other && nested.any(|rule| is_word(&rule.value)))
    });
    for entry in rules {
        let message = "this has no effect: the rules for tools stand below `tools`";
        remarks.dropped(entry.key.span, message);
    }
    if let Some(tools) = map.get("tools") {
        let rules = tools.value.as_map();
        let rules = rules.ok_or_else(|| refused(&tools.value, "a map from tools to words"))?;
        for rule in &rules.entries {
            if !is_word(&rule.value) {
                let complaint = "has a tool that is none of `allow`, `ask` and `deny`";
                return Err(Problem::rejects(rule.value.span, complaint));
            }
        }
    }
    Ok(Some(FieldValue::config(node.clone())))
}

/// Returns whether a value is one of the words for a tool.
fn is_word(node: &Node) -> bool {
    node.as_text().and_then(effect_of).is_some()
}

/// A file may have any name, but one that differs from its agent's is easily overlooked.
fn warn_of_other_stem(finish: &mut Finish<'_>) {
    let name = finish.definition.name();
    // Of a file that is lost, the name of the file is the least fault.
    if finish.is_lost {
        return;
    }
    let stem = finish.file_name.strip_suffix(".md");
    let Some(place) = finish.definition.place(FieldName::NAME) else {
        return;
    };
    if stem != Some(name) {
        let message = format!(
            "the file is called `{}`, its agent `{name}`",
            finish.file_name
        );
        finish.findings.push(
            Diagnostic::new(&rules::OTHER_STEM, message)
                .at(place.value)
                .because("the recommended schema takes the name from the header alone")
                .help("rename the file after the agent")
                .said_by_harness(),
        );
    }
}
