//! What `check` writes: files that are mended, and findings for code scanning.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// A project in a folder of its own, with a home beside it.
struct Project {
    folder: TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().expect("a folder can be made");
        let project = Project { folder };
        for name in ["project", "home"] {
            fs::create_dir(project.folder.path().join(name)).expect("a folder can be made");
        }
        for (path, text) in files {
            let path = project.path(path);
            fs::create_dir_all(path.parent().expect("it lies in a folder"))
                .expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        project
    }

    fn path(&self, below: &str) -> std::path::PathBuf {
        self.folder.path().join("project").join(below)
    }

    fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).expect("it is there")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_agentry"))
            .args(arguments)
            .current_dir(self.path(""))
            .env_clear()
            .env("HOME", self.folder.path().join("home"))
            .output()
            .expect("the command runs")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    }
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

const COLON: &str = "---\nname: planner\ndescription: Plans: first the goal\n---\nPlan.\n";

#[test]
fn what_is_mended_loads_and_stays() {
    let path = ".agents/agents/planner.md";
    let project = Project::new(&[(path, COLON)]);
    fs::set_permissions(project.path(path), Permissions::from_mode(0o640)).expect("it is ours");
    assert_eq!(
        project.json(&["parse", path, "--format", "json"])["outcome"],
        "rejected"
    );

    let shown = project.run(&["check", "--diff"]);
    assert_eq!(code(&shown), Some(1));
    assert_eq!(project.read(path), COLON, "`--diff` writes nothing");

    assert_eq!(code(&project.run(&["check", "--fix"])), Some(0));
    let parsed = project.json(&["parse", path, "--format", "json"]);
    assert_eq!(parsed["outcome"], "loaded");
    assert_eq!(parsed["definition"]["description"], "Plans: first the goal");
    let metadata = fs::metadata(project.path(path)).expect("it is there");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
    let left = fs::read_dir(project.path(".agents/agents")).expect("it can be listed");
    assert_eq!(left.count(), 1, "nothing is left beside the file");

    let mended = project.read(path);
    let written = metadata.modified().expect("it has a time");
    assert_eq!(code(&project.run(&["check", "--fix"])), Some(0));
    assert_eq!(code(&project.run(&["check", "--diff"])), Some(0));
    assert_eq!(project.read(path), mended);
    let metadata = fs::metadata(project.path(path)).expect("it is there");
    assert_eq!(metadata.modified().expect("it has a time"), written);
}

#[test]
fn a_diff_is_what_patch_takes() {
    let path = ".agents/agents/planner.md";
    let project = Project::new(&[(path, COLON)]);
    let diff = project.run(&["check", "--diff"]).stdout;
    fs::write(project.path("fix.diff"), diff).expect("it can be written");
    let applied = Command::new("git")
        .args(["apply", "fix.diff"])
        .current_dir(project.path(""))
        .output()
        .expect("git is there");
    assert!(applied.status.success(), "{applied:?}");
    let by_patch = project.read(path);
    fs::write(project.path(path), COLON).expect("it can be written");
    project.run(&["check", "--fix"]);
    assert_eq!(project.read(path), by_patch);
}

#[test]
fn what_cannot_be_written_is_told_and_stays() {
    let (open, closed) = (".agents/agents/open.md", ".agents/agents/closed.md");
    let project = Project::new(&[(open, COLON), (closed, COLON)]);
    fs::set_permissions(project.path(closed), Permissions::from_mode(0o440)).expect("it is ours");
    let output = project.run(&["check", "--fix"]);
    assert_eq!(code(&output), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("closed.md`: it is write-protected"), "{told}");
    assert!(told.contains("1 fix made in 1 file"), "{told}");
    assert_eq!(project.read(closed), COLON);
    assert_ne!(project.read(open), COLON);

    // What is told is what the disk holds.
    let output = project.run(&["check", "--fix", "--format", "json", closed]);
    assert_eq!(code(&output), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("no fix made"), "{told}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(answer["files"][0]["fate"], "rejected", "{answer}");
    assert_eq!(answer["diagnostics"][0]["code"], "yaml-syntax", "{answer}");
}

#[test]
fn a_folder_is_checked_to_its_depths() {
    let loose = "collection/deep/down/planner.md";
    let placed = "part/inside/.claude/agents/planner.md";
    let project = Project::new(&[
        (loose, COLON),
        (placed, COLON),
        ("collection/notes.txt", "No agent.\n"),
        ("part/node_modules/x/.claude/agents/planner.md", COLON),
    ]);
    let fates = |answer: &Value| {
        let files = answer["files"].as_array().expect("it is a list").iter();
        let fates = files.map(|it| (it["file"].clone(), it["fate"].clone()));
        fates.collect::<Vec<(Value, Value)>>()
    };
    // Told apart by their places; what lies in none is nobody's.
    let answer = project.json(&["check", ".", "--format", "json"]);
    assert_eq!(
        fates(&answer),
        [(json!(format!("./{placed}")), json!("repaired"))]
    );
    // With a dialect every file below counts.
    let answer = project.json(&[
        "check",
        "collection",
        "--dialect",
        "openhands",
        "--format",
        "json",
    ]);
    assert_eq!(
        fates(&answer),
        [
            (json!(loose), json!("rejected")),
            (json!("collection/notes.txt"), json!("ignored"))
        ]
    );
    assert_eq!(code(&project.run(&["check", "collection"])), Some(2));
}

/// The objects of SARIF 2.1.0 that are written, each with the properties that its schema asks for
/// and all that it allows among those that are used here.
const OBJECTS: [(&str, &[&str], &[&str]); 12] = [
    ("", &["version", "runs"], &["$schema"]),
    (
        "runs",
        &["tool"],
        &["invocations", "originalUriBaseIds", "columnKind", "results"],
    ),
    ("tool", &["driver"], &[]),
    (
        "driver",
        &["name"],
        &["version", "semanticVersion", "rules"],
    ),
    (
        "rules",
        &["id"],
        &[
            "name",
            "shortDescription",
            "fullDescription",
            "help",
            "defaultConfiguration",
        ],
    ),
    ("invocations", &["executionSuccessful"], &[]),
    (
        "results",
        &["message"],
        &[
            "ruleId",
            "ruleIndex",
            "level",
            "locations",
            "relatedLocations",
            "partialFingerprints",
            "fixes",
            "properties",
        ],
    ),
    ("message", &["text"], &[]),
    ("fixes", &["artifactChanges"], &["description"]),
    (
        "artifactChanges",
        &["artifactLocation", "replacements"],
        &[],
    ),
    ("replacements", &["deletedRegion"], &["insertedContent"]),
    ("help", &["text"], &["markdown"]),
];

/// Checks the objects below a value against the table.
fn check_objects(name: &str, value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| check_objects(name, item)),
        Value::Object(object) => {
            if let Some((_, required, allowed)) = OBJECTS.iter().find(|(it, _, _)| *it == name) {
                for property in *required {
                    assert!(
                        object.contains_key(*property),
                        "`{name}` has no `{property}`"
                    );
                }
                for property in object.keys().map(String::as_str) {
                    let known = required.contains(&property) || allowed.contains(&property);
                    assert!(known, "`{name}` has `{property}`");
                }
            }
            for (property, value) in object {
                check_objects(property, value);
            }
        }
        _ => {}
    }
}

/// Calls a function for each object with a name, however deep it lies.
fn each(name: &str, value: &Value, see: &mut impl FnMut(&Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| each(name, item, see)),
        Value::Object(object) => {
            for (property, value) in object {
                if let (true, Some(object)) = (property == name, value.as_object()) {
                    see(object);
                }
                each(name, value, see);
            }
        }
        _ => {}
    }
}

#[test]
fn all_that_keeps_an_agent_from_being_made_is_told() {
    let text = "---\nname: planner\nskills: [one, two]\nmodel: sonnet\n---\nPlan.\n";
    let project = Project::new(&[(".agents/agents/planner.md", text)]);
    let answer = project.json(&["check", "--dialect", "openhands", "--format", "json"]);
    let mut told = Vec::new();
    each_in("diagnostics", &answer, &mut |finding| {
        let start = finding["span"]["start"].as_u64().expect("it has a place");
        told.push((finding["code"].clone(), start));
    });
    let expected = [
        ("unknown-skill", 27),
        ("unknown-skill", 32),
        ("unknown-model", 44),
    ];
    let expected: Vec<_> = expected.map(|(code, at)| (json!(code), at)).into();
    assert_eq!(told, expected);
}

/// Calls a function for each item of a list with a name, however deep it lies.
fn each_in(name: &str, value: &Value, see: &mut impl FnMut(&Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| each_in(name, item, see)),
        Value::Object(object) => {
            for (property, value) in object {
                match value.as_array().filter(|_| property == name) {
                    Some(items) => items
                        .iter()
                        .filter_map(Value::as_object)
                        .for_each(&mut *see),
                    None => each_in(name, value, see),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn sarif_has_the_form_and_the_places() {
    let text = "---\nname: pläner\ndescription: \"Ünd\" 漢: 字: x\nmaxTurns: 3\n---\nPlan.\n";
    let project = Project::new(&[
        (".claude/agents/a file.md", text),
        (".claude/agents/twin.md", text),
    ]);
    fs::create_dir(project.path(".git")).expect("a folder can be made");
    let log = project.json(&["check", "--format", "sarif"]);
    assert_eq!(log["version"], "2.1.0");
    check_objects("", &log);
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert!(!results.is_empty());
    // Each rule stands there once, in order, and because of some result.
    let ids: Vec<&str> = rules
        .iter()
        .filter_map(|rule| rule["id"].as_str())
        .collect();
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    let used = |id: &&str| results.iter().any(|result| result["ruleId"] == **id);
    assert!(ids.iter().all(used), "{ids:?}");
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("a number");
        let rule = &rules[usize::try_from(index).expect("it is small")];
        assert_eq!(result["ruleId"], rule["id"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a text")));
        assert!(result["partialFingerprints"]["agentry/v1"].is_string());
        assert_eq!(result["locations"].as_array().map(Vec::len), Some(1));
        // Every finding is about a file that was read, and so has a place in it.
        assert!(result["locations"][0]["physicalLocation"]["region"].is_object());
        let related = result["relatedLocations"].as_array();
        let ids = related
            .into_iter()
            .flatten()
            .map(|location| &location["id"]);
        let ids: Vec<Option<u64>> = ids.map(Value::as_u64).collect();
        assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    }
    let mut addresses = 0;
    each("artifactLocation", &log, &mut |location| {
        assert_eq!(location["uriBaseId"], "SRCROOT");
        let uri = location["uri"].as_str().expect("a text");
        assert!(
            !uri.starts_with(['/', '.']) || uri.starts_with(".claude/"),
            "{uri}"
        );
        assert!(!uri.contains(' '), "{uri}");
        let path = uri.replace("%20", " ");
        assert!(Path::new(&project.path(&path)).exists(), "{uri}");
        addresses += 1;
    });
    assert!(addresses >= 2);
    let mut regions = 0;
    let mut see = |region: &Map<String, Value>| {
        let number = |name: &str| {
            let number = region[name].as_u64().expect("a number");
            usize::try_from(number).expect("it is small")
        };
        let by_bytes = &text[number("byteOffset")..][..number("byteLength")];
        let chars: Vec<char> = text.chars().collect();
        let by_chars: String = chars[number("charOffset")..][..number("charLength")]
            .iter()
            .collect();
        assert_eq!(by_bytes, by_chars);
        let at = |line: usize, column: usize| {
            let before = text.split_inclusive('\n').take(line - 1);
            before.map(|it| it.chars().count()).sum::<usize>() + column - 1
        };
        let start = at(number("startLine"), number("startColumn"));
        let end = at(number("endLine"), number("endColumn"));
        assert_eq!(
            (start, end - start),
            (number("charOffset"), number("charLength"))
        );
        regions += 1;
    };
    each("region", &log, &mut see);
    each("deletedRegion", &log, &mut see);
    assert!(regions >= 2);
}

#[test]
fn the_same_findings_give_the_same_bytes() {
    let project = Project::new(&[
        (".claude/agents/one.md", COLON),
        (".agents/agents/two.md", COLON),
        (".opencode/agents/three.md", COLON),
    ]);
    for format in ["text", "json", "concise", "json-lines", "sarif", "github"] {
        let first = project.run(&["check", "--format", format]);
        let second = project.run(&["check", "--format", format]);
        assert_eq!(first.stdout, second.stdout, "{format}");
        assert_eq!(code(&first), Some(1), "{format}");
    }
}

#[test]
fn findings_of_a_rule_in_a_file_are_told_only_so_often() {
    let faulty: Vec<String> = (0..150)
        .map(|index| format!("\"a{index}\":{{\"description\":\"d\",\"mode\":3}}"))
        .collect();
    let settings = format!("{{\"agent\":{{{}}}}}", faulty.join(","));
    let project = Project::new(&[("opencode.json", &settings)]);
    let output = project.run(&[
        "check",
        "--dialect",
        "opencode",
        "--select",
        "invalid-value",
    ]);
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert_eq!(text.matches("--> ").count(), 101);
    assert!(text.contains("error[invalid-value]: there are 50 more of these"));
    assert!(text.contains("150 errors"), "none is lost: {text}");
}
