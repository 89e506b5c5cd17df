//! Telling dialects apart by the place of a file.

use std::path::{Component, Path};

use agent_schema::dialect::{Base, Folders, Holds, SearchPlace};
use agent_schema::{Dialect, dialects};

/// Returns the dialects that would read a file, judged by the folders that lead to it: one of
/// their search places is part of its path. Several can share a folder.
#[must_use]
pub fn dialects_at(path: &Path) -> Vec<&'static Dialect> {
    let all = dialects::ALL.iter().copied();
    all.filter(|dialect| {
        let agents = &dialect.default_profile().rules.agents;
        let nested = agents.files.folders == Folders::Searched;
        agents
            .places
            .iter()
            .any(|place| lies_in(path, place, nested))
    })
    .collect()
}

/// Tells whether the folders of a place stand in a path: right above the file, or anywhere if the
/// folders inside the place are searched too.
fn lies_in(path: &Path, place: &SearchPlace, nested: bool) -> bool {
    if place.holds != Holds::Agents {
        return false;
    }
    let base = match place.base {
        Base::Variable { or_home, .. } => or_home,
        _ => "",
    };
    let wanted: Vec<&str> = [base, place.folder]
        .iter()
        .flat_map(|part| part.split('/'))
        .filter(|part| !part.is_empty())
        .collect();
    let folders: Vec<Component<'_>> = path
        .parent()
        .map(|parent| parent.components().collect())
        .unwrap_or_default();
    let fits = |window: &[Component<'_>]| {
        window
            .iter()
            .zip(&wanted)
            .all(|(folder, wanted)| folder.as_os_str() == *wanted)
    };
    let mut windows = folders.windows(wanted.len().max(1));
    match nested {
        true => windows.any(fits),
        false => windows.next_back().is_some_and(fits),
    }
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
        assert_eq!(ids("x/.claude/agents/deep/a.md"), ["claude-code"]);
        assert_eq!(ids("x/elsewhere/a.md"), [""; 0]);
        assert_eq!(ids("a.md"), [""; 0]);
    }
}
