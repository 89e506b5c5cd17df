//! Trees that somebody made to do harm: nothing panics, nothing hangs, nothing outside is looked at, and
//! what is left out is told.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use agent_discovery::{
    Discovery, DiskTree, FileError, FileId, FileTree, Inputs, Item, Kind, MemoryTree, PlaceState,
    Skills, State, discover, discover_plugin, discover_skills,
};
use agent_schema::dialect::SkipRule;
use agent_schema::parse::LARGEST_FILE;
use agent_schema::{Dialect, Profile, dialects, rules};

const AGENT: &str = "---\nname: one\ndescription: Helps with one thing.\n---\nHelp.\n";

/// What no search of a test takes, even without optimisation on a busy machine.
const LONGEST: Duration = Duration::from_secs(120);

fn inputs() -> Inputs {
    Inputs::new().project("/p").home("/h")
}

fn named(id: &str) -> (&'static Dialect, &'static Profile) {
    let dialect = dialects::find(id).expect("it is known");
    (dialect, dialect.default_profile())
}

/// Every version of every harness, and every loader of skills.
fn all() -> impl Iterator<Item = (&'static Dialect, &'static Profile)> {
    let dialects = dialects::ALL.iter().chain(dialects::skills::LOADERS);
    dialects.flat_map(|dialect| dialect.profiles.iter().map(|profile| (*dialect, profile)))
}

fn search(tree: &dyn FileTree, id: &str, inputs: &Inputs) -> Discovery {
    let (dialect, profile) = named(id);
    discover(tree, dialect, profile, inputs)
}

/// A tree that notes what is read and listed, by its real path.
struct Watched {
    tree: MemoryTree,
    seen: Mutex<Vec<PathBuf>>,
}

impl Watched {
    fn new(tree: MemoryTree) -> Self {
        let seen = Mutex::default();
        Watched { tree, seen }
    }

    fn note(&self, path: &Path) {
        let real = self
            .tree
            .real_path(path)
            .unwrap_or_else(|_| path.to_owned());
        self.seen.lock().expect("no panic before").push(real);
    }

    /// What was seen below a folder.
    fn below(&self, folder: &str) -> Vec<PathBuf> {
        let seen = self.seen.lock().expect("no panic before");
        let below = seen.iter().filter(|path| path.starts_with(folder));
        below.cloned().collect()
    }
}

impl FileTree for Watched {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        self.note(folder);
        self.tree.list(folder)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.kind(path)
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.tree.own_kind(path)
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        self.note(path);
        self.tree.read(path, most)
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.tree.real_path(path)
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        self.tree.identity(path)
    }
}

/// A machine with something outside of the project that must not be looked at.
fn machine() -> MemoryTree {
    let mut tree = MemoryTree::new();
    for path in [
        "/outside/AGENTS.md",
        "/outside/agents/one.md",
        "/outside/skills/one/SKILL.md",
        "/outside/kit/skills/one/SKILL.md",
        "/outside/kit/agents/one.md",
    ] {
        tree.write(path, AGENT);
    }
    tree.write("/outside/key", "the secret");
    tree.write(
        "/outside/kit/package.json",
        r#"{"pi": {"skills": ["skills"], "subagents": {"agents": ["agents"]}}}"#,
    );
    tree.folder("/p");
    tree.folder("/h");
    tree
}

/// The ways in which a project may name a place outside of itself.
const WAYS: [&str; 4] = [
    "/outside",
    "../outside",
    "./../outside",
    "kit/../../outside",
];

/// Files of a project that name folders, with `OUT` for a way out.
const NAMING: &[(&str, &str)] = &[
    (
        ".pi/settings.json",
        r#"{"skills": ["OUT/skills"], "packages": ["OUT/kit", {"source": "OUT/kit", "skills": ["*"]}],
            "subagents": {"agentScanDirs": ["OUT/agents", "OUT/*"]}}"#,
    ),
    (
        "package.json",
        r#"{"pi": {"skills": ["OUT/skills"], "subagents": {"agents": ["OUT/agents"]}},
            "pi-subagents": {"agents": ["OUT/agents"]}}"#,
    ),
    (
        ".pi/npm/node_modules/x/package.json",
        r#"{"pi": {"skills": ["../../../../OUT/skills"], "subagents": {"agents": ["../../../../OUT/agents"]}}}"#,
    ),
    (
        ".vscode/settings.json",
        r#"{"chat.agentSkillsLocations": {"OUT/skills": true}, "chat.agentFilesLocations": {"OUT/agents": true}}"#,
    ),
    (
        ".claude-plugin/plugin.json",
        r#"{"name": "x", "agents": ["./OUT/agents/one.md"], "skills": ["./OUT/skills"]}"#,
    ),
    (
        ".claude/settings.json",
        r#"{"enabledPlugins": {"OUT/kit": true}, "extraKnownMarketplaces": {"x": {"source": "OUT/kit"}}}"#,
    ),
    (".gemini/settings.json", r#"{"skills": ["OUT/skills"]}"#),
    (
        "opencode.json",
        r#"{"agent": {"one": {"prompt": "{file:OUT/key}"}}, "skills": {"paths": ["OUT/skills"]},
            "instructions": ["OUT/AGENTS.md"], "plugin": ["OUT/kit"]}"#,
    ),
    (
        ".agents/agents/two.md",
        "---\nname: two\ndescription: d\nprofile_store_dir: OUT\nskills: [OUT/skills]\n---\n",
    ),
    (
        ".agentscope/workspace/agents/two.md",
        "---\nname: two\ndescription: d\nworkspace: {path: OUT}\n---\n",
    ),
    (
        "layers/defaults/agent-config.yaml",
        "agents:\n  one: {role: r, prompt: OUT/key}\nexit_rules: OUT/key\n",
    ),
];

#[test]
fn nothing_that_a_project_says_leads_out_of_it() {
    for (dialect, profile) in all() {
        for way in WAYS {
            let mut tree = machine();
            for (path, text) in NAMING {
                tree.write(format!("/p/{path}"), text.replace("OUT", way));
            }
            let tree = Watched::new(tree);
            for inputs in [
                inputs(),
                inputs().trusted(false),
                inputs().layers("/p/layers"),
            ] {
                let found = discover(&tree, dialect, profile, &inputs);
                let skills = discover_skills(&tree, dialect, profile, &inputs);
                let plugin = discover_plugin(&tree, dialect, profile, Path::new("/p"), &inputs);
                let seen = tree.below("/outside");
                assert!(seen.is_empty(), "{} {way}: {seen:?}", profile.id);
                let texts = format!("{found:?}{skills:?}{plugin:?}");
                assert!(!texts.contains("the secret"), "{} {way}", profile.id);
            }
        }
    }
}

#[test]
fn what_is_not_looked_at_is_told_and_a_trusted_project_leads_anywhere() {
    let (dialect, profile) = (
        dialects::find("pi").expect("it is known"),
        "pi-subagents-0.67.0",
    );
    let profile = dialect.profile(profile).expect("it is known");
    let mut tree = machine();
    tree.write(
        "/p/.pi/settings.json",
        r#"{"subagents": {"agentScanDirs": ["/outside/agents"]}}"#,
    );
    let found = discover(&tree, dialect, profile, &inputs());
    let told = found.places.iter().find_map(|place| match &place.state {
        PlaceState::Outside(told) if place.path == Path::new("/outside/agents") => Some(told),
        _ => None,
    });
    assert_eq!(
        told.expect("it is told").code(),
        rules::REFERENCE_NOT_READ.code
    );
    assert!(found.entries.is_empty());
    for inputs in [inputs().trusted(true), inputs().all_references()] {
        let found = discover(&tree, dialect, profile, &inputs);
        assert_eq!(
            found.get("one").map(|entry| &entry.state),
            Some(&State::Active)
        );
    }
    // What the user says of the own machine counts.
    let mut tree = machine();
    tree.write(
        "/h/.pi/agent/settings.json",
        r#"{"subagents": {"agentScanDirs": ["/outside/agents"]}}"#,
    );
    let found = discover(&tree, dialect, profile, &inputs());
    assert!(found.get("one").is_some());
}

#[test]
fn skills_outside_are_told_too() {
    let (mut told, mut asked) = (0, 0);
    for (dialect, profile) in all() {
        let mut tree = machine();
        let settings = r#"{"skills": ["/outside/skills"], "packages": ["/outside/kit"]}"#;
        tree.write("/p/.pi/settings.json", settings);
        let found =
            |inputs: &Inputs| -> Skills { discover_skills(&tree, dialect, profile, inputs) };
        let trusting = found(&inputs().trusted(true));
        let outside = |it: &&agent_discovery::FoundSkill| it.skill.path.starts_with("/outside");
        if trusting.found.iter().any(|it| outside(&it)) {
            asked += 1;
            let careful = found(&inputs().trusted(false));
            assert!(
                !careful.found.iter().any(|it| outside(&it)),
                "{}",
                profile.id
            );
            let careful = found(&inputs());
            assert!(
                !careful
                    .found
                    .iter()
                    .any(|it| it.state == agent_discovery::SkillState::Active),
                "{}",
                profile.id
            );
            let mut codes = careful.warnings.iter().map(|it| it.diagnostic.code());
            told += usize::from(codes.any(|code| code == rules::REFERENCE_NOT_READ.code));
        }
    }
    assert!(asked > 0);
    // Where everything waits for trust, the settings are not even read.
    assert!(told > 0);
}

/// A tree in which a file is another one whenever it is looked at.
struct Changing {
    tree: MemoryTree,
    turns: Mutex<BTreeMap<PathBuf, usize>>,
    /// What stands at the file: its kind when asked, and the answer to reading it.
    acts: fn(usize) -> Act,
}

/// Its kind when asked, and the answer to reading it.
type Act = (Result<Kind, FileError>, Result<Vec<u8>, FileError>);

type Acts = fn(usize) -> Act;

impl Changing {
    fn act(&self, path: &Path) -> Option<Act> {
        if path.file_name()? != "one.md" {
            return None;
        }
        let mut turns = self.turns.lock().expect("no panic before");
        let turn = turns.entry(path.to_owned()).or_default();
        *turn += 1;
        Some((self.acts)(*turn))
    }
}

impl FileTree for Changing {
    fn list(&self, folder: &Path) -> Result<Vec<Item>, FileError> {
        self.tree.list(folder)
    }

    fn kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.act(path)
            .map_or_else(|| self.tree.kind(path), |it| it.0)
    }

    fn own_kind(&self, path: &Path) -> Result<Kind, FileError> {
        self.act(path)
            .map_or_else(|| self.tree.own_kind(path), |it| it.0)
    }

    fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, FileError> {
        self.act(path)
            .map_or_else(|| self.tree.read(path, most), |it| it.1)
    }

    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.tree.real_path(path)
    }

    fn identity(&self, path: &Path) -> Option<FileId> {
        self.tree.identity(path)
    }
}

#[test]
fn files_that_change_while_they_are_read_cost_only_themselves() {
    let acts: [(&str, Acts); 5] = [
        ("removed", |_| (Ok(Kind::File), Err(FileError::Missing))),
        ("grown", |_| {
            let most = LARGEST_FILE as u64;
            let bytes = most + 1;
            (Ok(Kind::File), Err(FileError::TooLarge { bytes, most }))
        }),
        ("replaced by a pipe", |turn| {
            let kind = if turn == 1 { Kind::File } else { Kind::Pipe };
            (Ok(kind), Err(FileError::NotAFile(Kind::Pipe)))
        }),
        ("replaced by a folder", |turn| {
            let kind = if turn == 1 { Kind::File } else { Kind::Folder };
            (Ok(kind), Err(FileError::NotAFile(Kind::Folder)))
        }),
        ("closed", |_| {
            (Err(FileError::Denied), Err(FileError::Denied))
        }),
    ];
    for (dialect, profile) in all() {
        for (what, acts) in acts {
            let mut tree = MemoryTree::new();
            for folder in [".claude", ".agents", ".opencode", ".pi"] {
                tree.write(format!("/p/{folder}/agents/one.md"), AGENT);
                tree.write(
                    format!("/p/{folder}/agents/two.md"),
                    AGENT.replace("one", "two"),
                );
            }
            let turns = Mutex::default();
            let tree = Changing { tree, turns, acts };
            let found = discover(&tree, dialect, profile, &inputs().trusted(true));
            for entry in &found.entries {
                assert!(
                    entry.file_name != "one.md"
                        || !entry.diagnostics.is_empty()
                        || matches!(entry.state, State::Ignored(_)),
                    "{} {what}: {entry:?}",
                    profile.id
                );
            }
            // The others are there as they are without it.
            let others = found
                .entries
                .iter()
                .filter(|entry| entry.file_name == "two.md");
            for entry in others {
                assert_ne!(entry.state, State::Rejected, "{} {what}", profile.id);
            }
        }
    }
}

#[test]
fn what_may_not_be_looked_at_costs_only_itself() {
    for (dialect, profile) in all() {
        let mut tree = MemoryTree::new();
        for folder in [".claude", ".agents", ".opencode", ".pi"] {
            tree.write(format!("/p/{folder}/agents/one.md"), AGENT);
            tree.write(format!("/p/{folder}/skills/one/SKILL.md"), AGENT);
            tree.write(format!("/p/{folder}/settings.json"), "{}");
            tree.lock(format!("/p/{folder}/settings.json"));
            tree.lock(format!("/p/{folder}/skills/one"));
            tree.lock(format!("/p/{folder}/agents/one.md"));
        }
        let found = discover(&tree, dialect, profile, &inputs());
        for entry in found
            .entries
            .iter()
            .filter(|entry| entry.file_name == "one.md")
        {
            assert!(!entry.diagnostics.is_empty(), "{}: {entry:?}", profile.id);
        }
        drop(discover_skills(&tree, dialect, profile, &inputs()));
        for folder in [".claude", ".agents", ".opencode", ".pi"] {
            tree.lock(format!("/p/{folder}"));
        }
        drop(discover(&tree, dialect, profile, &inputs()));
        drop(discover_skills(&tree, dialect, profile, &inputs()));
    }
}

#[test]
fn ten_thousand_nested_folders_end() {
    let mut path = "/p/.claude/agents".to_owned();
    let mut tree = MemoryTree::new();
    // Each folder has a path of its own, so that the tree itself is quadratic; the search is not.
    for _ in 0..2_000 {
        path.push_str("/a");
    }
    tree.write(format!("{path}/one.md"), AGENT);
    tree.write("/p/.claude/agents/two.md", AGENT.replace("one", "two"));
    let started = Instant::now();
    let found = search(&tree, "claude-code", &inputs());
    assert!(started.elapsed() < LONGEST);
    let too_deep = found.entries.iter().flat_map(|entry| &entry.diagnostics);
    let codes: Vec<_> = too_deep.map(agent_schema::Diagnostic::code).collect();
    assert!(codes.contains(&rules::LIMIT_EXCEEDED.code), "{codes:?}");
    assert!(found.get("two").is_some());
}

#[test]
fn a_hundred_thousand_files_are_searched_in_time() {
    let mut tree = MemoryTree::new();
    for i in 0..100_000 {
        tree.write(format!("/p/.claude/agents/{i}.md"), "x");
        if i % 10 == 0 {
            tree.write(
                format!("/p/.claude/agents/a{i}.md"),
                AGENT.replace("one", &format!("a{i}")),
            );
            tree.write(format!("/p/.claude/agents/same{i}.md"), AGENT);
        }
    }
    let started = Instant::now();
    let found = search(&tree, "claude-code", &inputs());
    let took = started.elapsed();
    assert_eq!(found.entries.len(), 120_000);
    assert!(took < LONGEST, "{took:?}");
}

#[test]
fn a_hundred_thousand_skills_are_searched_in_time() {
    for (dialect, profile) in [named("claude-code"), named("openhands"), named("opencode")] {
        let mut tree = MemoryTree::new();
        for i in 0..20_000 {
            for folder in [".claude", ".agents"] {
                let skill = format!("---\nname: s{i}\ndescription: d\n---\n");
                tree.write(format!("/p/{folder}/skills/s{i}/SKILL.md"), skill);
            }
        }
        let started = Instant::now();
        let found = discover_skills(&tree, dialect, profile, &inputs());
        let took = started.elapsed();
        assert!(
            found.found.len() >= 10_000,
            "{}: {}",
            profile.id,
            found.found.len()
        );
        assert!(took < LONGEST, "{}: {took:?}", profile.id);
    }
}

#[test]
fn names_are_data_whatever_they_hold() {
    let mut tree = MemoryTree::new();
    for name in [
        "a\nb",
        "\u{1b}[2J",
        "\u{202e}x",
        "-rf",
        "a\\b",
        "..md",
        " ",
        "a`b$(c)",
    ] {
        tree.write(format!("/p/.claude/agents/{name}.md"), AGENT);
    }
    let found = search(&tree, "claude-code", &inputs());
    assert_eq!(found.entries.len(), 8);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_read_all_the_same() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let mut tree = MemoryTree::new();
    let folder = Path::new("/p/.claude/agents");
    tree.write(folder.join(OsStr::from_bytes(b"\xff.md")), AGENT);
    tree.write(
        folder.join(OsStr::from_bytes(b"\xfe.md")),
        AGENT.replace("one", "two"),
    );
    let found = search(&tree, "claude-code", &inputs());
    assert!(found.get("one").is_some() && found.get("two").is_some());
}

#[test]
fn a_file_of_a_gigabyte_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let agents = folder.path().join(".claude/agents");
    fs::create_dir_all(&agents).expect("it can be made");
    let file = fs::File::create(agents.join("one.md")).expect("it can be made");
    // It has no content and takes no room.
    file.set_len(1 << 30)
        .expect("the disk has files with holes");
    let started = Instant::now();
    let found = search(
        &DiskTree,
        "claude-code",
        &Inputs::new().project(folder.path()),
    );
    assert!(started.elapsed() < Duration::from_secs(20));
    let entry = &found.entries[0];
    assert_eq!(entry.state, State::Rejected);
    assert!(entry.bytes.is_none());
    assert!(!entry.diagnostics.is_empty());
}

#[cfg(unix)]
#[test]
fn special_files_and_loops_on_the_disk_hold_nothing_up() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().expect("a folder");
    let at = |path: &str| folder.path().join(path);
    for place in [
        ".claude/agents",
        ".opencode/agents",
        ".agents/agents",
        ".pi/agents",
        "home",
    ] {
        fs::create_dir_all(at(place)).expect("it can be made");
        let at = |name: &str| folder.path().join(place).join(name);
        for (name, target) in [
            ("zero.md", "/dev/zero"),
            ("circle.md", "circle.md"),
            ("up", ".."),
            ("here", "."),
            ("root", "/dev"),
        ] {
            symlink(target, at(name)).expect("links");
        }
        let made = std::process::Command::new("mkfifo")
            .arg(at("pipe.md"))
            .status();
        assert!(made.expect("mkfifo is there").success());
        let _socket = std::os::unix::net::UnixListener::bind(at("s.md")).expect("binds");
        let mut file = fs::File::create(at("one.md")).expect("it can be made");
        file.write_all(AGENT.as_bytes()).expect("writes");
    }
    let inputs = Inputs::new().project(folder.path()).home(at("home"));
    for (dialect, profile) in all() {
        let started = Instant::now();
        let found = discover(&DiskTree, dialect, profile, &inputs);
        drop(discover_skills(&DiskTree, dialect, profile, &inputs));
        assert!(started.elapsed() < LONGEST, "{}", profile.id);
        for entry in &found.entries {
            let told = !entry.diagnostics.is_empty();
            let ignored = matches!(
                entry.state,
                State::Ignored(SkipRule::Link | SkipRule::LinkLoop | SkipRule::Unreadable)
            );
            if entry.file_name == "zero.md" || entry.file_name == "pipe.md" {
                assert!(told || ignored, "{}: {entry:?}", profile.id);
            }
        }
    }
}

/// Settings may hold tokens that stand for texts: the whole of them is bounded.
#[test]
fn tokens_cannot_fill_the_memory() {
    for token in ["{file:a.txt}", "{env:WORD}", "{env:UNKNOWN}"] {
        let mut tree = MemoryTree::new();
        tree.write("/p/a.txt", "x".repeat(1 << 20));
        let text = format!("{{\"username\": \"{}\"}}", token.repeat(100_000));
        tree.write("/p/opencode.json", text);
        let word = "x".repeat(10_000);
        let started = Instant::now();
        let found = search(&tree, "opencode", &inputs().variable("WORD", word));
        assert!(started.elapsed() < LONGEST);
        let findings = found.entries.iter().flat_map(|entry| &entry.diagnostics);
        let codes: Vec<_> = findings.map(agent_schema::Diagnostic::code).collect();
        assert!(codes.contains(&rules::LIMIT_EXCEEDED.code), "{token}");
        assert!(codes.len() < 20_000, "{token}: {}", codes.len());
    }
}
