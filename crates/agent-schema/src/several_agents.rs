//! How many agents of one file are read, and how much is told of each: files that hold several are
//! the only ones in which a few bytes make an agent, with all that is kept and told of it.

use crate::diagnostic::Diagnostic;
use crate::limits::{Limit, Limits};
use crate::outcome::Parsed;
use crate::rules;
use crate::value::Mapping;

/// The findings of the agents of one file after which only the first of each rule is told of a
/// further one.
const MANY_FINDINGS: usize = 1_000;

/// Tells of maps that hold more agents than are read of a file.
pub(crate) fn too_many_agents<'n>(
    maps: impl IntoIterator<Item = &'n Mapping>,
    limits: &Limits,
) -> Option<Diagnostic> {
    let most = limits.of(Limit::Agents);
    let mut agents = maps.into_iter().flat_map(|map| &map.entries);
    let first_too_many = agents.nth(most)?;
    let finding = Diagnostic::new(
        &rules::LIMIT_EXCEEDED,
        format!("the file holds more than {most} agents"),
    );
    let finding = finding.at(first_too_many.key.span);
    let finding = finding.because("a limit of agentry, so that no file can fill the memory");
    Some(finding.help("write fewer agents into the file"))
}

/// How many findings are told of the agents of one file.
pub(crate) struct Budget {
    limits: Limits,
    told: usize,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Budget {
            limits: *limits,
            told: 0,
        }
    }

    /// Returns the limits for the next agent.
    pub(crate) fn limits(&self) -> Limits {
        match self.told < MANY_FINDINGS {
            true => self.limits,
            false => self.limits.at_most(Limit::Findings, 1),
        }
    }

    /// Counts what is told of an agent.
    pub(crate) fn count(&mut self, parsed: &Parsed) {
        self.told += parsed.diagnostics.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Holds, SettingsRules};
    use crate::dialects::OPENCODE;
    use crate::settings::{ParsedSettings, parse_settings};
    use crate::text::MappedText;

    fn rules() -> &'static SettingsRules {
        let places = OPENCODE.default_profile().rules.agents.places.iter();
        let mut parts = places.flat_map(|place| place.parts);
        let settings = parts.find_map(|part| match part.holds {
            Holds::Settings(rules) => Some(rules),
            _ => None,
        });
        settings.expect("it has settings")
    }

    fn read(text: &str, limits: &Limits) -> Result<ParsedSettings, Box<Diagnostic>> {
        let mapped = MappedText::plain(text);
        parse_settings(&mapped, text.as_bytes(), &OPENCODE, rules(), limits)
    }

    /// Settings with agents that have so many mistakes each.
    fn settings(agents: usize, mistakes: usize) -> String {
        let mistakes: Vec<String> = (0..mistakes).map(|i| format!("\"{i}\": 1")).collect();
        let mistakes = mistakes.join(", ");
        let agents: Vec<String> = (0..agents)
            .map(|i| format!("\"a{i}\": {{\"permission\": {{{mistakes}}}}}"))
            .collect();
        format!("{{\"agent\": {{{}}}}}", agents.join(", "))
    }

    #[test]
    fn a_file_with_too_many_agents_is_not_read() {
        let limits = Limits::default().at_most(Limit::Agents, 3);
        let read = |agents| read(&settings(agents, 0), &limits);
        assert_eq!(read(3).map(|found| found.entries.len()), Ok(3));
        let fault = read(4).expect_err("it has one too many");
        assert_eq!(fault.rule, &rules::LIMIT_EXCEEDED);
        assert!(fault.span.is_some());
    }

    #[test]
    fn every_agent_keeps_a_finding_and_all_together_do_not_grow_with_their_product() {
        let text = settings(500, 90);
        let found = read(&text, &Limits::default()).expect("it is JSON");
        let told: Vec<usize> = found
            .entries
            .iter()
            .map(|entry| entry.parsed.diagnostics.len())
            .collect();
        assert!(told.iter().all(|told| *told > 0), "{told:?}");
        assert!(told.iter().sum::<usize>() < 3_000, "{told:?}");
    }
}
