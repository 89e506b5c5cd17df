//! Telling dialects apart by the place of a file.

use std::path::{Component, Path};

use agent_schema::dialect::{Base, FileRules, Folders, Holds, SearchPlace};
use agent_schema::roster::LayeredRosterRules;
use agent_schema::{Dialect, dialects};

/// A dialect that would read a file, and what is an agent in the folder of the file.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// What it takes for an agent there.
    pub files: &'static FileRules,
}

/// Returns the dialects that would read a file, judged by the folders that lead to it: one of
/// their search places is part of its path. Several can share a folder.
#[must_use]
pub fn dialects_at(path: &Path) -> Vec<&'static Dialect> {
    let readers = readers_at(path).into_iter();
    readers.map(|reader| reader.dialect).collect()
}

/// Returns the dialects that would read a file, each with its rules for the folder of the file.
#[must_use]
pub fn readers_at(path: &Path) -> Vec<Reader> {
    let all = dialects::ALL.iter().copied();
    all.filter_map(|dialect| {
        let rules = &dialect.default_profile().rules;
        // The folders of layers have names that say little; the one file in them does.
        let other_file =
            |roster: &LayeredRosterRules| path.file_name().is_none_or(|name| name != roster.file);
        if rules.roster.as_ref().is_some_and(other_file) {
            return None;
        }
        let agents = &rules.agents;
        let mut places = agents.places.iter();
        let files = places.find_map(|place| rules_in(path, place, &agents.files))?;
        Some(Reader { dialect, files })
    })
    .collect()
}

/// Returns the folders of agents that a place has, as paths below its base, with what is an agent
/// in each.
#[must_use]
pub fn agent_folders(
    place: &SearchPlace,
    files: &'static FileRules,
) -> Vec<(String, &'static FileRules)> {
    let joined = |inside: &str| {
        let parts = [place.folder, inside].into_iter();
        let named: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        named.join("/")
    };
    let mut folders = Vec::new();
    for part in place.parts {
        let files = match part.holds {
            Holds::Agents => files,
            Holds::AgentsOfKind { files, .. } => files,
            Holds::Settings(_) | Holds::Plugins | Holds::Definitions => continue,
        };
        folders.extend(part.paths.iter().map(|path| (joined(path), files)));
    }
    folders
}

/// Returns the rules for a file in a place if the folders of the place stand in its path: right
/// above the file, or anywhere if the folders inside the place are searched too. A place that a
/// person may put anywhere tells nothing.
fn rules_in(
    path: &Path,
    place: &SearchPlace,
    files: &'static FileRules,
) -> Option<&'static FileRules> {
    let base = match place.base {
        Base::Variable { or_home, .. } => or_home,
        _ => "",
    };
    if base.is_empty() && place.folder.is_empty() {
        return None;
    }
    let folders: Vec<Component<'_>> = path
        .parent()
        .map(|parent| parent.components().collect())
        .unwrap_or_default();
    let fits = |(below, files): &(String, &'static FileRules)| {
        let wanted: Vec<&str> = [base, below.as_str()]
            .iter()
            .flat_map(|part| part.split('/'))
            .filter(|part| !part.is_empty())
            .collect();
        let fits = |window: &[Component<'_>]| {
            let mut pairs = window.iter().zip(&wanted);
            pairs.all(|(folder, wanted)| folder.as_os_str() == *wanted)
        };
        let mut windows = folders.windows(wanted.len());
        match files.folders {
            Folders::Searched => windows.any(fits),
            _ => windows.next_back().is_some_and(fits),
        }
    };
    let mut places = agent_folders(place, files).into_iter();
    places.find(fits).map(|(_, files)| files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_by_its_folders() {
        let ids = |path: &str| -> Vec<&str> {
            let dialects = dialects_at(Path::new(path));
            dialects.iter().map(|dialect| dialect.id).collect()
        };
        assert_eq!(ids("x/.openhands/agents/a.md"), ["openhands"]);
        assert!(ids("x/.agents/agents/a.md").contains(&"openhands"));
        assert!(!ids("x/.agents/agents/deep/a.md").contains(&"openhands"));
        assert!(ids("x/.opencode/agents/deep/a.md").contains(&"opencode"));
        assert!(ids("h/.config/opencode/modes/a.md").contains(&"opencode"));
        assert!(!ids("x/.opencode/modes/deep/a.md").contains(&"opencode"));
        assert_eq!(ids("x/.claude/agents/deep/a.md"), ["claude-code"]);
        assert_eq!(ids("x/elsewhere/a.md"), [""; 0]);
        assert_eq!(ids("a.md"), [""; 0]);
        assert_eq!(ids("x/defaults/agent-config.yaml"), ["nebuko"]);
        assert_eq!(ids("x/defaults/other.yaml"), [""; 0]);
    }
}
