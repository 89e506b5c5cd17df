//! The limits of an agent, written so that nothing goes further than its author let it.

use std::collections::BTreeSet;

use agent_schema::value::{Entry, Style};
use agent_schema::vocabulary::{Subject, Tool, ToolWord};
use agent_schema::writing::{
    AccessRules, Effect, EffectForm, EffectRules, ListRules, ModeWord, NoTools, Shape, effect_word,
};
use agent_schema::{Definition, FieldName, Node, Severity, Span, Value};

use super::meaning::{map_node, text_node};
use super::{Agent, LossCode, Notes, Reader, Refusal, RefusalCode};
use crate::rights::{Right, Rights, Said};

/// Keys with their values, in order.
pub(crate) type Entries = Vec<(String, Node)>;

/// Writes the limits of an agent.
///
/// # Errors
/// If they cannot be said at all.
pub(crate) fn write(
    meant: &Rights,
    from: &AccessRules,
    to: Reader,
    insist: bool,
    span: Option<Span>,
    notes: &mut Notes,
) -> Result<Entries, Refusal> {
    let writer = Writer {
        meant,
        from,
        to: &to.writing().access,
        same_words: from.vocabulary.is_same(to.writing().access.vocabulary),
    };
    let best = writer.best();
    let mut entries = Vec::new();
    let cannot = |code: RefusalCode, message: String| {
        Refusal::new(code, message)
            .about(FieldName::TOOLS.as_str(), span)
            .help("`--allow-widening` writes the agent without the limit")
    };
    if let Some(tool) = writer.useless(&best)
        && !insist
    {
        let message = format!(
            "{} cannot ask a person before every use of `{tool}`, and without it the agent is of no use",
            to.title()
        );
        return Err(cannot(RefusalCode::AsksNobody, message));
    }
    if let Some(lists) = &writer.to.lists {
        match writer.write_lists(&best, lists, &mut entries) {
            Ok(()) => {}
            Err(NoWord) if insist => {}
            Err(NoWord) => {
                let message = match meant.has_any() {
                    true => format!(
                        "{} has none of its tools, and no word for an agent without any",
                        to.title()
                    ),
                    false => format!("{} has no word for an agent without tools", to.title()),
                };
                return Err(cannot(RefusalCode::NoWordForNone, message));
            }
        }
    }
    if let Some(effects) = &writer.to.effects {
        let rules = match writer.to.lists {
            Some(_) => best.asked.clone(),
            None => writer.effects(effects),
        };
        write_effects(rules, effects, &mut entries);
    }
    if let (Some(mode), Some((_, key))) = (best.mode, writer.to.mode) {
        entries.push((key.to_owned(), text(mode.word)));
    }
    if let Some(word) = meant.mode
        && best.mode.is_some_and(|mode| mode.word != word)
    {
        let told = format!(
            "`{word}` is called `{}`",
            best.mode.map_or("", |mode| mode.word)
        );
        notes.change(FieldName::PERMISSION_MODE.as_str(), meant.mode_at, told);
    }
    Ok(entries)
}

/// There is no word for what is to be said.
struct NoWord;

struct Writer<'a> {
    meant: &'a Rights,
    from: &'a AccessRules,
    to: &'a AccessRules,
    same_words: bool,
}

/// A way to write the limits down.
#[derive(Default)]
struct Choice {
    mode: Option<&'static ModeWord>,
    base: Base,
    /// Words that are allowed, or that are denied where everything is there.
    words: Vec<String>,
    /// Words that a person is asked about.
    asked: Vec<(String, String, Effect)>,
    /// The tools that are kept.
    kept: BTreeSet<Tool>,
    score: usize,
}

/// What a choice begins with.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Base {
    /// What is there when nothing is said.
    #[default]
    Unset,
    /// Everything, said so.
    All,
    /// Nothing but the words.
    Listed,
}

impl Writer<'_> {
    /// Chooses the mode with which the most is kept.
    fn best(&self) -> Choice {
        let mut best = self.choice(None);
        if self.asks() {
            for mode in self.to.modes {
                let choice = self.choice(Some(mode));
                if choice.score > best.score {
                    best = choice;
                }
            }
        }
        best
    }

    /// Returns whether the source says anything about asking.
    fn asks(&self) -> bool {
        let says =
            |effect: Effect| matches!(effect, Effect::Ask | Effect::AskIfRisky | Effect::NeverAsk);
        self.meant.mode.is_some()
            || says(self.meant.rest)
            || self.meant.named.values().any(|right| says(right.effect))
    }

    fn right(&self, tool: Tool) -> Right {
        self.meant.right(&Subject::Tool(tool))
    }

    /// Returns whether a word would give more than what is meant.
    fn exceeds(&self, word: &ToolWord, mode: Option<&ModeWord>) -> bool {
        word.does.iter().any(|tool| {
            let given = mode.map_or(Effect::Allow, |mode| mode.effect(*tool));
            given > self.right(*tool).least()
        })
    }

    /// Returns whether a word gives something, and no more than what is meant.
    fn allows(&self, word: &ToolWord, mode: Option<&ModeWord>) -> bool {
        let gives = word
            .does
            .iter()
            .all(|tool| mode.map_or(Effect::Allow, |mode| mode.effect(*tool)) > Effect::Deny);
        gives && !self.exceeds(word, mode)
    }

    fn choice(&self, mode: Option<&'static ModeWord>) -> Choice {
        let mut choice = Choice {
            mode,
            ..Choice::default()
        };
        let Some(lists) = &self.to.lists else {
            return choice;
        };
        let others = mode.map_or(Effect::Allow, |mode| mode.others);
        let all_is_sayable = lists.unset >= Effect::Allow || lists.all.is_some();
        let denied = self.denied(lists, mode);
        match denied {
            Some(denied)
                if all_is_sayable && others > Effect::Deny && others <= self.meant.rest =>
            {
                let says_all = self.meant.said == Said::All || lists.unset < Effect::Allow;
                choice.base = match says_all && lists.all.is_some() {
                    true => Base::All,
                    false => Base::Unset,
                };
                choice.words = denied;
                choice.score = 1000;
                for word in self.to.vocabulary.words {
                    if self.allows(word, mode) {
                        choice.kept.extend(word.does);
                    }
                }
            }
            _ => self.list(&mut choice, mode),
        }
        let ranks = choice.kept.iter().map(|tool| {
            let given = mode.map_or(Effect::Allow, |mode| mode.effect(*tool));
            10 + given as usize
        });
        choice.score += ranks.sum::<usize>() * 10 + choice.words.len();
        choice
    }

    /// Lists the words that must be denied beside everything; nothing if that cannot be said.
    fn denied(&self, lists: &ListRules, mode: Option<&ModeWord>) -> Option<Vec<String>> {
        let mut denied = Vec::new();
        let words = self.to.vocabulary.words.iter();
        let in_use = words.filter(|word| word.is_denied_by_name());
        for word in in_use.filter(|word| self.exceeds(word, mode)) {
            denied.push(word.word.to_owned());
        }
        for (subject, right) in &self.meant.named {
            if right.least() >= Effect::Allow {
                continue;
            }
            match subject {
                Subject::Tool(tool) => {
                    let has = self.to.vocabulary.has(*tool);
                    if !has && self.same_words && right.most() == Effect::Deny {
                        denied.push(right.word.clone());
                    }
                }
                Subject::Server { server, tool } => {
                    let servers = self.to.vocabulary.servers;
                    denied.push(servers?.write(server, tool.as_deref())?);
                }
                Subject::Other(_) if self.same_words => denied.push(right.word.clone()),
                Subject::Other(name) if self.from.vocabulary.is_own(name) => {}
                Subject::Other(_) => return None,
            }
        }
        let can = denied.is_empty() || lists.deny.is_some();
        can.then_some(denied)
    }

    /// Lists what is allowed, word by word.
    fn list(&self, choice: &mut Choice, mode: Option<&ModeWord>) {
        choice.base = Base::Listed;
        let words: Vec<&ToolWord> = self.to.vocabulary.words.iter().collect();
        let mut chosen: Vec<&ToolWord> = Vec::new();
        for word in words.into_iter().filter(|word| word.written()) {
            // A part of a tool that is there already adds nothing.
            let is_part = chosen.iter().any(|other| {
                other.does.len() > word.does.len()
                    && word.does.iter().all(|tool| other.does.contains(tool))
            });
            let asked = self.asked(word, mode);
            if !is_part && (self.allows(word, mode) || asked) {
                chosen.push(word);
                choice.kept.extend(word.does);
                if asked {
                    let rule = (word.word.to_owned(), "*".to_owned(), Effect::Ask);
                    choice.asked.push(rule);
                }
            }
        }
        choice.words = chosen.iter().map(|word| word.word.to_owned()).collect();
        let others = mode.map_or(Effect::Allow, |mode| mode.others);
        for (subject, right) in &self.meant.named {
            if right.least() < others {
                continue;
            }
            match subject {
                Subject::Server { server, tool } => {
                    let servers = self.to.vocabulary.servers;
                    let word = servers.and_then(|words| words.write(server, tool.as_deref()));
                    choice.words.extend(word);
                }
                Subject::Other(_) if self.same_words => choice.words.push(right.word.clone()),
                _ => {}
            }
        }
    }

    /// Returns whether a word can be had by asking for each use of it.
    fn asked(&self, word: &ToolWord, mode: Option<&ModeWord>) -> bool {
        let Some(effects) = &self.to.effects else {
            return false;
        };
        !self.allows(word, mode)
            && !effects.untouchable.contains(&word.word)
            && word
                .does
                .iter()
                .all(|tool| self.right(*tool).least() >= Effect::Ask)
    }

    /// Returns a tool without which the agent cannot work, if it is lost only because nobody would
    /// be asked.
    fn useless(&self, choice: &Choice) -> Option<Tool> {
        let tool = Tool::READ_FILE;
        let right = self.right(tool);
        let is_lost = self.to.lists.is_some() && !choice.kept.contains(&tool);
        let asked = matches!(right.effect, Effect::Ask | Effect::AskIfRisky);
        (is_lost && asked && self.to.vocabulary.has(tool)).then_some(tool)
    }

    fn write_lists(
        &self,
        choice: &Choice,
        lists: &ListRules,
        entries: &mut Entries,
    ) -> Result<(), NoWord> {
        let (key, shape) = lists.allow;
        match choice.base {
            Base::Listed if choice.words.is_empty() => match lists.none {
                NoTools::EmptyList => {
                    let empty = Node::new(Value::List(Vec::new()), Span::default(), Style::Flow);
                    entries.push((key.to_owned(), empty));
                }
                NoTools::Word(word) => entries.push((key.to_owned(), text(word))),
                NoTools::Switch(_, key) => entries.push((key.to_owned(), flag(true))),
                NoTools::CannotBeSaid => return Err(NoWord),
            },
            Base::Listed => entries.push((key.to_owned(), list(&choice.words, shape))),
            Base::All => {
                let word = lists.all.unwrap_or_default();
                entries.push((key.to_owned(), text(word)));
            }
            Base::Unset => {}
        }
        if choice.base == Base::Listed {
            if let Some(beside) = lists.beside {
                entries.push((beside.key.to_owned(), flag(beside.switch)));
            }
        } else if !choice.words.is_empty()
            && let Some((key, shape)) = lists.deny
        {
            entries.push((key.to_owned(), list(&choice.words, shape)));
        }
        Ok(())
    }

    /// Makes the rules, one by one, for a harness that has nothing but rules.
    fn effects(&self, effects: &EffectRules) -> Vec<(String, String, Effect)> {
        let mut rules: Vec<(String, String, Effect)> = Vec::new();
        let rest = self.meant.rest;
        let mut base = Effect::Allow;
        if rest < Effect::Allow && effects.star {
            base = rest;
            rules.push(("*".to_owned(), "*".to_owned(), rest));
        }
        let words = self.to.vocabulary.words.iter();
        for word in words.filter(|word| word.written() && !effects.untouchable.contains(&word.word))
        {
            let mut rights: Vec<Right> = word.does.iter().map(|tool| self.right(*tool)).collect();
            let Some(first) = rights.pop() else { continue };
            let alike = rights
                .iter()
                .all(|right| right.effect == first.effect && right.patterns == first.patterns);
            let may = effects.patterns
                && (self.same_words || matches!(word.does, [Tool::SHELL | Tool::DELEGATE]));
            let (effect, patterns) = match alike && may {
                true => (first.effect, first.patterns),
                false => {
                    let least = rights
                        .iter()
                        .map(Right::least)
                        .fold(first.least(), Effect::min);
                    (least, Vec::new())
                }
            };
            if effect_word(effect) != effect_word(base) || !patterns.is_empty() {
                rules.push((word.word.to_owned(), "*".to_owned(), effect));
            }
            for (pattern, effect) in patterns {
                rules.push((word.word.to_owned(), pattern, effect));
            }
        }
        for (subject, right) in &self.meant.named {
            let effect = right.least();
            let word = match subject {
                Subject::Tool(_) => None,
                Subject::Server { server, tool } => {
                    let servers = self.to.vocabulary.servers;
                    servers.and_then(|words| words.write(server, tool.as_deref()))
                }
                // What is denied may be denied under any name.
                Subject::Other(name) => {
                    let own = self.from.vocabulary.is_own(name);
                    let same = self.same_words || (effect < Effect::Allow && !own);
                    same.then(|| right.word.clone())
                }
            };
            if let Some(word) = word
                && effect_word(effect) != effect_word(base)
            {
                rules.push((word, "*".to_owned(), effect));
            }
        }
        rules
    }
}

/// Writes rules in the form of the harness.
fn write_effects(
    rules: Vec<(String, String, Effect)>,
    effects: &EffectRules,
    entries: &mut Entries,
) {
    let Some((first, further)) = effects.keys.split_first() else {
        return;
    };
    if rules.is_empty() {
        return;
    }
    let mut node = match effects.form {
        EffectForm::Map | EffectForm::TextOfMap => rules_as_map(&rules),
        EffectForm::List => {
            let rule = |(name, pattern, effect): &(String, String, Effect)| {
                map_node(
                    vec![
                        entry("action", text(name)),
                        entry("resource", text(pattern)),
                        entry("effect", text(effect_word(*effect))),
                    ],
                    Span::default(),
                )
            };
            let items = rules.iter().map(rule).collect();
            Node::new(Value::List(items), Span::default(), Style::Block)
        }
    };
    if effects.form == EffectForm::TextOfMap {
        let parts: Vec<String> = rules
            .iter()
            .map(|(name, _, effect)| format!("{name}: {}", effect_word(*effect)))
            .collect();
        node = text(&format!("{{{}}}", parts.join(", ")));
    }
    for key in further.iter().rev() {
        node = map_node(vec![entry(key, node)], Span::default());
    }
    entries.push(((*first).to_owned(), node));
}

/// A name with patterns becomes a map of them; the order of the rules is that of the map.
fn rules_as_map(rules: &[(String, String, Effect)]) -> Node {
    let mut names: Vec<(&str, Vec<Entry>)> = Vec::new();
    for (name, pattern, effect) in rules {
        let rule = entry(pattern, text(effect_word(*effect)));
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, patterns)) => patterns.push(rule),
            None => names.push((name.as_str(), vec![rule])),
        }
    }
    let entries = names.into_iter().map(|(name, mut patterns)| {
        let is_plain = patterns.len() == 1 && patterns[0].key.as_text() == Some("*");
        match patterns.pop().filter(|_| is_plain) {
            Some(only) => entry(name, only.value),
            None => {
                let again = rules.iter().filter(|(known, ..)| known == name);
                let patterns =
                    again.map(|(_, pattern, effect)| entry(pattern, text(effect_word(*effect))));
                entry(name, map_node(patterns.collect(), Span::default()))
            }
        }
    });
    map_node(entries.collect(), Span::default())
}

fn entry(key: &str, value: Node) -> Entry {
    Entry {
        key: text(key),
        value,
    }
}

fn text(text: &str) -> Node {
    text_node(text, Span::default())
}

fn flag(value: bool) -> Node {
    Node::new(Value::Bool(value), Span::default(), Style::Plain)
}

/// Writes names in the form of a list.
pub(crate) fn list(names: &[String], shape: Shape) -> Node {
    if shape == Shape::CommaText {
        return text(&names.join(", "));
    }
    let items = names.iter().map(|name| text(name)).collect();
    Node::new(Value::List(items), Span::default(), Style::Block)
}

/// Returns the bytes that limit an agent.
pub(crate) fn limit_span(definition: &Definition, rules: &AccessRules) -> Option<Span> {
    let mode = rules.mode.map(|(field, _)| field);
    let mut fields = rules.fields.iter().copied().chain(mode);
    let place = fields.find_map(|field| definition.place(field))?;
    Some(place.key.cover(place.value))
}

/// Lists what an agent can no longer do, and which of its tools have another name.
pub(crate) fn list_losses(
    agent: &Agent<'_>,
    meant: &Rights,
    there: &Rights,
    to: Reader,
    notes: &mut Notes,
) {
    let words = to.writing().access.vocabulary;
    let same_words = words.is_same(agent.from.writing().access.vocabulary);
    let field = FieldName::TOOLS.as_str();
    let title = to.title();
    let mut called = Vec::new();
    for (subject, right) in &meant.named {
        // What a mode says of a tool that nobody names counts with the rest.
        if right.most() == Effect::Deny || right.at.is_none() {
            continue;
        }
        let has = match subject {
            Subject::Tool(tool) => words.has(*tool),
            Subject::Server { .. } => words.servers.is_some(),
            // Where all others are there, whatever is called so is too.
            Subject::Other(_) => same_words || there.rest >= right.effect,
        };
        let given = there.right_in(subject, &to.writing().access);
        let arrives = has
            && given.effect >= right.effect.min(Effect::Allow)
            && given.most() >= right.most().min(Effect::Allow);
        if arrives {
            if given.at.is_some() {
                called.push((right, given.word));
            }
            continue;
        }
        let word = &right.word;
        let mut code = LossCode::ToolLeftOut;
        let message = if !has {
            code = LossCode::NoTool;
            match subject {
                Subject::Other(_) => format!("{title} has no tool `{word}`"),
                _ => format!("{title} has no tool that does what `{word}` does"),
            }
        } else if !right.patterns.is_empty() && given.most() == Effect::Deny {
            format!(
                "{title} takes no rule behind a tool, and all of it would be more than `{word}`"
            )
        } else if right.effect < Effect::Allow
            && right.most() < Effect::Allow
            && given.most() == Effect::Deny
        {
            format!("{title} would not ask before each use of `{word}`, so that it is left out")
        } else if given.most() == Effect::Deny {
            format!("{title} has `{word}` only together with what the agent must not do")
        } else {
            code = LossCode::AskedMore;
            format!("a person is asked before a use of `{word}` more often than it was meant")
        };
        notes.lose(code, field, Severity::Warning, right.at, message);
    }
    note_names(called, notes);
    for tool in to.writing().access.never {
        let subject = Subject::Tool(*tool);
        if meant.right(&subject).most() > Effect::Deny && !meant.named.contains_key(&subject) {
            let message = format!("{title} gives no agent a tool that does `{tool}`");
            notes.lose(LossCode::NoTool, field, Severity::Info, None, message);
        }
    }
    if meant.rest > there.rest {
        let message = match there.rest {
            Effect::Deny => format!(
                "{title} gets a list of the tools that it knows; any other, such as those of servers, is left out"
            ),
            _ => "a person is asked more often than it was meant".to_owned(),
        };
        let severity = match meant.said {
            Said::Unset => Severity::Info,
            _ => Severity::Warning,
        };
        let code = match there.rest {
            Effect::Deny => LossCode::OthersLeftOut,
            _ => LossCode::AskedMore,
        };
        notes.lose(code, field, severity, meant.mode_at, message);
    }
    if meant.mode.is_some() && there.mode.is_none() && !said_by_rules(meant, there, to) {
        let word = meant.mode.unwrap_or_default();
        let message = format!("{title} has no word for `{word}`");
        notes.lose(
            LossCode::NoMode,
            FieldName::PERMISSION_MODE.as_str(),
            Severity::Warning,
            meant.mode_at,
            message,
        );
    }
}

/// Returns whether what is there is asked about as the mode says, without a word for it.
fn said_by_rules(meant: &Rights, there: &Rights, to: Reader) -> bool {
    let alike = |tool: &Tool| {
        let subject = Subject::Tool(*tool);
        let (one, other) = (meant.effect(&subject), there.effect(&subject));
        other == Effect::Deny || effect_word(one) == effect_word(other)
    };
    let words = to.writing().access.vocabulary;
    let mut tools = Tool::ALL.iter().filter(|tool| words.has(**tool));
    tools.all(alike)
}

/// Tells what each word of the source is called.
fn note_names(called: Vec<(&Right, String)>, notes: &mut Notes) {
    let mut told: Vec<(Option<Span>, &str, Vec<String>)> = Vec::new();
    for (right, name) in called {
        let word = right.word.split('(').next().unwrap_or_default();
        let known = told
            .iter_mut()
            .find(|(at, known, _)| *at == right.at && *known == word);
        match known {
            Some((.., names)) if names.contains(&name) => {}
            Some((.., names)) => names.push(name),
            None => told.push((right.at, word, vec![name])),
        }
    }
    for (at, word, names) in told {
        if names != [word] {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("`{word}` is called {}", names.join(", "));
            notes.change(FieldName::TOOLS.as_str(), at, message);
        }
    }
}
