//! The rules that findings belong to: stable codes, each with a page of its own in this folder.
#![allow(
    rustdoc::invalid_codeblock_attributes,
    reason = "the blocks of a page are files, and paths may begin with a full stop"
)]

mod page;

use std::fmt;

use crate::diagnostic::Severity;

pub use page::{Evidence, EvidenceBasis, LIMITS, Part, SECTIONS};

/// A rule: what a finding with its code is about.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code, in kebab case. It names the problem, not the cure.
    pub code: &'static str,
    /// What its findings are about.
    pub room: Room,
    /// How much a finding matters unless the harness treats the case otherwise.
    pub severity: Severity,
    /// Its page, as Markdown: what it is about in the first paragraph, then why, an example that a
    /// test runs, what to do, and how it is known.
    pub page: &'static str,
}

/// What the findings of several rules are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Room {
    /// Reading the file, and what is put into it.
    ReadingFile,
    /// Finding the header.
    FindingHeader,
    /// Reading the header.
    ReadingHeader,
    /// Reading the fields.
    ReadingFields,
    /// Telling agents apart, and laying them over each other.
    TellingApart,
    /// Keeping one roster.
    Rosters,
    /// Finding and reading skills.
    Skills,
    /// Making an agent.
    MakingAgent,
    /// Keeping findings quiet.
    KeepingQuiet,
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Room::ReadingFile => "reading the file",
            Room::FindingHeader => "finding the header",
            Room::ReadingHeader => "reading the header",
            Room::ReadingFields => "reading the fields",
            Room::TellingApart => "telling agents apart",
            Room::Rosters => "keeping one roster",
            Room::Skills => "attaching skills",
            Room::MakingAgent => "making an agent",
            Room::KeepingQuiet => "keeping findings quiet",
        })
    }
}

impl Rule {
    /// Returns what the rule is about, in one sentence.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        let mut paragraphs = self.page.split("\n\n");
        paragraphs.nth(1).unwrap_or_default().trim_end()
    }
}

macro_rules! rules {
    ($($room:ident { $($name:ident, $code:literal, $severity:ident;)+ })+) => {
        $($(#[doc = include_str!(concat!("rules/", $code, ".md"))]
        pub static $name: Rule = Rule {
            code: $code,
            room: Room::$room,
            severity: Severity::$severity,
            page: include_str!(concat!("rules/", $code, ".md")),
        };)+)+

        /// All rules, in the order of this file: those of one room stand together.
        pub static ALL: &[&Rule] = &[$($(&$name,)+)+];
    };
}

rules! {
    ReadingFile {
        UNREADABLE_FILE, "unreadable-file", Error;
        BROKEN_LINK, "broken-link", Error;
        NOT_A_FILE, "not-a-file", Error;
        UNREADABLE_FOLDER, "unreadable-folder", Error;
        FILE_TOO_LARGE, "file-too-large", Error;
        OUTSIDE_ROOT, "outside-root", Error;
        INVALID_ENCODING, "invalid-encoding", Error;
        BROKEN_REFERENCE, "broken-reference", Error;
        REFERENCE_NOT_READ, "reference-not-read", Info;
        BROKEN_BODY_LINK, "broken-body-link", Warning;
    }
    FindingHeader {
        NO_HEADER, "no-header", Warning;
        UNCLOSED_HEADER, "unclosed-header", Warning;
        HIDDEN_HEADER, "hidden-header", Warning;
        HEADER_NOT_A_MAP, "header-not-a-map", Warning;
        BROKEN_FENCE, "broken-fence", Warning;
        HEADER_ENDS_EARLY, "header-ends-early", Error;
        SETTINGS_IN_PROMPT, "settings-in-prompt", Warning;
        FENCE_INSIDE_LINE, "fence-inside-line", Warning;
        REPAIRED_HEADER, "repaired-header", Warning;
        EXECUTABLE_HEADER, "executable-header", Error;
        UNKNOWN_HEADER_LANGUAGE, "unknown-header-language", Error;
    }
    ReadingHeader {
        YAML_SYNTAX, "yaml-syntax", Error;
        YAML_VALUE, "yaml-value", Error;
        LIMIT_EXCEEDED, "limit-exceeded", Error;
        JSON_SYNTAX, "json-syntax", Error;
        KEY_NOT_TEXT, "key-not-text", Error;
        RESERVED_KEY, "reserved-key", Error;
        DUPLICATE_KEY, "duplicate-key", Warning;
        ODD_CHARACTER, "odd-character", Warning;
        SWALLOWED_TEXT, "swallowed-text", Warning;
    }
    ReadingFields {
        INVALID_VALUE, "invalid-value", Error;
        IGNORED_VALUE, "ignored-value", Warning;
        VALUE_BECOMES_TEXT, "value-becomes-text", Warning;
        CHANGED_NUMBER, "changed-number", Warning;
        TORN_NAME, "torn-name", Warning;
        INERT_TOOL, "inert-tool", Warning;
        OUTSIDE_WORKSPACE, "outside-workspace", Warning;
        LIST_IN_ONE_NAME, "list-in-one-name", Warning;
        UNKNOWN_KEY, "unknown-key", Info;
        INERT_KEY, "inert-key", Warning;
        MISSPELLED_KEY, "misspelled-key", Warning;
        KEY_BESIDE_ALIAS, "key-beside-alias", Warning;
        DROPPED_SETTING, "dropped-setting", Warning;
        UNKNOWN_EVENT, "unknown-event", Warning;
        NAME_HAS_COLON, "name-has-colon", Error;
        NAME_STARTS_WITH_HYPHEN, "name-starts-with-hyphen", Error;
        NAME_TOO_LONG, "name-too-long", Error;
        FIELD_OF_PLUGIN, "field-of-plugin", Warning;
        NO_TOOLS, "no-tools", Warning;
        EVERY_TOOL, "every-tool", Warning;
        DENIED_TOOL, "denied-tool", Warning;
        ADDED_TOOLS, "added-tools", Info;
        REPEATED_NAME, "repeated-name", Info;
        OVERRULED_RULE, "overruled-rule", Warning;
        RULE_FITS_NOTHING, "rule-fits-nothing", Warning;
        HIDDEN_LIMIT, "hidden-limit", Info;
        PADDED_NAME, "padded-name", Warning;
        BLANK_DESCRIPTION, "blank-description", Warning;
        PLACEHOLDER_DESCRIPTION, "placeholder-description", Warning;
        LITERAL_ESCAPE, "literal-escape", Warning;
        TOKEN_STAYS_TEXT, "token-stays-text", Warning;
        EMPTY_PROMPT, "empty-prompt", Info;
        DAMAGED_NAME, "damaged-name", Error;
        TOOL_RULE_IGNORED, "tool-rule-ignored", Warning;
        STAR_CANCELS_LIST, "star-cancels-list", Error;
        OTHER_STEM, "other-stem", Warning;
        MISSING_FIELD, "missing-field", Error;
        MISSING_PROMPT_FILE, "missing-prompt-file", Warning;
        MODEL_WITHOUT_PROVIDER, "model-without-provider", Warning;
    }
    TellingApart {
        NAME_HIDES_PATH, "name-hides-path", Info;
        SHADOWED_NAME, "shadowed-name", Warning;
        HELD_BACK, "held-back", Warning;
        UNDEFINED_WINNER, "undefined-winner", Error;
        RESERVED_NAME, "reserved-name", Error;
        TWIN_NAMES, "twin-names", Error;
        SWITCHED_OFF, "switched-off", Warning;
        UNREACHABLE_NAME, "unreachable-name", Warning;
        NAMES_DIFFER_IN_CASE, "names-differ-in-case", Warning;
        DESCRIPTION_BUDGET, "description-budget", Info;
        INVALID_DEFINITIONS, "invalid-definitions", Error;
        INVALID_PLUGIN, "invalid-plugin", Error;
        SAME_FILE, "same-file", Info;
        SKIPPED_FILE, "skipped-file", Info;
        UNMEANT_AGENT, "unmeant-agent", Info;
        BLANKED_FIELD, "blanked-field", Warning;
        FARTHER_WINS, "farther-wins", Warning;
    }
    Rosters {
        // Keeping one roster. Only the last code is the harness's own; the others are proposed by us
        // until the harness's are known.
        C1_UNREADABLE_LAYER, "C1-unreadable-layer", Error;
        C2_BAD_AGENT_NAME, "C2-bad-agent-name", Error;
        C3_MISSING_PROMPT, "C3-missing-prompt", Error;
        C4_FRONTMATTER_IN_PROMPT, "C4-frontmatter-in-prompt", Warning;
        C5_UNKNOWN_SKILL, "C5-unknown-skill", Error;
        C6_DUPLICATE_SECTION, "C6-duplicate-section", Warning;
        C7_LEGACY_NAME, "C7-legacy-name", Error;
        C8_MISSING_ROLE, "C8-missing-role", Warning;
        FALLBACK_ROSTER, "fallback-roster", Warning;
        RESTATED_TOOLS, "restated-tools", Info;
        MENTION_IN_PROMPT, "mention-in-prompt", Info;
    }
    Skills {
        INVALID_SKILL, "invalid-skill", Warning;
        SKILL_NAME_MISSING, "skill-name-missing", Error;
        SKILL_NAME_EMPTY, "skill-name-empty", Error;
        SKILL_NAME_CASE, "skill-name-case", Warning;
        SKILL_NAME_CHARS, "skill-name-chars", Warning;
        SKILL_NAME_LENGTH, "skill-name-length", Warning;
        SKILL_NAME_EDGE_HYPHEN, "skill-name-edge-hyphen", Warning;
        SKILL_NAME_DOUBLE_HYPHEN, "skill-name-double-hyphen", Warning;
        SKILL_NAME_DIR_MISMATCH, "skill-name-dir-mismatch", Warning;
        SKILL_DESCRIPTION_MISSING, "skill-description-missing", Error;
        SKILL_DESCRIPTION_EMPTY, "skill-description-empty", Error;
        SKILL_DESCRIPTION_LENGTH, "skill-description-length", Warning;
        SKILL_COMPATIBILITY_LENGTH, "skill-compatibility-length", Warning;
        SKILL_COMPATIBILITY_TYPE, "skill-compatibility-type", Warning;
        SKILL_INTERNAL_TYPE_ERROR, "skill-internal-type-error", Error;
        SKILL_PATH_MISSING, "skill-path-missing", Error;
        SKILL_PATH_NOT_MARKDOWN, "skill-path-not-markdown", Error;
        SAME_SKILL_FILE, "same-skill-file", Info;
        REPEATED_SKILL, "repeated-skill", Warning;
    }
    MakingAgent {
        UNKNOWN_SKILL, "unknown-skill", Error;
        HIDDEN_SKILL, "hidden-skill", Warning;
        DUPLICATE_SKILL, "duplicate-skill", Error;
        UNKNOWN_TOOL, "unknown-tool", Error;
        UNKNOWN_MODEL, "unknown-model", Error;
        UNKNOWN_SERVER, "unknown-server", Warning;
        UNKNOWN_AGENT, "unknown-agent", Warning;
        INVALID_MODEL_NAME, "invalid-model-name", Error;
        BROKEN_MODEL_PROFILE, "broken-model-profile", Error;
        UNUSABLE_PROFILE_STORE, "unusable-profile-store", Error;
        INVALID_EXPANSION, "invalid-expansion", Error;
        MCP_OF_PARENT, "mcp-of-parent", Warning;
    }
    KeepingQuiet {
        UNUSED_SUPPRESSION, "unused-suppression", Warning;
    }
}

/// Finds a rule by its code.
#[must_use]
pub fn find(code: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_kebab_case() {
        for (index, rule) in ALL.iter().enumerate() {
            // The checks of a roster are numbered by the harness: `C8-missing-role`.
            let numbered = rule.code.split_once('-').filter(|(number, _)| {
                number.starts_with('C') && number[1..].chars().all(|c| c.is_ascii_digit())
            });
            let words = numbered.map_or(rule.code, |(_, words)| words);
            assert!(words.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
            assert_eq!(find(rule.code), Some(ALL[index]));
            assert!(rule.page.starts_with(&format!("# {}\n\n", rule.code)));
            assert!(!rule.summary().is_empty() && !rule.summary().contains('\n'));
        }
    }
}
