//! How a skill is written.

use super::{ALLOWED_TOOLS, COMPATIBILITY, LICENSE, PROPERTIES};
use crate::definition::FieldName;
use crate::vocabulary::Vocabulary;
use crate::writing::{
    AccessRules, FileForm, KeptKeys, ModelForm, ModelWord, NameForm, NameStands, WritingRules,
    WrittenField,
};

pub(super) static WRITING: WritingRules = WritingRules {
    form: FileForm::NamedFolder {
        folder: ".agents/skills",
        file: "SKILL.md",
    },
    names: NameForm {
        stands: NameStands::Key,
        allows: |name| {
            !name.is_empty()
                && name.len() <= 64
                && !name.starts_with('-')
                && !name.ends_with('-')
                && !name.contains("--")
                && name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        },
        allowed: "at most 64 small letters and digits, with single hyphens between them",
        lower_case: true,
    },
    fields: &[
        WrittenField::new(FieldName::NAME, "name"),
        WrittenField::new(FieldName::DESCRIPTION, "description"),
        WrittenField::new(LICENSE, "license"),
        WrittenField::new(COMPATIBILITY, "compatibility"),
        WrittenField::new(ALLOWED_TOOLS, "allowed-tools"),
        WrittenField::new(PROPERTIES, "metadata"),
    ],
    derived: &[],
    unknown: KeptKeys::Nothing,
    models: ModelForm {
        inherit: None,
        names: ModelWord::Stored,
        families: &[],
        variant: None,
    },
    // A skill is text that any agent may load; the agent's own limits count.
    access: AccessRules {
        vocabulary: &Vocabulary {
            words: &[],
            own: &[],
            servers: None,
        },
        lists: None,
        effects: None,
        modes: &[],
        mode: None,
        delegates: None,
        always: &[],
        never: &[],
        adding: None,
        fields: &[],
    },
    hooks: None,
    servers: None,
};
