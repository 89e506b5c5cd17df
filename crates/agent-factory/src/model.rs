//! Which model an agent runs with: a variable, the call, the definition, or the parent's.

use std::path::PathBuf;

use agent_schema::dialect::{InheritInVariable, ModelFrom, ModelNames};
use agent_schema::{Definition, Dialect, FieldName, Profile};

use crate::catalog::ModelAnswer;
use crate::config::Model;
use crate::error::FactoryError;
use crate::left_out::{LeftOut, Reason};
use crate::provenance::{Provenance, Sourced};
use crate::start::Start;

/// The model of an agent, with what was asked for in vain.
pub(crate) struct Chosen {
    pub(crate) model: Sourced<Model>,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) harness_would_create: Vec<PathBuf>,
}

/// Goes through the places that may name a model, strongest first.
///
/// # Errors
/// If the harness takes models from stored profiles and there is no usable one of this name.
pub(crate) fn choose(
    definition: &Definition,
    dialect: &Dialect,
    profile: &Profile,
    start: &Start<'_>,
) -> Result<Chosen, FactoryError> {
    let factory = &profile.rules.factory;
    let inherits = |word: &str| {
        let word = word.trim();
        // The word for the parent's model is taken in any case where words are.
        factory
            .inherit_words
            .iter()
            .any(|known| match factory.model_words {
                Some(_) => known.eq_ignore_ascii_case(word),
                None => *known == word,
            })
    };
    let written = Provenance::of(definition, FieldName::MODEL, Provenance::Default);
    let mut left_out = Vec::new();
    let mut chosen: Option<Sourced<String>> = None;
    for source in factory.start.model_from {
        let (text, from) = match *source {
            ModelFrom::Variable { name, inherit } => {
                let Some(text) = (start.variables)(name).filter(|text| !text.is_empty()) else {
                    continue;
                };
                if inherits(&text) && inherit == InheritInVariable::Unset {
                    continue;
                }
                let name = name.to_owned();
                (text, Provenance::Variable { name })
            }
            ModelFrom::Call => match start.model_of_call {
                Some(text) => (text.to_owned(), Provenance::Call),
                None => continue,
            },
            ModelFrom::Definition => match definition.model() {
                Some(text) => (text.to_owned(), written.clone()),
                None => continue,
            },
        };
        match &chosen {
            None => chosen = Some(Sourced::new(text, from)),
            Some(first) if first.value != text && matches!(from, Provenance::Definition { .. }) => {
                left_out.push(LeftOut {
                    field: FieldName::MODEL,
                    what: text,
                    why: Reason::Overruled,
                    from,
                });
            }
            Some(_) => {}
        }
    }
    let parents = |from| Chosen {
        model: Sourced::new(Model::Parent, from),
        left_out: Vec::new(),
        harness_would_create: Vec::new(),
    };
    let Some(chosen) = chosen else {
        return Ok(parents(written));
    };
    if inherits(&chosen.value) {
        return Ok(Chosen {
            left_out,
            ..parents(chosen.from)
        });
    }
    if factory.model_names == ModelNames::Profiles {
        let store = definition.text(FieldName::PROFILE_STORE_DIR);
        let ModelAnswer {
            found,
            harness_would_create,
        } = start.models.look_up(&chosen.value, store);
        return match found {
            Ok(profile) => Ok(Chosen {
                model: Sourced::new(Model::Profile(profile), chosen.from),
                left_out,
                harness_would_create,
            }),
            Err(trouble) => {
                Err(
                    FactoryError::model(definition, dialect, trouble, factory.inherit_words)
                        .creating(&harness_would_create),
                )
            }
        };
    }
    let named = named(profile, start, chosen);
    if let Some(allowed) = start.allowed_models
        && !allowed.contains(&named.value.as_str())
    {
        left_out.push(LeftOut {
            field: FieldName::MODEL,
            what: named.value,
            why: Reason::Forbidden,
            from: named.from,
        });
        return Ok(Chosen {
            left_out,
            ..parents(Provenance::Parent)
        });
    }
    Ok(Chosen {
        model: Sourced::new(Model::Named(named.value), named.from),
        left_out,
        harness_would_create: Vec::new(),
    })
}

/// Puts the model in the place of a word that a variable gives a meaning.
fn named(profile: &Profile, start: &Start<'_>, chosen: Sourced<String>) -> Sourced<String> {
    let words = profile.rules.factory.start.word_variables.iter();
    let word = chosen.value.trim();
    let mut meanings = words.filter(|(known, _)| known.eq_ignore_ascii_case(word));
    let meaning = meanings.find_map(|(_, variable)| {
        let model = (start.variables)(variable).filter(|model| !model.is_empty())?;
        let name = (*variable).to_owned();
        Some(Sourced::new(model, Provenance::Variable { name }))
    });
    meaning.unwrap_or(chosen)
}
