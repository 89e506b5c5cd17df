//! A search for skills that is made again: the same answer as a new search, with fewer reads, and a
//! list of what is different.
#![expect(
    clippy::disallowed_methods,
    reason = "the disk is searched as it really is"
)]

mod counting;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use agent_discovery::{
    Change, DiskTree, FileError, FileId, FileTree, Inputs, Item, Kind, MemoryTree, Skills, Stamp,
    Standing, discover_skills, skill_changes,
};
use agent_schema::{Dialect, Level, Limit, Profile, dialects};
use counting::Counting;
use proptest::prelude::*;

fn find(id: &str) -> (&'static Dialect, &'static Profile) {
    let mut dialects = dialects::ALL.iter().chain(dialects::skills::LOADERS);
    let dialect = dialects.find(|it| it.id == id).expect("it is known");
    (dialect, dialect.default_profile())
}

fn skill(name: &str, text: &str) -> String {
    format!("---\nname: {name}\ndescription: Reads the {name} files.\n---\n{text}\n")
}

/// What changed, a line each.
fn lines(changes: &[Change]) -> Vec<String> {
    let word = |standing: &Option<Standing>| match standing {
        None => "nothing".to_owned(),
        Some(standing) => match standing.other() {
            Some(other) => format!("{} by {other}", standing.code()),
            None => standing.code().to_owned(),
        },
    };
    let line = |change: &Change| {
        let (before, now) = (word(&change.before), word(&change.now));
        let fields: Vec<&str> = change.fields.iter().map(|field| field.as_str()).collect();
        let (name, at) = (&change.name, &change.source.reported);
        format!("{name} {at}: {before} -> {now} {}", fields.join(","))
            .trim_end()
            .to_owned()
    };
    changes.iter().map(line).collect()
}

/// A search that is made again and again.
struct Looks<T> {
    tree: Counting<T>,
    inputs: Inputs,
    rules: (&'static Dialect, &'static Profile),
    skills: Skills,
}

impl<T: FileTree> Looks<T> {
    fn new(id: &str, tree: T, inputs: Inputs) -> Self {
        let (rules, tree) = (find(id), Counting::new(tree));
        let inputs = inputs.trusted(true).remembering();
        let skills = discover_skills(&tree, rules.0, rules.1, &inputs);
        tree.read();
        Looks {
            tree,
            inputs,
            rules,
            skills,
        }
    }

    /// Returns what is different, and the names of what was read for that.
    fn again(&mut self) -> (Vec<String>, Vec<String>) {
        let again = self.skills.refresh(&self.tree, &self.inputs);
        let read = self.tree.read();
        let fresh = discover_skills(&self.tree, self.rules.0, self.rules.1, &self.inputs);
        self.tree.read();
        assert_eq!(again.found, fresh);
        self.skills = again.found;
        (lines(&again.changes), read)
    }
}

fn nothing() -> (Vec<String>, Vec<String>) {
    (Vec::new(), Vec::new())
}

#[test]
fn unchanged_skills_are_not_read() {
    let mut tree = MemoryTree::new();
    for name in ["a", "b", "c"] {
        tree.write(
            format!("/p/.claude/skills/{name}/SKILL.md"),
            skill(name, "Read."),
        );
    }
    tree.write("/p/.claude/agents/a.md", skill("a", "Work."));
    let mut looks = Looks::new("claude-code", tree, Inputs::new().project("/p"));
    assert_eq!(looks.again(), nothing());

    let b = "/p/.claude/skills/b/SKILL.md";
    looks.tree.tree.write(b, skill("b", "Read twice."));
    let (changes, read) = looks.again();
    assert_eq!(read, ["SKILL.md"]);
    assert_eq!(changes, [format!("b {b}: active -> active prompt")]);

    looks.tree.tree.write(b, skill("other", "Read twice."));
    let (changes, read) = looks.again();
    assert_eq!(read, ["SKILL.md"]);
    // Its folder goes on to name it.
    assert_eq!(changes, [format!("b {b}: active -> active description")]);

    let d = "/p/.claude/skills/d/SKILL.md";
    looks.tree.tree.write(d, skill("d", "Read."));
    looks.tree.tree.remove("/p/.claude/skills/a");
    let (changes, read) = looks.again();
    assert_eq!(read, ["SKILL.md"]);
    assert_eq!(
        changes,
        [
            format!("d {d}: nothing -> active"),
            "a /p/.claude/skills/a/SKILL.md: active -> nothing".to_owned(),
        ]
    );
    assert_eq!(looks.again(), nothing());
}

#[test]
fn what_a_skill_loses_to_is_told() {
    let mut tree = MemoryTree::new();
    let home = "/h/.agents/skills/a/SKILL.md";
    tree.write(home, skill("a", "Read."));
    let inputs = Inputs::new().project("/p").home("/h");
    let mut looks = Looks::new("openhands", tree, inputs);
    let own = "/p/.agents/skills/a/SKILL.md";
    looks.tree.tree.write(own, skill("a", "Read here."));
    let (changes, read) = looks.again();
    assert_eq!(read, ["SKILL.md"]);
    assert_eq!(
        changes,
        [
            format!("a {home}: active -> shadowed by {own}"),
            format!("a {own}: nothing -> active"),
        ]
    );
    looks.tree.tree.write(own, skill("b", "Read here."));
    let (changes, _) = looks.again();
    assert_eq!(
        changes,
        [
            format!("a {home}: shadowed by {own} -> active"),
            format!("a {own}: active -> nothing"),
            format!("b {own}: nothing -> rejected"),
        ]
    );
}

/// A `SKILL.md` depends on the server file beside it, which may change alone.
#[test]
fn a_file_beside_a_skill_is_read_when_it_changes() {
    let mut tree = MemoryTree::new();
    let (own, servers) = (
        "/p/.agents/skills/a/SKILL.md",
        "/p/.agents/skills/a/.mcp.json",
    );
    tree.write(own, skill("a", "Read."));
    tree.write(servers, "{}");
    let mut looks = Looks::new("openhands", tree, Inputs::new().project("/p"));
    assert_eq!(looks.again(), nothing());
    looks.tree.tree.write(servers, "[]");
    let (changes, read) = looks.again();
    assert_eq!(read, [".mcp.json"]);
    assert_eq!(changes, [format!("a {own}: active -> rejected")]);
    looks.tree.tree.remove(servers);
    let (changes, read) = looks.again();
    assert!(read.is_empty());
    assert_eq!(changes, [format!("a {own}: rejected -> active")]);
}

#[test]
fn settings_may_name_more_folders_and_switch_skills_off() {
    let mut tree = MemoryTree::new();
    let settings = "/h/.pi/agent/settings.json";
    tree.write("/h/.pi/agent/skills/a/SKILL.md", skill("a", "Read."));
    tree.write("/h/.pi/agent/more/b/SKILL.md", skill("b", "Read."));
    tree.write(settings, "{}");
    let mut looks = Looks::new("pi", tree, Inputs::new().home("/h"));
    assert_eq!(looks.again(), nothing());
    looks.tree.tree.write(settings, r#"{"skills": ["more"]}"#);
    let (changes, read) = looks.again();
    assert_eq!(read, ["SKILL.md", "settings.json"]);
    let b = "b /h/.pi/agent/more/b/SKILL.md";
    assert_eq!(changes, [format!("{b}: nothing -> active")]);
    let off = r#"{"skills": ["more", "!skills/a"]}"#;
    looks.tree.tree.write(settings, off);
    let (changes, read) = looks.again();
    assert_eq!(read, ["settings.json"]);
    assert!(
        changes.iter().any(|line| line.contains("switched-off")),
        "{changes:?}"
    );
}

#[test]
fn skills_of_a_plugin_follow_its_manifest() {
    let mut tree = MemoryTree::new();
    let manifest = "/kit/.claude-plugin/plugin.json";
    tree.write(manifest, r#"{"name": "kit"}"#);
    tree.write("/kit/skills/a/SKILL.md", skill("a", "Read."));
    tree.write("/kit/extra/b/SKILL.md", skill("b", "Read."));
    let mut looks = Looks::new("claude-code", tree, Inputs::new().plugin("/kit"));
    assert_eq!(looks.again(), nothing());
    let more = r#"{"name": "kit", "skills": ["./extra"]}"#;
    looks.tree.tree.write(manifest, more);
    let (changes, read) = looks.again();
    assert_eq!(read, ["SKILL.md", "plugin.json"]);
    assert_eq!(changes, ["kit:b /kit/extra/b/SKILL.md: nothing -> active"]);
    looks.tree.tree.write(manifest, r#"{"name": "set"}"#);
    let (changes, _) = looks.again();
    assert_eq!(
        changes,
        [
            "kit:a /kit/skills/a/SKILL.md: active -> nothing",
            "set:a /kit/skills/a/SKILL.md: nothing -> active",
            "kit:b /kit/extra/b/SKILL.md: active -> nothing",
        ]
    );
}

#[test]
fn other_inputs_are_another_search() {
    let mut tree = MemoryTree::new();
    tree.write("/p/.claude/skills/a/SKILL.md", skill("a", "Read."));
    tree.write("/q/.claude/skills/b/SKILL.md", skill("b", "Read."));
    let mut looks = Looks::new("claude-code", tree, Inputs::new().project("/p"));
    looks.inputs.project = Some("/q".into());
    let (changes, read) = looks.again();
    assert_eq!((changes.len(), read.len()), (2, 1));
    looks.inputs.limits = looks.inputs.limits.at_most(Limit::FileBytes, 3);
    let (changes, _) = looks.again();
    assert_eq!(
        changes,
        ["b /q/.claude/skills/b/SKILL.md: active -> rejected"]
    );
}

#[test]
fn skills_that_no_search_found_stay_what_they_are() {
    let again = Skills::default().refresh(&MemoryTree::new(), &Inputs::new());
    assert_eq!(again.found, Skills::default());
    assert!(again.changes.is_empty());
}

#[test]
fn a_search_that_remembers_nothing_can_be_made_again_too() {
    let (dialect, profile) = find("claude-code");
    let mut counting = Counting::new(MemoryTree::new());
    let path = "/p/.claude/skills/a/SKILL.md";
    counting.tree.write(path, skill("a", "Read."));
    let inputs = Inputs::new().project("/p").trusted(true);
    let first = discover_skills(&counting, dialect, profile, &inputs);
    let second = first.refresh(&counting, &inputs);
    assert_eq!(counting.read_paths(), [Path::new(path); 2]);
    let third = second.found.refresh(&counting, &inputs);
    assert!(counting.read().is_empty() && third.changes.is_empty());
}

/// What happens to a tree.
#[derive(Debug, Clone)]
enum Edit {
    Write(usize, usize),
    Remove(usize),
    Rename(usize, usize),
    Lock(usize),
    Link(usize, usize),
    Folder(usize),
    Vanishing(usize),
}

const PATHS: &[&str] = &[
    "/p/.claude/skills",
    "/p/.claude/skills/a",
    "/p/.claude/skills/a/SKILL.md",
    "/p/.claude/skills/b/SKILL.md",
    "/p/.claude/skills/b/skill.md",
    "/p/.claude/agents/a.md",
    "/p/sub/.claude/skills/a/SKILL.md",
    "/p/sub/AGENTS.md",
    "/p/AGENTS.md",
    "/p/.agents/skills",
    "/p/.agents/skills/a/SKILL.md",
    "/p/.agents/skills/a/.mcp.json",
    "/p/.agents/skills/b.md",
    "/p/.openhands/skills/a.md",
    "/p/.opencode/skills/a/SKILL.md",
    "/p/.opencode/skill/b/SKILL.md",
    "/p/.gemini/skills/a/SKILL.md",
    "/p/.github/skills/a/SKILL.md",
    "/p/.codex/skills/a/SKILL.md",
    "/p/.pi/skills/a/SKILL.md",
    "/p/.pi/skills/deep/er/SKILL.md",
    "/p/.pi/skills/b.md",
    "/p/.pi/skills/.ignore",
    "/p/.pi/settings.json",
    "/p/.vscode/settings.json",
    "/p/.claude/settings.json",
    "/p/opencode.json",
    "/p/package.json",
    "/p/more",
    "/p/more/a/SKILL.md",
    "/p/more/b.md",
    "/p/.gitignore",
    "/p/.git/HEAD",
    "/h/.claude/skills/a/SKILL.md",
    "/h/.agents/skills/a/SKILL.md",
    "/h/.openhands/skills/installed/a/SKILL.md",
    "/h/.openhands/skills/installed/.installed.json",
    "/h/.config/opencode/skills/a/SKILL.md",
    "/h/.codex/skills/a/SKILL.md",
    "/h/.gemini/skills/a/SKILL.md",
    "/h/.gemini/extensions/x/gemini-extension.json",
    "/h/.gemini/extensions/x/skills/a/SKILL.md",
    "/h/.pi/agent/skills/a/SKILL.md",
    "/h/.pi/agent/settings.json",
    "/h/.pi/agent/more/a/SKILL.md",
    "/h/.config/Code/User/settings.json",
    "/kit/.claude-plugin/plugin.json",
    "/kit/skills/a/SKILL.md",
    "/kit/more/b/SKILL.md",
    "/kit/package.json",
];

fn contents() -> Vec<String> {
    vec![
        skill("a", "Read."),
        skill("a", "Look."),
        skill("b", "Read."),
        "---\ndescription: Reads.\ndisable-model-invocation: true\n---\nRead.\n".to_owned(),
        "---\nname: [\n---\nRead.\n".to_owned(),
        "---\ntriggers: [look]\n---\nRead.\n".to_owned(),
        "no header\n".to_owned(),
        "{}".to_owned(),
        r#"{"name": "kit"}"#.to_owned(),
        r#"{"name": "set", "skills": ["./more"], "packages": ["/kit"],
            "chat.agentSkillsLocations": {"more": true, ".claude/skills": false},
            "pi": {"skills": ["more"]}, "mcpServers": {}}"#
            .to_owned(),
        r#"{"skills": ["more", "!skills/a", "-b.md"], "mcpServers": 3}"#.to_owned(),
        r#"{"skills": {"a": {"enabled": false}, "paths": ["more"]}}"#.to_owned(),
        "a/\nmore\n".to_owned(),
        String::new(),
    ]
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let path = || 0..PATHS.len();
    let edit = prop_oneof![
        16 => (path(), 0..contents().len()).prop_map(|(path, text)| Edit::Write(path, text)),
        2 => path().prop_map(Edit::Remove),
        2 => (path(), path()).prop_map(|(from, to)| Edit::Rename(from, to)),
        2 => (path(), path()).prop_map(|(path, to)| Edit::Link(path, to)),
        1 => path().prop_map(Edit::Lock),
        1 => path().prop_map(Edit::Folder),
        1 => path().prop_map(Edit::Vanishing),
    ];
    proptest::collection::vec(edit, 1..16)
}

/// Takes out of the tree what stands at a path, and what stands where it needs a folder.
fn clear(tree: &mut MemoryTree, path: &str) {
    for folder in Path::new(path).ancestors().skip(1) {
        if tree.own_kind(folder).is_ok_and(|it| it != Kind::Folder) {
            tree.remove(folder);
        }
    }
    tree.remove(path);
}

/// All files at a path and below it, by the rest of their paths.
fn files_at(tree: &MemoryTree, path: &Path, rest: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    match tree.own_kind(path) {
        Ok(Kind::File) => match tree.read(path, 1 << 20) {
            Ok(bytes) => vec![(rest.to_owned(), bytes)],
            Err(_) => Vec::new(),
        },
        Ok(Kind::Folder) => {
            let items = tree.list(path).unwrap_or_default().into_iter();
            let below = items.map(|item| {
                let rest = rest.join(&item.name);
                files_at(tree, &path.join(&item.name), &rest)
            });
            below.flatten().collect()
        }
        _ => Vec::new(),
    }
}

fn make(edit: &Edit, tree: &mut MemoryTree) {
    match *edit {
        Edit::Write(at, text) => {
            clear(tree, PATHS[at]);
            tree.write(PATHS[at], &contents()[text]);
        }
        Edit::Remove(at) => tree.remove(PATHS[at]),
        Edit::Rename(from, to) => {
            let files = files_at(tree, Path::new(PATHS[from]), Path::new(""));
            tree.remove(PATHS[from]);
            clear(tree, PATHS[to]);
            for (rest, bytes) in files {
                tree.write(Path::new(PATHS[to]).join(rest), bytes);
            }
        }
        Edit::Lock(at) => tree.lock(PATHS[at]),
        Edit::Link(at, to) => {
            clear(tree, PATHS[at]);
            tree.link(PATHS[at], PATHS[to]);
        }
        Edit::Folder(at) => {
            clear(tree, PATHS[at]);
            tree.folder(PATHS[at]);
        }
        Edit::Vanishing(at) => {
            clear(tree, PATHS[at]);
            tree.vanishing(PATHS[at]);
        }
    }
}

/// What tells a skill that is active from all others: its name, its path and its level.
type Place = (String, String, Level);

fn active(skills: &Skills) -> BTreeSet<Place> {
    let active = skills.found.iter();
    let active = active.filter(|it| it.state == agent_discovery::SkillState::Active);
    let place = |it: &agent_discovery::FoundSkill| {
        let skill = &it.skill;
        (skill.name.clone(), skill.reported.clone(), it.level)
    };
    active.map(place).collect()
}

/// What the changes make of the skills that were active.
fn carried_out(mut active: BTreeSet<Place>, changes: &[Change]) -> BTreeSet<Place> {
    let is_active = |standing: &Option<Standing>| *standing == Some(Standing::Active);
    let of = |change: &Change| {
        let source = &change.source;
        (change.name.clone(), source.reported.clone(), source.level)
    };
    for change in changes.iter().filter(|it| is_active(&it.before)) {
        active.remove(&of(change));
    }
    active.extend(changes.iter().filter(|it| is_active(&it.now)).map(of));
    active
}

/// Every harness that has skills, in all its versions.
fn harnesses() -> Vec<(&'static Dialect, &'static Profile)> {
    let dialects = dialects::ALL.iter().chain(dialects::skills::LOADERS);
    let of_each = dialects.flat_map(|dialect| {
        let profiles = dialect.profiles.iter();
        profiles.map(move |profile| (*dialect, profile))
    });
    of_each.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_refresh_gives_what_a_new_search_gives(
        which in any::<prop::sample::Index>(),
        trusted in any::<bool>(),
        rounds in proptest::collection::vec(edits(), 1..6),
    ) {
        let harnesses = harnesses();
        let (dialect, profile) = harnesses[which.index(harnesses.len())];
        let inputs = Inputs::new().project("/p").home("/h").plugin("/kit").package("/kit");
        let inputs = inputs.trusted(trusted).remembering();
        let mut tree = MemoryTree::new();
        let mut found = discover_skills(&tree, dialect, profile, &inputs);
        let mut content: HashMap<PathBuf, Vec<u8>> = HashMap::new();
        for edits in rounds {
            for edit in &edits {
                make(edit, &mut tree);
            }
            let counting = Counting::new(tree.clone());
            let fresh = discover_skills(&counting, dialect, profile, &inputs);
            let needed = counting.read_paths();
            let again = found.refresh(&counting, &inputs);
            let read = counting.read_paths();
            prop_assert_eq!(&again.found, &fresh);
            prop_assert_eq!(format!("{:#?}", again.found.found), format!("{:#?}", fresh.found));
            let expected = carried_out(active(&found), &again.changes);
            prop_assert_eq!(active(&fresh), expected, "{:#?}", again.changes);

            let bytes = |path: &PathBuf| tree.read(path, 1 << 20).unwrap_or_default();
            for path in &read {
                prop_assert!(needed.contains(path));
                // The same bytes may be another skill where a plugin has another name.
                let is_same = content.get(path) == Some(&bytes(path));
                prop_assert!(!is_same || path.starts_with("/kit"), "{path:?} is read again");
            }
            content = needed.iter().map(|path| (path.clone(), bytes(path))).collect();

            let idle = again.found.refresh(&counting, &inputs);
            prop_assert_eq!(counting.read_paths(), Vec::<PathBuf>::new());
            prop_assert!(idle.changes.is_empty(), "{:#?}", idle.changes);
            found = again.found;
        }
    }
}

/// Longer than a file must be left alone for its metadata to tell the next change.
const UNTIL_SETTLED: Duration = Duration::from_millis(3_200);

#[test]
fn the_disk_tells_which_skills_have_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |path: &str| folder.path().join(path);
    let write = |path: &str, text: &str| {
        let path = at(path);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("makes folders");
        fs::write(path, text).expect("writes");
    };
    let own = |name: &str| format!("p/.claude/skills/{name}/SKILL.md");
    for name in ["a", "b", "c", "d"] {
        write(&own(name), &skill(name, "Read."));
    }
    write("p/.claude/agents/x.md", &skill("x", "Work."));
    write("elsewhere/a/SKILL.md", &skill("a", "Look."));
    let inputs = Inputs::new().project(at("p"));
    let mut looks = Looks::new("claude-code", DiskTree, inputs);
    let (changes, read) = looks.again();
    assert_eq!((changes.len(), read.len()), (0, 4), "they are too young");
    sleep(UNTIL_SETTLED);
    looks.again();
    assert_eq!(looks.again(), nothing());

    // Another file in the place of one, with the same size and time of writing.
    let modified = fs::metadata(at(&own("b"))).and_then(|it| it.modified());
    write("new.md", &skill("b", "Look."));
    let new = fs::File::options().append(true).open(at("new.md"));
    let set = new.and_then(|it| it.set_modified(modified.expect("it has a time")));
    set.expect("sets the time");
    fs::rename(at("new.md"), at(&own("b"))).expect("renames");
    // One that is renamed with its folder, and one that is gone.
    fs::rename(at("p/.claude/skills/c"), at("p/.claude/skills/e")).expect("renames");
    fs::remove_dir_all(at("p/.claude/skills/d")).expect("removes");
    let (changes, read) = looks.again();
    if cfg!(unix) {
        assert_eq!(read.len(), 2, "{changes:?}");
        assert_eq!(changes.len(), 4, "{changes:?}");
    }
    // A change of agents is no change of skills.
    sleep(UNTIL_SETTLED);
    looks.again();
    write("p/.claude/agents/x.md", &skill("x", "Play."));
    assert_eq!(looks.again(), nothing());
    // A link to a folder in the place of the folder.
    #[cfg(unix)]
    {
        fs::remove_dir_all(at("p/.claude/skills/a")).expect("removes");
        std::os::unix::fs::symlink(at("elsewhere/a"), at("p/.claude/skills/a")).expect("links");
        let (changes, read) = looks.again();
        assert_eq!(read.len(), 1);
        assert!(
            matches!(&changes[..], [line] if line.ends_with("prompt")),
            "{changes:?}"
        );
    }
}

/// A disk whose metadata is made up: only one thing about a file differs at a time.
struct MadeUp {
    tree: MemoryTree,
    stamps: Mutex<HashMap<PathBuf, Stamp>>,
}

impl FileTree for MadeUp {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        self.tree.list(folder)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.kind(path)
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.own_kind(path)
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        self.tree.read(path, most)
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.tree.real_path(path)
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        self.tree.identity(path)
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        let stamps = self.stamps.lock().expect("no panic before");
        stamps.get(path).cloned()
    }
}

#[test]
fn each_part_of_the_metadata_tells_a_change() {
    let path = Path::new("/p/.claude/skills/a/SKILL.md");
    let stamp = |bytes, modified, changed, number| Stamp::Metadata {
        bytes,
        modified: SystemTime::UNIX_EPOCH + Duration::from_secs(modified),
        changed: Some((changed, 0)),
        identity: Some(FileId::Numbers(1, number)),
    };
    let mut tree = MemoryTree::new();
    tree.write(path, skill("a", "Read 0."));
    let stamps = HashMap::from([(path.to_owned(), stamp(5, 5, 5, 5))]);
    let tree = MadeUp {
        tree,
        stamps: Mutex::new(stamps),
    };
    let mut looks = Looks::new("claude-code", tree, Inputs::new().project("/p"));
    assert_eq!(looks.again(), nothing());
    let others = [
        stamp(6, 5, 5, 5),
        stamp(6, 6, 5, 5),
        stamp(6, 6, 6, 5),
        stamp(6, 6, 6, 6),
    ];
    for (number, stamp) in others.into_iter().enumerate() {
        let made_up = &mut looks.tree.tree;
        made_up
            .tree
            .write(path, skill("a", &format!("Look {number}.")));
        let stamps = made_up.stamps.get_mut().expect("no panic before");
        stamps.insert(path.to_owned(), stamp);
        let (changes, read) = looks.again();
        assert_eq!(read, ["SKILL.md"]);
        assert_eq!(changes.len(), 1);
    }
}

#[test]
fn beside_nothing_everything_is_new() {
    let (dialect, profile) = find("claude-code");
    let mut tree = MemoryTree::new();
    tree.write("/p/.claude/skills/a/SKILL.md", skill("a", "Read."));
    let found = discover_skills(&tree, dialect, profile, &Inputs::new().project("/p"));
    let changes = skill_changes(&Skills::default(), &found);
    assert_eq!(
        lines(&changes),
        ["a /p/.claude/skills/a/SKILL.md: nothing -> active"]
    );
}
