//! From the bytes of a skill file to a skill. Pure: the files themselves are read elsewhere.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use agent_schema::coerce::{Remarks, pydantic, python, shorten};
use agent_schema::dialect::{NotTextKeys, ReadingRules, SkillRules};
use agent_schema::header::{HeaderPart, Language};
use agent_schema::parse::parse_accepted;
use agent_schema::text::MappedText;
use agent_schema::value::{Mapping, Node};
use agent_schema::yaml::YamlErrorKind;
use agent_schema::{
    Definition, Diagnostic, Dialect, Fate, FieldName, FieldValue, File, Located, Outcome,
    ParseInputs, Parsed, Profile, Span, header_lines, json, rules, yaml,
};

/// A skill: instructions that an agent may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name, exactly as agents must write it.
    pub name: String,
    /// What it is for, cut to the length that the harness keeps.
    pub description: Option<String>,
    /// Its text without the header.
    pub content: String,
    /// When the harness adds the text by itself.
    pub trigger: Trigger,
    /// The file.
    pub path: PathBuf,
    /// The path as the harness reports it, with `/`.
    pub reported: String,
}

/// When a harness adds the text of a skill by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Trigger {
    /// Nothing sets it off.
    #[default]
    None,
    /// A message holds one of these words.
    Keywords(Vec<String>),
    /// A task is asked for by one of these words, and may want inputs.
    Task(Vec<String>),
    /// A file is touched that fits one of these patterns.
    Paths(Vec<String>),
}

/// What kind of file a skill was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillFile {
    /// `SKILL.md` in a folder of its own, which names it.
    Folder,
    /// A loose file, named after its path below the skills folder.
    Loose,
    /// An instruction file such as `AGENTS.md`.
    Instructions,
}

/// What a faulty skill file costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The harness foresees the fault: the file alone is lost.
    File,
    /// The harness does not foresee it: older versions lose what they read along with the file.
    Unforeseen,
}

/// What was understood of a skill file.
#[derive(Debug, Clone, Default)]
pub(crate) struct SkillText {
    /// The name that is written, if it could be read.
    pub(crate) name: Option<String>,
    /// Where it is written.
    pub(crate) name_place: Option<Span>,
    pub(crate) description: Option<String>,
    pub(crate) content: String,
    pub(crate) trigger: Trigger,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What the first fault costs; unset if the skill loads.
    pub(crate) loss: Option<Loss>,
}

/// The longest description, in characters; a longer one is cut in the middle.
const LONGEST_DESCRIPTION: usize = 1024;

/// The longest name of a skill that has a folder of its own, in characters.
const LONGEST_NAME: usize = 64;

/// Reads an instruction file: all of it is the skill, whatever it looks like.
pub(crate) fn read_instructions(profile: &Profile, bytes: &[u8]) -> SkillText {
    let mut skill = SkillText::default();
    if let Some(text) = decode(profile, bytes, &mut skill) {
        text.as_str().clone_into(&mut skill.content);
    }
    skill
}

/// Reads a skill file with a header. `derived` is the name that the place of the file gives it.
pub(crate) fn read_skill(
    dialect: &Dialect,
    profile: &Profile,
    file: SkillFile,
    derived: &str,
    bytes: &[u8],
) -> SkillText {
    let rules = &profile.rules.reading;
    let mut skill = SkillText::default();
    let Some(text) = decode(profile, bytes, &mut skill) else {
        return skill;
    };
    let parts = rules.header.split(&text);
    text.as_str()[parts.body].clone_into(&mut skill.content);
    let map = match &parts.header {
        Some(header) => read_header(rules, &text, header, &mut skill),
        None => None,
    };
    let fields = Fields {
        dialect,
        map: &map.unwrap_or_default(),
    };
    fields.check_keys(rules, &mut skill);
    fields.read_name(file, derived, &mut skill);
    fields.read_trigger(derived, &mut skill);
    fields.check_servers(rules, file, &mut skill);
    fields.check_values(&mut skill);
    skill
}

/// Reads a `SKILL.md` that no search comes across, as the harness would where it looks for skills.
/// The folder of the file is that of the inputs.
pub fn read_lone_skill(
    dialect: &Dialect,
    profile: &Profile,
    bytes: &[u8],
    inputs: &ParseInputs,
) -> Parsed {
    let folder = inputs.folder.as_deref().unwrap_or_default();
    if let Some(reading) = profile.rules.skills.file_reading() {
        let name = SkillRules::FILE;
        return parse_accepted(File { name, bytes }, folder, dialect, reading, inputs);
    }
    let text = read_skill(dialect, profile, SkillFile::Folder, folder, bytes);
    let mut skill = Definition::new(&[FieldName::NAME, FieldName::DESCRIPTION, FieldName::PROMPT]);
    let fields = [
        (FieldName::NAME, text.name),
        (FieldName::DESCRIPTION, text.description),
        (FieldName::PROMPT, Some(text.content)),
    ];
    for (field, value) in fields {
        if let Some(value) = value {
            skill.set(field, Located::implied(FieldValue::text(value)));
        }
    }
    let skill = Arc::new(skill);
    let (outcome, fate) = match text.loss {
        None => (Outcome::Loaded(skill), Fate::Loaded),
        Some(_) => (Outcome::Rejected(skill), Fate::Rejected),
    };
    let mut diagnostics = text.diagnostics;
    for finding in &mut diagnostics {
        finding.span.get_or_insert(Span::head_of(bytes));
    }
    Parsed {
        outcome,
        fate,
        lost: Vec::new(),
        rights_widened: false,
        diagnostics,
    }
}

/// Checks the server file that lies beside a `SKILL.md`; a bad one costs the skill.
pub(crate) fn check_server_file(rules: &ReadingRules, bytes: &[u8]) -> Option<Diagnostic> {
    let complaint = match std::str::from_utf8(bytes) {
        Err(_) => Some("is not UTF-8".to_owned()),
        Ok(text) => match json::read(&MappedText::plain(text), json::PYTHON) {
            Err(error) => Some(format!("cannot be read: {}", error.message)),
            Ok(root) => match root.as_map() {
                None => Some(format!("must hold a map, not {}", pydantic::article(&root))),
                Some(map) => {
                    let servers = map.get("mcpServers");
                    servers.and_then(|servers| bad_servers(rules, &servers.value))
                }
            },
        },
    };
    complaint.map(|complaint| {
        Diagnostic::new(
            &rules::INVALID_SKILL,
            format!("the skill is dropped, because its `.mcp.json` {complaint}"),
        )
    })
}

impl SkillText {
    fn fault(&mut self, loss: Loss, diagnostic: Diagnostic) {
        self.loss.get_or_insert(loss);
        self.diagnostics.push(diagnostic);
    }
}

fn decode<'a>(profile: &Profile, bytes: &'a [u8], skill: &mut SkillText) -> Option<MappedText<'a>> {
    match MappedText::decode(bytes, profile.rules.reading.encoding) {
        Ok(text) => Some(text),
        Err(offset) => {
            let diagnostic = invalid("the skill is dropped, because the file is not UTF-8")
                .at(Span::new(offset, offset + 1))
                .help("save the file as UTF-8");
            skill.fault(Loss::Unforeseen, diagnostic);
            None
        }
    }
}

fn read_header(
    rules: &ReadingRules,
    text: &MappedText<'_>,
    header: &HeaderPart,
    skill: &mut SkillText,
) -> Option<Mapping> {
    let part = text.slice(header.text.clone());
    let read = match header.language {
        Language::Yaml => yaml::read(&part, &rules.yaml).map_err(|error| BadHeader {
            // A value that cannot be made is an error of Python's own, not one of its reader.
            loss: match error.kind {
                YamlErrorKind::Value => Loss::Unforeseen,
                _ => Loss::File,
            },
            message: error.message,
            span: error.span,
            help: error.hint,
        }),
        Language::Json(flavor) => json::read(&part, flavor)
            .map(Some)
            .map_err(|error| BadHeader {
                loss: Loss::Unforeseen,
                message: error.message,
                span: error.span,
                help: None,
            }),
        Language::Lines => Ok(Some(header_lines::read(&part))),
        Language::Program | Language::Unknown => return None,
    };
    match read {
        // A header that is no map is dropped, as it is in an agent file.
        Ok(root) => root?.as_map().cloned(),
        Err(bad) => {
            let message = format!(
                "the skill is dropped, because of its header: {}",
                bad.message
            );
            let mut diagnostic = invalid(message).at(bad.span);
            diagnostic.help = bad.help.map(Cow::from);
            skill.fault(bad.loss, diagnostic);
            None
        }
    }
}

/// Why a header cannot be read, whatever its language.
struct BadHeader {
    loss: Loss,
    message: String,
    span: Span,
    help: Option<String>,
}

/// The fields of a header, in the order in which the harness looks at them.
struct Fields<'a> {
    dialect: &'a Dialect,
    map: &'a Mapping,
}

impl Fields<'_> {
    fn check_keys(&self, rules: &ReadingRules, skill: &mut SkillText) {
        for entry in &self.map.entries {
            let key = entry.key.as_text();
            let complaint = match key {
                None => format!("a key is {}, not a text", pydantic::article(&entry.key)),
                Some(key) if rules.keys.reserved(key).is_some() => {
                    format!("the key `{key}` cannot be used")
                }
                Some(_) => continue,
            };
            let mut diagnostic = invalid(format!("the skill is dropped, because {complaint}"))
                .at(entry.key.span)
                .help("rename the key, or put it in quotes");
            if let NotTextKeys::RejectFile { why } = rules.keys.not_text {
                diagnostic = diagnostic.because(why);
            }
            skill.fault(Loss::Unforeseen, diagnostic);
        }
    }

    fn read_name(&self, file: SkillFile, derived: &str, skill: &mut SkillText) {
        let entry = self.map.get("name");
        let written = entry.and_then(|entry| python::text(&entry.value).ok());
        if file == SkillFile::Folder {
            let name = written.as_deref().unwrap_or(derived);
            if let Some((complaint, help)) = bad_name(name, derived) {
                let mut diagnostic = invalid(format!(
                    "skill `{}` is dropped, because its name {complaint}",
                    shorten(name)
                ))
                .because(format!(
                    "{} wants lower-case letters, digits and single hyphens, and the name of the \
                     folder",
                    self.dialect.title
                ))
                .help(help);
                diagnostic.span = entry.map(|entry| entry.value.span);
                skill.fault(Loss::File, diagnostic);
            }
        }
        skill.name_place = entry.map(|entry| entry.value.span);
        skill.name = written;
    }

    fn read_trigger(&self, derived: &str, skill: &mut SkillText) {
        let mut keywords = Vec::new();
        if let Some(node) = self.value("triggers") {
            match node.as_list() {
                Some(items) => keywords = items.to_vec(),
                None => self.wrong("triggers", node, "must be a list", Loss::File, skill),
            }
        }
        let patterns = self.read_patterns(skill);
        let inputs = self.value("inputs");
        if !patterns.is_empty() {
            skill.trigger = Trigger::Paths(patterns);
            return;
        }
        if let Some(node) = inputs {
            match node.as_list() {
                Some(items) => self.check_inputs(items, skill),
                None => self.wrong("inputs", node, "must be a list", Loss::File, skill),
            }
        }
        let mut words = Vec::new();
        for node in &keywords {
            match node.as_text() {
                Some(word) => words.push(word.to_owned()),
                None => {
                    let complaint = "must be a list of texts";
                    self.wrong("triggers", node, complaint, Loss::Unforeseen, skill);
                }
            }
        }
        if let Some(inputs) = inputs {
            let call = format!("/{}", skill.name.as_deref().unwrap_or(derived));
            if !words.contains(&call) {
                words.push(call);
            }
            let has_inputs = inputs.as_list().is_some_and(|inputs| !inputs.is_empty());
            ask_for_variables(&mut skill.content, has_inputs);
            skill.trigger = Trigger::Task(words);
        } else if !words.is_empty() {
            skill.trigger = Trigger::Keywords(words);
        }
    }

    /// Reads `paths`: patterns in one text, separated by commas, or in a list.
    fn read_patterns(&self, skill: &mut SkillText) -> Vec<String> {
        let Some(node) = self.value("paths").filter(|node| !node.is_null()) else {
            return Vec::new();
        };
        let texts: Vec<String> = match (node.as_text(), node.as_list()) {
            (Some(text), _) => text.split(',').map(str::to_owned).collect(),
            (_, Some(items)) => items.iter().flat_map(python::text).collect(),
            _ => {
                let complaint = "must be a text or a list";
                self.wrong("paths", node, complaint, Loss::File, skill);
                return Vec::new();
            }
        };
        let stripped = texts.iter().map(|text| python::strip(text));
        let patterns = stripped.filter(|text| !text.is_empty());
        patterns.map(str::to_owned).collect()
    }

    fn check_inputs(&self, inputs: &[Node], skill: &mut SkillText) {
        for input in inputs {
            let has_text = |key| {
                let map = input.as_map();
                map.and_then(|map| map.get(key))
                    .is_some_and(|entry| entry.value.as_text().is_some())
            };
            if !(has_text("name") && has_text("description")) {
                let complaint = "must be maps with a `name` and a `description`";
                self.wrong("inputs", input, complaint, Loss::Unforeseen, skill);
            }
        }
    }

    fn check_servers(&self, rules: &ReadingRules, file: SkillFile, skill: &mut SkillText) {
        let key = "mcp_tools";
        let Some(node) = self.value(key).filter(|node| !node.is_null()) else {
            return;
        };
        if file != SkillFile::Loose {
            return;
        }
        if node.as_map().is_none() {
            self.wrong(key, node, "must be a map", Loss::File, skill);
        } else if let Some(complaint) = bad_servers(rules, node) {
            self.wrong(key, node, &complaint, Loss::Unforeseen, skill);
        }
    }

    fn check_values(&self, skill: &mut SkillText) {
        if let Some(node) = self.set_value("metadata")
            && node.as_map().is_none()
        {
            self.wrong("metadata", node, "must be a map", Loss::File, skill);
        }
        if let Some((key, node)) = self.first_of("allowed-tools", "allowed_tools")
            && node.as_text().is_none()
            && node.as_list().is_none()
        {
            self.wrong(key, node, "must be a text or a list", Loss::File, skill);
        }
        for key in ["description", "license", "compatibility"] {
            if let Some(node) = self.set_value(key)
                && let Err(complaint) = pydantic::text(node)
            {
                self.wrong(key, node, &complaint, Loss::Unforeseen, skill);
            }
        }
        if let Some((key, node)) =
            self.first_of("disable-model-invocation", "disable_model_invocation")
            && let Err(complaint) = pydantic::flag(node)
        {
            self.wrong(key, node, &complaint, Loss::Unforeseen, skill);
        }
        let description = self.set_value("description");
        let written = description.and_then(|node| Some((node.as_text()?, node.span)));
        if let Some((text, span)) = written {
            skill.description = Some(text.to_owned());
            skill.diagnostics.extend(self.too_long(text, span));
        }
    }

    /// Tells of a description that is cut.
    fn too_long(&self, text: &str, span: Span) -> Option<Diagnostic> {
        if text.chars().count() <= LONGEST_DESCRIPTION {
            return None;
        }
        let finding = Diagnostic::new(
            &rules::SKILL_DESCRIPTION_LENGTH,
            format!("the description is cut to {LONGEST_DESCRIPTION} characters"),
        );
        Some(
            finding
                .at(span)
                .because(format!(
                    "{} leaves out the middle of it",
                    self.dialect.title
                ))
                .help("shorten the description; details belong into the text of the skill"),
        )
    }

    /// Notes a value that costs the skill.
    fn wrong(&self, key: &str, node: &Node, complaint: &str, loss: Loss, skill: &mut SkillText) {
        let diagnostic = invalid(format!(
            "the skill is dropped, because its `{key}` {complaint}"
        ))
        .at(node.span)
        .because(format!("{} refuses the whole file", self.dialect.title));
        skill.fault(loss, diagnostic);
    }

    fn value(&self, key: &str) -> Option<&Node> {
        self.map.get(key).map(|entry| &entry.value)
    }

    /// Returns a value that is not null.
    fn set_value(&self, key: &str) -> Option<&Node> {
        self.value(key).filter(|node| !node.is_null())
    }

    /// Returns the value of the first key that is written, unless it is null.
    fn first_of<'k>(&self, key: &'k str, or: &'k str) -> Option<(&'k str, &Node)> {
        let (key, node) = match self.value(key) {
            Some(node) => (key, node),
            None => (or, self.value(or)?),
        };
        (!node.is_null()).then_some((key, node))
    }
}

/// Tells what is wrong with the name of a skill that has a folder of its own, and what to do.
fn bad_name(name: &str, folder: &str) -> Option<(String, String)> {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9'))
    };
    if name.is_empty() {
        return Some(("is empty".to_owned(), format!("name it `{folder}`")));
    }
    if name != folder {
        let complaint = format!("is not that of its folder, `{folder}`");
        let help = format!(
            "call the folder `{}`, or the skill `{folder}`",
            shorten(name)
        );
        return Some((complaint, help));
    }
    if name.chars().count() > LONGEST_NAME {
        let complaint = format!("has more than {LONGEST_NAME} characters");
        return Some((
            complaint,
            "shorten the name and that of the folder".to_owned(),
        ));
    }
    if !name.split('-').all(is_word) {
        let complaint = "has other characters than it may have".to_owned();
        return Some((complaint, "rename the skill and its folder".to_owned()));
    }
    None
}

/// Asks the user for the variables of a task, as the harness does at the end of its text.
fn ask_for_variables(content: &mut String, has_inputs: bool) {
    const PROMPT: &str = "\n\nIf the user didn't provide any of these variables, ask the user to \
                          provide them first before the agent can proceed with the task.";
    let wanted = has_inputs || has_variable(content);
    if wanted && !content.is_empty() && !content.contains(PROMPT) {
        content.push_str(PROMPT);
    }
}

/// Returns whether a text holds a variable such as `${name}`.
fn has_variable(text: &str) -> bool {
    text.match_indices("${").any(|(at, open)| {
        let rest = &text[at + open.len()..];
        rest.split_once('}').is_some_and(|(name, _)| {
            let mut bytes = name.bytes();
            bytes
                .next()
                .is_some_and(|b| b == b'_' || b.is_ascii_alphabetic())
                && bytes.all(|b| b == b'_' || b.is_ascii_alphanumeric())
        })
    })
}

/// Tells what is wrong with MCP servers, by the rules for those of an agent.
fn bad_servers(rules: &ReadingRules, servers: &Node) -> Option<String> {
    let mut fields = rules.fields.iter();
    let field = fields.find(|field| field.target == FieldName::MCP_SERVERS)?;
    let problem = (field.read)(servers, &mut Remarks::default()).err()?;
    Some(problem.complaint)
}

/// Cuts a description as the harness does: its middle gives way to a note on where all of it is.
pub(crate) fn cut_description(description: String, reported: &str) -> String {
    let chars: Vec<char> = description.chars().collect();
    if chars.len() <= LONGEST_DESCRIPTION {
        return description;
    }
    let notice = format!(
        "<response clipped><NOTE>Due to the max output limit, only part of the full description \
         is shown. You can view the complete skill content at {reported}.</NOTE>"
    );
    let notice_length = notice.chars().count();
    if notice_length >= LONGEST_DESCRIPTION {
        return notice.chars().take(LONGEST_DESCRIPTION).collect();
    }
    let rest = LONGEST_DESCRIPTION - notice_length;
    let (head, tail) = (rest.div_ceil(2), rest / 2);
    let start = chars[..head].iter();
    let end = chars[chars.len() - tail..].iter();
    start
        .copied()
        .chain(notice.chars())
        .chain(end.copied())
        .collect()
}

fn invalid(message: impl Into<Cow<'static, str>>) -> Diagnostic {
    Diagnostic::new(&rules::INVALID_SKILL, message)
}
