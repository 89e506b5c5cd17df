//! The checks of a whole roster: all of it at once, without a network or a model.
//!
//! Only `C8-missing-role` is named by ADR-0010 (its consequences); the numbers and severities of
//! the others are ours.

use std::collections::BTreeSet;

use agent_schema::coerce::shorten;
use agent_schema::parse::MOST_OF_A_RULE;
use agent_schema::roster::{self, LayeredRosterRules, base_name};
use agent_schema::sections::{EXIT_RULES, YOUR_TEAM, sections};
use agent_schema::suggest::nearest;
use agent_schema::{
    Applicability, Definition, Diagnostic, Edit, FieldName, Fix, Outcome, Related, Span,
    ToolAccess, rules,
};

use super::{Roster, RosterFinding};
use crate::entry::{Entry, State};
use crate::file_tree::FileTree;
use crate::inputs::Inputs;
use crate::skills::{Skills, discover_skills};

/// Checks a roster; what is found about an entry is noted there too.
pub(super) fn check(
    tree: &dyn FileTree,
    rules: &LayeredRosterRules,
    inputs: &Inputs,
    roster: &mut Roster,
) {
    let found = &roster.found;
    let cx = Context {
        rules,
        roster,
        skills: discover_skills(tree, found.dialect, found.profile, inputs),
        with_fixes: inputs.with_fixes,
    };
    let mut findings = cx.told_already();
    let mut new = Vec::from_iter(cx.exit_rules());
    for (index, entry) in found.entries.iter().enumerate() {
        match (entry.state, entry.definition()) {
            (State::Active, Some(definition)) => cx.check_agent(index, definition, &mut new),
            (State::Rejected, _) => cx.check_refused(index, &mut new),
            _ => {}
        }
    }
    for finding in &new {
        if let Some(entry) = finding.entry {
            let diagnostics = &mut roster.found.entries[entry].diagnostics;
            diagnostics.push(finding.diagnostic.clone());
        }
    }
    findings.append(&mut new);
    roster.findings = findings;
}

struct Context<'a> {
    rules: &'a LayeredRosterRules,
    roster: &'a Roster,
    skills: Skills,
    with_fixes: bool,
}

impl Context<'_> {
    fn title(&self) -> &'static str {
        self.roster.found.dialect.title
    }

    /// The findings that were made while the layers were read.
    fn told_already(&self) -> Vec<RosterFinding> {
        let told = [&rules::C1_UNREADABLE_LAYER, &rules::C2_BAD_AGENT_NAME];
        let entries = self.roster.found.entries.iter().enumerate();
        let findings = entries.flat_map(|(index, entry)| {
            let diagnostics = entry.diagnostics.iter();
            diagnostics
                .filter(|diagnostic| told.contains(&diagnostic.rule))
                .map(move |diagnostic| RosterFinding {
                    agent: self.key_of(entry),
                    entry: Some(index),
                    diagnostic: diagnostic.clone(),
                })
        });
        findings.collect()
    }

    /// The name under which a layer speaks of an agent.
    fn key_of(&self, entry: &Entry) -> Option<String> {
        let inside = entry.source.inside.as_deref()?;
        let key = inside.strip_prefix(self.rules.agents)?.strip_prefix('.')?;
        Some(key.to_owned())
    }

    /// Rules for ending a run that are asked for by name must be there.
    fn exit_rules(&self) -> Option<RosterFinding> {
        let key = self.rules.prompts.exit_rules;
        let setting = self.roster.settings.get(key)?;
        let written = setting.value.place.map(|place| place.value);
        let diagnostic = match &self.roster.exit_rules {
            Some(_) => self.dropped_folder(setting.value.value.as_text()?, written?)?,
            None => Diagnostic {
                span: written,
                ..self.missing_exit_rules(key)
            },
        };
        let place = self.roster.found.places.get(setting.place)?;
        let file = crate::reported::reported(&place.path.join(self.rules.file));
        // The file has no entry of its own; the first agent that it holds shows the finding.
        let mut entries = self.roster.found.entries.iter();
        let entry = entries.position(|entry| {
            entry.source.reported == file && entry.source.place == Some(setting.place)
        });
        Some(RosterFinding {
            agent: None,
            entry,
            diagnostic,
        })
    }

    fn missing_exit_rules(&self, key: &str) -> Diagnostic {
        Diagnostic::new(
            &rules::C3_MISSING_PROMPT,
            format!("no layer has the file that `{key}` names"),
        )
        .because(self.base_name_rule())
        .help(format!(
            "write the file into a folder `{}`, or name another one",
            self.rules.prompts.folder
        ))
    }

    /// Tells of a path whose folders seem to lead elsewhere, and have no effect.
    fn dropped_folder(&self, written: &str, at: Span) -> Option<Diagnostic> {
        let base = base_name(written);
        let folders = written.strip_suffix(base)?;
        if base.is_empty() || is_prompt_folder(folders, self.rules.prompts.folder) {
            return None;
        }
        let message = format!("of `{}` only `{}` counts", shorten(written), shorten(base));
        let finding = Diagnostic::new(&rules::IGNORED_VALUE, message)
            .at(at)
            .because(self.base_name_rule())
            .help(format!(
                "put the file into the folder `{}` of a layer, and write `{}`",
                self.rules.prompts.folder,
                (self.rules.prompts.otherwise)(base.strip_suffix(".md").unwrap_or(base)),
            ));
        Some(finding)
    }

    /// The tools that the roster names for anyone.
    fn tools(&self) -> BTreeSet<&str> {
        let entries = self.roster.found.entries.iter();
        let definitions = entries.filter_map(Entry::definition);
        let lists = definitions.filter_map(|definition| match definition.tools() {
            ToolAccess::Listed(tools) => Some(tools),
            _ => None,
        });
        lists
            .flat_map(|tools| tools.iter().map(|tool| tool.text.as_str()))
            .collect()
    }

    /// The names of the files that lie where prompts are.
    fn prompt_files(&self) -> impl Iterator<Item = &str> {
        let folder = self.rules.prompts.folder;
        let paths = self.roster.found.entries.iter();
        let paths = paths.filter_map(|entry| entry.source.path.as_deref());
        let prompts =
            paths.filter(move |path| path.parent().is_some_and(|it| it.ends_with(folder)));
        prompts.filter_map(|path| path.file_name()?.to_str())
    }

    fn skill_names(&self) -> impl Iterator<Item = &str> {
        self.skills.active().map(|found| found.skill.name.as_str())
    }

    fn base_name_rule(&self) -> String {
        format!(
            "{} looks for the last part of the path in the folders `{}` of all layers",
            self.title(),
            self.rules.prompts.folder
        )
    }

    fn check_agent(&self, index: usize, definition: &Definition, out: &mut Vec<RosterFinding>) {
        let agent = Agent {
            cx: self,
            index,
            entry: &self.roster.found.entries[index],
            definition,
        };
        agent.name(true, out);
        agent.prompt(out);
        agent.skills(out);
        agent.role(out);
    }

    /// Checks what a layer says about an agent that is refused, unless another layer gives one of
    /// that name. It has no prompt.
    fn check_refused(&self, index: usize, out: &mut Vec<RosterFinding>) {
        let entry = &self.roster.found.entries[index];
        let outcome = entry.parsed.as_ref().map(|parsed| &parsed.outcome);
        let (Some(Outcome::Rejected(definition)), Some(_)) = (outcome, self.key_of(entry)) else {
            return;
        };
        if self.roster.found.get(definition.name()).is_some() {
            return;
        }
        let agent = Agent {
            cx: self,
            index,
            entry,
            definition,
        };
        agent.name(false, out);
        agent.skills(out);
        agent.role(out);
    }
}

/// An agent that is checked.
struct Agent<'a> {
    cx: &'a Context<'a>,
    index: usize,
    entry: &'a Entry,
    definition: &'a Definition,
}

impl Agent<'_> {
    /// The entry that gives a field.
    fn giver(&self, field: FieldName) -> usize {
        self.entry.giver(field).unwrap_or(self.index)
    }

    fn key(&self) -> Span {
        let place = self.definition.place(FieldName::NAME);
        place.map_or(Span::default(), |place| place.key)
    }

    fn finding(&self, entry: usize, diagnostic: Diagnostic) -> RosterFinding {
        RosterFinding {
            agent: Some(self.definition.name().to_owned()),
            entry: Some(entry),
            diagnostic,
        }
    }

    fn name(&self, is_on_roster: bool, out: &mut Vec<RosterFinding>) {
        let (rules, title) = (self.cx.rules, self.cx.title());
        let name = self.definition.name();
        if !(rules.names.allows)(name) {
            let dialect = self.cx.roster.found.dialect;
            let finding = roster::bad_name(name, self.key(), dialect, rules, is_on_roster);
            out.push(self.finding(self.index, finding));
        }
        let mut legacy = rules.legacy_names.iter();
        if let Some((_, new)) = legacy.find(|(old, _)| *old == name) {
            let finding = Diagnostic::new(
                &rules::C7_LEGACY_NAME,
                format!("`{name}` is the old name of `{new}`"),
            )
            .at(self.key())
            .because(format!(
                "{title} takes an old name in a mention alone, and a mention of this one calls \
                 `{new}`"
            ))
            .help(match self.cx.roster.found.get(new) {
                None => format!("rename the agent to `{new}`"),
                Some(_) => format!(
                    "`{new}` is on the roster too: write what this agent adds there, and remove \
                     `{name}`, or give it a name of its own"
                ),
            });
            out.push(self.finding(self.index, finding));
        }
    }

    fn prompt(&self, out: &mut Vec<RosterFinding>) {
        out.extend(self.dropped_folder());
        match self.entry.giver(FieldName::PROMPT) {
            Some(file) => self.prompt_text(file, out),
            None => out.push(self.missing_prompt()),
        }
    }

    /// Tells of a path that seems to lead elsewhere.
    fn dropped_folder(&self) -> Option<RosterFinding> {
        let field = self.cx.rules.prompts.field;
        let written = self.definition.text(field)?;
        let place = self.definition.place(field)?;
        let finding = self.cx.dropped_folder(written, place.value)?;
        Some(self.finding(self.giver(field), finding.about(field)))
    }

    fn missing_prompt(&self) -> RosterFinding {
        let field = self.cx.rules.prompts.field;
        let written = self.definition.text(field).unwrap_or_default();
        let (entry, span) = match self.definition.place(field) {
            Some(place) => (self.giver(field), place.value),
            None => (self.index, self.key()),
        };
        let finding = Diagnostic::new(
            &rules::C3_MISSING_PROMPT,
            format!(
                "no layer has a usable prompt `{}` for `{}`",
                base_name(written),
                self.definition.name()
            ),
        )
        .at(span)
        .because(self.cx.base_name_rule())
        .help(match nearest(base_name(written), self.cx.prompt_files()) {
            Some(file) => format!("there is `{file}`: name it as `{field}`, or write the file"),
            None => format!("write the file, or name another one as `{field}`"),
        });
        self.finding(entry, finding)
    }

    /// Checks the text of a prompt, which is content and nothing else.
    fn prompt_text(&self, file: usize, out: &mut Vec<RosterFinding>) {
        let Some(prompt) = self.definition.prompt() else {
            return;
        };
        // The text may differ from the bytes by its line ends; places are found in the bytes.
        let bytes = self.cx.roster.found.entries[file].bytes.as_deref();
        let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let is_in_file = text.is_some();
        let text = text.unwrap_or(prompt);
        if let Some(span) = front_matter(text) {
            let finding = Diagnostic::new(
                &rules::C4_FRONTMATTER_IN_PROMPT,
                "the prompt begins with front matter, which sets nothing",
            )
            .at(span)
            .because(format!(
                "{} takes all that an agent is from `{}`; the lines are part of the prompt",
                self.cx.title(),
                self.cx.rules.file
            ))
            .help("move the settings to the roster, and delete the lines");
            let fix = without_lines(text, span).filter(|_| self.cx.with_fixes && is_in_file);
            let fix = fix.map(Box::new);
            out.push(self.finding(file, Diagnostic { fix, ..finding }));
        }
        for title in [EXIT_RULES, YOUR_TEAM] {
            let found = sections(text, title);
            let Some(first) = found.first() else {
                continue;
            };
            let mut finding = Diagnostic::new(
                &rules::C6_DUPLICATE_SECTION,
                format!("the prompt has a section `{title}` of its own"),
            )
            .at(first_line(text, first.start))
            .because(format!(
                "{} puts that section into every prompt itself, exactly once",
                self.cx.title()
            ))
            .help("delete the section");
            for again in &found[1..] {
                finding = finding.and_at(first_line(text, again.start), "and another one");
            }
            out.push(self.finding(file, finding));
        }
        self.tool_prose(file, text, out);
        self.mentions(file, text, out);
    }

    /// Notes mentions of other agents, which are for people alone.
    fn mentions(&self, file: usize, text: &str, out: &mut Vec<RosterFinding>) {
        let start = |line: &str| line.as_ptr().addr() - text.as_ptr().addr();
        let lines = text.lines().filter(|line| !forbids(line));
        let mentions = lines.flat_map(|line| {
            let signs = line.match_indices(MENTION);
            signs.filter_map(move |(at, _)| {
                let name = mentioned(line, at)?;
                let from = start(line) + at;
                Some((name, from..from + MENTION.len() + name.len()))
            })
        });
        let others = mentions.filter_map(|(name, range)| {
            let name = name.to_lowercase();
            let mut legacy = self.cx.rules.legacy_names.iter();
            let new = legacy.find(|(old, _)| *old == name).map(|(_, new)| *new);
            let name = new.map_or(name, str::to_owned);
            let is_other = name != self.definition.name();
            (is_other && self.cx.roster.found.get(&name).is_some()).then_some((name, range))
        });
        for (name, range) in others.take(MOST_OF_A_RULE) {
            let message = format!("the prompt names `{name}` by a mention");
            let finding = Diagnostic::new(&rules::MENTION_IN_PROMPT, message)
                .at(span(range.start, range.end))
                .because(format!(
                    "in {} a mention calls an agent only where a person writes it; agents call each \
                     other with a function",
                    self.cx.title()
                ))
                .help(format!("write `{name}` without the signs"));
            out.push(self.finding(file, finding));
        }
    }

    /// Notes prose about the tools of the agent, which sets nothing.
    fn tool_prose(&self, file: usize, text: &str, out: &mut Vec<RosterFinding>) {
        let (rules, title) = (self.cx.rules, self.cx.title());
        let header = front_matter(text).map_or(0, |span| span.end as usize);
        let known = self.cx.tools();
        let found = rules.prompts.tool_prose.restated(&text[header..], &known);
        for range in found.into_iter().take(MOST_OF_A_RULE) {
            let mut finding = Diagnostic::new(
                &rules::RESTATED_TOOLS,
                "the prompt says which tools the agent has, and that sets nothing",
            )
            .at(span(header + range.start, header + range.end));
            let given = self.definition.place(FieldName::TOOLS);
            let (why, help) = match given {
                Some(_) => ("`tools` of the roster alone", "delete the words"),
                None => (
                    "`tools` of the roster alone, and there this agent has none",
                    "write `tools` for the agent in the roster, and delete the words",
                ),
            };
            finding = finding
                .because(format!("{title} gives and takes tools by {why}"))
                .help(help);
            if let Some(place) = given {
                let giver = &self.cx.roster.found.entries[self.giver(FieldName::TOOLS)];
                finding.related.push(Related {
                    file: Some(giver.source.reported.clone()),
                    span: Some(place.value),
                    message: "this counts".to_owned(),
                });
            }
            out.push(self.finding(file, finding));
        }
    }

    fn skills(&self, out: &mut Vec<RosterFinding>) {
        for skill in self.definition.skills() {
            if self.cx.skills.get(&skill.text).is_some() {
                continue;
            }
            let mut finding = Diagnostic::new(
                &rules::C5_UNKNOWN_SKILL,
                format!("there is no skill `{}`", skill.text),
            )
            .because("the skills of an agent are folders with a `SKILL.md` in a layer's `skills`")
            .help(match nearest(&skill.text, self.cx.skill_names()) {
                Some(near) => format!("write `{near}`, if that skill is meant"),
                None => "write the skill, or take it off the list".to_owned(),
            });
            finding.span = skill.span;
            out.push(self.finding(self.giver(FieldName::SKILLS), finding));
        }
    }

    fn role(&self, out: &mut Vec<RosterFinding>) {
        if self.definition.field(FieldName::DESCRIPTION).is_some() {
            return;
        }
        let name = self.definition.name();
        let finding = Diagnostic::new(&rules::C8_MISSING_ROLE, format!("`{name}` has no role"))
            .at(self.key())
            .because("its teammates learn from the role what to ask it for; they see a placeholder")
            .help("write one line that says what the agent is for as `role`");
        out.push(self.finding(self.index, finding));
    }
}

/// Returns whether the folders of a path are those of a prompt in some layer, or none at all.
fn is_prompt_folder(folders: &str, prompts: &str) -> bool {
    let is_absolute = folders.starts_with(['/', '\\', '~']) || folders.contains(':');
    let folders = folders.split(['/', '\\']);
    let names: Vec<&str> = folders.filter(|it| !matches!(*it, "" | ".")).collect();
    match names.as_slice() {
        _ if is_absolute => false,
        [] => true,
        [last] | [_, last] => *last == prompts && !names.contains(&".."),
        _ => false,
    }
}

/// The signs before the name of an agent that a person calls.
const MENTION: &str = "@@";

/// Returns the name behind the signs of a mention; nothing if they stand inside a word.
fn mentioned(line: &str, at: usize) -> Option<&str> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name = &line[at + MENTION.len()..];
    let name = &name[..name.find(|c| !is_sign(c)).unwrap_or(name.len())];
    let is_inside = line[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '@'));
    (!is_inside && !name.is_empty()).then_some(name)
}

/// Returns whether a line may tell not to do what it names.
fn forbids(line: &str) -> bool {
    let small = line.to_lowercase();
    let mut words = small.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| matches!(word, "not" | "never" | "no" | "without") || word.ends_with("n't"))
}

/// Makes the fix that deletes lines at the beginning of a prompt, with the blank ones behind them.
/// What they say is lost with them, so that nobody does this unasked.
fn without_lines(text: &str, lines: Span) -> Option<Fix> {
    let rest = text.get(lines.end as usize..)?;
    let kept = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let end = u32::try_from(text.len() - kept.len()).ok()?;
    (!kept.is_empty()).then(|| Fix {
        title: "delete the lines, and what they say".to_owned(),
        applicability: Applicability::Unsafe,
        edits: vec![Edit {
            span: Span::new(lines.start, end),
            text: String::new(),
        }],
    })
}

/// Returns the block of front matter at the start of a text.
fn front_matter(text: &str) -> Option<Span> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut at = start;
    for (index, line) in text[start..].split_inclusive('\n').enumerate() {
        let is_fence = line.trim_end() == "---";
        if index == 0 && !is_fence {
            return None;
        }
        if index > 0 && is_fence {
            return Some(span(start, at + 3));
        }
        at += line.len();
    }
    None
}

/// Returns the line that begins at an offset.
fn first_line(text: &str, start: usize) -> Span {
    let line = text[start..].lines().next().unwrap_or_default();
    span(start, start + line.trim_end().len())
}

fn span(start: usize, end: usize) -> Span {
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
}
