//! Limits that a caller sets: each of them is told by the finding that tells of the usual one.

use agent_discovery::{Discovery, Inputs, MemoryTree, discover};
use agent_schema::{Limit, Limits, dialects};

/// What meets a limit, the value that just lets it pass, and the code that tells if it does not.
struct Case {
    dialect: &'static str,
    path: &'static str,
    text: String,
    enough: usize,
    code: &'static str,
}

fn case(limit: Limit) -> Case {
    let claude = |header: &str, enough, code| Case {
        dialect: "claude-code",
        path: "/p/.claude/agents/a.md",
        text: format!("---\nname: a\ndescription: Reads.\n{header}---\nRead.\n"),
        enough,
        code,
    };
    let openhands = |header: &str, enough| Case {
        dialect: "openhands",
        path: "/p/.agents/agents/a.md",
        ..claude(header, enough, "limit-exceeded")
    };
    match limit {
        Limit::FileBytes => {
            let case = claude("", 0, "file-too-large");
            Case {
                enough: case.text.len(),
                ..case
            }
        }
        // Claude Code would mend these headers, as it does others that cannot be read.
        Limit::Nesting => openhands("extra: {a: [[[b]]]}\n", 6),
        Limit::MergedEntries => openhands("one: &one {a: 1, b: 2}\ntwo: {<<: *one}\n", 3),
        Limit::Findings => claude("k1: 1\nk2: 2\nk3: 3\n", 3, "unknown-key"),
        Limit::Agents => Case {
            dialect: "opencode",
            path: "/p/opencode.json",
            text: r#"{"agent": {"a": {"description": "Reads."}}}"#.to_owned(),
            enough: 1,
            code: "limit-exceeded",
        },
        Limit::Folders | Limit::FolderDepth => Case {
            path: "/p/.claude/agents/one/two/a.md",
            enough: match limit {
                Limit::Folders => 2,
                _ => 3,
            },
            ..claude("", 0, "limit-exceeded")
        },
        Limit::Tokens | Limit::TokenBytes => Case {
            dialect: "opencode",
            path: "/p/opencode.json",
            text: r#"{"agent": {"a": {"description": "{env:WORD}", "prompt": "{env:WORD}"}}}"#
                .to_owned(),
            enough: match limit {
                Limit::Tokens => 3,
                _ => "wordword".len(),
            },
            code: "limit-exceeded",
        },
        other => panic!("{other:?} has no case"),
    }
}

fn search(case: &Case, limits: Limits) -> Discovery {
    let mut tree = MemoryTree::new();
    tree.write(case.path, &case.text);
    tree.folder("/p/.git");
    let dialect = dialects::find(case.dialect).expect("it is known");
    let inputs = Inputs::new()
        .project("/p")
        .trusted(true)
        .variable("WORD", "word")
        .limits(limits);
    discover(&tree, dialect, dialect.default_profile(), &inputs)
}

fn told(found: &Discovery, code: &str) -> Vec<String> {
    let findings = found.entries.iter().flat_map(|entry| &entry.diagnostics);
    let findings = findings.filter(|finding| finding.code() == code);
    findings
        .map(|finding| finding.message.to_string())
        .collect()
}

#[test]
fn a_lower_limit_is_told_as_the_usual_one_is() {
    for limit in Limit::ALL {
        let case = case(limit);
        let with = |most| search(&case, Limits::default().at_most(limit, most));
        for found in [search(&case, Limits::default()), with(case.enough)] {
            let told = told(&found, case.code);
            match limit {
                Limit::Findings => assert_eq!(told.len(), 3, "{told:?}"),
                _ => assert_eq!(told, [""; 0], "{limit:?}"),
            }
            assert_eq!(found.active().count(), 1, "{limit:?}");
        }
        let found = with(case.enough - 1);
        let told = told(&found, case.code);
        match limit {
            Limit::Findings => assert_eq!(told[2], "there is 1 more of these"),
            _ => {
                assert_eq!(told.len(), 1, "{limit:?}: {told:?}");
                assert_eq!(found.active().count(), 0, "{limit:?}");
            }
        }
    }
}

/// The same with so much that the usual limit is met; `None` where that is not to be raised.
fn too_much(limit: Limit) -> Option<Case> {
    let case = case(limit);
    let many = limit.usual() + 1;
    let settings = |text: String| Case {
        dialect: "opencode",
        path: "/p/opencode.json",
        text,
        enough: many,
        code: "limit-exceeded",
    };
    let lines = |line: &dyn Fn(usize) -> String| -> String { (0..many).map(line).collect() };
    let header = |lines: &str| format!("---\nname: a\ndescription: Reads.\n{lines}---\nRead.\n");
    Some(match limit {
        Limit::FileBytes => Case {
            text: case.text.clone() + &"x".repeat(many - case.text.len()),
            ..case
        },
        Limit::MergedEntries => Case {
            text: header(&format!(
                "one: &one {{{}}}\ntwo: {{<<: *one}}\n",
                lines(&|i| format!("k{i}: 1, "))
            )),
            ..case
        },
        Limit::Findings => Case {
            text: header(&lines(&|i| format!("k{i}: 1\n"))),
            ..case
        },
        Limit::Agents => settings(format!(
            r#"{{"agent": {{{}"a": {{"description": "Reads."}}}}}}"#,
            lines(&|i| format!("\"a{i}\": {{\"disable\": true}}, "))
        )),
        Limit::Tokens => settings(format!(
            r#"{{"agent": {{"a": {{"description": "{}"}}}}}}"#,
            lines(&|_| "{env:WORD}".to_owned())
        )),
        _ => return None,
    })
}

#[test]
fn what_is_over_a_usual_limit_is_read_if_that_is_raised() {
    for limit in Limit::ALL {
        let Some(case) = too_much(limit) else {
            continue;
        };
        let told = |most| {
            let found = search(&case, Limits::default().at_most(limit, most));
            told(&found, case.code)
        };
        let usual = limit.usual();
        if limit == Limit::Findings {
            assert!(told(usual).contains(&"there is 1 more of these".to_owned()));
            assert!(!told(usual + 1).contains(&"there is 1 more of these".to_owned()));
            assert_eq!(told(usual + 1).len(), usual + 1);
        } else {
            assert_eq!(told(usual).len(), 1, "{limit:?}");
            assert_eq!(told(2 * usual), [""; 0], "{limit:?}");
        }
    }
}

#[test]
fn no_limit_is_raised_over_the_highest_value() {
    for limit in Limit::ALL {
        let limits = Limits::default().at_most(limit, usize::MAX);
        assert_eq!(limits.of(limit), limit.highest());
        assert!(limit.usual() <= limit.highest());
    }
}
