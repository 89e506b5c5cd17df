//! The types in which a harness's rules for skills are written down.

use crate::definition::FieldName;
use crate::dialect::{Case, Level, ManifestRules, ReadingRules, SearchPlace, Switch};
use crate::surroundings::PackageSource;

/// Which skills an agent may name.
#[derive(Debug)]
pub struct SkillRules {
    /// The folders, weakest level first; inside a level the first one that has a name keeps it.
    pub places: &'static [SearchPlace],
    /// Which of the folders holds what was installed.
    pub installed: Option<InstalledSkills>,
    /// Instruction files that count as skills: (file name in lower case, skill name).
    pub instruction_files: &'static [(&'static str, &'static str)],
    /// Whether a fault that the harness did not expect, such as a key that is no text, loses all
    /// skills of the folder and not just the file.
    pub unforeseen_fault_loses_folder: bool,
    /// How the file of a skill is read where these tables say it; unset where the search for
    /// skills knows.
    pub reading: Option<SkillReading>,
    /// How skills are searched source by source; unset for a harness that gathers them level by
    /// level, by the members above.
    pub search: Option<&'static SkillSearch>,
    /// How the skills are told to the model.
    pub listing: SkillListing,
    /// Says why a skill of a name may be there although no place holds it.
    pub unseen: fn(&str) -> Option<&'static str>,
}

/// How the file of a skill is read.
#[derive(Debug, Clone, Copy)]
pub struct SkillReading {
    /// The name of the file, in a folder that names the skill.
    pub file: &'static str,
    /// How it is read. The folder is [`crate::ParseInputs::folder`].
    pub rules: &'static ReadingRules,
}

/// A folder with skills that were installed. Only those with a folder of their own count.
#[derive(Debug, Clone, Copy)]
pub struct InstalledSkills {
    /// The folder, which is also one of the places.
    pub place: SearchPlace,
    /// The file in it that keeps account of them. It is JSON.
    pub record: &'static str,
    /// The key of the map from their names.
    pub names: &'static str,
    /// The key that switches one off by `false`.
    pub enabled: &'static str,
}

impl SkillRules {
    /// No skills at all.
    pub const NONE: SkillRules = SkillRules {
        places: &[],
        installed: None,
        instruction_files: &[],
        unforeseen_fault_loses_folder: false,
        reading: None,
        search: None,
        listing: SkillListing::Unknown,
        unseen: |_| None,
    };

    /// Skills that are searched source by source.
    #[must_use]
    pub const fn searched(search: &'static SkillSearch, listing: SkillListing) -> SkillRules {
        SkillRules {
            search: Some(search),
            listing,
            ..SkillRules::NONE
        }
    }

    /// The file that stands in the folder of a skill.
    pub const FILE: &str = "SKILL.md";

    /// Returns how the file of a skill is read, where the tables say it.
    #[must_use]
    pub fn file_reading(&self) -> Option<&'static ReadingRules> {
        let alone = self.reading.map(|reading| reading.rules);
        alone.or_else(|| self.search.map(|search| search.reading))
    }

    /// Returns the folders that are searched for skills.
    pub fn folders(&self) -> impl Iterator<Item = &SearchPlace> {
        let sources = self.search.iter().flat_map(|search| search.sources);
        let folders = sources.filter_map(|source| match source {
            SkillSource::Folder(folder) => Some(&folder.place),
            _ => None,
        });
        self.places.iter().chain(folders)
    }
}

/// How skills are searched source by source.
#[derive(Debug)]
pub struct SkillSearch {
    /// How the file of a skill is read.
    pub reading: &'static ReadingRules,
    /// Where skills come from, in the order that [`SkillSearch::same_name`] speaks of.
    pub sources: &'static [SkillSource],
    /// What gives a skill its name.
    pub named_by: NamedBy,
    /// Who has a name that is found more than once.
    pub same_name: SameName,
    /// What a fault costs in a loose file, one that is not called `SKILL.md`.
    pub loose_faults: LooseFaults,
    /// The levels of which nothing is read while the project is not trusted.
    pub trusted_levels: &'static [Level],
    /// What in a project makes the harness ask whether to trust it.
    pub trust_signs: &'static [TrustSign],
    /// Whether the case of a name counts when a skill is asked for.
    pub lookup: Case,
    /// The sign before which a name may be cut when a skill is asked for.
    pub cut_at: Option<char>,
    /// What the harness has beside these sources, of which no skill can be listed: a sentence for
    /// people on each.
    pub unlisted: &'static [&'static str],
}

/// Where skills come from.
#[derive(Debug)]
pub enum SkillSource {
    /// A folder.
    Folder(SkillFolder),
    /// The list of files and folders in a file of settings.
    Settings(SettingsFile),
    /// The packages that a file of settings names.
    Packages(SettingsFile),
    /// The files and folders that are named on the command line.
    CommandLine(&'static SkillScan),
    /// Plugins.
    Plugins(PluginSkills),
    /// The folders of one path in the folders below another one.
    Below(SkillsBelow),
    /// The folders that a map in settings switches on, beside those of the table that it may
    /// switch off.
    Mapped(MappedFolders),
    /// The files and folders that the manifests of packages name.
    Manifests(ManifestSkills),
}

impl SkillSource {
    /// Returns where it is, if it is at one place.
    #[must_use]
    pub fn place(&self) -> Option<&SearchPlace> {
        match self {
            SkillSource::Folder(folder) => Some(&folder.place),
            SkillSource::Settings(file) | SkillSource::Packages(file) => Some(&file.place),
            SkillSource::Plugins(plugins) => Some(&plugins.place),
            SkillSource::Below(below) => Some(&below.place),
            SkillSource::Mapped(folders) => Some(&folders.place),
            SkillSource::CommandLine(_) | SkillSource::Manifests(_) => None,
        }
    }
}

/// A map in files of settings from folders to `true` or `false`. A path that begins with `~/` is
/// one of the home, any other one of the project; absolute ones and patterns do not count.
#[derive(Debug)]
pub struct FolderMap {
    /// The files, the weaker ones first; of those in one group the first that is there counts. The
    /// maps of all of them are laid over each other.
    pub files: &'static [&'static [SearchPlace]],
    /// The key of the map.
    pub key: &'static str,
}

/// The folders that a map in settings switches on.
#[derive(Debug)]
pub struct MappedFolders {
    /// The map.
    pub map: &'static FolderMap,
    /// Where the paths begin, and thereby which of them are meant.
    pub place: SearchPlace,
    /// Which files of a folder are skills.
    pub scan: &'static SkillScan,
}

/// The files and folders that the manifests of packages name.
#[derive(Debug)]
pub struct ManifestSkills {
    /// The level that has the packages.
    pub within: Level,
    /// Where packages come from.
    pub packages: &'static [PackageSource],
    /// The file of a package that names them. It is JSON.
    pub manifest: &'static str,
    /// The keys that lead to the list in it.
    pub keys: &'static [&'static str],
    /// The key of the path in an entry of the list; unset if each entry is a path.
    pub path_key: Option<&'static str>,
    /// Which files of a folder are skills.
    pub scan: &'static SkillScan,
}

/// The plugins at a place, and which of their files are skills.
#[derive(Debug)]
pub struct PluginSkills {
    /// Where they are: with [`Base::Plugins`](crate::dialect::Base::Plugins) a folder is a plugin itself, or holds some if it is
    /// none; any other folder holds them.
    pub place: SearchPlace,
    /// The files by which a plugin is known and in which it says what it holds; the first one that
    /// is there counts.
    pub manifests: &'static [&'static str],
    /// How the manifest is checked; a plugin whose manifest fails is lost.
    pub checked: Option<ManifestRules>,
    /// The folder of a plugin that holds skills.
    pub folder: &'static str,
    /// Which files of that folder are skills.
    pub scan: &'static SkillScan,
    /// The key of the manifest with the paths of more folders: those of skills, or such as hold
    /// some.
    pub more: Option<&'static str>,
    /// Whether the plugin is part of the name.
    pub names: PluginNames,
    /// The field of a skill that names it in the place of its folder.
    pub named_by: Option<FieldName>,
    /// The field that names a `SKILL.md` of the plugin itself, which counts if the plugin has no
    /// other skills; unset if it never does.
    pub own_file: Option<FieldName>,
}

/// Whether a plugin is part of the names of its skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluginNames {
    /// A skill is called as any other.
    Plain,
    /// The name of the plugin and a colon stand before it.
    Qualified,
}

/// The folders of one path in the folders below another one. Their skills are called as any other,
/// but one whose name another skill has too gets the path of the folder and a colon before it.
#[derive(Debug)]
pub struct SkillsBelow {
    /// The base that the folders lie below, with the path that each may have.
    pub place: SearchPlace,
    /// Names of folders that are not entered.
    pub skipped_folders: &'static [&'static str],
    /// Files that say which others do not count, as git has them.
    pub ignore_files: &'static [&'static str],
    /// Which files of such a folder are skills.
    pub scan: &'static SkillScan,
}

/// A folder that holds skills.
#[derive(Debug)]
pub struct SkillFolder {
    /// Where it is.
    pub place: SearchPlace,
    /// Which of its files are skills.
    pub scan: &'static SkillScan,
    /// Whether the folder of this path in the home is left out, because another source has it.
    pub skips_home: bool,
    /// The settings whose patterns may switch off what is found here.
    pub switched_by: Option<&'static SettingsFile>,
    /// What switches the folder off.
    pub unless: Option<&'static Switch>,
    /// The map in settings that may switch off what is found here.
    pub mapped: Option<&'static FolderMap>,
    /// How the harness says that a skill of the folder was found.
    pub found_by: FoundBy,
}

/// What in a project makes a harness ask whether to trust it.
#[derive(Debug)]
pub struct TrustSign {
    /// A file or folder that is there.
    pub place: SearchPlace,
    /// Whether the one in the home does not count.
    pub skips_home: bool,
}

/// How a skill was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoundBy {
    /// It lies where the harness looks by itself.
    Search,
    /// Settings name it, or the folder that it lies in.
    Settings,
    /// It belongs to a package that settings name.
    Package,
    /// The command line names it, or the folder that it lies in.
    CommandLine,
    /// It lies in a folder below the project, where the harness looks once it works on a file
    /// there.
    Below,
}

/// What a fault costs in a loose file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LooseFaults {
    /// The file is dropped with a word, as a `SKILL.md` is.
    Told,
    /// The file is dropped without a word.
    Silent,
}

impl SkillFolder {
    /// Makes a folder that no settings switch off.
    #[must_use]
    pub const fn new(place: SearchPlace, scan: &'static SkillScan) -> SkillFolder {
        SkillFolder {
            place,
            scan,
            skips_home: false,
            switched_by: None,
            unless: None,
            mapped: None,
            found_by: FoundBy::Search,
        }
    }
}

/// A file of settings, in JSON.
#[derive(Debug)]
pub struct SettingsFile {
    /// The folder that its paths are relative to, which also holds it.
    pub place: SearchPlace,
    /// Its name.
    pub name: &'static str,
    /// Which files of a folder that it names are skills.
    pub scan: &'static SkillScan,
    /// Whether the list of skills holds patterns that choose among what the paths bring: `!` with a
    /// pattern takes away, `+` with a path puts back, `-` with a path takes away for good.
    pub patterns: bool,
    /// The folder of a package that holds its skills if the package does not say.
    pub package_folder: Option<&'static str>,
}

/// Which files of a folder are skills.
#[derive(Debug, Clone, Copy)]
pub struct SkillScan {
    /// How many folders must lie between the searched one and the `SKILL.md` of a skill.
    pub shallowest: usize,
    /// How many may lie there.
    pub deepest: usize,
    /// What a folder inside a skill's folder is.
    pub inside: InsideSkill,
    /// Whether folders whose name starts with a dot are entered.
    pub hidden: Hidden,
    /// Names of folders that are not entered.
    pub skipped_folders: &'static [&'static str],
    /// Which other Markdown files are skills.
    pub loose: Loose,
    /// Whether the case of the suffix of a loose file counts.
    pub suffix_case: Case,
    /// Whether links to files are followed.
    pub file_links: bool,
    /// Whether links to folders are followed.
    pub folder_links: bool,
    /// Files that say which others do not count, as git has them.
    pub ignore_files: &'static [&'static str],
    /// The path that the harness gives for a skill.
    pub reported: Reported,
    /// The order in which the items of a folder are visited.
    pub order: Order,
}

/// What a folder inside a skill's folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsideSkill {
    /// It is searched like any other.
    Searched,
    /// It belongs to the skill.
    Skipped,
}

/// Whether folders whose name starts with a dot are entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// They are.
    Entered,
    /// They are not.
    Skipped,
}

/// Which Markdown files other than `SKILL.md` are skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loose {
    /// None.
    None,
    /// Those directly in the searched folder.
    Top,
    /// Those directly in the searched folder, which come before those with a folder of their own.
    TopFirst,
    /// Those in the folders below it.
    Below,
}

/// The path that a harness gives for a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    /// The one by which it was found.
    AsFound,
    /// The one without links.
    Real,
}

/// The order in which the items of a folder are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By code point; a folder with all that it holds at once.
    Ascending,
    /// The same backwards.
    Descending,
    /// By code point, but the folders of a folder only after all its other items.
    BreadthFirst,
}

/// What gives a skill its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// Its header, as the rules for reading it say.
    Header,
    /// Its folder, or for a loose file the name without the suffix; the header does not count.
    Place,
}

/// Who has a name that is found more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameName {
    /// The first one.
    FirstWins,
    /// The last one.
    LastWins,
    /// Each of them. All skills are listed in the order of the levels of the sources, inside a
    /// level by name, and those of one name by path.
    AllKept,
    /// One of them, and the harness leaves open which: it may be another one at the next start.
    NotFixed,
}

/// How skills are told to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillListing {
    /// `<available_skills>` with every tag on a line of its own and no indent, also when there is
    /// no skill.
    TagPerLine,
    /// `<available_skills>` with indented tags, a value on the line of its tag; nothing at all
    /// when there is no skill.
    Indented,
    /// Not known.
    Unknown,
}

impl SkillListing {
    /// Writes the list: name, description and path of each skill.
    #[must_use]
    pub fn write<'a>(
        self,
        skills: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
    ) -> Option<String> {
        let mut skills = skills.into_iter().peekable();
        let mut lines = vec!["<available_skills>".to_owned()];
        match self {
            SkillListing::Unknown => return None,
            SkillListing::Indented if skills.peek().is_none() => return Some(String::new()),
            SkillListing::Indented => {
                for (name, description, path) in skills {
                    lines.push("  <skill>".to_owned());
                    let values = [
                        ("name", name),
                        ("description", description),
                        ("location", path),
                    ];
                    for (tag, value) in values {
                        let value = escape(value, "&apos;");
                        lines.push(format!("    <{tag}>{value}</{tag}>"));
                    }
                    lines.push("  </skill>".to_owned());
                }
            }
            SkillListing::TagPerLine => {
                for (name, description, path) in skills {
                    // The reference library escapes all but the path.
                    let values = [
                        ("name", escape(name, "&#x27;")),
                        ("description", escape(description, "&#x27;")),
                        ("location", path.to_owned()),
                    ];
                    lines.push("<skill>".to_owned());
                    for (tag, value) in values {
                        lines.extend([format!("<{tag}>"), value, format!("</{tag}>")]);
                    }
                    lines.push("</skill>".to_owned());
                }
            }
        }
        lines.push("</available_skills>".to_owned());
        Some(lines.join("\n"))
    }
}

fn escape(text: &str, apostrophe: &str) -> String {
    let escaped = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;");
    escaped.replace('\'', apostrophe)
}
