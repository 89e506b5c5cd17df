//! Models: what a word for one means, what it is called elsewhere, and what people want it to be
//! called.

use std::fmt;

use agent_schema::foreign_words::seller;
use agent_schema::writing::{ModelForm, ModelWord};
use agent_schema::{Definition, FieldName, FieldValue, Severity, Span};

use super::fields::Made;
use super::meaning::{Meaning, Meant, text_node};
use super::{Agent, LossCode, Notes, Reader};

/// The word with which people say that the parent's model is meant, whether a harness has such a
/// word or not.
const INHERIT: &str = "inherit";

/// What a word for a model means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Model {
    /// The parent's.
    Inherited,
    /// One of a family.
    Family(String),
    /// One by its name.
    Named(ModelName),
    /// One that somebody keeps under a name of their own.
    Stored(String),
}

/// A model by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelName {
    /// The provider, if it is known.
    provider: Option<String>,
    name: String,
    /// Which variant of it is meant.
    variant: Option<String>,
}

/// What a model is called in a harness.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Called {
    word: String,
    /// The variant for which there is no word.
    without: Option<String>,
}

impl Model {
    /// Returns whether both are one model, as far as it is known whose it is.
    pub(crate) fn is_same(&self, other: &Model) -> bool {
        match (self, other) {
            (Model::Named(one), Model::Named(other)) => {
                let unknown = one.provider.is_none() || other.provider.is_none();
                one.name == other.name
                    && one.variant == other.variant
                    && (unknown || one.provider == other.provider)
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Model::Inherited => f.write_str("the parent's"),
            Model::Family(name) | Model::Stored(name) => f.write_str(name),
            Model::Named(model) => {
                if let Some(provider) = &model.provider {
                    write!(f, "{provider}/")?;
                }
                f.write_str(&model.name)?;
                match &model.variant {
                    Some(variant) => write!(f, " ({variant})"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// Reads a word for a model.
pub(crate) fn model(text: &str, form: &ModelForm, inherit_words: &[&str]) -> Model {
    let word = text.trim().to_lowercase();
    if word.is_empty()
        || form.inherit == Some(word.as_str())
        || inherit_words.contains(&word.as_str())
    {
        return Model::Inherited;
    }
    if form.families.contains(&word.as_str()) {
        return Model::Family(word);
    }
    let split = form.variant.and_then(|form| form.split(text));
    let (text, variant) = match split {
        Some((name, variant)) => (name, Some(variant)),
        None => (text, None),
    };
    let named = |provider: Option<&str>, name: &str| {
        Model::Named(ModelName {
            provider: provider.map(str::to_owned),
            name: name.to_owned(),
            variant: variant.map(str::to_owned),
        })
    };
    let parts = text
        .split_once('/')
        .filter(|(provider, name)| !provider.is_empty() && !name.is_empty());
    match (form.names, parts) {
        (ModelWord::OfProvider { provider, prefix }, _) if text.starts_with(prefix) => {
            named(Some(provider), text)
        }
        (ModelWord::ProviderAndName | ModelWord::AnyName, Some((provider, name))) => {
            named(Some(provider), name)
        }
        (ModelWord::AnyName, None) => named(None, text),
        _ => Model::Stored(text.to_owned()),
    }
}

/// Returns what a model is called; nothing if it cannot be said.
fn called(model: &Model, from: &ModelForm, to: &ModelForm) -> Option<Called> {
    let plain = |word: String| Called {
        word,
        without: None,
    };
    match model {
        Model::Inherited => to.inherit.map(str::to_owned).map(plain),
        Model::Family(word) => {
            let has = to.families.contains(&word.as_str());
            has.then(|| plain(word.clone()))
        }
        Model::Named(model) => {
            let word = model.word(to)?;
            let alike = from.variant.filter(|form| to.variant == Some(*form));
            Some(match (&model.variant, alike) {
                (None, _) => plain(word),
                (Some(variant), Some(form)) => plain(form.join(&word, variant)),
                (Some(variant), None) => Called {
                    word,
                    without: Some(variant.clone()),
                },
            })
        }
        Model::Stored(name) => (from == to).then(|| plain(name.clone())),
    }
}

impl ModelName {
    /// Returns the word for it without a variant.
    fn word(&self, to: &ModelForm) -> Option<String> {
        let ModelName { provider, name, .. } = self;
        let with_provider = |provider: &str| format!("{provider}/{name}");
        match to.names {
            ModelWord::OfProvider {
                provider: own,
                prefix,
            } => {
                let fits = provider.as_ref().is_none_or(|provider| provider == own);
                (fits && name.starts_with(prefix)).then(|| name.clone())
            }
            ModelWord::ProviderAndName => {
                let provider = provider.as_deref().or_else(|| seller(name));
                provider.map(with_provider)
            }
            ModelWord::AnyName => Some(match provider {
                Some(provider) => with_provider(provider),
                None => name.clone(),
            }),
            ModelWord::Stored => None,
        }
    }
}

/// Calls a model as people want it to be called: (the word of the source, the word there).
pub(crate) fn call(meant: &mut Meant<'_>, wishes: &[(String, String)], to: Reader) {
    let Some(wish) = wish(meant.field, &meant.value.value, wishes) else {
        return;
    };
    let inherit = to.profile.rules.factory.inherit_words;
    meant.meaning = Meaning::Model(match wish.trim().eq_ignore_ascii_case(INHERIT) {
        true => Model::Inherited,
        false => model(wish, &to.writing().models, inherit),
    });
    if !matches!(meant.meaning, Meaning::Model(Model::Inherited)) {
        meant.called = Some(wish.to_owned());
    }
}

/// Puts the word that people want for the model of an agent into the text of its file, for its own
/// harness. Returns the word, if there is one; nothing at all if that cannot be done.
pub(crate) fn put_in<'w>(
    definition: &Definition,
    wishes: &'w [(String, String)],
    to: Reader,
    text: &mut String,
    notes: &mut Notes,
) -> Option<Option<&'w str>> {
    let field = FieldName::MODEL;
    let model = definition.field(field);
    let wished = model.and_then(|model| Some((model, wish(field, &model.value, wishes)?)));
    let Some((model, word)) = wished else {
        return Some(None);
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let starts_well = word.starts_with(|c: char| c.is_ascii_alphabetic());
    if !starts_well || !word.chars().all(is_plain) || wrong(word, to).is_some() {
        return None;
    }
    let at = model.place?.value;
    let range = at.start as usize..at.end as usize;
    let written = text.get(range.clone())?.to_owned();
    text.replace_range(range, word);
    notes.change(
        field.as_str(),
        Some(at),
        format!(
            "model `{}` is called `{word}`",
            written.trim_matches(['"', '\''])
        ),
    );
    Some(Some(word))
}

fn wish<'w>(
    field: FieldName,
    value: &FieldValue,
    wishes: &'w [(String, String)],
) -> Option<&'w str> {
    let FieldValue::Text(text) = value else {
        return None;
    };
    let about = |(from, _): &&(String, String)| from.trim().eq_ignore_ascii_case(text.trim());
    let wish = wishes
        .iter()
        .filter(|_| field == FieldName::MODEL)
        .find(about);
    wish.map(|(_, to)| to.as_str())
}

/// Writes the word for a model.
pub(crate) fn made(
    model: &Model,
    meant: &Meant<'_>,
    agent: &Agent<'_>,
    to: Reader,
    notes: &mut Notes,
) -> Made {
    let title = to.title();
    let span = meant.value.place.map(|place| place.value);
    let field = meant.field.as_str();
    let written = match &meant.value.value {
        FieldValue::Text(text) => text.as_str(),
        _ => "",
    };
    let word = match &meant.called {
        Some(word) => match wrong(word, to) {
            Some(complaint) => {
                return Made::Lost(format!("`{word}` is no model in {title}: it {complaint}"));
            }
            None => Some(word.clone()),
        },
        None => {
            let called = called(model, &agent.from.writing().models, &to.writing().models);
            if let Some(variant) = called.as_ref().and_then(|called| called.without.as_ref()) {
                lose_variant(variant, field, span, title, notes);
            }
            called.map(|called| called.word)
        }
    };
    match (word, model) {
        (Some(word), _) => {
            if written != word {
                let message = format!("model `{written}` is called `{word}`");
                notes.change(field, span, message);
            }
            Made::Value(text_node(&word, Span::default()))
        }
        (None, Model::Inherited) => {
            if !written.trim().is_empty() && !written.trim().eq_ignore_ascii_case(INHERIT) {
                let message = format!("model `{written}` is left out, so that the parent's counts");
                notes.change(field, span, message);
            }
            Made::Nothing
        }
        (None, Model::Family(word)) => Made::Lost(format!(
            "{title} has no word for the newest `{word}`; without a model the parent's counts"
        )),
        (None, Model::Named(_) | Model::Stored(_)) => Made::Lost(format!(
            "{title} cannot be told to use `{written}`; without a model the parent's counts"
        )),
    }
}

/// Returns what the harness holds against a word for a model, if it is known to be none.
fn wrong(word: &str, to: Reader) -> Option<String> {
    let form = &to.writing().models;
    let wants_provider = form.names == ModelWord::ProviderAndName;
    if wants_provider && matches!(model(word, form, &[]), Model::Stored(_)) {
        return Some("has no provider before a slash".to_owned());
    }
    let known = to.profile.rules.reading.known_words.models?;
    if known.words.contains(&word.to_lowercase().as_str()) {
        return None;
    }
    (known.wrong)(word).map(|wrong| wrong.complaint)
}

fn lose_variant(variant: &str, field: &str, span: Option<Span>, title: &str, notes: &mut Notes) {
    let message = format!("{title} has no word for the variant `{variant}` of a model");
    notes.lose(LossCode::NoValue, field, Severity::Warning, span, message);
}
