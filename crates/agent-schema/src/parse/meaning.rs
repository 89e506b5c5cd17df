//! What a definition means that loads: names that stand for nothing, limits that limit nothing,
//! texts that say nothing. The harness says nothing of all this.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};

use super::Reading;
use super::fields::holds_token;
use crate::coerce::shorten;
use crate::definition::{FieldName, FieldValue, Name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::foreign_words::{all_meanings, and_list};
use crate::known_words::{KnownTools, NamedTool};
use crate::rules::{self, Rule};
use crate::source::Span;
use crate::tool_rules::AddedTools;
use crate::value::{Entry, Node, Value};
use crate::vocabulary::Tool;

/// Descriptions that were never written.
const PLACEHOLDERS: [&str; 12] = [
    "todo",
    "tbd",
    "fixme",
    "xxx",
    "description",
    "description here",
    "description goes here",
    "your description here",
    "add description",
    "add description here",
    "placeholder",
    "lorem ipsum",
];

impl Reading<'_> {
    /// Looks at what the fields of a definition mean that loads.
    pub(super) fn note_meaning(&mut self) {
        let known_words = self.rules.known_words;
        if let Some(tools) = known_words.tools {
            self.note_tools(tools);
        }
        self.note_model();
        self.note_padded_name();
        self.note_description();
        if !known_words.joins_backslash_n {
            self.note_escapes();
        }
        self.note_typographic_quotes();
        self.note_empty_prompt();
    }

    /// Looks at what can be told of a definition that does not load, names and the description: it
    /// has to be mended too.
    pub(super) fn note_names(&mut self) {
        if let Some(tools) = self.rules.known_words.tools {
            let named = (tools.named)(&self.definition);
            self.note_unknown(tools, &named);
        }
        self.note_model();
        self.note_description();
    }

    fn note_empty_prompt(&mut self) {
        let Some(why) = self.rules.known_words.empty_prompt else {
            return;
        };
        let (Some(prompt), Some(place)) = (
            self.definition.prompt(),
            self.definition.place(FieldName::PROMPT),
        ) else {
            return;
        };
        // Without a header the body is all that there is.
        if prompt.trim().is_empty()
            && self.definition.place(FieldName::DESCRIPTION).is_some()
            && !self.is_switched_off()
        {
            let finding = Diagnostic::new(&rules::EMPTY_PROMPT, "the agent has no prompt");
            let finding = finding.at(place.value);
            let finding = match self.is_entry {
                true => {
                    let title = self.dialect.title;
                    finding
                        .because(format!("{title} takes an empty `prompt` as it is written"))
                        .help("write into it what the agent shall do, or remove the key")
                }
                false => finding
                    .because(why)
                    .help("write below the header what the agent shall do"),
            };
            self.push_about(FieldName::PROMPT, finding);
        }
    }

    /// Returns whether the definition takes its own agent away.
    fn is_switched_off(&self) -> bool {
        let mut profiles = self.dialect.profiles.iter();
        profiles.any(|profile| {
            let switch = profile.rules.merging.switch;
            switch.is_some_and(|switch| self.definition.flag(switch) == Some(true))
        })
    }

    fn note_tools(&mut self, tools: &KnownTools) {
        let named = (tools.named)(&self.definition);
        self.note_unknown(tools, &named);
        self.note_repeated(&named);
        self.note_cancelled(tools, &named);
        self.note_list_as_a_whole(tools, &named);
        self.note_other_mode(tools, &named);
        if let Some(adding) = tools.adding {
            self.note_added(tools, &named, adding);
        }
    }

    /// Notes tools that are given in another mode alone.
    fn note_other_mode(&mut self, tools: &KnownTools, named: &[NamedTool]) {
        let mode = self.definition.text(FieldName::PERMISSION_MODE);
        let mode = mode.map(str::to_owned);
        for (tool, wanted) in tools.in_mode {
            let allowed = |it: &&NamedTool| {
                it.field == FieldName::TOOLS && (tools.tool)(&it.name.text) == *tool
            };
            let named = named.iter().find(allowed).and_then(|it| it.name.span);
            let Some(span) = named.filter(|_| mode.as_deref() != Some(*wanted)) else {
                continue;
            };
            let message = format!("`{tool}` is given in the mode `{wanted}` alone");
            let finding = Diagnostic::new(&rules::INERT_TOOL, message)
                .at(span)
                .because(format!(
                    "{} leaves it out of the tools of an agent that is called in any other mode",
                    self.dialect.title
                ))
                .help("remove it, or write that mode");
            let severity = Severity::Info;
            self.push_about(
                FieldName::TOOLS,
                Diagnostic {
                    severity,
                    ..finding
                },
            );
        }
    }

    /// Notes tools that another field adds to a list which leaves them out.
    fn note_added(&mut self, tools: &KnownTools, named: &[NamedTool], adding: AddedTools) {
        let (Some(FieldValue::Names(_)), Some((_, list)), Some((_, at))) = (
            self.value(FieldName::TOOLS),
            self.written_value(FieldName::TOOLS),
            self.written_value(adding.field),
        ) else {
            return;
        };
        let is_named = |tool: &str| {
            let mut named = named.iter();
            named.any(|it| (tools.tool)(&it.name.text) == tool)
        };
        let added = adding.tools.iter().filter(|tool| !is_named(tool));
        let added: Vec<String> = added.map(|tool| format!("`{tool}`")).collect();
        let added: Vec<&str> = added.iter().map(String::as_str).collect();
        if added.is_empty() {
            return;
        }
        // An agent that gets these is not one without tools, and what was no list is none now.
        let of_no_tools = |told: &Diagnostic| {
            let of_no_tools = [&rules::NO_TOOLS, &rules::HIDDEN_LIMIT].contains(&told.rule);
            of_no_tools && told.field == Some(FieldName::TOOLS)
        };
        let told = self.diagnostics.iter().filter(|told| of_no_tools(told));
        let severity = told.map(|told| told.severity).max();
        self.diagnostics.retain(|told| !of_no_tools(told));
        let added = and_list(&added);
        let field = adding.field.as_str();
        let message = format!("`{field}` gives the agent {added}, which its list leaves out");
        let why = format!(
            "{} adds these tools to every list, an empty one too, and lets only \
             `disallowedTools` take them away again",
            self.dialect.title
        );
        let finding = Diagnostic::new(&rules::ADDED_TOOLS, message)
            .at(at)
            .and_at(list, "the list of tools")
            .because(why)
            .help(format!(
                "name them in the list if they are meant, or take away {added} with \
                 `disallowedTools`"
            ));
        let severity = finding.severity.max(severity.unwrap_or(finding.severity));
        self.push_about(
            adding.field,
            Diagnostic {
                severity,
                ..finding
            },
        );
    }

    /// Notes names that no tool has, unless something else is wrong with exactly these bytes. A
    /// list may be long, so the findings so far are walked once.
    fn note_unknown(&mut self, tools: &KnownTools, named: &[NamedTool]) {
        let is_star = |name: &str| name == "*" && tools.star_is_a_name.is_some();
        let may_be_unknown = |name: &str| is_star(name) || !tools.is_known(name);
        if !named.iter().any(|tool| may_be_unknown(&tool.name.text)) {
            return;
        }
        let findings = self.diagnostics.iter();
        let mut noted: HashSet<Span> = findings.filter_map(|finding| finding.span).collect();
        for tool in named {
            let is_damaged = |span: &Span| {
                self.damaged
                    .iter()
                    .any(|value| value.cover(*span) == *value)
            };
            let span = tool.name.span.filter(|span| !is_damaged(span));
            if let Some(span) = span.filter(|span| noted.insert(*span)) {
                self.note_tool(tools, tool, span);
            }
        }
    }

    fn note_tool(&mut self, tools: &KnownTools, tool: &NamedTool, span: Span) {
        let title = self.dialect.title;
        let written = tool.name.text.as_str();
        let finding = match (written, tools.star_is_a_name) {
            ("*", Some(why)) => Diagnostic::new(
                &rules::UNKNOWN_TOOL,
                "`*` stands for no tool, not for all of them",
            )
            .because(why)
            .help("name each tool"),
            _ => {
                let Some(meant) = tools.mistaken(written, title) else {
                    return;
                };
                let in_vain = match tool.is_limited {
                    true => "nothing is taken away, as ",
                    false => "",
                };
                let no_tool = match tools.of_application {
                    true => format!("{title} brings no tool"),
                    false => "there is no tool".to_owned(),
                };
                Diagnostic::new(
                    &rules::UNKNOWN_TOOL,
                    format!("{in_vain}{no_tool} `{}`", shorten(written)),
                )
                .because(tools.unknown)
                .help(meant)
            }
        };
        let finding = finding.at(span).about(tool.field);
        self.diagnostics.push(Diagnostic {
            severity: Severity::Warning,
            ..finding
        });
        // The tool that was meant stays.
        if tool.is_limited {
            self.lost.push(tool.field);
        }
    }

    /// Returns whether something is wrong with exactly these bytes already.
    fn is_noted(&self, span: Span) -> bool {
        let mut findings = self.diagnostics.iter();
        findings.any(|finding| finding.span == Some(span))
    }

    /// Notes names that stand twice in one list.
    fn note_repeated(&mut self, named: &[NamedTool]) {
        let mut seen = HashMap::new();
        for tool in named {
            let first = match seen.entry((tool.field, tool.name.text.as_str())) {
                MapEntry::Occupied(first) => Some(*first.get()),
                MapEntry::Vacant(free) => {
                    free.insert(tool);
                    None
                }
            };
            if let (Some(first), Some(span)) = (first, tool.name.span) {
                let finding = Diagnostic::new(
                    &rules::REPEATED_NAME,
                    format!(
                        "`{}` stands here for the second time",
                        shorten(&tool.name.text)
                    ),
                );
                let why = format!(
                    "a name counts once for {}, however often it stands",
                    self.dialect.title
                );
                let finding = finding
                    .at(span)
                    .about(tool.field)
                    .because(why)
                    .help("remove it");
                self.diagnostics.push(match first.name.span {
                    Some(first) if first != span => finding.and_at(first, "it stands here too"),
                    _ => finding,
                });
            }
        }
    }

    /// Notes tools that one list allows and the other takes away.
    fn note_cancelled(&mut self, tools: &KnownTools, named: &[NamedTool]) {
        let of = |field: FieldName| named.iter().filter(move |tool| tool.field == field);
        let title = self.dialect.title;
        let mut first_denied = HashMap::new();
        for denied in of(FieldName::DISALLOWED_TOOLS) {
            let tool = (tools.tool)(&denied.name.text);
            first_denied.entry(tool).or_insert(denied);
        }
        if first_denied.is_empty() {
            return;
        }
        let told = self.diagnostics.iter();
        let unknown = told.filter(|told| told.rule == &rules::UNKNOWN_TOOL);
        let unknown: HashSet<Option<Span>> = unknown.map(|told| told.span).collect();
        for allowed in of(FieldName::TOOLS) {
            let tool = (tools.tool)(&allowed.name.text);
            // What is no tool is not allowed in the first place.
            let may_be_tool = !tools.closed || tools.is_known(&allowed.name.text);
            if !may_be_tool || unknown.contains(&allowed.name.span) {
                continue;
            }
            if let (Some(denied), Some(span)) = (first_denied.get(tool), allowed.name.span) {
                let finding = Diagnostic::new(
                    &rules::DENIED_TOOL,
                    format!("`{}` is allowed here and taken away again", shorten(tool)),
                )
                .at(span)
                .because(format!("{title} lets the list of denied tools win"))
                .help("keep the tool in one of the two lists")
                .about(FieldName::TOOLS);
                self.diagnostics.push(match denied.name.span {
                    Some(denied) => finding.and_at(denied, "it is taken away here"),
                    None => finding,
                });
            }
        }
    }

    /// Notes a list that leaves no tool, or that limits nothing.
    fn note_list_as_a_whole(&mut self, tools: &KnownTools, named: &[NamedTool]) {
        self.note_list_that_limits_nothing(tools);
        let Some((_, value)) = self.written_value(FieldName::TOOLS) else {
            return;
        };
        if self.are_all_taken_away(tools, named) {
            let why = format!(
                "{} lets the list of denied tools win, and it names all that are allowed",
                self.dialect.title
            );
            let finding = Diagnostic::new(&rules::NO_TOOLS, "no tool is left: the agent gets none")
                .at(value)
                .because(why)
                .help("keep each tool in one of the two lists");
            self.push_about(FieldName::TOOLS, finding);
            self.lost.push(FieldName::TOOLS);
            return;
        }
        let mut allowed = named.iter().filter(|tool| tool.field == FieldName::TOOLS);
        if let Some(FieldValue::Names(names)) = self.value(FieldName::TOOLS)
            && tools.closed
            && !names.is_empty()
            && allowed.all(|tool| !tools.is_known(&tool.name.text))
        {
            let why = format!(
                "{} passes over each of the names, and a list of which nothing is left allows \
                 nothing",
                self.dialect.title
            );
            let finding = Diagnostic::new(&rules::NO_TOOLS, "no tool is left: the agent gets none");
            let finding = finding.at(value);
            self.push_about(FieldName::TOOLS, finding.because(why));
            self.lost.push(FieldName::TOOLS);
        }
    }

    /// Returns whether tools are allowed, and each of them is taken away again.
    fn are_all_taken_away(&self, tools: &KnownTools, named: &[NamedTool]) -> bool {
        let of = |field: FieldName| named.iter().filter(move |tool| tool.field == field);
        let tool = |named: &NamedTool| (tools.tool)(&named.name.text).to_owned();
        let denied: HashSet<String> = of(FieldName::DISALLOWED_TOOLS).map(tool).collect();
        let mut allowed = of(FieldName::TOOLS)
            .filter(|it| tools.is_known(&it.name.text))
            .peekable();
        let adds = tools.adding.map(|adding| adding.field);
        let is_given_more = adds.is_some_and(|field| self.definition.place(field).is_some());
        allowed.peek().is_some() && !is_given_more && allowed.all(|it| denied.contains(&tool(it)))
    }

    /// Notes tools that are named, or are not, in a way that takes none away.
    fn note_list_that_limits_nothing(&mut self, tools: &KnownTools) {
        let named = (tools.named)(&self.definition);
        // Who denies something does not mean everything.
        if named.iter().any(|it| it.field != FieldName::TOOLS) {
            return;
        }
        let mut unset = self.without_value.iter();
        let unset = unset.find(|(field, ..)| *field == FieldName::TOOLS);
        let written = self.written_value(FieldName::TOOLS);
        let (place, why) = match (self.value(FieldName::TOOLS), unset) {
            (Some(FieldValue::Config(map)), _) if is_empty_map(map) => (written, tools.empty_means),
            (Some(FieldValue::Config(map)), _) if allows_all(map) => {
                self.note_map_that_limits_nothing(tools, &named);
                return;
            }
            (_, Some((_, key, value))) => (Some((*key, *value)), tools.empty_means),
            _ => return,
        };
        if let Some(((key, value), why)) = place.zip(why) {
            let at = if value.is_empty() { key } else { value };
            let help = "name the tools, or remove the key if every tool is meant";
            let finding = every_tool().at(at).because(why).help(help);
            self.push_about(FieldName::TOOLS, finding);
        }
    }

    /// Notes a mapping that allows tools which nobody denies.
    fn note_map_that_limits_nothing(&mut self, tools: &KnownTools, named: &[NamedTool]) {
        let place = self.written_value(FieldName::TOOLS);
        let Some(((_, value), why)) = place.zip(tools.allowed_means) else {
            return;
        };
        let help = "take away what is not meant, as in `bash: false`, or remove the key";
        let finding = every_tool().at(value).because(why).help(help);
        let mut meant = named.iter().flat_map(|it| all_meanings(&it.name.text));
        // Who may run commands anyway lacks little.
        let severity = match meant.any(|tool| tool == Tool::SHELL) {
            true => Severity::Info,
            false => finding.severity,
        };
        let finding = Diagnostic {
            severity,
            ..finding
        };
        self.push_about(FieldName::TOOLS, finding);
    }

    fn value(&self, field: FieldName) -> Option<&FieldValue> {
        self.definition.field(field).map(|field| &field.value)
    }

    fn written_value(&self, field: FieldName) -> Option<(Span, Span)> {
        let place = self.definition.place(field)?;
        Some((place.key, place.value))
    }

    fn push_about(&mut self, field: FieldName, finding: Diagnostic) {
        self.diagnostics.push(finding.about(field));
    }

    fn note_model(&mut self) {
        let Some(models) = self.rules.known_words.models else {
            return;
        };
        let Some(model) = self.definition.model().filter(|model| !model.is_empty()) else {
            return;
        };
        if self.inputs.has_tokens && holds_token(model) {
            return;
        }
        let word = model.to_owned();
        let Some((_, span)) = self.written_value(FieldName::MODEL) else {
            return;
        };
        if models.words.contains(&word.to_lowercase().as_str()) || self.is_noted(span) {
            return;
        }
        if let Some(wrong) = (models.wrong)(&word) {
            let finding = Diagnostic::new(
                &rules::UNKNOWN_MODEL,
                format!("the model `{}` {}", shorten(&word), wrong.complaint),
            );
            let finding = Diagnostic {
                severity: wrong.severity,
                ..finding
            };
            let finding = finding.at(span).because(models.unknown).help(wrong.help);
            self.push_about(FieldName::MODEL, finding);
        }
    }

    fn note_padded_name(&mut self) {
        let Some((_, span)) = self.written_value(FieldName::NAME) else {
            return;
        };
        let name = self.definition.name();
        let bare = name.trim_end_matches(',').trim();
        if bare == name || self.is_noted(span) {
            return;
        }
        let message = match bare {
            "" => "the name holds nothing but white space".to_owned(),
            bare if name.ends_with(',') => {
                format!("the name `{}` has a comma behind it", shorten(bare))
            }
            bare => format!("the name `{}` has white space around it", shorten(bare)),
        };
        let finding = Diagnostic::new(&rules::PADDED_NAME, message)
            .at(span)
            .because(format!(
                "{} takes it for a part of the name, so that a call must repeat it",
                self.dialect.title
            ))
            .help(match bare {
                "" => "write a name".to_owned(),
                bare => format!("write `{}`", shorten(bare)),
            });
        self.push_about(FieldName::NAME, finding);
    }

    fn note_description(&mut self) {
        let Some((key, span)) = self.written_value(FieldName::DESCRIPTION) else {
            return;
        };
        let Some(FieldValue::Text(text)) = self.value(FieldName::DESCRIPTION) else {
            return;
        };
        let already = self.diagnostics.iter();
        if already
            .clone()
            .any(|it| it.field == Some(FieldName::DESCRIPTION))
            || self.is_noted(span)
        {
            return;
        }
        let (rule, message): (&'static Rule, String) = if text.trim().is_empty() {
            (
                &rules::BLANK_DESCRIPTION,
                "the description is blank".to_owned(),
            )
        } else if is_placeholder(text) || is_reminder(text) || is_template(text) {
            let text = shorten(text);
            let message = format!("the description `{text}` was never written");
            (&rules::PLACEHOLDER_DESCRIPTION, message)
        } else {
            return;
        };
        let span = if span.is_empty() { key } else { span };
        let mut finding = Diagnostic::new(rule, message)
            .at(span)
            .because(format!(
                "the description is all that {} tells the delegating model about the agent",
                self.dialect.title
            ))
            .help("say in the description what the agent does and when to use it");
        // Nobody delegates to an agent that only a person chooses.
        if self.definition.text(FieldName::MODE) == Some("primary") {
            finding.severity = Severity::Info;
            finding.why = Some("the description says to people what the agent is for".into());
        }
        self.push_about(FieldName::DESCRIPTION, finding);
    }

    /// Notes the two signs `\n` where they stay what they are.
    fn note_escapes(&mut self) {
        let Some(FieldValue::Text(text)) = self.value(FieldName::DESCRIPTION) else {
            return;
        };
        let Some((_, value)) = self.written_value(FieldName::DESCRIPTION) else {
            return;
        };
        // A single sign is found faster.
        if !text.contains('\\') || !has_escaped_line_ends(text) {
            return;
        }
        let at = self.find_in(value, "\\n").unwrap_or(value);
        let finding = Diagnostic::new(
            &rules::LITERAL_ESCAPE,
            "`\\n` stays two signs here and is no line end",
        )
        .at(at)
        .because(format!(
            "{} reads the text as YAML does, where the two signs are a line end between double \
             quotes alone, with a single backslash",
            self.dialect.title
        ))
        .help("write the text behind `|`, with real line ends");
        self.push_about(FieldName::DESCRIPTION, finding);
    }

    /// Returns what is written at a place.
    pub(super) fn text_at(&self, place: Span) -> &str {
        let bytes = self.bytes.get(place.start as usize..place.end as usize);
        std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    }

    /// Finds a text in the bytes of a place.
    fn find_in(&self, place: Span, text: &str) -> Option<Span> {
        let bytes = self.bytes.get(place.start as usize..place.end as usize)?;
        let at = bytes
            .windows(text.len())
            .position(|it| it == text.as_bytes())?;
        let start = place.start + u32::try_from(at).ok()?;
        Some(Span::new(start, start + u32::try_from(text.len()).ok()?))
    }

    /// Notes values that were meant to stand in quotes.
    fn note_typographic_quotes(&mut self) {
        const PAIRS: [(char, char); 4] = [('“', '”'), ('‘', '’'), ('„', '“'), ('«', '»')];
        let is_quoted = |text: &str| {
            let mut pairs = PAIRS.iter();
            pairs.any(|(open, close)| {
                let inside = text.strip_prefix(*open);
                inside.and_then(|text| text.strip_suffix(*close)).is_some()
            })
        };
        let mut found = Vec::new();
        for (field, located) in self.definition.fields() {
            if field == FieldName::PROMPT {
                continue;
            }
            let place = located.place.map(|place| place.value);
            let texts: Vec<(&str, Option<Span>)> = match &located.value {
                FieldValue::Text(text) => vec![(text, place)],
                FieldValue::Names(names) => {
                    // Several names may stand between one pair.
                    let all = place.map(|place| (self.text_at(place), Some(place)));
                    let all = all.filter(|(text, _)| is_quoted(text));
                    all.map_or_else(|| names.iter().map(by_text).collect(), |all| vec![all])
                }
                _ => continue,
            };
            for (text, span) in texts.into_iter().filter(|(text, _)| is_quoted(text)) {
                found.push((field, text.to_owned(), span));
            }
        }
        for (field, text, span) in found {
            let Some(span) = span else { continue };
            let finding = Diagnostic::new(
                &rules::ODD_CHARACTER,
                format!("the quotes of `{}` are part of the value", shorten(&text)),
            )
            .at(span)
            .because("YAML knows the straight quotes `\"` and `'` alone")
            .help("write straight quotes");
            self.push_about(field, finding);
        }
    }
}

/// Returns whether the signs `\n` stand for line ends in a text: several of them, or one between two
/// sentences. A single one elsewhere may be a part of a path, or be spoken of.
fn has_escaped_line_ends(text: &str) -> bool {
    const ESCAPE: &str = "\\n";
    let mut found = text.match_indices(ESCAPE);
    let Some((at, _)) = found.next() else {
        return false;
    };
    let (before, behind) = (&text[..at], &text[at + ESCAPE.len()..]);
    let ends_sentence = before.ends_with(['.', '!', '?', ':', ';', '>']);
    let begins_another = behind.starts_with(|c: char| c.is_uppercase() || "<-*#".contains(c));
    found.next().is_some() || ends_sentence && begins_another
}

fn by_text(name: &Name) -> (&str, Option<Span>) {
    (&name.text, name.span)
}

/// Returns whether a text has nothing but signs in it, or is a word that stands for one.
fn is_placeholder(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    bare.is_empty()
        || PLACEHOLDERS
            .iter()
            .any(|word| bare.eq_ignore_ascii_case(word))
}

/// Returns whether a text reminds its author to write another one.
fn is_reminder(text: &str) -> bool {
    let words = text.trim_start();
    ["TODO", "FIXME", "TBD"].iter().any(|word| {
        let rest = words.strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with([':', ' ', ',']))
    })
}

/// Returns whether a text is nothing but the place of another one in a template.
fn is_template(text: &str) -> bool {
    const PAIRS: [(&str, &str); 5] = [
        ("{{", "}}"),
        ("${", "}"),
        ("<", ">"),
        ("[", "]"),
        ("%", "%"),
    ];
    let text = text.trim();
    PAIRS.iter().any(|(open, close)| {
        let inside = text.strip_prefix(open);
        let inside = inside.and_then(|text| text.strip_suffix(close));
        inside.is_some_and(|inside| {
            !inside.contains(['<', '>', '{', '}', '[', ']', '\n']) && inside.len() < 80
        })
    })
}

fn every_tool() -> Diagnostic {
    Diagnostic::new(
        &rules::EVERY_TOOL,
        "`tools` limits nothing: the agent has every tool",
    )
}

fn is_empty_map(node: &Node) -> bool {
    node.as_map().is_some_and(|map| map.entries.is_empty())
}

/// Returns whether a mapping of tools has none that is not allowed.
fn allows_all(tools: &Node) -> bool {
    let allows = |entry: &Entry| matches!(entry.value.value, Value::Bool(true));
    tools
        .as_map()
        .is_some_and(|map| map.entries.iter().all(allows))
}
