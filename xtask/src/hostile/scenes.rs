//! What is hostile.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A hostile project.
pub(super) struct Scene {
    pub(super) name: &'static str,
    /// What is asked.
    pub(super) command: &'static [&'static str],
    /// The findings that count are those in whose line this stands.
    pub(super) about: &'static str,
    pub(super) make: fn(&Path) -> io::Result<()>,
}

const CHECK: &[&str] = &["check", "--all", "--format", "concise"];
const AGENT: &str = ".claude/agents/x.md";

const fn agent(name: &'static str, make: fn(&Path) -> io::Result<()>) -> Scene {
    Scene {
        name,
        command: CHECK,
        about: AGENT,
        make,
    }
}

const fn settings(name: &'static str, make: fn(&Path) -> io::Result<()>) -> Scene {
    Scene {
        name,
        command: CHECK,
        about: "opencode.json",
        make,
    }
}

const fn tree(name: &'static str, make: fn(&Path) -> io::Result<()>) -> Scene {
    Scene {
        name,
        command: CHECK,
        about: "",
        make,
    }
}

const MANY: usize = 100_000;

pub(super) static SCENES: &[Scene] = &[
    agent("a plain agent, to compare with", |at| {
        header(at, "name: x\ndescription: Helps.\n")
    }),
    agent("aliases that stand for a billion values", |at| {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..10 {
            let aliases = vec![format!("*a{}", i - 1); 10].join(", ");
            let _ = writeln!(text, "a{i}: &a{i} [{aliases}]");
        }
        header(
            at,
            &format!("{text}name: x\ndescription: *a9\ntools: *a9\nhooks: *a9\n"),
        )
    }),
    agent("merge keys that stand for a billion entries", |at| {
        let mut text = "m0: &m0 {k0: 1, k1: 2}\n".to_owned();
        for i in 1..30 {
            let _ = writeln!(
                text,
                "m{i}: &m{i} {{<<: [*m{p}, *m{p}], n{i}: 1}}",
                p = i - 1
            );
        }
        header(at, &format!("{text}name: x\ndescription: y\n"))
    }),
    agent("100,000 aliases of one value", |at| {
        let aliases = "*a, ".repeat(MANY);
        header(
            at,
            &format!("a: &a [1, 2, 3]\nname: x\ntools: [{aliases}]\n"),
        )
    }),
    agent("10,000 lists in each other, `[[[…`", |at| {
        header(
            at,
            &format!("name: {}{}\n", "[".repeat(10_000), "]".repeat(10_000)),
        )
    }),
    agent("100,000 open lists, `[[[…`", |at| {
        header(at, &format!("name: {}\n", "[".repeat(MANY)))
    }),
    agent("10,000 lists in each other, `- - -…`", |at| {
        header(at, &format!("name:\n  {}x\n", "- ".repeat(10_000)))
    }),
    agent("5,000 maps in each other, by indentation", |at| {
        let mut text = String::new();
        for depth in 0..5_000 {
            let _ = writeln!(text, "{}a:", " ".repeat(depth));
        }
        header(at, &text)
    }),
    settings("10,000 lists in each other in JSON", |at| {
        let text = format!(
            "{{\"agent\": {}{}}}",
            "[".repeat(10_000),
            "]".repeat(10_000)
        );
        write(at, "opencode.json", text)
    }),
    settings("1,000,000 open maps in JSON", |at| {
        write(at, "opencode.json", "{\"a\":".repeat(1_000_000))
    }),
    agent("a file of 1 GB, without content", |at| {
        header(at, "name: x\n")?;
        let file = fs::OpenOptions::new().write(true).open(at.join(AGENT))?;
        file.set_len(1 << 30)
    }),
    agent("one line of 60 MiB in the prompt", |at| {
        write(
            at,
            AGENT,
            format!(
                "---\nname: x\ndescription: y\n---\n{}",
                "x".repeat(60 << 20)
            ),
        )
    }),
    agent("one value of 60 MiB", |at| {
        header(
            at,
            &format!("name: x\ndescription: {}\n", "x ".repeat(30 << 20)),
        )
    }),
    agent("a header of 60 MiB that never ends", |at| {
        write(at, AGENT, format!("---\n{}", "name: x\n".repeat(60 << 17)))
    }),
    agent("60 MiB of NUL", |at| write(at, AGENT, vec![0; 60 << 20])),
    agent("60 MiB that are not UTF-8", |at| {
        write(at, AGENT, vec![0xff; 60 << 20])
    }),
    agent("60 MiB of line ends", |at| {
        write(at, AGENT, "\r\n".repeat(30 << 20))
    }),
    agent("60 MiB of fences", |at| {
        write(at, AGENT, "---\n".repeat(15 << 20))
    }),
    agent("a description of 1 MB", |at| {
        header(
            at,
            &format!("name: x\ndescription: {}\n", "word ".repeat(200_000)),
        )
    }),
    agent("100,000 keys", |at| {
        let keys: String = (0..MANY).map(|i| format!("key{i}: {i}\n")).collect();
        header(at, &format!("name: x\ndescription: y\n{keys}"))
    }),
    agent("100,000 times the same key", |at| {
        header(at, &format!("name: x\n{}", "description: y\n".repeat(MANY)))
    }),
    agent("100,000 tools", |at| {
        let items: String = (0..MANY).map(|i| format!("  - tool{i}\n")).collect();
        header(at, &format!("name: x\ndescription: y\ntools:\n{items}"))
    }),
    agent("100,000 tools in one text", |at| {
        let items: String = (0..MANY).map(|i| format!("tool{i}(a, b), ")).collect();
        header(at, &format!("name: x\ndescription: y\ntools: {items}\n"))
    }),
    agent("100,000 tools that are allowed and denied", |at| {
        let items: String = (0..MANY).map(|i| format!("  - mcp__s{i}__t\n")).collect();
        let lists = format!("tools:\n{items}disallowedTools:\n{items}");
        header(at, &format!("name: x\ndescription: y\n{lists}"))
    }),
    agent("100,000 lines without a colon", |at| {
        header(at, &format!("name: x\n{}", "lost\n".repeat(MANY)))
    }),
    agent("20,000 values that need quotes", |at| {
        let keys: String = (0..20_000).map(|i| format!("key{i}: a: b\n")).collect();
        header(at, &format!("name: x\ndescription: y\n{keys}"))
    }),
    agent("numbers of 1 MB", |at| {
        let number = "9".repeat(1 << 20);
        header(
            at,
            &format!("name: x\nmaxTurns: {number}\nsteps: 0x{number}\ntemperature: 1e{number}\n"),
        )
    }),
    agent("controls, directions and escapes everywhere", |at| {
        let odd = "\u{202e}\u{2066}\u{1b}[31m\u{9b}2J\u{2028}\u{200b}\u{0}";
        header(
            at,
            &format!("name: \"{odd}\"\n{odd}: {odd}\ndescription: {odd}\n"),
        )
    }),
    settings("lone surrogates in JSON", |at| {
        write(
            at,
            "opencode.json",
            r#"{"agent": {"\ud800": {"description": "\udfff\ud800", "prompt": "\ud83e"}}}"#,
        )
    }),
    settings("100,000 agents in one file of settings", |at| {
        agents_in_settings(at, MANY, "\"mode\":3")
    }),
    settings("10,000 agents in one line, each with a mistake", |at| {
        agents_in_settings(at, 10_000, "\"mode\":3")
    }),
    Scene {
        name: "the same, told with the line",
        command: &["check", "--all"],
        about: "",
        make: |at| agents_in_settings(at, 10_000, "\"mode\":3"),
    },
    settings("10,000 agents in one line, each with 100 mistakes", |at| {
        let rules: Vec<String> = (0..100).map(|i| format!("\"{i}\":3")).collect();
        let says = format!("\"permission\":{{{}}}", rules.join(","));
        agents_in_settings(at, 10_000, &says)
    }),
    settings("1,000,000 tokens that are not read", |at| {
        write(
            at,
            "opencode.json",
            format!("{{\"x\":\"{}\"}}", "{env:A}".repeat(1_000_000)),
        )
    }),
    settings("100,000 times a file of 1 MB", |at| {
        write(at, "a.txt", "x".repeat(1 << 20))?;
        write(
            at,
            "opencode.json",
            format!("{{\"x\":\"{}\"}}", "{file:a.txt}".repeat(MANY)),
        )
    }),
    tree("100,000 agents in one folder", |at| {
        many(at, ".claude/agents", MANY, |i| {
            format!("---\nname: a{i}\ndescription: y\n---\nHelp.\n")
        })
    }),
    tree("100,000 agents of the same name", |at| {
        many(at, ".claude/agents", MANY, |_| {
            "---\nname: a\ndescription: y\n---\nHelp.\n".to_owned()
        })
    }),
    tree("100,000 files that are no agents", |at| {
        many(at, ".claude/agents", MANY, |_| "x".to_owned())
    }),
    Scene {
        name: "100,000 skills",
        command: &["skills", "--dialect", "claude-code"],
        about: "",
        make: |at| {
            for i in 0..MANY {
                let path = format!(".claude/skills/s{i}/SKILL.md");
                write(at, &path, format!("---\nname: s{i}\ndescription: y\n---\n"))?;
            }
            Ok(())
        },
    },
    tree("1,900 folders in each other", |at| {
        let deep = "a/".repeat(1_900);
        fs::create_dir_all(at.join(".claude/agents").join(deep))
    }),
    tree("20,000 folders side by side", |at| {
        for i in 0..20_000 {
            fs::create_dir_all(at.join(format!(".claude/agents/f{i}")))?;
        }
        Ok(())
    }),
    tree("folders that links lead back into", |at| {
        for i in 0..8 {
            let folder = at.join(format!(".claude/agents/f{i}"));
            fs::create_dir_all(&folder)?;
            for j in 0..8 {
                link(&format!("../f{j}"), &folder.join(format!("l{j}")))?;
            }
        }
        Ok(())
    }),
    tree("links to devices, and in a circle", |at| {
        fs::create_dir_all(at.join(".claude/agents"))?;
        for (name, target) in [
            ("zero", "/dev/zero"),
            ("random", "/dev/urandom"),
            ("stdin", "/dev/stdin"),
            ("tty", "/dev/tty"),
            ("circle", "circle.md"),
            ("nowhere", "nowhere"),
        ] {
            link(target, &at.join(format!(".claude/agents/{name}.md")))?;
        }
        Ok(())
    }),
    tree("named pipes in the place of files", |at| {
        fs::create_dir_all(at.join(".claude/agents"))?;
        for path in [AGENT, "opencode.json", ".claude/settings.json", "AGENTS.md"] {
            let made = std::process::Command::new("mkfifo")
                .arg(at.join(path))
                .status()?;
            if !made.success() {
                return Err(io::Error::other("`mkfifo` failed"));
            }
        }
        Ok(())
    }),
    tree("names with line ends and escape sequences", |at| {
        for name in ["a\nb", "\u{1b}[2J", "\u{202e}dm.x", "-rf", "a`b$(c)"] {
            header_at(at, &format!(".claude/agents/{name}.md"), "name: x\n")?;
        }
        Ok(())
    }),
    tree("patterns of nothing but stars", |at| {
        let stars = "*a".repeat(2_000);
        write(at, ".gitignore", format!("{stars}b\n").repeat(50))?;
        write(at, ".ignore", format!("{stars}b\n").repeat(50))?;
        write(
            at,
            ".pi/settings.json",
            format!("{{\"skills\": [\"./skills\", \"!{stars}b\"]}}"),
        )?;
        many(at, "skills", 50, |i| {
            format!("---\nname: s{i}\ndescription: y\n---\n")
        })?;
        header_at(
            at,
            &format!("skills/{}/SKILL.md", "a".repeat(200)),
            "name: x\n",
        )
    }),
];

fn header(at: &Path, text: &str) -> io::Result<()> {
    header_at(at, AGENT, text)
}

fn header_at(at: &Path, path: &str, text: &str) -> io::Result<()> {
    write(at, path, format!("---\n{text}---\nHelp.\n"))
}

fn agents_in_settings(at: &Path, count: usize, says: &str) -> io::Result<()> {
    let agents: Vec<String> = (0..count).map(|i| format!("\"a{i}\":{{{says}}}")).collect();
    let text = format!("{{\"agent\":{{{}}}}}", agents.join(","));
    write(at, "opencode.json", text)
}

fn write(at: &Path, path: &str, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let path: PathBuf = at.join(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

fn many(at: &Path, folder: &str, count: usize, text: fn(usize) -> String) -> io::Result<()> {
    let folder = at.join(folder);
    fs::create_dir_all(&folder)?;
    for i in 0..count {
        fs::write(folder.join(format!("f{i}.md")), text(i))?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
