//! Limits that a caller lowers: each of them is told by the finding that tells of the highest one.

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
    findings.map(|finding| finding.message.clone()).collect()
}

#[test]
fn a_lower_limit_is_told_as_the_highest_one_is() {
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
            Limit::Findings => assert_eq!(told[2], "there are 1 more of these"),
            _ => {
                assert_eq!(told.len(), 1, "{limit:?}: {told:?}");
                assert_eq!(found.active().count(), 0, "{limit:?}");
            }
        }
    }
}

#[test]
fn no_limit_can_be_raised() {
    for limit in Limit::ALL {
        let limits = Limits::default().at_most(limit, usize::MAX);
        assert_eq!(limits, Limits::default());
        assert_eq!(limits.of(limit), limit.highest());
    }
}
