//! Model profiles in folders of JSON files.
//!
//! What a profile is and where the default folder lies is data of the dialect; this module
//! interprets it on a [`FileTree`].

use std::path::{Path, PathBuf};

use agent_discovery::{FileError, FileTree, Inputs, Kind, References};
use agent_schema::coerce::{Problem, Remarks};
use agent_schema::dialect::{Base, ModelProfileRules};
use agent_schema::text::{ByteOrderMark, Encoding, InvalidBytes, LineEnds, MappedText};
use agent_schema::{LineIndex, Node, Profile, Span, json};

use crate::catalog::{ModelAnswer, ModelCatalog, ModelProfile, ModelTrouble};
use crate::config::LanguageModel;

/// The largest profile that is read, in bytes. No harness has a limit of its own; a larger one
/// counts as broken instead of filling the memory.
pub const LARGEST_PROFILE: usize = 1 << 20;

/// The stores of model profiles on a file tree.
///
/// The harness creates the folder of a store when it looks into it; here nothing is created and
/// a folder that is not there counts as empty.
#[derive(Clone)]
pub struct ProfileStores<'a> {
    tree: &'a dyn FileTree,
    rules: &'static ModelProfileRules,
    default: Option<PathBuf>,
    working_folder: PathBuf,
    /// The folders in which a store that a definition names must lie, beside the working folder;
    /// unset if it may lie anywhere.
    inside: Option<Vec<PathBuf>>,
}

impl<'a> ProfileStores<'a> {
    /// Takes the folder of the default store from the dialect and the inputs.
    ///
    /// Unless the inputs say that the project is trusted or ask for all references, a definition
    /// can only name stores in the working folder, the home and the default store.
    #[must_use]
    pub fn new(tree: &'a dyn FileTree, profile: &'static Profile, inputs: &Inputs) -> Self {
        let factory = &profile.rules.factory;
        let default = base_folder(factory.profile_store.base, inputs)
            .map(|base| base.join(factory.profile_store.folder));
        let anywhere = inputs.trusted == Some(true) || inputs.references == References::All;
        let known = inputs.home.iter().chain(&default).cloned();
        ProfileStores {
            tree,
            rules: &factory.model_profiles,
            inside: (!anywhere).then(|| known.collect()),
            default,
            working_folder: PathBuf::new(),
        }
    }

    /// Sets the folder from which a definition's relative store path is taken; without it the
    /// tree decides.
    #[must_use]
    pub fn working_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.working_folder = folder.into();
        self
    }

    /// Returns the folder of a store as a definition writes it, or of the default one; none if
    /// the default one has no home to lie in.
    ///
    /// A written path is taken literally: `~` is the name of a folder.
    #[must_use]
    pub fn folder(&self, store: Option<&str>) -> Option<PathBuf> {
        match store {
            Some(written) => Some(self.working_folder.join(written)),
            None => self.default.clone(),
        }
    }

    /// Returns whether a folder may be looked at. One that is not there shows nothing.
    fn may_be_read(&self, folder: &Path) -> bool {
        let (Some(inside), Ok(real)) = (&self.inside, self.tree.real_path(folder)) else {
            return true;
        };
        let mut roots = inside.iter().chain([&self.working_folder]);
        roots.any(|root| {
            let root = self.tree.real_path(root);
            root.is_ok_and(|root| real.starts_with(root))
        })
    }

    /// Lists what the harness creates for a store, outer folders first.
    fn missing(&self, store: Option<&str>, folder: &Path) -> Vec<PathBuf> {
        // The parent of a relative path never leads out of the working folder.
        let parent = match store.map(Path::new) {
            Some(written) => self
                .working_folder
                .join(written.parent().unwrap_or(written)),
            None => folder.parent().unwrap_or(folder).to_owned(),
        };
        let inside = self.rules.made_inside.iter().map(|name| folder.join(name));
        let beside = self.rules.made_beside.iter().map(|name| parent.join(name));
        let mut missing = Vec::new();
        for path in inside.chain(beside) {
            for path in self.missing_on_the_way(&path) {
                if !missing.contains(&path) {
                    missing.push(path);
                }
            }
        }
        missing
    }

    fn missing_on_the_way(&self, path: &Path) -> Vec<PathBuf> {
        let is_missing = |path: &&Path| {
            !path.as_os_str().is_empty() && self.tree.own_kind(path) == Err(FileError::Missing)
        };
        let mut missing: Vec<PathBuf> = path
            .ancestors()
            .take_while(is_missing)
            .map(Path::to_owned)
            .collect();
        missing.reverse();
        missing
    }

    /// Lists the names of the profiles in a folder, sorted.
    fn names(&self, folder: &Path) -> Result<Vec<String>, FileError> {
        let items = match self.tree.list(folder) {
            Ok(items) => items,
            // A link that leads nowhere keeps the harness from creating the folder.
            Err(FileError::Missing) if self.tree.own_kind(folder) != Ok(Kind::Link) => Vec::new(),
            Err(error) => return Err(error),
        };
        // Hidden files and folders with the suffix are listed too.
        let mut names: Vec<String> = items
            .iter()
            .filter_map(|item| item.name.to_str()?.strip_suffix(self.rules.suffix))
            .map(str::to_owned)
            .collect();
        names.sort();
        Ok(names)
    }

    fn load(&self, name: &str, store: Option<&str>) -> Result<ModelProfile, ModelTrouble> {
        let unknown = |available| ModelTrouble::Unknown {
            name: name.to_owned(),
            available,
        };
        let folder = self.folder(store).ok_or_else(|| unknown(Vec::new()))?;
        if store.is_some() && !self.may_be_read(&folder) {
            return Err(ModelTrouble::UnusableStore {
                name: name.to_owned(),
                path: folder,
                reason: "it lies outside the project, and is not looked at unless the project is \
                         trusted"
                    .to_owned(),
            });
        }
        let available = self
            .names(&folder)
            .map_err(|error| ModelTrouble::UnusableStore {
                name: name.to_owned(),
                path: folder.clone(),
                reason: error.to_string(),
            })?;
        let wanted = self.without_suffix(name);
        if !available.iter().any(|available| available == wanted) {
            return Err(unknown(available));
        }
        // The harness takes the suffix away once more here, so that of `x.json.json` it looks
        // for the first and reads `x.json`.
        let stem = self.without_suffix(wanted);
        if !(self.rules.allows)(stem) {
            return Err(ModelTrouble::NameNotAllowed {
                name: wanted.to_owned(),
                allowed: self.rules.allowed,
            });
        }
        let path = folder.join(format!("{stem}{}", self.rules.suffix));
        match self.read(&path) {
            Ok(model) => Ok(ModelProfile {
                name: stem.to_owned(),
                model,
                path: Some(path),
            }),
            Err(reason) => Err(ModelTrouble::Broken {
                name: wanted.to_owned(),
                path,
                reason,
            }),
        }
    }

    fn without_suffix<'n>(&self, name: &'n str) -> &'n str {
        name.strip_suffix(self.rules.suffix).unwrap_or(name)
    }

    /// Reads a profile; the error tells what is wrong and where.
    fn read(&self, path: &Path) -> Result<LanguageModel, String> {
        let bytes = self
            .tree
            .read(path, LARGEST_PROFILE)
            .map_err(|error| error.to_string())?;
        let at = |span: Span| {
            let position = LineIndex::new(&bytes).line_column(&bytes, span.start);
            format!("line {}, column {}", position.line, position.column)
        };
        let text = MappedText::decode(&bytes, ENCODING)
            .map_err(|offset| format!("{}: it is not UTF-8", at(Span::new(offset, offset))))?;
        let node = json::read(&text, json::PYTHON)
            .map_err(|error| format!("{}: {}", at(error.span), error.message))?;
        let profile = (self.rules.read)(&node, &mut Remarks::default()).map_err(
            |Problem {
                 span, complaint, ..
             }| format!("{}: it {complaint}", at(span)),
        )?;
        let text = |key| member(&profile, key).unwrap_or_default().to_owned();
        Ok(LanguageModel {
            model: text("model"),
            usage_id: text("usage_id"),
        })
    }
}

impl std::fmt::Debug for ProfileStores<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProfileStores")
            .field("default", &self.default)
            .field("working_folder", &self.working_folder)
            .finish_non_exhaustive()
    }
}

impl ModelCatalog for ProfileStores<'_> {
    fn look_up(&self, name: &str, store: Option<&str>) -> ModelAnswer {
        let found = self.load(name, store);
        let harness_would_create = match (&found, self.folder(store)) {
            // Where no folder can stand, none is created.
            (Err(ModelTrouble::UnusableStore { .. }), _) | (_, None) => Vec::new(),
            (_, Some(folder)) => self.missing(store, &folder),
        };
        ModelAnswer {
            found,
            harness_would_create,
        }
    }
}

/// JSON files are read as they are; a byte order mark spoils them.
const ENCODING: Encoding = Encoding {
    invalid: InvalidBytes::Refused,
    byte_order_mark: ByteOrderMark::Kept,
    line_ends: LineEnds::Kept,
};

fn member<'n>(object: &'n Node, key: &str) -> Option<&'n str> {
    object.as_map()?.get(key)?.value.as_text()
}

/// Finds the folder in which a path of the dialect begins.
fn base_folder(base: Base, inputs: &Inputs) -> Option<PathBuf> {
    let home = inputs.home.as_deref();
    match base {
        Base::Home => home.map(Path::to_owned),
        Base::Managed => inputs.managed.clone(),
        Base::ManagedOr(or) => Some(inputs.managed.clone().unwrap_or_else(|| or.into())),
        // Nothing that a search would have to find holds models.
        Base::Project
        | Base::RealProject
        | Base::RepositoryRoot
        | Base::MainRepository
        | Base::MainCheckout
        | Base::Added
        | Base::Plugins
        | Base::Layers(_)
        | Base::Nearest(_)
        | Base::Listed(_) => inputs.project.clone(),
        Base::Workspace(_) | Base::SharedWorkspace(_) | Base::Namespace(_) => {
            inputs.workspace.clone()
        }
        Base::Variable { name, or_home } => match inputs.variables.get(name).map(String::as_str) {
            None | Some("") => home.map(|home| home.join(or_home)),
            // Unlike the path in a definition, this one may begin at the home.
            Some("~") => home.map(Path::to_owned),
            Some(value) => match value.strip_prefix("~/") {
                Some(rest) => home.map(|home| home.join(rest)),
                None => Some(PathBuf::from(value)),
            },
        },
        Base::VariableOr { name, or } => {
            let value = inputs.variables.get(name).map(String::as_str);
            Some(PathBuf::from(value.unwrap_or(or)))
        }
        Base::VariableAlone { name } => inputs.variables.get(name).map(PathBuf::from),
        // A text is no folder.
        Base::VariableText { .. } => None,
    }
}
