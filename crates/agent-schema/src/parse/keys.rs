//! The keys of a header as such, whatever their values are.

use std::borrow::Cow;
use std::collections::HashSet;

use super::limits::{limits, meant_denial};
use super::{MOST_OF_A_RULE, Reading, field_keys, key_text};
use crate::coerce::{Remarks, pydantic, shorten};
use crate::definition::{FieldName, FieldValue, Located};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Dialect, Field, NotTextKeys, ReadingRules, ReservedKey, UnknownKeys};
use crate::dialects;
use crate::foreign_words::and_list;
use crate::limits::Limit;
use crate::rules;
use crate::source::Span;
use crate::suggest::{is_spelling, nearest};
use crate::value::{Entry, Mapping, Node, Value};
use crate::writing::effect_of;

/// The fields that limit what an agent may do.
pub(crate) const LIMITS: [FieldName; 7] = [
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::PERMISSION,
    FieldName::PERMISSION_MODE,
    FieldName::of_dialect("permissions"),
    FieldName::of_dialect("permission_rules"),
    FieldName::of_dialect("isolated"),
];

/// The fields that hold a rule for each tool.
pub(super) const RULES: [FieldName; 2] =
    [FieldName::PERMISSION, FieldName::of_dialect("permissions")];

/// The fields that name tools.
const TOOL_LISTS: [FieldName; 3] = [
    FieldName::TOOLS,
    FieldName::DISALLOWED_TOOLS,
    FieldName::of_dialect("allowed_tools"),
];

/// What every dialect calls its list of tools.
const TOOLS_KEY: &str = "tools";

impl Reading<'_> {
    /// Checks the keys as such: their types, the ones that break the harness, doubles, unknowns.
    pub(super) fn read_keys(&mut self, map: &Mapping) {
        let most = self.inputs.limits.of(Limit::Findings);
        self.diagnostics
            .extend(duplicates(self.dialect.title, map).take(most));
        self.lose_denials(map);
        // What is not ours is not ours to judge either.
        if self.rules.keys.unknown != UnknownKeys::NotOurs {
            let values = map.entries.iter().map(|entry| &entry.value);
            let below = values.flat_map(|value| duplicates_below(self.dialect.title, value));
            self.diagnostics.extend(below.take(most));
        }
        for entry in &map.entries {
            let Some(key) = entry.key.as_text() else {
                self.note_key_not_text(entry);
                continue;
            };
            if let Some(reserved) = self.rules.keys.reserved(key) {
                self.refuse_key(reserved, entry);
            } else if let Some((_, why)) = self.inert(key) {
                self.diagnostics.push(
                    Diagnostic::new(
                        &rules::INERT_KEY,
                        format!("`{key}` has no effect in a file"),
                    )
                    .at(entry.key.span)
                    .because(*why)
                    .help("remove the key"),
                );
            } else if !is_known(self.rules, key) && !self.rules.keys.effective.contains(&key) {
                if !self.note_key_of_other_form(key, entry, map) {
                    let meant = self.meant_by(entry).map(|(ours, _)| ours);
                    self.note_unknown_key(key, meant, entry, map);
                    self.lose_meant_field(meant, entry, map);
                }
                match self.rules.keys.unknown {
                    UnknownKeys::Dropped
                    | UnknownKeys::Named
                    | UnknownKeys::Invalid
                    | UnknownKeys::NotOurs
                    | UnknownKeys::OtherForm(_) => {}
                    UnknownKeys::Metadata | UnknownKeys::ModelOptions => {
                        self.definition.metadata.insert(
                            key.to_owned(),
                            Located::written(entry.value.clone(), entry.key.span, entry.value.span),
                        );
                    }
                }
            }
        }
    }

    /// Tells of a key that would be right in the other form of a definition. Returns whether it is one.
    fn note_key_of_other_form(&mut self, key: &str, entry: &Entry, map: &Mapping) -> bool {
        let Some(other) = self.other_form else {
            return false;
        };
        let mut fields = other.fields.iter();
        let Some(field) = fields.find(|field| field_keys(field).any(|known| known == key)) else {
            return false;
        };
        let mut keys = map.entries.iter();
        let Some((deciding, decides)) = keys.find_map(|entry| {
            let key = entry.key.as_text()?;
            (!is_known(other, key)).then_some((entry.key.span, key))
        }) else {
            return false;
        };
        let title = self.dialect.title;
        let message = format!("`{key}` has no effect beside `{}`", shorten(decides));
        let finding = Diagnostic::new(&rules::DROPPED_SETTING, message)
            .at(entry.key.span)
            .and_at(deciding, "this key decides in which form the definition is read")
            .because(format!(
                "{title} reads a definition in another form if a key of it is none here, and that form \
                 has no `{key}`"
            ))
            .help(format!("remove `{}`", shorten(decides)))
            .about(field.target);
        let severity = match LIMITS.contains(&field.target) {
            true => Severity::Error,
            false => Severity::Warning,
        };
        self.lost.push(field.target);
        self.diagnostics.push(Diagnostic {
            severity,
            ..finding
        });
        true
    }

    fn refuse_key(&mut self, reserved: &ReservedKey, entry: &Entry) {
        let finding = Diagnostic::new(
            &rules::RESERVED_KEY,
            format!("the key `{}` cannot be used", reserved.key),
        );
        let finding = finding.at(entry.key.span).in_setting([reserved.key]);
        let finding = finding.because(reserved.why);
        self.conclude(reserved.refused, finding.help(reserved.help));
    }

    fn note_key_not_text(&mut self, entry: &Entry) {
        let finding = Diagnostic::new(
            &rules::KEY_NOT_TEXT,
            format!(
                "the key `{}` is {}, not a text",
                self.written(entry.key.span),
                pydantic::article(&entry.key)
            ),
        )
        .at(entry.key.span)
        .help("put the key in quotes");
        match self.rules.keys.not_text {
            NotTextKeys::RejectFile { why } => self.reject(finding.because(why)),
            NotTextKeys::PassedOver => {
                let harness_says = self.rules.keys.unknown.is_told();
                let how = match harness_says {
                    true => "and names it in its debug log",
                    false => "without a word",
                };
                let why = format!("{} passes such a key over, {how}", self.dialect.title);
                self.diagnostics.push(Diagnostic {
                    severity: Severity::Info,
                    harness_says,
                    ..finding.because(why)
                });
            }
        }
    }

    /// Returns what stands in the file, for a message.
    fn written(&self, span: Span) -> String {
        let bytes = self.bytes.get(span.start as usize..span.end as usize);
        shorten(&String::from_utf8_lossy(bytes.unwrap_or_default()))
    }

    fn inert(&self, key: &str) -> Option<&'static (&'static str, &'static str)> {
        let inert = self.rules.keys.inert;
        inert.iter().find(|(word, _)| *word == key)
    }

    /// `meant` is the key that was probably meant by one that is not known.
    fn note_unknown_key(
        &mut self,
        key: &str,
        meant: Option<&'static str>,
        entry: &Entry,
        map: &Mapping,
    ) {
        let title = self.dialect.title;
        let right = meant.and_then(|ours| map.get(ours));
        let elsewhere = keys_elsewhere(self.dialect, self.rules, key);
        let whose = elsewhere.whose(key);
        let effect = match self.rules.keys.unknown {
            UnknownKeys::ModelOptions => "goes to the provider of the model",
            _ => "has no effect",
        };
        // What the value would have been for another harness, if the agent misses it here.
        let mut missed = None;
        let diagnostic = match meant {
            Some(ours) if right.is_some() => Diagnostic::new(
                &rules::MISSPELLED_KEY,
                format!("`{key}` {effect}; {title} reads `{ours}`, which is there too"),
            )
            .help(format!("put everything into `{ours}`, and remove `{key}`")),
            Some(ours) => Diagnostic::new(
                &rules::MISSPELLED_KEY,
                format!("`{key}` {effect}; {title} calls it `{ours}`"),
            )
            .help({
                let fields = self.rules.fields.iter();
                // A value that the harness cannot take would only cost more under the right key.
                let mut refused = fields.filter(|it| it.key == ours && !self.fits(it, entry));
                let accepts = refused.next().map(|field| field.accepts);
                let accepts = accepts.map_or(String::new(), |it| format!(" with {it}"));
                let whose = whose.map_or(String::new(), |whose| format!("; {whose}"));
                format!("write `{ours}`{accepts}{whose}")
            }),
            None => {
                let finding = Diagnostic::new(
                    &rules::UNKNOWN_KEY,
                    match key {
                        "<<" => "`<<` merges nothing here, and what it holds is lost".to_owned(),
                        key => {
                            let ours = elsewhere.of_own(self.dialect, self.rules);
                            let effect = match self.rules.keys.unknown {
                                UnknownKeys::Invalid => "the file is not valid with it".to_owned(),
                                _ => format!("it {effect}"),
                            };
                            format!("`{key}` is not a key of {ours}; {effect}")
                        }
                    },
                );
                let foreign_limit = self.foreign_limit(key, entry, map, elsewhere.limit);
                let is_lost_prompt = self.is_lost_prompt(key, entry);
                let has_limits = self.limiting_fields().next().is_some();
                if let Some(misplaced) = self.misplaced_rule(key, entry) {
                    self.lost_parts.extend(misplaced.field);
                    self.diagnostics.push(misplaced);
                    return;
                }
                let may_limit = has_limits && !self.holds_anchor(entry);
                let of_version = limit_of_version(self.dialect, key).filter(|_| may_limit);
                let lost = of_version.map(|limit| limit.field);
                self.lost
                    .extend(lost.filter(|field| limits(*field, &entry.value)));
                missed = match is_lost_prompt {
                    true => Some(FieldName::PROMPT),
                    false => foreign_limit.as_ref().map(|limit| limit.field),
                };
                self.lost.extend(missed);
                // What another harness reads in the same file was meant for that one.
                let is_fault = self.rules.keys.unknown == UnknownKeys::Invalid && whose.is_none();
                // What it would have merged is lost, whatever it is.
                self.degraded |= key == "<<";
                let is_limit = of_version.is_some()
                    || foreign_limit.is_some()
                    || elsewhere.limit.is_some() && has_limits;
                let matters = is_limit || is_lost_prompt || key == "<<" || is_prose(key);
                Diagnostic {
                    // A limit of which the agent is free here, or its prompt, or a line of it.
                    severity: match matters || is_fault {
                        true => Severity::Warning,
                        false => finding.severity,
                    },
                    help: match of_version {
                        Some(limit) if !elsewhere.is_own => {
                            let VersionLimit { key, version, .. } = limit;
                            Some(format!("`{key}` is a key of {title} {version}").into())
                        }
                        _ if is_prose(key) => {
                            Some("write `---` above the line if the prompt begins there".into())
                        }
                        _ if is_lost_prompt => Some(
                            "move the text below the header: what stands there is the prompt"
                                .into(),
                        ),
                        _ => match foreign_limit {
                            Some(limit) => Some(limit.help(whose).into()),
                            None => whose.map(Cow::from),
                        },
                    },
                    ..finding
                }
            }
        };
        let why = match self.rules.keys.unknown {
            UnknownKeys::Metadata => format!("{title} keeps unknown keys as metadata"),
            UnknownKeys::Dropped => format!("{title} drops unknown keys without a word"),
            UnknownKeys::Named => {
                format!("{title} drops unknown keys and names them in its log alone")
            }
            UnknownKeys::Invalid => {
                format!("{title} passes over unknown keys, and does not call such a file valid")
            }
            UnknownKeys::ModelOptions => {
                format!("{title} sends unknown keys to the provider of the model as options")
            }
            UnknownKeys::NotOurs | UnknownKeys::OtherForm(_) => return,
        };
        let tools = self.rules.known_words.tools;
        let is_tools = right.is_none() && meant == Some(TOOLS_KEY);
        let unset = tools.filter(|_| is_tools);
        let why = match unset.filter(|_| self.rules.keys.unknown != UnknownKeys::Metadata) {
            Some(tools) => format!("{why}; {}", tools.unset_means),
            None => why,
        };
        let mut diagnostic = diagnostic.at(entry.key.span).because(why);
        let mut fields = self.rules.fields.iter();
        diagnostic.field = fields
            .find(|field| Some(field.key) == meant)
            .map(|field| field.target);
        let frees = match diagnostic.field {
            Some(FieldName::TOOLS) => tools.is_some_and(|tools| tools.unset_grants),
            Some(field) => field == FieldName::DISALLOWED_TOOLS || RULES.contains(&field),
            None => false,
        };
        // Without a word the agent has rights that its author took away.
        if frees && right.is_none() {
            diagnostic.severity = Severity::Error;
        }
        diagnostic.field = diagnostic.field.or(missed);
        diagnostic.harness_says = self.rules.keys.unknown.is_told();
        self.diagnostics.push(diagnostic);
    }

    /// Tells of a rule for a tool that stands beside the key of the rules instead of below it.
    fn misplaced_rule(&self, key: &str, entry: &Entry) -> Option<Diagnostic> {
        let mut fields = self.rules.fields.iter();
        let field = fields.find(|field| RULES.contains(&field.target))?;
        let vocabulary = self.rules.known_words.tools?.vocabulary;
        let is_effect = |node: &Node| node.as_text().and_then(effect_of).is_some();
        let is_rule = match entry.value.as_map() {
            Some(map) => {
                let mut entries = map.entries.iter();
                !map.entries.is_empty() && entries.all(|entry| is_effect(&entry.value))
            }
            None => is_effect(&entry.value),
        };
        if !is_rule || !vocabulary.knows(key) {
            return None;
        }
        let title = self.dialect.title;
        let start = entry.key.span.start as usize;
        let before = self.bytes.get(..start).unwrap_or_default();
        let why = match before.ends_with(b"\t") {
            true => {
                format!("{title} takes no tab for indentation, so that this is a key of its own")
            }
            false => format!("{title} takes rules from `{}` alone", field.key),
        };
        let message = format!("the rule for `{key}` has no effect beside `{}`", field.key);
        let finding = Diagnostic::new(&rules::UNKNOWN_KEY, message)
            .at(entry.key.span)
            .because(why)
            .help(format!("indent it below `{}` with spaces", field.key))
            .about(field.target);
        Some(Diagnostic {
            severity: Severity::Warning,
            ..finding
        })
    }

    /// Notes what an unknown key was meant to set and sets nothing, also where it is kept as metadata.
    ///
    /// The right key beside it sets what it sets, but it denies only what it names itself.
    fn lose_meant_field(&mut self, meant: Option<&str>, entry: &Entry, map: &Mapping) {
        let mut fields = self.rules.fields.iter();
        let Some(field) = fields.find(|field| Some(field.key) == meant) else {
            return;
        };
        match map.get(field.key) {
            Some(right) if self.denies_more(field, entry, right) => {
                self.lost_parts.push(field.target);
            }
            Some(_) => {}
            None => {
                self.lost.push(field.target);
                if !limits(field.target, &entry.value) {
                    self.limited_nothing.push(field.target);
                }
            }
        }
    }

    /// Notes what the values deny that count for nothing, because their key stands again further
    /// down.
    fn lose_denials(&mut self, map: &Mapping) {
        let denied = map
            .overwritten
            .iter()
            .take(MOST_OF_A_RULE)
            .filter_map(|entry| {
                let key = entry.key.as_text()?;
                let field = self.field_of_key(key)?;
                let counts = map.get(key)?;
                self.denies_more(field, entry, counts)
                    .then_some(field.target)
            });
        let denied: Vec<FieldName> = denied.collect();
        self.lost_parts.extend(denied);
    }

    /// Returns whether what stands under one spelling of a key denies what the right one does not.
    fn denies_more(&self, field: &Field, entry: &Entry, right: &Entry) -> bool {
        let is_denial = field.target == FieldName::DISALLOWED_TOOLS;
        if !is_denial && !RULES.contains(&field.target) {
            return false;
        }
        // What another harness is told in its own words is not told to this one.
        let key = entry.key.as_text().unwrap_or_default();
        let is_slip = is_spelling(key, field.key) || !is_key_elsewhere(key);
        let read = |entry: &Entry| (field.read)(&entry.value, &mut Remarks::new(self.inputs));
        is_slip
            && match (read(entry), read(right)) {
                (Ok(Some(FieldValue::Names(more))), Ok(Some(FieldValue::Names(names)))) => {
                    let names: HashSet<&str> = names.iter().map(|it| it.text.as_str()).collect();
                    more.iter().any(|it| !names.contains(it.text.as_str()))
                }
                (Ok(Some(more)), Ok(right)) => right.is_none_or(|it| !it.same_content(&more)),
                _ => false,
            }
    }
}

impl Reading<'_> {
    /// Returns the key that was probably meant by one that is not known, where it could have an
    /// effect.
    fn meant_by(&self, entry: &Entry) -> Option<(&'static str, Likeness)> {
        if self.holds_anchor(entry) {
            return None;
        }
        let (ours, likeness) = meant_key(self.dialect, self.rules, entry.key.as_text()?)?;
        let mut fields = self.rules.fields.iter();
        let Some(field) = fields.find(|field| field.key == ours) else {
            // Of a key that gives no field here nothing but its spelling is known: one letter
            // too many or too few is a slip even so.
            let is_slip = entry.key.as_text()?.len().abs_diff(ours.len()) == 1;
            let is_meant = likeness == Likeness::Spelling || is_slip;
            return is_meant.then_some((ours, likeness));
        };
        // Where the body is the prompt, no key is.
        let is_prompt = self.body_is_prompt && field.target == FieldName::PROMPT;
        // Whose value has another form has another meaning, too.
        let is_slip = likeness != Likeness::Letters || self.fits(field, entry);
        // A list of maps describes tools, where words would name them.
        let items = entry.value.as_list().unwrap_or_default();
        let describes = items.iter().any(|item| item.as_map().is_some());
        let is_description = describes && TOOL_LISTS.contains(&field.target);
        (is_slip && !is_prompt && !is_description).then_some((ours, likeness))
    }

    /// Returns whether a value has an anchor: it may stand there for others alone.
    fn holds_anchor(&self, entry: &Entry) -> bool {
        let between = entry.key.span.end as usize..entry.value.span.start as usize;
        let between = self.bytes.get(between).unwrap_or_default();
        between.contains(&b'&')
    }

    fn fits(&self, field: &Field, entry: &Entry) -> bool {
        (field.read)(&entry.value, &mut Remarks::new(self.inputs)).is_ok()
    }
}

/// Tells of the keys that stand more than once in a map.
pub(crate) fn duplicates<'a>(
    title: &'a str,
    map: &'a Mapping,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let overwritten = map.overwritten.iter();
    overwritten.map(move |entry| duplicate(title, map, entry))
}

/// Tells of the keys that stand more than once in a value, however deep. What an alias stands for
/// is told where it is written, and only there: aliases of aliases are many.
pub(crate) fn duplicates_below(title: &str, value: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut left = vec![value];
    while let Some(node) = left.pop() {
        match &node.value {
            Value::Shared(written) if written.span == node.span => left.push(written),
            Value::Map(map) => {
                found.extend(duplicates(title, map));
                left.extend(map.entries.iter().rev().map(|entry| &entry.value));
            }
            Value::List(items) => left.extend(items.iter().rev()),
            _ => {}
        }
    }
    found
}

/// Tells of a key whose value counts for nothing, because the key stands again further down.
pub(crate) fn duplicate(title: &str, map: &Mapping, entry: &Entry) -> Diagnostic {
    let finding = Diagnostic::new(
        &rules::DUPLICATE_KEY,
        format!("`{}` stands more than once", key_text(&entry.key)),
    )
    .at(entry.key.span)
    .because(format!("{title} takes the last value without a word"))
    .help("keep one of them");
    let mut entries = map.entries.iter();
    match entries.find(|later| later.key.same_content(&entry.key)) {
        Some(again) => finding.and_at(again.value.span, "this value counts"),
        None => finding,
    }
}

/// How sure it is that one key is meant by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// The dialect lists it as a word of other harnesses for the same thing.
    Foreign,
    /// They differ in case, hyphens and underscores alone.
    Spelling,
    /// Most letters are the same.
    Letters,
}

/// Returns whether a field has a key.
pub(crate) fn is_known(rules: &ReadingRules, key: &str) -> bool {
    let mut fields = rules.fields.iter().flat_map(field_keys);
    fields.any(|known| known == key)
}

/// Returns the key that was probably meant by one that is not known.
pub(crate) fn meant_key(
    dialect: &Dialect,
    rules: &ReadingRules,
    key: &str,
) -> Option<(&'static str, Likeness)> {
    if rules.keys.unknown == UnknownKeys::NotOurs {
        return None;
    }
    let mut foreign = dialect.foreign_keys.iter();
    if let Some((_, ours)) = foreign.find(|(word, ours)| *word == key && is_known(rules, ours)) {
        return Some((ours, Likeness::Foreign));
    }
    if let Some(ours) = meant_denial(rules, key) {
        return Some((ours, Likeness::Foreign));
    }
    let mut others = rules.keys.effective.iter().copied();
    let spelled = others.find(|known| is_spelling(key, known));
    let ours = match spelled {
        Some(known) => known,
        None => {
            let effective = rules.keys.effective.iter().copied();
            nearest(
                key,
                rules.fields.iter().map(|field| field.key).chain(effective),
            )?
        }
    };
    // An old key is near to another one that should be written now.
    let newer = |ours: &'static str| {
        let mut foreign = dialect.foreign_keys.iter();
        let newer = foreign.find(|(old, new)| *old == ours && is_known(rules, new));
        newer.map_or(ours, |(_, new)| new)
    };
    match is_spelling(key, ours) {
        true => Some((newer(ours), Likeness::Spelling)),
        // What another harness calls so is no slip of the pen, but one thing and several of it are
        // easily mixed up.
        false if is_key_elsewhere(key) && !is_plural(key, ours) => None,
        false => Some((newer(ours), Likeness::Letters)),
    }
}

/// Returns whether one of two words is the plural of the other.
fn is_plural(one: &str, other: &str) -> bool {
    let is_more = |one: &str, more: &str| more.strip_suffix('s') == Some(one);
    is_more(one, other) || is_more(other, one)
}

/// A key by which another version of a harness limits an agent.
#[derive(Clone, Copy)]
struct VersionLimit {
    key: &'static str,
    field: FieldName,
    version: &'static str,
}

/// Returns which limit a key is in another version of a harness, or nearly is.
fn limit_of_version(dialect: &Dialect, key: &str) -> Option<VersionLimit> {
    let limits = || {
        let profiles = dialect.profiles.iter();
        let fields = profiles.flat_map(|profile| {
            let fields = profile.rules.reading.fields.iter();
            fields.map(|field| (field, profile.id))
        });
        let limits = fields.filter(|(field, _)| LIMITS.contains(&field.target));
        limits.flat_map(|(field, version)| {
            field_keys(field).map(move |key| VersionLimit {
                key,
                field: field.target,
                version,
            })
        })
    };
    let mut foreign = dialect.foreign_keys.iter();
    let meant = match foreign.find(|(word, _)| *word == key) {
        Some((_, ours)) => ours,
        None if is_key_elsewhere(key) => key,
        None => nearest(key, limits().map(|limit| limit.key))?,
    };
    limits().find(|limit| limit.key == meant)
}

/// Returns whether a key is rather the beginning of a sentence.
pub(crate) fn is_prose(key: &str) -> bool {
    key.split_whitespace().count() > 2
}

fn is_key_elsewhere(key: &str) -> bool {
    let profiles = dialects::ALL.iter().flat_map(|dialect| dialect.profiles);
    let mut rules = profiles.map(|profile| &profile.rules.reading);
    rules.any(|rules| is_known(rules, key))
}

/// The other harnesses that have a key, and other readers of the same dialect.
#[derive(Default)]
struct Elsewhere {
    /// The first profile of another program of the dialect that has it.
    profile: Option<&'static str>,
    titles: Vec<&'static str>,
    /// The harnesses whose skills have it, where this is no skill.
    of_skills: Vec<&'static str>,
    /// What one of the other harnesses limits by it, if it limits what an agent may do.
    limit: Option<FieldName>,
    /// Whether another reader of the dialect has it.
    is_own: bool,
}

/// Finds out who else has a key, in files of agents or of skills.
fn keys_elsewhere(own: &Dialect, rules: &ReadingRules, key: &str) -> Elsewhere {
    let mut found = Elsewhere::default();
    let program = program_of(own, rules);
    let others = own.profiles.iter();
    let others = others.filter(|profile| program.is_some_and(|it| it != profile.program));
    for profile in others.filter(|profile| is_known(&profile.rules.reading, key)) {
        found.is_own = true;
        found.profile.get_or_insert(profile.id);
        if !found.titles.contains(&profile.program) {
            found.titles.push(profile.program);
        }
    }
    // The rules for skills are those of no program.
    let is_skill = program.is_none();
    for dialect in dialects::ALL {
        let profiles = dialect.profiles.iter();
        let mut skills = profiles
            .clone()
            .filter_map(|profile| profile.rules.skills.file_reading());
        let has_skills_with =
            skills.any(|rules| is_known(rules, key) || rules.keys.effective.contains(&key));
        let mut fields = profiles.flat_map(|profile| profile.rules.reading.fields);
        let known = fields.find(|field| field_keys(field).any(|known| known == key));
        let is_other = dialect.id != own.id;
        if is_other && (known.is_some() || is_skill && has_skills_with) {
            found.titles.push(dialect.title);
            let limit = known.map(|field| field.target);
            let limit = limit.filter(|it| LIMITS.contains(it));
            // A field that is called like the key says best what is lost.
            let is_called_so = |it: &FieldName| it.as_str() == key;
            found.limit = limit.filter(is_called_so).or(found.limit).or(limit);
        } else if has_skills_with && !is_skill {
            found.of_skills.push(dialect.title);
        }
    }
    found
}

/// Returns the program whose rules these are.
fn program_of(own: &Dialect, rules: &ReadingRules) -> Option<&'static str> {
    let mut profiles = own.profiles.iter();
    let own = profiles.find(|profile| std::ptr::eq(&profile.rules.reading, rules));
    own.map(|profile| profile.program)
}

impl Elsewhere {
    /// Says whose key it is.
    fn whose(&self, key: &str) -> Option<String> {
        const MOST_NAMED: usize = 3;
        let (what, titles) = match self.titles.as_slice() {
            [] => ("skills of ", self.of_skills.as_slice()),
            titles => ("", titles),
        };
        let titles = &titles[..titles.len().min(MOST_NAMED)];
        // The only other reader is probably the one for which the file is written.
        let profile = match (titles, self.profile) {
            ([title], Some(profile)) if !title.starts_with(profile) => {
                format!(", profile `{profile}`")
            }
            _ => String::new(),
        };
        (!titles.is_empty())
            .then(|| format!("`{key}` is a key of {what}{}{profile}", and_list(titles)))
    }

    /// Says whose key it is not: where another reader of the dialect has it, which reader has not.
    fn of_own(&self, own: &Dialect, rules: &ReadingRules) -> String {
        match program_of(own, rules).filter(|_| self.is_own) {
            Some(program) => format!("{} ({program})", own.title),
            None => own.title.to_owned(),
        }
    }
}
