//! Telling dialects apart by the place of a file.

use std::path::{Component, Path};

use agent_schema::dialect::{Base, Folders, Holds, Part, SearchPlace};
use agent_schema::{Dialect, dialects};

/// Returns the dialects that would read a file, judged by the folders that lead to it: one of
/// their search places is part of its path. Several can share a folder.
#[must_use]
pub fn dialects_at(path: &Path) -> Vec<&'static Dialect> {
    let all = dialects::ALL.iter().copied();
    all.filter(|dialect| {
        let agents = &dialect.default_profile().rules.agents;
        let folders = agents.places.iter().flat_map(|place| match place.parts {
            [] => vec![(way_to(place), agents.files.folders)],
            parts => ways_into(place, parts),
        });
        folders
            .into_iter()
            .any(|(way, folders)| lies_in(path, &way, folders == Folders::Searched))
    })
    .collect()
}

/// Returns the folders that lead to a place, as far as they have fixed names.
fn way_to(place: &SearchPlace) -> Vec<&'static str> {
    let base = match place.base {
        Base::Variable { or_home, .. } => or_home,
        _ => "",
    };
    [base, place.folder]
        .iter()
        .flat_map(|part| part.split('/'))
        .filter(|part| !part.is_empty())
        .collect()
}

/// Returns the folders that lead to the parts of a place that hold agents; none for a place whose
/// own folder has no fixed name, because those of its parts alone would fit too much.
fn ways_into(place: &SearchPlace, parts: &'static [Part]) -> Vec<(Vec<&'static str>, Folders)> {
    let way = way_to(place);
    if way.is_empty() {
        return Vec::new();
    }
    let inside = parts.iter().flat_map(|part| {
        let folders = match part.holds {
            Holds::Agents { files, .. } => Some(files.folders),
            Holds::Settings(_) => None,
        };
        folders
            .into_iter()
            .flat_map(|folders| part.paths.iter().map(move |path| (*path, folders)))
    });
    inside
        .map(|(path, folders)| ([way.as_slice(), &[path]].concat(), folders))
        .collect()
}

/// Tells whether these folders stand in a path: right above the file, or anywhere if the folders
/// inside the last one are searched too.
fn lies_in(path: &Path, wanted: &[&str], nested: bool) -> bool {
    let folders: Vec<Component<'_>> = path
        .parent()
        .map(|parent| parent.components().collect())
        .unwrap_or_default();
    let fits = |window: &[Component<'_>]| {
        window
            .iter()
            .zip(wanted)
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
        assert_eq!(ids("x/elsewhere/a.md"), [""; 0]);
        assert_eq!(ids("a.md"), [""; 0]);
        assert_eq!(ids("x/.opencode/agent/deep/a.md"), ["opencode"]);
        assert_eq!(ids("h/.config/opencode/modes/a.md"), ["opencode"]);
        assert_eq!(ids("x/.opencode/modes/deep/a.md"), [""; 0]);
    }
}
