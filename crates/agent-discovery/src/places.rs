//! Where a harness searches: the places of its table, with their real paths.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use agent_schema::dialect::{
    Base, NameOrder, Part, Pass, SearchPlace, Switch, Walk, WalkEnd, WalkStop, WorkspaceRule,
};
use agent_schema::{Diagnostic, Level, rules};

use crate::file_tree::{FileError, FileTree, Item, Kind};
use crate::inputs::Inputs;
use crate::order;
use crate::reported::reported;
use crate::repository;
use crate::surroundings;

/// A place that was searched, or would have been.
#[derive(Debug, Clone, PartialEq)]
pub struct Searched {
    /// The level of what is found there.
    pub level: Level,
    /// The folder. For a place that is switched off for want of a base, its path below the base.
    pub path: PathBuf,
    /// How far below it files were looked for.
    pub extent: Extent,
    /// What was found.
    pub state: PlaceState,
    /// The number of the first of the places that count as one with it; its own if it is alone.
    pub unit: usize,
    /// How many folders above the one in which a walk upwards began it lies; unset where nothing
    /// was walked.
    pub above: Option<usize>,
}

/// How far below a place files are looked for; what reaches further is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// In the folder itself.
    Folder,
    /// Also in all folders in it.
    WithFolders,
}

impl Searched {
    /// Returns whether the files of a folder were looked at.
    #[must_use]
    pub fn covers(&self, folder: &Path) -> bool {
        match self.extent {
            Extent::Folder => self.path == folder,
            Extent::WithFolders => folder.starts_with(&self.path),
        }
    }
}

/// What a searched place turned out to be.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PlaceState {
    /// A folder with so many items.
    Listed {
        /// The number of its items.
        entries: usize,
    },
    /// Nothing is there.
    Missing,
    /// Something is there, but no folder; it counts as nothing.
    NotAFolder,
    /// A folder that cannot be listed.
    Unreadable(Box<Diagnostic>),
    /// The project leads there, and it is not looked at because it lies outside.
    Outside(Box<Diagnostic>),
    /// Its level is switched off, or has no folder to start from.
    SwitchedOff,
    /// The same folder as an earlier place; its items are counted there.
    SameAs(usize),
}

/// A place of a table, with its real path.
pub(crate) struct Located {
    pub(crate) level: Level,
    pub(crate) base: Base,
    pub(crate) path: PathBuf,
    /// Whether it is searched at all.
    pub(crate) switched_on: bool,
    /// Whether what lies there waits until the project is trusted.
    pub(crate) held_back: bool,
    /// What is searched inside it.
    pub(crate) parts: &'static [Part],
    /// The text that counts as a file at its path.
    pub(crate) text: Option<String>,
    pub(crate) pass: Pass,
    /// Whether a project leads there that may not lead so far: nothing of it is looked at.
    pub(crate) refused: bool,
    /// How many folders above the one in which a walk upwards began it lies.
    pub(crate) above: Option<usize>,
}

/// Drops every place that an earlier one repeats: the same path with the same parts. A walk
/// upwards can pass the home, which is then not merged a second time.
pub(crate) fn drop_repeated(places: &mut Vec<Located>) {
    let mut seen: HashSet<(PathBuf, *const [Part])> = HashSet::new();
    places.retain(|place| {
        !place.switched_on || seen.insert((place.path.clone(), std::ptr::from_ref(place.parts)))
    });
}

/// Finds the real paths of the places of a table, in its order.
pub(crate) fn locate(
    tree: &dyn FileTree,
    table: &[SearchPlace],
    switches: &[Switch],
    inputs: &Inputs,
) -> Vec<Located> {
    let rows = table.iter();
    rows.flat_map(|place| {
        let left_out = switches
            .iter()
            .any(|switch| switch.leaves_out.contains(&place.level) && is_on(switch, inputs));
        let mut located = locate_one(tree, place, inputs);
        for place in &mut located {
            place.switched_on &= !left_out;
        }
        located
    })
    .collect()
}

pub(crate) fn locate_one(
    tree: &dyn FileTree,
    place: &SearchPlace,
    inputs: &Inputs,
) -> Vec<Located> {
    let located = |folder: Option<PathBuf>| Located {
        level: place.level,
        base: place.base,
        switched_on: folder.is_some() && is_included(place.level, inputs),
        held_back: place.needs_trust && inputs.trusted != Some(true),
        path: below(folder.unwrap_or_default(), place.folder),
        parts: place.parts,
        pass: place.pass,
        refused: false,
        above: None,
        text: match place.base {
            Base::VariableText { name } => variable(name, inputs).map(str::to_owned),
            _ => None,
        },
    };
    let each = |folders: &mut dyn Iterator<Item = PathBuf>| -> Vec<Located> {
        folders.map(|folder| located(Some(folder))).collect()
    };
    let shown = |folders: Vec<PathBuf>| match place.base {
        Base::Project | Base::RealProject => {
            let ways = Ways::of(tree, inputs);
            folders.iter().map(|folder| ways.as_given(folder)).collect()
        }
        _ => folders,
    };
    match (place.base, place.walk) {
        (Base::Added, _) => each(&mut inputs.added.iter().rev().cloned()),
        (Base::Plugins, _) => each(&mut inputs.plugins.iter().cloned()),
        (Base::Managed, _) => each(&mut inputs.managed.iter().cloned()),
        (Base::Listed(list), _) => {
            let listed = surroundings::listed_folders(tree, list, inputs);
            let mut places = each(&mut listed.kept.into_iter());
            places.extend(
                each(&mut listed.refused.into_iter())
                    .into_iter()
                    .map(|it| Located {
                        refused: true,
                        ..it
                    }),
            );
            places
        }
        (Base::MainRepository, _) => {
            each(&mut main_repository(tree, place.folder, inputs).into_iter())
        }
        (Base::Layers(layers), _) if inputs.only_layer.is_some() => {
            // It counts as the weakest layer, which needs no other one.
            let is_weakest = layers.first() == Some(&place.folder);
            let only = inputs.only_layer.clone().filter(|_| is_weakest);
            let place = located(only.clone());
            vec![Located {
                path: only.unwrap_or(place.path),
                ..place
            }]
        }
        (Base::Project, Walk::Stays) => vec![located(inputs.project.clone())],
        (base, Walk::Stays) => {
            let folder = base_folder(tree, base, inputs);
            let folder = shown(folder.into_iter().collect()).pop();
            vec![located(folder)]
        }
        (base, Walk::Up { until, first }) => match base_folder(tree, base, inputs) {
            Some(base) => {
                // A relative path does not say what is above it.
                let from = tree.real_path(&base).ok().filter(|_| base.is_relative());
                let folders = walk_up(tree, from.as_ref().unwrap_or(&base), until, inputs);
                let mut places = each(&mut shown(folders).into_iter());
                for (above, place) in places.iter_mut().enumerate() {
                    place.above = Some(above);
                }
                if first == WalkEnd::Farthest {
                    places.reverse();
                }
                places
            }
            None => vec![located(None)],
        },
    }
}

/// The ways to a project that is given as a relative path and to the folders above it, by their real
/// paths.
pub(crate) struct Ways<'a>(HashMap<PathBuf, Vec<&'a Path>>);

impl<'a> Ways<'a> {
    pub(crate) fn of(tree: &dyn FileTree, inputs: &'a Inputs) -> Self {
        let given = inputs.project.as_deref();
        let given = given.filter(|given| given.is_relative());
        let mut by_real: HashMap<PathBuf, Vec<&Path>> = HashMap::new();
        for way in given.into_iter().flat_map(Path::ancestors) {
            let way = match way.as_os_str().is_empty() {
                true => Path::new("."),
                false => way,
            };
            if let Ok(real) = tree.real_path(way) {
                by_real.entry(real).or_default().push(way);
            }
        }
        Ways(by_real)
    }

    /// Returns the path of a folder in the terms in which the project is given: the project itself,
    /// or a folder on the way to it. Where links are on the way, and for all other folders, the path
    /// stays as it is.
    pub(crate) fn as_given(&self, folder: &Path) -> PathBuf {
        let names = |way: &Path| -> PathBuf {
            way.components()
                .filter(|part| *part != Component::CurDir)
                .collect()
        };
        let mut ways = self.0.get(folder).into_iter().flatten();
        let same = ways.find(|way| folder.ends_with(names(way)));
        same.map_or(folder, |way| way).to_path_buf()
    }
}

/// Returns a path below a folder; an empty one is the folder itself.
pub(crate) fn below(folder: PathBuf, path: &str) -> PathBuf {
    match path {
        "" => folder,
        path => folder.join(path),
    }
}

/// Returns a variable that is set and not empty.
fn variable<'a>(name: &str, inputs: &'a Inputs) -> Option<&'a str> {
    let value = inputs.variables.get(name).map(String::as_str);
    value.filter(|value| !value.is_empty())
}

/// Returns whether a switch of the harness is on.
pub(crate) fn is_on(switch: &Switch, inputs: &Inputs) -> bool {
    let says_so = |value: &str| value == "1" || value.eq_ignore_ascii_case("true");
    let value = switch.variable.and_then(|name| variable(name, inputs));
    inputs.switches.contains(switch.name) || value.is_some_and(says_so)
}

/// Finds the main folder of the repository of which the project is another worktree, unless the
/// worktree has the folder itself.
fn main_repository(tree: &dyn FileTree, folder: &str, inputs: &Inputs) -> Option<PathBuf> {
    let worktree = repository_root(tree, inputs.project.as_deref()?)?;
    if tree.kind(&worktree.join(folder)).is_ok() {
        return None;
    }
    main_of(tree, &worktree)
}

/// Finds the root of the repository around the project, through worktrees to the main folder.
fn main_checkout(tree: &dyn FileTree, inputs: &Inputs) -> Option<PathBuf> {
    let root = repository_root(tree, inputs.project.as_deref()?)?;
    let root = main_of(tree, &root).unwrap_or(root);
    let home = inputs.home.as_deref();
    let is_home = home.is_some_and(|home| same_folder(tree, &root, home));
    (!is_home).then_some(root)
}

/// Finds the main folder of a repository by one of its worktrees.
fn main_of(tree: &dyn FileTree, worktree: &Path) -> Option<PathBuf> {
    const LONGEST: usize = 1 << 16;
    let pointer = tree.read(&worktree.join(".git"), LONGEST).ok()?;
    let pointer = String::from_utf8(pointer).ok()?;
    let own = worktree.join(pointer.trim().strip_prefix("gitdir:")?.trim());
    // The pointer leads to `<main>/.git/worktrees/<name>`.
    let worktrees = own.parent()?;
    let git = worktrees.parent()?;
    let is_worktree = worktrees.ends_with("worktrees") && git.ends_with(".git");
    let main = git.parent().filter(|_| is_worktree)?;
    Some(tree.real_path(main).unwrap_or_else(|_| main.to_owned()))
}

/// Lists the folders of a walk, the nearest first.
fn walk_up(tree: &dyn FileTree, from: &Path, until: &[WalkStop], inputs: &Inputs) -> Vec<PathBuf> {
    let home = inputs
        .home
        .as_deref()
        .filter(|_| until.contains(&WalkStop::BelowHome));
    let real_home = home.and_then(|home| tree.real_path(home).ok());
    let is_home = |folder: &Path| {
        let is_real = |real: &PathBuf| tree.real_path(folder).is_ok_and(|it| it == *real);
        home == Some(folder) || real_home.as_ref().is_some_and(is_real)
    };
    let root = until
        .contains(&WalkStop::AcceptedRepository)
        .then(|| repository::accepted_root(tree, from))
        .flatten();
    let or_base = until.contains(&WalkStop::RepositoryOrBase);
    if or_base && repository_root(tree, from).is_none() {
        return vec![from.to_path_buf()];
    }
    let at_root = or_base || until.contains(&WalkStop::Repository);
    let mut folders = Vec::new();
    for folder in from.ancestors() {
        if is_home(folder) {
            break;
        }
        folders.push(folder.to_path_buf());
        if at_root && is_repository_root(tree, folder) {
            break;
        }
        if root.as_deref() == Some(folder) {
            break;
        }
    }
    folders
}

/// Returns whether two paths lead to the same folder.
pub(crate) fn same_folder(tree: &dyn FileTree, one: &Path, other: &Path) -> bool {
    let real = |path| tree.real_path(path).ok();
    one == other || real(one).is_some_and(|one| Some(one) == real(other))
}

/// Finds the folder in which a path of a table begins.
pub(crate) fn base_folder(tree: &dyn FileTree, base: Base, inputs: &Inputs) -> Option<PathBuf> {
    match base {
        Base::Project => inputs.project.clone(),
        Base::RealProject => {
            let project = inputs.project.as_deref()?;
            Some(
                tree.real_path(project)
                    .unwrap_or_else(|_| project.to_owned()),
            )
        }
        Base::Workspace(rule) => workspace(rule, inputs),
        Base::SharedWorkspace(rule) => match namespace(inputs) {
            Some(_) => None,
            None => workspace(rule, inputs),
        },
        Base::Namespace(rule) => Some(workspace(rule, inputs)?.join(namespace(inputs)?)),
        Base::RepositoryRoot => repository_root(tree, inputs.project.as_deref()?),
        Base::MainRepository => main_repository(tree, "", inputs),
        Base::MainCheckout => main_checkout(tree, inputs),
        Base::Added => inputs.added.last().cloned(),
        Base::Plugins => inputs.plugins.first().cloned(),
        Base::Managed => inputs.managed.clone(),
        Base::ManagedOr(or) => Some(inputs.managed.clone().unwrap_or_else(|| or.into())),
        Base::Home => inputs.home.clone(),
        Base::Nearest(rule) => surroundings::nearest(tree, rule, inputs),
        Base::Listed(list) => surroundings::listed_folders(tree, list, inputs)
            .kept
            .into_iter()
            .next(),
        Base::Variable { name, or_home } => {
            let value = inputs.variables.get(name);
            match value.filter(|value| !value.is_empty()) {
                Some(value) => Some(expand_home(value, inputs)),
                None => Some(inputs.home.as_deref()?.join(or_home)),
            }
        }
        Base::Layers(layers) => match &inputs.layers {
            Some(folder) => Some(folder.clone()),
            None => Some(layers_folder(tree, layers, inputs.project.as_deref()?)),
        },
        Base::VariableOr { name, or } => Some(PathBuf::from(variable(name, inputs).unwrap_or(or))),
        Base::VariableAlone { name } => Some(from_project(variable(name, inputs)?, inputs)),
        Base::VariableText { name } => {
            variable(name, inputs).map(|_| PathBuf::from(format!("env:{name}")))
        }
    }
}

/// Returns a path as the harness finds it: a relative one begins in the working folder.
fn from_project(path: &str, inputs: &Inputs) -> PathBuf {
    match &inputs.project {
        Some(project) => project.join(path),
        None => PathBuf::from(path),
    }
}

/// Finds the workspace. A relative path of a variable begins at the project.
fn workspace(rule: WorkspaceRule, inputs: &Inputs) -> Option<PathBuf> {
    if let Some(workspace) = &inputs.workspace {
        return Some(workspace.clone());
    }
    let mut variables = rule.variables.iter();
    let named = variables.find_map(|name| {
        let value = inputs.variables.get(*name)?;
        (!value.trim().is_empty()).then_some(value)
    });
    match (named, &inputs.project) {
        (Some(path), Some(project)) => Some(project.join(path)),
        (Some(path), None) => Some(PathBuf::from(path)),
        (None, project) => Some(project.as_deref()?.join(rule.or_project)),
    }
}

/// Returns the workspace that the places of a table speak of.
pub(crate) fn main_workspace(table: &[SearchPlace], inputs: &Inputs) -> Option<PathBuf> {
    let mut places = table.iter();
    places.find_map(|place| match place.base {
        Base::Workspace(rule) | Base::SharedWorkspace(rule) | Base::Namespace(rule) => {
            workspace(rule, inputs)
        }
        _ => None,
    })
}

/// Returns the name of the folder that belongs to the user, or else to the session.
fn namespace(inputs: &Inputs) -> Option<&str> {
    let named = |id: &'_ &String| !id.trim().is_empty();
    let user = inputs.user.as_ref().filter(named);
    user.or_else(|| inputs.session.as_ref().filter(named))
        .map(String::as_str)
}

/// Finds the folder that holds the layers of a roster; without any, it would be the project.
fn layers_folder(tree: &dyn FileTree, layers: &[&str], project: &Path) -> PathBuf {
    let holds_layer = |folder: &&Path| {
        let mut layers = layers.iter();
        layers.any(|layer| tree.kind(&folder.join(layer)) == Ok(Kind::Folder))
    };
    let mut candidates = project.ancestors().take(2);
    candidates
        .find(holds_layer)
        .unwrap_or(project)
        .to_path_buf()
}

/// Returns whether a level is searched.
pub(crate) fn is_included(level: Level, inputs: &Inputs) -> bool {
    match level {
        Level::Project => inputs.include_project,
        Level::User | Level::Global | Level::Home => inputs.include_user,
        _ => true,
    }
}

/// Finds the nearest folder that holds a `.git`, folder or file; a relative path is followed no
/// further than its own first part.
pub(crate) fn repository_root(tree: &dyn FileTree, folder: &Path) -> Option<PathBuf> {
    let mut candidates = folder.ancestors();
    candidates
        .find(|candidate| is_repository_root(tree, candidate))
        .map(Path::to_path_buf)
}

pub(crate) fn is_repository_root(tree: &dyn FileTree, folder: &Path) -> bool {
    tree.kind(&folder.join(".git")).is_ok()
}

pub(crate) fn expand_home(value: &str, inputs: &Inputs) -> PathBuf {
    match (value.strip_prefix('~'), &inputs.home) {
        (Some(""), Some(home)) => home.clone(),
        (Some(rest), Some(home)) if rest.starts_with('/') => home.join(&rest[1..]),
        _ => PathBuf::from(value),
    }
}

/// What a look into a folder gives.
pub(crate) enum Survey {
    /// Its items, in the order in which they are visited.
    Items(Vec<Item>),
    /// Nothing, or something that is no folder.
    Nothing(PlaceState),
    /// It cannot be listed.
    Unreadable(FileError),
}

/// Looks into a folder.
pub(crate) fn survey(tree: &dyn FileTree, folder: &Path, order: NameOrder) -> Survey {
    let listed = match tree.kind(folder) {
        Ok(Kind::Folder) => tree.list(folder),
        Ok(_) => return Survey::Nothing(PlaceState::NotAFolder),
        Err(error) => Err(error),
    };
    match listed {
        Ok(mut items) => {
            order::sort(&mut items, order);
            Survey::Items(items)
        }
        Err(FileError::Missing | FileError::NotAFolder | FileError::Circle) => {
            Survey::Nothing(match tree.own_kind(folder) {
                Ok(_) => PlaceState::NotAFolder,
                Err(_) => PlaceState::Missing,
            })
        }
        Err(error) => Survey::Unreadable(error),
    }
}

/// Tells that a folder cannot be listed.
pub(crate) fn unreadable_folder(title: &str, folder: &Path, error: &FileError) -> Diagnostic {
    Diagnostic::new(
        &rules::UNREADABLE_FOLDER,
        format!(
            "the folder `{}` cannot be listed: {error}",
            reported(folder)
        ),
    )
    .because(format!("{title} finds nothing of what is in it"))
    .help("give yourself the right to list it, or remove it")
}
