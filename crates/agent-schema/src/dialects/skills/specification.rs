//! The pure format: the Agent Skills specification as its reference library checks it.
//!
//! Source of every rule: `skills-ref` 0.1.1, run on the cases of `agent-skills/parse`. It reads a
//! skill with a name and a description whatever else is wrong, and complains of the rest.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::coerce::{Coerced, Remarks, python};
use crate::definition::{FieldName, FieldValue, FloatWords, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{
    Absent, AliasUse, Basis, Dialect, Field, FileRules, KeyRules, NotTextKeys, Profile,
    ReadingRules, Rules, SearchRules, SkillRules, UnknownKeys,
};
use crate::finish::{self, Finish};
use crate::header::{
    Broken, BrokenPrompt, Consequence, Fence, HeaderForm, HeaderRules, Language, NotAMap, Trim,
    Unclosed,
};
use crate::known_words::KnownWords;
use crate::rules::{self, Rule};
use crate::skill_rules::SkillListing;
use crate::source::Span;
use crate::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds};
use crate::value::{Entry, Mapping, Node, Style, Value};
use crate::yaml;

use super::checks::{LONGEST_DESCRIPTION, LONGEST_NAME, Text, refuse};
use super::{ALLOWED_TOOLS, COMPATIBILITY, LICENSE, PROPERTIES, SKILL_FILE, as_written};

/// The dialect.
pub static AGENT_SKILLS: Dialect = Dialect {
    id: "agent-skills",
    title: "Agent Skills",
    profiles: &[Profile {
        id: "skills-ref",
        program: "skills-ref",
        harness: "skills-ref 0.1.1",
        recorded_as: None,
        basis: Basis::Ran,
        rules: RULES,
    }],
    foreign_keys: &[
        ("tools", "allowed-tools"),
        ("requirements", "compatibility"),
    ],
};

const RULES: Rules = Rules {
    agents: SearchRules {
        files: FileRules {
            // `find_skill_md` takes `SKILL.md` or else `skill.md`, and no third spelling.
            split: |name| match name {
                "skill.md" => ("", "SKILL.md"),
                name => ("", name),
            },
            ..SKILL_FILE
        },
        ..BASE.agents
    },
    ..BASE
};

const BASE: Rules = super::skills_only(
    READING,
    SkillRules {
        listing: SkillListing::TagPerLine,
        ..SkillRules::NONE
    },
);

const READING: ReadingRules = ReadingRules {
    encoding: Encoding {
        invalid: InvalidBytes::Refused,
        byte_order_mark: ByteOrderMark::Kept,
        line_ends: LineEnds::Universal,
    },
    header: HeaderRules {
        trim_file: Trim::Nothing,
        // `content.split("---", 2)`: the dashes count wherever they stand.
        forms: &[HeaderForm {
            language: Language::Yaml,
            opening: Fence::Characters("---"),
            closing: Fence::Characters("---"),
        }],
        trim_header: Trim::Nothing,
        trim_body: Trim::Python,
        absent: Consequence::Rejected,
        unclosed: Unclosed::Treated(Consequence::Rejected),
        repair: None,
        broken: Broken {
            consequence: Consequence::Rejected,
            prompt: BrokenPrompt::Body,
            harness_says: true,
        },
        not_a_map: |_| NotAMap::Treated(Consequence::Rejected),
        empty_map: None,
    },
    yaml: yaml::STRICT_YAML,
    keys: KeyRules {
        unknown: UnknownKeys::Invalid,
        reserved: &[],
        not_text: NotTextKeys::PassedOver,
        inert: &[],
        aliases: AliasUse::WhenAbsent,
        effective: &[],
    },
    fields: &[
        field(
            "name",
            FieldName::NAME,
            "lower-case letters, digits and hyphens",
        ),
        field(
            "description",
            FieldName::DESCRIPTION,
            "a text of at most 1024 characters",
        ),
        Field {
            read: license,
            ..field("license", LICENSE, "the name of a licence")
        },
        field(
            "compatibility",
            COMPATIBILITY,
            "a text of at most 500 characters",
        ),
        Field {
            read: allowed_tools,
            ..field(
                "allowed-tools",
                ALLOWED_TOOLS,
                "names of tools with blanks between them",
            )
        },
        Field {
            read: properties,
            ..field("metadata", PROPERTIES, "a map from texts to texts")
        },
    ],
    shown: &[
        FieldName::NAME,
        FieldName::DESCRIPTION,
        FieldName::PROMPT,
        LICENSE,
        COMPATIBILITY,
        ALLOWED_TOOLS,
        PROPERTIES,
    ],
    refused: Consequence::Rejected,
    finish: check,
    resolve: finish::as_read,
    float_words: FloatWords::Python,
    known_words: &KnownWords::NONE,
};

const fn field(key: &'static str, target: FieldName, accepts: &'static str) -> Field {
    Field {
        key,
        aliases: &[],
        target,
        read: as_written,
        absent: Absent::Unset,
        accepts,
    }
}

/// Notes commas, which the specification does not part names with. Several harnesses do, and the
/// library says nothing.
fn allowed_tools(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    let is_listed = |text: &str| {
        let mut depth = 0_i32;
        text.chars().any(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth == 0
        })
    };
    if node.as_text().is_some_and(is_listed) {
        let message = "commas stand between the names of `allowed-tools`";
        let finding = Diagnostic::new(&rules::LIST_IN_ONE_NAME, message)
            .at(node.span)
            .because(
                "the specification of Agent Skills parts them with blanks alone, so that a reader \
                 that follows it takes a comma for a part of the name",
            )
            .help("write blanks between the names: `Read Grep`");
        remarks.list.push(Diagnostic {
            severity: Severity::Info,
            ..finding
        });
    }
    if let Some(kind) = other_than_text(node) {
        remarks.list.push(unlike_the_specification(
            node.span,
            format!("`allowed-tools` is a {kind}, where the specification wants a text"),
            "write the names in one line with blanks between them: `Read Grep`",
        ));
    }
    as_written(node, remarks)
}

/// Notes a licence that is no text.
fn license(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    if let Some(kind) = other_than_text(node) {
        remarks.list.push(unlike_the_specification(
            node.span,
            format!("`license` is a {kind}, where the specification wants a text"),
            "write the name of the licence, or of the file that holds it",
        ));
    }
    as_written(node, remarks)
}

fn other_than_text(node: &Node) -> Option<&'static str> {
    match node.get() {
        Value::List(_) => Some("list"),
        Value::Map(_) => Some("map"),
        _ => None,
    }
}

/// Makes the finding about a value that the library does not look at and others may refuse.
fn unlike_the_specification(span: Span, message: String, help: &'static str) -> Diagnostic {
    let finding = Diagnostic::new(&rules::INVALID_VALUE, message)
        .at(span)
        .because("the library does not look at it, and a reader that wants a text may refuse it")
        .help(help);
    Diagnostic {
        severity: Severity::Info,
        ..finding
    }
}

/// Turns the values of a map into texts, nested ones into what Python prints.
fn properties(node: &Node, remarks: &mut Remarks<'_>) -> Coerced {
    const HELP: &str = "write texts behind keys: `metadata:` and below it `author: name`";
    let Some(map) = node.as_map() else {
        if !node.is_null() {
            let message = "`metadata` is no map, as the specification wants it".to_owned();
            let finding = unlike_the_specification(node.span, message, HELP);
            remarks.list.push(finding);
        }
        return as_written(node, remarks);
    };
    for entry in &map.entries {
        if let Some(kind) = other_than_text(&entry.value) {
            let key = python::text(&entry.key).unwrap_or_default();
            let message =
                format!("`metadata.{key}` is a {kind}, where the specification wants a text");
            let finding = unlike_the_specification(entry.value.span, message, HELP);
            remarks.list.push(finding);
        }
    }
    let as_text = |entry: &Entry| {
        let text = python::text(&entry.value).ok()?;
        Some(Entry {
            key: entry.key.clone(),
            value: Node::new(Value::Text(text.into()), entry.value.span, Style::Plain),
        })
    };
    let mapping = Mapping {
        entries: map.entries.iter().filter_map(as_text).collect(),
        ..Mapping::default()
    };
    let texts = Node::new(Value::Map(mapping), node.span, node.style);
    Ok(Some(FieldValue::config(texts)))
}

/// Checks what `read_properties` demands and what `validate` complains of.
fn check(finish: &mut Finish<'_>) {
    if finish.is_lost {
        return;
    }
    check_name(finish);
    check_description(finish);
    check_compatibility(finish);
}

fn check_name(finish: &mut Finish<'_>) {
    let missing = (&rules::SKILL_NAME_MISSING, &rules::SKILL_NAME_EMPTY);
    let Some(name) = required(finish, FieldName::NAME, missing) else {
        return;
    };
    let span = finish
        .definition
        .place(FieldName::NAME)
        .map(|place| place.value);
    // Names are compared and counted in their normal form but kept as they are written.
    let normal: String = name.nfkc().collect();
    let text = Text {
        field: FieldName::NAME,
        text: &normal,
        span,
    };
    let findings = &mut finish.findings;
    let length = (normal.chars().count(), LONGEST_NAME);
    text.check_length(
        "name",
        length,
        (&rules::SKILL_NAME_LENGTH, WHY_NAME),
        findings,
    );
    if normal != normal.to_lowercase() {
        let finding = text.finding(&rules::SKILL_NAME_CASE, "the name has capital letters");
        findings.push(
            finding
                .because(WHY_NAME)
                .help("write the name and that of the folder in lower case"),
        );
    }
    text.check_hyphens(WHY_NAME, findings);
    if !normal.chars().all(|c| c == '-' || is_alphanumeric(c)) {
        let message = "the name has characters that it may not have";
        findings.push(
            text.finding(&rules::SKILL_NAME_CHARS, message)
                .because(WHY_NAME)
                .help("use letters, digits and hyphens, also in the name of the folder"),
        );
    }
    if let Some(folder) = &finish.inputs.folder
        && folder.nfkc().collect::<String>() != normal
    {
        let message = format!("the name is not that of the folder, `{folder}`");
        findings.push(
            text.finding(&rules::SKILL_NAME_DIR_MISMATCH, message)
                .because("the specification wants the folder to have the name of its skill")
                .help(same_name(&normal, folder)),
        );
    }
    set_text(finish, FieldName::NAME, name);
}

/// Says how the folder and the skill get one name: one that may be one.
fn same_name(name: &str, folder: &str) -> String {
    match (may_be_name(name), may_be_name(folder)) {
        (true, true) => format!("rename the folder to `{name}`, or the skill to `{folder}`"),
        (true, false) => format!("rename the folder to `{name}`"),
        (false, true) => format!("rename the skill to `{folder}`"),
        (false, false) => {
            "give both one name of small letters, digits and single hyphens".to_owned()
        }
    }
}

/// Returns whether a name breaks none of the rules for names.
fn may_be_name(name: &str) -> bool {
    name.chars().count() <= LONGEST_NAME
        && name == name.to_lowercase()
        && name.chars().all(|c| c == '-' || is_alphanumeric(c))
        && name.split('-').all(|part| !part.is_empty())
}

fn check_description(finish: &mut Finish<'_>) {
    let missing = (
        &rules::SKILL_DESCRIPTION_MISSING,
        &rules::SKILL_DESCRIPTION_EMPTY,
    );
    // The length counts before the ends are taken off.
    let written = finish.definition.text(FieldName::DESCRIPTION);
    let length = written.map_or(0, |text| text.chars().count());
    let Some(description) = required(finish, FieldName::DESCRIPTION, missing) else {
        return;
    };
    let text = Text {
        field: FieldName::DESCRIPTION,
        text: &description,
        span: finish
            .definition
            .place(FieldName::DESCRIPTION)
            .map(|place| place.value),
    };
    text.check_length(
        "description",
        (length, LONGEST_DESCRIPTION),
        (&rules::SKILL_DESCRIPTION_LENGTH, WHY_LENGTH),
        &mut finish.findings,
    );
    set_text(finish, FieldName::DESCRIPTION, description);
}

fn check_compatibility(finish: &mut Finish<'_>) {
    const LONGEST: usize = 500;
    let Some(written) = finish.definition.field(COMPATIBILITY) else {
        return;
    };
    let span = written.place.map(|place| place.value);
    match &written.value {
        FieldValue::Text(written) => Text {
            field: COMPATIBILITY,
            text: written,
            span,
        }
        .check_length(
            "`compatibility`",
            (written.chars().count(), LONGEST),
            (&rules::SKILL_COMPATIBILITY_LENGTH, WHY_LENGTH),
            &mut finish.findings,
        ),
        _ => {
            let text = Text {
                field: COMPATIBILITY,
                text: "",
                span,
            };
            let message = "`compatibility` must be a text";
            finish.findings.push(
                text.finding(&rules::SKILL_COMPATIBILITY_TYPE, message)
                    .because("the specification describes the surroundings in one text")
                    .help("write one line of text"),
            );
        }
    }
}

/// Returns a field that must be there, without white space at its ends.
fn required(
    finish: &mut Finish<'_>,
    field: FieldName,
    (missing, empty): (&'static Rule, &'static Rule),
) -> Option<String> {
    const WHY: &str = "the reference library cannot read a skill without it";
    match finish.definition.field(field).map(|field| &field.value) {
        Some(FieldValue::Text(text)) if !python::strip(text).is_empty() => {
            Some(python::strip(text).to_owned())
        }
        Some(_) => {
            let message = format!("`{field}` must be a text that is not empty");
            refuse(finish, field, empty, message, WHY);
            None
        }
        None => {
            refuse(
                finish,
                field,
                missing,
                format!("there is no `{field}`"),
                WHY,
            );
            None
        }
    }
}

fn set_text(finish: &mut Finish<'_>, field: FieldName, text: String) {
    let place = finish.definition.place(field);
    let value = FieldValue::text(text);
    finish.definition.set(field, Located { value, place });
}

/// Python's `str.isalnum()`, of which Rust's differs for marks and for letters in circles.
fn is_alphanumeric(c: char) -> bool {
    c.is_alphanumeric() && !is_combining_mark(c) && !matches!(c, '\u{1f130}'..='\u{1f189}')
}

const WHY_NAME: &str = "the specification allows at most 64 lower-case letters, digits and single \
                        hyphens between them";
const WHY_LENGTH: &str = "the specification sets this limit";
