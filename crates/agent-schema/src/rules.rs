//! The rules that findings belong to: stable codes, and what each one is about.

use crate::diagnostic::Severity;

/// A rule: what a finding with its code is about.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code, in kebab case. It names the problem, not the cure.
    pub code: &'static str,
    /// How much a finding matters unless the harness treats the case otherwise.
    pub severity: Severity,
    /// The doc comment of the rule, which begins with a blank.
    comment: &'static str,
}

impl Rule {
    /// Returns what the rule is about, in one sentence.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.comment.trim()
    }
}

macro_rules! rules {
    ($($(#[doc = $summary:literal])+ $name:ident, $code:literal, $severity:ident;)+) => {
        $($(#[doc = $summary])+
        pub static $name: Rule = Rule {
            code: $code,
            severity: Severity::$severity,
            comment: concat!($($summary),+),
        };)+

        /// All rules, in the order of this file.
        pub static ALL: &[&Rule] = &[$(&$name),+];
    };
}

rules! {
    // Reading the file.
    /// The file, or what a link leads to, cannot be read.
    UNREADABLE_FILE, "unreadable-file", Error;
    /// A link leads nowhere or in a circle.
    BROKEN_LINK, "broken-link", Error;
    /// A pipe, socket or device stands where a file is expected.
    NOT_A_FILE, "not-a-file", Error;
    /// A folder that the harness searches cannot be listed.
    UNREADABLE_FOLDER, "unreadable-folder", Error;
    /// The file is larger than what is read.
    FILE_TOO_LARGE, "file-too-large", Error;
    /// The file leads out of the folder that it must stay in.
    OUTSIDE_ROOT, "outside-root", Error;
    /// The file is not UTF-8.
    INVALID_ENCODING, "invalid-encoding", Error;

    // Putting things into settings.
    /// A file whose text settings take in cannot be read.
    BROKEN_REFERENCE, "broken-reference", Error;
    /// A file whose text settings take in is not looked at.
    REFERENCE_NOT_READ, "reference-not-read", Info;

    // Finding the header.
    /// The file has no header, so all of it is the prompt.
    NO_HEADER, "no-header", Warning;
    /// The header is never closed, so it is part of the prompt.
    UNCLOSED_HEADER, "unclosed-header", Warning;
    /// Something stands before the header, so it is part of the prompt.
    HIDDEN_HEADER, "hidden-header", Warning;
    /// The header is not a map from keys to values, so it is dropped.
    HEADER_NOT_A_MAP, "header-not-a-map", Warning;

    /// The header ends before its author meant it to, and settings below it are lost.
    HEADER_ENDS_EARLY, "header-ends-early", Error;
    /// The header ends inside a line, and the rest of the line becomes part of the prompt.
    FENCE_INSIDE_LINE, "fence-inside-line", Warning;
    /// The header is no YAML, but this harness mends it; others lose the file.
    REPAIRED_HEADER, "repaired-header", Warning;

    /// The header is a program that the harness runs when it loads the agent.
    EXECUTABLE_HEADER, "executable-header", Error;
    /// The header is in a language that the harness cannot read.
    UNKNOWN_HEADER_LANGUAGE, "unknown-header-language", Error;

    // Reading the header.
    /// The YAML of the header cannot be parsed.
    YAML_SYNTAX, "yaml-syntax", Error;
    /// A YAML value cannot be made into what its form or tag says.
    YAML_VALUE, "yaml-value", Error;
    /// The header needs more nesting, nodes or work than is allowed.
    LIMIT_EXCEEDED, "limit-exceeded", Error;
    /// The JSON cannot be parsed.
    JSON_SYNTAX, "json-syntax", Error;
    /// A key of the header is not a text.
    KEY_NOT_TEXT, "key-not-text", Error;
    /// A key of the header has a name that breaks the harness's own code.
    RESERVED_KEY, "reserved-key", Error;
    /// A key stands more than once, and only one of the values counts.
    DUPLICATE_KEY, "duplicate-key", Warning;

    // Reading the fields.
    /// A value is refused, and the file with it.
    INVALID_VALUE, "invalid-value", Error;
    /// A value is passed over as if it were not there.
    IGNORED_VALUE, "ignored-value", Warning;
    /// A value that is no text is turned into one that its author hardly meant.
    VALUE_BECOMES_TEXT, "value-becomes-text", Warning;
    /// A number does not fit, or allows nothing, and is taken all the same.
    CHANGED_NUMBER, "changed-number", Warning;
    /// A name is torn into several ones.
    TORN_NAME, "torn-name", Warning;
    /// A tool in a list changes nothing, or not what its author meant.
    INERT_TOOL, "inert-tool", Warning;
    /// A path leads out of the workspace that it starts from.
    OUTSIDE_WORKSPACE, "outside-workspace", Warning;
    /// A list is written as one text and stays one name.
    LIST_IN_ONE_NAME, "list-in-one-name", Warning;
    /// A key is not known; its value is kept but has no effect.
    UNKNOWN_KEY, "unknown-key", Info;
    /// A key means something to the harness, but nothing in a file.
    INERT_KEY, "inert-key", Warning;
    /// A key that is not known is close to one that is, or is another harness's word for it.
    MISSPELLED_KEY, "misspelled-key", Warning;
    /// A key is passed over because another spelling of it is there too.
    KEY_BESIDE_ALIAS, "key-beside-alias", Warning;
    /// A setting inside a value is dropped.
    DROPPED_SETTING, "dropped-setting", Warning;
    /// A name holds a colon, which separates the parts of a plugin agent's name.
    NAME_HAS_COLON, "name-has-colon", Error;
    /// A name starts with a hyphen.
    NAME_STARTS_WITH_HYPHEN, "name-starts-with-hyphen", Error;
    /// A name is longer than the harness allows.
    NAME_TOO_LONG, "name-too-long", Error;
    /// A field has no effect because the file belongs to a plugin.
    FIELD_OF_PLUGIN, "field-of-plugin", Warning;
    /// A tool list is written in a way that leaves the agent without any tool.
    NO_TOOLS, "no-tools", Warning;
    /// A name in a list holds brackets, quotes or a comment that were meant as YAML.
    DAMAGED_NAME, "damaged-name", Error;
    /// A rule about the use of a tool counts for the whole tool.
    TOOL_RULE_IGNORED, "tool-rule-ignored", Warning;
    /// A star takes back a whole list.
    STAR_CANCELS_LIST, "star-cancels-list", Error;
    /// The name of the file is not that of its agent, which is easily overlooked.
    OTHER_STEM, "other-stem", Warning;
    /// A required field is missing.
    MISSING_FIELD, "missing-field", Error;

    /// The file that a definition names for its prompt is not there.
    MISSING_PROMPT_FILE, "missing-prompt-file", Warning;
    /// A model is written without its provider.
    MODEL_WITHOUT_PROVIDER, "model-without-provider", Warning;

    // Telling agents apart.
    /// A name in a file takes the place of the file's path.
    NAME_HIDES_PATH, "name-hides-path", Info;
    /// The definition loses its name to another one.
    SHADOWED_NAME, "shadowed-name", Warning;
    /// A definition or one of its fields has no effect while the project is not trusted.
    HELD_BACK, "held-back", Warning;
    /// Several definitions have one name, and the harness leaves open which of them loads.
    UNDEFINED_WINNER, "undefined-winner", Error;
    /// The harness keeps the name for an agent of its own and refuses the file.
    RESERVED_NAME, "reserved-name", Error;
    /// Several definitions of one place have one name, and none of them loads.
    TWIN_NAMES, "twin-names", Error;
    /// A setting switches the agent off.
    SWITCHED_OFF, "switched-off", Warning;
    /// The agent can never be called by its name.
    UNREACHABLE_NAME, "unreachable-name", Warning;
    /// The definitions on the command line cannot be used.
    INVALID_DEFINITIONS, "invalid-definitions", Error;
    /// A plugin says of itself what its harness does not accept, and all of it is lost.
    INVALID_PLUGIN, "invalid-plugin", Error;
    /// The same file is found in two ways, and counts once.
    SAME_FILE, "same-file", Info;
    /// A file lies in an agent folder but its name says that it is no agent.
    SKIPPED_FILE, "skipped-file", Info;

    // Keeping one roster. Only the last code is the harness's own; the others are proposed by us
    // until the harness's are known.
    /// A layer of the roster cannot be read (proposed, ours).
    C1_UNREADABLE_LAYER, "C1-unreadable-layer", Error;
    /// A key of the roster cannot be the name of an agent (proposed, ours).
    C2_BAD_AGENT_NAME, "C2-bad-agent-name", Error;
    /// No layer holds a usable prompt of an agent (proposed, ours).
    C3_MISSING_PROMPT, "C3-missing-prompt", Error;
    /// A prompt begins with front matter, which has no effect (proposed, ours).
    C4_FRONTMATTER_IN_PROMPT, "C4-frontmatter-in-prompt", Warning;
    /// An agent of the roster asks for a skill that does not exist (proposed, ours).
    C5_UNKNOWN_SKILL, "C5-unknown-skill", Error;
    /// A prompt holds a section that is put into every prompt anyway (proposed, ours).
    C6_DUPLICATE_SECTION, "C6-duplicate-section", Warning;
    /// An agent of the roster has a name that only mentions may still use (proposed, ours).
    C7_LEGACY_NAME, "C7-legacy-name", Error;
    /// An agent of the roster has no role, so that its team cannot know what it is for.
    C8_MISSING_ROLE, "C8-missing-role", Warning;
    /// The roster cannot be read, and a fixed list of names takes its place.
    FALLBACK_ROSTER, "fallback-roster", Warning;
    // Merging sources.
    /// A value that a person wrote is replaced by an empty one that nobody meant.
    BLANKED_FIELD, "blanked-field", Warning;
    /// A definition farther away counts above one that is nearer.
    FARTHER_WINS, "farther-wins", Warning;

    // Attaching skills.
    /// A skill file is dropped.
    INVALID_SKILL, "invalid-skill", Warning;
    /// A skill has no name.
    SKILL_NAME_MISSING, "skill-name-missing", Error;
    /// The name of a skill is empty, or no text.
    SKILL_NAME_EMPTY, "skill-name-empty", Error;
    /// The name of a skill has capital letters.
    SKILL_NAME_CASE, "skill-name-case", Warning;
    /// The name of a skill has characters that it may not have.
    SKILL_NAME_CHARS, "skill-name-chars", Warning;
    /// The name of a skill is too long.
    SKILL_NAME_LENGTH, "skill-name-length", Warning;
    /// The name of a skill begins or ends with a hyphen.
    SKILL_NAME_EDGE_HYPHEN, "skill-name-edge-hyphen", Warning;
    /// The name of a skill has two hyphens in a row.
    SKILL_NAME_DOUBLE_HYPHEN, "skill-name-double-hyphen", Warning;
    /// The name of a skill is not that of its folder.
    SKILL_NAME_DIR_MISMATCH, "skill-name-dir-mismatch", Warning;
    /// A skill has no description.
    SKILL_DESCRIPTION_MISSING, "skill-description-missing", Error;
    /// The description of a skill is empty, or no text.
    SKILL_DESCRIPTION_EMPTY, "skill-description-empty", Error;
    /// The description of a skill is too long.
    SKILL_DESCRIPTION_LENGTH, "skill-description-length", Warning;
    /// What a skill says of its compatibility is too long.
    SKILL_COMPATIBILITY_LENGTH, "skill-compatibility-length", Warning;
    /// What a skill says of its compatibility is no text.
    SKILL_COMPATIBILITY_TYPE, "skill-compatibility-type", Warning;
    /// A value has a type that the harness's own code stumbles over, and the file is lost.
    SKILL_INTERNAL_TYPE_ERROR, "skill-internal-type-error", Error;
    /// Nothing is at a path that should lead to skills.
    SKILL_PATH_MISSING, "skill-path-missing", Error;
    /// A path that should lead to skills leads to something that is no Markdown file.
    SKILL_PATH_NOT_MARKDOWN, "skill-path-not-markdown", Error;
    /// The file of a skill is reached by two paths and counts once.
    SAME_SKILL_FILE, "same-skill-file", Info;
    /// Several skills have one name, and the harness lists all of them.
    REPEATED_SKILL, "repeated-skill", Warning;

    // Making an agent.
    /// The agent asks for a skill that does not exist.
    UNKNOWN_SKILL, "unknown-skill", Error;
    /// The agent asks for the same skill twice.
    DUPLICATE_SKILL, "duplicate-skill", Error;
    /// The agent asks for a tool that does not exist.
    UNKNOWN_TOOL, "unknown-tool", Error;
    /// The agent asks for a model that has no profile.
    UNKNOWN_MODEL, "unknown-model", Error;
    /// The agent asks for a model by a name that no profile may have.
    INVALID_MODEL_NAME, "invalid-model-name", Error;
    /// The profile of the agent's model cannot be used.
    BROKEN_MODEL_PROFILE, "broken-model-profile", Error;
    /// The folder with the model profiles cannot be used.
    UNUSABLE_PROFILE_STORE, "unusable-profile-store", Error;
    /// The MCP servers are refused once their variables are filled in.
    INVALID_EXPANSION, "invalid-expansion", Error;
    /// The agent's own MCP servers have no effect when another agent calls it.
    MCP_OF_PARENT, "mcp-of-parent", Warning;
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
        }
    }
}
