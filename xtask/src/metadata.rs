//! What cargo knows of the workspace and of all that it depends on.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The packages of the workspace and their dependencies.
#[derive(Debug)]
pub(crate) struct Metadata {
    target: PathBuf,
    /// All packages, those of the workspace among them.
    pub(crate) packages: Vec<Package>,
}

/// One package.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    pub(crate) license: Option<String>,
    pub(crate) rust_version: Option<String>,
    /// Whether it belongs to the workspace.
    pub(crate) ours: bool,
    /// Whether it may be published.
    pub(crate) published: bool,
    /// Whether other crates can use it.
    library: bool,
    /// Whether it brings a build script or a procedural macro.
    pub(crate) runs_when_built: bool,
    pub(crate) dependencies: Vec<Dependency>,
    fields: Value,
}

/// A dependency as a manifest names it.
#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// The versions that are asked for, `*` if none is.
    pub(crate) versions: String,
    /// Whether it lies in a folder beside.
    pub(crate) beside: bool,
    /// Whether only tests need it.
    pub(crate) for_tests: bool,
}

impl Metadata {
    /// Asks cargo.
    pub(crate) fn read(root: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let output = Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--locked"])
            .current_dir(root)
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().into());
        }
        let answer: Value = serde_json::from_slice(&output.stdout)?;
        let members = list(&answer["workspace_members"]);
        let packages = list(&answer["packages"]).iter();
        Ok(Metadata {
            target: PathBuf::from(text(&answer["target_directory"])),
            packages: packages
                .map(|fields| Package::new(fields, members.contains(&fields["id"])))
                .collect(),
        })
    }

    /// The folder of the pages that rustdoc makes.
    pub(crate) fn doc(&self) -> PathBuf {
        self.target.join("doc")
    }

    /// The folder of the packages that cargo makes.
    pub(crate) fn packages_folder(&self) -> PathBuf {
        self.target.join("package")
    }

    /// A folder of that name beside what is built.
    pub(crate) fn target_folder(&self, name: &str) -> PathBuf {
        self.target.join(name)
    }

    /// The packages that are published.
    pub(crate) fn published(&self) -> impl Iterator<Item = &Package> {
        let packages = self.packages.iter();
        packages.filter(|package| package.ours && package.published)
    }

    /// The published packages that other crates can use.
    pub(crate) fn libraries(&self) -> impl Iterator<Item = &Package> {
        self.published().filter(|package| package.library)
    }

    /// The packages that come from elsewhere.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| !package.ours)
    }
}

impl Package {
    fn new(fields: &Value, ours: bool) -> Self {
        let manifest = Path::new(text(&fields["manifest_path"]));
        let targets = list(&fields["targets"]).iter();
        let kinds: Vec<&Value> = targets.flat_map(|target| list(&target["kind"])).collect();
        let has = |kind: &str| kinds.iter().any(|known| *known == kind);
        Package {
            name: text(&fields["name"]).to_owned(),
            version: text(&fields["version"]).to_owned(),
            folder: manifest.parent().unwrap_or(manifest).to_path_buf(),
            license: fields["license"].as_str().map(str::to_owned),
            rust_version: fields["rust_version"].as_str().map(str::to_owned),
            ours,
            // No list means every registry, an empty one none.
            published: fields["publish"].is_null(),
            library: has("lib"),
            runs_when_built: has("custom-build") || has("proc-macro"),
            dependencies: list(&fields["dependencies"])
                .iter()
                .map(Dependency::new)
                .collect(),
            fields: fields.clone(),
        }
    }

    /// Returns whether its manifest says something for a key.
    pub(crate) fn says(&self, key: &str) -> bool {
        match &self.fields[key] {
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => false,
        }
    }
}

impl Dependency {
    fn new(fields: &Value) -> Self {
        Dependency {
            name: text(&fields["name"]).to_owned(),
            versions: text(&fields["req"]).to_owned(),
            beside: fields["path"].is_string(),
            for_tests: fields["kind"] == "dev",
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
