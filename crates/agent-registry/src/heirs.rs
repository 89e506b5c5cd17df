//! Who answers to the name of a file that does not load.
//!
//! A file that is refused does not reserve its name: the next definition gets it, with its own
//! prompt and its own tools (for OpenHands cases `discover/broken-winner-falls-through-*`). No
//! harness says so, so the finding that tells why the file is refused does.

use agent_schema::{Definition, Diagnostic, Level, Related, Severity, ToolAccess};

use crate::contender::{Contender, ContenderId, Verdict};
use crate::registration::Registration;

impl Registration {
    /// Tells in the finding that lost a file its name who has the name now.
    pub(crate) fn tell_heirs(&mut self) {
        for number in 0..self.contenders.len() {
            let Some(heir) = self.heir_of(number) else {
                continue;
            };
            let (lost, heirs) = self.contenders.split_at_mut(heir.0);
            let mut findings = lost[number].diagnostics.iter_mut();
            if let Some(finding) = findings.find(|it| it.severity == Severity::Error) {
                tell(finding, &heirs[0]);
            }
        }
    }

    /// Returns the one that has the name of a contender which was offered before it and does not
    /// load.
    fn heir_of(&self, number: usize) -> Option<ContenderId> {
        let contender = &self.contenders[number];
        let is_lost = matches!(contender.verdict, Verdict::Rejected | Verdict::Refused);
        let name = Some(&contender.name).filter(|name| is_lost && !name.is_empty());
        let heir = self.holders.get(name?, &self.contenders)?;
        (heir.0 > number).then_some(heir)
    }
}

/// The most tools that are named one by one.
const MOST_TOOLS: usize = 6;

/// Says in a finding who has the name now, and what that one may use.
fn tell(finding: &mut Diagnostic, heir: &Contender) {
    let (name, tools) = (&heir.name, tools_of(heir));
    if heir.source.path.is_some() {
        let message = format!("the name `{name}` goes to this file{tools}");
        finding.related.push(Related {
            file: Some(heir.source.reported.clone()),
            span: heir.name_place(),
            message,
        });
        return;
    }
    let whose = match heir.source.level {
        Level::Builtin => "the built-in agent",
        _ => &heir.source.reported,
    };
    let why = finding.why.take();
    let why = why.map_or_else(String::new, |why| format!("{why}; "));
    finding.why = Some(format!("{why}the name `{name}` goes to {whose}{tools}").into());
}

/// Tells the tools of an agent, as the end of a sentence about it.
fn tools_of(agent: &Contender) -> String {
    let definition = agent.definition.as_deref();
    match definition.map_or(ToolAccess::Unset, Definition::tools) {
        ToolAccess::Unset => String::new(),
        ToolAccess::All => ", which has every tool".to_owned(),
        ToolAccess::Listed([]) => ", which has no tool".to_owned(),
        ToolAccess::Listed(tools) if tools.len() > MOST_TOOLS => {
            format!(", which has {} tools", tools.len())
        }
        ToolAccess::Listed(tools) => {
            let tools = tools.iter().map(|tool| format!("`{}`", tool.text));
            let tools: Vec<String> = tools.collect();
            let noun = if tools.len() == 1 { "tool" } else { "tools" };
            format!(", which has the {noun} {}", tools.join(", "))
        }
    }
}
