//! How much of the model's attention the descriptions of all agents take.

use agent_schema::dialect::LookupRules;
use agent_schema::{Definition, Diagnostic, FieldName, FieldValue, Related, rules};

use crate::entry::{Entry, State};
use crate::in_order::in_order;

/// About how many characters make a token.
const CHARACTERS_OF_A_TOKEN: usize = 4;

/// How many of the longest descriptions are shown beside the longest.
const SHOWN: usize = 4;

/// Notes descriptions that are longer together than the harness likes, at the longest.
pub(crate) fn note_budget(title: &str, lookup: &LookupRules, entries: &mut [Entry]) {
    let Some(budget) = lookup.description_budget else {
        return;
    };
    let told = in_order(entries, |entry| {
        let definition = entry
            .definition()
            .filter(|definition| entry.state == State::Active && !(lookup.untold)(definition))?;
        Some(told_length(definition))
    });
    let told = told.into_iter().enumerate();
    let told = told.filter_map(|(index, length)| Some((index, length?)));
    let mut lengths: Vec<(usize, usize)> = told.collect();
    let all: usize = lengths.iter().map(|(_, length)| length).sum();
    let tokens = all / CHARACTERS_OF_A_TOKEN;
    if tokens <= budget {
        return;
    }
    lengths.sort_by_key(|(index, length)| (std::cmp::Reverse(*length), *index));
    let Some((&(longest, length), others)) = lengths.split_first() else {
        return;
    };
    let mut diagnostic = Diagnostic::new(
        &rules::DESCRIPTION_BUDGET,
        format!(
            "the descriptions of {} agents take about {tokens} tokens; this one is the longest",
            lengths.len()
        ),
    )
    .because(format!(
        "{title} tells the model every description and complains above {budget} tokens; this is an \
         estimate with {CHARACTERS_OF_A_TOKEN} characters for a token, about {} for this agent",
        length / CHARACTERS_OF_A_TOKEN
    ))
    .help("shorten the longest descriptions, or take agents away that this project does not need")
    .about(FieldName::DESCRIPTION);
    diagnostic.span = entries[longest]
        .definition()
        .and_then(|definition| definition.place(FieldName::DESCRIPTION))
        .map(|place| place.value);
    diagnostic.related = others
        .iter()
        .take(SHOWN)
        .map(|&(index, length)| Related {
            file: Some(entries[index].source.reported.clone()),
            span: entries[index]
                .definition()
                .and_then(|definition| definition.place(FieldName::DESCRIPTION))
                .map(|place| place.value),
            message: format!("about {} tokens", length / CHARACTERS_OF_A_TOKEN),
        })
        .collect();
    entries[longest].diagnostics.push(diagnostic);
}

/// Returns how many characters of a definition the model is told while it chooses.
fn told_length(definition: &Definition) -> usize {
    let described = match definition.field(FieldName::DESCRIPTION).map(|it| &it.value) {
        Some(FieldValue::Text(text)) => text.characters(),
        _ => 0,
    };
    definition.name().chars().count() + described
}
