//! The files of a project that lie in no place that is searched.
//!
//! A file in the wrong folder is the quietest way to lose an agent: no harness ever sees it. To
//! account for it, somebody has to look where the harness does not.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use agent_schema::dialect::FileRules;
use agent_schema::text::MappedText;
use agent_schema::{Dialect, File, ParseInputs, Profile};

use crate::file_tree::{FileTree, Kind};
use crate::places::Searched;
use crate::reported::reported;

/// The most items that are looked at; a larger project is cut there.
pub const MOST_ITEMS: usize = 50_000;

/// The most bytes that are read to tell whether a file looks like an agent.
const MOST_BYTES: usize = 1 << 20;

/// Folders that hold other people's files or none that a person wrote.
pub const PASSED_OVER: [&str; 3] = [".git", "node_modules", "target"];

/// The files of a project that lie in no place that is searched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Elsewhere {
    /// The files, by path.
    pub files: Vec<ElsewhereFile>,
    /// Whether the project has more items than are looked at.
    pub cut: bool,
}

/// A file that lies in no place that is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElsewhereFile {
    /// The file.
    pub path: PathBuf,
    /// Its path as the harness would report it, with `/`.
    pub reported: String,
    /// The name of the agent that it looks like: one with a header that sets a name or a
    /// description, and that would load if it lay where the harness looks.
    pub looks_like: Option<String>,
}

/// Lists the files of a project that the searches for agents and skills did not come across,
/// sorted by path. Links are not followed; `.git`, `node_modules` and `target` are passed over.
#[must_use]
pub fn elsewhere(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    places: &[Searched],
    skills: &[Searched],
    project: &Path,
) -> Elsewhere {
    let mut out = Elsewhere::default();
    let mut folders = VecDeque::from([project.to_owned()]);
    let mut left = MOST_ITEMS;
    // Places may lie under their real paths although the project is given by another one.
    let real = |path: &Path| tree.real_path(path).unwrap_or_else(|_| path.to_owned());
    let with_real_path = |place: &Searched| Searched {
        path: real(&place.path),
        ..place.clone()
    };
    let places: Vec<Searched> = places.iter().map(with_real_path).collect();
    let skills: Vec<PathBuf> = skills.iter().map(|place| real(&place.path)).collect();
    while let Some(folder) = folders.pop_front() {
        let here = real(&folder);
        let searched = places.iter().any(|place| place.covers(&here));
        for item in tree.list(&folder).unwrap_or_default() {
            if left == 0 {
                out.cut = true;
                break;
            }
            left -= 1;
            let path = folder.join(&item.name);
            match item.kind {
                Kind::Folder if PASSED_OVER.iter().any(|name| item.name == *name) => {}
                Kind::Folder if skills.contains(&real(&path)) => {}
                Kind::Folder => folders.push_back(path),
                // A place may be a file itself.
                Kind::File if places.iter().any(|place| place.path == real(&path)) => {}
                Kind::File if !searched => {
                    let looks_like = looks_like(tree, dialect, profile, &path);
                    out.files.push(ElsewhereFile {
                        reported: reported(&path),
                        path,
                        looks_like,
                    });
                }
                _ => {}
            }
        }
    }
    out.files.sort_by(|one, other| one.path.cmp(&other.path));
    out
}

/// Tells the name of the agent that a file looks like.
fn looks_like(
    tree: &dyn FileTree,
    dialect: &'static Dialect,
    profile: &'static Profile,
    path: &Path,
) -> Option<String> {
    let files: &FileRules = &profile.rules.agents.files;
    let name = path.file_name()?.to_string_lossy();
    files.accept(&name).ok()?;
    let bytes = tree.read(path, MOST_BYTES).ok()?;
    let reading = &profile.rules.reading;
    let text = MappedText::decode(&bytes, reading.encoding).ok()?;
    reading.header.split(&text).header?;
    let file = File {
        name: &name,
        bytes: &bytes,
    };
    let stem = files.stem(&name);
    let parsed =
        agent_schema::parse::parse_accepted(file, stem, dialect, reading, &ParseInputs::new());
    let definition = parsed.outcome.definition()?;
    let written = |field| definition.place(field).is_some();
    let says_what_it_is =
        written(agent_schema::FieldName::NAME) || written(agent_schema::FieldName::DESCRIPTION);
    says_what_it_is.then(|| definition.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, MemoryTree, discover};
    use agent_schema::dialects;

    #[test]
    fn files_outside_the_places_are_told() {
        let mut tree = MemoryTree::new();
        let agent = "---\nname: lost\ndescription: Helps.\n---\nWork.\n";
        tree.write("/p/.agents/agents/found.md", agent);
        tree.write("/p/agents/lost.md", agent);
        tree.write("/p/README.txt", "Read me.");
        tree.write("/p/node_modules/x/agents/a.md", agent);
        let dialect = dialects::find("openhands").expect("it is known");
        let inputs = Inputs::new().project("/p");
        let profile = dialect.default_profile();
        let found = discover(&tree, dialect, profile, &inputs);
        let elsewhere = elsewhere(&tree, dialect, profile, &found.places, &[], Path::new("/p"));
        let files: Vec<_> = elsewhere
            .files
            .iter()
            .map(|file| (file.reported.as_str(), file.looks_like.as_deref()))
            .collect();
        assert_eq!(
            files,
            [("/p/README.txt", None), ("/p/agents/lost.md", Some("lost"))]
        );
        assert!(!elsewhere.cut);
    }
}
