//! Projects that somebody else wrote. Whatever they say, nothing of the machine is looked at but the
//! project and the home.

use std::sync::OnceLock;

use agent_discovery::{
    Inputs, Looked, MemoryTree, Skills, decide_trust, discover, discover_plugin, discover_roster,
    discover_skills, elsewhere,
};
use agent_schema::{Dialect, Profile, dialects};

use super::file::words;
use super::spans::{check_definition, check_findings};
use super::watched::WatchedTree;
use super::{Fault, Trace, chosen};

/// A harness, or a loader of skills alone.
struct Harness {
    dialect: &'static Dialect,
    profile: &'static Profile,
}

fn harnesses() -> &'static [Harness] {
    static HARNESSES: OnceLock<Vec<Harness>> = OnceLock::new();
    HARNESSES.get_or_init(|| {
        let dialects = dialects::ALL.iter().chain(dialects::skills::LOADERS);
        let profiles = dialects.flat_map(|dialect| {
            let profiles = dialect.profiles.iter();
            profiles.map(|profile| Harness { dialect, profile })
        });
        profiles.collect()
    })
}

/// Where a `SKILL.md`, or a loose file of the same kind, may lie.
const SKILLS: &[&str] = &[
    ".agents/skills/one/SKILL.md",
    ".claude/skills/one/SKILL.md",
    ".claude/commands/one.md",
    ".codex/skills/one/SKILL.md",
    ".gemini/skills/one/SKILL.md",
    ".github/skills/one/SKILL.md",
    ".openhands/microagents/one.md",
    ".openhands/skills/one/SKILL.md",
    ".openhands/skills/one.md",
    ".opencode/skill/one/SKILL.md",
    ".opencode/skills/one/SKILL.md",
    ".pi/skills/one/SKILL.md",
    "skills/one/SKILL.md",
    "AGENTS.md",
];

/// Where a project may say something that is no agent.
const SETTINGS: &[&str] = &[
    ".agents/settings.json",
    ".claude-plugin/plugin.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".gemini/extensions/kit/gemini-extension.json",
    ".git",
    ".gitignore",
    ".mcp.json",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
    ".openhands/skills/one/.mcp.json",
    ".pi/npm/node_modules/kit/package.json",
    ".pi/settings.json",
    ".plugin/plugin.json",
    ".vscode/settings.json",
    "kit/.claude-plugin/plugin.json",
    "kit/.plugin/plugin.json",
    "kit/package.json",
    "opencode.json",
    "opencode.jsonc",
    "package.json",
];

/// Files beside them, so that settings have something to find.
const AGENT: &str = "---\nname: one\ndescription: Helps with one thing.\n---\nHelp.\n";
const BESIDE: &[&str] = &[
    ".agents/agents/one.md",
    ".claude/agents/one.md",
    ".opencode/agent/one.md",
    ".pi/agents/one.md",
    "kit/agents/one.md",
    "kit/skills/one/SKILL.md",
    "AGENTS.md",
];

/// What nobody may look at because of what a project says.
const OUTSIDE: &[&str] = &[
    "/outside/AGENTS.md",
    "/outside/agents/one.md",
    "/outside/key",
    "/outside/package.json",
    "/outside/skills/one/SKILL.md",
    "/outside/.claude-plugin/plugin.json",
];

fn outside() -> MemoryTree {
    let mut tree = MemoryTree::new();
    for path in OUTSIDE {
        tree.write(path, AGENT);
    }
    tree.write(
        "/h/.claude/agents/own.md",
        "---\nname: own\ndescription: Mine.\n---\nHelp.\n",
    );
    tree
}

pub(super) fn skill_choices() -> usize {
    harnesses().len()
}

pub(super) fn settings_choices() -> usize {
    harnesses().len()
}

pub(super) fn skill(input: &[u8]) -> Result<Trace, Fault> {
    let (choice, bytes) = chosen(input, skill_choices());
    let mut tree = outside();
    for path in SKILLS {
        tree.write(format!("/p/{path}"), bytes);
    }
    search(&harnesses()[choice], tree, Some(bytes))
}

pub(super) fn settings(input: &[u8]) -> Result<Trace, Fault> {
    let (choice, bytes) = chosen(input, settings_choices());
    let mut tree = outside();
    for path in BESIDE {
        tree.write(format!("/p/{path}"), AGENT);
    }
    for path in SETTINGS {
        tree.write(format!("/p/{path}"), bytes);
    }
    search(&harnesses()[choice], tree, None)
}

pub(super) fn tree(input: &[u8]) -> Result<Trace, Fault> {
    let (choice, bytes) = chosen(input, settings_choices());
    let mut tree = outside();
    for file in bytes.split_inclusive_by("\n===== ").into_iter().take(64) {
        let end = file.iter().position(|byte| *byte == b'\n');
        let end = end.unwrap_or(file.len());
        let path = String::from_utf8_lossy(&file[..end]);
        let parts = path
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."));
        let path: Vec<&str> = parts.take(12).collect();
        if path.is_empty() {
            continue;
        }
        let content = file.get(end + 1..).unwrap_or_default();
        tree.write(format!("/p/{}", path.join("/")), content);
    }
    search(&harnesses()[choice], tree, None)
}

/// Cuts bytes at each place where some text stands.
trait SplitBy {
    fn split_inclusive_by(&self, text: &str) -> Vec<&[u8]>;
}

impl SplitBy for [u8] {
    fn split_inclusive_by(&self, text: &str) -> Vec<&[u8]> {
        let text = text.as_bytes();
        let mut parts = Vec::new();
        let (mut start, mut at) = (0, 0);
        while at + text.len() <= self.len() {
            if self[at..].starts_with(text) {
                parts.push(&self[start..at]);
                at += text.len();
                start = at;
            } else {
                at += 1;
            }
        }
        parts.push(&self[start..]);
        parts
    }
}

fn rosters() -> Vec<(&'static Dialect, &'static Profile)> {
    let dialects = dialects::ALL.iter().flat_map(|dialect| {
        let profiles = dialect.profiles.iter();
        profiles.map(|profile| (*dialect, profile))
    });
    dialects
        .filter(|(_, profile)| profile.rules.roster.is_some())
        .collect()
}

pub(super) fn roster_choices() -> usize {
    rosters().len()
}

pub(super) fn roster(input: &[u8]) -> Result<Trace, Fault> {
    let (choice, bytes) = chosen(input, roster_choices());
    let (dialect, profile) = rosters()[choice];
    let Some(rules) = &profile.rules.roster else {
        return Err("the dialect has no roster".to_owned());
    };
    let mut tree = outside();
    let layers = ["defaults", "deployment", "home", "project"];
    for (layer, part) in layers.iter().zip(bytes.split_inclusive_by("\n=====\n")) {
        tree.write(format!("/p/layers/{layer}/{}", rules.file), part);
        let prompts = format!("/p/layers/{layer}/{}", rules.prompts.folder);
        tree.write(format!("{prompts}/one.md"), "Help.\n");
    }
    let tree = WatchedTree::new(tree);
    let inputs = Inputs::new().project("/p").home("/h").layers("/p/layers");
    let Some(found) = discover_roster(&tree, dialect, profile, &inputs) else {
        return Err("the dialect has no roster".to_owned());
    };
    let mut trace = Trace::new();
    for entry in &found.found.entries {
        trace.insert(format!("{:?}", std::mem::discriminant(&entry.state)));
        if let Some(bytes) = &entry.bytes {
            check_findings(&entry.diagnostics, bytes)?;
        }
        trace.extend(entry.diagnostics.iter().map(|it| words(&it.message)));
    }
    let names = found.agent_names();
    if names.names.is_empty() && names.log.is_empty() && !found.is_readable {
        return Err("nobody is there, and nothing is said".to_owned());
    }
    trace.extend(names.log.iter().map(|finding| words(&finding.message)));
    let again = discover_roster(&tree, dialect, profile, &inputs).map(|again| again.found.entries);
    if again.as_ref() != Some(&found.found.entries) {
        return Err("the same layers give two rosters".to_owned());
    }
    stayed_inside(&tree)?;
    Ok(trace)
}

/// Searches a project by the rules of a harness, in every way that there is.
fn search(harness: &Harness, tree: MemoryTree, bytes: Option<&[u8]>) -> Result<Trace, Fault> {
    let tree = WatchedTree::new(tree);
    let Harness { dialect, profile } = *harness;
    let inputs = Inputs::new().project("/p").home("/h");
    let mut trace = Trace::new();
    let found = discover(&tree, dialect, profile, &inputs);
    let again = discover(&tree, dialect, profile, &inputs);
    if found.entries != again.entries || found.places != again.places {
        return Err("the same tree is searched in two ways".to_owned());
    }
    let plugin = discover_plugin(&tree, dialect, profile, "/p/kit".as_ref(), &inputs);
    for entry in found.entries.iter().chain(&plugin.entries) {
        let state = std::mem::discriminant(&entry.state);
        trace.insert(format!("{} {:?} {state:?}", dialect.id, entry.source.level));
        if entry.state == agent_discovery::State::Rejected && entry.diagnostics.is_empty() {
            return Err(format!("{:?} is rejected without a word", entry.source));
        }
        if let Some(bytes) = &entry.bytes {
            check_findings(&entry.diagnostics, bytes)?;
            if let (Some(parsed), None) = (&entry.parsed, &entry.merged)
                && let Some(definition) = parsed.outcome.definition()
            {
                check_definition(definition, bytes)?;
            }
        }
        let findings = entry.diagnostics.iter();
        trace.extend(findings.map(|it| format!("{} {}", dialect.id, words(&it.message))));
    }
    let skills = discover_skills(&tree, dialect, profile, &inputs);
    if skills != discover_skills(&tree, dialect, profile, &inputs) {
        return Err("the same skills are found in two ways".to_owned());
    }
    check_skills(dialect, &skills, bytes, &mut trace)?;
    let looked = Looked {
        dialect,
        profile,
        places: &found.places,
        skills: &skills.places,
    };
    let others = elsewhere(&tree, &[looked], "/p".as_ref(), None);
    let count: usize = others.iter().map(|it| it.files.len()).sum();
    trace.insert(format!("{} elsewhere {count}", dialect.id));
    let trust = decide_trust(&tree, &profile.rules.agents, &inputs);
    trace.insert(format!("{} {:?}", dialect.id, trust.map(|it| it.trusted)));
    stayed_inside(&tree)?;
    Ok(trace)
}

fn check_skills(
    dialect: &Dialect,
    skills: &Skills,
    bytes: Option<&[u8]>,
    trace: &mut Trace,
) -> Result<(), Fault> {
    for found in &skills.found {
        let state = std::mem::discriminant(&found.state);
        trace.insert(format!("{} skill {:?} {state:?}", dialect.id, found.level));
        if let Some(bytes) = bytes {
            check_findings(&found.diagnostics, bytes)?;
        }
        let dropped = found.state == agent_discovery::SkillState::Rejected;
        if dropped && found.diagnostics.is_empty() {
            return Err(format!(
                "the skill `{}` is dropped without a word",
                found.skill.name
            ));
        }
        let findings = found.diagnostics.iter();
        trace.extend(findings.map(|it| format!("{} {}", dialect.id, words(&it.message))));
    }
    for warning in &skills.warnings {
        trace.insert(format!(
            "{} {}",
            dialect.id,
            words(&warning.diagnostic.message)
        ));
    }
    Ok(())
}

fn stayed_inside(tree: &WatchedTree<MemoryTree>) -> Result<(), Fault> {
    let seen = tree.seen();
    match seen.iter().find(|path| path.starts_with("/outside")) {
        Some(path) => Err(format!("the project made us look at `{}`", path.display())),
        None => Ok(()),
    }
}
