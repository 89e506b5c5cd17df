//! Watching a search: files that are really written, and events that really come.
#![expect(
    clippy::disallowed_methods,
    reason = "the disk is watched as it really is"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agent_discovery::{
    Change, Discovery, DiskTree, Inputs, Watch, Watched, discover, discover_skills,
};
use agent_schema::dialects;
use tempfile::TempDir;

/// How long an event may take to come. Nothing waits so long that comes at all.
const LONGEST: Duration = Duration::from_secs(60);

/// Only one test watches at a time, so that each can count threads.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Scene {
    _turn: MutexGuard<'static, ()>,
    folder: TempDir,
    watch: Watch,
}

impl Scene {
    /// Watches a project and a home in which the given files are.
    fn new(dialect: &str, files: &[(&str, &str)]) -> Self {
        let turn = alone();
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("project")).expect("makes folders");
        fs::create_dir_all(folder.path().join("home")).expect("makes folders");
        for (path, text) in files {
            write(&folder.path().join(path), text);
        }
        let dialect = dialects::find(dialect).expect("it is known");
        let inputs = Inputs::new()
            .project(folder.path().join("project"))
            .home(folder.path().join("home"))
            .trusted(true)
            .remembering();
        let profile = dialect.default_profile();
        let agents = discover(&DiskTree, dialect, profile, &inputs);
        let skills = discover_skills(&DiskTree, dialect, profile, &inputs);
        let mut watch = Watch::new(vec![agents], inputs).expect("watches");
        watch.watch_skills(vec![skills]).expect("watches");
        Scene {
            _turn: turn,
            folder,
            watch,
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.at(path), text);
    }

    /// Waits until these agents are active, and returns what was told until then.
    fn wait_for(&mut self, names: &[&str]) -> Vec<Change> {
        self.wait_until(|found| active(found) == names, &format!("{names:?}"))
    }

    fn wait_until(&mut self, is_so: impl Fn(&Discovery) -> bool, what: &str) -> Vec<Change> {
        self.wait(|watch| is_so(&watch.found()[0]), Watched::Agents(0), what)
    }

    /// Waits until these skills are active, and returns what was told until then.
    fn wait_for_skills(&mut self, names: &[&str]) -> Vec<Change> {
        let is_so = |watch: &Watch| skills(watch) == names;
        self.wait(is_so, Watched::Skills(0), &format!("{names:?}"))
    }

    /// Waits until something is so, and returns what was told of a search until then.
    fn wait(&mut self, is_so: impl Fn(&Watch) -> bool, search: Watched, what: &str) -> Vec<Change> {
        let end = Instant::now() + LONGEST;
        let mut changes = Vec::new();
        while !is_so(&self.watch) {
            assert!(
                Instant::now() < end,
                "{what} do not come, but {:?} and {:?}: {changes:#?}",
                active(&self.watch.found()[0]),
                skills(&self.watch)
            );
            let noticed = self.watch.next(Duration::from_secs(1)).expect("watches");
            let noticed = noticed.into_iter().filter(|it| it.search == search);
            changes.extend(noticed.flat_map(|it| it.changes));
        }
        changes
    }
}

/// The skills that are active.
fn skills(watch: &Watch) -> Vec<&str> {
    let active = watch.skills()[0].active();
    let mut names: Vec<&str> = active.map(|it| it.skill.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it has a folder")).expect("makes folders");
    fs::write(path, text).expect("writes");
}

fn active(found: &Discovery) -> Vec<&str> {
    let mut names: Vec<&str> = found.active().filter_map(|it| it.name()).collect();
    names.sort_unstable();
    names
}

fn agent(name: &str, prompt: &str) -> String {
    format!("---\nname: {name}\ndescription: Reads.\n---\n{prompt}\n")
}

#[test]
fn folders_that_do_not_exist_yet_are_watched() {
    let mut scene = Scene::new("claude-code", &[]);
    scene.write("project/.claude/agents/deep/a.md", &agent("a", "Work."));
    let changes = scene.wait_for(&["a"]);
    assert_eq!(changes.len(), 1, "{changes:#?}");
    scene.write("home/.claude/agents/b.md", &agent("b", "Work."));
    scene.wait_for(&["a", "b"]);
}

#[test]
fn what_is_changed_is_told() {
    let path = "project/.claude/agents/a.md";
    let mut scene = Scene::new("claude-code", &[(path, &agent("a", "Work."))]);
    scene.write(path, &agent("a", "Play."));
    let is_changed = |found: &Discovery| {
        let definition = found.get("a").and_then(|entry| entry.definition());
        definition.and_then(|it| it.prompt()) == Some("Play.")
    };
    let changes = scene.wait_until(is_changed, "the new prompt");
    let fields: Vec<&str> = changes[0].fields.iter().map(|it| it.as_str()).collect();
    assert_eq!(fields, ["prompt"]);
    // An editor writes beside the file and puts the new one in its place.
    scene.write("project/.claude/agents/a.md.new", &agent("b", "Play."));
    fs::rename(scene.at("project/.claude/agents/a.md.new"), scene.at(path)).expect("renames");
    scene.wait_for(&["b"]);
    fs::remove_file(scene.at(path)).expect("removes");
    scene.wait_for(&[]);
}

#[test]
fn folders_may_vanish_and_come_back() {
    let path = "project/.claude/agents/a.md";
    let mut scene = Scene::new("claude-code", &[(path, &agent("a", "Work."))]);
    fs::rename(scene.at("project/.claude"), scene.at("project/old")).expect("renames");
    scene.wait_for(&[]);
    scene.write("project/.claude/agents/b.md", &agent("b", "Work."));
    scene.wait_for(&["b"]);
    fs::remove_dir_all(scene.at("project")).expect("removes");
    scene.wait_for(&[]);
    scene.write(path, &agent("a", "Work."));
    scene.wait_for(&["a"]);
    // A folder that is put into the place of another one is watched, not the other one.
    scene.write("next/.claude/agents/c.md", &agent("c", "Work."));
    fs::rename(scene.at("project"), scene.at("before")).expect("renames");
    fs::rename(scene.at("next"), scene.at("project")).expect("renames");
    scene.wait_for(&["c"]);
    scene.write("before/.claude/agents/d.md", &agent("d", "Work."));
    scene.write("project/.claude/agents/e.md", &agent("e", "Work."));
    scene.wait_for(&["c", "e"]);
}

#[test]
fn settings_are_watched_too() {
    let mut scene = Scene::new(
        "opencode",
        &[("project/.git/HEAD", "ref: refs/heads/main\n")],
    );
    let settings =
        |name: &str| format!(r#"{{"agent": {{"{name}": {{"description": "Reads."}}}}}}"#);
    scene.write("project/opencode.json", &settings("a"));
    scene.wait_for(&["a"]);
    scene.write("project/opencode.json", &settings("b"));
    scene.wait_for(&["b"]);
}

#[cfg(unix)]
#[test]
fn what_links_lead_to_is_watched() {
    use std::os::unix::fs::symlink;

    let mut scene = Scene::new("claude-code", &[("elsewhere/x.md", &agent("a", "Work."))]);
    fs::create_dir_all(scene.at("project/.claude/agents")).expect("makes folders");
    let link = scene.at("project/.claude/agents/a.md");
    symlink(scene.at("elsewhere/x.md"), link).expect("links");
    scene.wait_for(&["a"]);
    scene.write("elsewhere/x.md", &agent("b", "Work."));
    scene.wait_for(&["b"]);
    // A folder that is a link, which then leads elsewhere.
    scene.write("one/c.md", &agent("c", "Work."));
    scene.write("two/d.md", &agent("d", "Work."));
    fs::create_dir_all(scene.at("home/.claude")).expect("makes folders");
    symlink(scene.at("one"), scene.at("home/.claude/agents")).expect("links");
    scene.wait_for(&["b", "c"]);
    scene.write("one/e.md", &agent("e", "Work."));
    scene.wait_for(&["b", "c", "e"]);
    fs::remove_file(scene.at("home/.claude/agents")).expect("removes");
    symlink(scene.at("two"), scene.at("home/.claude/agents")).expect("links");
    scene.wait_for(&["b", "d"]);
}

#[test]
fn skills_are_watched_beside_the_agents() {
    let path = "project/.claude/skills/a/SKILL.md";
    let mut scene = Scene::new("claude-code", &[(path, &agent("a", "Read."))]);
    scene.write("home/.claude/skills/b/SKILL.md", &agent("b", "Read."));
    let changes = scene.wait_for_skills(&["a", "b"]);
    assert_eq!(changes.len(), 1, "{changes:#?}");
    scene.write(path, &agent("a", "Read twice."));
    let is_changed = |watch: &Watch| {
        let found = watch.skills()[0].get("a");
        found.is_some_and(|it| it.skill.content.contains("twice"))
    };
    let changes = scene.wait(is_changed, Watched::Skills(0), "the new text");
    let fields: Vec<&str> = changes[0].fields.iter().map(|it| it.as_str()).collect();
    assert_eq!(fields, ["prompt"]);
    fs::remove_dir_all(scene.at("project/.claude/skills/a")).expect("removes");
    let changes = scene.wait_for_skills(&["b"]);
    assert!(changes[0].now.is_none(), "{changes:#?}");
    // Agents go on to be told as well.
    scene.write("project/.claude/agents/x.md", &agent("x", "Work."));
    scene.wait_for(&["x"]);
    scene.watch.forget_skills().expect("watches");
    scene.write("project/.claude/skills/c/SKILL.md", &agent("c", "Read."));
    scene.write("project/.claude/agents/y.md", &agent("y", "Work."));
    scene.wait_for(&["x", "y"]);
    assert!(scene.watch.skills().is_empty());
}

#[test]
fn folders_of_skills_that_settings_name_are_watched() {
    let mut scene = Scene::new("pi", &[]);
    let settings = "home/.pi/agent/settings.json";
    scene.write("home/.pi/agent/more/a/SKILL.md", &agent("a", "Read."));
    scene.write(settings, r#"{"skills": ["more"]}"#);
    scene.wait_for_skills(&["a"]);
    scene.write("home/.pi/agent/more/b/SKILL.md", &agent("b", "Read."));
    scene.wait_for_skills(&["a", "b"]);
    scene.write(settings, "{}");
    scene.wait_for_skills(&[]);
}

#[test]
fn what_has_changed_before_the_watch_began_is_told_first() {
    let _turn = alone();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(".claude/agents/a.md");
    let dialect = dialects::find("claude-code").expect("it is known");
    let inputs = Inputs::new().project(folder.path()).remembering();
    let found = discover(&DiskTree, dialect, dialect.default_profile(), &inputs);
    write(&path, &agent("a", "Work."));
    let mut watch = Watch::new(vec![found], inputs).expect("watches");
    let noticed = watch.next(Duration::ZERO).expect("watches");
    assert_eq!(noticed[0].changes[0].name, "a");
    assert_eq!(watch.next(Duration::from_millis(300)).expect("watches"), []);
}

/// The threads of this process in which events arrive.
#[cfg(target_os = "linux")]
fn watching_threads() -> usize {
    let tasks = fs::read_dir("/proc/self/task").expect("lists");
    let names = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.starts_with("notify")).count()
}

#[cfg(target_os = "linux")]
#[test]
fn no_thread_is_left_behind() {
    let scene = Scene::new("claude-code", &[]);
    assert!(watching_threads() > 0);
    let Scene { _turn, watch, .. } = scene;
    drop(watch);
    let end = Instant::now() + LONGEST;
    while watching_threads() > 0 {
        assert!(Instant::now() < end, "the thread goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}
