//! Agents that several entries make together, field by field.

use std::sync::Arc;

use agent_schema::dialect::{BuiltinAgent, BuiltinValue, Precedence, SkipRule};
use agent_schema::effects::may_do_more;
use agent_schema::finish::Resolve;
use agent_schema::merge::{lay_first, lay_over};
use agent_schema::{Definition, Diagnostic, FieldName, FieldValue, Level, Located, Related, rules};
use indexmap::IndexMap;

use crate::discover::Discovery;
use crate::entry::{Entry, State};
use crate::in_order::in_order;
use crate::precedence::leave_open;

/// What stands for a text of the harness that is not repeated here.
pub const OWN_TEXT: &str = "(builtin)";

/// An agent that several sources make together.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The definition, shared with whoever keeps the agent.
    pub definition: Arc<Definition>,
    /// Its sources, the weakest first.
    pub layers: Vec<Layer>,
    /// Which of the layers gives each field, by its number in `layers`. Of a map it is the
    /// strongest layer that gives a part of it.
    pub given_by: Givers,
    /// The fields that a layer takes back from weaker ones without giving a value, each with the
    /// number of the layer.
    pub taken_back: Vec<(FieldName, usize)>,
}

impl Merged {
    /// Returns the same agent where the entries have other numbers, this much higher.
    #[must_use]
    pub fn renumbered(mut self, by: usize) -> Self {
        for layer in &mut self.layers {
            if let Layer::Entry(index) = layer {
                *index += by;
            }
        }
        self
    }
}

/// Which layer gives each field of a merged agent: as few as fields are, so that a list is smaller
/// than a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Givers(Vec<(FieldName, usize)>);

impl Givers {
    /// Returns the number of the layer that gives a field; `None` if nobody gives it.
    #[must_use]
    pub fn of(&self, field: FieldName) -> Option<usize> {
        let mut given = self.iter();
        given
            .find(|(name, _)| *name == field)
            .map(|(_, layer)| layer)
    }

    /// Returns the fields that are given, with the numbers of their layers.
    pub fn iter(&self) -> impl Iterator<Item = (FieldName, usize)> {
        self.0.iter().copied()
    }

    /// Returns the fields that are given.
    pub fn fields(&self) -> impl Iterator<Item = FieldName> {
        self.iter().map(|(field, _)| field)
    }

    /// Notes who gives a field, in its old place if it was given.
    fn note(&mut self, field: FieldName, layer: usize) {
        match self.0.iter_mut().find(|(name, _)| *name == field) {
            Some((_, known)) => *known = layer,
            None => self.0.push((field, layer)),
        }
    }

    /// Notes that nobody gives a field. Returns whether anybody did.
    fn take_out(&mut self, field: FieldName) -> bool {
        let before = self.0.len();
        self.0.retain(|(name, _)| *name != field);
        self.0.len() < before
    }
}

/// A source of a merged agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The harness itself.
    Builtin,
    /// An entry, by its number.
    Entry(usize),
}

/// Merges the entries that load, name by name.
pub(crate) fn settle(found: &mut Discovery) {
    let mut order: Vec<usize> = (0..found.entries.len())
        .filter(|index| found.entries[*index].state == State::Active)
        .collect();
    order.sort_by_key(|index| found.entries[*index].turn);
    let mut names: IndexMap<String, Vec<Vec<usize>>> = IndexMap::new();
    for index in order {
        let Some(name) = found.entries[index].name().map(str::to_owned) else {
            continue;
        };
        let only = || Vec::with_capacity(1);
        let layers: &mut Vec<Vec<usize>> = names.entry(name).or_insert_with(only);
        let ties = layers.last_mut().filter(|layer| {
            layer
                .first()
                .is_some_and(|first| is_tie(found, *first, index))
        });
        match ties {
            Some(layer) => layer.push(index),
            None => layers.push(vec![index]),
        }
    }
    let names: Vec<(String, Vec<Vec<usize>>)> = names.into_iter().collect();
    // No entry has two names, so that each name can be merged without the others.
    for some in names.chunks(MERGED_AT_ONCE) {
        let searched: &Discovery = found;
        let made = in_order(some, |(name, layers)| merge_name(searched, name, layers));
        for ((name, layers), made) in some.iter().zip(made) {
            settle_name(found, name, layers, made);
        }
    }
}

/// How many names are merged before their entries get what they make.
const MERGED_AT_ONCE: usize = 1_024;

/// What the entries of one name make.
#[derive(Default)]
struct Made {
    /// The agents: more than one if the harness leaves open which it is.
    agents: Vec<(Merged, Option<SkipRule>)>,
    /// The first layer that counts.
    first_counting: usize,
}

/// Merges the entries of one name. Each inner list is one layer: more than one entry in it means
/// that the harness leaves open which one it is.
fn merge_name(found: &Discovery, name: &str, layers: &[Vec<usize>]) -> Made {
    let Some((top, below)) = layers.split_last() else {
        return Made::default();
    };
    let cleared = below.iter().rposition(|layer| clears(found, layer));
    let first_counting = cleared.map_or(0, |cleared| cleared + 1);
    let below_first = below[first_counting..].iter();
    let below_first: Vec<usize> = below_first
        .filter_map(|layer| layer.first().copied())
        .collect();
    let agents = top.iter().map(|&index| {
        let mut order = below_first.clone();
        order.push(index);
        merge(found, name, &order)
    });
    Made {
        agents: agents.collect(),
        first_counting,
    }
}

/// Returns whether the harness keeps only one of two entries, nobody knows which: two files of
/// one place.
fn is_tie(found: &Discovery, one: usize, other: usize) -> bool {
    if found.profile.rules.agents.precedence == Precedence::MergedInOrder {
        return false;
    }
    let unit = |index: usize| {
        let source = &found.entries[index].source;
        let place = source.place.filter(|_| source.inside.is_none());
        place.map(|place| found.places[place].unit)
    };
    unit(one).is_some() && unit(one) == unit(other)
}

/// Gives the entries of one name what they make.
fn settle_name(found: &mut Discovery, name: &str, layers: &[Vec<usize>], made: Made) {
    let Some((top, below)) = layers.split_last() else {
        return;
    };
    let title = found.dialect.title;
    for (&index, (merged, skip)) in top.iter().zip(made.agents) {
        note_blanked_prompt(found, name, &merged);
        let entry = &mut found.entries[index];
        entry.merged = Some(Box::new(merged));
        if let Some(rule) = skip {
            entry.state = State::Ignored(rule);
        }
    }
    let winner = top.first().copied().unwrap_or_default();
    let counting = layers[made.first_counting..].iter();
    let counting: Vec<usize> = counting
        .filter_map(|layer| layer.first().copied())
        .collect();
    for nearer in &counting {
        note_farther_winner(found, name, &counting, *nearer);
    }
    for layer in below {
        for &index in layer {
            found.entries[index].state = State::Merged { into: winner };
        }
    }
    for layer in layers.iter().filter(|layer| layer.len() > 1) {
        let is_top = std::ptr::eq(layer, top);
        // As long as one of them is an agent, it is open whether there is one.
        let disabled = is_top
            && layer
                .iter()
                .all(|index| is_disabled(&found.entries[*index]));
        if !disabled {
            leave_open(title, &mut found.entries, layer);
        }
    }
}

fn is_disabled(entry: &Entry) -> bool {
    entry.state == State::Ignored(SkipRule::Disabled)
}

/// Returns whether a layer takes away all weaker ones, and itself.
fn clears(found: &Discovery, layer: &[usize]) -> bool {
    let switch = found.profile.rules.merging.clears;
    let definition = layer
        .first()
        .and_then(|index| found.entries[*index].definition());
    match (switch, definition) {
        (Some(switch), Some(definition)) => definition.flag(switch) == Some(true),
        _ => false,
    }
}

/// Lays entries over each other and over the built-in agent of the name; also tells why the
/// result is no agent, if it is none.
pub(crate) fn merge(found: &Discovery, name: &str, order: &[usize]) -> (Merged, Option<SkipRule>) {
    let rules = &found.profile.rules;
    let mut builtins = rules.agents.builtins.iter();
    let builtin = builtins.find(|builtin| builtin.name == name);
    let mut merged = Merged::new(rules.reading.shown);
    let appended = rules.merging.appended;
    if let Some(builtin) = builtin {
        merged.lay(Layer::Builtin, &definition_of(builtin), appended);
    }
    for &index in order {
        match found.entries[index].shared_definition() {
            Some(first) if merged.layers.is_empty() => merged.lay_first(index, first),
            Some(definition) => merged.lay(Layer::Entry(index), definition, appended),
            None => {}
        }
    }
    let key = Located::implied(FieldValue::text(name.to_owned()));
    merged.definition_mut().set(FieldName::KEY, key);
    let for_all = (rules.merging.permissions_for_all)(&found.general);
    let mut last = Resolve {
        definition: merged.definition_mut(),
        is_builtin: builtin.is_some(),
        for_all: for_all.as_ref(),
        findings: Vec::new(),
        skip: None,
    };
    (rules.reading.resolve)(&mut last);
    let skip = last.skip;
    merged.shrink();
    (merged, skip)
}

impl Merged {
    /// Makes an agent without a source.
    pub(crate) fn new(shown: &'static [FieldName]) -> Self {
        Merged {
            definition: Arc::new(Definition::new(shown)),
            layers: Vec::new(),
            given_by: Givers::default(),
            taken_back: Vec::new(),
        }
    }

    /// Returns the definition to change it.
    pub(crate) fn definition_mut(&mut self) -> &mut Definition {
        Arc::make_mut(&mut self.definition)
    }

    /// Gives back the memory that nothing in it takes.
    fn shrink(&mut self) {
        self.definition_mut().shrink();
        self.layers.shrink_to_fit();
        self.given_by.0.shrink_to_fit();
        self.taken_back.shrink_to_fit();
    }

    /// Makes an entry the first source.
    fn lay_first(&mut self, index: usize, definition: &Arc<Definition>) {
        let fields = lay_first(self.definition_mut(), definition);
        self.note_giver(Layer::Entry(index), fields);
    }

    /// Lays a definition over what the agent is so far.
    pub(crate) fn lay(&mut self, layer: Layer, definition: &Definition, appended: &[FieldName]) {
        let fields = lay_over(self.definition_mut(), definition, appended);
        self.note_giver(layer, fields);
    }

    /// Notes the next source, and that it gives some fields.
    fn note_giver(&mut self, layer: Layer, fields: Vec<FieldName>) {
        let number = self.layers.len();
        self.layers.push(layer);
        for field in fields {
            self.given_by.note(field, number);
        }
    }

    /// Lays a source over the others that also takes fields back without giving them a value.
    pub(crate) fn take_over(
        &mut self,
        layer: Layer,
        definition: &Definition,
        cleared: &[FieldName],
    ) {
        let number = self.layers.len();
        for field in cleared {
            if self.given_by.take_out(*field) && definition.field(*field).is_none() {
                self.taken_back.push((*field, number));
            }
            self.definition_mut().unset(*field);
        }
        self.lay(layer, definition, &[]);
    }
}

fn definition_of(builtin: &BuiltinAgent) -> Definition {
    let mut definition = Definition::default();
    let mut set = |field, value| definition.set(field, Located::implied(value));
    set(FieldName::NAME, FieldValue::text(builtin.name.to_owned()));
    for (field, value) in builtin.fields {
        let value = match *value {
            BuiltinValue::OwnText => FieldValue::text(OWN_TEXT.to_owned()),
            BuiltinValue::Word(word) => FieldValue::text(word.to_owned()),
            BuiltinValue::Flag(flag) => FieldValue::Flag(flag),
            BuiltinValue::Number(number) => FieldValue::Number(number),
        };
        set(*field, value);
    }
    definition
}

/// Notes an entry that stands nearer to the working folder than a stronger one of its agent. `order`
/// holds all of them, the weakest first.
fn note_farther_winner(found: &mut Discovery, name: &str, order: &[usize], nearer: usize) {
    let near = distance(found, nearer);
    let mut stronger = order.iter().rev().take_while(|index| **index != nearer);
    let farther = stronger.find(|index| near.is_some() && distance(found, **index) > near);
    let Some(&farther) = farther else { return };
    let others = order.iter().copied().filter(|index| *index != nearer);
    let expected: Vec<usize> = others.chain([nearer]).collect();
    let (expected, _) = merge(found, name, &expected);
    let (counts, _) = merge(found, name, order);
    if counts.definition == expected.definition {
        return;
    }
    let does_more = may_do_more(&counts.definition, &expected.definition, found.profile);
    let so_that = match does_more {
        true => ", and the agent may do more than it says",
        false => "",
    };
    let own = match &found.entries[nearer].source.inside {
        Some(way) => format!("`{way}`"),
        None => "this file".to_owned(),
    };
    let (farther, title) = (&found.entries[farther], found.dialect.title);
    let (away, why) = match farther.source.level {
        Level::Project => (
            "a folder farther up",
            "reads such folders from the working folder upwards",
        ),
        _ => ("a file of the user", "reads that file later than this one"),
    };
    let mut diagnostic = Diagnostic::new(
        &rules::FARTHER_WINS,
        format!("what {own} sets counts below what {away} sets{so_that}"),
    )
    .because(format!("{title} {why}, and later ones count more"))
    .help("give the two agents names of their own, or keep one of the files");
    diagnostic.related.push(Related {
        file: Some(farther.source.reported.clone()),
        span: farther.name_place(),
        message: "this file counts more".to_owned(),
    });
    diagnostic.span = found.entries[nearer].name_place();
    found.entries[nearer].diagnostics.push(diagnostic);
}

/// How far a source is from the folder in which somebody works. The user's own files are farther
/// than any folder of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    Up(usize),
    User,
}

/// Returns how far an entry is away, if that says anything about it.
fn distance(found: &Discovery, index: usize) -> Option<Distance> {
    let source = &found.entries[index].source;
    match source.level {
        Level::Project => found.places[source.place?].above.map(Distance::Up),
        Level::Global | Level::Home => Some(Distance::User),
        _ => None,
    }
}

/// Notes an entry whose empty prompt takes the place of one with content.
fn note_blanked_prompt(found: &mut Discovery, name: &str, merged: &Merged) {
    let prompt = |layer: &Layer| match layer {
        Layer::Entry(index) => found.entries[*index].definition()?.prompt(),
        Layer::Builtin => builtin_prompt(found, name),
    };
    let number = merged.given_by.of(FieldName::PROMPT);
    let below = merged.layers.split_at_checked(number.unwrap_or_default());
    let Some((below, &[Layer::Entry(strongest), ..])) = below else {
        return;
    };
    let mut below = below.iter().rev();
    let lost = below.find(|layer| prompt(layer).is_some_and(|prompt| !prompt.is_empty()));
    let (Some(lost), Some("")) = (lost, merged.definition.prompt()) else {
        return;
    };
    let title = found.dialect.title;
    let is_file = found.entries[strongest].source.inside.is_none();
    let (blank, why) = match is_file {
        true => (
            "the empty body of this file",
            "a file without a body has an empty prompt, not none",
        ),
        false => ("this empty prompt", "an empty prompt counts too"),
    };
    let (whose, help) = match lost {
        Layer::Builtin => (
            format!("the prompt of `{name}`, which {title} brings itself"),
            "write a prompt here, or make the changes in the settings instead of a file",
        ),
        Layer::Entry(_) => (
            "a prompt".to_owned(),
            "write the prompt here too, or make the changes in the settings instead of a file",
        ),
    };
    let help = match is_file {
        true => help,
        false => "take the empty prompt out",
    };
    let mut diagnostic = Diagnostic::new(
        &rules::BLANKED_FIELD,
        format!("{blank} takes the place of {whose}"),
    )
    .because(format!("{title} merges field by field, and {why}"))
    .help(help);
    if let Layer::Entry(lost) = *lost {
        let lost = &found.entries[lost];
        let place = lost
            .definition()
            .and_then(|definition| definition.place(FieldName::PROMPT));
        diagnostic.related.push(Related {
            file: Some(lost.source.reported.clone()),
            span: place.map(|place| place.value),
            message: "the prompt that is lost stands here".to_owned(),
        });
    }
    let entry = &mut found.entries[strongest];
    if !is_file {
        let own = entry
            .definition()
            .and_then(|definition| definition.place(FieldName::PROMPT));
        diagnostic.span = own.map(|place| place.value);
    }
    entry.diagnostics.push(diagnostic);
}

/// Returns what stands for the prompt of an agent that the harness brings itself.
fn builtin_prompt(found: &Discovery, name: &str) -> Option<&'static str> {
    let mut builtins = found.profile.rules.agents.builtins.iter();
    let builtin = builtins.find(|builtin| builtin.name == name)?;
    let mut fields = builtin.fields.iter();
    let is_set = fields.any(|(field, _)| *field == FieldName::PROMPT);
    is_set.then_some(OWN_TEXT)
}
