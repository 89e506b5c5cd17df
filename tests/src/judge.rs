//! Whether an agent that was converted can do more than the one that it was made of.
//!
//! Conversions compare rights that they work out from a definition themselves. Here both agents are
//! started, each by the rules of its own harness and with all tools that there could be, and what
//! they got is translated to neutral names. So a mistake in what conversions take a definition to
//! mean shows, as long as the harness's own rules for starting agents are right.

use std::collections::BTreeMap;

use agent_discovery::{Skill, Trigger};
use agent_factory::{
    AgentConfig, Blueprint, EffectRule, LanguageModel, ModelAnswer, ModelCatalog, ModelProfile,
    Parent, PermissionPolicy, Provenance, Reader, Reason, Role, SkillSet, Start, ToolSet,
};
use agent_schema::dialect::ToolDecision;
use agent_schema::vocabulary::{Subject, Tool};
use agent_schema::writing::{Effect, ModeWord, effect_of};
use agent_schema::{Definition, FieldName, Profile};

/// An agent by the rules of its harness.
#[derive(Clone, Copy)]
pub struct Judged<'d> {
    /// Whose rules they are.
    pub reader: Reader,
    /// The definition, as the harness reads it.
    pub definition: &'d Definition,
}

/// Something that an agent may do: with which tool, and what.
type Ability = (Subject, &'static str);

/// How far an agent may go with each ability.
type Abilities = BTreeMap<Ability, Effect>;

/// A tool that nobody knows: who has it may have any other that somebody brings.
const ANY_OTHER: &str = "brought-by-somebody";

/// A server that is connected in every case, and its tools.
const SERVER: (&str, [&str; 2]) = ("shop", ["sell", "buy"]);

/// Returns what an agent may do there and its source may not, one line for each; nothing if one of
/// them cannot be started at all.
#[must_use]
pub fn goes_further(source: Judged<'_>, there: Judged<'_>) -> Vec<String> {
    let roles = [Role::Main, Role::Subagent];
    let started = |judged: Judged<'_>| -> Vec<Abilities> {
        let configs = roles.iter().filter_map(|role| start(judged, *role));
        configs.map(|config| abilities(judged, &config)).collect()
    };
    let (had, has) = (started(source), started(there));
    if had.is_empty() {
        return Vec::new();
    }
    // What a harness allows in one of the roles is in the definition.
    let most = |ability: &Ability| {
        let effects = had.iter().map(|had| in_source(had, ability, source.reader));
        effects.max().unwrap_or(Effect::Deny)
    };
    let mut found: Vec<String> = Vec::new();
    for (ability, effect) in has.iter().flatten() {
        let (subject, use_) = ability;
        if matches!(subject, Subject::Tool(tool) if tool.stays_in_conversation()) {
            continue;
        }
        let before = most(ability);
        let line = format!("{subject} `{use_}`: {effect:?}, and was {before:?}");
        if *effect > before && !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// How far the source may go with something that the other harness may know and it may not.
fn in_source(had: &Abilities, ability: &Ability, reader: Reader) -> Effect {
    let vocabulary = reader.profile.rules.writing.access.vocabulary;
    let known = |subject: &Subject| {
        let mut abilities = had.iter();
        let found = abilities.find(|((known, use_), _)| known == subject && *use_ == ability.1);
        found.map(|(_, effect)| *effect)
    };
    let rest = || {
        let other = (Subject::Other(ANY_OTHER.to_owned()), "x");
        had.get(&other).copied().unwrap_or(Effect::Deny)
    };
    match &ability.0 {
        Subject::Tool(tool) => {
            let mut words = vocabulary.words.iter();
            let is_known = words.any(|word| word.is_known() && word.does.contains(tool));
            let own = known(&ability.0);
            let own = own.unwrap_or_else(|| if is_known { Effect::Deny } else { rest() });
            // Whoever may search for files by name may list a folder.
            let glob = match tool {
                &Tool::LIST_DIR => known(&Subject::Tool(Tool::GLOB)),
                _ => None,
            };
            own.max(glob.unwrap_or(Effect::Deny))
        }
        Subject::Server { .. } if vocabulary.servers.is_some() => {
            known(&ability.0).unwrap_or(Effect::Deny)
        }
        subject => known(subject).unwrap_or_else(rest),
    }
}

/// Starts an agent with everything that its harness and its definition know.
fn start(judged: Judged<'_>, role: Role) -> Option<AgentConfig> {
    let Reader { dialect, profile } = judged.reader;
    let mut skills = SkillSet::new();
    for name in judged.definition.skills() {
        skills.add(skill(&name.text));
    }
    let blueprint = Blueprint::new(judged.definition, &skills, dialect, profile).ok()?;
    let tools: ToolSet = catalog(judged).into_iter().map(|(name, _)| name).collect();
    let parent = Parent::new("vendor/model", "main");
    let mut start = Start::new(&parent, &tools, &AnyModel);
    start.role = role;
    blueprint.start(&start).ok()
}

fn skill(name: &str) -> Skill {
    Skill {
        name: name.to_owned(),
        description: None,
        content: String::new(),
        trigger: Trigger::None,
        path: std::path::PathBuf::new(),
        reported: String::new(),
    }
}

/// Models of every name.
struct AnyModel;

impl ModelCatalog for AnyModel {
    fn look_up(&self, name: &str, _store: Option<&str>) -> ModelAnswer {
        ModelAnswer {
            found: Ok(ModelProfile {
                name: name.to_owned(),
                model: LanguageModel {
                    model: name.to_owned(),
                    usage_id: name.to_owned(),
                },
                path: None,
            }),
            harness_would_create: Vec::new(),
        }
    }
}

/// All tools that there could be, each with what it stands for.
fn catalog(judged: Judged<'_>) -> Vec<(String, Vec<Subject>)> {
    let rules = &judged.reader.profile.rules;
    let vocabulary = rules.writing.access.vocabulary;
    let is_present = |name: &str| {
        let known = rules.factory.tools;
        known.is_none_or(|known| known.present_name(name) == name)
    };
    let names = vocabulary.names().filter(|name| is_present(name));
    let mut tools: Vec<(String, Vec<Subject>)> = names
        .map(|name| (name.to_owned(), vocabulary.subjects(name)))
        .collect();
    let (server, of_server) = SERVER;
    for tool in of_server {
        let subject = Subject::Server {
            server: server.to_owned(),
            tool: Some(tool.to_owned()),
        };
        let words = vocabulary.servers;
        let name = words.and_then(|words| words.write(server, Some(tool)));
        let name = name.unwrap_or_else(|| format!("{server}_{tool}"));
        tools.push((name, vec![subject]));
    }
    let written = judged.definition.names(FieldName::TOOLS).iter();
    let others = written.map(|name| name.text.clone());
    for name in others.chain([ANY_OTHER.to_owned()]) {
        if tools.iter().all(|(known, _)| *known != name) {
            tools.push((name.clone(), vec![Subject::Other(name)]));
        }
    }
    tools
}

/// What is done with a tool, in examples.
fn uses(subject: &Subject) -> &'static [&'static str] {
    match subject {
        Subject::Tool(Tool::SHELL) => &["git status", "git push", "npm test", "rm notes"],
        Subject::Tool(Tool::DELEGATE) => &["reviewer", "one", "two"],
        Subject::Tool(Tool::READ_FILE | Tool::WRITE_FILE | Tool::EDIT_FILE) => {
            &["src/main.rs", "docs/guide.md", ".env"]
        }
        _ => &["x"],
    }
}

/// What an agent may do with the tools that it got.
fn abilities(judged: Judged<'_>, config: &AgentConfig) -> Abilities {
    let catalog = catalog(judged);
    let tools: ToolSet = catalog.iter().map(|(name, _)| name.clone()).collect();
    let mut abilities = Abilities::new();
    // What another tool of the list does anyway counts as given.
    let beside = config.left_out.iter();
    let beside = beside.filter(|left| left.why == Reason::BesideAnother);
    let beside = beside.map(|left| left.what.as_str());
    for name in config.tools.value.among(&tools).into_iter().chain(beside) {
        let found = catalog.iter().find(|(known, _)| known == name);
        for subject in found.map_or(&[][..], |(_, subjects)| subjects) {
            for use_ in uses(subject) {
                let effect = effect(judged, config, name, subject, use_);
                let known = abilities.entry((subject.clone(), *use_)).or_insert(effect);
                *known = effect.max(*known);
            }
        }
    }
    // A harness without a tool of its own for it may still say whom the agent may start.
    let delegate = Subject::Tool(Tool::DELEGATE);
    for use_ in uses(&delegate) {
        let ability = (delegate.clone(), *use_);
        if config.spawning.value.may_start(use_) == Some(true) && !knows_delegation(judged) {
            abilities.insert(ability, Effect::Allow);
        }
    }
    abilities
}

fn knows_delegation(judged: Judged<'_>) -> bool {
    let vocabulary = judged.reader.profile.rules.writing.access.vocabulary;
    let mut words = vocabulary.words.iter();
    words.any(|word| word.does.contains(&Tool::DELEGATE))
}

fn effect(
    judged: Judged<'_>,
    config: &AgentConfig,
    name: &str,
    subject: &Subject,
    use_: &str,
) -> Effect {
    if *subject == Subject::Tool(Tool::DELEGATE)
        && config.spawning.value.may_start(use_) == Some(false)
    {
        return Effect::Deny;
    }
    let access = &judged.reader.profile.rules.writing.access;
    match &config.permission.value {
        PermissionPolicy::Rules(rules) => {
            let action = action(judged.reader.profile, name);
            let written = rules
                .iter()
                .filter(|rule| matches!(rule.from, Provenance::Definition { .. }))
                .map(|rule| &rule.value);
            // What a harness asks about everywhere is its own matter.
            let last = written.rev().find(|rule| is_about(rule, action, use_));
            let said = last.and_then(|rule| effect_of(&rule.effect));
            said.unwrap_or(Effect::Allow)
        }
        PermissionPolicy::Inherit => Effect::Allow,
        policy => {
            let word = policy.as_str().replace('-', "_");
            let mut modes = access.modes.iter();
            let mode = modes.find(|mode| mode.word == word || mode.word == policy.as_str());
            mode.map_or(Effect::Allow, |mode| in_mode(mode, subject))
        }
    }
}

fn in_mode(mode: &ModeWord, subject: &Subject) -> Effect {
    match subject {
        Subject::Tool(tool) => mode.effect(*tool),
        _ => mode.others,
    }
}

/// The action that a tool counts as.
fn action<'n>(profile: &Profile, tool: &'n str) -> &'n str {
    let ToolDecision::Effects(rules) = &profile.rules.factory.start.tools else {
        return tool;
    };
    let mut actions = rules.actions.iter();
    let action = actions.find(|(other, _)| *other == tool);
    action.map_or(tool, |(_, action)| action)
}

fn is_about(rule: &EffectRule, action: &str, use_: &str) -> bool {
    fits(&rule.action, action) && (fits(&rule.pattern, use_) || is_bare(&rule.pattern, use_))
}

/// A command alone fits a pattern for the command with whatever follows.
fn is_bare(pattern: &str, use_: &str) -> bool {
    pattern.strip_suffix(" *") == Some(use_)
}

/// Returns whether a pattern with stars and question marks fits the whole of a text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut signs = pattern.chars();
    match signs.next() {
        None => text.is_empty(),
        Some('*') => {
            let rest = signs.as_str();
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            ends.into_iter().any(|at| fits(rest, &text[at..]))
        }
        Some(sign) => {
            let mut others = text.chars();
            let first = others.next();
            let same = first.is_some_and(|first| sign == '?' || sign == first);
            same && fits(signs.as_str(), others.as_str())
        }
    }
}
