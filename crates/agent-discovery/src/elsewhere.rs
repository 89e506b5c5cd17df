//! The files of a project that lie in no place that is searched.
//!
//! A file in the wrong folder is the quietest way to lose an agent: no harness ever sees it. To
//! account for it, somebody has to look where the harness does not.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use agent_schema::dialect::Field;
use agent_schema::parse::parse_accepted;
use agent_schema::text::MappedText;
use agent_schema::{Dialect, FieldName, File, ParseInputs, Profile};

use crate::file_tree::{FileTree, Kind};
use crate::places::Searched;
use crate::reported::reported;
use crate::told_apart::dialects_at;

/// The most items that are looked at; a larger project is cut there.
pub const MOST_ITEMS: usize = 50_000;

/// The most bytes that are read to tell whether a file looks like an agent.
const MOST_BYTES: usize = 1 << 20;

/// Folders that hold other people's files or none that a person wrote.
pub const PASSED_OVER: [&str; 3] = [".git", "node_modules", "target"];

/// What one harness searched.
#[derive(Debug, Clone, Copy)]
pub struct Looked<'a> {
    /// The harness.
    pub dialect: &'static Dialect,
    /// The version of its rules.
    pub profile: &'static Profile,
    /// The places of agents.
    pub places: &'a [Searched],
    /// The places of skills.
    pub skills: &'a [Searched],
}

/// The files of a project that lie in no place that a harness searches.
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
    /// description, and that would load if it lay where the harness looks. Where the folders of
    /// the file are those of other harnesses, or its keys fit one that was asked for along with
    /// this one better, it looks like nothing of this one.
    pub looks_like: Option<String>,
}

/// Lists the files of a project that the searches for agents and skills of some harnesses did not
/// come across, for each harness those of its own, sorted by path. Links are not followed; `.git`,
/// `node_modules` and `target` are passed over.
///
/// There is one walk for all harnesses, in which no file is read twice. If only one name is
/// `wanted`, files that cannot have it are not parsed and look like nothing.
#[must_use]
pub fn elsewhere(
    tree: &dyn FileTree,
    looked: &[Looked<'_>],
    project: &Path,
    wanted: Option<&str>,
) -> Vec<Elsewhere> {
    let readers: Vec<Reader<'_>> = looked.iter().map(Reader::of).collect();
    // Places may lie under their real paths although the project is given by another one.
    let real = |path: &Path| tree.real_path(path).unwrap_or_else(|_| path.to_owned());
    let places: Vec<RealPlaces> = looked.iter().map(|it| RealPlaces::of(it, &real)).collect();
    let mut out = vec![Elsewhere::default(); looked.len()];
    let mut folders = VecDeque::from([Folder {
        path: project.to_owned(),
        // No link is followed below it, so that real paths are found without asking.
        real: real(project),
        looked: (0..looked.len()).collect(),
    }]);
    let mut left = MOST_ITEMS;
    while let Some(folder) = folders.pop_front() {
        let searched = |index: &usize| places[*index].cover(&folder.real);
        let unsearched: Vec<usize> = folder
            .looked
            .iter()
            .copied()
            .filter(|it| !searched(it))
            .collect();
        let told = dialects_at(&folder.path.join("agent"));
        let mut items = tree.list(&folder.path).unwrap_or_default();
        items.sort();
        for item in items {
            if left == 0 {
                out.iter_mut().for_each(|it| it.cut = true);
                break;
            }
            left -= 1;
            let (path, real) = (folder.path.join(&item.name), folder.real.join(&item.name));
            match item.kind {
                Kind::Folder if PASSED_OVER.iter().any(|name| item.name == *name) => {}
                Kind::Folder => {
                    let mut looked = folder.looked.clone();
                    looked.retain(|index| !places[*index].skills.contains(&real));
                    if !looked.is_empty() {
                        folders.push_back(Folder { path, real, looked });
                    }
                }
                Kind::File => {
                    // A place may be a file itself.
                    let is_place = |index: &usize| places[*index].agents.contains_key(&real);
                    let indices: Vec<usize> = unsearched
                        .iter()
                        .copied()
                        .filter(|it| !is_place(it))
                        .collect();
                    let asked = indices.iter().map(|index| &readers[*index]);
                    let asked = asked.filter(|reader| reader.may_mean(&told));
                    let names = looks_like(tree, &path, &asked.collect::<Vec<_>>(), wanted);
                    for index in indices {
                        let id = looked[index].dialect.id;
                        out[index].files.push(ElsewhereFile {
                            reported: reported(&path),
                            looks_like: names.get(&id).cloned(),
                            path: path.clone(),
                        });
                    }
                }
                _ => {}
            }
        }
    }
    for found in &mut out {
        found.files.sort_by(|one, other| one.path.cmp(&other.path));
    }
    out
}

/// A folder that is still to be listed.
struct Folder {
    path: PathBuf,
    real: PathBuf,
    /// The harnesses to which it is no place of skills.
    looked: Vec<usize>,
}

/// The places of one harness by their real paths.
struct RealPlaces {
    agents: HashMap<PathBuf, Searched>,
    skills: Vec<PathBuf>,
}

impl RealPlaces {
    fn of(looked: &Looked<'_>, real: &dyn Fn(&Path) -> PathBuf) -> Self {
        let mut agents: HashMap<PathBuf, Searched> = HashMap::new();
        for place in looked.places {
            let path = real(&place.path);
            let known = agents.get(&path).map(|known| known.extent);
            // Of one folder that is searched twice the wider search counts.
            if known.is_none_or(|known| place.extent > known) {
                let place = Searched {
                    path: path.clone(),
                    ..place.clone()
                };
                agents.insert(path, place);
            }
        }
        RealPlaces {
            agents,
            skills: looked
                .skills
                .iter()
                .map(|place| real(&place.path))
                .collect(),
        }
    }

    /// Returns whether the files of a folder were looked at.
    fn cover(&self, folder: &Path) -> bool {
        self.agents.values().any(|place| place.covers(folder))
    }
}

/// How one harness would read a file.
struct Reader<'a> {
    looked: &'a Looked<'a>,
    /// The keys of its fields.
    keys: HashSet<&'static str>,
    /// Those that say what an agent is.
    telling: HashSet<&'static str>,
}

/// The fields that say what an agent is.
const TELLING: [FieldName; 2] = [FieldName::NAME, FieldName::DESCRIPTION];

impl<'a> Reader<'a> {
    fn of(looked: &'a Looked<'a>) -> Self {
        let fields = looked.profile.rules.reading.fields;
        let keys = |of: &dyn Fn(&Field) -> bool| {
            let fields = fields.iter().filter(|field| of(field));
            fields
                .flat_map(|field| field.aliases.iter().copied().chain([field.key]))
                .collect()
        };
        Reader {
            looked,
            keys: keys(&|_| true),
            telling: keys(&|field| TELLING.contains(&field.target)),
        }
    }

    /// Returns whether a file can be meant for the harness that lies in folders of these ones.
    fn may_mean(&self, told: &[&'static Dialect]) -> bool {
        told.is_empty() || told.iter().any(|told| told.id == self.looked.dialect.id)
    }

    /// Counts the keys of a file that the harness knows; `None` if none of them says what the
    /// file is, or if it cannot have the name that is wanted. Costs much less than parsing.
    fn known_keys(&self, bytes: &[u8], stem: &str, wanted: Option<&str>) -> Option<usize> {
        let reading = &self.looked.profile.rules.reading;
        let text = MappedText::decode(bytes, reading.encoding).ok()?;
        let header = reading.header.split(&text).header?;
        let header = &text.as_str()[header.text];
        if wanted.is_some_and(|wanted| stem != wanted && !header.contains(wanted)) {
            return None;
        }
        let keys: Vec<&str> = header.lines().filter_map(key).collect();
        let known = keys.iter().filter(|key| self.keys.contains(*key)).count();
        let tells = keys.iter().any(|key| self.telling.contains(key));
        tells.then_some(known)
    }

    /// Tells the name of the agent that a file would be.
    fn parse(&self, file: File<'_>) -> Option<String> {
        let Looked {
            dialect, profile, ..
        } = *self.looked;
        let stem = profile.rules.agents.files.stem(file.name);
        let (reading, inputs) = (&profile.rules.reading, ParseInputs::new());
        let parsed = parse_accepted(file, stem, dialect, reading, &inputs);
        let definition = parsed.outcome.definition()?;
        let is_written = |field| definition.place(field).is_some();
        let says_what_it_is = TELLING.into_iter().any(is_written);
        says_what_it_is.then(|| definition.name().to_owned())
    }
}

/// The key that a line of a header sets, in YAML or in JSON.
fn key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once(':')?;
    Some(key.trim_matches(['"', '\'', ' ', '\t', '{', ',']))
}

/// Tells the name of the agent that a file looks like, by the dialects of those that could mean
/// it: of these readers the ones that know most of its keys.
fn looks_like(
    tree: &dyn FileTree,
    path: &Path,
    readers: &[&Reader<'_>],
    wanted: Option<&str>,
) -> HashMap<&'static str, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let files = |reader: &Reader<'_>| &reader.looked.profile.rules.agents.files;
    let accepts = |reader: &&&Reader<'_>| files(reader).accept(&name).is_ok();
    let readers: Vec<&&Reader<'_>> = readers.iter().filter(accepts).collect();
    if readers.is_empty() {
        return HashMap::new();
    }
    let Ok(bytes) = tree.read(path, MOST_BYTES) else {
        return HashMap::new();
    };
    let known: Vec<Option<usize>> = readers
        .iter()
        .map(|reader| reader.known_keys(&bytes, files(reader).stem(&name), wanted))
        .collect();
    let most = known.iter().flatten().max().copied();
    let file = File {
        name: &name,
        bytes: &bytes,
    };
    readers
        .iter()
        .zip(known)
        .filter(|(_, known)| known.is_some() && *known == most)
        .filter_map(|(reader, _)| Some((reader.looked.dialect.id, reader.parse(file)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, MemoryTree, discover};
    use agent_schema::dialects;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const AGENT: &str = "---\nname: lost\ndescription: Helps.\n---\nWork.\n";

    fn look(tree: &dyn FileTree, ids: &[&str]) -> Vec<Elsewhere> {
        let inputs = Inputs::new().project("/p");
        let found: Vec<_> = ids
            .iter()
            .map(|id| {
                let dialect = dialects::find(id).expect("it is known");
                discover(tree, dialect, dialect.default_profile(), &inputs)
            })
            .collect();
        let looked: Vec<Looked<'_>> = found
            .iter()
            .map(|found| Looked {
                dialect: found.dialect,
                profile: found.profile,
                places: &found.places,
                skills: &[],
            })
            .collect();
        elsewhere(tree, &looked, Path::new("/p"), None)
    }

    fn files(found: &Elsewhere) -> Vec<(&str, Option<&str>)> {
        let files = found.files.iter();
        files
            .map(|file| (file.reported.as_str(), file.looks_like.as_deref()))
            .collect()
    }

    #[test]
    fn files_outside_the_places_are_told() {
        let mut tree = MemoryTree::new();
        tree.write("/p/.agents/agents/found.md", AGENT);
        tree.write("/p/agents/lost.md", AGENT);
        tree.write("/p/README.txt", "Read me.");
        tree.write("/p/node_modules/x/agents/a.md", AGENT);
        let found = look(&tree, &["openhands"]);
        assert_eq!(
            files(&found[0]),
            [("/p/README.txt", None), ("/p/agents/lost.md", Some("lost"))]
        );
        assert!(!found[0].cut);
    }

    #[test]
    fn each_harness_has_its_own_answer() {
        let mut tree = MemoryTree::new();
        tree.write("/p/.openhands/agents/a.md", AGENT);
        tree.write("/p/sub/.claude/agents/b.md", AGENT);
        tree.write("/p/c.md", AGENT);
        let found = look(&tree, &["openhands", "claude-code"]);
        assert_eq!(
            files(&found[0]),
            [
                ("/p/c.md", Some("lost")),
                ("/p/sub/.claude/agents/b.md", None)
            ],
            "the folder of another harness says whose the file is"
        );
        assert_eq!(
            files(&found[1]),
            [
                ("/p/.openhands/agents/a.md", None),
                ("/p/c.md", Some("lost")),
                ("/p/sub/.claude/agents/b.md", Some("lost")),
            ]
        );
    }

    #[test]
    fn the_keys_of_a_file_tell_whose_it_is() {
        let mut tree = MemoryTree::new();
        tree.write("/p/.openhands/agents/a.md", AGENT);
        tree.write(
            "/p/b.md",
            "---\nname: claude-s\ndescription: Helps.\npermissionMode: plan\n---\nWork.\n",
        );
        tree.write(
            "/p/c.md",
            "---\nname: hands\ndescription: Helps.\nmax_iteration_per_run: 3\n---\nWork.\n",
        );
        let found = look(&tree, &["openhands", "claude-code"]);
        assert_eq!(
            files(&found[0]),
            [("/p/b.md", None), ("/p/c.md", Some("hands"))]
        );
        assert_eq!(files(&found[1])[1], ("/p/b.md", Some("claude-s")));
        let alone = look(&tree, &["openhands"]);
        assert_eq!(files(&alone[0])[0], ("/p/b.md", Some("claude-s")));
    }

    #[test]
    fn one_name_can_be_looked_for() {
        let mut tree = MemoryTree::new();
        tree.write("/p/a.md", AGENT);
        tree.write("/p/found.md", "---\ndescription: Helps.\n---\nWork.\n");
        let dialect = dialects::find("openhands").expect("it is known");
        let profile = dialect.default_profile();
        let looked = [Looked {
            dialect,
            profile,
            places: &[],
            skills: &[],
        }];
        let found = elsewhere(&tree, &looked, Path::new("/p"), Some("found"));
        assert_eq!(
            files(&found[0]),
            [("/p/a.md", None), ("/p/found.md", Some("found"))]
        );
    }

    /// A tree that counts how often it is asked.
    struct Counting {
        tree: MemoryTree,
        lists: AtomicUsize,
        reads: AtomicUsize,
    }

    impl FileTree for Counting {
        fn list(&self, folder: &Path) -> Result<Vec<crate::Item>, crate::FileError> {
            self.lists.fetch_add(1, Ordering::Relaxed);
            self.tree.list(folder)
        }

        fn kind(&self, path: &Path) -> Result<Kind, crate::FileError> {
            self.tree.kind(path)
        }

        fn own_kind(&self, path: &Path) -> Result<Kind, crate::FileError> {
            self.tree.own_kind(path)
        }

        fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, crate::FileError> {
            self.reads.fetch_add(1, Ordering::Relaxed);
            self.tree.read(path, most)
        }

        fn real_path(&self, path: &Path) -> Result<PathBuf, crate::FileError> {
            self.tree.real_path(path)
        }

        fn identity(&self, path: &Path) -> Option<crate::FileId> {
            self.tree.identity(path)
        }
    }

    #[test]
    fn one_walk_serves_all_harnesses() {
        let mut tree = MemoryTree::new();
        for number in 0..7 {
            tree.write(format!("/p/docs/{number}.md"), AGENT);
        }
        let tree = Counting {
            tree,
            lists: AtomicUsize::new(0),
            reads: AtomicUsize::new(0),
        };
        let all: Vec<Looked<'_>> = ["openhands", "claude-code", "opencode", "pi"]
            .iter()
            .map(|id| {
                let dialect = dialects::find(id).expect("it is known");
                let profile = dialect.default_profile();
                Looked {
                    dialect,
                    profile,
                    places: &[],
                    skills: &[],
                }
            })
            .collect();
        let found = elsewhere(&tree, &all, Path::new("/p"), None);
        assert!(found.iter().all(|found| found.files.len() == 7));
        assert_eq!(tree.lists.load(Ordering::Relaxed), 2);
        assert_eq!(tree.reads.load(Ordering::Relaxed), 7);
    }
}
