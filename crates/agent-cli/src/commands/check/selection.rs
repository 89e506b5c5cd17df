//! Which rules count, and how much: what the command line says before what the settings say.

use agent_schema::{Diagnostic, Selector, Severity};

use crate::failure::Failure;
use crate::options::{Check, Format};
use crate::settings::Settings;

/// Which rules count, and how much.
#[derive(Debug)]
pub(super) struct Selection {
    /// All rules if it is empty.
    select: Vec<Selector>,
    ignore: Vec<Selector>,
    rules: Vec<(Selector, Option<Severity>)>,
    /// The least severity that decides how the command ends, and that is fixed.
    pub(super) counted: Severity,
    /// The least severity that is shown.
    pub(super) shown: Severity,
    /// Whether somebody said which severity is the least.
    pub(super) is_limited: bool,
}

impl Selection {
    /// Reads what the command line and the settings say.
    pub(super) fn new(
        options: &Check,
        settings: &Settings,
        format: Format,
    ) -> Result<Self, Failure> {
        let select = selectors("--select", &options.select)?;
        let mut ignore = selectors("--ignore", &options.ignore)?;
        let select = match select.is_empty() {
            true => {
                ignore.extend(settings.ignore.iter().cloned());
                settings.select.clone().unwrap_or_default()
            }
            false => select,
        };
        let said = options.severity.map(|least| least.severity());
        let said = said.or(settings.severity.filter(|_| !options.all));
        // Programs choose for themselves.
        let shows_all = match format {
            Format::Json | Format::JsonLines | Format::Sarif => true,
            Format::Text | Format::Concise | Format::Github => options.all,
        };
        let least = if shows_all {
            Severity::Info
        } else {
            Severity::Warning
        };
        Ok(Selection {
            select,
            ignore,
            rules: settings.rules.clone(),
            counted: said.unwrap_or(Severity::Warning),
            shown: said.unwrap_or(least),
            is_limited: said.is_some(),
        })
    }

    /// Returns how much a finding matters; nothing if its rule is off. Of several selectors the
    /// one that tells most closely what is meant counts.
    pub(super) fn severity(&self, diagnostic: &Diagnostic) -> Option<Severity> {
        let code = diagnostic.code();
        if !self.is_selected(code) {
            return None;
        }
        match self.rule(code) {
            Some(severity) => severity,
            None => Some(diagnostic.severity),
        }
    }

    /// Returns the least severity, as the libraries tell it, of findings that are shown or fixed.
    pub(super) fn least_told(&self) -> Severity {
        match self.rules.is_empty() {
            true => self.counted.min(self.shown),
            // The settings may raise any of them.
            false => Severity::Info,
        }
    }

    /// Returns whether findings with a code count or are shown at all.
    pub(super) fn is_on(&self, code: &str) -> bool {
        self.is_selected(code) && self.rule(code) != Some(None)
    }

    fn is_selected(&self, code: &str) -> bool {
        let selected = closest(&self.select, code);
        match (selected, closest(&self.ignore, code)) {
            (None, _) if !self.select.is_empty() => false,
            (selected, Some(ignored)) => selected.is_some_and(|selected| selected > ignored),
            _ => true,
        }
    }

    fn rule(&self, code: &str) -> Option<Option<Severity>> {
        let rules = self.rules.iter();
        let rules = rules.filter(|(selector, _)| selector.selects(code));
        let closest = rules.max_by_key(|(selector, _)| selector.closeness());
        closest.map(|(_, severity)| *severity)
    }
}

fn closest(selectors: &[Selector], code: &str) -> Option<usize> {
    let fitting = selectors.iter().filter(|selector| selector.selects(code));
    fitting.map(Selector::closeness).max()
}

fn selectors(option: &str, texts: &[String]) -> Result<Vec<Selector>, Failure> {
    let selector = |text: &String| {
        Selector::new(text.trim()).map_err(|unknown| {
            let failure = Failure::new(format!("{option}: {unknown}"));
            match unknown.nearest {
                Some(near) => failure.help(format!("write `{near}`")),
                None => failure.help("`agentry rule` lists all codes"),
            }
        })
    };
    texts.iter().map(selector).collect()
}
