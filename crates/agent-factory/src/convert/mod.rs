//! One definition, written for another harness.
//!
//! Fields are mapped through the neutral definition, names of tools and models through the
//! vocabularies of the two dialects. What cannot be said there is listed as a loss; nothing is
//! written that lets an agent go further than its author did. The text is read again by the rules
//! of the other harness before anybody gets it, and converted back to be compared.

mod access;
mod back;
mod codes;
mod comments;
mod fields;
mod meaning;
mod models;
mod names;
mod source;
mod text;

use agent_schema::vocabulary::Subject;
use agent_schema::writing::{GUARDED, WritingRules};
use agent_schema::{Definition, Dialect, Fate, FieldName, Parsed, Profile, Severity, Span};
use serde::Serialize;

use crate::rights::{ANYTHING_ELSE, Rights, View};

pub(crate) use access::limit_span;
pub use codes::{LossCode, RefusalCode};
pub(crate) use meaning::{Meaning, Meant, meanings};
pub(crate) use models::Model;
pub use source::{Agent, OpenError, open};
pub use text::join;

/// A dialect with one of its profiles.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// The profile.
    pub profile: &'static Profile,
}

impl Reader {
    /// Makes a reader of the newest version.
    #[must_use]
    pub fn newest(dialect: &'static Dialect) -> Self {
        Reader {
            dialect,
            profile: dialect.default_profile(),
        }
    }

    pub(crate) fn writing(self) -> &'static WritingRules {
        self.profile.rules.writing
    }

    pub(crate) fn title(self) -> &'static str {
        self.dialect.title
    }
}

/// Returns whether both write by the same rules.
fn same_rules(one: Reader, other: Reader) -> bool {
    std::ptr::eq(one.writing(), other.writing())
}

/// How a conversion is made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConvertOptions<'a> {
    /// Write the agent even if it goes further there than its author let it.
    pub allow_widening: bool,
    /// What models are called there: (the word of the source in any case, the word there).
    /// `inherit` there is the parent's model, whether the harness has a word for it or not.
    pub models: &'a [(String, String)],
}

impl<'a> ConvertOptions<'a> {
    /// Sets whether the agent is written even if it goes further there.
    #[must_use]
    pub fn allow_widening(mut self, allow: bool) -> Self {
        self.allow_widening = allow;
        self
    }

    /// Sets what models are called there.
    #[must_use]
    pub fn models(mut self, models: &'a [(String, String)]) -> Self {
        self.models = models;
        self
    }
}

/// How a conversion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything arrives.
    Lossless,
    /// Something does not arrive, and is listed.
    Lossy,
    /// Nothing is written.
    Refused,
}

impl Verdict {
    /// Returns the word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Lossless => "lossless",
            Verdict::Lossy => "lossy",
            Verdict::Refused => "refused",
        }
    }
}

/// Something that does not arrive.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// What kind of loss it is.
    pub code: LossCode,
    /// The field.
    pub field: String,
    /// How much it matters.
    pub severity: Severity,
    /// The bytes of the source that say it.
    pub span: Option<Span>,
    /// What is lost, and why: one line, lower case, no full stop.
    pub message: String,
    /// Whether the agent goes further there than its author let it.
    pub widens: bool,
}

impl Loss {
    /// Makes a loss that has no place in the file.
    #[must_use]
    pub fn new(
        code: LossCode,
        field: impl Into<String>,
        severity: Severity,
        message: impl Into<String>,
    ) -> Self {
        Loss {
            code,
            field: field.into(),
            severity,
            span: None,
            message: message.into(),
            widens: false,
        }
    }
}

/// Something that is said with other words there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The field.
    pub field: String,
    /// The bytes of the source that say it.
    pub span: Option<Span>,
    /// What changed: one line, lower case, no full stop.
    pub message: String,
}

/// Why nothing is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of refusal it is.
    pub code: RefusalCode,
    /// The field that it is about.
    pub field: Option<String>,
    /// The bytes of the source that it is about.
    pub span: Option<Span>,
    /// Why: one line, lower case, no full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrittenFile {
    /// Its path from the project, with `/` between its parts.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// What a conversion gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion {
    /// The name of the agent in the source.
    pub name: String,
    /// How it ended.
    pub verdict: Verdict,
    /// The files, the one with the definition first; none if it is refused.
    pub files: Vec<WrittenFile>,
    /// What does not arrive, in the order of the source.
    pub losses: Vec<Loss>,
    /// What is said with other words.
    pub changes: Vec<Change>,
    /// Why nothing is written.
    pub refusal: Option<Refusal>,
}

impl Conversion {
    /// Adds something that does not arrive.
    pub fn lose(&mut self, loss: Loss) {
        self.losses.push(loss);
        self.verdict = self.verdict.max(Verdict::Lossy);
    }

    /// Makes the answer for a file that is no agent at all.
    #[must_use]
    pub fn refused(code: RefusalCode, name: impl Into<String>, message: impl Into<String>) -> Self {
        Conversion {
            name: name.into(),
            verdict: Verdict::Refused,
            files: Vec::new(),
            losses: Vec::new(),
            changes: Vec::new(),
            refusal: Some(Refusal::new(code, message)),
        }
    }
}

/// Everything that is found out on the way.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Notes {
    pub(crate) losses: Vec<Loss>,
    pub(crate) changes: Vec<Change>,
    /// Keys that nobody reads and that stand in comments there.
    pub(crate) in_comments: Vec<Span>,
}

impl Notes {
    pub(crate) fn lose(
        &mut self,
        code: LossCode,
        field: impl Into<String>,
        severity: Severity,
        span: Option<Span>,
        message: impl Into<String>,
    ) {
        let loss = Loss {
            code,
            field: field.into(),
            severity,
            span,
            message: message.into(),
            widens: false,
        };
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    pub(crate) fn change(
        &mut self,
        field: impl Into<String>,
        span: Option<Span>,
        message: impl Into<String>,
    ) {
        let change = Change {
            field: field.into(),
            span,
            message: message.into(),
        };
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    fn has_loss_of(&self, field: &str) -> bool {
        self.losses.iter().any(|loss| loss.field == field)
    }
}

impl Refusal {
    pub(crate) fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Refusal {
            code,
            field: None,
            span: None,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn about(mut self, field: impl Into<String>, span: Option<Span>) -> Self {
        self.field = Some(field.into());
        self.span = span;
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Writes an agent for another harness.
#[must_use]
pub fn convert(agent: &Agent<'_>, to: Reader, options: ConvertOptions<'_>) -> Conversion {
    let mut notes = Notes::default();
    let made = match text::as_it_is(agent, to, options, &mut notes) {
        Some(file) => Ok(vec![file]),
        None => check_source(agent, to, options)
            .and_then(|definition| make(agent, definition, to, options, &mut notes)),
    };
    let (files, refusal) = match made {
        Ok(files) => (files, None),
        Err(refusal) => (Vec::new(), Some(refusal)),
    };
    let Notes {
        mut losses,
        mut changes,
        ..
    } = notes;
    losses.sort_by_key(|loss| loss.span.map_or(u32::MAX, |span| span.start));
    changes.sort_by_key(|change| change.span.map_or(u32::MAX, |span| span.start));
    Conversion {
        name: agent.name.clone(),
        verdict: match (&refusal, losses.is_empty()) {
            (Some(_), _) => Verdict::Refused,
            (None, true) => Verdict::Lossless,
            (None, false) => Verdict::Lossy,
        },
        files,
        losses,
        changes,
        refusal,
    }
}

/// Returns the definition of an agent that can be converted at all.
fn check_source<'a>(
    agent: &'a Agent<'_>,
    to: Reader,
    options: ConvertOptions<'_>,
) -> Result<&'a Definition, Refusal> {
    let title = agent.from.title();
    let Some(definition) = agent.parsed.outcome.definition() else {
        return Err(
            Refusal::new(RefusalCode::NotLoaded, format!("{title} does not load it"))
                .help("`agentry check` tells why, and may be able to fix it"),
        );
    };
    if let Some(reference) = source::open_reference(agent) {
        let place = definition.place(FieldName::PROMPT).map(|place| place.value);
        return Err(Refusal::new(
            RefusalCode::OpenReference,
            format!("the prompt refers to `{reference}`, which is not read here"),
        )
        .about(FieldName::PROMPT.as_str(), place)
        .help("put the text into the prompt first"));
    }
    let (from_skill, to_skill) = (
        agent.from.writing().form.is_skill(),
        to.writing().form.is_skill(),
    );
    match (from_skill, to_skill) {
        (true, false) => {
            return Err(Refusal::new(
                RefusalCode::SkillOrAgent,
                "a skill is instructions for any agent, and no agent: it has no tools, model or \
                 limits of its own",
            )
            .help("write an agent that names the skill"));
        }
        (false, true) => {
            return Err(Refusal::new(
                RefusalCode::SkillOrAgent,
                "an agent is no skill: whoever loads a skill keeps its own tools, model and limits",
            )
            .help("move the instructions into a skill by hand, and let the agent name it"));
        }
        _ => {}
    }
    if !options.allow_widening
        && let Some(refusal) = widened_already(&agent.parsed, title)
    {
        return Err(refusal);
    }
    Ok(definition)
}

/// An agent that goes further than its author wrote, because the harness lost a limit, is not to
/// be copied; what its author meant is not known. A rule behind a tool is the one exception: it
/// is read, and the harness alone takes no notice of it.
fn widened_already(parsed: &Parsed, title: &str) -> Option<Refusal> {
    if parsed.fate != Fate::Degraded || !parsed.rights_widened {
        return None;
    }
    let about_rights = parsed.diagnostics.iter().filter(|finding| {
        finding.severity >= Severity::Warning
            && finding.field.is_none_or(|field| GUARDED.contains(&field))
    });
    let unknown = about_rights
        .filter(|finding| finding.rule.code != agent_schema::rules::TOOL_RULE_IGNORED.code)
        .filter(|finding| finding.rule.code != agent_schema::rules::UNKNOWN_TOOL.code);
    let first = unknown.max_by_key(|finding| finding.severity)?;
    let message = format!(
        "{title} lost a limit that the file sets, so that its agent may do more than is written: {}",
        first.message
    );
    Some(Refusal {
        code: RefusalCode::LimitLost,
        field: first.field.map(|field| field.to_string()),
        span: first.span,
        message,
        help: Some("mend the file first; `agentry check --fix` may be able to".to_owned()),
    })
}

/// Writes the files and finds out what they lose.
fn make(
    agent: &Agent<'_>,
    definition: &Definition,
    to: Reader,
    options: ConvertOptions<'_>,
    notes: &mut Notes,
) -> Result<Vec<WrittenFile>, Refusal> {
    let draft = fields::draft(agent, definition, to, options, notes)?;
    let (draft, read) = text::settle(agent, draft, to, notes)?;
    check_rights(agent, definition, &read, to, options, notes)?;
    fields::compare(agent, definition, &read, to, options, notes);
    if !same_rules(agent.from, to) {
        back::check(agent, definition, &draft, &read, to, options, notes);
        if notes.losses.is_empty() {
            back::list_other_rights(agent, definition, &read, to, notes);
        }
    }
    source::note_unread(agent, notes);
    Ok(draft.files)
}

/// Names what an agent may do by one of its sources alone and not as it is merged from all of them,
/// in the harness that it comes from. Such a source cannot be converted without the others.
#[must_use]
pub fn beyond_merged(agent: &Agent<'_>, merged: &Definition) -> Vec<String> {
    let rules = &agent.from.writing().access;
    let Some(own) = agent.parsed.outcome.definition() else {
        return Vec::new();
    };
    let rights = |definition| Rights::of(definition, rules, View::Meant);
    named(rights(own).beyond(&rights(merged), rules, rules.vocabulary))
}

/// Names the tools that go too far, for people. Whoever may use any other tool may use those that
/// are not known, too.
fn named(beyond: Vec<Subject>) -> Vec<String> {
    let any_other = Subject::Other(ANYTHING_ELSE.to_owned());
    let all = beyond.contains(&any_other);
    let told = beyond
        .into_iter()
        .filter(|subject| !all || matches!(subject, Subject::Tool(_)) || *subject == any_other);
    told.map(|subject| match subject == any_other {
        true => ANYTHING_ELSE.to_owned(),
        false => format!("`{subject}`"),
    })
    .collect()
}

/// Makes sure that an agent goes no further there than its author let it, and lists what it can
/// no longer do.
fn check_rights(
    agent: &Agent<'_>,
    definition: &Definition,
    read: &Definition,
    to: Reader,
    options: ConvertOptions<'_>,
    notes: &mut Notes,
) -> Result<(), Refusal> {
    let (from_rules, to_rules) = (&agent.from.writing().access, &to.writing().access);
    let same = same_rules(agent.from, to);
    // To the same harness the same words mean the same, whatever it makes of them.
    let view = if same { View::Meant } else { View::Effective };
    let meant = Rights::of(definition, from_rules, View::Meant);
    let there = Rights::of(read, to_rules, view);
    let beyond = there.beyond(&meant, to_rules, from_rules.vocabulary);
    if !beyond.is_empty() {
        let names = named(beyond).join(", ");
        let message = format!("{} would let it go further with {names}", to.title());
        let span = access::limit_span(definition, from_rules);
        if !options.allow_widening {
            return Err(Refusal::new(RefusalCode::GoesFurther, message)
                .about(FieldName::TOOLS.as_str(), span)
                .help("`--allow-widening` writes it all the same"));
        }
        notes.losses.push(Loss {
            code: LossCode::GoesFurther,
            field: FieldName::TOOLS.to_string(),
            severity: Severity::Error,
            span,
            message,
            widens: true,
        });
    }
    access::list_losses(agent, &meant, &there, to, notes);
    Ok(())
}
