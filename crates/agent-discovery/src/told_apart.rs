//! Telling dialects apart by the place of a file.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use agent_schema::dialect::{AllSuffix, Base, FileRules, Holds, NamedBy, SearchPlace, SearchRules};
use agent_schema::roster::LayeredRosterRules;
use agent_schema::{Dialect, Profile, dialects};

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
    let readers = readers_at(path, &Dialect::default_profile).into_iter();
    readers.map(|reader| reader.dialect).collect()
}

/// Returns the dialects that would read a file, each with its rules for the folder of the file. A
/// dialect without places, whose files have one name, is told by that name where no place tells
/// another one. Of each dialect the rules of the profile that `profile_of` chooses count.
#[must_use]
pub fn readers_at(
    path: &Path,
    profile_of: &dyn Fn(&'static Dialect) -> &'static Profile,
) -> Vec<Reader> {
    let by_place = readers_by_place(path, profile_of);
    if !by_place.is_empty() {
        return by_place;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let all = dialects::ALL.iter().copied();
    all.filter_map(|dialect| {
        let rules = &profile_of(dialect).rules;
        let agents = &rules.agents;
        let is_told = rules.roster.is_none()
            && agents.places.is_empty()
            && agents.files.accept(&name).is_ok()
            && (agents.files.suffix == name || is_other_name(&agents.files, path));
        is_told.then_some(Reader {
            dialect,
            files: &agents.files,
        })
    })
    .collect()
}

/// Returns whether a file has the second name that a skill may have, such as `skill.md`, where that
/// is plain: any other file may be called so, but not in a folder of its own among skills.
fn is_other_name(files: &FileRules, path: &Path) -> bool {
    let above = path.parent().and_then(Path::parent);
    let above = above.and_then(Path::file_name);
    files.all_suffix == AllSuffix::IsTheName && above.is_some_and(|name| name == "skills")
}

fn readers_by_place(
    path: &Path,
    profile_of: &dyn Fn(&'static Dialect) -> &'static Profile,
) -> Vec<Reader> {
    let all = dialects::ALL.iter().copied();
    all.filter_map(|dialect| {
        let files = rules_by_place(path, profile_of(dialect))?;
        Some(Reader { dialect, files })
    })
    .collect()
}

fn rules_by_place(path: &Path, profile: &'static Profile) -> Option<&'static FileRules> {
    let rules = &profile.rules;
    // The folders of layers have names that say little; the one file in them does.
    let other_file =
        |roster: &LayeredRosterRules| path.file_name().is_none_or(|name| name != roster.file);
    if rules.roster.as_ref().is_some_and(other_file) {
        return None;
    }
    let agents = &rules.agents;
    let mut places = agents.places.iter();
    places.find_map(|place| rules_in(path, place, &agents.files))
}

/// Returns whether a file lies in a folder of a harness's own, such as `.opencode`, but where the
/// harness looks for no agents. What stands there is meant for something else.
///
/// Of the path only what follows `top` counts, and its last folder: whoever names a folder inside
/// such a one knows what lies there.
#[must_use]
pub fn is_beside_agents(path: &Path, top: &Path, profile: &'static Profile) -> bool {
    let below = top.parent().and_then(|above| path.strip_prefix(above).ok());
    let folders = below
        .unwrap_or(path)
        .parent()
        .map(names)
        .unwrap_or_default();
    let agents = &profile.rules.agents;
    let mut searched = agents
        .places
        .iter()
        .flat_map(|place| folders_at(place, &agents.files));
    let is_inside = searched.any(|(mut own, _)| {
        own.pop();
        let is_its_own = own.iter().any(|name| name.starts_with('.'));
        is_its_own && folders.windows(own.len()).any(|window| window == own)
    });
    is_inside && rules_by_place(path, profile).is_none()
}

/// Returns the name that the path of a file gives to its agent, where that is more than its last
/// part: what stands behind a folder that the harness searches, of which the longest counts.
///
/// Folders of the harness's own are looked for in `full`, the path from the root on, and those that
/// may lie anywhere, such as `agents`, in the path as it is given: above, they are somebody else's.
#[must_use]
pub fn stem_at(path: &Path, full: &Path, profile: &'static Profile) -> Option<String> {
    let agents = &profile.rules.agents;
    if agents.files.named_by != NamedBy::Path {
        return None;
    }
    let behind = |path: &Path, folder: &[String]| {
        let mut parts = names(path);
        let last = parts.pop()?.into_owned();
        let at = parts.windows(folder.len()).rposition(|it| it == folder)?;
        let stem = parts[at + folder.len()..].iter().cloned();
        let stem = stem.chain([agents.files.stem(&last).into()]);
        Some((folder.len(), stem.collect::<Vec<_>>().join("/")))
    };
    let stems = agents.places.iter().flat_map(|place| {
        let own = folders_at(place, &agents.files).into_iter();
        let own = own.filter_map(|(folder, _)| behind(full, &folder));
        let anywhere = agent_folders(place, &agents.files).into_iter();
        let anywhere = anywhere.filter_map(|(below, _)| behind(path, &folder_names(&below)));
        own.chain(anywhere).collect::<Vec<_>>()
    });
    let longest = stems.max_by_key(|(length, _)| *length)?;
    Some(longest.1)
}

/// The names of a path.
fn names(path: &Path) -> Vec<Cow<'_, str>> {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy()),
        _ => None,
    });
    parts.collect()
}

/// Where a search begins that comes across a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchStart {
    /// In this project.
    Project(PathBuf),
    /// In this home.
    Home(PathBuf),
    /// In this folder of a plugin.
    Plugin(PathBuf),
    /// In this folder, which holds the layers of a roster.
    Layers(PathBuf),
    /// In this folder, which is the only layer of a roster.
    Layer(PathBuf),
}

/// Returns where a search begins that comes across a file, if the file is no agent itself but a
/// harness takes agents from it: a file of settings, the manifest of a plugin, or a layer of a
/// roster. It is told by the names that end its path, of which the longest count.
#[must_use]
pub fn search_start(path: &Path, profile: &Profile) -> Option<SearchStart> {
    let rules = &profile.rules;
    let manifest = rules.plugins.manifest.map(|manifest| manifest.file);
    let plugin =
        manifest.and_then(|file| Some((file.len(), SearchStart::Plugin(before(path, file)?))));
    let settings = settings_files(&rules.agents);
    let settings = settings.filter_map(|(base, file)| {
        let folder = before(path, &file)?;
        let start = match base {
            Base::Home | Base::Variable { .. } => SearchStart::Home(folder),
            _ => SearchStart::Project(folder),
        };
        Some((file.len(), start))
    });
    let layers = rules.roster.iter().flat_map(|roster| {
        let alone = before(path, roster.file).map(SearchStart::Layer);
        let alone = alone.map(|start| (roster.file.len(), start));
        let places = rules.agents.places.iter();
        let layers = places.filter_map(|place| {
            let file = format!("{}/{}", place.folder, roster.file);
            Some((file.len(), SearchStart::Layers(before(path, &file)?)))
        });
        alone.into_iter().chain(layers)
    });
    let all = plugin.into_iter().chain(settings).chain(layers);
    // Of equally long ones the first counts, as it is searched first.
    let longest = all.reduce(|best, other| if other.0 > best.0 { other } else { best });
    longest.map(|(_, start)| start)
}

/// Returns the project in which a harness comes across an agent or a skill, told by the folders
/// that lead to the file: the nearest one that has a place of the harness for it.
#[must_use]
pub fn project_around(path: &Path, profile: &'static Profile) -> Option<PathBuf> {
    let agents = &profile.rules.agents;
    let places = agents.places.iter().filter(|place| is_of_project(place));
    let starts = places.filter_map(|place| Some(place_in(path, place, &agents.files)?.0));
    let folders = folders_above(path);
    let skills = profile.rules.skills.folders();
    let skills = skills.filter(|place| is_of_project(place) && !place.folder.is_empty());
    let skills = skills.filter_map(|place| last_position(&folders, &folder_names(place.folder)));
    let start = starts.chain(skills).max()?;
    // A workspace may have a folder that is called as one of the project.
    let workspaces = agents.places.iter().filter_map(workspace_of);
    let around = workspaces.filter_map(|folder| {
        let names = folder_names(folder);
        last_position(&folders[..start], &names)
    });
    let start = around.min().unwrap_or(start);
    let folder: PathBuf = path.components().take(start).collect();
    Some(match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder,
    })
}

/// Returns whether a place lies in the folders of a project.
fn is_of_project(place: &SearchPlace) -> bool {
    matches!(
        place.base,
        Base::Project | Base::RealProject | Base::RepositoryRoot | Base::Nearest(_)
    )
}

/// Returns the folder of the project that is the workspace a place lies in, if nobody names one.
fn workspace_of(place: &SearchPlace) -> Option<&'static str> {
    match place.base {
        Base::Workspace(rule) | Base::SharedWorkspace(rule) | Base::Namespace(rule) => {
            Some(rule.or_project)
        }
        _ => None,
    }
}

fn folders_above(path: &Path) -> Vec<Component<'_>> {
    let folders = path.parent().map(|parent| parent.components().collect());
    folders.unwrap_or_default()
}

/// Returns how many folders stand before the last ones that have these names.
fn last_position(folders: &[Component<'_>], names: &[String]) -> Option<usize> {
    let mut windows = folders.windows(names.len().max(1));
    windows.rposition(|window| have_names(window, names))
}

fn have_names(folders: &[Component<'_>], names: &[String]) -> bool {
    let mut pairs = folders.iter().zip(names);
    pairs.all(|(folder, name)| folder.as_os_str() == name.as_str())
}

/// Lists the files of settings that are searched for agents, as paths below their base. Those that
/// only a variable names may have any name.
fn settings_files(agents: &SearchRules) -> impl Iterator<Item = (&Base, String)> {
    let parts = agents.places.iter().flat_map(|place| {
        let parts = place.parts.iter();
        let settings = parts.filter(|part| matches!(part.holds, Holds::Settings(_)));
        settings.map(move |part| (place, part))
    });
    parts.flat_map(|(place, part)| {
        let home = match place.base {
            Base::Variable { or_home, .. } => or_home,
            _ => "",
        };
        let joined = move |file: &&str| {
            let parts = [home, place.folder, file].into_iter();
            let named: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            (&place.base, named.join("/"))
        };
        let named = part.paths.iter().map(joined);
        named.filter(|(_, file)| !file.is_empty())
    })
}

/// Returns what stands before the names that end a path; `.` if nothing does.
fn before(path: &Path, names: &str) -> Option<PathBuf> {
    if !path.ends_with(names) {
        return None;
    }
    let count = Path::new(names).components().count();
    let folder = path.ancestors().nth(count)?;
    Some(match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder.to_owned(),
    })
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

/// Returns the names of the folders that lead to the agents of a place, those of the home
/// included, with what is an agent in each. A place that a person may put anywhere has none.
fn folders_at(
    place: &SearchPlace,
    files: &'static FileRules,
) -> Vec<(Vec<String>, &'static FileRules)> {
    let base = match place.base {
        Base::Variable { or_home, .. } => or_home,
        _ => "",
    };
    if base.is_empty() && place.folder.is_empty() {
        return Vec::new();
    }
    let folders = agent_folders(place, files).into_iter();
    let folders = folders.map(|(below, files)| {
        let parts = [base, below.as_str()].into_iter();
        (parts.flat_map(folder_names).collect(), files)
    });
    folders.collect()
}

fn folder_names(path: &str) -> Vec<String> {
    let names = path.split('/').filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// Returns the rules for a file in a place if the folders of the place stand in its path: right
/// above the file, or anywhere if the folders inside the place are searched too. A place that a
/// person may put anywhere tells nothing.
fn rules_in(
    path: &Path,
    place: &SearchPlace,
    files: &'static FileRules,
) -> Option<&'static FileRules> {
    place_in(path, place, files).map(|(_, files)| files)
}

/// Returns how many parts of a path stand before the folders of a place, and the rules for the file.
fn place_in(
    path: &Path,
    place: &SearchPlace,
    files: &'static FileRules,
) -> Option<(usize, &'static FileRules)> {
    let folders = folders_above(path);
    let before = |wanted: &[String], files: &FileRules| {
        if files.folders.are_searched() {
            return last_position(&folders, wanted);
        }
        let last = folders.len().checked_sub(wanted.len())?;
        have_names(&folders[last..], wanted).then_some(last)
    };
    let mut places = folders_at(place, files).into_iter();
    places.find_map(|(wanted, files)| Some((before(&wanted, files)?, files)))
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
        assert_eq!(ids("x/review/SKILL.md"), ["agent-skills"]);
        assert_eq!(ids("x/review/skill.md"), [""; 0]);
        assert_eq!(ids("x/skills/review/skill.md"), ["agent-skills"]);
        assert_eq!(ids("x/skills/review/Skill.md"), [""; 0]);
        assert!(!ids("x/.claude/agents/SKILL.md").contains(&"agent-skills"));
    }

    #[test]
    fn what_lies_beside_the_agents_of_a_harness_is_none() {
        let beside = |path: &str, top: &str, dialect: &str| {
            let dialect = dialects::find(dialect).expect("it is known");
            is_beside_agents(Path::new(path), Path::new(top), dialect.default_profile())
        };
        let prompt = "/x/.opencode/prompts/agents/a.md";
        assert!(beside(prompt, "/x", "opencode"));
        assert!(beside(prompt, "/x/.opencode", "opencode"));
        assert!(!beside(prompt, "/x/.opencode/prompts", "opencode"));
        assert!(!beside(prompt, "/x", "claude-code"));
        assert!(!beside("/x/.opencode/agents/deep/a.md", "/x", "opencode"));
        assert!(!beside("/x/agents/a.md", "/x", "opencode"));
        assert!(beside("/x/.claude/commands/a.md", "/x", "claude-code"));
        assert!(beside("/x/.pi/agents/embry/AGENTS.md", "/x", "pi"));
        let pi = dialects::find("pi").expect("it is known");
        let searching = pi.profile("pi-subagents-0.67.0").expect("it is known");
        let deep = Path::new("/x/.pi/agents/embry/AGENTS.md");
        assert!(!is_beside_agents(deep, Path::new("/x"), searching));
    }

    #[test]
    fn a_path_names_an_agent_where_the_harness_takes_it_so() {
        let stem = |path: &str, dialect: &str| {
            let dialect = dialects::find(dialect).expect("it is known");
            let full = Path::new("/home/agents").join(path);
            stem_at(Path::new(path), &full, dialect.default_profile())
        };
        let named = |name: &str| Some(name.to_owned());
        let deep = "x/.opencode/agents/team/hit.md";
        assert_eq!(stem(deep, "opencode"), named("team/hit"));
        assert_eq!(stem("x/agent/team/v1.2.md", "opencode"), named("team/v1.2"));
        let twice = "x/.opencode/agents/agents/hit.md";
        assert_eq!(stem(twice, "opencode"), named("agents/hit"));
        assert_eq!(stem("x/docs/hit.md", "opencode"), None);
        assert_eq!(stem("x/.claude/agents/team/hit.md", "claude-code"), None);
    }

    #[test]
    fn a_project_lies_around_the_folders_of_its_agents_and_skills() {
        let around = |path: &str, dialect: &str| {
            let dialect = dialects::find(dialect).expect("it is known");
            project_around(Path::new(path), dialect.default_profile())
        };
        let project = |path: &str| Some(PathBuf::from(path));
        assert_eq!(
            around("x/.claude/agents/deep/a.md", "claude-code"),
            project("x")
        );
        assert_eq!(around(".claude/agents/a.md", "claude-code"), project("."));
        let skill = "x/y/.claude/skills/tea/SKILL.md";
        assert_eq!(around(skill, "claude-code"), project("x/y"));
        assert_eq!(around("x/skills/tea/SKILL.md", "claude-code"), None);
        let in_workspace = "x/.agentscope/workspace/subagents/a.md";
        assert_eq!(around(in_workspace, "agentscope"), project("x"));
        assert_eq!(around("x/subagents/a.md", "agentscope"), project("x"));
    }

    #[test]
    fn a_search_for_a_file_begins_before_its_place() {
        let start = |path: &str, dialect: &str| {
            let dialect = dialects::find(dialect).expect("it is known");
            search_start(Path::new(path), dialect.default_profile())
        };
        let project = |path: &str| Some(SearchStart::Project(PathBuf::from(path)));
        assert_eq!(start("x/opencode.json", "opencode"), project("x"));
        assert_eq!(start("opencode.jsonc", "opencode"), project("."));
        assert_eq!(start("x/.opencode/opencode.json", "opencode"), project("x"));
        let home = Some(SearchStart::Home(PathBuf::from("h")));
        assert_eq!(start("h/.config/opencode/opencode.json", "opencode"), home);
        let plugin = Some(SearchStart::Plugin(PathBuf::from("x/p")));
        let manifest = "x/p/.claude-plugin/plugin.json";
        assert_eq!(start(manifest, "claude-code"), plugin);
        let layers = Some(SearchStart::Layers(PathBuf::from("x")));
        assert_eq!(start("x/project/agent-config.yaml", "nebuko"), layers);
        let layer = Some(SearchStart::Layer(PathBuf::from("x")));
        assert_eq!(start("x/agent-config.yaml", "nebuko"), layer);
        for dialect in dialects::ALL {
            assert_eq!(start("x/.claude/agents/a.md", dialect.id), None);
        }
    }

    #[test]
    fn the_nearest_project_is_around_an_agent() {
        let project = |path: &str, dialect: &str| {
            let dialect = dialects::find(dialect).expect("it is known");
            project_around(Path::new(path), dialect.default_profile())
        };
        let is_at = |path: &str| Some(PathBuf::from(path));
        assert_eq!(project(".claude/agents/a.md", "claude-code"), is_at("."));
        assert_eq!(
            project("x/.claude/agents/b/a.md", "claude-code"),
            is_at("x")
        );
        let nested = "/x/.claude/agents/y/.claude/agents/a.md";
        assert_eq!(project(nested, "claude-code"), is_at("/x/.claude/agents/y"));
        assert_eq!(project("/x/.agents/agents/a.md", "openhands"), is_at("/x"));
        assert_eq!(project("/x/.agents/agents/b/a.md", "openhands"), None);
        assert_eq!(project("/x/.claude/agents/a.md", "openhands"), None);
    }
}
