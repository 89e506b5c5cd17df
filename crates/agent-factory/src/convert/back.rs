//! The way back: what was written is converted to the harness of the source, in memory, and
//! compared with what its author wrote.

use std::sync::Arc;

use agent_schema::vocabulary::{Subject, Tool};
use agent_schema::writing::{Effect, effect_word};
use agent_schema::{Definition, Fate, FieldName, Outcome, Parsed, Severity};

use super::fields::{self, Draft};
use super::meaning::{Meaning, meanings};
use super::models::Model;
use super::{Agent, ConvertOptions, LossCode, Notes, Reader, access, text};
use crate::difference::{Compared, differences_in_rights};
use crate::rights::{Rights, View};

/// Lists the differences that are not listed yet.
pub(crate) fn check(
    agent: &Agent<'_>,
    definition: &Definition,
    draft: &Draft,
    read: &Definition,
    to: Reader,
    options: ConvertOptions<'_>,
    notes: &mut Notes,
) {
    let parsed = Parsed {
        outcome: Outcome::Loaded(Arc::new(read.clone())),
        fate: Fate::Loaded,
        lost: Vec::new(),
        rights_widened: false,
        diagnostics: Vec::new(),
    };
    let returned = Agent {
        prompt: Some(draft.prompt.clone()),
        ..Agent::new(draft.named.name.clone(), to, &[], parsed)
    };
    let mut silent = Notes::default();
    let back_again = options
        .models
        .iter()
        .map(|(from, to)| (to.clone(), from.clone()));
    let models: Vec<(String, String)> = back_again.collect();
    let options = ConvertOptions::default().models(&models);
    let back = fields::draft(&returned, read, agent.from, options, &mut silent)
        .and_then(|draft| text::settle(&returned, draft, agent.from, &mut silent));
    let back = match back {
        Ok((_, back)) => back,
        Err(refusal) => {
            if notes.losses.is_empty() {
                let message = format!(
                    "it cannot be converted back to {}: {}",
                    agent.from.title(),
                    refusal.message
                );
                let field = refusal
                    .field
                    .unwrap_or_else(|| FieldName::TOOLS.to_string());
                notes.lose(LossCode::NoWayBack, field, Severity::Info, None, message);
            }
            return;
        }
    };
    let said = Rights::of(read, &to.writing().access, View::Meant);
    let heard = Rights::of(&back, &agent.from.writing().access, View::Effective);
    access::list_losses(&returned, &said, &heard, agent.from, &mut silent);
    compare_fields(agent, definition, &back, notes);
    compare_rights(agent, definition, &back, to, &silent, notes);
}

/// Lists the rights that differ although nothing was said of them: a limit of what nobody gains a
/// right by may get lost without a word.
pub(crate) fn list_other_rights(
    agent: &Agent<'_>,
    definition: &Definition,
    read: &Definition,
    to: Reader,
    notes: &mut Notes,
) {
    let compared = |reader, definition| Compared {
        reader,
        definition,
        name: &agent.name,
        prompt: None,
    };
    for found in differences_in_rights(compared(agent.from, definition), compared(to, read)) {
        let (Some(here), Some(there)) = (found.left, found.right) else {
            continue;
        };
        let message = format!(
            "`{}` is `{}` here and `{}` in {}",
            found.field,
            here.text,
            there.text,
            to.title()
        );
        notes.lose(
            LossCode::ReadOtherwise,
            FieldName::TOOLS.as_str(),
            Severity::Warning,
            here.span,
            message,
        );
    }
}

fn compare_fields(
    agent: &Agent<'_>,
    definition: &Definition,
    back: &Definition,
    notes: &mut Notes,
) {
    let inherit = agent.from.profile.rules.factory.inherit_words;
    let writing = agent.from.writing();
    let returned = meanings(back, writing, inherit);
    for meant in meanings(definition, writing, inherit) {
        let came_back = returned
            .iter()
            .find(|other| other.known_as == meant.known_as);
        let same = match came_back {
            Some(other) => other.meaning == meant.meaning,
            None => match &meant.meaning {
                Meaning::Flag(false) | Meaning::Model(Model::Inherited) => true,
                Meaning::Names(names) => names.is_empty(),
                Meaning::Text(text) => text.trim().is_empty(),
                _ => false,
            },
        };
        let field = meant.field.as_str();
        if !same && !notes.has_loss_of(field) {
            let key = agent.key_of(meant.field);
            let message = format!("`{key}` would come back otherwise than it is written");
            notes.lose(
                LossCode::ComesBackOtherwise,
                field,
                Severity::Warning,
                fields::span_of(meant.value),
                message,
            );
        }
    }
}

fn compare_rights(
    agent: &Agent<'_>,
    definition: &Definition,
    back: &Definition,
    to: Reader,
    silent: &Notes,
    notes: &mut Notes,
) {
    let rules = &agent.from.writing().access;
    let meant = Rights::of(definition, rules, View::Meant);
    let returned = Rights::of(back, rules, View::Meant);
    let guarded = [
        FieldName::TOOLS.as_str(),
        FieldName::PERMISSION_MODE.as_str(),
    ];
    // What the way back cannot say is no loss of the way there.
    let told = |notes: &Notes| guarded.iter().any(|field| notes.has_loss_of(field));
    if told(notes) || told(silent) {
        return;
    }
    let vocabulary = rules.vocabulary;
    let tools = Tool::ALL.into_iter().filter(|tool| vocabulary.has(*tool));
    let differs = |tool: &Tool| {
        let subject = Subject::Tool(*tool);
        let (one, other) = (meant.right(&subject), returned.right(&subject));
        let word = |effect: Effect| effect_word(effect);
        word(one.effect) != word(other.effect) || one.patterns != other.patterns
    };
    let changed: Vec<&str> = tools.filter(differs).map(Tool::as_str).collect();
    if !changed.is_empty() {
        let message = format!(
            "{} has no way to say what comes back as it was about {}",
            to.title(),
            changed.join(", ")
        );
        let span = access::limit_span(definition, rules);
        let field = FieldName::TOOLS.as_str();
        notes.lose(
            LossCode::ComesBackOtherwise,
            field,
            Severity::Warning,
            span,
            message,
        );
    }
}
