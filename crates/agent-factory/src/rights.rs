//! What an agent may do, in terms that are the same for every harness.
//!
//! The lists, switches, rules and modes of a definition come down to one question: how far may
//! the agent go with a tool? [`Rights`] answers it for every tool by its neutral name, so that two
//! definitions of different harnesses can be compared: neither a conversion nor anything else that
//! is written may let an agent go further than its author did.

use std::collections::BTreeMap;

use agent_schema::vocabulary::{Subject, Tool, Vocabulary};
use agent_schema::writing::{AccessRules, Effect, ListRules, ModeWord, NoTools};
use agent_schema::{Definition, FieldName, FieldValue, Name, Span};

use crate::effects::fits;

/// How a definition is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// What its author wrote: a rule that the harness takes no notice of still counts.
    Meant,
    /// What the harness makes of it.
    Effective,
}

/// What a definition says about tools. Unset, none and all are three different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// Nothing.
    Unset,
    /// That there is no tool.
    None,
    /// That all are there.
    All,
    /// Which ones are there.
    Some,
}

/// What an agent may do.
#[derive(Debug, Clone, PartialEq)]
pub struct Rights {
    /// How far it may go with what is not named.
    pub rest: Effect,
    /// What the definition says about tools.
    pub said: Said,
    /// How far it may go with what is named.
    pub named: BTreeMap<Subject, Right>,
    /// The word for how far a person is asked, if one is written.
    pub mode: Option<&'static str>,
    /// The bytes of that word.
    pub mode_at: Option<Span>,
}

/// How far an agent may go with a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Right {
    /// What counts where no pattern fits.
    pub effect: Effect,
    /// What counts for some uses of it, in order; the last one that fits counts.
    pub patterns: Vec<(String, Effect)>,
    /// The name that says so, as it is written.
    pub word: String,
    /// Its bytes.
    pub at: Option<Span>,
}

impl Right {
    /// Returns the furthest that it allows.
    #[must_use]
    pub fn most(&self) -> Effect {
        let patterns = self.patterns.iter().map(|(_, effect)| *effect);
        patterns.fold(self.effect, Effect::max)
    }

    /// Returns what it allows whatever is done.
    #[must_use]
    pub fn least(&self) -> Effect {
        let patterns = self.patterns.iter().map(|(_, effect)| *effect);
        patterns.fold(self.effect, Effect::min)
    }
}

impl Rights {
    /// Works out the rights that a definition gives.
    #[must_use]
    pub fn of(definition: &Definition, rules: &AccessRules, view: View) -> Rights {
        let mut rights = Rights {
            rest: Effect::Allow,
            said: Said::Unset,
            named: BTreeMap::new(),
            mode: None,
            mode_at: None,
        };
        if let Some(lists) = &rules.lists {
            rights.read_lists(definition, rules, lists, view);
        }
        rights.read_effects(definition, rules, view);
        rights.read_delegates(definition, rules);
        if view == View::Effective {
            for tool in rules.always {
                rights.raise(Subject::Tool(*tool));
            }
            rights.read_adding(definition, rules);
        }
        for tool in rules.never {
            rights.deny(Subject::Tool(*tool), tool.as_str(), None);
        }
        rights.read_mode(definition, rules);
        rights
    }

    fn read_lists(
        &mut self,
        definition: &Definition,
        rules: &AccessRules,
        lists: &ListRules,
        view: View,
    ) {
        let field = definition.field(FieldName::TOOLS);
        let written = field.filter(|field| field.place.is_some());
        match written.map(|field| &field.value) {
            Some(FieldValue::Everything) => self.said = Said::All,
            Some(FieldValue::Names(names)) => {
                self.rest = Effect::Deny;
                self.said = match names.is_empty() {
                    true => Said::None,
                    false => Said::Some,
                };
                for name in names {
                    self.allow(name, rules, lists, view);
                }
            }
            _ => {
                self.rest = lists.unset;
                self.leave_out_others(definition, rules, lists);
            }
        }
        if let Some((field, prefix)) = lists.further {
            for name in definition.names(field) {
                let word = format!("{prefix}{}", name.text);
                self.said = Said::Some;
                self.set(Subject::Other(word.clone()), Effect::Allow, word, name.span);
            }
        }
        if let NoTools::Switch(field, _) = lists.none
            && definition.flag(field) == Some(true)
        {
            self.rest = Effect::Deny;
            self.said = Said::None;
            self.named.clear();
        }
        for name in definition.names(FieldName::DISALLOWED_TOOLS) {
            let word = split_rule(&name.text, lists).0;
            for subject in rules.vocabulary.subjects(word) {
                self.deny(subject, word, name.span);
            }
        }
        // What stands beside a list may still be there.
        if view == View::Effective
            && let Some(beside) = lists.beside
            && definition.flag(beside.field) != Some(beside.switch)
            && matches!(self.said, Said::Some | Said::None)
        {
            self.rest = Effect::Allow;
        }
    }

    /// Takes all tools away but the harness's own, if a definition leaves the others out.
    fn leave_out_others(
        &mut self,
        definition: &Definition,
        rules: &AccessRules,
        lists: &ListRules,
    ) {
        let Some(beside) = lists.beside else { return };
        let written = |field| {
            definition
                .field(field)
                .filter(|field| field.place.is_some())
        };
        let chosen = written(beside.field)
            .is_some_and(|field| field.value != FieldValue::Flag(!beside.switch));
        let also = beside.also.iter().any(|field| written(*field).is_some());
        if !chosen && !also {
            return;
        }
        self.rest = Effect::Deny;
        self.said = Said::Some;
        for word in rules.vocabulary.words.iter().filter(|word| word.written()) {
            for tool in word.does {
                self.raise(Subject::Tool(*tool));
            }
        }
    }

    /// Gives the tools that come with a field.
    fn read_adding(&mut self, definition: &Definition, rules: &AccessRules) {
        let Some((field, tools)) = rules.adding else {
            return;
        };
        if definition.field(field).is_none() {
            return;
        }
        for tool in tools {
            let subject = Subject::Tool(*tool);
            let denied = self.named.get(&subject);
            if denied.is_none_or(|right| right.most() > Effect::Deny) {
                self.raise(subject);
            }
        }
    }

    /// Limits which agents it may give work to.
    fn read_delegates(&mut self, definition: &Definition, rules: &AccessRules) {
        let written = rules.delegates.and_then(|field| definition.field(field));
        let Some(written) = written.filter(|field| field.place.is_some()) else {
            return;
        };
        let patterns = match &written.value {
            FieldValue::Names(names) => names
                .iter()
                .map(|name| (name.text.clone(), Effect::Allow))
                .collect(),
            FieldValue::Flag(false) => Vec::new(),
            _ => return,
        };
        let right = Right {
            effect: Effect::Deny,
            patterns,
            word: Tool::DELEGATE.to_string(),
            at: written.place.map(|place| place.value),
        };
        self.named.insert(Subject::Tool(Tool::DELEGATE), right);
    }

    fn allow(&mut self, name: &Name, rules: &AccessRules, lists: &ListRules, view: View) {
        let (word, rule) = split_rule(&name.text, lists);
        if rules.vocabulary.is_former(word) {
            return;
        }
        for subject in rules.vocabulary.subjects(word) {
            // A list of agents that may be called is the one rule that the harness heeds.
            let delegates = subject == Subject::Tool(Tool::DELEGATE);
            match rule.filter(|_| delegates || view == View::Meant) {
                Some(rule) => {
                    let right = self.named.entry(subject).or_insert_with(|| Right {
                        effect: Effect::Deny,
                        patterns: Vec::new(),
                        word: name.text.clone(),
                        at: name.span,
                    });
                    // The whole tool may be there already.
                    if right.effect > Effect::Deny {
                        continue;
                    }
                    let allowed = |rule: &str| (plain_pattern(rule.trim()), Effect::Allow);
                    match delegates {
                        true => right.patterns.extend(rule.split(',').map(allowed)),
                        false => right.patterns.push(allowed(rule)),
                    }
                }
                None => self.set(subject, Effect::Allow, word.to_owned(), name.span),
            }
        }
    }

    fn deny(&mut self, subject: Subject, word: &str, at: Option<Span>) {
        if let Subject::Server { server, tool: None } = &subject {
            self.named.retain(|other, _| match other {
                Subject::Server { server: other, .. } => other != server,
                _ => true,
            });
        }
        self.set(subject, Effect::Deny, word.to_owned(), at);
    }

    fn set(&mut self, subject: Subject, effect: Effect, word: String, at: Option<Span>) {
        let right = Right {
            effect,
            patterns: Vec::new(),
            word,
            at,
        };
        self.named.insert(subject, right);
    }

    fn raise(&mut self, subject: Subject) {
        let effect = self.effect(&subject).max(Effect::Allow);
        let word = subject.to_string();
        self.set(subject, effect, word, None);
    }

    fn read_effects(&mut self, definition: &Definition, rules: &AccessRules, view: View) {
        let Some(effects) = &rules.effects else {
            return;
        };
        let read = (effects.read)(definition);
        let only_narrows = rules.lists.is_some();
        if !read.is_empty() && !only_narrows {
            self.said = Said::Some;
            // What a harness without a word for all others does with them is open.
            if !effects.star && view == View::Meant {
                self.rest = Effect::Deny;
            }
        }
        for rule in read {
            let effect = match only_narrows {
                true => rule.effect.min(Effect::Allow),
                false => rule.effect,
            };
            if rule.name == "*" {
                if rule.pattern == "*" {
                    self.rest = effect;
                    self.named.clear();
                    if effect != Effect::Allow && !only_narrows {
                        self.said = match effect {
                            Effect::Deny => Said::None,
                            _ => Said::Some,
                        };
                    }
                }
                continue;
            }
            if self.said == Said::None && effect > Effect::Deny {
                self.said = Said::Some;
            }
            for subject in subjects_of_pattern(&rule.name, rules) {
                let before = self.right(&subject);
                let mut right = Right {
                    word: rule.name.clone(),
                    at: Some(rule.at),
                    ..before.clone()
                };
                if rule.pattern != "*" {
                    right.patterns.push((rule.pattern.clone(), effect));
                } else {
                    right.patterns.clear();
                    right.effect = match only_narrows {
                        true => before.effect.min(effect),
                        false => effect,
                    };
                }
                if let (Subject::Server { tool: None, .. }, Effect::Deny) = (&subject, right.effect)
                {
                    self.deny(subject, &rule.name, Some(rule.at));
                } else {
                    self.named.insert(subject, right);
                }
            }
        }
    }

    fn read_mode(&mut self, definition: &Definition, rules: &AccessRules) {
        let Some((field, _)) = rules.mode else { return };
        let Some(word) = definition.text(field) else {
            return;
        };
        let mut modes = rules.modes.iter();
        let Some(mode) = modes.find(|mode| mode.word == word) else {
            return;
        };
        self.mode = Some(mode.word);
        self.mode_at = definition.place(field).map(|place| place.value);
        self.apply_mode(mode);
    }

    /// Lets a mode decide how far a person is asked.
    pub(crate) fn apply_mode(&mut self, mode: &ModeWord) {
        for tool in Tool::ALL {
            let subject = Subject::Tool(tool);
            let mut right = self.right(&subject);
            right.effect = in_mode(right.effect, mode.effect(tool));
            for (_, effect) in &mut right.patterns {
                *effect = in_mode(*effect, mode.effect(tool));
            }
            let differs = right.effect != in_mode(self.rest, mode.others);
            if differs || self.named.contains_key(&subject) {
                self.named.insert(subject, right);
            }
        }
        for (subject, right) in &mut self.named {
            if !matches!(subject, Subject::Tool(_)) {
                right.effect = in_mode(right.effect, mode.others);
            }
        }
        self.rest = in_mode(self.rest, mode.others);
    }

    /// Returns how far the agent may go with something.
    #[must_use]
    pub fn effect(&self, subject: &Subject) -> Effect {
        self.entry(subject).map_or(self.rest, |right| right.effect)
    }

    /// Returns the right that counts for something, named or not.
    #[must_use]
    pub fn right(&self, subject: &Subject) -> Right {
        self.entry(subject).cloned().unwrap_or_else(|| Right {
            effect: self.rest,
            patterns: Vec::new(),
            word: subject.to_string(),
            at: None,
        })
    }

    /// As [`Rights::right`], in a harness that cannot tell the tools of servers from others by
    /// their names.
    #[must_use]
    pub fn right_in(&self, subject: &Subject, rules: &AccessRules) -> Right {
        let mut named = self.named.iter();
        let called = named.find(|(other, _)| is_called(subject, other, rules));
        called.map_or_else(|| self.right(subject), |(_, right)| right.clone())
    }

    fn entry(&self, subject: &Subject) -> Option<&Right> {
        let exact = self.named.get(subject);
        match subject {
            Subject::Server {
                server,
                tool: Some(_),
            } => exact.or_else(|| {
                let server = server.clone();
                self.named.get(&Subject::Server { server, tool: None })
            }),
            // Whoever may search for files by name may list a folder.
            Subject::Tool(Tool::LIST_DIR) => exact.or_else(|| {
                let glob = self.named.get(&Subject::Tool(Tool::GLOB));
                glob.filter(|glob| glob.effect > self.rest)
            }),
            _ => exact,
        }
    }

    /// Returns whether the agent has any tool at all.
    #[must_use]
    pub fn has_any(&self) -> bool {
        self.rest > Effect::Deny || self.named.values().any(|right| right.most() > Effect::Deny)
    }

    /// Returns whether the definition limits the agent in any way.
    #[must_use]
    pub fn limits(&self) -> bool {
        let free = |effect: Effect| effect >= Effect::Allow;
        !free(self.rest) || !self.named.values().all(|right| free(right.least()))
    }

    /// Returns what these rights allow and others do not. `rules` are those of the harness that
    /// these rights hold in: what no tool of it does cannot be allowed there; `theirs` are the words
    /// of the harness that the others hold in.
    #[must_use]
    pub fn beyond(
        &self,
        others: &Rights,
        rules: &AccessRules,
        theirs: &Vocabulary,
    ) -> Vec<Subject> {
        let mut beyond = Vec::new();
        let tools = Tool::ALL
            .into_iter()
            .filter(|tool| rules.vocabulary.has(*tool) && !tool.stays_in_conversation());
        let mut subjects: Vec<Subject> = tools.map(Subject::Tool).collect();
        for subject in self.named.keys().chain(others.named.keys()) {
            let counts = match subject {
                Subject::Tool(tool) => rules.vocabulary.has(*tool) && !tool.stays_in_conversation(),
                // Nobody else has what is one harness's own.
                Subject::Other(name) => !theirs.is_own(name),
                Subject::Server { .. } => true,
            };
            if counts && !subjects.contains(subject) {
                subjects.push(subject.clone());
            }
        }
        for subject in subjects {
            let other = others
                .named
                .iter()
                .find(|(known, _)| is_called(known, &subject, rules));
            let other = other.map_or_else(|| others.right(&subject), |(_, right)| right.clone());
            if !is_within(&self.right_in(&subject, rules), &other) {
                beyond.push(subject);
            }
        }
        if self.rest > others.rest {
            beyond.push(Subject::Other(ANYTHING_ELSE.to_owned()));
        }
        beyond
    }
}

/// What stands for every tool that is not named.
pub const ANYTHING_ELSE: &str = "any other tool";

/// Returns whether a tool of a server has a name that could be any other's.
pub(crate) fn is_called(server: &Subject, name: &Subject, rules: &AccessRules) -> bool {
    match (server, name, rules.vocabulary.servers) {
        (Subject::Server { server, tool }, Subject::Other(name), Some(words)) => {
            words.write(server, tool.as_deref()).as_ref() == Some(name)
        }
        _ => false,
    }
}

/// Returns whether one right allows nothing that another one does not.
fn is_within(one: &Right, other: &Right) -> bool {
    let same = one.patterns == other.patterns && one.effect <= other.effect;
    same || one.most() <= other.least()
}

/// A tool that may be used as the session has it goes as far as the mode; a mode gives no tool.
fn in_mode(effect: Effect, mode: Effect) -> Effect {
    match effect {
        Effect::Allow => mode,
        effect => effect.min(mode),
    }
}

/// Splits a name from the rule in parentheses behind it.
fn split_rule<'n>(name: &'n str, lists: &ListRules) -> (&'n str, Option<&'n str>) {
    let parts = name.split_once('(').filter(|_| lists.with_rules);
    match parts.and_then(|(word, rule)| Some((word, rule.strip_suffix(')')?))) {
        Some((word, rule)) if !matches!(rule, "" | "*" | ":*") => (word, Some(rule)),
        Some((word, _)) => (word, None),
        None => (name, None),
    }
}

/// Writes `git:*` as `git *`, the way that patterns are written elsewhere.
fn plain_pattern(rule: &str) -> String {
    match rule.strip_suffix(":*") {
        Some(command) => format!("{command} *"),
        None => rule.to_owned(),
    }
}

/// Returns what a name with stars stands for.
fn subjects_of_pattern(name: &str, rules: &AccessRules) -> Vec<Subject> {
    let mut subjects = rules.vocabulary.subjects(name);
    if name.contains(['*', '?']) {
        for word in rules.vocabulary.words {
            if fits(name, word.word) {
                subjects.extend(word.does.iter().map(|tool| Subject::Tool(*tool)));
            }
        }
    }
    subjects
}
