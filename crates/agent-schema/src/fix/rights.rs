//! Whether a change gives an agent more rights than it had.

use crate::definition::{Definition, FieldName, FieldValue};
use crate::dialect::{Profile, ToolDecision};
use crate::effects;
use crate::finish::Resolve;
use crate::outcome::Parsed;
use crate::parse::RESTRICTING_MODES;

use super::Patient;
use super::tree::readable;

/// Fields that may give rights, whatever they hold.
const GRANTING: [FieldName; 4] = [
    FieldName::PERMISSION_MODE,
    FieldName::MCP_SERVERS,
    FieldName::HOOKS,
    FieldName::of_dialect("allowed_tools"),
];

impl Patient<'_> {
    /// Returns whether an agent may do more afterwards, as far as the fields tell. A file that was
    /// passed over gives what is written in it.
    pub(super) fn widens_rights(&self, after: &Parsed) -> bool {
        let (Some(before), Some(after)) = (readable(self.parsed), readable(after)) else {
            return false;
        };
        let adding = self.profile();
        let adding = adding.and_then(|profile| profile.rules.factory.tools?.adding);
        let adding = adding.map(|adding| adding.field);
        let mut granting = GRANTING.into_iter().chain(adding);
        granting.any(|field| is_granted(before, after, field))
            || self.rules_go_further(before, after)
            || self.has_more_tools(before, after)
            || self.denies_fewer(before, after)
    }

    /// Returns the profile whose rules are read by, or else the newest.
    pub(super) fn profile(&self) -> Option<&Profile> {
        let mut profiles = self.dialect.profiles.iter();
        let own = profiles.find(|profile| std::ptr::eq(&profile.rules.reading, self.rules));
        own.or(self.dialect.profiles.first())
    }

    /// Returns whether the permissions may let something happen that they did not before. Where the
    /// harness has rules for whatever is not written, what it lets happen anyway is no more.
    fn rules_go_further(&self, before: &Definition, after: &Definition) -> bool {
        if is_same(before, after, FieldName::PERMISSION) && is_same(before, after, FieldName::TOOLS)
        {
            return false;
        }
        let (before, after) = (self.rules_in_force(before), self.rules_in_force(after));
        let has_rules = |profile: &&Profile| {
            let decision = profile.rules.factory.start.tools;
            matches!(decision, ToolDecision::Effects(_)) && !self.is_builtin(profile, &after)
        };
        match self.profile().filter(has_rules) {
            Some(profile) => effects::may_do_more(&after, &before, profile),
            None => allows(&after) && !is_same(&before, &after, FieldName::PERMISSION),
        }
    }

    /// Returns whether the harness brings an agent of this name itself, to which a file only adds.
    fn is_builtin(&self, profile: &Profile, definition: &Definition) -> bool {
        let names = [FieldName::NAME, FieldName::KEY].map(|field| definition.text(field));
        let mut builtins = profile.rules.agents.builtins.iter();
        builtins.any(|agent| agent.name == self.stem || names.contains(&Some(agent.name)))
    }

    /// Returns a definition with what follows from it if no other source adds to it.
    pub(super) fn rules_in_force(&self, definition: &Definition) -> Definition {
        let mut definition = definition.clone();
        (self.rules.resolve)(&mut Resolve {
            definition: &mut definition,
            is_builtin: false,
            for_all: None,
            findings: Vec::new(),
            skip: None,
        });
        definition
    }

    /// Returns whether a written list of tools became one with others, or with all. A name that was
    /// part of a longer one was written there, and so was one that no tool has and another harness
    /// does: an agent that is not started for it had no tools at all. Of a value that is lost
    /// nothing counts, and what is written in it is not more.
    fn has_more_tools(&self, before: &Definition, after: &Definition) -> bool {
        let tools = |definition: &Definition| definition.field(FieldName::TOOLS).cloned();
        let Some(known) = tools(before).filter(|tools| tools.place.is_some()) else {
            return false;
        };
        let FieldValue::Names(known) = known.value else {
            return false;
        };
        let is_lost = known.is_empty() && self.parsed.lost.contains(&FieldName::TOOLS);
        match tools(after).map(|tools| tools.value) {
            Some(FieldValue::Names(_)) if is_lost => false,
            Some(FieldValue::Names(names)) => names.iter().any(|name| {
                let mut known = known.iter();
                !known.any(|known| {
                    known.text.contains(&name.text) || self.is_refused_for(&known.text, &name.text)
                })
            }),
            _ => true,
        }
    }

    /// Returns whether a tool is denied no longer. To deny what the harness does not have denies
    /// nothing, and a tool may be denied under a better spelling of its name.
    pub(super) fn denies_fewer(&self, before: &Definition, after: &Definition) -> bool {
        let tools = self.profile();
        let tools = tools.and_then(|profile| profile.rules.factory.tools);
        let denied = after.names(FieldName::DISALLOWED_TOOLS);
        let is_kept = |known: &str| {
            let mut denied = denied.iter();
            denied.any(|name| crate::suggest::is_spelling(&name.text, known))
        };
        let words = self.rules.known_words.tools.filter(|words| words.closed);
        // A name that holds what was meant as a comment is that of no tool.
        let exists = |known: &str| {
            !known.contains(" #")
                && tools.is_none_or(|tools| !tools.is_retired(known))
                && words.is_none_or(|words| words.is_known(known))
        };
        let mut known = before.names(FieldName::DISALLOWED_TOOLS).iter();
        known.any(|known| exists(&known.text) && !is_kept(&known.text))
    }
}

fn is_same(before: &Definition, after: &Definition, field: FieldName) -> bool {
    match (before.field(field), after.field(field)) {
        (Some(before), Some(after)) => before.value.same_content(&after.value),
        (before, after) => before.is_none() && after.is_none(),
    }
}

fn is_granted(before: &Definition, after: &Definition, field: FieldName) -> bool {
    let word = after.text(field).unwrap_or_default();
    let is_new = after.field(field).is_some() && !is_same(before, after, field);
    is_new && !RESTRICTING_MODES.contains(&word)
}

/// Returns whether the permissions of a definition allow anything.
fn allows(definition: &Definition) -> bool {
    let fields = [FieldName::PERMISSION, FieldName::of_dialect("permissions")];
    let mut written = fields
        .into_iter()
        .filter_map(|field| definition.config(field));
    written.any(effects::allows)
}
