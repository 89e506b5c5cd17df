//! Patterns of permissions that nothing fits.
//!
//! Source: OpenCode's `permission/index.ts` and `util/wildcard.ts`: a pattern is compared with all
//! of a command, or of a path, and `*` and `?` are its only signs.

use std::collections::HashMap;

use crate::coerce::shorten;
use crate::definition::{Definition, FieldName};
use crate::diagnostic::Diagnostic;
use crate::finish::Finish;
use crate::foreign_words::all_meanings;
use crate::rules;
use crate::value::Node;
use crate::writing::{Effect, effect_of};

use super::fields::PERMISSION_RULES;
use super::permission;

/// What stands for every pattern.
const ANY: &str = "*";

/// The names under which the two lines ask before a command is run.
const COMMANDS: [&str; 2] = ["bash", "shell"];

/// Programs whose second word says what they do, so that no colon follows it.
const WITH_SUBCOMMANDS: [&str; 16] = [
    "apt",
    "apt-get",
    "brew",
    "bundle",
    "cargo",
    "docker",
    "dotnet",
    "gh",
    "git",
    "go",
    "helm",
    "kubectl",
    "npm",
    "pip",
    "systemctl",
    "terraform",
];

/// Tells of rules with patterns that nothing fits. What they limit is lost, unless the rule for
/// everything else limits it too.
pub(super) fn note(finish: &mut Finish<'_>) {
    let Some((field, rules)) = rules_of(finish.definition) else {
        return;
    };
    let otherwise = Otherwise::of(&rules);
    for rule in rules.iter().filter_map(parts_of) {
        let Some(meant) = meant_by(&rule) else {
            continue;
        };
        let is_limit = rule.effect < otherwise.effect(rule.action);
        let said = format!("nothing fits the pattern `{}`", shorten(rule.pattern));
        let finding = Diagnostic::new(&rules::RULE_FITS_NOTHING, said)
            .at(rule.node.span)
            .about(field)
            .because(
                "OpenCode compares a pattern with the whole command or path, and its only signs are \
                 `*` and `?`; this is how Claude Code writes rules",
            )
            .help(format!("write `{}`", shorten(&meant)));
        finish.findings.push(finding);
        finish.lost.extend(is_limit.then_some(field));
    }
}

/// One rule.
struct Rule<'a> {
    action: &'a str,
    pattern: &'a str,
    effect: Effect,
    /// Where its pattern is written.
    node: &'a Node,
}

/// Returns the rules of a definition, with the field that holds them.
fn rules_of(definition: &Definition) -> Option<(FieldName, Vec<Node>)> {
    if let Some(rules) = definition.config(PERMISSION_RULES).and_then(Node::as_list) {
        return Some((PERMISSION_RULES, rules.to_vec()));
    }
    let permissions = definition.config(FieldName::PERMISSION)?;
    Some((FieldName::PERMISSION, permission::rules(permissions)))
}

fn parts_of(rule: &Node) -> Option<Rule<'_>> {
    let [action, pattern, effect] = permission::parts_of(rule)?;
    Some(Rule {
        action: action.as_text()?,
        pattern: pattern.as_text()?,
        effect: effect_of(effect.as_text()?)?,
        node: pattern,
    })
}

/// What the last rules for all of a tool say, and the last one for everything.
struct Otherwise<'a> {
    of_tools: HashMap<&'a str, Effect>,
    of_others: Effect,
}

impl<'a> Otherwise<'a> {
    fn of(rules: &'a [Node]) -> Self {
        let mut otherwise = Otherwise {
            of_tools: HashMap::new(),
            of_others: Effect::Allow,
        };
        let for_all = rules.iter().filter_map(parts_of);
        for rule in for_all.filter(|rule| rule.pattern == ANY) {
            if rule.action == ANY {
                otherwise.of_tools.clear();
                otherwise.of_others = rule.effect;
            } else {
                otherwise.of_tools.insert(rule.action, rule.effect);
            }
        }
        otherwise
    }

    fn effect(&self, tool: &str) -> Effect {
        let of_tool = self.of_tools.get(tool).copied();
        of_tool.unwrap_or(self.of_others)
    }
}

/// Returns what was meant by a pattern that nothing fits.
fn meant_by(rule: &Rule<'_>) -> Option<String> {
    let inside = in_parentheses(rule.pattern);
    let is_command = COMMANDS.contains(&rule.action);
    let bare = inside.unwrap_or(rule.pattern);
    let beginning = bare.strip_suffix(":*").filter(|_| is_command);
    match (beginning, inside) {
        (Some(beginning), inside) if inside.is_some() || takes_no_colon(beginning) => {
            Some(format!("{beginning} *"))
        }
        (_, Some(inside)) => Some(inside.to_owned()),
        _ => None,
    }
}

/// Returns what stands in the parentheses of `Tool(pattern)`.
fn in_parentheses(pattern: &str) -> Option<&str> {
    let (tool, rest) = pattern.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    (!all_meanings(tool).is_empty() && !inside.is_empty()).then_some(inside)
}

/// Returns whether these words begin a command and no colon can follow them: it may belong to the
/// name of a script, of a host or of an image otherwise.
fn takes_no_colon(words: &str) -> bool {
    let is_word = |word: &str| {
        word.len() > 1
            && word
                .bytes()
                .all(|sign| sign.is_ascii_lowercase() || sign == b'-')
    };
    let words: Vec<&str> = words.split(' ').collect();
    match words.as_slice() {
        [program] => is_word(program),
        [program, action] => WITH_SUBCOMMANDS.contains(program) && is_word(action),
        _ => false,
    }
}
